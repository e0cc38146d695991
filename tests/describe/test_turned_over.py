"""Loops whose equations vanish with a frame turned over, by half a turn: they do not count as closed."""

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import choose
from ordern.describe.loop_closing import close, turned_over
from ordern.describe.loops import with_loops
from ordern.model import Placement
from ordern.runtime.numbers import numbers

KINDS = {"fixed": {}, "prismatic": {}, "helical": {"pitch": 0.2}, "revolute": {}, "cylindrical": {}, "planar": {}}
HOME = np.array([0.3, -1.2, 1.4, -0.5, 0.8, 0.0])
OVER = Placement.from_rpy((0.0, 0.0, 0.0), (np.pi, 0.0, 0.0))


def poses(model, q, link="tool0"):
    """Of a link, by the text on arrays."""
    made = numbers(choose("forward_kinematics", None, model), model)(q)
    return made[..., list(model.link_index).index(link), :, :]


def tied(kind, turned=False):
    """The arm whose tool the world holds at home; with frame 2 turned over there."""
    arm = ordern.load("ur5").model
    at = Placement.from_matrix(poses(arm, HOME))
    second = OVER if turned else Placement()
    spec = ordern.LoopSpec("hold", kind, "world", "tool0", frame1=at, frame2=second, **KINDS[kind])
    return with_loops(arm, [spec], None, HOME), np.linalg.inv(at.matrix())


@pytest.mark.parametrize("kind", KINDS)
def test_what_counts_as_closed_is_closed_the_right_way_round(kind):
    """From anywhere; before, half of the hinges and four of five welds that were found were turned over."""
    model, back = tied(kind)
    q, residual = close(model, np.random.default_rng(0).uniform(-3, 3, (8, 6)))
    found = q[residual < 1e-9]
    assert len(found) >= 5
    X = back @ poses(model, found)  # frame 2 in frame 1
    if kind in ("fixed", "prismatic"):
        assert np.abs(X[:, :3, :3] - np.eye(3)).max() < 1e-8
    assert np.abs(X[:, 2, 2] - 1).max() < 1e-9
    if kind == "helical":
        assert np.abs(np.exp(1j * X[:, 2, 3] / 0.2) - (X[:, 0, 0] + 1j * X[:, 1, 0])).max() < 1e-8


@pytest.mark.parametrize("kind", KINDS)
def test_frames_that_are_described_half_a_turn_apart(kind):
    """A hinge has the same motions with its axis reversed: home decides. A weld is closed elsewhere, or not at all."""
    model, back = tied(kind, turned=True)
    home = np.array(model.home)
    X = back @ poses(model, home[None])[0] @ OVER.matrix()
    if kind in ("revolute", "cylindrical", "planar"):
        assert np.array_equal(home, HOME) and X[2, 2] < -0.99 and not turned_over(model, home[None])[0]
    else:
        assert not np.allclose(home, HOME) and X[2, 2] > 0.99


def test_a_robot_refuses_states_that_are_turned_over():
    robot = ordern.Robot(tied("fixed")[0])
    before, _ = close(robot.model.changed(loops=()), HOME[None])
    assert np.array_equal(before[0], HOME)
    other = ordern.Robot(tied("fixed", turned=True)[0])  # its home has the tool turned over, for the first robot
    q = np.array(other.model.home)
    assert (
        np.abs(robot.constraint_residual(q)).max() < 1e-9 and abs(turned_over(robot.model, q[None])[0] - np.pi) < 1e-6
    )
    with pytest.raises(ordern.InputError, match=r"turned over, by 3.14 rad; the nearest state that closes it is \["):
        robot.simulate(q, duration=0.1)
    found = robot.assemble(q)
    assert found.success and np.allclose(
        robot.forward_kinematics(found.q, "tool0"), poses(robot.model, HOME), atol=1e-9
    )


def test_lengths_reach_only_with_a_frame_turned_over():
    arm = ordern.robots.planar(2)
    at = Placement.from_rpy((1.5, 0.5, 0.0), (np.pi, 0.0, 0.0))  # z down, in a plane: no weld turns it up
    with pytest.raises(ordern.ModelError, match=r"open by 3.14 .* turned over there, by half a turn"):
        arm.with_loops([ordern.LoopSpec("weld", "fixed", "world", "link2", frame1=at)])
    hinge = arm.with_loops([ordern.LoopSpec("pin", "revolute", "world", "link2", frame1=at)])
    assert hinge.assemble().success


def test_inverse_kinematics_finds_loops_the_right_way_round():
    """A tool that slides on a plane: solutions stand on it, from beginnings that lead to its other side as well."""
    model, back = tied("planar")
    robot, rng = ordern.Robot(model), np.random.default_rng(1)
    there = close(model, HOME + rng.uniform(-0.3, 0.3, (6, 6)))[0]
    goals, starts = poses(model, there)[:, :3, 3], rng.uniform(-3, 3, (6, 6))
    made = robot.inverse_kinematics(goals, "tool0", q0=starts, seed=3, restarts=4)
    assert made.success.sum() >= 4
    X = back @ poses(model, made.q[made.success])
    assert np.abs(X[:, 2, 2] - 1).max() < 1e-8 and np.abs(X[:, 2, 3]).max() < 1e-9
