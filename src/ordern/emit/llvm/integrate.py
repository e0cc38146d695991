"""Integrators as machine code: W runs side by side, each with its own time, step, state and fate.

    i64 @kernel(ptr job, ptr index, i64 blocks, ptr memory)

``index`` has W numbers of runs a block (a run may fill several lanes of one block: they do the same). A run's whole
state is a row of ``job.rows``; a block fetches its rows, makes up to ``job.budget`` attempts in all lanes, and puts
them back: which runs share a block, and when, changes no byte. Lanes that are done, or whose attempt failed, keep their
state by selection. Words of ``job`` are in ``JOB``, a signal has SIGNAL words more.
"""

from __future__ import annotations

from ...program.ir import Program
from ..tableaus import TABLES
from .adaptive import AdaptiveSteps
from .gauss import GaussSteps
from .lane_rows import LaneRows
from .lane_text import module, program_function
from .lanes import Lanes
from .stepping import JOB, SIGNAL, Layout

__all__ = ["JOB", "SIGNAL", "Layout", "integrator"]


def integrator(
    layout: Layout,
    programs: dict[str, Program],
    channels: dict[str, int],
    lanes: Lanes,
    angles: frozenset[int] = frozenset(),
    registers: int = 16,
) -> tuple[str, int]:
    """The module's text, and how many bytes of memory a thread needs.

    ``channels``: where each input of the programs besides the state lies, counted from the first parameter, signals
    behind them. ``angles``: coordinates that may be kept within half a turn. ``registers``: how many vectors the
    processor holds.
    """
    fields = layout.fields()
    slots = 0
    parts: list[str] = []
    state = {"base": ("%lanes", fields.at["q"]), "x": ("%in0", 0), "qd": ("%in1", 0), "p": ("%in1", 0)}
    state |= {name: ("%lanes", fields.at["parameters"] + at) for name, at in channels.items()}
    outs = {
        "rates": ("dx", "qdd", "pivot"),
        "hamilton": ("dx", "dp", "qd", "pivot"),
        "advance": ("q", "size", "tangent"),
        "tangent": ("tangent",),
    }
    for kind, program in programs.items():
        places = state | {name: (f"%put{k}", 0) for k, name in enumerate(outs[kind])}
        text, space = program_function(kind, program, lanes, places, registers)
        parts += text
        slots = max(slots, space)
    writer = _Integrator(layout, fields, lanes)
    writer.angles = angles
    parts += writer.functions()
    return module(parts, lanes), (fields.total + slots + 2) * lanes.width * lanes.bytes


class _Integrator(AdaptiveSteps, GaussSteps, LaneRows):
    """All of it."""

    def functions(self) -> list[str]:
        """Everything but the programs."""
        made = [self._kernel()]
        if self.l.signals:
            made += [self._signals(), *([self._goals()] if self.l.adaptive else [])]
        return [*made, self._output()]

    def _kernel(self) -> str:
        """Blocks one after the other; the number of attempts made."""
        w = self._begin("define i64 @kernel(ptr %job, ptr %indices, i64 %blocks, ptr %lanes) #0 {")
        w.let(f"getelementptr {w.real}, ptr %lanes, i64 {self.f.total}", "%space")
        with w.loop("%blocks") as b:
            self.index = w.at("i64", "%indices", w.let(f"mul i64 {b}, {self.lanes.width}"))
            self._move(True)
            if self.l.adaptive:
                self._first(TABLES[self.l.method])
            self._attempts()
            self._move(False)
        w.line("ret i64 0")
        w.lines.append("}")
        return "\n".join(w.opened())

    def _attempts(self) -> None:
        """The loop of a block: until all lanes are done or the budget is used up."""
        w, k = self.w, self.w.fresh()
        budget, before = self._word("budget"), self.w.block
        w.line(f"br label %again{k}")
        w.label(f"again{k}")
        w.let(f"phi i64 [ 0, %{before} ], [ %tries{k}, %next{k} ]", f"%done{k}")
        active = w.compare("oeq", w.get("status"), w.const(0.0))
        some = w.let(f"and i1 {w.any(active)}, {w.let(f'icmp slt i64 %done{k}, {budget}')}")
        w.line(f"br i1 {some}, label %try{k}, label %out{k}")
        w.label(f"try{k}")
        method = self.l.method
        if method == "euler":
            self._euler(active)
        elif method == "symplectic":
            self._symplectic(active)
        elif TABLES[method].adaptive:
            self._adaptive(TABLES[method], active)
        else:
            self._fixed(TABLES[method], active)
        w.line(f"br label %next{k}")
        w.label(f"next{k}")
        w.let(f"add i64 %done{k}, 1", f"%tries{k}")
        w.line(f"br label %again{k}")
        w.label(f"out{k}")
