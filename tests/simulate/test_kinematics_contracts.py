"""Inverse kinematics: a pose alone and in a batch, half turns, what is no pose, nothing at all; and random coordinates within one-sided limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import ordern
from ordern.robot import Robot
from ordern.simulate.inverse_kinematics import proper, rotation_vector
from robots import GRID, mimicking, serial

pytestmark = pytest.mark.usefixtures("machine_code")  # the same solution to the last bit

ROBOTS = {"puma560": ordern.robots.puma560, "panda": ordern.robots.panda, "floating": lambda: Robot(GRID["floating"]())}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", ROBOTS)
def test_a_pose_has_one_solution(name, whole):
    """To the last bit, whatever stands beside it; some of the poses need several beginnings and some cannot be reached."""
    robot = ROBOTS[name]()
    link = robot.link_names[-1]
    poses = robot.forward_kinematics(robot.random(5, 12), link)
    poses[3, :3, 3] += 0.6
    poses = poses if whole else poses[:, :3, 3]
    options = {"restarts": 6, "iterations": 40}
    made = robot.inverse_kinematics(poses, link, **options)
    assert made.success.any() and (name == "floating" or made.iterations.max() > 40)
    for k in (0, 3, 7, 11):
        alone = robot.inverse_kinematics(poses[k], link, **options)
        np.testing.assert_array_equal(alone.q, made.q[k])
        assert (alone.success, alone.residual, alone.iterations) == (
            made.success[k],
            made.residual[k],
            made.iterations[k],
        )
    turned = robot.inverse_kinematics(poses[::-1].reshape(3, 4, *poses.shape[1:]), link, **options)
    np.testing.assert_array_equal(turned.q.reshape(12, -1)[::-1], made.q)


@pytest.mark.parametrize("batch", [(0,), (0, 3), (2, 0)])
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("whole", [(4, 4), (3,)])
def test_no_poses_have_no_solutions(name, batch, whole):
    robot = ROBOTS[name]()
    made = robot.inverse_kinematics(np.zeros((*batch, *whole)), robot.link_names[-1])
    assert (
        made.q.shape == (*batch, robot.nq)
        and made.success.shape == made.residual.shape == made.iterations.shape == batch
    )
    assert "0 of 0" in made.message


SHEAR = np.eye(4)
SHEAR[0, 1] = 0.01
LOW = np.eye(4)
LOW[3, 0] = 0.5


@pytest.mark.parametrize(
    ("pose", "says"),
    [
        (np.diag([1.0, 1, -1, 1]), "mirrored"),
        (-np.eye(4) + np.diag([0, 0, 0, 2.0]), "mirrored"),
        (SHEAR, "orthogonal"),
        (LOW, "last row"),
    ],
)
@pytest.mark.parametrize("batch", [(), (3,)])
def test_what_is_no_pose_is_refused(pose, says, batch):
    robot = ordern.robots.puma560()
    given_poses = np.broadcast_to(np.eye(4), (*batch, 4, 4)).copy()
    given_poses[(2,) if batch else ()] = pose
    with pytest.raises(ordern.InputError, match=says):
        robot.inverse_kinematics(given_poses, robot.link_names[-1])
    with pytest.raises(ordern.InputError, match=says):
        robot.simulate(
            robot.neutral(), duration=0.01, torque=ordern.control.OperationalSpace(robot.link_names[-1], pose, 1.0, 1.0)
        )


def test_rounded_poses_are_reached():
    """Poses in single precision, whose rotations are some to seven digits only."""
    robot = ordern.robots.puma560()
    poses = robot.forward_kinematics(robot.random(3, 5), robot.link_names[-1]).astype(np.float32)
    made = robot.inverse_kinematics(poses, robot.link_names[-1])
    assert made.success.all()
    np.testing.assert_allclose(robot.forward_kinematics(made.q, robot.link_names[-1]), poses, rtol=0, atol=1e-6)


AXES = [
    *np.eye(3),
    np.array([1.0, 1.0, 0.0]),
    np.array([0.3, -0.5, 0.8]),
    np.array([-1e-4, 1.0, 1e-4]),
    np.array([-1.0, -1.0, -1.0]),
]


@settings(max_examples=60)
@given(
    axis=st.sampled_from(AXES),
    angle=st.one_of(
        st.floats(0, np.pi),
        st.sampled_from([0.0, 1e-12, 1e-7, np.pi / 2, np.pi - 1e-3, np.pi - 1e-8, np.pi - 1e-12, np.pi]),
    ),
)
def test_rotation_vectors_up_to_half_a_turn(axis, angle):
    """The vector turns as the matrix does, is no longer than half a turn, and has the axis's side wherever there is one."""
    v = axis / np.linalg.norm(axis) * angle
    R = Rotation.from_rotvec(v).as_matrix()
    made = rotation_vector(np.stack([R, np.eye(3)]))[0]
    assert np.linalg.norm(made) <= np.pi * (1 + 1e-15)
    np.testing.assert_allclose(Rotation.from_rotvec(made).as_matrix(), R, rtol=0, atol=1e-14)
    if angle < np.pi - 1e-7:
        np.testing.assert_allclose(
            made, v, rtol=0, atol=1e-8 if angle > 3 else 1e-15 + 1e-14 * angle
        )  # near half a turn the sine is all that tells the angle


