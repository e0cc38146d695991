"""robot.simulate: one accurate run or an ensemble of many, from the same call."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, near, one_of, shown, whole, yes
from ..runtime.machine import executable
from .arguments import held, number, output_times, start, the_motion
from .called import PythonDrive, PythonSignal
from .events import Crossings
from .job import Job, Settings
from .langevin_arguments import warm
from .law_memory import remembers, simulate_with_memory
from .right_hand_side import Motion
from .run import Run

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["METHODS", "idle_options", "simulate"]

METHODS = ("dopri5", "dop853", "cash-karp", "verner", "rk4", "euler", "symplectic", "baoab", "LSODA", "Radau", "BDF")
ALIASES = {
    "semi-implicit euler": "euler", "gauss": "symplectic", "dverk": "verner", "verner65": "verner",
    "cashkarp": "cash-karp", "langevin": "baoab",
    "rk45": "dopri5",  # as SciPy calls it
}  # fmt: skip


# What simulate and robot.simulate tell in help(): longer than the function itself.
ARGUMENTS = """
Args:
    robot: the robot.
    q0: initial coordinates (nq,) or, for an ensemble, (B, nq); neutral (within the limits) by default. Runs are
        computed in float64, also from float32 states: tolerances and closed loops need its digits.
    qd0: initial velocities (n,) or (B, n); at rest by default.
    duration: in s.
    torque: None (free motion), an array (n,), a time series ((T, n) spread evenly over the duration, or (times,
        values)), a law of ordern.control, or a Python function (t, q, qd) -> tau (slow; for an ensemble it gets the
        states that are asked for, seldom all runs: t (k,), q (k, nq), qd (k, n); an argument called ``runs`` gets the
        numbers of their runs (k,), as in targets[runs] - q). For an ensemble an array of two axes is always (B, n), one
        row a run; a series is (times, values) or (B, T, n).
    method: "dopri5" or "dop853" (adaptive, with dense output), "cash-karp" (orders 5 and 4) or "verner" (orders 6 and
        5, the pair of DVERK), "rk4", "euler" (semi-implicit), "symplectic" (order 8, for long runs without losses),
        "baoab" (Langevin dynamics at a temperature), or SciPy's "LSODA", "Radau", "BDF" for stiff ones.
    rtol: relative tolerance of adaptive methods.
    atol: absolute tolerance, rad or m and per s.
    dt: largest step of the methods with fixed steps ("rk4", "euler", "symplectic"), s (1e-3 by default); outputs fall
        on steps. A step alone for an adaptive method, or tolerances alone for a fixed step, are refused; both together
        serve whichever method is chosen.
    max_step: largest step of adaptive methods, s; none by default. Where a Python function of time drives or pushes,
        give half of what its shortest pulse lasts: steps that are longer may pass over it. Those of series and
        trajectories are known, and steps end there.
    output_dt: how often states are kept, s; None keeps the first and the last.
    t_eval: times to keep instead, increasing, within the duration: ``run.t`` has exactly these (0 only if it is among
        them). The run goes on to the duration all the same, and events behind the last of the times are found.
    events: functions (t, q, qd) -> number, or True or False; a run stops when one crosses zero (or becomes the other
        of the two), and its last row is the event's time and state (not with t_eval, which has exactly its own times).
        In an ensemble run[k] has that row; the arrays of all runs, on the times that they share, are NaN behind it,
        and run.events has every time and state. A function with ``terminal = False`` only notes it; ``direction = 1``
        or ``-1`` has it look for one direction; one with ``vectorized = True`` gets t (k,), q (k, nq), qd (k, n) of the
        runs that made a step. They are looked at after every step and refined to 1e-10 s; two crossings within one step
        are not seen: max_step= has steps that are short enough.
    external: link name to wrench [moment; force] at the link's frame: (6,), (B, 6), (times, values), or a Python
        function of t or of (t, q, qd) (slow; called for each run, q (nq,), qd (n,)). Or one function (t, q, qd) that
        returns such wrenches by link name, the same links all the time. Control laws do not know them: a push pushes.
    parameters: what differs from the description, for all runs or one row a run: "damping", "friction" (n; those of
        joints that mimic others stay), "masses" (a factor for each moving body), "payload" ({"mass", "link", "com",
        "inertia"}); nothing is compiled again for other numbers. Laws compute with the robot as described
        (PD(gravity=True) knows masses and payload).
    friction: whether the description's damping and dry friction act.
    friction_speed: speed at which dry friction is fully there, rad/s or m/s.
    limits: whether joint limits are end stops (spring and damper), or {"stiffness", "damping"} of these. Limits of a
        joint that mimics another one limit that one.
    saturate: whether drives do no more than the effort limits of the description; without it, what passes them is
        warned about. An effort limit of 0 counts as none.
    dynamics: method of forward dynamics; None for the fastest.
    threads: how many; ordern.threads() by default.
    progress: whether to show a bar; by default on a terminal, for what takes more than a second. Or a function that is
        called many times a second with the share that is done; what it raises ends the simulation.
    engine: "compiled" or "numpy"; by default compiled wherever no Python function takes part.
    save: a .zarr store for ensembles that memory does not hold: they are made and written part by part, and a call that
        was killed goes on where it stopped. The Run reads from there: run[k] is one of them, with everything a Run has.
        A store that is loaded later knows states and energies; joint forces and accelerations, which need the drive,
        only if they are kept.
    keep: what such a store holds besides q and qd: any of "qdd", "tau", "energy", "power".
    max_steps: steps after which a run is ended, as one that cannot go on; its status is "too many steps".
    max_seconds: time after which runs that are still under way are ended ("took too long"), s.
    fixman: whether Fixman's force acts, -(kT/2) d log det M / dq; run.energy then has his potential in it.
    temperature: kT, J (k = 1.380649e-23 J/K times the kelvins): one number, or one a run (B,); for fixman=True and
        method="baoab".
    collision_rate: of the bath of "baoab", 1/s: momenta decay at this rate where nothing else acts.
    seed: of the random numbers of "baoab"; run k draws the same whatever the others do.
    contacts: names of links that the world holds where they are at q0, and how: "fixed", or at a "point", their own
        origin. run.model has them as loops; all runs of an ensemble stand on the same spots.

