"""Trees of a few bodies in loops, as long ones are: every algorithm that has loops gives the numbers of the algorithm itself.

What decides on loops is the number of bodies alone; here it is set so that trees of eight bodies with branches, two roots, springs, armatures and
wrenches on links are loops too. Tracing them takes hundredths of a second, so that all algorithms can be tried.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms
from ordern.program import schedule
from ordern.program.build import prepared, trace
from ordern.program.carry import carry
from ordern.program.passes import fuse
from ordern.program.share_columns import share_columns
from ordern.runtime.call import static_options
from ordern.runtime.numbers import numbers
from programs import Bounded

EPS = np.finfo(float).eps
SLOW = (
    "derivatives",
    "coriolis",
    "fixman",
    "gradient",
    "articulated",
    "mass_matrix_inverse",
    "regressor",
)  # on the chain alone
ROOTS = (
    "mass_matrix/composite",
    "mass_matrix_inverse/denoc",
    "inverse_dynamics/newton-euler",
    "forward_dynamics/denoc",
    "momentum/recursive",
)
NAMES = [
    a.name for a in all_algorithms()
    if not a.closed and not a.name.endswith(("coupled", "planar", "carried")) and {"link"}.isdisjoint(a.options)
]  # fmt: skip


def sprung(model, seed):
    """Springs with a rest of their own, armatures."""
    rng, bodies = np.random.default_rng(seed), []
    for body in model.bodies:
        joint = body.joint
        size = joint.nv
        own = {"armature": tuple(rng.uniform(0.1, 1, size))}
        if joint.plain and size:
            own |= {"stiffness": tuple(rng.uniform(1, 9, size)), "springref": tuple(rng.uniform(-1, 1, size))}
        bodies.append(replace(body, **own) if body is not model.bodies[0] else body)
    return model.with_bodies(bodies)


TREES = {
    "branches": sprung(robots.tree([*["revolute", "prismatic"] * 2, "universal", *["revolute"] * 3], [0, 1, 1, 2, 2, 5, 3, 4], 3), 1),
    "roots": robots.tree(["floating", "revolute", "revolute", "spherical", "revolute", "floating", "prismatic"], [0, 1, 2, 1, 0, 5, 6], 4),
    "chain": robots.serial("RRRRR", 5),
}  # fmt: skip


CASES = [("chain", name) for name in NAMES] + [
    ("branches", name) for name in NAMES if not any(word in name for word in SLOW)
]
CASES += [("roots", name) for name in ROOTS]
CASES += [
    ("branches", name)
    for name in ("forward_dynamics/articulated", "coriolis_matrix/denoc", "mass_matrix_inverse/denoc-columns")
]


@pytest.mark.parametrize(("robot", "name"), CASES)
def test_loops_give_the_numbers_of_the_algorithm(name, robot, monkeypatch):
    monkeypatch.setattr(schedule, "FEW", 2)
    monkeypatch.setattr(schedule, "FEW_ROOTS", 0)
    algorithm, model = next(a for a in all_algorithms() if a.name == name), TREES[robot]
    links = [1, 3] if name == "inverse_dynamics/newton-euler" else []
    options = static_options(algorithm, model, None)
    program = trace(algorithm, prepared(algorithm, model), options, links, rolled=True)
    assert not program.straight
    state = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, np.random.default_rng(0), ()), strict=True))
    given = [state.get(key, state["qd"]) for key in algorithm.inputs] + [np.arange(1.0, 7.0) + k for k in links]
    wanted = numbers(algorithm, model, options, links)(*given)
    for made in (program, share_columns(carry(fuse(program)))):
        machine = Bounded(made, {key: x.tolist() for key, x in zip(made.inputs, given, strict=True)})
        machine.run(made.body)
        for found, values in zip(machine.out.values(), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            size = max(1.0, np.abs(values).max())
            # some hundred roundings in another order; the mass matrices have conditions below 1e3
            np.testing.assert_allclose(np.array(found, float), values.ravel(), rtol=0, atol=1e4 * EPS * size)