@pytest.mark.parametrize("axis", range(3))
def test_half_a_turn_away_is_reached(axis):
    """An attitude that is exactly half a turn off about any axis: a spherical wrist gets there without another beginning."""
    arm = ordern.robots.puma560()
    link, q = arm.link_names[-1], np.array([0.1, 0.8, -2.5, 0.3, 0.7, 0.2])
    pose = arm.forward_kinematics(q, link)
    pose[:3, :3] = pose[:3, :3] @ np.diag(np.where(np.arange(3) == axis, 1.0, -1.0))
    made = arm.inverse_kinematics(pose, link, q, limits=False, restarts=3)
    assert made.success
    np.testing.assert_allclose(arm.forward_kinematics(made.q, link), pose, rtol=0, atol=1e-9)


@settings(max_examples=30)
@given(
    kind=st.sampled_from(["R", "P", "H", "C", "U", "L"]),
    side=st.sampled_from(["lower", "upper", "both"]),
    at=st.floats(-20, 20),
)
def test_random_within_one_sided_limits(kind, side, at):
    """The whole stretch of a turn or two metres beside the one limit is used, and nothing beyond it."""
    model = serial(kind, 2)
    joint = model.bodies[1].joint
    inf = (np.inf,) * joint.nv
    lower = (at,) * joint.nv if side != "upper" else tuple(-x for x in inf)
    upper = (at + 0.5,) * joint.nv if side == "both" else (at,) * joint.nv if side == "upper" else inf
    robot = Robot(model.with_bodies([model.bodies[0], replace(model.bodies[1], lower=lower, upper=upper)]))
    q = robot.random(0, 400)
    wide = np.where(joint.angular, 2 * np.pi, 2.0) if side != "both" else np.full(joint.nv, 0.5)
    low = np.full(joint.nv, at) - (wide if side == "upper" else 0.0)
    assert np.all(q >= low - 1e-12) and np.all(q <= low + wide + 1e-12)
    assert np.all(np.ptp(q, axis=0) > 0.9 * wide)


