"""Fewer operations before tracing: the same robot in body frames whose constants vanish, and with inertia moved where
it costs nothing.

Both rewrite a Model into one with the same joint-space behaviour (torques, accelerations, mass matrix for the same q,
qd, ...).

``dh_frames``: a body frame on a revolute or prismatic joint may be turned about its axis and shifted along it. Denavit
and Hartenberg's choice, x along the common normal to the next axis, makes the placement of that next joint one planar
turn Rx(alpha) and an origin (a, 0, b); what remains of the turn about the next axis goes into the joint's offset.
Further children of a body have two planar turns, Rz(gamma) Rx(alpha). ``regroup``: mass spread along a revolute axis is
carried alike by either side of the joint, so it is moved to the parent (base parameters; [KK87] Khalil and Kleinfinger,
1987); a body on a slide turns as its parent does, so its second moments are moved.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from operator import attrgetter

from ..joints import QUARTERS, Joint
from ..model import Body, Link, Loop, Mass, Model, Placement, tidy
from ..model.model_scalars import rotation_structure

__all__ = ["cheapest_frames", "dh_frames", "regroup"]

# what stays as it is; dataclasses.replace takes twice as long, and long robots have many bodies
_OF_BODY, _OF_LINK = attrgetter(*(f.name for f in fields(Body)[5:])), attrgetter(*(f.name for f in fields(Link)[3:]))
# radii of gyration that a body's frame may be away from it: inertia about a far point loses the square of that in
# digits
OWN = 12.0
FAR = 4.0  # the same for a body without mass, in lengths of its offset from the parent


def dh_frames(model: Model) -> Model:
    """The same robot with frames moved along and about the joint axes so that placements have few non-zero constants.

    The world frame moves onto the first joint as well; gravity turns with it. Poses in the world are *not* kept,
    joint-space quantities and the links' placements on their bodies are.
    """
    moves: list[Placement] = [Placement()] * len(model.bodies)  # new body frame in the old one
    back = list(moves)  # and the old one in the new one
    bodies, children = list(model.bodies), _first_children(model)
    if 0 in children:
        moves[0] = model.bodies[children[0]].placement
        back[0] = moves[0].inverse()
    for i in range(1, len(bodies)):
        body = bodies[i]
        placement = back[body.parent] @ body.placement
        angle = 0.0
        if body.joint.form.turnable:
            placement, angle, moves[i] = _revolute(placement, _reach(body))
            nxt = children.get(i)
            if (
                nxt is not None
            ):  # turn x towards the common normal with the next axis; our own joint's offset takes it back
                gamma = _normal_angle(moves[i].inverse() @ model.bodies[nxt].placement, model.bodies[nxt])
                moves[i], angle = moves[i] @ _turn_z(gamma), angle + gamma
        elif body.joint.form.kind == "slide":
            placement, moves[i] = _prismatic(placement, _reach(body))
        back[i] = moves[i].inverse()
        bodies[i] = _moved(body, placement, back[i], angle)
    links = [Link(link.name, link.body, back[link.body] @ link.placement, *_OF_LINK(link)) for link in model.links]
    loops = tuple(_loop_moved(loop, back[0]) for loop in model.loops)
    g = back[0].rotate(model.gravity)
    gravity = (_clean(g[0], model.gravity), _clean(g[1], model.gravity), _clean(g[2], model.gravity))
    return model.changed(bodies=tuple(bodies), links=tuple(links), gravity=gravity, loops=loops)


def _loop_moved(loop: Loop, back: Placement) -> Loop:
    """Frames on links move with these; frames in the world are seen from its new place."""
    frames = {
        key: back @ getattr(loop, key) for key, link in (("frame1", loop.link1), ("frame2", loop.link2)) if link < 0
    }
    return replace(loop, **frames) if frames and not loop.terms else loop


def cheapest_frames(model: Model) -> Model:
    """The given frames or those of Denavit and Hartenberg, whichever have fewer constants to multiply with."""
    other = dh_frames(model)
    return other if _price(other) < _price(model) else model


def _price(model: Model) -> int:
    """Estimated multiplications by constants: four vectors turned, three products with each origin."""
    turns = {"1": 0, "x": 4, "y": 4, "z": 4, "xz": 8, "any": 12}
    price = 0
    for body in model.bodies[1:]:
        at = body.placement
        price += 4 * turns[rotation_structure(at.rotation)] + 4 * (3 - at.origin.count(0.0))
        price += 9 - body.inertia.h.count(0.0) - body.inertia.I.count(0.0)
        constants = body.joint.constants
        price += constants != () and constants[-1] not in QUARTERS
    return price + 4 * sum(x != 0.0 for x in model.gravity)


def _clean(x: float, like: tuple[float, float, float]) -> float:
    return 0.0 if abs(x) <= 4e-16 * max(map(abs, like)) else x


def _first_children(model: Model) -> dict[int, int]:
    """For each body the child on a turning joint that its x axis will serve: the first one."""
    found: dict[int, int] = {}
    for i, body in enumerate(model.bodies):
        if i and (body.joint.form.turnable or body.joint.form.kind == "slide"):
            found.setdefault(body.parent, i)
    return found


def _turn_z(angle: float) -> Placement:
    c, s = tidy(math.cos(angle)), tidy(math.sin(angle))
    return Placement((c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))


def _moved(body: Body, placement: Placement, back: Placement, angle: float) -> Body:
    """The body in its new frame, in which ``back`` places the old one; its joint starts at an angle further on."""
    joint = (body.joint.turned(angle) if angle else None) or body.joint
    return _with(body, joint, placement, body.inertia.moved(back))


def _with(body: Body, joint: Joint, placement: Placement, inertia: Mass) -> Body:
    return Body(body.name, joint, body.parent, placement, inertia, *_OF_BODY(body))


def _euler(r: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """gamma, cos and sin of alpha, theta with R = Rz(gamma) Rx(alpha) Rz(theta); gamma = 0 for parallel axes."""
    sine = math.hypot(r[2], r[5])
    if sine < 4e-16:
        return 0.0, math.copysign(1.0, r[8]), 0.0, math.atan2(math.copysign(1.0, r[8]) * r[3], r[0]), 0.0
    gamma = math.atan2(r[2], -r[5])
    # theta from what is left after gamma and alpha, not from the last row: for nearly parallel axes only their sum is
    # well determined
    cg, sg = math.cos(gamma), math.sin(gamma)
    theta = math.atan2(r[8] * (cg * r[3] - sg * r[0]) + sine * r[6], cg * r[0] + sg * r[3])
    return gamma, tidy(r[8]), tidy(sine), theta, sine


def _normal_angle(placement: Placement, child: Body) -> float:
    """Where, about our z, the x axis must point for the child's placement to need one turn only."""
    gamma, _, sine, _, _ = _euler(placement.rotation)
    x, y, _ = placement.origin
    if sine == 0.0:  # parallel axes: the offset between them is the common normal
        return math.atan2(y, x) if child.joint.form.turnable and (x or y) else 0.0
    return gamma


