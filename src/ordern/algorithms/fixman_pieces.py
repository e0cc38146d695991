"""Pieces of Fixman's partition: soft and hard directions, mobilities, pivots, armature as compliance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scalars.primitives import Scalar
from ..spatial import Mat3, Mobility, Parts, RigidInertia, Sym3, Twist
from ..spatial.joint_space import C, Gram, JointVector


class Pivot(Parts):
    """A symmetric matrix of the hard coordinates as u diag(d) u^T."""

    __slots__ = ("u", "d")

    def __init__(self, u: tuple[tuple[Scalar, ...], ...], d: tuple[Scalar, ...]) -> None:
        self.u, self.d = u, d

    @classmethod
    def of(cls, P: Gram) -> Pivot:
        """Factor it."""
        u, d = P.udu()
        return cls(tuple(map(tuple, u)), tuple(d))

    def halved(self, columns: list[Any]) -> list[Any]:
        """Columns times u^-T."""
        made = list(columns)
        for i in range(len(made) - 1, -1, -1):
            for j in range(i + 1, len(made)):
                made[i] = made[i] - made[j] * self.u[i][j]
        return made

    def solve(self, r: JointVector) -> JointVector:
        """P^-1 r."""
        x = [e / d for e, d in zip(self.halved(list(r)), self.d, strict=True)]
        for i in range(len(x)):
            for j in range(i):
                x[i] = x[i] - self.u[j][i] * x[j]
        return JointVector(*x)


def mobility(I: RigidInertia) -> Mobility:
    """The inverse of a body's inertia at its frame's origin, d from there to its centre: T diag(I_c^-1, 1/m) T^T."""
    d = I.h / I.m
    x, y, z = d.x * I.h.x, d.y * I.h.y, d.z * I.h.z
    a = I.I - Sym3(y + z, x + z, x + y, -(d.x * I.h.y), -(d.x * I.h.z), -(d.y * I.h.z))
    xx, xy, xz = a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy
    k = 1 / (a.xx * xx + a.xy * xy + a.xz * xz)
    J = Sym3(
        xx * k,
        (a.xx * a.zz - a.xz * a.xz) * k,
        (a.xx * a.yy - a.xy * a.xy) * k,
        xy * k,
        xz * k,
        (a.xy * a.xz - a.xx * a.yz) * k,
    )
    D, m = d.skew(), 1 / I.m
    H = (J.full() @ D) * -1
    return Mobility(J, H, (D @ H).symmetric() + Sym3.diagonal(m, m, m))


def compliance(a: JointVector, gamma: Gram) -> Gram:
    """(1 + a gamma)^-1 a with a diagonal: symmetric, and zero where there is no armature."""
    k = gamma.k
    left = [[a[i] * gamma[i, j] + (1 if i == j else 0) for j in range(k)] for i in range(k)]
    right: list[list[Scalar]] = [[a[i] if i == j else 0 for j in range(k)] for i in range(k)]
    for c in range(k):
        for i in range(k):
            if i != c:
                ratio = left[i][c] / left[c][c]
                left[i] = [x - ratio * y for x, y in zip(left[i], left[c], strict=True)]
                right[i] = [x - ratio * y for x, y in zip(right[i], right[c], strict=True)]
    return Gram(k, [right[i][j] / left[i][i] for i in range(k) for j in range(i, k)])


def combined(columns: Sequence[C], values: JointVector, zero: C) -> C:
    """Columns times values; zero where there is no column."""
    for column, value in zip(columns, values, strict=True):
        zero = zero + column * value
    return zero


def without(Y: Mobility, pairs: list[tuple[Twist, Twist]]) -> Mobility:
    """Y less the sum of a b^T, known to be symmetric."""
    A, H, B = Y.A, Y.H, Y.B
    for a, b in pairs:
        w, v, x, u = a.angular, a.linear, b.angular, b.linear
        A = A - Sym3(w.x * x.x, w.y * x.y, w.z * x.z, w.x * x.y, w.x * x.z, w.y * x.z)
        H = H - Mat3(*(p * r for p in w.dense() for r in u.dense()))
        B = B - Sym3(v.x * u.x, v.y * u.y, v.z * u.z, v.x * u.y, v.x * u.z, v.y * u.z)
    return Mobility(A, H, B)
