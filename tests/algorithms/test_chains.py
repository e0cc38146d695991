"""All forward-dynamics methods on random chains of revolute and sliding joints, 1 to 60 links; the O(n) methods at 160 links."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest

import robots
from budget import TRUST
from ordern.algorithms.registry import find
from ordern.describe.builtin import chain
from ordern.evaluate.exact import evaluate
from ordern.model import Mass, Placement
from ordern.runtime.numbers import numbers

LENGTHS = [
    *np.random.default_rng(0).integers(1, 13, 180).tolist(),
    14,
    16,
    18,
    20,
    22,
    24,
    26,
    28,
    30,
    32,
    34,
    36,
    38,
    40,
    44,
    48,
    52,
    56,
    58,
    60,
]
LINEAR = ("articulated", "denoc", "innovations", "relative", "fixman", "fixman-refined")
# section 16.2 of the verified mathematics, relative: max |a - b| / max |b|. It names forward dynamics for n <= 10; the same holds to n = 60
# (measured on these 200 chains against 30 digits: 4e-12 at worst, 1.6e-13 for n <= 10; Fixman 2.6e-10, refined 1.7e-12)
FORWARD, FIXMAN, INVERSE, MATRIX, MATRIX_INVERSE = 1e-10, 1e-8, 1e-12, 1e-12, 1e-10


def chains(part, parts=8, of=4):
    """A share of the 200 chains: (kinds, model, random generator). Without ORDERN_TRUST=1 one of four (``of``)."""
    rng = np.random.default_rng(11 + part)
    for k, (seed, n) in enumerate(list(enumerate(LENGTHS))[part::parts]):
        kinds = "".join(rng.choice(["R", "P"], n, p=[0.7, 0.3]))
        if (seed if n > 12 else k) % of and not TRUST:
            continue
        yield kinds, robots.serial(kinds, seed, armature=bool(seed % 2)), rng


def exact(quantity, method, model, *arrays):
    """To 30 digits, so that it is known which method is wrong."""
    return np.array(evaluate(find(quantity, method)[0], model, arrays, "mpmath", 30).tolist(), dtype=float)


def off(made, truth):
    return np.abs(made - truth).max() / np.abs(truth).max()


@pytest.mark.parametrize("part", range(8))
def test_methods_agree_on_random_chains(part):
    for kinds, model, rng in chains(part):
        q, qd, qdd, _ = robots.state(model, rng)
        tau = numbers(find("inverse_dynamics", "denoc")[0], model)(q, qd, qdd)
        truth = exact("forward_dynamics", "articulated", model, q, qd, tau)
        for a in find("forward_dynamics"):
            if not a.refusal(model):
                error = off(numbers(a, model)(q, qd, tau), truth)
                assert error <= (FIXMAN if a.method == "fixman" else FORWARD), (kinds, a.method, error)
        assert off(truth, qdd) <= FORWARD, kinds  # and what is exact for tau is what tau was made for


@pytest.mark.parametrize("part", range(5))
def test_torques_and_matrices_on_random_chains(part):
    """The other tolerances of the section, on 25 of the chains, those of them with up to 12 links."""
    for kinds, model, rng in chains(part, 40, of=1):
        if model.nv > 12:
            continue
        q, qd, qdd, _ = robots.state(model, rng)
        M = exact("mass_matrix", "composite", model, q)
        truths = {
            "inverse_dynamics": (exact("inverse_dynamics", "newton-euler", model, q, qd, qdd), INVERSE, (q, qd, qdd)),
            "mass_matrix": (M, MATRIX, (q,)),
            "mass_matrix_inverse": (
                np.array((mpmath.matrix(M.tolist()) ** -1).tolist(), dtype=float).reshape(M.shape),
                MATRIX_INVERSE,
                (q,),
            ),
        }
        for quantity, (truth, tolerance, arrays) in truths.items():
            for a in find(quantity):
                if not a.refusal(model):
                    error = off(numbers(a, model)(*arrays), truth)
                    assert error <= (FIXMAN if a.method == "fixman" else tolerance), (kinds, a.name, error)


@pytest.mark.parametrize("method", LINEAR)
def test_linear_methods_stay_accurate_on_long_chains(method, long_chain):
    """Measured: 1e-15 to 7e-14, Fixman 3e-13, composite bodies 3.5e-12 at a condition of 5e5."""
    model, arrays, truth = long_chain
    assert off(numbers(find("forward_dynamics", method)[0], model)(*arrays), truth) <= 1e-12


@pytest.fixture(scope="module")
def long_chain():
    n, rng = 160, np.random.default_rng(5)
    arrays = rng.uniform(-1, 1, n), rng.uniform(-0.1, 0.1, n), rng.uniform(-1, 1, n)
    return chain(n), arrays, exact("forward_dynamics", "articulated", chain(n), *arrays)


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
            assert (
                a.method.startswith("fixman") or a.method == "coupled" or a.closed
            )  # methods for loops serve robots that have some


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
