"""Forces and states of the benchmark mechanisms."""

import math

import numpy as np


def ladder(n, theta, speed):
    """Coordinates of n four-bars whose uprights stand at theta: beams stay level."""
    q, qd = np.zeros((len(theta), 2 * n + 1)), np.zeros((len(theta), 2 * n + 1))
    q[:, 0::2], qd[:, 0::2] = (theta - math.pi / 2)[:, None], speed[:, None]
    q[:, 1::2], qd[:, 1::2] = -(theta - math.pi / 2)[:, None], -speed[:, None]
    return q, qd


def andrews_drive(q):
    """The driving moment and the spring's force on K3, as joint forces."""
    tau, C, B = np.zeros(7), np.array([0.014, 0.072]), np.array([-0.03635, 0.03273])
    s, c = math.sin(q[2]), math.cos(q[2])
    arm = np.array([0.02 * c + 0.018 * s, 0.02 * s - 0.018 * c])
    to = C - B - arm
    length = math.hypot(*to)
    force = 4530 * (length - 0.07785) / length * to
    tau[0], tau[2] = 0.033, arm[0] * force[1] - arm[1] * force[0]
    return tau
