"""MJCF equalities as mimic joints and loops, which hold exactly here; MuJoCo softens them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...errors import ModelError, near
from ...model import Placement
from ...model.placements import added
from ..specs import LoopSpec, MimicSpec
from .mjcf_around import Around, everywhere
from .mjcf_bodies import WORLD, Bodies, Moved
from .mjcf_schema import EQUALITIES, known
from .mjcf_source import Source
from .mjcf_values import Given, from_quaternion

__all__ = ["Ties", "equalities"]

SOFT = ("composites", "flexes")  # they have bodies and sites of their own, which are not here
LINE = (0.0, 1.0, 0.0, 0.0, 0.0)
Point = tuple[float, float, float]
O: Point = (0.0, 0.0, 0.0)


@dataclass
class Ties:
    """The mimics and loops of the equalities."""

    follow: dict[str, MimicSpec] = field(default_factory=dict)
    # of joints that follow: nearer to the one that leads them all
    leaders: dict[str, str] = field(default_factory=dict)
    loops: list[LoopSpec] = field(default_factory=list)


def equalities(top: Source, found: Bodies, ropes: Mapping[str, dict[str, float]], off: set[str]) -> Ties:
    """Each equality as a mimic joint or a loop; others are left out by name."""
    made = Ties()
    if "equality" in off or "constraint" in off:
        return made
    moved = {m.name: m for m in found.moved}
    for around, element in everywhere(top, "equality", found):
        known(element, EQUALITIES.get(element.tag, frozenset(element.attributes)))
        given = around.source.defaults.of(element, tag="equality")
        if not given.flag("active", True):
            continue
        name = around.called(given.text("name") or f"{element.tag}{len(made.loops) + len(made.follow)}")
        if element.tag == "joint" and _follows(given, around, moved, made):
            continue
        loop = None
        if element.tag in ("connect", "weld"):
            loop = _closure(given, element.tag, name, around, found)
        elif element.tag == "tendon":
            loop = _gear(given, name, around, ropes, moved) or _span(given, name, around, found)
        if loop is None:
            found.leave_out(f"equality constraints ({element.tag})", name)
        elif not _holds_axis(loop, made.loops) and not _holds_cross(loop, made.loops):
            made.loops.append(loop)
    return made


def _holds_axis(loop: LoopSpec, before: list[LoopSpec]) -> bool:
    """Whether a point is the second one of a hinge as ``to_mjcf`` writes it: on the z axes of the one before."""
    one, two = _seen_from_point(loop, before, "_axis") if loop.type == "point" else (O, O)
    size = math.dist(one, O)
    if not size or math.dist(one, two) > 1e-9 * size or math.hypot(*one[:2]) > 1e-9 * size:
        return False
    before[-1] = replace(before[-1], type="revolute")
    return True


def _holds_cross(loop: LoopSpec, before: list[LoopSpec]) -> bool:
    """Whether a tendon keeps x and y of a point's frames at a right angle: ``to_mjcf``'s universal joint."""
    one, two = _seen_from_point(loop, before, "_cross") if loop.type == "distance" else (O, O)
    arms, wanted = (*one, *two, loop.length or 0.0), (one[0], 0.0, 0.0, 0.0, one[0], 0.0, math.sqrt(2.0) * one[0])
    if not one[0] or math.dist(arms, wanted) > 1e-9 * abs(one[0]):
        return False
    before[-1] = replace(before[-1], type="universal")
    return True


def _seen_from_point(loop: LoopSpec, before: list[LoopSpec], mark: str) -> tuple[Point, Point]:
    """Where a tie holds the frames of the point before it, whose name it has with a mark; at the origins, if at all."""
    first = before[-1] if before else loop
    ends = (loop.link1, loop.link2) == (first.link1, first.link2)
    if first.type != "point" or loop.name != f"{first.name}{mark}" or not ends:
        return O, O
    f1, l1, f2, l2 = (f or Placement() for f in (first.frame1, loop.frame1, first.frame2, loop.frame2))
    return (f1.inverse() @ l1).origin, (f2.inverse() @ l2).origin


def _follows(given: Given, around: Around, moved: Mapping[str, Moved], made: Ties) -> bool:
    """Whether the first joint can follow the second; then it does."""
    first, second = (around.name(given.text(key)) if given.text(key) else "" for key in ("joint1", "joint2"))
    for name in (first, second):
        if name and name not in moved:
            raise ModelError(f"{given.where}: there is no joint {name[:80]!r}{near(name, moved)}")
    if not first:
        raise ModelError(f"{given.where}: the attribute 'joint1' is missing; name the joint that follows")
    a = _curve(given)
    one, two = moved[first], moved.get(second)
    if (
        two is None
        or any(a[2:])
        or not a[1]
        or {one.kind, two.kind} - {"hinge", "slide"}
        or first in made.follow
        or first == second
    ):
        return False
    leader = _leader(second, made.leaders)
    if leader == first:  # a joint that follows itself follows nothing
        return False
    made.leaders[first] = leader
    made.follow[first] = MimicSpec(second, a[1], a[0] + one.ref - a[1] * two.ref)
    return True


def _leader(joint: str, leaders: dict[str, str]) -> str:
    """The joint at the end of a chain of mimics (with path halving)."""
    while joint in leaders:
        beyond = leaders[joint]
        leaders[joint] = leaders.get(beyond, beyond)
        joint = beyond
    return joint


def _curve(given: Given) -> tuple[float, ...]:
    a = given.numbers("polycoef", 5, LINE, least=1)
    return (*a, *LINE[len(a) :])


def _closure(given: Given, kind: str, name: str, around: Around, found: Bodies) -> LoopSpec | None:
    """A loop for connect (a shared point) or weld (two frames), closed in the file's own position."""
    soft = not found.beyond.keys().isdisjoint(SOFT)
    if "site1" in given:
        ends = [around.name(given.text(key)) for key in ("site1", "site2")]
        for site in ends:
            if site not in found.placed and soft:
                return None
            if site not in found.placed:
                raise ModelError(f"{given.where}: there is no site {site[:80]!r}{near(site, found.placed)}")
        (one, frame1), (two, frame2) = (found.placed[site] for site in ends)
    else:
        one, two = (around.name(given.text(key)) if given.text(key) else WORLD for key in ("body1", "body2"))
        for body in (one, two):
            if body not in found.poses and soft:
                return None
            if body not in found.poses:
                raise ModelError(f"{given.where}: there is no body {body[:80]!r}{near(body, found.poses)}")
        between = found.poses[one].inverse() @ found.poses[two]  # body 2 in body 1
        if kind == "connect":
            x, y, z = given.numbers("anchor", 3)
            frame1 = Placement(origin=(x, y, z))
            frame2 = Placement(origin=(between.inverse() @ frame1).origin)
        else:
            x, y, z = given.numbers("anchor", 3, O)
            frame2 = Placement(origin=(x, y, z))
            frame1, pose = between @ frame2, given.numbers("relpose", 7, (0.0,) * 7)
            if any(pose[3:]):  # where the anchor is held, not the origin of body 2
                frame1 = Placement(from_quaternion(*pose[3:]), (pose[0], pose[1], pose[2]))
    if one == two:
        return None
    loop = "point" if kind == "connect" or not given.number("torquescale", 1.0) else "fixed"
    return LoopSpec(name, loop, one, two, frame1=frame1, frame2=frame2, where=given.where)


