"""Keys and values allowed in a study; errors name file, line, key, value, rule and remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, near
from ..report.tables import plain
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from ..simulate.simulate import METHODS
from ..simulate.trajectory import PROFILES

if TYPE_CHECKING:
    from ..robot import Robot

__all__ = ["KINDS", "LAWS", "TOP", "Kind", "Names", "Reader", "kind_of"]

Place = tuple[str, ...]

TOP = (
    "robot", "base", "gravity", "locked", "samples", "seed", "block", "start", "simulation", "controller", "payload",
    "masses", "damping", "friction",
    "keep", "sweep",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """What a value is.

    Attributes:
        what: "number", "vector" (one number for all, a list, or a table by name), "choice", "flag" or "link".
        low: the least allowed number.
        strict: whether it must lie above that.
        names: what the parts of a vector are called: "q", "v", "body", "xyz" or "inertia".
        choices: the allowed words.
        per_run: whether runs that differ in it still go side by side; otherwise every value is a call of its own.
        high: the largest allowed number.
    """

    what: str = "number"
    low: float = -np.inf
    strict: bool = False
    names: str = ""
    choices: tuple[Any, ...] = ()
    per_run: bool = False
    high: float = np.inf


def _positive(per_run: bool = False) -> Kind:
    return Kind("number", 0.0, True, per_run=per_run)


def _vector(names: str, low: float = -np.inf, strict: bool = False, per_run: bool = True) -> Kind:
    return Kind("vector", low, strict, names, per_run=per_run)


FLAG = Kind("flag")
KINDS: dict[Place, Kind] = {
    ("gravity",): _vector("xyz", per_run=False),
    ("start", "q"): _vector("q"),
    ("start", "qd"): _vector("v"),
    ("simulation", "duration"): _positive(),
    ("simulation", "method"): Kind("choice", choices=tuple(m for m in METHODS if m != "baoab")),
    ("simulation", "rtol"): Kind("number", 1e-15, high=1.0),
    ("simulation", "atol"): Kind("number", 0.0),
    ("simulation", "dt"): _positive(),
    ("simulation", "output_dt"): _positive(),
    ("simulation", "friction"): FLAG,
    ("simulation", "friction_speed"): _positive(),
    ("simulation", "limits"): FLAG,
    ("simulation", "saturate"): FLAG,
    ("simulation", "max_steps"): Kind("number", 1.0, high=1e15),
    ("simulation", "max_seconds"): _positive(),
    ("controller", "target"): _vector("q"),
    ("controller", "kp"): _vector("v", 0.0),
    ("controller", "kd"): _vector("v", 0.0),
    ("controller", "damping"): _vector("v", 0.0),
    ("controller", "tau"): _vector("v"),
    ("controller", "gravity"): Kind("choice", choices=("none", "nominal", "actual")),
    ("controller", "path", "profile"): Kind("choice", choices=tuple(p for p in PROFILES if p != "constant")),
    ("controller", "path", "from"): _vector("q", per_run=False),
    ("controller", "path", "to"): _vector("q", per_run=False),
    ("controller", "path", "duration"): _positive(),
    ("payload", "link"): Kind("link"),
    ("payload", "mass"): Kind("number", 0.0, per_run=True),
    ("payload", "com"): _vector("xyz"),
    ("payload", "inertia"): _vector("inertia"),
    ("masses",): _vector("body", 0.0, True),
    ("damping",): _vector("v", 0.0),
    ("friction",): _vector("v", 0.0),
}
# law: (keys it needs, keys it may have)
LAWS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pd": (("kp", "kd"), ("target", "path", "gravity")),
    "computed-torque": (("kp", "kd"), ("target", "path")),
    "gravity-compensation": ((), ("damping",)),
    "constant": (("tau",), ()),
}


def kind_of(place: Place) -> tuple[Kind, Place, str | None] | None:
    """A value's kind, its vector's place and the component; None if there is no such thing."""
    if place in KINDS:
        return KINDS[place], place, None
    whole = KINDS.get(place[:-1])
    return (whole, place[:-1], place[-1]) if whole is not None and whole.what == "vector" else None


class Names:
    """Names of the parts of vectors, for one robot."""

    def __init__(self, robot: Robot) -> None:
        model = robot.model
        self.parts: dict[str, list[str]] = {
            "q": coordinate_names(model, "q"),
            "v": coordinate_names(model, "v"),
            "xyz": ["x", "y", "z"],
            "inertia": ["xx", "yy", "zz", "xy", "xz", "yz"],
            "body": [
                next((k.name for k in model.links if k.body == b), model.bodies[b].name)
                for b in range(1, len(model.bodies))
            ],
        }
        self.links: dict[str, int] = {link.name: link.body for link in model.links}

    def index(self, names: str, part: str) -> int | None:
        """Which number of the vector a name means; masses go by any link of the rigid group that they belong to."""
        if names == "body" and self.links.get(part, 0):
            return self.links[part] - 1
        return self.parts[names].index(part) if part in self.parts[names] else None

    def known(self, names: str) -> list[str]:
        """All names that the parts go by."""
        return [name for name, body in self.links.items() if body] if names == "body" else self.parts[names]


class Reader:
    """Checks values; knows where in the file they stand."""

    def __init__(self, text: str, file: str) -> None:
        self.file, self.lines = plain(file), _lines(text)

    def fail(self, place: Iterable[str], message: str) -> InputError:
        """An error at a place: the line of the key, or of the nearest thing around it."""
        keys = tuple(place)
        at = next((self.lines[keys[:k]] for k in range(len(keys), 0, -1) if keys[:k] in self.lines), None)
        line = f":{at}" if at is not None else ""
        return InputError(f"{self.file}{line}: {plain('.'.join(keys)) + ': ' if keys else ''}{message}")

    def known(self, table: Mapping[str, Any], keys: Iterable[str], place: Place) -> None:
        """No key but these."""
        keys = list(keys)
        for key in table:
            if key not in keys:
                raise self.fail((*place, key), f"there is no such key{near(key, keys, listed=True)}")

    def table(self, value: Any, place: Place) -> dict[str, Any]:
        """A table."""
        if not isinstance(value, dict):
            raise self.fail(place, f"{shown(value)} is no table; write [{'.'.join(place)}] above its keys")
        return value

    def whole(self, value: object, place: Place, low: int, high: int) -> int:
        """A whole number."""
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.fail(place, f"{shown(value)} must be a whole number from {low} to {high}")
        return value

    def number(self, value: object, place: Place, kind: Kind) -> float:
        """A finite number within the bounds of its kind."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.fail(place, f"{shown(value)} must be a number")
        try:
            x = float(value)
        except OverflowError:
            raise self.fail(place, f"{shown(value)} is too large") from None
        if not np.isfinite(x):
            raise self.fail(place, f"{x} must be finite; write a number")
        complaint = bounds(x, kind)
        if complaint:
            raise self.fail(place, f"{x:g} {complaint}")
        return x

    def value(self, value: object, place: Place, kind: Kind, names: Names) -> Any:
        """A value of the kind: a number, a word, a flag, or a number or list for a vector."""
        if kind.what == "flag":
            if not isinstance(value, bool):
                raise self.fail(place, f"{shown(value)} must be true or false")
            return value
        if kind.what == "choice":
            if value is False and "none" in kind.choices:
                return "none"
            lower = {str(c).lower(): c for c in kind.choices}
            if not isinstance(value, str) or value.lower() not in lower:
                raise self.fail(place, f"{shown(value)} is not possible{near(value, kind.choices, listed=True)}")
            return lower[value.lower()]
        if kind.what == "link":
            if not isinstance(value, str) or value not in names.links:
                raise self.fail(place, f"the robot has no link {shown(value)}{near(value, names.links, listed=True)}")
            return value
        if kind.what == "vector" and isinstance(value, list):
            parts = names.parts[kind.names]
            if len(value) != len(parts):
                raise self.fail(
                    place,
                    f"{len(value)} numbers; it needs {len(parts)} "
                    f"({', '.join(parts[:8])}{', ...' if len(parts) > 8 else ''})",
                )
            return [self.number(x, place, kind) for x in value]
        if kind.what == "vector" and kind.names in ("xyz", "inertia"):
            raise self.fail(place, f"{shown(value)} must be a list of {len(names.parts[kind.names])} numbers")
        return self.number(value, place, kind)

    def vector(self, value: object, place: Place, kind: Kind, names: Names, default: Array | None) -> Array:
        """All numbers of a vector: from one number, a list, or a table by name that leaves the rest at its default."""
        parts = names.parts[kind.names]
        if not isinstance(value, dict):
            return np.array(np.broadcast_to(np.array(self.value(value, place, kind, names), float), (len(parts),)))
        made = np.full(len(parts), np.nan) if default is None else np.array(default, float)
        for key, x in value.items():
            made[self.part(place, key, kind, names)] = self.number(x, (*place, key), kind)
        missing = np.flatnonzero(np.isnan(made))
        if len(missing):
            raise self.fail(place, f"{parts[missing[0]]!r} is missing; give every part, or one number for all")
        return made

    def part(self, place: Place, key: str, kind: Kind, names: Names) -> int:
        """Which part of a vector a key names."""
        at = names.index(kind.names, key)
        if at is None:
            what = {"q": "joint", "v": "joint", "body": "moving link"}.get(kind.names, "part")
            raise self.fail(
                (*place, key),
                f"there is no {what} {plain(key)[:60]!r}{near(key, names.known(kind.names), listed=True)}",
            )
        return at


