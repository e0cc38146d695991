"""Columns of a matrix that follows the tree, in blocks and loops; only rows of related joints hold values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ..scalars.primitives import Array
from .rolled import RolledTree
from .storage import BodyRow, BodyRows, Case, ColumnBlock, RolledMatrix

__all__ = ["ColumnWalks"]

MOST = 2**14  # rows of all blocks together; beyond, every block visits all rows


class ColumnWalks(RolledTree):
    """Walks that belong to a block of columns."""

    def degrees(self, i: BodyRow | ColumnBlock) -> int:
        """How many rows or columns."""
        return i.width if isinstance(i, ColumnBlock) else super().degrees(i)

    def matrix(self, name: str, general: bool = False, zeros: str = "all") -> Any:
        """A square workspace."""
        made = super().matrix(name, general, zeros)
        if zeros == "reached":
            self.by_freedom()._blank(made)
        return made

    def matrix_over(self, matrix: RolledMatrix, name: str) -> Any:
        """The same memory where no column comes twice: the less there is, the more of it the caches hold. Results of
        one state lie in the caller's arrays.
        """
        starts, width = self._blocks()
        once = len(starts) * width == self.model.nv and not self.alone
        return matrix if once else super().matrix_over(matrix, name)

    def column_blocks(self) -> Iterator[ColumnBlock]:
        """All columns in blocks of one width; the last block overlaps the one before."""
        starts, width = self._blocks()
        self.shared.in_blocks = True
        loop = self._loop("range", 0, len(starts))
        with Case(self, loop, (0,)):
            at = self.t.node("loopvar", (), (loop.number,))
            yield ColumnBlock(self._of(at, "columns", starts), width, at)
        self._close(loop, ())

    def reached_together(self, J: ColumnBlock) -> Iterator[tuple[Any, ...]]:
        """Rows of joints that move those of columns J or are moved by them, base to tips, two at a time."""
        twos = self._twos()
        rows = [twos[mine[twos].any(axis=1)].tolist() for mine in self._reached()]
        firsts = np.array(list(accumulate((len(r) + 1 for r in rows[:-1]), initial=1)))
        first = self._of(J.number, "first reached", firsts) if len(rows) > 1 else self.t.node("iconst", (), (1,))
        lists = ([p for r in rows for p in (*(two[c] for two in r), 0)] for c in range(2))
        for ids in self._listed("reached", first, *lists):
            yield tuple(BodyRows(id, np.arange(1, len(self.parents)), None) for id in ids)

    def below(self, i: BodyRow, J: ColumnBlock) -> Iterator[Any]:
        """Row i and those below that columns J reach, base to tips; lists with equal ends share them."""
        above, reached = self._above(), self._reached()
        cells: dict[tuple[int, int], int] = {(0, 0): 1}
        begins = np.zeros((len(reached), len(self.parents)), int)
        for begin, mine in zip(begins, reached, strict=True):
            for k in np.flatnonzero(mine).tolist():
                at = 1
                for row in np.flatnonzero(mine & above[:, k])[::-1].tolist():
                    at = cells.setdefault((row, at), len(cells) + 1)
                begin[k] = at
        at = self._of(self._of_block(J, i), "below", begins.ravel())
        loop = self._loop("upward", at)
        loop.parent = self.index_column("below onward", np.array([0, *(onward for _, onward in cells)]))
        rows = np.array([0, *(row for row, _ in cells)])
        with Case(self, loop, (0,)):
            id = self._of(self.t.node("loopvar", (), (loop.number,)), "below row", rows)
            yield BodyRows(id, np.arange(1, len(self.parents)), None)
        self._close(loop, ())

    def common(self, i: BodyRow, J: ColumnBlock) -> Iterator[Any]:
        """Row i and those above it, the nearest first, as far as columns J reach them."""
        count, reached = len(self.parents), self._reached()
        ways = np.append(np.where(self.parents == 0, count, self.parents), 0)  # a row behind the last ends the walk
        ways[0] = 0
        begins = np.tile(np.arange(count), (len(reached), 1))
        for begin, mine in zip(begins, reached, strict=True):
            for k in np.flatnonzero(~mine).tolist():
                begin[k] = begin[self.parents[k]]
        loop = self._loop("upward", self._of(self._of_block(J, i), "common", begins.ravel()))
        loop.parent = self.index_column("way", ways)
        with Case(self, loop, (0,)):
            yield BodyRows(self.t.node("loopvar", (), (loop.number,)), np.arange(1, count), None)
        self._close(loop, ())

    def rows_together(self, stage: str = "") -> Iterator[tuple[Any, ...]]:
        """Two rows at a time share a block of columns: the second is the last's child; unpaired rows come twice."""
        self.enter(stage)
        twos = self._twos()
        loop = self._loop("range", 0, len(twos))
        with Case(self, loop, (0,)):
            at = self.t.node("loopvar", (), (loop.number,))
            ids = (self._of(at, f"row of two {c}", twos[:, c]) for c in range(2))
            yield tuple(BodyRows(id, np.arange(1, len(self.parents)), None) for id in ids)
        self._close(loop, ())

    def _twos(self) -> Array:
        """The rows that go together."""
        made: list[tuple[int, int]] = []
        waiting: dict[int, int] = {}  # the row that a row may join
        for i in range(1, len(self.parents)):
            first = waiting.pop(int(self.parents[i]), None)
            if first is None:
                waiting[i] = i
            else:
                made.append((first, i))
        return np.array(sorted([*made, *((i, i) for i in waiting)]))

    def _blank(self, matrix: RolledMatrix) -> None:
        """Zeros where blocks of columns read what nobody sets; of a matrix that is not general, rows of columns."""
        reached, at = self._reached(), self.offsets["v"]
        if len(reached) == 1 or self.alone:  # a matrix of one state is small
            self.t.act("zero", (), ("matrix", matrix.number))
            return
        above, (starts, width) = self._above(), self._blocks()
        unset = ~(above | above.T) if matrix.general else ~above.T
        pairs = sorted(
            (at[k], c)
            for mine, start in zip(reached, starts, strict=True)
            for c in range(start, start + width)
            for k in np.flatnonzero(mine & unset[:, self._row_of(c)])
        )
        if not matrix.general:
            beside = ((i, j, k) for i, j in self._twos() if i < j for k in np.flatnonzero(above[:, i] & ~above[:, j]))
            pairs += [(at[j], at[k]) for _, j, k in beside]
        if not pairs:
            return
        rows, columns = zip(*(pairs if matrix.general else [(c, k) for k, c in pairs]), strict=True)
        name = "unset" if matrix.general else "unset above"
        for _, r, c in self._listed(name, self.t.node("iconst", (), (1,)), [1] * len(pairs) + [0], rows, columns):
            self.t.act("mstore", (r, c, self.t.operand(0)), (matrix.number, 0, 0))

    def _listed(self, name: str, first: int, *lists: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """What stands in lists, from a place on to the next 0 of the first of them."""
        onward = np.array([0] + [at + 1 if p else 0 for at, p in enumerate(lists[0], 1)])
        loop = self._loop("upward", first)
        loop.parent = self.index_column(f"{name} onward", onward)
        with Case(self, loop, (0,)):
            at = self.t.node("loopvar", (), (loop.number,))
            yield tuple(self._of(at, f"{name} {k}", np.array([0, *values])) for k, values in enumerate(lists))
        self._close(loop, ())

    def _blocks(self) -> tuple[Array, int]:
        """The first columns of blocks, and how many each has."""
        n = self.model.nv
        width = min(ColumnBlock.ALONE if self.alone else ColumnBlock.WIDTH, n)
        return np.minimum(np.arange(0, n, width), n - width), width

    def _reached(self) -> Array:
        """For each block, whether a row is reached; a single line where all are."""
        (starts, width), count = self._blocks(), len(self.parents)
        everything = np.array([[False] + [True] * (count - 1)])
        if len(starts) * count > MOST:
            return everything
        related = (above := self._above()) | above.T
        made = np.array([related[[self._row_of(c) for c in range(at, at + width)]].any(axis=0) for at in starts])
        return everything if made[:, 1:].all() else made

    def _above(self) -> Array:
        """Whether row j is row i or lies on its way to the base."""
        above = np.eye(len(self.parents), dtype=bool)
        for k in range(1, len(self.parents)):
            above[k] |= above[self.parents[k]]
        above[:, 0] = above[0] = False
        return above

    def _row_of(self, column: int) -> int:
        """The row of a degree of freedom."""
        return 1 + int(np.flatnonzero(self.offsets["v"][1:] == column)[0])

    def _of_block(self, J: ColumnBlock, i: BodyRow) -> int:
        """The place of a row among all rows of all blocks; of the only one where blocks do not differ."""
        if len(self._reached()) == 1:
            return self.at(i)
        return self.t.node("isum", (self.t.node("iaff", (J.number,), (len(self.parents), 0)), self.at(i)))

    def _of(self, at: int, name: str, values: Array) -> int:
        return self.t.node("iload", (at,), (self.index_column(name, values),))
