"""Runs an algorithm on scalars that write down what is done to them.

Nodes are hash-consed, so common subexpressions are one node. Exact algebra is used where it saves work and does not
reassociate sums: 0 and 1 fold, signs move outwards, x - x = 0, x / x = 1, (a / b) b = a; a / b is a times one shared 1
/ b.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import FormulaError
from ..model import Model
from ..model.model_scalars import plain
from ..scalars.primitives import Above, Scalar, chosen, log, sincos, sqrt, tanh
from ..spatial import Parts, Wrench
from ..tree import Tree
from .ir import Node

__all__ = ["Expr", "TooLong", "TraceTree", "Tracer"]

Number = (int, float)
CHOICES = ("select", "least", "most")
_new_node: Callable[[type[Node], tuple[Any, ...]], Node] = tuple.__new__
NAMED = frozenset(("add", "sub", "mul", "div", "neg", "sqrt", "sin", "cos", "tanh", "log", *CHOICES))


class Expr:
    """A traced scalar."""

    __slots__ = ("id", "t")

    def __init__(self, t: Tracer, id: int) -> None:
        self.t, self.id = t, id

    # most operands are traced values or structural zeros, so these are asked for first
    def __add__(self, o: Scalar) -> Any:
        if type(o) is Expr:
            return self.t.add(self, o)
        if type(o) is int and o == 0:
            return self
        return NotImplemented if isinstance(o, Above) else self.t.add(self, o)

    __radd__ = __add__

    def __sub__(self, o: Scalar) -> Any:
        if type(o) is Expr:
            return self.t.sub(self, o)
        if type(o) is int and o == 0:
            return self
        return NotImplemented if isinstance(o, Above) else self.t.sub(self, o)

    def __rsub__(self, o: Scalar) -> Any:
        return self.t.sub(o, self)

    def __mul__(self, o: Scalar) -> Any:
        if type(o) is Expr:
            return self.t.mul(self, o)
        if type(o) is int and o == 0:
            return 0
        return NotImplemented if isinstance(o, Above) else self.t.mul(self, o)

    __rmul__ = __mul__

    def __truediv__(self, o: Scalar) -> Any:
        return NotImplemented if isinstance(o, Above) else self.t.div(self, o)

    def __rtruediv__(self, o: Scalar) -> Any:
        return self.t.div(o, self)

    def __neg__(self) -> Any:
        return self.t.neg(self)

    def __bool__(self) -> bool:
        raise FormulaError(
            "an algorithm asked whether a traced value is true; algorithms must not branch on values (check numbers in "
            "the Model)"
        )

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
def _(leading: Expr, op: str, *given: object) -> Any:
    return leading.t.choice(op, given)


# The nodes that are known in a block, by operation, then by operands or fixed arguments; by both where there are both
_Scope = defaultdict[str, dict[tuple[Any, ...], int]]


class TooLong(Exception):
    """A program has more nodes than it was allowed."""


class Tracer:
    """Holds the nodes while an algorithm runs; blocks nest where walks are rolled. ``most``: nodes it may have."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.divisors: set[int] = set()  # every y that something was divided by: only with these can a product cancel
        self.negated: dict[int, int] = {}  # every -y, and its y
        self.nodes: list[Node] = []
        self.memo: list[_Scope] = [defaultdict(dict)]
        self.blocks: list[list[Any]] = [[]]
        self.labels: dict[int, tuple[str, Any, str]] = {}
        self.stages: dict[int, str] = {}
        self.stage = ""
        self.inputs: dict[str, int] = {}

    # --- nodes --------------------------------------------------------------------------------------------------------
    def node(self, op: str, src: tuple[int, ...] = (), arg: tuple[Any, ...] = ()) -> int:
        """The number of this node, made now if it is new. Loads are shared only within their own block."""
        key = src if not arg else (src, arg) if src else arg
        memo, number = self.memo, len(self.nodes)
        if len(memo) > 1 and op not in ("load", "mload"):
            for scope in memo:
                if (found := scope[op].get(key)) is not None:
                    return found
        if (found := memo[-1][op].setdefault(key, number)) != number:
            return found
        if self.most is not None and number >= self.most:
            raise TooLong
        self.nodes.append(_new_node(Node, (op, src, arg)))
        self.blocks[-1].append(number)
        self.stages[number] = self.stage
        if op == "neg":
            self.negated[number] = src[0]
        elif op == "div":
            self.divisors.add(src[1])
        return number

    def known(self, op: str, src: tuple[int, ...]) -> int | None:
        """The number of this node if it can be used here."""
        for scope in self.memo:
            if (found := scope[op].get(src)) is not None:
                return found
        return None

    def open(self) -> None:
        """Begin a block: what is made in it is not known outside."""
        self.blocks.append([])
        self.memo.append(defaultdict(dict))

    def close(self) -> list[Any]:
        """End a block; its statements."""
        self.memo.pop()
        return self.blocks.pop()

    def expr(self, op: str, src: tuple[int, ...] = (), arg: tuple[Any, ...] = ()) -> Expr:
        """The same as a scalar."""
        return Expr(self, self.node(op, src, arg))

    def act(self, op: str, src: tuple[int, ...] = (), arg: tuple[Any, ...] = ()) -> None:
        """A statement that does something."""
        self.blocks[-1].append(Node(op, src, arg))

    def output(self, name: str, at: int, value: object) -> None:
        """Number ``at`` of an output."""
        self.act("out", (self.operand(value),), (name, at))

    def operand(self, x: Scalar) -> int:
        """A scalar's node; numbers become constants."""
        return x.id if x.__class__ is Expr else self.node("const", (), (float(x),))

    def input(self, name: str, count: int) -> list[Any]:
        """An input array as scalars."""
        self.inputs[name] = count
        return [self.expr("in", (), (name, k)) for k in range(count)]

    # --- arithmetic ---------------------------------------------------------------------------------------------------
    def _negated(self, x: Scalar) -> Any:
        """The y with x = -y, if x is a negation."""
        if type(x) is Expr and (y := self.negated.get(x.id)) is not None:
            return Expr(self, y)
        return None

    def add(self, a: Scalar, b: Scalar) -> Any:
        """A + b."""
        if type(a) is Expr and type(b) is Expr:
            i, j, negated = a.id, b.id, self.negated
            if j in negated:
                return self.sub(a, Expr(self, negated[j]))
            if i in negated:
                return self.sub(b, Expr(self, negated[i]))
        else:
            if type(a) is not Expr and isinstance(a, Number) and a == 0:
                return b
            if type(b) is not Expr and isinstance(b, Number) and b == 0:
                return a
            if (y := self._negated(b)) is not None:
                return self.sub(a, y)
            if (y := self._negated(a)) is not None:
                return self.sub(b, y)
            i, j = self.operand(a), self.operand(b)
        return Expr(self, self.node("add", (i, j) if i <= j else (j, i)))

    def sub(self, a: Scalar, b: Scalar) -> Any:
        """A - b."""
        if type(a) is Expr and type(b) is Expr:
            i, j, negated = a.id, b.id, self.negated
            if j in negated:
                return self.add(a, Expr(self, negated[j]))
            if i in negated:
                return self.neg(self.add(Expr(self, negated[i]), b))
        else:
            if type(b) is not Expr and isinstance(b, Number):
                return a if b == 0 else self.add(a, -b)
            if type(a) is not Expr and isinstance(a, Number) and a == 0:
                return self.neg(b)
            if (y := self._negated(b)) is not None:
                return self.add(a, y)
            if (y := self._negated(a)) is not None:
                return self.neg(self.add(y, b))
            i, j = self.operand(a), self.operand(b)
        if i == j:
            return 0
        back = self.known("sub", (j, i))  # b - a was made before: one subtraction serves both
        return Expr(self, self.node("sub", (i, j)) if back is None else self.node("neg", (back,)))

    def neg(self, a: Scalar) -> Any:
        """-a."""
        if type(a) is not Expr and isinstance(a, Number):
            return -a
        if (y := self.negated.get(a.id)) is not None:
            return Expr(self, y)
        return Expr(self, self.node("neg", (a.id,)))

    def mul(self, a: Scalar, b: Scalar) -> Any:
        """A product; divisions cancel."""
        if type(a) is Expr and type(b) is Expr:
            i, j, negated = a.id, b.id, self.negated
            if i in negated:
                return self.neg(self.mul(Expr(self, negated[i]), b))
            if j in negated:
                return self.neg(self.mul(Expr(self, negated[j]), a))
        else:
            if type(a) is not Expr and isinstance(a, Number):
                a, b = b, a
            if type(b) is not Expr and isinstance(b, Number):
                if b == 0:
                    return 0
                if b == 1:
                    return a
                if b == -1:
                    return self.neg(a)
                if b < 0:
                    return self.neg(self.mul(a, -b))
            if (z := self._negated(a)) is not None:
                return self.neg(self.mul(z, b))
            if (z := self._negated(b)) is not None:
                return self.neg(self.mul(z, a))
            i, j = self.operand(a), self.operand(b)
        if i > j:
            i, j = j, i
        if i in self.divisors or j in self.divisors:
            for x, y in ((i, j), (j, i)):
                node = self.nodes[x]
                if node.op == "div" and node.src[1] == y:  # (1/y) y
                    return 1
                if node.op == "mul":  # (u (1/y)) y
                    for u, r in (node.src, node.src[::-1]):
                        if self.nodes[r].op == "div" and self.nodes[r].src[1] == y:
                            return Expr(self, u)
        return Expr(self, self.node("mul", (i, j)))

    def div(self, a: Scalar, b: Scalar) -> Any:
        """A / b with one reciprocal for each b."""
        if isinstance(a, Number) and a == 0:
            return 0
        if isinstance(b, Number):
            return self.mul(a, 1 / b)
        if (y := self._negated(b)) is not None:
            return self.neg(self.div(a, y))
        if isinstance(a, Expr) and a.id == b.id:
            return 1
        inverse = self.expr("div", (self.node("const", (), (1.0,)), b.id))
        return self.mul(a, inverse)

    def unary(self, op: str, a: Scalar) -> Any:
        """Sqrt, tanh and log."""
        return self.expr(op, (a.id,))

    def choice(self, op: str, given: Sequence[Any]) -> Any:
        """Select, least and most."""
        if op == "select" and isinstance(given[0], Number):
            return given[1] if given[0] > 0 else given[2]
        places = [self.operand(x) for x in given]
        return given[-1] if places[-1] == places[-2] else self.expr(op, tuple(places))

    def sincos(self, a: Expr) -> tuple[Any, Any]:
        """Both at once; the sign of the angle moves out of the sine."""
        if (y := self._negated(a)) is not None:
            s, c = self.sincos(y)
            return self.neg(s), c
        pair = self.node("sincos", (a.id,))
        return self.expr("sin", (pair,)), self.expr("cos", (pair,))

    # --- names --------------------------------------------------------------------------------------------------------
    def label(self, name: str, at: object, value: object) -> None:
        """Remember what a stored value is called, for formulas that stay short."""
        self._label(name, at, "", value)

    def _label(self, name: str, at: object, path: str, value: object) -> None:
        """Every scalar of a typed value is called by the slots that lead to it."""
        if type(value) is Expr:
            if self.nodes[value.id].op in NAMED:
                self.labels.setdefault(value.id, (name, at, path))
        elif isinstance(value, Parts):
            for slot in value.scalars:
                self._label(name, at, f"{path}.{slot}" if path else slot, getattr(value, slot))
        elif isinstance(value, tuple):
            for k, item in enumerate(value):
                self._label(name, at, f"{path}.{k}" if path else str(k), item)


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

    def stored(self, name: str, at: object, value: object) -> Any:
        """Name it."""
        self.t.label(name, at, value)
        return value

    def enter(self, stage: str) -> None:
        """Later nodes belong to this stage."""
        self.t.stage = stage
