"""Inverse dynamics and mass matrix by the decoupled natural orthogonal complement (DeNOC): RIDIM in O(n), the GIM in
O(n depth).

[S99] Saha, Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices, 1999.
Twists, twist rates and wrenches of link i refer to its mass centre C_i and are written in the axes of link i; a twist
rate holds the components of the derivative seen from the base, so no turning axes enter it. Branches and joints with
several degrees of freedom need no other formula: p_i then has several columns and the sums run over the children.

    paper               here     meaning
    d_i                 d        from the origin of link i's frame, on joint i, to C_i
    B_ij, Bdot_ij       B, Bd    twist propagation from link j = parent to link i, and its rate
    p_i, pdot_i         p, pd    joint-rate propagation, and its rate Omega_i p_i
    nu_i, xi_i          nu, xi   twist and twist rate (gravity: a base that accelerates upwards)
    gamma_i             gamma    wrench that joint i passes on, about C_i
    M_i, W_i            M        mass matrix diag(I_i, m_i 1); W_i nu_i = [omega x I omega; 0]
    Mt_i                Mt       composite mass matrix
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..spatial import ArticulatedInertia, Parts, RigidInertia, Rotation, Transform, Twist, Vec3, Wrench
from ..spatial.joint_space import Subspace, gram
from ..tree import JointVectors, Tree
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import Row


class Propagation(Parts):
    """B_ij of [S99, eq. 13] with both links' own axes: turn to link i's, then shift by c = C_j - C_i there."""

    __slots__ = ("turn", "c")

    def __init__(self, turn: Rotation, c: Vec3) -> None:
        self.turn, self.c = turn, c

    def __matmul__(self, t: object) -> Any:
        if not isinstance(t, Twist):
            return NotImplemented
        omega = self.turn @ t.angular
        return Twist(omega, self.turn @ t.linear + self.c.cross(omega))

    @property
    def T(self) -> _Transposed:
        """B^T, which takes wrenches about C_i to C_j."""
        return _Transposed(self)

    def congruent(self, M: RigidInertia | ArticulatedInertia) -> Any:
        """B^T M B: the mass matrix of link i as felt at C_j."""
        moved = M.seen_from_parent(Transform(Rotation.identity(), -self.c))
        return moved.seen_from_parent(Transform(self.turn, Vec3.zero()))


class _Transposed:
    __slots__ = ("B",)

    def __init__(self, B: Propagation) -> None:
        self.B = B

    def __matmul__(self, w: object) -> Any:
        if not isinstance(w, Wrench):
            return NotImplemented
        back = self.B.turn.T
        return Wrench(back @ (w.angular - self.B.c.cross(w.linear)), back @ w.linear)


def propagation(tree: Tree, i: object, parent: object, q: JointVectors) -> tuple[Propagation, Subspace]:
    """B between link i and its parent [S99, eq. 13], and p_i about C_i [eqs. 13, 15]."""
    X, S = tree.joint[i].motion(q[i])
    d = tree.centre[i]
    c = X.rotation @ (tree.centre[parent] - X.origin) - d
    return Propagation(X.rotation, c), at_centre(S, d)


def at_centre(S: Subspace, d: Vec3) -> Subspace:
    """The same motions with the velocity of C = O + d in place of that of O."""
    return Subspace(*(Twist(s.angular, s.linear + s.angular.cross(d)) for s in S.columns))


def rate(tree: Tree, i: Row, q: JointVectors, qd: JointVectors, omega: Vec3, p: Subspace) -> Subspace:
    """The rate of p_i: Omega_i p_i, Omega_i = diag([omega], [omega]), plus that of the joint's axes in the link."""
    own = at_centre(tree.joint[i].subspace_rate(q[i], qd[i]), tree.centre[i])
    return Subspace(
        *(Twist(omega.cross(e.angular), omega.cross(e.linear)) + r for e, r in zip(p.columns, own.columns, strict=True))
    )


def twist_rate(B: Propagation, nu: Twist, nu_p: Twist, xi_p: Twist) -> Twist:
    """B xi' + Bdot nu', where Bdot = [[0, 0], [[v' - v], 0]] [S99, sec. 5.1]; the difference of the velocities serves
    sliding joints too.
    """
    omega, wd = B.turn @ nu_p.angular, B.turn @ xi_p.angular
    v = B.turn @ nu_p.linear - nu.linear
    return Twist(wd, B.turn @ xi_p.linear + B.c.cross(wd) + v.cross(omega))


@algorithm(
    "inverse_dynamics",
    "denoc",
    inputs="q qd qdd",
    output="dofs",
    takes="branches mimic singular",
    joint_space=True,
    external=True,
    rank=10,
    title="Saha 1999, RIDIM",
)
def ridim(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Joint forces tau for a motion."""
    B, p, tau = tree.table("B"), tree.table("p"), tree.table("tau")
    nu, xi = tree.table("nu", base=Twist.zero()), tree.table("xi", base=-tree.gravity)
    gamma = tree.table("gamma", base=Wrench.zero())

    for i, j in tree.outward("motion"):
        B[i], p[i] = propagation(tree, i, j, q)
        nu[i] = B[i] @ nu[j] + p[i] @ qd[i]
        omega, M = nu[i].angular, tree.central[i]
        pd = rate(tree, i, q, qd, omega, p[i])
        xi[i] = twist_rate(B[i], nu[i], nu[j], xi[j]) + p[i] @ qdd[i] + pd @ qd[i]
        n = M.I @ xi[i].angular + omega.cross(M.I @ omega)  # M_i xi_i + W_i nu_i
        w = tree.external[i]
        gamma[i] = Wrench(n - w.moment + tree.centre[i].cross(w.force), xi[i].linear * M.m - w.force)

    for i, j in tree.inward("forces"):
        tau[i] = p[i].T @ gamma[i] + tree.armature[i] * qdd[i]
        gamma[j] += B[i].T @ gamma[i]
    return tau


@algorithm(
    "mass_matrix",
    "denoc",
    inputs="q",
    output="symmetric",
    takes="branches mimic singular loops",
    joint_space=True,
    rank=10,
    title="Saha 1999, eq. 24",
)
def generalized_inertia(tree: Tree, q: JointVectors) -> Any:
    """The generalized inertia matrix, i_ij = p_i^T Mt_i B_ij p_j."""
    B, p, Mt = tree.table("B"), tree.table("p"), tree.table("Mt", base=RigidInertia.zero())
    I = tree.matrix("I")

    for i, j in tree.outward("placement"):
        B[i], p[i] = propagation(tree, i, j, q)
        Mt[i] = tree.central[i]

    for i, j in tree.inward("matrix"):
        Mt[j] += B[i].congruent(Mt[i])  # eq. 23b
        y = tree.table("y")
        y[i] = Mt[i] @ p[i]
        I[i, i] = gram(p[i], y[i]).plus_diagonal(tree.armature[i])
        for k, l in tree.upward(i):
            y[l] = B[k].T @ y[k]
            I[i, l] = y[l].T @ p[l]  # eq. 24
    return I
