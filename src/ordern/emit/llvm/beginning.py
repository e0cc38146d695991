"""Programs that begin with a long text without loops: it becomes a function of its own, written as such texts are, and
leaves its values in the workspace of the loops behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...model.thresholds import ONE_PIECE
from ...program.ir import IRLoop, Node, Program
from ...program.passes import wanted_nodes
from .lanes import Lanes
from .paired_text import Paired, worth_pairing
from .rolled_text import Rolled
from .unrolled_text import Alone, Long

__all__ = ["BEGINNING", "beginning", "split"]

BEGINNING = "beginning"
_SPACE = "space"
_STORES = ("store", "mstore")
_BEFORE = frozenset(("load", "mload", "carry"))  # what a text before all loops cannot read
_TWICE = frozenset(("const", "iconst", "cload", "in"))  # what both parts may have


def split(program: Program) -> tuple[Program, Program] | None:
    """What comes before the first loop and is put into memory, and the rest, which calls it; None where it is short."""
    nodes, body = program.nodes, program.body
    first = next((k for k, s in enumerate(body) if isinstance(s, IRLoop)), 0)
    text = [s for s in body[:first] if isinstance(s, int) or s.op in _STORES]
    if len(text) <= ONE_PIECE or any(isinstance(s, int) and nodes[s].op in _BEFORE for s in text):
        return None
    kept = [s for s in body[:first] if not isinstance(s, int) and s.op not in _STORES]
    shared = wanted_nodes(nodes, [*kept, *body[first:]]).intersection(s for s in text if isinstance(s, int))
    if any(nodes[k].op not in _TWICE for k in shared):
        return None
    call = Node("call", (), (BEGINNING, tuple((name, name, 0) for name in program.inputs), ()))
    before = replace(program, body=text, outputs={}, alone=None)
    own = [s for s in text if isinstance(s, int) and s in shared]
    return before, replace(program, body=[*own, *kept, call, *body[first:]], functions={BEGINNING: before}, alone=None)


def beginning(program: Program, behind: Rolled, lanes: Lanes, registers: int, columns: bool) -> Long:
    """The text for what comes before the loops ``behind``."""
    nodes = program.nodes
    body: list[Any] = [s for s in program.body if isinstance(s, int) and nodes[s].op != "iconst"]
    body += [
        Node("out", s.src[-1:], (_SPACE, at))
        for s in program.body
        if isinstance(s, Node)
        for at in _slots(nodes, s, behind)
    ]
    text = replace(program, body=body)
    if lanes.width > 1 or columns:
        return _Long(behind.slots, text, lanes, registers)
    found = worth_pairing(text)
    if found is None:
        return _Alone(behind.slots, text, lanes, registers)
    return _Paired(behind.slots, text, lanes, registers, *found)


def _slots(nodes: list[Node], s: Node, behind: Rolled) -> Iterator[int]:
    """Where a store goes, if anybody reads it."""
    rows = [nodes[k].arg[0] for k in s.src[:-1]]
    if s.op == "mstore":
        matrix, a, b = s.arg
        yield behind.matrix_at[matrix] + (rows[0] + a) * behind.p.matrices[matrix][1] + rows[1] + b
    elif s.arg in behind.places:
        yield behind.places[s.arg] + rows[0] * behind.apart_by[s.arg[0]]


class _Into(Long):
    """Results go to slots of the workspace; who reads them looks whether they are finite."""

    function, linkage = BEGINNING, ""

    def __init__(self, first: int, program: Program, lanes: Lanes, *more: Any) -> None:
        self.slots = first
        self.slots_of: dict[int, list[int]] = {}
        for s in program.body:
            if isinstance(s, Node):
                self.slots_of.setdefault(s.src[0], []).append(s.arg[1])
        super().__init__(program, lanes, *more)

    def body(self) -> str:
        """The text."""
        self.rows[_SPACE] = ["%space"]
        return super().body()

    def keep(self, k: int) -> None:
        """To every slot that it has."""
        self.result_at[k] = -1
        for at in self.slots_of[k]:
            self.put(at, self.names[k])

    def watch(self, value: str, watched: str) -> str:
        """Nothing."""
        return watched

    def rest(self) -> str:
        """Nothing is left to be done."""
        return self.zero()


class _Long(_Into):
    """Many states."""


class _Alone(_Into, Alone):
    """One state."""


class _Paired(_Into, Paired):
    """One state, limbs in twos."""
