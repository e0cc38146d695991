"""Twists, wrenches and the transforms between frames."""

from __future__ import annotations

from typing import Any, Self

from ..scalars.primitives import Scalar
from .three import Mat3, Parts, Rotation, Vec3

__all__ = ["Transform", "Twist", "Wrench"]


class _Spatial(Parts):
    """Two 3-vectors: what twists and wrenches share."""

    __slots__ = ("angular", "linear")

    def __init__(self, angular: Vec3, linear: Vec3) -> None:
        self.angular, self.linear = angular, linear

    @classmethod
    def zero(cls) -> Self:
        """Structurally zero."""
        return cls(Vec3.zero(), Vec3.zero())

    def __add__(self, other: Self) -> Self:
        return type(self)(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Self) -> Self:
        return type(self)(self.angular - other.angular, self.linear - other.linear)

    def __neg__(self) -> Self:
        return type(self)(-self.angular, -self.linear)

    def __mul__(self, scale: Scalar) -> Self:
        return type(self)(self.angular * scale, self.linear * scale)

    __rmul__ = __mul__

    def dot(self, other: _Spatial) -> Scalar:
        """Power of a wrench on a twist (or the other way round)."""
        return self.angular.dot(other.angular) + self.linear.dot(other.linear)

    def dense(self) -> list[Scalar]:
        """As a list, angular first."""
        return self.angular.dense() + self.linear.dense()


class Twist(_Spatial):
    """Angular velocity and velocity of the frame's origin: [omega; v]."""

    __slots__ = ()

    def cross(self, other: Twist | Wrench) -> Any:
        """Rate of change of ``other`` (a twist or a wrench, fixed in a frame that moves with this twist)."""
        w, v = self.angular, self.linear
        if isinstance(other, Wrench):
            return Wrench(w.cross(other.angular) + v.cross(other.linear), w.cross(other.linear))
        return Twist(w.cross(other.angular), v.cross(other.angular) + w.cross(other.linear))


class Wrench(_Spatial):
    """Moment about the frame's origin and force: [n; f]."""

    __slots__ = ()

    @property
    def moment(self) -> Vec3:
        """The angular half."""
        return self.angular

    @property
    def force(self) -> Vec3:
        """The linear half."""
        return self.linear


class Transform(Parts):
    """From a parent frame to a body frame: ``rotation`` takes parent components to body components, ``origin`` is the
    body's origin in the parent.

    Dense meaning on twists: [[E, 0], [-E [p], E]].
    """

    __slots__ = ("rotation", "origin")

    def __init__(self, rotation: Rotation, origin: Vec3) -> None:
        self.rotation, self.origin = rotation, origin

    @classmethod
    def identity(cls) -> Transform:
        """Two frames that coincide, as a dense transform whose entries fold."""
        return cls(Rotation(Mat3.identity()), Vec3.zero())

    @property
    def T(self) -> _Back:
        """The transposed transform, which takes wrenches of the body to the parent."""
        return _Back(self)

    def inverse(self) -> Transform:
        """From the body back to the parent."""
        return Transform(self.rotation.T, -(self.rotation @ self.origin))

    def back(self, x: Twist) -> Twist:
        """X^-1 x: a motion written in the body's frame, as the parent's frame has it."""
        turn = self.rotation.T
        w = turn @ x.angular
        return Twist(w, turn @ x.linear + self.origin.cross(w))

    def __matmul__(self, x: object) -> Any:
        if isinstance(x, Twist):
            w, v = x.angular, x.linear
            return Twist(self.rotation @ w, self.rotation @ (v + w.cross(self.origin)))
        if isinstance(x, Transform):  # first x, then self; the product is dense, so that chains of products stay small
            columns = x.rotation.full().T.dense()
            turned = Mat3.rows(*(self.rotation @ Vec3(*c) for c in columns)).T
            return Transform(Rotation(turned), x.origin + x.rotation.T @ self.origin)
        if isinstance(x, Vec3):  # a point
            return self.rotation @ (x - self.origin)
        return NotImplemented

    def dense(self) -> list[list[Scalar]]:
        """6x6 on twists."""
        e = self.rotation.full()
        below = (e @ self.origin.skew()) * -1
        upper = [[*row, 0, 0, 0] for row in e.dense()]
        return upper + [[*a, *b] for a, b in zip(below.dense(), e.dense(), strict=True)]


class _Back:
    """X.T of a Transform X: wrenches from body to parent."""

    __slots__ = ("X",)

    def __init__(self, X: Transform) -> None:
        self.X = X

    def __matmul__(self, f: object) -> Any:
        if not isinstance(f, Wrench):
            return NotImplemented
        back = self.X.rotation.T
        force = back @ f.linear
        return Wrench(back @ f.angular + self.X.origin.cross(force), force)
