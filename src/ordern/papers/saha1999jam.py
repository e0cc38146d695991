"""Saha, Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices, J. Applied Mechanics 66, 1999.

Tables 1 to 3 and figures 5, 6, 8 and 9: the planar arm and the Stanford arm, inverse dynamics and free fall.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..evaluate.denoc_matrices import natural_complement
from ..report.html_report import Details, Figure, Section
from ..report.plots import figure, plot_series, points, style, svg
from ..report.tables import Table
from ..robot import Robot
from ..robot.builtin_robots import planar3, stanford
from .errata_saha import arm_and_state
from .published_counts import CONVENTIONS, FORWARD, INVERSE, STEP, bound_rows, count_table, counted, crossover, own_rows, polynomial, special
from .published_counts import figure as count_figure
from .rows import AGREE, INDEPENDENT, PRINTED, WITHIN, Paper, Row, compared, differs, errata_rows, label, not_stated, row_table

__all__ = ["NAME", "cycloid", "paper"]

NAME = "saha1999jam"
Array = Any
T = 10.0
FIG5 = {
    0.0: (4.34583, 1.54998, 0.32373), 1.25: (4.3850266986557, 1.56594723782233, 0.327223204542924),
    2.5: (3.98291442624585, 1.27454163156146, 0.221226314113469), 3.75: (1.52744907281005, -0.331074702553034, -0.240866098078238),
    5.0: (-1.2869480670667, -1.22773044066016, 0.0130278778094379), 6.25: (-1.75506318261311, 0.15260168186617, 0.257931158773517),
    7.5: (-1.86950848088145, 0.818789239436389, -0.213141935142576), 8.75: (-1.89725396633659, 0.901004347328635, -0.322598813518216),
    10.0: (-1.89333, 0.90252, -0.32373),
}  # fmt: skip
FIG6 = {
    0.1: (-0.206663750697205, 0.27059272154699, -0.0870182314363803), 0.25: (-0.924167179124424, 0.537329192152345, 0.56241650784328),
    0.5: (-1.84343202730671, -0.558262611649205, -0.233428784022866), 0.75: (-3.20394883648054, 0.256195691105233, 0.448115068213442),
    1.0: (-2.25406943784963, -1.1012869306516, -0.167747283551122), 1.5: (-0.479030346228322, 0.843520588939388, -0.228375081662048),
    2.0: (-1.70357966702503, 0.224236680277334, 0.842113428890037), 3.0: (-0.853981342388585, 0.23791785199328, 0.824508309859173),
}  # fmt: skip
TEXT60 = {
    2.5: (0.10430257529862, 13.8227158278502, -2.78629403168337, 0.000327195163162761, 4.69065879413984e-05, 0.000268387534328506),
    5.0: (-0.00570858867646239, 15.7537854001769, -15.5743918965116, 4.00284523552536e-05, -9.80994189282971e-05, -6.9797251578433e-05),
    7.5: (-0.0998369761121532, 16.7328672743851, -27.5183536764447, -0.00021042381825389, 3.19849312990607e-05, -0.000217470058294695),
    10.0: (0, 16.7365471459169, -29.9205, 0, 0, 0),
}
TEXT150 = {
    2.5: (0.0999066237645268, 13.9164093299032, 5.73163298516217, 0.000353950638236139, 0.000211685192398462, 0.000287942172008243),
    5.0: (-0.0542086770958574, 14.1871223078536, 29.7926886230059, 0.000127049353355281, 4.4210404102842e-05, 2.5875575438084e-07),
    7.5: (-0.0563025207059999, 10.8076920242442, 48.6577016090603, -0.000385637012634221, -0.000128576104923474, -0.000422748983852997),
    10.0: (0, 9.66285000000001, 51.8238261878646, 0, 0, 0),
}
FLIPPED60 = {
    0.0: (0, 11.3796, 0), 2.5: (0.0881033724105708, 11.8712239720614, -2.7835574335103),
    5.0: (-0.00420879617421488, 13.8623279060879, -15.564013347739), 7.5: (-0.08482073954545, 14.9819570897957, -27.5160726986986),
    10.0: (0, 15.0374053036919, -29.9205),
}  # fmt: skip
FIG9 = {
    0.1: (-0.000134599107258349, 1.5212700246311, 0.00060083355832245, -1.06901336772804e-05, 0.0495263026616136, 1.06770256894897e-05),
    0.2: (-0.0021162648826704, 1.37362546551391, 0.00960141194071621, -0.000626497153891473, 0.197171307048408, 0.000614358644427636),
    0.3: (-0.00991468038267741, 1.13648991597695, 0.0483177654250081, -0.00517315404544726, 0.434321888821343, 0.00469288976958046),
    0.4: (-0.0253172610980265, 0.843913926174484, 0.149730831151881, -0.015536901097642, 0.726974600781512, 0.0116097508382244),
    0.5: (-0.0406348075317704, 0.566777153649009, 0.348017983137419, -0.0240587009604694, 1.00415637023711, 0.012916573980309),
    0.6: (-0.0459715834012982, 0.364633740869512, 0.660872686944307, -0.0229725946942706, 1.20619389879208, 0.00819145590456507),
    0.8: (-0.0303262126288984, 0.160732902775324, 1.62210790402202, 0.00267650621430954, 1.40987227262141, -0.000428620074676654),
    1.0: (0.00254347828976601, 0.0809666575413423, 2.99966161955364, 0.0444530562758325, 1.48957697699943, -0.00359459223347587),
    1.5: (0.141434331380889, 0.0193959952958805, 8.18506492158523, 0.205413648982911, 1.55111747546594, -0.00395708820673967),
}
# table 3: a, b, alpha (deg), mass, r, inertia; None where the joint variable stands
TABLE3 = (
    (0, 0.2, -90, 9, (0, -0.1, 0), (0.01, 0.02, 0.01)), (0, 0.1, -90, 6, (0, 0, 0), (0.05, 0.06, 0.01)), (0, None, 0, 4, (0, 0, 0), (0.4, 0.4, 0.01)),
    (0, 0.6, 90, 1, (0, -0.1, 0), (0.001, 0.001, 0.0005)), (0, 0, -90, 0.6, (0, 0, 0), (0.0005, 0.0005, 0.0002)),
    (0, 0, 0, 0.5, (0, 0, 0), (0.003, 0.001, 0.002)),
)  # fmt: skip
PAIRS = ("verner", "cash-karp")  # Runge-Kutta of orders 6 and 5, and of 5 and 4
TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-14, "dynamics": "denoc"}
INTEGRATED = (
    "The paper integrates by a Runge-Kutta method of fifth and sixth order after Press et al., whose book has Cash and Karp's pair of orders 5 "
    'and 4: simulate(method="verner"), a pair of orders 6 and 5, draws the curves, and method="cash-karp" is compared in the rows.'
)


def cycloid(t: Array, start: Array, end: Array, duration: float = T) -> tuple[Array, Array, Array]:
    """q, qd, qdd of eq. (38) in its general form: from start to end, at rest at both."""
    x = np.atleast_1d(np.asarray(t, float))[:, None] / duration
    way = np.asarray(end, float) - np.asarray(start, float)
    w = 2 * np.pi
    return start + way * (x - np.sin(w * x) / w), way / duration * (1 - np.cos(w * x)), way / duration**2 * w * np.sin(w * x)


def explicit_torques(q: Array, qd: Array, qdd: Array) -> Array:
    """The planar arm's torques written out in absolute angles, independent of any recursion."""
    l, m, g = np.array([0.3, 0.25, 0.22]), np.array([0.5, 0.4, 0.3]), 9.81
    A = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            low = max(i, j)
            A[i, j] = (m[low] * (1 / 3 if i == j else 1 / 2) + m[low + 1 :].sum()) * l[i] * l[j]
    G = np.array([(m[i] / 2 + m[i + 1 :].sum()) * l[i] for i in range(3)])
    phi, phid, phidd = (np.cumsum(x, axis=-1) for x in (q, qd, qdd))
    gap = phi[..., :, None] - phi[..., None, :]
    f = np.sum(A * (np.cos(gap) * phidd[..., None, :] + np.sin(gap) * phid[..., None, :] ** 2), axis=-1) + g * G * np.cos(phi)
    return np.cumsum(f[..., ::-1], axis=-1)[..., ::-1]


