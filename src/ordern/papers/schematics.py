"""The papers' schematic figures, redrawn: chains, free bodies, frames, articulated bodies, arms."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..report.html_report import Figure
from ..report.plots import COLORS, figure, svg
from ..robot import Robot

__all__ = [
    "arm_drawing",
    "articulated",
    "coupled_links",
    "dh_frames",
    "drawings",
    "flow_chart",
    "free_body",
    "point_masses",
    "serial_chain",
]

INK, SOFT = "#222222", "#888888"


def _sheet(width: float, height: float, low: tuple[float, float], high: tuple[float, float]) -> tuple[Any, Any]:
    made, axes = figure(width, height)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    return made, axes


def _arrow(
    axes: Any,
    start: Any,
    end: Any,
    text: str = "",
    color: str = INK,
    shift: tuple[float, float] = (0.0, 0.0),
    width: float = 1.4,
) -> None:
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "-|>", "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0},
    )
    if text:
        middle = (np.asarray(start, float) + np.asarray(end, float)) / 2 + shift
        axes.text(*middle, text, color=color, fontsize=10, ha="center", va="center")


def _link(axes: Any, a: object, b: object, fill: str = "#e8eef5", wide: float = 0.22) -> None:
    """A link as a capsule between two joints."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    u = (b - a) / np.linalg.norm(b - a)
    turn = np.arctan2(u[1], u[0])
    round_b, round_a = (
        np.linspace(turn - np.pi / 2, turn + np.pi / 2, 20),
        np.linspace(turn + np.pi / 2, turn + 3 * np.pi / 2, 20),
    )
    outline = np.concatenate(
        [
            b + wide * np.stack([np.cos(round_b), np.sin(round_b)], 1),
            a + wide * np.stack([np.cos(round_a), np.sin(round_a)], 1),
        ]
    )
    axes.fill(*outline.T, facecolor=fill, edgecolor=INK, lw=1.1, zorder=2)


def _joint(axes: Any, at: Any, text: str = "") -> None:
    axes.plot(*at, "o", ms=8, mfc="white", mec=INK, mew=1.4, zorder=4)
    if text:
        axes.text(at[0], at[1] - 0.45, text, ha="center", fontsize=9, zorder=5)


def _ground(axes: Any, x: float, y: float) -> None:
    axes.plot([x - 0.5, x + 0.5], [y, y], color=INK, lw=1.6)
    for k in range(6):
        axes.plot([x - 0.5 + 0.2 * k, x - 0.65 + 0.2 * k], [y, y - 0.15], color=INK, lw=0.8)


CHAIN = np.array([[0.0, 0.0], [1.3, 1.2], [3.0, 1.5], [4.6, 0.9], [6.2, 1.5], [7.7, 1.1]])


def serial_chain() -> Figure:
    """Links 1 to n on a fixed base, with the composite body of link i."""
    made, axes = _sheet(7.0, 2.9, (-1.0, -1.0), (9.0, 2.9))
    _ground(axes, 0.0, -0.3)
    axes.plot([0, 0], [-0.3, 0], color=INK, lw=3)
    names = ["#1", "#2", "#i", "#i+1", "#n"]
    for k, (a, b) in enumerate(pairwise(CHAIN)):
        _link(axes, a, b, "#e8eef5" if k < 2 else "#fdf1e3")
        axes.text(*((a + b) / 2), names[k], ha="center", va="center", fontsize=9, zorder=5)
    for k, at in enumerate(CHAIN[:-1]):
        _joint(axes, at, ("", "2", "i", "i+1", "n")[k])
    axes.text(-0.35, 0.05, "1", ha="center", fontsize=9)  # beside it: the base is below
    t = np.linspace(0, 2 * np.pi, 200)
    axes.plot(5.4 + 2.75 * np.cos(t), 1.2 + 1.05 * np.sin(t), ls=(0, (4, 3)), color=COLORS[1], lw=1.4)
    axes.text(5.4, 2.45, "composite body i: joints i+1 to n locked", color=COLORS[1], ha="center", fontsize=9)
    axes.text(-0.55, -0.85, "#0, the base", fontsize=9)
    return Figure(
        svg(made),
        "Saha 1999 (DeNOC), figure 1; Saha 1999 (inverse), figure 1; Saha 1997, "
        "figure 1: a chain of n links, drawn by us.",
    )


