"""Configurations that ``assemble`` finds: closed, and no others near them are nearer to where the search began."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import spread

NAMES = ("fourbar", "slider_crank", "fivebar", "threerrr", "delta", "stewart", "andrews", "bricard")
HELD = {"fivebar": ["right_crank"], "threerrr": ["upper1"], "delta": ["arm1"], "stewart": ["leg2", "leg5"]}


def starts(robot, count):
    rng = np.random.default_rng(3)
    return robot.integrate(np.array(robot.model.home), 0.1 * rng.normal(size=(count, robot.n)))


@pytest.mark.parametrize("name", NAMES)
def test_a_search_that_is_stuck_begins_elsewhere(name, by_numbers):
    """At zero the links of some stand in one line, where no small step closes; random starts meet other such places."""
    robot = ordern.load(name)
    zero = np.concatenate([robot.model.bodies[i].joint.neutral for i in robot.model.free])
    begin = np.vstack([zero, robot.random(5, (1 if name in ("stewart", "delta", "bricard") else 4,))])
    found = robot.assemble(begin)
    assert found.success.all() and np.abs(robot.constraint_residual(found.q)).max() < 1e-13
    for q, start in zip(found.q, begin, strict=True):
        assert np.abs(robot.difference(robot.assemble(start).q, q)).max() < 1e-9  # by itself as in a batch
    assert robot.assemble(robot.neutral()).success and np.abs(robot.constraint_residual(robot.neutral())).max() < 1e-9


@pytest.mark.parametrize(("name", "held"), spread(NAMES, [False, True]))
def test_the_nearest_is_found(name, held, by_numbers):
    """The way back to the start is normal to all that the loops, and the joints that are held, leave free."""
    robot = ordern.load(name)
    hold = HELD.get(name, []) if held else []
    begin = starts(robot, 3)
    found = robot.assemble(begin, hold=hold)
    assert found.success.all() and np.abs(robot.constraint_residual(found.q)).max() < 1e-13
    still = robot._marked(hold) > 0
    for q, start in zip(found.q, begin, strict=True):
        back = robot.difference(q, start)
        assert not back[still].any()
        A = np.vstack([robot.constraint_jacobian(q), np.eye(robot.n)[still]])
        size, V = np.linalg.svd(A)[1:]
        free = V[int(np.sum(size > 1e-9 * size[0])) :]
        assert np.abs(free @ back).max(initial=0.0) < 1e-6 * np.abs(back).max()  # steps of 1e-13 end the search
        alone = robot.assemble(start, hold=hold)
        assert alone.success and np.abs(robot.difference(alone.q, q)).max() < 1e-9  # in a batch as by itself
