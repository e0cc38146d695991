"""SciPy's solvers for stiff motions, by name: LSODA, Radau, BDF; one run after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OrdernError, need
from ..model import Model
from ..spatial.joint_space import JointVector
from .integrators import DIVERGED, DONE, RUNNING, Problem, Progress

__all__ = ["run_scipy"]

Array = Any


def _rates(model: Model, q: Array, v: Array) -> Array:
    """dq/dt."""
    if model.plain:
        return v
    made = np.empty(model.nq)
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        made[iq : iq + joint.nq] = list(
            joint.rates(
                JointVector(*map(float, q[iq : iq + joint.nq])), JointVector(*map(float, v[iv : iv + joint.nv]))
            )
        )
    return made


def _normal(model: Model, q: Array) -> Array:
    """Quaternions (T, nq) at unit length."""
    q = q.copy()
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        q[:, at : at + joint.nq] = joint.normalise(q[:, at : at + joint.nq])
    return q


def _closed(problem: Problem, model: Model, q: Array, v: Array) -> tuple[Array, Array]:
    """States with their loops closed: these solvers know nothing of them, and drift by their tolerance."""
    if not model.loops:
        return q, v
    q = problem.advance(q, np.zeros_like(v))[0]
    return q, problem.tangent(q, v)


def run_scipy(problem: Problem, model: Model, method: str, state: Progress, look: Callable[[Progress], None]) -> None:
    """All runs, one after the other; ``look`` sees every step."""
    scipy: Any = need("scipy.integrate", "simulate")
    for k in np.flatnonzero(state.status == RUNNING).tolist():
        try:
            _run(getattr(scipy, method), problem, model, state, k, look)
        except (ValueError, FloatingPointError, np.linalg.LinAlgError) as error:  # NaN in a Jacobian
            if isinstance(error, OrdernError):
                raise
            state.status[k] = DIVERGED


def _run(
    solver_of: Any, problem: Problem, model: Model, state: Progress, k: int, look: Callable[[Progress], None]
) -> None:
    times, nq, row, zero = problem.times, model.nq, np.array([k]), np.zeros((1, model.nv))

    def rate(t: float, y: Array) -> Array:
        q, v = y[None, :nq], y[None, nq:]
        return np.concatenate([_rates(model, y[:nq], y[nq:]), problem.rates(np.array([t]), q, zero, v, row)[1][0]])

    start = np.concatenate([state.q[k], state.v[k]])
    solver = solver_of(rate, times[0], start, times[-1], rtol=max(problem.rtol, 3e-14), atol=problem.atol)
    before = int(state.evaluations[k])
    while state.status[k] == RUNNING:
        solver.step()
        state.evaluations[k] = before + solver.nfev
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            state.status[k] = DIVERGED
            return
        until = int(np.searchsorted(times, solver.t, side="right"))
        if until > state.next[k]:
            new = slice(int(state.next[k]), until)
            y = solver.dense_output()(times[new]).T
            state.out_q[k, new], state.out_v[k, new] = _closed(problem, model, _normal(model, y[:, :nq]), y[:, nq:])
            state.next[k] = until
        state.q[k], state.v[k], state.t[k] = _normal(model, solver.y[None, :nq])[0], solver.y[nq:], solver.t
        state.steps[k] += 1
        state.status[k] = DONE if solver.status == "finished" else RUNNING
        look(state)