def free_body() -> Figure:
    """Twist and wrench of one link about its mass centre."""
    made, axes = _sheet(5.2, 3.0, (-2.6, -1.6), (3.6, 2.2))
    t = np.linspace(0, 2 * np.pi, 200)
    axes.fill(
        1.7 * np.cos(t) + 0.25 * np.cos(3 * t),
        0.95 * np.sin(t) + 0.12 * np.sin(2 * t),
        facecolor="#e8eef5",
        edgecolor=INK,
        lw=1.2,
    )
    axes.plot(0, 0, "o", ms=6, color=INK)
    axes.text(-0.3, -0.3, "$C_i$", fontsize=11)
    _arrow(axes, (0, 0), (1.9, 1.3), "$v_i$", COLORS[0], (0.1, 0.3))
    _arrow(axes, (0, 0), (0.1, 1.9), "$\\omega_i$", COLORS[2], (-0.3, 0.45))
    _arrow(axes, (0, 0), (2.9, -0.6), "$f_i$", COLORS[1], (0.7, 0.2))
    _arrow(axes, (0, 0), (-1.9, 1.2), "$n_i$", COLORS[3], (-0.75, 0.8))
    axes.text(0.15, -0.65, "#i: $m_i$, $I_i$", fontsize=10)
    return Figure(
        svg(made),
        "Saha 1999 (DeNOC), figure 2: the free body of link i, its twist and the wrench on it about C_i; drawn by us.",
    )


def coupled_links() -> Figure:
    """Two links with the vectors of B_ij and p_i."""
    made, axes = _sheet(6.2, 3.2, (-0.8, -1.2), (7.2, 2.9))
    a, b, c = np.array([0.0, 0.0]), np.array([3.2, 1.4]), np.array([6.3, 0.4])
    _link(axes, a, b, wide=0.35)
    _link(axes, b, c, "#fdf1e3", wide=0.35)
    first, second = (a + b) / 2, (b + c) / 2
    for at, name in ((first, "$C_j$"), (second, "$C_i$")):
        axes.plot(*at, "o", ms=6, color=INK, zorder=5)
        axes.text(at[0] - 0.1, at[1] - 0.75, name, fontsize=11, zorder=6)
    _joint(axes, a)
    _joint(axes, b)
    axes.text(b[0] - 0.1, b[1] + 0.5, "$O_i$", fontsize=11)
    _arrow(axes, first, b, "$r_j$", COLORS[0], (-0.25, 0.45))
    _arrow(axes, b, second, "$d_i$", COLORS[1], (0.3, 0.45))
    _arrow(axes, second, first, "$c_{ij}$", COLORS[2], (0.0, -0.35))
    _arrow(axes, b, b + np.array([0.0, 1.2]), "$e_i$", COLORS[3], (0.35, 0.35))
    axes.text(0.0, 0.55, "#j", fontsize=10)
    axes.text(5.6, 1.1, "#i", fontsize=10)
    return Figure(
        svg(made),
        "Saha 1999 (DeNOC), figure 3; Saha 1999 (inverse), figure 2; Saha 1997, "
        "figure 2: c_ij = -d_i - r_j; drawn by us.",
    )


