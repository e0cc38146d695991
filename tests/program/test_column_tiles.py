"""Values side by side in vectors, one state, have the bits they have one by one: every operation, and what keeps values apart."""

from __future__ import annotations

import numpy as np
import pytest

from ordern.program.column_tiles import FEWEST
from ordern.program.ir import IRLoop, Node, Program
from ordern.runtime.kernels import Kernel

N, ROWS = FEWEST + 15, 4  # vectors of 8, 8, 4, 2 and one number


class Text:
    """A program that fills table 0 from an input, does something in a walk, and shows table 1."""

    def __init__(self):
        self.nodes, self.blocks = [], [[]]

    def __call__(self, op, src=(), arg=()):
        self.nodes.append(Node(op, src, arg))
        self.blocks[-1].append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def act(self, op, src, arg):
        self.blocks[-1].append(Node(op, src, arg))

    def loop(self, write, kind="range", start=1, parent=-1):
        number = len(self.nodes)
        self.blocks.append([])
        i = self("loopvar", (), (number,))
        write(i)
        cases = [((0,), self.blocks.pop())]
        self.blocks[-1].append(IRLoop(number, kind, start, ROWS, 1, parent, (), cases))

    def load(self, row, table, c, version=0):
        return self("load", (row,), (table, c, version))

    def program(self, middle):
        def fill(i):
            at = self("iaff", (i,), (N, -N))
            for c in range(N):
                self.act("store", (i, self("inx", (at,), ("x", c))), (0, c))
                self.act("store", (i, self("inx", (at,), ("y", c))), (1, c))

        def show(i):
            for c in range(N):
                self.act("outx", (i, self.load(i, 1, c, 9)), ("z", c - N, N))

        self.loop(fill)
        middle(self)
        self.loop(show)
        count = N * (ROWS - 1)
        parents = [np.array([0, 0, 1, 2])]
        return Program(
            "tiles", self.nodes, self.blocks[0], {"x": count, "y": count}, {"z": (count,)}, ROWS,
            [("a", N), ("b", N)], indices=parents
        )  # fmt: skip


OPERANDS = {"neg": "a", "fma": "asb", "fms": "sab", "fnma": "abs"}  # s is one value for all columns


def arithmetic(ops):
    def middle(t):
        def turn(i):
            s = t("inx", (i,), ("x", 0))
            a, b = ([t.load(i, table, c) for c in range(N)] for table in (0, 1))
            for op in ops:
                given = [{"a": x, "b": y, "s": s} for x, y in zip(a, b, strict=True)]
                a, b = [t(op, tuple(g[k] for k in OPERANDS.get(op, "ab"))) for g in given], a
            for c, x in enumerate(a):
                t.act("store", (i, x), (1, c))

        t.loop(turn)

    return middle


def changed_between(t):
    """A store comes between the loads of a vector."""

    def turn(i):
        one = [t.load(i, 0, c) for c in range(4)]
        t.act("store", (i, t("inx", (i,), ("y", 1))), (0, 2))
        for c, x in enumerate([*one, *(t.load(i, 0, c) for c in range(4, N))]):
            t.act("store", (i, x), (1, c))
        t.act("store", (i, t.load(i, 0, 2, 1)), (1, N - 1))

    t.loop(turn)


def read_alone(t):
    """One of the values is asked for before all are there."""

    def turn(i):
        made = []
        for c in range(N):
            made.append(t("neg", (t.load(i, 0, c),)))
            if c == 3:
                t("mul", (made[0], made[3]))
                t.act("store", (i, len(t.nodes) - 1), (0, 0))
        for c, x in enumerate(made):
            t.act("store", (i, x), (1, c))

    t.loop(turn)


def moved(by):
    """A row that a walk does not change gets the sum of others, its own columns ``by`` to the left."""

    def middle(t):
        top = t("iconst", (), (ROWS - 1,))

        def turn(j):
            up, s = t("iload", (j,), (0,)), t.load(j, 0, 1)
            sums = [t("fma", (t.load(up, 0, c), s, t.load(top, 1, min(c + by, N - 1)))) for c in range(N)]
            for c, x in enumerate(sums):
                t.act("store", (top, x), (1, c))

        t.loop(turn, "upward", top, 0)

    return middle


CASES = {
    **{op: arithmetic([op]) for op in ("add", "sub", "mul", "div", "neg", "fma", "fms", "fnma")},
    "many": arithmetic(["fma", "sub", "fnma", "mul", "fms", "neg", "div", "add"]),
    "between": changed_between, "alone": read_alone, "held": moved(0), "moved": moved(1),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_values_in_vectors_have_the_same_bits(name, dtype):
    kernel = Kernel.of(Text().program(CASES[name]), dtype)
    kernel._program = kernel._make()  # as written: passes would carry stores to their loads
    if name not in ("between", "alone"):
        assert "store <8 x" in kernel.source(width=1) or "store <16 x" in kernel.source(width=1)
    rng = np.random.default_rng(0)
    given = [rng.normal(size=(8, count)).astype(dtype) for count in kernel.inputs.values()]
    made = {width: np.empty((8, *kernel.outputs["z"]), dtype) for width in (1, kernel.width())}
    for width, out in made.items():
        assert kernel.run(given, [out], threads=1, width=width)
    one, many = made.values()
    assert (one == many).all()
