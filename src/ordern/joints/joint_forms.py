"""What a joint class is like, found by trying its own motion: what it turns about and slides along, and which
coordinates are directions.

Other rooms ask this instead of naming classes, so a user's class, or a subclass that moves otherwise, is taken for what
it does.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..scalars.primitives import Array
from ..spatial.joint_space import JointVector

if TYPE_CHECKING:
    from .joint_base import Joint

__all__ = ["Form", "form_of"]

NONE, Z_ALONE, OTHER = 0, 1, 2
KINDS = {(Z_ALONE, NONE): "hinge", (NONE, Z_ALONE): "slide", (Z_ALONE, Z_ALONE): "screw"}
SAME = 1e-9  # transforms and motions are of the size of one


class Form(NamedTuple):
    """``turns`` and ``slides``: 0 not at all, 1 about (along) z alone, 2 any other way."""

    turns: int
    slides: int
    kind: str  # of one degree of freedom with unit rate: "hinge", "slide" or "screw" along z; "" for all others
    turnable: bool  # ``turned`` gives the joint whose body frame is turned about z
    # coordinates of which only the direction counts, and whether their opposites mean the same
    directions: tuple[tuple[tuple[int, ...], bool], ...]


@cache
def form_of(cls: type[Any]) -> Form:
    """The form of a class, with constants that are nothing special."""
    try:
        joint = cls(*(0.37 + 0.11 * k for k in range(len(fields(cls)))))
    except (TypeError, ValueError):
        return Form(OTHER, OTHER, "", False, ())
    places = [_place(joint, size) for size in (0.0, 0.3, -0.8)]
    turns, slides = NONE, NONE
    columns = np.zeros((1, 6))
    for q in places:
        X, S = joint.motion(q)
        R, p = np.array(X.rotation.full().dense(), float), np.array(X.origin.dense(), float)
        columns = np.array([c.dense() for c in S.columns], float).reshape(-1, 6)
        turns = max(
            turns,
            _about_z(columns[:, :3]),
            NONE if _same(R, np.eye(3)) else Z_ALONE if _same(R[2], [0, 0, 1]) else OTHER,
        )
        slides = max(slides, _about_z(columns[:, 3:]), _about_z(p[None]))
    kind = (
        KINDS.get((turns, slides), "") if joint.nv == 1 and _same(columns[0, 2] if turns else columns[0, 5], 1) else ""
    )
    return Form(
        turns, slides, kind, kind in ("hinge", "screw") and _turnable(joint, places[1]), _directions(joint, places[1])
    )


def _place(joint: Joint, size: float) -> JointVector:
    moved = joint.step(JointVector(*joint.neutral), JointVector(*(size * (1 + 0.3 * k) for k in range(joint.nv))))
    return JointVector(*(float(e) for e in moved))


def _same(a: object, b: object) -> bool:
    return bool(np.abs(np.asarray(a) - np.asarray(b)).max(initial=0.0) < SAME)


def _about_z(rows: Array) -> int:
    return NONE if _same(rows, 0) else Z_ALONE if _same(rows[:, :2], 0) else OTHER


def _turnable(joint: Joint, q: JointVector) -> bool:
    """Whether a joint that is turned on by an angle is this one, seen from a body frame turned by it about z."""
    c, s = np.cos(0.4), np.sin(0.4)
    other = joint.turned(0.4)
    if other is None:
        return False
    (X, S), (Y, T) = joint.motion(q), other.motion(q)
    R, p = np.array(X.rotation.full().dense(), float), np.array(X.origin.dense(), float)
    wanted = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) @ R
    columns = [np.array([c.dense() for c in each.columns], float) for each in (S, T)]
    return (
        _same(np.array(Y.rotation.full().dense(), float), wanted)
        and _same(np.array(Y.origin.dense(), float), p)
        and _same(*columns)
    )


def _directions(joint: Joint, q: JointVector) -> tuple[tuple[tuple[int, ...], bool], ...]:
    """Groups of coordinates that ``normalise`` mixes: each number of a direction depends on all of them."""
    if joint.plain:
        return ()
    off = np.array(q.e, float) + 0.2 + 0.05 * np.arange(joint.nq)  # neither at length one nor with zeros
    ends = [np.array([joint.normalise(off + h * e) for e in np.eye(joint.nq)]) for h in (1e-5, -1e-5)]
    mixed, found = np.abs(ends[0] - ends[1]) > 1e-8, []
    for k in range(joint.nq):
        group = tuple(int(c) for c in np.flatnonzero(mixed[k]))
        if len(group) > 1 and group[0] == k:
            found.append((group, _either(joint, q, group)))
    return tuple(found)


def _either(joint: Joint, q: JointVector, group: tuple[int, ...]) -> bool:
    opposite = JointVector(*(-e if k in group else e for k, e in enumerate(q.e)))
    poses = [joint.motion(at)[0] for at in (q, opposite)]
    return _same(*(X.rotation.full().dense() for X in poses)) and _same(*(X.origin.dense() for X in poses))
