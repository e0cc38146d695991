"""Every algorithm x every robot of the grid: on floats, and as a program, unrolled and rolled."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from budget import TRUST
from grid import ALGORITHMS, MODELS, OTHERS, SHORT, SPOKEN, TRACED, WRITTEN_OUT, close, given, options_of, reference
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.ir import walk
from ordern.program.layout import shape_of
from ordern.runtime.numbers import on_scalars


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_serves_a_robot_and_says_why_it_does_not_serve_another(name):
    reasons = [ALGORITHMS[name].refusal(model) for model in MODELS.values()]
    assert None in reasons
    assert all(len(reason) > 10 for reason in reasons if reason is not None)


def test_what_other_evaluators_try_has_every_method_every_joint_type_and_every_quantity_on_every_robot():
    assert {name for name, _ in SPOKEN} == {name for name, _ in WRITTEN_OUT} == set(ALGORITHMS)
    assert {robot for _, robot in SPOKEN} >= set(SHORT)
    seen = [
        {(ALGORITHMS[name].quantity, ALGORITHMS[name].inputs, robot) for name, robot in x}
        for x in (OTHERS, WRITTEN_OUT)
    ]
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("name", "robot"), WRITTEN_OUT)
def test_floats(name, robot):
    algorithm, model, right = ALGORITHMS[name], MODELS[robot], reference(name, robot)
    made = on_scalars(
        algorithm, model, [array[0].tolist() for array in given(name, robot).values()], options_of(algorithm, model)
    )
    for kind, values, expected in zip(algorithm.outputs, made, right, strict=True):
        flat = np.zeros(shape_of(kind, model)).ravel()
        for at, value in values.items():
            flat[at] = value
        close([flat.reshape(expected.shape[1:])], [expected[0]], name, robot)


@pytest.mark.parametrize(("name", "robot"), TRACED)
def test_programs(name, robot):
    algorithm, model, states, options = (
        ALGORITHMS[name],
        MODELS[robot],
        given(name, robot),
        options_of(ALGORITHMS[name], MODELS[robot]),
    )
    cheap = prepared(algorithm, model)
    versions = {"rolled": (model, True)}
    if (name, robot) in WRITTEN_OUT:
        versions |= {"unrolled": (model, False)}
        # kernels run the rolled one with frames moved, and on short robots the one written out
        versions |= {"unrolled, frames moved": (cheap, False)} if TRUST or robot == "long" else {}
    for title, (version, rolled) in versions.items():
        program = trace(algorithm, version, options, rolled=rolled)
        close(tuple(interpret(program, states).values()), reference(name, robot), name, robot, title)


@pytest.mark.parametrize(
    "name", ["inverse_dynamics/newton-euler", "forward_dynamics/relative", "mass_matrix/composite"]
)
def test_rolled_programs_do_not_grow(name):
    sizes = [sum(1 for _ in walk(trace(ALGORITHMS[name], robots.serial("R" * n, 1)).body)) for n in (50, 100)]
    assert sizes[0] == sizes[1]
