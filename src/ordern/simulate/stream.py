"""Ensembles too large for memory: simulated part by part, each part on disk before the next one begins.

The store is a Zarr group with arrays q and qd (run, time, ...) and what else is to be kept, status and step counts
(run); its attributes name the parts that are done, with their checksums. A killed simulation leaves what was done; the
same call with the same store goes on from there, and makes again what was damaged since.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, need
from ..files import locked, path_of, read_bytes
from ..runtime.foreign_code import foreign_code
from ..scalars.primitives import Array
from .called import PythonSignal
from .integrators import DIVERGED, RUNNING, STEPS, STIFF, TIME, TINY, Progress
from .run import STATUS, Run
from .signals import Signal
from .store import META, ROOT, Store, add_array, check_chunks, check_sizes, has_links

if TYPE_CHECKING:
    from .job import Job

__all__ = ["PART", "array_sum", "part_names", "statuses", "streamed"]

PART = 64 * 2**20  # bytes of states made at once
# what may be kept besides q and qd: whether it has one number a joint
MORE = {"qdd": True, "tau": True, "energy": False, "power": False}
COUNTS = ("status", "steps", "rejected", "evaluations")


def streamed(job: Job, path: str | os.PathLike[str], keep: Sequence[str] = ()) -> Run:
    """Simulate into a store; the Run reads its arrays from disk. ``keep``: which besides q and qd."""
    names = (keep,) if isinstance(keep, str) else tuple(keep)
    if set(names) - set(MORE):
        raise InputError(f"keep has no {sorted(set(names) - set(MORE))[0]!r}; there are {', '.join(MORE)}")
    if ({"payload", "scale"} & set(job.motion.varied) or job.motion.fixman is not None) and "energy" not in names:
        # who loads the store knows the described robot only, not the masses and temperature of each run
        names = (*names, "energy")
    need("zarr", "simulate")
    place = path_of(path)
    if place.suffix != ".zarr":
        raise InputError(f"{place}: ensembles are streamed to a .zarr store")
    if job.single:
        raise InputError("one run is saved with run.save(...); save= is for ensembles")
    _begin(job, place, names)
    # what is done is on disk
    with (
        locked(Path(os.path.realpath(place))),
        np.errstate(all="ignore"),
        job.watch,
        contextlib.suppress(KeyboardInterrupt),
    ):
        store = Store.open(place)  # as whoever worked here before has left it
        check_sizes(place, True)
        _go_on(job, store, names)
        check_chunks(place)
    group, runs = store.group(), len(job.q)
    words = statuses(store, group)
    stats = {
        "method": job.settings.method,
        "engine": job.settings.engine,
        **{name: group[name][...] for name in COUNTS[1:]},
        "notes": [f"on disk in {place.name}"],
    }
    stats["seconds"] = job.seconds()
    failed = sum(word in {STATUS[k] for k in (DIVERGED, TINY, STIFF, STEPS, TIME)} for word in words)
    if failed and "interrupted" not in words:
        stats["notes"].append(f"{failed} of {runs} runs did not reach the end; see run.status")
    known = {name: group[name] for name in names}
    return Run(
        job.motion.model,
        job.kept,
        group["q"],
        group["qd"],
        stats=stats,
        status=words,
        functions=job.functions,
        known=known,
    )


def statuses(store: Store, group: Any) -> list[str]:
    """One word a run; runs of parts that are not done are interrupted."""
    part, done = int(store.attributes["part"]), store.attributes["parts"]
    codes = group["status"][...].tolist()
    return [STATUS[c] if done[k // part] is not None and c != RUNNING else "interrupted" for k, c in enumerate(codes)]


def part_names(store: Store) -> Callable[[int], list[str]]:
    """Which files belong to a part, by its number."""
    kept = {"q", "qd", *COUNTS, *MORE}
    rows = {}
    for place in sorted(store.path.iterdir()):
        if place.name in kept:
            known = json.loads(read_bytes(place / ROOT, META, "store of ordern"))
            rows[place.name] = (known["chunk_grid"]["configuration"]["chunk_shape"][0], len(known["shape"]))
    part, runs = int(store.attributes["part"]), int(store.attributes["runs"])

    def names(number: int) -> list[str]:
        first, stop = number * part, min(runs, (number + 1) * part)
        each = {name: range(first // size, -(-stop // size)) for name, (size, _) in rows.items()}
        return [f"{name}/c/{k}" + "/0" * (rows[name][1] - 1) for name, numbers in each.items() for k in numbers]

    return names


def _begin(job: Job, path: Path, names: Sequence[str]) -> None:
    """See to it that the store of this job is there."""
    from ..describe.toml.toml_write import to_toml

    runs, T, model, s = len(job.q), len(job.kept), job.motion.model, job.settings
    what = {
        "inputs": _inputs(job),
        "key": job.motion.key,
        "method": s.method,
        "rtol": s.rtol,
        "atol": s.atol,
        "dt": s.dt,
    }
    if stamps := _functions(job):
        what["functions"] = stamps
    what |= {} if np.isinf(s.max_step) else {"max_step": s.max_step}
    what |= {k: v for k in ("max_steps", "max_seconds") if (v := getattr(s, k)) is not None}
    if s.bath is not None:
        what["bath"] = [s.bath.temperature.tolist(), s.bath.rate, s.bath.seed]
    text = json.dumps(what | {"runs": runs, "times": T, "keep": sorted(names)})
    if path.exists():
        with contextlib.suppress(InputError):
            if Store.open(path).attributes.get("job") == text and not has_links(path):
                return
        raise InputError(f"{path} is there and holds something else, or was damaged; give another name or remove it")
    row = model.nq + model.nv + sum(model.nv if MORE[name] else 1 for name in names)
    part = int(max(64, min(runs, PART // (8 * T * max(1, row)))))
    events: list[Any] = []
    meta = {
        "format": "ordern run 2",
        "robot": to_toml(model),
        "stats": {"method": s.method},
        "events": events,
        "status": None,
    }

    def fill(group: object, _: Path) -> Iterable[None]:
        add_array(group, "time", (T,), "float64", ["time"])[...] = job.kept
        _arrays(group, job, part, names)
        return [None] * -(-runs // part)

    Store.make(
        path, {"ordern": json.dumps(meta), "job": text, "part": part, "runs": runs, "times": array_sum(job.kept)}, fill
    )


def _arrays(group: object, job: Job, part: int, names: Sequence[str]) -> None:
    model, runs, T = job.motion.model, len(job.q), len(job.kept)
    rows = min(part, max(1, 2**22 // (8 * T * max(1, model.nv))))  # chunks of some 4 MB
    while part % rows:
        rows -= 1
    for name, count, last in (("q", model.nq, "coordinate"), ("qd", model.nv, "joint")):
        add_array(group, name, (runs, T, count), "float64", ["run", "time", last], (rows, T, max(1, count)))
    for name in names:
        if MORE[name]:
            add_array(
                group, name, (runs, T, model.nv), "float64", ["run", "time", "joint"], (rows, T, max(1, model.nv))
            )
        else:
            add_array(group, name, (runs, T), "float64", ["run", "time"], (rows, T))
    for name in COUNTS:
        add_array(group, name, (runs,), "int64", ["run"], (part,))


def _go_on(job: Job, store: Store, names: Sequence[str]) -> None:
    """Simulate the parts that are missing or damaged."""
    group, files = store.group("r+"), part_names(store)
    part, runs, known = int(store.attributes["part"]), int(store.attributes["runs"]), store.attributes["parts"]
    for number in store.damaged(files):
        known[number] = None
    group["time"][...] = job.kept
    todo = [k for k, done in enumerate(known) if done is None]
    for turn, number in enumerate(todo):
        job.watch.before, job.watch.share = turn / len(todo), 1 / len(todo)
        _one(job, group, number * part, min(part, runs - number * part), names)
        store.finish(number, files(number))


def _inputs(job: Job) -> str:
    """A hash of states, times and parameters: a store only resumes with those it began with."""
    parts = [job.q, job.v, job.times, job.kept]
    for channel in job.motion.channels.values():
        if channel.signal is None:
            parts.append(np.asarray(channel.values))
        elif isinstance(channel.signal, Signal):
            parts += [channel.signal.breaks, channel.signal.coefficients]
    digest = hashlib.sha256()
    for part in parts:
        array = np.ascontiguousarray(part, float)
        digest.update(repr(array.shape).encode() + array.tobytes())
    return digest.hexdigest()


def _functions(job: Job) -> list[str]:
    """Stamps of the user's functions by their code: another function is another simulation."""
    signals = [channel.signal for channel in job.motion.channels.values()]
    given: list[object] = [] if job.drive is None else [job.drive.function]
    given += [signal.source for signal in signals if isinstance(signal, PythonSignal)]
    try:
        return [foreign_code(function) for function in given]
    except Exception:  # objects of the user's that cannot be looked at: nobody knows whether they are the same again
        return [os.urandom(16).hex()]


def array_sum(values: Array) -> str:
    """Of its numbers."""
    return hashlib.sha256(np.ascontiguousarray(values, float).tobytes()).hexdigest()


def _one(job: Job, group: Any, first: int, count: int, names: Sequence[str]) -> None:
    rows = slice(first, first + count)
    state = Progress.begin(job.q[rows], job.v[rows], job.times)
    job.integrate(state, job.times, first)
    out_q, out_v = state.out_q[:, job.settings.kept], state.out_v[:, job.settings.kept]
    group["q"][rows], group["qd"][rows] = out_q, out_v
    made = Run(job.motion.model, job.kept, out_q, out_v, functions=job.functions, number=first)
    job.strain(job.kept, out_q, out_v, first)
    for name in names:
        group[name][rows] = getattr(made, name)
    for name in COUNTS:
        group[name][rows] = getattr(state, name)
