"""Feet in symmetric stances: equations of contacts that are independent in general and dependent there."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import TRUST, examples
from ordern.algorithms.registry import choose
from ordern.algorithms.sparse import FAR, SparseFactor
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.model import Placement
from ordern.runtime.numbers import numbers

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


def least_drives(A, wanted, driven):
    """The least joint forces at joints with a drive that do, with the loops, what ``wanted`` does alone: N^T tau = N^T wanted, A N = 0."""
    _, size, V = np.linalg.svd(A)
    N = V[int(np.sum(size > 1e-9 * size[0])) :]
    return driven * (np.linalg.pinv(N * driven, rcond=1e-9) @ (N @ wanted))


# every pair of them; all three in every combination in the long form
STANDING = [
    (rolls, method, dtype)
    for k, method in enumerate([None, "denoc", "kkt"])
    for rolls in ROBOTS
    for dtype in (np.float64, np.float32)
    if TRUST or (dtype is np.float32) == ((k + rolls) % 2 == 1)
]


@pytest.mark.parametrize(("rolls", "method", "dtype"), STANDING)
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


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rolls", ROBOTS)
@pytest.mark.parametrize("many", [1, 2, 4])
def test_drives_of_a_robot_that_stands_symmetrically(rolls, many, dtype):
    """On one foot, on two and on all: the least forces for a motion that the drives can bring about; and what a shock leaves."""
    robot, rng, feet = ROBOTS[rolls], np.random.default_rng(4), FEET[:many]
    held, driven = robot._touching(dict.fromkeys(feet, "point")).model, np.r_[np.zeros(6), np.ones(robot.n - 6)]
    drives, impulse = (numbers(choose(quantity, None, held), held) for quantity in ("inverse_dynamics", "impulse"))
    near = 1e-9 if dtype is np.float64 else 2e-2  # as above
    tau, qd = rng.standard_normal(robot.n) * driven, rng.standard_normal(robot.n).astype(dtype)
    for q in [q.astype(dtype) for q in stances(robot, rng)]:
        at, still = q.astype(float), 0.0 * tau
        qdd = oracle(robot, feet, at, still, tau)[0].astype(dtype)
        J, M = np.concatenate([robot.jacobian(at, foot)[3:] for foot in feet]), robot.mass_matrix(at)
        wanted, Y = robot.inverse_dynamics(at, still, qdd.astype(float)), np.linalg.solve(M, J.T)
        made = drives(q, still.astype(dtype), qdd)
        assert np.abs(made - least_drives(J, wanted, driven)).max() < near * max(1, np.abs(wanted).max())
        stopped = qd - Y @ (np.linalg.pinv(J @ Y, rcond=1e-11) @ (J @ qd))
        assert np.abs(impulse(q, qd) - stopped).max() < near * np.abs(qd).max()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_no_drive_brings_about_is_refused(dtype):
    """Two feet let the trunk turn about the line between them as the weight and the legs make it, not otherwise."""
    robot, rng = ROBOTS[False], np.random.default_rng(5)
    contacts, still = dict.fromkeys(FEET[:2], "point"), np.zeros(robot.n, dtype)
    tau = np.r_[np.zeros(6), rng.standard_normal(robot.n - 6)].astype(dtype)
    states = np.array([q.astype(dtype) for q in stances(robot, rng)])
    qdd = robot.forward_dynamics(states, still, tau, contacts=contacts)
    made = robot.inverse_dynamics(states, still, qdd, contacts=contacts)
    again = robot.forward_dynamics(states, still, made, contacts=contacts)
    np.testing.assert_allclose(again, qdd, rtol=0, atol=(1e-9 if dtype is np.float64 else 2e-2) * np.abs(qdd).max())
    for k in range(3):
        with pytest.raises(ordern.InputError, match="cannot bring this motion about"):
            turned = qdd + 30 * np.eye(robot.n, dtype=dtype)[k]
            robot.inverse_dynamics(states, still, turned, contacts=contacts)


def test_feet_that_cannot_stop_are_reported():
    """A straight stance sways sideways to first order only: with that speed no acceleration keeps all feet where they are."""
    robot = ROBOTS[False]
    q = robot.neutral()
    J = np.concatenate([robot.jacobian(q, foot)[3:] for foot in FEET])
    free = np.linalg.svd(J)[2][np.linalg.matrix_rank(J, 1e-9) :]
    sways = [
        v for v in free.T @ free if np.abs(v).max() > 0.01
    ]  # unit rates, as far as feet allow: of any basis the same
    contacts, zero = dict.fromkeys(FEET, "point"), np.zeros(robot.n)
    found = []
    for sway in sways:
        _, _, lacks = oracle(robot, FEET, q, sway, zero)
        assert not 1e-8 < lacks < 1e-3  # m/s^2: roundings of differences, or a real lack
        found.append(lacks > 1e-3)
        for method in (None, "denoc", "kkt"):
            if lacks > 1e-3:
                with pytest.raises(ordern.SingularError):
                    robot.forward_dynamics(q, sway, zero, contacts=contacts, method=method)
            else:
                assert np.isfinite(robot.forward_dynamics(q, sway, zero, contacts=contacts, method=method)).all()
    assert set(found) == {True, False}


def aligned(seed):
    """A random tree whose joints and offsets lie along the axes, at right angles: many contacts say the same there."""
    rng = np.random.default_rng(seed)
    links, joints = [LinkSpec("l0", mass=2.0, inertia=(0.05, 0.06, 0.07, 0, 0, 0))], []
    for k in range(1, int(rng.integers(3, 10)) + 1):
        links.append(LinkSpec(f"l{k}", mass=1.0, com=(0, 0, -0.1), inertia=(0.02, 0.03, 0.025, 0, 0, 0)))
        at = Placement(origin=tuple((0.2 * rng.integers(-1, 2, 3)).tolist()))
        parent = f"l{k - 1 if rng.random() < 0.5 else rng.integers(0, k)}"
        kind = str(rng.choice(["revolute", "revolute", "prismatic", "revolute"]))
        joints.append(JointSpec(f"j{k}", kind, parent, f"l{k}", at, axis=tuple(np.eye(3)[rng.integers(3)])))
    first = 6 if seed % 4 else 0
    robot = ordern.Robot(build("aligned", links, joints, base="floating" if first else "fixed"))
    turn = np.r_[np.zeros(first), rng.integers(-1, 2, robot.n - first) * np.pi / 2 * (rng.random() < 0.6)]
    moving = [link.name for link in robot.model.links if link.body]
    feet = [str(n) for n in rng.choice(moving, min(len(moving), int(rng.integers(1, 5))), replace=False)]
    return robot, robot.integrate(robot.neutral(), turn), {n: str(rng.choice(["point", "fixed"])) for n in feet}, rng


@pytest.mark.parametrize("seed", range(examples(20, 400)))
def test_any_contacts_of_random_robots(seed):
    """Which of them say the same depends on where the robot stands: equations that others imply in general are needed here and there."""
    robot, q, contacts, rng = aligned(seed)
    held, tree = robot._touching(contacts).model, robot.model

    def computed(quantity, *arrays, model=held, method=None, options=()):
        return numbers(choose(quantity, method, model), model, options)(*arrays)

    ways = [(tree.link_index[name], slice(3 if kind == "point" else 0, 6)) for name, kind in contacts.items()]
    A = np.concatenate([computed("jacobian", q, model=tree, options=(k, True))[rows] for k, rows in ways])
    M, still, tau = computed("mass_matrix", q, model=tree), np.zeros(robot.n), rng.normal(size=robot.n)
    L = np.linalg.inv(np.linalg.cholesky(M))
    free = L.T @ (np.eye(robot.n) - np.linalg.pinv(A @ L.T, rcond=1e-9) @ (A @ L.T)) @ L  # M^-1 on what is left free
    want = free @ (tau - computed("bias_forces", q, still, model=tree))
    near = {"rtol": 0, "atol": 1e-10 * max(1.0, np.abs(want).max())}  # condition numbers up to 1e5
    for method in ("articulated", "denoc", "kkt"):
        np.testing.assert_allclose(computed("forward_dynamics", q, still, tau, method=method), want, **near)
    np.testing.assert_allclose(computed("mass_matrix_inverse", q), free, **near)
    np.testing.assert_allclose(computed("impulse", q, tau), free @ M @ tau, **near)
    driven = np.array(held.driven, bool)  # a floating base has no drive
    bias = computed("bias_forces", q, still, model=tree)
    reached = free @ (tau * driven - bias)
    drives = least_drives(A, M @ reached + bias, driven)
    np.testing.assert_allclose(computed("inverse_dynamics", q, still, reached), drives, **near)
    np.testing.assert_allclose(computed("unreachable_forces", q, still, reached), 0.0, **near)
    wrench = computed("constraint_forces", q, still, tau, options=(True,))
    force = np.concatenate([w[rows] for w, (_, rows) in zip(wrench, ways, strict=True)])
    np.testing.assert_allclose(
        M @ want - A.T @ force,
        tau - computed("bias_forces", q, still, model=tree),
        rtol=0,
        atol=1e-8 * max(1.0, np.abs(force).max()),
    )


@pytest.mark.parametrize("seed", range(examples(8, 60)))
def test_derivatives_with_contacts(seed):
    """Of forward dynamics, and of inverse dynamics where all joints have a drive; by differences, in every direction unless contacts say
    the same twice: no acceleration may keep them then next to a state that they allow."""
    robot, q, contacts, rng = aligned(seed)
    q = robot.integrate(q, 0.3 * rng.normal(size=robot.n))
    held, h, tau = robot._touching(contacts).model, 1e-5, rng.normal(size=robot.n)

    def computed(quantity, *arrays):
        return numbers(choose(quantity, None, held), held)(*arrays)

    _, size, V = np.linalg.svd(computed("constraint_jacobian", q))
    rank = int(np.sum(size > 1e-9 * size[0]))
    v = rng.normal(size=robot.n - rank) @ V[rank:]
    qdd = computed("forward_dynamics", q, v, tau)
    for quantity, last in (("forward_dynamics", tau), ("inverse_dynamics", qdd))[: 2 if all(held.driven) else 1]:
        made = computed(f"{quantity}_derivatives", q, v, last)
        for k in rng.permutation(robot.n)[:3]:
            e = h * np.eye(robot.n)[k]
            sides = [
                ((robot.integrate(q, w * e), v, last), (q, v + w * e, last), (q, v, last + w * e)) for w in (1, -1)
            ]
            for matrix, ahead, behind in list(zip(made, *sides, strict=True))[0 if rank == len(size) else 2 :]:
                slope = (computed(quantity, *ahead) - computed(quantity, *behind)) / (2 * h)
                # h^2 of third derivatives, and eps / h of what is subtracted, by condition numbers up to 1e4
                near = 1e-6 * max(1.0, np.abs(slope).max(), np.abs(qdd).max())
                np.testing.assert_allclose(matrix[:, k], slope, rtol=0, atol=near)


@pytest.mark.parametrize("seed", range(6))
def test_small_pivots_make_no_equation_of_roundings(seed):
    """Six columns of rank four, the first three nearly in one plane: roundings that the third pivot enlarges were taken for a fifth one.
    Drives' forces stayed right, as all is consistent, but not their derivatives: 74 instead of 2 N m in a mechanism like this."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(4, 6))
    columns[:, 2] = columns[:, 0] + columns[:, 1] + 1e-3 * rng.normal(size=4)
    G = columns.T @ columns
    rows = {r: dict(enumerate(row)) for r, row in enumerate(G.tolist())}
    factor = SparseFactor(rows, loose=range(6), grown=True)
    assert [pivot.row for pivot in factor.pivots if pivot.value == FAR] == [4, 5]
    wanted = G @ rng.normal(size=6)
    np.testing.assert_allclose(
        G @ factor.solve(wanted.tolist(), None), wanted, rtol=0, atol=1e-7
    )  # 2^10 roundings over a pivot of 1e-6
