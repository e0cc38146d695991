"""Described loops where their equations are dependent, a change point or a stretched arm: told, never answered by rounding."""

from __future__ import annotations

import numpy as np
import pytest
from test_stances import aligned, least_drives

import ordern
from budget import examples
from ordern.algorithms.registry import choose, find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.model import Placement
from ordern.runtime.numbers import numbers

METHODS = [a.method for a in find("forward_dynamics") if a.closed]


def turned(rng):
    """A random rotation, as roll, pitch and yaw."""
    return tuple(rng.uniform(-3, 3, 3))


def parallelogram(seed):
    """A chain of parallelograms in a plane that lies anywhere in space; and a function of the angle to its coordinates."""
    rng = np.random.default_rng(seed)
    plain, many = seed % 3 == 0, 1 + seed % 2  # along the axes: equations vanish; else they become parallel
    plane = Placement.from_rpy((0, 0, 0), (0, 0, 0) if plain else turned(rng))
    a, b = rng.uniform(0.3, 2.0, 2)

    def rod(name):
        mass = rng.uniform(0.5, 3)
        return LinkSpec(name, mass=mass, com=tuple(rng.uniform(-0.3, 0.3, 3)), inertia=(0.3, 0.4, 0.5, 0, 0, 0))

    links, joints, loops = [LinkSpec("ground")], [], []
    for k in range(many + 1):
        links.append(rod(f"post{k}"))
        at = plane @ Placement(origin=(b * k, 0.0, 0.0))
        joints.append(JointSpec(f"post{k}", "revolute", "ground", f"post{k}", at, axis=(0, 0, 1)))
        if k < many:
            links.append(rod(f"beam{k}"))
            at = Placement(origin=(a, 0, 0))
            joints.append(JointSpec(f"beam{k}", "revolute", f"post{k}", f"beam{k}", at, axis=(0, 0, 1)))
            way = (
                0.0 if plain else rng.uniform(-3, 3)
            )  # of the closure's axes: its equations vanish, or become parallel
            ends = {"xyz1": (b, 0, 0), "xyz2": (a, 0, 0), "rpy1": (0, 0, way), "rpy2": (0, 0, way / 2)}
            loops.append(LoopSpec(f"window{k}", "revolute", f"beam{k}", f"post{k + 1}", **ends, axis=(0, 0, 1)))
    start = 0.9

    def coordinates(theta):
        return np.array([theta, -theta] * many + [theta])

    model = build("windows", links, joints, loops=loops, actuated=["post0"], home=coordinates(start))
    return ordern.Robot(model), coordinates, rng


def calls(robot, q, rng):
    """Every quantity that solves with the loops: a name and a call."""
    n, qd = robot.n, robot.closed_velocity(q, rng.normal(size=robot.n))
    tau = rng.normal(size=n)
    for method in METHODS:
        yield f"forward {method}", lambda method=method: robot.forward_dynamics(q, qd, tau, method=method)
    yield "inverse matrix", lambda: robot.mass_matrix_inverse(q)
    yield "forces", lambda: robot.constraint_forces(q, qd, tau)
    yield "impulse", lambda: robot.impulse(q, tau)
    yield "inverse", lambda: robot.inverse_dynamics(q, qd, 0 * qd)
    yield "derivatives", lambda: robot.forward_dynamics_derivatives(q, qd, tau).dtau
    yield "several", lambda: robot.compile(["forward_dynamics", "constraint_forces"])(q, qd, tau)


@pytest.mark.parametrize("seed", range(examples(6, 120)))
def test_change_points_are_told(seed, by_numbers):
    """All rods of a parallelogram in one line: two motions go on from there, and rounding must not choose among them."""
    robot, at, rng = parallelogram(seed)
    for theta in (0.0, np.pi):
        for name, call in calls(robot, at(theta), rng):
            with pytest.raises(ordern.SingularError, match="change point"):
                pytest.fail(f"{name} at {theta}: {call()}")
    for theta in (0.02, 0.9, -2.0):  # and nowhere else
        for _, call in calls(robot, at(theta), rng):
            call()
    batch = np.array([at(x) for x in (0.5, 0.0, 1.0)])
    with pytest.raises(ordern.SingularError, match="row 1"):
        robot.forward_dynamics(batch, 0 * batch, 0 * batch)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("seed", range(3))
def test_machine_code_tells_them_too(seed, dtype):
    robot, at, _ = parallelogram(seed)
    for theta, fine in ((0.0, False), (0.3, True)):
        q = at(theta).astype(dtype)
        for many in (q, np.tile(q, (9, 1))):
            if fine:
                assert robot.forward_dynamics(many, 0 * many, 0 * many).dtype == dtype
                continue
            with pytest.raises(ordern.SingularError, match="change point"):
                robot.forward_dynamics(many, 0 * many, 0 * many)
            with pytest.raises(ordern.SingularError, match="change point"):
                robot.impulse(many, many)


