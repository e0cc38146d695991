"""Program: what a traced algorithm is.

``nodes`` is a list of tuples; a node's number is its place in it. Value nodes:

    ("const", x)  ("in", array, k)  ("inx", array, index, c)      constants; input number k, or number index + c, of an array
    ("add" "sub" "mul" "div", a, b)  ("neg" "sqrt" "tanh" "log", a)    arithmetic on nodes a, b
    ("select", x, a, b)  ("least" "most", a, b)                    a where x > 0, else b; the smaller, the larger one
    ("fma", a, b, c)  ("fms", a, b, c)  ("fnma", a, b, c)          a b + c,  a b - c,  c - a b, rounded once (made by passes.py)
    ("sincos", a)  ("sin", pair)  ("cos", pair)                    one primitive, two results
    ("cload", column, index)                                       a constant that differs from row to row
    ("load", table, column, index, version)                        what was stored there last
    ("mload", matrix, row, a, column, b, version)                  element (row + a, column + b) of a square workspace

Index nodes (integers): ("iconst", k), ("loopvar", loop), ("iload", column, index), ("iaff", index, scale, shift), ("isum", index, index).

``body`` is a list of statements in order: a node number (evaluate it here), ("store", table, column, index, value),
("mstore", matrix, row, a, column, b, value), ("out", array, k, value), ("outx", array, index, c, stride, value) which sets element
index * stride + c, ("zero", "out" | "matrix" | "table", which), ("copy", array, matrix, symmetric), or a IRLoop.
interpret.py defines what a program means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["COUNTED", "PLACES", "IRLoop", "Program", "operands"]

Node = tuple[Any, ...]
COUNTED = ("add", "sub", "mul", "div", "neg", "sqrt", "tanh", "sincos")
PLACES: dict[str, tuple[int, ...]] = {  # where in a node its operands stand
    "add": (1, 2), "sub": (1, 2), "mul": (1, 2), "div": (1, 2), "neg": (1,), "sqrt": (1,), "tanh": (1,), "log": (1,), "sincos": (1,), "sin": (1,),
    "cos": (1,),     "fma": (1, 2, 3), "fms": (1, 2, 3), "fnma": (1, 2, 3), "select": (1, 2, 3), "least": (1, 2), "most": (1, 2),
    "inx": (2,), "cload": (2,), "iload": (2,), "load": (3,), "mload": (2, 4), "iaff": (1,), "isum": (1, 2),
}  # fmt: skip


@dataclass
class IRLoop:
    """A walk that stays a loop.

    ``range``: the loop variable runs from start to stop (exclusive) by step. ``upward``: it starts at index node ``start`` and moves
    to ``parent`` (an integer column) while that is not 0. ``cases``: (codes, block); with more than one, integer columns ``selectors``
    (read at the loop variable, or at its parent for the second) choose the block.
    """

    number: int
    kind: str
    start: int
    stop: int = 0
    step: int = 1
    parent: int = -1  # integer column
    selectors: tuple[int, ...] = ()
    cases: list[tuple[tuple[int, ...], list[Any]]] = field(default_factory=list)


@dataclass
class Program:
    """A traced algorithm."""

    name: str
    nodes: list[Node]
    body: list[Any]
    inputs: dict[str, int]  # name: how many numbers
    outputs: dict[str, tuple[int, ...]]  # name: shape
    rows: int = 0  # of every table
    tables: list[tuple[str, int]] = field(default_factory=list)  # name, columns
    matrices: list[tuple[str, int]] = field(default_factory=list)  # name, size n (n x n)
    columns: list[Any] = field(default_factory=list)  # float arrays, one number a row
    indices: list[Any] = field(default_factory=list)  # integer arrays
    labels: dict[int, tuple[str, Any, str]] = field(default_factory=dict)  # node: table, row, component
    stages: dict[int, str] = field(default_factory=dict)  # node: the walk it was made in

    @property
    def straight(self) -> bool:
        """Whether there is no loop and no table."""
        return not any(isinstance(s, IRLoop) for s in self.body)


def operands(node: Node) -> tuple[int, ...]:
    """The nodes a node needs."""
    return tuple([node[k] for k in PLACES.get(node[0], ())])
