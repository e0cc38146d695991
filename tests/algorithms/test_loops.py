"""Closed chains: three methods against each other, the equations against differences, forces against Newton, digits of the literature."""

import math

import numpy as np
import pytest

import ordern
from mechanisms import andrews_drive, ladder
from needs import EXAMPLES
from ordern.algorithms.registry import choose
from ordern.runtime.numbers import numbers

NAMES = ("andrews", "bricard", "delta", "fivebar", "fourbar", "fourbars3", "slider_crank", "stewart", "threerrr")
MOBILITY = dict(zip(NAMES, (1, 1, 3, 2, 1, 1, 1, 6, 3), strict=True))
EPS = np.finfo(float).eps


def by_numbers(robot, quantity, method, *arrays):
    """The text on arrays: the same numbers without machine code, which the largest of these take long to make."""
    return numbers(choose(quantity, method, robot.model), robot.model)(*arrays)


def states(robot, count=6, seed=0, spread=0.2):
    """Closed configurations with velocities that keep them closed."""
    rng = np.random.default_rng(seed)
    found = robot.assemble(robot.integrate(np.array(robot.model.home), spread * rng.normal(size=(count, robot.n))))
    assert found.success.all()
    return found.q, robot.closed_velocity(found.q, rng.normal(size=(count, robot.n))), rng.normal(size=(count, robot.n))


@pytest.mark.parametrize("name", NAMES)
def test_methods_agree_and_loops_stay_closed(name):
    robot = ordern.load(name)
    q, qd, tau = states(robot)
    assert np.abs(robot.constraint_residual(q)).max() < 8 * EPS  # lengths are at most some metres
    assert (robot.mobility(q) == MOBILITY[name]).all()
    made = [
        robot.forward_dynamics(q, qd, tau),
        *(by_numbers(robot, "forward_dynamics", m, q, qd, tau) for m in ("denoc", "kkt")),
    ]
    size = np.abs(made[2]).max()
    for other in made[:2]:
        assert np.abs(other - made[2]).max() < 200 * EPS * size  # condition numbers of M and of the loops are below 100
    A, b = robot.constraint_jacobian(q), robot.constraint_bias(q, qd)
    assert np.abs(np.einsum("bij,bj->bi", A, made[0]) + b).max() < 200 * EPS * size * max(1.0, np.abs(A).max())
    drives = by_numbers(robot, "inverse_dynamics", "kkt", q, qd, made[0])
    assert np.abs(robot.forward_dynamics(q, qd, drives) - made[0]).max() < 400 * EPS * size
    assert not drives[:, [not has for has in robot.model.driven]].any()
    change = robot.forward_dynamics(q, qd, tau) - robot.forward_dynamics(q, qd, 0 * tau)
    assert (
        np.abs(np.einsum("bij,bj->bi", by_numbers(robot, "mass_matrix_inverse", "kkt", q), tau) - change).max()
        < 400 * EPS * size
    )


@pytest.mark.parametrize("name", NAMES)
def test_jacobian_and_bias_are_derivatives_of_the_residual(name):
    robot = ordern.load(name)
    q, _, v = states(robot, 3)
    q = robot.integrate(q, 0.05 * v)  # off the constraint too
    A, h = robot.constraint_jacobian(q), 1e-6
    slope = (
        robot.constraint_residual(robot.integrate(q, h * v)) - robot.constraint_residual(robot.integrate(q, -h * v))
    ) / (2 * h)
    assert np.allclose(np.einsum("bij,bj->bi", A, v), slope, atol=1e-8)
    turn = (
        robot.constraint_jacobian(robot.integrate(q, h * v)) - robot.constraint_jacobian(robot.integrate(q, -h * v))
    ) / (2 * h)
    assert np.allclose(
        robot.constraint_bias(q, v), np.einsum("bij,bj->bi", turn, v), atol=1e-7 * (1 + np.abs(turn).max())
    )


KINDS = {
    "fixed": {}, "revolute": {"axis": (0.2, 1.0, 0.3)}, "prismatic": {"axis": (1.0, 0.1, 0.0)}, "helical": {"axis": (0.0, 1.0, 0.0), "pitch": 0.3},
    "cylindrical": {}, "universal": {}, "planar": {"axis": (1.0, 1.0, 0.0)}, "spherical": {}, "point": {}, "distance": {"length": 0.4},
}  # fmt: skip


