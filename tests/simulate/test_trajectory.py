"""Trajectories against their formulas; the papers' straight line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ordern
from ordern.simulate import trajectory

T = ordern.trajectory


def test_cycloid_is_the_papers():
    way = T.cycloid([0.0, 1.0], [np.pi, 0.5], 10.0)
    t = np.linspace(0, 10, 1003)
    for k, (a, b) in enumerate([(0.0, np.pi), (1.0, 0.5)]):
        s = 2 * np.pi * t / 10
        np.testing.assert_allclose(
            way(t).q[:, k], a + (b - a) / 10 * (t - 10 / (2 * np.pi) * np.sin(s)), rtol=0, atol=1e-14
        )
        np.testing.assert_allclose(way(t).qd[:, k], (b - a) / 10 * (1 - np.cos(s)), rtol=0, atol=1e-11)
        np.testing.assert_allclose(way(t).qdd[:, k], (b - a) * 2 * np.pi / 100 * np.sin(s), rtol=0, atol=1e-8)


def test_cycloid_gives_figure_5():
    """Torques of the planar arm, section 19.1."""
    way = T.cycloid(np.zeros(3), np.full(3, np.pi), 10.0)
    known = {
        2.5: (3.98291442624585, 1.27454163156146, 0.221226314113469),
        7.5: (-1.86950848088145, 0.818789239436389, -0.213141935142576),
    }
    for t, tau in known.items():
        np.testing.assert_allclose(ordern.robots.planar3().inverse_dynamics(*way(t)), tau, rtol=0, atol=1e-9)


def test_quintic_meets_its_ends():
    way = T.quintic([0.0], [1.0], 2.0, start=1.0, qd0=0.3, qd1=-0.2, qdd0=0.1, qdd1=0.4)
    assert (way.start, way.end, way.duration) == (1.0, 3.0, 2.0)
    np.testing.assert_allclose(np.concatenate(way(1.0)), [0, 0.3, 0.1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(np.concatenate(way(3.0)), [1, -0.2, 0.4], rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.concatenate(way(5.0)), [1, 0, 0], rtol=0, atol=1e-12)
    q, qd, qdd = way.signals()
    np.testing.assert_allclose([q(4.0)[0], qd(4.0)[0], qdd(4.0)[0]], [1, 0, 0], rtol=0, atol=1e-12)


def test_trapezoidal_keeps_its_limits():
    way = T.trapezoidal([0.0, 0.0], [2.0, -0.5], velocity=[1.0, 1.0], acceleration=[2.0, 0.5])
    t = np.linspace(0, way.duration, 2001)
    p = way(t)
    assert (
        np.abs(p.qd).max() <= 1 + 1e-12
        and np.abs(p.qdd[:, 0]).max() <= 2 + 1e-12
        and np.abs(p.qdd[:, 1]).max() <= 0.5 + 1e-12
    )
    np.testing.assert_allclose(p.q[-1], [2.0, -0.5], rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.trapezoid(p.qd, t, axis=0), [2.0, -0.5], rtol=0, atol=1e-6)
    short = T.trapezoidal([0.0], [0.1], velocity=1.0, acceleration=1.0)
    assert len(short.signal.breaks) == 3
    np.testing.assert_allclose(T.trapezoidal([0.0], [1.0], 2.0)(2.0).q, [1.0], rtol=0, atol=1e-14)


def test_spline_passes_its_points():
    points, times = np.random.default_rng(0).normal(size=(5, 3)), np.array([0, 0.5, 1.5, 1.8, 3.0])
    way = T.via(points, times)
    np.testing.assert_allclose(way(times).q, points, rtol=0, atol=1e-12)
    np.testing.assert_allclose(way(times[[0, -1]]).qd, 0.0, rtol=0, atol=1e-12)


def turn(axis: int, degrees: float):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[j, j], R[j, k], R[k, j], R[k, k] = c, -s, s, c
    return R


def test_the_papers_straight_line():
    """Section 14.2 with the values of 19.3: the PUMA's wrist centre along a line at constant velocity and attitude."""
    robot = ordern.robots.puma560()
    link = robot.link_names[-1]
    start = np.eye(4)
    start[:3, :3] = turn(2, 45) @ turn(1, 60) @ turn(2, 90)
    start[:3, 3] = (0.60, 0.175, 0.250 + 0.67183)  # the page's origin is the shoulder
    end = start.copy()
    end[:3, 3] = (0.244, 0.527, 0.250 + 0.67183)
    q0 = (0.526, 1.1, -2.94, -0.305, 0.832, 1.911)
    way = T.line(robot, link, start, end, 5.0, q0=q0)
    known = {
        0: (
            0.526242369651221,
            1.09967962619621,
            -2.94052801890683,
            -0.304893431688487,
            0.832030644194385,
            1.91141295501845,
        ),
        2: (
            0.877332056541648,
            1.25530448656082,
            -3.15949078272232,
            0.104962422113695,
            0.861551676854287,
            1.45622934906169,
        ),
        5: (
            1.39852553456233,
            1.19987238344059,
            -3.08407268207197,
            0.622741087565627,
            1.0243772222505,
            0.875401110568629,
        ),
    }
    torque = {
        0: (0.0305336211383329, 24.3297900934454, 8.38392280530889),
        5: (-0.0126315072304322, 20.7773492030081, 8.26108040826442),
    }
    for t, q in known.items():
        np.testing.assert_allclose(way(float(t)).q, q, rtol=0, atol=1e-9)
    for t, tau in torque.items():
        np.testing.assert_allclose(robot.inverse_dynamics(*way(float(t)))[:3], tau, rtol=0, atol=1e-6)
    between = robot.forward_kinematics(way(1.234).q, link)
    np.testing.assert_allclose(between[:3, 3], start[:3, 3] + (end - start)[:3, 3] * 1.234 / 5, rtol=0, atol=1e-9)


