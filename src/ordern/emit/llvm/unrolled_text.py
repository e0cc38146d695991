"""Straight-line programs: one block of arithmetic for small ones; long ones get their spills and their memory planned
here.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...program.ir import Node, Program
from ...program.passes import allocate, early_angles, early_outputs
from .block import BlockText
from .lanes import LINE, Lanes, tiles
from .mathcode import together, write_sincos
from .short_addresses import short_addresses

__all__ = ["Alone", "Long", "Short", "cover"]

ZEROS = 32  # bytes that one store clears; processors with narrower registers take two


class Short(BlockText):
    """Everything in registers as far as they go; the compiler sees the whole program at once."""

    def __init__(self, program: Program, lanes: Lanes) -> None:
        super().__init__(program, lanes)
        self.columns: dict[tuple[str, int], str] = {}

    def body(self) -> str:
        """Angles first, side by side, so that their long chains overlap; then the rest; outputs last."""
        nodes, outs = self.p.nodes, {name: ["" for _ in range(self.size(name))] for name in self.p.outputs}
        before, angles = early_angles(self.p)
        for s in before:
            self.node(s)
        for first in range(0, len(angles), size := together(self.lanes)):
            group = angles[first : first + size]
            made = write_sincos(self.w, [self.names[nodes[s].src[0]] for s in group])
            self.pairs.update(zip(group, made, strict=True))
        for s in self.p.body:
            if isinstance(s, int):
                if s not in self.names:
                    self.node(s)
            elif s.op == "out":
                outs[s.arg[0]][s.arg[1]] = self.names[s.src[0]]
        watched = self.zero()
        for v in dict.fromkeys(v for values in outs.values() for v in values if v.startswith("%")):
            watched = self.watch(v, watched)
        for name, values in outs.items():
            for at, size in tiles(len(values)):
                self.deliver(name, at, [v or self.zero() for v in values[at : at + size]])
        return watched

    def read(self, node: Node) -> str:
        """A constant, or an input, whose neighbours come along in the same tile."""
        if node.op == "const":
            return self.lanes.constant(node.arg[0])
        array, k = node.arg
        if (array, k) not in self.columns:
            at, size = next(t for t in tiles(self.p.inputs[array]) if t[0] <= k < sum(t))
            for c, x in enumerate(self.fetch(array, at, size)):
                self.columns[array, at + c] = x
        return self.columns[array, k]


class Long(BlockText):
    """Inputs, sines and outputs pass through ``space`` as columns, transposed by loops; what does not fit in registers
    goes there by plan.

    The code is cut into pieces that the compiler cannot join (a branch that is never taken), since it would reorder a
    long piece at the expense of registers, and takes more than linear time for it.
    """

    PIECE = 200  # operations
    shortened = True  # whether vectors of whole lines get short addresses

    def __init__(self, program: Program, lanes: Lanes, registers: int) -> None:
        super().__init__(program, lanes)
        self.registers = registers
        self.input_at = {name: self.take(count) for name, count in program.inputs.items()}
        self.result_at: dict[int, int] = {}  # node: slot, one for all places it goes to
        self.sine_at: dict[int, int] = {}

    def run(self) -> None:
        """Everything, in fewer bytes where addresses count in vectors."""
        super().run()
        if self.shortened and self.lanes.width * self.lanes.bytes == LINE:
            self._shorten()

    def _shorten(self) -> None:
        self.w.lines, more = short_addresses(self.w.lines, self.lanes)
        self.globals += more

    def body(self) -> str:
        """Inputs in, the plan, outputs out."""
        for name, count in self.p.inputs.items():
            self._in(name, count)
        angles = self._sines()
        plan = allocate(self.p, self.registers, early_outputs(self.p), frozenset(angles))
        spills = self.take(1 + max((s.arg[0] for s in plan if isinstance(s, Node) and s.op == "spill"), default=-1))
        never = self.w.let("icmp eq i64 %valid, 0")
        done = 0
        self.begin()
        for at, s in enumerate(plan):
            if isinstance(s, int):
                if s not in self.sine_at and self.p.nodes[s].op not in ("in", "sin", "cos"):
                    self.node(s)
                    done += 1
            elif s.op == "spill":
                self.put(spills + s.arg[0], self.names[s.src[0]])
            elif s.op == "reload":
                k, slot = s.src[0], s.arg[0]
                self.names[k] = self.get(spills + slot) if slot >= 0 else self._resident(self.p.nodes[k])
            elif s.op == "out" and s.src[0] not in self.result_at:
                self.keep(s.src[0])
            if done >= self.PIECE:
                done, k = 0, self.fresh()
                self.between(at / len(plan))
                self.w.line(f"br i1 {never}, label %never, label %piece{k}")
                self.w.label(f"piece{k}")
        total = self.rest()
        k = self.fresh()
        self.w.line(f"br i1 {never}, label %never, label %piece{k}")
        self.w.label("never")
        self.w.line("ret i32 1")
        self.w.label(f"piece{k}")
        return total

    def begin(self) -> None:
        """Before the program."""

    def keep(self, k: int) -> None:
        """Put a result aside until all are there."""
        self.result_at[k] = self.take(1)
        self.put(self.result_at[k], self.names[k])
        self.result(k)

    def result(self, k: int) -> None:
        """A result is there."""

    def between(self, done: float) -> None:
        """Between two pieces; ``done`` is the share of the program that lies behind."""

    def rest(self) -> str:
        """Results to where they belong; a value that is NaN if one of them is not finite."""
        watched = [self.zero()] * 4
        for name in self.p.outputs:
            watched = self._out(name, watched)
        return self._total(watched)

    def _total(self, watched: list[str]) -> str:
        total = watched[0]
        for x in watched[1:]:
            total = self.w.let(f"fadd {self.lanes.type} {total}, {x}")
        return total

    def _resident(self, node: Node) -> str:
        if node.op == "in":
            return self.get(self.input_at[node.arg[0]] + node.arg[1])
        return self.get(self.sine_at[node.src[0]] + (node.op == "cos"))

    def _sines(self) -> list[int]:
        """All sines that can be had at once; the nodes that make their angles are evaluated for themselves here."""
        before, angles = early_angles(self.p)
        for group in self._sincos_groups(before, angles):
            for s, pair in group:
                self._pair(s, pair)
        return angles

    def _sincos_groups(self, before: list[int], angles: list[int]) -> Iterator[list[tuple[int, tuple[str, str]]]]:
        """Sines and cosines of angles, as many at once as the lanes take; ``before`` makes the angles."""
        self.suffix = "a"
        for s in before:
            if self.p.nodes[s].op == "in":
                self.names[s] = self._resident(self.p.nodes[s])
            else:
                self.node(s)
        self.suffix = ""
        for first in range(0, len(angles), size := together(self.lanes)):
            group = angles[first : first + size]
            made = write_sincos(self.w, [self.names[self.p.nodes[s].src[0]] for s in group])
            yield list(zip(group, made, strict=True))

    def _pair(self, k: int, pair: tuple[str, str]) -> None:
        self.sine_at[k] = self.take(2)
        for c in (0, 1):
            self.put(self.sine_at[k] + c, pair[c])

    def sincos(self, k: int) -> None:
        """One that had to wait."""
        self._pair(k, write_sincos(self.w, [self.names[self.p.nodes[k].src[0]]])[0])

    def _in(self, name: str, count: int) -> None:
        whole = count // 4
        if whole > 1:
            loop = self.range(0, 4 * whole, 4)
            first = self.w.let(f"add i64 {loop[0]}, {self.input_at[name]}")
            for c, x in enumerate(self.fetch(name, loop[0], 4)):
                self.put(self.w.let(f"add i64 {first}, {c}"), x)
            self.close(loop)
        for at, size in tiles(count):
            if whole < 2 or at >= 4 * whole:
                for c, x in enumerate(self.fetch(name, at, size)):
                    self.put(self.input_at[name] + at + c, x)

    def _out(self, name: str, watched: list[str]) -> list[str]:
        """Tiles of four by two loops over tables: those with results, by the slots of their columns, and those that are
        zero for good.
        """
        nodes = self.p.nodes
        source = {s.arg[1]: s.src[0] for s in self.p.body if isinstance(s, Node) and s.op == "out" and s.arg[0] == name}
        full: list[int] = []
        empty: list[int] = []
        for at, size in tiles(self.size(name)):
            group = [source[at + c] for c in range(size)]
            if size < 4:
                columns = [self.get(self.result_at[k]) for k in group]
                watched = [*(self.watch(x, acc) for x, acc in zip(columns, watched, strict=False)), *watched[size:]]
                self.deliver(name, at, columns)
            elif all(nodes[k] == Node("const", (), (0.0,)) for k in group):
                empty.append(at)
            else:
                full += [at, *(self.result_at[k] for k in group)]
        if empty:
            loop = self.range(0, len(empty), 1)
            self.deliver(name, self._cell(self._table(empty), loop[0]), [self.zero()] * 4)
            self.close(loop)
        if full:
            loop = self.range(0, len(full), 5, [(self.lanes.type, x) for x in watched])
            table = self._table(full)
            start, *slots = (self._cell(table, self.w.let(f"add i64 {loop[0]}, {c}")) for c in range(5))
            columns = [self.get(slot) for slot in slots]
            self.deliver(name, start, columns)
            self.close(loop, [self.watch(x, acc) for x, acc in zip(columns, loop[3], strict=True)])
            watched = loop[3]
        return watched

    def _table(self, numbers: list[int]) -> str:
        name = f"@table{len(self.globals)}"
        self.globals.append(
            f"{name} = internal constant [{len(numbers)} x i32] [{', '.join(f'i32 {x}' for x in numbers)}]"
        )
        return name

    def _cell(self, table: str, index: str) -> str:
        return self.w.let(f"sext i32 {self.w.load('i32', self.w.at('i32', table, index), 4)} to i64")

    def read(self, node: Node) -> str:
        """A constant; everything else is planned."""
        return self.lanes.constant(node.arg[0])


class Alone(Long):
    """One state: its results need no turning round and go where they belong as they are made."""

    PIECE = 100

    def __init__(self, program: Program, lanes: Lanes, registers: int) -> None:
        super().__init__(program, lanes, registers)
        self.places: dict[int, list[tuple[str, int]]] = {}
        for s in program.body:
            if isinstance(s, Node) and s.op == "out":
                self.places.setdefault(s.src[0], []).append((s.arg[0], s.arg[1]))
        self.watched, self.sum_at = self.zero(), self.take(1)
        self.zeros: list[tuple[str, int, int]] = []  # stores to come: output, first place, how many
        self.share = 0  # of them after each piece, so that they wait for nobody

    def run(self) -> None:
        """Everything, in fewer bytes."""
        super().run()
        self._shorten()

    def begin(self) -> None:
        """Plan the zeros: each place once, since clearing whole arrays takes three times as long."""
        self.put(self.sum_at, self.zero())
        for name in self.p.outputs:
            blank = [at for k, places in self.places.items() if self._blank(k) for array, at in places if array == name]
            self.zeros += [(name, *store) for store in cover(sorted(blank), ZEROS // self.lanes.bytes)]
        self.share = -(-2 * len(self.zeros) * self.PIECE // len(self.p.body))

    def _clear(self, most: int) -> None:
        """So many of the stores of zeros."""
        for name, at, count in self.zeros[:most]:
            t = self.lanes.element if count == 1 else f"<{count} x {self.lanes.element}>"
            (row,) = self.shifted_rows(name, at)
            self.w.line(f"store {t} {'0.0' if count == 1 else 'zeroinitializer'}, ptr {row}, align {self.lanes.bytes}")
        del self.zeros[:most]

    def keep(self, k: int) -> None:
        """To every place that it has."""
        self.result_at[k] = -1
        if self._blank(k):
            return
        for name, at in self.places[k]:
            self.deliver(name, at, [self.names[k]])
        if self.p.nodes[k].op != "const":
            self.watched = self.watch(self.names[k], self.watched)

    def between(self, done: float) -> None:
        """What was watched goes to memory: a sum that lived on would take a register from the next piece."""
        if self.watched != self.zero():
            self.put(self.sum_at, self.w.let(f"fadd {self.lanes.type} {self.get(self.sum_at)}, {self.watched}"))
        self.watched = self.zero()
        self._clear(self.share)

    def rest(self) -> str:
        """What is left."""
        self.between(1.0)
        self._clear(len(self.zeros))
        return self.get(self.sum_at)

    def _blank(self, k: int) -> bool:
        return self.p.nodes[k].op == "const" and self.p.nodes[k].arg[0] == 0.0


def cover(places: list[int], most: int) -> Iterator[tuple[int, int]]:
    """Stores of at most so many neighbours that cover these places, which are in order, and nothing else: where each
    begins and how many it holds, a power of two. The last ones of a row of neighbours may overlap.
    """
    first = 0
    while first < len(places):
        last = first
        while last + 1 < len(places) and places[last + 1] == places[last] + 1:
            last += 1
        begin, end = places[first], places[last] + 1
        size = min(most, 1 << (end - begin).bit_length() - 1)
        yield from ((at, size) for at in range(begin, end - size + 1, size))
        if (end - begin) % size:
            yield end - size, size
        first = last + 1
