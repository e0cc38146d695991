"""Springs on joints: k (q - rest) is in every force, its energy in the potential energy, its stiffness in the derivatives."""

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms, find
from ordern.describe.builtin import lookup
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.model import Model
from ordern.robot import Robot
from ordern.runtime.numbers import numbers

STIFF = {
    "chain": lambda: robots.serial("RRRPRR", 6),
    "mixed": robots.mixed,
    "mimic": robots.mimicking,
    "long": lambda: robots.serial("RRPRRRRP" * 6, 7),
}
FORWARD = [a.method for a in all_algorithms() if a.quantity == "forward_dynamics"]
CLOSE = 1e-9  # of forces of some 100 N m on matrices of condition 1e4


def with_springs(model: Model, seed: int = 3) -> Model:
    """Springs on most joints whose coordinates are numbers, followers included."""
    rng, made = np.random.default_rng(seed), []
    for i, body in enumerate(model.bodies):
        if i and body.joint.nq == body.joint.nv and i % 5:
            n = body.joint.nv
            k, rest = (tuple(map(float, rng.uniform(low, 3, n))) for low in (0.5, -1))
            body = replace(body, stiffness=k, springref=rest)
        made.append(body)
    return model.with_bodies(made)


def expected(model: Model, q):
    """The springs' forces and energy from their definition, body by body."""
    force, energy = np.zeros(model.nv), 0.0
    for i, body in enumerate(model.bodies):
        if i and body.stiffness:
            n, (iq, iv) = body.joint.nv, model.offsets[i]
            ratio, offset = (body.mimic.ratio, body.mimic.offset) if body.mimic else (1.0, 0.0)
            stretch = ratio * q[iq : iq + n] + offset - np.array(body.springref)
            force[iv : iv + n] += ratio * np.array(body.stiffness) * stretch
            energy += 0.5 * np.array(body.stiffness) @ stretch**2
    return force, energy


@pytest.fixture(params=STIFF)
def pair(request):
    loose = STIFF[request.param]()
    return loose, with_springs(loose)


def run(quantity, model, *arguments, method=None):
    found = [a for a in find(quantity, method) if a.refusal(model) is None]
    return numbers(found[0], model)(*arguments) if found else None


def test_forces_energy_and_derivatives(pair):
    loose, stiff = pair
    q, qd, qdd, _ = robots.state(stiff, np.random.default_rng(0), ())
    force, energy = expected(stiff, q)
    assert np.allclose(run("spring_forces", stiff, q), force, rtol=1e-13)
    for quantity, given in (("gravity_forces", (q,)), ("bias_forces", (q, qd))):
        assert np.allclose(run(quantity, stiff, *given), run(quantity, loose, *given) + force, rtol=0, atol=CLOSE)
    for method in (a.method for a in all_algorithms() if a.quantity == "inverse_dynamics"):
        made = run("inverse_dynamics", stiff, q, qd, qdd, method=method)
        if made is not None:
            assert np.allclose(made, run("inverse_dynamics", loose, q, qd, qdd) + force, rtol=0, atol=CLOSE), method
    assert np.isclose(run("potential_energy", stiff, q), run("potential_energy", loose, q) + energy, rtol=1e-12)
    for a, b in zip(
        run("inverse_dynamics_derivatives", stiff, q, qd, qdd),
        run("inverse_dynamics_derivatives", loose, q, qd, qdd),
        strict=True,
    ):
        change = a - b
        if np.any(change):
            assert np.allclose(change, np.diag([k for k, _ in stiff.springs]), rtol=0, atol=CLOSE)


@pytest.mark.parametrize("method", FORWARD)
def test_every_forward_dynamics(pair, method):
    loose, stiff = pair
    q, qd, _, tau = robots.state(stiff, np.random.default_rng(1), ())
    made = run("forward_dynamics", stiff, q, qd, tau, method=method)
    if made is not None:
        wanted = run("forward_dynamics", loose, q, qd, tau - expected(stiff, q)[0], method=method)
        assert np.allclose(made, wanted, rtol=1e-10, atol=CLOSE)


def test_forward_derivatives(pair):
    """d qdd/dq of the stiff robot at tau: that of the loose one at tau - springs, minus M^-1 K."""
    loose, stiff = pair
    if stiff.nv > 40:
        return  # test_machine_code runs loops; in numbers this one takes half a minute
    q, qd, _, tau = robots.state(stiff, np.random.default_rng(2), ())
    dq, dqd, inverse = run("forward_dynamics_derivatives", stiff, q, qd, tau)
    dq0, dqd0, inverse0 = run("forward_dynamics_derivatives", loose, q, qd, tau - expected(stiff, q)[0])
    assert np.allclose(dq, dq0 - inverse0 * [k for k, _ in stiff.springs], rtol=1e-9, atol=1e-7)
    assert np.allclose(dqd, dqd0, rtol=1e-9, atol=1e-9) and np.allclose(inverse, inverse0, rtol=1e-12)


@pytest.mark.parametrize("name", ["mixed", "long"])
def test_machine_code(name):
    """Written out and in loops."""
    model = with_springs(STIFF[name]())
    robot = Robot(model)
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(3), (4,))
    for quantity, given in (
        ("spring_forces", (q,)),
        ("inverse_dynamics", (q, qd, qdd)),
        ("forward_dynamics", (q, qd, tau)),
        ("potential_energy", (q,)),
    ):
        assert np.allclose(getattr(robot, quantity)(*given), run(quantity, model, *given), rtol=1e-8, atol=1e-9), (
            quantity
        )


@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
@pytest.mark.parametrize("name", ["chain", "mimic"])
def test_energy_stays(name, method):
    """Gravity and springs give back what they take, whatever integrates."""
    model = replace(with_springs(STIFF[name]()), gravity=(0.0, 0.0, -1.0))
    robot = Robot(model)
    q = np.full(robot.n, 0.3)
    options = {} if method == "dopri5" else {"dt": 2e-3}
    run = robot.simulate(q, np.zeros(robot.n), duration=0.4, method=method, output_dt=0.1, **options)
    energy = robot.kinetic_energy(run.q, run.qd) + robot.potential_energy(run.q)
    moved = np.ptp(robot.potential_energy(run.q))
    assert moved > 1e-2 and np.ptp(energy) < 1e-4 * moved


def test_gravity_compensation_holds_springs_too():
    from ordern import control

    model = with_springs(STIFF["chain"]())
    robot, q = Robot(model), np.full(model.nv, 0.3)
    run = robot.simulate(q, np.zeros(model.nv), duration=0.2, torque=control.GravityCompensation(), output_dt=0.1)
    assert np.abs(run.q - q).max() < 1e-9


def test_saved_and_hashed():
    loose = lookup("puma560")
    stiff = with_springs(loose)
    again = loads_toml(to_toml(stiff))
    assert loose.fingerprint != stiff.fingerprint == again.fingerprint and again.springs == stiff.springs
