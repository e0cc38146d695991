"""Closing loops at the ends of steps, and constraint forces, for robots with loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms import closed_chart as text
from ..algorithms.closed import closure_rates, velocities
from ..algorithms.motion import momenta, weightless
from ..describe.loop_closing import Closing, gaps, turned_over, without_dust
from ..errors import InputError
from ..model import Model
from ..model.closures import closing_rows, count
from ..model.thresholds import LONG_LOOPS
from ..program.trace import Tracer, TraceTree
from ..scalars.primitives import Array, Scalar
from ..tree import JointVectors, Tree

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike
    from .right_hand_side import Motion

__all__ = [
    "advanced",
    "closed_start",
    "conserved",
    "dependence",
    "opening",
    "singular_loop",
    "tangent",
    "with_loop_forces",
]

SINGULAR = 0.03  # smallest over largest singular value of the loops' equations below which a failure is theirs

OPEN = 1e-6  # m, rad: up to so much an initial state is taken for closed but for the digits it was given with

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
    return np.array(closure_rates(tree, closing_rows(tree, given, X, kept=False), twists, moving), float)


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
    _, A = Closing(model, kept=True, soft=True)(np.asarray(q)[None])
    left, sizes, _ = np.linalg.svd(without_dust(A[0]))
    owner = [loop.name for loop in model.loops for _ in loop.kept + loop.spare]
    last = sum(len(loop.kept) for loop in model.loops) - 1  # spare equations say nothing more
    if last < 0:
        return 1.0, ""
    return float(sizes[last] / max(sizes[0], 1e-300)), owner[int(np.argmax(np.abs(left[:, last])))]


def closed_start(robot: RobotLike, q: Array, v: Array) -> tuple[Array, Array]:
    """States with loops closed to the last digit; an InputError for those that are open at the start."""
    value = gaps(robot.model, robot.constraint_residual(q))
    long = len(robot.model.bodies) > LONG_LOOPS  # dense matrices of these would take minutes
    if long:
        rate = np.abs([opening(robot.model, *state) for state in zip(q, v, strict=True)])
    else:
        rate = np.abs(np.einsum("bij,bj->bi", robot.constraint_jacobian(q), v))
    if long and max(value.max(initial=0.0), rate.max(initial=0.0)) < 1e-13:
        return q, v
    over = turned_over(robot.model, q)
    if over.any():
        k = int(np.argmax(over))
        raise InputError(
            f"q0{_run(q, k)} closes a loop of {robot.name!r} with a frame turned over, by {over[k]:.3g} rad; "
            + _nearest(robot, q[k])
        )
    owner = np.repeat(np.arange(len(robot.loops)), [count(loop.kind) for loop in robot.model.loops])
    if value.max(initial=0.0) > OPEN:
        run, at = np.unravel_index(int(np.argmax(value)), value.shape)
        raise InputError(
            f"q0{_run(q, run)} leaves loop {robot.loops[owner[at]]!r} open by {value[run, at]:.3g} (m, rad); "
            + _nearest(robot, q[run])
        )
    beyond = rate / (1 + np.abs(v).max(axis=1, initial=0.0, keepdims=True))  # a fast run excuses itself alone
    if beyond.max(initial=0.0) > OPEN:
        run, at = np.unravel_index(int(np.argmax(beyond)), rate.shape)
        raise InputError(
            f"qd0{_run(q, run)} opens loop {robot.loops[owner[at]]!r} by {rate[run, at]:.3g} (m/s, rad/s); the nearest "
            f"velocities that keep it closed are [{_shown(robot.closed_velocity(q[run], v[run]))}]"
        )
    made = robot.assemble(q)
    return np.where(made.success[:, None], made.q, q), robot.closed_velocity(made.q, v)


def _run(q: Array, k: object) -> str:
    """Which of several runs."""
    return f" of run {k}" if len(q) > 1 else ""


def _nearest(robot: RobotLike, q: Array) -> str:
    found = robot.assemble(q)
    if not found.success:
        return f"no state near closes all loops: what was found stays open by {found.residual:.3g} (m, rad)"
    return f"the nearest state that closes it is [{_shown(found.q)}]"


def _shown(q: Array) -> str:
    return ", ".join(f"{x:.9g}" for x in q[:16]) + (", ..." if len(q) > 16 else "")
