"""Job: one call of simulate, from its arguments to the Run, and its progress clock."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..emit.tableaus import TABLES
from ..errors import SimulationError, tell
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from .arguments import effort
from .called import PythonDrive, PythonSignal
from .closed_sides import singular_loop
from .fixed_steps import explode, fixed
from .integrators import DIVERGED, DONE, RUNNING, STEPS, STIFF, STOPPED, TIME, TINY, Progress, adaptive
from .langevin import Bath, baoab
from .numpy_engine import Functions
from .right_hand_side import Motion
from .run import STATUS, Run, with_stop

if TYPE_CHECKING:
    from ..model import Model
    from .events import Crossings

__all__ = ["Job", "Settings", "Watch"]

LOOKS = 10_000  # states in which the drives are looked at


@dataclass(frozen=True)
class Settings:
    """How to integrate."""

    method: str
    times: Array  # outputs, s; the first one is where the runs begin
    rtol: float
    atol: float
    dt: float  # largest step of the methods with fixed steps, s
    kept: slice  # which of the times the Run has
    engine: str = "numpy"
    threads: int | None = None
    progress: bool | Callable[[float], None] | None = None
    chosen: bool = False  # whether the user gave just these
    max_steps: int | None = None
    max_seconds: float | None = None
    max_step: float = np.inf  # of the adaptive methods, s
    bath: Bath | None = None  # what method "baoab" keeps the ensemble warm with

    @property
    def span(self) -> float:
        """When the runs end, s."""
        return float(self.times[-1])

    @property
    def adaptive(self) -> bool:
        """Whether the method chooses its steps by their errors."""
        return self.engine == "scipy" or (self.method in TABLES and TABLES[self.method].adaptive)

    @property
    def numbers(self) -> tuple[float, ...]:
        """rtol, atol, dt and max_step."""
        return self.rtol, self.atol, self.dt, self.max_step


class Job:
    """One call of simulate."""

    def __init__(
        self,
        motion: Motion,
        drive: PythonDrive | None,
        q: Array,
        v: Array,
        single: bool,
        settings: Settings,
        begin: float,
    ) -> None:
        self.motion, self.drive, self.q, self.v, self.single = motion, drive, q, v, single
        self.settings, self.begin, self.times = settings, begin, settings.times
        self.kept = settings.times[settings.kept]
        self.strained = False
        self.functions = Functions(motion, drive)
        self.watch = Watch(settings.times, settings.progress, settings.max_steps, settings.max_seconds)

    def integrate(
        self, state: Progress, times: Array, first: int = 0, look: Callable[[Progress], None] | None = None
    ) -> None:
        """Advance states to the last time; row 0 is run ``first``; ``look`` is called with the progress."""
        self._integrate(state, times, first, self.watch if look is None else look)
        self.watch.end(state)
        if not self.settings.adaptive:
            explode(state, times, min(self.settings.dt, float(np.diff(times).max())))

    def _integrate(self, state: Progress, times: Array, first: int, look: Callable[[Progress], None]) -> None:
        s = self.settings
        if s.engine == "compiled":
            from .ensemble import run_compiled

            run_compiled(self.motion, s.method, state, times, s.numbers, s.threads, look, first)
            return
        functions = Functions(self.motion, self.drive, first)
        if s.bath is not None:
            baoab(functions, s.bath, times, s.dt, state, look)
            return
        problem = functions.problem(times, *s.numbers)
        if s.engine == "scipy":
            from .scipy_solvers import run_scipy

            run_scipy(problem, self.motion.model, s.method, state, look)
        elif s.adaptive:
            adaptive(problem, TABLES[s.method], state, look)
        else:
            fixed(problem, TABLES.get(s.method, s.method), state, look)

    def seconds(self) -> float:
        """Since the call."""
        return time.perf_counter() - self.begin

    def run(self, crossings: Crossings | None = None) -> Run:
        """All of it."""
        state = Progress.begin(self.q, self.v, self.times)
        interrupted = False
        with np.errstate(all="ignore"), self.watch:
            try:
                self.integrate(state, self.times, 0, crossings)
            except KeyboardInterrupt:
                interrupted = True
            except SimulationError as error:
                _attach(error, self.finish(state, True, crossings), state, 0)
                raise
        return self.finish(state, interrupted, crossings)

    def finish(self, state: Progress, interrupted: bool, crossings: Crossings | None = None) -> Run:
        """The Run; raises if a single one failed."""
        status = [("interrupted" if s == RUNNING else STATUS[s]) for s in state.status.tolist()]
        kept = int(state.next.max()) if interrupted or self.single else len(self.times)
        window = slice(self.settings.kept.start, min(kept, self.settings.kept.stop))
        t, q, v = self.times[window], state.out_q[:, window], state.out_v[:, window]
        stopped, stops = np.flatnonzero(state.status == STOPPED), None
        if self.single:
            q, v = q[0], v[0]
            if len(stopped) and not self.settings.chosen:  # the event's own state ends the run
                t, q, v = with_stop(t, q, v, state.t, state.q, state.v)
        elif len(stopped) and not self.settings.chosen:
            stops = Run(
                self.motion.model,
                *(a[stopped] for a in (state.t, state.q, state.v)),
                functions=self.functions,
                number=stopped,
            )
        events = [] if crossings is None else sorted(crossings.found, key=lambda e: (e.t, e.run))
        self.strain(t, q if not self.single else q[None], v if not self.single else v[None])
        run = Run(
            self.motion.model,
            t,
            q,
            v,
            stats=self._stats(state),
            events=events,
            status=status,
            functions=self.functions,
            stops=stops,
        )
        bad = np.flatnonzero(np.isin(state.status, (DIVERGED, TINY, STIFF, STEPS, TIME)))
        if len(bad) and not interrupted:
            text = self.complaint(state, int(bad[0]))
            if self.single:
                raise _attach(SimulationError(text), run, state, 0)
            tell(f"{len(bad)} of {len(state.q)} runs did not reach the end; run {bad[0]}: {text}")
        return run

    def strain(self, t: Array, q: Array, v: Array, first: int = 0) -> None:
        """Warn once if kept states (an even sample of many) asked a drive for more than its limit."""
        most, motion = np.array(effort(self.motion.model)), self.motion
        if self.strained or motion.effort or not len(most) or motion.law is None or not len(t):
            return
        if self.drive is not None:
            asked, when = self.drive.most, ""
        else:
            pick = np.arange(0, q.shape[0] * len(t), max(1, q.shape[0] * len(t) // LOOKS))
            run, at = np.divmod(pick, len(t))
            states = q[run, at], v[run, at]
            fine = np.isfinite(states[0]).all(axis=1) & np.isfinite(states[1]).all(axis=1)
            tau = np.abs(self.functions.drives(t[at][fine], states[0][fine], states[1][fine], run[fine] + first))
            if not len(tau):
                return
            asked = tau.max(axis=0)
            when = f" at t = {t[at][fine][int(np.argmax((tau / most).max(axis=1)))]:.4g} s"
        k = int(np.argmax(asked / most))
        if asked[k] > most[k] * (1 + 1e-9):
            self.strained = True
            tell(
                f"joint {coordinate_names(motion.model, 'v')[k]!r} is driven with {asked[k]:.4g}{when}, beyond its "
                f"effort limit of {most[k]:.4g} (N m or N); saturate=True has drives do no more than that"
            )

    def complaint(self, state: Progress, k: int) -> str:
        """What happened to a run."""
        name, t = _joint(self.motion.model, state, k), state.t[k]
        bounded = state.status[k] in (STEPS, TIME)  # by what the caller gave
        loop = "" if bounded else singular_loop(self.motion.model, state.q[k])
        if loop:
            return (
                f"the motion cannot go on at t = {t:.9g} s: {loop}; a slightly other step, tolerance or start may "
                "pass it"
            )
        if state.status[k] == DIVERGED:
            return (
                f"the motion diverges at t = {t:.9g} s, first at joint {name!r}; a smaller step or tolerance, "
                "damping, or weaker gains may help"
            )
        if state.status[k] == TINY:
            return (
                f"the step became too small at t = {t:.9g} s (joint {name!r}): the motion is singular or very stiff "
                "there; try method='Radau'"
            )
        if state.status[k] in (STEPS, TIME):
            what = (
                f"{self.settings.max_steps} steps (max_steps)"
                if state.status[k] == STEPS
                else f"{self.settings.max_seconds:g} s (max_seconds)"
            )
            return f"the run was ended at t = {t:.9g} s after {what}; allow more, or ask for less accuracy"
        return (
            f"the motion is stiff: thousands of steps of some {state.h[k]:.1e} s no longer get ahead at t = {t:.9g} s "
            f"(joint {name!r}); use method='Radau' or 'LSODA', or soften gains, friction_speed or end stops"
        )

    def _stats(self, state: Progress) -> dict[str, Any]:
        one = self.single
        made: dict[str, Any] = {"method": self.settings.method, "engine": self.settings.engine}
        for name in ("steps", "rejected", "evaluations"):
            values = getattr(state, name)
            made[name] = int(values[0]) if one else values.copy()
        made["seconds"] = self.seconds()
        notes = list(state.notes)
        slow: list[tuple[str, Any]] = [] if self.drive is None else [("torque function", self.drive)]
        signals: list[Any] = [c.signal for c in self.motion.channels.values()]
        slow += [(f"function of external[{s.link!r}]", s) for s in signals if isinstance(s, PythonSignal)]
        for what, one in slow:
            share = one.seconds / max(made["seconds"], 1e-9)
            notes.append(f"the Python {what} took {one.seconds:.3g} s in {one.calls} calls ({share:.0%} of the time)")
        made["notes"] = notes
        return made


def _joint(model: Model, state: Progress, k: int) -> str:
    """The joint that moves fastest in the last good state."""
    names = coordinate_names(model, "v")
    return names[int(np.argmax(np.abs(np.nan_to_num(state.v[k]))))] if names else ""


def _attach(error: SimulationError, run: Run, state: Progress, k: int) -> SimulationError:
    error.__dict__.update(
        time=float(state.t[k]), joint=_joint(run.model, state, k), q=state.q[k].copy(), qd=state.v[k].copy(), run=run
    )
    return error


class Watch:
    """Looks at the clock: shows how far the runs are once a second has gone."""

    def __init__(
        self,
        times: Array,
        progress: bool | Callable[[float], None] | None,
        max_steps: int | None = None,
        max_seconds: float | None = None,
    ) -> None:
        self.max_steps, self.max_seconds = max_steps, max_seconds
        self.first, self.last = float(times[0]), float(times[-1])
        self.told = progress if callable(progress) else None
        self.wanted = sys.stderr.isatty() if progress is None else bool(progress) and self.told is None
        self.started = self.seen = time.perf_counter()
        self.bar: Any = None
        self.task: Any = None
        self.before, self.share = 0.0, 1.0  # how much of all work came before, and how much this part is

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, state: Progress) -> None:
        """Called often."""
        now = time.perf_counter()
        if self.max_steps is not None:
            state.status[(state.status == RUNNING) & (state.steps > self.max_steps)] = STEPS
        if self.max_seconds is not None and now - self.started > self.max_seconds:
            state.status[state.status == RUNNING] = TIME
        if self.told is not None:
            self.told(self._done(state))
        if not self.wanted or now - self.seen < 0.2 or now - self.started < 1.0:
            return
        self.seen = now
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("simulating", total=1.0)
            self.bar.start()
        self.bar.update(self.task, completed=self._done(state))

    def end(self, state: Progress) -> None:
        """Runs that made too many steps since the last look: which ones must not hang on how often that was."""
        if self.max_steps is not None:
            state.status[(state.status == DONE) & (state.steps > self.max_steps)] = STEPS

    def _done(self, state: Progress) -> float:
        share = np.where(state.status == RUNNING, (state.t - self.first) / (self.last - self.first), 1.0)
        return float(share.mean()) * self.share + self.before