def articulated() -> Figure:
    """What a force at link i feels: the joints behind it give way."""
    made, axes = _sheet(7.0, 2.6, (-1.0, -1.1), (9.6, 2.6))
    for shift, fill, text in (
        (0.0, "#fdf1e3", "composite body: rigid"),
        (5.2, "#e5f3ec", "articulated body: free joints"),
    ):
        points = CHAIN[2:5] * 0.9 + (shift - 2.4, -0.6)
        for k, (p, q) in enumerate(pairwise(points)):
            _link(axes, p, q, fill)
            if k and shift == 0.0:
                axes.plot(*p, "x", ms=9, color=INK, mew=2, zorder=5)
        for k, at in enumerate(points[:-1]):
            if k == 0 or shift:
                _joint(axes, at)
        _arrow(axes, points[0] + (-0.9, -0.5), points[0] + (-0.15, -0.1), "", COLORS[1], width=2.2)
        axes.text(points[1][0], -0.85, text, ha="center", fontsize=9)
        axes.text(points[0][0] - 0.2, 1.6, "$\\tilde M_i$" if shift == 0.0 else "$\\hat M_i$", fontsize=12)
    return Figure(
        svg(made),
        "Composite and articulated masses: the same links with joints locked and free (Saha 1999, appendix B); drawn "
        "by us.",
    )


