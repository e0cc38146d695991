"""Steps that O(n) formulations need (a claim after Ascher et al.), by condition number and tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import OrdernError
from ..report.html_report import Figure, Section
from ..report.plots import MARKERS, figure, line, plot_counts, style, svg
from ..report.tables import Table
from ..robot import Robot
from ..robot.builtin_robots import planar
from .rows import EQUAL, PRINTED, Paper, Row, distance, not_stated, row_table

__all__ = ["NAME", "acceleration_errors", "evaluations", "heavy_tip", "paper"]

NAME = "studies"
SWEEPS, MATRICES = ("denoc", "articulated"), ("composite", "natural-complement", "gibbs-appell")
METHODS = (*SWEEPS, *MATRICES)
LINKS, TIP = 16, 100.0
DURATION, LONGER = 0.05, 0.3  # s: the whole study; the case that is followed further
LIGHT = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # kg, mass of each link
TOLERANCES = (1e-5, 1e-7, 1e-9)
FINER = 100  # rtol / atol: angles and rates are of the order of one only later on
MORE = 1.1  # the effect counts as seen where a matrix method takes 10 % more evaluations
PLACE = "sec. 1 (after Ascher et al.)"
WHY = (
    "Why: the last digits of an acceleration are noise, and step control follows noise once it exceeds the tolerance. "
    "The first table compares accelerations with those of 40 digits. Methods that form M and factor it lose a few "
    "hundredths of eps cond(M), the sweeps far less: denoc, which subtracts the bias forces first, a tenth of that or "
    "less, articulated next to nothing. So the matrix methods are the first whose step is held back, and denoc follows "
    "where cond(M) is larger still."
)
STATES = 4  # at which accelerations are compared with 40 digits
Found = dict[float, dict[str, list[float]]]  # by tolerance and method: evaluations, one number for each of LIGHT


def heavy_tip(mass: float) -> Robot:
    """A chain of light rods, 1 m in all, with a heavy point at its tip: cond(M) grows as tip mass over link mass."""
    chain = planar(LINKS, 1.0 / LINKS, mass)
    return chain.with_payload(chain.link_names[-1], TIP)  # the frames of these links are at their tips


def evaluations(robot: Robot, method: str, tolerance: float, duration: float = DURATION) -> float:
    """Evaluations of forward dynamics that DOPRI5 takes from rest; NaN where it gives up."""
    options: dict[str, Any] = {
        "duration": duration,
        "output_dt": None,
        "method": "dopri5",
        "rtol": tolerance,
        "atol": tolerance / FINER,
    }
    try:
        run = robot.simulate(np.zeros(LINKS), np.zeros(LINKS), dynamics=method, **options)
    except OrdernError:
        return float("nan")
    return float(np.sum(run.stats["evaluations"]))


def _study() -> tuple[list[float], Found]:
    """Condition numbers, and evaluations by tolerance and method."""
    robots = [heavy_tip(mass) for mass in LIGHT]
    conditions = [float(np.linalg.cond(r.mass_matrix(np.full(LINKS, 0.1)))) for r in robots]
    return conditions, {tol: {m: [evaluations(r, m, tol) for r in robots] for m in METHODS} for tol in TOLERANCES}


def acceleration_errors(
    robot: Robot, states: int = STATES, methods: Sequence[str] = METHODS
) -> tuple[float, dict[str, float]]:
    """cond(M), and the median over some states of max |error of qdd| / max |qdd|, by method, against 40 digits."""
    rng, zero = np.random.default_rng(0), np.zeros(LINKS)
    found: dict[str, list[float]] = {m: [] for m in methods}
    conditions = []
    for _ in range(states):
        q, qd = rng.uniform(-0.1, 0.1, LINKS), rng.uniform(-0.3, 0.3, LINKS)
        exact = np.array(robot.evaluate("forward_dynamics", q, qd, zero, precision=40), float)
        conditions.append(float(np.linalg.cond(robot.mass_matrix(q))))
        for m in methods:
            found[m].append(distance(robot.forward_dynamics(q, qd, zero, method=m), exact))
    return float(np.median(conditions)), {m: float(np.median(x)) for m, x in found.items()}


def _noise() -> tuple[Table, list[Row]]:
    """Errors of accelerations as a table, and whether the sweeps carry less noise than the matrix methods."""
    eps, lines, worst = float(np.finfo(float).eps), [], 0.0
    for mass in LIGHT[::2]:
        cond, errors = acceleration_errors(heavy_tip(mass))
        lines.append((f"{cond:.1e}", *(f"{errors[m] / (eps * cond):.1e}" for m in METHODS)))
        worst = max(worst, max(errors[m] for m in SWEEPS) / min(errors[m] for m in MATRICES))
    table = Table("Errors of accelerations, in units of eps cond(M)", ("cond(M)", *METHODS), tuple(lines))
    what = "accelerations of O(n) sweeps have less noise: largest error of a sweep over least of a matrix method"
    verdict = EQUAL if worst < 1 else "differs because of an error in a method, or because the sweeps are no better"
    return table, [Row(NAME, PLACE, what, "smoother", f"{worst:.2g}", worst, verdict, True, PRINTED)]


def _ratios(found: dict[str, list[float]]) -> list[float]:
    """Most of the matrix methods over most of the sweeps, for each of LIGHT."""
    return [max(found[m][k] for m in MATRICES) / max(found[m][k] for m in SWEEPS) for k in range(len(LIGHT))]


def _rows(conditions: list[float], work: Found, longer: dict[str, float]) -> list[Row]:
    rows, eps = [], float(np.finfo(float).eps)
    for tol, found in work.items():
        seen = [k for k, ratio in enumerate(_ratios(found)) if ratio > MORE]
        if seen:
            cond = conditions[seen[0]]
            ours = (
                f"cond(M) = {cond:.0e}, eps cond(M) / rtol = {eps * cond / tol:.0e} ({_ratios(found)[seen[0]]:.2f} "
                "times as many)"
            )
        else:
            ours = f"not up to cond(M) = {conditions[-1]:.0e}, eps cond(M) / rtol = {eps * conditions[-1] / tol:.0e}"
        rows.append(
            not_stated(NAME, PLACE, f"where matrix methods take {MORE - 1:.0%} more evaluations, rtol {tol:g}", ours)
        )
    most = max(longer[m] for m in SWEEPS)
    what = (
        "ill-conditioned chains integrate in fewer steps with O(n) methods: links of 1e-4 kg, cond(M) = "
        f"{conditions[4]:.0e}, rtol 1e-9, {LONGER} s"
    )
    ours = ", ".join(f"{m} {count:,.0f}" for m, count in longer.items()) + " evaluations"
    fewer = all(longer[m] > MORE * most for m in MATRICES)
    verdict = (
        "equal"
        if fewer
        else "differs because of an error in a method, or because no method takes fewer evaluations here"
    )
    rows.append(Row(NAME, PLACE, what, "yes", ours, None, verdict, True, PRINTED))
    easy = max(abs(r - 1) for r in _ratios(work[TOLERANCES[0]]))
    rows.append(
        not_stated(NAME, PLACE, f"the same at rtol {TOLERANCES[0]:g}: largest difference of any chain", f"{easy:.1%}")
    )
    return rows


def _onset(conditions: list[float], work: Found) -> Figure:
    """The ratio of evaluations against eps cond(M) / rtol: where the effect begins."""
    made, axes = figure(7.0, 3.8)
    eps = float(np.finfo(float).eps)
    with style():
        for k, (tol, found) in enumerate(work.items()):
            axes.plot(
                [eps * c / tol for c in conditions], _ratios(found), marker=MARKERS[k], label=f"rtol {tol:g}", **line(k)
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("eps cond(M) / rtol")
        axes.set_ylabel("matrix methods / O(n) sweeps")
        axes.set_title("Evaluations: where the effect begins", loc="left")
        axes.legend(loc="upper left")
    note = (
        "Most evaluations of any matrix method over most of any O(n) sweep. The curves begin together: up to some "
        "1e2 there is no difference."
    )
    return Figure(svg(made), note)


def paper() -> Paper:
    """Rows and sections."""
    conditions, work = _study()
    longer = {m: evaluations(heavy_tip(1e-4), m, 1e-9, LONGER) for m in METHODS}
    noise, noise_rows = _noise()
    rows = _rows(conditions, work, longer) + noise_rows
    cells = tuple(
        (f"{tol:g}", f"{c:.1e}", *(f"{work[tol][m][k]:.0f}" for m in METHODS))
        for tol in TOLERANCES
        for k, c in enumerate(conditions)
    )
    table = Table("Evaluations of forward dynamics", ("rtol", "cond(M)", *METHODS), cells)
    text = (
        f"A chain of {LINKS} rods, 1 m in all, with {TIP:g} kg at its tip, released from the horizontal; the lighter "
        f"the rods, the larger the condition number of the mass matrix. DOPRI5, {DURATION:g} s, absolute tolerance "
        f"{FINER} times finer than the relative one. The claim that O(n) formulations integrate in fewer steps "
        "concerns ill-conditioned chains, and there the papers are right: see the last curve and the rows. "
        "Well-conditioned chains, and loose tolerances, show no difference."
    )
    strict = TOLERANCES[-1]
    made = plot_counts(
        conditions,
        work[strict],
        title=f"Evaluations, rtol {strict:g}",
        ylabel="evaluations",
        xlabel="cond(M)",
        log=True,
    )
    curves = Figure(
        svg(made),
        f"Relative tolerance {strict:g}: the curves of the two O(n) sweeps, denoc and articulated, lie on each other.",
    )
    section = Section(
        "Evaluations against condition number",
        (text, WHY, noise, _onset(conditions, work), curves, table, row_table(rows)),
    )
    title = "A study: do O(n) formulations integrate in fewer steps?"
    return Paper(NAME, title, "A claim quoted in Saha 1997 and 1999 after Ascher et al.", (section,), tuple(rows))
