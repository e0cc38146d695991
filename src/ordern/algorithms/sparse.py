"""Symmetric positive systems with few entries: eliminated in an order that is chosen from their pattern alone, fewest
neighbours first.

The pattern is known when an algorithm is traced, so that no value decides anything; a banded matrix costs what its band
costs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..scalars.primitives import Scalar, least, most, select

__all__ = ["SparseFactor", "divisor", "gramian", "margin", "size"]

Rows = dict[int, dict[int, Any]]
Walk = Callable[[Iterable[int]], Iterator[int]]
FAR = 2**80  # beyond all quotients that count, within single precision


def margin(pivot: Scalar, whole: Scalar, total: Scalar) -> Scalar:
    """Above zero where a pivot is more than a thousand roundings of the diagonal element that it is left of, and this
    more than what rounding leaves of no equation at all, beside the ``total`` of all of them.
    """
    return least((whole + pivot / 1024) - whole, (total + pivot * 1024) - total)


def size(values: Iterable[Scalar]) -> Scalar:
    """The sum of absolute values."""
    total: Any = 0
    for x in values:
        total = total + most(x, -x)
    return total


def divisor(pivot: Scalar, enough: Scalar, left: Scalar, scale: Scalar) -> Scalar:
    """What the force of an equation is divided by, whose pivot may not be ``enough`` (its margin): then, far from all
    numbers where the others imply it, so that it has none; zero where they contradict it (by what is ``left`` of
    quantities of size ``scale``: more than the root of what ``margin`` takes for rounding, in either precision).
    """
    share = size([left]) * FAR / (scale * FAR + 1)
    return select(enough, pivot, select((1 + share * share / 8192) - 1, 0, FAR))


@dataclass(frozen=True)
class _Pivot:
    row: int
    value: Any
    near: dict[int, Any]
    raw: Any  # before what is dependent was left out, and its margin
    enough: Any


class SparseFactor:
    """The factor of a symmetric positive matrix given as rows of entries, both halves.

    ``guard``: this share of a row's own diagonal element is added to its pivot, so that none vanishes where the matrix
    is singular. ``loose``: rows that others may imply here and there; they are left out where they do. ``walk``: goes
    through rows in an order that it is given, so that those of long mechanisms are dealt with unit by unit.
    """

    def __init__(self, matrix: Rows, guard: object = 0, loose: Container[int] = (), walk: Walk = iter) -> None:
        whole = {r: row[r] for r, row in matrix.items()}
        self.loose, self.walk, total = loose, walk, size(x for r, x in whole.items() if r in loose)
        left = {r: dict(row) for r, row in matrix.items()}
        self.pivots: list[_Pivot] = []
        for e in walk(_fewest(left)):
            near = left.pop(e)
            raw = near.pop(e) + whole[e] * guard
            enough = margin(raw, whole[e], total) if e in loose else None
            value = raw if enough is None else select(enough, raw, FAR)
            self.pivots.append(_Pivot(e, value, near, raw, enough))
            for r in near:
                del left[r][e]
            for r, x in near.items():
                g = x / value
                for s, z in near.items():
                    if s <= r:
                        left[r][s] = left[s][r] = left[r].get(s, 0) - g * z

    def solve(self, b: Sequence[Any], of: Iterable[Any] | None = ()) -> list[Any]:
        """The solution for one right-hand side, computed ``of`` quantities that may all cancel in it; with None, rows
        that others contradict are left unsatisfied.
        """
        x = list(b)
        scale = size([*b, *of]) if self.loose and of is not None else 0
        of_row = {p.row: p for p in self.pivots}
        for k in self.walk(of_row):
            p = of_row[k]
            g = x[k] / p.value
            for r, e in p.near.items():
                x[r] = x[r] - e * g
        for k in self.walk(reversed(of_row)):
            p = of_row[k]
            total, by = x[k], p.value
            for r, e in p.near.items():
                total = total - e * x[r]
            if k in self.loose and of is not None:
                by = divisor(p.raw, p.enough, total, scale)
            x[k] = total / by
        return x


def _fewest(left: Rows) -> Iterator[int]:
    """Rows one by one, as they are taken off, always one with the fewest neighbours left."""
    while left:
        yield min(left, key=lambda r: (len(left[r]), r))


def gramian(left: Sequence[dict[int, Any]], right: Sequence[dict[int, Any]], walk: Walk = iter) -> Rows:
    """Left right^T for rows of entries, known to be symmetric; pairs that share no column have no entry."""
    users: dict[int, list[int]] = {}
    for r, row in enumerate(right):
        for c in row:
            users.setdefault(c, []).append(r)
    made: Rows = {r: {} for r in range(len(left))}
    for r in walk(range(len(left))):
        row = left[r]
        for s in sorted({s for c in row for s in users.get(c, ()) if s <= r}):
            total = 0
            for c in row:
                if c in right[s]:
                    total = total + row[c] * right[s][c]
            made[r][s] = made[s][r] = total
        made[r].setdefault(r, 0)
    return made
