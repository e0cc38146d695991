"""Runs on disk and in other people's tables. A file appears whole or not at all; the robot is kept with the run."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, OrdernError, need
from ..files import PACKED, expansion, opened_file, path_of, whole_file, write
from ..files.arrays import read_arrays
from ..files.mat_files import read_mat
from ..files.missing import not_there
from ..files.unpacking import Unpacker
from ..model import Model
from ..runtime.call import coordinate_names
from .series_files import parquet_table, write_series
from .store import Store, add_array, check_chunks, check_sizes, chunk_names, digest

if TYPE_CHECKING:
    from .run import Run

__all__ = ["load", "save", "to_pandas", "to_xarray"]

FORMAT, FIRST = "ordern run 2", "ordern run 1"  # the first had no checksums
ARRAYS = ("q", "qd", "qdd", "tau", "energy", "power")


def _meta(run: Run) -> str:
    from ..describe.toml.toml_write import to_toml

    stats = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in run.stats.items()}
    events = [[e.run, e.number, e.t, e.q.tolist(), e.qd.tolist()] for e in run.events]
    made = {"format": FORMAT, "robot": to_toml(run.model), "stats": stats, "events": events, "status": run.status}
    if run.stops is not None:
        made["stops"] = {
            "run": run.stops._number.tolist(),
            **{name: getattr(run.stops, name).tolist() for name in ("t", *ARRAYS)},
        }
    return json.dumps(made)


def _stops(known: Mapping[str, Any], model: Model) -> Run | None:
    """An ensemble's rows at events, from what ``_meta`` wrote."""
    from .run import Run

    if "stops" not in known:
        return None
    rows = {name: np.array(values, float) for name, values in known["stops"].items()}
    number = rows.pop("run").astype(int)
    for name, values in rows.items():
        width = {"q": (model.nq,), "t": (), "energy": (), "power": ()}.get(name, (model.nv,))
        if values.shape != (len(number), *width):
            raise ValueError(f"the rows of {name} at events do not fit")
    return Run(model, rows.pop("t"), rows.pop("q"), rows.pop("qd"), known=rows, number=number)


def _sum(meta: str, t: object, arrays: Mapping[str, Any]) -> str:
    """Of all that a file holds, whatever the container."""
    total = hashlib.sha256(meta.encode())
    for name in ("t", *ARRAYS):
        values = np.ascontiguousarray(t if name == "t" else arrays[name], float)
        total.update(f"{name} {values.shape}\n".encode() + values.tobytes())
    return total.hexdigest()


def _made(meta: str, t: Any, arrays: dict[str, Any], source: str, known_sum: str | None) -> Run:
    """A Run from a file's contents, after checking all of them for consistency."""
    from ..describe.toml.toml_read import loads_toml
    from .run import STATUS, Event, Run

    known = json.loads(meta)
    if known["format"] not in (FORMAT, FIRST):
        raise InputError(
            f"{source} holds a run in the format {str(known['format'])[:40]!r}, which this version does not know; "
            "update ordern"
        )
    unsealed = known_sum is None or (known["format"] == FIRST and not known_sum)  # checked elsewhere, or never had one
    if not unsealed and known_sum != _sum(meta, t, arrays):
        raise InputError(
            f"{source} was damaged after it was written: its checksum does not match; simulate it again, or take a copy"
        )
    model: Model = loads_toml(known["robot"])
    batch = arrays["q"].shape[:-1]
    for name, values in {"t": t, **arrays}.items():
        wanted = (
            (len(t),)
            if name == "t"
            else batch
            if name in ("energy", "power")
            else (*batch, model.nq if name == "q" else model.nv)
        )
        if values.shape != wanted or batch[-1:] != (len(t),) or len(batch) > 2 or values.dtype.kind != "f":
            raise InputError(
                f"{source}: {name} is {values.dtype} of shape {values.shape}; the robot and the times need float64 of "
                f"shape {wanted}"
            )
    stats = _stats(known["stats"], source)
    events = [
        Event(int(r), int(k), float(at), np.array(q, float), np.array(qd, float)) for r, k, at, q, qd in known["events"]
    ]
    q, qd = arrays.pop("q"), arrays.pop("qd")
    runs = batch[0] if len(batch) == 2 else 1
    status = known["status"] or ["done"] * runs
    if len(status) != runs or not set(status) <= set(STATUS):
        raise InputError(f"{source}: its list of states does not fit its {runs} runs")
    return Run(
        model,
        np.asarray(t, float),
        q,
        qd,
        stats=stats,
        events=events,
        status=status,
        known=arrays,
        stops=_stops(known, model),
    )


def _stats(known: Any, source: str) -> dict[str, Any]:
    """A run's statistics: texts, a list of notes, numbers or one for each run; nothing else is written."""
    made: dict[str, Any] = {}
    for name, value in known.items():
        if name == "notes":
            right = isinstance(value, list) and all(isinstance(v, str) for v in value)
        elif isinstance(value, list):
            value = np.array(value)
            right = value.dtype.kind in "bif"
        else:
            right = isinstance(value, (str if name in ("method", "engine") else (int, float, type(None))))
        if not right:
            raise InputError(f"{source}: what it tells of {name[:40]!r} cannot be; it was changed by others")
        made[name] = value
    return made


