"""select, least and most: the same choice on every kind of scalar and in every language that programs become."""

from __future__ import annotations

import ctypes
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import needs
from ordern.emit.c import export_c
from ordern.emit.javascript import javascript
from ordern.evaluate.counts import tally
from ordern.evaluate.exact import SCALARS
from ordern.program.finish import finished
from ordern.program.interpret import interpret
from ordern.program.interpret import run as run_on
from ordern.program.passes import fuse
from ordern.program.trace import Tracer
from ordern.runtime.kernels import Kernel
from ordern.scalars.dual import Dual, derivative
from ordern.scalars.primitives import Lane, least, most, select

NAMES = ("select", "least", "most", "sum")
POINTS = [(x, a, b) for x in (-2.0, -1e-300, 0.0, 1e-300, 3.0) for a in (-1.5, 0.25) for b in (-1.5, 2.0)]


def text(x, a, b):
    """A few choices, nested and within arithmetic."""
    return [select(x, a, b), least(a, b), most(a, x), select(x - a, least(x, b) * 2, most(b, 0)) + a * b]


def expected(x, a, b):
    return [a if x > 0 else b, min(a, b), max(a, x), (min(x, b) * 2 if x - a > 0 else max(b, 0)) + a * b]


def program():
    t = Tracer()
    values = text(*(t.input(name, 1)[0] for name in ("x", "a", "b")))
    for name, value in zip(NAMES, values, strict=True):
        t.output(name, 0, value)
    return finished("choices", t, dict.fromkeys(NAMES, (1,)))


@pytest.mark.parametrize(
    "make", [float, Fraction, mpmath.mpf, lambda x: Lane(np.array([x, x])), lambda x: Lane(np.float32(x)), np.float32]
)
def test_scalars(make):
    for point in POINTS:
        point = [float(np.float32(e)) for e in point]
        made = [float(np.ravel(e.array if isinstance(e, Lane) else e)[0]) for e in text(*map(make, point))]
        assert made == pytest.approx(expected(*point), rel=1e-7)


def test_structural_numbers_and_constants_fold():
    assert select(1, "a", "b") == "a" and select(0, "a", "b") == "b" and least(0, 1) == 0 and most(0, 1) == 1
    t = Tracer()
    (x,) = t.input("x", 1)
    assert select(x, x, x) is x and least(x, x) is x and select(-1.0, 0, x) is x
    assert tally(program()).add == 8  # six choices, a difference and a sum


def test_intervals_enclose_what_is_open():
    interval = SCALARS["interval"].convert
    made = select(interval((-1.0, 1.0)), interval(2.0), interval(3.0))
    assert (float(made.a), float(made.b)) == (2.0, 3.0)
    assert float(select(interval((0.5, 1.0)), interval(2.0), interval(3.0)).b) == 2.0
    assert float(select(interval((-1.0, 0.0)), interval(2.0), interval(3.0)).a) == 3.0
    made = least(interval((0.0, 5.0)), interval((1.0, 2.0)))
    assert (float(made.a), float(made.b)) == (0.0, 2.0)
    made = most(interval((0.0, 5.0)), interval((1.0, 2.0)))
    assert (float(made.a), float(made.b)) == (1.0, 5.0)


@pytest.mark.parametrize("level", [0, 1])
def test_derivatives_are_those_of_what_was_chosen(level):
    for x, a, b in POINTS:
        if x in (a, b) or a == b:
            continue
        moving = [Dual(e, {k: 1}, level) for k, e in zip("xab", (x, a, b), strict=True)]
        for e, value in zip(text(*moving), expected(x, a, b), strict=True):
            assert e.value == value
        slopes = {k: derivative(text(*moving)[3], k, level) for k in "xab"}
        h = 2.0**-20  # all of it is bilinear: central differences are exact but for rounding
        for k, direction in zip("xab", np.eye(3), strict=True):
            if abs(x) > 1e-6:
                up, down = (expected(*(np.array([x, a, b]) + s * h * direction))[3] for s in (1, -1))
                assert slopes[k] == pytest.approx((up - down) / (2 * h), abs=1e-8)


