"""One block of a study: its runs simulated side by side, and the figures that are kept of each."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..scalars.primitives import Array
from ..simulate import control, trajectory
from ..simulate.arguments import parameter_channels, start
from ..simulate.simulate import idle_options
from .study import Study
from .study_rules import KINDS, Place
from .study_values import Axis

if TYPE_CHECKING:
    from ..simulate.run import Run

__all__ = ["MOTION", "check_starts", "figures", "simulate_block", "swept_columns"]

MOTION = "motion "  # how names of whole motions begin in a block's file
DURATION = 10.0  # s, where a study says nothing
PASSED = (
    "duration",
    "method",
    "rtol",
    "atol",
    "dt",
    "friction",
    "friction_speed",
    "limits",
    "saturate",
    "max_steps",
    "max_seconds",
)


class _Quiet:
    """Turn failed runs into table rows instead of warnings; process-wide filters: first in, last out."""

    lock, inside = threading.Lock(), 0
    kept: Any = None

    def __enter__(self) -> None:
        with self.lock:
            if not _Quiet.inside:
                _Quiet.kept = warnings.catch_warnings()
                _Quiet.kept.__enter__()
                warnings.simplefilter("ignore", UserWarning)
            _Quiet.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            _Quiet.inside -= 1
            if not _Quiet.inside:
                _Quiet.kept.__exit__(None, None, None)


def simulate_block(study: Study, block: int, progress: Callable[[float], None] | None = None) -> dict[str, Array]:
    """The rows of the table that belong to a block, by column; whole motions too, if the study keeps them.

    ``progress`` is told the share that is done, many times a second; what it raises ends the block.
    """
    first, stop = study.range(block)
    values = study.plan.values(first, stop)
    columns: dict[str, Array] = {"run": np.arange(first, stop)} | swept_columns(study, values)
    rest: dict[str, Array] = {}
    before = 0
    for number, rows in enumerate(_calls(study, values, stop - first)):

        def told(share: float, before: int = before, count: int = len(rows)) -> None:
            if progress is not None:
                progress((before + share * count) / (stop - first))

        before += len(rows)
        call = _Call(study, {place: v[rows] for place, v in values.items()}, len(rows))
        with _Quiet(), np.errstate(all="ignore"):
            made = call.figures(told)
        for name, column in made.items():
            if name.startswith(MOTION):
                rest[f"{name}{number}"] = column
                continue
            if name not in columns:
                blank: Any = "" if column.dtype.kind == "U" else np.nan if column.dtype.kind == "f" else 0
                columns[name] = np.full(stop - first, blank, column.dtype)
            columns[name][rows] = column
        if study.keep["trajectories"]:
            rest[f"{MOTION}rows {number}"] = rows
    return columns | rest


def check_starts(study: Study) -> None:
    """Refuse a study whose first or last block cannot begin, by its line and key, before a folder is made for it.

    A block between them is refused when its turn comes, for what is drawn for it alone.
    """
    for block in sorted({0, study.blocks - 1}):
        first, stop = study.range(block)
        values = study.plan.values(first, stop)
        for rows in _calls(study, values, stop - first):
            with _Quiet(), np.errstate(all="ignore"):
                _Call(study, {place: v[rows] for place, v in values.items()}, len(rows)).check()


def swept_columns(study: Study, values: dict[Place, Array]) -> dict[str, Array]:
    """What was swept, one column a number."""
    made: dict[str, Array] = {}
    for axis in study.plan.axes:
        v = values[axis.place]
        if v.ndim == 2:
            made |= {f"{axis.name}.{part}": v[:, k] for k, part in enumerate(study.names.parts[axis.kind.names])}
        else:
            made[axis.name] = v if v.dtype.kind == "f" else v.astype(str)
    return made


def figures(study: Study) -> list[str]:
    """Names of the columns that hold figures, in order."""
    keep, names = study.keep, study.names.parts
    made: list[str] = []
    if keep["tracking_error"]:
        made += ["tracking.max", "tracking.rms", "tracking.end"]
    if keep["tool"]:
        made += ["tool.x", "tool.y", "tool.z"] + (["tool.off"] if _follows(study) else [])
    if keep["energy_drift"]:
        made += ["energy_drift"]
    if keep["peak_torque"]:
        made += [f"peak_torque:{n}" for n in names["v"]]
    if keep["final_state"]:
        made += [f"q:{n}" for n in names["q"]] + [f"qd:{n}" for n in names["v"]]
    return made + (["steps"] if keep["steps"] else [])


def _follows(study: Study) -> bool:
    return study.tree.get("controller", {}).get("law") in ("pd", "computed-torque")


def _calls(study: Study, values: dict[Place, Array], count: int) -> Iterator[Array]:
    """Runs that can be simulated together: equal in all but numbers that may vary by run."""
    shared = [values[a.place] for a in study.plan.axes if not a.kind.per_run]
    found: dict[tuple[Any, ...], list[int]] = {}
    for k in range(count):
        found.setdefault(tuple(v[k].tobytes() if isinstance(v[k], np.ndarray) else v[k] for v in shared), []).append(k)
    return (np.array(rows) for rows in found.values())


class _Call:
    """Runs of one ensemble."""

    def __init__(self, study: Study, values: dict[Place, Array], count: int) -> None:
        self.study, self.values, self.count = study, values, count
        self.robot = study.robot
        if any(a.whole == ("gravity",) for a in study.plan.axes):
            self.robot = self.robot.with_gravity(self.vector(("gravity",), self.robot.gravity))

    def _axes(self, place: Place) -> list[Axis]:
        return [a for a in self.study.plan.axes if a.whole == place]

    def vector(self, place: Place, default: Array | None = None) -> Any:
        """A vector: (n,), or (runs, n) where it is swept and runs may differ in it."""
        base = self.study.vector(place, default)
        axes = self._axes(place)
        if not axes:
            return base
        kind = KINDS[place]
        made = np.full((self.count, len(self.study.names.parts[kind.names])), np.nan)
        if base is not None:
            made[:] = base
        for axis in axes:
            v = self.values[axis.place]
            if axis.part is None:
                made[:] = v if v.ndim == 2 else v[:, None]
            else:
                made[:, axis.part] = v
        if np.isnan(made).any():
            part = self.study.names.parts[kind.names][int(np.argwhere(np.isnan(made))[0][1])]
            raise self.study.reader.fail(
                ("sweep", *axes[0].place),
                f"{'.'.join(place)} has no number for {part!r}; give {place[-1]} as a whole too",
            )
        return made if kind.per_run else made[0]

    def value(self, place: Place, default: object = None) -> Any:
        """A number (or one a run), a word or a flag."""
        if self._axes(place):
            v = self.values[place]
            return v if KINDS[place].per_run else v[0].item() if isinstance(v[0], np.generic) else v[0]
        found: Any = self.study.tree
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        return default if found is None else self.study.reader.value(found, place, KINDS[place], self.study.names)

    def law(self, duration: float) -> tuple[Any, Any]:
        """The control law and its target."""
        name = self.study.tree.get("controller", {}).get("law")
        if name is None:
            return None, None
        if name == "gravity-compensation":
            return control.GravityCompensation(self.vector(("controller", "damping"), np.zeros(self.robot.n))), None
        if name == "constant":
            return control.Constant(self.vector(("controller", "tau"))), None
        target = self.target(duration)
        kp, kd = self.vector(("controller", "kp")), self.vector(("controller", "kd"))
        if name == "computed-torque":
            return control.ComputedTorque(target, kp, kd), target
        gravity = self.value(("controller", "gravity"), "none")
        law: control.Law = control.PD(target, kp, kd, gravity=gravity == "actual")
        return (law + control.GravityCompensation() if gravity == "nominal" else law), target

    def target(self, duration: float) -> Any:
        """Coordinates, or a trajectory."""
        place, start = ("controller", "path"), self.study.vector(("start", "q"), self.study.neutral)
        if "path" not in self.study.tree["controller"]:
            return self.vector(("controller", "target"), self.study.neutral)
        profile = getattr(trajectory, self.value((*place, "profile"), "cycloid"))
        begin, end = self.vector((*place, "from"), start), self.vector((*place, "to"), start)
        return profile(begin, end, duration=self.value((*place, "duration"), duration))

    def parameters(self) -> dict[str, Any]:
        """Payload, masses, damping and friction."""
        tree, made = self.study.tree, {}
        if "masses" in tree or self._axes(("masses",)):
            made["masses"] = self.vector(("masses",), np.ones(len(self.robot.model.bodies) - 1))
        for name in ("damping", "friction"):
            if name in tree or self._axes((name,)):
                made[name] = self.vector((name,), self.robot.model.per_velocity(name, 0.0))
        if "payload" in tree or any(a.whole[0] == "payload" for a in self.study.plan.axes):
            com, inertia = (
                self.vector(("payload", "com"), np.zeros(3)),
                self.vector(("payload", "inertia"), np.zeros(6)),
            )
            mass, link = self.value(("payload", "mass")), self.value(("payload", "link"), self.robot.link_names[-1])
            if com.ndim == 2 or inertia.ndim == 2:
                mass = np.broadcast_to(mass, (self.count,))
            made["payload"] = {"mass": mass, "link": link, "com": com, "inertia": inertia}
        return made

    def check(self) -> None:
        """Raise errors a simulation would raise before its first step, with their place in the study."""
        q0, qd0 = self.starts()
        duration = self.value(("simulation", "duration"), DURATION)
        for key, work in (
            ("start", lambda: start(self.robot, q0, qd0)),
            ("controller", lambda: self.law(duration)),
            ("payload", lambda: parameter_channels(self.robot, self.parameters())),
        ):
            try:
                work()
            except InputError as error:
                if str(error).startswith(f"{self.study.reader.file}:"):  # of the study's own checks
                    raise
                swept = next((("sweep", *a.place) for a in self.study.plan.axes if a.whole[0] == key), (key,))
                raise self.study.reader.fail(swept, str(error)) from None

    def starts(self) -> tuple[Array, Array]:
        """Initial states of all runs."""
        q0, qd0 = self.vector(("start", "q"), self.study.neutral), self.vector(("start", "qd"), np.zeros(self.robot.n))
        return np.array(np.broadcast_to(q0, (self.count, self.robot.nq))), qd0

    def run(self, progress: Callable[[float], None]) -> tuple[Any, Any]:
        """The ensemble and its target."""
        keep = self.study.keep
        options = {key: self.value(("simulation", key)) for key in PASSED}
        varied = self.parameters()
        # where methods are swept, each has its own options
        idle = idle_options(options["method"] or "dopri5", options["friction"] is not False or "friction" in varied)
        options = {key: v for key, v in options.items() if v is not None and key not in idle}
        options.setdefault("duration", DURATION)
        if "max_steps" in options:
            options["max_steps"] = int(options["max_steps"])
        whole = any(keep[key] for key in ("energy_drift", "peak_torque", "tracking_error", "trajectories"))
        q0, qd0 = self.starts()
        law, target = self.law(options["duration"])
        every = self.value(("simulation", "output_dt"), 0.01) if whole else None
        made = self.robot.simulate(
            q0, qd0, torque=law, parameters=varied, output_dt=every, threads=1, progress=progress, **options
        )  # fmt: skip
        return made, target

    def figures(self, progress: Callable[[float], None]) -> dict[str, Array]:
        """Columns, one row a run; figures of runs that failed are NaN."""
        run, target = self.run(progress)
        keep, robot, names = self.study.keep, self.robot, self.study.names.parts
        if "interrupted" in run.status:  # Ctrl-C, where a block runs in the main thread: nothing of it may be kept
            raise KeyboardInterrupt
        status = np.array(run.status, "U16")
        ok = status == "done"
        found: dict[str, Array] = {}
        end = run.q[ok, -1]
        if keep["tracking_error"]:
            found |= self._tracking(run, target, ok)
        if keep["tool"]:
            place = robot.forward_kinematics(end, keep["tool"])[:, :3, 3] if len(end) else np.zeros((0, 3))
            found |= {f"tool.{x}": place[:, k] for k, x in enumerate("xyz")}
            if _follows(self.study):
                goal = (
                    robot.forward_kinematics(self._goal(run, target, ok)[:, -1], keep["tool"])[:, :3, 3]
                    if len(end)
                    else place
                )
                found["tool.off"] = np.sqrt(np.sum((place - goal) ** 2, axis=1))
        if keep["energy_drift"]:
            energy = run.energy[ok]
            found["energy_drift"] = np.abs(energy - energy[:, :1]).max(axis=1)
        if keep["peak_torque"]:
            peak = np.abs(run.tau[ok]).max(axis=1)
            found |= {f"peak_torque:{n}": peak[:, k] for k, n in enumerate(names["v"])}
        if keep["final_state"]:
            found |= {f"q:{n}": end[:, k] for k, n in enumerate(names["q"])}
            found |= {f"qd:{n}": run.qd[ok, -1, k] for k, n in enumerate(names["v"])}
        made: dict[str, Array] = {"status": status}
        for name, column in found.items():
            made[name] = np.full(self.count, np.nan)
            made[name][ok] = column
        if keep["steps"]:
            made["steps"] = np.where(ok, run.stats["steps"], np.nan)
        if keep["trajectories"]:
            ended = np.isin(status, ("too many steps", "took too long"))  # how far these came depends on the machine
            q, qd = (np.where(ended[:, None, None], np.nan, values) for values in (run.q, run.qd))
            made |= {f"{MOTION}t ": run.t, f"{MOTION}q ": q, f"{MOTION}qd ": qd}
        return made

    def _goal(self, run: Run, target: Any, ok: Array) -> Array:
        """Where each run should be at each time: (runs, T or 1, nq)."""
        if hasattr(target, "signals"):
            return np.broadcast_to(target(run.t).q, (int(ok.sum()), len(run.t), self.robot.nq))
        whole: Array = np.broadcast_to(target, (self.count, self.robot.nq))[ok][:, None]
        return whole

    def _tracking(self, run: Run, target: Any, ok: Array) -> dict[str, Array]:
        """The farthest joint's distance from its goal: maximum, root mean square over time, final."""
        q, goal = run.q[ok], self._goal(run, target, ok)
        away = goal - q if self.robot.model.plain else self.robot.difference(q, np.broadcast_to(goal, q.shape))
        worst = np.abs(away).max(axis=2)
        return {
            "tracking.max": worst.max(axis=1),
            "tracking.rms": np.sqrt(np.mean(worst**2, axis=1)),
            "tracking.end": worst[:, -1],
        }
