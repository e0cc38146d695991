"""log det M and its gradient in O(n), and the wrenches that joints pass on, against dense determinants, differences, Pinocchio and balances."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import mpmath
import numpy as np
import pytest

import needs
import ordern
import robots
from budget import TRUST
from ordern.algorithms.registry import choose
from ordern.emit.c import export_c
from ordern.errors import SingularError
from ordern.evaluate.evaluators import all_evaluators
from ordern.model import Mass
from ordern.program.finish import finished
from ordern.program.trace import Tracer
from ordern.runtime.kernels import Kernel
from ordern.scalars.primitives import log

EPS = np.finfo(float).eps


@pytest.mark.parametrize("name", robots.GRID)
def test_log_det_is_that_of_the_mass_matrix(name):
    model = robots.GRID[name]()
    robot, q = ordern.Robot(model), robots.state(model, np.random.default_rng(0), (3,))[0]
    M = robot.mass_matrix(q)
    want = np.linalg.slogdet(M)[1]
    cond = np.linalg.cond(M).max()
    np.testing.assert_allclose(robot.log_det(q), want, rtol=0, atol=8 * model.nv * EPS * max(cond, np.abs(want).max()))
    np.testing.assert_allclose(
        robot.log_det(q[0]), want[0], rtol=0, atol=8 * model.nv * EPS * max(cond, np.abs(want).max())
    )


@pytest.mark.parametrize("name", [n for n in robots.GRID if n != "long"])
def test_the_gradient_is_the_derivative(name):
    model = robots.GRID[name]()
    robot, q, h = ordern.Robot(model), robots.state(model, np.random.default_rng(1))[0], 1e-5
    slopes = [
        (robot.log_det(robot.integrate(q, h * e)) - robot.log_det(robot.integrate(q, -h * e))) / (2 * h)
        for e in np.eye(robot.n)
    ]
    np.testing.assert_allclose(robot.log_det_gradient(q), slopes, rtol=0, atol=1e-8)  # h^2 and eps/h


def test_the_gradient_of_point_masses_is_known():
    """Two unit point masses on unit links: det M = 2 - cos^2(theta_2), so the gradient is sin(2 theta)/(2 - cos^2 theta)."""
    robot, theta = ordern.robots.planar(2, mass="tips"), np.linspace(-3, 3, 25)
    q = np.stack([np.full(25, 0.4), theta], axis=-1)
    want = np.stack([np.zeros(25), np.sin(2 * theta) / (2 - np.cos(theta) ** 2)], axis=-1)
    np.testing.assert_allclose(robot.log_det_gradient(q), want, rtol=0, atol=16 * EPS)
    np.testing.assert_allclose(robot.log_det(q), np.log(2 - np.cos(theta) ** 2), rtol=0, atol=16 * EPS)


@pytest.mark.parametrize("batch", [(), (0,), (1,), (2, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_results_are_written_where_they_are_wanted(batch, dtype):
    robot = ordern.robots.planar(3, mass="tips")
    q = np.random.default_rng(0).uniform(-1, 1, (*batch, 3)).astype(dtype)
    for call, shape in ((robot.log_det, batch), (robot.log_det_gradient, (*batch, 3))):
        out = np.full(shape, np.nan, dtype)
        assert call(q, out=out) is out and call(q).dtype == dtype
        np.testing.assert_array_equal(out, call(q))
        with pytest.raises(ordern.ShapeError, match="out"):
            call(q, out=np.empty((7, *shape), dtype))


@pytest.mark.parametrize("kinds", ["R" * 60, "RUS" * 15])
def test_long_robots_are_loops(kinds):
    model = robots.serial(kinds, 3)
    robot, q = ordern.Robot(model), robots.state(model, np.random.default_rng(2))[0]
    want = robot.mass_matrix_udu(q).logdet()
    assert robot.log_det(q) == pytest.approx(want, rel=1e-11)
    exact = robot.evaluate("log_det", q, precision=40)
    assert abs(float(exact) - robot.log_det(q)) <= 1e-9 * abs(want)
    g, h, v = robot.log_det_gradient(q), 1e-5, np.random.default_rng(3).standard_normal(robot.n)
    slope = (robot.log_det(robot.integrate(q, h * v)) - robot.log_det(robot.integrate(q, -h * v))) / (2 * h)
    assert g @ v == pytest.approx(slope, rel=1e-5)


def test_as_many_joints_as_there_are():
    """No n x n array: at 100,000 joints (with ORDERN_TRUST=1) that would be 80 GB, at 3,000 still 72 MB."""
    count = 100_000 if TRUST else 3_000
    robot = ordern.robots.chain(count)
    q = np.random.default_rng(0).uniform(-1, 1, robot.n)
    value, slope = robot.log_det(q), robot.log_det_gradient(q)
    assert np.isfinite(value) and slope.shape == (count,) and np.isfinite(slope).all()
    v, h = np.random.default_rng(1).standard_normal(robot.n) / 1e3, 1e-3
    assert slope @ v == pytest.approx(
        (robot.log_det(q + h * v) - robot.log_det(q - h * v)) / (2 * h), rel=1e-3, abs=1e-3
    )


@pytest.mark.parametrize("n", [60, 100_000 if TRUST else 2_000])
def test_long_chains_of_point_masses_by_their_own_recursion(n):
    """det M = det H_LL of unit masses on unit links, tridiagonal with 2 and -cos: d_i = 2 - cos^2 / d_(i-1), and its gradient backwards."""
    q = np.random.default_rng(1).uniform(-1, 1, n)
    c, s, d = np.cos(q), np.sin(q), np.ones(n)
    for i in range(1, n):
        d[i] = 2 - c[i] ** 2 / d[i - 1]
    gradient, above = np.zeros(n), 0.0
    for i in range(n - 1, 0, -1):
        above += 1 / d[i]
        gradient[i] = above * 2 * c[i] * s[i] / d[i - 1]
        above *= (c[i] / d[i - 1]) ** 2
    robot = ordern.robots.planar(n, mass="tips")
    assert robot.log_det(q) == pytest.approx(np.log(d).sum(), rel=1e-13)  # some ulps, and 1e-16 n in the sum
    # measured: 1e-13 of the largest for 1,000 links, 1e-11 for 100,000, which grows with the condition of M
    np.testing.assert_allclose(robot.log_det_gradient(q), gradient, rtol=0, atol=1e-9)


@pytest.fixture(scope="module")
def long_chain():
    n = 100_000 if TRUST else 300
    return ordern.robots.chain(n), np.random.default_rng(0).uniform(-1, 1, n)


@pytest.mark.parametrize("name", ["machine code", "numbers", "program", "mpmath", "casadi", "jax"])
@pytest.mark.parametrize("quantity", ["log_det", "log_det_gradient"])
def test_every_evaluator_walks_long_chains(name, quantity, long_chain):
    """Up to 100,000 joints with ORDERN_TRUST=1; formulas, fractions and intervals, whose numbers grow, are for shorter ones."""
    if name in ("casadi", "jax"):
        pytest.importorskip(name)
    robot, q = long_chain
    made = all_evaluators()[name](choose(quantity, None, robot.model), robot.model, ())(q)
    got = np.ravel(np.asarray(made[0] if isinstance(made, tuple) else made).astype(float))
    want = np.ravel(getattr(robot, quantity)(q))
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * np.abs(want).max())  # eps times the condition, as above


def test_a_singular_matrix_is_an_error():
    model = robots.serial("RR", 1, armature=False)
    model = model.with_bodies([*model.bodies[:2], replace(model.bodies[2], inertia=Mass())])
    for call in (ordern.Robot(model).log_det, ordern.Robot(model).log_det_gradient):
        with pytest.raises(SingularError, match="log_det"):
            call([0.1, 0.2])


def test_bounds_that_are_too_wide_stay_bounds():
    """Intervals grow from joint to joint; where one reaches zero, its logarithm is not bounded from below, and more digits help."""
    robot, q = ordern.robots.planar(60), np.full(60, 0.3)
    with pytest.warns(ordern.OrdernWarning, match="precision=390 has room"):
        wide = robot.evaluate("log_det", q, scalars="interval", precision=30)
    narrow = robot.evaluate("log_det", q, scalars="interval", precision=300)
    value = mpmath.mpf(robot.log_det(q))
    assert wide.a == -mpmath.inf and wide.b > value
    assert narrow.delta < 1e-15 and abs(narrow.mid - value) < 1e-9


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_logarithm_of_kernels_and_c(dtype, tmp_path):
    t = Tracer()
    t.output("y", 0, log(t.input("x", 1)[0]))
    program = finished("log", t, {"y": (1,)})
    rng, eps = np.random.default_rng(0), np.finfo(dtype).eps
    x = np.concatenate(
        [
            2.0 ** rng.uniform(-120, 120, 2000),
            1 + rng.uniform(-0.4, 0.4, 2000),
            1 + 1e-4 * rng.uniform(-1, 1, 200),
            [1.0, 0.5, 2.0],
        ]
    )
    x = x.astype(dtype)[:, None]
    want = np.array([mpmath.log(mpmath.mpf(float(e))) for e in x[:, 0]], object)
    outs = [np.empty_like(x) for _ in range(3)]
    for out, width in zip(outs, (1, 4, 8), strict=True):
        assert Kernel.of(program, dtype).run([x], [out], width=width)
        assert out.tobytes() == outs[0].tobytes()
    error = [
        abs(float(e) - w) / (eps * abs(w) + np.finfo(dtype).tiny) for e, w in zip(outs[0][:, 0], want, strict=True)
    ]
    assert max(error) < 2
    none = np.array([[0.0], [-1.0], [np.inf], [np.nan]], dtype)
    bad = np.empty_like(none)
    assert not Kernel.of(program, dtype).run([none], [bad]) and not np.isfinite(bad).any()
    if needs.gcc.args[0]:
        return  # no compiler
    from emit.test_c import build

    library = ctypes.CDLL(str(build(tmp_path, export_c(program, "logs", dtype), shared="logs.so")))
    y = np.empty(1, dtype)
    for k in range(0, len(x), 37):
        library.logs(*(a.ctypes.data_as(ctypes.c_void_p) for a in (np.ascontiguousarray(x[k]), y)), None)
        assert y[0] == outs[0][k, 0]


@pytest.mark.parametrize("name", ["mixed", "floating", "mimic", "chain"])
def test_joint_wrenches_balance_every_link(name):
    """At each body: what its joint passes on, less what it passes to the next ones, is its rate of momentum; along the joint it is the drive."""
    model = robots.GRID[name]()
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(4))
    push = {"link2": [0.1, -0.2, 0.3, 1.0, -2.0, 0.5]}
    f = robot.joint_wrenches(q, qd, qdd, external=push)
    assert f.shape == (len(model.bodies) - 1, 6)
    poses = robot.forward_kinematics(q)
    h = 1e-5
    for i, body in enumerate(model.bodies[1:], 1):
        # total force in the world on all that body i carries = rate of its momentum less weight and pushes
        carried = [j for j in range(1, len(model.bodies)) if i in ancestors(model, j)]
        total = sum(
            model.bodies[j].inertia.m * (acceleration(robot, model, j, q, qd, qdd, h) - np.array(model.gravity))
            for j in carried
        )  # mass centres' accelerations
        if 2 in carried:
            total = total - poses["link2"][:3, :3] @ push["link2"][3:]
        np.testing.assert_allclose(
            poses[f"link{i}"][:3, :3] @ f[i - 1, 3:], total, rtol=0, atol=1e-4, err_msg=body.name
        )


def ancestors(model, j):
    found = set()
    while j:
        found.add(j)
        j = model.parents[j]
    return found


def acceleration(robot, model, j, q, qd, qdd, h):
    """Of a body's mass centre, by second differences along q(t) with these rates."""
    link = model.links[j]
    com = np.linalg.inv(link.placement.matrix()) @ [*model.bodies[j].inertia.com, 1.0]

    def at(t):
        return (robot.forward_kinematics(robot.integrate(q, t * qd + 0.5 * t * t * qdd), link.name) @ com)[:3]

    h = 1e-3
    return (at(h) - 2 * at(0.0) + at(-h)) / h**2


