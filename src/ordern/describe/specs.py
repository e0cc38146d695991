"""LinkSpec, JointSpec and LoopSpec: what every description format is turned into before it is checked and built."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

from ..errors import ModelError, near
from ..joints import JOINTS, Joint
from ..model import Geometry, Mass, Placement
from ..model.placements import Tensor

__all__ = [
    "DEGREES", "HUGE", "PER_VELOCITY", "TURN", "BuildOptions", "JointSpec", "LinkSpec", "LoopSpec", "MimicSpec",
    "Triple", "joint_type", "joint_types", "quoted",
]  # fmt: skip

Triple = tuple[float, float, float]
# of a joint, a number for each velocity (springref: for each coordinate)
PER_VELOCITY = ("lower", "upper", "velocity", "effort", "armature", "damping", "friction", "stiffness", "springref")
HUGE = 1e30  # no robot has a number beyond this in SI units; squares and cubes of it still do not overflow
TURN = 2.1 * math.pi  # rad: an angle of a description beyond this is taken for degrees
DEGREES = "angles are in radians; are these degrees?"
NO_INERTIA: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class BuildOptions(TypedDict, total=False):
    """The options of ``build`` that every reader of a format takes and hands on."""

    base: str
    locked: Mapping[str, Any] | None
    on_invalid: str
    mimic: bool
    actuated: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class MimicSpec:
    """This joint follows ``joint``: q = ratio * q_master + offset."""

    joint: str
    ratio: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class LinkSpec:
    """A link as the description has it, all in the link's own frame (kg, m, kg m^2)."""

    name: str
    mass: float = 0.0
    com: Sequence[float] = (0.0, 0.0, 0.0)
    inertia: Sequence[float] = NO_INERTIA  # about the mass centre: xx yy zz xy xz yz
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()
    where: str = ""  # for messages: "panda.urdf:41 <link name='hand'>"


Values = float | Sequence[float] | None


@dataclass(frozen=True, slots=True)
class JointSpec:
    """A joint between two links. ``origin`` places the joint frame in the parent link's frame, ``axis`` is written in
    the joint frame.

    The child link's frame is the moved joint frame followed by ``child_frame`` (nothing in a URDF, the rest of a DH row
    in a table). Properties with one value per velocity (limits, armature, ...) take a number or a sequence.
    """

    name: str
    type: str
    parent: str
    child: str
    origin: Placement = field(default_factory=Placement)
    axis: Sequence[float] | None = None  # any length but zero; z by default, x for a universal joint
    axis2: Sequence[float] | None = None  # of a universal joint; y by default
    child_frame: Placement = field(default_factory=Placement)
    pitch: float = 0.0  # m/rad, helical
    offset: float = 0.0  # added to q (rad or m)
    constants: Mapping[str, float] = field(default_factory=dict)  # further fields of the joint's class
    lower: Values = None
    upper: Values = None
    velocity: Values = None
    effort: Values = None
    armature: Values = None
    damping: Values = None
    friction: Values = None
    stiffness: Values = None  # of a spring on the joint
    springref: Values = None  # where that spring is at rest
    mimic: MimicSpec | None = None
    exact: Placement | None = None  # the canonical placement, when it is known to the last bit (see toml_write)
    lumped: Mass | None = None  # of the body this joint moves, in place of the sum of its links
    where: str = ""


@dataclass(frozen=True, slots=True)
class LoopSpec:
    """A closure between two links: frame 1 at ``xyz1``, ``rpy1`` on ``link1``, frame 2 likewise on ``link2``; either
    link may be "world".

    ``type`` is any joint type (``axis`` is written in both frames, which a closed loop brings together), "fixed",
    "point" (origins meet), "distance" (origins stay ``length`` apart) or "gear": the sum of ratio * q over ``joints``
    is ``offset``; with two links instead of joints, ``ratio`` times the joints between both links' common ancestor and
    link 1 equal those to link 2.
    """

    name: str
    type: str = "revolute"
    link1: str = ""
    link2: str = ""
    xyz1: Sequence[float] = (0.0, 0.0, 0.0)
    rpy1: Sequence[float] = (0.0, 0.0, 0.0)
    xyz2: Sequence[float] = (0.0, 0.0, 0.0)
    rpy2: Sequence[float] = (0.0, 0.0, 0.0)
    axis: Sequence[float] | None = None
    axis2: Sequence[float] | None = None  # of a universal joint
    length: float | None = None  # of a distance, m
    pitch: float = 0.0  # of a helical joint, m/rad
    joints: Mapping[str, float] = field(default_factory=dict)
    ratio: float = 1.0
    offset: float = 0.0
    frame1: Placement | None = None  # in place of xyz1 and rpy1, where every bit of it is known
    frame2: Placement | None = None
    where: str = ""


