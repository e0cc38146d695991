"""Time series in files: CSV with a header, or npz. Everything written appears whole or not at all."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..describe.other_files import looks_like, not_a_table
from ..errors import InputError, plain
from ..files import path_of, read_bytes, write
from ..files.arrays import read_arrays
from ..scalars.primitives import Array
from .log_units import is_number

__all__ = ["cell_text", "read_series", "series_csv", "write_series"]

SERIES = 2**31  # bytes of a time series
FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")  # how a cell begins that a spreadsheet takes for a formula


def cell_text(value: object) -> Any:
    """A cell of a CSV file. Names come from robot files, and a spreadsheet would run '=...': an apostrophe makes it
    text.
    """
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
        data = read_bytes(path, SERIES, "time series")
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file") from None
    except UnicodeDecodeError as error:
        other = looks_like(data, "; save it as CSV in UTF-8")
        raise InputError(f"{where}: byte {error.start} is no UTF-8 text{other}") from None
    if kind := not_a_table(text):
        raise InputError(f"{where}: it is {kind}; a time series is CSV or npz: t, then joints")
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
    if all(is_number(c) for c in header):
        example = ",".join(["t", *(f"q{k}" for k in range(1, min(len(header), 4)))])
        raise InputError(
            f"{where}:{rows[0][0]}: there is no header row; begin with the names of the columns, such as "
            f"{example}{',...' if len(header) > 4 else ''}"
        )
    if len(set(header)) != len(header):
        often = Counter(header)
        twice = next(c for c in header if often[c] > 1)
        raise InputError(
            f"{where}:{rows[0][0]}: column {plain(twice)!r} is there twice; every column needs a name of its own"
        )
    return dict(zip(header, _numbers(rows[1:], len(header), where).T, strict=True))


def _checked(where: str, name: str, values: Array) -> Array:
    """An array of an .npz series: real, finite, at least one number a row."""
    if values.dtype.kind not in "fiub" or not values.ndim:
        raise InputError(
            f"{where}: {plain(name)[:60]!r} is {values.dtype} of shape {values.shape}; a time series holds real "
            "numbers, a row a time"
        )
    made = np.asarray(values, float)
    if not np.isfinite(made).all():
        raise InputError(f"{where}: {plain(name)[:60]!r} has a NaN or an infinity; every number must be finite")
    return made


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
