"""Derivatives of inverse dynamics with respect to q, qd and qdd, O(n depth), for joints with any number of degrees of
freedom.

[SRW22] Singh, Russell and Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector
algebra, 2022; see also [CM18] Carpentier and Mansard, 2018. All of a tree is written in one frame at rest: that of its
first body at this instant, so that a floating base costs nothing and its distance from the origin loses no digits
(roots that share a loop with others: the world's frame). Derivatives with respect to q are along the joint velocities
(q -> step(q, delta)); external wrenches are fixed to their links.

    paper           here       meaning
    S_i, Sd_i       S          joint subspace, and its rate v_i x S + dS/dt
    Psid_i          Pd         what q_i changes in all later velocities, apart from turning them: v_p x S + E
    Psidd_i         Pdd        the same for accelerations: a_p x S + v_p x (v_p x S) + (v_p + v_i) x E + G
    Psid + Sd       W          what qd_i changes in all later accelerations, apart from turning velocities
    2 B^C_i         B          (v x*) I - I (v x) + ... x* I v, summed over all that body i carries, as are I and f
    --              E, G       d(S qd)/dq and d(S qdd + bias)/dq in the body: zero unless S depends on q (universal,
    planar joints)

With j before or at i: d tau_i / d q_j = S_i.(I Pdd_j + B Pd_j), d tau_j / d q_i = S_j.(I Pdd_i + B Pd_i + S_i x* f), d
tau_i / d qd_j = S_i.(B S_j + I W_j), d tau_j / d qd_i = S_j.(B S_i + I W_i), all with I, B, f of body i; on the
diagonal the body-fixed S_i adds dS_i/dq . f instead of S_i x* f.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..model import Model
from ..model.thresholds import CARRIED
from ..scalars.dual import Dual, derivative
from ..spatial import InertiaRate, RigidInertia, Transform, Twist, Wrench
from ..spatial.joint_space import Block, Forces, JointVector, Subspace, along, gram, tangent
from ..tree import BodyTable, JointVectors, JointView, Tree
from .elastic import held
from .newton_euler import newton_euler
from .registry import algorithm

if TYPE_CHECKING:
    from ..model.by_body import PerBody


@dataclass(frozen=True)
class BodyMotion:
    """What the joints' places and velocities give, before any acceleration is known: tables in the frame at rest."""

    T: Any
    S: Any
    I: Any
    B: Any
    v: Any
    vS: Any  # v_p x S
    E: Any
    Pd: Any
    W: Any
    c: Any  # acceleration and
    k: Any  # wrench that velocities alone ask for (external wrenches taken off)
    up: Any  # of a root: gravity's counterpart


