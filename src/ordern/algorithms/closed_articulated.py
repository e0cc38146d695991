"""Forward dynamics of closed chains by articulated bodies that take loops with them, O(n + loops) where loops are
local.

[V89] Vereshchagin, Modeling and control of motion of manipulation robots, 1989; early elimination [SBD23, arXiv
2310.03676]. A loop's force goes inward from both of its ends as K lambda, joints giving way; at the body that carries
both ends nothing else depends on it, so it is eliminated there and leaves that body stiffer. Loops that meet in one
body are eliminated one by one, those with the fewest neighbours first: a ladder of four-bars stays banded. Index i:
coordinates of body i.

    paper     here       meaning
    K         K          wrench on body i for unit lambda; acceleration of the closure for the body's acceleration
    L         L          acceleration of one closure for the force of another, through the joints passed so far
    k         k          acceleration of the closure without forces
    D, psi    D, psi     as in articulated.py
    lambda    force      forces of the closures, in the order of the equations kept
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..model.closures import ClosureRow, ancestors, closing_rows
from ..scalars.primitives import Scalar, least, select
from ..spatial import ArticulatedInertia, Transform, Twist, Wrench
from ..spatial.joint_space import Forces, Subspace, gram
from ..tree import ByBody, JointVectors, Tree
from .closed import closure_rates, has_loops, velocities
from .registry import algorithm
from .sparse import FAR, REFINED, Checked, SoftRows, divisor, margin, size, told

if TYPE_CHECKING:
    from ..model.by_body import PerBody, StoredPerBody

__all__ = [
    "checked_rows", "closed_articulated", "closed_motion", "closure_forces", "least_change", "loose_rows", "soft_rows",
]  # fmt: skip


@dataclass(frozen=True)
class _Settled:
    """An equation after its elimination: lambda = -(K.a + k + sum of L lambda) / pivot."""

    row: int
    pivot: Any
    K: Wrench
    k: Any
    L: dict[int, Any]
    enough: Any = None  # the margin of an equation that others may imply


class _Open:
    """Equations on their way inward: K by body and row, L by pairs, k."""

    def __init__(
        self,
        tree: Tree,
        rows: list[ClosureRow],
        k: list[Any],
        X: PerBody[Transform],
        S: PerBody[Subspace],
        watched: bool = False,
    ) -> None:
        self.tree, self.rows, self.K = tree, rows, [{} for _ in tree.model.bodies]
        self.L: dict[int, dict[int, Any]] = {r: {} for r in range(len(rows))}
        self.k: dict[int, Any] = dict(enumerate(k))
        self.watched, self.least = watched, None
        self.ready: dict[int, list[int]] = {}
        self.guard, self.whole = tree.guard, dict.fromkeys(range(len(rows)), 0)
        self.direct = {(body, r): ratio for r, row in enumerate(rows) for body, ratio in row.direct}
        self.settled: dict[int, list[_Settled]] = {}
        self.loose, self.soft = loose_rows(tree, rows), soft_rows(tree, rows)
        self.checked = checked_rows(tree, rows, X, S)
        for r, row in enumerate(rows):
            self.ready.setdefault(row.ancestor, []).append(r)
            for body, K in row.ends:
                self.push(body, r, K)
            for body, _ in row.direct:
                self.push(body, r, Wrench.zero())

    K: list[dict[int, Wrench]]
    least: Any

    def push(self, body: int, r: int, K: Wrench) -> None:
        """Add to the wrench of a row on a body."""
        self.K[body][r] = self.K[body][r] + K if r in self.K[body] else K

    def pair(self, r: int, s: int, x: object) -> None:
        """Add to L, both ways."""
        self.L[r][s] = x if s not in self.L[r] else self.L[r][s] + x
        if r != s:
            self.L[s][r] = self.L[r][s]

    def fewest(self, todo: set[int]) -> Iterator[int]:
        """Rows one by one, always one with the fewest neighbours left; contacts after loops, which they may imply. Of
        loops in a line the first and the last take turns: two chains of pivots, neither of which waits for the other.
        """
        end = 1
        while todo:
            e = min(todo, key=lambda r: (r in self.loose, len(self.L[r]), end * self.loop_of(r), r))
            todo.remove(e)
            if self.tree.both_ends and all(self.loop_of(r) != self.loop_of(e) for r in todo):
                end = -end
            yield e

    def loop_of(self, r: int) -> int:
        """The loop of a row."""
        return self.rows[r].loop

    def settle(self, i: int, A: object, pA: object) -> tuple[Any, Any]:
        """Eliminate the rows whose both ends body i carries; returns its inertia and wrench with them."""
        made = self.settled[i] = []
        order = self.fewest(set(self.ready.get(i, ())))
        for e in order if i else self.tree.within(order, self.loop_of):
            K, k, near = self.K[i].pop(e, Wrench.zero()), self.k[e], self.L.pop(e)
            pivot = near.pop(e) + self.whole[e] * self.guard
            if e in self.soft.rows:
                pivot = self.soft.pivot(e, pivot, self.whole)
            elif e in self.checked:
                pivot = told(pivot, e, self.whole, self.checked[e])
            if self.watched and e not in self.soft.rows:
                self.least = pivot if self.least is None else least(self.least, pivot)
            enough = None
            if e in self.loose:  # they meet in the world, where all of them are whole
                enough = margin(pivot, self.whole[e], size(self.whole[r] for r in sorted(self.loose)))
            made.append(_Settled(e, pivot, K, k, near, enough))
            pivot = pivot if enough is None else select(enough, pivot, FAR)
            y = Wrench(K.angular / pivot, K.linear / pivot)
            A, pA = A + Forces(K) @ Forces(y).T, pA + y * k
            for r in near:
                del self.L[r][e]
            for r, x in near.items():
                g = x / pivot
                self.push(i, r, -(K * g))
                self.k[r] = self.k[r] - k * g
                for s, z in near.items():
                    if s <= r:
                        self.pair(r, s, -(g * z))
        return A, pA


def loose_rows(tree: Tree, rows: list[ClosureRow]) -> set[int]:
    """Equations of contacts: a symmetric stance makes some of them dependent that are not in general."""
    return {r for r, row in enumerate(rows) if tree.model.loops[row.loop].here}


def checked_rows(tree: Tree, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace]) -> dict[int, Checked]:
    """All other equations, each with those of its loop, where they are checked: at a change point some are dependent,
    and do not say what the mechanism does there. Runs pass such points with a guard instead.
    """
    if not tree.checked or tree.guard:
        return {}
    of_loop: dict[int, list[int]] = {}
    for r, row in enumerate(rows):
        of_loop.setdefault(row.loop, []).append(r)
    loops = tree.model.loops
    made = {r: Checked(of, loops[k].soft) for k, of in of_loop.items() if not loops[k].here for r in of}
    alone = [r for r, checked in made.items() if len(checked.group) == 1 and rows[r].ends]
    for r in tree.within(alone, lambda r: rows[r].loop):
        coefficients, made_of = _sizes(tree, rows[r], X, S)
        made[r] = replace(made[r], coefficients=coefficients, made_of=made_of)
    return made


def _sizes(tree: Tree, row: ClosureRow, X: PerBody[Transform], S: PerBody[Subspace]) -> tuple[Scalar, Scalar]:
    """Sums of absolute values: of an equation's coefficients, and of the covectors that they are components of."""
    coefficients: Any = 0
    made_of: Any = 0
    for body, K in row.ends:
        for i in ancestors(tree.model.parents, body, row.ancestor):
            coefficients = coefficients + size(S[i].T @ K)
            made_of = made_of + size((*K.angular.dense(), *K.linear.dense()))
            K = X[i].T @ K
    return coefficients, made_of


