"""CasADi: the same algorithm text on CasADi's scalars, as a casadi.Function. Needs the extra "casadi"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import Algorithm
from ..errors import need
from ..model import Model
from ..program.build import prepared, trace
from ..program.ir import Program
from ..program.layout import shape_of

__all__ = ["casadi_function"]


def casadi_function(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Any:
    """A casadi.Function from column vectors to column vectors or matrices, from the straight-line program (zeros folded, work shared)."""
    casadi: Any = need("casadi", "casadi")
    program = trace(algorithm, prepared(algorithm, model), options, rolled=False)
    inputs = {name: casadi.SX.sym(name, count) for name, count in program.inputs.items()}
    results = _run(casadi, program, inputs)
    made, names = [], []
    for (name, flat), kind in zip(results.items(), algorithm.outputs, strict=True):
        shape = shape_of(kind, model)
        rows, columns = (*shape, 1, 1)[:2] if len(shape) <= 2 else (shape[0], len(flat) // shape[0])
        made.append(casadi.reshape(casadi.vertcat(*flat), columns, rows).T)  # CasADi is column-major
        names.append(name)
    return casadi.Function(algorithm.quantity, list(inputs.values()), made, list(inputs), names)


def _run(casadi: Any, program: Program, inputs: dict[str, Any]) -> dict[str, list[Any]]:
    values: dict[int, Any] = {}
    out: dict[str, dict[int, Any]] = {name: {} for name in program.outputs}
    binary = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}
    choice = {"select": lambda x, a, b: casadi.if_else(x > 0, a, b), "least": casadi.fmin, "most": casadi.fmax}
    unary = {
        "neg": lambda a: -a,
        "sqrt": casadi.sqrt,
        "tanh": casadi.tanh,
        "log": casadi.log,
        "sincos": lambda a: a,
        "sin": casadi.sin,
        "cos": casadi.cos,
    }
    for s in program.body:
        if isinstance(s, tuple):
            out[s[1]][s[2]] = values[s[3]]
            continue
        node = program.nodes[s]
        if node[0] == "const":
            values[s] = casadi.SX(node[1])
        elif node[0] == "in":
            values[s] = inputs[node[1]][node[2]]
        elif node[0] in binary:
            values[s] = binary[node[0]](values[node[1]], values[node[2]])
        elif node[0] in choice:
            values[s] = choice[node[0]](*(values[k] for k in node[1:]))
        else:
            values[s] = unary[node[0]](values[node[1]])
    return {name: [row[k] for k in range(len(row))] for name, row in out.items()}
