"""Read SDF 1.4 to 1.12: nested and included models, frames, joints of all kinds, checked as read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from ...errors import InputError, ModelError
from ...model import Geometry, Model, Placement
from ..builder import build
from ..description_file import opened
from ..named_states import with_states
from ..other_files import misnamed
from ..specs import BuildOptions, JointSpec, LinkSpec, LoopSpec, quoted
from ..xml import Element, parse
from .sdf_frames import Frames, Scope, scopes
from .sdf_include import included
from .sdf_joints import joint_specs
from .sdf_mass import given, of_shapes
from .sdf_values import child_text, known, number, odd_angles, pose, truth, values

__all__ = ["load_sdf"]

VERSIONS = ((1, 4), (1, 12))
DEEPEST = 300
HARMLESS = (
    "plugin audio_source audio_sink battery light particle_emitter projector sensor self_collide "
    "allow_auto_disable enable_wind gripper grasp"
)
MODEL = frozenset(f"pose link joint frame model include static {HARMLESS}".split())
LINK = frozenset(
    f"pose inertial visual collision gravity kinematic must_be_base_link velocity_decay {HARMLESS}".split()
)
INERTIAL = frozenset(["mass", "pose", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame"])
READ = frozenset(
    ["ordern:state", "drake:joint", "drake:rotor_inertia", "drake:gear_ratio", "drake:mimic", "drake:controller_gains"]
)
SHOWN = ("mesh", "box", "cylinder", "capsule", "sphere", "empty")
Gravity = tuple[float, float, float]
ROOT = frozenset(["model", "world", "actor", "light"])


def load_sdf(
    path_or_text: str | os.PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    source: str = "",
    **options: Unpack[BuildOptions],
) -> Model:
    """Read an SDF file, or SDF text (anything that begins with "<"); see ``build`` for the options."""
    data, file, encoding = opened(path_or_text, "SDF")
    root = parsed(data, file or "SDF text", encoding)
    version = _version(root)
    found = _Found()
    top, scenery, own = _top(root, version, Path(file).resolve() if file else None)
    file = source or file
    found.take(top, scenery, file)
    name = (top if top.element.tag == "model" else top.inner[0]).element.text("name", "robot")
    joints = _rooted(found, options.get("base", "fixed"))
    if any(j.type == "floating" for j in joints):
        options["base"] = "fixed"
    gravity = own if gravity is None else gravity
    model = build(name, found.links, joints, gravity=gravity, source=file, world=True, loops=found.loops, **options)
    odd = [remark for scope in scopes(top) for remark in odd_angles(scope.element)]
    beyond = tuple(f"{kind}: {quoted(names, 4)}" for kind, names in found.beyond.items())
    model = with_states(
        model, (e for scope in scopes(top) if not scope.prefix for e in scope.element.all("ordern:state"))
    )
    return replace(model, beyond=beyond, suspect=tuple(dict.fromkeys(odd)))


def parsed(data: bytes, shown: str, encoding: str | None = None) -> Element:
    """The root with all its children."""
    children: list[Element] = []
    root = parse(
        data, shown, frozenset(), lambda _, child: children.append(child), encoding, deepest=DEEPEST, texts=True,
        begins="an SDF begins with <sdf version='1.9'>",
    )  # fmt: skip
    if root.tag != "sdf":
        told = f"the outermost element is <{root.tag[:80]}>; an SDF has <sdf version='1.9'> there"
        raise ModelError(f"{root.where}: {told}{misnamed(root.tag, 'SDF')}")
    root.children = children
    return known(root, ROOT)


def _version(root: Element) -> tuple[int, int]:
    text = root.text("version", "1.9")
    parts = text.strip().split(".")
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 4 for p in parts):
        raise ModelError(f"{root.where}: version={text[:80]!r} is no version; write version='1.9'")
    version = (int(parts[0]), int(parts[1]))
    if not VERSIONS[0] <= version <= VERSIONS[1]:
        raise ModelError(f"{root.where}: SDF {text} is not read, 1.4 to 1.12 are; convert it: gz sdf -p FILE > new.sdf")
    return version


def _top(root: Element, version: tuple[int, int], path: Path | None) -> tuple[Scope, list[Scope], Gravity]:
    """The model of the file, or what stands around several of them; the models left out as scenery; gravity."""
    worlds, g, whole = root.all("world"), (0.0, 0.0, -9.81), root
    if worlds:
        if len(worlds) > 1:
            raise ModelError(f"{worlds[1].where}: it is the second <world>; a robot has one")
        holder = worlds[0].one("physics") if version < (1, 6) else worlds[0]
        own = holder.one("gravity") if holder is not None else None
        x, y, z = values(own, 3) if own is not None else (0.0, 0.0, -9.8)
        g, whole = (x, y, z), worlds[0]
    models = [element for element in whole.children if element.tag in ("model", "include")]
    if not models:
        raise ModelError(f"{root.where}: there is no <model>; a robot is one")
    scenery: list[Scope] = []
    if len(models) > 1 or whole.all("frame") or whole.all("joint"):
        around = Scope(whole, "", None, version)
        for element in models:
            included(element, around, version, path, ())
        robots = [k for k, scope in enumerate(around.inner) if not _scenery(scope)]
        if robots and not whole.all("joint"):
            scenery = [scope for scope in around.inner if _scenery(scope)]
            models, around.inner = [models[k] for k in robots], [around.inner[k] for k in robots]
        if len(models) > 1 or whole.all("frame") or whole.all("joint"):
            return around, scenery, g
    return included(models[0], None, version, path, ())[0], scenery, g


def _scenery(scope: Scope) -> bool:
    """Whether a model of a world is only there to stand on: static, without joints."""
    return scope.static and not any(inner.element.all("joint") for inner in scopes(scope))


class _Found:
    """Links, joints and loops of the models so far."""

    def __init__(self) -> None:
        self.links: list[LinkSpec] = []
        self.joints: list[JointSpec] = []
        self.loops: list[LoopSpec] = []
        self.roots: list[tuple[str, Placement, str]] = []  # links that no joint moves, and where they stand
        self.beyond: dict[str, list[str]] = {}

    def take(self, top: Scope, scenery: list[Scope], source: str) -> None:
        """A model with those inside of it, or several in a world."""
        frames = Frames(top, scenery)
        placed: dict[str, Placement] = {}
        for scope in scopes(top):
            if scope.element.tag == "model":
                known(scope.element, MODEL)
            for element in scope.element.all("link"):
                name = scope.full(element.text("name", "link1"))
                placed[name] = frames.place(name, element)
                self.links.append(_link(element, name, scope, frames, self.beyond, source))
        if not placed:
            raise ModelError(f"{top.element.where}: there is no <link>; a robot has at least one")
        for part in (p for s in scopes(top) for p in (s.element, *s.element.all("link"), *s.element.all("joint"))):
            others = [c.tag for c in part.children if ":" in c.tag and c.tag not in READ]
            if others:
                self.beyond.setdefault("elements of other programs", []).append(f"{others[0]} of {part.label}")
        self.joints, self.loops, links = joint_specs(top, frames, placed, self.beyond)
        self.links += links
        for scope in scopes(top):
            if scope.static and any(
                j.attributes.get("type") != "fixed" for inner in scopes(scope) for j in inner.element.all("joint")
            ):
                kind = "models that are static, whose joints move here"
                self.beyond.setdefault(kind, []).append(scope.element.attributes["name"])
        moved = {j.child for j in self.joints}
        self.roots = [(name, at, top.element.where) for name, at in placed.items() if name not in moved]


def _rooted(found: _Found, base: str) -> list[JointSpec]:
    """The joints, with welds to the world for roots away from its origin or more than one root."""
    taken, joints = {j.name for j in found.joints}, list(found.joints)
    to_world = any(j.parent == "world" for j in joints)
    if base == "floating" and len(found.roots) != 1:
        raise InputError(f"base='floating' needs one link that no joint moves; this description has {len(found.roots)}")
    for name, at, where in found.roots:
        alone = len(found.roots) == 1 and at.is_identity() and (not to_world or name == "world")
        if base == "floating" or alone:
            continue
        weld = f"{name}_weld"
        while weld in taken:
            weld += "_"
        taken.add(weld)
        joints.append(JointSpec(weld, "fixed", "world", name, at, where=where))
    return joints


def _link(
    element: Element, name: str, scope: Scope, frames: Frames, beyond: dict[str, list[str]], source: str
) -> LinkSpec:
    known(element, LINK)
    for tag, off, kind in (
        ("gravity", False, "links on which gravity does not act"),
        ("kinematic", True, "links that only follow a path"),
    ):
        if truth(element, child_text(element, tag), not off) == off:
            beyond.setdefault(kind, []).append(name)
    if element.one("velocity_decay") is not None:
        beyond.setdefault("damping of the air", []).append(name)
    shapes = [
        tuple(s for s in (_shape(e, _within(e, element, scope, frames)) for e in element.all(tag)) if s is not None)
        for tag in ("visual", "collision")
    ]
    for e in (*element.all("visual"), *element.all("collision")):
        for geometry in e.all("geometry"):
            for shape in geometry.children:
                if shape.tag not in SHOWN:
                    beyond.setdefault(f"shapes that are not shown ({shape.tag})", []).append(name)
    if shapes[1]:
        beyond.setdefault("contacts of links with collision shapes", []).append(name)
    inertial = element.one("inertial")
    if inertial is None:  # SDF's own defaults
        return LinkSpec(name, 1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), shapes[0], shapes[1], element.where)
    known(inertial, INERTIAL)
    if inertial.one("fluid_added_mass") is not None:
        beyond.setdefault("added mass of the water around", []).append(name)
    if truth(inertial, inertial.attributes.get("auto", "")):
        places = [(e, _within(e, element, scope, frames)) for e in element.all("collision")]
        piece = of_shapes(inertial, places, source)
    else:
        piece = given(inertial, _within(inertial, element, scope, frames))
    return LinkSpec(name, piece.mass, piece.com, piece.inertia, shapes[0], shapes[1], element.where)


def _within(part: Element, link: Element, scope: Scope, frames: Frames) -> Placement:
    """Where a part of a link is in it."""
    base, at = pose(part, scope.version)
    if not base:
        return at
    here = frames.place(scope.full(link.attributes["name"]), link)
    return here.inverse() @ frames.place(scope.full(base), part) @ at


def _shape(element: Element, at: Placement) -> Geometry | None:
    """A visual or collision; None for shapes that are not drawn."""
    geometry = element.one("geometry")
    material = element.one("material")
    diffuse = material.one("diffuse") if material is not None else None
    color = values(diffuse, 4) if diffuse is not None and len(diffuse.content.split()) == 4 else ()
    for shape in geometry.children if geometry is not None else ():
        if shape.tag == "mesh":
            scale = shape.one("scale")
            return Geometry(
                "mesh", values(scale, 3) if scale is not None else (1.0, 1.0, 1.0), child_text(shape, "uri"), at, color
            )
        if shape.tag == "box":
            size = shape.one("size")
            return Geometry("box", values(size, 3) if size is not None else (1.0, 1.0, 1.0), "", at, color)
        if shape.tag in ("cylinder", "capsule"):
            return Geometry(shape.tag, (number(shape, "radius", 1.0), number(shape, "length", 1.0)), "", at, color)
        if shape.tag == "sphere":
            return Geometry("sphere", (number(shape, "radius", 1.0),), "", at, color)
    return None
