"""Trajectories before, in and after their time: rates and accelerations are those of the positions, and NaN is refused everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import ordern
from ordern.robot import Robot
from ordern.simulate import trajectory
from robots import serial

T, C = ordern.trajectory, ordern.control
ARM = Robot(serial("RRR", 31))
LINK = ARM.link_names[-1]
Q0 = np.array([0.3, -0.5, 0.8])
POSES = np.stack([np.eye(4), np.eye(4)])
POSES[1, :3, :3], POSES[1, :3, 3] = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix(), (0.2, 0.1, -0.3)


def tool(q):
    return ARM.forward_kinematics(np.asarray(q), LINK)[..., :3, 3]


WAYS = {
    "cycloid": lambda s: T.cycloid(Q0, Q0 + 0.4, 0.7, s),
    "quintic": lambda s: T.quintic(Q0, Q0 + 0.4, 0.7, s, qd0=0.3, qd1=[0.1, -0.2, 0.4], qdd0=-1.0, qdd1=2.0),
    "quintic at rest": lambda s: T.quintic(Q0, Q0 + 0.4, 0.7, s),
    "trapezoidal": lambda s: T.trapezoidal(Q0, Q0 + 0.4, 0.7, s),
    "trapezoidal without a plateau": lambda s: T.trapezoidal(Q0, Q0 + 0.4, 0.7, s, blend=0.5),
    "trapezoidal by limits": lambda s: T.trapezoidal(Q0, Q0 + 0.4, start=s, velocity=1.0, acceleration=[4.0, 3.0, 5.0]),
    "via": lambda s: T.via(np.stack([Q0, Q0 + 0.2, Q0 - 0.1]), s + np.array([0.0, 0.3, 0.7])),
    "spline": lambda s: T.spline(
        ARM, LINK, tool([Q0, Q0 + 0.1, Q0 + 0.25]), s + np.array([0.0, 0.3, 0.7]), q0=Q0, points=21
    ),
    "straight": lambda s: T.straight(Q0, Q0 + 0.4, 0.7, s, profile="constant"),
    "straight poses": lambda s: T.straight(*POSES, 0.7, s),
    "line": lambda s: T.line(ARM, LINK, tool(Q0), tool(Q0 + 0.2), 0.7, q0=Q0, points=21),
}


def test_every_kind_is_tried():
    assert {name for name in T.__all__ if name.islower()} == {kind.split()[0] for kind in WAYS}


@pytest.mark.parametrize("start", [0.0, 0.25, -0.3, 3.0])
@pytest.mark.parametrize("kind", WAYS)
def test_rates_are_those_of_the_positions(kind, start):
    way = WAYS[kind](start)
    assert way.start == (0.0 if kind == "line" else start)
    q, qd, qdd = way.signals()
    e = 1e-5
    kinks = np.unique(np.concatenate([way.signal.breaks, [way.start, way.end]]))
    t = np.linspace(way.start - 1.0, way.end + 1.0, 401)
    t = t[np.min(np.abs(t[:, None] - kinks), axis=1) > 3 * e]  # at a kink the two sides differ
    for a, b in ((q, qd), (qd, qdd)):
        slope = (a(t + e) - a(t - e)) / (2 * e)
        np.testing.assert_allclose(
            b(t), slope, rtol=0, atol=1e-6 * max(1.0, np.abs(b(t)).max())
        )  # e^2 of a third derivative, rounding over e
    outside = (t < way.start) | (t > way.end)
    for made, exact in zip((qd, qdd), way(t)[1:], strict=True):
        assert np.all(made(t[outside]) == 0)
        np.testing.assert_allclose(made(t), exact, rtol=0, atol=1e-9 * max(1.0, np.abs(exact).max()))
    np.testing.assert_allclose(
        q(t[t < way.start]), np.broadcast_to(way(way.start).q, (np.sum(t < way.start), q.channels)), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("kind", ["quintic", "trapezoidal", "via", "spline"])
def test_laws_get_them(kind, engine):
    """A law that is nothing but the target's rate or acceleration shows what it is handed, in the midst and outside."""
    way = WAYS[kind](0.15)
    options = {
        "duration": 1.0,
        "output_dt": 0.05,
        "method": "rk4",
        "dt": 0.05,
        "engine": engine,
        "limits": False,
        "friction": False,
    }
    run = ARM.simulate(Q0, torque=C.PD(way, 0.0, 1.0), **options)
    away = np.min(np.abs(run.t[:, None] - [way.start, way.end]), axis=1) > 1e-9
    np.testing.assert_allclose((run.tau + run.qd)[away], way(run.t).qd[away], rtol=0, atol=1e-9)
    run = ARM.simulate(Q0, torque=C.ComputedTorque(way, 0.0, 0.0), **options)
    np.testing.assert_allclose(run.qdd[away], way(run.t).qdd[away], rtol=0, atol=1e-6)


