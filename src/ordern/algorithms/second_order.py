"""Second derivatives of inverse dynamics with respect to q, qd and qdd, O(n depth^2), for joints whose subspaces are
constant in their bodies.

[SRW22b] Singh, Russell and Wensing, Analytical second-order derivatives of rigid-body contact dynamics, 2022; [SRW23]
the same, On second-order derivatives of rigid-body dynamics, 2023. In the frame at rest and the letters of
derivatives.py. Degree of freedom a is the deepest of three, j and k lie on its way to the base, k nearer to it. Moving
q_a turns all that body a carries by S_a and changes velocities there by Pd_a:

    here    paper          meaning, with I, B, f of all that the body of a carries
    K       2 B[I, S_a]    (S_a x*) I - I (S_a x) + (x -> x x* I S_a); L is its symmetric part, the rate of I, and h = I
    S_a makes the skew one
    N       --             the rate of B: (S_a x*) B - B (S_a x) + 2 B[I, Pd_a]
    b       --             B^T S_a
    F, Fd   --             df / dq_a and df / dqd_a

A torque of a felt through j and k needs h, L, b; a torque of k needs the wrench that a and j make together; a torque of
j the rates L and N. What is written down for each three of them is listed in model/paths.py, in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..model.paths import FreedomRows
from ..scalars.primitives import Scalar, half
from ..spatial import InertiaRate, RigidInertia, Twist, Vec3, Wrench
from ..spatial.joint_space import Subspace
from ..tree import JointVectors, Tree
from .derivatives import BodyMotion, accelerations, velocities
from .registry import Algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody

__all__ = ["SECOND_ORDER"]


@dataclass(frozen=True)
class Freedom:
    """What the derivatives need of one degree of freedom: tables by row."""

    S: Any
    Pd: Any
    Pdd: Any
    W: Any
    K: Any
    N: Any
    b: Any
    F: Any
    Fd: Any


@dataclass(frozen=True)
class Pair:
    """What two degrees of freedom a and j make, for all k: wrenches that twists of k are multiplied with."""

    h: Wrench  # with S_k: d2 tau_a by q_j and qdd_k
    L: Wrench  # with S_k: d2 tau_k by q_a and qdd_j
    c: Wrench  # with Pd_k and S_k; c, g and r are moments, without a force
    g: Wrench
    r: Wrench
    qq: Wrench  # with S_k: d2 tau_k by q_a and q_j
    qv: Wrench
    vq: Wrench
    e: Wrench


def second_order(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """All of them, packed."""
    m = velocities(tree, q, qd)
    f, Pdd = accelerations(tree, m, q, qd, qdd)
    rows = tree.freedoms()
    t = freedoms(tree, rows, m, f, Pdd)
    for a in rows.inward("second derivatives"):
        for j in rows.peers(a):
            p = pair(t, a, j)
            both = t.K[a] @ t.S[j] + t.K[j] @ t.S[a]  # of velocities within a joint either order counts half
            for k in rows.above(j):
                S = t.S[k]
                rows.put("own", a, j, k, (*felt_by_a(t, p, k), dot(p.qq, S), half(dot(both, S)), dot(p.vq, S)))
            for k in rows.peers(j):
                rows.put("peers", a, j, k, within_a_joint(t, p, k))
        for j in rows.above(a):
            p = pair(t, a, j)
            for k in rows.above(j):
                S, Pd, one, other = t.S[k], t.Pd[k], dot(p.h, t.S[k]), dot(p.L, t.S[k])
                of_a = felt_by_a(t, p, k)
                of_k = dot(p.qq, S), one + other, dot(p.qv, S), dot(p.vq, S), other
                of_j = dot(p.r, Pd, dot(p.L, t.Pdd[k])), other - one, dot(p.r, S, dot(p.L, t.W[k])), -of_a[3]
                rows.put("above", a, j, k, (*of_a, *of_k, *of_j))
            for k in rows.peers(j):
                rows.put("peers", a, j, k, within_a_joint(t, p, k))
    return rows


def dot(w: Wrench, x: Twist, more: Scalar = 0) -> Scalar:
    """w.x + more as one running sum, the force's power first: wrenches with the same force share it."""
    total = more + w.linear.dot(x.linear)
    for a, b in zip(w.angular.dense(), x.angular.dense(), strict=True):
        total = total + a * b
    return total


