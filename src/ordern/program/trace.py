"""Runs an algorithm on scalars that write down what is done to them.

Nodes are hash-consed, so common subexpressions are one node. Exact algebra is used where it saves work and does not reassociate sums:
0 and 1 fold, signs move outwards, x - x = 0, x / x = 1, (a / b) b = a; a / b is a times one shared 1 / b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import FormulaError
from ..model import Model
from ..model.model_scalars import plain
from ..scalars.primitives import Above, chosen, log, sincos, sqrt, tanh
from ..spatial import Parts, Wrench
from ..tree import Tree
from .ir import Program, operands

__all__ = ["Expr", "TooLong", "TraceTree", "Tracer", "sweep_dead"]

Number = (int, float)
CHOICES = ("select", "least", "most")
NAMED = frozenset(("add", "sub", "mul", "div", "neg", "sqrt", "sin", "cos", "tanh", "log", *CHOICES))


class Expr:
    """A traced scalar."""

    __slots__ = ("id", "t")

    def __init__(self, t: Tracer, id: int) -> None:
        self.t, self.id = t, id

    def __add__(self, o: Any) -> Any:
        return NotImplemented if isinstance(o, Above) else self.t.add(self, o)

    __radd__ = __add__

    def __sub__(self, o: Any) -> Any:
        return NotImplemented if isinstance(o, Above) else self.t.sub(self, o)

    def __rsub__(self, o: Any) -> Any:
        return self.t.sub(o, self)

    def __mul__(self, o: Any) -> Any:
        return NotImplemented if isinstance(o, Above) else self.t.mul(self, o)

    __rmul__ = __mul__

    def __truediv__(self, o: Any) -> Any:
        return NotImplemented if isinstance(o, Above) else self.t.div(self, o)

    def __rtruediv__(self, o: Any) -> Any:
        return self.t.div(o, self)

    def __neg__(self) -> Any:
        return self.t.neg(self)

    def __bool__(self) -> bool:
        raise FormulaError("an algorithm asked whether a traced value is true; algorithms must not branch on values (check numbers in the Model)")

    def __float__(self) -> float:
        raise FormulaError("a traced value has no number; algorithms must stay within + - * / sqrt sincos")

    def __repr__(self) -> str:
        return f"Expr({self.id}: {self.t.nodes[self.id]})"


@sincos.register
def _(angle: Expr) -> Any:
    return angle.t.sincos(angle)


@sqrt.register
def _(x: Expr) -> Any:
    return x.t.unary("sqrt", x)


@tanh.register
def _(x: Expr) -> Any:
    return x.t.unary("tanh", x)


@log.register
def _(x: Expr) -> Any:
    return x.t.unary("log", x)


@chosen.register
def _(leading: Expr, op: str, *given: Any) -> Any:
    return leading.t.choice(op, given)


class TooLong(Exception):
    """A program has more nodes than it was allowed."""


class Tracer:
    """Holds the nodes while an algorithm runs; blocks nest where walks are rolled. ``most``: nodes it may have."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.nodes: list[Any] = []
        self.memo: list[dict[Any, int]] = [{}]
        self.blocks: list[list[Any]] = [[]]
        self.labels: dict[int, tuple[str, Any, str]] = {}
        self.stages: dict[int, str] = {}
        self.stage = ""
        self.inputs: dict[str, int] = {}

    # --- nodes -------------------------------------------------------------------------------------------------------------
    def node(self, *key: Any) -> int:
        """The number of this node, made now if it is new. Loads are shared only within their own block."""
        scopes = self.memo[-1:] if key[0] in ("load", "mload") else self.memo
        for scope in scopes:
            found = scope.get(key)
            if found is not None:
                return found
        number = len(self.nodes)
        if self.most is not None and number >= self.most:
            raise TooLong
        self.nodes.append(key)
        self.memo[-1][key] = number
        self.blocks[-1].append(number)
        self.stages[number] = self.stage
        return number

    def known(self, *key: Any) -> int | None:
        """The number of this node if it can be used here."""
        return next((scope[key] for scope in self.memo if key in scope), None)

    def expr(self, *key: Any) -> Expr:
        """The same as a scalar."""
        return Expr(self, self.node(*key))

    def operand(self, x: Any) -> int:
        """A scalar's node; numbers become constants."""
        return x.id if isinstance(x, Expr) else self.node("const", float(x))

    def input(self, name: str, count: int) -> list[Any]:
        """An input array as scalars."""
        self.inputs[name] = count
        return [self.expr("in", name, k) for k in range(count)]

    # --- arithmetic --------------------------------------------------------------------------------------------------------
    def _negated(self, x: Any) -> Any:
        """The y with x = -y, if x is a negation."""
        if isinstance(x, Expr) and self.nodes[x.id][0] == "neg":
            return Expr(self, self.nodes[x.id][1])
        return None

    def add(self, a: Any, b: Any) -> Any:
        """A + b."""
        if isinstance(a, Number) and a == 0:
            return b
        if isinstance(b, Number) and b == 0:
            return a
        if (y := self._negated(b)) is not None:
            return self.sub(a, y)
        if (y := self._negated(a)) is not None:
            return self.sub(b, y)
        i, j = sorted((self.operand(a), self.operand(b)))
        return self.expr("add", i, j)

    def sub(self, a: Any, b: Any) -> Any:
        """A - b."""
        if isinstance(b, Number):
            return a if b == 0 else self.add(a, -b)
        if isinstance(a, Number) and a == 0:
            return self.neg(b)
        if (y := self._negated(b)) is not None:
            return self.add(a, y)
        if (y := self._negated(a)) is not None:
            return self.neg(self.add(y, b))
        i, j = self.operand(a), self.operand(b)
        if i == j:
            return 0
        back = self.known("sub", j, i)  # b - a was made before: one subtraction serves both
        return self.expr("sub", i, j) if back is None else self.expr("neg", back)

    def neg(self, a: Any) -> Any:
        """-a."""
        if isinstance(a, Number):
            return -a
        if (y := self._negated(a)) is not None:
            return y
        return self.expr("neg", a.id)

    def mul(self, a: Any, b: Any) -> Any:
        """A product; divisions cancel."""
        if isinstance(a, Number):
            a, b = b, a
        if isinstance(b, Number):
            if b == 0:
                return 0
            if b == 1:
                return a
            if b == -1:
                return self.neg(a)
            if b < 0:
                return self.neg(self.mul(a, -b))
        for x, y in ((a, b), (b, a)):
            if (z := self._negated(x)) is not None:
                return self.neg(self.mul(z, y))
        i, j = sorted((self.operand(a), self.operand(b)))
        for x, y in ((i, j), (j, i)):
            node = self.nodes[x]
            if node[0] == "div" and node[2] == y:  # (1/y) y
                return 1
            if node[0] == "mul":  # (u (1/y)) y
                for u, r in ((node[1], node[2]), (node[2], node[1])):
                    if self.nodes[r][0] == "div" and self.nodes[r][2] == y:
                        return Expr(self, u)
        return self.expr("mul", i, j)

    def div(self, a: Any, b: Any) -> Any:
        """A / b with one reciprocal for each b."""
        if isinstance(a, Number) and a == 0:
            return 0
        if isinstance(b, Number):
            return self.mul(a, 1 / b)
        if (y := self._negated(b)) is not None:
            return self.neg(self.div(a, y))
        if isinstance(a, Expr) and a.id == b.id:
            return 1
        inverse = self.expr("div", self.node("const", 1.0), b.id)
        return self.mul(a, inverse)

    def unary(self, op: str, a: Any) -> Any:
        """Sqrt, tanh and log."""
        return self.expr(op, a.id)

    def choice(self, op: str, given: Sequence[Any]) -> Any:
        """Select, least and most."""
        if op == "select" and isinstance(given[0], Number):
            return given[1] if given[0] > 0 else given[2]
        places = [self.operand(x) for x in given]
        return given[-1] if places[-1] == places[-2] else self.expr(op, *places)

    def sincos(self, a: Expr) -> tuple[Any, Any]:
        """Both at once; the sign of the angle moves out of the sine."""
        if (y := self._negated(a)) is not None:
            s, c = self.sincos(y)
            return self.neg(s), c
        pair = self.node("sincos", a.id)
        return self.expr("sin", pair), self.expr("cos", pair)

    # --- names -------------------------------------------------------------------------------------------------------------
    def label(self, name: str, at: Any, value: Any) -> None:
        """Remember what a stored value is called, for formulas that stay short."""
        for path, leaf in component_paths(value):
            if isinstance(leaf, Expr) and self.nodes[leaf.id][0] in (
                "add",
                "sub",
                "mul",
                "div",
                "neg",
                "sqrt",
                "sin",
                "cos",
                "tanh",
                "log",
                *CHOICES,
            ):
                self.labels.setdefault(leaf.id, (name, at, path))