@algorithm(
    "inverse_dynamics_derivatives",
    "recursive",
    inputs="q qd qdd",
    output="square square symmetric",
    takes="branches mimic singular",
    joint_space=True,
    regroup=True,
    external=True,
    rank=2,
    title="Singh, Russell, Wensing 2022",
)
def recursive(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Derivatives of tau with respect to q, qd and qdd; the last is M."""
    m = velocities(tree, q, qd)
    f, Pdd = accelerations(tree, m, q, qd, qdd)
    return matrices(tree, m, q, f, Pdd)


def velocities(tree: Tree, q: JointVectors, qd: JointVectors) -> BodyMotion:
    """The outward pass as far as it does not need accelerations."""
    m = BodyMotion(*(tree.table(field.name, base=_BASES.get(field.name)) for field in fields(BodyMotion)))
    for i, p in tree.outward("velocities"):
        joint = tree.joint[i]
        X, S = joint.motion(q[i])
        T = m.T[i] = tree.at_root(p, Transform.identity(), X @ m.T[p])
        m.up[i] = X @ -tree.gravity
        m.S[i] = brought(T, S)
        E = gradient(joint, q[i], tree.degrees(i), lambda x, S: S @ qd[i])  # noqa: B023 - called at once
        rest = S.crossed_by(S @ qd[i]) + joint.subspace_rate(q[i], qd[i]) - E  # zero where qd are rates of coordinates
        m.E[i] = brought(T, E)
        m.vS[i] = m.S[i].crossed_by(m.v[p])
        m.Pd[i] = m.vS[i] + m.E[i]
        m.W[i] = m.Pd[i] + m.Pd[i] + brought(T, rest)
        m.v[i] = m.v[p] + m.S[i] @ qd[i]
        m.c[i] = m.vS[i] @ qd[i] + T.back(joint.bias(q[i], qd[i]))
        m.I[i] = tree.inertia[i].seen_from_parent(T)
        m.B[i] = InertiaRate.of(m.I[i], m.v[i])
        m.k[i] = m.v[i].cross(m.B[i].momentum) - T.T @ tree.external[i]
    return m


_BASES = {"T": Transform.identity(), "v": Twist.zero()}


def accelerations(tree: Tree, m: BodyMotion, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> tuple[Any, Any]:
    """The wrenches f that joints pass on, and Pdd."""
    a, f, Pdd = tree.table("a", base=-tree.gravity), tree.table("f", base=Wrench.zero()), tree.table("Pdd")
    for i, p in tree.outward("accelerations"):
        a_p = tree.at_root(p, m.up[i], a[p])
        a[i] = a_p + m.S[i] @ qdd[i] + m.c[i]
        f[i] = m.I[i] @ a[i] + m.k[i]
        G = gradient(tree.joint[i], q[i], tree.degrees(i), lambda x, S: S @ qdd[i] + tree.joint[i].bias(x, qd[i]))  # noqa: B023
        Pdd[i] = (
            m.S[i].crossed_by(a_p)
            + m.vS[i].crossed_by(m.v[p])
            + m.E[i].crossed_by(m.v[p] + m.v[i])
            + brought(m.T[i], G)
        )
    for i, p in tree.inward("forces"):
        f[p] += f[i]
    return f, Pdd


def matrices(
    tree: Tree, m: BodyMotion, q: JointVectors, f: PerBody[Wrench], Pdd: PerBody[Subspace], zeros: str = "all"
) -> tuple[Any, Any, Any]:
    """The inward pass: each body with all bodies on its way to the base."""
    S, W, Pd = m.S, m.W, m.Pd
    I, B = tree.table("Ic", base=RigidInertia.zero()), tree.table("Bc", base=InertiaRate.zero())
    dq, dqd = (tree.matrix(name, general=True, zeros=zeros) for name in ("dq", "dqd"))
    M = tree.matrix("M", zeros=zeros)
    for i, _ in tree.outward("matrices"):
        I[i], B[i] = m.I[i], m.B[i]
    for i, p in tree.inward("matrices"):
        I[p], B[p] = I[p] + I[i], B[p] + B[i]
        IS, BS = I[i] @ S[i], B[i].T @ S[i]
        F, Fd = I[i] @ Pdd[i] + B[i] @ Pd[i], I[i] @ W[i] + B[i] @ S[i]
        dq[i, i] = tree.stiffened(i, q, S[i].T @ F + turned_axes(tree.joint[i], q[i], f[i], tree.degrees(i), m.T[i]))
        dqd[i, i] = S[i].T @ Fd
        M[i, i] = gram(S[i], IS).plus_diagonal(tree.armature[i])
        F = F + Forces(*(column.cross(f[i]) for column in S[i].columns))
        for _, j in tree.upward(i):
            dq[i, j], dq[j, i] = IS.T @ Pdd[j] + BS.T @ Pd[j], S[j].T @ F
            dqd[i, j], dqd[j, i] = IS.T @ W[j] + BS.T @ S[j], S[j].T @ Fd
            M[i, j] = IS.T @ S[j]
    return dq, dqd, M


def mass_matrix(tree: Tree, m: BodyMotion) -> Any:
    """M alone, which has to be known before the accelerations are."""
    I, M = tree.table("Im", base=RigidInertia.zero()), tree.matrix("M", zeros="reached")
    for i, _ in tree.outward("mass matrix"):
        I[i] = m.I[i]
    for i, p in tree.inward("mass matrix"):
        I[p] += I[i]
        IS = I[i] @ m.S[i]
        M[i, i] = gram(m.S[i], IS).plus_diagonal(tree.armature[i])
        for _, j in tree.upward(i):
            M[i, j] = IS.T @ m.S[j]
    return M


def brought(T: Transform, S: Subspace) -> Subspace:
    """Twists of the body's frame, in the frame at rest."""
    return Subspace(*(T.back(column) for column in S.columns))


def gradient(joint: JointView, q: JointVector, k: int, of: Callable[[JointVector, Subspace], Twist]) -> Subspace:
    """Columns d of(q, S(q)) / dq, by the joint's own text on scalars that carry derivatives."""
    moving = tangent(joint, q, list(range(k)))
    x = of(moving, joint.joint.motion(moving)[1])
    return Subspace(*(x.rebuild(iter([derivative(e, c) for e in x.leaves()])) for c in range(k)))


def turned_axes(joint: JointView, q: JointVector, f: Wrench, k: int, T: Transform | None = None) -> Block:
    """dS/dq . f: the wrench meets axes that move in their own body; f is in the frame that T leads from, or in the
    body's.
    """
    columns = [gradient(joint, q, k, lambda x, S, b=b: S.columns[b]) for b in range(k)]  # type: ignore[misc]
    slopes = [(S if T is None else brought(T, S)).T @ f for S in columns]
    return Block(k, k, [slope[c] for slope in slopes for c in range(k)])


def _few(model: Model) -> str | None:
    """Each input is a direction that every operation carries."""
    if len(model.bodies) <= CARRIED + 1:
        return None
    return f"carries every derivative through every operation, which is for robots with at most {CARRIED} moving bodies"


class Carried:
    """One Jacobian of a table of joint vectors that carry derivatives: direction (name, body, c)."""

    __slots__ = ("name", "table")

    def __init__(self, table: BodyTable, name: str) -> None:
        self.table, self.name = table, name

    def elements(self) -> Any:
        """(body i, row, body j, column, derivative), zeros left out."""
        for i, row in self.table.rows.items():
            for a, e in enumerate(row if i else ()):
                for (name, j, b), x in e.parts.items() if isinstance(e, Dual) else ():
                    if name == self.name:
                        yield i, a, j, b, x


class _Moving:
    """Coordinates or rates of all bodies, each moving along its own directions."""

    def __init__(self, tree: Tree, values: JointVectors, name: str) -> None:
        self.tree, self.values, self.name = tree, values, name

    def __getitem__(self, i: int) -> JointVector:
        directions = [(self.name, i, c) for c in range(self.tree.degrees(i))]
        value = self.values[i]
        return tangent(self.tree.joint[i], value, directions) if self.name == "q" else along(value, directions)


@algorithm(
    "inverse_dynamics_derivatives",
    "carried",
    inputs="q qd qdd",
    output="carried carried carried",
    joint_space=True,
    regroup=True,
    external=True,
    rank=3,
    takes="branches mimic singular",
    serves=_few,
    title="Luh, Walker, Paul 1980 on scalars that carry derivatives",
)
def carried(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """The same three matrices by running the text of Newton and Euler on scalars that carry derivatives."""
    given = {name: _Moving(tree, values, name) for name, values in (("q", q), ("qd", qd), ("qdd", qdd))}
    tau = held(tree, given["q"], newton_euler(tree, *given.values()))
    return tuple(Carried(tau, name) for name in given)
