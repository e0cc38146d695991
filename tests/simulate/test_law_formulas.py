"""Control laws at random states of random robots against their formulas, written here with SciPy's rotations and the robot's own matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_continuous_are
from scipy.spatial.transform import Rotation

import ordern
from ordern.program.interpret import interpret
from ordern.robot import Robot
from ordern.simulate.right_hand_side import Motion
from robots import GRID, serial, tree

C, T = ordern.control, ordern.trajectory
BARE = {"limits": False, "friction": False}
RUNS = 8
QUATERNIONS = {
    "spherical": lambda: Robot(serial("SRS", 11)),
    "floating": lambda: Robot(serial("FRR", 12)),
    "mixed": lambda: Robot(GRID["mixed"]()),
}


def at_once(robot, law, q, qd):
    """The law's joint forces at these states, at t = 0: its text interpreted, since compiling each law for a few states takes long."""
    motion = Motion(robot.model, law)
    program = motion.program("report")
    read = {name: c.values if c.signal is None else c.signal(0.0) for name, c in motion.channels.items()}
    return interpret(program, {"q": q, "qd": qd} | read)["tau"]


def left(robot, q, target):
    """From q to the target: differences of vectors; sin(angle) about its axis, and the way in the body, for quaternions."""
    made = []
    for i in robot.model.free:
        joint, at = robot.model.bodies[i].joint, robot.model.offsets[i][0]
        a, b = q[..., at : at + joint.nq], target[..., at : at + joint.nq]
        if joint.nq == joint.nv:
            made.append(b - a)
            continue
        turn = Rotation.from_quat(a[..., -4:]).inv() * Rotation.from_quat(b[..., -4:])
        v = turn.as_rotvec()
        angle = np.linalg.norm(v, axis=-1, keepdims=True)
        made.append(v * np.sinc(angle / np.pi))
        if joint.nq == 7:
            made.append(Rotation.from_quat(a[..., -4:]).inv().apply(b[..., :3] - a[..., :3]))
    return np.concatenate(made, axis=-1)


def random_states(robot, rng, runs=RUNS):
    return robot.random(rng, runs), rng.uniform(-1, 1, (runs, robot.n))


@pytest.mark.parametrize("name", QUATERNIONS)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**20))
def test_laws_on_quaternion_joints(name, seed):
    robot, rng = QUATERNIONS[name](), np.random.default_rng(seed)
    q, qd = random_states(robot, rng)
    target = robot.random(rng, RUNS)
    signs = rng.choice([-1.0, 1.0], RUNS)  # q and -q are one attitude
    flipped = target.copy()
    for i in robot.model.free:
        joint, end = robot.model.bodies[i].joint, robot.model.offsets[i][0] + robot.model.bodies[i].joint.nq
        if joint.nq != joint.nv:
            flipped[:, end - 4 : end] *= signs[:, None]
    kp, kd = rng.uniform(1, 50, (2, robot.n))
    wanted = kp * left(robot, q, target) - kd * qd
    size = 1e-11 * np.abs(wanted).max()  # some hundred rounding errors of the largest term
    np.testing.assert_allclose(at_once(robot, C.PD(flipped, kp, kd), q, qd), wanted, rtol=0, atol=size)
    np.testing.assert_allclose(
        at_once(robot, C.PD(target, kp, kd, gravity=True), q, qd),
        wanted + robot.gravity_forces(q),
        rtol=0,
        atol=size + 1e-9,
    )
    tau = robot.inverse_dynamics(q, qd, wanted)
    np.testing.assert_allclose(
        at_once(robot, C.ComputedTorque(flipped, kp, kd), q, qd), tau, rtol=0, atol=1e-10 * np.abs(tau).max()
    )
    K, tau0, rates = rng.normal(size=(robot.n, 2 * robot.n)), rng.normal(size=robot.n), rng.normal(size=(RUNS, robot.n))
    x = np.concatenate([-left(robot, q, target), qd - rates], axis=1)
    made = at_once(robot, C.StateFeedback(K, np.concatenate([flipped, rates], axis=1), tau0), q, qd)
    np.testing.assert_allclose(made, tau0 - x @ K.T, rtol=0, atol=1e-11 * np.abs(x).max() * np.abs(K).max() * robot.n)


