"""Langevin dynamics of chains in their joint coordinates: the splitting BAOAB, over the rows of an ensemble.

[LM13] Leimkuhler and Matthews, Robust and efficient configurational molecular sampling via Langevin dynamics, 2013.
With p = M(q) qd

    dq = qd dt,   dp = (forces - gamma p) dt + sqrt(2 gamma kT) M^1/2 dW,

whose equilibrium is exp(-H / kT) dq dp: coordinates have the density sqrt(det M) exp(-V / kT), with Fixman's potential
exp(-V / kT) alone.

    B  half a step of the forces (drive, weight, springs, end stops, friction, Fixman's force), at rest: qd += h/2 M^-1
        f, taken at the middle of the half step where f depends on qd, so that the whole stays of second order
    A  half a step of free motion, a geodesic of M, by the classic Runge-Kutta method in charts (its error is of the
    order h^5 a step)
    O  the bath, exactly: qd <- c qd + sqrt((1 - c^2) kT) U^-T D^-1/2 xi,  c = exp(-gamma h), in O(n)
        (algorithms/thermal.py)

Each run has random numbers of its own, from the seed and its number alone: how many runs there are, and how they are
parted, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.steps import stage
from ..emit.tableaus import TABLES
from ..scalars.primitives import Array
from .fixed_steps import fixed_plan
from .integrators import DIVERGED, DONE, RUNNING, Progress

if TYPE_CHECKING:
    from .numpy_engine import Functions

__all__ = ["AHEAD", "Bath", "baoab"]

AHEAD = 64  # steps for which random numbers are drawn at once


@dataclass(frozen=True)
class Bath:
    """A heat bath: kT (J, one or one a run), collision rate (1/s) and random seed."""

    temperature: Array
    rate: float
    seed: int


class _Noise:
    """Normal numbers (runs, n) a step, each run from its own stream."""

    def __init__(self, seed: int, first: int, runs: int, n: int) -> None:
        self.streams = [np.random.Generator(np.random.Philox(key=[seed, first + k])) for k in range(runs)]
        self.drawn = np.empty((runs, AHEAD, n))
        self.at = AHEAD

    def __call__(self) -> Array:
        if self.at == AHEAD:
            for row, stream in zip(self.drawn, self.streams, strict=True):
                stream.standard_normal(out=row)
            self.at = 0
        self.at += 1
        return self.drawn[:, self.at - 1]


def baoab(
    functions: Functions, bath: Bath, times: Array, dt: float, state: Progress, look: Callable[[Progress], None]
) -> None:
    """Go on with all runs to the last of the times; steps are at most dt, and outputs fall on steps."""
    runs, n = state.v.shape
    noise = _Noise(bath.seed, functions.first, runs, n)
    kT = np.broadcast_to(np.asarray(bath.temperature, float), np.shape(bath.temperature) or (1,))
    kT = kT[functions.first : functions.first + runs] if len(kT) > 1 else np.repeat(kT, runs)
    for k, count in enumerate(fixed_plan(times, dt).tolist()):
        start, h = times[k], (times[k + 1] - times[k]) / count
        keep = np.exp(-bath.rate * h)
        spread = np.sqrt(-np.expm1(-2 * bath.rate * h) * kT)[:, None]
        for j in range(count):
            rows = np.flatnonzero(state.status == RUNNING)
            if not len(rows):
                return
            kicks = spread[rows] * noise()[rows]
            q, v = _step(
                functions, np.full(len(rows), start + j * h), h, state.q[rows], state.v[rows], rows, (keep, kicks)
            )
            good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
            state.status[rows[~good]] = DIVERGED
            rows = rows[good]
            state.q[rows], state.v[rows], state.t[rows] = q[good], v[good], start + (j + 1) * h
            state.steps[rows] += 1
            state.evaluations[rows] += 2 * TABLES["rk4"].stages + (5 if functions.brakes else 3)
            look(state)
        rows = np.flatnonzero(state.status == RUNNING)
        state.t[rows] = times[k + 1]
        state.out_q[rows, k + 1], state.out_v[rows, k + 1] = state.q[rows], state.v[rows]
        state.next[rows] = k + 2
    state.status[state.status == RUNNING] = DONE


def _step(
    functions: Functions, t: Array, h: float, q: Array, v: Array, rows: Array, bath: tuple[float, Array]
) -> tuple[Array, Array]:
    keep, kicks = bath
    v = _kicked(functions, 0.5 * h, t, q, v, rows)
    q, v = _free(functions, 0.5 * h, q, v, rows)
    v = keep * v + functions.heat(q, kicks, rows)
    q, v = _free(functions, 0.5 * h, q, v, rows)
    return q, _kicked(functions, 0.5 * h, t + h, q, v, rows)


def _kicked(functions: Functions, h: float, t: Array, q: Array, v: Array, rows: Array) -> Array:
    """Velocities after the forces acted for a time h, by the midpoint rule where they depend on velocities."""
    middle = v + 0.5 * h * functions.kick(t, q, v, rows) if functions.brakes else v
    return v + h * functions.kick(t, q, middle, rows)


def _free(functions: Functions, h: float, q: Array, v: Array, rows: Array) -> tuple[Array, Array]:
    """Free motion for a time h."""
    table = TABLES["rk4"]
    kx: list[Array] = []
    kv: list[Array] = []
    for a in table.A:
        x, u = stage(a, h, kx.__getitem__, kv.__getitem__, v)
        dx, dv = functions.drift(q, x + np.zeros_like(v), u, rows)
        kx.append(dx)
        kv.append(dv)
    x, v = stage(table.b, h, kx.__getitem__, kv.__getitem__, v)
    return functions.advance(q, x, rows)[0], v
