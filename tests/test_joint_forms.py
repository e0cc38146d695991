"""What joint classes are like: the forms of all that are built in, and of classes of users that move otherwise than their base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from ordern.joints import JOINTS
from ordern.joints.joint_forms import form_of
from ordern.spatial.joint_space import JointVector

# turns, slides (0 not, 1 about or along z alone, 2 otherwise), kind, whether it can be turned, coordinates that are directions
FORMS = {
    "cylindrical": (1, 1, "", False, ()),
    "floating": (2, 2, "", False, (((3, 4, 5, 6), True),)),
    "helical": (1, 1, "screw", True, ()),
    "planar": (1, 2, "", False, ()),
    "prismatic": (0, 1, "slide", False, ()),
    "revolute": (1, 0, "hinge", True, ()),
    "spherical": (2, 0, "", False, (((0, 1, 2, 3), True),)),
    "universal": (2, 0, "", False, ()),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_what_is_built_in(name):
    assert form_of(JOINTS[name]) == FORMS[name]


@dataclass(frozen=True)
class Geared(JOINTS["revolute"]):
    """Turns twice as far as its coordinate says."""

    def motion(self, q):
        X, S = super().motion(JointVector(q[0] * 2))
        return X, S * 2 if hasattr(S, "__mul__") else type(S)(*(c * 2 for c in S.columns))


@dataclass(frozen=True)
class Fixed(JOINTS["revolute"]):
    """Cannot be turned on: another offset is this joint again."""

    def turned(self, angle):
        return self


@dataclass(frozen=True)
class Lying(JOINTS["revolute"]):
    """Says that there is nothing to turn."""

    def turned(self, angle):
        return None


@dataclass(frozen=True)
class Strict(JOINTS["revolute"]):
    """Refuses the constants it is tried with."""

    def __post_init__(self):
        if self.offset:
            raise ValueError("only 0")


@dataclass(frozen=True)
class Pointed(JOINTS["spherical"]):
    """Of a direction whose opposite is another motion."""

    def motion(self, q):
        x, y, z, w = q
        return super().motion(JointVector(x, y, z, w * w))


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (Geared, (1, 0, "", False, ())), (Fixed, (1, 0, "hinge", False, ())), (Lying, (1, 0, "hinge", False, ())),
        (Strict, (2, 2, "", False, ())), (Pointed, (2, 0, "", False, (((0, 1, 2, 3), False),))),
    ],
)  # fmt: skip
def test_forms_of_classes_that_move_otherwise(kind, wanted):
    assert form_of(kind) == wanted


@pytest.mark.parametrize("name", sorted(set(FORMS) - {"floating", "spherical"}))
def test_a_turned_joint_is_seen_from_a_turned_body(name):
    """``turned`` adds the angle to what the joint turns by; joints that have no such constant have none."""
    cls = JOINTS[name]
    joint, q = cls(), JointVector(*(0.3 + 0.1 * k for k in range(cls.nq)))
    other = joint.turned(0.4)
    assert (other is not None) == form_of(cls).turnable
    if other is not None:
        (X, _), (Y, _) = joint.motion(q), other.motion(q)
        c, s = np.cos(0.4), np.sin(0.4)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        np.testing.assert_allclose(
            Y.rotation.full().dense(), turn @ np.array(X.rotation.full().dense(), float), rtol=0, atol=1e-15
        )
        np.testing.assert_allclose(Y.origin.dense(), X.origin.dense(), rtol=0, atol=1e-15)
