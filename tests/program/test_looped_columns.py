"""Robots that are written out but for loops over columns: their results, and the same bits for one state and for many."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from grid import ALGORITHMS, arguments
from ordern.emit.llvm import beginning, kernel_text
from ordern.program import looped_columns
from ordern.program.adjoint import directional
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.runtime.kernels import Kernel

ALGORITHM = ALGORITHMS["forward_dynamics_derivatives/recursive"]
TREES = {
    "legs": (["floating"] + ["revolute"] * 9, [0, 1, 2, 3, 1, 5, 6, 1, 8, 9], 4),  # two of three limbs in pairs
    "balls": (
        ["revolute", "spherical", "planar", "revolute", "revolute"],
        [0, 1, 0, 3, 4],
        4,
    ),  # no joint moves all others
}


@pytest.mark.parametrize(("name", "dtype"), [("legs", "float64"), ("balls", "float32")])
def test_columns_in_loops_behind_a_text_that_is_written_out(name, dtype, monkeypatch):
    model = robots.tree(*TREES[name])
    given = {k: np.ascontiguousarray(v, dtype) for k, v in arguments(ALGORITHM, model, (9,)).items()}
    ready = prepared(ALGORITHM, model)
    right = interpret(trace(ALGORITHM, ready, rolled=False), {k: v.astype(float) for k, v in given.items()})
    monkeypatch.setattr(kernel_text, "_STACK", 0)
    monkeypatch.setattr(looped_columns, "LARGEST", 0)
    monkeypatch.setattr(beginning, "ONE_PIECE", 100)
    program = trace(ALGORITHM, ready)
    assert not program.straight and beginning.split(program) is not None
    kernel, made = Kernel.of(program, dtype), {}
    for width in (1, kernel.width()):
        assert "@beginning" in kernel.source(width=width)
        code = kernel.ready(width)
        code.give_back(np.full(code.workspace + 64, 255, np.uint8))  # NaNs
        made[width] = [np.empty((9, *shape), dtype) for shape in kernel.outputs.values()]
        assert kernel.run(list(given.values()), made[width], threads=1, width=width)
    for one, many, b in zip(*made.values(), right.values(), strict=True):
        assert (one == many).all()
        # products in another order: some hundred roundings
        np.testing.assert_allclose(many, b, rtol=0, atol=1e4 * np.finfo(dtype).eps * np.abs(b).max())


@pytest.mark.parametrize("wrt", ["q", "qd", "tau", "q qd tau"])
@pytest.mark.parametrize("loops", ["columns", "bodies"])
@pytest.mark.parametrize("name", TREES)
def test_rates_of_one_state_are_those_of_many(name, loops, wrt, monkeypatch):
    """Where one state has a program of its own, so have its rates: not the values, and not those of many."""
    model = robots.tree(*TREES[name])
    monkeypatch.setattr(looped_columns, "LARGEST", 0 if loops == "columns" else looped_columns.LARGEST)
    program = trace(ALGORITHM, prepared(ALGORITHM, model), rolled=loops == "bodies" or None)
    if name == "legs":
        assert program.alone is not None
    made, names = directional(program, wrt.split()), list(program.inputs)
    assert (made.alone is None) == (program.alone is None)
    rng, given = np.random.default_rng(1), arguments(ALGORITHM, model, (2,))
    given = dict(zip(names, given.values(), strict=True))
    given |= {f"{k}_t": rng.uniform(-1, 1, given[k].shape) for k in wrt.split()}
    many = interpret(made, given)
    one = interpret(made.alone(), given) if made.alone else many
    assert list(one) == list(many)
    for a, b in zip(one.values(), many.values(), strict=True):
        # products in another order: some hundred roundings
        np.testing.assert_allclose(a, b, rtol=0, atol=1e4 * np.finfo(float).eps * max(1.0, np.abs(b).max()))


def test_what_loops_need_of_a_text_keeps_the_two_together(monkeypatch):
    """A value of the text that a loop uses as it is lies nowhere in memory."""
    model = robots.tree(*TREES["legs"])
    monkeypatch.setattr(looped_columns, "LARGEST", 0)
    monkeypatch.setattr(beginning, "ONE_PIECE", 100)
    program = trace(ALGORITHM, prepared(ALGORITHM, model))
    used = next(s for s in program.body if isinstance(s, int) and program.nodes[s].op == "mul")
    block = next(s for s in program.body if not isinstance(s, int) and hasattr(s, "cases")).cases[0][1]
    at = next(k for k, s in enumerate(block) if not isinstance(s, int) and getattr(s, "op", "") in ("store", "mstore"))
    block[at] = block[at]._replace(src=(*block[at].src[:-1], used))
    assert beginning.split(program) is None
