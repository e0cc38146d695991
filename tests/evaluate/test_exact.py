"""Exact arithmetic: identities of dynamics hold by ==, in other precisions to all digits, and intervals enclose them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import find
from ordern.describe.builtin import planar
from ordern.errors import InputError, MethodError
from ordern.evaluate.exact import evaluate, rational_rotation
from ordern.model import Mimic
from ordern.robot import Robot
from ordern.runtime.numbers import numbers
from ordern.scalars.primitives import sincos, sqrt

MODELS = {
    "chain": lambda: robots.serial("RPRH", 3),
    "tree": lambda: robots.tree(["universal", "revolute", "cylindrical", "prismatic"], [0, 1, 1, 2], 4),
}
ROOTS = {"natural-complement"}  # takes square roots of inertias


def state(model):
    return [[Fraction(float(x)) for x in part] for part in robots.state(model, np.random.default_rng(0))]


@pytest.mark.parametrize("name", MODELS)
def test_forward_undoes_inverse_exactly(name):
    model = MODELS[name]()
    q, qd, qdd, _ = state(model)
    torques = [evaluate(a, model, (q, qd, qdd), "fraction").tolist() for a in find("inverse_dynamics")]
    assert all(tau == torques[0] for tau in torques)
    for a in find("forward_dynamics"):
        if not a.refusal(model) and a.method not in ROOTS:
            assert evaluate(a, model, (q, qd, torques[0]), "fraction").tolist() == qdd, a.method


@pytest.mark.parametrize("name", MODELS)
def test_factors_and_inverses_exactly(name):
    model = MODELS[name]()
    q = state(model)[0]
    M = evaluate(find("mass_matrix", "composite")[0], model, (q,), "fraction")
    for a in find("mass_matrix"):
        if not a.refusal(model) and a.method not in ROOTS:
            assert (evaluate(a, model, (q,), "fraction") == M).all(), a.method
    U, D = evaluate(find("mass_matrix_udu", "denoc")[0], model, (q,), "fraction")
    assert ((U * D) @ U.T == M).all()
    for a in find("mass_matrix_inverse"):
        if not a.refusal(model):
            assert (evaluate(a, model, (q,), "fraction") @ M == np.eye(model.nv, dtype=int)).all(), a.method


def test_coriolis_matrices_share_their_product():
    model = robots.serial("RRR", 5)
    q, qd, _, _ = state(model)
    products = [
        (evaluate(a, model, (q, qd), "fraction") @ np.array(qd, dtype=object)).tolist() for a in find("coriolis_matrix")
    ]
    assert all(p == products[0] for p in products)


def test_mimic_joints_exactly():
    model = robots.tree(["revolute", "prismatic", "revolute", "revolute"], [0, 1, 1, 3], 4)
    bodies = [replace(b, mimic=Mimic(1, -0.7, 0.2)) if i == 4 else b for i, b in enumerate(model.bodies)]
    model = model.with_bodies(bodies)
    q, qd, qdd, _ = state(model)
    tau = [evaluate(a, model, (q, qd, qdd), "fraction").tolist() for a in find("inverse_dynamics")]
    assert all(t == tau[0] for t in tau)
    assert evaluate(find("forward_dynamics", "coupled")[0], model, (q, qd, tau[0]), "fraction").tolist() == qdd
    for kind in ("mpmath", "interval"):
        made = evaluate(find("forward_dynamics", "coupled")[0], model, (q, qd, tau[0]), kind, 30)
        assert np.allclose(
            [float(x.mid) if kind == "interval" else float(x) for x in made], [float(x) for x in qdd], rtol=1e-13
        )


def test_precisions_and_intervals():
    model = robots.serial("RRP", 5)
    q, qd, _, tau = robots.state(model, np.random.default_rng(0))
    a = find("forward_dynamics", "denoc")[0]
    long, longer = (evaluate(a, model, (q, qd, tau), "mpmath", digits) for digits in (40, 80))
    assert max(abs(x - y) for x, y in zip(long, longer, strict=True)) < mpmath.mpf(10) ** -36
    assert np.allclose(np.array([float(x) for x in long]), numbers(a, model)(q, qd, tau), rtol=1e-12)
    bounds = evaluate(a, model, (q, qd, tau), "interval", 20)
    assert all(b.a <= x <= b.b and b.delta < 1e-15 for b, x in zip(bounds, longer, strict=True))


def test_points_on_the_circle():
    for angle in (0, Fraction(1, 3), Fraction(-22, 7), Fraction(157, 100), 3, -100):
        s, c = sincos(Fraction(angle))
        assert s * s + c * c == 1
        assert abs(float(s) - np.sin(float(angle))) < 1e-15
        assert abs(float(c) - np.cos(float(angle))) < 1e-15
    assert sqrt(Fraction(4, 9)) == Fraction(2, 3)
    assert abs(sqrt(Fraction(2)) ** 2 - 2) < Fraction(1, 10**28)


def test_rational_rotations_are_orthogonal():
    rng = np.random.default_rng(0)
    for _ in range(20):
        r = robots.random_placement(rng).rotation
        R = np.array(rational_rotation(r), dtype=object).reshape(3, 3)
        assert (np.eye(3, dtype=int) == R @ R.T).all()
        assert np.abs(R.astype(float).ravel() - r).max() < 1e-15


def test_bad_use():
    model = robots.serial("R", 1)
    with pytest.raises(InputError, match="interval"):
        evaluate(find("mass_matrix", "composite")[0], model, ([0.1],), "decimal")
    with pytest.raises(InputError, match="q has 2"):
        evaluate(find("mass_matrix", "composite")[0], model, ([0.1, 0.2],), "fraction")


def test_chains_too_long_for_fractions_or_formulas_are_refused(monkeypatch):
    monkeypatch.setattr("ordern.evaluate.exact.MOST_FRACTIONS", 20)
    monkeypatch.setattr("ordern.evaluate.formulas.MOST_FORMULAS", 20)
    robot, star = Robot(planar(21)), robots.tree(["revolute"] * 21, [0] * 21, 0)
    with pytest.raises(MethodError, match=r"each of 21 joints.*mpmath"):
        robot.evaluate("log_det", np.zeros(21), scalars="fraction")
    with pytest.raises(MethodError, match=r"21 joints.*casadi"):
        robot.formulas("log_det")
    assert Robot(star).evaluate("potential_energy", np.zeros(21), scalars="fraction") is not None  # its paths are short


def test_a_link_can_be_named():
    """Kinematics of one link in other numbers: the end unless one is named, and the named one."""
    robot = Robot(robots.serial("RPR", 1))
    q, _, _, _ = robots.state(robot.model, np.random.default_rng(0))
    for scalars in ("mpmath", "fraction", "interval"):
        middle = robot.evaluate("jacobian", q, scalars=scalars, link="link2")
        near = [float(x.mid) if scalars == "interval" else float(x) for x in middle.ravel()]
        assert np.allclose(near, robot.jacobian(q, "link2").ravel(), rtol=0, atol=1e-14)
        assert (middle != robot.evaluate("jacobian", q, scalars=scalars)).any()


def test_intervals_carry_derivatives_and_leave_mpmath_alone():
    model = robots.serial("RP", 1)
    before, (q, qd, qdd, _) = mpmath.iv.dps, robots.state(model, np.random.default_rng(0))
    made = evaluate(find("inverse_dynamics_derivatives", "carried")[0], model, (q, qd, qdd), "interval", 40)
    right = evaluate(find("inverse_dynamics_derivatives", "recursive")[0], model, (q, qd, qdd), "mpmath", 40)
    assert mpmath.iv.dps == before
    with mpmath.workdps(40):
        room = mpmath.mpf(10) ** -37  # the digits' own rounding
        for bounds, digits in zip(made, right, strict=True):
            assert all(isinstance(b, mpmath.iv.mpf) for b in bounds.ravel())
            assert all(
                mpmath.mpf(b.a) - room <= x <= mpmath.mpf(b.b) + room
                for b, x in zip(bounds.ravel(), digits.ravel(), strict=True)
            )


def test_fractions_stay_fractions():
    """A mass of exactly 1 (Python's 1 / 1 is a float) and a quaternion's rates (half of a fraction) must not let floats in."""
    arm = planar(2, 0.5, 1.0, mass="tips")
    q, qd, qdd, _ = state(arm)
    first, second = (
        evaluate(a, arm, (q, qd, qdd), "fraction").tolist() for a in find("inverse_dynamics") if not a.closed
    )
    assert first == second
    model = robots.serial("SR", 1)
    q, qd, qdd, _ = state(model)
    carried, recursive = (
        evaluate(find("inverse_dynamics_derivatives", m)[0], model, (q, qd, qdd), "fraction")
        for m in ("carried", "recursive")
    )
    assert all((a == b).all() for a, b in zip(carried, recursive, strict=True))


def test_infinite_bounds_name_the_digits_that_help():
    robot = ordern.robots.chain(50)
    with pytest.warns(ordern.OrdernWarning, match=r"bounds of log_det are infinite.* precision=350") as told:
        robot.evaluate("log_det", [0.1] * 50, scalars="interval")
    assert len(told) == 1
    bounds = robot.evaluate("log_det", [0.1] * 50, scalars="interval", precision=350)
    assert (
        abs(float(bounds.mid) - robot.log_det([0.1] * 50)) < 1e-12 and float(bounds.delta) < 1e-12
    )  # eps times 50 joints
