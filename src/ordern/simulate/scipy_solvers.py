"""SciPy's solvers for stiff motions, by name: LSODA, Radau, BDF; one run after the other.

They know nothing of change points of closed chains (fixed_steps.py) and come as near to one as they like. A step of
theirs that does is not taken: DOP853 takes the run past it, and the solver starts again behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OrdernError, need
from ..evaluate.manifold import coordinate_rates
from ..model import Model
from ..scalars.primitives import Array
from .closed_sides import SINGULAR, dependence
from .fixed_steps import AHEAD, led_over
from .integrators import DIVERGED, DONE, RUNNING, Problem, Progress, near_change_point

__all__ = ["run_scipy"]

OVER = 0.06  # rad or m of the fastest joint that DOP853 covers around a change point, at most so many seconds
LARGE = 400  # equations up to which their singular values are looked at
DRIFT = 20  # tolerances by which a state may leave its loops before the solver begins anew where they close
CLOSE = 1e-4  # share of the run's largest pivot below which it is at one: rounding is felt as eps / CLOSE


def _normal(model: Model, q: Array) -> Array:
    """Quaternions (T, nq) at unit length."""
    q = q.copy()
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        q[:, at : at + joint.nq] = joint.normalise(q[:, at : at + joint.nq])
    return q


def _closed(problem: Problem, model: Model, q: Array, v: Array, k: int) -> tuple[Array, Array]:
    """States with their loops closed: these solvers know nothing of them, and drift by their tolerance."""
    if not model.loops:
        return q, v
    rows = np.full(len(q), k)
    q = problem.advance(q, np.zeros_like(v), rows)[0]
    return q, problem.tangent(q, v, rows)


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
    pivots: list[float] = []  # of the loops, in one step
    goal = pick = np.zeros(1)  # where a piece of a signal ends, and a time before that
    most = _regular(problem, model, state, k)  # the largest of all

    def rate(t: float, y: Array) -> Array:
        q, v = y[None, :nq], y[None, nq:]
        dx, qdd, pivot = problem.rates(np.array([t]), q, zero, v, row, pick)
        pivots.append(float(pivot[0]))
        return np.concatenate([coordinate_rates(model, y[:nq], dx[0]), qdd[0]])  # dx: with loops, what these leave of v

    def solver_from(t: float) -> Any:
        nonlocal goal, pick
        goal = problem.goals(np.array([t]))
        start, pick = np.concatenate([state.q[k], state.v[k]]), 0.5 * (t + goal)
        tolerances = {"rtol": max(problem.rtol, 3e-14), "atol": problem.atol}
        return solver_of(rate, t, start, goal[0], max_step=problem.max_step, **tolerances)

    solver, before = solver_from(times[0]), int(state.evaluations[k])
    while state.status[k] == RUNNING:
        lost = _step(solver, problem.closed)
        seen = np.array(pivots)
        pivots.clear()
        most = seen.max(initial=most)
        if problem.closed and (lost or near_change_point(seen) or seen.min() < CLOSE * most):
            before += solver.nfev
            state.evaluations[k] = before
            _lead(problem, state, k)
            if state.status[k] == RUNNING:
                solver = solver_from(float(state.t[k]))
            look(state)
            continue
        state.evaluations[k] = before + solver.nfev
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            state.status[k] = DIVERGED
            return
        until = int(np.searchsorted(times, solver.t, side="right"))
        if until > state.next[k]:
            new = slice(int(state.next[k]), until)
            y = solver.dense_output()(times[new]).T
            state.out_q[k, new], state.out_v[k, new] = _closed(problem, model, _normal(model, y[:, :nq]), y[:, nq:], k)
            state.next[k] = until
        # the goal itself, where it arrives
        state.q[k], state.v[k], state.t[k] = _normal(model, solver.y[None, :nq])[0], solver.y[nq:], solver.t
        state.steps[k] += 1
        arrived = solver.status == "finished"
        state.status[k] = DONE if arrived and goal[0] >= times[-1] else RUNNING
        open_again = problem.closed and _drifts(problem, model, state, k)
        if state.status[k] == RUNNING and (arrived or open_again):
            before += solver.nfev
            solver = solver_from(float(state.t[k]))
        look(state)


def _drifts(problem: Problem, model: Model, state: Progress, k: int) -> bool:
    """Close the loops of a run, and tell whether they were open by so much that its solver has to begin anew.

    Left alone, a solver of many steps leaves the loops by what its errors add up to, and ever faster.
    """
    (q,), (v,) = _closed(problem, model, state.q[[k]], state.v[[k]], k)
    made = False
    for old, new in ((state.q[k], q), (state.v[k], v)):
        made |= bool(np.any(np.abs(new - old) > DRIFT * (problem.atol + problem.rtol * np.maximum(1.0, np.abs(new)))))
    state.q[k], state.v[k] = q, v
    return made


def _regular(problem: Problem, model: Model, state: Progress, k: int) -> float:
    """About the least pivot that the loops have away from change points, for a run that may begin at one."""
    if not problem.closed or sum(len(loop.kept) for loop in model.loops) > LARGE:
        return 0.0
    share = max(dependence(model, state.q[k])[0], 1e-12)
    q, v, t = state.q[[k]], state.v[[k]], state.t[[k]]
    pivot = float(problem.rates(t, q, np.zeros_like(v), v, np.array([k]))[2][0])
    return pivot / min(1.0, share / SINGULAR) ** 2  # a pivot goes with the square of the distance, the share with it


def _step(solver: Any, closed: bool) -> bool:
    """Whether a solver's step was lost, where loops may be the reason: they gave it no numbers to go on with."""
    try:
        solver.step()
    except (ValueError, FloatingPointError, np.linalg.LinAlgError) as error:
        if isinstance(error, OrdernError) or not closed:
            raise
        return True
    return closed and bool(solver.status == "failed")


def _lead(problem: Problem, state: Progress, k: int) -> None:
    """One run over a change point, from where the last step ended."""
    times, t = problem.times, float(state.t[k])
    end = min(float(times[-1]), t + OVER / max(1.0, float(np.abs(state.v[k]).max())))
    h = (end - t) / AHEAD
    outputs = {float(times[i]): i for i in range(int(state.next[k]), len(times)) if times[i] <= end}
    led_over(
        problem, state, k, [(x, outputs.get(x, 0)) for x in sorted({*(t + h * np.arange(1, AHEAD)), end, *outputs})], h
    )
