"""Mass matrix by composite bodies (Walker and Orin's third method), O(n depth); forward dynamics with its sparse
factor.

[WO82] Walker and Orin, Efficient dynamic computer simulation of robotic mechanisms, 1982; as composite rigid bodies in
body coordinates [F08, ch. 6]. The factor M = L^T D L follows the tree (cholesky.py). Index i: coordinates of body i.

    paper         here    meaning
    I^c_i         Ic      inertia of body i and all that it carries, rigid
    F_i           F       wrench that accelerates the composite body i by its own joint's unit acceleration, seen
    further and further inward
    H_ij          M       mass matrix
"""

from __future__ import annotations

from typing import Any

from ..spatial import RigidInertia
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree
from .cholesky import cholesky_solve
from .newton_euler import bias_forces
from .registry import algorithm


@algorithm(
    "mass_matrix",
    "composite",
    inputs="q",
    output="symmetric",
    takes="branches mimic singular loops",
    joint_space=True,
    regroup=True,
    rank=1,
    title="Walker, Orin 1982",
)
def composite(tree: Tree, q: JointVectors) -> Any:
    """M(q), symmetric positive definite."""
    X, S, Ic = tree.table("X"), tree.table("S"), tree.table("Ic", base=RigidInertia.zero())
    M = tree.matrix("M")

    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        Ic[i] = tree.inertia[i]

    for i, p in tree.inward("matrix"):
        Ic[p] += Ic[i].seen_from_parent(X[i])  # body i is complete now
        F = tree.table("F")
        F[i] = Ic[i] @ S[i]
        M[i, i] = gram(S[i], F[i]).plus_diagonal(tree.armature[i])
        for j, k in tree.upward(i):  # carry the wrench to each joint on the way to the base
            F[k] = X[j].T @ F[j]
            M[i, k] = F[k].T @ S[k]
    return M


@algorithm(
    "forward_dynamics",
    "composite",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    regroup=True,
    external=True,
    rank=40,
    takes="branches singular",
    title="Walker, Orin 1982 + Cholesky",
)
def composite_forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations from M qdd = tau - bias, with M = L^T D L in place."""
    return cholesky_solve(tree, composite(tree, q), tau, bias_forces(tree, q, qd))
