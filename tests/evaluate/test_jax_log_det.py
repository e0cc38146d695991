"""Derivatives of ``ordern.jax.log_det`` come from ``log_det_gradient``, O(n), and are those of the function as it stands."""

from __future__ import annotations

from dataclasses import replace

import jax
import numpy as np
import pytest

import ordern
import robots
from ordern.evaluate.manifold import velocity_weights
from ordern.model import Mimic
from ordern.robot import Robot


def _floating_gripper():
    """Quaternions and a joint that follows another one."""
    model = robots.tree(["floating", "revolute", "spherical", "revolute"], [0, 1, 2, 1], 3, name="gripper")
    return model.with_bodies(
        replace(b, mimic=Mimic(2, -0.7, 0.1) if i == 4 else None) for i, b in enumerate(model.bodies)
    )


MODELS = {
    "arm": lambda: ordern.load("ur5").model,
    "tree": lambda: robots.tree(["floating", "spherical", "universal", "prismatic"], [0, 1, 1, 0], 1),
    "mimic": robots.GRID["mimic"],
    "gripper": _floating_gripper,
    "long": robots.GRID["long"],
    "long quaternions": lambda: robots.serial("F" + "RS" * 22, 2),
}


@pytest.fixture(autouse=True)
def _double():
    with jax.enable_x64(True):
        yield


def _largest(jaxpr):
    """Numbers of the largest array that is made."""
    sizes = [v.aval.size for e in jaxpr.eqns for v in e.outvars]
    inner = [_largest(p.jaxpr) for e in jaxpr.eqns for p in e.params.values() if hasattr(p, "jaxpr")]
    return max([*sizes, *inner])


@pytest.mark.parametrize("name", list(MODELS))
def test_gradients(name):
    robot = Robot(MODELS[name]())
    rng = np.random.default_rng(4)
    q, v = robot.random(rng, (3,)), rng.uniform(-1, 1, (3, robot.model.nq))
    f = ordern.jax.log_det(robot)
    made = jax.jit(jax.vmap(jax.grad(f)))(q)
    right = robot.log_det_gradient(q)
    size = np.abs(right).max()  # sums of some hundred products: 1e-13 is 500 roundings
    np.testing.assert_allclose(velocity_weights(robot.model, q, np.asarray(made)), right, rtol=0, atol=1e-13 * size)
    # off the unit sphere of quaternions too, by what is carried through every operation
    _, along = jax.jvp(f, (q,), (v,))
    np.testing.assert_allclose(np.einsum("bk,bk->b", made, v), along, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(jax.grad(f)(q[1]), made[1], rtol=0, atol=1e-14 * size)
    many = jax.vmap(lambda t: jax.jvp(f, (q[0],), (t,))[1])(v)  # directions at one state share a gradient
    np.testing.assert_allclose(many, v @ made[0], rtol=0, atol=1e-12 * size)
    if name.startswith("long"):  # no matrix on the way
        assert _largest(jax.make_jaxpr(jax.grad(f))(q[0]).jaxpr) == robot.model.nq
    if name == "long":
        assert np.array_equal(made, right)


@pytest.mark.parametrize("name", ["gripper", "long quaternions"])
def test_second_order(name):
    robot = Robot(MODELS[name]())
    rng = np.random.default_rng(5)
    q, v = robot.random(rng), rng.uniform(-1, 1, robot.model.nq)
    gradient = jax.grad(ordern.jax.log_det(robot))
    _, forward = jax.jvp(gradient, (q,), (v,))
    (backward,) = jax.vjp(gradient, q)[1](v)  # H is symmetric
    size = np.abs(forward).max()
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-12 * size)
    e = 1e-5  # the differences' error is e^2 times third derivatives, and rounding / e
    differences = (gradient(q + e * v) - gradient(q - e * v)) / (2 * e)
    np.testing.assert_allclose(forward, differences, rtol=0, atol=1e-7 * size)
