"""Closed chains with dense matrices, O(n^3): the reference for the recursions, and what serves robots with loops and
mimic joints alike.

[F08, ch. 8]: M qdd + bias = tau + A^T lambda, A qdd + dA/dt qd = 0. M is factored once (coupled.py), then the
multipliers' own matrix A M^-1 A^T. The inverse of M under the constraints is M^-1 - Y (A M^-1 A^T)^-1 Y^T with Y = M^-1
A^T; velocities after an impact that closes the loops are qd - Y (A M^-1 A^T)^-1 A qd.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..model.closures import ClosureRow, closing_rows, columns, placements
from ..spatial import Rotation, Transform, Vec3, Wrench
from ..spatial.joint_space import Subspace
from ..tree import BodyTable, JointVectors, Tree
from .closed import LOOPS, bias_of, has_loops, velocities
from .closed_articulated import checked_rows, closed_motion, loose_rows, soft_rows
from .coupled import Rows, _by_body, _by_pair, _factor, _places, _reduced, _solve
from .kinematics import jacobian
from .newton_euler import bias_forces
from .registry import algorithm
from .sparse import SparseFactor, gramian

if TYPE_CHECKING:
    from ..model.by_body import PerBody

__all__ = [
    "by_dof", "closed_dense_motion", "closed_forward", "closed_inverse", "closed_mobility", "forces_articulated",
    "forces_dense", "impulse", "matrix_rows",
]  # fmt: skip


def by_dof(tree: Tree, table: BodyTable) -> list[Any]:
    """Joint forces by degree of freedom; those of mimicking joints go to their masters."""
    made: list[Any] = [0] * tree.model.nv
    for i, row in table.rows.items():
        v, _, ratio = _places(tree, i)
        for c, e in enumerate(row if i else ()):
            made[v + c] = made[v + c] + e * ratio
    return made


def matrix_rows(
    tree: Tree, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace]
) -> list[dict[int, Any]]:
    """A by row and degree of freedom."""
    made: list[dict[int, Any]] = [{} for _ in rows]
    for (r, i), column in columns(tree, rows, X, S).items():
        v, _, ratio = _places(tree, i)
        for c, e in enumerate(column):
            made[r][v + c] = made[r].get(v + c, 0) + e * ratio
    return made


@dataclass(frozen=True)
class _Dense:
    """M, A and the multipliers' matrix, factored."""

    U: Rows
    D: list[Any]
    A: list[dict[int, Any]]
    Y: list[list[Any]]  # M^-1 A^T, a list for each equation
    Lambda: SparseFactor

    @classmethod
    def of(
        cls, tree: Tree, q: JointVectors, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace]
    ) -> _Dense:
        A = matrix_rows(tree, rows, X, S)
        U, D = _factor(_reduced(tree, q))
        n = len(D)
        Y = [_solve(U, D, [row.get(c, 0) for c in range(n)]) for row in A]
        W = gramian(A, [dict(enumerate(y)) for y in Y])
        factor = SparseFactor(
            W, tree.guard, loose_rows(tree, rows), groups=checked_rows(tree, rows, X, S), soft=soft_rows(tree, rows)
        )
        return cls(U, D, A, Y, factor)

    def product(self, x: list[Any]) -> list[Any]:
        """A x."""
        return [sum_products(row, x) for row in self.A]

    def closed(self, free: list[Any], right: list[Any]) -> tuple[list[Any], list[Any]]:
        """``free`` changed by forces in the loops so that A x = right; and these forces."""
        force = self.Lambda.solve([b - a for a, b in zip(self.product(free), right, strict=True)], free)
        made = list(free)
        for y, f in zip(self.Y, force, strict=True):
            made = [a + e * f for a, e in zip(made, y, strict=True)]
        return made, force


def sum_products(row: dict[int, Any], x: Mapping[int, Any] | list[Any]) -> Any:
    """A row of entries times a vector."""
    total: Any = 0
    for c, e in row.items():
        total = total + e * x[c]
    return total


def closed_dense_motion(
    tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors
) -> tuple[list[Any], list[Any], list[ClosureRow]]:
    """Accelerations by degree of freedom, the force of each equation, and the equations."""
    X, S, v, c = velocities(tree, q, qd)
    rows = closing_rows(tree, q, X, v)
    dense = _Dense.of(tree, q, rows, X, S)
    drive = [e for i in tree.model.free for e in tau[i]]
    right = [a - b for a, b in zip(drive, by_dof(tree, bias_forces(tree, q, qd)), strict=True)]
    made, force = dense.closed(_solve(dense.U, dense.D, right), [-bias_of(tree, row, X, c) for row in rows])
    return made, force, rows