def test_position_paths():
    robot = ordern.robots.puma560()
    link, q0 = robot.link_names[-1], np.array([0.5, 1.1, -2.9, -0.3, 0.8, 1.9])
    p = robot.forward_kinematics(q0, link)[:3, 3]
    way = T.spline(
        robot, link, [p, p + np.array([0.1, 0, 0]), p + np.array([0.1, 0.1, 0.05])], [0, 1, 2], q0=q0, points=41
    )
    np.testing.assert_allclose(
        robot.forward_kinematics(way(1.0).q, link)[:3, 3], p + np.array([0.1, 0, 0]), rtol=0, atol=1e-8
    )
    way = T.line(robot, link, p, p + np.array([0.1, 0.1, 0]), 1.0, profile="cycloid", q0=q0, points=31)
    np.testing.assert_allclose(way(0.0).qd, 0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        robot.forward_kinematics(way(0.5).q, link)[:3, 3], p + np.array([0.05, 0.05, 0]), rtol=0, atol=1e-8
    )


def test_splines_through_poses():
    """Via poses are passed, the ends are at rest, and rates are those of the way."""
    robot = ordern.robots.puma560()
    link, q = (
        robot.link_names[-1],
        np.array([[0.5, 1.1, -2.9, -0.3, 0.8, 1.9], [0.7, 1.0, -2.7, -0.1, 0.9, 1.6], [0.9, 1.2, -2.8, 0.2, 0.7, 1.4]]),
    )
    poses, times = robot.forward_kinematics(q, link), [0.0, 1.0, 2.5]
    way = T.spline(robot, link, poses, times, q0=q[0], points=201)
    for t, pose in zip(times, poses, strict=True):
        np.testing.assert_allclose(robot.forward_kinematics(way(t).q, link), pose, rtol=0, atol=1e-8)
    np.testing.assert_allclose([way(0.0).qd, way(2.5).qd], 0, rtol=0, atol=1e-12)
    t, e = way.start + np.array([30, 90, 150]) * 2.5 / 200, 1e-4
    # differences: e^2 of the third derivative
    np.testing.assert_allclose((way(t + e).q - way(t - e).q) / (2 * e), way(t).qd, rtol=0, atol=1e-6)
    # as far as neighbouring pieces agree
    np.testing.assert_allclose((way(t + e).qd - way(t - e).qd) / (2 * e), way(t).qdd, rtol=0, atol=1e-4)
    with pytest.raises(ordern.ShapeError, match="places"):
        T.spline(robot, link, np.zeros((3, 5)), times)


