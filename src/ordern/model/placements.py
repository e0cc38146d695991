"""Where frames sit on each other, and masses with their centres and inertias."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError

__all__ = ["Mass", "Placement", "SNAP", "Tensor", "added", "tidy", "turn_tensor"]

SNAP = 4e-16  # two ulps of one: what sin(pi) and products of such matrices leave behind
_EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def tidy(x: float) -> float:
    """The number x without the rounding of right angles: values within two ulps of 0, 1, -1 become exactly that."""
    if -SNAP < x < SNAP:
        return 0.0
    if 1 - SNAP < x < 1 + SNAP:
        return 1.0
    if -1 - SNAP < x < -1 + SNAP:
        return -1.0
    return x


@dataclass(frozen=True, slots=True)
class Placement:
    """Pose of a frame in another: ``rotation`` (row by row) has its axes as columns, ``origin`` in m."""

    rotation: tuple[float, ...] = _EYE
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if (len(self.rotation), len(self.origin)) != (9, 3):
            raise InputError(
                "a Placement has nine numbers for its rotation, row by row, and three for its origin: write "
                "Placement(origin=(x, y, z)), or Placement.from_rpy(xyz, rpy)"
            )

    @classmethod
    def from_rpy(cls, xyz: Sequence[float], rpy: Sequence[float]) -> Placement:
        """URDF's origin: Rz(yaw) Ry(pitch) Rx(roll)."""
        (sr, cr), (sp, cp), (sy, cy) = ((tidy(math.sin(a)), tidy(math.cos(a))) for a in rpy)
        r = (
            cy * cp,
            cy * sp * sr - sy * cr,
            cy * sp * cr + sy * sr,
            sy * cp,
            sy * sp * sr + cy * cr,
            sy * sp * cr - cy * sr,
            -sp,
            cp * sr,
            cp * cr,
        )
        return cls(tuple(tidy(e) for e in r), (float(xyz[0]), float(xyz[1]), float(xyz[2])))

    @classmethod
    def from_matrix(cls, matrix: object) -> Placement:
        """From a 4x4 (or 3x3) array."""
        m = np.asarray(matrix, float)
        p = m[:3, 3] if m.shape[1] == 4 else np.zeros(3)
        return cls(tuple(tidy(float(e)) for e in m[:3, :3].ravel()), (float(p[0]), float(p[1]), float(p[2])))

    def rotate(self, v: Sequence[float]) -> tuple[float, float, float]:
        """Components of v in the outer frame."""
        r = self.rotation
        return (
            r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
            r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
            r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
        )

    def __matmul__(self, o: Placement) -> Placement:
        """Self followed by o."""
        if self.rotation == _EYE:
            (x, y, z), (p, q, r) = self.origin, o.origin
            return Placement(o.rotation, (x + p, y + q, z + r))
        (a, b, c, d, e, f, g, h, k), (p, q, r, s, t, u, v, w, x) = self.rotation, o.rotation
        turned = (
            a * p + b * s + c * v, a * q + b * t + c * w, a * r + b * u + c * x,
            d * p + e * s + f * v, d * q + e * t + f * w, d * r + e * u + f * x,
            g * p + h * s + k * v, g * q + h * t + k * w, g * r + h * u + k * x,
        )  # fmt: skip
        at = self.rotate(o.origin)
        origin = (self.origin[0] + at[0], self.origin[1] + at[1], self.origin[2] + at[2])
        near = 1.0 - SNAP
        return Placement(tuple([z if SNAP < z < near or -near < z < -SNAP else tidy(z) for z in turned]), origin)

    def inverse(self) -> Placement:
        """The outer frame as seen from this one."""
        (a, b, c, d, e, f, g, h, k), (x, y, z) = self.rotation, self.origin
        origin = (-(a * x + d * y + g * z) + 0.0, -(b * x + e * y + h * z) + 0.0, -(c * x + f * y + k * z) + 0.0)
        return Placement((a, d, g, b, e, h, c, f, k), origin)

    def matrix(self) -> Any:
        """As a 4x4 array."""
        m = np.eye(4)
        m[:3, :3], m[:3, 3] = np.reshape(self.rotation, (3, 3)), self.origin
        return m

    def is_identity(self) -> bool:
        """Whether both frames coincide exactly."""
        return self.rotation == _EYE and self.origin == (0.0, 0.0, 0.0)


