"""Suspicious data of a robot: it loads and computes, but a person should look at it.

Each check is a generator of remarks; to add one, write it and name it in CHECKS. Thresholds are set so that real robots
give few remarks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import OrdernError
from ..model import Geometry, Link, Mass, Model, Placement
from ..model.closures import count
from .changes import agreeing, wired
from .description_file import read
from .followers import held_by_followers
from .meshes import mesh_path
from .physical import NEGLIGIBLE, impossible, matrix, violations
from .specs import DEGREES, quoted
from .xml import Element, parse

__all__ = ["Remark", "lint"]

ORIGIN = (0.0, 0.0, 0.0)
SMALLEST = 0.05  # m: links are taken to be at least this long
FAR = 10.0  # m: beyond it a length is probably in millimetres
HEAVY = 2000.0  # kg: beyond it a mass is probably in grams
TURNS = 4 * math.pi  # rad: a limit beyond it is probably in degrees,
UNLIMITED = 1000.0  # unless it stands for none at all
# m: radius of gyration of 1 kg of osmium as a ball, less a tenth
DENSEST = 0.9 * math.sqrt(0.4) * (3 / (4 * math.pi * 22_600)) ** (1 / 3)
# a link that weighs this many times the next lighter one is odd; bases of drones and quadrupeds may
GAP, BASE_GAP = 10.0, 300.0
ROUNDED = 1e-4  # a right angle written with four digits is off by less


@dataclass(frozen=True)
class Remark:
    """A remark: "warning" (probably wrong) or "note" (perhaps meant), where, what, and what to do."""

    level: str
    where: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.level}: {self.where}: {self.message}; {self.remedy}"


def lint(model: Model) -> list[Remark]:
    """All remarks on a model, warnings first."""
    whole = agreeing(wired(model), negative=True)  # what dynamics use, whatever the links said before
    found = [remark for check in CHECKS for remark in check(whole)]
    return sorted(found, key=lambda remark: remark.level != "warning")


def _massive(model: Model) -> list[Link]:
    return [link for link in model.links if abs(link.mass) > 1e-5 or max(map(abs, link.inertia)) > 1e-5]


def possible_inertia(model: Model) -> Iterator[Remark]:
    """Inertias that no rigid body has, including some that loading accepts."""
    for link in _massive(model):
        reason = f"its mass is {link.mass:.4g} kg, below zero" if link.mass < 0 else impossible(link.mass, link.inertia)
        if not reason and float(violations(link.mass, link.inertia, triangle=1e-3)) > 0:
            w = np.linalg.eigvalsh(matrix(link.inertia))
            reason = (
                f"principal moments {', '.join(f'{e:.4g}' for e in w)} kg m^2, the largest above the sum of the others"
            )
        if reason:
            remedy = "correct the inertia (about the mass centre, in the axes of its frame)"
            yield Remark("warning", f"link {link.name!r}", reason, remedy)


def placeholder_inertia(model: Model) -> Iterator[Remark]:
    """Unit inertia: one kilogram with a radius of gyration of one metre is a template's filling."""
    for link in _massive(model):
        if _unit(link):
            text = f"inertia 1 1 1 kg m^2 for {link.mass:g} kg looks like a placeholder"
            yield Remark("warning", f"link {link.name!r}", text, "give real numbers")


def _unit(link: Link) -> bool:
    return tuple(link.inertia[:3]) == (1.0, 1.0, 1.0) and link.mass <= 10


def extent(model: Model) -> list[float]:
    """How far each link reaches, in m: to neighbouring frames and its simple shapes; 1 m more if it slides."""
    reach = [SMALLEST] * len(model.links)
    for k, link in enumerate(model.links):
        far = [math.dist(link.placement.origin, ORIGIN), *(_size(s) for s in (*link.visuals, *link.collisions))]
        if link.parent >= 0:
            above = model.links[link.parent]
            moving = above.body != link.body
            frame = model.bodies[link.body].placement if moving else link.placement
            away = math.dist((above.placement.inverse() @ frame).origin, ORIGIN)
            reach[link.parent] = max(reach[link.parent], away)
            far += [away, 1.0 if moving and model.bodies[link.body].joint.form.kind == "slide" else 0.0]
        reach[k] = max(reach[k], *far)
    for k, link in enumerate(model.links):  # a welded link without shapes holds the mass of the one it is welded to
        if link.parent >= 0 and model.links[link.parent].body == link.body and not (link.visuals or link.collisions):
            reach[k] = max(reach[k], reach[link.parent])
    return reach