def test_holding_before_the_start():
    """An arm that stands at the start of a motion to come does not move before."""
    way = T.quintic(Q0, Q0 + 0.4, 1.0, start=0.5, qd0=0.8)
    run = ARM.simulate(Q0, duration=0.45, torque=C.ComputedTorque(way, 100.0, 20.0), limits=False, friction=False)
    np.testing.assert_allclose(run.q, np.broadcast_to(Q0, run.q.shape), rtol=0, atol=1e-9)


NAN = np.array([0.1, np.nan, 0.2])
GOOD = np.zeros(3)
BAD = {
    "cycloid q0": lambda x: T.cycloid(x, GOOD),
    "cycloid q1": lambda x: T.cycloid(GOOD, x),
    "cycloid duration": lambda x: T.cycloid(GOOD, GOOD + 1, x[1]),
    "cycloid start": lambda x: T.cycloid(GOOD, GOOD + 1, 1.0, x[1]),
    "quintic qd0": lambda x: T.quintic(GOOD, GOOD + 1, qd0=x),
    "quintic qd1": lambda x: T.quintic(GOOD, GOOD + 1, qd1=x),
    "quintic qdd0": lambda x: T.quintic(GOOD, GOOD + 1, qdd0=x),
    "quintic qdd1": lambda x: T.quintic(GOOD, GOOD + 1, qdd1=x),
    "quintic start": lambda x: T.quintic(GOOD, GOOD + 1, 1.0, x[1]),
    "trapezoidal velocity": lambda x: T.trapezoidal(GOOD, GOOD + 1, velocity=x, acceleration=1.0),
    "trapezoidal acceleration": lambda x: T.trapezoidal(GOOD, GOOD + 1, velocity=1.0, acceleration=x),
    "trapezoidal blend": lambda x: T.trapezoidal(GOOD, GOOD + 1, 1.0, blend=x[1]),
    "trapezoidal start": lambda x: T.trapezoidal(GOOD, GOOD + 1, 1.0, x[1]),
    "via points": lambda x: T.via([GOOD, x], [0, 1]),
    "via times": lambda x: T.via([GOOD, GOOD, GOOD], x),
    "line start": lambda x: T.line(ARM, LINK, x, GOOD, 1.0),
    "line duration": lambda x: T.line(ARM, LINK, tool(Q0), tool(Q0 + 0.1), x[1]),
    "spline places": lambda x: T.spline(ARM, LINK, [GOOD, x], [0, 1]),
    "straight": lambda x: T.straight(x, GOOD),
    "straight start": lambda x: T.straight(GOOD, GOOD + 1, 1.0, x[1]),
    "time": lambda x: T.cycloid(GOOD, GOOD + 1)(x),
}


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("place", BAD)
def test_no_nan_is_taken(place, value):
    with pytest.raises((ordern.InputError, ordern.ShapeError)):
        BAD[place](np.where(np.isnan(NAN), value, NAN))