def added(values: Iterable[float]) -> float:
    """The sum from the left: ``sum`` compensates from Python 3.12 on, and a file would have other last digits there."""
    total = 0.0
    for x in values:
        total += x
    return total


Tensor = tuple[float, float, float, float, float, float]  # xx yy zz xy xz yz


def turn_tensor(r: Sequence[float], t: Sequence[float]) -> Tensor:
    """R t R^T for t = (xx, yy, zz, xy, xz, yz)."""
    (a, b, c, d, e, f, g, h, k), (xx, yy, zz, xy, xz, yz) = r, t
    u = (a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz)  # rows of R t
    v = (d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz)
    w = (g * xx + h * xy + k * xz, g * xy + h * yy + k * yz, g * xz + h * yz + k * zz)
    return (
        u[0] * a + u[1] * b + u[2] * c, v[0] * d + v[1] * e + v[2] * f, w[0] * g + w[1] * h + w[2] * k,
        u[0] * d + u[1] * e + u[2] * f, u[0] * g + u[1] * h + u[2] * k, v[0] * g + v[1] * h + v[2] * k,
    )  # fmt: skip


def _sum(a: Tensor, b: Tensor) -> Tensor:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


def _parallel_axis(m: float, c: Sequence[float]) -> Tensor:
    x, y, z = c
    return (m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y), -m * x * y, -m * x * z, -m * y * z)


@dataclass(frozen=True, slots=True)
class Mass:
    """Mass m (kg), first moment h = m c (kg m) and inertia about the frame's origin (kg m^2: xx yy zz xy xz yz)."""

    m: float = 0.0
    h: tuple[float, float, float] = (0.0, 0.0, 0.0)
    I: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def from_com(cls, m: float, com: Sequence[float], tensor: Sequence[float]) -> Mass:
        """From the mass centre and the inertia about it."""
        shift = _parallel_axis(m, com)
        xx, yy, zz, xy, xz, yz = (a + b for a, b in zip(tensor, shift, strict=True))
        return cls(m, (m * com[0], m * com[1], m * com[2]), (xx, yy, zz, xy, xz, yz))

    @property
    def com(self) -> tuple[float, float, float]:
        """The mass centre; the origin for a massless body."""
        return (self.h[0] / self.m, self.h[1] / self.m, self.h[2] / self.m) if self.m else (0.0, 0.0, 0.0)

    def about_com(self) -> Tensor:
        """The inertia about the mass centre."""
        shift = _parallel_axis(self.m, self.com)
        xx, yy, zz, xy, xz, yz = (a - b for a, b in zip(self.I, shift, strict=True))
        return (xx, yy, zz, xy, xz, yz)

    def moved(self, frame: Placement) -> Mass:
        """The same body written in the frame in which ``frame`` places the present one."""
        if frame.is_identity():
            return self
        m, p = self.m, frame.origin
        b = frame.rotate(self.h)
        turned = turn_tensor(frame.rotation, self.I)
        h = (b[0] + m * p[0], b[1] + m * p[1], b[2] + m * p[2])
        s = [p[k] * (b[k] + h[k]) for k in range(3)]
        shift = (
            s[1] + s[2],
            s[0] + s[2],
            s[0] + s[1],
            -(p[0] * b[1] + h[0] * p[1]),
            -(p[0] * b[2] + h[0] * p[2]),
            -(p[1] * b[2] + h[1] * p[2]),
        )
        return Mass(m, h, _sum(turned, shift))

    def __add__(self, o: Mass) -> Mass:
        return Mass(self.m + o.m, (self.h[0] + o.h[0], self.h[1] + o.h[1], self.h[2] + o.h[2]), _sum(self.I, o.I))

    def vector(self) -> tuple[float, ...]:
        """[m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz], the order of regressors (Pinocchio's too)."""
        xx, yy, zz, xy, xz, yz = self.I
        return (self.m, *self.h, xx, xy, yy, xz, yz, zz)
