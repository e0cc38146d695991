"""Robots with mimic joints: the mass matrix of all joints is reduced to the free ones, M = G^T M' G, and factored
densely, O(n^3).

A joint that follows another one moves with q_i = ratio q_master + offset, so qd' = G qd where each row of G has one
entry. This ties branches together: no sweep along the tree can factor the reduced matrix. U D U^T is eliminated from
the last column, as in elimination.py.

    here     meaning
    M        reduced mass matrix, both halves
    U, D     M = U diag(D) U^T, U unit upper triangular
    b        reduced right-hand side tau - G^T bias'
"""

from __future__ import annotations

from typing import Any

from ..model import Model
from ..spatial.joint_space import Block, JointVector
from ..tree import JointVectors, Tree
from .composite import composite
from .newton_euler import bias_forces
from .registry import algorithm

Rows = list[list[Any]]


def mimics(model: Model) -> str | None:
    """Only for robots that the other methods refuse."""
    return None if model.coupled else "is for robots with mimic joints; this one has none"


def _places(tree: Tree, i: int) -> tuple[int, int, Any]:
    """Where body i's velocities start, how many there are, and its ratio to them."""
    body = tree.model.bodies[i]
    return tree.model.offsets[i][1], body.joint.nv, 1 if body.mimic is None else tree.constant(body.mimic.ratio)


def _reduced(tree: Tree, q: JointVectors) -> Rows:
    """G^T M' G."""
    n = tree.model.nv
    M: Rows = [[0] * n for _ in range(n)]
    for (i, j), block in composite(tree, q).blocks.items():
        (vi, _, ri), (vj, _, rj) = _places(tree, i), _places(tree, j)
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row):
                M[vi + a][vj + b] = M[vi + a][vj + b] + e * ri * rj
                if i != j:
                    M[vj + b][vi + a] = M[vj + b][vi + a] + e * ri * rj
    return M


def _factor(M: Rows) -> tuple[Rows, list[Any]]:
    """U and D, eliminating from the last column."""
    n = len(M)
    U: Rows = [[1 if i == j else 0 for j in range(n)] for i in range(n)]
    for k in range(n - 1, -1, -1):
        for i in range(k):
            U[i][k] = M[i][k] / M[k][k]
        for i in range(k):
            for j in range(i + 1):
                M[i][j] = M[j][i] = M[i][j] - U[i][k] * M[j][k]
    return U, [M[k][k] for k in range(n)]


def _solve(U: Rows, D: list[Any], b: list[Any]) -> list[Any]:
    """U^-T D^-1 U^-1 b."""
    n, x = len(D), list(b)
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] = x[i] - U[i][k] * x[k]
    x = [x[i] / D[i] for i in range(n)]
    for i in range(n):
        for k in range(i):
            x[i] = x[i] - U[k][i] * x[k]
    return x


def _by_body(tree: Tree, name: str, values: list[Any]) -> Any:
    table = tree.dofs(name)
    for i in tree.model.free:
        v, k, _ = _places(tree, i)
        table[i] = JointVector(*values[v : v + k])
    return table


def _by_pair(tree: Tree, name: str, values: Rows, half: bool = False) -> Any:
    matrix = tree.matrix(name)
    for i in tree.model.free:
        for j in tree.model.free:
            (vi, k, _), (vj, l, _) = _places(tree, i), _places(tree, j)
            if j <= i or not half:
                matrix[i, j] = Block(k, l, [values[vi + a][vj + b] for a in range(k) for b in range(l)])
    return matrix


@algorithm(
    "forward_dynamics",
    "coupled",
    inputs="q qd tau",
    output="dofs",
    joint_space=True,
    external=True,
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_forward(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations of the free joints."""
    b: list[Any] = [e for i in tree.model.free for e in tau[i]]
    for i, row in bias_forces(tree, q, qd).rows.items():
        v, _, ratio = _places(tree, i)
        for a, e in enumerate(row):
            b[v + a] = b[v + a] - e * ratio
    return _by_body(tree, "qdd", _solve(*_factor(_reduced(tree, q)), b))


@algorithm(
    "mass_matrix_udu",
    "coupled",
    inputs="q",
    output="square dofs",
    joint_space=True,
    takes="branches mimic singular loops",
    serves=mimics,
    rank=90,
)
def coupled_udu(tree: Tree, q: JointVectors) -> tuple[Any, Any]:
    """U and D of the reduced mass matrix."""
    U, D = _factor(_reduced(tree, q))
    return _by_pair(tree, "U", U), _by_body(tree, "D", D)


@algorithm(
    "mass_matrix_inverse",
    "coupled",
    inputs="q",
    output="symmetric",
    joint_space=True,
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_inverse(tree: Tree, q: JointVectors) -> Any:
    """The inverse of the reduced mass matrix, column by column."""
    U, D = _factor(_reduced(tree, q))
    n = len(D)
    columns = [_solve(U, D, [1 if i == k else 0 for i in range(n)]) for k in range(n)]
    return _by_pair(tree, "inverse", columns, half=True)
