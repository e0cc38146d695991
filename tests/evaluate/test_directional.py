"""Rates along directions and sums against weights: one is the transpose of the other, for every quantity and any shape of the batch."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms, choose
from ordern.robot import Robot

BALL = Robot(robots.serial("S", 3))
QUANTITIES = sorted({a.quantity for a in all_algorithms() if a.refusal(BALL.model) is None})


def tuple_of(x):
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_transposes(quantity):
    """w . (J v) = (w^T J) . v, where both are rounded: 1e-12 of the terms' sum."""
    rng, inputs = np.random.default_rng(1), choose(quantity, None, BALL.model).inputs
    for batch in ((), (0,), (1, 2)):
        state = dict(zip(("q", "qd", "qdd", "tau"), robots.state(BALL.model, rng, batch), strict=True))
        given = [state[name] for name in inputs]
        moves = [rng.uniform(-1, 1, (*batch, BALL.n)) for _ in inputs]
        rates = tuple_of(BALL.jvp(quantity, given, moves))
        assert all(np.shape(x)[: len(batch)] == batch for x in rates)
        weights = [rng.uniform(-1, 1, np.shape(x)) for x in rates]
        sums = BALL.vjp(quantity, given, weights)
        one = sum(np.sum(w * x) for w, x in zip(weights, rates, strict=True))
        other = sum(np.sum(g * v) for g, v in zip(sums, moves, strict=True))
        terms = sum(np.sum(np.abs(w * x)) for w, x in zip(weights, rates, strict=True))
        assert abs(one - other) <= 1e-12 * (1 + terms)
