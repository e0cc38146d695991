"""Rolled programs with less memory: what one turn of a loop leaves for the next stays in registers.

Three things are done to table columns in top-level counting loops with one case (chains of equal joints):

- a load behind a store of the same cell in the same block takes the stored value;
- a load of a column that only ever received one constant, or one constant by row, takes that constant;
- a load of what the turn before stored becomes a carry node, a value handed from turn to turn; the loop has, for each
  of them, the node it starts from and the node that goes on.

Stores that nobody can read any more go. Rows are told apart by index nodes of the form loop variable + offset; whatever
has another form, lies in a nested loop or in one of several cases is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .ir import IRLoop, Node, Program, rebuilt, walk
from .passes import wanted_nodes

__all__ = ["carry"]

Column = tuple[int, int]


@dataclass(frozen=True)
class _Access:
    """A store or load of a column: its top-level statement and its row (or offset to the loop variable)."""

    at: int
    loop: int  # number of the loop, 0 at top level, -1 where nothing is known
    offset: int
    node: int  # the load's node, or the value stored
    order: int = 0  # within the block
    statement: int = 0  # identity of a store


def carry(program: Program) -> Program:
    """The same program with fewer loads and stores."""
    if program.straight:
        return program
    work = _Work(program)
    for s in [program.body, *(block for loop in work.loops.values() for _, block in loop.cases)]:
        work.forward(s)
    work.settle()
    work.constants()
    work.settle()
    work.carry()
    work.constants()
    work.forward(work.body)
    work.settle()
    work.drop_stores()
    wanted = wanted_nodes(work.nodes, work.body)
    body = rebuilt(work.body, lambda s: s if not isinstance(s, int) or s in wanted else None)
    return replace(program, nodes=work.nodes, body=body, columns=work.columns)


class _Work:
    def __init__(self, program: Program) -> None:
        self.nodes: list[Node] = list(program.nodes)
        self.body = rebuilt(program.body, lambda s: s)
        self.loops: dict[int, IRLoop] = {s.number: s for s in walk(self.body) if isinstance(s, IRLoop)}
        self.alias: dict[int, int] = {}
        self.rows, self.columns = program.rows, list(program.columns)
        self.fixed: dict[Column, tuple[int, bytes]] = {}  # columns of constants made here

    # --- rows ---------------------------------------------------------------------------------------------------------
    def row(self, index: int) -> tuple[int, int] | None:
        """(loop, offset), or (0, row)."""
        node = self.nodes[index]
        if node.op == "iconst":
            return 0, node.arg[0]
        if node.op == "loopvar":
            return node.arg[0], 0
        if node.op == "iaff" and node.arg[0] == 1 and self.nodes[node.src[0]].op == "loopvar":
            return self.nodes[node.src[0]].arg[0], node.arg[1]
        return None

    def simple(self, s: object) -> bool:
        """A counting loop with one case."""
        return isinstance(s, IRLoop) and s.kind == "range" and len(s.cases) == 1

    def accesses(self) -> tuple[dict[Column, list[_Access]], dict[Column, list[_Access]]]:
        """All stores and all loads, by column, in order."""
        stores: dict[Column, list[_Access]] = {}
        loads: dict[Column, list[_Access]] = {}
        columns = {n.arg[:2] for n in self.nodes if n.op == "load"}
        for at, top in enumerate(self.body):
            if type(top) is int and self.nodes[top].op != "load":
                continue
            direct = top.cases[0][1] if self.simple(top) else [top]
            known = {id(x) for x in direct if isinstance(x, Node)} | {x for x in direct if isinstance(x, int)}
            for order, s in enumerate(walk([top])):
                if isinstance(s, int) and self.nodes[s].op == "load":
                    (index,), (table, column, _) = self.nodes[s].src, self.nodes[s].arg
                    into, node, here = loads, s, s in known
                elif isinstance(s, Node) and s.op == "store":
                    (index, node), (table, column) = s.src, s.arg
                    into, here = stores, id(s) in known
                else:
                    if isinstance(s, Node) and s.op == "zero" and s.arg[0] == "table":
                        for key in [k for k in columns if k[0] == s.arg[1]]:
                            stores.setdefault(key, []).append(_Access(at, -1, 0, -1))
                    continue
                row = self.row(index) if here else None
                if row is not None and row[0] not in (0, getattr(top, "number", 0)):
                    row = None
                into.setdefault((table, column), []).append(_Access(at, *(row or (-1, 0)), node, order, id(s)))
        return stores, loads

    def reaches(self, store: _Access, load: _Access) -> bool:
        """Whether a load in the same loop can see what an earlier turn stored."""
        if store.loop != load.loop or store.loop <= 0:
            return True
        step = self.loops[store.loop].step
        turns = (store.offset - load.offset) / step
        return turns >= 1 or (turns == 0 and load.order > store.order)

    # --- the three rewritings -----------------------------------------------------------------------------------------
    def forward(self, block: list[Any]) -> None:
        """Loads behind stores in one block."""
        known: dict[Column, dict[tuple[int, int], int]] = {}
        for s in block:
            if isinstance(s, int) and self.nodes[s].op == "load":
                row = self.row(self.nodes[s].src[0])
                value = known.get(self.nodes[s].arg[:2], {}).get(row) if row else None
                if value is not None:
                    self.alias[s] = value
            elif isinstance(s, Node) and s.op == "store":
                row, cells = self.row(s.src[0]), known.setdefault(s.arg, {})
                for other in [r for r in cells if row is None or r[0] != row[0] or r == row]:
                    del cells[other]
                if row is not None:
                    cells[row] = s.src[1]
            elif isinstance(s, IRLoop) or (isinstance(s, Node) and s.op == "zero"):
                for x in walk([s]):
                    if isinstance(x, Node) and x.op == "store":
                        known.pop(x.arg, None)
                    elif isinstance(x, Node) and x.op == "zero":
                        known.clear()

    def constants(self) -> None:
        """Columns that received one constant, or one column of constants."""
        stores, loads = self.accesses()
        for key, reads in loads.items():
            for load in reads:
                before = [s for s in stores.get(key, []) if s.at < load.at]
                if (
                    any(s.at == load.at and self.reaches(s, load) for s in stores.get(key, []))
                    or not before
                    or load.loop < 0
                ):
                    continue
                if any(s.loop < 0 for s in before):
                    continue
                values = {self.nodes[s.node] for s in before}
                if len(values) == 1 and values.copy().pop().op == "const":
                    self.alias[load.node] = before[0].node
                else:
                    self._by_row(key, before, load)

    def _by_row(self, key: Column, before: list[_Access], load: _Access) -> None:
        """Load a constant by row if one loop stores constants by row and earlier stores are constants."""
        loops = [s for s in before if s.loop != 0]
        made = self._row_constant(loops[0]) if len(loops) == 1 else None
        if made is None or any(self.nodes[s.node].op != "const" for s in before if s.loop == 0):
            return
        values = np.zeros(self.rows)
        known = np.zeros(self.rows, bool)
        for store in before:
            if store.loop:
                rows = self._rows(store)
                values[rows], known[rows] = (
                    made[0] * np.asarray(self.columns[made[1]], float)[rows + (made[2] - store.offset)],
                    True,
                )
            else:
                values[store.offset], known[store.offset] = self.nodes[store.node].arg[0], True
        if not known[self._rows(load)].all():
            return
        if key not in self.fixed or self.fixed[key][1] != values.tobytes():
            self.columns.append(values)
            self.fixed[key] = (len(self.columns) - 1, values.tobytes())
        self.nodes[load.node] = Node("cload", self.nodes[load.node].src, (self.fixed[key][0],))

    def _rows(self, access: _Access) -> Any:
        if access.loop == 0:
            return np.array([access.offset])
        loop = self.loops[access.loop]
        return np.arange(loop.start, loop.stop, loop.step) + access.offset

    def _row_constant(self, store: _Access) -> tuple[float, int, int] | None:
        """(sign, column, offset) of a constant that a loop stores; other arithmetic would round differently."""
        node = self.nodes[store.node] if store.loop > 0 else Node("")
        sign = 1.0
        if node.op == "neg":
            sign, node = -1.0, self.nodes[node.src[0]]
        row = self.row(node.src[0]) if node.op == "cload" else None
        return (sign, node.arg[0], row[1]) if row is not None and row[0] == store.loop else None

    def carry(self) -> None:
        """Loads of what the turn before stored."""
        stores, loads = self.accesses()
        for at in range(len(self.body) - 1, -1, -1):
            loop = self.body[at]
            if not self.simple(loop):
                continue
            made: list[tuple[int, int]] = []
            first: list[int] = []
            for key, writes in stores.items():
                own = [s for s in writes if s.at == at]
                reads = [x for x in loads.get(key, []) if x.at == at]
                if len(own) != 1 or own[0].loop <= 0 or any(x.loop <= 0 for x in reads):
                    continue
                handed = [x for x in reads if x.offset == own[0].offset - loop.step]
                if not handed or any(self.reaches(own[0], x) for x in reads if x not in handed):
                    continue
                self.nodes.append(Node("iconst", (), (loop.start + handed[0].offset,)))
                self.nodes.append(Node("load", (len(self.nodes) - 1,), (*key, -1)))
                first += [len(self.nodes) - 2, len(self.nodes) - 1]
                for x in handed:
                    self.nodes[x.node] = Node("carry", (), (loop.number, len(made)))
                made.append((len(self.nodes) - 1, own[0].node))
            if made:
                loop.carried = made
                self.body[at:at] = first

    def drop_stores(self) -> None:
        """Stores that no load can see."""
        stores, loads = self.accesses()
        unseen: set[int] = set()
        for key, writes in stores.items():
            for store in writes:
                seen = any(x.at > store.at or (x.at == store.at and self.reaches(store, x)) for x in loads.get(key, []))
                if store.loop >= 0 and not seen:
                    unseen.add(store.statement)
        for block in [self.body, *(block for loop in self.loops.values() for _, block in loop.cases)]:
            block[:] = [s for s in block if not (isinstance(s, Node) and id(s) in unseen)]

    def settle(self) -> None:
        """Put what was found in place of the loads."""

        def final(k: int) -> int:
            while k in self.alias:
                k = self.alias[k]
            return k

        if not self.alias:
            return
        for k, node in enumerate(self.nodes):
            if any(x in self.alias for x in node.src):
                self.nodes[k] = node._replace(src=tuple(map(final, node.src)))
        for block in [self.body, *(block for loop in self.loops.values() for _, block in loop.cases)]:
            block[:] = [s for s in block if not (isinstance(s, int) and s in self.alias)]
            for p, s in enumerate(block):
                if isinstance(s, Node):
                    block[p] = s._replace(src=tuple(map(final, s.src)))
                elif isinstance(s, IRLoop):
                    s.carried = [(final(a), final(b)) for a, b in s.carried]
        self.alias.clear()
