"""Derivatives of programs: along a direction (J v) and against one (w^T J), without a matrix.

A program is a list of elementary operations, so its derivative is one too. ``directional`` follows every value with its rate; loops stay loops,
tables and matrices get a second one for the rates. ``adjoint`` goes through a straight program backwards and costs some four times the program
itself, however many inputs there are [Griewank and Walther, Evaluating Derivatives, 2008, ch. 3]. Both give programs again, so higher orders are
the same step taken twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..errors import MethodError
from ..scalars.primitives import is_zero, least, log, most, select, sincos, sqrt, tanh
from .ir import IRLoop, Node, Program
from .trace import Tracer, sweep_dead

__all__ = ["adjoint", "directional", "named"]


def named(names: Sequence[str], suffix: str, taken: Iterable[str]) -> dict[str, str]:
    """A new input for each name, with the suffix once or, where that is taken (higher orders), more often."""
    used, made = set(taken), {}
    for name in names:
        new = name + suffix
        while new in used:
            new += suffix
        used.add(new)
        made[name] = new
    return made


def directional(program: Program, wrt: Sequence[str]) -> Program:
    """J v: inputs are those of the program and, for each input in ``wrt``, a direction (``named``, "_t"); outputs are ``<output>_t``."""
    return _straight_directional(program, wrt) if program.straight else _Rolled(program, wrt).made()


def adjoint(program: Program, wrt: Sequence[str]) -> Program:
    """w^T J: inputs are those of the program and weights of each output (``named``, "_w"); outputs are ``<name>_w`` for each input in ``wrt``."""
    if not program.straight:
        raise MethodError(f"{program.name}: a program with loops is not differentiated backwards; use its matrix of derivatives")
    tracer = Tracer()
    values = _replayed(tracer, program)
    weights: dict[int, Any] = {}
    for name, new in named(list(program.outputs), "_w", program.inputs).items():
        given = tracer.input(new, math.prod(program.outputs[name]))
        for s in program.body:
            if isinstance(s, tuple) and s[1] == name:
                _add(weights, s[3], given[s[2]])
    found: dict[tuple[str, int], Any] = {}
    for s in reversed([s for s in program.body if isinstance(s, int)]):
        w = weights.get(s, 0)
        if is_zero(w):
            continue
        node = program.nodes[s]
        if node[0] == "in":
            found[node[1], node[2]] = w
        elif node[0] == "sincos":
            _add(weights, node[1], w)
        elif node[0] == "sin":  # the weight of the pair is that of the angle
            _add(weights, node[1], w * values[node[1]][1])
        elif node[0] == "cos":
            _add(weights, node[1], -(w * values[node[1]][0]))
        else:
            for k, slope in _slopes(node, values, s):
                _add(weights, k, w * slope)
    outputs: dict[str, tuple[int, ...]] = {f"{name}_w": (program.inputs[name],) for name in wrt}
    for name in wrt:
        for k in range(program.inputs[name]):
            tracer.blocks[-1].append(("out", f"{name}_w", k, tracer.operand(found.get((name, k), 0))))
    return sweep_dead(_wrapped(tracer, program, "adjoint", outputs))


def _add(weights: dict[int, Any], k: int, x: Any) -> None:
    weights[k] = weights[k] + x if k in weights else x


def _wrapped(tracer: Tracer, program: Program, what: str, outputs: dict[str, tuple[int, ...]]) -> Program:
    return Program(f"{program.name} {what}", tracer.nodes, tracer.blocks[0], dict(tracer.inputs), outputs)


def _replayed(tracer: Tracer, program: Program) -> dict[int, Any]:
    """The values of a straight program, traced again."""
    arrays = {name: tracer.input(name, count) for name, count in program.inputs.items()}
    values: dict[int, Any] = {}
    for s in program.body:
        if isinstance(s, int):
            values[s] = _value(program.nodes[s], values, arrays)
    return values


def _value(node: Node, v: dict[int, Any], arrays: dict[str, Any]) -> Any:
    op = node[0]
    if op == "const":
        return int(node[1]) if node[1] in (0, 1, -1) else node[1]
    if op == "in":
        return arrays[node[1]][node[2]]
    if op == "sincos":
        return sincos(v[node[1]])
    if op in ("sin", "cos"):
        return v[node[1]][op == "cos"]
    if op in _UNARY:
        return _UNARY[op](v[node[1]])
    if op in _BINARY:
        return _BINARY[op](v[node[1]], v[node[2]])
    if op == "select":
        return select(v[node[1]], v[node[2]], v[node[3]])
    raise MethodError(f"operation {op!r} of a program has no derivative here")


_UNARY: dict[str, Any] = {"neg": lambda a: -a, "sqrt": sqrt, "tanh": tanh, "log": log}
_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "least": least,
    "most": most,
}


def _slopes(node: Node, v: dict[int, Any], s: int) -> list[tuple[int, Any]]:
    """Operands of an elementary operation and the derivative of its value ``v[s]`` with respect to each."""
    op, a = node[0], node[1] if len(node) > 1 else 0
    if op in ("const", "in"):
        return []
    if op == "neg":
        return [(a, -1)]
    if op == "sqrt":
        return [(a, 0.5 / v[s])]
    if op == "tanh":
        return [(a, 1 - v[s] * v[s])]
    if op == "log":
        return [(a, 1 / v[a])]
    b = node[2]
    if op == "select":  # which side counts is decided by a value that has no slope of its own
        return [(b, select(v[a], 1, 0)), (node[3], select(v[a], 0, 1))]
    if op in ("least", "most"):
        ahead = v[b] - v[a] if op == "least" else v[a] - v[b]
        return [(a, select(ahead, 1, 0)), (b, select(ahead, 0, 1))]
    if op == "add":
        return [(a, 1), (b, 1)]
    if op == "sub":
        return [(a, 1), (b, -1)]
    if op == "mul":
        return [(a, v[b]), (b, v[a])]
    return [(a, 1 / v[b]), (b, -(v[s] / v[b]))]  # div


def _straight_directional(program: Program, wrt: Sequence[str]) -> Program:
    tracer = Tracer()
    values = _replayed(tracer, program)
    moves = {name: tracer.input(new, program.inputs[name]) for name, new in named(wrt, "_t", program.inputs).items()}
    rates: dict[int, Any] = {}
    for s in program.body:
        if not isinstance(s, int):
            continue
        node = program.nodes[s]
        if node[0] == "in":
            rates[s] = moves[node[1]][node[2]] if node[1] in moves else 0
        elif node[0] == "sincos":
            rates[s] = rates[node[1]]
        elif node[0] == "sin":
            rates[s] = rates[node[1]] * values[node[1]][1]
        elif node[0] == "cos":
            rates[s] = -(rates[node[1]] * values[node[1]][0])
        else:
            terms = [rates[k] * slope for k, slope in _slopes(node, values, s) if not is_zero(rates[k])]
            rates[s] = sum(terms[1:], start=terms[0]) if terms else 0
    outputs = {f"{name}_t": shape for name, shape in program.outputs.items()}
    for s in program.body:
        if isinstance(s, tuple):
            tracer.blocks[-1].append(("out", f"{s[1]}_t", s[2], tracer.operand(rates[s[3]])))
    return sweep_dead(_wrapped(tracer, program, "directional", outputs))


class _Rolled:
    """The directional derivative of a program with loops: every statement is followed by what its rate does.

    Which columns of which tables move at all is found by going through the program until no more are found.
    """

    def __init__(self, program: Program, wrt: Sequence[str]) -> None:
        self.p, self.moves = program, named(wrt, "_t", program.inputs)
        self.columns: set[tuple[int, int]] = set()  # of tables, that move
        self.matrices: set[int] = set()
        self.nodes: list[Node] = []
        self.rates: dict[int, int] = {}
        self.block: list[Any] = []

    def made(self) -> Program:
        p = self.p
        while True:
            before = (len(self.columns), len(self.matrices))
            self.nodes, self.rates = list(p.nodes), {}
            body = self._body(p.body)
            if (len(self.columns), len(self.matrices)) == before:
                break
        inputs = p.inputs | {new: p.inputs[name] for name, new in self.moves.items()}
        program = replace(
            p,
            name=f"{p.name} directional",
            nodes=self.nodes,
            body=body,
            inputs=inputs,
            outputs={f"{name}_t": shape for name, shape in p.outputs.items()},
            tables=[*p.tables, *((f"{name} rate", width) for name, width in p.tables)],
            matrices=[*p.matrices, *((f"{name} rate", n) for name, n in p.matrices)],
            labels={},
            stages={},
        )
        return sweep_dead(program)

    def _body(self, body: list[Any]) -> list[Any]:
        made: list[Any] = []
        for s in body:
            if isinstance(s, IRLoop):
                made.append(replace(s, cases=[(codes, self._body(block)) for codes, block in s.cases]))
                continue
            if isinstance(s, int):
                made.append(s)
                self.block = made
                rate = self._rate(s)
                if rate is not None:
                    self.rates[s] = rate
                continue
            self.block = made
            self._act(s)
        return made

    def _new(self, *node: Any) -> int:
        self.nodes.append(node)
        self.block.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _zero(self) -> int:
        return self._new("const", 0.0)

    def _of(self, k: int) -> int:
        """The rate of a value as a node; zero where it does not move."""
        return self.rates[k] if k in self.rates else self._zero()

    def _act(self, s: tuple[Any, ...]) -> None:
        if s[0] == "store":
            self.block.append(s)
            if s[4] in self.rates:
                self.columns.add((s[1], s[2]))
            if (s[1], s[2]) in self.columns:
                self.block.append(("store", s[1] + len(self.p.tables), s[2], s[3], self._of(s[4])))
        elif s[0] == "mstore":
            self.block.append(s)
            if s[6] in self.rates:
                self.matrices.add(s[1])
            if s[1] in self.matrices:
                self.block.append(("mstore", s[1] + len(self.p.matrices), *s[2:6], self._of(s[6])))
        elif s[0] == "out":
            self.block.append(("out", f"{s[1]}_t", s[2], self._of(s[3])))
        elif s[0] == "outx":
            self.block.append(("outx", f"{s[1]}_t", *s[2:5], self._of(s[5])))
        elif s[0] == "copy":
            if s[2] in self.matrices:
                self.block.append(("copy", f"{s[1]}_t", s[2] + len(self.p.matrices), s[3]))
            else:
                self.block.append(("zero", "out", f"{s[1]}_t"))
        elif s[1] == "out":
            self.block.append(("zero", "out", f"{s[2]}_t"))
        else:
            shift = len(self.p.matrices if s[1] == "matrix" else self.p.tables)
            self.block += [s, ("zero", s[1], s[2] + shift)]

    def _rate(self, s: int) -> int | None:
        """The node that holds the rate of node s; None where that is zero."""
        node = self.p.nodes[s]
        op, new, rates = node[0], self._new, self.rates
        if op in ("in", "inx"):
            return new(op, self.moves[node[1]], *node[2:]) if node[1] in self.moves else None
        if op == "load":
            return new("load", node[1] + len(self.p.tables), *node[2:]) if (node[1], node[2]) in self.columns else None
        if op == "mload":
            return new("mload", node[1] + len(self.p.matrices), *node[2:]) if node[1] in self.matrices else None
        if op == "sincos":
            return rates.get(node[1])
        if op in ("sin", "cos"):
            if node[1] not in rates:
                return None
            other = new("cos" if op == "sin" else "sin", node[1])
            product = new("mul", rates[node[1]], other)
            return product if op == "sin" else new("neg", product)
        if op in ("neg", "sqrt", "tanh", "log"):
            return self._unary(op, s, node[1]) if node[1] in rates else None
        if op in ("add", "sub", "mul", "div"):
            return self._binary(op, s, node[1], node[2])
        if op in ("select", "least", "most"):
            return self._choice(op, *node[1:])
        if op in ("const", "cload", "iconst", "loopvar", "iload", "iaff", "isum"):
            return None
        raise MethodError(f"operation {op!r} of a program has no derivative here")

    def _choice(self, op: str, *given: int) -> int | None:
        a, b = given[-2:]
        if a not in self.rates and b not in self.rates:
            return None
        x = given[0] if op == "select" else self._new("sub", b, a) if op == "least" else self._new("sub", a, b)
        return self._new("select", x, self._of(a), self._of(b))

    def _unary(self, op: str, s: int, a: int) -> int:
        new, rate = self._new, self.rates[a]
        if op == "neg":
            return new("neg", rate)
        if op == "sqrt":
            return new("div", new("mul", new("const", 0.5), rate), s)
        if op == "log":
            return new("div", rate, a)
        return new("sub", rate, new("mul", new("mul", s, s), rate))  # tanh

    def _binary(self, op: str, s: int, a: int, b: int) -> int | None:
        new, ra, rb = self._new, self.rates.get(a), self.rates.get(b)
        if ra is None and rb is None:
            return None
        if op in ("add", "sub"):
            if ra is None:
                return rb if op == "add" else new("neg", rb)
            return ra if rb is None else new(op, ra, rb)
        if op == "mul":
            left = None if ra is None else new("mul", ra, b)
            right = None if rb is None else new("mul", a, rb)
            return left if right is None else right if left is None else new("add", left, right)
        if rb is None:
            return new("div", ra, b)
        fall = new("mul", s, rb)
        return new("div", new("neg", fall) if ra is None else new("sub", ra, fall), b)
