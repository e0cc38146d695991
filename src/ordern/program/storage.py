"""Where rolled walks keep their values: tables and matrices in the workspace, and rows that stand for many bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..scalars.primitives import Array, Scalar
from ..spatial.joint_space import Block, Gram, JointVector
from ..spatial.three import _leaves, _rebuild
from .ir import IRLoop
from .trace import Expr

if TYPE_CHECKING:
    from .rolled import RolledTree

__all__ = [
    "MEMORY",
    "ColumnBlock",
    "Case",
    "RolledCoordinates",
    "RolledMatrix",
    "RolledTable",
    "RolledTotal",
    "BodyRows",
    "State",
]

State = tuple[Any, ...]  # of a column: ("memory",), ("const", number) or ("column", number)
MEMORY: State = ("memory",)


class BodyRows:
    """A symbolic body (or link): stands for ``rows`` of one kind, or of several where kind is None."""

    __slots__ = ("id", "kind", "rows", "space")

    def __init__(self, id: int, rows: Array, kind: int | None, space: str = "body") -> None:
        self.id, self.rows, self.kind, self.space = id, rows, kind, space


BodyRow = int | BodyRows  # a body, or many of them


class Case:
    """A block of a loop while it is traced."""

    def __init__(self, tree: RolledTree, loop: IRLoop, codes: tuple[int, ...]) -> None:
        self.tree, self.loop, self.codes = tree, loop, codes

    def __enter__(self) -> None:
        self.tree.t.open()

    def __exit__(self, *_: object) -> None:
        self.loop.cases.append((self.codes, self.tree.t.close()))


class RolledTable:
    """Rows in memory, column by column; columns that never need it stay constants."""

    def __init__(self, tree: RolledTree, name: str, base: object, fill: object) -> None:
        self.tree, self.name, self.number = tree, name, len(tree.tables)
        tree.tables.append(self)
        # what is known of each column, by kind of row, and the structure of rows: kept over retraces
        self.known: dict[int, list[Any]]
        self.forms: dict[int, Any]
        self.known, self.forms = tree.states.setdefault(self.number, ({}, {}))
        self.cache: dict[int, Any] = {}
        self.version: dict[int, int] = {}
        if fill is not None:
            self._fill(fill)
        if base is not None:
            self[0] = base

    def _fill(self, fill: object) -> None:
        loop = self.tree._loop("range", 0, len(self.tree.kinds))
        with Case(self.tree, loop, (0,)):
            rows = np.arange(len(self.tree.kinds))
            self[BodyRows(self.tree.t.node("loopvar", (), (loop.number,)), rows, None)] = fill
        self.tree._close(loop, ())

    def _groups(self, i: BodyRow) -> list[int]:
        if isinstance(i, BodyRows):
            if i.space == "link":
                return [0]
            return [i.kind] if i.kind is not None else np.unique(self.tree.kinds[i.rows]).tolist()
        return [int(self.tree.kinds[i])]

    def _raise(self, group: int, column: int, state: State) -> State:
        """Join what is known with a new fact."""
        columns = self.known.setdefault(group, [])
        while len(columns) <= column:
            columns.append(None)
        old = columns[column]
        new = state if old is None or old == state else MEMORY
        if new != old:
            columns[column] = new
            self.tree.shared.changed = True
        return new

    def __getitem__(self, i: BodyRow) -> Any:
        inside = len(self.tree.t.blocks) > 1
        if not isinstance(i, BodyRows) and i in self.cache and not inside:
            return self.cache[i]
        groups = [g for g in self._groups(i) if g in self.forms]
        if not groups:
            raise KeyError(f"table {self.name} is read at a row that was never set")
        form = self.forms[groups[0]]
        at, leaves = self.tree.at(i), []
        for column in range(len(list(_leaves(form)))):
            states = {self.known[g][column] for g in groups if g in self.known} - {None}
            state = states.pop() if len(states) == 1 else MEMORY
            if len(groups) > 1 and state == MEMORY:
                for g in groups:
                    self._raise(g, column, MEMORY)
            leaves.append(self._load(state, column, at))
        return _rebuild(form, iter(leaves))

    def _load(self, state: State, column: int, at: int) -> Any:
        if state[0] == "const":
            return state[1]
        if state[0] == "column":
            return self.tree.t.expr("cload", (at,), (state[1],))
        return self.tree.t.expr("load", (at,), (self.number, column, self.version.get(column, 0)))

    def __setitem__(self, i: BodyRow, value: object) -> None:
        t, at = self.tree.t, self.tree.at(i)
        self.tree.stored(self.name, i, value)
        groups = self._groups(i)
        for column, leaf in enumerate(_leaves(value)):
            state = self._state(leaf, at)
            made = [self._raise(g, column, state) for g in groups]
            if MEMORY in made:
                for g in groups:
                    self._raise(g, column, MEMORY)
                t.act("store", (at, t.operand(leaf)), (self.number, column))
                self.version[column] = self.version.get(column, 0) + 1
        for g in groups:
            if g in self.forms and not _alike(self.forms[g], value):
                raise AssertionError(f"table {self.name}: rows of one kind hold different structures")
            self.forms[g] = value
        self._remember(i, value)

    def _state(self, leaf: Scalar, at: int) -> State:
        if not isinstance(leaf, Expr):
            return ("const", leaf)
        node = self.tree.t.nodes[leaf.id]
        return ("column", node.arg[0]) if node.op == "cload" and node.src == (at,) else MEMORY

    def _remember(self, i: BodyRow, value: object) -> None:
        if isinstance(i, BodyRows):
            for k in [k for k in self.cache if k in i.rows]:
                del self.cache[k]
        elif len(self.tree.t.blocks) > 1:
            self.cache.pop(i, None)
        else:
            self.cache[i] = value


def _alike(a: object, b: object) -> bool:
    if not (hasattr(a, "leaves") or hasattr(b, "leaves")):
        return True  # plain scalars
    return type(a) is type(b) and sum(1 for _ in _leaves(a)) == sum(1 for _ in _leaves(b))


class RolledTotal:
    """A running sum in row 0 of a table."""

    def __init__(self, table: RolledTable) -> None:
        self.table = table

    def add(self, term: object) -> None:
        """Add a body's share."""
        self.table[0] = self.table[0] + term

    @property
    def value(self) -> Any:
        """The sum so far."""
        return self.table[0]


