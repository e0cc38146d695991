"""External wrenches are six numbers in an order of their own: names of columns are refused there, whatever they are."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import choose
from ordern.runtime.call import Call, coordinate_names

MODEL = robots.serial("RRRRRR", 2)
CALL = Call(MODEL, choose("inverse_dynamics", None, MODEL), links=[3])
JOINTS = coordinate_names(MODEL, "v")


@pytest.mark.parametrize("names", [JOINTS, JOINTS[::-1], ["mx", "my", "mz", "fx", "fy", "fz"]])
def test_names_say_nothing_about_a_wrench(names):
    """As many joints as a wrench has numbers: their names would put forces in another order."""
    given = dict(zip(names, np.arange(6.0), strict=True))
    with pytest.raises(ordern.InputError, match=r"has names for its numbers .* which are not read here"):
        CALL._checked(CALL.names[-1], given, 6)
    for name in CALL.names[:-1]:  # the others go by name
        if sorted(names) == sorted(JOINTS):
            assert CALL._checked(name, given, 6).tolist() == [given[joint] for joint in JOINTS]


def test_lists_and_arrays_are_wrenches():
    for given in (list(range(6)), tuple(range(6)), np.arange(6), np.arange(6.0, dtype="f4")):
        assert CALL._checked(CALL.names[-1], given, 6).tolist() == [0, 1, 2, 3, 4, 5]
