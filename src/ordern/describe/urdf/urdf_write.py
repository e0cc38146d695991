"""URDF out: the same robot in the frames its description had, as far as URDF can say it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...errors import ModelError
from ...joints import Cylindrical, Floating, Helical, Joint, Planar3, Prismatic, Revolute, Spherical, Universal
from ...model import Body, Geometry, Link, Model, Placement
from ..changes import agreeing, wired
from ..frames import align, at
from ..named_states import coordinates, state_lines
from ..specs import PER_VELOCITY
from .urdf_loops import write_loops

__all__ = ["GRAVITY", "PER_VELOCITY", "UNLIMITED", "plain_shapes", "to_urdf"]

GRAVITY = (0.0, 0.0, -9.81)  # what a reader of URDF takes
UNLIMITED = 1e9  # URDF wants limits where the model has none; read as none
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ESCAPED = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
KINDS: dict[type[Joint], str] = {
    Revolute: "revolute", Prismatic: "prismatic", Planar3: "planar", Floating: "floating",
    # extensions, named as Drake names them
    Spherical: "ball", Universal: "universal", Cylindrical: "cylindrical", Helical: "screw",
}  # fmt: skip
OWN_AXES = ("floating", "ball", "universal")  # without an <axis>
SHAPE_KEYS = {"cylinder": ("radius", "length"), "sphere": ("radius",)}


def to_urdf(model: Model) -> str:
    """The model as URDF text; a ModelError for joints of other people's making.

    A link whose frame does not lie on its joint's axis gets a massless link "<joint>_frame" there. Armature is an
    attribute of <dynamics>; unusual gravity, named states and what planar and floating joints have for each velocity
    (limits, damping, ...) stand in elements <ordern>: other programs ignore both. A limit of 1e9 stands for none.
    Spherical, universal, cylindrical and helical joints are written as the types ball, universal, cylindrical and
    screw, which are no part of the format: few programs read them.
    """
    model = agreeing(wired(model), negative=True)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<robot name={_quote(model.name)}>"]
    stands = coordinates(model, model.home, tag="home", follow=True) if model.home else []
    own = [*(f"    {line}" for line in stands), *state_lines(model)]
    if own or model.gravity != GRAVITY:
        lines += [f"  <ordern gravity={_numbers(model.gravity)}>", *own, "  </ordern>"]
    if (
        own
        or model.gravity != GRAVITY
        or any(
            getattr(body, key)
            for body in model.bodies
            for key in PER_VELOCITY
            if key in ("armature", "stiffness") or _together(body.joint)
        )
    ):
        lines.append(
            "  <!-- armature (rotor inertia, kg m^2) and the element <ordern> are read by ordern; other programs "
            "ignore them -->"
        )
    rooted = [link for link in model.links if link.parent < 0]
    names, joints = {link.name for link in model.links}, {link.joint for link in model.links}
    if any(link.joint for link in rooted) and not any(link.name == "world" and not link.joint for link in rooted):
        if "world" in names:
            raise ModelError(
                "URDF has one root, which here must be called 'world', but a moving link has this name; rename that "
                "link"
            )
        lines.append('  <link name="world"/>')
        names.add("world")
        extra = [link for link in rooted if not link.joint]
        lines += [
            _joint_lines(_fresh(f"{link.name}_to_world", joints), "fixed", "world", link.name, Placement())
            for link in extra
        ]
    for link in model.links:
        lines.append(_link_lines(link))
    for link in model.links:
        if link.joint:
            lines += _connection(model, link, names, joints)
    return "\n".join([*lines, *write_loops(model, _quote, _origin), "</robot>", ""])


def rpy(r: Sequence[float]) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation, accurate at any pitch: roll is found after undoing yaw."""
    pitch = math.atan2(-r[6], math.hypot(r[0], r[3]))
    yaw = math.atan2(r[3], r[0]) if r[0] or r[3] else 0.0
    s, c = math.sin(yaw), math.cos(yaw)
    return (math.atan2(s * r[2] - c * r[5], c * r[4] - s * r[1]) + 0.0, pitch + 0.0, yaw + 0.0)