def save(run: Run, path: str | os.PathLike[str]) -> None:
    """By the ending of the name."""
    path = path_of(path)
    writers = {".npz": _save_npz, ".parquet": _save_parquet, ".zarr": _save_zarr, ".csv": _save_csv, ".mat": _save_mat}
    if path.suffix not in writers:
        raise InputError(f"{path}: runs are saved as .npz, .parquet, .zarr, .mat or .csv")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.absolute().parent}")
    writers[path.suffix](run, path)


def load(path: str | os.PathLike[str]) -> Run:
    """By the ending of the name."""
    path = path_of(path)
    readers = {".npz": _load_npz, ".parquet": _load_parquet, ".zarr": _load_zarr, ".mat": _load_mat}
    if path.suffix not in readers:
        why = "; a .csv holds the series but not the robot" if path.suffix == ".csv" else ""
        raise InputError(f"{path}: runs are kept as .npz, .parquet, .zarr or .mat{why}")
    if not path.exists():
        raise InputError(f"{path}: {not_there(path, endings=tuple(readers))}")
    if path.suffix != ".zarr" and not path.is_file():
        raise InputError(f"{path}: it is no ordinary file; give a run that was saved")
    try:
        return readers[path.suffix](path)
    except OrdernError:
        raise
    except Exception as error:  # a file may hold anything, and every reader has its own complaints
        text = str(error).encode("unicode_escape").decode()
        raise InputError(
            f"{path} holds no run of ordern, or a damaged one ({type(error).__name__}: {text[:120]})"
        ) from None


def _save_npz(run: Run, path: Path) -> None:
    meta, arrays = _meta(run), {name: getattr(run, name)[...] for name in ARRAYS}
    content = {"t": run.t, "meta": np.array(meta), "sha256": np.array(_sum(meta, run.t, arrays)), **arrays}
    size = sum(a.nbytes for a in content.values())
    with whole_file(path, durable=True) as file:
        np.savez_compressed(file, **content)
        if size > expansion(file.tell()):  # a robot at rest, for long: what would look like a bomb is kept as it is
            file.seek(0)
            file.truncate()
            np.savez(file, **content)


def _save_csv(run: Run, path: Path) -> None:
    """For spreadsheets and the command line: columns t, q:joint, qd:joint, qdd:joint, tau:joint, energy, power."""
    write_series(
        path,
        {
            name.replace(" ", ":", 1) if name.split(" ")[0] in ARRAYS else name: values
            for name, values in _columns(run).items()
        },
    )


def _load_npz(path: Path) -> Run:
    file = read_arrays(path, "run")
    if not {"t", "meta", *ARRAYS} <= set(file):
        raise InputError(f"{path} holds no run of ordern: {sorted({'t', 'meta', *ARRAYS} - set(file))[0]!r} is missing")
    return _made(
        str(file["meta"]), file["t"], {name: file[name] for name in ARRAYS}, str(path), str(file.get("sha256", ""))
    )


def _save_mat(run: Run, path: Path) -> None:
    """For MATLAB and Octave: t (T, 1), q (T, nq) or (B, T, nq) and so on, with the robot as text."""
    matlab: Any = need("scipy.io", "simulate")
    meta, arrays = _meta(run), {name: np.asarray(getattr(run, name)[...]) for name in ARRAYS}
    content = {"t": run.t, "ordern": meta, "sha256": _sum(meta, run.t, arrays), **arrays}
    for name, kind in (("coordinates", "q"), ("joints", "v")):
        content[name] = np.array(coordinate_names(run.model, kind), dtype=object)
    if max(a.nbytes for a in arrays.values()) >= 2**31:
        raise InputError(f"{path}: a variable of a .mat file holds 2 GB at most; save this run as .zarr or .npz")
    made = io.BytesIO()  # SciPy goes back in what it writes, which not every output can
    matlab.savemat(made, content, oned_as="column")
    write(path, made.getvalue(), durable=True)


def _load_mat(path: Path) -> Run:
    needed = ("t", "ordern", "sha256", *ARRAYS)
    with opened_file(path, PACKED, "run") as file:
        content = read_mat(file, needed, Unpacker(expansion(path.stat().st_size), str(path)))
    missing = sorted(name for name in needed if content.get(name) is None)
    if missing:
        raise InputError(
            f"{path} holds no run of ordern: {missing[0]!r} is missing; motions of other "
            "programs have no robot in them: write them as CSV with a column t and one a joint, for ordern.read_log"
        )
    arrays: dict[str, Any] = {name: content[name] for name in ARRAYS}
    t, q, energy = content["t"].reshape(-1), arrays["q"], arrays["energy"]
    several = q.ndim == 3 or q.shape == energy.shape != (len(t), 1)
    batch = energy.shape if several else (len(t),)
    for name, x in arrays.items():  # MATLAB leaves a last axis of length one away where there are more than two
        flat = name in ("energy", "power")
        arrays[name] = x.reshape(batch) if flat else x if x.ndim > len(batch) else x.reshape(*batch, 1)
    return _made(content["ordern"], t, arrays, str(path), content["sha256"])


