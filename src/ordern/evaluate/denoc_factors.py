"""The generalized inertia matrix taken apart, as arrays to look at: E_k, U, D, psi, articulated mass matrices, Kalman
gains.

Dense, in world components, about the mass centres, as in denoc.py; the recursions that compute with these objects in
O(n) are in algorithms/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import SingularError
from ..model import Model
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array, Scalar
from .denoc_matrices import NaturalComplement, natural_complement

__all__ = ["Elimination", "Innovations", "elimination", "innovations"]


@dataclass(frozen=True)
class Elimination:
    """Reverse Gaussian elimination of the generalized inertia matrix, I = U D U^T, and its elements."""

    complement: NaturalComplement

    @cached_property
    def _bodies(self) -> tuple[list[Array], list[Array]]:
        """Mh_i and p_i^T Mh_i p_i (plus armature), (k, k), tips first; lazy, since their formulas swell."""
        c = self.complement
        Mh = [np.zeros((6, 6)), *(c.M_i(i) for i in range(1, c.links + 1))]
        mh = [np.zeros((0, 0))] * (c.links + 1)
        for i in range(c.links, 0, -1):
            p, parent = c.p(i), c.model.parents[i]
            psih = Mh[i] @ p
            mh[i] = p.T @ psih + np.diag(c.model.bodies[i].armature or (0.0,) * p.shape[1])
            if mh[i].dtype != object and mh[i].size and not np.linalg.eigvalsh(mh[i])[0] > 0:
                raise _singular(c.model, c.model.bodies[i].name)
            if not parent:
                continue  # nothing moves the base
            B = c.B(i, parent)
            Mh[parent] = Mh[parent] + B.T @ (Mh[i] - psih @ _solved(mh[i], psih.T)) @ B
        return Mh, mh

    @property
    def articulated(self) -> list[Array]:
        """Mh_i, (6, 6) each, the base's first."""
        return self._bodies[0]

    # --- by the matrix itself [S97, eqs. 9-13] ------------------------------------------------------------------------
    @cached_property
    def I(self) -> Array:  # noqa: E743
        """The generalized inertia matrix, (n, n)."""
        return self.complement.I

    def E(self, k: int) -> Array:
        """The elementary matrix 1 - alpha_k lambda_k^T that clears column k = n..2 above the diagonal, (n, n)."""
        made = np.eye(len(self.I))
        made[: k - 1, k - 1] = -self.alpha[: k - 1, k - 1]
        return made

    def eliminated(self, k: int) -> Array:
        """E_k ... E_n I: columns n down to k are cleared above the diagonal, (n, n)."""
        made = self.I
        for column in range(len(made), k - 1, -1):
            made = self.E(column) @ made
        return made

    @cached_property
    def _factors(self) -> tuple[Array, Array]:
        work = self.I.copy()
        n = len(work)
        U, D = np.eye(n, dtype=work.dtype), np.zeros(n, work.dtype)
        for k in range(n - 1, -1, -1):
            D[k] = work[k, k]
            if work.dtype != object and not D[k] > 0:
                raise _singular(self.complement.model, coordinate_names(self.complement.model, "v")[k])
            U[:k, k] = work[:k, k] / D[k]
            work[:k, :k] = work[:k, :k] - D[k] * np.outer(U[:k, k], U[:k, k])
        return U, D

    @property
    def U(self) -> Array:
        """Unit upper triangular, (n, n)."""
        return self._factors[0]

    @property
    def D(self) -> Array:
        """The pivots mh_i, (n,)."""
        return self._factors[1]

    @property
    def alpha(self) -> Array:
        """The elements of U above its diagonal, (n, n): alpha_ik = p_i^T B_ki^T psi_k."""
        return self.U - np.eye(len(self.U))

    @cached_property
    def alpha_prime(self) -> Array:
        """The elements of 1 - U^-1, (n, n), column by column: alpha'_k = alpha_k - sum_l alpha_lk alpha'_l."""
        made = np.zeros_like(self.alpha)
        for k in range(len(made)):
            made[:, k] = self.alpha[:, k] - made[:, :k] @ self.alpha[:k, k]
        return made

    @cached_property
    def inverse(self) -> Array:
        """U^-T D^-1 U^-1, (n, n)."""
        U_inverse = np.eye(len(self.alpha)) - self.alpha_prime
        return U_inverse.T @ np.diag(1 / self.D) @ U_inverse

    # --- by its meaning [S97, eqs. 20-27] -----------------------------------------------------------------------------
    def Mh(self, i: int) -> Array:
        """The articulated mass matrix of link i, (6, 6)."""
        return self.articulated[i]

    def mh(self, i: int) -> Array:
        """The inertia that joint i feels, (k, k)."""
        return self._bodies[1][i]

    def psih(self, i: int) -> Array:
        """Mh_i p_i, (6, k)."""
        return self.Mh(i) @ self.complement.p(i)

    def psi(self, i: int) -> Array:
        """Mh_i p_i over the pivot, (6, k)."""
        return _solved(self.mh(i), self.psih(i).T).T

    def Psi(self, i: int) -> Array:
        """The articulation transformation 1 - psi_i p_i^T, (6, 6), a projector (without armature)."""
        made: Array = np.eye(6) - self.psi(i) @ self.complement.p(i).T
        return made

    def Mh_partly(self, i: int, k: int) -> Array:
        """Mh_ik: the mass matrix of link i in which joints k and later give way, (6, 6); Mh_i,i+1 = Mh_i on a chain."""
        c = self.complement
        made = c.Mt(i)
        for l in range(max(i, k), c.links + 1):
            if c.moves(i, l):
                made = made - c.B(l, i).T @ self.psih(l) @ (c.B(l, i).T @ self.psi(l)).T
        return made

    def Bh(self, j: int, i: int) -> Array:
        """B_j,j-1 Psi_j-1^T ... B_i+1,i (6, 6): motion of link i at link j if the joints between give way."""
        c = self.complement
        made, k = np.eye(6), j
        while k != i:
            before = c.model.parents[k]
            made = made @ c.B(k, before) @ (self.Psi(before).T if before != i else np.eye(6))
            k = before
        return made


