"""Read URDF: links, joints, inertials, limits, mimics and shapes, checked as they are read."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from ...errors import ModelError, near, tell
from ...joints import JOINTS
from ...model import Model, Placement
from ...model.placements import Tensor, turn_tensor
from ..builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ..description_file import opened
from ..followers import left_drives
from ..meshes import mesh_path
from ..named_states import with_states
from ..other_files import misnamed
from ..specs import DEGREES, NO_INERTIA, TURN, BuildOptions, joint_types
from ..xml import INSIDE, Element, parse
from .transmissions import armatures
from .urdf_loops import origin_of, read_coupling, read_loop
from .urdf_shapes import SHAPES, rgba, shape_of
from .urdf_write import GRAVITY, PER_VELOCITY, UNLIMITED, to_urdf

__all__ = ["load_urdf", "mesh_path", "to_urdf"]

IGNORED = frozenset({"gazebo", "ros2_control", "sensor"})
TEXTS = frozenset({"transmission"})
# joints that some programs have beside URDF's own: as <joint type="..."> or as Drake's <drake:joint type="...">
EXTENSIONS = {
    "spherical": "spherical",
    "ball": "spherical",
    "universal": "universal",
    "cylindrical": "cylindrical",
    "screw": "helical",
}
PARTS = {  # what stands in an element, as far as motion and pictures depend on it
    "robot": ("link", "joint", "transmission", "material", "loop", "coupling", "actuated", "ordern"),
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry", "material"),
    "geometry": (*SHAPES, "mesh"),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"),
}
OTHERS = frozenset(  # of other programs, which change no motion
    ("mujoco", "frame", "contact", "verbose", "self_collision_checking", "collision_checking", "self_filter", "traits")
) | {"controller_gains", "ordern", "sensor", "gazebo", "ros2_control", "contact_coefficients"}
ONE_WAY = ("revolute", "continuous", "prismatic", "helical")  # joints of one velocity, to which a <limit> belongs
PITCH = ("drake:screw_thread_pitch", "screw_thread_pitch", "thread_pitch")  # m a turn


def load_urdf(
    path_or_text: str | os.PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    source: str = "",
    **options: Unpack[BuildOptions],
) -> Model:
    """Read a URDF file, or URDF text (anything that begins with "<"); see ``build`` for the options."""
    urdf = _Robot()
    data, file, encoding = opened(path_or_text, "URDF")
    source = file or source
    root = parse(data, source or "URDF text", IGNORED, urdf.take, encoding, texts=TEXTS, inside=INSIDE)
    _is_robot(root)
    if not urdf.links:
        semantic = source.lower().endswith(".srdf")  # MoveIt's groups and named states of a robot
        hint = "an SRDF holds none: give the URDF that it belongs to" if semantic else "such as <link name='base'/>"
        raise ModelError(f"{root.where}: there is no <link>; a robot has at least one, {hint}")
    if options.get("actuated") is None:
        options["actuated"] = left_drives(urdf.actuated, options.get("locked"))
    model = build(
        _name(root, source), urdf.finished(), urdf.driven(), gravity=urdf.gravity if gravity is None else gravity,
        source=source, world=False, loops=urdf.loops, home=urdf.home or None, **options,
    )  # fmt: skip
    model = with_states(model, urdf.states)
    return replace(model, suspect=tuple(urdf.suspect)) if urdf.suspect else model


def _name(root: Element, source: str) -> str:
    """The robot's name; a file without one is called as its file is."""
    if root.attributes.get("name", "").strip():
        return root.attributes["name"]
    stem = Path(source).name.partition(".")[0] if source else ""
    name = stem or "robot"
    tell(f"{root.where}: the robot has no name; it is called {name[:80]!r} (write <robot name='...'>)")
    return name


def _is_robot(root: Element) -> None:
    if root.tag != "robot":
        told = f"the outermost element is <{root.tag[:80]}>; a URDF has <robot name='...'> there"
        raise ModelError(f"{root.where}: {told}{misnamed(root.tag, 'URDF')}")


