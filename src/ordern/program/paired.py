"""A straight-line program of one state with the operations of two limbs as one: cells, each one number or two.

Cells of one number are nodes as in ir.py. Those of two:

    op                    src        arg
    const                            x, y
    in sin cos                       k, l                 two nodes of the program that lie side by side in memory
    pair_sum              a, b       signs of a and b
    pair_fused            a, b, c    signs of a b and of c
    pair_mul pair_div     a, b       signs (their product counts)
    splat join            a; a, b                         one number twice; two cells of one number
    swap                  a                               the two change places
    flip                  a          where, where         one of them negated

and ``lane`` (src a, arg 0 or 1) takes one of two out. A negated operand is the same to the last bit as the operation
that subtracts it, so that either limb may add where the other subtracts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .ir import Node, Program
from .limb_pairs import ALIKE, Pair
from .passes import early_outputs

__all__ = ["RESIDENT", "Cells", "paired"]

RESIDENT = ("in", "sin", "cos")


@dataclass
class Cells(Program):
    """The cells; ``wide`` are those of two numbers. Acts are ("out", cell, (node, lane or -1))."""

    wide: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """They have operations of their own."""


class _Circle(Exception):
    """Two nodes of a pair wait for each other, by way of other pairs."""

    def __init__(self, node: int) -> None:
        super().__init__()
        self.node = node


def paired(program: Program, pairs: list[Pair], order: dict[int, tuple[int, ...]]) -> Cells:
    """The program in cells, its outputs as early as they can be."""
    return _Cutter(program, {k: pair for pair in pairs for k in pair}, order).run()


class _Cutter:
    def __init__(self, program: Program, pairs: dict[int, Pair], order: dict[int, tuple[int, ...]]) -> None:
        self.p, self.nodes, self.pairs, self.order = program, program.nodes, pairs, order
        self.cells = Cells(program.name, [], [], program.inputs, program.outputs)
        self.memo: dict[Any, int] = {}
        self.at: dict[int, int] = {}  # node: its cell

    def run(self) -> Cells:
        for s in early_outputs(self.p):
            if isinstance(s, int):
                self._ensure(s)
            elif s.op == "out":
                sign, k = self._base(s.src[0])
                if sign < 0 and k in self.pairs:
                    cell, lane = self._derived("flip", (self.at[k],), (True, True)), self.pairs[k].index(k)
                elif s.src[0] in self.pairs:
                    cell, lane = self.at[k], self.pairs[k].index(k)
                else:
                    cell, lane = self._one(s.src[0]), -1
                self.cells.body.append(Node("out", (cell,), (s.src[0], lane)))
        return self.cells

    def _members(self, k: int) -> tuple[int, ...]:
        return self.pairs.get(k, (k,))

    def _ensure(self, wanted: int) -> None:
        """A node's cell; a pair that waits for itself is given up with all cells made since."""
        if wanted in self.at or self.nodes[wanted].op == "sincos":
            return
        if next(self._missing(self._members(wanted)), None) is None:  # as with nearly all: pairs are what waits
            self._place(wanted)
            return
        cells, known = self.cells, (self.memo, self.at)
        begun, sizes = (len(cells.nodes), len(cells.body)), [len(x) for x in known]
        while True:
            try:
                self._make(wanted)
                return
            except _Circle as circle:
                for k in self.pairs[circle.node]:
                    del self.pairs[k]
            del cells.nodes[begun[0] :], cells.body[begun[1] :]
            cells.wide = {k for k in cells.wide if k < begun[0]}
            for x, size in zip(known, sizes, strict=True):
                while len(x) > size:
                    x.popitem()

    def _make(self, wanted: int) -> None:
        """A node's cell, after the cells that it needs."""
        stack: list[tuple[int, Iterator[int]]] = []
        waiting: set[int] = set()

        def begin(k: int) -> None:
            if k in waiting:
                raise _Circle(k if k in self.pairs else next(m for m in waiting if m in self.pairs))
            members = self._members(k)
            waiting.update(members)
            stack.append((k, self._missing(members)))

        begin(wanted)
        while stack:
            k, needs = stack[-1]
            needed = next(needs, None)
            if needed is not None:
                begin(needed)
                continue
            stack.pop()
            waiting.difference_update(self._members(k))
            self._place(k)

    def _missing(self, members: tuple[int, ...]) -> Iterator[int]:
        """What these nodes need and has no cell yet."""
        at, nodes = self.at, self.nodes
        for m in members:
            for x in nodes[m].src:
                if x not in at and nodes[x].op != "sincos":
                    yield x

    def _place(self, k: int) -> None:
        """The cell of a node, or of its pair, whose operands have theirs."""
        members = self._members(k)
        cell = self._pair(*members) if len(members) == 2 else self._single(k)
        for m in members:
            self.at[m] = cell

    def _cell(self, op: str, src: tuple[int, ...], arg: tuple[Any, ...], wide: bool) -> int:
        self.cells.nodes.append(Node(op, src, arg))
        made = len(self.cells.nodes) - 1
        self.cells.body.append(made)
        if wide:
            self.cells.wide.add(made)
        return made

    def _derived(self, op: str, src: tuple[int, ...], arg: tuple[Any, ...] = ()) -> int:
        """A cell made from others, once."""
        key = op, src, arg
        if key not in self.memo:
            self.memo[key] = self._cell(op, src, arg, op != "lane" and not (op == "const" and len(arg) == 1))
        return self.memo[key]

    def _base(self, k: int) -> tuple[int, int]:
        sign = 1
        while self.nodes[k].op == "neg":
            sign, k = -sign, self.nodes[k].src[0]
        return sign, k

    def _one(self, k: int) -> int:
        """The cell with this number alone."""
        op, _, arg = self.nodes[k]
        if op == "const":
            return self._derived("const", (), arg)
        if op in RESIDENT:
            key = op, (), (k,)
            if key not in self.memo:
                self.memo[key] = self._cell(*key, wide=False)
            return self.memo[key]
        if k in self.pairs:
            return self._derived("lane", (self.at[k],), (self.pairs[k].index(k),))
        return self.at[k]

    def _single(self, k: int) -> int:
        op, src, arg = self.nodes[k]
        if op in RESIDENT or op == "const":
            return self._one(k)
        return self._cell(op, tuple(self._one(x) for x in src), arg, wide=False)

    def _pair(self, k: int, l: int) -> int:
        op = self.nodes[k].op
        if op in RESIDENT:
            return self._cell(op, (), (k, l), wide=True)
        kind, ways = ALIKE[op], [self._operands(x) for x in (k, l)]
        if kind != "sum":  # the product's sign goes to a constant factor, if both have one
            first = 1 if all(self.nodes[way[1][1]].op == "const" for way in ways) else 0
            for way in ways:
                sign = way[0][0] * way[1][0]
                way[first], way[1 - first] = (sign, way[first][1]), (1, way[1 - first][1])
        made = [self._two(*a, *b) for a, b in zip(*ways, strict=True)]
        signs = [sign for _, sign in made]
        if kind != "sum":
            signs[:2] = [signs[0] * signs[1]]
        return self._cell(f"pair_{kind}", tuple(cell for cell, _ in made), tuple(signs), wide=True)

    def _operands(self, k: int) -> list[tuple[int, int]]:
        """Sign and node of each operand, in the order that both limbs have in common."""
        op, src, _ = self.nodes[k]
        made = [self._base(x) for x in self.order[k]]
        if op == "sub":  # by its place: both may be the same node
            second = 1 if self.order[k] == src else 0
            made[second] = (-made[second][0], made[second][1])
        if op == "fnma":
            made[0] = (-made[0][0], made[0][1])
        if op == "fms":
            made[2] = (-made[2][0], made[2][1])
        return made

    def _two(self, sign: int, k: int, other: int, l: int) -> tuple[int, int]:
        """The cell with these two numbers but for a sign that they share, and that sign."""
        if self.nodes[k].op == "const" == self.nodes[l].op:
            return self._derived("const", (), (sign * self.nodes[k].arg[0], other * self.nodes[l].arg[0])), 1
        if k in self.pairs and self.pairs[k] == (k, l):
            cell = self.at[k]
        elif k in self.pairs and self.pairs[k] == (l, k):
            cell = self._derived("swap", (self.at[k],))
        elif k == l:
            cell = self._derived("splat", (self._one(k),))
        else:
            cell = self._derived("join", (self._one(k), self._one(l)))
        return (cell, sign) if sign == other else (self._derived("flip", (cell,), (sign < 0, other < 0)), 1)
