"""The regressor: tau = Y pi for every robot, in Pinocchio's order and frames."""

from __future__ import annotations

import sysconfig
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import find
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import ShapeError
from ordern.evaluate.regression import masses, parameters, with_parameters
from ordern.model import Mimic
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers

REGRESSOR = find("regressor", "recursive")[0]
INVERSE = find("inverse_dynamics", "newton-euler")[0]


def without_armature(model):
    return model.with_bodies(replace(b, armature=()) for b in model.bodies)


@pytest.mark.parametrize("robot", robots.GRID)
def test_torque_is_linear_in_the_parameters(robot):
    model = without_armature(robots.GRID[robot]())
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(0), (3,))
    tau = numbers(INVERSE, model)(q, qd, qdd)
    if model.springs:  # no inertial parameters
        tau = tau - numbers(find("spring_forces")[0], model)(q)
    Y = numbers(REGRESSOR, model)(q, qd, qdd)
    assert Y.shape == (3, model.nv, 10 * (len(model.bodies) - 1))
    np.testing.assert_allclose(Y @ parameters(model), tau, rtol=0, atol=1e-12 * max(1, np.abs(tau).max()))
    if model.nv < 30:
        made = interpret(trace(REGRESSOR, model), {"q": q, "qd": qd, "qdd": qdd})["out0"]
        np.testing.assert_allclose(made, Y, rtol=0, atol=1e-12 * np.abs(Y).max())


def test_armature_comes_on_top():
    model = robots.serial("RRP", 3)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(0))
    rotors = model.per_velocity("armature", 0.0) * qdd
    made = numbers(REGRESSOR, model)(q, qd, qdd) @ parameters(model) + rotors
    np.testing.assert_allclose(made, numbers(INVERSE, model)(q, qd, qdd), rtol=0, atol=1e-12)


def test_mimic_joints():
    model = without_armature(robots.serial("RRRR", 2))
    model = model.with_bodies(
        replace(b, mimic=Mimic(1, 0.6, -0.2)) if i == 3 else b for i, b in enumerate(model.bodies)
    )
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(0))
    np.testing.assert_allclose(
        numbers(REGRESSOR, model)(q, qd, qdd) @ parameters(model),
        numbers(INVERSE, model)(q, qd, qdd),
        rtol=0,
        atol=1e-12,
    )


def test_each_column_is_the_torque_of_one_parameter():
    model = without_armature(robots.serial("RUF", 5))
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(1))
    Y, n = numbers(REGRESSOR, model)(q, qd, qdd), 10 * (len(model.bodies) - 1)
    for k in range(n):
        tau = numbers(INVERSE, with_parameters(model, np.eye(n)[k]))(q, qd, qdd)
        np.testing.assert_allclose(Y[:, k], tau, rtol=0, atol=1e-12)


def test_parameters_lead_back_to_the_bodies():
    model = robots.mixed()
    for made, body in zip(masses(model, parameters(model)), model.bodies[1:], strict=True):
        np.testing.assert_allclose(made.vector(), body.inertia.vector(), rtol=0, atol=1e-14)
    with pytest.raises(ShapeError, match="ten a body"):
        masses(model, [1.0, 2.0])


FILES = sorted(
    (Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots").rglob("*.urdf")
)
NAMES = ("ur5_robot", "ur10_robot", "kinova", "talos_left_arm", "iiwa14", "double_pendulum")


@pytest.mark.parametrize("path", [f for f in FILES if f.stem in NAMES], ids=lambda f: f.stem)
def test_pinocchio_has_the_same_regressor_and_parameters(path):
    import pinocchio as pin

    twin, model = pin.buildModelFromUrdf(str(path)), load_urdf(path)
    assert [b.name for b in model.bodies[1:]] == list(twin.names)[1:]
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(2))
    pi = np.concatenate([twin.inertias[k].toDynamicParameters() for k in range(1, twin.njoints)])
    np.testing.assert_allclose(parameters(model), pi, rtol=0, atol=1e-12)
    theirs = np.concatenate(
        [[np.cos(x), np.sin(x)] if joint.nq == 2 else [x] for joint, x in zip(twin.joints[1:], q, strict=True)]
    )
    expected = pin.computeJointTorqueRegressor(twin, twin.createData(), theirs, qd, qdd)
    np.testing.assert_allclose(numbers(REGRESSOR, model)(q, qd, qdd), expected, rtol=0, atol=1e-11)
