"""Derivatives of forward dynamics with respect to q, qd and tau, from those of inverse dynamics.

With tau = ID(q, qd, qdd) held, d qdd = M^-1 (d tau - dID/dq dq - dID/dqd dqd) [CM18, section IV]. M = L^T D L follows
the tree, branches never fill in [F08, ch. 6.5], and neither do they in X = L^-1, so that M^-1 = X D^-1 X^T: a column of
dID/dq or dID/dqd is zero but for joints that move its joint or are moved by it, and so is X^T times it.

    paper    here     meaning
    L        L        unit lower triangular: L[i, k] couples joint i with joint k nearer to the base
    L^-1     X        the same, in the place of M
    D^-1     Di       inverse pivots

The sweeps go joint by joint, or (``by_freedom``) through the degrees of freedom one by one, where many kinds of joints
would give a loop many cases; both eliminate in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Model
from ..model.thresholds import FEW_KINDS
from ..spatial import Wrench
from ..spatial.joint_space import Block, Gram
from ..tree import JointVectors, Matrix, Tree
from . import derivatives, local_derivatives
from .coupled import Rows, _by_pair, _factor, _places, _solve, coupled_forward, mimics
from .derivatives import BodyMotion, recursive
from .local_derivatives import LocalMotion, short
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import Blocks, PerBody, Row


@algorithm(
    "forward_dynamics_derivatives",
    "recursive",
    inputs="q qd tau",
    output="square square symmetric",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
    takes="branches singular",
    title="Carpentier, Mansard 2018",
)
def forward_derivatives(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Derivatives of qdd with respect to q, qd and tau; the last is M^-1."""
    of = _frames(tree.model)
    m = of.velocities(tree, q, qd)
    walk = tree.by_freedom()
    X, Di = inverse_factor(walk, walk.matrix_of(of.mass_matrix(tree, m)))
    bias, _ = of.accelerations(tree, m, q, qd, tree.zero)
    qdd = _forward(tree, walk, m, X, Di, tau, bias)
    f, Pdd = of.accelerations(tree, m, q, qd, qdd)
    dq, dqd, _ = of.matrices(tree, m, q, f, Pdd, zeros="reached")
    walk, X, Di, dq, dqd = walk.in_columns(X, Di, dq, dqd)
    sides = [walk.matrix_of(dq), walk.matrix_of(dqd)]
    made = [walk.matrix_over(R, name) for R, name in zip(sides, ("dqdd_dq", "dqdd_dqd"), strict=True)]
    made.append(walk.matrix("dqdd_dtau", general=True, zeros=""))
    for J in walk.column_blocks():
        _solve_columns(walk, X, Di, J, sides, made)
    return tuple(made)


def _frames(model: Model) -> Any:
    """Formulas in each body's own frame, where these cost less: on a free base (by 4 to 10 % for five of six legged
    robots). Arms and hands may gain or lose 12 %; a tree with seven kinds of joints has 93,000 statements, not 50,000.
    """
    free = any(not p and body.joint.nv == 6 for p, body in zip(model.parents, model.bodies, strict=True))
    few = len({body.joint.name for body in model.bodies[1:]}) <= FEW_KINDS
    return local_derivatives if free and few and short(model) is None else derivatives


def _forward(
    tree: Tree,
    walk: Tree,
    m: BodyMotion | LocalMotion,
    X: Blocks,
    Di: PerBody[Gram],
    tau: JointVectors,
    bias: PerBody[Wrench],
) -> Any:
    """Accelerations X D^-1 X^T (tau - S.bias)."""
    b, z, qdd = walk.dofs("b"), walk.dofs("z"), walk.dofs("qdd")
    for i, _ in tree.outward("forward dynamics"):
        walk.spread(b, i, tau[i] - m.S[i].T @ bias[i])
    for k, _ in walk.outward("forward dynamics"):
        z[k] = b[k]
        for _, i in walk.upward(k):
            z[i] = z[i] + X[k, i].T @ b[k]
    for k, _ in walk.outward("forward dynamics"):
        z[k] = Di[k].as_block() @ z[k]
    for i, _ in walk.outward("forward dynamics"):
        y = walk.table("y")
        y[i] = z[i]
        for _, k in walk.upward(i):
            y[i] = y[i] + X[i, k] @ z[k]
        qdd[i] = y[i]
    return walk.gathered(qdd)


