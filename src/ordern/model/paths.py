"""Degrees of freedom as rows of their own, row k + 1 for degree of freedom k, and where the second derivatives of three
of them are kept.

Only degrees of freedom on one way to the base have second derivatives together. With a the deepest of three, j and k on
its way, they are packed as

    above   14 numbers for each j above the body of a and each k above the body of j
    own      8 numbers for each j of the joint of a and each k above it
    peers    8 numbers for each j on the way, the joint of a included, and each k of the joint of j

and one zero behind them, for all that has no second derivative. ``cubes`` says where each element of the arrays (n, n,
n) lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..scalars.primitives import Scalar

if TYPE_CHECKING:
    from . import Model

__all__ = ["SIZES", "FreedomPaths", "FreedomRows", "related"]

SIZES = {"above": 14, "own": 8, "peers": 8}


def related(parents: Sequence[int], J: int) -> list[int]:
    """Bodies above and below body J, and itself, base to tips; O(n)."""
    above, below, i = set(), {J}, J
    while i:
        above.add(i)
        i = parents[i]
    for k in range(J + 1, len(parents)):
        if parents[k] in below:
            below.add(k)
    return sorted(above | below)


class FreedomPaths:
    """Columns with one integer a row; row 0 is the world."""

    def __init__(self, model: Model) -> None:
        rows = model.nv + 1
        self.n = model.nv
        self.first, self.last, self.parent, self.over, self.depth, self.size = (np.zeros(rows, int) for _ in range(6))
        self.rank, self.peer_rank = np.zeros(rows, int), np.zeros(rows, int)
        self.start = {where: np.zeros(rows, int) for where in SIZES}
        end: dict[int, int] = {0: 0}  # the last row on the way to a body
        count = dict.fromkeys(SIZES, 0)
        for i in range(1, len(model.bodies)):
            nv, at, before = model.bodies[i].joint.nv, model.offsets[i][1] + 1, end[model.parents[i]]
            over = int(self.depth[before]) + 1 if before else 0  # degrees of freedom above this body
            for c in range(nv):
                r, p = at + c, at + c - 1 if c else before
                self.first[r], self.last[r], self.parent[r], self.size[r] = at, at + nv - 1, p, nv
                self.over[r], self.depth[r] = over, over + c
                self.rank[r] = self.rank[p] + self.over[p] if p else 0
                self.peer_rank[r] = self.peer_rank[p] + self.size[p] if p else 0
            for r in range(at, at + nv):
                for where in SIZES:
                    self.start[where][r] = count[where]
                count["above"] += int(self.rank[before] + self.over[before]) if before else 0
                count["own"] += nv * over
                count["peers"] += int(self.peer_rank[at + nv - 1]) + nv
            end[i] = at + nv - 1 if nv else before
        self.place = np.arange(rows) - self.first
        self.own_rank = self.place * self.over
        # down through a joint's rows; row n + 1 ends it
        self.peer = np.append(np.where(self.place > 0, np.arange(rows) - 1, rows), 0)
        self.peer[0] = 0
        bases = np.cumsum([0, *(count[where] * SIZES[where] for where in SIZES)])
        self.base = dict(zip(SIZES, bases.tolist(), strict=False))
        self.total = int(bases[-1]) + 1

    def columns(self, where: str) -> tuple[Any, Any, Any]:
        """What a, j and k add to the number of a triple."""
        rank = {"above": self.rank, "own": self.own_rank, "peers": self.peer_rank}[where]
        return self.start[where], rank, self.place if where == "peers" else self.depth

    def way(self, r: int) -> Any:
        """Degrees of freedom above the body of a row, from the base."""
        made, p = [], int(self.parent[self.first[r]])
        while p:
            made.append(p - 1)
            p = int(self.parent[p])
        return np.array(made[::-1], int)

    @cached_property
    def cubes(self) -> tuple[Any, Any, Any, Any]:
        """For dq_dq, dqd_dqd, dq_dqd and dq_dqdd: where each element (n, n, n) lies among the packed numbers."""
        Q, V, X, A = (np.full((self.n,) * 3, self.total - 1, np.intp) for _ in range(4))
        ways = [self.way(r) for r in range(self.n + 1)]
        for r in range(1, self.n + 1):
            a, U = r - 1, ways[r]
            own = range(int(self.first[r]) - 1, int(self.last[r]))
            for j in U:
                k = ways[j + 1]
                at = self._at("above", r, j + 1, k + 1)
                Q[a, j, k] = Q[a, k, j] = at
                V[a, j, k] = V[a, k, j] = at + 1
                X[a, j, k], X[a, k, j] = at + 2, at + 3
                A[a, j, k] = A[k, j, a] = at + 4
                Q[k, a, j] = Q[k, j, a] = at + 5
                V[k, a, j] = V[k, j, a] = at + 6
                X[k, a, j], X[k, j, a] = at + 7, at + 8
                A[k, a, j] = A[j, a, k] = at + 9
                Q[j, a, k] = Q[j, k, a] = at + 10
                V[j, a, k] = V[j, k, a] = at + 11
                X[j, a, k], X[j, k, a] = at + 12, at + 13
            for j in own:
                at = self._at("own", r, j + 1, U + 1)
                Q[a, j, U] = Q[a, U, j] = at
                V[a, j, U] = V[a, U, j] = at + 1
                X[a, j, U], X[a, U, j] = at + 2, at + 3
                A[a, j, U] = A[U, j, a] = at + 4
                Q[U, a, j], V[U, a, j], X[U, j, a] = at + 5, at + 6, at + 7
            for j in (*U, *own):
                k = np.arange(self.first[j + 1] - 1, self.last[j + 1])
                at = self._at("peers", r, j + 1, k + 1)
                Q[a, j, k], V[a, j, k], X[a, j, k] = at, at + 1, at + 2
                if j not in own:
                    Q[j, a, k] = Q[j, k, a] = at + 3
                    V[j, a, k] = V[j, k, a] = at + 4
                    X[j, a, k], X[j, k, a], A[j, a, k] = at + 5, at + 6, at + 7
        return Q, V, X, A

    def _at(self, where: str, a: int, j: int, k: object) -> Any:
        start, rank, last = self.columns(where)
        return self.base[where] + SIZES[where] * (start[a] + rank[j] + last[k])


class FreedomSource(Protocol):
    """What ``FreedomRows`` asks of a tree."""

    model: Model

    def enter(self, stage: str, /) -> None:
        """A walk begins."""

    def table(self, name: str, /) -> Any:
        """A value a row."""

    def stored(self, name: str, at: object, value: object, /) -> Any:
        """A value on its way into a table."""


class FreedomRows:
    """The walks of a tree by degrees of freedom: the rows are integers."""

    def __init__(self, tree: FreedomSource) -> None:
        self.tree, self.paths = tree, FreedomPaths(tree.model)
        self.numbers: dict[int, Any] = {}

    def row(self, i: int, c: int) -> int:
        """Of degree of freedom c of joint i."""
        return int(self.tree.model.offsets[i][1]) + 1 + c

    def inward(self, stage: str) -> Iterator[int]:
        """All rows, tips to base."""
        self.tree.enter(stage)
        yield from range(self.paths.n, 0, -1)

    def above(self, r: int) -> Iterator[int]:
        """Rows of the joints nearer to the base, from the nearest on."""
        p = int(self.paths.parent[self.paths.first[r]])
        while p:
            yield p
            p = int(self.paths.parent[p])

    def peers(self, r: int) -> Iterator[int]:
        """Rows of the same joint, the last one first."""
        yield from range(int(self.paths.last[r]), int(self.paths.first[r]) - 1, -1)

    def table(self, name: str) -> Any:
        """A value a row."""
        return self.tree.table(name)

    def put(self, where: str, a: int, j: int, k: int, values: Iterable[Scalar]) -> None:
        """The second derivatives of three rows."""
        at = int(self.paths._at(where, a, j, k))
        for c, value in enumerate(values):
            self.numbers[at + c] = self.tree.stored(where, (a, j, k), value)
