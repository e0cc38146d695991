"""The function that handles one block of W rows: what straight-line and rolled programs have in common."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

from ...program.ir import Node, Program
from .lanes import Lanes, Writer, columns_from_rows, rows_from_columns
from .mathcode import any_lane, write_sincos

__all__ = ["BlockText", "Opened"]

Opened = tuple[str, int, int, list[str]]
_ONWARD = "?"  # stands in a phi until the loop is closed


class BlockText(ABC):
    """Writes ``i32 @block(ptr frame, ptr space, i64 valid)``; subclasses write the body.

    ``frame`` holds each input's address and stride, then each output's address; ``space`` is memory of W numbers a
    slot.
    """

    function, linkage = "block", "internal "
    slots = 0  # of ``space``

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self.p, self.lanes, self.w = program, lanes, Writer(lanes)
        self.names: dict[int, str] = {}
        self.pairs: dict[int, tuple[str, str]] = {}  # sincos node: names of sine and cosine
        self.rows: dict[str, list[str]] = {}
        self.transposed = (
            False  # whether numbers of one kind lie side by side for all states, and not those of one state
        )
        self.apart: dict[str, str] = {}  # then: how far the columns of an array are from each other
        self.globals: list[str] = []
        self.labels = 0
        self.open_phis: dict[int, int] = {}  # loop: line of its first carried value
        self.suffix = ""  # tells names apart where a node is evaluated twice
        self.align = lanes.width * lanes.bytes

    def run(self) -> None:
        """Everything."""
        w, t = self.w, self.lanes.type
        given = "ptr noalias %frame, ptr noalias %space, i64 %valid"
        w.lines.append(f"define {self.linkage}i32 @{self.function}({given}) noinline #0 {{")
        w.label("entry")
        self._row_pointers()
        watched = self.body()
        bad = any_lane(w, w.let(f"fcmp uno {t} {watched}, {watched}"))
        w.line(f"ret i32 {w.let(f'zext i1 {bad} to i32')}")
        w.lines.append("}")

    @abstractmethod
    def body(self) -> str:
        """Write the body; the name of a value that is NaN if some output is not finite."""

    def take(self, count: int) -> int:
        """Reserve slots; the first one."""
        self.slots += count
        return self.slots - count

    def slot(self, index: str | int) -> str:
        """Address of a slot."""
        return self.w.at(self.lanes.type, "%space", index)

    def get(self, index: str | int) -> str:
        """What a slot holds."""
        return self.w.load(self.lanes.type, self.slot(index), self.align)

    def put(self, index: str | int, value: str) -> None:
        """Fill a slot."""
        self.w.line(f"store {self.lanes.type} {value}, ptr {self.slot(index)}, align {self.align}")

    def watch(self, value: str, watched: str) -> str:
        """The product x * 0, which is NaN where x is NaN or infinite."""
        return self.w.fma(value, self.lanes.constant(0.0), watched)

    def zero(self) -> str:
        """The number 0 in all lanes."""
        return self.lanes.constant(0.0)

    def size(self, output: str) -> int:
        """How many numbers an output has."""
        return math.prod(self.p.outputs[output])

    def shifted_rows(self, array: str, at: str | int) -> list[str]:
        """Where each lane's row of an array holds number ``at``."""
        return self.rows[array] if at == 0 else [self.w.at(self.lanes.element, r, at) for r in self.rows[array]]

    def fetch(self, array: str, at: str | int, size: int) -> list[str]:
        """Neighbouring inputs, one vector each."""
        if self.transposed:
            return [
                self.w.load(self.lanes.type, at_column, self.lanes.bytes)
                for at_column in self._columns(array, at, size)
            ]
        return columns_from_rows(self.w, self.shifted_rows(array, at), size)

    def deliver(self, array: str, at: str | int, columns: list[str]) -> None:
        """Neighbouring outputs to their rows."""
        if self.transposed:
            for place, x in zip(self._columns(array, at, len(columns)), columns, strict=True):
                self.w.line(f"store {self.lanes.type} {x}, ptr {place}, align {self.lanes.bytes}")
            return
        rows_from_columns(self.w, columns, self.shifted_rows(array, at))

    def _columns(self, array: str, at: str | int, size: int) -> list[str]:
        """Where neighbouring columns hold the block's first state."""
        w, made = self.w, []
        for c in range(size):
            index = at + c if isinstance(at, int) else at if c == 0 else w.let(f"add i64 {at}, {c}")
            made.append(w.at(self.lanes.element, self.rows[array][0], w.let(f"mul i64 {index}, {self.apart[array]}")))
        return made

    def fresh(self) -> int:
        """A number no label has yet."""
        self.labels += 1
        return self.labels

    def _row_pointers(self) -> None:
        w, e, p = self.w, self.lanes.element, self.p
        if self.transposed:
            ni, no = len(p.inputs), len(p.outputs)
            places = {name: (2 * k, 2 * k + 1) for k, name in enumerate(p.inputs)}
            places |= {name: (2 * ni + k, 2 * ni + no + k) for k, name in enumerate(p.outputs)}
            for name, (address, apart) in places.items():
                self.rows[name] = [w.load("ptr", w.at("i64", "%frame", address), 8)]
                self.apart[name] = w.load("i64", w.at("i64", "%frame", apart), 8)
            return
        lanes = ["0"]
        if self.lanes.width > 1:
            top = w.let("sub i64 %valid, 1")
            for k in range(1, self.lanes.width):
                fits = w.let(f"icmp slt i64 {k}, %valid")
                lanes += [w.let(f"select i1 {fits}, i64 {k}, i64 {top}")]
        ni = len(p.inputs)
        for k, name in enumerate(p.inputs):
            base = w.load("ptr", w.at("i64", "%frame", 2 * k), 8)
            stride = w.load("i64", w.at("i64", "%frame", 2 * k + 1), 8)
            self.rows[name] = [base] + [
                w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 {x}, {stride}')}") for x in lanes[1:]
            ]
        for k, (name, shape) in enumerate(p.outputs.items()):
            base = w.load("ptr", w.at("i64", "%frame", 2 * ni + k), 8)
            size = math.prod(shape)
            self.rows[name] = [base] + [
                w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 {x}, {size}')}") for x in lanes[1:]
            ]

    def range(self, start: int, stop: int | str, step: int, carried: Sequence[tuple[str, str]] = ()) -> Opened:
        """Open a counting loop: (variable, its number, step, names of the values carried from turn to turn).

        Args:
            start: of the loop variable.
            stop: where it ends, exclusive.
            step: from turn to turn.
            carried: type and first value of each carried value.
        """
        w, k = self.w, self.fresh()
        w.line(f"br label %pre{k}")
        w.label(f"pre{k}")
        w.line(f"br label %head{k}")
        w.label(f"head{k}")
        w.let(f"phi i64 [ {start}, %pre{k} ], [ %step{k}, %latch{k} ]", f"%i{k}")
        names = [
            w.let(f"phi {t} [ {first}, %pre{k} ], [ {_ONWARD}, %latch{k} ]", f"%carried{k}_{c}")
            for c, (t, first) in enumerate(carried)
        ]
        self.open_phis[k] = len(w.lines) - len(names)
        w.let(f"icmp {'slt' if step > 0 else 'sgt'} i64 %i{k}, {stop}", f"%more{k}")
        w.line(f"br i1 %more{k}, label %turn{k}, label %end{k}")
        w.label(f"turn{k}")
        return f"%i{k}", k, step, names

    def close(self, loop: Opened, onward: Sequence[str] = ()) -> None:
        """Close it; ``onward`` are the carried values for the next turn."""
        w, (_, k, step, _) = self.w, loop
        for c, value in enumerate(onward):
            at = self.open_phis[k] + c
            w.lines[at] = w.lines[at].replace(_ONWARD, value)
        w.line(f"br label %latch{k}")
        w.label(f"latch{k}")
        w.let(f"add i64 %i{k}, {step}", f"%step{k}")
        w.line(f"br label %head{k}")
        w.label(f"end{k}")

    # --- values -------------------------------------------------------------------------------------------------------
    def node(self, k: int) -> None:
        """Evaluate a node."""
        node, w, names = self.p.nodes[k], self.w, self.names
        op, src, t, name = node.op, node.src, self.lanes.type, f"%n{k}{self.suffix}"
        if op in _BINARY:
            w.let(f"{_BINARY[op]} {t} {names[src[0]]}, {names[src[1]]}", name)
        elif op == "fma":
            w.fma(names[src[0]], names[src[1]], names[src[2]], name)
        elif op == "fms":
            w.fma(names[src[0]], names[src[1]], self._minus(src[2]), name)
        elif op == "fnma":
            w.fma(self._minus(src[0]), names[src[1]], names[src[2]], name)
        elif op == "neg":
            w.let(f"fneg {t} {names[src[0]]}", name)
        elif op == "sqrt":
            w.let(f"call {t} @llvm.sqrt.{self.lanes.suffix}({t} {names[src[0]]})", name)
        elif op in ("tanh", "log"):
            w.let(f"call {t} @{op}_lanes({t} {names[src[0]]})", name)
        elif op in ("select", "least", "most"):
            self._choice(op, [names[a] for a in src], name)
        elif op == "sincos":
            self.sincos(k)
        elif op in ("sin", "cos"):
            name = self.pairs[src[0]][op == "cos"]
        else:
            name = self.read(node)
        names[k] = name

    def _choice(self, op: str, given: list[str], name: str) -> None:
        """A where x > 0, else b; of two the second where it is smaller (larger) or no number."""
        w, t, bits = self.w, self.lanes.type, f"<{self.lanes.width} x i1>" if self.lanes.type.startswith("<") else "i1"
        if op == "select":
            x, a, b = given
            first = w.let(f"fcmp ogt {t} {x}, {self.zero()}")
        else:
            b, a = given
            better = w.let(f"fcmp {'olt' if op == 'least' else 'ogt'} {t} {a}, {b}")
            first = w.let(f"or {bits} {better}, {w.let(f'fcmp uno {t} {a}, {a}')}")
        w.let(f"select {bits} {first}, {t} {a}, {t} {b}", name)

    def _minus(self, k: int) -> str:
        node = self.p.nodes[k]
        if node.op == "const":
            return self.lanes.constant(-node.arg[0])
        return self.w.let(f"fneg {self.lanes.type} {self.names[k]}")

    def sincos(self, k: int) -> None:
        """Sine and cosine of a node's operand."""
        if k not in self.pairs:
            self.pairs[k] = write_sincos(self.w, [self.names[self.p.nodes[k].src[0]]])[0]

    @abstractmethod
    def read(self, node: Node) -> str:
        """A value that is no arithmetic."""


_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
