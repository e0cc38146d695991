"""Saha, A decomposition of the manipulator inertia matrix, IEEE Trans. Robotics and Automation 13(2), 1997.

Reverse Gaussian elimination of the Stanford arm's inertia matrix step by step, and a general chain of revolute and
prismatic joints.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..evaluate.denoc_factors import elimination, innovations
from ..evaluate.denoc_matrices import natural_complement
from ..report.html_report import Details, Figure, Formula, Section
from ..report.plots import plot_matrix, svg
from ..robot import Robot
from ..robot.builtin_robots import planar, stanford
from ..scalars.primitives import Array
from .published_counts import FORWARD, about_centres, counted, formula
from .random_arms import arm_and_state
from .rows import AGREE, Paper, Row, compared, distance, errata_rows, not_stated, printed, row_table
from .typeset import numbers, operator, row, symbol

__all__ = ["NAME", "generic", "paper", "reverse_elimination"]

NAME = "saha1997"
_STANFORD, _GENERIC = (printed(NAME)[arm] for arm in ("stanford", "generic"))
STATE = tuple(_STANFORD["state"])
STANFORD_I, STANFORD_D = _STANFORD["I"], _STANFORD["D"]
GENERIC, G_STATE, G_TAU, G_REFERENCE = (_GENERIC[key] for key in ("links", "q_qd_qdd", "tau", "reference"))


def generic() -> Robot:
    """The five-joint chain of revolute and prismatic joints with no special geometry."""
    keys = ("joint", "theta", "d", "a", "alpha", "mass", "com", "inertia")
    return Robot.from_dh(
        [dict(zip(keys, line, strict=True)) for line in GENERIC], "distal", gravity=(1, -2, -9), name="generic5"
    )


def reverse_elimination(M: Array) -> tuple[list[Array], list[Array]]:
    """E_n..E_2 and the matrix after each: the paper's appendix in numbers, last column first."""
    left = np.array(M, float)
    n = len(left)
    elementary, after = [], []
    for k in range(n - 1, 0, -1):
        E = np.eye(n)
        E[:k, k] = -left[:k, k] / left[k, k]
        left = E @ left
        elementary.append(E)
        after.append(left.copy())
    return elementary, after


def _stanford() -> tuple[Section, list[Row]]:
    r = stanford()
    M = r.mass_matrix(STATE, method="denoc")
    udu = r.mass_matrix_udu(STATE)
    elementary, after = reverse_elimination(M)
    n = len(M)
    whole = np.eye(n)
    for E in elementary:  # E_2 E_3 ... E_n
        whole = E @ whole
    shown, lower = "reference values", "E_2 ... E_n I = D U^T, lower triangular"
    rows = [
        compared(NAME, "eq. (8)", "inertia matrix of the Stanford arm", STANFORD_I, M, 1e-13, shown=shown),
        compared(NAME, "eq. (12)", "D", STANFORD_D, udu.D, 1e-12, shown=shown),
        compared(NAME, "eqs. (9), (12)", lower, np.diag(udu.D) @ udu.U.T, after[-1], 1e-13, shown="one O(n) sweep"),
        compared(NAME, "eq. (11)", "E^-1 = U", np.linalg.inv(whole), udu.U, 1e-12, shown="U from the eliminations"),
        compared(NAME, "eq. (13)", "U D U^T = I", M, udu.matrix(), 1e-14, shown="I"),
        compared(
            NAME,
            "eq. (10)",
            "1 + alpha lambda^T is the inverse of E_n, by LAPACK",
            np.linalg.inv(elementary[0]),
            2 * np.eye(n) - elementary[0],
            1e-15,
            shown="E_n^-1 = 1 + alpha lambda^T",
        ),
        compared(
            NAME,
            "Sec. IV",
            "forward dynamics in three steps against articulated bodies",
            *_both(r),
            1e-11,
            shown="(no numbers)",
            kind=AGREE,
        ),
    ]
    rows += [*_meaning(), _digits(r)]
    steps: list[Any] = []
    for at, (E, left) in enumerate(zip(elementary, after, strict=True)):
        k = n - at
        steps.append(Formula(row(symbol(f"E_{k}"), operator("="), numbers(E, 4)), f"step {at + 1}: column {k}"))
        steps.append(Formula(row(symbol(f"I^({k})"), operator("="), numbers(_clean(left), 4))))
    picture = Figure(
        svg(plot_matrix(M, title="I of the Stanford arm")),
        "Magnitudes over five decades: the wrist is light. Elimination from the last column and from the first lose no "
        "digits (row below).",
    )
    parts = (
        "q = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2). Elimination runs from the last column to the first (reverse Gaussian "
        "elimination); what it leaves is D U^T.",
        Formula(row(symbol("I"), operator("="), numbers(M, 4)), "(8)"),
        Details("All five eliminations, E_6 to E_2", tuple(steps)),
        Formula(row(symbol("U"), operator("="), numbers(udu.U, 4)), "(11)"),
        Formula(row(symbol("D"), operator("="), operator("diag"), numbers(udu.D, 5)), "(12)"),
        picture,
        row_table(rows),
    )
    return Section("The decomposition of the Stanford arm, step by step", parts), rows


