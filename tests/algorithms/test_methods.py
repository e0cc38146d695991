"""All methods for one quantity agree, on chains, trees, joints with several degrees of freedom, a floating base, armature and wrenches."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import all_algorithms, choose, find
from ordern.runtime.numbers import numbers

MODELS = {
    **{name: robots.GRID[name] for name in ("pendulum", "arm6", "mixed", "floating")},
    "RP": lambda: robots.serial("RPRRP", 3, armature=False),
}


def run(quantity, method, model, *arrays, external=None):
    algorithm = find(quantity, method)[0]
    links = tuple(external or ())
    return numbers(algorithm, model, (), links)(*arrays, *(external or {}).values())


def pairs(quantity):
    """Robots and the methods that serve them; the others are in test_refusals."""
    return [(m, a.method) for m in MODELS for a in find(quantity) if a.refusal(MODELS[m]()) is None]


DEFAULTS = {  # of robots without loops up to forty bodies; longer ones; with loops
    "forward_dynamics": ("relative", "relative", "articulated"), "inverse_dynamics": ("newton-euler", "newton-euler", "kkt"),
    "joint_wrenches": ("newton-euler",) * 3, "mass_matrix": ("composite",) * 3, "mass_matrix_udu": ("denoc",) * 3,
    "mass_matrix_inverse": ("denoc", "articulated", "kkt"), "operational_mobility": ("recursive", "recursive", "kkt"),
    "inverse_dynamics_derivatives": ("body-frames", "recursive", "kkt"), "forward_dynamics_derivatives": ("recursive", "recursive", "carried"),
    "coriolis_matrix": ("christoffel",) * 3, "log_det": ("denoc", "denoc", ""), "log_det_gradient": ("recursive", "recursive", ""),
    "constraint_forces": ("", "", "articulated"),
}  # fmt: skip


def test_the_method_that_is_taken_by_default():
    """The cheapest that serves the robot; the papers' methods and those that solve dense systems only where they are asked for."""
    several = {a.quantity for a in all_algorithms() if len(find(a.quantity)) > 1}
    assert several <= {*DEFAULTS} | {
        a.quantity for a in all_algorithms() if not a.function.__module__.startswith("ordern.")
    }
    for robot, column in (
        (ordern.load("ur5"), 0),
        (ordern.Robot(robots.mixed()), 0),
        (ordern.robots.chain(60), 1),
        (ordern.load("fourbar"), 2),
    ):
        for quantity, methods in DEFAULTS.items():
            if methods[column]:
                assert choose(quantity, None, robot.model).method == methods[column], (quantity, robot.model.name)
            else:
                with pytest.raises(ordern.MethodError):
                    choose(quantity, None, robot.model)


def test_refusals_say_why():
    refused = [a.refusal(make()) for make in MODELS.values() for a in all_algorithms() if a.refusal(make())]
    assert refused and all(len(reason) > 15 for reason in refused)


def close(a, b, tolerance=1e-11):
    assert np.abs(a - b).max() <= tolerance * max(1.0, np.abs(b).max())


@pytest.mark.parametrize(("name", "method"), pairs("inverse_dynamics"))
def test_inverse_dynamics(name, method):
    model = MODELS[name]()
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(1), (2,))
    wrench = {len(model.links) - 1: np.random.default_rng(2).uniform(-3, 3, (2, 6))}
    tau = run("inverse_dynamics", method, model, q, qd, qdd, external=wrench)
    close(tau, run("inverse_dynamics", "newton-euler", model, q, qd, qdd, external=wrench))


@pytest.mark.parametrize(("name", "method"), pairs("mass_matrix"))
def test_mass_matrix(name, method):
    model = MODELS[name]()
    q = robots.state(model, np.random.default_rng(1), (2,))[0]
    close(run("mass_matrix", method, model, q), run("mass_matrix", "composite", model, q))


@pytest.mark.parametrize(("name", "method"), pairs("forward_dynamics"))
def test_forward_undoes_inverse_dynamics(name, method):
    model = MODELS[name]()
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(1), (2,))
    wrench = {len(model.links) - 1: np.random.default_rng(2).uniform(-3, 3, (2, 6))}
    tau = run("inverse_dynamics", "newton-euler", model, q, qd, qdd, external=wrench)
    close(run("forward_dynamics", method, model, q, qd, tau, external=wrench), qdd, 1e-10)


@pytest.mark.parametrize(("name", "method"), pairs("mass_matrix_udu"))
def test_udu(name, method):
    model = MODELS[name]()
    q = robots.state(model, np.random.default_rng(1), (2,))[0]
    U, D = run("mass_matrix_udu", method, model, q)
    close((U * D[:, None, :]) @ np.swapaxes(U, 1, 2), run("mass_matrix", "composite", model, q))
    assert (D > 0).all()
    assert (np.tril(U) == np.eye(model.nv)).all()


@pytest.mark.parametrize(("name", "method"), pairs("mass_matrix_inverse"))
def test_inverse(name, method):
    model = MODELS[name]()
    q = robots.state(model, np.random.default_rng(1), (2,))[0]
    inverse = run("mass_matrix_inverse", method, model, q)
    close(inverse @ run("mass_matrix", "composite", model, q), np.eye(model.nv), 1e-10)
    assert (inverse == np.swapaxes(inverse, 1, 2)).all()


@pytest.mark.parametrize(("name", "method"), pairs("coriolis_matrix"))
def test_coriolis(name, method):
    """C qd is the velocity force, and dM/dt - 2 C is skew (dM/dt by a central difference along the motion)."""
    model = MODELS[name]()
    q, qd, _, _ = robots.state(model, np.random.default_rng(1), (2,))
    C = run("coriolis_matrix", method, model, q, qd)
    bias = run("bias_forces", None, model, q, qd) - run("gravity_forces", None, model, q)
    close((C @ qd[..., None])[..., 0], bias)
    if any(model.bodies[i].joint.nq != model.bodies[i].joint.nv for i in model.free):
        return
    h = 1e-6
    Md = (run("mass_matrix", "composite", model, q + h * qd) - run("mass_matrix", "composite", model, q - h * qd)) / (
        2 * h
    )
    close(Md - 2 * C + np.swapaxes(Md - 2 * C, 1, 2), 0 * C, 1e-7)
