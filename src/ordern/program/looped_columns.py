"""Straight-line programs whose sweeps over columns are loops, through workspace matrices and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model import Model
from ..model.thresholds import LARGEST
from ..scalars.primitives import is_zero
from ..spatial.joint_space import Block, Gram, JointVector
from ..tree import Matrix
from .freedoms import FreedomTree
from .storage import MEMORY, RolledMatrix, RolledTable, State
from .trace import Tracer, TraceTree
from .wide_results import LongTree

if TYPE_CHECKING:
    from ..model.by_body import PerBody, StoredPerBody

__all__ = ["LoopedColumns"]


class LoopedColumns(TraceTree):
    """The joints' tree, written out; ``loops`` has the tables and matrices of its sweeps, if they are loops."""

    def __init__(self, model: Model, tracer: Tracer, alone: bool) -> None:
        super().__init__(model, tracer)
        self.alone, self.loops = alone, None

    loops: LongTree | None

    def by_freedom(self) -> Any:
        """One row a degree of freedom where columns are many."""
        loops = LongTree(self.model, self.t, [], {})
        loops.alone = self.alone
        columns = _Columns(loops)
        if 2 * columns.products() <= LARGEST:
            return self
        self.loops = loops
        return _WrittenFreedoms(self, columns)


class _WrittenFreedoms(TraceTree):
    """The rows of freedoms.py, each by itself."""

    def __init__(self, joints: TraceTree, columns: _Columns) -> None:
        super().__init__(joints.model, joints.t)
        self.columns, self.parents = columns, columns.parents.tolist()
        free = [(i, c) for i in self.model.free for c in range(self.model.bodies[i].joint.nv)]
        self.joint_of = [(0, 0), *free]
        self.rows_of = {at: row for row, at in enumerate(self.joint_of)}

    def outward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Base to tips."""
        self.enter(stage)
        yield from list(enumerate(self.parents))[1:]

    def inward(self, stage: str = "") -> Iterator[tuple[Any, Any]]:
        """Tips to base."""
        self.enter(stage)
        yield from reversed(list(enumerate(self.parents))[1:])

    def upward(self, i: Any) -> Iterator[tuple[Any, Any]]:
        """Towards the base."""
        while self.parents[i]:
            yield i, self.parents[i]
            i = self.parents[i]

    def degrees(self, i: Any) -> int:
        """One."""
        return 1

    def stored(self, name: str, at: Any, value: object) -> Any:
        """Called by joints: limbs are told by these."""
        rows = [self.joint_of[r] for r in (at if isinstance(at, tuple) else (at,))]
        joints = tuple(i for i, _ in rows)
        self.t.label(" ".join([name, *(str(c) for _, c in rows)]), joints if len(rows) > 1 else joints[0], value)
        return value

    def matrix_of(self, matrix: Matrix) -> Matrix:
        """A symmetric matrix, in single numbers."""
        made = Matrix(self, matrix.name)
        for r, c, e in self.columns.numbers(matrix, self.rows_of):
            if c <= r:
                made.blocks[r, c] = Gram(1, [e]) if r == c else Block(1, 1, [e])
        return made

    def spread(self, table: StoredPerBody[JointVector], i: int, value: JointVector) -> None:
        """A joint's vector, number by number."""
        for c, e in enumerate(value):
            table[self.rows_of[i, c]] = JointVector(e)

    def gathered(self, table: PerBody[JointVector]) -> Any:
        """Single numbers as joint vectors."""
        made = self.dofs("gathered")
        for i in self.model.free:
            many = range(self.model.bodies[i].joint.nv)
            made.rows[i] = JointVector(*(table[self.rows_of[i, c]][0] for c in many))
        return made

    def in_columns(self, *held: Any) -> tuple[Any, ...]:
        """Loops, and what they read in memory."""
        return self.columns, *self.columns.hold(held, self.rows_of)


class _InMemory(RolledTable):
    """Nothing in it is known beforehand: no need to trace twice."""

    def _state(self, leaf: object, at: int) -> State:
        return MEMORY


class _Columns(FreedomTree):
    """Sweeps over columns of what was written out before."""

    def products(self) -> int:
        """Of the sweeps, were they written out: X^T times the rows that columns reach, X times all rows."""
        above = self._above()[1:, 1:].astype(int)
        related = np.minimum(above + above.T, 1)
        return int(2 * (related @ above.sum(axis=1)).sum() + 3 * (above @ related).sum())

    def table(self, name: str, base: object = None, fill: object = None) -> Any:
        """In memory."""
        return _InMemory(self, name, base, fill)

    def numbers(self, matrix: Matrix, rows_of: dict[tuple[int, int], int]) -> Iterator[tuple[int, int, Any]]:
        """Row, column and value of what is not zero, in rows of degrees of freedom."""
        for (i, j), block in matrix.blocks.items():
            for a, line in enumerate(block.dense()):
                for b, e in enumerate(line):
                    yield rows_of[i, a], rows_of[j, b], e

    def hold(self, held: tuple[Any, ...], rows_of: dict[tuple[int, int], int]) -> list[Any]:
        """Matrices by joints or by rows, and tables by rows, in memory."""
        own = {(r, 0): r for r in rows_of.values()}
        made: list[Any] = []
        for x in held:
            if not isinstance(x, Matrix):
                to = self.table(x.name)
                for r, value in x.rows.items():
                    to[r] = value
                made.append(to)
                continue
            by_row = isinstance(x.tree, _WrittenFreedoms)
            matrix = RolledMatrix(self, x.name, not by_row, "all" if self.alone else "")
            for r, c, e in self.numbers(x, own if by_row else rows_of):
                if not (self.alone and is_zero(e)):
                    matrix[r, c] = Block(1, 1, [e])
            made.append(matrix)
        for matrix in made:
            if isinstance(matrix, RolledMatrix) and not self.alone:
                self._blank(matrix)
        return made
