"""All forward-dynamics methods on random chains of revolute and sliding joints, 1 to 60 links; the O(n) methods at 160 links."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest

import robots
from ordern.algorithms.registry import find
from ordern.describe.robots import chain
from ordern.evaluate.exact import evaluate
from ordern.evaluate.numbers import numbers
from ordern.model import Mass, Placement

LENGTHS = [*np.random.default_rng(0).integers(1, 13, 180).tolist(), 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 48, 52, 56, 58, 60]
LINEAR = ("articulated", "denoc", "innovations", "fixman", "fixman-refined")


@pytest.mark.parametrize("part", range(8))
def test_methods_agree_on_random_chains(part):
    rng = np.random.default_rng(11 + part)
    for seed, n in list(enumerate(LENGTHS))[part::8]:  # 200 chains in all
        kinds = "".join(rng.choice(["R", "P"], n, p=[0.7, 0.3]))
        model = robots.serial(kinds, seed, armature=bool(seed % 2))
        q, qd, qdd, _ = robots.state(model, rng)
        tau = numbers(find("inverse_dynamics", "denoc")[0], model)(q, qd, qdd)
        M = numbers(find("mass_matrix", "composite")[0], model)(q)
        slack = max(1.0, np.linalg.cond(M) / 1e4)  # rounding in tau alone comes back times the condition
        for a in find("forward_dynamics"):
            if not a.refusal(model):
                error = np.abs(numbers(a, model)(q, qd, tau) - qdd).max()
                assert error <= slack * (1e-8 if a.method == "fixman" else 1e-10), (kinds, a.method, error)


@pytest.mark.parametrize("method", LINEAR)
def test_linear_methods_stay_accurate_on_long_chains(method):
    """Against 30 digits; the robot there differs in the last bits of its rotations, hence the scale."""
    model, n = chain(160), 160
    rng = np.random.default_rng(5)
    q, qd, tau = rng.uniform(-1, 1, n), rng.uniform(-0.1, 0.1, n), rng.uniform(-1, 1, n)
    exact = np.array(evaluate(find("forward_dynamics", "articulated")[0], model, (q, qd, tau), "mpmath", 30).tolist(), dtype=float)
    made = numbers(find("forward_dynamics", method)[0], model)(q, qd, tau)
    assert np.abs(made - exact).max() <= 1e-10 * np.abs(exact).max()


def test_zero_mass_in_an_inner_link():
    """Sweeps and composite bodies need no mass in a link as long as the mass matrix is definite; Fixman's partition says it does."""
    model = robots.serial("RRRRR", 3, armature=False)
    bodies = [replace(b, inertia=Mass()) if i == 3 else b for i, b in enumerate(model.bodies)]
    model = model.with_bodies(bodies)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(0))
    tau = numbers(find("inverse_dynamics", "denoc")[0], model)(q, qd, qdd)
    for a in find("forward_dynamics"):
        reason = a.refusal(model)
        if reason is None:
            assert np.allclose(numbers(a, model)(q, qd, tau), qdd, rtol=1e-8, atol=1e-8), a.method
        else:
            assert a.method.startswith("fixman") or a.method == "coupled"


def test_parallel_slides_have_a_constant_matrix():
    model = robots.serial("PPP", 1)
    for i in (2, 3):
        model = model.with_bodies(b if k != i else aligned(b) for k, b in enumerate(model.bodies))
    rng = np.random.default_rng(0)
    q, qd = rng.uniform(-1, 1, (2, 4, 3))
    M = numbers(find("mass_matrix", "denoc")[0], model)(q)
    assert np.allclose(M, M[0])
    assert np.abs(numbers(find("coriolis_matrix", "denoc")[0], model)(q, qd)).max() < 1e-14


def aligned(body):
    return replace(body, placement=Placement(origin=body.placement.origin))


def test_precision_is_put_back():
    before = mpmath.mp.dps
    evaluate(find("mass_matrix", "denoc")[0], chain(2), ([0.1, 0.2],), "mpmath", before + 20)
    assert mpmath.mp.dps == before
