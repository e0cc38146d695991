"""From a Model back to links and joints, to the last bit, so that it can be built again with other options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from ..errors import OrdernWarning
from ..model import Link, Model
from ..model.extras import State
from .builder import THE_WORLD, build
from .changes import agreeing, sums, wired
from .specs import JointSpec, LinkSpec, LoopSpec, MimicSpec

__all__ = ["loop_specs", "rebuilt", "specs", "with_states"]

PER_VELOCITY = ("lower", "upper", "velocity", "effort", "armature", "damping", "friction", "stiffness", "springref")


def specs(model: Model) -> tuple[list[LinkSpec], list[JointSpec]]:
    """Links and joints whose ``build`` is this model again."""
    model = wired(model)
    total = sums(model)
    links = [
        LinkSpec(link.name, link.mass, link.com, link.inertia, link.visuals, link.collisions, f"link {link.name!r}")
        for link in model.links
    ]
    return links, [_joint(model, link, total) for link in model.links if link.joint]


def _joint(model: Model, link: Link, total: Any) -> JointSpec:
    above = model.links[link.parent] if link.parent >= 0 else Link(THE_WORLD, 0)
    back, where = above.placement.inverse(), f"joint {link.joint!r}"
    if link.body == above.body:
        return JointSpec(
            link.joint, "fixed", above.name, link.name, back @ link.placement, exact=link.placement, where=where
        )
    body = model.bodies[link.body]
    mimic = (
        None
        if body.mimic is None
        else MimicSpec(model.bodies[body.mimic.body].name, body.mimic.ratio, body.mimic.offset)
    )
    given: dict[str, Any] = {key: getattr(body, key) or None for key in PER_VELOCITY}
    return JointSpec(
        link.joint, "continuous" if body.continuous else body.joint.name, above.name, link.name, back @ body.placement,
        child_frame=link.placement, constants={f.name: getattr(body.joint, f.name) for f in fields(body.joint)},
        mimic=mimic,
        exact=body.placement, lumped=None if repr(total[link.body]) == repr(body.inertia) else body.inertia,
        where=where, **given,
    )  # fmt: skip


def loop_specs(model: Model) -> list[LoopSpec]:
    """Loops whose ``build`` gives these again, to the last bit."""
    made = []
    for loop in model.loops:
        if loop.terms:
            joints = {model.bodies[body].name: ratio for body, ratio in loop.terms}
            made.append(LoopSpec(loop.name, loop.kind, joints=joints, offset=loop.offset))
            continue
        ends = ["world" if k < 0 else model.links[k].name for k in (loop.link1, loop.link2)]
        value = loop.constants[0] if loop.constants else 0.0
        more: dict[str, Any] = {"length": value} if loop.kind == "distance" else {"pitch": value}
        made.append(LoopSpec(loop.name, loop.kind, ends[0], ends[1], frame1=loop.frame1, frame2=loop.frame2, **more))
    return made


def _closed(model: Model, options: Mapping[str, Any]) -> dict[str, Any]:
    """Loops and drives for ``build``, joints that are locked left out of the drives."""
    locked, made = options.get("locked") or {}, dict(options)
    if made.get("actuated") is None and model.actuated is not None:
        made["actuated"] = [name for name in model.actuated if name not in locked]
    if model.loops:
        made["loops"] = loop_specs(model)
        made["home"] = {
            model.bodies[i].name: model.home[model.offsets[i][0] :][: model.bodies[i].joint.nq] for i in model.free
        }
    return made


def rebuilt(model: Model, options: Mapping[str, Any]) -> Model:
    """The model built again with other options (base, locked, mimic, on_invalid); what was complained about once is not
    again.
    """
    links, joints = specs(agreeing(model) if options.get("locked") else model)
    if options.get("locked"):
        joints = [replace(joint, lumped=None) for joint in joints]
    with warnings.catch_warnings():
        if options.get("on_invalid") == "warn":
            warnings.filterwarnings("ignore", "(?!locked puts)", OrdernWarning)
        made = build(model.name, links, joints, gravity=model.gravity, source=model.source, **_closed(model, options))
    return with_states(replace(made, packages=model.packages, suspect=model.suspect, beyond=model.beyond), model)


def with_states(made: Model, model: Model) -> Model:
    """What was made of a model, with its states (joints that are new stand at their neutral position) and the drives of
    joints it still has.
    """
    here = {made.bodies[i].name: i for i in made.free}
    there = {model.bodies[i].name: i for i in model.free}
    states = []
    for state in model.states:
        q: list[float] = []
        qd: list[float] = []
        for name, i in here.items():
            joint, old = made.bodies[i].joint, there.get(name)
            at = None if old is None else model.offsets[old]
            q += joint.neutral if at is None else state.q[at[0] : at[0] + joint.nq]
            qd += (0.0,) * joint.nv if at is None else state.qd[at[1] : at[1] + joint.nv]
        states.append(State(state.name, tuple(q), tuple(qd)))
    drives = tuple(drive for drive in model.drives if all(name in here for name, _ in drive.arms))
    return replace(made, states=tuple(states), drives=drives) if states or drives else made
