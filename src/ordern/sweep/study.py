"""Studies: TOML files that say what a sweep simulates, what varies from run to run and what is kept.

The name of a swept value is its place in the file.

::

    robot = "puma560"                      # a .urdf or .toml file (beside the study), or a built-in name
    samples = 2000                         # random draws at each point of the grid
    seed = 1

    [start]
    q = { joint2 = -0.5, joint3 = 0.3 }    # a list, one number for all, or a table by joint; the rest is neutral

    [simulation]
    duration = 2.0                         # s; also method, rtol, atol, dt, output_dt, friction, friction_speed,
                                           # limits, saturate, max_steps, max_seconds (a run may take so long)
    rtol = 1e-6

    [controller]
    law = "pd"                             # or computed-torque, gravity-compensation, constant
    target = 0.2                           # or path = { profile = "cycloid", to = [...], duration = 1.0 }
    kp = 400.0
    kd = 40.0
    gravity = "nominal"                    # compensated for the robot as described; "actual": with its payload; "none"

    [payload]
    link = "link6"
    com = [0.0, 0.0, 0.1]

    [sweep]                                # values multiply; combine = "zip" puts them side by side;
                                           # several [[sweep]] tables multiply
    payload.mass = { uniform = [0.0, 5.0] }   # or normal, loguniform; a list; linspace, logspace = [first, last, many]
    controller.kp = [200.0, 400.0]

    [keep]
    tracking_error = true                  # also final_state, tool, energy_drift, peak_torque, steps, trajectories
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..describe.other_files import looks_like, not_a_table
from ..describe.toml.toml_keys import crowded_line
from ..errors import InputError, OrdernError, near
from ..files import path_of, read_bytes
from ..files.missing import not_there
from ..report.tables import plain
from ..robot import Robot, load
from ..scalars.primitives import Array
from ..simulate.arguments import start
from ..simulate.simulate import idle_options
from .study_rules import KINDS, LAWS, TOP, Names, Place, Reader, shown
from .study_values import Plan, read_plan

__all__ = ["KEEP", "Study", "parse", "parse_toml", "read", "study_hash"]

BLOCK = 256  # runs made by one call and committed together
LARGEST = 4 * 2**20  # bytes of a study
KEYS = 32  # parts of a dotted key
# figure: whether it is kept where the study does not say
KEEP = {
    "final_state": True, "tool": False, "energy_drift": False, "peak_torque": False, "tracking_error": False,
    "steps": False, "trajectories": False,
}  # fmt: skip


@dataclass(frozen=True)
class Study:
    """A study that has been checked against its robot."""

    text: str
    tree: Mapping[str, Any]
    robot: Robot
    plan: Plan
    block: int
    keep: Mapping[str, Any]
    reader: Reader
    names: Names

    @property
    def runs(self) -> int:
        """The number of runs."""
        return self.plan.runs

    @property
    def blocks(self) -> int:
        """The number of blocks; each is simulated and committed as one."""
        return -(-self.runs // self.block)

    def range(self, block: int) -> tuple[int, int]:
        """First and last (exclusive) run of a block."""
        return block * self.block, min(self.runs, (block + 1) * self.block)

    @cached_property
    def robot_text(self) -> str:
        """The robot in ordern's own format, so that results do not hang on other files."""
        from ..describe.toml.toml_write import to_toml

        return to_toml(self.robot.model)

    @cached_property
    def hash(self) -> str:
        """Of all that decides results: comments, blanks and how the robot's file is named are not part of it."""
        return study_hash(self.tree, self.robot_text)

    def vector(self, place: Place, default: Array | None = None, tree: Mapping[str, Any] | None = None) -> Any:
        """A vector of the study as the file has it (with values of its own in ``tree``), or its default."""
        found: Any = self.tree if tree is None else tree
        for key in place:
            found = found.get(key) if isinstance(found, Mapping) else None
        if found is None:
            return default
        return self.reader.vector(found, place, KINDS[place], self.names, default)

    @cached_property
    def neutral(self) -> Array:
        """Where runs start unless told otherwise: where ``simulate`` starts, within the limits, with loops closed."""
        q: Array = start(self.robot, None, None)[0][0]
        return q


def study_hash(tree: Mapping[str, Any], robot_text: str) -> str:
    """Of a study's values and its robot in ordern's own format."""
    rest = {k: v for k, v in tree.items() if k not in ("sweep", "robot")}
    # the order of [sweep] numbers the runs
    what = [json.dumps(rest, sort_keys=True), json.dumps(tree["sweep"]), robot_text]
    return hashlib.sha256("\n".join(what).encode()).hexdigest()


def read(path: str | os.PathLike[str]) -> Study:
    """The study of a file."""
    place = path_of(path)
    name = plain(str(place))
    try:
        data = read_bytes(place, LARGEST, "study")
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        remedy = "; ordern sweep --help shows a study to begin with"
        raise InputError(f"{name}: {not_there(place, remedy, ('.toml',))}") from None
    except UnicodeDecodeError:
        other = looks_like(data, "; save it as UTF-8 text")
        raise InputError(f"{name}: not TOML: it is not UTF-8{other}") from None
    return parse(text, name, place.absolute().parent)