def bounds(x: float, kind: Kind) -> str:
    """The error of a number out of bounds, or None."""
    if x < kind.low or (kind.strict and x <= kind.low):
        return f"must be {'above' if kind.strict else 'at least'} {kind.low:g}"
    return f"must be at most {kind.high:g}" if x > kind.high else ""


def shown(value: object) -> str:
    """A value in a message."""
    if isinstance(value, int) and value.bit_length() > 1000:  # which Python may refuse to write out
        return f"a whole number of some {value.bit_length() * 3 // 10} digits"
    text = plain(repr(value) if not isinstance(value, bool) else str(value).lower())
    return text if len(text) <= 60 else text[:57] + "..."


def _lines(text: str) -> dict[Place, int]:
    """Line numbers of keys and tables, as far as that can be told without a parser of our own."""
    made: dict[Place, int] = {}
    head: Place = ()
    for number, line in enumerate(text.splitlines(), 1):
        table = re.match(r"\s*\[\[?([^\[\]=#]+)\]\]?\s*(#.*)?$", line)
        if table:
            head = _keys(table[1])
            made.setdefault(head, number)
            continue
        key = re.match(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""", line)
        if key:
            keys = head + _keys(key[1])
            for k in range(1, len(keys) + 1):
                made.setdefault(keys[:k], number)
    return made


def _keys(text: str) -> Place:
    found = re.findall(r"""[\w-]+|"[^"]*"|'[^']*'""", text)
    return tuple(part.strip("\"'") for part in found)
