"""Check that a description is a tree: names, parents, roots and cycles, each fault with place and remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError, ModelError, near, shown
from ..joints import Joint
from ..model import Geometry, Mass, Model, Placement
from .specs import PER_VELOCITY, JointSpec, LinkSpec, LoopSpec, MimicSpec, is_list, joint_type, joint_types, quoted

__all__ = [
    "LONGEST", "check_home", "check_structure", "listed", "passable", "right_joints", "right_kinds", "right_shapes",
]  # fmt: skip

Spec = TypeVar("Spec", LinkSpec, JointSpec, LoopSpec)

LONGEST = 255  # characters of a name: what file systems and other programs take
MOST_JOINTS = 50_000  # joints that all loops together run through: their equations take a minute to sort


def check_structure(where: str, links: Sequence[LinkSpec], joints: Sequence[JointSpec], *, world: bool) -> int | None:
    """The index of the root link (None if all trees hang on "world"); a ModelError if this is no tree."""
    if not links:
        raise ModelError(f"{where}: there is no link; a robot has at least one")
    _names([(link.name, link.where) for link in links], "link")
    _names([(joint.name, joint.where) for joint in joints], "joint")
    index = {link.name: k for k, link in enumerate(links)}
    above = _parents(index, joints, world)
    roots = [k for k, link in enumerate(links) if link.name not in above]
    _reached(links, joints, above, roots)
    if len(roots) > 1:
        names = quoted(links[k].name for k in roots)
        fix = ", or give each tree a joint with the parent 'world'" if world else ""
        raise ModelError(
            f"{links[roots[1]].where}: two roots: {names} are no joint's child; connect them by fixed joints{fix}"
        )
    return roots[0] if roots else None


def check_home(where: str, home: object, joints: Sequence[JointSpec], loops: Sequence[LoopSpec]) -> None:
    """Refuse a ``home`` that nothing asks for, or of joints that the description does not have."""
    if home is not None and not loops:
        raise ModelError(
            f"{where}: home says where loops close, but there is no loop (LoopSpec, [[loop]], <loop>); leave home out, "
            "or add a loop"
        )
    names = {joint.name for joint in joints} if isinstance(home, Mapping) else set()
    for name in home if isinstance(home, Mapping) else ():
        if name not in names:
            raise ModelError(
                f"{where}: home names the joint {shown(name)}, which the robot does not have{near(str(name), names)}"
            )


def _names(given: Sequence[tuple[str, str]], kind: str) -> None:
    seen: dict[str, str] = {}
    for name, where in given:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(
                f"{where}: this {kind} has no name (name={shown(name)}); every {kind} needs one of its own"
            )
        if len(name) > LONGEST:
            raise ModelError(
                f"{where[:300]}: the name of this {kind} has {len(name)} characters; {LONGEST} are enough, shorten it"
            )
        if name in seen:
            raise ModelError(
                f"{where}: a second {kind} is called {name!r}, the first is at {seen[name]}; rename one of them"
            )
        seen[name] = where


def _parents(index: dict[str, int], joints: Sequence[JointSpec], world: bool) -> dict[str, JointSpec]:
    """The joint above each link."""
    above: dict[str, JointSpec] = {}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in index and not (world and role == "parent" and name in ("world", "")):
                hint = near(name, index)
                raise ModelError(
                    f"{joint.where}: its {role} link {name!r} does not exist; add it or correct the name{hint}"
                )
        if joint.parent == joint.child:
            raise ModelError(
                f"{joint.where}: parent and child are both {joint.child!r}; a joint connects two different links"
            )
        if joint.child in above:
            first = above[joint.child]
            raise ModelError(
                f"{joint.where}: link {joint.child!r} has two parents, {joint.parent!r} here and {first.parent!r} "
                f"through joint {first.name!r}; remove one of the joints, or make it a loop (LoopSpec, [[loop]], "
                "<loop>)"
            )
        above[joint.child] = joint
    return above


def _reached(
    links: Sequence[LinkSpec], joints: Sequence[JointSpec], above: dict[str, JointSpec], roots: Sequence[int]
) -> None:
    """Every link hangs on a root or on the world; otherwise it is in or below a cycle."""
    below: dict[str, list[str]] = {}
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint.child)
    todo = (
        [links[k].name for k in roots]
        + ([] if any(link.name == "world" for link in links) else below.get("world", []))
        + below.get("", [])
    )
    seen = set(todo)
    while todo:
        for child in below.get(todo.pop(), ()):
            seen.add(child)
            todo.append(child)
    if len(seen) == len(links):
        return
    name = next(link.name for link in links if link.name not in seen)
    path: dict[str, None] = {}
    while name not in path:
        path[name] = None
        name = above[name].parent
    loop = list(path)[list(path).index(name) :]
    shown = " <- ".join(loop[:6] + (["..."] if len(loop) > 6 else []) + [name])
    raise ModelError(
        f"{above[name].where}: the links {shown} form a cycle; remove one joint of it, or make it a loop (LoopSpec, "
        "[[loop]], <loop>)"
    )


def passable(model: Model, specs: Sequence[LoopSpec]) -> None:
    """Refuse loops that run through so many joints that nobody would wait for their equations."""
    left, parents = MOST_JOINTS, model.parents
    for loop, spec in zip(model.loops, specs, strict=True):
        a, b = (0 if k < 0 else model.links[k].body for k in (loop.link1, loop.link2))
        while not loop.terms and a != b and left >= 0:  # as closures.path, which does not stop on its way
            a, b, left = (parents[a], b, left - 1) if a > b else (a, parents[b], left - 1)
        if left < 0:
            raise ModelError(
                f"{spec.where}: the loops up to this one run through more than {MOST_JOINTS} joints, which is the "
                "limit; close loops between links that are near to each other"
            )


# what a joint of Python must have: of which kind, whether it may be left out, and how it is written
PARTS: dict[str, tuple[type, bool, str]] = {
    "type": (str, False, "'revolute'"), "parent": (str, False, "'base'"), "child": (str, False, "'upper'"),
    "origin": (Placement, False, "ordern.Placement.from_rpy(xyz, rpy)"),
    "child_frame": (Placement, False, "ordern.Placement.from_rpy(xyz, rpy)"),
    "constants": (Mapping, False, "{'pitch': 0.1}"), "mimic": (MimicSpec, True, "ordern.MimicSpec('elbow', 2.0)"),
    "exact": (Placement, True, "ordern.Placement.from_rpy(xyz, rpy)"), "lumped": (Mass, True, "a Mass"),
}  # fmt: skip


def listed(what: str, many: Any, kind: type[Spec]) -> list[Spec]:
    """Several links, joints or loops as a list; whatever else was given is refused by its name."""
    made: list[Any]
    try:
        made = [many] if isinstance(many, (str, bytes, Mapping)) else list(many)
    except TypeError:  # nothing that has entries
        made = [many]
    if not all(isinstance(spec, kind) for spec in made):
        raise InputError(f"{what} must be a list of ordern.{kind.__name__}, got {shown(many)}")
    return made


def right_joints(joints: object) -> list[JointSpec]:
    """The joints with their places for messages, if all parts are of the right kinds and of use for their type."""
    known = joint_types()
    return [_right_joint(joint, known) for joint in listed("joints", joints, JointSpec)]


def _right_joint(spec: JointSpec, known: Mapping[str, type[Joint] | None]) -> JointSpec:
    where = spec.where or f"joint {shown(spec.name)}"
    for key, (kind, optional, example) in PARTS.items():
        value = getattr(spec, key)
        if not isinstance(value, kind) and not (optional and value is None):
            raise ModelError(f"{where}: {key} is {shown(value)}; write {key}={example}")
    if spec.mimic is not None and not isinstance(spec.mimic.joint, str):
        raise ModelError(f"{where}: mimics {shown(spec.mimic.joint)}; give the name of a joint")
    spec = spec if spec.where else replace(spec, where=where)
    own, idle = _uses(joint_type(spec, known))
    for key in ("pitch", "offset"):
        if key in spec.constants and (other := getattr(spec, key)) and key in own:
            raise ModelError(f"{where}: {key} is {shown(other)}, and constants has it too; keep one of them")
    for key in (*idle, *(name for name in spec.constants if name not in own)):
        value = spec.constants[key] if key in spec.constants else getattr(spec, key)
        if value is not None and not (isinstance(value, PLAIN) and not value):  # nothing, and zero, change nothing
            raise ModelError(
                f"{where}: {shown(key)} is {shown(value)}, but a {spec.type} joint has none; leave it out, or change "
                "the type"
            )
    return spec


@cache
def _uses(cls: type[Joint] | None) -> tuple[frozenset[str], tuple[str, ...]]:
    """The constants of a joint's class, and what of a JointSpec it has no use for; None is a weld.

    An axis, a pitch and an offset may be given for any type, as programs do that go through all of them.
    """
    if cls is None:
        return frozenset(), ("axis2", *PER_VELOCITY, "mimic", "lumped")
    return frozenset(f.name for f in fields(cls)), () if cls.name == "universal" else ("axis2",)


def right_shapes(where: str, link: LinkSpec) -> None:
    """Refuse shapes that are none."""
    for key, many in (("visuals", link.visuals), ("collisions", link.collisions)):
        if not isinstance(many, (tuple, list)) or not all(isinstance(shape, Geometry) for shape in many):
            raise ModelError(
                f"{where}: {key} is {shown(many)}; give a list of ordern.model.Geometry('box', (0.1, 0.2, 0.3))"
            )


# what one type of closure alone has a use for, and its value in all others
ONLY: dict[str, tuple[str, object]] = {
    "length": ("distance", None), "pitch": ("helical", 0.0), "joints": ("gear", {}), "ratio": ("gear", 1.0),
    "offset": ("gear", 0.0),
}  # fmt: skip
PLAIN = (int, float, np.number, Mapping)


def right_kinds(spec: LoopSpec) -> None:
    """Refuse values of a wrong kind and those its type has no use for: Python descriptions may hold anything."""
    if not isinstance(spec.type, str):
        raise ModelError(f"{spec.where}: type is {shown(spec.type)}; give the name of a joint type, such as 'revolute'")
    if not isinstance(spec.joints, Mapping):
        raise ModelError(f"{spec.where}: joints is {shown(spec.joints)}; map joints to ratios: {{'a': 1.0, 'b': -2.0}}")
    for k, link, frame in ((1, spec.link1, spec.frame1), (2, spec.link2, spec.frame2)):
        if not isinstance(link, str):
            raise ModelError(f"{spec.where}: link{k} is {shown(link)}; give the name of a link, or 'world'")
        if frame is not None and not isinstance(frame, Placement):
            raise ModelError(
                f"{spec.where}: frame{k} is {shown(frame)}; it must be a Placement, or give xyz{k}, rpy{k}"
            )
    for name, (kind, unused) in ONLY.items():
        given = getattr(spec, name)
        if spec.type != kind and given is not unused and not (isinstance(given, PLAIN) and given == unused):
            raise ModelError(
                f"{spec.where}: {name} is {shown(given)}, but a {spec.type!r} closure has none; leave it out, or make "
                f"the type {kind!r}"
            )
    for name in _idle(spec):
        given = getattr(spec, name)
        if _says(given):
            end, what = name[-1], f"{name} is {shown(given)}, which says nothing of this {spec.type!r} closure"
            if name[:-1] in ("xyz", "rpy", "frame"):
                what = f"a gear has no frames, and others take either frame{end} or xyz{end} and rpy{end}"
            raise ModelError(f"{spec.where}: {what}; leave it out")


def _says(given: Any) -> bool:
    """Whether it is more than nothing, no turn and no way."""
    if given is None or isinstance(given, Placement):
        return given is not None and given != Placement()
    many = given if is_list(given) else [given]
    return any(not isinstance(x, (str, *PLAIN)) or x for x in many)


def _idle(spec: LoopSpec) -> list[str]:
    """What of a closure has no effect beside its type and the rest of it."""
    made = [] if spec.type == "universal" else ["axis2"]
    places = [[f"xyz{k}", f"rpy{k}"] for k in (1, 2)]
    if spec.type == "gear":
        made += [*places[0], *places[1], "frame1", "frame2"]
        made += ["link1", "link2"] if spec.joints else []
        made += ["ratio"] if spec.joints and not (isinstance(spec.ratio, PLAIN) and spec.ratio == 1.0) else []
    for frame, place in zip((spec.frame1, spec.frame2), places, strict=True):
        made += place if frame is not None else []
    return made
