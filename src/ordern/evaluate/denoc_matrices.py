"""The matrices of the DeNOC papers as arrays to look at: N_l, N_d, B_ij, p_i and what is made of them.

Everything here is dense, in world components, and refers to the mass centres C_i, as [S97], [S99] and [S99i] write it;
the recursions that compute with these objects in O(n) are in algorithms/. Links are counted from 1, link 0 is the base;
degrees of freedom of joint i are the columns ``columns(i)`` of the n columns. With N_links links and n degrees of
freedom: N_l is (6 N_links, 6 N_links), N_d and N are (6 N_links, n). Joints with k degrees of freedom have k columns
p_i; everything holds for trees. denoc_factors.py factorizes the inertia matrix. With symbols of SymPy for q the arrays
hold formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import need
from ..model import Model
from ..model.model_scalars import plain
from ..scalars.primitives import Array, Scalar, sincos, sqrt
from ..spatial import Transform
from ..tree import Tree

__all__ = ["NaturalComplement", "natural_complement", "symbolic"]


def _skew(a: Array) -> Array:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def _blocks(a: Array, b: Array, c: Array, d: Array) -> Array:
    return np.block([[a, b], [c, d]])


@dataclass(frozen=True)
class NaturalComplement:
    """The decoupled natural orthogonal complement N = N_l N_d of a robot at q (moving with qd): t = N qd."""

    model: Model
    q: Array  # (nq,)
    qd: Array  # (n,)
    rotation: Array  # (links + 1, 3, 3), axes of the links' frames as columns
    origin: Array  # (links + 1, 3), O_i
    centre: Array  # (links + 1, 3), C_i
    axes: tuple[Array, ...]  # p_i, (6, k) each; empty for the base
    axes_rate: tuple[Array, ...]  # what the joint's own axes do in the link, (6, k)

    @property
    def links(self) -> int:
        """The number of links."""
        return len(self.model.bodies) - 1

    def columns(self, i: int) -> slice:
        """The degrees of freedom of joint i (of its master, if it mimics one)."""
        start = self.model.offsets[i][1]
        return slice(start, start + self.model.bodies[i].joint.nv)

    def rows(self, i: int) -> slice:
        """The rows of link i in stacked twists."""
        return slice(6 * (i - 1), 6 * i)

    def moves(self, j: int, i: int) -> bool:
        """Whether joint j moves link i."""
        while i > j:
            i = self.model.parents[i]
        return i == j

    # --- kinematics [S99, eqs. 12-17] ---------------------------------------------------------------------------------
    def B(self, i: int, j: int) -> Array:
        """Twist propagation from link j to link i, (6, 6)."""
        one, none = np.eye(3), np.zeros((3, 3))
        return _blocks(one, none, _skew(self.centre[j] - self.centre[i]), one)

    def p(self, i: int) -> Array:
        """Joint-rate propagation, (6, k)."""
        return self.axes[i]

    @cached_property
    def N_l(self) -> Array:
        """Unit lower block triangular: B_ij where joint j moves link i."""
        made = np.zeros((self.links, 6, self.links, 6), self.centre.dtype)
        for i in range(1, self.links + 1):
            path = self._path(i)  # all B_ij of a row at once
            x, y, z = (self.centre[path] - self.centre[i]).T
            for k in range(6):
                made[i - 1, k, path - 1, k] = 1
            for k, j, c in ((3, 1, -z), (3, 2, y), (4, 0, z), (4, 2, -x), (5, 0, -y), (5, 1, x)):
                made[i - 1, k, path - 1, j] = c
        return made.reshape(6 * self.links, 6 * self.links)

    def _path(self, i: int) -> Array:
        """Link i and the links that carry it, without the base."""
        found = []
        while i:
            found.append(i)
            i = self.model.parents[i]
        return np.array(found)

    @cached_property
    def N_d(self) -> Array:
        """Block diagonal: the p_i (a mimicking joint's stand in its master's columns, times the ratio)."""
        made = np.zeros((6 * self.links, self.model.nv), self.centre.dtype)
        for i in range(1, self.links + 1):
            made[self.rows(i), self.columns(i)] = self.p(i) * _ratio(self.model, i)
        return made

    @cached_property
    def N(self) -> Array:
        """N_l N_d."""
        return self.N_l @ self.N_d

    def t(self) -> Array:
        """Stacked twists [omega_i; velocity of C_i], (6 links,)."""
        return self.N @ self.qd

    def twist(self, i: int) -> Array:
        """The twist of link i, (6,); zero for the base."""
        return self.t()[self.rows(i)] if i else np.zeros(6)

    def Omega(self, i: int) -> Array:
        """diag([omega_i], [omega_i]), (6, 6)."""
        w = _skew(self.twist(i)[:3])
        return _blocks(w, np.zeros((3, 3)), np.zeros((3, 3)), w)

    def p_rate(self, i: int) -> Array:
        """Omega_i p_i plus the rate of the joint's own axes in the link."""
        return self.Omega(i) @ self.p(i) + self.axes_rate[i]

    def B_rate(self, i: int, j: int) -> Array:
        """[[0, 0], [[v_j - v_i], 0]]."""
        made = np.zeros((6, 6))
        made[3:, :3] = _skew(self.twist(j)[3:] - self.twist(i)[3:])
        return made

    @cached_property
    def N_rate(self) -> Array:
        """dN/dt = dN_l/dt N_d + N_l dN_d/dt."""
        lower, diagonal = np.zeros_like(self.N_l), np.zeros_like(self.N_d)
        for i in range(1, self.links + 1):
            diagonal[self.rows(i), self.columns(i)] = self.p_rate(i) * _ratio(self.model, i)
            for j in range(1, i):
                if self.moves(j, i):
                    lower[self.rows(i), self.rows(j)] = self.B_rate(i, j)
        made: Array = lower @ self.N_d + self.N_l @ diagonal
        return made

    # --- inertia [S99, eqs. 21-29] ------------------------------------------------------------------------------------
    def M_i(self, i: int) -> Array:
        """diag(I_i, m_i 1) of link i, (6, 6)."""
        mass = self.model.bodies[i].inertia
        xx, yy, zz, xy, xz, yz = mass.about_com()
        I = self.rotation[i] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ self.rotation[i].T
        return _blocks(I, np.zeros((3, 3)), np.zeros((3, 3)), mass.m * np.eye(3))

    def W_i(self, i: int) -> Array:
        """diag([omega_i] I_i, 0), (6, 6); not the rate of M_i."""
        made = np.zeros((6, 6))
        made[:3, :3] = _skew(self.twist(i)[:3]) @ self.M_i(i)[:3, :3]
        return made

    @cached_property
    def M(self) -> Array:
        """All M_i on the diagonal, (6 links, 6 links)."""
        return self._diagonal(self.M_i)

    @cached_property
    def W(self) -> Array:
        """All W_i on the diagonal, (6 links, 6 links)."""
        return self._diagonal(self.W_i)

    def _diagonal(self, of: Callable[[int], Array]) -> Array:
        made = np.zeros((6 * self.links, 6 * self.links), self.centre.dtype)
        for i in range(1, self.links + 1):
            made[self.rows(i), self.rows(i)] = of(i)
        return made

    def Mt(self, i: int) -> Array:
        """Composite mass matrix of link i and all that it carries, (6, 6): M_i and the B^T Mt B of its children."""
        return self._composite[i]

    @cached_property
    def _composite(self) -> list[Array]:
        made = [np.zeros((6, 6)), *(self.M_i(i) for i in range(1, self.links + 1))]
        for i in range(self.links, 0, -1):
            j = self.model.parents[i]
            B = self.B(i, j)
            made[j] = made[j] + B.T @ made[i] @ B
        return made

    @cached_property
    def armature(self) -> Array:
        """What rotors add to the diagonal, (n,)."""
        made = np.zeros(self.model.nv)
        for i in range(1, self.links + 1):
            made[self.columns(i)] += (
                np.array(self.model.bodies[i].armature or (0.0,) * self.p(i).shape[1]) * _ratio(self.model, i) ** 2
            )
        return made

    @cached_property
    def I(self) -> Array:  # noqa: E743
        """The generalized inertia matrix N^T M N (plus rotors), (n, n)."""
        made: Array = self.N.T @ self.M @ self.N + np.diag(self.armature)
        return made

    @cached_property
    def C(self) -> Array:
        """The matrix of convective inertia N^T (M dN/dt + W N), (n, n)."""
        made: Array = self.N.T @ (self.M @ self.N_rate + self.W @ self.N)
        return made


