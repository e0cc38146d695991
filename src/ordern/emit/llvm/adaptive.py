"""Adaptive steps: error estimate, PI control, dense output; each lane for itself."""

from __future__ import annotations

from ...algorithms.steps import SHORTER, combination, dense, passage, polynomial
from ..tableaus import Explicit
from .lane_values import LaneValue, slot
from .stepping import DIVERGED, TINY, Stepping

__all__ = ["AdaptiveSteps"]


class AdaptiveSteps(Stepping):
    """DOPRI5 and DOP853."""

    def _adaptive(self, table: Explicit, active: str) -> None:
        w, n = self.w, self.l.nv
        times, count = self._word("times", "ptr"), self._word("count")
        end = w.splat(w.load("double", w.at("double", times, w.let(f"sub i64 {count}, 1")), 8))
        t, goal = w.get("t"), end
        if self.l.signals:
            w.line("call void @goals(ptr %job, ptr %lanes)")
            goal = w.get("goal")
        rest = w.op("fsub", goal, t)
        h = w.least(w.least(w.get("h"), w.splat(self._word("longest", "double"))), rest)
        last = w.compare("oge", w.fma(h, w.const(1.01), t), goal)
        h = w.choose(active, w.choose(last, rest, h), w.const(0.0))
        w.put("hh", h)
        w.put("last", w.choose(last, w.const(1.0), w.const(0.0)))
        w.each(n, 4, lambda k: (w.put("K", w.get("v", k), k), w.put("K", w.get("a", k), w.shifted(k, n)))[0])  # type: ignore[func-returns-value]
        self._seen(first=True)
        for number, (row, c) in enumerate(zip(table.A, table.c, strict=True)):
            if number:
                self._stage(table, row, c, number, h)
        self._end(table, h)
        self._time(1.0, h)
        self._rates("x1", "v1", table.stages)
        if self.l.closed:
            w.put("ended", w.get("pivot1"))
        self._advance("x1", "v1")
        err = self._error(table, h)
        near = self._near_change_point() if self.l.closed else ""
        if near:
            err = w.choose(near, w.most(err, w.const(SHORTER)), err)
        good = w.both(active, w.compare("ole", err, w.const(1.0)))
        h1 = self._control(table, err, good, active, h)
        failed = w.const(1.0)
        if near:
            leap = self._leap(table)
            h1 = w.choose(w.both(active, near), w.op("fmul", h, leap), h1)
            failed = w.choose(near, w.op("fdiv", w.const(-1.0), leap), failed)
        self._dense(table, good, h)
        self._accept(table, err, good, active, failed, h, h1, end)

    def _leap(self, table: Explicit) -> str:
        """The next step over one that came too near to a change point, by the distances of its beginning and its
        end.
        """
        w = self.w
        first, last = w.root(w.get("pivot")), w.root(w.get("ended"))
        at = w.op("fdiv", first, w.most(w.op("fadd", first, last), w.const(1e-300)))
        middle = w.const(passage(table.c))
        factor = w.choose(w.compare("olt", at, middle), w.op("fdiv", at, middle), w.op("fsub", at, middle))
        return w.least(w.most(factor, w.const(0.1)), w.const(0.9))

    def _first(self, table: Explicit) -> None:
        """Lanes that have not begun (old is 0): accelerations and sizes at the start, and a guess of the step [HNW93,
        section II.4].
        """
        w = self.w
        fresh = w.both(w.compare("oeq", w.get("status"), w.const(0.0)), w.compare("oeq", w.get("old"), w.const(0.0)))
        with w.when(w.any(fresh)):
            self._time(0.0, w.const(0.0))
            self._rates("zero", "v", 0)
            if self.l.closed:
                w.put("ended", w.get("pivot1"))
            self._advance("zero", "v")
            h = self._guess_step(table)
            given = w.get("h")
            w.put("h", w.choose(fresh, w.choose(w.compare("ogt", given, w.const(0.0)), given, h), given))
            w.put("old", w.choose(fresh, w.const(1e-4), w.get("old")))
            self._take(fresh, (("size", "size1"), *((("pivot", "ended"),) if self.l.closed else ())))
            w.each(
                self.l.nv,
                4,
                lambda k: w.put("a", w.choose(fresh, w.get("K", w.shifted(k, self.l.nv)), w.get("a", k)), k),
            )
            self._count("evaluations", fresh, 2.0)

    def _guess_step(self, table: Explicit) -> str:
        """From the sizes of the state, of its rates (stage 0), and of what these change by over a small step (made
        here, as stage 1).
        """
        w, n = self.w, self.l.nv
        d0 = self._sized(("size1", 0), ("v", 0))
        d1 = self._sized(("v", 0), ("K", n))
        little = w.both(w.compare("olt", d0, w.const(1e-5)), w.compare("olt", d1, w.const(1e-5)), "or")
        h = w.choose(
            little, w.const(1e-6), w.op("fmul", w.op("fdiv", d0, w.choose(little, w.const(1.0), d1)), w.const(0.01))
        )

        def move(k: str | int) -> None:
            w.put("x1", w.op("fmul", h, w.get("v", k)), k)
            w.put("v1", w.fma(h, w.get("K", w.shifted(k, n)), w.get("v", k)), k)

        w.each(n, 8, move)
        self._time(1.0, h)
        self._rates("x1", "v1", 1)

        def differ(k: str | int) -> None:
            w.put("xs", w.op("fsub", w.get("K", w.shifted(k, 2 * n)), w.get("v", k)), k)
            w.put("vs", w.op("fsub", w.get("K", w.shifted(k, 3 * n)), w.get("K", w.shifted(k, n))), k)

        w.each(n, 8, differ)
        most = w.most(d1, w.op("fdiv", self._sized(("xs", 0), ("vs", 0)), h))
        still = w.compare("ole", most, w.const(1e-15))
        power = w.power(w.op("fdiv", w.const(0.01), w.choose(still, w.const(1.0), most)), 1 / table.order)
        h1 = w.choose(still, w.most(w.const(1e-6), w.op("fmul", h, w.const(1e-3))), power)
        times, count = self._word("times", "ptr"), self._word("count")
        end = w.load("double", w.at("double", times, w.let(f"sub i64 {count}, 1")), 8)
        span = w.splat(w.let(f"fsub double {end}, {w.load('double', times, 8)}"))
        h = w.least(w.op("fmul", h, w.const(100.0)), h1)
        usable = w.both(w.compare("ogt", h, w.const(0.0)), w.compare("olt", h, w.const(1e300)))
        return w.choose(usable, w.least(h, span), w.op("fmul", span, w.const(1e-6)))

    def _sized(self, x: tuple[str, int], v: tuple[str, int]) -> str:
        """Root mean square of an array of x's and one of v's (name and shift), relative to the tolerances at the
        start.
        """
        w, n = self.w, self.l.nv
        rtol, atol = (w.splat(self._word(name, "double")) for name in ("rtol", "atol"))
        w.put("mask", w.const(0.0))

        def component(k: str | int) -> None:
            for (name, shift), size in ((x, "size1"), (v, "v")):
                e = w.op("fdiv", w.get(name, w.shifted(k, shift)), w.fma(w.absolute(w.get(size, k)), rtol, atol))
                w.put("mask", w.fma(e, e, w.get("mask")))

        w.each(n, 16, component)
        return w.root(w.op("fmul", w.get("mask"), w.const(1.0 / (2 * n))))

    def _error(self, table: Explicit, h: str) -> str:
        w, n = self.w, self.l.nv
        rtol, atol = (w.splat(self._word(name, "double")) for name in ("rtol", "atol"))
        first, second = ("mask", "ts") if self.l.closed else ("xs", "vs")
        for name in (first, second):  # sums of squares of the two estimates, in the first slots
            w.put(name, w.const(0.0))

        def component(k: str | int) -> None:
            for old, new, shift in (("size", "size1", 0), ("v", "v1", n)):
                size = w.most(w.absolute(w.get(old, k)), w.absolute(w.get(new, k)))
                scale = w.op("fdiv", w.const(1.0), w.fma(size, rtol, atol))
                for row, total in zip(table.errors, ("xs", "vs"), strict=False):
                    e = combination(row, self._stages(k)[shift > 0]) * LaneValue(w, scale)
                    w.put(total, w.fma(e.name, e.name, w.get(total)))

        if self.l.closed:
            self._along_loops(table, rtol, atol)
        else:
            w.each(n, 40, component)
        five = w.get(first)
        if len(table.errors) == 1:
            err = w.op("fmul", w.root(w.op("fmul", five, w.const(1.0 / (2 * n)))), h)
        else:
            below = w.fma(w.get(second), w.const(0.01), five)
            below = w.choose(w.compare("ogt", below, w.const(0.0)), below, w.const(1.0))
            err = w.op("fmul", w.op("fdiv", five, w.root(w.op("fmul", below, w.const(2.0 * n)))), h)
        below_limit = w.both(w.compare("olt", err, w.const(1e10)), self._finite("q1", "v1"))
        return w.choose(below_limit, err, w.const(1e10))

    def _along_loops(self, table: Explicit, rtol: str, atol: str) -> None:
        """The same sums of what loops leave free of the estimates: the rest goes at the end of the step, and is noise
        where loops are singular.
        """
        w, n = self.w, self.l.nv
        for row, total in zip(table.errors, ("mask", "ts"), strict=False):
            for old, new, shift in (("size", "size1", 0), ("v", "v1", n)):

                def estimate(k: str | int, row: tuple[float, ...] = row, shift: int = shift) -> None:
                    w.put("xs", combination(row, self._stages(k)[shift > 0]).name, k)

                def add(k: str | int, old: str = old, new: str = new, total: str = total) -> None:
                    size = w.most(w.absolute(w.get(old, k)), w.absolute(w.get(new, k)))
                    e = w.op("fdiv", w.get("vt", k), w.fma(size, rtol, atol))
                    w.put(total, w.fma(e, e, w.get(total)))

                w.each(n, 20, estimate)
                w.call("tangent", [w.place("x1"), w.place("xs"), w.place("vt")])
                w.each(n, 12, add)

    def _control(self, table: Explicit, err: str, good: str, active: str, h: str) -> str:
        """PI control: the next step."""
        w = self.w
        power = w.power(w.most(err, w.const(1e-300)), table.exponent - 0.75 * table.beta)
        inverse = w.op("fdiv", w.const(0.9), power)
        factor = inverse
        if table.beta:
            factor = w.op("fmul", inverse, w.power(w.get("old"), table.beta))
        factor = w.least(w.most(factor, w.const(table.shrink)), w.const(table.grow))
        turned = w.compare("ogt", w.get("turned"), w.const(0.5))
        factor = w.choose(turned, w.least(factor, w.const(1.0)), factor)
        if self.l.closed:
            back = w.compare("olt", w.get("turned"), w.const(0.0))
            factor = w.choose(back, w.op("fsub", w.const(0.0), w.get("turned")), factor)
        after = w.most(w.least(inverse, w.const(1.0)), w.const(table.shrink))
        return w.choose(active, w.op("fmul", h, w.choose(good, factor, after)), w.get("h"))

    def _accept(
        self, table: Explicit, err: str, good: str, active: str, failed: str, h: str, h1: str, end: str
    ) -> None:
        w, n = self.w, self.l.nv
        last = w.compare("ogt", w.get("last"), w.const(0.5))
        bad = w.both(active, w.let(f"xor {w.mask} {good}, {self._ones()}"))
        t = w.get("t")
        self._take(
            good, (("q", "q1"), ("v", "v1"), ("size", "size1"), *((("pivot", "ended"),) if self.l.closed else ()))
        )
        w.each(
            n,
            4,
            lambda k: w.put("a", w.choose(good, w.get("K", w.shifted(k, 2 * n * table.stages + n)), w.get("a", k)), k),
        )
        w.put("t", w.choose(good, w.choose(last, w.get("goal") if self.l.signals else end, w.op("fadd", t, h)), t))
        w.put("old", w.choose(good, w.most(err, w.const(1e-4)), w.get("old")))
        w.put("turned", w.choose(active, w.choose(good, w.const(0.0), failed), w.get("turned")))
        if self.l.signals:  # a step that was cut says nothing about the next one
            h1 = w.choose(w.both(good, last), w.most(h1, w.get("h")), h1)
        w.put("h", h1)
        self._count("steps", good)
        self._count("rejected", bad)
        self._count("evaluations", active, float(table.stages))
        tiny = w.compare("olt", h1, w.op("fmul", w.most(w.absolute(t), w.const(1e-3)), w.const(16 * 2.0**-52)))
        fate = w.choose(w.compare("oge", err, w.const(1e10)), w.const(DIVERGED), w.const(TINY))
        status = w.choose(w.both(active, tiny), fate, w.get("status"))
        arrived = w.both(good, last)
        if self.l.signals:
            on = w.compare("olt", w.get("goal"), end)
            self._new_pieces(w.both(arrived, on))
            arrived = w.both(arrived, w.compare("oge", w.get("goal"), end))
        w.put("status", w.choose(arrived, w.const(1.0), status))

    def _new_pieces(self, at: str) -> None:
        """Accelerations where pieces of signals have begun."""
        w, n = self.w, self.l.nv
        with w.when(w.any(at)):
            self._time(0.0, w.const(0.0))
            self._rates("zero", "v", 0)
            w.each(n, 4, lambda k: w.put("a", w.choose(at, w.get("K", w.shifted(k, n)), w.get("a", k)), k))
            self._count("evaluations", at)

    def _dense(self, table: Explicit, good: str, h: str) -> None:
        """Outputs within the step just made."""
        w = self.w
        t = w.get("t")
        with w.when(w.any(self._pending(good, t, h))):
            for number, (row, c) in enumerate(zip(table.extra, table.extra_c, strict=True), start=table.stages + 1):
                self._stage(table, row, c, number, h)
            if table.extra:
                self._count("evaluations", good, float(len(table.extra)))
            self._polynomial(table, h)
            k = w.fresh()
            w.line(f"br label %write{k}")
            w.label(f"write{k}")
            pending = self._pending(good, t, h)
            w.line(f"br i1 {w.any(pending)}, label %one{k}, label %written{k}")
            w.label(f"one{k}")
            s = w.op("fdiv", w.op("fsub", w.get("ts"), t), w.choose(pending, h, w.const(1.0)))
            w.put("mask", w.choose(pending, w.const(1.0), w.const(0.0)))
            self._evaluate(table, s)
            self._advance("xs", "vs")
            w.line(
                f"call void @output(ptr %job, ptr {self.index}, ptr %lanes, ptr {w.place('q1')}, ptr {w.place('vs')}, "
                "i1 false)"
            )
            w.line(f"br label %write{k}")
            w.label(f"written{k}")
            self._advance(
                "x1", "v1", again=True
            )  # q1 was used for outputs; v1 is closed already, and closing it again would move its last digit

    def _pending(self, good: str, t: str, h: str) -> str:
        """Lanes whose next output lies within the step; its time goes to ts."""
        w = self.w
        times, count = self._word("times", "ptr"), self._word("count")
        top = w.let(f"sub i64 {count}, 1")
        with w.loop(self.lanes.width) as lane:
            at = w.let(f"fptosi double {w.load('double', w.lane('next', lane), 8)} to i64")
            at = w.let(f"select i1 {w.let(f'icmp slt i64 {at}, {count}')}, i64 {at}, i64 {top}")
            w.line(f"store double {w.load('double', w.at('double', times, at), 8)}, ptr {w.lane('ts', lane)}, align 8")
        last = w.compare("ogt", w.get("last"), w.const(0.5))
        reached = w.both(w.compare("ole", w.get("ts"), w.op("fadd", t, h)), last, "or")
        if self.l.signals:
            reached = w.both(reached, w.compare("ole", w.get("ts"), w.get("goal")))
        left = w.compare("olt", w.get("next"), w.splat(w.let(f"sitofp i64 {count} to double")))
        return w.both(w.both(good, reached), left)

    def _polynomial(self, table: Explicit, h: str) -> None:
        w, n = self.w, self.l.nv
        size = 3 + len(table.dense)

        def put(k: str | int, part: int, c: int, x: str) -> None:
            w.put("D", x, w.shifted(k, n * (2 * c + part)))

        def component(k: str | int) -> None:
            for part, (rates, end) in enumerate(zip(self._stages(k), ("x1", "v1"), strict=True)):
                difference = LaneValue(w, w.get(end, k)) if part == 0 else slot(w, end, k) - slot(w, "v", k)
                for c, value in enumerate(dense(table.dense, LaneValue(w, h), difference, rates, table.stages)):
                    put(k, part, c, value.name)

        w.each(n, 20 * size, component)

    def _evaluate(self, table: Explicit, s: str) -> None:
        w, n = self.w, self.l.nv
        back = w.op("fsub", w.const(1.0), s)
        top = 2 + len(table.dense)

        def component(k: str | int) -> None:
            for part, name in ((0, "xs"), (1, "vs")):
                parts = [slot(w, "D", w.shifted(k, n * (2 * c + part))) for c in range(top + 1)]
                made = polynomial(parts, LaneValue(w, s), LaneValue(w, back)).name
                w.put(name, made if part == 0 else w.op("fadd", made, w.get("v", k)), k)

        w.each(n, 6 * top, component)
