"""The measures of parallel robots that come with the library: circles, lengths, symmetry and masses as their descriptions say."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ordern

from .mechanics import link_poses


def angles(points):
    return [math.atan2(y, x) for x, y, _ in points]


def apart(a, b):
    """How far from angle a to angle b, the shorter way."""
    return math.remainder(b - a, 2 * math.pi)


def test_a_stewart_platform_stands_on_two_circles():
    """Six feet at 0.6 m and six heads at 0.35 m, in pairs a third of a turn apart, which are near each other below and far above."""
    model = ordern.load("stewart").model
    feet = [model.bodies[model.joint_index[f"foot{k}"]].placement.origin for k in range(1, 7)]
    heads = [loop.frame2.origin for loop in model.loops]
    for points, radius, between in ((feet, 0.6, 0.4), (heads, 0.35, 1.7)):
        assert [math.hypot(*p) for p in points] == pytest.approx([radius] * 6) and not any(p[2] for p in points)
        for k, angle in enumerate(angles(points)):
            centre = math.pi / 6 + 2 * math.pi / 3 * (k // 2)
            assert apart(centre, angle) == pytest.approx(between / 2 * (1 if k % 2 else -1))
    assert model.bodies[model.joint_index["platform"]].placement.origin == (0.0, 0.0, 0.8)
    for k, (foot, head) in enumerate(zip(feet, heads, strict=True), 1):
        long = math.dist(foot, (head[0], head[1], 0.8))
        assert model.bodies[model.joint_index[f"leg{k}"]].placement.origin == pytest.approx((0, 0, long))
        z = np.reshape(model.bodies[model.joint_index[f"foot{k}"]].placement.rotation, (3, 3))[:, 2]
        np.testing.assert_allclose(z * long, np.subtract((head[0], head[1], 0.8), foot), rtol=0, atol=1e-15)
    assert [link.mass for link in model.links] == [0.0, 10.0, *[1.0, 0.5] * 6]
    by_name = {link.name: link for link in model.links}
    for k in range(1, 7):  # the mass centre of either half lies 0.2 m from its end
        assert by_name[f"cylinder{k}"].com == (0.0, 0.0, 0.2) and by_name[f"piston{k}"].com == (0.0, 0.0, -0.2)
        for name in (f"cylinder{k}", f"piston{k}"):
            xx, yy, zz, *mixed = by_name[name].inertia
            assert xx == yy > zz > 0 and not any(mixed)
    assert by_name["platform"].inertia == (0.2, 0.2, 0.4, 0.0, 0.0, 0.0) and model.actuated == tuple(
        f"leg{k}" for k in range(1, 7)
    )


def test_a_delta_robot_has_three_equal_arms():
    """Hips at 0.2 m, arms of 0.2 m, rods of 0.6 m, wrists at 0.05 m; at q = 0 arms are level and the platform hangs below the middle."""
    model = ordern.load("delta").model
    by_name = link_poses(model, np.zeros(model.nq))
    low = 0.6 * math.cos(math.asin(0.35 / 0.6))
    np.testing.assert_allclose(by_name["platform"][:3, 3], (0.0, 0.0, -low), rtol=0, atol=1e-15)
    np.testing.assert_allclose(by_name["platform"][:3, :3], np.eye(3), rtol=0, atol=1e-15)
    for n in range(3):
        out = np.array([math.cos(2 * math.pi * n / 3), math.sin(2 * math.pi * n / 3), 0.0])
        arm, rod = by_name[f"arm{n + 1}"], by_name[f"rod{n + 1}"]
        np.testing.assert_allclose(arm[:3, 3], 0.2 * out, rtol=0, atol=1e-15)
        np.testing.assert_allclose(rod[:3, 3], 0.4 * out, rtol=0, atol=1e-15)
        wrist = rod[:3, 3] - 0.6 * rod[:3, 2]
        np.testing.assert_allclose(wrist, 0.05 * out + (0.0, 0.0, -low), rtol=0, atol=1e-15)
        link = model.links[model.link_index[f"rod{n + 1}"]]
        assert (link.mass, link.com) == (0.3, (0.0, 0.0, -0.3))
        assert link.inertia[:2] == pytest.approx((0.3 * 0.6**2 / 12,) * 2)  # a uniform rod's
        arm_link = model.links[model.link_index[f"arm{n + 1}"]]
        assert (arm_link.mass, arm_link.com) == (0.5, (0.1, 0.0, 0.0))
    assert sum(link.mass for link in model.links) == pytest.approx(2.8)


def test_a_planar_platform_stands_as_the_world_does():
    """3-RRR: hinges at 0.5 m, rods of 0.3 m that lean by the same angle, a platform of 0.1 m about the middle; at q = 0 its axes are the world's."""
    robot = ordern.robots.threerrr()
    by_name = link_poses(robot.model, np.zeros(robot.nq))
    np.testing.assert_allclose(by_name["platform"], np.eye(4), rtol=0, atol=1e-15)
    assert np.abs(robot.constraint_residual(np.zeros(robot.nq))).max() < 1e-15
    for k in range(3):
        out = np.array([math.cos(math.pi / 2 + 2 * math.pi * k / 3), math.sin(math.pi / 2 + 2 * math.pi * k / 3), 0.0])
        upper, lower = by_name[f"upper{k + 1}"], by_name[f"lower{k + 1}"]
        np.testing.assert_allclose(upper[:3, 3], 0.5 * out, rtol=0, atol=1e-15)
        np.testing.assert_allclose(lower[:3, 3] + 0.3 * lower[:3, 0], 0.1 * out, rtol=0, atol=1e-15)
        elbow = lower[:3, 3] - 0.5 * out
        assert math.hypot(*elbow) == pytest.approx(0.3) and -elbow @ out / 0.3 == pytest.approx(0.2 / 0.3)
