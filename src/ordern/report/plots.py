"""Plots: time series, tool paths, matrices, bands and operation counts, as SVG, PNG or PDF; readable in print and for
the colour-blind.

Lines differ in colour (Okabe and Ito's eight), in dash and at their end by their name. No display is needed, no global
state is changed.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, need
from ..files import write
from ..scalars.primitives import Array

__all__ = [
    "COLORS", "DASHES", "MARKERS", "NAMED", "SUBSCRIPTS", "figure", "legend_below", "line", "plot_bands", "plot_counts",
    "plot_energy", "plot_matrix", "plot_path", "plot_power", "plot_series", "points", "save", "short", "style", "svg",
]  # fmt: skip

COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#8C6D1F",
)  # Okabe and Ito, yellow darkened for print
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (8, 2, 2, 2)), (0, (1, 1)), (0, (4, 1, 1, 1, 1, 1)))
MARKERS = "osD^vP*X"
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"  # of symbols in legends
SUFFIXES = (".svg", ".png", ".pdf")
NAMED = 24  # lines that a legend can tell apart: three turns of the colours, each with its own dashes
STYLE = {
    "figure.dpi": 110, "savefig.dpi": 160, "font.size": 9.5, "axes.titlesize": 10.5, "axes.labelsize": 9.5,
    "legend.fontsize": 8.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#d9d9d9",
    "grid.linewidth": 0.6,
    "axes.edgecolor": "#555555", "axes.axisbelow": True, "lines.linewidth": 1.7, "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "ordern", "figure.facecolor": "white", "axes.facecolor": "white",
}  # fmt: skip


def _matplotlib() -> Any:
    return need("matplotlib", "plots")


def style() -> AbstractContextManager[None]:
    """The settings of all plots, for a ``with``."""
    made: AbstractContextManager[None] = _matplotlib().rc_context(STYLE)
    return made


def figure(width: float = 7.0, height: float = 3.4, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure without a window, and its axes."""
    _matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style():
        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(made)
        axes = made.subplots(rows, columns, **options)
    # a notebook shows figures by itself only once pyplot has been there
    vars(made)["_repr_png_"] = partial(_rendered, made, "png")
    return made, axes