@pytest.mark.parametrize("kind", ["line", "spline"])
@pytest.mark.parametrize("name", ["threerrr", "delta"])
def test_paths_keep_loops_closed_in_rates_and_accelerations(name, kind):
    """They had been those of the tree alone, which open the loops."""
    robot = getattr(ordern.robots, name)()
    q0 = robot.assemble().q
    p = robot.forward_kinematics(q0, "platform")[:3, 3]
    ends, options = p + np.array([[0.0, 0.0, 0.0], [0.02, 0.01, 0.0]]), {"q0": q0, "points": 5}
    if kind == "line":
        way = T.line(robot, "platform", *ends, 1.0, profile="cycloid", **options)
    else:
        way = T.spline(robot, "platform", ends, [0.0, 1.0], **options)
    q, qd, qdd = way(np.linspace(0.25, 0.75, 3))
    A, J = robot.constraint_jacobian(q), robot.jacobian(q, "platform")[:, 3:]
    # inverse kinematics stops at 1e-10
    np.testing.assert_allclose(np.einsum("kij,kj->ki", A, qd), 0.0, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.einsum("kij,kj->ki", A, qdd) + robot.constraint_bias(q, qd), 0.0, rtol=0, atol=1e-8)
    rate = np.einsum("kij,kj->ki", J, qd)
    assert np.linalg.norm(rate[1]) > 0.02  # it moves
    np.testing.assert_allclose(np.cross(rate, ends[1] - p), 0.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("duration", [1e-5, 1e6])
def test_paths_do_not_depend_on_the_unit_of_time(duration):
    """Accelerations of fast ones had lost all but three digits, of slow ones half of them."""
    robot, q0 = ordern.robots.ur5(), np.array([0.3, -1.2, 1.4, -0.5, 0.7, 0.2])
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(q0 + np.outer([0, 1, 2], [0.1, 0.07, -0.1, 0.05, 0.1, 0.15]), link)

    def bends(T_):
        ways = (
            T.line(robot, link, *poses[:2], T_, q0=q0, points=5),
            T.spline(robot, link, poses, [0, 0.4 * T_, T_], q0=q0, points=5),
        )
        return np.concatenate([way(np.array([0.25, 0.75]) * T_).qdd * T_ * T_ for way in ways])

    np.testing.assert_allclose(bends(duration), bends(1.0), rtol=0, atol=1e-8)  # of some 1; differences keep 1e-10


def test_nonsense_is_refused():
    robot = ordern.robots.puma560()
    with pytest.raises(ordern.InputError, match="duration"):
        T.cycloid([0], [1], -1.0)
    with pytest.raises(ordern.ShapeError):
        T.quintic([0, 1], [1], 1.0)
    with pytest.raises(ordern.InputError, match="velocity and acceleration"):
        T.trapezoidal([0], [1])
    with pytest.raises(ordern.SimulationError, match="leaves what the robot can reach"):
        T.line(robot, robot.link_names[-1], (0.5, 0.2, 0.6), (3.0, 0.2, 0.6), 1.0, points=21)


@pytest.mark.parametrize("angle", [0.0, 1e-8, 9e-5, 1.1e-4, 1e-3, 1e-2])
def test_rates_of_small_turns_have_all_digits(angle):
    """1 + (1/2 - t^2/24 + t^4/720) [t] + (1/6 - t^2/120 + t^4/5040) [t]^2: the next terms are below a digit; 1 + x is rounded once."""
    spin = trajectory._spin(np.array([[0.0, 0.0, angle]]))[0]
    odd, even = angle * (0.5 - angle**2 / 24 + angle**4 / 720), angle**2 * (1 / 6 - angle**2 / 120 + angle**4 / 5040)
    wanted = [[1 - even, -odd, 0], [odd, 1 - even, 0], [0, 0, 1]]
    np.testing.assert_allclose(spin, wanted, rtol=4 * np.finfo(float).eps, atol=0)


@pytest.mark.parametrize("bound", [None, 0, 1, 2])
@pytest.mark.parametrize("kind", ["line", "spline"])
def test_rates_and_accelerations_of_spare_motion_are_those_of_the_positions(kind, bound):
    """An arm with a joint to spare, whose joints may come to a limit on the way: what is between two points goes on as they do.

    Rates had been the least ones, of a joint that stands at its limit too, and accelerations no rates of these rates.
    """
    robot, q0, points = ordern.robots.planar(3), np.array([0.3, 0.6, 0.5]), 201
    limits = {0: (-2.0, 2.0), 1: (-2.0, 2.0), 2: (-2.0, 2.0)} | {
        None: {}, 0: {0: (0.18, 2.0)}, 1: {1: (-2.0, 0.85)}, 2: {2: (-2.0, 0.79)},
    }[bound]  # fmt: skip
    bodies = [replace(b, lower=limits[i - 1][:1], upper=limits[i - 1][1:]) if i else b for i, b in enumerate(robot.model.bodies)]  # fmt: skip
    robot = ordern.Robot(robot.model.with_bodies(bodies))
    here = robot.forward_kinematics(q0, "link3")[:3, 3]
    places = here + np.outer([0.0, 0.4, 1.0], [-1.0, -0.3, 0.0])
    path = (
        trajectory.line(robot, "link3", places[0], places[2], 1.0, q0=q0, points=points)
        if kind == "line"
        else trajectory.spline(robot, "link3", places, [0.0, 0.5, 1.0], q0=q0, points=points)
    )
    t = np.linspace(0.0, 1.0, points)
    at, between = path(t), path((t[1:] + t[:-1]) / 2)
    q, gap = at.q, np.diff(t)[:, None]
    kinks = np.zeros(points - 1, bool)  # pieces about where a joint comes to its limit or the spline's bend changes
    for k in [*np.flatnonzero(np.abs(np.diff(q, 2, axis=0)).max(axis=1) > 5e-4 * 200 / points), points // 2]:
        kinks[max(0, k - 5) : k + 6] = True
    inner = ~kinks & (np.arange(points - 1) > 3) & (np.arange(points - 1) < points - 5)
    assert inner.sum() > 0.8 * points and (bound is None or kinks.sum() > 11)
    # what a step of 5 ms leaves of differences: its square times third derivatives of some 20. At a limit inverse
    # kinematics lets joints come off it and clips them again, by some 1e-5 rad, which is 2e-3 rad/s
    off = np.abs(np.diff(q, axis=0) / gap - between.qd)[inner].max()
    assert off < (1e-4 if bound is None else 5e-3)
    if bound is None:
        np.testing.assert_allclose((np.diff(at.qd, axis=0) / gap)[inner], between.qdd[inner], rtol=0, atol=5e-3)
        np.testing.assert_allclose(between.qdd[inner], ((at.qdd[1:] + at.qdd[:-1]) / 2)[inner], rtol=0, atol=5e-3)
