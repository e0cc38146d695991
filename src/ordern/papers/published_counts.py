"""Operation counts as the papers print them, and ours beside them on the general revolute chain.

Conventions of the papers (inferred: they are not written down): all joints revolute, general DH geometry, base at rest,
sines, cosines and body-fixed constants free, M multiplications and divisions, A additions and subtractions. Ours are
tallies of the traced text of each method under the same conventions. What follows from them:

- The joint variable is the DH angle theta_i itself: no offset is added to it before its sine and cosine are taken.
- A forward step solves I qdd = phi. Making phi = tau - bias is inverse dynamics and one subtraction a joint; the
  published rows can only be without it (Walker and Orin's takes fewer operations than their inverse dynamics alone).
  Ours are the forward methods at rest and without gravity, where the bias vanishes and phi = tau.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ..algorithms.denoc import propagation
from ..algorithms.elimination import solve
from ..algorithms.registry import Algorithm, find
from ..describe.builtin import chain
from ..evaluate.counts import tally
from ..joints import Revolute
from ..model import Model
from ..program.build import prepared, trace
from ..report.html_report import Figure, Section
from ..report.plots import plot_counts, svg
from ..report.tables import Table
from ..robot.builtin_robots import puma560, stanford
from ..spatial import ArticulatedInertia
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree
from .rows import BOUND, EQUAL, WITHIN, Row, differs, not_stated, row_table

__all__ = [
    "BOUNDED", "CONVENTIONS", "FORWARD", "INVERSE", "LENGTHS", "MATRIX", "STEP", "Published", "bound_rows",
    "count_table", "counted", "crossover", "figure",
    "about_centres", "solve_about_centres", "formula", "missed", "own_rows", "special", "tallied",
]  # fmt: skip

LENGTHS = range(2, 21)
CONVENTIONS = (
    "All joints are revolute, the DH geometry is general, the base at rest; sines, cosines and constants of the links "
    "are free, and theta_i is the joint variable, without offset."
)
STEP = (
    "A forward step solves I qdd = phi; making phi = tau - bias is not in it, which is the only way to read the "
    "published rows. Ours are our forward methods at rest and without gravity, where phi = tau."
)
BOUNDED = (*range(1, 21), 25, 30)  # lengths at which our counts are held against the published formulas


@dataclass(frozen=True)
class Published:
    """A table row: coefficients of 1, n, n^2, n^3 for M and A, printed {n: (M, A)}, and our method."""

    name: str
    M: tuple[Any, ...]
    A: tuple[Any, ...]
    printed: dict[int, tuple[int, int]]
    ours: tuple[str, str] | None = None

    def at(self, n: int) -> tuple[Fraction, Fraction]:
        """The formulas at n."""
        return polynomial(self.M, n), polynomial(self.A, n)


def polynomial(c: Iterable[Any], n: int) -> Fraction:
    """c[0] + c[1] n + ..."""
    return sum((Fraction(x) * n**k for k, x in enumerate(c)), Fraction(0))


def formula(c: tuple[Any, ...]) -> str:
    """The polynomial as it is written: 120n - 44."""
    parts: list[str] = []
    for k in range(len(c) - 1, -1, -1):
        x = Fraction(c[k])
        if x:
            size = (
                ""
                if abs(x) == 1 and k
                else str(abs(x))
                if abs(x).denominator == 1
                else f"{abs(x).numerator}/{abs(x).denominator} "
            )
            parts.append(f"{'-' if x < 0 else '+'} {size}{'' if k == 0 else 'n' if k == 1 else f'n^{k}'}")
    return " ".join(parts).removeprefix("+ ") or "0"


F = Fraction
ID = "inverse_dynamics"
INVERSE = (
    Published("Hollerbach 1980", (-277, 412), (-201, 320), {6: (2195, 1719)}),
    Published("Luh et al. 1980", (-48, 150), (48, 131), {6: (852, 834)}, (ID, "newton-euler")),
    Published("Walker and Orin 1982", (-22, 137), (-11, 101), {6: (800, 595)}),
    Published("Saha 1999 (RIDIM)", (-44, 120), (-55, 97), {6: (676, 527)}, (ID, "denoc")),
    Published("Khalil et al. 1986", (-92, 105), (-86, 94), {6: (538, 478)}),
    Published("Angeles et al. 1989", (-109, 105), (-105, 90), {6: (521, 435)}),
    Published("Balafoutis et al. 1988", (-69, 93), (-65, 81), {6: (489, 421)}),
)
FD = "forward_dynamics"
FORWARD = (
    Published("Saha 1997/1999", (-335, 201), (-361, 193), {6: (871, 797), 12: (2077, 1955)}, (FD, "denoc")),
    Published("Featherstone 1983", (-198, 199), (-173, 174), {6: (996, 871), 12: (2190, 1915)}, (FD, "articulated")),
    Published(
        "Walker and Orin 1982",
        (-47, F(115, 3), F(23, 2), F(1, 6)),
        (-46, F(233, 6), 7, F(1, 6)),
        {6: (633, 480), 12: (2357, 1716)},
        (FD, "composite"),
    ),
)
MM = "mass_matrix"
MATRIX = (
    Published("Walker and Orin CRBM", (-27, 56, 12), (-53, 67, 7), {6: (741, 601)}, (MM, "composite")),
    Published("Angeles and Ma NOC", (8, -21, 17, 1), (5, -16, 14, 1), {6: (710, 629)}, (MM, "natural-complement")),
    Published("GAH", (-49, F(39, 2), F(23, 2)), (-69, F(63, 2), F(17, 2)), {6: (482, 426)}, (MM, "gibbs-appell")),
)


@lru_cache(maxsize=4096)
def counted(ours: tuple[str, str], n: int, bias: bool = False, seed: int = 0) -> tuple[int, int] | None:
    """Our M (divisions and roots among them) and A on the general revolute chain; forward dynamics without its bias
    forces unless asked.

    None where the method does not serve the chain.
    """
    algorithm, model = find(*ours)[0], chain(n, seed)
    return None if algorithm.refusal(model) else tallied(algorithm, model, bias)


def tallied(algorithm: Algorithm, model: Model, bias: bool = False) -> tuple[int, int]:
    """M and A of a method for a robot under the papers' conventions."""
    model = prepared(algorithm, model, regrouped=False)
    # theta is the joint variable
    turning = (replace(b, joint=Revolute()) if isinstance(b.joint, Revolute) else b for b in model.bodies)
    model = model.with_bodies(turning)
    if algorithm.quantity == FD and not bias:
        algorithm = replace(algorithm, function=_at_rest(algorithm), inputs=("q", "tau"))
        model = model.changed(gravity=(0.0, 0.0, 0.0))
    made = tally(trace(algorithm, model, rolled=False))
    return made.mul + made.div + made.sqrt, made.add


