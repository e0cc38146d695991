"""What keeps loops closed in a simulation: coordinates and velocities moved by the least that closes them, at the end of every step.

[HLW06, Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4]: a step of any method, then the projection q -> q - A^T (A A^T)^-1 phi(q), as a
Newton iteration, and qd -> qd - A^T (A A^T)^-1 A qd. A step leaves the loops open by its own local error, so that two rounds reach
rounding. Momenta lose A^T lambda instead, with the mass matrix: p -> M P p, P being the inverse of M under the constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.closures import closing_rows, placements
from ..spatial.joint_space import JointVector
from .closed import velocities
from .closed_dense import closed_dense_motion, matrix_rows, sum_products
from .sparse import SparseFactor, gramian

__all__ = ["closed_coordinates", "closed_state", "closed_velocities", "loop_forces"]

ROUNDS = 2


def _least(tree: Any, q: Any, right: Callable[[list[Any], list[dict[int, Any]]], list[Any]]) -> list[Any]:
    """A^T (A A^T)^-1 b by degree of freedom; ``right`` makes b from the equations' values and A."""
    X, S = placements(tree, q)
    rows = closing_rows(tree, q, X)
    A = matrix_rows(tree, rows, X, S)
    force = SparseFactor(gramian(A, A), getattr(tree, "guard", 0)).solve(right([row.value for row in rows], A))
    made: list[Any] = [0] * tree.model.nv
    for row, f in zip(A, force, strict=True):
        for c, e in row.items():
            made[c] = made[c] + e * f
    return made


def closed_coordinates(tree: Any, q: Any, rounds: int = ROUNDS) -> Any:
    """Coordinates next to q at which all loops are closed."""
    model = tree.model
    for _ in range(rounds):
        by = _least(tree, q, lambda values, A: values)
        moved: list[Any] = []
        for i in model.free:
            at = model.offsets[i][1]
            moved += tree.joint[i].step(q[i], JointVector(*(-e for e in by[at : at + model.bodies[i].joint.nv]))).e
        q = tree.coordinates(moved, "q")
    return q


def closed_velocities(tree: Any, q: Any, qd: Any) -> Any:
    """Velocities next to qd with which they stay so."""
    given = [e for i in tree.model.free for e in qd[i]]
    by = _least(tree, q, lambda values, A: [sum_products(row, given) for row in A])
    return tree.coordinates([a - b for a, b in zip(given, by, strict=True)], "v")


def closed_state(tree: Any, q: Any, qd: Any) -> tuple[Any, Any]:
    """Both."""
    q = closed_coordinates(tree, q, 1)
    return q, closed_velocities(tree, q, qd)


def loop_forces(tree: Any, q: Any, qd: Any, tau: Any) -> list[Any]:
    """A^T lambda: what the loops add to the joint forces, by degree of freedom."""
    _, force, rows = closed_dense_motion(tree, q, qd, tau)
    X, S, _, _ = velocities(tree, q, qd)
    made: list[Any] = [0] * tree.model.nv
    for row, f in zip(matrix_rows(tree, rows, X, S), force, strict=True):
        for c, e in row.items():
            made[c] = made[c] + e * f
    return made
