"""Single precision in, single precision out, and the same answer: every method x every kind of robot, closed chains and
links that cannot move in all directions included."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.errors import SingularError
from ordern.robot import Robot
from ordern.runtime.call import Call

CLOSED = ("fourbar", "fourbars3", "stewart", "bricard", "threerrr", "delta", "andrews", "fivebar", "slider_crank")
TREES = {
    "arm": lambda: ordern.load("ur5"), "redundant": lambda: ordern.load("panda"), "long": lambda: ordern.load("chain45"),
    "floating": lambda: Robot(robots.serial("FRS")), "balls": lambda: Robot(robots.serial("SUR")),
}  # fmt: skip
EPS = float(np.finfo(np.float32).eps)


@pytest.fixture
def double_by_numbers(monkeypatch):
    """What is compared with needs no machine code: in double precision the algorithms themselves compute, but those of long robots."""
    compiled = Call._run

    def run(call, rows, outs, count, dtype):
        if dtype != "float64" or len(call.model.bodies) > 40:
            return compiled(call, rows, outs, count, dtype)
        return call._by_numbers([np.broadcast_to(r, (count, r.shape[1])) for r in rows], outs)

    monkeypatch.setattr(Call, "_run", run)


def states(robot, count=6):
    rng = np.random.default_rng(3)
    n = robot.n
    q = robot.random(rng, (count,))
    if robot.loops:  # near the description's own closed state, so that all of them close
        home = np.broadcast_to(np.array(robot.model.home), (count, robot.nq))
        made = robot.assemble(robot.integrate(home, 0.2 * rng.normal(size=(count, n))))
        q = made.q[made.success]
    qd = rng.normal(size=(len(q), n))
    qd = robot.closed_velocity(q, qd) if robot.loops else qd
    tau = rng.normal(size=(len(q), n)) * np.array(robot.model.driven, float)
    return [x.astype(np.float32) for x in (q, qd, tau)]


def methods(robot):
    end = robot.link_names[-1]
    made = {
        "inverse_dynamics": lambda q, qd, u: robot.inverse_dynamics(q, qd, u),
        "forward_dynamics": lambda q, qd, u: robot.forward_dynamics(q, qd, u),
        "mass_matrix": lambda q, qd, u: robot.mass_matrix(q),
        "bias_forces": lambda q, qd, u: robot.bias_forces(q, qd),
        "momentum": lambda q, qd, u: robot.momentum(q, qd),
        "jacobian": lambda q, qd, u: robot.jacobian(q, end),
        "regressor": lambda q, qd, u: robot.regressor(q, qd, u),
        "derivatives": lambda q, qd, u: robot.forward_dynamics_derivatives(q, qd, u).dtau,
    }
    if robot.loops:
        made |= {
            "closed_velocity": lambda q, qd, u: robot.closed_velocity(q, u),
            "closed_jacobian": lambda q, qd, u: robot.closed_jacobian(q, end),
            "impulse": lambda q, qd, u: robot.impulse(q, u),
        }
    return made


@pytest.mark.parametrize("name", [*TREES, *CLOSED])
def test_every_method(name, double_by_numbers):
    robot = TREES[name]() if name in TREES else ordern.load(name)
    single = states(robot)
    assert len(single[0]) > 2
    double = [x.astype(float) for x in single]
    if robot.loops:
        assert np.array_equal(robot.mobility(single[0]), robot.mobility(robot.assemble(double[0]).q))
    # rounding grows with the condition of M, and with that of the loops' equations, which is below 2000 at these states
    allowed = EPS * max(2000.0, float(np.linalg.cond(robot.mass_matrix(double[0])).max()))
    for what, compute in methods(robot).items():
        made, right = compute(*single), compute(*double)
        assert made.dtype == np.float32 and right.dtype == np.float64, what
        scale = np.abs(right).max(axis=tuple(range(1, right.ndim)), keepdims=True)
        assert np.all(np.abs(made - right) <= allowed * scale), what


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operational_inertia_is_of_the_precision_given_and_refused_where_there_is_none(dtype):
    arm = ordern.load("panda")
    q = arm.random(1, (4,)).astype(dtype)
    made = arm.operational_inertia(q, "panda_hand")
    assert made.dtype == dtype
    np.testing.assert_allclose(made, arm.operational_inertia(q.astype(float), "panda_hand"), rtol=1e-5, atol=1e-5)
    with pytest.raises(SingularError, match=r"5 of 6 directions only in state 0: "):
        arm.operational_inertia(q, "panda_link5")
    with pytest.raises(SingularError, match=r"in state \(0, 0\): "):
        arm.operational_inertia(q.reshape(2, 2, -1), "panda_link5")
