"""Read MJCF: bodies, joints, inertias, motors and states of MuJoCo's format, checked while reading."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from ...errors import InputError, ModelError
from ...model import Model, Placement
from ..builder import build
from ..description_file import opened
from ..followers import left_drives, left_motors, standing
from ..specs import BuildOptions, JointSpec, LoopSpec, quoted
from .mjcf_around import attached_models
from .mjcf_bodies import WORLD, Bodies, read_bodies
from .mjcf_custom import customized
from .mjcf_equality import equalities
from .mjcf_extras import ours, read_options, states, switched, tendons
from .mjcf_motors import actuators
from .mjcf_source import source as opened_source
from .mjcf_tuned import damped, tuned
from .mjcf_xml import Place

__all__ = ["load_mjcf"]


def load_mjcf(
    path_or_text: str | os.PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    source: str = "",
    **options: Unpack[BuildOptions],
) -> Model:
    """Read an MJCF file, or MJCF text (anything that begins with "<"); see ``build`` for the options.

    Free joints of the file stay free whatever ``base`` says; ``base="floating"`` frees the one body that the file fixes
    to the world.
    """
    data, file, encoding = opened(path_or_text, "MJCF")
    path = Path(file).resolve()
    place = Place(file, path.parent, [path], (path,)) if file else Place("", None)
    top = opened_source(data, file or "MJCF text", place, encoding)
    file = source or file
    found = read_bodies(top)
    if not found.joints:
        raise ModelError(f"{file or 'MJCF text'}: there is no <body> in <worldbody>; a robot has at least one")
    own, off = read_options(top, found)
    joints = switched(found.joints, off)
    ropes = tendons(top, found)
    ties = equalities(top, found, ropes, off)
    motors = actuators(top, found, joints, ropes, off)
    follow = ties.follow
    joints, driven = customized(top, joints)
    joints = [replace(j, mimic=follow[j.name]) if j.name in follow else j for j in joints]
    joints = _based(joints, found, options.pop("base", "fixed"))
    locked, mimic = options.get("locked"), options.get("mimic", True)
    if options.get("actuated") is None:
        options["actuated"] = left_drives(driven, locked)
    given = {"gravity": own if gravity is None else gravity, "source": file, **options}
    model = _built(top.name, found, joints, ties.loops, given)
    drives = motors.drives
    if found.tuned or motors.ratios:
        whole = build(top.name, found.links, joints, on_invalid=options.get("on_invalid", "error"), mimic=False)
        model = tuned(
            model,
            found.tuned,
            whole,
            "spring" not in off and "passive" not in off,
            "damper" not in off and "passive" not in off,
            found.heavy,
        )
        drives = damped(drives, motors.ratios, whole, found.heavy)
    odd = tuple(dict.fromkeys(e for part in (top, *(s for s, _, _ in attached_models(top))) for e in part.options.odd))
    kept = left_motors(drives, model, standing(joints, locked, mimic))
    return replace(model, states=states(top, found, model), drives=kept, beyond=_beyond(found, off), suspect=odd)


def _built(name: str, found: Bodies, joints: list[JointSpec], loops: list[LoopSpec], options: dict[str, Any]) -> Model:
    """The model with its loops closed in the file's own position; loops that do not close are left out."""
    if not loops:
        return build(name, found.links, joints, **options)
    home = {m.name: ours(m) for m in found.moved}
    try:
        return build(name, found.links, joints, loops=loops, home=home, **options)
    except (ModelError, InputError) as error:
        open_chains = build(name, found.links, joints, **options)  # raises again what is no fault of the loops
        found.leave_out(
            f"closed chains that cannot be kept ({str(error)[:150]})", ", ".join(loop.name for loop in loops[:4])
        )
        return open_chains


def _based(joints: list[JointSpec], found: Bodies, base: str) -> list[JointSpec]:
    """The joints with the base as asked for; a lone base in the world's frame is the root and needs no weld."""
    roots = [k for k, j in enumerate(joints) if j.parent == WORLD]
    welds = [k for k in roots if joints[k].type == "fixed"]
    if base == "floating" and not any(joints[k].type == "floating" for k in roots):
        if len(welds) != 1:
            raise InputError(
                f"base='floating' needs one body that is fixed to the world; this description has {len(welds)}; give "
                "all moving bodies one body that carries them and has no joint"
            )
        free = replace(joints[welds[0]], name="root_joint", type="floating", origin=Placement())
        return [free if k == welds[0] else j for k, j in enumerate(joints)]
    lone = (
        len(roots) == 1
        and welds
        and joints[roots[0]].origin.is_identity()
        and all(link.name != WORLD for link in found.links)
    )
    return joints[: roots[0]] + joints[roots[0] + 1 :] if lone else joints


def _beyond(found: Bodies, off: set[str]) -> tuple[str, ...]:
    """Features of the file that the model leaves out, a line for each kind."""
    made = [f"{kind}: {quoted(names, 4)}" for kind, names in found.beyond.items()]
    if found.geoms and "contact" not in off and "constraint" not in off:
        made.insert(0, f"contacts: {found.geoms} geoms that may touch")
    return tuple(made)
