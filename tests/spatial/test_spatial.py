"""Each structured operation equals its dense 6x6 meaning."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ordern.spatial import (
    ArticulatedInertia,
    ForceMap,
    Mat3,
    Planar,
    RigidInertia,
    Rotation,
    Sym3,
    Transform,
    Twist,
    Vec3,
    Wrench,
    rates_matrix,
)
from ordern.spatial.joint_space import Forces, Gram, JointVector, Subspace, gram

EPS = 50 * np.finfo(float).eps  # a few dozen roundings of numbers of size one


def vec(rng):
    return Vec3(*rng.standard_normal(3))


def sym(a):
    return Sym3(a[0, 0], a[1, 1], a[2, 2], a[0, 1], a[0, 2], a[1, 2])


def transform(rng, dense=False):
    turns = [Planar(axis, math.cos(t), math.sin(t)) for axis, t in zip((2, 0, 1), rng.uniform(-3, 3, 3), strict=True)]
    made = Transform(Rotation(*turns), vec(rng))
    return Transform(Rotation(made.rotation.full()), made.origin) if dense else made


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dense", [False, True])
def test_transforms(seed, dense):
    rng = np.random.default_rng(seed)
    X, Y = transform(rng, dense), transform(rng)
    D = np.array(X.dense())
    v, f = Twist(vec(rng), vec(rng)), Wrench(vec(rng), vec(rng))
    np.testing.assert_allclose((X @ v).dense(), D @ v.dense(), rtol=0, atol=EPS)
    np.testing.assert_allclose((X.T @ f).dense(), D.T @ f.dense(), rtol=0, atol=EPS)
    np.testing.assert_allclose((X @ Y).dense(), D @ np.array(Y.dense()), rtol=0, atol=EPS)
    np.testing.assert_allclose(X.inverse().dense(), np.linalg.inv(D), rtol=0, atol=EPS)
    assert abs((X.T @ f).dot(v) - f.dot(X @ v)) < EPS  # power does not depend on the frame


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dense", [False, True])
def test_inertias_move_between_frames(seed, dense):
    rng = np.random.default_rng(seed)
    X = transform(rng, dense)
    D, G = np.array(X.dense()), rng.standard_normal((6, 6))
    S = G @ G.T
    F = G.copy()
    F[3:, 3:] = 0
    moved = ForceMap(*(Mat3(*b.ravel()) for b in (F[:3, :3], F[:3, 3:], F[3:, :3])))
    np.testing.assert_allclose(moved.seen_from_parent(X).dense(), D.T @ F @ D, rtol=0, atol=20 * EPS)
    np.testing.assert_allclose((moved + moved.T).dense(), F + F.T, rtol=0, atol=EPS)
    twist = Twist(vec(rng), vec(rng))
    np.testing.assert_allclose((moved @ twist).dense(), F @ twist.dense(), rtol=0, atol=EPS)
    A = ArticulatedInertia(sym(S[:3, :3]), Mat3(*S[:3, 3:].ravel()), sym(S[3:, 3:]))
    np.testing.assert_allclose(A.dense(), S, rtol=0, atol=EPS)
    np.testing.assert_allclose(A.seen_from_parent(X).dense(), D.T @ S @ D, rtol=0, atol=20 * EPS)
    I = RigidInertia(1.7, vec(rng), sym(S[:3, :3]))
    np.testing.assert_allclose(I.seen_from_parent(X).dense(), D.T @ np.array(I.dense()) @ D, rtol=0, atol=20 * EPS)
    v = Twist(vec(rng), vec(rng))
    np.testing.assert_allclose((I @ v).dense(), np.array(I.dense()) @ v.dense(), rtol=0, atol=EPS)


def test_effort_is_the_sum_over_points():
    rng = np.random.default_rng(1)
    x, m = rng.standard_normal((7, 3)), rng.random(7)
    I = sum(k * (r @ r * np.eye(3) - np.outer(r, r)) for k, r in zip(m, x, strict=True))
    body = RigidInertia(m.sum(), Vec3(*(m[:, None] * x).sum(0)), sym(I))
    w, wd, a = rng.standard_normal((3, 3))
    acc = a + np.cross(wd, x) + np.cross(w, np.cross(w, x))
    expected = np.r_[(m[:, None] * np.cross(x, acc)).sum(0), (m[:, None] * acc).sum(0)]
    np.testing.assert_allclose(
        body.effort(Vec3(*a), rates_matrix(Vec3(*w), Vec3(*wd))).dense(), expected, rtol=0, atol=20 * EPS
    )


def test_cross_products_are_the_matrices():
    rng = np.random.default_rng(2)
    v, u, f = Twist(vec(rng), vec(rng)), Twist(vec(rng), vec(rng)), Wrench(vec(rng), vec(rng))
    w, l = np.array(v.angular.skew().dense()), np.array(v.linear.skew().dense())
    motion = np.block([[w, np.zeros((3, 3))], [l, w]])
    np.testing.assert_allclose(v.cross(u).dense(), motion @ u.dense(), rtol=0, atol=EPS)
    np.testing.assert_allclose(v.cross(f).dense(), -motion.T @ f.dense(), rtol=0, atol=EPS)


@pytest.mark.parametrize("k", range(1, 7))
def test_small_systems(k):
    rng = np.random.default_rng(k)
    G = rng.standard_normal((k, k))
    D = G @ G.T + np.eye(k)
    small = Gram(k, [D[i, j] for i in range(k) for j in range(i, k)])
    b = JointVector(*rng.standard_normal(k))
    loss = EPS * np.linalg.cond(D)
    np.testing.assert_allclose((b / small).dense(), np.linalg.solve(D, b.dense()), rtol=0, atol=loss)
    u, d = small.udu()
    np.testing.assert_allclose(np.array(u, float) @ np.diag(d) @ np.array(u, float).T, D, rtol=0, atol=loss)
    assert np.array_equal(np.array(u, float), np.triu(u))
    F = Forces(*(Wrench(vec(rng), vec(rng)) for _ in range(k)))
    np.testing.assert_allclose((F / small).dense(), np.array(F.dense()) @ np.linalg.inv(D), rtol=0, atol=loss)


def test_columns_are_matrices():
    rng = np.random.default_rng(3)
    S = Subspace(*(Twist(vec(rng), vec(rng)) for _ in range(3)))
    A = RigidInertia(2.0, vec(rng), Sym3.diagonal(3.0, 4.0, 5.0))
    dense, M = np.array(S.dense()), np.array(A.dense())
    U = A @ S
    np.testing.assert_allclose(U.dense(), M @ dense, rtol=0, atol=EPS)
    np.testing.assert_allclose(gram(S, U).dense(), dense.T @ M @ dense, rtol=0, atol=20 * EPS)
    np.testing.assert_allclose((S.T @ U).dense(), dense.T @ M @ dense, rtol=0, atol=20 * EPS)
    outer = (U @ (U / gram(S, U)).T).dense()
    np.testing.assert_allclose(
        outer, M @ dense @ np.linalg.inv(dense.T @ M @ dense) @ dense.T @ M, rtol=0, atol=1e4 * EPS
    )
