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
            found = parts(lanes(*given))
            out = [np.full_like(a, np.nan) for a in found]
            into = parts(lanes(*given, out=out[0] if len(out) == 1 else out))
            assert all(a is b for a, b in zip(into, out, strict=True))
            for made, filled, right in zip(found, out, parts(usual(*arrays)), strict=True):
                assert made.shape == (*right.shape[1:], count)
                assert np.array_equal(np.moveaxis(made, -1, 0), right)
                assert np.array_equal(made, filled)


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
    with pytest.raises(ordern.ShapeError, match="takes 3 arrays"):
        lanes(q, qd, qdd, out)
    q[1, 2] = np.inf
    for more in ({}, {"out": out}):
        with pytest.raises(ordern.InputError, match="q is inf for joint 'shoulder_lift_joint' in state 2"):
            lanes(q, qd, qdd, **more)
    with pytest.raises(ordern.InputError, match="layout"):
        robot.compile("mass_matrix", layout="rows")
    with pytest.raises(ordern.InputError, match="one quantity"):
        robot.compile(["mass_matrix", "gravity_forces"], layout="lanes")


@pytest.mark.parametrize("states", [8, 16, 131])  # fewer states than joints, and more
def test_an_array_for_results_that_does_not_serve_is_refused_each_time(states):
    robot = ordern.robots.planar(20)
    lanes = robot.compile("mass_matrix", layout="lanes")
    room = np.zeros(20 * states + 400 * states)
    q = room[: 20 * states].reshape(20, states)
    right = lanes(q)
    bad = {
        "inside": room[20 * states - 1 : -1],  # its first number is the last one of q
        "turned": np.empty((states, 20, 20)),
        "narrow": np.empty((20, 20, states - 1)),
        "single": np.empty((20, 20, states), np.float32),
        "frozen": np.empty((20, 20, states)),
    }
    bad["inside"] = bad["inside"].reshape(20, 20, states)
    bad["frozen"].flags.writeable = False
    for _ in range(3):  # the second time plain arrays go straight to machine code
        for out in bad.values():
            with pytest.raises(ordern.ShapeError, match="out must"):
                lanes(q, out=out)
        beside = room[20 * states :].reshape(20, 20, states)
        assert lanes(q, out=beside) is beside
        assert np.array_equal(beside, right)
