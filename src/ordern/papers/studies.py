"""Do O(n) formulations give smoother accelerations and cheaper integration, as the papers say? Steps taken and errors against n."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import OrdernError
from ..report.html_report import Figure, Section
from ..report.plots import plot_counts, svg
from ..report.tables import Table
from ..robots import planar
from .rows import Paper, Row, differs, row_table

__all__ = ["NAME", "paper"]

NAME = "studies"
METHODS = ("denoc", "articulated", "composite", "natural-complement")
LENGTHS = (2, 4, 8, 12, 16)
DURATION = 0.5


def _study() -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Evaluations and end errors for a hanging chain of rods released from the horizontal, DOPRI5 at rtol 1e-8."""
    work: dict[str, list[float]] = {m: [] for m in METHODS}
    error: dict[str, list[float]] = {m: [] for m in METHODS}
    for n in LENGTHS:
        r = planar(n, 1.0 / n, 1.0 / n)
        options: dict[str, Any] = {"duration": DURATION, "output_dt": None}
        exact = r.simulate(np.zeros(n), np.zeros(n), method="dop853", rtol=1e-13, atol=1e-13, dynamics="articulated", **options).q[-1]
        for m in METHODS:
            try:
                run = r.simulate(np.zeros(n), np.zeros(n), method="dopri5", rtol=1e-8, atol=1e-10, dynamics=m, **options)
            except OrdernError:
                work[m].append(np.nan)
                error[m].append(np.nan)
                continue
            work[m].append(float(np.sum(run.stats["evaluations"])))
            error[m].append(float(np.max(np.abs(run.q[-1] - exact))))
    return work, error


def paper() -> Paper:
    """Rows and sections."""
    work, error = _study()
    rows: list[Row] = []
    for k, n in enumerate(LENGTHS):
        mine, theirs = work["denoc"][k], work["composite"][k]
        because = "the number of steps is set by the motion, not by the formulation: all methods give the same accelerations to rounding"
        what, ours = f"evaluations to {DURATION:g} s, n = {n}: denoc against composite", f"{mine:.0f} against {theirs:.0f}"
        rows.append(differs("saha1999jam", "sec. 1 (after Ascher et al.)", what, "fewer", ours, because, mine / theirs - 1))
    cells = tuple((n, *(f"{work[m][k]:.0f}" for m in METHODS), *(f"{error[m][k]:.1e}" for m in METHODS)) for k, n in enumerate(LENGTHS))
    table = Table(
        "Evaluations of forward dynamics, and largest error of an angle at the end", ("n", *METHODS, *(f"error {m}" for m in METHODS)), cells
    )
    steps = svg(plot_counts(list(LENGTHS), work, title="Evaluations against n", ylabel="evaluations"))
    wrong = plot_counts(list(LENGTHS), error, title="Error at the end against n", ylabel="error (rad)")
    wrong.axes[0].set_yscale("log")
    text = (
        "A chain of n rods, 1 m and 1 kg in all, released from the horizontal; DOPRI5 at a relative tolerance of 1e-8. Saha's papers quote the claim "
        "that accelerations from O(n) formulations are smoother and integrate in fewer steps. In double precision, at tolerances above rounding, "
        "they do not differ."
    )
    section = Section(
        "Steps and errors of four formulations",
        (text, Figure(steps, "The curves coincide."), Figure(svg(wrong), "So do the errors."), table, row_table(rows)),
    )
    return Paper(NAME, "A study: do O(n) formulations integrate in fewer steps?", "A claim quoted in Saha 1997 and 1999", (section,), tuple(rows))
