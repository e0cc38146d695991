"""Events that are conditions, True or False."""

from __future__ import annotations

import numpy as np
import pytest

import ordern


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize(
    ("start", "direction", "seen"), [(0.3, 0, 2), (0.3, 1, 1), (0.3, -1, 1), (-0.3, 0, 2), (-0.3, 1, 1)]
)
def test_events_that_are_conditions(interpreted, vectorized, start, direction, seen):
    """They happen where the condition changes, whichever way it is at the start: as those of the number that is compared."""
    swing = ordern.robots.pendulum()

    def event(function):
        made = lambda t, q, qd: function(q[..., 0])  # noqa: E731
        made.terminal, made.direction, made.vectorized = False, direction, vectorized
        return made

    options = {"duration": 1.9, "engine": "numpy", "output_dt": None}
    numbers = swing.simulate([start], events=event(lambda x: x - 0.1), **options).events
    found = swing.simulate([start], events=event(lambda x: x > 0.1), **options).events
    assert len(found) == len(numbers) == seen
    assert np.allclose([e.t for e in found], [e.t for e in numbers], atol=2e-10, rtol=0)  # both are found to 1e-10 s
