"""Lee and Chirikjian, A new perspective on O(n) mass-matrix inversion for serial revolute manipulators, ICRA 2005.

Figure 2 (time against N), the bands of the four blocks of H, the determinant identity, and the reference chain in
numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..algorithms.registry import find
from ..errors import MethodError
from ..evaluate.denoc_matrices import NaturalComplement, natural_complement
from ..evaluate.fixman_matrices import log_determinant, planar_bands
from ..model import Mass
from ..report.html_report import Figure, Section
from ..report.plots import plot_bands, svg
from ..robot import Robot
from ..robot.builtin_robots import chain, planar
from ..runtime.numbers import numbers
from ..scalars.primitives import Array
from .errata_saha import wrenches
from .fixman_blocks import blocks, gradients, mass_matrix, schur
from .lee_figure2 import figure2
from .random_arms import arm_and_state, tree_arm
from .rows import (
    AGREE,
    PRINTED,
    Paper,
    Row,
    compared,
    differs,
    distance,
    errata_rows,
    label,
    not_stated,
    printed,
    row_table,
)

__all__ = ["NAME", "blocks", "gradients", "paper", "point_chain"]

NAME = "lee2005"
DATA = printed(NAME)
N5, N20 = DATA["chain5"], DATA["chain20"]
H_LL, H_PP = DATA["five"]["H_LL"], DATA["five"]["H_PP"]  # diagonal, and the elements beside it
BLOCKS = {"tt": "H_θθ", "tL": "H_θL", "Lt": "H_Lθ", "LL": "H_LL"}  # the blocks by our names and by the paper's


def point_chain(n: int) -> tuple[Robot, Array, Array, Array, Array, Array]:
    """The reference chain of n point masses: robot, lengths, masses, theta, thetad, tau."""
    i = np.arange(1, n + 1)
    L, m = 0.5 + 0.05 * np.cos(i), 1 + 0.1 * np.sin(2 * i)
    return (
        planar(n, L.tolist(), m.tolist(), "tips"),
        L,
        m,
        0.4 * np.sin(1.3 * i) + 0.1,
        0.2 * np.cos(0.7 * i),
        0.3 * np.cos(1.1 * i),
    )


# --- rows -------------------------------------------------------------------------------------------------------------
def _reference(n: int, values: dict[str, Any]) -> list[Row]:
    r, _, _, theta, thetad, tau = point_chain(n)
    still = r.with_gravity((0, 0, 0))
    rows = []
    methods = ("fixman-planar", "denoc", "articulated")
    for method in methods:
        ours = {
            "G_aa^-1 tau": still.forward_dynamics(theta, np.zeros(n), tau, method=method),
            "qdd without gravity": still.forward_dynamics(theta, thetad, tau, method=method),
            "qdd with gravity": r.forward_dynamics(theta, thetad, tau, method=method),
        }
        place, shown = f"sec. III, N = {n}", "reference values"
        rows += [
            compared(NAME, place, f"{name}, {method}", values[name], x, 1e-11, shown=shown)
            for name, x in ours.items()
            if name in values
        ]
    logdet = r.mass_matrix_udu(theta).logdet()
    rows.append(
        compared(
            NAME,
            f"sec. III, N = {n}",
            "log det G_aa from U D U^T",
            values["log det G_aa"],
            logdet,
            1e-12,
            shown="reference values",
        )
    )
    return rows


def _bands() -> tuple[Section, list[Row]]:
    n = 12
    _, L, m, theta, _, _ = point_chain(n)
    H = blocks(*gradients(theta, L), m)
    reach = {
        name: [(int(d), bool(np.any(np.abs(np.diagonal(block, d)) > 1e-13))) for d in range(-n + 1, n)]
        for name, block in H.items()
    }
    wanted = {"tt": (-2, 2), "tL": (-2, 1), "Lt": (-1, 2), "LL": (-1, 1)}
    rows = []
    for name, (low, high) in wanted.items():
        full = [d for d, there in reach[name] if there]
        shown, gap = f"diagonals {low} to {high}", float(abs(min(full) - low) + abs(max(full) - high))
        ours = f"diagonals {min(full)} to {max(full)}"
        rows.append(Row(NAME, "eq. (24)", f"band of {BLOCKS[name]}, N = {n}", shown, ours, gap,
            "equal" if (min(full), max(full)) == (low, high) else
                        "differs because of an error in the blocks", True, PRINTED))  # fmt: skip
    five = point_chain(5)
    H5 = blocks(*gradients(five[3], five[1]), five[2])
    rows.append(compared(NAME, "eq. (23)", "H^LL, N = 5", H_LL[0] + H_LL[1],
        np.concatenate([np.diag(H5["LL"]), np.diag(H5["LL"], 1)]), 1e-13,
                         shown="reference values"))  # fmt: skip
    E = np.eye(5) - np.eye(5, k=-1)  # theta = E phi
    Hpp = np.linalg.solve(E, np.linalg.solve(E, H5["tt"]).T)
    found = np.concatenate([np.diag(Hpp), np.diag(Hpp, 1)])
    rows.append(
        compared(
            NAME,
            "sec. III",
            "H in absolute angles, N = 5: tridiagonal",
            H_PP[0] + H_PP[1],
            found,
            1e-12,
            shown="reference values",
        )
    )
    rows += _determinant(n, L, m, theta, H) + errata_rows(NAME) + _labels()
    titles = {"tt": r"$H^{\theta\theta}$", "tL": r"$H^{\theta L}$", "Lt": r"$H^{L\theta}$", "LL": r"$H^{LL}$"}
    made = plot_bands({titles[k]: v for k, v in H.items()}, title=f"Where the blocks of H have elements, N = {n}")
    note = (
        "Computed from the gradients, not drawn: pentadiagonal, four diagonals, four diagonals, tridiagonal, as eq. "
        "(24) has them."
    )
    return Section("The bands of H, the determinant, errata", (Figure(svg(made), note), row_table(rows))), rows


def _determinant(n: int, L: Array, m: Array, theta: Array, H: dict[str, Array]) -> list[Row]:
    G = mass_matrix(theta, L, m)
    left = float(np.linalg.slogdet(G)[1])
    robot = planar(n, L.tolist(), m.tolist(), "tips")
    right = planar_bands(robot.model, theta).log_determinant()
    return [
        compared(
            NAME,
            "eq. (8)",
            f"Fixman's theorem, log det G_aa = log det G + log det H^bb, N = {n}",
            left,
            right,
            1e-12,
            shown="det G_aa = det G det H^bb",
        ),
        compared(
            NAME, "eq. (12)", "H_θθ - H_θL H_LL^-1 H_Lθ = G_aa^-1", np.linalg.inv(G), schur(H), 1e-11, shown="G_aa^-1"
        ),
        compared(
            NAME,
            "eq. (4)",
            "G_aa against the robot's mass matrix",
            G,
            robot.mass_matrix(theta),
            1e-13,
            shown="G_aa",
            kind=AGREE,
        ),
        compared(
            NAME,
            "eq. (25)",
            "the compiled O(n) inverse",
            np.linalg.inv(G),
            robot.mass_matrix_inverse(theta, method="fixman-planar"),
            1e-11,
            shown="G_aa^-1",
            kind=AGREE,
        ),
    ]


def _labels() -> list[Row]:
    """What is named wrongly."""
    n = 4
    _, L, _, theta, _, _ = point_chain(n)
    angle, length = gradients(theta, L)
    coordinates = np.vstack([angle.reshape(n, -1), length.reshape(n, -1)]).shape[0]
    cosine, plain_ones = (schur(blocks(*gradients(theta, L, cosine=kind), np.ones(n))) for kind in (True, False))
    return [
        compared(NAME, "eq. (20)", "H_θθ - H_θL H_LL^-1 H_Lθ is the same with either gradients", plain_ones, cosine,
        1e-9, shown="used with (12)"),
        differs(NAME, "sec. II", f"number of coordinates of the planar example, N = {n}", 3 * n, coordinates,
        "it is planar: N soft and N hard ones",
                coordinates / (3 * n) - 1),
        label(NAME, "eq. (19)", "length of the fictitious link", "L_-1", "L_0",
        "(19) to (21) call it L_0; any positive number serves"),
    ]  # fmt: skip


# --- beyond the paper -------------------------------------------------------------------------------------------------
def _thin(robot: Robot, eps: float) -> Robot:
    """The same robot with the least principal moment of every link eps times the middle one."""
    bodies = list(robot.model.bodies)
    for k, body in enumerate(bodies[1:], 1):
        xx, yy, zz, xy, xz, yz = body.inertia.about_com()
        values, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        I = axes @ np.diag([eps * values[1], values[1], values[1]]) @ axes.T
        mass = Mass.from_com(body.inertia.m, body.inertia.com, (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))
        bodies[k] = replace(body, inertia=mass)
    return Robot(robot.model.with_bodies(bodies))


def _reactions(c: NaturalComplement, tau: Array) -> Array:
    """The reactions of Fixman's partition, moved from O_i and link axes to C_i and base axes."""
    f = numbers(find("joint_wrenches", "fixman")[0], c.model)(c.q, c.qd, tau)
    made = []
    for i in range(1, c.links + 1):
        moment = f[i - 1, :3] - np.cross(c.model.bodies[i].inertia.com, f[i - 1, 3:])
        made.append(np.concatenate([c.rotation[i] @ moment, c.rotation[i] @ f[i - 1, 3:]]))
    return np.array(made)