def _size(shape: Geometry) -> float:
    """From the link's frame to the far end of a simple shape; meshes are not opened."""
    away = math.dist(shape.placement.origin, ORIGIN)
    if shape.kind == "mesh":
        return away
    return away + 0.5 * math.hypot(*(abs(e) * (2 if shape.kind != "box" else 1) for e in shape.size))


def plausible_inertia(model: Model) -> Iterator[Remark]:
    """Radius of gyration and mass centre against the size of the link."""
    ends = []
    for link, reach in zip(model.links, extent(model), strict=True):
        if link.mass <= 1e-3 or _unit(link):
            continue
        far = math.dist(link.com, ORIGIN)
        moment = float(np.linalg.eigvalsh(matrix(link.inertia))[-1])
        radius = math.sqrt(max(moment, 0.0) / link.mass)
        where = f"link {link.name!r}"
        meshes = any(s.kind == "mesh" for s in (*link.visuals, *link.collisions))  # their size is not known
        if far > max(3 * reach, 1.0 if meshes else 0.3):
            text = f"the mass centre lies {far:.3g} m from the frame of a link of some {reach:.2g} m"
            yield Remark("warning", where, text, "check com; is it in mm?")
        if radius > max(3 * max(reach, far), 0.3 if meshes else 0.15):
            text = (
                f"inertia {moment:.3g} kg m^2 for {link.mass:.3g} kg means a radius of gyration of {radius:.2g} m "
                f"in a link of some {reach:.2g} m"
            )
            yield Remark("warning", where, text, "check units and the point the inertia is about")
        elif moment > 0 and radius < DENSEST * link.mass ** (1 / 3):
            ball = 2e3 * radius / math.sqrt(0.4)
            text = (
                f"inertia {moment:.3g} kg m^2 for {link.mass:.3g} kg means a ball of {ball:.3g} mm, denser than any "
                "metal"
            )
            yield Remark("warning", where, text, "check units; inertia is in kg m^2")
        elif _about_origin(link):
            ends.append(link.name)
    if ends:
        text = (
            f"inertias that look as if they were about the link's frame, not about the mass centre: {quoted(ends, 4)}"
        )
        yield Remark("note", f"link {ends[0]!r}", text, "take m (c.c 1 - c c^T) off them if so")


def _about_origin(link: Link) -> bool:
    """Whether the inertia is that of a slender body about its end: moments just above m c^2, one small."""
    c2 = sum(e * e for e in link.com)
    if c2 < SMALLEST**2:
        return False
    w = np.linalg.eigvalsh(matrix(link.inertia))
    shift = np.array(Mass.from_com(link.mass, link.com, (0.0,) * 6).I)
    rest = np.array(link.inertia) - shift
    slender = w[0] < 0.2 * w[1] and link.mass * c2 < w[1] and w[2] < 1.6 * link.mass * c2
    return bool(slender and not violations(link.mass, rest, negative=1e-9, triangle=1e-2) > 0)


def massless(model: Model) -> Iterator[Remark]:
    """Moving bodies without mass, and inertias that are missing."""
    empty = [b.name for b in model.bodies[1:] if b.inertia.m == 0]
    if empty:
        text = f"joints that move no mass of their own: {quoted(empty, 4)}"
        yield Remark("note", f"joint {empty[0]!r}", text, "give the links mass if they have any")
    heavy = [link for link in model.links if link.mass > 0.01]
    points = [link.name for link in heavy if max(map(abs, link.inertia)) < link.mass * NEGLIGIBLE**2]
    if points:
        text = f"links with mass but without inertia: {quoted(points, 4)}"
        yield Remark("note", f"link {points[0]!r}", text, "give the inertia about the mass centre")


def mass_ratio(model: Model) -> Iterator[Remark]:
    """Neighbours of very different mass make the equations ill-conditioned."""
    for body in model.bodies[1:]:
        above = model.bodies[body.parent].inertia.m
        if body.parent and 0 < above * 1000 < body.inertia.m:
            text = f"it carries {body.inertia.m:.3g} kg on a body of {above:.3g} kg"
            yield Remark("note", f"joint {body.name!r}", text, "check both masses; forward dynamics loses digits")