class ColumnBlock:
    """Neighbouring columns worked on together, so that they share waiting times."""

    WIDTH = 2
    ALONE = 8  # of one state, whose columns go into vectors

    def __init__(self, id: int, width: int, number: int) -> None:
        self.id, self.width, self.number = id, width, number  # index nodes: the first column, and which block it is


class RolledMatrix:
    """A block for each pair of bodies, in one square workspace."""

    def __init__(self, tree: RolledTree, name: str, general: bool = False, zeros: str = "all") -> None:
        self.tree, self.name, self.number, self.version = tree, name, len(tree.matrices), 0
        self.general = general  # diagonal blocks need not be symmetric
        tree.matrices.append(self)
        if zeros == "all":
            tree.t.act("zero", (), ("matrix", self.number))

    def _place(self, i: BodyRow | ColumnBlock) -> int:
        values = self.tree.offsets["v"]
        if isinstance(i, ColumnBlock):
            return i.id
        return int(
            self.tree._index(i, "v offset", values)
            if isinstance(i, BodyRows)
            else self.tree.t.node("iconst", (), (int(values[i]),))
        )

    def __getitem__(self, at: tuple[Any, Any]) -> Any:
        i, j = at
        k, l = self.tree.degrees(i), self.tree.degrees(j)
        r, c = self._place(i), self._place(j)

        def element(a: int, b: int) -> Any:
            return self.tree.t.expr("mload", (r, c), (self.number, a, b, self.version))

        if not self.general and r == c:
            return Gram(k, [element(max(a, b), min(a, b)) for a in range(k) for b in range(a, k)])
        return Block(k, l, [element(a, b) for a in range(k) for b in range(l)])

    def __setitem__(self, at: tuple[Any, Any], block: Block | Gram) -> None:
        i, j = at
        r, c = self._place(i), self._place(j)
        half = isinstance(block, Gram) and not self.general  # below the diagonal, as everything else
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row[: a + 1] if half else row):
                self.tree.t.act("mstore", (r, c, self.tree.t.operand(e)), (self.number, a, b))
        self.version += 1


class RolledCoordinates:
    """An input array, split by body."""

    def __init__(self, tree: RolledTree, name: str, kind: str) -> None:
        self.tree, self.name, self.kind = tree, name, kind

    def __getitem__(self, i: BodyRow) -> JointVector:
        joint = self.tree._sample(i).joint
        count, values = (joint.nq if self.kind == "q" else joint.nv), self.tree.offsets[self.kind]
        if isinstance(i, BodyRows):
            start = self.tree._index(i, f"{self.kind} offset", values)
            return JointVector(*(self.tree.t.expr("inx", (start,), (self.name, c)) for c in range(count)))
        return JointVector(*(self.tree.t.expr("in", (), (self.name, int(values[i]) + c)) for c in range(count)))
