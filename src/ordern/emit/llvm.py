"""Program -> LLVM text, W states side by side.

The module has one function for callers and one that handles a block of W rows:

    i32 @kernel(ptr inputs, ptr strides, ptr outputs, ptr workspace, i64 first, i64 last)

Input k is a row-major array with ``strides[k]`` numbers from row to row (0 for a row that serves all states); outputs are contiguous. The
last block's lanes beyond the last row repeat that row: they read nothing else and write the same bytes twice. The result is 1 if
some output is NaN or infinite. No operation is reassociated or contracted, and lanes never meet, so a state's bytes do not depend on W.
"""

from __future__ import annotations

import math
from typing import Any

from ..program.ir import Loop, Program
from .lanes import Lanes, Writer, columns_from_rows, rows_from_columns, tiles
from .mathcode import GROUP, any_lane, mend_code, tanh_code, write_sincos

__all__ = ["lower", "workspace_bytes"]


def lower(program: Program, lanes: Lanes) -> str:
    """The module's text."""
    block = _Block(program, lanes)
    block.run()
    t, s = lanes.type, lanes.suffix
    parts = [*block.globals]
    parts += [_driver(program, lanes), "\n".join(block.w.opened()), mend_code(lanes), tanh_code(lanes)]
    bits = 8 * lanes.bytes
    parts += [
        f"declare {t} @llvm.fma.{s}({t}, {t}, {t})",
        f"declare {t} @llvm.sqrt.{s}({t})",
        f"declare {t} @llvm.fabs.{s}({t})",
        "" if lanes.width == 1 else f"declare {lanes.element} @llvm.fabs.f{bits}({lanes.element})",
        "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        'attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }',
        '!0 = !{!"branch_weights", i32 1, i32 100000}',
    ]
    return "\n".join(p for p in parts if p) + "\n"


def _size(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


def _slots(program: Program) -> dict[tuple[int, int], int]:
    """Where in a workspace row each used table column lives: all tables of a row lie together."""
    made: dict[tuple[int, int], int] = {}
    for node in program.nodes:
        if node[0] == "load":
            made.setdefault((node[1], node[2]), len(made))
    return made


def workspace_bytes(program: Program, lanes: Lanes) -> int:
    """How much memory one thread needs."""
    numbers = program.rows * len(_slots(program)) + sum(n * n for _, n in program.matrices)
    return numbers * lanes.width * lanes.bytes


def _driver(program: Program, lanes: Lanes) -> str:
    """The loop over blocks; ``frame`` holds, for the block, each input's address and stride and each output's address."""
    w, e = Writer(lanes), lanes.element
    w.lines.append("define i32 @kernel(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 %first, i64 %last) #0 {")
    w.label("entry")
    ni, no = len(program.inputs), len(program.outputs)
    w.let(f"alloca [{2 * ni + no} x i64], align 8", "%frame")
    w.line("br label %head")
    w.label("head")
    w.let("phi i64 [ %first, %entry ], [ %next, %body ]", "%row")
    w.let("phi i32 [ 0, %entry ], [ %flag2, %body ]", "%flag")
    w.let("icmp slt i64 %row, %last", "%more")
    w.line("br i1 %more, label %body, label %end")
    w.label("body")
    for k in range(ni):
        base = w.load("ptr", w.at("ptr", "%inputs", k), 8)
        stride = w.load("i64", w.at("i64", "%strides", k), 8)
        at = w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 %row, {stride}')}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', 2 * k)}, align 8")
        w.line(f"store i64 {stride}, ptr {w.at('i64', '%frame', 2 * k + 1)}, align 8")
    for k, shape in enumerate(program.outputs.values()):
        base = w.load("ptr", w.at("ptr", "%outputs", k), 8)
        at = w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 %row, {_size(shape)}')}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', 2 * ni + k)}, align 8")
    valid = w.let("sub i64 %last, %row")
    flag = w.let(f"call i32 @block(ptr %frame, ptr %workspace, i64 {valid})")
    w.let(f"or i32 %flag, {flag}", "%flag2")
    w.let(f"add i64 %row, {lanes.width}", "%next")
    w.line("br label %head")
    w.label("end")
    w.line("ret i32 %flag")
    w.lines.append("}")
    return "\n".join(w.lines)


