"""Derivatives of inverse dynamics with everything in its own body's frame: fewer operations where frames fold, O(n
depth).

The formulas and letters are those of derivatives.py [SRW22]. Here index i means coordinates of body i, and the wrenches
that meet the joints on the way to the base are carried there, body by body: dearer for each pair of joints, cheaper for
each body. Robots with right angles and common points gain (Panda arm and floating Talos: a sixth), long chains lose.

    here                 meaning
    v_p, a_p             velocity and acceleration of the parent, in this body's frame
    IS BS F Fd           I S, B^T S, I Pdd + B Pd + S x* f, I W + B S: carried towards the base
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..model import Model
from ..model.thresholds import MANY_ON_PATHS
from ..spatial import InertiaRate, RigidInertia, Twist, Wrench
from ..spatial.joint_space import Forces, Subspace, gram
from ..tree import JointVectors, Tree
from .derivatives import gradient, turned_axes
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody


def short(model: Model) -> str | None:
    """Whether paths to the base are short enough."""
    if len(model.bodies) <= MANY_ON_PATHS + 1:
        return None
    return f"carries wrenches along the way to the base, which is for robots with at most {MANY_ON_PATHS} moving bodies"


@dataclass(frozen=True)
class LocalMotion:
    """What places and velocities give, before any acceleration is known."""

    X: Any
    S: Any
    I: Any
    B: Any
    v: Any
    v_p: Any
    vS: Any  # v_p x S
    E: Any
    Pd: Any
    W: Any
    c: Any  # acceleration and
    k: Any  # wrench that velocities alone ask for (external wrenches taken off)


@algorithm(
    "inverse_dynamics_derivatives",
    "body-frames",
    inputs="q qd qdd",
    output="square square symmetric",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
    takes="branches mimic singular",
    serves=short,
    title="Singh, Russell, Wensing 2022",
)
def body_frames(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Derivatives of tau with respect to q, qd and qdd; the last is M."""
    m = velocities(tree, q, qd)
    f, Pdd = accelerations(tree, m, q, qd, qdd)
    return matrices(tree, m, q, f, Pdd)


def velocities(tree: Tree, q: JointVectors, qd: JointVectors) -> LocalMotion:
    """The outward pass as far as it does not need accelerations."""
    m = LocalMotion(
        *(tree.table(field.name, base=Twist.zero() if field.name == "v" else None) for field in fields(LocalMotion))
    )
    for i, p in tree.outward("velocities"):
        joint = tree.joint[i]
        m.X[i], S = joint.motion(q[i])
        m.S[i], vJ = S, S @ qd[i]
        m.v_p[i] = m.X[i] @ m.v[p]
        m.v[i] = m.v_p[i] + vJ
        m.E[i] = gradient(joint, q[i], tree.degrees(i), lambda x, S: S @ qd[i])  # noqa: B023 - called at once
        m.vS[i] = S.crossed_by(m.v_p[i])
        m.Pd[i] = m.vS[i] + m.E[i]
        rest = S.crossed_by(vJ) + joint.subspace_rate(q[i], qd[i]) - m.E[i]  # zero where qd are rates of coordinates
        m.W[i] = m.Pd[i] + m.Pd[i] + rest
        m.c[i] = m.vS[i] @ qd[i] + joint.bias(q[i], qd[i])
        m.I[i] = tree.inertia[i]
        m.B[i] = InertiaRate.of(m.I[i], m.v[i])
        m.k[i] = m.v[i].cross(m.B[i].momentum) - tree.external[i]
    return m


def accelerations(tree: Tree, m: LocalMotion, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> tuple[Any, Any]:
    """The wrenches f that joints pass on, and Pdd."""
    a, f, Pdd = tree.table("a", base=-tree.gravity), tree.table("f", base=Wrench.zero()), tree.table("Pdd")
    for i, p in tree.outward("accelerations"):
        a_p = m.X[i] @ a[p]
        a[i] = a_p + m.S[i] @ qdd[i] + m.c[i]
        f[i] = m.I[i] @ a[i] + m.k[i]
        G = gradient(tree.joint[i], q[i], tree.degrees(i), lambda x, S: S @ qdd[i] + tree.joint[i].bias(x, qd[i]))  # noqa: B023
        Pdd[i] = m.S[i].crossed_by(a_p) + m.vS[i].crossed_by(m.v_p[i]) + m.E[i].crossed_by(m.v_p[i] + m.v[i]) + G
    for i, p in tree.inward("forces"):
        f[p] += m.X[i].T @ f[i]
    return f, Pdd


def matrices(
    tree: Tree, m: LocalMotion, q: JointVectors, f: PerBody[Wrench], Pdd: PerBody[Subspace], zeros: str = "all"
) -> tuple[Any, Any, Any]:
    """The inward pass: each body's wrenches meet all joints on the way to the base."""
    X, S, W, Pd = m.X, m.S, m.W, m.Pd
    I, B = tree.table("Ic", base=RigidInertia.zero()), tree.table("Bc", base=InertiaRate.zero())
    dq, dqd = (tree.matrix(name, general=True, zeros=zeros) for name in ("dq", "dqd"))
    M = tree.matrix("M", zeros=zeros)
    for i, _ in tree.outward("matrices"):
        I[i], B[i] = m.I[i], m.B[i]
    for i, p in tree.inward("matrices"):
        I[p], B[p] = I[p] + I[i].seen_from_parent(X[i]), B[p] + B[i].seen_from_parent(X[i])
        IS, BS, F, Fd = (tree.table(name) for name in ("IS", "BS", "F", "Fd"))
        IS[i], BS[i], Fd[i] = I[i] @ S[i], B[i].T @ S[i], I[i] @ W[i] + B[i] @ S[i]
        own = I[i] @ Pdd[i] + B[i] @ Pd[i]
        F[i] = own + Forces(*(column.cross(f[i]) for column in S[i].columns))
        dq[i, i] = tree.stiffened(i, q, S[i].T @ own + turned_axes(tree.joint[i], q[i], f[i], tree.degrees(i)))
        dqd[i, i] = S[i].T @ Fd[i]
        M[i, i] = gram(S[i], IS[i]).plus_diagonal(tree.armature[i])
        for j, k in tree.upward(i):
            IS[k], BS[k], F[k], Fd[k] = X[j].T @ IS[j], X[j].T @ BS[j], X[j].T @ F[j], X[j].T @ Fd[j]
            dq[i, k], dq[k, i] = IS[k].T @ Pdd[k] + BS[k].T @ Pd[k], S[k].T @ F[k]
            dqd[i, k], dqd[k, i] = IS[k].T @ W[k] + BS[k].T @ S[k], S[k].T @ Fd[k]
            M[i, k] = IS[k].T @ S[k]
    return dq, dqd, M


def mass_matrix(tree: Tree, m: LocalMotion) -> Any:
    """M alone, which has to be known before the accelerations are."""
    I, M = tree.table("Ic", base=RigidInertia.zero()), tree.matrix("M", zeros="reached")
    for i, _ in tree.outward("mass matrix"):
        I[i] = m.I[i]
    for i, p in tree.inward("mass matrix"):
        I[p] += I[i].seen_from_parent(m.X[i])
        IS = tree.table("IS")
        IS[i] = I[i] @ m.S[i]
        M[i, i] = gram(m.S[i], IS[i]).plus_diagonal(tree.armature[i])
        for j, k in tree.upward(i):
            IS[k] = m.X[j].T @ IS[j]
            M[i, k] = IS[k].T @ m.S[k]
    return M
