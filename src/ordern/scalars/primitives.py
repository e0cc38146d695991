"""The primitives every algorithm is written in: + - * / negation, sqrt, sincos, tanh, log, and choice without branches:
select, least, most.

A *scalar* is anything with these: a float, a :class:`fractions.Fraction`, an mpmath number, a SymPy expression, a
traced value, a :class:`Lane` (a whole batch in one scalar). Exact zeros and ones are Python's own ``0`` and ``1``; the
operators of each scalar fold them, so spatial code never tests for them. ``sincos``, ``sqrt`` and the others are
single-dispatch functions: an evaluator registers its own scalar in its own file (for a choice, under ``chosen``).
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

__all__ = [
    "Above",
    "Array",
    "Lane",
    "Scalar",
    "half",
    "is_one",
    "is_zero",
    "least",
    "log",
    "most",
    "select",
    "sincos",
    "sqrt",
    "tanh",
]

Scalar = Any
Array = np.ndarray[Any, np.dtype[Any]]  # of any shape


@singledispatch
def sincos(angle: Scalar) -> tuple[Scalar, Scalar]:
    """Sine and cosine of an angle in rad, as one primitive."""
    raise TypeError(f"no sincos for scalars of type {type(angle).__name__}")


@singledispatch
def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    raise TypeError(f"no sqrt for scalars of type {type(x).__name__}")


@singledispatch
def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent, for smooth Coulomb friction."""
    raise TypeError(f"no tanh for scalars of type {type(x).__name__}")


@singledispatch
def log(x: Scalar) -> Scalar:
    """Natural logarithm, for determinants."""
    raise TypeError(f"no log for scalars of type {type(x).__name__}")


def select(x: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """Gives a where x > 0, else b (also for x NaN); both are computed, the choice depends on values alone."""
    return a if a is b else chosen(_leading(x, a, b), "select", x, a, b)


def least(a: Scalar, b: Scalar) -> Scalar:
    """The smaller one; NaN if either is NaN."""
    return a if a is b else chosen(_leading(a, b), "least", a, b)


def most(a: Scalar, b: Scalar) -> Scalar:
    """The larger one; NaN if either is NaN."""
    return a if a is b else chosen(_leading(a, b), "most", a, b)


def _leading(*scalars: Scalar) -> Scalar:
    """The scalar whose type decides: the outermost one that carries others, else the first non-plain number."""
    above = [x for x in scalars if isinstance(x, Above)]
    if above:
        return max(above, key=lambda x: getattr(x, "level", 0))
    return next((x for x in scalars if not isinstance(x, (int, float, np.number))), scalars[0])


@singledispatch
def chosen(leading: Scalar, op: str, *given: Scalar) -> Scalar:
    """Choice for the type of ``leading``: op "select" (x, a, b), "least" or "most" (a, b); plain numbers here."""
    if op == "select":
        return given[1] if given[0] > 0 else given[2]
    a, b = given
    return b if b != b or (b < a if op == "least" else b > a) else a


@sincos.register
def _(angle: float) -> tuple[Scalar, Scalar]:
    return math.sin(angle), math.cos(angle)


@sincos.register
def _(angle: int) -> tuple[Scalar, Scalar]:
    return (0, 1) if angle == 0 else (math.sin(angle), math.cos(angle))


@sqrt.register
def _(x: float) -> Scalar:
    return math.sqrt(x)


@sqrt.register
def _(x: int) -> Scalar:
    return x if x in (0, 1) else math.sqrt(x)


@log.register
def _(x: float) -> Scalar:
    return math.log(x)


@log.register
def _(x: int) -> Scalar:
    return 0 if x == 1 else math.log(x)


@tanh.register
def _(x: float) -> Scalar:
    return math.tanh(x)


@tanh.register
def _(x: int) -> Scalar:
    return math.tanh(x)


def half(x: Scalar) -> Scalar:
    """Half of x without leaving exact arithmetic; a multiplication where 0.5 is exact anyway."""
    return 0 if is_zero(x) else (0.5 * x if isinstance(x, (float, Lane)) else x / 2)


def is_zero(x: Scalar) -> bool:
    """Whether x is the structural zero, Python's own 0."""
    return type(x) is int and x == 0


def is_one(x: Scalar) -> bool:
    """Whether x is the structural one, Python's own 1."""
    return type(x) is int and x == 1


class Above:
    """A scalar made of scalars (such as dual numbers): lanes and traced values leave arithmetic to it."""

    __slots__ = ()
    __array_ufunc__ = None  # so that ndarray * Above comes here


class Lane:
    """A batch in one scalar: a NumPy array of any shape whose operators fold the structural 0 and 1."""

    __slots__ = ("array",)
    __array_ufunc__ = None  # so that ndarray * Lane comes here

    def __init__(self, array: Array) -> None:
        self.array = array

    def __repr__(self) -> str:
        return f"Lane({self.array!r})"

    def __add__(self, other: Scalar) -> Scalar:
        if type(other) is Lane:  # by far the most common, so it is asked first
            return Lane(self.array + other.array)
        if type(other) is int and other == 0:
            return self
        return NotImplemented if isinstance(other, Above) else Lane(self.array + other)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if type(other) is Lane:
            return Lane(self.array - other.array)
        if type(other) is int and other == 0:
            return self
        return NotImplemented if isinstance(other, Above) else Lane(self.array - other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self if is_zero(other) else Lane(other - self.array)

    def __mul__(self, other: Scalar) -> Scalar:
        if type(other) is Lane:
            return Lane(self.array * other.array)
        if isinstance(other, (int, float)):
            if other == 0:
                return 0
            return self if other == 1 else Lane(self.array * other)
        return NotImplemented if isinstance(other, Above) else Lane(self.array * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if type(other) is Lane:
            return Lane(self.array / other.array)
        if isinstance(other, Above):
            return NotImplemented
        return self if is_one(other) else Lane(self.array / other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return 0 if is_zero(other) else Lane(other / self.array)

    def __neg__(self) -> Scalar:
        return Lane(-self.array)

    def __bool__(self) -> bool:
        raise TypeError("a batch has no single truth value; algorithms must not branch on values")


@sincos.register
def _(angle: Lane) -> tuple[Scalar, Scalar]:
    return Lane(np.sin(angle.array)), Lane(np.cos(angle.array))


@sqrt.register
def _(x: Lane) -> Scalar:
    return Lane(np.sqrt(x.array))


@tanh.register
def _(x: Lane) -> Scalar:
    return Lane(np.tanh(x.array))


@log.register
def _(x: Lane) -> Scalar:
    return Lane(np.log(x.array))


@chosen.register
def _(leading: Lane, op: str, *given: Scalar) -> Scalar:
    arrays: list[Any] = [
        x.array if isinstance(x, Lane) else float(x) if isinstance(x, int) else x
        for x in given  # 2**80 among them
    ]
    if op == "select":
        return Lane(np.where(arrays[0] > 0, arrays[1], arrays[2]))
    return Lane(np.minimum(*arrays) if op == "least" else np.maximum(*arrays))


@sincos.register
def _(angle: np.float32) -> tuple[Scalar, Scalar]:
    return np.sin(angle), np.cos(angle)


@sqrt.register
def _(x: np.float32) -> Scalar:
    return np.sqrt(x)


@tanh.register
def _(x: np.float32) -> Scalar:
    return np.tanh(x)


@log.register
def _(x: np.float32) -> Scalar:
    return np.log(x)