class _Block:
    """Writes ``@block``."""

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self.p, self.lanes, self.w = program, lanes, Writer(lanes)
        self.names: dict[int, str] = {}
        self.pairs: dict[int, tuple[str, str]] = {}  # sincos node: names of sine and cosine
        self.globals: list[str] = []
        self.slots = _slots(program)
        self.record = len(self.slots)
        self.rows: dict[str, list[str]] = {}
        self.labels = 0
        self.loopvar: dict[int, str] = {}
        self.straight = program.straight
        self.columns: dict[tuple[str, int], str] = {}
        self.acc = "zeroinitializer" if lanes.width > 1 else lanes.constant(0.0)
        self.checked: set[str] = set()
        sizes = [n * n for _, n in program.matrices]
        self.matrix_at = [program.rows * self.record + sum(sizes[:k]) for k in range(len(sizes))]

    # --- frame of the function -----------------------------------------------------------------------------------------------
    def run(self) -> None:
        """Everything."""
        w = self.w
        w.lines.append("define internal i32 @block(ptr noalias %frame, ptr noalias %ws, i64 %valid) noinline #0 {")
        w.label("entry")
        self._row_pointers()
        self._constants()
        if self.straight:
            self._straight()
        else:
            w.let(f"alloca {self.lanes.type}, align {self.lanes.width * self.lanes.bytes}", "%acc")
            w.line(f"store {self.lanes.type} {self.acc}, ptr %acc, align {self.lanes.width * self.lanes.bytes}")
            self._body(self.p.body)
            self.acc = w.load(self.lanes.type, "%acc", self.lanes.width * self.lanes.bytes)
        bad = any_lane(w, w.let(f"fcmp uno {self.lanes.type} {self.acc}, {self.acc}"))
        w.line(f"ret i32 {w.let(f'zext i1 {bad} to i32')}")
        w.lines.append("}")

    def _row_pointers(self) -> None:
        w, e, p = self.w, self.lanes.element, self.p
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
            self.rows[name] = [base] + [w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 {x}, {stride}')}") for x in lanes[1:]]
        for k, (name, shape) in enumerate(p.outputs.items()):
            base = w.load("ptr", w.at("i64", "%frame", 2 * ni + k), 8)
            size = _size(shape)
            self.rows[name] = [base] + [w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 {x}, {size}')}") for x in lanes[1:]]

    def _constants(self) -> None:
        """Columns of numbers and of integers as two tables, a row's entries side by side."""
        import numpy as np

        for name, columns, dtype in (("@numbers", self.p.columns, self.lanes.dtype), ("@indices", self.p.indices, "int64")):
            if not columns:
                continue
            rows = max(len(c) for c in columns)
            table = np.zeros((rows, len(columns)), dtype)
            for k, c in enumerate(columns):
                table[: len(c), k] = c
            data = table.tobytes()
            text = "".join(f"\\{b:02X}" for b in data)
            self.globals.append(f'{name} = internal constant [{len(data)} x i8] c"{text}", align 64')

    # --- straight-line programs ------------------------------------------------------------------------------------------------
    def _straight(self) -> None:
        out: dict[str, dict[int, int]] = {}
        nodes = self.p.nodes
        angles = [s for s in self.p.body if isinstance(s, int) and nodes[s][0] == "sincos" and nodes[nodes[s][1]][0] == "in"]
        for first in range(0, len(angles), GROUP):  # side by side, so that their long chains overlap
            group = angles[first : first + GROUP]
            made = write_sincos(self.w, [self._column(*nodes[nodes[s][1]][1:]) for s in group])
            self.pairs.update(zip(group, made, strict=True))
        for s in self.p.body:
            if isinstance(s, int):
                self._node(s)
            elif s[0] == "out":
                out.setdefault(s[1], {})[s[2]] = s[3]
            else:
                self._act(s)
        for name, values in out.items():
            for at, size in tiles(_size(self.p.outputs[name])):
                columns = [self.names[values[at + c]] for c in range(size) if at + c in values]
                if len(columns) == size:
                    self._put(name, str(at), columns)
                else:
                    for c in range(at, at + size):
                        if c in values:
                            self._put(name, str(c), [self.names[values[c]]])

    def _put(self, name: str, at: str, values: list[str]) -> None:
        """Store neighbouring outputs and watch them for NaN and infinity: x * 0 is NaN for both."""
        w, e = self.w, self.lanes.element
        for v in values:
            if v.startswith("%") and (not self.straight or v not in self.checked):
                self.checked.add(v)
                if self.straight:
                    self.acc = w.fma(v, self.lanes.constant(0.0), self.acc)
                else:
                    size = self.lanes.width * self.lanes.bytes
                    x = w.fma(v, self.lanes.constant(0.0), w.load(self.lanes.type, "%acc", size))
                    w.line(f"store {self.lanes.type} {x}, ptr %acc, align {size}")
        rows = self.rows[name] if at == "0" else [w.at(e, r, at) for r in self.rows[name]]
        rows_from_columns(w, values, rows)

    def _column(self, array: str, k: int) -> str:
        """Input k of an array; its neighbours come along in the same tile."""
        if (array, k) not in self.columns:
            for at, size in tiles(self.p.inputs[array]):
                if at <= k < at + size:
                    rows = self.rows[array] if at == 0 else [self.w.at(self.lanes.element, r, at) for r in self.rows[array]]
                    for c, x in enumerate(columns_from_rows(self.w, rows, size)):
                        self.columns[array, at + c] = x
        return self.columns[array, k]

    # --- values ------------------------------------------------------------------------------------------------------------
    def _node(self, k: int) -> None:
        node, w, v = self.p.nodes[k], self.w, self.names
        op, t, name = node[0], self.lanes.type, f"%n{k}"
        if op in _BINARY:
            w.let(f"{_BINARY[op]} {t} {v[node[1]]}, {v[node[2]]}", name)
        elif op == "fma":
            w.fma(v[node[1]], v[node[2]], v[node[3]], name)
        elif op == "fms":
            w.fma(v[node[1]], v[node[2]], self._minus(node[3]), name)
        elif op == "fnma":
            w.fma(self._minus(node[1]), v[node[2]], v[node[3]], name)
        elif op == "neg":
            w.let(f"fneg {t} {v[node[1]]}", name)
        elif op == "sqrt":
            w.let(f"call {t} @llvm.sqrt.{self.lanes.suffix}({t} {v[node[1]]})", name)
        elif op == "tanh":
            w.let(f"call {t} @tanh_lanes({t} {v[node[1]]})", name)
        elif op == "sincos":
            if k not in self.pairs:
                self.pairs[k] = write_sincos(w, [v[node[1]]])[0]
        elif op in ("sin", "cos"):
            name = self.pairs[node[1]][op == "cos"]
        else:
            name = self._read(node)
        v[k] = name

    def _minus(self, k: int) -> str:
        node = self.p.nodes[k]
        if node[0] == "const":
            return self.lanes.constant(-node[1])
        return self.w.let(f"fneg {self.lanes.type} {self.names[k]}")

    def _read(self, node: tuple[Any, ...]) -> str:
        w, v, op = self.w, self.names, node[0]
        align = self.lanes.width * self.lanes.bytes
        if op == "const":
            return self.lanes.constant(node[1])
        if op == "in":
            if self.straight:
                return self._column(node[1], node[2])
            return self._gather(node[1], str(node[2]))
        if op == "inx":
            return self._gather(node[1], self._shifted(v[node[2]], node[3]))
        if op == "load":
            return w.load(self.lanes.type, self._table(node[1], node[2], v[node[3]]), align)
        if op == "mload":
            return w.load(self.lanes.type, self._matrix(node[1], v[node[2]], node[3], v[node[4]], node[5]), align)
        if op == "cload":
            x = w.load(self.lanes.element, self._cell("@numbers", self.lanes.element, len(self.p.columns), node[1], v[node[2]]), self.lanes.bytes)
            return self._broadcast(x)
        return self._index(node)

    def _index(self, node: tuple[Any, ...]) -> str:
        op, v, w = node[0], self.names, self.w
        if op == "iconst":
            return str(node[1])
        if op == "loopvar":
            return self.loopvar[node[1]]
        if op == "iload":
            return w.load("i64", self._cell("@indices", "i64", len(self.p.indices), node[1], v[node[2]]), 8)
        return w.let(f"add i64 {w.let(f'mul i64 {v[node[1]]}, {node[2]}')}, {node[3]}")  # iaff

    def _shifted(self, index: str, c: int) -> str:
        return index if c == 0 else self.w.let(f"add i64 {index}, {c}")

    def _broadcast(self, x: str) -> str:
        width, e, w = self.lanes.width, self.lanes.element, self.w
        if width == 1:
            return x
        one = w.let(f"insertelement <{width} x {e}> poison, {e} {x}, i32 0")
        return w.let(f"shufflevector <{width} x {e}> {one}, <{width} x {e}> poison, <{width} x i32> zeroinitializer")

    def _gather(self, array: str, at: str) -> str:
        rows = [self.w.at(self.lanes.element, r, at) for r in self.rows[array]]
        return columns_from_rows(self.w, rows, 1)[0]

    def _cell(self, table: str, element: str, count: int, column: int, row: str) -> str:
        at = self.w.let(f"add i64 {self.w.let(f'mul i64 {row}, {count}')}, {column}")
        return self.w.at(element, table, at)

    def _table(self, table: int, column: int, row: str) -> str:
        at = self.w.let(f"add i64 {self.w.let(f'mul i64 {row}, {self.record}')}, {self.slots[table, column]}")
        return self.w.at(self.lanes.type, "%ws", at)

    def _matrix(self, matrix: int, row: str, a: int, column: str, b: int) -> str:
        n, w = self.p.matrices[matrix][1], self.w
        r = w.let(f"mul i64 {self._shifted(row, a)}, {n}")
        at = w.let(f"add i64 {r}, {w.let(f'add i64 {column}, {b + self.matrix_at[matrix]}')}")
        return w.at(self.lanes.type, "%ws", at)

    # --- acts and loops ------------------------------------------------------------------------------------------------------
    def _body(self, body: list[Any]) -> None:
        for s in body:
            if isinstance(s, int):
                self._node(s)
            elif isinstance(s, Loop):
                self._loop(s)
            else:
                self._act(s)

    def _act(self, s: tuple[Any, ...]) -> None:
        w, v, t = self.w, self.names, self.lanes.type
        align = self.lanes.width * self.lanes.bytes
        if s[0] == "store":
            if (s[1], s[2]) in self.slots:
                w.line(f"store {t} {v[s[4]]}, ptr {self._table(s[1], s[2], v[s[3]])}, align {align}")
        elif s[0] == "mstore":
            w.line(f"store {t} {v[s[6]]}, ptr {self._matrix(s[1], v[s[2]], s[3], v[s[4]], s[5])}, align {align}")
        elif s[0] == "out":
            self._put(s[1], str(s[2]), [v[s[3]]])
        elif s[0] == "outx":
            self._put(s[1], self._shifted(w.let(f"mul i64 {v[s[2]]}, {s[4]}"), s[3]), [v[s[5]]])
        elif s[0] == "zero":
            self._zero(s[1], s[2])
        elif s[0] == "copy":
            self._copy(s[1], s[2], s[3])

    def _zero(self, kind: str, which: Any) -> None:
        w, size = self.w, self.lanes.width * self.lanes.bytes
        if kind == "out":
            for row in self.rows[which]:
                w.line(f"call void @llvm.memset.p0.i64(ptr {row}, i8 0, i64 {_size(self.p.outputs[which]) * self.lanes.bytes}, i1 false)")
        elif kind == "matrix":
            at = w.at(self.lanes.type, "%ws", self.matrix_at[which])
            w.line(f"call void @llvm.memset.p0.i64(ptr {at}, i8 0, i64 {self.p.matrices[which][1] ** 2 * size}, i1 false)")
        else:
            k = self._range(0, self.p.rows, 1)
            for table, column in self.slots:
                if table == which:
                    w.line(f"store {self.lanes.type} zeroinitializer, ptr {self._table(table, column, k[0])}, align {size}")
            self._close(k)

    def _copy(self, array: str, matrix: int, symmetric: bool) -> None:
        """A workspace matrix to an output; of a symmetric one only the lower triangle is known."""
        n, w, size = self.p.matrices[matrix][1], self.w, self.lanes.width * self.lanes.bytes
        i = self._range(0, n, 1)
        j = self._range(0, self.w.let(f"add i64 {i[0]}, 1") if symmetric else n, 1)
        x = w.load(self.lanes.type, self._matrix(matrix, i[0], 0, j[0], 0), size)
        places = [(i[0], j[0]), (j[0], i[0])] if symmetric else [(i[0], j[0])]
        for a, b in places:
            self._put(array, w.let(f"add i64 {w.let(f'mul i64 {a}, {n}')}, {b}"), [x])
        self._close(j)
        self._close(i)

    def _fresh(self) -> int:
        self.labels += 1
        return self.labels

    def _range(self, start: int, stop: int | str, step: int) -> tuple[str, int, int]:
        """Open a counting loop; (variable, its number, step)."""
        w, k = self.w, self._fresh()
        w.line(f"br label %pre{k}")
        w.label(f"pre{k}")
        w.line(f"br label %head{k}")
        w.label(f"head{k}")
        w.let(f"phi i64 [ {start}, %pre{k} ], [ %step{k}, %latch{k} ]", f"%i{k}")
        w.let(f"icmp {'slt' if step > 0 else 'sgt'} i64 %i{k}, {stop}", f"%more{k}")
        w.line(f"br i1 %more{k}, label %turn{k}, label %end{k}")
        w.label(f"turn{k}")
        return f"%i{k}", k, step

    def _close(self, loop: tuple[str, int, int]) -> None:
        w, (_, k, step) = self.w, loop
        w.line(f"br label %latch{k}")
        w.label(f"latch{k}")
        w.let(f"add i64 %i{k}, {step}", f"%step{k}")
        w.line(f"br label %head{k}")
        w.label(f"end{k}")

    def _loop(self, loop: Loop) -> None:
        w = self.w
        if loop.kind == "range":
            opened = self._range(loop.start, loop.stop, loop.step)
            self.loopvar[loop.number] = opened[0]
            self._cases(loop, opened[0])
            self._close(opened)
            return
        k = self._fresh()
        w.line(f"br label %pre{k}")
        w.label(f"pre{k}")
        w.line(f"br label %head{k}")
        w.label(f"head{k}")
        w.let(f"phi i64 [ {self.names[loop.start]}, %pre{k} ], [ %up{k}, %latch{k} ]", f"%i{k}")
        cell = self._cell("@indices", "i64", len(self.p.indices), loop.parent, f"%i{k}")
        w.let(f"load i64, ptr {cell}, align 8", f"%up{k}")
        w.let(f"icmp ne i64 %up{k}, 0", f"%more{k}")
        w.line(f"br i1 %more{k}, label %turn{k}, label %end{k}")
        w.label(f"turn{k}")
        self.loopvar[loop.number] = f"%i{k}"
        self._cases(loop, f"%i{k}")
        w.line(f"br label %latch{k}")
        w.label(f"latch{k}")
        w.line(f"br label %head{k}")
        w.label(f"end{k}")

    def _cases(self, loop: Loop, at: str) -> None:
        """The loop's only block, or a switch over the kinds of the body and of its parent."""
        if len(loop.cases) == 1:
            self._body(loop.cases[0][1])
            return
        w, k, count = self.w, self._fresh(), len(self.p.indices)
        parent = w.load("i64", self._cell("@indices", "i64", count, loop.parent, at), 8) if loop.parent >= 0 else "0"
        base = 1 + max(max(codes) for codes, _ in loop.cases)
        code, number = "0", [0] * len(loop.cases)
        for m, column in enumerate(loop.selectors):
            x = w.load("i64", self._cell("@indices", "i64", count, column, (at, parent)[m]), 8)
            # a kind that no case has must not meet another one's number
            x = w.let(f"select i1 {w.let(f'icmp ult i64 {x}, {base}')}, i64 {x}, i64 {base}")
            code = w.let(f"add i64 {w.let(f'mul i64 {code}, {base + 1}')}, {x}")
            number = [n * (base + 1) + codes[m] for n, (codes, _) in zip(number, loop.cases, strict=True)]
        targets = " ".join(f"i64 {n}, label %case{k}_{c}" for c, n in enumerate(number))
        w.line(f"switch i64 {code}, label %join{k} [ {targets} ]")
        for c, (_, block) in enumerate(loop.cases):
            w.label(f"case{k}_{c}")
            self._body(block)
            w.line(f"br label %join{k}")
        w.label(f"join{k}")


_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