def solve_about_centres(tree: Tree, q: JointVectors, phi: JointVectors) -> Any:
    """I qdd = phi by reverse elimination and three sweeps, with all twists about the mass centres C_i."""
    B, p, psi, mh = tree.table("B"), tree.table("p"), tree.table("psi"), tree.table("mh")
    Mh = tree.table("Mh", base=ArticulatedInertia.zero())
    for i, j in tree.outward("placement"):
        B[i], p[i] = propagation(tree, i, j, q)
        Mh[i] = tree.central[i].articulated()
    for i, j in tree.inward("factor"):
        psih = Mh[i] @ p[i]
        mh[i] = gram(p[i], psih).plus_diagonal(tree.armature[i])
        psi[i] = psih / mh[i]
        Mh[j] += B[i].congruent(Mh[i] - psih @ psi[i].T)
    return solve(tree, B, p, psi, mh, phi, tree.zero)


@lru_cache(maxsize=64)
def about_centres(n: int) -> tuple[int, int]:
    """M and A of the same reverse elimination with twists about the mass centres C_i, as the papers write it, on the
    general revolute chain.

    Our text refers twists to O_i on joint i, where p_i is the joint's own axis; about C_i, p_i has six elements and
    B_ij one more product.
    """
    algorithm = replace(
        find(FD, "denoc")[0], function=solve_about_centres, inputs=("q", "tau"), quantity="elimination about C_i"
    )
    return tallied(algorithm, chain(n))