@pytest.mark.parametrize("seed", range(examples(30, 600)))
def test_links_held_in_the_description(seed):
    """As contacts of a call, which test_stances.py holds against dense matrices; or told, where fewer equations are independent than
    elsewhere."""
    # a stretched arm that the world holds by its end; loops that serve other directions of the base than in general
    robot, q, contacts, rng = aligned({0: 92, 1: 170, 2: 555, 3: 511, 4: 592}.get(seed, seed))
    held = robot.with_contacts(contacts, q).model
    A = numbers(choose("constraint_jacobian", None, held), held)(q)
    sizes = np.linalg.svd(A, compute_uv=False)
    rank, tau, still = int(np.sum(sizes > 1e-9 * sizes[0])), rng.normal(size=robot.n), np.zeros(robot.n)
    kept = sum(len(loop.kept) for loop in held.loops)
    assert rank <= kept
    # others of the same loops serve where those kept are dependent
    first = np.cumsum([0, *(6 if loop.kind == "fixed" else 3 for loop in held.loops)])
    rows = [at + k for at, loop in zip(first, held.loops, strict=False) for k in loop.kept]
    there = int(np.sum(np.linalg.svd(A[rows], compute_uv=False) > 1e-9 * sizes[0]))
    M, bias = (numbers(choose(name, None, robot.model), robot.model) for name in ("mass_matrix", "bias_forces"))
    L = np.linalg.inv(np.linalg.cholesky(M(q)))
    free = L.T @ (np.eye(robot.n) - np.linalg.pinv(A @ L.T, rcond=1e-9) @ (A @ L.T)) @ L
    want = free @ (tau - bias(q, still))
    near = {"rtol": 0, "atol": 1e-10 * max(1.0, np.abs(want).max())}  # condition numbers up to 1e5
    for method in METHODS:
        with np.errstate(all="ignore"):
            made = numbers(choose("forward_dynamics", method, held), held)(q, still, tau)
        if there < kept:
            assert not np.isfinite(made).all(), method
        else:
            np.testing.assert_allclose(made, want, **near, err_msg=method)
    if there < rank == kept:
        made = ordern.Robot(held).forward_dynamics(q, still, tau)
        np.testing.assert_allclose(made, want, **near)
    elif rank == kept:
        driven = np.array(held.driven, bool)
        reached = free @ (tau * driven - bias(q, still))
        drives = least_drives(A, M(q) @ reached + bias(q, still), driven)
        made = numbers(choose("inverse_dynamics", None, held), held)(q, still, reached)
        np.testing.assert_allclose(made, drives, **near)


@pytest.mark.parametrize(("cranks", "base"), [(2, "floating"), (3, "fixed"), (4, "floating")])
@pytest.mark.parametrize("kind", ["revolute", "point"])
def test_parallel_cranks_described_where_they_lie_flat(cranks, base, kind):
    """All cranks of a coupling rod along it: with three of them searches for a general position led back to that one, whose
    rounded rank locked the mechanism wherever it went.
    """
    rng, heavy = np.random.default_rng(cranks), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)
    plane = Placement.from_rpy((0.0, 0.0, 0.0), (0.4, 1.0, 2.0))
    links = [LinkSpec(f"l{k}", 1.0 + k, tuple(rng.uniform(-0.1, 0.1, 3)), heavy) for k in range(cranks)]
    links += [LinkSpec("ground", 3.0, (0.0, 0.0, 0.0), heavy), LinkSpec("rod", 0.7, (0.2, 0.1, 0.0), heavy)]
    at = np.cumsum([0.0, *rng.uniform(0.4, 1.0, cranks - 1)]).tolist()
    joints = [
        JointSpec(f"j{k}", "revolute", "ground", f"l{k}", plane @ Placement(origin=(x, 0.0, 0.0)))
        for k, x in enumerate(at)
    ]
    joints.append(JointSpec("pin", "revolute", "l0", "rod", Placement(origin=(0.3, 0.0, 0.0))))
    ends = [
        LoopSpec(f"k{k}", kind, f"l{k}", "rod", xyz1=(0.3, 0.0, 0.0), xyz2=(x, 0.0, 0.0)) for k, x in enumerate(at) if k
    ]
    robot = ordern.Robot(build("cranks", links, joints, base=base, loops=ends))
    tree = ordern.Robot(build("cranks", links, joints, base=base))
    along = np.array([0.0] * (robot.n - cranks - 1) + [1.0] * cranks + [-1.0])  # the rod stays level
    assert sum(len(loop.kept) for loop in robot.model.loops) == cranks
    for angle in (0.5, -1.2, 2.0):
        q = robot.integrate(robot.neutral(), angle * along)
        A = robot.constraint_jacobian(q)
        _, size, V = np.linalg.svd(A)
        free = V[np.sum(size > 1e-9) :]
        v, tau = free.T @ rng.normal(size=len(free)), rng.normal(size=robot.n)
        bent = -np.linalg.pinv(A, rcond=1e-9) @ robot.constraint_bias(q, v)
        M, h = tree.mass_matrix(q), tree.bias_forces(q, v)
        want = bent + free.T @ np.linalg.solve(free @ M @ free.T, free @ (tau - h - M @ bent))
        # 1e-10: condition of the mass matrix, some 1e3, and of the loops squared
        np.testing.assert_allclose(
            robot.forward_dynamics(q, v, tau), want, rtol=0, atol=1e-10 * max(1.0, np.abs(want).max())
        )
