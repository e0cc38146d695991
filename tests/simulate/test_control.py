"""Drives: laws against their formulas, Python functions, time series, friction, end stops, wrenches, what varies over ensembles."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from budget import TRUST
from ordern.model import Mass
from ordern.robot import Robot
from ordern.simulate.signals import Signal, segments

C = ordern.control
ARM = ordern.robots.puma560()
START = np.array([0.1, 0.8, -2.5, 0.1, 0.7, 0.2])
FREE = {"limits": False, "friction": False}


def states(run):
    return run.q[3], run.qd[3], run.qdd[3], run.tau[3], run.t[3]


def test_laws_are_their_formulas():
    way = ordern.trajectory.cycloid(START, START + 0.3, 1.0)
    options = {"duration": 0.04, "output_dt": 0.01, "rtol": 1e-10} | FREE
    q, qd, qdd, tau, t = states(ARM.simulate(START, torque=C.ComputedTorque(way, 100.0, 20.0), **options))
    wanted = way(t).qdd + 100 * (way(t).q - q) + 20 * (way(t).qd - qd)
    np.testing.assert_allclose(tau, ARM.inverse_dynamics(q, qd, wanted), rtol=0, atol=1e-9)
    np.testing.assert_allclose(qdd, wanted, rtol=0, atol=1e-8)
    q, qd, _, tau, t = states(ARM.simulate(START, torque=C.PD(way, 5.0, 0.01, gravity=True), **options))
    np.testing.assert_allclose(
        tau, 5 * (way(t).q - q) + 0.01 * (way(t).qd - qd) + ARM.gravity_forces(q), rtol=0, atol=1e-12
    )
    q, qd, qdd, tau, _ = states(
        ARM.simulate(START, 0.1 * START, torque=C.GravityCompensation(0.01) + C.Constant(0.2), **options)
    )
    np.testing.assert_allclose(tau, ARM.gravity_forces(q) - 0.01 * qd + 0.2, rtol=0, atol=1e-12)
    np.testing.assert_allclose(qdd, ARM.forward_dynamics(q, qd, tau), rtol=0, atol=1e-9)


def test_computed_torque_tracks_the_cycloid():
    way = ordern.trajectory.cycloid(START, START + 0.5, 1.0)
    run = ARM.simulate(START, duration=1.2, torque=C.ComputedTorque(way, 100.0, 20.0), rtol=1e-10, **FREE)
    np.testing.assert_allclose(run.q, way(run.t).q, rtol=0, atol=1e-9)


@pytest.mark.parametrize("whole", [True, False])
def test_operational_space(whole):
    link = ARM.link_names[-1]
    goal = ARM.forward_kinematics(START, link)
    goal[:3, 3] += (0.05, 0.1, -0.05)
    law = C.OperationalSpace(link, goal if whole else goal[:3, 3], 100.0, 20.0, damping=0.0 if whole else 0.01)
    run = ARM.simulate(START, duration=1.5, torque=law, **FREE)
    reached = ARM.forward_kinematics(run.q[-1], link)
    np.testing.assert_allclose(reached[:3, 3], goal[:3, 3], rtol=0, atol=1e-4)
    assert run.stats["engine"] == "compiled"
    if whole:
        np.testing.assert_allclose(reached[:3, :3], goal[:3, :3], rtol=0, atol=1e-4)
        slow = ARM.simulate(START, duration=0.1, torque=law, engine="numpy", **FREE)
        np.testing.assert_allclose(run.tau[:11], slow.tau, rtol=0, atol=1e-6)


def test_python_function_equals_compiled_law():
    law = C.PD(START + 0.1, 3.0, 0.02)
    compiled = ARM.simulate(START, duration=0.05, torque=law, **FREE)
    slow = ARM.simulate(START, duration=0.05, torque=lambda t, q, qd: 3.0 * (START + 0.1 - q) - 0.02 * qd, **FREE)
    np.testing.assert_allclose(slow.q, compiled.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(slow.tau, compiled.tau, rtol=0, atol=1e-9)
    assert "Python torque function" in slow.stats["notes"][0] and slow.stats["engine"] == "numpy"
    two = ARM.simulate(
        np.stack([START, START]), duration=0.02, torque=lambda t, q, qd: 3.0 * (START + 0.1 - q) - 0.02 * qd, **FREE
    )
    np.testing.assert_allclose(two.q[1], compiled.q[:3], rtol=0, atol=1e-9)


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic", "LSODA"])
def test_python_functions_know_whose_states_they_get(tmp_path, method, saved):
    """Runs of an ensemble go their own ways: a function gets some of them at a time, and results ask for all at once."""
    rng = np.random.default_rng(3)
    start, goal, kp = *rng.uniform(-0.3, 0.3, (2, 4, 6)), rng.uniform(1.0, 30.0, 4)
    options = {"duration": 0.02, "output_dt": 0.005, "method": method} | FREE
    options |= {"dt": 1e-3} if method in ("rk4", "symplectic") else {"rtol": 1e-9}
    seen = set()

    def pull(t, q, qd, runs):
        seen.add(len(q))
        return kp[runs, None] * (goal[runs] - q) - 0.02 * qd

    store = {"save": str(tmp_path / "runs.zarr"), "keep": ["tau"]} if saved else {}
    law = C.PD(goal, np.repeat(kp[:, None], 6, axis=1), 0.02)
    made, expected = ARM.simulate(start, torque=pull, **options, **store), ARM.simulate(start, torque=law, **options)
    for k in range(4):
        np.testing.assert_allclose(made[k].q, expected.q[k], rtol=0, atol=1e-7)
        np.testing.assert_allclose(made[k].tau, expected.tau[k], rtol=0, atol=1e-6)
    assert method not in ("dopri5", "LSODA") or min(seen) < 4  # what needs the numbers
    alone = ARM.simulate(start[0], torque=lambda t, q, qd, runs: kp[runs] * (goal[runs] - q) - 0.02 * qd, **options)
    np.testing.assert_allclose(alone.q, expected.q[0], rtol=0, atol=1e-7)
    with pytest.raises(ordern.SimulationError, match="argument runs has their numbers"):
        ARM.simulate(start, torque=lambda t, q, qd: goal - q, **options | {"output_dt": None}).tau  # noqa: B018


@pytest.mark.parametrize("kind", ["linear", "cubic", "hold"])
def test_time_series(kind):
    rng = np.random.default_rng(0)
    times, values = np.sort(np.append(rng.uniform(0, 0.1, 5), (0.0, 0.1))), 0.1 * rng.normal(size=(7, 6))
    law = C.Series(times, values, kind)
    options = {"duration": 0.1, "method": "rk4", "dt": 1e-3} | FREE
    compiled, slow = (ARM.simulate(START, torque=law, engine=e, **options) for e in ("compiled", "numpy"))
    np.testing.assert_allclose(compiled.q, slow.q, rtol=0, atol=1e-12)
    if kind == "linear":
        np.testing.assert_allclose(
            compiled.tau[5], [np.interp(compiled.t[5], times, v) for v in values.T], rtol=0, atol=1e-14
        )
        per_run = ARM.simulate(np.stack([START, START]), torque=(times, np.stack([values, 2 * values])), **options)
        np.testing.assert_array_equal(per_run.q[0], compiled.q)
        even = ARM.simulate(START, torque=values, **options)
        np.testing.assert_allclose(even.tau[-1], values[-1])
    if kind == "hold":  # each value until the next, the last one from then on
        at = np.searchsorted(times, compiled.t, side="right") - 1
        np.testing.assert_array_equal(compiled.tau, values[at])
        np.testing.assert_array_equal(
            ARM.simulate(START, torque=law, **(options | {"duration": 0.15})).tau[-1], values[-1]
        )


SLIDE = Robot(robots.serial("P", 3, armature=False)).with_gravity((0.0, 0.0, 0.0))
WAYS = [
    (method, engine)
    for method in ("euler", "rk4", "symplectic", "dopri5", "dop853")
    for engine in ("compiled", "numpy")
]


@pytest.mark.parametrize(("method", "engine"), [*WAYS[6:], ("LSODA", "scipy")])
@pytest.mark.parametrize("kind", ["hold", "linear", "cubic", "wrench", "move"])
def test_no_step_passes_over_a_short_piece(method, engine, kind, interpreted):
    """Two milliseconds of push in ten seconds of rest: steps that had grown to seconds went over it, and the robot stayed
    where it was.
    """
    at, m = 5.0123, SLIDE.mass_matrix(np.zeros(1))[0, 0]
    times = np.array([0.0, at, at + 1e-3, at + 2e-3, at + 3e-3])
    push = np.array([[0.0], [0.0], [1000.0], [0.0], [0.0]])
    held = Signal.series(times, push, kind if kind in ("linear", "cubic") else "hold")
    given = {"torque": C.Series(times, push, kind if kind in ("linear", "cubic") else "hold")}
    if kind == "wrench":  # in linear pieces; along the slide
        link = SLIDE.link_names[-1]
        given = {"external": {link: (times, push * SLIDE.jacobian([0.0], link, "body")[:, 0])}}
    if kind == "move":
        given = {"torque": C.ComputedTorque(ordern.trajectory.quintic([0.0], [0.1], 3e-3, start=at), 0.0, 0.0)}
    engines = {} if engine == "scipy" else {"engine": engine}
    run = SLIDE.simulate([0.0], [0.0], 10.0, method=method, output_dt=2.5, **given, **engines)
    if kind == "move":
        assert abs(run.q[-1, 0] - 0.1) < 1e-8
    else:  # by Gauss's rule, which is exact for the pieces
        nodes, weights = np.polynomial.legendre.leggauss(4)
        ends = np.append(np.unique(held.breaks), 10.0)
        middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
        impulse = float(sum(h * (weights @ held(c + h * nodes))[0] for c, h in zip(middle, half, strict=True)))
        assert abs(m * run.qd[-1, 0] - impulse) < 1e-7 * max(1.0, abs(impulse))  # ten tolerances


@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize("samples", [2, 3, 5])
@pytest.mark.parametrize("kind", ["hold", "linear", "cubic"])
def test_signals_change_where_they_are_said_to(kind, samples, runs):
    """Between two such times values are one polynomial, of whatever number of samples; constants change nowhere."""
    rng, times = np.random.default_rng(samples), np.sort(np.random.default_rng(samples).uniform(0.1, 0.9, samples))
    signal = Signal.series(times, rng.normal(size=(samples, 2) if runs is None else (runs, samples, 2)), kind)
    ends = segments([signal, None, Signal.constant(np.ones(3))], 0.0, 1.0)
    assert set(times[1:-1]) <= set(ends) <= {0.0, *times, 1.0}
    for a, b in itertools.pairwise(ends):
        x = np.linspace(a, b, 12)[1:-1]
        y = signal(x, None if runs is None else np.ones(10, int))
        fit = np.polynomial.Polynomial.fit
        assert max(np.abs(fit(x, column, 3)(x) - column).max() for column in y.T) < 1e-12 * (1 + np.abs(y).max())
    same = Signal.series([0.2, 0.4, 0.6], np.ones((3, 2)), "hold")
    assert segments([same], 0.0, 1.0).tolist() == [0.0, 1.0]


# every way with every period; of the slow ones one rounding each, another one every time
HELD = [
    (*WAYS[w], (0.01, 0.03, 1 / 7, 0.007)[p], ("as it is", "later", "earlier")[r])
    for w, p, r in itertools.product(range(len(WAYS)), range(4), range(3))
    if TRUST or WAYS[w][1] == "compiled" or (w // 2 + p + r) % 3 == 0
]


@pytest.mark.parametrize(("method", "engine", "period", "rounded"), HELD)
def test_values_that_are_held_act_from_their_own_time_on(method, engine, period, rounded):
    """Steps that begin where a sample does take that very sample to their end, whichever way the times are rounded.

    Samples taken 0.01 s apart had acted one step late at 0.29 s, 0.57 s and 0.58 s, where t / 0.01 s is rounded down;
    within an output of several steps, wherever the step's time and the sample's differ in the last digit. The last
    stage of rk4 took the next sample: 1/6 of each change acted a step early.
    """
    samples, runs = np.random.default_rng(0).normal(size=(71, 1)), 3 if engine == "compiled" else 1
    times, start = period * np.arange(71), np.zeros((runs, 1))
    times = {"as it is": times, "later": np.nextafter(times, np.inf), "earlier": np.nextafter(times, -1.0)}[rounded]
    law, m = C.Series(times, samples, "hold"), SLIDE.mass_matrix(np.zeros(1))[0, 0]
    options = {} if method in ("dopri5", "dop853") else {"dt": period}
    for several in (1, 7):
        run = SLIDE.simulate(
            start, start, 70 * period, law, method=method, engine=engine, output_dt=several * period, **options
        )
        right = np.append(0.0, np.cumsum(samples[:-1, 0] * np.diff(times)) / m)[::several]
        # some roundings of sums a step; tolerances of 1e-8 do not matter where accelerations are constant
        np.testing.assert_allclose(run.qd[..., 0], np.broadcast_to(right, run.qd.shape[:-1]), rtol=0, atol=1e-13)


def test_gains_and_parameters_vary_without_compiling(monkeypatch):
    rng = np.random.default_rng(1)
    kp, damping = rng.uniform(1, 5, (3, 6)), rng.uniform(0.01, 0.05, (3, 6))
    options = {"duration": 0.05, "limits": False}
    ARM.simulate(np.tile(START, (3, 1)), torque=C.PD(START, 1.0, 0.01), parameters={"damping": damping}, **options)
    rest = {"masses": np.ones(6), "friction": np.zeros(6), "payload": {"mass": 0.0}}
    ARM.simulate(np.tile(START, (3, 1)), parameters=rest, **options)
    import ordern.runtime.machine as machine

    monkeypatch.setattr(machine, "compile_text", lambda *_: pytest.fail("compiled anew"))
    run = ARM.simulate(
        np.tile(START, (3, 1)), torque=C.PD(START + 0.1, kp, 0.02), parameters={"damping": damping}, **options
    )
    other = {"masses": rng.uniform(0.5, 2, (3, 6)), "friction": damping, "payload": {"mass": np.array([0.1, 0.2, 0.3])}}
    varied = ARM.simulate(np.tile(START, (3, 1)), parameters=other, **options)
    assert len(np.unique(varied.q[:, -1, 1])) == 3
    monkeypatch.undo()
    for k in range(3):
        alone = ARM.simulate(
            START, torque=C.PD(START + 0.1, kp[k], 0.02), parameters={"damping": damping[k]}, **options
        )
        np.testing.assert_array_equal(run.q[k], alone.q)
    q, qd, tau = run.q[1, 3], run.qd[1, 3], run.tau[1, 3]
    np.testing.assert_allclose(run.qdd[1, 3], ARM.forward_dynamics(q, qd, tau - damping[1] * qd), rtol=0, atol=1e-8)
    np.testing.assert_array_equal(run[1].tau[3], tau)


def test_payload_and_masses():
    extra = Mass.from_com(1.5, (0.02, 0.01, 0.1), (0.01, 0.02, 0.015, 0.0, 0.001, 0.0))
    link = ARM.model.links[-1]
    bodies = list(ARM.model.bodies)
    bodies[link.body] = replace(bodies[link.body], inertia=bodies[link.body].inertia + extra.moved(link.placement))
    welded = Robot(ARM.model.with_bodies(bodies)).simulate(START, duration=0.1, **FREE)
    load = {
        "mass": np.array([1.5, 0.0]),
        "com": (0.02, 0.01, 0.1),
        "inertia": np.array([[0.01, 0.02, 0.015, 0.0, 0.001, 0.0], [0.0] * 6]),
    }
    both = ARM.simulate(np.tile(START, (2, 1)), duration=0.1, parameters={"payload": load}, **FREE)
    np.testing.assert_allclose(both.q[0], welded.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(both.q[1], ARM.simulate(START, duration=0.1, **FREE).q, rtol=0, atol=1e-9)
    scaled = ARM.simulate(START, duration=0.1, torque=C.Constant(1.0), parameters={"masses": np.full(6, 2.0)}, **FREE)
    np.testing.assert_allclose(
        scaled.q, ARM.simulate(START, duration=0.1, torque=C.Constant(0.5), **FREE).q, rtol=0, atol=1e-9
    )


def test_external_wrenches():
    link, wrench = ARM.link_names[-1], np.array([0.1, 0, 0.2, 1.0, 2.0, 3.0])
    given = (wrench, (np.linspace(0, 1, 4), np.tile(wrench, (4, 1))), lambda t: wrench)
    runs = [ARM.simulate(START, duration=0.05, external={link: w}, **FREE) for w in given]
    for run in runs:
        np.testing.assert_allclose(run.q, runs[0].q, rtol=0, atol=1e-12)
    k = 3
    np.testing.assert_allclose(
        runs[0].qdd[k],
        ARM.forward_dynamics(runs[0].q[k], runs[0].qd[k], np.zeros(6), external={link: wrench}),
        rtol=0,
        atol=1e-8,
    )


def test_external_wrenches_over_time():
    link, times, values = ARM.link_names[-1], np.linspace(0, 0.06, 4), np.random.default_rng(2).normal(size=(4, 6))
    sampled = ARM.simulate(START, duration=0.05, external={link: (times, values)}, rtol=1e-10, **FREE)
    called = ARM.simulate(
        START, duration=0.05, external={link: lambda t: [np.interp(t, times, v) for v in values.T]}, rtol=1e-10, **FREE
    )
    # steps pass the two bends of a function unseen, at 288 rad/s: 31 rtol by the end; they begin anew at those of samples
    np.testing.assert_allclose(called.q, sampled.q, rtol=0, atol=100 * 1e-10 * np.abs(sampled.q).max())
    assert (
        sampled.stats["engine"] == "compiled"
        and called.stats["engine"] == "numpy"
        and "external" in called.stats["notes"][0]
    )
    for k in (0, 4):
        wrench = [np.interp(sampled.t[k], times, v) for v in values.T]
        np.testing.assert_allclose(
            sampled.qdd[k],
            ARM.forward_dynamics(sampled.q[k], sampled.qd[k], np.zeros(6), external={link: wrench}),
            rtol=0,
            atol=1e-8,
        )
    for bad, says in (
        (lambda t: [1 / (t < 0.01)] * 6, "ZeroDivisionError at t = 0.01"),
        (lambda t: [t] * 5, r"shape \(5,\) at t = 0 s"),
    ):
        with pytest.raises(ordern.SimulationError, match=says):
            ARM.simulate(START, duration=0.05, external={link: bad}, **FREE)


def test_friction_and_end_stops():
    robot = ordern.robots.pendulum()
    body = replace(robot.model.bodies[1], damping=(0.1,), friction=(0.05,), lower=(-0.5,), upper=(0.5,))
    rubbed = Robot(robot.model.with_bodies([robot.model.bodies[0], body]))
    run = rubbed.simulate([0.4], duration=30.0, output_dt=0.1)
    k = 2
    friction = 0.1 * run.qd[k] + 0.05 * np.tanh(run.qd[k] / 0.01)
    free = np.abs(run.q[k]) < 0.5
    assert free.all()
    np.testing.assert_allclose(run.qdd[k], robot.forward_dynamics(run.q[k], run.qd[k], -friction), rtol=0, atol=1e-10)
    assert np.all(np.diff(run.energy) < 1e-12) and np.abs(run.q).max() < 0.6  # losses only; the stop holds
    loose = rubbed.simulate([0.4], duration=1.0, friction=False, limits=False)
    np.testing.assert_allclose(loose.q, robot.simulate([0.4], duration=1.0).q, rtol=0, atol=1e-12)


def test_start_outside_the_limits_is_warned_about():
    with pytest.warns(ordern.OrdernWarning, match="outside its limits"):
        ordern.robots.panda().simulate(np.zeros(ordern.robots.panda().nq), duration=0.001)
    with pytest.warns(ordern.OrdernWarning, match="2.8973, and so are 'panda_joint2', 'panda_joint3', .* end stop"):
        ordern.robots.panda().simulate(np.full(8, 3.0), duration=0.001)


@pytest.mark.parametrize("kind", ["linear", "hold", "cubic"])
@pytest.mark.parametrize("samples", [2, 3, 5])
@pytest.mark.parametrize("method", ["dopri5", "rk4"])
def test_a_series_of_few_samples_that_stay_the_same_is_a_constant(kind, samples, method):
    robot, start, options = ordern.load("planar3"), [0.1, 0.2, 0.3], {"duration": 0.2, "method": method}
    series = C.Series(np.linspace(0, 1, samples), np.full((samples, 3), 0.5), kind)
    with_series, constant = (robot.simulate(start, torque=torque, **options) for torque in (series, [0.5] * 3))
    np.testing.assert_allclose(with_series.q[-1], constant.q[-1], rtol=0, atol=1e-7)  # rtol of dopri5 is 1e-8
