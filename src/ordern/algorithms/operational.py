"""What a link feels like from outside: its operational-space mobility J M^-1 J^T, the inverse of the operational
inertia, O(n).

[KJR92] Kreutz-Delgado, Jain and Rodriguez, Recursive formulation of operational space control, 1992; see also
[F08]. After the inward sweep of articulated inertias, the mobility of each body follows from its parent's, outward.
Index i: coordinates of body i.

    paper         here    meaning
    P_i, D_i      A, D    articulated inertia, and what of it joint i feels (armature included)
    G_i           psi     A S D^-1
    Omega_i       Omega   acceleration of body i for a wrench on it: (1 - S psi^T) X Omega_p X^T (1 - S psi^T)^T + S
    D^-1 S^T
    Lambda        --      operational inertia, the inverse of Omega where there is one (evaluate/operational_inertia.py
    says where there is none)
"""

from __future__ import annotations

from typing import Any

from ..spatial import ArticulatedInertia, Mobility, Rotation, Transform, Vec3
from ..spatial.joint_space import Gram, JointVector, Subspace, gram
from ..tree import JointVectors, Tree
from .coupled import _factor, _places, _reduced, _solve, mimics
from .kinematics import jacobian
from .registry import algorithm


@algorithm(
    "operational_mobility",
    "recursive",
    inputs="q",
    output="matrix6",
    options="link",
    rank=1,
    takes="branches singular",
    title="Kreutz-Delgado 1992",
)
def operational_mobility(tree: Tree, q: JointVectors, link: int) -> Any:
    """J M^-1 J^T of the link's own origin in world axes: singular where the link cannot move in some direction."""
    X, S, psi, Di = tree.table("X"), tree.table("S"), tree.table("psi"), tree.table("Di")
    A, Omega = tree.table("A", base=ArticulatedInertia.zero()), tree.table("Omega", base=Mobility.zero())
    T = tree.table("T", base=Transform.identity())

    for i, p in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        T[i] = X[i] @ T[p]
        A[i] = tree.inertia[i].articulated()

    for i, p in tree.inward("articulated bodies"):
        U = A[i] @ S[i]
        D = gram(S[i], U).plus_diagonal(tree.armature[i])
        psi[i], Di[i] = U / D, D.inverse()
        A[p] += (A[i] - U @ psi[i].T).seen_from_parent(X[i])

    for i, p in tree.outward("mobilities"):
        reached = Omega[p].moved(X[i])
        G = reached @ psi[i]  # with H = G - S (psi^T G + D^-1) / 2 the update is - (S H^T + H S^T)
        H = _less_half(G, S[i], Di[i] + gram(psi[i], G))
        for s, h in zip(S[i].columns, H.columns, strict=True):
            reached = reached.minus_pair(s, h)
        Omega[i] = reached

    body, frame = tree.body_of(link), tree.frame[link]
    # to the link's origin, then to the world's axes
    shifted = Omega[body].moved(Transform(Rotation.identity(), frame.origin))
    return shifted.moved(Transform(T[body].rotation.T, Vec3.zero())).dense()


def _less_half(G: Subspace, S: Subspace, Q: Gram) -> Subspace:
    """G - S Q / 2."""
    k = Q.k
    half = [[Q[a, b] * 0.5 for a in range(k)] for b in range(k)]
    made = []
    for b in range(k):
        total = G.columns[b]
        for a in range(k):
            total = total - S.columns[a] * half[b][a]
        made.append(total)
    return Subspace(*made)


@algorithm(
    "operational_mobility",
    "coupled",
    inputs="q",
    output="matrix6",
    options="link",
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_mobility(tree: Tree, q: JointVectors, link: int) -> Any:
    """J M^-1 J^T for robots with mimic joints, with the dense factor of the reduced mass matrix."""
    n = tree.model.nv
    J: list[list[Any]] = [[0] * n for _ in range(6)]
    for i, S in jacobian(tree, q, link, True).rows.items():
        v, _, ratio = _places(tree, i)
        for c, column in enumerate(S.columns if i else ()):
            for r, e in enumerate(column.dense()):
                J[r][v + c] = J[r][v + c] + e * ratio
    U, D = _factor(_reduced(tree, q))
    solved = [JointVector(*_solve(U, D, row)) for row in J]
    half = [[JointVector(*J[r]).dot(solved[c]) for c in range(r + 1)] for r in range(6)]
    return [[half[max(r, c)][min(r, c)] for c in range(6)] for r in range(6)]
