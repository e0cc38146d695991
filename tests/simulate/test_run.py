"""Runs: what they hold, how they look, files, plots, events, failures, interruption."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import ordern

ARM = ordern.robots.planar3()
C = ordern.control


@pytest.fixture(scope="module")
def single():
    return ARM.simulate((0.1, 0.2, 0.3), duration=0.1, torque=C.Constant((0.5, 0.1, 0.0)))


@pytest.fixture(scope="module")
def many():
    return ARM.simulate(np.random.default_rng(0).normal(size=(5, 3)), duration=0.05, torque=C.Constant((0.5, 0.1, 0.0)))


def test_shapes_and_quantities(single, many):
    assert single.t.shape == (11,) and single.q.shape == single.qd.shape == single.qdd.shape == single.tau.shape == (
        11,
        3,
    )
    assert many.q.shape == (5, 6, 3) and many.energy.shape == many.power.shape == (5, 6)
    np.testing.assert_allclose(single.qdd, ARM.forward_dynamics(single.q, single.qd, single.tau), rtol=0, atol=1e-10)
    np.testing.assert_allclose(single.energy, ARM.kinetic_energy(single.q, single.qd) + ARM.potential_energy(single.q))
    np.testing.assert_allclose(
        np.diff(single.energy), np.diff(single.t) * (single.power[1:] + single.power[:-1]) / 2, rtol=0, atol=1e-3
    )
    one = many[3]
    np.testing.assert_array_equal(one.q, many.q[3])
    np.testing.assert_array_equal(one.energy, many.energy[3])
    assert single.complete and single.success and single.stats["steps"] > 0


def test_it_looks_like_a_table(single, many):
    text = repr(single)
    assert "planar3" in text and "dopri5" in text and "joint2" in text and len(text.splitlines()) < 20
    assert "5 runs" in repr(many) and "<table>" in single._repr_html_()


@pytest.mark.parametrize("runs", [None, 0, 1, 3, 11])
@pytest.mark.parametrize("make", [ordern.robots.pendulum, ordern.robots.planar3])
def test_runs_that_matlab_saves_again_are_the_same(make, runs, tmp_path):
    """MATLAB leaves a last axis of length one away, so that (B, T, 1) comes back as (B, T); 11 runs have as many times."""
    import scipy.io

    robot = make()
    q0 = np.random.default_rng(0).uniform(-1, 1, (*(() if runs is None else (runs,)), robot.n))
    run = robot.simulate(q0, duration=0.1, output_dt=0.01)
    run.save(tmp_path / "run.mat")
    content = {k: v for k, v in scipy.io.loadmat(tmp_path / "run.mat").items() if not k.startswith("__")}
    again = {k: v[..., 0] if v.ndim > 2 and v.shape[-1] == 1 else v for k, v in content.items()}
    scipy.io.savemat(tmp_path / "again.mat", again, do_compression=True)
    found = ordern.Run.load(tmp_path / "again.mat")
    for name in ("t", "q", "qd", "qdd", "tau", "energy", "power"):
        np.testing.assert_array_equal(getattr(found, name), getattr(run, name))


@pytest.mark.parametrize("ending", ["npz", "parquet", "zarr", "mat"])
def test_files(single, many, tmp_path, ending):
    for run in (single, many):
        path = tmp_path / f"run{run.q.ndim}.{ending}"
        run.save(path)
        run.save(path)  # over itself
        back = ordern.Run.load(path)
        for name in ("t", "q", "qd", "qdd", "tau", "energy", "power"):
            np.testing.assert_array_equal(getattr(back, name), getattr(run, name))
        assert (
            back.model.fingerprint == ARM.model.fingerprint
            and back.status == run.status
            and back.stats["method"] == "dopri5"
        )
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"run2.{ending}", f"run3.{ending}"]


def test_bad_files(single, tmp_path):
    with pytest.raises(ordern.InputError, match="npz"):
        single.save(tmp_path / "run.txt")
    with pytest.raises(ordern.InputError, match="no such file"):
        ordern.Run.load(tmp_path / "none.npz")
    (tmp_path / "junk.npz").write_bytes(b"junk")
    with pytest.raises(ordern.InputError, match="no run"):
        ordern.Run.load(tmp_path / "junk.npz")


def test_tables_of_others(single, many):
    frame = single.to_pandas()
    assert list(frame.columns[:2]) == ["t", "q joint1"] and len(frame) == 11
    assert len(many.to_pandas()) == 30
    data = many.to_xarray()
    assert dict(data.sizes) == {"run": 5, "time": 6, "coordinate": 3, "joint": 3}


@pytest.mark.parametrize("what", ["angles", "rates", "torques", "energy", "power", "path"])
def test_plots(single, many, tmp_path, what):
    single.plot(what, path=tmp_path / "a.png")
    many.plot(what, path=tmp_path / "b.svg")
    assert (tmp_path / "a.png").stat().st_size > 5000 and (tmp_path / "b.svg").stat().st_size > 5000
    with pytest.raises(ordern.InputError, match="angles"):
        single.plot("colours")


def test_animation(single, tmp_path):
    single.animate(tmp_path / "x.html")
    assert (tmp_path / "x.html").stat().st_size > 10_000


# --- events ---------------------------------------------------------------------------------------------------------------------------
def test_events_stop_and_are_refined():
    robot = ordern.robots.pendulum()

    def turns(t, q, qd):
        return qd[0]

    run = robot.simulate([0.5], [0.1], duration=5.0, events=turns, rtol=1e-12, atol=1e-13)
    event = run.events[0]
    assert run.status == ["stopped by event"] and run.complete and run.t[-1] == event.t
    assert abs(event.qd[0]) < 1e-8
    exact = robot.simulate([0.5], [0.1], duration=event.t, rtol=1e-13, atol=1e-14, output_dt=None)
    assert abs(exact.qd[-1, 0] / exact.qdd[-1, 0]) < 1e-10  # so far from the true time
    turns.terminal, turns.direction = False, 1
    through = robot.simulate([0.5], [0.1], duration=5.0, events=[turns, lambda t, q, qd: t - 4.0])
    times = [e.t for e in through.events if e.number == 0]
    assert len(times) >= 2 and through.t[-1] == pytest.approx(4.0, abs=1e-10)
    ensemble = robot.simulate([[0.5], [0.6]], duration=2.0, events=lambda t, q, qd: q[0] + 0.2)
    assert (
        len(ensemble.events) == 2 and ensemble.status == ["stopped by event"] * 2 and np.isnan(ensemble.q[0, -1]).all()
    )


@pytest.mark.parametrize("method", ["dopri5", "dop853", "rk4", "euler", "symplectic", "LSODA", "Radau", "BDF"])
def test_events_between_outputs_and_no_work_after_them(method):
    """Three swings through the lowest point lie between the only two outputs, and something ends the run long before its time."""
    robot, seen = ordern.robots.pendulum(), []

    def lowest(t, q, qd):
        seen.append(t)
        return q[0]

    lowest.terminal = False
    options = {"rtol": 1e-10, "atol": 1e-11, "method": method, "dt": 1e-3, "output_dt": None}
    run = robot.simulate([0.4], [0.0], duration=1000.0, events=[lowest, lambda t, q, qd: t - 3.0], **options)
    assert run.status == ["stopped by event"] and len(run.t) == 2 and abs(run.t[-1] - 3.0) < 1e-10 and max(seen) < 4
    passes = [e for e in run.events if e.number == 0]
    assert len(passes) == 3
    times = [0.0, *(e.t for e in passes)]
    exact = robot.simulate([0.4], [0.0], t_eval=times, method="dop853", rtol=1e-12, atol=1e-13)
    # 1e-10 s at the speed there, and what the method itself is off: its tolerance, or its order at 1 ms
    off = {"euler": 1e-2, "LSODA": 1e-6, "Radau": 1e-6, "BDF": 1e-5}.get(method, 1e-8)
    np.testing.assert_allclose(exact.q[1:, 0], 0, rtol=0, atol=off)
    assert all(abs(e.q[0]) < 1e-10 * abs(e.qd[0]) for e in passes)


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
def test_events_of_an_ensemble(engine):
    """Each run has its own events; those of a single run are the same."""
    robot = ordern.robots.pendulum()

    def low(t, q, qd):
        return q[..., 0] + 0.2

    low.vectorized = True
    q0 = np.linspace(0.3, 1.0, 7)[:, None]
    run = robot.simulate(q0, duration=2.0, events=low, engine=engine)
    assert run.status == ["stopped by event"] * 7 and sorted(e.run for e in run.events) == list(range(7))
    alone = robot.simulate(q0[4], duration=2.0, events=low, engine=engine)
    assert alone.events[0].t == next(e.t for e in run.events if e.run == 4)
    assert np.array_equal(run[4].t, alone.t) and np.allclose(run[4].q, alone.q, atol=1e-9)


def test_an_event_function_that_raises_is_reported_with_t():
    with pytest.raises(ordern.SimulationError, match=r"event function raised ZeroDivisionError at t = 0\.5") as caught:
        ARM.simulate((0.1, 0, 0), duration=1.0, events=lambda t, q, qd: 1 / (t < 0.5))
    assert 0 < caught.value.run.t[-1] < 0.6


# --- failures ---------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("method", "word"), [("dopri5", "diverges"), ("rk4", "diverges")])
def test_divergence_names_time_and_joint(method, word):
    with pytest.raises(ordern.SimulationError, match=word) as caught:
        ARM.simulate((0.1, 0, 0), duration=10.0, torque=C.PD((0, 0, 0), -1e6, -1e4), method=method)
    error = caught.value
    assert (
        0 <= error.time < 1
        and error.joint in ARM.joint_names
        and np.isfinite(error.q).all()
        and np.isfinite(error.qd).all()
    )
    assert error.joint in str(error) and len(error.run.t) >= 1


def test_symplectic_steps_that_are_too_long_are_not_taken():
    with pytest.raises(ordern.SimulationError, match="smaller step"):
        ARM.simulate((0.3, 0, 0), (5.0, -30.0, 40.0), duration=10.0, method="symplectic", dt=0.5, output_dt=0.5)


def test_tiny_steps_are_called_stiff():
    with pytest.raises(ordern.SimulationError, match=r"stiff.*Radau"):
        ARM.simulate((0.1, 0, 0), duration=1000.0, torque=C.PD((0, 0, 0), 1e9, 1e7))


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_joint_that_sticks_in_dry_friction_is_called_stiff(method):
    """Steps of some 1e-8 s for ever; the remedy that the message names works."""
    plain = ordern.robots.pendulum()
    body = replace(plain.model.bodies[1], friction=(20.0,))
    robot = ordern.Robot(plain.model.with_bodies([plain.model.bodies[0], body]))
    options = {"duration": 1000.0, "friction_speed": 1e-7, "output_dt": None}
    with pytest.raises(ordern.SimulationError, match=r"stiff.*'joint1'.*Radau"):
        robot.simulate([0.4], [1.0], method=method, **options)
    assert robot.simulate([0.4], [1.0], method="Radau", **options).complete


def test_where_a_stiff_run_ends_depends_on_nothing_but_itself(monkeypatch):
    """Neither on how quick the machine is, nor on the runs beside it, nor on who integrates."""
    options = {"duration": 1000.0, "torque": C.PD((0, 0, 0), 1e9, 1e7)}
    ends = []
    for slices in (1e-4, 1.0):
        monkeypatch.setattr("ordern.simulate.ensemble.SLICE", slices)
        with pytest.raises(ordern.SimulationError) as caught:
            ARM.simulate((0.1, 0, 0), **options)
        ends.append((caught.value.time, *caught.value.q))
    with pytest.warns(ordern.OrdernWarning, match="of 11 runs"):
        many = ARM.simulate(np.repeat([[0.2, 0, 0], [0.1, 0, 0]], [10, 1], axis=0), **options, output_dt=None)
    assert (
        ends[0] == ends[1]
        and many.status == ["stiff"] * 11
        and many.stats["steps"][-1] == caught.value.run.stats["steps"]
    )


def test_small_steps_for_accuracy_are_not_called_stiff():
    """What is slow is stiff only if stability holds the step back: a step of ten times 1 / (largest eigenvalue), not of a thousandth."""
    from ordern.simulate.arguments import the_motion
    from ordern.simulate.integrators import RUNNING, STIFF, Progress, slow
    from ordern.simulate.numpy_engine import Functions

    options = {
        "friction": True,
        "friction_speed": 0.01,
        "limits": True,
        "dynamics": None,
        "external": None,
        "parameters": None,
    }
    q, times = np.zeros((1, 3)), np.array([0.0, 1e6])
    motion, _ = the_motion(ARM, q, False, 1e6, C.PD((0, 0, 0), 1e4, 1e2), options)
    problem, state = Functions(motion).problem(times, 1e-8, 1e-10, 1e-3), Progress.begin(q, q, times)
    for h, fate in ((1e-6, RUNNING), (0.1, STIFF)):
        state.h[:] = h
        slow(problem, state, np.array([0]))
        assert state.status[0] == fate


def test_only_the_rows_that_fail_are_marked():
    kp, kd = np.full((4, 3), 5.0), np.full((4, 3), 0.5)
    kp[2], kd[2] = -1e6, -1e4
    with pytest.warns(ordern.OrdernWarning, match="1 of 4 runs"):
        run = ARM.simulate(np.full((4, 3), 0.1), duration=0.2, torque=C.PD((0, 0, 0), kp, kd))
    assert run.status == ["done", "done", "diverged", "done"] and not run.complete
    assert np.isfinite(run.q[[0, 1, 3]]).all() and np.isnan(run.q[2, 1:]).all()
    assert len(run[2].t) == 1 and np.isnan(run.energy[2, -1])


@pytest.mark.parametrize(
    ("law", "says"),
    [
        (lambda t, q, qd: [1 / (t < 0.005)] * 3, "raised ZeroDivisionError at t = 0.00"),
        (lambda t, q, qd: qd[:2], r"shape \(2,\) at t = 0 s"),
        (lambda t, q, qd: qd * np.nan, "nan for joint"),
        (lambda t, q, qd: "much", "returned str"),
    ],
)
def test_bad_torque_functions_are_reported_with_t(law, says):
    with pytest.raises(ordern.SimulationError, match=says) as caught:
        ARM.simulate((0.1, 0, 0), duration=1.0, torque=law)
    assert caught.value.run.t[0] == 0


@pytest.mark.parametrize(
    "options",
    [
        {"duration": -1}, {"duration": np.nan}, {"duration": "long"}, {"rtol": 0}, {"rtol": 1e-17}, {"rtol": 2}, {"atol": -1},
        {"dt": 0, "method": "rk4"},
        {"dt": 1e-13, "method": "rk4"}, {"output_dt": -1}, {"output_dt": 1e-12}, {"method": "euler2"}, {"q0": (1, 2)}, {"q0": (1, 2, np.nan)},
        {"qd0": np.zeros((2, 2))}, {"q0": np.zeros((2, 3)), "qd0": np.zeros((3, 3))}, {"torque": np.zeros(5)}, {"torque": {"a": 1}},
        {"parameters": {"colour": 1}}, {"parameters": {"damping": (1, 2)}}, {"external": {"nowhere": np.zeros(6)}}, {"events": 3},
        {"t_eval": (0.5, 0.1)}, {"engine": "gpu"}, {"limits": {"softness": 1}}, {"friction_speed": 0},
        {"torque": C.PD(np.zeros((4, 3)), 1, 1)}, {"torque": C.PD((0, 0, 0), np.inf, 1)}, {"torque": C.OperationalSpace("nowhere", (0, 0, 0), 1, 1)},
    ],
)  # fmt: skip
def test_nonsense_is_refused(options):
    limited = ordern.robots.puma560() if "limits" in options else ARM
    with pytest.raises((ordern.InputError, ordern.ShapeError)):
        limited.simulate(**({"q0": np.zeros(limited.n), "duration": 0.1} | options))


# --- long work --------------------------------------------------------------------------------------------------------------------------
def test_interruption_keeps_what_there_is():
    ARM.simulate((0, 0, 0), duration=0.01, method="rk4")  # compiled now
    begun = threading.Event()
    threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
    told = lambda share: share > 2e-5 and begun.set()  # noqa: E731
    run = ARM.simulate((0, 0, 0), duration=1e5, method="rk4", output_dt=1.0, progress=told)
    assert run.status == ["interrupted"] and not run.complete and 1 < len(run.t) < 1e5 and np.isfinite(run.q).all()


def _interrupts(t, q, qd):
    if t > 0.55:
        signal.raise_signal(signal.SIGINT)
    return 0 * q


@pytest.mark.parametrize(
    "options",
    [
        {"torque": _interrupts},
        {"torque": _interrupts, "method": "LSODA"},
        {"events": lambda t, q, qd: 1.0 + _interrupts(t, q, qd)[0]},
    ],
)
def test_interruption_of_what_python_drives(options):
    run = ARM.simulate((0.1, 0, 0), duration=1e3, output_dt=0.1, **options)
    assert run.status == ["interrupted"] and 5 <= len(run.t) <= 7 and np.isfinite(run.q).all()


def test_progress_bar_after_a_second():
    from ordern.simulate.integrators import Progress
    from ordern.simulate.job import Watch

    times = np.array([0.0, 2.0])
    state = Progress.begin(np.zeros((2, 3)), np.zeros((2, 3)), times)
    state.t[:] = 0.5
    with Watch(times, True) as watch:
        watch(state)
        assert watch.bar is None
        watch.started, watch.seen = watch.started - 2, watch.seen - 2
        watch(state)
        assert watch.bar.tasks[0].completed == 0.25


@pytest.mark.parametrize("late", [False, True])
def test_runs_stop_when_their_seconds_are_over(late):
    """Of the clock since the runs began, not since the machine did."""
    from ordern.simulate.integrators import Progress
    from ordern.simulate.job import Watch

    times = np.array([0.0, 2.0])
    state = Progress.begin(np.zeros((2, 3)), np.zeros((2, 3)), times)
    before, watch = state.status.copy(), Watch(times, False, max_seconds=1e-3 if late else 60.0)
    watch.started = time.perf_counter() - 1.0
    watch(state)
    assert (state.status != before).all() if late else (state.status == before).all()


@pytest.mark.parametrize("terminal", [False, True])
def test_a_bar_is_for_terminals_unless_told_otherwise(monkeypatch, terminal):
    from ordern.simulate.job import Watch

    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    wanted = [Watch(np.array([0.0, 1.0]), progress).wanted for progress in (None, True, False, print)]
    assert wanted == [terminal, True, False, False]


def test_streams_to_disk(tmp_path, monkeypatch):
    import ordern.simulate.stream as stream

    monkeypatch.setattr(stream, "PART", 8 * 6 * 6 * 70)
    q = np.random.default_rng(0).normal(size=(300, 3))
    kp = np.random.default_rng(1).uniform(1, 5, (300, 3))
    options = {"duration": 0.05, "torque": C.PD((0, 0, 0), kp, 0.1)}
    whole = ARM.simulate(q, **options)
    run = ARM.simulate(q, save=str(tmp_path / "runs.zarr"), **options)
    np.testing.assert_array_equal(run.q[...], whole.q)
    np.testing.assert_array_equal(run[123].tau, whole.tau[123])
    back = ordern.Run.load(tmp_path / "runs.zarr")
    assert back.complete and back.runs == 300
    np.testing.assert_array_equal(back[7].energy, whole.energy[7])
    with pytest.raises(ordern.InputError, match="keep="):
        _ = back[7].tau
    again = ARM.simulate(q, save=str(tmp_path / "runs.zarr"), **options)  # nothing left to do
    assert again.complete
    with pytest.raises(ordern.InputError, match="something else"):
        ARM.simulate(
            q + 0.1, save=str(tmp_path / "runs.zarr"), **options
        )  # other states must not pass for the ones on disk
    with pytest.raises(ordern.InputError, match="something else"):
        ARM.simulate(q[:10], save=str(tmp_path / "runs.zarr"), duration=0.05)


@pytest.mark.parametrize("name", ["panda", "planar3"])
def test_energy_knows_the_masses_of_its_run(name):
    """Free motion loses nothing, whatever the payload and the masses; with the description's masses energy would seem to change by joules."""
    robot, runs = ordern.load(name), 3
    rng = np.random.default_rng(0)
    parameters = {
        "payload": {"mass": np.linspace(0.0, 3.0, runs), "com": (0.1, 0.2, 0.3)},
        "masses": rng.uniform(0.5, 2.0, (runs, len(robot.model.bodies) - 1)),
    }
    q0 = np.tile(robot.neutral() + 0.1, (runs, 1))
    run = robot.simulate(
        q0, duration=0.5, limits=False, friction=False, rtol=1e-11, atol=1e-13, output_dt=0.1, parameters=parameters
    )
    size = np.abs(robot.kinetic_energy(run.q, run.qd)).max()
    assert np.ptp(run.energy, axis=1).max() < 1e3 * 1e-11 * size  # some hundred steps, each within rtol
    assert np.array_equal(run[2].energy, run.energy[2])


