"""CasADi functions of long chains repeat one turn: same values and derivatives, of a size that does not grow."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import find
from ordern.runtime.numbers import numbers

casadi = pytest.importorskip("casadi")
EPS = np.finfo(float).eps
CHAINS = {
    "chain": lambda: ordern.robots.chain(50).model,
    "planar": lambda: ordern.robots.planar(45, mass="tips").model,
    "slides": lambda: robots.serial("RP" + "P" * 45, 2),
    "floating": lambda: robots.serial("F" + "R" * 45, 2),
    "two kinds": lambda: robots.serial("RP" * 23, 2),  # loops with cases are written out
}


@cache
def made(name):
    """A robot, a state of it, and the condition of its mass matrix there."""
    model = CHAINS[name]()
    state = robots.state(model, np.random.default_rng(0))
    return ordern.Robot(model), state, np.linalg.cond(numbers(find("mass_matrix", "composite")[0], model)(state[0]))


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize(
    "quantity",
    ["log_det", "log_det_gradient", "inverse_dynamics", "forward_dynamics", "kinetic_energy", "center_of_mass"],
)
def test_values_are_those_of_kernels(name, quantity):
    robot, state, cond = made(name)
    function = robot.casadi(quantity)
    given = [*state, np.random.default_rng(1).standard_normal(robot.n)][: function.n_in()]
    want = np.ravel(getattr(robot, quantity)(*given))
    got = np.array(function(*given)).ravel()
    # forward dynamics and the gradient solve with M; sums over n bodies for the rest
    np.testing.assert_allclose(got, want, rtol=0, atol=8 * EPS * max(cond, 50) * max(1, np.abs(want).max()))


def test_derivatives_go_through_the_turns():
    robot = ordern.robots.chain(50)
    q = np.random.default_rng(0).uniform(-1, 1, 50)
    x = casadi.MX.sym("q", 50)
    slope = casadi.Function("slope", [x], [casadi.gradient(robot.casadi("log_det")(x), x)])
    np.testing.assert_allclose(np.array(slope(q)).ravel(), robot.log_det_gradient(q), rtol=0, atol=1e-11)  # 1e3 eps 50


@pytest.mark.parametrize("quantity", ["log_det", "log_det_gradient", "inverse_dynamics", "kinetic_energy"])
def test_functions_do_not_grow(quantity):
    """Neither those with a result for each joint nor sums over all bodies."""
    sizes = [ordern.robots.chain(n).casadi(quantity).n_instructions() for n in (60, 600)]
    assert sizes[0] == sizes[1] < 1000


@pytest.mark.parametrize("quantity", ["regressor", "joint_wrenches", "inverse_dynamics_derivatives"])
def test_walks_within_walks_are_written_out(quantity):
    """Along the path from each body to the base; or matrices are filled."""
    robot = ordern.robots.chain(45)
    state = np.random.default_rng(3).uniform(-1, 1, (3, robot.n))
    got, want = robot.casadi(quantity)(*state), getattr(robot, quantity)(*state)
    pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
    for g, w in pairs:
        w = np.asarray(w)
        g = np.array(g)
        same = g if g.shape == w.shape else g.reshape(w.shape, order="F" if g.shape[0] == w.shape[-1] else "C")
        np.testing.assert_allclose(same, w, rtol=0, atol=1e3 * EPS * np.abs(w).max())  # sums over 45 bodies
