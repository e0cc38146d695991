"""Links that the world holds during a run, and in derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.model import Placement


def arm(base):
    links = [
        LinkSpec(name, 1.5, (0.05, 0.02, 0.1), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)) for name in ("l0", "l1", "l2")
    ]
    at = Placement(origin=(0.1, 0.0, 0.2))
    joints = [
        JointSpec("j1", "revolute", "l0", "l1", at, axis=(0, 1, 0)),
        JointSpec("j2", "revolute", "l1", "l2", at, axis=(1, 0, 0)),
    ]
    return ordern.Robot(build("arm", links, joints, base=base))


ARM = arm("floating")
START = np.r_[0.1, -0.2, 0.3, 0.0, 0.0, 0.0, 1.0, 0.4, -0.9]
OPTIONS = {"duration": 0.3, "output_dt": 0.1, "rtol": 1e-10, "atol": 1e-12}


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_a_floating_robot_that_is_held_moves_as_a_fixed_one(engine):
    run = ARM.simulate(START, contacts={ARM.link_names[0]: "fixed"}, engine=engine, **OPTIONS)
    fixed = arm("fixed").simulate(START[7:], engine=engine, **OPTIONS)
    assert np.abs(run.q[:, 7:] - fixed.q).max() < 1e-9  # rtol of both
    assert np.abs(run.q[:, :7] - START[:7]).max() < 1e-14
    assert [loop.name for loop in run.model.loops] == ["contact l0"]


def test_a_link_that_is_held_at_a_point_turns_about_it():
    """The tip stays, energy is kept, and derivatives with contacts are those of the robot with these loops along them."""
    tip = ARM.link_names[-1]
    held = ARM.with_contacts({tip: "point"}, START)
    v = held.closed_velocity(START, np.r_[1.0, 0.5, -1.0, np.zeros(3), 1.0, -1.0])
    run = ARM.simulate(START, v, contacts={tip: "point"}, **OPTIONS)
    spots = ARM.forward_kinematics(run.q, tip)[:, :3, 3]
    assert np.ptp(spots, axis=0).max() < 1e-13 and np.ptp(run.energy) < 1e-7 * np.abs(run.energy).max()
    tau = np.r_[np.zeros(6), 0.3, -0.2]
    here, there = (
        ARM.forward_dynamics_derivatives(START, v, tau, contacts={tip: "point"}),
        held.forward_dynamics_derivatives(START, v, tau),
    )
    N = np.linalg.svd(held.constraint_jacobian(START))[2][3:].T  # what the contact leaves free
    np.testing.assert_allclose(here.dtau, there.dtau, rtol=0, atol=1e-10 * np.abs(there.dtau).max())
    np.testing.assert_allclose(here.dqd @ N, there.dqd @ N, rtol=0, atol=1e-10 * np.abs(there.dqd).max())


def test_contacts_that_cannot_be_meant_are_refused():
    tip = ARM.link_names[-1]
    apart = np.array([START, START])
    apart[1, 0] += 0.1
    with pytest.raises(ordern.InputError, match=r"different places, up to 0.* one by one"):
        ARM.simulate(apart, duration=0.01, contacts={tip: "point"})
    with pytest.raises(ordern.InputError, match="contacts must map link names"):
        ARM.simulate(START, duration=0.01, contacts="tip")
    with pytest.raises(ordern.InputError, match="opens loop"):
        ARM.simulate(START, np.ones(ARM.n), duration=0.01, contacts={tip: "point"})
    with pytest.raises(ordern.ShapeError, match="where the robot stands"):
        ARM.with_contacts({tip: "point"}, apart)
    assert ARM.with_contacts({}) is ARM


def test_contacts_may_hold_joints_with_a_drive(tmp_path):
    """A five-bar whose right crank is held moves as the four-bar that is left; its idle drive is no drive then, in files too."""
    robot = ordern.load("fivebar")
    q, still = np.array(robot.model.home), {"duration": 0.3, "output_dt": 0.1, "rtol": 1e-10, "atol": 1e-12}
    held = robot.with_contacts({"right_rod": "point"}, q)
    assert held.actuated == ("left_crank",) and held.mobility(q) == 1
    held.save(tmp_path / "held.toml")
    assert ordern.load(tmp_path / "held.toml").actuated == held.actuated
    run, rest = robot.simulate(q, contacts={"right_rod": "point"}, **still), robot.with_locked({"right_crank": q[2]})
    wanted = rest.simulate(q[[0, 1, 3]], **still).q
    assert (
        np.abs(run.q[:, [0, 1, 3]] - wanted).max() < 1e-8 and np.ptp(wanted, axis=0).min() > 0.1
    )  # rtol of both, added up
    stuck = robot.simulate(q, contacts={"left_rod": "fixed"}, **still)
    assert np.abs(stuck.q - q).max() < 1e-12  # nothing is left to move


def test_no_runs_with_contacts():
    """No initial states give no runs, with contacts as without."""
    run = ARM.simulate(np.zeros((0, ARM.nq)), duration=0.01, contacts={ARM.link_names[-1]: "point"})
    assert run.q.shape[0] == 0 and run.q.shape[-1] == ARM.nq
