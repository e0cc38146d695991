"""Springs on joints: k (q - rest) is in every force, its energy in the potential energy, its stiffness in the derivatives.

Where coordinates are a quaternion, q - rest is the rotation vector between both; SciPy's has the last word on it.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import ordern.program.rolled as rolled
import ordern.program.schedule as schedule
import robots
from ordern.algorithms.registry import all_algorithms, find
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.builtin import lookup
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.errors import ModelError
from ordern.joints import JOINTS
from ordern.model import Model
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.runtime.numbers import numbers

STIFF = {
    "chain": lambda: robots.serial("RRRPRR", 6),
    "mixed": robots.mixed,
    "mimic": robots.mimicking,
    "long": lambda: robots.serial("RRPRRRRP" * 6, 7),
    "balls": lambda: robots.tree(["floating", "spherical", "revolute", "spherical"], [0, 1, 2, 1], 8),
}
LOOPS = {"many balls": lambda: robots.tree(["spherical", "revolute"] * 16, [0, *range(1, 32)], 9)}
FORWARD = [a.method for a in all_algorithms() if a.quantity == "forward_dynamics"]
CLOSE = 1e-9  # of forces of some 100 N m on matrices of condition 1e4


def with_springs(model: Model, seed: int = 3) -> Model:
    """Springs on most joints, followers included; those of quaternions are as stiff about every axis."""
    rng, made = np.random.default_rng(seed), []
    for i, body in enumerate(model.bodies):
        if i and i % 5:
            n = body.joint.nv
            k, rest = (tuple(map(float, rng.uniform(low, 3, n))) for low in (0.5, -1))
            if not body.joint.plain:
                k = k[:1] * 3 + k[1:2] * (n - 3)
                rest = (*rest[3:], *map(float, Rotation.random(random_state=rng).as_quat()))
            body = replace(body, stiffness=k, springref=rest)
        made.append(body)
    return model.with_bodies(made)


def way(body, q):
    """From where the spring rests to q: numbers, or a rotation vector and a place seen from the body."""
    if body.joint.plain:
        return q - np.array(body.springref)
    now, rest = Rotation.from_quat(q[-4:]), Rotation.from_quat(body.springref[-4:])
    turn = (rest.inv() * now).as_rotvec()
    return turn if len(q) == 4 else np.append(turn, now.inv().apply(q[:3] - np.array(body.springref[:3])))


def stiffness(model: Model, q):
    """How the springs' forces change along the joint velocities, by central differences of their definition."""
    K, h = np.zeros((model.nv, model.nv)), 1e-5
    for c, e in enumerate(h * np.eye(model.nv)):
        moved = [Robot(model).integrate(q, s * e) for s in (1, -1)]
        K[:, c] = (expected(model, moved[0])[0] - expected(model, moved[1])[0]) / (2 * h)
    return K


def expected(model: Model, q):
    """The springs' forces and energy from their definition, body by body."""
    force, energy = np.zeros(model.nv), 0.0
    for i, body in enumerate(model.bodies):
        if i and body.stiffness:
            n, (iq, iv) = body.joint.nv, model.offsets[i]
            ratio, offset = (body.mimic.ratio, body.mimic.offset) if body.mimic else (1.0, 0.0)
            stretch = way(body, ratio * q[iq : iq + body.joint.nq] + offset)
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
            assert np.allclose(change, stiffness(stiff, q), rtol=0, atol=1e-8)  # h^2 and eps / h of forces of some 10


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
    assert np.allclose(dq, dq0 - inverse0 @ stiffness(stiff, q), rtol=1e-7, atol=1e-6)  # differences, times M^-1
    assert np.allclose(dqd, dqd0, rtol=1e-9, atol=1e-9) and np.allclose(inverse, inverse0, rtol=1e-12)


