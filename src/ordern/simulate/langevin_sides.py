"""Fixman's force and the three parts of the BAOAB splitting for warm chains (langevin.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..algorithms.motion import weightless
from ..algorithms.registry import choose
from ..algorithms.thermal import thermal
from ..model.model_scalars import plain
from ..program.rolled import RolledTree
from .writing import each

if TYPE_CHECKING:
    from ..program.trace import Tracer, TraceTree
    from ..tree import JointVectors
    from .right_hand_side import Motion

__all__ = ["SIDES", "drift", "heat", "kick", "with_fixman"]

Named = list[tuple[str, str, Any]]


def with_fixman(motion: Motion, tree: TraceTree, tracer: Tracer, q: JointVectors, tau: JointVectors) -> Any:
    """Joint forces with Fixman's, -(kT/2) d log det M / dq."""
    made = choose("log_det_gradient", None, motion.model)(tree, q)
    slope = made if isinstance(tree, RolledTree) else tree.coordinates(motion._dofs(tree, made), "v")
    kT, half = motion.input(tree, tracer, "temperature"), plain(0.5)
    return each(tree, "with Fixman's force", "v", lambda i: tau[i] - kT[i] * slope[i] * half)


def drift(motion: Motion, tree: TraceTree, tracer: Tracer) -> Named:
    """Free motion: (base, x, qd) -> dx, qdd without any force."""
    _, x, q = motion._chart(tree, tracer)
    qd = motion.coordinates(tree, tracer, "qd")
    dx = each(tree, "dx", "v", lambda i: tree.joint[i].joint.chart_rate(x[i], qd[i]))
    with weightless(tree):
        qdd = motion._dofs(tree, motion.algorithm(tree, q, qd, tree.zero))
    return [("dx", "v", _flat(dx)), ("qdd", "v", qdd)]


def kick(motion: Motion, tree: TraceTree, tracer: Tracer) -> Named:
    """What forces do to a robot at rest: (q, qd) -> qdd; they themselves may depend on velocities."""
    q, qd = motion._state(tree, tracer)
    motion._external(tree, tracer)
    _, tau = motion._forces(tree, tracer, q, qd)
    return [("qdd", "v", motion._dofs(tree, motion.algorithm(tree, q, tree.zero, tau)))]


def heat(motion: Motion, tree: TraceTree, tracer: Tracer) -> Named:
    """(q, xi) -> velocities with the covariance M^-1; xi stands in the place of velocities."""
    q, xi = motion._state(tree, tracer)
    return [("qdd", "v", motion._dofs(tree, thermal(tree, q, xi)))]


def _flat(made: object) -> Any:
    return getattr(made, "values", made)


SIDES: dict[str, Callable[..., Named]] = {"drift": drift, "kick": kick, "heat": heat}
