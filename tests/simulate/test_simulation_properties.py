"""Simulations over combinations: random robots of every joint kind, laws, wrenches, parameters, friction, end stops, methods, engines.

Programs are run by the interpreter here wherever machine code is not what is tested, so that an example takes milliseconds. The oracle is
plant.py: the same equations around Pinocchio. ORDERN_TRUST=1 runs many more examples.
"""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import replace

import numpy as np
import plant
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import ordern
import ordern.program.rolled as rolled
import ordern.program.schedule as schedule
import robots
from budget import TRUST
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.simulate.arguments import the_motion

C = ordern.control
EPS = np.finfo(float).eps
MANY = 50 if TRUST else 1
DEFAULTS = {
    "friction": True,
    "friction_speed": 0.01,
    "limits": True,
    "dynamics": None,
    "external": None,
    "parameters": None,
    "saturate": False,
}


def examples(count):
    """So many, the same ones every time; fifty times as many for trust: more than 10,000 with those of test_balances.py."""
    return settings(
        max_examples=count * MANY, phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
    )  # fmt: skip


class loops:
    """Every robot's walks as loops, or none's."""

    def __init__(self, on):
        self.limits = (0, 1, 0) if on else (10**9, 3, 8)

    def __enter__(self):
        self.before = schedule.UNROLL, schedule.FEW, schedule.FEW_ROOTS
        self.set(*self.limits)

    def __exit__(self, *_):
        self.set(*self.before)

    def set(self, unroll, few, roots):
        rolled.UNROLL = schedule.UNROLL = unroll
        schedule.FEW, schedule.FEW_ROOTS = few, roots


def motion_of(case, **more):
    robot = Robot(case.model)
    q, _ = case.start()
    with np.errstate(all="raise"), quiet():
        return the_motion(robot, q[None], True, 1.0, case.torque(), DEFAULTS | case.options | more)[0]


