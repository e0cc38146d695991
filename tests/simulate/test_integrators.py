"""The integrators in NumPy on motions that are known: oscillators, each run with its own, with and without a change point on the way."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from ordern.emit.tableaus import TABLES
from ordern.simulate import fixed_steps, integrators
from ordern.simulate.fixed_steps import crossed, fixed, fixed_plan, led_over
from ordern.simulate.integrators import DIVERGED, DONE, RUNNING, STIFF, TINY, Problem, Progress, adaptive
from ordern.simulate.langevin import Bath, baoab

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

    usual = {
        "rtol": 1e-8,
        "atol": 1e-10,
        "dt": 1e-3,
        "hamilton": None,
        "momenta": None,
        "tangent": lambda q, v, rows: v,
    }
    usual |= {
        "closed": False,
        "dependence": lambda q: 1.0,
        "segments": np.array([times[0], times[-1]]),
        "max_step": np.inf,
    }
    return Problem(rates, lambda q, x, rows: (q + x, np.abs(q + x)), np.asarray(times, float), **(usual | more))


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


# --- slow runs --------------------------------------------------------------------------------------------------------
def test_slow_runs_end_by_what_holds_them():
    """Speeds beyond 1e6 explode, dependent loops hold, steps above 1 / (fastest rate) are stiff; others go on, ended ones stay as they are."""
    of = problem(TIMES, dependence=lambda q: float(q[0]))
    for rows in ([0, 1, 2], [1]):
        np.testing.assert_allclose(integrators._fastest(of, begun(TIMES), np.array(rows)), RATE[rows], rtol=1e-5)
    stiff = 1.001 / RATE
    cases = [
        ({"v": 1.1e6, "h": stiff}, DIVERGED), ({"v": -1.1e6, "q": 0.9e-4}, DIVERGED), ({"q": 0.9e-4, "h": stiff}, TINY),
        ({"q": 1.1e-4, "h": stiff}, STIFF), ({"h": 0.999 / RATE}, RUNNING), ({"v": 0.9e6, "h": 0.9 / RATE}, RUNNING),
    ]  # fmt: skip
    for given, wanted in cases:
        state = begun(TIMES)
        state.q[:], state.h[:] = 1.0, 1e-3
        for name, value in given.items():
            getattr(state, name)[:] = value if name == "h" else np.full((3, 1), value)
        state.status[1] = DONE
        integrators.slow(of, state, np.array([1, 2]))
        assert state.status.tolist() == [RUNNING, DONE, wanted], given


def test_slowness_is_looked_for_now_and_then(monkeypatch):
    """After so many attempts, in runs that got no farther than a share of the whole since the last look."""
    seen, marks = [], [np.full(3, 5.0)]

    def slow(of, state, rows):
        seen.append((rows.tolist(), state.t.copy()))

    monkeypatch.setattr(integrators, "slow", slow)
    monkeypatch.setattr(integrators, "SLOW_STEPS", 4)
    monkeypatch.setattr(integrators, "SLOW_SHARE", 0.05)
    times, attempts = TIMES + 5.0, []
    of = problem(times, rtol=1e-9, atol=1e-9)
    q, v = exact(times, 5.0)
    adaptive(of, TABLES["dopri5"], Progress.begin(q[:, 0], v[:, 0], times), lambda s: attempts.append(s.t.copy()))
    assert len(seen) == len(attempts) // 4 > 3
    for k, (rows, t) in enumerate(seen):
        np.testing.assert_array_equal(t, attempts[4 * k + 3])
        assert rows == np.flatnonzero(t - marks[-1] < 0.05 * 2.0).tolist()
        marks.append(t)
    assert any(0 < len(rows) < 3 for rows, _ in seen)


@pytest.mark.parametrize("segments", [[0.0, 2.0], [0.0, 0.7, 2.0], [0.0, 0.3, 0.7, 1.1, 2.0]])
@pytest.mark.parametrize("end", [1.0, 2.0, 2.3])
def test_steps_have_the_next_end_of_a_piece_as_their_goal(segments, end):
    """Or the end of the run, also where that is led beyond the last piece."""
    of = replace(problem(TIMES, segments=np.array(segments)), times=np.array([0.0, end]))
    t = np.array([x for x in (0.0, 0.29, 0.3, 0.69, 0.7, 0.99, 1.1, 1.9, 2.0, 2.1) if x < end])
    assert of.goals(t).tolist() == [min([x for x in segments[1:-1] if x > a] + [end]) for a in t]


@pytest.mark.parametrize("how", ["rk4", "euler"])
@pytest.mark.parametrize("segments", [[0.0, 0.3], [0.0, 0.1, 0.3]])
def test_runs_end_at_a_change_point(how, segments):
    """With a signal of several pieces they had been given up: nothing led them beyond the last piece."""
    times = np.linspace(0.0, 0.3, 7)
    at = exact(times)[0][0, -1, 0]  # where the first run ends
    of = problem(times, dt=2e-3, closed=True, pivot=lambda t, q: (q - at) ** 2, segments=np.array(segments))
    state = run(of, how)
    assert (state.status == DONE).all()
    np.testing.assert_allclose(state.out_q, exact(times)[0], rtol=0, atol=1e-3 if how == "euler" else 1e-11)


# --- Langevin steps ---------------------------------------------------------------------------------------------------
class Bead:
    """A free bead with forces that may depend on time and speed."""

    first = 3

    def __init__(self, loss):
        self.loss, self.brakes = loss, bool(loss)

    def kick(self, t, q, v, rows):
        return t[:, None] - 2.0 * q - self.loss * v

    def drift(self, q, x, v, rows):
        return v, 0.0 * v

    def advance(self, q, x, rows):
        return q + x, np.abs(q + x)

    def heat(self, q, kicks, rows):
        return kicks


@pytest.mark.parametrize("loss", [0.0, 0.7])
def test_langevin_steps_are_their_parts_in_order(loss):
    """B A O A B with exp(-rate h), variance (1 - exp(-2 rate h)) kT and each run's own random numbers, over more steps than are drawn at once."""
    times, rate, seed = np.array([1.0, 1.35, 1.4, 2.9]), 0.8, 11
    kT = np.array([9.0, 9.0, 9.0, 0.5, 0.0])
    q = np.array([[0.2, -0.1], [0.4, 0.3]])
    v = np.array([[1.0, -2.0], [0.5, 0.7]])
    state = Progress.begin(q, v, times)
    baoab(Bead(loss), Bath(kT, rate, seed), times, 0.02, state, lambda s: None)
    plan = fixed_plan(times, 0.02)
    for r in range(2):
        draws = np.random.Generator(np.random.Philox(key=[seed, 3 + r])).standard_normal((plan.sum(), 2))
        a, u, step = q[r], v[r], 0

        def kicked(t, a, u, h):
            mid = u + h / 2 * (t - 2 * a - loss * u)
            return u + h * (t - 2 * a - loss * (mid if loss else u))

        for k, count in enumerate(plan):
            h = (times[k + 1] - times[k]) / count
            for j in range(count):
                u = kicked(times[k] + j * h, a, u, h / 2)
                a = a + h / 2 * u
                u = np.exp(-rate * h) * u + np.sqrt((1 - np.exp(-2 * rate * h)) * kT[3 + r]) * draws[step]
                a = a + h / 2 * u
                u = kicked(times[k] + (j + 1) * h, a, u, h / 2)
                step += 1
            np.testing.assert_allclose(state.out_q[r, k + 1], a, rtol=1e-11)
            np.testing.assert_allclose(state.out_v[r, k + 1], u, rtol=1e-11)
    assert (state.steps == plan.sum()).all() and (state.status == DONE).all() and (state.next == 4).all()
    assert (state.evaluations == plan.sum() * (13 if loss else 11)).all() and (state.t == times[-1]).all()


def test_langevin_runs_that_lose_their_numbers_end_alone():
    times, bead = np.array([0.0, 1.0]), Bead(0.0)
    bead.heat = lambda q, kicks, rows: np.where(rows[:, None] == 1, np.nan, 0.0 * kicks)
    state = Progress.begin(np.zeros((3, 1)), np.ones((3, 1)), times)
    baoab(bead, Bath(np.array(1.0), 1.0, 0), times, 0.1, state, lambda s: None)
    assert state.status.tolist() == [DONE, DIVERGED, DONE] and state.steps.tolist() == [10, 0, 10]
    assert np.isnan(state.out_q[1, 1]).all() and np.isfinite(state.out_q[[0, 2]]).all()
