"""Arguments of a wrong kind are refused where they are given: every law when it is made, every number of simulate."""

from __future__ import annotations

import inspect
from itertools import product

import numpy as np
import pandas as pd
import pytest

import ordern

ARM = ordern.load("planar3")
WAY = ordern.trajectory.cycloid([0.0] * 3, [0.1, 0.2, 0.3], 0.01)
BY_NAME = dict.fromkeys(ARM.joint_names, 0.5)
ODD = ("x", b"1", "1", ["1", "2", "3"], None, object(), print, 1j, [1.0, [2.0]], {1, 2})
LAWS = {
    "Constant": {"tau": 1.0}, "Series": {"times": [0.0, 1.0], "values": np.zeros((2, 3))}, "PD": {"target": 0.1, "kp": 1.0, "kd": 1.0},
    "ComputedTorque": {"target": 0.1, "kp": 1.0, "kd": 1.0}, "PID": {"target": 0.1, "kp": 1.0, "ki": 1.0, "kd": 1.0},
    "GravityCompensation": {"damping": 0.1}, "StateFeedback": {"K": np.zeros((3, 6)), "x0": np.zeros(3), "tau0": 0.0},
    "OperationalSpace": {"link": "link3", "target": [1.0, 1.0, 0.0], "kp": 1.0, "kd": 1.0, "damping": 0.1, "posture": [0.1] * 3, "stiffness": 1.0},
}  # fmt: skip
SPARE = {("OperationalSpace", "posture"), ("OperationalSpace", "stiffness")}  # None for none


@pytest.mark.parametrize("law", LAWS)
def test_a_law_refuses_what_is_no_number_when_it_is_made(law):
    make, good = getattr(ordern.control, law), LAWS[law]
    make(**good)
    for name, value in product([key for key in good if key != "link"], ODD):
        if value is None and (law, name) in SPARE:
            make(**good | {name: None})
            continue
        with pytest.raises((ordern.InputError, ordern.ShapeError), match=rf"^{name} "):
            make(**good | {name: value})
    arrays = set(make.arrays)
    assert arrays == {
        name
        for name in inspect.signature(make).parameters
        if name not in ("link", "softness", "gravity", "robot", "kind")
    }


@pytest.mark.parametrize("law", ["PD", "ComputedTorque", "PID"])
@pytest.mark.parametrize("target", [WAY, BY_NAME, pd.Series(BY_NAME), [0.1, 0.2, 0.3], np.full((2, 3), 0.1)])
def test_targets_and_gains_by_name_wait_for_the_robot(law, target):
    made = getattr(ordern.control, law)(**LAWS[law] | {"target": target, "kp": BY_NAME})
    q0 = np.zeros((2, 3)) if isinstance(target, np.ndarray) else np.zeros(3)
    ARM.simulate(q0, duration=0.01, torque=made, method="rk4", dt=5e-3)


NUMBERS = ("duration", "rtol", "atol", "dt", "output_dt", "max_step", "max_seconds", "friction_speed")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["1", "1e-3", b"1", True, False, np.str_("1"), [1.0, 2.0], object()])
def test_simulate_takes_no_texts_for_numbers(name, value):
    options = {"duration": 0.01} | ({"method": "rk4"} if name == "dt" else {}) | {name: value}
    with pytest.raises(ordern.InputError, match=f"{name} must be a number, got "):
        ARM.simulate(np.zeros(3), **options)
