"""CasADi: the same algorithm text on CasADi's scalars, as a casadi.Function. Needs the extra "casadi"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import Algorithm
from ..errors import need
from ..model import Model
from ..program.build import prepared, trace
from ..program.carry import carry
from ..program.interpret import PRIMITIVES, Operators, run
from ..program.layout import shape_of
from .casadi_loops import Walks, repeatable
from .evaluators import evaluator

__all__ = ["casadi_function"]


@evaluator("casadi")
def casadi_function(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Any:
    """A casadi.Function from column vectors to column vectors or matrices: of scalars (SX) from the straight-line
    program (zeros folded, work shared), of long chains from one that repeats a turn (MX).
    """
    casadi: Any = need("casadi", "casadi")
    model_used, operators = prepared(algorithm, model), _operators(casadi)
    program = carry(trace(algorithm, model_used, options))
    if repeatable(program):
        inputs = {name: casadi.MX.sym(name, count) for name, count in program.inputs.items()}
        walks = Walks(program, inputs, operators.changed(casadi.DM), casadi)
        walks.run(program.body)
        results = [walks.rows[name] for name in program.outputs]
    else:
        program = program if program.straight else trace(algorithm, model_used, options, rolled=False)
        inputs = {name: casadi.SX.sym(name, count) for name, count in program.inputs.items()}
        results = [casadi.vertcat(*flat) for flat in run(program, inputs, operators).values()]
    made = []
    for flat, kind in zip(results, algorithm.outputs, strict=True):
        rows = (*shape_of(kind, model), 1)[0]
        made.append(casadi.reshape(flat, -1, rows).T)  # CasADi is column-major
    return casadi.Function(algorithm.quantity, list(inputs.values()), made, list(inputs), list(program.outputs))


def _operators(casadi: Any) -> Operators:
    """What CasADi's scalars do; sine and cosine are two functions of the angle."""
    return PRIMITIVES.changed(
        casadi.SX, sqrt=casadi.sqrt, tanh=casadi.tanh, log=casadi.log, sincos=lambda a: a, sin=casadi.sin,
        cos=casadi.cos,
        select=lambda x, a, b: casadi.if_else(x > 0, a, b), least=casadi.fmin, most=casadi.fmax,
    )  # fmt: skip
