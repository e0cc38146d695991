"""User functions in a simulation: joint forces and wrenches from Python, checked and timed."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import InputError, SimulationError
from ..scalars.primitives import Array

__all__ = ["takes_state", "PythonDrive", "PythonSignal", "python_wrenches", "real", "returned"]


def real(made: Any) -> Any:
    """A function's result unless it is complex: NumPy would drop imaginary parts."""
    if np.iscomplexobj(made):
        raise TypeError("it returned complex numbers; return real ones")
    return made


def returned(made: object) -> Array:
    """A function's result as numbers; masked ones become NaN."""
    numbers: Array = np.asarray(real(made), float)
    return np.where(np.ma.getmaskarray(made), np.nan, numbers) if isinstance(made, np.ma.MaskedArray) else numbers


class PythonDrive:
    """A user's function (t, q, qd) -> tau with its checks and what it costs.

    For one run it gets t as a float, q (nq,), qd (n,); for an ensemble t (k,), q (k, nq), qd (k, n), a row for each
    state that is asked for: these are seldom all runs, each once. What differs between runs goes by their numbers,
    which an argument called ``runs`` gets.
    """

    def __init__(self, function: Callable[..., Any], count: int, single: bool) -> None:
        self.function, self.count, self.single = function, count, single
        self.numbered = _has_argument(function, "runs")
        self.calls, self.seconds = 0, 0.0
        self.most = np.zeros(count)  # the largest it asked for, by joint

    def __call__(self, t: Array, q: Array, v: Array, runs: Array) -> Array:
        """Joint forces (rows, n) of these runs; states that are not finite are not passed to the function."""
        good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
        if not good.all():
            tau = np.full((len(t), self.count), np.nan)
            if good.any():
                tau[good] = self(t[good], q[good], v[good], runs[good])
            return tau
        if not len(t):
            return np.empty((0, self.count))
        start = time.perf_counter()
        when = f"at t = {float(t[0]):.9g} s"
        some = (
            "" if self.single or self.numbered else "; it gets some runs at a time: an argument runs has their numbers"
        )
        number: dict[str, Any] = {"runs": int(runs[0]) if self.single else runs.copy()} if self.numbered else {}
        try:
            made = (
                self.function(float(t[0]), q[0].copy(), v[0].copy(), **number)
                if self.single
                else self.function(t.copy(), q.copy(), v.copy(), **number)
            )
        except KeyboardInterrupt:
            raise
        except Exception as error:  # whatever a user's function raises
            why = some * isinstance(error, (IndexError, ValueError))
            raise SimulationError(f"the torque function raised {type(error).__name__} {when}: {error}{why}") from error
        try:
            if made is None:  # NumPy would take it for NaN
                raise TypeError
            tau = returned(made)
        except (TypeError, ValueError):
            what = made if made is None else "complex numbers" if np.iscomplexobj(made) else type(made).__name__
            raise SimulationError(
                f"the torque function returned {what} {when}; it must return {self.count} number{'s'[: self.count > 1]}"
            ) from None
        shape: tuple[int, ...] = (self.count,) if self.single else (len(t), self.count)
        tau = tau.reshape(shape) if not tau.ndim and shape == (1,) else tau
        if tau.shape != shape and (self.single or list(tau.shape) != [self.count]):
            raise SimulationError(f"the torque function returned shape {tau.shape} {when}; it must be {shape}{some}")
        if not np.isfinite(tau).all():
            at = int(np.argwhere(~np.isfinite(tau))[0][-1])
            raise SimulationError(
                f"the torque function returned {tau.reshape(-1, self.count)[:, at].max()} for joint number {at} {when}"
            )
        self.most = np.maximum(self.most, np.abs(tau).reshape(-1, self.count).max(axis=0, initial=0.0))
        self.calls += 1
        self.seconds += time.perf_counter() - start
        return np.broadcast_to(tau, (len(t), self.count))


def _has_argument(function: Callable[..., Any], name: str) -> bool:
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):  # a function of C
        return False


def takes_state(function: Callable[..., Any], name: str) -> bool:
    """Whether a function takes (t, q, qd) rather than t alone; arguments with defaults do not count."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) not in (0, 1, 3):
        raise InputError(f"{name} must be a function of t, or of (t, q, qd); it takes {len(needed)} arguments")
    return len(needed) == 3


class PythonSignal:
    """Six numbers from a function of t or of (t, q, qd), for the slow path. It is called for each run: t is a float, q
    (nq,), qd (n,).
    """

    channels = 6

    def __init__(
        self, function: Callable[..., Any], link: str, stateful: bool | None = None, source: object = None
    ) -> None:
        self.function, self.link = function, link
        self.source = function if source is None else source  # as the user gave it
        self.stateful = takes_state(function, f"external[{link!r}]") if stateful is None else stateful
        self.calls, self.seconds = 0, 0.0

    def __call__(self, t: Array, runs: Array | None = None, q: Array | None = None, v: Array | None = None) -> Array:
        """Wrenches (rows, 6) at times t and states; states that are not finite are not passed on."""
        begin = time.perf_counter()
        made = np.full((len(t), 6), np.nan)
        for k, x in enumerate(t):
            if q is None or v is None or not self.stateful:
                made[k] = self._one(float(x))
            elif np.isfinite(q[k]).all() and np.isfinite(v[k]).all():
                made[k] = self._one(float(x), q[k].copy(), v[k].copy())
        self.calls, self.seconds = self.calls + len(t), self.seconds + time.perf_counter() - begin
        return made

    def _one(self, t: float, *state: Array) -> Array:
        name = f"the function of external[{self.link!r}]"
        try:
            made = returned(self.function(t, *state))
        except SimulationError:
            raise
        except Exception as error:  # whatever a user's function raises, or what is no number
            raise SimulationError(f"{name} raised {type(error).__name__} at t = {t:.9g} s: {error}") from error
        if made.shape != (6,) or not np.isfinite(made).all():
            what = "NaN or infinity" if made.shape == (6,) else f"shape {made.shape}"
            raise SimulationError(
                f"{name} returned {what} at t = {t:.9g} s; it must be six finite numbers (moment, then force)"
            )
        return made


def python_wrenches(function: Callable[..., Any], q: Array, v: Array) -> dict[str, PythonSignal]:
    """One function (t, q, qd) -> {link: wrench} as a signal for each link named at the start; called once a state."""
    last: list[Any] = [None, {}]

    def all_of(t: float, q: Array, v: Array) -> Mapping[str, Any]:
        key = (t, q.tobytes(), v.tobytes())
        if last[0] != key:
            try:
                made = function(t, q, v)
            except Exception as error:  # whatever a user's function raises
                raise SimulationError(
                    f"the function of external raised {type(error).__name__} at t = {t:.9g} s: {error}"
                ) from error
            if not isinstance(made, Mapping):
                raise SimulationError(
                    f"the function of external returned {type(made).__name__} at t = {t:.9g} s; it must map link names "
                    "to wrenches"
                )
            last[:] = [key, dict(made)]
        found: dict[str, Any] = last[1]
        if names and set(found) != names:
            odd = sorted(map(str, set(found) ^ names))[0]
            raise SimulationError(
                f"the function of external must name the same links all the time; {odd!r} is not always there (t = "
                f"{t:.9g} s)"
            )
        return found

    names: set[str] = set()
    names |= set(all_of(0.0, q.copy(), v.copy()))
    return {
        link: PythonSignal(lambda t, q, v, link=link: all_of(t, q, v)[link], link, True, function) for link in names
    }
