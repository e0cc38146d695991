"""Denavit-Hartenberg tables in three conventions. They describe the same robots and build the same model.

    "saha"      frame i on link i-1, Z_i the axis of joint i; T(i, i+1) = Rz(theta) Tz(b) Tx(a) Rx(alpha)
    "distal"    (standard: Paul, Corke) the same transform; the frame at the far end of link i is called i
    "proximal"  (modified: Craig, Khalil) T(i-1, i) = Rx(alpha) Tx(a) Rz(theta) Tz(d); frame i on link i, Z_i the axis
    of joint i

The row's variable is q: it is added to ``theta`` (revolute) or ``d`` (prismatic). Angles are in rad and lengths in m
unless they say otherwise, as "90deg" and "430mm" do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ...errors import ModelError, near, shown, tell
from ...model import Model, Placement, tidy
from ..builder import JointSpec, LinkSpec, build
from ..number_text import ARTICLE, with_unit
from ..specs import TURN, brief, is_list, number, numbers, tensor, triple
from .dh_write import CONVENTIONS, convention_of, dh_with_base, to_dh

__all__ = ["CONVENTIONS", "DH", "dh_with_base", "from_dh", "to_dh"]

ALIASES = {"b": "d"}
OTHER_KEYS = {  # what textbooks and other libraries call them
    "m": "mass", "i": "inertia", "cm": "com", "cog": "com", "offset": "theta", "q": "theta", "type": "joint",
    "sigma": "joint", "jm": "armature", "tc": "friction", "qlim": "lower",
}  # fmt: skip
KINDS = {"revolute": "revolute", "r": "revolute", "prismatic": "prismatic", "p": "prismatic"}
FAR = 100.0  # m: a length beyond this is taken for millimetres, unless axes that are almost parallel meet out there
ALMOST = (1e-9, 1e-2)  # sine of an angle that is neither rounding nor meant by people


@dataclass(frozen=True)
class DH:
    """One row in m, rad, kg, kg m^2; ``com`` and ``inertia`` (about the mass centre) in the link's own frame."""

    joint: str = "revolute"
    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    mass: float = 0.0
    com: Any = None
    r: Any = None  # saha only: from the mass centre to the next joint, so com = -r
    inertia: Any = None  # 3x3, or Ixx Iyy Izz, or Ixx Iyy Izz Ixy Ixz Iyz
    armature: float = 0.0
    name: str = ""
    damping: float = 0.0
    friction: float = 0.0
    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    stiffness: float | None = None  # of a spring on the joint
    springref: float | None = None  # where it is at rest


def from_dh(
    table: Sequence[Mapping[str, Any] | DH],
    convention: str = "saha",
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    tool: object = None,
    name: str = "robot",
    base_placement: object = None,
    on_invalid: str = "error",
) -> Model:
    """Build a serial robot from its DH table.

    Args:
        table: rows as dicts or DH objects, from the base to the tip.
        convention: "saha", "distal" (also "standard") or "proximal" (also "modified", "craig").
        gravity: in base axes (m/s^2).
        tool: where the frame "tool" sits in the last link's frame: a Placement, a 4x4 matrix or an xyz.
        name: of the robot.
        base_placement: where the first frame sits in the world: a Placement, a 4x4 matrix or an xyz.
        on_invalid: "error", "warn" or "repair"; see ``build``.
    """
    convention = convention_of(convention)
    if hasattr(table, "columns") and hasattr(table, "to_dict"):  # a pandas table, one row a link
        table = table.to_dict("records")
    if not is_list(table) or not len(table):
        raise ModelError("the DH table is empty or no list; give a list of rows such as {'a': 0.3, 'mass': 1.0}")
    rows = [_row(row, k, convention) for k, row in enumerate(table, 1)]
    _units(rows)
    links, joints = [LinkSpec("base")], []
    before = frame("base_placement", base_placement)
    for k, row in enumerate(rows, 1):
        joint, link = _specs(row, k, convention, links[-1].name, before)
        before = Placement()
        links.append(link)
        joints.append(joint)
    if tool is not None:
        links.append(LinkSpec("tool", where="tool"))
        joints.append(JointSpec("tool", "fixed", links[-2].name, "tool", frame("tool", tool), where="tool"))
    return build(name, links, joints, gravity=gravity, on_invalid=on_invalid)


def is_sliding(joint: object) -> bool:
    """Whether a row's joint is prismatic, by any of its names."""
    return isinstance(joint, str) and KINDS.get(joint.strip().lower()) == "prismatic"


def turn_x(angle: float, x: float = 0.0) -> Placement:
    """Tx(x) Rx(angle)."""
    s, c = tidy(math.sin(angle)), tidy(math.cos(angle))
    return Placement((1.0, 0.0, 0.0, 0.0, c, -s + 0.0, 0.0, s, c), (x, 0.0, 0.0))


def turn_z(angle: float, z: float = 0.0) -> Placement:
    """Tz(z) Rz(angle)."""
    s, c = tidy(math.sin(angle)), tidy(math.cos(angle))
    return Placement((c, -s + 0.0, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, z))


def _specs(row: DH, k: int, convention: str, parent: str, before: Placement) -> tuple[JointSpec, LinkSpec]:
    """Joint and link of one row, both of its name if it has one.

    The constant along or about the joint's own axis follows the joint, so that all conventions share body frames.
    """
    where = f"DH table row {k}"
    sliding = row.joint == "prismatic"
    along = turn_z(row.theta) if sliding else turn_z(0.0, row.d)
    cross = turn_x(row.alpha, row.a)
    origin, child = (before @ cross, along) if convention == "proximal" else (before, along @ cross)
    name = row.name or f"link{k}"
    joint = JointSpec(
        row.name or f"joint{k}", row.joint, parent, name, origin, child_frame=child,
        offset=row.d if sliding else row.theta,
        lower=row.lower, upper=row.upper, velocity=row.velocity, effort=row.effort, stiffness=row.stiffness,
        springref=row.springref,
        armature=row.armature, damping=row.damping, friction=row.friction, where=where,
    )  # fmt: skip
    return joint, LinkSpec(name, row.mass, row.com, row.inertia, where=where)


