"""Symmetric positive systems with few entries: eliminated in an order that is chosen from their pattern alone, fewest
neighbours first.

The pattern is known when an algorithm is traced, so that no value decides anything; a banded matrix costs what its band
costs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..scalars.primitives import Scalar, least, most, select, sqrt

__all__ = ["REFINED", "Checked", "SoftRows", "SparseFactor", "divisor", "gramian", "margin", "size", "told"]

Rows = dict[int, dict[int, Any]]
Walk = Callable[[Iterable[int]], Iterator[int]]
FAR = 2**80  # beyond all quotients that count, within single precision
# where other equations can take a row's place: what is left of its diagonal element when it is dependent to 1e-3 (six
# digits are lost), and of all elements of its group when its coefficients are 1e-5 of theirs (mechanisms may be of mm)
TOO_NEAR, TOO_SMALL = 1e-6, 1e-10
ROUNDINGS = 128  # half of so many may be left of nothing: 16 were seen in 700 mechanisms of up to nine bodies


def margin(pivot: Scalar, whole: Scalar, total: Scalar) -> Scalar:
    """Above zero where a pivot is more than a thousand roundings of the diagonal element that it is left of, and this
    more than what rounding leaves of no equation at all, beside the ``total`` of all of them.
    """
    return least((whole + pivot / 1024) - whole, (total + pivot * 1024) - total)


@dataclass(frozen=True)
class Checked:
    """An equation that others must not imply: those of its loop, itself among them, and whether there are ``others`` to
    take its place, so that a pivot need not be rounding to be too small. One that is alone in its group has the size of
    its coefficients, and that of what they are computed from: nothing else tells whether they are roundings.
    """

    group: Sequence[int]
    others: bool = False
    coefficients: Scalar = 0
    made_of: Scalar | None = None


def told(pivot: Scalar, row: int, whole: Mapping[int, Scalar], checked: Checked) -> Scalar:
    """The pivot of a row, or zero where rounding alone has left it, so that no result is finite there: of its diagonal
    element in ``whole``, or of an equation whose coefficients are roundings themselves, beside all elements of its
    group or what they are made of.
    """
    group = [whole[r] for r in checked.group]
    enough = (whole[row] + pivot / ROUNDINGS) - whole[row]
    if len(group) < 2:
        if checked.made_of is not None:
            dust = rounding(checked.made_of) * ROUNDINGS * checked.made_of
            enough = least(enough, checked.coefficients - dust)
        return select(enough, pivot, 0)
    total = group[0]
    for x in group[1:]:
        total = total + x
    one = rounding(total) * ROUNDINGS
    enough = least(enough, pivot - one * one * total)  # elements are squares of coefficients
    if checked.others:
        enough = least(enough, least(pivot - whole[row] * TOO_NEAR, pivot - total * TOO_SMALL))
    return select(enough, pivot, 0)


def rounding(x: Scalar) -> Scalar:
    """The rounding of 1 in whatever precision this runs."""
    unit = x / x  # 1, but no constant
    one = (unit * (4 / 3) - unit) * 3 - unit
    return most(one, -one)


REFINED = 3  # times that a solution with soft rows is improved: what is left is the fourth power of share over pivot


class SoftRows:
    """Equations some of which follow from others, here these and there those: none is left out, and a share of all
    their diagonal elements is added to the pivot of each, so that none vanishes; solutions are then REFINED.

    ``groups``: rows that depend on each other, and how many of them are implied. The product of a group's pivots tells
    where one more is; ``nearest`` has it for each group, as a pivot.
    """

    def __init__(self, groups: Sequence[tuple[Sequence[int], int]]) -> None:
        self.left = [(set(rows), spare) for rows, spare in groups]
        self.rows = {r for rows, _ in groups for r in rows}
        self.groups, self.group = groups, {r: k for k, (rows, _) in enumerate(groups) for r in rows}
        self.product: list[Any] = [1 for _ in groups]
        self.share, self.nearest = None, []

    share: Any
    nearest: list[Any]

    def pivot(self, row: int, raw: Scalar, elements: Mapping[int, Scalar]) -> Scalar:
        """The pivot of a row that is next in the elimination; ``elements`` are those of the diagonal."""
        whole = sum_of(elements[r] for r in self.groups[self.group[row]][0])  # of all: one row may vanish
        if self.share is None:  # rounding to the power 3/8, 1e-6 in double precision: where loops are open by d, spare
            root = sqrt(sqrt(rounding(whole)))  # equations contradict the others, and forces are off by d^2 over it
            self.share = root * sqrt(root)
        share, k = self.share, self.group[row]
        made = raw + whole * share
        rows, spare = self.left[k]
        rows.remove(row)
        self.product[k] = self.product[k] * (made / whole)
        if not rows:
            measure = self.product[k] * whole
            for _ in range(spare):
                measure = measure / share
            self.nearest.append(measure)
        return made


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
    through rows in an order that it is given, so that those of long mechanisms are dealt with unit by unit. ``groups``:
    rows that others must not imply, each with those of its loop; nothing that depends on one is finite where they do.
    ``soft``: rows that others always imply, now these and now those. ``grown``: small pivots enlarge roundings, and
    what is left of a row counts beside those; without it, beside its own diagonal element.
    """

    def __init__(
        self,
        matrix: Rows,
        guard: object = 0,
        loose: Container[int] = (),
        walk: Walk = iter,
        groups: Mapping[int, Checked] | None = None,
        soft: SoftRows | None = None,
        grown: bool = False,
    ) -> None:
        whole = {r: row[r] for r, row in matrix.items()}
        self.matrix = matrix if soft and soft.rows else None
        self.loose, self.walk, total = loose, walk, size(x for r, x in whole.items() if r in loose)
        left, scale = {r: dict(row) for r, row in matrix.items()}, dict(whole)  # scale: of what roundings are made
        self.pivots: list[_Pivot] = []
        for e in walk(_fewest(left, loose)):
            near = left.pop(e)
            raw = near.pop(e) + whole[e] * guard
            if soft and e in soft.rows:
                raw = soft.pivot(e, raw, whole)
            elif groups and e in groups:
                raw = told(raw, e, whole, groups[e])
            enough = margin(raw, scale[e], total) if e in loose else None
            value = raw if enough is None else select(enough, raw, FAR)
            self.pivots.append(_Pivot(e, value, near, raw, enough))
            for r in near:
                del left[r][e]
            for r, x in near.items():
                g = x / value
                if grown:
                    scale[r] = scale[r] + g * g * scale[e]
                for s, z in near.items():
                    if s <= r:
                        left[r][s] = left[s][r] = left[r].get(s, 0) - g * z

    def solve(self, b: Sequence[Any], of: Iterable[Any] | None = ()) -> list[Any]:
        """Solve for one right-hand side made ``of`` quantities that may cancel; None: leave contradictory rows."""
        x = self._solve(b, of)
        for _ in range(REFINED if self.matrix else 0):
            left = [y - sum_of(e * x[c] for c, e in self.matrix[r].items()) for r, y in enumerate(b)]  # type: ignore[index]
            x = [a + more for a, more in zip(x, self._solve(left, None), strict=True)]
        return x

    def _solve(self, b: Sequence[Any], of: Iterable[Any] | None) -> list[Any]:
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


def sum_of(values: Iterable[Scalar]) -> Scalar:
    """Their sum."""
    total: Any = 0
    for x in values:
        total = total + x
    return total


def _fewest(left: Rows, loose: Container[int]) -> Iterator[int]:
    """Rows one by one, as they are taken off, always one with the fewest neighbours left. Those that others may imply
    come last: none of the others is then left out, or told to be dependent, for their sake.
    """
    while left:
        yield min(left, key=lambda r: (r in loose, len(left[r]), r))


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