# --- tables --------------------------------------------------------------------------------------------------------------------
def _tables() -> tuple[list[Section], list[Row]]:
    orin = [int(x) for n in (6, 12) for x in FORWARD[2].at(n)]
    slip = f"the formula gives {orin[1]}; the other three numbers of this row, {orin[0]}, {orin[2]} and {orin[3]}, do follow from theirs"
    one = own_rows(NAME, "table 1", INVERSE, {}) + bound_rows(NAME, "table 1", INVERSE)
    printed, quoted = polynomial((48, 131), 6), polynomial((-48, 131), 6)
    because = "the original is commonly quoted with the other sign"
    shown = f"131n + 48: {printed} at n = 6", f"131n - 48: {quoted} at n = 6"
    one.append(differs(NAME, "table 1", "Luh et al.: additions", *shown, because, float(quoted / printed) - 1))
    two = own_rows(NAME, "table 2", FORWARD, {("Walker and Orin 1982", 6): slip}) + bound_rows(NAME, "table 2", FORWARD)
    two += _crossings()
    order = "O(n) from the tips and back: the UDU^T factors and three steps"
    sections = [
        Section("Table 1: operations of inverse dynamics", (
            f"M multiplications and divisions, A additions and subtractions. {CONVENTIONS}",
            row_table(one),
            count_figure("Inverse dynamics", INVERSE[1:], "M + A against n: published and our own. Hollerbach lies far above."),
            Details("M + A for n = 2 to 20", (count_table("Inverse dynamics, M + A", INVERSE),)))),
        Section("Table 2: operations of forward dynamics", (
            f"{STEP} denoc is {order}, composite is the matrix and a Cholesky solve.",
            row_table(two), count_figure("Forward dynamics without bias forces", FORWARD,
                                         "M + A against n. At rest both of ours are one sweep of articulated inertias about O_i "
                                         "and two sweeps of vectors: the same operations."),
            Details("M + A for n = 2 to 20", (count_table("Forward dynamics without bias forces, M + A", FORWARD),)),
            Details("Complete forward dynamics, bias forces included, our methods", (count_table("Forward dynamics, M + A", (), _OTHERS, True),)))),
    ]  # fmt: skip
    return sections, one + two