def _quote(text: str) -> str:
    bad = UNWRITABLE.search(text)
    if bad:
        raise ModelError(f"the name {text[:80]!r} has the character {bad[0]!r}, which XML cannot hold; rename it")
    return '"' + text.translate(ESCAPED) + '"'


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _numbers(values: Sequence[float]) -> str:
    return '"' + " ".join(repr(float(v)) for v in values) + '"'


def _origin(frame: Placement) -> str:
    return f"<origin xyz={_numbers(frame.origin)} rpy={_numbers(rpy(frame.rotation))}/>"


def _link_lines(link: Link) -> str:
    lines = [f"  <link name={_quote(link.name)}>"]
    if link.mass < 0:
        raise ModelError(
            f"link {link.name!r} has a mass of {link.mass:g} kg; a URDF with such a mass is refused, save as .toml "
            "instead"
        )
    if link.mass or any(link.inertia):
        entries = " ".join(
            f'i{axes}="{value!r}"'
            for axes, value in zip(("xx", "yy", "zz", "xy", "xz", "yz"), link.inertia, strict=True)
        )
        lines.append(
            f'    <inertial>{_origin(Placement(origin=link.com))}<mass value="{link.mass!r}"/><inertia '
            f"{entries}/></inertial>"
        )
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        lines += [
            _shape(tag, k, shape, link.name)
            for k, shape in enumerate(part for shape in shapes for part in plain_shapes(shape))
        ]
    return "\n".join([*lines, "  </link>"])


def plain_shapes(shape: Geometry) -> list[Geometry]:
    """A capsule as a cylinder with two balls: ordern reads capsules, other readers of URDF refuse the file."""
    if shape.kind != "capsule":
        return [shape]
    radius, length = shape.size
    ends = [shape.placement @ Placement(origin=(0.0, 0.0, z)) for z in (-length / 2, length / 2)]
    return [
        replace(shape, kind="cylinder"),
        *(replace(shape, kind="sphere", size=(radius,), placement=end) for end in ends),
    ]


def _shape(tag: str, k: int, shape: Geometry, link: str) -> str:
    if shape.kind == "mesh":
        inner = f"<mesh filename={_quote(shape.path)} scale={_numbers(shape.size or (1.0, 1.0, 1.0))}/>"
    elif shape.kind == "box":
        inner = f"<box size={_numbers(shape.size)}/>"
    elif shape.kind in SHAPE_KEYS:
        keys = " ".join(
            f"{key}={_numbers([value])}" for key, value in zip(SHAPE_KEYS[shape.kind], shape.size, strict=True)
        )
        inner = f"<{shape.kind} {keys}/>"
    else:
        raise ModelError(f"link {link!r} has a shape of kind {shape.kind!r}; URDF has box, cylinder, sphere and mesh")
    color = (
        f"<material name={_quote(f'{link} {k}')}><color rgba={_numbers(shape.color)}/></material>"
        if shape.color
        else ""
    )
    return f"    <{tag}>{_origin(shape.placement)}<geometry>{inner}</geometry>{color}</{tag}>"


def _joint_lines(name: str, kind: str, parent: str, child: str, origin: Placement, more: Sequence[str] = ()) -> str:
    ends = f"<parent link={_quote(parent)}/><child link={_quote(child)}/>"
    return "\n".join(
        [
            f'  <joint name={_quote(name)} type="{kind}">{_origin(origin)}{ends}',
            *(f"    {m}" for m in more),
            "  </joint>",
        ]
    )


def _connection(model: Model, link: Link, names: set[str], joints: set[str]) -> list[str]:
    """The joint above a link, and a second, fixed one where the link's frame is off the axis."""
    above = model.links[link.parent] if link.parent >= 0 else Link("world", 0)
    back = above.placement.inverse()
    if link.body == above.body:
        return [_joint_lines(link.joint, "fixed", above.name, link.name, back @ link.placement)]
    body = model.bodies[link.body]
    if type(body.joint) not in KINDS:
        raise ModelError(
            f"joint {body.name!r} is {body.joint.name}; URDF has no such joint, save the robot as .toml or .mjcf "
            "instead"
        )
    # offsets of a DH table are part of the joint in the model, of the origin here
    still = body.placement @ at(body.joint, body.joint.neutral)
    direct = _direct(body.joint, link.placement)
    frame = link.placement if direct else Placement()
    axis = frame.inverse().rotate((0.0, 0.0, 1.0))
    child = link.name if direct else _fresh(f"{link.joint}_frame", names)
    kind, more = _details(model, body, axis)
    lines = [_joint_lines(link.joint, kind, above.name, child, back @ still @ frame, more)]
    if not direct:
        weld = _fresh(f"{link.joint}_weld", joints)
        lines = [
            f"  <link name={_quote(child)}/>",
            *lines,
            _joint_lines(weld, "fixed", child, link.name, link.placement),
        ]
    return lines


