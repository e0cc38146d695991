"""A model's numbers as scalars for algorithms: constants that fold, structured rotations, inertias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..scalars.primitives import Scalar, sqrt
from ..spatial import Mat3, Planar, RigidInertia, Rotation, Sym3, Vec3
from . import Mass
from .regular import vanishing

__all__ = ["cholesky", "mass_difference", "mass_scalars", "plain", "rotation_structure", "turning"]


def plain(x: float) -> Scalar:
    """A constant of the model as a scalar: exact 0, 1 and -1 become Python's own, so that operators fold them."""
    return int(x) if x in (0.0, 1.0, -1.0) else x


def turning(rotation: Sequence[Any], constant: Callable[[Any], Scalar], structure: str) -> Rotation:
    """A placement's rotation, outer to inner components, with the structure that ``rotation_structure`` found."""
    r = [constant(e) for e in rotation]
    if structure == "1":
        return Rotation.identity()
    if structure in "xyz":  # inner axes are turned about one outer axis: R[j][j] = cos, R[k][j] = sin
        i = "xyz".index(structure)
        j, k = (i + 1) % 3, (i + 2) % 3
        return Rotation(Planar(i, r[4 * j], -r[3 * k + j]))
    if structure == "xz":  # R = Rz(gamma) Rx(alpha): two planar turns
        return Rotation(Planar(0, r[8], -r[7]), Planar(2, r[0], -r[3]))
    return Rotation(Mat3(*r).T)


def rotation_structure(rotation: Sequence[float]) -> str:
    """The cheapest form of a constant rotation: "1" none, "x" "y" "z" planar, "xz" two planar turns, "any"."""
    r = rotation
    # a diagonal of ones alone may hide 1e-9
    off = [r[1] != 0.0 or r[3] != 0.0, r[2] != 0.0 or r[6] != 0.0, r[5] != 0.0 or r[7] != 0.0]
    if not any(off) and r[0] == r[4] == r[8] == 1.0:
        return "1"
    for axis, others in ((0, (0, 1)), (1, (0, 2)), (2, (1, 2))):
        if r[4 * axis] == 1.0 and not any(off[k] for k in others):
            return "xyz"[axis]
    return "xz" if r[6] == 0.0 else "any"


def cholesky(I: Sym3, known: Sequence[float]) -> Mat3:
    """Lower triangular H with H^T H = I; ``known``: I in numbers, for rows whose pivot is zero."""
    xx, yy, zz, xy, xz, yz = known
    zero = vanishing((zz, yy, xx, yz, xz, xy))  # z first
    f = 0 if zero[0] else sqrt(I.zz)
    d, e = (0, 0) if zero[0] else (I.xz / f, I.yz / f)
    c = 0 if zero[1] else sqrt(I.yy - e * e)
    b = 0 if zero[1] else (I.xy - d * e) / c
    return Mat3(0 if zero[2] else sqrt(I.xx - b * b - d * d), 0, 0, b, c, 0, d, e, f)


def mass_scalars(mass: Mass, constant: Callable[[float], Scalar]) -> RigidInertia:
    """A body's inertia as scalars."""
    c = constant
    return RigidInertia(c(mass.m), Vec3(*(c(x) for x in mass.h)), Sym3(*(c(x) for x in mass.I)))


def mass_difference(a: Mass, b: Mass) -> Mass:
    """Components of a minus b."""
    x, y, z = (p - r for p, r in zip(a.h, b.h, strict=True))
    xx, yy, zz, xy, xz, yz = (p - r for p, r in zip(a.I, b.I, strict=True))
    return Mass(a.m - b.m, (x, y, z), (xx, yy, zz, xy, xz, yz))
