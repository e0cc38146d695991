"""Operations on the general revolute chain, counted and held against the published formulas; run as a script it prints the table.

The papers' conventions, which published_counts.py states: general DH geometry, sines, cosines and constants of the links free, the base at
rest, no offsets on the joint variables. Divisions count as multiplications, subtractions as additions. A forward step solves I qdd = phi.
"""

from __future__ import annotations

import numpy as np
import pytest

from budget import TRUST
from ordern.algorithms.registry import find
from ordern.describe.builtin import chain, puma560, stanford
from ordern.describe.dh.dh_table import from_dh
from ordern.papers.published_counts import FORWARD, INVERSE, MATRIX, bound_rows, counted, missed, tallied

LINEAR = [f"inverse_dynamics/{m}" for m in ("denoc", "newton-euler")] + [
    f"forward_dynamics/{m}" for m in ("denoc", "articulated", "innovations")
]
PUBLISHED = {"/".join(p.ours): p for p in (*INVERSE, *FORWARD, *MATRIX) if p.ours}
SMALLEST = {"forward_dynamics/denoc": 2, "mass_matrix/gibbs-appell": 2}  # at n = 1 these formulas are negative


def operations(name, model, whole=False):
    """(multiplications, additions); of a forward step without its bias unless whole."""
    return tallied(find(*name.split("/"))[0], model, whole)


def within(made, bound):
    return all(a <= b for a, b in zip(made, bound, strict=True))


def equal_links(n):
    row = {
        "a": 0.3,
        "alpha": 0.7,
        "d": 0.1,
        "theta": 0.4,
        "mass": 2.0,
        "com": (0.1, 0.02, -0.03),
        "inertia": (0.1, 0.12, 0.09, 0.01, 0.02, -0.01),
    }
    return from_dh([row] * n, "distal")


def test_the_bounds_are_those_of_the_papers():
    at6 = {name: tuple(map(int, p.at(6))) for name, p in PUBLISHED.items()}
    assert at6["inverse_dynamics/denoc"] == (120 * 6 - 44, 97 * 6 - 55)
    assert at6["forward_dynamics/denoc"] == (201 * 6 - 335, 193 * 6 - 361)
    assert at6["mass_matrix/gibbs-appell"] == (11.5 * 36 + 19.5 * 6 - 49, 8.5 * 36 + 31.5 * 6 - 69)


@pytest.mark.parametrize("name", PUBLISHED)
def test_within_the_published_counts(name):
    """At every length to 30 (some of them without ORDERN_TRUST=1: from six links on each further one costs the same, or as a polynomial
    has it), without exception; a formula may only be left out where it is negative, and one is at n = 1 alone.
    """
    p, first = PUBLISHED[name], SMALLEST.get(name, 1)
    assert [n for n in range(1, 31) if min(p.at(n)) < 0] == list(range(1, first))
    lengths = [n for n in range(first, 31) if TRUST or n <= 10 or n in (15, 20, 30)]
    assert all(within(counted(p.ours, n), p.at(n)) for n in lengths)
    assert not missed(p, range(1, 31) if TRUST else lengths)


@pytest.mark.parametrize("name", ["inverse_dynamics/denoc", "forward_dynamics/denoc", "mass_matrix/gibbs-appell"])
def test_within_the_published_counts_on_other_chains(name):
    """Not a matter of one geometry."""
    for n in (2, 3, 6, 12):
        for model in (equal_links(n), *(chain(n, seed) for seed in range(1, 7))):
            assert within(operations(name, model), PUBLISHED[name].at(n)), n


def test_a_missed_bound_is_reported(monkeypatch):
    """If a method took more, the report would say at which length, by how much, and fail."""
    monkeypatch.setattr("ordern.papers.published_counts.counted", lambda ours, n, *rest: (1000, 20))
    rows = bound_rows("p", "t", [INVERSE[3]], lengths=())
    assert rows[0].wrong
    assert any("ours takes 324 M and 0 A more" in r.verdict and "n = 6" in r.what for r in rows)


def test_the_forward_step_leaves_out_the_bias_only():
    """At rest and weightless, articulated bodies and the three steps are the same operations; complete, both take more."""
    for n in (2, 6):
        step = operations("forward_dynamics/denoc", chain(n))
        assert step == operations("forward_dynamics/articulated", chain(n))
        assert all(a < b for a, b in zip(step, operations("forward_dynamics/denoc", chain(n), whole=True), strict=True))


@pytest.mark.parametrize("name", LINEAR)
def test_linear_methods_are_linear(name):
    """From six links on, each further one costs the same."""
    made = np.array([operations(name, equal_links(n), whole=True) for n in range(6, 12)])
    assert (np.diff(made, 2, axis=0) == 0).all(), made.tolist()


@pytest.mark.parametrize("name", ["mass_matrix/denoc", "mass_matrix/gibbs-appell", "mass_matrix/composite"])
def test_matrices_are_quadratic(name):
    made = np.array([operations(name, equal_links(n)) for n in range(6, 12)])
    assert (np.diff(made, 3, axis=0) == 0).all(), made.tolist()


def test_zeros_of_real_arms_are_used():
    for arm in (stanford(), puma560()):
        for name in ("inverse_dynamics/denoc", "forward_dynamics/denoc", "mass_matrix/gibbs-appell"):
            special, general = sum(operations(name, arm)), sum(operations(name, chain(6)))
            assert special < 0.75 * general, (arm.name, name, special, general)


def main():
    sizes = (2, 3, 6, 12)
    names = list(
        dict.fromkeys([*PUBLISHED, *LINEAR, "forward_dynamics/fixman", "mass_matrix/denoc", "mass_matrix_udu/denoc"])
    )
    names += [f"mass_matrix_inverse/{method}" for method in ("denoc", "denoc-columns", "articulated")]
    print(f"{'':36}" + "".join(f"{f'n = {n}':>14}" for n in sizes))
    for name in names:
        print(f"{name:36}" + "".join("{:>8}{:>6}".format(*operations(name, chain(n))) for n in sizes))
        if name in PUBLISHED:
            print(
                f"{'    published':36}" + "".join("{:>8}{:>6}".format(*map(int, PUBLISHED[name].at(n))) for n in sizes)
            )


if __name__ == "__main__":
    main()
