"""Formulas: the same numbers as the methods, short named steps, letters for constants."""

from __future__ import annotations

import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest

import ordern
import robots as grid
from budget import spread
from ordern.evaluate.formulas import _fresh
from ordern.robot import Robot


def values(formulas, robot, given):
    """Put numbers into the written-out matrix."""
    numbers = {f"{name}_{k + 1}": x for name, array in given.items() for k, x in enumerate(array)} | formulas.parameters
    matrix = formulas.matrix if isinstance(formulas.matrix, list) else [formulas.matrix]
    return [np.array(m.subs(numbers).evalf(20), float) for m in matrix]


def state(robot, seed=0):
    rng = np.random.default_rng(seed)
    return {"q": robot.random(rng), **{name: rng.uniform(-1, 1, robot.n) for name in ("qd", "qdd", "tau")}}


@pytest.mark.parametrize("symbols", [False, True])
@pytest.mark.parametrize(
    ("name", "quantity", "inputs"),
    [
        ("planar3", "mass_matrix", "q"),
        ("planar3", "mass_matrix_inverse", "q"),
        ("planar3", "inverse_dynamics", "q qd qdd"),
        ("planar3", "forward_dynamics", "q qd tau"),
        ("planar3", "coriolis_matrix", "q qd"),
        ("stanford", "gravity_forces", "q"),
        ("stanford", "mass_matrix", "q"),
    ],
)
def test_written_out_formulas_are_the_method(name, quantity, inputs, symbols):
    robot = ordern.load(name)
    given = state(robot)
    chosen = {k: given[k] for k in inputs.split()}
    made = values(robot.formulas(quantity, symbols=symbols), robot, chosen)[0]
    expected = getattr(robot, quantity)(*chosen.values())
    np.testing.assert_allclose(made.reshape(expected.shape), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_steps_have_one_name_each_and_use_earlier_ones_only():
    formulas = ordern.load("chain5").formulas("forward_dynamics")
    seen = set()
    known = {f"{name}_{k}" for name in ("q", "qd", "tau") for k in range(1, 6)}
    for symbol, expression in formulas.steps:
        assert str(symbol) not in seen
        assert {str(s) for s in expression.free_symbols} <= seen | known
        seen.add(str(symbol))


def test_steps_are_called_by_letter_body_and_component():
    names = [str(symbol) for symbol, _ in ordern.load("planar3").formulas("forward_dynamics").steps]
    assert {"w_3_z", "a_2_x", "X_2_R_c"} <= set(names)  # angular velocity, acceleration, cosine of a rotation
    assert all(re.fullmatch(r"[a-zA-Z]+_[0-9](_[a-zA-Z]+)*|x_[0-9]+", name) for name in names)


def test_steps_grow_linearly():
    robots = [Robot(grid.serial("R" * n, 1, armature=False)) for n in (8, 9, 10, 11)]
    lengths = [len(r.formulas("forward_dynamics")) for r in robots]
    assert max(np.abs(np.diff(lengths, 2))) <= 3  # which values are shared depends a little on signs


def test_latex_and_text():
    formulas = ordern.load("planar2").formulas("mass_matrix", symbols=True)
    assert r"\begin{aligned}" in formulas.latex()
    assert "m_{2}" in formulas.latex(steps=False)
    assert "cos(q_2)" in str(formulas)
    assert formulas.count.mul > 0


def test_formulas_go_to_other_processes():
    """Before they are written out and after, when they hold SymPy's own objects."""
    made = ordern.load("planar2").formulas("mass_matrix", symbols=True)
    for _ in range(2):
        twin = pickle.loads(pickle.dumps(made))
        assert twin.latex() == made.latex() and twin.count == made.count and twin.parameters == made.parameters


def test_displays_of_notebooks():
    """Robot: facts and its page; Run and Counts: tables; Formulas: typeset. Markup in names stays text."""
    robot = ordern.robots.planar3()
    assert "<iframe" in robot._repr_html_() and "3 degrees of freedom" in robot._repr_html_()
    assert robot.formulas("mass_matrix")._repr_latex_().startswith("$")
    counts = robot.operation_counts("forward_dynamics", method="denoc")._repr_html_()
    assert counts.startswith("<table>") and "sincos" in counts
    run = ordern.Robot.from_dh([{"a": 1.0, "mass": 1.0}], name="<b>x</b>").simulate([0.1], duration=0.02)
    assert "<table>" in run._repr_html_() and "<b>x</b>" not in run._repr_html_()


def test_no_step_takes_the_name_of_an_input():
    """Forward dynamics by elimination has a table tau of its own, next to the torques that come in."""
    made = ordern.robots.planar(3).formulas("forward_dynamics", "denoc")
    given = {f"{name}_{k + 1}" for name, count in made.program.inputs.items() for k in range(count)}
    names = [str(symbol) for symbol, _ in made.steps]
    assert not given & set(names)
    assert len(set(names)) == len(names)


GRAVITIES = [(0, 0, -9.81), (0, 3.0, 0), (1.5, -2.5, -9.0), (0.0, 4.0, -4.0), (-1.0, 1.0, 1.0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("kinds", "quantity", "gravity"),
    spread(["RP", "CR"], ["gravity_forces", "inverse_dynamics", "potential_energy"], GRAVITIES),
)
def test_letters_stand_for_what_they_say(kinds, quantity, gravity):
    """With the numbers put back in for the letters, formulas are what is computed, under any gravity."""
    robot = ordern.Robot(grid.serial(kinds, 3)).with_gravity(gravity)
    made = robot.formulas(quantity, symbols=True)
    state = dict(zip(("q", "qd", "qdd"), grid.state(robot.model, np.random.default_rng(0)), strict=False))
    given = [state[name] for name in made.program.inputs]
    values = made.parameters | {
        f"{name}_{k + 1}": float(x)
        for name, row in zip(made.program.inputs, given, strict=True)
        for k, x in enumerate(row)
    }
    assert ("g" in made.parameters) <= (np.count_nonzero(gravity) == 1)
    known = {s: float(values[str(s)]) for s in made.matrix.free_symbols}
    got = np.array([float(e.subs(known)) for e in made.matrix])
    want = np.ravel(getattr(robot, quantity)(*given))
    np.testing.assert_allclose(got, want, rtol=0, atol=64 * np.finfo(float).eps * max(1.0, np.abs(want).max()))


def test_tables_made_again_are_numbered():
    used = set()
    assert [_fresh(name, used) for name in ("F_3_x", "F_3_x", "F_2_x", "F_3_x", "F2_2_x", "F_2_x")] == [
        "F_3_x", "F2_3_x", "F_2_x", "F3_3_x", "F2_2_x", "F3_2_x",
    ]  # fmt: skip


@pytest.mark.parametrize("mass", [1 / 3, 0.25, math.pi, 1 / 1001])
def test_simplified_formulas_show_short_fractions(mass):
    """1/3 for 0.333...; what is no fraction with a denominator of at most 1000 stays a decimal number, digit by digit."""
    robot = ordern.robots.planar(1, masses=mass, mass="tips").with_gravity((0, -1.0, 0))
    made = robot.formulas("gravity_forces").simplified()[0]
    factor = made.subs(robot.formulas("gravity_forces").matrix.free_symbols.pop(), 0)
    assert factor.is_Rational == (abs(Fraction(mass).limit_denominator(1000) - Fraction(mass)) < Fraction(1, 10**15))
    assert float(factor) == mass


@pytest.mark.parametrize(
    "quantity", ["mass_matrix", "gravity_forces", "kinetic_energy", "jacobian", "regressor", "forward_dynamics"]
)
def test_a_robot_without_joints_has_formulas_of_no_rows_or_columns(quantity):
    robot = ordern.Robot(
        ordern.build("x", [ordern.LinkSpec("a", 1.0, (0.1, 0.2, 0.3), (0.5, 0.6, 0.7, 0.0, 0.0, 0.0))], [])
    )
    inputs = {"mass_matrix": 1, "gravity_forces": 1, "jacobian": 1, "kinetic_energy": 2}.get(quantity, 3)
    more = ("a",) if quantity == "jacobian" else ()
    made = robot.formulas(quantity, link="a" if more else None)
    shape = getattr(robot, quantity)(*[np.zeros(0)] * inputs, *more).shape
    assert made.matrix.shape == (*shape, 1, 1)[:2] if shape else made.matrix.shape == (1, 1)
    for steps in (True, False):
        assert isinstance(made.latex(steps=steps), str)
