"""``draw_dh``: Denavit-Hartenberg frames, step by step: a page to walk through, or a picture of all frames."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..errors import InputError
from ..evaluate.values import link_poses
from ..files import write
from ..model import Model
from ..report.plots import COLORS, figure, literal
from ..report.plots import save as save_figure
from ..report.tables import writable_file
from ..scalars.primitives import Array
from .dh_frames import dh_data, dh_frames
from .film import PAGES, PICTURES
from .page import render
from .page_data import checked_title, starting

__all__ = ["draw_dh"]


def draw_dh(
    model: Model,
    path: str | os.PathLike[str] | None = None,
    convention: str = "saha",
    link: str | None = None,
    q: object = None,
    title: str | None = None,
) -> str:
    """The DH frames along the path to a link: as a page that goes through turn and shift about z and x, row by row; or
    as a picture.

    Args:
        model: the robot.
        path: the file to write: .html, or a picture of all frames with their table as .png, .svg or .pdf.
        convention: "saha", "distal" (standard) or "proximal" (modified).
        link: where the path ends; by default the link at the end of the longest path.
        q: the configuration; by default neutral.
        title: by default the robot's name.

    Returns:
        The page's text; nothing for pictures.

    Trees, loops and mimicking joints are drawn along the path; joints that no table holds (floating, spherical, ...)
    stand before its first frame.
    """
    target = writable_file(path) if path is not None else None
    frames = dh_frames(model, convention, link)
    kind = target.suffix.lower() if target is not None else ".html"
    if target is not None and kind in PICTURES:
        _picture(model, target, frames, q, title)
        return ""
    if kind not in PAGES:
        raise InputError(f"{str(target)!r}: the name must end in {', '.join((*PAGES, *PICTURES))}")
    data, why = dh_data(model, convention, link, opened=True)
    if data is None:
        raise InputError(f"{why}; a picture (.png, .svg, .pdf) has no such bound")
    text = render(model, q, None, title, more={"dh": data, "noDh": ""})[0]
    if target is not None:
        write(target, text)
    return text


def placed_frames(model: Model, frames: Any, q: Array) -> list[Array]:
    """All frames of the table in the world, (4, 4) each: from the first to the last, and at the end the link."""
    poses = link_poses(model, q[None])[0]
    first: dict[int, int] = {}
    for k, item in enumerate(model.links):
        first.setdefault(item.body, k)
    start = (
        np.eye(4)
        if not frames.start
        else poses[first[frames.start]] @ np.linalg.inv(model.links[first[frames.start]].placement.matrix())
    )
    made = [start @ frames.base.matrix()]
    for row, i in zip(frames.rows, frames.bodies, strict=True):
        body = model.bodies[i]
        ratio, offset = (1.0, 0.0) if body.mimic is None else (body.mimic.ratio, body.mimic.offset)
        x = ratio * q[model.offsets[i][0]] + offset
        slides = body.joint.name == "prismatic"
        about = _along(
            2, row["theta"] + (0.0 if slides else x), row.get("d", row.get("b", 0.0)) + (x if slides else 0.0)
        )
        across = _along(0, row["alpha"], row["a"])
        made.append(made[-1] @ (across @ about if frames.convention == "proximal" else about @ across))
    return [*made, made[-1] @ frames.tool.matrix()]


def _along(axis: int, angle: float, shift: float) -> Array:
    """A turn about and a shift along one axis."""
    made = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    made[i, i] = made[j, j] = np.cos(angle)
    made[j, i] = np.sin(angle)
    made[i, j] = -np.sin(angle)
    made[axis, 3] = shift
    return made


def _picture(model: Model, target: Any, frames: Any, q: object, title: str | None) -> None:
    """Links as grey bars, frames as triads with numbers, the table beside them."""
    poses = placed_frames(model, frames, np.asarray(starting(model, q), float))
    made, axes = figure(9.6, 5.4, subplot_kw={"projection": "3d", "position": [0.0, 0.02, 0.55, 0.9]})
    made.set_layout_engine("none")
    points = np.array([pose[:3, 3] for pose in poses])
    half = max(float(np.ptp(points, axis=0).max()) / 2 * 1.15, 1e-3)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    axes.plot(*points.T, color="0.7", linewidth=4, solid_capstyle="round")
    first = 1 if frames.convention == "saha" else 0  # Saha's frame 1 stands on the base, the others' frame 0
    for k, pose in enumerate(poses[:-1], first):
        for c, color in enumerate((COLORS[1], COLORS[2], COLORS[0])):
            axes.plot(*np.array([pose[:3, 3], pose[:3, 3] + 0.22 * half * pose[:3, c]]).T, color=color, linewidth=1.6)
        axes.text(*(pose[:3, 3] + 0.25 * half * pose[:3, 2]), f"$z_{{{k}}}$", fontsize=8)
        axes.text(*(pose[:3, 3] + 0.25 * half * pose[:3, 0]), f"$x_{{{k}}}$", fontsize=8)
    for name, c in zip("xyz", middle, strict=True):
        getattr(axes, f"set_{name}lim")(c - half, c + half)
        getattr(axes, f"set_{name}label")(f"{name} (m)")
    axes.set_box_aspect((1, 1, 1), zoom=0.88)  # room for the numbers below
    axes.set_title(literal(f"{checked_title(title) or model.name}: {frames.convention} DH frames to {frames.link}"))
    second = "b" if frames.convention == "saha" else "d"
    keys = ("alpha", "a", "theta", second) if frames.convention == "proximal" else ("theta", second, "a", "alpha")
    signs = {"theta": r"$\theta$ (rad)", "b": "$b$ (m)", "d": "$d$ (m)", "a": "$a$ (m)", "alpha": r"$\alpha$ (rad)"}
    names = {i: model.bodies[i].name for i in frames.bodies}
    rows = [
        [literal(names[i][:18]), *(_entry(row, key, model.bodies[i]) for key in keys)]
        for row, i in zip(frames.rows, frames.bodies, strict=True)
    ]
    side = made.add_axes((0.56, 0.05, 0.43, 0.85))
    side.set_axis_off()
    if rows:
        table = side.table(
            cellText=rows[:24],
            colLabels=["joint", *(signs[key] for key in keys)],
            loc="center",
            cellLoc="right",
            edges="horizontal",
        )
        table.auto_set_font_size(False)
        table.set_fontsize(8)
        table.scale(1.0, 1.25)
    save_figure(made, target)


def _entry(row: dict[str, Any], key: str, body: Any) -> str:
    """A constant; the joint's own coordinate is added where it moves."""
    moves = key == "theta" if body.joint.name == "revolute" else key in ("d", "b")
    value = row.get(key, 0.0)
    return (f"{value:.4g} + q" if value else "q") if moves else f"{value:.4g}"