def _at_rest(algorithm: Algorithm) -> Callable[..., Any]:
    return lambda tree, q, phi: algorithm(tree, q, tree.zero, phi)


def own_rows(paper: str, place: str, published: Iterable[Published], slips: dict[tuple[str, int], str]) -> list[Row]:
    """Whether the printed numbers follow from the printed formulas."""
    rows = []
    for p in published:
        for n, printed in p.printed.items():
            M, A = p.at(n)
            shown, made = f"{printed[0]} M, {printed[1]} A", f"{M} M, {A} A"
            what = f"{p.name}: {formula(p.M)} M, {formula(p.A)} A at n = {n}"
            if (p.name, n) in slips:
                rows.append(
                    differs(paper, place, what, shown, made, slips[p.name, n], float((M + A) / sum(printed)) - 1)
                )
            else:
                same = printed[0] == M and printed[1] == A
                rows.append(Row(paper, place, what, shown, made, float(abs(M - printed[0]) + abs(A - printed[1])),
                                "equal" if same else "differs because of an error in the formula", True,
                                WITHIN))  # fmt: skip
    return rows


WHY = (
    "constants are combined beforehand, frames are chosen for their zeros, and the first link turns about a fixed axis"
)


def missed(p: Published, lengths: Iterable[int]) -> dict[int, tuple[Fraction, Fraction]]:
    """Lengths where ours needs more, and how many M, A more; skips negative published numbers."""
    over = {}
    for n in lengths:
        (M, A), ours = p.at(n), counted(p.ours, n) if p.ours else None
        if ours is not None and min(M, A) >= 0 and (ours[0] > M or ours[1] > A):
            over[n] = (max(ours[0] - M, Fraction(0)), max(ours[1] - A, Fraction(0)))
    return over


def bound_rows(paper: str, place: str, published: Iterable[Published], lengths: Iterable[int] = (6, 12)) -> list[Row]:
    """Our counts beside published ones, then whether ours are no higher at any length of BOUNDED."""
    rows = []
    for p in published:
        if p.ours is None:
            continue
        for n in lengths:
            found = counted(p.ours, n)
            assert found is not None, f"{p.ours} does not serve the general revolute chain"
            M, A = p.at(n)
            dM, dA = found[0] - M, found[1] - A
            more = [f"{abs(d)} {'more' if d > 0 else 'fewer'} {name}" for d, name in ((dM, "M"), (dA, "A")) if d]
            text = f"ours takes {' and '.join(more)}: {WHY}" if more else "they are the same"
            what = f"{p.name} against our {p.ours[1]}, n = {n}"
            rows.append(
                differs(
                    paper,
                    place,
                    what,
                    f"{M} M, {A} A",
                    f"{found[0]} M, {found[1]} A",
                    text,
                    float(dM + dA) / float(M + A),
                )
            )
        rows += _everywhere(paper, place, p)
    return rows


def _everywhere(paper: str, place: str, p: Published) -> list[Row]:
    """One row for all lengths, and one for each length at which ours takes more or the formula has no meaning."""
    name, over = p.ours[1] if p.ours else "", missed(p, BOUNDED)
    negative = [n for n in BOUNDED if min(p.at(n)) < 0]
    held = [n for n in BOUNDED if n not in over and n not in negative]
    wanted = [n for n in BOUNDED if n not in negative]
    what = f"{p.name}: {formula(p.M)} M, {formula(p.A)} A; lengths (1 to 20, 25, 30) at which our {name} takes no more"
    verdict = EQUAL if not over else f"differs because ours takes more at n = {', '.join(map(str, over))}"
    rows = [
        Row(
            paper,
            place,
            what,
            f"all from {wanted[0]}",
            f"{len(held)} of {len(wanted)}",
            float(len(over)),
            verdict,
            True,
            BOUND,
        )
    ]
    for n in (*negative, *over):
        (M, A), ours = p.at(n), counted(p.ours, n) if p.ours else None
        shown = "-" if ours is None else f"{ours[0]} M, {ours[1]} A"
        because = (
            f"ours takes {over[n][0]} M and {over[n][1]} A more"
            if n in over
            else "the published formula is negative there and cannot be meant"
        )
        gap = None if ours is None else float(sum(ours) - M - A) / abs(float(M + A))
        rows.append(
            differs(paper, place, f"{p.name} against our {name}, n = {n}", f"{M} M, {A} A", shown, because, gap)
        )
    return rows


