"""Random programs that use every operation, in every language and number type that programs are written in or run on.

The grid holds algorithms x robots to these evaluators; what an evaluator itself can get wrong is an operation, the order of its
operands, a value that is used again, its name, or the place of a result. All of that is here, in small.
"""

from __future__ import annotations

import json
import math
import random
import subprocess

import casadi
import mpmath
import numpy as np
import pytest
import sympy

import needs
from budget import PATIENCE, examples
from ordern.emit.javascript import javascript
from ordern.evaluate import jax_graph
from ordern.evaluate.casadi_functions import _operators as casadi_operators
from ordern.evaluate.exact import SCALARS
from ordern.evaluate.formulas import Formulas
from ordern.program.adjoint import _Rolled, adjoint, directional
from ordern.program.interpret import PRIMITIVES, interpret, run
from ordern.program.ir import Node, Program
from ordern.program.passes import fuse, sweep_dead
from ordern.runtime.kernels import Kernel

COUNT, LENGTH = examples(12, 200), 60
POINT = {"x": [0.3, -1.25, 0.875], "y": [2.5, -0.625]}  # numbers that every number type has
CONSTANTS = (0.0, 1.0, -1.0, 0.5, -2.75, 0.1)
SINGLE, PAIRS = ("neg", "sqrt", "tanh", "log", "sincos"), ("add", "sub", "mul", "div", "least", "most")
APART = 0.05  # no choice is so near, no divisor so small, that rounding decides


def value(op, a):
    """What an operation makes of floats; None where it would not be sure."""
    if op in ("div", "least", "most") and abs(a[1] if op == "div" else a[0] - a[1]) < APART:
        return None
    if op in ("sqrt", "log", "select") and (abs(a[0]) < APART or (op != "select" and a[0] < 0)):
        return None
    made = {
        "neg": lambda x: -x, "sqrt": math.sqrt, "tanh": math.tanh, "log": math.log, "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "least": min, "most": max,
        "select": lambda x, y, z: y if x > 0 else z,
    }[op](*a)  # fmt: skip
    return made if abs(made) < 30 else None


def made(seed):
    """A program, and what its outputs are."""
    rng = random.Random(seed)
    nodes = [Node("in", (), (name, k)) for name, row in POINT.items() for k in range(len(row))]
    values = [x for row in POINT.values() for x in row]
    nodes += [Node("const", (), (x,)) for x in CONSTANTS]
    values += CONSTANTS
    usable, labels = list(range(len(nodes))), {}
    while len(nodes) < LENGTH:
        op = rng.choice((*SINGLE, *PAIRS, *PAIRS, "select"))
        src = tuple(rng.choice(usable[-25:]) for _ in range(1 if op in SINGLE else 2 if op in PAIRS else 3))
        if op == "sincos":
            angle, at = values[src[0]], len(nodes)
            nodes += [Node("sincos", src), Node("sin", (at,)), Node("cos", (at,))]
            values += [math.nan, math.sin(angle), math.cos(angle)]
            usable += [at + 1, at + 2]
        elif (found := value(op, [values[k] for k in src])) is not None:
            usable.append(len(nodes))
            if rng.random() < 0.4:  # walks name what they store again and again
                labels[len(nodes)] = (rng.choice("Fx"), rng.randrange(3), rng.choice(("", "0", "angular.x")))
            nodes.append(Node(op, src))
            values.append(found)
    results = [rng.choice(usable[-20:]) for _ in range(7)]
    body = [*range(len(nodes))]
    body += [Node("out", (k,), ("one", at) if at < 3 else ("two", at - 3)) for at, k in enumerate(results)]
    outputs = {"one": (3,), "two": (2, 2)}
    program = Program(f"random {seed}", nodes, body, {k: len(row) for k, row in POINT.items()}, outputs, labels=labels)
    return sweep_dead(program), np.array([values[k] for k in results])


PROGRAMS = [made(seed) for seed in range(COUNT)]
# as many roundings as there are operations, each magnified by quotients and roots of numbers down to APART
NEAR = 1e-10


def flat(found):
    return np.array([float(x) for row in found.values() for x in np.ravel(row)])


def near(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=NEAR * max(1.0, np.abs(expected).max()))


def test_every_operation_is_used():
    used = {p.nodes[s].op for p, _ in PROGRAMS for s in p.body if isinstance(s, int)}
    assert used == {"in", "const", *SINGLE, "sin", "cos", *PAIRS, "select"}
    assert {"fma", "fms", "fnma"} <= {
        f.nodes[s].op for p, _ in PROGRAMS for f in [fuse(p)] for s in f.body if isinstance(s, int)
    }


