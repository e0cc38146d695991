"""What is done lane by lane: rows of runs to lanes and back, outputs, signals looked up by time."""

from __future__ import annotations

from .stepping import JOB, SIGNAL, Stepping

__all__ = ["LaneRows"]

_SIGNAL_KINDS = ("ptr", "i64", "i64", "double", "ptr", "i64", "i64")


class LaneRows(Stepping):
    """Loops over lanes."""

    def _move(self, fetch: bool) -> None:
        """Rows to lanes, or back; parameters come along."""
        w, size = self.w, self.l.state.total
        rows, parameters = self._word("rows", "ptr"), self._word("parameters", "ptr")
        stride = self._word("stride")
        with w.loop(self.lanes.width) as lane:
            run = w.load("i64", w.at("i64", self.index, lane), 8)
            row = w.at("double", rows, w.let(f"mul i64 {run}, {size}"))
            with w.loop(size) as k:
                slot = w.at("double", w.at(w.real, "%lanes", k), lane)
                a, b = (w.at("double", row, k), slot) if fetch else (slot, w.at("double", row, k))
                w.line(f"store double {w.load('double', a, 8)}, ptr {b}, align 8")
            if fetch and self.l.parameters:
                own = w.at("double", parameters, w.let(f"mul i64 {run}, {stride}"))
                with w.loop(self.l.parameters) as k:
                    w.line(
                        f"store double {w.load('double', w.at('double', own, k), 8)}, ptr "
                        f"{w.lane('parameters', lane, k)}, align 8"
                    )
        if fetch:
            w.each(self.l.nv, 1, lambda k: w.put("zero", w.const(0.0), k))

    def _output(self) -> str:
        """``@output``: the lanes with mask 1 write their state to the next row; with ``%grid`` the next interval of
        fixed steps begins.
        """
        w = self._begin(
            "define internal void @output(ptr %job, ptr %index, ptr %lanes, ptr %q, ptr %v, i1 %grid) noinline #0 {"
        )
        outs = {"q": self._word("out_q", "ptr"), "v": self._word("out_v", "ptr")}
        times, plan, count = self._word("times", "ptr"), self._word("plan", "ptr"), self._word("count")
        with (
            w.loop(self.lanes.width) as lane,
            w.when(w.let(f"fcmp ogt double {w.load('double', w.lane('mask', lane), 8)}, 0.5")),
        ):
            run = w.load("i64", w.at("i64", "%index", lane), 8)
            at = w.let(f"fptosi double {w.load('double', w.lane('next', lane), 8)} to i64")
            row = w.let(f"add i64 {w.let(f'mul i64 {run}, {count}')}, {at}")
            for name, size in (("q", self.l.nq), ("v", self.l.nv)):
                to = w.at("double", outs[name], w.let(f"mul i64 {row}, {size}"))
                with w.loop(size) as k:
                    source = w.at("double", w.at(w.real, f"%{name}", k), lane)
                    w.line(f"store double {w.load('double', source, 8)}, ptr {w.at('double', to, k)}, align 8")
            after = w.let(f"add i64 {at}, 1")
            w.line(f"store double {w.let(f'sitofp i64 {after} to double')}, ptr {w.lane('next', lane)}, align 8")
            with w.when("%grid"):
                now = w.load("double", w.at("double", times, at), 8)
                w.line(f"store double {now}, ptr {w.lane('t', lane)}, align 8")
                w.line(f"store double {now}, ptr {w.lane('old', lane)}, align 8")
                w.line(f"store double 0.0, ptr {w.lane('j', lane)}, align 8")
                more = w.let(f"icmp slt i64 {after}, {count}")
                done = w.let(f"select i1 {more}, double 0.0, double 1.0")
                w.line(f"store double {done}, ptr {w.lane('status', lane)}, align 8")
                with w.when(more):
                    steps = w.let(f"sitofp i64 {w.load('i64', w.at('i64', plan, at), 8)} to double")
                    span = w.let(f"fsub double {w.load('double', w.at('double', times, after), 8)}, {now}")
                    w.line(f"store double {w.let(f'fdiv double {span}, {steps}')}, ptr {w.lane('h', lane)}, align 8")
                    w.line(f"store double {steps}, ptr {w.lane('turned', lane)}, align 8")
        w.line("ret void")
        w.lines.append("}")
        return "\n".join(w.opened())

    def _signals(self) -> str:
        """``@signals``: all signals at the times in ts, each by its piece at the time in pick."""
        w = self._begin("define internal void @signals(ptr %job, ptr %index, ptr %lanes) noinline #0 {")
        at = 0
        for number, channels in enumerate(self.l.signals):
            first = len(JOB) - 1 + len(SIGNAL) * number
            kinds = zip(SIGNAL, _SIGNAL_KINDS, strict=True)
            word = {name: w.load(kind, w.at("i64", "%job", first + k), 8) for k, (name, kind) in enumerate(kinds)}
            with w.loop(self.lanes.width) as lane:
                self._one_signal(word, lane, channels, at)
            at += channels
        w.line("ret void")
        w.lines.append("}")
        return "\n".join(w.opened())

    def _one_signal(self, word: dict[str, str], lane: str, channels: int, at: int) -> None:
        w = self.w
        breaks, pieces = word["breaks"], word["pieces"]
        low, high = w.load("double", breaks, 8), w.load("double", w.at("double", breaks, pieces), 8)
        t, pick = (self._within(w.load("double", w.lane(name, lane), 8), low, high) for name in ("ts", "pick"))
        piece = self._search(pick, low, breaks, pieces, word)
        s = w.let(f"fsub double {t}, {w.load('double', w.at('double', breaks, piece), 8)}")
        degree = word["degree"]
        run = w.load("i64", w.at("i64", "%index", lane), 8)
        shift = w.let(f"mul i64 {run}, {word['stride']}")
        size = w.let(f"mul i64 {w.let(f'add i64 {degree}, 1')}, {channels}")
        own = w.at("double", word["coefficients"], w.let(f"add i64 {shift}, {w.let(f'mul i64 {piece}, {size}')}"))
        with w.loop(channels) as c:
            slot = w.lane("signals", lane, w.shifted(c, at))
            w.line(f"store double 0.0, ptr {slot}, align 8")
            with w.loop(w.let(f"add i64 {degree}, 1")) as d:
                down = w.let(f"sub i64 {degree}, {d}")
                x = w.load(
                    "double", w.at("double", own, w.let(f"add i64 {w.let(f'mul i64 {down}, {channels}')}, {c}")), 8
                )
                total = w.load("double", slot, 8)
                w.line(
                    f"store double {w.let(f'call double @llvm.fma.f64(double {total}, double {s}, double {x})')}, ptr "
                    f"{slot}, align 8"
                )

    def _within(self, t: str, low: str, high: str) -> str:
        w = self.w
        t = w.let(f"select i1 {w.let(f'fcmp olt double {t}, {low}')}, double {low}, double {t}")
        return w.let(f"select i1 {w.let(f'fcmp ogt double {t}, {high}')}, double {high}, double {t}")

    def _goals(self) -> str:
        """``@goals``: into goal, when a piece of some signal ends next, or the run: steps do not go over it."""
        w = self._begin("define internal void @goals(ptr %job, ptr %lanes) noinline #0 {")
        stops, segments = self._word("stops", "ptr"), self._word("segments")
        with w.loop(self.lanes.width) as lane:
            t, first = w.load("double", w.lane("t", lane), 8), w.load("double", stops, 8)
            piece = self._search(t, first, stops, segments, {"uniform": "0", "scale": "0.0"})
            goal = w.load("double", w.at("double", stops, w.let(f"add i64 {piece}, 1")), 8)
            w.line(f"store double {goal}, ptr {w.lane('goal', lane)}, align 8")
        w.line("ret void")
        w.lines.append("}")
        return "\n".join(w.opened())

    def _search(self, t: str, low: str, breaks: str, pieces: str, word: dict[str, str]) -> str:
        """The piece that holds t, from its beginning on: by division where all last equally long, else by halving."""
        w, k = self.w, self.w.fresh()
        top = w.let(f"sub i64 {pieces}, 1")
        even = w.let(f"icmp ne i64 {word['uniform']}, 0")
        w.line(f"br i1 {even}, label %divide{k}, label %halve{k}")
        w.label(f"divide{k}")
        since, scale = w.let(f"fsub double {t}, {low}"), word["scale"]
        x = w.let(f"fptosi double {w.let(f'fmul double {since}, {scale}')} to i64")
        near = w.let(f"select i1 {w.let(f'icmp slt i64 {x}, {top}')}, i64 {x}, i64 {top}")
        # rounding may give the piece before or behind the one that begins at t, and steps do begin where pieces do
        early = w.let(f"fcmp olt double {t}, {w.load('double', w.at('double', breaks, near), 8)}")
        back = w.let(f"sub i64 {near}, {w.let(f'zext i1 {early} to i64')}")
        behind = w.let(f"add i64 {back}, 1")
        late = w.let(f"fcmp oge double {t}, {w.load('double', w.at('double', breaks, behind), 8)}")
        further = w.let(f"select i1 {w.let(f'icmp slt i64 {behind}, {top}')}, i64 {behind}, i64 {top}")
        direct = w.let(f"select i1 {late}, i64 {further}, i64 {back}")
        w.line(f"br label %found{k}")
        w.label(f"halve{k}")
        w.line(f"br label %search{k}")
        w.label(f"search{k}")
        w.let(f"phi i64 [ 0, %halve{k} ], [ %left{k}, %cut{k} ]", f"%a{k}")
        w.let(f"phi i64 [ {top}, %halve{k} ], [ %right{k}, %cut{k} ]", f"%b{k}")
        w.line(f"br i1 {w.let(f'icmp slt i64 %a{k}, %b{k}')}, label %cut{k}, label %found{k}")
        w.label(f"cut{k}")
        both = w.let(f"add i64 %a{k}, %b{k}")
        middle = w.let(f"lshr i64 {w.let(f'add i64 {both}, 1')}, 1")
        beyond = w.let(f"fcmp oge double {t}, {w.load('double', w.at('double', breaks, middle), 8)}")
        w.let(f"select i1 {beyond}, i64 {middle}, i64 %a{k}", f"%left{k}")
        w.let(f"select i1 {beyond}, i64 %b{k}, i64 {w.let(f'sub i64 {middle}, 1')}", f"%right{k}")
        w.line(f"br label %search{k}")
        w.label(f"found{k}")
        return w.let(f"phi i64 [ {direct}, %divide{k} ], [ %a{k}, %search{k} ]")
