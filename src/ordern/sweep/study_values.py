"""What a study sweeps: axes of a grid and random draws, and the values of any range of runs.

Run r is draw ``r % samples`` at point ``r // samples`` of the grid, whose last axis changes fastest. Draws come from
generators seeded with the study's seed, the name of the value and the number of a chunk of runs: they depend neither on
what else is swept nor on how runs are divided among workers, and without a grid more samples leave the first ones as
they were.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import near
from ..scalars.primitives import Array
from .study_rules import KINDS, Kind, Names, Place, Reader, bounds, kind_of, shown

__all__ = ["Axis", "Plan", "read_plan"]

CHUNK = 1024  # runs drawn by one generator
MOST = 10**9
GRID, RANDOM = ("list", "linspace", "logspace"), ("uniform", "normal", "loguniform")


@dataclass(frozen=True)
class Axis:
    """One swept value.

    Attributes:
        place: where it stands in the study.
        kind: what it is.
        whole: the place of the vector that it belongs to, or its own.
        part: which number of that vector; None for all.
        values: of a grid axis; empty for a random one.
        draw: distribution and its two numbers; None for a grid axis.
        clip: bounds of draws.
        each: how many numbers a run draws; 0 for one that stands for all.
        group: which table of the file it is in.
    """

    place: Place
    kind: Kind
    whole: Place
    part: int | None
    values: tuple[Any, ...] = ()
    draw: tuple[str, float, float] | None = None
    clip: tuple[float, float] | None = None
    each: int = 0
    group: int = 0

    @property
    def name(self) -> str:
        """As the file has it."""
        return ".".join(self.place)

    def drawn(self, seed: int, runs: Array) -> Array:
        """Random numbers of consecutive runs."""
        assert self.draw is not None
        law, a, b = self.draw
        width = (self.each,) if self.each else ()
        made = []
        for chunk in range(int(runs[0]) // CHUNK, int(runs[-1]) // CHUNK + 1):
            rng = np.random.default_rng([seed, zlib.crc32(self.name.encode()), chunk])
            x = rng.normal(a, b, (CHUNK, *width)) if law == "normal" else rng.random((CHUNK, *width))
            made.append(
                x
                if law == "normal"
                else a + (b - a) * x
                if law == "uniform"
                else np.exp(math.log(a) + (math.log(b) - math.log(a)) * x)
            )
        all_of_them = np.concatenate(made)[int(runs[0]) % CHUNK :][: len(runs)]
        return all_of_them if self.clip is None else np.clip(all_of_them, *self.clip)


@dataclass(frozen=True)
class Plan:
    """All axes, and how they combine."""

    axes: tuple[Axis, ...]
    zipped: tuple[bool, ...]  # by group
    samples: int
    seed: int

    def lengths(self) -> list[int]:
        """How many points each dimension of the grid has: one a group that is zipped, one an axis elsewhere."""
        return [length for _, length in self._dimensions()]

    def _dimensions(self) -> list[tuple[list[Axis], int]]:
        made: list[tuple[list[Axis], int]] = []
        for g, together in enumerate(self.zipped):
            grid = [a for a in self.axes if a.group == g and a.draw is None]
            if together and grid:
                made.append((grid, len(grid[0].values)))
            else:
                made += [([a], len(a.values)) for a in grid]
        return made

    @property
    def runs(self) -> int:
        """The number of runs."""
        return math.prod(self.lengths()) * self.samples

    def values(self, first: int, stop: int) -> dict[Place, Array]:
        """Values of runs first to stop: numbers (B,), vectors (B, n), words and flags as objects (B,)."""
        runs = np.arange(first, stop)
        point = runs // self.samples
        made: dict[Place, Array] = {}
        for axes, length in reversed(self._dimensions()):
            at, point = point % length, point // length
            for axis in axes:
                made[axis.place] = _array(axis)[at]
        for axis in self.axes:
            if axis.draw is not None:
                made[axis.place] = axis.drawn(self.seed, runs)
        return {axis.place: made[axis.place] for axis in self.axes}


def _array(axis: Axis) -> Array:
    if axis.kind.what == "number" or axis.part is not None:
        return np.array(axis.values, float)
    if axis.kind.what == "vector":  # a number stands for all parts, unless every value is one: then one column serves
        wide = max((len(v) for v in axis.values if isinstance(v, (list, tuple))), default=0)
        return np.array([np.broadcast_to(v, (wide,)) for v in axis.values] if wide else axis.values, float)
    made = np.empty(len(axis.values), object)
    made[:] = axis.values
    return made


# --- reading ----------------------------------------------------------------------------------------------------------
def read_plan(reader: Reader, tree: Mapping[str, Any], names: Names) -> Plan:
    """The plan of a study, checked."""
    found = tree.get("sweep")
    tables = found if isinstance(found, list) else [found]
    if not tables or not all(isinstance(t, dict) and t for t in tables):
        raise reader.fail(
            ("sweep",),
            "nothing is swept; add a table [sweep] with lines such as payload.mass = { uniform = [0.0, 5.0] }",
        )
    axes: list[Axis] = []
    zipped = []
    for g, table in enumerate(tables):
        how = table.get("combine", "product")
        if how not in ("product", "zip"):
            raise reader.fail(
                ("sweep", "combine"),
                f'{shown(how)} must be "product" (every value with every other) or "zip" (side by side)',
            )
        zipped.append(how == "zip")
        axes += [_axis(reader, place, entry, names, g) for place, entry in _entries(reader, table)]
        _side_by_side(reader, [a for a in axes if a.group == g and a.draw is None] if zipped[-1] else [])
    _no_overlap(reader, axes)
    random = [a for a in axes if a.draw is not None]
    if random and "samples" not in tree:
        raise reader.fail(
            ("sweep", *random[0].place),
            "it is random; write samples = 1000 (draws at each point of the grid) at the top",
        )
    samples = reader.whole(tree.get("samples", 1), ("samples",), 1, MOST)
    if samples > 1 and not random:
        raise reader.fail(("samples",), f"{samples}, but nothing is random: all of them would be the same; remove it")
    plan = Plan(tuple(axes), tuple(zipped), samples, reader.whole(tree.get("seed", 0), ("seed",), 0, 2**63 - 1))
    if plan.runs > MOST:
        raise reader.fail(
            ("sweep",), f"{plan.runs} runs; a study may have {MOST} at most: make grids coarser or samples fewer"
        )
    return plan


def _entries(reader: Reader, table: Mapping[str, Any]) -> list[tuple[Place, Any]]:
    """Swept places with what stands there; keys may be dotted, nested or quoted."""
    made: list[tuple[Place, Any]] = []

    def walk(place: Place, entry: object) -> None:
        if isinstance(entry, dict) and entry and not set(entry) & {*GRID, *RANDOM} and kind_of(place) is None:
            for key, inner in entry.items():
                walk((*place, key), inner)
        elif (
            isinstance(entry, dict)
            and entry
            and not set(entry) & {*GRID, *RANDOM, "clip", "each"}
            and KINDS.get(place, Kind()).what == "vector"
        ):
            for key, inner in entry.items():  # parts of a vector, by name
                walk((*place, key), inner)
        else:
            made.append((place, entry))

    for key, entry in table.items():
        if key != "combine":
            walk(tuple(key.split(".")) if "." in key else (key,), entry)
    return made


def _axis(reader: Reader, place: Place, entry: object, names: Names, group: int) -> Axis:
    where = ("sweep", *place)
    found = kind_of(place)
    if found is None:
        every = [".".join(p) for p in KINDS]
        text = ".".join(place)
        hint = near(text, every) or "; swept can be " + ", ".join(every)
        law = "; make one study for each law" if place == ("controller", "law") else hint
        raise reader.fail(where, f"this cannot be swept{law}")
    kind, whole, part = found
    at = None if part is None else reader.part(where[:-1], part, kind, names)
    entry = {"list": entry} if isinstance(entry, list) else entry
    if not isinstance(entry, dict):
        raise reader.fail(where, f"{shown(entry)} is one value; write a list [...], or {{ uniform = [low, high] }}")
    reader.known(entry, (*GRID, *RANDOM, "clip", "each"), where)
    hows = [k for k in (*GRID, *RANDOM) if k in entry]
    if len(hows) != 1:
        raise reader.fail(
            where, f"needs exactly one of {', '.join((*GRID, *RANDOM))}; it has {', '.join(hows) or 'none'}"
        )
    how = hows[0]
    if how in RANDOM:
        return _random(reader, where, entry, how, Axis(place, kind, whole, at, group=group), names)
    for key in ("clip", "each"):
        if key in entry:
            raise reader.fail((*where, key), f"{key} goes with {', '.join(RANDOM)} only; remove it")
    one = Kind("number", kind.low, kind.strict, high=kind.high) if at is not None else kind
    values = (
        _list(reader, where, entry[how], one, names) if how == "list" else _spaced(reader, where, entry[how], how, one)
    )
    return Axis(place, kind, whole, at, tuple(values), group=group)


def _list(reader: Reader, where: Place, values: object, kind: Kind, names: Names) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise reader.fail(where, f"{shown(values)} must be a list with at least one value")
    return [reader.value(v, where, kind, names) for v in values]


def _numeric(reader: Reader, where: Place, kind: Kind, how: str) -> None:
    if kind.what not in ("number", "vector"):
        raise reader.fail(where, f"{how} is for numbers; give a list")
    if kind.names in ("xyz", "inertia") and kind.what == "vector":
        raise reader.fail(
            where,
            f"{how} gives one number; name a part ({where[-1]}.{'x' if kind.names == 'xyz' else 'xx'}) or give a list "
            "of vectors",
        )


def _spaced(reader: Reader, where: Place, given: object, how: str, kind: Kind) -> list[float]:
    _numeric(reader, where, kind, how)
    if not isinstance(given, list) or len(given) != 3:
        raise reader.fail(where, f"{how} is {shown(given)}; it must be [first, last, how many]")
    count = reader.whole(given[2], where, 1, 10**7)
    low = Kind("number", 0.0, True) if how == "logspace" else Kind()
    a, b = (reader.number(reader.number(x, where, low), where, kind) for x in given[:2])
    made: list[float] = (np.geomspace(a, b, count) if how == "logspace" else np.linspace(a, b, count)).tolist()
    return made


def _random(reader: Reader, where: Place, entry: Mapping[str, Any], how: str, axis: Axis, names: Names) -> Axis:
    kind = axis.kind
    if kind.what == "vector" and kind.names == "xyz" and not kind.per_run:
        raise reader.fail(where, "every value compiles its own machine code, so it cannot be random; give a list")
    each = entry.get("each", False)
    if not isinstance(each, bool) or (each and (kind.what != "vector" or axis.part is not None)):
        raise reader.fail(
            where, f"each is {shown(each)}; give true or false, and only with whole vectors such as start.q"
        )
    if axis.part is None and not each:
        _numeric(reader, where, kind, how)
    given = entry[how]
    if not isinstance(given, list) or len(given) != 2:
        raise reader.fail(
            where, f"{how} is {shown(given)}; it must be [{'mean, deviation' if how == 'normal' else 'low, high'}]"
        )
    a, b = (reader.number(x, where, Kind("number", 0.0, True) if how == "loguniform" else Kind()) for x in given)
    if how == "normal" and b < 0:
        raise reader.fail(where, f"the deviation is {b:g}; it must not be negative")
    if how != "normal" and not a < b:
        raise reader.fail(where, f"{how} is [{a:g}, {b:g}]; the first must be below the second: swap them")
    clip = _clip(reader, where, entry.get("clip"))
    low, high = clip if clip is not None else (a, b) if how != "normal" else (-np.inf, np.inf) if b else (a, a)
    complaint = bounds(low, kind) or bounds(high, kind)
    if complaint:
        remedy = (
            "choose other bounds"
            if how != "normal" or clip
            else f"normal draws are unbounded: add clip = [{max(kind.low, a / 10):g}, {2 * a:g}]"
        )
        raise reader.fail(where, f"values may reach {low if bounds(low, kind) else high:g}; they {complaint}; {remedy}")
    return Axis(
        axis.place,
        kind,
        axis.whole,
        axis.part,
        (),
        (how, a, b),
        clip,
        len(names.parts[kind.names]) if each else 0,
        axis.group,
    )


def _clip(reader: Reader, where: Place, given: object) -> tuple[float, float] | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != 2:
        raise reader.fail((*where, "clip"), f"{shown(given)} must be [low, high]")
    low, high = (reader.number(x, (*where, "clip"), Kind()) for x in given)
    if low > high:
        raise reader.fail((*where, "clip"), f"[{low:g}, {high:g}]: the first must not be above the second; swap them")
    return low, high


def _side_by_side(reader: Reader, axes: list[Axis]) -> None:
    for axis in axes[1:]:
        if len(axis.values) != len(axes[0].values):
            raise reader.fail(
                ("sweep", *axis.place),
                f'{len(axis.values)} values, but {axes[0].name} has {len(axes[0].values)}; with combine = "zip" all '
                "need the same number",
            )


def _no_overlap(reader: Reader, axes: list[Axis]) -> None:
    """No number is set by two axes."""
    for k, axis in enumerate(axes):
        for other in axes[:k]:
            if axis.whole == other.whole and (axis.part is None or other.part is None or axis.part == other.part):
                raise reader.fail(("sweep", *axis.place), f"{other.name} sets the same number; keep one of them")
