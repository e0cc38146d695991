"""Closed chains of many units as loops: the trace of a short model (program/repeats.py) with its middle units turned
into loops over all of them.

Every statement of the trace belongs to a walk and, within it, to the unit whose body or loop was being dealt with. In
the middle of a walk the statements of one unit are those of the next one, each operand one unit further on: they are
written once, in a loop; what other units or walks read goes through a table with one row a unit. The first and the last
units stay as they are. Whatever does not repeat itself so is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm
from ..model import Model
from .finish import finished
from .ir import IRLoop, Program
from .repeats import Shortened, UnitPlaces, Units, find_units, shortened
from .trace import Tracer
from .unit_tree import UnitTree

__all__ = ["Outputs", "UnitText", "in_units", "loops_over_units"]

KEPT = (9, 15)  # units of the short model: how far the ends reach into the middle differs
ROLLED = {"dofs", "coordinates", "equations", "constraints", "loop_wrenches"}
LEAVES = ("const", "in", "mark")


@dataclass
class _Section:
    """Statements of a walk by unit, and the middle units, which become a loop."""

    order: list[int] = field(default_factory=list)
    blocks: dict[int, list[Any]] = field(default_factory=dict)
    low: int = 0
    high: int = -1

    @property
    def middle(self) -> range:
        return range(self.low, self.high + 1)

    @property
    def step(self) -> int:
        return 1 if self.order[-1] > self.order[0] else -1


def in_units(algorithm: Algorithm, model: Model) -> bool:
    """Whether loops over units may serve; ``loops_over_units`` knows for sure."""
    return algorithm.closed and set(algorithm.outputs) <= ROLLED and not model.springs and find_units(model) is not None


Entry = int | tuple[str, str, int, int]  # a node, or a number that goes to an output
Outputs = list[tuple[str, str, dict[int, Any]]]  # name, kind and numbers by place


@dataclass(frozen=True)
class UnitText:
    """What is written down for a short model, and the sizes of inputs and outputs in the long one."""

    name: str
    inputs: dict[str, int]
    outputs: dict[str, tuple[int, ...]]
    write: Callable[[UnitTree, Tracer], Outputs]


def loops_over_units(text: UnitText, model: Model, counted: dict[str, str] | None = None) -> Program | None:
    """The program with loops over units; None where statements do not repeat themselves.

    ``counted``: inputs with names of their own, and whether they are coordinates ("q") or velocities ("v").
    """
    units = find_units(model)
    if units is None:
        return None
    for chosen in (units, units.paired()):
        for many in KEPT:
            found = _Roller(text, model, chosen, shortened(model, chosen, many), counted or {}).program()
            if found is not None:
                return found
    return None


class _Roller:
    def __init__(self, text: UnitText, model: Model, units: Units, short: Shortened, counted: dict[str, str]) -> None:
        self.text, self.units, self.short = text, units, short
        self.tracer = Tracer()
        written = text.write(UnitTree(short, self.tracer), self.tracer)
        self.places = UnitPlaces(model, short, counted)
        self.kinds = {name: kind for name, kind, _ in written}
        self.outs: list[tuple[str, str, int, int]] = []
        for name, kind, values in written:
            self.outs += [(name, kind, at, self.tracer.operand(x)) for at, x in sorted(values.items())]
        self.nodes = self.tracer.nodes
        self.gap = units.count - short.units.count

    # --- what repeats itself ------------------------------------------------------------------------------------------
    def _sections(self) -> dict[Any, _Section]:
        made: dict[Any, _Section] = {}
        self.home: dict[int, tuple[Any, int, int]] = {}
        for n in self.tracer.blocks[0]:
            stage: Any = self.tracer.stages[n]
            section, unit = stage or (0, None)
            if unit is None or self.nodes[n].op in LEAVES:
                continue
            block = self._block(made, section, unit)
            self.home[n] = (section, unit, len(block))
            block.append(n)
        for out in self.outs:
            at = self.places.unit(out[1], out[2])
            if at is not None:
                self._block(made, ("out", out[0]), at).append(out)
        return made

    def _block(self, made: dict[Any, _Section], section: object, unit: int) -> list[Any]:
        of = made.setdefault(section, _Section())
        if unit not in of.blocks:
            of.order.append(unit)
        return of.blocks.setdefault(unit, [])

    def _find_middle(self, of: _Section) -> bool:
        half = self.short.units.count // 2
        steps = [b - a for a, b in zip(of.order, of.order[1:], strict=False)]
        if not steps or not self._alike(of, half - 1):
            return False
        of.low, of.high = half - 1, half
        while self._alike(of, of.low - 1):
            of.low -= 1
        while self._alike(of, of.high):
            of.high += 1
        inside = [u for u in of.order if of.low <= u <= of.high]
        at = of.order.index(inside[0])
        return inside == of.order[at : at + len(inside)] and inside in (list(of.middle), list(of.middle)[::-1])

    def _alike(self, of: _Section, u: int) -> bool:
        """Whether the statements of units u and u + 1 are the same, one unit apart."""
        a, b = of.blocks.get(u), of.blocks.get(u + 1)
        return (
            a is not None
            and b is not None
            and len(a) == len(b)
            and all(self._same(x, y, u) for x, y in zip(a, b, strict=True))
        )

    def _same(self, x: Entry, y: Entry, u: int) -> bool:
        if isinstance(x, tuple) or isinstance(y, tuple):
            return isinstance(x, tuple) and isinstance(y, tuple) and x[:2] == y[:2] and self._next(x[3], y[3])
        p, q = self.nodes[x], self.nodes[y]
        return (p.op, p.arg) == (q.op, q.arg) and all(self._next(a, b) for a, b in zip(p.src, q.src, strict=True))

    def _next(self, x: int, y: int) -> bool:
        """Whether operand y is operand x of the next unit, or the same for all."""
        p, q = self.nodes[x], self.nodes[y]
        if p.op == q.op == "in" and p.arg[0] == q.arg[0]:
            a, b = self.places.unit(*p.arg), self.places.unit(*q.arg)
            return (
                x == y if a is None or b is None else b == a + 1 and q.arg[1] - p.arg[1] == self.places.stride(p.arg[0])
            )
        if p.op == q.op == "mark":
            return bool(p.arg[0] == q.arg[0] and q.arg[1] == p.arg[1] + 1)
        if x == y:
            return True
        s, t = self.home.get(x), self.home.get(y)
        return s is not None and t is not None and s[0] == t[0] and s[2] == t[2] and t[1] == s[1] + 1

    def program(self) -> Program | None:
        """The whole program; None where some walk does not repeat itself."""
        self.sections = self._sections()
        for of in self.sections.values():
            if not self._find_middle(of):
                return None
        return _Writer(self).program()


class _Writer:
    """Writes the program of a roller whose walks all have their middle."""

    def __init__(self, roller: _Roller) -> None:
        self.r, self.t = roller, Tracer()
        self.t.inputs = dict(roller.text.inputs)
        self.new: dict[int, int] = {}
        self.columns: dict[tuple[Any, int], int] = {}
        self.constants: dict[Any, int] = {}
        self.common: dict[object, dict[int, bool]] = {}  # by section: operands, and whether all units have the same
        # nodes of the first and last units that loops read: column and row
        self.extra: dict[int, set[tuple[int, int]]] = {}
        self.half = roller.short.units.count // 2

    def row(self, unit: int) -> int:
        """A unit's number in the long model."""
        return unit if unit < self.half else unit + self.r.gap

    def inner(self, n: int) -> bool:
        """Whether a node belongs to a loop."""
        home = self.r.home.get(n)
        return home is not None and home[1] in self.r.sections[home[0]].middle

    def column(self, section: object, place: int) -> int:
        """The table's column of a statement of a loop."""
        return self.columns.setdefault((section, place), len(self.columns))

    def program(self) -> Program | None:
        """Loops where their first statement stood, the other units as they were."""
        r = self.r
        if not self._lay_columns():
            return None
        begun: set[Any] = set()
        for n in r.tracer.blocks[0]:
            if self.inner(n):
                section = r.home[n][0]
                if section not in begun:
                    begun.add(section)
                    self._loop(section)
            elif r.nodes[n].op not in LEAVES:
                self.new[n] = self._node(n, self._plain)
                for column, row in sorted(self.extra.get(n, ())):
                    self.t.act("store", (self.t.node("iconst", (), (row,)), self.new[n]), (0, column))
        for name in r.text.outputs:
            self._outputs(name, r.kinds[name])
        made = finished(r.text.name, self.t, r.text.outputs, labels=False)
        made.rows, made.tables = r.units.count, [("units", len(self.columns))]
        made.columns = [np.array(r.short.numbers[key], float) for key in self.constants]
        return made

    def _lay_columns(self) -> bool:
        """A column for every statement that others read, and what the units at the ends have to store there."""
        r = self.r
        for key, of in r.sections.items():
            for u in of.middle:
                for place, s in enumerate(of.blocks[u]):
                    model = of.blocks[of.low][place]
                    for x, y in zip(self._operands(model), self._operands(s), strict=True):
                        if not self._read(key, u, of.low, x, y):
                            return False
        alone = [(k, r.home.get(n)) for n in r.tracer.blocks[0] if not self.inner(n) for k in r.nodes[n].src]
        for name, kind, at, n in r.outs:
            unit = r.places.unit(kind, at)
            if unit is None or unit not in r.sections["out", name].middle:
                alone.append((n, None if unit is None else (("out", name), unit, 0)))
        return all(self._read_alone(k, home) for k, home in alone)

    def _operands(self, s: Entry) -> tuple[int, ...]:
        return (s[3],) if isinstance(s, tuple) else self.r.nodes[s].src

    def _read_alone(self, n: int, by: tuple[Any, int, int] | None) -> bool:
        """Operand n of a statement outside of loops, whose unit is ``by``'s: only the ends of loops have to do with
        those that belong to none, since all others would have to be read.
        """
        if not self.inner(n):
            return True
        section, unit, place = self.r.home[n]
        self.column(section, place)
        of = self.r.sections[section]
        return by is not None or unit in (of.low, of.high)

    def _read(self, key: object, u: int, low: int, x: int, y: int) -> bool:
        """Operand y of unit u, x in the first unit of the middle."""
        r = self.r
        if r.nodes[x].op in LEAVES or (x == y and u > low):
            return x != y or not self.inner(x)
        home = r.home.get(y)
        if home is None or (home[0] == key and home[1] == u):
            return True
        if self._shared(key, x):
            return True
        column = self.column(home[0], home[2])
        if not self.inner(y):
            self.extra.setdefault(y, set()).add((column, self.row(home[1])))
        return r.nodes[y].op != "sincos"

    def _shared(self, key: object, x: int) -> bool:
        """Whether an operand of the first unit of the middle is that of all the others."""
        if key not in self.common:
            of, found = self.r.sections[key], self.common.setdefault(key, {})
            for s, other in zip(of.blocks[of.low], of.blocks[of.low + 1], strict=True):
                for a, b in zip(self._operands(s), self._operands(other), strict=True):
                    found.setdefault(a, a == b)
        return self.common[key].get(x, False)

    # --- statements ---------------------------------------------------------------------------------------------------
    def _node(self, n: int, operand: Callable[[int], int]) -> int:
        node = self.r.nodes[n]
        return self.t.node(node.op, tuple(operand(k) for k in node.src), node.arg)

    def _plain(self, x: int) -> int:
        """An operand outside of loops."""
        (op, _, arg), r = self.r.nodes[x], self.r
        if op == "const":
            return self.t.node("const", (), arg)
        if op == "in":
            return self.t.node("in", (), (arg[0], r.places.there(*arg)))
        if op == "mark":
            return self.t.node("const", (), (float(r.short.numbers[arg[0]][self.row(arg[1])]),))
        if self.inner(x):
            section, unit, place = r.home[x]
            return self.t.node(
                "load", (self.t.node("iconst", (), (self.row(unit),)),), (0, self.column(section, place), 0)
            )
        return self.new[x]

    def _loop(self, key: object) -> None:
        of, t = self.r.sections[key], self.t
        first, last = (of.low, of.high) if of.step > 0 else (of.high, of.low)
        loop = IRLoop(
            len([s for s in t.blocks[0] if isinstance(s, IRLoop)]) + 1,
            "range",
            self.row(first),
            self.row(last) + of.step,
            of.step,
        )
        t.open()
        variable = t.node("loopvar", (), (loop.number,))
        mine: dict[int, int] = {}
        for place, s in enumerate(of.blocks[of.low]):
            if isinstance(s, tuple):
                self._out_in_loop(of, place, s, variable, lambda x: self._in_loop(key, of, variable, mine, x))
                continue
            mine[s] = self._node(s, lambda x: self._in_loop(key, of, variable, mine, x))
            if (key, place) in self.columns:
                t.act("store", (variable, mine[s]), (0, self.columns[key, place]))
        loop.cases.append(((0,), t.close()))
        t.blocks[-1].append(loop)

    def _in_loop(self, key: object, of: _Section, variable: int, mine: dict[int, int], x: int) -> int:
        """An operand of the first unit of the middle, as all units have it."""
        (op, _, arg), r, t = self.r.nodes[x], self.r, self.t
        if x in mine:
            return mine[x]
        if op == "const":
            return t.node("const", (), arg)
        if op == "in":
            unit = r.places.unit(*arg)
            if unit is None:
                return t.node("in", (), (arg[0], r.places.there(*arg)))
            stride = r.places.stride(arg[0])
            shift = r.places.there(*arg) - stride * self.row(unit) + stride * (unit - of.low)
            return t.node("inx", (t.node("iaff", (variable,), (stride, shift)),), (arg[0], 0))
        if op == "mark":
            column = self.constants.setdefault(arg[0], len(self.constants))
            return t.node("cload", (self._shifted(variable, arg[1] - of.low),), (column,))
        home = r.home.get(x)
        if home is None or self._shared(key, x):
            return self._plain(x)
        return t.node("load", (self._shifted(variable, home[1] - of.low),), (0, self.column(home[0], home[2]), 0))

    def _shifted(self, variable: int, by: int) -> int:
        return self.t.node("iaff", (variable,), (1, by)) if by else variable

    def _out_in_loop(
        self, of: _Section, place: int, out: tuple[str, str, int, int], variable: int, operand: Callable[[int], int]
    ) -> None:
        name, kind, at, n = out
        here = self.r.places.there(kind, at)
        stride = (self.r.places.there(kind, of.blocks[of.high][place][2]) - here) // (
            self.row(of.high) - self.row(of.low)
        )
        index = self.t.node("iaff", (variable,), (stride, here - stride * self.row(of.low)))
        self.t.act("outx", (index, operand(n)), (name, 0, 1))

    def _outputs(self, name: str, kind: str) -> None:
        if kind == "constraints":
            self.t.act("zero", (), ("out", name))
        of = self.r.sections.get(("out", name))
        begun = False
        for out in self.r.outs:
            if out[0] != name:
                continue
            unit = self.r.places.unit(kind, out[2])
            if of is None or unit is None or unit not in of.middle:
                self.t.act("out", (self._plain(out[3]),), (name, self.r.places.there(kind, out[2])))
            elif not begun:
                begun = True
                self._loop(("out", name))
