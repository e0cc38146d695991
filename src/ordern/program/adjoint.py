"""Derivatives of programs: along a direction (J v) and against one (w^T J), without a matrix.

A program is a list of elementary operations, so its derivative is one too. ``directional`` follows every value with its
rate; loops stay loops, tables and matrices get a second one for the rates. ``adjoint`` goes through a straight program
backwards and costs some four times the program itself, however many inputs there are [Griewank and Walther, Evaluating
Derivatives, 2008, ch. 3]. Both give programs again, so higher orders are the same step taken twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..errors import MethodError
from ..scalars.primitives import Scalar, is_zero, select
from .finish import finished
from .interpret import PRIMITIVES, Machine
from .ir import IRLoop, Node, Program, no_calls
from .passes import sweep_dead
from .pauses import uncollected
from .trace import Tracer

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
    """J v: adds a direction for each input in ``wrt`` (``named``, "_t"); outputs are ``<output>_t``."""
    no_calls(program, "its derivative")
    return _straight_directional(program, wrt) if program.straight else _Rolled(program, wrt).made()


@uncollected()
def adjoint(program: Program, wrt: Sequence[str]) -> Program:
    """w^T J: adds weights of each output (``named``, "_w"); outputs are ``<name>_w`` for each in ``wrt``."""
    if not program.straight:
        raise MethodError(
            f"{program.name}: a program with loops is not differentiated backwards; use its matrix of derivatives"
        )
    tracer = Tracer()
    values = _replayed(tracer, program)
    weights: dict[int, Any] = {}
    for name, new in named(list(program.outputs), "_w", program.inputs).items():
        given = tracer.input(new, math.prod(program.outputs[name]))
        for s in program.body:
            if isinstance(s, Node) and s.arg[0] == name:
                _add(weights, s.src[0], given[s.arg[1]])
    found: dict[tuple[Any, ...], Any] = {}
    for s in reversed([s for s in program.body if isinstance(s, int)]):
        w = weights.get(s, 0)
        if is_zero(w):
            continue
        node = program.nodes[s]
        if node.op == "in":
            found[node.arg] = w
        elif node.op == "sincos":
            _add(weights, node.src[0], w)
        elif node.op == "sin":  # the weight of the pair is that of the angle
            _add(weights, node.src[0], w * values[node.src[0]][1])
        elif node.op == "cos":
            _add(weights, node.src[0], -(w * values[node.src[0]][0]))
        else:
            for k, slope in _slopes(node, values, s):
                _add(weights, k, w * slope)
    outputs: dict[str, tuple[int, ...]] = {f"{name}_w": (program.inputs[name],) for name in wrt}
    for name in wrt:
        for k in range(program.inputs[name]):
            tracer.output(f"{name}_w", k, found.get((name, k), 0))
    return finished(f"{program.name} adjoint", tracer, outputs, labels=False)


def _add(weights: dict[int, Any], k: int, x: Scalar) -> None:
    weights[k] = weights[k] + x if k in weights else x


def _replayed(tracer: Tracer, program: Program) -> dict[int, Any]:
    """The values of a straight program, traced again."""
    arrays = {name: tracer.input(name, count) for name, count in program.inputs.items()}
    machine = Machine(program, arrays, PRIMITIVES)
    machine.run([s for s in program.body if isinstance(s, int)])
    return machine.values


def _slopes(node: Node, v: dict[int, Any], s: int) -> list[tuple[int, Any]]:
    """Operands of an elementary operation and the derivative of its value ``v[s]`` with respect to each."""
    op, src, _ = node
    if not src:
        return []
    a, b = src[0], src[-1]
    if op == "neg":
        return [(a, -1)]
    if op == "sqrt":
        return [(a, 0.5 / v[s])]
    if op == "tanh":
        return [(a, 1 - v[s] * v[s])]
    if op == "log":
        return [(a, 1 / v[a])]
    if op == "select":  # which side counts is decided by a value that has no slope of its own
        return [(src[1], select(v[a], 1, 0)), (b, select(v[a], 0, 1))]
    if op in ("least", "most"):
        ahead = v[b] - v[a] if op == "least" else v[a] - v[b]
        return [(a, select(ahead, 1, 0)), (b, select(ahead, 0, 1))]
    if op == "add":
        return [(a, 1), (b, 1)]
    if op == "sub":
        return [(a, 1), (b, -1)]
    if op == "mul":
        return [(a, v[b]), (b, v[a])]
    if op == "div":
        return [(a, 1 / v[b]), (b, -(v[s] / v[b]))]
    raise MethodError(f"operation {op!r} of a program has no derivative here")


@uncollected()
def _straight_directional(program: Program, wrt: Sequence[str]) -> Program:
    tracer = Tracer()
    values = _replayed(tracer, program)
    moves = {name: tracer.input(new, program.inputs[name]) for name, new in named(wrt, "_t", program.inputs).items()}
    rates: dict[int, Any] = {}
    for s in program.body:
        if not isinstance(s, int):
            continue
        node = program.nodes[s]
        if node.op == "in":
            rates[s] = moves[node.arg[0]][node.arg[1]] if node.arg[0] in moves else 0
        elif node.op == "sincos":
            rates[s] = rates[node.src[0]]
        elif node.op == "sin":
            rates[s] = rates[node.src[0]] * values[node.src[0]][1]
        elif node.op == "cos":
            rates[s] = -(rates[node.src[0]] * values[node.src[0]][0])
        else:
            terms = [rates[k] * slope for k, slope in _slopes(node, values, s) if not is_zero(rates[k])]
            rates[s] = sum(terms[1:], start=terms[0]) if terms else 0
    outputs = {f"{name}_t": shape for name, shape in program.outputs.items()}
    for s in program.body:
        if isinstance(s, Node):
            tracer.output(f"{s.arg[0]}_t", s.arg[1], rates[s.src[0]])
    return finished(f"{program.name} directional", tracer, outputs, labels=False)


class _Rolled:
    """The directional derivative of a program with loops: every statement is followed by what its rate does.

    Which columns of which tables move at all is found by going through the program until no more are found.
    """

    def __init__(self, program: Program, wrt: Sequence[str]) -> None:
        self.p, self.wrt, self.moves = program, wrt, named(wrt, "_t", program.inputs)
        self.columns: set[tuple[int, int]] = set()  # of tables, that move
        self.matrices: set[int] = set()
        self.nodes: list[Node] = []
        self.rates: dict[int, int] = {}
        self.block: list[Any] = []

    def made(self) -> Program:
        p, alone = self.p, self.p.alone
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
            alone=None if alone is None else lambda: directional(alone(), self.wrt),
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

    def _new(self, op: str, src: tuple[int, ...] = (), arg: tuple[Any, ...] = ()) -> int:
        self.nodes.append(Node(op, src, arg))
        self.block.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _zero(self) -> int:
        return self._new("const", (), (0.0,))

    def _of(self, k: int) -> int:
        """The rate of a value as a node; zero where it does not move."""
        return self.rates[k] if k in self.rates else self._zero()

    def _act(self, s: Node) -> None:
        (op, src, arg), act = s, self.block.append
        if op == "store":
            act(s)
            if src[1] in self.rates:
                self.columns.add(arg)
            if arg in self.columns:
                act(Node("store", (src[0], self._of(src[1])), (arg[0] + len(self.p.tables), arg[1])))
        elif op == "mstore":
            act(s)
            if src[2] in self.rates:
                self.matrices.add(arg[0])
            if arg[0] in self.matrices:
                act(Node("mstore", (*src[:2], self._of(src[2])), (arg[0] + len(self.p.matrices), *arg[1:])))
        elif op in ("out", "outx"):
            act(Node(op, (*src[:-1], self._of(src[-1])), (f"{arg[0]}_t", *arg[1:])))
        elif op == "copy":
            if arg[1] in self.matrices:
                act(Node("copy", (), (f"{arg[0]}_t", arg[1] + len(self.p.matrices), arg[2])))
            else:
                act(Node("zero", (), ("out", f"{arg[0]}_t")))
        elif arg[0] == "out":
            act(Node("zero", (), ("out", f"{arg[1]}_t")))
        else:
            shift = len(self.p.matrices if arg[0] == "matrix" else self.p.tables)
            self.block += [s, Node("zero", (), (arg[0], arg[1] + shift))]

    def _rate(self, s: int) -> int | None:
        """The node that holds the rate of node s; None where that is zero."""
        op, src, arg = self.p.nodes[s]
        new, rates = self._new, self.rates
        if op in ("in", "inx"):
            return new(op, src, (self.moves[arg[0]], arg[1])) if arg[0] in self.moves else None
        if op == "load":
            return new("load", src, (arg[0] + len(self.p.tables), *arg[1:])) if arg[:2] in self.columns else None
        if op == "mload":
            return new("mload", src, (arg[0] + len(self.p.matrices), *arg[1:])) if arg[0] in self.matrices else None
        if op == "sincos":
            return rates.get(src[0])
        if op in ("sin", "cos"):
            if src[0] not in rates:
                return None
            product = new("mul", (rates[src[0]], new("cos" if op == "sin" else "sin", src)))
            return product if op == "sin" else new("neg", (product,))
        if op in ("neg", "sqrt", "tanh", "log"):
            return self._unary(op, s, src[0]) if src[0] in rates else None
        if op in ("add", "sub", "mul", "div"):
            return self._binary(op, s, *src)
        if op in ("select", "least", "most"):
            return self._choice(op, *src)
        if op in ("const", "cload", "iconst", "loopvar", "iload", "iaff", "isum"):
            return None
        raise MethodError(f"operation {op!r} of a program has no derivative here")

    def _choice(self, op: str, *given: int) -> int | None:
        a, b = given[-2:]
        if a not in self.rates and b not in self.rates:
            return None
        x = given[0] if op == "select" else self._new("sub", (b, a) if op == "least" else (a, b))
        return self._new("select", (x, self._of(a), self._of(b)))

    def _unary(self, op: str, s: int, a: int) -> int:
        new, rate = self._new, self.rates[a]
        if op == "neg":
            return new("neg", (rate,))
        if op == "sqrt":
            return new("div", (new("mul", (new("const", (), (0.5,)), rate)), s))
        if op == "log":
            return new("div", (rate, a))
        return new("sub", (rate, new("mul", (new("mul", (s, s)), rate))))  # tanh

    def _binary(self, op: str, s: int, a: int, b: int) -> int | None:
        new, ra, rb = self._new, self.rates.get(a), self.rates.get(b)
        if ra is None and rb is None:
            return None
        if op in ("add", "sub"):
            if ra is None:
                return rb if op == "add" else new("neg", (rb,))  # type: ignore[arg-type]
            return ra if rb is None else new(op, (ra, rb))
        if op == "mul":
            left = None if ra is None else new("mul", (ra, b))
            right = None if rb is None else new("mul", (a, rb))
            return left if right is None else right if left is None else new("add", (left, right))
        if rb is None:
            return None if ra is None else new("div", (ra, b))
        fall = new("mul", (s, rb))
        return new("div", (new("neg", (fall,)) if ra is None else new("sub", (ra, fall)), b))
