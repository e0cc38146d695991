"""Closed chains in fractions, C and formulas (the grid has every evaluator), derivatives against differences, and Pinocchio beside them."""

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
def test_fractions_close_loops_exactly_and_other_texts_are_written(name, tmp_path):
    robot = ordern.load(name)
    q, qd, tau = state(robot)
    wanted = robot.forward_dynamics(q, qd, tau)
    size = np.abs(wanted).max()
    arguments = [a.tolist() for a in (q, qd, tau)]
    fractions = robot.evaluate("forward_dynamics", *arguments, scalars="fraction")
    A = robot.evaluate("constraint_jacobian", arguments[0], scalars="fraction")
    bias = robot.evaluate("constraint_bias", *arguments[:2], scalars="fraction")
    kept = list(robot.model.loops[0].kept)
    assert all(sum(A[r, c] * fractions[c] for c in range(robot.n)) + bias[r] == 0 for r in kept)  # exactly
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
    assert np.allclose(
        made.dq, slope(lambda d: robot.forward_dynamics(robot.integrate(q, d), qd, tau)), atol=1e-6 * size
    )
    assert np.allclose(made.dqd, slope(lambda d: robot.forward_dynamics(q, qd + d, tau)), atol=1e-7 * size)
    assert np.allclose(made.dtau, robot.mass_matrix_inverse(q), atol=1e-12 * np.abs(made.dtau).max())
    qdd = robot.forward_dynamics(q, qd, tau)
    back = robot.inverse_dynamics_derivatives(q, qd, qdd)
    at = np.abs(back.dq).max() + 1
    assert np.allclose(back.dq, slope(lambda d: robot.inverse_dynamics(robot.integrate(q, d), qd, qdd)), atol=1e-6 * at)
    assert np.allclose(back.dqdd, slope(lambda d: robot.inverse_dynamics(q, qd, qdd + d)), atol=1e-7 * at)


@pytest.mark.parametrize("name", ["fourbar", "fivebar", "fivebar by one crank", "delta", "stewart"])
def test_drives_are_linear_in_the_inertial_parameters(name):
    robot = ordern.load("fivebar", actuated=["left_crank"]) if "crank" in name else ordern.load(name)
    states = [state(robot, seed) for seed in range(3)]
    q, qd, tau = (np.array(x) for x in zip(*states, strict=True))
    qdd = robot.forward_dynamics(q, qd, tau * np.array(robot.model.driven))
    Y = robot.regressor(q, qd, qdd)
    made, wanted = Y @ robot.parameters(), robot.inverse_dynamics(q, qd, qdd)
    assert Y.shape == (3, robot.n, 10 * (len(robot.model.bodies) - 1))
    assert np.abs(made - wanted).max() < 1e-11 * np.abs(wanted).max()
    assert np.array_equal(robot.regressor(q[0], qd[0], qdd[0]).shape, Y.shape[1:])
    assert np.array_equal(robot.parameter_derivatives("inverse_dynamics", q, qd, qdd), Y)
    if name == "stewart":  # the same text on more joints
        return
    slopes, pi, rng = (
        robot.parameter_derivatives("forward_dynamics", q, qd, tau),
        robot.parameters(),
        np.random.default_rng(0),
    )
    ways = pi * rng.uniform(-1, 1, pi.shape)  # each by a share of itself: bodies stay possible ones
    there = [robot.with_parameters(pi + h * ways).forward_dynamics(q, qd, tau) for h in (1e-4, -1e-4)]
    np.testing.assert_allclose(
        slopes @ ways, (there[0] - there[1]) / 2e-4, rtol=0, atol=1e-6 * np.abs(slopes @ ways).max()
    )


def test_jax_closes_loops():
    jax = pytest.importorskip("jax")
    import ordern.jax

    robot = ordern.load("fourbar")
    q, qd, tau = state(robot)
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        f = ordern.jax.forward_dynamics(robot)
        wanted, slopes = robot.forward_dynamics(q, qd, tau), robot.forward_dynamics_derivatives(q, qd, tau)
        assert np.allclose(f(q, qd, tau), wanted, rtol=1e-12)
        assert np.allclose(jax.jit(jax.vmap(f))(*(np.stack([x, x]) for x in (q, qd, tau))), wanted, rtol=1e-12)
        for k, name in enumerate(("dq", "dqd", "dtau")):
            made = jax.jacobian(f, argnums=k)(q, qd, tau)
            assert np.allclose(made, getattr(slopes, name), atol=1e-10 * np.abs(getattr(slopes, name)).max())


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

    kinds = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "floating": pin.JointModelFreeFlyer,
        "universal": cross,
    }
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
        loops.append(
            pin.RigidConstraintModel(
                kind, model, ids[b1], pin.SE3(f1.matrix()), ids[b2], pin.SE3(f2.matrix()), pin.ReferenceFrame.LOCAL
            )
        )
    return pin, model, loops, ids