def inverse_factor(tree: Tree, M: Blocks) -> tuple[Any, Any]:
    """X = L^-1 of M = L^T D L in the place of M, and the inverse pivots in a table."""
    Di = tree.table("Di")
    for k, _ in tree.inward("factor"):
        Di[k] = M[k, k].inverse()
        for _, i in tree.upward(k):  # the ancestors' rows lose what joint k takes
            G = Di[k].as_block() @ M[k, i]
            M[i, i] = M[i, i] - (M[k, i].T @ G).symmetric()
            for _, j in tree.upward(i):
                M[i, j] = M[i, j] - G.T @ M[k, j]
            M[k, i] = G
    for i, _ in tree.inward("inverse"):  # X L = 1, row by row; the rows nearer to the base are still those of L
        n = tree.degrees(i)
        M[i, i] = Gram(n, [int(a == b) for a in range(n) for b in range(a, n)])
        for _, k in tree.upward(i):
            x = M[i, k] = -M[i, k]
            for _, j in tree.upward(k):
                M[i, j] = M[i, j] + x @ M[k, j]
    return M, Di


def _solve_columns(tree: Tree, X: Blocks, Di: PerBody[Gram], J: Any, sides: list[Any], made: list[Any]) -> None:
    """Columns J of -M^-1 times each side, and of M^-1."""
    z = [tree.table("z") for _ in made]
    for rows in tree.reached_together(J):
        sums = [(i, _sum(tree, i, J), b, R) for b, R in zip(z, sides, strict=False) for i in rows]
        for k in tree.below(rows[0], J):
            for i, total, _, R in sums:
                total.add(X[k, i].as_block().T @ R[k, J])
        for i, total, b, _ in sums:
            b[i] = -Di[i].as_block() @ total.value
        for i in rows:
            z[-1][i] = Di[i].as_block() @ X[J, i].as_block().T
    for rows in tree.rows_together("columns"):
        sums = [(i, _sum(tree, i, J), b, A) for b, A in zip(z, made, strict=True) for i in rows]
        for k in tree.common(rows[-1], J):
            for i, total, b, _ in sums:
                total.add(X[i, k].as_block() @ b[k])
        for i, total, _, A in sums:
            A[i, J] = total.value


def _sum(tree: Tree, i: Row, J: Any) -> Any:
    return tree.total("sum", Block.zero(tree.degrees(i), tree.degrees(J)))


@algorithm(
    "forward_dynamics_derivatives",
    "coupled",
    inputs="q qd tau",
    output="square square symmetric",
    joint_space=True,
    external=True,
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_derivatives(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """The same for robots with mimic joints: matrices of all joints are reduced to the free ones, M is factored
    densely.
    """
    found = coupled_forward(tree, q, qd, tau)
    qdd = tree.coordinates([e for i in tree.model.free for e in found[i]], "v")
    dq, dqd, M = (_merged(tree, matrix) for matrix in recursive(tree, q, qd, qdd))
    n = len(M)
    U, D = _factor([[M[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)])
    units = [[int(i == j) for i in range(n)] for j in range(n)]
    made = [[_solve(U, D, column) for column in columns] for columns in (_columns(dq), _columns(dqd), units)]
    slopes = [[[-e for e in column] for column in columns] for columns in made[:2]]
    return (
        *(_by_pair(tree, name, _columns(rows)) for name, rows in zip(("dq", "dqd"), slopes, strict=True)),
        _by_pair(tree, "N", made[2], half=True),
    )


def _merged(tree: Tree, matrix: Matrix) -> Rows:
    """G^T matrix G; of a symmetric one, of which half is known, the lower half."""
    n = tree.model.nv
    made: Rows = [[0] * n for _ in range(n)]
    for (i, j), block in matrix.blocks.items():
        (vi, _, ri), (vj, _, rj) = _places(tree, i), _places(tree, j)
        known = (j, i) in matrix.blocks
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row):
                r, c, x = vi + a, vj + b, e * (ri * rj)
                made[r][c] = made[r][c] + x
                if not known:  # M: the pair was set one way
                    made[c][r] = made[c][r] + x
    return made


def _columns(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]
