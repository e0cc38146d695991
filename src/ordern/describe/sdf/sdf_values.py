"""Values of SDF, which stand between tags: numbers, names and poses."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from ...errors import ModelError, near, tell
from ...model import Placement
from ..mjcf.mjcf_values import from_quaternion
from ..specs import DEGREES, TURN
from ..xml import HUGE, Element, floats

__all__ = ["attributed", "child_text", "known", "number", "odd_angles", "only", "pose", "truth", "values"]

INFINITE = re.compile(r"\s*([+-]?)inf(?:inity)?\s*", re.IGNORECASE)
WHOLE = ("sdf", "model", "link")  # what is in them is a part of its own, not a number of another
MOST = 20  # kinds of them
LIMITLESS = 1e15  # what old files write for no limit


ATTRIBUTES = {
    "sdf": ("version",), "model": ("name", "canonical_link", "placement_frame"), "link": ("name",),
    "joint": ("name", "type"),
    "frame": ("name", "attached_to"), "pose": ("relative_to", "rotation_format", "degrees", "frame"),
    "xyz": ("expressed_in",),
    "inertial": ("auto",), "include": ("merge",), "mimic": ("joint", "axis"), "inertia": (), "limit": (),
    "dynamics": (), "axis": (), "axis2": (),
}  # fmt: skip


def known(element: Element, children: frozenset[str]) -> Element:
    """The element, checked: SDF's children and attributes or names with a colon; unread parts give a warning."""
    odd = {
        child.tag: child for child in reversed(element.children) if child.tag not in children and ":" not in child.tag
    }
    for k, child in enumerate(reversed(odd.values())):
        hint = near(child.tag, children)
        told = f"{child.where}: SDF has no <{child.tag[:80]}> in <{element.tag}>"
        if hint or element.tag not in WHOLE or k >= MOST:
            raise ModelError(f"{told}{hint or '; remove it'}")
        tell(f"{told}; it is passed over")
    return attributed(element)


def attributed(element: Element) -> Element:
    """The element itself, unless it has an attribute that SDF does not have there."""
    allowed = ATTRIBUTES[element.tag]
    for key in element.attributes:
        if key not in allowed and ":" not in key and key != "xmlns":
            raise ModelError(
                f"{element.where}: SDF has no attribute {key[:80]!r} there{near(key, allowed) or '; remove it'}"
            )
    return element


def child_text(element: Element, tag: str) -> str:
    """The text of the child with that tag, or ""."""
    found = element.one(tag)
    return found.content.strip() if found is not None else ""


def truth(element: Element, text: str, default: bool = False) -> bool:
    """Yes or no, in capitals too, as SDF has them."""
    word = text.strip().lower()
    if word not in ("", "true", "1", "false", "0"):
        raise ModelError(f"{element.where}: {text[:80]!r} is neither 'true' nor 'false'; write one of them")
    return word in ("true", "1") if word else default


def only(element: Element, tag: str, what: str) -> str:
    """What stands in a child that must be there."""
    found = child_text(element, tag)
    if not found:
        raise ModelError(f"{element.where}: <{tag}> is missing or empty; name {what}")
    return found


def values(element: Element, count: int) -> tuple[float, ...]:
    """So many numbers between the tags."""
    text = element.content
    made = floats(text) if len(text) <= 1000 * count else None
    if made is None or len(made) != count:
        what = f"{count} plain finite numbers" if count > 1 else "a plain finite number"
        raise ModelError(f"{element.where}: {' '.join(text.split())[:80]!r} is not {what}")
    for x in made:
        if not -HUGE <= x <= HUGE:
            raise ModelError(
                f"{element.where}: {' '.join(text.split())[:80]!r} is too large; numbers are in SI units and below "
                f"{HUGE:g}"
            )
    return made


def number(element: Element | None, tag: str, default: float, infinite: bool = False) -> float:
    """The number in the child of that tag."""
    found = element.one(tag) if element is not None else None
    if found is None or not found.content.strip():
        return default
    if infinite:
        endless = INFINITE.fullmatch(found.content)
        if endless:
            return -math.inf if endless[1] == "-" else math.inf
        made = floats(found.content)  # Gazebo writes the largest number there is
        if made is not None and len(made) == 1 and LIMITLESS <= abs(made[0]) < math.inf:
            return math.copysign(math.inf, made[0])
    return values(found, 1)[0]


def pose(element: Element, version: tuple[int, int]) -> tuple[str, Placement]:
    """The frame an element's pose is relative to (empty: SDF's default), and the pose."""
    found = element.one("pose")
    if found is None:
        return "", Placement()
    base = attributed(found).attributes.get("relative_to", "")
    if found.attributes.get("frame"):
        raise ModelError(
            f"{found.where}: the attribute 'frame' of old poses never had a meaning; write relative_to in SDF 1.7 or "
            "later, or remove it"
        )
    if version < (1, 7) and base:
        raise ModelError(
            f"{found.where}: relative_to is for SDF 1.7 and later; this file says {version[0]}.{version[1]}"
        )
    form = found.attributes.get("rotation_format", "euler_rpy")
    if not found.content.strip():
        return base, Placement()
    if form == "quat_xyzw":
        x, y, z, a, b, c, w = values(found, 7)
        if math.hypot(a, b, c, w) < 1e-12:
            raise ModelError(f"{found.where}: the quaternion is zero; 0 0 0 1 turns nothing")
        return base, Placement(from_quaternion(w, a, b, c), (x, y, z))
    if form != "euler_rpy":
        raise ModelError(f"{found.where}: rotation_format={form[:80]!r}; SDF has euler_rpy and quat_xyzw")
    six = values(found, 6)
    angles = [math.radians(a) for a in six[3:]] if truth(found, found.attributes.get("degrees", "")) else list(six[3:])
    return base, Placement.from_rpy(six[:3], angles) if any(angles) else Placement(origin=(six[0], six[1], six[2]))


def odd_angles(top: Element) -> Iterator[tuple[str, str, str]]:
    """Poses in an element, at any depth, that turn by more than a turn: where, what and what to do."""
    todo = [(top, top)]
    while todo:
        element, owner = todo.pop()
        if element.tag == "pose" and {"rotation_format", "degrees"}.isdisjoint(element.attributes):
            angles = (floats(element.content) or ())[3:]
            if any(abs(a) > TURN for a in angles):
                text = (
                    f"the pose {' '.join(element.content.split())[:80]!r} in line {element.line} turns by more than "
                    "a turn"
                )
                yield owner.label, text, DEGREES
        todo += [(child, element if "name" in element.attributes else owner) for child in reversed(element.children)]
