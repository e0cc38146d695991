"""What all integrators of machine code share: the layout of lane memory, stages, masked updates; and the methods with
fixed steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ...algorithms.steps import COMING, KEEP_OFF, LEAN, SMALL, half_explicit, stage
from ..tableaus import GAUSS, TABLES, Explicit
from .lane_text import Fields, Text
from .lane_values import LaneValue, slot
from .lanes import Lanes

__all__ = ["CROSSING", "DIVERGED", "JOB", "SIGNAL", "TINY", "Layout", "Stepping"]

JOB = (
    "rows", "out_q", "out_v", "times", "count", "budget", "rtol", "atol", "plan", "parameters", "stride", "stops",
    "segments", "longest", "signals",
)  # fmt: skip
SIGNAL = ("breaks", "pieces", "uniform", "scale", "coefficients", "degree", "stride")
DIVERGED, TINY, CROSSING = (
    2.0,
    3.0,
    9.0,
)  # the last: a change point lies ahead, which fixed steps do not pass themselves


@dataclass(frozen=True)
class Layout:
    """Sizes: coordinates, velocities, parameters, and channels of each signal."""

    nq: int
    nv: int
    parameters: int
    signals: tuple[int, ...]
    method: str
    sums: tuple[
        tuple[int, int, int], ...
    ] = ()  # velocity, coordinate, how many: where coordinates are plain sums of their increments
    closed: bool = False  # loops: the end of a step is moved to where these are closed, velocities (or momenta) too

    @cached_property
    def state(self) -> Fields:
        """What a run's row holds."""
        f = Fields()
        for name in ("t", "h", "old", "turned", "next", "status", "steps", "rejected", "evaluations", "j"):
            f.add(name)
        f.add("q", self.nq)
        f.add("v", self.nv)
        f.add("a", self.nv)  # accelerations at the state; momenta for the symplectic method
        f.add("size", self.nv)
        f.add("pivot", int(self.closed))  # the least one of the loops at the state; for fixed steps, the largest such
        if self.method == "symplectic":
            f.add("K", 2 * GAUSS.stages * self.nv)  # increments of the stages: x's, then p's
            f.add("eq", self.nv)  # what rounding left out of q and p so far
            f.add("ep", self.nv)
            f.add("turns", self.nq)  # whole turns that were taken off angles
        return f

    @property
    def adaptive(self) -> bool:
        """Whether steps have a length of their own."""
        return self.method in TABLES and TABLES[self.method].adaptive

    def fields(self) -> Fields:
        """All lane memory: the state first."""
        f = self.state.copy()
        f.add("parameters", self.parameters)
        f.add("signals", sum(self.signals))
        f.add("ts")
        if self.signals:
            f.add("pick")
            f.add("goal", int(self.adaptive))
        f.add("hh")
        f.add("last")
        f.add("mask")
        f.add("q1", self.nq)
        f.add("zero", self.nv)
        for name in ("xs", "vs", "x1", "v1", "size1", *(("vt",) if self.closed else ())):
            f.add(name, self.nv)
        for name in (
            "pivot1",
            "ended",
            "nearest",
            "farthest",
        ):  # of a stage, of the end; the least and the largest in this step
            f.add(name, int(self.closed))
        if self.method == "symplectic":
            for name, count in (
                ("N", 2 * GAUSS.stages * self.nv),
                ("vm", self.nv),
                ("eq1", self.nv),
                ("ep1", self.nv),
                ("turns1", self.nq),
                ("going", 1),
                ("change", 1),
                ("least", 1),
                ("missed", 1),
                ("before", 1),
                ("bound", 1),
            ):
                f.add(name, count)
        elif self.method != "euler":
            table = TABLES[self.method]
            stages = table.stages + (1 + len(table.extra) if table.adaptive else 0)
            f.add("K", 2 * self.nv * stages)  # of each stage: x's, then v's
            f.add("D", 2 * self.nv * (3 + len(table.dense)) if table.adaptive else 0)
        return f


