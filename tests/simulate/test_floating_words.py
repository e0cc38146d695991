"""What is said of robots with a floating base: numbers of the base that are missing, gains that would drive it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import ordern

FREE = ordern.load("ur5", base="floating")
CLOSED = ordern.load("fourbar")


@pytest.mark.parametrize(
    ("law", "robot", "idle"),
    [
        (ordern.control.PD, FREE, "root_joint"),
        (ordern.control.PD, CLOSED, "rocker"),
        (ordern.control.ComputedTorque, FREE, "root_joint"),
    ],
)
def test_one_gain_for_all_joints_drives_the_base_too_and_says_so(law, robot, idle):
    gains = np.where(robot.model.driven, 5.0, 0.0)
    q0 = robot.assemble().q if robot.loops else robot.neutral()
    with pytest.warns(UserWarning, match=f"kp=5 acts on '{idle}.* too, which has no drive") as told:
        robot.simulate(q0, duration=0.01, torque=law(q0, 5.0, gains))
    assert told[0].filename == __file__
    assert told[0].category is UserWarning  # it may be meant: no error where OrdernWarnings are errors
    drives = [b.name for b in robot.model.bodies[1:]]
    named = ordern.Robot(robot.model.changed(actuated=tuple(drives)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kp in (gains, 0.0):
            robot.simulate(q0, duration=0.01, torque=law(q0, kp, gains))
        named.simulate(q0, duration=0.01, torque=law(q0, 5.0, 1.0))


def test_numbers_of_the_base_that_are_missing_are_named():
    whole, bare = FREE.neutral(), np.zeros(6)
    for make in (
        lambda: FREE.simulate(bare, duration=0.01),
        lambda: FREE.simulate(whole, duration=0.01, torque=ordern.control.PD(bare, 0.0, 0.0)),
    ):
        with pytest.raises(ordern.ShapeError, match="the floating base comes first, with 7 numbers"):
            make()
    with pytest.raises(ordern.ShapeError, match=r"the floating base comes first, with 6 numbers \(\[omega; v\]\)"):
        FREE.simulate(whole, bare, duration=0.01)
    with pytest.raises(ordern.ShapeError) as other:
        FREE.simulate(np.zeros(5), duration=0.01)
    assert "floating base" not in str(other.value)


def test_six_numbers_of_a_pose_lead_to_its_matrix():
    with pytest.raises(ordern.ShapeError, match=r"Placement\.from_rpy"):
        ordern.load("ur5").inverse_kinematics(np.zeros(6), "tool0")
