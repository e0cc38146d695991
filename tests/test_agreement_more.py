"""Cases of the grid on machine code (COMPILED) and on every registered evaluator (OTHERS); all of them with ORDERN_TRUST=1."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from budget import TRUST
from grid import (
    ALGORITHMS,
    BY_TABLE,
    COMPILED,
    LEFT_OUT,
    MODELS,
    OTHERS,
    SLOW,
    SPOKEN,
    close,
    given,
    in_turn,
    options_of,
    reference,
)
from ordern.errors import MissingExtra
from ordern.evaluate.evaluators import all_evaluators
from ordern.program.build import prepared, trace
from ordern.runtime.kernels import Kernel
from quick_code import quick_code


def run(kernel, states, shapes):
    outs = [np.full((3, size), np.nan, kernel.dtype) for size in kernel.sizes]
    assert kernel.run([np.ascontiguousarray(states[k], kernel.dtype) for k in kernel.inputs], outs)
    return [o.reshape(shape) for o, shape in zip(outs, shapes, strict=True)]


LOOPS = (
    "floating",
    "long",
)  # as loops too; the chain is like the long one, and in a tree of ten different joints each turn does something else
# in single precision too, which is the same text with other types
SINGLE = ("chain", "mimic", "planar") if TRUST else ("planar",)


# five seconds each; program/test_column_walks.py and test_looped_columns.py run the same algorithm on smaller trees of all these kinds
LONGER = {("forward_dynamics_derivatives/recursive", robot) for robot in ("long", "mixed")}
CODED = [case for case in COMPILED if case not in SLOW and (TRUST or case not in LONGER)]
POLISHED = in_turn(CODED, 0, 4)  # by LLVM, as users have it; the others are the same text, made quickly


@pytest.mark.parametrize(("name", "robot"), CODED)
def test_machine_code(name, robot):
    """As the product makes it (short robots written out, long ones as loops), and as loops."""
    with nullcontext() if (name, robot) in POLISHED else quick_code():
        check_machine_code(name, robot)


def check_machine_code(name, robot):
    algorithm, model, options = ALGORITHMS[name], MODELS[robot], options_of(ALGORITHMS[name], MODELS[robot])
    states, right = given(name, robot), reference(name, robot)
    programs = {"as it is used": trace(algorithm, prepared(algorithm, model), options)}
    if robot in LOOPS and programs["as it is used"].straight:
        loops = trace(algorithm, prepared(algorithm, model), options, rolled=True)
        programs |= {} if loops.straight else {"as loops": loops}  # some kinds of results no loop makes
    for title, program in programs.items():
        for dtype in ("float64", "float32") if robot in SINGLE and title == "as it is used" else ("float64",):
            close(run(Kernel.of(program, dtype), states, [r.shape for r in right]), right, name, robot, title, dtype)


# Each of these tables has all that serves one joint, and a third of the rest; each case is in one of them or more.
TOLD = {kind: in_turn(SPOKEN, k, 3, ("pendulum",)) for k, kind in enumerate(BY_TABLE)}
assert {case for cases in TOLD.values() for case in cases} == set(SPOKEN)
EVALUATED = [
    (kind, *case)
    for kind in all_evaluators()
    for case in (TOLD[kind] if kind in BY_TABLE else OTHERS)
    if kind not in LEFT_OUT or not LEFT_OUT[kind](*case)
]


@pytest.mark.parametrize(("kind", "name", "robot"), EVALUATED)
def test_evaluator(kind, name, robot):
    """Every one that is registered: a file of ordern.evaluate enters by itself."""
    algorithm, model, right = ALGORITHMS[name], MODELS[robot], reference(name, robot)
    try:
        made = all_evaluators()[kind](algorithm, model, options_of(algorithm, model))(
            *(array[0] for array in given(name, robot).values())
        )
    except MissingExtra as missing:
        pytest.skip(str(missing))
    made = made if isinstance(made, (tuple, list)) else (made,)
    close(
        [np.array(m, float).reshape(r.shape[1:]) for m, r in zip(made, right, strict=True)],
        [r[0] for r in right],
        name,
        robot,
    )


def test_every_evaluator_is_listed():
    wanted = {
        "numbers",
        "program",
        "machine code",
        "opencl",
        "casadi",
        "jax",
        "torch",
        "mpmath",
        "fraction",
        "interval",
        "formulas",
    }
    assert set(all_evaluators()) >= wanted and set(LEFT_OUT) <= wanted
