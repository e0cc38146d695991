"""Time series in files: CSV with a header, or npz. Everything written appears whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..describe.other_files import looks_like, not_a_table
from ..errors import InputError, plain
from ..files import expansion, path_of, read_bytes, write
from ..files.arrays import read_arrays
from ..files.missing import not_there
from ..scalars.primitives import Array
from .log_units import is_number

__all__ = ["cell_text", "csv_line", "parquet_table", "read_series", "series_csv", "unescaped", "write_series"]

SERIES = 2**31  # bytes of a time series
# Where a spreadsheet would begin a formula: at the start of a cell, and behind what it may take for the end of a cell
# (a semicolon in half of the world, a tab) or of a row. Blanks and quotes before the sign do not help.
_SIGN = "(?=[\\s'\"]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20])"
FORMULA = re.compile(f"(^|[;,\\t\\r\\n]){_SIGN}")
ESCAPED = re.compile(f"(^|[;,\\t\\r\\n])'{_SIGN}")
QUOTED = frozenset(',;"\t\r\n')  # what a cell in quotes may hold


def cell_text(value: object) -> Any:
    """A cell of a CSV file; an apostrophe keeps spreadsheets from running a name such as '=...'."""
    if not isinstance(value, str) or len(value) < 2 or (is_number(value) and not QUOTED.intersection(value)):
        return value
    return FORMULA.sub(r"\1'", value)


def csv_line(cells: Iterable[object]) -> str:
    """A CSV row without its end, safe in spreadsheets; also quotes carriage returns, which csv does not."""
    words = ("" if cell is None else str(cell_text(cell)) for cell in cells)
    return ",".join('"' + w.replace('"', '""') + '"' if QUOTED.intersection(w) else w for w in words)


def unescaped(cell: str) -> str:
    """What ``cell_text`` was given."""
    return ESCAPED.sub(r"\1", cell)


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
    rows = np.column_stack(list(columns.values())).tolist()
    return "\n".join([csv_line(columns), *(",".join(map(repr, map(float, row))) for row in rows), ""])


def read_series(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Columns by name from .csv (a header row, then numbers) or .npz; complaints name the file and the line."""
    where = plain(str(path_of(path)))
    try:
        if Path(path).suffix == ".npz":
            return {name: _checked(where, name, values) for name, values in read_arrays(path, "time series").items()}
        data = read_bytes(path, SERIES, "time series")
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{where}: {not_there(path, endings=('.csv', '.npz'))}") from None
    except UnicodeDecodeError as error:
        other = looks_like(data, "; save it as CSV in UTF-8")
        raise InputError(f"{where}: byte {error.start} is no UTF-8 text{other}") from None
    if kind := not_a_table(text):
        raise InputError(f"{where}: it is {kind}; a time series is CSV or npz: t, then joints")
    try:
        lines = csv.reader(io.StringIO(text, newline=""))
        rows = [(lines.line_num, r) for r in lines if r and not r[0].startswith("#")]
    except csv.Error as error:
        raise InputError(f"{where}: no CSV ({plain(str(error))[:80]})") from None
    if len(rows) < 2:
        raise InputError(f"{where}: needs a header row (t, then joints) and rows of numbers")
    header = [unescaped(c).strip() for c in rows[0][1]]
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


def parquet_table(file: Any, path: Path, where: str) -> Any:
    """The table of an open ParquetFile; refused if it would unpack to more than a file of its size may."""
    rows = file.metadata
    size = max(
        8 * rows.num_rows * rows.num_columns, sum(rows.row_group(k).total_byte_size for k in range(rows.num_row_groups))
    )
    packed = path.stat().st_size
    if size > expansion(packed):
        raise InputError(f"{where}: it would take {size} bytes of memory; that is too much for a file of {packed}")
    return file.read()


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
