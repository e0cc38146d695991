"""Linear steps of robots with everything that a simulation takes from their description: losses of joints and of those that follow them."""

import numpy as np
import plant
import pytest

from ordern.robot import Robot


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
