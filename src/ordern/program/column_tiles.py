"""Neighbouring columns that a loop treats alike: tiles of values that one state's kernel keeps in one register."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .ir import IRLoop, Node, Program, reads, walk
from .storage import ColumnBlock

__all__ = ["ColumnTiles", "Tile", "column_tiles"]

Tile = tuple[int, ...]
FEWEST = ColumnBlock.ALONE  # stores side by side that are worth it: those of blocks of columns
_WIDE = frozenset(("add", "sub", "mul", "div", "neg", "fma", "fms", "fnma"))


@dataclass
class ColumnTiles:
    """Which values and stores go together."""

    tiles: set[Tile] = field(default_factory=set)
    tiled: set[int] = field(default_factory=set)  # the nodes of all tiles
    due: dict[int, Tile] = field(default_factory=dict)  # by the node with which all of a tile are known
    stores: dict[int, list[Node]] = field(default_factory=dict)  # by id of each of the stores


def column_tiles(program: Program, most: int) -> ColumnTiles:
    """Tiles of up to ``most`` values, found from stores side by side; a few stores stay as they are, and so do those
    whose values are read one by one as well.
    """
    apart: set[int] = set()
    while True:
        found = ColumnTiles()
        _search(program.nodes, program.body, most, found, apart)
        alone = found.tiled & _read_alone(program, found)
        if not alone:
            return found
        apart |= alone


def _read_alone(program: Program, found: ColumnTiles) -> set[int]:
    made: set[int] = set()
    for s in walk(program.body):
        if isinstance(s, int) and s in found.tiled:
            made.update(x for x in _columns(program.nodes, found.due.get(s, ())) if isinstance(x, int))
        elif id(s) not in found.stores:
            made.update(reads(program.nodes, s))
        elif len({x.src[-1] for x in found.stores[id(s)]}) == 1:
            made.add(s.src[-1])
    return made


def _columns(nodes: list[Node], tile: Tile) -> Iterator[int | Tile]:
    """What a tile is made of, operand by operand: tiles, or one value for all."""
    for operands in zip(*(nodes[k].src for k in tile), strict=True):
        yield operands[0] if len(set(operands)) == 1 else operands


def _search(nodes: list[Node], body: list[Any], most: int, found: ColumnTiles, apart: set[int]) -> None:
    where = {s: k for k, s in enumerate(body) if isinstance(s, int) and s not in apart}
    for run in _runs(body):
        at, size = 0, most
        while len(run) >= FEWEST and size > 1:
            if at + size > len(run):
                size //= 2
                continue
            stores, made = run[at : at + size], list[Tile]()
            if _packs(nodes, body, where, found, tuple(s.src[-1] for s in stores), made):
                for tile in made:
                    found.tiles.add(tile)
                    found.tiled.update(tile)
                    found.due[max(tile, key=where.__getitem__)] = tile
                found.stores.update((id(s), stores) for s in stores)
            at += size
    for s in body:
        if isinstance(s, IRLoop):
            for _, block in s.cases:
                _search(nodes, block, most, found, apart)


def _runs(body: list[Any]) -> Iterator[list[Node]]:
    """Stores one after the other, to cells side by side."""
    run: list[Node] = []
    for s in [*body, None]:
        if run and not (isinstance(s, Node) and s.op == run[-1].op and _next(run[-1], s)):
            yield run
            run = []
        if isinstance(s, Node) and s.op in ("store", "mstore"):
            run.append(s)


def _next(before: Node, s: Node) -> bool:
    return s.src[:-1] == before.src[:-1] and s.arg == (*before.arg[:-1], before.arg[-1] + 1)


def _packs(
    nodes: list[Node], body: list[Any], where: dict[int, int], found: ColumnTiles, tile: Tile, made: list[Tile]
) -> bool:
    """Whether values can be had side by side; ``made`` gets the tiles that this takes."""
    if len(set(tile)) == 1 or tile in found.tiles or tile in made:
        return True
    known, first = found.tiled.union(*made), nodes[tile[0]]
    if len(set(tile)) < len(tile) or any(k not in where or k in known or nodes[k].op != first.op for k in tile):
        return False
    if first.op in _WIDE:
        operands = (x for x in _columns(nodes, tile) if not isinstance(x, int))
        if not all(_packs(nodes, body, where, found, x, made) for x in operands):
            return False
    elif first.op in ("load", "mload"):
        if any(nodes[k].src != first.src for k in tile) or not _side_by_side([nodes[k].arg for k in tile]):
            return False
        places = [where[k] for k in tile]
        if not all(isinstance(s, int) for s in body[min(places) : max(places)]):
            return False  # a store may come between
    else:
        return False
    made.append(tile)
    return True


def _side_by_side(cells: list[tuple[Any, ...]]) -> bool:
    """Columns of a row, one after the other, or of a matrix rows of a column."""
    first = cells[0]
    return any(
        all(cell == (*first[:at], first[at] + c, *first[at + 1 :]) for c, cell in enumerate(cells))
        for at in range(1, len(first) - 1)
    )
