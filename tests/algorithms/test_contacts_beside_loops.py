"""Contacts of a call on robots that have loops of their own: contacts may imply what the loops say, which is no change point."""

from __future__ import annotations

import numpy as np
import pytest
from test_stances import aligned, least_drives

import ordern
from budget import examples
from ordern.algorithms.registry import choose
from ordern.describe.builder import LoopSpec
from ordern.model import Placement
from ordern.runtime.numbers import numbers


def looped(seed):
    """A random robot at right angles with a loop that is closed where it stands; the world holds links of the loop and others."""
    robot, q, contacts, rng = aligned(seed)
    poses = numbers(choose("forward_kinematics", None, robot.model), robot.model)(q)
    at = dict(zip(robot.link_names, poses, strict=True))
    one, two = (str(name) for name in rng.choice(robot.link_names, 2, replace=False))
    kind = str(rng.choice(["point", "revolute", "fixed", "prismatic", "cylindrical"]))
    frame = Placement.from_matrix(np.linalg.inv(at[two]) @ at[one])
    try:
        closed = robot.with_loops([LoopSpec("tie", kind, one, two, frame2=frame)], home=q)
    except ordern.ModelError:  # both links on one body
        return None
    both = {name: "fixed" for name in (one, two) if name in contacts or rng.random() < 0.7}
    held = {
        name: how for name, how in (contacts | both).items() if robot.model.links[robot.model.link_index[name]].body
    }
    return robot.model, closed, q, held, rng


@pytest.mark.parametrize("seed", range(examples(8, 600)))
def test_contacts_that_imply_loops(seed):
    """Loops were told to be singular where a contact's equation was eliminated before theirs."""
    made = looped({0: 16, 1: 28}.get(seed, seed))
    if made is None:
        return
    tree, closed, q, contacts, rng = made
    held = closed._touching(contacts).model

    def computed(quantity, *arrays, model=held, method=None):
        return numbers(choose(quantity, method, model), model)(*arrays)

    own = computed("constraint_jacobian", q, model=closed.model)[list(closed.model.loops[0].kept)]
    if np.linalg.matrix_rank(own, 1e-9) < len(own):  # a change point of the loop itself
        return
    A, M, still = computed("constraint_jacobian", q), computed("mass_matrix", q, model=tree), np.zeros(tree.nv)
    tau, bias = rng.normal(size=tree.nv), computed("bias_forces", q, still, model=tree)
    L = np.linalg.inv(np.linalg.cholesky(M))
    free = L.T @ (np.eye(tree.nv) - np.linalg.pinv(A @ L.T, rcond=1e-9) @ (A @ L.T)) @ L  # M^-1 on what is left free
    want = free @ (tau - bias)
    near = {"rtol": 0, "atol": 1e-10 * max(1.0, np.abs(want).max())}  # condition numbers up to 1e5
    for method in ("articulated", "denoc", "kkt"):
        np.testing.assert_allclose(computed("forward_dynamics", q, still, tau, method=method), want, **near)
    np.testing.assert_allclose(computed("mass_matrix_inverse", q), free, **near)
    np.testing.assert_allclose(computed("impulse", q, tau), free @ M @ tau, **near)
    driven = np.array(held.driven, bool)
    reached = free @ (tau * driven - bias)
    drives = least_drives(A, M @ reached + bias, driven)
    np.testing.assert_allclose(computed("inverse_dynamics", q, still, reached), drives, **near)
