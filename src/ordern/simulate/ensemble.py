"""CompiledIntegrator integrators at work: runs in lanes and threads, in slices short enough for Ctrl-C and a progress
bar.

Between slices the runs that are still under way are put together again, so that lanes are not kept waiting by longer
neighbours.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import struct
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..emit.llvm.stepping import CROSSING, JOB, SIGNAL, Layout
from ..emit.tableaus import GAUSS, TABLES
from ..model import Model
from ..program.pauses import uncollected
from ..runtime import cache
from ..runtime.forks import ForkLock
from ..runtime.kernels import threads as usual_threads
from ..scalars.primitives import Array
from .fixed_steps import crossed, fixed_plan
from .integrators import RUNNING, SLOW_SHARE, SLOW_STEPS, STOPPED, Problem, Progress, slow
from .numpy_engine import Functions
from .right_hand_side import Motion

if TYPE_CHECKING:
    from .signals import Signal

__all__ = ["CompiledIntegrator", "run_compiled"]

SLICE = 0.02  # s that one call of machine code should take
# groups a thread takes in a turn, and s for each: what one of them may wait for another at the end is a share of it
GRAINS, GRAIN = 32, 0.004
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
_LOCK = ForkLock()
_MADE: dict[tuple[Any, ...], CompiledIntegrator] = {}


class CompiledIntegrator:
    """Machine code of an integrator for one motion and width."""

    def __init__(self, motion: Motion, layout: Layout, channels: dict[str, int], width: int) -> None:
        from ..runtime.machine import Code

        key = f"integrator 7 {motion.key} {layout} {sorted(channels.items())} {width}"
        entry = cache.load(key)
        if entry is None:
            entry = _built(motion, layout, channels, width)
            cache.save(key, *entry)
        header, data = entry
        self.width, self.memory = width, int(header["memory"])
        self.code = Code(data)
        self.function = _SIGNATURE(self.code.address)


@uncollected()
def _built(motion: Motion, layout: Layout, channels: dict[str, int], width: int) -> tuple[dict[str, Any], bytes]:
    """Header and machine code."""
    from ..emit.llvm.integrate import integrator
    from ..emit.llvm.lanes import Lanes
    from ..program.passes import fuse, periodic
    from ..runtime.machine import compile_text, registers

    kinds: tuple[str, ...] = ("hamilton", "advance") if layout.method == "symplectic" else ("rates", "advance")
    if layout.closed and layout.method in TABLES and TABLES[layout.method].adaptive:
        kinds = (*kinds, "tangent")
    own = {"advance": "conserve"} if layout.closed and layout.method == "symplectic" else {}
    programs = {kind: fuse(motion.program(own.get(kind, kind))) for kind in kinds}
    angles = periodic(programs["hamilton"], "base", "x") if layout.method == "symplectic" else frozenset()
    text, memory = integrator(layout, programs, channels, Lanes(width), angles, registers())
    return {"memory": memory}, compile_text(text, not all(p.straight for p in programs.values()))


def _compiled(motion: Motion, layout: Layout, channels: dict[str, int], width: int) -> CompiledIntegrator:
    key = (motion.key, layout, tuple(channels.items()), width)
    with _LOCK:
        if key not in _MADE:
            while len(_MADE) >= 64:
                _MADE.pop(next(iter(_MADE)))
            _MADE[key] = CompiledIntegrator(motion, layout, channels, width)
        return _MADE[key]


class _Inputs:
    """Parameters packed into rows, signals as tables, and where each channel lies."""

    def __init__(self, motion: Motion, first: int, runs: int) -> None:
        self.places: dict[str, int] = {}
        parts: list[Array] = []
        at = 0
        for name, channel in motion.channels.items():
            if channel.signal is None:
                self.places[name] = at
                values = np.asarray(channel.values, float)
                parts.append(values[first : first + runs] if values.ndim == 2 else values)
                at += channel.count
        self.count = at
        own = any(p.ndim == 2 for p in parts)
        rows = [np.broadcast_to(p, (runs, p.shape[-1])) if own else p[None] for p in parts]
        self.parameters = np.ascontiguousarray(np.concatenate(rows, axis=1)) if rows else np.zeros((1, 1))
        self.stride = self.count if own else 0
        self.words: list[int] = []
        self.sizes: list[int] = []
        self.keep: list[Array] = []
        for name, channel in motion.channels.items():
            if channel.signal is not None:
                self.places[name] = at
                at += channel.count
                self._signal(channel.signal, first, runs)

    def _signal(self, signal: Signal, first: int, runs: int) -> None:
        own = signal.coefficients[first : first + runs] if signal.runs is not None else signal.coefficients
        breaks, c = np.ascontiguousarray(signal.breaks, float), np.ascontiguousarray(own, float)
        pieces, degree = c.shape[-3], c.shape[-2] - 1
        self.keep += [breaks, c]
        self.sizes.append(signal.channels)
        scale = _bits((len(breaks) - 1) / (breaks[-1] - breaks[0]))
        stride = int(np.prod(c.shape[1:])) if c.ndim == 4 else 0
        self.words += [breaks.ctypes.data, pieces, int(signal.uniform), scale, c.ctypes.data, degree, stride]


def _bits(x: float) -> int:
    return int.from_bytes(struct.pack("<d", x), "little", signed=True)


def _address(a: Array) -> int:
    """The address of an array's data; takes a third of the time of ``a.ctypes.data``."""
    return int(a.__array_interface__["data"][0])


