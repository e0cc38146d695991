"""Arrays with a number of all states side by side: the lanes layout, and batches in Fortran's order, which are not copied."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.robot import Robot

ROBOTS = {
    "arm": lambda: ordern.load("ur5"),
    "mixed": lambda: Robot(robots.serial("FUR")),
    "long": lambda: ordern.load("chain42"),
}
QUANTITIES = [
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "kinetic_energy",
    "inverse_dynamics_derivatives",
    "jacobian",
]


def arrays_for(robot, inputs, count, dtype=float):
    rng = np.random.default_rng(0)
    made = {"q": robot.random(rng, count)} | {
        name: rng.uniform(-1, 1, (count, robot.n)) for name in ("qd", "qdd", "tau")
    }
    return [made[name].astype(dtype) for name in inputs]


def parts(x):
    return list(x.values()) if isinstance(x, dict) else list(x) if isinstance(x, tuple) else [x]


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("name", list(ROBOTS))
def test_the_same_bits_in_any_layout(name, quantity):
    robot = ROBOTS[name]()
    lanes, usual = robot.compile(quantity, layout="lanes"), robot.compile(quantity)
    for count in (1, 3, 5, 64, 131):  # fewer states than lanes, and last blocks of any length
        arrays = arrays_for(robot, lanes.inputs, count)
        whole = [np.ascontiguousarray(a.T) for a in arrays]  # the second time these go straight to machine code
        for given in ([a.T for a in arrays], whole, whole):
            for made, right in zip(parts(lanes(*given)), parts(usual(*arrays)), strict=True):
                assert made.shape == (*right.shape[1:], count)
                assert np.array_equal(np.moveaxis(made, -1, 0), right)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_batches_in_fortrans_order(dtype, monkeypatch):
    robot = ordern.load("ur5")
    arrays = arrays_for(robot, ("q", "qd", "qdd"), 50, dtype)
    for quantity, given in (
        ("inverse_dynamics", arrays),
        ("inverse_dynamics_derivatives", arrays),
        ("mass_matrix", arrays[:1]),
    ):
        right = getattr(robot, quantity)(*given)
        turned = [np.asfortranarray(a) for a in given]
        with monkeypatch.context() as patched:
            patched.setattr(np, "ascontiguousarray", None)  # nothing is copied on the way
            made = getattr(ordern.Robot(robot.model), quantity)(*turned)
        for a, b in zip(parts(made), parts(right), strict=True):
            assert a.dtype == dtype
            assert np.array_equal(a, b)


def test_mixtures_and_bad_numbers_go_the_usual_way():
    robot = ordern.load("ur5")
    q, qd, qdd = arrays_for(robot, ("q", "qd", "qdd"), 9)
    right = robot.inverse_dynamics(q, qd, qdd)
    assert np.array_equal(robot.inverse_dynamics(np.asfortranarray(q), qd, qdd), right)
    bad = np.asfortranarray(q)
    bad[3, 2] = np.nan
    with pytest.raises(ordern.InputError, match="row 3"):
        robot.inverse_dynamics(bad, np.asfortranarray(qd), np.asfortranarray(qdd))


def test_errors_and_out():
    robot = ordern.load("ur5")
    lanes = robot.compile("inverse_dynamics", layout="lanes")
    q, qd, qdd = (a.T.copy() for a in arrays_for(robot, lanes.inputs, 10))
    out = np.empty((6, 10))
    assert lanes(q, qd, qdd, out=out) is out
    assert np.array_equal(out, lanes(q, qd, qdd))
    with pytest.raises(ordern.ShapeError, match="qd must be"):
        lanes(q, qd[:, :4], qdd)
    with pytest.raises(ordern.ShapeError, match="overlap"):
        lanes(q, qd, qdd, out=q)
    with pytest.raises(ordern.ShapeError, match="out must be"):
        lanes(q, qd, qdd, out=np.empty((6, 9)))
    q[1, 2] = np.inf
    with pytest.raises(ordern.InputError, match=r"q\[1, 2\] is inf"):
        lanes(q, qd, qdd)
    with pytest.raises(ordern.InputError, match="layout"):
        robot.compile("mass_matrix", layout="rows")
    with pytest.raises(ordern.InputError, match="one quantity"):
        robot.compile(["mass_matrix", "gravity_forces"], layout="lanes")
