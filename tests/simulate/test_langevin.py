"""Fixman's force and Langevin dynamics: balances of energy, equipartition, densities of coordinates, random numbers one can rely on."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from budget import TRUST
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.errors import InputError, MethodError, ShapeError
from ordern.model import Placement


def planar_trimer():
    """Three equal masses on two rods of unit length, free in the plane."""
    first = LinkSpec("first", mass=2.0, com=(0.5, 0, 0), inertia=(0, 0.5, 0.5, 0, 0, 0))
    joints = [
        JointSpec("base", "planar", "world", "first"),
        JointSpec("bend", "revolute", "first", "second", Placement(origin=(1, 0, 0))),
    ]
    return ordern.Robot(
        build("trimer", [first, LinkSpec("second", mass=1.0, com=(1, 0, 0))], joints, gravity=(0, 0, 0))
    )


def trimer_in_space():
    """The same in space; rods may spin about themselves, which no other motion feels (no body has such moments alone: hence the warning)."""
    links = [
        LinkSpec("first", mass=2.0, com=(0.5, 0, 0), inertia=(0.3, 0.5, 0.5, 0, 0, 0)),
        LinkSpec("second", mass=1.0, com=(1, 0, 0), inertia=(0.3, 0, 0, 0, 0, 0)),
    ]
    joints = [
        JointSpec("base", "floating", "world", "first"),
        JointSpec("bend", "spherical", "first", "second", Placement(origin=(1, 0, 0))),
    ]
    with pytest.warns(ordern.OrdernWarning, match="principal moments"):
        return ordern.Robot(build("trimer", links, joints, gravity=(0, 0, 0), on_invalid="warn"))


def ratio_of_densities(even, at_right, at_straight, groups=40):
    """P(90)/P(180) from an even series of the density, and its standard error by leaving groups of runs out; ``even`` is (terms, runs) of means."""
    parts = even.reshape(len(even), groups, -1).mean(axis=2)

    def ratio(means):
        return (at_right @ means) / (at_straight @ means)

    left_out = [ratio(np.delete(parts, k, axis=1).mean(axis=1)) for k in range(groups)]
    return ratio(parts.mean(axis=1)), np.sqrt((groups - 1) * np.var(left_out))


def sampled(robot, q0, fixman, duration, seed):
    return robot.simulate(
        q0,
        None,
        duration=duration,
        temperature=1.0,
        method="baoab",
        fixman=fixman,
        dt=0.1,
        output_dt=1.0,
        seed=seed,
        limits=False,
    ).q[:, 6:]


@pytest.mark.parametrize("fixman", [False, True])
def test_density_of_a_bond_angle_in_the_plane(fixman):
    """Rigid bonds: P(90)/P(180) = sqrt(4/3); with Fixman's potential 1, as of stiff springs. Two harmonics leave 2e-4 of the ratio out."""
    robot, runs = planar_trimer(), 8000 if TRUST else 1000
    q0 = np.zeros((runs, 4))
    q0[:, 3] = np.random.default_rng(5).uniform(-np.pi, np.pi, runs)
    theta = sampled(robot, q0, fixman, 46.0 if TRUST else 26.0, 2)[..., 3]
    even = np.stack([np.cos(2 * k * theta).mean(axis=1) for k in range(3)])
    weights = np.array([1.0, 2.0, 2.0])
    ratio, error = ratio_of_densities(even, weights * [1, -1, 1], weights)
    assert error < (0.01 if TRUST else 0.05)
    assert abs(ratio - (1.0 if fixman else np.sqrt(4 / 3))) < 3 * error


@pytest.mark.skipif(not TRUST, reason="half a minute; ORDERN_TRUST=1 runs it")
@pytest.mark.parametrize("fixman", [False, True])
def test_density_of_a_bond_angle_per_solid_angle(fixman):
    robot, runs = trimer_in_space(), 5000
    quaternions = np.random.default_rng(5).normal(size=(runs, 4))
    q0 = np.tile(robot.neutral(), (runs, 1))
    q0[:, 7:] = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    _, y, z, _ = np.moveaxis(sampled(robot, q0, fixman, 86.0, 3)[..., 7:], -1, 0)
    c = 1 - 2 * (y * y + z * z)  # the cosine between both bonds
    even = np.stack([np.polynomial.legendre.Legendre.basis(k)(c).mean(axis=1) for k in (0, 2, 4)])
    ratio, error = ratio_of_densities(even, np.array([0.5, -5 / 4, 27 / 16]), np.array([0.5, 2.5, 4.5]))
    assert error < 0.01
    assert abs(ratio - (1.0 if fixman else np.sqrt(4 / 3))) < 3 * error


