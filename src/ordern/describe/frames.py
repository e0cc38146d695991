"""Canonical frames: a joint's axis becomes z (universal: x and y), with exact zeros and ones if possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from ..errors import ModelError
from ..joints import Joint
from ..model import Placement, tidy
from ..model.placements import added
from ..spatial.joint_space import JointVector
from .specs import JointSpec, Triple, unit

__all__ = ["align", "at", "canonical", "undone"]

UNIT: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
PERPENDICULAR = 1e-6  # how far from a right angle the axes of a universal joint may be (rad)


def cross(a: Sequence[float], b: Sequence[float]) -> Triple:
    """A x b."""
    return (a[1] * b[2] - a[2] * b[1] + 0.0, a[2] * b[0] - a[0] * b[2] + 0.0, a[0] * b[1] - a[1] * b[0] + 0.0)


def columns(x: Sequence[float], y: Sequence[float], z: Sequence[float]) -> Placement:
    """The frame with these axes, at the same origin."""
    return Placement((x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


@lru_cache(maxsize=4096)
def align(axis: Triple) -> Placement:
    """A frame whose z is the unit axis: the same one for the same axis, made of 0 and 1 along the coordinate axes.

    Along z nothing turns; along x and y the axes are permuted; along -z, -x and -y two of them are reversed or swapped.
    Otherwise x is a coordinate axis if one is normal to the given axis, else the normal part of the one that comes
    nearest to that. An axis 1e-8 rad off z has z = 1 to the last digit, so the other components decide; only what
    rounding left goes.
    """
    axis = (tidy(axis[0]), tidy(axis[1]), tidy(axis[2]))
    x, y, z = axis
    if axis.count(0.0) == 2:
        if z == 1:
            return Placement()
        if z == -1:
            return columns(UNIT[0], (0.0, -1.0, 0.0), axis)
        if x == 1:
            return columns(UNIT[1], UNIT[2], axis)
        if x == -1:
            return columns(UNIT[2], UNIT[1], axis)
        return columns(UNIT[2], UNIT[0], axis) if y == 1 else columns(UNIT[0], UNIT[2], axis)
    k = min(range(3), key=lambda i: abs(axis[i]))
    first: Triple = UNIT[k]
    if axis[k] != 0:
        a, b, c = (UNIT[k][i] - axis[k] * axis[i] for i in range(3))
        length = math.hypot(a, b, c)
        first = (a / length, b / length, c / length)
    return columns(first, cross(axis, first), axis)


@lru_cache(maxsize=4096)
def undone(turn: Placement) -> Placement:
    """The frame of the description in the canonical one."""
    return turn.inverse() @ Placement()


def canonical(spec: JointSpec, cls: type[Joint]) -> Placement:
    """The frame, seen from the joint frame of the description, in which the joint's class moves."""
    if cls.axial:
        return align(unit(spec.where, "axis", spec.axis)) if spec.axis is not None else Placement()
    if cls.name != "universal":
        return Placement()
    x = unit(spec.where, "axis", UNIT[0] if spec.axis is None else spec.axis)
    y = unit(spec.where, "axis2", UNIT[1] if spec.axis2 is None else spec.axis2)
    slant = added(a * b for a, b in zip(x, y, strict=True))
    if abs(slant) > PERPENDICULAR:
        raise ModelError(
            f"{spec.where}: axis and axis2 meet at {math.degrees(math.acos(slant)):.6g} degrees; they must be "
            "perpendicular"
        )
    if slant != 0:  # take out what rounding left, so that the frame is a rotation
        y = unit(spec.where, "axis2", [b - slant * a for a, b in zip(x, y, strict=True)])
    return columns(x, y, cross(x, y))


def at(joint: Joint, q: Sequence[float]) -> Placement:
    """The body frame in the joint frame, both canonical, at the coordinates q."""
    X = joint.motion(JointVector(*q))[0]
    turn = [float(e) for row in X.rotation.full().T.dense() for e in row]
    p = [float(e) for e in X.origin.dense()]
    return Placement(tuple(turn), (p[0], p[1], p[2]))
