"""The adaptive integrators in NumPy, over the rows of a batch: what compiled ones must agree with, and what drives
given in Python run on.

A step works in charts about its beginning (algorithms/motion.py): x is zero there, so the state of a row is (x, v) with
x' and v' from the right-hand side, and q moves once a step. Each row has its own time and step; rows never meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algorithms.steps import KEEP_OFF, SHORTER, combination, dense, passage, polynomial, stage
from ..emit.tableaus import Explicit
from ..scalars.primitives import Array

__all__ = [
    "DIVERGED",
    "DONE",
    "RUNNING",
    "STIFF",
    "STOPPED",
    "TINY",
    "Problem",
    "Progress",
    "adaptive",
    "first_step",
    "near_change_point",
    "slow",
]

RUNNING, DONE, DIVERGED, TINY, STIFF, STOPPED, _, STEPS, TIME = range(9)  # as run.STATUS has their words
WILD = 1e6  # rad/s or m/s: a motion that needs tiny steps at such speeds does not stiffen, it explodes
# where so many attempts get no farther than that share of the duration, stiffness is looked for
SLOW_STEPS, SLOW_SHARE = 20_000, 1e-4
# times 1 / (largest eigenvalue): steps of this size and more are held back by stability (it ends at 3 to 6), not by
# accuracy
LIMIT = 1.0
HELD = 1e-4  # smallest over largest singular value of the loops' equations: slow runs that are nearer do not get on


@dataclass
class Problem:
    """What to integrate.

    Attributes:
        rates: (t, q, x, v, rows, pick) -> (dx, dv, least pivot of the loops), with one row a run; rows are numbers of
            runs, pick the times whose pieces of signals are taken.
        advance: (q, x, rows) -> (q at x, sizes of the x); what is least to close loops depends on the masses of a run.
        hamilton: (t, q, x, p, rows) -> (dx, dp, v, least pivot), for the symplectic method.
        momenta: (q, v, rows) -> p.
        tangent: (q, v, rows) -> the velocities that keep loops closed.
        closed: whether there are loops.
        times: output times (T,), the first one where the runs begin.
        rtol, atol: tolerances of the adaptive methods.
        dt: largest step of the others, s.
        max_step: largest step of the adaptive methods, s.
        dependence: q -> smallest over largest singular value of the loops' equations; one without loops.
        segments: from the first time to the last, where signals become other polynomials; adaptive steps end there.
        leaps: whether adaptive steps that come too near to a change point are made to pass it in a gap between stages,
            not just shorter.
    """

    rates: Callable[..., Any]
    advance: Callable[[Array, Array, Array], tuple[Array, Array]]
    times: Array
    rtol: float
    atol: float
    dt: float
    hamilton: Callable[..., Any]
    momenta: Callable[..., Any]
    tangent: Callable[[Array, Array, Array], Array]
    closed: bool
    dependence: Callable[[Array], float]
    segments: Array
    max_step: float
    leaps: bool = True

    def goals(self, t: Array) -> Array:
        """Where steps from t have to end at the latest; the last piece goes on behind its end (led_over passes it)."""
        inner, end = self.segments[1:-1], self.times[-1]
        made: Array = np.minimum(np.append(inner, end)[np.searchsorted(inner, t, side="right")], end)
        return made


@dataclass
class Progress:
    """Where the runs are: all that is needed to go on, and what was made so far."""

    q: Array  # (B, nq)
    v: Array  # (B, nv)
    t: Array  # (B,)
    out_q: Array  # (B, T, nq)
    out_v: Array
    next: Array  # (B,) next output
    status: Array  # (B,)
    h: Array  # (B,) adaptive methods
    steps: Array
    rejected: Array
    evaluations: Array
    notes: list[str] = field(default_factory=list)

    @classmethod
    def begin(
        cls, q: Array, v: Array, times: Array, out_q: Array | None = None, out_v: Array | None = None
    ) -> Progress:
        """At the first output time, which is written."""
        B, T = len(q), len(times)
        out_q = np.full((B, T, q.shape[1]), np.nan) if out_q is None else out_q
        out_v = np.full((B, T, v.shape[1]), np.nan) if out_v is None else out_v
        out_q[:, 0], out_v[:, 0] = q, v
        ints = [np.zeros(B, np.int64) for _ in range(5)]
        made = cls(
            q.copy(),
            v.copy(),
            np.full(B, times[0]),
            out_q,
            out_v,
            ints[0],
            ints[1],
            np.zeros(B),
            ints[2],
            ints[3],
            ints[4],
        )
        made.next[:] = 1
        return made


# --- adaptive steps ---------------------------------------------------------------------------------------------------
def first_step(problem: Problem, state: Progress, order: int) -> tuple[Array, Array, Array]:
    """Hairer's first guess of the step [HNW93, section II.4]; accelerations and the loops' least pivot at the start."""
    q, v, t = state.q, state.v, state.t
    zero, rows = np.zeros_like(v), np.arange(len(q))
    _, a, pivot = problem.rates(t, q, zero, v, rows)
    size = _sizes(problem, q, zero, rows)
    sx, sv = problem.atol + problem.rtol * np.abs(size), problem.atol + problem.rtol * np.abs(v)
    d0, d1 = _norm(size / sx, v / sv), _norm(v / sx, a / sv)
    with np.errstate(all="ignore"):
        h = np.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / d1)
        x = h[:, None] * v
        dx, b, _ = problem.rates(t + h, q, x, v + h[:, None] * a, rows)
        d2 = _norm((dx - v) / sx, (b - a) / sv) / h
        most = np.maximum(d1, d2)
        h1 = np.where(most <= 1e-15, np.maximum(1e-6, h * 1e-3), (0.01 / most) ** (1 / order))
    h = np.minimum(100 * h, h1)
    span = problem.times[-1] - problem.times[0]
    return np.where(np.isfinite(h) & (h > 0), np.minimum(h, span), 1e-6 * span), a, pivot


def _sizes(problem: Problem, q: Array, zero: Array, rows: Array) -> Array:
    """What errors of coordinates are measured against; they themselves where there is no quaternion."""
    return q if q.shape == zero.shape else problem.advance(q, zero, rows)[1]


def _norm(x: Array, v: Array) -> Array:
    """Root mean square over the columns, added up in order so that a row's result does not depend on the others."""
    both = np.concatenate([x, v], axis=1)
    both *= both
    return np.sqrt(np.add.accumulate(both, axis=1)[:, -1] / both.shape[1]) if both.shape[1] else np.zeros(len(x))