@pytest.mark.parametrize("name", ["mixed", "mimic", "long"])
def test_velocities_are_those_of_the_temperature(name):
    """Kinetic energy n kT / 2 to five standard errors, from rest, whatever joints there are; kT of each run its own."""
    robot = ordern.Robot(robots.GRID[name]()).with_gravity((0, 0, 0))
    runs, kT = 200, np.repeat([0.02, 0.05], 100)
    q0 = np.array([robot.random(np.random.default_rng(k)) for k in range(runs)])
    run = robot.simulate(
        q0, duration=1.0, method="baoab", temperature=kT, dt=0.02, output_dt=0.5, collision_rate=8.0, limits=False, friction=False
    )  # fmt: skip
    assert run.complete
    share = 2 * robot.kinetic_energy(run.q[:, -1], run.qd[:, -1]) / (robot.n * kT)
    assert abs(share.mean() - 1) < 5 * np.sqrt(2 / robot.n / runs)


@pytest.mark.parametrize(("name", "method"), [("floating", "rk4"), ("chain", "symplectic"), ("mimic", "dopri5")])
def test_energy_is_kept_with_the_potential(name, method):
    """Which is so only if the force is the gradient of the potential in run.energy."""
    robot = ordern.Robot(robots.GRID[name]())
    q, qd, *_ = robots.state(robot.model, np.random.default_rng(1))
    numpy = {"engine": "numpy"} if method == "rk4" else {}
    run = robot.simulate(
        q,
        0.3 * qd,
        duration=0.2,
        fixman=True,
        temperature=3.0,
        method=method,
        dt=1e-3,
        rtol=1e-10,
        atol=1e-12,
        limits=False,
        friction=False,
        **numpy,
    )
    cold = robot.kinetic_energy(run.q, run.qd) + robot.potential_energy(run.q)
    assert np.ptp(run.energy) < 1e-7 * (1 + np.abs(run.energy).max())
    assert np.ptp(cold) > 1e3 * np.ptp(run.energy)


def test_long_chains_feel_it_too():
    robot = ordern.robots.planar(60, mass="tips").with_gravity((0, 0, 0))
    q = np.random.default_rng(0).uniform(-0.5, 0.5, 60)
    run = robot.simulate(q, duration=0.05, fixman=True, temperature=0.5, t_eval=[0.0, 0.05])
    want = robot.forward_dynamics(q, np.zeros(60), -0.25 * robot.log_det_gradient(q))
    np.testing.assert_allclose(run.qdd[0], want, rtol=0, atol=1e-9 * np.abs(want).max())


def test_masses_of_each_run_count():
    robot = ordern.robots.planar(2, mass="tips").with_gravity((0, 0, 0))
    factors = np.array([[1.0, 1.0], [1.0, 3.0]])
    run = robot.simulate(
        [[0.1, 0.9]] * 2,
        [[0.2, 0.3]] * 2,
        duration=1.0,
        fixman=True,
        temperature=[1.0, 2.0],
        parameters={"masses": factors},
        rtol=1e-11,
        atol=1e-12,
    )
    assert np.ptp(run.energy, axis=1).max() < 1e-8
    assert abs(run.energy[0, 0] - run.energy[1, 0]) > 0.1


def test_random_numbers_belong_to_a_run():
    """The same whatever the others do, parted or not; another seed is another motion."""
    robot = planar_trimer()
    options = {"duration": 0.5, "method": "baoab", "temperature": 1.0, "dt": 0.01, "output_dt": 0.1}
    q0 = np.zeros((7, 4))
    q0[:, 3] = np.linspace(0.5, 2.5, 7)
    whole = robot.simulate(q0, seed=4, **options).q
    np.testing.assert_array_equal(robot.simulate(q0[:3], seed=4, **options).q, whole[:3])
    np.testing.assert_array_equal(robot.simulate(q0[0], seed=4, **options).q, whole[0])
    assert not np.array_equal(robot.simulate(q0, seed=5, **options).q, whole)
    assert len({row[-1, 0] for row in whole}) == 7


def test_streamed_runs_are_the_same(tmp_path):
    pytest.importorskip("zarr")
    robot = planar_trimer()
    options = {"duration": 0.2, "method": "baoab", "temperature": 1.0, "fixman": True, "dt": 0.01, "output_dt": 0.1}
    q0 = np.tile([0.0, 0.0, 0.0, 1.0], (5, 1))
    whole = robot.simulate(q0, **options)
    kept = robot.simulate(q0, save=str(tmp_path / "x.zarr"), **options)
    np.testing.assert_array_equal(np.asarray(kept.q), whole.q)
    np.testing.assert_allclose(np.asarray(ordern.Run.load(str(tmp_path / "x.zarr")).energy), whole.energy, rtol=1e-12)
    with pytest.raises(InputError, match="holds something else"):
        robot.simulate(q0, save=str(tmp_path / "x.zarr"), **(options | {"seed": 1}))


