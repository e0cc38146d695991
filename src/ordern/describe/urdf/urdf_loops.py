"""Loops in URDF, as URDF+ has them [arXiv 2411.19753]: <loop> and <coupling>, in and out.

A <loop> has <predecessor link="..."> and <successor link="..."> with an <origin> each, a type and an <axis> (x by
default, as for joints). A <coupling> ties the joints on both links' ways from their common ancestor: ratio times those
to the predecessor equal those to the successor. What URDF+ has no word for is added in its manner: the types "point",
"distance" (<length value="..."/>), "helical" (<pitch value="..."/>), couplings of any joints (<term joint="..."
ratio="..."/>, <offset value="..."/>) and <actuated joint="..."/>, without a joint where none has a drive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model import Loop, Model, Placement
from ..specs import LoopSpec
from ..xml import Element

__all__ = ["origin_of", "read_coupling", "read_loop", "write_loops"]

ZERO = (0.0, 0.0, 0.0)
VALUES = {"distance": "length", "helical": "pitch"}


def origin_of(element: Element) -> Placement:
    """The <origin> of an element; nothing is the identity."""
    origin = element.one("origin")
    if origin is None:
        return Placement()
    origin.spelled("xyz", "rpy")
    xyz, rpy = origin.numbers("xyz", 3, ZERO), origin.numbers("rpy", 3, ZERO)
    return Placement.from_rpy(xyz, rpy) if any(rpy) else Placement(origin=(xyz[0], xyz[1], xyz[2]))


def _ends(element: Element) -> tuple[Element, Element]:
    one = element.need("predecessor", "<predecessor link='link1'><origin xyz='0 0 0'/></predecessor>")
    return one, element.need("successor", "<successor link='link2'><origin xyz='0 0 0'/></successor>")


def read_loop(element: Element) -> LoopSpec:
    """A <loop>."""
    kind = element.text("type", "revolute")
    one, two = _ends(element)
    axis = element.one("axis")
    direction = None
    if kind not in ("fixed", "point", "distance", "spherical", "universal"):
        direction = (1.0, 0.0, 0.0) if axis is None else axis.spelled("xyz").numbers("xyz", 3)
    key = VALUES.get(kind)
    given = element.need(key, f"<{key} value='0.1'/>").number("value") if key else 0.0
    return LoopSpec(
        element.text("name", "loop1"), kind, one.text("link", "link1"), two.text("link", "link2"),
        frame1=origin_of(one), frame2=origin_of(two),
        axis=direction, length=given if key == "length" else None, pitch=given if key == "pitch" else 0.0,
        where=element.where,
    )  # fmt: skip


def read_coupling(element: Element) -> LoopSpec:
    """A <coupling>."""
    name, terms = element.text("name", "coupling1"), element.all("term")
    offset = element.one("offset")
    shift = 0.0 if offset is None else offset.number("value")
    if terms:
        joints = {term.text("joint", "joint1"): term.number("ratio", 1.0) for term in terms}
        return LoopSpec(name, "gear", joints=joints, offset=shift, where=element.where)
    one, two = _ends(element)
    ratio = element.one("ratio")
    factor = 1.0 if ratio is None else ratio.number("value")
    return LoopSpec(
        name,
        "gear",
        one.text("link", "link1"),
        two.text("link", "link2"),
        ratio=factor,
        offset=shift,
        where=element.where,
    )


def write_loops(model: Model, quote: Callable[[str], str], origin: Callable[[Placement], str]) -> Sequence[str]:
    """All loops and drives as lines."""
    lines = [f"  <actuated joint={quote(name)}/>" for name in model.actuated or ()]
    if model.actuated == ():
        lines = ["  <actuated/>"]
    for loop in model.loops:
        lines += _coupling(model, loop, quote) if loop.terms else _loop(model, loop, quote, origin)
    return lines


def _coupling(model: Model, loop: Loop, quote: Callable[[str], str]) -> list[str]:
    terms = [f'    <term joint={quote(model.bodies[body].name)} ratio="{ratio!r}"/>' for body, ratio in loop.terms]
    return [f"  <coupling name={quote(loop.name)}>", *terms, f'    <offset value="{loop.offset!r}"/>', "  </coupling>"]


def _loop(model: Model, loop: Loop, quote: Callable[[str], str], origin: Callable[[Placement], str]) -> list[str]:
    lines = [f"  <loop name={quote(loop.name)} type={quote(loop.kind)}>"]
    for tag, link, frame in (("predecessor", loop.link1, loop.frame1), ("successor", loop.link2, loop.frame2)):
        name = "world" if link < 0 else model.links[link].name
        lines.append(f"    <{tag} link={quote(name)}>{origin(frame)}</{tag}>")
    lines += [f'    <{VALUES[loop.kind]} value="{value!r}"/>' for value in loop.constants]
    return [*lines, '    <axis xyz="0 0 1"/>', "  </loop>"]
