"""Every URDF of example-robot-data that Pinocchio reads: the same frames, the same bodies, with fixed and floating base."""

import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from ordern.describe.physical import spatial
from ordern.describe.urdf.urdf_read import load_urdf, to_urdf
from ordern.errors import OrdernWarning

from .mechanics import body_poses, link_poses, mass_matrix, motion_to_world, random_q
from .test_every_joint_and_writer import of
from .test_writers import PROPERTIES

ROBOTS = Path(pin.__file__).parents[4] / "share/example-robot-data/robots"
FILES = sorted(ROBOTS.glob("**/*.urdf")) if ROBOTS.is_dir() else []
if not FILES:
    import example_robot_data

    ROBOTS = Path(example_robot_data.getModelPath("panda_description/urdf/panda.urdf")) / "robots"
    FILES = sorted(ROBOTS.glob("**/*.urdf"))
EPS = np.finfo(float).eps
NOT_FOR_PINOCCHIO = {"ur3.urdf"}  # no robot in it


def ours(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        return load_urdf(path, on_invalid="warn", mimic=False, **options)


def pinocchio_q(model, theirs, q):
    """Our coordinates in Pinocchio's order; it has (cos, sin) for continuous joints."""
    made = pin.neutral(theirs)
    for i in model.free:
        body, start = model.bodies[i], model.offsets[i][0]
        joint = theirs.joints[theirs.getJointId(body.name)]
        part = q[start : start + body.joint.nq]
        made[joint.idx_q : joint.idx_q + joint.nq] = (
            [np.cos(part[0]), np.sin(part[0])] if (joint.nq, joint.nv) == (2, 1) else part
        )
    return made


def velocity_order(model, theirs):
    """For each of our velocities its place in Pinocchio's, which has linear ones first."""
    order = []
    for i in model.free:
        joint = theirs.joints[theirs.getJointId(model.bodies[i].name)]
        places = list(range(joint.idx_v, joint.idx_v + joint.nv))
        order += places[3:] + places[:3] if joint.nv == 6 else places
    return order


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", [p for p in FILES if p.name not in NOT_FOR_PINOCCHIO], ids=lambda p: p.stem)
def test_same_robot(path, base):
    model = ours(path, base=base)
    theirs = (
        pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        if base == "floating"
        else pin.buildModelFromUrdf(str(path))
    )
    data = theirs.createData()
    assert model.nv == theirs.nv
    if not model.nv:
        return
    rng = np.random.default_rng(1)
    for _ in range(3):
        q = random_q(model, rng)
        at = pinocchio_q(model, theirs, q)
        pin.framesForwardKinematics(theirs, data, at)
        depth = len(model.bodies) + 10
        poses = link_poses(model, q)
        size = max(1.0, *(np.max(np.abs(p[:3, 3])) for p in poses.values()))
        for name, pose in poses.items():
            frame = data.oMf[theirs.getFrameId(name, pin.FrameType.BODY)].homogeneous
            assert np.max(np.abs(pose - frame)) <= 4 * depth * EPS * size, name
        M = pin.crba(theirs, data, at)
        M = np.triu(M) + np.triu(M, 1).T
        order = velocity_order(model, theirs)
        theirs_M = M[np.ix_(order, order)] - np.diag(theirs.armature[order])
        assert np.max(np.abs(mass_matrix(model, q) - theirs_M)) <= 4 * depth * EPS * max(1.0, np.max(np.abs(M)))
    for i, body in enumerate(model.bodies[1:], 1):  # the inertia that each joint carries, whatever the frames
        k = theirs.getJointId(body.name)
        X = motion_to_world(np.linalg.inv(data.oMi[k].homogeneous) @ body_poses(model, q)[i])
        back = np.linalg.inv(X)
        mine = back.T @ spatial(body.inertia) @ back
        flip = [3, 4, 5, 0, 1, 2]
        other = theirs.inertias[k].matrix()[np.ix_(flip, flip)]
        np.testing.assert_allclose(mine, other, rtol=0, atol=1e3 * depth * EPS * max(1e-3, np.max(np.abs(other))))


@pytest.mark.parametrize("path", [p for p in FILES if p.name not in NOT_FOR_PINOCCHIO][::3], ids=lambda p: p.stem)
def test_round_trip_through_urdf(path):
    model = ours(path)
    again = ours(to_urdf(model))
    assert [b.name for b in again.bodies] == [b.name for b in model.bodies]
    assert [k.name for k in again.links] == [k.name for k in model.links]
    for one, other in zip(model.links, again.links, strict=True):
        assert [(s.kind, s.size, s.path, s.color) for s in one.visuals] == [
            (s.kind, s.size, s.path, s.color) for s in other.visuals
        ]
    q = random_q(model, np.random.default_rng(2))
    for name, pose in link_poses(model, q).items():
        np.testing.assert_allclose(link_poses(again, q)[name], pose, rtol=0, atol=1e-13)
    if model.nv:
        np.testing.assert_allclose(mass_matrix(again, q), mass_matrix(model, q), rtol=0, atol=1e-12)
    for one, other in zip(model.bodies[1:], again.bodies[1:], strict=True):
        assert (one.lower, one.upper, one.damping, one.friction) == (
            other.lower,
            other.upper,
            other.damping,
            other.friction,
        )


def test_pinocchio_reads_what_we_write():
    for path in FILES:
        if path.name == "panda.urdf":
            theirs = pin.buildModelFromXML(to_urdf(ours(path)))
            assert theirs.nv == 9


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "planar", "floating"])
def test_pinocchio_reads_joints_with_any_of_their_properties(kind):
    """urdfdom, which most programs read URDF with, refuses a <dynamics> without damping and friction."""
    for wanted in ((), ("armature",), ("stiffness",), ("damping", "armature"), ("friction",), ("lower",), PROPERTIES):
        theirs = pin.buildModelFromXML(to_urdf(of(kind, wanted)))
        assert sorted(theirs.names[1:]) == ["j", "turn"], wanted
