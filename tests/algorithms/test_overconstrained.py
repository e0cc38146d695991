"""Linkages that move although their equations are too many, and whose spare equations follow from others by factors that change:
any choice of equations becomes dependent somewhere on the way, where the mechanism itself is as mobile as elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import examples
from ordern.algorithms.registry import find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.model import Placement

METHODS = [a.method for a in find("forward_dynamics") if a.closed]


def bennett(seed):
    """Bennett's linkage: four hinges, lengths as the sines of their twists; anywhere in space."""
    rng = np.random.default_rng(seed)
    twist = rng.uniform(0.3, 1.3, 2) * [1, rng.choice([-1, 1])]
    sizes = 0.6 * np.sin(twist) / np.sin(twist[0])
    rods = [Placement.from_rpy((sizes[k % 2], 0, 0), (twist[k % 2], 0, 0)) for k in range(4)]
    back = np.eye(4)
    back[:3, :3], back[:3, 3] = np.reshape(rods[3].rotation, (3, 3)), rods[3].origin
    links, joints, above = [LinkSpec("ground")], [], "ground"
    first = Placement.from_rpy(tuple(rng.normal(size=3)), tuple(rng.uniform(-3, 3, 3)))
    for k, at in enumerate([first, *rods[:2]]):
        centre = tuple(rng.uniform(-0.3, 0.3, 3))
        links.append(LinkSpec(f"rod{k}", mass=rng.uniform(0.5, 2), com=centre, inertia=(0.02, 0.03, 0.03, 0, 0, 0)))
        joints.append(JointSpec(f"hinge{k}", "revolute", above, f"rod{k}", at, axis=(0, 0, 1)))
        above = f"rod{k}"
    end = first @ Placement.from_matrix(np.linalg.inv(back))
    kind = str(rng.choice(["revolute", "spherical", "cylindrical"]))
    loops = [LoopSpec("close", kind, "rod2", "ground", frame1=rods[2], frame2=end, axis=(0, 0, 1))]
    ratio = np.sin(twist.sum() / 2) / np.sin((twist[1] - twist[0]) / 2)
    home = np.array([1.0, -2 * np.arctan(ratio / np.tan(0.5)), -1.0])
    return ordern.Robot(build("bennett", links, joints, loops=loops, actuated=["hinge0"], home=home)), rng


def way(robot, many, step):
    """Closed configurations one after the other along the motion."""
    q, v, found = np.array(robot.model.home), np.ones(robot.n), []
    for _ in range(many):
        v = robot.closed_velocity(q, v)
        v /= np.linalg.norm(v)
        q = robot.assemble(q + step * v).q
        found.append(q)
    return found


def dense(robot, q):
    """A, and the inverse of M on what the loops leave free, by the pseudo-inverse."""
    A, M = robot.constraint_jacobian(q), robot.mass_matrix(q)
    L = np.linalg.inv(np.linalg.cholesky(M))
    return A, L.T @ (np.eye(robot.n) - np.linalg.pinv(A @ L.T, rcond=1e-6) @ (A @ L.T)) @ L


@pytest.mark.parametrize("name", ["bricard", *range(examples(4, 60))])
def test_dynamics_on_the_way_round(name, by_numbers):
    """Every method against the pseudo-inverse; and told where the equations that are kept are dependent."""
    robot, rng = (ordern.load(name), np.random.default_rng(0)) if name == "bricard" else bennett(name)
    assert robot.mobility(np.array(robot.model.home)) == 1
    states, kept = way(robot, 40, 0.3), list(robot.model.loops[0].kept)
    for q in states[::8]:
        A, free = dense(robot, q)
        qd, tau = robot.closed_velocity(q, rng.normal(size=robot.n)), rng.normal(size=robot.n)
        bent = np.linalg.pinv(A, rcond=1e-6) @ robot.constraint_bias(q, qd)
        want = free @ (tau - robot.bias_forces(q, qd)) - bent + free @ robot.mass_matrix(q) @ bent
        size = np.linalg.svd(A[kept], compute_uv=False)  # what is factored is the square of the equations kept
        near = 1e-12 * (size[0] / size[-1]) ** 2 * max(1.0, np.abs(want).max(), np.abs(qd).max() ** 2)
        for method in METHODS:
            made = robot.forward_dynamics(q, qd, tau, method=method)
            np.testing.assert_allclose(made, want, rtol=0, atol=near, err_msg=method)
        drive = robot.inverse_dynamics(q, qd, want)
        assert np.abs(drive[1:]).max() == 0
        np.testing.assert_allclose(free @ (drive - tau), 0, rtol=0, atol=100 * near)  # the same motion
    if name != "bricard":
        q = np.array([np.pi, 0.0, -np.pi])  # all rods in one plane
        assert np.abs(robot.constraint_residual(q)).max() < 1e-14 and robot.mobility(q) == 1
        for method in METHODS:
            with pytest.raises(ordern.SingularError, match="change point"):
                robot.forward_dynamics(q, 0 * q, 0 * q, method=method)


@pytest.mark.parametrize("seed", range(examples(2, 12)))
@pytest.mark.parametrize("method", ["rk4", "symplectic", "dopri5"])
def test_runs_go_round(seed, method):
    """Through the configurations at which two equations are dependent: closed to rounding, with the energy of the method."""
    robot, _ = bennett(seed)
    q = np.array(robot.model.home)
    qd = robot.closed_velocity(q, np.array([6.0, 0.0, 0.0]))
    run = robot.simulate(
        q, 2 * qd, duration=2.0, method=method, output_dt=0.01, **({} if method == "dopri5" else {"dt": 1e-3})
    )
    assert np.ptp(run.q[:, 0]) > 3
    assert np.abs(robot.constraint_residual(run.q)).max() < 4e-15
    # the method's own: rk4 at 1 ms, dopri5 at rtol 1e-8 over some hundred steps
    assert np.ptp(run.energy) < {"rk4": 1e-9, "symplectic": 1e-10, "dopri5": 1e-4}[method] * (
        1 + np.abs(run.energy).max()
    )


def test_what_follows_by_constant_factors_is_left_out():
    """Planar linkages keep two equations wherever their plane lies; only spare ones that change are carried along."""
    for name in ("fourbar", "threerrr", "delta", "stewart", "andrews", "fourbars"):
        assert not any(loop.soft or loop.spare for loop in ordern.load(name).model.loops), name
    loop = ordern.load("bricard").model.loops[0]
    assert (loop.kept, loop.spare, loop.soft) == ((0, 1, 2, 3), (4,), True)