def _span(given: Given, name: str, around: Around, found: Bodies) -> LoopSpec | None:
    """A straight tendon of constant length: that at the file's position plus the curve's part."""
    rope = around.name(given.text("tendon1"))
    ends = [found.placed[site] for site in found.spans.get(rope, ()) if site in found.placed]
    if len(ends) < 2 or given.text("tendon2") or ends[0][0] == ends[1][0]:
        return None
    (one, frame1), (two, frame2) = ends
    length = math.dist((found.poses[one] @ frame1).origin, (found.poses[two] @ frame2).origin) + _curve(given)[0]
    if length <= 0.0:
        return None
    left = [other for other in found.beyond.pop("spatial tendons", []) if other != rope]
    if left:
        found.beyond["spatial tendons"] = left
    return LoopSpec(name, "distance", one, two, frame1=frame1, frame2=frame2, length=length, where=given.where)


def _gear(
    given: Given, name: str, around: Around, ropes: Mapping[str, dict[str, float]], moved: Mapping[str, Moved]
) -> LoopSpec | None:
    """Fixed tendons of a given length, or one as long as another: a sum of joint coordinates that stays."""
    first, second = (around.name(given.text(key)) if given.text(key) else "" for key in ("tendon1", "tendon2"))
    for rope in (first, second):
        if rope and rope not in ropes:
            raise ModelError(f"{given.where}: there is no tendon {rope[:80]!r}{near(rope, ropes)}")
    a = _curve(given)
    if any(a[2:]) or not ropes.get(first) or (second and not ropes[second]):
        return None
    terms = dict(ropes[first])
    for joint, arm in ropes.get(second, {}).items():
        terms[joint] = terms.get(joint, 0.0) - a[1] * arm
    terms = {joint: arm for joint, arm in terms.items() if arm}
    if not terms or any(moved[joint].kind not in ("hinge", "slide") for joint in terms):
        return None
    return LoopSpec(
        name,
        "gear",
        joints=terms,
        offset=a[0] + added(arm * moved[joint].ref for joint, arm in terms.items()),
        where=given.where,
    )
