"""Dual: a scalar that carries its derivatives along any number of directions, over any other scalar.

Directions are named by any hashable key; those that are missing are zero, so that zeros never cost anything, and a Dual
without directions is handed out as its bare value. Duals nest: one of a higher ``level`` holds ones of a lower level,
which gives second derivatives without mixing up the two kinds of directions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .primitives import Above, Scalar, chosen, is_zero, least, log, most, select, sincos, sqrt, tanh

__all__ = ["Dual", "derivative"]


class Dual(Above):
    """A value and its derivatives, ``parts[direction]``."""

    __slots__ = ("level", "parts", "value")

    def __init__(self, value: Scalar, parts: Mapping[Any, Scalar], level: int = 0) -> None:
        self.value, self.parts, self.level = value, dict(parts), level

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.parts!r}, level={self.level})"

    def _made(self, value: Scalar, *terms: tuple[Mapping[Any, Scalar], Callable[[Scalar], Scalar]]) -> Scalar:
        """A value with the sum of each term's parts, each changed by the term's function; zeros fall out."""
        parts: dict[Any, Scalar] = {}
        for old, change in terms:
            for direction, x in old.items():
                new = change(x)
                if not is_zero(new):
                    parts[direction] = parts[direction] + new if direction in parts else new
        parts = {direction: x for direction, x in parts.items() if not is_zero(x)}
        return Dual(value, parts, self.level) if parts else value

    def _peer(self, other: Scalar) -> int:
        """How a second operand stands to this one: 1 above (this one is a constant to it), 0 equal, -1 a constant."""
        if not isinstance(other, Dual) or other.level < self.level:
            return -1
        return int(other.level > self.level)

    def __add__(self, other: Scalar) -> Scalar:
        peer = self._peer(other)
        if peer > 0:
            return other._made(self + other.value, (other.parts, _same))
        if peer < 0:
            return self if is_zero(other) else self._made(self.value + other, (self.parts, _same))
        return self._made(self.value + other.value, (self.parts, _same), (other.parts, _same))

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        peer = self._peer(other)
        if peer > 0:
            return other._made(self - other.value, (other.parts, _negative))
        if peer < 0:
            return self if is_zero(other) else self._made(self.value - other, (self.parts, _same))
        return self._made(self.value - other.value, (self.parts, _same), (other.parts, _negative))

    def __rsub__(self, other: Scalar) -> Scalar:
        return self._made(other - self.value, (self.parts, _negative))

    def __neg__(self) -> Scalar:
        return self._made(-self.value, (self.parts, _negative))

    def __mul__(self, other: Scalar) -> Scalar:
        peer = self._peer(other)
        if peer > 0:
            return other._made(self * other.value, (other.parts, lambda x: self * x))
        if peer < 0:
            return 0 if is_zero(other) else self._made(self.value * other, (self.parts, lambda x: x * other))
        a, b = self.value, other.value
        return self._made(a * b, (self.parts, lambda x: x * b), (other.parts, lambda x: a * x))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        peer = self._peer(other)
        if peer > 0:
            return other.__rtruediv__(self)
        if peer < 0:
            return self._made(self.value / other, (self.parts, lambda x: x / other))
        value, b = self.value / other.value, other.value
        return self._made(value, (self.parts, lambda x: x / b), (other.parts, lambda x: -(value * x) / b))

    def __rtruediv__(self, other: Scalar) -> Scalar:
        value = other / self.value
        return self._made(value, (self.parts, lambda x: -(value * x) / self.value))

    def __bool__(self) -> bool:
        raise TypeError("a scalar that carries derivatives has no truth value; algorithms must not branch on values")


def _same(x: Scalar) -> Scalar:
    return x


def _negative(x: Scalar) -> Scalar:
    return -x


@sincos.register
def _(angle: Dual) -> tuple[Scalar, Scalar]:
    s, c = sincos(angle.value)
    return angle._made(s, (angle.parts, lambda x: x * c)), angle._made(c, (angle.parts, lambda x: -(x * s)))


@sqrt.register
def _(x: Dual) -> Scalar:
    root = sqrt(x.value)
    return x._made(root, (x.parts, lambda d: d / (root + root)))


@tanh.register
def _(x: Dual) -> Scalar:
    t = tanh(x.value)
    slope = 1 - t * t
    return x._made(t, (x.parts, lambda d: d * slope))


@log.register
def _(x: Dual) -> Scalar:
    value = x.value
    return x._made(log(value), (x.parts, lambda d: d / value))


@chosen.register
def _(leading: Dual, op: str, *given: Scalar) -> Scalar:
    """The derivative of the chosen value; of the second at the switching point."""
    level = leading.level
    bare = [x.value if isinstance(x, Dual) and x.level == level else x for x in given]
    if op == "select":
        x, (a, b) = bare[0], given[1:]
    else:  # the first where the other is larger (smaller)
        x, (a, b) = (bare[1] - bare[0] if op == "least" else bare[0] - bare[1]), given
    parts = [e.parts if isinstance(e, Dual) and e.level == level else {} for e in (a, b)]
    made = {d: select(x, parts[0].get(d, 0), parts[1].get(d, 0)) for d in {**parts[0], **parts[1]}}
    made = {d: e for d, e in made.items() if not is_zero(e)}
    value = select(x, *bare[1:]) if op == "select" else (least if op == "least" else most)(*bare)
    return Dual(value, made, level) if made else value


def derivative(x: Scalar, direction: object, level: int = 0) -> Scalar:
    """The derivative of a result along one direction; 0 where it does not depend on it."""
    return x.parts.get(direction, 0) if isinstance(x, Dual) and x.level == level else 0
