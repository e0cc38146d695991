"""Planar chains of point masses by Fixman's theorem, O(n): the bond lengths are the hard coordinates, H_LL is
tridiagonal.

[LC05] Lee and Chirikjian, A new perspective on O(n) mass-matrix inversion for serial revolute
manipulators, 2005, eqs. 3-13 and 23-25, with gradients that stay
finite for a straight chain (those of the absolute angles, not of cos theta). The masses sit at the links' ends, the
base's is infinite.

    paper            here     meaning
    L_i, m_i         L, m     bond length, mass at its end; k = 1/L, w = 1/m (w = 0 for the base)
    theta_i          c, s     cosine and sine of the angle between bonds i-1 and i
    u_i, n_i         u, n     unit vectors along and across bond i
    H_LL(i-1, i)     off      -w c;   diagonal h = w_i + w_i-1, eliminated in place
    H_pL             across   couples absolute angles and lengths of neighbouring bonds: -w k_i-1 s above, w k_i s below
    the diagonal
    H_pp(i-1, i)     -        -w k_i-1 k_i c;  diagonal k_i^2 (w_i + w_i-1)
    lambda           lam      force in bond i, positive if it pushes the ends apart
    tau_p            b        drives on the absolute angles, tau_i - tau_i+1
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..model import Model
from ..scalars.primitives import Scalar, sqrt
from ..spatial import Vec3
from ..spatial.joint_space import Block, JointVector
from ..tree import JointVectors, Tree
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody, StoredPerBody


def point_chain(model: Model) -> str | None:
    """A planar chain of point masses, each where the next joint is."""
    if len(model.bodies) == 1:
        return "is for planar chains of revolute joints; this robot has no joints"
    for i, body in enumerate(model.bodies[1:]):
        if body.joint.form.kind != "hinge" or any(body.armature) or (i and body.placement.rotation[8] != 1.0):
            return f"is for planar chains of revolute joints without armature; joint {body.name!r} is not of that kind"
    for body, after in zip(model.bodies[1:], (*model.bodies[2:], None), strict=True):
        (x, y, _), mass = body.inertia.com, body.inertia
        tip, size = after.placement.origin if after else (x, y, 0.0), math.hypot(x, y)
        if (
            size == 0.0
            or mass.m <= 0
            or math.hypot(tip[0] - x, tip[1] - y) > 1e-12 * size
            or abs(mass.about_com()[2]) > 1e-12 * mass.m * size**2
        ):
            return f"is for point masses at the links' ends; the body behind joint {body.name!r} is none"
    return None


FLAGS: dict[str, Any] = {"joint_space": True, "takes": "singular", "serves": point_chain}


class Bonds:
    """Geometry and the bands of H, one row a bond; row i of a band couples bond i with the one before it."""

    def __init__(self, tree: Tree, q: JointVectors) -> None:
        self.tree = tree
        self.k, self.w, self.u = tree.table("k", base=0), tree.table("w", base=0), tree.table("u", base=Vec3.zero())
        self.X, self.c, self.s, self.h = tree.table("X"), tree.table("c"), tree.table("s"), tree.table("h", base=0)
        for i, p in tree.outward("bonds"):
            self.X[i], _ = tree.joint[i].motion(q[i])
            d = tree.centre[i]
            L = sqrt(d.x * d.x + d.y * d.y)
            self.k[i], self.w[i], self.u[i] = 1 / L, 1 / tree.central[i].m, Vec3(d.x / L, d.y / L, 0)
            turned = self.X[i].rotation.T @ self.u[i]  # bond i seen from the link before
            self.c[i], self.s[i] = self.u[p].dot(turned), self.u[p].cross(turned).z
            self.h[i] = self.w[i] + self.w[p]
        self.l = tree.table("l", base=0)
        for i, p in tree.inward("H_LL"):  # L^T D L, from the tip
            off = -(self.w[p] * self.c[i])
            self.l[i] = off / self.h[i]
            self.h[p] = self.h[p] - self.l[i] * off

    def absolute(self, tau: JointVectors) -> Any:
        """Drives on the absolute angles."""
        b = self.tree.table("b", base=0)
        for i, _ in self.tree.outward("drives"):
            b[i] = tau[i][0]
        for i, p in self.tree.outward("drives"):  # the one before still has its own
            b[p] = b[p] - tau[i][0]
        return b

    def lengths(self, b: PerBody[Scalar], start: PerBody[Scalar]) -> Any:
        """H_pL^T b + start: how fast bonds would change their length."""
        r = self.tree.table("r", base=0)
        for i, _ in self.tree.outward("lengths"):
            r[i] = start[i]
        for i, p in self.tree.outward("lengths"):
            across = self.w[p] * self.s[i]
            r[i] = r[i] - across * self.k[p] * b[p]
            r[p] = r[p] + across * self.k[i] * b[i]
        return r

    def solve(self, r: StoredPerBody[Scalar]) -> Any:
        """H_LL^-1 r."""
        x = self.tree.table("x", base=0)
        for i, p in self.tree.inward("forces"):
            r[p] = r[p] - self.l[i] * r[i]
        for i, p in self.tree.outward("forces"):
            x[i] = r[i] / self.h[i] - self.l[i] * x[p]
        return x

    def angles(self, b: PerBody[Scalar], lam: PerBody[Scalar], start: PerBody[Scalar]) -> Any:
        """Joint accelerations: start + H_pp b + H_pL lam, then differences."""
        a, qdd = self.tree.table("a", base=0), self.tree.table("qdd")
        w, k = self.w, self.k
        for i, p in self.tree.outward("angles"):
            a[i] = start[i] + k[i] * k[i] * (w[i] + w[p]) * b[i]
        for i, p in self.tree.outward("angles"):
            a[i] = a[i] - w[p] * k[i] * (k[p] * self.c[i] * b[p] - self.s[i] * lam[p])
            a[p] = a[p] - w[p] * k[p] * (k[i] * self.c[i] * b[i] + self.s[i] * lam[i])
        for i, p in self.tree.outward("differences"):
            qdd[i] = JointVector(a[i] - self.tree.at_root(p, 0, a[p]))
        return qdd


@algorithm(
    "forward_dynamics",
    "fixman-planar",
    inputs="q qd tau",
    output="dofs",
    rank=72,
    title="Lee, Chirikjian 2005",
    **FLAGS,
)
def fixman_planar(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations, velocities and gravity included, without a bias pass."""
    bonds = Bonds(tree, q)
    g, rate, along, across = (
        tree.table("g", base=tree.gravity.linear),
        tree.table("rate", base=0),
        tree.table("along"),
        tree.table("across"),
    )
    for i, p in tree.outward("velocities"):
        g[i] = Vec3.zero()  # only the first bond has an end that does not fall
        rate[i] = rate[p] + qd[i][0]
        u, fall = bonds.u[i], bonds.X[i].rotation @ g[p]
        along[i] = rate[i] * rate[i] * (1 / bonds.k[i]) + u.dot(fall)
        across[i] = u.cross(fall).z * bonds.k[i]
    b = bonds.absolute(tau)
    lam, x = tree.table("lam", base=0), bonds.solve(bonds.lengths(b, along))
    for i, _ in tree.outward("reactions"):
        lam[i] = -x[i]
    return bonds.angles(b, lam, across)


@algorithm(
    "mass_matrix_inverse",
    "fixman-planar",
    inputs="q",
    output="symmetric",
    rank=72,
    title="Lee, Chirikjian 2005",
    **FLAGS,
)
def fixman_planar_inverse(tree: Tree, q: JointVectors) -> Any:
    """H_tt - H_tL H_LL^-1 H_Lt, column by column, O(n^2)."""
    bonds, inverse = Bonds(tree, q), tree.matrix("inverse")
    for k, _ in tree.outward("columns"):
        tau, none, lam = tree.table("tau"), tree.table("none"), tree.table("lam", base=0)
        for i, _ in tree.outward("columns"):
            tau[i], none[i] = JointVector(0), 0
        tau[k] = JointVector(1)
        b = bonds.absolute(tau)
        x = bonds.solve(bonds.lengths(b, none))
        for i, _ in tree.outward("columns"):
            lam[i] = -x[i]
        qdd = bonds.angles(b, lam, none)
        for i, _ in tree.until(k):
            inverse[k, i] = Block(1, 1, [qdd[i][0]])
    return inverse
