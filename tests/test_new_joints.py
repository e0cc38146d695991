"""A joint is one class: a constant-velocity joint and a hinge with (sin, cos) coordinates, added here, pass what the built-in ones pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import all_algorithms
from ordern.errors import ModelError
from ordern.joints import JOINTS, X_AXIS, Y_AXIS, Z_AXIS, ZERO, Joint, _turn, joint
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.runtime.call import static_options
from ordern.runtime.numbers import numbers
from ordern.scalars.primitives import sincos, sqrt
from ordern.spatial import Planar, Rotation, Transform, Twist
from ordern.spatial.joint_space import JointVector, Subspace

EPS = np.finfo(float).eps


@pytest.fixture(autouse=True)
def joints(monkeypatch):
    """Both joints, for one test."""
    monkeypatch.setenv("ORDERN_CACHE", "off")

    @joint("constant_velocity")
    @dataclass(frozen=True)
    class ConstantVelocity(Joint):
        """Two Cardan joints back to back: half of q[0] about x, q[1] about y, half of q[0] about x."""

        nq: ClassVar[int] = 2
        nv: ClassVar[int] = 2
        axial: ClassVar[bool] = False
        angular: ClassVar[tuple[bool, ...]] = (True, True)
        neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)

        def motion(self, q):
            end, middle = _turn(0, q[0] * 0.5), _turn(1, q[1])
            first = (X_AXIS + end @ (middle @ X_AXIS)) * 0.5
            return Transform(Rotation(end, middle, end), ZERO), Subspace(Twist(first, ZERO), Twist(end @ Y_AXIS, ZERO))

    @joint("pointer")
    @dataclass(frozen=True)
    class Pointer(Joint):
        """A hinge whose coordinates are the sine and the cosine of its angle; any length but zero will do."""

        nq: ClassVar[int] = 2
        nv: ClassVar[int] = 1
        neutral: ClassVar[tuple[float, ...]] = (0.0, 1.0)
        steady: ClassVar[bool] = True
        orthonormal: ClassVar[bool] = True

        def motion(self, q):
            n = 1 / sqrt(q[0] * q[0] + q[1] * q[1])
            return Transform(Rotation(Planar(2, q[1] * n, -(q[0] * n))), ZERO), Subspace(Twist(Z_AXIS, ZERO))

        def step(self, q, v):
            s, c = sincos(v[0])
            return JointVector(q[0] * c + q[1] * s, q[1] * c - q[0] * s)

        def rates(self, q, v):
            return JointVector(q[1] * v[0], -(q[0] * v[0]))

        def difference(self, q0, q1):
            return np.arctan2(q1[..., :1] * q0[..., 1:] - q1[..., 1:] * q0[..., :1], q1[..., 1:] * q0[..., 1:] + q1[..., :1] * q0[..., :1])

        def error(self, q, target):
            return JointVector(target[0] * q[1] - target[1] * q[0])

        def length(self, q):
            return np.linalg.norm(q, axis=-1)

        def normalise(self, q):
            return q / np.linalg.norm(q, axis=-1, keepdims=True)

        def random(self, rng, batch, lower, upper):
            angle = rng.uniform(-np.pi, np.pi, batch)
            return np.stack([np.sin(angle), np.cos(angle)], axis=-1)

    yield
    for name in ("constant_velocity", "pointer"):
        JOINTS.pop(name, None)


def tree(count=5):
    kinds = ["constant_velocity", "pointer", "revolute", "pointer", "constant_velocity", "spherical"] * 8
    return robots.tree(kinds[:count], [0, 1, 2, 2, 4, 3, *range(6, count)][:count], 3)


def given(a, model, batch=(3,)):
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(1), batch)
    return [{"q": q, "qd": qd, "qdd": qdd, "tau": tau}[name] for name in a.inputs]


def test_every_method_of_every_quantity_agrees():
    model = tree(6)
    found = {}
    for a in all_algorithms():
        if a.refusal(model) is None and a.quantity not in ("joint_wrenches", "coriolis_matrix"):  # of other inputs, and not unique
            made = numbers(a, model, static_options(a, model, None))(*given(a, model))
            parts = made if isinstance(made, tuple) else (made,)
            for k, x in enumerate(parts):
                want = found.setdefault((a.quantity, k), x)
                scale = max(1.0, np.abs(want).max())
                np.testing.assert_allclose(x, want, rtol=0, atol=1e5 * EPS * scale, err_msg=a.name)  # times the condition of M, some 1e3
    assert any(a.method == "fixman" and a.refusal(model) is None for a in all_algorithms())


def test_forward_undoes_inverse_and_energy_is_that_of_the_motion():
    model = tree(6)
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(2))
    tau = robot.inverse_dynamics(q, qd, qdd)
    for method in ("articulated", "fixman", "denoc", "relative", "composite"):
        np.testing.assert_allclose(robot.forward_dynamics(q, qd, tau, method=method), qdd, rtol=0, atol=1e-9)
    h = 1e-5

    def energy(t):
        now, rate = robot.integrate(q, t * qd), qd + t * qdd
        return robot.kinetic_energy(now, rate) + robot.potential_energy(now)

    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(tau @ qd, rel=1e-6)


def test_programs_and_derivatives():
    model = tree(5)
    robot, h = ordern.Robot(model), 1e-6
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(3))
    for name in ("inverse_dynamics/newton-euler", "forward_dynamics/articulated", "mass_matrix/composite", "log_det/denoc"):
        (a,) = [x for x in all_algorithms() if x.name == name]
        arrays = dict(zip(a.inputs, given(a, model), strict=True))
        for rolled in (False, True):
            made = interpret(trace(a, prepared(a, model), rolled=rolled), arrays)["out0"]
            want = numbers(a, model)(*arrays.values())
            np.testing.assert_allclose(made, want, rtol=0, atol=1e4 * EPS * max(1.0, np.abs(want).max()))
    first = robot.inverse_dynamics_derivatives(q, qd, qdd)
    ends = [[robot.inverse_dynamics(robot.integrate(q, s * h * e), qd, qdd) for s in (1, -1)] for e in np.eye(robot.n)]
    slopes = [up - down for up, down in ends]
    np.testing.assert_allclose(first.dq, np.array(slopes).T / (2 * h), rtol=0, atol=1e-6)
    np.testing.assert_allclose(first.dqdd, robot.mass_matrix(q), rtol=0, atol=1e-10)


@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic", "euler", "LSODA"])
def test_simulation_conserves_energy_and_keeps_coordinates(method):
    model = tree(3).with_bodies(tree(3).bodies)
    robot = ordern.Robot(model)
    q, qd, _, _ = robots.state(model, np.random.default_rng(4))
    step = {} if method in ("dopri5", "LSODA") else {"dt": 1e-3}
    run = robot.simulate(q, qd, duration=0.2, method=method, friction=False, output_dt=0.05, **step)
    drift = {"euler": 1e-2, "LSODA": 1e-5}.get(method, 1e-6)
    np.testing.assert_allclose(run.energy, run.energy[0], rtol=0, atol=drift * max(1.0, np.abs(run.energy).max()))
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        np.testing.assert_allclose(joint.length(run.q[:, at : at + joint.nq]), 1.0, rtol=0, atol=1e-9)


def test_above_forty_bodies_too():
    model = tree(42)
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(5))
    tau = robot.inverse_dynamics(q, qd, qdd)
    (a,) = [x for x in all_algorithms() if x.name == "inverse_dynamics/denoc"]
    np.testing.assert_allclose(tau, numbers(a, model)(q, qd, qdd), rtol=0, atol=1e5 * EPS * np.abs(tau).max())


def test_kinematics_laws_files_and_pages(tmp_path):
    model = tree(3)
    robot = ordern.Robot(model)
    q = robot.random(0)
    link = robot.link_names[-1]
    found = robot.inverse_kinematics(robot.forward_kinematics(q, link)[:3, 3], link, q0=robot.integrate(q, np.full(robot.n, 0.05)))
    assert found.success
    np.testing.assert_allclose(robot.difference(q, robot.integrate(q, np.full(robot.n, 0.2))), 0.2, rtol=0, atol=1e-12)
    run = robot.simulate(q, duration=0.05, torque=ordern.control.PD(robot.integrate(q, np.full(robot.n, 0.01)), 20.0, 4.0, gravity=True))
    assert np.isfinite(run.q).all()
    robot.save(tmp_path / "new.toml")
    again = ordern.load(tmp_path / "new.toml")
    np.testing.assert_allclose(again.mass_matrix(q), robot.mass_matrix(q), rtol=0, atol=1e-12)
    assert "<html" in robot.page().lower()
    with pytest.raises(ordern.InputError, match="joint2"):
        robot.simulate(np.zeros(robot.nq), duration=0.01)


def test_a_class_that_breaks_the_protocol_is_refused():
    def made(**fields):
        body = {"motion": JOINTS["revolute"].motion, "offset": 0.0, **fields}
        return dataclass(frozen=True)(type("Broken", (Joint,), body))

    for fields, message in (
        ({"nv": 2, "angular": (True, True), "nq": 2, "neutral": (0.0, 0.0)}, "motions"),
        ({"neutral": (0.0, 0.0)}, "neutral needs nq = 1"),
        ({"nq": 2, "neutral": (0.0, 1.0)}, "needs a step of its own"),
        ({"step": lambda self, q, v: q}, "rates, difference"),
        ({"motion": lambda self, q: (Transform(Rotation(_turn(2, q[0])), ZERO), Subspace(Twist(X_AXIS, ZERO)))}, "not how its transform moves"),
        ({"motion": lambda self, q: (Transform(Rotation(_turn(2, q[0])), ZERO), Subspace(Twist(Z_AXIS * 2, ZERO)))}, "not how its transform moves"),
    ):
        with pytest.raises(ModelError, match=message):
            joint("broken")(made(**fields))
    assert "broken" not in JOINTS


def test_a_joint_without_feedback_error_says_which_class_and_method():
    class Screwdriver(JOINTS["spherical"]):
        name = "screwdriver"
        error = Joint.error

    with pytest.raises(ordern.OrdernError, match=r"screwdriver.*Screwdriver.*error\(q, target\)"):
        Screwdriver().error(JointVector(0, 0, 0, 1), JointVector(0, 0, 0, 1))
