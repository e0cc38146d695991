"""Shapes of results and sizes of inputs, counted by hand for a tree and for a closed chain."""

from __future__ import annotations

import pytest

import ordern
import robots
from ordern.algorithms.registry import find
from ordern.program.layout import input_sizes, output_names, shape_of

TREE = robots.serial("FRS", 3)  # 3 bodies, 10 velocities, 12 coordinates
CLOSED = ordern.robots.fivebar().model  # 4 bodies and hinges, one loop closed by a hinge
SHAPES = {
    "dofs": ((10,), (4,)),
    "coordinates": ((12,), (4,)),
    "symmetric": ((10, 10), (4, 4)),
    "square": ((10, 10), (4, 4)),
    "carried": ((10, 10), (4, 4)),
    "jacobian": ((6, 10), (6, 4)),
    "scalar": ((), ()),
    "vector": ((3,), (3,)),
    "wrench": ((6,), (6,)),
    "wrenches": ((3, 6), (4, 6)),
    "inertias": ((3, 10), (4, 10)),
    "equations": ((0,), (5,)),
    "constraints": ((0, 10), (5, 4)),
    "loop_wrenches": ((0, 6), (1, 6)),
    "matrix6": ((6, 6), (6, 6)),
    "pose": ((4, 4), (4, 4)),
    "poses": ((len(TREE.links), 4, 4), (5, 4, 4)),
    "regressor": ((10, 30), (4, 40)),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes(kind):
    assert (shape_of(kind, TREE), shape_of(kind, CLOSED)) == SHAPES[kind]


def test_inputs_and_outputs():
    made = find("inverse_dynamics")[0]
    assert input_sizes(made, TREE, [1, 2]) == {"q": 12, "qd": 10, "qdd": 10, "external0": 6, "external1": 6}
    assert output_names(made) == ["out0"]
    assert output_names(find("inverse_dynamics_derivatives")[0])[:2] == ["out0", "out1"]
