"""A NaN or an infinity among the inputs is told whether or not the result depends on that number: every quantity, on
robots that are written out and robots that run in loops, for one state, batches and columns, with and without machine code."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import ordern
import robots
from budget import TRUST
from ordern.runtime.call import Call

ROBOTS = {  # the first of each is written out, the others run in loops
    "six joints": lambda: ordern.Robot(robots.serial("PRRPRR", 4)),
    "sixty joints": lambda: ordern.Robot(robots.serial("PRRPRR" * 10, 4)),
    "floating": lambda: ordern.Robot(robots.tree(["floating", *["revolute"] * 3], [0, 1, 2, 1], 5)),
    "floating, 48 joints": lambda: ordern.Robot(robots.tree(["floating", *["revolute"] * 48], [0, *range(1, 49)], 5)),
    "two trees of balls and hinges": lambda: ordern.Robot(
        robots.tree(["spherical", "revolute"] * 22, [0, *range(1, 22), 0, *range(23, 44)], 6)
    ),
    "four-bars": lambda: ordern.load("fourbars3"),
    "seventy four-bars": lambda: ordern.load("fourbars70"),
}
INPUTS = {  # how many each takes
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "mass_matrix": 1,
    "mass_matrix_inverse": 1,
    "bias_forces": 2,
    "gravity_forces": 1,
    "kinetic_energy": 2,
    "potential_energy": 1,
    "center_of_mass": 1,
    "coriolis_matrix": 2,
    "log_det": 1,
}
LARGE = {  # seconds to compile for long robots
    "inverse_dynamics_derivatives": 3,
    "forward_dynamics_derivatives": 3,
    "momentum": 2,
    "log_det_gradient": 1,
    "joint_wrenches": 3,
    "regressor": 3,
}
TREES_ONLY = (
    "log_det",
    "log_det_gradient",
    "mass_matrix_inverse",
)  # the last is a matter of seconds a call for long ones
made = functools.cache(lambda name: ROBOTS[name]())


def spoiled(arrays, rng, batch):
    """Copies with one number that is none, in the first, the last and some other places of each input."""
    for which, array in enumerate(arrays):
        n = array.shape[-1]
        for k in sorted({*range(min(n, 7)), n - 1, int(rng.integers(n))}):
            bad = [a.copy() for a in arrays]
            bad[which][(int(rng.integers(batch)), k) if batch else k] = rng.choice([np.nan, np.inf, -np.inf])
            yield which, k, bad


def given(robot, count, batch):
    q = np.array(robot.model.home, float) if robot.loops else robot.random(np.random.default_rng(1))
    arrays = [q, *(np.zeros(robot.n) for _ in range(count - 1))]
    return [np.tile(a, (batch, 1)) for a in arrays] if batch else arrays


FEW = (
    "mass_matrix",
    "bias_forces",
    "kinetic_energy",
)  # of robots that take seconds to compile, all with ORDERN_TRUST=1
SLOW = ("two trees of balls and hinges", "seventy four-bars")
CASES = [
    (name, quantity)
    for name in ROBOTS
    for quantity in (INPUTS | LARGE if TRUST or name in ("six joints", "floating") else FEW if name in SLOW else INPUTS)
    if not ("four-bars" in name and quantity in TREES_ONLY)
]


@pytest.mark.parametrize(("name", "quantity"), CASES)
def test_machine_code(name, quantity):
    robot, count, rng = made(name), (INPUTS | LARGE)[quantity], np.random.default_rng(2)
    call = getattr(robot, quantity)
    for batch in (0, 9):  # one state runs a program of its own; nine are two blocks and a rest
        arrays = given(robot, count, batch)
        call(*arrays)
        for which, k, bad in spoiled(arrays, rng, batch):
            with pytest.raises(ordern.InputError, match="must be finite"):
                call(*bad)
                raise AssertionError(f"{['q', 'qd', 'third'][which]}[{k}] of {batch} states passed")


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("way", ["numbers", "interpreted", "lanes", "float32"])
def test_other_ways(name, way, monkeypatch):
    robot, rng = made(name), np.random.default_rng(3)
    call = robot.mass_matrix
    if way == "numbers":
        monkeypatch.setattr(Call, "_run", lambda self, rows, outs, count, dtype: self._by_numbers(rows, outs))
        call = ordern.Robot(robot.model.changed(name="again")).mass_matrix
    elif way == "interpreted":
        monkeypatch.setattr("ordern.runtime.kernels.executable", lambda: False)
        monkeypatch.setattr("ordern.runtime.kernels._say_once", lambda: None)
        call = ordern.Robot(robot.model.changed(name="once more")).mass_matrix
    elif way == "lanes":
        kernel = robot.compile("mass_matrix", layout="lanes")
        call = lambda q: kernel(np.ascontiguousarray(q.T))  # noqa: E731
    batch = 0 if way == "numbers" else 9
    arrays = given(robot, 1, batch)
    if way == "float32":
        arrays = [a.astype("float32") for a in arrays]
    call(*arrays)
    for _, k, bad in spoiled(arrays, rng, batch):
        with pytest.raises(ordern.InputError, match="finite"):
            call(*bad)
            raise AssertionError(f"q[{k}] passed")


@pytest.mark.parametrize("name", ["six joints", "floating", "four-bars"])
def test_several_quantities_derivatives_and_other_numbers(name):
    robot, rng = made(name), np.random.default_rng(4)
    ways = {
        "several": robot.compile(["mass_matrix", "gravity_forces"]),
        **{
            kind: functools.partial(robot.evaluate, "mass_matrix", scalars=kind)
            for kind in ("mpmath", "interval", "fraction")
        },
    }
    if not robot.loops:
        ways["derivatives"] = robot.compile("kinetic_energy", derivatives=1)
    for way, call in ways.items():
        arrays = given(robot, 2 if way == "derivatives" else 1, 0)
        if way != "fraction":  # seconds, for as many digits as random numbers have
            call(*arrays)
        for which, k, bad in spoiled(arrays, rng, 0):
            with pytest.raises(ordern.InputError, match=r"finite|no real number"):
                call(*bad)
                raise AssertionError(f"{way}: {which}[{k}] passed")
