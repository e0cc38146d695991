"""Run, the result of a simulation: arrays (T, ...), ensembles (B, T, ...); computed when asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from ..errors import InputError, plain, shown
from ..evaluate.values import quantity_values
from ..model import Model
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from . import DRAWN

__all__ = ["Event", "Run"]

STATUS = (
    "running",
    "done",
    "diverged",
    "step too small",
    "stiff",
    "stopped by event",
    "interrupted",
    "too many steps",
    "took too long",
)

SAME = 1e-12  # s: times that differ by less are one


class Event(tuple[int, int, float]):
    """When a function crossed zero: .run (number in the ensemble), .number (which function), .t (s), .q, .qd."""

    q: Array
    qd: Array

    def __new__(cls, run: int, number: int, t: float, q: Array, qd: Array) -> Event:
        """An event with its state."""
        made = super().__new__(cls, (run, number, t))
        made.q, made.qd = q, qd
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        """For pickle and copy."""
        return (*self, self.q, self.qd)

    run = property(lambda self: self[0])
    number = property(lambda self: self[1])
    t = property(lambda self: self[2])


def with_stop(t: Array, q: Array, qd: Array, *stop: Array) -> tuple[Array, Array, Array]:
    """Times and states up to an event, and the event's own (one row each) as the last; a row at its time makes way."""
    before = int(np.searchsorted(t, stop[0][0] - SAME))
    made = [np.concatenate([a[:before], b]) for a, b in zip((t, q, qd), stop, strict=True)]
    return made[0], made[1], made[2]