def tied(kind, **more):
    """Two branches on a floating base that a loop of this kind ties together, mass and joints in general position."""
    from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
    from ordern.model import Placement

    links = [LinkSpec("trunk", 3.0, (0.02, 0.01, 0.03), (0.05, 0.06, 0.07, 0.001, 0.002, 0.003))]
    joints = []
    for side, y in (("l", 0.2), ("r", -0.2)):
        above = "trunk"
        for k in range(4):
            name = f"{side}{k}"
            links.append(LinkSpec(name, 1.0 + 0.1 * k, (0.05, 0.02 * k, 0.1), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)))
            at = Placement.from_rpy((0.05, y if k == 0 else 0.02, 0.15), (0.3 * k, 0.2 - 0.1 * k, 0.4 + 0.3 * y * k))
            joints.append(
                JointSpec(
                    name, "prismatic" if k == 2 else "revolute", above, name, at, axis=(0.1 * k, 1.0, 0.5 - 0.2 * k)
                )
            )
            above = name
    loop = LoopSpec(
        "tie",
        kind,
        "l3",
        "r3",
        xyz1=(0.1, 0.0, 0.05),
        rpy1=(0.1, 0.2, 0.3),
        xyz2=(0.0, 0.1, 0.0),
        rpy2=(0.3, 0.0, -0.2),
        **more,
    )
    return ordern.Robot(build("tied", links, joints, base="floating", loops=[loop]))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_closure_on_a_floating_base(kind):
    robot = tied(kind, **KINDS[kind])
    equations = {
        "fixed": 6,
        "revolute": 5,
        "prismatic": 5,
        "helical": 5,
        "cylindrical": 4,
        "universal": 4,
        "planar": 3,
        "distance": 1,
    }.get(kind, 3)
    q, qd, tau = states(robot, 4, spread=0.1)
    assert robot.constraint_residual(q).shape == (4, equations)
    assert (robot.mobility(q) == robot.n - equations).all()
    made = [
        robot.forward_dynamics(q, qd, tau),
        *(by_numbers(robot, "forward_dynamics", m, q, qd, tau) for m in ("denoc", "kkt")),
    ]
    size = np.abs(made[2]).max()
    assert max(np.abs(x - made[2]).max() for x in made[:2]) < 1e4 * EPS * size  # M's condition number is some 1e4 here
    h = 1e-5  # what the joint allows: along a closed motion the residual stays zero to second order
    moved = robot.integrate(q, h * qd + h * h / 2 * made[0])
    assert np.abs(robot.constraint_residual(moved)).max() < 50 * h**3 * max(1.0, size) ** 1.5
    # no power: the closure's wrench does no work on what the joint allows, so that kinetic energy changes as the drives say
    force = robot.constraint_forces(q, qd, tau)
    assert force.shape == (4, 1, 6)
    M, bias = robot.mass_matrix(q), robot.bias_forces(q, qd)
    power = np.einsum("bi,bij,bj->b", qd, M, made[0]) + np.einsum("bi,bi->b", qd, bias - tau)
    assert (
        np.abs(power).max()
        < 1e4 * EPS * np.abs(np.einsum("bi,bij,bj->b", np.abs(qd), np.abs(M), np.abs(made[0]))).max()
    )


def test_gears_are_what_mimic_joints_are():
    from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
    from ordern.model import Placement

    def arm(mimic, loops):
        links = [LinkSpec("base")] + [
            LinkSpec(f"l{k}", 1.0, (0.2, 0.0, 0.05), (0.01, 0.02, 0.02, 0.0, 0.0, 0.001)) for k in range(4)
        ]
        joints = [
            JointSpec(f"j{k}", "revolute", f"l{k - 1}" if k else "base", f"l{k}", Placement.from_rpy((0.3, 0.0, 0.0), (0.4 * k, 0.1, 0.0)),
                      mimic=MimicSpec("j1", -2.0, 0.1) if mimic and k == 3 else None) for k in range(4)
        ]  # fmt: skip
        return ordern.Robot(build("arm", links, joints, loops=loops))

    free, geared = arm(True, ()), arm(False, [LoopSpec("gear", "gear", joints={"j3": 1.0, "j1": 2.0}, offset=0.1)])
    rng = np.random.default_rng(0)
    q, qd, tau = rng.normal(size=(3, 5, 3))
    full = (
        np.concatenate([q, 0.1 - 2 * q[:, 1:2]], axis=1),
        np.concatenate([qd, -2 * qd[:, 1:2]], axis=1),
        np.concatenate([tau, 0 * q[:, :1]], axis=1),
    )
    assert np.abs(geared.constraint_residual(full[0])).max() < 4 * EPS * 10
    for method in ("articulated", "denoc", "kkt"):
        made = geared.forward_dynamics(*full, method=method)
        assert np.allclose(made[:, :3], free.forward_dynamics(q, qd, tau), rtol=1e-12, atol=1e-11)