def adaptive(problem: Problem, table: Explicit, state: Progress, look: Callable[[Progress], None]) -> None:
    """DOPRI5 or DOP853 with each row's own step, PI control and dense output."""
    guess, a, pivot = first_step(problem, state, table.order)
    state.h = np.where(state.h > 0, state.h, guess)
    state.evaluations += 2
    old = np.full(len(state.q), 1e-4)
    # 1 where the last attempt failed; where it came too near to a change point, minus its step over the next one
    turned = np.zeros(len(state.q))
    mark, end = state.t.copy(), problem.times[-1]
    for attempts in itertools.count(1):
        rows = np.flatnonzero(state.status == RUNNING)
        if not len(rows):
            return
        t, q, v = state.t[rows], state.q[rows], state.v[rows]
        goal = problem.goals(t)
        h = np.minimum(state.h[rows], np.minimum(problem.max_step, goal - t))
        last = t + 1.01 * h >= goal
        h = np.where(last, goal - t, h)
        kx, kv, x1, v1, error, pivots = _attempt(problem, table, t, h, q, v, a[rows], rows)
        pivots = np.array([pivot[rows], *pivots])
        q1, size1 = problem.advance(q, x1, rows)
        v1 = problem.tangent(q1, v1, rows)
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(_sizes(problem, q, np.zeros_like(v), rows)), np.abs(size1))
            error = [(problem.tangent(q1, x, rows), problem.tangent(q1, e, rows)) for x, e in error]
            err = _error(problem, table, h, error, size, np.maximum(np.abs(v), np.abs(v1)))
            near = near_change_point(pivots)
            err = np.where(near, np.maximum(err, SHORTER), err)
            err = np.where(np.isfinite(err) & np.isfinite(v1).all(axis=1), err, 1e10)
        good, near = err <= 1.0, near & problem.leaps
        leap = _leap(table, *np.sqrt(pivots[[0, -1]]))
        factor = np.where(near, leap, _control(table, err, old[rows], turned[rows]))
        state.evaluations[rows] += table.stages
        ok = rows[good]
        ends = np.where(last, goal, t + h)
        accepted, *stages = ([e[good] for e in part] for part in ((t, h, q, v, x1, v1, ends), kx, kv))
        _write(problem, table, state, ok, accepted, *stages)
        state.q[ok], state.v[ok], a[ok], pivot[ok] = q1[good], v1[good], kv[table.stages][good], pivots[-1][good]
        state.t[ok] = ends[good]
        state.steps[ok] += 1
        state.rejected[rows[~good]] += 1
        old[ok] = np.maximum(err[good], 1e-4)
        turned[rows] = np.where(near, -1 / leap, ~good)
        # a step that was cut where a piece of a signal ends says nothing about the next one
        state.h[rows] = np.where(good & last & (goal < end), np.maximum(h * factor, state.h[rows]), h * factor)
        _new_pieces(problem, state, a, ok[(last & (goal < end))[good]])
        state.status[ok[(last & (goal >= end))[good]]] = DONE
        tiny = rows[
            (state.h[rows] < 16 * np.finfo(float).eps * np.maximum(np.abs(t), 1e-3)) & (state.status[rows] == RUNNING)
        ]
        state.status[tiny] = np.where(err[np.searchsorted(rows, tiny)] >= 1e10, DIVERGED, TINY)
        if attempts % SLOW_STEPS == 0:
            slow(problem, state, np.flatnonzero(state.t - mark < SLOW_SHARE * (end - problem.times[0])))
            mark = state.t.copy()
        look(state)