def heavy_links(model: Model) -> Iterator[Remark]:
    """A few links that weigh many times as much as all others: a slipped decimal point, or grams among kilograms."""
    links = sorted((link for link in model.links if link.mass > 1e-3), key=lambda link: link.mass)
    for k in range(len(links) - 1, max(min((3 * len(links) - 1) // 4, len(links) - 2), 1), -1):
        base = links[k].body == 0 or not model.bodies[links[k].body].joint.driven
        # of three links one may well be heavy: a cart, a pedestal
        gap = BASE_GAP if base else GAP if k > 2 else 10 * GAP
        if links[k].mass > gap * links[k - 1].mass:
            text = f"its mass is {links[k].mass:.4g} kg where {k} others have {links[k - 1].mass:.4g} kg at most"
            yield Remark("warning", f"link {links[k].name!r}", text, "check the decimal point and the unit")
            return


def read_angles(model: Model) -> Iterator[Remark]:
    """What reading noticed: angles that look like degrees, soft limits beyond the hard ones."""
    for where, text, remedy in dict.fromkeys(model.suspect[:5]):
        yield Remark("warning", where, text, remedy)


def units(model: Model) -> Iterator[Remark]:
    """Lengths in mm, masses in g, angles in degrees, gravity in mm/s^2."""
    for body in model.bodies[1:]:
        where, away = f"joint {body.name!r}", max(map(abs, body.placement.origin))
        if away > FAR:
            yield Remark("warning", where, f"it sits {away:.4g} m off", "lengths are in metres; is this mm?")
        ends = [e for e in (*body.lower, *body.upper) if math.isfinite(e)]
        if body.joint.form.kind == "hinge" and any(TURNS < abs(e) < UNLIMITED for e in ends):
            yield Remark("warning", where, f"limits {ends[0]:g} to {ends[-1]:g} rad", DEGREES)
        if body.joint.form.kind == "slide" and any(FAR < abs(e) < UNLIMITED for e in ends):
            text = f"limits {ends[0]:g} to {ends[-1]:g} m"
            yield Remark("warning", where, text, "lengths are in metres; are these mm?")
    for link in model.links:
        if link.mass > HEAVY:
            text = f"its mass is {link.mass:.4g} kg"
            yield Remark("warning", f"link {link.name!r}", text, "masses are in kilograms; is this grams?")
    if math.hypot(*model.gravity) > 100:
        yield Remark("warning", "gravity", f"it is {math.hypot(*model.gravity):.4g} m/s^2", "give it in m/s^2")


def limits(model: Model) -> Iterator[Remark]:
    """Joints without limits, with limits that leave no way, and motors without force or speed."""
    single = [b for b in model.bodies[1:] if b.joint.nv == 1 and b.mimic is None]
    open_ended = [b.name for b in single if not b.continuous and not (b.lower and b.upper)]
    if open_ended:
        text = f"joints without position limits: {quoted(open_ended, 4)}"
        yield Remark("note", f"joint {open_ended[0]!r}", text, "add lower and upper")
    for b in single:
        if b.lower and b.upper and b.lower[0] >= b.upper[0]:
            text = f"limits {b.lower[0]:g} to {b.upper[0]:g} leave no way to move"
            yield Remark("warning", f"joint {b.name!r}", text, "correct them or lock the joint")
    for what, given in (
        ("effort", [b for b in single if b.effort == (0.0,)]),
        ("velocity", [b for b in single if b.velocity == (0.0,)]),
    ):
        if given:
            text = f"the {what} limit of {quoted((b.name for b in given), 4)} is 0"
            yield Remark("note", f"joint {given[0].name!r}", text, f"give the real {what} limit, or none")
    for b in model.bodies[1:]:
        if b.mimic is not None and b.mimic.ratio == 0:
            yield Remark("note", f"joint {b.name!r}", "it mimics with the ratio 0 and never moves", "make it fixed")
    for leader, follower in held_by_followers(model):
        text = f"its limits and those of {follower!r}, which mimics it, leave no way to move"
        yield Remark("warning", f"joint {leader!r}", text, "correct the limits, or the ratio and offset of the mimic")


def rounded_angles(model: Model) -> Iterator[Remark]:
    """Right angles with few digits: an axis that is nearly vertical costs operations and never quite is."""
    off = [b.name for b in model.bodies[1:] if _nearly_right(b.placement)]
    if off:
        text = f"right angles at {quoted(off, 4)} are written with few digits (such as 1.5708)"
        yield Remark("note", f"joint {off[0]!r}", text, "write 1.5707963267948966 and 3.141592653589793")


def _nearly_right(frame: Placement) -> bool:
    off = [abs(e - round(e)) for e in frame.rotation]
    return 0 < max(off) < ROUNDED


def shapes(model: Model) -> Iterator[Remark]:
    """The same shape twice on a link, and shapes without size."""
    for link in model.links:
        for what, many in (("visual", link.visuals), ("collision", link.collisions)):
            if len(set(many)) < len(many):
                yield Remark("note", f"link {link.name!r}", f"the same {what} shape is there twice", "remove one")
            if any(s.kind != "mesh" and min(s.size, default=0.0) <= 0 for s in many):
                yield Remark("note", f"link {link.name!r}", f"a {what} shape has no size", "give positive sizes")


def axes_in_file(model: Model) -> Iterator[Remark]:
    """Axes whose length in the file is not one: harmless here, but other programs scale the motion by it."""
    if not model.source.endswith(".urdf") or not Path(model.source).is_file():
        return
    try:
        elements: list[Element] = []
        unread = frozenset({"link", "gazebo", "transmission"})
        parse(read(model.source), model.source, unread, lambda _, element: elements.append(element))
        moving = [j for j in elements if j.tag == "joint" and j.attributes.get("type") not in ("fixed", "floating")]
        axes = {j.attributes.get("name", ""): j.one("axis") for j in moving}
        off = [
            name
            for name, axis in axes.items()
            if axis is not None and abs(math.hypot(*axis.numbers("xyz", 3, (1.0, 0.0, 0.0))) - 1) > 1e-3
        ]
    except OrdernError:  # the file has changed since it was loaded
        return
    if off:
        text = f"the axes of {quoted(off, 4)} are not of length 1 in the file"
        yield Remark("note", f"joint {off[0]!r}", text, "write unit vectors")


def loops(model: Model) -> Iterator[Remark]:
    """Equations of loops that follow from others, and mechanisms that cannot move."""
    for loop in model.loops:
        total = count(loop.kind)
        if len(loop.kept) < total:
            text = f"{total - len(loop.kept)} of {total} equations follow from the other loops and joints"
            remedy = "leave it out" if loop.terms else "a 'point' or a looser joint type says the same"
            text += "" if loop.terms else ", as in a planar linkage"
            yield Remark("note", f"loop {loop.name!r}", text, f"forces along these are taken as zero; {remedy}")
    if model.loops and model.nv == sum(len(loop.kept) for loop in model.loops):
        text = "its loops leave nothing free to move"
        yield Remark("warning", f"robot {model.name!r}", text, "remove a loop or use a looser joint type")


def left_out(model: Model) -> Iterator[Remark]:
    """Parts of the description that rigid dynamics ignores."""
    for line in model.beyond:
        yield Remark("note", "description", f"not in the model: {line}", "motion is computed without it")


def missing_meshes(model: Model) -> Iterator[Remark]:
    """Mesh files that the description names and that are not there: the page draws bars in their place."""
    paths = dict.fromkeys(s.path for link in model.links for s in (*link.visuals, *link.collisions) if s.path)
    lost = [path for path in paths if model.source and mesh_path(model, path) is None]
    if lost:
        package = lost[0].partition("package://")[2].lstrip("/").partition("/")[0]
        where = f"packages={{{package!r}: FOLDER}} (--package {package}=FOLDER)" if package else "their folder"
        text = f"{len(lost)} of {len(paths)} mesh files are not found: {quoted(lost, 3)}"
        yield Remark("note", "meshes", text, f"dynamics do not need them; for the page, give {where}")


CHECKS: Sequence[Callable[[Model], Iterable[Remark]]] = (
    possible_inertia, placeholder_inertia, plausible_inertia, massless, mass_ratio, heavy_links, read_angles, units,
    limits, rounded_angles, shapes, axes_in_file, loops, left_out,
    missing_meshes,
)  # fmt: skip
