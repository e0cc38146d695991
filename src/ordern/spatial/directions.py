"""Soft and hard directions of a joint, felt by drives and borne by it, from its subspace."""

from __future__ import annotations

from ..scalars.primitives import Scalar, select, sqrt
from .joint_space import Subspace
from .six import Wrench
from .three import Vec3

__all__ = ["orthonormal_directions", "reflected_directions"]

Directions = tuple[list[Wrench], list[Wrench]]


def orthonormal_directions(S: Subspace, angular: tuple[bool, ...]) -> Directions:
    """Wrenches with pi.S = 1, K.S = 0 for orthonormal motions S: turns (perhaps with pitch) and shifts."""
    turns = [s for s, turning in zip(S.columns, angular, strict=True) if turning]
    shifts = [s.linear for s, turning in zip(S.columns, angular, strict=True) if not turning]
    pi = [
        Wrench(s.angular, Vec3.zero()) if turning else Wrench(Vec3.zero(), s.linear)
        for s, turning in zip(S.columns, angular, strict=True)
    ]
    K = [Wrench(e, Vec3.zero()) for e in _complement([s.angular for s in turns])]
    for e in _complement(shifts):
        moment = Vec3.zero()
        for s in turns:
            moment = moment - s.angular * e.dot(s.linear)
        K.append(Wrench(moment, e))
    return pi, K


def _complement(axes: list[Vec3]) -> list[Vec3]:
    """What completes none, z, two orthonormal axes or three of them to a frame."""
    x, y, z = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)
    return [[x, y, z], [x, y], [axes[0].cross(axes[1])] if len(axes) == 2 else [], []][len(axes)]


def reflected_directions(S: Subspace) -> Directions:
    """The same for any independent motions, by Householder: S = Q [R; 0], pi = Q_1 R^-T, K = Q_2, no branch."""
    columns, rows, k = [list(c.dense()) for c in S.columns], 6, len(S)
    R: list[list[Scalar]] = [[0] * k for _ in range(k)]
    mirrors: list[tuple[list[Scalar], Scalar]] = []
    for c in range(k):
        x = columns[c]
        for i in range(c):
            R[i][c] = x[i]
        square = _dot(x[c:], x[c:])
        norm = sqrt(square)
        alpha = select(x[c], -norm, norm)  # away from x, so that nothing cancels
        v: list[Scalar] = [0] * c + [x[c] - alpha] + x[c + 1 :]
        two = 2 / _dot(v, v)
        R[c][c] = alpha
        for j in range(c + 1, k):
            columns[j] = _mirrored(columns[j], v, two)
        mirrors.append((v, two))
    Q = []
    for j in range(rows):
        e: list[Scalar] = [int(i == j) for i in range(rows)]
        for v, two in reversed(mirrors):
            e = _mirrored(e, v, two)
        Q.append(e)
    pi: list[list[Scalar]] = []
    for c in range(k):  # R^T pi^T = Q_1^T, from the first row
        row = Q[c]
        for i in range(c):
            row = [a - b * R[i][c] for a, b in zip(row, pi[i], strict=True)]
        pi.append([a / R[c][c] for a in row])
    return [_wrench(e) for e in pi], [_wrench(e) for e in Q[k:]]


def _dot(a: list[Scalar], b: list[Scalar]) -> Scalar:
    total: Scalar = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _mirrored(x: list[Scalar], v: list[Scalar], two: Scalar) -> list[Scalar]:
    share = _dot(v, x) * two
    return [a - share * b for a, b in zip(x, v, strict=True)]


def _wrench(e: list[Scalar]) -> Wrench:
    return Wrench(Vec3(*e[:3]), Vec3(*e[3:]))
