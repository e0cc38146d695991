"""Programs stay short enough to compile: trees with joints of many kinds and degrees of freedom as well as chains of one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import robots
from budget import TRUST
from ordern.algorithms.registry import all_algorithms, choose, find
from ordern.program.build import LARGEST, _rolled, prepared, trace, written
from ordern.program.finish import settled
from ordern.program.interpret import interpret
from ordern.program.rolled import schedule
from ordern.runtime.numbers import numbers

KINDS = ["revolute", "spherical", "universal", "planar", "cylindrical", "helical", "prismatic"]


def bush(count, seed=5, kinds=7):
    """A floating tree with joints of every kind."""
    rng = np.random.default_rng(seed)
    names = ["floating", *(KINDS[k] for k in rng.integers(0, kinds, count - 1))]
    return robots.tree(names, [0, *(int(rng.integers(max(0, k - 4), k + 1)) for k in range(1, count))], seed)


def arguments(algorithm, model, batch=()):
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(1), batch)
    return {name: {"q": q, "qd": qd, "qdd": qdd, "tau": tau}[name] for name in algorithm.inputs}


@pytest.mark.parametrize("model", [bush(27), bush(60)], ids=["27 bodies", "60 bodies"])
def test_no_default_is_longer_than_compilers_bear(model):
    served = {
        a.quantity for a in all_algorithms() if a.refusal(model) is None
    }  # springs and loops have quantities that this robot has not
    quantities = sorted(served - {"regressor", "joint_wrenches", "gibbs_function"})  # those have no loops
    # the short form has every quantity on one of the two, and what grows fastest on both
    for quantity in quantities if TRUST else [*quantities[len(model.bodies) % 2 :: 2], "forward_dynamics_derivatives"]:
        algorithm = choose(quantity, None, model)
        program = trace(algorithm, prepared(algorithm, model), (len(model.links) - 1, True)[: len(algorithm.options)])
        assert written(program.body) <= 2 * LARGEST, algorithm.name


@pytest.mark.parametrize("alone", [True, False])  # columns in the blocks of one state, or of batches
@pytest.mark.parametrize("kinds", [2, 7])
def test_degrees_of_freedom_one_by_one_are_the_same_elimination(kinds, alone):
    model = bush(12, kinds=kinds)
    (algorithm,) = find("forward_dynamics_derivatives", "recursive")
    given = arguments(algorithm, model)
    want = numbers(algorithm, model)(*given.values())
    assert model.nv > len(model.bodies)
    for plan in (
        schedule(model, 0),
        list(range(1, len(model.bodies))),
    ):  # with loops over joints, and without any but those
        write = partial(_rolled, algorithm, model, (), (), plan, alone=None if alone else bool)
        made = interpret(settled(write), given)
        for x, y in zip(made.values(), want, strict=True):
            np.testing.assert_allclose(
                x, y, rtol=0, atol=1e4 * np.finfo(float).eps * np.abs(y).max()
            )  # times the condition of M, some 1e3
