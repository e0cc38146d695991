"""Velocities of thermal motion, O(n), and the gradient of log det M for robots whose joints follow each other.

At a temperature kT velocities have the covariance kT M^-1. With M = U D U^T that is qd = U^-T D^-1/2 xi for independent
xi of unit variance, which is the third step of the forward dynamics [S97, eq. 19] with D^-1/2 xi in place of tt [RJK91,
the innovations representation]:

    qd_i = nu_i - psi_i^T X_i mu_p,     mu_i = X_i mu_p + p_i qd_i,     nu_i = mh_i^-1/2 xi_i.

Joints that follow others tie branches together, so that their reduced matrix is factored densely, as in coupled.py.
With c_k the columns of U^-T, tr(M^-1 dM) is the sum of c_k^T dM c_k / D_k, and each c^T dM c = 2 sum h_i . dv_i as in
log_det.py: O(n^2) after the factor.
"""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import Scalar, sqrt
from ..spatial import Twist, Wrench
from ..spatial.joint_space import Gram, JointVector
from ..tree import JointVectors, Tree
from .coupled import _by_body, _factor, _places, _reduced, mimics
from .derivatives import gradient
from .elimination import eliminate
from .registry import algorithm

__all__ = ["coupled_gradient", "thermal"]


def thermal(tree: Tree, q: JointVectors, xi: JointVectors) -> Any:
    """Velocities with the covariance M^-1, from independent numbers of unit variance."""
    if tree.model.coupled:
        return _coupled_thermal(tree, q, xi)
    X, p, psi, mh = eliminate(tree, q)
    mu, qd = tree.table("mu", base=Twist.zero()), tree.dofs("thermal")
    for i, j in tree.outward("thermal velocities"):
        reached = X[i] @ mu[j]
        qd[i] = _spread(mh[i], xi[i]) - psi[i].T @ reached
        mu[i] = reached + p[i] @ qd[i]
    return qd


def _spread(mh: Gram, xi: JointVector) -> JointVector:
    """u^-T d^-1/2 xi, where the pivot of a joint is u d u^T."""
    u, d = mh.udu()
    made: list[Any] = []
    for a, e in enumerate(xi):
        x = e / sqrt(d[a])
        for b in range(a):
            x = x - u[b][a] * made[b]
        made.append(x)
    return JointVector(*made)


def _coupled_thermal(tree: Tree, q: JointVectors, xi: JointVectors) -> Any:
    U, D = _factor(_reduced(tree, q))
    x = [e for i in tree.model.free for e in xi[i]]
    made: list[Any] = []
    for a, e in enumerate(x):
        value = e / sqrt(D[a])
        for b in range(a):
            value = value - U[b][a] * made[b]
        made.append(value)
    return _by_body(tree, "thermal", made)


@algorithm(
    "log_det_gradient",
    "coupled",
    inputs="q",
    output="dofs",
    joint_space=True,
    takes="branches mimic singular",
    serves=mimics,
    rank=90,
)
def coupled_gradient(tree: Tree, q: JointVectors) -> Any:
    """Gradient d log det M / dq with mimic joints, from columns of the dense factor of the reduced mass matrix."""
    U, D = _factor(_reduced(tree, q))
    X, S, made = tree.table("X"), tree.table("S"), tree.dofs("slope")
    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        made[i] = JointVector.zero(tree.degrees(i))

    for k, d in enumerate(D):
        v, h, reached = tree.table("v", base=Twist.zero()), tree.table("h", base=Wrench.zero()), tree.table("reached")
        own = _column(tree, U, k)
        for i, p in tree.outward("velocities"):
            reached[i] = X[i] @ v[p]
            v[i] = reached[i] + S[i] @ own[i]
            h[i] = tree.inertia[i] @ v[i]
        for i, p in tree.inward("momenta"):
            count = tree.degrees(i)
            moves = gradient(tree.joint[i], q[i], count, lambda x, S: S @ own[i])  # noqa: B023 - called at once
            felt = [h[i].dot(move - s.cross(reached[i])) for s, move in zip(S[i].columns, moves.columns, strict=True)]
            made[i] = made[i] + JointVector(*((e + e) / d for e in felt))
            h[p] += X[i].T @ h[i]
    return made


def _column(tree: Tree, U: list[list[Scalar]], k: int) -> dict[int, JointVector]:
    """Column k of U^-T, by body; a joint that follows another one moves at its ratio."""
    n = len(U)
    c: list[Any] = [0] * n
    for a in range(k, n):
        total: Any = 1 if a == k else 0
        for b in range(k, a):
            total = total - U[b][a] * c[b]
        c[a] = total
    made = {}
    for i in range(1, len(tree.model.bodies)):
        v, count, ratio = _places(tree, i)
        made[i] = JointVector(*(e * ratio for e in c[v : v + count]))
    return made
