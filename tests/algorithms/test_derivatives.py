"""Derivatives of inverse and forward dynamics: carried scalars, analytical recursions, differences in high precision, Pinocchio."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import robots
from ordern.algorithms.registry import choose, find
from ordern.errors import MethodError
from ordern.evaluate.exact import evaluate
from ordern.joints import JOINTS
from ordern.program.build import prepared, trace
from ordern.program.differentiate import carried_derivatives
from ordern.program.interpret import interpret
from ordern.program.layout import shape_of
from ordern.runtime.numbers import numbers, on_scalars
from ordern.spatial.joint_space import JointVector

SMALL = {name: robots.GRID[name]() for name in ("pendulum", "arm6", "mixed", "floating")}
ALL = SMALL | {"chain": robots.serial("RRPRRRRP" * 6, 6)}
INVERSE = find("inverse_dynamics", "newton-euler")[0]
FORWARD = find("forward_dynamics", "articulated")[0]
RECURSIVE = find("inverse_dynamics_derivatives", "recursive")[0]
BODY_FRAMES = find("inverse_dynamics_derivatives", "body-frames")[0]
CARRIED = find("inverse_dynamics_derivatives", "carried")[0]
FORWARD_DERIVATIVES = find("forward_dynamics_derivatives", "recursive")[0]


def near(made, expected, tolerance=1e-11):
    for a, b in zip(made, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1.0, np.abs(b).max()))


def state(model, seed=0, batch=()):
    return robots.state(model, np.random.default_rng(seed), batch)


def stepped(model, q, direction):
    made = list(q)
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        made[iq : iq + joint.nq] = joint.step(
            JointVector(*q[iq : iq + joint.nq]), JointVector(*direction[iv : iv + joint.nv])
        )
    return made


def differences(algorithm, model, inputs):
    """Central differences with 60 digits: good to 1e-20 and so exact for our purpose."""
    mpmath.mp.dps = 60
    h, n = mpmath.mpf(10) ** -20, model.nv
    given = [[mpmath.mpf(float(x)) for x in a] for a in inputs]

    def value(arguments):
        row = on_scalars(
            algorithm, model, arguments, constant=lambda x: int(x) if x in (0.0, 1.0, -1.0) else mpmath.mpf(x)
        )[0]
        return [row.get(k, 0) for k in range(n)]

    jacobians = []
    for k, name in enumerate(algorithm.inputs):
        columns = []
        for c in range(n):
            sides = []
            for sign in (1, -1):
                delta = [sign * h if j == c else mpmath.mpf(0) for j in range(n)]
                moved = (
                    stepped(model, given[k], delta)
                    if name == "q"
                    else [a + b for a, b in zip(given[k], delta, strict=True)]
                )
                sides.append(value([*given[:k], moved, *given[k + 1 :]]))
            columns.append([float((a - b) / (2 * h)) for a, b in zip(*sides, strict=True)])
        jacobians.append(np.array(columns).T)
    return jacobians


@pytest.mark.parametrize("robot", SMALL)
def test_recursion_equals_differences_in_high_precision(robot):
    model = SMALL[robot]
    q, qd, qdd, _ = state(model)
    expected = differences(INVERSE, model, (q, qd, qdd))
    for algorithm in (RECURSIVE, BODY_FRAMES):
        near(numbers(algorithm, model)(q, qd, qdd), expected, 1e-12)


@pytest.mark.parametrize("robot", SMALL)
def test_carried_equals_recursion_with_wrenches_on_links(robot):
    model = SMALL[robot]
    q, qd, qdd, _ = state(model, 1, (3,))
    links = [len(model.links) - 1, len(model.links) // 2]
    wrench = np.random.default_rng(2).uniform(-5, 5, (2, 3, 6))
    expected = numbers(RECURSIVE, model, links=links)(q, qd, qdd, *wrench)
    near(numbers(CARRIED, model, links=links)(q, qd, qdd, *wrench), expected)
    given = {"q": q, "qd": qd, "qdd": qdd, "external0": wrench[0], "external1": wrench[1]}
    for algorithm in (RECURSIVE, BODY_FRAMES, CARRIED):
        for rolled in (False, True):
            near(interpret(trace(algorithm, model, links=links, rolled=rolled), given).values(), expected)
    near(interpret(carried_derivatives(INVERSE, model, links=links) if model.nv <= 16 else trace(RECURSIVE, model, links=links), given).values(),
         [numbers(INVERSE, model, links=links)(q, qd, qdd, *wrench), *expected] if model.nv <= 16 else expected)  # fmt: skip


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_type_alone_and_twice(kind):
    for kinds, parents in (([kind], [0]), ([kind, kind, "revolute"], [0, 1, 2])):
        model = robots.tree(kinds, parents, 3)
        q, qd, qdd, _ = state(model)
        expected = numbers(CARRIED, model)(q, qd, qdd)
        for algorithm in (RECURSIVE, BODY_FRAMES):
            near(numbers(algorithm, model)(q, qd, qdd), expected, 1e-12)


def test_mimic_joints_add_up():
    from dataclasses import replace

    from ordern.model import Mimic

    model = SMALL["arm6"]
    bodies = [replace(b, mimic=Mimic(2, -0.7, 0.3)) if i == 5 else b for i, b in enumerate(model.bodies)]
    model = model.with_bodies(bodies)
    q, qd, qdd, _ = state(model)
    expected = differences(INVERSE, model, (q, qd, qdd))
    near(numbers(RECURSIVE, model)(q, qd, qdd), expected)
    near(numbers(BODY_FRAMES, model)(q, qd, qdd), expected)
    near(numbers(CARRIED, model)(q, qd, qdd), expected)
    algorithm = choose("forward_dynamics_derivatives", None, model)
    tau = numbers(INVERSE, model)(q, qd, qdd)
    inverse = np.linalg.inv(expected[2])
    made = (-inverse @ expected[0], -inverse @ expected[1], inverse)
    near(numbers(algorithm, model)(q, qd, tau), made, 1e-10)
    near(interpret(trace(algorithm, model), {"q": q, "qd": qd, "tau": tau}).values(), made, 1e-10)


@pytest.mark.parametrize("scalars", ["mpmath", "fraction", "interval"])
def test_other_scalars_than_floats(scalars):
    model = robots.serial("RUL", 3)
    q, qd, qdd, _ = state(model)
    made = evaluate(RECURSIVE, model, (q, qd, qdd), scalars)
    plain = np.vectorize(lambda x: float(getattr(x, "mid", x)))
    near([plain(m) for m in made], numbers(RECURSIVE, model)(q, qd, qdd), 1e-11)


def test_a_base_far_away_loses_no_digits():
    model = SMALL["floating"]
    q, qd, qdd, _ = state(model)
    far = q + np.eye(len(q))[0] * 1e6
    near(numbers(RECURSIVE, model)(far, qd, qdd), numbers(RECURSIVE, model)(q, qd, qdd), 1e-12)


@pytest.mark.parametrize("robot", ALL)
def test_cheapest_frames_and_regrouped_inertias_change_nothing(robot):
    model = ALL[robot]
    q, qd, qdd, _ = state(model)
    program = trace(RECURSIVE, prepared(RECURSIVE, model))
    near(interpret(program, {"q": q, "qd": qd, "qdd": qdd}).values(), numbers(RECURSIVE, model)(q, qd, qdd), 1e-10)


@pytest.mark.parametrize("robot", SMALL)
def test_forward_derivatives_equal_differences_in_high_precision(robot):
    model = SMALL[robot]
    q, qd, _, tau = state(model)
    near(numbers(FORWARD_DERIVATIVES, model)(q, qd, tau), differences(FORWARD, model, (q, qd, tau)), 1e-10)


@pytest.mark.parametrize(("robot", "rolled"), [*((robot, False) for robot in SMALL), *((robot, True) for robot in ALL)])
def test_forward_derivatives_with_wrenches_in_programs(robot, rolled):
    model = ALL[robot]
    q, qd, _, tau = state(model, 1)
    wrench = np.random.default_rng(2).uniform(-5, 5, 6)
    link = len(model.links) - 1
    qdd = numbers(FORWARD, model, links=[link])(q, qd, tau, wrench)
    dq, dqd, M = numbers(RECURSIVE, model, links=[link])(q, qd, qdd, wrench)
    inverse = np.linalg.inv(M)
    program = trace(FORWARD_DERIVATIVES, model, links=[link], rolled=rolled)
    made = interpret(program, {"q": q, "qd": qd, "tau": tau, "external0": wrench}).values()
    near(made, (-inverse @ dq, -inverse @ dqd, inverse), 1e-10 if model.nv < 30 else 1e-7)


def test_second_order_of_a_small_robot():
    model = robots.serial("RPS", 2)
    q, qd, qdd, _ = state(model)
    program = carried_derivatives(INVERSE, model, ("q", "qd"), order=2)
    made = interpret(program, {"q": q, "qd": qd, "qdd": qdd})
    near([made["out0_q"], made["out0_qd"]], numbers(RECURSIVE, model)(q, qd, qdd)[:2])
    h = 1e-6
    for c in range(model.nv):
        e = np.eye(model.nv)[c] * h
        ahead, behind = ([float(x) for x in stepped(model, q, s * e)] for s in (1, -1))
        for k, name in enumerate(("out0_q_q", "out0_qd_q")):
            slope = (numbers(RECURSIVE, model)(ahead, qd, qdd)[k] - numbers(RECURSIVE, model)(behind, qd, qdd)[k]) / (
                2 * h
            )
            np.testing.assert_allclose(made[name][..., c], slope, rtol=0, atol=1e-7)
        slope = (numbers(RECURSIVE, model)(q, qd + e, qdd)[1] - numbers(RECURSIVE, model)(q, qd - e, qdd)[1]) / (2 * h)
        np.testing.assert_allclose(made["out0_qd_qd"][..., c], slope, rtol=0, atol=1e-7)


def test_carried_derivatives_of_other_quantities():
    model = SMALL["arm6"]
    q, qd, _, _ = state(model)
    energy = find("potential_energy")[0]
    made = interpret(carried_derivatives(energy, model), {"q": q})
    near([made["out0_q"]], [numbers(find("gravity_forces")[0], model)(q)])
    assert made["out0_q"].shape == (*shape_of("scalar", model), 6)
    kinetic = interpret(carried_derivatives(find("kinetic_energy")[0], model, ("qd",), order=2), {"q": q, "qd": qd})
    near(
        [kinetic["out0_qd_qd"]], [numbers(find("mass_matrix", "composite")[0], model)(q)]
    )  # the inertia is the energy's curvature


def test_what_is_too_long_is_refused_with_a_reason():
    with pytest.raises(MethodError, match="at most 12 moving bodies"):
        choose("inverse_dynamics_derivatives", "carried", ALL["chain"])
    with pytest.raises(MethodError, match="at most 40 moving bodies"):
        choose("inverse_dynamics_derivatives", "body-frames", ALL["chain"])
    assert choose("inverse_dynamics_derivatives", None, ALL["chain"]).method == "recursive"
    with pytest.raises(MethodError, match="up to 16 degrees"):
        carried_derivatives(INVERSE, ALL["chain"])
    with pytest.raises(MethodError, match="no input 'tau'"):
        carried_derivatives(INVERSE, SMALL["arm6"], ("tau",))


def pinocchio_twin(model):
    """The same robot in Pinocchio, and the order of its velocities in ours: its floating base has the linear part first."""
    import pinocchio as pin

    made, order = pin.Model(), []
    made.gravity.linear = np.array(model.gravity)
    joints = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "spherical": pin.JointModelSpherical,
        "floating": pin.JointModelFreeFlyer,
    }
    at = {0: 0}
    for i, body in enumerate(model.bodies):
        if i == 0:
            continue
        placement = body.placement
        for constant in body.joint.constants:  # an offset is a constant turn or shift
            angle, shift = (constant, 0.0) if body.joint.name == "revolute" else (0.0, constant)
            c, s = np.cos(angle), np.sin(angle)
            local = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, shift], [0, 0, 0, 1.0]])
            placement = type(placement).from_matrix(placement.matrix() @ local)
        m = placement.matrix()
        at[i] = made.addJoint(at[body.parent], joints[body.joint.name](), pin.SE3(m[:3, :3], m[:3, 3]), f"j{i}")
        xx, yy, zz, xy, xz, yz = body.inertia.about_com()
        inertia = pin.Inertia(
            body.inertia.m, np.array(body.inertia.com), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        )
        made.appendBodyToJoint(at[i], inertia, pin.SE3.Identity())
    armature = np.zeros(made.nv)
    for i in range(1, len(model.bodies)):
        body, iv = model.bodies[i], model.offsets[i][1]
        columns = [iv + c for c in ((3, 4, 5, 0, 1, 2) if body.joint.name == "floating" else range(body.joint.nv))]
        start = made.joints[at[i]].idx_v
        for k, c in enumerate(columns):
            armature[start + k] = (model.per_velocity("armature", 0.0))[c]
        order.append((start, columns))
    made.armature = armature
    return pin, made, [c for _, columns in sorted(order) for c in columns]


@pytest.mark.parametrize("make", [
    lambda: robots.serial("RRRRRR", 4), lambda: robots.GRID["floating"](), lambda: robots.serial("RPSRR", 5),
    lambda: robots.tree(["floating", "revolute", "spherical", "prismatic", "revolute"], [0, 1, 2, 1, 4], 6),
])  # fmt: skip
def test_pinocchio_agrees(make):
    model = make()
    pin, twin, order = pinocchio_twin(model)
    q, qd, qdd, tau = state(model)
    data = twin.createData()
    back = np.argsort(order)

    def ours(matrix):
        return np.asarray(matrix)[np.ix_(back, back)]

    made = pin.computeRNEADerivatives(twin, data, q, qd[order], qdd[order])
    M = np.triu(made[2]) + np.triu(made[2], 1).T
    near(numbers(RECURSIVE, model)(q, qd, qdd), [ours(made[0]), ours(made[1]), ours(M)], 1e-11)
    made = pin.computeABADerivatives(twin, data, q, qd[order], tau[order])
    inverse = np.triu(made[2]) + np.triu(made[2], 1).T
    near(numbers(FORWARD_DERIVATIVES, model)(q, qd, tau), [ours(made[0]), ours(made[1]), ours(inverse)], 1e-10)
