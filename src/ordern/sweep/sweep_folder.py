"""The folder of a sweep: a manifest, one file a block, and the table made of them. Whatever is there is whole.

sweep.json         the study, the robot and their hash: all that a worker needs
blocks/000017.npz  rows of one block, with a hash of their own, written by the worker that made them
table.csv          all rows (or table.npz, table.parquet)
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import InputError, need
from ..files import PART, write
from ..report.tables import cell_text, plain, writable_folder
from ..robot import Robot
from .study import Study, parse
from .sweep_block import MOTION

__all__ = ["FORMATS", "Folder", "opened"]

Array = Any
FORMAT = "ordern sweep 1"
FORMATS = ("csv", "npz", "parquet")

# what NumPy and zipfile raise for a file some of whose bytes have changed; NotImplementedError, where these say how it was packed
_DAMAGE = (OSError, ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)


class Folder:
    """Where a sweep is kept."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path, self.study = path, study

    @classmethod
    def begin(cls, path: str | os.PathLike[str], study: Study) -> Folder:
        """A new folder, or one in which the same study was begun; a different one is refused."""
        place = writable_folder(path).absolute()
        made = cls(place, study)
        if made.manifest.exists():
            made._same()
        else:
            others = [p.name for p in place.iterdir() if not p.name.startswith(".")]
            if others:
                raise InputError(
                    f"{plain(str(path))}: the folder holds other things ({plain(others[0])}, ...) and no sweep; give a new or an empty one"
                )
            text = {"format": FORMAT, "ordern": __version__, "hash": study.hash, "runs": study.runs, "blocks": study.blocks}
            write(made.manifest, json.dumps(text | {"study": study.text, "robot": study.robot_text}, indent=1), durable=True)
        (place / "blocks").mkdir(exist_ok=True)
        return made

    @property
    def manifest(self) -> Path:
        """The file that says what this is."""
        return self.path / "sweep.json"

    def _same(self) -> None:
        known = _manifest(self.path)
        where = plain(str(self.path))
        if known["ordern"] != __version__:
            raise InputError(
                f"{where} was begun with ordern {plain(str(known['ordern']))}, this is {__version__}; finish it there, or give another --out"
            )
        if known["hash"] != self.study.hash:
            there = parse(known["study"], "sweep.json", robot=_robot(known))
            raise InputError(
                f"{where} holds another study: {_difference(there, self.study)}; give another --out, or remove that folder to begin anew"
            )

    def file(self, block: int) -> Path:
        """Of a block."""
        return self.path / "blocks" / f"{block:06d}.npz"

    def missing(self) -> list[int]:
        """Blocks that have not been committed."""
        there = {p.name for p in (self.path / "blocks").glob("*.npz")}
        return [b for b in range(self.study.blocks) if f"{b:06d}.npz" not in there]

    def commit(self, block: int, arrays: Mapping[str, Array]) -> None:
        """A block's rows, on disk before this returns; what is there already stays."""
        out = io.BytesIO()
        np.savez(out, sha256=np.array(_hash(arrays)), **arrays)
        write(self.file(block), out.getvalue(), durable=True, keep=True)

    def rows(self, block: int) -> dict[str, Array] | None:
        """A block's arrays; None if the file is damaged."""
        try:
            with np.load(self.file(block), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
        except _DAMAGE:
            return None
        return arrays if str(arrays.pop("sha256", "")) == _hash(arrays) else None

    def discard_damaged(self) -> list[int]:
        """Blocks whose files were damaged after they were written; they are removed, so that they are made anew."""
        bad = [b for b in range(self.study.blocks) if self.file(b).exists() and self.rows(b) is None]
        for block in bad:
            self.file(block).unlink(missing_ok=True)
        return bad

    def table(self) -> dict[str, Array]:
        """All rows that are there, by column, in the order of runs."""
        parts: list[dict[str, Array]] = []
        for block in range(self.study.blocks):
            rows = self.rows(block) if self.file(block).exists() else None
            if rows is not None:
                parts.append({name: v for name, v in rows.items() if not name.startswith(MOTION)})
        return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]} if parts else {}

    def write_table(self, columns: Mapping[str, Array], form: str) -> Path:
        """The table as one file; the same rows give the same bytes."""
        path = self.path / f"table.{form}"
        if form == "csv":
            write(path, _csv(columns), durable=True)
        elif form == "npz":
            out = io.BytesIO()
            np.savez(out, **columns)
            write(path, out.getvalue(), durable=True)
        else:
            arrow: Any = need("pyarrow", "simulate")
            parquet: Any = need("pyarrow.parquet", "simulate")
            sink = io.BytesIO()
            parquet.write_table(arrow.table({k: v if v.dtype.kind != "U" else v.tolist() for k, v in columns.items()}), sink)
            write(path, sink.getvalue(), durable=True)
        return path

    def tidy(self) -> None:
        """Remove what killed workers left half-written."""
        for path in (self.path / "blocks").glob(f".*{PART}"):
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """One process at a time drives a folder; the lock goes with the process, however it ends."""
        try:
            import fcntl
        except ImportError:  # no such locks on this system: commits are whole all the same
            yield
            return
        with open(self.path / ".lock", "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(f"{plain(str(self.path))}: another process works in this folder; wait for it, or give another --out") from None
            except OSError:  # a file system without locks
                pass
            yield


def _robot(manifest: Mapping[str, Any]) -> Robot:
    from ..describe.toml.toml_read import loads_toml

    return Robot(loads_toml(manifest["robot"]))


@lru_cache(maxsize=8)
def opened(path: str, wanted: str | None = None) -> Folder:
    """The folder of a sweep that was begun, as a worker sees it; ``wanted`` is the hash it must have."""
    place = Path(path)
    known = _manifest(place)
    if wanted is not None and (known["hash"] != wanted or known["ordern"] != __version__):
        raise InputError(
            f"{plain(path)}: this worker sees another study, or runs another version of ordern ({__version__}) than the one that began it"
        )
    return Folder(place, parse(known["study"], f"{plain(path)}/sweep.json", robot=_robot(known)))


def _manifest(place: Path) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads((place / "sweep.json").read_text("utf-8"))
        if known["format"] != FORMAT or not {"study", "robot", "hash", "ordern"} <= set(known):
            raise KeyError
        return known
    except FileNotFoundError:
        raise InputError(
            f"{plain(str(place))}: there is no sweep in this folder (workers on other machines must see it under the same path)"
        ) from None
    except (KeyError, TypeError, ValueError, OSError):
        raise InputError(f"{plain(str(place))}: sweep.json cannot be read; give another --out, or remove that folder to begin anew") from None


def _difference(there: Study, here: Study) -> str:
    """Where two studies differ first."""

    def flat(value: Any, place: str = "") -> dict[str, Any]:
        if isinstance(value, dict) and value:
            return {k: v for key, inner in value.items() for k, v in flat(inner, f"{place}.{key}" if place else key).items()}
        return {place: value}

    a, b = flat(dict(there.tree)), flat(dict(here.tree))
    for key in [*b, *a]:
        if key != "robot" and a.get(key) != b.get(key):
            return f"{plain(key)} is {plain(str(a.get(key, 'not there')))[:60]} there and {plain(str(b.get(key, 'not there')))[:60]} here"
    return "the robot differs" if there.robot_text != here.robot_text else "its values are swept in another order"


def _hash(arrays: Mapping[str, Array]) -> str:
    digest = hashlib.sha256()
    for name, values in arrays.items():
        a = np.ascontiguousarray(values)
        digest.update(f"{name} {a.dtype.str} {a.shape}\n".encode() + a.tobytes())
    return digest.hexdigest()


def _csv(columns: Mapping[str, Array]) -> str:
    """All digits; what a failed run does not have is empty."""
    return "\n".join([",".join(map(_cell, columns)), *map(",".join, zip(*map(_cells, columns.values()), strict=True)), ""])


def _cells(column: Array) -> list[str]:
    if column.dtype.kind == "U":
        quoted = {word: _cell(word) for word in np.unique(column).tolist()}
        return [quoted[word] for word in column.tolist()]
    made = list(map(repr, column.tolist()))
    return ["" if text == "nan" else text for text in made] if column.dtype.kind == "f" and np.isnan(column).any() else made


def _cell(text: str) -> str:
    """A word, in quotes where it would be misread; nothing that a spreadsheet would execute."""
    text = str(cell_text(text))
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text
