"""Write a Model as TOML so that reading it gives the same model, to the last bit.

A joint is written in the frames a person gave: an origin in the parent link, an axis. Where building from these would
round otherwise than the model did, a line ``exact`` holds the canonical placement; readers check that it agrees with
the rest and take it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields

from ...errors import ModelError
from ...model import Body, Geometry, Link, Loop, Mass, Model, Placement
from ..changes import sums, wired
from ..frames import canonical, undone
from ..specs import PER_VELOCITY, JointSpec
from ..urdf.urdf_write import rpy
from .toml_more import more_lines

__all__ = ["to_toml"]

HEAD = (
    "# A robot for ordern. SI units: m, kg, s, rad. Inertia is about the mass centre in the link's axes: xx yy zz "
    "xy xz yz."
)
IDENTITY = Placement()


def to_toml(model: Model) -> str:
    """The model as TOML text; ``loads_toml`` gives it back."""
    top, end = more_lines(model)
    lines = [HEAD, "format = 1", f"name = {_string(model.name)}", f"gravity = {_list(model.gravity)}", *top]
    model = wired(model)
    if model.actuated is not None:
        lines.append(f"actuated = [{', '.join(_string(name) for name in model.actuated)}]")
    if model.home:
        lines.append(f"home = {_list(model.home)}")
    named_world = any(link.name == "world" for link in model.links)
    found = sums(model)
    for link in model.links:
        if link.joint:
            lines += ["", *_joint(model, link, "" if named_world else "world", found)]
        lines += ["", *_link(link)]
    for loop in model.loops:
        lines += ["", *_loop(model, loop)]
    return "\n".join([*lines, *end, ""])


def _loop(model: Model, loop: Loop) -> list[str]:
    lines = ["[[loop]]", f"name = {_string(loop.name)}", f"type = {_string(loop.kind)}"]
    if loop.terms:
        pairs = [(_string(model.bodies[body].name), repr(float(ratio))) for body, ratio in loop.terms]
        return [*lines, f"joints = {_inline(pairs)}", f"offset = {loop.offset!r}"]
    for k, link, frame in (("1", loop.link1, loop.frame1), ("2", loop.link2, loop.frame2)):
        lines.append(f"link{k} = {_string('world' if link < 0 else model.links[link].name)}")
        lines += [f"{key}{k} = {value}" for key, value in _place(frame)]
    keys = {"distance": "length", "helical": "pitch"}
    return lines + [f"{keys[loop.kind]} = {value!r}" for value in loop.constants]


def _string(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ModelError(f"the name {text[:80]!r} is not Unicode text; rename it") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _list(values: Sequence[float]) -> str:
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def _one_or_list(values: Sequence[float]) -> str:
    return repr(float(values[0])) if len(values) == 1 else _list(values)


def _same(a: Placement, b: Placement) -> bool:
    """Equal to the last bit, the signs of zeros included."""
    return repr(a) == repr(b)


def _place(frame: Placement) -> list[tuple[str, str]]:
    """Keys and values that read back as this placement: rpy if that is exact, else the rotation."""
    made = (
        [("xyz", _list(frame.origin))]
        if frame.origin != (0.0, 0.0, 0.0) or repr(frame.origin) != repr(IDENTITY.origin)
        else []
    )
    if frame.rotation == IDENTITY.rotation:
        return made
    angles = rpy(frame.rotation)
    if _same(Placement.from_rpy(frame.origin, angles), frame):
        return [*made, ("rpy", _list(angles))]
    return [*made, ("rotation", _list(frame.rotation))]


def _inline(pairs: Sequence[tuple[str, str]]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in pairs) + " }"


def _link(link: Link) -> list[str]:
    lines = ["[[link]]", f"name = {_string(link.name)}"]
    if link.mass or any(link.inertia):
        lines += [f"mass = {link.mass!r}", f"com = {_list(link.com)}", f"inertia = {_list(link.inertia)}"]
    for key, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        if shapes:
            lines += [f"{key} = [", *(f"  {_shape(s)}," for s in shapes), "]"]
    return lines


def _shape(shape: Geometry) -> str:
    pairs = [(shape.kind, _one_or_list(shape.size))]
    if shape.kind == "mesh":
        pairs = [("mesh", _string(shape.path))]
        if shape.size and tuple(shape.size) != (1.0, 1.0, 1.0):
            pairs.append(("scale", _list(shape.size)))
    pairs += _place(shape.placement)
    if shape.color:
        pairs.append(("color", _list(shape.color)))
    return _inline(pairs)


def _joint(model: Model, link: Link, world: str, found: Sequence[Mass]) -> list[str]:
    above = model.links[link.parent] if link.parent >= 0 else Link(world, 0)
    moving = link.body != above.body
    body = model.bodies[link.body]
    kind = ("continuous" if body.continuous else body.joint.name) if moving else "fixed"
    lines = [
        "[[joint]]",
        f"name = {_string(link.joint)}",
        f'type = "{kind}"',
        f"parent = {_string(above.name)}",
        f"child = {_string(link.name)}",
    ]
    if not moving:
        return lines + [f"{key} = {value}" for key, value in _origin(above.placement, link.placement, IDENTITY)]
    spec, turn = _axes(link, body)
    pairs = _origin(above.placement, body.placement, turn)
    if spec.axis is not None:
        pairs.append(("axis", _list(spec.axis)))
    if spec.axis2 is not None:
        pairs.append(("axis2", _list(spec.axis2)))
    if not spec.child_frame.is_identity():
        pairs.append(("child_frame", _inline(_place(spec.child_frame))))
    pairs += [
        (f.name, repr(float(getattr(body.joint, f.name))))
        for f in fields(body.joint)
        if getattr(body.joint, f.name) != f.default
    ]
    pairs += _properties(model, body)
    if repr(found[link.body]) != repr(body.inertia):  # the body was given other parameters than its links have
        m = body.inertia
        pairs.append(("lumped", _list([m.m, *m.h, *m.I])))
    return lines + [f"{key} = {value}" for key, value in pairs]


def _properties(model: Model, body: Body) -> list[tuple[str, str]]:
    pairs = [(name, _one_or_list(getattr(body, name))) for name in PER_VELOCITY if getattr(body, name)]
    if body.mimic is not None:
        m = body.mimic
        inner = [
            ("joint", _string(model.bodies[m.body].name)),
            ("ratio", repr(float(m.ratio))),
            ("offset", repr(float(m.offset))),
        ]
        pairs.append(("mimic", _inline(inner)))
    return pairs


def _axes(link: Link, body: Body) -> tuple[JointSpec, Placement]:
    """The joint axes in the link's frame if that is the moved joint frame; else z and the placement after."""
    cls, r = type(body.joint), link.placement.rotation
    first = (r[6], r[7], r[8]) if cls.axial else (r[0], r[1], r[2])
    second = None if cls.axial else (r[3], r[4], r[5])
    if not cls.axial and cls.name != "universal":
        first = second = None  # type: ignore[assignment]
    spec = JointSpec(body.name, cls.name, "", link.name, axis=first, axis2=second)
    try:
        turn = canonical(spec, cls)
    except ModelError:
        turn = IDENTITY
    if _same(undone(turn), link.placement):
        return spec, turn
    return JointSpec(body.name, cls.name, "", link.name, child_frame=link.placement), IDENTITY


def _origin(above: Placement, wanted: Placement, turn: Placement) -> list[tuple[str, str]]:
    """The placement in the parent link, short numbers if these give the same, and ``exact`` where none do."""
    origin = above.inverse() @ wanted @ turn.inverse()
    short = Placement(origin.rotation, (_short(origin.origin[0]), _short(origin.origin[1]), _short(origin.origin[2])))
    for guess in (short, origin):
        if _same(above @ guess @ turn, wanted):
            return _place(guess)
    return [*_place(short), ("exact", _list((*wanted.rotation, *wanted.origin)))]


def _short(x: float) -> float:
    return float(f"{x:.15g}")
