"""Body, Link, Model: what a robot is, frozen. World is body 0, parents come before children.

A *body* is a rigid group that one joint moves; a *link* is a named frame on a body (the frames of the description, those behind fixed
joints included). A body's frame is where its joint's axis is z; ``Link.placement`` leads from there to the frame the user gave.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..joints import Floating, Joint
from .extras import Drive, State, springs

__all__ = ["Body", "Drive", "Geometry", "Link", "Loop", "Mass", "Mimic", "Model", "Placement", "State", "tidy"]

SNAP = 4e-16  # two ulps of one: what sin(pi) and products of such matrices leave behind
_EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def tidy(x: float) -> float:
    """X with the rounding dust of right angles removed: values within two ulps of 0, 1, -1 become exactly that."""
    if -SNAP < x < SNAP:
        return 0.0
    if 1 - SNAP < x < 1 + SNAP:
        return 1.0
    if -1 - SNAP < x < -1 + SNAP:
        return -1.0
    return x


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a frame sits in another one: ``rotation`` (row by row) has its axes as columns, ``origin`` is its origin (m)."""

    rotation: tuple[float, ...] = _EYE
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @classmethod
    def from_rpy(cls, xyz: Sequence[float], rpy: Sequence[float]) -> Placement:
        """URDF's origin: Rz(yaw) Ry(pitch) Rx(roll)."""
        (sr, cr), (sp, cp), (sy, cy) = ((tidy(math.sin(a)), tidy(math.cos(a))) for a in rpy)
        r = (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr)
        return cls(tuple(tidy(e) for e in r), (float(xyz[0]), float(xyz[1]), float(xyz[2])))

    @classmethod
    def from_matrix(cls, matrix: object) -> Placement:
        """From a 4x4 (or 3x3) array."""
        m = np.asarray(matrix, float)
        p = m[:3, 3] if m.shape[1] == 4 else np.zeros(3)
        return cls(tuple(tidy(float(e)) for e in m[:3, :3].ravel()), (float(p[0]), float(p[1]), float(p[2])))

    def rotate(self, v: Sequence[float]) -> tuple[float, float, float]:
        """Components of v in the outer frame."""
        r = self.rotation
        return (r[0] * v[0] + r[1] * v[1] + r[2] * v[2], r[3] * v[0] + r[4] * v[1] + r[5] * v[2], r[6] * v[0] + r[7] * v[1] + r[8] * v[2])

    def __matmul__(self, o: Placement) -> Placement:
        """Self followed by o."""
        if self.rotation == _EYE:
            (x, y, z), (p, q, r) = self.origin, o.origin
            return Placement(o.rotation, (x + p, y + q, z + r))
        (a, b, c, d, e, f, g, h, k), (p, q, r, s, t, u, v, w, x) = self.rotation, o.rotation
        turned = (
            a * p + b * s + c * v, a * q + b * t + c * w, a * r + b * u + c * x,
            d * p + e * s + f * v, d * q + e * t + f * w, d * r + e * u + f * x,
            g * p + h * s + k * v, g * q + h * t + k * w, g * r + h * u + k * x,
        )  # fmt: skip
        at = self.rotate(o.origin)
        origin = (self.origin[0] + at[0], self.origin[1] + at[1], self.origin[2] + at[2])
        near = 1.0 - SNAP
        return Placement(tuple([z if SNAP < z < near or -near < z < -SNAP else tidy(z) for z in turned]), origin)

    def inverse(self) -> Placement:
        """The outer frame as seen from this one."""
        (a, b, c, d, e, f, g, h, k), (x, y, z) = self.rotation, self.origin
        origin = (-(a * x + d * y + g * z) + 0.0, -(b * x + e * y + h * z) + 0.0, -(c * x + f * y + k * z) + 0.0)
        return Placement((a, d, g, b, e, h, c, f, k), origin)

    def matrix(self) -> Any:
        """As a 4x4 array."""
        m = np.eye(4)
        m[:3, :3], m[:3, 3] = np.reshape(self.rotation, (3, 3)), self.origin
        return m

    def is_identity(self) -> bool:
        """Whether both frames coincide exactly."""
        return self.rotation == _EYE and self.origin == (0.0, 0.0, 0.0)


Tensor = tuple[float, float, float, float, float, float]  # xx yy zz xy xz yz


def turn_tensor(r: Sequence[float], t: Sequence[float]) -> Tensor:
    """R t R^T for t = (xx, yy, zz, xy, xz, yz)."""
    (a, b, c, d, e, f, g, h, k), (xx, yy, zz, xy, xz, yz) = r, t
    u = (a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz)  # rows of R t
    v = (d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz)
    w = (g * xx + h * xy + k * xz, g * xy + h * yy + k * yz, g * xz + h * yz + k * zz)
    return (
        u[0] * a + u[1] * b + u[2] * c, v[0] * d + v[1] * e + v[2] * f, w[0] * g + w[1] * h + w[2] * k,
        u[0] * d + u[1] * e + u[2] * f, u[0] * g + u[1] * h + u[2] * k, v[0] * g + v[1] * h + v[2] * k,
    )  # fmt: skip


def _sum(a: Tensor, b: Tensor) -> Tensor:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


def _parallel_axis(m: float, c: Sequence[float]) -> Tensor:
    x, y, z = c
    return (m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y), -m * x * y, -m * x * z, -m * y * z)


