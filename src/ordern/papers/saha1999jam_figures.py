"""Figures 5, 6, 8 and 9 of Saha 1999 (DeNOC): torques and free fall of the planar arm and of the Stanford arm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..report.html_report import Figure, Section
from ..report.plots import figure, plot_series, points, style, svg
from ..robot import Robot
from ..robot.builtin_robots import planar3, stanford
from ..scalars.primitives import Array
from .rows import (
    INDEPENDENT,
    PRINTED,
    Row,
    compared,
    differs,
    not_stated,
    printed,
    row_table,
)

__all__ = ["DATA", "NAME", "cycloid", "figure5", "figure6", "figure8", "figure9", "stanford_motion"]

NAME = "saha1999jam"
T = 10.0
DATA = printed(NAME)
FIG5, FIG6, FIG9, TEXT60, TEXT150, FLIPPED60 = (
    {float(t): values for t, values in DATA[key].items()}
    for key in ("fig5", "fig6", "fig9", "text60", "text150", "flipped60")
)
PAIRS = ("verner", "cash-karp")  # Runge-Kutta of orders 6 and 5, and of 5 and 4
TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-14, "dynamics": "denoc"}
INTEGRATED = (
    "The paper integrates by a Runge-Kutta method of fifth and sixth order after Press et al., whose book has Cash and "
    "Karp's pair of orders 5 "
    'and 4: simulate(method="verner"), a pair of orders 6 and 5, draws the curves, and method="cash-karp" is compared '
    "in the rows."
)


def cycloid(t: Array | float, start: Array, end: Array, duration: float = T) -> tuple[Array, Array, Array]:
    """q, qd, qdd of eq. (38) in its general form: from start to end, at rest at both."""
    x = np.atleast_1d(np.asarray(t, float))[:, None] / duration
    way = np.asarray(end, float) - np.asarray(start, float)
    w = 2 * np.pi
    return (
        start + way * (x - np.sin(w * x) / w),
        way / duration * (1 - np.cos(w * x)),
        way / duration**2 * w * np.sin(w * x),
    )


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
    f = np.sum(
        A * (np.cos(gap) * phidd[..., None, :] + np.sin(gap) * phid[..., None, :] ** 2), axis=-1
    ) + g * G * np.cos(phi)
    return np.cumsum(f[..., ::-1], axis=-1)[..., ::-1]


# --- figures ----------------------------------------------------------------------------------------------------------
def figure5() -> tuple[Section, list[Row]]:
    """Torques of the planar arm."""
    r = planar3()
    t = np.linspace(0, T, 401)
    q, qd, qdd = cycloid(t, np.zeros(3), np.full(3, np.pi))
    tau = r.inverse_dynamics(q, qd, qdd, method="denoc")
    rows = [compared(NAME, "fig. 5", "torques against the arm's explicit expressions, 401 times",
        explicit_torques(q, qd, qdd), tau, 1e-13,
                     shown="verified with explicit expressions", kind=INDEPENDENT)]  # fmt: skip
    for at, reference in FIG5.items():
        ours = r.inverse_dynamics(*cycloid(at, np.zeros(3), np.full(3, np.pi)), method="denoc")[0]
        rows.append(
            compared(
                NAME,
                "fig. 5",
                f"torques at t = {at:g} s",
                reference,
                ours,
                1e-12,
                shown="figure only; reference values",
            )
        )
    x = np.pi / 5 * t
    rows.append(
        compared(
            NAME,
            "eq. (38)",
            "the cycloid from 0 to pi",
            0.5 * (x - np.sin(x)),
            q[:, 0],
            1e-14,
            shown="(2 pi t/T - sin(2 pi t/T))/2",
            kind=PRINTED,
        )
    )
    made = plot_series(t, tau, ("τ₁", "τ₂", "τ₃"), "torque (N m)", title="Figure 5: torques of the planar arm")
    points(made, FIG5)
    note = (
        "Circles: an independent computation. Link lengths and masses are not printed; assumed: 0.3, 0.25, 0.22 m and "
        "0.5, 0.4, 0.3 kg, which are also those of the three-link example of ReDySim."
    )
    return Section(
        "Figure 5: torques of the planar arm",
        (Figure(svg(made), "Cycloid from 0 to pi in 10 s. " + note), row_table(rows)),
    ), rows


def figure6() -> tuple[Section, list[Row]]:
    """Free fall of the planar arm."""
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
    rows.append(
        not_stated(NAME, "fig. 6", "largest change of energy, relative to the largest kinetic energy", f"{drift:.1e}")
    )
    made = plot_series(run.t, run.q, ("θ₁", "θ₂", "θ₃"), "angle (rad)", title="Figure 6: free fall of the planar arm")
    points(made, {at: values for at, values in FIG6.items() if at <= 3.0})
    note = (
        f"From rest at theta = 0; circles: an independent computation. {INTEGRATED} The paper does not give the time "
        "span; the motion is chaotic: with tolerances of 1e-12 our integrators are within 1e-5 rad of each other for "
        "6 s, and part after some 9 s."
    )
    return Section("Figure 6: free fall of the planar arm", (Figure(svg(made), note), row_table(rows))), rows


def _against(reference: dict[float, Any], runs: dict[str, Any], place: str, what: str) -> list[Row]:
    """Both pairs against an independent computation: the first a row a time, the other one row."""
    shown = "figure only; reference values"
    at = {t: int(np.argmin(np.abs(runs["verner"].t - t))) for t in reference}
    rows = [
        compared(NAME, place, f"{what} at t = {t:g} s, by verner", reference[t], runs["verner"].q[k], 1e-9, shown=shown)
        for t, k in at.items()
    ]
    others = runs["cash-karp"].q[list(at.values())]
    return [
        *rows,
        compared(
            NAME, place, f"{what} at all these times, by cash-karp", list(reference.values()), others, 1e-9, shown=shown
        ),
    ]


def _readings() -> dict[str, tuple[Robot, float]]:
    text, flipped = stanford("text"), stanford("flipped")
    return {
        "text, to 60 deg": (text, 60.0), "text, to 150 deg": (text, 150.0), "r₄ flipped, to 60 deg": (flipped, 60.0),
        "g along +Z": (text.with_gravity((0, 0, 9.81)), 60.0), "no gravity": (text.with_gravity((0, 0, 0)), 60.0),
    }  # fmt: skip


def stanford_motion(t: Array | float, end2: float) -> tuple[Array, Array, Array]:
    """The Stanford arm's cycloid: all joints to 60 deg (joint 2 from 90 deg to ``end2``), the slide to 0.1 m."""
    sixty = math.radians(60)
    return cycloid(
        t, np.array([0, math.pi / 2, 0, 0, 0, 0]), np.array([sixty, math.radians(end2), 0.1, sixty, sixty, sixty])
    )


