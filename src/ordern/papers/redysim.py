"""ReDySim's KUKA KR5: the torques that its authors publish with the program, recomputed from the robot's table.

ReDySim [SSD13] carries the algorithms of the papers on. The public copy of its fixed-base module
(venu1807/ReDySim-Graphical-User-Interface on GitHub, folder InvDyn, files "KUKA Robot/default_input/matfiles.m" and
tor.dat) names no licence: only numbers are quoted here, none of its code. All six joints go from 0 to 60 degrees within
T = 1 s along the cycloid of the papers, under gravity (0, 0, -9.81).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..report.html_report import Figure, Section
from ..report.plots import COLORS, figure, svg
from ..robot import Robot
from .rows import PRINTED, Paper, Row, printed, row_table, say

__all__ = ["KR5", "NAME", "TIMES", "TORQUES", "kr5", "paper", "torques"]

NAME = "redysim"

KR5, TORQUES = (printed(NAME)[key] for key in ("links", "torques"))
TIMES = tuple(k / 10 for k in range(11))  # s


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
