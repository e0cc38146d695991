"""What an MJCF has beside its bodies, written: couplings, loops, motors with laws, named states."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...errors import ModelError
from ...joints import Floating, Prismatic, Revolute, Spherical
from ...model import Body, Link, Model, Placement
from ...model.placements import added
from ..loop_closing import Closing, gaps
from ..xml_text import numbers, quote
from .mjcf_bodies import quaternion
from .mjcf_values import from_quaternion

__all__ = ["actuators", "branches", "equalities", "keys", "sites", "standing", "tendons"]

ARM = 0.1  # m: how far from the origins of a loop's frames a second tie holds their axes
O, X, Y, Z = (0.0, 0.0, 0.0), (ARM, 0.0, 0.0), (0.0, ARM, 0.0), (0.0, 0.0, ARM)
# what holds a loop: MuJoCo's word, how its name ends (the reader makes one loop of both), and where on frames 1 and 2
TIES = {
    "point": (("connect", "", O, O),),
    "spherical": (("connect", "", O, O),),
    "fixed": (("weld", "", O, O),),
    "revolute": (("connect", "", O, O), ("connect", "_axis", Z, Z)),
    "universal": (("connect", "", O, O), ("tendon", "_cross", X, Y)),  # ends of a right angle's sides
    "distance": (("tendon", "", O, O),),
}


def standing(model: Model) -> Model:
    """The model with zeros of its joints moved so that the MJCF's own position closes the loops."""
    bodies = list(model.bodies)
    for i in range(1, len(bodies)) if model.home else ():
        body, at = model.bodies[i], model.home[model.offsets[i][0]]
        at = at if body.mimic is None else body.mimic.ratio * at + body.mimic.offset
        joint = body.joint
        if isinstance(joint, (Revolute, Prismatic)) and (way := at + float(joint.offset)):
            turn = from_quaternion(math.cos(way / 2), 0.0, 0.0, math.sin(way / 2))
            step = Placement(turn) if isinstance(joint, Revolute) else Placement(origin=(0.0, 0.0, way))
            bodies[i] = replace(body, placement=body.placement @ step, joint=replace(joint, offset=-at))
    return model.with_bodies(bodies)


def sites(model: Model) -> dict[str, list[str]]:
    """The frames of loops, by the name of the link they are on."""
    made: dict[str, list[str]] = {}
    for loop in model.loops:
        if loop.terms:
            continue
        if loop.kind not in TIES:
            raise ModelError(
                f"loop {loop.name!r} is {loop.kind}; MJCF ties points, frames and lengths, but nothing that slides; "
                "save the robot as .toml instead"
            )
        for _, mark, *points in TIES[loop.kind]:
            for end, link, frame in ((1, loop.link1, loop.frame1), (2, loop.link2, loop.frame2)):
                name = "world" if link < 0 else model.links[link].name
                turn = "" if frame.rotation == Placement().rotation else f" quat={numbers(quaternion(frame.rotation))}"
                at = (frame @ Placement(origin=points[end - 1])).origin
                made.setdefault(name, []).append(
                    f"<site name={quote(f'{loop.name}{mark}_{end}')} pos={numbers(at)}{turn}/>"
                )
    return made


def spans(model: Model) -> dict[str, float]:
    """Distance loops (spatial tendons) by name, and how much longer each is than at MuJoCo's zero, in m."""
    made = [
        replace(
            loop,
            name=f"{loop.name}{mark}",
            kind="distance",
            frame1=loop.frame1 @ Placement(origin=one),
            frame2=loop.frame2 @ Placement(origin=two),
            constants=loop.constants or (math.dist(one, two),),
        )
        for loop in model.loops
        if not loop.terms
        for word, mark, one, two in TIES[loop.kind]
        if word == "tendon"
    ]
    if not made:
        return {}
    tied, q = model.changed(loops=tuple(made)), np.array(_own_position(model))
    values = Closing(tied).values(q)
    return dict(zip((loop.name for loop in made), (-gaps(tied, values) * np.sign(values))[0].tolist(), strict=True))