def _direct(joint: Joint, frame: Placement) -> bool:
    """Whether the link's frame can be a URDF joint's child: on the axis, or with a planar joint's axes."""
    if isinstance(joint, Prismatic):
        return True
    if isinstance(joint, (Revolute, Cylindrical, Helical)):
        return frame.origin[0] == 0 and frame.origin[1] == 0
    if isinstance(joint, Planar3):
        x, y, z = frame.inverse().rotate((0.0, 0.0, 1.0))
        return frame == align((x, y, z)).inverse()
    return frame.is_identity()


def _details(model: Model, body: Body, axis: Sequence[float]) -> tuple[str, list[str]]:
    """The type, and axis, limits, dynamics and mimic as elements."""
    kind = KINDS[type(body.joint)]
    more = [f"<axis xyz={_numbers([a + 0.0 for a in axis])}/>"] if kind not in OWN_AXES else []
    if isinstance(body.joint, Helical):
        more.append(f'<screw_thread_pitch value="{_thread(float(body.joint.pitch))!r}"/>')
    if not _together(body.joint):
        if kind == "revolute" and not body.lower and not body.upper:
            kind = "continuous"
        ends = (
            {} if kind == "continuous" else {"lower": body.lower or (-UNLIMITED,), "upper": body.upper or (UNLIMITED,)}
        )
        ends |= {"effort": body.effort or (UNLIMITED,), "velocity": body.velocity or (UNLIMITED,)}
        if kind != "continuous" or body.effort or body.velocity:
            more.append(_element("limit", {key: _capped(value) for key, value in ends.items()}))
        more += _dynamics({key: getattr(body, key) for key in ("damping", "friction", "armature")})
        given = {key: getattr(body, key) for key in ("stiffness", "springref") if getattr(body, key)}
        more += [_element("ordern", given)] if given else []
    else:  # URDF has one number at most for these
        given = {key: _capped(getattr(body, key)) for key in PER_VELOCITY if getattr(body, key)}
        more += _dynamics(
            {key: given[key][:1] for key in ("damping", "friction") if key in given and len(set(given[key])) == 1}
        )
        if given:
            more.append(_element("ordern", given))
    if body.mimic is not None:
        m = body.mimic
        more.append(
            f'<mimic joint={_quote(model.bodies[m.body].name)} multiplier="{m.ratio!r}" offset="{m.offset!r}"/>'
        )
    return kind, more


def _together(joint: Joint) -> bool:
    """Whether URDF lacks an element for the joint's properties by velocity."""
    return not isinstance(joint, (Revolute, Prismatic))


def _thread(pitch: float) -> float:
    """The pitch in m a turn that reads back as this pitch (m/rad) to the last bit, if any."""
    turn = 2 * math.pi
    near = [pitch * turn, math.nextafter(pitch * turn, math.inf), math.nextafter(pitch * turn, -math.inf)]
    return next((value for value in near if value / turn == pitch), near[0])


def _capped(values: Sequence[float]) -> Sequence[float]:
    return [max(-UNLIMITED, min(UNLIMITED, v)) for v in values]


def _dynamics(given: Mapping[str, Sequence[float]]) -> list[str]:
    there = {key: value for key, value in given.items() if value}
    if there and not there.keys() & {"damping", "friction"}:
        there["damping"] = (0.0,)  # urdfdom refuses a file with a <dynamics> that has neither
    return [_element("dynamics", there)] if there else []


def _element(tag: str, values: Mapping[str, Sequence[float]]) -> str:
    return f"<{tag} " + " ".join(f"{key}={_numbers(value)}" for key, value in values.items()) + "/>"