@pytest.mark.parametrize("name", ["stewart", "threerrr"])
def test_parallel_robots_against_pinocchio(name):
    """Its exact method, with proximal steps where planar closures are redundant, over a thousand states."""
    robot = ordern.load(name)
    pin, model, loops, ids = pinocchio_of(robot)
    rng = np.random.default_rng(5)
    found = robot.assemble(robot.integrate(np.array(robot.model.home), 0.15 * rng.normal(size=(1000, robot.n))))
    assert found.success.all()
    q = found.q
    qd, tau = robot.closed_velocity(q, rng.normal(size=(len(q), robot.n))), rng.normal(size=(len(q), robot.n))
    made = robot.forward_dynamics(q, qd, tau)
    data, datas = model.createData(), pin.StdVec_RigidConstraintData()
    for c in loops:
        datas.append(c.createData())
    pin.initConstraintDynamics(model, data, loops, datas)
    own, at_q, at_v = robot.model, np.zeros(robot.nq, int), np.zeros(robot.n, int)
    for i in own.free:
        joint, (iq, iv) = own.bodies[i].joint, own.offsets[i]
        order = [3, 4, 5, 0, 1, 2] if joint.name == "floating" else list(range(joint.nv))  # Pinocchio has linear first
        at_q[iq : iq + joint.nq] = model.joints[ids[i]].idx_q + np.arange(joint.nq)
        at_v[iv : iv + joint.nv] = model.joints[ids[i]].idx_v + np.array(order)
    pq, pv, pt = (np.empty((len(q), k)) for k in (robot.nq, robot.n, robot.n))
    pq[:, at_q], pv[:, at_v], pt[:, at_v] = q, qd, tau
    wanted = np.empty_like(made)
    for k, given in enumerate(zip(pq, pv, pt, strict=True)):
        wanted[k] = pin.constraintDynamics(model, data, *given, loops, datas, pin.ProximalSettings(1e-15, 1e-6, 50))[
            at_v
        ]
    assert (np.abs(made - wanted).max(axis=1) < 1e-10 * np.abs(wanted).max(axis=1)).all()


@pytest.mark.parametrize(
    "name", ["fourbar", "slider_crank", "fivebar", "threerrr", "delta", "stewart", "andrews", "bricard", "fourbars3"]
)
def test_newton_on_every_mechanism(name):
    """What the ground's hinges and closures do, and gravity, is the rate of the whole momentum."""
    robot = ordern.load(name)
    rng = np.random.default_rng(9)
    q = robot.assemble(robot.integrate(np.array(robot.model.home), 0.1 * rng.normal(size=robot.n))).q
    qd = robot.closed_velocity(q, rng.normal(size=robot.n))
    tau = rng.normal(size=robot.n) * np.array(robot.model.driven)
    qdd, force, passed = robot.forward_dynamics(q, qd, tau), robot.constraint_forces(q, qd, tau), None
    passed = robot.joint_wrenches(q, qd, qdd)
    model = robot.model
    total = sum(body.inertia.m for body in model.bodies[1:]) * np.array(robot.gravity)
    for i, body in enumerate(model.bodies[1:], 1):
        if body.parent == 0:
            link = next(k.name for k in model.links if k.body == i and k.joint == body.name)
            total = total + robot.forward_kinematics(q, link)[:3, :3] @ passed[i - 1, 3:]
    for k, loop in enumerate(model.loops):
        (one, _), (two, _) = model.loop_ends(loop)
        total = total + force[k, 3:] * ((one == 0) * 1.0 - (two == 0) * 1.0)

    def momentum(h):
        return robot.momentum(robot.integrate(q, h * qd + h * h / 2 * qdd), qd + h * qdd)[3:]

    h = 1e-3 / (1 + np.abs(qdd).max() ** 0.5)
    rate = (8 * (momentum(h / 2) - momentum(-h / 2)) - (momentum(h) - momentum(-h))) / (6 * h)  # of fourth order
    assert np.abs(total - rate).max() < 1e-7 * (np.abs(passed).max() + np.abs(rate).max())  # h^4, and rounding over h


def test_exact_first_acceleration():
    """Bricard from rest: 1.962 rad/s^2, as rational numbers have it."""
    robot = ordern.load("bricard")
    made = robot.evaluate("forward_dynamics", [0] * 5, [0] * 5, [0] * 5, precision=40)
    assert abs(float(abs(made[0])) - 1.962) < 1e-15
    by = numbers(choose("forward_dynamics", "denoc", robot.model), robot.model)(np.zeros(5), np.zeros(5), np.zeros(5))
    assert np.allclose(np.array(made.tolist(), float), by, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", ["fourbar", "fivebar", "threerrr", "delta"])
def test_accelerations_that_open_loops(name):
    """Inverse dynamics leaves that part to the loops: its forces bring about the nearest motion (by kinetic energy) that there is."""
    robot = ordern.load(name)
    q, qd, _ = state(robot, 0)
    A, M, asked = robot.constraint_jacobian(q), robot.mass_matrix(q), np.random.default_rng(1).normal(size=robot.n)
    left = A @ asked + robot.constraint_bias(q, qd)
    assert np.abs(left).max() > 0.1
    L = np.linalg.cholesky(M)
    nearest = asked - np.linalg.solve(L.T, np.linalg.pinv(np.linalg.solve(L, A.T).T, rcond=1e-9) @ left)
    made = robot.forward_dynamics(q, qd, robot.inverse_dynamics(q, qd, asked))
    sizes = np.linalg.svd(A, compute_uv=False)
    near = 1e-12 * (sizes[0] / sizes[sizes > 1e-9 * sizes[0]][-1]) ** 2 * max(1.0, np.abs(nearest).max())
    np.testing.assert_allclose(made, nearest, rtol=0, atol=near)


def test_trees_have_no_loops():
    """Robots without loops know nothing of them."""
    robot = ordern.load("ur5")
    assert robot.mobility(np.zeros(6)) == 6 and robot.loops == () and len(robot.independent) == 6
    assert np.array_equal(robot.mobility(np.zeros((2, 3, 6))), np.full((2, 3), 6))  # as with loops, one of each state
    for bad in (np.zeros(5), np.zeros((6, 2)), 3.0):
        with pytest.raises(ordern.ShapeError, match="q must have 6 numbers in its last axis"):
            robot.mobility(bad)
    with pytest.raises(ordern.InputError, match="finite"):
        robot.mobility([np.nan] * 6)
    with pytest.raises(ordern.MethodError, match="is for robots with loops"):
        robot.constraint_residual(np.zeros(6))
