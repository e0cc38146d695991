"""The interpreter defines what a program means: every kind of program, as traced and as compiled, on every kind of number."""

from __future__ import annotations

from fractions import Fraction

import casadi
import mpmath
import numpy as np
import pytest
import sympy

import ordern
import robots
from grid import ALGORITHMS
from ordern.evaluate.casadi_functions import _operators as casadi_operators
from ordern.evaluate.exact import SCALARS
from ordern.program.adjoint import directional
from ordern.program.build import guarded, prepared, trace
from ordern.program.carry import carry
from ordern.program.differentiate import carried_derivatives
from ordern.program.interpret import PRIMITIVES, interpret, run
from ordern.program.ir import ACTS, VALUES, IRLoop, Node, Program, walk
from ordern.program.passes import fuse
from ordern.runtime.numbers import numbers
from programs import node, nodes

EPS = np.finfo(float).eps
NAMES = ["inverse_dynamics/newton-euler", "forward_dynamics/articulated", "mass_matrix/composite"]
TREES = {
    "chain60": lambda: robots.serial("R" * 60, 1),
    "chain60 mixed": lambda: robots.serial("RRP" * 20, 2),
    "short": lambda: robots.serial("RPS", 3),
}


def traced(name, model, rolled):
    algorithm = ALGORITHMS[name]
    return trace(algorithm, prepared(algorithm, model), rolled=rolled)


def given(program, model, seed=0):
    state = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, np.random.default_rng(seed), ()), strict=True))
    return {name: state[name] for name in program.inputs}


@pytest.mark.parametrize("robot", TREES)
@pytest.mark.parametrize("name", NAMES)
def test_programs_as_traced_fused_and_carried_mean_the_same(name, robot):
    model = TREES[robot]()
    program = traced(name, model, robot != "short")
    point = given(program, model)
    expected = numbers(ALGORITHMS[name], model)(*point.values())
    condition = 1e4 if name.startswith("forward") and robot != "short" else 10  # of the mass matrix of a long chain
    for made in (program, fuse(program), carry(program), carry(fuse(program))):
        found = interpret(made, point)["out0"]
        np.testing.assert_allclose(found, expected, rtol=0, atol=100 * condition * EPS * np.abs(expected).max())
    if robot == "chain60":
        assert any(isinstance(s, IRLoop) and s.carried for s in walk(carry(fuse(program)).body)) or name.startswith(
            "mass_matrix"
        )


KINDS = {  # how a float becomes a number, and a number a float
    "float": (PRIMITIVES, float, float),
    "fraction": (SCALARS["fraction"].operators, Fraction, float),
    "mpmath": (SCALARS["mpmath"].operators, mpmath.mpf, float),
    "interval": (SCALARS["interval"].operators, SCALARS["interval"].convert, lambda x: float(x.mid)),
    "casadi": (casadi_operators(casadi), casadi.DM, float),
}


@pytest.mark.parametrize("kind", KINDS)
def test_loops_run_on_every_kind_of_number(kind):
    operators, make, back = KINDS[kind]
    model = robots.serial("R" * 8 if kind == "fraction" else "R" * 60, 1)
    program = carry(traced(NAMES[0], model, True))
    assert not program.straight
    point = given(program, model)
    found = run(program, {name: [make(float(x)) for x in row] for name, row in point.items()}, operators)["out0"]
    expected = numbers(ALGORITHMS[NAMES[0]], model)(*point.values())
    np.testing.assert_allclose([back(x) for x in found], expected, rtol=0, atol=1e4 * EPS * np.abs(expected).max())


def test_derivatives_of_loops_run_as_well():
    model = robots.serial("R" * 60, 1)
    program = traced(NAMES[0], model, True)
    point, h = given(program, model), 1e-6
    along = {"q_t": np.cos(np.arange(60.0))}
    found = interpret(directional(program, ["q"]), point | along)["out0_t"]
    there, here = (interpret(program, point | {"q": point["q"] + s * h * along["q_t"]})["out0"] for s in (1, -1))
    np.testing.assert_allclose(
        found, (there - here) / (2 * h), rtol=0, atol=1e-6 * np.abs(found).max()
    )  # h^2 and eps / h


def test_programs_that_carry_derivatives_run_on_exact_numbers():
    model = robots.serial("RR", 1)
    program = guarded(carried_derivatives(ALGORITHMS["mass_matrix/composite"], model))
    q = [Fraction(1, 3), Fraction(-2, 5)]
    made = run(program, {"q": q}, SCALARS["fraction"].operators)
    floats = interpret(program, {"q": np.array([float(x) for x in q])})
    for name, row in made.items():
        np.testing.assert_allclose(
            [float(x) for x in row], floats[name].ravel(), rtol=0, atol=100 * EPS * np.abs(floats[name]).max()
        )


def test_sympy_runs_a_program():
    program = traced(NAMES[2], robots.serial("RR", 1), False)
    q = sympy.symbols("a b")
    table = PRIMITIVES.changed(sympy.Float, sincos=lambda a: (sympy.sin(a), sympy.cos(a)))
    made = run(program, {"q": q}, table)["out0"]
    expected = interpret(program, {"q": np.array([0.3, -0.7])})["out0"].ravel()
    np.testing.assert_allclose(
        [float(sympy.sympify(e).subs(dict(zip(q, (0.3, -0.7), strict=True)))) for e in made],
        expected,
        rtol=0,
        atol=1e-12,
    )


@pytest.mark.parametrize("op", ["frobnicate", "store", "reload"])
def test_a_program_with_an_unknown_node_is_refused_by_name_when_it_is_built(op):
    with pytest.raises(ordern.OrdernError, match=f"'pump'.*{op}"):
        Program("pump", [*nodes("in x 0"), Node(op, (0,))], [0, 1, node("out y 0 v1")], {"x": 1}, {"y": ()})


@pytest.mark.parametrize(
    "statement", [Node("add", (0, 0)), Node("print", (0,)), ("out", "y", 0, 0), Node("out", (), ("y", 0))]
)
def test_a_program_with_an_unknown_statement_is_refused(statement):
    inside = IRLoop(1, "range", 0, 2, 1, cases=[((), [statement])])
    for body in ([0, statement], [0, inside]):
        with pytest.raises(ordern.OrdernError, match=f"'pump'.*'{statement[0]}'"):
            Program("pump", nodes("in x 0"), body, {"x": 1}, {"y": ()})


def test_operands_stand_in_src():
    for program in (
        traced(NAMES[1], robots.serial("RPS", 3), False),
        traced(NAMES[1], robots.serial("RP" * 30, 3), True),
    ):
        for n in [*program.nodes, *(s for s in walk(program.body) if isinstance(s, Node))]:
            assert (len(n.src), len(n.arg)) == {**VALUES, **ACTS}[n.op]
            assert all(0 <= k < len(program.nodes) for k in n.src)


def test_numbers_without_an_operation_say_so():
    table = PRIMITIVES.changed()
    few = type(table)(table.constant, {k: f for k, f in table.functions.items() if k != "sqrt"})
    with pytest.raises(ordern.OrdernError, match=r"sqrt"):
        run(
            Program("root", nodes("in x 0 | sqrt v0"), [0, 1, node("out y 0 v1")], {"x": 1}, {"y": ()}),
            {"x": [2.0]},
            few,
        )
