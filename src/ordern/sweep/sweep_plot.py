"""A picture of a sweep: each figure against what was swept first, and its distribution."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..report.plots import COLORS, figure, literal, save, style
from ..report.tables import joint_units
from .sweep import Result
from .sweep_block import figures

__all__ = ["plot_sweep"]

UNITS = {
    "tracking": "rad, m",
    "tool": "m",
    "energy_drift": "J",
    "peak_torque": "N m, N",
    "q": "rad, m",
    "qd": "rad/s, m/s",
}
AXES = {"payload.mass": "kg", "simulation.duration": "s"}


def plot_sweep(
    result: Result, show: Sequence[str] = (), path: str | os.PathLike[str] | None = None, most: int = 3
) -> Any:
    """Rows of two panels: a figure of every run against the first swept number, and how often its values occur.

    Args:
        result: of a sweep.
        show: which figures; the first ones by default.
        path: where to write it (.svg, .png, .pdf); nowhere if None.
        most: how many figures where ``show`` does not say.
    """
    columns, ok = result.columns, result.columns["status"] == "done"
    names = list(show) or figures(result.folder.study)[:most]
    swept = list(columns)[1 : list(columns).index("status")]
    against = next((s for s in swept if columns[s].dtype.kind == "f" and len(np.unique(columns[s])) > 1), "run")
    made, axes = figure(7.0, 2.6 * len(names), len(names), 2, squeeze=False, gridspec_kw={"width_ratios": (3, 2)})
    with style():
        for row, name in zip(axes, names, strict=True):
            unit = UNITS.get(name.split(":")[0].split(".")[0], "")
            unit = joint_units(result.folder.study.robot.model, unit) if ", " in unit else unit
            label = literal(name) + (f" ({unit})" if unit else "")
            y = columns[name][ok]
            row[0].plot(
                columns[against][ok], y, ".", color=COLORS[0], markersize=2.5, alpha=0.5, rasterized=len(y) > 1000
            )
            row[0].set(xlabel=literal(against) + (f" ({AXES[against]})" if against in AXES else ""), ylabel=label)
            row[1].hist(y[np.isfinite(y)], bins=min(60, max(5, int(np.sqrt(len(y))))), color=COLORS[0])
            row[1].set(xlabel=label, ylabel="runs")
        left = (~ok).sum()
        if left:
            made.suptitle(f"{ok.sum()} runs; {left} more did not reach their end")
    if path is not None:
        save(made, path)
    return made