def test_a_loop_with_a_mimic_joint_is_solved_by_the_dense_method():
    from ordern.describe.mechanisms import fourbars

    robot = ordern.Robot(fourbars(2))
    assert robot.forward_dynamics(np.array(robot.model.home), np.zeros(5), np.zeros(5)).shape == (5,)
    tree = ordern.load("panda")
    touching = tree.forward_dynamics(
        tree.neutral(), np.zeros(tree.n), np.zeros(tree.n), contacts={"panda_hand": "point"}
    )
    J = tree.jacobian(tree.neutral(), "panda_hand")[3:]
    assert np.abs(J @ touching).max() < 1e-10  # at rest the held point has no acceleration


def test_newton_on_the_whole_mechanism():
    """Forces at the ground's hinges and closures bring about the change of momentum."""
    robot = ordern.load("fourbar")
    (q,), (qd,), (tau,) = states(robot, 1)
    tau = tau * [1.0, 0.0, 0.0]
    qdd = robot.forward_dynamics(q, qd, tau)
    F = robot.constraint_forces(q, qd, tau)[0]
    crank = robot.forward_kinematics(q, "crank")
    tip = crank @ [0.05, 0.0, 0.0, 1.0]
    I = 1.5 * 0.05**2 / 3
    moment = (
        tau[0] - np.cross(tip[:3], F[3:])[2] + np.cross(crank[:3, :3] @ [0.025, 0, 0], [0, -9.81 * 1.5, 0])[2]
    )  # about the crank's hinge
    assert abs(moment - I * qdd[0]) < 1e-12 * abs(moment)
    assert np.allclose(robot.constraint_forces(q, qd, tau, method="kkt")[0], F, atol=1e-11)
    held = robot.joint_wrenches(
        q, qd, qdd
    )  # at the hinges, in the links' axes: what the crank's passes on, its tip and weight move it
    push = crank[:3, :3] @ held[0, 3:] - F[3:] + [0.0, -9.81 * 1.5, 0.0]
    speed = (
        np.array([-np.sin(q[0]), np.cos(q[0]), 0.0]) * qdd[0] - np.array([np.cos(q[0]), np.sin(q[0]), 0.0]) * qd[0] ** 2
    )
    assert np.allclose(push, 1.5 * 0.025 * speed, atol=1e-11) and abs(held[0, 2] - tau[0]) < 1e-11


def test_the_fourbar_of_redysim():
    robot = ordern.load("fourbar")
    speed = 45 * 2 * math.pi / 60
    angle = 0.1 * speed
    p, s = 0.05 * math.cos(angle) - 0.15, 0.05 * math.sin(angle)
    z = (p * p + s * s + 0.10**2 - 0.13**2) / 0.2
    b = 2 * math.atan2(s + math.sqrt(p * p + s * s - z * z), p + z)
    a = math.atan2(s - 0.1 * math.sin(b), p - 0.1 * math.cos(b))
    q = np.array([angle, a, b - a])
    assert np.abs(robot.constraint_residual(q)).max() < 4 * EPS
    assert np.allclose(np.cos(robot.assemble([angle, a + 0.05, b - a - 0.05], hold=["crank"]).q), np.cos(q), atol=1e-12)
    qd = robot.closed_velocity(q, [speed, 0, 0], hold=["crank"])
    A, bias = robot.constraint_jacobian(q), robot.constraint_bias(q, qd)
    qdd = np.array([0.0, *np.linalg.lstsq(A[:, 1:], -bias, rcond=None)[0]])
    assert abs(robot.inverse_dynamics(q, qd, qdd)[0] - 1.4875419) < 5e-8  # as many digits as are known


