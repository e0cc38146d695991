"""Coefficients of the explicit methods against Butcher's order conditions: results, error estimates and dense output."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ordern.emit.explicit import weights
from ordern.emit.tableaus import TABLES

ORDER = {
    "rk4": (4, 0, 0),
    "dopri5": (5, 4, 4),
    "cash-karp": (5, 4, 4),
    "verner": (6, 5, 5),
    "dop853": (8, 5, 7),
}  # result, other result, dense


def grown(most):
    """Rooted trees by number of nodes: a tree is the sorted tuple of its branches."""
    made = {1: [()]}

    def forests(left, most):
        if not left:
            yield ()
        for size in range(min(left, most), 0, -1):
            for branch in made[size]:
                for rest in forests(left - size, size):
                    yield (branch, *rest)

    for size in range(2, most + 1):
        made[size] = sorted({tuple(sorted(f)) for f in forests(size - 1, size - 1)})
    return made


TREES = grown(8)


def nodes(t):
    return 1 + sum(map(nodes, t))


def density(t):
    return nodes(t) * math.prod(map(density, t))


def stages(t, A):
    made = np.ones(len(A))
    for branch in t:
        made = made * (A @ stages(branch, A))
    return made


def matrix(table):
    """All stages: those of the step, the one at its end, those for dense output."""
    rows = [*table.A, table.b, *table.extra]
    made = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        made[i, : len(row)] = row
    return made


def off(b, A, size, s=1.0):
    """How far the weights are from the conditions of one order, for a step to s."""
    b = np.pad(b, (0, len(A) - len(b)))
    return max(abs(b @ stages(t, A) - s**size / density(t)) for t in TREES[size])


def test_there_are_as_many_trees_as_there_should_be():
    assert [len(TREES[k]) for k in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize("name", TABLES)
def test_orders(name):
    """Below 1e-13 (coefficients up to 150 in sixteen digits) as far as the order goes, far above it beyond."""
    table, (order, low, dense) = TABLES[name], ORDER[name]
    A = matrix(table)
    np.testing.assert_allclose(A.sum(axis=1)[: table.stages], table.c, rtol=0, atol=1e-14)
    np.testing.assert_allclose(A.sum(axis=1)[table.stages + 1 :], table.extra_c, rtol=0, atol=1e-14)
    for size in range(1, order + 1):
        assert off(table.b, A, size) < 1e-13
    assert order == 8 or off(table.b, A, order + 1) > 1e-5
    for row in table.errors:
        other = np.pad(table.b, (0, len(row) - table.stages)) - np.array(row)
        good = [size for size in range(1, 9) if off(other, A, size) < 1e-13]
        assert good in ([1, 2, 3, 4, 5], [1, 2, 3]) if name == "dop853" else good == list(range(1, low + 1))
        assert off(other, A, len(good) + 1) > 1e-5
    for s in (0.13, 0.5, 0.71) if table.adaptive else ():
        w = np.array([float(x) for x in weights(table, Fraction(s))])
        for size in range(1, dense + 1):
            assert off(w, A, size, s) < 1e-13
        assert off(w, A, dense + 1, s) > 1e-7