def save(made: object, path: str | os.PathLike[str]) -> None:
    """Write a figure whole or not at all; the suffix (.svg, .png, .pdf) says how."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{os.fspath(path)!r}: a plot's name must end in {', '.join(SUFFIXES)}")
    write(path, _rendered(made, suffix[1:]))


def svg(made: object) -> str:
    """The figure as an <svg> element to put into a page: no XML head, no links, scales with its place."""
    text = _rendered(made, "svg").decode("utf-8")
    return text[text.index("<svg") :]


def _rendered(made: Any, form: str) -> bytes:
    out = io.BytesIO()
    with style():
        made.savefig(out, format=form, metadata={"Date": None} if form == "svg" else None)
    return out.getvalue()


def _done(made: object, path: str | os.PathLike[str] | None) -> Any:
    if path is not None:
        save(made, path)
    return made


def literal(text: str) -> str:
    """A name in which dollar signs start no formula."""
    return text.replace("$", r"\$")


def line(k: int) -> dict[str, Any]:
    """Colour and dash of the k-th line; the first 48 differ: eight colours on make five dashes of six."""
    return {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[(k // len(COLORS) * 3 + k) % len(DASHES)]}


def plot_series(
    t: Array,
    y: Array,
    names: Sequence[str],
    ylabel: str,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    xlabel: str = "time (s)",
    axes: Any = None,
) -> Any:
    """Columns of y (T, k) against t, one named line each; more than NAMED become a fan without names.

    Args:
        t: times, (T,).
        y: values, (T, k) or (T,).
        names: of the columns.
        ylabel: what they are, with unit.
        path: where to write it (.svg, .png, .pdf); nowhere if None.
        title: above the plot.
        xlabel: below it.
        axes: of an existing figure to draw into.

    Returns:
        The matplotlib figure.
    """
    t, y = np.asarray(t, float), np.asarray(y, float)
    y = y[:, None] if y.ndim == 1 else y
    if y.shape[0] != len(t) or len(names) != y.shape[1]:
        raise InputError(f"y has shape {y.shape}; it needs {len(t)} rows (times) and {len(names)} columns (names)")
    with style():
        own = axes is None
        made, axes = figure() if own else (axes.figure, axes)
        many = y.shape[1] > NAMED
        for k, name in enumerate(names):
            look = {"color": COLORS[0], "linewidth": 0.6, "alpha": 0.6} if many else line(k)
            axes.plot(t, y[:, k], label=None if many else literal(short(name)), **look)
        if 1 < y.shape[1] <= NAMED:
            legend_below(made, axes, own)
        _labels(axes, xlabel, ylabel, title)
    return _done(made, path)


def short(name: str) -> str:
    """A name that a legend holds."""
    return name if len(name) <= 60 else f"{name[:40]}...{name[-15:]}"


def legend_below(made: Any, axes: Any, grows: bool = True) -> None:
    """A legend that hides no curve and is no wider than the figure, which grows with its rows if it may: 0.07 in a
    letter, 0.6 in for the line before it, 0.18 in a row; two rows fit as it is.
    """
    names = [shown.get_label() for shown in axes.lines]
    widest = 0.07 * max(map(len, names)) + 0.6
    columns = max(1, min(6, len(names), int((made.get_figwidth() - 0.4) / widest)))
    if grows:
        made.set_figheight(made.get_figheight() + 0.18 * max(0, -(-len(names) // columns) - 2))
    axes.legend(ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.16), handlelength=2.6)


def _labels(axes: Any, xlabel: str, ylabel: str, title: str) -> None:
    axes.set_xlabel(literal(xlabel))
    axes.set_ylabel(literal(ylabel))
    if title:
        axes.set_title(literal(title), loc="left")
    axes.margins(x=0.01)


def plot_energy(
    t: Array, kinetic: Array, potential: Array, path: str | os.PathLike[str] | None = None, *, title: str = "Energy"
) -> Any:
    """Kinetic, potential and total energy."""
    kinetic, potential = np.asarray(kinetic, float), np.asarray(potential, float)
    y = np.stack([kinetic, potential, kinetic + potential], axis=1)
    return plot_series(t, y, ("kinetic", "potential", "total"), "energy (J)", path, title=title)


def plot_power(
    t: Array,
    tau: Array,
    qd: Array,
    names: Sequence[str],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "Power",
) -> Any:
    """Power of each drive, tau_i qd_i, and their sum."""
    power = np.asarray(tau, float) * np.asarray(qd, float)
    y = np.concatenate([power, power.sum(axis=1, keepdims=True)], axis=1)
    return plot_series(t, y, (*names, "sum"), "power (W)", path, title=title)


def plot_path(
    points: Array, path: str | os.PathLike[str] | None = None, *, title: str = "Tool path", t: Array | None = None
) -> Any:
    """A path (T, 3) in space, seen along the three axes; the start is a circle, the end a square."""
    points = np.asarray(points, float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"points have shape {points.shape}; a path is (T, 3)")
    made, axes = figure(8.4, 3.0, 1, 3)
    with style():
        for k, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
            axes[k].plot(points[:, a], points[:, b], **line(0))
            axes[k].plot(*points[0, [a, b]], "o", color=COLORS[2], label="start")
            axes[k].plot(*points[-1, [a, b]], "s", color=COLORS[1], label="end")
            axes[k].set_aspect("equal", "datalim")
            _labels(axes[k], f"{'xyz'[a]} (m)", f"{'xyz'[b]} (m)", title if k == 0 else "")
        axes[2].legend(loc="best")
    return _done(made, path)


def plot_matrix(
    matrix: Array, path: str | os.PathLike[str] | None = None, *, title: str = "Mass matrix", names: Sequence[str] = ()
) -> Any:
    """A matrix as a heat map, by magnitude of its elements in decades; small ones also have their numbers."""
    m = np.asarray(matrix, float)
    n = m.shape[0]
    size = np.abs(m)
    top = float(size.max()) or 1.0
    with np.errstate(divide="ignore"):
        decades = np.log10(np.where(size > top * 1e-12, size, np.nan))
    made, axes = figure(4.6, 4.0)
    with style():
        axes.grid(visible=False)
        image = axes.imshow(decades, cmap="cividis_r", interpolation="nearest")
        made.colorbar(image, ax=axes, label="log10 of the magnitude", shrink=0.85)
        if n <= 8:
            middle = np.nanmean(decades[np.isfinite(decades)]) if np.isfinite(decades).any() else 0.0
            for i in range(n):
                for j in range(m.shape[1]):
                    dark = np.isfinite(decades[i, j]) and decades[i, j] > middle
                    axes.text(
                        j,
                        i,
                        f"{m[i, j]:.2g}" if np.isfinite(decades[i, j]) else "0",
                        ha="center",
                        va="center",
                        fontsize=7,
                        color="white" if dark else "black",
                    )
        if names and n <= 12:
            shown = [literal(name) for name in names]
            axes.set_xticks(range(n), shown, rotation=60, ha="right")
            axes.set_yticks(range(n), shown)
        else:
            axes.set_xticks(range(n), range(1, n + 1)) if n <= 12 else None
            axes.set_yticks(range(n), range(1, n + 1)) if n <= 12 else None
        axes.set_title(literal(title), loc="left")
    return _done(made, path)


def plot_bands(
    blocks: Mapping[str, Array], path: str | os.PathLike[str] | None = None, *, title: str = "", cutoff: float = 1e-12
) -> Any:
    """Where matrices have elements: one square a block, filled where larger than cutoff times its largest."""
    made, axes = figure(2.2 * len(blocks) + 0.4, 2.6, 1, len(blocks), squeeze=False)
    with style():
        for ax, (name, block) in zip(axes[0], blocks.items(), strict=True):
            size = np.abs(np.asarray(block, float))
            ax.imshow(
                size > cutoff * (float(size.max()) or 1.0), cmap="Blues", vmin=0, vmax=1.3, interpolation="nearest"
            )
            n, m = size.shape
            ax.set_xticks(np.arange(-0.5, m), minor=True)
            ax.set_yticks(np.arange(-0.5, n), minor=True)
            ax.grid(visible=False, which="major")
            ax.grid(which="minor", color="#bbbbbb", linewidth=0.4)
            ax.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
            ax.set_title(name, loc="center", math_fontfamily="dejavuserif")
        if title:
            made.suptitle(title, x=0.01, ha="left", fontsize=10.5)
    return _done(made, path)


def points(made: Any, values: Mapping[float, Sequence[float]]) -> None:
    """Draw values at their times over the curves of a figure, as circles in the curves' colours."""
    for k, series in enumerate(zip(*values.values(), strict=True)):
        made.axes[0].plot(list(values), series, "o", ms=4.5, mfc="none", mec=COLORS[k % len(COLORS)], mew=1.1, zorder=5)


def plot_counts(
    n: Sequence[float],
    curves: Mapping[str, Array | Sequence[float]],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    ylabel: str = "operations",
    xlabel: str = "links n",
    log: bool = False,
) -> Any:
    """Curves against n, with markers; NaN leaves a gap; ``log`` for both axes."""
    made, axes = figure(7.0, 3.8)
    with style():
        for k, (name, values) in enumerate(curves.items()):
            y = np.asarray(values, float)
            axes.plot(n[: len(y)], y, marker=MARKERS[k % len(MARKERS)], markersize=3.6, label=literal(name), **line(k))
        if log:
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xticks(list(n) if len(n) <= 10 else list(n)[:: -(-len(n) // 10)])
            axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}" if len(f"{x:g}") <= 6 else f"{x:.1e}")
            axes.minorticks_off()
        elif all(float(x).is_integer() for x in n):
            axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
        _labels(axes, xlabel, ylabel, title)
    return _done(made, path)
