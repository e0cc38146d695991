"""Forward dynamics as filtering and smoothing: the innovations factorization of the mass matrix, O(n).

[R87] Rodriguez, Kalman filtering, smoothing, and recursive robot arm forward and inverse dynamics, 1987; [RJK91]
Rodriguez, Jain, Kreutz-Delgado, A spatial operator algebra for manipulator modeling and control, 1991. Bodies are
counted from the base here, from the tip there. The covariance is Saha's articulated mass matrix, the gain his psi, the
innovations his that. Index i: coordinates of body i.

    paper            here       meaning
    phi(k+1, k)      X          spatial propagation
    H(k)             H          the joint's axes: what of a force the drive "observes"
    P(k)             P          error covariance, by the discrete Riccati equation
    D(k), G(k)       D, G       innovation variance H P H^T, Kalman gain P H^T D^-1
    z(k), z+(k)      z, zp      predicted and filtered force
    epsilon, nu      eps, nu    innovation, and divided by its variance
    alpha+, alpha    ap, alpha  predicted and smoothed acceleration
    a(k), b(k)       a, b       acceleration and force that velocities give
"""

from __future__ import annotations

from typing import Any

from ..spatial import ArticulatedInertia, Twist, Wrench
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm(
    "forward_dynamics",
    "innovations",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    regroup=True,
    external=True,
    takes="branches singular",
    rank=8,
    title="Rodriguez 1987",
)
def innovations(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations qdd for joint forces."""
    X, H, a = tree.table("X"), tree.table("H"), tree.table("a")
    v, alpha = tree.table("v", base=Twist.zero()), tree.table("alpha", base=-tree.gravity)
    P, z = tree.table("P", base=ArticulatedInertia.zero()), tree.table("z", base=Wrench.zero())
    G, nu, qdd = tree.table("G"), tree.table("nu"), tree.table("qdd")

    for i, j in tree.outward("velocities"):
        X[i], H[i] = tree.joint[i].motion(q[i])
        vJ = H[i] @ qd[i]
        v[i] = X[i] @ v[j] + vJ
        a[i] = v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
        P[i] = tree.inertia[i].articulated()
        z[i] = v[i].cross(tree.inertia[i] @ v[i]) - tree.external[i]  # b(k)

    for i, j in tree.inward("filter"):
        PH = P[i] @ H[i]
        D = gram(H[i], PH).plus_diagonal(tree.armature[i])
        G[i] = PH / D
        predicted = z[i] + P[i] @ a[i]
        eps = tau[i] - H[i].T @ predicted
        nu[i] = eps / D
        zp = predicted + G[i] @ eps
        P[j] += (P[i] - PH @ G[i].T).seen_from_parent(X[i])
        z[j] += X[i].T @ zp

    for i, j in tree.outward("smoother"):
        ap = X[i] @ alpha[j]
        qdd[i] = nu[i] - G[i].T @ ap
        alpha[i] = ap + H[i] @ qdd[i] + a[i]
    return qdd
