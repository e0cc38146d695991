"""ordern's data in MJCF's <custom>, which MuJoCo ignores: speed limits, empty ranges, driven joints."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...errors import ModelError, near
from ...model import Body, Model
from ..specs import JointSpec
from ..xml import Element
from ..xml_text import numbers, quote
from .mjcf_around import attached_models
from .mjcf_joints import UNLIMITED
from .mjcf_source import Source

__all__ = ["custom", "customized"]

OURS = "ordern:"
KEYS = ("lower", "upper", "velocity", "effort")


def custom(model: Model, names_of: Callable[[Model, Body], list[str]]) -> list[str]:
    """The section, written; a joint that becomes several is named by these."""
    lines = []
    pulled = {name for drive in model.drives for name, _ in drive.arms}  # a reader takes their force for a limit
    for body in model.bodies[1:]:
        names = names_of(model, body)
        for key in KEYS:
            always = key == "velocity" or (key == "effort" and body.name in pulled)
            values = getattr(body, key) or ((math.inf,) if always and key == "effort" else ())
            for c, name in enumerate(names if values else ()):
                own = values[c : c + 1] if len(names) > 1 else values
                if always or _refused(body, key, c):
                    data = numbers([math.copysign(UNLIMITED, x) if math.isinf(x) else x for x in own])
                    lines.append(f"    <numeric name={quote(f'{OURS}{key}:{name}')} data={data}/>")
    if model.actuated is not None:
        driven = [name for body in model.bodies[1:] if body.name in model.actuated for name in names_of(model, body)]
        lines.append(f"    <text name={quote(OURS + 'actuated')} data={quote(json.dumps(driven))}/>")
    return ["  <custom>", *lines, "  </custom>"] if lines else []


def _refused(body: Body, key: str, c: int) -> bool:
    """Whether MuJoCo refuses this limit: one without any force, or without any way to move."""
    if key == "effort":
        return body.effort[c] == 0
    return bool(body.lower and body.upper) and body.lower[c] >= body.upper[c]


def customized(top: Source, joints: Sequence[JointSpec]) -> tuple[list[JointSpec], list[str] | None]:
    """The joints with the section's data, and the driven ones if it names them."""
    given: dict[str, dict[str, Any]] = {}
    here, driven = {joint.name for joint in joints}, None
    for source, prefix, part in ((top, "", False), *attached_models(top)):
        for element in source.within("custom"):
            name = element.attributes.get("name", "")
            if not name.startswith(OURS):
                continue
            if element.tag == "text" and name == OURS + "actuated":
                driven = [*(driven or ()), *(prefix + joint for joint in _names(element) if prefix + joint in here)]
                continue
            key, _, joint = name.removeprefix(OURS).partition(":")
            if element.tag != "numeric" or key not in KEYS or (prefix + joint not in here and not part):
                hint = near(prefix + joint, here) if key in KEYS else f"; there are {', '.join(KEYS)}"
                raise ModelError(f"{element.where}: it says nothing of a joint that is here{hint}")
            values = [
                math.copysign(math.inf, x) if abs(x) >= UNLIMITED else x for x in element.numbers("data", 6, least=1)
            ]
            given.setdefault(prefix + joint, {})[key] = values
    return [replace(joint, **given.get(joint.name, {})) for joint in joints], driven


def _names(element: Element) -> list[str]:
    try:
        names = json.loads(element.text("data", '["joint1"]'))
    except ValueError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"""{element.where}: data is no list of joints; write data='["joint1"]'""")
    return names
