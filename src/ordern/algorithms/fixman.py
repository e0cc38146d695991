"""Forward dynamics from Fixman's partition: free bodies, tied together by hard coordinates, O(n), with all joint
reactions.

[LC05] Lee and Chirikjian, A new perspective on O(n) mass-matrix inversion for serial revolute
manipulators, 2005, carried over from point masses in
the plane to rigid bodies in space, to trees and to any joint. The relative twist across joint i has k soft coordinates
(the joint's) and 6 - k hard ones; H = G^-1 holds the mobilities, and qdd = (H_aa - H_ab H_bb^-1 H_ba) tau. H_bb ties
neighbouring joints: block tridiagonal for a chain, while in a tree all joints on one body are tied to each other.
Eliminated from the tips inwards the fill-in between them is just a change of their body's mobility Y_p, so the tree's
own order keeps everything O(n). Accelerations are spatial, at O_i in link axes.

    paper            here      meaning
    M_i^-1           Y         mobility of body i: acceleration for a wrench; in the end, with all that it carries
    a, b             pi, K     soft and hard directions of joint i as wrenches: pi.S = 1, K.S = 0
    H_bb(i, i)       P         pivot of the hard coordinates, K (Y_i + X Y_p X^T) K^T
    H_bb^-1 H_ba     N         hard reactions for unit drives; Phi = pi - K N is what a unit drive transmits in all
    H_aa - ...       gamma     k x k Schur complement: joint acceleration for a unit drive
    b_i              b         acceleration without the wrench of joint i;  s: its jump across the joint
    lambda           lam       reactions;  f = Phi t + K lam is the wrench of the parent on body i
    -                C         armature as compliance: (1 + a gamma)^-1 a; the drive that is left is t = tau - a qdd
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..joints import Joint
from ..model import Model
from ..model.regular import regular, singular
from ..spatial import Mobility, Twist, Wrench
from ..spatial.joint_space import Block, Forces, Gram, JointVector, Subspace
from ..tree import JointVectors, Tree
from .denoc import ridim
from .fixman_pieces import Pivot, combined, compliance, mobility, without
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody, Row, StoredPerBody


def invertible(model: Model) -> str | None:
    """Every body needs an inertia that can be inverted, unless what it lacks cannot be felt."""
    name = singular(model)
    if name is None:
        return None
    return (
        f"inverts the inertia of each body, and that of the body behind joint {name!r} is singular (a point, a rod "
        "or no mass)"
    )


def felt(model: Model) -> str | None:
    """Reactions do feel inertia that the joints do not, so none may be filled in."""
    filled = next(
        (
            b.name
            for b, mass in zip(model.bodies, regular(model), strict=True)
            if mass is not b.inertia and b is not model.bodies[0]
        ),
        None,
    )
    return (
        f"inverts the inertia of each body, and that of the body behind joint {filled!r} is singular"
        if filled
        else None
    )


Walk = Callable[[], Iterator[tuple[Any, Any]]]
FLAGS: dict[str, Any] = {"joint_space": True, "takes": "branches singular", "serves": invertible}


@algorithm(
    "forward_dynamics",
    "fixman",
    inputs="q qd tau",
    output="dofs",
    external=True,
    rank=70,
    title="Lee, Chirikjian 2005, extended",
    **FLAGS,
)
def fixman(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Accelerations qdd for joint forces; no bias pass."""
    qdd, _ = _motion(tree, Partition(tree, q), q, qd, tau)
    return qdd