def parse(text: str, file: str = "study", folder: str | os.PathLike[str] = ".", robot: Robot | None = None) -> Study:
    """The study that a text holds.

    Args:
        text: TOML.
        file: its name in messages.
        folder: where the robot's file is looked for.
        robot: the robot, if it has been loaded already.
    """
    tree = parse_toml(text, plain(file))
    reader = Reader(text, file)
    reader.known(tree, TOP, ())
    if robot is None:
        robot = _robot(reader, tree, Path(folder))
    names = Names(robot)
    plan = read_plan(reader, tree, names)
    made = Study(
        text,
        tree,
        robot,
        plan,
        reader.whole(tree.get("block", BLOCK), ("block",), 1, 10**6),
        _keep(reader, tree, names),
        reader,
        names,
    )
    _sections(made)
    _idle(made)
    _controller(made)
    _payload(made)
    _outputs(made)
    return made


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """The text of a study as TOML, before checks."""
    if (at := crowded_line(text, KEYS - 1)) is not None:
        raise InputError(f"{file}:{at}: a key of more than {KEYS} parts; no key of a study has more than 4")
    if other := not_a_table(text):
        raise InputError(f'{file}: it is {other}; a study is TOML that names its robot: robot = "FILE"')
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{file}: not TOML: brackets nest too deeply") from None
    except (ValueError, MemoryError, OverflowError) as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = f":{found[1]}" if found else ""
        raise InputError(f"{file}{line}: not TOML: {plain(str(error))[:200]}; fix this line") from None


def _robot(reader: Reader, tree: Mapping[str, Any], folder: Path) -> Robot:
    name = tree.get("robot")
    if not isinstance(name, str) or not name or "\n" in name:
        raise reader.fail(("robot",), 'which one? write robot = "puma560", or the name of a .urdf or .toml file')
    base = tree.get("base", "fixed")
    if base not in ("fixed", "floating"):
        raise reader.fail(("base",), f'{shown(base)} must be "fixed" or "floating"')
    gravity, locked = tree.get("gravity"), tree.get("locked")
    if locked is not None:
        reader.table(locked, ("locked",))
    try:
        beside = path_of(folder / name)
    except InputError as error:
        raise reader.fail(("robot",), str(error)) from None
    source: Any = beside if not Path(name).is_absolute() and (beside.is_file() or Path(name).suffix) else name
    try:
        return load(source, gravity=gravity, base=base, locked=locked)
    except OrdernError as error:
        key = "gravity" if "gravity" in str(error)[:20] else "robot"
        raise reader.fail((key,), str(error)) from None


def _sections(study: Study) -> None:
    """Every value that stands outside [sweep] is of its kind."""
    tree, reader = study.tree, study.reader
    for section in ("start", "simulation", "payload"):
        keys = [p[1] for p in KINDS if p[0] == section]
        reader.known(reader.table(tree.get(section, {}), (section,)), keys, (section,))
    for place, kind in KINDS.items():
        found: Any = tree
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if found is None or place[0] == "controller":
            continue
        if kind.what == "vector":
            reader.vector(found, place, kind, study.names, np.zeros(len(study.names.parts[kind.names])))
        else:
            reader.value(found, place, kind, study.names)


def _idle(study: Study) -> None:
    """Nothing in [simulation] is without effect: in every run, or for one of the methods unless a step and tolerances
    stand together, which set the accuracy of either kind, as for simulate.
    """
    table = study.tree.get("simulation", {})
    swept = {a.place: a for a in study.plan.axes if a.place[0] == "simulation"}

    def values(key: str, usual: object) -> tuple[Any, ...]:
        axis = swept.get(("simulation", key))
        return axis.values if axis is not None and axis.values else (table.get(key, usual),)

    own = "friction" in study.tree or any(a.whole[0] == "friction" for a in study.plan.axes)
    found = [idle_options(m, f or own) for m in values("method", "dopri5") for f in values("friction", True)]
    given = {key for key in ("dt", "rtol", "atol", "friction_speed") if key in table or ("simulation", key) in swept}
    both = "dt" in given and ("rtol" in given or "atol" in given)
    for key in ("dt", "rtol", "atol", "friction_speed"):
        idle = [why[key] for why in found if key in why]
        partly = key != "friction_speed" and not both  # without friction in some runs, its speed serves the others
        if key in given and idle and (partly or len(idle) == len(found)):
            place = ("simulation", key) if key in table else ("sweep", "simulation", key)
            said = idle[0].replace("False", "false").replace("method=", "method = ")
            raise study.reader.fail(place, f"it has no effect: {said}")


