"""The integrators in NumPy on motions that are known: oscillators, each run with its own, with and without a change point on the way."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from ordern.emit.tableaus import TABLES
from ordern.simulate import fixed_steps
from ordern.simulate.fixed_steps import crossed, fixed, fixed_plan, led_over
from ordern.simulate.integrators import DIVERGED, DONE, RUNNING, TINY, Problem, Progress, adaptive

RATE = np.array([1.0, 2.3, 0.7])  # rad/s of the runs


def exact(t, start=0.0):
    """q and v of all runs (runs, times, 1): A turn that begins at 0.3 rad at ``start``."""
    angle = RATE[:, None] * (np.asarray(t) - start)[None]
    return 0.3 * np.cos(angle)[..., None] + np.sin(angle)[..., None], (
        RATE[:, None] * (np.cos(angle) - 0.3 * np.sin(angle))
    )[..., None]


def problem(times, pivot=lambda t, q: np.ones(len(q)), **more):
    """q'' = -rate^2 q; ``pivot`` of the time and of the coordinates."""

    def rates(t, q, x, v, rows, pick=None):
        return v, -(RATE[rows, None] ** 2) * (q + x), pivot(np.broadcast_to(t, len(q)), (q + x)[:, 0])

    return Problem(rates, lambda q, x: (q + x, np.abs(q + x)), np.asarray(times, float), **more)


def begun(times):
    q, v = exact(times)
    return Progress.begin(q[:, 0], v[:, 0], np.asarray(times, float))


def run(of, how, state=None):
    state = state or begun(of.times)
    if how in ("dopri5", "dop853"):
        adaptive(of, TABLES[how], state, lambda s: None)
    else:
        fixed(of, TABLES.get(how, how), state, lambda s: None)
    return state


TIMES = np.array([0.0, 0.35, 0.4, 1.9, 2.0])


@pytest.mark.parametrize(
    ("how", "rtol", "most"), [("dopri5", 1e-6, 3e-5), ("dop853", 1e-9, 3e-8), ("dopri5", 1e-9, 3e-8)]
)
def test_adaptive_steps_keep_their_tolerance(how, rtol, most):
    """Outputs between steps and at the end; errors add up over some tens of steps."""
    state = run(problem(TIMES, rtol=rtol, atol=rtol), how)
    q, v = exact(TIMES)
    np.testing.assert_allclose(state.out_q, q, rtol=0, atol=most)
    np.testing.assert_allclose(state.out_v, v, rtol=0, atol=3 * most)
    assert (state.status == DONE).all() and (state.next == len(TIMES)).all() and (state.t == 2.0).all()
    more = state.evaluations - 2 - TABLES[how].stages * (state.steps + state.rejected)
    assert np.isin(more, (3, 6, 9) if how == "dop853" else 0).all()  # for the outputs within a step
    np.testing.assert_array_equal(state.out_q[:, -1], state.q)
    longest = run(problem(TIMES, rtol=rtol, atol=rtol, max_step=0.01), how).steps
    assert (longest >= 200).all() and (longest <= 206).all() and (state.steps < 100).all()


@pytest.mark.parametrize("how", ["dopri5", "dop853", "rk4", "euler"])
def test_a_run_does_not_depend_on_the_others(how):
    of = problem(TIMES, dt=0.01, rtol=1e-6)
    together = run(of, how)
    for k in range(3):

        def alone(t, q, x, v, rows, pick=None, k=k):
            return of.rates(t, q, x, v, np.full(len(rows), k), pick)

        q, v = exact(TIMES)
        one = run(replace(of, rates=alone), how, Progress.begin(q[[k], 0], v[[k], 0], TIMES))
        np.testing.assert_array_equal(one.out_q[0], together.out_q[k])
        assert one.steps[0] == together.steps[k] and one.evaluations[0] == together.evaluations[k]


@pytest.mark.parametrize(("how", "order"), [("rk4", 4), ("euler", 1)])
def test_fixed_steps_have_their_order(how, order):
    """Halved steps: the error goes down by 2 to the power of the order."""
    errors = []
    for dt in (0.02, 0.01):
        of = problem(TIMES, dt=dt)
        state = run(of, how)
        assert (state.status == DONE).all() and (state.steps == fixed_plan(TIMES, dt).sum()).all()
        np.testing.assert_array_equal(state.evaluations, state.steps * (4 if how == "rk4" else 1))
        errors.append(np.abs(state.out_q - exact(TIMES)[0])[:, 1:].max(axis=(1, 2)))
    assert np.all(np.abs(np.log2(errors[0] / errors[1]) - order) < 0.25)


@pytest.mark.parametrize("dt", [0.05, 0.1, 0.3, 1.0, 2.0])
def test_plans_have_the_fewest_steps_that_are_not_longer(dt):
    plan = fixed_plan(TIMES, dt)
    lengths = np.diff(TIMES) / plan
    assert (lengths <= dt * (1 + 1e-9)).all()
    assert ((plan == 1) | (np.diff(TIMES) / np.maximum(1, plan - 1) > dt)).all()


def test_steps_end_where_pieces_of_signals_end():
    ends = []
    of = problem(TIMES, rtol=1e-4, segments=np.array([0.0, 0.61, 1.3, 2.0]))
    adaptive(of, TABLES["dopri5"], state := begun(TIMES), lambda s: ends.append(s.t.copy()))
    for k in range(3):
        assert {0.61, 1.3, 2.0} <= {e[k] for e in ends}
    np.testing.assert_array_equal(
        of.goals(np.array([0.0, 0.6, 0.61, 1.29, 1.3, 1.99])), [0.61, 0.61, 1.3, 1.3, 2.0, 2.0]
    )
    assert (state.status == DONE).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_run_is_led_along_the_steps_of_its_plan(monkeypatch, seed):
    """From any step, to the next dozen or as many as are left, with the number of the output wherever one is."""
    rng = random.Random(seed)
    times = np.cumsum([0.0, *(rng.uniform(0.1, 1.0) for _ in range(rng.randint(1, 8)))])
    of, plan = problem(times), np.array([rng.randint(1, 5) for _ in times[1:]])
    every = [
        (
            times[k + 1] if j == n - 1 else times[k] + (j + 1) * ((times[k + 1] - times[k]) / n),
            k + 1 if j == n - 1 else 0,
            k,
        )
        for k, n in enumerate(plan.tolist())
        for j in range(n)
    ]
    at = rng.randrange(len(every))
    k = every[at][2]
    seen = []
    monkeypatch.setattr(fixed_steps, "led_over", lambda *given: seen.append(given) or 7)
    assert crossed(of, plan, state := begun(times), 1, k, at - int(plan[:k].sum())) == 7
    ((got, state_, row, grid, h),) = seen
    wanted = every[at : at + 12]
    assert (got, state_, row) == (of, state, 1)
    np.testing.assert_allclose([t for t, _ in grid], [t for t, *_ in wanted], rtol=1e-15)
    assert [o for _, o in grid] == [o for _, o, _ in wanted]
    last = wanted[-1][2]
    assert h == pytest.approx((times[last + 1] - times[last]) / plan[last], rel=1e-14)


GRID = [(0.1, 0), (0.2, 1), (0.3, 0), (0.4, 2), (0.5, 0)]
OUTPUTS = np.array([0.0, 0.2, 0.4, 1.0])


@pytest.mark.parametrize("blocked", [0, 1, 2, 3])
def test_a_run_ends_at_one_of_the_last_points_that_can_be_reached(monkeypatch, blocked):
    """Every second from the last, then beyond it; outputs on the way are written, and only this run moves."""
    tried = []

    def reached(of, table, part, look):
        tried.append((of.times[-1], of.rtol, of.leaps))
        if len(tried) > 2 * blocked:
            adaptive(of, table, part, look)
        else:
            part.status[:] = TINY

    monkeypatch.setattr(fixed_steps, "adaptive", reached)
    state = begun(OUTPUTS)
    before = state.q.copy()
    count = led_over(problem(OUTPUTS), state, 1, GRID, 0.1)
    end, left = [(0.5, 5), (0.3, 3), (0.1, 1), (0.537, 5)][blocked]
    assert count == left and tried[-1] == (pytest.approx(end), 1e-14, False)
    assert [leaps for *_, leaps in tried] == [bool(k % 2) for k in range(len(tried))]
    t = GRID[left - 1][0]
    np.testing.assert_allclose([state.q[1, 0], state.v[1, 0]], [a[1, 0, 0] for a in exact([t])], rtol=0, atol=1e-11)
    for output in (1, 2):
        written = OUTPUTS[output] <= t
        wanted = exact(OUTPUTS)[0][1, output, 0] if written else np.nan
        np.testing.assert_allclose(state.out_q[1, output, 0], wanted, rtol=0, atol=1e-11)
    assert state.next[1] == 1 + sum(OUTPUTS[k] <= t for k in (1, 2)) and state.t[1] == t
    assert state.steps[1] == left and state.evaluations[1] > 0 and state.status[1] == RUNNING
    np.testing.assert_array_equal(state.q[[0, 2]], before[[0, 2]])
    assert state.steps[[0, 2]].tolist() == [0, 0]


def test_a_run_that_is_led_to_its_end_is_done():
    state = begun(np.array([0.0, 0.2]))
    assert led_over(problem([0.0, 0.2]), state, 0, [(0.1, 0), (0.2, 1)], 0.1) == 2
    assert state.status.tolist() == [DONE, RUNNING, RUNNING]


@pytest.mark.parametrize("how", [TINY, DIVERGED])
def test_a_run_that_nothing_leads_on_is_told(monkeypatch, how):
    """All tolerances and ends are tried, unless there are no numbers at all."""
    tried = []

    def stuck(of, table, part, look):
        tried.append(of.rtol)
        part.status[:] = how

    monkeypatch.setattr(fixed_steps, "adaptive", stuck)
    state = begun(OUTPUTS)
    assert led_over(problem(OUTPUTS), state, 2, GRID, 0.1) == 1 and state.status.tolist() == [RUNNING, RUNNING, TINY]
    assert tried == ([1e-14] * 12 + [1e-12] * 12 + [1e-10] * 12 if how == TINY else [1e-14])


@pytest.mark.parametrize("how", ["rk4", "euler", "dopri5", "dop853"])
@pytest.mark.parametrize("at", [0.5, 0.497])
def test_change_points_are_passed(how, at):
    """Where a coordinate is ``at`` the loops' least pivot is zero, and rates within 1e-5 of it are noise: no stage comes so near."""
    times = np.linspace(0.0, 2.0, 21)
    of = problem(times, dt=2e-3, rtol=1e-9, atol=1e-9, closed=True, pivot=lambda t, q: (q - at) ** 2)
    clean = of.rates

    def noisy(t, q, x, v, rows, pick=None):
        dx, dv, pivot = clean(t, q, x, v, rows, pick)
        return dx, np.where(pivot[:, None] < 1e-10, 1e9, dv), pivot

    of.rates = noisy
    state = run(of, how)
    assert (state.status == DONE).all() and np.isfinite(state.out_q).all()
    error = {"rk4": 1e-8, "euler": 2e-2, "dopri5": 1e-6, "dop853": 1e-6}[how]  # of the method without a change point
    np.testing.assert_allclose(state.out_q, exact(times)[0], rtol=0, atol=error)
    if how in ("rk4", "euler"):
        assert (state.steps == 1000).all()
