"""The objects of the DeNOC papers in public: ``robot.denoc(q)`` gives N_l, N_d, B, p, composite and articulated masses,
psi and the factors.

Everything is dense, in world axes and about the mass centres C_i, as Saha writes it; the O(n) recursions are in
algorithms/. Given symbols of SymPy instead of numbers, the same arrays hold formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InputError, MethodError, need
from ..model import Model
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array
from .denoc_factors import Elimination, elimination
from .denoc_matrices import symbolic
from .manifold import named

__all__ = ["DeNOC", "denoc"]


@dataclass(frozen=True)
class DeNOC:
    """The decoupled natural orthogonal complement of a robot at one state; arrays are about C_i, in world axes, angular
    part first.

    With L links and n degrees of freedom: twists of all links are t = Nl Nd qd, and the mass matrix is Nd^T Nl^T mass
    Nl Nd (plus armature). A joint that mimics another one has its p_i in the columns of that one, times the ratio;
    links then have no articulated masses of their own. Of a closed chain the objects are those of its tree, its loops
    cut.
    """

    elimination: Elimination

    def __repr__(self) -> str:
        c = self.elimination.complement
        return (
            f"DeNOC of {c.model.name!r}: {c.links} links, {c.model.nv} degrees of freedom; .Nl .Nd .N .B(i, j) .p(i) "
            ".mass .composite .articulated .psi .Psi .U .D .inertia .formulas()"
        )

    def formulas(self) -> DeNOC:
        """The same objects as formulas of SymPy in q_1, q_2, ..., whatever the state: arrays of expressions, not
        simplified.
        """
        sp: Any = need("sympy", "formulas")
        model = self.elimination.complement.model
        return DeNOC(elimination(model, [sp.Symbol(f"q_{k}", real=True) for k in range(1, model.nq + 1)]))

    @property
    def Nl(self) -> Array:
        """Twist propagation, block lower triangular, (6 L, 6 L)."""
        return self.elimination.complement.N_l

    @property
    def Nd(self) -> Array:
        """Joint axes, block diagonal, (6 L, n)."""
        return self.elimination.complement.N_d

    @property
    def N(self) -> Array:
        """Nl Nd, (6 L, n)."""
        return self.elimination.complement.N

    @property
    def mass(self) -> Array:
        """Mass matrices of the free links, block diagonal, (6 L, 6 L)."""
        return self.elimination.complement.M

    def B(self, i: int, j: int) -> Array:
        """Takes a twist of link j to link i, (6, 6); links are counted from 1."""
        return self.elimination.complement.B(i, j)

    def p(self, i: int) -> Array:
        """Axes of joint i, (6, k)."""
        return self.elimination.complement.p(i)

    @cached_property
    def composite(self) -> Array:
        """Composite masses Mt_i: link i with all links behind it locked, (L, 6, 6)."""
        c = self.elimination.complement
        return np.array([c.Mt(i) for i in range(1, c.links + 1)]).reshape(-1, 6, 6)

    @cached_property
    def articulated(self) -> Array:
        """Articulated masses Mh_i: link i with the joints behind it free, (L, 6, 6)."""
        links = self._independent()
        return np.array([self.elimination.Mh(i) for i in range(1, links + 1)]).reshape(-1, 6, 6)

    @cached_property
    def psi(self) -> Array:
        """psi_i = Mh_i p_i over the pivot, one column a degree of freedom, (6, n)."""
        return self._columns(self.elimination.psi)

    @cached_property
    def psih(self) -> Array:
        """Mh_i p_i, one column a degree of freedom, (6, n)."""
        return self._columns(self.elimination.psih)

    @cached_property
    def Psi(self) -> Array:
        """Articulation transformations 1 - psi_i p_i^T, (L, 6, 6)."""
        links = self._independent()
        return np.array([self.elimination.Psi(i) for i in range(1, links + 1)]).reshape(-1, 6, 6)

    @property
    def phi(self) -> Array:
        """Wrench propagation Nl^T (Rodriguez' Phi), (6 L, 6 L)."""
        return self.Nl.T

    @property
    def U(self) -> Array:
        """Unit upper triangular factor, (n, n): the mass matrix is U diag(D) U^T."""
        return self.elimination.U

    @property
    def D(self) -> Array:
        """Pivots, (n,)."""
        return self.elimination.D

    @property
    def inertia(self) -> Array:
        """The generalized inertia matrix I = N^T mass N plus armature, (n, n)."""
        return self.elimination.I

    def _columns(self, of: Callable[[int], Array]) -> Array:
        c = self.elimination.complement
        made = np.zeros((6, c.model.nv), c.centre.dtype)
        for i in range(1, self._independent() + 1):
            made[:, c.columns(i)] = of(i)
        return made

    def _independent(self) -> int:
        """How many links there are, if their joints move independently."""
        model = self.elimination.complement.model
        if model.coupled:
            raise MethodError(
                f"robot {model.name!r} has mimic joints, which tie branches together, so that articulated masses and "
                "psi are not defined; Nl, Nd, composite, U and D are. load(..., mimic=False) lets these joints go"
            )
        return len(model.bodies) - 1


def denoc(model: Model, q: object) -> DeNOC:
    """The DeNOC objects of a robot at one state q (nq,), numbers or symbols of SymPy."""
    q = named(model, "q", q)
    given = np.asarray(q, object) if symbolic(q) else as_array("q", q).astype(float)
    if given.shape != (model.nq,):
        raise MethodError(
            f"the DeNOC objects belong to one state: q must have the shape ({model.nq},), got {given.shape}; call it "
            "for each state"
        )
    if given.dtype != object and not np.isfinite(given).all():
        raise InputError("q must be finite")
    return DeNOC(elimination(model, given.tolist()))