@dataclass(frozen=True, slots=True)
class Mass:
    """Mass m (kg), first moment h = m c (kg m) and inertia about the frame's origin (kg m^2: xx yy zz xy xz yz)."""

    m: float = 0.0
    h: tuple[float, float, float] = (0.0, 0.0, 0.0)
    I: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def from_com(cls, m: float, com: Sequence[float], tensor: Sequence[float]) -> Mass:
        """From the mass centre and the inertia about it."""
        shift = _parallel_axis(m, com)
        xx, yy, zz, xy, xz, yz = (a + b for a, b in zip(tensor, shift, strict=True))
        return cls(m, (m * com[0], m * com[1], m * com[2]), (xx, yy, zz, xy, xz, yz))

    @property
    def com(self) -> tuple[float, float, float]:
        """The mass centre; the origin for a massless body."""
        return (self.h[0] / self.m, self.h[1] / self.m, self.h[2] / self.m) if self.m else (0.0, 0.0, 0.0)

    def about_com(self) -> Tensor:
        """The inertia about the mass centre."""
        shift = _parallel_axis(self.m, self.com)
        xx, yy, zz, xy, xz, yz = (a - b for a, b in zip(self.I, shift, strict=True))
        return (xx, yy, zz, xy, xz, yz)

    def moved(self, frame: Placement) -> Mass:
        """The same body written in the frame in which ``frame`` places the present one."""
        if frame.is_identity():
            return self
        m, p = self.m, frame.origin
        b = frame.rotate(self.h)
        turned = turn_tensor(frame.rotation, self.I)
        h = (b[0] + m * p[0], b[1] + m * p[1], b[2] + m * p[2])
        s = [p[k] * (b[k] + h[k]) for k in range(3)]
        shift = (s[1] + s[2], s[0] + s[2], s[0] + s[1], -(p[0] * b[1] + h[0] * p[1]), -(p[0] * b[2] + h[0] * p[2]), -(p[1] * b[2] + h[1] * p[2]))
        return Mass(m, h, _sum(turned, shift))

    def __add__(self, o: Mass) -> Mass:
        return Mass(self.m + o.m, (self.h[0] + o.h[0], self.h[1] + o.h[1], self.h[2] + o.h[2]), _sum(self.I, o.I))

    def vector(self) -> tuple[float, ...]:
        """[m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz], the order of regressors (Pinocchio's too)."""
        xx, yy, zz, xy, xz, yz = self.I
        return (self.m, *self.h, xx, xy, yy, xz, yz, zz)


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
    stiffness: tuple[float, ...] = ()  # of a spring on the joint, one a velocity, only for coordinates that are numbers (N m/rad, N/m)
    springref: tuple[float, ...] = ()  # where that spring is at rest


@dataclass(frozen=True, slots=True)
class Loop:
    """What closes a kinematic chain: frame 1 on a link and frame 2 on another one (-1: the world), and how they may move relative to each other.

    ``kind`` is a joint type, "fixed", "point", "distance" or "gear"; axes are as the joint's class has them (z; x and y for a universal one).
    A gear has no frames: sum of ratio * q over ``terms`` = ``offset``. ``kept`` are the equations that do not follow from others.
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
    suspect: tuple[tuple[str, str, str], ...] = field(
        default=(), compare=False
    )  # (where, what, what to do) that reading noticed, for ``lint``
    loops: tuple[Loop, ...] = ()
    actuated: tuple[str, ...] | None = None  # joints with a drive; None for all
    home: tuple[float, ...] = ()  # coordinates at which all loops are closed, where there are any
    passive: tuple[int, ...] = ()  # velocities without drive that loops can hold independently of each other
    states: tuple[State, ...] = ()
    drives: tuple[Drive, ...] = ()
    beyond: tuple[str, ...] = ()  # what the description has and this model has not

    @cached_property
    def springs(self) -> tuple[tuple[float, float], ...]:
        """Stiffness and rest position of each velocity, followers' springs included; empty for a robot without springs."""
        return springs(self)

    packages: tuple[tuple[str, str], ...] = field(default=(), compare=False)  # folders that the user named for package://

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
        """Bodies whose joint has coordinates of its own (all but the world and mimicking ones)."""
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
        """Degrees of freedom: length of qd, qdd, tau."""
        return sum(self.bodies[i].joint.nv for i in self.free)

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
        """Per velocity, whether its joint has a drive; a floating base has none unless it is named."""
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
        """An array (n,) of a per-velocity property of the free bodies: armature, damping, friction, lower, upper, ..."""
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
            h.update(array("d", (*at.rotation, *at.origin, own.m, *own.h, *own.I, *b.armature)).tobytes())  # digits would take ten times as long
            if b.mimic is not None:
                h.update(repr((b.mimic.body, b.mimic.ratio, b.mimic.offset)).encode())
            if b.stiffness:
                h.update(repr(("spring", b.stiffness, b.springref)).encode())
        for link in self.links:
            h.update(array("d", (link.body, *link.placement.rotation, *link.placement.origin)).tobytes())
        for loop in self.loops:
            h.update(repr((loop.kind, loop.link1, loop.link2, loop.terms, loop.offset, loop.constants, loop.kept, loop.here)).encode())
            h.update(array("d", (*loop.frame1.rotation, *loop.frame1.origin, *loop.frame2.rotation, *loop.frame2.origin)).tobytes())
        if self.actuated is not None:
            h.update(repr([name in self.actuated for name in (b.name for b in self.bodies)]).encode())
        return h.hexdigest()