def twist_rate(robot, link, q, qd):
    """Jdot qd, by central differences along the motion: their error is h^2 of the third derivative, and rounding over h."""
    h = 1e-5
    ahead, back = (robot.jacobian(robot.integrate(q, s * h * qd), link) for s in (1, -1))
    return np.einsum("bij,bj->bi", (ahead - back) / (2 * h), qd)


def operational(robot, law, q, qd, place, velocity, acceleration, tau0):
    """The page's formula with dense matrices; place (B, 3) or (B, 4, 4)."""
    pose = place.ndim == 3
    rows = slice(0, 6) if pose else slice(3, 6)
    here, J = robot.forward_kinematics(q, law.link), robot.jacobian(q, law.link)[:, rows]
    error = (place[:, :3, 3] if pose else place) - here[:, :3, 3]
    if pose:
        turn = Rotation.from_matrix(place[:, :3, :3] @ np.swapaxes(here[:, :3, :3], 1, 2)).as_rotvec()
        angle = np.linalg.norm(turn, axis=1, keepdims=True)
        error = np.hstack([turn * np.sinc(angle / np.pi), error])
    M1 = robot.mass_matrix_inverse(q)
    mobility = J @ M1 @ np.swapaxes(J, 1, 2) + law.softness * np.eye(J.shape[1])
    drift = np.einsum("bij,bjk,bk->bi", J, M1, tau0)
    aim = (
        acceleration
        + law.kp * error
        + law.kd * (velocity - np.einsum("bij,bj->bi", J, qd))
        - twist_rate(robot, law.link, q, qd)[:, rows]
        - drift
    )
    F = np.linalg.solve(mobility, aim[..., None])[..., 0]
    return np.einsum("bji,bj->bi", J, F) + robot.bias_forces(q, qd) + tau0, np.linalg.cond(mobility).max()


