"""Every kind of closure, between links and to the world, by every method and on every evaluator.

A small mechanism in general position: its motion against Pinocchio's tree with closures that are differentiated by
differences, other quantities against one another.
"""

from __future__ import annotations

import ctypes
import json
import subprocess

import numpy as np
import pytest

import needs
import ordern
from budget import PATIENCE, TRUST
from ordern.algorithms.registry import choose, find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.emit.c import export_c
from ordern.emit.javascript import javascript
from ordern.errors import MissingExtra
from ordern.evaluate.evaluators import all_evaluators
from ordern.model import Placement
from ordern.program.build import trace
from ordern.runtime.numbers import numbers
from spanning import Spanning

KINDS = {
    "fixed": {}, "revolute": {"axis": (0.2, 1.0, 0.3)}, "prismatic": {"axis": (1.0, 0.1, 0.0)}, "cylindrical": {},
    "universal": {}, "planar": {"axis": (1.0, 1.0, 0.0)}, "spherical": {}, "point": {}, "distance": {"length": 0.4},
    "gear": {"joints": {"turn": 1.5, "slide": -2.0}, "offset": 0.1},
}  # fmt: skip
WHERE = [(kind, one) for kind in KINDS for one in (("slide", "world") if kind != "gear" else ("slide",))]


def mechanism(kind, one):
    """A body that floats, tied to the end of an arm of two joints or to the world: at least one motion is left."""
    inertia = (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)
    links = [LinkSpec("base")] + [LinkSpec(n, 1.3, (0.05, -0.02, 0.1), inertia) for n in ("turn", "slide", "float")]
    joints = [
        JointSpec("turn", "revolute", "base", "turn", Placement.from_rpy((0.1, 0.2, 0.0), (0.3, 0.1, 0.5)), axis=(0.2, 1.0, 0.4)),
        JointSpec("slide", "prismatic", "turn", "slide", Placement.from_rpy((0.2, 0.0, 0.1), (0.0, 0.4, 0.2)), axis=(1.0, 0.3, 0.0)),
        JointSpec("float", "floating", "base", "float"),
    ]  # fmt: skip
    ends = {
        "link1": one,
        "link2": "float",
        "xyz1": (0.1, 0.0, 0.05),
        "rpy1": (0.1, 0.2, 0.3),
        "xyz2": (0.0, 0.1, 0.0),
        "rpy2": (0.3, 0.0, -0.2),
    }
    loop = LoopSpec("tie", kind, **(ends if kind != "gear" else {}), **KINDS[kind])
    return ordern.Robot(build("tied", links, joints, loops=[loop]))


DRIVEN = np.array(
    [1.0, 1.0] + 6 * [0.0]
)  # the arm's joints: others' motions are no answer of inverse dynamics, and refused


def state(robot):
    rng = np.random.default_rng(4)
    q = robot.assemble(robot.integrate(np.array(robot.model.home), 0.3 * rng.normal(size=robot.n))).q
    v, tau = robot.closed_velocity(q, rng.normal(size=robot.n)), rng.normal(size=robot.n)
    return q, v, tau, robot.forward_dynamics(q, v, tau * DRIVEN)


class Made(dict):
    """What is made when it is first asked for, and not when tests are collected, which every process does."""

    def __init__(self, make):
        self.make = make

    def __missing__(self, case):
        return self.setdefault(case, self.make(case))


ROBOTS = Made(lambda case: mechanism(*case))
GIVEN = Made(lambda case: state(ROBOTS[case]))
# what is asked for, by which arrays, and options
QUANTITIES = {
    "forward_dynamics": ((0, 1, 2), ()), "constraint_forces": ((0, 1, 2), (True,)), "mass_matrix_inverse": ((0,), ()),
    "impulse": ((0, 2), ()), "inverse_dynamics": ((0, 1, 3), ()), "constraint_jacobian": ((0,), ()), "constraint_bias": ((0, 1), ()),
}  # fmt: skip
SLOW = ("formulas", "jax", "opencl")  # a second each: one quantity a kind, and all of them with ORDERN_TRUST=1


def methods(quantity, model):
    return [a for a in find(quantity) if a.closed and a.refusal(model) is None]


def by_numbers(case, quantity):
    arrays, options = QUANTITIES[quantity]
    model = ROBOTS[case].model
    return numbers(choose(quantity, None, model), model, options)(*(GIVEN[case][k] for k in arrays))


def near(made, want, case):
    # condition numbers of the mass matrix and of the loop, some 1e3 together
    np.testing.assert_allclose(made, want, rtol=0, atol=1e-12 * max(1.0, np.abs(want).max()), err_msg=str(case))


