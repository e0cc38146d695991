"""Solves M x = b with M = L^T D L formed in place along the tree, so that branches never fill in, O(n depth^2).

[F08, ch. 6.5]. M[i, k] holds the block of joint i and its ancestor k (or i itself), as mass matrix methods leave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tree import JointVectors, Tree

if TYPE_CHECKING:
    from ..model.by_body import Blocks


def cholesky_solve(tree: Tree, M: Blocks, tau: JointVectors, bias: JointVectors) -> Any:
    """M^-1 (tau - bias); M is used up."""
    D, x, qdd = tree.table("D"), tree.table("x"), tree.dofs("qdd")

    for i, _ in tree.outward("right-hand side"):
        x[i] = tau[i] - bias[i]

    for k, _ in tree.inward("factor"):
        D[k] = M[k, k]
        for _, i in tree.upward(k):  # rows of the ancestors lose what joint k takes
            G = M[k, i].divided(D[k])
            M[i, i] = M[i, i] - (M[k, i].T @ G).symmetric()
            for _, j in tree.upward(i):
                M[i, j] = M[i, j] - G.T @ M[k, j]
            x[i] = x[i] - G.T @ x[k]

    for i, _ in tree.outward("solve"):
        y = tree.table("y")
        y[i] = x[i]
        for _, k in tree.upward(i):
            y[i] = y[i] - M[i, k] @ qdd[k]
        qdd[i] = y[i] / D[i]
    return qdd