_OTHERS = [(m, ("forward_dynamics", m)) for m in ("denoc", "articulated", "innovations", "composite", "gibbs-appell", "natural-complement")]


def _crossings() -> list[Row]:
    saha, feather, orin = FORWARD
    found = crossover(lambda n: sum(saha.at(n)), lambda n: sum(orin.at(n)))
    verdict = "equal" if found == 12 else "differs because of an error"
    rows = [
        Row(NAME, "sec. 1 and table 2", "O(n) is cheaper from n =", "12", str(found), float(abs((found or 0) - 12)), verdict, True, WITHIN),
        not_stated(NAME, "table 2", "the same for Featherstone's row", crossover(lambda n: sum(feather.at(n)), lambda n: sum(orin.at(n)))),
    ]  # fmt: skip
    ours = crossover(lambda n: sum(counted(saha.ours, n) or ()), lambda n: sum(counted(orin.ours, n) or ()), 21)
    whole = crossover(lambda n: sum(counted(saha.ours, n, True) or ()), lambda n: sum(counted(orin.ours, n, True) or ()), 21)
    best = crossover(lambda n: sum(counted(feather.ours, n, True) or ()), lambda n: sum(counted(orin.ours, n, True) or ()), 21)
    because = "both of our methods take fewer operations than the published ones, and not by the same amount"
    rows.append(differs(NAME, "table 2", "crossover of our denoc and composite, without bias forces", 12, ours, because, (ours or 0) / 12 - 1))
    rows.append(not_stated(NAME, "table 2", "crossover of our denoc and composite, with bias forces", whole))
    rows.append(not_stated(NAME, "table 2", "crossover of our articulated and composite, with bias forces", best))
    return rows


