"""Events: functions of (t, q, qd) whose zeros are found to 1e-10 s; by default they stop their run.

The functions are looked at at the output times; where the sign changes, the motion is integrated again from the output before, to ever
better guesses of the crossing. Crossings that come in pairs between two outputs are not seen: a smaller output_dt sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, SimulationError
from .integrators import Progress
from .run import Event, Run

if TYPE_CHECKING:
    from .simulate import Job

__all__ = ["with_events"]

Array = Any
PRECISION = 1e-10  # s


def with_events(job: Job, events: Any) -> Run:
    """Simulate, then look for events and cut the runs there."""
    functions: list[Callable[..., Any]] = [events] if callable(events) else list(events) if isinstance(events, (list, tuple)) else []
    if not functions or not all(callable(f) for f in functions):
        raise InputError("events must be a function (t, q, qd) -> number, or several of them")
    state = Progress.begin(job.q, job.v, job.times)
    interrupted = False
    with np.errstate(all="ignore"), job.watch:
        try:
            job.integrate(state, job.times)
        except KeyboardInterrupt:
            interrupted = True
    found: list[Event] = []
    stopped = np.zeros(len(state.q), bool)
    for run in range(len(state.q)):
        own, stop = _events(job, state, run, functions)
        found += own
        stopped[run] = stop is not None
        if stop is not None:
            _cut(state, run, stop, job.times)
    found.sort(key=lambda e: (e.t, e.run))
    state.status[stopped] = 1
    made = job.finish(state, interrupted, found, stopped)
    if job.single and stopped[0]:
        last = found[-1]
        made.t = np.append(made.t, last.t)
        made.q, made.qd = np.vstack([made.q, last.q]), np.vstack([made.qd, last.qd])
    return made


def _cut(state: Progress, run: int, stop: Event, times: Array) -> None:
    """Forget what comes after the event."""
    keep = int(np.searchsorted(times, stop.t - 1e-12))
    state.out_q[run, keep:], state.out_v[run, keep:] = np.nan, np.nan
    state.next[run] = keep
    state.t[run], state.q[run], state.v[run] = stop.t, stop.q, stop.qd


def _events(job: Job, state: Progress, run: int, functions: Sequence[Callable[..., Any]]) -> tuple[list[Event], Event | None]:
    """The events of one run up to the one that stops it."""
    count = int(state.next[run])
    t, q, v = job.times[:count], state.out_q[run, :count], state.out_v[run, :count]
    crossings = []
    for number, f in enumerate(functions):
        values, direction = _values(f, t, q, v), getattr(f, "direction", 0)
        with np.errstate(all="ignore"):
            change = (values[:-1] != 0) & (np.sign(values[:-1]) * np.sign(values[1:]) <= 0)
            change &= (direction == 0) | (np.sign(values[1:] - values[:-1]) == np.sign(direction))
        crossings += [(k, number, values[k], values[k + 1]) for k in np.flatnonzero(change).tolist()]
    found: list[Event] = []
    for k in sorted({c[0] for c in crossings}):
        here = [_refine(job, run, functions[number], number, t, q, v, k, (a, b)) for at, number, a, b in crossings if at == k]
        for event in sorted(here, key=lambda e: e.t):
            found.append(event)
            if getattr(functions[event.number], "terminal", True):
                return found, event
    return found, None


def _values(f: Callable[..., Any], t: Array, q: Array, v: Array) -> Array:
    if getattr(f, "vectorized", False):
        return np.broadcast_to(np.asarray(f(t, q, v), float), t.shape)
    return np.array([_value(f, a, b, c) for a, b, c in zip(t, q, v, strict=True)])


def _value(f: Callable[..., Any], t: float, q: Array, v: Array) -> float:
    try:
        if getattr(f, "vectorized", False):
            return float(np.asarray(f(np.array([t]), q[None], v[None]), float).reshape(()))
        return float(f(float(t), q, v))
    except Exception as error:  # whatever a user's function raises
        raise SimulationError(f"the event function raised {type(error).__name__} at t = {t:.9g} s: {error}") from error


def _refine(job: Job, run: int, f: Callable[..., Any], number: int, t: Array, q: Array, v: Array, k: int, values: tuple[float, float]) -> Event:
    """Regula falsi with halved ends (Illinois); every guess is an integration from the last output."""
    a, b, (fa, fb) = float(t[k]), float(t[k + 1]), values
    at, where, speed = b, q[k + 1], v[k + 1]
    side = 0
    for _ in range(100):
        if fb == 0.0 or abs(b - a) <= PRECISION * 0.5:
            break
        x = b - fb * (b - a) / (fb - fa)
        if not a < x < b:
            x = 0.5 * (a + b)
        x = min(max(x, a + PRECISION * 0.25), b - PRECISION * 0.25)
        where, speed = _at(job, run, q[k], v[k], float(t[k]), x)
        at, fx = x, _value(f, x, where, speed)
        if fx == 0.0:
            break
        if np.sign(fx) == np.sign(fb):
            b, fb = x, fx
            fa = fa * 0.5 if side == 1 else fa
            side = 1
        else:
            a, fa = x, fx
            fb = fb * 0.5 if side == -1 else fb
            side = -1
    return Event(run, number, at, where, speed)


def _at(job: Job, run: int, q: Array, v: Array, t0: float, t: float) -> tuple[Array, Array]:
    """The state a little later."""
    times = np.array([t0, t])
    state = Progress.begin(q[None], v[None], times)
    with np.errstate(all="ignore"):
        job.integrate(state, times, run)
    return state.out_q[0, -1], state.out_v[0, -1]
