"""A step of a simulation as a program that calls the right-hand side: the same motion in Python, in C and in JavaScript."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess

import mpmath
import numpy as np
import pytest

import needs
import ordern
from budget import PATIENCE
from ordern.emit.javascript import javascript
from ordern.evaluate.exact import SCALARS
from ordern.program.interpret import interpret, run
from ordern.program.ir import Node, Program
from ordern.runtime.kernels import Kernel
from ordern.simulate.step_program import export_step, step_inputs, step_motion, step_program
from programs import nodes

EPS = np.finfo(float).eps
DT, COUNT = 0.004, 5


def cases():
    """Robots of every kind with a law each: short, branched, floating, mimicking, closed, long enough for loops."""
    panda, floating = ordern.load("panda"), ordern.load("panda", base="floating")
    rng = np.random.default_rng(0)
    chain, bars = ordern.robots.chain(45), ordern.robots.fourbar()
    return {
        "pd": (panda, ordern.control.PD(panda.random(rng), 40.0, 4.0, gravity=True), {"saturate": True}),
        "computed": (
            panda,
            ordern.control.ComputedTorque(panda.random(rng), 25.0, 10.0),
            {"friction": False, "saturate": True},
        ),
        "constant": (floating, ordern.control.Constant(0.1 * rng.normal(size=floating.n)), {"limits": False}),
        "swing": (ordern.robots.planar3(), None, {}),
        "pushed": (panda, None, {"external": {panda.link_names[-1]: [0.1, 0.0, 0.2, 3.0, -1.0, 2.0]}}),
        "long": (chain, None, {"limits": False}),
        "closed": (bars, None, {}),
    }


CASES = cases()


def start(robot):
    rng = np.random.default_rng(1)
    if robot.loops:
        q = robot.assemble(robot.neutral() + 0.2).q
        return q, np.zeros(robot.n)
    return robot.random(rng) if robot.nq < 30 else 0.1 * rng.normal(size=robot.nq), 0.3 * rng.normal(size=robot.n)


def by_steps(robot, law, options, method, step):
    """COUNT steps with ``step(inputs) -> {q_next, qd_next}``."""
    motion = step_motion(robot, law, **options)
    given = {name: np.asarray(values, float) for name, values in step_inputs(motion).items()}
    q, v = start(robot)
    for _ in range(COUNT):
        made = step({"q": q, "qd": v, **given, "dt": np.array([DT])})
        q, v = np.array(made["q_next"], float), np.array(made["qd_next"], float)
    return q, v


def simulated(robot, law, options, method):
    q, v = start(robot)
    run = robot.simulate(q, v, duration=COUNT * DT, torque=law, method=method, dt=DT, output_dt=None, **options)
    return run.q[-1], run.qd[-1]


def near(made, expected, robot):
    for a, b in zip(
        made, expected, strict=True
    ):  # some hundred operations a step, and the condition of the mass matrix
        np.testing.assert_allclose(a, b, rtol=0, atol=(1e9 if robot.n > 40 else 1e6) * EPS * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("method", ["rk4", "euler", "symplectic"])
@pytest.mark.parametrize("case", CASES)
def test_steps_are_those_of_simulate(case, method):
    robot, law, options = CASES[case]
    if method == "symplectic" and case != "swing":
        if robot.loops:
            with pytest.raises(ordern.OrdernError, match="closed chains"):
                step_program(step_motion(robot, law, **options), method)
        return
    program = step_program(step_motion(robot, law, **options), method)
    near(
        by_steps(robot, law, options, method, lambda given: interpret(program, given)),
        simulated(robot, law, options, method),
        robot,
    )


@pytest.mark.parametrize("method", ["dopri5", "dop853", "cash-karp", "verner"])
def test_adaptive_methods_give_a_step_and_its_error(method):
    robot, law, options = CASES["constant"]
    program = step_program(step_motion(robot, law, **options), method)
    made = by_steps(robot, law, options, method, lambda given: interpret(program, given))
    q, v = start(robot)
    run = robot.simulate(
        q, v, duration=COUNT * DT, torque=law, method="dop853", rtol=1e-13, atol=1e-13, output_dt=None, **options
    )
    assert np.abs(made[1] - run.qd[-1]).max() < 1e-8
    motion = step_motion(robot, law, **options)
    given = {name: np.asarray(x, float) for name, x in step_inputs(motion).items()}
    errors = [
        np.abs(interpret(program, {"q": q, "qd": v, **given, "dt": np.array([h])})["error_v"]).max()
        for h in (0.08, 0.04)
    ]
    assert 0 < errors[1] < errors[0] / 8  # at least of order 3 in h


@needs.gcc
@pytest.mark.parametrize("case", ["pd", "computed", "constant", "pushed", "closed", "long"])
def test_c_makes_the_same_steps(case, tmp_path):
    robot, law, options = CASES[case]
    header, source, check = robot.export_c("step", tmp_path, torque=law, **options)
    flags = ["-O1", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    for line in (
        [*flags, "-fPIC", "-c", source.name, "-o", "step.o"],
        [*flags, check.name, "step.o", "-lm", "-o", "check"],
        ["-shared", "step.o", "-lm", "-o", "step.so"],
    ):
        subprocess.run(["gcc", *line], cwd=tmp_path, check=True, timeout=PATIENCE)
    done = subprocess.run(["./check"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout
    function = getattr(ctypes.CDLL(str(tmp_path / "step.so")), source.stem)
    program = step_program(step_motion(robot, law, **options))
    room = re.search(r"_WORK (\d+)$", header.read_text(), re.M)
    work = np.zeros(int(room[1]))

    def step(given):
        outs = {name: np.zeros(shape) for name, shape in program.outputs.items()}
        arrays = [np.ascontiguousarray(given[name], float) for name in program.inputs]
        assert function(*(a.ctypes.data_as(ctypes.c_void_p) for a in (*arrays, *outs.values(), work))) == 0
        return outs

    near(by_steps(robot, law, options, "rk4", step), simulated(robot, law, options, "rk4"), robot)


@needs.node
@pytest.mark.parametrize("case", ["pd", "constant", "closed", "long"])
def test_javascript_makes_the_same_steps(case, tmp_path):
    robot, law, options = CASES[case]
    (path,) = robot.export("step", tmp_path, "javascript", torque=law, **options)
    motion = step_motion(robot, law, **options)
    q, v = start(robot)
    given = [np.ravel(values).tolist() for values in step_inputs(motion).values()]
    script = f"const {{step}} = require({json.dumps(str(path))}); let q = {q.tolist()}, v = {v.tolist()};"
    script += f"for (let k = 0; k < {COUNT}; k++) {{ const made = step(q, v, ...{json.dumps(given)}, [{DT}]); q = made.q_next; v = made.qd_next; }}"
    script += "console.log(JSON.stringify([Array.from(q), Array.from(v)]));"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, timeout=PATIENCE, check=True)
    near([np.array(x) for x in json.loads(done.stdout)], simulated(robot, law, options, "rk4"), robot)


def test_a_step_runs_on_any_number():
    robot = ordern.robots.pendulum()
    program = step_program(step_motion(robot))
    given = {"q": [0.4], "qd": [0.1], "dt": [0.01]}
    with mpmath.workdps(40):
        made = run(program, {k: [mpmath.mpf(x) for x in row] for k, row in given.items()}, SCALARS["mpmath"].operators)
    expected = interpret(program, {k: np.array(row) for k, row in given.items()})
    assert float(made["q_next"][0]) == pytest.approx(expected["q_next"][0], abs=1e-15)


def test_names_of_channels_become_names_of_c():
    robot, law, options = CASES["pd"]
    assert all(name.isidentifier() for name in step_program(step_motion(robot, law, **options)).inputs)
    text = javascript(step_program(step_motion(robot, law, **options)))
    assert "law target" not in text


def test_what_cannot_be_exported_says_why(tmp_path):
    robot = ordern.robots.planar3()
    with pytest.raises(ordern.InputError, match="Python function"):
        robot.export_c("step", tmp_path, torque=lambda t, q, qd: np.zeros(3))
    with pytest.raises(ordern.InputError, match="PID"):
        robot.export_c("step", tmp_path, torque=ordern.control.PID(np.zeros(3), 1.0, 1.0, 1.0))
    with pytest.raises(ordern.InputError, match=r"frictions.*friction"):
        robot.export_c("step", tmp_path, frictions=True)
    with pytest.raises(ordern.InputError, match=r"torque.*step"):
        robot.export_c("forward_dynamics", tmp_path, torque=None)
    with pytest.raises(ordern.InputError, match="LSODA"):
        robot.export_c("step", tmp_path, method="LSODA")
    with pytest.raises(ordern.OrdernError, match="calls"):
        robot.export("step", tmp_path, "opencl")
    with pytest.raises(ordern.OrdernError, match="calls"):
        Kernel.of(step_program(step_motion(robot))).run(
            [np.zeros((1, 3)), np.zeros((1, 3)), np.ones((1, 1))], [np.zeros((1, 3)), np.zeros((1, 3))]
        )
    assert export_step is not None and not list(tmp_path.iterdir())


def test_a_call_of_nothing_is_refused_when_the_program_is_built():
    with pytest.raises(ordern.OrdernError, match=r"'outer'.*'inner'"):
        Program("outer", nodes("in x 0"), [0, Node("call", (), ("inner", (), ()))], {"x": 1}, {})


@pytest.mark.parametrize("method", ["rk4", "dopri5", "euler"])
def test_steps_tell_how_near_a_change_point_they_came(method):
    """What the exported text says to do about it leads over: rk4 of three windows was off by 1.2 rad after 20 s of such steps."""
    robot, v, h = ordern.load("fourbars3"), np.where(np.arange(7) % 2, 1.0, -1.0), 1 / 512
    program, near_one = step_program(step_motion(robot), method), 0
    for before in h * np.array([0.5, 0.5 + 5e-5, 0.5 - 5e-7, 1.0, 1.0 - 1e-9, 0.25, 0.5 * (5**0.5 - 1)]):
        q, qd, left = np.pi / 2 * v - before * v, v, h
        while left > 0:
            dt = left
            while (made := interpret(program, {"q": q, "qd": qd, "dt": np.array([dt])}))["regular"].item() < 1 / 64:
                dt, near_one = 0.8 * dt, near_one + 1
            q, qd, left = made["q_next"].ravel(), made["qd_next"].ravel(), left - dt if dt < left else 0.0
        c = 9.81 * 5 / (13 / 3)  # what gravity accelerates level uprights by
        wanted = (np.pi / 2 - before + h + c * h * h / 2) * v
        assert np.abs(q - wanted).max() < (c * h * h if method == "euler" else c * h**4)
        assert np.abs(robot.constraint_residual(q)).max() < 1e-14
    assert near_one > 5
    away = interpret(program, {"q": 0.3 * v, "qd": v, "dt": np.array([h])})
    assert 0.9 < away["regular"].item() <= 1
