"""Saha, Analytical expression for the inverted inertia matrix of serial robots, Int. J. Robotics Research 18(1), 1999.

Equations 42 to 48 of the three-link planar arm: proved equal, in exact numbers, to what the algorithms compute; then in
numbers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ..algorithms.registry import find
from ..evaluate.denoc_factors import elimination
from ..program.parameters import symbolic_trace
from ..report.html_report import Details, Formula, Section
from ..robot.builtin_robots import planar3
from . import exact_proofs as exact
from .closed_forms import closed_forms, forms
from .random_arms import arm_and_state
from .rows import IDENTITY, PRINTED, Paper, Row, compared, differs, errata_rows, label, row_table
from .typeset import mathml, numbers, operator, row, symbol

__all__ = ["NAME", "closed_forms", "paper"]

NAME = "saha1999ijrr"
STATE = ([0.3, -0.7, 1.1], [0.5, -0.4, 0.2], [1.0, -0.6, 0.3])
REFERENCE: dict[str, Any] = {
    "I": [[0.193007841064449, 0.0772077552006522, 0.0177006718423896],
    [0.0772077552006522, 0.0394076693368554, 0.00858216800176101],
          [0.0177006718423896, 0.00858216800176101, 0.00484]],
    "U": [[1, 1.89422890414633, 3.6571636037995], [0, 1, 1.77317520697542], [0, 0, 1]],
    "D": [0.0414774385046519, 0.024189981814035, 0.00484],
    "I^-1": [[24.1094926796852, -45.6688978981641, -7.1934016512989],
    [-45.6688978981641, 127.846773942872, -59.6760986284902],
             [-7.19340165129892, -59.6760986284901, 338.735195491634]],
    "C": [[-0.0103627091348956, -0.000211248293616722, -0.00336231069280874],
    [-0.0116219529853803, -0.00147049214410137, -0.00220573821615205],
          [0.00266286686647851, 0.000735246072050684, 0]],
    "C qd": [-0.00576931738856287, -0.00566392727827999, 0.00103733500441898],
    "gravity": [4.04803092830747, 1.37705340518565, 0.247602361289607],
    "tau": [4.19425500041568, 1.42752728190643, 0.262643067335359],
    "qdd": [-14.980228984377, -25.6887645546212, 69.6251475718441],
}  # fmt: skip


# --- exact proof ------------------------------------------------------------------------------------------------------
def _point(k: int) -> tuple[dict[str, Fraction], list[exact.Angle]]:
    """Rational lengths, masses and angles, number k."""
    given = np.random.default_rng(k).integers(1, 50, 9)
    length = [Fraction(int(x), 17) for x in given[:3]]
    mass = [Fraction(int(x), 13) for x in given[3:6]]
    data = {f"l_{i + 1}": length[i] for i in range(3)} | {f"m_{i + 1}": mass[i] for i in range(3)}
    return data, [exact.rational_angle(Fraction(int(x) - 25, 11)) for x in given[6:]]


def _ours(quantity: str, data: dict[str, Fraction], angles: list[exact.Angle]) -> list[list[Fraction]]:
    """What the algorithm gives at an exact point: its text, traced with letters for masses and lengths."""
    program, letters = _traced(quantity)
    values: dict[tuple[str, int | None], Any] = {("q", k): a for k, a in enumerate(angles)}
    for name in letters:
        if name == "g":
            continue
        kind, number = name.split("_")[:2]
        l, m = data[f"l_{number}"], data[f"m_{number}"]
        before = data.get(f"l_{int(number) - 1}", Fraction(0))
        values[name, None] = {"m": m, "c": l / 2, "I": m * l * l / 12, "p": before}[kind]
    return exact.outputs(program, values, lambda a: (a.s, a.c))


@cache
def _traced(quantity: str) -> Any:
    return symbolic_trace(find(quantity, "denoc")[0], planar3().model)


def _theirs(data: dict[str, Fraction], angles: list[exact.Angle]) -> dict[str, Any]:
    """All closed forms at an exact point."""
    f = forms()
    sp = f.sp
    rational = {sp.Symbol(k): sp.Rational(v.numerator, v.denominator) for k, v in data.items()}
    for i in "123":
        rational[sp.Symbol(f"I_{i}")] = rational[sp.Symbol(f"m_{i}")] * rational[sp.Symbol(f"l_{i}")] ** 2 / 12
    cosines = {"2": angles[1].c, "3": angles[2].c, "23": (angles[1] + angles[2]).c}
    known = rational | {
        sp.cos(sp.Symbol(f"theta_{k}")): sp.Rational(c.numerator, c.denominator) for k, c in cosines.items()
    }
    for name, e in (*f.gim.items(), *f.products.items()):
        known[sp.Symbol(name)] = e.subs(known)
    for s, e, _ in (*f.factors, *f.primes):
        known[s] = e.subs(known)
    made: dict[str, Any] = {name: known[sp.Symbol(name)] for name in f.gim}
    made |= {"I": f.matrix.subs(known), "U": f.U.subs(known), "D": f.D.subs(known), "I^-1": f.inverse.subs(known)}
    return made


def _exact_rows(points: int = 4) -> list[Row]:
    """Closed forms = algorithms, exactly, at random rational lengths, masses and angles."""
    sp, f = forms().sp, forms()
    names = {"i_11": "43a", "i_21": "43b", "i_22": "43c", "i_31": "43d", "i_32": "43e", "i_33": "43f"}
    gaps: dict[str, Any] = dict.fromkeys([*names, "U", "D", "UDU", "I^-1", "product"], 0)  # largest difference, exact
    first: dict[str, Any] = {}
    for k in range(points):
        data, angles = _point(k)
        theirs = _theirs(data, angles)
        M = sp.Matrix(3, 3, _sympy(_ours("mass_matrix", data, angles)[0]))
        U, D = (_sympy(part) for part in _ours("mass_matrix_udu", data, angles))
        U, D = sp.Matrix(3, 3, U), sp.diag(*D)
        inverse = sp.Matrix(3, 3, _sympy(_ours("mass_matrix_inverse", data, angles)[0]))
        ours = {name: sp.Matrix([[M[int(name[2]) - 1, int(name[3]) - 1]]]) for name in names}
        ours |= {"U": U, "D": D, "UDU": U * D * U.T, "I^-1": inverse, "product": M * inverse}
        wanted = {name: sp.Matrix([[theirs[name]]]) for name in names} | {
            "U": theirs["U"],
            "D": theirs["D"],
            "I^-1": theirs["I^-1"],
        }
        wanted |= {"UDU": theirs["I"], "product": sp.eye(3)}
        for name in gaps:
            gaps[name] = max(gaps[name], *(abs(x) for x in ours[name] - wanted[name]))
            first.setdefault(name, ours[name])
    printed = {n: (f"eq. ({p})", n, str(e), PRINTED) for (n, p), e in zip(names.items(), f.gim.values(), strict=True)}
    printed |= {  # what is corrected is no longer what is printed: see the errata below
        "U": ("eq. (45), corrected", "U", "its elements alpha", IDENTITY),
        "D": ("eq. (45)", "D", "its elements mh", PRINTED),
        "UDU": ("eq. (46)", "U D U^T", "I of (42)", PRINTED), "I^-1": ("eq. (48), corrected", "I^-1", "its elements",
        IDENTITY),
        "product": ("after eq. (48)", "I I^-1", "1", IDENTITY),
    }  # fmt: skip
    rows = []
    for n, (place, what, shown, kind) in printed.items():
        verdict = "equal" if gaps[n] == 0 else "differs because of an error"
        text, last = (
            shown.replace("**", "^").replace("*", " "),
            f"traced; last element, first arm: {_fraction(first[n])}",
        )
        rows.append(Row(NAME, place, f"{what}, in fractions", text, last, float(gaps[n]), verdict, True, kind))
    return rows


def _fraction(matrix: Any) -> str:
    """The last element as a fraction, its digits shortened."""
    number = str(matrix[len(matrix) - 1])
    return number if len(number) <= 24 else f"{number[:10]}...{number[-10:]}"


def _sympy(values: list[Any]) -> list[Any]:
    sp = forms().sp
    return [sp.Rational(Fraction(v).numerator, Fraction(v).denominator) for v in values]


def _symbolic_row() -> Row:
    """(46) times (48) with letters: the identity."""
    f = forms()
    primes = {s: e for s, e, _ in f.primes if s.name != "alpha'_13"}
    a12, a13, a23 = f.U[0, 1], f.U[0, 2], f.U[1, 2]
    primes[f.sp.Symbol("alpha'_13")] = a13 - a12 * a23
    product = (f.U * f.D * f.U.T * f.inverse.subs(primes)).applyfunc(f.sp.simplify)
    gap = float(sum(x != 0 for x in product - f.sp.eye(3)))  # elements that are not as they should be
    verdict = "equal" if gap == 0 else "differs because of an error in the symbolic product"
    return Row(
        NAME, "eqs. (46), (48)", "I I^-1 = 1 with letters", "1", str(product.tolist()), gap, verdict, True, IDENTITY
    )


# --- numbers ----------------------------------------------------------------------------------------------------------
def _number_rows() -> list[Row]:
    r = planar3()
    q, qd, qdd = STATE
    udu = r.mass_matrix_udu(q)
    C = r.coriolis_matrix(q, qd, method="denoc")
    ours = {
        "I": r.mass_matrix(q, method="denoc"), "U": udu.U, "D": udu.D, "I^-1": r.mass_matrix_inverse(q, method="denoc"),
        "C": C, "C qd": C @ np.array(qd),
        "gravity": r.gravity_forces(q), "tau": r.inverse_dynamics(q, qd, qdd, method="denoc"),
        "qdd": r.forward_dynamics(q, qd, [0.4, -0.2, 0.1], method="denoc"),
    }  # fmt: skip
    note = "link data not printed; reference values for the assumed data"
    rows = [
        compared(NAME, "sec. 6, numbers", name, REFERENCE[name], ours[name], 2e-13, shown=note) for name in REFERENCE
    ]
    closed = closed_forms(r, "mass_matrix_inverse").values({"theta_2": q[1], "theta_3": q[2], "theta_23": q[1] + q[2]})
    rows.append(
        compared(
            NAME, "eq. (48), corrected", "I^-1 in numbers", closed, ours["I^-1"], 1e-12, shown="closed form, evaluated"
        )
    )
    return rows


def _labels() -> list[Row]:
    """Names and sizes printed wrongly, and what is right as read."""
    r, q, _, _ = arm_and_state(np.random.default_rng(0))
    e = elimination(r.model, q)
    c, n = e.complement, r.n
    projected = [e.Psi(i) @ e.Mh(i) for i in range(1, n + 1)]
    slide = e.mh(n).item()  # the last joint slides, and carries its own link only
    wanted, found = (6 * n, 6 * n), c.N_d.shape
    return [
        differs(NAME, "after eq. (14)", f"size of N_d, n = {n}", "{} x {} (6n x 6n)".format(*wanted),
        "{} x {}".format(*found),
                "N_d holds one column p_i a joint: 6n x n", found[1] / wanted[1] - 1),
        compared(NAME, "eqs. (49)-(51)", "Mh_i - psih_i psi_i^T = Psi_i Mh_i = Psi_i Mh_i Psi_i^T: right as read",
                 np.array([e.Mh(i) - e.psih(i) @ e.psi(i).T for i in range(1, n + 1)]),
                 np.array([X @ e.Psi(i).T for i, X in enumerate(projected, 1)]), 1e-13, shown="Psi_i Mh_i"),
        compared(NAME, "after eq. (35)", "mh_i of a sliding joint is a mass (kg), "
            "not a moment of inertia: the last link's",
                 r.model.bodies[n].inertia.m, slide, 1e-13, shown="called a moment of inertia"),
        label(NAME, "sec. 2", "twist and wrench", "t_i, n_i", "t_i, w_i", "the wrench is w_i from then on"),
        label(NAME, "after eq. (35)", "the two masses compared", "the same hat on both",
        "Mt_i composite, Mh_i articulated", "they are two matrices"),
    ]  # fmt: skip


# --- report -----------------------------------------------------------------------------------------------------------
def paper() -> Paper:
    """Rows and sections."""
    exact_rows, symbolic, number_rows, errata = (
        _exact_rows(),
        _symbolic_row(),
        _number_rows(),
        [*errata_rows(NAME), *_labels()],
    )
    r = planar3()
    q = STATE[0]
    gim, inverse = closed_forms(r, "mass_matrix"), closed_forms(r, "mass_matrix_inverse")
    formulas = [Formula(m, f"({p})" if p else "") for m, p in gim.mathml()]
    steps = [Formula(m, f"({p})" if p else "") for m, p in inverse.mathml()]
    f = forms()
    product = Formula(
        row(symbol("I"), symbol("I^-1"), operator("="), numbers(r.mass_matrix(q) @ r.mass_matrix_inverse(q), 3))
    )
    values = Formula(
        row(
            symbol("I"),
            operator("="),
            numbers(r.mass_matrix(q)),
            operator(","),
            symbol("I^-1"),
            operator("="),
            numbers(r.mass_matrix_inverse(q)),
        )
    )
    sections = (
        Section("The inertia matrix, eqs. (42) to (44)", (*formulas,
        "C stands for cos; theta_23 = theta_2 + theta_3. Correct as printed.")),
        Section("U, D and the inverse, eqs. (45) to (48)", (
            Details("Products of the vectors d and rho, and the factors", tuple(steps[:-1])), steps[-1],
            Formula(row(symbol("I"), operator("="), mathml(f.U * f.D * f.U.T)), "(46)"),
            "Shown as corrected; the misprints are listed below with the size of the error each one makes.",
            row_table([*exact_rows, symbolic], "Exact: equal in rational arithmetic at four random arms and states"))),
        Section("In numbers", ("q = (0.3, -0.7, 1.1); lengths 0.3, 0.25, 0.22 m and masses 0.5, 0.4, 0.3 kg, which the "
            "paper does not print.",
                               values, product, row_table(number_rows))),
        Section("Errata", ("Each formula as it can be read and as it must be, both computed on a random arm.",
        row_table(errata))),
    )  # fmt: skip
    title = "Analytical expression for the inverted inertia matrix of serial robots"
    citation = "S. K. Saha, International Journal of Robotics Research 18(1), 116-124, 1999"
    return Paper(NAME, title, citation, sections, (*exact_rows, symbolic, *number_rows, *errata))
