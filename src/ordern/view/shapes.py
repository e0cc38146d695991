"""Made-up shapes: capsules along links, drums on axes, sized by the kinematics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Any

from ..model import Model, Placement

__all__ = ["along", "drawn", "radii", "rails"]

Point = tuple[float, float, float]
SLENDER = 0.16  # radius over typical length
THIN = 0.06  # radius over reach, at most


def along(a: Sequence[float], b: Sequence[float]) -> tuple[Placement, float]:
    """The frame in the middle between two points with z from the first to the second, and their distance."""
    d = [y - x for x, y in zip(a, b, strict=True)]
    length = math.hypot(*d)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
    if length == 0:
        return Placement(origin=middle), 0.0
    z = [e / length for e in d]
    least = min(range(3), key=lambda k: abs(z[k]))
    e = [float(k == least) for k in range(3)]
    dot = z[least]
    x = [ek - dot * zk for ek, zk in zip(e, z, strict=True)]
    size = math.hypot(*x)
    x = [c / size for c in x]
    y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]]
    return Placement((x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]), middle), length


def _ends(model: Model) -> list[list[Point]]:
    """Per body, the points its links and next joints sit at, other than its own origin."""
    ends: list[list[Point]] = [[] for _ in model.bodies]
    for body in model.bodies[1:]:
        if body.parent or body.joint.form.slides < 2:  # nothing leads from the ground to what moves freely
            ends[body.parent].append(body.placement.origin)
    for loop in model.loops:
        if not loop.terms:
            for body_number, at in model.loop_ends(loop):
                ends[body_number].append(at.origin)
    tips = [not e for e in ends]
    for link in model.links:
        if tips[link.body] or not link.body:
            ends[link.body].append(link.placement.origin)
    made = []
    for k, points in enumerate(ends):
        unique = [p for p in dict.fromkeys(points) if math.hypot(*p) > 1e-9]
        body = model.bodies[k]
        if k and not unique and tips[k] and math.hypot(*body.inertia.com) > 1e-9:
            c = body.inertia.com
            unique = [(2 * c[0], 2 * c[1], 2 * c[2])]
        made.append(unique)
    return made


def radii(model: Model) -> tuple[list[float], float]:
    """A radius for each body, thinner towards the tips, and the reach: the longest way along the links."""
    ends = _ends(model)
    lengths = [math.hypot(*p) for points in ends for p in points]
    depth, way = [0] * len(model.bodies), [0.0] * len(model.bodies)
    for i, body in enumerate(model.bodies):
        if i:
            depth[i] = depth[body.parent] + 1
            way[i] = way[body.parent] + math.hypot(*body.placement.origin)
    reach = max(w + max((math.hypot(*p) for p in e), default=0.0) for w, e in zip(way, ends, strict=True)) or 1.0
    known = [x for x in lengths if x > 0.02 * max(lengths)] if lengths else []
    base = min(SLENDER * (median(known) if known else reach), THIN * reach)
    deepest = max(depth) or 1
    return [base * (1.0 - 0.45 * d / deepest) for d in depth], reach


def rails(model: Model, bodies: set[int]) -> list[dict[str, Any]]:
    """What sliding bodies slide on: the joint's frame on the parent, and a radius."""
    size, _ = radii(model)
    slides = (i for i in sorted(bodies - {0}) if model.bodies[i].joint.form.slides == 1)
    return [{"body": i, "at": model.bodies[i].placement, "radius": 0.62 * size[i]} for i in slides]


def drawn(model: Model, bodies: set[int]) -> list[dict[str, Any]]:
    """Shapes of the named bodies, each with its body, frame, kind, size and role (link, joint, base)."""
    size, _ = radii(model)
    ends, made = _ends(model), []
    for i, points in enumerate(ends):
        if i in bodies:
            made += _base(model, size[0], points) if not i else _body(model, i, size[i], points)
    return made


def _shape(body: int, role: str, kind: str, size: Sequence[float], at: Placement) -> dict[str, Any]:
    return {"body": body, "role": role, "kind": kind, "size": list(size), "at": at}


def _tube(body: int, role: str, r: float, a: Point, b: Point) -> list[dict[str, Any]]:
    at, length = along(a, b)
    return [_shape(body, role, "capsule", (r, length), at)] if length > 0 else []


def _base(model: Model, r: float, points: list[Point]) -> list[dict[str, Any]]:
    """A foot and a column up to the first joints; nothing for robots that move freely."""
    first = [body for body in model.bodies[1:] if body.parent == 0]
    if first and all(body.joint.form.slides == 2 for body in first):
        return []
    at = next((body.placement for body in first if not math.hypot(*body.placement.origin)), Placement())
    # under the first joint's drum
    below = -1.55 * r if first and not math.hypot(*first[0].placement.origin) else 0.25 * r
    foot = at @ Placement(origin=(0.0, 0.0, below))
    made = [_shape(0, "base", "cylinder", (2.3 * r, 0.4 * r), foot)]
    for p in points:
        made += _tube(0, "base", 1.15 * r, (0.0, 0.0, 0.0), p)
    return made


def _body(model: Model, i: int, r: float, points: list[Point]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    turns, slides, kind, *_ = model.bodies[i].joint.form
    if slides == 2:
        made.append(_shape(i, "base", "box", (3.2 * r, 3.2 * r, 2.4 * r), Placement()))
    elif turns == 2:
        made.append(_shape(i, "joint", "sphere", (1.5 * r,), Placement()))
    elif turns:
        made.append(_shape(i, "joint", "cylinder", (1.32 * r, 2.7 * r), Placement()))
    else:
        made.append(_shape(i, "joint", "box", (2.3 * r, 2.3 * r, 3.2 * r), Placement()))
    for p in points:
        side, up = math.hypot(p[0], p[1]), abs(p[2])
        if model.bodies[i].joint.axial and side > 1.3 * r and up > 1.3 * r:  # along the axis, then across
            elbow = (0.0, 0.0, p[2])
            made += _tube(i, "link", r, (0.0, 0.0, 0.0), elbow) + _tube(i, "link", r, elbow, p)
        else:
            made += _tube(i, "link", r, (0.0, 0.0, 0.0), p)
    if not points and kind in ("hinge", "slide"):  # a flange
        made.append(_shape(i, "link", "cylinder", (0.8 * r, 2.2 * r), Placement(origin=(0.0, 0.0, 1.6 * r))))
    return made
