"""What methods return when it is more than one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InputError, ShapeError
from ..model.paths import FreedomPaths
from ..runtime.array_inputs import as_array
from ..runtime.memory import empty
from ..scalars.primitives import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "NAMED",
    "UDU",
    "ForwardDerivatives",
    "ForwardSecondDerivatives",
    "InverseDerivatives",
    "InverseSecondDerivatives",
    "Limits",
]


@dataclass(frozen=True)
class Limits:
    """Limits by degree of freedom, (n,) each, infinite where not given; rad or m, per second, N m or N."""

    lower: Array
    upper: Array
    velocity: Array
    effort: Array


class InverseDerivatives(NamedTuple):
    """Jacobians (..., n, n) of inverse dynamics; dqdd is M. dq is on the manifold (q moved by integrate)."""

    dq: Array
    dqd: Array
    dqdd: Array


class ForwardDerivatives(NamedTuple):
    """Jacobians (..., n, n) of forward dynamics; dtau is the inverse of the mass matrix."""

    dq: Array
    dqd: Array
    dtau: Array


NAMED: dict[str, type[tuple[Any, ...]]] = {  # by quantity: the class of its several results
    "inverse_dynamics_derivatives": InverseDerivatives,
    "forward_dynamics_derivatives": ForwardDerivatives,
}


class InverseSecondDerivatives(Sequence[Any]):
    """Jacobians (..., n, n) of inverse dynamics and their own, (..., n, n, n): [i, j, k] is tau_i by the first, then by
    the second.

    Only degrees of freedom on one way to the base have second derivatives together, and many are equal: of the 219,488
    numbers of a humanoid with 38, 29,112 differ. ``packed`` (..., count) holds those (None where a robot has no such
    form); the arrays are laid out from it when they are first asked for, each in the time that its memory takes. A
    sequence of the seven arrays, in the order of ``_fields``.
    """

    _fields = ("dq", "dqd", "dqdd", "dq_dq", "dqd_dqd", "dq_dqd", "dq_dqdd")

    def __init__(
        self,
        first: Sequence[Any],
        cubes: Sequence[Array] = (),
        packed: Array | None = None,
        paths: FreedomPaths | None = None,
    ) -> None:
        self.dq, self.dqd, self.dqdd = first
        self.packed, self._paths = packed, paths
        self._cubes = dict(enumerate(cubes))

    def _cube(self, which: int) -> Array:
        if which not in self._cubes and self._paths is not None and self.packed is not None:
            n, batch = self._paths.n, self.packed.shape[:-1]
            made = empty((*batch, n**3), self.packed.dtype)
            np.take(self.packed, self._paths.cubes[which].reshape(-1), axis=-1, out=made, mode="clip")
            self._cubes[which] = made.reshape(*batch, n, n, n)
        return self._cubes[which]

    @property
    def dq_dq(self) -> Array:
        """By q, then q."""
        return self._cube(0)

    @property
    def dqd_dqd(self) -> Array:
        """By qd twice."""
        return self._cube(1)

    @property
    def dq_dqd(self) -> Array:
        """By q, then qd."""
        return self._cube(2)

    @property
    def dq_dqdd(self) -> Array:
        """By q, then qdd: [i, j, k] is how M[i, k] changes with q_j."""
        return self._cube(3)

    def __len__(self) -> int:
        return len(self._fields)

    def __getitem__(self, k: int | slice) -> Any:
        names = self._fields[k]
        return getattr(self, names) if isinstance(names, str) else tuple(getattr(self, name) for name in names)

    def __repr__(self) -> str:
        return f"InverseSecondDerivatives({', '.join(self._fields)}: {(*self.dq.shape, self.dq.shape[-1])})"


class ForwardSecondDerivatives(NamedTuple):
    """Jacobians (..., n, n) of forward dynamics and theirs (..., n, n, n): [i, j, k] is qdd_i by first, second."""

    dq: Array
    dqd: Array
    dtau: Array
    dq_dq: Array
    dqd_dqd: Array
    dq_dqd: Array
    dq_dtau: Array


@dataclass(frozen=True)
class UDU:
    """M = U diag(D) U^T with U unit upper triangular, (..., n, n), and D (..., n): Saha's reverse Gaussian
    elimination.
    """

    U: Array
    D: Array

    def solve(self, b: ArrayLike) -> Array:
        """M^-1 b for b (..., n), batches broadcast."""
        b, n = self._given("b", b), self.D.shape[-1]
        if b.shape[-1:] != (n,):
            raise ShapeError(f"b must have {n} numbers in its last axis, got shape {b.shape}")
        x = np.broadcast_to(b, (*self._batch("b", b.shape, b.shape[:-1]), n)).copy()
        for k in range(n - 1, 0, -1):  # U y = b, from the last row
            x[..., :k] -= self.U[..., :k, k] * x[..., k, None]
        x /= self.D
        for k in range(1, n):  # U^T x = y
            x[..., k] -= np.sum(self.U[..., :k, k] * x[..., :k], axis=-1)
        return x

    def logdet(self) -> Array:
        """Log det M."""
        made: Array = np.sum(np.log(self.D), axis=-1)
        return made

    def inverse(self) -> Array:
        """M^-1, symmetric to the last bit."""
        V = np.linalg.inv(self.U)  # of a unit triangular matrix: no pivots, no division
        made = (np.swapaxes(V, -1, -2) / self.D[..., None, :]) @ V
        return 0.5 * (made + np.swapaxes(made, -1, -2))

    def solve_many(self, B: ArrayLike) -> Array:
        """M^-1 B for B (..., n, k), batches broadcast."""
        B, n = self._given("B", B), self.D.shape[-1]
        if B.ndim < 2 or B.shape[-2] != n:
            raise ShapeError(f"B must have {n} rows, (..., {n}, k), got shape {B.shape}")
        self._batch("B", B.shape, B.shape[:-2])
        V = np.linalg.inv(self.U)
        made: Array = np.swapaxes(V, -1, -2) @ ((V @ B) / self.D[..., None])
        return made

    def _given(self, name: str, values: object) -> Array:
        array = as_array(name, values).astype(self.D.dtype)
        if not np.isfinite(array).all():
            raise InputError(f"{name} holds NaN or infinity; every number must be finite")
        return array

    def _batch(self, name: str, shape: tuple[int, ...], batch: tuple[int, ...]) -> tuple[int, ...]:
        try:
            return np.broadcast_shapes(batch, self.D.shape[:-1])
        except ValueError:
            raise ShapeError(
                f"{name} of shape {shape} does not fit the {self.D.shape[:-1]} matrices that were factored"
            ) from None

    def matrix(self) -> Array:
        """M again."""
        return (self.U * self.D[..., None, :]) @ np.swapaxes(self.U, -1, -2)
