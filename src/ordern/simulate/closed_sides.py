"""What robots with loops need beside the right-hand side: the ends of steps with loops closed, and the forces in them."""

from __future__ import annotations

from typing import Any

from ..algorithms import closed_chart as text
from ..algorithms.motion import momenta, size, weightless

__all__ = ["advanced", "conserved", "tangent", "with_loop_forces"]

Named = list[tuple[str, str, Any]]


def advanced(motion: Any, tree: Any, tracer: Any, q: Any, sizes: Any) -> Named:
    """Closed coordinates next to q, and velocities that keep them so."""
    q = text.closed_coordinates(tree, q)
    qd = text.closed_velocities(tree, q, tree.coordinates(tracer.input("qd", tree.model.nv), "v"))
    return [("q", "q", q.values), ("size", "v", sizes), ("tangent", "v", qd.values)]


def conserved(motion: Any, tree: Any, tracer: Any) -> Named:
    """The same for momenta, which stand in the place of velocities."""
    (_, _, q), p = motion._chart(tree, tracer), tree.coordinates(tracer.input("p", tree.model.nv), "v")
    sizes = [e for i in tree.model.free for e in size(q[i], tree.degrees(i))]
    q = text.closed_coordinates(tree, q)
    with weightless(tree):
        qd = motion._solve(tree, q, tree.zero, p)
    return [("q", "q", q.values), ("size", "v", sizes), ("tangent", "v", motion._dofs(tree, momenta(tree, q, qd)))]


def tangent(motion: Any, tree: Any, tracer: Any) -> Named:
    """What loops leave free of any velocity."""
    (_, _, q), v = motion._chart(tree, tracer), tree.coordinates(tracer.input("qd", tree.model.nv), "v")
    return [("tangent", "v", text.closed_velocities(tree, q, v).values)]


def with_loop_forces(tree: Any, q: Any, qd: Any, tau: Any) -> Any:
    """Joint forces with those of the loops."""
    forces = text.loop_forces(tree, q, qd, tau)
    drive = [e for i in tree.model.free for e in tau[i]]
    return tree.coordinates([a + b for a, b in zip(drive, forces, strict=True)], "v")