def _meaning() -> list[Row]:
    """What the eliminated elements are: articulated bodies, projectors, Kalman gains."""
    model = stanford().model
    e, kalman = elimination(model, STATE), innovations(model, STATE)
    c, n = e.complement, len(STATE)
    by_sweep = np.array(
        [
            [(c.p(i).T @ c.B(k, i).T @ e.psi(k)).item() if i < k else 0.0 for k in range(1, n + 1)]
            for i in range(1, n + 1)
        ]
    )
    projected = [e.Psi(i) @ e.psi(i) for i in range(1, n + 1)]
    k = 4
    partly = np.array(
        [[(c.p(i).T @ e.Mh_partly(i, k) @ c.B(i, j) @ c.p(j)).item() for j in range(1, i + 1)] for i in range(k - 1, k)]
    )
    sums = np.array([e.Mh_partly(i, i + 1) for i in range(1, n + 1)])
    articulated = np.array([e.Mh(i) for i in range(1, n + 1)])
    whole, U = stanford().mass_matrix(STATE, method="composite"), stanford().mass_matrix_udu(STATE).U
    bodies = "N^T M N with N = N_l N_d, against composite bodies"
    return [
        compared(NAME, "eq. (3)", bodies, whole, c.N.T @ c.M @ c.N, 1e-13, shown="I = T_d^T M T_d", kind=AGREE),
        compared(NAME, "eq. (24)", "alpha_ik = p_i^T B_ki^T psi_k", e.alpha, by_sweep, 1e-12, shown="elements of U"),
        compared(
            NAME, "eq. (26)", "(1 - psi p^T) psi = 0", np.zeros((n, 6)), np.array(projected)[..., 0], 1e-12, shown="0"
        ),
        compared(
            NAME,
            "eqs. (24)-(27)",
            "partly eliminated elements i_3j^(4)",
            e.eliminated(k)[k - 2, : k - 1],
            partly[0],
            1e-12,
            shown="after E_4 E_5 E_6",
        ),
        compared(
            NAME,
            "after eq. (13)",
            "Mh of the Riccati recursion = Mt_i - sum of eliminated terms",
            sums,
            articulated,
            1e-12,
            shown="Mh_i = Mh_i,i+1",
        ),
        compared(
            NAME,
            "after eq. (13)",
            "Rodriguez: 1 + H Phi K with the Kalman gain K is U",
            U,
            kalman.factor,
            1e-12,
            shown="state estimation view",
        ),
    ]


def _digits(r: Robot, states: int = 60) -> Row:
    """Median relative errors of I^-1 b, eliminating last or first column first, against 80-bit numbers."""
    rng = np.random.default_rng(0)
    last, first = [], []
    for M, b in zip(r.mass_matrix(r.random(rng, states)), rng.standard_normal((states, r.n)), strict=True):
        truth = _eliminated(M.astype(np.longdouble), b.astype(np.longdouble))
        first.append(distance(_eliminated(M, b), truth))
        last.append(distance(_eliminated(M[::-1, ::-1], b[::-1])[::-1], truth))
    what = f"median error of I^-1 b in {states} states: elimination from the last column; from the first"
    return not_stated(NAME, "Sec. III", what, f"{np.median(last):.1e}; {np.median(first):.1e}")


def _eliminated(M: Array, b: Array) -> Array:
    """M^-1 b by Gaussian elimination from the first column, without exchanges, in the numbers that are given."""
    M, b = M.copy(), b.copy()
    n = len(b)
    for k in range(n):
        factor = M[k + 1 :, k] / M[k, k]
        M[k + 1 :] -= factor[:, None] * M[k]
        b[k + 1 :] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - M[k, k + 1 :] @ b[k + 1 :]) / M[k, k]
    return b


