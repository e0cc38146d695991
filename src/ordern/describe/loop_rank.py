"""Which equations of the loops are independent: rows of the Jacobian, reduced one by one, sparse."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..model import Model
from ..model.closures import closing_rows, columns, count, placements
from ..scalars.primitives import Array
from ..tree import Tree
from .loop_closing import DUST, Closing

__all__ = ["changing_loop", "choose_rows", "reduced_row", "sparse_rows"]

DEPENDENT = 1e-7  # a row of A whose remainder is smaller than this share of it follows from the others
NOTHING = 1e-13  # what rounding leaves of an element of a row of unit length
NEGLIGIBLE = (
    1e-11  # a row this much smaller than the largest one is what rounding of frames leaves of no equation at all
)


def sparse_rows(model: Model, q: Array, beside: Array | None = None) -> list[dict[int, float]]:
    """Rows of A at one configuration, normalized, without rounding dust; ``beside`` is one more column, key -1."""
    tree = Tree(model)
    given = tree.coordinates(q[0].tolist(), "q")
    X, S = placements(tree, given)
    rows = closing_rows(tree, given, X, kept=False)
    made: list[dict[int, float]] = [{} for _ in rows]
    for (r, i), column in columns(tree, rows, X, S).items():
        mimic = model.bodies[i].mimic
        for c, e in enumerate(column):
            at = model.offsets[i][1] + c
            made[r][at] = made[r].get(at, 0.0) + float(e) * (1.0 if mimic is None else mimic.ratio)
    sizes = [max(map(abs, row.values()), default=0.0) for row in made]
    if max(sizes, default=0.0) <= DUST:  # at a dead centre; or they say nothing, wherever the joints are
        of = Closing(model)
        away = of.step(q, np.random.default_rng(4).uniform(-0.5, 0.5, (1, model.nv)))
        sizes = [size * bool((np.abs(row) > DUST).any()) for size, row in zip(sizes, of(away)[1][0], strict=True)]
    least = NEGLIGIBLE * max(sizes, default=0.0)
    unit = [
        {key: e / size for key, e in row.items()} if size > least else {} for row, size in zip(made, sizes, strict=True)
    ]
    if beside is not None:
        for row, size, e in zip(unit, sizes, beside.tolist(), strict=True):
            row[-1] = e / size if size > least else e
    return unit


def choose_rows(rows: dict[int, dict[int, float]], pivots: dict[int, dict[int, float]]) -> tuple[int, ...]:
    """The independent ones among a loop's rows; ``pivots`` (column to row) grows by them."""
    left, kept = {k: reduced_row(row, pivots) for k, row in rows.items()}, []
    while left:
        k = max(
            left,
            key=lambda k: (
                max(map(abs, left[k].values()), default=0.0) > 0.5,
                max(map(abs, left[k].values()), default=0.0) > DEPENDENT,
                -k,
            ),
        )
        row = left.pop(k)
        if max(map(abs, row.values()), default=0.0) <= DEPENDENT:
            continue
        column = max(row, key=lambda c: abs(row[c]))
        pivots[column] = row
        kept.append(k)
        left = {j: reduced_row(other, {column: row}) for j, other in left.items()}
    return tuple(sorted(kept))


def reduced_row(row: dict[int, float], pivots: dict[int, dict[int, float]]) -> dict[int, float]:
    """A row after elimination with the pivots."""
    row = dict(row)
    todo = [c for c in row if c in pivots]
    while todo:
        c = todo.pop()
        x = row.pop(c, 0.0)
        if x == 0.0:
            continue
        factor = x / pivots[c][c]
        for key, e in pivots[c].items():
            if key == c:
                continue
            left = row.get(key, 0.0) - factor * e
            if abs(left) > NOTHING:
                row[key] = left
                if key in pivots:
                    todo.append(key)
            else:
                row.pop(key, None)  # so that rows of long mechanisms stay short
    return row


def changing_loop(model: Model, q: Array, rows: list[dict[int, float]]) -> int | None:
    """The first loop with equations that follow from others at q, but not next to it: q is a change point, and does not
    tell which equations to keep. Without a search for other configurations, so for the largest mechanisms too.

    Where loops keep their rank, any velocities v that they allow at q go on: accelerations make up for the second rates
    of all equations. At a change point those of the equations kept do not for the others.
    """
    owner = [(k, e in loop.kept) for k, loop in enumerate(model.loops) for e in range(count(loop.kind))]
    pivots = _echelon(row for row, (_, kept) in zip(rows, owner, strict=True) if kept)
    v = np.random.default_rng(3).uniform(-1, 1, model.nv)
    for c in reversed(pivots):  # a row has no pivots of those before it
        v[c] = -sum(e * v[key] for key, e in pivots[c].items() if key != c) / pivots[c][c]
    v /= max(np.abs(v).max(initial=0.0), 1e-300)
    following = [r for r, (_, kept) in enumerate(owner) if not kept]

    def left(h: float) -> tuple[Array, float]:
        """Second rates of the equations that follow, less what those kept make up for; and the largest of all."""
        of = Closing(model)
        second = of.values(of.step(q[None], h * v[None])[0])[0] * (2 / h**2)
        if not any(rows[r] for r in following):
            return second[following], np.abs(second).max()
        full = sparse_rows(model, q[None], second)
        pivots = _echelon(row for row, (_, kept) in zip(full, owner, strict=True) if kept)
        return np.array([reduced_row(full[r], pivots).get(-1, 0.0) for r in following]), np.abs(second).max()

    far, most = left(1e-2)
    if not (np.abs(far) > 1e-5 * most).any():
        return None
    near, _ = left(1e-3)
    bad = np.abs(far) > np.maximum(10 * np.abs(far - near), 1e-5 * most)  # by both steps: neither rounding nor of h
    return owner[following[int(np.argmax(bad))]][0] if bad.any() else None


def _echelon(rows: Iterable[dict[int, float]]) -> dict[int, dict[int, float]]:
    """Independent rows reduced one by one, by the column that each one's largest element is in."""
    pivots: dict[int, dict[int, float]] = {}
    for given in rows:
        row = reduced_row(given, pivots)
        pivots[max((abs(e), c) for c, e in row.items() if c >= 0)[1]] = row
    return pivots
