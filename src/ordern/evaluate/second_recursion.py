"""Second derivatives of inverse dynamics by recursion, O(n depth^2), for joints whose subspaces are constant in their bodies.

[SRW22b] Singh, Russell and Wensing, Analytical second-order derivatives of rigid-body contact dynamics, 2022; [SRW23]. All in the frame at rest of
algorithms/derivatives.py. Moving q_k turns all that lies beyond body k by S_k and changes, apart from turning, velocities there by Pd_k = v_p x S_k,
accelerations by Pdd_k - v x Pd_k. Of a body's columns S_a, with the inertia I, the matrix B(I, v) = (v x*) I - I (v x) + ... x* I v and the wrench f
of all that it carries, follow for the joints j, k on its way to the base

    Q   S_a . B(I, v) w = v . Q w                 IS, BS   I S_a, B^T S_a
    L1  (S_a x*) I - I (S_a x)                    F, Fd    d f / d q_a, d f / d qd_a
    L2  what Pd_k changes in F; L1 does so with Pdd_k          K = B(I, S_a)          N = (S_a x*) B - B (S_a x) + B(I, Pd_a)

A kernel gives the first-order quantities of all bodies; the products here run over whole paths and batches at once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..algorithms.derivatives import accelerations, velocities
from ..algorithms.registry import Algorithm
from ..joints import Joint
from ..model import Model
from ..runtime.call import Call
from .results import InverseSecondDerivatives

__all__ = ["recursive_second", "serves"]

Array = Any
_CHUNK = 2**21  # numbers of a cube that are made at a time: what lies in the caches is not fetched again


def serves(model: Model) -> bool:
    """Whether the recursion holds: constant subspaces, no mimic joints, no loops, walks that are written out."""
    joints = (type(model.bodies[i].joint) for i in model.free)
    plain = all(kind.subspace_rate is Joint.subspace_rate and kind.bias is Joint.bias for kind in joints)
    return plain and not model.coupled and not model.loops and len(model.bodies) <= 40


def _tables(tree: Any, q: Any, qd: Any, qdd: Any) -> Any:
    """What first derivatives have of each body: S, Pd, Pdd, W; inertia, velocity, and the wrench it passes on."""
    m = velocities(tree, q, qd)
    f, Pdd = accelerations(tree, m, q, qd, qdd)
    return m.S, m.Pd, Pdd, m.W, m.I, m.v, f


_KINDS = ("jacobian", "jacobian", "jacobian", "jacobian", "inertias", "wrenches", "wrenches")
_ALGORITHM = Algorithm(
    _tables, "second derivatives", "tables", ("q", "qd", "qdd"), _KINDS, takes=frozenset(("branches", "singular")), joint_space=True, regroup=True,
    external=True,
)  # fmt: skip


@cache
def _call(model: Model, links: tuple[int, ...]) -> Call:
    return Call(model, _ALGORITHM, (), links)


def recursive_second(robot: Any, arrays: Sequence[Array], first: Sequence[Array], links: tuple[int, ...] = ()) -> InverseSecondDerivatives:
    """All second derivatives beside the first ones; arrays (..., count) of one batch shape, external wrenches last."""
    batch, n = arrays[0].shape[:-1], robot.n
    rows = [np.ascontiguousarray(a, float).reshape(math.prod(batch), a.shape[-1]) for a in arrays]
    cubes = [np.zeros((len(rows[0]), n, n, n)) for _ in range(4)]
    at_once = max(1, _CHUNK // n**3)
    call = _call(robot.model, links)
    for start in range(0, len(rows[0]), at_once):
        part = slice(start, start + at_once)
        _fill(robot.model, call([a[part] for a in rows]), [c[part] for c in cubes])
    dq_dq, dqd_dqd, dq_dqd, dq_dqdd = (c.reshape(*batch, n, n, n) for c in cubes)
    return InverseSecondDerivatives(*first, dq_dq, dqd_dqd, dq_dqd, dq_dqdd)  # type: ignore[call-arg]


def _fill(model: Model, tables: Sequence[Array], cubes: Sequence[Array]) -> None:
    S, Pd, Pdd, W = (np.swapaxes(t, 1, 2) for t in tables[:4])  # (rows, n, 6)
    I = _six(tables[4])
    B = _rate(I, tables[5])
    f = tables[6]
    for i in range(len(model.bodies) - 1, 0, -1):  # of all that a body carries
        if p := model.parents[i]:
            I[:, p - 1] += I[:, i - 1]
            B[:, p - 1] += B[:, i - 1]
    paths: dict[int, list[tuple[int, int]]] = {0: []}  # (degree of freedom, body), from the base
    for i in range(1, len(model.bodies)):
        own = [(model.offsets[i][1] + c, i) for c in range(model.bodies[i].joint.nv)]
        paths[i] = paths[model.parents[i]] + own
        path = np.array([d for d, _ in paths[i]], int)
        body = np.array([b for _, b in paths[i]])
        _body(path, body, i, (S, Pd, Pdd, W), (I[:, i - 1], B[:, i - 1], f[:, i - 1]), cubes)


def _body(path: Array, body: Array, i: int, twists: Sequence[Array], carried: Sequence[Array], cubes: Sequence[Array]) -> None:
    """All entries whose deepest joint is that of body i."""
    S, Pd, Pdd, W = (t[:, path] for t in twists)
    I, B, f = carried
    later, same = body[:, None] > body[None, :], body[:, None] == body[None, :]
    own, above = np.flatnonzero(body == i), np.flatnonzero(body < i)
    dq_dq, dqd_dqd, dq_dqd, dq_dqdd = cubes
    whole, before = _Runs(path), _Runs(path[above])
    U, rest = S[:, above], ~later & ~same
    turns = rest[above]  # joints k behind the joint whose torque is meant: they turn what it feels
    for a in own:
        s, pd, col = S[:, a], Pd[:, a], path[a]
        X = _motion(s)
        Is, Bs = _apply(I, s), _wrench(_apply(_t(B), s))
        turned, h = _wrench(Is), I @ X
        Q = _t(h) - turned + h  # (I (S x))^T = (S x)^T I
        # the torque of body i itself
        w1, QPd, BS = S @ _t(turned), Pd @ _t(Q), S @ _t(Bs)
        V = _dots(w1, Pdd) + _dots(2 * (Pd @ _t(turned)) + BS + QPd, Pd)
        whole.put(dq_dq[:, col], np.where(rest, _t(V), V), whole)
        V = S @ Q @ _t(S)
        whole.put(dqd_dqd[:, col], np.where(later, V, np.where(same, 0.5 * (V + _t(V)), _t(V))), whole)
        whole.put(dq_dqd[:, col], np.where(later, _dots(Pd @ Q + BS, S) + _dots(w1, W), _dots(QPd, S)), whole)
        V = np.where(later, _dots(w1, S), 0.0)
        whole.put(dq_dqdd[:, col], V, whole)
        if not len(above):
            continue
        # torques of the bodies before it, with this joint's coordinate, velocity or acceleration among what changes
        before.put(dq_dqdd[..., col], _t(V)[:, above], whole)
        L1, P = -_t(X) @ I - h, _motion(pd)
        L2 = _wrench(_apply(I, pd)) - _t(P) @ I - I @ P - B @ X - _t(X) @ B
        F = _apply(I, Pdd[:, a]) + _apply(B, pd) - _apply(_t(X), f)
        V = U @ _t(Pdd @ _t(L1) + Pd @ _t(L2)) + np.where(turns, U @ _wrench(F) @ _t(S), 0.0)
        before.put(dq_dq[:, :, col], V, whole)
        before.put(dq_dq[..., col], V[:, :, above], before)
        K = _rate(I[:, None], s[:, None])[:, 0]
        V = U @ K @ _t(S)
        before.put(dqd_dqd[:, :, col], V[:, :, above], before)
        before.put(dqd_dqd[..., col], V[:, :, above], before)
        for b in own:  # within a joint both orders count half
            dqd_dqd[:, path[above], col, path[b]] += 0.5 * V[:, :, b]
            dqd_dqd[:, path[above], path[b], col] += 0.5 * V[:, :, b]
        N = -_t(X) @ B - B @ X + _rate(I[:, None], pd[:, None])[:, 0]
        before.put(dq_dqd[:, :, col], U @ (N @ _t(U) + L1 @ _t(W[:, above])), before)
        Fd = _apply(B, s) + _apply(I, W[:, a])
        before.put(dq_dqd[..., col], U @ K @ _t(Pd) + np.where(turns, U @ _wrench(Fd) @ _t(S), 0.0), whole)
        before.put(dq_dqdd[:, :, col], U @ L1 @ _t(U), before)


class _Runs:
    """Degrees of freedom of a path as runs of neighbours, which are written at once."""

    def __init__(self, path: Array) -> None:
        cuts = [0, *(np.flatnonzero(np.diff(path) != 1) + 1), len(path)] if len(path) else [0]
        self.runs = [(slice(u, v), slice(path[u], path[u] + v - u)) for u, v in itertools.pairwise(cuts)]

    def put(self, target: Array, values: Array, columns: _Runs) -> None:
        """Values (rows, path, other path) into a matrix (rows, n, n)."""
        for here, there in self.runs:
            for across, place in columns.runs:
                target[:, there, place] = values[:, here, across]


# --- matrices of spatial vectors, angular first ------------------------------------------------------------------------------------
def _t(M: Array) -> Array:
    return np.swapaxes(M, -1, -2)


def _dots(a: Array, b: Array) -> Array:
    """[j, k]: a_j . b_k."""
    return a @ np.swapaxes(b, 1, 2)


def _apply(M: Array, x: Array) -> Array:
    return np.einsum("rij,rj->ri", M, x)


def _cross(v: Array) -> Array:
    made = np.zeros((*v.shape[:-1], 3, 3))
    made[..., 0, 1], made[..., 0, 2], made[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return made - np.swapaxes(made, -1, -2)


def _motion(v: Array) -> Array:
    """V x; minus its transpose is v x*."""
    made = np.zeros((*v.shape[:-1], 6, 6))
    made[..., :3, :3] = made[..., 3:, 3:] = _cross(v[..., :3])
    made[..., 3:, :3] = _cross(v[..., 3:])
    return made


def _wrench(h: Array) -> Array:
    """The matrix of x -> x x* h; skew."""
    made = np.zeros((*h.shape[:-1], 6, 6))
    made[..., :3, :3] = -_cross(h[..., :3])
    made[..., :3, 3:] = made[..., 3:, :3] = -_cross(h[..., 3:])
    return made


def _six(p: Array) -> Array:
    """Inertias (..., 10) as m, h, Ixx Iyy Izz Ixy Ixz Iyz -> (..., 6, 6)."""
    made = np.zeros((*p.shape[:-1], 6, 6))
    xx, yy, zz, xy, xz, yz = np.moveaxis(p[..., 4:], -1, 0)
    made[..., :3, :3] = np.stack([np.stack(r, axis=-1) for r in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))], axis=-2)
    made[..., :3, 3:] = _cross(p[..., 1:4])
    made[..., 3:, :3] = -made[..., :3, 3:]
    for k in range(3, 6):
        made[..., k, k] = p[..., 0]
    return made


def _rate(I: Array, v: Array) -> Array:
    """B(I, v)."""
    X = _motion(v)
    return -np.swapaxes(X, -1, -2) @ I - I @ X + _wrench(np.einsum("...ij,...j->...i", I, v))