def component_paths(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar of a typed value with the names of the slots that lead to it."""
    if isinstance(value, Parts):
        for slot in value.parts:
            if slot not in value.static:
                yield from component_paths(getattr(value, slot), f"{path}.{slot}" if path else slot)
    elif isinstance(value, tuple):
        for k, item in enumerate(value):
            yield from component_paths(item, f"{path}.{k}" if path else str(k))
    else:
        yield path, value


class TraceTree(Tree):
    """A concrete tree over traced scalars: every walk is written out, every constant folds."""

    def __init__(
        self,
        model: Model,
        tracer: Tracer,
        external: dict[int, Wrench] | None = None,
        constant: Callable[[float], Any] = plain,
        inertias: dict[int, Any] | None = None,
    ) -> None:
        super().__init__(model, constant, external, inertias)
        self.t = tracer

    def stored(self, name: str, at: Any, value: Any) -> Any:
        """Name it."""
        self.t.label(name, at, value)
        return value

    def enter(self, stage: str) -> None:
        """Later nodes belong to this stage."""
        self.t.stage = stage


def sweep_dead(program: Program) -> Program:
    """Remove what no output needs: nodes, and stores into table columns nobody reads."""
    nodes = program.nodes
    while True:
        wanted, read = _needed(program)
        before = _size(program.body)
        program.body = _kept(program.body, wanted, read)
        if _size(program.body) == before:
            break
    live = wanted
    program.labels = {k: v for k, v in program.labels.items() if k in live}
    program.stages = {k: v for k, v in program.stages.items() if k in live}
    program.nodes = nodes
    return program


def _statements(body: list[Any]) -> Iterator[Any]:
    """Everything, loops opened."""
    stack = [iter(body)]
    while stack:
        for s in stack[-1]:
            yield s
            if hasattr(s, "cases"):
                stack.append(iter([x for _, block in s.cases for x in block]))
                break
        else:
            stack.pop()


def _needed(program: Program) -> tuple[set[int], set[Any]]:
    work: list[int] = []
    for s in _statements(program.body):
        if isinstance(s, tuple):
            if s[0] == "store":
                work += [s[3], s[4]]
            elif s[0] == "mstore":
                work += [s[2], s[4], s[6]]
            elif s[0] == "out":
                work += [s[3]]
            elif s[0] == "outx":
                work += [s[2], s[5]]
        elif hasattr(s, "cases") and s.kind == "upward":
            work.append(s.start)
    wanted: set[int] = set()
    read: set[Any] = set()
    while work:
        k = work.pop()
        if k in wanted:
            continue
        wanted.add(k)
        node = program.nodes[k]
        if node[0] == "load":
            read.add((node[1], node[2]))
        elif node[0] == "mload":
            read.add(("m", node[1]))
        work += operands(node)
    for s in _statements(program.body):
        if isinstance(s, tuple) and s[0] == "copy":
            read.add(("m", s[2]))
    return wanted, read


def _kept(body: list[Any], wanted: set[int], read: set[Any]) -> list[Any]:
    kept: list[Any] = []
    for s in body:
        if isinstance(s, int):
            if s in wanted:
                kept.append(s)
        elif isinstance(s, tuple):
            dead = (
                (s[0] == "store" and (s[1], s[2]) not in read)
                or (s[0] == "mstore" and ("m", s[1]) not in read)
                or (s[0] == "zero" and s[1] == "matrix" and ("m", s[2]) not in read)
            )
            if not dead:
                kept.append(s)
        else:
            s.cases = [(codes, _kept(block, wanted, read)) for codes, block in s.cases]
            if any(block for _, block in s.cases):
                kept.append(s)
    return kept


def _size(body: list[Any]) -> int:
    return sum(1 for _ in _statements(body))
