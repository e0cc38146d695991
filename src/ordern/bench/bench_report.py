"""The benchmark as a table (Markdown) and a plot."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import need
from ..files import write

if TYPE_CHECKING:
    from .bench import Measure
    from .bench_more import Measurement

__all__ = ["plot", "table"]


def table(
    measures: Sequence[Measure],
    share: dict[str, float],
    machine: dict[str, str],
    more: Sequence[Measurement] = (),
    left_out: Sequence[str] = (),
) -> str:
    """Markdown; times in nanoseconds a state."""
    lines = ["Measured on " + ", ".join(f"{k} {v}" for k, v in machine.items()) + "; made by `make bench`.", ""]
    lines += [
        f"Times are for one state, ours with {machine.get('lanes', '?')} lanes of float64. The ratio is the time of "
        "the peer's call over that",
        "of ours for the same states, in turns; ours is the method of `Robot` on NumPy arrays, beside JAX libraries "
        "`ordern.jax` inside `jit(vmap)`.",
        "`empty` is what a call of the peer's costs that computes nothing: its way in from Python, paid for each state "
        "in a loop, once in a batch.",
        "",
        "| robot | quantity | states | threads | peer's call | ours, ns | peer, ns | peer empty, ns a call | peer's "
        "time over ours | middle half |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for m in measures:
        what = m.quantity.replace("_", " ")
        lines.append(
            f"| {m.robot} | {what} | {m.states} | {m.threads} | {m.peer}: {m.call} | {m.ours * 1e9:.0f} | "
            f"{m.theirs * 1e9:.0f} | {_entry(m)} | {m.ratio:.1f} | {m.low:.1f} to {m.high:.1f} |"
        )
    lines += ["", *(f"- Left out: {why}." for why in left_out)] if left_out else []
    if more:
        lines += ["", "| what | median | middle half | in |", "|---|---|---|---|"]
        lines += [f"| {f.what} | {f.value:.3g} | {f.low:.3g} to {f.high:.3g} | {f.unit} |" for f in more]
    if not share:
        return "\n".join(lines) + "\n"
    lines += [
        "",
        f"Inverse dynamics issues {share['operations']:.0f} operations a state (sines and cosines included): "
        f"{100 * share['share']:.0f} % of the",
    ]
    lines += [
        "core's fused multiply-adds, measured in the same run "
        f"({100 * share['low']:.0f} to {100 * share['high']:.0f} %)."
    ]
    return "\n".join(lines) + "\n"


def _entry(m: Measure) -> str:
    return f"{m.extra['entry'] * 1e9:.0f}" if "entry" in m.extra else ""


def plot(measures: Sequence[Measure], path: Path) -> None:
    """Ratios as bars on a logarithmic axis."""
    need("matplotlib", "plots")
    from matplotlib.figure import Figure

    rows = [m for m in measures if m.threads == 1]
    figure = Figure(figsize=(8, 0.32 * max(4, len(rows)) + 1.2))
    axes = figure.subplots()
    labels = [
        f"{m.robot}, {m.quantity.replace('_', ' ')}{' (one state)' if m.states == 1 else ''}, {m.peer}" for m in rows
    ]
    at = range(len(rows))
    colors = [
        "#0072B2" if m.peer.startswith("pinocchio") else "#D55E00" if "gcc" in m.peer else "#E69F00" for m in rows
    ]
    errors = [[m.ratio - m.low for m in rows], [m.high - m.ratio for m in rows]]
    axes.barh(list(at), [m.ratio for m in rows], xerr=errors, color=colors, height=0.7, error_kw={"elinewidth": 0.8})
    axes.set_yticks(list(at), labels, fontsize=7)
    axes.set_ylim(len(rows) - 0.4, -0.6)  # from above, without an empty margin
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    wide = [m.ratio for m in rows if "8 lanes" in m.peer]
    if wide:  # what generated code reaches with a compiler's help: the nearest peer
        axes.axvline(
            min(wide), color="#D55E00", linewidth=0.8, linestyle="--", label="generated C, 8 lanes: its best row"
        )
        axes.legend(fontsize=7, loc="lower right")
    axes.set_xlabel("peer's time over ours, one thread (more is better for us)")
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg")
    write(path, buffer.getvalue())
