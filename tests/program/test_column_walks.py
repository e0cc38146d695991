"""Derivatives of forward dynamics in loops over blocks of columns, which visit the rows they reach and read nothing that was not set."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from budget import TRUST, spread
from grid import ALGORITHMS, arguments
from ordern.emit.llvm import kernel_text
from ordern.program import column_tiles, column_walks
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.storage import ColumnBlock
from ordern.runtime.kernels import Kernel

ALGORITHM = ALGORITHMS["forward_dynamics_derivatives/recursive"]
W = 2 * ColumnBlock.WIDTH
TREES = {
    "legs": (["floating"] + ["revolute"] * 9, [0, 1, 2, 3, 1, 5, 6, 1, 8, 9]),
    "hinges": (["revolute", "prismatic"] * 5, [0, 1, 1, 3, 4, 1, 6, 7, 3, 9]),
    "forest": (["revolute", "spherical", "planar"] * 3, [0, 1, 0, 3, 4, 0, 3, 7, 6]),  # blocks that meet no other tree
    "late": (["revolute"] * 9, [0, 1, 2, 1, 2, 3, 4, 5, 6]),  # limbs take turns in the order of bodies
    "chain": (["revolute"] * 6, [0, 1, 2, 3, 4, 5]),
    "few": (["revolute"] * 3, [0, 1, 1]),  # fewer columns than a block has
    "two": (["revolute"] * 2 * W, [*range(W), 0, *range(W + 1, 2 * W)]),  # blocks for each of two chains
}


ALL_ROWS = tuple(TREES) if TRUST else ("hinges", "few", "two")
WALKS = [(name, most) for name in TREES for most in (2**14, 0) if most or name in ALL_ROWS]


@pytest.mark.parametrize(("name", "most"), WALKS)
def test_loops_equal_what_is_written_out(name, most, monkeypatch):
    monkeypatch.setattr(kernel_text, "_STACK", 0)
    monkeypatch.setattr(column_walks, "MOST", most)
    model = robots.tree(*TREES[name], 4)
    given = {k: np.ascontiguousarray(v) for k, v in arguments(ALGORITHM, model, (9,)).items()}
    right = interpret(trace(ALGORITHM, prepared(ALGORITHM, model), rolled=False), given)
    program = trace(ALGORITHM, prepared(ALGORITHM, model), rolled=True)
    assert not program.straight
    # results take the place of what was read, where no column comes twice
    once = model.nv % min(ColumnBlock.WIDTH, model.nv) == 0
    assert once != any(of == "dqdd_dq" for of, _ in program.matrices)
    assert program.alone is not None and any(of == "dqdd_dq" for of, _ in program.alone().matrices)
    kernel = Kernel.of(program)
    for width in (1, kernel.width()):
        ready = kernel.ready(width)
        ready.give_back(np.full(ready.workspace + 64, 255, np.uint8))  # NaNs
        made = [np.empty((9, *shape)) for shape in kernel.outputs.values()]
        assert kernel.run(list(given.values()), made, threads=1, width=width)
        for a, b in zip(made, right.values(), strict=True):  # products in another order: some hundred roundings
            np.testing.assert_allclose(a, b, rtol=0, atol=1e4 * np.finfo(float).eps * np.abs(b).max())
        assert (made[2] == made[2].swapaxes(1, 2)).all()


@pytest.mark.parametrize(("name", "dtype"), spread(["legs", "forest", "many"], ["float32", "float64"]))
def test_one_state_in_vectors_of_columns_has_the_bits_of_many_states(name, dtype, monkeypatch):
    """Blocks of columns are wider for one state, and vectors end in shorter ones (15 columns: 8, 4, 2 and 1); a sum has
    the same terms in the same order, but for zeros."""
    monkeypatch.setattr(kernel_text, "_STACK", 0)
    monkeypatch.setattr(column_tiles, "FEWEST", 2)
    monkeypatch.setattr(ColumnBlock, "ALONE", 11 if name == "forest" else 16)
    trees = TREES | {
        "many": (["floating"] + ["revolute"] * 29, [0, *([1, 2, 3, 4, 5] * 2 + [6, 7, 8, 9, 10, 11] * 3 + [3])])
    }
    model = robots.tree(*trees[name], 4)
    program = trace(ALGORITHM, prepared(ALGORITHM, model), rolled=True)
    kernel = Kernel.of(program, dtype)
    assert "store <2 x " in kernel.source(width=1) and "store <2 x " not in Kernel.of(program).source(width=4)
    given = [np.ascontiguousarray(v, dtype) for v in arguments(ALGORITHM, model, (kernel.width(),)).values()]
    made = {
        width: [np.empty((len(given[0]), *s), dtype) for s in kernel.outputs.values()] for width in (1, kernel.width())
    }
    for width, outs in made.items():
        ready = kernel.ready(width)
        ready.give_back(np.full(ready.workspace + 64, 255, np.uint8))  # NaNs
        assert kernel.run(given, outs, threads=1, width=width)
    for a, b in zip(*made.values(), strict=True):
        assert (a == b).all()