def _singular(model: Model, joint: str) -> SingularError:
    return SingularError(
        f"the mass matrix of robot {model.name!r} is singular there: joint {joint!r} moves no inertia, so that there "
        "are no pivots and articulated masses; see robot.lint()"
    )


def _solved(a: Array, b: Array) -> Array:
    """a^-1 b of numbers or of formulas, eliminated as they stand: a is positive definite, so that no pivot is zero."""
    if a.dtype != object:
        return np.linalg.solve(a, b)
    a, b = a.copy(), b.copy()
    for k in range(len(a)):
        for i in range(len(a)):
            if i != k:
                factor = a[i, k] / a[k, k]
                a[i, k + 1 :], b[i] = a[i, k + 1 :] - factor * a[k, k + 1 :], b[i] - factor * b[k]
    made: Array = b / np.diag(a)[:, None]
    return made


def elimination(model: Model, q: Array | Sequence[Scalar]) -> Elimination:
    """The decomposition at one position; with mimic joints only U and D have a meaning."""
    return Elimination(natural_complement(model, q))


@dataclass(frozen=True)
class Innovations:
    """The same decomposition as a Kalman filter sees it [R87, RJK91]: I = (1 + H Phi K) D (1 + H Phi K)^T."""

    elimination: Elimination

    def covariance(self, i: int) -> Array:
        """P_i, the articulated mass matrix, by the discrete Riccati equation, (6, 6)."""
        return self.elimination.Mh(i)

    def kalman_gain(self, i: int) -> Array:
        """P_i H_i^T D_i^-1, (6, k)."""
        return self.elimination.psi(i)

    def innovation_variance(self, i: int) -> Array:
        """D_i = H_i P_i H_i^T, (k, k)."""
        return self.elimination.mh(i)

    @property
    def H(self) -> Array:
        """Joint axes N_d^T, (n, 6 links)."""
        return self.elimination.complement.N_d.T

    @property
    def Phi(self) -> Array:
        """Propagation N_l^T, (6 links, 6 links)."""
        return self.elimination.complement.N_l.T

    @cached_property
    def K(self) -> Array:
        """The gains, each shifted to the link before, (6 links, n)."""
        c = self.elimination.complement
        made = np.zeros((6 * c.links, c.model.nv))
        for k in range(1, c.links + 1):
            parent = c.model.parents[k]
            if parent:
                made[c.rows(parent), c.columns(k)] = c.B(k, parent).T @ self.kalman_gain(k)
        return made

    @cached_property
    def Psi(self) -> Array:
        """Propagation while the joints give way, (6 links, 6 links)."""
        c = self.elimination.complement
        step = np.zeros((6 * c.links, 6 * c.links))
        for k in range(1, c.links + 1):
            parent = c.model.parents[k]
            if parent:
                step[c.rows(parent), c.rows(k)] = c.B(k, parent).T @ self.elimination.Psi(k)
        return np.linalg.inv(np.eye(len(step)) - step)

    @cached_property
    def D(self) -> Array:
        """The innovation variances on the diagonal, (n, n)."""
        c = self.elimination.complement
        made = np.zeros((c.model.nv, c.model.nv))
        for i in range(1, c.links + 1):
            made[c.columns(i), c.columns(i)] = self.innovation_variance(i)
        return made

    @property
    def factor(self) -> Array:
        """1 + H Phi K, (n, n): U where all joints have one degree of freedom."""
        made: Array = np.eye(len(self.H)) + self.H @ self.Phi @ self.K
        return made

    @property
    def whitening(self) -> Array:
        """1 - H Psi K, (n, n): the inverse of the factor; makes innovations of forces."""
        made: Array = np.eye(len(self.H)) - self.H @ self.Psi @ self.K
        return made


def innovations(model: Model, q: Sequence[float]) -> Innovations:
    """The innovations factorization for one position."""
    return Innovations(elimination(model, q))
