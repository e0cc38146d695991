"""What every kind of joint answers, with defaults, and the list of all kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import ModelError
from ..scalars.dual import Dual, derivative
from ..scalars.primitives import Array
from ..spatial import Transform, Twist, Vec3, Wrench
from ..spatial.directions import orthonormal_directions, reflected_directions
from ..spatial.joint_space import JointVector, Subspace
from .joint_forms import Form, form_of
from .joint_protocol import LEVEL, TIME, keeps_protocol

__all__ = ["JOINTS", "X_AXIS", "Y_AXIS", "ZERO", "Z_AXIS", "Joint", "joint"]


X_AXIS, Y_AXIS, Z_AXIS, ZERO = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, 0)


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

    def stretch(self, q: JointVector, rest: JointVector) -> JointVector:
        """How far a spring that rests at ``rest`` is stretched at q, as a velocity: the gradient of half its square."""
        if not self.plain:
            raise ModelError(
                f"joint type {self.name!r} ({type(self).__name__}) has no springs: its class gives no method "
                "stretch(q, rest); write one"
            )
        return q - rest

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
        """Wrenches with pi.S = 1 and K.S = 0: felt by drives, and borne by the joint."""
        return orthonormal_directions(S, self.angular) if self.orthonormal else reflected_directions(S)

    def difference(self, q0: Array, q1: Array) -> Array:
        """The v with step(q0, v) = q1; arrays (..., nq) in, (..., nv) out."""
        return q1 - q0

    def random(self, rng: np.random.Generator, batch: tuple[int, ...], lower: Array, upper: Array) -> Array:
        """Uniform coordinates within the limits, or a turn or a metre each way."""
        wide = np.where(np.array(self.angular), np.pi, 1.0)
        low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * wide, -wide))
        high = np.where(np.isfinite(upper), upper, low + 2 * wide)
        return low + (high - low) * rng.random((*batch, self.nv))

    def turned(self, angle: float) -> Joint | None:
        """The same joint for a body frame that is turned by an angle about z, where the class has a constant for it."""
        return None

    @property
    def form(self) -> Form:
        """Its turns, slides and direction coordinates, found from its motion."""
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
