"""sincos and tanh of generated code against mpmath, over all magnitudes and near multiples of pi/2."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from ordern.emit.sincos import reduce_huge
from ordern.program.ir import Program
from ordern.runtime.kernels import Kernel
from programs import nodes

NODES = nodes("in x 0 | sincos v0 | sin v1 | cos v1 | tanh v0")
PROGRAM = Program(
    "f", NODES, [0, 1, 2, 3, 4, *nodes("out s 0 v2 | out c 0 v3 | out t 0 v4")], {"x": 1}, {"s": (), "c": (), "t": ()}
)
KERNELS = {dtype: Kernel.of(PROGRAM, dtype) for dtype in ("float64", "float32")}


def values(x, width=None):
    outs = [np.empty(len(x), x.dtype) for _ in range(3)]
    KERNELS[str(x.dtype)].run([x[:, None]], outs, width=width)
    return outs


def angles(rng, dtype, count=1500):
    info = np.finfo(dtype)
    size = rng.uniform(np.log2(info.tiny), np.log2(float(info.max)) - 0.01, count)
    every = np.exp2(size) * rng.choice([-1, 1], count)
    usual = rng.uniform(-10, 10, count)
    medium = rng.uniform(-1e5, 1e5, count)
    near = np.round(np.exp2(rng.uniform(0, 50, count))) * (np.pi / 2)
    edges = [
        0.0,
        -0.0,
        2.0**30,
        -(2.0**30),
        2.0**16,
        np.nextafter(2.0**30, 2.0**31),
        info.max,
        info.tiny,
        info.smallest_subnormal,
        np.pi,
        np.pi / 4,
    ]
    return np.concatenate([every, usual, medium, near, -near, edges]).astype(dtype)


def ulps(made, x, function, dtype):
    """The largest error in units of the last place of the exact value."""
    mp.mp.prec = 1200
    digits, tiniest = np.finfo(dtype).nmant, int(np.log2(float(np.finfo(dtype).smallest_subnormal)))
    worst = 0.0
    for m, a in zip(made, x, strict=True):
        exact = function(mp.mpf(float(a)))
        unit = mp.ldexp(1, max(mp.frexp(exact)[1] - 1 - digits, tiniest)) if exact else mp.ldexp(1, tiniest)
        worst = max(worst, float(abs(mp.mpf(float(m)) - exact) / unit))
    return worst


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sincos_is_right_to_about_an_ulp_everywhere(dtype):
    x = angles(np.random.default_rng(1), dtype)
    s, c, _ = values(x)
    assert ulps(s, x, mp.sin, dtype) < 1.35
    assert ulps(c, x, mp.cos, dtype) < 1.35


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_tanh_is_right_to_a_few_ulps(dtype):
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.uniform(-25, 25, 800), np.exp2(rng.uniform(-120, 5, 800)), [0.0, 1e30, -1e30]]).astype(
        dtype
    )
    assert ulps(values(x)[2], x, mp.tanh, dtype) < 3


def test_hardest_argument():
    x = 6381956970095103 * 2.0**797
    mp.mp.prec = 1200
    _, c, _ = values(np.array([x]))
    assert c[0] == float(mp.cos(mp.mpf(x)))
    r, j = reduce_huge(x)
    assert j % 2 == 1
    assert abs(r) == abs(c[0])


def test_the_reference_of_the_reduction_is_the_argument_less_quarter_turns():
    """In every quadrant and for both signs: x = r + j pi / 2 and whole turns."""
    mp.mp.prec = 1200
    x = np.exp2(np.random.default_rng(5).uniform(30, 1020, 24))
    made = [(y, *reduce_huge(y)) for y in (*x, *-x)]
    assert {j for _, _, j in made} == {0, 1, 2, 3} and {r > 0 for _, r, _ in made} == {True, False}
    for y, r, j in made:
        left = mp.mpf(y) - mp.mpf(r) - j * mp.pi / 2
        assert abs(left - 2 * mp.pi * mp.nint(left / (2 * mp.pi))) < 2**-51  # r has 53 bits and is below 1


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_infinity_and_nan_give_nan(dtype):
    s, c, t = values(np.array([np.inf, -np.inf, np.nan, 1.0], dtype))
    assert np.isnan(s[:3]).all()
    assert np.isnan(c[:3]).all()
    assert np.isnan(t[2])
    assert t[0] == 1
    assert t[1] == -1
    assert np.isfinite(s[3])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_neighbours_and_width_change_no_bit(dtype):
    x = angles(np.random.default_rng(3), dtype, 200)
    expected = values(x, 1)
    for width in (2, 4, 8, 16):
        for a, b in zip(values(x, width), expected, strict=True):
            assert a.tobytes() == b.tobytes()
    order = np.random.default_rng(4).permutation(len(x))
    for a, b in zip(values(x[order]), expected, strict=True):
        assert a.tobytes() == b[order].tobytes()