def test_options_without_effect_are_refused():
    with pytest.raises(ordern.InputError, match="either"):
        T.trapezoidal(GOOD, GOOD + 1, 1.0, velocity=1.0)
    with pytest.raises(ordern.InputError, match="blend"):
        T.trapezoidal(GOOD, GOOD + 1, velocity=1.0, acceleration=1.0, blend=0.3)
    with pytest.raises(ordern.ShapeError, match="qd0"):
        T.quintic(GOOD, GOOD + 1, qd0=[1.0, 2.0])
    with pytest.raises(ordern.InputError, match="too short"):
        T.quintic(GOOD, GOOD + 1, 1e-200)
    with pytest.raises(ordern.InputError, match="points"):
        T.line(ARM, LINK, tool(Q0), tool(Q0 + 0.1), 1.0, points=1)
    mirror = np.diag([1.0, 1.0, -1.0, 1.0])
    for call in (lambda: T.straight(np.eye(4), mirror), lambda: T.line(ARM, LINK, np.eye(4), mirror, 1.0)):
        with pytest.raises(ordern.InputError, match="mirrored"):
            call()


@pytest.mark.parametrize("degrees", [(0, 100, 200, 300), (0, 120, 240, 360, 480, 600, 720), (0, -170, -340, -180)])
def test_attitudes_wind_on(degrees):
    """Turning the same way for more than half a turn, and more than one: the tool's joint follows the spline of the angle itself."""
    robot = ordern.robots.puma560()
    link, q0, t = robot.link_names[-1], np.array([0.3, 0.8, -2.5, 0.1, 0.7, 0.2]), np.arange(len(degrees)) * 1.0
    q = q0 + np.outer(np.radians(degrees), np.eye(6)[5])
    way = T.spline(robot, link, robot.forward_kinematics(q, link), t, q0=q0, points=25 * len(t) + 1, limits=False)
    exact = T.via(q, t)
    at = way.signal.breaks[::5]
    np.testing.assert_allclose(way(at).q, exact(at).q, rtol=0, atol=1e-7)


def test_half_a_turn_at_once_is_ambiguous():
    half = np.eye(4)
    half[:3, :3] = Rotation.from_rotvec([0, 0, np.pi]).as_matrix()
    with pytest.raises(ordern.InputError, match="half a turn"):
        T.spline(ARM, LINK, np.stack([np.eye(4), half]), [0, 1])


@pytest.mark.parametrize("profile", [trajectory._profile_cycloid, trajectory._profile_quintic])
def test_rates_of_profiles_are_their_derivatives(profile):
    """By central differences, whose error is some h^2 = 1e-8 times the third derivative; at rest at both ends."""
    s, h = np.linspace(0.01, 0.99, 50), 1e-4
    ahead, here, behind = profile(s + h), profile(s), profile(s - h)
    for k in (0, 1):
        np.testing.assert_allclose((ahead[k] - behind[k]) / (2 * h), here[k + 1], rtol=0, atol=1e-5)
    np.testing.assert_allclose(profile(np.array([0.0, 1.0])), [[0, 1], [0, 0], [0, 0]], rtol=0, atol=1e-14)


