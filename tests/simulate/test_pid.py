"""PID laws against SciPy's integrator with the integral as states of its own, on robots with and without quaternions, alone and in sums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from test_law_formulas import left

import ordern
from budget import TRUST
from ordern.robot import Robot
from robots import serial

C, T = ordern.control, ordern.trajectory
BARE = {"limits": False, "friction": False}
ROBOTS = {
    "arm": lambda: Robot(serial("RPR", 41)),
    "ball": lambda: Robot(serial("SR", 42)),
    "free": lambda: Robot(serial("FR", 43)),
}
GAINS = {"kp": 30.0, "ki": 20.0, "kd": 9.0}


def rate_of(robot, q, qd):
    """dq/dt, with quaternions turning in the body."""
    made = []
    for i in robot.model.free:
        joint, (a, b) = robot.model.bodies[i].joint, robot.model.offsets[i]
        v = qd[b : b + joint.nv]
        if joint.nq == joint.nv:
            made.append(v)
            continue
        x, y, z, w = q[a + joint.nq - 4 : a + joint.nq]
        turn = np.array([[w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z]]) / 2
        if joint.nq == 7:
            from scipy.spatial.transform import Rotation

            made.append(Rotation.from_quat(q[a + 3 : a + 7]).apply(v[3:]))
        made.append(turn @ v[:3])
    return np.concatenate(made)


def exact(robot, q0, qd0, law, times):
    """The states at the times; law(t, q, qd, z) gives joint forces and the rate of z."""
    nq, n = robot.nq, robot.n

    def f(t, y):
        q, qd, z = y[:nq], y[nq : nq + n], y[nq + n :]
        tau, dz = law(t, q, qd, z)
        return np.concatenate([rate_of(robot, q, qd), robot.forward_dynamics(q, qd, tau), dz])

    made = solve_ivp(
        f, (0, times[-1]), np.concatenate([q0, qd0, np.zeros(n)]), "DOP853", t_eval=times, rtol=1e-10, atol=1e-11
    )
    return made.y[:nq].T, made.y[nq : nq + n].T


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("name", ROBOTS)
def test_pid_is_its_definition(name, engine):
    robot, rng = ROBOTS[name](), np.random.default_rng(5)
    q0, qd0 = robot.random(rng), rng.uniform(-0.5, 0.5, robot.n)
    target = robot.integrate(q0, 0.5 * rng.uniform(-1, 1, robot.n))
    kp, ki, kd = (g * rng.uniform(0.5, 1.5, robot.n) for g in GAINS.values())
    run = robot.simulate(
        q0,
        qd0,
        duration=1.0,
        output_dt=0.1,
        torque=C.PID(target, kp, ki, kd, gravity=True),
        rtol=1e-10,
        engine=engine,
        **BARE,
    )

    def law(t, q, qd, z):
        e = left(robot, q, target)
        return kp * e + ki * z - kd * qd + robot.gravity_forces(q), e

    q, qd = exact(robot, q0, qd0, law, run.t)
    assert run.model is robot.model and run.q.shape == (11, robot.nq)
    np.testing.assert_allclose(run.q, q, rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.qd, qd, rtol=0, atol=1e-6)
    np.testing.assert_allclose(run.qdd[5], robot.forward_dynamics(run.q[5], run.qd[5], run.tau[5]), rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        run.energy, robot.kinetic_energy(run.q, run.qd) + robot.potential_energy(run.q), rtol=0, atol=1e-9
    )
    assert run.stats["engine"] == engine


def test_what_is_left_over_goes_away():
    """Against gravity that nobody compensates a PD stays off, a PID does not; ensembles, and a payload that differs in each run."""
    robot = ROBOTS["arm"]()
    start = np.tile([0.2, 0.1, -0.3], (3, 1))
    loads = {"payload": {"mass": np.array([0.0, 0.5, 1.0])}, "masses": np.ones(3), "damping": np.full((3, 3), 0.1)}
    pd = robot.simulate(start, duration=0.05, torque=C.PD(start[0], 100.0, 40.0), parameters=loads, **BARE)
    pid = robot.simulate(
        start, duration=20.0, output_dt=1.0, torque=C.PID(start[0], 100.0, 80.0, 40.0), parameters=loads, **BARE
    )
    assert pd.q.shape[0] == pid.q.shape[0] == 3
    np.testing.assert_allclose(pid.q[:, -1], start, rtol=0, atol=1e-4)
    np.testing.assert_allclose(pid.qd[:, -1], 0, rtol=0, atol=1e-4)
    assert len(np.unique(pid.tau[:, -1, 0])) == 3
    single = robot.simulate(start[0], duration=0.5, torque=C.PID(start[0], 100.0, 0.0, 40.0), **BARE)
    plain = robot.simulate(start[0], duration=0.5, torque=C.PD(start[0], 100.0, 40.0), **BARE)
    np.testing.assert_allclose(single.q, plain.q, rtol=0, atol=1e-7)


def test_sums_trajectories_events_and_wrenches():
    robot = ROBOTS["arm"]()
    q0, link = np.array([0.2, 0.1, -0.3]), robot.link_names[-1]
    way = T.quintic(q0, q0 + 0.2, 1.0, start=0.1)
    other = robot.with_gravity((0, 0, -5.0))
    law = C.PID(way, 30.0, 20.0, 9.0) + C.GravityCompensation(0.1, robot=other) + C.PID(q0, 1.0, 2.0, 3.0)
    push = np.array([0, 0, 0, 1.0, 2.0, 3.0])
    seen = []

    def event(t, q, qd):
        seen.append((q.shape, qd.shape))
        return q[0] - 0.3

    event.terminal = False
    run = robot.simulate(
        q0,
        duration=1.2,
        output_dt=0.1,
        torque=law,
        external={link: lambda t, q, qd: push * (1 + q[0])},
        events=[event],
        rtol=1e-10,
        **BARE,
    )

    def f(t, y):
        q, qd, z1, z2 = y.reshape(4, 3)
        p = way(t)
        tau = (
            30 * (p.q - q) + 20 * z1 + 9 * (p.qd - qd) + other.gravity_forces(q) - 0.1 * qd + (q0 - q) + 2 * z2 - 3 * qd
        )
        return np.concatenate(
            [qd, robot.forward_dynamics(q, qd, tau, external={link: push * (1 + q[0])}), p.q - q, q0 - q]
        )

    made = solve_ivp(
        f, (0, 1.2), np.concatenate([q0, np.zeros(9)]), "DOP853", t_eval=run.t, rtol=1e-10, atol=1e-11, max_step=0.05
    )
    np.testing.assert_allclose(run.q, made.y[:3].T, rtol=0, atol=1e-6)
    assert set(seen) == {((3,), (3,))} and all(e.q.shape == e.qd.shape == (3,) for e in run.events)


def test_what_a_pid_cannot_do_is_said(tmp_path):
    robot = ROBOTS["arm"]()
    law = C.PID(np.zeros(3), 1.0, 1.0, 1.0)
    with pytest.raises(ordern.InputError, match="save="):
        robot.simulate(np.zeros((2, 3)), duration=0.1, torque=law, save=str(tmp_path / "x.zarr"))
    with pytest.raises(ordern.InputError, match="state feedback"):
        robot.simulate(np.zeros(3), duration=0.1, torque=law + C.StateFeedback(np.zeros((3, 6)), np.zeros(3)))
    with pytest.raises(ordern.MethodError, match="160 bodies"):
        ordern.robots.chain(200).simulate(np.zeros(200), duration=0.1, torque=C.PID(np.zeros(200), 1.0, 1.0, 1.0))
    with pytest.raises(ordern.ShapeError, match="ki"):
        robot.simulate(np.zeros(3), duration=0.1, torque=C.PID(np.zeros(3), 1.0, [1.0, 2.0], 1.0))
    with pytest.raises(ordern.SimulationError) as stop:
        robot.simulate(np.zeros(3), duration=5.0, torque=C.PID(np.zeros(3), -1e4, -1e4, -1e4), **BARE)
    assert stop.value.q.shape == (3,) and stop.value.run.q.shape[1] == 3


@pytest.mark.parametrize("law", ["PD", "PID"])
def test_gravity_is_yes_or_no(law):
    """PID had taken any word for yes."""
    gains = GAINS if law == "PID" else {"kp": 1.0, "kd": 1.0}
    with pytest.raises(ordern.InputError, match="gravity"):
        ordern.robots.pendulum().simulate(torque=getattr(C, law)([0.0], **gains, gravity="no"), duration=0.01)


@pytest.mark.parametrize("form", ["number", "array", "names"])
def test_options_of_each_joint_leave_the_memory_alone(interpreted, form):
    """One number for all joints is as many equal ones, and with ki = 0 a PID is a PD under the same options.

    A joint may be called as the memory is.
    """
    robot, names = ROBOTS["arm"](), ("left", "memory", "right")
    shape = {
        "number": np.asarray,
        "array": lambda x: np.full(3, x),
        "names": lambda x: dict.fromkeys(reversed(names), x) | {"left": 0.5 * x},
    }[form]
    q0, goal = np.array([0.1, 0.2, -0.3]), np.array([0.4, 0.1, 0.0])
    bodies = [
        b if not i else type(b)(**{f: getattr(b, f) for f in b.__slots__} | {"upper": (0.05,), "name": names[i - 1]})
        for i, b in enumerate(robot.model.bodies)
    ]
    robot = Robot(robot.model.with_bodies(bodies))
    options = {
        "duration": 0.05, "engine": "numpy", "limits": {"stiffness": shape(50.0), "damping": shape(2.0)},
        "parameters": {"damping": shape(0.7), "friction": shape(0.2), "masses": shape(1.5)},
    }  # fmt: skip
    with pytest.warns(ordern.OrdernWarning, match="outside its limits"):
        held = robot.simulate(q0, torque=C.PID(goal, 5.0, 0.0, 1.0), **options)
        same = robot.simulate(q0, torque=C.PD(goal, 5.0, 1.0), **options)
        wound = robot.simulate(q0, torque=C.PID(goal, 5.0, 90.0, 1.0), **options)
    np.testing.assert_allclose(held.q, same.q, rtol=0, atol=1e-7)
    integral = (wound.tau - 5.0 * (goal - wound.q) + wound.qd) / 90.0
    expected = np.cumsum(0.5 * np.diff(wound.t)[:, None] * (2 * goal - wound.q[1:] - wound.q[:-1]), axis=0)
    np.testing.assert_allclose(
        integral[1:], expected, rtol=0, atol=1e-4
    )  # trapezia of 10 ms; damped with 0.7 1/s it would be 2 % off


# every law, and both kinds of drives; all pairs in the long form
PAIRS = [("gravity", "some"), ("plain", "all"), ("sum", "some")]
MORE = [("gravity", "all"), ("plain", "some"), ("sum", "all")] if TRUST else []


@pytest.mark.parametrize(("law", "drives"), PAIRS + MORE)
def test_without_its_integral_a_pid_is_a_pd_on_closed_chains(interpreted, law, drives):
    """Joints without drive get what a PD gives them: nothing where the law computes with the model."""
    robot = ordern.load("fivebar").with_gravity((0.3, -9.8, 0.0))
    if drives == "all":
        robot = Robot(robot.model.changed(actuated=robot.joint_names, passive=()))
    q0 = np.array(robot.model.home)
    kp, extra = np.where(robot.model.driven, 30.0, 0.0), C.ComputedTorque(q0 + 0.05, 20.0, 3.0)
    pair = [C.PD(q0 + 0.1, kp, 0.1 * kp, law == "gravity"), C.PID(q0 + 0.1, kp, 0.0, 0.1 * kp, law == "gravity")]
    made = [
        robot.simulate(q0, duration=0.02, torque=x + extra if law == "sum" else x, engine="numpy", **BARE) for x in pair
    ]
    np.testing.assert_allclose(made[1].q, made[0].q, rtol=0, atol=1e-8)  # rtol of the runs, whose steps differ
    np.testing.assert_allclose(made[1].tau, made[0].tau, rtol=0, atol=1e-6)  # through kp
    assert drives == "all" or not made[1].tau[:, [1, 3]].any()
