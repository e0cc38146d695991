"""The analytical matrix that JAX and PyTorch take for many directions is the derivative of that very quantity, along each
input, for every kind of robot."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.errors import MethodError
from ordern.evaluate.differentiable import _MATRICES, smooth
from ordern.robot import Robot

ROBOTS = {
    "closed": lambda: ordern.load("fourbar"),
    "mimic": lambda: Robot(robots.mimicking()),
    "springs": lambda: Robot(robots.sprung()),
    "floating": lambda: Robot(robots.serial("FR")),
}


@pytest.mark.parametrize("quantity", _MATRICES)
@pytest.mark.parametrize("name", ROBOTS)
def test_matrix_and_directions_agree(name, quantity):
    robot = ROBOTS[name]()
    try:
        made = smooth(robot, quantity)
    except MethodError:
        return  # no such quantity: log_det of closed chains
    matrix = made.matrix
    q, qd, qdd, tau = robots.state(robot.model, np.random.default_rng(2))
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    zero = np.zeros(robot.n)
    parts = matrix.kernel.run([np.atleast_2d(zero if s is None else given[s]) for s in matrix.sources])
    for wrt, part in matrix.part.items():
        J = parts[part].reshape(made.sizes[0], -1)
        if wrt == "q" and matrix.chart is not None:
            J = J @ matrix.chart.run([q[None]])[0].reshape(matrix.chart.outputs["out0"])
        count = made.inputs[wrt]
        held = [np.tile(given[k], (count, 1)) for k in made.inputs]
        columns = made.jvp([wrt]).run([*held, np.eye(count)])[0].T
        scale = max(1.0, np.abs(columns).max())
        # cond(M) below 100
        np.testing.assert_allclose(J, columns, rtol=0, atol=1e4 * np.finfo(float).eps * scale, err_msg=wrt)
