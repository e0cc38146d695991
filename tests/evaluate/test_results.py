"""What factors of a mass matrix answer, for any batch and both precisions, on matrices that are known."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.evaluate.manifold import unit_quaternions
from ordern.evaluate.results import UDU

BATCHES = [(), (1,), (4,), (2, 3)]
OTHERS = {
    (): [(), (5,), (2, 2)],
    (1,): [(), (1,), (5,)],
    (4,): [(), (1,), (4,), (3, 4)],
    (2, 3): [(), (3,), (2, 3), (2, 1)],
}


def factored(n, batch, dtype="f8", seed=0):
    """Random factors, and their product in double precision; its condition number is below 1e4."""
    rng = np.random.default_rng(seed + n)
    U = np.eye(n) + np.triu(rng.uniform(-0.5, 0.5, (*batch, n, n)), 1)
    D = rng.uniform(0.5, 2.0, (*batch, n))
    made = UDU(U.astype(dtype), D.astype(dtype))
    U, D = made.U.astype(float), made.D.astype(float)
    return made, U @ (D[..., None] * np.swapaxes(U, -1, -2))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_factors_answer_as_their_product_does(n, batch, dtype):
    made, M = factored(n, batch, dtype)
    eps = 1e3 * np.finfo(dtype).eps  # a few sums of n numbers, at condition numbers of some hundred
    np.testing.assert_allclose(made.matrix(), M, rtol=0, atol=eps * np.abs(M).max())
    np.testing.assert_allclose(made.logdet(), np.linalg.slogdet(M)[1], rtol=0, atol=eps)
    inverse = np.linalg.inv(M)
    np.testing.assert_allclose(made.inverse(), inverse, rtol=0, atol=eps * np.abs(inverse).max())
    np.testing.assert_array_equal(made.inverse(), np.swapaxes(made.inverse(), -1, -2))
    rng = np.random.default_rng(1)
    for other in OTHERS[batch]:
        b, B = rng.normal(size=(*other, n)), rng.normal(size=(*other, n, 3))
        wanted = (inverse @ b[..., None])[..., 0]
        kept = b.copy()
        got = made.solve(b)
        assert got.shape == wanted.shape and got.dtype == np.dtype(dtype)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=eps * max(1.0, np.abs(wanted).max()))
        np.testing.assert_array_equal(b, kept)  # it is not solved in place
        many, wanted = made.solve_many(B), inverse @ B
        assert many.shape == wanted.shape and many.dtype == np.dtype(dtype)
        np.testing.assert_allclose(many, wanted, rtol=0, atol=eps * max(1.0, np.abs(wanted).max()))
        np.testing.assert_array_equal(made.solve_many(B[..., :0]), wanted[..., :0])


@pytest.mark.parametrize("batch", BATCHES)
def test_what_does_not_fit_is_refused(batch):
    made, _ = factored(4, batch)
    for b in (np.zeros(3), np.zeros(5), np.zeros((4, 3)), 1.0):
        with pytest.raises(ordern.ShapeError, match="b must have 4 numbers in its last axis, got shape"):
            made.solve(b)
    for B in (np.zeros(4), np.zeros((3, 4)), np.zeros((5, 4)), 1.0):
        with pytest.raises(ordern.ShapeError, match="B must have 4 rows"):
            made.solve_many(B)
    wrong = np.full((*batch, 4), 1.0)
    wrong[..., 2] = np.nan
    with pytest.raises(ordern.InputError, match="b holds NaN"):
        made.solve(wrong)
    with pytest.raises(ordern.InputError, match="B holds NaN"):
        made.solve_many(np.full((4, 4), np.inf))
    if batch[-1:] not in ((), (1,)):
        more = np.zeros((batch[-1] + 1, 4))
        with pytest.raises(ordern.ShapeError, match=r"b of shape .* does not fit the .* matrices that were factored"):
            made.solve(more)
        with pytest.raises(ordern.ShapeError, match=r"B of shape .* does not fit"):
            made.solve_many(more[..., None])


@pytest.mark.parametrize("name", ["planar3", "ur5"])
def test_factors_of_robots_are_those_of_their_mass_matrix(name):
    robot = ordern.load(name)
    q = robot.random(3, 2)
    made, M = robot.mass_matrix_udu(q), robot.mass_matrix(q)
    np.testing.assert_allclose(made.matrix(), M, rtol=0, atol=1e-13 * np.abs(M).max())
    np.testing.assert_allclose(np.einsum("rij,rj->ri", M, made.solve(np.ones(robot.n))), 1.0, rtol=0, atol=1e-10)
    assert np.all(np.tril(made.U, -1) == 0) and np.all(np.diagonal(made.U, axis1=-2, axis2=-1) == 1)


@pytest.mark.parametrize(("lengths", "named"), [((0.5, 1.2), "0.5"), ((0.9, 1.2), "1.2"), ((1.0, 1.002), "1.002")])
def test_the_quaternion_whose_length_is_furthest_off_is_named(lengths, named):
    model = ordern.load("pendulum", base="floating").model
    q = np.zeros((2, model.nq))
    q[:, 6] = lengths
    with pytest.raises(ordern.InputError, match=rf"length {named} for joint"):
        unit_quaternions(model, "q0", q)
    q[:, 6] = 0.9995, 1.0005  # as written with four digits
    assert (unit_quaternions(model, "q0", q)[:, 6] == 1).all()
