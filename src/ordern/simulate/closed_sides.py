"""What robots with loops need beside the right-hand side: the ends of steps with loops closed, and the forces in
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms import closed_chart as text
from ..algorithms.closed import velocities
from ..algorithms.motion import momenta, weightless
from ..describe.loops import Closing
from ..model import Model
from ..model.closures import closing_rows
from ..program.trace import Tracer, TraceTree
from ..scalars.primitives import Array, Scalar
from ..tree import JointVectors, Tree

if TYPE_CHECKING:
    from .right_hand_side import Motion

__all__ = ["advanced", "conserved", "dependence", "opening", "singular_loop", "tangent", "with_loop_forces"]

SINGULAR = 0.03  # smallest over largest singular value of the loops' equations below which a failure is theirs

Named = list[tuple[str, str, Any]]


def advanced(motion: Motion, tree: TraceTree, tracer: Tracer, q: JointVectors, sizes: Sequence[Scalar]) -> Named:
    """Closed coordinates next to q, and velocities that keep them so."""
    closed, qd, _ = text.closed_state(tree, q, tree.coordinates(tracer.input("qd", tree.model.nv), "v"), text.ROUNDS)
    return [("q", "q", closed.values), ("size", "v", sizes), ("tangent", "v", qd.values)]


def conserved(motion: Motion, tree: TraceTree, tracer: Tracer) -> Named:
    """The same for momenta, which stand in the place of velocities."""
    (_, _, q), p = motion._chart(tree, tracer), tree.coordinates(tracer.input("p", tree.model.nv), "v")
    sizes = [e for i in tree.model.free for e in tree.joint[i].joint.scale(q[i])]
    q = text.closed_coordinates(tree, q)[0]
    with weightless(tree):
        qd = motion._solve(tree, q, tree.zero, p)
    return [("q", "q", q.values), ("size", "v", sizes), ("tangent", "v", motion._dofs(tree, momenta(tree, q, qd)))]


def tangent(motion: Motion, tree: TraceTree, tracer: Tracer) -> Named:
    """What loops leave free of any velocity."""
    (_, _, q), v = motion._chart(tree, tracer), tree.coordinates(tracer.input("qd", tree.model.nv), "v")
    return [("tangent", "v", text.closed_velocities(tree, q, v)[0].values)]


def with_loop_forces(tree: TraceTree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Joint forces with those of the loops."""
    forces = text.loop_forces(tree, q, qd, tau)
    loops = tree.coordinates(forces, "v")
    return text.gathered(tree, "with loop forces", "v", lambda i: tau[i] + loops[i])


def opening(model: Model, q: Array, v: Array) -> Array:
    """How fast each equation of the loops opens at one state (nq,), (n,), without their Jacobian as a matrix."""
    tree = Tree(model)
    given, moving = tree.coordinates(q.tolist(), "q"), tree.coordinates(v.tolist(), "v")
    X, _, twists, _ = velocities(tree, given, moving)
    return np.array(text.closure_rates(tree, closing_rows(tree, given, X, kept=False), twists, moving), float)


def singular_loop(model: Model, q: Array) -> str:
    """The loop whose equations no longer are independent near q, in words; nothing where all are."""
    if not model.loops or not np.isfinite(q).all():
        return ""
    share, name = dependence(model, q)
    if share > SINGULAR:
        return ""
    return (
        f"loop {name!r} is singular there (a change point or dead centre: its equations are dependent to {share:.1e})"
    )


def dependence(model: Model, q: Array) -> tuple[float, str]:
    """Smallest over largest singular value of the loops' equations at q, and the loop that has most part in it."""
    _, A = Closing(model, kept=True)(np.asarray(q)[None])
    left, sizes, _ = np.linalg.svd(A[0])
    owner = [loop.name for loop in model.loops for _ in loop.kept]
    return float(sizes[-1] / sizes[0]), owner[int(np.argmax(np.abs(left[:, -1])))]
