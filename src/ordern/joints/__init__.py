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
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import ModelError
from ..scalars.dual import Dual, derivative
from ..scalars.primitives import Scalar, sincos
from ..spatial import Planar, Rotation, Transform, Twist, Vec3, Wrench
from ..spatial.directions import orthonormal_directions, reflected_directions
from ..spatial.joint_space import JointVector, Subspace
from .joint_forms import Form, form_of
from .joint_protocol import LEVEL, TIME, keeps_protocol

__all__ = [
    "JOINTS", "Cylindrical", "Floating", "Helical", "Joint", "Planar3", "Prismatic", "Revolute", "Spherical",
    "Universal", "joint",
]  # fmt: skip

Array = Any
X_AXIS, Y_AXIS, Z_AXIS, ZERO = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, 0)
QUARTERS = {0: 0, np.pi / 2: 1, np.pi: 2, -np.pi: 2, -np.pi / 2: 3}  # offsets that are whole quarter turns


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
    steady: ClassVar[bool] = False  # S is constant in the body frame
    # its columns are turns (perhaps with a pitch) and shifts, all of them orthonormal; one turn is about z
    orthonormal: ClassVar[bool] = False
    measured: ClassVar[str] = "coordinate vector"  # what ``length`` is of, for messages
    # what a person moves it by, if that has names; roll, pitch, yaw at the end: of the quaternion that q ends with
    parts: ClassVar[tuple[str, ...]] = ()
    driven: ClassVar[bool] = True  # has a drive, unless the robot says otherwise
    plain: ClassVar[bool] = True  # the coordinates are a vector: moving adds. Found from ``step``

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.plain = cls.step is Joint.step
        if "name" not in cls.__dict__:
            cls.name = cls.__name__  # until it is registered: what it inherits is the name of another motion

    @abstractmethod
    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """Transform from joint frame to body frame, and the subspace in the body frame."""

    def subspace_rate(self, q: JointVector, qd: JointVector) -> Subspace:
        """dS/dt in the body frame: zero where S is constant there, else from ``motion`` with rates of q."""
        if self.steady:
            return Subspace(*(Twist.zero() for _ in range(self.nv)))
        moving = JointVector(*(Dual(e, {TIME: rate}, LEVEL) for e, rate in zip(q, self.rates(q, qd), strict=True)))
        _, S = self.motion(moving)
        made: Subspace = S.rebuild(iter([derivative(e, TIME, LEVEL) for e in S.leaves()]))
        return made

    def bias(self, q: JointVector, qd: JointVector) -> Twist:
        """dS/dt times qd: acceleration that the joint's own rates give."""
        made: Twist = self.subspace_rate(q, qd) @ qd
        return made

    def step(self, q: JointVector, v: JointVector) -> JointVector:
        """The coordinates after moving with the joint velocity v for unit time."""
        return q + v

    def rates(self, q: JointVector, v: JointVector) -> JointVector:
        """dq/dt for the joint velocity v (they differ where the coordinates are no vector, such as a quaternion)."""
        return v

    def chart_rate(self, x: JointVector, v: JointVector) -> JointVector:
        """The rate of x in q = step(base, x) for the velocity v: v itself where motions add up."""
        return v

    def scale(self, q: JointVector) -> JointVector:
        """What an error in each x is measured against: the coordinate, or one radian (one metre)."""
        return q if self.plain else JointVector(*(1 for _ in range(self.nv)))

    def error(self, q: JointVector, target: JointVector) -> JointVector:
        """From q to the target as a velocity, for feedback: exact to first order."""
        if not self.plain:
            raise ModelError(
                f"joint type {self.name!r} ({type(self).__name__}) has no feedback error: its class gives no method "
                "error(q, target); write one"
            )
        return target - q

    def length(self, q: Array) -> Array:
        """Of coordinates (..., nq) of which only the direction counts: 1 is as it should be, 0 means nothing."""
        return np.ones(np.shape(q)[:-1])

    def normalise(self, q: Array) -> Array:
        """The same configuration at length one."""
        return q

    def labels(self, kind: str) -> tuple[str, ...]:
        """What tells the coordinates ("q") or velocities ("v") apart behind the joint's name."""
        count = self.nq if kind == "q" else self.nv
        return ("",) if count == 1 else tuple(f"[{k}]" for k in range(count))

    def soft_and_hard(self, S: Subspace) -> tuple[list[Wrench], list[Wrench]]:
        """Wrenches with pi.S = 1 and K.S = 0: what drives feel, and what the joint itself withstands."""
        return orthonormal_directions(S, self.angular) if self.orthonormal else reflected_directions(S)

    def difference(self, q0: Array, q1: Array) -> Array:
        """The v with step(q0, v) = q1; arrays (..., nq) in, (..., nv) out."""
        return q1 - q0

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Uniform coordinates within the limits; where there is none, a full turn or one metre each way."""
        wide = np.where(np.array(self.angular), np.pi, 1.0)
        low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * wide, -wide))
        high = np.where(np.isfinite(upper), upper, low + 2 * wide)
        return low + (high - low) * rng.random((*batch, self.nv))

    def turned(self, angle: float) -> Joint | None:
        """The same joint for a body frame that is turned by an angle about z, where the class has a constant for it."""
        return None

    @property
    def form(self) -> Form:
        """What it turns about and slides along, and which coordinates are directions: found from its motion."""
        return form_of(type(self))

    @property
    def constants(self) -> tuple[float, ...]:
        """The values of the fields, in order."""
        return tuple(self.__dict__.values())


JOINTS: dict[str, type[Joint]] = {}


def joint(name: str, urdf: tuple[str, ...] = ()) -> Callable[[type[Joint]], type[Joint]]:
    """Register a joint class under its name and the URDF types it serves."""

    def register(cls: type[Joint]) -> type[Joint]:
        keeps_protocol(name, cls, Joint)
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


def _further(offset: float, angle: float) -> float:
    """Their sum within half a turn, so that q + offset loses no digits; a whole quarter where only dust is missing."""
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
from .attitude_joints import Floating, Spherical  # noqa: E402  they build on what stands above
