"""Provenzano, Mata, Ceccarelli, Suner: Efficient computation of the generalized inertial tensor of robots by the
Gibbs-Appell equations.

Table 1 (operations), the PUMA 560 on a straight line, and table 2 (simulation errors of three methods) with what it is
worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.registry import find
from ..report.html_report import Details, Figure, Section
from ..report.plots import SUBSCRIPTS, plot_path, plot_series, svg
from ..report.tables import Table
from ..robot.builtin_robots import puma560
from ..runtime.numbers import numbers
from ..scalars.primitives import Array
from .provenzano_table2 import CHOSEN, DATA, METHODS, NAME, table2
from .published_counts import CONVENTIONS, LENGTHS, MATRIX, MM, bound_rows, count_table, counted, formula, own_rows
from .published_counts import figure as count_figure
from .puma_line import D1, END, SPEED, START, T, branches, line_motion, torques, within
from .random_arms import arm_and_state, tree_arm
from .rows import (
    AGREE,
    INDEPENDENT,
    WITHIN,
    Paper,
    Row,
    compared,
    differs,
    distance,
    errata_rows,
    label,
    not_stated,
    row_table,
)

__all__ = ["NAME", "paper"]

PUMA = DATA["puma"]
LINE = {int(t): values for t, values in DATA["line"].items()}  # t: q, tau


def _table1() -> tuple[Section, list[Row]]:
    rows = own_rows(NAME, "table 1", MATRIX, {}) + bound_rows(NAME, "table 1", MATRIX)
    rows.append(_steps())
    puma = puma560()
    cost = {m: counted((MM, m), 6) or (0, 0) for m in ("composite", "gibbs-appell")}
    ours = ", ".join(f"{m} {c[0]} M, {c[1]} A" for m, c in cost.items())
    because = (
        "counted with constants combined and frames chosen for their zeros, composite bodies take fewer "
        "operations than GAH"
    )
    gap = sum(cost["gibbs-appell"]) / sum(cost["composite"]) - 1
    rows.append(
        differs(
            NAME, "sec. 5", "GAH is the cheapest (n = 6)", "GAH 482 M, 426 A; CRBM 741 M, 601 A", ours, because, gap
        )
    )
    special = {m: puma.operation_counts("mass_matrix", m) for m in METHODS.values() if m != "articulated"}
    for m, c in special.items():
        rows.append(not_stated(NAME, "table 1", f"for the PUMA's own geometry, our {m}", f"{c.mul} M, {c.add} A"))
    parts = (
        f"The inertia matrix alone. {CONVENTIONS}",
        row_table(rows),
        count_figure(
            "Inertia matrix", MATRIX, "M + A against n: published formulas and the tallies of our own methods."
        ),
        Details("M + A for n = 2 to 20", (count_table("Inertia matrix, M + A", MATRIX),)),
    )
    return Section("Table 1: operations of the inertia matrix", parts), rows


def _steps() -> Row:
    """What the paper prints beside eqs. (10) to (20), times how often each is computed, makes its row of table 1."""
    GAH = MATRIX[2]

    def total(n: int) -> tuple[Any, Any]:
        pairs, apart = n * (n - 1) // 2, (n - 1) * (n - 2) // 2  # j > i, and j > i + 1
        parts = (  # eqs. (10), (11), (14), (15), (16), (17), (18), (20)
            (pairs, 8, 4), (apart, 0, 3), (apart, 8, 4), (n - 1, 8, 4), (n - 1, 0, 3), (n - 2, 31, 40), (1, 13, 11),
            (pairs, 7, 6),
        )  # fmt: skip
        return sum(k * M for k, M, _ in parts), sum(k * A for k, _, A in parts)

    off = sum(total(n) != GAH.at(n) for n in LENGTHS)
    shown, what = f"{formula(GAH.M)} M, {formula(GAH.A)} A", "GAH: the counts beside eqs. (10) to (20), summed"
    ours = f"{total(6)[0]} M, {total(6)[1]} A at n = 6; the same for n = 2 to 20"
    verdict = "equal" if not off else "differs because of an error in the sum"
    return Row(NAME, "table 1", what, shown, ours, float(off), verdict, True, WITHIN)


def _numbers() -> list[Row]:
    r, s, shown = puma560(), PUMA, "reference values"
    q, qd, qdd = s["q"], s["qd"], s["qdd"]
    M = r.mass_matrix(q, method="gibbs-appell")
    rows = [
        compared(
            NAME,
            "eqs. (6)-(20)",
            "GAH inertia matrix of the PUMA, diagonal",
            s["diagonal"],
            np.diag(M),
            1e-13,
            shown=shown,
        )
    ]
    rows.append(
        compared(
            NAME,
            "sec. 4",
            "GAH = composite bodies, all elements",
            r.mass_matrix(q, method="composite"),
            M,
            1e-14,
            shown="the same matrix",
            kind=AGREE,
        )
    )
    rows.append(compared(NAME, "sec. 4", "gravity torques", s["gravity"], r.gravity_forces(q), 1e-13, shown=shown))
    rows.append(compared(NAME, "sec. 4", "bias forces", s["bias"], r.bias_forces(q, qd), 1e-13, shown=shown))
    rows.append(
        compared(NAME, "eqs. (1), (2)", "torques", s["tau"], r.inverse_dynamics(q, qd, qdd), 1e-13, shown=shown)
    )
    rows += _gibbs()
    for name, method in METHODS.items():
        ours = r.forward_dynamics(q, qd, (5, -20, 8, 0.3, -0.2, 0.1), method=method)
        rows.append(compared(NAME, "sec. 4", f"accelerations by {name}", s["fall"], ours, 1e-11, shown=shown))
    return rows


def _gibbs() -> list[Row]:
    """Gibbs' function is quadratic in qdd: differences give its gradient and Hessian up to rounding."""
    r, s = puma560(), PUMA
    G, one = numbers(find("gibbs_function")[0], r.model), np.eye(6)
    q, qd, qdd = (np.array(s[k]) for k in ("q", "qd", "qdd"))
    gradient = (G(q, qd, qdd + one) - G(q, qd, qdd - one)) / 2
    hessian = np.array([G(q, qd, qdd + a + one) - G(q, qd, qdd + a) - G(q, qd, qdd + one) + G(q, qd, qdd) for a in one])
    rows = [
        compared(NAME, "eqs. (1), (2)", "gradient of Gibbs' function = torques", s["tau"], gradient, 1e-12,
        shown="reference values"),
        compared(NAME, "eqs. (3), (4)", "Hessian of Gibbs' function, diagonal", s["diagonal"], np.diag(hessian), 1e-11,
        shown="reference values"),
        compared(NAME, "eqs. (3), (4)", "Hessian of Gibbs' function = GAH, all elements", hessian,
        r.mass_matrix(q, method="gibbs-appell"), 1e-11,
                 shown="second differences"),
    ]  # fmt: skip
    for name, arm in (
        ("sliding joints, R P R R P", arm_and_state(np.random.default_rng(1))[0]),
        ("branches", tree_arm()),
    ):
        at = np.random.default_rng(2).uniform(-1, 1, arm.n)
        truth, ours = (arm.mass_matrix(at, method=m) for m in ("composite", "gibbs-appell"))
        rows.append(
            compared(
                NAME, "beyond the paper", f"GAH with {name}", truth, ours, 1e-14, shown="composite bodies", kind=AGREE
            )
        )
    return rows