@contextlib.contextmanager
def quiet():
    """Starts outside the limits, and torques beyond what drives can do, are wanted here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ordern.OrdernWarning)
        yield


def inputs_of(motion, kind, state, t=0.2):
    made = dict(zip(motion.inputs(kind), state, strict=False))
    for name, channel in motion.channels.items():
        made[name] = channel.values if channel.signal is None else channel.signal(np.array([t]))[0]
    return made


def condition(case, q):
    return np.linalg.cond(case.plants()[0].mass(q))


@examples(50)
@given(plant.recipes())
@example((["revolute", "prismatic", "revolute", "helical"], 1, "computed", True, True, True, True, True, True))
@example((["prismatic", "revolute", "helical", "revolute"], 2, "pd+gravity", True, True, True, True, True, False))
@example((["floating", "revolute", "revolute", "prismatic"], 3, "gravity", True, True, True, True, True, False))
@example((["cylindrical", "planar", "universal", "spherical"], 4, "pd", True, True, True, True, False, True))
def test_right_hand_side_is_the_independent_one(recipe):
    """Accelerations and drive against Pinocchio, written out and as loops."""
    against_pinocchio(recipe, (False, True))


@examples(95)
@given(plant.recipes(most=2))
def test_right_hand_sides_of_one_and_two_joints(recipe):
    """The same with every option on small robots, each of which takes a twentieth of a second."""
    against_pinocchio(recipe, (False,))


def against_pinocchio(recipe, forms):
    case = plant.case(*recipe)
    (q, v), t = case.start(), 0.2
    qdd, tau = case.accelerations(t, q, v)
    size = max(1.0, np.abs(qdd).max(), np.abs(tau).max())
    for on in forms:
        with loops(on):
            motion = motion_of(case)
            program = motion.program("report")
            looped = any(isinstance(part, range) for part in schedule.schedule(case.model)) and not case.model.coupled
        assert looped == (not program.straight) and (on or not looped)
        made = interpret(program, inputs_of(motion, "report", (q, v), t))
        allowed = (
            200 * EPS * size * condition(case, q)
        )  # 200: a few roundings a joint and term; cond(M): the solution of the mass matrix
        np.testing.assert_allclose(made["tau"], tau, rtol=0, atol=200 * EPS * size)
        np.testing.assert_allclose(made["qdd"], qdd, rtol=0, atol=allowed, err_msg=f"loops: {on}")


@examples(15)
@given(plant.recipes(most=3))
def test_charts_and_momenta_are_the_same_motion(recipe):
    """rates and hamilton within a chart say what report says at the point they stand for, and their dx moves q as the velocity does."""
    case = plant.case(*recipe)
    base, v = case.start()
    x = 0.15 * np.random.default_rng(case.seed).normal(size=len(v)).clip(-1.5, 1.5)
    t, real = 0.2, case.plants()[0]
    for on in (False, True):
        with loops(on):
            motion = motion_of(case)
            programs = {kind: motion.program(kind) for kind in ("rates", "hamilton", "advance", "momenta", "report")}

        def run(kind, *state):
            return interpret(programs[kind], inputs_of(motion, kind, state, t))  # noqa: B023

        h = 1e-4  # differences of fourth order: eps/h of rounding; the chart's own series ends with x^8/1209600
        ends, weights = h * np.array([[-2], [-1], [1], [2]]), np.array([1, -8, 8, -1]) / (12 * h)
        q = run("advance", base, x)["q"]
        made, qdd = run("rates", base, x, v), run("report", q, v)["qdd"]
        size = max(1.0, np.abs(qdd).max()) * condition(case, q)
        np.testing.assert_allclose(made["qdd"], qdd, rtol=0, atol=200 * EPS * size)
        moved = weights @ run("advance", base, x + ends * made["dx"])["q"]
        np.testing.assert_allclose(moved, plant.coordinate_rates(case.model, q, v), rtol=0, atol=2e-9)
        p = run("momenta", q, v)["p"]
        np.testing.assert_allclose(p, real.mass(q) @ v, rtol=0, atol=200 * EPS * max(1.0, np.abs(p).max()))
        held = run("hamilton", base, x, p)
        np.testing.assert_allclose(held["qd"], v, rtol=0, atol=200 * EPS * size)
        np.testing.assert_allclose(held["dx"], made["dx"], rtol=0, atol=1e3 * EPS * size)
        # p = M v, so dp/dt = M qdd + (dM/dt) v
        slope = weights @ [real.mass(near) @ v for near in run("advance", q, ends * v)["q"]]
        np.testing.assert_allclose(held["dp"], real.mass(q) @ qdd + slope, rtol=0, atol=1e-8 * size + 1e-7)


@examples(10)
@given(plant.recipes(most=3), st.sampled_from(["dopri5", "dop853", "rk4", "symplectic"]), st.booleans())
def test_runs_are_scipys(interpreted, recipe, method, on):
    """Whole runs against SciPy's integration of the independent right-hand side."""
    case = plant.case(*recipe)
    q, v = case.start()
    model, end = case.model, 0.03

    def rates(t, y):
        return np.concatenate(
            [
                plant.coordinate_rates(model, y[: model.nq], y[model.nq :]),
                case.accelerations(t, y[: model.nq], y[model.nq :])[0],
            ]
        )

    exact = solve_ivp(rates, (0, end), np.concatenate([q, v]), method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
    dt = 1e-3
    with loops(on), quiet():
        run = Robot(model).simulate(
            q, v, end, case.torque(), method=method, engine="numpy", rtol=1e-8, dt=dt, output_dt=None, **case.options
        )
    # friction turns within 0.05 rad/s: what steps of 1 ms make of that; at 4 ms one of 600 robots was 1.4e-5 off, and by
    # the symplectic method one 1.4e-6 at 4 ms and one 1.1e-6 at 2 ms
    rough = 1e-5 if method == "rk4" else 1e-6
    np.testing.assert_allclose(run.q[-1], exact[: model.nq], rtol=0, atol=rough)
    np.testing.assert_allclose(run.qd[-1], exact[model.nq :], rtol=0, atol=100 * rough)


@pytest.mark.parametrize("law", ["pd+gravity", "computed", "gravity", "operational"])
@pytest.mark.parametrize("parameters", [False, True])
def test_a_push_pushes(law, parameters):
    """What a wrench does under a law is M^-1 J^T w, with or without parameters that have nothing to do with it."""
    robot = ordern.robots.puma560()
    q, link = np.array([0.1, 0.8, -2.5, 0.1, 0.7, 0.2]), robot.link_names[-1]
    target = robot.forward_kinematics(q, link)
    made = {
        "pd+gravity": C.PD(q, 5.0, 1.0, gravity=True),
        "computed": C.ComputedTorque(q, 5.0, 1.0),
        "gravity": C.GravityCompensation(1.0),
        "operational": C.OperationalSpace(link, target, 5.0, 1.0),
    }[law]
    w = np.array([0.3, -0.2, 0.5, 4.0, 5.0, -6.0])
    options = DEFAULTS | {
        "limits": False,
        "friction": False,
        "parameters": {"damping": np.full(6, 0.1)} if parameters else None,
    }
    qd = np.full(6, 0.2)
    accelerations = []
    for external in (None, {link: w}):
        motion = the_motion(robot, q[None], True, 1.0, made, options | {"external": external})[0]
        accelerations.append(interpret(motion.program("report"), inputs_of(motion, "report", (q, qd))))
    push = robot.mass_matrix_inverse(q) @ robot.jacobian(q, link, reference="body").T @ w
    assert np.abs(push).max() > 1
    np.testing.assert_array_equal(accelerations[0]["tau"], accelerations[1]["tau"])
    np.testing.assert_allclose(accelerations[1]["qdd"] - accelerations[0]["qdd"], push, rtol=0, atol=1e-9)


@pytest.mark.parametrize("on", [False, True])
@pytest.mark.parametrize(
    "dynamics", ["denoc", "articulated", "composite", "natural-complement", "gibbs-appell", "innovations"]
)
def test_payload_and_masses_of_every_method(dynamics, on):
    """Also on a body without mass, and with a payload of nothing."""
    case = plant.case(
        ["revolute", "prismatic", "revolute", "revolute"], 5, "none", True, True, True, False, False, False
    )
    bodies = list(case.model.bodies)
    bodies[-1] = replace(bodies[-1], inertia=type(bodies[-1].inertia)(), armature=(0.3,))
    case.model = case.model.with_bodies(bodies)
    q, v = case.start()
    for mass in (0.7, 0.0):
        case.options["parameters"]["payload"] |= {"mass": mass} | ({} if mass else {"inertia": (0.0,) * 6})
        with loops(on):
            motion = motion_of(case, dynamics=dynamics)
            made = interpret(motion.program("report"), inputs_of(motion, "report", (q, v)))["qdd"]
        expected = case.accelerations(0.2, q, v)[0]
        np.testing.assert_allclose(made, expected, rtol=0, atol=200 * EPS * condition(case, q) * np.abs(expected).max())


@pytest.mark.parametrize("kind", ["feedback", "operational", "sum"])
def test_laws_that_are_no_loops_serve_long_robots(kind):
    """They have everything written out."""
    robot = Robot(robots.serial("RRP", 2))
    rng, link = np.random.default_rng(0), robot.link_names[-1]
    K, q, v = rng.normal(size=(3, 6)), rng.normal(size=3), rng.normal(size=3)
    law = {
        "feedback": lambda: C.StateFeedback(K, np.zeros(3)),
        "operational": lambda: C.OperationalSpace(link, np.array([0.1, 0.2, 0.3]), 4.0, 2.0),
        "sum": lambda: C.StateFeedback(K, np.zeros(3)) + C.GravityCompensation(),
    }[kind]()
    made = []
    for on in (False, True):
        with loops(on):
            motion = the_motion(robot, q[None], True, 1.0, law, DEFAULTS)[0]
            program = motion.program("report")
        assert program.straight
        made.append(interpret(program, inputs_of(motion, "report", (q, v))))
    np.testing.assert_array_equal(made[0]["qdd"], made[1]["qdd"])


@pytest.mark.parametrize("on", [False, True])
@pytest.mark.parametrize("external", [False, True])
@pytest.mark.parametrize("kind", ["computed", "gravity"])
def test_laws_with_a_model_of_their_own(on, external, kind):
    """Another robot with the same joints, whose frames and masses are all different."""
    case = plant.case(
        ["revolute", "universal", "revolute", "spherical"], 8, "none", external, external, True, False, False, False
    )
    strange = plant.case(
        ["revolute", "universal", "revolute", "spherical"], 9, "none", False, False, True, False, False, False
    ).model
    bodies = [
        replace(b, placement=o.placement, inertia=o.inertia)
        for b, o in zip(case.model.bodies, strange.bodies, strict=True)
    ]
    other = case.model.with_bodies(bodies)
    q, v = case.start()
    target, twin = robots.state(case.model, np.random.default_rng(3))[0], plant.Twin(other)
    if kind == "computed":
        law = C.ComputedTorque(target, 3.0, 0.5, robot=Robot(other))
        expected = twin.tau(q, v, 3.0 * plant.difference(case.model, q, target) - 0.5 * v)
    else:
        law, expected = C.GravityCompensation(0.5, robot=Robot(other)), twin.bias(q, 0 * v) - 0.5 * v
    with loops(on):
        motion = the_motion(Robot(case.model), q[None], True, 1.0, law, DEFAULTS | case.options)[0]
        made = interpret(motion.program("report"), inputs_of(motion, "report", (q, v)))
    np.testing.assert_allclose(made["tau"], expected, rtol=0, atol=200 * EPS * max(1.0, np.abs(expected).max()))
    real = case.plants()[0]
    rest = made["tau"] + case.passive(q, v) - real.bias(q, v, case.wrenches(0.2, q, v))
    np.testing.assert_allclose(real.mass(q) @ made["qdd"], rest, rtol=0, atol=1e-9 * max(1.0, np.abs(rest).max()))
