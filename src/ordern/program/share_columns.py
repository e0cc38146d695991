"""Rolled programs in less memory: table columns that are never alive together share one, and what only single rows are
asked for has a cell.

A long robot's tables decide its speed once they outgrow the caches: of the hundred columns of a closed chain some
thirty are alive at once.

- A column that no loop reads (the last turn's value, which the units at the end want) is kept for these rows alone, in
  cells.
- Of the others each cell of memory is written and read at known turns of known loops. Two columns share when at every
  row one of them is read for the last time before the other is written for the first time.

Rows far from both ends are all alike, so that one of them stands for the rest. Programs with calls, nested loops or
loops with cases stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .carry import Column, _Access, _Work
from .ir import IRLoop, Node, Program, rebuilt, walk

__all__ = ["share_columns"]

END = 40  # rows at either end that are looked at one by one
Moment = tuple[int, int, int]  # statement, turn of its loop, place within the turn
Span = dict[int, tuple[Moment, Moment]]  # by row: first written, last used


def share_columns(program: Program) -> Program:
    """The same program with fewer and shorter columns."""
    if program.straight or program.functions or not program.tables:
        return program
    work = _Work(program)
    stores, loads = work.accesses()
    if not _plain(program, work, [a for many in (*stores.values(), *loads.values()) for a in many]):
        return program
    wanted = _cells(work, stores, loads)
    alone = {column for column, _ in wanted}
    rows = _rows(program.rows)
    places = _packed({c: _span(work, rows, stores[c], loads.get(c, [])) for c in stores if c not in alone})
    cells = {key: (k // program.rows, k % program.rows) for k, key in enumerate(sorted(wanted))}
    written = {a.statement: (c, _last(work, a)) for c in alone for a in stores[c]}
    return _rewritten(program, work, places, cells, written)


def _rows(count: int) -> list[int]:
    """The rows that are looked at."""
    return list(range(count)) if count <= 3 * END else [*range(END), count // 2, *range(count - END, count)]


def _plain(program: Program, work: _Work, accesses: list[_Access]) -> bool:
    """Whether every access is known, and every row far from both ends is treated as all others are."""
    if any(a.loop < 0 for a in accesses) or any(
        isinstance(s, Node) and s.op == "zero" and s.arg[0] == "table" for s in walk(program.body)
    ):
        return False
    if any(isinstance(s, IRLoop) and not work.simple(s) for s in walk(program.body)):
        return False
    near = END // 2
    ends = [x for s in work.loops.values() for x in (s.start, s.stop)] + [a.offset for a in accesses if a.loop == 0]
    spanning = all(
        min(s.start, s.stop) < near and max(s.start, s.stop) > program.rows - near for s in work.loops.values()
    )
    steps = all(abs(a.offset) < near for a in accesses if a.loop) and all(abs(s.step) == 1 for s in work.loops.values())
    return program.rows <= 3 * END or (spanning and steps and all(x < near or x > program.rows - near for x in ends))


def _turn(work: _Work, access: _Access, row: int) -> int | None:
    """The turn in which a loop's access meets a row; None where it never does."""
    loop = work.loops[access.loop]
    turn, rest = divmod(row - access.offset - loop.start, loop.step)
    return turn if not rest and 0 <= turn < len(range(loop.start, loop.stop, loop.step)) else None


def _last(work: _Work, access: _Access) -> int:
    """The row that an access meets last."""
    if access.loop == 0:
        return access.offset
    loop = work.loops[access.loop]
    return range(loop.start, loop.stop, loop.step)[-1] + access.offset


def _cells(
    work: _Work, stores: dict[Column, list[_Access]], loads: dict[Column, list[_Access]]
) -> dict[tuple[Column, int], int]:
    """Columns read at single rows only: the statement that writes each such row (in a loop: its last turn)."""
    made: dict[tuple[Column, int], int] = {}
    for column, writes in stores.items():
        reads = loads.get(column, [])
        if any(a.loop for a in reads) or any(a.loop == 0 and work.simple(work.body[a.at]) for a in (*reads, *writes)):
            continue
        found: dict[int, int] = {}
        for row in {a.offset for a in reads}:
            by = [a for a in writes if (a.offset == row if a.loop == 0 else _turn(work, a, row) is not None)]
            if len(by) == 1 and _last(work, by[0]) == row:
                found[row] = by[0].statement
        if len(found) == len({a.offset for a in reads}) and len(set(found.values())) == len(found):
            made |= {(column, row): statement for row, statement in found.items()}
    return made


def _span(work: _Work, rows: list[int], stores: list[_Access], loads: list[_Access]) -> Span:
    """From when to when each row of a column is in use."""
    made: Span = {}
    for row in rows:
        moments: list[Moment] = []
        for a in (*stores, *loads):
            turn = (0 if a.offset == row else None) if a.loop == 0 else _turn(work, a, row)
            if turn is not None:
                moments.append((a.at, turn, a.order))
        if moments:
            made[row] = (min(moments), max(moments))
    return made


def _free(taken: Span, span: Span) -> bool:
    """Whether no row of a place is in use while a column wants it."""
    return all(row not in taken or taken[row][1] < begin or end < taken[row][0] for row, (begin, end) in span.items())


def _packed(spans: dict[Column, Span]) -> dict[Column, int]:
    """A place for each column, the earliest first, each into the first place that is free at all rows."""
    places: list[Span] = []  # when the rows of each place are in use, from the first to the last of its columns
    made: dict[Column, int] = {}
    for column in sorted(spans, key=lambda c: (min(begin for begin, _ in spans[c].values()), c)):
        span = spans[column]
        number = next((k for k, taken in enumerate(places) if _free(taken, span)), len(places))
        if number == len(places):
            places.append({})
        taken = places[number]
        for row, (begin, end) in span.items():
            before = taken.get(row, (begin, end))
            taken[row] = (min(before[0], begin), max(before[1], end))
        made[column] = number
    return made


def _rewritten(
    program: Program,
    work: _Work,
    places: dict[Column, int],
    cells: dict[tuple[Column, int], tuple[int, int]],
    written: dict[int, tuple[Column, int]],
) -> Program:
    """Move loads and stores, drop unused stores; ``written``: column and last row of stores into cells."""
    nodes, rows = list(work.nodes), dict[int, int]()

    def at(row: int) -> int:
        if row not in rows:
            rows[row] = len(nodes)
            nodes.append(Node("iconst", (), (row,)))
        return rows[row]

    def moved(s: object) -> Any:
        if isinstance(s, int) and work.nodes[s].op == "load":
            (index,), arg = work.nodes[s].src, work.nodes[s].arg
            if arg[:2] in places:
                nodes[s] = Node("load", (index,), (0, places[arg[:2]], arg[2]))
            else:
                column, row = cells[arg[:2], work.nodes[index].arg[0]]
                nodes[s] = Node("load", (at(row),), (1, column, arg[2]))
        elif isinstance(s, Node) and s.op == "store":
            if s.arg in places:
                return s._replace(arg=(0, places[s.arg]))
            cell = cells.get(written[id(s)])
            return None if cell is None else Node("store", (at(cell[1]), s.src[1]), (1, cell[0]))
        return s

    body = rebuilt(work.body, moved)
    tables = [("shared", 1 + max(places.values(), default=-1)), ("cells", -(-len(cells) // program.rows))]
    return replace(program, nodes=nodes, body=[*rows.values(), *body], tables=tables)
