"""From a Model back to links and joints, to the last bit, so that it can be built again with other options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from ..errors import OrdernWarning
from ..model import Link, Model
from ..model.extras import State
from .builder import THE_WORLD, build
from .changes import agreeing, sums, wired
from .followers import left_motors, standing
from .specs import PER_VELOCITY, JointSpec, LinkSpec, LoopSpec, MimicSpec

__all__ = ["loop_specs", "rebuilt", "specs", "with_states"]


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
    """The model built again with other options (base, locked, mimic, on_invalid), without earlier warnings."""
    links, joints = specs(agreeing(model) if options.get("locked") else model)
    if options.get("locked"):
        joints = [replace(joint, lumped=None) for joint in joints]
    with warnings.catch_warnings():
        if options.get("on_invalid") == "warn":
            warnings.filterwarnings("ignore", "(?!locked puts)", OrdernWarning)
        made = build(model.name, links, joints, gravity=model.gravity, source=model.source, **_closed(model, options))
    stands = standing(joints, options.get("locked"), options.get("mimic", True))
    return with_states(
        replace(made, packages=model.packages, suspect=model.suspect, beyond=model.beyond), model, stands
    )


def with_states(made: Model, model: Model, stands: Mapping[str, float] = MappingProxyType({})) -> Model:
    """What was made of a model, with its states (joints that are new stand at their neutral position, those that no
    longer follow where they followed to) and the motors of joints it still has; ``stands`` says where joints that were
    locked do.
    """
    there = {body.name: i for i, body in enumerate(model.bodies) if i}
    states = []
    for state in model.states if made.nq else ():  # without joints there is one position
        q: list[float] = []
        qd: list[float] = []
        for i in made.free:
            joint, old = made.bodies[i].joint, there.get(made.bodies[i].name)
            if old is None:
                q, qd = [*q, *joint.neutral], [*qd, *(0.0,) * joint.nv]
                continue
            (iq, iv), tie = model.offsets[old], model.bodies[old].mimic
            own, speed = state.q[iq : iq + joint.nq], state.qd[iv : iv + joint.nv]
            q += own if tie is None else [tie.ratio * own[0] + tie.offset]
            qd += speed if tie is None else [tie.ratio * speed[0]]
        states.append(State(state.name, tuple(q), tuple(qd)))
    drives = left_motors(model.drives, made, stands)
    return replace(made, states=tuple(states), drives=drives) if states or drives else made
