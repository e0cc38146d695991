"""Small rules of descriptions, both sides of each limit: units of numbers, springs of joints, frames of axes, values by velocity, states."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.followers import held_by_followers
from ordern.describe.frames import PERPENDICULAR, align, canonical
from ordern.describe.joint_springs import ROUNDING, spring
from ordern.describe.number_text import with_unit
from ordern.describe.specs import MimicSpec, per_velocity
from ordern.errors import ModelError
from ordern.joints import JOINTS as KINDS

UNITS = {
    "": (None, 1.0), "deg": ("angle", math.pi / 180), "°": ("angle", math.pi / 180), "rad": ("angle", 1.0), "mm": ("length", 1e-3),
    "cm": ("length", 1e-2), "m": ("length", 1.0),
}  # fmt: skip


def joint(kind, **given):
    return JointSpec("knee", kind, "a", "b", where="robot.urdf:7 <joint name='knee'>", **given)


@pytest.mark.parametrize(("unit", "space", "number"), list(itertools.product(UNITS, ("", " "), ("2", "-1.5", "+.5e1"))))
def test_numbers_with_every_unit(unit, space, number):
    what, factor = UNITS[unit]
    for text in (f"{number}{space}{unit}", f" {number}{space}{unit.upper()} "):
        assert with_unit(text) == (float(number) * factor, what)


@pytest.mark.parametrize(
    ("sign", "factor", "part"), list(itertools.product(("", "-", "+"), ("", "2*", "1.5 ", ".5"), ("", "/2", " / 3")))
)
def test_shares_of_pi(sign, factor, part):
    value, what = with_unit(f"{sign}{factor}pi{part}")
    want = float(factor.strip("* ") or 1) * math.pi / float(part.strip(" /") or 1)
    assert what == "angle" and value == pytest.approx(-want if sign == "-" else want, rel=1e-15)


@pytest.mark.parametrize("text", ["", "deg", "1 km", "pi/0", "2 2 m", "one", "1degrad"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match=r"could not convert"):
        with_unit(text)


# --- springs --------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "universal", "planar"])
def test_springs_of_plain_joints_have_a_number_for_each_way(kind):
    made = KINDS[kind]()
    many = tuple(1.0 + k for k in range(made.nv))
    assert spring(joint(kind), made) == spring(joint(kind, stiffness=0.0, springref=1.0), made) == ((), ())
    assert spring(joint(kind, stiffness=3.0), made) == ((3.0,) * made.nv, ())
    assert spring(joint(kind, stiffness=many, springref=many), made) == (many, many)
    with pytest.raises(ModelError, match=r"^robot.urdf:7 .*stiffness is -1.0; it must not be negative"):
        spring(joint(kind, stiffness=-1.0), made)


@pytest.mark.parametrize("kind", ["spherical", "floating"])
def test_springs_of_joints_with_quaternions_are_alike_every_way(kind):
    made = KINDS[kind]()
    for k in range(made.nv):
        stiffness = [2.0] * made.nv
        stiffness[k] = 3.0
        word = "about" if made.angular[k] else "along"
        with pytest.raises(
            ModelError, match=rf"stiffness is \[2.0, 3.0\]; a {kind} joint's spring is as stiff {word} every axis"
        ):
            spring(joint(kind, stiffness=stiffness), made)
    apart = tuple(2.0 if angular else 3.0 for angular in made.angular)  # turns and ways may differ
    assert spring(joint(kind, stiffness=apart), made) == (apart, made.neutral)


@pytest.mark.parametrize(("kind", "side"), list(itertools.product(("spherical", "floating"), (1, -1))))
def test_a_rest_is_of_length_one_but_for_rounding(kind, side):
    made = KINDS[kind]()
    front = (5.0, 6.0, 7.0)[: made.nq - 4]  # of where it rests, not of how it is turned
    for share in (0.5, 2.0):
        rest = (*front, 0.6 * (1 + side * share * ROUNDING), 0.0, 0.0, 0.8 * (1 + side * share * ROUNDING))
        if share < 1:
            assert spring(joint(kind, stiffness=1.0, springref=rest), made)[1] == rest
        else:
            with pytest.raises(ModelError, match=r"ends with a quaternion \(x, y, z, w\) of length one"):
                spring(joint(kind, stiffness=1.0, springref=rest), made)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_values_by_velocity(count):
    for value in (2, 2.0, -2.0, np.float32(2.0)):
        assert per_velocity(joint("planar", effort=value), "effort", count) == (float(value),) * count
    assert per_velocity(joint("planar"), "effort", count) == ()
    assert per_velocity(joint("planar", effort=math.inf), "effort", count, infinite=True) == (math.inf,) * count
    for wrong in (math.inf, math.nan, [1.0] * (count + 1), [1.0] * (count - 1), "x"):
        with pytest.raises(ModelError, match=r"^robot.urdf:7 .*effort"):
            per_velocity(joint("planar", effort=wrong), "effort", count)
    assert per_velocity(joint("planar", damping=0.0), "damping", count, positive=True) == (0.0,) * count


# --- axes -----------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("axis", [a for a in itertools.product((0.0, 1.0, -1.0, 0.3, -1e-8), repeat=3) if any(a)])
def test_a_frame_has_the_axis_as_its_z(axis):
    """It is a rotation, has exact zeros and ones where it can, and a coordinate axis as x if one is normal to the axis."""
    n = np.array(axis) / np.linalg.norm(axis)
    R = np.reshape(align(tuple(n.tolist())).rotation, (3, 3))
    np.testing.assert_allclose(R[:, 2], n, rtol=0, atol=1e-15)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0)
    if np.count_nonzero(n) == 1:
        assert set(np.abs(R).ravel().tolist()) == {0.0, 1.0}
    else:
        least = np.eye(3)[np.argmin(np.abs(n))]
        assert least @ R[:, 0] == pytest.approx(math.sqrt(1 - (least @ n) ** 2)) and least @ R[:, 1] == pytest.approx(
            0.0, abs=1e-15
        )


@pytest.mark.parametrize("side", [1, -1])
def test_axes_of_a_universal_joint_are_perpendicular_but_for_rounding(side):
    cls = KINDS["universal"]
    near = canonical(joint("universal", axis=(2.0, 0, 0), axis2=(side * 0.5 * PERPENDICULAR, 1.0, 0)), cls)
    np.testing.assert_allclose(np.reshape(near.rotation, (3, 3)), np.eye(3), rtol=0, atol=1e-15)
    with pytest.raises(
        ModelError, match=r"^robot.urdf:7 .*axis and axis2 meet at (89|90)\.\d+ degrees; they must be perpendicular"
    ):
        canonical(joint("universal", axis=(2.0, 0, 0), axis2=(side * 2e3 * PERPENDICULAR, 1.0, 0)), cls)
    given = canonical(joint("universal", axis=(0, 0, 3.0), axis2=(0, -1.0, 0)), cls)
    assert np.reshape(given.rotation, (3, 3)).tolist() == [[0, 0, 1], [0, -1, 0], [1, 0, 0]]
    assert canonical(joint("universal"), cls).is_identity()


# --- joints that follow ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("ratio", "offset", "held"), [(1.0, 0.0, False), (1.0, 1.9, False), (1.0, 2.0, True), (1.0, 2.1, True), (-1.0, -2.0, True),
    (-1.0, 2.0, True), (-1.0, 1.9, False), (0.5, 1.5, True), (0.5, 1.4, False), (0.0, 5.0, False)])  # fmt: skip
def test_leaders_that_their_followers_hold(ratio, offset, held):
    """Both from -1 to 1: they need more than one common place to move."""
    links = [LinkSpec(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0)) for name in "abc"]
    first = JointSpec("lead", "revolute", "a", "b", lower=-1.0, upper=1.0)
    second = JointSpec("follow", "revolute", "b", "c", lower=-1.0, upper=1.0, mimic=MimicSpec("lead", ratio, offset))
    assert held_by_followers(build("pair", links, [first, second])) == ([("lead", "follow")] if held else [])
