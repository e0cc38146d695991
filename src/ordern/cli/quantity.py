"""The command that evaluates one quantity at one state: numbers in, a table or JSON out; returns the exit code."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..algorithms.registry import ELSEWHERE, all_algorithms, choose
from ..errors import InputError, MethodError, near
from ..report.tables import Table, joint_units, plain
from ..robot import Robot
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from .output import Output
from .parsing import external_wrenches, neutral, open_robot, vector

__all__ = ["evaluate", "listed", "quantities"]

STATE = ("q", "qd", "qdd", "tau")
EXTRA = ("link", "reference", "external", "method")
SIX = ("angular x", "angular y", "angular z", "linear x", "linear y", "linear z")
AXES = {  # what the axes of each kind of result are: joints, space, space and moments
    "dofs": ("joint",), "symmetric": ("joint", "joint"), "square": ("joint", "joint"), "jacobian": ("six", "joint"),
    "wrench": ("six",),
    "vector": ("xyz",), "pose": ("frame", "frame"), "matrix6": ("six", "six"), "regressor": ("joint", ""),
    "wrenches": ("joint", "six"),
}  # fmt: skip
JOINT_UNITS = {  # where joints turn, and where they slide
    "inverse_dynamics": "N m, N", "bias_forces": "N m, N", "gravity_forces": "N m, N",
    "forward_dynamics": "rad/s^2, m/s^2",
}  # fmt: skip
UNITS = {
    "kinetic_energy": "J", "potential_energy": "J", "center_of_mass": "m", "momentum": "kg m^2/s, kg m/s",
    "mass_matrix": "kg m^2, kg m, kg",
}  # fmt: skip


NOT_HERE = {
    "simulate": "ordern simulate", "inverse_kinematics": "robot.inverse_kinematics(pose, link) in Python",
    "ik": "robot.inverse_kinematics(pose, link) in Python", "denoc": "robot.denoc(q) in Python",
    "linearize": "robot.linearize(q, qd, tau, dt) in Python", "parameters": "robot.parameters() in Python",
}  # fmt: skip
OBJECTS = ("denoc", "live")  # results that are more than arrays: for Python only


def quantities() -> dict[str, tuple[str, ...]]:
    """Every quantity with its arguments: Robot's methods of a state, and the remaining algorithms."""
    made: dict[str, tuple[str, ...]] = {}
    for name, method in inspect.getmembers(Robot, inspect.isfunction):
        if name.startswith("_") or name in OBJECTS:
            continue
        given = list(inspect.signature(method).parameters.values())[1:]
        needed = {p.name for p in given if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
        if given and given[0].name == "q" and needed <= {*STATE, "link"}:
            made[name] = tuple(p.name for p in given if p.name in (*STATE, *EXTRA))
    for a in all_algorithms():
        also = {"link": ("link",), "world": ("reference",)}
        rest = (
            [x for option in a.options for x in also.get(option, ())]
            + ["method"]
            + (["external"] if a.external else [])
        )
        made.setdefault(a.quantity, (*a.inputs, *rest))
    return made


def listed(command: str, as_json: bool, **rest: object) -> int:
    """Every quantity the command takes, its arguments and the first sentence of its help."""
    known, texts = quantities(), {a.quantity: a.function for a in reversed(all_algorithms())}
    rows = []
    for name in sorted(known if command == "evaluate" else texts):
        text = " ".join((inspect.getdoc(getattr(Robot, name, None) or texts[name]) or "").split())
        takes = ", ".join(x for x in known[name] if x in (*STATE, "link"))
        rows.append((name, takes, re.split(r"[.:](?: |$)|; (?![^\[]*\])", text)[0]))
    screen = Output(as_json)
    screen.table(Table("", ("quantity", "of", "what it is"), tuple(rows)), "quantities")
    screen.finish()
    return 0


def evaluate(
    quantity: str, q: str | None, qd: str | None, qdd: str | None, tau: str | None, link: str | None,
    reference: str | None,
    external: Sequence[str], method: str | None, as_json: bool, debug: bool, **robot: Any,
) -> int:  # fmt: skip
    """The quantity at the state; an argument it does not depend on is refused."""
    known = quantities()
    if quantity not in known:
        if robot["robot"] in known:
            raise MethodError(f"the robot comes first: ordern eval {plain(quantity)} {robot['robot']}")
        raise MethodError(_unknown(quantity, known))
    r = open_robot(**robot)
    texts = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    given = texts | {"link": link, "reference": reference, "external": list(external) or None, "method": method}
    _used(quantity, known, {name for name, value in given.items() if value is not None})
    state = {"q": vector(r, "--q", q, "q", neutral(r))}
    state |= {n: vector(r, f"--{n}", texts[n], "v", np.zeros(r.n), unit=n != "tau") for n in STATE[1:]}
    state = {name: state[name] for name in known[quantity] if name in STATE}
    options: dict[str, Any] = {"reference": reference, "external": external_wrenches(r, external), "method": method}
    options = {name: value for name, value in options.items() if value is not None}
    if "link" in known[quantity] and (link is not None or quantity != "forward_kinematics"):
        options["link"] = link if link is not None else r.link_names[-1]
    made = _called(r, quantity, state, options)
    screen = Output(as_json)
    screen.data |= {"robot": r.name, "quantity": quantity, **state, **options}
    screen.data["result"] = made[""] if list(made) == [""] else made
    where = f" of {options['link']}" if "link" in options else ""
    kinds = next((a.outputs for a in all_algorithms() if a.quantity == quantity), ())
    for k, (name, value) in enumerate(made.items()):
        kind = kinds[min(k, len(kinds) - 1)] if kinds else ""
        units = joint_units(r.model, JOINT_UNITS[quantity]) if quantity in JOINT_UNITS else UNITS.get(quantity, "")
        unit = f" ({units})" if units else ""
        screen.table(
            _table(
                r,
                f"{quantity}{where}{unit}" if not name else f"{quantity}: {name}",
                np.asarray(value) + 0.0,
                AXES.get(kind, ()),
            )
        )
    screen.finish()
    return 0


def _unknown(quantity: str, known: Iterable[str]) -> str:
    """What to say of a name that is none: another library's name, a command of its own, or a slip."""
    if quantity in NOT_HERE:
        return f"{quantity} is no function of one state; use {NOT_HERE[quantity]}"
    hint = near(ELSEWHERE.get(quantity.lower(), quantity), known)
    return f"no quantity {plain(quantity)!r}{hint or '; there are: ' + ', '.join(sorted(known))}"


def _used(quantity: str, known: Mapping[str, tuple[str, ...]], given: set[str]) -> None:
    for name in sorted(given - set(known[quantity])):
        others = [k for k, takes in known.items() if name in takes]
        alike = [k for k in others if set(k.split("_")) & set(quantity.split("_"))] or others
        hint = near(quantity, alike) or f"; it goes with {', '.join(alike)}"
        raise InputError(f"--{name} has no effect on {quantity}, which takes {', '.join(known[quantity])}{hint}")


def _called(robot: Robot, quantity: str, state: Mapping[str, Array], options: Mapping[str, Any]) -> dict[str, Array]:
    """Results by name; one alone has none."""
    if hasattr(Robot, quantity):
        result = getattr(robot, quantity)(**state, **options)
    else:
        algorithm = choose(quantity, options.get("method"), robot.model)
        static = {
            "link": robot._link(options["link"]) if "link" in options else None,
            "world": options.get("reference", "world") == "world",
        }
        chosen = tuple(static[name] for name in algorithm.options)
        result = robot._evaluate(
            quantity, options.get("method"), tuple(state.values()), chosen, options.get("external")
        )
    if isinstance(result, Mapping):
        return {plain(str(k)): np.asarray(v) for k, v in result.items()}
    names = getattr(result, "_fields", None) or ([f.name for f in fields(result)] if is_dataclass(result) else None)
    if names:
        parts = {name: getattr(result, name) for name in names}
        return {name: np.asarray(v) for name, v in parts.items() if isinstance(v, (np.ndarray, float))}
    if isinstance(result, tuple):
        return {str(k + 1): np.asarray(v) for k, v in enumerate(result)}
    return {"": np.asarray(result)}


def _table(robot: Robot, title: str, value: Array, axes: tuple[str, ...]) -> Table:
    """Numbers with the names of joints or axes beside them."""
    if value.ndim == 0:
        return Table(title, ("value",), ((float(value),),))
    rows = _names(robot, value.shape[0], axes[0] if axes else "")
    if value.ndim == 1:
        return Table(title, ("", "value"), tuple(zip(rows, value.tolist(), strict=True)))
    flat = value.reshape(value.shape[0], math.prod(value.shape[1:]))
    columns = _names(robot, flat.shape[1], axes[1] if len(axes) > 1 and value.ndim == 2 else "")
    return Table(title, ("", *columns), tuple((name, *row) for name, row in zip(rows, flat.tolist(), strict=True)))


def _names(robot: Robot, count: int, axis: str) -> list[str]:
    """Of the numbers along an axis; where it is not known, by how many there are."""
    joints = coordinate_names(robot.model, "v")
    fixed = {"joint": joints, "six": SIX, "xyz": "xyz", "frame": ("x axis", "y axis", "z axis", "origin")}
    guess = {len(joints): joints, 6: SIX, 4: fixed["frame"], 3: "xyz"}
    found = fixed.get(axis) or guess.get(count, ())
    return [plain(name) for name in found] if len(found) == count else [str(k + 1) for k in range(count)]
