"""Events: functions of (t, q, qd) whose zeros are found to 1e-10 s; by default they stop their run.

The functions are looked at after every step of the integrator. Where the sign changed, the step is made again from its
beginning, to ever better guesses of the crossing; a run that an event stops is not integrated further. Crossings that
come in pairs within one step are not seen, as with SciPy: tighter tolerances or a smaller dt make shorter steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, SimulationError
from ..scalars.primitives import Array
from .called import real, returned
from .integrators import STOPPED, Progress
from .run import SAME, Event

if TYPE_CHECKING:
    from .job import Job

__all__ = ["Crossings"]

PRECISION = 1e-10  # s


class Crossings:
    """Looks at every step of all runs, notes what crosses zero and stops runs there."""

    every_step = True

    def __init__(self, job: Job, events: object) -> None:
        functions: list[Callable[..., Any]] = (
            [events] if callable(events) else list(events) if isinstance(events, (list, tuple)) else []
        )
        if not functions or not all(callable(f) for f in functions):
            raise InputError("events must be a function (t, q, qd) -> number, or several of them")
        self.job, self.functions = job, functions
        self.found: list[Event] = []
        self.steps = np.zeros(len(job.q), np.int64)
        # where the runs were when last looked at
        self.t, self.q, self.v = np.full(len(job.q), job.times[0]), job.q.copy(), job.v.copy()
        self.values = np.stack([_values(f, self.t, self.q, self.v) for f in functions])

    def __call__(self, state: Progress) -> None:
        """After a step, of whichever runs made one."""
        rows = np.flatnonzero(state.steps != self.steps)
        if len(rows):
            t, q, v = state.t[rows], state.q[rows], state.v[rows]
            new = np.stack([_values(f, t, q, v) for f in self.functions])
            crossed = self._crossed(self.values[:, rows], new)
            for k in np.flatnonzero(crossed.any(axis=0)).tolist():
                stop = self._note(
                    int(rows[k]), np.flatnonzero(crossed[:, k]).tolist(), (float(t[k]), q[k], v[k]), new[:, k]
                )
                if stop is not None:
                    _cut(state, stop, self.job.times)
            self.t[rows], self.q[rows], self.v[rows], self.values[:, rows], self.steps[rows] = (
                t,
                q,
                v,
                new,
                state.steps[rows],
            )
        self.job.watch(state)

    def _crossed(self, old: Array, new: Array) -> Array:
        direction = np.array([[np.sign(getattr(f, "direction", 0))] for f in self.functions])
        with np.errstate(all="ignore"):
            change = (old != 0) & (np.sign(old) * np.sign(new) <= 0)
            made: Array = change & ((direction == 0) | (np.sign(new - old) == direction))
            return made

    def _note(self, run: int, numbers: Sequence[int], end: tuple[float, Array, Array], new: Array) -> Event | None:
        """The events of one step, up to the one that stops the run."""
        here = [
            self._refine(run, number, end, (float(self.values[number, run]), float(new[number]))) for number in numbers
        ]
        for event in sorted(here, key=lambda e: e.t):
            self.found.append(event)
            if getattr(self.functions[event.number], "terminal", True):
                return event
        return None

    def _refine(self, run: int, number: int, end: tuple[float, Array, Array], values: tuple[float, float]) -> Event:
        """Regula falsi with halved ends (Illinois); every guess is an integration from the step's beginning."""
        f, (fa, fb), side = self.functions[number], values, 0
        a, (b, q, v) = float(self.t[run]), end
        at, q, v = b, q.copy(), v.copy()
        # far from 0 times are farther apart than that: until none is left between
        while fb != 0.0 and b - a > max(PRECISION * 0.5, np.spacing(b)):
            x = b - fb * (b - a) / (fb - fa)
            x = min(max(x, a + PRECISION * 0.25), b - PRECISION * 0.25) if a < x < b else 0.5 * (a + b)
            at, (q, v) = x, self._at(run, x)
            fx = _value(f, x, q, v)
            if fx == 0.0:
                break
            if np.sign(fx) == np.sign(fb):
                b, fb, fa, side = x, fx, fa * 0.5 if side == 1 else fa, 1
            else:
                a, fa, fb, side = x, fx, fb * 0.5 if side == -1 else fb, -1
        return Event(run, number, at, q, v)

    def _at(self, run: int, t: float) -> tuple[Array, Array]:
        """The state within the step that a run made last."""
        times = np.array([self.t[run], t])
        state = Progress.begin(self.q[[run]], self.v[[run]], times)
        self.job.integrate(state, times, run, lambda _: None)
        return state.out_q[0, -1], state.out_v[0, -1]


def _cut(state: Progress, stop: Event, times: Array) -> None:
    """Stop a run at an event, and forget what was written beyond."""
    run, keep = stop.run, int(np.searchsorted(times, stop.t + SAME))
    state.out_q[run, keep:], state.out_v[run, keep:] = np.nan, np.nan
    state.next[run], state.status[run] = min(keep, state.next[run]), STOPPED
    state.t[run], state.q[run], state.v[run] = stop.t, stop.q, stop.qd


def _values(f: Callable[..., Any], t: Array, q: Array, v: Array) -> Array:
    if getattr(f, "vectorized", False):
        try:
            made = np.broadcast_to(returned(_signed(f(t.copy(), q.copy(), v.copy()))), t.shape)
        except Exception as error:  # whatever a user's function raises
            raise _complaint(error, float(t[0])) from error
        _numbers(made, t)
        return made
    return np.array([_value(f, a, b, c) for a, b, c in zip(t, q, v, strict=True)], float)


def _value(f: Callable[..., Any], t: float, q: Array, v: Array) -> float:
    try:
        if getattr(f, "vectorized", False):
            made = float(returned(_signed(f(np.array([t]), q[None].copy(), v[None].copy()))).reshape(()))
        else:
            made = float(_signed(f(float(t), q.copy(), v.copy())))
    except Exception as error:  # whatever a user's function raises
        raise _complaint(error, t) from error
    _numbers(np.array([made]), np.array([t]))
    return made


def _signed(made: object) -> Any:
    """A condition's value; False as -1, True as 1, since starting from 0 never crosses zero."""
    return 2.0 * returned(made) - 1.0 if np.asarray(made).dtype == bool else real(made)


def _numbers(values: Array, t: Array) -> None:
    """NaN has no sign: an event would be missed for as long as the function is undefined."""
    if np.isnan(values).any():
        at = float(t[int(np.argmax(np.isnan(values)))])
        raise SimulationError(
            f"the event function returned NaN at t = {at:.9g} s; it must return a number wherever the run comes by"
        )


def _complaint(error: Exception, t: float) -> SimulationError:
    return SimulationError(f"the event function raised {type(error).__name__} at t = {t:.9g} s: {error}")
