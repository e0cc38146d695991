"""Rates along directions and sums against weights: one is the transpose of the other, for every quantity and any shape of the batch."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms, choose
from ordern.evaluate import directional
from ordern.evaluate.differentiable import Smooth
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
    found = robot.vjp(quantity, given, weights)
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-12 * (1 + np.abs(y).max()))
    assert max(runs) <= max(7, robot.nq, at_once // robot.n)
