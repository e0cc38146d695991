"""Logs as tables: text with commas, semicolons or tabs, Parquet and npz; which column is the time, which a joint's.

Known headers: plain joint names, ordern's own (``q:joint``), PlotJuggler (``__time``,
``/joint_states/joint/position``), ``rostopic echo -p`` (``%time``, ``field.name0``, ``field.position0``), flattened
messages (``header.stamp.sec``, ``name[0]``, ``position[0]``), and lines of ``ros2 topic echo --csv``, without a header.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from ..describe.other_files import looks_like, not_a_table
from ..errors import InputError, need
from ..files import PACKED, opened_file, read_bytes
from ..files.arrays import read_arrays
from ..scalars.primitives import Array
from .log_units import CLOCKS, bare_name, exact_time, is_number, named_unit, since_first
from .series_files import parquet_table, unescaped

__all__ = ["Samples", "from_columns", "from_messages", "read_table"]

LARGEST = 2**31  # bytes of a log
TIMES = ("t", "time", "__time", "timestamp", "stamp", "header.stamp", "seconds", "sec", "secs", "rosbagtimestamp")
KINDS = {
    "position": "q", "positions": "q", "pos": "q", "q": "q", "angle": "q", "velocity": "qd", "vel": "qd", "qd": "qd",
    "dq": "qd",
    "acceleration": "qdd", "qdd": "qdd", "effort": "tau", "torque": "tau", "tau": "tau", "energy": "", "power": "",
}  # fmt: skip
UNITS = {
    "deg": math.pi / 180,
    "degrees": math.pi / 180,
    "degree": math.pi / 180,
    "°": math.pi / 180,
    "rad": 1.0,
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
}
_INDEXED = re.compile(r"(?:.*[./])?(name|position|velocity|effort)s?[._]?\[?(\d{1,9})\]?$", re.I)


@dataclass
class Samples:
    """What a log holds of each joint: by (kind, joint) the times in s, the values, and the places of the rows for
    messages.

    Attributes:
        place: what rows are called, "line", "row" or "message".
        series: kind "q", "qd" or "tau" and the joint's name to (times, values, places).
        others: columns that belong to no joint, as they are called.
        notes: what was done, for people.
        warnings: what is suspicious, with its place.
    """

    place: str
    series: dict[tuple[str, str], tuple[Array, Array, Array]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass
class Columns:
    """Cells by column name, with the place of each row."""

    names: list[str]
    cells: list[Sequence[Any]]
    places: list[int]
    place: str


def read_table(path: Path, names: Sequence[str], unit: Mapping[str, float], where: str) -> Samples:
    """A log in text, Parquet or npz; ``names``: the joints looked for, ``unit``: factors where columns name none."""
    kind = path.suffix.lower()
    if kind in (".parquet", ".pq"):
        columns = _parquet(path, where)
    elif kind == ".npz":
        columns, odd = _arrays(path)
        made = from_columns(columns, names, unit, where)
        made.others += odd
        return made
    else:
        found = _text(path, where)
        if not isinstance(found, Columns):
            return from_messages(_echoed(found, where), names, unit, "line")
        columns = found
    return from_columns(columns, names, unit, where)


def _arrays(path: Path) -> tuple[Columns, list[str]]:
    """Columns that have a row for each time, and the names of arrays that have not."""
    arrays = read_arrays(path, "log")
    flat = {k: v for k, v in arrays.items() if v.ndim == 1} | {
        f"{k}{i + 1}": v[:, i] for k, v in arrays.items() if v.ndim == 2 for i in range(v.shape[1])
    }
    times = [len(v) for k, v in flat.items() if bare_name(k).lower() in TIMES]
    rows = next(iter(times or [n for n, _ in Counter(map(len, flat.values())).most_common(1)]), 0)
    fit = {k: v.tolist() for k, v in flat.items() if len(v) == rows}
    return Columns(list(fit), list(fit.values()), list(range(1, rows + 1)), "row"), sorted(flat.keys() - fit.keys())


# --- text -------------------------------------------------------------------------------------------------------------
def _text(path: Path, where: str) -> Columns | list[tuple[int, list[str]]]:
    """Columns, or rows without a header: lines of ``ros2 topic echo --csv``."""
    data = read_bytes(path, LARGEST, "log")
    if b"\0" in data[:4096]:
        other = looks_like(data, "")
        raise InputError(
            f"{where}: it is no text{other}; logs are .csv, .parquet, .npz, .mcap, .db3 or the folder of a ROS 2 bag"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        other = looks_like(data, "; save it as CSV in UTF-8")
        raise InputError(f"{where}: byte {error.start} is no UTF-8 text{other}") from None
    if kind := not_a_table(text):
        raise InputError(f"{where}: it is {kind}; a log is a table: CSV, Parquet, npz or a bag")
    lines = text.splitlines()
    head = next((k for k, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    first = "".join(lines[head : head + 1])
    mark = next((m for m in ("\t", ";", ",") if m in first), None)
    if mark is None:
        lines, mark = [" ".join(line.split()) for line in lines], " "
    try:
        rows = [
            (k + 1, [c.strip() for c in row])
            for k, row in enumerate(csv.reader(lines, delimiter=mark))
            if row and k >= head and "".join(row).strip()
        ]
    except csv.Error as error:
        raise InputError(f"{where}: no CSV ({str(error)[:80]})") from None
    if mark == ";":  # where the comma is the decimal point
        rows = [(k, [re.sub(r"^([-+]?\d*),(\d+(?:[eE][-+]?\d+)?)$", r"\1.\2", c) for c in row]) for k, row in rows]
    rows = [(k, row) for k, row in rows if row[0] != "---" and not row[0].startswith("#")]
    if not rows:
        raise InputError(f"{where}: it holds nothing; a log has a header row (t, then joints) and rows of numbers")
    header = [unescaped(c) for c in rows[0][1]]
    if (
        len(header) > 4
        and all(re.fullmatch(r"\d{1,19}", c) for c in header[:2])
        and any(c and not is_number(c) for c in header[2:])
    ):
        return rows
    if all(is_number(c) or not c for c in header):
        raise InputError(
            f"{where}:{rows[0][0]}: there is no header row; begin with the names of the columns: t, then the joints"
        )
    often = Counter(header)
    twice = next((c for c in header if c and often[c] > 1), None)
    if twice is not None:
        raise InputError(f"{where}:{rows[0][0]}: column {twice!r} is there twice; every column needs a name of its own")
    if len(rows) == 1:
        raise InputError(f"{where}: there is no row of numbers below the header")
    for k, row in rows[1:]:
        if len(row) != len(header):
            raise InputError(f"{where}:{k}: {len(row)} values, but the header has {len(header)} columns")
    return Columns(
        header,
        list(zip(*(row for _, row in rows[1:]), strict=True)) or [()] * len(header),
        [k for k, _ in rows[1:]],
        "line",
    )


def _echoed(rows: Sequence[tuple[int, list[str]]], where: str) -> Any:
    """``ros2 topic echo --csv`` messages: seconds, nanoseconds, frame, names, positions, velocities, efforts."""
    for k, row in rows:
        names = []
        for cell in row[3:]:
            if not cell or is_number(cell):
                break
            names.append(cell)
        rest, n = row[3 + len(names) :], len(names)
        if (
            not n
            or len(rest) not in (n, 2 * n, 3 * n)
            or not re.fullmatch(r"\d{1,19}", row[0])
            or not re.fullmatch(r"\d{1,19}", row[1])
        ):
            raise InputError(
                f"{where}:{k}: {len(row)} values are no JointState as ros2 topic echo --csv prints it (sec, nanosec, "
                "frame, names, positions)"
            )
        numbers = [_number(c, f"{where}:{k}") for c in rest]
        yield k, int(row[0]) * 10**9 + int(row[1]), names, numbers[:n], numbers[n : 2 * n], numbers[2 * n :]


def _number(cell: Any, place: str) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise InputError(f"{place}: {str(cell)[:40]!r} is not a number") from None


def _parquet(path: Path, where: str) -> Columns:
    parquet: Any = need("pyarrow.parquet", "simulate")
    try:
        with opened_file(path, PACKED, "log") as whole, parquet.ParquetFile(whole) as file:
            table = parquet_table(file, path, where)
        return Columns(list(table.column_names), _cells(table), list(range(1, table.num_rows + 1)), "row")
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file") from None
    except Exception as error:  # pyarrow has many complaints about bytes that changed
        raise InputError(f"{where}: it holds no Parquet table, or a damaged one ({type(error).__name__})") from None


def _cells(table: Any) -> list[Sequence[Any]]:
    """The columns of a Parquet table; times with all their digits."""
    made = []
    for column in table.columns:
        found = re.match(r"timestamp\[(\w+)", str(column.type))
        whole = column.cast("int64").to_pylist() if found else column.to_pylist()
        made.append([None if c is None else Decimal(c) / CLOCKS[found[1]] for c in whole] if found else whole)
    return made


def _times(columns: Columns, where: str) -> tuple[Array, set[str]]:
    """Seconds since the first row, and the columns that were used."""
    plain: dict[str, tuple[str, str]] = {}
    for name in columns.names:
        stem, unit = named_unit(name)
        key = bare_name(stem if unit in CLOCKS else name).lower()
        plain.setdefault(key, (name, unit if unit in CLOCKS else ""))
    parts = {}
    for key, (name, _) in plain.items():
        if found := re.search(r"(?:^|\.)(?:stamp[._])?(secs?|nsecs?|nanosecs?)$", key):
            parts["ns" if found[1].startswith("n") else "s"] = name
    cell = dict(zip(columns.names, columns.cells, strict=True))
    if len(parts) == 2:
        pairs = zip(cell[parts["s"]], cell[parts["ns"]], columns.places, strict=True)
        exact = [exact_time(s, where, k) + exact_time(ns, where, k) / 10**9 for s, ns, k in pairs]
        return since_first(exact, "s"), set(parts.values())
    wanted = next((plain[t] for t in TIMES if t in plain), None) or next(
        (v for k, v in plain.items() if k.endswith((".stamp", ".time", ".timestamp"))), None
    )
    if wanted is None:
        raise InputError(
            f"{where}: no column holds the time; call it t (s) or time, or stamp; there are "
            f"{', '.join(columns.names[:12])}"
        )
    exact = [exact_time(c, where, k) for c, k in zip(cell[wanted[0]], columns.places, strict=True)]
    return since_first(exact, wanted[1]), {wanted[0]}


def _owner(name: str, joints: Sequence[str], first: int = 1) -> tuple[str, str, str] | None:
    """(kind, joint, unit) of a column, None if it is of no joint; joints count from ``first``."""
    known = {j: j for j in joints}
    for text, unit in ((name, ""), named_unit(name)):
        text = text.strip().strip("'\"")
        if text in known:
            return "q", text, unit
        for mark in (":", " ", ".", "/", "_"):
            for lead, tail in (
                (text.partition(mark)[0], text.partition(mark)[2]),
                (text.rpartition(mark)[2], text.rpartition(mark)[0]),
            ):
                tail = tail.rpartition("/")[2] if "/" in tail and tail not in known else tail
                tail = tail if tail in known else tail.rpartition(".")[2]
                if lead.lower() in KINDS and tail in known:
                    return KINDS[lead.lower()], tail, unit
        found = re.fullmatch(r"(?:.*[./])?(position|velocity|effort)s?[.\[(/](.+?)[\])]?", text)
        if found and found[2] in known:
            return KINDS[found[1]], found[2], unit
        last = re.split(r"[/]", text)[-1]
        if last in known:
            return "q", last, unit
        found = re.fullmatch(r"(q|qd|qdd|dq|tau)_?(\d{1,9})", text)
        if found and 0 <= int(found[2]) - first < len(joints):
            return KINDS[found[1]], joints[int(found[2]) - first], unit
    return None


def from_columns(columns: Columns, names: Sequence[str], unit: Mapping[str, float], where: str) -> Samples:
    """Series of joints out of columns, whatever the header is."""
    t, used = _times(columns, where)
    indexed: dict[str, dict[int, Sequence[Any]]] = {}
    made = Samples(columns.place)
    first = 0 if "q0" in columns.names and f"q{len(names)}" not in columns.names else 1
    for name, cells in zip(columns.names, columns.cells, strict=True):
        if name in used:
            continue
        owner, found = _owner(name, names, first), _INDEXED.match(bare_name(name))
        if owner is not None:
            kind, joint, own = owner
            if (kind, joint) in made.series:
                raise InputError(
                    f"{where}: two columns hold {kind} of joint {joint!r}, the second "
                    f"is {name!r}; leave one of them out"
                )
            factor = UNITS.get(own, unit.get(joint, 1.0)) if kind in ("q", "qd") else 1.0
            if own in ("deg", "degrees", "degree", "°", "mm", "cm") and kind == "q":
                made.notes.append(f"{name!r} is in {own}")
            if kind:
                made.series[kind, joint] = _numbers(cells, t, columns, factor, f"{where}:", name, made)
        elif found is not None:
            indexed.setdefault(found[1].lower(), {})[int(found[2])] = cells
        else:
            made.others.append(name)
    if indexed and not made.series:
        if "name" not in indexed:
            raise InputError(
                f"{where}: positions are numbered, and no column has the joints' names; add name[0], name[1], ... or "
                "name the columns by joint"
            )
        order = sorted(indexed["name"])
        rows = [
            [indexed[kind][k] for k in order if k in indexed[kind]]
            for kind in ("name", "position", "velocity", "effort")
            if kind in indexed
        ]
        kinds = [kind for kind in ("name", "position", "velocity", "effort") if kind in indexed]
        return from_messages(_rows(kinds, rows, t, columns, where), names, unit, columns.place)
    return made


def _rows(kinds: Sequence[str], rows: list[list[Sequence[Any]]], t: Array, columns: Columns, where: str) -> Any:
    for k, place in enumerate(columns.places):
        row = {kind: [cells[k] for cells in part] for kind, part in zip(kinds, rows, strict=True)}
        numbers = [
            [_number(c, f"{where}:{place}") for c in row.get(kind, ()) if c not in ("", None)]
            for kind in ("position", "velocity", "effort")
        ]
        yield place, t[k], [str(n) for n in row["name"]], *numbers


def _numbers(
    cells: Sequence[Any], t: Array, columns: Columns, factor: float, where: str, name: str, made: Samples
) -> tuple[Array, Array, Array]:
    """Times, values and places of the rows with a number; empty cells belong to other topics, NaN is warned about."""
    values, keep, bad = np.empty(len(cells)), np.ones(len(cells), bool), []
    for k, cell in enumerate(cells):
        if cell is None or cell == "":
            keep[k] = False
            continue
        values[k] = _number(cell, f"{where}{columns.places[k]}")
        if math.isnan(values[k]):
            keep[k] = False
            bad.append(columns.places[k])
        elif math.isinf(values[k]):
            raise InputError(f"{where}{columns.places[k]}: {name!r} is infinite; every number must be finite")
    if bad:
        made.warnings.append(
            f"{len(bad)} NaN in column {name!r}, the first at {columns.place} {bad[0]}; such rows are left out"
        )
    return t[keep], values[keep] * factor, np.array(columns.places)[keep]


def from_messages(messages: Any, names: Sequence[str], unit: Mapping[str, float], place: str) -> Samples:
    """Series from JointState messages (place, time, names, positions, velocities, efforts), joints in any order."""
    made, known, others, first = Samples(place), set(names), dict[str, None](), None
    gathered: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    missing: list[int] = []
    for at, time, joints, *parts in messages:
        first = time if first is None else first
        stamp = (time - first) / 1e9 if isinstance(time, int) else float(time)
        for kind, values in zip(("q", "qd", "tau"), parts, strict=True):
            for joint, value in zip(joints, values, strict=False):
                if joint not in known:
                    others[joint] = None
                elif math.isfinite(value):
                    gathered.setdefault((kind, joint), []).append(
                        (stamp, float(value) * (unit.get(joint, 1.0) if kind != "tau" else 1.0), at)
                    )
                elif kind == "q":
                    missing.append(at)
    made.series = {key: tuple(np.array(column) for column in zip(*rows, strict=True)) for key, rows in gathered.items()}  # type: ignore[misc]
    made.others = list(others)
    if missing:
        made.warnings.append(f"{len(missing)} positions are NaN, the first at {place} {missing[0]}; they are left out")
    return made
