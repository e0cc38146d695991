"""The integrators with fixed steps in NumPy, over the rows of a batch; and how a run of theirs gets over a change
point.

At a change point the loops' equations are dependent for a moment. The motion goes through it smoothly, but rates
computed close to it lose their digits, and with fixed steps some stage may come as close as it likes. Such a step is
not taken: DOP853, whose steps can be chosen so that all stages keep off, leads over the change point to one of the next
points of the grid, and the method goes on from there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..algorithms.steps import COMING, LEAN, SMALL, combination, half_explicit, stage
from ..emit.llvm.gauss import CLOSE, LAST, MISSES, ROUNDS
from ..emit.tableaus import GAUSS, TABLES, Explicit
from ..scalars.primitives import Array
from .integrators import DIVERGED, DONE, RUNNING, TINY, Problem, Progress, adaptive, near_change_point

__all__ = ["crossed", "explode", "fixed", "fixed_plan", "led_over"]

AHEAD = 12  # steps that DOP853 leads a run ahead, or fewer where another change point is there
BEYOND = (0.37, 0.59, 0.83)  # of a step behind, where it ends if the run itself ends too near to a change point
# of DOP853 over a few steps: rtol, and ten times it atol. Fast motions near a change point have rounding above the
# first, and steps that try for less creep up to the change point instead of passing it
TOLERANCES = (1e-14, 1e-12, 1e-10)
ATTEMPTS = 300  # of DOP853, after which a run cannot go on: from a start within 1e-8 of a change point some 200

FAR = 1e6  # rad or m in one step, and GROWTH times the speed at the start: steps that long follow no motion
GROWTH = 1e3


def explode(state: Progress, times: Array, h: float) -> None:
    """Runs have diverged, though their numbers may be finite, where they are too fast for steps of h; they end before
    the first output that is so.

    What an unstable step makes of a motion grows without bound. Whether it passes 1e308 before the duration is over is
    a matter of luck.
    """
    most = np.maximum(FAR / h, GROWTH * np.abs(state.out_v[:, 0]).max(axis=1, initial=0.0))
    fastest = np.fmax(np.fmax.reduce(state.out_v, axis=(1, 2)), -np.fmin.reduce(state.out_v, axis=(1, 2)))
    for row in np.flatnonzero(np.isin(state.status, (DONE, DIVERGED)) & (fastest > most)).tolist():
        at = int(np.argmax(np.abs(state.out_v[row]).max(axis=1) > most[row]))
        state.t[row], state.q[row], state.v[row] = times[at - 1], state.out_q[row, at - 1], state.out_v[row, at - 1]
        state.out_q[row, at:], state.out_v[row, at:] = np.nan, np.nan
        state.next[row], state.status[row] = at, DIVERGED


def fixed_plan(times: Array, dt: float) -> Array:
    """How many equal steps of at most dt lead from each output time to the next."""
    return np.maximum(1, np.ceil(np.diff(times) / dt * (1 - 1e-9)).astype(np.int64))


def fixed(problem: Problem, method: Explicit | str, state: Progress, look: Callable[[Progress], None]) -> None:
    """Rk4 (a table), "euler" (semi-implicit) or "symplectic"; ``look`` is called now and then and may raise."""
    plan, number = fixed_plan(problem.times, problem.dt), 0
    resumes = np.zeros(len(state.q), np.int64)  # step at which a run goes on that DOP853 has led ahead
    most = np.zeros(len(state.q))  # the largest pivot of each run
    for k, count in enumerate(plan.tolist()):
        start, h = problem.times[k], (problem.times[k + 1] - problem.times[k]) / count
        for j in range(count):
            if not (state.status == RUNNING).any():
                return
            rows = np.flatnonzero((state.status == RUNNING) & (resumes <= number))
            t = np.full(len(rows), start + j * h)
            q, v, used, pivots = _step(method)(problem, t, h, state.q[rows], state.v[rows], rows)
            most[rows] = np.maximum(most[rows], pivots.max(axis=0))
            late = _change_point_ahead(pivots, most[rows])
            good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
            state.status[rows[~good & ~late]] = DIVERGED
            for r in rows[late].tolist():
                resumes[r] = number + crossed(problem, plan, state, r, k, j)
            good &= ~late
            rows = rows[good]
            state.q[rows], state.v[rows], state.t[rows] = q[good], v[good], start + (j + 1) * h
            state.steps[rows] += 1
            state.evaluations[rows] += used[good] if isinstance(used, np.ndarray) else used
            number += 1
            if j == count - 1:  # written before anybody looks, as machine code does: an event may fall on an output
                rows = np.flatnonzero((state.status == RUNNING) & (resumes <= number) & (state.next == k + 1))
                state.t[rows], state.next[rows] = problem.times[k + 1], k + 2
                state.out_q[rows, k + 1], state.out_v[rows, k + 1] = state.q[rows], state.v[rows]
            look(state)
    state.status[state.status == RUNNING] = DONE


def _change_point_ahead(pivots: Array, most: Array) -> Array:
    """Which runs come to a change point within some steps, or are too near to it."""
    least = pivots.min(axis=0)
    made: Array = near_change_point(pivots) | ((least * COMING < pivots.max(axis=0)) & (least < SMALL * most))
    return made


def crossed(problem: Problem, plan: Array, state: Progress, row: int, k: int, j: int) -> int:
    """Lead a run over the change point that lies in step j behind output k; how many steps it is then ahead."""
    times = problem.times
    grid: list[tuple[float, int]] = []  # time, and number of the output there
    while len(grid) < AHEAD and k < len(plan):
        h = (times[k + 1] - times[k]) / plan[k]
        j += 1
        grid.append((times[k] + j * h if j < plan[k] else times[k + 1], k + 1 if j == plan[k] else 0))
        k, j = (k + 1, 0) if j == plan[k] else (k, j)
    return led_over(problem, state, row, grid, h)


def led_over(problem: Problem, state: Progress, row: int, grid: list[tuple[float, int]], h: float) -> int:
    """Lead a run by DOP853 to one of the last points of a grid of steps h: (time, number of the output there or 0).

    How many of them it then has passed. Outputs on the way are written. A run that nothing leads over the change point
    gets the status of one that cannot go on.
    """
    ends = [(len(grid) - k, 0.0) for k in range(0, len(grid), 2)] + [(len(grid), x) for x in BEYOND]
    for rtol, (count, beyond), leaps in itertools.product(TOLERANCES, ends, (False, True)):
        way = np.array([state.t[row], *(t for t, _ in grid[:count]), *([grid[-1][0] + beyond * h] if beyond else [])])
        part = Progress.begin(state.q[[row]], state.v[[row]], way)
        part.h[:] = way[-1] - way[0]  # as long as can be: short steps come nearer to the change point
        adaptive(_alone(problem, row, way, rtol, leaps), TABLES["dop853"], part, _bounded)
        if part.status[0] == DONE or (part.status[0] == DIVERGED and not part.steps[0]):
            break  # there; or not even the shortest step had numbers to go on with, and no other will
    if part.status[0] != DONE:
        state.status[row] = TINY
        return 1
    q, v = part.out_q[0, 1:], part.out_v[0, 1:]
    if not beyond:  # where a step ends there is no need of interpolation
        q[-1], v[-1] = part.q[0], part.v[0]
    for at, (_, output) in enumerate(grid[:count]):
        if output:
            state.out_q[row, output], state.out_v[row, output], state.next[row] = q[at], v[at], output + 1
    state.q[row], state.v[row], state.t[row] = q[count - 1], v[count - 1], grid[count - 1][0]
    state.steps[row] += count
    state.evaluations[row] += part.evaluations[0]
    if state.next[row] == len(problem.times):
        state.status[row] = DONE
    return count


def _bounded(part: Progress) -> None:
    """End a crossing that does not get ahead."""
    part.status[(part.status == RUNNING) & (part.steps + part.rejected > ATTEMPTS)] = TINY


def _alone(problem: Problem, row: int, times: Array, rtol: float, leaps: bool) -> Problem:
    """One run by itself."""

    def rates(t: Array, q: Array, x: Array, v: Array, rows: Array, pick: Array | None = None) -> Any:
        return problem.rates(t, q, x, v, rows + row, pick)

    def advance(q: Array, x: Array, rows: Array) -> tuple[Array, Array]:
        return problem.advance(q, x, rows + row)

    def tangent(q: Array, v: Array, rows: Array) -> Array:
        return problem.tangent(q, v, rows + row)

    made = replace(problem, rates=rates, advance=advance, tangent=tangent)
    return replace(made, times=times, rtol=rtol, atol=10 * rtol, leaps=leaps)


def _step(method: Explicit | str) -> Callable[..., tuple[Array, Array, Any, Array]]:
    """One step of a method: (problem, t, h, q, v, rows) -> q, v, evaluations, pivots of the loops (stages, runs)."""
    if isinstance(method, str):
        return {"euler": _euler, "symplectic": _gauss}[method]
    return lambda *given: _explicit(method, *given)


def _piece(c: float) -> float:
    """Where in a step the piece of a signal is taken for the stage at c."""
    return c + (0.5 - c) * LEAN


def _euler(problem: Problem, t: Array, h: float, q: Array, v: Array, rows: Array) -> tuple[Array, Array, Any, Array]:
    _, qdd, pivot = problem.rates(t, q, np.zeros_like(v), v, rows, t + _piece(0.0) * h)
    x, v = half_explicit(h, v, qdd)
    pivots = [pivot, problem.rates(t + h, q, x, v, rows)[2]] if problem.closed else [pivot]
    q = problem.advance(q, x, rows)[0]
    return q, problem.tangent(q, v, rows), 1, np.array(pivots)


def _explicit(
    table: Explicit, problem: Problem, t: Array, h: float, q: Array, v: Array, rows: Array
) -> tuple[Array, Array, Any, Array]:
    kx: list[Array] = []
    kv: list[Array] = []
    pivots: list[Array] = []
    for a, c in zip(table.A, table.c, strict=True):
        x, u = stage(a, h, kx.__getitem__, kv.__getitem__, v)
        dx, dv, pivot = problem.rates(t + c * h, q, x + np.zeros_like(v), u, rows, t + _piece(c) * h)
        kx.append(dx)
        kv.append(dv)
        pivots.append(pivot)
    x, v = stage(table.b, h, kx.__getitem__, kv.__getitem__, v)
    q = problem.advance(q, x, rows)[0]
    return q, problem.tangent(q, v, rows), table.stages, np.array(pivots)


def _gauss(problem: Problem, t: Array, h: float, q: Array, v: Array, rows: Array) -> tuple[Array, Array, Any, Array]:
    """Collocation for (q, p); a row's iteration ends when changes vanish or reach rounding."""
    p, used = problem.momenta(q, v, rows), np.ones(len(rows), np.int64)
    lx = [h * b * v for b in GAUSS.b]
    lp = [np.zeros_like(v) for _ in GAUSS.b]
    pivots = np.ones((GAUSS.stages, len(rows)))
    going, least, missed = np.ones(len(rows), bool), np.full(len(rows), np.inf), np.zeros(len(rows))
    lost, before = np.ones(len(rows), bool), np.full(len(rows), np.inf)
    for _ in range(ROUNDS):
        on = np.flatnonzero(going)
        if not len(on):
            break
        x = [combination(a, lx.__getitem__)[on] for a in GAUSS.M]
        P = [combination(a, lp.__getitem__, p)[on] for a in GAUSS.M]
        made = [problem.hamilton(t[on] + c * h, q[on], x[s], P[s], rows[on]) for s, c in enumerate(GAUSS.c)]
        used[on] += GAUSS.stages
        new = [h * b * m[0] for b, m in zip(GAUSS.b, made, strict=True)]
        last = np.max([np.abs(a - b[on]).max(axis=1, initial=0.0) for a, b in zip(new, lx, strict=True)], axis=0)
        # with a constant mass matrix, coordinates and momenta change by turns, none of the former every other round
        still, change = last == 0.0, np.where(last == 0.0, before[on], last)
        bound = CLOSE * (np.max([np.abs(a).max(axis=1, initial=0.0) for a in new], axis=0) + h)
        for s, (a, m) in enumerate(zip(new, made, strict=True)):
            lx[s][on], lp[s][on], pivots[s][on] = a, h * GAUSS.b[s] * m[1], m[3]
        lost[on] = ~(change <= bound)  # if it stays so, the iteration did not converge: the step is too long
        better = change < least[on]
        missed[on] = np.where(better, 0, missed[on] + 1)
        least[on] = np.where(better, change, least[on])
        going[on] = ~((missed[on] >= MISSES) & (change < bound) | still & (before[on] < LAST * bound))
        before[on] = last
    x1, p1 = sum(lx[1:], start=lx[0]), p + sum(lp)
    q1 = problem.advance(q, x1, rows)[0]
    v1 = problem.hamilton(t + h, q1, np.zeros_like(v), p1, rows)[2]
    v1[lost] = np.nan
    return q1, v1, used, pivots
