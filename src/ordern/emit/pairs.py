"""Two pairs that simulation programs of the papers' time used, with dense output of our own.

[CK90] Cash and Karp, A variable order Runge-Kutta method for initial value problems with rapidly varying right-hand
sides, 1990: orders 5(4). [V78] Verner, Explicit Runge-Kutta methods with estimates of the local truncation error, 1978:
orders 6(5) in eight stages, known as DVERK.
"""

from __future__ import annotations

from fractions import Fraction

from .explicit import Explicit, Row, continued

__all__ = ["CASH_KARP", "VERNER"]


def _row(text: str) -> list[Fraction]:
    return [Fraction(x) for x in text.split()]


def _pair(name: str, order: int, rows: str, high: str, low: str, beta: float) -> Explicit:
    """From the stages' rows; nodes are their sums, and the error estimate is the difference of both results."""
    A = [_row(line) for line in rows.split(";")]
    b, other = _row(high), _row(low)
    error: Row = (*(float(x - y) for x, y in zip(b, other, strict=True)), 0.0)
    table = tuple(tuple(float(x) for x in row) for row in A)
    return Explicit(
        name, order, table, tuple(map(float, b)), tuple(float(sum(row)) for row in A), errors=(error,),
        exponent=1 / order, beta=beta
    )  # fmt: skip


CASH_KARP = continued(
    _pair(
        "cash-karp",
        5,
        "; 1/5; 3/40 9/40; 3/10 -9/10 6/5; -11/54 5/2 -70/27 35/27; 1631/55296 175/512 575/13824 44275/110592 253/4096",
        "37/378 0 250/621 125/594 0 512/1771",
        "2825/27648 0 18575/48384 13525/55296 277/14336 1/4",
        0.04,
    ),
    [Fraction(1, 5)],
)
VERNER = continued(
    _pair(
        "verner",
        6,
        "; 1/6; 4/75 16/75; 5/6 -8/3 5/2; -165/64 55/6 -425/64 85/96; 12/5 -8 4015/612 -11/36 88/255; -8263/15000 "
        "124/75 -643/680 -81/250 2484/10625 0; 3501/1720 -300/43 297275/52632 -319/2322 24068/84065 0 3850/26703",
        "3/40 0 875/2244 23/72 264/1955 0 125/11592 43/616",
        "13/160 0 2375/5984 5/16 12/85 3/44 0 0",
        0.03,
    ),
    [Fraction(1, 5)],
    [Fraction(1, 4), Fraction(3, 4)],
)