def test_progress_may_be_a_function_that_stops_the_runs():
    seen: list[float] = []
    run = ARM.simulate(np.zeros((4, 3)), duration=0.5, progress=seen.append)
    assert run.complete and seen == sorted(seen) and seen[-1] == 1.0

    def stop(share: float) -> None:
        raise LookupError(share)

    with pytest.raises(LookupError):
        ARM.simulate(np.zeros((4, 3)), duration=0.5, progress=stop)


def test_streams_keep_more_on_request(tmp_path, monkeypatch):
    import ordern.simulate.stream as stream

    monkeypatch.setattr(stream, "PART", 8 * 6 * 20 * 70)
    q = np.random.default_rng(0).normal(size=(150, 3))
    options = {"duration": 0.05, "torque": C.PD((0, 0, 0), np.random.default_rng(1).uniform(1, 5, (150, 3)), 0.1)}
    whole = ARM.simulate(q, **options)
    path, names = tmp_path / "more.zarr", ["tau", "energy", "qdd", "power"]
    ARM.simulate(q, save=str(path), keep=names, **options)
    back = ordern.Run.load(path)
    for name in names:
        np.testing.assert_array_equal(getattr(back, name)[...], getattr(whole, name))
        np.testing.assert_array_equal(getattr(back[149], name), getattr(whole, name)[149])
    options["parameters"] = {
        "payload": {"mass": np.linspace(0, 1, 150)}
    }  # energies of a store are those with each run's masses
    ARM.simulate(q, save=str(tmp_path / "loaded.zarr"), **options)
    np.testing.assert_array_equal(
        ordern.Run.load(tmp_path / "loaded.zarr")[149].energy, ARM.simulate(q, **options).energy[149]
    )
    with pytest.raises(ordern.InputError, match="colour"):
        ARM.simulate(q, save=str(tmp_path / "other.zarr"), keep=["colour"], **options)
    with pytest.raises(ordern.InputError, match="save="):
        ARM.simulate(q, keep=["tau"], **options)


def _same(a, b):
    for name in ("t", "q", "qd", "qdd", "tau", "energy", "power"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.status == b.status and a.events == b.events and a.stats.keys() == b.stats.keys()


def test_runs_pickle_and_copy():
    start = np.full((2, 3), 0.1)
    crossing = {"events": lambda t, q, qd: q[0] - 0.09}
    for q0, options in (
        (start[0], {"torque": C.PD(np.zeros(3), 5.0, 1.0)}),
        (start, {"torque": C.Constant((0.5, 0.1, 0.0))}),
        (start[0], {"torque": lambda t, q, qd: -qd} | crossing),  # of functions without a name the results go along
        (start[0], {"method": "LSODA"}),
    ):
        for looked in (False, True):
            run = ARM.simulate(q0, duration=0.02, **options)
            if looked:
                _ = run.energy, run.tau
            for other in (pickle.loads(pickle.dumps(run)), copy.copy(run), copy.deepcopy(run)):
                _same(other, run)
                if run.runs:
                    _same(other[1], run[1])
                for mine, theirs in zip(run.events, other.events, strict=True):
                    np.testing.assert_array_equal(mine.q, theirs.q)
            deep = copy.deepcopy(run)
            deep.q[...] = 0
            assert run.q.any()
