"""SDF joints: placement, axes in the frame the version means, and loops where the tree closes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any

from ...errors import ModelError, near
from ...model import Placement
from ..specs import JointSpec, LinkSpec, LoopSpec, MimicSpec
from ..xml import Element
from .sdf_frames import Frames, Scope, scopes
from .sdf_values import attributed, child_text, known, number, only, truth, values

__all__ = ["joint_specs"]

TYPES = {
    "revolute": "revolute", "continuous": "continuous", "prismatic": "prismatic", "fixed": "fixed", "ball": "spherical",
    "screw": "helical",
    "universal": "universal", "revolute2": "revolute2", "gearbox": "gearbox",
}  # fmt: skip
JOINT = frozenset(
    (
        "parent",
        "child",
        "pose",
        "axis",
        "axis2",
        "physics",
        "sensor",
        "plugin",
        "gearbox_ratio",
        "gearbox_reference_body",
        "thread_pitch",
    )
) | {"screw_thread_pitch", "frame"}
LIMIT = frozenset(["lower", "upper", "effort", "velocity", "stiffness", "dissipation"])
DYNAMICS = frozenset(["damping", "friction", "spring_reference", "spring_stiffness"])
MIMIC = frozenset(["multiplier", "offset", "reference"])
AXIS = frozenset(["xyz", "limit", "dynamics", "mimic", "use_parent_model_frame", "initial_position"])
SQUARE = 1e-6  # axes of a universal joint nearer to a right angle are one

Specs = tuple[list[JointSpec], list[LoopSpec], list[LinkSpec]]


def joint_specs(top: Scope, frames: Frames, placed: Mapping[str, Placement], beyond: dict[str, list[str]]) -> Specs:
    """All joints of a model; a joint whose child has one already closes a loop."""
    joints: list[JointSpec] = []
    loops: list[LoopSpec] = []
    links: list[LinkSpec] = []
    gears: list[_Joint] = []
    moved: set[str] = set()
    led = {
        scope.full(tie.attributes.get("joint", ""))
        for scope in scopes(top)
        for joint in scope.element.all("joint")
        for axis in (*joint.all("axis"), *joint.all("axis2"))
        for tie in axis.all("mimic")
    }
    for scope in scopes(top):
        for element in scope.element.all("drake:joint"):
            joints.append(_planar(element, scope, frames, placed))
            moved.add(joints[-1].child)
        for element in scope.element.all("joint"):
            known(element, JOINT)
            kind = element.text("type", "revolute")
            if kind not in TYPES:
                raise ModelError(
                    f"{element.where}: unknown joint type {kind[:80]!r}; SDF has {', '.join(TYPES)}{near(kind, TYPES)}"
                )
            one = _Joint(element, scope, frames, placed)
            if kind == "gearbox":
                gears.append(one)
                continue
            if one.child in moved:
                loops.append(one.loop())
                if one.tied or any(_given(element.one(tag)) for tag in ("axis", "axis2")):
                    beyond.setdefault("limits, losses and springs of joints that close loops", []).append(one.name)
                continue
            moved.add(one.child)
            if any(axis.all("initial_position") for axis in (*element.all("axis"), *element.all("axis2"))):
                beyond.setdefault("initial positions of joints", []).append(one.name)
            made, between = one.specs(led)
            joints += made
            links += between
    for one in gears:
        loop = _gear(one, joints, placed)
        if loop is None:
            beyond.setdefault("gearboxes between links that do not turn on their reference", []).append(one.name)
        else:
            loops.append(loop)
    return joints, loops, links


def _end(
    element: Element, tag: str, scope: Scope, frames: Frames, placed: Mapping[str, Placement]
) -> tuple[str, Placement]:
    """A link, or the link that a frame is attached to."""
    name = scope.full(only(element, tag, "a link"))
    seen: set[str] = set()
    while (
        name not in placed and name != "world"
    ):  # a frame moves with what it is attached to, a model with its canonical link
        if name not in frames.attached or name in seen:
            raise ModelError(
                f"{element.where}: its {tag} {name[:80]!r} is no link; correct the name{near(name, placed)}"
            )
        seen.add(name)
        name = frames.attached[name]
    frames.attached |= dict.fromkeys(seen, name)  # many joints may stand on one long chain of frames
    return name, (Placement() if name == "world" else placed[name])


def _planar(element: Element, scope: Scope, frames: Frames, placed: Mapping[str, Placement]) -> JointSpec:
    """Drake's joint in the plane of two frames."""
    if element.text("type", "planar") != "planar":
        raise ModelError(f"{element.where}: of Drake's own joints the planar one is read; take a joint of SDF")
    (parent, above), (child, below) = (
        _end(element, f"drake:{tag}", scope, frames, placed) for tag in ("parent", "child")
    )
    at, moved = (frames.place(scope.full(child_text(element, f"drake:{tag}")), element) for tag in ("parent", "child"))
    damping = element.one("drake:damping")
    return JointSpec(
        scope.full(element.text("name", "joint1")), "planar", parent, child, above.inverse() @ at,
        axis=(0.0, 0.0, 1.0), child_frame=moved.inverse() @ below, where=element.where,
        damping=None if damping is None else values(damping, 3),
    )  # fmt: skip


