"""Closed chains: how far loops are from closed, how their equations change with the joints, and what velocities add,
O(n + loops).

[F08, ch. 8]; the spanning tree is cut at the loops (model/closures.py has each type's equations). Index i: coordinates
of body i.

    paper     here    meaning
    phi       value   equations of the loops, zero where these are closed
    K, A      K, A    d(phi)/dt = A qd; K is the covector on a body's twist that A's columns come from
    k         gamma   what velocities alone give d2(phi)/dt2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Model
from ..model.closures import ClosureRow, ancestors, closing_rows, columns, placements
from ..spatial import Transform, Twist
from ..spatial.joint_space import JointVector
from ..tree import JointVectors, Tree
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody

__all__ = [
    "LOOPS", "Constraints", "closure_rates", "constraint_bias", "constraint_jacobian", "constraint_residual",
    "has_loops", "velocities",
]  # fmt: skip


def has_loops(model: Model) -> str | None:
    """Only for robots that have some."""
    return None if model.loops else "is for robots with loops or contacts; this one has none"


# what the algorithms of closed chains have in common
LOOPS: dict[str, Any] = {"closed": True, "serves": has_loops, "takes": "branches mimic singular loops"}


class Constraints:
    """Columns of A by equation and body, each a JointVector; what is missing is zero."""

    def __init__(self, columns: dict[tuple[int, int], JointVector]) -> None:
        self.columns = columns


def velocities(tree: Tree, q: JointVectors, qd: JointVectors) -> tuple[Any, Any, Any, Any]:
    """X, S, twists v and the accelerations c that velocities alone give each body relative to its parent."""
    X, S, c, v = tree.table("X"), tree.table("S"), tree.table("c"), tree.table("v", base=Twist.zero())
    for i, p in tree.outward("velocities"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        vJ = S[i] @ qd[i]
        v[i] = X[i] @ v[p] + vJ
        c[i] = v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
    return X, S, v, c


@algorithm("constraint_residual", "recursive", inputs="q", output="equations", rank=1, **LOOPS)
def constraint_residual(tree: Tree, q: JointVectors) -> Any:
    """All equations of all loops (m, rad): zero where the loops are closed."""
    X, _ = placements(tree, q)
    return [row.value for row in closing_rows(tree, q, X, kept=False)]


@algorithm("constraint_jacobian", "recursive", inputs="q", output="constraints", rank=1, **LOOPS)
def constraint_jacobian(tree: Tree, q: JointVectors) -> Any:
    """A, the derivative of the residual with respect to joint velocities."""
    X, S = placements(tree, q)
    return Constraints(columns(tree, closing_rows(tree, q, X, kept=False), X, S))


@algorithm("constraint_bias", "recursive", inputs="q qd", output="equations", rank=1, **LOOPS)
def constraint_bias(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """dA/dt qd: the second rate of the residual for joints that do not accelerate."""
    X, _, v, c = velocities(tree, q, qd)
    return [
        bias_of(tree, row, X, c) for row in tree.within(closing_rows(tree, q, X, v, kept=False), lambda row: row.loop)
    ]


def bias_of(tree: Tree, row: ClosureRow, X: PerBody[Transform], c: PerBody[Twist]) -> Any:
    """dA/dt qd of one equation: what the covectors meet on their way inward, and gamma."""
    total = row.gamma
    for body, K in row.ends:
        for i in ancestors(tree.model.parents, body, row.ancestor):
            total = total + K.dot(c[i])
            K = X[i].T @ K
    return total


def closure_rates(tree: Tree, rows: list[ClosureRow], v: PerBody[Twist], qd: JointVectors) -> list[Any]:
    """A qd from the twists v of the bodies."""
    rates = []
    for row in tree.within(rows, lambda row: row.loop):
        rate: Any = 0
        for body, ratio in row.direct:
            rate = rate + ratio * qd[body][0]
        for body, K in row.ends:
            rate = rate + K.dot(v[body])
        rates.append(rate)
    return rates
