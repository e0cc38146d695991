"""Programs with loops for CasADi: a turn is written once, as a function of what the turn before handed on and of its
own row, and CasADi repeats it (mapaccum). Functions and their derivatives do not grow with the number of joints.

That serves counting loops over one kind of joint whose turns hand on all they have for each other: chains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..program.interpret import Machine, Operators
from ..program.ir import IRLoop, Node, Program

__all__ = ["Walks", "repeatable"]

Cell = tuple[int, int, int]  # table, column, row


def repeatable(program: Program) -> bool:
    """Whether every loop repeats one turn and reads from other turns only what is handed on."""
    loops = [s for s in program.body if isinstance(s, IRLoop)]
    known = all(isinstance(s, (int, IRLoop)) or s.op in ("out", "store", "zero") for s in program.body)
    if program.matrices or not known or not loops:
        return False
    for loop in loops:
        block = loop.cases[0][1]
        if loop.kind != "range" or len(loop.cases) > 1:
            return False
        if not all(isinstance(s, int) or (isinstance(s, Node) and s.op in ("store", "outx")) for s in block):
            return False
        stored, loaded = _accesses(program, block)
        sums = {k[:2] for k in loaded if k in stored and k[2] is not None}
        if {k[:2] for k in stored} & {k[:2] for k in loaded} - sums:
            return False
        if any(k[:2] in sums and k[2] is None for k in stored | loaded):
            return False
    return True


def _accesses(program: Program, block: Sequence[Any]) -> tuple[set[Any], set[Any]]:
    """Stores and loads of a block: table, column and row (None if it depends on the turn)."""
    nodes = program.nodes

    def cell(key: tuple[Any, ...], index: int) -> tuple[Any, ...]:
        return (*key[:2], nodes[index].arg[0] if nodes[index].op == "iconst" else None)

    stored = {cell(s.arg, s.src[0]) for s in block if isinstance(s, Node) and s.op == "store"}
    reads = [nodes[s] for s in block if isinstance(s, int) and nodes[s].op == "load"]
    return stored, {cell(n.arg, n.src[0]) for n in reads}


class Walks(Machine):
    """Holds columns of tables and outputs as CasADi's vectors, one element a row."""

    def __init__(self, program: Program, inputs: dict[str, Any], operators: Operators, casadi: Any) -> None:
        super().__init__(program, inputs, operators)
        self.casadi = casadi
        self.rows: dict[Any, Any] = {name: casadi.MX.zeros(1, len(flat)) for name, flat in self.out.items()}

    def run(self, body: Sequence[Any]) -> None:
        """All statements at top level."""
        for s in body:
            if isinstance(s, int):
                self.found(s)
            elif isinstance(s, IRLoop):
                self._walk(s)
            elif s.op == "out":
                self.rows[s.arg[0]][0, s.arg[1]] = self.found(s.src[0])
            elif s.op == "store":
                self.column(s.arg)[0, self.found(s.src[0])] = self.found(s.src[1])
            else:  # zero: an output, or a table
                new = {k: self.casadi.MX.zeros(*v.shape) for k, v in self.rows.items() if s.arg[1] in (k, k[0])}
                self.rows.update(new)

    def found(self, k: int) -> Any:
        """A node's value; constants may have been written down in a loop."""
        if k not in self.values:
            for a in self.p.nodes[k].src:
                self.found(a)
            self.values[k] = self.value(k, self.p.nodes[k])
        return self.values[k]

    def value(self, k: int, node: Node) -> Any:
        """A load takes an element of a column."""
        if node.op == "load":
            return self.column(node.arg[:2])[0, self.values[node.src[0]]]
        return super().value(k, node)

    def column(self, key: tuple[int, int]) -> Any:
        """One number a row."""
        if key not in self.rows:
            self.rows[key] = self.casadi.MX.zeros(1, self.p.rows)
        return self.rows[key]

    def _walk(self, loop: IRLoop) -> None:
        c, block = self.casadi, loop.cases[0][1]
        cells = sorted(k for k in _accesses(self.p, block)[0] if k[2] is not None)
        first = [self.found(k) for k, _ in loop.carried] + [self.column(k[:2])[0, k[2]] for k in cells]
        state = c.SX.sym("state", len(first))
        turn = _Turn(self, loop, [state[k] for k in range(len(first))], cells)
        turn.run(block)
        onward = [turn.found(k) for _, k in loop.carried] + [turn.cells[k] for k in cells]
        symbols, rows = zip(*turn.given.values(), strict=True) if turn.given else ((), ())
        made = [value for _, _, value in turn.made]
        one = c.Function("turn", [state, c.vertcat(*symbols)], [c.vertcat(*onward), c.vertcat(*made)])
        repeated = one.mapaccum("walk", turn.count) if first else one.map(turn.count)
        start = c.vertcat(*first) if first else c.MX(0, turn.count)
        states, results = repeated(start, c.vertcat(*rows) if rows else c.MX(0, turn.count))
        for k, (key, at, _) in enumerate(turn.made):
            column = self.rows[key] if isinstance(key, str) else self.column(key)
            column[0, at.tolist()] = results[k, :]
        for k, cell in enumerate(cells, len(loop.carried)):
            self.column(cell[:2])[0, cell[2]] = states[k, turn.count - 1]


