"""Explicit Runge-Kutta methods, and dense output for pairs that were published without one.

[EJNT86] Enright, Jackson, Norsett, Thomsen, Interpolants for Runge-Kutta formulas, 1986: interpolation that lifts
itself by its own bootstraps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

__all__ = ["Explicit", "Row", "continued", "weights"]

Row = tuple[float, ...]


@dataclass(frozen=True)
class Explicit:
    """An explicit Runge-Kutta method.

    Stage s is evaluated at x + h sum A[s][j] k_j; the step ends at x + h sum b[j] k_j. Adaptive ones have ``errors``
    (one or two rows of weights), ``exponent`` and ``beta`` of the step control, and dense output: with ``extra`` stages
    more, the polynomial in s = (t - t0)/h of [HNW93] whose first coefficients are dy, h k_1 - dy, 2 dy - h (k_1 +
    k_end) and whose others are h sum dense[j] k_j. k_end is evaluated at the end of the step and begins the next one.
    """

    name: str
    order: int
    A: tuple[Row, ...]
    b: Row
    c: Row
    errors: tuple[Row, ...] = ()
    exponent: float = 0.0
    beta: float = 0.0
    shrink: float = 0.2
    grow: float = 10.0
    extra: tuple[Row, ...] = ()
    extra_c: Row = ()
    dense: tuple[Row, ...] = ()

    @property
    def stages(self) -> int:
        """Evaluations a step, without the one at its end."""
        return len(self.b)

    @property
    def adaptive(self) -> bool:
        """Whether the step follows the error."""
        return bool(self.errors)


def weights(table: Explicit, s: Fraction) -> list[Fraction]:
    """The weights of h k_j at s in the dense output of ``Explicit``, stage by stage."""
    count = table.stages + 1 + len(table.extra)
    b = [Fraction(x) for x in table.b] + [Fraction(0)] * (count - table.stages)
    first, end = ([Fraction(int(j == k)) for j in range(count)] for k in (0, table.stages))
    parts = [
        b,
        [x - y for x, y in zip(first, b, strict=True)],
        [2 * y - x - z for x, y, z in zip(first, b, end, strict=True)],
    ]
    parts += [[Fraction(x) for x in row] + [Fraction(0)] * (count - len(row)) for row in table.dense]
    made = [Fraction(0)] * count
    for k in range(len(parts) - 1, -1, -1):
        made = [(x + y) * (s if k % 2 == 0 else 1 - s) for x, y in zip(made, parts[k], strict=True)]
    return made


def continued(table: Explicit, *places: Sequence[Fraction]) -> Explicit:
    """The method with dense output: at each level the interpolant so far gives stages at some places, whose slopes the
    next one takes up [EJNT86].

    Level by level the polynomial gains a degree: from the cubic through both ends and their slopes, one place makes a
    quartic, then two a quintic. Its coefficients solve u'(s) = k at the places, where u = cubic + s^2 (1 - s)^2 (p3 + s
    p4).
    """
    for level in places:
        rows = [tuple(float(x) for x in weights(table, s)) for s in level]
        start = table.stages + 1 + len(table.extra)
        base = replace(table, dense=())
        table = replace(
            table, extra=(*table.extra, *rows), extra_c=(*table.extra_c, *(float(s) for s in level)), dense=()
        )
        count = start + len(level)
        goals = []
        for k, s in enumerate(level):
            slope = [*_slope(base, s), *[Fraction(0)] * len(level)]
            goals.append([Fraction(int(j == start + k)) - x for j, x in enumerate(slope)])
        matrix = [[_bump(s, power) for power in range(len(level))] for s in level]
        table = replace(table, dense=tuple(tuple(float(x) for x in row) for row in _solved(matrix, goals, count)))
    return table


def _slope(table: Explicit, s: Fraction) -> list[Fraction]:
    """The derivative by s of the cubic's weights: exact from three differences, since it is of third degree."""
    h = Fraction(1, 8)
    far, near = (
        [(x - y) / (2 * k * h) for x, y in zip(weights(table, s + k * h), weights(table, s - k * h), strict=True)]
        for k in (2, 1)
    )
    return [(4 * x - y) / 3 for x, y in zip(near, far, strict=True)]


def _bump(s: Fraction, power: int) -> Fraction:
    """The derivative of s^2 (1 - s)^2 s^power."""
    return 2 * s * (1 - s) * (1 - 2 * s) * s**power + s**2 * (1 - s) ** 2 * power * (s ** (power - 1) if power else 0)


def _solved(matrix: list[list[Fraction]], goals: list[list[Fraction]], count: int) -> list[list[Fraction]]:
    """One equation, or two by Cramer's rule."""
    if len(matrix) == 1:
        return [[goals[0][j] / matrix[0][0] for j in range(count)]]
    (a, b), (c, d) = matrix
    det = a * d - b * c
    return [
        [(d * goals[0][j] - b * goals[1][j]) / det for j in range(count)],
        [(a * goals[1][j] - c * goals[0][j]) / det for j in range(count)],
    ]