class _Robot:
    """Links and joints as they come out of the file, and the colours that materials have by name."""

    def __init__(self) -> None:
        self.links: list[LinkSpec | Element] = []  # an element waits for a material that comes later
        self.joints: list[JointSpec] = []
        self.loops: list[LoopSpec] = []
        self.actuated: list[str] | None = None
        self.home: dict[str, tuple[float, ...]] = {}  # where loops close
        self.states: list[Element] = []
        self.gravity: tuple[float, ...] = GRAVITY
        self.colors: dict[str, tuple[float, ...]] = {}
        self.types = _types()
        self.suspect: list[tuple[str, str, str]] = []  # angles that look like degrees, soft limits beyond the hard ones
        self.rotors: dict[str, tuple[float, str]] = {}  # armature by joint, and where the file has it

    def take(self, root: Element, element: Element) -> None:
        """One child of <robot>."""
        if not self.links and not self.joints:
            _is_robot(root)
        if element.tag in ("link", "joint", "drake:joint"):
            self._angles(element)
            self._strange(element, element.children)
            for part in _drawn(element) if element.tag == "link" else ():
                self._strange(part, part.children, element.label)
        else:
            self._strange(root, [element])
        if element.tag == "link":
            materials = [m for visual in element.all("visual") for m in visual.all("material")]
            for material in materials:
                self._color(material)
            known = all(m.one("color") is not None or m.attributes.get("name") in self.colors for m in materials)
            self.links.append(_link(element, self.colors) if known else element)
        elif element.tag in ("joint", "drake:joint"):
            self.joints.append(_joint(element, self.types))
            self._soft(element)
            self._idle(element)
        elif element.tag == "transmission":
            for joint, armature in armatures(element):
                self.rotors.setdefault(joint, (armature, element.where))
        elif element.tag == "material":
            self._color(element)
        elif element.tag in ("loop", "coupling"):
            self.loops.append(read_loop(element) if element.tag == "loop" else read_coupling(element))
        elif element.tag == "actuated":
            named = [element.text("joint", "joint1")] if element.attributes else []
            self.actuated = [*(self.actuated or []), *named]
        elif element.tag == "ordern":
            self.gravity = element.spelled("gravity").numbers("gravity", 3, GRAVITY)
            self.states = element.all("state")
            self.home = {e.text("joint", "joint1"): e.numbers("q", 7, least=1) for e in element.all("home")}
        elif element.tag.startswith("xacro:"):
            raise ModelError(
                f"{element.where}: xacro is not URDF yet; run xacro on the file first (xacro FILE > "
                "robot.urdf), or name it .xacro, and ordern runs xacro"
            )

    def _angles(self, owner: Element) -> None:
        """Notice angles of more than a turn."""
        todo = list(owner.children)
        while todo:
            element = todo.pop()
            todo += element.children
            if (
                element.tag == "origin"
                and "rpy" in element.attributes
                and any(abs(a) > TURN for a in element.numbers("rpy", 3))
            ):
                text = f"rpy={element.attributes['rpy'][:80]!r} in line {element.line} is more than a turn"
                self.suspect.append((owner.label, text, DEGREES))

    def _strange(self, owner: Element, inside: Sequence[Element], label: str = "") -> None:
        """Notice elements that URDF does not have there; one at the top that is a slip of the pen is refused."""
        known = PARTS[owner.tag.removeprefix("drake:")]
        for element in inside:
            if element.tag in (*known, *PITCH) or element.tag in OTHERS or ":" in element.tag:
                continue
            hint = near(element.tag, known, cutoff=0.75) if owner.tag == "robot" else ""
            if hint:
                raise ModelError(f"{element.where}: unknown element{hint}")
            text = f"<{element.tag[:80]}> in line {element.line} is no element of URDF there and is left out"
            self.suspect.append((label or owner.label, text, "remove it, or say the same in words of URDF"))

    def _color(self, material: Element) -> None:
        name, color = material.attributes.get("name"), material.one("color")
        if name and color is not None:
            self.colors.setdefault(name, rgba(color))

    def _idle(self, element: Element) -> None:
        """Notice a <limit> of a joint of several ways, and what a weld kept of the joint that it was."""
        kind = self.joints[-1].type
        why, fix = "the joint has several ways to move", "give a number for each of them in <ordern lower='...'/>"
        tags: tuple[str, ...] = ("limit",)
        if kind == "fixed":  # whose limits files often have, and which say nothing that a weld does not
            why, fix, tags = "the joint is fixed", "remove it, or give the joint another type", ("dynamics", "mimic")
        for tag in () if kind in ONE_WAY else tags:
            found = element.one(tag)
            if found is not None and any(text.strip("0. ") for text in found.attributes.values()):
                self.suspect.append((element.label, f"<{tag}> in line {found.line} is left out: {why}", fix))

    def _soft(self, element: Element) -> None:
        """A <safety_controller>: no part of dynamics, but its limits should lie within those of the joint."""
        safety = element.one("safety_controller")
        if safety is None:
            return
        safety.spelled("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
        low, high = safety.number("soft_lower_limit", 0.0), safety.number("soft_upper_limit", 0.0)
        for key in ("k_position", "k_velocity"):
            safety.number(key, 0.0)
        lower, upper = self.joints[-1].lower, self.joints[-1].upper
        if low > high or (isinstance(lower, float) and low < lower) or (isinstance(upper, float) and high > upper):
            text = f"soft limits {low:g} to {high:g} do not lie within those of the joint"
            self.suspect.append((element.label, text, "correct them, or the limits of the joint"))

    def driven(self) -> list[JointSpec]:
        """All joints, with the rotors of their transmissions."""
        names = {joint.name for joint in self.joints}
        for name, (_, where) in self.rotors.items():
            if name not in names:
                raise ModelError(
                    f"{where}: drives the joint {name[:80]!r}, which does not exist; correct the "
                    f"name{near(name, names)}"
                )
        return [
            replace(joint, armature=self.rotors[joint.name][0])
            if joint.name in self.rotors and joint.armature is None
            else joint
            for joint in self.joints
        ]

    def finished(self) -> list[LinkSpec]:
        """All links, including those that waited for a material."""
        return [_link(link, self.colors) if isinstance(link, Element) else link for link in self.links]


def _drawn(link: Element) -> list[Element]:
    """The visuals and collisions of a link, and the geometry in each."""
    found = [part for tag in ("visual", "collision") for part in link.all(tag)]
    return [*found, *(geometry for part in found for geometry in part.all("geometry"))]


def _spelled(element: Element) -> Element:
    """The element, unless one in it looks like a misspelling of a part that is missing, which would be left out."""
    known = PARTS[element.tag.removeprefix("drake:")]
    tags = {child.tag for child in element.children}
    for child in element.children:
        absent = [tag for tag in known if tag not in tags] if child.tag not in known and ":" not in child.tag else []
        hint = near(child.tag, absent, cutoff=0.75) if absent and child.tag not in PITCH else ""
        if hint:
            raise ModelError(f"{child.where}: unknown element{hint}")
    return element


def _link(element: Element, colors: Mapping[str, tuple[float, ...]]) -> LinkSpec:
    name = _spelled(element).text("name", "link1")
    for part in _drawn(element):
        _spelled(part)
    shapes = [
        tuple(s for s in (shape_of(e, colors) for e in element.all(tag)) if s is not None)
        for tag in ("visual", "collision")
    ]
    inertial = element.one("inertial")
    if inertial is None:
        return LinkSpec(name, visuals=shapes[0], collisions=shapes[1], where=element.where)
    mass = _spelled(inertial).need("mass", "<mass value='1.0'/>").number("value")
    entries = inertial.one("inertia")
    if entries is None:
        tell(f"{inertial.where}: there is no <inertia>; the link is taken for a point of {mass:g} kg")
        return LinkSpec(name, mass, origin_of(inertial).origin, NO_INERTIA, shapes[0], shapes[1], element.where)
    xx, yy, zz, xy, xz, yz = (entries.number(key) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    tensor: Tensor = (xx, yy, zz, xy, xz, yz)
    frame = origin_of(inertial)
    if frame.rotation != Placement().rotation:
        tensor = turn_tensor(frame.rotation, tensor)
    return LinkSpec(name, mass, frame.origin, tensor, shapes[0], shapes[1], element.where)


def _axis(element: Element, kind: str) -> tuple[float, ...] | None:
    """The direction of a joint; None where it has none."""
    axis = element.one("axis")
    x, y, z = (1.0, 0.0, 0.0)
    if axis is not None and (kind != "fixed" or "xyz" in axis.attributes):  # a weld's axis means nothing
        x, y, z = axis.spelled("xyz").numbers("xyz", 3)
    if kind in ("fixed", "floating", "spherical"):
        return None
    if axis is not None and kind != "universal" and not (x or y or z):
        raise ModelError(f"{axis.where}: the axis is {(x, y, z)}; give it a direction, such as xyz='0 0 1'")
    if axis is not None and kind == "universal" and (x < 0 or y or z):
        raise ModelError(
            f"{axis.where}: the axis is {(x, y, z)}, but a universal joint turns about x and y of its frame; turn its "
            "<origin>, and leave the axis out"
        )
    return (x, y, z) if kind != "universal" else None


def _joint(element: Element, types: Sequence[str]) -> JointSpec:
    name = _spelled(element).text("name", "joint1")
    kind = element.text("type", "revolute")
    kind = EXTENSIONS.get(kind, kind)
    if kind not in types:
        raise ModelError(
            f"{element.where}: unknown joint type {kind[:80]!r}; URDF has {', '.join(types)}{near(kind, types)}"
        )
    parent = element.need("parent", "<parent link='link0'/>").text("link", "link0")
    child = element.need("child", "<child link='link1'/>").text("link", "link1")
    turns = [child.number("value") / (2 * math.pi) for child in element.children if child.tag in PITCH]
    if kind == "helical" and not turns:
        raise ModelError(f"{element.where}: a screw needs its pitch, m a turn: <screw_thread_pitch value='0.01'/>")
    pitch = turns[0] if turns else 0.0
    moves = {**_dynamics(element), "mimic": _mimic(element)}
    given = _limits(element, kind) if kind == "fixed" else moves | _limits(element, kind)  # of welds, see _idle
    return JointSpec(
        name,
        kind,
        parent,
        child,
        origin_of(element),
        axis=_axis(element, kind),
        pitch=pitch,
        where=element.where,
        **given,
    )


def _types() -> list[str]:
    """The joint types of URDF, as the joint classes claim them."""
    return list(
        dict.fromkeys(["fixed", *(alias for cls in JOINTS.values() for alias in cls.urdf), *EXTENSIONS.values()])
    )


def _limits(element: Element, kind: str) -> dict[str, Any]:
    """The given limits; joints of several coordinates have theirs in <ordern>."""
    own = element.one("ordern")
    more = {} if own is None else _per_velocity(own, kind)
    limit = element.one("limit")
    if limit is None or kind not in ONE_WAY:
        return more
    limit.spelled("lower", "upper", "velocity", "effort")
    made: dict[str, Any] = {
        key: limit.number(key) for key in ("lower", "upper", "velocity", "effort") if key in limit.attributes
    }
    if kind == "continuous":  # whose ends URDF says to ignore
        made = {key: made[key] for key in ("velocity", "effort") if key in made}
    if ("lower" in made) != ("upper" in made):
        made = {"lower": 0.0, "upper": 0.0, **made}  # URDF's default for the one that is left out
    return {key: value for key, value in made.items() if abs(value) < UNLIMITED} | more


def _per_velocity(own: Element, kind: str) -> dict[str, Any]:
    """What only ordern writes: a number for each velocity of the joint; where a spring rests, for each coordinate."""
    cls = joint_types()[kind]
    nq, nv = (cls.nq, cls.nv) if cls is not None else (1, 1)
    for key in own.attributes:
        if key not in PER_VELOCITY:
            raise ModelError(
                f"{own.where}: unknown attribute {key[:80]!r}; there are "
                f"{', '.join(PER_VELOCITY)}{near(key, PER_VELOCITY)}"
            )
    made = {key: own.numbers(key, nq if key == "springref" else nv) for key in own.attributes}
    return {
        key: [math.copysign(math.inf, v) if abs(v) >= UNLIMITED else v for v in values] for key, values in made.items()
    }


def _dynamics(element: Element) -> dict[str, Any]:
    """Damping and friction, and armature, which only ordern writes."""
    dynamics = element.one("dynamics")
    if dynamics is None:
        return {}
    dynamics.spelled("damping", "friction", "armature")
    return {key: dynamics.number(key) for key in ("damping", "friction", "armature") if key in dynamics.attributes}


def _mimic(element: Element) -> MimicSpec | None:
    mimic = element.one("mimic")
    if mimic is None:
        return None
    mimic.spelled("joint", "multiplier", "offset")
    return MimicSpec(mimic.text("joint", "joint1"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
