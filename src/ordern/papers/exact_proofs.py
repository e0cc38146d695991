"""Traced programs on exact numbers and on SymPy's symbols, to prove that formulas are the same and not only close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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


def outputs(program: Program, values: Mapping[tuple[str, int | None], Any], sincos: Callable[[Any], tuple[Any, Any]]) -> list[list[Any]]:
    """The outputs of a straight-line program, each a flat list; ``values`` holds its inputs, (name, number) or (letter, None)."""
    known: dict[int, Any] = {}
    made: dict[str, dict[int, Any]] = {name: {} for name in program.outputs}
    for s in program.body:
        if isinstance(s, tuple):
            made[s[1]][s[2]] = known[s[3]]
            continue
        node = program.nodes[s]
        known[s] = _value(node, known, values, sincos)
    return [[part[k] for k in range(len(part))] for part in made.values()]


def _value(node: tuple[Any, ...], known: Mapping[int, Any], values: Mapping[tuple[str, int | None], Any], sincos: Callable[[Any], Any]) -> Any:
    op = node[0]
    if op == "const":
        return Fraction(node[1]).limit_denominator(10**6) if float(node[1]) != int(node[1]) else int(node[1])
    if op == "in":
        return values[node[1], node[2]]
    if op == "sincos":
        return sincos(known[node[1]])
    a = known[node[1]]
    if op in ("sin", "cos"):
        return a[0 if op == "sin" else 1]
    if op == "neg":
        return -a
    b = known[node[2]]
    return a + b if op == "add" else a - b if op == "sub" else a * b if op == "mul" else a / b
