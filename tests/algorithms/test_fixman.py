"""Fixman's partition: thin and singular links, planar point masses, straight chains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern import JointSpec, LinkSpec, Placement, build
from ordern.algorithms.registry import choose, find
from ordern.describe.builtin import planar, planar3, puma560, stanford
from ordern.errors import MethodError
from ordern.model import Mass
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers


def call(quantity, method, model, *arrays):
    return numbers(choose(quantity, method, model), model)(*arrays)


def lee_chirikjian(n):
    """The chain of section 19.4 of the verified mathematics: model, q, qd, tau."""
    i = np.arange(1, n + 1)
    model = planar(n, 0.5 + 0.05 * np.cos(i), 1 + 0.1 * np.sin(2 * i), "tips")
    return model, 0.4 * np.sin(1.3 * i) + 0.1, 0.2 * np.cos(0.7 * i), 0.3 * np.cos(1.1 * i)


SOLVED = {
    5: [0.81303112136922, -0.259838970336979, -1.82519106437513, -0.963164160225418, 4.86178055285546],
    20: [1.07660034155765, -1.01605369092514, -1.48142272397308, 0.857083613905885, 1.02553909208566],
}
FALLING = {
    5: [-21.4669783852974, 34.1620074647988, -15.6173837464221, -4.60962138656604, 11.8688818779401],
    20: [-22.1146314160184, 36.0202090989447, -16.4621053241849, -5.28455329971705, 7.38297692551293],
}
FLOATING_FREE = {
    5: [0.870278307378654, -0.421320764787651, -1.71891294111457, -0.893691292687129, 4.76530909559492],
    20: [1.23281217135708, -1.46147805043805, -1.24606689076656, 1.19754917142458, 0.999625301707227],
}
LOG_DET = {5: -6.70767465453744, 20: -23.3616332632817}


@pytest.mark.parametrize("n", [5, 20])
def test_planar_reference_values(n):
    model, q, qd, tau = lee_chirikjian(n)
    weightless = model.changed(gravity=(0.0, 0.0, 0.0))
    inverse = call("mass_matrix_inverse", "fixman-planar", model, q)
    assert np.allclose((inverse @ tau)[:5], SOLVED[n], rtol=1e-11)
    assert np.allclose(call("forward_dynamics", "fixman-planar", model, q, qd, tau)[:5], FALLING[n], rtol=1e-12)
    assert np.allclose(
        call("forward_dynamics", "fixman-planar", weightless, q, qd, tau)[:5], FLOATING_FREE[n], rtol=1e-12
    )
    assert -np.linalg.slogdet(inverse)[1] == pytest.approx(LOG_DET[n], rel=1e-11)
    assert np.log(call("mass_matrix_udu", "denoc", model, q)[1]).sum() == pytest.approx(LOG_DET[n], rel=1e-12)


def test_planar_programs_and_a_straight_chain():
    for n in (1, 2, 45):
        model, q, qd, tau = lee_chirikjian(n)
        for angles in (q, 0 * q):
            expected = call("forward_dynamics", "articulated", model, angles, qd, tau)
            for rolled in (True, False) if n < 10 else (True,):
                program = trace(find("forward_dynamics", "fixman-planar")[0], model, rolled=rolled)
                made = interpret(program, {"q": angles, "qd": qd, "tau": tau})["out0"]
                assert np.abs(made - expected).max() < 1e-12 * np.abs(expected).max()


def test_planar_chain_on_a_tilted_axis():
    model, q, qd, tau = lee_chirikjian(6)
    rng = np.random.default_rng(0)
    bodies = list(model.bodies)
    bodies[1] = replace(bodies[1], placement=robots.random_placement(rng))
    tilted = model.changed(bodies=tuple(bodies), gravity=(1.0, -5.0, 8.0))
    assert np.allclose(
        call("forward_dynamics", "fixman-planar", tilted, q, qd, tau),
        call("forward_dynamics", "articulated", tilted, q, qd, tau),
        rtol=1e-11,
    )


def test_refusals():
    for model, reason in ((stanford(), "planar chains"), (planar3(), "point masses"), (robots.mixed(), "branches")):
        with pytest.raises(MethodError, match=reason):
            choose("forward_dynamics", "fixman-planar", model)
    with pytest.raises(
        MethodError, match="'joint1' is singular"
    ):  # filled in for accelerations, but reactions would feel it
        choose("joint_wrenches", "fixman", puma560())
    with pytest.raises(MethodError, match=r"'joint1' is singular .*use method="):
        choose("forward_dynamics", "fixman", lee_chirikjian(3)[0])


@pytest.mark.parametrize("make", [planar3, puma560, stanford, lambda: planar(12)])
def test_what_cannot_be_felt_is_filled_in(make):
    """Rods in a plane and the massless first link of the PUMA have singular inertias, but what is missing does not matter."""
    model = make()
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(3), (4,))
    tau = call("inverse_dynamics", "newton-euler", model, q, qd, qdd)
    assert np.allclose(call("forward_dynamics", "fixman", model, q, qd, tau), qdd, rtol=1e-7, atol=1e-8)
    assert np.allclose(call("forward_dynamics", "fixman-refined", model, q, qd, tau), qdd, rtol=1e-9, atol=1e-9)


def test_refinement_gives_thin_links_their_digits_back():
    model = robots.serial("RRRRR", 2, armature=False)
    thin = [replace(b, inertia=_thin(b.inertia, 1e-6)) if i else b for i, b in enumerate(model.bodies)]
    model = model.with_bodies(thin)
    q, qd, _, tau = robots.state(model, np.random.default_rng(3), (4,))
    expected = call("forward_dynamics", "articulated", model, q, qd, tau)
    errors = [
        np.abs(call("forward_dynamics", m, model, q, qd, tau) - expected).max() / np.abs(expected).max()
        for m in ("fixman", "fixman-refined")
    ]
    assert errors[1] < 1e-12 < 1e-11 < errors[0] < 1e-6


def _thin(mass, eps):
    """One principal moment scaled by eps."""
    xx, yy, zz, xy, xz, yz = mass.about_com()
    values, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    I = axes @ np.diag([eps * values[0], values[1], values[1]]) @ axes.T
    return Mass.from_com(mass.m, mass.com, (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))


def bent(next_joint):
    """Two point masses in a plane, the first beside the straight line; the second joint stands where it is told."""
    links = [LinkSpec("base"), LinkSpec("a", 1.0, com=(0.5, 0.3, 0.0)), LinkSpec("b", 1.0, com=(0.4, 0.0, 0.0))]
    axis = {"axis": (0.0, 0.0, 1.0)}
    joints = [
        JointSpec("j", "revolute", "base", "a", **axis),
        JointSpec("k", "revolute", "a", "b", Placement(origin=next_joint), **axis),
    ]
    return build("bent", links, joints, gravity=(0.0, -9.81, 0.0))


def test_point_masses_stand_at_the_next_joint_on_both_axes():
    """Also where they are beside the link's own axis; a joint at its mirror image is another robot."""
    model, rng = bent((0.5, 0.3, 0.0)), np.random.default_rng(1)
    q, qd, tau = rng.uniform(-1, 1, (3, 2))
    np.testing.assert_allclose(
        call("forward_dynamics", "fixman-planar", model, q, qd, tau),
        call("forward_dynamics", "composite", model, q, qd, tau),
        rtol=0, atol=1e-12,  # 1e3 roundings of accelerations of some ten
    )  # fmt: skip
    for other in ((0.5, -0.3, 0.0), (-0.5, 0.3, 0.0), (0.3, 0.5, 0.0)):
        with pytest.raises(MethodError, match="point masses"):
            choose("forward_dynamics", "fixman-planar", bent(other))
