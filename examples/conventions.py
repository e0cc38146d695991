"""States and results of ordern for Pinocchio and MuJoCo, and back. For robots whose joints have one coordinate each, with or without a floating base.

ordern: q = [x y z, qx qy qz qw, joints], qd = [omega; v in the base's own frame, joints], forces likewise (moment first).
"""

from __future__ import annotations

import numpy as np


def rotation(quaternion):
    """Base axes as columns, from (x, y, z, w)."""
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def linear_first(six):
    """[omega; v] to [v; omega], or [moment; force] to [force; moment]; its own inverse. Works on the first axis, so for Jacobians too."""
    six = np.asarray(six)
    return np.concatenate([six[3:6], six[0:3], six[6:]])


# --- Pinocchio: the same q (a continuous joint is (cos, sin) there); velocities linear first, in the base's own frame -------------------
def pinocchio_q(robot, q):
    """Coordinates for Pinocchio."""
    parts = []
    for i in robot.model.free:
        body, start = robot.model.bodies[i], robot.model.offsets[i][0]
        own = q[start : start + body.joint.nq]
        parts.append([np.cos(own[0]), np.sin(own[0])] if body.continuous else own)
    return np.concatenate(parts)


def pinocchio_v(robot, v):
    """Velocities, accelerations or joint forces for Pinocchio (and back)."""
    floating = robot.nq != robot.n
    return linear_first(v) if floating else np.asarray(v)


# --- MuJoCo: quaternion (w, x, y, z); base velocity [v in world axes; omega in the body] ------------------------------------------------
def mujoco_q(robot, q):
    """qpos."""
    q = np.asarray(q)
    return np.concatenate([q[:3], q[6:7], q[3:6], q[7:]]) if robot.nq != robot.n else q


def mujoco_rates(robot, q):
    """T with qvel = T qd; forces go back by its transpose: tau = T^T qfrc."""
    T = np.eye(robot.n)
    if robot.nq != robot.n:
        T[:6, :6] = 0.0
        T[0:3, 3:6] = rotation(q[3:7])
        T[3:6, 0:3] = np.eye(3)
    return T


def mujoco_v(robot, q, qd):
    """qvel."""
    return mujoco_rates(robot, q) @ qd


def mujoco_a(robot, q, qd, qdd):
    """qacc: the velocity in world axes has one more term, R (omega x v)."""
    made = mujoco_rates(robot, q) @ qdd
    if robot.nq != robot.n:
        made[:3] += rotation(q[3:7]) @ np.cross(qd[:3], qd[3:6])
    return made


def mujoco_force(robot, q, tau):
    """qfrc: joint forces as MuJoCo has them."""
    return np.linalg.solve(mujoco_rates(robot, q).T, tau)
