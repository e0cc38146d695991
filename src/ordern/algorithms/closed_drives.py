"""Inverse dynamics of closed chains: the joint forces of the drives for a motion, least in norm where there are more
drives than needed.

The tree's own joint forces tau' for the motion (newton_euler.py) are what drives and loops have to bring together: tau
+ A^T lambda = tau', with tau zero where there is no drive. Among all lambda that leave nothing to the joints without
drive, the one with the least |tau| is [least squares with equations, Lawson and Hanson 1974]

    lambda = H^-1 (A tau' - A_p mu),   (A_p^T H^-1 A_p) mu = A_p^T H^-1 A tau' - tau'_p,   H = A A^T,

A_p being the columns of joints without drive; where these leave no choice, A_p^T lambda = tau'_p. Where loops serve
all of them independently in general, that is taken for granted; else, and with contacts, it depends on where the robot
stands: those that others imply are left out there, and what is left at joints without drive is the unreachable part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..model.closures import closing_rows, placements
from ..spatial import Wrench
from ..tree import JointVectors, Tree
from .closed import LOOPS
from .closed_articulated import checked_rows, loose_rows, soft_rows
from .closed_dense import by_dof, matrix_rows, sum_products
from .coupled import _by_body
from .elastic import held
from .newton_euler import carried_wrenches, newton_euler
from .registry import algorithm
from .sparse import Checked, SparseFactor, Walk, gramian

__all__ = ["closed_inverse_dynamics", "closed_joint_wrenches", "lent", "shared", "unreachable"]


def shared(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> tuple[list[Any], list[Any]]:
    """The tree's joint forces less what loops carry (``share``), by degree of freedom; and lambda."""
    return lent(tree, q, by_dof(tree, held(tree, q, newton_euler(tree, q, qd, qdd))))


def lent(tree: Tree, q: JointVectors, wanted: list[Any]) -> tuple[list[Any], list[Any]]:
    """The same for any joint forces, which move the robot as what is left of them does."""
    X, S = placements(tree, q)
    rows = closing_rows(tree, q, X)
    A, stance, checked = matrix_rows(tree, rows, X, S), loose_rows(tree, rows), checked_rows(tree, rows, X, S)
    undriven = [c for c, has in enumerate(tree.model.driven) if not has and any(c in row for row in A)]

    def walk(order: Iterable[int]) -> Iterator[int]:
        return tree.within(order, lambda r: rows[r].loop)

    if len(tree.model.passive) == len(rows) and not stance:
        return _decided(A, wanted, set(undriven), walk, checked)
    loose = bool(stance or checked)  # which of them loops serve is decided here, or was
    without = undriven if loose else tree.model.passive
    H = SparseFactor(gramian(A, A), loose=stance, groups=checked, soft=soft_rows(tree, rows))
    force, left = _least(A, H, wanted, without, loose), list(wanted)
    _taken(A, force, left, walk)
    return left, force


def _taken(A: list[dict[int, Any]], force: list[Any], left: list[Any], walk: Walk) -> None:
    """A^T lambda taken off joint forces."""
    for r in walk(range(len(A))):
        for c, e in A[r].items():
            left[c] = left[c] - e * force[r]


def _decided(
    A: list[dict[int, Any]], wanted: list[Any], without: set[int], walk: Walk, checked: dict[int, Checked]
) -> tuple[list[Any], list[Any]]:
    """Both for independent passive columns: (A_p A_p^T) lambda = A_p tau'_p, with one refinement step."""
    Ap = [{c: e for c, e in row.items() if c in without} for row in A]
    H = SparseFactor(gramian(Ap, Ap, walk), walk=walk, groups=checked)
    left, force = list(wanted), [0] * len(A)
    for _ in range(2):
        right = {r: sum_products(Ap[r], left) for r in walk(range(len(A)))}
        more = H.solve([right[r] for r in range(len(A))])
        for r in walk(range(len(A))):
            force[r] = force[r] + more[r]
        _taken(A, more, left, walk)
    return left, force


def _least(
    A: list[dict[int, Any]], H: SparseFactor, wanted: list[Any], without: Sequence[int], loose: bool
) -> list[Any]:
    """The forces of the loops with the least tau; ``loose``: they may serve fewer joints here than there are."""
    force = H.solve([sum_products(row, wanted) for row in A], None)
    passive = [{r: row[c] for r, row in enumerate(A) if c in row} for c in without]
    if not passive:
        return force
    solved = [dict(enumerate(H.solve([column.get(r, 0) for r in range(len(A))], None))) for column in passive]
    short = [sum_products(column, force) - wanted[c] for column, c in zip(passive, without, strict=True)]
    factor = SparseFactor(gramian(passive, solved), loose=range(len(passive)) if loose else (), grown=loose)
    mu = factor.solve(short, None)
    for x, column in zip(mu, solved, strict=True):
        force = [f - x * column[r] for r, f in enumerate(force)]
    return force


@algorithm(
    "inverse_dynamics", "kkt", inputs="q qd qdd", output="dofs", joint_space=True, external=True, rank=1, **LOOPS
)
def closed_inverse_dynamics(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Joint forces of the drives; zero at joints without one."""
    left, _ = shared(tree, q, qd, qdd)
    driven = tree.model.driven
    return _by_body(tree, "tau", [e if driven[c] else 0 for c, e in enumerate(left)])


@algorithm(
    "unreachable_forces", "kkt", inputs="q qd qdd", output="dofs", joint_space=True, external=True, rank=1, **LOOPS
)
def unreachable(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Joint forces that the motion needs where no drive is; zero for a motion that the drives can bring about."""
    left, _ = shared(tree, q, qd, qdd)
    driven = tree.model.driven
    return _by_body(tree, "left", [0 if driven[c] else e for c, e in enumerate(left)])


@algorithm("joint_wrenches", "newton-euler", inputs="q qd qdd", output="wrenches", external=True, rank=1, **LOOPS)
def closed_joint_wrenches(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """The wrench each joint passes to its body, with loops, in the frame of the link that the joint moves."""
    _, force = shared(tree, q, qd, qdd)
    X, _ = placements(tree, q)
    f, loops = carried_wrenches(tree, q, qd, qdd), tree.table("loops", fill=Wrench.zero())
    for r, row in enumerate(closing_rows(tree, q, X)):
        for body, K in row.ends:
            if body:
                loops[body] = loops[body] + K * force[r]
    for i, p in tree.inward("forces of loops"):
        if p:
            loops[p] = loops[p] + X[i].T @ loops[i]
    made = tree.table("passed")
    for i, _ in tree.outward("link frames"):
        made[i] = tree.handle[i].inverse().T @ (f[i] - loops[i])
    return made
