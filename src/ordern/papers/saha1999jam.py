"""Saha, Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices, J. Applied
Mechanics 66, 1999.

Tables 1 to 3 and figures 5, 6, 8 and 9: the planar arm and the Stanford arm, inverse dynamics and free fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..evaluate.denoc_matrices import natural_complement
from ..report.html_report import Details, Section
from ..report.tables import Table
from ..robot.builtin_robots import stanford
from .published_counts import (
    CONVENTIONS,
    FORWARD,
    INVERSE,
    STEP,
    Published,
    bound_rows,
    count_table,
    counted,
    crossover,
    own_rows,
    polynomial,
    special,
)
from .published_counts import figure as count_figure
from .random_arms import arm_and_state
from .rows import (
    AGREE,
    PRINTED,
    WITHIN,
    Paper,
    Row,
    compared,
    differs,
    errata_rows,
    label,
    not_stated,
    row_table,
)
from .saha1999jam_figures import DATA, NAME, cycloid, figure5, figure6, figure8, figure9

__all__ = ["NAME", "cycloid", "paper"]

TABLE3 = [[row.get(key) for key in ("a", "b", "alpha", "mass", "r", "inertia")] for row in DATA["table3"]]


# --- tables -----------------------------------------------------------------------------------------------------------
def _tables() -> tuple[list[Section], list[Row]]:
    orin = [int(x) for n in (6, 12) for x in FORWARD[2].at(n)]
    slip = (
        f"the formula gives {orin[1]}; the other three numbers of this row, {orin[0]}, {orin[2]} and {orin[3]}, do "
        "follow from theirs"
    )
    one = own_rows(NAME, "table 1", INVERSE, {}) + bound_rows(NAME, "table 1", INVERSE)
    printed, quoted = polynomial((48, 131), 6), polynomial((-48, 131), 6)
    because = "the original is commonly quoted with the other sign"
    shown = f"131n + 48: {printed} at n = 6", f"131n - 48: {quoted} at n = 6"
    one.append(differs(NAME, "table 1", "Luh et al.: additions", *shown, because, float(quoted / printed) - 1))
    two = own_rows(NAME, "table 2", FORWARD, {("Walker and Orin 1982", 6): slip}) + bound_rows(NAME, "table 2", FORWARD)
    two += _crossings()
    order = "O(n) from the tips and back: the factors U D U^T and three steps"
    sections = [
        Section("Table 1: operations of inverse dynamics", (
            f"M multiplications and divisions, A additions and subtractions. {CONVENTIONS}",
            row_table(one),
            count_figure("Inverse dynamics", INVERSE[1:],
            "M + A against n: published and our own. Hollerbach lies far above."),
            Details("M + A for n = 2 to 20", (count_table("Inverse dynamics, M + A", INVERSE),)))),
        Section("Table 2: operations of forward dynamics", (
            f"{STEP} denoc is {order}, composite is the matrix and a Cholesky solve.",
            row_table(two), count_figure("Forward dynamics without bias forces", FORWARD,
                                         "M + A against n. At rest both of ours are one sweep of "
                                         "articulated inertias about O_i "
                                         "and two sweeps of vectors: the same operations."),
            Details("M + A for n = 2 to 20", (count_table("Forward dynamics without bias forces, M + A", FORWARD),)),
            Details("Complete forward dynamics, bias forces included, our methods",
            (count_table("Forward dynamics, M + A", (), _OTHERS, True),)))),
    ]  # fmt: skip
    return sections, one + two


_OTHERS = [
    (m, ("forward_dynamics", m))
    for m in ("denoc", "articulated", "innovations", "composite", "gibbs-appell", "natural-complement")
]


def _crossings() -> list[Row]:
    saha, feather, orin = FORWARD
    found = crossover(lambda n: sum(saha.at(n)), lambda n: sum(orin.at(n)))
    verdict = "equal" if found == 12 else "differs because of an error"
    rows = [
        Row(NAME, "sec. 1 and table 2", "O(n) is cheaper from n =", "12", str(found), float(abs((found or 0) - 12)),
        verdict, True, WITHIN),
        _featherstone(feather, orin),
    ]  # fmt: skip
    ours = crossover(lambda n: sum(counted(saha.ours, n) or ()), lambda n: sum(counted(orin.ours, n) or ()), 21)
    whole = crossover(
        lambda n: sum(counted(saha.ours, n, True) or ()), lambda n: sum(counted(orin.ours, n, True) or ()), 21
    )
    best = crossover(
        lambda n: sum(counted(feather.ours, n, True) or ()), lambda n: sum(counted(orin.ours, n, True) or ()), 21
    )
    because = "both of our methods take fewer operations than the published ones, and not by the same amount"
    rows.append(
        differs(
            NAME,
            "table 2",
            "crossover of our denoc and composite, without bias forces",
            12,
            ours,
            because,
            (ours or 0) / 12 - 1,
        )
    )
    rows.append(not_stated(NAME, "table 2", "crossover of our denoc and composite, with bias forces", whole))
    rows.append(not_stated(NAME, "table 2", "crossover of our articulated and composite, with bias forces", best))
    return rows


def _featherstone(feather: Published, orin: Published) -> Row:
    """The paper says n >= 12 of all O(n) methods of table 2."""
    both = crossover(lambda n: sum(feather.at(n)), lambda n: sum(orin.at(n)))
    alone = crossover(lambda n: feather.at(n)[0], lambda n: orin.at(n)[0])
    because = (
        f"M + A are {sum(feather.at(12))} against {sum(orin.at(12))} at n = 12; multiplications alone are fewer from "
        f"n = {alone} on"
    )
    what = "the same, which the paper says of all O(n) methods, for Featherstone's row"
    return differs(NAME, "sec. 1 and table 2", what, 12, both, because, (both or 0) / 12 - 1)


def _table3() -> list[Row]:
    rows = []
    for k, (given, (a, b, alpha, mass, r, inertia)) in enumerate(zip(stanford().to_dh("saha"), TABLE3, strict=True), 1):
        com = -np.array(given["com"])
        ours = [
            given["a"],
            0.0 if b is None else given["b"],
            given["alpha"],
            given["mass"],
            *com,
            *given["inertia"][:3],
        ]
        theirs = [a, b or 0.0, math.radians(alpha), mass, *r, *inertia]
        shown = (
            f"a {a}, b {'variable' if b is None else b}, alpha {alpha}, m {mass}, r {_triple(r)}, I {_triple(inertia)}"
        )
        made = compared(
            NAME, "table 3", f"link {k}: the table of our robot", theirs, ours, 1e-12, shown=shown, kind=PRINTED
        )
        rows.append(replace(made, ours=", ".join(f"{x:.6g}" for x in np.array(ours) + 0.0) + " (alpha in rad)"))
    return rows


ANGLES = ("theta_1 (0)", "theta_2 (90)", "0", "theta_4 (0)", "theta_5 (0)", "theta_6 (0)")  # table 3: initial values


def _triple(values: Sequence[float]) -> str:
    return f"({', '.join(f'{x:g}' for x in values)})"


def _stanford_state() -> list[Row]:
    """Numbers of one state, through the public methods."""
    r = stanford()
    q, qd, qdd = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2), (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (-0.4, 0.5, 0.2, -0.1, 0.3, 0.7)
    tau, tipped, fall = (DATA["state"][key] for key in ("tau", "tipped", "fall"))
    shown = "reference values"
    last = r.link_names[-1]
    turn = r.forward_kinematics(q, last)[:3, :3].T
    wrench = np.concatenate([turn @ np.array([0.1, -0.2, 0.3]), turn @ np.array([2, -1, 0.5])])
    falls = r.forward_dynamics(q, qd, (1, -2, 3, 0.1, -0.05, 0.02), method="denoc")
    torques = r.inverse_dynamics(q, qd, qdd, method="denoc")
    with_wrench = r.inverse_dynamics(q, qd, qdd, {last: wrench}, "denoc")
    return [
        compared(NAME, "sec. 5.1, RIDIM", "Stanford arm, one state: torques", tau, torques, 1e-13, shown=shown),
        compared(NAME, "sec. 5.1, RIDIM", "the same with a wrench on the tool", tipped, with_wrench, 1e-12,
        shown=shown),
        compared(NAME, "eqs. (34)-(37), RFDSIM", "accelerations", fall, falls, 1e-11, shown=shown),
    ]  # fmt: skip


def _denoc() -> list[Row]:
    """The matrices of sections 3 and 4 on a random chain, each against another way to it."""
    r, q, qd, _ = arm_and_state(np.random.default_rng(3))
    c, last = natural_complement(r.model, q, qd), r.link_names[-1]
    n, f, pose = np.array([0.4, -0.2, 0.6]), np.array([3, 1, -2.0]), r.forward_kinematics(q, last)
    w = np.zeros(6 * c.links)  # on the last link, about its mass centre
    w[-6:] = np.concatenate([n + np.cross(pose[:3, 3] - c.centre[-1], f), f])
    turned = np.concatenate([pose[:3, :3].T @ n, pose[:3, :3].T @ f])
    felt = r.bias_forces(q, qd) - r.bias_forces(q, qd, {last: turned})
    below = np.eye(6 * c.links) - np.linalg.inv(c.N_l)  # B_i,i-1 under the diagonal, nothing else
    blocks = np.zeros_like(below)
    for i in range(2, c.links + 1):
        blocks[c.rows(i), c.rows(i - 1)] = c.B(i, i - 1)
    turning = r.jacobian(q, last)[:3] @ qd
    M = r.mass_matrix(q, method="composite")
    return [
        compared(NAME, "eqs. (16), (17)", "t = N_l N_d qd: how the last link turns", turning, c.t()[-6:-3], 1e-13,
        shown="Jacobian", kind=AGREE),
        compared(NAME, "eqs. (14), (17)", "N_l^-1 has the -B_i,i-1 below its diagonal and no more", blocks, below,
        1e-13, shown="block bidiagonal"),
        compared(NAME, "after eq. (20)", "I = N^T M N", M, c.I, 1e-13, shown="composite bodies", kind=AGREE),
        compared(NAME, "eq. (24)", "i_ij = p_i^T Mt_i B_ij p_j", M, r.mass_matrix(q, method="denoc"), 1e-13,
        shown="composite bodies", kind=AGREE),
        compared(NAME, "eqs. (25)-(29)", "elements of C = N^T (M dN/dt + W N)", c.C,
        r.coriolis_matrix(q, qd, method="denoc"), 1e-12, shown="dense",
                 kind=AGREE),
        compared(NAME, "eq. (30)", "generalized forces N^T w of a wrench on the tool", felt, c.N.T @ w, 1e-12,
        shown="what the drives feel", kind=AGREE),
    ]  # fmt: skip


def _errata() -> tuple[Section, list[Row]]:
    because = "step 1 needs a value that is not there yet; T-RA (17) has the right index"
    rows = [
        *errata_rows(NAME),
        label(NAME, "eq. (35)", "index in step 1", "psi_i+1 tauh_i-1", "psi_i+1 tauh_i+1", because),
        label(
            NAME,
            "eq. (50)",
            "Mh_kk",
            "Mh_k - Jh_k Psi_k^T",
            "Mh_k - psih_k psi_k^T",
            "Jh is not defined; the same matrix is right in IJRR (49)-(51)",
        ),
        label(
            NAME,
            "after eq. (50)",
            "the letter Psi",
            "one letter",
            "two objects",
            "the projector 1 - psi p^T and the sum of (49) share it",
        ),
        label(NAME, "eq. (1)", "wrench", "n_i", "w_i", "the text calls it w_i from then on"),
        label(NAME, "eq. (17)", "lower factor", "N_i", "N_l", "an l was read as i"),
        label(
            NAME,
            "sec. 5.1, item 1",
            "constants of a prismatic pair",
            "a_i, b_i, theta_i",
            "a_i, alpha_i, theta_i",
            "b_i is its variable",
        ),
        label(NAME, "sec. 5.2", "size of phi", "six-dimensional", "n-dimensional", "it has one element a joint"),
        label(
            NAME,
            "table 2",
            "heading of the last column",
            "lost",
            "n = 12",
            "its numbers follow from the formulas at n = 12 (rows of table 2)",
        ),
        label(
            NAME,
            "app. A, rule 2",
            "origin O_i of intersecting axes",
            "O_i-1",
            "their intersection",
            "O_i-1 is the remedy for parallel axes",
        ),
    ]
    return Section(
        "Errata", ("Each formula as it can be read and as it must be, both computed on a random arm.", row_table(rows))
    ), rows


def paper() -> Paper:
    """Rows and sections."""
    sections, rows = _tables()
    table3 = _table3() + _stanford_state()
    printed = tuple(
        (k, f"{a:g}", "b_3 (0)" if b is None else f"{b:g}", f"{alpha:g}", angle, f"{m:g}", _triple(r), _triple(inertia))
        for k, (angle, (a, b, alpha, m, r, inertia)) in enumerate(zip(ANGLES, TABLE3, strict=True), 1)
    )
    shown = Table(
        "Table 3 as printed",
        ("link", "a (m)", "b (m)", "alpha (deg)", "theta (deg)", "m (kg)", "r (m)", "I_xx, I_yy, I_zz (kg m²)"),
        printed,
    )
    sections.append(Section("Table 3: the Stanford arm", (shown, row_table(table3))))
    rows += table3
    denoc = _denoc()
    sections.append(Section("DeNOC: the matrices and their elements", ("A random chain R P R R P.", row_table(denoc))))
    rows += denoc
    for made in (special(NAME), figure5(), figure6(), figure8(), figure9(), _errata()):
        sections.append(made[0])
        rows += made[1]
    title = "Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices"
    return Paper(
        NAME, title, "S. K. Saha, ASME Journal of Applied Mechanics 66(4), 986-996, 1999", tuple(sections), tuple(rows)
    )
