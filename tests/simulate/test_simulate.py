"""Motions against published values, Taylor integration, and what mechanics conserves."""

from __future__ import annotations

from functools import cache

import heyoka as hy
import numpy as np
import pytest

import ordern
from budget import TRUST
from ordern.emit.tableaus import TABLES, gauss
from ordern.robot import Robot
from ordern.simulate.arguments import the_motion
from ordern.simulate.fixed_steps import fixed
from ordern.simulate.integrators import Progress, adaptive
from ordern.simulate.numpy_engine import Functions
from robots import GRID

PLANAR = {  # free fall from rest at zero; section 19.1 of the mathematics page
    0.1: (-0.206663750697205, 0.27059272154699, -0.0870182314363803),
    0.5: (-1.84343202730671, -0.558262611649205, -0.233428784022866),
    1.0: (-2.25406943784963, -1.1012869306516, -0.167747283551122),
    2.0: (-1.70357966702503, 0.224236680277334, 0.842113428890037),
    3.0: (-0.853981342388585, 0.23791785199328, 0.824508309859173),
}
STANFORD = {  # section 19.2
    0.1: (
        -0.000134599107258349,
        1.5212700246311,
        0.00060083355832245,
        -1.06901336772804e-05,
        0.0495263026616136,
        1.06770256894897e-05,
    ),
    0.5: (
        -0.0406348075317704,
        0.566777153649009,
        0.348017983137419,
        -0.0240587009604694,
        1.00415637023711,
        0.012916573980309,
    ),
    1.0: (
        0.00254347828976601,
        0.0809666575413423,
        2.99966161955364,
        0.0444530562758325,
        1.48957697699943,
        -0.00359459223347587,
    ),
    1.5: (
        0.141434331380889,
        0.0193959952958805,
        8.18506492158523,
        0.205413648982911,
        1.55111747546594,
        -0.00395708820673967,
    ),
}
EPS = np.finfo(float).eps
TIGHT = {"rtol": 1e-13, "atol": 1e-14}


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
@pytest.mark.parametrize(
    ("name", "q0", "known"), [("planar3", (0, 0, 0), PLANAR), ("stanford", (0, np.pi / 2, 0, 0, 0, 0), STANFORD)]
)
def test_free_fall_of_the_papers_arms(name, q0, known, method):
    run = ordern.load(name).simulate(q0, duration=max(known), method=method, output_dt=0.1, **TIGHT)
    for t, q in known.items():
        k = int(np.argmin(np.abs(run.t - t)))
        np.testing.assert_allclose(run.q[k], q, rtol=0, atol=1e-9)
    assert run.complete and np.ptp(run.energy) < 1e-9