class _Joint:
    """One joint with its frames."""

    def __init__(self, element: Element, scope: Scope, frames: Frames, placed: Mapping[str, Placement]) -> None:
        self.element, self.scope, self.frames = element, scope, frames
        self.name = scope.full(element.text("name", "joint1"))
        self.kind = TYPES[element.attributes["type"]]
        self.at = frames.place(scope.full(element.attributes["name"]), element)
        self.parent, self.above = _end(element, "parent", scope, frames, placed)
        self.child, self.below = _end(element, "child", scope, frames, placed)
        if self.child == "world":
            raise ModelError(f"{element.where}: the world is no child; exchange parent and child")
        if self.parent == self.child:
            raise ModelError(
                f"{element.where}: parent and child are both {self.child!r}; a joint connects two different links"
            )

    @property
    def origin(self) -> Placement:
        """The joint's frame in the parent link's."""
        return self.above.inverse() @ self.at

    @property
    def after(self) -> Placement:
        """The child link's frame in the joint's."""
        return self.at.inverse() @ self.below

    def axis(self, tag: str) -> tuple[Element | None, tuple[float, float, float]]:
        """An axis in the joint's frame."""
        element = self.element.one(tag)
        if element is None:
            return None, (0.0, 0.0, 1.0)
        known(element, AXIS)
        xyz = element.one("xyz")
        x, y, z = values(xyz, 3) if xyz is not None else (0.0, 0.0, 1.0)
        seen = (attributed(xyz).attributes.get("expressed_in", "") if xyz is not None else "") or ""
        if self.scope.version < (1, 7) and seen:
            raise ModelError(
                f"{element.where}: expressed_in is for SDF 1.7 and later; this file says "
                f"{self.scope.version[0]}.{self.scope.version[1]}"
            )
        in_model = truth(element, child_text(element, "use_parent_model_frame"), self.scope.version < (1, 5))
        if self.scope.version < (1, 7) and in_model:
            seen = "__model__"
        if seen:
            frame = self.frames.place(self.scope.full(seen), element)
            turned = self.at.inverse() @ Placement(frame.rotation)
            x, y, z = turned.rotate((x, y, z))
        if math.hypot(x, y, z) < 1e-9:
            raise ModelError(f"{element.where}: the axis is {(x, y, z)}; give it a direction, such as <xyz>0 0 1</xyz>")
        return element, (x, y, z)

    @property
    def tied(self) -> bool:
        """Whether an axis of its own follows another joint."""
        return any(axis.all("mimic") for tag in ("axis", "axis2") for axis in self.element.all(tag))

    def specs(self, led: Set[str]) -> tuple[list[JointSpec], list[LinkSpec]]:
        """The joint; with axes that are not square, or follow or lead (``led``: the joints that do) each on its own, as
        two with a link without mass between them.
        """
        one, first = self.axis("axis")
        two, second = self.axis("axis2")
        if self.kind == "universal" and one is None and two is None:
            first, second = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)  # as its class has them
        where = self.element.where
        ends: dict[str, Any] = {"parent": self.parent, "child": self.child, "where": where}
        frames: dict[str, Any] = {"origin": self.origin, "child_frame": self.after}
        if self.kind in ("fixed", "spherical"):
            damping = _given(one).get("damping") if self.kind == "spherical" else None  # as Drake reads it
            return [JointSpec(self.name, self.kind, **ends, **frames, damping=damping)], []
        if self.kind in ("universal", "revolute2"):
            square = abs(sum(a * b for a, b in zip(first, second, strict=True))) <= SQUARE * math.hypot(
                *first
            ) * math.hypot(*second)
            if self.kind == "universal" and not square:
                raise ModelError(
                    f"{where}: the axes of a universal joint are perpendicular; correct <axis2>, or make it a revolute2"
                )
            names = [self.name, f"{self.name}_2"]
            between = f"{self.child}_after_{self.name.rpartition('::')[2]}"
            made = [
                JointSpec(
                    names[0],
                    "revolute",
                    self.parent,
                    between,
                    self.origin,
                    axis=first,
                    mimic=self.mimic(one),
                    where=where,
                    **_given(one),
                ),
                JointSpec(
                    names[1],
                    "revolute",
                    between,
                    self.child,
                    axis=second,
                    child_frame=self.after,
                    mimic=self.mimic(two),
                    where=where,
                    **_given(two),
                ),
            ]
            if not square or self.tied or self.name in led:
                return made, [LinkSpec(between, where=where)]
            pairs = {key: _both(getattr(made[0], key), getattr(made[1], key), none) for key, none in NONE.items()}
            return [JointSpec(self.name, "universal", **ends, **frames, axis=first, axis2=second, **pairs)], []
        more: dict[str, Any] = {"pitch": self.pitch()} if self.kind == "helical" else {}
        more |= {"armature": self.armature(one), "mimic": self.mimic(one), **_given(one)}
        if self.kind == "continuous":  # which has no ends, whatever its <limit> says
            more |= {"lower": None, "upper": None}
        return [JointSpec(self.name, self.kind, **ends, **frames, axis=first, **more)], []

    def armature(self, axis: Element | None) -> float | None:
        """Drake's reflected rotor inertia; a joint without effort has none."""
        rotor, gear = (
            number(self.element, f"drake:{tag}", x) for tag, x in (("rotor_inertia", 0.0), ("gear_ratio", 1.0))
        )
        return rotor * gear**2 if rotor and _given(axis).get("effort") != 0 else None

    def mimic(self, axis: Element | None) -> MimicSpec | None:
        """The joint that this one follows: multiplier * (its coordinate - reference) + offset."""
        own = self.element.one("drake:mimic")
        if own is not None:
            return MimicSpec(
                self.scope.full(own.text("joint", "joint1")), own.number("multiplier"), own.number("offset")
            )
        found = axis.one("mimic") if axis is not None else None
        if found is None:
            return None
        ratio = number(known(found, MIMIC), "multiplier", 1.0)
        shift = number(found, "offset", 0.0) - ratio * number(found, "reference", 0.0)
        of = found.attributes.get("axis", "") or "axis"
        if of not in ("axis", "axis2"):
            raise ModelError(f"{found.where}: axis={of[:80]!r}; a joint has 'axis' and 'axis2' to follow")
        leader = self.scope.full(found.text("joint", "joint1"))
        return MimicSpec(f"{leader}_2" if of == "axis2" else leader, ratio, shift)

    def pitch(self) -> float:
        """The screw pitch in m/rad, right-handed, 1 m a revolution if none is given; old files give rad/m of a
        left-handed thread.
        """
        if self.element.one("screw_thread_pitch") is not None or self.element.one("thread_pitch") is None:
            return number(self.element, "screw_thread_pitch", 1.0) / (2 * math.pi)
        old = number(self.element, "thread_pitch", 1.0)
        if old == 0:
            raise ModelError(
                f"{self.element.where}: thread_pitch is 0 rad/m; give <screw_thread_pitch> in m a revolution"
            )
        return -1.0 / old

    def loop(self) -> LoopSpec:
        """The joint as what closes a chain."""
        if self.kind == "revolute2":
            raise ModelError(
                f"{self.element.where}: a revolute2 joint cannot close a loop here; let another joint of the loop do so"
            )
        _, first = self.axis("axis")
        _, second = self.axis("axis2")
        kind = "revolute" if self.kind == "continuous" else self.kind
        extra: dict[str, Any] = {"axis": first} if kind not in ("fixed", "spherical") else {}
        if kind == "universal":
            extra["axis2"] = second
        if kind == "helical":
            extra["pitch"] = self.pitch()
        frame2 = self.below.inverse() @ self.at
        return LoopSpec(
            self.name,
            kind,
            self.parent,
            self.child,
            frame1=self.origin,
            frame2=frame2,
            where=self.element.where,
            **extra,
        )