def _line() -> tuple[Section, list[Row]]:
    r = puma560()
    length = float(np.linalg.norm(END - START))
    ours, because = f"{length / T:.6f} m/s", f"the end points are {length:.6f} m apart, and 5 s are given"
    where = "origin and tool point: branches that stay within the limits, origin at the shoulder or at the floor"
    meant = f"{_followed(START)} or {_followed(START - np.array([0, 0, D1]))}: the shoulder is meant"
    rows = [
        differs(NAME, "sec. 4", "speed along the line", "0.1 m/s", ours, because, length / T / 0.1 - 1),
        not_stated(NAME, "sec. 4", where, meant, "neither is given"),
    ]
    low, high = np.degrees(r.limits.lower), np.degrees(r.limits.upper)
    start = np.degrees(branches(START))
    inside = [k for k in range(8) if _inside(np.degrees(line_motion(k, 51)[1]), low, high)]
    expected = [(30.15, 63.01, -168.48, -17.47, 47.67, 109.52), (30.15, -18.22, -6.14, 21.75, -36.80, 79.84)]
    found = sorted(tuple(np.round(start[k], 2).tolist()) for k in inside)
    gap = distance(found, sorted(expected)) if len(found) == 2 else float("inf")
    same = gap * 168.48 <= 0.006  # the reference has two decimals of a degree
    what = "inverse kinematics: branches that follow the line within the limits"
    shown = "; ".join(", ".join(f"{x:.2f}" for x in b) for b in found)
    verdict = "equal" if same else "differs because of an error in a branch"
    rows.append(Row(NAME, "sec. 4", what, "two of eight (reference)", shown, gap, verdict, True, INDEPENDENT))
    t, q, _, _ = line_motion(CHOSEN)
    tau = torques(r, CHOSEN)[1]
    for at, (angles, drives) in LINE.items():
        rows.append(
            compared(NAME, "sec. 4", f"joint angles at {at} s", angles, q[at * 100], 1e-13, shown="reference values")
        )
        rows.append(
            compared(NAME, "sec. 4", f"torques at {at} s", drives, tau[at * 100], 1e-11, shown="reference values")
        )
    link = r.link_names[-1]
    path = r.forward_kinematics(q, link)[:, :3, 3] - np.array([0, 0, D1])
    off = float(np.max(np.abs(path - (START + SPEED * t[:, None]))))
    rows.append(not_stated(NAME, "fig. 1", "largest distance of the tool from the line", f"{off:.1e} m"))
    names = [f"q{SUBSCRIPTS[k]}" for k in range(1, 7)]
    table = Table("The eight branches at the start (deg)", ("branch", *names, "within limits all along"),
                  tuple((k + 1, *(round(float(x), 2) for x in start[k]),
                  "yes" if k in inside else "no") for k in range(8)))  # fmt: skip
    parts = (
        "From (0.60, 0.175, 0.250) to (0.244, 0.527, 0.250) in 5 s, orientation ZYZ (45, 60, 90) deg throughout.",
        table,
        Figure(
            svg(plot_path(path, title="Figure 1: the tool's path")), "The tool (wrist centre), seen from the shoulder."
        ),
        Figure(
            svg(plot_series(t, q, names, "angle (rad)", title="Joint angles along the line")),
            "First branch within the limits.",
        ),
        Figure(
            svg(
                plot_series(
                    t, tau, [f"τ{SUBSCRIPTS[k]}" for k in range(1, 7)], "torque (N m)", title="Torques along the line"
                )
            ),
            "Inverse dynamics, bare arm.",
        ),
        row_table(rows),
    )
    return Section("The straight line of the PUMA 560", parts), rows