def _two_turns(gamma: float, c: float, s: float) -> tuple[float, ...]:
    cg, sg = tidy(math.cos(gamma)), tidy(math.sin(gamma))
    return (cg, -sg * c, sg * s, sg, cg * c, -cg * s, 0.0, s, c)


def _reach(body: Body) -> float:
    """How far the body's frame may be moved."""
    own = body.inertia
    if own.m > 0:
        return OWN * math.sqrt(max(own.I[:3]) / own.m)
    # on the world, what lies between is of no use
    return FAR * math.hypot(*body.placement.origin) if body.parent else 0.0


def _revolute(placement: Placement, reach: float) -> tuple[Placement, float, Placement]:
    """Rz(gamma) Rx(alpha) at the foot of the common normal, the rest of the turn, the frame's shift."""
    gamma, c, s, theta, sine = _euler(placement.rotation)
    gamma = 0.0 if abs(gamma) < 4e-16 else gamma
    p = placement.origin
    z = (placement.rotation[2], placement.rotation[5], placement.rotation[8])
    # parallel: slide until the offset has no part along the axis; else to the point of our axis that is next to the
    # parent's
    along = -p[2] * z[2] if sine == 0.0 else -(p[0] * z[0] + p[1] * z[1]) / (sine * sine)
    if abs(along) > reach:
        along = 0.0
    origin = (p[0] + along * z[0], p[1] + along * z[1], p[2] + along * z[2])
    size = 4e-16 * (math.hypot(*p) + abs(along))
    x, y, w = (0.0 if abs(e) <= size else e for e in origin)
    return Placement(_two_turns(gamma, c, s), (x, y, w)), theta, Placement(origin=(0.0, 0.0, along))


def _prismatic(placement: Placement, reach: float) -> tuple[Placement, Placement]:
    """A slide's frame may sit anywhere: its origin at the parent's, x where one or two turns suffice."""
    gamma, c, s, theta, _ = _euler(placement.rotation)
    p = placement.inverse().origin  # the parent's origin in the joint frame
    if math.hypot(*p) > reach:
        return Placement(_two_turns(gamma, c, s), placement.origin), Placement(_turn_z(-theta).rotation)
    return Placement(_two_turns(gamma, c, s)), Placement(_turn_z(-theta).rotation, (p[0], p[1], p[2]))


def regroup(model: Model) -> Model:
    """Move inertia a joint cannot feel to its parent: m, hz and the second moment along z (revolute)."""
    masses = [b.inertia for b in model.bodies]
    for i in range(len(masses) - 1, 0, -1):
        body, own = model.bodies[i], masses[i]
        xx, yy, zz, xy, xz, yz = own.I
        if body.joint.form.kind == "hinge":
            j = 0.5 * (xx + yy - zz)
            free = Mass(own.m, (0.0, 0.0, own.h[2]), (j, j, 0.0, 0.0, 0.0, 0.0))
            # so that j is exactly gone
            masses[i] = Mass(0.0, (own.h[0], own.h[1], 0.0), (xx - j, yy - j, (xx - j) + (yy - j), xy, xz, yz))
        elif body.joint.form.kind == "slide":
            free = Mass(0.0, (0.0, 0.0, 0.0), own.I)
            masses[i] = Mass(own.m, own.h)
        else:
            continue
        masses[body.parent] = masses[body.parent] + free.moved(body.placement)
    return model.with_bodies(_with(b, b.joint, b.placement, m) for b, m in zip(model.bodies, masses, strict=True))
