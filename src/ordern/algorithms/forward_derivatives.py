"""Derivatives of forward dynamics with respect to q, qd and tau, from those of inverse dynamics.

With tau = ID(q, qd, qdd) held, d qdd = M^-1 (d tau - dID/dq dq - dID/dqd dqd) [CM18, section IV]. M = L^T D L follows
the tree, so a product with M^-1 takes two sweeps along it and branches never fill in [F08, ch. 6.5]; L replaces M below
its diagonal.

    paper    here     meaning
    L        L        unit lower triangular: L[i, k] couples joint i with joint k nearer to the base
    D^-1     Di       inverse pivots
    --       N        M^-1

The sweeps go joint by joint, or (``by_freedom``) through the degrees of freedom one by one, where many kinds of joints
would give a loop many cases; both eliminate in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..spatial import RigidInertia, Wrench
from ..spatial.joint_space import Block, Gram, gram
from ..tree import JointVectors, Matrix, Tree
from .coupled import Rows, _by_pair, _factor, _places, _solve, coupled_forward, mimics
from .derivatives import BodyMotion, accelerations, matrices, recursive, velocities
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import Blocks, PerBody


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
    m = velocities(tree, q, qd)
    walk = tree.by_freedom()
    L, Di = factor(walk, walk.matrix_of(_mass_matrix(tree, m)))
    bias, _ = accelerations(tree, m, q, qd, tree.zero)
    qdd = _forward(tree, walk, m, L, Di, tau, bias)
    f, Pdd = accelerations(tree, m, q, qd, qdd)
    dq, dqd, _ = matrices(tree, m, q, f, Pdd)
    dq, dqd, N = walk.matrix_of(dq), walk.matrix_of(dqd), walk.matrix("N", general=True)
    for j, _ in walk.outward("columns"):
        k = walk.degrees(j)
        N[j, j] = Block(k, k, [int(a == b) for a in range(k) for b in range(k)])
    made = [walk.matrix(name, general=True) for name in ("dqdd_dq", "dqdd_dqd", "dqdd_dtau")]
    for J in walk.column_blocks():
        _solve_columns(walk, L, Di, J, [(dq, -1), (dqd, -1), (N, 1)], made)
    return tuple(made)


def _mass_matrix(tree: Tree, m: BodyMotion) -> Any:
    """M alone, which has to be known before the accelerations are."""
    I, M = tree.table("Im", base=RigidInertia.zero()), tree.matrix("M")
    for i, _ in tree.outward("mass matrix"):
        I[i] = m.I[i]
    for i, p in tree.inward("mass matrix"):
        I[p] += I[i]
        IS = I[i] @ m.S[i]
        M[i, i] = gram(m.S[i], IS).plus_diagonal(tree.armature[i])
        for _, j in tree.upward(i):
            M[i, j] = IS.T @ m.S[j]
    return M


def _forward(
    tree: Tree, walk: Tree, m: BodyMotion, L: Blocks, Di: PerBody[Gram], tau: JointVectors, bias: PerBody[Wrench]
) -> Any:
    """Accelerations M^-1 (tau - S.bias)."""
    x, qdd = walk.dofs("x"), walk.dofs("qdd")
    for i, _ in tree.outward("forward dynamics"):
        walk.spread(x, i, tau[i] - m.S[i].T @ bias[i])
    for k, _ in walk.inward("forward dynamics"):
        for _, i in walk.upward(k):
            x[i] = x[i] - L[k, i].T @ x[k]
    for i, _ in walk.outward("forward dynamics"):
        y = walk.table("y")
        y[i] = Di[i].as_block() @ x[i]
        for _, k in walk.upward(i):
            y[i] = y[i] - L[i, k] @ qdd[k]
        qdd[i] = y[i]
    return walk.gathered(qdd)


def factor(tree: Tree, M: Blocks) -> tuple[Any, Any]:
    """M = L^T D L in place: L below the diagonal of M, the inverse pivots in a table."""
    Di = tree.table("Di")
    for k, _ in tree.inward("factor"):
        Di[k] = M[k, k].inverse()
        for _, i in tree.upward(k):  # the ancestors' rows lose what joint k takes
            G = Di[k].as_block() @ M[k, i]
            M[i, i] = M[i, i] - (M[k, i].T @ G).symmetric()
            for _, j in tree.upward(i):
                M[i, j] = M[i, j] - G.T @ M[k, j]
            M[k, i] = G
    return M, Di


def _solve_columns(
    tree: Tree, L: Blocks, Di: PerBody[Gram], J: object, sides: list[tuple[Any, int]], made: list[Any]
) -> None:
    """Columns J of each matrix, times M^-1 and a sign."""
    y = [tree.table("y") for _ in sides]
    for k, _ in tree.outward("columns"):
        for x, (R, _) in zip(y, sides, strict=True):
            x[k] = R[k, J]
    for k, _ in tree.inward("columns"):  # L^T y = b: tips hand on to their ancestors
        own = [x[k] for x in y]
        for _, i in tree.upward(k):
            back = L[k, i].T
            for x, mine in zip(y, own, strict=True):
                x[i] = x[i] - back @ mine
    for i, _ in tree.outward("columns"):  # L x = D^-1 y: ancestors are known first
        for x, (_, sign) in zip(y, sides, strict=True):
            scaled = Di[i].as_block() @ x[i]
            x[i] = scaled if sign > 0 else -scaled
        for _, k in tree.upward(i):
            for x in y:
                x[i] = x[i] - L[i, k] @ x[k]
        for x, result in zip(y, made, strict=True):
            result[i, J] = x[i]


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
