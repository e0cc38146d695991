"""Every joint type. A new one is one class with ``@joint("name")``; descriptions, algorithms and tests find it by itself.

A joint moves its body frame relative to its own (fixed) joint frame. ``motion(q)`` gives the transform from joint frame to body frame
and the subspace S of relative twists, written in the body frame, so that the relative twist is S qd. Single-axis joints move along or
about z: descriptions turn given axes there. Quaternions are (x, y, z, w); a floating joint has q = [x y z, qx qy qz qw] and
qd = [omega; v], the twist in the body's own frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .scalars.primitives import Scalar, half, most, select, sincos, sqrt
from .spatial import Mat3, Planar, Rotation, Transform, Twist, Vec3
from .spatial.joint_space import KVec, Subspace

__all__ = ["JOINTS", "Cylindrical", "Floating", "Helical", "Joint", "Planar3", "Prismatic", "Revolute", "Spherical", "Universal", "joint"]

Array = Any
X_AXIS, Y_AXIS, Z_AXIS, ZERO = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, 0)
QUARTERS = {0: 0, np.pi / 2: 1, np.pi: 2, -np.pi: 2, -np.pi / 2: 3}  # offsets that are whole quarter turns
TINY = 1e-30  # keeps sin(h)/h finite at h = 0, in float32 too; for an angle below its square root that is 1 to the last digit


@dataclass(frozen=True)
class Joint(ABC):
    """One kind of joint, with its constants (rad, m, m/rad) as fields."""

    name: ClassVar[str]
    urdf: ClassVar[tuple[str, ...]] = ()
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    angular: ClassVar[tuple[bool, ...]] = (True,)  # per velocity: rad or m
    axial: ClassVar[bool] = True  # has a z axis that descriptions may align
    neutral: ClassVar[tuple[float, ...]] = (0.0,)

    @abstractmethod
    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """Transform from joint frame to body frame, and the subspace in the body frame."""

    def subspace_rate(self, q: KVec, qd: KVec) -> Subspace:
        """dS/dt in the body frame; zero where S is constant there."""
        return Subspace(*(Twist.zero() for _ in range(self.nv)))

    def bias(self, q: KVec, qd: KVec) -> Twist:
        """dS/dt times qd: acceleration that the joint's own rates give."""
        made: Twist = self.subspace_rate(q, qd) @ qd
        return made

    def step(self, q: KVec, v: KVec) -> KVec:
        """The coordinates after moving with the joint velocity v for unit time."""
        return q + v

    def rates(self, q: KVec, v: KVec) -> KVec:
        """dq/dt for the joint velocity v (they differ only where q holds a quaternion)."""
        return v

    def difference(self, q0: Array, q1: Array) -> Array:
        """The v with step(q0, v) = q1; arrays (..., nq) in, (..., nv) out."""
        return q1 - q0

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Uniform coordinates within the limits; where there is none, a full turn or one metre each way."""
        wide = np.where(np.array(self.angular), np.pi, 1.0)
        low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * wide, -wide))
        high = np.where(np.isfinite(upper), upper, low + 2 * wide)
        return low + (high - low) * rng.random((*batch, self.nv))

    @property
    def constants(self) -> tuple[float, ...]:
        """The values of the fields, in order."""
        return tuple(self.__dict__.values())


JOINTS: dict[str, type[Joint]] = {}


def joint(name: str, urdf: tuple[str, ...] = ()) -> Callable[[type[Joint]], type[Joint]]:
    """Register a joint class under its name and the URDF types it serves."""

    def register(cls: type[Joint]) -> type[Joint]:
        cls.name, cls.urdf = name, urdf
        JOINTS[name] = cls
        return cls

    return register


def _turn(axis: int, angle: Scalar, offset: Scalar = 0) -> Planar:
    """Components in a frame that is turned by angle + offset about its own coordinate axis (so: by minus that).

    A quarter turn as offset swaps sine and cosine, exactly and for nothing.
    """
    quarters = QUARTERS.get(offset) if isinstance(offset, (int, float)) else None
    s, c = sincos(angle + offset if quarters is None else angle)
    for _ in range(quarters or 0):
        s, c = c, -s
    return Planar(axis, c, -s)


@joint("revolute", urdf=("revolute", "continuous"))
@dataclass(frozen=True)
class Revolute(Joint):
    """Turns about z by q + offset (rad)."""

    offset: Scalar = 0.0

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [z; 0]."""
        return Transform(Rotation(_turn(2, q[0], self.offset)), ZERO), Subspace(Twist(Z_AXIS, ZERO))


