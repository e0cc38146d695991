"""Closed chains through every evaluator, their derivatives against differences, and Pinocchio's constrained dynamics beside them."""

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import choose
from ordern.runtime.numbers import numbers

NAMES = ("fourbar", "slider_crank", "bricard")


def state(robot, seed=0):
    rng = np.random.default_rng(seed)
    q = robot.assemble(robot.integrate(np.array(robot.model.home), 0.2 * rng.normal(size=robot.n))).q
    return q, robot.closed_velocity(q, rng.normal(size=robot.n)), rng.normal(size=robot.n)


@pytest.mark.parametrize("name", NAMES)
def test_every_evaluator_says_the_same(name, tmp_path):
    robot = ordern.load(name)
    q, qd, tau = state(robot)
    wanted = robot.forward_dynamics(q, qd, tau)
    size = np.abs(wanted).max()
    arguments = [a.tolist() for a in (q, qd, tau)]
    exact = np.array(robot.evaluate("forward_dynamics", *arguments, precision=40).tolist(), float)
    assert np.abs(exact - wanted).max() < 1e-13 * 4 * size
    fractions = robot.evaluate("forward_dynamics", *arguments, scalars="fraction")
    A = robot.evaluate("constraint_jacobian", arguments[0], scalars="fraction")
    bias = robot.evaluate("constraint_bias", *arguments[:2], scalars="fraction")
    kept = list(robot.model.loops[0].kept)
    assert all(sum(A[r, c] * fractions[c] for c in range(robot.n)) + bias[r] == 0 for r in kept)  # exactly
    assert np.abs(np.array(robot.casadi("forward_dynamics")(q, qd, tau)).ravel() - wanted).max() < 1e-12 * size
    counts = robot.operation_counts("forward_dynamics")
    assert 0 < counts.mul < 3000 and counts.sincos >= 1
    files = robot.export_c("forward_dynamics", tmp_path)
    assert len(files) == 3 and "double" in files[1].read_text()
    assert "\\ddot q" in robot.formulas("forward_dynamics").latex() if name == "fourbar" else True
    single = robot.forward_dynamics(*(a.astype(np.float32) for a in (q, qd, tau)))
    assert single.dtype == np.float32 and np.abs(single - wanted).max() < 1e-3 * size


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_along_every_direction(name):
    robot = ordern.load(name)
    q, qd, tau = state(robot, 1)
    made = robot.forward_dynamics_derivatives(q, qd, tau)
    h, eye = 1e-6, np.eye(robot.n)

    def slope(f):
        return np.stack([(f(h * e) - f(-h * e)) / (2 * h) for e in eye], axis=1)

    size = np.abs(made.dq).max()
    assert np.allclose(made.dq, slope(lambda d: robot.forward_dynamics(robot.integrate(q, d), qd, tau)), atol=1e-6 * size)
    assert np.allclose(made.dqd, slope(lambda d: robot.forward_dynamics(q, qd + d, tau)), atol=1e-7 * size)
    assert np.allclose(made.dtau, robot.mass_matrix_inverse(q), atol=1e-12 * np.abs(made.dtau).max())
    qdd = robot.forward_dynamics(q, qd, tau)
    back = robot.inverse_dynamics_derivatives(q, qd, qdd)
    at = np.abs(back.dq).max() + 1
    assert np.allclose(back.dq, slope(lambda d: robot.inverse_dynamics(robot.integrate(q, d), qd, qdd)), atol=1e-6 * at)
    assert np.allclose(back.dqdd, slope(lambda d: robot.inverse_dynamics(q, qd, qdd + d)), atol=1e-7 * at)


