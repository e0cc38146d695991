"""What keeps loops closed in a simulation: coordinates and velocities moved by the least that closes them, at the end
of every step.

[HLW06, Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4]: a step of any method, then the projection q -> q
- A^T (A A^T)^-1 phi(q), as a
Newton iteration, and qd -> qd - A^T (A A^T)^-1 A qd. A step leaves the loops open by its own local error, so that two
rounds reach rounding. Momenta lose A^T lambda instead, with the mass matrix: p -> M P p, P being the inverse of M under
the constraints.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ..model import Model
from ..model.closures import closing_rows, columns, placements
from ..spatial.joint_space import JointVector
from ..tree import JointVectors, Tree
from .closed import velocities
from .closed_denoc import carried_inward, flat, outward_change
from .closed_dense import closed_dense_motion, matrix_rows, sum_products
from .elimination import eliminate
from .sparse import SparseFactor, gramian

__all__ = ["closed_coordinates", "closed_state", "closed_velocities", "loop_forces"]

ROUNDS = 2
WEIGHTLESS = 1e-12  # share of the largest pivot of M below which one counts as zero


def has_inverse(model: Model) -> bool:
    """Whether the mass matrix of the cut mechanism has an inverse in general position, all joints being their own."""
    if model.coupled:
        return False
    rng, tree = random.Random(0), Tree(model)  # noqa: S311  no secret
    given: list[float] = []
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        start = JointVector(*(model.home[at : at + joint.nq] or joint.neutral))
        given += joint.step(start, JointVector(*(rng.uniform(0.1, 0.4) for _ in range(joint.nv)))).e
    try:
        pivots = [
            d for i, mh in eliminate(tree, tree.coordinates(given, "q"))[3].rows.items() if i for d in mh.udu()[1]
        ]
    except ZeroDivisionError:
        return False
    return bool(min(pivots) > WEIGHTLESS * max(pivots))


class _Metric:
    """Changes of velocities that loops bring about, by kinetic energy: M^-1 A^T (A M^-1 A^T)^-1 b with the factor of M
    at one configuration.

    Errors along a direction that loops are about to lose (near a change point) are large, but the motion itself is
    orthogonal to them in this metric and keeps its digits. Robots whose mass matrix has no inverse without their loops,
    or with joints that follow others, have M = 1.
    """

    def __init__(self, tree: Tree, q: JointVectors) -> None:
        self.tree = tree
        self.factor = eliminate(tree, q) if has_inverse(tree.model) else None

    def least(self, q: JointVectors, right: Callable[[list[Any], list[dict[int, Any]]], list[Any]]) -> list[Any]:
        """The change by degree of freedom; ``right`` makes b from the equations' values and A at q."""
        tree = self.tree
        X, S = placements(tree, q)
        rows = closing_rows(tree, q, X)
        A = matrix_rows(tree, rows, X, S)
        b, guard = right([row.value for row in rows], A), getattr(tree, "guard", 0)
        made: list[Any] = [0] * tree.model.nv
        if self.factor is None:
            for row, f in zip(A, SparseFactor(gramian(A, A), guard).solve(b), strict=True):
                for c, e in row.items():
                    made[c] = made[c] + e * f
            return made
        V = carried_inward(tree, columns(tree, rows, X, S), len(rows), self.factor)
        scaled = [{i: x / self.factor[3][i] for i, x in row.items()} for row in V]
        force = SparseFactor(gramian([flat(row) for row in scaled], [flat(row) for row in V]), guard).solve(b)
        for i, x in outward_change(tree, scaled, force, self.factor).items():
            at = tree.model.offsets[i][1]
            made[at : at + len(x.e)] = x.e
        return made


def closed_coordinates(tree: Tree, q: JointVectors, rounds: int = ROUNDS, metric: _Metric | None = None) -> Any:
    """Coordinates next to q at which all loops are closed."""
    model, metric = tree.model, metric or _Metric(tree, q)
    for _ in range(rounds):
        by = metric.least(q, lambda values, A: values)
        moved: list[Any] = []
        for i in model.free:
            at = model.offsets[i][1]
            moved += tree.joint[i].step(q[i], JointVector(*(-e for e in by[at : at + model.bodies[i].joint.nv]))).e
        q = tree.coordinates(moved, "q")
    return q


def closed_velocities(tree: Tree, q: JointVectors, qd: JointVectors, metric: _Metric | None = None) -> Any:
    """Velocities next to qd with which they stay so."""
    given = [e for i in tree.model.free for e in qd[i]]
    by = (metric or _Metric(tree, q)).least(q, lambda values, A: [sum_products(row, given) for row in A])
    return tree.coordinates([a - b for a, b in zip(given, by, strict=True)], "v")


def closed_state(tree: Tree, q: JointVectors, qd: JointVectors, rounds: int = 1) -> tuple[Any, Any]:
    """Both."""
    metric = _Metric(tree, q)
    q = closed_coordinates(tree, q, rounds, metric)
    return q, closed_velocities(tree, q, qd, metric)


def loop_forces(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> list[Any]:
    """A^T lambda: what the loops add to the joint forces, by degree of freedom."""
    _, force, rows = closed_dense_motion(tree, q, qd, tau)
    X, S, _, _ = velocities(tree, q, qd)
    made: list[Any] = [0] * tree.model.nv
    for row, f in zip(matrix_rows(tree, rows, X, S), force, strict=True):
        for c, e in row.items():
            made[c] = made[c] + e * f
    return made