def test_without_collisions_and_cold_it_is_plain_motion():
    robot = ordern.robots.planar3()
    cold = robot.simulate([0.1, 0.2, 0.3], duration=0.5, method="baoab", temperature=0.0, collision_rate=0.0, dt=1e-3)
    plain = robot.simulate([0.1, 0.2, 0.3], duration=0.5)
    np.testing.assert_allclose(cold.q, plain.q, rtol=0, atol=2e-5)  # of order dt^2


DRAGS = {
    "none": {},
    "damping": {"parameters": {"damping": [0.5, 0.4]}},
    "law": {"torque": ordern.control.ComputedTorque([0.0, 0.0], 8.0, 2.0)},
    "function": {"torque": lambda t, q, qd: np.sin(t) - 0.5 * qd},
    "wrench": {"external": {"link2": lambda t, q, qd: np.array([0, 0, -0.5 * qd[0], np.cos(3 * t), 0, 0])}},
    "stops": {"limits": {"stiffness": 2.0, "damping": 1.0}},
}


@pytest.mark.parametrize("name", DRAGS)
def test_steps_are_of_second_order_whatever_the_forces_depend_on(interpreted, name):
    """Cold and without collisions, half the step leaves a quarter of the error; with drag it had been half."""
    model = ordern.robots.planar(2).model  # within its upper stops all the time: the way in would be no smooth force
    ends = {"upper": (-0.5,)} if name == "stops" else {}
    robot = ordern.Robot(model.with_bodies(replace(b, **ends) if i else b for i, b in enumerate(model.bodies)))
    given = {"q0": [0.1, 0.2], "qd0": [0.5, -0.3], "duration": 0.16, "output_dt": None, **DRAGS[name]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ordern.OrdernWarning)  # outside the limits
        exact = robot.simulate(method="rk4", dt=1e-3, engine="numpy", **given)
        runs = [
            robot.simulate(method="baoab", temperature=0.0, collision_rate=0.0, dt=h, **given) for h in (0.02, 0.01)
        ]
    off = [np.abs(np.concatenate([r.q[-1] - exact.q[-1], r.qd[-1] - exact.qd[-1]])).max() for r in runs]
    assert 3.5 < off[0] / off[1] < 4.5  # terms of the next order are some h of these


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"method": "baoab"}, InputError, "needs temperature"),
        ({"fixman": True}, InputError, "needs temperature"),
        ({"fixman": 2.0, "temperature": 1.0}, InputError, "True or False"),
        ({"temperature": 1.0}, InputError, "nothing would feel it"),
        ({"method": "baoab", "temperature": -1.0}, InputError, "at least 0"),
        ({"method": "baoab", "temperature": [1.0, 2.0]}, ShapeError, "one number"),
        ({"method": "baoab", "temperature": 1.0, "collision_rate": -1.0}, InputError, "collision_rate"),
        ({"method": "baoab", "temperature": 1.0, "seed": 0.5}, InputError, "seed"),
        ({"method": "baoab", "temperature": 1.0, "engine": "compiled"}, InputError, "steps in NumPy"),
        ({"method": "baoab", "temperature": 1.0, "events": lambda t, q, qd: q[0]}, InputError, "events"),
        ({"method": "baoab", "temperature": 1.0, "torque": ordern.control.PID([0.0] * 3, 1, 1, 1)}, InputError, "remembers"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_said(options, error, match):
    with pytest.raises(error, match=match):
        ordern.robots.planar3().simulate(duration=0.1, **options)


def test_loops_are_refused():
    with pytest.raises(MethodError, match="loops"):
        ordern.robots.fourbar().simulate(duration=0.1, method="baoab", temperature=1.0)
    with pytest.raises(MethodError, match="log_det_gradient"):
        ordern.robots.fourbar().simulate(duration=0.1, fixman=True, temperature=1.0)


def test_a_run_that_diverges_says_when():
    """At the last step that came out well, between two rows of the output too."""
    robot = ordern.load("planar2")
    with pytest.raises(ordern.SimulationError, match=r"at t = 0\.04 s"):
        robot.simulate(
            robot.neutral(), [0.0, 0.0], duration=0.1, method="baoab", dt=0.01, output_dt=0.05, temperature=300.0,
            torque=lambda t, q, qd: [1e300 * (t > 0.034), 0.0],
        )  # fmt: skip
