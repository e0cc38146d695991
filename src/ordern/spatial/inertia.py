"""Rigid, articulated and general 6x6 maps from motion to force, each in its structure."""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import Scalar, half, most, sqrt
from .six import Transform, Twist, Wrench
from .three import Mat3, Parts, Rotation, Sym3, Vec3

__all__ = [
    "ArticulatedInertia",
    "ForceMap",
    "InertiaRate",
    "Mobility",
    "RigidInertia",
    "any_cholesky",
    "central_of",
    "centre_of",
]


class RigidInertia(Parts):
    """Mass m, first moment h = m c and inertia about the frame's origin, so that sums need no division."""

    __slots__ = ("m", "h", "I")

    def __init__(self, m: Scalar, h: Vec3, I: Sym3) -> None:
        self.m, self.h, self.I = m, h, I

    @classmethod
    def zero(cls) -> RigidInertia:
        """No body."""
        return cls(0, Vec3.zero(), Sym3.zero())

    def __add__(self, o: RigidInertia) -> RigidInertia:
        return RigidInertia(self.m + o.m, self.h + o.h, self.I + o.I)

    def __matmul__(self, x: object) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, v = x.angular, x.linear
        return Wrench(self.I @ w + self.h.cross(v), v * self.m - self.h.cross(w))

    def effort(self, a: Vec3, U: Mat3) -> Wrench:
        """The wrench for an acceleration a of the origin and the rates matrix U = [wd] + [w][w].

        With J = tr(I)/2 - I, the second moment of mass: force = m a + U h, moment = h x a + (the vector of U J - (U
        J)^T).
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

    def __matmul__(self, x: object) -> Any:
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
    """A 6x6 map [[A, B], [C, 0]] from twists to wrenches: no force depends on a linear velocity."""

    __slots__ = ("A", "B", "C")

    def __init__(self, A: Mat3, B: Mat3, C: Mat3) -> None:
        self.A, self.B, self.C = A, B, C

    @classmethod
    def zero(cls) -> ForceMap:
        """The zero map."""
        return cls(Mat3.zero(), Mat3.zero(), Mat3.zero())

    @property
    def T(self) -> ForceMap:
        """The transpose."""
        return ForceMap(self.A.T, self.C.T, self.B.T)

    def __add__(self, o: ForceMap) -> ForceMap:
        return ForceMap(self.A + o.A, self.B + o.B, self.C + o.C)

    def __matmul__(self, x: object) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, v = x.angular, x.linear
        return Wrench(self.A @ w + self.B @ v, self.C @ w)

    def seen_from_parent(self, X: Transform) -> ForceMap:
        """X.T self X."""
        back: Rotation = X.rotation.T
        P = X.origin.skew()
        A, B, C = (back.congruent_full(block) for block in (self.A, self.B, self.C))
        return ForceMap(A + P @ C - B @ P, B, C)  # from the left [[1, P], [0, 1]], from the right [[1, 0], [-P, 1]]

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        upper = [[*a, *b] for a, b in zip(self.A.dense(), self.B.dense(), strict=True)]
        return upper + [[*row, 0, 0, 0] for row in self.C.dense()]


class InertiaRate(Parts):
    """(v x*) I - I (v x) + (x -> x x* I v): the wrench that a body with twist v needs when velocities change, in 12
    numbers.

    Written out it is [[dI - [L], 0], [-2 [p], 0]] with L and p the momentum and dI the rate of the inertia tensor in
    axes at rest; the right half vanishes because p = m u + w x h. Sums over bodies keep this form. Half of it is B(I,
    v) of coriolis.py.
    """

    __slots__ = ("dI", "momentum")

    def __init__(self, dI: Sym3, momentum: Wrench) -> None:
        self.dI, self.momentum = dI, momentum

    @classmethod
    def zero(cls) -> InertiaRate:
        """Nothing there."""
        return cls(Sym3.zero(), Wrench.zero())

    @classmethod
    def of(cls, I: RigidInertia, v: Twist) -> InertiaRate:
        """With W = [w] I: dI = W + W^T - (h u^T + u h^T) + 2 (u.h) 1."""
        return cls(_tensor_rate(I.I, I.h, v), I @ v)

    def turned(self, v: Twist) -> InertiaRate:
        """(v x*) self - self (v x): how it changes when all that it belongs to moves with twist v."""
        return InertiaRate(_tensor_rate(self.dI, self.momentum.linear, v), v.cross(self.momentum))

    def stretching(self) -> RigidInertia:
        """The symmetric part (v x*) I - I (v x): the rate of the inertia, which has no mass."""
        return RigidInertia(0, self.momentum.linear, self.dI)

    def seen_from_parent(self, X: Transform) -> InertiaRate:
        """X.T self X, in the parent's frame: dI' = R^T dI R - ([r][p] + [p][r])."""
        momentum, r = X.T @ self.momentum, X.origin
        p = momentum.linear
        x, y, z = r.x * p.x, r.y * p.y, r.z * p.z
        dx, dy, dz = y + z, x + z, x + y
        shift = Sym3(
            dx + dx, dy + dy, dz + dz, -(r.x * p.y + r.y * p.x), -(r.x * p.z + r.z * p.x), -(r.y * p.z + r.z * p.y)
        )
        return InertiaRate(X.rotation.T.congruent(self.dI) + shift, momentum)

    @property
    def T(self) -> _RateTransposed:
        """The transpose, for products with twists."""
        return _RateTransposed(self)

    def __add__(self, o: InertiaRate) -> InertiaRate:
        return InertiaRate(self.dI + o.dI, self.momentum + o.momentum)

    def __matmul__(self, x: object) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, L, p = x.angular, self.momentum.angular, self.momentum.linear
        pw = p.cross(w)
        return Wrench(self.dI @ w - L.cross(w), -(pw + pw))

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        L, p = self.momentum.angular.skew(), self.momentum.linear.skew()
        left = (self.dI.full() - L).dense() + (p * -2).dense()
        return [[*row, 0, 0, 0] for row in left]


def _tensor_rate(i: Sym3, h: Vec3, v: Twist) -> Sym3:
    """W + W^T - (h u^T + u h^T) + 2 (u.h) 1 with W = [w] i."""
    w, u = v.angular, v.linear
    a, b, c = w.y * i.xz, w.z * i.xy, w.x * i.yz
    x, y, z = h.x * u.x, h.y * u.y, h.z * u.z
    dx, dy, dz = a - b + (y + z), b - c + (x + z), c - a + (x + y)
    xy = w.y * i.yz + w.z * (i.xx - i.yy) - w.x * i.xz - (h.x * u.y + h.y * u.x)
    xz = w.x * i.xy + w.y * (i.zz - i.xx) - w.z * i.yz - (h.x * u.z + h.z * u.x)
    yz = w.z * i.xz + w.x * (i.yy - i.zz) - w.y * i.xy - (h.y * u.z + h.z * u.y)
    return Sym3(dx + dx, dy + dy, dz + dz, xy, xz, yz)


class _RateTransposed:
    """B.T of an InertiaRate B."""

    __slots__ = ("B",)

    def __init__(self, B: InertiaRate) -> None:
        self.B = B

    def __matmul__(self, x: object) -> Any:
        if not isinstance(x, Twist):
            return NotImplemented
        w, u, L, p = x.angular, x.linear, self.B.momentum.angular, self.B.momentum.linear
        pu = p.cross(u)
        return Wrench(self.B.dI @ w + L.cross(w) + (pu + pu), Vec3.zero())


class Mobility(Parts):
    """[[A, H], [H^T, B]]: the acceleration a body takes from a wrench, the inverse of an inertia."""

    __slots__ = ("A", "H", "B")

    def __init__(self, A: Sym3, H: Mat3, B: Sym3) -> None:
        self.A, self.H, self.B = A, H, B

    @classmethod
    def zero(cls) -> Mobility:
        """A body that nothing moves."""
        return cls(Sym3.zero(), Mat3.zero(), Sym3.zero())

    def __matmul__(self, x: object) -> Any:
        if not isinstance(x, Wrench):
            return NotImplemented
        n, f = x.angular, x.linear
        return Twist(self.A @ n + self.H @ f, self.H.T @ n + self.B @ f)

    def moved(self, X: Transform) -> Mobility:
        """X self X^T: rewritten from the parent's frame to the body's.

        With both halves swapped it transforms as an inertia does, and there X.inverse() leads back.
        """
        swapped = ArticulatedInertia(self.B, self.H.T, self.A).seen_from_parent(X.inverse())
        return Mobility(swapped.M, swapped.H.T, swapped.I)

    def minus_pair(self, a: Twist, b: Twist) -> Mobility:
        """Self - (a b^T + b a^T)."""
        A = _sum_outer(a.angular, b.angular)
        B = _sum_outer(a.linear, b.linear)
        H = [x * v + y * u for x, y in _pairs(a.angular, b.angular) for u, v in _pairs(a.linear, b.linear)]
        return Mobility(self.A - A, self.H - Mat3(*H), self.B - B)

    def dense(self) -> list[list[Scalar]]:
        """6x6."""
        upper = [[*a, *b] for a, b in zip(self.A.dense(), self.H.dense(), strict=True)]
        return upper + [[*a, *b] for a, b in zip(self.H.T.dense(), self.B.dense(), strict=True)]


def _pairs(a: Vec3, b: Vec3) -> list[tuple[Scalar, Scalar]]:
    return list(zip(a.dense(), b.dense(), strict=True))


def _sum_outer(a: Vec3, b: Vec3) -> Sym3:
    """A b^T + b a^T."""
    x, y, z = a.x * b.x, a.y * b.y, a.z * b.z
    return Sym3(x + x, y + y, z + z, a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y)


NO_MASS = 1e-150  # kg: far below any mass, far above where its square vanishes


def centre_of(I: RigidInertia) -> Vec3:
    """The mass centre; the origin if massless (a varied payload may be)."""
    c: Vec3 = I.h / (I.m + NO_MASS)
    return c


def central_of(I: RigidInertia, c: Vec3) -> RigidInertia:
    """The inertia about its mass centre c."""
    x, y, z = c.x * I.h.x, c.y * I.h.y, c.z * I.h.z
    shift = Sym3(y + z, x + z, x + y, -(c.x * I.h.y), -(c.x * I.h.z), -(c.y * I.h.z))
    return RigidInertia(I.m, Vec3.zero(), I.I - shift)


def any_cholesky(I: Sym3) -> Mat3:
    """``cholesky`` for an inertia unknown until run time: zero pivots give zero rows, without a branch."""

    def root(x: Scalar) -> Scalar:
        return sqrt(most(x, 0))  # rounding may leave a pivot just below zero

    f = root(I.zz)
    d, e = I.xz / (f + NO_MASS), I.yz / (f + NO_MASS)
    c = root(I.yy - e * e)
    b = (I.xy - d * e) / (c + NO_MASS)
    return Mat3(root(I.xx - b * b - d * d), 0, 0, b, c, 0, d, e, f)
