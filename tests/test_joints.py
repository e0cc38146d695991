"""One test over every joint: subspace, bias and steps against the derivative of the transform."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.joints import JOINTS
from ordern.scalars.primitives import Lane
from ordern.spatial.joint_space import JointVector

STEP = 1e-6  # central differences: error about STEP^2 + eps/STEP = 1e-10


def pose(joint, q):
    X, _ = joint.motion(JointVector(*q))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.array(X.rotation.full().T.dense(), float), np.array(X.origin.dense(), float)
    return T


def stepped(joint, q, v):
    made = joint.step(JointVector(*(Lane(np.array(x)) for x in q)), JointVector(*(Lane(np.array(x)) for x in v)))
    return np.array([float(x.array) if isinstance(x, Lane) else float(x) for x in made])


def body_twist(T0, T1, dt):
    rate = np.linalg.inv(0.5 * (T0 + T1)) @ (T1 - T0) / dt
    W = rate[:3, :3]
    return (
        np.array(
            [W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1], 2 * rate[0, 3], 2 * rate[1, 3], 2 * rate[2, 3]]
        )
        / 2
    )


@pytest.fixture(params=list(JOINTS))
def joint(request):
    return robots.random_joint(request.param, np.random.default_rng(3))


def coordinates(joint, seed=0):
    rng = np.random.default_rng(seed)
    return joint.random(rng, (), np.full(joint.nv, -1.0), np.full(joint.nv, 1.0)), rng.uniform(-1, 1, joint.nv)


def test_subspace_is_the_derivative_of_the_transform(joint):
    q, v = coordinates(joint)
    _, S = joint.motion(JointVector(*q))
    measured = body_twist(pose(joint, stepped(joint, q, -STEP * v)), pose(joint, stepped(joint, q, STEP * v)), 2 * STEP)
    np.testing.assert_allclose((S @ JointVector(*v)).dense(), measured, rtol=0, atol=1e-8)


def test_bias_is_the_rate_of_the_subspace(joint):
    q, v = coordinates(joint, 1)
    ahead, behind = (
        np.array(joint.motion(JointVector(*stepped(joint, q, s * STEP * v)))[1].dense(), float) for s in (1, -1)
    )
    np.testing.assert_allclose(
        joint.bias(JointVector(*q), JointVector(*v)).dense(), (ahead - behind) / (2 * STEP) @ v, rtol=0, atol=1e-8
    )
    np.testing.assert_allclose(
        joint.subspace_rate(JointVector(*q), JointVector(*v)).dense(), (ahead - behind) / (2 * STEP), rtol=0, atol=1e-8
    )


def test_rates_are_the_derivative_of_the_coordinates(joint):
    q, v = coordinates(joint, 2)
    measured = (stepped(joint, q, STEP * v) - stepped(joint, q, -STEP * v)) / (2 * STEP)
    np.testing.assert_allclose(joint.rates(JointVector(*q), JointVector(*v)).dense(), measured, rtol=0, atol=1e-8)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-4, 0.3, 2.5])
def test_difference_undoes_step(joint, size):
    q, v = coordinates(joint, 4)
    v = size * v
    np.testing.assert_allclose(joint.difference(q, stepped(joint, q, v)), v, rtol=0, atol=2e-14)


@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
def test_lengths_are_one_number_a_state(joint, batch):
    q = joint.random(np.random.default_rng(5), batch, np.full(joint.nv, -1.0), np.full(joint.nv, 1.0))
    assert joint.length(q).shape == batch
    np.testing.assert_allclose(joint.length(q), 1.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(joint.normalise(q), q, rtol=0, atol=1e-15)


def test_neutral_is_no_motion(joint):
    constants = type(joint)()  # with zero offsets
    np.testing.assert_allclose(pose(constants, constants.neutral), np.eye(4), rtol=0, atol=0)


def test_random_stays_within_limits(joint):
    lower, upper = np.full(joint.nv, -0.2), np.full(joint.nv, 0.3)
    q = joint.random(np.random.default_rng(0), (500,), lower, upper)
    assert q.shape == (500, joint.nq)
    if joint.nq == joint.nv:
        assert (q >= -0.2).all() and (q <= 0.3).all()
    else:
        np.testing.assert_allclose(np.linalg.norm(q[:, -4:], axis=1), 1, rtol=0, atol=1e-15)


@pytest.mark.parametrize("kind", ["revolute", "helical"])
def test_offsets_are_turns(kind):
    """By whole quarters, which only swap sine and cosine, by dust beside these, and by any other angle: to rounding of the angle."""
    quarters = [k * np.pi / 2 for k in range(-2, 3)]
    for offset in [*quarters, *(x + 4e-16 for x in quarters), *np.arange(-3.0, 4.0), 0.3, -1.2]:
        for joint in (
            JOINTS[kind](*((0.2, offset) if kind == "helical" else (offset,))),
            JOINTS[kind]().turned(offset),
        ):
            made, angle = pose(joint, [0.7])[:3, :3], 0.7 + offset
            turn = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
            np.testing.assert_allclose(made, turn, rtol=0, atol=2e-15)


@pytest.mark.parametrize("kind", ["revolute", "helical"])
@pytest.mark.parametrize("offset", [k * np.pi / 2 for k in range(-4, 5)] + [np.pi / 3, -np.pi / 3, 2 * np.pi / 3, 0.7])
def test_offsets_turn_by_what_they_say(kind, offset):
    """Whole quarters, which swap sine and cosine, and others."""
    for q in (-2.0, 0.0, 0.3):
        turned, plain = (JOINTS[kind](**given) for given in ({"offset": offset}, {}))
        slide = np.eye(4)
        slide[2, 3] = getattr(plain, "pitch", 0.0) * offset  # a screw does not climb by its offset
        np.testing.assert_allclose(
            pose(turned, [q]), pose(plain, [q + offset]) @ np.linalg.inv(slide), rtol=0, atol=1e-15
        )


def test_neutral_is_where_nothing_has_moved(joint):
    """The pose of offsets alone; directions have length one, and integrating nothing stays there."""
    bare = type(joint)()
    np.testing.assert_allclose(pose(bare, bare.neutral), np.eye(4), rtol=0, atol=1e-15)
    if not bare.plain:
        assert bare.length(np.array(bare.neutral)) == 1.0
    np.testing.assert_array_equal(stepped(bare, bare.neutral, np.zeros(bare.nv)), bare.neutral)
