"""The identities of the DeNOC papers on the dense objects, for R/P chains, a tree with every joint type, and mimic joints."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import find
from ordern.describe.builtin import planar3
from ordern.evaluate.denoc_factors import elimination, innovations
from ordern.evaluate.denoc_matrices import natural_complement
from ordern.runtime.numbers import numbers

MODELS = {
    "RPRRP": lambda: robots.serial("RPRRP", 3, armature=False),
    "R6": lambda: robots.serial("RRRRRR", 4),
    "mixed": robots.mixed,
}


def near(a, b, tolerance=1e-12):
    assert np.abs(a - b).max() <= tolerance * max(1.0, np.abs(b).max())


def call(quantity, method, model, *arrays):
    return numbers(find(quantity, method)[0], model)(*arrays)


@pytest.fixture(params=MODELS)
def robot(request):
    model = MODELS[request.param]()
    return model, *robots.state(model, np.random.default_rng(2))[:2]


def test_propagation_is_a_group(robot):
    model, q, _ = robot
    c = natural_complement(model, q)
    near(c.B(3, 2) @ c.B(2, 1), c.B(3, 1))
    near(np.linalg.inv(c.B(2, 1)), c.B(1, 2))
    # N_l^-1 is block bidiagonal: -B to the parent
    inverse = np.linalg.inv(c.N_l)
    for i in range(1, c.links + 1):
        for j in range(1, i):
            near(inverse[c.rows(i), c.rows(j)], -c.B(i, j) if model.parents[i] == j else np.zeros((6, 6)))


def test_matrices_equal_the_algorithms(robot):
    model, q, qd = robot
    c = natural_complement(model, q, qd)
    near(c.I, call("mass_matrix", "denoc", model, q))
    near(c.C, call("coriolis_matrix", "denoc", model, q, qd))
    near(c.C @ qd, call("bias_forces", None, model, q, qd) - call("gravity_forces", None, model, q))
    for i in range(1, c.links + 1):  # the sum that the composite recursion makes, eq. 23a
        carried = [k for k in range(i, c.links + 1) if c.moves(i, k)]
        near(c.Mt(i), sum(c.B(k, i).T @ c.M_i(k) @ c.B(k, i) for k in carried))


def test_rates_by_differences():
    model = robots.serial("RPRRP", 3)
    q, qd = robots.state(model, np.random.default_rng(2))[:2]
    h = 1e-6
    after, before = natural_complement(model, q + h * qd), natural_complement(model, q - h * qd)
    near((after.N - before.N) / (2 * h), natural_complement(model, q, qd).N_rate, 1e-7)


def test_elimination(robot):
    model, q, _ = robot
    e, n = elimination(model, q), model.nv
    near(e.U @ np.diag(e.D) @ e.U.T, e.I)
    near(e.eliminated(2), np.diag(e.D) @ e.U.T)
    near(np.linalg.multi_dot([e.E(k) for k in range(2, n + 1)]) if n > 2 else e.E(2), np.linalg.inv(e.U), 1e-10)
    near(np.linalg.inv(e.U), np.eye(n) - e.alpha_prime, 1e-10)
    near(e.inverse @ e.I, np.eye(n), 1e-10)
    U, D = call("mass_matrix_udu", "denoc", model, q)
    near(U, e.U, 1e-10)
    near(D, e.D)


def test_what_the_elements_mean():
    model = robots.serial("RPRRP", 3, armature=False)
    e = elimination(model, robots.state(model, np.random.default_rng(2))[0])
    c = e.complement
    for i in range(1, 6):
        P, psi, p = e.Psi(i), e.psi(i), c.p(i)
        near(P @ psi, np.zeros((6, 1)))
        near(p.T @ psi, np.eye(1))
        near(P @ P, P)
        for form in (e.Mh(i) @ P.T, P @ e.Mh(i) @ P.T, e.Mh_partly(i, i)):
            near(P @ e.Mh(i), form)
        near(e.Mh_partly(i, i + 1), e.Mh(i))
        for k in range(i + 1, 6):
            near(e.Mh_partly(i, k), c.M_i(i) + c.B(i + 1, i).T @ e.Mh_partly(i + 1, k) @ c.B(i + 1, i))
            near(p.T @ c.B(k, i).T @ e.psi(k), e.alpha[i - 1, k - 1])
            near(p.T @ e.Bh(k, i).T @ e.psi(k), e.alpha_prime[i - 1, k - 1])
            for j in range(1, i + 1):  # partly eliminated elements
                near(e.eliminated(k)[i - 1, j - 1], p.T @ e.Mh_partly(i, k) @ c.B(i, j) @ c.p(j))


def test_innovations(robot):
    model, q, _ = robot
    f = innovations(model, q)
    near(f.factor @ f.D @ f.factor.T, f.elimination.I)
    near(f.whitening @ f.factor, np.eye(model.nv), 1e-10)
    if all(b.joint.nv == 1 for b in model.bodies[1:]):
        near(f.factor, f.elimination.U, 1e-10)
    for i in range(2, f.elimination.complement.links + 1):
        P, p = f.covariance(i), f.elimination.complement.p(i)
        near(f.kalman_gain(i), P @ p @ np.linalg.inv(f.innovation_variance(i)), 1e-11)


def test_planar_arm_reference_values():
    e = elimination(planar3(), (0.3, -0.7, 1.1))
    near(e.U[0, 1:], np.array([1.89422890414633, 3.6571636037995]), 1e-13)
    near(e.D, np.array([0.0414774385046519, 0.024189981814035, 0.00484]), 1e-13)
    near(e.alpha_prime[0, 1:], np.array([1.89422890414633, 0.29836387463101]), 1e-13)
    c = natural_complement(planar3(), (0.3, -0.7, 1.1), (0.5, -0.4, 0.2))
    near(c.C[0], np.array([-0.0103627091348956, -0.000211248293616722, -0.00336231069280874]), 1e-15)
    near(c.t(), c.N @ c.qd)