@algorithm(
    "forward_dynamics", "kkt", inputs="q qd tau", output="dofs", joint_space=True, external=True, rank=90, **LOOPS
)
def closed_forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations of all joints, loops closed."""
    return _by_body(tree, "qdd", closed_dense_motion(tree, q, qd, tau)[0])


@algorithm("mass_matrix_inverse", "kkt", inputs="q", output="symmetric", joint_space=True, rank=90, **LOOPS)
def closed_inverse(tree: Tree, q: JointVectors) -> Any:
    """d(qdd)/d(tau): the inverse of M restricted to the motions that loops allow."""
    X, S = placements(tree, q)
    dense = _Dense.of(tree, q, closing_rows(tree, q, X), X, S)
    n, still = len(dense.D), [0] * len(dense.A)
    units = [_solve(dense.U, dense.D, [int(i == k) for i in range(n)]) for k in range(n)]
    return _by_pair(tree, "inverse", [dense.closed(column, still)[0] for column in units], half=True)


@algorithm("impulse", "kkt", inputs="q qd", output="dofs", joint_space=True, rank=1, **LOOPS)
def impulse(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """Velocities after all loops have closed at once, without rebound."""
    X, S = placements(tree, q)
    dense = _Dense.of(tree, q, closing_rows(tree, q, X), X, S)
    made, _ = dense.closed([e for i in tree.model.free for e in qd[i]], [0] * len(dense.A))
    return _by_body(tree, "impulse", made)


@algorithm(
    "constraint_forces",
    "kkt",
    inputs="q qd tau",
    output="loop_wrenches",
    options="world",
    external=True,
    rank=90,
    **LOOPS,
)
def forces_dense(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors, world: bool) -> Any:
    """The wrench on link 2 of each loop at its closure."""
    _, force, rows = closed_dense_motion(tree, q, qd, tau)
    return _wrenches(tree, q, rows, dict(enumerate(force)), world)


@algorithm(
    "constraint_forces", "articulated", inputs="q qd tau", output="loop_wrenches", options="world", external=True,
    closed=True,
    serves=has_loops, takes="branches singular loops", rank=1,
)  # fmt: skip
def forces_articulated(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors, world: bool) -> Any:
    """The wrench on link 2 of each loop at its closure."""
    _, force, rows = closed_motion(tree, q, qd, tau)
    return _wrenches(tree, q, rows, force, world)


def _wrenches(tree: Tree, q: JointVectors, rows: list[ClosureRow], force: dict[int, Any], world: bool) -> list[Wrench]:
    """K lambda summed for each loop, at frame 2's origin in world or frame-2 axes; a gear's force comes first."""
    made = [Wrench.zero() for _ in tree.model.loops]
    for r, row in tree.within(list(enumerate(rows)), lambda numbered: numbered[1].loop):
        if row.K is None:
            made[row.loop] = Wrench(Vec3(force[r], 0, 0), Vec3.zero())
        else:
            made[row.loop] = made[row.loop] + row.K * force[r]
    if not world:
        return made
    turned = tree.table("turned", base=Rotation.identity())
    for i, p in tree.outward("placement"):
        turned[i] = Rotation((tree.joint[i].motion(q[i])[0].rotation @ turned[p]).full())  # from the world to body i
    for k in tree.within(range(len(made))):
        loop = tree.model.loops[k]
        if loop.terms:
            continue
        body, place = tree.model.loop_ends(loop)[1]
        made[k] = Transform(tree._placed(place)[0] @ turned[body], Vec3.zero()).T @ made[k]
    return made


@algorithm("operational_mobility", "kkt", inputs="q", output="matrix6", options="link", rank=90, **LOOPS)
def closed_mobility(tree: Tree, q: JointVectors, link: int) -> Any:
    """J P J^T with the inverse P of the mass matrix under the constraints."""
    X, S = placements(tree, q)
    dense = _Dense.of(tree, q, closing_rows(tree, q, X), X, S)
    n, still = len(dense.D), [0] * len(dense.A)
    J: Rows = [[0] * n for _ in range(6)]
    for i, columns_of in jacobian(tree, q, link, True).rows.items():
        v, _, ratio = _places(tree, i)
        for c, column in enumerate(columns_of.columns if i else ()):
            for r, e in enumerate(column.dense()):
                J[r][v + c] = J[r][v + c] + e * ratio
    solved = [dense.closed(_solve(dense.U, dense.D, row), still)[0] for row in J]
    half = [[sum_products(dict(enumerate(J[r])), solved[c]) for c in range(r + 1)] for r in range(6)]
    return [[half[max(r, c)][min(r, c)] for c in range(6)] for r in range(6)]
