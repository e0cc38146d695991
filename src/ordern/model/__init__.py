"""Body, Link, Model: what a robot is, frozen. World is body 0, parents come before children.

A *body* is a rigid group that one joint moves; a *link* is a named frame on a body (the frames of the description,
those behind fixed joints included). A body's frame is where its joint's axis is z; ``Link.placement`` leads from there
to the frame the user gave.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..joints import Floating, Joint
from .extras import Drive, State
from .placements import Mass, Placement, Tensor, tidy

__all__ = ["Body", "Drive", "Geometry", "Link", "Loop", "Mass", "Mimic", "Model", "Placement", "State", "tidy"]


@dataclass(frozen=True, slots=True)
class Mimic:
    """This joint follows another one: q = ratio * q_master + offset."""

    body: int
    ratio: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Geometry:
    """A shape on a link, for viewing: kind is box, cylinder, sphere, capsule or mesh."""

    kind: str
    size: tuple[float, ...] = ()  # box: x y z; cylinder, capsule: radius length; sphere: radius; mesh: scale x y z
    path: str = ""  # of a mesh, as the description has it
    placement: Placement = field(default_factory=Placement)
    color: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A named frame on a body, with the inertial data and shapes the description gave it, all in this frame."""

    name: str
    body: int
    placement: Placement = field(default_factory=Placement)  # in the body's frame
    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # about the mass centre: xx yy zz xy xz yz
    parent: int = -1  # the link before it; -1 for a root
    joint: str = ""  # the joint between both, moving or fixed
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid group and the joint that moves it relative to its parent body."""

    name: str  # of the joint
    joint: Joint
    parent: int
    placement: Placement  # of the joint frame in the parent body's frame
    inertia: Mass  # in the body's frame
    armature: tuple[float, ...] = ()  # one a velocity, like those below
    damping: tuple[float, ...] = ()
    friction: tuple[float, ...] = ()  # Coulomb
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()
    effort: tuple[float, ...] = ()
    mimic: Mimic | None = None
    continuous: bool = False
    # of a spring on the joint, one a velocity (N m/rad, N/m); for a quaternion the same three times
    stiffness: tuple[float, ...] = ()
    springref: tuple[float, ...] = ()  # the coordinates at which that spring is at rest


@dataclass(frozen=True, slots=True)
class Loop:
    """What closes a kinematic chain: frame 1 on a link and frame 2 on another one (-1: the world), and how they may
    move relative to each other.

    ``kind`` is a joint type, "fixed", "point", "distance" or "gear"; axes are as the joint's class has them (z; x and y
    for a universal one). A gear has no frames: sum of ratio * q over ``terms`` = ``offset``. ``kept`` are the equations
    that do not follow from others in general. ``spare`` ones follow from these by factors that change with q: here and
    there they say what some of those kept do not. ``soft``: equations of this loop have a part in that.
    """

    name: str
    kind: str
    link1: int = -1
    link2: int = -1
    frame1: Placement = field(default_factory=Placement)  # in link 1's frame
    frame2: Placement = field(default_factory=Placement)
    constants: tuple[float, ...] = ()  # pitch (m/rad) of a helical closure, length (m) of a distance
    terms: tuple[tuple[int, float], ...] = ()  # of a gear: body, ratio
    offset: float = 0.0
    kept: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    soft: bool = False
    here: bool = False  # a contact: frame 1 is wherever frame 2 is now, at rest


WORLD = Body("world", Floating(), 0, Placement(), Mass())


@dataclass(frozen=True)
class Model:
    """A tree of bodies with named links; everything an algorithm needs as plain numbers."""

    name: str
    bodies: tuple[Body, ...]  # bodies[0] is the world; its inertia is what is welded to it and takes no part
    links: tuple[Link, ...]
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    source: str = ""
    # (where, what, what to do) that reading noticed, for ``lint``
    suspect: tuple[tuple[str, str, str], ...] = field(default=(), compare=False)
    loops: tuple[Loop, ...] = ()
    actuated: tuple[str, ...] | None = None  # joints with a drive; None for all
    home: tuple[float, ...] = ()  # coordinates at which all loops are closed, where there are any
    passive: tuple[int, ...] = ()  # velocities without drive that loops can hold independently of each other
    states: tuple[State, ...] = ()
    drives: tuple[Drive, ...] = ()
    beyond: tuple[str, ...] = ()  # what the description has and this model has not

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {self.freedom}, {len(self.links)} links>"

    @cached_property
    def springs(self) -> bool:
        """Whether any joint has a spring."""
        return any(b.stiffness for b in self.bodies)

    # folders that the user named for package://
    packages: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @cached_property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Per body, where its coordinates and velocities start; a mimicking body has its master's."""
        made: list[tuple[int, int]] = [(0, 0)]
        iq = iv = 0
        for body in self.bodies[1:]:
            if body.mimic is not None:
                made.append((-1, -1))
            else:
                made.append((iq, iv))
                iq, iv = iq + body.joint.nq, iv + body.joint.nv
        return tuple(made[b.mimic.body] if b.mimic is not None else made[i] for i, b in enumerate(self.bodies))

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Bodies whose joints have their own coordinates (not the world, not mimics)."""
        return tuple(i for i, b in enumerate(self.bodies) if i and b.mimic is None)

    @cached_property
    def nq(self) -> int:
        """Length of q."""
        return sum(self.bodies[i].joint.nq for i in self.free)

    @cached_property
    def plain(self) -> bool:
        """Whether all coordinates are a vector: no quaternions or the like, so that moving adds."""
        return all(self.bodies[i].joint.plain for i in self.free)

    @cached_property
    def nv(self) -> int:
        """Length of qd, qdd, tau: degrees of freedom, of the spanning tree if there are loops."""
        return sum(self.bodies[i].joint.nv for i in self.free)

    @property
    def freedom(self) -> str:
        """Degrees of freedom in general position, loops counted."""
        free = self.nv - sum(len(loop.kept) for loop in self.loops)
        loops = f" ({self.nv} without the loop{'s' if len(self.loops) > 1 else ''})" if self.loops else ""
        return f"{free} degree{'' if free == 1 else 's'} of freedom{loops}"

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """Parent of each body; the world is its own."""
        return tuple(b.parent for b in self.bodies)

    @cached_property
    def coupled(self) -> bool:
        """Whether some joint mimics another one."""
        return any(b.mimic is not None for b in self.bodies)

    @cached_property
    def driven(self) -> tuple[bool, ...]:
        """Whether each velocity's joint has a drive; a floating base only if it is named."""
        made: list[bool] = []
        for i in self.free:
            body = self.bodies[i]
            has = body.joint.driven if self.actuated is None else body.name in self.actuated
            made += [has] * body.joint.nv
        return tuple(made)

    def loop_ends(self, loop: Loop) -> tuple[tuple[int, Placement], tuple[int, Placement]]:
        """Body and placement on it of both frames of a loop."""
        return tuple(
            (0, frame) if link < 0 else (self.links[link].body, self.links[link].placement @ frame)
            for link, frame in ((loop.link1, loop.frame1), (loop.link2, loop.frame2))
        )  # type: ignore[return-value]

    @cached_property
    def link_index(self) -> dict[str, int]:
        """Links by name."""
        return {link.name: k for k, link in enumerate(self.links)}

    @cached_property
    def joint_index(self) -> dict[str, int]:
        """Bodies by the name of their joint."""
        return {b.name: i for i, b in enumerate(self.bodies) if i}

    def per_velocity(self, what: str, default: float) -> Any:
        """A property of the free bodies by velocity (n,): armature, damping, friction, lower, upper, ..."""
        values: list[float] = []
        for i in self.free:
            body = self.bodies[i]
            values += getattr(body, what) or (default,) * body.joint.nv
        return np.array(values, float)

    def changed(self, **fields: Any) -> Model:
        """Another model that differs in the given fields."""
        return replace(self, **fields)

    def with_bodies(self, bodies: Iterable[Body]) -> Model:
        """Another model with these bodies."""
        return replace(self, bodies=tuple(bodies))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that dynamics depends on; names, shapes and limits are not part of it."""
        h = hashlib.sha256(repr(self.gravity).encode())
        for b in self.bodies[1:]:
            at, own = b.placement, b.inertia
            h.update(repr((b.joint.name, b.joint.constants, b.parent, len(b.armature))).encode())
            # digits would take ten times as long
            h.update(array("d", (*at.rotation, *at.origin, own.m, *own.h, *own.I, *b.armature)).tobytes())
            if b.mimic is not None:
                h.update(repr((b.mimic.body, b.mimic.ratio, b.mimic.offset)).encode())
            if b.stiffness:
                h.update(repr(("spring", b.stiffness, b.springref)).encode())
        for link in self.links:
            h.update(array("d", (link.body, *link.placement.rotation, *link.placement.origin)).tobytes())
        for loop in self.loops:
            h.update(
                repr(
                    (loop.kind, loop.link1, loop.link2, loop.terms, loop.offset, loop.constants, loop.kept, loop.here)
                    + ((loop.spare,) if loop.soft else ())
                ).encode()
            )
            h.update(
                array(
                    "d", (*loop.frame1.rotation, *loop.frame1.origin, *loop.frame2.rotation, *loop.frame2.origin)
                ).tobytes()
            )
        if self.actuated is not None:
            h.update(repr([name in self.actuated for name in (b.name for b in self.bodies)]).encode())
        if self.passive:  # two ways to close the same loops may differ in these
            h.update(repr(self.passive).encode())
        return h.hexdigest()