def test_no_number_stays_none():
    nan = float("nan")
    for f in (least, most):
        for make in (float, lambda x: Lane(np.array(x))):
            for a, b in ((nan, 1.0), (1.0, nan)):
                made = f(make(a), make(b))
                assert np.isnan(made.array if isinstance(made, Lane) else made)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("fused", [False, True])
def test_kernels_equal_the_interpreter(dtype, fused):
    p = fuse(program()) if fused else program()
    columns = [np.array(c, dtype)[:, None] for c in zip(*POINTS, (1.0, np.nan, 2.0), (1.0, 2.0, np.nan), strict=True)]
    made = interpret(p, dict(zip("xab", columns, strict=True)))
    for width in (1, 4, 8):
        outs = [np.empty((len(columns[0]), 1), dtype) for _ in NAMES]
        assert not Kernel.of(program(), dtype).run(columns, outs, width=width)  # there are NaNs
        for name, out in zip(NAMES, outs, strict=True):
            np.testing.assert_array_equal(out, made[name])


@needs.gcc
def test_c_equals_the_kernel(tmp_path):
    from emit.test_c import build

    library = ctypes.CDLL(str(build(tmp_path, export_c(program(), "choices"), shared="choices.so")))
    for point in [*POINTS, (1.0, np.nan, 2.0), (1.0, 2.0, np.nan)]:
        arrays = [np.array([e]) for e in point] + [np.empty(1) for _ in NAMES]
        library.choices(*(a.ctypes.data_as(ctypes.c_void_p) for a in arrays), None)
        want = interpret(program(), dict(zip("xab", arrays[:3], strict=True)))
        for name, out in zip(NAMES, arrays[3:], strict=True):
            np.testing.assert_array_equal(out, want[name])


@needs.node
def test_javascript_equals_the_interpreter():
    from emit.test_javascript import run

    for point in POINTS[:6]:
        arrays = [np.array([e]) for e in point]
        made = run(javascript(program()), arrays)
        for name, value in interpret(program(), dict(zip("xab", arrays, strict=True))).items():
            np.testing.assert_array_equal(made[name], value)


def test_sympy_casadi_and_jax():

    from ordern.evaluate.casadi_functions import _operators
    from ordern.evaluate.formulas import Formulas

    p, point = program(), POINTS[-1]
    formula = Formulas("choices", p).matrix[3][0]
    assert float(formula.subs(dict(zip(("x_1", "a_1", "b_1"), point, strict=True)))) == expected(*point)[3]
    import casadi

    symbols = {name: casadi.SX.sym(name, 1) for name in "xab"}
    function = casadi.Function(
        "f",
        list(symbols.values()),
        [casadi.vertcat(*(e for row in run_on(p, symbols, _operators(casadi)).values() for e in row))],
    )
    for point in POINTS:
        np.testing.assert_array_equal(np.array(function(*point))[:, 0], expected(*point))
    import jax

    from ordern.evaluate.jax_graph import run

    normal = [point for point in POINTS if abs(point[0]) != 1e-300]  # single precision has no such number
    columns = [jax.numpy.array(c)[:, None] for c in zip(*normal, strict=True)]
    made = np.concatenate(run(p, columns), axis=1)
    np.testing.assert_allclose(made, [expected(*point) for point in normal], rtol=1e-6)


@pytest.mark.parametrize("number", [0.5, np.float32(0.5), np.float64(0.5)])
def test_numbers_beside_batches(number):
    """Constants of a robot in single precision are NumPy's numbers: some gears, without machine code, raised a TypeError."""
    batch = Lane(np.array([0.0, 1.0], np.float32))
    for a, b in ((number, batch), (batch, number)):
        assert least(a, b).array.tolist() == [0.0, 0.5] and most(a, b).array.tolist() == [0.5, 1.0]
    assert select(batch, number, np.float32(2.0)).array.tolist() == [2.0, 0.5]
