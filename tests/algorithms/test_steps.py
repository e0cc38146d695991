"""The arithmetic of the integrators' steps on exact numbers, and as the instructions that machine code makes of it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ordern.algorithms.steps import combination, dense, half_explicit, polynomial, stage
from ordern.emit.llvm.lane_text import Fields, Text
from ordern.emit.llvm.lane_values import LaneValue, slot
from ordern.emit.llvm.lanes import Lanes
from ordern.emit.tableaus import RK4, TABLES


def test_a_cubic_is_integrated_exactly():
    """RK4 on x'' = 6 t with exact numbers: velocities are of second degree, coordinates of third."""
    h, v, t = Fraction(1, 3), Fraction(2), Fraction(1, 5)
    exact = [Fraction(str(x)) if x in (0.5, 1.0, 0.0) else Fraction(1, 6 if x < 0.2 else 3) for x in RK4.b]
    kx, kv = [], []
    for row, c in zip(RK4.A, RK4.c, strict=True):
        _, u = stage([Fraction(a) for a in row], h, kx.__getitem__, kv.__getitem__, v)
        kx.append(u)
        kv.append(6 * (t + Fraction(c) * h))
    x, u = stage(exact, h, kx.__getitem__, kv.__getitem__, v)
    assert u == v + 3 * ((t + h) ** 2 - t**2)
    assert x == v * h + (t + h) ** 3 - t**3 - 3 * t**2 * h
    assert half_explicit(h, v, 2) == (h * (v + 2 * h), v + 2 * h)


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table.adaptive])
def test_dense_output_meets_both_ends(name):
    table, rng = TABLES[name], np.random.default_rng(0)
    k = rng.normal(size=table.stages + 1 + len(table.extra))
    h, step = 0.3, 0.3 * combination(table.b, k.__getitem__)
    p = dense(table.dense, h, step, k.__getitem__, table.stages)
    at = [polynomial(p, s, 1 - s) for s in (0.0, 1e-7, 1 - 1e-7, 1.0)]
    np.testing.assert_allclose(at[0], 0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(at[3], step, rtol=0, atol=1e-15)
    np.testing.assert_allclose(
        [(at[1] - at[0]) / 1e-7, (at[3] - at[2]) / 1e-7], [h * k[0], h * k[table.stages]], rtol=0, atol=1e-4
    )


def test_sums_with_products_are_fused():
    """a + b c is one instruction, b c + a two: that is how the texts say which rounding is meant."""
    fields = Fields()
    fields.add("a", 3)
    w = Text(Lanes(1), fields)
    a, b = slot(w, "a", 0), LaneValue(w, "%b")
    (a + slot(w, "a", 1) * b).name  # noqa: B018
    assert sum("llvm.fma" in line for line in w.lines) == 1 and not any("fmul" in line for line in w.lines)
    (slot(w, "a", 1) * b + a).name  # noqa: B018
    assert sum("fmul" in line for line in w.lines) == 1 and sum("fadd" in line for line in w.lines) == 1