def _both(r: Robot) -> tuple[Array, Array]:
    rates, tau = (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (1, -2, 3, 0.1, -0.05, 0.02)
    return r.forward_dynamics(STATE, rates, tau, method="articulated"), r.forward_dynamics(
        STATE, rates, tau, method="denoc"
    )


def _clean(matrix: Array) -> Array:
    """Without the rounding of eliminated elements."""
    return np.where(np.abs(matrix) < 1e-15 * np.max(np.abs(matrix)), 0.0, matrix)


def _generic() -> tuple[Section, list[Row]]:
    r = generic()
    q, qd, qdd = G_STATE
    udu = r.mass_matrix_udu(q)
    last = r.link_names[-1]
    turn = r.forward_kinematics(q, last)[:3, :3].T
    wrench = np.concatenate([turn @ np.array([0.4, -0.2, 0.6]), turn @ np.array([3, 1, -2.0])])
    ours = {
        "I": r.mass_matrix(q, method="denoc"), "D": udu.D, "C": r.coriolis_matrix(q, qd, method="denoc"),
        "C, Christoffel": r.coriolis_matrix(q, qd, method="christoffel"),
        "tau": r.inverse_dynamics(q, qd, qdd, method="denoc"),
        "tau with a wrench on the tool": r.inverse_dynamics(q, qd, qdd, {last: wrench}, "denoc"),
        "qdd": r.forward_dynamics(q, qd, G_TAU, method="denoc"),
        "log det I": udu.logdet(),
    }  # fmt: skip
    rows = [
        compared(NAME, "general chain", name, value, ours[name], 1e-12, shown="reference values")
        for name, value in G_REFERENCE.items()
    ]
    unit = planar(3)
    D = [1.10723649735325, 1.17902125230409, 0.333333333333333]
    rows.append(
        compared(
            NAME,
            "planar arm, all lengths and masses 1",
            "D",
            D,
            unit.mass_matrix_udu([0.3, -0.7, 1.1]).D,
            1e-13,
            shown="reference values",
        )
    )
    text = (
        "Five joints, R P R R P, with no right angle and no zero length: every term of the theory takes part. "
        "Gravity (1, -2, -9)."
    )
    return Section("A chain with no special geometry", (text, row_table(rows))), rows


def _table_1() -> tuple[Section, list[Row]]:
    rows = []
    for p in FORWARD:
        shown = f"{formula(p.M)} M, {formula(p.A)} A"
        ours = counted(p.ours, 6) if p.ours else None
        made = f"{ours[0]} M, {ours[1]} A at n = 6 ({p.ours[1]})" if ours and p.ours else "-"
        text = f"(lost in our text; from the 1999 papers: {shown})"
        rows.append(not_stated(NAME, "table I", p.name, made, text))
    centres, origins = about_centres(6), counted(("forward_dynamics", "denoc"), 6)
    what = (
        "the elimination with twists about the mass centres C_i, as the paper writes it; about O_i, as our text has it"
    )
    both = f"{centres[0]} M, {centres[1]} A; {origins[0]} M, {origins[1]} A at n = 6" if origins else "-"
    rows.append(not_stated(NAME, "table I", what, both, "the factors U and D do not depend on the point"))
    why = (
        "both eliminate articulated inertias about O_i and solve in one sweep in and one out: the same products in "
        "another order"
    )
    rows.append(not_stated(NAME, "table I", "why our denoc and our articulated have equal counts at rest", why))
    r, q, _, _ = arm_and_state(np.random.default_rng(0))
    c = natural_complement(r.model, q)
    pairs = [[(max(i, j), min(i, j)) for j in range(1, r.n + 1)] for i in range(1, r.n + 1)]
    elements = [[(c.p(i).T @ c.Mt(i) @ c.B(i, j) @ c.p(j)).item() for i, j in line] for line in pairs]
    what = "elements of I, random chain: i_ij = p_j^T Mt_j B_ji p_i"
    rows.append(
        compared(
            NAME,
            "eqs. (3)-(8)",
            what,
            r.mass_matrix(q, method="composite"),
            elements,
            1e-13,
            shown="largely lost; from the 1999 papers",
            kind=AGREE,
        )
    )
    rows += errata_rows(NAME)
    return Section("Table I and errata", (row_table(rows),)), rows


def paper() -> Paper:
    """Rows and sections."""
    made = (_stanford(), _generic(), _table_1())
    title = "A decomposition of the manipulator inertia matrix"
    citation = "S. K. Saha, IEEE Transactions on Robotics and Automation 13(2), 301-304, 1997"
    return Paper(NAME, title, citation, tuple(s for s, _ in made), tuple(r for _, rows in made for r in rows))