def test_second_derivatives():
    """Springs of quaternions are not linear: the matrices of the first derivatives change with them."""
    model = with_springs(robots.tree(["spherical", "revolute"], [0, 1], 8))
    robot, h = Robot(model), 1e-4
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(5), ())
    made = robot.inverse_dynamics_derivatives(q, qd, qdd, order=2).dq_dq
    for c, e in enumerate(h * np.eye(robot.n)):
        ends = [robot.inverse_dynamics_derivatives(robot.integrate(q, s * e), qd, qdd).dq for s in (1, -1)]
        assert np.allclose(made[..., c], (ends[0] - ends[1]) / (2 * h), rtol=1e-5, atol=1e-5)  # h^2 of forces of 100


def test_springs_of_quaternions_that_are_refused():
    links = [LinkSpec("a"), LinkSpec("b", 1.0, (0.1, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))]
    for given, said in (
        ({"stiffness": (1.0, 2.0, 1.0)}, "every axis"),
        ({"stiffness": 1.0, "springref": (0.0, 0.0, 0.0)}, "must be 4 numbers"),
        ({"stiffness": 1.0, "springref": (0.0, 0.0, 0.0, 0.5)}, "length one"),
        ({"stiffness": -1.0}, "must not be negative"),
    ):
        with pytest.raises(ModelError, match=said):
            build("x", links, [JointSpec("j", "spherical", "a", "b", **given)])


@pytest.mark.parametrize("name", ["mixed", "long", "balls", "many balls"])
def test_machine_code(name):
    """Written out and in loops."""
    model = with_springs((STIFF | LOOPS)[name]())
    robot = Robot(model)
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(3), (4,))
    for quantity, given in (
        ("spring_forces", (q,)),
        ("inverse_dynamics", (q, qd, qdd)),
        ("forward_dynamics", (q, qd, tau)),
        ("potential_energy", (q,)),
    )[: 2 if name in LOOPS else None]:
        assert np.allclose(getattr(robot, quantity)(*given), run(quantity, model, *given), rtol=1e-8, atol=1e-9), (
            quantity
        )


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("kind", sorted(JOINTS))
def test_loops_over_joints_of_every_kind(monkeypatch, kind, bare):
    """A loop reads its joints' springs from columns, in which joints with fewer coordinates stand as well."""
    monkeypatch.setattr(rolled, "UNROLL", 0)
    for name, value in (("UNROLL", 0), ("FEW", 1), ("FEW_ROOTS", 0)):
        monkeypatch.setattr(schedule, name, value)
    model = with_springs(robots.tree(["revolute", kind, "universal", kind, "helical", kind], [0, 1, 1, 2, 3, 4], 5))
    if bare:  # one joint of the loop without a spring, and one whose spring rests at zero without saying so
        plain = {2: {"stiffness": (), "springref": ()}, 4: {"springref": ()} if JOINTS[kind].plain else {}}
        model = model.with_bodies(replace(b, **plain.get(i, {})) for i, b in enumerate(model.bodies))
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(4), ())
    given = {"q": q, "qd": qd, "qdd": qdd}
    for quantity, method in (("spring_forces", "direct"), ("inverse_dynamics", "newton-euler")):
        (algorithm,) = find(quantity, method)
        program = trace(algorithm, model, {}, rolled=True)
        assert not program.straight
        (made,) = interpret(program, {name: given[name] for name in program.inputs}).values()
        right = numbers(algorithm, model)(*(given[name] for name in program.inputs))
        assert np.allclose(made, right, rtol=1e-12, atol=1e-12 * np.abs(right).max())  # a few roundings a joint


@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
@pytest.mark.parametrize("name", ["chain", "mimic", "balls"])
def test_energy_stays(name, method):
    """Gravity and springs give back what they take, whatever integrates."""
    model = replace(with_springs(STIFF[name]()), gravity=(0.0, 0.0, -1.0))
    robot = Robot(model)
    q = robot.integrate(robot.neutral(), np.full(robot.n, 0.3))
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
