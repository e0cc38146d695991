"""The folder of a sweep: a manifest, one file a block, and the table made of them. Whatever is there is whole.

sweep.json         the study, the robot and their hash: all that a worker needs
blocks/000017.npz  rows of one block, with a hash of them, the study and the number, written by the worker that made
them
table.csv          all rows (or table.npz, table.parquet)
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import InputError, OrdernError, need
from ..files import PART, read_bytes, write
from ..files.arrays import read_arrays
from ..report.tables import csv_line, plain, writable_folder
from ..robot import Robot
from ..scalars.primitives import Array
from .study import Study, parse, parse_toml, study_hash
from .sweep_block import MOTION, figures, swept_columns

__all__ = ["FORMATS", "Folder", "for_worker", "opened"]

FORMAT = "ordern sweep 2"  # the first had no study and number in the hashes of its blocks
LARGEST = 2**30  # bytes of sweep.json: a study and a robot
FORMATS = ("csv", "npz", "parquet")
CHANGED = "sweep.json was changed after the sweep was begun: its study does not match its hash; give another --out"


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
                    f"{plain(str(path))}: the folder holds other things ({plain(others[0])}, ...) and no sweep; give a "
                    "new or an empty one"
                )
            text = {
                "format": FORMAT,
                "ordern": __version__,
                "hash": study.hash,
                "runs": study.runs,
                "blocks": study.blocks,
            }
            write(
                made.manifest,
                json.dumps(text | {"study": study.text, "robot": study.robot_text}, indent=1),
                durable=True,
            )
        blocks = place / "blocks"
        if blocks.is_symlink() or (blocks.exists() and not blocks.is_dir()) or made.manifest.is_symlink():
            raise InputError(
                f"{plain(str(path))}: blocks or sweep.json is a link or no folder; remove it, or give another --out"
            )
        blocks.mkdir(exist_ok=True)
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
                f"{where} was begun with ordern {plain(str(known['ordern']))}, this is {__version__}; finish it there, "
                "or give another --out"
            )
        if known["hash"] == self.study.hash and (known.get("runs"), known.get("blocks")) != (
            self.study.runs,
            self.study.blocks,
        ):
            raise InputError(f"{where}: {CHANGED}")
        if known["hash"] != self.study.hash:
            there = parse(known["study"], "sweep.json", robot=_robot(known))
            raise InputError(
                f"{where} holds another study: {_difference(there, self.study)}; give another --out, or remove that "
                "folder to start again"
            )

    def file(self, block: int) -> Path:
        """Of a block."""
        return self.path / "blocks" / f"{block:06d}.npz"

    def missing(self) -> list[int]:
        """Blocks that have not been committed."""
        there = {p.name for p in (self.path / "blocks").glob("*.npz")}
        return [b for b in range(self.study.blocks) if f"{b:06d}.npz" not in there]

    def commit(self, block: int, arrays: Mapping[str, Array]) -> None:
        """Write a block's rows to disk before returning; existing ones stay."""
        out = io.BytesIO()
        content: dict[str, Any] = {"sha256": np.array(self._hash(block, arrays)), **arrays}
        np.savez(out, **content)
        write(self.file(block), out.getvalue(), durable=True, keep=True)

    def rows(self, block: int) -> dict[str, Array] | None:
        """A block's arrays; None if damaged, of another block or study, or with other columns."""
        try:
            arrays = read_arrays(self.file(block), "block of a sweep")
        except (OrdernError, OSError):
            return None
        if str(arrays.pop("sha256", "")) != self._hash(block, arrays):
            return None
        first, stop = self.study.range(block)
        table = {name: values for name, values in arrays.items() if not name.startswith(MOTION)}
        kinds = {name: (values.shape, "U" if values.dtype.kind == "U" else "f") for name, values in table.items()}
        same = kinds == {name: ((stop - first,), kind) for name, kind in self._kinds.items()}
        return arrays if same and np.array_equal(table["run"], np.arange(first, stop)) else None

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """The columns of every block's table: texts or numbers."""
        return {name: "U" if values.dtype.kind == "U" else "f" for name, values in self._blank(0).items()}

    def _hash(self, block: int, arrays: Mapping[str, Array]) -> str:
        """A hash of the rows and of what they belong to."""
        digest = hashlib.sha256(f"{FORMAT} {self.study.hash} {block}\n".encode())
        for name, values in arrays.items():
            a = np.ascontiguousarray(values)
            digest.update(f"{name} {a.dtype.str} {a.shape}\n".encode() + a.tobytes())
        return digest.hexdigest()

    def discard_damaged(self) -> list[int]:
        """Blocks whose files were damaged after they were written; they are removed, so that they are made again."""
        bad = [
            b
            for b in range(self.study.blocks)
            if self.file(b).is_symlink() or (self.file(b).exists() and self.rows(b) is None)
        ]
        for block in bad:
            if self.file(block).is_dir() and not self.file(block).is_symlink():
                raise InputError(f"{plain(str(self.file(block)))} is a folder where a block belongs; remove it")
            self.file(block).unlink(missing_ok=True)
        return bad

    def table(self, aside: Sequence[int] = ()) -> dict[str, Array]:
        """All rows by column in the order of runs; runs of blocks ``aside`` have only a status."""
        parts: list[dict[str, Array]] = []
        for block in range(self.study.blocks):
            rows = self._blank(block) if block in aside else self.rows(block) if self.file(block).exists() else None
            if rows is not None:
                parts.append({name: v for name, v in rows.items() if not name.startswith(MOTION)})
        return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]} if parts else {}

    def _blank(self, block: int) -> dict[str, Array]:
        first, stop = self.study.range(block)
        made = {"run": np.arange(first, stop)} | swept_columns(self.study, self.study.plan.values(first, stop))
        return (
            made
            | {"status": np.full(stop - first, "quarantined")}
            | {name: np.full(stop - first, np.nan) for name in figures(self.study)}
        )

    def write_table(self, columns: Mapping[str, Array], form: str) -> Path:
        """The table as one file; the same rows give the same bytes."""
        path = self.path / f"table.{form}"
        if path.is_symlink():  # whoever may write to a shared folder must not choose what else is overwritten
            path.unlink()
        if form == "csv":
            write(path, _csv(columns), durable=True)
        elif form == "npz":
            out = io.BytesIO()
            content: dict[str, Any] = dict(columns)
            np.savez(out, **content)
            write(path, out.getvalue(), durable=True)
        else:
            arrow: Any = need("pyarrow", "simulate")
            parquet: Any = need("pyarrow.parquet", "simulate")
            sink = io.BytesIO()
            parquet.write_table(
                arrow.table({k: v if v.dtype.kind != "U" else v.tolist() for k, v in columns.items()}), sink
            )
            write(path, sink.getvalue(), durable=True)
        return path

    def tidy(self) -> None:
        """Remove what killed workers left half-written."""
        for path in (self.path / "blocks").glob(f".*{PART}"):
            with contextlib.suppress(OSError):  # others may put anything there, a folder too
                path.unlink()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """One process at a time drives a folder; the lock goes with the process, however it ends."""
        try:
            import fcntl
        except ImportError:  # no such locks on this system: commits are whole all the same
            yield
            return
        try:  # never through a link: what it leads to may be somebody else's
            handle = os.open(
                self.path / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600
            )
        except OSError as error:
            raise InputError(
                f"{plain(str(self.path))}/.lock cannot be opened ({error.strerror}); remove it, or give another --out"
            ) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise InputError(
                f"{plain(str(self.path))}: another process works in this folder; wait for it, or give another --out"
            ) from None
        except OSError:  # a file system without locks
            pass
        try:
            yield
        finally:
            os.close(handle)