@pytest.mark.parametrize(
    ("axis", "x", "y"),
    [
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0), (0, -1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 0, 1), (0, 1, 0)), ((0, 1, 0), (0, 0, 1), (1, 0, 0)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0.6, 0.8), (1, 0, 0), (0, 0.8, -0.6)), ((0.6, 0, 0.8), (0, 1, 0), (-0.8, 0, 0.6)), ((0.1, 0.7, -0.7), None, None),
        ((1, 1, 1), None, None),
    ],
)  # fmt: skip
def test_axes_in_the_plane_of_a_planar_joint(axis, x, y, tmp_path):
    """As the page on conventions says, whichever way the joint's axis points."""
    unit = np.array(axis) / np.linalg.norm(axis)
    if x is None:
        first = np.eye(3)[int(np.argmin(np.abs(unit)))]
        x = first - (first @ unit) * unit
        x, y = x / np.linalg.norm(x), np.cross(unit, x / np.linalg.norm(x))
    text = "<robot name='slab'><link name='world'/><link name='slab'><inertial><mass value='1'/>"
    text += "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    text += "<joint name='slide' type='planar'><parent link='world'/><child link='slab'/><axis xyz='{} {} {}'/></joint></robot>"
    file = tmp_path / "slab.urdf"
    file.write_text(text.format(*axis))
    robot = ordern.load(file)
    for q, way in (((0.3, 0, 0), x), ((0, 0.3, 0), y)):
        np.testing.assert_allclose(robot.forward_kinematics(q, "slab")[:3, 3], 0.3 * np.array(way), rtol=0, atol=1e-15)
    turned = robot.forward_kinematics((0, 0, 0.4), "slab")[:3, :3]
    np.testing.assert_allclose(turned, Rotation.from_rotvec(0.4 * unit).as_matrix(), rtol=0, atol=1e-15)


@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
def test_rounded_rotations_become_the_nearest_ones(batch):
    """What is off by e is off by about e^2 after Newton's step, 1e-14 here; the turn moves by no more than e, the given array not at all."""
    rng = np.random.default_rng(0)
    pose = np.broadcast_to(np.eye(4), (*batch, 4, 4)).copy()
    pose[..., :3, :3] = np.linalg.qr(rng.normal(size=(*batch, 3, 3)))[0]
    pose[..., :3, :3] *= np.linalg.det(pose[..., :3, :3])[..., None, None]  # no mirrors
    pose[..., :3, :3] += rng.uniform(-1e-7, 1e-7, (*batch, 3, 3))
    before = pose.copy()
    made = proper("pose", pose)
    R = made[..., :3, :3]
    assert np.array_equal(pose, before) and np.array_equal(made[..., 3], pose[..., 3])
    np.testing.assert_allclose(R @ np.swapaxes(R, -1, -2), np.broadcast_to(np.eye(3), R.shape), rtol=0, atol=1e-12)
    np.testing.assert_allclose(R, pose[..., :3, :3], rtol=0, atol=3e-7)


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_limits_of_joints_that_follow_hold_for_random_and_inverse_kinematics(side):
    """A joint that follows another one limits that one: neither random coordinates nor solutions take it beyond."""
    model = mimicking()
    follower = next(i for i, body in enumerate(model.bodies) if body.mimic is not None)
    ratio, offset, master = (getattr(model.bodies[follower].mimic, name) for name in ("ratio", "offset", "body"))
    ends = (
        {"lower": (offset - 0.2,), "upper": (1e3,)} if side == "lower" else {"lower": (-1e3,), "upper": (offset + 0.2,)}
    )
    bodies = [replace(b, **ends) if i == follower else b for i, b in enumerate(model.bodies)]
    robot, rng = ordern.Robot(model.with_bodies(bodies)), np.random.default_rng(4)

    def inside(q):
        x = ratio * q[..., model.offsets[master][1]] + offset
        return (x >= ends["lower"][0] - 1e-9) & (x <= ends["upper"][0] + 1e-9)

    q = robot.random(rng, 200)
    assert inside(q).all() and not inside(ordern.Robot(model).random(rng, 200)).all()
    link = robot.link_names[-1]
    free = ordern.Robot(model).random(rng, 20)
    for limits in (True, False):
        made = robot.inverse_kinematics(robot.forward_kinematics(free, link), link, free, restarts=0, limits=limits)
        assert inside(made.q).all() == limits
