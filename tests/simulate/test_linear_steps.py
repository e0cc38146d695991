"""Linear steps of robots with everything that a simulation takes from their description: losses of joints and of those that follow them."""

from dataclasses import replace

import numpy as np
import plant
import pytest

import ordern
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.evaluate.differentiable import Smooth
from ordern.model import Placement
from ordern.robot import Robot
from robots import serial


@pytest.mark.parametrize("friction", [True, False])
@pytest.mark.parametrize("kinds", [["revolute", "prismatic", "helical"], ["revolute", "universal", "revolute"]])
def test_a_linear_step_has_the_losses_of_the_simulation(kinds, friction, interpreted):
    """Differences of one step of simulate, joints that mimic others rubbing by their own data."""
    case = next(
        made
        for made in (plant.case(kinds, seed, "none", False, False, True, False, True, False) for seed in range(100))
        if any(body.mimic is not None for body in made.model.bodies)
    )
    robot, (q, qd), dt, h = Robot(case.model), case.start(), 1e-3, 1e-5
    tau, n = np.linspace(-1.0, 1.0, robot.n), robot.n
    A, B = robot.linearize(q, qd, tau, dt, friction=friction)

    def step(change):
        given = robot.integrate(q, change[:n]), qd + change[n : 2 * n], dt, tau + change[2 * n :]
        options = {"method": "rk4", "dt": dt, "output_dt": None, "limits": False, "friction": friction}
        run = robot.simulate(*given, **options, engine="numpy")
        return np.concatenate([run.q[-1], run.qd[-1]])

    slopes = [(step(e) - step(-e)) / (2 * h) for e in h * np.eye(3 * n)]
    # eps / h of rounding and h^2 of the third derivative, which dry friction has up to 1 / 0.01^2 of its own
    np.testing.assert_allclose(np.hstack([A, B]), np.transpose(slopes), rtol=0, atol=1e-8)


@pytest.mark.parametrize(("name", "method"), [("fivebar", "rk4"), ("tied", "euler")])
def test_a_linear_step_along_loops(name, method, interpreted):
    """Differences of one step from states that the loops allow; every motion that there is, and no other, is left."""
    robot = Robot(spatial_loop()) if name == "tied" else ordern.load(name)
    rng, n, dt, h = np.random.default_rng(1), robot.n, 5e-3, 1e-5
    q = robot.assemble(robot.integrate(np.array(robot.model.home), 0.1 * rng.normal(size=n))).q
    qd, tau = robot.closed_velocity(q, rng.normal(size=n)), rng.normal(size=n)
    A, B = robot.linearize(q, qd, tau, dt, method=method)
    assert np.linalg.matrix_rank(A, tol=1e-9) == 2 * robot.mobility(q)

    def ends(size, toward):
        start = robot.assemble(robot.integrate(q, size * toward[0])).q
        speed = robot.closed_velocity(start, qd + size * toward[1])
        options = {"method": method, "dt": dt, "output_dt": None, "limits": False, "engine": "numpy"}
        run = robot.simulate(start, speed, dt, tau + size * toward[2], **options)
        return start, speed, run.q[-1], run.qd[-1]

    for toward in rng.normal(size=(2, 3, n)):
        toward[0] = robot.closed_velocity(q, toward[0])
        back, ahead = ends(-h, toward), ends(h, toward)
        changes = [
            (robot.difference if k in (0, 2) else lambda a, b: b - a)(back[k], ahead[k]) / (2 * h) for k in range(4)
        ]
        made, wanted = A @ np.concatenate(changes[:2]) + B @ toward[2], np.concatenate(changes[2:])
        # eps / h of what is subtracted, and h^2; the step's end is the same point for both charts but for h^2
        np.testing.assert_allclose(made, wanted, rtol=0, atol=1e-8 * max(1.0, np.abs(wanted).max()))
    with pytest.raises(ordern.InputError, match="the nearest state that closes it"):
        robot.linearize(robot.integrate(q, np.full(n, 0.1)), qd, tau, dt)


def spatial_loop():
    """A ball joint and a slide, closed to a hinge by a universal joint: quaternions in a loop."""
    links = [LinkSpec("base")] + [
        LinkSpec(f"l{k}", 1.0 + 0.1 * k, (0.05, 0.02, 0.1), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)) for k in range(4)
    ]
    at = Placement.from_rpy((0.1, 0.05, 0.3), (0.2, 0.3, -0.1))
    joints = [
        JointSpec("ball", "spherical", "base", "l0"),
        JointSpec("slide", "prismatic", "l0", "l1", at, axis=(0.2, 0.1, 1.0)),
        JointSpec("hinge", "revolute", "base", "l2", Placement(origin=(0.4, 0.1, 0.0)), axis=(0.0, 1.0, 0.3)),
        JointSpec("last", "revolute", "l2", "l3", at, axis=(1.0, 0.0, 0.2)),
    ]
    loop = LoopSpec("tie", "universal", "l1", "l3", xyz1=(0.1, 0.0, 0.2), xyz2=(-0.1, 0.0, 0.15))
    return build("tied", links, joints, loops=[loop])


@pytest.mark.parametrize("friction", [True, False])
def test_a_linear_step_of_long_robots_has_their_losses_too(friction, interpreted, monkeypatch):
    """Above 40 bodies, where losses are inputs of the step: differences of one step along random directions. No program writes n x n
    numbers: those take long to compile.
    """
    sizes, run = [], Smooth.run
    monkeypatch.setattr(Smooth, "run", lambda self, rows: sizes.append(sum(self.sizes)) or run(self, rows))
    model, rng, dt, h = serial("R" * 42, 3), np.random.default_rng(4), 1e-3, 1e-5
    losses = rng.uniform(0.1, 1.0, (2, 43))  # one for each joint, so that none is taken for another
    own = [
        replace(b, damping=(losses[0, k],), friction=(losses[1, k],)) if k else b for k, b in enumerate(model.bodies)
    ]
    robot = Robot(model.with_bodies(own))
    n = robot.n
    q, qd, tau = 0.1 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)
    A, B = robot.linearize(q, qd, tau, dt, method="euler", friction=friction)
    assert sizes
    assert max(sizes) <= 4 * n
    options = {"method": "euler", "dt": dt, "output_dt": None, "limits": False, "friction": friction, "engine": "numpy"}
    for e in rng.normal(size=(3, 3 * n)):
        back, ahead = (
            robot.simulate(q + s * e[:n], qd + s * e[n : 2 * n], dt, tau + s * e[2 * n :], **options) for s in (-h, h)
        )
        slope = np.concatenate([ahead.q[-1] - back.q[-1], ahead.qd[-1] - back.qd[-1]]) / (2 * h)
        made = A @ e[: 2 * n] + B @ e[2 * n :]
        # rounding over h, and the curvature of dry friction: 1 / 0.01^2 of its own
        np.testing.assert_allclose(made, slope, rtol=0, atol=1e-6 * np.abs(slope).max())


def test_a_linear_step_from_quaternions_of_any_length():
    """They stand for the attitude, as for all derivatives; half as long ones had made changes of q twice as large."""
    ball = Robot(serial("S", 3))
    q = ball.random(np.random.default_rng(0), (3,))
    v, tau = np.array([0.5, -1.0, 0.3]), np.array([2.0, -1.0, 0.5])
    longer = q * np.array([[1.0001], [0.5], [3.0]])
    for one, other in zip(ball.linearize(q, v, tau, 0.01), ball.linearize(longer, v, tau, 0.01), strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-12 * np.abs(one).max())  # rounding of a normalisation