@pytest.mark.parametrize("case", WHERE, ids="-".join)
def test_motion_by_other_means(case):
    robot, (q, v, tau, wanted) = ROBOTS[case], GIVEN[case]
    other = Spanning(pytest.importorskip("pinocchio"), robot)
    A = other.equations(q)
    want = other.motion(q, v, tau, A)
    kept = sum(len(loop.kept) for loop in robot.model.loops)
    assert kept == np.linalg.matrix_rank(A, 1e-7) == robot.n - robot.mobility(q)
    for algorithm in methods("forward_dynamics", robot.model):
        made = numbers(algorithm, robot.model)(q, v, tau)
        np.testing.assert_allclose(made, want, rtol=0, atol=1e-8 * np.abs(want).max())  # differences of sixth order
    # what the loop does is in the space of A, and the drives' forces bring the motion about
    P, M = by_numbers(case, "mass_matrix_inverse"), robot.mass_matrix(q)
    Y = np.linalg.solve(M, A.T)
    np.testing.assert_allclose(
        P, np.linalg.inv(M) - Y @ np.linalg.pinv(A @ Y, rcond=1e-9) @ Y.T, rtol=0, atol=1e-8 * np.abs(P).max()
    )
    near(P @ M @ by_numbers(case, "impulse"), P @ M @ tau, case)  # as qd: momenta that the loop leaves free
    found = by_numbers(case, "inverse_dynamics")
    near(robot.forward_dynamics(q, v, found), wanted, case)
    if case[0] != "gear":  # which leaves more drives than are needed
        near(found, tau * DRIVEN, case)


@pytest.mark.parametrize("kind", [k for k in all_evaluators() if k != "numbers"])
def test_every_evaluator(kind):
    """Methods and quantities take turns."""
    for k, case in enumerate(WHERE):
        if kind in SLOW and not TRUST and ((case[1] == "world") != (k % 4 == 1) or (kind == "opencl" and k % 3)):
            continue
        model = ROBOTS[case].model
        for quantity in (
            list(QUANTITIES) if TRUST else ["forward_dynamics", list(QUANTITIES)[1 + k % 6]][: 1 if kind in SLOW else 2]
        ):
            arrays, options = QUANTITIES[quantity]
            served = methods(quantity, model)
            try:
                make = all_evaluators()[kind](served[k % len(served)], model, options)
            except MissingExtra as missing:
                pytest.skip(str(missing))
            want = by_numbers(case, quantity)
            made = np.array(make(*(GIVEN[case][k] for k in arrays)), float).reshape(want.shape)
            near(made, want, (kind, quantity, *case))


def program(case, k):
    model = ROBOTS[case].model
    served = methods("forward_dynamics", model)
    return trace(served[k % len(served)], model, ())


@needs.node
def test_javascript():
    """What the page computes with; one process for all of them."""
    lines = []
    for k, case in enumerate(WHERE):
        made = program(case, k)
        given = dict(zip(("q", "qd", "tau"), GIVEN[case], strict=False))
        arguments = ", ".join(json.dumps(given[name].tolist()) for name in made.inputs)
        lines.append(f"console.log(JSON.stringify(Array.from(Object.values(({javascript(made)})({arguments}))[0])));")
    done = subprocess.run(
        ["node", "-"], input="\n".join(lines), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    for case, line in zip(WHERE, done.stdout.splitlines(), strict=True):
        near(np.array(json.loads(line)), by_numbers(case, "forward_dynamics"), case)


@needs.gcc
def test_c(tmp_path):
    """One library with a function for each of them."""
    sources = []
    for k, case in enumerate(WHERE):
        for name, text in export_c(program(case, k), f"tied{k}", "float64").items():
            (tmp_path / name).write_text(text)
            if name.endswith(".c") and not name.endswith("_test.c"):
                sources.append(name)
    subprocess.run(
        ["gcc", "-O0", "-shared", "-fPIC", *sources, "-o", "tied.so", "-lm"], cwd=tmp_path, check=True, timeout=PATIENCE
    )
    library = ctypes.CDLL(str(tmp_path / "tied.so"))
    for k, case in enumerate(WHERE):
        made, work = np.full(ROBOTS[case].n, np.nan), np.empty(300_000)
        given = dict(zip(("q", "qd", "tau"), GIVEN[case], strict=False))
        arrays = [*(np.ascontiguousarray(given[name]) for name in program(case, k).inputs), made, work]
        assert getattr(library, f"tied{k}")(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)) == 0
        near(made, by_numbers(case, "forward_dynamics"), case)