NUMBERS = {
    "float": (PRIMITIVES, float, float),
    "mpmath": (SCALARS["mpmath"].operators, mpmath.mpf, float),
    "interval": (SCALARS["interval"].operators, SCALARS["interval"].convert, lambda x: float(mpmath.mpf(x.mid))),
    "casadi numbers": (casadi_operators(casadi).changed(casadi.DM), casadi.DM, float),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_number_types(kind):
    operators, make, back = NUMBERS[kind]
    for program, expected in PROGRAMS:
        for version in (program, fuse(program)):
            found = run(version, {k: [make(x) for x in row] for k, row in POINT.items()}, operators)
            near([back(x) if not isinstance(x, int) else x for row in found.values() for x in row], expected)


def test_arrays_and_machine_code():
    batch = {k: np.tile(row, (3, 1)) for k, row in POINT.items()}
    for program, expected in PROGRAMS:
        for version in (program, fuse(program)):
            one, two = interpret(version, batch).values()
            assert one.shape == (3, 3) and two.shape == (3, 2, 2)
            for k in range(3):
                near(flat({"one": one[k], "two": two[k]}), expected)
        outs = [np.full((3, 3), np.nan), np.full((3, 4), np.nan)]
        assert Kernel.of(program, "float64").run(list(batch.values()), outs)
        for k in range(3):
            near(flat({"one": outs[0][k], "two": outs[1][k]}), expected)


WAY = {"x": [0.5, -0.75, 1.5], "y": [-0.25, 2.0]}


def slope(program, way):
    """The derivative along a way: a difference quotient in sixty digits."""
    with mpmath.workdps(60):
        h, found = mpmath.mpf(10) ** -20, []
        for sign in (1, -1):
            at = {k: [x + sign * h * v for x, v in zip(row, way[k], strict=True)] for k, row in POINT.items()}
            found.append([mpmath.mpf(x) for row in run(program, at, SCALARS["mpmath"].operators).values() for x in row])
        return np.array([float((a - b) / (2 * h)) for a, b in zip(*found, strict=True)])


@pytest.mark.parametrize("form", ["straight", "loops", "backwards"])
def test_derivatives(form):
    """Rates after each statement, as programs with loops have them, rates of expressions, and weights backwards."""
    for program, _ in PROGRAMS:
        expected = slope(program, WAY)
        if form == "backwards":
            made, total = adjoint(program, ["x", "y"]), 0.0
            weights = np.random.default_rng(0).normal(size=7)
            found = run(made, POINT | {"one_w": weights[:3], "two_w": weights[3:]}, PRIMITIVES)
            total = sum(w * v for name, row in WAY.items() for w, v in zip(found[f"{name}_w"], row, strict=True))
            size = max(1.0, np.abs(expected).max())
            assert abs(total - weights @ expected) < NEAR * size * 10  # sums of seven weighted slopes
            continue
        made = directional(program, ["x", "y"]) if form == "straight" else _Rolled(program, ["x", "y"]).made()
        along = POINT | {f"{name}_t": row for name, row in WAY.items()}
        near(flat(run(made, along, PRIMITIVES)), expected)


def test_casadi():
    for program, expected in PROGRAMS:
        inputs = {k: casadi.SX.sym(k, len(row)) for k, row in POINT.items()}
        found = run(program, inputs, casadi_operators(casadi))
        whole = casadi.Function("f", list(inputs.values()), [casadi.vertcat(*row) for row in found.values()])
        near(np.concatenate([np.array(x).ravel() for x in whole(*POINT.values())]), expected)


def test_graphs_of_jax():
    import jax

    with jax.enable_x64(True):
        arrays = [jax.numpy.asarray([row], dtype="float64") for row in POINT.values()]
        whole = jax.jit(
            lambda *given: [jax_graph.run(program, given) for program, _ in PROGRAMS]
        )  # one compile for all
        for (_, expected), found in zip(PROGRAMS, whole(*arrays), strict=True):
            near(np.concatenate([np.asarray(x).ravel() for x in found]), expected)


def test_formulas_and_the_names_of_their_steps():
    for program, expected in PROGRAMS:
        formulas = Formulas("random", program)
        known = {
            sympy.Symbol(f"{k}_{i + 1}"): sympy.Float(x, 20) for k, row in POINT.items() for i, x in enumerate(row)
        }
        for symbol, expression in formulas.steps:
            assert symbol not in known, "two steps of one name"
            known[symbol] = sympy.N(expression.xreplace(known), 20)
        near([float(e.xreplace(known)) for matrix in formulas.results for e in matrix], expected)


@needs.node
def test_javascript():
    lines = [f"const given = {json.dumps(POINT)};"]
    for program, _ in PROGRAMS:
        lines += [
            f"console.log(JSON.stringify(Object.values(({javascript(p)})(given.x, given.y)).flatMap(v => Array.from(v))));"
            for p in (program, fuse(program))
        ]
    done = subprocess.run(
        ["node", "-"], input="\n".join(lines), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    for k, line in enumerate(done.stdout.splitlines()):
        near(json.loads(line), PROGRAMS[k // 2][1])
