"""Plots of runs: lines differ in colour and dash, names are literal text, files are written whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, one_of
from ..evaluate.values import quantity_values
from ..runtime.call import coordinate_names
from .plots import COLORS, NAMED, SUFFIXES, figure, legend_below, line, literal, save, short, style
from .tables import joint_units, writable_file

if TYPE_CHECKING:
    from ..simulate.run import Run

__all__ = ["plot"]

KINDS = {
    "angles": ("q", "q", "coordinate", "rad, m"),
    "rates": ("qd", "v", "rate", "rad/s, m/s"),
    "accelerations": ("qdd", "v", "acceleration", "rad/s², m/s²"),
    "torques": ("tau", "v", "joint force", "N m, N"),
    "energy": ("energy", "", "energy", "J"),
    "power": ("power", "", "power", "W"),
}


def plot(run: Run, what: str, path: str | os.PathLike[str] | None, link: str | None) -> Any:
    """A matplotlib figure."""
    if path is None and os.path.splitext(str(what)[-20:])[1].lower() in SUFFIXES:
        raise InputError(f"{str(what)[-80:]!r} is the name of a file; say what to draw first: plot('angles', FILE)")
    one_of("plot", what, (*KINDS, "path"))
    if link is not None and what != "path":
        raise InputError(
            f"link={link!r} has no effect on a plot of {what!r}; where a link goes is plot('path', link={link!r})"
        )
    if path is not None and writable_file(path).suffix.lower() not in SUFFIXES:
        raise InputError(f"{os.fspath(path)!r}: a plot's name must end in {', '.join(SUFFIXES)}")
    made, axes = figure(6.4, 4.0)
    with style():
        if what == "path":
            _path(run, axes, link)
        else:
            _lines(run, axes, *KINDS[what])
    if path is not None:
        save(made, path)
    return made


def _lines(run: Run, axes: Any, name: str, kind: str, label: str, units: str) -> None:
    values = getattr(run, name)
    if not kind:
        values = values[..., None]
    names = coordinate_names(run.model, kind) if kind else [""]
    many = run.runs is not None
    for k, joint in enumerate(names):
        shown, look = literal(short(joint)) or None, line(k)
        if not many:
            axes.plot(run.t, values[:, k], label=shown, linewidth=1.4, **look)
            continue
        # of an ensemble, the median and where 90 % are
        low, middle, high = np.nanpercentile(values[..., k], (5, 50, 95), axis=0)
        axes.plot(run.t, middle, label=shown, linewidth=1.4, **look)
        axes.fill_between(run.t, low, high, color=look["color"], alpha=0.15, linewidth=0)
    axes.set_xlabel("time (s)")
    axes.set_ylabel(f"{label} ({joint_units(run.model, units) if kind else units})")
    if any(names) and len(names) <= NAMED:
        legend_below(axes.figure, axes)


def _path(run: Run, axes: Any, link: str | None) -> None:
    """Where a link's origin goes, seen along the axis in which it moves least."""
    name = link or run.model.links[-1].name
    q = run.q if run.runs is not None else run.q[None]
    kept = [one[np.isfinite(one).all(axis=1)] for one in q[:50]]  # an event may come before the first of chosen times
    points = [quantity_values(run.model, "link_pose", one, link=name)[..., :3, 3] for one in kept if len(one)]
    spread = np.ptp(np.concatenate(points or [np.zeros((1, 3))]), axis=0)
    a, b = sorted(np.argsort(spread)[1:])
    for k, p in enumerate(points):
        axes.plot(p[:, a], p[:, b], color=COLORS[k % len(COLORS)], linewidth=1.2)
        axes.plot(*p[0, [a, b]], "o", color=COLORS[k % len(COLORS)], markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(literal(f"{'xyz'[a]} of {name} (m)"))
    axes.set_ylabel(literal(f"{'xyz'[b]} of {name} (m)"))
