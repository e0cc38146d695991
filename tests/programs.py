"""Programs written by hand, in one line a node: ``nodes("in x 0 | iconst 0 | load 0 0 v1 | mul v0 v2")``.

``v3`` is node 3 where an operation takes a node; everything else is an argument.
"""

from __future__ import annotations

from ordern.program.interpret import PRIMITIVES, Machine
from ordern.program.ir import Node


def _argument(word: str):
    if word in ("True", "False"):
        return word == "True"
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def node(text: str) -> Node:
    op, *words = text.split()
    places = [w for w in words if w[0] == "v" and w[1:].isdigit()]
    return Node(op, tuple(int(w[1:]) for w in places), tuple(_argument(w) for w in words if w not in places))


def nodes(text: str) -> list[Node]:
    return [node(line) for line in text.replace("|", "\n").splitlines() if line.strip()]


class Bounded(Machine):
    """Runs a program, and knows the places that it was at."""

    def __init__(self, program, inputs):
        super().__init__(program, inputs, PRIMITIVES)
        self.used = set()  # columns of tables

    def cell(self, table, column, row):
        assert 0 <= table < len(self.p.tables) and 0 <= row < self.p.rows
        assert 0 <= column < self.p.tables[table][1]
        self.used.add((table, column))

    def entry(self, matrix, row, column):
        assert 0 <= row < self.p.matrices[matrix][1] and 0 <= column < self.p.matrices[matrix][1]

    def act(self, s):
        v, (op, src, arg) = self.values, s
        if op == "store":
            self.cell(*arg, v[src[0]])
        elif op == "mstore":
            self.entry(arg[0], v[src[0]] + arg[1], v[src[1]] + arg[2])
        elif op == "outx":
            assert 0 <= v[src[0]] * arg[2] + arg[1] < len(self.out[arg[0]])
        super().act(s)

    def value(self, k, node):
        v, (op, src, arg) = self.values, node
        if op == "load":
            self.cell(*arg[:2], v[src[0]])
        elif op == "mload":
            self.entry(arg[0], v[src[0]] + arg[1], v[src[1]] + arg[2])
        elif op in ("inx", "cload", "iload"):
            last = {"inx": self.inputs, "cload": self.columns, "iload": self.indices}[op][arg[0]]
            assert 0 <= v[src[0]] + (arg[1] if op == "inx" else 0) < len(last), (op, arg)
        return super().value(k, node)

    def widths(self):
        """How many columns of each table were used, up to the last."""
        return [1 + max([c for t, c in self.used if t == k], default=-1) for k in range(len(self.p.tables))]
