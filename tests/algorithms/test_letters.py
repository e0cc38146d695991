"""With letters for masses and lengths every method gives the same formulas: evaluated, the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from ordern.algorithms.registry import all_algorithms
from ordern.describe.builtin import planar3, stanford
from ordern.program.interpret import interpret
from ordern.program.ir import Node
from ordern.program.parameters import symbolic_trace
from ordern.runtime.numbers import numbers

NAMES = [a.name for a in all_algorithms() if not a.options and set(a.inputs) <= {"q", "qd", "qdd", "tau"}]
MODELS = {"planar3": planar3(), "stanford": stanford()}


@pytest.mark.parametrize("robot", MODELS)
@pytest.mark.parametrize("name", NAMES)
def test_letters_stand_for_their_numbers(name, robot):
    algorithm, model = next(a for a in all_algorithms() if a.name == name), MODELS[robot]
    if algorithm.refusal(model):
        return
    rng = np.random.default_rng(3)
    given = {k: rng.uniform(-1, 1, model.nv) for k in algorithm.inputs}
    program, letters = symbolic_trace(algorithm, model)
    program.nodes = [
        Node("const", (), (letters[n.arg[0]],)) if n.op == "in" and n.arg[0] in letters else n for n in program.nodes
    ]
    expected = numbers(algorithm, model)(*given.values())
    for made, value in zip(
        interpret(program, given).values(), expected if isinstance(expected, tuple) else (expected,), strict=True
    ):
        np.testing.assert_allclose(made, value, rtol=0, atol=1e-9 * max(1.0, np.abs(value).max()))
    if algorithm.quantity in (
        "mass_matrix",
        "inverse_dynamics",
        "forward_dynamics",
        "mass_matrix_udu",
        "mass_matrix_inverse",
    ):
        assert {f"m_{model.nv}", f"p_{model.nv}_x" if robot == "planar3" else "m_2"} <= set(letters)
