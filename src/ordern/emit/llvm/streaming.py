"""Long programs whose results are too many for the caches: they leave line by line, past the caches, while the
arithmetic goes on.
"""

from __future__ import annotations

import math
from collections import deque

from ...program.ir import Node, Program
from .lanes import LINE, Lanes, gathered
from .unrolled_text import Long

__all__ = ["Streaming"]


class Streaming(Long):
    """Numbers that share a line of 64 bytes are sent off as soon as all of them are there, a few lines after each piece
    of the program.

    Memory takes a line in the time of some ten operations: lines sent in one go at the end make the arithmetic wait.
    The rows of a block lie side by side from a whole line on; a line is written by one instruction, since half lines
    cost more than whole ones.
    """

    shortened = False  # with the addresses of all rows, more registers lose 7 % (derivatives of a humanoid)

    def __init__(self, program: Program, lanes: Lanes, registers: int) -> None:
        super().__init__(program, lanes, registers)
        self.watched = self.zero()
        self.lines: list[
            tuple[str, list[int], list[int]]
        ] = []  # output, places of lines in the block, the nodes that fill them
        self.missing: list[int] = []  # how many results they wait for
        self.waiting: dict[int, list[int]] = {}  # node: lines
        self.ready: deque[int] = deque()
        self.blank: deque[int] = deque()  # zero for good
        for name in program.outputs:
            source = {
                s.arg[1]: s.src[0] for s in program.body if isinstance(s, Node) and s.op == "out" and s.arg[0] == name
            }
            self._plan(name, [source[k] for k in range(len(source))])
        self.sent = 0

    def _plan(self, name: str, nodes: list[int]) -> None:
        """Lanes that begin at the same place of a line go together."""
        line, size = self.lanes.width, len(nodes)
        period = line // math.gcd(line, size)
        for first in range(period):
            for at in range(-first * size % line, size, line):
                places = [lane * size + at for lane in range(first, line, period)]
                inside = nodes[at : at + line]
                inside += nodes[: line - len(inside)]  # what is left of the line belongs to the next row
                different = {k for k in inside if not self._blank(k)}
                for k in different:
                    self.waiting.setdefault(k, []).append(len(self.lines))
                if not different:
                    self.blank.append(len(self.lines))
                self.missing.append(len(different))
                self.lines.append((name, places, inside))

    def result(self, k: int) -> None:
        """One result more; lines that waited for it only are ready."""
        if self.p.nodes[k].op != "const":
            self.watched = self.watch(self.names[k], self.watched)
        for line in self.waiting.get(k, ()):
            self.missing[line] -= 1
            if not self.missing[line]:
                self.ready.append(line)

    def between(self, done: float) -> None:
        """Keep pace with the program."""
        while self.sent < done * len(self.lines) and (self.ready or self.blank):
            self._send()

    def rest(self) -> str:
        """What is left."""
        while self.ready or self.blank:
            self._send()
        return self.watched

    def _send(self) -> None:
        name, places, nodes = self.lines[(self.ready or self.blank).popleft()]
        self.sent += 1
        size, width = self.size(name), self.lanes.width
        columns = [self.lanes.constant(0.0) if self._blank(k) else self.get(self.result_at[k]) for k in nodes]
        if all(map(self._blank, nodes)):
            rows = [self.zero()] * len(places)
        else:
            rows = gathered(self.w, columns, [at // size for at in places], min(width, size - places[0] % size))
        for at, value in zip(places, rows, strict=True):
            place = self.w.at(self.lanes.element, self.rows[name][0], at)
            self.w.line(f"store {self.lanes.type} {value}, ptr {place}, align {LINE}, !nontemporal !1")

    def _blank(self, k: int) -> bool:
        return self.p.nodes[k] == Node("const", (), (0.0,))