class Stepping:
    """Writes steps of W lanes; ``w`` is the function being written, ``index`` the block's numbers of runs."""

    index = ""

    def __init__(self, layout: Layout, fields: Fields, lanes: Lanes) -> None:
        self.l, self.f, self.lanes = layout, fields, lanes
        self.w = Text(lanes, fields)

    def _begin(self, head: str) -> Text:
        self.w = Text(self.lanes, self.f)
        self.w.lines.append(head)
        self.w.label("entry")
        return self.w

    def _word(self, name: str, kind: str = "i64") -> str:
        w = self.w
        return w.load(kind, w.at("i64", "%job", JOB.index(name)), 8)

    def _stage(self, table: Explicit, row: tuple[float, ...], c: float, number: int, h: str) -> None:
        """Stage ``number`` at c h: states into xs and vs, rates into K."""
        w, n = self.w, self.l.nv
        self._time(c, h)

        w.each(n, 4 + 4 * sum(1 for a in row if a), lambda k: self._moved(row, h, k, "xs", "vs"))
        self._rates("xs", "vs", number)

    def _advance(self, x: str, v: str, again: bool = False) -> None:
        """Coordinates at x into q1; where there are loops, closed ones, and velocities or momenta in v that keep them
        so.
        """
        w = self.w
        if not self.l.closed:
            w.call("advance", [w.place(x), "%lanes", w.place("q1"), w.place("size1")])
            return
        w.call("advance", [w.place(x), w.place(v), w.place("q1"), w.place("size1"), w.place("vt")])
        if v != "v" and not again:  # the state itself is closed, but for rounding
            w.each(self.l.nv, 2, lambda k: w.put(v, w.get("vt", k), k))

    def _moved(self, row: tuple[float, ...], h: str, k: str | int, x: str, v: str) -> None:
        """Component k of a state that these weights of the rates so far lead to."""
        w, (kx, kv) = self.w, self._stages(k)
        for name, value in zip((x, v), stage(row, LaneValue(w, h), kx, kv, slot(w, "v", k)), strict=True):
            w.put(name, value.name, k)

    def _stages(self, k: str | int) -> tuple[Callable[[int], LaneValue], Callable[[int], LaneValue]]:
        """Component k of the rates of x and of v, by stage."""
        w, n = self.w, self.l.nv
        return lambda j: slot(w, "K", w.shifted(k, 2 * n * j)), lambda j: slot(w, "K", w.shifted(k, 2 * n * j + n))

    def _rates(self, x: str, v: str, number: int) -> None:
        w, n = self.w, self.l.nv
        if self.l.signals:
            self._at_time()
        w.call(
            "rates",
            [w.place(x), w.place(v), w.place("K", 2 * n * number), w.place("K", 2 * n * number + n), *self._pivot()],
        )
        self._seen()

    def _pivot(self) -> list[str]:
        """Where a call puts the loops' least pivot."""
        return [self.w.place("pivot1")] if self.l.closed else []

    def _seen(self, first: bool = False) -> None:
        """Note a stage's pivot; the first one of a step is that of the state, where it is known."""
        w = self.w
        if self.l.closed and first:
            w.put("nearest", w.get("pivot"))
            w.put("farthest", w.get("pivot"))
        elif self.l.closed:
            w.put("nearest", w.least(w.get("pivot1"), w.get("nearest")))
            w.put("farthest", w.most(w.get("pivot1"), w.get("farthest")))

    def _unseen(self) -> None:
        """A step of which no pivot is known yet begins."""
        if self.l.closed:
            self.w.put("nearest", self.w.const(1e300))
            self.w.put("farthest", self.w.const(0.0))

    def _near_change_point(self) -> str:
        """The lanes in which a stage came so near to where loops are singular that rounding would be felt."""
        w = self.w
        return w.compare("olt", w.op("fmul", w.get("nearest"), w.const(KEEP_OFF)), w.get("farthest"))

    def _change_point_ahead(self) -> str:
        """The lanes that fixed steps would bring there, or too near to it."""
        w = self.w
        coming = w.compare("olt", w.op("fmul", w.get("nearest"), w.const(COMING)), w.get("farthest"))
        small = w.compare("olt", w.get("nearest"), w.op("fmul", w.get("pivot"), w.const(SMALL)))
        return w.both(w.both(coming, small), self._near_change_point(), "or")

    def _time(self, c: float, h: str) -> None:
        if self.l.signals:
            w = self.w
            w.put("ts", w.fma(h, w.const(c), w.get("t")) if c else w.get("t"))
            w.put("pick", w.fma(h, w.const(c + (0.5 - c) * (1.0 if self.l.adaptive else LEAN)), w.get("t")))

    def _at_time(self) -> None:
        self.w.line(f"call void @signals(ptr %job, ptr {self.index}, ptr %lanes)")

    def _end(self, table: Explicit, h: str) -> None:
        """The end of the step into x1 and v1."""
        self.w.each(self.l.nv, 4 * table.stages, lambda k: self._moved(table.b, h, k, "x1", "v1"))

    def _finite(self, *names: str) -> str:
        """A mask of the lanes in which all numbers of these arrays are finite: x * 0 is NaN for others."""
        w = self.w
        w.put("mask", w.const(0.0))
        for name in names:
            w.each(
                self.f.count[name],
                4,
                lambda k, name=name: w.put("mask", w.fma(w.get(name, k), w.const(0.0), w.get("mask")), k=0),  # type: ignore[misc]
            )
        made = w.get("mask")
        return w.compare("ord", made, made)

    def _take(self, mask: str, pairs: tuple[tuple[str, str], ...]) -> None:
        """Where the mask is set, the first of each pair becomes the second."""
        w = self.w
        for to, source in pairs:
            w.each(
                self.f.count[to],
                4,
                lambda k, to=to, source=source: w.put(to, w.choose(mask, w.get(source, k), w.get(to, k)), k),  # type: ignore[misc]
            )

    def _count(self, name: str, mask: str, by: float = 1.0) -> None:
        w = self.w
        w.put(name, w.op("fadd", w.get(name), w.choose(mask, w.const(by), w.const(0.0))))

    # --- fixed steps --------------------------------------------------------------------------------------------------
    def _fixed(self, table: Explicit, active: str) -> None:
        w = self.w
        h = w.get("h")
        self._unseen()
        for number, (row, c) in enumerate(zip(table.A, table.c, strict=True)):
            if number:
                self._stage(table, row, c, number, h)
            else:
                self._time(0.0, h)
                self._rates("zero", "v", 0)
        self._end(table, h)
        self._advance("x1", "v1")
        self._close(active, (("q", "q1"), ("v", "v1")), table.stages)

    def _euler(self, active: str) -> None:
        """Velocities first, then coordinates with the new ones."""
        w = self.w
        h = w.get("h")
        self._unseen()
        self._time(0.0, h)
        if self.l.signals:
            self._at_time()
        w.call("rates", [w.place("zero"), w.place("v"), w.place("xs"), w.place("vs"), *self._pivot()])
        self._seen()

        def component(k: str | int) -> None:
            x, v = half_explicit(LaneValue(w, h), slot(w, "v", k), slot(w, "vs", k))
            w.put("v1", v.name, k)
            w.put("x1", x.name, k)

        w.each(self.l.nv, 8, component)
        if self.l.closed:  # where the step ends is where the next one begins
            w.call("rates", [w.place("x1"), w.place("v1"), w.place("xs"), w.place("vs"), *self._pivot()])
            self._seen()
        self._advance("x1", "v1")
        self._close(active, (("q", "q1"), ("v", "v1")), 1)

    def _close(self, active: str, pairs: tuple[tuple[str, str], ...], used: int) -> None:
        """Take the new state where it is finite; at the end of an interval write it out."""
        w = self.w
        fine = self._finite(*(source for _, source in pairs))
        if self.l.closed:
            w.put("pivot", w.most(w.get("pivot"), w.get("farthest")))  # the largest of the run so far
            late = w.both(active, self._change_point_ahead())
            w.put("status", w.choose(late, w.const(CROSSING), w.get("status")))
            active = w.both(active, w.let(f"xor {w.mask} {late}, {self._ones()}"))
        good = w.both(active, fine)
        self._take(good, pairs)
        bad = w.both(active, w.let(f"xor {w.mask} {fine}, {self._ones()}"))
        w.put("status", w.choose(bad, w.const(DIVERGED), w.get("status")))
        self._count("steps", good)
        self._count("evaluations", good, float(used))
        self._count("j", good)
        w.put("t", w.choose(good, w.fma(w.get("j"), w.get("h"), w.get("old")), w.get("t")))
        full = w.both(good, w.compare("oge", w.get("j"), w.get("turned")))
        with w.when(w.any(full)):
            done = self._complete(full)
            w.put("mask", w.choose(full, w.const(1.0), w.const(0.0)))
            w.line(
                f"call void @output(ptr %job, ptr {self.index}, ptr %lanes, ptr {w.place(done)}, ptr {w.place('v')}, "
                "i1 true)"
            )

    def _ones(self) -> str:
        return "true" if self.lanes.width == 1 else "splat (i1 true)"

    def _complete(self, mask: str) -> str:
        """Make what a state lacks before it can be written out; the name of the array that holds its coordinates."""
        return "q"
