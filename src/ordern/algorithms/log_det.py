"""The logarithm of the determinant of the mass matrix, and its gradient, O(n): Fixman's potential is kT/2 times it.

M = U D U^T with U unit upper triangular [S97, as in elimination.py], so det M is the product of the pivots mh_i, and no
matrix is ever formed.

For the gradient let qd be random with covariance M^-1. Then tr(M^-1 dM) is the mean of qd^T dM qd = 2 h_i . dv_i, where
h_i is the momentum of all that body i carries and v_i its velocity, which joint i turns: dv_i = -S_c x (X_i v_p) +
(dS/dq_c) qd_i. Outwards the velocities are v_i = Psi_i^T X_i v_p + p_i nu_i with independent nu_i of covariance mh_i^-1
[RJK91, as in innovations.py], and h_i = Mh_i v_i plus what only outer joints contribute. So with Y_i the covariance of
v_i (the mobility J M^-1 J^T) and all in the coordinates of body i

    d log det M / d q_c = -2 tr(S_c x  Y_p A_i) + 2 sum_b (dS_b/dq_c) . (psi_b - A_i Y_p psi_b),     A_i = Psi_i Mh_i.

Derivatives are along the joint velocities (q -> step(q, delta)), as those of dynamics.
"""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import log
from ..spatial import ArticulatedInertia, Mat3, Mobility, Vec3
from ..spatial.joint_space import Forces, JointVector, Subspace, gram
from ..tree import JointVectors, JointView, Tree
from .coupled import _factor, _reduced, mimics
from .derivatives import gradient
from .operational import _less_half
from .registry import algorithm


@algorithm(
    "log_det",
    "denoc",
    inputs="q",
    output="scalar",
    joint_space=True,
    regroup=True,
    takes="branches singular",
    rank=1,
    title="Saha 1997",
)
def log_det(tree: Tree, q: JointVectors) -> Any:
    """Log det M: the sum of the logarithms of the pivots.

    The elimination of elimination.py in one walk that keeps nothing but the articulated masses: 100,000 links go
    through the processor's caches.
    """
    Mh = tree.table("Mh", base=ArticulatedInertia.zero(), fill=ArticulatedInertia.zero())
    total = tree.total("log_det", 0)
    for i, j in tree.inward("factor"):
        X, p = tree.joint[i].motion(q[i])
        own = Mh[i] + tree.inertia[i].articulated()
        psih = own @ p
        mh = gram(p, psih).plus_diagonal(tree.armature[i])
        Mh[j] += (own - psih @ (psih / mh).T).seen_from_parent(X)
        for d in mh.udu()[1]:
            total.add(log(d))
    return total.value


@algorithm(
    "log_det",
    "coupled",
    inputs="q",
    output="scalar",
    joint_space=True,
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_log_det(tree: Tree, q: JointVectors) -> Any:
    """Log det M for robots with mimic joints, from the dense factor of the reduced mass matrix."""
    total: Any = 0
    for d in _factor(_reduced(tree, q))[1]:
        total = total + log(d)
    return total


@algorithm(
    "log_det_gradient",
    "recursive",
    inputs="q",
    output="dofs",
    joint_space=True,
    regroup=True,
    takes="branches singular",
    rank=1,
)
def log_det_gradient(tree: Tree, q: JointVectors) -> Any:
    """D log det M / dq, along the joint velocities."""
    X, S, psi, Di, passed = tree.table("X"), tree.table("S"), tree.table("psi"), tree.table("Di"), tree.table("A_psi")
    A = tree.table("A", base=ArticulatedInertia.zero(), fill=ArticulatedInertia.zero())
    Y, made = tree.table("Y", base=Mobility.zero()), tree.table("slope")

    for i, p in tree.inward("articulated bodies"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        own = A[i] + tree.inertia[i].articulated()
        U = own @ S[i]
        D = gram(S[i], U).plus_diagonal(tree.armature[i])
        psi[i], Di[i] = U / D, D.inverse()
        passed[i] = own - U @ psi[i].T
        A[p] += passed[i].seen_from_parent(X[i])

    for i, p in tree.outward("mobilities"):
        reached = Y[p].moved(X[i])
        G = reached @ psi[i]
        made[i] = _slope(tree.joint[i], q[i], S[i], psi[i], passed[i], reached, G)
        H = _less_half(G, S[i], Di[i] + gram(psi[i], G))  # as in operational.py
        for s, h in zip(S[i].columns, H.columns, strict=True):
            reached = reached.minus_pair(s, h)
        Y[i] = reached
    return made


def _slope(
    joint: JointView, q: JointVector, S: Subspace, psi: Forces, A: ArticulatedInertia, Y: Mobility, G: Subspace
) -> JointVector:
    """The derivatives for the degrees of freedom of one joint."""
    # both blocks that meet the turning
    YA = Y.A.full() @ A.I.full() + Y.H @ A.H.T + (Y.H.T @ A.H + Y.B.full() @ A.M.full())
    turn, shift = _axial(YA), _axial(Y.A.full() @ A.H + Y.H @ A.M.full())
    slopes = [-(s.angular.dot(turn) + s.linear.dot(shift)) for s in S.columns]
    k = len(slopes)
    for b in range(k):  # axes that move in their own body
        moves = gradient(joint, q, k, lambda x, S, b=b: S.columns[b])  # type: ignore[misc]
        felt = psi.columns[b] - A @ G.columns[b]
        slopes = [e + felt.dot(move) for e, move in zip(slopes, moves.columns, strict=True)]
    return JointVector(*(e + e for e in slopes))


def _axial(A: Mat3) -> Vec3:
    """The a with tr([w] A) = w . a."""
    return Vec3(A.yz - A.zy, A.zx - A.xz, A.xy - A.yx)