def _row(row: object, k: int, convention: str) -> DH:
    """A checked row: every number a float, com and inertia filled in."""
    where = f"DH table row {k}"
    given = _as_dict(row, where)
    joint = given.pop("joint", "revolute")
    if not isinstance(joint, str) or joint.strip().lower() not in KINDS:
        raise ModelError(
            f"{where}: joint is {shown(joint)}; a DH table has only 'revolute' (R) and 'prismatic' (P) joints"
        )
    joint = KINDS[joint.strip().lower()]
    name = given.pop("name", "")
    if not isinstance(name, str):
        raise ModelError(f"{where}: name is {shown(name)}; it must be a string")
    com, r, inertia = (given.pop(key, None) for key in ("com", "r", "inertia"))
    if r is not None and (convention != "saha" or com is not None):
        why = "com is given too" if convention == "saha" else f"{convention!r} tables have none"
        raise ModelError(f"{where}: r is given, but {why}; give com, the mass centre in the link's frame, instead")
    if r is not None:
        x, y, z = triple(where, "r", r)
        com = (0.0 - x, 0.0 - y, 0.0 - z)
    kinds = dict.fromkeys(("alpha", "theta"), "angle") | dict.fromkeys(("a", "d"), "length")
    kinds |= dict.fromkeys(("lower", "upper", "springref"), "length" if joint == "prismatic" else "angle")
    plain = {key: _measured(where, key, value, kinds.get(key)) for key, value in given.items() if value is not None}
    com = (0.0, 0.0, 0.0) if com is None else triple(where, "com", com)
    return DH(joint=joint, name=name, com=com, inertia=tensor(where, inertia), **plain)


def _measured(where: str, key: str, value: object, kind: str | None) -> float:
    """A number, or a text with its unit where that makes sense: "90deg", "430 mm"."""
    if kind is None or not isinstance(value, str):
        return number(where, key, value)
    try:
        made, what = with_unit(value)
    except ValueError:
        made, what = math.nan, None
    if what is None:
        example = "90deg" if kind == "angle" else "430mm"
        raise ModelError(
            f"{where}: {key} is {brief(value)}; it must be a number, or a string with a unit such as {example!r}"
        )
    if what != kind:
        raise ModelError(f"{where}: {key} is {brief(value)}, {ARTICLE[what]}; {ARTICLE[kind]} goes here")
    return number(where, key, made)


def _units(rows: Sequence[DH]) -> None:
    """One warning for all numbers that look like degrees or millimetres."""
    lengths = ("a",) if any(ALMOST[0] < abs(math.sin(row.alpha)) < ALMOST[1] for row in rows) else ("a", "d")
    found = [
        f"row {k}: {key} is {value:g} rad"
        for k, row in enumerate(rows, 1)
        for key in ("alpha", "theta")
        if abs(value := getattr(row, key)) > TURN
    ]
    found += [
        f"row {k}: {key} is {value:g} m"
        for k, row in enumerate(rows, 1)
        for key in lengths
        if abs(value := getattr(row, key)) > FAR
    ]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        message = (
            f"DH table {found[0]}{more}: angles are in radians (np.radians(90) or '90deg'; in a file, degrees = "
            "true), lengths in metres"
        )
        tell(message)


def _as_dict(row: object, where: str) -> dict[str, Any]:
    if isinstance(row, DH):
        return {f.name: getattr(row, f.name) for f in fields(DH)}
    if not isinstance(row, Mapping):
        raise ModelError(
            f"{where}: it is a {type(row).__name__}; a row is a dict (or ordern.DH) such as {{'a': 0.3, 'mass': 1.0}}"
        )
    known = [f.name for f in fields(DH)]
    made: dict[str, Any] = {}
    for key, value in row.items():
        plain = ALIASES.get(key, key)
        if plain not in known:
            raise ModelError(
                f"{where}: unknown key {shown(key)}; the keys are {', '.join(known)} and b"
                + near(OTHER_KEYS.get(str(key).lower(), key), known)
            )
        if plain in made:
            raise ModelError(f"{where}: both 'd' and 'b' are given; they are the same length, keep one")
        made[plain] = value
    return made


def frame(what: str, given: Any) -> Placement:
    """A placement from a Placement, a 4x4 matrix, an xyz or None."""
    if given is None or isinstance(given, Placement):
        return given or Placement()
    if is_list(given) and len(given) == 3 and not hasattr(given[0], "__len__"):
        return Placement(origin=triple(what, what, given))
    if not is_list(given) or len(given) != 4:
        raise ModelError(f"{what}: give a Placement, a 4x4 matrix or three numbers x y z")
    rows = [numbers(what, what, row, 4) for row in given]
    r = [row[:3] for row in rows[:3]]
    off = max(abs(sum(a * b for a, b in zip(r[i], r[j], strict=True)) - (i == j)) for i in range(3) for j in range(3))
    turn = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0])
    turn += r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0])
    if off > 1e-6 or turn < 0 or rows[3] != (0.0, 0.0, 0.0, 1.0):
        raise ModelError(
            f"{what}: the 4x4 matrix is no placement; its upper left must be a rotation and its last row 0 0 0 1"
        )
    return Placement.from_matrix(rows)
