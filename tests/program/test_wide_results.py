"""Regressor, joint wrenches and operational mobility of long robots: loops that equal the algorithms themselves, as kernels of any kind."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import find
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.runtime.numbers import numbers

KINDS = ["floating", *["revolute", "universal", "prismatic"] * 15]
LONG = {
    "chain": lambda: ordern.load("chain60").model,
    "tree": lambda: robots.tree(KINDS, [0, *(max(0, i - 1 - (i % 4 == 0)) for i in range(1, len(KINDS)))], 2),
    "forest": lambda: robots.tree(["revolute", "spherical"] * 23, [0, 0, 0, *range(1, 44)], 3),
}
QUANTITIES = ["regressor", "joint_wrenches", "operational_mobility"]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_loops_equal_the_algorithm(name, quantity):
    model = LONG[name]()
    algorithm, x = (
        find(quantity)[0],
        dict(zip(("q", "qd", "qdd"), robots.state(model, np.random.default_rng(0), (3,)), strict=False)),
    )
    for link in (len(model.links) - 1, len(model.links) // 2) if algorithm.options else (None,):
        options = () if link is None else (link,)
        program = trace(algorithm, model, options)
        assert not program.straight
        right = numbers(algorithm, model, options)(*(x[k] for k in algorithm.inputs))
        tol = 1e4 * np.finfo(float).eps * np.abs(right).max()  # some hundred sums one after the other, in other groups
        np.testing.assert_allclose(interpret(program, x)["out0"], right, atol=tol, rtol=0)
        kernel = Robot(model).compile(quantity, **({} if link is None else {"link": model.links[link].name}))
        np.testing.assert_allclose(kernel(*(x[k] for k in algorithm.inputs)), right, atol=tol, rtol=0)


def test_programs_do_not_grow_with_the_robot():
    sizes = [
        len(trace(find(quantity)[0], ordern.load(f"chain{n}").model, (n - 1,) if "mob" in quantity else ()).nodes)
        for quantity in QUANTITIES
        for n in (50, 90)
    ]
    assert all(abs(a - b) < 50 for a, b in zip(sizes[::2], sizes[1::2], strict=True))


def test_torque_is_linear_in_the_parameters_of_a_hundred_bodies():
    robot = ordern.load("chain100")
    rng = np.random.default_rng(1)
    q, qd, qdd = robot.random(rng, (2,)), *rng.uniform(-1, 1, (2, 2, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd) - robot.model.per_velocity("armature", 0.0) * qdd
    made = robot.regressor(q, qd, qdd) @ robot.parameters()
    np.testing.assert_allclose(
        made, tau, rtol=0, atol=1e-11 * np.abs(tau).max()
    )  # a thousand terms a torque, far larger than their sum


def test_gradients_against_weights_of_long_robots():
    robot = ordern.load("chain45")
    rng = np.random.default_rng(2)
    q, qd = robot.random(rng, (2,)), rng.uniform(-1, 1, (2, robot.n))
    g, gd = robot.vjp("kinetic_energy", (q, qd), (np.ones(2),))
    np.testing.assert_allclose(
        gd, np.einsum("bij,bj->bi", robot.mass_matrix(q), qd), rtol=0, atol=1e-11 * np.abs(gd).max()
    )
    h = 1e-6
    e = h * np.eye(robot.n)[7]
    right = (robot.kinetic_energy(q + e, qd) - robot.kinetic_energy(q - e, qd)) / (2 * h)
    np.testing.assert_allclose(g[:, 7], right, rtol=1e-6, atol=1e-7 * np.abs(g).max())