@joint("prismatic", urdf=("prismatic",))
@dataclass(frozen=True)
class Prismatic(Joint):
    """Slides along z by q + offset (m)."""

    angular: ClassVar[tuple[bool, ...]] = (False,)
    offset: Scalar = 0.0

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [0; z]."""
        return Transform(Rotation.identity(), Vec3(0, 0, q[0] + self.offset)), Subspace(Twist(ZERO, Z_AXIS))


@joint("helical")
@dataclass(frozen=True)
class Helical(Joint):
    """Turns about z by q + offset and rises along z by pitch * q (pitch in m/rad)."""

    pitch: Scalar = 0.0
    offset: Scalar = 0.0

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [z; pitch z]."""
        origin = Vec3(0, 0, q[0] * self.pitch)
        return Transform(Rotation(_turn(2, q[0], self.offset)), origin), Subspace(Twist(Z_AXIS, Vec3(0, 0, self.pitch)))


@joint("cylindrical")
@dataclass(frozen=True)
class Cylindrical(Joint):
    """Turns about z by q[0] (rad) and slides along z by q[1] (m)."""

    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    angular: ClassVar[tuple[bool, ...]] = (True, False)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [z 0; 0 z]."""
        return Transform(Rotation(_turn(2, q[0])), Vec3(0, 0, q[1])), Subspace(Twist(Z_AXIS, ZERO), Twist(ZERO, Z_AXIS))


@joint("universal")
@dataclass(frozen=True)
class Universal(Joint):
    """Turns about the joint frame's x by q[0], then about the new y by q[1] (rad)."""

    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [x as the body sees it, y]: the first axis moves in the body frame."""
        second = _turn(1, q[1])
        first = Twist(second @ X_AXIS, ZERO)
        return Transform(Rotation(second, _turn(0, q[0])), ZERO), Subspace(first, Twist(Y_AXIS, ZERO))

    def subspace_rate(self, q: KVec, qd: KVec) -> Subspace:
        """d/dt (x axis in the body frame) = -qd[1] y x (x axis)."""
        x = _turn(1, q[1]) @ X_AXIS
        return Subspace(Twist(x.cross(Y_AXIS) * qd[1], ZERO), Twist.zero())


@joint("planar", urdf=("planar",))
@dataclass(frozen=True)
class Planar3(Joint):
    """Moves in the plane normal to z: q = [x, y, theta] in the joint frame (m, m, rad), qd its time derivative."""

    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    angular: ClassVar[tuple[bool, ...]] = (False, False, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0)

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [0 0 z; x y 0] with x and y of the joint frame as the body sees them."""
        turn = _turn(2, q[2])
        S = Subspace(Twist(ZERO, turn @ X_AXIS), Twist(ZERO, turn @ Y_AXIS), Twist(Z_AXIS, ZERO))
        return Transform(Rotation(turn), Vec3(q[0], q[1], 0)), S

    def subspace_rate(self, q: KVec, qd: KVec) -> Subspace:
        """The joint frame's axes turn backwards in the body frame: -thetad z x axis."""
        turn = _turn(2, q[2])
        return Subspace(*(Twist(ZERO, (turn @ axis).cross(Z_AXIS) * qd[2]) for axis in (X_AXIS, Y_AXIS)), Twist.zero())