def _own_position(model: Model) -> list[float]:
    """Where the file's joints stand: hinges and slides where loops are closed, others where they are not turned."""
    start = next((s.q for s in model.states if s.name == "qpos0" and len(s.q) == model.nq), ())
    made: list[float] = []
    for i in model.free:
        body, at = model.bodies[i], slice(model.offsets[i][0], model.offsets[i][0] + model.bodies[i].joint.nq)
        if isinstance(body.joint, (Revolute, Prismatic)):
            made += model.home[at]
        elif isinstance(body.joint, Floating) and (start or body.stiffness):
            made += start[at] or body.springref
        else:
            made += body.joint.neutral
    return made


def floats(model: Model, link: Link) -> bool:
    """Whether a free joint holds the link in the world."""
    body = model.bodies[link.body]
    return isinstance(body.joint, Floating) and not body.parent and link.joint == body.name


def branches(model: Model) -> dict[int, list[int]]:
    """Children of each link, by first joint as MuJoCo counts (depth first); floating links are no children."""
    below: dict[int, list[int]] = {}
    for k, link in enumerate(model.links):
        below.setdefault(-1 if floats(model, link) else link.parent, []).append(k)
    first = _first_joints(model)
    for siblings in below.values():
        siblings.sort(key=lambda k: first[k])
    return below


def _first_joints(model: Model) -> list[int]:
    """For each link the first of the model's joints that moves it or a link beyond it."""
    made = [len(model.bodies)] * len(model.links)
    for k in range(len(model.links) - 1, -1, -1):
        link = model.links[k]
        if link.body and (link.parent < 0 or model.links[link.parent].body != link.body):
            made[k] = min(made[k], link.body)
        if link.parent >= 0:
            made[link.parent] = min(made[link.parent], made[k])
    return made


def _rest(body: Body) -> float:
    """MuJoCo's ref of a joint."""
    return -float(getattr(body.joint, "offset", 0.0)) + 0.0


def tendons(model: Model) -> list[str]:
    """Sums of joint coordinates, of gears and of motors that pull on several joints."""
    made = [
        (loop.name, [(model.bodies[body].name, ratio) for body, ratio in loop.terms])
        for loop in model.loops
        if loop.terms
    ]
    made += [(f"{drive.name}_arms", list(drive.arms)) for drive in model.drives if len(drive.arms) > 1]
    ties = spans(model)
    if not made and not ties:
        return []
    lines = ["  <tendon>"]
    for name in ties:
        ends = "".join(f"<site site={quote(f'{name}_{end}')}/>" for end in (1, 2))
        lines.append(f"    <spatial name={quote(name)}>{ends}</spatial>")
    for name, arms in made:
        inner = "".join(f'<joint joint={quote(joint)} coef="{arm!r}"/>' for joint, arm in arms)
        lines.append(f"    <fixed name={quote(name)}>{inner}</fixed>")
    return [*lines, "  </tendon>"]


def equalities(model: Model) -> list[str]:
    """Joints that follow others, and loops."""
    lines, shifts = [], spans(model)
    for body in model.bodies[1:]:
        if body.mimic is not None:
            master = model.bodies[body.mimic.body]
            shift = body.mimic.offset - _rest(body) + body.mimic.ratio * _rest(master)
            curve = numbers((shift, body.mimic.ratio, 0.0, 0.0, 0.0))
            lines.append(f"    <joint joint1={quote(body.name)} joint2={quote(master.name)} polycoef={curve}/>")
    for loop in model.loops:
        if loop.terms:
            shifts[loop.name] = loop.offset - added(ratio * _rest(model.bodies[body]) for body, ratio in loop.terms)
        for word, mark, *_ in TIES[loop.kind] if not loop.terms else (("tendon", ""),):
            name = quote(f"{loop.name}{mark}")
            ends = " ".join(f"site{end}={quote(f'{loop.name}{mark}_{end}')}" for end in (1, 2))
            if word == "tendon":
                ends = f"tendon1={name} polycoef={numbers((shifts[loop.name + mark], 1.0, 0.0, 0.0, 0.0))}"
            lines.append(f"    <{word} name={name} {ends}/>")
    return ["  <equality>", *lines, "  </equality>"] if lines else []


