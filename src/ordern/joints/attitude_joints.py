"""Joints whose coordinates end with a quaternion: a ball joint, and a body that moves freely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..scalars.primitives import Array, most, sqrt
from ..spatial import Transform, Twist, Vec3
from ..spatial.joint_space import JointVector, Subspace
from ..spatial.quaternions import (
    TINY,
    attitude_error,
    inverse_differential,
    quaternion_log,
    quaternion_product,
    quaternion_rates,
    quaternion_turn,
    sinc,
    third_order,
    turned,
)
from .joint_arrays import conjugate_product, random_quaternion, rotate_back, rotation_vector
from .joint_base import X_AXIS, Y_AXIS, Z_AXIS, ZERO, Joint, joint


class _Attitude(Joint):
    """What joints have whose coordinates end with a quaternion."""

    def chart_rate(self, x: JointVector, v: JointVector) -> JointVector:
        """The inverse of the exponential's differential, applied to v."""
        return inverse_differential(x, v)

    def error(self, q: JointVector, target: JointVector) -> JointVector:
        """The sine of the angle about its axis, in the body; for positions their difference, in the body too."""
        return attitude_error(q, target)

    def stretch(self, q: JointVector, rest: JointVector) -> JointVector:
        """The rotation vector from rest; for positions the way from rest, in the body."""
        x, y, z, w = rest.e[-4:]
        turn = quaternion_log(quaternion_product((-x, -y, -z, w), q.e[-4:]))
        if len(q) == 4:
            return JointVector(turn.x, turn.y, turn.z)
        p = quaternion_turn(*q.e[-4:]) @ (Vec3(*q.e[:3]) - Vec3(*rest.e[:3]))
        return JointVector(turn.x, turn.y, turn.z, p.x, p.y, p.z)

    def length(self, q: Array) -> Array:
        """Of the quaternion."""
        made: Array = np.linalg.norm(q[..., -4:], axis=-1)
        return made

    def normalise(self, q: Array) -> Array:
        """With a quaternion of length one."""
        return np.concatenate([q[..., :-4], q[..., -4:] / np.linalg.norm(q[..., -4:], axis=-1, keepdims=True)], axis=-1)


@joint("spherical")
@dataclass(frozen=True)
class Spherical(_Attitude):
    """Turns any way: q is a quaternion (x, y, z, w), qd the angular velocity in the body frame."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 3
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0, 1.0)
    parts: ClassVar[tuple[str, ...]] = ("roll", "pitch", "yaw")
    measured: ClassVar[str] = "quaternion"

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [1; 0]."""
        S = Subspace(Twist(X_AXIS, ZERO), Twist(Y_AXIS, ZERO), Twist(Z_AXIS, ZERO))
        return Transform(quaternion_turn(*q.e), ZERO), S

    def step(self, q: JointVector, v: JointVector) -> JointVector:
        """The attitude ``q exp(v)``."""
        return JointVector(*turned(q.e, Vec3(*v.e)))

    def rates(self, q: JointVector, v: JointVector) -> JointVector:
        """Half of q (v, 0)."""
        return JointVector(*quaternion_rates(q.e, Vec3(*v.e)))

    def difference(self, q0: Array, q1: Array) -> Array:
        """log(q0^-1 q1)."""
        return rotation_vector(conjugate_product(q0, q1))

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Uniform on the rotations."""
        return random_quaternion(rng, batch)


@joint("floating", urdf=("floating",))
@dataclass(frozen=True)
class Floating(_Attitude):
    """Moves freely: q = [x y z, qx qy qz qw] in the joint frame, qd = [omega; v] in the body frame."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    nq: ClassVar[int] = 7
    nv: ClassVar[int] = 6
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True, True, False, False, False)
    driven: ClassVar[bool] = False
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    parts: ClassVar[tuple[str, ...]] = ("x", "y", "z", "roll", "pitch", "yaw")
    measured: ClassVar[str] = "quaternion"

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = 1."""
        S = Subspace(
            *(Twist(e, ZERO) for e in (X_AXIS, Y_AXIS, Z_AXIS)), *(Twist(ZERO, e) for e in (X_AXIS, Y_AXIS, Z_AXIS))
        )
        return Transform(quaternion_turn(*q.e[3:]), Vec3(*q.e[:3])), S

    def step(self, q: JointVector, v: JointVector) -> JointVector:
        """The exponential of the twist: the body moves along a screw.

        With w = omega, h = |w|/2: p' = p + R (v + (1 - cos 2h)/(2h)^2 w x v + (1 - sin(2h)/(2h))/(2h)^2 w x (w x v)).
        """
        w, u = Vec3(*v.e[:3]), Vec3(*v.e[3:])
        two = w.dot(w)
        ratio, _ = sinc(sqrt(most(two * 0.25, TINY)))
        first = ratio * ratio * 0.5  # (1 - cos 2h)/(2h)^2
        second = third_order(two)
        wu = w.cross(u)
        moved = u + wu * first + w.cross(wu) * second
        back = quaternion_turn(*q.e[3:]).T
        p = Vec3(*q.e[:3]) + back @ moved
        return JointVector(p.x, p.y, p.z, *turned(q.e[3:], w))

    def rates(self, q: JointVector, v: JointVector) -> JointVector:
        """The velocity in the joint frame, and half of q (omega, 0)."""
        p = quaternion_turn(*q.e[3:]).T @ Vec3(*v.e[3:])
        return JointVector(p.x, p.y, p.z, *quaternion_rates(q.e[3:], Vec3(*v.e[:3])))

    def difference(self, q0: Array, q1: Array) -> Array:
        """The constant twist that moves q0 to q1 in unit time."""
        w = rotation_vector(conjugate_product(q0[..., 3:], q1[..., 3:]))
        quaternion = q0[..., 3:] / np.linalg.norm(q0[..., 3:], axis=-1, keepdims=True)
        d = rotate_back(quaternion, q1[..., :3] - q0[..., :3])
        t = np.linalg.norm(w, axis=-1, keepdims=True)
        safe = np.where(t < 1e-4, 1.0, t)
        # inverse of the exponential's matrix: 1 - [w]/2 + k [w][w]; by half angles, since 1 - cos t loses digits
        k = np.where(t < 1e-4, 1 / 12, (1 - 0.5 * safe / np.tan(0.5 * safe)) / (safe * safe))
        wd = np.cross(w, d)
        return np.concatenate([w, d - 0.5 * wd + k * np.cross(w, wd)], axis=-1)

    def scale(self, q: JointVector) -> JointVector:
        """One radian, and the distance."""
        p = Vec3(*q.e[:3])
        far = sqrt(p.dot(p))
        return JointVector(1, 1, 1, far, far, far)

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Within a metre of the origin, turned any way."""
        return np.concatenate([rng.uniform(-1, 1, (*batch, 3)), random_quaternion(rng, batch)], axis=-1)
