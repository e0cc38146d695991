"""Rates along directions and sums against weights: one is the transpose of the other, for every quantity and any shape of the batch."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import all_algorithms, choose
from ordern.evaluate import directional, manifold
from ordern.evaluate.differentiable import Smooth
from ordern.joints import JOINTS
from ordern.robot import Robot

ROBOTS = {"ball": Robot(robots.serial("S", 3)), "no joints": Robot(robots.serial(""))}
CASES = sorted(
    (name, a.quantity)
    for name, robot in ROBOTS.items()
    for a in all_algorithms()
    if a.refusal(robot.model) is None and (name == "ball" or a.outputs in (("scalar",), ("dofs",), ("symmetric",)))
)


def tuple_of(x):
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.parametrize(("name", "quantity"), dict.fromkeys(CASES))
def test_transposes(name, quantity):
    """w . (J v) = (w^T J) . v, where both are rounded: 1e-12 of the terms' sum."""
    robot = ROBOTS[name]
    rng, inputs = np.random.default_rng(1), choose(quantity, None, robot.model).inputs
    for batch in ((), (0,), (1, 2)):
        made = robots.state(robot.model, rng, batch) if robot.n else [np.zeros((*batch, 0))] * 4
        state = dict(zip(("q", "qd", "qdd", "tau"), made, strict=True))
        given = [state[name] for name in inputs]
        moves = [rng.uniform(-1, 1, (*batch, robot.n)) for _ in inputs]
        rates = tuple_of(robot.jvp(quantity, given, moves))
        assert all(np.shape(x)[: len(batch)] == batch for x in rates)
        weights = [rng.uniform(-1, 1, np.shape(x)) for x in rates]
        sums = robot.vjp(quantity, given, weights)
        one = sum(np.sum(w * x) for w, x in zip(weights, rates, strict=True))
        other = sum(np.sum(g * v) for g, v in zip(sums, moves, strict=True))
        terms = sum(np.sum(np.abs(w * x)) for w, x in zip(weights, rates, strict=True))
        assert abs(one - other) <= 1e-12 * (1 + terms)


@pytest.mark.parametrize("at_once", [1, 30, directional._AT_ONCE])
def test_sums_without_adjoints(monkeypatch, at_once):
    """Programs with loops have no adjoint; their sums are made of columns, however many states go at a time. Rounded alike: 1e-12 of the terms."""
    robot, quantity = ROBOTS["ball"], "inverse_dynamics"
    rng = np.random.default_rng(2)
    given = list(robots.state(robot.model, rng, (7,)))[:3]
    weights = [rng.uniform(-1, 1, (7, robot.n))]
    wanted = robot.vjp(quantity, given, weights)
    monkeypatch.setattr(Smooth, "adjoins", False)
    monkeypatch.setattr(directional, "_AT_ONCE", at_once)
    runs = []
    monkeypatch.setattr(Smooth, "run", lambda self, rows, run=Smooth.run: runs.append(len(rows[0])) or run(self, rows))
    found = Robot(robot.model).vjp(quantity, given, weights)  # the other one knows that its program adjoins
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-12 * (1 + np.abs(y).max()))
    assert max(runs) <= max(1, at_once // (5 * robot.n))  # numbers of q, qd, qdd, the direction and the torques
    assert len(runs) > 1


@pytest.mark.parametrize("kind", ["loops", "floating"])
@pytest.mark.parametrize("count", [10, 300])
def test_rates_of_long_robots_take_no_matrix(monkeypatch, kind, count):
    """What a direction of q is in coordinates is found joint by joint: no program writes n x n numbers. Sums of n terms: 1e-12 of the largest."""
    if kind == "loops":
        robot, quantity = ordern.robots.fourbars(count), "constraint_residual"
        slopes = robot.constraint_jacobian
    else:
        robot, quantity = (
            Robot(robots.tree(["floating"] + ["spherical"] * 2 + ["revolute"] * count, range(count + 3), 3)),
            "potential_energy",
        )
        slopes = robot.gravity_forces
    sizes = []
    monkeypatch.setattr(
        Smooth, "run", lambda self, rows, run=Smooth.run: sizes.append(sum(self.sizes)) or run(self, rows)
    )
    rng = np.random.default_rng(1)
    q = robot.integrate(robot.neutral(), rng.uniform(-0.1, 0.1, (2, robot.n)))
    v = rng.uniform(-1, 1, (2, robot.n))
    made = robot.jvp(quantity, [q], [v]).reshape(2, -1)
    matrix = slopes(q).reshape(2, -1, robot.n)
    wanted = np.einsum("bmn,bn->bm", matrix, v)
    np.testing.assert_allclose(made, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    assert max(sizes) <= 3 * robot.n
    back = robot.vjp(quantity, [q], [np.ones(robot.jvp(quantity, [q], [v]).shape)])[0]
    wanted = matrix.sum(axis=1)
    np.testing.assert_allclose(back, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("seed", range(4))
def test_velocities_and_rates_of_coordinates(seed):
    """Velocities come back from their coordinates' rates, for every joint and quaternions of any length; w . (R v) = (R^T w) . v.
    Some ten roundings of numbers up to 10.
    """
    rng = np.random.default_rng(seed)
    kinds = [*rng.permutation(sorted(JOINTS)), "revolute"][: len(JOINTS) + 1 - seed]
    model = robots.tree(kinds, range(len(kinds)), seed)
    q = robots.state(model, rng, (2, 3))[0] * rng.uniform(0.5, 2.0)
    v, w = rng.uniform(-1, 1, (2, 3, model.nv)), rng.uniform(-1, 1, (2, 3, model.nq))
    rates = manifold.coordinate_rates(model, q, v)
    assert rates.shape == w.shape
    np.testing.assert_allclose(manifold.joint_velocities(model, q, rates), v, rtol=0, atol=1e-12)
    one, other = (rates * w).sum(-1), (manifold.velocity_weights(model, q, w) * v).sum(-1)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)
