"""States and results of ordern for Pinocchio, Drake and MuJoCo, and back; link tables of the Robotics Toolbox, and back.

For robots whose joints have one coordinate each, with or without a floating base. ordern has q = [x y z, qx qy qz qw, joints] and
qd = [omega; v, joints], the base's twist in its own axes; forces likewise (moment first). The others say the same in other words:

    drake = Drake(robot, joints=[...])              # joints: names in the other library's order, where it differs
    x, v = drake.q(q), drake.v(q, qd)               # its state
    q, qd = drake.back_q(x), drake.back_v(x, v)     # and back
    drake.a(q, qd, qdd), drake.force(q, tau), drake.mass_matrix(q, M), drake.jacobian(q, J), drake.bias(q, qd, robot)
"""

from __future__ import annotations

import math

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


class Convention:
    """What all libraries have in common: v = T qd, so that forces go by T^-T and M by T^-T M T^-1; a = T qdd + what T's change adds."""

    def __init__(self, robot, joints=None):
        self.robot, self.floating = robot, robot.nq != robot.n
        own = list(robot.joint_names)[1 if self.floating else 0 :]
        self.order = [own.index(name) for name in joints or own]
        self.head = 7 if self.floating else 0

    def q(self, q):
        """Coordinates of the other library."""
        q = np.asarray(q, float)
        return np.concatenate([self.base(q[: self.head]), self.angles(q[self.head :][self.order])])

    def back_q(self, x):
        """Coordinates of ordern."""
        x = np.asarray(x, float)
        rest = np.empty(len(self.order))
        rest[self.order] = self.back_angles(x[self.head :])
        return np.concatenate([self.back_base(x[: self.head]), rest])

    def angles(self, rest):
        """Joints after the base."""
        return rest

    back_angles = angles

    def rates(self, q):
        """T with v = T qd."""
        T = np.zeros((self.robot.n, self.robot.n))
        first = 6 if self.floating else 0
        T[first + np.arange(len(self.order)), first + np.array(self.order, int)] = 1.0
        if self.floating:
            T[:6, :6] = self.base_rates(rotation(np.asarray(q, float)[3:7]))
        return T

    def change(self, q, qd):
        """What the change of T adds to an acceleration: nothing, where base velocities are in the base's own axes."""
        return np.zeros(self.robot.n)

    def v(self, q, qd):
        """Velocities of the other library."""
        return self.rates(q) @ qd

    def back_v(self, x, v):
        """Velocities of ordern."""
        return np.linalg.solve(self.rates(self.back_q(x)), v)

    def a(self, q, qd, qdd):
        """Accelerations of the other library."""
        return self.rates(q) @ qdd + self.change(q, qd)

    def back_a(self, x, v, a):
        """Accelerations of ordern."""
        q = self.back_q(x)
        return np.linalg.solve(self.rates(q), a - self.change(q, self.back_v(x, v)))

    def force(self, q, tau):
        """Joint forces of the other library."""
        return np.linalg.solve(self.rates(q).T, tau)

    def back_force(self, x, f):
        """Joint forces of ordern."""
        return self.rates(self.back_q(x)).T @ f

    def mass_matrix(self, q, M):
        """The other library's mass matrix."""
        inverse = np.linalg.inv(self.rates(q))
        return inverse.T @ M @ inverse

    def bias(self, q, qd):
        """C v + g of the other library: the forces that leave its a at zero."""
        return self.force(q, self.robot.inverse_dynamics(q, qd, np.linalg.solve(self.rates(q), -self.change(q, qd))))

    def jacobian(self, q, J):
        """A Jacobian of ordern as the other library's, columns and rows."""
        return self.twist(J @ np.linalg.inv(self.rates(q)))

    def twist(self, six):
        """A twist or wrench, the columns of a Jacobian: linear part first in most libraries."""
        return linear_first(six)


