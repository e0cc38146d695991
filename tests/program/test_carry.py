"""Loads that need no memory: random programs of loops over tables give the same bits with fewer loads, and within their memory."""

from __future__ import annotations

import random

import numpy as np
import pytest

from budget import examples
from ordern.program.carry import carry
from ordern.program.interpret import interpret
from ordern.program.ir import IRLoop, Node, Program, walk
from ordern.program.share_columns import share_columns
from programs import Bounded

ROWS, COLUMNS = 14, 3


class Writer:
    """Nodes, and the statements of a block."""

    def __init__(self, rng, odd=0.1):
        self.rng, self.nodes, self.number, self.odd = rng, [], 0, odd  # how often rows are not the loop's own

    def node(self, *parts):
        self.nodes.append(Node(*parts))
        return len(self.nodes) - 1

    def row(self, block, base, offset):
        """An index: a row, or one beside the loop's."""
        if base is None:
            made = self.node("iconst", (), (offset,))
        elif self.rng.random() < self.odd:  # a row by its number, whatever the turn
            made = self.node("iconst", (), (self.rng.choice([0, 1, 2, 3, self.rng.randrange(ROWS)]),))
        elif self.rng.random() < self.odd:  # written so that it is not known where it is
            made = self.node("isum", (base, self.put(block, self.node("iconst", (), (offset,)))), ())
        else:
            made = base if not offset and self.rng.random() < 0.8 else self.node("iaff", (base,), (1, offset))
        return base if made == base else self.put(block, made)

    def value(self, block, base, known):
        """A constant, a constant by row, an input, or what was made of others before."""
        kind = self.rng.choice(["const", "cload", "neg", "in", "sum", "sum", "known", "known"])
        if kind in ("sum", "known") and known:
            a, b = self.rng.choice(known), self.rng.choice(known)
            made = self.node("add", (a, b), ()) if kind == "sum" else a
            return made if kind == "known" else self.put(block, made)
        if kind == "const" or base is None:
            return self.put(block, self.node("const", (), (self.rng.choice([0.0, 1.0, 2.5]),)))
        if kind == "in":
            return self.put(block, self.node("inx", (base,), ("x", 0)))
        made = self.put(block, self.node("cload", (self.row(block, base, self.rng.choice([0, 0, 1])),), (0,)))
        return self.put(block, self.node("neg", (made,), ())) if kind == "neg" else made

    def put(self, block, node):
        block.append(node)
        return node

    def load(self, block, base, offset, column):
        return self.put(block, self.node("load", (self.row(block, base, offset),), (0, column, len(self.nodes))))

    def store(self, block, base, offset, column, value):
        block.append(Node("store", (self.row(block, base, offset), value), (0, column)))

    def loop(self, start, stop, step, fill=False):
        """A walk; one that fills gives every column a value in every row."""
        self.number += 1
        block, known = [], []
        base = self.put(block, self.node("loopvar", (), (self.number,)))
        if fill:
            for column in range(COLUMNS):
                block.append(Node("store", (base, self.value(block, base, [])), (0, column)))
        else:
            for _ in range(self.rng.randint(2, 6)):
                column, offset = self.rng.randrange(COLUMNS), self.rng.choice([-2, -1, -1, 0, 0, 1, 1, 2])
                if self.rng.random() < 0.5:
                    known.append(self.load(block, base, offset, column))
                else:
                    self.store(block, base, offset, column, self.value(block, base, known))
            if known:
                block.append(Node("outx", (base, self.rng.choice(known)), ("y", 0, 1)))
        return IRLoop(self.number, "range", start, stop, step, cases=[((0,), block)])


