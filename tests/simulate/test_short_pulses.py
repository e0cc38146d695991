"""max_step: what lasts shorter than a step would be passed over, wherever nobody but the user knows when it comes."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import TRUST
from ordern.simulate.simulate import FIXED, METHODS

PENDULUM = ordern.robots.pendulum()
REST = [-np.pi / 2] if abs(PENDULUM.gravity_forces([0.0])[0]) > 1e-9 else [0.0]
ADAPTIVE = [m for m in METHODS if m not in FIXED]
AT, PULSE = 0.234, 2e-3  # s; without max_step every method passes over it


def pulse(t):
    return 50.0 * (AT < t < AT + PULSE)


# every method and every place; of their pairs a third, a diagonal
PLACES = ("torque", "external", "ensemble")
HIT = [(m, w) for k, m in enumerate(ADAPTIVE) for j, w in enumerate(PLACES) if TRUST or (k + j) % 3 == 0]


@pytest.mark.parametrize(("method", "where"), HIT)
def test_a_pulse_of_a_python_function_is_felt(method, where):
    """A pendulum at rest is hit: its speed is the impulse over its inertia, to the few steps that share the pulse's ends."""
    given = {
        "torque": {"torque": lambda t, q, qd: [pulse(t)]},
        "external": {"external": {"link1": lambda t: [0, 0, pulse(t), 0, 0, 0]}},
        "ensemble": {"torque": lambda t, q, qd: np.array([[pulse(x)] for x in t])},
    }[where]
    q0 = [REST] * 2 if where == "ensemble" else REST
    options = {"duration": 0.24, "method": method, "rtol": 1e-4, "atol": 1e-6, "output_dt": None, "limits": False}
    run = PENDULUM.simulate(q0, max_step=PULSE / 2, friction=False, **given, **options)
    speed = 50.0 * PULSE / PENDULUM.mass_matrix(REST)[0, 0]
    np.testing.assert_allclose(
        run.qd[..., -1, 0], speed, rtol=0.05
    )  # swinging for 4 ms takes less than a percent of it
    assert np.min(run.stats["steps"]) >= 0.24 / PULSE * 2 / 1.011  # a step that ends a run may be 1 % longer


@pytest.mark.parametrize("engine", ["compiled", "numpy", "scipy"])
def test_crossings_that_are_near_each_other_are_both_seen(engine):
    method = {"method": "Radau"} if engine == "scipy" else {"engine": engine}
    options = {"duration": 1.0, "rtol": 1e-3, "atol": 1e-3, "limits": False} | method

    def flashes(t, q, qd):
        return abs(t - 0.6) - 0.004

    flashes.terminal = False
    assert not PENDULUM.simulate(REST, events=flashes, **options).events
    for q0 in (REST, [REST, REST]):
        found = [e.t for e in PENDULUM.simulate(q0, events=flashes, max_step=0.004, **options).events]
        np.testing.assert_allclose(found, np.repeat([0.596, 0.604], np.ndim(q0)), rtol=0, atol=1e-9)


def test_engines_make_the_same_steps():
    made = [
        PENDULUM.simulate([0.3], [1.0], duration=1.0, engine=engine, max_step=0.01) for engine in ("compiled", "numpy")
    ]
    assert made[0].stats["steps"] == made[1].stats["steps"] >= 100
    np.testing.assert_allclose(made[0].q, made[1].q, rtol=0, atol=1e-12)


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, "short", 1e-12])
def test_steps_without_sense_are_refused(value):
    with pytest.raises(ordern.InputError, match="max_step"):
        PENDULUM.simulate(REST, duration=1.0, max_step=value)


def test_a_store_goes_on_only_with_the_same_steps(tmp_path):
    pytest.importorskip("zarr")
    options = {"duration": 0.1, "save": str(tmp_path / "runs.zarr")}
    PENDULUM.simulate([REST] * 2, max_step=0.01, **options)
    PENDULUM.simulate([REST] * 2, max_step=0.01, **options)
    with pytest.raises(ordern.InputError, match="something else"):
        PENDULUM.simulate([REST] * 2, max_step=0.02, **options)


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("first", [0.0, 3.0])
def test_a_stage_takes_the_sample_that_holds_at_its_time(engine, method, first):
    """A held torque that changes in the middle of a fixed step: euler sees what its beginning has, RK4 at three of four places
    what holds there, and at the end of the step what follows."""
    dt, then, inertia = 0.01, 3.0 - first, PENDULUM.mass_matrix(REST)[0, 0]
    law = ordern.control.Series([0.0, 0.6 * dt, 1.0], [[first], [then], [then]], "hold")
    run = PENDULUM.simulate(
        REST, duration=dt, dt=dt, method=method, torque=law, engine=engine, limits=False, friction=False
    )
    felt = first if method == "euler" else (5 * first + then) / 6
    np.testing.assert_allclose(run.qd[-1, 0], felt * dt / inertia, rtol=0, atol=1e-3 * dt)  # it has not yet swung far