def pinocchio_of(robot):
    """The same tree and closures in Pinocchio; joints of one axis, universal and floating ones."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(np.array(robot.gravity), np.zeros(3))
    own, ids = robot.model, {0: 0}
    order, stack = [], [i for i, p in reversed(list(enumerate(own.parents))) if i and p == 0]
    while stack:  # Pinocchio wants each subtree in one piece
        order.append(stack.pop())
        stack += [i for i, p in reversed(list(enumerate(own.parents))) if i and p == order[-1]]

    def cross():
        return pin.JointModelUniversal(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))

    kinds = {"revolute": pin.JointModelRZ, "prismatic": pin.JointModelPZ, "floating": pin.JointModelFreeFlyer, "universal": cross}
    for number in order:
        body = own.bodies[number]
        place = pin.SE3(body.placement.matrix())
        joint = kinds[body.joint.name]()
        ids[number] = model.addJoint(ids[body.parent], joint, place, body.name)
        m = body.inertia
        xx, yy, zz, xy, xz, yz = m.about_com()
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        model.appendBodyToJoint(ids[number], pin.Inertia(m.m, np.array(m.com), tensor), pin.SE3.Identity())
    loops = pin.StdVec_RigidConstraintModel()
    for loop in own.loops:
        (b1, f1), (b2, f2) = own.loop_ends(loop)
        kind = pin.ContactType.CONTACT_3D
        loops.append(pin.RigidConstraintModel(kind, model, ids[b1], pin.SE3(f1.matrix()), ids[b2], pin.SE3(f2.matrix()), pin.ReferenceFrame.LOCAL))
    return pin, model, loops, ids


@pytest.mark.parametrize("name", ["stewart", "threerrr"])
def test_parallel_robots_against_pinocchio(name):
    robot = ordern.load(name)
    pin, model, loops, ids = pinocchio_of(robot)
    rng = np.random.default_rng(5)
    count = 40
    found = robot.assemble(robot.integrate(np.array(robot.model.home), 0.15 * rng.normal(size=(count, robot.n))))
    q = found.q[found.success]
    qd, tau = robot.closed_velocity(q, rng.normal(size=(len(q), robot.n))), rng.normal(size=(len(q), robot.n))
    made = robot.forward_dynamics(q, qd, tau)
    if name == "threerrr":  # planar closures are redundant for Pinocchio: compare on the KKT of the equations that count
        data = model.createData()
        turn = [model.joints[ids[i]].idx_v for i in robot.model.free]
        for k in range(len(q)):
            pq, pv = np.empty(7), np.empty(7)
            pq[turn], pv[turn] = q[k], qd[k]
            M = pin.crba(model, data, pq)
            M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(turn, turn)]
            h = pin.nonLinearEffects(model, data, pq, pv)[turn]
            A, b = robot.constraint_jacobian(q[k]), robot.constraint_bias(q[k], qd[k])
            kept = [5 * j + r for j, loop in enumerate(robot.model.loops) for r in loop.kept]
            K = np.block([[M, -A[kept].T], [A[kept], np.zeros((len(kept), len(kept)))]])
            wanted = np.linalg.solve(K, np.concatenate([tau[k] - h, -b[kept]]))[: robot.n]
            assert np.abs(made[k] - wanted).max() < 1e-10 * np.abs(wanted).max()
        return
    v_of = [model.joints[ids[i]].idx_v for i in robot.model.free]
    q_of = [model.joints[ids[i]].idx_q for i in robot.model.free]
    data, datas = model.createData(), pin.StdVec_RigidConstraintData()
    for c in loops:
        datas.append(c.createData())
    pin.initConstraintDynamics(model, data, loops, datas)
    for k in range(len(q)):
        pq, pv, pt = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
        for body, (at, to) in enumerate(zip(q_of, v_of, strict=True), 1):
            joint, (iq, iv) = robot.model.bodies[body].joint, robot.model.offsets[body]
            pq[at : at + joint.nq] = q[k, iq : iq + joint.nq]
            order = [3, 4, 5, 0, 1, 2] if joint.name == "floating" else list(range(joint.nv))  # Pinocchio has linear first
            pv[to : to + joint.nv], pt[to : to + joint.nv] = qd[k, iv : iv + joint.nv][order], tau[k, iv : iv + joint.nv][order]
        settings = pin.ProximalSettings(1e-14, 1e-12, 20)
        a = pin.constraintDynamics(model, data, pq, pv, pt, loops, datas, settings)
        wanted = np.zeros(robot.n)
        for body, to in enumerate(v_of, 1):
            joint, iv = robot.model.bodies[body].joint, robot.model.offsets[body][1]
            order = [3, 4, 5, 0, 1, 2] if joint.name == "floating" else list(range(joint.nv))
            wanted[iv : iv + joint.nv] = a[to : to + joint.nv][order]
        assert np.abs(made[k] - wanted).max() < 1e-10 * np.abs(wanted).max()


def test_exact_first_acceleration():
    """Bricard from rest: 1.962 rad/s^2, as rational numbers have it."""
    robot = ordern.load("bricard")
    made = robot.evaluate("forward_dynamics", [0] * 5, [0] * 5, [0] * 5, precision=40)
    assert abs(float(abs(made[0])) - 1.962) < 1e-15
    by = numbers(choose("forward_dynamics", "denoc", robot.model), robot.model)(np.zeros(5), np.zeros(5), np.zeros(5))
    assert np.allclose(np.array(made.tolist(), float), by, rtol=1e-13, atol=1e-14)


def test_trees_have_no_loops():
    """Robots without loops know nothing of them."""
    robot = ordern.load("ur5")
    assert robot.mobility(np.zeros(6)) == 6 and robot.loops == () and len(robot.independent) == 6
    with pytest.raises(ordern.MethodError, match="is for robots with loops"):
        robot.constraint_residual(np.zeros(6))