def _robot(manifest: Mapping[str, Any]) -> Robot:
    from ..describe.toml.toml_read import loads_toml

    return Robot(loads_toml(manifest["robot"]))


def opened(path: str) -> Folder:
    """The folder of a sweep that was begun."""
    place = Path(path)
    known = _manifest(place)
    made = Folder(place, parse(known["study"], f"{plain(path)}/sweep.json", robot=_robot(known)))
    if (known.get("runs"), known.get("blocks")) != (made.study.runs, made.study.blocks):
        raise InputError(f"{plain(path)}: {CHANGED}")
    return made


@lru_cache(maxsize=8)
def for_worker(path: str, wanted: str) -> Folder:
    """The same, as a worker sees it for all of its blocks; ``wanted`` is the hash it must have."""
    made, version = opened(path), _manifest(Path(path))["ordern"]
    if made.study.hash != wanted or version != __version__:
        raise InputError(
            f"{plain(path)}: this worker sees another study, or runs another version of ordern ({__version__}) than "
            "the one that began it"
        )
    return made


def _manifest(place: Path) -> dict[str, Any]:
    """What sweep.json says, after its hash was recomputed from the study and the robot that it holds."""
    where = plain(str(place))
    try:
        known: dict[str, Any] = json.loads(read_bytes(place / "sweep.json", LARGEST, "sweep.json"))
        if known["format"] != FORMAT:
            raise InputError(
                f"{where} holds a sweep in the format {plain(str(known['format']))[:40]!r}; finish it with the version "
                "that began it"
            )
        right = study_hash(parse_toml(known["study"], "sweep.json"), known["robot"])
        if known["hash"] != right or not isinstance(known["ordern"], str):
            raise InputError(f"{where}: {CHANGED}")
    except FileNotFoundError:
        raise InputError(
            f"{where}: there is no sweep in this folder (workers on other machines must see it under the same path)"
        ) from None
    except InputError:
        raise
    except Exception:  # of a file that may hold anything
        raise InputError(
            f"{where}: sweep.json cannot be read; give another --out, or remove that folder to start again"
        ) from None
    return known


def _difference(there: Study, here: Study) -> str:
    """Where two studies differ first."""

    def flat(value: object, place: str = "") -> dict[str, Any]:
        if isinstance(value, dict) and value:
            return {
                k: v for key, inner in value.items() for k, v in flat(inner, f"{place}.{key}" if place else key).items()
            }
        return {place: value}

    a, b = flat(dict(there.tree)), flat(dict(here.tree))
    for key in [*b, *a]:
        if key != "robot" and a.get(key) != b.get(key):
            return (
                f"{plain(key)} is {plain(str(a.get(key, 'not there')))[:60]} there and "
                f"{plain(str(b.get(key, 'not there')))[:60]} here"
            )
    return "the robot differs" if there.robot_text != here.robot_text else "its values are swept in another order"


def _csv(columns: Mapping[str, Array]) -> str:
    """Numbers with all digits; empty where a failed run has none."""
    return "\n".join([csv_line(columns), *map(",".join, zip(*map(_cells, columns.values()), strict=True)), ""])


def _cells(column: Array) -> list[str]:
    if column.dtype.kind == "U":
        quoted = {word: csv_line([word]) for word in np.unique(column).tolist()}
        return [quoted[word] for word in column.tolist()]
    made = list(map(repr, column.tolist()))
    return (
        ["" if text == "nan" else text for text in made]
        if column.dtype.kind == "f" and np.isnan(column).any()
        else made
    )
