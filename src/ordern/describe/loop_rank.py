"""Which equations of the loops are independent: rows of the Jacobian, reduced one by one, sparse."""

from __future__ import annotations

from ..model import Model
from ..model.closures import closing_rows, columns, placements
from ..scalars.primitives import Array
from ..tree import Tree

__all__ = ["choose_rows", "reduced_row", "sparse_rows"]

DEPENDENT = 1e-7  # a row of A whose remainder is smaller than this share of it follows from the others
NOTHING = 1e-13  # what rounding leaves of an element of a row of unit length
NEGLIGIBLE = (
    1e-11  # a row this much smaller than the largest one is what rounding of frames leaves of no equation at all
)


def sparse_rows(model: Model, q: Array) -> list[dict[int, float]]:
    """Rows of A at one configuration, at unit length; those that rounding alone has left are zero."""
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
    least = NEGLIGIBLE * max(sizes, default=0.0)
    return [
        {key: e / size for key, e in row.items()} if size > least else {} for row, size in zip(made, sizes, strict=True)
    ]


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
    """What is left of a row when those of the pivots are taken off."""
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