def _quaternion_turn(x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> Rotation:
    """Parent to body components; any length of the quaternion but zero will do, so rounding in it never shears the body."""
    n = 2 / (x * x + y * y + z * z + w * w)
    xs, ys, zs = x * n, y * n, z * n
    xx, yy, zz, xy, xz, yz = x * xs, y * ys, z * zs, x * ys, x * zs, y * zs
    wx, wy, wz = w * xs, w * ys, w * zs
    return Rotation(Mat3(1 - (yy + zz), xy + wz, xz - wy, xy - wz, 1 - (xx + zz), yz + wx, xz + wy, yz - wx, 1 - (xx + yy)))


def _product(a: tuple[Scalar, ...], b: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def _sinc(h: Scalar) -> tuple[Scalar, Scalar]:
    """sin(h)/h and cos(h); h > 0."""
    s, c = sincos(h)
    return s / h, c


def _turned(q: tuple[Scalar, ...], v: Vec3) -> tuple[Scalar, ...]:
    """Q followed by the rotation vector v, at unit length."""
    h = sqrt(most(v.dot(v) * 0.25, TINY))
    sinc, c = _sinc(h)
    k = sinc * 0.5
    made = _product(q, (v.x * k, v.y * k, v.z * k, c))
    length = sqrt(made[0] * made[0] + made[1] * made[1] + made[2] * made[2] + made[3] * made[3])
    return tuple(e / length for e in made)


def _rotation_vector(q: Array) -> Array:
    """The shortest rotation vector of quaternions (..., 4)."""
    q = np.where(q[..., 3:] < 0, -q, q)
    length = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, q[..., 3:])
    return q[..., :3] * np.where(length > 1e-150, angle / np.maximum(length, 1e-150), 2.0)


def _conjugate_product(a: Array, b: Array) -> Array:
    """a^-1 b of unit quaternions (..., 4)."""
    a, b = (e / np.linalg.norm(e, axis=-1, keepdims=True) for e in (a, b))
    a, b = np.broadcast_arrays(a * [-1.0, -1.0, -1.0, 1.0], b)
    return np.stack(_product(tuple(np.moveaxis(a, -1, 0)), tuple(np.moveaxis(b, -1, 0))), axis=-1)


def _random_quaternion(rng: np.random.Generator, batch: tuple[int, ...]) -> Array:
    q = rng.standard_normal((*batch, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def _quaternion_rates(q: tuple[Scalar, ...], w: Vec3) -> tuple[Scalar, ...]:
    """Half of q (omega, 0)."""
    return tuple(half(e) for e in _product(q, (w.x, w.y, w.z, 0)))


@joint("spherical")
@dataclass(frozen=True)
class Spherical(Joint):
    """Turns any way: q is a quaternion (x, y, z, w), qd the angular velocity in the body frame."""

    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 3
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0, 1.0)

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = [1; 0]."""
        S = Subspace(Twist(X_AXIS, ZERO), Twist(Y_AXIS, ZERO), Twist(Z_AXIS, ZERO))
        return Transform(_quaternion_turn(*q.e), ZERO), S

    def step(self, q: KVec, v: KVec) -> KVec:
        """Q exp(v)."""
        return KVec(*_turned(q.e, Vec3(*v.e)))

    def rates(self, q: KVec, v: KVec) -> KVec:
        """Half of q (v, 0)."""
        return KVec(*_quaternion_rates(q.e, Vec3(*v.e)))

    def difference(self, q0: Array, q1: Array) -> Array:
        """log(q0^-1 q1)."""
        return _rotation_vector(_conjugate_product(q0, q1))

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Uniform on the rotations."""
        return _random_quaternion(rng, batch)


@joint("floating", urdf=("floating",))
@dataclass(frozen=True)
class Floating(Joint):
    """Moves freely: q = [x y z, qx qy qz qw] in the joint frame, qd = [omega; v] in the body frame."""

    nq: ClassVar[int] = 7
    nv: ClassVar[int] = 6
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True, True, False, False, False)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)

    def motion(self, q: KVec) -> tuple[Transform, Subspace]:
        """S = 1."""
        S = Subspace(*(Twist(e, ZERO) for e in (X_AXIS, Y_AXIS, Z_AXIS)), *(Twist(ZERO, e) for e in (X_AXIS, Y_AXIS, Z_AXIS)))
        return Transform(_quaternion_turn(*q.e[3:]), Vec3(*q.e[:3])), S

    def step(self, q: KVec, v: KVec) -> KVec:
        """The exponential of the twist: the body moves along a screw.

        With w = omega, h = |w|/2: p' = p + R (v + (1 - cos 2h)/(2h)^2 w x v + (1 - sin(2h)/(2h))/(2h)^2 w x (w x v)).
        """
        w, u = Vec3(*v.e[:3]), Vec3(*v.e[3:])
        two = w.dot(w)
        h = sqrt(most(two * 0.25, TINY))
        sinc, _ = _sinc(h)
        first = sinc * sinc * 0.5  # (1 - cos 2h)/(2h)^2
        second = _third_order(two)
        wu = w.cross(u)
        moved = u + wu * first + w.cross(wu) * second
        back = _quaternion_turn(*q.e[3:]).T
        p = Vec3(*q.e[:3]) + back @ moved
        return KVec(p.x, p.y, p.z, *_turned(q.e[3:], w))

    def rates(self, q: KVec, v: KVec) -> KVec:
        """The velocity in the joint frame, and half of q (omega, 0)."""
        p = _quaternion_turn(*q.e[3:]).T @ Vec3(*v.e[3:])
        return KVec(p.x, p.y, p.z, *_quaternion_rates(q.e[3:], Vec3(*v.e[:3])))

    def difference(self, q0: Array, q1: Array) -> Array:
        """The constant twist that moves q0 to q1 in unit time."""
        w = _rotation_vector(_conjugate_product(q0[..., 3:], q1[..., 3:]))
        quaternion = q0[..., 3:] / np.linalg.norm(q0[..., 3:], axis=-1, keepdims=True)
        d = _rotate_back(quaternion, q1[..., :3] - q0[..., :3])
        t2 = np.sum(w * w, axis=-1, keepdims=True)
        t = np.sqrt(t2)
        small = t < 1e-2
        safe = np.where(small, 1.0, t)
        # inverse of the exponential's matrix: 1 - [w]/2 + k [w][w]
        k = np.where(small, 1 / 12 + t2 / 720 + t2 * t2 / 30240, (1 - 0.5 * safe * np.sin(safe) / (1 - np.cos(safe))) / (safe * safe))
        wd = np.cross(w, d)
        return np.concatenate([w, d - 0.5 * wd + k * np.cross(w, wd)], axis=-1)

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Within a metre of the origin, turned any way."""
        return np.concatenate([rng.uniform(-1, 1, (*batch, 3)), _random_quaternion(rng, batch)], axis=-1)


def _third_order(two: Scalar) -> Scalar:
    """(1 - sin(t)/t)/t^2 with two = t^2, for any angle t.

    Below one radian its series, alternating with terms that fall by 1/(2k+2)(2k+3), to below one ulp; above, as it stands: there 1 - sinc
    is at least 0.15, so that nothing cancels.
    """
    x = select(two - 1, 1, two)  # where the other form counts, the series need only be finite
    series = _series(x, 8)
    t = sqrt(most(two, 1))
    s, _ = sincos(t)
    return select(two - 1, (1 - s / t) / (t * t), series)


def _series(x: Scalar, terms: int) -> Scalar:
    """1/3! - x/5! + x^2/7! - ... by Horner's rule."""
    made: Scalar = 1
    for k in range(terms, 0, -1):
        made = 1 - x / ((2 * k + 2) * (2 * k + 3)) * made
    return made / 6


def _rotate_back(q: Array, v: Array) -> Array:
    """Components of v (..., 3) in the frame with attitude q (..., 4), unit length."""
    u, w = -q[..., :3], q[..., 3:]
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)
