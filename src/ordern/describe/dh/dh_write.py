"""From a Model back to a Denavit-Hartenberg table: common normals of neighbouring axes, link data carried into the new
frames.

Frame i ("distal": at the far end of link i) has its z on axis i+1 and its x along the common normal from axis i. Where
the model's own frames are of that form already, as in a model made from a table, they are taken as they are; so a table
survives the round trip.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import InputError, ModelError, near, shown, tell
from ...joints import Prismatic, Revolute
from ...model import Body, Model, Placement
from ..frames import at, columns, cross
from ..specs import quoted

__all__ = ["CONVENTIONS", "convention_of", "dh_with_base", "to_dh"]

CONVENTIONS = ("saha", "distal", "proximal")
ELSEWHERE = {
    "standard": "distal",
    "paul": "distal",
    "corke": "distal",
    "modified": "proximal",
    "craig": "proximal",
    "khalil": "proximal",
    "angeles": "saha",
}
FAR = 1000.0  # m: no robot's axes have their common normal there, unless a rounded number made them almost parallel
TOUCH = 1e-10  # m and rad: axes nearer than this meet or are parallel


def convention_of(name: object) -> str:
    """One of CONVENTIONS, by its name here or elsewhere."""
    found = ELSEWHERE.get(name.strip().lower(), name.strip().lower()) if isinstance(name, str) else ""
    if found not in CONVENTIONS:
        known = (*CONVENTIONS, *ELSEWHERE)
        raise InputError(f"convention is {shown(name)}; use one of {quoted(known, 20)}{near(name, known)}")
    return found


def to_dh(model: Model, convention: str = "saha") -> list[dict[str, Any]]:
    """The DH table of a serial robot whose first frame is its base, such that ``from_dh(table, convention)`` has the
    same dynamics.

    Raises a ModelError with the reason where there is no such table.
    """
    convention = convention_of(convention)
    base, rows, _ = dh_with_base(model, convention)
    if not _near(base, Placement()):
        raise ModelError(
            f"robot {model.name!r} has no {convention} table from its base frame: the axis of joint "
            f"{model.bodies[1].name!r} would have to be "
            f"{'normal to and cross the x axis' if convention == 'proximal' else 'the z axis'} of the base; "
            "dh_with_base() gives the placement to put before a table"
        )
    return rows


def dh_with_base(model: Model, convention: str = "saha") -> tuple[Placement, list[dict[str, Any]], Placement]:
    """(base, table, tool) for ``from_dh(table, convention, base_placement=base, tool=tool)``."""
    convention = convention_of(convention)
    bodies = _serial(model)
    first, frame = _base(bodies[0].placement, convention)
    # proximal: Tx(a) Rx(alpha) of the first row
    a, alpha = _clean(frame.origin[0]), math.atan2(frame.rotation[7], frame.rotation[8])
    if first is frame:
        a, alpha = 0.0, 0.0
    table, last = [], _last_frame(model)
    for k, body in enumerate(bodies, 1):  # everything in the coordinates of body k at q = 0
        before = (body.placement @ at(body.joint, body.joint.neutral)).inverse() @ frame
        wanted = bodies[k].placement if k < len(bodies) else last
        frame = wanted if _four(before, wanted) is not None else _next(before, wanted if k < len(bodies) else None)
        four = _four(before, frame)
        if four is None:
            raise ModelError(f"joint {body.name!r}: no common normal found between its axis and the next one")
        odd = abs(math.sin(four[3]))
        if k < len(bodies) and odd < 1e-3 and abs(four[1]) > FAR:
            tell(
                f"the axes of joints {body.name!r} and {bodies[k].name!r} are parallel but for {odd:.1g} rad: their "
                f"common normal is {abs(four[1]):.3g} m away, which costs the table some "
                f"{2 * math.log10(abs(four[1])):.0f} digits; make them parallel first"
            )
        if convention == "proximal":  # a and alpha go to the next row, the link's frame stays on its own axis
            own = frame @ _turn_x(four[2], four[3]).inverse()
            table.append(_row(body, k, {"a": a, "alpha": alpha, "theta": four[0], "d": four[1]}, own))
            a, alpha = four[2], four[3]
        else:
            keys = ("theta", "b" if convention == "saha" else "d", "a", "alpha")
            table.append(_row(body, k, dict(zip(keys, four, strict=True)), frame))
    tool = frame.inverse() @ last
    return first, table, _turn_x(a, alpha) @ tool if convention == "proximal" else tool


def _turn_x(a: float, alpha: float) -> Placement:
    return Placement.from_rpy((a, 0.0, 0.0), (alpha, 0.0, 0.0))


def _serial(model: Model) -> list[Body]:
    """The moving bodies, if each hangs on the one before by a revolute or prismatic joint of its own."""
    bodies = list(model.bodies[1:])
    if not bodies:
        raise ModelError(f"robot {model.name!r} has no joints; a DH table has at least one row")
    if model.loops:
        raise ModelError(
            f"loop {model.loops[0].name!r}: a DH table describes an open chain; save the robot as .toml instead"
        )
    for i, body in enumerate(bodies):
        if type(body.joint) not in (Revolute, Prismatic):
            raise ModelError(
                f"joint {body.name!r} is {body.joint.name}; a DH table has revolute and prismatic joints only"
            )
        if body.parent != i:
            raise ModelError(
                f"robot {model.name!r} branches at joint {body.name!r}; a DH table describes a chain, lock or leave "
                "out a branch"
            )
        if body.mimic is not None:
            raise ModelError(
                f"joint {body.name!r} mimics another one; a DH table cannot say that, load with mimic=False"
            )
    return bodies


def _last_frame(model: Model) -> Placement:
    """The frame of the link that the last joint moves, in its body."""
    n = len(model.bodies) - 1
    return next(link.placement for link in model.links if link.body == n)


def _base(axis: Placement, convention: str) -> tuple[Placement, Placement]:
    """(what stands before the table, the frame on the first axis that the first row moves).

    The first axis must be the z axis of the frame before the table; "proximal" also has Rx(alpha) Tx(a) in between.
    """
    x, y, z = axis.rotation[2], axis.rotation[5], axis.rotation[8]
    px, py, pz = axis.origin
    if abs(x) < TOUCH and abs(y) < TOUCH and z > 0 and abs(px) < TOUCH and abs(py) < TOUCH:
        return Placement(), Placement()
    if convention == "proximal" and abs(x) < TOUCH and abs(py * z - pz * y) < TOUCH:
        return Placement(), _turn_x(px, math.atan2(-y, z))
    return axis, axis


def _four(a: Placement, b: Placement) -> tuple[float, float, float, float] | None:
    """theta, d, a, alpha with a^-1 b = Rz(theta) Tz(d) Tx(a) Rx(alpha), if they exist."""
    T = a.inverse() @ b
    r, p = T.rotation, T.origin
    c, s = r[0], r[3]
    if abs(r[6]) > TOUCH or abs(p[0] * s - p[1] * c) > TOUCH:
        return None
    return (_clean(math.atan2(s, c)), _clean(p[2]), _clean(p[0] * c + p[1] * s), _clean(math.atan2(r[7], r[8])))


def _clean(x: float) -> float:
    """The number x without the rounding that differences of equal numbers leave."""
    return 0.0 if abs(x) < 1e-14 else x


def _next(before: Placement, axis: Placement | None) -> Placement:
    """The frame on the next axis, x along the common normal from z of ``before``; ``before`` after the last."""
    if axis is None:
        return before
    z1, z2 = _column(before, 2), _column(axis, 2)
    gap = np.subtract(axis.origin, before.origin)
    normal = np.array(cross(z1, z2))
    sine = float(np.linalg.norm(normal))
    if sine < TOUCH:  # parallel: the normal through the last origin, so that d = 0
        sign = math.copysign(1.0, float(np.dot(z1, z2)))
        z2 = (sign * z1[0], sign * z1[1], sign * z1[2])
        away = gap - np.dot(gap, z1) * np.array(z1)
        distance = float(np.linalg.norm(away))
        x = away / distance if distance > TOUCH else np.array(_column(before, 0))
        origin = np.add(before.origin, away if distance > TOUCH else 0.0)
    else:
        x = normal / sine
        distance = float(np.dot(gap, x))
        if distance < -TOUCH or (abs(distance) <= TOUCH and np.dot(x, _column(before, 0)) < 0):
            x = -x  # a is positive; where the axes meet, x turns as little as possible
        # the foot on the second axis: gap + t z2 must have no part along z1 x normal
        across = np.cross(z1, normal / sine)
        t = -float(np.dot(gap, across)) / float(np.dot(z2, across))
        origin = np.add(axis.origin, t * np.array(z2))
    u = (float(x[0]), float(x[1]), float(x[2]))
    return Placement(columns(u, cross(z2, u), z2).rotation, (float(origin[0]), float(origin[1]), float(origin[2])))


def _column(frame: Placement, k: int) -> tuple[float, float, float]:
    return (frame.rotation[k], frame.rotation[3 + k], frame.rotation[6 + k])


def _near(a: Placement, b: Placement) -> bool:
    return bool(np.max(np.abs(a.matrix() - b.matrix())) < TOUCH)


def _row(body: Body, k: int, four: dict[str, float], frame: Placement) -> dict[str, Any]:
    """The row with link data in the given frame of the body, and what else it can hold."""
    mass = body.inertia.moved(frame.inverse())
    row: dict[str, Any] = {"joint": "prismatic" if isinstance(body.joint, Prismatic) else "revolute", **four}
    row |= {"mass": mass.m, "com": mass.com, "inertia": mass.about_com()}
    for key in ("armature", "damping", "friction", "lower", "upper", "velocity", "effort", "stiffness", "springref"):
        value = getattr(body, key)
        if value and math.isfinite(value[0]):
            row[key] = value[0]
    if body.name != f"joint{k}":
        row["name"] = body.name
    return row
