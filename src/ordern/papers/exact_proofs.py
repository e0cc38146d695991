"""Traced programs on exact numbers and on SymPy's symbols, to prove that formulas are the same and not only close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..program.interpret import PRIMITIVES, run
from ..program.ir import Program

__all__ = ["Angle", "outputs", "rational_angle"]


@dataclass(frozen=True)
class Angle:
    """An angle with exactly known cosine and sine; sums of such angles are such angles."""

    c: Fraction
    s: Fraction

    def __add__(self, o: Angle) -> Angle:
        return Angle(self.c * o.c - self.s * o.s, self.s * o.c + self.c * o.s)

    def __neg__(self) -> Angle:
        return Angle(self.c, -self.s)

    def __sub__(self, o: Angle) -> Angle:
        return self + -o


def rational_angle(t: Fraction) -> Angle:
    """The angle whose half has the tangent t."""
    return Angle((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))


def outputs(
    program: Program, values: Mapping[tuple[str, int | None], Any], sincos: Callable[[Any], tuple[Any, Any]]
) -> list[list[Any]]:
    """The outputs of a program, each a flat list; ``values`` holds its inputs, (name, number) or (letter, None)."""
    given: dict[str, dict[int | None, Any]] = {}
    for (name, k), x in values.items():
        given.setdefault(name, {})[k] = x
    return list(run(program, given, PRIMITIVES.changed(_short_fraction, sincos=sincos)).values())


def _short_fraction(x: float) -> int | Fraction:
    """The number that a constant's decimals stand for."""
    return int(x) if float(x).is_integer() else Fraction(x).limit_denominator(10**6)
