"""ORDERN_OPTIMISE=0: LLVM is quick, the bits are the same; the suite outside these folders relies on it."""

from __future__ import annotations

import os

import numpy as np
import pytest

import ordern
from grid import ALGORITHMS, MODELS, given, options_of
from ordern.program.build import prepared, trace
from ordern.runtime import cache
from ordern.runtime.kernels import Kernel

CASES = [
    ("inverse_dynamics/newton-euler", "mixed"),
    ("forward_dynamics/relative", "chain"),
    ("forward_dynamics/relative", "long"),  # loops
    ("mass_matrix_inverse/articulated", "floating"),
    ("log_det/denoc", "springs"),
]


def both(monkeypatch, make):
    found = []
    for word in ("1", "0"):
        monkeypatch.setenv("ORDERN_OPTIMISE", word)
        found.append(make())
    return found


@pytest.mark.parametrize(("name", "robot"), CASES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_kernels_have_the_same_bits(name, robot, dtype, monkeypatch):
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    program = trace(algorithm, prepared(algorithm, model), options_of(algorithm, model))

    def run():
        kernel = Kernel.of(program, dtype)
        outs = [np.full((3, size), np.nan, dtype) for size in kernel.sizes]
        assert kernel.run([np.ascontiguousarray(given(name, robot)[k], dtype) for k in kernel.inputs], outs)
        return b"".join(x.tobytes() for x in outs), kernel.ready().code

    (bits, code), (same, other) = both(monkeypatch, run)
    assert bits == same and code is not other


@pytest.mark.parametrize("method", ["rk4", "dopri5", "symplectic"])
def test_simulations_have_the_same_bits(method, monkeypatch):
    arm = ordern.robots.chain(3, seed=2)

    def run():
        options = {} if method == "dopri5" else {"dt": 1e-2}
        made = arm.simulate(np.tile([0.1, 0.2, 0.3], (3, 1)), duration=0.05, method=method, **options)
        return made.q.tobytes() + made.qd.tobytes()

    monkeypatch.setattr("ordern.simulate.ensemble._MADE", {})
    slow = run()
    monkeypatch.setattr("ordern.simulate.ensemble._MADE", {})
    monkeypatch.setenv("ORDERN_OPTIMISE", "0")
    assert run() == slow


def test_the_two_are_kept_apart_on_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    places = both(
        monkeypatch, lambda: (cache.save("k", {}, os.environ["ORDERN_OPTIMISE"].encode()), cache._path("k"))[1]
    )
    assert places[0] != places[1]
    assert both(monkeypatch, lambda: cache.load("k")[1]) == [b"1", b"0"]