ARMS = {
    "arm6": lambda: Robot(GRID["arm6"]()),
    "arm7": lambda: Robot(serial("RRRRRRR", 21)),
    "mixed": lambda: Robot(GRID["mixed"]()),
    "mimic": lambda: Robot(GRID["mimic"]()),
    "universal": lambda: Robot(tree(["universal", "cylindrical", "planar", "revolute"], [0, 1, 2, 3], 5)),
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", ARMS)
def test_operational_space_is_its_formula(name, whole):
    robot, rng = ARMS[name](), np.random.default_rng(3)
    link = robot.link_names[-1] if name != "mixed" else "link9"
    q, qd = random_states(robot, rng)
    goal = robot.forward_kinematics(robot.random(rng, RUNS), link)
    goal = goal if whole else goal[:, :3, 3]
    damping, stiffness, posture = rng.uniform(0.1, 1, robot.n), rng.uniform(1, 5, robot.n), robot.random(rng)
    law = C.OperationalSpace(link, goal, 30.0, 7.0, damping, 1e-2, posture, stiffness)
    tau0 = stiffness * left(robot, q, np.broadcast_to(posture, q.shape)) - damping * qd
    wanted, condition = operational(robot, law, q, qd, goal, 0.0, 0.0, tau0)
    size = np.abs(wanted).max() * condition * 1e-9  # what the differences of Jdot are good for, through the solution
    np.testing.assert_allclose(at_once(robot, law, q, qd), wanted, rtol=0, atol=size)


@pytest.mark.parametrize("posture", [False, True])
def test_operational_space_moves_links_of_closed_chains(posture):
    """The platform accelerates as the law says, though its loops take part: at speed, under gravity, with a posture."""
    robot, rng, link = ordern.robots.threerrr().with_gravity((0.3, -9.8, 0.0)), np.random.default_rng(2), "platform"
    q = np.array(robot.model.home)
    free = np.linalg.svd(robot.constraint_jacobian(q))[2][-3:]
    qd = rng.uniform(-3, 3, 3) @ free
    here = robot.forward_kinematics(q, link)[:3, 3]
    spare = {"posture": q + 0.5, "stiffness": 3.0, "damping": 0.2} if posture else {}
    law = C.OperationalSpace(link, here + np.array([0.02, -0.01, 0.0]), 100.0, 20.0, softness=1e-9, **spare)
    motion = Motion(robot.model, law)
    read = {name: c.values for name, c in motion.channels.items()}
    qdd = interpret(motion.program("report"), {"q": q, "qd": qd} | read)["qdd"]
    made = robot.jacobian(q, link) @ qdd + twist_rate(robot, link, q[None], qd[None])[0]
    wanted = np.array([2.0, -1.0, 0.0]) - 20.0 * (robot.jacobian(q, link) @ qd)[3:]
    # softness is 1e-9 of the mobility, some 1/kg, and differences of J are good for 1e-9 of it
    np.testing.assert_allclose(made[3:], wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())


def test_operational_space_follows_poses():
    """A trajectory's velocity and acceleration enter as they should: the formula in the midst of one, and the path is kept."""
    robot, rng = ARMS["arm7"](), np.random.default_rng(4)
    link, q = robot.link_names[-1], np.array([0.3, 0.5, -0.4, 0.7, 0.2, 0.6, -0.3])
    here, there = robot.forward_kinematics(np.stack([q, q + 0.3]), link)
    way = T.straight(here, there, 1.0, profile="constant", start=-0.5)  # at full speed when the run begins
    tangent = (way.signal(1e-5) - way.signal(-1e-5)) / 2e-5
    point = way(0.0)
    np.testing.assert_allclose(point.qd, tangent, rtol=0, atol=1e-8)
    pose = np.eye(4)
    pose[:3, 3], pose[:3, :3] = point.q[:3], point.q[3:].reshape(3, 3)
    spin = Rotation.from_matrix(there[:3, :3] @ here[:3, :3].T).as_rotvec()
    velocity = np.concatenate([spin, (there - here)[:3, 3]])
    law = C.OperationalSpace(link, way, 30.0, 7.0)
    start, qd = np.tile(q, (3, 1)) + rng.uniform(-0.1, 0.1, (3, 7)), rng.uniform(-1, 1, (3, 7))
    wanted, condition = operational(robot, law, start, qd, np.tile(pose, (3, 1, 1)), velocity, 0.0, np.zeros((3, 7)))
    np.testing.assert_allclose(
        at_once(robot, law, start, qd), wanted, rtol=0, atol=1e-9 * condition * np.abs(wanted).max()
    )
    way = T.straight(here, there, 1.0, start=0.2)
    run = robot.simulate(
        q, duration=1.4, torque=C.OperationalSpace(link, way, 400.0, 40.0, damping=1.0, softness=0.0), rtol=1e-9, **BARE
    )
    poses = robot.forward_kinematics(run.q, link)
    made = np.concatenate([poses[:, :3, 3], poses[:, :3, :3].reshape(-1, 9)], axis=1)
    np.testing.assert_allclose(made, way(run.t).q, rtol=0, atol=1e-6)
    np.testing.assert_allclose(made[0], way(0.0).q, rtol=0, atol=1e-12)


def test_spare_motion_leaves_the_link_alone():
    """Null space: the link stays while the elbow goes to its posture, and a posture changes nothing of the link's acceleration."""
    robot, q = ARMS["arm7"](), np.array([0.3, 0.5, -0.4, 0.7, 0.2, 0.6, -0.3])
    link = robot.link_names[-1]
    pose, other = robot.forward_kinematics(q, link), q + np.array([0.5, -0.4, 0.3, 0.2, -0.3, 0.4, 0.1])
    law = C.OperationalSpace(link, pose, 100.0, 20.0, damping=2.0, softness=0.0, posture=other, stiffness=2.0)
    run = robot.simulate(q, duration=2.0, torque=law, **BARE)
    np.testing.assert_allclose(
        robot.forward_kinematics(run.q, link), np.broadcast_to(pose, (len(run.t), 4, 4)), rtol=0, atol=1e-6
    )
    assert np.linalg.norm(other - run.q[-1]) < 0.95 * np.linalg.norm(other - q)
    reached = robot.inverse_dynamics(run.q[0], run.qd[0], run.qdd[0])
    np.testing.assert_allclose(reached, run.tau[0], rtol=0, atol=1e-8)


def test_state_feedback_holds_what_falls():
    robot = ordern.robots.planar(2)
    up = np.array([np.pi / 2, 0.0])
    hold, zero, start = robot.gravity_forces(up), np.zeros(2), up + np.array([0.1, -0.05])
    d = robot.forward_dynamics_derivatives(up, zero, hold)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [d.dq, d.dqd]])
    B = np.vstack([np.zeros((2, 2)), d.dtau])
    K = B.T @ solve_continuous_are(A, B, np.eye(4), np.eye(2))
    run = robot.simulate(start, duration=10.0, torque=C.StateFeedback(K, up, hold), output_dt=0.1)
    np.testing.assert_allclose(run.q[-1], up, rtol=0, atol=1e-4)
    assert run.stats["engine"] == "compiled"
    gains = np.stack([K, 2 * K])
    both = robot.simulate(np.tile(start, (2, 1)), duration=1.0, torque=C.StateFeedback(gains, up, hold), output_dt=0.1)
    np.testing.assert_allclose(both.q[0], run.q[:11], rtol=0, atol=1e-9)  # other last steps, the same motion
    with pytest.raises(ordern.ShapeError, match="K must be"):
        robot.simulate(up, duration=0.1, torque=C.StateFeedback(K.T, up, hold))
    with pytest.raises(ordern.ShapeError, match="x0"):
        robot.simulate(up, duration=0.1, torque=C.StateFeedback(K, np.zeros(3), hold))
    with pytest.raises(ordern.MethodError, match="160 bodies"):
        chain = ordern.robots.chain(200)
        chain.simulate(np.zeros(200), duration=0.1, torque=C.StateFeedback(np.zeros((200, 400)), np.zeros(200)))