class Pinocchio(Convention):
    """The same base coordinates; velocities linear first, in the base's own axes; a continuous joint is (cos, sin)."""

    def __init__(self, robot, joints=None):
        super().__init__(robot, joints)
        bodies = [robot.model.bodies[i] for i in robot.model.free][1 if self.floating else 0 :]
        self.circle = [bodies[k].continuous for k in self.order]

    def base(self, head):
        """As here."""
        return head

    back_base = base

    def angles(self, rest):
        """(cos, sin) of continuous joints."""
        return np.concatenate(
            [[], *([math.cos(x), math.sin(x)] if round_ else [x] for x, round_ in zip(rest, self.circle, strict=True))]
        )

    def back_angles(self, rest):
        """Their angles."""
        given = iter(rest)
        return [
            (lambda c, s: math.atan2(s, c))(next(given), next(given)) if round_ else next(given)
            for round_ in self.circle
        ]

    def base_rates(self, R):
        """[v; omega] from [omega; v]."""
        return np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])


class MuJoCo(Convention):
    """Quaternion (w, x, y, z); base velocity [v in world axes; omega in the body]."""

    def base(self, head):
        """[x y z, qw qx qy qz]."""
        return np.concatenate([head[:3], head[6:], head[3:6]])

    def back_base(self, head):
        """[x y z, qx qy qz qw]."""
        return np.concatenate([head[:3], head[4:], head[3:4]])

    def base_rates(self, R):
        """[R v; omega] from [omega; v]."""
        return np.block([[np.zeros((3, 3)), R], [np.eye(3), np.zeros((3, 3))]])

    def change(self, q, qd):
        """R (omega x v), in the place of the linear acceleration."""
        made = np.zeros(self.robot.n)
        if self.floating:
            made[0:3] = rotation(q[3:7]) @ np.cross(qd[:3], qd[3:6])
        return made


class Drake(Convention):
    """Quaternion (w, x, y, z) before the position; base velocity [omega; v], both in world axes."""

    def base(self, head):
        """[qw qx qy qz, x y z]."""
        return np.concatenate([head[6:], head[3:6], head[:3]])

    def back_base(self, head):
        """[x y z, qx qy qz qw]."""
        return np.concatenate([head[4:], head[1:4], head[:1]])

    def base_rates(self, R):
        """[R omega; R v] from [omega; v]."""
        return np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])

    def change(self, q, qd):
        """R (omega x v), in the place of the linear acceleration."""
        made = np.zeros(self.robot.n)
        if self.floating:
            made[3:6] = rotation(q[3:7]) @ np.cross(qd[:3], qd[3:6])
        return made

    def twist(self, six):
        """Rotational part first, as here."""
        return np.asarray(six)


# --- Robotics Toolbox: states are the same, Jacobians and wrenches linear first, links are described otherwise --------------------------
def from_toolbox(links):
    """Rows and convention for ``Robot.from_dh``, from the links of a DHRobot. Take its gravity and tool along: gravity=, tool=."""
    if any(link.isflip for link in links):
        raise ValueError("a link is flipped: its angle is minus q, which a DH table of ordern cannot say")
    rows = []
    for link in links:
        slides = bool(link.sigma)
        rows.append({
            "joint": "prismatic" if slides else "revolute", "a": link.a, "alpha": link.alpha,
            "d": link.offset if slides else link.d, "theta": link.theta if slides else link.theta + link.offset,
            "mass": link.m, "com": tuple(link.r), "inertia": np.array(link.I), "armature": link.Jm * link.G**2,
            "damping": link.B * link.G**2, "friction": abs(link.G) * max(abs(t) for t in link.Tc),
        })  # fmt: skip
    return rows, "proximal" if links[0].mdh else "distal"


def to_toolbox(row):
    """Keywords of RevoluteDH, PrismaticDH, RevoluteMDH or PrismaticMDH, from a row of ``Robot.to_dh`` ("distal" or "proximal")."""
    slides = row["joint"] == "prismatic"
    move = {"theta": row["theta"], "offset": row["d"]} if slides else {"d": row["d"], "offset": row["theta"]}
    I = np.array(row["inertia"])
    if I.shape == (6,):
        I = I[[0, 1, 2, 3, 5, 4]]  # there Ixx Iyy Izz Ixy Iyz Ixz
    motor = {"Jm": row.get("armature", 0.0), "G": 1.0}
    return {"a": row["a"], "alpha": row["alpha"], **move, "m": row["mass"], "r": np.array(row["com"]), "I": I, **motor}
