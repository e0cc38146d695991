"""The inverse of the mass matrix from U^-1 and D: product form and column form of Saha, and column by column as unit
forces, O(n^2).

The first two end with one product and one sum for each pair and each joint that moves both, which is least for arms and
humanoids; unit forces are least for chains of some 30 links and more.

[S99i] Saha, Analytical expression for the inverted inertia matrix of serial robots, 1999, with the signs put right:
U^-1 = 1 - sum_k alpha'_k lambda_k^T. Letters as in elimination.py; what belongs to joint k is stored transposed, as row
k.

    paper             here    meaning
    alpha_ik          alpha   elements of U above the diagonal, eq. 34
    alpha'_ik         V       -alpha'_ik, the elements of U^-1 above the diagonal
    Bh_ki^T psi_k     y       psi_k carried from link k to link i, losing at each joint what the joint gives way to, eq.
    41
    D^-1 U^-1         W       its elements
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..spatial import Twist
from ..spatial.joint_space import Block, Gram, Subspace
from ..tree import JointVectors, Tree
from .composite import composite
from .elimination import eliminate
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import Blocks, PerBody

FLAGS: dict[str, Any] = {
    "inputs": "q",
    "output": "symmetric",
    "joint_space": True,
    "regroup": True,
    "takes": "branches singular",
}


@algorithm("mass_matrix_inverse", "denoc", rank=1, title="Saha 1999 (IJRR), product form", **FLAGS)
def product_form(tree: Tree, q: JointVectors) -> Any:
    """I^-1 = U^-T D^-1 U^-1 with alpha'_ik = p_i^T Bh_ki^T psi_k."""
    X, p, psi, mh = eliminate(tree, q)
    V, W = tree.matrix("V"), tree.matrix("W")

    for k, _ in tree.outward("columns"):
        y = tree.table("y")
        y[k] = psi[k]
        W[k, k] = inverted(mh[k])
        for j, i in tree.upward(k):
            reached = X[j].T @ y[j]
            V[k, i] = -(reached.T @ p[i])  # eq. 41
            y[i] = reached + psi[i].combined(V[k, i].T)  # Psi_i y
            W[k, i] = _over(V[k, i], mh[i])
    return _product(tree, V, W)


@algorithm("mass_matrix_inverse", "denoc-columns", rank=3, title="Saha 1999 (IJRR), column form", **FLAGS)
def column_form(tree: Tree, q: JointVectors) -> Any:
    """I^-1 = U^-T D^-1 U^-1 with alpha'_k = alpha_k - sum_l alpha_lk alpha'_l."""
    X, p, psi, mh = eliminate(tree, q)
    alpha = tree.matrix("alpha")

    for k, _ in tree.outward("columns"):
        y = tree.table("y")
        y[k] = psi[k]
        for j, i in tree.upward(k):
            y[i] = X[j].T @ y[j]
            alpha[k, i] = y[i].T @ p[i]  # eq. 34
    return _from_columns(tree, alpha, mh)


@algorithm("mass_matrix_inverse", "composite", rank=4, title="Walker, Orin 1982, column form", **FLAGS)
def composite_inverse(tree: Tree, q: JointVectors) -> Any:
    """I^-1 from the factors of the composite matrix: alpha_ik = i_ik / mh_k, joints behind k eliminated."""
    I, mh = composite(tree, q), tree.table("mh")
    for k, _ in tree.inward("factor"):
        mh[k] = I[k, k]
        for _, i in tree.upward(k):
            G = I[k, i].divided(mh[k])
            I[i, i] = I[i, i] - (I[k, i].T @ G).symmetric()
            for _, j in tree.upward(i):
                I[i, j] = I[i, j] - G.T @ I[k, j]
        for _, i in tree.upward(k):
            I[k, i] = I[k, i].divided(mh[k])
    return _from_columns(tree, I, mh)


def _from_columns(tree: Tree, alpha: Blocks, mh: PerBody[Gram]) -> Any:
    """The columns alpha'_k, then the product."""
    V, W = tree.matrix("V"), tree.matrix("W")
    for k, _ in tree.outward("columns"):
        for _, i in tree.upward(k):
            V[k, i] = -alpha[k, i]
        for _, l in tree.upward(k):
            for _, i in tree.upward(l):
                V[k, i] = V[k, i] - alpha[k, l] @ V[l, i]  # eq. 39
        W[k, k] = inverted(mh[k])
        for _, i in tree.upward(k):
            W[k, i] = _over(V[k, i], mh[i])
    return _product(tree, V, W)


def _product(tree: Tree, V: Blocks, W: Blocks) -> Any:
    """Elements of U^-T (D^-1 U^-1): sums over the joints that move both links [S99i, eq. 40 and below]."""
    inverse = tree.matrix("inverse")
    for k, _ in tree.outward("product"):
        for i, _ in tree.until(k):
            inverse[k, i] = W[k, i].as_block()
            for _, j in tree.upward(i):  # W[k, j] is zero where joint j does not move link k
                inverse[k, i] = inverse[k, i].as_block() + W[k, j].as_block() @ V[i, j].T
    return inverse


@algorithm("mass_matrix_inverse", "articulated", rank=2, rank_long=0, title="Featherstone 1983, unit forces", **FLAGS)
def unit_forces(tree: Tree, q: JointVectors) -> Any:
    """Accelerations at rest for a unit force in each joint: inward along its path, then outward, O(n^2)."""
    X, S, psi, D = eliminate(tree, q)
    inverse = tree.matrix("inverse")

    for k, _ in tree.outward("columns"):
        pA, t = tree.table("pA"), tree.table("t")
        a = tree.table("a", base=Subspace(*(Twist.zero() for _ in range(tree.degrees(k)))))
        for i, _ in tree.until(k):
            t[i] = Block(tree.degrees(i), tree.degrees(k), [0] * (tree.degrees(i) * tree.degrees(k)))
        pA[k], t[k] = psi[k], inverted(D[k])
        for j, i in tree.upward(k):  # what the joints on the way feel
            reached = X[j].T @ pA[j]
            u = -(S[i].T @ reached)
            t[i] = u.divided(D[i])
            pA[i] = reached + psi[i].combined(u)
        for i, j in tree.until(k):
            reached = X[i] @ a[j]
            qdd = t[i] - psi[i].T @ reached
            a[i] = reached + S[i].combined(qdd)
            inverse[k, i] = qdd.T
    return inverse


def inverted(D: Gram) -> Block:
    """D^-1."""
    k = D.k
    return Block(k, k, [1 if a == b else 0 for a in range(k) for b in range(k)]).divided(D)


def _over(B: Block, D: Gram) -> Block:
    """B D^-1."""
    return B.T.divided(D).T
