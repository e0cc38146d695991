"""Program: what a traced algorithm is.

A node is ``Node(op, src, arg)``: what is done, the nodes it is done to, and what is fixed when the program is built.
``nodes`` lists them; a node's number is its place in the list. Values:

    op                             src             arg
    const                                          x                          a constant
    in                                             array, k                   number k of an input
    inx                            index           array, c                   number index + c of an input
    add sub mul div least most     a, b                                       arithmetic; the smaller, the larger one
    neg sqrt tanh log              a
    select                         x, a, b                                    a where x > 0, else b
    fma fms fnma                   a, b, c                                    a b + c, a b - c, c - a b, rounded once
    (made by passes.py)
    sincos, then sin and cos       a, the pair                                one primitive, two results
    cload                          index           column                     a constant that differs from row to row
    load                           index           table, column, version     what was stored there last
    mload                          row, column     matrix, a, b, version      element (row + a, column + b) of a square
    workspace
    carry                                          loop, k                    value k that the turn before handed on
    (made by carry.py)

Indices (integers): iconst (arg k), loopvar (arg loop), iload (src index, arg column), iaff (src index, arg scale,
shift), isum (src two indices).

``body`` is a list of statements in order. A number evaluates that node here, an IRLoop is a loop, and a Node does
something:

    store                          index, value          table, column
    mstore                         row, column, value    matrix, a, b
    out                            value                 array, k
    outx                           index, value          array, c, stride     sets element index * stride + c
    zero                                                 "out" | "matrix" | "table", which
    copy                                                 array, matrix, symmetric
    call                                                 function, inputs, outputs

A call runs one of the program's ``functions``. Its inputs are (name, array, 0), an input of the caller's, or (name,
table, column), the first rows of a column; its outputs are (name, table, column).

interpret.py defines what a program means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, NamedTuple

from ..errors import MethodError

__all__ = [
    "ACTS",
    "ARITHMETIC",
    "VALUES",
    "IRLoop",
    "Node",
    "Program",
    "Statement",
    "no_calls",
    "reads",
    "rebuilt",
    "walk",
]


class Node(NamedTuple):
    """What is done, to which nodes, and what of it is fixed."""

    op: str
    src: tuple[int, ...] = ()
    arg: tuple[Any, ...] = ()


_ARITHMETIC = {1: "neg sqrt tanh log sincos sin cos", 2: "add sub mul div least most", 3: "select fma fms fnma"}
ARITHMETIC = frozenset(" ".join(_ARITHMETIC.values()).split())  # what a table of operators has a function for
VALUES: dict[str, tuple[int, int]] = {  # how many nodes and how many fixed arguments an operation takes
    **{op: (count, 0) for count, ops in _ARITHMETIC.items() for op in ops.split()},
    "const": (0, 1), "in": (0, 2), "inx": (1, 2), "cload": (1, 1), "load": (1, 3), "mload": (2, 4), "carry": (0, 2),
    "iconst": (0, 1), "loopvar": (0, 1), "iload": (1, 1), "iaff": (1, 2), "isum": (2, 0),
}  # fmt: skip
ACTS: dict[str, tuple[int, int]] = {
    "store": (2, 2),
    "mstore": (3, 3),
    "out": (1, 2),
    "outx": (2, 3),
    "zero": (0, 2),
    "copy": (0, 3),
    "call": (0, 3),
}


@dataclass
class IRLoop:
    """A walk that stays a loop.

    ``range``: the loop variable runs from start to stop (exclusive) by step. ``upward``: it starts at index node
    ``start`` and moves to ``parent`` (an integer column) while that is not 0. ``cases``: (codes, block); with more than
    one, integer columns ``selectors`` (read at the loop variable, or at its parent for the second) choose the block.
    ``carried``: values handed from turn to turn, as (node to start from, node that goes on).
    """

    number: int
    kind: str
    start: int
    stop: int = 0
    step: int = 1
    parent: int = -1  # integer column
    selectors: tuple[int, ...] = ()
    cases: list[tuple[tuple[int, ...], list[Any]]] = field(default_factory=list)
    carried: list[tuple[int, int]] = field(default_factory=list)


Statement = int | Node | IRLoop


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
    functions: dict[str, Program] = field(default_factory=dict)  # what it calls
    # body, or (input, k): the one that plays its part in the first of two limbs, and the limb (0, 1)
    twins: dict[Any, tuple[Any, int]] = field(default_factory=dict)
    alone: Callable[[], Program] | None = None  # the same for one state at a time, where that is another program
    watched: bool = False  # kernels tell of inputs that are not finite where no result depends on them, too

    def __post_init__(self) -> None:
        _known(self.name, "node", self.nodes, VALUES)
        acts = [s for s in walk(self.body) if type(s) is not int and not isinstance(s, IRLoop)]
        _known(self.name, "statement", acts, ACTS)
        for function, inputs, outputs in (s.arg for s in acts if s.op == "call"):
            _fits(self, function, [name for name, *_ in inputs], [name for name, *_ in outputs])

    def calls(self) -> list[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
        """Function, inputs and outputs of every call."""
        return [s.arg for s in walk(self.body) if isinstance(s, Node) and s.op == "call"]

    @property
    def straight(self) -> bool:
        """Whether there is no loop, no table and no call."""
        return not self.functions and not any(isinstance(s, IRLoop) for s in self.body)


def _known(program: str, what: str, nodes: Sequence[Any], table: dict[str, tuple[int, int]]) -> None:
    """Refuse what no pass, emitter or evaluator would know, when the program is built."""
    made = [n for n in nodes if type(n) is Node]
    op, src, arg = (map(itemgetter(k), made) for k in range(3))
    kinds = {*zip(op, map(len, src), map(len, arg), strict=True), *(tuple(n) for n in nodes if type(n) is not Node)}
    for op, *counts in kinds - {(op, *counts) for op, counts in table.items()}:
        if op not in table or len(counts) != 2:
            raise MethodError(f"program {program!r}: there is no {what} {op!r}; there are {', '.join(table)}")
        raise MethodError(
            f"program {program!r}: {what} {op!r} has {counts[0]} operands and {counts[1]} fixed arguments; it takes "
            f"{table[op]}"
        )


def _fits(program: Program, function: str, inputs: list[str], outputs: list[str]) -> None:
    if function not in program.functions:
        raise MethodError(
            f"program {program.name!r} calls {function!r}, which it does not have; it has "
            f"{', '.join(program.functions) or 'none'}"
        )
    of = program.functions[function]
    if inputs != list(of.inputs) or outputs != list(of.outputs):
        raise MethodError(
            f"program {program.name!r} calls {function!r} with other inputs or outputs than it has: {[*of.inputs]} -> "
            f"{[*of.outputs]}"
        )


def no_calls(program: Program, what: str) -> None:
    """Refuse a program that calls others, for what cannot do that."""
    if program.functions:
        raise MethodError(
            f"program {program.name!r} calls {', '.join(program.functions)}; {what} does not: use C, JavaScript or the "
            "interpreter"
        )


def walk(body: list[Any]) -> Iterator[Any]:
    """All statements in order, those of a loop behind their loop. Every pass goes this way."""
    return _nested(body) if IRLoop in set(map(type, body)) else iter(body)


def _nested(body: list[Any]) -> Iterator[Any]:
    stack = [iter(body)]
    while stack:
        for s in stack[-1]:
            yield s
            if isinstance(s, IRLoop):
                stack.append(iter([x for _, block in s.cases for x in block]))
                break
        else:
            stack.pop()


def reads(nodes: list[Node], s: Statement) -> tuple[int, ...]:
    """The nodes that a statement needs."""
    if isinstance(s, int):
        return nodes[s].src
    if isinstance(s, IRLoop):
        carried = [k for pair in s.carried for k in pair]
        return (s.start, *carried) if s.kind == "upward" else tuple(carried)
    src: tuple[int, ...] = s.src
    return src


def rebuilt(body: list[Any], change: Callable[[Any], Any]) -> list[Any]:
    """The same with statements except loops mapped, dropped where that gives None; empty loops vanish."""
    if IRLoop not in set(map(type, body)):
        return [changed for s in body if (changed := change(s)) is not None]
    made: list[Any] = []
    for s in body:
        if isinstance(s, IRLoop):
            loop = replace(s, cases=[(codes, rebuilt(block, change)) for codes, block in s.cases])
            if any(block for _, block in loop.cases):
                made.append(loop)
        elif (changed := change(s)) is not None:
            made.append(changed)
    return made
