"""Long chains stay loops: a tree whose walks yield one symbolic row a kind of joint, so that a program does not grow with n.

``table[row]`` becomes a load or a store. Columns that hold one constant in all rows stay constants, and columns that repeat a constant
of the model are read from there; both are found by tracing again until no store disagrees with what was assumed (a column can only go
from constant to memory, so this ends).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..model import Model
from ..small import Block, Gram, KVec
from ..spatial import RigidInertia, Sym3, Transform, Vec3, Wrench
from ..spatial.three import _leaves, _rebuild
from ..tree import JointView, Tree, plain, rotation_structure, turning
from .ir import Loop
from .trace import Expr, Tracer, TraceTree

__all__ = ["RolledTree", "Row", "schedule"]

UNROLL = 40  # up to so many bodies everything is written out (measured: beyond, compile time outgrows what folding saves)
FEW = 3  # joints of a kind with fewer bodies than this are written out even in long robots

MEMORY = ("memory",)


def schedule(model: Model, limit: int = UNROLL) -> list[Any]:
    """Single bodies (int) and runs (range) in topological order."""
    count = len(model.bodies) - 1
    if count <= limit:
        return list(range(1, count + 1))
    kinds = [b.joint.name for b in model.bodies]
    often = {k for k in set(kinds[1:]) if kinds[1:].count(k) >= FEW}
    made: list[Any] = []
    for i in range(1, count + 1):
        if kinds[i] not in often or model.bodies[i].mimic is not None:
            made.append(i)
        elif made and isinstance(made[-1], range):
            made[-1] = range(made[-1].start, i + 1)
        else:
            made.append(range(i, i + 1))
    return [s[0] if isinstance(s, range) and len(s) == 1 else s for s in made]


class Row:
    """A symbolic body (or link): stands for ``rows`` of one kind, or of several where kind is None."""

    __slots__ = ("id", "kind", "rows", "space")

    def __init__(self, id: int, rows: Any, kind: int | None, space: str = "body") -> None:
        self.id, self.rows, self.kind, self.space = id, rows, kind, space


class RolledTree(TraceTree):
    """A tree whose runs of bodies are loops; single bodies are as in TraceTree."""

    def __init__(self, model: Model, tracer: Tracer, plan: Sequence[Any], states: dict[int, Any]) -> None:
        super().__init__(model, tracer)
        self.plan, self.states, self.changed = plan, states, False
        names = sorted({b.joint.name for b in model.bodies[1:]})
        self.kinds = np.array([-1] + [names.index(b.joint.name) for b in model.bodies[1:]])
        self.parents = np.array(model.parents)
        self.tables: list[RolledTable] = []
        self.matrices: list[RolledMatrix] = []
        self.columns: dict[str, Any] = {}
        self.indices: dict[str, Any] = {}
        self._values: dict[str, Any] = {}
        self._loops = 0
        self.offsets = {"q": np.array([o[0] for o in model.offsets]), "v": np.array([o[1] for o in model.offsets])}
        self._forces: RolledTable | None = None

    # --- walks -------------------------------------------------------------------------------------------------------------
    def outward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Base to tips."""
        self.enter(stage)
        for part in self.plan:
            if isinstance(part, range):
                yield from self._run(part, 1)
            else:
                yield part, self.model.parents[part]

    def inward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Tips to base."""
        self.enter(stage)
        for part in reversed(self.plan):
            if isinstance(part, range):
                yield from self._run(part, -1)
            else:
                yield part, self.model.parents[part]

    def _run(self, part: range, step: int) -> Iterator[tuple[Any, Any]]:
        start, stop = (part.start, part.stop) if step > 0 else (part.stop - 1, part.start - 1)
        loop = self._loop("range", start, stop, step)
        rows = np.arange(part.start, part.stop)
        for kind in dict.fromkeys(self.kinds[rows].tolist()):
            with _Case(self, loop, (kind,)):
                i = Row(self.t.node("loopvar", loop.number), rows[self.kinds[rows] == kind], kind)
                yield i, self.parent(i)
        self._close(loop, ("kind",))

    def upward(self, i: Any) -> Iterator[tuple[Any, Any]]:
        """Towards the base, while the parent is not the world; concrete where the way is short."""
        if not isinstance(i, Row) and len(self.t.blocks) == 1 and self._depth(i) <= UNROLL:
            yield from Tree.upward(self, i)
            return
        pairs = self._pairs(i)
        if not pairs:
            return
        start = i.id if isinstance(i, Row) else self.t.node("iconst", i)
        loop = self._loop("upward", start)
        loop.parent = self.index_column("parent", self.parents)
        for (kj, kk), rows in pairs.items():
            with _Case(self, loop, (kj, kk)):
                j = Row(self.t.node("loopvar", loop.number), rows, kj)
                yield j, self.parent(j)
        self._close(loop, ("kind", "kind"))

    def path(self, i: Any) -> Iterator[tuple[Any, Any]]:
        """To the base, the last step into the world included."""
        if self._depth(i) <= UNROLL:
            yield from Tree.path(self, i)
            return
        yield from self.upward(i)
        while self.model.parents[i]:
            i = self.model.parents[i]
        yield i, 0

    def links(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """All links."""
        self.enter(stage)
        count = len(self.model.links)
        loop = self._loop("range", 0, count)
        bodies = np.array([link.body for link in self.model.links])
        with _Case(self, loop, (0,)):
            k = Row(self.t.node("loopvar", loop.number), np.arange(count), 0, "link")
            yield k, self._row(self._index(k, "body of link", bodies), bodies)
        self._close(loop, ())

    def _loop(self, kind: str, start: int, stop: int = 0, step: int = 1) -> Loop:
        self._loops += 1
        return Loop(self._loops, kind, start, stop, step)

    def _close(self, loop: Loop, selectors: tuple[str, ...]) -> None:
        if len(loop.cases) > 1:
            loop.selectors = tuple(self.index_column(s, self.kinds) for s in selectors)
        self.t.blocks[-1].append(loop)

    def _pairs(self, i: Any) -> dict[tuple[int, int], Any]:
        """The (kind of j, kind of its parent) that occur on the way from i to the base, in order of appearance, with the rows of j."""
        seen = np.zeros(len(self.parents), bool)
        front = np.unique(i.rows if isinstance(i, Row) else np.array([i]))
        found: dict[tuple[int, int], list[int]] = {}
        while front.size:
            seen[front] = True
            for j in front.tolist():
                p = int(self.parents[j])
                if p:
                    found.setdefault((int(self.kinds[j]), int(self.kinds[p])), []).append(j)
            front = np.unique(self.parents[front])
            front = front[(front != 0) & ~seen[front]]
        return {pair: np.array(sorted(rows)) for pair, rows in found.items()}

    def _depth(self, i: int) -> int:
        depth = 0
        while i and depth <= UNROLL:
            i, depth = self.model.parents[i], depth + 1
        return depth

    # --- rows --------------------------------------------------------------------------------------------------------------
    def parent(self, i: Row) -> Any:
        """The parent row; an integer where it is the same for all."""
        parents = self.parents[i.rows]
        return self._row(self._index(i, "parent", self.parents), parents) if parents.min() != parents.max() else int(parents[0])

    def _row(self, id: int, rows: Any) -> Row:
        rows = np.unique(rows)
        kinds = np.unique(self.kinds[rows])
        return Row(id, rows, int(kinds[0]) if len(kinds) == 1 else None)

    def _index(self, i: Row, name: str, values: Any) -> int:
        """An integer that depends on the row: affine where it can be, else read from a column."""
        at = values[i.rows]
        first, shift = int(i.rows[0]), 1
        if len(at) > 1:
            shift = int((at[1] - at[0]) // (i.rows[1] - i.rows[0]))
        offset = int(at[0]) - shift * first
        if np.array_equal(at, shift * i.rows + offset):
            return i.id if (shift, offset) == (1, 0) else self.t.node("iaff", i.id, shift, offset)
        return self.t.node("iload", self.index_column(name, values), i.id)

    def index_column(self, name: str, values: Any) -> int:
        """The number of an integer column."""
        self.indices.setdefault(name, values)
        return list(self.indices).index(name)

    def at(self, i: Any) -> int:
        """The index node of a row."""
        return i.id if isinstance(i, Row) else self.t.node("iconst", i)

    def degrees(self, i: Any) -> int:
        """How many degrees of freedom joint i has."""
        return self._sample(i).joint.nv

    def _sample(self, i: Any) -> Any:
        return self.model.bodies[int(i.rows[0]) if isinstance(i, Row) else i]

    # --- constants ---------------------------------------------------------------------------------------------------------
    def _column(self, i: Row, name: str, of: Callable[[Any], float]) -> Any:
        """One constant of the model, for all rows: a number where they agree, else a column."""
        name = f"{i.space} {name}"
        values = self._values.get(name)
        if values is None:
            values = self._values[name] = np.array([of(x) for x in (self.model.bodies if i.space == "body" else self.model.links)], float)
        mine = values[i.rows]
        if (mine == mine[0]).all():
            return plain(float(mine[0]))
        self.columns.setdefault(name, values)
        return self.t.expr("cload", list(self.columns).index(name), i.id)

    def _joint(self, i: Any) -> JointView:
        if not isinstance(i, Row):
            return super()._joint(i)
        cls, count = type(self._sample(i).joint), len(self._sample(i).joint.constants)

        def constant(k: int) -> Callable[[Any], float]:
            return lambda b: b.joint.constants[k] if isinstance(b.joint, cls) else 0.0

        joint = cls(*(self._column(i, f"{cls.__name__} {k}", constant(k)) for k in range(count)))
        return JointView(joint, *self._placement(i))

    def _placement(self, i: Row) -> tuple[Any, Vec3]:
        things = self.model.bodies if i.space == "body" else self.model.links
        form = _widest({rotation_structure(things[k].placement.rotation) for k in i.rows.tolist()})
        r = [self._column(i, f"R{k}", lambda b, k=k: b.placement.rotation[k]) for k in range(9)]
        if form == "xz":  # for the rows with one turn only, the other one is no turn
            r[8] = self._column(i, "cos x", lambda b: _two_turns(b.placement.rotation)[0])
            r[7] = self._column(i, "sin x", lambda b: _two_turns(b.placement.rotation)[1])
            r[0] = self._column(i, "cos z", lambda b: _two_turns(b.placement.rotation)[2])
            r[3] = self._column(i, "sin z", lambda b: _two_turns(b.placement.rotation)[3])
        origin = Vec3(*(self._column(i, f"p{k}", lambda b, k=k: b.placement.origin[k]) for k in range(3)))
        return turning(r, lambda x: x, form), origin

    def _inertia(self, i: Any) -> RigidInertia:
        if not isinstance(i, Row):
            return super()._inertia(i)
        c = self._column
        h = Vec3(*(c(i, f"h{k}", lambda b, k=k: b.inertia.h[k]) for k in range(3)))
        tensor = Sym3(*(c(i, f"I{k}", lambda b, k=k: b.inertia.I[k]) for k in range(6)))
        return RigidInertia(c(i, "m", lambda b: b.inertia.m), h, tensor)

    def _armature(self, i: Any) -> KVec:
        if not isinstance(i, Row):
            return super()._armature(i)
        return KVec(*(self._column(i, f"armature{k}", lambda b, k=k: b.armature[k] if len(b.armature) > k else 0.0) for k in range(self.degrees(i))))

    def _frame(self, k: Any) -> Transform:
        return Transform(*self._placement(k)) if isinstance(k, Row) else super()._frame(k)

    def _wrench(self, i: Any) -> Wrench:
        if not self._external:
            return Wrench.zero()
        if self._forces is None:
            raise AssertionError("external wrenches are laid out before the algorithm runs")
        found: Wrench = self._forces[i]
        return found

    def lay_external(self) -> None:
        """Put the given wrenches where loops can read them."""
        if self._external:
            self._forces = self.table("external", fill=Wrench.zero())
            for body, wrench in self._external.items():
                self._forces[body] = wrench

    # --- storage -----------------------------------------------------------------------------------------------------------
    def table(self, name: str, base: Any = None, fill: Any = None) -> Any:
        """A table in the workspace."""
        return RolledTable(self, name, base, fill)

    def dofs(self, name: str) -> Any:
        """A table of joint vectors."""
        made = RolledTable(self, name, None, None)
        for part in self.plan:
            for i in [part] if isinstance(part, int) else part:
                made.forms.setdefault(int(self.kinds[i]), KVec.zero(self.degrees(i)))
        return made

    def link_table(self, name: str) -> Any:
        """A table with one row a link."""
        return RolledTable(self, name, None, None)

    def matrix(self, name: str) -> Any:
        """A square workspace."""
        return RolledMatrix(self, name)

    def total(self, name: str, start: Any) -> Any:
        """A sum in row 0 of a table."""
        return _RolledTotal(self.table(name, base=start))

    def rolled_coordinates(self, name: str, kind: str) -> Any:
        """An input array split by body."""
        return _RolledCoordinates(self, name, kind)


def _widest(forms: set[str]) -> str:
    """One form that serves all rotations."""
    if len(forms) == 1:
        return next(iter(forms))
    rest = forms - {"1"}
    if len(rest) == 1:
        return next(iter(rest))
    return "xz" if rest <= {"x", "z", "xz"} else "any"


def _two_turns(r: Sequence[float]) -> tuple[float, float, float, float]:
    """cos and sin of alpha and gamma where r = Rz(gamma) Rx(alpha)."""
    return (r[8], r[7], r[0], r[3]) if r[6] == 0.0 else (1.0, 0.0, 1.0, 0.0)


class _Case:
    """A block of a loop while it is traced."""

    def __init__(self, tree: RolledTree, loop: Loop, codes: tuple[int, ...]) -> None:
        self.tree, self.loop, self.codes = tree, loop, codes

    def __enter__(self) -> None:
        self.tree.t.blocks.append([])
        self.tree.t.memo.append({})

    def __exit__(self, *_: object) -> None:
        self.loop.cases.append((self.codes, self.tree.t.blocks.pop()))
        self.tree.t.memo.pop()


class RolledTable:
    """Rows in memory, column by column; columns that never need it stay constants."""

    def __init__(self, tree: RolledTree, name: str, base: Any, fill: Any) -> None:
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

    def _fill(self, fill: Any) -> None:
        loop = self.tree._loop("range", 0, len(self.tree.kinds))
        with _Case(self.tree, loop, (0,)):
            rows = np.arange(len(self.tree.kinds))
            self[Row(self.tree.t.node("loopvar", loop.number), rows, None)] = fill
        self.tree._close(loop, ())

    def _groups(self, i: Any) -> list[int]:
        if isinstance(i, Row):
            if i.space == "link":
                return [0]
            return [i.kind] if i.kind is not None else np.unique(self.tree.kinds[i.rows]).tolist()
        return [int(self.tree.kinds[i])]

    def _raise(self, group: int, column: int, state: Any) -> Any:
        """Join what is known with a new fact."""
        columns = self.known.setdefault(group, [])
        while len(columns) <= column:
            columns.append(None)
        old = columns[column]
        new = state if old is None or old == state else MEMORY
        if new != old:
            columns[column] = new
            self.tree.changed = True
        return new

    def __getitem__(self, i: Any) -> Any:
        inside = len(self.tree.t.blocks) > 1
        if not isinstance(i, Row) and i in self.cache and not inside:
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

    def _load(self, state: Any, column: int, at: int) -> Any:
        if state[0] == "const":
            return state[1]
        if state[0] == "column":
            return self.tree.t.expr("cload", state[1], at)
        return self.tree.t.expr("load", self.number, column, at, self.version.get(column, 0))

    def __setitem__(self, i: Any, value: Any) -> None:
        t, at = self.tree.t, self.tree.at(i)
        self.tree.stored(self.name, i, value)
        groups = self._groups(i)
        for column, leaf in enumerate(_leaves(value)):
            state = self._state(leaf, at)
            made = [self._raise(g, column, state) for g in groups]
            if MEMORY in made:
                for g in groups:
                    self._raise(g, column, MEMORY)
                t.blocks[-1].append(("store", self.number, column, at, t.operand(leaf)))
                self.version[column] = self.version.get(column, 0) + 1
        for g in groups:
            if g in self.forms and not _alike(self.forms[g], value):
                raise AssertionError(f"table {self.name}: rows of one kind hold different structures")
            self.forms[g] = value
        self._remember(i, value)

    def _state(self, leaf: Any, at: int) -> Any:
        if not isinstance(leaf, Expr):
            return ("const", leaf)
        node = self.tree.t.nodes[leaf.id]
        return ("column", node[1]) if node[0] == "cload" and node[2] == at else MEMORY

    def _remember(self, i: Any, value: Any) -> None:
        if isinstance(i, Row):
            for k in [k for k in self.cache if k in i.rows]:
                del self.cache[k]
        elif len(self.tree.t.blocks) > 1:
            self.cache.pop(i, None)
        else:
            self.cache[i] = value


def _alike(a: Any, b: Any) -> bool:
    return type(a) is type(b) and sum(1 for _ in _leaves(a)) == sum(1 for _ in _leaves(b)) or not (hasattr(a, "leaves") or hasattr(b, "leaves"))


class _RolledTotal:
    def __init__(self, table: RolledTable) -> None:
        self.table = table

    def add(self, term: Any) -> None:
        """Add a body's share."""
        self.table[0] = self.table[0] + term

    @property
    def value(self) -> Any:
        """The sum so far."""
        return self.table[0]


