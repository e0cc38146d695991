"""SDF out: the same robot as one model of SDF 1.11, each joint placed on its parent link and each link on its joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ...errors import ModelError
from ...joints import Floating, Helical, Joint, Prismatic, Revolute, Spherical, Universal
from ...model import Body, Geometry, Link, Model, Placement
from ..changes import agreeing, wired
from ..frames import at
from ..named_states import state_lines
from ..urdf.urdf_write import GRAVITY, PER_VELOCITY, rpy
from ..xml_text import quote

__all__ = ["to_sdf"]

KINDS: dict[type[Joint], str] = {
    Revolute: "revolute",
    Prismatic: "prismatic",
    Helical: "screw",
    Universal: "universal",
    Spherical: "ball",
}
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def to_sdf(model: Model) -> str:
    """The model as SDF text; a ModelError for what SDF cannot say (loops, cylindrical, planar and inner
    floating joints).

    Gravity is a world's, not a model's: a model under an unusual one is written in a world. A floating base is a model
    without a joint to the world: load it with base="floating". Armature is the rotor inertia that Drake reads.
    """
    model = agreeing(wired(model), negative=True)
    _checked(model)
    lines = [f"  <model name={quote(_name(model.name))}>"]
    for link in model.links:
        if link.name == "world" and link.parent < 0 and not link.joint:
            continue
        lines += [f"    {line}" for line in _link(model, link)]
        if link.joint and not _floats(model, link):
            lines += [f"    {line}" for line in _joint(model, link)]
    # as load names it
    freed = [replace(b, name="root_joint") if type(b.joint) is Floating else b for b in model.bodies]
    lines += [*state_lines(model.with_bodies(freed), "ordern:"), "  </model>"]
    if model.gravity != GRAVITY:
        lines = ['  <world name="default">', f"  <gravity>{_text(model.gravity)}</gravity>", *lines, "  </world>"]
    others = ' xmlns:drake="http://drake.mit.edu"' if any(body.armature for body in model.bodies) else ""
    others += ' xmlns:ordern="urn:ordern"' if model.states else ""
    return "\n".join(['<?xml version="1.0"?>', f'<sdf version="1.11"{others}>', *lines, "</sdf>", ""])


def _checked(model: Model) -> None:
    if model.loops:
        raise ModelError(
            f"loop {model.loops[0].name!r}: SDF closes loops only in the model's own position; save the robot as .toml "
            "instead"
        )
    for body in model.bodies[1:]:
        if any(body.armature) and (body.joint.nv > 1 or body.effort == (0.0,)):
            raise ModelError(
                f"joint {body.name!r} has armature; SDF has none for several ways or without force, save the robot as "
                ".toml instead"
            )
        if type(body.joint) not in KINDS and not (
            type(body.joint) is Floating and not body.parent and body.placement.is_identity()
        ):
            raise ModelError(
                f"joint {body.name!r} is {body.joint.name}; SDF has no such joint, save the robot as .toml instead"
            )
        given = [key for key in PER_VELOCITY if any(map(math.isfinite, getattr(body, key)))]
        if type(body.joint) is Floating and given:
            raise ModelError(
                f"joint {body.name!r} floats and has {given[0]}; SDF has no such joint, save the robot as .toml instead"
            )
    if all(link.name == "world" and not link.joint for link in model.links):
        raise ModelError(
            f"robot {model.name!r} is nothing but the world; an SDF has at least one link, save it as .toml instead"
        )
    moved = [body for body in model.bodies[1:] if not body.parent]
    if any(isinstance(body.joint, Floating) for body in moved) and (
        len(moved) > 1 or any(not link.body and link.name != "world" for link in model.links)
    ):
        raise ModelError(
            f"robot {model.name!r} floats beside other links of the world; SDF frees "
            "whole models only, save the robot as "
            ".toml instead"
        )
    for link in model.links:
        root = link.parent < 0 and (not link.joint or _floats(model, link))  # may be called like the world it stands in
        for name in (link.joint,) if root and link.name == "world" else (link.joint, link.name):
            _name(name)
    both = {link.name for link in model.links} & {link.joint for link in model.links if link.joint}
    if both:
        raise ModelError(
            f"a link and a joint are both called {min(both)!r}; SDF has one name for one thing, rename one of them"
        )


def _name(name: str) -> str:
    if "::" in name or name == "world" or (name.startswith("__") and name.endswith("__")):
        raise ModelError(
            f"the name {name[:80]!r} is not for SDF, which keeps '::', 'world' and '__...__' for itself; rename it"
        )
    if name != name.strip():
        raise ModelError(f"the name {name[:80]!r} is not for SDF, which drops spaces at the ends of names; rename it")
    return name


def _floats(model: Model, link: Link) -> bool:
    return isinstance(model.bodies[link.body].joint, Floating) and link.joint == model.bodies[link.body].name


def _text(values: Sequence[float]) -> str:
    return " ".join(repr(float(v) + 0.0) for v in values)


def _pose(frame: Placement, base: str = "") -> str:
    relative = f" relative_to={quote(base)}" if base else ""
    return f"<pose{relative}>{_text((*frame.origin, *rpy(frame.rotation)))}</pose>"


def _link(model: Model, link: Link) -> list[str]:
    base = link.joint if link.joint and not _floats(model, link) else ""
    own = link.placement
    if base and link.parent >= 0 and model.links[link.parent].body == link.body:
        own = Placement()  # the weld itself stands where the link is
    if base and link.parent < 0 and not link.body:
        own = Placement()
    lines = [f"<link name={quote(link.name)}>", f"  {_pose(own, base)}"]
    xx, yy, zz, xy, xz, yz = link.inertia
    entries = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), (xx, yy, zz, xy, xz, yz), strict=True)
    tensor = "".join(f"<{key}>{value!r}</{key}>" for key, value in entries)
    lines.append(
        f"  <inertial>{_pose(Placement(origin=link.com))}<mass>{link.mass!r}</mass>"
        f"<inertia>{tensor}</inertia></inertial>"
    )
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        lines += [f"  {_shape(tag, k, shape)}" for k, shape in enumerate(shapes)]
    return [*lines, "</link>"]


def _shape(tag: str, k: int, shape: Geometry) -> str:
    if shape.kind == "mesh":
        inner = (
            f"<mesh><uri>{quote(shape.path)[1:-1]}</uri><scale>{_text(shape.size or (1.0, 1.0, 1.0))}</scale></mesh>"
        )
    elif shape.kind == "box":
        inner = f"<box><size>{_text(shape.size)}</size></box>"
    else:
        keys = ("radius", "length")[: len(shape.size)]
        inner = (
            f"<{shape.kind}>"
            + "".join(f"<{key}>{v!r}</{key}>" for key, v in zip(keys, shape.size, strict=True))
            + f"</{shape.kind}>"
        )
    color = f"<material><diffuse>{_text(shape.color)}</diffuse></material>" if shape.color and tag == "visual" else ""
    return f'<{tag} name="{tag}{k}">{_pose(shape.placement)}<geometry>{inner}</geometry>{color}</{tag}>'


def _joint(model: Model, link: Link) -> list[str]:
    above = model.links[link.parent] if link.parent >= 0 else Link("world", 0)
    back, parent = above.placement.inverse(), above.name
    base = parent if parent != "world" else "__model__"
    ends = f"<parent>{quote(parent)[1:-1]}</parent><child>{quote(link.name)[1:-1]}</child>"
    body = model.bodies[link.body]
    if link.body == above.body:
        return [f'<joint name={quote(link.joint)} type="fixed">{_pose(back @ link.placement, base)}{ends}</joint>']
    kind = KINDS[type(body.joint)]
    still = back @ body.placement @ at(body.joint, body.joint.neutral)
    if kind == "revolute" and (body.continuous or not (body.lower or body.upper)):
        kind = "continuous"
    lines = [f'<joint name={quote(link.joint)} type="{kind}">', f"  {_pose(still, base)}{ends}"]
    if isinstance(body.joint, Helical):
        lines.append(f"  <screw_thread_pitch>{float(body.joint.pitch) * 2 * math.pi!r}</screw_thread_pitch>")
    if any(body.armature):
        lines.append(f"  <drake:rotor_inertia>{body.armature[0]!r}</drake:rotor_inertia>")
    axes = (("axis", X), ("axis2", Y)) if kind == "universal" else (("axis", Z),)
    if kind != "ball":
        lines += [f"  {_axis(model, body, tag, axis, c)}" for c, (tag, axis) in enumerate(axes)]
    else:
        other = any((body.friction, body.effort, body.velocity, body.lower, body.upper, body.stiffness))
        if other or len(set(body.damping)) > 1:
            raise ModelError(
                f"joint {body.name!r} turns any way and has friction, limits, a spring or damping that differs; SDF "
                "cannot say that, save the robot as .toml instead"
            )
        if body.damping:
            lines.append(f"  <axis><dynamics><damping>{body.damping[0]!r}</damping></dynamics></axis>")
    return [*lines, "</joint>"]


def _axis(model: Model, body: Body, tag: str, axis: Sequence[float], c: int) -> str:
    limits = {key: getattr(body, key)[c] for key in ("lower", "upper", "effort", "velocity") if getattr(body, key)}
    if body.continuous:
        limits = {key: value for key, value in limits.items() if key not in ("lower", "upper")}
    limit = "".join(f"<{key}>{value!r}</{key}>" for key, value in limits.items() if math.isfinite(value))
    names = (
        ("damping", "damping"),
        ("friction", "friction"),
        ("stiffness", "spring_stiffness"),
        ("springref", "spring_reference"),
    )
    dynamics = "".join(f"<{name}>{getattr(body, key)[c]!r}</{name}>" for key, name in names if getattr(body, key))
    mimic = ""
    if body.mimic is not None:
        m = body.mimic
        numbers = f"<multiplier>{m.ratio!r}</multiplier><offset>{m.offset!r}</offset><reference>0</reference>"
        mimic = f'<mimic joint={quote(model.bodies[m.body].name)} axis="axis">{numbers}</mimic>'
    inner = f"<xyz>{_text(axis)}</xyz><limit>{limit}</limit><dynamics>{dynamics}</dynamics>{mimic}"
    return f"<{tag}>{inner}</{tag}>"