def _save_parquet(run: Run, path: Path) -> None:
    arrow: Any = need("pyarrow", "simulate")
    parquet: Any = need("pyarrow.parquet", "simulate")
    if run.runs == 0:
        raise InputError(f"{path}: an ensemble of no runs has no row that could hold its times; save it as .npz")
    table, meta = arrow.table(_columns(run)), _meta(run)
    shape = json.dumps([run.runs, len(run.t)])
    check = _sum(meta, run.t, {name: getattr(run, name) for name in ARRAYS})
    with whole_file(path, durable=True) as file:
        parquet.write_table(
            table.replace_schema_metadata({"ordern": meta, "shape": shape, "sha256": check}),
            file,
            write_page_checksum=True,
        )


def _load_parquet(path: Path) -> Run:
    parquet: Any = need("pyarrow.parquet", "simulate")
    with parquet.ParquetFile(path, page_checksum_verification=True) as file:
        table = parquet_table(file, path, str(path))
    meta = table.schema.metadata
    runs, count = json.loads(meta[b"shape"])
    columns = {name: np.asarray(table[name]) for name in table.column_names}
    batch = (count,) if runs is None else (runs, count)
    arrays = {}
    for name in ARRAYS:
        parts = [c for key, c in columns.items() if key == name or key.startswith(f"{name} ")]
        if name in ("energy", "power"):
            arrays[name] = parts[0].reshape(batch)
        else:
            arrays[name] = np.stack(parts, axis=-1).reshape(*batch, len(parts)) if parts else np.empty((*batch, 0))
    return _made(meta[b"ordern"].decode(), columns["t"][:count], arrays, str(path), meta.get(b"sha256", b"").decode())


def _save_zarr(run: Run, path: Path) -> None:
    lead = ["run", "time"] if run.runs is not None else ["time"]

    def fill(group: object, part: Path) -> list[str]:
        arrays = {name: np.asarray(getattr(run, name)[...]) for name in ARRAYS}
        # more of a robot at rest would look like a bomb
        packed = sum(a.nbytes for a in arrays.values()) <= expansion(0)
        add_array(group, "time", run.t.shape, "float64", ["time"], packed=packed)[...] = run.t
        for name, values in arrays.items():
            last = {"q": ["coordinate"], "energy": [], "power": []}.get(name, ["joint"])
            add_array(group, name, values.shape, "float64", lead + last, packed=packed)[...] = values
        return [digest(part, chunk_names(part))]

    Store.make(path, {"ordern": _meta(run)}, fill)


def _load_zarr(path: Path) -> Run:
    store = Store.open(path)
    check_sizes(path, "job" in store.attributes)
    group = store.group()
    known = store.attributes
    if "job" in known:  # a streamed ensemble stays on disk
        from .stream import array_sum, part_names, statuses

        bad = store.damaged(part_names(store))
        if not bad:
            check_chunks(path)
        if bad or known["times"] != array_sum(group["time"][...]):
            runs = (
                f"runs {bad[0] * known['part']} to {min(known['runs'], (bad[0] + 1) * known['part']) - 1}"
                if bad
                else "its times"
            )
            raise InputError(
                f"{path}: {runs} were damaged on disk; the call that made it (save={path.name!r}) makes them again"
            )
        made = _made(
            known["ordern"],
            group["time"][...],
            {name: group[name] for name in ARRAYS if name in group},
            str(path),
            None,
        )
        made.status = statuses(store, group)
        made.stats |= {name: group[name][...] for name in ("steps", "rejected", "evaluations")}
        return made
    if store.damaged(lambda _: chunk_names(path)):
        raise InputError(
            f"{path} was damaged after it was written: its checksum does not match; simulate it again, or take a copy"
        )
    check_chunks(path)
    return _made(
        known["ordern"],
        group["time"][...],
        {name: group[name][...] for name in ARRAYS if name in group},
        str(path),
        None,
    )


def _columns(run: Run) -> dict[str, Any]:
    """Flat columns by name, a row a time (and run)."""
    made: dict[str, Any] = {}
    if run.runs is not None:
        made["run"] = np.repeat(np.arange(run.runs), len(run.t))
    made["t"] = np.tile(run.t, 1 if run.runs is None else run.runs)
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
    pandas: Any = need("pandas", "tables")
    return pandas.DataFrame(_columns(run))


def to_xarray(run: Run) -> Any:
    """A Dataset."""
    xarray: Any = need("xarray", "tables")
    lead = ("run", "time") if run.runs is not None else ("time",)
    data = {}
    for name in ARRAYS:
        last: tuple[str, ...] = {"q": ("coordinate",), "energy": (), "power": ()}.get(name, ("joint",))
        data[name] = ((*lead, *last), getattr(run, name))
    coordinates = {
        "time": run.t,
        "coordinate": coordinate_names(run.model, "q"),
        "joint": coordinate_names(run.model, "v"),
    }
    return xarray.Dataset(data, coords=coordinates, attrs={"robot": run.model.name})
