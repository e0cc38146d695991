"""The objects of the DeNOC papers in public: ``robot.denoc(q)`` gives N_l, N_d, B, p, composite and articulated masses,
psi and the factors.

Everything is dense, in world axes and about the mass centres C_i, as Saha writes it; the O(n) recursions are in
algorithms/. Given symbols of SymPy instead of numbers, the same arrays hold formulas.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, MethodError, ShapeError, need
from ..model import Model
from ..scalars.primitives import Array
from .denoc_factors import Elimination, elimination
from .denoc_matrices import symbolic
from .manifold import named, neutral, states_given

__all__ = ["DeNOC", "denoc"]

MOST_NUMBERS = 2 * 10**8  # of one array, 1.6 GB: N_l of 2,300 links


@dataclass(frozen=True)
class DeNOC:
    """The decoupled natural orthogonal complement of a robot; arrays are about C_i, in world axes, angular part first.
    Of a batch of states each has the batch's axes first.

    With L links and n degrees of freedom: twists of all links are t = Nl Nd qd, and the mass matrix is Nd^T Nl^T mass
    Nl Nd (plus armature). A joint that mimics another one has its p_i in the columns of that one, times the ratio;
    links then have no articulated masses of their own. Of a closed chain the objects are those of its tree, its loops
    cut. B, p, composite, articulated, psi and Psi take O(n) memory, the others are dense.
    """

    model: Model
    states: tuple[Elimination, ...]
    batch: tuple[int, ...] = ()

    def __repr__(self) -> str:
        many = f", {math.prod(self.batch)} states" if self.batch else ""
        return (
            f"DeNOC of {self.model.name!r}: {self._links} links, {self.model.nv} degrees of freedom{many}; .Nl .Nd .N "
            ".B(i, j) .p(i) .mass .composite .articulated .psi .Psi .U .D .inertia .formulas()"
        )

    def formulas(self) -> DeNOC:
        """The same objects as SymPy formulas in q_1, q_2, ...: arrays of expressions, not simplified."""
        sp: Any = need("sympy", "formulas")
        letters = [sp.Symbol(f"q_{k}", real=True) for k in range(1, self.model.nq + 1)]
        return DeNOC(self.model, (elimination(self.model, letters),))

    @property
    def Nl(self) -> Array:
        """Twist propagation, block lower triangular, (6 L, 6 L)."""
        return self._dense("Nl", 6 * self._links, lambda e: e.complement.N_l)

    @property
    def Nd(self) -> Array:
        """Joint axes, block diagonal, (6 L, n)."""
        return self._dense("Nd", self.model.nv, lambda e: e.complement.N_d)

    @property
    def N(self) -> Array:
        """Nl Nd, (6 L, n)."""
        return self._dense("N", 6 * self._links, lambda e: e.complement.N)

    @property
    def mass(self) -> Array:
        """Mass matrices of the free links, block diagonal, (6 L, 6 L)."""
        return self._dense("mass", 6 * self._links, lambda e: e.complement.M)

    def B(self, i: int, j: int) -> Array:
        """Takes a twist of link j to link i, (6, 6); links are counted from 1, 0 is the base."""
        i, j = self._link(i, 0), self._link(j, 0)
        return self._each(lambda e: e.complement.B(i, j))

    def p(self, i: int) -> Array:
        """Axes of joint i, (6, k); joints are counted from 1."""
        i = self._link(i, 1)
        return self._each(lambda e: e.complement.p(i))

    @property
    def composite(self) -> Array:
        """Composite masses Mt_i: link i with all links behind it locked, (L, 6, 6)."""
        return self._each(lambda e: self._links_of(e.complement.Mt))

    @property
    def articulated(self) -> Array:
        """Articulated masses Mh_i: link i with the joints behind it free, (L, 6, 6)."""
        self._independent()
        return self._each(lambda e: self._links_of(e.Mh))

    @property
    def psi(self) -> Array:
        """psi_i = Mh_i p_i over the pivot, one column a degree of freedom, (6, n)."""
        return self._each(lambda e: self._columns(e, e.psi))

    @property
    def psih(self) -> Array:
        """Mh_i p_i, one column a degree of freedom, (6, n)."""
        return self._each(lambda e: self._columns(e, e.psih))

    @property
    def Psi(self) -> Array:
        """Articulation transformations 1 - psi_i p_i^T, (L, 6, 6)."""
        self._independent()
        return self._each(lambda e: self._links_of(e.Psi))

    @property
    def phi(self) -> Array:
        """Wrench propagation Nl^T (Rodriguez' Phi), (6 L, 6 L)."""
        return np.swapaxes(self.Nl, -1, -2)

    @property
    def U(self) -> Array:
        """Unit upper triangular factor, (n, n): the mass matrix is U diag(D) U^T."""
        return self._dense("U", 6 * self._links, lambda e: e.U)

    @property
    def D(self) -> Array:
        """Pivots, (n,)."""
        return self._dense("D", 6 * self._links, lambda e: e.D)

    @property
    def inertia(self) -> Array:
        """The generalized inertia matrix I = N^T mass N plus armature, (n, n)."""
        return self._dense("inertia", 6 * self._links, lambda e: e.I)

    @property
    def _links(self) -> int:
        return len(self.model.bodies) - 1

    def _each(self, of: Callable[[Elimination], Array]) -> Array:
        """An object of every state, the batch's axes first."""
        if not self.batch:
            return of(self.states[0])
        made = [of(e) for e in self.states] or [of(elimination(self.model, neutral(self.model).tolist()))]
        return np.array(made)[: len(self.states)].reshape(*self.batch, *made[0].shape)

    def _dense(self, name: str, columns: int, of: Callable[[Elimination], Array]) -> Array:
        """One of the objects that take the 6 L rows of all links times so many columns, itself or on the way to it."""
        size = 6 * self._links * columns * max(1, len(self.states))
        if size > MOST_NUMBERS:
            raise MethodError(
                f"{name} of {self._links} links takes matrices of {8e-9 * size:.3g} GB; .B(i, j), .p(i), .composite, "
                ".articulated, .psi and .Psi take none, nor do the recursions behind robot.mass_matrix(q), "
                "robot.log_det(q) and robot.forward_dynamics(...)"
            )
        return self._each(of)

    def _links_of(self, of: Callable[[int], Array]) -> Array:
        return np.array([of(i) for i in range(1, self._links + 1)]).reshape(-1, 6, 6)

    def _columns(self, e: Elimination, of: Callable[[int], Array]) -> Array:
        self._independent()
        made = np.zeros((6, self.model.nv), e.complement.centre.dtype)
        for i in range(1, self._links + 1):
            made[:, e.complement.columns(i)] = of(i)
        return made

    def _link(self, i: object, least: int) -> int:
        """A link's number; an error lists the links."""
        try:
            number = operator.index(i)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if isinstance(i, bool) or not least <= number <= self._links:
            raise InputError(f"links are counted from {least} to {self._links}, got {i!r}")
        return number

    def _independent(self) -> None:
        """Complain of joints that do not move independently."""
        if self.model.coupled:
            raise MethodError(
                f"robot {self.model.name!r} has mimic joints, which tie branches together, so that articulated masses "
                "and psi are not defined; Nl, Nd, composite, U and D are. load(..., mimic=False) lets these joints go"
            )


def denoc(model: Model, q: object) -> DeNOC:
    """The DeNOC objects of a robot at q (..., nq): one state or a batch, numbers or (one state) symbols of SymPy."""
    q = named(model, "q", q)
    if symbolic(q):
        letters = np.asarray(q, object)
        if letters.shape != (model.nq,):
            raise ShapeError(f"q must have the shape ({model.nq},) where it holds symbols, got {letters.shape}")
        return DeNOC(model, (elimination(model, letters.tolist()),))
    given = states_given("q", q, model, "q").astype(float)
    rows = given.reshape(-1, model.nq) if given.size else np.empty((math.prod(given.shape[:-1]), model.nq))
    return DeNOC(model, tuple(elimination(model, row) for row in rows.tolist()), given.shape[:-1])