NONE = {
    "lower": -math.inf, "upper": math.inf, "velocity": math.inf, "effort": math.inf,
    "damping": 0.0, "friction": 0.0, "stiffness": 0.0, "springref": 0.0,
}  # fmt: skip


def _both(a: object, b: object, none: float) -> Any:
    return None if a is None and b is None else [none if a is None else a, none if b is None else b]


def _given(axis: Element | None) -> dict[str, Any]:
    """Limits, friction and spring of an axis."""
    if axis is None:
        return {}
    limit, dynamics = axis.one("limit"), axis.one("dynamics")
    for part, inside in ((limit, LIMIT), (dynamics, DYNAMICS)):
        if part is not None:
            known(part, inside)
    low, high = number(limit, "lower", -math.inf, infinite=True), number(limit, "upper", math.inf, infinite=True)
    made: dict[str, Any] = {"lower": low, "upper": high} if math.isfinite(low) or math.isfinite(high) else {}
    for key in ("velocity", "effort"):
        value = number(limit, key, -1.0, infinite=True)
        if value >= 0 and math.isfinite(value):  # -1 stands for none
            made[key] = value
    for key in ("damping", "friction"):
        value = number(dynamics, key, 0.0)
        if value:
            made[key] = value
    stiffness = number(dynamics, "spring_stiffness", 0.0)
    if stiffness:
        made |= {"stiffness": stiffness, "springref": number(dynamics, "spring_reference", 0.0)}
    return made


