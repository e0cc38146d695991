"""The regressor Y of inverse dynamics, O(n depth): tau = Y pi, linear in the inertial parameters pi of the bodies.

[AAH86] Atkeson, An and Hollerbach, Estimation of inertial parameters of manipulator loads and links, 1986. The
parameters of a body are [m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz]: mass, first moment and inertia about the origin
of the link that its joint moves, in that link's axes (links welded to it included), as in Pinocchio. Forces that are
not due to these, armature and external wrenches, are not part of Y pi.

    paper             here         meaning
    A_b               columns      wrench on body b for each of its parameters being one: the text of Newton and Euler
    on unit inertias
    phi_ib            S            axis of joint i, carried to body b
"""

from __future__ import annotations

from typing import Any

from ..spatial import Mat3, RigidInertia, Sym3, Transform, Vec3, Wrench, rates_matrix
from ..spatial.joint_space import Subspace
from ..tree import JointVectors, Tree
from .derivatives import brought
from .registry import algorithm


@algorithm(
    "regressor",
    "recursive",
    inputs="q qd qdd",
    output="regressor",
    takes="branches mimic singular",
    rank=1,
    title="Atkeson, An, Hollerbach 1986",
)
def regressor(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Y(q, qd, qdd) with tau = Y pi (and armature qdd, and external wrenches taken off)."""
    T, S = tree.table("T", base=Transform.identity()), tree.table("S")
    w, wd = tree.table("w", base=Vec3.zero()), tree.table("wd", base=Vec3.zero())
    a, U = tree.table("a", base=-tree.gravity.linear), tree.table("U", base=Mat3.zero())
    Y = tree.by_parameter("Y")

    for i, p in tree.outward("motion"):  # as in newton_euler.py
        X, Sb = tree.joint[i].motion(q[i])
        R, r = X.rotation, X.origin
        vJ, aJ = Sb @ qd[i], Sb @ qdd[i] + tree.joint[i].bias(q[i], qd[i])
        w_p = R @ w[p]
        w[i] = w_p + vJ.angular
        wd[i] = R @ wd[p] + aJ.angular + w_p.cross(vJ.angular)
        a[i] = R @ (a[p] + U[p] @ r) + aJ.linear + (w_p + w[i]).cross(vJ.linear)
        U[i] = rates_matrix(w[i], wd[i])
        T[i] = tree.at_root(p, Transform.identity(), X @ T[p])
        S[i] = brought(T[i], Sb)  # all axes in one frame at rest

    for b, _ in tree.outward("columns"):
        link = tree.handle[b]
        R, origin = link.rotation, a[b] + U[b] @ link.origin
        columns = _unit_efforts(R @ origin, rates_matrix(R @ w[b], R @ wd[b]))
        seen = link @ T[b]
        for i, _ in tree.path(b):
            axes: Subspace = seen @ S[i]
            Y[i, b] = [[axis.dot(column) for column in columns] for axis in axes.columns]
    return Y


def _unit_efforts(a: Vec3, U: Mat3) -> list[Wrench]:
    """Wrenches for a mass of one, a first moment of one along each axis, and each element of the inertia being one."""
    e = [int(k == 5) for k in range(11)]  # a window slides over a single one
    moments = [Vec3(*e[5 - k : 8 - k]) for k in range(3)]
    xx, yy, zz, xy, xz, yz = (Sym3(*e[5 - k : 11 - k]) for k in range(6))
    inertias = [RigidInertia(1, Vec3.zero(), Sym3.zero()), *(RigidInertia(0, h, Sym3.zero()) for h in moments)]
    inertias += [RigidInertia(0, Vec3.zero(), tensor) for tensor in (xx, xy, yy, xz, yz, zz)]
    return [inertia.effort(a, U) for inertia in inertias]
