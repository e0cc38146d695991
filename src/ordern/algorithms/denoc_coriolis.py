"""The matrix of convective inertia C by DeNOC, O(n depth): C qd are the velocity forces and dI/dt - 2 C is skew.

[S99, eqs. 25-29], with Mt Bdot where the text has lost the dot. In space this C is not the one of Christoffel's
symbols; both share C qd and the skew symmetry. Twists about C_i in link axes, letters as in denoc.py.

    paper          here      meaning
    Mt_i           Mt        composite mass matrix
    W_i            W         [omega_i] I_i, the only block that is not zero
    S_i + Wt_i     N, F      sum of the links' W and of B^T (Mt Bdot + S): a map that only angular velocities feel, to
    moments and forces
    c_ij           C         p_i^T (B_ji^T (Mt_j Omega_j + S_j) + Wt_j) p_j above, p_i^T (Mt_i B_ij Omega_j + Mt_i
    Bdot_ij + S_i + Wt_i) p_j below

Below the diagonal everything left of p_j is a wrench of link i carried towards link j. Bdot_ij p_j = [0; (v_j - v_i) x
e_j] is split: v_j stays with link j, while f.(-v_i x e_j) = (v_i x f).e_j joins the moments that S_i and Wt_i give
(turned, never shifted).
"""

from __future__ import annotations

from typing import Any

from ..spatial import Mat3, RigidInertia, Twist, Vec3, Wrench
from ..spatial.joint_space import Block, Forces, Subspace
from ..tree import JointVectors, Tree
from .denoc import propagation, rate
from .registry import algorithm


@algorithm(
    "coriolis_matrix",
    "denoc",
    inputs="q qd",
    output="square",
    takes="branches mimic singular loops",
    joint_space=True,
    rank=10,
    title="Saha 1999, eqs. 25-29",
)
def convective_inertia(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """C(q, qd)."""
    B, p, pd = tree.table("B"), tree.table("p"), tree.table("pd")
    nu, Mt = tree.table("nu", base=Twist.zero()), tree.table("Mt", base=RigidInertia.zero())
    N, F = tree.table("N", base=Mat3.zero()), tree.table("F", base=Mat3.zero())
    C = tree.matrix("C")

    for i, j in tree.outward("velocities"):
        B[i], p[i] = propagation(tree, i, j, q)
        nu[i] = B[i] @ nu[j] + p[i] @ qd[i]
        pd[i] = rate(tree, i, q, qd, nu[i].angular, p[i])
        Mt[i] = tree.central[i]
        N[i], F[i] = nu[i].angular.skew() @ tree.central[i].I.full(), Mat3.zero()  # W_i

    for i, j in tree.inward("matrix"):
        turn, c = B[i].turn, B[i].c
        # what joint i's own rates do to the wrenches of all links j on the way to the base (below), and they to joint i
        # (above)
        above, below, pure = tree.table("above"), tree.table("below"), tree.table("pure")
        above[i] = Forces(
            *(
                _plus(Mt[i] @ r, N[i] @ e.angular, F[i] @ e.angular)
                for e, r in zip(p[i].columns, pd[i].columns, strict=True)
            )
        )
        below[i] = Mt[i] @ p[i]
        pure[i] = Forces(
            *(
                _moment(N[i], F[i], e, y.force, nu[i].linear)
                for e, y in zip(p[i].columns, below[i].columns, strict=True)
            )
        )
        C[i, i] = p[i].T @ above[i]
        for k, l in tree.upward(i):
            above[l], below[l], pure[l] = B[k].T @ above[k], B[k].T @ below[k], B[k].T @ pure[k]
            C[l, i] = p[l].T @ above[l]
            C[i, l] = _row(below[l], pure[l], p[l], pd[l], nu[l].linear)
        # S_j = B^T (Mt_i Bdot_ij + S_i), eq. 28
        v = (turn @ nu[j].linear - nu[i].linear).skew()
        n, f = N[i] + Mt[i].h.skew() @ v, F[i] + v * Mt[i].m
        N[j] += turn.T.congruent_full(n - c.skew() @ f)
        F[j] += turn.T.congruent_full(f)
        Mt[j] += B[i].congruent(Mt[i])
    return C


def _plus(y: Wrench, n: Vec3, f: Vec3) -> Wrench:
    return Wrench(y.moment + n, y.force + f)


def _moment(N: Mat3, F: Mat3, e: Twist, f: Vec3, v: Vec3) -> Wrench:
    """(S_i + Wt_i)^T p_i and v_i x f, as a moment without a force."""
    return Wrench(N.T @ e.angular + F.T @ e.linear + v.cross(f), Vec3.zero())


def _row(y: Forces, pure: Forces, p: Subspace, pd: Subspace, v: Vec3) -> Block:
    """Y.(pd + [0; v x e]) + pure.e for each pair of columns."""
    moved = [Twist(r.angular, r.linear + v.cross(e.angular)) for e, r in zip(p.columns, pd.columns, strict=True)]
    values = [
        a.dot(r) + b.moment.dot(e.angular)
        for a, b in zip(y.columns, pure.columns, strict=True)
        for e, r in zip(p.columns, moved, strict=True)
    ]
    return Block(len(y), len(p), values)