def _followed(start: Array) -> int:
    """How many branches follow the line within the limits, from this start seen from the shoulder."""
    r, made = puma560(), 0
    for k in range(8):
        q = np.unwrap(np.array([branches(start + SPEED * t)[k] for t in np.linspace(0, T, 51)]), axis=0)
        first = within(r, (q[0] + np.pi) % (2 * np.pi) - np.pi) if np.isfinite(q).all() else None
        made += first is not None and bool(
            np.all((q + first - q[0] >= r.limits.lower) & (q + first - q[0] <= r.limits.upper))
        )
    return made


def _inside(degrees: Array, low: Array, high: Array) -> bool:
    return bool(np.all((degrees >= low) & (degrees <= high)))


def _labels() -> list[Row]:
    return [
        label(NAME, "eqs. (12), (13)", "loop variable", "i", "j", "the vectors are indexed by j"),
        label(NAME, "sec. 2, third bullet", "first term on the right", "∂r_Gi", "∂r_Oi",
        "it is the origin of frame i that moves"),
        label(NAME, "before eq. (5)", "relation of ∂omegad_k and R_i ∂omegad_i", "no equals sign; accelerations",
        "∂omegad_i/∂qdd_k = ^iR_k ∂omegad_k/∂qdd_k",
              "the sign and the letters r are lost"),
    ]  # fmt: skip


def paper() -> Paper:
    """Rows and sections."""
    numbers = _numbers()
    errata = errata_rows(NAME) + _labels()
    made = [
        _table1(),
        (Section("GAH in numbers", (row_table(numbers),)), numbers),
        _line(),
        table2(),
        (
            Section(
                "Errata",
                ("Each formula as it can be read and as it must be, both computed on random arms.", row_table(errata)),
            ),
            errata,
        ),
    ]
    title = "Efficient computation of the generalized inertial tensor of robots by using the Gibbs-Appell equations"
    citation = "S. Provenzano, V. Mata, M. Ceccarelli, J. L. Suner"
    return Paper(NAME, title, citation, tuple(s for s, _ in made), tuple(r for _, rows in made for r in rows))