def count_table(
    title: str, published: Iterable[Published], others: Iterable[tuple[str, tuple[str, str]]] = (), bias: bool = False
) -> Table:
    """M + A for n = 2..20: published beside ours."""
    columns, makers = ["n"], []
    for p in published:
        columns.append(p.name)
        makers.append(_published_cell(p))
        if p.ours is not None:
            columns.append(f"our {p.ours[1]}")
            makers.append(_own_cell(p.ours, bias))
    for name, ours in others:
        columns.append(name)
        makers.append(_own_cell(ours, bias))
    rows = tuple((n, *(make(n) for make in makers)) for n in LENGTHS)
    return Table(title, tuple(columns), rows)


def _published_cell(p: Published) -> Callable[[int], str]:
    return lambda n: "{} + {}".format(*p.at(n))


def _own_cell(ours: tuple[str, str], bias: bool) -> Callable[[int], str]:
    return lambda n: "{} + {}".format(*(counted(ours, n, bias) or ("-", "-")))


def crossover(cheap_later: Callable[[int], Any], cheap_first: Callable[[int], Any], most: int = 60) -> int | None:
    """The least n from which on the first is at most the second."""
    below = [n for n in range(2, most) if cheap_later(n) > cheap_first(n)]
    found = (below[-1] + 1) if below else 2
    return found if found < most else None


def figure(
    title: str,
    published: Iterable[Published],
    caption: str,
    others: Iterable[tuple[str, tuple[str, str]]] = (),
    bias: bool = False,
) -> Figure:
    """M + A against n, published and ours."""
    curves: dict[str, list[float]] = {}
    for p in published:
        curves[p.name] = [float(sum(p.at(n))) for n in LENGTHS]
        if p.ours is not None:
            curves[f"our {p.ours[1]}"] = _curve(p.ours, bias)
    for name, ours in others:
        curves[name] = _curve(ours, bias)
    return Figure(svg(plot_counts(list(LENGTHS), curves, title=title, ylabel="M + A")), caption)


def _curve(ours: tuple[str, str], bias: bool) -> list[float]:
    return [float(sum(counted(ours, n, bias) or (np.nan,))) for n in LENGTHS]


def special(paper: str) -> tuple[Section, list[Row]]:
    """The papers' arms have many zeros: what their own geometry costs beside the general chain of six joints."""
    rows, lines = [], []
    for arm, robot in (("Stanford arm", stanford()), ("PUMA 560", puma560())):
        for quantity, method in ((ID, "denoc"), (FD, "denoc"), (MM, "gibbs-appell"), (MM, "composite")):
            own, best = robot.operation_counts(quantity, method), robot.operation_counts(quantity)
            general, name = counted((quantity, method), 6, bias=True) or (0, 0), quantity.replace("_", " ")
            cells = ((own.mul + own.div, own.add), (best.mul + best.div, best.add), general)
            lines.append((arm, name, method, *("{} + {}".format(*pair) for pair in cells)))
            share, what = own.total / max(sum(general), 1), f"{arm}, {name} by {method}: share of the general count"
            rows.append(not_stated(paper, "tables 1, 2", what, f"{share:.0%}"))
    columns = (
        "arm",
        "quantity",
        "method",
        "for its own geometry",
        "fastest method, inertias regrouped",
        "general chain, n = 6, bias forces included",
    )
    table = Table("Multiplications and divisions + additions", columns, tuple(lines))
    text = (
        "Zeros and right angles of an arm's own geometry are folded while an algorithm is traced, so a real arm "
        "costs far less than the tables say."
    )
    return Section("Operations for the Stanford arm and the PUMA 560", (text, table, row_table(rows))), rows
