"""The right-hand side as NumPy functions over rows, from compiled kernels; drives given in Python are called here."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from ..model.thresholds import LONG_LOOPS
from ..program.interpret import interpret
from ..program.ir import Program
from ..runtime.kernels import Kernel, compiled
from ..scalars.primitives import Array
from .called import PythonDrive
from .closed_sides import dependence
from .integrators import Problem
from .right_hand_side import Motion
from .signals import Signal, segments

__all__ = ["Functions"]

_DRIVES: dict[str, Program] = {}
_KEPT: dict[str, Kernel] = {}  # kernels live as long as someone holds them: the next simulation will want the same


class Functions:
    """Programs of a motion as functions of rows."""

    def __init__(self, motion: Motion, drive: PythonDrive | None = None, first: int = 0) -> None:
        self.motion, self.drive = motion, drive
        self.first = first  # the run that row 0 stands for
        self._kernels: dict[str, Kernel] = {}

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: without machine code, which is found again when it is wanted."""
        return {**self.__dict__, "_kernels": {}}

    @property
    def pickles(self) -> bool:
        """Whether it can go to another process, which may not know a user's function."""
        if self.drive is not None or any(hasattr(c.signal, "stateful") for c in self.motion.channels.values()):
            return False
        try:
            pickle.dumps(self)
        except (pickle.PicklingError, AttributeError, TypeError, ValueError):
            return False
        return True

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

    @property
    def called(self) -> bool:
        """Whether a function of the user's wants to see the state."""
        return self.drive is not None or any(
            getattr(c.signal, "stateful", False) for c in self.motion.channels.values()
        )

    @property
    def brakes(self) -> bool:
        """Whether joint forces may depend on velocities."""
        m = self.motion
        rubs = m.damping or m.coulomb or m.following or {"damping", "friction"} & set(m.varied)
        return bool(self.called or m.law is not None or m.stops is not None or rubs)

    def run(
        self,
        kind: str,
        state: list[Array],
        t: Array,
        rows: Array,
        tau: Array | None = None,
        at: tuple[Array, Array] | None = None,
        pick: Array | None = None,
    ) -> list[Array]:
        """Outputs, one row a state; ``rows`` are the runs they belong to, ``at`` coordinates and velocities for
        functions of the user's, ``pick`` the times whose pieces of signals are taken, if not t.

        Without ``at`` functions are not asked: what is computed does not depend on them.
        """
        kernel, count = self.kernel(kind), len(state[0])
        arrays = [np.ascontiguousarray(a, float) for a in state]
        for name, channel in self.motion.channels.items():
            if name == "law tau" and tau is not None:
                made = np.ascontiguousarray(tau)
            elif hasattr(channel.signal, "stateful"):
                made = (
                    np.zeros((count, channel.count))
                    if at is None
                    else np.ascontiguousarray(channel.signal(t, rows + self.first, *at))
                )
            elif channel.signal is not None:
                made = np.ascontiguousarray(channel.signal(t, rows + self.first, pick))
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

    def rates(
        self, t: Array, q: Array, x: Array, v: Array, rows: Array, pick: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """(dx, dv, least pivot of the loops)."""
        at = (self.advance(q, x, rows)[0] if self.called else q, v)
        tau = None if self.drive is None else self.drive(t, *at, rows + self.first)
        dx, dv, *pivot = self.run("rates", [q, x, v], t, rows, tau, at, pick)
        return dx, dv, self._pivot(pivot, len(q))

    def _pivot(self, made: list[Array], count: int) -> Array:
        """One number a row; robots without loops are never singular."""
        return made[0][:, 0] if made else np.ones(count)

    def advance(self, q: Array, x: Array, rows: Array) -> tuple[Array, Array]:
        """(q at x, sizes)."""
        zero = np.zeros(len(q))
        state = [q, x, np.zeros_like(x)] if self.motion.model.loops else [q, x]
        made = self.run("advance", state, zero, rows, None if self.drive is None else np.zeros_like(x))
        return made[0], made[1]

    def tangent(self, q: Array, v: Array, rows: Array) -> Array:
        """Velocities that keep loops closed."""
        if not self.motion.model.loops:
            return v
        state = [q, np.zeros_like(v), v]
        return self.run("advance", state, np.zeros(len(q)), rows, None if self.drive is None else np.zeros_like(v))[2]

    def hamilton(self, t: Array, q: Array, x: Array, p: Array, rows: Array) -> tuple[Array, Array, Array, Array]:
        """(dx, dp, v, least pivot of the loops)."""
        tau, at = None, (q, p)
        if self.called:  # functions want velocities, which only the momenta give
            at = (self.advance(q, x, rows)[0], self.run("hamilton", [q, x, p], t, rows, np.zeros_like(p))[2])
            tau = None if self.drive is None else self.drive(t, *at, rows + self.first)
        dx, dp, v, *pivot = self.run("hamilton", [q, x, p], t, rows, tau, at)
        return dx, dp, v, self._pivot(pivot, len(q))

    def drift(self, q: Array, x: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """(dx, dv) of free motion."""
        dx, dv = self.run("drift", [q, x, v], np.zeros(len(q)), rows, None if self.drive is None else np.zeros_like(v))
        return dx, dv

    def kick(self, t: Array, q: Array, v: Array, rows: Array) -> Array:
        """What forces do to a robot at rest."""
        tau = None if self.drive is None else self.drive(t, q, v, rows + self.first)
        return self.run("kick", [q, v], t, rows, tau, (q, v))[0]

    def heat(self, q: Array, xi: Array, rows: Array) -> Array:
        """Velocities with the covariance M^-1 of random numbers xi."""
        return self.run("heat", [q, xi], np.zeros(len(q)), rows, None if self.drive is None else np.zeros_like(xi))[0]

    def momenta(self, q: Array, v: Array, rows: Array) -> Array:
        """The momentum p = M v."""
        return self.run("momenta", [q, v], np.zeros(len(q)), rows, None if self.drive is None else np.zeros_like(v))[0]

    def report(self, t: Array, q: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """(qdd, tau of the drive)."""
        tau = None if self.drive is None else self.drive(t, q, v, rows + self.first)
        qdd, drive = self.run("report", [q, v], t, rows, tau, (q, v))
        return qdd, drive

    def drives(self, t: Array, q: Array, v: Array, rows: Array) -> Array:
        """The law's joint forces, interpreted: compiling costs more than one evaluation."""
        m = self.motion
        if m.rolled:
            return self.run("drive", [q, v], t, rows)[0]
        inputs: dict[str, Array] = {"q": q, "qd": v}
        for name, channel in m.channels.items():
            values = channel.signal(t, rows + self.first) if isinstance(channel.signal, Signal) else channel.values
            values = np.zeros(channel.count) if values is None else np.asarray(values, float)
            inputs[name] = values[rows + self.first] if channel.signal is None and values.ndim == 2 else values
        program = _DRIVES.get(m.key)
        if program is None:
            while len(_DRIVES) >= 64:
                _DRIVES.pop(next(iter(_DRIVES)))
            program = _DRIVES[m.key] = m.program("drive")
        made: Array = interpret(program, inputs)["tau"]
        return made

    def report_all(self, t: Array, q: Array, v: Array, rows: Array) -> tuple[Array, Array]:
        """The same for states of a finished run; a Python drive that serves one run is called state by state."""
        if not len(t):  # an event before the first of the chosen times
            return np.empty((0, self.motion.model.nv)), np.empty((0, self.motion.model.nv))
        if self.drive is None or not self.drive.single:
            return self.report(t, q, v, rows)
        made = [self.report(t[k : k + 1], q[k : k + 1], v[k : k + 1], rows[k : k + 1]) for k in range(len(t))]
        return np.concatenate([m[0] for m in made]), np.concatenate([m[1] for m in made])

    def dependence(self, q: Array) -> float:
        """How near to singular the loops are at q: 0 there; without loops, or with too many to look at, 1."""
        model = self.motion.model
        return dependence(model, q)[0] if model.loops and len(model.bodies) <= LONG_LOOPS else 1.0

    def problem(self, times: Array, rtol: float, atol: float, dt: float, max_step: float = np.inf) -> Problem:
        """For the integrators."""
        return Problem(
            self.rates,
            self.advance,
            times,
            rtol,
            atol,
            dt,
            self.hamilton,
            self.momenta,
            self.tangent,
            bool(self.motion.model.loops),
            self.dependence,
            segments((c.signal for c in self.motion.channels.values()), float(times[0]), float(times[-1])),
            max_step,
        )