def test_first_accelerations_of_the_benchmarks():
    bricard = ordern.load("bricard")
    assert np.linalg.matrix_rank(bricard.constraint_jacobian(np.array(bricard.model.home)), tol=1e-9) == 4
    assert [loop.kept for loop in bricard.model.loops] == [(0, 1, 2, 3)]
    assert abs(abs(bricard.forward_dynamics(np.zeros(5), np.zeros(5), np.zeros(5))[0]) - 1.962) < 1e-13
    andrews = ordern.load("andrews")
    q = np.array(andrews.model.home)
    assert np.abs(andrews.constraint_residual(q)).max() < 1e-16
    qdd = andrews.forward_dynamics(q, np.zeros(7), andrews_drive(q))
    assert np.allclose(qdd[:2], [14222.4439199541, -10666.8329399656], rtol=1e-13)
    many = ordern.load("fourbars40")
    rng = np.random.default_rng(1)
    theta, speed = math.pi / 2 + rng.normal(size=8), rng.normal(size=8)
    q, qd = ladder(40, theta, speed)
    wanted = -9.81 * np.cos(theta) * (40 + 41 / 2) / (41 / 3 + 40)
    made = many.forward_dynamics(q, qd, np.zeros(81))
    assert np.abs(made[:, 0] - wanted).max() < 1e-12 * np.abs(wanted).max()


def test_contacts_hold_links_to_the_world():
    robot = ordern.load("ur5", base="floating")
    rng = np.random.default_rng(3)
    q, qd, tau = robot.random(rng, 4), rng.normal(size=(4, robot.n)), rng.normal(size=(4, robot.n))
    for kind, rows in (("point", slice(3, 6)), ("fixed", slice(0, 6))):
        J = robot.jacobian(q, "tool0")[:, rows]
        M, h, eps = robot.mass_matrix(q), robot.bias_forces(q, qd), 1e-6
        turn = (
            robot.jacobian(robot.integrate(q, eps * qd), "tool0")
            - robot.jacobian(robot.integrate(q, -eps * qd), "tool0")
        )[:, rows] / (2 * eps)
        n, m = robot.n, J.shape[1]
        K = np.zeros((4, n + m, n + m))
        K[:, :n, :n], K[:, :n, n:], K[:, n:, :n] = M, -np.swapaxes(J, 1, 2), J
        right = np.concatenate([tau - h, -np.einsum("bij,bj->bi", turn, qd)], axis=1)
        wanted = np.linalg.solve(K, right[..., None])[..., 0]
        made = robot.forward_dynamics(q, qd, tau, contacts={"tool0": kind})
        assert np.allclose(
            made, wanted[:, :n], rtol=1e-6, atol=1e-5 * np.abs(wanted[:, :n]).max()
        )  # the turn of J is a difference
        force = robot.constraint_forces(q, qd, tau, contacts={"tool0": kind})[:, 0]
        assert np.allclose(force[:, rows], wanted[:, n:], rtol=1e-6, atol=1e-5 * np.abs(wanted[:, n:]).max())
        struck = robot.impulse(q, qd, contacts={"tool0": kind})
        assert np.abs(np.einsum("bij,bj->bi", J, struck)).max() < 1e-11
        lost = [np.einsum("bi,bij,bj->b", v, M, v) for v in (struck, qd)]
        assert (lost[0] <= lost[1]).all()
    with pytest.raises(ordern.InputError, match="point"):
        robot.forward_dynamics(q, qd, tau, contacts={"tool0": "glue"})
    with pytest.raises(ordern.InputError, match="no link"):
        robot.forward_dynamics(q, qd, tau, contacts={"tool": "point"})


def test_standing_feet_carry_the_weight():
    robot = tied("revolute").with_gravity((0, 0, -9.81))
    q = robot.assemble().q
    feet = {"l2": "fixed", "r2": "point"}
    tau = np.zeros(robot.n)
    qdd = robot.forward_dynamics(q, 0 * tau, tau, contacts=feet)
    force = robot.constraint_forces(q, 0 * tau, tau, contacts=feet)[1:, 3:].sum(
        axis=0
    )  # the first is the robot's own loop
    mass = sum(link.mass for link in robot.model.links)
    h = 1e-6
    rate = (robot.momentum(robot.integrate(q, h * h / 2 * qdd), h * qdd)[3:] - robot.momentum(q, 0 * tau)[3:]) / h
    assert np.allclose(force, rate - mass * robot.gravity, rtol=1e-6, atol=1e-5 * mass)