LAWS = {
    "ComputedTorque": lambda robot, other: C.ComputedTorque(robot.neutral(), 1.0, 1.0, robot=other),
    "GravityCompensation": lambda robot, other: C.GravityCompensation(0.1, robot=other),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ["planar", "floating", "mimic", "mixed", "long"])
def test_a_law_of_another_robot_is_refused(law, name):
    arm = Robot(GRID["arm6"]())
    with pytest.raises(ordern.InputError, match="same joints"):
        arm.simulate(arm.neutral(), duration=0.01, torque=LAWS[law](arm, Robot(GRID[name]())))
    with pytest.raises(ordern.InputError, match="give the Robot"):
        arm.simulate(arm.neutral(), duration=0.01, torque=LAWS[law](arm, "panda"))


@pytest.mark.parametrize("name", QUATERNIONS)
@pytest.mark.parametrize("scale", [0.0, 0.5, 2.0, 1.0 + 1e-5])
def test_quaternion_targets_have_length_one(name, scale):
    robot = QUATERNIONS[name]()
    target = robot.random(1)
    i = next(i for i in robot.model.free if robot.model.bodies[i].joint.nq != robot.model.bodies[i].joint.nv)
    end = robot.model.offsets[i][0] + robot.model.bodies[i].joint.nq
    target[end - 4 : end] *= scale
    q, qd = random_states(robot, np.random.default_rng(1), 2)
    made = {
        "PD": lambda: at_once(robot, C.PD(target, 3.0, 1.0), q, qd),
        "ComputedTorque": lambda: at_once(robot, C.ComputedTorque(target, 3.0, 1.0), q, qd),
        "StateFeedback": lambda: at_once(robot, C.StateFeedback(np.ones((robot.n, 2 * robot.n)), target), q, qd),
        "posture": lambda: at_once(
            robot, C.OperationalSpace(robot.link_names[-1], (0, 0, 0), 1, 1, posture=target, stiffness=1.0), q, qd
        ),
        "q0": lambda: robot.inverse_kinematics(np.eye(4), robot.link_names[-1], target, restarts=0).q,
    }
    for law, call in made.items():
        if abs(scale - 1) > 1e-3:
            with pytest.raises(ordern.InputError, match="quaternion of length"):
                call()
        elif law == "PD":
            unit = robot.integrate(target, np.zeros(robot.n))
            np.testing.assert_allclose(
                call(), 3 * left(robot, q, np.broadcast_to(unit, q.shape)) - qd, rtol=0, atol=1e-10
            )
    if scale == 0.0:
        for call in (
            lambda: robot.integrate(target, np.zeros(robot.n)),
            lambda: robot.difference(target, robot.neutral()),
        ):
            with pytest.raises(ordern.InputError, match="length 0"):
                call()
