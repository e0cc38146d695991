"""What C and JavaScript share: expressions, loops and blocks in braces, written from a Program.

Names are made from node numbers and from the program's own input and output names; nothing that a robot file says gets into the text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ..program.ir import IRLoop, Program

__all__ = ["Braces", "live_nodes", "statements"]


def statements(body: list[Any]) -> Iterator[Any]:
    """Everything, loops opened."""
    stack = [iter(body)]
    while stack:
        s = next(stack[-1], None)
        if s is None:
            stack.pop()
            continue
        yield s
        if isinstance(s, IRLoop):
            stack.append(iter([x for _, block in s.cases for x in block]))


def live_nodes(program: Program) -> list[tuple[Any, ...]]:
    """The nodes that are evaluated somewhere."""
    return [program.nodes[s] for s in statements(program.body) if isinstance(s, int)]


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
        self.slots = _numbered((n[1], n[2]) for n in live if n[0] == "load")
        self.columns = _numbered(n[1] for n in live if n[0] == "cload")
        loops = [s for s in statements(program.body) if isinstance(s, IRLoop)]
        used = [n[1] for n in live if n[0] == "iload"] + [c for s in loops for c in (s.parent, *s.selectors) if c >= 0]
        self.integers = _numbered(used)
        sizes = [n * n for _, n in program.matrices]
        start = program.rows * len(self.slots)
        self.matrix_at = [start + sum(sizes[:k]) for k in range(len(sizes))]
        self.workspace = start + sum(sizes)

    # --- what languages differ in --------------------------------------------------------------------------------------------------
    @abstractmethod
    def number(self, x: float) -> str:
        """A literal."""

    @abstractmethod
    def call(self, op: str, arguments: list[str]) -> str:
        """Sqrt, tanh, log, fma, fms, fnma."""

    @abstractmethod
    def sincos(self, k: int, angle: str) -> str:
        """A statement that declares s{k} and c{k}."""

    # --- text ----------------------------------------------------------------------------------------------------------------------
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
        node = self.p.nodes[k]
        if node[0] == "const":
            text = self.number(node[1])
            return f"({text})" if text.startswith("-") else text
        if node[0] == "iconst":
            return str(node[1]) if node[1] >= 0 else f"({node[1]})"
        if node[0] == "loopvar":
            return f"i{node[1]}"
        return f"{node[0][0]}{node[1]}" if node[0] in ("sin", "cos") else f"x{k}"

    def _node(self, k: int) -> None:
        node, v = self.p.nodes[k], self.value
        op = node[0]
        if op in ("const", "iconst", "loopvar", "sin", "cos"):
            return
        if op == "sincos":
            self.line(self.sincos(k, v(node[1])))
        elif op in _OPERATORS:
            self.line(f"{self.real} x{k} = {v(node[1])} {_OPERATORS[op]} {v(node[2])};")
        elif op == "neg":
            self.line(f"{self.real} x{k} = -{v(node[1])};")
        elif op in ("sqrt", "tanh", "log", "fma", "fms", "fnma"):
            self.line(f"{self.real} x{k} = {self.call(op, [v(a) for a in node[1:]])};")
        elif op == "select":
            self.line(f"{self.real} x{k} = {v(node[1])} > 0 ? {v(node[2])} : {v(node[3])};")
        elif op in ("least", "most"):
            a, b = v(node[1]), v(node[2])
            self.line(f"{self.real} x{k} = {b} {'<' if op == 'least' else '>'} {a} || {b} != {b} ? {b} : {a};")
        elif op in ("iload", "iaff", "isum"):
            self.line(f"{self.whole} x{k} = {self._index(node)};")
        else:
            self.line(f"{self.real} x{k} = {self._read(node)};")

    def _read(self, node: tuple[Any, ...]) -> str:
        op, v = node[0], self.value
        if op == "in":
            return f"{node[1]}[{node[2]}]"
        if op == "inx":
            return f"{node[1]}[{_plus(v(node[2]), node[3])}]"
        if op == "cload":
            return f"{self.numbers}[{_cell(v(node[2]), len(self.columns), self.columns[node[1]])}]"
        if op == "load":
            return self._table(node[1], node[2], v(node[3]))
        return self._matrix(node[1], _plus(v(node[2]), node[3]), _plus(v(node[4]), node[5]))  # mload

    def _index(self, node: tuple[Any, ...]) -> str:
        if node[0] == "iload":
            return self._integer(node[1], self.value(node[2]))
        if node[0] == "isum":
            return f"{self.value(node[1])} + {self.value(node[2])}"
        scaled = self.value(node[1]) if node[2] == 1 else f"{self.value(node[1])} * {node[2]}"
        return _plus(scaled, node[3])

    def _integer(self, column: int, row: str) -> str:
        return f"{self.indices}[{_cell(row, len(self.integers), self.integers[column])}]"

    def _table(self, table: int, column: int, row: str) -> str:
        return f"work[{_cell(row, len(self.slots), self.slots[table, column])}]"

    def _matrix(self, matrix: int, row: str, column: str) -> str:
        n = self.p.matrices[matrix][1]
        return f"work[{_plus(f'({row}) * {n} + {column}', self.matrix_at[matrix])}]"

    def _act(self, s: tuple[Any, ...]) -> None:
        v = self.value
        if s[0] == "store":
            if (s[1], s[2]) in self.slots:
                self.line(f"{self._table(s[1], s[2], v(s[3]))} = {v(s[4])};")
        elif s[0] == "mstore":
            self.line(f"{self._matrix(s[1], _plus(v(s[2]), s[3]), _plus(v(s[4]), s[5]))} = {v(s[6])};")
        elif s[0] == "out":
            self.line(f"{s[1]}[{s[2]}] = {v(s[3])};")
        elif s[0] == "outx":
            self.line(f"{s[1]}[{_plus(v(s[2]) if s[4] == 1 else f'{v(s[2])} * {s[4]}', s[3])}] = {v(s[5])};")
        elif s[0] == "zero":
            self._zero(s[1], s[2])
        else:
            self._copy(s[1], s[2], s[3])

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
                    self.line(f"for ({self.counter} r = 0; r < {self.p.rows}; r++) {self._table(table, column, 'r')} = 0;")

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
            self.line(f"for ({self.counter} {i} = {loop.start}; {i} {'<' if loop.step > 0 else '>'} {loop.stop}; {i} += {loop.step}) {{")
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
            tests = " && ".join(f"{self._integer(c, at[m])} {self.equal} {codes[m]}" for m, c in enumerate(loop.selectors))
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
