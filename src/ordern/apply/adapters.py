"""SciPy's solvers for stiff motions, by name: LSODA, Radau, BDF; one run after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import SimulationError, need
from ..model import Model
from ..small import KVec
from .integrators import DIVERGED, DONE, RUNNING, Problem, Progress

__all__ = ["run_scipy"]

Array = Any


def _rates(model: Model, q: Array, v: Array) -> Array:
    """dq/dt."""
    if model.nq == model.nv:
        return v
    made = np.empty(model.nq)
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        made[iq : iq + joint.nq] = list(joint.rates(KVec(*map(float, q[iq : iq + joint.nq])), KVec(*map(float, v[iv : iv + joint.nv]))))
    return made


def _normal(model: Model, q: Array) -> Array:
    """Quaternions (T, nq) at unit length."""
    q = q.copy()
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0] + model.bodies[i].joint.nq
        if joint.nq != joint.nv:
            q[:, at - 4 : at] /= np.linalg.norm(q[:, at - 4 : at], axis=1, keepdims=True)
    return q


def run_scipy(problem: Problem, model: Model, method: str, state: Progress, look: Callable[[Progress], None]) -> None:
    """All runs by solve_ivp."""
    scipy: Any = need("scipy.integrate", "simulate")
    times, nq = problem.times, model.nq
    for k in np.flatnonzero(state.status == RUNNING):
        row, zero = np.array([k]), np.zeros((1, model.nv))

        def rate(t: float, y: Array, row: Array = row, zero: Array = zero) -> Array:
            look(state)
            q, v = y[None, :nq], y[None, nq:]
            return np.concatenate([_rates(model, y[:nq], y[nq:]), problem.rates(np.array([t]), q, zero, v, row)[1][0]])

        start = np.concatenate([state.q[k], state.v[k]])
        try:
            made = scipy.solve_ivp(rate, (times[0], times[-1]), start, method=method, t_eval=times, rtol=max(problem.rtol, 3e-14), atol=problem.atol)
        except (ValueError, FloatingPointError, np.linalg.LinAlgError) as error:  # NaN in a Jacobian
            if isinstance(error, SimulationError):
                raise
            state.status[k] = DIVERGED
            continue
        y = made.y.T
        good = int(np.argmin(np.isfinite(y).all(axis=1))) if not np.isfinite(y).all() else len(y)
        state.out_q[k, :good], state.out_v[k, :good] = _normal(model, y[:good, :nq]), y[:good, nq:]
        state.next[k], state.evaluations[k], state.steps[k] = good, state.evaluations[k] + made.nfev, state.steps[k] + len(made.t)
        state.q[k], state.v[k], state.t[k] = state.out_q[k, good - 1], state.out_v[k, good - 1], times[good - 1]
        state.status[k] = DONE if made.success and good == len(times) else DIVERGED