def program(seed):
    rng = random.Random(seed)
    w = Writer(rng)
    body, known = [w.loop(0, ROWS - 1, 1, fill=True)], []
    for column in range(COLUMNS):
        w.store(body, None, ROWS - 1, column, w.value(body, None, []))
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.1:
            body.append(Node("zero", (), ("table", 0)))
            continue
        if rng.random() < 0.3:
            row, column = rng.randrange(ROWS), rng.randrange(COLUMNS)
            if rng.random() < 0.5:
                known.append(w.load(body, None, row, column))
            else:
                w.store(body, None, row, column, w.value(body, None, known))
            continue
        low, high, step = rng.randint(2, 4), rng.randint(ROWS - 4, ROWS - 2), rng.choice([1, 1, 2])
        body.append(w.loop(low, high, step) if rng.random() < 0.5 else w.loop(high - 1, low - 1, -step))
    last = [w.load(body, None, rng.randrange(ROWS), rng.randrange(COLUMNS)) for _ in range(3)] + known[:1]
    body += [Node("out", (x,), ("z", k)) for k, x in enumerate(last)]
    if rng.random() < 0.5:
        body.append(w.loop(3, ROWS - 3, 1))
    columns = [np.arange(1.0, ROWS + 2)]
    outputs = {"y": (ROWS,), "z": (4,)}
    return Program("random", w.nodes, body, {"x": ROWS}, outputs, rows=ROWS, tables=[("t", COLUMNS)], columns=columns)


def count(made, op):
    return sum(isinstance(s, int) and made.nodes[s].op == op for s in walk(made.body))


X = np.random.default_rng(0).normal(size=ROWS)


@pytest.mark.parametrize("first", range(0, examples(200, 4000), 20))
def test_the_same_bits(first):
    for seed in range(first, first + 20):
        before = program(seed)
        wanted = interpret(before, {"x": X})
        carried = carry(before)
        assert count(carried, "load") <= count(before, "load") + sum(
            len(s.carried) for s in walk(carried.body) if isinstance(s, IRLoop)
        )
        for made in (carried, share_columns(carried), share_columns(before)):
            got = interpret(made, {"x": X})
            for name, values in wanted.items():
                np.testing.assert_array_equal(got[name], values, err_msg=f"{seed}")
            machine = Bounded(made, {"x": X.tolist()})
            machine.run(made.body)


def test_what_is_saved():
    """Of 1461 loads and 2024 stores in 200 programs; where more are left, one of the rules above is not followed any more."""
    loads = stores = 0
    for seed in range(200):
        made = carry(program(seed))
        loads += count(made, "load")
        stores += sum(isinstance(s, Node) and s.op == "store" for s in walk(made.body))
    assert loads <= 823 and stores <= 1476


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("shift", [0, 1])  # of the column of constants against the row
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("late", [False, True])  # a row that is set after the loop
def test_constants_by_row_need_no_table(sign, shift, back, late):
    """A walk that keeps constants, single rows that keep others, then loads in a walk and of single rows: none is left."""
    w = Writer(random.Random(0), odd=0.0)
    body, block = [], []
    w.number = 1
    base = w.put(block, w.node("loopvar", (), (1,)))
    index = w.put(block, w.node("iaff", (base,), (1, shift)))
    value = w.put(block, w.node("cload", (index,), (0,)))
    if sign < 0:
        value = w.put(block, w.node("neg", (value,), ()))
    w.store(block, base, 1, 0, value)
    single = w.put(body, w.node("const", (), (7.0,)))
    w.store(body, None, 0, 0, single)
    body.append(IRLoop(1, "range", 0, ROWS - 1, 1, cases=[((0,), block)]))
    if late:
        other = w.put(body, w.node("const", (), (9.0,)))
        w.store(body, None, 5, 0, other)
    block = []
    base = w.put(block, w.node("loopvar", (), (2,)))
    x = w.load(block, base, -1, 0)
    block.append(Node("outx", (base, x), ("y", 0, 1)))
    body.append(IRLoop(2, "range", *((ROWS - 1, 0, -1) if back else (1, ROWS, 1)), cases=[((0,), block)]))
    out = w.load(body, None, 3, 0)
    body.append(Node("out", (out,), ("z", 0)))
    columns = [np.linspace(2.0, 5.0, ROWS)]
    made = Program(
        "rows", w.nodes, body, {"x": ROWS}, {"y": (ROWS,), "z": (4,)}, rows=ROWS, tables=[("t", 1)], columns=columns
    )
    carried = carry(made)
    wanted, got = interpret(made, {"x": X}), interpret(carried, {"x": X})
    for name, values in wanted.items():
        np.testing.assert_array_equal(got[name], values)
    assert count(carried, "load") == 0 and not any(isinstance(s, Node) and s.op == "store" for s in walk(carried.body))
