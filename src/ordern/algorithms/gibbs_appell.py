"""Mass matrix as the Hessian of Gibbs' function (GAH), O(n depth); the function itself, whose gradient is the joint
force, O(n).

[PMCS] Provenzano, Mata, Ceccarelli, Suner, Efficient computation of the generalized inertial tensor of robots by using
the Gibbs-Appell equations. Frame i is on link i with z on joint i (Craig's convention), which is the body frame here;
vectors are in the frame of the link reached. Sliding joints, joints with several degrees of freedom and branches are
extensions: z_k then has several columns and a linear part, and on branches whole frames are carried back along the way
to the base, since no vector can go along with two links at once.

    paper              here      meaning
    R_i,i+1, r_i,i+1   X         axes and origin of frame i+1 in frame i
    M_i, f_i, Phi_i    C         mass, first moment and inertia about O_i of link i and all behind it (steps 1, 4, 5)
    r_k,j              r         from O_k to O_j, in frame j (step 2)
    z_j,k              z         axes of joint k, in frame j (step 3)
    D_jk               D         second derivatives of Gibbs' function (steps 6 and 7)
    G                  G         sum of m a.a/2 + wd.I wd/2 + wd.(w x I w), about the mass centres
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..scalars.primitives import half
from ..spatial import Mat3, RigidInertia, Transform, Twist, Vec3
from ..spatial.joint_space import Block, Forces, Subspace, gram
from ..tree import JointVectors, Tree
from .cholesky import cholesky_solve
from .denoc import propagation, rate, ridim, twist_rate
from .features import branched
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import Blocks, PerBody


@algorithm(
    "mass_matrix",
    "gibbs-appell",
    inputs="q",
    output="symmetric",
    takes="branches mimic singular loops",
    joint_space=True,
    rank=20,
    title="Provenzano et al., GAH",
)
def hessian(tree: Tree, q: JointVectors) -> Any:
    """D(q): the seven steps."""
    X, S, C = tree.table("X"), tree.table("S"), tree.table("C", base=RigidInertia.zero())
    D = tree.matrix("D")

    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        C[i] = tree.inertia[i]

    for i, p in tree.inward("steps 1, 4, 5"):
        C[p] += C[i].seen_from_parent(X[i])

    (along_branches if branched(tree.model) else along_a_chain)(tree, X, S, C, D)
    return D


def along_a_chain(tree: Tree, X: PerBody[Transform], S: PerBody[Subspace], C: PerBody[RigidInertia], D: Blocks) -> None:
    """Steps 2, 3, 6, 7 as in the paper: vectors of all earlier joints are carried along to the next link."""
    r, z = tree.table("r"), tree.table("z")
    for i, _ in tree.outward("placement"):
        r[i], z[i] = Vec3.zero(), S[i]

    for j, _ in tree.outward("steps 2, 3, 6, 7"):
        R, step = X[j].rotation, X[j].rotation @ X[j].origin
        F = C[j] @ S[j]
        D[j, j] = gram(S[j], F).plus_diagonal(tree.armature[j])
        for _, k in tree.upward(j):  # so far r[k] and z[k] were in the frame of the link before
            r[k] = R @ r[k] + step  # eqs. 10, 11
            z[k] = Subspace(*(Twist(R @ e.angular, R @ e.linear) for e in z[k].columns))  # eqs. 12-14
            D[j, k] = elements(F, z[k], r[k])


def along_branches(
    tree: Tree, X: PerBody[Transform], S: PerBody[Subspace], C: PerBody[RigidInertia], D: Blocks
) -> None:
    """The same for branches: carries the axes jR_k of all earlier frames in frame j instead."""
    for j, _ in tree.outward("steps 2, 3, 6, 7"):
        F = C[j] @ S[j]
        D[j, j] = gram(S[j], F).plus_diagonal(tree.armature[j])
        R, r = tree.table("R"), tree.table("r")
        R[j], r[j] = Mat3.identity(), Vec3.zero()
        for i, k in tree.upward(j):
            R[k] = R[i] @ X[i].rotation.full()
            r[k] = r[i] + R[k] @ X[i].origin
            D[j, k] = elements(F, Subspace(*(Twist(R[k] @ e.angular, R[k] @ e.linear) for e in S[k].columns)), r[k])


def elements(F: Forces, z: Subspace, r: Vec3) -> Block:
    """Eqs. 18-20: z_k^T (Phi_j - [r][f_j]) z_j, and what sliding joints make of it."""
    moments = [f.moment + r.cross(f.force) for f in F.columns]
    return Block(
        len(F),
        len(z),
        [e.angular.dot(n) + e.linear.dot(f.force) for f, n in zip(F.columns, moments, strict=True) for e in z.columns],
    )


@algorithm(
    "forward_dynamics",
    "gibbs-appell",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    takes="branches singular",
    rank=50,
    title="Provenzano et al., GAH + Cholesky",
)
def gibbs_appell_forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations from D qdd = tau - bias."""
    return cholesky_solve(tree, hessian(tree, q), tau, ridim(tree, q, qd, tree.zero))


@algorithm(
    "gibbs_function",
    "recursive",
    inputs="q qd qdd",
    output="scalar",
    takes="branches mimic singular",
    joint_space=True,
    rank=1,
    title="Provenzano et al., eqs. 1-2",
)
def gibbs_function(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """G, gravity as an accelerated base; dG/dqdd = tau and d2G/dqdd2 = M."""
    nu, xi = tree.table("nu", base=Twist.zero()), tree.table("xi", base=-tree.gravity)
    twice, gyroscopic = tree.total("twice", 0), tree.total("gyroscopic", 0)

    for i, j in tree.outward("motion"):
        B, p = propagation(tree, i, j, q)
        nu[i] = B @ nu[j] + p @ qd[i]
        w, M = nu[i].angular, tree.central[i]
        xi[i] = twist_rate(B, nu[i], nu[j], xi[j]) + p @ qdd[i] + rate(tree, i, q, qd, w, p) @ qd[i]
        wd, a = xi[i].angular, xi[i].linear
        twice.add(a.dot(a) * M.m + wd.dot(M.I @ wd) + (tree.armature[i] * qdd[i]).dot(qdd[i]))
        gyroscopic.add(wd.dot(w.cross(M.I @ w)))
    return half(twice.value) + gyroscopic.value
