"""Inverse kinematics: what it finds is within limits and where it should be; what it cannot find it says."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.robot import Robot
from robots import GRID


@pytest.mark.parametrize("name", ["puma560", "panda", "ur5"])
def test_random_poses_are_reached_within_the_limits(name):
    robot = ordern.load(name)
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(robot.random(7, 30), link)
    made = robot.inverse_kinematics(poses, link)
    assert made.success.all() and made.residual.max() <= 1e-10 and made.iterations.shape == (30,)
    np.testing.assert_allclose(robot.forward_kinematics(made.q, link), poses, atol=1e-9)
    assert np.all(made.q >= robot.limits.lower) and np.all(made.q <= robot.limits.upper)
    again = robot.inverse_kinematics(poses, link)
    np.testing.assert_array_equal(again.q, made.q)


def test_floating_robots_and_positions():
    robot = Robot(GRID["floating"]())
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(robot.random(1, 4), link)
    made = robot.inverse_kinematics(poses, link)
    assert made.success.all()
    np.testing.assert_allclose(np.linalg.norm(made.q[:, 3:7], axis=1), 1, atol=1e-12)
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
