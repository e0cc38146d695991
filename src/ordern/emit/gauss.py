"""The symplectic method: Gauss collocation for coordinates and momenta, solved by iteration."""

from __future__ import annotations

from .stepping import Stepping
from .tableaus import GAUSS

__all__ = ["GaussSteps"]


class GaussSteps(Stepping):
    """Its steps."""

    def _symplectic(self, active: str) -> None:
        """Gauss collocation in (q, p); a lane's iteration ends by its own changes alone."""
        w, n = self.w, self.l.nv
        h = w.get("h")
        self._guess()
        w.put("going", w.choose(active, w.const(1.0), w.const(0.0)))
        w.put("least", w.const(1e300))
        bound = w.const(0.0)
        w.put("bound", bound)
        w.each(n, 4, lambda k: w.put("bound", w.most(w.get("bound"), w.absolute(w.get("K", k)))))
        w.put("bound", w.fma(w.get("bound"), w.const(1e-9), w.const(1e-9)))
        k, before = w.fresh(), w.block
        w.line(f"br label %round{k}")
        w.label(f"round{k}")
        w.let(f"phi i64 [ 0, %{before} ], [ %rounds{k}, %more{k} ]", f"%turn{k}")
        some = w.let(f"and i1 {w.any(w.compare('ogt', w.get('going'), w.const(0.5)))}, {w.let(f'icmp slt i64 %turn{k}, 50')}")
        w.line(f"br i1 {some}, label %iterate{k}, label %solved{k}")
        w.label(f"iterate{k}")
        self._round(h, f"%turn{k}")
        w.line(f"br label %more{k}")
        w.label(f"more{k}")
        w.let(f"add i64 %turn{k}, 1", f"%rounds{k}")
        w.line(f"br label %round{k}")
        w.label(f"solved{k}")

        def component(k: str | int) -> None:
            dx = w.weighted(GAUSS.b, "K", lambda j: w.shifted(k, n * j))
            dp = w.weighted(GAUSS.b, "K", lambda j: w.shifted(k, n * (3 + j)))
            w.put("x1", w.fma(dx, h, w.get("eq", k)), k)
            old, more = w.get("a", k), w.fma(dp, h, w.get("ep", k))
            new = w.op("fadd", old, more)
            w.put("v1", new, k)
            w.put("ep1", w.op("fsub", more, w.op("fsub", new, old)), k)

        w.each(n, 16, component)
        w.call("advance", [w.place("x1"), "%lanes", w.place("q1"), w.place("size1")])

        def left_out(k: str | int) -> None:
            moved = w.op("fsub", w.get("q1", k), w.get("q", k))
            w.put("eq1", w.op("fsub", w.get("x1", k), moved), k)

        if self.l.nq == n:  # compensated sums; coordinates on a manifold are no sums
            w.each(n, 6, left_out)
        else:
            w.each(n, 1, lambda k: w.put("eq1", w.const(0.0), k))
        self._close(active, (("q", "q1"), ("a", "v1"), ("eq", "eq1"), ("ep", "ep1")), 0)

    def _guess(self) -> None:
        """The last step's collocation polynomial, continued."""
        w, n = self.w, self.l.nv
        weights = [[_lagrange(j, 1 + c) for j in range(3)] for c in GAUSS.c]

        def component(k: str | int) -> None:
            for part in (0, 3):
                made = [w.weighted(row, "K", lambda j, part=part: w.shifted(k, n * (part + j))) for row in weights]  # type: ignore[misc]
                for s, x in enumerate(made):
                    w.put("K", x, w.shifted(k, n * (part + s)))

        w.each(n, 30, component)

    def _round(self, h: str, turn: str) -> None:
        w, n = self.w, self.l.nv
        for s, (row, c) in enumerate(zip(GAUSS.A, GAUSS.c, strict=True)):
            self._time(c, h)

            def component(k: str | int, row: tuple[float, ...] = row) -> None:
                dx = w.weighted(row, "K", lambda j: w.shifted(k, n * j))
                dp = w.weighted(row, "K", lambda j: w.shifted(k, n * (3 + j)))
                w.put("xs", w.op("fmul", dx, h), k)
                w.put("vs", w.fma(dp, h, w.get("a", k)), k)

            w.each(n, 12, component)
            if self.l.signals:
                self._at_time()
            w.call("hamilton", [w.place("xs"), w.place("vs"), w.place("N", n * s), w.place("N", n * (3 + s)), w.place("vm")])
        going = w.compare("ogt", w.get("going"), w.const(0.5))
        self._count("evaluations", going, 3.0)
        w.put("change", w.const(0.0))

        def compare(k: str | int) -> None:
            difference = w.absolute(w.op("fsub", w.get("N", k), w.get("K", k)))
            w.put("change", w.most(w.get("change"), difference))

        w.each(3 * n, 5, compare)
        w.each(6 * n, 4, lambda k: w.put("K", w.choose(going, w.get("N", k), w.get("K", k)), k))
        change, least = w.get("change"), w.get("least")
        stalled = w.both(w.compare("oge", change, least), w.compare("olt", change, w.get("bound")))
        later = w.let(f"icmp sgt i64 {turn}, 1")
        mask = later if self.lanes.width == 1 else self._spread(later)
        still = w.both(w.compare("oeq", change, w.const(0.0)), mask)
        finished = w.both(stalled, still, "or")
        w.put("going", w.choose(finished, w.const(0.0), w.get("going")))
        w.put("least", change)

    def _spread(self, bit: str) -> str:
        w, width = self.w, self.lanes.width
        one = w.let(f"insertelement <{width} x i1> poison, i1 {bit}, i32 0")
        return w.let(f"shufflevector <{width} x i1> {one}, <{width} x i1> poison, <{width} x i32> zeroinitializer")

    def _complete(self, mask: str) -> None:
        """Velocities at the state, for an output."""
        if self.l.method != "symplectic":
            return
        w, n = self.w, self.l.nv
        self._time(0.0, w.get("h"))
        if self.l.signals:
            self._at_time()
        w.call("hamilton", [w.place("zero"), w.place("a"), w.place("N"), w.place("N", n), w.place("vm")])
        self._take(mask, (("v", "vm"),))


def _lagrange(j: int, s: float) -> float:
    """The polynomial that is 1 at Gauss point j and 0 at the others."""
    made = 1.0
    for k, c in enumerate(GAUSS.c):
        if k != j:
            made *= (s - c) / (GAUSS.c[j] - c)
    return made
