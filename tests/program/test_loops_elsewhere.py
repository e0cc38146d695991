"""Programs with loops, differentiated and as JAX graphs: what the same algorithm gives written out."""

from __future__ import annotations

import numpy as np
import pytest

import ordern.program.rolled as rolled
import ordern.program.schedule as schedule
import robots
from grid import ALGORITHMS, options_of
from ordern.program.adjoint import directional
from ordern.program.build import trace
from ordern.program.interpret import interpret

# together they use every kind of statement: tables, matrices, sums of indices, results by row, copied and zeroed ones
NAMES = [
    "inverse_dynamics/newton-euler", "forward_dynamics/articulated", "forward_dynamics/composite", "mass_matrix/natural-complement",
    "mass_matrix_inverse/denoc", "mass_matrix_udu/denoc", "regressor/recursive", "jacobian/recursive", "coriolis_matrix/christoffel",
]  # fmt: skip
TREES = {
    "tree": lambda: robots.tree(["revolute", "spherical", "prismatic", "universal", "revolute"], [0, 1, 1, 2, 4], 3),
    "chain": lambda: robots.serial("RPR", 4),
    "pair": lambda: robots.serial("UR", 5),
}


@pytest.fixture
def few(monkeypatch):
    """However short a robot is, its walks are loops."""
    monkeypatch.setattr(rolled, "UNROLL", 0)
    for name, value in (("UNROLL", 0), ("FEW", 1), ("FEW_ROOTS", 0)):
        monkeypatch.setattr(schedule, name, value)


def both(name, robot):
    """The program with loops, the one without, and states."""
    algorithm, model = ALGORITHMS[name], TREES[robot]()
    made = [trace(algorithm, model, options_of(algorithm, model), rolled=on) for on in (True, False)]
    assert not made[0].straight and made[1].straight
    rng = np.random.default_rng(2)
    states = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, rng, (3,)), strict=False))
    states["tau"] = rng.uniform(-1, 1, (3, model.nv))
    return *made, {key: states[key] for key in made[0].inputs}


@pytest.mark.parametrize("robot", ["tree", "chain"])
@pytest.mark.parametrize("name", NAMES)
def test_rates_of_loops_are_those_of_what_is_written_out(few, name, robot):
    looped, plain, states = both(name, robot)
    rng = np.random.default_rng(3)
    wrt = list(states)
    moves = [rng.uniform(-1, 1, states[key].shape) for key in wrt]
    made, right = (
        interpret(p, dict(zip(p.inputs, [*states.values(), *moves], strict=True)))
        for p in (directional(looped, wrt), directional(plain, wrt))
    )
    assert len(made) == len(right)
    for a, b in zip(made.values(), right.values(), strict=True):
        # some hundred roundings, times the condition of a mass matrix of five bodies (up to 1e3)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e5 * np.finfo(float).eps * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("name", ["mass_matrix/natural-complement", "regressor/recursive"])
def test_graphs_of_loops_are_what_the_interpreter_makes_of_them(few, name):
    import jax

    from ordern.evaluate.jax_graph import run

    looped, _, states = both(name, "pair")
    right = interpret(looped, states)
    with jax.enable_x64(), jax.disable_jit():  # which would compile for seconds what runs once
        made = run(looped, [jax.numpy.asarray(a) for a in states.values()])
    for a, b in zip(made, right.values(), strict=True):
        size = max(1.0, np.abs(b).max())
        np.testing.assert_allclose(np.asarray(a).reshape(b.shape), b, rtol=0, atol=1e3 * np.finfo(float).eps * size)