def soft_rows(tree: Tree, rows: list[ClosureRow]) -> SoftRows:
    """Equations of loops with spare ones, loop by loop; all together where a loop depends on others. In runs, whose
    states are closed: elsewhere spare equations contradict the others.
    """
    loops, of_loop = tree.model.loops, dict[int, list[int]]()
    for r, row in enumerate(rows):
        if tree.guard and loops[row.loop].soft:
            of_loop.setdefault(row.loop, []).append(r)
    groups = [(group, len(loops[k].spare)) for k, group in of_loop.items()]
    if any(not spare for _, spare in groups):
        groups = [([r for group, _ in groups for r in group], sum(spare for _, spare in groups))]
    return SoftRows(groups)


def closure_forces(done: Iterable[_Settled], a: Twist, force: dict[int, Any], scale: Scalar = 0) -> None:
    """Forces of the equations that were eliminated at a body, once its acceleration is known."""
    for e in done:
        total = e.K.dot(a) + e.k
        for r, x in e.L.items():
            total = total + x * force[r]
        force[e.row] = -(total / (e.pivot if e.enough is None else divisor(e.pivot, e.enough, total, scale)))


@algorithm(
    "forward_dynamics",
    "articulated",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    regroup=True,
    external=True,
    closed=True,
    takes="branches singular loops",
    rank=3,
    serves=has_loops,
    title="Vereshchagin 1989, early elimination",
)
def closed_articulated(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations qdd of all joints of the spanning tree, loops closed."""
    return closed_motion(tree, q, qd, tau)[0]


def closed_motion(
    tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors
) -> tuple[Any, dict[int, Any], list[ClosureRow]]:
    """Accelerations, and the force of each equation."""
    X, S, v, c = velocities(tree, q, qd)
    pA = tree.table("pA", base=Wrench.zero())
    rows = closing_rows(tree, q, X, v)
    for i, _ in tree.outward("velocities"):
        pA[i] = v[i].cross(tree.inertia[i] @ v[i]) - tree.external[i]
    going = _Open(tree, rows, [row.gamma for row in rows], X, S)
    qdd, force = _swept(tree, going, X, S, c, pA, tau, -tree.gravity)
    if going.soft.rows:
        qdd, force = _refined(tree, rows, X, S, c, [row.gamma for row in rows], qdd, force)
    return qdd, force, rows


def least_change(
    tree: Tree, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace], k: list[Any]
) -> tuple[Any, Any]:
    """The change x of velocities or coordinates with A x = -k and the least kinetic energy, by body; and the least
    pivot of the loops.

    What the loops lose of a direction shows in that pivot: it goes to zero where the equations become dependent.
    """
    going, still = _Open(tree, rows, k, X, S, watched=True), ByBody(lambda i: Twist.zero())
    pA = tree.table("pA", base=Wrench.zero(), fill=Wrench.zero())
    made, force = _swept(tree, going, X, S, still, pA, tree.zero, Twist.zero())
    if going.soft.rows:
        made, _ = _refined(tree, rows, X, S, still, k, made, force)
    nearest = going.least
    for pivot in going.soft.nearest:
        nearest = pivot if nearest is None else least(nearest, pivot)
    return made, nearest


def _refined(
    tree: Tree,
    rows: list[ClosureRow],
    X: PerBody[Transform],
    S: PerBody[Subspace],
    c: PerBody[Twist],
    k: list[Any],
    qdd: Any,
    force: dict[int, Any],
) -> tuple[Any, dict[int, Any]]:
    """Accelerations and forces after what the shares of soft rows have left of A qdd + k is taken off, some times."""
    still = ByBody(lambda i: Twist.zero())
    for _ in range(REFINED):
        a, none = tree.table("a", base=Twist.zero()), tree.table("none", base=Wrench.zero(), fill=Wrench.zero())
        for i, p in tree.outward("accelerations so far"):
            a[i] = X[i] @ a[p] + c[i] + S[i] @ qdd[i]
        left = [x + rate for x, rate in zip(k, closure_rates(tree, rows, a, qdd), strict=True)]
        more, forces = _swept(tree, _Open(tree, rows, left, X, S), X, S, still, none, tree.zero, Twist.zero())
        so_far, qdd = qdd, tree.table("qdd")
        for i, _ in tree.outward("refined"):
            qdd[i] = so_far[i] + more[i]
        force = {r: f + forces[r] for r, f in force.items()}
    return qdd, force


def _swept(
    tree: Tree,
    going: _Open,
    X: PerBody[Transform],
    S: PerBody[Subspace],
    c: PerBody[Twist],
    pA: StoredPerBody[Wrench],
    tau: JointVectors,
    start: Twist,
) -> tuple[Any, dict[int, Any]]:
    """Both sweeps: accelerations, and the forces of the equations; ``start`` is the base's acceleration."""
    A = tree.table("A", base=ArticulatedInertia.zero())
    psi, t, qdd, a = tree.table("psi"), tree.table("t"), tree.table("qdd"), tree.table("a", base=start)
    z: dict[tuple[int, int], Any] = {}
    force: dict[int, Any] = {}
    for i, _ in tree.outward("inertias"):
        A[i] = tree.inertia[i].articulated()

    for i, p in tree.inward("articulated bodies"):
        A[i], pA[i] = going.settle(i, A[i], pA[i])
        U = A[i] @ S[i]
        D = gram(S[i], U).plus_diagonal(tree.armature[i])
        psi[i] = U / D
        u = tau[i] - S[i].T @ pA[i]
        t[i] = u / D
        free = t[i] - psi[i].T @ c[i]
        Aa = A[i] - U @ psi[i].T
        A[p] += Aa.seen_from_parent(X[i])
        pA[p] += X[i].T @ (pA[i] + Aa @ c[i] + psi[i] @ u)
        s = {r: S[i].T @ K for r, K in going.K[i].items()}
        for r in s:
            if (i, r) in going.direct:
                s[r] = s[r] + type(s[r])(going.direct[i, r])
            z[i, r] = s[r] / D
        for r, K in going.K[i].items():
            going.k[r] = going.k[r] + K.dot(c[i]) + s[r].dot(free)
            going.push(p, r, X[i].T @ (K - psi[i] @ s[r]))
            for other in s:
                if other <= r:
                    going.pair(r, other, s[r].dot(z[i, other]))
            going.whole[r] = going.whole[r] + s[r].dot(z[i, r])

    scale = size(x for r in sorted(going.loose) for x in (going.k[r], going.K[0][r].dot(a[0])))
    if going.loose:
        scale = scale + size(x for i in range(1, len(tree.model.bodies)) for x in t[i])
    going.settle(0, A[0], pA[0])
    closure_forces(tree.within(going.settled[0][::-1], lambda e: going.rows[e.row].loop), a[0], force, scale)
    for i, p in tree.outward("accelerations"):
        reached = X[i] @ a[p] + c[i]
        qdd[i] = t[i] - psi[i].T @ reached
        for r in going.K[i]:
            qdd[i] = qdd[i] + z[i, r] * force[r]
        a[i] = reached + S[i] @ qdd[i]
        closure_forces(going.settled[i][::-1], a[i], force)
    return qdd, force
