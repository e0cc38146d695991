"""Rolled programs: loops, switches, tables and matrices in the workspace, constants by row in the code's own data."""

from __future__ import annotations

import math
from typing import Any

from ...program.ir import IRLoop, Node, Program, walk
from .block import BlockText
from .input_watch import LOOK, look_code
from .lanes import LINE, Lanes, gathered, tiles

__all__ = ["Cell", "Rolled"]

Cell = tuple[tuple[int, Any], str, int]  # row and column of a table; type and alignment of what is kept of it


class Rolled(BlockText):
    """Tables lie in ``space`` as [row][column][lane], the columns of all tables of a row together; matrices behind
    them.
    """

    def __init__(self, program: Program, lanes: Lanes, lines: bool = False) -> None:
        super().__init__(program, lanes)
        self.lines = lines and any(isinstance(s, Node) and s.op == "copy" for s in program.body)
        self.places: dict[tuple[Any, ...], int] = {}  # slot of row 0; only columns that are read have one
        self.apart_by: dict[int, int] = {}  # table: slots from row to row
        self.sums = _sums(program)
        self._lay()
        self.matrix_at = [self.take(n * n) for _, n in program.matrices]
        self.loopvar: dict[int, str] = {}
        self.carried: dict[tuple[int, int], str] = {}
        self.held: dict[tuple[int, Any], str] = {}  # row and column of a table that a loop keeps in a register

    def _lay(self) -> None:
        """Memory for tables: the columns of a row together."""
        nodes = [self.p.nodes[s] for s in walk(self.p.body) if isinstance(s, int)]
        read = dict.fromkeys(n.arg[:2] for n in nodes if n.op == "load")
        columns = [c for c in read if c not in self.places and c[0] not in self.sums]
        self.places.update({c: -1 for c in read if c[0] in self.sums})
        first = self.take(self.p.rows * len(columns))
        self.places.update({column: first + k for k, column in enumerate(columns)})
        self.apart_by.update({table: len(columns) for table, _ in columns})

    def body(self) -> str:
        """Write the body."""
        self._constants()
        self.w.let(f"alloca {self.lanes.type}, align {self.align}", "%watched")
        for table in sorted(self.sums):
            self.w.let(f"alloca [{self.p.tables[table][1]} x {self.lanes.type}], align {LINE}", f"%sums{table}")
        self._keep(self.zero())
        self._body(self.p.body)
        if self.p.watched:
            self._look()
        return self.w.load(self.lanes.type, "%watched", self.align)

    def _look(self) -> None:
        """All inputs, since a result need not depend on each of them."""
        for array, count in self.p.inputs.items():
            if self.transposed:
                loop = self.range(0, count, 1)
                self._watch(self.fetch(array, loop[0], 1))
                self.close(loop)
                continue
            e = self.lanes.element
            found = [self.w.let(f"call {e} @{LOOK}(ptr {row}, i64 {count})") for row in self.rows[array]]
            self._watch([self._broadcast(x) for x in found])
        self.globals += [] if self.transposed else look_code(self.lanes)

    def _keep(self, value: str) -> None:
        self.w.line(f"store {self.lanes.type} {value}, ptr %watched, align {self.align}")

    def _out(self, array: str, at: str | int, value: str) -> None:
        if value.startswith("%"):
            self._keep(self.watch(value, self.w.load(self.lanes.type, "%watched", self.align)))
        self.deliver(array, at, [value])

    def _constants(self) -> None:
        """Columns of numbers as one table, a row's entries side by side; columns of integers one after the other."""
        import numpy as np

        rows = max((len(c) for c in self.p.columns), default=0)
        table = np.zeros((rows, len(self.p.columns)), self.lanes.dtype)
        for k, c in enumerate(self.p.columns):
            table[: len(c), k] = c
        indices = np.concatenate([np.zeros(0, "int64"), *self.p.indices])
        for name, data in (("@numbers", table.tobytes()), ("@indices", indices.astype("int64").tobytes())):
            if data:
                text = "\\" + data.hex("\\")
                self.globals.append(f'{name} = internal constant [{len(data)} x i8] c"{text}", align 64')

    def read(self, node: Node) -> str:
        """Inputs, constants by row, tables, matrices, indices."""
        w, (op, src, arg) = self.w, node
        v = [self.names[k] for k in src]
        if op == "const":
            return self.lanes.constant(arg[0])
        if op == "in":
            return self.fetch(arg[0], arg[1], 1)[0]
        if op == "carry":
            return self.carried[arg[0], arg[1]]
        if op == "inx":
            return self.fetch(arg[0], self._shifted(v[0], arg[1]), 1)[0]
        if op == "load" and (src[0], arg[:2]) in self.held:
            return self.held[src[0], arg[:2]]
        if op == "load":
            return w.load(self.lanes.type, self._table(arg[0], arg[1], v[0]), self.align)
        if op == "mload":
            return w.load(self.lanes.type, self._matrix(arg[0], v[0], arg[1], v[1], arg[2]), self.align)
        if op == "cload":
            at = w.let(f"add i64 {w.let(f'mul i64 {v[0]}, {len(self.p.columns)}')}, {arg[0]}")
            place = w.at(self.lanes.element, "@numbers", at)
            return self._broadcast(w.load(self.lanes.element, place, self.lanes.bytes))
        if op == "iconst":
            return str(arg[0])
        if op == "loopvar":
            return self.loopvar[arg[0]]
        if op == "iload":
            return w.load("i64", self._index(arg[0], v[0]), 8)
        if op == "isum":
            return w.let(f"add i64 {v[0]}, {v[1]}")
        return w.let(f"add i64 {w.let(f'mul i64 {v[0]}, {arg[0]}')}, {arg[1]}")  # iaff

    def _shifted(self, index: str, c: int) -> str:
        return index if c == 0 else self.w.let(f"add i64 {index}, {c}")

    def _broadcast(self, x: str) -> str:
        width, e, w = self.lanes.width, self.lanes.element, self.w
        if width == 1:
            return x
        one = w.let(f"insertelement <{width} x {e}> poison, {e} {x}, i32 0")
        return w.let(f"shufflevector <{width} x {e}> {one}, <{width} x {e}> poison, <{width} x i32> zeroinitializer")

    def _index(self, column: int, row: str) -> str:
        before = sum(len(c) for c in self.p.indices[:column])
        return self.w.at("i64", "@indices", self._shifted(row, before))

    def _table(self, table: int, column: int, row: str) -> str:
        if table in self.sums:
            return self.w.at(self.lanes.type, f"%sums{table}", column)
        start = self.w.let(f"mul i64 {row}, {self.apart_by[table]}")
        return self.w.at(self.lanes.type, "%space", self.w.let(f"add i64 {start}, {self.places[table, column]}"))

    def _matrix(self, matrix: int, row: str, a: int, column: str, b: int) -> str:
        n, w = self.p.matrices[matrix][1], self.w
        r = w.let(f"mul i64 {self._shifted(row, a)}, {n}")
        at = w.let(f"add i64 {r}, {w.let(f'add i64 {column}, {b + self.matrix_at[matrix]}')}")
        return w.at(self.lanes.type, "%space", at)

    # --- acts and loops -----------------------------------------------------------------------------------------------
    def _body(self, body: list[Any]) -> None:
        run: list[Node] = []  # outputs side by side, which leave together
        for s in body:
            if run and not _next_to(run[-1], s):
                self._outs(run)
                run = []
            if isinstance(s, int):
                self.node(s)
            elif isinstance(s, IRLoop):
                self._loop(s)
            elif s.op == "outx":
                run.append(s)
            else:
                self._act(s)
        if run:
            self._outs(run)

    def _outs(self, run: list[Node]) -> None:
        """Neighbouring elements of one output, in tiles."""
        values, (array, c, stride) = [self.names[s.src[1]] for s in run], run[0].arg
        self._watch(values)
        start = self.w.let(f"mul i64 {self.names[run[0].src[0]]}, {stride}")
        for at, size in tiles(len(run)):
            self.deliver(array, self._shifted(start, c + at), values[at : at + size])

    def _act(self, s: Node) -> None:
        w, t, (op, src, arg) = self.w, self.lanes.type, s
        v = [self.names[k] for k in src]
        if op == "store" and (src[0], arg) in self.held:
            self.held[src[0], arg] = v[1]
        elif op == "store":
            if arg in self.places:
                w.line(f"store {t} {v[1]}, ptr {self._table(arg[0], arg[1], v[0])}, align {self.align}")
        elif op == "mstore":
            w.line(f"store {t} {v[2]}, ptr {self._matrix(arg[0], v[0], arg[1], v[1], arg[2])}, align {self.align}")
        elif op == "out":
            self._out(arg[0], arg[1], v[0])
        elif op == "zero":
            self._zero(*arg)
        elif op == "copy":
            self._copy(*arg)
        elif op == "call":  # what was written out before the loops
            w.let(f"call i32 @{arg[0]}(ptr %frame, ptr %space, i64 %valid)")

    def _zero(self, kind: str, which: Any) -> None:
        w, size = self.w, self.lanes.width * self.lanes.bytes
        if kind == "out" and self.transposed:
            loop = self.range(0, self.size(which), 1)
            self.deliver(which, loop[0], [self.zero()])
            self.close(loop)
        elif kind == "out":
            for row in self.rows[which]:
                w.line(
                    f"call void @llvm.memset.p0.i64(ptr {row}, i8 0, i64 {self.size(which) * self.lanes.bytes}, i1 "
                    "false)"
                )
        elif kind == "matrix":
            at = w.at(self.lanes.type, "%space", self.matrix_at[which])
            w.line(
                f"call void @llvm.memset.p0.i64(ptr {at}, i8 0, i64 {self.p.matrices[which][1] ** 2 * size}, i1 false)"
            )
        else:
            k = self.range(0, self.p.rows, 1)
            for table, column in self.places:
                if table == which:
                    w.line(
                        f"store {self.lanes.type} zeroinitializer, ptr {self._table(table, column, k[0])}, align {size}"
                    )
            self.close(k)

    def _copy(self, array: str, matrix: int, symmetric: bool) -> None:
        """A workspace matrix to an output; of a symmetric one only the lower triangle is known."""
        n = self.p.matrices[matrix][1]
        if symmetric:
            self._mirror(matrix)
        if self.lines:
            self._send(array, matrix)
            return
        whole = n * n // 4 * 4
        k = self.range(0, whole, 4)
        self._move(array, matrix, k[0], 4)
        self.close(k)
        for at, count in tiles(n * n - whole):
            self._move(array, matrix, str(whole + at), count)

    def _mirror(self, matrix: int) -> None:
        w, size = self.w, self.lanes.width * self.lanes.bytes
        i = self.range(1, self.p.matrices[matrix][1], 1)
        j = self.range(0, i[0], 1)
        x = w.load(self.lanes.type, self._matrix(matrix, i[0], 0, j[0], 0), size)
        w.line(f"store {self.lanes.type} {x}, ptr {self._matrix(matrix, j[0], 0, i[0], 0)}, align {size}")
        self.close(j)
        self.close(i)

    def _send(self, array: str, matrix: int) -> None:
        """A matrix past the caches, in whole lines: lanes that begin at the same place of a line go together."""
        width, size = self.lanes.width, self.size(array)
        period = width // math.gcd(width, size)
        for first in range(period):
            start = -first * size % width
            lanes, last = range(first, width, period), start + (size - start) // width * width
            k = self.range(start, last, width)
            self._line(array, matrix, k[0], lanes, width)
            self.close(k)
            if last < size:  # what is left of the line belongs to the next row
                self._line(array, matrix, str(last), lanes, size - last)

    def _line(self, array: str, matrix: int, at: str, lanes: range, inside: int) -> None:
        place, size = self._shifted(at, self.matrix_at[matrix]), self.size(array)
        columns = [self.get(self._shifted(place, c if c < inside else c - size)) for c in range(self.lanes.width)]
        if lanes[0] == 0:
            self._watch(columns)
        for lane, row in zip(lanes, gathered(self.w, columns, lanes, inside), strict=True):
            to = self.w.at(self.lanes.element, self.rows[array][0], self._shifted(at, lane * size))
            self.w.line(f"store {self.lanes.type} {row}, ptr {to}, align {LINE}, !nontemporal !1")

    def _watch(self, values: list[str]) -> None:
        fine = self.zero()  # summed apart: one turn of a loop need not wait for all of the turn before
        for x in values:
            fine = self.watch(x, fine) if x.startswith("%") else fine
        if fine.startswith("%"):
            before = self.w.load(self.lanes.type, "%watched", self.align)
            self._keep(self.w.let(f"fadd {self.lanes.type} {before}, {fine}"))

    def _move(self, array: str, matrix: int, at: str, count: int) -> None:
        """Neighbouring elements of a matrix, row after row, to an output."""
        place = self.w.let(f"add i64 {at}, {self.matrix_at[matrix]}")
        values = [self.get(self._shifted(place, c)) for c in range(count)]
        self._watch(values)
        self.deliver(array, at, values)

    def _loop(self, loop: IRLoop) -> None:
        w = self.w
        if loop.kind == "range":
            opened = self.range(
                loop.start, loop.stop, loop.step, [(self.lanes.type, self.names[first]) for first, _ in loop.carried]
            )
            self.loopvar[loop.number] = opened[0]
            for k, name in enumerate(opened[3]):
                self.carried[loop.number, k] = name
            self._cases(loop, opened[0])
            self.close(opened, [self.names[onward] for _, onward in loop.carried])
            return
        k, cells = self.fresh(), self._cells(loop)
        places = [self._table(column[0], column[1], self.names[row]) for (row, column), _, _ in cells]
        first = [w.load(t, place, align) for place, (_, t, align) in zip(places, cells, strict=True)]
        w.line(f"br label %pre{k}")
        w.label(f"pre{k}")
        w.line(f"br label %head{k}")
        w.label(f"head{k}")
        w.let(f"phi i64 [ {self.names[loop.start]}, %pre{k} ], [ %up{k}, %latch{k} ]", f"%i{k}")
        lines = len(w.lines)
        for c, ((cell, t, _), x) in enumerate(zip(cells, first, strict=True)):
            self.held[cell] = w.let(f"phi {t} [ {x}, %pre{k} ], [ ?, %latch{k} ]", f"%held{k}_{c}")
        at = self._index(loop.parent, f"%i{k}")
        w.let(f"load i64, ptr {at}, align 8", f"%up{k}")
        w.let(f"icmp ne i64 %up{k}, 0", f"%more{k}")
        w.line(f"br i1 %more{k}, label %turn{k}, label %end{k}")
        w.label(f"turn{k}")
        self.loopvar[loop.number] = f"%i{k}"
        self._cases(loop, f"%i{k}")
        w.line(f"br label %latch{k}")
        w.label(f"latch{k}")
        w.line(f"br label %head{k}")
        w.label(f"end{k}")
        for c, ((cell, t, align), place) in enumerate(zip(cells, places, strict=True)):
            w.lines[lines + c] = w.lines[lines + c].replace("?", self.held.pop(cell))
            w.line(f"store {t} %held{k}_{c}, ptr {place}, align {align}")

    def _cells(self, loop: IRLoop) -> list[Cell]:
        """Cells of tables, in a row that the walk does not change, that are read, then set once each turn.

        They stay in registers meanwhile if the column is read nowhere else, or the walk begins at this row and other
        reads meet only rows nearer to the base.
        """
        block, nodes = loop.cases[0][1], self.p.nodes
        if len(loop.cases) > 1 or any(isinstance(s, IRLoop) for s in block):
            return []
        turn = Node("loopvar", (), (loop.number,))
        parents = (("iload", (loop.parent,)), ("iaff", (1, -1)))  # by a table, or as the row before
        made: list[Cell] = []
        for at, s in enumerate(block):
            if not isinstance(s, Node) or s.op != "store" or s.arg not in self.places or s.src[0] in block:
                continue
            same = [
                (n, nodes[x].src[0])
                for n, x in enumerate(block)
                if isinstance(x, int) and nodes[x].op == "load" and nodes[x].arg[:2] == s.arg
            ]
            own = [n for n, row in same if row == s.src[0]]
            apart = all(
                row == s.src[0]
                or (s.src[0] == loop.start and nodes[row][::2] in parents and nodes[nodes[row].src[0]] == turn)
                for _, row in same
            )
            once = sum(isinstance(x, Node) and x.op == "store" and x.arg == s.arg for x in block) == 1
            if once and apart and own and max(own) < at:
                made.append(((s.src[0], s.arg), self.lanes.type, self.align))
        return made

    def _cases(self, loop: IRLoop, at: str) -> None:
        """The loop's only block, or a switch over the kinds of the body and of its parent."""
        if len(loop.cases) == 1:
            self._body(loop.cases[0][1])
            return
        w, k = self.w, self.fresh()
        parent = w.load("i64", self._index(loop.parent, at), 8) if loop.parent >= 0 else "0"
        base = 1 + max(max(codes) for codes, _ in loop.cases)
        code, number = "0", [0] * len(loop.cases)
        for m, column in enumerate(loop.selectors):
            x = w.load("i64", self._index(column, (at, parent)[m]), 8)
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


def _sums(program: Program) -> set[int]:
    """Tables of which only one row is used, within one loop: the compiler finds registers for them."""
    used: dict[int, set[Any]] = {}
    for top, loop in enumerate(program.body):
        for s in walk([loop]):
            node = program.nodes[s] if isinstance(s, int) else s
            if isinstance(node, Node) and node.op in ("load", "store"):
                row = program.nodes[node.src[0]]
                inside = isinstance(loop, IRLoop) and row.op == "iconst"
                used.setdefault(node.arg[0], set()).add((top, row.arg) if inside else id(node))
    return {table for table, rows in used.items() if len(rows) == 1 and isinstance(next(iter(rows)), tuple)}


def _next_to(before: Node, s: object) -> bool:
    """Whether a statement sets the element behind the one that was set before."""
    if not isinstance(s, Node) or s.op != "outx" or s.src[0] != before.src[0]:
        return False
    array, c, stride = before.arg
    return s.arg == (array, c + 1, stride)