class RolledMatrix:
    """A block for each pair of bodies, in one square workspace."""

    def __init__(self, tree: RolledTree, name: str) -> None:
        self.tree, self.name, self.number, self.version = tree, name, len(tree.matrices), 0
        tree.matrices.append(self)
        tree.t.blocks[-1].append(("zero", "matrix", self.number))

    def _place(self, i: Any) -> int:
        values = self.tree.offsets["v"]
        return self.tree._index(i, "v offset", values) if isinstance(i, Row) else self.tree.t.node("iconst", int(values[i]))

    def __getitem__(self, at: tuple[Any, Any]) -> Any:
        i, j = at
        k, l = self.tree.degrees(i), self.tree.degrees(j)
        r, c = self._place(i), self._place(j)

        def element(a: int, b: int) -> Expr:
            return self.tree.t.expr("mload", self.number, r, a, c, b, self.version)

        if self.tree.at(i) == self.tree.at(j):
            return Gram(k, [element(max(a, b), min(a, b)) for a in range(k) for b in range(a, k)])
        return Block(k, l, [element(a, b) for a in range(k) for b in range(l)])

    def __setitem__(self, at: tuple[Any, Any], block: Block | Gram) -> None:
        i, j = at
        r, c = self._place(i), self._place(j)
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row):
                self.tree.t.blocks[-1].append(("mstore", self.number, r, a, c, b, self.tree.t.operand(e)))
        self.version += 1


class _RolledCoordinates:
    def __init__(self, tree: RolledTree, name: str, kind: str) -> None:
        self.tree, self.name, self.kind = tree, name, kind

    def __getitem__(self, i: Any) -> KVec:
        joint = self.tree._sample(i).joint
        count, values = (joint.nq if self.kind == "q" else joint.nv), self.tree.offsets[self.kind]
        if isinstance(i, Row):
            start = self.tree._index(i, f"{self.kind} offset", values)
            return KVec(*(self.tree.t.expr("inx", self.name, start, c) for c in range(count)))
        return KVec(*(self.tree.t.expr("in", self.name, int(values[i]) + c) for c in range(count)))
