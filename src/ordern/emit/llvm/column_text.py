"""One state in loops: what is done alike to neighbouring columns is one operation on a vector of them."""

from __future__ import annotations

from typing import Any

from ...program.column_tiles import Tile, column_tiles
from ...program.ir import IRLoop, Node, Program
from .lanes import LINE, Lanes
from .rolled_text import Cell, Rolled

__all__ = ["InVectors"]

_BINARY = {"mul": "fmul", "add": "fadd", "sub": "fsub", "div": "fdiv"}


class InVectors(Rolled):
    """Tables with tiles lie for themselves, rows in whole lines."""

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self.most = LINE // lanes.bytes
        self.found = column_tiles(program, self.most)
        self.vectors: dict[Tile, str] = {}
        super().__init__(program, lanes)

        acts = [s for s in program.body if isinstance(s, Node)]
        blank = {s.arg for s in acts if s.op == "zero"}
        self.home = {  # matrices that are results from the beginning, and where
            s.arg[1]: s.arg[0] for s in acts if s.op == "copy" and ("matrix", s.arg[1]) not in blank
        }

    def _lay(self) -> None:
        cells = [self.p.nodes[tile[0]] for tile in self.found.tiles] + [s[0] for s in self.found.stores.values()]
        for table in sorted({n.arg[0] for n in cells if n.op in ("load", "store")} - self.sums):
            count = self.p.tables[table][1]
            width = self.apart_by[table] = -(-count // self.most) * self.most
            first = self.take(self.p.rows * width)
            self.places.update({(table, c): first + c for c in range(count)})
        self.take(-self.slots % self.most)
        super()._lay()

    def _matrix(self, matrix: int, row: str, a: int, column: str, b: int) -> str:
        if matrix not in self.home:
            return super()._matrix(matrix, row, a, column, b)
        first = self.w.let(f"mul i64 {self._shifted(row, a)}, {self.p.matrices[matrix][1]}")
        at = self.w.let(f"add i64 {first}, {self._shifted(column, b)}")
        return self.w.at(self.lanes.element, self.rows[self.home[matrix]][0], at)

    def _copy(self, array: str, matrix: int, symmetric: bool) -> None:
        """What is at home is only looked at, in vectors."""
        if matrix not in self.home:
            super()._copy(array, matrix, symmetric)
            return
        if symmetric:
            self._mirror(matrix)
        count, w, t = self.size(array), self.w, self._type(self.most)
        whole = count // self.most * self.most
        loop = self.range(0, whole, self.most, [(t, "zeroinitializer")])
        x = w.load(t, w.at(self.lanes.element, self.rows[array][0], loop[0]), self.lanes.bytes)
        self.close(loop, [self._fma(self.most, x, "zeroinitializer", loop[3][0])])
        seen = [w.let(f"extractelement {t} {loop[3][0]}, i32 {k}") for k in range(self.most)]
        places = (w.at(self.lanes.element, self.rows[array][0], at) for at in range(whole, count))
        self._watch(seen + [w.load(self.lanes.element, at, self.lanes.bytes) for at in places])

    # --- values -------------------------------------------------------------------------------------------------------
    def node(self, k: int) -> None:
        """Evaluate a node, or with the last of its values a tile."""
        if k not in self.found.tiled:
            super().node(k)
        elif k in self.found.due:
            tile = self.found.due[k]
            self.vectors[tile] = self._tile(tile)

    def _type(self, size: int) -> str:
        return f"<{size} x {self.lanes.element}>"

    def _tile(self, tile: Tile) -> str:
        nodes, w, t = [self.p.nodes[k] for k in tile], self.w, self._type(len(tile))
        op = nodes[0].op
        if op in ("load", "mload"):
            return self._loaded(nodes)
        x = [self._vector(operands) for operands in zip(*(node.src for node in nodes), strict=True)]
        if op in _BINARY:
            return w.let(f"{_BINARY[op]} {t} {x[0]}, {x[1]}")
        if op == "neg":
            return w.let(f"fneg {t} {x[0]}")
        if op == "fms":
            x[2] = w.let(f"fneg {t} {x[2]}")
        elif op == "fnma":
            x[0] = w.let(f"fneg {t} {x[0]}")
        return self._fma(len(tile), *x)

    def _fma(self, size: int, a: str, b: str, c: str) -> str:
        t, name = self._type(size), f"@llvm.fma.v{size}f{8 * self.lanes.bytes}"
        self.globals.append(f"declare {t} {name}({t}, {t}, {t})")
        return self.w.let(f"call {t} {name}({t} {a}, {t} {b}, {t} {c})")

    def _vector(self, values: Tile) -> str:
        if len(set(values)) > 1:
            return self.vectors[values]
        t, e, size = self._type(len(values)), self.lanes.element, len(values)
        one = self.w.let(f"insertelement {t} poison, {e} {self.names[values[0]]}, i32 0")
        return self.w.let(f"shufflevector {t} {one}, {t} poison, <{size} x i32> zeroinitializer")

    def _loaded(self, nodes: list[Node]) -> str:
        op, src, arg = nodes[0]
        w, t = self.w, self._type(len(nodes))
        if op == "load":
            held = self.held.get((src[0], arg[:2]))
            place = self._table(arg[0], arg[1], self.names[src[0]])
            return held or w.load(t, place, self._aligned(arg[1]))
        if arg[2] != nodes[-1].arg[2]:
            place = self._matrix(arg[0], self.names[src[0]], arg[1], self.names[src[1]], arg[2])
            return w.load(t, place, self.lanes.bytes)
        made = "poison"  # a column
        for lane, node in enumerate(nodes):
            made = w.let(f"insertelement {t} {made}, {self.lanes.element} {self.read(node)}, i32 {lane}")
        return made

    def _aligned(self, column: int) -> int:
        """Bytes; rows begin with a line."""
        return self.lanes.bytes * min(column & -column or self.most, self.most)

    # --- stores -------------------------------------------------------------------------------------------------------
    def _act(self, s: Node) -> None:
        stores = self.found.stores.get(id(s))
        if stores is None:
            super()._act(s)
        elif s is stores[-1]:
            self._store(stores)

    def _store(self, stores: list[Node]) -> None:
        op, src, arg = stores[0]
        x = self._vector(tuple(s.src[-1] for s in stores))
        if op == "store" and (src[0], arg) in self.held:
            self.held[src[0], arg] = x
            return
        row = self.names[src[0]]
        if op == "store":
            place, align = self._table(arg[0], arg[1], row), self._aligned(arg[1])
        else:
            place, align = self._matrix(arg[0], row, arg[1], self.names[src[1]], arg[2]), self.lanes.bytes
        self.w.line(f"store {self._type(len(stores))} {x}, ptr {place}, align {align}")

    def _cells(self, loop: IRLoop) -> list[Cell]:
        """Cells of a tile together; those that are read in other company stay in memory."""
        block, nodes = loop.cases[0][1], self.p.nodes
        by_cell = {(s.src[0], s.arg): s for s in block if isinstance(s, Node) and s.op == "store"}
        read: dict[tuple[int, Any], list[int]] = {}
        for s in block:
            if isinstance(s, int) and nodes[s].op == "load":
                read.setdefault((nodes[s].src[0], nodes[s].arg[:2]), []).append(s)
        kept = {cell: (t, align) for cell, t, align in super()._cells(loop)}
        made: list[Cell] = []
        for cell, (t, align) in kept.items():
            stores = self.found.stores.get(id(by_cell[cell]))
            if stores is None:
                made += [(cell, t, align)] if not self.found.tiled.intersection(read[cell]) else []
            elif cell == (stores[0].src[0], stores[0].arg):
                tile = tuple(k for s in stores for k in read.get((s.src[0], s.arg), ()))
                if tile in self.found.tiles and all((s.src[0], s.arg) in kept for s in stores):
                    made.append((cell, self._type(len(tile)), self._aligned(cell[1][1])))
        return made
