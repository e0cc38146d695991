"""Runs on disk and in other people's tables. A file appears whole or not at all; the robot is kept with the run."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.write import path_of
from ..errors import InputError, need
from ..evaluate.call import coordinate_names
from ..model import Model

if TYPE_CHECKING:
    from .run import Run

__all__ = ["load", "save", "to_pandas", "to_xarray"]

ARRAYS = ("q", "qd", "qdd", "tau", "energy", "power")


def _meta(run: Run) -> str:
    from ..describe.toml_write import to_toml

    stats = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in run.stats.items()}
    events = [[e.run, e.number, e.t, e.q.tolist(), e.qd.tolist()] for e in run.events]
    return json.dumps({"format": "ordern run 1", "robot": to_toml(run.model), "stats": stats, "events": events, "status": run.status})


def _made(meta: str, t: Any, arrays: dict[str, Any], source: str) -> Run:
    from ..describe.own_toml import loads_toml
    from .run import Event, Run

    try:
        known = json.loads(meta)
        if known["format"] != "ordern run 1":
            raise KeyError
        model: Model = loads_toml(known["robot"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{source} holds no run of ordern") from error
    stats = {k: np.array(v) if isinstance(v, list) and v and not isinstance(v[0], str) else v for k, v in known["stats"].items()}
    events = [Event(r, k, at, np.array(q), np.array(qd)) for r, k, at, q, qd in known["events"]]
    q, qd = arrays.pop("q"), arrays.pop("qd")
    status = known["status"] or ["done"] * (q.shape[0] if q.ndim == 3 else 1)
    return Run(model, t, q, qd, stats=stats, events=events, status=status, known=arrays)


def save(run: Run, path: str | os.PathLike[str]) -> None:
    """By the ending of the name."""
    path = path_of(path)
    writers = {".npz": _save_npz, ".parquet": _save_parquet, ".zarr": _save_zarr}
    if path.suffix not in writers:
        raise InputError(f"{path}: runs are saved as .npz, .parquet or .zarr")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.absolute().parent}")
    holder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.absolute().parent))
    try:
        part = holder / path.name
        writers[path.suffix](run, part)
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(part, path)
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def load(path: str | os.PathLike[str]) -> Run:
    """By the ending of the name."""
    path = path_of(path)
    readers = {".npz": _load_npz, ".parquet": _load_parquet, ".zarr": _load_zarr}
    if path.suffix not in readers:
        raise InputError(f"{path}: runs are kept as .npz, .parquet or .zarr")
    if not path.exists():
        raise InputError(f"{path}: there is no such file")
    return readers[path.suffix](path)


def _save_npz(run: Run, path: Path) -> None:
    np.savez_compressed(path, t=run.t, meta=np.array(_meta(run)), **{name: getattr(run, name) for name in ARRAYS})


def _load_npz(path: Path) -> Run:
    try:
        with np.load(path, allow_pickle=False) as file:
            return _made(str(file["meta"]), file["t"], {name: file[name] for name in ARRAYS}, str(path))
    except (KeyError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} holds no run of ordern: {error}") from error


def _save_parquet(run: Run, path: Path) -> None:
    arrow: Any = need("pyarrow", "simulate")
    parquet: Any = need("pyarrow.parquet", "simulate")
    table = arrow.table(_columns(run))
    shape = json.dumps([run.runs, len(run.t)])
    parquet.write_table(table.replace_schema_metadata({"ordern": _meta(run), "shape": shape}), path)


def _load_parquet(path: Path) -> Run:
    parquet: Any = need("pyarrow.parquet", "simulate")
    try:
        table = parquet.read_table(path)
        meta = table.schema.metadata
        runs, count = json.loads(meta[b"shape"])
        columns = {name: np.asarray(table[name]) for name in table.column_names}
    except (KeyError, OSError, ValueError, TypeError) as error:
        raise InputError(f"{path} holds no run of ordern: {error}") from error
    batch = (count,) if runs is None else (runs, count)
    arrays = {}
    for name in ARRAYS:
        parts = [c for key, c in columns.items() if key == name or key.startswith(f"{name} ")]
        arrays[name] = (parts[0] if name in ("energy", "power") else np.stack(parts, axis=-1) if parts else np.empty((len(columns["t"]), 0))).reshape(
            *batch, *(() if name in ("energy", "power") else (-1,))
        )
    return _made(meta[b"ordern"].decode(), columns["t"][:count], arrays, str(path))


def _save_zarr(run: Run, path: Path) -> None:
    zarr: Any = need("zarr", "simulate")
    group = zarr.open_group(str(path), mode="w")
    group.attrs["ordern"] = _meta(run)
    lead = ["run", "time"] if run.runs is not None else ["time"]
    _put(group, "time", run.t, ["time"])
    for name in ARRAYS:
        last = {"q": ["coordinate"], "energy": [], "power": []}.get(name, ["joint"])
        _put(group, name, getattr(run, name), lead + last)


def _put(group: Any, name: str, values: Any, dimensions: list[str]) -> None:
    array = group.create_array(name, shape=values.shape, dtype="float64", dimension_names=dimensions)
    array[...] = values


def _load_zarr(path: Path) -> Run:
    zarr: Any = need("zarr", "simulate")
    try:
        group = zarr.open_group(str(path), mode="r")
        if "job" in group.attrs:  # a streamed ensemble stays on disk
            from .run import STATUS

            made = _made(group.attrs["ordern"], group["time"][...], {name: group[name] for name in ARRAYS if name in group}, str(path))
            made.status = [STATUS[c] if c and k < group.attrs["done"] else "interrupted" for k, c in enumerate(group["status"][...].tolist())]
            made.stats |= {name: group[name][...] for name in ("steps", "rejected", "evaluations")}
            return made
        return _made(group.attrs["ordern"], group["time"][...], {name: group[name][...] for name in ARRAYS if name in group}, str(path))
    except (KeyError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} holds no run of ordern: {error}") from error


def _columns(run: Run) -> dict[str, Any]:
    """Flat columns by name, a row a time (and run)."""
    made: dict[str, Any] = {}
    if run.runs is not None:
        made["run"] = np.repeat(np.arange(run.runs), len(run.t))
    made["t"] = np.tile(run.t, run.runs or 1)
    for name in ARRAYS:
        values = getattr(run, name)
        if name in ("energy", "power"):
            made[name] = values.reshape(-1)
            continue
        for k, joint in enumerate(coordinate_names(run.model, "q" if name == "q" else "v")):
            made[f"{name} {joint}"] = np.ascontiguousarray(values[..., k]).reshape(-1)
    return made


def to_pandas(run: Run) -> Any:
    """A DataFrame."""
    pandas: Any = need("pandas", "all")
    return pandas.DataFrame(_columns(run))


def to_xarray(run: Run) -> Any:
    """A Dataset."""
    xarray: Any = need("xarray", "all")
    lead = ("run", "time") if run.runs is not None else ("time",)
    data = {}
    for name in ARRAYS:
        last: tuple[str, ...] = {"q": ("coordinate",), "energy": (), "power": ()}.get(name, ("joint",))
        data[name] = ((*lead, *last), getattr(run, name))
    coordinates = {"time": run.t, "coordinate": coordinate_names(run.model, "q"), "joint": coordinate_names(run.model, "v")}
    return xarray.Dataset(data, coords=coordinates, attrs={"robot": run.model.name})
