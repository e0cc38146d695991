"""What a Program means: runs it statement by statement, loops and carried values included, on any kind of number.

What a number type can do is a table of operators. ``PRIMITIVES`` asks the scalars themselves (scalars/primitives.py)
and so serves floats, fractions, mpmath's numbers, intervals, numbers that carry derivatives and traced scalars;
``numpy_operators`` computes whole batches. Other rooms have tables of their own for CasADi, SymPy and JAX.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import MethodError
from ..scalars.primitives import least, log, most, select, sincos, sqrt, tanh
from .ir import ARITHMETIC, IRLoop, Node, Program

__all__ = ["PRIMITIVES", "Machine", "Operators", "interpret", "numpy_operators", "run"]


@dataclass(frozen=True)
class Operators:
    """What a number type can do: constants, and a function for each operation of a program.

    ``sincos`` gives what ``sin`` and ``cos`` are taken from: a pair, or the angle itself where the two are computed
    apart.
    """

    constant: Callable[[float], Any]
    functions: Mapping[str, Callable[..., Any]]

    def changed(self, constant: Callable[[float], Any] | None = None, **functions: Callable[..., Any]) -> Operators:
        """The same with some functions, or constants, of their own."""
        return replace(self, constant=constant or self.constant, functions={**self.functions, **functions})


def structural(x: float) -> Any:
    """0, 1 and -1 as Python's own, so that operators fold them."""
    return int(x) if x in (0, 1, -1) else x


PRIMITIVES = Operators(
    structural,
    {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "neg": operator.neg,
        "sqrt": sqrt, "tanh": tanh, "log": log, "sincos": sincos, "sin": operator.itemgetter(0),
        "cos": operator.itemgetter(1),
        "select": select, "least": least, "most": most,
        # rounded twice
        "fma": lambda a, b, c: a * b + c, "fms": lambda a, b, c: a * b - c, "fnma": lambda a, b, c: c - a * b,
    },
)  # fmt: skip


def numpy_operators(dtype: np.dtype[Any]) -> Operators:
    """Arrays over a batch. NumPy has no fused product: programs with them agree with kernels to an ulp or so."""
    return PRIMITIVES.changed(
        dtype.type if dtype.kind == "f" else lambda x: x,
        sqrt=np.sqrt, tanh=np.tanh, log=np.log, sincos=lambda a: (np.sin(a), np.cos(a)),
        select=lambda x, a, b: np.where(x > 0, a, b), least=np.minimum, most=np.maximum,
    )  # fmt: skip


