"""DH tables in files: TOML with a convention and one ``[[dh]]`` table a row.

convention = "distal"                  # or "saha", "proximal"
degrees = true                         # alpha, theta, limits and springref of revolute joints in degrees (rad unless
said so)
gravity = [0.0, 0.0, -9.81]

[[dh]]
joint = "revolute"
a = 0.43
alpha = 90
mass = 17.4
com = [-0.36, 0.006, 0.23]
inertia = [0.13, 0.524, 0.539]         # about the mass centre
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...errors import InputError, ModelError, shown
from ...model import Model, Placement
from ..specs import HUGE
from ..toml.toml_write import _string
from .dh_table import from_dh, is_sliding
from .dh_write import dh_with_base

__all__ = ["dh_text", "read_dh"]

ANGLES = ("alpha", "theta")
TOP = ("format", "convention", "degrees", "gravity", "name", "base", "tool", "dh")


def read_dh(
    top: dict[str, Any],
    where: str,
    gravity: Sequence[float] | None = None,
    name: str = "robot",
    on_invalid: str = "error",
) -> Model:
    """A model from a parsed TOML file with DH rows."""
    unknown = [k for k in top if k not in TOP]
    if unknown:
        raise ModelError(f"{where}: unknown key {unknown[0][:80]!r}; a DH file has {', '.join(TOP)}")
    rows = top["dh"]
    if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows):
        raise ModelError(f"{where}: dh must be a list of tables, one [[dh]] a row")
    if not isinstance(top.get("degrees", False), bool):
        raise ModelError(f"{where}: degrees is {shown(top['degrees'])}; it must be true or false")
    if top.get("degrees"):
        rows = [_in_radians(row) for row in rows]
    name = top.get("name", name)
    if not isinstance(name, str):
        raise ModelError(f"{where}: name must be a string")
    try:
        return from_dh(
            rows,
            top.get("convention", "saha"),
            gravity=top.get("gravity", (0.0, 0.0, -9.81)) if gravity is None else gravity,
            tool=top.get("tool"),
            base_placement=top.get("base"),
            name=name,
            on_invalid=on_invalid,
        )
    except (ModelError, InputError) as error:
        raise ModelError(f"{where}: {error}") from None


def _in_radians(row: dict[str, Any]) -> dict[str, Any]:
    """A row in degrees (limits of sliding joints are in metres all the same)."""
    angles = ANGLES if is_sliding(row.get("joint")) else (*ANGLES, "lower", "upper", "velocity", "springref")
    return {key: math.radians(v) if key in angles and is_plain_number(v) else v for key, v in row.items()}


def is_plain_number(value: object) -> bool:
    """Whether it can be an angle at all; what cannot is named by the checks of the row."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < HUGE


def dh_text(model: Model, convention: str) -> str:
    """A DH table as TOML text that ``ordern.load`` reads."""
    base, rows, tool = dh_with_base(model, convention)
    lines = [
        "# A Denavit-Hartenberg table. SI units, rad; com and inertia (about the mass centre: xx yy zz xy xz yz) in "
        "the link's own frame.",
        f"name = {_string(model.name)}",
        f'convention = "{convention}"',
        f"gravity = {_value(model.gravity)}",
    ]
    for key, frame in (("base", base), ("tool", tool)):
        if not frame.is_identity():
            lines.append(
                f"{key} = {_value(frame.matrix().tolist())}" if _rotated(frame) else f"{key} = {_value(frame.origin)}"
            )
    for row in rows:
        lines += ["", "[[dh]]"]
        lines += [
            f"{key} = {_string(value) if isinstance(value, str) else _value(value)}" for key, value in row.items()
        ]
    return "\n".join([*lines, ""])


def _rotated(frame: Placement) -> bool:
    return frame.rotation != Placement().rotation


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return repr(float(value))
