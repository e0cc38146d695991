"""Loops for results by body or by (joint, body) pair: joint wrenches, the regressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model import Placement
from ..model.model_scalars import rotation_structure, turning
from ..spatial import Transform, Vec3
from ..tree import handles
from .column_walks import ColumnWalks
from .columns import widest
from .storage import BodyRow, BodyRows, Case

__all__ = ["LongTree"]


class LongTree(ColumnWalks):
    """A tree in loops that leads from any of its rows to the base, and knows the links that its joints move."""

    def path(self, i: BodyRow) -> Iterator[tuple[Any, Any]]:
        """To the base, the last step into the world included."""
        if not isinstance(i, BodyRows):
            yield from super().path(i)
            return
        count = len(self.parents)
        ways = np.append(np.where(self.parents == 0, count, self.parents), 0)  # a row behind the last one ends the walk
        ways[0] = 0
        loop = self._loop("upward", i.id)
        loop.parent = self.index_column("way", ways)
        for kind, rows in self._kinds_on_the_way(i).items():
            with Case(self, loop, (kind,)):
                j = BodyRows(self.t.node("loopvar", (), (loop.number,)), rows, kind)
                yield j, self.parent(j)
        self._close(loop, ("kind",))

    def _kinds_on_the_way(self, i: BodyRows) -> dict[int, Any]:
        seen, front = np.zeros(len(self.parents), bool), np.unique(i.rows)
        while front.size:
            seen[front] = True
            front = np.unique(self.parents[front])
            front = front[(front != 0) & ~seen[front]]
        rows = np.flatnonzero(seen)
        return {kind: rows[self.kinds[rows] == kind] for kind in dict.fromkeys(self.kinds[rows].tolist())}

    def _handle(self, b: BodyRow) -> Transform:
        """From a body to the link that its joint moves."""
        if not isinstance(b, BodyRows):
            return super()._handle(b)
        found = handles(self.model)
        at = [
            self.model.links[found[k]].placement if k in found else Placement() for k in range(len(self.model.bodies))
        ]
        structure = {rotation_structure(at[k].rotation) for k in b.rows.tolist()}
        form = "any" if len(structure - {"1"}) > 1 else widest(structure)
        r = [self.constants(b, f"handle rotation {k}", np.array([p.rotation[k] for p in at])) for k in range(9)]
        origin = (self.constants(b, f"handle origin {k}", np.array([p.origin[k] for p in at])) for k in range(3))
        return Transform(turning(r, lambda x: x, form), Vec3(*origin))

    def by_parameter(self, name: str) -> Any:
        """Ten numbers for each degree of freedom and body, which go straight to the result."""
        return _ByParameter(self)


class _ByParameter:
    """The regressor of a long robot."""

    def __init__(self, tree: LongTree) -> None:
        self.tree, self.width = tree, 10 * (len(tree.model.bodies) - 1)
        tree.t.act("zero", (), ("out", "out0"))

    def __setitem__(self, at: tuple[Any, Any], rows: list[list[Any]]) -> None:
        t, (i, b) = self.tree.t, at
        place = t.node(
            "isum", (t.node("iaff", (self._first(i),), (self.width, 0)), t.node("iaff", (self.tree.at(b),), (10, -10)))
        )
        for a, row in enumerate(rows):
            for c, e in enumerate(row):
                t.act("outx", (place, t.operand(e)), ("out0", a * self.width + c, 1))

    def _first(self, i: BodyRow) -> int:
        values = self.tree.offsets["v"]
        return (
            self.tree._index(i, "v offset", values)
            if isinstance(i, BodyRows)
            else self.tree.t.node("iconst", (), (int(values[i]),))
        )
