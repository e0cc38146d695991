"""Every algorithm on the other evaluators: machine code, CasADi, JAX, formulas, counts, C; small robots, so that all of them take seconds."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.evaluate.counts import counts
from ordern.evaluate.kernels import Kernel
from ordern.evaluate.numbers import numbers
from ordern.evaluate.programs import prepared, trace
from ordern.robot import Robot
from test_agreement import ALGORITHMS, as_tuple, close, options_of

MODELS = {
    "RPR": robots.serial("RPR", 2, armature=False),
    "tree": robots.tree(["revolute", "prismatic", "revolute", "revolute"], [0, 1, 1, 3], 3),
    "floating": robots.tree(["floating", "revolute", "revolute"], [0, 1, 1], 4, name="floating"),
}
CASES = [(name, robot) for name, a in ALGORITHMS.items() for robot, model in MODELS.items() if a.refusal(model) is None]
SIMPLE = [(name, robot) for name, robot in CASES if robot == "RPR"]


def expected(name, robot, batch=(3,)):
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(0), batch)
    everything = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    given, options = {k: everything.get(k, tau) for k in algorithm.inputs}, options_of(algorithm, model)
    return algorithm, model, given, options, as_tuple(numbers(algorithm, model, options)(*given.values()))


@pytest.mark.parametrize(("name", "robot"), CASES)
def test_machine_code(name, robot):
    algorithm, model, given, options, right = expected(name, robot)
    program = trace(algorithm, prepared(algorithm, model), options)
    for rolled in (None, True):
        program = trace(algorithm, prepared(algorithm, model), options, rolled=rolled)
        kernel = Kernel.of(program)
        outs = [np.empty((3, size)) for size in kernel.sizes]
        assert kernel.run([np.ascontiguousarray(given[k]) for k in program.inputs], outs)
        close([o.reshape(r.shape) for o, r in zip(outs, right, strict=True)], right, model, name)


@pytest.mark.parametrize(("name", "robot"), CASES)
def test_casadi(name, robot):
    pytest.importorskip("casadi", reason="needs the extra casadi")
    from ordern.evaluate.interop import casadi_function

    algorithm, model, given, options, right = expected(name, robot, ())
    made = casadi_function(algorithm, model, options)(*given.values())
    made = made if isinstance(made, (tuple, list)) else (made,)
    close([np.array(m, float).reshape(r.shape) for m, r in zip(made, right, strict=True)], right, model, name)


@pytest.mark.parametrize(("name", "robot"), SIMPLE)
def test_jax(name, robot):
    jax = pytest.importorskip("jax", reason="needs the extra jax")
    from ordern.evaluate.jax_functions import function

    algorithm, model, given, _, right = expected(name, robot, ())
    with jax.enable_x64(True):
        made = as_tuple(function(algorithm.quantity, Robot(model), algorithm.method)(*given.values()))
        close([np.asarray(m) for m in made], right, model, name)


@pytest.mark.parametrize(("name", "robot"), SIMPLE)
def test_formulas_and_counts(name, robot):
    sympy = pytest.importorskip("sympy", reason="formulas need sympy")
    from ordern.evaluate.symbols import formulas

    algorithm, model, given, options, right = expected(name, robot, ())
    made = formulas(algorithm, model, options)
    values = {sympy.Symbol(f"{k}_{i + 1}"): float(x) for k, array in given.items() for i, x in enumerate(array)}
    for symbol, expression in made.steps:  # one after the other: never a long expression
        values[symbol] = float(expression.xreplace(values))
    results = made.results if isinstance(made.results, list) else [made.results]
    close([np.array(m.xreplace(values), float).reshape(r.shape) for m, r in zip(results, right, strict=True)], right, model, name)
    assert made.count == counts(algorithm, model, options)