def test_drives_that_cannot_bring_a_motion_about():
    robot = ordern.load("fivebar", actuated=["left_crank"])
    q, qd, tau = states(robot, 2)
    free = robot.forward_dynamics(q, qd, tau * [1, 0, 0, 0])
    assert np.allclose(robot.inverse_dynamics(q, qd, free), tau * [1, 0, 0, 0], atol=1e-12 * 100)
    with pytest.raises(ordern.InputError, match="cannot bring this motion about: joint"):
        robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau))
    strong = robot.forward_dynamics(q, qd, np.array([[1e9, 0, 0, 0], [0, 0, 0.5, 0]]))  # a large one hides nothing
    with pytest.raises(ordern.InputError, match="cannot bring this motion about: joint"):
        robot.inverse_dynamics(q, qd, strong)
    more = ordern.load("fivebar", actuated=["left_crank", "right_crank", "left_rod"])
    wanted = more.forward_dynamics(q, qd, tau)
    made, two = more.inverse_dynamics(q, qd, wanted), ordern.load("fivebar").inverse_dynamics(q, qd, wanted)
    assert np.allclose(more.forward_dynamics(q, qd, made), wanted, atol=1e-11 * np.abs(wanted).max())
    assert (np.linalg.norm(made, axis=1) < np.linalg.norm(two, axis=1)).all()  # least norm, with one drive more


def test_velocities_and_jacobians_from_the_independent_joints():
    robot = ordern.load("delta")
    q, qd, _ = states(robot, 3)
    chosen = robot.independent
    assert chosen == ("arm1", "arm2", "arm3")
    at = [robot.model.offsets[robot.model.joint_index[name]][1] for name in chosen]
    again = robot.closed_velocity(q, np.where(np.isin(np.arange(robot.n), at), qd, 0.0), hold=chosen)
    assert np.allclose(again, qd, atol=1e-12 * 10)
    J = robot.closed_jacobian(q, "platform")
    assert np.allclose(
        np.einsum("bij,bj->bi", J, qd[:, at]),
        np.einsum("bij,bj->bi", robot.jacobian(q, "platform"), qd),
        atol=1e-12 * 10,
    )
    assert np.abs(J[:, :3]).max() < 1e-13  # a delta robot's platform does not turn


def test_independent_joints_must_decide_the_motion():
    """Columns stand in the order given; joints that leave others free, or that loops do not let all be chosen, are refused."""
    robot = ordern.load("fivebar")
    q, qd, _ = states(robot, 3)
    for chosen in (["right_crank", "left_crank"], ["right_rod", "left_crank"]):
        at = [robot.joint_names.index(name) for name in chosen]
        J = robot.closed_jacobian(q, "right_rod", independent=chosen)
        twist = np.einsum("bij,bj->bi", robot.jacobian(q, "right_rod"), qd)
        assert np.allclose(
            np.einsum("bij,bj->bi", J, qd[:, at]), twist, atol=1e3 * EPS * np.abs(qd).max()
        )  # of a 2 x 2 solve
    for chosen in ([], ["left_crank"], ["left_crank", "left_rod", "right_rod"], robot.joint_names):
        with pytest.raises(ordern.SingularError, match="as many joints as the loops leave"):
            robot.closed_jacobian(q, "right_rod", independent=chosen)
    with pytest.raises(ordern.InputError, match="twice"):
        robot.closed_jacobian(q, "right_rod", independent=["left_crank"] * 2)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_velocities_that_open_a_loop_are_refused_at_any_speed(size):
    """Held joints that open a loop are found at any speed, beside a faster state that keeps it closed, and only these."""
    robot = ordern.load("fivebar")
    q, qd, _ = states(robot, 2)
    assert np.allclose(robot.closed_velocity(q, size * qd, hold=robot.joint_names), size * qd, rtol=0, atol=1e-9 * size)
    bad = size * np.stack([qd[0] * [1, 1, 1, 2], 1e9 * qd[1]])
    with pytest.raises(ordern.SingularError, match="hold fewer joints"):
        robot.closed_velocity(q, bad, hold=robot.joint_names)