def _table3() -> list[Row]:
    rows = []
    for k, (given, (a, b, alpha, mass, r, inertia)) in enumerate(zip(stanford().to_dh("saha"), TABLE3, strict=True), 1):
        com = -np.array(given["com"])
        ours = [given["a"], 0.0 if b is None else given["b"], given["alpha"], given["mass"], *com, *given["inertia"][:3]]
        theirs = [a, b or 0.0, math.radians(alpha), mass, *r, *inertia]
        shown = f"a {a}, b {'variable' if b is None else b}, alpha {alpha}, m {mass}, r {r}, I {inertia}"
        made = compared(NAME, "table 3", f"link {k}: the table of our robot", theirs, ours, 1e-12, shown=shown, kind=PRINTED)
        rows.append(replace(made, ours=", ".join(f"{x:.6g}" for x in np.array(ours) + 0.0) + " (alpha in rad)"))
    return rows


# --- figures -------------------------------------------------------------------------------------------------------------------
def _figure5() -> tuple[Section, list[Row]]:
    r = planar3()
    t = np.linspace(0, T, 401)
    q, qd, qdd = cycloid(t, np.zeros(3), np.full(3, np.pi))
    tau = r.inverse_dynamics(q, qd, qdd, method="denoc")
    rows = [compared(NAME, "fig. 5", "torques against the arm's explicit expressions, 401 times", explicit_torques(q, qd, qdd), tau, 1e-13,
                     shown="verified with explicit expressions", kind=INDEPENDENT)]  # fmt: skip
    for at, reference in FIG5.items():
        ours = r.inverse_dynamics(*cycloid(at, np.zeros(3), np.full(3, np.pi)), method="denoc")[0]
        rows.append(compared(NAME, "fig. 5", f"torques at t = {at:g} s", reference, ours, 1e-12, shown="figure only; reference values"))
    x = np.pi / 5 * t
    rows.append(
        compared(
            NAME, "eq. (38)", "the cycloid from 0 to pi", 0.5 * (x - np.sin(x)), q[:, 0], 1e-14, shown="(2 pi t/T - sin(2 pi t/T))/2", kind=PRINTED
        )
    )
    made = plot_series(t, tau, ("τ₁", "τ₂", "τ₃"), "torque (N m)", title="Figure 5: torques of the planar arm")
    points(made, FIG5)
    note = (
        "Circles: an independent computation. Link lengths and masses are not printed; assumed: 0.3, 0.25, 0.22 m and 0.5, 0.4, 0.3 kg, which are "
        "also those of the three-link example of ReDySim."
    )
    return Section("Figure 5: torques of the planar arm", (Figure(svg(made), "Cycloid from 0 to pi in 10 s. " + note), row_table(rows))), rows


def _figure6() -> tuple[Section, list[Row]]:
    r = planar3()
    times = sorted({*np.linspace(0, 3, 301).round(6).tolist(), *FIG6})
    runs = {m: r.simulate(np.zeros(3), np.zeros(3), duration=3.0, method=m, t_eval=times, **TIGHT) for m in PAIRS}
    run = runs["verner"]
    rows = _against(FIG6, runs, "fig. 6", "free fall, angles")
    first = float(run.q[5, 0])
    verdict = "equal" if first < 0 else "differs because of an error in the sign"
    what = "theta_1 at first grows in the negative direction"
    rows.append(Row(NAME, "sec. 6.1", what, "negative", f"{first:.4f} rad", float(first >= 0), verdict, True, PRINTED))
    energy = r.kinetic_energy(run.q, run.qd) + r.potential_energy(run.q)
    drift = float(np.max(np.abs(energy - energy[0])) / np.max(r.kinetic_energy(run.q, run.qd)))
    rows.append(not_stated(NAME, "fig. 6", "largest change of energy, relative to the largest kinetic energy", f"{drift:.1e}"))
    made = plot_series(run.t, run.q, ("θ₁", "θ₂", "θ₃"), "angle (rad)", title="Figure 6: free fall of the planar arm")
    points(made, {at: values for at, values in FIG6.items() if at <= 3.0})
    note = (
        f"From rest at theta = 0; circles: an independent computation. {INTEGRATED} The paper does not give the time span; the motion is chaotic: "
        "with tolerances of 1e-12 our integrators are within 1e-5 rad of each other for 6 s, and part after some 9 s."
    )
    return Section("Figure 6: free fall of the planar arm", (Figure(svg(made), note), row_table(rows))), rows


