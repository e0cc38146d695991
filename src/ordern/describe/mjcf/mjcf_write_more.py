"""What an MJCF has beside its bodies, written: couplings, loops, motors with laws, named states."""

from __future__ import annotations

import math
from dataclasses import replace

from ...errors import ModelError
from ...joints import Floating, Prismatic, Revolute, Spherical
from ...model import Body, Link, Model, Placement
from ...model.placements import added
from ..xml_text import numbers, quote
from .mjcf_bodies import quaternion
from .mjcf_values import from_quaternion

__all__ = ["actuators", "branches", "equalities", "keys", "sites", "standing", "tendons"]

# MuJoCo's word, and whether a second point on the z axis holds that axis too
KINDS = {
    "point": ("connect", False),
    "spherical": ("connect", False),
    "fixed": ("weld", False),
    "revolute": ("connect", True),
}
ARM = 0.1  # m: how far away it is
AXIS = "_axis"  # ends its name; the reader makes one hinge of both


def standing(model: Model) -> Model:
    """The model with the zeros of hinges and slides moved so that its MJCF stands where loops are closed; coordinates
    stay what they were.
    """
    bodies = list(model.bodies)
    for i in model.free if model.home else ():
        body, at = model.bodies[i], model.home[model.offsets[i][0]]
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
        if loop.kind not in KINDS:
            raise ModelError(
                f"loop {loop.name!r} is {loop.kind}; MJCF has points, hinges and welds, save the robot as .toml instead"
            )
        for end, link, frame in ((1, loop.link1, loop.frame1), (2, loop.link2, loop.frame2)):
            name = "world" if link < 0 else model.links[link].name
            turn = "" if frame.rotation == Placement().rotation else f" quat={numbers(quaternion(frame.rotation))}"
            points = [("", frame.origin)]
            if KINDS[loop.kind][1]:
                points.append((AXIS, (frame @ Placement(origin=(0.0, 0.0, ARM))).origin))
            made.setdefault(name, []).extend(
                f"<site name={quote(f'{loop.name}{mark}_{end}')} pos={numbers(origin)}{turn}/>"
                for mark, origin in points
            )
    return made


def floats(model: Model, link: Link) -> bool:
    """Whether a free joint holds the link in the world."""
    body = model.bodies[link.body]
    return isinstance(body.joint, Floating) and not body.parent and link.joint == body.name


def branches(model: Model) -> dict[int, list[int]]:
    """The links on each link. MuJoCo counts joints depth first: branches go in the order of their first joints, in
    bodies and in keys. What floats off the world is no body's child, whatever link of the world it is held by.
    """
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
    if not made:
        return []
    lines = ["  <tendon>"]
    for name, arms in made:
        inner = "".join(f'<joint joint={quote(joint)} coef="{arm!r}"/>' for joint, arm in arms)
        lines.append(f"    <fixed name={quote(name)}>{inner}</fixed>")
    return [*lines, "  </tendon>"]


def equalities(model: Model) -> list[str]:
    """Joints that follow others, and loops."""
    lines = []
    for body in model.bodies[1:]:
        if body.mimic is not None:
            master = model.bodies[body.mimic.body]
            shift = body.mimic.offset - _rest(body) + body.mimic.ratio * _rest(master)
            curve = numbers((shift, body.mimic.ratio, 0.0, 0.0, 0.0))
            lines.append(f"    <joint joint1={quote(body.name)} joint2={quote(master.name)} polycoef={curve}/>")
    for loop in model.loops:
        if loop.terms:
            shift = loop.offset - added(ratio * _rest(model.bodies[body]) for body, ratio in loop.terms)
            lines.append(
                f"    <tendon name={quote(loop.name)} tendon1={quote(loop.name)} "
                f"polycoef={numbers((shift, 1.0, 0.0, 0.0, 0.0))}/>"
            )
        else:
            word, hinge = KINDS[loop.kind]
            for mark in ("", AXIS) if hinge else ("",):
                ends = " ".join(f"site{end}={quote(f'{loop.name}{mark}_{end}')}" for end in (1, 2))
                lines.append(f"    <{word} name={quote(loop.name + mark)} {ends}/>")
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
    for state in model.states:
        if state.name == "qpos0" or len(state.q) != model.nq:
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
