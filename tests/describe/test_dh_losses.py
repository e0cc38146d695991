"""What a Denavit-Hartenberg table cannot hold is said when Python asks for one."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import ordern
from ordern.model import Drive, Geometry, State

PLAIN = ordern.Robot.from_dh([{"a": 0.5, "mass": 1.0, "inertia": (0.1, 0.1, 0.1)}] * 2, "distal")
LOST = {
    "gravity": lambda m: m.changed(gravity=(0.0, -9.81, 0.0)),
    "named states": lambda m: m.changed(states=(State("home", (0.1, 0.2), (0.0, 0.0)),)),
    "motors": lambda m: m.changed(drives=(Drive("motor", (("joint1", 2.0),)),)),
    "which joints have no drive": lambda m: m.changed(actuated=("joint1",)),
    "shapes": lambda m: m.changed(links=tuple(replace(k, visuals=(Geometry("sphere", (0.1,)),)) for k in m.links)),
}


@pytest.mark.parametrize("convention", ["saha", "distal", "proximal"])
@pytest.mark.parametrize("what", LOST)
def test_it_is_told(what, convention):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = PLAIN.to_dh("distal")
        assert len(plain) == 2
    made = ordern.Robot(LOST[what](PLAIN.model))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        table = made.to_dh(convention)
    assert any(f"cannot hold {what}" in str(w.message) for w in said), [str(w.message) for w in said]
    gravity = {"gravity": made.gravity} if what == "gravity" else {}
    again = ordern.Robot.from_dh(table, convention, **gravity)
    np.testing.assert_allclose(again.gravity_forces([0.3, 0.4]), made.gravity_forces([0.3, 0.4]), rtol=0, atol=1e-13)