class _Turn(Walks):
    """One turn; numbers of its row are symbols, kept with their values in all turns."""

    def __init__(self, walks: Walks, loop: IRLoop, state: list[Any], cells: list[Cell]) -> None:
        super().__init__(walks.p, walks.inputs, walks.operators, walks.casadi)  # type: ignore[arg-type]
        self.walks, self.turns_of = walks, np.arange(loop.start, loop.stop, loop.step)
        self.count = len(self.turns_of)
        self.handed = {(loop.number, k): state[k] for k in range(len(loop.carried))}
        self.cells: dict[Any, Any] = dict(zip(cells, state[len(loop.carried) :], strict=True))
        self.given: dict[int, tuple[Any, Any]] = {}
        self.made: list[tuple[Any, Any, Any]] = []

    def run(self, body: Sequence[Any]) -> None:
        """All statements of the loop; values that they store are kept for all turns together."""
        for s in body:
            if isinstance(s, int):
                self.found(s)
                continue
            at, value = self.found(s.src[0]), self.found(s.src[1])
            if s.op == "outx":
                self.made.append((s.arg[0], at * s.arg[2] + s.arg[1], value))
            elif (cell := (*s.arg, int(at[0]))) in self.cells:
                self.cells[cell] = value
            else:
                self.made.append((s.arg, at, value))

    def found(self, k: int) -> Any:
        """A node's value in this turn; what was computed before the loop is the same in all turns."""
        outer = self.walks.values.get(k)
        if k not in self.values and isinstance(outer, self.casadi.MX):
            self.values[k] = self._symbol(k, self.casadi.repmat(outer, 1, self.count))
        return super().found(k)

    def value(self, k: int, node: Node) -> Any:
        """Numbers of the row as symbols; indices as they are in all turns."""
        op, src, arg = node
        if op in self.operators.functions or op in ("const", "carry"):
            return Machine.value(self, k, node)
        if op == "in":
            return self._symbol(k, self.casadi.repmat(self.inputs[arg[0]][arg[1]], 1, self.count))
        at: Any = self.values[src[0]] if src else None
        if op == "inx":
            return self._symbol(k, self.inputs[arg[0]][(at + arg[1]).tolist()].T)
        if op == "cload":
            return self._symbol(k, self.casadi.DM(np.asarray(self.p.columns[arg[0]], float)[at]).T)
        if op == "load":
            cell = (*arg[:2], int(at[0]))
            taken = cell in self.cells
            return self.cells[cell] if taken else self._symbol(k, self.walks.column(arg[:2])[0, at.tolist()])
        return np.broadcast_to(self._at(node), self.count)

    def _symbol(self, k: int, values: Any) -> Any:
        self.given[k] = (self.casadi.SX.sym(f"x{k}"), values)
        return self.given[k][0]

    def _at(self, node: Node) -> Any:
        """An index in all turns."""
        v, (op, src, arg) = self.values, node
        if op in ("iconst", "loopvar"):
            return arg[0] if op == "iconst" else self.turns_of
        if op == "iload":
            return np.asarray(self.p.indices[arg[0]])[v[src[0]]]
        return v[src[0]] * arg[0] + arg[1] if op == "iaff" else v[src[0]] + v[src[1]]
