"""What people type: numbers with units, lists with commas or spaces, joints by name, payloads and wrenches on links."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..describe.number_text import ARTICLE, with_unit
from ..errors import InputError, OrdernWarning, near
from ..report.tables import plain
from ..robot import Robot
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from .output import as_options

__all__ = ["external_wrenches", "neutral", "number", "numbers", "open_robot", "split", "vector", "without_effect"]


def number(where: str, text: str, kind: str | None = None) -> float:
    """A finite number, in deg or mm if it says so; ``kind``: "angle", "length" or "number" (no unit)."""
    try:
        value, what = with_unit(text)
    except ValueError:
        hint = "; write it in SI units, without the unit" if re.match(r"[-+.\d]+\s*[a-zA-Z]", text.strip()) else ""
        units = {"angle": "1.5708 (rad), 90deg or pi/2", "length": "0.03 (m), 3cm or 30mm"}
        hint = f"; write {units[kind]}" if kind in units else hint
        raise InputError(f"{where}: {plain(text)[:40]!r} is not a number{hint}") from None
    if not np.isfinite(value):
        raise InputError(f"{where}: {plain(text)!r} is not finite")
    if what and kind and what != kind:
        raise InputError(f"{where}: {plain(text)!r} is {ARTICLE[what]}, but {ARTICLE[kind]} goes here")
    return value


def split(text: str) -> list[str]:
    """Parts of a list, split at commas, or without any at spaces or semicolons; outer brackets are dropped."""
    text = text.strip().strip("[]()").strip()
    named = r"[^=;,]+=\s*[^=;,\s]+"  # names of joints may hold spaces
    if "," in text:
        parts = text.split(",")
    elif re.fullmatch(rf"({named}[;\s]*)+", text):
        parts = re.findall(named, text)
    else:
        parts = re.split(r"[;\s]+", text)
    return [part.strip() for part in parts if part.strip()]


def counted(count: int, what: str = "number") -> str:
    """So many of them."""
    return f"{count} {what}{'s' * (count != 1)}"


def listed(names: Sequence[str]) -> str:
    """The first of them."""
    return ", ".join(names[:8]) + ", ..." * (len(names) > 8)


def numbers(where: str, text: str, count: int, what: str, kind: str = "number") -> list[float]:
    """So many numbers."""
    made = [number(where, part, kind) for part in split(text)]
    if len(made) != count:
        raise InputError(f"{where} {plain(text)!r}: give {what}, separated by commas; got {len(made)}")
    return made


def vector(robot: Robot, option: str, text: str | None, kind: str, default: Array, unit: bool = True) -> Array:
    """All coordinates ("q") or velocities ("v") from "1,2,3" or "joint2=0.5,joint3=90deg" (if ``unit``)."""
    made = np.array(default, float)
    if text is None:
        return made
    names, kinds = coordinate_names(robot.model, kind), _kinds(robot, kind) if unit else ["number"] * len(made)
    parts = split(text)
    if any("=" in p for p in parts):
        _by_name(option, parts)
        for part in parts:
            name, _, value = (word.strip() for word in part.rpartition("="))
            if name not in names:
                raise InputError(
                    f"{option}: robot {robot.name!r} has no joint {plain(name)!r}{near(name, names, listed=True)}"
                )
            at = names.index(name)
            made[at] = number(f"{option}, joint {plain(name)}", value, kinds[at])
    elif len(parts) != len(made):
        for part in parts:  # a word that is none of them says more than how many there are
            number(option, part)
        raise InputError(f"{option}: {counted(len(parts))}, but {robot.name!r} needs {len(made)} ({listed(names)})")
    else:
        made = np.array(
            [number(f"{option}, joint {plain(n)}", p, k) for n, p, k in zip(names, parts, kinds, strict=True)]
        )
    return _in_radians(robot, option, made, kind) if unit else made


def _by_name(option: str, parts: Sequence[str]) -> None:
    """Refuse a list that names only some of its numbers, or a joint twice."""
    bare = next((part for part in parts if "=" not in part), None)
    if bare is not None:
        raise InputError(
            f"{option}: {plain(bare)[:40]!r} has no name, but others have one; give numbers for all joints, or "
            "JOINT=VALUE for those that matter"
        )
    names = [part.rpartition("=")[0].strip() for part in parts]
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise InputError(f"{option}: joint {plain(twice)!r} is given twice")


def _kinds(robot: Robot, kind: str) -> list[str | None]:
    """Whether each number is an angle or a length; None where a quaternion says neither."""
    made: list[str | None] = []
    for i in robot.model.free:
        joint = robot.model.bodies[i].joint
        known = kind == "v" or joint.plain
        made += ["angle" if a else "length" for a in joint.angular] if known else [None] * joint.nq
    return made


def _in_radians(robot: Robot, option: str, made: Array, kind: str) -> Array:
    """Say so where joint angles look like degrees."""
    if kind == "q":
        far = [
            k
            for k, (what, x) in enumerate(zip(_kinds(robot, kind), made, strict=True))
            if what == "angle" and abs(x) > 4 * np.pi
        ]
        if far:
            name, value = coordinate_names(robot.model, kind)[far[0]], made[far[0]]
            print(
                f"ordern: warning: {option} has {plain(name)} at {value:g} rad; angles are in radians, write "
                f"{value:g}deg for degrees",
                file=sys.stderr,
            )
    return made


def neutral(robot: Robot) -> Array:
    """The neutral position, within the limits; of a robot with loops the one in which they are closed."""
    q: Array = robot.neutral()
    limits, model = robot.limits, robot.model
    for i in () if model.loops else model.free:
        joint, (at, v) = model.bodies[i].joint, model.offsets[i]
        if joint.plain:
            q[at : at + joint.nq] = np.clip(
                q[at : at + joint.nq], limits.lower[v : v + joint.nv], limits.upper[v : v + joint.nv]
            )
    return q


def open_robot(
    robot: str,
    gravity: str | None = None,
    locked: Sequence[str] = (),
    base: str = "fixed",
    on_invalid: str | None = None,
    payload: Sequence[str] = (),
    package: Sequence[str] = (),
    xacro_arg: Sequence[str] = (),
    default: str = "error",
) -> Robot:
    """The robot of the command line, with what it carries; warnings become lines on the error stream."""
    from ..robot import load

    welded = _welded(locked)
    g = numbers("--gravity", gravity, 3, "three numbers") if gravity else None
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", OrdernWarning)
        more: dict[str, Any] = {
            "packages": _pairs("--package", package, "="),
            "xacro_args": _pairs("--xacro-arg", xacro_arg, ":="),
        }
        more |= {"gravity": g, "base": base, "on_invalid": on_invalid or default}
        if any(what for _, what in welded.values()):  # whether a unit fits is known before the joint is welded
            _fitting(load(robot, **more | {"on_invalid": "warn"}), welded)
            found.clear()
        made = load(robot, locked={name: value for name, (value, _) in welded.items()} or None, **more)
        for text in payload:
            made = _loaded(made, text)
    for warning in found:
        print(f"ordern: warning: {as_options(plain(str(warning.message)))}", file=sys.stderr)
    return made


def _welded(texts: Sequence[str]) -> dict[str, tuple[float, str | None]]:
    """Joints of --locked with their values, and "angle" or "length" where a unit says so; each joint once."""
    wrong = next((text for text in texts if "=" not in text), None)
    if wrong is not None:
        raise InputError(f"--locked {plain(wrong)!r}: write JOINT=VALUE")
    _by_name("--locked", texts)
    made = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        made[name.strip()] = number(f"--locked, joint {plain(name)}", value), with_unit(value)[1]
    return made


def _fitting(free: Robot, welded: dict[str, tuple[float, str | None]]) -> None:
    """Refuse a length where a joint turns, an angle where it slides."""
    kinds = dict(zip(coordinate_names(free.model, "q"), _kinds(free, "q"), strict=True))
    for name, (_, what) in welded.items():
        kind = kinds.get(name)
        if what and kind and what != kind:
            raise InputError(f"--locked, joint {plain(name)}: it takes {ARTICLE[kind]}, but was given {ARTICLE[what]}")


def _pairs(option: str, texts: Sequence[str], sign: str) -> dict[str, str] | None:
    """NAME=FOLDER or NAME:=VALUE, each name once."""
    made: dict[str, str] = {}
    for text in texts:
        name, there, value = text.partition(sign)
        if not there or not name:
            raise InputError(f"{option} {plain(text)[:80]!r}: write NAME{sign}{'FOLDER' if sign == '=' else 'VALUE'}")
        if name in made:
            raise InputError(f"{option}: {plain(name)[:80]!r} is given twice")
        made[name] = value
    return made or None


def _loaded(robot: Robot, text: str) -> Robot:
    """With a payload LINK:MASS or LINK:MASS:x,y,z; names of links may hold colons."""
    parts = text.split(":")
    com = [0.0, 0.0, 0.0]
    if len(parts) > 2 and len(split(parts[-1])) > 1:
        com = numbers("--payload", parts.pop(), 3, "three numbers for its mass centre", "length")
    if len(parts) < 2:
        raise InputError(
            f"--payload {plain(text)!r}: write LINK:MASS, or LINK:MASS:x,y,z with its mass centre in the link's frame"
        )
    return robot.with_payload(":".join(parts[:-1]), number("--payload, its mass (kg)", parts[-1], "number"), com)


def external_wrenches(robot: Robot, texts: Sequence[str]) -> dict[str, Array] | None:
    """Wrenches LINK:mx,my,mz,fx,fy,fz at the links' frames; several on one link add up."""
    made: dict[str, Array] = {}
    for text in texts:
        link, colon, values = text.rpartition(":")
        if not colon:
            raise InputError(
                f"--external {plain(text)!r}: write LINK:mx,my,mz,fx,fy,fz (N m, N; at the link's frame, in its axes)"
            )
        robot._link(link)
        wrench = np.array(numbers("--external", values, 6, "six numbers, moment then force"))
        made[link] = made.get(link, 0.0) + wrench
    return made or None


def without_effect(option: str, given: bool, why: str) -> None:
    """Refuse an option that would do nothing."""
    if given:
        raise InputError(f"{option} has no effect here: {why}")
