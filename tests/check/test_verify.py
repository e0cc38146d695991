"""Verification holds for robots of every kind and catches a method that is wrong."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import ordern
from ordern.algorithms import registry
from ordern.check.verify import renumbered, turned, verify
from ordern.model import Mass, Placement
from ordern.robot import Robot
from robots import GRID


@pytest.mark.parametrize("name", ["pendulum", "arm6", "mixed", "floating"])
def test_all_methods_and_laws_hold(name):
    made = verify(Robot(GRID[name]()), states=4)
    assert made.ok, str(made)
    assert len(made.checks) > 15 and "U D U^T = M" in str(made)


def test_panda_lists_what_refuses_its_mimic_joint():
    made = verify(ordern.robots.panda(), states=3)
    assert made.ok, str(made)
    assert any("mimic" in r.reason for r in made.refused)


def test_a_wrong_method_is_off(monkeypatch):
    right = registry.find("mass_matrix", "composite")[0]

    class Bent:
        def __init__(self, q):
            self.q = q

        def __getitem__(self, i):
            return self.q[i] * 1.0000001

    def wrong(tree, q):
        return right.function(tree, Bent(q))

    bad = dataclasses.replace(right, function=wrong, method="wrong", rank=999)
    monkeypatch.setitem(registry._FOUND["mass_matrix"], "wrong", bad)
    made = verify(ordern.robots.planar3(), states=3)
    assert [c.what for c in made.checks if not c.ok] == ["mass_matrix: wrong = composite"]


def test_a_joint_without_inertia_is_off():
    model = ordern.robots.planar3().model
    empty = dataclasses.replace(model.bodies[3], inertia=Mass())
    made = verify(Robot(dataclasses.replace(model, bodies=(*model.bodies[:3], empty))), states=2)
    assert not made.ok and any("singular" in c.note for c in made.checks)


def test_bad_input():
    with pytest.raises(ordern.InputError, match="at least one"):
        verify(ordern.robots.pendulum(), states=0)


def test_renumbering_is_a_permutation_of_a_tree():
    model = GRID["mixed"]()
    other, order_q, order_v = renumbered(model)
    assert (
        sorted(order_q) == list(range(model.nq))
        and sorted(order_v) == list(range(model.nv))
        and order_v != list(range(model.nv))
    )
    assert all(b.parent < k for k, b in enumerate(other.bodies[1:], 1))


def test_turned_base_keeps_the_mass_matrix():
    model = ordern.robots.stanford().model
    q = np.full(6, 0.3)
    other = Robot(turned(model, Placement.from_rpy((0, 0, 0), (1, 2, 3))))
    np.testing.assert_allclose(other.mass_matrix(q), Robot(model).mass_matrix(q), rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["fourbar", "slider_crank", "threerrr", "delta", "stewart", "bricard"])
def test_closed_chains_hold(name):
    made = verify(ordern.load(name), states=4)
    assert made.ok, str(made)
    said = str(made)
    assert "loops do no work" in said and "A qdd + dA/dt qd = 0" in said and "= kkt" in said


@pytest.mark.parametrize(
    ("method", "row"),
    [
        ("forward_dynamics", "compiled = kkt"),
        ("constraint_bias", "A qdd + dA/dt qd = 0"),
        ("bias_forces", "loops do no work"),
    ],
)
def test_a_closed_chain_that_is_off_is_found(method, row, monkeypatch):
    right = getattr(Robot, method)
    monkeypatch.setattr(Robot, method, lambda *a, **k: right(*a, **k) * (1 + 1e-6))
    made = verify(ordern.robots.fivebar(), states=4)
    assert not made.ok
    assert any(row in c.what and not c.ok for c in made.checks), str(made)
