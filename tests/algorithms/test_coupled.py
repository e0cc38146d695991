"""Mimic joints: the reduced equations are those of the full robot under q' = G q + offset."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms, choose, find
from ordern.errors import MethodError
from ordern.model import Mimic
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers


def gripper():
    """A branched tree (also a free-standing version without mimic) in which two joints follow others, one on another branch."""
    free = robots.tree(
        ["revolute", "revolute", "prismatic", "revolute", "spherical", "revolute"],
        [0, 1, 2, 2, 1, 5],
        7,
        name="gripper",
    )
    bodies = list(free.bodies)
    bodies[4] = replace(bodies[4], mimic=Mimic(2, -0.7, 0.2))
    bodies[6] = replace(bodies[6], mimic=Mimic(1, 1.5, -0.1))
    return free, free.with_bodies(bodies)


def lift(coupled, full, values, kind):
    """q' or qd' of all joints from those of the free ones."""
    parts = []
    for i, body in enumerate(full.bodies):
        if i:
            at = coupled.offsets[i][0 if kind == "q" else 1]
            part = values[..., at : at + (body.joint.nq if kind == "q" else body.joint.nv)]
            mimic = coupled.bodies[i].mimic
            if mimic is not None:
                part = part * mimic.ratio + (mimic.offset if kind == "q" else 0)
            parts.append(part)
    return np.concatenate(parts, axis=-1)


def call(quantity, method, model, *arrays):
    return numbers(choose(quantity, method, model), model)(*arrays)


def test_reduced_equations():
    full, coupled = gripper()
    q, qd, qdd, _ = robots.state(coupled, np.random.default_rng(0), (3,))
    G = np.stack([lift(coupled, full, row, "v") for row in np.eye(coupled.nv)], axis=-1)
    Q, V, A = lift(coupled, full, q, "q"), lift(coupled, full, qd, "v"), lift(coupled, full, qdd, "v")
    M = G.T @ call("mass_matrix", "composite", full, Q) @ G
    tau = call("inverse_dynamics", "newton-euler", full, Q, V, A) @ G
    for method in ("composite", "denoc", "natural-complement"):
        assert np.allclose(call("mass_matrix", method, coupled, q), M, rtol=1e-12, atol=1e-13)
    for method in ("newton-euler", "denoc"):
        assert np.allclose(call("inverse_dynamics", method, coupled, q, qd, qdd), tau, rtol=1e-12, atol=1e-12)
    assert np.allclose(call("forward_dynamics", None, coupled, q, qd, tau), qdd, rtol=1e-10, atol=1e-10)
    assert np.allclose(call("mass_matrix_inverse", None, coupled, q) @ M, np.eye(coupled.nv), atol=1e-11)
    U, D = call("mass_matrix_udu", None, coupled, q)
    assert np.allclose((U * D[:, None, :]) @ np.swapaxes(U, 1, 2), M, rtol=1e-12, atol=1e-13)
    C = call("coriolis_matrix", "denoc", coupled, q, qd)
    assert np.allclose(C, np.einsum("ji,bjk,kl->bil", G, call("coriolis_matrix", "denoc", full, Q, V), G), atol=1e-12)


def test_programs_agree():
    _, coupled = gripper()
    q, qd, _, tau = robots.state(coupled, np.random.default_rng(0), (2,))
    given = {"q": q, "qd": qd, "tau": tau}
    for a in all_algorithms():
        if a.method == "coupled" and not a.options:
            made = interpret(trace(a, coupled), {k: given[k] for k in a.inputs})
            expected = numbers(a, coupled)(*(given[k] for k in a.inputs))
            for out, value in zip(made.values(), expected if isinstance(expected, tuple) else (expected,), strict=True):
                assert np.allclose(out, value, rtol=1e-11, atol=1e-11)


def test_refusals_say_why():
    full, coupled = gripper()
    for method in ("denoc", "articulated", "composite", "innovations", "natural-complement"):
        with pytest.raises(MethodError, match="mimic joints cross"):
            choose("forward_dynamics", method, coupled)
    with pytest.raises(MethodError, match="mimic"):
        choose("forward_dynamics", "coupled", full)
    assert all(
        a.refusal(coupled)
        for q in ("forward_dynamics", "mass_matrix_udu", "mass_matrix_inverse")
        for a in find(q)
        if a.method != "coupled"
    )
