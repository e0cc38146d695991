"""The symplectic method: Gauss collocation for coordinates and momenta, solved by iteration.

Over an hour at 1 ms, what would show as a trend of the energy is rounding that is not random. So the iteration goes on
to the end of what numbers hold, and sums are compensated [HMR08]; the rounded coefficients are symplectic exactly
[AMM17]; and angles do not grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...algorithms.steps import combination
from ..tableaus import GAUSS
from .lane_values import LaneValue, slot
from .stepping import Stepping

__all__ = ["GaussSteps"]

ROUNDS = 50  # of the iteration, at most
# changes are taken for rounding only below this, relative to the largest increment (and to 1 rad or m a second)
CLOSE = 1e-9
LAST = 1e-5  # of this bound: a change that is rounding, so that none after it is the end
# rounds without a smaller change after which changes are rounding: one may happen before, where eigenvalues are complex
MISSES = 2.0


TURN, TURN_REST = (
    math.tau,
    2.4492935982947064e-16,
)  # 2 pi in two parts; an angle beyond pi less the first one is exact (Sterbenz)


class GaussSteps(Stepping):
    """Its steps; ``angles`` are the coordinates on which the motion depends by sine and cosine alone."""

    angles: frozenset[int] = frozenset()

    def _symplectic(self, active: str) -> None:
        """Gauss collocation in (q, p); a lane's iteration ends by its own changes alone."""
        w = self.w
        self._guess()
        w.put("going", w.choose(active, w.const(1.0), w.const(0.0)))
        w.put("least", w.const(1e300))
        w.put("missed", w.const(0.0))
        w.put("before", w.const(1e300))
        k, before = w.fresh(), w.block
        w.line(f"br label %round{k}")
        w.label(f"round{k}")
        w.let(f"phi i64 [ 0, %{before} ], [ %rounds{k}, %more{k} ]", f"%turn{k}")
        some = w.let(
            f"and i1 {w.any(w.compare('ogt', w.get('going'), w.const(0.5)))}, "
            f"{w.let(f'icmp slt i64 %turn{k}, {ROUNDS}')}"
        )
        w.line(f"br i1 {some}, label %iterate{k}, label %solved{k}")
        w.label(f"iterate{k}")
        self._round()
        w.line(f"br label %more{k}")
        w.label(f"more{k}")
        w.let(f"add i64 %turn{k}, 1", f"%rounds{k}")
        w.line(f"br label %round{k}")
        w.label(f"solved{k}")
        self._add_up(active)

    def _add_up(self, active: str) -> None:
        """The end of the step. Sums are compensated: what rounding leaves out of q and p is kept and added with the
        next increment.
        """
        w, n, s = self.w, self.l.nv, GAUSS.stages
        ones = (1.0,) * s
        lost = w.compare("ugt", w.get("change"), w.get("bound"))  # the iteration did not converge: the step is too long

        def component(k: str | int) -> None:
            w.put("x1", combination(ones, self._increments(k, 0), slot(w, "eq", k)).name, k)
            old, more = w.get("a", k), combination(ones, self._increments(k, s), slot(w, "ep", k)).name
            new = w.op("fadd", old, more)
            w.put("v1", w.choose(lost, w.const(float("nan")), new), k)
            w.put("ep1", self._left_out(old, more, new), k)

        w.each(n, 24, component)
        self._advance("x1", "v1")
        w.each(n, 1, lambda k: w.put("eq1", w.const(0.0), k))
        for v, q, count in self.l.sums:

            def kept(k: str | int, v: int = v, q: int = q) -> None:
                at, to = w.shifted(k, v), w.shifted(k, q)
                w.put("eq1", self._left_out(w.get("q", to), w.get("x1", at), w.get("q1", to)), at)

            w.each(count, 8, kept)
        self._unwind()
        self._close(active, (("q", "q1"), ("a", "v1"), ("eq", "eq1"), ("ep", "ep1"), ("turns", "turns1")), 0)

    def _increments(self, k: str | int, first: int) -> Callable[[int], LaneValue]:
        """Component k of the stages' increments, of x from 0 on, of p behind them."""
        w, n = self.w, self.l.nv
        return lambda j: slot(w, "K", w.shifted(k, n * (first + j)))

    def _unwind(self) -> None:
        """Angles stay within half a turn, whole turns are counted apart: a wrist that spun ten thousand times is as
        exact as at first.
        """
        w = self.w
        w.each(self.l.nq, 2, lambda k: w.put("turns1", w.get("turns", k), k))
        for v, q, count in self.l.sums:
            for k in sorted(self.angles.intersection(range(q, q + count))):
                whole, at = w.const(1.5 * 2.0**52), v + k - q
                turns = w.op("fsub", w.fma(w.get("q1", k), w.const(1 / TURN), whole), whole)
                back = w.op("fsub", w.const(0.0), turns)
                w.put("q1", w.fma(back, w.const(TURN), w.get("q1", k)), k)  # exact: see TURN
                w.put("eq1", w.fma(back, w.const(TURN_REST), w.get("eq1", at)), at)
                w.put("turns1", w.op("fadd", w.get("turns1", k), turns), k)

    def _left_out(self, a: str, b: str, total: str) -> str:
        """What rounding left out of total = a + b, exactly, whichever of the two is larger (Knuth)."""
        w = self.w
        moved = w.op("fsub", total, a)
        return w.op("fadd", w.op("fsub", a, w.op("fsub", total, moved)), w.op("fsub", b, moved))

    def _guess(self) -> None:
        """The last step's collocation polynomial, continued."""
        w, n, s = self.w, self.l.nv, GAUSS.stages

        def component(k: str | int) -> None:
            for part in (0, s):
                made = [combination(row, self._increments(k, part)).name for row in GAUSS.ahead]
                for j, x in enumerate(made):
                    w.put("K", x, w.shifted(k, n * (part + j)))

        w.each(n, 4 * s * s, component)

    def _round(self) -> None:
        """All stages once more, from the increments of the last round."""
        w, n, s = self.w, self.l.nv, GAUSS.stages
        h = w.get("h")
        self._unseen()
        for number, (row, c) in enumerate(zip(GAUSS.M, GAUSS.c, strict=True)):
            self._time(c, h)

            def component(k: str | int, row: tuple[float, ...] = row) -> None:
                w.put("xs", combination(row, self._increments(k, 0)).name, k)
                w.put("vs", combination(row, self._increments(k, s), slot(w, "a", k)).name, k)

            w.each(n, 4 * s, component)
            if self.l.signals:
                self._at_time()
            w.call(
                "hamilton",
                [
                    w.place("xs"),
                    w.place("vs"),
                    w.place("N", n * number),
                    w.place("N", n * (s + number)),
                    w.place("vm"),
                    *self._pivot(),
                ],
            )
            self._seen()
        self._renew()
        self._judge()

    def _renew(self) -> None:
        """Rates become increments; the largest change of a coordinate's, and the largest of them, are noted."""
        w, n, s = self.w, self.l.nv, GAUSS.stages
        h = w.get("h")
        going = w.compare("ogt", w.get("going"), w.const(0.5))
        self._count("evaluations", going, float(s))
        w.put("change", w.const(0.0))
        w.put("bound", w.const(0.0))
        for number, b in enumerate(GAUSS.b):
            hb = w.op("fmul", h, w.const(b))

            def coordinate(k: str | int, hb: str = hb, number: int = number) -> None:
                at = w.shifted(k, n * number)
                new = w.op("fmul", w.get("N", at), hb)
                w.put("change", w.most(w.get("change"), w.absolute(w.op("fsub", new, w.get("K", at)))))
                w.put("bound", w.most(w.get("bound"), w.absolute(new)))
                w.put("K", w.choose(going, new, w.get("K", at)), at)

            def momentum(k: str | int, hb: str = hb, number: int = number) -> None:
                at = w.shifted(k, n * (s + number))
                w.put("K", w.choose(going, w.op("fmul", w.get("N", at), hb), w.get("K", at)), at)

            w.each(n, 10, coordinate)
            w.each(n, 5, momentum)
        w.put("bound", w.op("fmul", w.op("fadd", w.get("bound"), h), w.const(CLOSE)))

    def _judge(self) -> None:
        """Which lanes go on: until nothing changes, or the changes have not become smaller for some rounds: then they
        are rounding. A round without a change ends them only after a small one: with a constant mass matrix,
        coordinates and momenta change by turns.
        """
        w = self.w
        last, least, going = w.get("change"), w.get("least"), w.compare("ogt", w.get("going"), w.const(0.5))
        none, before = w.compare("oeq", last, w.const(0.0)), w.get("before")
        change = w.choose(none, before, last)
        w.put("change", change)
        w.put("before", last)
        better = w.compare("olt", change, least)
        missed = w.choose(better, w.const(0.0), w.op("fadd", w.get("missed"), w.const(1.0)))
        w.put("missed", missed)
        w.put("least", w.choose(w.both(better, going), change, least))
        stalled = w.both(w.compare("oge", missed, w.const(MISSES)), w.compare("olt", change, w.get("bound")))
        still = w.both(none, w.compare("olt", before, w.op("fmul", w.get("bound"), w.const(LAST))))
        w.put("going", w.choose(w.both(stalled, still, "or"), w.const(0.0), w.get("going")))

    def _complete(self, mask: str) -> str:
        """Velocities at the state, and angles with their turns, for an output."""
        if self.l.method != "symplectic":
            return super()._complete(mask)
        w, n = self.w, self.l.nv
        self._time(0.0, w.get("h"))
        if self.l.signals:
            self._at_time()
        w.call(
            "hamilton", [w.place("zero"), w.place("a"), w.place("N"), w.place("N", n), w.place("vm"), *self._pivot()]
        )
        self._take(mask, (("v", "vm"),))

        def whole(k: str | int) -> None:
            turns = w.get("turns", k)
            w.put("q1", w.fma(turns, w.const(TURN), w.fma(turns, w.const(TURN_REST), w.get("q", k))), k)

        w.each(self.l.nq, 6, whole)
        return "q1"
