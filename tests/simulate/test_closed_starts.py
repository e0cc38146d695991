"""Initial states of several runs with loops: each is judged by itself."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.simulate.closed_sides import closed_start

ROBOT = ordern.load("fivebar")
HOME = np.array(ROBOT.model.home)


@pytest.mark.parametrize("fast", [0.0, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("slow", [1e-3, 1.0])
def test_a_fast_run_does_not_excuse_a_slow_one(fast, slow, by_numbers):
    """Velocities that open a loop are refused whatever other runs do, with those that keep it closed."""
    good = ROBOT.closed_velocity(HOME, np.array([1.0, 0.2, 0.3, 0.4]))
    bad = slow * np.array([1.0, 0.0, 0.0, 0.0])
    q, v = np.stack([HOME, HOME]), np.stack([fast * good, bad])
    with pytest.raises(ordern.InputError, match="qd0 of run 1 opens loop 'tip'") as error:
        closed_start(ROBOT, q, v)
    offered = np.array([float(x) for x in str(error.value).rpartition("[")[2].rstrip("]").split(", ")])
    v[1] = offered
    made = closed_start(ROBOT, q, v)[1]
    np.testing.assert_allclose(made, v, rtol=1e-8, atol=1e-8 * slow)  # nine digits are offered
