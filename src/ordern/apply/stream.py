"""Ensembles too large for memory: simulated part by part, each part on disk before the next one begins.

The store is a Zarr group with arrays q and qd (run, time, ...) and what else is to be kept, status and step counts (run), and the
attribute ``done``: how many runs are whole. A killed simulation leaves what was done; the same call with the same store goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, need
from .integrators import DIVERGED, RUNNING, STIFF, TINY, Progress
from .run import STATUS, Run
from .signals import Signal

if TYPE_CHECKING:
    from .job import Job

__all__ = ["PART", "streamed"]

PART = 64 * 2**20  # bytes of states made at once
MORE = {"qdd": True, "tau": True, "energy": False, "power": False}  # what may be kept besides q and qd: whether it has one number a joint
COUNTS = ("status", "steps", "rejected", "evaluations")


def streamed(job: Job, path: str | os.PathLike[str], keep: Sequence[str] = ()) -> Run:
    """Simulate into a store; the Run's arrays are on disk, read where they are indexed. ``keep``: which ones besides q and qd."""
    names = (keep,) if isinstance(keep, str) else tuple(keep)
    if set(names) - set(MORE):
        raise InputError(f"keep has no {sorted(set(names) - set(MORE))[0]!r}; there are {', '.join(MORE)}")
    if {"payload", "scale"} & set(job.motion.varied) and "energy" not in names:
        names = (*names, "energy")  # who loads the store knows the described robot only, not the masses of each run
    zarr: Any = need("zarr", "simulate")
    if Path(path).suffix != ".zarr":
        raise InputError(f"{path}: ensembles are streamed to a .zarr store")
    if job.single:
        raise InputError("one run is saved with run.save(...); save= is for ensembles")
    runs, nq, nv, T = len(job.q), job.motion.model.nq, job.motion.model.nv, len(job.times)
    row = nq + nv + sum(nv if MORE[name] else 1 for name in names)
    part = int(max(64, min(runs, PART // (8 * T * row))))
    group, done = _open(zarr, job, str(path), part, names)
    with np.errstate(all="ignore"), job.watch, contextlib.suppress(KeyboardInterrupt):  # what is done is on disk
        for first in range(done, runs, part):
            _one(job, group, first, min(part, runs - first), names)
    done = int(group.attrs["done"])
    codes = group["status"][...]
    words = [STATUS[c] if k < done and c != RUNNING else "interrupted" for k, c in enumerate(codes.tolist())]
    stats = {
        "method": job.settings.method,
        "engine": job.settings.engine,
        **{name: group[name][...] for name in COUNTS[1:]},
        "notes": [f"on disk in {Path(path).name}"],
    }
    stats["seconds"] = job.seconds()
    if done == runs:
        failed = int(np.isin(codes, (DIVERGED, TINY, STIFF)).sum())
        if failed:
            stats["notes"].append(f"{failed} of {runs} runs did not reach the end; see run.status")
    known = {name: group[name] for name in names}
    return Run(job.motion.model, job.times, group["q"], group["qd"], stats=stats, status=words, functions=job.functions, known=known)


def _open(zarr: Any, job: Job, path: str, part: int, names: Sequence[str]) -> tuple[Any, int]:
    from ..describe.toml_write import to_toml

    model, runs, T = job.motion.model, len(job.q), len(job.times)
    what = json.dumps(
        {
            "inputs": _inputs(job),
            "key": job.motion.key,
            "method": job.settings.method,
            "rtol": job.settings.rtol,
            "atol": job.settings.atol,
            "dt": job.settings.dt,
            "runs": runs,
            "times": T,
            "keep": sorted(names),
        }
    )
    if Path(path).exists():
        try:
            group = zarr.open_group(path, mode="r+")
            if group.attrs["job"] == what:
                return group, int(group.attrs["done"])
        except (KeyError, OSError, ValueError):
            pass
        raise InputError(f"{path} is there and holds something else; give another name or remove it")
    group = zarr.open_group(path, mode="w")
    group.create_array("time", shape=(T,), dtype="float64", dimension_names=["time"])[...] = job.times
    rows = min(part, max(1, 2**22 // (8 * T * max(1, model.nv))))  # chunks of some 4 MB
    while part % rows:
        rows -= 1
    for name, count, last in (("q", model.nq, "coordinate"), ("qd", model.nv, "joint")):
        group.create_array(name, shape=(runs, T, count), chunks=(rows, T, max(1, count)), dtype="float64", dimension_names=["run", "time", last])
    for name in names:
        ending, last_name = ((max(1, model.nv),), ["joint"]) if MORE[name] else ((), [])
        shape = (runs, T, model.nv) if MORE[name] else (runs, T)
        group.create_array(name, shape=shape, chunks=(rows, T, *ending), dtype="float64", dimension_names=["run", "time", *last_name])
    for name in COUNTS:
        group.create_array(name, shape=(runs,), chunks=(part,), dtype="int64", dimension_names=["run"])
    events: list[Any] = []
    meta = {"format": "ordern run 1", "robot": to_toml(model), "stats": {"method": job.settings.method}, "events": events, "status": None}
    group.attrs.update({"ordern": json.dumps(meta), "job": what, "done": 0})
    return group, 0


def _inputs(job: Job) -> str:
    """A hash of the numbers that decide the runs: a store goes on only with the states, times and parameters it was begun with."""
    parts = [job.q, job.v, job.times]
    for channel in job.motion.channels.values():
        if channel.signal is None:
            parts.append(channel.values)
        elif isinstance(channel.signal, Signal):
            parts += [channel.signal.breaks, channel.signal.coefficients]
    digest = hashlib.sha256()
    for part in parts:
        array = np.ascontiguousarray(part, float)
        digest.update(repr(array.shape).encode() + array.tobytes())
    return digest.hexdigest()


def _one(job: Job, group: Any, first: int, count: int, names: Sequence[str]) -> None:
    rows, runs = slice(first, first + count), len(job.q)
    job.watch.before, job.watch.share = first / runs, count / runs
    state = Progress.begin(job.q[rows], job.v[rows], job.times)
    job.integrate(state, job.times, first)
    group["q"][rows], group["qd"][rows] = state.out_q, state.out_v
    made = Run(job.motion.model, job.times, state.out_q, state.out_v, functions=job.functions, number=first)
    for name in names:
        group[name][rows] = getattr(made, name)
    for name in COUNTS:
        group[name][rows] = getattr(state, name)
    group.attrs["done"] = first + count
