"""A run that an event stops ends with the event's row: alone, in an ensemble and from a file, by every method."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.simulate.events import Crossings
from ordern.simulate.simulate import METHODS

ROBOT = ordern.robots.pendulum()
Q0 = np.array([[0.4], [0.9], [-0.2]])
FIXED = ("rk4", "euler", "symplectic")
VALUES = ("t", "q", "qd", "qdd", "tau", "energy", "power")
EVERY = [
    (method, engine)
    for method in METHODS
    if method != "baoab"  # refuses events
    for engine in (("compiled", "numpy") if method not in ("LSODA", "Radau", "BDF") else (None,))
]


def at(time, terminal=True):
    """An event at a time of its own."""

    def event(t, q, qd):
        return t - time

    event.terminal = terminal
    return event


def simulate(q0, method, engine, **options):
    steps = {"dt": 0.01} if method in FIXED else {}
    law = ordern.control.PD(0.1, 3.0, 0.5)
    return ROBOT.simulate(q0, duration=0.1, torque=law, method=method, engine=engine, **steps, **options)


def same(a, b):
    for name in VALUES:
        np.testing.assert_allclose(
            getattr(a, name), getattr(b, name), rtol=0, atol=1e-9, err_msg=name
        )  # the event is found to 1e-10 s
    assert a.status == b.status


@pytest.mark.parametrize("time", [0.033, 0.03])  # between two outputs and on one
@pytest.mark.parametrize("method, engine", EVERY)
def test_the_last_row_is_the_event(method, engine, time, tmp_path):
    many = simulate(Q0, method, engine, output_dt=0.01, events=at(time))
    assert many.q.shape == (3, 11, 1)  # the times that all runs share, with nothing behind the end of each
    shared = many.t <= time + 1e-9
    assert np.isfinite(many.q[:, shared]).all() and np.isnan(many.q[:, ~shared]).all()
    for k, q0 in enumerate(Q0):
        alone = simulate(q0, method, engine, output_dt=0.01, events=at(time))
        assert (
            alone.status == ["stopped by event"]
            and alone.t[-1] == alone.events[-1].t
            and abs(alone.t[-1] - time) < 1e-9
        )
        assert np.all(np.diff(alone.t) > 1e-9) and np.array_equal(alone.q[-1], alone.events[-1].q)
        np.testing.assert_allclose(alone.t[:-1], 0.01 * np.arange(len(alone.t) - 1), rtol=0, atol=1e-15)
        same(many[k], alone)
        whole = simulate(q0, method, engine, output_dt=time, events=at(0.05, terminal=False))  # nothing stops this one
        np.testing.assert_allclose(
            alone.q[-1], whole.q[1], rtol=0, atol=2e-4 if method == "euler" else 1e-6
        )  # other steps, each to 1e-8
    many.save(tmp_path / "x.npz")
    again = ordern.Run.load(tmp_path / "x.npz")
    for k in range(3):
        same(again[k], many[k])


@pytest.mark.parametrize("method, engine", [("dopri5", "compiled"), ("rk4", "numpy"), ("Radau", None)])
@pytest.mark.parametrize("single", [True, False])
def test_chosen_times_stay_as_chosen(method, engine, single):
    """t_eval has exactly its own times, up to the event."""
    run = simulate(Q0[0] if single else Q0, method, engine, t_eval=[0.02, 0.03, 0.07], events=at(0.05))
    one = run if single else run[1]
    np.testing.assert_array_equal(one.t, [0.02, 0.03])
    assert one.events[0].t == pytest.approx(0.05, abs=1e-9)


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
def test_runs_stop_each_at_its_own_time(engine):
    """Some stop, some do not; also with a law that remembers."""
    for law in (None, ordern.control.PID(0.0, 3.0, 1.0, 0.2)):
        options = {
            "duration": 0.3,
            "output_dt": 0.05,
            "torque": law,
            "events": lambda t, q, qd: q[0] - 0.3,
            "engine": engine,
        }
        run = ROBOT.simulate(Q0, **options)
        assert run.status == ["stopped by event", "done", "done"] and len(run[1].t) == len(run.t) == 7
        same(run[0], ROBOT.simulate(Q0[0], **options))
        assert run[0].q[-1, 0] == pytest.approx(0.3, abs=1e-9) and len({len(run[k].t) for k in range(3)}) == 2


@pytest.mark.parametrize("torque", [None, lambda t, q, qd: -qd], ids=["free", "function"])
def test_an_event_before_the_first_of_the_chosen_times(torque):
    run = ROBOT.simulate(Q0[0], duration=0.1, torque=torque, t_eval=[0.07], events=at(0.05), engine="numpy")
    assert [getattr(run, name).shape for name in VALUES] == [(0,), (0, 1), (0, 1), (0, 1), (0, 1), (0,), (0,)]


@pytest.mark.parametrize("when", [1 / 3, 700000.123, 9e6 + 1 / 3])
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_events_that_jump_end_at_the_last_digit_of_the_time(when, engine):
    """Far from 0 no two times are 1e-10 s apart: the search ends where none is left between, for functions that have no zero too."""
    robot, calls = ordern.robots.pendulum().with_gravity((0, 0, 0)), []

    def switched(t, q, qd):
        calls.append(t)
        assert len(calls) < 500, "it does not end"
        return 1.0 if t > when else -1.0

    options = {"duration": 1e7, "output_dt": None, "limits": False, "friction": False, "engine": engine}
    run = robot.simulate([0.0], [1e-8], events=switched, **options)
    assert abs(run.t[-1] - when) <= 1e-10 + 2 * np.spacing(when)


def test_long_runs_are_bounded_by_their_own_steps():
    """Adaptive methods have no dt: ten thousand million steps of the one that others take by default are no reason to refuse."""
    robot = ordern.robots.pendulum().with_gravity((0, 0, 0))
    options = {"duration": 1e9, "output_dt": None, "limits": False, "friction": False}
    assert robot.simulate([0.0], [1e-9], **options).q[-1, 0] == pytest.approx(1.0, rel=1e-9)
    with pytest.raises(ordern.InputError, match="give a larger one"):
        robot.simulate([0.0], [1e-9], method="rk4", **options)


def test_what_is_known_of_all_runs_is_that_of_each_with_its_last_row():
    """Whether it is asked of the ensemble first or of one run alone."""
    options = {"events": [at(0.034)], "method": "rk4", "engine": "numpy", "dt": 0.01}
    known, fresh = (
        ROBOT.simulate(Q0, duration=0.1, torque=ordern.control.PD(0.1, 3.0, 0.5), **options) for _ in range(2)
    )
    for name in ("qdd", "tau", "energy", "power"):
        assert np.shape(getattr(known, name))[1] == len(known.t)
    for k in range(3):
        for name in VALUES:
            np.testing.assert_allclose(getattr(known[k], name), getattr(fresh[k], name), rtol=1e-12)
            assert len(getattr(known[k], name)) == len(known[k].t) == 5


@pytest.mark.parametrize(("power", "most"), [(1, 2), (3, 25)])
@pytest.mark.parametrize("fall", [1, -1])
def test_crossings_are_found_in_few_guesses(power, most, fall):
    """A straight line in one; where halving would take 30, a bent one in some more. The guesses have the state that belongs to them."""
    asked = []

    def event(t, q, qd):
        asked.append(t)
        assert q[0] == 2 * t and qd[0] == -t
        return fall * ((t - 0.37) ** power + (0.2 * (t - 0.37) if power > 1 else 0.0))

    looks = Crossings.__new__(Crossings)
    looks.functions, looks.t = [event], np.array([9.0, 0.3])
    looks._at = lambda run, t: (np.array([2 * t]), np.array([-t]))
    values = tuple(event(t, [2 * t], [-t]) for t in (0.3, 0.9))
    asked.clear()
    found = looks._refine(1, 0, (0.9, np.array([1.8]), np.array([-0.9])), values)
    assert abs(found.t - 0.37) < 1e-10 and (found.run, found.number) == (1, 0) and len(asked) <= most
    assert found.q[0] == 2 * found.t and found.qd[0] == -found.t
