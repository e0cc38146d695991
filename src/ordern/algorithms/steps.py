"""Steps of the integrators: the arithmetic of one component, written once over whatever a number is.

NumPy's engine calls it with arrays (a column of all runs), the emitter of machine code with values in registers, one in
each SIMD lane. Which steps are accepted, and when states are written out, is decided by the drivers
(simulate/integrators.py, emit/llvm).

[HNW93] has explicit Runge-Kutta methods and their dense output, [HLW06] Gauss collocation. Every a + b c is one
rounding in machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

__all__ = [
    "COMING", "KEEP_OFF", "LEAN", "SHORTER", "SMALL", "combination", "dense", "half_explicit", "passage",
    "polynomial", "stage",
]  # fmt: skip

Number = Any
# Near a change point, where loops become singular, rounding is felt as 1 / (distance)^2, and the least pivot of the
# loops' equations goes with (distance)^2. Within a step no stage may be nearer than an eighth of the farthest one: then
# what rounding does is some 100 eps.
KEEP_OFF = 64.0
# Steps of one length cannot choose where their stages fall: they stop four steps before a change point, where the
# distance shrinks by a fifth a step, if it is one: the pivot is small beside the largest of the run.
COMING, SMALL = 1.56, 0.01
SHORTER = 2.0  # error in tolerances that a step with such a stage is taken to have; see ``passage`` for what comes next
# Of a signal, a stage takes the piece that holds at the stage's time moved by this share of its way to the middle of
# the step: samples that begin where a step does act in it, whichever way the times of both are rounded. Adaptive steps,
# which end where pieces do, take the piece at their middle.
LEAN = 1e-6
Parts = Callable[[int], Number]  # the rates (or increments) of the stages by number


def combination(weights: Sequence[float], parts: Parts, start: Number = 0) -> Number:
    """Start + sum of weights[j] parts(j); where a weight is zero, the part is not asked for."""
    total = start
    for j, weight in enumerate(weights):
        if weight:
            total = total + parts(j) * weight
    return total


def stage(row: Sequence[float], h: Number, kx: Parts, kv: Parts, v: Number) -> tuple[Number, Number]:
    """A stage or the end of an explicit step: x in the chart about the step's start (x = 0 there), and velocity."""
    return combination(row, kx) * h, v + combination(row, kv) * h


def passage(c: Sequence[float]) -> float:
    """Where in a step with stages at c a change point is passed: in the middle of the widest gap between them.

    A step that came too near to a change point, which lies before that place of it, is made so short that it lies
    there; else so short that it lies there in the next step, which is as long as the one that came too near. Steps that
    are just made shorter may come nearer and nearer, until rounding holds them there.
    """
    _, at = max((b - a, (a + b) / 2) for a, b in pairwise(sorted({0.0, *c, 1.0})))
    return at


def half_explicit(h: Number, v: Number, qdd: Number) -> tuple[Number, Number]:
    """The semi-implicit method of Euler: x with the new velocity, and that."""
    new = v + qdd * h
    return new * h, new


def dense(rows: Sequence[Sequence[float]], h: Number, difference: Number, k: Parts, end: int) -> list[Number]:
    """Coefficients of the interpolating polynomial; the ends differ by ``difference``, k(end) is the end's rate."""
    second = h * k(0) - difference
    third = difference - h * k(end) - second
    return [difference, second, third, *(combination(row, k) * h for row in rows)]


def polynomial(p: Sequence[Number], s: Number, back: Number) -> Number:
    """The value s (p0 + (1 - s) (p1 + s (p2 + (1 - s) (...)))); back is 1 - s."""
    made = p[-1]
    for k in range(len(p) - 1, -1, -1):
        made = made * (s if k % 2 == 0 else back)
        if k:
            made = made + p[k - 1]
    return made