def _gear(gear: _Joint, joints: list[JointSpec], placed: Mapping[str, Placement]) -> LoopSpec | None:
    """Two links on one reference link: child angle = -ratio * parent angle, about the gearbox's axis2 and axis."""
    reference = _end(gear.element, "gearbox_reference_body", gear.scope, gear.frames, placed)[0]
    terms: dict[str, float] = {}
    for end, tag, ratio in (
        (gear.parent, "axis", number(gear.element, "gearbox_ratio", 1.0)),
        (gear.child, "axis2", 1.0),
    ):
        joint = next((j for j in joints if {j.parent, j.child} == {reference, end}), None)
        if joint is None:
            return None
        given, axis = gear.axis(tag)
        if given is not None and joint.axis is not None:
            frame = (placed.get(joint.parent) or Placement()) @ joint.origin
            own, wanted = frame.rotate(joint.axis), gear.at.rotate(axis)
            along = sum(a * b for a, b in zip(own, wanted, strict=True)) / (math.hypot(*own) * math.hypot(*wanted))
            if abs(along) < 1.0 - SQUARE:
                return None
            ratio = math.copysign(ratio, ratio * along)
        terms[joint.name] = ratio if joint.parent == reference else -ratio
    return LoopSpec(gear.name, "gear", joints=terms, where=gear.element.where)