def run_compiled(
    motion: Motion,
    method: str,
    state: Progress,
    times: Array,
    numbers: tuple[float, ...],
    threads: int | None,
    look: Callable[[Progress], None],
    first: int = 0,
) -> None:
    """Advance all runs to the last time; numbers: rtol, atol, dt, max_step; row 0 is run ``first``."""
    runs = len(state.q)
    if not runs:
        return
    inputs = _Inputs(motion, first, runs)
    layout = Layout(
        motion.model.nq,
        motion.model.nv,
        inputs.count,
        tuple(inputs.sizes),
        method,
        _sums(motion.model),
        bool(motion.model.loops),
    )
    functions = Functions(motion, first=first)
    plan = np.ones(1, np.int64) if method in TABLES and TABLES[method].adaptive else fixed_plan(times, numbers[2])
    rows = _begin(functions, method, state, times, plan, layout, np.arange(runs))
    width = 1 if runs == 1 else _width()
    code = _compiled(motion, layout, inputs.places, width)
    job = _Job(code, layout, inputs, rows, state, plan, functions.problem(times, *numbers), functions)
    try:
        job.run(usual_threads() if threads is None else threads, look)
    finally:
        job.back()


def _sums(model: Model) -> tuple[tuple[int, int, int], ...]:
    """Runs of neighbouring joints whose coordinates are vectors."""
    made: list[list[int]] = []
    for i in model.free if not model.loops else ():  # loops move coordinates once more: they are no sums
        joint, (q, v) = model.bodies[i].joint, model.offsets[i]
        if not joint.plain:
            continue
        if made and made[-1][0] + made[-1][2] == v and made[-1][1] + made[-1][2] == q:
            made[-1][2] += joint.nv
        else:
            made.append([v, q, joint.nv])
    return tuple((v, q, count) for v, q, count in made)


def _width() -> int:
    from ..runtime.machine import native_lanes

    return native_lanes().width


def _begin(
    functions: Functions, method: str, state: Progress, times: Array, plan: Array, layout: Layout, on: Array
) -> Array:
    """The rows of some runs; those with fixed steps are at a point of their grid."""
    f, (q, v) = layout.state, (state.q[on], state.v[on])
    rows = np.zeros((len(on), f.total))
    view = {name: rows[:, at : at + f.count[name]] for name, at in f.at.items()}
    for name in ("t", "next", "status", "steps", "rejected", "evaluations"):
        view[name][:, 0] = getattr(state, name)[on]
    view["q"][:], view["v"][:] = q, v
    if method in TABLES and TABLES[method].adaptive:
        view["h"][:, 0] = state.h[on]  # old is zero: the machine code begins with a guess of the step
        return rows
    k = np.minimum(state.next[on], len(plan)) - 1
    h = (times[k + 1] - times[k]) / plan[k]
    view["h"][:, 0], view["old"][:, 0], view["turned"][:, 0] = h, times[k], plan[k]
    view["j"][:, 0] = np.rint((state.t[on] - times[k]) / h)
    if method == "symplectic":
        view["a"][:] = functions.momenta(q, v, on)
        for s, b in enumerate(GAUSS.b):
            view["K"][:, s * layout.nv : (s + 1) * layout.nv] = h[:, None] * b * v
    return rows


