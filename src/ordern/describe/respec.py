"""From a Model back to links and joints, to the last bit, so that it can be built again with other options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from ..errors import OrdernWarning
from ..model import Link, Model
from .builder import THE_WORLD, build
from .changes import agreeing, sums, wired
from .specs import JointSpec, LinkSpec, MimicSpec

__all__ = ["rebuilt", "specs"]

PER_VELOCITY = ("lower", "upper", "velocity", "effort", "armature", "damping", "friction")


def specs(model: Model) -> tuple[list[LinkSpec], list[JointSpec]]:
    """Links and joints whose ``build`` is this model again."""
    model = wired(model)
    total = sums(model)
    links = [LinkSpec(link.name, link.mass, link.com, link.inertia, link.visuals, link.collisions, f"link {link.name!r}") for link in model.links]
    return links, [_joint(model, link, total) for link in model.links if link.joint]


def _joint(model: Model, link: Link, total: Any) -> JointSpec:
    above = model.links[link.parent] if link.parent >= 0 else Link(THE_WORLD, 0)
    back, where = above.placement.inverse(), f"joint {link.joint!r}"
    if link.body == above.body:
        return JointSpec(link.joint, "fixed", above.name, link.name, back @ link.placement, exact=link.placement, where=where)
    body = model.bodies[link.body]
    mimic = None if body.mimic is None else MimicSpec(model.bodies[body.mimic.body].name, body.mimic.ratio, body.mimic.offset)
    given: dict[str, Any] = {key: getattr(body, key) or None for key in PER_VELOCITY}
    return JointSpec(
        link.joint, "continuous" if body.continuous else body.joint.name, above.name, link.name, back @ body.placement,
        child_frame=link.placement, constants={f.name: getattr(body.joint, f.name) for f in fields(body.joint)}, mimic=mimic,
        exact=body.placement, lumped=None if repr(total[link.body]) == repr(body.inertia) else body.inertia, where=where, **given,
    )  # fmt: skip


def rebuilt(model: Model, options: Mapping[str, Any]) -> Model:
    """The model built again with other options (base, locked, mimic, on_invalid); what was complained about once is not again."""
    links, joints = specs(agreeing(model) if options.get("locked") else model)
    if options.get("locked"):
        joints = [replace(joint, lumped=None) for joint in joints]
    with warnings.catch_warnings():
        if options.get("on_invalid") == "warn":
            warnings.simplefilter("ignore", OrdernWarning)
        return build(model.name, links, joints, gravity=model.gravity, source=model.source, **options)
