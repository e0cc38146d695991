"""Mass matrix by the natural orthogonal complement, I = P^T P with P = H N, O(n depth^2); forward dynamics with Cholesky's factor.

[AM88] Angeles and Ma, Dynamic simulation of n-axis serial robotic manipulators using a natural orthogonal complement, 1988. Twists refer
to mass centres and are in world axes; only angular parts are turned into link axes, where the inertia's root is constant.

    paper      here    meaning
    N_ij       N       twist of link i for a unit rate of joint j: p_j moved from C_j to C_i
    H_i        H, h    root of the mass matrix of link i: H^T H = I_i, h^2 = m_i
    P_ij       P       H_i N_ij
"""

from __future__ import annotations

from typing import Any

from ..scalar import sqrt
from ..small import Block, Forces, Gram, Subspace, gram
from ..spatial import Transform, Twist, Vec3, Wrench
from .cholesky import cholesky_solve, uncoupled
from .denoc import at_centre, ridim
from .registry import algorithm


@algorithm("mass_matrix", "natural-complement", inputs="q", output="symmetric", joint_space=True, rank=30, title="Angeles, Ma 1988")
def natural_complement(tree: Any, q: Any) -> Any:
    """M(q) = P^T P."""
    X0, C, p = tree.table("X0", base=Transform.identity()), tree.table("C"), tree.table("p")
    I = tree.matrix("I")

    for i, j in tree.outward("placement"):
        X, S = tree.joint[i].motion(q[i])
        X0[i] = X @ X0[j]
        to_world = X0[i].rotation.T
        C[i] = X0[i].origin + to_world @ tree.centre[i]
        p[i] = Subspace(*(Twist(to_world @ s.angular, to_world @ s.linear) for s in at_centre(S, tree.centre[i]).columns))

    for i, _ in tree.outward("armature"):
        k = tree.degrees(i)
        I[i, i] = Gram(k, [0] * (k * (k + 1) // 2)).plus_diagonal(tree.armature[i])
        for _, j in tree.upward(i):
            l = tree.degrees(j)
            I[i, j] = Block(k, l, [0] * (k * l))

    for i, _ in tree.outward("products"):  # link i's share: P_ij^T P_ik for all joints j, k that move it
        P = tree.table("P")
        P[i] = _root_twists(tree, i, X0[i], p[i], Vec3.zero())
        I[i, i] = I[i, i] + gram(P[i], P[i])
        for _, j in tree.upward(i):
            P[j] = _root_twists(tree, i, X0[i], p[j], C[i] - C[j])
            I[i, j] = I[i, j] + P[i].T @ P[j]
        for _, j in tree.upward(i):
            I[j, j] = I[j, j] + gram(P[j], P[j])
            for _, k in tree.upward(j):
                I[j, k] = I[j, k] + P[j].T @ P[k]
    return I


def _root_twists(tree: Any, i: Any, X0: Transform, p: Subspace, c: Vec3) -> Forces:
    """H_i N_ij: the angular part in link axes, where H is constant; the linear part may stay in world axes."""
    H, h = tree.root[i], sqrt(tree.central[i].m)
    return Forces(*(Wrench(H @ (X0.rotation @ e.angular), (e.linear + e.angular.cross(c)) * h) for e in p.columns))


@algorithm(
    "forward_dynamics",
    "natural-complement",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    serves=uncoupled,
    rank=60,
    title="Angeles, Ma 1988 + Cholesky",
)
def natural_complement_forward(tree: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Accelerations from M qdd = tau - bias."""
    return cholesky_solve(tree, natural_complement(tree, q), tau, ridim(tree, q, qd, tree.zero))
