"""What C and JavaScript share: expressions, loops and blocks in braces, written from a Program.

Names are made from node numbers and from the program's own input and output names; nothing that a robot file says gets
into the text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from ..program.ir import IRLoop, Node, Program, no_calls, walk

__all__ = ["Braces", "live_nodes"]


def live_nodes(program: Program) -> list[Node]:
    """The nodes that are evaluated somewhere."""
    return [program.nodes[s] for s in walk(program.body) if isinstance(s, int)]


class Braces(ABC):
    """Writes a program's statements; subclasses say how numbers are declared and functions called.

    The workspace has all table columns of a row side by side, row after row, then the matrices; constant columns lie in
    ``numbers`` and ``indices`` in the same way.
    """

    real: ClassVar[str]  # how a number is declared
    whole: ClassVar[str]  # how an index is declared
    counter: ClassVar[str]  # how a loop's variable is declared
    equal: ClassVar[str] = "=="

    def __init__(self, program: Program, numbers: str, indices: str) -> None:
        self.p, self.numbers, self.indices = program, numbers, indices
        self.lines: list[str] = []
        self.depth = 1
        live = live_nodes(program)
        passed = [
            where[1:]
            for _, *both in program.calls()
            for wheres in both
            for where in wheres
            if not isinstance(where[1], str)
        ]
        self.slots = _numbered([*(n.arg[:2] for n in live if n.op == "load"), *passed])
        self.columns = _numbered(n.arg[0] for n in live if n.op == "cload")
        loops = [s for s in walk(program.body) if isinstance(s, IRLoop)]
        used = [n.arg[0] for n in live if n.op == "iload"] + [
            c for s in loops for c in (s.parent, *s.selectors) if c >= 0
        ]
        self.integers = _numbered(used)
        sizes = [n * n for _, n in program.matrices]
        start = program.rows * len(self.slots)
        self.matrix_at = [start + sum(sizes[:k]) for k in range(len(sizes))]
        self.workspace = start + sum(sizes)

    # --- what languages differ in -------------------------------------------------------------------------------------
    @abstractmethod
    def number(self, x: float) -> str:
        """A literal."""

    @abstractmethod
    def call(self, op: str, arguments: list[str]) -> str:
        """Sqrt, tanh, log, fma, fms, fnma."""

    @abstractmethod
    def sincos(self, k: int, angle: str) -> str:
        """A statement that declares s{k} and c{k}."""

    # --- text ---------------------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + text)

    def table_of(self, columns: Iterable[int], values: list[Any]) -> list[Any]:
        """Constant columns as one list, the entries of a row side by side."""
        chosen = [values[c] for c in columns]
        rows = max((len(c) for c in chosen), default=0)
        return [c[r] if r < len(c) else 0 for r in range(rows) for c in chosen]

    def block(self, body: list[Any]) -> None:
        """Statements in order."""
        for s in body:
            if isinstance(s, int):
                self._node(s)
            elif isinstance(s, IRLoop):
                self._loop(s)
            else:
                self._act(s)

    def value(self, k: int) -> str:
        """A node as an operand."""
        op, src, arg = self.p.nodes[k]
        if op == "const":
            text = self.number(arg[0])
            return f"({text})" if text.startswith("-") else text
        if op == "iconst":
            return str(arg[0]) if arg[0] >= 0 else f"({arg[0]})"
        if op == "loopvar":
            return f"i{arg[0]}"
        return f"{op[0]}{src[0]}" if op in ("sin", "cos") else f"x{k}"

    def _node(self, k: int) -> None:
        node = self.p.nodes[k]
        op, v = node.op, [self.value(a) for a in node.src]
        if op in ("const", "iconst", "loopvar", "sin", "cos"):
            return
        if op == "sincos":
            self.line(self.sincos(k, v[0]))
        elif op in _OPERATORS:
            self.line(f"{self.real} x{k} = {v[0]} {_OPERATORS[op]} {v[1]};")
        elif op == "neg":
            self.line(f"{self.real} x{k} = -{v[0]};")
        elif op in ("sqrt", "tanh", "log", "fma", "fms", "fnma"):
            self.line(f"{self.real} x{k} = {self.call(op, v)};")
        elif op == "select":
            self.line(f"{self.real} x{k} = {v[0]} > 0 ? {v[1]} : {v[2]};")
        elif op in ("least", "most"):
            a, b = v
            self.line(f"{self.real} x{k} = {b} {'<' if op == 'least' else '>'} {a} || {b} != {b} ? {b} : {a};")
        elif op in ("iload", "iaff", "isum"):
            self.line(f"{self.whole} x{k} = {self._index(node)};")
        else:
            self.line(f"{self.real} x{k} = {self._read(node)};")

    def _read(self, node: Node) -> str:
        op, arg, v = node.op, node.arg, [self.value(a) for a in node.src]
        if op == "in":
            return f"{arg[0]}[{arg[1]}]"
        if op == "inx":
            return f"{arg[0]}[{_plus(v[0], arg[1])}]"
        if op == "cload":
            return f"{self.numbers}[{_cell(v[0], len(self.columns), self.columns[arg[0]])}]"
        if op == "load":
            return self._table(arg[0], arg[1], v[0])
        return self._matrix(arg[0], _plus(v[0], arg[1]), _plus(v[1], arg[2]))  # mload

    def _index(self, node: Node) -> str:
        index = self.value(node.src[0])
        if node.op == "iload":
            return self._integer(node.arg[0], index)
        if node.op == "isum":
            return f"{index} + {self.value(node.src[1])}"
        scale, shift = node.arg
        return _plus(index if scale == 1 else f"{index} * {scale}", shift)

    def _integer(self, column: int, row: str) -> str:
        return f"{self.indices}[{_cell(row, len(self.integers), self.integers[column])}]"

    def _table(self, table: int, column: int, row: str) -> str:
        slot = self.slots[table, column]
        if self.p.functions:  # columns lie in one piece, so that they can be handed on
            return f"work[{_plus(row, slot * self.p.rows)}]"
        return f"work[{_cell(row, len(self.slots), slot)}]"

    def _matrix(self, matrix: int, row: str, column: str) -> str:
        n = self.p.matrices[matrix][1]
        return f"work[{_plus(f'({row}) * {n} + {column}', self.matrix_at[matrix])}]"

    def _act(self, s: Node) -> None:
        op, arg, v = s.op, s.arg, [self.value(a) for a in s.src]
        if op == "store":
            if arg in self.slots:
                self.line(f"{self._table(arg[0], arg[1], v[0])} = {v[1]};")
        elif op == "mstore":
            self.line(f"{self._matrix(arg[0], _plus(v[0], arg[1]), _plus(v[1], arg[2]))} = {v[2]};")
        elif op == "out":
            self.line(f"{arg[0]}[{arg[1]}] = {v[0]};")
        elif op == "outx":
            self.line(f"{arg[0]}[{_plus(v[0] if arg[2] == 1 else f'{v[0]} * {arg[2]}', arg[1])}] = {v[1]};")
        elif op == "zero":
            self._zero(*arg)
        elif op == "copy":
            self._copy(*arg)
        else:
            self.function_call(*arg)

    def function_call(
        self, function: str, inputs: Sequence[tuple[str, str | int, int]], outputs: Sequence[tuple[str, int, int]]
    ) -> None:
        """Another program, on arrays and table columns of this one."""
        no_calls(self.p, "this language")

    def _zero(self, kind: str, which: Any) -> None:
        if kind == "out":
            size = 1
            for extent in self.p.outputs[which]:
                size *= extent
            self.line(f"for ({self.counter} r = 0; r < {size}; r++) {which}[r] = 0;")
        elif kind == "matrix":
            n = self.p.matrices[which][1]
            self.line(f"for ({self.counter} r = 0; r < {n * n}; r++) work[{_plus('r', self.matrix_at[which])}] = 0;")
        else:
            for table, column in self.slots:
                if table == which:
                    self.line(
                        f"for ({self.counter} r = 0; r < {self.p.rows}; r++) {self._table(table, column, 'r')} = 0;"
                    )

    def _copy(self, array: str, matrix: int, symmetric: bool) -> None:
        """A workspace matrix to an output; of a symmetric one only the lower triangle is known."""
        n = self.p.matrices[matrix][1]
        end = "c <= r" if symmetric else f"c < {n}"
        both = f"{array}[c * {n} + r] = " if symmetric else ""
        head = f"for ({self.counter} r = 0; r < {n}; r++) for ({self.counter} c = 0; {end}; c++)"
        self.line(f"{head} {array}[r * {n} + c] = {both}{self._matrix(matrix, 'r', 'c')};")

    def _loop(self, loop: IRLoop) -> None:
        i = f"i{loop.number}"
        if loop.kind == "range":
            self.line(
                f"for ({self.counter} {i} = {loop.start}; {i} {'<' if loop.step > 0 else '>'} {loop.stop}; {i} += "
                f"{loop.step}) {{"
            )
        else:
            up = self._integer(loop.parent, i)
            self.line(f"for ({self.counter} {i} = {self.value(loop.start)}; {up} != 0; {i} = {up}) {{")
        self.depth += 1
        if len(loop.cases) == 1:
            self.block(loop.cases[0][1])
        else:
            self._cases(loop, i)
        self.depth -= 1
        self.line("}")

    def _cases(self, loop: IRLoop, i: str) -> None:
        """One block for each kind of body (and kind of parent)."""
        at = (i, self._integer(loop.parent, i) if loop.parent >= 0 else "0")
        for number, (codes, block) in enumerate(loop.cases):
            tests = " && ".join(
                f"{self._integer(c, at[m])} {self.equal} {codes[m]}" for m, c in enumerate(loop.selectors)
            )
            self.line(f"{'} else ' if number else ''}if ({tests}) {{")
            self.depth += 1
            self.block(block)
            self.depth -= 1
        self.line("}")


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def _numbered(items: Iterable[Any]) -> dict[Any, int]:
    """Each different item with its place."""
    return {item: k for k, item in enumerate(dict.fromkeys(items))}


def _plus(index: str, c: int) -> str:
    if index.lstrip("-").isdigit():
        return str(int(index) + c)
    return index if c == 0 else f"{index} + {c}" if c > 0 else f"{index} - {-c}"


def _cell(row: str, width: int, column: int) -> str:
    if row.isdigit():
        return str(int(row) * width + column)
    return _plus(row if width == 1 else f"{f'({row})' if ' ' in row else row} * {width}", column)