def quoted(names: Iterable[str], most: int = 6) -> str:
    """The first names, quoted, for a message."""
    shown = list(names)
    return ", ".join(repr(n) for n in shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")


def joint_types() -> dict[str, type[Joint] | None]:
    """Every joint type a description may name; None stands for a weld."""
    found: dict[str, type[Joint] | None] = {"fixed": None}
    for name, cls in JOINTS.items():
        found[name] = cls
        for alias in cls.urdf:
            found.setdefault(alias, cls)
    return found


def joint_type(spec: JointSpec, known: Mapping[str, type[Joint] | None] | None = None) -> type[Joint] | None:
    """The class of the joint, None for a weld."""
    known = joint_types() if known is None else known
    if spec.type not in known:
        raise ModelError(
            f"{spec.where}: unknown joint type {spec.type!r}; use one of {', '.join(known)}{near(spec.type, known)}"
        )
    return known[spec.type]


def make_joint(spec: JointSpec, cls: type[Joint]) -> Joint:
    """The joint with its constants from the spec."""
    given = {f.name: spec.constants.get(f.name, getattr(spec, f.name, f.default)) for f in fields(cls)}
    made = {name: number(spec.where, name, value) for name, value in given.items()}
    if cls.name == "helical" and not made["pitch"]:
        raise ModelError(f"{spec.where}: a helical joint needs a pitch (m/rad); without one it is 'revolute'")
    return cls(**made)


def brief(value: object) -> str:
    """A value for a message, whatever it is: its first letters."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} of too many digits or levels"
    return text if len(text) <= 80 else f"{text[:77]}..."


def number(where: object, what: str, value: Any) -> float:
    """A finite float, or an error that names it."""
    if type(value) is float and -HUGE <= value <= HUGE:
        return value
    if isinstance(value, (bool, str)) or value is None:
        raise ModelError(f"{where}: {what} is {brief(value)}; it must be a number")
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{where}: {what} is {brief(value)}; it must be a number below {HUGE:g}") from None
    if not abs(x) <= HUGE:
        raise ModelError(f"{where}: {what} is {x!r}; it must be finite and below {HUGE:g} in SI units")
    return x


def numbers(where: object, what: str, values: Any, count: int) -> tuple[float, ...]:
    """As many finite floats as asked for."""
    if not is_list(values) or len(values) != count:
        raise ModelError(f"{where}: {what} is {brief(values)}; it must be {count} numbers")
    return tuple(number(where, what, v) for v in values)


def triple(where: object, what: str, values: object) -> Triple:
    """Three finite floats."""
    x, y, z = numbers(where, what, values, 3)
    return (x, y, z)


def unit(where: object, what: str, axis: Sequence[float]) -> Triple:
    """The axis at length one; an axis that has it already stays to the last bit."""
    x, y, z = triple(where, what, axis)
    length = math.hypot(x, y, z)
    if length < 1e-9:
        raise ModelError(f"{where}: {what} {(x, y, z)} has no direction; give a vector that is not zero, such as 0 0 1")
    if abs(length - 1.0) > 4e-16:
        x, y, z = x / length, y / length, z / length
    return (x + 0.0, y + 0.0, z + 0.0)


def per_velocity(
    spec: JointSpec, what: str, count: int, *, infinite: bool = False, positive: bool = False
) -> tuple[float, ...]:
    """A property as one number per velocity; empty where it is not given."""
    value = getattr(spec, what)
    if value is None:
        return ()
    if count == 1 and type(value) is float and 0 <= value <= HUGE:  # by far the most frequent
        return (value,)
    many = tuple(value) if is_list(value) else (value,) * count
    if len(many) != count:
        raise ModelError(
            f"{spec.where}: {what} has {len(many)} values; a {spec.type} joint needs {count} (or one for all)"
        )
    made = tuple(
        v if infinite and isinstance(v, float) and math.isinf(v) else number(spec.where, what, v) for v in many
    )
    if (wrong := {"lower": math.inf, "upper": -math.inf}.get(what)) in made:
        raise ModelError(
            f"{spec.where}: {what} is {wrong!r}, which leaves no way to move; change the sign, or leave it out"
        )
    if positive and any(v < 0 for v in made):
        raise ModelError(f"{spec.where}: {what} is {min(made)!r}; it must not be negative, remove the sign")
    return made


def is_list(value: object) -> bool:
    """Whether it has entries in an order: no text, no set, no array without axes."""
    if isinstance(value, (str, bytes, Mapping)) or getattr(value, "shape", None) == ():
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def tensor(where: str, inertia: Any) -> Tensor:
    """Six numbers from 3x3, 3 or 6."""
    if inertia is None:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    size = len(inertia) if is_list(inertia) else 0
    if size == 6:
        xx, yy, zz, xy, xz, yz = numbers(where, "inertia", inertia, 6)
        return (xx, yy, zz, xy, xz, yz)
    if size == 3 and not hasattr(inertia[0], "__len__"):
        return (*triple(where, "inertia", inertia), 0.0, 0.0, 0.0)
    if size != 3:
        raise ModelError(
            f"{where}: inertia has {size} entries; give Ixx Iyy Izz, or Ixx Iyy Izz Ixy Ixz Iyz, or a 3x3 matrix"
        )
    m = [triple(where, f"inertia row {i}", row) for i, row in enumerate(inertia, 1)]
    largest = max(abs(e) for row in m for e in row)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if abs(m[i][j] - m[j][i]) > 1e-9 * largest:
            raise ModelError(f"{where}: inertia is not symmetric: {m[i][j]!r} against {m[j][i]!r}; make both the same")
    return (m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2])
