"""Coriolis matrix with Christoffel's symbols, O(n depth): C qd are the velocity forces and dM/dt - 2 C is skew.

[EW21] Echeandia and Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols, 2021. Index i:
coordinates of body i.

    paper       here     meaning
    Phi_i       S        joint subspace, its rate Sd = v x S + dS/dt
    B(I, v)     B        half of (v x*) I + (I v) x* - I (v x): the velocity wrench of a body, shared out evenly
    F1 F2 F3    F1..F3   wrenches carried towards the base
"""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import half
from ..spatial import ForceMap, Mat3, RigidInertia, Twist
from ..tree import JointVectors, Tree
from .registry import algorithm


def _shared_rate(I: RigidInertia, v: Twist) -> ForceMap:
    """B(I, v) written out; [h] is the skew matrix of the first moment, [w] and [u] those of the twist."""
    w, u, h = v.angular.skew(), v.linear.skew(), I.h.skew()
    inertia, momentum = I.I.full(), I @ v
    m = Mat3(I.m, 0, 0, 0, I.m, 0, 0, 0, I.m)
    L, p = momentum.angular.skew(), momentum.linear.skew()
    A = w @ inertia - u @ h - L - inertia @ w - h @ u
    B = w @ h + u @ m - p - h @ w
    C = h @ w - w @ h - p - m @ u
    return ForceMap(_half(A), _half(B), _half(C))  # the last block is [w] m - m [w] = 0


def _half(a: Mat3) -> Mat3:
    return Mat3(*(half(e) for e in a.leaves()))


@algorithm(
    "coriolis_matrix",
    "christoffel",
    inputs="q qd",
    output="square",
    takes="branches mimic singular loops",
    rank=1,
    title="Echeandia, Wensing 2021",
)
def coriolis(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """C(q, qd)."""
    X, S, Sd = tree.table("X"), tree.table("S"), tree.table("Sd")
    v, I, B = (
        tree.table("v", base=Twist.zero()),
        tree.table("I", base=RigidInertia.zero()),
        tree.table("B", base=ForceMap.zero()),
    )
    C = tree.matrix("C")

    for i, p in tree.outward("velocities"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        v[i] = X[i] @ v[p] + S[i] @ qd[i]
        Sd[i] = S[i].crossed_by(v[i]) + tree.joint[i].subspace_rate(q[i], qd[i])
        I[i], B[i] = tree.inertia[i], _shared_rate(tree.inertia[i], v[i])

    for i, p in tree.inward("matrix"):
        I[p] += I[i].seen_from_parent(X[i])
        B[p] += B[i].seen_from_parent(X[i])
        F1, F2, F3 = tree.table("F1"), tree.table("F2"), tree.table("F3")
        F1[i], F2[i], F3[i] = I[i] @ Sd[i] + B[i] @ S[i], I[i] @ S[i], B[i].T @ S[i]
        C[i, i] = S[i].T @ F1[i]
        for j, k in tree.upward(i):
            F1[k], F2[k], F3[k] = X[j].T @ F1[j], X[j].T @ F2[j], X[j].T @ F3[j]
            C[k, i] = S[k].T @ F1[k]
            C[i, k] = F2[k].T @ Sd[k] + F3[k].T @ S[k]
    return C
