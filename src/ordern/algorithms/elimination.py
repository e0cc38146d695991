"""UDU^T of the mass matrix by reverse Gaussian elimination, one sweep from the tips to the base; forward dynamics in
three steps, O(n).

[S97] Saha, A decomposition of the manipulator inertia matrix, 1997; [S99] Saha, 1999, as in denoc.py. The factors do
not depend on the points that twists refer to: here that of link i is its frame's origin O_i on joint i, so that p_i is
the joint's own axis (with C_i, as in denoc.py, it takes 31 products a link more). evaluate/denoc_factors.py shows
everything about C_i. A joint with several degrees of freedom has several columns p_i; its k x k pivot is split into u d
u^T in turn.

    paper               here       meaning
    B_i,i-1, p_i        X, p       twist and joint-rate propagation, in link axes
    Mh_i                Mh         articulated mass matrix: what link i weighs with the joints behind it free
    psih_i, psi_i       psih, psi  Mh_i p_i, and divided by the pivot
    mh_i                mh         pivot p_i^T psih_i (plus armature): the inertia that joint i feels
    alpha_ik            U          p_i^T B_ki^T psi_k, row i, column k
    that_i, tt_i        that, tt   U^-1 phi, D^-1 U^-1 phi
    eta_i, mu_i         eta, mu    wrench carried inward, twist rate carried outward
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..spatial import ArticulatedInertia, Transform, Twist, Wrench
from ..spatial.joint_space import Block, Forces, Gram, JointVector, Subspace, gram
from ..tree import JointVectors, Tree
from .denoc import ridim
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody


def eliminate(tree: Tree, q: JointVectors) -> tuple[Any, Any, Any, Any]:
    """X, p, psi and mh of all links [S97, eqs. 20-27]."""
    X, p, psi, mh = tree.table("X"), tree.table("p"), tree.table("psi"), tree.table("mh")
    Mh = tree.table("Mh", base=ArticulatedInertia.zero())

    for i, _ in tree.outward("placement"):
        X[i], p[i] = tree.joint[i].motion(q[i])
        Mh[i] = tree.inertia[i].articulated()

    for i, j in tree.inward("factor"):
        psih = Mh[i] @ p[i]
        mh[i] = gram(p[i], psih).plus_diagonal(tree.armature[i])
        psi[i] = psih / mh[i]
        Mh[j] += (Mh[i] - psih @ psi[i].T).seen_from_parent(X[i])  # Psi_i Mh_i, symmetric by construction
    return X, p, psi, mh


@algorithm(
    "mass_matrix_udu",
    "denoc",
    inputs="q",
    output="square dofs",
    joint_space=True,
    regroup=True,
    takes="branches singular loops",
    rank=1,
    title="Saha 1997",
)
def udu(tree: Tree, q: JointVectors) -> tuple[Any, Any]:
    """U, unit upper triangular, and D, with M = U diag(D) U^T."""
    X, p, psi, mh = eliminate(tree, q)
    U, D = tree.matrix("U"), tree.dofs("D")

    for k, _ in tree.outward("columns"):
        u, d = mh[k].udu()
        D[k] = JointVector(*d)
        within = Block(len(d), len(d), [e for row in u for e in row])
        U[k, k] = within
        y = tree.table("y")
        y[k] = psi[k].combined(within)
        for j, i in tree.upward(k):
            y[i] = X[j].T @ y[j]
            U[i, k] = p[i].T @ y[i]  # alpha_ik
    return U, D


@algorithm(
    "forward_dynamics",
    "denoc",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    takes="branches singular",
    rank=6,
    title="Saha 1997/1999",
)
def forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations in three steps: U that = phi, D tt = that, U^T qdd = tt."""
    return solve(tree, *eliminate(tree, q), tau, ridim(tree, q, qd, tree.zero))


def solve(
    tree: Tree,
    X: PerBody[Transform],
    p: PerBody[Subspace],
    psi: PerBody[Forces],
    mh: PerBody[Gram],
    tau: JointVectors,
    bias: JointVectors,
) -> Any:
    """M^-1 (tau - bias) [S99, eqs. 34-37; S97, eqs. 16-19]."""
    tt, qdd = tree.table("tt"), tree.table("qdd")
    eta, mu = tree.table("eta", base=Wrench.zero(), fill=Wrench.zero()), tree.table("mu", base=Twist.zero())

    for i, j in tree.inward("steps 1 and 2"):
        that = tau[i] - bias[i] - p[i].T @ eta[i]
        tt[i] = that / mh[i]
        eta[j] += X[i].T @ (eta[i] + psi[i] @ that)

    for i, j in tree.outward("step 3"):
        reached = X[i] @ mu[j]
        qdd[i] = tt[i] - psi[i].T @ reached
        mu[i] = reached + p[i] @ qdd[i]
    return qdd
