"""Errata of Lee and Chirikjian and of Provenzano et al., as printed and as corrected, on random arms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..describe.builtin import chain as chain_model
from ..model.model_scalars import plain
from ..robot import Robot
from ..scalars.primitives import Array
from ..tree import Tree
from .fixman_blocks import blocks, gradients, mass_matrix, schur
from .rows import erratum

__all__ = ["gah"]

LEE, GAH = "lee2005", "provenzano"
N = 12


# --- Lee and Chirikjian -----------------------------------------------------------------------------------------------
def _point_masses(rng: np.random.Generator, size: float = 1.0) -> tuple[Array, Array, Array, Array]:
    """Lengths, masses, angles of either sign away from zero, and the inverse of the mass matrix."""
    L, m = rng.uniform(0.4, 0.6, N), rng.uniform(0.8, 1.2, N)
    theta = size * rng.uniform(0.2, 0.7, N) * rng.choice([-1, 1], N)
    return L, m, theta, np.linalg.inv(mass_matrix(theta, L, m))


@erratum(LEE, "eq. (25)", "H_Lθ left, H_θL right", "H_θL left, H_Lθ right, as in (12)", 1e-11)
def _swapped(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, inverse = _point_masses(rng)
    H = blocks(*gradients(theta, L), m)
    return H["tt"] - H["Lt"] @ np.linalg.solve(H["LL"], H["tL"]), schur(H), inverse


@erratum(LEE, "eq. (21)", "last term with d_i-1", "last term with d_i", 1e-9)
def _last_term(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, inverse = _point_masses(rng)
    angle, length = gradients(theta, L, cosine=True)
    phi = np.cumsum(theta)
    d = np.vstack([[1.0, 0.0], np.stack([np.cos(phi), np.sin(phi)], axis=1) * L[:, None]])
    scale = -1 / (np.concatenate([[1.0], L[:-1]]) * L * np.sin(theta))
    wrong = angle.copy()
    for i in range(2, N):
        wrong[i, i - 2] = -scale[i] * d[i]
    return schur(blocks(wrong, length, m)), schur(blocks(angle, length, m)), inverse


@erratum(LEE, "eq. (23)", "sums from l = 0 (here with m_0 = 1)", "sums from l = 1: the base has infinite mass", 1e-11)
def _base(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, inverse = _point_masses(rng)
    angle, length = gradients(theta, L)
    n0, base_angle, base_length = np.array([-np.sin(theta[0]), np.cos(theta[0])]), np.zeros((N, 2)), np.zeros((N, 2))
    base_angle[0], base_angle[1] = -n0 / L[0], n0 / L[0]  # how x_0 changes theta_1, theta_2 and L_1
    base_length[0] = -np.cos(theta[0]), -np.sin(theta[0])
    a, b = (np.hstack([first, rest.reshape(N, -1)]) for first, rest in ((base_angle, angle), (base_length, length)))
    w = np.repeat(np.concatenate([[1.0], 1 / m]), 2)
    free = {"tt": (a * w) @ a.T, "tL": (a * w) @ b.T, "Lt": (b * w) @ a.T, "LL": (b * w) @ b.T}
    return schur(free), schur(blocks(angle, length, m)), inverse


@erratum(
    LEE,
    "eq. (21), straight chain",
    "divides by sin(theta)",
    "gradients of the angles themselves, theta some 1e-7",
    1e-9,
)
def _straight(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, inverse = _point_masses(rng, 2e-7)
    cosine, plain_ones = (schur(blocks(*gradients(theta, L, cosine=kind), m)) for kind in (True, False))
    return cosine, plain_ones, inverse


def _whole(theta: Array, L: Array, m: Array) -> Array:
    """G = J^T diag(m) J over all 2N coordinates, J from x_i = sum L_k (cos phi_k, sin phi_k) alone."""
    phi = np.cumsum(theta)
    along, across = np.stack([np.cos(phi), np.sin(phi)]), np.stack([-np.sin(phi), np.cos(phi)])
    J = np.zeros((N, 2, 2 * N))  # mass, direction, coordinate
    for i in range(N):
        J[i, :, N : N + i + 1] = along[:, : i + 1]
        turned = across[:, : i + 1] * L[: i + 1]
        J[i, :, : i + 1] = np.cumsum(turned[:, ::-1], axis=1)[:, ::-1]  # theta_k turns every link from k on
    flat = J.reshape(2 * N, 2 * N)
    made: Array = (flat.T * np.repeat(m, 2)) @ flat
    return made


@erratum(LEE, "eq. (5)", "H_ij = (G_ij)^-1", "H_ij = (G^-1)_ij", 1e-10)
def _elements(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, _ = _point_masses(rng)
    G = _whole(theta, L, m)
    return np.linalg.inv(G[:N, :N]), np.linalg.inv(G)[:N, :N], blocks(*gradients(theta, L), m)["tt"]


@erratum(
    LEE,
    "eq. (20)",
    "derivatives of cos(theta) with the lengths constant, as elements of dq/dx",
    "the partial derivatives of the angles",
    1e-10,
)
def _partial(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    L, m, theta, _ = _point_masses(rng)
    truth = np.linalg.inv(_whole(theta, L, m))[:N, :N]
    return blocks(*gradients(theta, L, cosine=True), m)["tt"], blocks(*gradients(theta, L), m)["tt"], truth


# --- Provenzano et al. ------------------------------------------------------------------------------------------------
def gah(r: Robot, q: Array, upward: bool = False, first: bool = False, short: bool = False) -> Array:
    """The seven steps in plain numbers, for turning joints.

    ``upward``: eqs. (6), (7) from the first link on, with masses behind that are not yet summed; ``first``: iR_i-1 in
    (14); ``short``: (8) to n-1 only, so that J_n is not there.
    """
    tree, bodies, n = Tree(r.model, plain), r.model.bodies, len(q)
    X = [None, *(tree.joint[i].motion(x)[0] for i, x in enumerate(tree_coordinates(tree, q), 1))]
    R = [np.eye(3), *(np.array(x.rotation.full().T.dense(), float) for x in X[1:] if x is not None)]  # axes of i in i-1
    r_to = [np.zeros(3), *(np.array(x.origin.dense(), float) for x in X[1:] if x is not None)]
    m, c = [b.inertia.m for b in bodies], [np.array(b.inertia.com) for b in bodies]
    J = [_tensor(b.inertia.I) for b in bodies]
    if short:
        J[n] = np.zeros((3, 3))
    M = list(m)
    for i in range(1, n) if upward else range(n - 1, 0, -1):
        M[i] = m[i] + M[i + 1]
    beyond = [0.0, *(m[2:] if upward else M[2:]), 0.0]  # what (7) finds in M_i+1
    g = [m[i] * c[i] + (beyond[i] * r_to[i + 1] if i < n else 0) for i in range(n + 1)]
    f, Phi = list(g), list(J)
    for i in range(n - 1, 0, -1):
        turned, s = R[i + 1] @ f[i + 1], _skew(r_to[i + 1])
        f[i] = g[i] + turned
        Y = s @ _skew(turned)
        Phi[i] = J[i] - beyond[i] * s @ s - Y - Y.T + R[i + 1] @ Phi[i + 1] @ R[i + 1].T
    D, ez = np.zeros((n, n)), np.array([0, 0, 1.0])
    for k in range(1, n + 1):
        z, way = ez, np.zeros(3)
        for j in range(k, n + 1):
            if j > k:
                way = R[j].T @ (way + r_to[j])
                z = (R[k] if first and j > k + 1 else R[j]).T @ z
            D[j - 1, k - 1] = D[k - 1, j - 1] = z @ (Phi[j] - _skew(way) @ _skew(f[j])) @ ez
    return D


def tree_coordinates(tree: Tree, q: Array) -> list[Any]:
    """The coordinates q, split by joint."""
    split = tree.coordinates([float(x) for x in q], "q")
    return [split[i] for i in range(1, len(q) + 1)]


def _tensor(I: Any) -> Array:
    xx, yy, zz, xy, xz, yz = I
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _skew(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _hessians(rng: np.random.Generator, **misread: bool) -> tuple[Array, Array, Array]:
    r = Robot(chain_model(6, int(rng.integers(1, 1000))))
    q = rng.uniform(-1, 1, 6)
    return gah(r, q, **misread), gah(r, q), r.mass_matrix(q, method="composite")


@erratum(GAH, "eqs. (6), (7)", "i = 1 to n-1: the masses behind are not yet summed", "i = n-1 down to 1", 1e-13)
def _from_the_tip(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    return _hessians(rng, upward=True)


@erratum(GAH, "eq. (8)", "i = 1 to n-1: J_n, which step 5 needs, is never set", "i = 1 to n", 1e-13)
def _to_the_tip(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    return _hessians(rng, short=True)


@erratum(GAH, "eq. (14)", "z_j,i = ^iR_i-1 z_j-1,i", "z_j,i = ^jR_j-1 z_j-1,i", 1e-13)
def _frame(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    return _hessians(rng, first=True)
