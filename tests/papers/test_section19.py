"""All 925 reference values of section 19 of the verified mathematics, through the robots' own methods, by every method that serves.

section19.json holds them as that page has them, 15 digits each. Errors are relative to the largest element of a quantity, and so are the
tolerances: the values' own errors are some 1e-15. Nothing is left out: each test uses up its part of the file.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import find
from ordern.errors import MethodError
from ordern.evaluate.denoc_factors import elimination
from ordern.evaluate.fixman_matrices import planar_bands
from ordern.papers.lee2005 import point_chain
from ordern.papers.puma_line import line_motion, torques
from ordern.papers.saha1997 import generic
from ordern.papers.saha1999jam_figures import cycloid, stanford_motion
from ordern.runtime.numbers import numbers

VALUES = json.loads((Path(__file__).parent / "section19.json").read_text())
EXACT = 2e-14  # torques, matrices: rounding of some 50 operations
SOLVED = 1e-12  # inverses and accelerations: rounding times the condition of the arms, up to 1e5 for the PUMA's wrist
FIXMAN = 1e-8  # section 16.2; links as thin as these arms' lose the digits that one refinement step gives back
FALL = 1e-9  # trajectories: an integrator's tolerance of 1e-13, grown over 3 s


class Part(dict):
    """One part of the file; values are taken out as they are checked."""

    def __init__(self, name):
        super().__init__(VALUES[name])

    def take(self, name):
        return np.array(self.pop(name))

    def holds(self, name, made, tolerance=EXACT):
        off(made, self.take(name), tolerance, name)


def off(made, expected, tolerance, name=""):
    made, expected = np.asarray(made), np.asarray(expected)
    assert made.shape == expected.shape, name
    error = np.abs(made - expected).max() / (np.abs(expected).max() or 1.0)
    assert error <= tolerance, (name, error)


def by_all(robot, quantity, part, name, *arguments, tolerance=EXACT, at_least=2):
    """The quantity by every method that serves this robot."""
    expected, seen = part.take(name), 0
    for a in find(quantity):
        try:
            made = getattr(robot, quantity)(*arguments, method=a.method)
        except MethodError:
            continue
        loose = FIXMAN if a.method == "fixman" else SOLVED if a.method.startswith("fixman") else tolerance
        off(made, expected, loose, f"{name} by {a.method}")
        seen += 1
    assert seen >= at_least


PLANAR = ((0.3, -0.7, 1.1), (0.5, -0.4, 0.2), (1.0, -0.6, 0.3))


def test_planar_arm():
    r, part, (q, qd, qdd) = ordern.robots.planar3(), Part("planar arm"), PLANAR
    by_all(r, "mass_matrix", part, "I", q, at_least=4)
    udu = r.mass_matrix_udu(q)
    part.holds("U", udu.U)
    part.holds("D", udu.D)
    alpha = elimination(r.model, q).alpha_prime
    part.holds("alpha prime", alpha[[0, 0, 1], [1, 2, 2]])
    by_all(r, "mass_matrix_inverse", part, "I^-1", q, tolerance=SOLVED, at_least=3)
    by_all(r, "coriolis_matrix", part, "C", q, qd)  # in the plane both are the same
    part.holds(
        "C qd", r.bias_forces(q, qd) - r.gravity_forces(q), 1e-12
    )  # a difference of numbers a thousand times as large
    part.holds("gravity", r.gravity_forces(q))
    by_all(r, "inverse_dynamics", part, "tau", q, qd, qdd)
    by_all(r, "forward_dynamics", part, "accelerations", q, qd, (0.4, -0.2, 0.1), tolerance=SOLVED, at_least=7)
    assert not part


def test_planar_arm_of_unit_links():
    r, part, (q, qd, qdd) = ordern.robots.planar(3), Part("planar arm of unit links"), PLANAR
    by_all(r, "mass_matrix", part, "I", q, at_least=4)
    part.holds("D", r.mass_matrix_udu(q).D)
    by_all(r, "inverse_dynamics", part, "tau", q, qd, qdd)
    assert not part


@pytest.mark.parametrize("method", ["denoc", "newton-euler"])
def test_figure_5(method):
    table = np.array(VALUES["figure 5"])
    q, qd, qdd = cycloid(table[:, 0], np.zeros(3), np.full(3, math.pi))
    off(ordern.robots.planar3().inverse_dynamics(q, qd, qdd, method=method), table[:, 1:], EXACT)


@pytest.mark.parametrize("dynamics", ["denoc", "articulated"])
@pytest.mark.parametrize(
    ("robot", "name"), [("planar3", "free fall of the planar arm"), ("stanford", "free fall of the Stanford arm")]
)
def test_free_fall(robot, name, dynamics):
    table = np.array(VALUES[name])
    t, expected = table[:, 0], table[:, 1 : 4 if robot == "planar3" else 7]
    r = ordern.load(robot)
    q0 = np.array([0, math.pi / 2, 0, 0, 0, 0])[: r.n] if robot == "stanford" else np.zeros(3)
    options = {"method": "dop853", "rtol": 1e-13, "atol": 1e-14, "t_eval": [0.0, *t], "dynamics": dynamics}
    run = r.simulate(q0, np.zeros(r.n), duration=t[-1], **options)
    off(run.q[1:], expected, FALL)
    if robot == "stanford":  # the mirror image under gravity the other way
        up = r.with_gravity((0, 0, 9.81)).simulate(q0, np.zeros(r.n), duration=t[-1], **options)
        off(up.q[1:], expected * [1, -1, 1, -1, -1, -1] + [0, math.pi, 0, 0, 0, 0], FALL)


@pytest.mark.parametrize("method", ["denoc", "newton-euler"])
@pytest.mark.parametrize(
    ("reading", "end", "name"),
    [("text", 60, "text, to 60 deg"), ("text", 150, "text, to 150 deg"), ("flipped", 60, "r_4 flipped, to 60 deg")],
)
def test_stanford_torques(reading, end, name, method):
    table = np.array(VALUES[f"torques, {name}"])
    r = ordern.robots.stanford(reading)
    made = r.inverse_dynamics(*stanford_motion(table[:, 0], end), method=method)
    off(made[:, : table.shape[1] - 1], table[:, 1:], EXACT)
    for k in range(
        3, table.shape[1] - 1
    ):  # the wrist's torques are 1e-5 of the others': to their own digits, but for what rounding leaves
        off(made[:, k], table[:, k + 1], 1e-10)
    if reading == "flipped":  # the wrist does not feel r_4
        text = ordern.robots.stanford().inverse_dynamics(*stanford_motion(table[:, 0], end), method=method)
        off(made[:, 3:], text[:, 3:], 1e-10)


def wrench_at(robot, q, moment, force):
    """A wrench on the tool, given in base axes at its origin, in the tool's own axes."""
    link = robot.link_names[-1]
    turn = robot.forward_kinematics(q, link)[:3, :3].T
    return {link: np.concatenate([turn @ np.array(moment), turn @ np.array(force)])}


