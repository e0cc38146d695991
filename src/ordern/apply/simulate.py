"""robot.simulate: one accurate run or an ensemble of many, from the same call."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

from ..emit.tableaus import TABLES
from ..errors import InputError, OrdernWarning, SimulationError
from ..evaluate.call import coordinate_names
from .integrators import DIVERGED, RUNNING, TINY, Progress, adaptive, fixed
from .rates import Motion
from .reference import Functions, PythonDrive
from .run import STATUS, Run
from .setup import PythonSignal, number, output_times, start, the_motion

__all__ = ["METHODS", "simulate"]

Array = Any
METHODS = ("dopri5", "dop853", "rk4", "euler", "symplectic", "LSODA", "Radau", "BDF")


def simulate(
    robot: Any,
    q0: Any = None,
    qd0: Any = None,
    duration: float = 10.0,
    torque: Any = None,
    *,
    method: str = "dopri5",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    dt: float | None = None,
    output_dt: float | None = 0.01,
    t_eval: Any = None,
    events: Any = None,
    external: Any = None,
    parameters: Any = None,
    friction: bool = True,
    friction_speed: float = 0.01,
    limits: Any = True,
    dynamics: str | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    engine: str | None = None,
    save: str | None = None,
) -> Run:
    """The motion of a robot, or of an ensemble of them, from initial states.

    Args:
        robot: the robot.
        q0: initial coordinates (nq,) or, for an ensemble, (B, nq); neutral (within the limits) by default.
        qd0: initial velocities (n,) or (B, n); at rest by default.
        duration: in s.
        torque: None (free motion), an array (n,), a time series ((T, n) spread evenly over the duration, or (times, values)), a law of
            ordern.control, or a Python function (t, q, qd) -> tau (slow; for an ensemble it gets t (B,), q (B, nq), qd (B, n)).
        method: "dopri5" or "dop853" (adaptive, with dense output), "rk4", "euler" (semi-implicit), "symplectic" (order 8, for long runs
            without losses), or SciPy's "LSODA", "Radau", "BDF" for stiff ones.
        rtol: relative tolerance of adaptive methods.
        atol: absolute tolerance, rad or m and per s.
        dt: largest step of the methods with fixed steps, s (1e-3 by default); outputs fall on steps.
        output_dt: how often states are kept, s; None keeps the first and the last.
        t_eval: times to keep instead.
        events: functions (t, q, qd) -> number; a run stops when one crosses zero. A function with ``terminal = False`` only notes it;
            ``direction = 1`` or ``-1`` has it look for one direction. They are looked at at the output times and then refined to 1e-10 s.
        external: link name to wrench [moment; force] at the link's frame: (6,), (B, 6), (times, values) or a function of t (slow).
        parameters: what differs from the description, for all runs or one row a run: "damping", "friction" (n), "masses" (a factor for
            each moving body), "payload" ({"mass", "link", "com", "inertia"}); nothing is compiled anew for other numbers.
        friction: whether the description's damping and dry friction act.
        friction_speed: speed at which dry friction is fully there, rad/s or m/s.
        limits: whether joint limits are end stops (spring and damper), or {"stiffness", "damping"} of these.
        dynamics: method of forward dynamics; None for the fastest.
        threads: how many; ordern.threads() by default.
        progress: whether to show a bar; by default on a terminal, for what takes more than a second.
        engine: "compiled" or "numpy"; by default compiled wherever no Python function takes part.
        save: a .zarr store for ensembles that memory does not hold: they are made and written part by part, and a call that was
            killed goes on where it stopped. The Run reads from there.

    Returns:
        A Run. After Ctrl-C it holds what there is, with status "interrupted".

    Raises:
        SimulationError: a single run cannot go on; has .time, .joint, .q, .qd and .run (what there is). In an ensemble such runs are
            marked in run.status and warned about instead.
    """
    begin = time.perf_counter()
    method = _method(method)
    times = output_times(duration, output_dt, t_eval)
    tolerances = number("rtol", rtol, 0.0, 1.0), number("atol", atol, 0.0, zero=True)
    if tolerances[0] < 1e-15:
        raise InputError(f"rtol {rtol:g} is below what numbers can hold; 1e-14 is the least that makes sense")
    step = number("dt", 1e-3 if dt is None else dt, 0.0)
    if times[-1] / step > 1e10:
        raise InputError(f"dt {step:g} s over {times[-1]:g} s makes {times[-1] / step:.3g} steps; give a larger one")
    q, v, single = start(robot, q0, qd0)
    options = {"friction": friction, "friction_speed": friction_speed, "limits": limits, "dynamics": dynamics}
    motion, drive = the_motion(robot, q, single, float(times[-1]), torque, options | {"external": external, "parameters": parameters})
    job = Job(motion, drive, q, v, single, times, method, tolerances, step, threads, progress)
    job.engine = _engine(motion, drive, method, engine)
    job.begin = begin
    if save is not None:
        from .stream import streamed

        if events is not None:
            raise InputError("events and save= do not go together")
        return streamed(job, save)
    if events is not None:
        from .events import with_events

        made: Run = with_events(job, events)
        return made
    return job.run()


def _method(method: Any) -> str:
    known = {m.lower(): m for m in METHODS} | {"semi-implicit euler": "euler", "gauss": "symplectic"}
    if not isinstance(method, str) or method.lower() not in known:
        raise InputError(f"method {method!r}: there are {', '.join(METHODS)}")
    return known[method.lower()]


def _engine(motion: Motion, drive: PythonDrive | None, method: str, engine: str | None) -> str:
    slow = drive is not None or any(isinstance(c.signal, PythonSignal) for c in motion.channels.values())
    if engine not in (None, "compiled", "numpy"):
        raise InputError(f'engine {engine!r}: there are "compiled" and "numpy"')
    if engine == "compiled" and slow:
        raise InputError("a Python function takes part, so the simulation cannot be compiled as a whole")
    if method in ("LSODA", "Radau", "BDF"):
        return "scipy"
    return "numpy" if slow else engine or "compiled"


class Job:
    """One call of simulate."""

    engine, begin = "numpy", 0.0

    def __init__(
        self,
        motion: Motion,
        drive: PythonDrive | None,
        q: Array,
        v: Array,
        single: bool,
        times: Array,
        method: str,
        tolerances: tuple[float, float],
        dt: float,
        threads: int | None,
        progress: bool | None,
    ) -> None:
        self.motion, self.q, self.v, self.single, self.times, self.method = motion, q, v, single, times, method
        self.rtol, self.atol = tolerances
        self.dt, self.threads, self.drive = dt, threads, drive
        self.functions = Functions(motion, drive)
        self.watch = Watch(times, progress)

    def integrate(self, state: Progress, times: Array, first: int = 0) -> None:
        """Go on with a state to the last of the times; ``first`` is the run that its first row stands for."""
        if self.engine == "compiled":
            from .ensemble import run_compiled

            run_compiled(self.motion, self.method, state, times, (self.rtol, self.atol, self.dt), self.threads, self.watch, first)
            return
        problem = Functions(self.motion, self.drive, first).problem(times, self.rtol, self.atol, self.dt)
        if self.engine == "scipy":
            from .adapters import run_scipy

            run_scipy(problem, self.motion.model, self.method, state, self.watch)
        elif self.method in ("dopri5", "dop853"):
            adaptive(problem, TABLES[self.method], state, self.watch)
        else:
            fixed(problem, TABLES.get(self.method, self.method), state, self.watch)

    def seconds(self) -> float:
        """Since the call."""
        return time.perf_counter() - self.begin

    def run(self) -> Run:
        """All of it."""
        state = Progress.begin(self.q, self.v, self.times)
        interrupted = False
        with np.errstate(all="ignore"), self.watch:
            try:
                self.integrate(state, self.times)
            except KeyboardInterrupt:
                interrupted = True
            except SimulationError as error:
                _attach(error, self.finish(state, True), state, 0)
                raise
        return self.finish(state, interrupted)

    def finish(self, state: Progress, interrupted: bool, events: Any = (), stopped: Array | None = None) -> Run:
        """The Run; raises if a single one failed."""
        status = [("interrupted" if s == RUNNING else STATUS[s]) for s in state.status.tolist()]
        if stopped is not None:
            status = ["stopped by event" if s else word for s, word in zip(stopped.tolist(), status, strict=True)]
        kept = int(state.next.max()) if interrupted or self.single else len(self.times)
        stats = self._stats(state)
        q, v = state.out_q[:, :kept], state.out_v[:, :kept]
        t = self.times[:kept]
        if self.single:
            q, v = q[0], v[0]
        run = Run(self.motion.model, t, q, v, stats=stats, events=events, status=status, functions=self.functions)
        bad = np.flatnonzero(state.status >= DIVERGED)
        if len(bad) and not interrupted:
            text = self.complaint(state, int(bad[0]))
            if self.single:
                raise _attach(SimulationError(text), run, state, 0)
            warnings.warn(f"{len(bad)} of {len(state.q)} runs did not reach the end; run {bad[0]}: {text}", OrdernWarning, stacklevel=4)
        return run

    def complaint(self, state: Progress, k: int) -> str:
        """What happened to a run."""
        name, t = _joint(self.motion.model, state, k), state.t[k]
        if state.status[k] == DIVERGED:
            return f"the motion diverges at t = {t:.9g} s, first at joint {name!r}; a smaller step or tolerance, damping, or weaker gains may help"
        if state.status[k] == TINY:
            return f"the step became too small at t = {t:.9g} s (joint {name!r}): the motion is singular or very stiff there; try method='Radau'"
        return (
            f"the motion is stiff: thousands of steps of some {state.h[k]:.1e} s no longer get ahead at t = {t:.9g} s (joint {name!r}); "
            "use method='Radau' or 'LSODA', or soften gains, friction_speed or end stops"
        )

    def _stats(self, state: Progress) -> dict[str, Any]:
        one = self.single
        made: dict[str, Any] = {"method": self.method, "engine": self.engine}
        for name in ("steps", "rejected", "evaluations"):
            values = getattr(state, name)
            made[name] = int(values[0]) if one else values.copy()
        made["seconds"] = self.seconds()
        notes = list(state.notes)
        if self.drive is not None:
            share = self.drive.seconds / max(made["seconds"], 1e-9)
            notes.append(f"the Python torque function took {self.drive.seconds:.3g} s in {self.drive.calls} calls ({share:.0%} of the time)")
        made["notes"] = notes
        return made


def _joint(model: Any, state: Progress, k: int) -> str:
    """The joint that moves fastest in the last good state."""
    names = coordinate_names(model, "v")
    return names[int(np.argmax(np.abs(np.nan_to_num(state.v[k]))))] if names else ""


def _attach(error: SimulationError, run: Run, state: Progress, k: int) -> SimulationError:
    error.__dict__.update(time=float(state.t[k]), joint=_joint(run.model, state, k), q=state.q[k].copy(), qd=state.v[k].copy(), run=run)
    return error


class Watch:
    """Looks at the clock: shows how far the runs are once a second has gone."""

    def __init__(self, times: Array, progress: bool | None) -> None:
        self.first, self.last = float(times[0]), float(times[-1])
        self.wanted = sys.stderr.isatty() if progress is None else progress
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
        if not self.wanted or now - self.seen < 0.2 or now - self.started < 1.0:
            return
        self.seen = now
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("simulating", total=1.0)
            self.bar.start()
        share = np.where(state.status == RUNNING, (state.t - self.first) / (self.last - self.first), 1.0)
        self.bar.update(self.task, completed=float(share.mean()) * self.share + self.before)
