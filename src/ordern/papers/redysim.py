"""ReDySim's KUKA KR5: the torques that its authors publish with the program, computed anew from the robot's table.

ReDySim [SSD13] carries the algorithms of the papers on. The public copy of its fixed-base module
(venu1807/ReDySim-Graphical-User-Interface on GitHub, folder InvDyn, files "KUKA Robot/default_input/matfiles.m" and
tor.dat) names no licence: only numbers are quoted here, none of its code. All six joints go from 0 to 60 degrees within
T = 1 s along the cycloid of the papers, under gravity (0, 0,
-9.81).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..report.html_report import Figure, Section
from ..report.plots import COLORS, figure, svg
from ..robot import Robot
from .rows import PRINTED, Paper, Row, row_table, say

__all__ = ["KR5", "NAME", "TIMES", "TORQUES", "kr5", "paper", "torques"]

NAME = "redysim"

# a (m), alpha (rad), b (m), m (kg), mass centre x y z (m), Ixx Iyy Izz about it (kg m^2), all in the link's own frame
# ("proximal")
RIGHT = 1.5707963267948966
KR5 = (
    (0.0, 0.0, 0.4, 16.038, 0.104667, 0.005077, 0.059035, 0.176938765, 0.266532371, 0.262222375),
    (0.18, RIGHT, 0.0, 7.988, 0.267012, 0.0, 0.0, 0.271640468, 0.276878849, 0.021894253),
    (0.6, 0.0, 0.0, 12.973, 0.087677, -0.034263, 0.007779, 0.388988085, 0.376583684, 0.10414629),
    (0.12, RIGHT, 0.62, 2.051, -3.3e-05, 0.007634, -0.109372, 0.004767354, 0.010122217, 0.01210886),
    (0.0, -RIGHT, 0.0, 0.811, 0.0, 0.032618, -0.009789, 0.000760688, 0.001783961, 0.001801078),
    (0.0, RIGHT, 0.0, 0.008, 0.0, 0.0, 0.111885, 3.113e-06, 1.512e-06, 1.652e-06),
)
TIMES = tuple(k / 10 for k in range(11))  # s
TORQUES = (  # N m, as printed in tor.dat: seven digits
    (2.145702e-30, 1.287117e02, 1.453612e01, -8.131290e-20, 0.000000e00, 0.000000e00),
    (5.766651e01, 1.721875e02, 2.654712e01, -2.620011e-02, -9.388497e-02, 6.387086e-06),
    (9.760224e01, 2.022538e02, 3.442911e01, -2.754406e-02, -1.614993e-01, 1.013864e-05),
    (1.028643e02, 2.108582e02, 3.514403e01, 5.445071e-02, -1.769532e-01, 8.578418e-06),
    (5.194507e01, 1.944360e02, 2.982842e01, 2.080318e-01, -1.987628e-01, 5.123199e-06),
    (-3.953028e01, 1.503598e02, 2.146336e01, 1.967606e-01, -3.236363e-01, 6.465742e-06),
    (-9.778980e01, 8.308764e01, 9.267703e00, -4.844948e-02, -3.671333e-01, -9.064248e-06),
    (-9.020732e01, 2.075298e01, -4.307007e00, -2.571451e-01, -1.774353e-01, -3.260645e-05),
    (-5.729841e01, -3.112218e00, -1.018305e01, -2.764862e-01, 2.391121e-02, -3.702869e-05),
    (-2.797036e01, 1.826209e01, -4.119653e00, -1.226375e-01, 8.325346e-02, -2.315855e-05),
    (-1.315437e-14, 6.678584e01, 9.698057e00, 1.305619e-01, 5.428358e-02, -9.650890e-21),
)


def kr5() -> Robot:
    """The robot of the table."""
    rows = [
        {"a": a, "alpha": alpha, "d": b, "mass": m, "com": (x, y, z), "inertia": (xx, yy, zz, 0, 0, 0)}
        for a, alpha, b, m, x, y, z, xx, yy, zz in KR5
    ]
    return Robot.from_dh(rows, "proximal", gravity=(0, 0, -9.81))


def torques(robot: Robot, t: object) -> Any:
    """(T, 6), N m: all joints from 0 to 60 degrees within 1 s along the cycloid."""
    t, reach, w = np.asarray(t, float)[:, None] + np.zeros(6), np.pi / 3, 2 * np.pi
    return robot.inverse_dynamics(
        reach * (t - np.sin(w * t) / w), reach * (1 - np.cos(w * t)), reach * w * np.sin(w * t)
    )


def paper() -> Paper:
    """Rows and sections."""
    robot, published = kr5(), np.array(TORQUES)
    ours, rows = torques(robot, TIMES), []
    for k in range(6):
        shown = np.abs(published[:, k]) > 1e-12  # below is what rounding left of zeros
        last = 10 ** (np.floor(np.log10(np.abs(published[shown, k]))) - 6)  # one unit of the seventh digit
        off = float(np.max(np.abs(ours[shown, k] - published[shown, k]) / last))
        gap = float(np.max(np.abs(ours[:, k] - published[:, k])) / np.max(np.abs(published[:, k])))
        verdict = (
            "equal"
            if off <= 0.51 and np.all(np.abs(ours[~shown, k]) < 1e-12)
            else "differs because of an error in the torques"
        )
        what = (
            f"KUKA KR5, torque of joint {k + 1} at 11 times: largest, and off by {off:.2f} units of the seventh "
            "digit at most"
        )
        rows.append(
            Row(
                NAME,
                "InvDyn, tor.dat",
                what,
                say(np.abs(published[:, k]).max(), 7),
                say(np.abs(ours[:, k]).max(), 7),
                gap,
                verdict,
                True,
                PRINTED,
            )
        )
    made, axes = figure(7.0, 4.6, 3, 2, sharex=True)
    t = np.linspace(0, 1, 201)
    curves = torques(robot, t)
    for k, plot in enumerate(axes.flat):
        plot.plot(t, curves[:, k], color=COLORS[0])
        plot.plot(TIMES, published[:, k], "o", ms=4, mfc="none", color=COLORS[1])
        plot.set_title(f"joint {k + 1}", fontsize=9)
    for plot in axes[-1]:
        plot.set_xlabel("t (s)")
    axes[1][0].set_ylabel("torque (N m)")
    text = (
        "ReDySim, by S. V. Shah, S. K. Saha and J. K. Dutt, carries the algorithms of the papers on. Its fixed-base "
        "module comes with a KUKA KR5 and the torques computed for it, printed with seven digits; all six joints turn "
        "from 0 to 60 degrees within 1 s. The public copy names no licence, so its numbers are quoted and none of its "
        "code."
    )
    note = (
        "Curves: computed here from the table. Circles: ReDySim's own numbers, every tenth of a second (printed, so "
        "without a reading error)."
    )
    section = Section("Torques of the KUKA KR5", (text, Figure(svg(made), note), row_table(rows)))
    citation = (
        "S. V. Shah, S. K. Saha, J. K. Dutt, Dynamics of Tree-Type Robotic Systems, Springer 2013, with the "
        "program ReDySim"
    )
    return Paper(NAME, "ReDySim: the program that followed the papers", citation, (section,), tuple(rows))
