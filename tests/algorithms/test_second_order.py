"""The recursion of second derivatives: 50 digits, loops and written out, every writer; random trees of all joints that it serves."""

from __future__ import annotations

import ctypes
import subprocess

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import needs
import robots
from budget import PATIENCE, TRUST
from ordern.algorithms.second_order import SECOND_ORDER
from ordern.emit.c import export_c
from ordern.evaluate.exact import evaluate
from ordern.evaluate.second_derivatives import serves
from ordern.model.paths import FreedomPaths
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.runtime.kernels import Kernel

EPS = np.finfo(float).eps
KINDS = ["revolute", "prismatic", "helical", "cylindrical", "spherical", "floating"]


def trees(most=6):
    def parents(kinds):
        return st.tuples(st.just(kinds), st.tuples(*(st.integers(0, i) for i in range(len(kinds)))), st.integers(0, 99))

    return st.lists(st.sampled_from(KINDS), min_size=1, max_size=most).flatmap(parents)


def model_of(case):
    kinds, parents, seed = case
    return robots.tree(list(kinds), list(parents), seed)


def program(model, rolled):
    return trace(SECOND_ORDER, prepared(SECOND_ORDER, model), rolled=rolled)


def arrays(model, batch=(), seed=0):
    rng = np.random.default_rng(seed)
    return dict(
        zip(
            ("q", "qd", "qdd"),
            (Robot(model).random(rng, batch), *rng.uniform(-1, 1, (2, *batch, model.nv))),
            strict=True,
        )
    )


def scale_of(model, x):
    """Wrenches of all bodies meet in each number: what cancels is as large as the largest of all, times the arms of other trees (2 m, squared)."""
    return 4 * max(1.0, float(np.abs(np.asarray(x, float)).max()))


@settings(max_examples=30 if TRUST else 5)
@given(trees(6 if TRUST else 3))
def test_loops_and_text_written_out_agree_with_first_derivatives(case):
    model = model_of(case)
    robot, x = Robot(model), arrays(model, (2,))
    rolled = interpret(program(model, True), x)["out0"]
    written = interpret(program(model, False), x)["out0"]
    np.testing.assert_allclose(rolled, written, atol=1e3 * EPS * scale_of(model, written), rtol=0)
    d = robot.inverse_dynamics_derivatives(*x.values(), order=2)
    np.testing.assert_allclose(d.packed, written, atol=1e3 * EPS * scale_of(model, written), rtol=0)
    h, tol = (
        1e-5,
        1e-8 * scale_of(model, written),
    )  # central differences: h^2 of higher ones, eps / h of what is subtracted
    k = case[2] % robot.n
    e = h * np.eye(robot.n)[k]
    q, qd, qdd = x.values()
    ahead, behind = (robot.inverse_dynamics_derivatives(robot.integrate(q, s * e), qd, qdd) for s in (1, -1))
    np.testing.assert_allclose(d.dq_dq[..., k], (ahead.dq - behind.dq) / (2 * h), atol=tol, rtol=0)
    np.testing.assert_allclose(
        np.swapaxes(d.dq_dqd, -1, -2)[..., k], (ahead.dqd - behind.dqd) / (2 * h), atol=tol, rtol=0
    )
    np.testing.assert_allclose(d.dq_dqdd[..., k, :], (ahead.dqdd - behind.dqdd) / (2 * h), atol=tol, rtol=0)
    ahead, behind = (robot.inverse_dynamics_derivatives(q, qd + s * e, qdd) for s in (1, -1))
    np.testing.assert_allclose(d.dqd_dqd[..., k], (ahead.dqd - behind.dqd) / (2 * h), atol=tol, rtol=0)


@pytest.mark.parametrize(
    "case", [(["floating", "revolute", "prismatic"], [0, 1, 1], 3), (["revolute"] * 5, range(5), 1)]
)
def test_machine_code_is_right_to_1e3_eps(case):
    model = model_of(case)
    x = {name: a.tolist() for name, a in arrays(model).items()}
    d = Robot(model).inverse_dynamics_derivatives(*x.values(), order=2)
    with mpmath.workdps(50):
        exact = evaluate(SECOND_ORDER, model, list(x.values()), "mpmath", 50)
        right = np.array([float(e) for e in exact])
    assert np.abs(d.packed - right).max() <= 1e3 * EPS * np.abs(right).max()


