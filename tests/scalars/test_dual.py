"""Scalars that carry derivatives, and the spatial types that derivatives need."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import robots
from ordern.joints import JOINTS
from ordern.scalars.dual import Dual, derivative
from ordern.scalars.primitives import Lane, sincos, sqrt, tanh
from ordern.spatial import InertiaRate, Mat3, Mobility, RigidInertia, Rotation, Sym3, Transform, Twist, Vec3, Wrench
from ordern.spatial.joint_space import Gram, JointVector, along, tangent

FUNCTIONS = {
    "polynomial": (lambda x: (x * x - 3) * x + 2 - x, lambda x: 3 * x * x - 4),
    "quotient": (lambda x: (1 + x) / (x * x + 2), lambda x: ((x * x + 2) - 2 * x * (1 + x)) / (x * x + 2) ** 2),
    "reciprocal": (lambda x: 3 / x - (2 - x) / 4, lambda x: -3 / x**2 + 0.25),
    "sine": (lambda x: sincos(x * 2)[0], lambda x: 2 * math.cos(2 * x)),
    "cosine": (lambda x: sincos(-x)[1], lambda x: -math.sin(x)),
    "root": (lambda x: sqrt(x * x + 1), lambda x: x / math.sqrt(x * x + 1)),
    "tanh": (lambda x: tanh(x), lambda x: 1 - math.tanh(x) ** 2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_functions(name):
    f, slope = FUNCTIONS[name]
    for x in (0.3, 1.7, -0.8):
        made = f(Dual(x, {"x": 1.0}))
        assert made.value == pytest.approx(f(x), rel=1e-15)
        assert derivative(made, "x") == pytest.approx(slope(x), rel=1e-14)
        assert derivative(made, "y") == 0
    lanes = f(Dual(Lane(np.array([0.3, 1.7])), {"x": 1}))
    np.testing.assert_allclose(derivative(lanes, "x").array, [slope(0.3), slope(1.7)], rtol=1e-14)


def test_levels_give_second_derivatives_without_mixing():
    inner = Dual(0.7, {0: 1})
    x = Dual(inner, {0: 1}, level=1)
    for y in (x * x * x, x * (inner * inner), inner * x * inner, (x + inner) * x - inner):
        assert isinstance(y, Dual)
    cube = x * x * x
    assert derivative(derivative(cube, 0, 1), 0) == pytest.approx(6 * 0.7)
    mixed = x * inner * inner - inner / x  # d/dx = inner^2 + inner / x^2, whose slope along inner moves both
    assert derivative(mixed, 0, 1).value == pytest.approx(0.49 + 1 / 0.7)
    assert derivative(derivative(mixed, 0, 1), 0) == pytest.approx(2 * 0.7 + 1 / 0.49 - 2 / 0.49)
    quotient = 1 / x + x / inner + (inner - x)
    assert derivative(quotient, 0, 1).value == pytest.approx(-1 / 0.49 + 1 / 0.7 - 1)


def test_zeros_fold_and_values_come_out_bare():
    x = Dual(2.0, {"x": 1})
    assert x * 0 == 0
    assert 0 * x == 0
    assert x + 0 is x
    assert x - x == 0.0
    assert not isinstance(x - x, Dual)
    assert not isinstance(0 * x + 3, Dual)
    exact = Dual(Fraction(1, 3), {"x": 1}) * Fraction(3, 7)
    assert exact.parts == {"x": Fraction(3, 7)}
    with pytest.raises(TypeError, match="truth value"):
        bool(x)


@pytest.mark.parametrize("kind", JOINTS)
def test_tangent_is_the_step_along_each_velocity(kind):
    joint = JOINTS[kind]()
    rng = np.random.default_rng(0)
    q = JointVector(*(float(x) for x in joint.random(rng, (), np.full(joint.nv, -1.0), np.full(joint.nv, 1.0))))
    moving = tangent(joint, q, list(range(joint.nv)))
    for c in range(joint.nv):
        h = 1e-6
        ahead, behind = (joint.step(q, JointVector(*(s * h * (b == c) for b in range(joint.nv)))) for s in (1, -1))
        np.testing.assert_allclose(
            [derivative(e, c) for e in moving],
            [(a - b) / (2 * h) for a, b in zip(ahead, behind, strict=True)],
            rtol=0,
            atol=1e-9,
        )
    assert [derivative(e, c) for c, e in enumerate(along(JointVector(1.0, 2.0), [0, 1]))] == [1, 1]


def dense(x):
    return np.array(x.dense(), float)


def test_spatial_types_mean_what_they_say():
    rng = np.random.default_rng(1)
    v, x = (Twist(Vec3(*rng.standard_normal(3)), Vec3(*rng.standard_normal(3))) for _ in range(2))
    mass = robots.random_mass(rng)
    I = RigidInertia(mass.m, Vec3(*mass.h), Sym3(*mass.I))
    B = InertiaRate.of(I, v)
    expected = dense(v.cross(I @ x)) - dense(I @ v.cross(x)) + dense(x.cross(I @ v))
    np.testing.assert_allclose(dense(B @ x), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dense(B) @ dense(x), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dense(B.T @ x), dense(B).T @ dense(x), rtol=0, atol=1e-13)
    np.testing.assert_allclose(dense(B + B), 2 * dense(B))
    m = robots.random_placement(rng).matrix()
    X = Transform(Rotation(Mat3(*m[:3, :3].ravel()).T), Vec3(*m[:3, 3]))
    np.testing.assert_allclose(dense(X.back(X @ x)), dense(x), rtol=0, atol=1e-14)
    omega = np.linalg.inv(dense(I))
    Omega = Mobility(
        Sym3(*omega[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]),
        Mat3(*omega[:3, 3:].ravel()),
        Sym3(*omega[[3, 4, 5, 3, 3, 4], [3, 4, 5, 4, 5, 5]]),
    )
    np.testing.assert_allclose(dense(Omega.moved(X)), dense(X) @ omega @ dense(X).T, rtol=0, atol=1e-12)
    a, b = dense(v), dense(x)
    np.testing.assert_allclose(
        dense(Omega.minus_pair(v, x)), omega - np.outer(a, b) - np.outer(b, a), rtol=0, atol=1e-13
    )
    f = Wrench(v.angular, v.linear)
    np.testing.assert_allclose(dense(Omega @ f), omega @ a, rtol=0, atol=1e-13)
    S = rng.standard_normal((4, 4))
    S = S @ S.T + np.eye(4)
    gram = Gram(4, [S[i, j] for i in range(4) for j in range(i, 4)])
    np.testing.assert_allclose(dense(gram.inverse()), np.linalg.inv(S), rtol=0, atol=1e-12)
