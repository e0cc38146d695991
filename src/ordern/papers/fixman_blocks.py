"""Dense matrices of Lee and Chirikjian for a planar chain of point masses: gradients, blocks of H, M."""

from __future__ import annotations

import numpy as np

from ..scalars.primitives import Array

__all__ = ["blocks", "gradients", "mass_matrix", "schur"]


def gradients(theta: Array, L: Array, cosine: bool = False) -> tuple[Array, Array]:
    """Rows of dtheta/dx and dL/dx, (N, N, 2); ``cosine``: eq. (21) with d_i, which divides by sin(theta)."""
    n = len(L)
    phi = np.cumsum(theta)
    u = np.stack([np.cos(phi), np.sin(phi)], axis=1)
    normal = np.stack([-u[:, 1], u[:, 0]], axis=1)
    angle, length = np.zeros((n, n, 2)), np.zeros((n, n, 2))
    for i in range(n):
        length[i, i] = u[i]
        angle[i, i] = normal[i] / L[i]
        if i > 0:
            length[i, i - 1] = -u[i]
            angle[i, i - 1] = -(normal[i] / L[i] + normal[i - 1] / L[i - 1])
        if i > 1:
            angle[i, i - 2] = normal[i - 1] / L[i - 1]
    if cosine:
        d = np.vstack([[1.0, 0.0], u * L[:, None]])  # d_0 is the fictitious link of length 1 along x
        scale = -1 / (np.concatenate([[1.0], L[:-1]]) * L * np.sin(theta))
        angle = np.zeros((n, n, 2))
        for i in range(n):
            angle[i, i] = scale[i] * d[i]
            if i > 0:
                angle[i, i - 1] = scale[i] * (d[i + 1] - d[i])
            if i > 1:
                angle[i, i - 2] = -scale[i] * d[i + 1]
    return angle, length


def blocks(angle: Array, length: Array, m: Array) -> dict[str, Array]:
    """H_tt, H_tL, H_Lt, H_LL of eq. (23), sums from l = 1."""
    a, b = angle.reshape(len(m), -1), length.reshape(len(m), -1)
    w = np.repeat(1 / m, 2)
    return {"tt": (a * w) @ a.T, "tL": (a * w) @ b.T, "Lt": (b * w) @ a.T, "LL": (b * w) @ b.T}


def schur(H: dict[str, Array]) -> Array:
    """Eq. (12): the inverse of the mass matrix."""
    return H["tt"] - H["tL"] @ np.linalg.solve(H["LL"], H["Lt"])


def mass_matrix(theta: Array, L: Array, m: Array) -> Array:
    """G_aa of point masses, formed in O(n^2) from composite masses."""
    phi = np.cumsum(theta)
    beyond = np.cumsum(m[::-1])[::-1]
    A = (
        beyond[np.maximum.outer(np.arange(len(m)), np.arange(len(m)))]
        * np.outer(L, L)
        * np.cos(phi[:, None] - phi[None, :])
    )
    return np.cumsum(np.cumsum(A[::-1, ::-1], axis=0), axis=1)[::-1, ::-1]
