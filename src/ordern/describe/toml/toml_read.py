"""ordern's own format, TOML: readable and writable by people, saves everything a Model holds.

Frames and units are those of the comments::

    name = "arm"
    gravity = [0.0, 0.0, -9.81]            # m/s^2, world axes

    [[link]]
    name = "upper"
    mass = 1.5                             # kg
    com = [0.1, 0.0, 0.0]                  # mass centre in the link's frame, m
    inertia = [0.1, 0.2, 0.2, 0.0, 0.0, 0.0]   # about the mass centre, link's axes: xx yy zz xy xz yz, kg m^2
    visual = [{ box = [0.2, 0.1, 0.1], xyz = [0.1, 0.0, 0.0] }]

    [[joint]]
    name = "shoulder"
    type = "revolute"                      # any joint type of ordern, "continuous" or "fixed"
    parent = "base"                        # or "world"
    child = "upper"
    xyz = [0.0, 0.0, 0.3]                  # joint frame in the parent link's frame, m
    rpy = [0.0, 1.57, 0.0]                 # rad (or rotation = nine numbers, row by row)
    axis = [0.0, 0.0, 1.0]                 # in the joint frame

    [[loop]]                               # closes a chain; see LoopSpec
    name = "knee"
    type = "revolute"                      # any joint type, "fixed", "point", "distance" (length), "gear" (joints)
    link1 = "rod"
    link2 = "shin"
    xyz1 = [0.2, 0.0, 0.0]                 # frame 1 in link1's frame; rpy1, xyz2, rpy2 likewise

At the top, ``actuated = ["shoulder"]`` names the joints with a drive.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Unpack

from ...errors import ModelError, near
from ...model import Geometry, Mass, Model, Placement
from ..builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ..description_file import read
from ..followers import left_drives
from ..specs import DEGREES, PER_VELOCITY, TURN, BuildOptions, brief, joint_types, number, numbers, triple
from .toml_keys import crowded_line
from .toml_more import MORE, with_more

__all__ = ["load_toml", "loads_toml"]

TOP = ("format", "name", "gravity", "actuated", "home", "link", "joint", "loop", *MORE)
PLACE = ("xyz", "rpy", "rotation")
LINK = ("name", "mass", "com", "inertia", "visual", "collision")
OWN = ("axis", "axis2", "child_frame", "mimic", "exact", "lumped")
JOINT = ("name", "type", "parent", "child", *PLACE, *PER_VELOCITY, *OWN)
LOOP = (
    "name", "type", "link1", "link2", "xyz1", "rpy1", "rotation1", "xyz2", "rpy2", "rotation2", "axis", "axis2",
    "length", "pitch", "joints", "ratio", "offset",
)  # fmt: skip
SHAPES = {"box": 3, "cylinder": 2, "capsule": 2, "sphere": 1}
SHAPE = (*SHAPES, "mesh", "scale", *PLACE, "color")
FORMAT = 1


def load_toml(
    path: str | os.PathLike[str], *, gravity: Sequence[float] | None = None, **options: Unpack[BuildOptions]
) -> Model:
    """Read a file of ordern's own format; the options are those of ``loads_toml``."""
    name = os.fspath(path)
    data = read(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ModelError(f"{name}:{line}: not TOML: byte {error.start} is not UTF-8; save it as UTF-8 text") from None
    return loads_toml(text, source=name, gravity=gravity, **options)


def loads_toml(
    text: str,
    *,
    source: str = "",
    gravity: Sequence[float] | None = None,
    **options: Unpack[BuildOptions],
) -> Model:
    """Build the robot described by TOML text; ``gravity`` overrides the file's. See ``build`` for options."""
    file = source or "TOML text"
    top = _parsed(text, file)
    if top.get("format", FORMAT) != FORMAT:
        raise ModelError(f"{file}: format is {brief(top['format'])}; this version of ordern reads format {FORMAT}")
    if "dh" in top:
        return _table(top, file, Path(source).stem if source else "robot", gravity, options)
    lines = _Lines(text, file)
    _known(top, TOP, file, "the top of the file")
    name = _string(top.get("name", "robot"), file, "name")
    links = [_link(table, lines.table("link", k, table), lines) for k, table in enumerate(_tables(top, "link", file))]
    joints = [_joint(t, lines.table("joint", k, t), lines) for k, t in enumerate(_tables(top, "joint", file))]
    own = top.get("gravity", (0.0, 0.0, -9.81)) if gravity is None else gravity
    g = triple(f"{file}{lines.key('gravity')}", "gravity", own)
    loops = [_loop(table, lines.table("loop", k, table), lines) for k, table in enumerate(_tables(top, "loop", file))]
    if options.get("actuated") is None:
        options["actuated"] = left_drives(_names(top, f"{file}{lines.key('actuated')}"), options.get("locked"))
    home = _home(top, file)
    model = build(name, links, joints, gravity=g, source=source, loops=loops, home=home, **options)
    odd = tuple(_degrees(top))
    return with_more(replace(model, suspect=odd) if odd else model, top, file, (links, joints), options)


def _degrees(top: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Angles of more than a turn."""
    for kind in ("link", "joint"):
        for table in top.get(kind, ()):
            for part in (table, table.get("child_frame", {}), *table.get("visual", ()), *table.get("collision", ())):
                if any(abs(a) > TURN for a in part.get("rpy", ())):
                    yield (
                        f"{kind} {str(table['name'])[:80]!r}",
                        f"rpy = {brief(part['rpy'])} is more than a turn",
                        DEGREES,
                    )


def _table(top: dict[str, Any], file: str, name: str, gravity: Sequence[float] | None, options: BuildOptions) -> Model:
    """The robot of a DH table; where options change it, built again."""
    from ..dh.dh_toml import read_dh  # here and below: few files need it, and every start would pay for it
    from ..respec import rebuilt

    model = read_dh(top, file, gravity, name, options.get("on_invalid", "error"))
    if options.get("base", "fixed") == "fixed" and not options.get("locked") and options.get("actuated") is None:
        return model
    return rebuilt(model, options)


def _parsed(text: str, file: str) -> dict[str, Any]:
    if (line := crowded_line(text, DOTTED)) is not None:
        raise ModelError(f"{file}:{line}: a key with more than {DOTTED} dots; a robot needs none, fix this line")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ModelError(f"{file}: not TOML: brackets nest too deeply; a robot needs two levels") from None
    except ValueError as error:  # TOMLDecodeError is one, and so is a number of too many digits
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        at = f":{found[1]}" if found else ""
        raise ModelError(f"{file}{at}: not TOML: {str(error)[:200]}; fix this line") from None


DOTTED = 16  # dots of a key


class _Lines:
    """Where tables and keys stand in the text, as far as that can be told without a parser of our own."""

    def __init__(self, text: str, file: str) -> None:
        self.file, self.text = file, text.splitlines()
        self.starts: dict[str, list[int]] = {"link": [], "joint": [], "loop": []}
        for n, line in enumerate(self.text):
            found = re.match(r"\s*\[\[\s*(link|joint|loop)\s*\]\]", line)
            if found:
                self.starts[found[1]].append(n)

    def table(self, kind: str, k: int, table: Mapping[str, Any]) -> str:
        """File, line and name of the k-th table of its kind."""
        at = f":{self.starts[kind][k] + 1}" if k < len(self.starts[kind]) else ""
        name = table.get("name")
        return f"{self.file}{at} [[{kind}]]" + (f" {brief(name)}" if name is not None else f" number {k + 1}")

    def key(self, key: str) -> str:
        """':line' of the first line that sets the key."""
        return next((f":{n + 1}" for n, line in enumerate(self.text) if re.match(rf"\s*{key}\s*=", line)), "")

    def at(self, where: str, key: str) -> _At:
        """``where`` with the line of a key in that table."""
        return _At(self, where, key)


@dataclass(frozen=True, slots=True)
class _At:
    """A key in a table; its line is looked for only when a message needs it."""

    lines: _Lines
    where: str
    key: str

    def __str__(self) -> str:
        found = re.match(r"(.*?):(\d+) (\[\[.*)", self.where, re.DOTALL)
        if not found:
            return self.where
        text = self.lines.text
        for n in range(int(found[2]), len(text)):
            if re.match(r"\s*\[", text[n]):
                break
            if re.match(rf"\s*{re.escape(self.key)}\s*=", text[n]):
                return f"{found[1]}:{n + 1} {found[3]}"
        return self.where


def _tables(top: Mapping[str, Any], key: str, file: str) -> list[dict[str, Any]]:
    found = top.get(key, [])
    if not isinstance(found, list) or not all(isinstance(t, dict) for t in found):
        raise ModelError(f"{file}: {key!r} is no list of tables; begin each {key} with a line [[{key}]]")
    return found


def _known(table: Mapping[str, Any], keys: Sequence[str], where: object, what: str) -> None:
    for key in table:
        if key not in keys:
            raise ModelError(
                f"{where}: unknown key {key[:80]!r} in {what}; the keys are {', '.join(keys)}{near(key, keys)}"
            )


def _string(value: object, where: object, key: str) -> str:
    if not isinstance(value, str):
        raise ModelError(f"{where}: {key} is {brief(value)}; it must be a string in quotes")
    return value


def _needed(table: Mapping[str, Any], key: str, where: object) -> str:
    if key not in table:
        raise ModelError(f"{where}: the key {key!r} is missing; add {key} = '...'")
    return _string(table[key], where, key)


def _link(table: Mapping[str, Any], where: str, lines: _Lines) -> LinkSpec:
    _known(table, LINK, _first_unknown(table, LINK, where, lines), "a [[link]]")
    mass = number(lines.at(where, "mass"), "mass", table.get("mass", 0.0))
    com = triple(lines.at(where, "com"), "com", table.get("com", (0.0, 0.0, 0.0)))
    inertia = table.get("inertia", (0.0,) * 6)
    if isinstance(inertia, list) and len(inertia) == 3:
        inertia = [*inertia, 0.0, 0.0, 0.0]
    inertia = numbers(lines.at(where, "inertia"), "inertia", inertia, 6)
    shapes = [
        tuple(_shape(s, lines.at(where, key), key) for s in _list(table, key, where)) for key in ("visual", "collision")
    ]
    return LinkSpec(_needed(table, "name", where), mass, com, inertia, shapes[0], shapes[1], where)


def _first_unknown(table: Mapping[str, Any], keys: Sequence[str], where: str, lines: _Lines) -> object:
    """The place of the first key that does not belong there."""
    return next((lines.at(where, key) for key in table if key not in keys), where)


def _list(table: Mapping[str, Any], key: str, where: str) -> list[Any]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(s, dict) for s in found):
        raise ModelError(f"{where}: {key} is no list of shapes; write {key} = [{{ box = [0.1, 0.1, 0.1] }}]")
    return found


def _shape(table: Mapping[str, Any], where: object, key: str) -> Geometry:
    _known(table, SHAPE, where, f"a {key}")
    kinds = [k for k in (*SHAPES, "mesh") if k in table]
    if len(kinds) != 1:
        raise ModelError(
            f"{where}: a {key} needs exactly one of {', '.join(SHAPES)} and mesh; this one has "
            f"{', '.join(kinds) or 'none'}"
        )
    kind = kinds[0]
    color = table.get("color", ())
    if color != ():
        color = numbers(where, "color", color, 4)
    frame = _placement(table, where)
    if kind == "mesh":
        return Geometry(
            kind,
            triple(where, "scale", table.get("scale", (1.0, 1.0, 1.0))),
            _string(table[kind], where, kind),
            frame,
            color,
        )
    size = table[kind] if isinstance(table[kind], list) else [table[kind]]
    return Geometry(kind, numbers(where, kind, size, SHAPES[kind]), "", frame, color)


def _placement(table: Mapping[str, Any], where: object) -> Placement:
    """From xyz and rpy, or xyz and rotation."""
    xyz = triple(where, "xyz", table.get("xyz", (0.0, 0.0, 0.0)))
    if "rotation" not in table:
        return Placement.from_rpy(xyz, triple(where, "rpy", table.get("rpy", (0.0, 0.0, 0.0))))
    if "rpy" in table:
        raise ModelError(f"{where}: both rpy and rotation are given; keep one")
    return _rotation(numbers(where, "rotation", table["rotation"], 9), xyz, where)


def _rotation(r: tuple[float, ...], xyz: Sequence[float], where: object) -> Placement:
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        dot = sum(r[3 * k + i] * r[3 * k + j] for k in range(3))
        if abs(dot - (i == j)) > 1e-6:
            raise ModelError(
                f"{where}: rotation is no rotation: its columns must have length 1 and be perpendicular; use rpy "
                "instead"
            )
    if r[0] * (r[4] * r[8] - r[5] * r[7]) + r[1] * (r[5] * r[6] - r[3] * r[8]) + r[2] * (r[3] * r[7] - r[4] * r[6]) < 0:
        raise ModelError(f"{where}: rotation mirrors; reverse one of its columns")
    return Placement(r, (xyz[0], xyz[1], xyz[2]))


def _joint(table: Mapping[str, Any], where: str, lines: _Lines) -> JointSpec:
    kind = _needed(table, "type", where)
    cls = joint_types().get(kind)
    own = tuple(f.name for f in fields(cls)) if cls is not None else ()
    _known(table, (*JOINT, *own), _first_unknown(table, (*JOINT, *own), where, lines), f"a {kind} [[joint]]")
    constants = {key: number(lines.at(where, key), key, table[key]) for key in own if key in table}
    given = {key: triple(lines.at(where, key), key, table[key]) for key in ("axis", "axis2") if key in table}
    limits = {key: _limit(table[key], lines.at(where, key), key) for key in PER_VELOCITY if key in table}
    frame = table.get("child_frame", {})
    if not isinstance(frame, dict):
        raise ModelError(
            f"{where}: child_frame is no table; write child_frame = {{ xyz = [0, 0, 0], rpy = [0, 0, 0] }}"
        )
    _known(frame, PLACE, where, "a child_frame")
    exact = None
    if "exact" in table:
        many = numbers(lines.at(where, "exact"), "exact", table["exact"], 12)
        exact = _rotation(many[:9], many[9:], lines.at(where, "exact"))
    more: dict[str, Any] = {**given, **limits}
    return JointSpec(
        _needed(table, "name", where), kind, _needed(table, "parent", where), _needed(table, "child", where),
        _placement(table, where), child_frame=_placement(frame, where), constants=constants, exact=exact,
        mimic=_mimic(table, lines.at(where, "mimic")), lumped=_lumped(table, lines.at(where, "lumped")), where=where,
        **more,
    )  # fmt: skip


def _names(top: Mapping[str, Any], where: str) -> list[str] | None:
    """The joints with a drive, if the file names them."""
    found = top.get("actuated")
    if found is not None and (not isinstance(found, list) or not all(isinstance(name, str) for name in found)):
        raise ModelError(f"{where}: actuated is no list of joint names; write actuated = ['shoulder', 'elbow']")
    return found


def _home(top: Mapping[str, Any], file: str) -> list[float] | None:
    found = top.get("home")
    if found is not None and not isinstance(found, list):
        raise ModelError(f"{file}: home is no list of coordinates; write home = [0.1, 0.2]")
    return found


def _loop(table: Mapping[str, Any], where: str, lines: _Lines) -> LoopSpec:
    _known(table, LOOP, _first_unknown(table, LOOP, where, lines), "a [[loop]]")
    frames: dict[str, Any] = {}
    for k in ("1", "2"):
        place = {key: table[key + k] for key in PLACE if key + k in table}
        frames[f"frame{k}"] = _placement(place, where)
    more: dict[str, Any] = {
        key: triple(lines.at(where, key), key, table[key]) for key in ("axis", "axis2") if key in table
    }
    more |= {
        key: number(lines.at(where, key), key, table[key])
        for key in ("length", "pitch", "ratio", "offset")
        if key in table
    }
    joints = table.get("joints", {})
    if not isinstance(joints, dict):
        raise ModelError(f"{where}: joints is no table; write joints = {{ left = 1.0, right = -1.0 }}")
    kind = _needed(table, "type", where)
    several = kind == "gear" and joints
    ends: dict[str, Any] = {
        key: _needed(table, key, where) for key in ("link1", "link2") if key in table or not several
    }
    return LoopSpec(_needed(table, "name", where), kind, joints=joints, where=where, **ends, **frames, **more)


def _limit(value: object, where: object, key: str) -> Any:
    many = value if isinstance(value, list) else [value]
    made = [v if isinstance(v, float) and v in (float("inf"), float("-inf")) else number(where, key, v) for v in many]
    return made if isinstance(value, list) else made[0]


def _mimic(table: Mapping[str, Any], where: object) -> MimicSpec | None:
    if "mimic" not in table:
        return None
    m = table["mimic"]
    if not isinstance(m, dict):
        raise ModelError(f"{where}: mimic is no table; write mimic = {{ joint = 'name', ratio = 1.0, offset = 0.0 }}")
    _known(m, ("joint", "ratio", "offset"), where, "a mimic")
    ratio, offset = (number(where, key, m.get(key, usual)) for key, usual in (("ratio", 1.0), ("offset", 0.0)))
    return MimicSpec(_needed(m, "joint", where), ratio, offset)


def _lumped(table: Mapping[str, Any], where: object) -> Mass | None:
    if "lumped" not in table:
        return None
    m, x, y, z, xx, yy, zz, xy, xz, yz = numbers(where, "lumped", table["lumped"], 10)
    return Mass(m, (x, y, z), (xx, yy, zz, xy, xz, yz))
