"""Second derivatives, directional forms, the Hessian of kinematics and the linearised step, against 50 digits and against differences."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import ordern
import robots
from ordern.emit.tableaus import TABLES
from ordern.robot import Robot

ROBOTS = {
    "arm": lambda: ordern.load("planar3"),
    "branched": lambda: Robot(robots.tree(["floating", "revolute", "prismatic"], [0, 1, 1])),
    "universal": lambda: Robot(robots.serial("UR")),
    "long": lambda: ordern.load("chain41"),
}


@pytest.fixture(scope="module", params=list(ROBOTS))
def robot(request):
    return ROBOTS[request.param]()


def state(robot, batch=(2,), seed=0):
    rng = np.random.default_rng(seed)
    return robot.random(rng, batch), *(rng.uniform(-1, 1, (*batch, robot.n)) for _ in range(2))


def along(robot, f, q, k, h=1e-5):
    """The derivative of f(q) along joint velocity k by differences."""
    e = h * np.eye(robot.n)[k]
    return (f(robot.integrate(q, e)) - f(robot.integrate(q, -e))) / (2 * h)


def near(made, right, *scales):
    """Central differences with h = 1e-5 lose h^2 of higher derivatives and eps / h of what is subtracted."""
    largest = max(1.0, *(float(np.abs(x).max()) for x in (right, *scales)))
    np.testing.assert_allclose(made, right, atol=1e-8 * largest, rtol=0)


def test_inverse_dynamics(robot):
    q, qd, qdd = state(robot)
    d = robot.inverse_dynamics_derivatives(q, qd, qdd, order=2)
    first = robot.inverse_dynamics_derivatives(q, qd, qdd)
    for a, b in zip(d[:3], first, strict=True):
        assert np.array_equal(a, b)
    e, h = np.eye(robot.n), 1e-5
    for k in {0, robot.n // 2, robot.n - 1}:
        near(
            d.dq_dq[..., k],
            along(robot, lambda q: robot.inverse_dynamics_derivatives(q, qd, qdd).dq, q, k),
            d.dq_dq,
            d.dq,
        )
        near(d.dq_dqdd[..., k, :], along(robot, robot.mass_matrix, q, k), d.dq_dqdd, d.dqdd)
        ahead, behind = (robot.inverse_dynamics_derivatives(q, qd + s * h * e[k], qdd) for s in (1, -1))
        near(d.dq_dqd[..., k], (ahead.dq - behind.dq) / (2 * h), d.dq_dqd, d.dq)
        near(d.dqd_dqd[..., k], (ahead.dqd - behind.dqd) / (2 * h), d.dqd_dqd, d.dqd)
    assert d.dq_dq.shape == (2, *(robot.n,) * 3)


def test_forward_dynamics(robot):
    q, qd, tau = state(robot)
    d = robot.forward_dynamics_derivatives(q, qd, tau, order=2)
    h, wide = 1e-5, 20 * d.dq  # the condition number is lost too
    for k in {0, robot.n - 1}:
        e = h * np.eye(robot.n)[k]
        near(
            d.dq_dq[..., k],
            along(robot, lambda q: robot.forward_dynamics_derivatives(q, qd, tau).dq, q, k),
            d.dq_dq,
            10 * d.dq,
        )  # and the condition number
        near(d.dq_dtau[..., k, :], along(robot, robot.mass_matrix_inverse, q, k), d.dq_dtau, wide)
        ahead, behind = (robot.forward_dynamics_derivatives(q, qd + s * e, tau) for s in (1, -1))
        near(d.dq_dqd[..., k], (ahead.dq - behind.dq) / (2 * h), d.dq_dqd, wide)
        near(d.dqd_dqd[..., k], (ahead.dqd - behind.dqd) / (2 * h), d.dqd_dqd, wide)


def test_inverse_dynamics_to_1e3_eps():
    """Differences of 60-digit first derivatives, with a step that leaves 25 digits."""
    robot = ROBOTS["arm"]()
    q, qd, qdd = state(robot, ())
    d = robot.inverse_dynamics_derivatives(q, qd, qdd, order=2)
    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -25

        def first(q, qd):
            return robot.evaluate("inverse_dynamics_derivatives", q, qd, [mpmath.mpf(x) for x in qdd], precision=60)

        x, v = ([mpmath.mpf(e) for e in a] for a in (q, qd))
        for k in range(robot.n):
            step = [h * (j == k) for j in range(robot.n)]
            for made, which, moved in ((d.dq_dq, 0, "q"), (d.dq_dqd, 0, "qd"), (d.dqd_dqd, 1, "qd")):
                ends = []
                for s in (1, -1):
                    there = [a + s * b for a, b in zip(x if moved == "q" else v, step, strict=True)]
                    ends.append(np.array(first(there, v)[which] if moved == "q" else first(x, there)[which], object))
                right = ((ends[0] - ends[1]) / (2 * h)).astype(float)
                assert np.abs(made[..., k] - right).max() <= 1e3 * np.finfo(float).eps * max(1.0, np.abs(made).max())


def test_external_wrenches():
    robot = ordern.load("planar3")
    (q, qd, qdd), link = state(robot), robot.link_names[-1]
    wrench = {link: np.arange(6.0)}
    d = robot.inverse_dynamics_derivatives(q, qd, qdd, external=wrench, order=2)
    near(
        d.dq_dq[..., 1],
        along(robot, lambda q: robot.inverse_dynamics_derivatives(q, qd, qdd, external=wrench).dq, q, 1),
        d.dq_dq,
        d.dq,
    )


def test_along_and_against_without_the_matrix(robot):
    q, qd, tau = state(robot)
    D = robot.forward_dynamics_derivatives(q, qd, tau)
    v, w = np.random.default_rng(1).uniform(-1, 1, (2, 2, robot.n))
    eps = 1e3 * np.finfo(float).eps * max(np.abs(x).max() for x in D) * robot.n
    made = robot.jvp("forward_dynamics", (q, qd, tau), (v, None, w))
    np.testing.assert_allclose(
        made, np.einsum("bij,bj->bi", D.dq, v) + np.einsum("bij,bj->bi", D.dtau, w), rtol=0, atol=eps
    )
    for a, J in zip(robot.vjp("forward_dynamics", (q, qd, tau), (w,)), D, strict=True):
        np.testing.assert_allclose(a, np.einsum("bi,bij->bj", w, J), rtol=0, atol=eps)


@pytest.mark.parametrize("reference", ["world", "body"])
def test_hessian_of_kinematics(robot, reference):
    q, link = state(robot)[0], robot.link_names[-1]
    H = robot.jacobian_derivatives(q, link, reference)
    for k in {0, robot.n - 1}:
        near(H[..., k], along(robot, lambda q: robot.jacobian(q, link, reference), q, k))


@pytest.mark.parametrize("method", ["rk4", "euler", "dopri5", "dop853", "cash-karp", "verner"])
def test_linearised_step_is_the_derivative_of_the_simulation(robot, method):
    if method not in ("rk4", "euler") and (robot.n > 4 or robot.nq != robot.n):
        return  # the same text as rk4 with another table
    (q, qd, tau), n, h, dt = state(robot), robot.n, 1e-5, 0.02
    A, B = robot.linearize(q, qd, tau, dt, method)
    assert A.shape == (2, 2 * n, 2 * n)
    assert B.shape == (2, 2 * n, n)

    def step(q, qd, tau):
        if method not in ("rk4", "euler"):  # one step, however large the error
            table, k = TABLES[method], []
            for row in table.A:
                v = qd + dt * sum((w * e[1] for w, e in zip(row, k, strict=True)), start=np.zeros_like(qd))
                x = q + dt * sum((w * e[0] for w, e in zip(row, k, strict=True)), start=np.zeros_like(qd))
                k.append((v, robot.forward_dynamics(x, v, tau)))
            return [s + dt * sum(w * e[m] for w, e in zip(table.b, k, strict=True)) for m, s in enumerate((q, qd))]
        run = robot.simulate(q, qd, duration=dt, torque=tau, method=method, dt=dt, output_dt=dt, limits=False)
        return run.q[:, -1], run.qd[:, -1]

    for k in {0, n - 1}:
        e = h * np.eye(n)[k]
        for columns, moved in (
            (A[..., k], (robot.integrate, 0)),
            (A[..., n + k], (np.add, 1)),
            (B[..., k], (np.add, 2)),
        ):
            ends = []
            for s in (1, -1):
                given = [q, qd, tau]
                given[moved[1]] = moved[0](given[moved[1]], s * e)
                ends.append(step(*given))
            slope = np.concatenate([robot.difference(ends[1][0], ends[0][0]), ends[0][1] - ends[1][1]], axis=-1) / (
                2 * h
            )
            near(columns, slope)


def test_parameters(robot):
    """Forward dynamics of the same robot with other inertial parameters, by differences."""
    q, qd, tau = state(robot, ())
    pi, h = robot.parameters(), 1e-6
    Y = robot.parameter_derivatives("forward_dynamics", q, qd, tau)
    assert Y.shape == (robot.n, len(pi))
    for k in (0, 10, len(pi) - 10):
        e = h * np.eye(len(pi))[k]
        ahead, behind = (robot.with_parameters(pi + s * e).forward_dynamics(q, qd, tau) for s in (1, -1))
        near(
            Y[:, k], (ahead - behind) / (2 * h), 10 * Y[:, k], 10 * ahead
        )  # eps / h of the accelerations, some hundred times for the condition number
    tau = robot.inverse_dynamics(q, qd, np.zeros(robot.n))
    np.testing.assert_allclose(
        robot.parameter_derivatives("inverse_dynamics", q, qd, np.zeros(robot.n)) @ pi,
        tau,
        rtol=0,
        atol=1e-10 * max(1, np.abs(tau).max()),
    )


def test_errors():
    robot, z = ordern.load("planar3"), np.zeros(3)
    with pytest.raises(ordern.InputError, match="order is 3"):
        robot.inverse_dynamics_derivatives(z, z, z, order=3)
    with pytest.raises(ordern.InputError, match="method"):
        robot.linearize(z, z, z, 0.01, method="symplectic")
    with pytest.raises(ordern.InputError, match="dt"):
        robot.linearize(z, z, z, -1.0)
    with pytest.raises(ordern.ShapeError, match="qd"):
        robot.linearize(z, np.zeros(4), z, 0.01)
    with pytest.raises(ordern.ShapeError, match="direction of qd"):
        robot.jvp("inverse_dynamics", (z, z, z), (z, np.zeros(2), z))
    with pytest.raises(ordern.InputError, match="direction"):
        robot.jvp("mass_matrix", (z,), (None,))
    with pytest.raises(ordern.InputError, match="weight of out0 is nan for number 0"):
        robot.vjp("inverse_dynamics", (z, z, z), (np.full(3, np.nan),))


@pytest.mark.parametrize("name", ["fourbar", "fivebar"])
def test_forward_dynamics_of_closed_chains(name):
    """Along a closed motion the accelerations have the second rate that first and second derivatives give."""
    robot, rng, h = ordern.load(name), np.random.default_rng(0), 1e-3
    q = robot.assemble(np.array(robot.model.home) + 0.05 * rng.normal(size=robot.nq)).q
    toward, qd = (robot.closed_velocity(q, rng.normal(size=robot.n)) for _ in range(2))
    tau, places = rng.normal(size=robot.n), robot.assemble(q + h * np.arange(-2, 3)[:, None] * toward).q
    speeds = robot.closed_velocity(places, qd)
    d = robot.forward_dynamics_derivatives(q, qd, tau, order=2)
    slope, bend = np.array([1, -8, 0, 8, -1]) / (12 * h), np.array([-1, 16, -30, 16, -1]) / (12 * h * h)
    (x, v), (x2, v2) = (slope @ places, slope @ speeds), (bend @ places, bend @ speeds)
    made = d.dq @ x2 + d.dqd @ v2 + (d.dq_dq @ x) @ x + 2 * (d.dq_dqd @ v) @ x + (d.dqd_dqd @ v) @ v
    wanted = bend @ robot.forward_dynamics(places, speeds, tau)
    assert np.abs(made - wanted).max() < 1e-5 * np.abs(wanted).max()  # h^4 of fourth differences, and rounding over h^2
    forces = slope @ robot.mass_matrix_inverse(places).reshape(5, -1)
    assert np.allclose(np.einsum("ijk,j->ik", d.dq_dtau, x).ravel(), forces, rtol=0, atol=1e-6 * np.abs(forces).max())