def _against(reference: dict[float, Any], runs: dict[str, Any], place: str, what: str) -> list[Row]:
    """Both pairs against an independent computation: one row a time for the first, one row for all times for the other."""
    shown = "figure only; reference values"
    at = {t: int(np.argmin(np.abs(runs["verner"].t - t))) for t in reference}
    rows = [compared(NAME, place, f"{what} at t = {t:g} s, by verner", reference[t], runs["verner"].q[k], 1e-9, shown=shown) for t, k in at.items()]
    others = runs["cash-karp"].q[list(at.values())]
    return [*rows, compared(NAME, place, f"{what} at all these times, by cash-karp", list(reference.values()), others, 1e-9, shown=shown)]


def _readings() -> dict[str, tuple[Robot, float]]:
    text, flipped = stanford("text"), stanford("flipped")
    return {
        "text, to 60 deg": (text, 60.0), "text, to 150 deg": (text, 150.0), "r₄ flipped, to 60 deg": (flipped, 60.0),
        "g along +Z": (text.with_gravity((0, 0, 9.81)), 60.0), "no gravity": (text.with_gravity((0, 0, 0)), 60.0),
    }  # fmt: skip


def stanford_motion(t: Array, end2: float) -> tuple[Array, Array, Array]:
    """The Stanford arm's cycloid: all joints to 60 deg (joint 2 from 90 deg to ``end2``), the slide to 0.1 m."""
    sixty = math.radians(60)
    return cycloid(t, np.array([0, math.pi / 2, 0, 0, 0, 0]), np.array([sixty, math.radians(end2), 0.1, sixty, sixty, sixty]))


def _figure8() -> tuple[Section, list[Row]]:
    t = np.linspace(0, T, 401)
    readings = _readings()
    torques = {name: r.inverse_dynamics(*stanford_motion(t, end), method="denoc") for name, (r, end) in readings.items()}
    made, axes = figure(9.2, 5.4, 2, 3)
    with style():
        for k, ax in enumerate(axes.ravel()):
            plot_series(t, np.stack([y[:, k] for y in torques.values()], axis=1), list(torques), "force (N)" if k == 2 else "torque (N m)", axes=ax)
            ax.get_legend().remove()
            ax.set_title(f"({'abcdef'[k]}) joint {k + 1}", loc="left")
        made.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5, handlelength=2.8)
    rows = []
    tables = (("text, to 60 deg", TEXT60), ("text, to 150 deg", TEXT150), ("r₄ flipped, to 60 deg", FLIPPED60))
    for name, table in tables:
        r, end = readings[name]
        for at, reference in table.items():
            ours = r.inverse_dynamics(*stanford_motion(at, end), method="denoc")[0]
            count = len(reference)
            rows.append(
                compared(NAME, "fig. 8", f"{name}: torques at t = {at:g} s", reference, ours[:count], 1e-12, shown="figure only; reference values")
            )
            wrist = [abs(a - b) for a, b in zip(reference[3:], ours[3:], strict=False)]
            if wrist and max(map(abs, reference[3:])) > 0:
                rows.append(
                    compared(NAME, "fig. 8", f"{name}: wrist at t = {at:g} s", reference[3:], ours[3:], 1e-9, shown="figure only; reference values")
                )
    rows.append(not_stated(NAME, "fig. 8", "direction of gravity", "along -Z_1", "not given; all readings are drawn"))
    rows.append(not_stated(NAME, "table 3", "sign of r_4", "as printed", "as printed C_4 lies beyond the wrist; both are drawn"))
    note = (
        "All readings that the text allows. The direction of gravity shows in joints 2 and 3 alone, the sign of r_4 in joints 1 and 2, and where "
        "joint 2 ends in all six."
    )
    return Section("Figure 8: torques and force of the Stanford arm", (Figure(svg(made), note), row_table(rows))), rows


