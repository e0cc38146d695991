"""Mass matrix by the natural orthogonal complement, I = P^T P with P = H N, O(n depth^2); forward dynamics with
Cholesky's factor.

[AM88] Angeles and Ma, Dynamic simulation of n-axis serial robotic manipulators using a natural orthogonal complement,
1988. Twists refer to mass centres. Velocities are written in the axes of the first link behind the base (the matrix
does not feel how that one stands); angular parts are turned into link axes, where the inertia's root is constant, by
H_i R_i, one product a link.

    paper      here    meaning
    N_ij       N       twist of link i for a unit rate of joint j: that of O_j moved to C_i
    H_i        H, h    root of the mass matrix of link i: H^T H = I_i, h^2 = m_i
    P_ij       P       H_i N_ij
"""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import Scalar, sqrt
from ..spatial import Mat3, Transform, Twist, Vec3, Wrench
from ..spatial.joint_space import Block, Forces, Gram, Subspace, gram
from ..tree import JointVectors, Tree
from .cholesky import cholesky_solve
from .denoc import at_centre, ridim
from .registry import algorithm


@algorithm(
    "mass_matrix",
    "natural-complement",
    inputs="q",
    output="symmetric",
    takes="branches mimic singular loops",
    joint_space=True,
    rank=30,
    title="Angeles, Ma 1988",
)
def natural_complement(tree: Tree, q: JointVectors) -> Any:
    """M(q) = P^T P."""
    X0, S, N = tree.table("X0", base=Transform.identity()), tree.table("S"), tree.table("N")
    I = tree.matrix("I")

    for i, j in tree.outward("placement"):
        X, S[i] = tree.joint[i].motion(q[i])
        X0[i] = tree.at_root(j, Transform.identity(), X @ X0[j])
        outer = X0[i].rotation.T
        N[i] = Subspace(*(Twist(outer @ s.angular, outer @ s.linear) for s in S[i].columns))  # of O_i

    for i, _ in tree.outward("armature"):
        k = tree.degrees(i)
        I[i, i] = Gram(k, [0] * (k * (k + 1) // 2)).plus_diagonal(tree.armature[i])
        for _, j in tree.upward(i):
            l = tree.degrees(j)
            I[i, j] = Block(k, l, [0] * (k * l))

    for i, _ in tree.outward("products"):  # link i's share: P_ij^T P_ik for all joints j, k that move it
        P = tree.table("P")
        H, h, outer = tree.root[i], sqrt(tree.central[i].m), X0[i].rotation.T
        C, HR = X0[i].origin + outer @ tree.centre[i], H @ X0[i].rotation.full()
        # in link axes
        own: Any = Forces(*(Wrench(H @ s.angular, s.linear * h) for s in at_centre(S[i], tree.centre[i]).columns))
        I[i, i] = I[i, i] + gram(own, own)
        P[i] = Forces(*(Wrench(f.moment, outer @ f.force) for f in own.columns))
        for _, j in tree.upward(i):
            P[j] = _root_twists(HR, h, N[j], C - X0[j].origin)
            I[i, j] = I[i, j] + P[i].T @ P[j]
        for _, j in tree.upward(i):
            I[j, j] = I[j, j] + gram(P[j], P[j])
            for _, k in tree.upward(j):
                I[j, k] = I[j, k] + P[j].T @ P[k]
    return I


def _root_twists(HR: Mat3, h: Scalar, N: Subspace, c: Vec3) -> Forces:
    """H_i N_ij for a link whose mass centre is c away from O_j."""
    return Forces(*(Wrench(HR @ e.angular, (e.linear + e.angular.cross(c)) * h) for e in N.columns))


@algorithm(
    "forward_dynamics",
    "natural-complement",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    takes="branches singular",
    rank=60,
    title="Angeles, Ma 1988 + Cholesky",
)
def natural_complement_forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations from M qdd = tau - bias."""
    return cholesky_solve(tree, natural_complement(tree, q), tau, ridim(tree, q, qd, tree.zero))