STANDING = {
    "solo_description/robots/solo12.urdf": dict.fromkeys(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), "point"),
    "talos_data/robots/talos_reduced.urdf": dict.fromkeys(("left_sole_link", "right_sole_link"), "fixed"),
}


@pytest.mark.filterwarnings("ignore::ordern.OrdernWarning")
@pytest.mark.parametrize("path", STANDING)
def test_walkers_stand_on_their_feet(path):
    """At rest the feet's forces sum to the weight, and the drives' forces hold the robot still."""
    robot = ordern.load(EXAMPLES / path, base="floating", on_invalid="warn")
    held = robot._touching(STANDING[path])
    q = robot.integrate(
        robot.neutral(), np.concatenate([np.zeros(6), 0.3 * np.random.default_rng(0).normal(size=robot.n - 6)])
    )
    rest = np.zeros(robot.n)
    tau = by_numbers(held, "inverse_dynamics", None, q, rest, rest)
    assert not tau[:6].any()  # a floating base has no drive
    weight = 9.81 * sum(body.inertia.m for body in robot.model.bodies[1:])
    assert np.abs(by_numbers(held, "forward_dynamics", None, q, rest, tau)).max() < 1e-10
    model = held.model
    force = numbers(choose("constraint_forces", None, model), model, (True,))(q, rest, tau)
    assert np.abs(force[:, 3:].sum(axis=0) - [0.0, 0.0, weight]).max() < 1e-10


def test_the_same_loops_closed_in_another_way_have_programs_of_their_own():
    """As a parallelogram, whose coupler does not turn, two drives that turn with it decide one motion less than as its crossed twin: what one
    has compiled is no answer of the other.
    """
    links = [
        ordern.LinkSpec("ground"),
        *(ordern.LinkSpec(name, 1.0, (0.05, 0.02, 0.01), (0.02, 0.03, 0.025, 0.0, 0.0, 0.0)) for name in "abcde"),
    ]
    joints = [
        ordern.JointSpec("x", "prismatic", "ground", "a", axis=(1, 0, 0)),
        ordern.JointSpec("y", "prismatic", "a", "b", axis=(0, 1, 0)),
        *(
            ordern.JointSpec(name, "revolute", on, to)
            for name, on, to in (("turn", "b", "c"), ("one", "ground", "d"), ("two", "ground", "e"))
        ),
    ]
    loops = [
        ordern.LoopSpec("left", "distance", "ground", "c", length=0.5),
        ordern.LoopSpec("right", "distance", "ground", "c", xyz1=(1, 0, 0), xyz2=(1, 0, 0), length=0.5),
        ordern.LoopSpec("sum", "gear", joints={"two": 1.0, "one": -1.0, "turn": -1.0}),
    ]
    crossed, still, held = 2 * math.atan2(-0.4, 0.7), np.zeros(5), []
    for home in ((0.3, 0.4, crossed, 0.0, crossed), (0.3, 0.4, 0.0, 0.0, 0.0)):
        robot = ordern.Robot(ordern.build("window", links, joints, loops=loops, actuated=["one", "two"], home=home))
        qdd = by_numbers(robot, "forward_dynamics", "kkt", np.array(home), still, np.array([0.0, 0.0, 0.0, 0.3, -0.2]))
        want = by_numbers(robot, "inverse_dynamics", "kkt", np.array(home), still, qdd)
        held.append(robot.compile("inverse_dynamics"))  # programs are shared while somebody has them
        # lengths and masses of one: a few roundings
        np.testing.assert_allclose(held[-1](home, still, qdd), want, rtol=0, atol=1e-13)


def divisions_in_a_row(program):
    """The most divisions of which each needs the one before."""
    depth = {}
    for s in program.body:
        node = program.nodes[s] if isinstance(s, int) else s
        depth[s] = max((depth.get(k, 0) for k in node.src), default=0) + (node.op == "div")
    return max(depth.values())


@pytest.mark.parametrize("count", [5, 12, 20])
def test_ladders_are_eliminated_from_both_ends(count):
    """Two chains of half the length, side by side: one state takes as long as the longest chain."""
    robot = ordern.load(f"fourbars{count}")
    found = divisions_in_a_row(robot.compile("forward_dynamics").kernel.program())
    assert found <= count + 4  # two equations a loop, half of the loops in a chain, and the bodies at both ends