def _ratio(model: Model, i: int) -> float:
    mimic = model.bodies[i].mimic
    return 1.0 if mimic is None else mimic.ratio


def natural_complement(
    model: Model, q: Array | Sequence[Scalar], qd: Array | Sequence[float] | None = None
) -> NaturalComplement:
    """N_l, N_d and products for one state; qd = 0 by default. Symbols in q make formulas."""
    tree, kind = Tree(model, plain), object if symbolic(q) else float
    position, velocity = np.array(q, kind), np.zeros(model.nv) if qd is None else np.asarray(qd, float)
    at, rates = tree.coordinates(position.tolist(), "q"), tree.coordinates(velocity.tolist(), "v")
    X0 = [Transform.identity()]
    none = np.zeros((6, 0), kind)
    rotation, origin, centre, axes, moving = (
        [np.eye(3, dtype=kind)],
        [np.zeros(3, kind)],
        [np.zeros(3, kind)],
        [none],
        [none],
    )
    for i in range(1, len(model.bodies)):
        X, S = tree.joint[i].motion(at[i])
        X0.append(X @ X0[model.parents[i]])
        R = np.array(X0[i].rotation.full().T.dense(), kind)
        rotation.append(R)
        origin.append(np.array(X0[i].origin.dense(), kind))
        d = R @ np.array(model.bodies[i].inertia.com)
        centre.append(origin[i] + d)
        at_centre = _blocks(R, np.zeros((3, 3), kind), -_skew(d) @ R, R)
        axes.append(at_centre @ np.array(S.dense(), kind))
        moving.append(at_centre @ np.array(tree.joint[i].subspace_rate(at[i], rates[i]).dense(), kind))
    return NaturalComplement(
        model, position, velocity, np.array(rotation), np.array(origin), np.array(centre), tuple(axes), tuple(moving)
    )


def symbolic(q: object) -> bool:
    """Whether coordinates hold SymPy symbols; then registers the primitives for them."""
    if not any(hasattr(x, "free_symbols") for x in np.asarray(q, object).ravel()):
        return False
    sp: Any = need("sympy", "formulas")
    sincos.register(sp.Basic, lambda angle: (sp.sin(angle), sp.cos(angle)))
    sqrt.register(sp.Basic, sp.sqrt)
    return True
