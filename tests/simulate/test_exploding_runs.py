"""Steps that are too long for a stiff drive: the run has diverged, whether or not its numbers are still finite at the end."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern import robot
from ordern.simulate.fixed_steps import explode
from ordern.simulate.integrators import DIVERGED, DONE, RUNNING, Progress

DRIVE = ordern.control.PD([0.0], 1e5, 1e4)  # 1e4/s: steps of 1 ms are far too long
METHODS = ["rk4", "euler", "symplectic", "baoab"]


def options(method, engine=None):
    warm = {"temperature": 0.0, "collision_rate": 0.0} if method == "baoab" else {}
    return warm | {"method": method, "torque": DRIVE, "engine": None if method == "baoab" else engine}


@pytest.mark.parametrize("method", METHODS)
def test_growth_without_bound_is_told_however_long_the_run_is(interpreted, method):
    """Every duration from where the speed is a billion to where it is infinite; the rows that are kept are those of a motion."""
    slide = robot.Robot(robots.serial("P", 1))
    for steps in (20, 40, 80, 300):
        with pytest.raises(ordern.SimulationError, match="diverges") as caught:
            slide.simulate([0.1], duration=steps * 2e-3, dt=2e-3, output_dt=2e-3, **options(method, "numpy"))
        run = caught.value.run
        assert run.status == ["diverged"] and np.isfinite(run.q).all() and 0 < len(run.t) < steps
        assert np.abs(run.qd).max() <= 1e6 / 2e-3 and caught.value.time == run.t[-1]
        assert np.array_equal(caught.value.qd, run.qd[-1])


def test_machine_code_and_ensembles_tell_it_too():
    arm = ordern.robots.pendulum()
    gains = ordern.control.PD([0.0], np.array([[10.0], [10.0], [10.0]]), np.array([[1.0], [4e4], [1.0]]))
    with pytest.warns(ordern.OrdernWarning, match="1 of 3 runs did not reach the end; run 1: the motion diverges"):
        run = arm.simulate([[0.1]] * 3, duration=0.02, output_dt=1e-3, method="rk4", torque=gains)
    assert run.status == ["done", "diverged", "done"]
    assert len(run[1].t) < len(run.t) == len(run[0].t) and np.isfinite(run[1].qd).all()


def test_fast_starts_are_no_explosions():
    """A wheel that begins with a billion rad/s goes on with them; adaptive steps follow any force."""
    wheel = ordern.robots.planar(1).with_gravity((0, 0, 0))
    run = wheel.simulate([0.0], [1e10], duration=0.1, method="rk4", dt=0.01, output_dt=None)
    assert run.status == ["done"] and np.allclose(run.q[-1], 1e9)
    run = wheel.simulate([0.0], duration=0.1, torque=[1e13], output_dt=None)
    assert run.status == ["done"] and run.qd[-1, 0] > 1e11


def test_only_ends_of_runs_are_looked_at():
    """Others have said why they ended."""
    v = np.array([[[1.0], [2.0], [3.0]], [[1.0], [1e9], [3.0]], [[1e7], [1e9], [1e9]], [[1.0], [1e9], [np.nan]]])
    state = Progress.begin(np.zeros((4, 1)), v[:, 0], np.arange(3.0), np.ones((4, 3, 1)), v.copy())
    state.status[:], state.next[:] = [DONE, DONE, DONE, RUNNING], 3
    explode(state, np.arange(3.0), 1e-2)
    assert state.status.tolist() == [DONE, DIVERGED, DONE, RUNNING] and state.next.tolist() == [3, 1, 3, 3]
    assert np.isnan(state.out_v[1, 1:]).all() and np.array_equal(state.out_v[0], v[0])
