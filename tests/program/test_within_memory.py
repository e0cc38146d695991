"""Programs read and write where they have memory: machine code does not look, and Python's lists bear places below zero."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import choose
from ordern.program.build import prepared, trace
from ordern.program.carry import carry
from ordern.program.passes import fuse
from ordern.program.share_columns import share_columns
from programs import Bounded


def bush(count, kinds, seed=3):
    rng = np.random.default_rng(seed)
    names = ["floating", *(kinds[k] for k in rng.integers(0, len(kinds), count - 1))]
    return robots.tree(names, [0, *(int(rng.integers(max(0, k - 3), k + 1)) for k in range(1, count))], seed)


MODELS = {
    "chain": lambda: ordern.load("chain45").model,
    "tree": lambda: bush(42, ["revolute", "prismatic", "spherical", "universal"]),
}
QUANTITIES = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "jacobian", "kinetic_energy", "gravity_forces"]
CASES = [(name, quantity) for name in ("chain", "tree") for quantity in QUANTITIES]


@pytest.mark.parametrize(("name", "quantity"), CASES)
def test_every_access_has_its_place(name, quantity):
    """After tracing and after each pass; tables have as many columns as are used, and no pass needs more."""
    model = MODELS[name]()
    algorithm = choose(quantity, None, model)
    options = {"link": len(model.links) - 1, "world": True}
    program = trace(algorithm, prepared(algorithm, model), tuple(options[o] for o in algorithm.options))
    assert program.rows and program.tables
    rng, results, sizes = np.random.default_rng(2), [], []
    given = {n: rng.uniform(0.2, 1.0, count).tolist() for n, count in program.inputs.items()}
    fused = carry(fuse(program))
    for made in (program, fused, share_columns(fused)):
        machine = Bounded(made, given)
        machine.run(made.body)
        results.append(np.array([0.0 if x is None else x for out in machine.out.values() for x in out]))
        sizes.append(sum(width for _, width in made.tables))
    assert made is fused or machine.widths() == [width for _, width in made.tables]
    assert sizes[0] >= sizes[1] >= sizes[2]
    for result in results[1:]:  # a fused product rounds once where the other rounds twice
        np.testing.assert_allclose(result, results[0], rtol=0, atol=1e-9 * np.abs(results[0]).max())
