"""Control laws that compute with the model, on robots with loops: the drives alone do what the law asks of all joints."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import ordern
from budget import TRUST
from ordern.algorithms.registry import choose
from ordern.describe.loop_closing import close
from ordern.describe.respec import loop_specs
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers
from ordern.simulate.step_program import step_motion

C = ordern.control
LAWS = {
    "computed": lambda link, at, goal: C.ComputedTorque(goal, 80.0, 9.0),
    "gravity": lambda link, at, goal: C.GravityCompensation(0.4),
    "pd": lambda link, at, goal: C.PD(goal, 30.0, 2.0, gravity=True),
    "operational": lambda link, at, goal: C.OperationalSpace(link, at + 0.01, 60.0, 8.0, damping=0.2),
    "sum": lambda link, at, goal: C.GravityCompensation() + C.ComputedTorque(goal, 50.0, 1.0),
}


def states(robot, rng):
    """Closed ones, with velocities that keep them so; by the texts on arrays, without machine code."""
    home = np.array(robot.model.home)
    q, off = close(robot.model, robot.integrate(home, 0.1 * rng.normal(size=(3, robot.n))))
    assert off.max() < 1e-9
    for at in q:
        A = numbers(choose("constraint_jacobian", None, robot.model), robot.model)(at)
        _, size, V = np.linalg.svd(A)
        N = V[int(np.sum(size > 1e-9 * size[0])) :]
        yield at, N.T @ rng.normal(size=len(N)), N


def driven_otherwise(robot, names):
    model = robot.model
    return ordern.Robot(model.changed(loops=(), home=(), passive=(), actuated=None)).with_loops(
        loop_specs(model), actuated=names, home=np.array(model.home)
    )


ROBOTS = {
    name: (lambda name=name: ordern.load(name)) for name in ("fourbar", "fivebar", "threerrr", "delta", "stewart")
}
ROBOTS["fivebar by its rods"] = lambda: driven_otherwise(ordern.load("fivebar"), ["left_rod", "right_crank"])
ROBOTS["fivebar with a third drive"] = lambda: driven_otherwise(
    ordern.load("fivebar"), ["left_crank", "left_rod", "right_crank"]
)


# every law on some robots and every robot under some laws: two of five pairs
ASKED = [(n, w) for k, n in enumerate(ROBOTS) for j, w in enumerate(LAWS) if TRUST or (k + j) % 5 in (0, 2)]


@pytest.mark.parametrize(("name", "law"), ASKED)
def test_drives_alone_do_what_a_law_asks_of_all_joints(name, law):
    """Joints without drive get exactly nothing, what the loops leave free moves as if all were driven, with the least forces."""
    robot, rng = ROBOTS[name](), np.random.default_rng(2)
    driven = np.array(robot.model.driven)
    everywhere = ordern.Robot(robot.model.changed(actuated=robot.joint_names, passive=()))
    torque = LAWS[law](robot.link_names[-1], np.array([0.1, 0.1, 0.1]), next(states(robot, rng))[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made, all_joints = (step_motion(r, torque=torque) for r in (robot, everywhere))
    given = {key: np.asarray(channel.values) for key, channel in made.channels.items()}
    programs = [motion.program("drive") for motion in (made, all_joints)]
    for q, v, N in states(robot, rng):
        tau, told = (interpret(p, {"q": q, "qd": v, **given})["tau"].ravel() for p in programs)
        assert not tau[~driven].any() and np.abs(told[~driven]).max() > 0
        least = np.linalg.pinv(N[:, driven], rcond=1e-10) @ (N @ told)
        # condition number of the loops, squared, up to 1e3
        np.testing.assert_allclose(tau[driven], least, rtol=0, atol=1e-11 * max(1.0, np.abs(told).max()))


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_computed_torque_follows_a_feasible_motion_by_its_drive(engine):
    """A parallelogram: joints turn alike, so that a quintic of all of them keeps it closed; one of three has the drive."""
    robot = ordern.load("fourbars1")
    pattern = np.where(np.arange(3) % 2, -1.0, 1.0)
    path = ordern.trajectory.quintic(0.3 * pattern, 0.9 * pattern, 0.5)
    law = C.ComputedTorque(path, 100.0, 20.0)
    run = robot.simulate(
        0.3 * pattern, duration=0.5, torque=law, method="dop853", rtol=1e-12, atol=1e-13, output_dt=0.05, engine=engine
    )
    assert robot.actuated == ("post0",) and not run.tau[:, 1:].any() and np.abs(run.tau[:, 0]).max() > 1
    wanted = np.array([path(t).q for t in run.t])
    assert np.abs(run.q - wanted).max() < 1e-12  # rtol of the run; kp takes back what it leaves
    assert np.abs(run.q - wanted[0]).max() > 0.5
