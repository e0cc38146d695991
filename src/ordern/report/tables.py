"""Tables for people and machines, and time series in files: CSV with a header, or npz. Everything written appears whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..files import path_of, read_arrays, read_bytes, write

__all__ = ["LinkedText", "Table", "cell_text", "file_name", "plain", "read_series", "writable_file", "writable_folder", "write_series"]

Array = Any
SERIES = 2**31  # bytes of a time series
FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")  # how a cell begins that a spreadsheet takes for a formula


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
        return [all(isinstance(r[k], (int, float, np.number)) or r[k] in ("", None) for r in self.rows) for k in range(len(self.columns))]

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
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(cell_text, self.columns))
        writer.writerows([[cell_text(simple(v)) for v in row] for row in self.rows])
        return out.getvalue()


def cell_text(value: Any) -> Any:
    """A cell of a CSV file. Names come from robot files, and a spreadsheet would run '=...': an apostrophe makes it text."""
    if not isinstance(value, str) or value[:1] not in FORMULA or len(value) < 2:
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _unescaped(name: str) -> str:
    """What ``cell_text`` was given."""
    return name[1:] if name[:1] == "'" and name[1:2] in FORMULA and name[1:] else name


def shown(value: Any) -> str:
    """A cell as text without control characters; floats with five significant digits."""
    if value is None:
        return ""
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.5g}"
    return plain(str(value))


def plain(text: str) -> str:
    """Text whose control characters (terminal escapes, line breaks) are written out and do nothing."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}" for c in text)


def simple(value: Any) -> Any:
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


# --- time series ---------------------------------------------------------------------------------------------------------------
def write_series(path: str | os.PathLike[str], columns: Mapping[str, Array]) -> None:
    """Columns of equal length as CSV (.csv), or arrays as .npz."""
    target = Path(path)
    if target.suffix == ".npz":
        out = io.BytesIO()
        np.savez_compressed(out, **{k: np.asarray(v) for k, v in columns.items()})  # type: ignore[arg-type]
        write(target, out.getvalue())
    elif target.suffix == ".csv":
        write(target, series_csv(columns))
    else:
        raise InputError(f"{plain(str(path))!r}: the name must end in .csv or .npz")


def series_csv(columns: Mapping[str, Array]) -> str:
    """Columns of equal length as CSV text with all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(cell_text, columns))
    writer.writerows([[repr(float(x)) for x in row] for row in np.column_stack(list(columns.values()))])
    return out.getvalue()


def read_series(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Columns by name from .csv (a header row, then numbers) or .npz; complaints name the file and the line."""
    where = plain(str(path_of(path)))
    try:
        if Path(path).suffix == ".npz":
            return {name: _checked(where, name, values) for name, values in read_arrays(path, "time series").items()}
        text = read_bytes(path, SERIES, "time series").decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start} is no UTF-8 text; save it as CSV in UTF-8") from None
    try:
        rows = [(k, r) for k, r in enumerate(csv.reader(text.splitlines()), 1) if r and not r[0].startswith("#")]
    except csv.Error as error:
        raise InputError(f"{where}: no CSV ({plain(str(error))[:80]})") from None
    if len(rows) < 2:
        raise InputError(f"{where}: needs a header row (t, then joints) and rows of numbers")
    header = [_unescaped(c.strip()) for c in rows[0][1]]
    if len(header) == 1 and any(mark in header[0] for mark in (";", "\t")):
        raise InputError(f"{where}:{rows[0][0]}: columns must be separated by commas, with points in decimals")
    if "time" in header and "t" not in header:
        header[header.index("time")] = "t"
    if all(_is_number(c) for c in header):
        example = ",".join(["t", *(f"q{k}" for k in range(1, min(len(header), 4)))])
        raise InputError(
            f"{where}:{rows[0][0]}: there is no header row; begin with the names of the columns, such as {example}{',...' if len(header) > 4 else ''}"
        )
    if len(set(header)) != len(header):
        twice = next(c for c in header if header.count(c) > 1)
        raise InputError(f"{where}:{rows[0][0]}: column {plain(twice)!r} is there twice; every column needs a name of its own")
    return dict(zip(header, _numbers(rows[1:], len(header), where).T, strict=True))


def _checked(where: str, name: str, values: Array) -> Array:
    """An array of an .npz series: real, finite, at least one number a row."""
    if values.dtype.kind not in "fiub" or not values.ndim:
        raise InputError(f"{where}: {plain(name)[:60]!r} is {values.dtype} of shape {values.shape}; a time series holds real numbers, a row a time")
    made = np.asarray(values, float)
    if not np.isfinite(made).all():
        raise InputError(f"{where}: {plain(name)[:60]!r} has a NaN or an infinity; every number must be finite")
    return made


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(rows: Sequence[tuple[int, list[str]]], width: int, where: str) -> Array:
    made = np.empty((len(rows), width))
    for at, (line, row) in enumerate(rows):
        if len(row) != width:
            raise InputError(f"{where}:{line}: {len(row)} values, but the header has {width} columns")
        for k, cell in enumerate(row):
            try:
                made[at, k] = float(cell)
            except ValueError:
                raise InputError(f"{where}:{line}: {plain(cell)[:40]!r} is not a number") from None
    if not np.isfinite(made).all():
        at, k = np.argwhere(~np.isfinite(made))[0]
        raise InputError(f"{where}:{rows[at][0]}: {made[at, k]} in column {k + 1}; every number must be finite")
    return made
