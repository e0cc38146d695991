"""Rigid, articulated and general 6x6 maps from motion to force, each in its structure."""

from __future__ import annotations

from typing import Any

from ..scalar import Scalar, half
from .six import Transform, Twist, Wrench
from .three import Mat3, Parts, Rotation, Sym3, Vec3

__all__ = ["ArticulatedInertia", "ForceMap", "RigidInertia"]


class RigidInertia(Parts):
    """Mass m, first moment h = m * (mass centre) and inertia about the frame's origin, so that sums need no division."""

    __slots__ = ("m", "h", "I")

    def __init__(self, m: Scalar, h: Vec3, I: Sym3) -> None:
        self.m, self.h, self.I = m, h, I

    @classmethod
    def zero(cls) -> RigidInertia:
        """No body."""
        return cls(0, Vec3.zero(), Sym3.zero())

    def __add__(self, o: RigidInertia) -> RigidInertia:
        return RigidInertia(self.m + o.m, self.h + o.h, self.I + o.I)

    def __matmul__(self, x: Any) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, v = x.angular, x.linear
        return Wrench(self.I @ w + self.h.cross(v), v * self.m - self.h.cross(w))

    def effort(self, a: Vec3, U: Mat3) -> Wrench:
        """The wrench for an acceleration a of the origin and the rates matrix U = [wd] + [w][w].

        With J = tr(I)/2 - I, the second moment of mass: force = m a + U h, moment = h x a + (the vector of U J - (U J)^T).
        """
        i, h = self.I, self.h
        x, y, z = half(i.yy + i.zz - i.xx), half(i.xx + i.zz - i.yy), half(i.xx + i.yy - i.zz)
        moment = Vec3(
            (U.yy - U.zz) * i.yz + U.yx * i.xz - U.zx * i.xy + U.zy * y - U.yz * z,
            (U.zz - U.xx) * i.xz + U.zy * i.xy - U.xy * i.yz + U.xz * z - U.zx * x,
            (U.xx - U.yy) * i.xy + U.xz * i.yz - U.yz * i.xz + U.yx * x - U.xy * y,
        )
        return Wrench(moment + h.cross(a), U @ h + a * self.m)

    def seen_from_parent(self, X: Transform) -> RigidInertia:
        """X.T I X: the same body in the parent's frame.

        With b the turned first moment and h = b + m p: I' = R^T I R + (p.(b + h)) 1 - (p b^T + h p^T).
        """
        back, p = X.rotation.T, X.origin
        b = back @ self.h
        h = b + p * self.m
        s, turned = b + h, back.congruent(self.I)
        x, y, z = p.x * s.x, p.y * s.y, p.z * s.z
        shift = Sym3(y + z, x + z, x + y, -(p.x * b.y + h.x * p.y), -(p.x * b.z + h.x * p.z), -(p.y * b.z + h.y * p.z))
        return RigidInertia(self.m, h, turned + shift)

    def articulated(self) -> ArticulatedInertia:
        """As the start of an articulated inertia."""
        return ArticulatedInertia(self.I, self.h.skew(), Sym3.diagonal(self.m, self.m, self.m))

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        return self.articulated().dense()


class ArticulatedInertia(Parts):
    """[[I, H], [H^T, M]]: what force a body with freely moving joints behind it needs for an acceleration."""

    __slots__ = ("I", "H", "M")

    def __init__(self, I: Sym3, H: Mat3, M: Sym3) -> None:
        self.I, self.H, self.M = I, H, M

    @classmethod
    def zero(cls) -> ArticulatedInertia:
        """Nothing there."""
        return cls(Sym3.zero(), Mat3.zero(), Sym3.zero())

    def __add__(self, o: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.I + o.I, self.H + o.H, self.M + o.M)

    def __sub__(self, o: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.I - o.I, self.H - o.H, self.M - o.M)

    def __matmul__(self, x: Any) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, v = x.angular, x.linear
        return Wrench(self.I @ w + self.H @ v, self.H.T @ w + self.M @ v)

    def seen_from_parent(self, X: Transform) -> ArticulatedInertia:
        """X.T A X: in the parent's frame. Turned, then shifted with P = [p]: H' = H + P M, I' = I + P H^T - H' P."""
        back, p = X.rotation.T, X.origin
        turned_I, turned_H, M = back.congruent(self.I), back.congruent_full(self.H), back.congruent(self.M)
        P = p.skew()
        H = turned_H + P @ M
        a, b, c = (Vec3(*row) for row in turned_H.dense())  # P H^T has columns p x (rows of H)
        left = Mat3.rows(p.cross(a), p.cross(b), p.cross(c)).T
        a, b, c = (Vec3(*row) for row in H.dense())  # -H' P has rows p x (rows of H')
        right = Mat3.rows(p.cross(a), p.cross(b), p.cross(c))
        return ArticulatedInertia(turned_I + left.symmetric() + right.symmetric(), H, M)

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        upper = [[*a, *b] for a, b in zip(self.I.dense(), self.H.dense(), strict=True)]
        return upper + [[*a, *b] for a, b in zip(self.H.T.dense(), self.M.dense(), strict=True)]


class ForceMap(Parts):
    """A general 6x6 map [[A, B], [C, D]] from twists to wrenches."""

    __slots__ = ("A", "B", "C", "D")

    def __init__(self, A: Mat3, B: Mat3, C: Mat3, D: Mat3) -> None:
        self.A, self.B, self.C, self.D = A, B, C, D

    @classmethod
    def zero(cls) -> ForceMap:
        """The zero map."""
        return cls(Mat3.zero(), Mat3.zero(), Mat3.zero(), Mat3.zero())

    @property
    def T(self) -> ForceMap:
        """The transpose."""
        return ForceMap(self.A.T, self.C.T, self.B.T, self.D.T)

    def __add__(self, o: ForceMap) -> ForceMap:
        return ForceMap(self.A + o.A, self.B + o.B, self.C + o.C, self.D + o.D)

    def __matmul__(self, x: Any) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, v = x.angular, x.linear
        return Wrench(self.A @ w + self.B @ v, self.C @ w + self.D @ v)

    def seen_from_parent(self, X: Transform) -> ForceMap:
        """X.T self X."""
        back: Rotation = X.rotation.T
        P = X.origin.skew()
        A, B, C, D = (back.congruent_full(block) for block in (self.A, self.B, self.C, self.D))
        B, A = B + P @ D, A + P @ C  # from the left [[1, P], [0, 1]]
        return ForceMap(A - B @ P, B, C - D @ P, D)  # from the right [[1, 0], [-P, 1]]

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        upper = [[*a, *b] for a, b in zip(self.A.dense(), self.B.dense(), strict=True)]
        return upper + [[*a, *b] for a, b in zip(self.C.dense(), self.D.dense(), strict=True)]
