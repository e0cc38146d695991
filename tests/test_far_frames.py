"""No digits are lost by where a robot stands or how long its links are: second trees far from the world's origin, small parts on long arms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import find
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.model import Mass, Placement
from ordern.program.build import prepared
from ordern.program.cheapest_frames import dh_frames
from ordern.runtime.numbers import numbers

EPS = np.finfo(float).eps


def moved(model, body, distance):
    """The model with one root standing elsewhere."""
    at = model.bodies[body].placement
    away = Placement(at.rotation, (distance, -distance / 2, distance / 3))
    return model.with_bodies(replace(b, placement=away) if i == body else b for i, b in enumerate(model.bodies))


def errors(model, state, precision=45):
    """The error of each method, against the same text in 45 digits, in eps times the largest element (of a matrix: of its row and column)."""
    robot = ordern.Robot(model)
    q, qd, qdd, tau = state
    given = {
        "mass_matrix": (q,),
        "inverse_dynamics": (q, qd, qdd),
        "forward_dynamics": (q, qd, tau),
        "inverse_dynamics_derivatives": (q, qd, qdd),
    }
    exact = {name: robot.evaluate(name, *values, precision=precision) for name, values in given.items()}
    for name, values in given.items():
        for a in find(name):
            if a.refusal(model) is None and not a.method.startswith("fixman"):
                made, want = numbers(a, prepared(a, model))(*values), exact[name]
                for x, y in zip(made, want, strict=True) if isinstance(made, tuple) else [(made, want)]:
                    y = y.astype(float)
                    scale = np.sqrt(np.outer(np.diag(y), np.diag(y))) if name == "mass_matrix" else np.abs(y).max()
                    yield a.name, float((np.abs(x - y) / scale).max() / EPS)


@pytest.mark.parametrize("distance", [3.0, 100.0, 1e5])
@pytest.mark.parametrize("kinds", ["RRRRRR", "RPRPRR", "PRRPPR", "RUSPCR", "FRRHRR"])
def test_a_second_tree_may_stand_anywhere(kinds, distance):
    names = [m.joint.name for m in robots.serial(kinds, 1).bodies[1:]]
    near = robots.tree(names, [0, 1, 2, 0, 4, 5], 3)
    state = robots.state(near, np.random.default_rng(0))
    here, there = dict(errors(near, state)), dict(errors(moved(near, 4, distance), state))
    assert here.keys() == there.keys()
    for name, error in there.items():
        assert error <= 4 * here[name] + 64, name  # as near as at home, where 64 covers the condition of these robots


@pytest.mark.parametrize("trees", [2, 4])
def test_machine_code_of_long_robots_with_trees_far_away(trees):
    """Its loops go over the bodies of all trees, each in a frame of its own."""
    many = 44 // trees
    parents = [0 if k % many == 0 else k for k in range(44)]
    near = robots.tree(["revolute"] * 44, parents, 3)
    q, qd, qdd, _ = robots.state(near, np.random.default_rng(0))
    far = moved(near, 44 - many + 1, 1e4)
    one, other = ordern.Robot(near), ordern.Robot(far)
    pairs = [(one.mass_matrix(q), other.mass_matrix(q))]
    pairs += zip(
        one.inverse_dynamics_derivatives(q, qd, qdd), other.inverse_dynamics_derivatives(q, qd, qdd), strict=True
    )
    for x, y in pairs:
        np.testing.assert_allclose(y, x, rtol=0, atol=1e4 * EPS * np.abs(x).max())  # as below


def test_long_robots_with_a_second_tree_far_away():
    near = robots.tree(["revolute"] * 44, [*range(22), 0, *range(23, 44)], 3)
    state = robots.state(near, np.random.default_rng(0))
    far = moved(near, 23, 1e4)
    for name in ("mass_matrix/composite", "inverse_dynamics/newton-euler", "inverse_dynamics_derivatives/recursive"):
        (a,) = find(*name.split("/"))
        values = state[: len(a.inputs)]
        for x, y in zip(
            np.atleast_1d(numbers(a, prepared(a, far))(*values)),
            np.atleast_1d(numbers(a, prepared(a, near))(*values)),
            strict=True,
        ):
            if "gravity" not in name:
                np.testing.assert_allclose(
                    x, y, rtol=0, atol=1e4 * EPS * np.abs(y).max()
                )  # 22 joints in a row: some 1e3 eps each way


@pytest.mark.parametrize("length", [0.5, 20.0, 1000.0])
@pytest.mark.parametrize("seed", range(6))
def test_small_parts_on_long_arms(length, seed):
    """A wrist of some centimetres at the end of a long boom: the common normals of skew axes may be far from it, its frames must not."""
    rng = np.random.default_rng(seed)
    model = robots.serial("RRRRR", seed, armature=False)
    bodies = list(model.bodies)
    for i in (3, 4, 5):
        at = bodies[i].placement
        origin = tuple(length * x if i == 3 else 0.05 * x for x in at.origin)
        small = Mass.from_com(0.2, tuple(0.03 * rng.uniform(-1, 1, 3)), (2e-5, 3e-5, 2.5e-5, 1e-6, 0.0, -1e-6))
        bodies[i] = replace(bodies[i], placement=Placement(at.rotation, origin), inertia=small)
    state = robots.state(model, rng)
    for name, error in errors(model.with_bodies(bodies), state):
        # 144: the square of twelve radii of gyration; "natural-complement" has the twists of all links about points of their own, at the
        # end of arms of that length
        assert error <= 144 + (8 * length if "natural-complement" in name else 0), name


@pytest.mark.parametrize("tilt", [1e-2, 1e-4])
@pytest.mark.parametrize("root", [True, False])
def test_bodies_without_mass_stay_too(root, tilt):
    """Axes that are nearly parallel meet far away; a body without mass between them must not be described from there."""
    s, c = np.sin(tilt), np.cos(tilt)
    model = robots.tree(["revolute"] * 5, [0, 1, 2, 0, 4] if root else [0, 1, 2, 3, 4], 2, armature=False)
    bodies = list(model.bodies)
    at = Placement((1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c), (300.0, 200.0, 0.0) if root else (0.1, 0.2, 0.0))
    bodies[4] = replace(bodies[4], placement=at, inertia=Mass())
    if root:  # seen from the first root, whose frame is the world's: nearly parallel too
        bodies[1] = replace(bodies[1], placement=Placement())
    state = robots.state(model, np.random.default_rng(1))
    for name, error in errors(model.with_bodies(bodies), state):
        assert error <= 200, name


def test_frames_stay_near_their_bodies():
    """The guard itself: a common normal 50 m away is not taken for a body of some centimetres, one within its reach is."""
    tilt = 0.02
    s, c = np.sin(tilt), np.cos(tilt)
    turn = (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)
    for offset, kept in ((0.4, True), (0.001, False)):
        model = robots.serial("RR", 1, armature=False)
        bodies = list(model.bodies)
        small = Mass.from_com(0.2, (0.02, 0.0, 0.01), (2e-5, 3e-5, 2.5e-5, 0.0, 0.0, 0.0))
        bodies[2] = replace(bodies[2], placement=Placement(turn, (0.1, offset, 0.0)), inertia=small)
        other = dh_frames(model.with_bodies(bodies)).bodies[2]
        shift = np.linalg.norm(np.subtract(other.inertia.com, small.com))
        assert (shift < 1e-12) == kept or (not kept and shift <= 12 * np.sqrt(max(small.I[:3]) / small.m))


@pytest.mark.parametrize("angle", [1e-3, 1.5e-8, 1e-9, 1e-12, 1e-15])
@pytest.mark.parametrize("along", range(3))
@pytest.mark.parametrize("sign", [1, -1])
def test_axes_are_taken_as_they_are_given(angle, along, sign):
    """An axis 1.5e-8 rad off a coordinate axis has cosine one to the last digit; it still is that axis and no other."""
    axis = np.roll([sign * 1.0, angle, -0.5 * angle], along)
    links = [LinkSpec("base"), LinkSpec("arm", 2.0, (0.1, 0.3, -0.2), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002))]
    model = build(
        "one",
        links,
        [JointSpec("joint", "revolute", "base", "arm", Placement(origin=(0.2, 0.1, 0.3)), axis=tuple(axis))],
    )
    J = ordern.Robot(model).jacobian([0.7], "arm")[:3, 0]
    np.testing.assert_allclose(J, axis / np.linalg.norm(axis), rtol=0, atol=4 * EPS)
    assert np.abs(J - axis)[axis != sign].max() <= 1e-6 * angle + 4 * EPS * (angle < 1e-14)
