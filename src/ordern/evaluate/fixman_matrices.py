"""Fixman's theorem: det M from hard pivots, and the banded blocks of the planar chain as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..algorithms.fixman import Partition, invertible
from ..algorithms.fixman_planar import point_chain
from ..errors import MethodError
from ..model import Model
from ..model.regular import central, regular
from ..scalars.primitives import Array
from ..tree import Tree

__all__ = ["PlanarBands", "log_determinant", "planar_bands"]


def log_determinant(model: Model, q: Sequence[float]) -> float:
    """Log det M = sum of 3 log m_i + log det I_i + log det P_i: free bodies, then the hard coordinates [LC05, eq. 8].

    Each pivot P_i is met in the elimination anyway. Armature adds log det(1 + a_i gamma_i).
    """
    if reason := invertible(model):
        raise MethodError(f"log_determinant of robot {model.name!r} {reason}")
    tree = Tree(model)
    parts = Partition(tree, tree.coordinates(np.asarray(q, float).tolist(), "q"))
    total = 0.0
    for i, mass in enumerate(regular(model)):
        if i:
            xx, yy, zz, xy, xz, yz = central(mass)[1]
            gamma, a = (
                np.array(parts.gamma[i].dense(), float),
                np.array(model.bodies[i].armature or (0.0,) * model.bodies[i].joint.nv),
            )
            total += 3 * np.log(mass.m) + np.linalg.slogdet([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])[1]
            total += float(np.sum(np.log(parts.P[i].d))) + np.linalg.slogdet(np.eye(len(a)) + a[:, None] * gamma)[1]
    return float(total)


@dataclass(frozen=True)
class PlanarBands:
    """Blocks (N, N) of H = G^-1 for a planar chain of point masses: lengths L, absolute angles p, joints t."""

    masses: Array  # (N,)
    lengths: Array  # (N,)
    angles: Array  # (N,), absolute

    @property
    def _weights(self) -> tuple[Array, Array]:
        """1/m of each bond's outer and inner end; the base's mass is infinite."""
        w = 1 / self.masses
        return w, np.concatenate([[0.0], w[:-1]])

    def _tridiagonal(self, diagonal: Array, above: Array, below: Array) -> Array:
        made: Array = np.diag(diagonal) + np.diag(above, 1) + np.diag(below, -1)
        return made

    @cached_property
    def H_LL(self) -> Array:
        """Tridiagonal."""
        outer, inner = self._weights
        off = -outer[:-1] * np.cos(np.diff(self.angles))
        return self._tridiagonal(outer + inner, off, off)

    @cached_property
    def H_pp(self) -> Array:
        """Tridiagonal."""
        k, (outer, inner) = 1 / self.lengths, self._weights
        off = -outer[:-1] * k[:-1] * k[1:] * np.cos(np.diff(self.angles))
        return self._tridiagonal(k * k * (outer + inner), off, off)

    @cached_property
    def H_pL(self) -> Array:
        """Tridiagonal, zero on the diagonal."""
        k, outer, s = 1 / self.lengths, self._weights[0], np.sin(np.diff(self.angles))
        return self._tridiagonal(np.zeros(len(k)), -outer[:-1] * k[:-1] * s, outer[:-1] * k[1:] * s)

    @property
    def _differences(self) -> Array:
        n = len(self.lengths)
        return np.eye(n) - np.eye(n, k=-1)

    @property
    def H_tt(self) -> Array:
        """In joint angles, pentadiagonal."""
        return self._differences @ self.H_pp @ self._differences.T

    @property
    def H_tL(self) -> Array:
        """Row i reaches from column i-2 to column i+1."""
        return self._differences @ self.H_pL

    @property
    def inverse(self) -> Array:
        """The inverse of the mass matrix, H_tt - H_tL H_LL^-1 H_Lt."""
        return self.H_tt - self.H_tL @ np.linalg.solve(self.H_LL, self.H_tL.T)

    def log_determinant(self) -> float:
        """Log det M = sum of log m^2 L^2 + log det H_LL, O(N): pivots of a tridiagonal matrix."""
        outer, inner = self._weights
        off = outer[:-1] * np.cos(np.diff(self.angles))
        total, pivot = float(np.sum(np.log(self.masses**2 * self.lengths**2))), 1.0
        for d, e in zip((outer + inner).tolist(), [0.0, *off.tolist()], strict=True):
            pivot = d - e * e / pivot
            total += math.log(pivot)
        return total


def planar_bands(model: Model, q: Array | Sequence[float]) -> PlanarBands:
    """The blocks for one position of a planar chain of point masses."""
    if reason := point_chain(model):
        raise MethodError(f"planar_bands of robot {model.name!r}: {reason}")
    bodies = model.bodies[1:]
    coms = np.array([b.inertia.com[:2] for b in bodies])
    turns = [_angle(b.placement.rotation) + b.joint.constants[0] for b in bodies]
    frames = np.cumsum(np.asarray(q, float) + turns)
    return PlanarBands(
        np.array([b.inertia.m for b in bodies]), np.hypot(*coms.T), frames + np.arctan2(coms[:, 1], coms[:, 0])
    )


def _angle(rotation: Sequence[float]) -> float:
    return float(np.arctan2(rotation[3], rotation[0]))
