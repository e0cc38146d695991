"""The right-hand side as NumPy functions over rows, from compiled kernels; drives given in Python are called here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import SimulationError
from ..runtime.kernels import Kernel, compiled
from .integrators import Problem
from .right_hand_side import Motion

__all__ = ["Functions", "PythonDrive"]

Array = Any
_KEPT: dict[str, Kernel] = {}  # kernels live as long as someone holds them: the next simulation will want the same


class PythonDrive:
    """A user's function (t, q, qd) -> tau with its checks and what it costs.

    For one run it gets t as a float, q (nq,), qd (n,); for an ensemble t (B,), q (B, nq), qd (B, n) of the runs that are under way.
    """

    def __init__(self, function: Callable[..., Any], count: int, single: bool) -> None:
        self.function, self.count, self.single = function, count, single
        self.calls, self.seconds = 0, 0.0

    def __call__(self, t: Array, q: Array, v: Array) -> Array:
        """Joint forces (rows, n); states that are no longer finite are not the function's fault, and it does not see them."""
        good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
        if not good.all():
            tau = np.full((len(t), self.count), np.nan)
            if good.any():
                tau[good] = self(t[good], q[good], v[good])
            return tau
        start = time.perf_counter()
        when = f"at t = {float(t[0]):.9g} s"
        try:
            made = self.function(float(t[0]), q[0].copy(), v[0].copy()) if self.single else self.function(t.copy(), q.copy(), v.copy())
        except KeyboardInterrupt:
            raise
        except Exception as error:  # whatever a user's function raises
            raise SimulationError(f"the torque function raised {type(error).__name__} {when}: {error}") from error
        try:
            tau = np.asarray(made, float)
        except (TypeError, ValueError):
            raise SimulationError(f"the torque function returned {type(made).__name__} {when}; it must return {self.count} numbers") from None
        shape: tuple[int, ...] = (self.count,) if self.single else (len(t), self.count)
        if tau.shape != shape and (self.single or list(tau.shape) != [self.count]):
            raise SimulationError(f"the torque function returned shape {tau.shape} {when}; it must be {shape}")
        if not np.isfinite(tau).all():
            at = int(np.argwhere(~np.isfinite(tau))[0][-1])
            raise SimulationError(f"the torque function returned {tau.reshape(-1, self.count)[:, at].max()} for joint number {at} {when}")
        self.calls += 1
        self.seconds += time.perf_counter() - start
        return np.broadcast_to(tau, (len(t), self.count))


class Functions:
    """Programs of a motion as functions of rows."""

    def __init__(self, motion: Motion, drive: PythonDrive | None = None, first: int = 0) -> None:
        self.motion, self.drive = motion, drive
        self.first = first  # the run that row 0 stands for
        self._kernels: dict[str, Kernel] = {}

    def kernel(self, kind: str) -> Kernel:
        """The compiled program."""
        if kind not in self._kernels:
            m = self.motion
            key = f"{m.key} {kind}"
            made = _KEPT.get(key) or compiled(key, lambda: m.program(kind), m.inputs(kind), m.outputs(kind))
            while len(_KEPT) >= 64:
                _KEPT.pop(next(iter(_KEPT)))
            _KEPT[key] = self._kernels[kind] = made
        return self._kernels[kind]

    def run(self, kind: str, state: list[Array], t: Array, rows: Array, tau: Array | None = None) -> list[Array]:
        """Outputs, one row a state; ``rows`` are the runs they belong to."""
        kernel, count = self.kernel(kind), len(state[0])
        arrays = [np.ascontiguousarray(a, float) for a in state]
        for name, channel in self.motion.channels.items():
            if name == "law tau" and tau is not None:
                made = np.ascontiguousarray(tau)
            elif channel.signal is not None:
                made = np.ascontiguousarray(channel.signal(t, rows + self.first))
            else:
                values = np.asarray(channel.values, float)
                made = (
                    np.ascontiguousarray(values[rows + self.first])
                    if values.ndim == 2
                    else np.broadcast_to(np.ascontiguousarray(values), (count, len(values)))
                )
            arrays.append(made)
        outs = [np.empty((count, *shape)) for shape in kernel.outputs.values()]
        if count:
            kernel.run(arrays, outs)
        return outs

    def rates(self, t: Array, q: Array, x: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """(dx, dv)."""
        tau = None if self.drive is None else self.drive(t, self.advance(q, x)[0], v)
        dx, dv = self.run("rates", [q, x, v], t, rows, tau)
        return dx, dv

    def advance(self, q: Array, x: Array) -> tuple[Array, Array]:
        """(q at x, sizes)."""
        zero = np.zeros(len(q))
        made = self.run("advance", [q, x], zero, np.zeros(len(q), int), None if self.drive is None else np.zeros_like(x))
        return made[0], made[1]

    def hamilton(self, t: Array, q: Array, x: Array, p: Array, rows: Array) -> tuple[Array, Array, Array]:
        """(dx, dp, v)."""
        tau = None
        if self.drive is not None:  # the law wants velocities, which only the momenta give
            v = self.run("hamilton", [q, x, p], t, rows, np.zeros_like(p))[2]
            tau = self.drive(t, self.advance(q, x)[0], v)
        dx, dp, v = self.run("hamilton", [q, x, p], t, rows, tau)
        return dx, dp, v

    def momenta(self, q: Array, v: Array, rows: Array) -> Array:
        """P = M v."""
        return self.run("momenta", [q, v], np.zeros(len(q)), rows, None if self.drive is None else np.zeros_like(v))[0]

    def report(self, t: Array, q: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """(qdd, tau of the drive)."""
        tau = None if self.drive is None else self.drive(t, q, v)
        qdd, drive = self.run("report", [q, v], t, rows, tau)
        return qdd, drive

    def report_all(self, t: Array, q: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """The same for states of a finished run; a Python drive that serves one run is called state by state."""
        if self.drive is None or not self.drive.single:
            return self.report(t, q, v, rows)
        made = [self.report(t[k : k + 1], q[k : k + 1], v[k : k + 1], rows[k : k + 1]) for k in range(len(t))]
        return np.concatenate([m[0] for m in made]), np.concatenate([m[1] for m in made])

    def problem(self, times: Array, rtol: float, atol: float, dt: float) -> Problem:
        """For the integrators."""
        return Problem(self.rates, self.advance, times, rtol, atol, dt, self.hamilton, self.momenta)
