"""Gains below zero: laws take them, with a remark."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import ordern

C = ordern.control
ARM = ordern.robots.planar(2)
POSE = ARM.forward_kinematics([0.1, 0.2], ARM.link_names[-1])[:3, 3]
BELOW_ZERO = {
    "kp": [C.PD([0, 0], [1, -2], 1), C.PID([0, 0], [[1, 1], [1, -2]], 1, 1), C.ComputedTorque([0, 0], [1, -2], 1)],
    "ki": [C.PID([0, 0], 1, [1, -2], 1)],
    "kd": [C.PD([0, 0], 1, [1, -2]), C.PD([0, 0], 1, 1) + C.PD([0, 0], 1, [1, -2])],
    "damping": [C.GravityCompensation([1, -2]), C.OperationalSpace(ARM.link_names[-1], POSE, 1, 1, damping=[1, -2])],
    "stiffness": [C.OperationalSpace(ARM.link_names[-1], POSE, 1, 1, posture=[0, 0], stiffness=[1, -2])],
}  # fmt: skip


@pytest.mark.parametrize(("name", "law"), [(name, law) for name, laws in BELOW_ZERO.items() for law in laws])
def test_gains_below_zero_are_remarked_on(name, law):
    """They are taken as they are; the remark names the gain, the joint and the number."""
    with pytest.warns(
        UserWarning, match=rf"^{name} of joint 'joint2' is -2: a negative gain .*; remove the sign"
    ) as told:
        law.channels(ARM.model)
    assert len(told) == 1 and not issubclass(told[0].category, ordern.OrdernWarning)


@pytest.mark.parametrize("gains", [{"kp": -2, "kd": 1}, {"kp": 2, "kd": [1, -2]}])
def test_gains_of_a_task_below_zero(gains):
    name = "kp" if gains["kp"] == -2 else "kd"
    with pytest.warns(UserWarning, match=f"^{name} is -2: "):
        C.OperationalSpace(ARM.link_names[-1], POSE, **gains).channels(ARM.model)


def test_other_numbers_may_have_any_sign(interpreted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        C.Constant([-1, -2]).channels(ARM.model)
        C.StateFeedback(-np.ones((2, 4)), [0, 0], [-1, -1]).channels(ARM.model)
        C.PD([-1, -1], 0, 0).channels(ARM.model)
        with pytest.raises(ordern.InputError, match="parameters damping is -1"):
            ARM.simulate(duration=0.1, parameters={"damping": [-1, 0]}, engine="numpy")