def actuators(model: Model) -> list[str]:
    """Motors in MuJoCo's general form."""
    lines = []
    for drive in model.drives:
        pull = f"joint={quote(drive.arms[0][0])} gear={numbers([drive.arms[0][1]])}"
        if len(drive.arms) > 1:
            pull = f"tendon={quote(f'{drive.name}_arms')}"
        law = f" gainprm={numbers([drive.gain])}" + (
            f' biastype="affine" biasprm={numbers(drive.bias)}' if any(drive.bias) else ""
        )
        for key, range_ in (("control", drive.control), ("force", drive.force)):
            if range_ and range_[0] >= range_[1]:
                raise ModelError(
                    f"motor {drive.name!r}: its {key} stays at {range_[0]!r}, which MJCF refuses; save the robot as "
                    ".toml instead"
                )
        ends = "".join(
            f' {key}limited="true" {key}range={numbers(e)}'
            for key, e in (("ctrl", drive.control), ("force", drive.force))
            if e
        )
        lines.append(f"    <general name={quote(drive.name)} {pull}{law}{ends}/>")
    return ["  <actuator>", *lines, "  </actuator>"] if lines else []


def keys(model: Model) -> list[str]:
    """Named states in MuJoCo's coordinates: bodies depth first, followers included, quaternions scalar first."""
    lines = []
    zero = tuple(x for i in model.free for x in model.bodies[i].joint.neutral)
    for state in model.states:
        # the file's own position comes back as qpos0 unless it is zero, or moves
        stands = state.name == "qpos0" and state.q not in (zero, ()) and not any(state.qd)
        if len(state.q) != model.nq or (stands and state.q == _stands(model, state.q)):
            continue
        q: list[float] = []
        v: list[float] = []
        for i in _depth_first(model):
            body, (iq, iv) = model.bodies[i], model.offsets[i]
            at, speed = list(state.q[iq : iq + body.joint.nq]), list(state.qd[iv : iv + body.joint.nv])
            if body.mimic is not None:
                at, speed = [body.mimic.ratio * at[0] + body.mimic.offset], [body.mimic.ratio * speed[0]]
            if isinstance(body.joint, (Floating, Spherical)):
                at = [*at[:-4], at[-1], *at[-4:-1]]
                if isinstance(body.joint, Floating):
                    turn = Placement(from_quaternion(*at[3:]))
                    speed = [*turn.rotate(speed[3:]), *speed[:3]]
            q += at
            v += speed
        lines.append(
            f"    <key name={quote(state.name)} qpos={numbers(q)}" + (f" qvel={numbers(v)}" if any(v) else "") + "/>"
        )
    return ["  <keyframe>", *lines, "  </keyframe>"] if lines else []


def _stands(model: Model, start: tuple[float, ...]) -> tuple[float, ...]:
    """Where the file's joints are without a key: balls not turned, what floats at its start."""
    made: list[float] = []
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        single = isinstance(joint, (Revolute, Prismatic))
        own = [_rest(model.bodies[i])] if single else list(joint.neutral)
        made += start[at : at + joint.nq] if isinstance(joint, Floating) else own
    return tuple(made)


def _depth_first(model: Model) -> list[int]:
    """Bodies in the order in which a file with nested bodies has their joints."""
    below = branches(model)
    made: list[int] = []
    todo = list(reversed(below.get(-1, [])))
    while todo:
        k = todo.pop()
        link = model.links[k]
        above = model.links[link.parent].body if link.parent >= 0 else 0
        if link.body != above:
            made.append(link.body)
        todo += reversed(below.get(k, []))
    return made