@pytest.mark.parametrize("name", ["planar3", "stanford"])
def test_symplectic_and_rk4_reach_the_same(name):
    q0, known = ((0, 0, 0), PLANAR) if name == "planar3" else ((0, np.pi / 2, 0, 0, 0, 0), STANFORD)
    robot = ordern.load(name)
    end = max(known)
    np.testing.assert_allclose(
        robot.simulate(q0, duration=end, method="symplectic").q[-1], known[end], rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(
        robot.simulate(q0, duration=end, method="rk4", dt=2e-4).q[-1], known[end], rtol=0, atol=1e-8
    )


def taylor(robot: Robot, q0, qd0, end: float):
    """Heyoka's Taylor integration of the Newton-Euler text with the mass matrix solved symbolically (Cramer's rule for few joints)."""
    from ordern.algorithms.newton_euler import newton_euler
    from ordern.program.layout import collect
    from ordern.scalars.primitives import sincos
    from ordern.tree import Tree

    sincos.register(hy.expression, lambda a: (hy.sin(a), hy.cos(a)))
    n, model = robot.n, robot.model
    q, v = ([hy.expression(f"{letter}{k}") for k in range(n)] for letter in "qv")
    tree = Tree(model)

    def tau(qd, qdd, gravity=True):
        if not gravity:
            held, tree.gravity = tree.gravity, type(tree.gravity).zero()
        made = collect(
            "dofs", tree, newton_euler(tree, *(tree.coordinates(x, k) for x, k in ((q, "q"), (qd, "v"), (qdd, "v"))))
        )
        if not gravity:
            tree.gravity = held
        return [made.get(k, 0) for k in range(n)]

    bias = tau(v, [0] * n)
    M = list(zip(*(tau([0] * n, [int(k == c) for k in range(n)], gravity=False) for c in range(n)), strict=True))
    # Gauss elimination without pivoting: M is positive definite
    A = [[*row, -b] for row, b in zip(M, bias, strict=True)]
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            A[i] = [a - f * b for a, b in zip(A[i], A[k], strict=True)]
    qdd = [None] * n
    for k in range(n - 1, -1, -1):
        total = A[k][n]
        for j in range(k + 1, n):
            total = total - A[k][j] * qdd[j]
        qdd[k] = total / A[k][k]
    system = [*zip(q, v, strict=True), *zip(v, qdd, strict=True)]
    integrator = hy.taylor_adaptive(system, [*map(float, q0), *map(float, qd0)], tol=1e-16, compact_mode=True)
    integrator.propagate_until(end)
    return integrator.state[:n], integrator.state[n:]


@pytest.mark.parametrize("name", ["pendulum", "planar4", "ur5 arm", "puma560"])
def test_against_taylor_integration(name):
    robot = (
        ordern.load(name)
        if name != "ur5 arm"
        else ordern.load("ur5", locked=dict.fromkeys(ordern.load("ur5").joint_names[3:], 0.3))
    )
    rng = np.random.default_rng(2)
    q0, qd0 = rng.uniform(-0.5, 0.5, robot.n), rng.uniform(-0.5, 0.5, robot.n)
    q, qd = taylor(robot, q0, qd0, 1.0)
    run = robot.simulate(q0, qd0, duration=1.0, method="dop853", limits=False, friction=False, **TIGHT)
    np.testing.assert_allclose(run.q[-1], q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.qd[-1], qd, rtol=0, atol=1e-9)


STEPS = {
    "euler": (4e-3, 2e-3), "rk4": (1e-2, 5e-3), "dopri5": (1e-2, 5e-3), "cash-karp": (1e-2, 5e-3), "verner": (2e-2, 1e-2),
    "dop853": (4e-2, 2e-2), "symplectic": (4e-2, 2e-2),
}  # fmt: skip
SPEEDS = {
    "arm6": 0.5,
    "floating": 2.0,
    "mixed": 1.5,
}  # so that the errors are well above rounding, and higher orders well below
ORDERS = {"euler": 1, "rk4": 4, "dopri5": 5, "cash-karp": 5, "verner": 6, "dop853": 8, "symplectic": 8}


BARE = {
    "friction": True,
    "friction_speed": 0.01,
    "limits": False,
    "dynamics": None,
    "external": None,
    "parameters": None,
}


@cache
def _swarm(name):
    """A robot, many starts (in one, terms of the error may cancel), a time, and where they are then."""
    robot, rng, end = Robot(GRID[name]()), np.random.default_rng(1), 0.32
    q0, qd0 = robot.random(rng, 24), SPEEDS[name] * rng.normal(size=(24, robot.n))
    run = robot.simulate(q0, qd0, duration=end, method="dop853", output_dt=None, limits=False, **TIGHT)
    return robot, q0, qd0, end, run.q[:, -1]


# every method on one robot of the three, and rk4 and the symplectic one, whose texts depend on the joints most, on all
CONVERGE = [
    (name, method)
    for j, name in enumerate(SPEEDS)
    for k, method in enumerate(ORDERS)
    if TRUST or method in ("rk4", "symplectic") or (j + k) % 3 == 0
]


@pytest.mark.parametrize(("name", "method"), CONVERGE)
def test_order_of_convergence(name, method):
    """By halving the step; the adaptive methods are held to equal steps for this, by the reference (their code has no such setting)."""
    robot, q0, qd0, end, exact = _swarm(name)
    errors = [np.sqrt(np.mean((_equal_steps(robot, q0, qd0, end, method, dt) - exact) ** 2)) for dt in STEPS[method]]
    assert errors[1] > 5e-14, "this is rounding; take longer steps"
    assert abs(np.log2(errors[0] / errors[1]) - ORDERS[method]) < 0.35


@pytest.mark.parametrize("method", ["dopri5", "dop853", "cash-karp", "verner"])
@pytest.mark.parametrize("given", [0.0, 1e-3])
def test_a_step_that_is_given_is_the_first(method, given):
    """As for runs that are led over change points; else the first is a guess. Each attempt counts its stages, and the guess two."""
    robot, times, seen = Robot(GRID["pendulum"]()), np.array([0.0, 0.5]), []
    q = np.full((1, 1), 0.4)
    motion, _ = the_motion(robot, q, True, 0.5, None, BARE)
    state = Progress.begin(q, q, times)
    state.h[:] = given
    adaptive(Functions(motion).problem(times, 1e-8, 1e-10, 1e-3), TABLES[method], state, lambda s: seen.append(s.t[0]))
    assert (seen[0] == 1e-3) == (given > 0) and seen[-1] == 0.5
    assert len(seen) == state.steps[0] + state.rejected[0]
    assert state.evaluations[0] == 2 + len(seen) * TABLES[method].stages + len(TABLES[method].extra)  # for the output


@pytest.mark.parametrize("method", ["dopri5", "dop853", "cash-karp", "verner"])
def test_engines_choose_the_same_steps(method):
    """A motion that costs rejected steps, with outputs between them: every number of the control is the same in both texts."""
    arm = ordern.robots.planar(2)
    made = [
        arm.simulate([2.5, -1.0], [0.0, 8.0], duration=3.0, method=method, rtol=1e-6, engine=engine).stats
        for engine in ("numpy", "compiled")
    ]
    counts = [[stats[name] for name in ("steps", "rejected", "evaluations")] for stats in made]
    assert counts[0] == counts[1] and min(counts[0]) > 10


def _equal_steps(robot, q0, qd0, end, method, dt):
    if method not in ("dopri5", "dop853", "cash-karp", "verner"):
        return robot.simulate(q0, qd0, duration=end, method=method, dt=dt, output_dt=None, limits=False).q[:, -1]
    times = np.array([0.0, end])
    motion, _ = the_motion(robot, q0, False, end, None, BARE)
    state = Progress.begin(q0, qd0, times)
    fixed(Functions(motion).problem(times, 1e-8, 1e-10, dt), TABLES[method], state, lambda _: None)
    return state.q


@pytest.mark.parametrize(("method", "order"), [("dopri5", 5), ("dop853", 8), ("cash-karp", 5), ("verner", 6)])
def test_adaptive_error_follows_the_tolerance(method, order):
    robot = ordern.robots.stanford()
    q0 = (0.1, 1.2, 0, 0.2, 0.3, 0.1)
    exact = robot.simulate(q0, duration=1.0, method="dop853", limits=False, **TIGHT)
    rough, fine = (robot.simulate(q0, duration=1.0, method=method, rtol=r, atol=r, limits=False) for r in (1e-6, 1e-10))
    errors = [np.abs(run.q - exact.q).max() for run in (rough, fine)]  # dense output included
    slope = np.log(errors[0] / errors[1]) / np.log(fine.stats["steps"] / rough.stats["steps"])
    assert errors[1] < 1e-8 and slope > order - 1.5


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("name", ["pendulum", "planar", "springs"])
def test_the_symplectic_iteration_goes_on_where_coordinates_and_momenta_change_by_turns(name, engine):
    """As they do with a constant mass matrix, a pendulum's: a round that changes no coordinate is not the last."""
    robot, rng = Robot(GRID[name]()), np.random.default_rng(3)
    q, v = robot.random(rng, 3), 0.5 * rng.normal(size=(3, robot.n))
    run = robot.simulate(q, v, duration=0.05, method="symplectic", dt=1e-3, limits=False, engine=engine)
    exact = robot.simulate(q, v, duration=0.05, method="dop853", limits=False, **TIGHT)
    np.testing.assert_allclose(
        run.q, exact.q, rtol=0, atol=TIGHT["rtol"] * 10
    )  # that of the exact one; 3e-14 for the pendulum


# every method on three robots, every robot by two: adaptive steps, and fixed ones or those of momenta in turn
PAIRS = [
    (name, method)
    for k, name in enumerate(GRID)
    for method in ORDERS
    if TRUST or name in ("planar", "mimic", "springs") or method in ("dopri5", ("rk4", "symplectic")[k % 2])
]


@pytest.mark.parametrize(("name", "method"), PAIRS)
def test_compiled_equals_reference(name, method):
    robot = Robot(GRID[name]())
    rng = np.random.default_rng(3)
    q, v = robot.random(rng, 3), 0.5 * rng.normal(size=(3, robot.n))
    options = {"duration": 0.05, "method": method, "limits": False, "rtol": 1e-10, "dt": 2.5e-3}
    a, b = (robot.simulate(q, v, engine=e, **options) for e in ("compiled", "numpy"))
    np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(a.qd, b.qd, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(a.stats["steps"], b.stats["steps"])


@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
def test_same_bytes_in_any_place_and_any_number_of_threads(method):
    robot = ordern.robots.stanford()
    rng = np.random.default_rng(4)
    q, v = rng.uniform(-1, 1, (37, 6)), rng.uniform(-1, 1, (37, 6))
    options = {"duration": 0.3, "method": method, "limits": False}
    whole = robot.simulate(q, v, **options)
    turned = robot.simulate(q[::-1], v[::-1], threads=2, **options)
    np.testing.assert_array_equal(whole.q, turned.q[::-1])
    np.testing.assert_array_equal(whole.qd, turned.qd[::-1])
    np.testing.assert_array_equal(whole.stats["steps"], turned.stats["steps"][::-1])
    alone = robot.simulate(q[17], v[17], **options)  # scalar code
    np.testing.assert_array_equal(whole.q[17], alone.q)


def test_energy_of_conservative_arms():
    robot = ordern.robots.planar3()
    run = robot.simulate((0.3, -0.4, 0.5), duration=120.0, method="dop853", output_dt=1.0, **TIGHT)
    assert np.abs(run.energy - run.energy[0]).max() < 1e-10 * np.abs(run.energy).max()


@pytest.mark.parametrize("name", ["planar3", "puma560", "panda", "floating"])
def test_symplectic_energy_is_bounded_without_trend(name):
    """A hundred seconds; examples/energy_hour.py shows an hour. Wrists spin thousands of rad, which must not cost digits."""
    if name == "floating":
        robot = Robot(GRID[name]()).with_gravity((0, 0, 0))
    else:  # the Panda's fingers are locked: without end stops they fall out
        robot = ordern.load(
            name, locked=dict.fromkeys(("panda_finger_joint1", "panda_finger_joint2"), 0.02) if name == "panda" else {}
        )
    rng = np.random.default_rng(7)
    q0 = robot.random(rng)
    run = robot.simulate(
        q0, rng.normal(size=robot.n), duration=100.0, method="symplectic", output_dt=0.1, limits=False, friction=False
    )
    change = (run.energy - run.energy[0]) / robot.kinetic_energy(run.q, run.qd).max()
    assert np.abs(change).max() < 1e-9  # where the arm whips round it may be off by so much, and comes back:
    means = np.array([np.median(part) for part in np.array_split(change, 50)])
    steps = np.diff(means)
    assert (
        abs(means[-1] - means[0]) < np.sqrt(run.stats["steps"]) * EPS * 4
    )  # 4: of how many roundings in a step the energy is aware
    assert (
        abs(steps.mean()) < 4 * steps.std() / np.sqrt(len(steps)) + EPS / 50
    )  # no more than chance (4 sigma), or than one rounding


def test_floating_base_conserves_momentum_energy_and_norms():
    robot = Robot(GRID["floating"]()).with_gravity((0, 0, 0))
    rng = np.random.default_rng(5)
    run = robot.simulate(
        robot.random(rng), rng.normal(size=robot.n), duration=20.0, method="dop853", output_dt=0.5, **TIGHT
    )
    assert np.ptp(run.energy) < 1e-9 * np.abs(run.energy).max()
    momentum = robot.momentum(run.q, run.qd)
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(run.q[:, 3:7], axis=1), 1.0, rtol=0, atol=1e-14)


def test_quaternions_keep_their_length():
    """A million steps; 1e7 take ten times as long and show the same."""
    robot = Robot(GRID["floating"]()).with_gravity((0, 0, 0))
    rng = np.random.default_rng(6)
    locked = robot.simulate(
        robot.random(rng),
        rng.normal(size=robot.n),
        duration=1000.0,
        dt=1e-3,
        method="euler",
        output_dt=100.0,
        limits=False,
    )
    assert locked.stats["steps"] == 1_000_000
    np.testing.assert_allclose(np.linalg.norm(locked.q[:, 3:7], axis=1), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ["LSODA", "Radau", "BDF"])
def test_scipy_by_name(method):
    robot = ordern.robots.planar3()
    run = robot.simulate((0, 0, 0), duration=0.5, method=method, rtol=1e-9, atol=1e-11, output_dt=0.1)
    np.testing.assert_allclose(run.q[-1], PLANAR[0.5], rtol=0, atol=1e-6)
    assert run.stats["engine"] == "scipy"


def test_dynamics_methods_agree():
    robot = ordern.robots.stanford()
    runs = [
        robot.simulate((0, 1.5, 0, 0, 0, 0), duration=0.3, dynamics=d, rtol=1e-11)
        for d in (None, "articulated", "composite")
    ]
    for run in runs[1:]:
        np.testing.assert_allclose(run.q, runs[0].q, rtol=0, atol=1e-10)


def test_angles_wind_on_and_are_taken_back_only_where_the_motion_does_not_care():
    """The symplectic method keeps angles within half a turn and counts turns; a law that pulls at the angle itself must see all of it."""
    robot = ordern.robots.planar3()
    options = {"duration": 2.0, "limits": False, "output_dt": 0.05, "dt": 1e-3}
    run, exact = (
        robot.simulate((0, 0, 0), (6.0, 12.0, 20.0), method=m, **options, **TIGHT) for m in ("symplectic", "dop853")
    )
    assert np.abs(exact.q).max() > 10 and np.abs(np.diff(run.q, axis=0)).max() < 3
    np.testing.assert_allclose(run.q, exact.q, rtol=0, atol=1e-8)  # what 2 s of a whirling arm make of the last digits
    law = ordern.control.PD((10.0, -9.0, 8.0), 30.0, 3.0)
    options["dt"] = 2.5e-4  # M^-1 times the law's damping is up to 3600/s: a step of 1e-3 s leaves 4e-8, this one 6e-12
    run, exact = (
        robot.simulate((4.0, 0, 0), torque=law, method=m, **options, **TIGHT) for m in ("symplectic", "dop853")
    )
    np.testing.assert_allclose(run.q, exact.q, rtol=0, atol=6e-11)
    stopped = robot.simulate(
        (0, 0, 0), (6.0, 12.0, 20.0), method="symplectic", duration=2.0, events=lambda t, q, qd: q[0] - 12.0
    )
    assert stopped.status == ["stopped by event"] and abs(stopped.q[-1, 0] - 12.0) < 1e-8  # 1e-10 s at some 14 rad/s


@pytest.mark.parametrize("stages", [1, 2, 3, 4, 6])
def test_gauss_coefficients(stages):
    """They integrate polynomials of degree 2 s - 1 exactly, and are symplectic to the last bit."""
    g = gauss(stages)
    assert all(g.M[i][j] + g.M[j][i] == 1.0 for i in range(stages) for j in range(stages))
    b, c, A = np.array(g.b), np.array(g.c), np.array(g.M) * np.array(g.b)
    for k in range(2 * stages):
        assert abs(b @ c**k - 1 / (k + 1)) < 4 * EPS
    for k in range(stages):
        np.testing.assert_allclose(A @ c**k, c ** (k + 1) / (k + 1), rtol=0, atol=8 * EPS)
        # weights up to a thousand
        np.testing.assert_allclose(np.array(g.ahead) @ (b * c**k), b * (1 + c) ** k, rtol=0, atol=2e3 * EPS)
