"""Forward dynamics of closed chains with the decoupled natural orthogonal complement, after Saha and Schiehlen.

[SS01] Saha and Schiehlen, Recursive kinematics and dynamics for parallel structured closed-loop multibody systems,
2001. Loops are cut; the open systems have the DeNOC matrices of elimination.py, and the cut joints' Lagrange
multipliers act on them as forces. With M = U D U^T of the tree, the multipliers solve (A M^-1 A^T) lambda = -(dA/dt qd
+ A M^-1 phi), and A M^-1 A^T = V^T D^-1 V with V = U^-1 A^T, which one inward recursion gives for each equation along
its own way to the base.

    paper            here     meaning
    J                A        Jacobian of the loop closures
    lambda           force    Lagrange multipliers: forces in the cut joints
    phi              tau, bias  what drives the open chains, and what gravity and velocities need
    U, D, psi        psi, mh  as in elimination.py
    V                V        U^-1 A^T, by equation and body
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.closures import closing_rows, columns
from ..spatial import Transform, Twist, Wrench
from ..spatial.joint_space import Forces, JointVector, Subspace
from ..tree import JointVectors, Tree
from .closed import bias_of, has_loops, velocities
from .closed_articulated import checked_rows, loose_rows, soft_rows
from .denoc import ridim
from .elimination import eliminate
from .registry import algorithm
from .sparse import SparseFactor, gramian

if TYPE_CHECKING:
    from ..model.by_body import PerBody


@algorithm(
    "forward_dynamics",
    "denoc",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    closed=True,
    takes="branches singular loops",
    rank=6,
    serves=has_loops,
    title="Saha, Schiehlen 2001",
)
def closed_denoc(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations of all joints of the cut mechanism, loops closed."""
    X, p, psi, mh = eliminate(tree, q)
    bias = ridim(tree, q, qd, tree.zero)
    moved, S, v, c = velocities(tree, q, qd)
    rows = closing_rows(tree, q, moved, v)
    A = columns(tree, rows, moved, S)
    V = carried_inward(tree, A, len(rows), (X, p, psi, mh))
    that = _inward(tree, {i: tau[i] - bias[i] for i in range(1, len(tree.model.bodies))}, X, p, psi)

    scaled = [{i: x / mh[i] for i, x in row.items()} for row in V]
    W = gramian([flat(row) for row in scaled], [flat(row) for row in V])
    Lambda = SparseFactor(
        W, tree.guard, loose_rows(tree, rows), groups=checked_rows(tree, rows, moved, S), soft=soft_rows(tree, rows)
    )
    right = [-(bias_of(tree, row, moved, c) + _dot(scaled[r], that)) for r, row in enumerate(rows)]
    force = Lambda.solve(right, (x for i in that for x in that[i]))

    qdd, mu = tree.table("qdd"), tree.table("mu", base=Twist.zero())
    for i, j in tree.outward("step 3"):
        tt = that[i] / mh[i]
        for r, row in enumerate(scaled):
            if i in row:
                tt = tt + row[i] * force[r]
        reached = X[i] @ mu[j]
        qdd[i] = tt - psi[i].T @ reached
        mu[i] = reached + p[i] @ qdd[i]
    return qdd


def _inward(
    tree: Tree, b: dict[int, JointVector], X: PerBody[Transform], p: PerBody[Subspace], psi: PerBody[Forces]
) -> dict[int, JointVector]:
    """U^-1 b from the tips to the base [S99, eq. 34]; bodies that b does not reach are left out."""
    eta: dict[int, Wrench] = {}
    made: dict[int, JointVector] = {}
    for i in range(len(tree.model.bodies) - 1, 0, -1):
        if i not in b and i not in eta:
            continue
        x = b.get(i, JointVector.zero(tree.degrees(i)))
        carried = eta.get(i, Wrench.zero())
        made[i] = x - p[i].T @ carried
        j = tree.model.parents[i]
        out = X[i].T @ (carried + psi[i] @ made[i])
        eta[j] = eta[j] + out if j in eta else out
    return made


def carried_inward(
    tree: Tree,
    A: dict[tuple[int, int], JointVector],
    rows: int,
    factor: tuple[PerBody[Transform], PerBody[Subspace], PerBody[Forces], object],
) -> list[dict[int, JointVector]]:
    """V = U^-1 A^T, a row for each equation."""
    X, p, psi, _ = factor
    given: list[dict[int, JointVector]] = [{} for _ in range(rows)]
    for (r, i), x in A.items():
        given[r][i] = x
    return [_inward(tree, row, X, p, psi) for row in given]


def flat(row: dict[int, JointVector]) -> dict[int, Any]:
    """By degree of freedom."""
    return {(i * 8 + c): e for i, x in row.items() for c, e in enumerate(x)}


def _dot(a: dict[int, JointVector], b: dict[int, JointVector]) -> Any:
    total: Any = 0
    for i, x in a.items():
        total = total + x.dot(b[i])
    return total
