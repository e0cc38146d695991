"""Joints of MJCF: hinge, slide, ball and free, with limits, springs, friction and reference positions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ModelError
from ...model import Placement
from .mjcf_source import Item
from .mjcf_values import Compiler, Given

__all__ = ["Found", "joint", "limited"]

UNLIMITED = 1e10  # a limit that stands for none: MJCF has both ends or neither
TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "floating"}


@dataclass
class Found:
    """A joint of the file: its place in the body and the arguments of its JointSpec."""

    name: str
    kind: str
    where: str
    pos: tuple[float, float, float]
    fields: dict[str, Any]
    ref: float = 0.0
    notes: tuple[str, ...] = ()  # what the model leaves out
    aligned: bool = False  # with the inertia of its body, if no other body hangs on it
    tuned: tuple[float, float] | None = (
        None  # time constant and damping ratio, from which a spring is made when all inertias are known
    )


def joint(item: Item) -> Found:
    """A <joint> or <freejoint>."""
    if item.element.tag == "freejoint":
        return Found(
            item.name(), "free", item.element.where, (0.0, 0.0, 0.0), {}, aligned=_aligned(item, Given(item.element))
        )
    given, options = item.given(), item.source.options
    kind = given.choice("type", tuple(TYPES), "hinge")
    notes: list[str] = []
    fields: dict[str, Any] = {}
    for key, name in (("armature", "armature"), ("damping", "damping"), ("frictionloss", "friction")):
        value = given.numbers(key, 3, (0.0,), least=1)
        if any(value[1:]):
            notes.append(f"{key} that changes with speed")
        if value[0] < 0:
            raise ModelError(f"{given.where}: {key} is {value[0]!r}; it must not be negative, remove the sign")
        if value[0]:
            fields[name] = value[0]
    stiffness = given.numbers("stiffness", 3, (0.0,), least=1)
    tuned = given.numbers("springdamper", 2, (0.0, 0.0))
    if any(tuned) and not min(tuned) > 0:
        raise ModelError(
            f"{given.where}: springdamper is {tuned}; both its time constant and its damping ratio must be positive"
        )
    if given.number("springyield", 0.0):
        notes.append("spring that yields")
    if any(stiffness[1:]):
        notes.append("stiffness that changes with the way")
    if stiffness[0] < 0:
        raise ModelError(f"{given.where}: stiffness is {stiffness[0]!r}; it must not be negative, remove the sign")
    if kind in ("ball", "free"):
        if stiffness[0] or any(tuned):
            fields["stiffness"] = stiffness[0] or 1.0  # a free joint's rests where its body stands in the file
        if kind == "free" and fields.get("armature"):
            notes.append("armature of a free joint along the world's axes (here it is along the body's)")
        if kind == "ball" and limited(given, "limited", "range", options):
            low, high = given.numbers("range", 2, (0.0, 0.0))
            if low or high < 0:  # MuJoCo takes 0 to 0, which a class may leave behind
                raise ModelError(
                    f"{given.where}: range {low!r} to {high!r}; a ball joint's begins at 0 and ends at the largest "
                    "angle"
                )
            notes.append("cone that limits it")
        pos = given.numbers("pos", 3, (0.0, 0.0, 0.0))
        at = (item.frame @ Placement(origin=(pos[0], pos[1], pos[2]))).origin if kind == "ball" else (0.0, 0.0, 0.0)
        return Found(
            item.name(), kind, given.where, at, fields, notes=tuple(notes),
            aligned=kind == "free" and options.alignfree, tuned=(tuned[0], tuned[1]) if any(tuned) else None,
        )  # fmt: skip
    made = _single(item, given, kind, stiffness[0] or float(any(tuned)), fields, notes)
    return replace(made, tuned=(tuned[0], tuned[1])) if any(tuned) else made


def _single(item: Item, given: Given, kind: str, stiffness: float, fields: dict[str, Any], notes: list[str]) -> Found:
    """A hinge or a slide."""
    options = item.source.options
    angle = options.angle if kind == "hinge" else float
    axis, pos = given.numbers("axis", 3, (0.0, 0.0, 1.0)), given.numbers("pos", 3, (0.0, 0.0, 0.0))
    if math.hypot(*axis) < 1e-14:
        raise ModelError(f"{given.where}: the axis is {axis}; give it a direction, such as axis='0 0 1'")
    ref, springref = angle(given.number("ref", 0.0)), angle(given.number("springref", 0.0))
    fields["axis"] = item.frame.rotate(axis)
    if ref:
        fields["offset"] = -ref
    if stiffness:
        fields |= {"stiffness": stiffness, "springref": springref}
    if limited(given, "limited", "range", options):
        low, high = given.numbers("range", 2, (0.0, 0.0))
        if low >= high:
            raise ModelError(
                f"{given.where}: range {low!r} to {high!r} leaves no way to move; give the smaller end first"
            )
        fields |= {key: angle(end) for key, end in (("lower", low), ("upper", high)) if abs(end) < UNLIMITED}
    if limited(given, "actuatorfrclimited", "actuatorfrcrange", options):
        low, high = given.numbers("actuatorfrcrange", 2, (0.0, 0.0))
        if low >= high:
            raise ModelError(
                f"{given.where}: actuatorfrcrange {low!r} to {high!r} leaves no force; give the smaller end first, or "
                "remove actuatorfrclimited"
            )
        fields["effort"] = max(abs(low), abs(high))
    at = (item.frame @ Placement(origin=(pos[0], pos[1], pos[2]))).origin
    return Found(item.name(), kind, given.where, at if kind == "hinge" else (0.0, 0.0, 0.0), fields, ref, tuple(notes))


def limited(given: Given, key: str, bounds: str, options: Compiler) -> bool:
    """Whether limits hold: said so, or taken from there being a range."""
    said = given.choice(key, ("auto", "true", "false"), "auto")
    there = any(given.numbers(bounds, 2, (0.0, 0.0)))
    if said == "auto" and there and not options.autolimits:
        raise ModelError(f"{given.where}: it has {bounds}, but autolimits is off; write {key}='true' or 'false'")
    return there if said == "auto" else said == "true"


def _aligned(item: Item, given: Given) -> bool:
    said = given.choice("align", ("auto", "true", "false"), "auto")
    return said == "true" or (said == "auto" and item.source.options.alignfree)
