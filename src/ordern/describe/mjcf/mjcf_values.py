"""MJCF values: class defaults, five spellings of orientation, degrees or radians."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import ModelError, near
from ...model import Placement, tidy
from ...model.placements import added
from ..frames import columns, cross
from ..specs import DEGREES, TURN
from ..xml import Element
from .mjcf_schema import ORIENTATION, known

__all__ = ["NOWHERE", "Compiler", "Given", "compiler", "from_quaternion", "orientation", "placement"]

Triple = tuple[float, float, float]
NOWHERE = (0.0, 0.0, 0.0)
RIGHT = (math.pi / 2, math.pi)
SMALL = 1e-14  # what MuJoCo takes for no direction at all


class Given:
    """The attributes of an element: its own, then those of its class; a fault is reported where it is written.

    ``holders`` are the elements that have an attribute, outermost class first: of a list that may be short, the others
    keep their ends.
    """

    def __init__(self, element: Element, defaults: Mapping[str, tuple[Element, ...]] | None = None) -> None:
        self.element = element
        self.holders: dict[str, tuple[Element, ...]] = dict(defaults or {})
        if any(key in element.attributes for key in ORIENTATION):  # one spelling takes the place of another
            for key in ORIENTATION:
                self.holders.pop(key, None)
        for key in element.attributes:
            self.holders[key] = (*self.holders.get(key, ()), element)

    def holder(self, key: str) -> Element:
        """Where the attribute is written, or would be."""
        return self.holders[key][-1] if key in self.holders else self.element

    def __contains__(self, key: str) -> bool:
        return key in self.holders

    @property
    def where(self) -> str:
        """For messages."""
        return self.element.where

    def text(self, key: str, default: str = "") -> str:
        """An attribute as it stands."""
        return self.holders[key][-1].attributes[key] if key in self.holders else default

    def numbers(
        self, key: str, count: int, default: tuple[float, ...] | None = None, least: int | None = None
    ) -> tuple[float, ...]:
        """A given number of numbers; see ``Element.numbers``. Like MuJoCo, treats empty attributes as absent."""
        if default is not None and key in self.holders and not self.text(key).strip():
            return default
        made = self.holder(key).numbers(key, count, default, least)
        for outer in reversed(self.holders.get(key, ())[:-1] if least is not None and len(made) < count else ()):
            if outer.attributes[key].strip():
                made = (*made, *outer.numbers(key, count, None, least)[len(made) :])
        return made

    def number(self, key: str, default: float | None = None) -> float:
        """One number."""
        return self.numbers(key, 1, None if default is None else (default,))[0]

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """One of some words."""
        word = self.text(key, default)
        if word not in choices:
            where = self.holder(key).where
            raise ModelError(f"{where}: {key}={word[:80]!r} is not among {', '.join(choices)}{near(word, choices)}")
        return word

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        return self.choice(key, ("true", "false"), "true" if default else "false") == "true"


@dataclass
class Compiler:
    """The options of <compiler> that bear on motion."""

    degree: bool = True
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    groups: tuple[float, float] = (0.0, 5.0)
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    balanceinertia: bool = False
    fusestatic: bool = False
    meshdir: str = ""
    fitaabb: bool = False
    strippath: bool = False
    alignfree: bool = False
    conflict: str = "warning"  # what to do with options of models that are attached
    odd: list[tuple[str, str, str]] = field(default_factory=list)  # angles that look like another unit, for ``lint``
    exactmeshinertia: bool = False  # of files for MuJoCo before 3.2: what meshes are that do not say it themselves

    def angle(self, value: float) -> float:
        """An angle of the file in rad."""
        return math.radians(value) if self.degree else value

    def doubt(self, given: Given, key: str, angles: Sequence[float]) -> None:
        """Note angles that look like degrees where radians are meant, or the other way round."""
        text, remedy = "is more than a turn", DEGREES
        if self.degree:
            text = "is a right angle in radians, and less than four degrees"
            remedy = "angles of this file are in degrees; write <compiler angle='radian'/> if these are not"
        if any(min(abs(abs(a) - right) for right in RIGHT) < 1e-3 if self.degree else abs(a) > TURN for a in angles):
            holder = given.holder(key)
            what = f"{key}={holder.attributes[key][:80]!r} in line {holder.line} {text}"
            self.odd.append((given.element.label, what, remedy))


def compiler(elements: Sequence[Element]) -> Compiler:
    """All <compiler> sections together; the last word counts."""
    made = Compiler()
    assetdir = meshdir = ""
    for element in elements:
        given = Given(known(element))
        if given.choice("coordinate", ("local", "global"), "local") == "global":
            raise ModelError(
                f"{element.where}: global coordinates are no longer MJCF; save the file with MuJoCo 2.3.3, which "
                "converts it"
            )
        made.degree = given.choice("angle", ("degree", "radian"), "degree" if made.degree else "radian") == "degree"
        made.eulerseq = given.text("eulerseq", made.eulerseq)
        if len(made.eulerseq) != 3 or not set(made.eulerseq) <= set("xyzXYZ"):
            raise ModelError(
                f"{element.where}: eulerseq={made.eulerseq[:80]!r}; it must be three of the letters x y z X Y Z"
            )
        made.conflict = given.choice("conflict", ("warning", "merge", "error"), made.conflict)
        made.inertiafromgeom = given.choice("inertiafromgeom", ("auto", "true", "false"), made.inertiafromgeom)
        low, high = given.numbers("inertiagrouprange", 2, made.groups)
        made.groups = (low, high)
        for key in ("boundmass", "boundinertia", "settotalmass"):
            setattr(made, key, given.number(key, getattr(made, key)))
        for key in (
            "autolimits",
            "balanceinertia",
            "fusestatic",
            "fitaabb",
            "strippath",
            "alignfree",
            "exactmeshinertia",
        ):
            setattr(made, key, given.flag(key, getattr(made, key)))
        assetdir, meshdir = given.text("assetdir", assetdir), given.text("meshdir", meshdir)
    made.meshdir = meshdir or assetdir
    return made


def from_quaternion(w: float, x: float, y: float, z: float) -> tuple[float, ...]:
    """The rotation of a quaternion, scalar first, of any length but zero."""
    n = 2.0 / (w * w + x * x + y * y + z * z)
    made = (
        1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y),
        n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x),
        n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y),
    )  # fmt: skip
    return tuple(tidy(e) for e in made)


def about(axis: Sequence[float], angle: float) -> tuple[float, ...]:
    """The rotation by an angle about a unit axis, its right angles exact."""
    x, y, z = axis
    s, c = tidy(math.sin(angle)), tidy(math.cos(angle))
    v = 1 - c
    made = (
        c + v * x * x, v * x * y - s * z, v * x * z + s * y,
        v * x * y + s * z, c + v * y * y, v * y * z - s * x,
        v * x * z - s * y, v * y * z + s * x, c + v * z * z,
    )  # fmt: skip
    return tuple(tidy(e) for e in made)


def euler(angles: Sequence[float], sequence: str) -> tuple[float, ...]:
    """Three turns, about axes that move along (small letters) or stay (capitals)."""
    made = Placement()
    for angle, letter in zip(angles, sequence, strict=True):
        axis = [0.0, 0.0, 0.0]
        axis["xyz".index(letter.lower())] = 1.0
        turn = Placement(about(axis, angle))
        made = made @ turn if letter.islower() else turn @ made
    return made.rotation


def z_to(direction: Sequence[float]) -> tuple[float, ...]:
    """The shortest turn that brings z into a direction of length one."""
    x, y, z = direction
    s = math.hypot(x, y)
    return (
        Placement().rotation
        if s < 1e-10 and z > 0
        else about((-y / s, x / s, 0.0) if s >= 1e-10 else (1.0, 0.0, 0.0), math.atan2(s, z))
    )


def _unit(where: str, what: str, v: Sequence[float]) -> Triple:
    length = math.hypot(*v)
    if length < SMALL:
        raise ModelError(f"{where}: {what} {tuple(v)} has no direction; give a vector that is not zero")
    return (v[0] / length, v[1] / length, v[2] / length)


def orientation(given: Given, options: Compiler) -> tuple[float, ...] | None:
    """The element's rotation in any of its spellings, or None."""
    spelled = [key for key in ORIENTATION if key in given]
    if not spelled:
        return None
    if len(spelled) > 1:
        raise ModelError(f"{given.where}: {' and '.join(spelled)} both say how it is turned; keep one of them")
    key = spelled[0]
    if key == "quat":
        w, x, y, z = given.numbers("quat", 4)
        if math.hypot(w, x, y, z) < SMALL:
            raise ModelError(f"{given.where}: the quaternion is zero; quat='1 0 0 0' turns nothing")
        return from_quaternion(w, x, y, z)
    if key == "axisangle":
        v = given.numbers("axisangle", 4)
        options.doubt(given, key, v[3:])
        return about(_unit(given.where, "the axis", v[:3]), options.angle(v[3]))
    if key == "euler":
        options.doubt(given, key, given.numbers("euler", 3))
        return euler([options.angle(a) for a in given.numbers("euler", 3)], options.eulerseq)
    if key == "zaxis":
        return z_to(_unit(given.where, "zaxis", given.numbers("zaxis", 3)))
    v = given.numbers("xyaxes", 6)
    x_axis = _unit(given.where, "the x axis", v[:3])
    along = added(a * b for a, b in zip(x_axis, v[3:], strict=True))
    y_axis = _unit(
        given.where, "the y axis across the x axis", [b - along * a for a, b in zip(x_axis, v[3:], strict=True)]
    )
    return tuple(tidy(e) for e in columns(x_axis, y_axis, cross(x_axis, y_axis)).rotation)


def placement(given: Given, options: Compiler) -> Placement:
    """Where an element sits in the one around it."""
    at = given.numbers("pos", 3, NOWHERE)
    turn = orientation(given, options)
    here: Any = (at[0], at[1], at[2])
    return Placement(origin=here) if turn is None else Placement(turn, here)