def test_along_the_joints_they_are_the_drives():
    model = robots.GRID["chain"]()
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(5), (4,))
    f, tau = robot.joint_wrenches(q, qd, qdd), robot.inverse_dynamics(q, qd, qdd)
    for i, (body, link) in enumerate(zip(model.bodies[1:], model.links[1:], strict=True)):
        turn = np.reshape(link.placement.rotation, (3, 3))
        p = np.array(link.placement.origin)
        force, moment = f[:, i, 3:] @ turn.T, f[:, i, :3] @ turn.T
        moment = moment + np.cross(p, force)  # about the body's origin
        drive = (force if body.joint.name == "prismatic" else moment)[:, 2] + body.armature[0] * qdd[:, i]
        np.testing.assert_allclose(drive, tau[:, i], rtol=0, atol=1e3 * EPS * np.abs(tau).max())


@pytest.mark.parametrize("quantity", ["log_det", "log_det_gradient"])
@pytest.mark.parametrize("make", [ordern.robots.planar, ordern.robots.chain])
def test_the_counts_grow_with_the_joints_and_no_faster(make, quantity):
    """So many operations for each joint more: what one more of the same links costs does not depend on how many there
    are. Chains have links of their own each, some of them cheaper by a few operations.
    """
    found = [make(n).operation_counts(quantity) for n in (60, 90, 120)]
    counts = [np.array([c.mul, c.add, c.div, c.sqrt, c.sincos, c.log], float) for c in found]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert first.sum() > 0
    if make is ordern.robots.planar:
        np.testing.assert_array_equal(first, second)
    else:
        np.testing.assert_allclose(second.sum(), first.sum(), rtol=0.05)