def interpret(program: Program, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs are arrays (..., count); outputs are (..., *shape). Leading axes broadcast."""
    arrays = {name: np.asarray(inputs[name]) for name in program.inputs}
    batch = np.broadcast_shapes(*(a.shape[:-1] for a in arrays.values())) if arrays else ()
    dtype = np.result_type(*arrays.values()) if arrays else np.dtype(float)
    with np.errstate(all="ignore"):
        found = run(program, {name: np.moveaxis(a, -1, 0) for name, a in arrays.items()}, numpy_operators(dtype))
    made = {}
    for name, shape in program.outputs.items():
        flat = np.empty((*batch, len(found[name])), dtype)
        for k, x in enumerate(found[name]):
            flat[..., k] = np.nan if x is None else x
        made[name] = flat.reshape((*batch, *shape))
    return made


def run(program: Program, inputs: Mapping[str, Any], operators: Operators) -> dict[str, list[Any]]:
    """Flat inputs by name (letters under None) to flat outputs; None where nothing was set."""
    machine = Machine(program, inputs, operators)
    machine.run(program.body)
    return machine.out


class Machine:
    """Holds the values while a program runs."""

    def __init__(self, program: Program, inputs: Mapping[str, Any], operators: Operators) -> None:
        self.p, self.inputs, self.operators = program, inputs, operators
        if missing := sorted({node.op for node in program.nodes} & ARITHMETIC - set(operators.functions)):
            raise MethodError(f"program {program.name!r}: these numbers have no {', '.join(missing)}")
        self.indices: list[list[int]] = [np.asarray(x).tolist() for x in program.indices]
        self.columns: list[list[float]] = [np.asarray(x).tolist() for x in program.columns]
        self.values: dict[int, Any] = {}
        self.turn: dict[int, int] = {}  # loop: its variable
        self.handed: dict[tuple[int, int], Any] = {}  # loop, k: what the turn before handed on
        self.tables: dict[tuple[int, int, int], Any] = {}
        self.matrices: list[dict[tuple[int, int], Any]] = [{} for _ in program.matrices]
        self.out: dict[str, list[Any]] = {name: [None] * math.prod(shape) for name, shape in program.outputs.items()}

    def run(self, body: Sequence[Any]) -> None:
        """All statements in order; a turn of a loop runs a body of its own."""
        v, nodes, functions = self.values, self.p.nodes, self.operators.functions
        for s in body:
            if type(s) is int:
                op, src, _ = nodes[s]
                function = functions.get(op)
                if function is None:
                    v[s] = self.value(s, nodes[s])
                elif len(src) == 2:  # most are, and need no list
                    v[s] = function(v[src[0]], v[src[1]])
                else:
                    v[s] = function(*[v[a] for a in src])
            elif isinstance(s, IRLoop):
                self.loop(s)
            else:
                self.act(s)

    def loop(self, loop: IRLoop) -> None:
        """All turns."""
        ranges = loop.kind == "range"
        k = loop.start if ranges else self.values[loop.start]
        handed = [self.values[first] for first, _ in loop.carried]
        while (k - loop.stop) * loop.step < 0 if ranges else self.indices[loop.parent][k] != 0:
            self.turn[loop.number] = k
            self.handed.update({(loop.number, c): x for c, x in enumerate(handed)})
            self.run(self.case(loop, k))
            handed = [self.values[onward] for _, onward in loop.carried]
            k = k + loop.step if ranges else self.indices[loop.parent][k]

    def case(self, loop: IRLoop, k: int) -> list[Any]:
        """The block for a kind of body (and of its parent)."""
        if len(loop.cases) == 1:
            return loop.cases[0][1]
        at = (k, self.indices[loop.parent][k] if loop.parent >= 0 else 0)
        codes = tuple(self.indices[c][at[m]] for m, c in enumerate(loop.selectors))
        return next((block for case, block in loop.cases if case == codes), [])

    def act(self, s: Node) -> None:
        """A statement that is no value."""
        v, (op, src, arg) = self.values, s
        if op == "store":
            self.tables[arg[0], arg[1], v[src[0]]] = v[src[1]]
        elif op == "mstore":
            self.matrices[arg[0]][v[src[0]] + arg[1], v[src[1]] + arg[2]] = v[src[2]]
        elif op == "out":
            self.out[arg[0]][arg[1]] = v[src[0]]
        elif op == "outx":
            self.out[arg[0]][v[src[0]] * arg[2] + arg[1]] = v[src[1]]
        elif op == "zero":
            self.zero(*arg)
        elif op == "copy":
            self.copy(*arg)
        elif op == "call":
            self.call(*arg)

    def call(self, function: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Another program, on input arrays and table columns of this one."""
        of = self.p.functions[function]
        given: dict[str, Any] = {}
        for name, where, column in inputs:
            rows = range(of.inputs[name])
            given[name] = (
                self.inputs[where] if isinstance(where, str) else [self.tables[where, column, r] for r in rows]
            )
        made = run(of, given, self.operators)
        for name, table, column in outputs:
            self.tables.update({(table, column, r): x for r, x in enumerate(made[name])})

    def zero(self, kind: str, which: Any) -> None:
        """An output, a matrix or a table."""
        nought = self.operators.constant(0.0)
        if kind == "out":
            self.out[which] = [nought] * len(self.out[which])
        elif kind == "matrix":
            self.matrices[which] = {}  # what was never set is zero
        else:
            width = self.p.tables[which][1]
            self.tables.update({(which, c, row): nought for c in range(width) for row in range(self.p.rows)})

    def copy(self, array: str, matrix: int, symmetric: bool) -> None:
        """A matrix to an output; of a symmetric one the lower triangle holds what is known."""
        n, m, nought = self.p.matrices[matrix][1], self.matrices[matrix], self.operators.constant(0.0)
        cells = ((max(r, c), min(r, c)) if symmetric else (r, c) for r in range(n) for c in range(n))
        self.out[array] = [m.get(cell, nought) for cell in cells]

    def value(self, k: int, node: Node) -> Any:
        """What a node is worth here."""
        v, (op, src, arg) = self.values, node
        function = self.operators.functions.get(op)
        if function is not None:
            return function(*[v[a] for a in src])
        if op == "const":
            return self.operators.constant(arg[0])
        if op == "in":
            return self.inputs[arg[0]][arg[1]]
        if op == "inx":
            return self.inputs[arg[0]][v[src[0]] + arg[1]]
        if op == "load":
            return self.tables[arg[0], arg[1], v[src[0]]]
        if op == "cload":
            return self.operators.constant(self.columns[arg[0]][v[src[0]]])
        if op == "mload":
            found = self.matrices[arg[0]].get((v[src[0]] + arg[1], v[src[1]] + arg[2]))
            return self.operators.constant(0.0) if found is None else found
        return self.handed[arg] if op == "carry" else self.index(node)

    def index(self, node: Node) -> int:
        """An integer: a row of a table, a place in an input."""
        v, (op, src, arg) = self.values, node
        if op == "iconst":
            return int(arg[0])
        if op == "loopvar":
            return self.turn[arg[0]]
        if op == "iload":
            return int(self.indices[arg[0]][v[src[0]]])
        return int(v[src[0]] * arg[0] + arg[1] if op == "iaff" else v[src[0]] + v[src[1]])  # isum