def figure8() -> tuple[Section, list[Row]]:
    """Torques and force of the Stanford arm, for all readings of the text."""
    t = np.linspace(0, T, 401)
    readings = _readings()
    torques = {
        name: r.inverse_dynamics(*stanford_motion(t, end), method="denoc") for name, (r, end) in readings.items()
    }
    made, axes = figure(9.2, 5.4, 2, 3)
    with style():
        for k, ax in enumerate(axes.ravel()):
            plot_series(
                t,
                np.stack([y[:, k] for y in torques.values()], axis=1),
                list(torques),
                "force (N)" if k == 2 else "torque (N m)",
                axes=ax,
            )
            ax.get_legend().remove()
            ax.set_title(f"({'abcdef'[k]}) joint {k + 1}", loc="left")
        made.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5, handlelength=2.8)
    rows, shown = [], "figure only; reference values"
    tables = (("text, to 60 deg", TEXT60), ("text, to 150 deg", TEXT150), ("r₄ flipped, to 60 deg", FLIPPED60))
    for name, table in tables:
        r, end = readings[name]
        for at, reference in table.items():
            ours = r.inverse_dynamics(*stanford_motion(at, end), method="denoc")[0]
            count = len(reference)
            what = f"{name}: torques at t = {at:g} s"
            rows.append(compared(NAME, "fig. 8", what, reference, ours[:count], 1e-12, shown=shown))
            wrist = [abs(a - b) for a, b in zip(reference[3:], ours[3:], strict=False)]
            if wrist and max(map(abs, reference[3:])) > 0:
                what = f"{name}: wrist at t = {at:g} s"
                rows.append(compared(NAME, "fig. 8", what, reference[3:], ours[3:], 1e-9, shown=shown))
    rows.append(not_stated(NAME, "fig. 8", "direction of gravity", "along -Z_1", "not given; all readings are drawn"))
    rows.append(
        not_stated(NAME, "table 3", "sign of r_4", "as printed", "as printed C_4 lies beyond the wrist; both are drawn")
    )
    note = (
        "The text as read, and every reading that it leaves open, one at a time. The direction of gravity shows in "
        "joints 2 and 3 alone, the sign of r_4 in joints 1 and 2 (in joint 3 by less than a tenth of a per cent), and "
        "where joint 2 ends in all six."
    )
    return Section("Figure 8: torques and force of the Stanford arm", (Figure(svg(made), note), row_table(rows))), rows