def test_stanford_state():
    r, part = ordern.robots.stanford(), Part("Stanford arm")
    q, qd, qdd = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2), (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (-0.4, 0.5, 0.2, -0.1, 0.3, 0.7)
    by_all(r, "mass_matrix", part, "I", q, at_least=4)
    part.holds("D", r.mass_matrix_udu(q).D)
    part.holds("bias", r.bias_forces(q, qd))
    wrench = wrench_at(r, q, (0.1, -0.2, 0.3), (2, -1, 0.5))
    by_all(r, "inverse_dynamics", part, "tau with a tool wrench", q, qd, qdd, wrench)
    by_all(r, "inverse_dynamics", part, "tau", q, qd, qdd)
    by_all(
        r, "forward_dynamics", part, "accelerations", q, qd, (1, -2, 3, 0.1, -0.05, 0.02), tolerance=1e-11, at_least=7
    )
    part.holds("tool origin", r.forward_kinematics(q, r.link_names[-1])[:3, 3])
    assert not part


@pytest.mark.parametrize("number", [1, 2, 3])
def test_puma_states(number):
    r, part = ordern.robots.puma560(), Part(f"PUMA 560, state {number}")
    q, qd, qdd = part.take("q"), part.take("qd"), part.take("qdd")
    by_all(r, "mass_matrix", part, "I", q, at_least=4)
    part.holds("gravity", r.gravity_forces(q))
    part.holds("bias", r.bias_forces(q, qd))
    by_all(r, "inverse_dynamics", part, "tau", q, qd, qdd)
    by_all(
        r, "forward_dynamics", part, "accelerations", q, qd, (5, -20, 8, 0.3, -0.2, 0.1), tolerance=SOLVED, at_least=7
    )
    assert not part


def test_puma_line():
    part = Part("PUMA 560, line")
    q = line_motion(2)[1]
    tau = torques(ordern.robots.puma560(), 2)[1]
    for t in range(6):
        part.holds(f"q at {t}", q[100 * t], 1e-14)
        part.holds(f"tau at {t}", tau[100 * t], 1e-12)  # accelerations by differences of the Jacobian
    assert not part


@pytest.mark.parametrize("n", [5, 20])
def test_point_masses(n):
    part = Part(f"point masses, N = {n}")
    r, _, _, theta, thetad, tau = point_chain(n)
    weightless = r.with_gravity((0, 0, 0))
    by_all(weightless, "forward_dynamics", part, "solved", theta, np.zeros(n), tau, tolerance=1e-11, at_least=7)
    by_all(weightless, "forward_dynamics", part, "weightless", theta, thetad, tau, tolerance=1e-11, at_least=7)
    by_all(r, "forward_dynamics", part, "falling", theta, thetad, tau, tolerance=1e-11, at_least=7)
    bands = planar_bands(r.model, theta)
    assert bands.log_determinant() == pytest.approx(part["log det"], rel=1e-13)
    part.holds("log det", r.mass_matrix_udu(theta).logdet(), 1e-12)
    off(r.mass_matrix_inverse(theta, method="fixman-planar") @ tau, VALUES[f"point masses, N = {n}"]["solved"], 1e-11)
    if n == 5:
        part.holds("H_LL diag", np.diag(bands.H_LL))
        part.holds("H_LL off", np.diag(bands.H_LL, 1))
        part.holds("H_pp diag", np.diag(bands.H_pp))
        part.holds("H_pp off", np.diag(bands.H_pp, 1))
        part.holds("H_pL upper", np.diag(bands.H_pL, 1))
        part.holds("H_pL lower", np.diag(bands.H_pL, -1))
    assert not part


def test_generic_chain():
    r, part = generic(), Part("generic chain")
    q, qd, qdd, tau = (part.take(f"given {x}") for x in ("q", "qd", "qdd", "tau"))
    off(r.gravity, part.take("given gravity"), 0)
    by_all(r, "mass_matrix", part, "I", q, at_least=4)
    udu = r.mass_matrix_udu(q)
    part.holds("D", udu.D)
    part.holds("log det", udu.logdet())
    part.holds("C", r.coriolis_matrix(q, qd, method="denoc"))
    part.holds("C, Christoffel", r.coriolis_matrix(q, qd, method="christoffel"))
    by_all(
        r, "inverse_dynamics", part, "tau with a tool wrench", q, qd, qdd, wrench_at(r, q, (0.4, -0.2, 0.6), (3, 1, -2))
    )
    by_all(r, "inverse_dynamics", part, "tau", q, qd, qdd)
    by_all(r, "forward_dynamics", part, "accelerations", q, qd, tau, tolerance=SOLVED, at_least=7)
    part.holds("joint wrenches", joint_wrenches(r, q, qd, tau), 1e-12)
    assert not part


def joint_wrenches(r, q, qd, tau):
    """[moment about C_i; force] of all joints in base axes."""
    f, c = numbers(find("joint_wrenches", "fixman")[0], r.model)(q, qd, tau), elimination(r.model, q).complement
    made = []
    for i in range(1, r.n + 1):
        R, force = c.rotation[i], f[i - 1, 3:]
        made.append([*(R @ (f[i - 1, :3] - np.cross(r.model.bodies[i].inertia.com, force))), *(R @ force)])
    return made


def test_the_file_is_whole():
    def count(part):
        return (
            1 if isinstance(part, int | float) else sum(map(count, part.values() if isinstance(part, dict) else part))
        )

    assert count(VALUES) == 925
