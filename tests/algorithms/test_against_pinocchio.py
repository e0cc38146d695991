"""Every method against Pinocchio's RNEA, CRBA, ABA and computeMinverse on random trees of revolute and sliding joints."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import robots
from ordern.algorithms.registry import find
from ordern.evaluate.denoc_factors import elimination
from ordern.runtime.numbers import numbers
from twins import twin

TREES = {  # numbered depth first, as Pinocchio needs it
    "chain": (["revolute", "prismatic", "revolute", "revolute", "prismatic", "revolute"], [0, 1, 2, 3, 4, 5]),
    "tree": (
        ["revolute", "revolute", "prismatic", "revolute", "revolute", "revolute", "prismatic"],
        [0, 1, 2, 2, 1, 5, 0],
    ),  # depth first, as Pinocchio needs it
}


@pytest.mark.parametrize("name", TREES)
def test_all_methods(name):
    kinds, parents = TREES[name]
    for seed in range(5):
        model = robots.tree(kinds, parents, seed, armature=False)
        other, offsets = twin(model)
        data, (q, qd, qdd, tau) = other.createData(), robots.state(model, np.random.default_rng(seed))
        M, inverse = pin.crba(other, data, q + offsets).copy(), pin.computeMinverse(other, data, q + offsets).copy()
        expected = {
            "inverse_dynamics": pin.rnea(other, data, q + offsets, qd, qdd).copy(),
            "mass_matrix": np.triu(M) + np.triu(M, 1).T,
            "forward_dynamics": pin.aba(other, data, q + offsets, qd, tau).copy(),
            "mass_matrix_inverse": np.triu(inverse) + np.triu(inverse, 1).T,
        }
        given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
        for quantity, value in expected.items():
            for a in find(quantity):
                if a.refusal(model) is None:
                    error = np.abs(numbers(a, model)(*(given[k] for k in a.inputs)) - value).max() / np.abs(value).max()
                    assert error < (1e-8 if a.method == "fixman" else 1e-10), (a.name, error)
        # articulated inertias, moved from the joint to the mass centre: what Pinocchio keeps is projected already
        pin.aba(other, data, q + offsets, qd, tau)
        e = elimination(model, q)
        c = e.complement
        for i in range(1, c.links + 1):
            if model.parents[i]:
                swap = [3, 4, 5, 0, 1, 2]
                at_joint = np.array(data.Yaba[other.getJointId(model.bodies[i].name)])[np.ix_(swap, swap)]
                R, d = c.rotation[i], c.centre[i] - c.origin[i]
                X = np.zeros((6, 6))  # twists about C_i in world axes to twists at the joint in link axes
                X[:3, :3] = X[3:, 3:] = R.T
                X[3:, :3] = R.T @ np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])
                assert np.allclose(X.T @ at_joint @ X, e.Psi(i) @ e.Mh(i), atol=1e-11 * np.abs(at_joint).max())