def figure9() -> tuple[Section, list[Row]]:
    """Free fall of the Stanford arm."""
    start = np.array([0, math.pi / 2, 0, 0, 0, 0])
    times = sorted({*np.linspace(0, 1.5, 151).round(6).tolist(), *FIG9})
    options: dict[str, Any] = {"duration": 1.5, "t_eval": times, **TIGHT}
    runs = {m: stanford().simulate(start, np.zeros(6), method=m, **options) for m in PAIRS}
    down = runs["verner"]
    up = stanford().with_gravity((0, 0, 9.81)).simulate(start, np.zeros(6), method="verner", **options)
    rows = _against(FIG9, runs, "fig. 9", "free fall, g along -Z: state")
    mirrored = down.q[-1] * np.array([1, -1, 1, -1, -1, -1]) + np.array([0, math.pi, 0, 0, 0, 0])
    rows.append(
        compared(
            NAME,
            "fig. 9",
            "g along +Z: the mirror image at 1.5 s",
            mirrored,
            up.q[-1],
            1e-9,
            shown="follows from symmetry",
        )
    )
    ends = [(math.degrees(run.q[-1, 1]), run.q[-1, 2]) for run in (down, up)]
    ours = (
        f"joint 2 at {ends[0][0]:.0f} deg, b_3 = {ends[0][1]:.1f} m (g along -Z_1); {ends[1][0]:.0f} deg, "
        f"{ends[1][1]:.1f} m (+Z_1); at 1.5 s"
    )
    because = "that fits gravity along +Z_1; along -Z_1 joint 2 falls towards 0 and the slide runs away all the same"
    rows.append(
        differs(NAME, "sec. 6.2", "when joint 3 runs away", "joint 2 beyond 90 deg", ours, because, ends[0][0] / 90 - 1)
    )
    made, axes = figure(9.2, 5.0, 2, 3)
    with style():
        for k, ax in enumerate(axes.ravel()):
            y = np.stack([down.q[:, k], up.q[:, k]], axis=1)
            plot_series(
                down.t, y, ("g along -Z", "g along +Z"), "displacement (m)" if k == 2 else "angle (rad)", axes=ax
            )
            ax.get_legend().remove()
            ax.set_title(f"({'abcdef'[k]}) joint {k + 1}", loc="left")
        made.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    note = f"From rest at theta_2 = 90 deg. {INTEGRATED} The slide has no end stop, so b_3 grows without bound."
    return Section("Figure 9: free fall of the Stanford arm", (Figure(svg(made), note), row_table(rows))), rows