def dh_frames() -> Figure:
    """The four numbers of a row."""
    made, axes = _sheet(6.4, 3.6, (-1.4, -1.3), (7.4, 3.9))
    o1, foot, o2 = np.array([0.0, 0.0]), np.array([0.0, 1.7]), np.array([4.2, 2.3])
    axes.plot([0, 0], [-0.9, 3.5], color=SOFT, lw=1, ls=(0, (8, 3, 2, 3)))
    z2 = np.array([0.45, 1.0]) / np.hypot(0.45, 1.0)
    axes.plot(*np.stack([o2 - 2.6 * z2, o2 + 1.5 * z2]).T, color=SOFT, lw=1, ls=(0, (8, 3, 2, 3)))
    _arrow(axes, o1, (0.0, 1.1), "$Z_i$", INK, (-0.4, 0.4))
    _arrow(axes, o1, (1.3, -0.35), "$X_i$", INK, (0.5, -0.3))
    _arrow(axes, o2, o2 + 1.2 * z2, "$Z_{i+1}$", INK, (-0.55, 0.3))
    _arrow(axes, o2, o2 + np.array([1.3, 0.19]), "$X_{i+1}$", INK, (0.75, -0.25))
    axes.plot(*np.stack([foot, o2]).T, color=COLORS[0], lw=2)
    axes.text(2.1, 2.35, "$a_i$", color=COLORS[0], fontsize=12)
    axes.plot(*np.stack([o1, foot]).T, color=COLORS[1], lw=2)
    axes.text(-0.45, 1.45, "$b_i$", color=COLORS[1], fontsize=12)
    t = np.linspace(0.0, 1.0, 40)
    # X_i, shifted along Z_i
    axes.plot(*np.stack([foot, foot + np.array([1.3, -0.35])]).T, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    start, end = np.arctan2(-0.35, 1.3), np.arctan2(0.6, 4.2)
    axes.plot(
        1.1 * np.cos(start + (end - start) * t),
        foot[1] + 1.1 * np.sin(start + (end - start) * t),
        color=COLORS[2],
        lw=1.6,
    )
    axes.text(1.35, 1.65, "$\\theta_i$", color=COLORS[2], fontsize=12)
    low, high = np.pi / 2, np.arctan2(z2[1], z2[0])
    axes.plot([o2[0], o2[0]], [o2[1], o2[1] + 1.1], color=SOFT, lw=0.8)
    axes.plot(
        o2[0] + 0.9 * np.cos(low + (high - low) * t),
        o2[1] + 0.9 * np.sin(low + (high - low) * t),
        color=COLORS[3],
        lw=1.6,
    )
    axes.text(o2[0] + 0.25, o2[1] + 1.15, "$\\alpha_i$", color=COLORS[3], fontsize=12)
    for at, name in ((o1, "$O_i$"), (o2, "$O_{i+1}$")):
        axes.plot(*at, "o", ms=6, color=INK)
        axes.text(at[0] - 0.6, at[1] - 0.4, name, fontsize=11)
    return Figure(
        svg(made),
        "Saha 1999 (DeNOC), figure 10: the Denavit-Hartenberg numbers of link i, frame i on link i - 1; drawn by us.",
    )


def point_masses() -> Figure:
    """The chain of Lee and Chirikjian."""
    made, axes = _sheet(6.0, 2.7, (-0.9, -0.7), (7.0, 2.6))
    points = np.array([[0.0, 0.0], [1.6, 0.9], [3.2, 0.7], [4.8, 1.6], [6.2, 1.2]])
    _ground(axes, 0.0, -0.15)
    axes.plot(*points.T, color=INK, lw=2)
    for k, at in enumerate(points[1:], 1):
        axes.plot(*at, "o", ms=11, color=COLORS[0], mec=INK)
        axes.text(at[0], at[1] + 0.3, f"$m_{k}$" if k < 4 else "$m_N$", ha="center", fontsize=10)
        middle = (points[k - 1] + at) / 2
        axes.text(middle[0], middle[1] - 0.35, f"$L_{k}$" if k < 4 else "$L_N$", ha="center", fontsize=10)
    u = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    axes.plot(*np.stack([points[1], points[1] + 1.0 * u]).T, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    t = np.linspace(np.arctan2(u[1], u[0]), np.arctan2(-0.2, 1.6), 30)
    axes.plot(points[1][0] + 0.8 * np.cos(t), points[1][1] + 0.8 * np.sin(t), color=COLORS[1], lw=1.5)
    axes.text(points[1][0] + 1.1, points[1][1] + 0.2, "$\\theta_2$", color=COLORS[1], fontsize=11)
    return Figure(
        svg(made), "Lee and Chirikjian, figure 1: N point masses, hard lengths L_i, soft angles theta_i; drawn by us."
    )


def joint_axes(robot: Robot, q: Any) -> tuple[Any, Any]:
    """Where the joints 1 to n are and their axes Z_i, as the papers have them, both (n, 3)."""
    poses, links = robot.forward_kinematics(q), robot.model.links
    first = [next(k for k, link in enumerate(links) if link.body == i) for i in range(1, len(robot.model.bodies))]
    frames = [np.asarray(poses[links[k].name]) @ np.linalg.inv(links[k].placement.matrix()) for k in first]
    return np.array([f[:3, 3] for f in frames]), np.array([f[:3, 2] for f in frames])


def arm_drawing(robot: Robot, q: Any, caption: str, path: object = None) -> Figure:
    """A robot as its joints and their axes, from its kinematics, seen from the side; with a path if there is one."""
    view = np.array([[0.85, -0.5, 0.0], [0.28, 0.42, 0.9]])  # the world's axes on the sheet
    origins, z = joint_axes(robot, q)
    tool = robot.forward_kinematics(q, robot.link_names[-1])[:3, 3]
    at = np.array([[0.0, 0.0, 0.0], *origins, tool]) @ view.T
    size = float(np.ptp(at, axis=0).max()) or 1.0
    made, axes = figure(5.4, 4.2)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.plot(*at.T, color=INK, lw=5, solid_capstyle="round", alpha=0.25)
    named: dict[tuple[float, ...], list[str]] = {}  # axes that look the same share a name
    for k, (p, axis) in enumerate(zip(at[1:-1], z, strict=True), 1):
        tip = p + 0.16 * size * (view @ axis)
        # arrows alone would not widen the sheet, and be cut off
        axes.plot(*np.stack([p, tip, p + 1.6 * (tip - p)]).T, alpha=0)
        axes.plot(*p, "o", ms=5, color=INK)
        _arrow(axes, p, tip, "", COLORS[k % len(COLORS)])
        named.setdefault(tuple(np.round(p + 1.5 * (tip - p), 3).tolist()), []).append(f"Z_{{{k}}}")
    for (x, y), names in named.items():
        axes.text(
            x,
            y,
            f"${','.join(names)}$",
            fontsize=9,
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    corner = at.min(axis=0) - 0.3 * size  # the world's axes stand beside the arm
    for k, name in enumerate("XYZ"):
        end = corner + 0.16 * size * view[:, k]
        axes.plot(*end, alpha=0)
        _arrow(axes, corner, end, "", SOFT)
        axes.text(*(end + 0.05 * size * view[:, k] + (0.03 * size, 0.0)), name, fontsize=9, color=SOFT)
    if path is not None:
        axes.plot(*(view @ np.asarray(path, float).T), color=COLORS[1], lw=2, ls=(0, (4, 2)))
    axes.margins(0.15)
    return Figure(svg(made), caption)


def flow_chart() -> Figure:
    """The check of Provenzano et al.: inverse problem first, then the direct one."""
    made, axes = _sheet(6.6, 2.4, (-0.2, -0.4), (13.4, 4.4))
    boxes = {
        (0.0, 3.0): "straight line\nr(t), constant v", (4.7, 3.0): "inverse kinematics\nq, q', q''",
        (9.4, 3.0): "inverse dynamics\nτ",
        (9.4, 0.2): "direct dynamics\nq''* = D(q*)^{-1}(τ - h)", (4.7, 0.2): "integration\nq'*, q*",
        (0.0, 0.2): "compare\nq* with q",
    }  # fmt: skip
    for (x, y), text in boxes.items():
        axes.add_patch(_box(x, y))
        axes.text(x + 1.75, y + 0.55, text.replace("^{-1}", "⁻¹"), ha="center", va="center", fontsize=8.5)
    for start, end in (((3.5, 3.55), (4.7, 3.55)), ((8.2, 3.55), (9.4, 3.55)), ((11.15, 3.0), (11.15, 1.3)),
        ((9.4, 0.75), (8.2, 0.75)),
                       ((4.7, 0.75), (3.5, 0.75))):  # fmt: skip
        _arrow(axes, start, end)
    return Figure(
        svg(made),
        "Provenzano et al., figure 2: how a simulation is checked against the motion it came from; drawn by us.",
    )


def _box(x: float, y: float) -> Any:
    from matplotlib.patches import FancyBboxPatch

    return FancyBboxPatch((x, y), 3.5, 1.1, boxstyle="round,pad=0.08", facecolor="#f3f5f8", edgecolor=INK, lw=1)


def drawings() -> tuple[Figure, ...]:
    """All drawings; arms in the states of the papers' figures, or plain ones where none is given."""
    from ..robot.builtin_robots import planar3, puma560, stanford
    from .provenzano_table2 import CHOSEN
    from .puma_line import line_motion

    axes = "arrows are the axes Z_i of its joints; drawn from the robot's own kinematics."
    q = line_motion(CHOSEN, 21)[1]
    reach = puma560().forward_kinematics(q, puma560().link_names[-1])[:, :3, 3]
    puma = "Provenzano et al., figure 1: the PUMA at the beginning of its straight line (dashed), "
    return (
        serial_chain(), free_body(), coupled_links(), articulated(), dh_frames(), point_masses(), flow_chart(),
        arm_drawing(planar3(), [0.5, 0.5, -0.7],
        "Saha 1999 (DeNOC), figure 4; Saha 1999 (inverse), figure 3: the planar arm, " + axes),
        arm_drawing(stanford(), [0.0, np.pi / 2, 0.2, 0.0, 0.3, 0.0],
        "Saha 1999 (DeNOC), figure 7: the Stanford arm, " + axes),
        arm_drawing(puma560(), q[0], puma + axes, reach),
    )  # fmt: skip
