"""Long chains stay loops: a tree whose walks yield one symbolic row a kind of joint, so that a program does not grow
with n.

``table[row]`` becomes a load or a store. Columns that hold one constant in all rows stay constants, and columns that
repeat a constant of the model are read from there; both are found by tracing again until no store disagrees with what
was assumed (a column can only go from constant to memory, so this ends).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np

from ..model import Body, Model, Placement
from ..model.model_scalars import plain, rotation_structure, turning
from ..model.regular import central
from ..model.thresholds import UNROLL
from ..scalars.primitives import Array
from ..spatial import Mat3, RigidInertia, Sym3, Transform, Vec3, Wrench
from ..spatial.inertia import any_cholesky, central_of, centre_of
from ..spatial.joint_space import JointVector
from ..tree import JointView, Tree
from .columns import CONSTANTS, two_turns, widest
from .ir import IRLoop
from .schedule import schedule
from .storage import BodyRow, BodyRows, Case, RolledMatrix, RolledTable, RolledTotal
from .trace import Tracer, TraceTree

__all__ = ["RolledTree", "BodyRows", "schedule"]


class RolledTree(TraceTree):
    """A tree whose runs of bodies are loops; single bodies are as in TraceTree."""

    def __init__(
        self, model: Model, tracer: Tracer, plan: Sequence[Any], states: dict[Any, Any], first: RolledTree | None = None
    ) -> None:
        super().__init__(model, tracer)
        self.plan, self.states, self.changed = plan, states, False
        self.alone = self.in_blocks = False  # whether it is for one state at a time; whether columns came in blocks
        names = sorted({b.joint.name for b in model.bodies[1:]})
        self.kinds = np.array([-1] + [names.index(b.joint.name) for b in model.bodies[1:]])
        self.parents = np.array(model.parents)
        shared = self if first is None else first
        self.tables: list[RolledTable] = [] if first is None else first.tables
        self.matrices: list[RolledMatrix] = [] if first is None else first.matrices
        self.columns: dict[str, Any] = {} if first is None else first.columns
        self.indices: dict[str, Any] = {} if first is None else first.indices
        self._numbers: Iterator[int] = count(1) if first is None else first._numbers  # of loops
        self.shared, self._copies = shared, 0
        self.mark = "" if first is None else f"model {first._copies} "  # in front of the names of its constants
        # the model's constants as arrays: the same in every retrace
        self._values: dict[str, Any] = states.setdefault(f"constants {self.mark}", {})
        self._forms: dict[int, str] = {}
        self._varied: RolledTable | None = None
        self.offsets = {"q": np.array([o[0] for o in model.offsets]), "v": np.array([o[1] for o in model.offsets])}
        self._forces: RolledTable | None = None

    def beside(self, model: Model) -> RolledTree:
        """Another model with the same joints, for a part of the same program."""
        self._copies += 1
        return RolledTree(model, self.t, self.plan, self.states, self)

    # --- walks --------------------------------------------------------------------------------------------------------
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
            with Case(self, loop, (kind,)):
                i = BodyRows(self.t.node("loopvar", (), (loop.number,)), rows[self.kinds[rows] == kind], kind)
                yield i, self.parent(i)
        self._close(loop, ("kind",))

    def upward(self, i: BodyRow) -> Iterator[tuple[Any, Any]]:
        """Towards the base, while the parent is not the world; concrete where the way is short."""
        if not isinstance(i, BodyRows) and len(self.t.blocks) == 1 and self._depth(i) <= UNROLL:
            yield from Tree.upward(self, i)
            return
        pairs = self._pairs(i)
        if not pairs:
            return
        start = self.at(i)
        loop = self._loop("upward", start)
        loop.parent = self.index_column("parent", self.parents)
        for (kj, kk), rows in pairs.items():
            with Case(self, loop, (kj, kk)):
                j = BodyRows(self.t.node("loopvar", (), (loop.number,)), rows, kj)
                yield j, self.parent(j)
        self._close(loop, ("kind", "kind"))

    def path(self, i: int) -> Iterator[tuple[Any, Any]]:
        """To the base, the last step into the world included."""
        if self.short(i):
            yield from Tree.path(self, i)
            return
        yield from self.upward(i)
        while self.model.parents[i]:
            i = self.model.parents[i]
        yield i, 0

    def until(self, i: object) -> Iterator[tuple[Any, Any]]:
        """All bodies, outward: a loop has fixed ends."""
        yield from self.outward(self.t.stage)

    def since(self, i: object) -> Iterator[tuple[Any, Any]]:
        """All bodies, inward."""
        yield from self.inward(self.t.stage)

    def links(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """All links."""
        self.enter(stage)
        links = len(self.model.links)
        loop = self._loop("range", 0, links)
        bodies = np.array([link.body for link in self.model.links])
        with Case(self, loop, (0,)):
            k = BodyRows(self.t.node("loopvar", (), (loop.number,)), np.arange(links), 0, "link")
            yield k, self._row(self._index(k, "body of link", bodies), bodies)
        self._close(loop, ())

    def _loop(self, kind: str, start: int, stop: int = 0, step: int = 1) -> IRLoop:
        return IRLoop(next(self._numbers), kind, start, stop, step)

    def _close(self, loop: IRLoop, selectors: tuple[str, ...]) -> None:
        if len(loop.cases) > 1:
            loop.selectors = tuple(self.index_column(s, self.kinds) for s in selectors)
        self.t.blocks[-1].append(loop)

    def _pairs(self, i: BodyRow) -> dict[tuple[int, int], Any]:
        """(kind of j, kind of its parent) pairs from i to the base, by first appearance, with their rows j."""
        seen = np.zeros(len(self.parents), bool)
        front = np.unique(i.rows if isinstance(i, BodyRows) else np.array([i]))
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

    def short(self, i: int) -> bool:
        """Whether the way from body i to the base is written out."""
        return self._depth(i) <= UNROLL

    def _depth(self, i: int) -> int:
        depth = 0
        while i and depth <= UNROLL:
            i, depth = self.model.parents[i], depth + 1
        return depth

    # --- rows ---------------------------------------------------------------------------------------------------------
    def parent(self, i: BodyRows) -> Any:
        """The parent row; an integer where it is the same for all."""
        parents = self.parents[i.rows]
        return (
            self._row(self._index(i, "parent", self.parents), parents)
            if parents.min() != parents.max()
            else int(parents[0])
        )

    def _row(self, id: int, rows: Array) -> BodyRows:
        rows = np.unique(rows)
        kinds = np.unique(self.kinds[rows])
        return BodyRows(id, rows, int(kinds[0]) if len(kinds) == 1 else None)

    def _index(self, i: BodyRows, name: str, values: Array) -> int:
        """An integer that depends on the row: affine where it can be, else read from a column."""
        at = values[i.rows]
        first, shift = int(i.rows[0]), 1
        if len(at) > 1:
            shift = int((at[1] - at[0]) // (i.rows[1] - i.rows[0]))
        offset = int(at[0]) - shift * first
        if np.array_equal(at, shift * i.rows + offset):
            return i.id if (shift, offset) == (1, 0) else self.t.node("iaff", (i.id,), (shift, offset))
        return self.t.node("iload", (i.id,), (self.index_column(name, values),))

    def index_column(self, name: str, values: object) -> int:
        """The number of an integer column."""
        self.indices.setdefault(name, values)
        return list(self.indices).index(name)

    def at(self, i: BodyRow) -> int:
        """The index node of a row."""
        return i.id if isinstance(i, BodyRows) else self.t.node("iconst", (), (i,))

    def degrees(self, i: BodyRow) -> int:
        """How many degrees of freedom joint i has."""
        return int(self._sample(i).joint.nv)

    def plain_coordinates(self, i: BodyRow) -> bool:
        """Whether the joint's coordinates are its velocities' integrals: no quaternions."""
        return bool(self._sample(i).joint.plain)

    def _sample(self, i: BodyRow) -> Body:
        return self.model.bodies[int(i.rows[0]) if isinstance(i, BodyRows) else i]

    # --- constants ----------------------------------------------------------------------------------------------------
    def _column(self, i: BodyRows, what: str, k: int = 0) -> Any:
        """One constant of the model, for all rows: a number where they agree, else a column."""
        name = f"{i.space} {what} {k}"
        values = self._values.get(name)
        if values is None:
            things: Sequence[Any] = self.model.bodies if i.space == "body" else self.model.links
            values = self._values[name] = np.array([CONSTANTS[what](x, k) for x in things], float)
        return self.constants(i, name, values)

    def constants(self, i: BodyRows, name: str, values: Array) -> Any:
        """The row's own of an array with one number a body (or link)."""
        mine, name = values[i.rows], self.mark + name
        if (mine == mine[0]).all():
            return plain(float(mine[0]))
        self.columns.setdefault(name, values)
        return self.t.expr("cload", (i.id,), (list(self.columns).index(name),))

    def given(self, i: BodyRow, name: str, places: Array) -> Any:
        """One number of an input array, at the place that belongs to a body."""
        if isinstance(i, BodyRows):
            return self.t.expr("inx", (self._index(i, f"place in {name}", places),), (name, 0))
        return self.t.expr("in", (), (name, int(places[i])))

    def _joint(self, i: BodyRow) -> JointView:
        if not isinstance(i, BodyRows):
            body = self.model.bodies[i]
            joint = type(body.joint)(*(plain(c) for c in body.joint.constants))
            return JointView(joint, *self._laid(body.placement, self._form(int(self.kinds[i]))))
        sample = self._sample(i).joint
        joint = type(sample)(*(self._column(i, "joint", k) for k in range(len(sample.constants))))
        return JointView(joint, *self._placement(i, self._form(int(i.kind or 0))))

    def _form(self, kind: int) -> str:
        """One form of placement for all bodies with a kind of joint, so that their rows look alike."""
        if kind not in self._forms:
            rows = np.flatnonzero(self.kinds == kind).tolist()
            self._forms[kind] = widest({rotation_structure(self.model.bodies[k].placement.rotation) for k in rows})
        return self._forms[kind]

    def _laid(self, at: Placement, form: str) -> tuple[Any, Vec3]:
        r = list(at.rotation)
        if form == "xz":
            r[8], r[7], r[0], r[3] = two_turns(at.rotation)
        return turning(r, plain, form), Vec3(*(plain(x) for x in at.origin))

    def _placement(self, i: BodyRows, form: str) -> tuple[Any, Vec3]:
        r = [self._column(i, "rotation", k) for k in range(9)]
        if form == "xz":  # for the rows with one turn only, the other one is no turn
            r[8], r[7], r[0], r[3] = (self._column(i, "two turns", k) for k in range(4))
        return turning(r, lambda x: x, form), Vec3(*(self._column(i, "origin", k) for k in range(3)))

    def vary(self, inertias: RolledTable | None) -> None:
        """Inertias that are not the model's: from now on they are read from this table."""
        self._varied = inertias

    def _inertia(self, i: BodyRow) -> RigidInertia:
        if self._varied is not None:
            made: RigidInertia = self._varied[i]
            return made
        if not isinstance(i, BodyRows):
            return super()._inertia(i)
        h = Vec3(*(self._column(i, "h", k) for k in range(3)))
        return RigidInertia(self._column(i, "m"), h, Sym3(*(self._column(i, "I", k) for k in range(6))))

    def _centre(self, i: BodyRow) -> Vec3:
        if self._varied is not None:
            return centre_of(self.inertia[i]) if isinstance(i, BodyRows) or i else Vec3.zero()
        if not isinstance(i, BodyRows):
            return super()._centre(i)
        for k in range(3):  # the world's own inertia takes no part
            self._values.setdefault(
                f"body centre {k}", np.array([0.0, *(central(b.inertia)[0][k] for b in self.model.bodies[1:])])
            )
        return Vec3(*(self._column(i, "centre", k) for k in range(3)))

    def _central(self, i: BodyRow) -> RigidInertia:
        if self._varied is not None:
            return central_of(self.inertia[i], self.centre[i])
        if not isinstance(i, BodyRows):
            return super()._central(i)
        return RigidInertia(self._column(i, "m"), Vec3.zero(), Sym3(*(self._column(i, "Ic", k) for k in range(6))))

    def _root(self, i: BodyRow) -> Mat3:
        if self._varied is not None:
            return any_cholesky(self.central[i].I)
        if not isinstance(i, BodyRows):
            return super()._root(i)
        a, b, c, d, e, f = (self._column(i, "root", k) for k in (0, 3, 4, 6, 7, 8))
        return Mat3(a, 0, 0, b, c, 0, d, e, f)

    def _regular(self, i: BodyRow) -> RigidInertia:
        if not isinstance(i, BodyRows):
            return super()._regular(i)
        for k in range(10):
            self._values.setdefault(f"body regular {k}", np.array([(m.m, *m.h, *m.I)[k] for m in self.filled]))
        m, x, y, z, *tensor = (self._column(i, "regular", k) for k in range(10))
        made = RigidInertia(m, Vec3(x, y, z), Sym3(*tensor))
        if self._varied is None:
            return made
        h = Vec3(*(self._column(i, "h", k) for k in range(3)))
        own, given = (
            RigidInertia(self._column(i, "m"), h, Sym3(*(self._column(i, "I", k) for k in range(6)))),
            self.inertia[i],
        )
        return RigidInertia(made.m - own.m + given.m, made.h - own.h + given.h, made.I - own.I + given.I)

    def of_joint(self, i: object, what: str) -> JointVector:
        """A property of joint i with one number a velocity, or a coordinate where it is a place."""
        if not isinstance(i, BodyRows):
            return super().of_joint(i, what)
        joint = self._sample(i).joint
        return JointVector(*(self._column(i, what, k) for k in range(joint.nq if what == "springref" else joint.nv)))

    def taut(self, i: BodyRow) -> bool:
        """Whether springs are on some of the joints."""
        return any(self.model.bodies[r].stiffness for r in (i.rows.tolist() if isinstance(i, BodyRows) else (i,)))

    def _frame(self, k: BodyRow) -> Transform:
        if not isinstance(k, BodyRows):
            return super()._frame(k)
        form = widest({rotation_structure(self.model.links[j].placement.rotation) for j in k.rows.tolist()})
        return Transform(*self._placement(k, form))

    def _wrench(self, i: BodyRow) -> Wrench:
        if not self._external:
            return Wrench.zero()
        assert self._forces is not None, "external wrenches are laid out before the algorithm runs"
        found: Wrench = self._forces[i]
        return found

    def lay_external(self) -> None:
        """Put the given wrenches where loops can read them."""
        if self._external:
            self._forces = self.table("external", fill=Wrench.zero())
            for body, wrench in self._external.items():
                self._forces[body] = wrench

    # --- storage ------------------------------------------------------------------------------------------------------
    def table(self, name: str, base: object = None, fill: object = None) -> Any:
        """A table in the workspace."""
        return RolledTable(self, name, base, fill)

    def dofs(self, name: str, kind: str = "v") -> Any:
        """A table of joint vectors; kind "q" for coordinates."""
        made = RolledTable(self, name, None, None)
        for part in self.plan:
            for i in [part] if isinstance(part, int) else part:
                joint = self.model.bodies[i].joint
                made.forms.setdefault(int(self.kinds[i]), JointVector.zero(joint.nq if kind == "q" else joint.nv))
        return made

    def link_table(self, name: str) -> Any:
        """A table with one row a link."""
        return RolledTable(self, name, None, None)

    def matrix(self, name: str, general: bool = False, zeros: str = "all") -> Any:
        """A square workspace."""
        return RolledMatrix(self, name, general, zeros)

    def total(self, name: str, start: object) -> Any:
        """A sum in row 0 of a table."""
        return RolledTotal(self.table(name, base=start))

    def by_freedom(self) -> Any:
        """BodyRows by row where some joint has several degrees of freedom; joints with one are rows already."""
        if all(b.joint.nv == 1 for b in self.model.bodies[1:]):
            return self
        from .freedoms import FreedomTree

        return FreedomTree(self)

    def freedoms(self) -> Any:
        """Degrees of freedom as rows of their own, in loops."""
        from .freedoms import FreedomWalks

        return FreedomWalks(self)
