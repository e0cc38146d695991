"""Sweeps over a matrix's columns along the tree, one by one; tracers take blocks (column_walks.py)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .paths import related

if TYPE_CHECKING:
    from . import Model
    from .by_body import Row

__all__ = ["ColumnsOneByOne"]


class ColumnsOneByOne:
    """What sweeps over columns ask of a tree."""

    model: Model

    @abstractmethod
    def outward(self, stage: str = "") -> Iterator[tuple[Row, Row]]:
        """Base to tips: (body, parent)."""

    @abstractmethod
    def path(self, i: Row) -> Iterator[tuple[Row, Row]]:
        """From body i to the base."""

    def in_columns(self, *held: Any) -> tuple[Any, ...]:
        """The tree for sweeps over columns, and the matrices and tables that they read: these, or where a tracer makes
        loops of the sweeps alone, the same in memory.
        """
        return self, *held

    def column_blocks(self) -> Iterator[Any]:
        """All columns of a matrix: joint by joint, or some at a time where a tracer makes loops."""
        yield from self.model.free

    def rows_together(self, stage: str = "") -> Iterator[tuple[Row, ...]]:
        """All bodies, one by one; loops take two at a time, the second moved by the first, or one of them twice."""
        for i, _ in self.outward(stage):
            yield (i,)

    def reached_together(self, J: Row) -> Iterator[tuple[Row, ...]]:
        """Bodies that move joint J or are moved by it, base to tips, as in ``rows_together``."""
        for k in related(self.model.parents, J):
            yield (k,)

    def below(self, i: Row, J: Row) -> Iterator[Row]:
        """Body i and the bodies it moves that joint J reaches, base to tips."""
        reached = set(related(self.model.parents, J))
        yield from (k for k in related(self.model.parents, i) if k >= i and k in reached)

    def common(self, i: Row, J: Row) -> Iterator[Row]:
        """Body i and those above it, the nearest first, as far as joint J reaches them."""
        way, above = dict(self.path(i)), dict(self.path(J))
        yield from way if J in way else (k for k in way if k in above)
