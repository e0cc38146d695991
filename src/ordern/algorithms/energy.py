"""Energies, momentum (at the world's origin, in its axes; potential energy zero there) and mass centre, O(n)."""

from __future__ import annotations

from typing import Any

from ..scalars.primitives import half
from ..spatial import RigidInertia, Twist, Wrench
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm("kinetic_energy", "recursive", inputs="q qd", output="scalar", takes="branches mimic singular loops", rank=1)
def kinetic_energy(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """Half of the sum of v.(I v), with the rotors' share (armature)."""
    v, E = tree.table("v", base=Twist.zero()), tree.total("E", 0)
    for i, p in tree.outward("velocities"):
        X, S = tree.joint[i].motion(q[i])
        v[i] = X @ v[p] + S @ qd[i]
        E.add(v[i].dot(tree.inertia[i] @ v[i]) + (tree.armature[i] * qd[i]).dot(qd[i]))
    return half(E.value)


@algorithm("momentum", "recursive", inputs="q qd", output="wrench", takes="branches mimic singular loops", rank=1)
def momentum(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """[angular; linear] momentum about the world's origin."""
    X, v, h = tree.table("X"), tree.table("v", base=Twist.zero()), tree.table("h", base=Wrench.zero())
    for i, p in tree.outward("velocities"):
        X[i], S = tree.joint[i].motion(q[i])
        v[i] = X[i] @ v[p] + S @ qd[i]
        h[i] = tree.inertia[i] @ v[i]
    for i, p in tree.inward("sums"):
        h[p] += X[i].T @ h[i]
    return h[0]


def _first_moment(tree: Tree, q: JointVectors) -> Any:
    """Mass and first moment of the whole robot about the world's origin."""
    X, m, h = tree.table("X"), tree.table("m", base=0), tree.table("h", base=RigidInertia.zero().h)
    for i, _ in tree.outward("placement"):
        X[i], _ = tree.joint[i].motion(q[i])
        m[i], h[i] = tree.inertia[i].m, tree.inertia[i].h
    for i, p in tree.inward("sums"):
        m[p] += m[i]
        h[p] += X[i].rotation.T @ h[i] + X[i].origin * m[i]
    return m[0], h[0]


@algorithm("potential_energy", "recursive", inputs="q", output="scalar", takes="branches mimic singular loops", rank=1)
def potential_energy(tree: Tree, q: JointVectors) -> Any:
    """-g.(first moment)."""
    _, h = _first_moment(tree, q)
    return -tree.gravity.linear.dot(h)


@algorithm("center_of_mass", "recursive", inputs="q", output="vector", takes="branches mimic singular loops", rank=1)
def center_of_mass(tree: Tree, q: JointVectors) -> Any:
    """First moment over mass, in the world; the world's own fixtures do not count."""
    m, h = _first_moment(tree, q)
    return h / m
