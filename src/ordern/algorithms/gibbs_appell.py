"""Mass matrix as the Hessian of Gibbs' function (GAH), O(n^2), for chains; the function itself, whose gradient is the joint force, O(n).

[PMCS] Provenzano, Mata, Ceccarelli, Suner, Efficient computation of the generalized inertial tensor of robots by using
the Gibbs-Appell equations. Frame i is on link i with
z on joint i (Craig's convention), which is the body frame here; vectors are in the frame of the link reached. Sliding joints and joints with
several degrees of freedom are an extension: z_k then has several columns and a linear part.

    paper              here      meaning
    R_i,i+1, r_i,i+1   X         axes and origin of frame i+1 in frame i
    M_i, f_i, Phi_i    C         mass, first moment and inertia about O_i of link i and all behind it (steps 1, 4, 5)
    r_k,j              r         from O_k to O_j, in frame j (step 2)
    z_j,k              z         axes of joint k, in frame j (step 3)
    D_jk               D         second derivatives of Gibbs' function (steps 6 and 7)
    G                  G         sum of m a.a/2 + wd.I wd/2 + wd.(w x I w), about the mass centres
"""

from __future__ import annotations

from typing import Any

from ..model import Model
from ..scalar import half
from ..small import Block, Subspace, gram
from ..spatial import RigidInertia, Twist, Vec3
from .cholesky import cholesky_solve, uncoupled
from .denoc import propagation, rate, ridim, twist_rate
from .registry import algorithm


def one_chain(model: Model) -> str | None:
    """Vectors of all earlier joints move along with the link that is reached."""
    branched = any(body.parent != i for i, body in enumerate(model.bodies[1:]))
    return "carries the axes of all joints from link to link along one chain; this robot branches" if branched else uncoupled(model)


@algorithm("mass_matrix", "gibbs-appell", inputs="q", output="symmetric", joint_space=True, serves=one_chain, rank=20, title="Provenzano et al., GAH")
def hessian(tree: Any, q: Any) -> Any:
    """D(q): the seven steps."""
    X, S, C = tree.table("X"), tree.table("S"), tree.table("C", base=RigidInertia.zero())
    r, z, D = tree.table("r"), tree.table("z"), tree.matrix("D")

    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        C[i], r[i], z[i] = tree.inertia[i], Vec3.zero(), S[i]

    for i, p in tree.inward("steps 1, 4, 5"):
        C[p] += C[i].seen_from_parent(X[i])

    for j, _ in tree.outward("steps 2, 3, 6, 7"):
        R, step = X[j].rotation, X[j].rotation @ X[j].origin
        F = C[j] @ S[j]
        D[j, j] = gram(S[j], F).plus_diagonal(tree.armature[j])
        for _, k in tree.upward(j):  # so far r[k] and z[k] were in the frame of the link before
            r[k] = R @ r[k] + step  # eqs. 10, 11
            z[k] = Subspace(*(Twist(R @ e.angular, R @ e.linear) for e in z[k].columns))  # eqs. 12-14
            moments = [f.moment + r[k].cross(f.force) for f in F.columns]
            products = [e.angular.dot(n) + e.linear.dot(f.force) for f, n in zip(F.columns, moments, strict=True) for e in z[k].columns]
            D[j, k] = Block(len(F), len(z[k]), products)  # eqs. 18-20
    return D


@algorithm(
    "forward_dynamics",
    "gibbs-appell",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    serves=one_chain,
    rank=50,
    title="Provenzano et al., GAH + Cholesky",
)
def gibbs_appell_forward(tree: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Accelerations from D qdd = tau - bias."""
    return cholesky_solve(tree, hessian(tree, q), tau, ridim(tree, q, qd, tree.zero))


@algorithm("gibbs_function", "recursive", inputs="q qd qdd", output="scalar", joint_space=True, rank=1, title="Provenzano et al., eqs. 1-2")
def gibbs_function(tree: Any, q: Any, qd: Any, qdd: Any) -> Any:
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