def freedoms(tree: Tree, rows: FreedomRows, m: BodyMotion, f: PerBody[Wrench], Pdd: PerBody[Subspace]) -> Freedom:
    """The inward pass: what each body carries, and what that gives for the joint's degrees of freedom."""
    t = Freedom(*(rows.table(field.name) for field in fields(Freedom)))
    I, B = tree.table("Ic", base=RigidInertia.zero()), tree.table("Bc", base=InertiaRate.zero())
    for i, _ in tree.outward("carried"):
        I[i], B[i] = m.I[i], m.B[i]
    for i, p in tree.inward("carried"):
        I[p], B[p] = I[p] + I[i], B[p] + B[i]
        for c in range(tree.degrees(i)):
            a = rows.row(i, c)
            S, Pd, acceleration, W = (table[i].columns[c] for table in (m.S, m.Pd, Pdd, m.W))
            t.S[a], t.Pd[a], t.Pdd[a], t.W[a] = S, Pd, acceleration, W
            t.K[a] = InertiaRate.of(I[i], S)
            t.N[a] = B[i].turned(S) + InertiaRate.of(I[i], Pd)
            t.b[a] = B[i].T @ S
            t.F[a] = I[i] @ acceleration + B[i] @ Pd + S.cross(f[i])
            t.Fd[a] = B[i] @ S + I[i] @ W
    return t


def pair(t: Freedom, a: object, j: object) -> Pair:
    """Everything of a and j that does not depend on k."""
    K, N, S, Pd = t.K[a], t.N[a], t.S[j], t.Pd[j]
    L, h = K.stretching(), S.cross(K.momentum)
    moment = (L @ S).angular  # K^T S = L S - h is a moment alone: both have the same force
    return Pair(
        h=h,
        L=Wrench(moment, h.linear),
        c=S.cross(t.b[a]) - K.T @ Pd,
        g=Wrench(h.angular - moment, Vec3.zero()),
        r=N.T @ S,
        qq=L @ t.Pdd[j] + N @ Pd + S.cross(t.F[a]),
        qv=N @ S + L @ t.W[j],
        vq=K @ Pd + S.cross(t.Fd[a]),
        e=K @ Pd,
    )


def felt_by_a(t: Freedom, p: Pair, k: object) -> tuple[Any, ...]:
    """Of the torque of a: by q_j q_k, qd_j qd_k, q_j qd_k, q_k qd_j, q_j qdd_k."""
    S, Pd, Pdd, W = t.S[k], t.Pd[k], t.Pdd[k], t.W[k]
    by_qdd = dot(p.h, S)
    return dot(p.c, Pd, dot(p.h, Pdd)), by_qdd - dot(p.L, S), dot(p.c, S, dot(p.h, W)), dot(p.g, Pd), by_qdd


def within_a_joint(t: Freedom, p: Pair, k: object) -> tuple[Any, ...]:
    """J and k of one joint, in this order: torque of a by q q, qd qd, q qd; torque of j by q_a q_k, qd_a qd_k, q_a
    qd_k, q_k qd_a, q_a qdd_k.
    """
    S, Pd, Pdd, W = t.S[k], t.Pd[k], t.Pdd[k], t.W[k]
    last = dot(p.L, S)
    of_a = dot(p.c, Pd, dot(p.h, Pdd)), -last, -dot(p.e, S)
    of_j = dot(p.r, Pd, dot(p.L, Pdd)), -dot(p.g, S), dot(p.r, S, dot(p.L, W)), -dot(p.g, Pd), last
    return *of_a, *of_j


SECOND_ORDER = Algorithm(
    second_order,
    "inverse_dynamics_second_derivatives",
    "recursive",
    ("q", "qd", "qdd"),
    ("triples",),
    takes=frozenset(("branches", "singular")),
    joint_space=True,
    regroup=True,
    external=True,
    title="Singh, Russell, Wensing 2022",
)
