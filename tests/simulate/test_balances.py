"""What mechanics balances, whatever the options: energy against all powers, motion run backwards, momentum; events and end stops as documented."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import plant
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_simulation_properties import DEFAULTS, EPS, examples, inputs_of, loops, quiet

import ordern
import robots
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.simulate.arguments import the_motion

C = ordern.control


@examples(15)
@given(plant.recipes(most=3))
def test_energy_goes_where_the_powers_say(recipe):
    """d/dt (kinetic + potential) is what drives, friction, end stops and wrenches put in."""
    case = plant.case(*recipe)
    q, v = case.start()
    t, h = 0.2, 1e-4
    qdd, tau = case.accelerations(t, q, v)
    real = case.plants()[0]
    robot = Robot(case.model)
    with quiet():
        motion = the_motion(robot, q[None], True, 1.0, case.torque(), DEFAULTS | case.options)[0]
    made = interpret(motion.program("report"), inputs_of(motion, "report", (q, v), t))
    given_in = made["tau"] @ v + case.passive(q, v) @ v
    given_in += sum(w @ real.link_twist(link, q, v) for link, w in case.wrenches(t, q, v).items())
    ends = h * np.array([-2, -1, 1, 2])
    energies = [real.energy(robot.integrate(q, e * v + 0.5 * e * e * made["qdd"]), v + e * made["qdd"]) for e in ends]
    change = np.array([1, -8, 8, -1]) @ energies / (12 * h)
    size = abs(tau) @ abs(v) + abs(qdd) @ real.mass(q) @ abs(v) + abs(real.energy(q, v))
    assert abs(change - given_in) < 1e-7 * max(1.0, size)  # eps/h of the energy, and the step's third order within h


@pytest.mark.parametrize("method", ["symplectic", "rk4", "verner", "cash-karp"])
def test_motion_runs_backwards(method):
    """Without losses, from the end with all velocities turned round, a run comes back: with steady wrenches and stops without damping too."""
    case = plant.case(["revolute", "spherical", "prismatic"], 3, "none", True, True, False, True, False, False)
    case.options["limits"]["damping"] = np.zeros(case.model.nv)
    case.options["external"] = {name: w for name, w in case.options["external"].items() if not isinstance(w, tuple)}
    case.options["parameters"] = {k: x for k, x in case.options["parameters"].items() if k in ("masses", "payload")}
    q, v = case.start()
    options = {
        "duration": 0.3,
        "method": method,
        "dt": 2e-3,
        "rtol": 1e-11,
        "atol": 1e-12,
        "output_dt": None,
    } | case.options
    with quiet():
        there = Robot(case.model).simulate(q, v, **options)
        back = Robot(case.model).simulate(there.q[-1], -there.qd[-1], **options)
    assert np.abs(there.q[-1] - q).max() > 0.05
    np.testing.assert_allclose(back.q[-1], q, rtol=0, atol=1e-6)
    np.testing.assert_allclose(-back.qd[-1], v, rtol=0, atol=1e-5)


@examples(15)
@given(plant.recipes())
def test_momentum_of_any_robot(recipe):
    case = plant.case(*recipe)
    q, v = case.start()
    twin = plant.Twin(case.model)
    robot = Robot(case.model)
    h = pin.computeCentroidalMomentum(twin.model, twin.data, twin.full(q), twin.G @ v)
    com = twin.data.com[0]
    expected = np.concatenate([h.angular + np.cross(com, h.linear), h.linear])
    np.testing.assert_allclose(
        _numbers(robot, "momentum", q, v), expected, rtol=0, atol=100 * EPS * max(1.0, np.abs(expected).max())
    )


def _numbers(robot, quantity, *given):
    """The algorithm on NumPy, without machine code."""
    from ordern.algorithms.registry import find
    from ordern.runtime.numbers import numbers

    return numbers(find(quantity)[0], robot.model)(*given)


@pytest.mark.parametrize("direction", [-1, 0, 1])
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("vectorized", [False, True])
def test_events_by_direction(direction, sign, vectorized):
    """A pendulum passes its lowest point now one way, now the other."""
    pendulum = ordern.robots.pendulum()
    rest = -np.pi / 2 if abs(pendulum.gravity_forces([0.0])[0]) > 1e-9 else 0.0

    def passes(t, q, qd):
        return sign * (q[..., 0] - rest)

    passes.terminal, passes.direction, passes.vectorized = False, direction, vectorized
    options = {"duration": 4.0, "rtol": 1e-6, "limits": False}
    q0 = [rest + 0.5]
    found = pendulum.simulate(q0, events=passes, **options).events
    passes.direction = 0
    both = pendulum.simulate(q0, events=passes, **options).events
    rates = np.array([sign * e.qd[0] for e in both])
    assert len(both) >= 3 and np.all(np.diff(np.sign(rates)) != 0)
    assert len(found) == (len(both) if not direction else int(np.sum(np.sign(rates) == direction)))
    assert all(direction * sign * e.qd[0] >= 0 for e in found)
    passes.terminal, passes.direction = True, direction
    stopped = pendulum.simulate(q0, events=passes, **options)
    assert stopped.t[-1] == stopped.events[0].t and abs(stopped.events[0].t - found[0].t) < 1e-8


@pytest.mark.parametrize("on", [False, True])
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_default_end_stops(on, end):
    """Springs that swing at 200 rad/s with the inertia in the middle of the limits; damping 1 s/rad of that."""
    model = robots.serial("RPR", 4)
    low, high = np.array([-0.4, -0.2, -0.5]), np.array([0.6, 0.3, 0.1])
    bodies = [
        b if not i else replace(b, lower=(float(low[i - 1]),), upper=(float(high[i - 1]),))
        for i, b in enumerate(model.bodies)
    ]
    robot = Robot(model.with_bodies(bodies))
    k = 200.0**2 * np.diagonal(_numbers(robot, "mass_matrix", 0.5 * (low + high)))
    q = low - np.array([0.01, 0.02, 0.03]) if end == "lower" else high + np.array([0.01, 0.02, 0.03])
    v = np.array([0.5, -0.4, 0.3])
    depth, side = (low - q, -1) if end == "lower" else (q - high, 1)
    expected = -side * depth * (k + side * k * v)
    with loops(on), quiet():
        motion, free = (the_motion(robot, q[None], True, 1.0, None, DEFAULTS | {"limits": x})[0] for x in (True, False))
        made, loose = (interpret(m.program("report"), inputs_of(m, "report", (q, v)))["qdd"] for m in (motion, free))
    M = _numbers(robot, "mass_matrix", q)
    np.testing.assert_allclose(M @ (made - loose), expected, rtol=1e-9)


def test_dry_friction_is_there_at_a_hundredth_of_a_radian_a_second(interpreted):
    """By default it is tanh(speed / 0.01)."""
    body = replace(ordern.robots.pendulum().model.bodies[1], friction=(0.3,))
    robot = Robot(ordern.robots.pendulum().model.with_bodies([ordern.robots.pendulum().model.bodies[0], body]))
    M, rest = float(robot.mass_matrix([0.0])[0, 0]), float(robot.gravity_forces([0.0])[0])
    for speed in (0.004, 0.01, 0.03):
        run = robot.simulate([0.0], [speed], duration=1e-6, engine="numpy")
        np.testing.assert_allclose(M * run.qdd[0, 0] + rest, -0.3 * np.tanh(speed / 0.01), rtol=0, atol=1e-12)


@examples(3)
@given(plant.recipes(most=2), st.sampled_from(["dopri5", "verner", "rk4", "symplectic"]))
def test_machine_code_makes_the_same_run(recipe, method):
    case = plant.case(*recipe)
    q, v = case.start()
    for on in (False, True):
        with loops(on), quiet():
            options = {"duration": 0.02, "method": method, "dt": 2e-3, "rtol": 1e-9} | case.options
            a, b = (
                Robot(case.model).simulate(q, v, torque=case.torque(), engine=engine, **options)
                for engine in ("compiled", "numpy")
            )
        np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-8)
        np.testing.assert_allclose(a.qd, b.qd, rtol=0, atol=1e-6)


@examples(4)
@given(plant.recipes(most=3))
def test_the_parts_of_langevin_steps(recipe):
    """Thermal velocities have the covariance M^-1, and what forces and free motion do adds up to the acceleration: for every joint kind."""
    case = plant.case(*recipe)
    q, v = case.start()
    M, n = case.plants()[0].mass(q), case.model.nv
    for on in (False, True):
        with loops(on), quiet():
            motion = the_motion(Robot(case.model), q[None], True, 1.0, case.torque(), DEFAULTS | case.options)[0]

            def run(kind, *state, motion=motion):
                return interpret(motion.program(kind), inputs_of(motion, kind, state))["qdd"]

            H = np.transpose([run("heat", q, e) for e in np.eye(n)])
            total = run("kick", q, v) + run("drift", q, np.zeros(n), v)
            whole = run("report", q, v)
        tight = 200 * EPS * np.linalg.cond(M)
        np.testing.assert_allclose(H.T @ M @ H, np.eye(n), rtol=0, atol=tight)
        np.testing.assert_allclose(total, whole, rtol=0, atol=tight * max(1.0, np.abs(whole).max()))