def _new_pieces(problem: Problem, state: Progress, a: Array, rows: Array) -> None:
    """Accelerations of runs that are where pieces of signals begin."""
    if len(rows):
        v = state.v[rows]
        a[rows] = problem.rates(state.t[rows], state.q[rows], np.zeros_like(v), v, rows)[1]
        state.evaluations[rows] += 1


def near_change_point(pivots: Array) -> Array:
    """Which runs had a stage so near to a change point that rounding would be felt; pivots are (stages, runs)."""
    made: Array = pivots.min(axis=0) * KEEP_OFF < pivots.max(axis=0)
    return made


def _control(table: Explicit, err: Array, old: Array, turned: Array) -> Array:
    """PI control: the next step over this one."""
    with np.errstate(all="ignore"):
        power = np.maximum(err, 1e-300) ** (table.exponent - 0.75 * table.beta)
        factor = np.clip(0.9 / power * old**table.beta, table.shrink, table.grow)
    factor = np.where(turned > 0, np.minimum(factor, 1.0), np.where(turned < 0, -turned, factor))
    return np.where(err <= 1.0, factor, np.minimum(0.9 / power, 1.0).clip(table.shrink))


def _leap(table: Explicit, first: Array, last: Array) -> Array:
    """The next step over one that came too near to a change point, by the distances of its beginning and its end."""
    at = first / np.maximum(first + last, 1e-300)
    middle = passage(table.c)
    made: Array = np.clip(np.where(at < middle, at / middle, at - middle), 0.1, 0.9)
    return made


def slow(problem: Problem, state: Progress, rows: Array) -> None:
    """End slow runs that explode, are stiff or stuck at a change point; accuracy may ask for small steps."""
    rows = rows[state.status[rows] == RUNNING]
    if len(rows):
        wild = np.abs(state.v[rows]).max(axis=1) > WILD
        held = np.array([problem.dependence(q) < HELD for q in state.q[rows]])
        stiff = state.h[rows] * _fastest(problem, state, rows) > LIMIT
        state.status[rows] = np.where(wild, DIVERGED, np.where(held, TINY, np.where(stiff, STIFF, RUNNING)))


