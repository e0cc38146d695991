"""Forward dynamics relative to the bias motion, O(n): articulated bodies with the velocity terms of Newton and Euler.

The bodies first move as they would without joint accelerations (Luh, Walker and Paul's outward pass with qdd = 0); what
the joints then add is linear, so Saha's three steps [S97, eqs 15-19] solve for it, their first one fused with the
inward sweep of the bias wrenches. Compared with Featherstone's form there is no v x I v and no A c. Index i:
coordinates of body i, origin on joint i.

    Saha 1997       here      meaning
    Mh_i            A         articulated inertia
    psih_i, psi_i   U, psi    A S and A S / mh
    mh_i            D         inertia that joint i feels
    phi, that_i     f, t      bias wrench with what the outer joints pass on; tt = t / D
    mu_i            mu        acceleration that the joints add to the bias motion
"""

from __future__ import annotations

from typing import Any

from ..spatial import ArticulatedInertia, Mat3, Twist, Vec3, Wrench, rates_matrix
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm(
    "forward_dynamics",
    "relative",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
    takes="branches singular",
)
def relative(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations qdd for joint forces."""
    X, S, psi, t, qdd = tree.table("X"), tree.table("S"), tree.table("psi"), tree.table("t"), tree.table("qdd")
    w, wd = tree.table("w", base=Vec3.zero()), tree.table("wd", base=Vec3.zero())
    a, U = tree.table("a", base=-tree.gravity.linear), tree.table("U", base=Mat3.zero())
    A, f = tree.table("A", base=ArticulatedInertia.zero()), tree.table("f", base=Wrench.zero())
    mu = tree.table("mu", base=Twist.zero())

    for i, p in tree.outward("bias motion"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        R, r = X[i].rotation, X[i].origin
        vJ, aJ = S[i] @ qd[i], tree.joint[i].bias(q[i], qd[i])
        w_p = R @ w[p]
        w[i] = w_p + vJ.angular
        wd[i] = R @ wd[p] + aJ.angular + w_p.cross(vJ.angular)
        a[i] = R @ (a[p] + U[p] @ r) + aJ.linear + (w_p + w[i]).cross(vJ.linear)
        U[i] = rates_matrix(w[i], wd[i])
        f[i] = tree.inertia[i].effort(a[i], U[i]) - tree.external[i]
        A[i] = tree.inertia[i].articulated()

    for i, p in tree.inward("articulated bodies"):
        psih = A[i] @ S[i]
        D = gram(S[i], psih).plus_diagonal(tree.armature[i])
        psi[i] = psih / D
        that = tau[i] - S[i].T @ f[i]
        t[i] = that / D
        A[p] += (A[i] - psih @ psi[i].T).seen_from_parent(X[i])
        f[p] += X[i].T @ (f[i] + psi[i] @ that)

    for i, p in tree.outward("joint accelerations"):
        reached = X[i] @ mu[p]
        qdd[i] = t[i] - psi[i].T @ reached
        mu[i] = reached + S[i] @ qdd[i]
    return qdd
