"""Numbers of machine code for texts that are written over scalars: operators write instructions; a + b c becomes one
fused operation.
"""

from __future__ import annotations

from .lane_text import Text

__all__ = ["LaneValue", "slot"]


class LaneValue:
    """A vector of W lanes, by its name in the text."""

    __slots__ = ("_name", "w")

    def __init__(self, w: Text, name: str) -> None:
        self.w, self._name = w, name

    @property
    def name(self) -> str:
        """What instructions call it."""
        return self._name

    def _other(self, x: LaneValue | float) -> str:
        return str(x.name) if isinstance(x, LaneValue) else self.w.const(float(x))

    def __mul__(self, o: LaneValue | float) -> LaneValue:
        return _Product(self.w, self.name, self._other(o))

    def __add__(self, o: LaneValue | float) -> LaneValue:
        if isinstance(o, _Product) and o.pending:
            return LaneValue(self.w, self.w.fma(o.a, o.b, self.name))
        return LaneValue(self.w, self.w.op("fadd", self.name, self._other(o)))

    def __radd__(self, o: LaneValue | float) -> LaneValue:
        return self if o == 0 else LaneValue(self.w, self.w.op("fadd", self._other(o), self.name))

    def __sub__(self, o: LaneValue | float) -> LaneValue:
        return LaneValue(self.w, self.w.op("fsub", self.name, self._other(o)))


class _Product(LaneValue):
    """Two factors, multiplied when somebody wants the product alone."""

    __slots__ = ("a", "b")

    def __init__(self, w: Text, a: str, b: str) -> None:
        super().__init__(w, "")
        self.a, self.b = a, b

    @property
    def pending(self) -> bool:
        """Whether it was not computed yet."""
        return not self._name

    @property
    def name(self) -> str:
        """The product."""
        if self.pending:
            self._name = self.w.op("fmul", self.a, self.b)
        return self._name


class _Slot(LaneValue):
    """A place in lane memory, read when it is used."""

    __slots__ = ("at", "field")

    def __init__(self, w: Text, field: str, at: str | int) -> None:
        super().__init__(w, "")
        self.field, self.at = field, at

    @property
    def name(self) -> str:
        """What is there now."""
        return self.w.get(self.field, self.at)


def slot(w: Text, field: str, at: str | int = 0) -> LaneValue:
    """A number in lane memory."""
    return _Slot(w, field, at)
