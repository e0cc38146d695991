"""TOML of a model's named states, motors with laws, and what the description left out."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import ModelError, OrdernWarning, near
from ...joints import Joint
from ...model import Drive, Model, State
from ..followers import standing
from ..specs import BuildOptions, JointSpec, LinkSpec, joint_type, joint_types, number, numbers

__all__ = ["MORE", "more_lines", "with_more"]

MORE = ("state", "drive", "beyond")
KEYS = {"state": ("name", "q", "qd"), "drive": ("name", "arms", "gain", "bias", "control", "force")}


def _list(values: Sequence[float]) -> str:
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def more_lines(model: Model) -> tuple[list[str], list[str]]:
    """Lines for the top of the file and for its end."""
    top = [f"beyond = [{', '.join(_text(line) for line in model.beyond)}]"] if model.beyond else []
    end: list[str] = []
    for state in model.states:
        end += ["", "[[state]]", f"name = {_text(state.name)}", f"q = {_list(state.q)}", f"qd = {_list(state.qd)}"]
    for drive in model.drives:
        arms = ", ".join(f"{_text(name)} = {arm!r}" for name, arm in drive.arms)
        end += [
            "",
            "[[drive]]",
            f"name = {_text(drive.name)}",
            f"arms = {{ {arms} }}",
            f"gain = {drive.gain!r}",
            f"bias = {_list(drive.bias)}",
        ]
        end += [f"{key} = {_list(ends)}" for key, ends in (("control", drive.control), ("force", drive.force)) if ends]
    return top, end


def with_more(
    model: Model,
    top: Mapping[str, Any],
    file: str,
    parts: tuple[Sequence[LinkSpec], Sequence[JointSpec]],
    options: BuildOptions,
) -> Model:
    """The model, built from ``parts`` with ``options``, with the file's states, motors and omissions."""
    if not any(key in top for key in MORE):
        return model
    from ..builder import build  # here: few files need it, and every start would pay for it
    from ..respec import with_states

    states = [(table, f"{file} [[state]] number {k + 1}") for k, table in enumerate(_tables(top, "state", file))]
    motors = [(table, f"{file} [[drive]] number {k + 1}") for k, table in enumerate(_tables(top, "drive", file))]
    known = joint_types()
    kinds = {joint.name: joint_type(joint, known) for joint in parts[1]} if motors else {}
    drives = [_drive(kinds, *motor) for motor in motors]
    _once([drive.name for drive in drives], file, "drive")
    beyond = top.get("beyond", [])
    if not isinstance(beyond, list) or not all(isinstance(line, str) for line in beyond):
        raise ModelError(f"{file}: beyond is no list of texts; write beyond = ['contacts']")
    whole, locked, mimic = model, options.get("locked"), options.get("mimic", True)
    if (states or drives) and (locked or options.get("base", "fixed") != "fixed" or not mimic):
        with warnings.catch_warnings():  # the model itself has told of what there is
            warnings.simplefilter("ignore", OrdernWarning)
            whole = build(model.name, *parts, on_invalid=options.get("on_invalid", "error"))
    named = tuple(_state(whole, *state) for state in states)
    _once([state.name for state in named], file, "state")
    whole = replace(whole, states=named, drives=tuple(drives))
    return with_states(replace(model, beyond=tuple(beyond)), whole, standing(parts[1], locked, mimic))


def _tables(top: Mapping[str, Any], key: str, file: str) -> list[dict[str, Any]]:
    found = top.get(key, [])
    if not isinstance(found, list) or not all(isinstance(t, dict) for t in found):
        raise ModelError(f"{file}: {key!r} is no list of tables; begin each {key} with a line [[{key}]]")
    for table in found:
        for name in table:
            if name not in KEYS[key]:
                raise ModelError(
                    f"{file}: unknown key {name[:80]!r} in a [[{key}]]; the keys are {', '.join(KEYS[key])}"
                )
    return found


def _name(table: Mapping[str, Any], where: str) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise ModelError(f"{where}: the key 'name' is missing or no text; add name = '...'")
    return name


def _state(model: Model, table: Mapping[str, Any], where: str) -> State:
    """A state of the file's own robot; at rest where there is no qd."""
    at, rates = (table.get(key, []) for key in ("q", "qd"))
    q = numbers(where, "q", at, model.nq)
    return State(_name(table, where), q, numbers(where, "qd", rates, model.nv) if rates != [] else (0.0,) * model.nv)


def _once(names: Sequence[str], file: str, what: str) -> None:
    """Refuse a second thing of one name."""
    for k, name in enumerate(names):
        if name in names[:k]:
            raise ModelError(f"{file} [[{what}]] number {k + 1}: a second {what} is called {name[:80]!r}; rename one")


def _drive(kinds: Mapping[str, type[Joint] | None], table: Mapping[str, Any], where: str) -> Drive:
    arms = table.get("arms")
    if not isinstance(arms, dict) or not arms:
        raise ModelError(f"{where}: arms is no table of joints; write arms = {{ joint1 = 1.0 }}")
    for name in arms:
        kind = kinds.get(name)
        if name not in kinds:
            raise ModelError(f"{where}: there is no joint {name[:80]!r}{near(name, kinds)}")
        if kind is None or kind.nv != 1:
            raise ModelError(f"{where}: joint {name[:80]!r} has not one way to move; leave it out of arms")
    b = numbers(where, "bias", table.get("bias", (0.0, 0.0, 0.0)), 3)
    ends = {key: numbers(where, key, table[key], 2) for key in ("control", "force") if key in table}
    for key, (low, high) in ends.items():
        if low > high:
            raise ModelError(f"{where}: {key} {low!r} to {high!r} is empty; give the smaller end first")
    made = tuple((str(name), number(where, "arm", arm)) for name, arm in arms.items())
    return Drive(_name(table, where), made, number(where, "gain", table.get("gain", 1.0)), (b[0], b[1], b[2]), **ends)
