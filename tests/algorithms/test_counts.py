"""Operations on the general revolute chain, counted and held against the published formulas; run as a script it prints the table.

The papers' conventions: general DH geometry, sines, cosines and constants of the links free, the base at rest. Divisions count as
multiplications, subtractions as additions. The forward step of Saha and of Walker and Orin is the matrix work without the bias.
"""

from __future__ import annotations

import numpy as np
import pytest

from ordern.algorithms.registry import find
from ordern.describe.dh import from_dh
from ordern.describe.robots import chain, puma560, stanford
from ordern.evaluate.counts import counts

BIAS = {"motion", "forces", "velocities"}  # stages that only the bias needs
LINEAR = [f"inverse_dynamics/{m}" for m in ("denoc", "newton-euler")] + [f"forward_dynamics/{m}" for m in ("denoc", "articulated", "innovations")]
PUBLISHED = {  # multiplications, additions
    "inverse_dynamics/denoc": (lambda n: 120 * n - 44, lambda n: 97 * n - 55),
    "forward_dynamics/denoc": (lambda n: 201 * n - 335, lambda n: 193 * n - 361),
    "mass_matrix/gibbs-appell": (lambda n: 11.5 * n * n + 19.5 * n - 49, lambda n: 8.5 * n * n + 31.5 * n - 69),
    "mass_matrix/composite": (lambda n: 12 * n * n + 56 * n - 27, lambda n: 7 * n * n + 67 * n - 53),
    "mass_matrix/natural-complement": (lambda n: n**3 + 17 * n * n - 21 * n + 8, lambda n: n**3 + 14 * n * n - 16 * n + 5),
}


def operations(name, model, whole=False):
    """(multiplications, additions); of a forward step without its bias unless whole."""
    made = counts(find(*name.split("/"))[0], model)
    stages = [c for stage, c in made.by_stage.items() if whole or not name.startswith("forward") or stage not in BIAS]
    return sum(c.mul + c.div for c in stages), sum(c.add for c in stages)


def equal_links(n):
    row = {"a": 0.3, "alpha": 0.7, "d": 0.1, "theta": 0.4, "mass": 2.0, "com": (0.1, 0.02, -0.03), "inertia": (0.1, 0.12, 0.09, 0.01, 0.02, -0.01)}
    return from_dh([row] * n, "distal")


@pytest.mark.parametrize(("name", "smallest"), [("inverse_dynamics/denoc", 1), ("forward_dynamics/denoc", 3), ("mass_matrix/gibbs-appell", 2)])
def test_within_the_published_counts(name, smallest):
    for n in (*range(smallest, 13), 20):
        made, bounds = operations(name, chain(n)), PUBLISHED[name]
        assert made[0] <= bounds[0](n), (n, made)
        assert made[1] <= bounds[1](n), (n, made)


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
    names = list(dict.fromkeys([*PUBLISHED, *LINEAR, "forward_dynamics/fixman", "mass_matrix/denoc", "mass_matrix_udu/denoc"]))
    names += [f"mass_matrix_inverse/{method}" for method in ("denoc", "denoc-columns", "articulated")]
    print(f"{'':36}" + "".join(f"{f'n = {n}':>14}" for n in sizes))
    for name in names:
        print(f"{name:36}" + "".join("{:>8}{:>6}".format(*operations(name, chain(n))) for n in sizes))
        if name in PUBLISHED:
            print(f"{'    published':36}" + "".join("{:>8}{:>6}".format(*(int(f(n)) for f in PUBLISHED[name])) for n in sizes))


if __name__ == "__main__":
    main()
