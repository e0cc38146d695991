"""Plots of runs: readable in print, and for those who do not see all colours (Okabe and Ito's palette, with line styles besides)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.specs import near
from ..errors import InputError, need
from ..evaluate.call import coordinate_names

if TYPE_CHECKING:
    from .run import Run

__all__ = ["plot"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")
KINDS = {
    "angles": ("q", "q", "coordinate (rad, m)"),
    "rates": ("qd", "v", "rate (rad/s, m/s)"),
    "accelerations": ("qdd", "v", "acceleration (rad/s², m/s²)"),
    "torques": ("tau", "v", "joint force (N m, N)"),
    "energy": ("energy", "", "energy (J)"),
    "power": ("power", "", "power (W)"),
}


def plot(run: Run, what: str, path: str | os.PathLike[str] | None, link: str | None) -> Any:
    """A matplotlib figure."""
    if what not in (*KINDS, "path"):
        raise InputError(f"plot {what!r}: there are {', '.join((*KINDS, 'path'))}{near(str(what), (*KINDS, 'path'))}")
    figures: Any = need("matplotlib.figure", "plots")
    figure = figures.Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    if what == "path":
        _path(run, axes, link)
    else:
        _lines(run, axes, *KINDS[what])
    axes.grid(True, linewidth=0.4, alpha=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        figure.savefig(path, dpi=200)
    return figure


def _lines(run: Run, axes: Any, name: str, kind: str, label: str) -> None:
    values = getattr(run, name)
    if not kind:
        values = values[..., None]
    names = coordinate_names(run.model, kind) if kind else [""]
    many = run.runs is not None
    for k, joint in enumerate(names):
        style = {"color": COLOURS[k % len(COLOURS)], "linestyle": STYLES[k // len(COLOURS) % len(STYLES)]}
        if not many:
            axes.plot(run.t, values[:, k], label=joint or None, linewidth=1.4, **style)
            continue
        low, middle, high = np.nanpercentile(values[..., k], (5, 50, 95), axis=0)  # of an ensemble, the median and where 90 % are
        axes.plot(run.t, middle, label=joint or None, linewidth=1.4, **style)
        axes.fill_between(run.t, low, high, color=style["color"], alpha=0.15, linewidth=0)
    axes.set_xlabel("time (s)")
    axes.set_ylabel(label)
    if any(names) and len(names) <= 21:
        axes.legend(fontsize="small", frameon=False, ncols=1 + (len(names) - 1) // 7)


def _path(run: Run, axes: Any, link: str | None) -> None:
    """Where a link's origin goes, seen along the axis in which it moves least."""
    from ..robot import Robot

    robot = Robot(run.model)
    name = link or robot.link_names[-1]
    q = run.q if run.runs is not None else run.q[None]
    points = [robot.forward_kinematics(one[np.isfinite(one).all(axis=1)], name)[..., :3, 3] for one in q[:50]]
    spread = np.ptp(np.concatenate(points), axis=0)
    a, b = sorted(np.argsort(spread)[1:])
    for k, p in enumerate(points):
        axes.plot(p[:, a], p[:, b], color=COLOURS[k % len(COLOURS)], linewidth=1.2)
        axes.plot(*p[0, [a, b]], "o", color=COLOURS[k % len(COLOURS)], markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"{'xyz'[a]} of {name} (m)")
    axes.set_ylabel(f"{'xyz'[b]} of {name} (m)")
