"""Every algorithm x every evaluator x the robots of the grid: numbers, the unrolled and the rolled program."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms
from ordern.evaluate.numbers import numbers
from ordern.evaluate.programs import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.trace import _statements

MODELS = {name: make() for name, make in robots.GRID.items()}
ALGORITHMS = {a.name: a for a in all_algorithms()}


def options_of(algorithm, model):
    """The last link, in world axes."""
    given = {"link": len(model.links) - 1, "world": True}
    return tuple(given[name] for name in algorithm.options)


def arguments(algorithm, model, batch=(3,), seed=0):
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(seed), batch)
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    return {name: given[name] for name in algorithm.inputs}


def close(made, expected, model, where=""):
    """To some 1e3 eps times the size of what was added up; accelerations lose the condition of M on top (1e6 for the 48-joint chain)."""
    loss = 1e6 if model.nv > 30 else 1e3
    for a, b in zip(made, expected, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=0, atol=loss * np.finfo(float).eps * max(1.0, np.abs(b).max()), err_msg=where)


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.parametrize("robot", MODELS)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_evaluator_agrees(name, robot):
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    if (reason := algorithm.refusal(model)) is not None:
        assert len(reason) > 10  # a refusal says why
        return
    given, options = arguments(algorithm, model), options_of(algorithm, model)
    expected = as_tuple(numbers(algorithm, model, options)(*given.values()))
    for rolled in (False, True):
        program = trace(algorithm, model, options, rolled=rolled)
        made = interpret(program, {k: given[k] for k in program.inputs})
        close(tuple(made.values()), expected, model, f"{name} on {robot}, rolled={rolled}")
    cheap = trace(algorithm, prepared(algorithm, model), options)
    close(tuple(interpret(cheap, {k: given[k] for k in cheap.inputs}).values()), expected, model, f"{name} on {robot}, frames moved")


@pytest.mark.parametrize("name", ["inverse_dynamics/newton-euler", "forward_dynamics/relative", "mass_matrix/composite"])
def test_rolled_programs_do_not_grow(name):
    sizes = [sum(1 for _ in _statements(trace(ALGORITHMS[name], robots.serial("R" * n, 1)).body)) for n in (50, 100)]
    assert sizes[0] == sizes[1]