def _space() -> tuple[Section, list[Row]]:
    """The paper's future work: rigid bodies in space; further sliding joints, branches, reactions, thin links."""
    place, rows = "sec. IV (future work)", []
    mixed = arm_and_state(np.random.default_rng(1))[0]
    arms = {"6 revolute joints": chain(6), "30 revolute joints": chain(30), "R P R R P": mixed, "a tree": tree_arm()}
    for name, r in arms.items():
        q, qd, tau = np.random.default_rng(r.n).standard_normal((3, r.n))
        truth = r.forward_dynamics(q, qd, tau, method="articulated")
        for method, tolerance in (("fixman", 1e-8), ("fixman-refined", 1e-10)):
            ours = r.forward_dynamics(q, qd, tau, method=method)
            what = f"rigid bodies in space, {name}: {method}"
            rows.append(compared(NAME, place, what, truth, ours, tolerance, shown="announced", kind=AGREE))
        logdet, free = r.mass_matrix_udu(q).logdet(), log_determinant(r.model, q)
        what = f"log det M for free, {name}"
        rows.append(compared(NAME, place, what, logdet, free, 1e-10, shown="eq. (8)", kind=AGREE))
        c = natural_complement(r.model, q, qd)
        what = f"all joint reactions for free, {name}: against the wrenches of RIDIM"
        rows.append(
            compared(NAME, place, what, wrenches(c, truth), _reactions(c, tau), 1e-8, shown="announced", kind=AGREE)
        )
    r = arms["6 revolute joints"]
    q, qd, tau = np.random.default_rng(6).standard_normal((3, 6))
    for eps in (1e-4, 1e-6):
        thin = _thin(r, eps)
        truth = thin.forward_dynamics(q, qd, tau, method="articulated")
        plain_one = distance(thin.forward_dynamics(q, qd, tau, method="fixman"), truth)
        what = (
            f"links as thin as {eps:g} (one moment against the others): one refinement step; without it {plain_one:.1e}"
        )
        rows.append(
            compared(
                NAME,
                place,
                what,
                truth,
                thin.forward_dynamics(q, qd, tau, method="fixman-refined"),
                1e-10,
                shown="announced",
                kind=AGREE,
            )
        )
    try:
        told = str(point_chain(3)[0].forward_dynamics(np.zeros(3), np.zeros(3), np.zeros(3), method="fixman"))
    except MethodError as error:
        told = str(error)
    rows.append(
        not_stated(NAME, place, "point masses in space: the inertia cannot be inverted, and the method says so", told)
    )
    text = "Block-tridiagonal 5 x 5 pivots (on a tree: in the order of the tree), against articulated bodies."
    return Section("Future work, done: rigid bodies in space", (text, row_table(rows))), rows


def paper() -> Paper:
    """Rows and sections."""
    five, twenty = _reference(5, N5), _reference(20, N20)
    numbers = Section(
        "The reference chain",
        ("L_i = 0.5 + 0.05 cos i, m_i = 1 + 0.1 sin 2i, theta_i = 0.4 sin 1.3i + 0.1.", row_table([*five, *twenty])),
    )
    made = [figure2(point_chain), _bands(), (numbers, [*five, *twenty]), _space()]
    title = "A new perspective on O(n) mass-matrix inversion for serial revolute manipulators"
    citation = "K. Lee and G. S. Chirikjian, IEEE International Conference on Robotics and Automation, 2005"
    return Paper(NAME, title, citation, tuple(s for s, _ in made), tuple(r for _, rows in made for r in rows))
