"""What simulate just takes and just does not; times that are kept; signals; the watch over runs; how a Run looks."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import ordern
from ordern.simulate import job
from ordern.simulate.arguments import number, output_times
from ordern.simulate.control import given
from ordern.simulate.integrators import DONE, RUNNING, STEPS, TIME
from ordern.simulate.signals import Signal, segments
from ordern.simulate.simulate import _bounds, _settings
from robots import serial

ARM = ordern.robots.planar3()


def refused(call, *given):
    try:
        call(*given)
    except (ordern.InputError, ordern.ShapeError):
        return True
    return False


@pytest.mark.parametrize("zero", [False, True])
def test_numbers_lie_between_their_bounds(zero):
    for low, high in ((0.0, np.inf), (2.0, 3.0), (-1.0, 1.0)):
        near = [low - 1e-12, low, low + 1e-12, *((high, high + 1e-12) if np.isfinite(high) else (1e300,))]
        wanted = [True, not zero, False, *((False, True) if np.isfinite(high) else (False,))]
        assert [refused(number, "x", x, low, high, zero) for x in near] == wanted
    for odd in (np.nan, np.inf, -np.inf, "long", None, 10**400, [1.0, 2.0]):
        assert refused(number, "x", odd, -1e3, np.inf, zero)


@pytest.mark.parametrize(
    ("span", "every"), [(1.0, 0.25), (1.0, 0.3), (0.3, 0.1), (1e-6, 1.0), (7.0, 0.7), (2.0, 2.0), (1e5, 1e3 / 3)]
)
def test_outputs_come_evenly_and_end_at_the_end(span, every):
    """The last stretch is what is left; a rest of less than 1e-9 of a step is rounding and makes no row of its own."""
    for off in (0.0, 5e-10, -5e-10, 2e-9, -2e-9):
        end = span + off * every
        times, kept = output_times(end, every, None)
        assert (times[0], times[-1]) == (0.0, end) and kept == slice(0, len(times))
        gaps = np.diff(times)
        np.testing.assert_allclose(gaps[:-1], every, rtol=1e-8)
        whole = round(span / every)
        if whole and abs(span / every - whole) < 1e-12:
            assert len(times) == whole + 1 + (off > 1e-9)
        assert 0 < gaps[-1] <= every * (1 + 1e-9)
    times, kept = output_times(span, None, None)
    assert times.tolist() == [0.0, span] and kept == slice(0, 2)


def test_times_that_are_chosen():
    """Within the duration and increasing, of one axis; where the run begins and ends is made, but not kept."""
    for times in ([0.0, 0.5, 1.0], [0.2], [0.0], [1.0], [0.3, 1.0], [0.0, 0.4]):
        every, kept = output_times(1.0, None, times)
        assert every[kept].tolist() == times and (every[0], every[-1]) == (0.0, 1.0)
        assert (np.diff(every) > 0).all() and len(every) == len({0.0, *times, 1.0})
    for odd in ([], [[0.1]], [-1e-9, 0.5], [0.5, 1.0 + 1e-9], [0.2, 0.2], [0.5, 0.4], [np.nan], 0.5):
        assert refused(output_times, 1.0, None, odd)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"numbers": (1e-15, 0.0, None)}, {"numbers": (0.99e-15, 0.0, None)}),
        ({"numbers": (1.0, 0.0, None)}, {"numbers": (1.001, 0.0, None)}),
        ({"numbers": (1e-8, 0.0, None)}, {"numbers": (1e-8, -1e-12, None)}),
        ({"method": "rk4", "numbers": (1e-8, 0.0, 1e-10)}, {"method": "rk4", "numbers": (1e-8, 0.0, 0.99e-10)}),
        ({"numbers": (1e-8, 0.0, 0.99e-10)}, {"numbers": (1e-8, 0.0, 0.0)}),
        ({"duration": 1e-300}, {"duration": 0.0}),
        ({"output_dt": 1e-3}, {"output_dt": 0.99e-8}),
        ({"method": "RADAU"}, {"method": "raddau"}),
    ],
)
def test_settings_are_just_allowed(good, bad):
    usual = {"method": "dopri5", "duration": 1.0, "output_dt": 0.1, "t_eval": None, "numbers": (1e-8, 1e-10, None)}
    assert not refused(_settings, *(usual | good).values()) and refused(_settings, *(usual | bad).values())
    assert _settings(*usual.values()).dt == 1e-3


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ((1, None, None), (0, None, None)),
        ((10**15, None, None), (10**15 + 1, None, None)),
        ((None, 1e-9, None), (None, 0.0, None)),
        ((None, None, 2e-10), (None, None, 1.99e-10)),
    ],
)
def test_bounds_of_runs_are_just_allowed(good, bad):
    assert not refused(_bounds, *good, 2.0) and refused(_bounds, *bad, 2.0)


# --- signals ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("runs", [None, 3])
@pytest.mark.parametrize("kind", ["hold", "linear", "cubic"])
def test_series_are_what_their_kind_says(kind, runs):
    """Each channel and run by itself, at and between samples; before and after them the ends are held."""
    rng = np.random.default_rng(4)
    t = np.array([0.5, 0.6, 1.1, 1.7, 2.0])
    v = rng.normal(size=(5, 2) if runs is None else (runs, 5, 2))
    made = Signal.series(t, v, kind)
    x = np.concatenate([[-1.0, 0.5], rng.uniform(0.5, 2.0, 40), t, [5.0]])
    assert made.channels == 2 and made.runs == runs
    for run in range(runs or 1):
        own = v if runs is None else v[run]
        got = made(x, None if runs is None else np.full(len(x), run))
        inside = np.clip(x, 0.5, 2.0)
        for c in range(2):
            if kind == "hold":
                wanted = own[np.searchsorted(t, inside, side="right") - 1, c]
            else:
                wanted = np.interp(inside, t, own[:, c]) if kind == "linear" else CubicSpline(t, own[:, c])(inside)
            np.testing.assert_allclose(got[:, c], wanted, rtol=0, atol=1e-13)
    away = x[np.abs(x[:, None] - t).min(axis=1) > 1e-3]
    away = away[(away > 0.5) & (away < 2.0)]
    of = None if runs is None else np.ones(len(away), int)
    slope = (made(away + 1e-6, of) - made(away - 1e-6, of)) / 2e-6
    np.testing.assert_allclose(made.derivative()(away, of), slope, rtol=0, atol=1e-6)
    assert not made.derivative().derivative().derivative().derivative().coefficients.any()


def test_series_that_are_none():
    t, v = np.arange(3.0), np.zeros((3, 2))
    good = (t, v, "linear")
    assert not refused(Signal.series, *good) and not refused(Signal.series, t[:2], v[:2])
    odd_times = ((t[:1], v[:1]), (t, v[:2]), (t[None], v), (t[::-1], v), ([0, 1, 1], v), ([0, 1, np.inf], v))
    odd_values = ((t, v[:, 0]), (t, np.zeros((1, 1, 3, 2))), (t, v, "cubist"), (t, v, 3), (t, v * np.nan))
    for odd in odd_times + odd_values:
        assert refused(Signal.series, *odd)


def test_even_pieces_and_where_signals_change():
    assert Signal.series([0.1, 0.2, 0.3], np.zeros((3, 1))).uniform
    assert not Signal.series([0.1, 0.2, 0.3 + 1e-11], np.zeros((3, 1))).uniform
    assert Signal.series(1e6 + np.array([0.1, 0.2, 0.3]), np.zeros((3, 1))).uniform
    later = [
        Signal.series([-1.0, x, 9.0], [[0.0], [1.0], [2.0]], "hold")
        for x in (0.0, 1e-12, 0.2, 0.2 + 2e-12, 1 - 1e-12, 1.0)
    ]
    inside = segments(later, 0.0, 1.0)
    assert inside[0] == 0.0 and inside[-1] == 1.0 and len(inside) == 4 and (np.diff(inside) > 1e-12).all()


# --- the watch --------------------------------------------------------------------------------------------------------
def states(**given):
    usual = {"status": np.full(4, RUNNING), "steps": np.array([1, 2, 3, 4]), "t": np.array([2.0, 3.0, 4.0, 6.0])}
    return SimpleNamespace(**(usual | given))


def test_too_many_steps_are_more_than_are_allowed():
    """Of runs under way, and at the end of those that are done, whenever one looks; others are left as they ended."""
    watch, state = (
        job.Watch(np.array([2.0, 6.0]), False, max_steps=3),
        states(status=np.array([RUNNING, DONE, RUNNING, RUNNING])),
    )
    watch(state)
    assert state.status.tolist() == [RUNNING, DONE, RUNNING, STEPS]
    state = states(status=np.array([RUNNING, DONE, DONE, DONE]))
    watch.end(state)
    assert state.status.tolist() == [RUNNING, DONE, DONE, STEPS]


def test_time_is_over_after_so_many_seconds(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(job.time, "perf_counter", lambda: now[0])
    watch, state = job.Watch(np.array([2.0, 6.0]), False, max_seconds=5.0), states(status=np.array([RUNNING, DONE] * 2))
    for now[0], wanted in ((105.0, RUNNING), (105.1, TIME)):
        watch(state)
        assert state.status.tolist() == [wanted, DONE] * 2


def test_the_share_that_is_done(monkeypatch):
    """Of the time of all runs, ended ones counting whole; a bar only once a second has gone, five times a second at most."""
    told = []
    watch = job.Watch(np.array([2.0, 6.0]), told.append)
    watch(states())
    watch(states(status=np.array([RUNNING, DONE, RUNNING, STEPS])))
    watch.before, watch.share = 0.5, 0.25
    watch(states())
    np.testing.assert_allclose(told, [(0 + 0.25 + 0.5 + 1) / 4, (0 + 1 + 0.5 + 1) / 4, 0.5 + 0.25 * 1.75 / 4])
    now = [10.0]
    monkeypatch.setattr(job.time, "perf_counter", lambda: now[0])
    watch = job.Watch(np.array([2.0, 6.0]), True)
    shown = []
    for now[0] in (10.5, 10.99, 11.0, 11.1, 11.19, 11.21, 11.4, 11.42):
        watch(states())
        if watch.bar is not None and not shown:
            watch.bar.stop()
            watch.bar = SimpleNamespace(
                update=lambda task, completed: shown.append((now[0], completed)), stop=lambda: None
            )
            shown.append((now[0], 1.75 / 4))
    assert [t for t, _ in shown] == [11.0, 11.21, 11.42] and {x for _, x in shown} == {1.75 / 4}


# --- how a run looks --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("count", range(1, 9))
def test_the_first_three_and_last_two_states_are_shown(count):
    robot = ordern.Robot(serial("R" * 7, 1))
    names = [f"a_long_name_{k}" if k else "short_name_1" for k in range(7)]
    bodies = [replace(b, name=names[i - 1]) if i else b for i, b in enumerate(robot.model.bodies)]
    q = np.arange(7 * count).reshape(count, 7) / 8
    run = ordern.Run(
        robot.model.with_bodies(bodies),
        np.arange(count) / 4,
        q,
        0 * q,
        stats={"method": "rk4", "steps": np.array([3, 5])},
    )
    head, *lines = repr(run).splitlines()
    assert f"{count} times to {(count - 1) / 4:.6g} s" in head and "steps        3 to 5" in lines[1]
    table = [line.split() for line in lines[2:]]
    assert table[0] == ["t", "short_name_1", *["a_long_name…"] * 5]
    rows = sorted({*range(min(3, count)), *range(max(0, count - 2), count)})
    wanted = []
    for before, k in itertools.pairwise([-1, *rows]):
        wanted += [["..."]] * (k > before + 1) + [[f"{x:.6g}" for x in (run.t[k], *q[k, :6])]]
    assert table[1:] == wanted


def test_runs_of_an_ensemble_by_number_from_either_end():
    runs = ARM.simulate(np.array([[0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0]]), duration=0.02, engine="numpy")
    for k in (-3, -1, 0, 2):
        assert runs[k].q[0, 0] == pytest.approx(0.1 * (k % 3 + 1)) and runs[k].stats["steps"] == runs.stats["steps"][k]
        np.testing.assert_allclose(runs[k].qdd, runs.qdd[k], rtol=0, atol=1e-12)
    for k in (-4, 3):
        with pytest.raises(IndexError):
            runs[k]
    assert runs.message == "all runs reached their end" and len(runs) == 3 and runs.runs == 3
    runs.status[1] = "stiff"
    assert runs.message == "1 of 3 runs did not reach their end: stiff" and not runs.complete


@pytest.mark.parametrize(
    ("runs", "shapes"),
    [
        (None, {(): "Constant", (3,): "Constant", (2, 3): "Series", (1, 3): "", (2, 2): "", (2, 2, 3): ""}),
        (2, {(3,): "Constant", (2, 3): "Constant", (3, 3): "", (2, 2, 3): "Series", (2, 1, 3): "", (3, 2, 3): "", (2, 2, 2): "", (1, 2, 2, 3): ""}),
        (3, {(3, 3): "Constant", (3, 4, 3): "Series", (2, 3): "", (4, 3): ""}),
    ],
)  # fmt: skip
def test_torques_are_constant_or_spread_over_the_duration(runs, shapes):
    """By their axes: one number a joint, a row a run, a row a time; (times, values) always are a series."""
    for shape, kind in shapes.items():
        if not kind:
            assert refused(given, np.ones(shape), ARM.model, runs, 2.0), shape
            continue
        law = given(np.ones(shape), ARM.model, runs, 2.0)
        assert type(law).__name__ == kind, shape
        if kind == "Series":
            np.testing.assert_allclose(law.times, np.linspace(0.0, 2.0, shape[-2]))
    pair = given((np.array([0.0, 1.0]), np.ones((2, 3))), ARM.model, runs, 2.0)
    assert type(pair).__name__ == "Series" and pair.times.tolist() == [0.0, 1.0]
    assert type(given((1.0, 2.0, 3.0), ARM.model, runs, 2.0)).__name__ == "Constant"
    assert given(None, ARM.model, runs, 2.0) is None and given(pair, ARM.model, runs, 2.0) is pair


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"external": {"link3": 5.0}}, r"external\['link3'\] must be \(6,\) or"),
        ({"parameters": {"payload": {"mass": 1.0, "com": 0.1}}}, r"payload com must be \(3,\) or"),
        ({"friction": 0.5}, "friction is 0.5; give True or False; its numbers go into parameters"),
        ({"saturate": 0.5}, "saturate is 0.5; give True or False; how much"),
        ({"torque": ordern.control.PD}, r"torque is the class PD; give a law with its numbers: PD\(...\)"),
    ],
)
def test_one_number_or_a_class_is_not_taken_for_something_else(options, said):
    """Spread over a moment and a force, or over a place, or taken for yes, they would change the motion in silence."""
    with pytest.raises((ordern.InputError, ordern.ShapeError), match=said):
        ARM.simulate([0.1, 0.2, 0.3], duration=0.01, **options)


def test_one_number_as_the_state_to_stay_at_is_a_place():
    made = ordern.control.StateFeedback(np.ones((3, 6)), 0.5).channels(ARM.model)
    assert made["q0"].values.tolist() == [0.5] * 3 and made["qd0"].values.tolist() == [0.0] * 3


def test_the_quaternion_that_is_farthest_from_unit_length_is_named():
    robot = ordern.Robot(serial("FR", 1))
    q0 = np.tile(robot.neutral(), (3, 1))
    for row, length in enumerate((1.5, 0.25, 1.7)):
        q0[row, 3:7] *= length
    with pytest.raises(ordern.InputError, match=r"length 0\.25 for joint"):
        robot.simulate(q0, duration=0.1)


def test_one_number_is_a_state_of_one_joint_alone():
    """For more joints it is refused, and what may have been a duration is told apart."""
    pendulum = ordern.robots.pendulum()
    run = pendulum.simulate(0.3, 0.1, duration=0.01)
    assert (run.q[0, 0], run.qd[0, 0]) == (0.3, 0.1)
    for start, shape, hint in (
        ((0.3,), r"\(\)$", ""),
        (([0.3], 0.2), r"\(1,\)$", ""),
        (([0.1] * 3, 2.0), r"\(\); a duration", "duration=2.0"),
    ):
        with pytest.raises(ordern.ShapeError, match=f"must have 3 numbers in its last axis, got shape {shape}") as told:
            ARM.simulate(*start)
        assert hint in str(told.value)
    with pytest.raises(ordern.ShapeError, match=r"must have 1 numbers in its last axis, got shape \(2,\)$"):
        pendulum.simulate([0.3, 0.2])
