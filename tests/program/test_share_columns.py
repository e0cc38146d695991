"""Tables in less memory: the same bits, and never two values in one place."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import choose
from ordern.program.build import prepared, trace
from ordern.program.carry import carry
from ordern.program.interpret import interpret
from ordern.program.ir import IRLoop, Node, Program
from ordern.program.passes import fuse
from ordern.program.share_columns import END, _rows, share_columns
from programs import Bounded

CASES = [
    ("fourbars100", "forward_dynamics"),
    ("fourbars45", "forward_dynamics"),
    ("fourbars100", "constraint_bias"),
    ("chain100", "forward_dynamics"),
    ("chain50", "inverse_dynamics"),
    ("chain50", "mass_matrix"),
]


@pytest.mark.parametrize(("name", "quantity"), CASES)
def test_shared_columns_give_the_same_bits(name, quantity):
    model = ordern.load(name).model
    algorithm = choose(quantity, None, model)
    program = carry(fuse(trace(algorithm, prepared(algorithm, model))))
    shared = share_columns(program)
    rng = np.random.default_rng(0)
    given = {name: rng.normal(size=(3, count)) for name, count in program.inputs.items()}
    wanted, made = interpret(program, given), interpret(shared, given)
    for key, values in wanted.items():
        np.testing.assert_array_equal(made[key], values)
    assert sum(width for _, width in shared.tables) <= sum(width for _, width in program.tables)
    if shared is not program:
        machine = Bounded(shared, {key: values[0].tolist() for key, values in given.items()})
        machine.run(shared.body)
        assert machine.widths() == [width for _, width in shared.tables]


def test_a_closed_chain_needs_a_third_of_its_columns():
    model = ordern.load("fourbars100").model
    algorithm = choose("forward_dynamics", None, model)
    program = carry(fuse(trace(algorithm, prepared(algorithm, model))))
    (_, columns), ((_, left), (_, cells)) = program.tables[0], share_columns(program).tables
    assert left + cells < 0.4 * columns


def walk_back(rows: int, offset: int) -> Program:
    """Column 0 is filled, column 1 made from its row beside, column 2 from column 1 on the way back; ends of it go out, and a first row."""
    nodes = [Node("iconst", (), (0,)), Node("in", (), ("x", 0)), Node("const", (), (1.0,))]

    def node(*parts):
        nodes.append(Node(*parts))
        return len(nodes) - 1

    i = node("loopvar", (), (1,))
    a = node("inx", (i,), ("x", 0))
    first = IRLoop(
        1, "range", 0, rows, 1, cases=[((0,), [i, a, Node("store", (i, a), (0, 0)), Node("store", (i, a), (0, 3))])]
    )
    j = node("loopvar", (), (2,))
    beside = node("iaff", (j,), (1, offset))
    b = node("load", (beside,), (0, 0, 0))
    c = node("add", (b, 2), ())
    low, high = max(0, -offset), rows - max(0, offset)
    second = IRLoop(2, "range", low, high, 1, cases=[((0,), [j, beside, b, c, Node("store", (j, c), (0, 1))])])
    k = node("loopvar", (), (3,))
    d = node("load", (k,), (0, 1, 0))
    e = node("add", (d, d), ())
    third = IRLoop(3, "range", high - 1, low - 1, -1, cases=[((0,), [k, d, e, Node("store", (k, e), (0, 2))])])
    ends = [node("iconst", (), (row,)) for row in (low, high - 1)]
    loads = [node("load", (ends[k],), (0, column, 0)) for k, column in ((0, 2), (1, 2), (0, 3))]
    outs = [Node("out", (x,), ("y", n)) for n, x in enumerate(loads)]
    return Program(
        "walk",
        nodes,
        [2, first, second, third, *ends, *loads, *outs],
        {"x": rows},
        {"y": (3,)},
        rows=rows,
        tables=[("t", 4)],
    )


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("rows", [9, 400])
def test_rows_beside_are_not_overwritten(rows, offset):
    """Whichever neighbour a loop reads, what other turns and the statements behind the loops still want stays."""
    program = walk_back(rows, offset)
    x = np.random.default_rng(1).normal(size=(2, rows))
    np.testing.assert_array_equal(interpret(share_columns(program), {"x": x})["y"], interpret(program, {"x": x})["y"])


@pytest.mark.parametrize("count", [1, 3 * END, 3 * END + 1, 1000])
def test_rows_at_both_ends_and_one_between_are_looked_at(count):
    """Loops begin and end there; the rows between are alike."""
    rows = _rows(count)
    assert rows == sorted(set(rows)) and set(rows) <= set(range(count))
    assert {*range(min(END, count)), *range(max(0, count - END), count)} < {*rows, -1}
    assert count <= 2 * END or any(END <= row < count - END for row in rows)
