"""Tables for people and machines, and places where files may be written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, plain
from ..files import path_of
from ..model import Model
from ..simulate.series_files import csv_line

__all__ = ["LinkedText", "Table", "csv_line", "file_name", "joint_units", "plain", "writable_file", "writable_folder"]


@dataclass(frozen=True)
class LinkedText:
    """Text that leads to a place in the same page; elsewhere it is just the text."""

    text: str
    place: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Table:
    """A titled table; cells are text or numbers, ``notes`` stand below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def cells(self) -> list[list[str]]:
        """All cells as text, numbers in a short form."""
        return [[shown(c) for c in row] for row in self.rows]

    def numeric(self) -> list[bool]:
        """Which columns hold numbers (they are set to the right)."""
        return [
            all(isinstance(r[k], (int, float, np.number)) or r[k] in ("", None) for r in self.rows)
            for k in range(len(self.columns))
        ]

    def text(self) -> str:
        """Aligned columns without lines or colours, for pipes and files."""
        cells, right = self.cells(), self.numeric()
        width = [max([len(c), *(len(row[k]) for row in cells)]) for k, c in enumerate(self.columns)]
        lines = [plain(self.title)] if self.title else []
        for row in [list(self.columns), *cells]:
            line = "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, width, right, strict=True))
            lines.append(line.rstrip())
        return "\n".join([*lines, *(plain(n) for n in self.notes)])

    def records(self) -> list[dict[str, Any]]:
        """One dict a row, for JSON."""
        return [{c: simple(v) for c, v in zip(self.columns, row, strict=True)} for row in self.rows]

    def csv(self) -> str:
        """Comma-separated values with a header."""
        return "\n".join([csv_line(self.columns), *(csv_line(map(simple, row)) for row in self.rows), ""])


def shown(value: object) -> str:
    """A cell as text without control characters; floats with five significant digits."""
    if value is None:
        return ""
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.5g}"
    return plain(str(value))


def simple(value: object) -> Any:
    """NumPy numbers and arrays as Python's own; everything else that JSON has no word for as text."""
    if isinstance(value, np.ndarray):
        return simple(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(k): simple(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [simple(v) for v in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def joint_units(model: Model, units: str) -> str:
    """The units of the robot's joints, of those for turning and sliding ("rad, m")."""
    turns, slides = units.split(", ")
    found = {turning for i in model.free for turning in model.bodies[i].joint.angular}
    return turns if found == {True} else slides if found == {False} else units


def file_name(name: str, suffix: str) -> str:
    """A file name made of a robot's name, whatever characters that has."""
    return (re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("._") or "robot")[:60] + suffix


def writable_file(path: str | os.PathLike[str]) -> Path:
    """The path, if a file may be written there; else an InputError, before any work is done."""
    target = path_of(path)
    if not target.name:
        raise InputError(f"{str(path)!r} is no file name")
    if target.is_dir():
        raise InputError(f"{plain(str(path))!r} is a folder; give the name of a file in it")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {plain(str(target.parent))!r}; make it or choose another one")
    if not target.exists() or target.is_file():  # else a device, which is written to where it is
        _probe(target.parent)
    return target


def writable_folder(path: str | os.PathLike[str]) -> Path:
    """The folder, made if need be, if files may be written there; else an InputError, before any work is done."""
    folder = path_of(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {plain(str(path))!r}: {error.strerror}; choose another one") from None
    _probe(folder)
    return folder


def _probe(folder: Path) -> None:
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".ordern-"):
            pass
    except OSError as error:
        raise InputError(f"cannot write into {plain(str(folder))!r}: {error.strerror}; choose another folder") from None
