"""Forward dynamics by articulated bodies, O(n).

[F83] Featherstone, The calculation of robot dynamics using articulated-body inertias, 1983; [F08, ch. 7]. Index i:
coordinates of body i.

    paper        here    meaning
    I^A_i, p^A   A, pA   articulated inertia of body i with all that it carries, and the wrench it needs at rest
    U_i, D_i     U, D    A S and S^T A S, the inertia that joint i feels (armature included)
    c_i          c       acceleration that the velocities alone give body i relative to its parent
    a_i          a       acceleration, gravity included
"""

from __future__ import annotations

from typing import Any

from ..spatial import ArticulatedInertia, Twist, Wrench
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm(
    "forward_dynamics",
    "articulated",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    regroup=True,
    external=True,
    rank=2,
    takes="branches singular",
    title="Featherstone 1983",
)
def articulated(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations qdd for joint forces."""
    X, S, c = tree.table("X"), tree.table("S"), tree.table("c")
    v, a = tree.table("v", base=Twist.zero()), tree.table("a", base=-tree.gravity)
    A, pA = tree.table("A", base=ArticulatedInertia.zero()), tree.table("pA", base=Wrench.zero())
    psi, t, qdd = tree.table("psi"), tree.table("t"), tree.table("qdd")

    for i, p in tree.outward("velocities"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        vJ = S[i] @ qd[i]
        v[i] = X[i] @ v[p] + vJ
        c[i] = v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
        A[i] = tree.inertia[i].articulated()
        pA[i] = v[i].cross(tree.inertia[i] @ v[i]) - tree.external[i]

    for i, p in tree.inward("articulated bodies"):
        U = A[i] @ S[i]
        D = gram(S[i], U).plus_diagonal(tree.armature[i])
        psi[i] = U / D
        u = tau[i] - S[i].T @ pA[i]
        t[i] = u / D
        Aa = A[i] - U @ psi[i].T  # what is left when the joint gives way
        A[p] += Aa.seen_from_parent(X[i])
        pA[p] += X[i].T @ (pA[i] + Aa @ c[i] + psi[i] @ u)

    for i, p in tree.outward("accelerations"):
        reached = X[i] @ a[p] + c[i]
        qdd[i] = t[i] - psi[i].T @ reached
        a[i] = reached + S[i] @ qdd[i]
    return qdd
