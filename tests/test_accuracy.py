"""Against a 50-digit evaluation of the same algorithm text: how many digits double precision loses."""

from __future__ import annotations

import numpy as np
import pytest

import ordern

EPS = np.finfo(float).eps


def exact(robot, quantity, *arguments):
    return np.array(robot.evaluate(quantity, *arguments, scalars="mpmath", precision=50), dtype=float)


ROBOTS = ["ur5", "panda", "stanford", "chain12", "chain60"]


@pytest.fixture(params=ROBOTS)
def robot(request):
    return ordern.load(request.param)


def state(robot, seed):
    rng = np.random.default_rng(seed)
    return robot.random(rng), *rng.uniform(-1, 1, (2, robot.n))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*ROBOTS, "chain180"])
def test_inverse_dynamics_to_two_eps_times_the_root_of_n(name, seed):
    """Every link adds roundings of its own, of either sign and about an eps of the largest torque each, so that their sum grows as sqrt(n).

    The worst of 24 states was 1.2 to 1.8 sqrt(n) eps for chains of 12, 24, 40, 60, 90, 120 and 180 links, and less for shorter ones; 2 are allowed.
    """
    robot = ordern.load(name)
    q, qd, qdd = state(robot, seed)
    expected = exact(robot, "inverse_dynamics", q, qd, qdd)
    assert (
        np.abs(robot.inverse_dynamics(q, qd, qdd) - expected).max()
        <= 2 * np.sqrt(robot.n) * EPS * np.abs(expected).max()
    )


@pytest.mark.parametrize("seed", range(3))
def test_forward_dynamics_and_inverse_to_eps_times_condition(robot, seed):
    q, qd, tau = state(robot, seed)
    condition = np.linalg.cond(robot.mass_matrix(q))
    expected = exact(robot, "forward_dynamics", q, qd, tau)
    assert (
        np.abs(robot.forward_dynamics(q, qd, tau) - expected).max()
        <= max(1 * condition, 8) * EPS * np.abs(expected).max()
    )
    if robot.n <= 12:
        expected = exact(robot, "mass_matrix_inverse", q)
        assert (
            np.abs(robot.mass_matrix_inverse(q) - expected).max()
            <= max(1 * condition, 8) * EPS * np.abs(expected).max()
        )
