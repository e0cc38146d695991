"""A short model whose units (alike pieces of a mechanism) are traced one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..model.model_scalars import plain
from .repeats import Marked, Shortened
from .trace import Tracer, TraceTree

__all__ = ["UnitTree"]


class UnitTree(TraceTree):
    """A tree of the short model whose walks say which unit they are in."""

    both_ends = False

    def __init__(self, short: Shortened, tracer: Tracer) -> None:
        def constant(x: float) -> Any:
            return tracer.expr("mark", (), (x.key, x.unit)) if isinstance(x, Marked) else plain(x)

        super().__init__(short.model, tracer, constant=constant)
        self.units, self.section = short.units, 0

    def enter(self, stage: str) -> None:
        """A new walk."""
        self.section += 1
        self.t.stage = (self.section, None)  # type: ignore[assignment]

    def _in(self, unit: int | None) -> None:
        self.t.stage = (self.section, unit)  # type: ignore[assignment]

    def outward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Base to tips."""
        for i, p in super().outward(stage):
            self._in(self.units.of_body(i))
            yield i, p
        self._in(None)

    def inward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Tips to base."""
        for i, p in super().inward(stage):
            self._in(self.units.of_body(i))
            yield i, p
        self._in(None)

    def within(self, loops: Iterable[Any], of: Callable[[Any], int] = int) -> Iterator[Any]:
        """Things that belong to loops, one after the other; ``of`` tells which loop."""
        self.enter("")
        for item in loops:
            self._in(self.units.of_loop(of(item)))
            yield item
        self._in(None)
