"""Denavit-Hartenberg frames to draw for any robot, along the path to one link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..describe.dh.dh_write import convention_of, dh_with_base
from ..errors import InputError, ModelError, near, shown
from ..joints import Prismatic, Revolute
from ..model import WORLD as GROUND
from ..model import Link, Model, Placement

__all__ = ["DHFrames", "dh_data", "dh_frames", "tool_of"]

MOST = 200  # rows of a page


@dataclass(frozen=True)
class DHFrames:
    """A path's table: ``base`` is its first frame in body ``start``, ``tool`` the last link; one body a row."""

    convention: str
    start: int
    base: Placement
    rows: tuple[dict[str, Any], ...]
    tool: Placement
    bodies: tuple[int, ...]
    link: str


def dh_frames(model: Model, convention: str = "saha", link: str | None = None) -> DHFrames:
    """Frames along the path to a link, by default the one that the longest path leads to, of those behind a revolute
    or prismatic joint.

    Other joints than revolute and prismatic ones stand before the table: it begins behind the last of them on the path.
    """
    convention = convention_of(convention)
    at = _link(model, link)
    path: list[int] = []
    i = model.links[at].body
    while i and type(model.bodies[i].joint) in (Revolute, Prismatic):
        path.insert(0, i)
        i = model.bodies[i].parent
    if not path:
        kind = model.bodies[i].joint.name if i else "fixed"
        raise ModelError(
            f"link {model.links[at].name!r} hangs on a {kind} joint; DH frames need a revolute or prismatic one before "
            "the link"
        )
    bodies = [replace(model.bodies[b], parent=k, mimic=None) for k, b in enumerate(path)]
    ends = (Link(model.links[at].name, len(path), model.links[at].placement),)
    chain = Model(model.name, (GROUND, *bodies), ends, gravity=model.gravity)
    base, rows, tool = dh_with_base(chain, convention)
    return DHFrames(convention, i, base, tuple(rows), tool, tuple(path), model.links[at].name)


def tool_of(model: Model, drawn: bool = False) -> int:
    """The link at the end of the longest path of bodies (the last if equal); ``drawn``: with DH frames."""
    depth = [0] * len(model.bodies)
    for i, body in enumerate(model.bodies):
        if i:
            depth[i] = depth[body.parent] + 1
    held = [not drawn or type(model.bodies[x.body].joint) in (Revolute, Prismatic) for x in model.links]
    return max(range(len(model.links)), key=lambda k: (held[k], depth[model.links[k].body], k), default=-1)


def _link(model: Model, link: str | None) -> int:
    if link is None:
        return tool_of(model, drawn=True)
    if not isinstance(link, str) or link not in model.link_index:
        raise InputError(f"there is no link {shown(link)}{near(link, model.link_index)}")
    return model.link_index[link]


def dh_data(
    model: Model, convention: str = "saha", link: str | None = None, opened: bool = False
) -> tuple[dict[str, Any] | None, str]:
    """The page's drawing data, or the reason for none."""
    try:
        found = dh_frames(model, convention, link)
    except ModelError as error:
        return None, str(error)
    if len(found.rows) > MOST:
        return None, f"the path to {found.link!r} has {len(found.rows)} joints; DH frames of {MOST} at most are drawn"
    rows = []
    for row, i in zip(found.rows, found.bodies, strict=True):
        body = model.bodies[i]
        ratio, offset = (1.0, 0.0) if body.mimic is None else (body.mimic.ratio, body.mimic.offset)
        four = {"theta": row["theta"], "d": row.get("d", row.get("b", 0.0)), "a": row["a"], "alpha": row["alpha"]}
        moved = {
            "sliding": isinstance(body.joint, Prismatic),
            "iq": model.offsets[i][0],
            "ratio": ratio,
            "offset": offset,
        }
        rows.append({"name": body.name, **four, **moved})
    flat = {key: [float(x) for x in np.ravel(at.matrix())] for key, at in (("base", found.base), ("tool", found.tool))}
    return {
        "convention": found.convention,
        "body": found.start,
        "link": found.link,
        "rows": rows,
        "open": opened,
        **flat,
    }, ""
