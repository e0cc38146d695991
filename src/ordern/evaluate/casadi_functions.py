"""CasADi: the same algorithm text on CasADi's scalars, as a casadi.Function. Needs the extra "casadi"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import Algorithm
from ..errors import need
from ..model import Model
from ..program.build import prepared, trace
from ..program.interpret import PRIMITIVES, Operators, run
from ..program.layout import shape_of
from .evaluators import evaluator

__all__ = ["casadi_function"]


@evaluator("casadi")
def casadi_function(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Any:
    """A casadi.Function from column vectors to column vectors or matrices, from the straight-line program (zeros
    folded, work shared).
    """
    casadi: Any = need("casadi", "casadi")
    program = trace(algorithm, prepared(algorithm, model), options, rolled=False)
    inputs = {name: casadi.SX.sym(name, count) for name, count in program.inputs.items()}
    results = run(program, inputs, _operators(casadi))
    made, names = [], []
    for (name, flat), kind in zip(results.items(), algorithm.outputs, strict=True):
        shape = shape_of(kind, model)
        rows, columns = (*shape, 1, 1)[:2] if len(shape) <= 2 else (shape[0], len(flat) // shape[0])
        made.append(casadi.reshape(casadi.vertcat(*flat), columns, rows).T)  # CasADi is column-major
        names.append(name)
    return casadi.Function(algorithm.quantity, list(inputs.values()), made, list(inputs), names)


def _operators(casadi: Any) -> Operators:
    """What CasADi's scalars do; sine and cosine are two functions of the angle."""
    return PRIMITIVES.changed(
        casadi.SX, sqrt=casadi.sqrt, tanh=casadi.tanh, log=casadi.log, sincos=lambda a: a, sin=casadi.sin,
        cos=casadi.cos,
        select=lambda x, a, b: casadi.if_else(x > 0, a, b), least=casadi.fmin, most=casadi.fmax,
    )  # fmt: skip
