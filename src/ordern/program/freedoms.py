"""Eliminations one degree of freedom at a time: the joints' tree with a row for each of them, one after the other
within a joint.

A loop over joints has a case for each pair of kinds, and each case holds blocks of up to 6 x 6 numbers: with eight
kinds of joints more text than the robot written out. Degrees of freedom are all of one kind: the same sweeps are a few
loops over single numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.paths import SIZES, FreedomPaths
from ..scalars.primitives import Array, Scalar
from ..spatial.joint_space import JointVector
from .column_walks import ColumnWalks
from .ir import IRLoop
from .rolled import RolledTree
from .storage import BodyRow, BodyRows, Case, ColumnBlock, RolledMatrix, RolledTable

if TYPE_CHECKING:
    from ..model.by_body import PerBody, StoredPerBody

__all__ = ["FreedomTree", "FreedomWalks"]


class FreedomTree(ColumnWalks):
    """Row k + 1 is degree of freedom k; shares the program, its tables and its matrices with the joints' tree."""

    def __init__(self, joints: RolledTree) -> None:
        self.joints, self.t, self.model = joints, joints.t, joints.model
        self.states, self.tables, self.matrices, self.indices = (
            joints.states,
            joints.tables,
            joints.matrices,
            joints.indices,
        )
        self.shared = joints.shared  # who is told that tracing again may find more
        self.alone = joints.alone
        count = self.model.nv
        self.kinds = np.array([-1] + [0] * count)
        self.parents = np.zeros(count + 1, int)
        for i in self.model.free:
            first, size = self.model.offsets[i][1] + 1, self.model.bodies[i].joint.nv
            before = self.model.parents[i]
            self.parents[first] = self.model.offsets[before][1] + self.model.bodies[before].joint.nv if before else 0
            self.parents[first + 1 : first + size] = np.arange(first, first + size - 1)
        self.plan: Sequence[Any] = [range(1, count + 1)]
        self.offsets = {"v": np.arange(-1, count)}

    def _loop(self, kind: str, start: int, stop: int = 0, step: int = 1) -> IRLoop:
        return self.joints._loop(kind, start, stop, step)

    def _depth(self, i: int) -> int:
        depth = 0
        while i:
            i, depth = int(self.parents[i]), depth + 1
        return depth

    def index_column(self, name: str, values: object) -> int:
        """Its own columns."""
        return super().index_column(f"freedom {name}", values)

    def degrees(self, i: BodyRow | ColumnBlock) -> int:
        """One."""
        return i.width if isinstance(i, ColumnBlock) else 1

    def dofs(self, name: str, kind: str = "v") -> Any:
        """A table of single numbers."""
        made = RolledTable(self, name, None, None)
        made.forms.setdefault(0, JointVector(0))
        return made

    def matrix_of(self, matrix: RolledMatrix) -> RolledMatrix:
        """The same workspace by degrees of freedom."""
        made = RolledMatrix.__new__(RolledMatrix)
        made.tree, made.name, made.number, made.version, made.general = (
            self,
            matrix.name,
            matrix.number,
            matrix.version,
            matrix.general,
        )
        return made

    def spread(self, table: StoredPerBody[JointVector], i: BodyRow, value: JointVector) -> None:
        """The elements of a joint's vector, each into its row."""
        for c, e in enumerate(value):
            table[self._freedom(i, c)] = JointVector(e)

    def gathered(self, table: PerBody[JointVector]) -> Any:
        """A table of single numbers as joint vectors."""
        return _Gathered(self, table)

    def _freedom(self, i: BodyRow, c: int) -> BodyRow:
        """The row of a joint's degree of freedom c."""
        starts = self.joints.offsets["v"]
        if not isinstance(i, BodyRows):
            return int(starts[i]) + 1 + c
        return BodyRows(
            self.t.node("iaff", (self.joints._index(i, "v offset", starts),), (1, 1 + c)), starts[i.rows] + 1 + c, 0
        )


class _Gathered:
    """Joint vectors from a table of single numbers."""

    def __init__(self, tree: FreedomTree, table: PerBody[JointVector]) -> None:
        self.tree, self.table = tree, table

    def __getitem__(self, i: BodyRow) -> JointVector:
        rows = (self.tree._freedom(i, c) for c in range(self.tree.joints.degrees(i)))
        return JointVector(*(self.table[row][0] for row in rows))


class FreedomWalks:
    """What FreedomRows offers, with walks that are loops; results go straight to the program's output."""

    def __init__(self, tree: RolledTree) -> None:
        self.tree, self.t, self.paths = FreedomTree(tree), tree.t, FreedomPaths(tree.model)
        self.rows = np.arange(1, self.paths.n + 1)

    def row(self, i: BodyRow, c: int) -> BodyRow:
        """Of degree of freedom c of joint i."""
        return self.tree._freedom(i, c)

    def inward(self, stage: str) -> Iterator[Any]:
        """All rows, tips to base."""
        for a, _ in self.tree.inward(stage):
            yield a

    def above(self, r: BodyRow) -> Iterator[Any]:
        """Rows of the joints nearer to the base, from the nearest on."""
        for _, k in self.tree.upward(self._at(r, "first", self.paths.first)):
            yield k

    def peers(self, r: BodyRow) -> Iterator[Any]:
        """Rows of the same joint, the last one first."""
        loop = self.tree._loop("upward", self.tree.at(self._at(r, "last", self.paths.last)))
        loop.parent = self.tree.index_column("peer", self.paths.peer)
        with Case(self.tree, loop, (0,)):
            yield BodyRows(self.t.node("loopvar", (), (loop.number,)), self.rows, 0)
        self.tree._close(loop, ())

    def table(self, name: str) -> Any:
        """A value a row."""
        return RolledTable(self.tree, name, None, None)

    def put(self, where: str, a: BodyRow, j: BodyRow, k: BodyRow, values: Iterable[Scalar]) -> None:
        """The second derivatives of three rows."""
        names = (f"{where} {which}" for which in ("a", "j", "k"))
        x, y, z = (
            self._index(r, name, column)
            for r, name, column in zip((a, j, k), names, self.paths.columns(where), strict=True)
        )
        at = self.t.node("isum", (self.t.node("isum", (x, y)), z))
        for c, value in enumerate(values):
            self.t.act("outx", (at, self.t.operand(value)), ("out0", self.paths.base[where] + c, SIZES[where]))

    def _at(self, r: BodyRow, name: str, values: Array) -> BodyRow:
        """A row by a column of this one; a joint's only row is its own first and last."""
        if np.array_equal(values, np.arange(len(values))):
            return r
        if not isinstance(r, BodyRows):
            return int(values[r])
        return BodyRows(self._index(r, name, values), self.rows, None)  # walks begin there: nobody asks of which kind

    def _index(self, r: BodyRow, name: str, values: Array) -> int:
        return (
            self.tree._index(r, name, values)
            if isinstance(r, BodyRows)
            else self.t.node("iconst", (), (int(values[r]),))
        )