def _fastest(problem: Problem, state: Progress, rows: Array) -> Array:
    """The largest eigenvalue of the rates' Jacobian (1/s), by power iteration on finite differences."""
    t, q, v = state.t[rows], state.q[rows], state.v[rows]
    zero = np.zeros_like(v)
    x0, v0, _ = problem.rates(t, q, zero, v, rows)
    # the same for every run, wherever it stands
    dx, dv = np.random.default_rng(0).normal(size=(2, 1, v.shape[1])) + zero
    size = 1e-7 * (1.0 + np.abs(v).max(axis=1))
    grown = []
    for _ in range(24):
        scale = size / np.maximum(np.sqrt((dx**2).sum(axis=1) + (dv**2).sum(axis=1)), 1e-300)
        dx, dv = scale[:, None] * dx, scale[:, None] * dv
        x1, v1, _ = problem.rates(t, q, dx, v + dv, rows)
        dx, dv = x1 - x0, v1 - v0
        grown.append(np.log(np.maximum(np.sqrt((dx**2).sum(axis=1) + (dv**2).sum(axis=1)) / size, 1e-300)))
    # by then the direction is that of the fastest motion; for a pair of eigenvalues it turns on
    made: Array = np.exp(np.mean(grown[8:], axis=0))
    return made


def _attempt(problem: Problem, table: Explicit, t: Array, h: Array, q: Array, v: Array, a: Array, rows: Array) -> Any:
    kx, kv, pivots, H, pick = [v], [a], [], h[:, None], t + 0.5 * h
    with np.errstate(all="ignore"):
        for row, c in zip(table.A[1:], table.c[1:], strict=True):
            x, u = stage(row, H, kx.__getitem__, kv.__getitem__, v)
            dx, dv, pivot = problem.rates(t + c * h, q, x, u, rows, pick)
            kx.append(dx)
            kv.append(dv)
            pivots.append(pivot)
        x1, v1 = stage(table.b, H, kx.__getitem__, kv.__getitem__, v)
        dx, dv, pivot = problem.rates(t + h, q, x1, v1, rows, pick)
        kx.append(dx)
        kv.append(dv)
        pivots.append(pivot)
        error = [(combination(row, kx.__getitem__), combination(row, kv.__getitem__)) for row in table.errors]
    return kx, kv, x1, v1, error, pivots


def _error(
    problem: Problem, table: Explicit, h: Array, error: Sequence[tuple[Array, Array]], size: Array, speed: Array
) -> Array:
    sx, sv = problem.atol + problem.rtol * size, problem.atol + problem.rtol * speed
    five = _norm(error[0][0] / sx, error[0][1] / sv)
    if len(error) == 1:
        return np.abs(h) * five
    three = _norm(error[1][0] / sx, error[1][1] / sv)
    below = five * five + 0.01 * three * three
    return np.abs(h) * five * five / np.sqrt(np.where(below > 0, below, 1.0))


def _write(
    problem: Problem, table: Explicit, state: Progress, rows: Array, step: list[Array], kx: list[Array], kv: list[Array]
) -> None:
    """Outputs that lie within the steps just made; a step is (t, h, q, v, x at its end, v at its end, its end)."""
    times, (t, h, q, v, x1, v1, ends) = problem.times, step
    until = np.searchsorted(times, ends, side="right")
    pending = np.flatnonzero(state.next[rows] < until)
    if not len(pending):
        return
    kx, kv = [k[pending] for k in kx], [k[pending] for k in kv]
    t, h, q, v, x1, v1, until, rows = (e[pending] for e in (t, h, q, v, x1, v1, until, rows))
    for row, c in zip(table.extra, table.extra_c, strict=True):
        x, u = stage(row, h[:, None], kx.__getitem__, kv.__getitem__, v)
        dx, dv, _ = problem.rates(t + c * h, q, x, u, rows, t + 0.5 * h)
        kx.append(dx)
        kv.append(dv)
    state.evaluations[rows] += len(table.extra)
    px, pv = (dense(table.dense, h[:, None], d, k.__getitem__, table.stages) for d, k in ((x1, kx), (v1 - v, kv)))
    while True:
        now = np.flatnonzero(state.next[rows] < until)
        if not len(now):
            return
        run = rows[now]
        at = state.next[run]
        s = ((times[at] - t[now]) / h[now])[:, None]
        state.out_q[run, at] = problem.advance(q[now], polynomial([p[now] for p in px], s, 1 - s), run)[0]
        speed = v[now] + polynomial([p[now] for p in pv], s, 1 - s)
        state.out_v[run, at] = problem.tangent(state.out_q[run, at], speed, run)
        state.next[run] += 1
