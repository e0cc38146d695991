"""Every joint type. A new one is one class with ``@joint("name")``, in a file of this folder; descriptions, algorithms
and tests find it.

A joint moves its body frame relative to its own (fixed) joint frame. ``motion(q)`` gives the transform from joint frame
to body frame and the subspace S of relative twists, written in the body frame, so that the relative twist is S qd.
Single-axis joints move along or about z: descriptions turn given axes there. Quaternions are (x, y, z, w); a floating
joint has q = [x y z, qx qy qz qw] and qd = [omega; v], the twist in the body's own frame.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..scalars.primitives import Scalar, sincos
from ..spatial import Planar, Rotation, Transform, Twist, Vec3
from ..spatial.joint_space import JointVector, Subspace
from .joint_base import JOINTS, X_AXIS, Y_AXIS, Z_AXIS, ZERO, Joint, joint

__all__ = [
    "JOINTS", "Cylindrical", "Floating", "Helical", "Joint", "Planar3", "Prismatic", "Revolute", "Spherical",
    "Universal", "joint",
]  # fmt: skip

QUARTERS = {0: 0, np.pi / 2: 1, np.pi: 2, -np.pi: 2, -np.pi / 2: 3}  # offsets that are whole quarter turns


def _turn(axis: int, angle: Scalar, offset: Scalar = 0) -> Planar:
    """Components in a frame that is turned by angle + offset about its own coordinate axis (so: by minus that).

    A quarter turn as offset swaps sine and cosine, exactly and for nothing.
    """
    quarters = QUARTERS.get(offset) if isinstance(offset, (int, float)) else None
    s, c = sincos(angle + offset if quarters is None else angle)
    for _ in range(quarters or 0):
        s, c = c, -s
    return Planar(axis, c, -s)


def _further(offset: float, angle: float) -> float:
    """The sum within half a turn: q + offset loses no digits; whole quarters where only rounding is missing."""
    angle = math.remainder(offset + angle, 2 * math.pi)
    near = min(QUARTERS, key=lambda quarter: abs(angle - quarter))
    return float(near) if abs(angle - near) < 9e-16 else angle  # two ulps of pi


@joint("revolute", urdf=("revolute", "continuous"))
@dataclass(frozen=True)
class Revolute(Joint):
    """Turns about z by q + offset (rad)."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    offset: Scalar = 0.0

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [z; 0]."""
        return Transform(Rotation(_turn(2, q[0], self.offset)), ZERO), Subspace(Twist(Z_AXIS, ZERO))

    def turned(self, angle: float) -> Joint:
        """With another offset."""
        return type(self)(_further(self.offset, angle))


@joint("prismatic", urdf=("prismatic",))
@dataclass(frozen=True)
class Prismatic(Joint):
    """Slides along z by q + offset (m)."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    angular: ClassVar[tuple[bool, ...]] = (False,)
    offset: Scalar = 0.0

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [0; z]."""
        return Transform(Rotation.identity(), Vec3(0, 0, q[0] + self.offset)), Subspace(Twist(ZERO, Z_AXIS))


@joint("helical")
@dataclass(frozen=True)
class Helical(Joint):
    """Turns about z by q + offset and rises along z by pitch * q (pitch in m/rad)."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    pitch: Scalar = 0.0
    offset: Scalar = 0.0

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [z; pitch z]."""
        origin = Vec3(0, 0, q[0] * self.pitch)
        return Transform(Rotation(_turn(2, q[0], self.offset)), origin), Subspace(Twist(Z_AXIS, Vec3(0, 0, self.pitch)))

    def turned(self, angle: float) -> Joint:
        """With another offset."""
        return type(self)(self.pitch, _further(self.offset, angle))


@joint("cylindrical")
@dataclass(frozen=True)
class Cylindrical(Joint):
    """Turns about z by q[0] (rad) and slides along z by q[1] (m)."""

    steady: ClassVar[bool] = True
    orthonormal: ClassVar[bool] = True
    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    angular: ClassVar[tuple[bool, ...]] = (True, False)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)
    parts: ClassVar[tuple[str, ...]] = ("turn", "slide")

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [z 0; 0 z]."""
        return Transform(Rotation(_turn(2, q[0])), Vec3(0, 0, q[1])), Subspace(Twist(Z_AXIS, ZERO), Twist(ZERO, Z_AXIS))


@joint("universal")
@dataclass(frozen=True)
class Universal(Joint):
    """Turns about the joint frame's x by q[0], then about the new y by q[1] (rad)."""

    orthonormal: ClassVar[bool] = True
    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    axial: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = (True, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)
    parts: ClassVar[tuple[str, ...]] = ("x", "y")

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [x as the body sees it, y]: the first axis moves in the body frame."""
        second = _turn(1, q[1])
        first = Twist(second @ X_AXIS, ZERO)
        return Transform(Rotation(second, _turn(0, q[0])), ZERO), Subspace(first, Twist(Y_AXIS, ZERO))

    def subspace_rate(self, q: JointVector, qd: JointVector) -> Subspace:
        """d/dt (x axis in the body frame) = -qd[1] y x (x axis)."""
        x = _turn(1, q[1]) @ X_AXIS
        return Subspace(Twist(x.cross(Y_AXIS) * qd[1], ZERO), Twist.zero())


@joint("planar", urdf=("planar",))
@dataclass(frozen=True)
class Planar3(Joint):
    """Moves in the plane normal to z: q = [x, y, theta] in the joint frame (m, m, rad), qd its time derivative."""

    orthonormal: ClassVar[bool] = True
    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    angular: ClassVar[tuple[bool, ...]] = (False, False, True)
    neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.0)
    parts: ClassVar[tuple[str, ...]] = ("x", "y", "turn")

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """S = [0 0 z; x y 0] with x and y of the joint frame as the body sees them."""
        turn = _turn(2, q[2])
        S = Subspace(Twist(ZERO, turn @ X_AXIS), Twist(ZERO, turn @ Y_AXIS), Twist(Z_AXIS, ZERO))
        return Transform(Rotation(turn), Vec3(q[0], q[1], 0)), S

    def subspace_rate(self, q: JointVector, qd: JointVector) -> Subspace:
        """The joint frame's axes turn backwards in the body frame: -thetad z x axis."""
        turn = _turn(2, q[2])
        return Subspace(*(Twist(ZERO, (turn @ axis).cross(Z_AXIS) * qd[2]) for axis in (X_AXIS, Y_AXIS)), Twist.zero())


for _file in pkgutil.iter_modules(__path__):  # joints with a file of their own
    importlib.import_module(f"{__name__}.{_file.name}")
from .attitude_joints import Floating, Spherical  # noqa: E402  behind the others in the list of kinds
