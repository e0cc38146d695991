"""What keeps loops closed in a simulation: coordinates and velocities moved by the least that closes them, at the end
of every step.

[HLW06, Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4]: a step of any method, then the projection
q -> q - M^-1 A^T (A M^-1 A^T)^-1 phi(q), as a Newton iteration, and qd -> qd - M^-1 A^T (A M^-1 A^T)^-1 A qd. A step
leaves the loops open by its own local error, so that two rounds reach rounding. Momenta lose A^T lambda instead, with
the mass matrix: p -> M P p, P being the inverse of M under the constraints.

Least is meant by kinetic energy: near a change point errors along the direction that loops are about to lose are large,
but the motion is orthogonal to it in this metric and keeps its digits. The change is then a motion of the articulated
bodies (closed_articulated.py), O(n + loops). Robots whose mass matrix has no inverse without their loops, or with
joints that follow others, have M = 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..model import Model
from ..model.closures import ClosureRow, closing_rows, placements
from ..scalars.primitives import least
from ..spatial import Transform
from ..spatial.joint_space import JointVector, Subspace
from ..tree import JointVectors, Tree
from .closed import closure_rates, velocities
from .closed_articulated import closed_motion, least_change, soft_rows
from .closed_dense import closed_dense_motion, matrix_rows
from .elastic import pulled
from .elimination import eliminate
from .sparse import SparseFactor, gramian

if TYPE_CHECKING:
    from ..model.by_body import PerBody

__all__ = ["closed_coordinates", "closed_state", "closed_velocities", "gathered", "loop_forces"]

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


def gathered(tree: Tree, name: str, kind: str, of: Callable[[int], JointVector]) -> Any:
    """Coordinates (kind "q") or velocities ("v") of all joints from a function of the body, in a walk."""
    model, which = tree.model, 0 if kind == "q" else 1
    values: list[Any] = [0] * (model.nq if kind == "q" else model.nv)
    for i, _ in tree.outward(name):
        if model.bodies[i].mimic is None:
            made = tuple(of(i))
            values[model.offsets[i][which] : model.offsets[i][which] + len(made)] = made
    return tree.coordinates(values, kind)


def _change(
    tree: Tree, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace], k: list[Any]
) -> tuple[Any, Any]:
    """The least x with A x = -k, by body; and the least pivot."""
    if not rows:  # loops that say nothing, as planar ones in their plane: never singular
        return tree.coordinates([0] * tree.model.nv, "v"), 1.0
    if has_inverse(tree.model):
        return least_change(tree, rows, X, S, k)
    A = matrix_rows(tree, rows, X, S)
    soft = soft_rows(tree, rows)
    factor, made = SparseFactor(gramian(A, A), tree.guard, soft=soft), [0] * tree.model.nv
    for row, f in zip(A, factor.solve(k), strict=True):
        for c, e in row.items():
            made[c] = made[c] - e * f
    nearest, *others = [*soft.nearest, *(p.value for p in factor.pivots if p.row not in soft.rows)]
    for pivot in others:
        nearest = least(nearest, pivot)
    return tree.coordinates(made, "v"), nearest


def closed_coordinates(tree: Tree, q: JointVectors, rounds: int = ROUNDS) -> tuple[Any, Any]:
    """Coordinates next to q at which all loops are closed; and the least pivot on the way there."""
    nearest: Any = None
    if any(loop.soft for loop in tree.model.loops):  # spare equations contradict the others by what a stage misses
        rounds = ROUNDS
    for _ in range(rounds):
        X, S = placements(tree, q)
        rows = closing_rows(tree, q, X)
        by, nearest = _change(tree, rows, X, S, [row.value for row in rows])
        q = gathered(tree, "closed coordinates", "q", lambda i, q=q, by=by: tree.joint[i].step(q[i], by[i]))  # type: ignore[misc]
    return q, nearest


def closed_velocities(tree: Tree, q: JointVectors, qd: JointVectors) -> tuple[Any, Any]:
    """Velocities next to qd with which they stay so; and the least pivot."""
    X, S, v, _ = velocities(tree, q, qd)
    rows = closing_rows(tree, q, X)
    by, nearest = _change(tree, rows, X, S, closure_rates(tree, rows, v, qd))
    return gathered(tree, "closed velocities", "v", lambda i: qd[i] + by[i]), nearest


def closed_state(tree: Tree, q: JointVectors, qd: JointVectors, rounds: int = 1) -> tuple[Any, Any, Any]:
    """Both; and the least pivot."""
    q = closed_coordinates(tree, q, rounds)[0]
    return q, *closed_velocities(tree, q, qd)


def loop_forces(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> list[Any]:
    """A^T lambda: the loops' joint forces by degree of freedom."""
    moved = closed_dense_motion if tree.model.coupled else closed_motion
    _, force, rows = moved(tree, q, qd, pulled(tree, q, tau))
    X, S, _, _ = velocities(tree, q, qd)
    made: list[Any] = [0] * tree.model.nv
    for r, row in tree.within(list(enumerate(matrix_rows(tree, rows, X, S))), lambda numbered: rows[numbered[0]].loop):
        for c, e in row.items():
            made[c] = made[c] + e * force[r]
    return made
