"""Symmetric positive systems with few entries: eliminated in an order that is chosen from their pattern alone, fewest
neighbours first.

The pattern is known when an algorithm is traced, so that no value decides anything; a banded matrix costs what its band
costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["SparseFactor", "gramian"]

Rows = dict[int, dict[int, Any]]


@dataclass(frozen=True)
class _Pivot:
    row: int
    value: Any
    near: dict[int, Any]


class SparseFactor:
    """The factor of a symmetric positive matrix given as rows of entries, both halves.

    ``guard``: this share of a row's own diagonal element is added to its pivot, so that none vanishes where the matrix
    is singular.
    """

    def __init__(self, matrix: Rows, guard: object = 0) -> None:
        own = {r: row[r] * guard for r, row in matrix.items()}
        left = {r: dict(row) for r, row in matrix.items()}
        self.pivots: list[_Pivot] = []
        while left:
            e = min(left, key=lambda r: (len(left[r]), r))
            near = left.pop(e)
            value = near.pop(e) + own[e]
            self.pivots.append(_Pivot(e, value, near))
            for r in near:
                del left[r][e]
            for r, x in near.items():
                g = x / value
                for s, z in near.items():
                    if s <= r:
                        left[r][s] = left[s][r] = left[r].get(s, 0) - g * z

    def solve(self, b: Sequence[Any]) -> list[Any]:
        """The solution for one right-hand side."""
        x = list(b)
        for p in self.pivots:
            g = x[p.row] / p.value
            for r, e in p.near.items():
                x[r] = x[r] - e * g
        for p in reversed(self.pivots):
            total = x[p.row]
            for r, e in p.near.items():
                total = total - e * x[r]
            x[p.row] = total / p.value
        return x


def gramian(left: Sequence[dict[int, Any]], right: Sequence[dict[int, Any]]) -> Rows:
    """Left right^T for rows of entries, known to be symmetric; pairs that share no column have no entry."""
    users: dict[int, list[int]] = {}
    for r, row in enumerate(right):
        for c in row:
            users.setdefault(c, []).append(r)
    made: Rows = {r: {} for r in range(len(left))}
    for r, row in enumerate(left):
        for s in sorted({s for c in row for s in users.get(c, ()) if s <= r}):
            total = 0
            for c in row:
                if c in right[s]:
                    total = total + row[c] * right[s][c]
            made[r][s] = made[s][r] = total
        made[r].setdefault(r, 0)
    return made
