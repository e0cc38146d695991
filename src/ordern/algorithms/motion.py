"""What a simulation integrates: rates of the coordinates, passive joint forces, and Hamilton's equations, O(n).

Within a step each joint moves in its own chart about where the step began: q = step(base, x) [MK98, Munthe-Kaas,
Runge-Kutta methods on Lie groups, 1998]. For a joint whose coordinates are a vector, x is simply what was added; for
quaternions it is the rotation vector (or twist) since the step began, whose rate is the inverse of the exponential's
differential applied to the joint's velocity: x' = v + [x, v]/2 + [x, [x, v]]/12 - ad^4/720 + ad^6/30240, which is exact
to the eighth order of the step.

Hamilton's equations use the momenta p = M(q) qd: a solve M^-1 p gives qd, and with h_i the momentum of all that body i
carries

    p_i' = S_i^T w_i + (dS_i/dt)^T h_i + tau_i,        dS_i/dt = v_i x S_i + (rate of S_i in its own body)

where w_i is the weight (and other wrenches) that body i carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..scalars.primitives import Scalar, is_zero, least, most, tanh
from ..spatial import Transform, Twist, Vec3, Wrench
from ..spatial.joint_space import JointVector, Subspace
from ..tree import ByBody, JointVectors, Tree

__all__ = ["hamilton", "magnitude", "momenta", "passive", "positive", "saturated", "weightless"]


def magnitude(x: Scalar) -> Any:
    """|x|, exactly."""
    return most(x, -x)


def positive(x: object) -> Any:
    """X where it is positive, else zero, exactly."""
    return most(x, 0)


def saturated(tau: JointVector, effort: JointVector) -> JointVector:
    """Joint forces limited to plus and minus each drive's effort; None has no bound."""
    return JointVector(*(x if e is None else most(least(x, e), -e) for x, e in zip(tau, effort, strict=True)))


def passive(
    q: JointVector,
    qd: JointVector,
    tau: JointVector,
    damping: JointVector,
    coulomb: JointVector,
    sharpness: float,
    stop: Callable[[int], Any],
) -> JointVector:
    """Forces of one joint: the drive's, with friction and end stops.

    Friction is d qd + c tanh(sharpness qd), smooth where the motion turns round. An end stop is a spring with a damper
    that is there only
    while it is pressed: -(k + b qd) depth. ``stop`` gives (lower, upper, k, b) of a degree of freedom, or None; so may
    be either end.
    """
    made = []
    for c, v in enumerate(qd):
        force, grip = tau[c] - damping[c] * v, coulomb[c]
        if not is_zero(grip):
            force = force - grip * tanh(v * sharpness)
        ends = stop(c)
        if ends is not None:
            lower, upper, k, b = ends
            if upper is not None:
                force = force - positive(q[c] - upper) * (k + v * b)
            if lower is not None:
                force = force + positive(lower - q[c]) * (k - v * b)
        made.append(force)
    return JointVector(*made)


@contextmanager
def weightless(tree: Tree) -> Iterator[None]:
    """The tree without gravity, wrenches and springs: forward dynamics at rest is then M^-1."""
    gravity, external, slack = tree.gravity, tree.external, tree.slack
    tree.gravity = Twist.zero()
    tree.external = ByBody(lambda i: Wrench.zero())
    tree.slack = True
    try:
        yield
    finally:
        tree.gravity, tree.external, tree.slack = gravity, external, slack


def hamilton(tree: Tree, q: JointVectors, p: JointVectors, solve: Callable[..., Any]) -> tuple[Any, Any]:
    """Velocities qd = M^-1 p and the rates of p without joint forces; ``solve`` is a forward dynamics."""
    with weightless(tree):
        qd = solve(tree, q, tree.zero, p)
    X, S, rate = tree.table("X"), tree.table("S"), tree.table("rate")
    v, g = tree.table("v", base=Twist.zero()), tree.table("g", base=tree.gravity.linear)
    h, w = tree.table("h", base=Wrench.zero()), tree.table("w", base=Wrench.zero())

    for i, up in tree.outward("momenta"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        v[i] = X[i] @ v[up] + S[i] @ qd[i]
        g[i] = X[i].rotation @ g[up]
        h[i] = tree.inertia[i] @ v[i]
        w[i] = tree.inertia[i] @ Twist(Vec3.zero(), g[i]) + tree.external[i]

    for i, up in tree.inward("forces of momenta"):
        turning: Subspace = S[i].crossed_by(v[i]) + tree.joint[i].subspace_rate(q[i], qd[i])
        free = turning.T @ h[i] + S[i].T @ w[i]
        rate[i] = free - tree.spring(i, q[i]) if tree.model.springs else free
        back: Transform = X[i].T
        h[up] += back @ h[i]
        w[up] += back @ w[i]
    return qd, rate


def momenta(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """P = M qd, armature included."""
    X, S, made = tree.table("X"), tree.table("S"), tree.table("p")
    v, h = tree.table("v", base=Twist.zero()), tree.table("h", base=Wrench.zero())
    for i, up in tree.outward("velocities"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        v[i] = X[i] @ v[up] + S[i] @ qd[i]
        h[i] = tree.inertia[i] @ v[i]
    for i, up in tree.inward("momenta"):
        made[i] = S[i].T @ h[i] + tree.armature[i] * qd[i]
        h[up] += X[i].T @ h[i]
    return made
