"""Feet in symmetric stances: equations of contacts that are independent in general and dependent there."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.model import Placement

CORNERS = (("fl", 1, 1), ("fr", 1, -1), ("hl", -1, 1), ("hr", -1, -1))


def walker(rolls=False):
    """Four legs that swing fore and aft, and sideways where they roll."""
    links, joints = [LinkSpec("trunk", mass=8.0, inertia=(0.06, 0.2, 0.23, 0, 0, 0))], []
    for name, x, y in CORNERS:
        above, at = "trunk", (0.2 * x, 0.12 * y, 0.0)
        if rolls:
            links.append(LinkSpec(f"{name}_side", mass=0.5, inertia=(0.001, 0.001, 0.001, 0, 0, 0)))
            joints.append(
                JointSpec(f"{name}_roll", "revolute", "trunk", f"{name}_side", Placement(origin=at), axis=(1, 0, 0))
            )
            above, at = f"{name}_side", (0.0, 0.0, 0.0)
        for part, spot in (("thigh", at), ("shank", (0.0, 0.0, -0.2))):
            links.append(LinkSpec(f"{name}_{part}", mass=0.8, com=(0, 0, -0.1), inertia=(0.003, 0.003, 4e-4, 0, 0, 0)))
            joint = JointSpec(
                f"{name}_{part}", "revolute", above, f"{name}_{part}", Placement(origin=spot), axis=(0, 1, 0)
            )
            joints, above = [*joints, joint], f"{name}_{part}"
        links.append(LinkSpec(f"{name}_foot"))
        joints.append(JointSpec(f"{name}_end", "fixed", above, f"{name}_foot", Placement(origin=(0, 0, -0.2))))
    return ordern.Robot(build("walker", links, joints, base="floating"))


ROBOTS = {rolls: walker(rolls) for rolls in (False, True)}
FEET = [f"{name}_foot" for name, _, _ in CORNERS]


def stances(robot, rng):
    """Symmetric ones, level and tilted, with and without bent legs; and others."""
    legs, width = robot.nq - 7, (robot.nq - 7) // 4
    for pair in (rng.uniform(-0.8, 0.8, width), np.zeros(width), rng.uniform(-0.8, 0.8, 2 * width)):
        q = robot.neutral()
        q[7:] = np.concatenate([np.tile(pair[:width], 2), np.tile(pair[-width:], 2)]) * (
            1 if width == 2 else np.tile([0, 1, 1], 4)
        )
        yield q
        yield robot.integrate(q, np.r_[0, rng.uniform(-0.5, 0.5), 0, rng.uniform(-1, 1, 3), np.zeros(legs)])  # pitched
    yield robot.integrate(q, 0.3 * rng.standard_normal(robot.n))


def oracle(robot, feet, q, qd, tau):
    """Accelerations and forces by the pseudo-inverse; and what the equations lack of being satisfied."""
    M, h = robot.mass_matrix(q), robot.bias_forces(q, qd)
    J = np.concatenate([robot.jacobian(q, foot)[3:] for foot in feet])
    e = 1e-5  # J's rate by differences: 1e-10 and rounding over e
    rate = sum(
        s * np.concatenate([robot.jacobian(robot.integrate(q, s * e * qd), f)[3:] for f in feet]) for s in (1, -1)
    ) / (2 * e)
    free, Y = np.linalg.solve(M, tau - h), np.linalg.solve(M, J.T)
    force = -np.linalg.pinv(J @ Y, rcond=1e-11) @ (J @ free + rate @ qd)
    qdd = free + Y @ force
    return qdd, force.reshape(-1, 3), np.abs(J @ qdd + rate @ qd).max()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rolls", ROBOTS)
@pytest.mark.parametrize("method", [None, "denoc", "kkt"])
def test_feet_that_stand_symmetrically(rolls, method, dtype):
    """Accelerations are unique although forces are not, and the ground carries the weight and what accelerates."""
    robot, rng = ROBOTS[rolls], np.random.default_rng(3)
    contacts, still = dict.fromkeys(FEET, "point"), np.zeros(robot.n, dtype)
    near = 1e-9 if dtype is np.float64 else 2e-2  # cond(M) and that of the feet's matrix, 1e5 together, times 50 eps
    tau = rng.standard_normal(robot.n) * np.r_[np.zeros(6), np.ones(robot.n - 6)]
    states = [q.astype(dtype) for q in stances(robot, rng)]
    want = [oracle(robot, FEET, q.astype(float), 0.0 * tau, tau) for q in states]
    made = robot.forward_dynamics(np.array(states), still, tau.astype(dtype), contacts=contacts, method=method)
    assert made.dtype == dtype
    for q, (qdd, _, _), got in zip(states, want, made, strict=True):
        assert np.abs(got - qdd).max() < near * max(1, np.abs(qdd).max())
        alone = robot.forward_dynamics(q, still, tau.astype(dtype), contacts=contacts, method=method)
        assert alone.tobytes() == got.tobytes()
    if dtype is np.float64 and method is None:
        inverse = robot.mass_matrix_inverse(np.array(states), contacts=contacts)
        forces = robot.constraint_forces(np.array(states), still, tau, contacts=contacts)
        for q, (qdd, force, _), P, wrench in zip(states, want, inverse, forces, strict=True):
            drop = oracle(robot, FEET, q, 0.0 * tau, 0.0 * tau)[0]
            assert np.abs(P @ tau - (qdd - drop)).max() < near * max(1, np.abs(qdd).max())
            assert np.abs(wrench[:, 3:].sum(0) - force.sum(0)).max() < near * 200  # N; 130 N of weight


def test_feet_that_cannot_stop_are_reported():
    """A straight stance sways sideways to first order only: with that speed no acceleration keeps all feet where they are."""
    robot = ROBOTS[False]
    q = robot.neutral()
    J = np.concatenate([robot.jacobian(q, foot)[3:] for foot in FEET])
    sway = np.linalg.svd(J)[2][np.linalg.matrix_rank(J, 1e-9) :].T
    contacts, zero = dict.fromkeys(FEET, "point"), np.zeros(robot.n)
    reported = 0
    for k in range(sway.shape[1]):
        _, _, lacks = oracle(robot, FEET, q, sway[:, k], zero)
        for method in (None, "denoc", "kkt"):
            if lacks > 1e-3:
                with pytest.raises(ordern.SingularError):
                    robot.forward_dynamics(q, sway[:, k], zero, contacts=contacts, method=method)
                reported += 1
            else:
                assert np.isfinite(robot.forward_dynamics(q, sway[:, k], zero, contacts=contacts, method=method)).all()
    assert reported
