"""Small NumPy mechanics over a Model, independent of the library's algorithms: poses, mass matrix, gravity forces."""

from __future__ import annotations

import numpy as np

from ordern.describe.frames import at
from ordern.describe.physical import spatial
from ordern.spatial.joint_space import JointVector


def split(model, q):
    """The coordinates of each body; a mimicking one has its master's through ratio and offset."""
    parts = [()]
    for i, body in enumerate(model.bodies[1:], 1):
        start = model.offsets[i][0]
        part = [float(e) for e in q[start : start + body.joint.nq]]
        if body.mimic is not None:
            part = [body.mimic.ratio * e + body.mimic.offset for e in part]
        parts.append(part)
    return parts


def body_poses(model, q):
    """4x4 of each body in the world."""
    poses = [np.eye(4)]
    for body, part in zip(model.bodies[1:], split(model, q)[1:], strict=True):
        poses.append(poses[body.parent] @ body.placement.matrix() @ at(body.joint, part).matrix())
    return poses


def link_poses(model, q):
    """4x4 of each link in the world, by name."""
    poses = body_poses(model, q)
    return {link.name: poses[link.body] @ link.placement.matrix() for link in model.links}


def skew(p):
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])


def motion_to_world(pose):
    """6x6 that takes a twist in the body frame to world components at the world's origin."""
    R, p = pose[:3, :3], pose[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [skew(p) @ R, R]])


def jacobians(model, q):
    """6 x n per body: its twist, in world components at the world's origin."""
    poses, made = body_poses(model, q), [np.zeros((6, model.nv))]
    for i, (body, part) in enumerate(zip(model.bodies[1:], split(model, q)[1:], strict=True), 1):
        S = np.array(body.joint.motion(JointVector(*part))[1].dense(), float)
        J = made[body.parent].copy()
        start = model.offsets[i][1]
        J[:, start : start + body.joint.nv] += (body.mimic.ratio if body.mimic else 1.0) * motion_to_world(poses[i]) @ S
        made.append(J)
    return made


def world_inertias(model, q):
    """6x6 per body, in world components at the world's origin."""
    made = []
    for body, pose in zip(model.bodies, body_poses(model, q), strict=True):
        back = np.linalg.inv(motion_to_world(pose))
        made.append(back.T @ spatial(body.inertia) @ back)
    return made


def mass_matrix(model, q):
    M = np.diag(model.per_velocity("armature", 0.0))
    for J, I in zip(jacobians(model, q)[1:], world_inertias(model, q)[1:], strict=True):
        M = M + J.T @ I @ J
    return M


def gravity_forces(model, q):
    up = np.concatenate([np.zeros(3), -np.array(model.gravity)])
    return sum(J.T @ I @ up for J, I in zip(jacobians(model, q)[1:], world_inertias(model, q)[1:], strict=True))


def neutral(model):
    return np.concatenate([model.bodies[i].joint.neutral for i in model.free] or [np.zeros(0)])


def random_q(model, rng):
    """Coordinates of every kind of joint, limits ignored."""
    q = rng.uniform(-2, 2, model.nq)
    for i in model.free:
        joint, start = model.bodies[i].joint, model.offsets[i][0]
        if joint.nq != joint.nv:
            quaternion = slice(start + joint.nq - 4, start + joint.nq)
            q[quaternion] /= np.linalg.norm(q[quaternion])
    return q