def _controller(study: Study) -> None:
    """Check that the law has its arguments, here or in [sweep], and no others."""
    reader, swept = study.reader, {a.whole: a for a in study.plan.axes}
    touched = [a for a in study.plan.axes if a.whole[0] == "controller"]
    if "controller" not in study.tree:
        if touched:
            raise reader.fail(
                ("sweep", *touched[0].place),
                f'there is no controller; add [controller] with law = "pd" (there are {", ".join(LAWS)})',
            )
        return
    table = reader.table(study.tree["controller"], ("controller",))
    law = table.get("law")
    if law not in LAWS:
        wrong = (
            f"{shown(law)} is no law{near(law, LAWS, listed=True)}"
            if law
            else f"which one? there are {', '.join(LAWS)}"
        )
        raise reader.fail(("controller", "law"), wrong)
    needed, allowed = LAWS[law]
    reader.known(table, ("law", *needed, *allowed), ("controller",))
    for axis in touched:
        if axis.whole[1] not in (*needed, *allowed):
            raise reader.fail(
                ("sweep", *axis.place),
                f"the law {law!r} has no {axis.whole[1]}{near(axis.whole[1], (*needed, *allowed), listed=True)}",
            )
    for key in needed:
        if key not in table and ("controller", key) not in swept:
            raise reader.fail(("controller",), f"the law {law!r} needs {key}; add it here or in [sweep]")
    target, path = ("target" in table or ("controller", "target") in swept), "path" in table
    if "target" in allowed and target == path:
        raise reader.fail(
            ("controller",),
            f"{'both' if path else 'neither'} target and path {'are' if path else 'is'} given; give one of them",
        )
    if path:
        inner = reader.table(table["path"], ("controller", "path"))
        reader.known(inner, ("profile", "from", "to", "duration"), ("controller", "path"))
        if "to" not in inner and ("controller", "path", "to") not in swept:
            raise reader.fail(("controller", "path"), "where to? add to = [...], one number a joint")
        if not study.robot.model.plain:
            raise reader.fail(("controller", "path"), "paths serve robots without quaternion joints; give a target")
    for place, kind in KINDS.items():
        found: Any = table
        for key in place[1:]:
            found = found.get(key) if isinstance(found, dict) else None
        if place[0] == "controller" and found is not None:
            if kind.what == "vector":
                partial = study.neutral if kind.names == "q" else None
                reader.vector(found, place, kind, study.names, partial)
            else:
                reader.value(found, place, kind, study.names)


def _payload(study: Study) -> None:
    swept = [a for a in study.plan.axes if a.whole[0] == "payload"]
    there = "payload" in study.tree or swept
    mass = "mass" in study.tree.get("payload", {}) or any(a.whole == ("payload", "mass") for a in swept)
    if there and not mass:
        raise study.reader.fail(
            ("payload",) if "payload" in study.tree else ("sweep", *swept[0].place),
            "the payload has no mass; add mass = 1.0 (kg)",
        )


def _keep(reader: Reader, tree: Mapping[str, Any], names: Names) -> dict[str, Any]:
    given = reader.table(tree.get("keep", {}), ("keep",))
    reader.known(given, KEEP, ("keep",))
    made = KEEP | given
    for key, value in made.items():
        if key == "tool" and isinstance(value, str):
            if value not in names.links:
                raise reader.fail(
                    ("keep", "tool"), f"the robot has no link {shown(value)}{near(value, names.links, listed=True)}"
                )
        elif not isinstance(value, bool):
            raise reader.fail(
                ("keep", key),
                f"{shown(value)} must be true or false" + (", or the name of a link" if key == "tool" else ""),
            )
    if made["tool"] is True:
        made["tool"] = list(names.links)[-1]
    if not any(made.values()):
        raise reader.fail(("keep",), f"nothing is kept; there are {', '.join(KEEP)}")
    law = tree.get("controller", {}).get("law") if isinstance(tree.get("controller"), dict) else None
    if made["tracking_error"] and law not in ("pd", "computed-torque"):
        raise reader.fail(
            ("keep", "tracking_error"), "nothing is tracked: it needs a controller with a target or a path"
        )
    return made


def _outputs(study: Study) -> None:
    """How much memory a block of whole motions takes, before somebody waits for it."""
    values = study.tree.get("simulation", {})
    first = {a.place: a.values for a in study.plan.axes if a.values}
    longest = max(first.get(("simulation", "duration"), (values.get("duration", 10.0),)))
    finest = min(first.get(("simulation", "output_dt"), (values.get("output_dt", 0.01),)))
    size = 8 * (longest / finest + 1) * (study.robot.nq + 3 * study.robot.n) * min(study.block, study.runs)
    if size > 8 * 2**30:
        raise study.reader.fail(
            ("block",), f"a block of {study.block} runs would take {size / 2**30:.0f} GB at every {finest:g} s "
                f"of {longest:g} s; "
            "make block smaller or simulation.output_dt larger",
        )  # fmt: skip
