"""Rates along directions and sums against weights: one is the transpose of the other, for every quantity and any shape of the batch."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms, choose
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