def _figure9() -> tuple[Section, list[Row]]:
    start = np.array([0, math.pi / 2, 0, 0, 0, 0])
    times = sorted({*np.linspace(0, 1.5, 151).round(6).tolist(), *FIG9})
    options: dict[str, Any] = {"duration": 1.5, "t_eval": times, **TIGHT}
    runs = {m: stanford().simulate(start, np.zeros(6), method=m, **options) for m in PAIRS}
    down = runs["verner"]
    up = stanford().with_gravity((0, 0, 9.81)).simulate(start, np.zeros(6), method="verner", **options)
    rows = _against(FIG9, runs, "fig. 9", "free fall, g along -Z: state")
    mirrored = down.q[-1] * np.array([1, -1, 1, -1, -1, -1]) + np.array([0, math.pi, 0, 0, 0, 0])
    rows.append(compared(NAME, "fig. 9", "g along +Z: the mirror image at 1.5 s", mirrored, up.q[-1], 1e-9, shown="follows from symmetry"))
    ends = [(math.degrees(run.q[-1, 1]), run.q[-1, 2]) for run in (down, up)]
    ours = f"joint 2 at {ends[0][0]:.0f} deg, b_3 = {ends[0][1]:.1f} m (g along -Z_1); {ends[1][0]:.0f} deg, {ends[1][1]:.1f} m (+Z_1); at 1.5 s"
    because = "that fits gravity along +Z_1; along -Z_1 joint 2 falls towards 0 and the slide runs away all the same"
    rows.append(differs(NAME, "sec. 6.2", "when joint 3 runs away", "joint 2 beyond 90 deg", ours, because, ends[0][0] / 90 - 1))
    made, axes = figure(9.2, 5.0, 2, 3)
    with style():
        for k, ax in enumerate(axes.ravel()):
            y = np.stack([down.q[:, k], up.q[:, k]], axis=1)
            plot_series(down.t, y, ("g along -Z", "g along +Z"), "displacement (m)" if k == 2 else "angle (rad)", axes=ax)
            ax.get_legend().remove()
            ax.set_title(f"({'abcdef'[k]}) joint {k + 1}", loc="left")
        made.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    note = f"From rest at theta_2 = 90 deg. {INTEGRATED} The slide has no end stop, so b_3 grows without bound."
    return Section("Figure 9: free fall of the Stanford arm", (Figure(svg(made), note), row_table(rows))), rows


