"""Inverse dynamics by the recursive Newton-Euler algorithm of Luh, Walker and Paul, O(n).

[LWP80] Luh, Walker, Paul, On-line computational scheme for mechanical manipulators, 1980; the rates matrix U = [wd] +
[w][w] that serves the acceleration, the force and the moment of a body alike is from [BP91] Balafoutis and Patel,
Dynamic Analysis of Robot Manipulators, 1991. Everything with index i is in the coordinates of body i, whose origin lies
on joint i.

    paper                 here      meaning
    omega_i, omegadot_i   w, wd     angular velocity and acceleration
    vdot_i                a         acceleration of the origin, gravity included (a base accelerating upwards stands for
    it)
    f_i, n_i              f         wrench that joint i passes on, about the origin
    tau_i                 tau       joint force
"""

from __future__ import annotations

from typing import Any

from ..spatial import Mat3, Vec3, Wrench, rates_matrix
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm(
    "inverse_dynamics",
    "newton-euler",
    inputs="q qd qdd",
    output="dofs",
    takes="branches mimic singular",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
    title="Luh, Walker, Paul 1980",
)
def newton_euler(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Joint forces tau for a motion."""
    return recursion(tree, q, qd, qdd)[0]


def carried_wrenches(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """The wrench of the parent on each body through its joint, at the body's origin in its axes."""
    return recursion(tree, q, qd, qdd)[1]


def recursion(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> tuple[Any, Any]:
    """Joint forces, and the wrenches that joints pass on."""
    X, S, tau = tree.table("X"), tree.table("S"), tree.table("tau")
    w, wd = tree.table("w", base=Vec3.zero()), tree.table("wd", base=Vec3.zero())
    a, U = tree.table("a", base=-tree.gravity.linear), tree.table("U", base=Mat3.zero())
    f = tree.table("f", base=Wrench.zero())  # f[0] ends as the load on the ground

    for i, p in tree.outward("motion"):  # base to tips
        X[i], S[i] = tree.joint[i].motion(q[i])
        R, r = X[i].rotation, X[i].origin
        vJ, aJ = S[i] @ qd[i], S[i] @ qdd[i] + tree.joint[i].bias(q[i], qd[i])
        w_p = R @ w[p]
        w[i] = w_p + vJ.angular
        wd[i] = R @ wd[p] + aJ.angular + w_p.cross(vJ.angular)
        a[i] = R @ (a[p] + U[p] @ r) + aJ.linear + (w_p + w[i]).cross(vJ.linear)  # Coriolis: 2 w_p + (w_i - w_p)
        U[i] = rates_matrix(w[i], wd[i])
        f[i] = tree.inertia[i].effort(a[i], U[i]) - tree.external[i]

    for i, p in tree.inward("forces"):  # tips to base
        tau[i] = S[i].T @ f[i] + tree.armature[i] * qdd[i]
        f[p] += X[i].T @ f[i]
    return tau, f


@algorithm(
    "joint_wrenches",
    "newton-euler",
    inputs="q qd qdd",
    output="wrenches",
    takes="branches mimic singular",
    external=True,
    rank=0,
    title="Luh, Walker, Paul 1980",
)
def passed_wrenches(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """The wrench that each joint passes on to its link, [moment; force] at the link's origin in its axes."""
    f, made = carried_wrenches(tree, q, qd, qdd), tree.table("passed")
    for i, _ in tree.outward("link frames"):
        made[i] = tree.handle[i].inverse().T @ f[i]
    return made


@algorithm(
    "bias_forces",
    "newton-euler",
    inputs="q qd",
    output="dofs",
    takes="branches mimic singular loops",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
)
def bias_forces(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """C qd + g: the joint forces for no acceleration."""
    return newton_euler(tree, q, qd, tree.zero)


@algorithm(
    "gravity_forces",
    "newton-euler",
    inputs="q",
    output="dofs",
    takes="branches mimic singular loops",
    joint_space=True,
    regroup=True,
    external=True,
    rank=1,
)
def gravity_forces(tree: Tree, q: JointVectors) -> Any:
    """g: the joint forces that hold the robot still."""
    return newton_euler(tree, q, tree.zero, tree.zero)