ONE, TWO = np.zeros(2), np.ones(2)
WRONG = {
    "other lengths": (ordern.ShapeError, lambda: T.cycloid(ONE, np.ones(3), 1.0)),
    "two axes": (ordern.ShapeError, lambda: T.cycloid(ONE[None], TWO[None], 1.0)),
    "no limits": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO)),
    "velocity alone": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, velocity=1.0)),
    "acceleration alone": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, acceleration=1.0)),
    "velocity of 0": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, velocity=[0.0, 1.0], acceleration=1.0)),
    "acceleration of 0": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, velocity=1.0, acceleration=[1.0, 0.0])),
    "acceleration and duration": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, 1.0, acceleration=1.0)),
    "blend of 0": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, 1.0, blend=0.0)),
    "blend over a half": (ordern.InputError, lambda: T.trapezoidal(ONE, TWO, 1.0, blend=0.51)),
    "points of one axis": (ordern.ShapeError, lambda: T.via(ONE, [0.0, 1.0])),
    "times that are too few": (ordern.ShapeError, lambda: T.via(np.zeros((3, 2)), [0.0, 1.0])),
    "one point": (ordern.ShapeError, lambda: T.via(np.zeros((1, 2)), [0.0])),
    "equal times": (ordern.InputError, lambda: T.via(np.zeros((2, 2)), [1.0, 1.0])),
    "a pose and a place": (ordern.ShapeError, lambda: T.straight(np.eye(4), np.zeros(3), 1.0)),
    "planes": (ordern.ShapeError, lambda: T.straight(np.zeros(2), np.ones(2), 1.0)),
    "start of two numbers": (ordern.ShapeError, lambda: T.cycloid(ONE, TWO, 1.0, [0.0, 1.0])),
    "rates of another robot": (ordern.ShapeError, lambda: T.quintic(ONE, TWO, 1.0, qd0=np.ones(3))),
    "places of four": (ordern.ShapeError, lambda: T.spline(ARM, LINK, np.zeros((2, 4)), [0.0, 1.0])),
    "one place": (ordern.ShapeError, lambda: T.spline(ARM, LINK, np.zeros(3), [0.0, 1.0])),
    "another profile": (ordern.InputError, lambda: T.straight(np.zeros(3), np.ones(3), 1.0, profile="round")),
}


@pytest.mark.parametrize("what", WRONG)
def test_ways_that_are_none_are_refused(what):
    kind, call = WRONG[what]
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("start", [0.0, 2.5])
@pytest.mark.parametrize("limits", [(1.0, 4.0), (10.0, 4.0), ([0.5, 3.0], [8.0, 2.0])])
def test_trapezoids_are_as_quick_as_their_limits_allow(limits, start):
    """Some joint reaches its rate, or all speed up and slow down for half of the time each at some joint's acceleration; none passes either."""
    a, b = np.array([0.2, -1.0]), np.array([1.0, 1.5])
    way = T.trapezoidal(a, b, velocity=limits[0], acceleration=limits[1], start=start)
    first, last = way.signal.breaks[[0, -1]]
    t = np.linspace(first, last, 4001)[1:-1]
    rates, bends = (
        np.abs(x).max(axis=0) / np.broadcast_to(e, (2,)) for x, e in zip((way(t).qd, way(t).qdd), limits, strict=True)
    )
    assert first == start and max(rates.max(), bends.max()) <= 1 + 1e-9
    assert bends.max() > 1 - 1e-9
    assert rates.max() > 1 - 1e-9 or len(way.signal.breaks) == 3
    np.testing.assert_allclose([way(first).q, way(last).q], [a, b], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("blend", "breaks"), [(None, [0, 0.5, 1.5, 2]), (0.1, [0, 0.2, 1.8, 2]), (0.5, [0, 1, 2])])
def test_blends_are_shares_of_the_duration(blend, breaks):
    way = T.trapezoidal(ONE, TWO, 2.0, blend=blend)
    np.testing.assert_allclose(way.signal.breaks, breaks, rtol=0, atol=1e-12)
    np.testing.assert_allclose(way(np.array([0.0, 1.0, 2.0])).q[:, 0], [0, 0.5, 1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(way(np.array([1e-9, 2 - 1e-9])).qd, 0.0, rtol=0, atol=1e-7)


def test_a_way_of_nothing_takes_a_second():
    way = T.trapezoidal(ONE, ONE, velocity=1.0, acceleration=1.0)
    np.testing.assert_allclose(way.signal.breaks, [0.0, 0.25, 0.75, 1.0])
