"""Table 2 of Provenzano et al.: errors of three methods on the straight line."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..report.html_report import Figure, Section
from ..report.plots import plot_counts, svg
from ..report.tables import Table
from ..robot.builtin_robots import puma560
from ..scalars.primitives import Array
from .puma_line import LineRun, replay
from .rows import (
    AGREE,
    Row,
    differs,
    not_stated,
    printed,
    row_table,
)

__all__ = ["CHOSEN", "DATA", "METHODS", "NAME", "table2"]

NAME = "provenzano"
METHODS = {"CRBM": "composite", "ABM": "articulated", "GAH": "gibbs-appell"}
# the text speaks of the modules of the vectors: both can be meant
READINGS = ("norms of the differences", "differences of the moduli")
COLUMNS = (
    "largest error of position (m)",
    "mean error of position (m)",
    "largest error of velocity (m/s)",
    "mean error of velocity (m/s)",
    "largest error of acceleration (m/s²)",
    "mean error of acceleration (m/s²)",
    "time (s)",
)
CHOSEN = 2  # the first branch within the limits that the reference values use
DATA = printed(NAME)
TABLE2 = DATA["table2"]


def table2() -> tuple[Section, list[Row]]:
    """The table as printed and as recomputed."""
    variants = {"bare arm": puma560(), "with motor inertia": puma560(motors=True)}
    runs = {v: {name: replay(r, CHOSEN, method) for name, method in METHODS.items()} for v, r in variants.items()}
    lines: list[tuple[Any, ...]] = [
        (f"paper, {name}", *(f"{x:.5e}" for x in TABLE2[name][:6]), f"{TABLE2[name][6]:.2f}") for name in METHODS
    ]
    for v in variants:
        for reading in READINGS:
            lines += [
                (
                    f"{v}, {name}, {reading}",
                    *(f"{x:.5e}" for x in _figures(runs[v][name], reading)[:6]),
                    f"{runs[v][name].seconds:.2f}",
                )
                for name in METHODS
            ]
    columns = (
        "error of the tool",
        "position (m): largest",
        "mean",
        "velocity (m/s): largest",
        "mean ",
        "acceleration (m/s²): largest",
        "mean  ",
        "time (s)",
    )
    note = (
        'simulate(method="cash-karp", rtol=1e-6, atol=1e-6, output_dt=0.1): the pair of orders 5 and 4; errors at '
        "the 51 outputs."
    )
    table = Table("Table 2, and ours in both variants", columns, tuple(lines), (note,))
    rows = _table2_rows(runs)
    curves = {f"{v}, {n}": runs[v][n].position[1:] for v in variants for n in METHODS}
    t = runs["bare arm"]["GAH"].t[1:]
    growth = plot_counts(
        t.tolist(),
        curves,
        title="Distance from the line: the three methods lie on each other",
        xlabel="time (s)",
        ylabel="error of the tool (m)",
    )
    growth.axes[0].set_yscale("log")
    for k, style in ((0, "--"), (1, ":")):  # the largest and the mean error
        growth.axes[0].axhline(TABLE2["GAH"][k], color="0.3", linestyle=style, linewidth=1.2)
    finding = (
        "Finding: fed back open loop, the torques do not hold the arm on the line; any perturbation grows, as the "
        "figure shows, more slowly with motor inertia than without. What is left after 5 s is the integrator's error, "
        "grown so far, the same for all methods to many digits; a finer tolerance makes it smaller. The task ranks "
        "nothing; accelerations of the three methods agree to rounding (above)."
    )
    caption = (
        "Norm of the difference between the tool's position and the line, our three methods in both variants. Grey: "
        "the largest (dashed) and the mean error (dotted) that table 2 prints, for which the paper has no curve; its "
        "three methods differ by less than the width of a line."
    )
    return Section(
        "Table 2: simulation with three methods", (table, Figure(svg(growth), caption), finding, row_table(rows))
    ), rows


def _figures(run: LineRun, reading: str) -> tuple[float, ...]:
    """The seven numbers of a row of table 2, in one of the two readings."""
    curves = run.moduli if reading == READINGS[1] else (run.position, run.velocity, run.acceleration)
    return (*(float(f(x)) for x in curves for f in (np.max, np.mean)), run.seconds)


def _table2_rows(runs: dict[str, dict[str, LineRun]]) -> list[Row]:
    rows = []
    for v, made in runs.items():
        for name, run in made.items():
            because = "the paper gives no PUMA data, tool or branch, and the task amplifies every difference"
            if v == "bare arm":
                because += f"; without motor inertia the tool is a centimetre off after {_lost(run):.1f} s"
            for reading in READINGS:
                for column, theirs, ours in zip(COLUMNS, TABLE2[name], _figures(run, reading), strict=True):
                    if column != "time (s)":
                        what = f"{name}, {v}, {reading}: {column}"
                        rows.append(differs(NAME, "table 2", what, theirs, ours, because, ours / theirs - 1))
            faster = (
                "the paper used a Pentium II at 400 MHz; ours is a run of Python with compiled dynamics on this machine"
            )
            theirs, what = TABLE2[name][6], f"{name}, {v}: time (s)"
            rows.append(differs(NAME, "table 2", what, theirs, run.seconds, faster, run.seconds / theirs - 1))
        a = made["CRBM"].q
        for name in ("GAH", "ABM"):
            upto = a.shape[0] if v != "bare arm" else 21  # 2 s for the bare arm
            gap = float(np.max(np.abs(made[name].q[:upto] - a[:upto])))
            what = f"{v}: {name} and CRBM reach the same states ({'2' if upto == 21 else '5'} s)"
            verdict = "equal" if gap < 1e-7 else "differs because of an error in a method"
            said = "from the tenth decimal", f"{gap:.1e} rad"
            rows.append(Row(NAME, "table 2", what, *said, gap, verdict, True, AGREE))
    rows.append(
        not_stated(
            NAME,
            "table 2",
            "which reading fits the published ratios of position, velocity and acceleration",
            _fits(runs),
        )
    )
    order = sorted(TABLE2, key=lambda name: TABLE2[name][0])
    spread = TABLE2[order[-1]][0] / TABLE2[order[0]][0] - 1
    because = (
        f"table 2 itself shows {' < '.join(order)}, {spread:.1e} apart, which is what rounding becomes in an "
        "unstable task"
    )
    rows.append(
        differs(
            NAME,
            "sec. 5",
            "ranking of the errors of position",
            "GAH below CRBM, slightly above ABM",
            " < ".join(order),
            because,
            spread,
        )
    )
    return rows


def _fits(runs: dict[str, dict[str, LineRun]]) -> str:
    """Velocity/position and acceleration/position ratios, largest and mean errors: published and ours."""

    def ratios(x: tuple[float, ...]) -> Array:
        return np.array([x[2] / x[0], x[3] / x[1], x[4] / x[0], x[5] / x[1]])

    def said(x: Array) -> str:
        return ", ".join(f"{e:.2g}" for e in x)

    wanted = ratios(TABLE2["GAH"])
    ours = {
        f"{v}, {reading}": ratios(_figures(made["GAH"], reading)) for v, made in runs.items() for reading in READINGS
    }
    fits = [name for name, x in ours.items() if np.all(np.abs(x / wanted - 1) < 0.1)]
    first = f"these do within 10 %: {'; '.join(fits)}" if fits else "none fits all four within 10 %"
    listed = "; ".join(f"{name}: {said(x)}" for name, x in ours.items())
    return f"{first} (1/s largest, mean; 1/s^2 largest, mean): published {said(wanted)}; {listed}"


def _lost(run: LineRun) -> float:
    """When the tool is first more than 1 cm off; infinite if never."""
    off = np.flatnonzero(run.position > 0.01)
    return float(run.t[off[0]]) if off.size else float("inf")