@algorithm(
    "joint_wrenches",
    "fixman",
    inputs="q qd tau",
    output="wrenches",
    external=True,
    takes="branches singular",
    serves=felt,
    rank=1,
    title="Lee, Chirikjian 2005, extended",
)
def joint_wrenches(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Wrench of the parent on each body at its origin, in its axes, [moment; force]: drives and reactions."""
    _, f = _motion(tree, Partition(tree, q), q, qd, tau)
    return f


@algorithm(
    "forward_dynamics",
    "fixman-refined",
    inputs="q qd tau",
    output="dofs",
    external=True,
    rank=71,
    title="Lee, Chirikjian, refined",
    **FLAGS,
)
def fixman_refined(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """One step of iterative refinement, which gives thin links their digits back: x + M^-1 (tau - RIDIM(x))."""
    parts = Partition(tree, q)
    x, _ = _motion(tree, parts, q, qd, tau)
    reached = ridim(tree, q, qd, x)
    missing, qdd = tree.table("missing"), tree.table("qdd")
    for i, _ in tree.outward("residual"):
        missing[i] = tau[i] - reached[i]
    more, _ = _at_rest(tree, parts, missing, partial(tree.outward, "refinement"), partial(tree.inward, "refinement"))
    for i, _ in tree.outward("refinement"):
        qdd[i] = x[i] + more[i]
    return qdd


@algorithm(
    "mass_matrix_inverse",
    "fixman",
    inputs="q",
    output="symmetric",
    rank=70,
    title="Lee, Chirikjian 2005, extended",
    **FLAGS,
)
def fixman_inverse(tree: Tree, q: JointVectors) -> Any:
    """H_aa - H_ab H_bb^-1 H_ba, column by column: unit drives on the robot at rest, O(n^2)."""
    parts, inverse = Partition(tree, q), tree.matrix("inverse")

    for k, _ in tree.outward("columns"):  # joints after k feel nothing
        columns = []
        for c in range(tree.degrees(k)):
            tau = tree.table("tau")
            for i, _ in tree.until(k):
                tau[i] = JointVector.zero(tree.degrees(i))
            tau[k] = JointVector(*(1 if a == c else 0 for a in range(tree.degrees(k))))
            columns.append(_at_rest(tree, parts, tau, partial(tree.until, k), partial(tree.since, k))[0])
        for i, _ in tree.until(k):
            inverse[k, i] = Block(len(columns), tree.degrees(i), [e for qdd in columns for e in qdd[i]])
    return inverse


class Partition:
    """Soft and hard directions of all joints, and the pivots of the hard ones, eliminated from the tips inwards."""

    def __init__(self, tree: Tree, q: JointVectors) -> None:
        self.X, self.S, self.Y = tree.table("X"), tree.table("S"), tree.table("Y", base=Mobility.zero())
        self.K, self.P, self.V = tree.table("K"), tree.table("P"), tree.table("V")
        self.Phi, self.VPhi, self.gamma, self.C = (
            tree.table("Phi"),
            tree.table("VPhi"),
            tree.table("gamma"),
            tree.table("C"),
        )

        for i, _ in tree.outward("mobilities"):
            self.X[i], self.S[i] = tree.joint[i].motion(q[i])
            self.Y[i] = mobility(tree.regular[i])

        for i, p in tree.inward("partition"):
            self._eliminate(i, p, tree.joint[i].joint, tree.armature[i])

    def _eliminate(self, i: Row, p: object, joint: Joint, armature: JointVector) -> None:
        back, Y, Yp = self.X[i].T, self.Y[i], self.Y[p]
        pi, K = joint.soft_and_hard(self.S[i])
        Kp, V = [back @ w for w in K], [Yp @ (back @ w) for w in K]
        YK = [Y @ w for w in K]
        # H_bb
        P = Pivot.of(Gram(len(K), [K[a].dot(YK[b]) + Kp[a].dot(V[b]) for a in range(len(K)) for b in range(a, len(K))]))
        R = [JointVector(*(y.dot(w) + v.dot(back @ w) for y, v in zip(YK, V, strict=True))) for w in pi]  # H_ba
        N = [P.solve(column) for column in R]
        Phi = [w - combined(K, n, Wrench.zero()) for w, n in zip(pi, N, strict=True)]
        YPhi, VPhi = [Y @ w for w in Phi], [Yp @ (back @ w) for w in Phi]
        k = len(pi)
        gamma = Gram(k, [pi[a].dot(YPhi[b]) + (back @ pi[a]).dot(VPhi[b]) for a in range(k) for b in range(a, k)])
        C = compliance(armature, gamma)
        self.K[i], self.P[i], self.V[i] = Forces(*K), P, Subspace(*V)
        self.Phi[i], self.VPhi[i], self.gamma[i], self.C[i] = Forces(*Phi), Subspace(*VPhi), gamma, C
        lost = [(w, w * (1 / d)) for w, d in zip(P.halved(V), P.d, strict=True)]
        lost += [
            (w, combined(VPhi, JointVector(*(C[a, b] for b in range(k))), Twist.zero())) for a, w in enumerate(VPhi)
        ]
        self.Y[p] = without(Yp, lost)

    def inward(self, i: object, tau: JointVector, s: Twist) -> tuple[JointVector, JointVector, Wrench, Twist]:
        """Sigma, drive and wrench of joint i if its parent is otherwise free, and the parent's acceleration."""
        gamma, C, K = self.gamma[i].as_block(), self.C[i].as_block(), self.K[i].columns
        sigma = JointVector(*(w.dot(s) for w in self.Phi[i].columns))
        t = tau - C @ (gamma @ tau + sigma)
        lam = -self.P[i].solve(JointVector(*(w.dot(s) for w in K)))
        f = combined(self.Phi[i].columns, t, Wrench.zero()) + combined(K, lam, Wrench.zero())
        return (
            sigma,
            t,
            f,
            -(combined(self.VPhi[i].columns, t, Twist.zero()) + combined(self.V[i].columns, lam, Twist.zero())),
        )

    def outward(
        self, i: object, F: Wrench, sigma: JointVector, t: JointVector, f: Wrench
    ) -> tuple[JointVector, Wrench]:
        """Joint acceleration and wrench of joint i, once the wrench F is known that its parent feels."""
        y = JointVector(*(v.dot(F) for v in self.VPhi[i].columns))
        more = self.C[i].as_block() @ y
        lam = self.P[i].solve(JointVector(*(v.dot(F) for v in self.V[i].columns)))
        f = f + combined(self.Phi[i].columns, more, Wrench.zero()) + combined(self.K[i].columns, lam, Wrench.zero())
        return sigma + self.gamma[i].as_block() @ (t + more) - y, f


def _motion(tree: Tree, parts: Partition, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Free bodies under their own wrenches and velocities, then tied together."""
    v, c = tree.table("v", base=Twist.zero()), tree.table("c")
    b = tree.table("b", base=-tree.gravity)
    for i, p in tree.outward("velocities"):
        vJ = parts.S[i] @ qd[i]
        v[i] = parts.X[i] @ v[p] + vJ
        c[i] = v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
        I = tree.regular[i]
        b[i] = mobility(I) @ (tree.external[i] - v[i].cross(I @ v[i]))
    return _tied(tree, parts, tau, b, c, partial(tree.outward, "reactions"), partial(tree.inward, "hard coordinates"))


def _at_rest(tree: Tree, parts: Partition, tau: JointVectors, outward: Walk, inward: Walk) -> Any:
    b, c = tree.table("b", base=Twist.zero()), tree.table("c")
    for i, _ in outward():
        b[i] = c[i] = Twist.zero()
    return _tied(tree, parts, tau, b, c, outward, inward)


def _tied(
    tree: Tree,
    parts: Partition,
    tau: JointVectors,
    b: StoredPerBody[Twist],
    c: PerBody[Twist],
    outward: Walk,
    inward: Walk,
) -> Any:
    """Joint accelerations and wrenches; inwards the hard coordinates are eliminated, outwards the reactions follow."""
    sigma, t, f, qdd = tree.table("sigma"), tree.table("t"), tree.table("f"), tree.table("qdd")
    F = tree.table("F", base=Wrench.zero())  # wrench on each body, less the reactions that are known already
    for i, p in inward():
        sigma[i], t[i], f[i], felt = parts.inward(i, tau[i], b[i] - parts.X[i] @ b[p] - c[i])
        b[p] += felt
    for i, p in outward():
        qdd[i], f[i] = parts.outward(i, F[p], sigma[i], t[i], f[i])
        F[i] = f[i]
        F[p] = F[p] - parts.X[i].T @ f[i]
    return qdd, f