class Run:
    """A simulated motion.

    Attributes:
        t: times (T,), s.
        q: coordinates (T, nq), for an ensemble (B, T, nq); rad or m.
        qd: velocities (T, n).
        stats: how it was made: method, steps, rejected, evaluations (one a run), seconds, engine, notes.
        events: what crossed zero, in order of time.
        status: one word a run: "done", "diverged", "stiff", "step too small", "too many steps", "took too long",
            "stopped by event", "interrupted". A run that an event stops ends with a row at the event's time (unless
            t_eval chose the times). The times of an ensemble are those of all runs, with NaN behind the end of each;
            ``run[k]`` ends with the event's row, as the run alone does.
        complete: whether every run reached the end (or an event that stops it).

    Accelerations, torques, energies and power are computed when first asked for.
    """

    def __init__(
        self,
        model: Model,
        t: Array,
        q: Array,
        qd: Array,
        *,
        stats: Mapping[str, Any] | None = None,
        events: Sequence[Event] = (),
        status: Sequence[str] = ("done",),
        functions: Any = None,
        known: Mapping[str, Any] | None = None,
        number: Any = 0,
        stops: Run | None = None,
    ) -> None:
        self.model, self.t, self.q, self.qd = model, np.asarray(t, float), q, qd
        self.stats, self.events, self.status = dict(stats or {}), list(events), list(status)
        self._functions, self._known = functions, dict(known or {})
        self._number = (
            number  # of the run that row 0 stands for, where it was taken out of an ensemble; in stops one for each row
        )
        self.stops = stops  # of an ensemble: the last state of each run that an event stopped, as rows

    def __getstate__(self) -> dict[str, Any]:
        """State to pickle: values of user functions go instead of the functions, which may be unknown elsewhere."""
        if self._functions is None or self._functions.pickles:
            return dict(self.__dict__)
        _ = self.qdd, self.energy
        return {**self.__dict__, "_functions": None}

    def __copy__(self) -> Run:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Run:
        made, functions = self.__copy__(), self._functions  # programs and laws do not change: they are shared
        made.__dict__.update(
            deepcopy({**self.__dict__, "_functions": None, "model": None}, memo)
            | {"_functions": functions, "model": self.model}
        )
        return made

    # --- what it holds ------------------------------------------------------------------------------------------------
    @property
    def complete(self) -> bool:
        """Whether every run reached its end."""
        return all(s in ("done", "stopped by event") for s in self.status)

    @property
    def success(self) -> bool:
        """The same, under SciPy's name."""
        return self.complete

    @property
    def message(self) -> str:
        """In one sentence."""
        if self.complete:
            return "all runs reached their end"
        bad = [s for s in self.status if s not in ("done", "stopped by event")]
        return f"{len(bad)} of {len(self.status)} runs did not reach their end: {', '.join(sorted(set(bad)))}"

    @property
    def runs(self) -> int | None:
        """How many runs an ensemble has; None for a single one."""
        return int(self.q.shape[0]) if self.q.ndim == 3 else None

    def __len__(self) -> int:
        return len(self.t) if self.runs is None else self.runs  # as many as run[k] has

    def __getitem__(self, k: int) -> Run:
        """One run of an ensemble, without the rows after its end."""
        if self.runs is None:
            raise InputError("this is a single run; run[k] takes one out of an ensemble")
        if not isinstance(k, (int, np.integer)):
            raise InputError(f"run[{shown(k)}]: give the number of one run; run.q, run.qd, ... take slices")
        if not -self.runs <= k < self.runs:
            raise IndexError(f"run[{k}]: there are {self.runs} runs, numbered from 0")
        k, q, qd = k % self.runs, self.q[k], self.qd[k]
        good = np.isfinite(q).all(axis=1)
        stop = len(good) if good.all() else int(np.argmin(good))
        t, q, qd = self.t[:stop], q[:stop], qd[:stop]
        stats = {
            key: v[k] if isinstance(v, np.ndarray) and v.shape[:1] == (self.runs,) else v
            for key, v in self.stats.items()
        }
        known = {name: values[k, :stop] for name, values in self._known.items()}
        mine = [e for e in self.events if e.run == k]
        if self.stops is not None and self.status[k] == "stopped by event":
            row = int(np.searchsorted(self.stops._number, k))
            t, q, qd = with_stop(t, q, qd, *(getattr(self.stops, name)[row : row + 1] for name in ("t", "q", "qd")))
            known = {
                name: np.concatenate([a[: len(t) - 1], getattr(self.stops, name)[row : row + 1]])
                for name, a in known.items()
            }
        own = {"stats": stats, "events": mine, "status": [self.status[k]], "functions": self._functions, "known": known}
        return Run(self.model, t, q, qd, number=k, **own)

    @property
    def qdd(self) -> Array:
        """Accelerations, rad/s^2 or m/s^2."""
        return self._lazy("qdd")

    @property
    def tau(self) -> Array:
        """The drive's joint forces, N m or N."""
        return self._lazy("tau")

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, J; with Fixman's potential where it acts."""
        return self._lazy("energy")

    @property
    def power(self) -> Array:
        """Power of the drives, W: sum of tau times qd."""
        return self._lazy("power")

    def _lazy(self, name: str) -> Array:
        if name not in self._known:
            if name == "energy":
                self._known[name] = self._energy()
            elif name == "power":
                self._known[name] = np.sum(self.tau * np.asarray(self.qd), axis=-1)
            elif self._functions is None:
                raise InputError(f"this run was kept without {name}; simulate(..., save=..., keep=[{name!r}]) keeps it")
            else:
                self._known["qdd"], self._known["tau"] = self._report()
        made: Array = self._known[name]
        return made

    def _rows(self) -> tuple[Array, Array, Array, Array, Array]:
        """Flat states (t, q, qd, run) where they are finite, and where that is."""
        q, qd = np.asarray(self.q).reshape(-1, self.model.nq), np.asarray(self.qd).reshape(-1, self.model.nv)
        good = np.isfinite(q).all(axis=1) & np.isfinite(qd).all(axis=1)
        t = np.tile(self.t, self.runs or 1)
        run = np.repeat(np.arange(self.runs or 1), len(self.t)) + self._number
        return t[good], q[good], qd[good], run[good], good

    def _report(self) -> tuple[Array, Array]:
        t, q, qd, run, good = self._rows()
        made = []
        for part in self._functions.report_all(t, q, qd, run):
            full = np.full((len(good), self.model.nv), np.nan)
            full[good] = part
            made.append(full.reshape(self.qd.shape))
        return made[0], made[1]

    def _energy(self) -> Array:
        _, q, qd, run, good = self._rows()
        full = np.full(len(good), np.nan)
        if len(q) and self._functions is not None and {"payload", "scale"} & set(self._functions.motion.varied):
            from .energies import varied_energy

            full[good] = varied_energy(self.model, self._functions, q, qd, run)
        elif len(q):
            full[good] = quantity_values(self.model, "kinetic_energy", q, qd) + quantity_values(
                self.model, "potential_energy", q
            )
        if len(q) and self._functions is not None and self._functions.motion.fixman is not None:
            from .energies import fixman_potential

            full[good] += fixman_potential(self.model, self._functions, q, run)
        return full.reshape(self.qd.shape[:-1])

    # --- how it looks -------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        what = f"{self.runs} runs of " if self.runs is not None else ""
        end = f"{self.t[-1]:.6g} s" if len(self.t) else "nothing"
        lines = [
            f"<Run: {what}{self.model.name!r}, {len(self.t)} times to "
            f"{end}{'' if self.complete else '; ' + self.message}>"
        ]
        lines += [f"  {name:<12} {text}" for name, text in self._facts()]
        return "\n".join(lines + ["  " + "".join(f"{cell:>13}" for cell in row) for row in self._table()])

    def _facts(self) -> list[tuple[str, str]]:
        made = []
        for name in ("method", "engine", "steps", "rejected", "evaluations", "seconds"):
            value = self.stats.get(name)
            if isinstance(value, np.ndarray) and value.ndim:
                value = (
                    f"{value.min()} to {value.max()}"
                    if value.size and value.min() != value.max()
                    else value.flat[0]
                    if value.size
                    else None
                )
            if value is not None:
                made.append((name, f"{value:.4g}" if isinstance(value, float) else str(value)))
        return made + [("note", note) for note in self.stats.get("notes", ())]

    def _table(self) -> list[list[str]]:
        """The first and last states of a single run, with the joints' names above them."""
        if self.runs is not None or not len(self.t):
            return []
        names = [plain(name) for name in coordinate_names(self.model, "q")[:6]]
        rows = sorted({0, 1, 2, len(self.t) - 2, len(self.t) - 1} & set(range(len(self.t))))
        made = [["t", *(name if len(name) <= 12 else f"{name[:11]}…" for name in names)]]
        for before, k in zip([-1, *rows], rows, strict=False):
            if k != before + 1:
                made.append(["..."])
            made.append([f"{x:.6g}" for x in (self.t[k], *self.q[k, :6])])
        return made

    def _repr_html_(self) -> str:
        from html import escape

        head = repr(self).split("\n")[0]
        facts = "".join(
            f"<tr><th style='text-align:left'>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in self._facts()
        )
        rows = "".join(
            "<tr>" + "".join(f"<td style='text-align:right'>{escape(c)}</td>" for c in row) + "</tr>"
            for row in self._table()
        )
        text = f"<p><b>{escape(head.strip('<>'))}</b></p><table>{facts}</table><table>{rows}</table>"
        return text + self._player()

    def _player(self) -> str:
        """The motion in 3-D, for notebooks; nothing for ensembles and runs without a motion."""
        if self.runs is not None or len(self.t) < 2:
            return ""
        return str(DRAWN["notebook_html"](self.model, run=self))

    # --- what can be done with it -------------------------------------------------------------------------------------
    def plot(self, what: str = "angles", path: str | os.PathLike[str] | None = None, link: str | None = None) -> Any:
        """A figure of "angles", "rates", "accelerations", "torques", "energy", "power" or "path" (of a link)."""
        return DRAWN["plot"](self, what, path, link)

    def animate(self, path: str | os.PathLike[str] | None = None, **options: object) -> Any:
        """The motion as one self-contained 3-D page (.html), whose text is returned; or as a film (.gif by Pillow;
        .mp4, .webm by ffmpeg).

        ``ghost=`` is another run of the robot, shown beside this one; ``title=`` and ``q=`` are those of
        ``robot.page``.
        """
        if self.runs is not None:
            raise InputError("an ensemble has many motions; animate one of them: run[0].animate(...)")
        return DRAWN["page"](self.model, path, run=self, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """To .npz, .parquet, .zarr, .mat, or .csv (without robot, not loadable), with all results by time."""
        from .run_files import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Load a run from a file that ``save`` wrote (.npz, .parquet, .zarr, .mat)."""
        from .run_files import load

        return load(path)

    def to_pandas(self) -> Any:
        """A DataFrame, a row a time: t, q..., qd..., qdd..., tau..., energy, power (an ensemble: also run)."""
        from .run_files import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> Any:
        """A Dataset with dimensions run, time, coordinate and joint."""
        from .run_files import to_xarray

        return to_xarray(self)
