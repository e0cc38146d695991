"""Inverse kinematics: what it finds is within limits and where it should be; what it cannot find it says."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.robot import Robot
from ordern.simulate.inverse_kinematics import _Solver
from robots import GRID

pytestmark = pytest.mark.usefixtures("machine_code")  # the same solution to the last bit


@pytest.mark.parametrize("name", ["puma560", "panda", "ur5"])
def test_random_poses_are_reached_within_the_limits(name):
    robot = ordern.load(name)
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(robot.random(7, 30), link)
    made = robot.inverse_kinematics(poses, link)
    assert made.success.all() and made.residual.max() <= 1e-10 and made.iterations.shape == (30,)
    np.testing.assert_allclose(robot.forward_kinematics(made.q, link), poses, rtol=0, atol=1e-9)
    assert np.all(made.q >= robot.limits.lower) and np.all(made.q <= robot.limits.upper)
    again = robot.inverse_kinematics(poses, link)
    np.testing.assert_array_equal(again.q, made.q)


def test_floating_robots_and_positions():
    robot = Robot(GRID["floating"]())
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(robot.random(1, 4), link)
    made = robot.inverse_kinematics(poses, link)
    assert made.success.all()
    np.testing.assert_allclose(np.linalg.norm(made.q[:, 3:7], axis=1), 1, rtol=0, atol=1e-12)
    made = ordern.robots.planar3().inverse_kinematics((0.3, 0.4, 0.0), "link3")
    assert made.success and made.q.shape == (3,) and isinstance(made.residual, float)


def test_half_a_turn_away():
    robot = ordern.robots.panda()
    link = robot.link_names[-1]
    q = np.array([0.3, 0.2, 0.1, -1.5, 0.2, 1.8, 0.4, *robot.neutral()[7:]])
    far = q.copy()
    far[6] -= 2.9
    made = robot.inverse_kinematics(robot.forward_kinematics(q, link), link, q0=far)
    assert made.success


def test_what_cannot_be_reached_is_said():
    robot = ordern.robots.puma560()
    made = robot.inverse_kinematics((5.0, 0.0, 0.0), robot.link_names[-1], restarts=2)
    assert not made.success and "stays" in made.message and made.residual > 3
    assert np.all(made.q >= robot.limits.lower) and np.all(made.q <= robot.limits.upper)


@pytest.mark.parametrize(
    ("pose", "error"),
    [
        (np.eye(5), ordern.ShapeError),
        (2 * np.eye(4), ordern.InputError),
        ((np.nan, 0, 0), ordern.InputError),
        ("x", ordern.InputError),
    ],
)
def test_nonsense_is_refused(pose, error):
    robot = ordern.robots.puma560()
    with pytest.raises(error):
        robot.inverse_kinematics(pose, robot.link_names[-1])


def solver(robot, rows=1, limits=True):
    return _Solver(robot, robot.link_names[-1], np.tile(np.eye(4), (rows, 1, 1)), True, 1e-10, limits)


@pytest.mark.parametrize("size", [0.1, 10.0])
def test_steps_are_damped_least_squares_of_a_radian_at_most(size):
    """J^T (J J^T + d s 1)^-1 e with s the mean of the diagonal, each row with its own damping."""
    robot, rng = ordern.robots.puma560(), np.random.default_rng(1)
    q, J, e = (
        np.tile([0.1, 0.8, -2.0, 0.2, 0.5, 0.3], (4, 1)),
        rng.normal(size=(4, 6, 6)),
        size * rng.normal(size=(4, 6)),
    )
    damping = np.array([1e-3, 0.1, 1.0, 10.0])
    made = solver(robot, limits=False)._step(J, e, q, damping)
    for k in range(4):
        A = J[k] @ J[k].T
        wanted = J[k].T @ np.linalg.solve(A + damping[k] * np.trace(A) / 6 * np.eye(6), e[k])
        wanted /= max(1.0, np.abs(wanted).max())
        np.testing.assert_allclose(made[k], wanted, rtol=1e-10, atol=1e-12)


def test_joints_at_a_limit_do_not_go_beyond():
    """They stay, and the others do the rest; a joint that leaves its limit goes."""
    robot, rng = ordern.robots.puma560(), np.random.default_rng(2)
    solve, (lower, upper) = solver(robot), (robot.limits.lower, robot.limits.upper)
    for at in (lower, upper):
        for _ in range(8):
            q, J, e = at[None].copy(), rng.normal(size=(1, 6, 6)), rng.normal(size=(1, 6))
            q[0, 3:] = 0.5 * (lower + upper)[3:]
            step = solve._step(J, e, q, np.array([1e-3]))[0]
            outward = step[:3] > 0 if at is upper else step[:3] < 0
            assert not outward.any() or np.abs(step[:3][outward]).max() == 0.0
            assert np.abs(step).max() > 0 and np.abs(step).max() <= 1.0


def test_a_row_that_gets_nowhere_is_given_up_after_ten_turns():
    """Counted in tens: looked at before the tenth, the twentieth, ... step."""
    robot = ordern.robots.puma560()
    far = np.eye(4)
    far[:3, 3] = [30.0, 20.0, 10.0]
    made = robot.inverse_kinematics(far, robot.link_names[-1], restarts=0, iterations=100)
    assert not made.success and made.iterations % 10 == 9 and made.iterations < 60
    assert robot.inverse_kinematics(far, robot.link_names[-1], restarts=0, iterations=5).iterations == 5


def test_iterations_of_all_restarts_count():
    robot = ordern.robots.puma560()
    far = np.eye(4)
    far[:3, 3] = [30.0, 20.0, 10.0]
    counts = [
        robot.inverse_kinematics(far, robot.link_names[-1], restarts=k, iterations=7).iterations for k in (0, 1, 2)
    ]
    assert counts == [7, 14, 21]
    here = robot.forward_kinematics([0.1, 0.8, -2.0, 0.2, 0.5, 0.3], robot.link_names[-1])
    assert robot.inverse_kinematics(here, robot.link_names[-1], [0.1, 0.8, -2.0, 0.2, 0.5, 0.3]).iterations == 0