@pytest.mark.parametrize("base", ["fixed", "floating"] if TRUST else ["floating"])
def test_above_forty_bodies(base):
    kinds = ["floating"] * (base == "floating") + ["revolute", "spherical", "prismatic"] * 14
    model = robots.tree(kinds, [max(0, i - 1 - (i % 5 == 0)) for i in range(len(kinds))], 4)
    assert len(model.bodies) > 41
    assert serves(model)
    x = arrays(model, (3,))
    robot, h = Robot(model), 1e-5
    d = robot.inverse_dynamics_derivatives(*x.values(), order=2)
    q, qd, qdd = x.values()
    tol = 1e-8 * scale_of(model, d.packed)
    for k in (0, robot.n // 2, robot.n - 1):
        e = h * np.eye(robot.n)[k]
        ahead, behind = (robot.inverse_dynamics_derivatives(robot.integrate(q, s * e), qd, qdd) for s in (1, -1))
        np.testing.assert_allclose(d.dq_dq[..., k], (ahead.dq - behind.dq) / (2 * h), atol=tol, rtol=0)
        np.testing.assert_allclose(
            np.swapaxes(d.dq_dqd, -1, -2)[..., k], (ahead.dqd - behind.dqd) / (2 * h), atol=tol, rtol=0
        )


TREE = (["spherical", "revolute", "prismatic", "revolute"], [0, 1, 1, 3], 5)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_any_width_gives_the_same_bytes(dtype):
    model = model_of(TREE)
    kernel = Kernel.of(program(model, True), dtype)
    x = [np.ascontiguousarray(a, dtype) for a in arrays(model, (11,)).values()]
    made = []
    for width in (1, 4) if dtype == "float64" else (8,):
        out = np.full((11, kernel.sizes[0]), np.nan, dtype)
        assert kernel.run(x, [out], width=width)
        made.append(out)
    assert all(np.array_equal(made[0], out) for out in made[1:])
    right = interpret(program(model, False), arrays(model, (11,)))["out0"]
    assert np.abs(made[0] - right).max() <= 1e3 * np.finfo(dtype).eps * scale_of(model, right)
    x[1][7, 2] = np.nan
    assert not kernel.run(x, [made[0]])


@needs.gcc
def test_c_equals_the_kernel(tmp_path):
    model = model_of(TREE)
    text = program(model, True)
    files = export_c(text, "second", "float64")
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    flags = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(
        ["gcc", *flags, str(tmp_path / "second.c"), "-o", str(tmp_path / "second.so"), "-lm"],
        check=True,
        timeout=PATIENCE,
    )
    function = ctypes.CDLL(str(tmp_path / "second.so")).second
    x = [np.ascontiguousarray(a) for a in arrays(model).values()]
    out = np.empty(FreedomPaths(model).total)
    function(*(a.ctypes.data_as(ctypes.c_void_p) for a in (*x, out)))
    right = interpret(text, dict(zip(("q", "qd", "qdd"), x, strict=True)))["out0"]
    assert np.abs(out - right).max() <= 1e3 * EPS * scale_of(model, right)


def test_elements_on_different_branches_are_zero_and_the_result_is_a_sequence():
    model = robots.tree(["floating", "revolute", "revolute"], [0, 1, 1], 2)
    x = arrays(model, (2, 3))
    d = Robot(model).inverse_dynamics_derivatives(*x.values(), order=2)
    assert not d.dq_dq[..., 6, 7, :].any()
    assert not d.dq_dq[..., 0, 6, 7].any()
    assert len(d) == 7
    assert [a.shape for a in d[3:]] == [(2, 3, 8, 8, 8)] * 4
    assert d[3] is d.dq_dq
    assert d.packed.shape == (2, 3, FreedomPaths(model).total)
    one = Robot(model).inverse_dynamics_derivatives(*(a[1, 2] for a in x.values()), order=2)
    assert np.array_equal(one.dq_dqd, d.dq_dqd[1, 2])
    empty = Robot(model).inverse_dynamics_derivatives(*(a[:0] for a in x.values()), order=2)
    assert empty.dq_dq.shape == (0, 3, 8, 8, 8)


def test_springs_have_no_second_derivative_and_mimic_joints_go_another_way():
    sprung = Robot(robots.sprung())
    x = arrays(sprung.model, (2,))
    assert serves(sprung.model) == (
        Robot(sprung.model).inverse_dynamics_derivatives(*x.values(), order=2).packed is not None
    )
    mimic = Robot(robots.mimicking())
    assert not serves(mimic.model)
    d = mimic.inverse_dynamics_derivatives(*arrays(mimic.model, (1,)).values(), order=2)
    assert d.packed is None
    assert d.dq_dq.shape == (1, *(mimic.n,) * 3)


def test_a_humanoid_is_a_few_loops():
    model = robots.tree(
        ["floating"] + ["revolute"] * 32, [0, *(max(1, i - 1 - 6 * (i % 7 == 0)) for i in range(1, 33))], 6
    )
    text = program(model, None)
    assert not text.straight
    assert len(text.nodes) < 20_000  # a few loops: some 1 s to compile, whatever the number of joints