def _stanford_state() -> list[Row]:
    """Numbers of one state, through the public methods."""
    r = stanford()
    q, qd, qdd = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2), (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (-0.4, 0.5, 0.2, -0.1, 0.3, 0.7)
    tau = [-0.420506010130534, 15.8380247885877, -20.8880421467516, 0.00173657390430571, 0.000399729331819987, 0.000613136342245067]
    tipped = [-1.60507684666315, 16.1004250988135, -19.3528866913964, 0.123699761779514, 0.132479000133875, -0.0840116849110897]
    fall = [-0.400981815851252, -11.3861121043909, 4.11616399214889, 36.4873156202039, -15.8841388915288, -21.7865382329411]
    shown = "reference values"
    last = r.link_names[-1]
    turn = r.forward_kinematics(q, last)[:3, :3].T
    wrench = np.concatenate([turn @ np.array([0.1, -0.2, 0.3]), turn @ np.array([2, -1, 0.5])])
    falls = r.forward_dynamics(q, qd, (1, -2, 3, 0.1, -0.05, 0.02), method="denoc")
    torques = r.inverse_dynamics(q, qd, qdd, method="denoc")
    with_wrench = r.inverse_dynamics(q, qd, qdd, {last: wrench}, "denoc")
    return [
        compared(NAME, "sec. 5.1, RIDIM", "Stanford arm, one state: torques", tau, torques, 1e-13, shown=shown),
        compared(NAME, "sec. 5.1, RIDIM", "the same with a wrench on the tool", tipped, with_wrench, 1e-12, shown=shown),
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
        compared(NAME, "eqs. (16), (17)", "t = N_l N_d qd: how the last link turns", turning, c.t()[-6:-3], 1e-13, shown="Jacobian"),
        compared(NAME, "eqs. (14), (17)", "N_l^-1 has the -B_i,i-1 below its diagonal and no more", blocks, below, 1e-13, shown="block bidiagonal"),
        compared(NAME, "after eq. (20)", "I = N^T M N", M, c.I, 1e-13, shown="composite bodies", kind=AGREE),
        compared(NAME, "eq. (24)", "i_ij = p_i^T Mt_i B_ij p_j", M, r.mass_matrix(q, method="denoc"), 1e-13, shown="composite bodies", kind=AGREE),
        compared(NAME, "eqs. (25)-(29)", "elements of C = N^T (M dN/dt + W N)", c.C, r.coriolis_matrix(q, qd, method="denoc"), 1e-12, shown="dense",
                 kind=AGREE),
        compared(NAME, "eq. (30)", "generalized forces N^T w of a wrench on the tool", felt, c.N.T @ w, 1e-12, shown="what the drives feel"),
    ]  # fmt: skip


def _errata() -> tuple[Section, list[Row]]:
    because = "step 1 needs a value that is not there yet; T-RA (17) has the right index"
    rows = [
        *errata_rows(NAME),
        label(NAME, "eq. (35)", "index in step 1", "psi_i+1 that_i-1", "psi_i+1 that_i+1", because),
        label(
            NAME, "eq. (50)", "Mh_kk", "Mh_k - Jh_k Psi_k^T", "Mh_k - psih_k psi_k^T", "Jh is not defined; the same matrix is right in IJRR (49)-(51)"
        ),
        label(NAME, "after eq. (50)", "the letter Psi", "one letter", "two objects", "the projector 1 - psi p^T and the sum of (49) share it"),
        label(NAME, "eq. (1)", "wrench", "n_i", "w_i", "the text calls it w_i from then on"),
        label(NAME, "eq. (17)", "lower factor", "N_i", "N_l", "an l was read as i"),
        label(NAME, "sec. 5.1, item 1", "constants of a prismatic pair", "a_i, b_i, theta_i", "a_i, alpha_i, theta_i", "b_i is its variable"),
        label(NAME, "sec. 5.2", "size of phi", "six-dimensional", "n-dimensional", "it has one element a joint"),
        label(NAME, "table 2", "heading of the last column", "lost", "n = 12", "its numbers follow from the formulas at n = 12 (rows of table 2)"),
        label(NAME, "app. A, rule 2", "origin O_i of intersecting axes", "O_i-1", "their intersection", "O_i-1 is the remedy for parallel axes"),
    ]
    return Section("Errata", ("Each formula as it can be read and as it must be, both computed on a random arm.", row_table(rows))), rows


def paper() -> Paper:
    """Rows and sections."""
    sections, rows = _tables()
    table3 = _table3() + _stanford_state()
    printed = tuple((k + 1, *("variable" if x is None else str(x) for x in row)) for k, row in enumerate(TABLE3))
    shown = Table("Table 3 as printed", ("link", "a (m)", "b (m)", "alpha (deg)", "m (kg)", "r (m)", "Ixx, Iyy, Izz (kg m^2)"), printed)
    sections.append(Section("Table 3: the Stanford arm", (shown, row_table(table3))))
    rows += table3
    denoc = _denoc()
    sections.append(Section("DeNOC: the matrices and their elements", ("A random chain R P R R P.", row_table(denoc))))
    rows += denoc
    for made in (special(NAME), _figure5(), _figure6(), _figure8(), _figure9(), _errata()):
        sections.append(made[0])
        rows += made[1]
    title = "Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices"
    return Paper(NAME, title, "S. K. Saha, ASME Journal of Applied Mechanics 66(4), 986-996, 1999", tuple(sections), tuple(rows))
