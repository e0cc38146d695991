"""Loops with one equation at a dead centre: nothing beside it tells that its coefficients are roundings of zero."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import examples
from ordern.algorithms.registry import find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.model import Placement

METHODS = [a.method for a in find("forward_dynamics") if a.closed]


def tied(seed):
    """An arm of some hinges in a plane that lies anyhow, tied to the ground by a rod; stretched at the angle that is returned too."""
    rng = np.random.default_rng(seed)
    plane = Placement.from_rpy(tuple(rng.normal(size=3)), tuple(rng.uniform(-3, 3, 3)))
    sizes = rng.uniform(0.2, 1.0, int(rng.integers(1, 4))) * 10.0 ** rng.integers(-3, 2)
    links, joints, above, at = [LinkSpec("ground")], [], "ground", plane
    for k, long in enumerate(sizes):
        square = long * long
        links.append(
            LinkSpec(f"rod{k}", rng.uniform(0.5, 2), (long / 2, 0, 0), (square / 9, square / 9, square / 9, 0, 0, 0))
        )
        joints.append(JointSpec(f"hinge{k}", "revolute", above, f"rod{k}", at, axis=(0, 0, 1)))
        above, at = f"rod{k}", Placement(origin=(long, 0, 0))
    angle, reach, length = rng.uniform(-3, 3), sizes.sum(), rng.uniform(0.3, 0.9) * sizes.sum()
    way = plane @ Placement.from_rpy((0, 0, 0), (0, 0, angle)) @ Placement(origin=(reach - length, 0, 0))
    tie = LoopSpec("tie", "distance", "ground", above, frame1=way, xyz2=(sizes[-1], 0, 0), length=length)
    q = np.zeros(len(sizes))
    q[0] = angle
    return ordern.Robot(build("tied", links, joints, loops=[tie], home=q)), q, rng


@pytest.mark.parametrize("seed", range(examples(8, 200)))
def test_stretched_arms_are_told(seed, by_numbers):
    """At any angle, by every method, and at any size: forces of 1e16 N were the answer, or motions that rounding chose."""
    robot, q, rng = tied(seed)
    still, tau = 0 * q, rng.normal(size=len(q))
    calls = [lambda m=m: robot.forward_dynamics(q, still, tau, method=m) for m in METHODS]
    calls += [lambda: robot.mass_matrix_inverse(q), lambda: robot.impulse(q, tau)]
    calls += [lambda: robot.constraint_forces(q, still, tau), lambda: robot.inverse_dynamics(q, still, still)]
    for call in calls:
        with pytest.raises(ordern.SingularError, match="change point"):
            pytest.fail(f"{call()}")
    assert robot.mobility(q) == len(q)  # to first order nothing is held
    np.testing.assert_array_equal(robot.closed_velocity(q, tau), tau)
    found = robot.assemble(q)
    assert found.success and np.abs(found.q - q).max() < 1e-7  # closed there already, to the root of a rounding
    if len(q) > 1:  # beside it all is well
        bent = robot.assemble(q + np.linspace(0.3, 0.5, len(q))).q
        made = [robot.forward_dynamics(bent, still, tau, method=m) for m in METHODS]
        assert robot.mobility(bent) == len(q) - 1
        for one in made[1:]:
            np.testing.assert_allclose(one, made[0], rtol=0, atol=1e-9 * np.abs(made[0]).max())  # condition below 1e5