class _Job:
    def __init__(
        self,
        code: CompiledIntegrator,
        layout: Layout,
        inputs: _Inputs,
        rows: Array,
        state: Progress,
        plan: Array,
        problem: Problem,
        functions: Functions,
    ) -> None:
        self.functions, self.problem, self.layout = functions, problem, layout
        self.code, self.f, self.rows, self.state = code, layout.state, rows, state
        self.adaptive = layout.method in TABLES and TABLES[layout.method].adaptive
        times, segments = np.ascontiguousarray(problem.times), np.ascontiguousarray(problem.segments)
        self.span = float(times[-1] - times[0])
        words = {
            "rows": _address(rows),
            "out_q": _address(state.out_q),
            "out_v": _address(state.out_v),
            "times": _address(times),
            "count": len(times),
            "budget": 1,
            "rtol": _bits(problem.rtol),
            "atol": _bits(problem.atol),
            "plan": _address(plan),
            "parameters": _address(inputs.parameters),
            "stride": inputs.stride,
            "stops": _address(segments),
            "segments": len(segments) - 1,
            "longest": _bits(problem.max_step),
        }
        self.words = np.array([*(words[name] for name in JOB[:-1]), *inputs.words], np.int64)
        assert len(self.words) == len(JOB) - 1 + len(SIGNAL) * len(inputs.sizes)
        self.plan, self.keep = plan, (times, segments, inputs)
        self.attempts, self.mark = 0, state.t.copy()

    def column(self, name: str) -> Array:
        """One number of every run."""
        return self.rows[:, self.f.at[name]]

    def run(self, threads: int, look: Callable[[Progress], None]) -> None:
        """Slice by slice."""
        cost = 2e-6  # s an attempt in all lanes of a block takes; learnt while running
        while True:
            active = np.flatnonzero(self.column("status") == RUNNING)
            if not len(active):
                return
            blocks = -(-len(active) // self.code.width)
            index = np.concatenate([active, np.repeat(active[-1:], blocks * self.code.width - len(active))]).astype(
                np.int64
            )
            workers = min(threads, blocks)
            group = max(1, blocks // (GRAINS * workers)) if workers > 1 else max(1, min(blocks, 64))
            seconds = SLICE if workers == 1 or blocks == workers else GRAIN
            # up to where stiffness is looked for: that must not depend on how quick the machine is
            budget = 1 if getattr(look, "every_step", False) else int(max(seconds / (cost * group), 16))
            budget = min(budget, SLOW_STEPS - self.attempts % SLOW_STEPS)
            self.attempts += budget
            self.words[JOB.index("budget")] = budget
            start = time.perf_counter()
            self._slices(index, blocks, group, workers)
            seconds = time.perf_counter() - start
            for row in np.flatnonzero(self.column("status") == CROSSING).tolist():
                self._cross(row)
            cost = max(1e-8, 0.5 * cost + 0.5 * seconds * workers / (blocks * budget)) if len(active) else cost
            self._watch(look)

    def _cross(self, row: int) -> None:
        """Lead one run over a change point, in NumPy: fixed steps may come too near to it."""
        self.rows[row, self.f.at["status"]] = RUNNING
        self.back(np.array([row]))
        k, j = int(self.state.next[row]) - 1, int(self.rows[row, self.f.at["j"]])
        crossed(self.problem, self.plan, self.state, row, k, j)
        most = self.rows[row, self.f.at["pivot"]]
        self.rows[row] = _begin(
            self.functions, self.layout.method, self.state, self.problem.times, self.plan, self.layout, np.array([row])
        )[0]
        self.rows[row, self.f.at["pivot"]] = most

    def _slices(self, index: Array, blocks: int, group: int, workers: int) -> None:
        """All blocks once, groups of them at a time, by several threads."""
        turn = itertools.count()
        errors: list[BaseException] = []

        def work() -> None:
            memory = np.zeros(self.code.memory + 64, np.uint8)
            address = -(-memory.ctypes.data // 64) * 64
            try:
                while not errors:
                    first = next(turn) * group
                    if first >= blocks:
                        return
                    at = index.ctypes.data + 8 * first * self.code.width
                    self.code.function(self.words.ctypes.data, at, min(group, blocks - first), address)
            except BaseException as error:
                errors.append(error)

        helpers = [threading.Thread(target=work, daemon=True) for _ in range(workers - 1)]
        for helper in helpers:
            helper.start()
        work()
        for helper in helpers:
            helper.join()
        if errors:
            raise errors[0]

    def _watch(self, look: Callable[[Progress], None]) -> None:
        state = self.state
        if getattr(look, "every_step", False):
            self.back()
        else:
            state.t[:], state.status[:], state.steps[:] = self.column("t"), self.column("status"), self.column("steps")
        if self.adaptive and self.attempts % SLOW_STEPS == 0:
            late = np.flatnonzero((state.t - self.mark < SLOW_SHARE * self.span) & (state.status == RUNNING))
            if len(late):
                self.back()
                slow(self.problem, state, late)
            self.mark = state.t.copy()
        look(state)
        self.rows[:, self.f.at["status"]] = state.status

    def back(self, on: Array | None = None) -> None:
        """Copy rows (of some runs) back into the state; a run stopped between steps stays there."""
        state, f = self.state, self.f
        on = np.flatnonzero(state.status != STOPPED) if on is None else on
        rows = self.rows if len(on) == len(self.rows) else self.rows[on]
        for name in ("t", "h", "next", "status", "steps", "rejected", "evaluations"):
            getattr(state, name)[on] = rows[:, f.at[name]]
        q, v, p, turns = (
            rows[:, f.at[name] : f.at[name] + f.count[name]] if name in f.at else None
            for name in ("q", "v", "a", "turns")
        )
        state.q[on], state.v[on] = q, v
        if (
            turns is not None and p is not None
        ):  # the symplectic method: angles without their turns, momenta instead of velocities
            state.q[on] += math.tau * turns
            state.v[on] = self.functions.hamilton(state.t[on], state.q[on], np.zeros_like(p), p, on)[2]