Returns:
    A Run. After Ctrl-C it holds what there is, with status "interrupted".

Raises:
    SimulationError: a single run cannot go on; has .time, .joint, .q, .qd and .run (what there is). In an
        ensemble such runs are marked in run.status and warned about instead.
"""


def simulate(
    robot: RobotLike, q0: ArrayLike | None = None, qd0: ArrayLike | None = None, duration: float = 10.0,
    torque: Any = None, *, method: str = "dopri5",
    rtol: float = 1e-8, atol: float = 1e-10, dt: float | None = None, output_dt: float | None = 0.01,
    t_eval: ArrayLike | None = None,
    events: object = None, external: object = None, parameters: object = None, friction: bool = True,
    friction_speed: float = 0.01,
    limits: object = True, saturate: bool = False, dynamics: str | None = None, threads: int | None = None,
    progress: bool | Callable[[float], None] | None = None, engine: str | None = None, save: str | None = None,
    keep: Sequence[str] = (), max_steps: int | None = None, max_seconds: float | None = None,
    max_step: float | None = None,
    fixman: bool = False, temperature: object = None, collision_rate: float = 1.0, seed: int = 0,
    contacts: object = None,
) -> Run:  # fmt: skip
    """The motion of a robot, or of an ensemble of them, from initial states."""
    given = {name: value for name, value in locals().items() if name not in ("robot", "q0", "qd0", "torque")}
    begin = time.perf_counter()
    settings = _settings(method, duration, output_dt, t_eval, (rtol, atol, dt))
    _no_effect(settings.method, given)
    if contacts is not None:
        robot, given = held(robot, q0, qd0, contacts), given | {"contacts": None}
    q, v, single = start(robot, q0, qd0)
    settings, heat = warm(
        robot, settings, None if single else len(q), (fixman, temperature, collision_rate, seed), (torque, events)
    )
    if remembers(torque):
        return simulate_with_memory(robot, q, v, single, torque, simulate, given)
    options = {
        "friction": friction,
        "friction_speed": friction_speed,
        "limits": limits,
        "dynamics": dynamics,
        "saturate": saturate,
    }
    options |= {"external": external, "parameters": parameters, "qd0": v, "fixman": heat}
    motion, drive = the_motion(robot, q, single, settings.span, torque, options)
    count = None if threads is None else whole("threads", threads, 1)
    settings = replace(
        settings, engine=_engine(motion, drive, settings.method, engine), threads=count, progress=progress
    )
    settings = replace(settings, **_bounds(max_steps, max_seconds, max_step, settings.span))
    if progress is not None and not callable(progress):
        yes("progress", progress)
    job = Job(motion, drive, q, v, single, settings, begin)
    if save is None:
        if not isinstance(keep, (list, tuple, set, frozenset)) or keep:
            raise InputError(
                "keep= says what a store holds, and goes with save=; the Run of a simulation without one has everything"
            )
        return job.run(None if events is None else Crossings(job, events))
    if events is not None:
        raise InputError("events and save= do not go together")
    from .stream import streamed

    return streamed(job, save, keep)


simulate.__doc__ = f"{simulate.__doc__}\n{ARGUMENTS}"


def _settings(
    method: object, duration: object, output_dt: object, t_eval: object, numbers: tuple[Any, Any, Any]
) -> Settings:
    """Method, times, tolerances and step, checked."""
    times, kept = output_times(duration, output_dt, t_eval)
    rtol, atol = number("rtol", numbers[0], 0.0, 1.0), number("atol", numbers[1], 0.0, zero=True)
    if rtol < 1e-15:
        raise InputError(f"rtol {rtol:g} is below what numbers can hold; 1e-14 is the least that makes sense")
    dt = number("dt", 1e-3 if numbers[2] is None else numbers[2], 0.0)
    name = _method(method)
    if name in FIXED and times[-1] / dt > 1e10:
        raise InputError(f"dt {dt:g} s over {times[-1]:g} s makes {times[-1] / dt:.3g} steps; give a larger one")
    return Settings(name, times, rtol, atol, dt, kept, chosen=t_eval is not None)


FIXED, FOREIGN = ("rk4", "euler", "symplectic", "baoab"), ("LSODA", "Radau", "BDF")
USUAL = {name: p.default for name, p in inspect.signature(simulate).parameters.items()}


def idle_options(method: str, friction: object = True, t_eval: ArrayLike | None = None) -> dict[str, str]:
    """The options that these others leave without effect, each with the reason and what has an effect.

    ``friction`` says whether there may be dry friction: the description's, or that of parameters=.
    """
    steps = f'method "{method}" finds its own steps; give rtol and atol, or method="rk4", "euler" or "symplectic"'
    loose = f'method "{method}" has steps of one length; give dt, or an adaptive method such as "dopri5"'
    made = {"rtol": loose, "atol": loose, "max_step": loose} if method in FIXED else {"dt": steps}
    if method in FOREIGN:
        made["engine"] = f"SciPy's {method} runs on its own"
    if method != "baoab":
        made |= dict.fromkeys(("collision_rate", "seed"), 'only method "baoab" draws random numbers')
    if t_eval is not None:
        made["output_dt"] = "t_eval has the times that are kept; give one of the two"
    if friction is None or friction is False:
        made["friction_speed"] = "friction=False leaves dry friction out, and parameters= has none"
    return made


def _no_effect(method: str, given: Mapping[str, Any]) -> None:
    """Refuse options that have no effect; a default that is written out is no mistake.

    Nor are a step and tolerances together: they set the accuracy of either kind of method, whichever is chosen.
    """
    both = given["dt"] is not None and any(given[name] is not USUAL[name] for name in ("rtol", "atol"))
    varied = given["parameters"]
    friction = True if isinstance(varied, Mapping) and "friction" in varied else given["friction"]
    for name, why in idle_options(method, friction, given["t_eval"]).items():
        if given[name] is None or np.array_equal(given[name], USUAL[name]) or (both and name in ("dt", "rtol", "atol")):
            continue
        raise InputError(f"{name}={shown(given[name])} has no effect: {why}")


def _bounds(max_steps: object, max_seconds: object, max_step: object, span: float) -> dict[str, Any]:
    """How long a run may take, and one of its steps."""
    made: dict[str, Any] = {} if max_steps is None else {"max_steps": whole("max_steps", max_steps, 1, 10**15)}
    given = {"max_seconds": max_seconds, "max_step": max_step}
    made |= {name: number(name, x, 0.0) for name, x in given.items() if x is not None}
    if span / made.get("max_step", span) > 1e10:
        raise InputError(f"max_step {made['max_step']:g} s over {span:g} s makes too many steps; give a larger one")
    return made


def _method(method: object) -> str:
    known = {m.lower(): m for m in METHODS} | ALIASES
    if not isinstance(method, str) or method.lower() not in known:
        raise InputError(f"method {method!r}: there are {', '.join(METHODS)}{near(method, METHODS)}")
    return known[method.lower()]


def _engine(motion: Motion, drive: PythonDrive | None, method: str, engine: str | None) -> str:
    slow = drive is not None or any(isinstance(c.signal, PythonSignal) for c in motion.channels.values())
    if engine is not None:
        one_of("engine", engine, ("compiled", "numpy"))
    if engine == "compiled" and slow:
        raise InputError("a Python function takes part, so the simulation cannot be compiled as a whole")
    if method in FOREIGN:
        return "scipy"
    if method == "baoab":
        if engine == "compiled":
            raise InputError(
                "method 'baoab' steps in NumPy, over compiled right-hand sides of all runs at once; leave engine out"
            )
        return "numpy"
    if not slow and engine is None and not executable():
        return "numpy"
    return "numpy" if slow else engine or "compiled"
