"""Closed chains by other means: Pinocchio's tree, and closures as functions of frames, differentiated by differences."""

import numpy as np


def joint_of(pin, body):
    """Pinocchio's joint for one of ours."""
    parts = {
        "universal": (pin.JointModelRX, pin.JointModelRY),
        "cylindrical": (pin.JointModelRZ, pin.JointModelPZ),
        "planar": (pin.JointModelPX, pin.JointModelPY, pin.JointModelRZ),
    }
    alone = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "floating": pin.JointModelFreeFlyer,
        "spherical": pin.JointModelSpherical,
    }
    if body.joint.name in alone:
        return alone[body.joint.name]()
    made = pin.JointModelComposite()
    for part in parts[body.joint.name]:
        made.addJoint(part(), pin.SE3.Identity())
    return made


def closure(kind, R1, R2, d, constants):
    """What vanishes where a loop is closed: rotations of both frames and the way from one origin to the other."""
    turn, along = R1.T @ R2, R1.T @ d
    skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    tilt = np.cross(R1[:, 2], R2[:, 2])
    return {
        "point": lambda: d, "spherical": lambda: d, "fixed": lambda: [*along, *skew], "revolute": lambda: [*d, *tilt],
        "cylindrical": lambda: [*along[:2], *tilt], "prismatic": lambda: [*along[:2], *skew],
        "universal": lambda: [*d, R1[:, 0] @ R2[:, 1]], "planar": lambda: [along[2], *tilt],
        "distance": lambda: [np.linalg.norm(d) - constants[0]],
    }[kind]()  # fmt: skip


class Spanning:
    """A robot's spanning tree in Pinocchio; G leads from our velocities to Pinocchio's, joints that mimic included."""

    def __init__(self, pin, robot):
        self.pin, self.robot, own = pin, robot, robot.model
        self.model, self.ids = pin.Model(), {0: 0}
        self.model.gravity = pin.Motion(np.array(robot.gravity), np.zeros(3))
        todo = [i for i, p in reversed(list(enumerate(own.parents))) if i and p == 0]
        while todo:  # each subtree in one piece
            i = todo.pop()
            todo += [k for k, p in reversed(list(enumerate(own.parents))) if k and p == i]
            body = own.bodies[i]
            place = pin.SE3(body.placement.matrix())
            self.ids[i] = self.model.addJoint(self.ids[body.parent], joint_of(pin, body), place, str(i))
            xx, yy, zz, xy, xz, yz = body.inertia.about_com()
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            inertia = pin.Inertia(body.inertia.m, np.array(body.inertia.com), tensor)
            self.model.appendBodyToJoint(self.ids[i], inertia, pin.SE3.Identity())
        self.data = self.model.createData()
        self.Q, self.start = np.zeros((self.model.nq, robot.nq)), np.zeros(self.model.nq)
        self.G = np.zeros((self.model.nv, robot.n))
        for i, body in enumerate(own.bodies[1:], 1):
            (iq, iv), joint = own.offsets[i], self.model.joints[self.ids[i]]
            ratio = 1.0 if body.mimic is None else body.mimic.ratio
            order = [3, 4, 5, 0, 1, 2] if body.joint.name == "floating" else range(body.joint.nv)
            for k, to in enumerate(order):
                self.G[joint.idx_v + to, iv + k] = ratio
            for k in range(body.joint.nq):
                self.Q[joint.idx_q + k, iq + k] = ratio
            if body.mimic is not None:
                self.start[joint.idx_q] = body.mimic.offset

    def residual(self, at):
        """All loops but gears, at coordinates of Pinocchio's."""
        own, made = self.robot.model, []
        self.pin.forwardKinematics(self.model, self.data, at)
        for loop in own.loops:
            if not loop.terms:
                ends = [self.data.oMi[self.ids[b]] * self.pin.SE3(p.matrix()) for b, p in own.loop_ends(loop)]
                way = ends[1].translation - ends[0].translation
                made += list(closure(loop.kind, ends[0].rotation, ends[1].rotation, way, loop.constants))
        return np.array(made)

    def along(self, at, v, h=2e-3):
        """First and second rate of the residual along a constant velocity, of sixth order in h."""
        f = [self.residual(self.pin.integrate(self.model, at, k * h * v)) for k in range(-3, 4)]
        first = (f[6] - f[0] - 9 * (f[5] - f[1]) + 45 * (f[4] - f[2])) / (60 * h)
        return first, (2 * (f[0] + f[6]) - 27 * (f[1] + f[5]) + 270 * (f[2] + f[4]) - 490 * f[3]) / (180 * h * h)

    def equations(self, q):
        """A."""
        at, own = self.Q @ q + self.start, self.robot.model
        gears = [loop.terms for loop in own.loops if loop.terms]
        rows = np.zeros((len(gears), self.robot.n))
        for row, terms in zip(rows, gears, strict=True):
            for body, ratio in terms:
                row[own.offsets[body][1]] += ratio
        slopes = np.array([self.along(at, e)[0] for e in np.eye(self.model.nv)]).T
        return np.vstack([slopes @ self.G, rows])

    def motion(self, q, v, tau, A):
        """Accelerations: M qdd = tau - h + A^T f, A qdd = -b, with all equations."""
        at, u = self.Q @ q + self.start, self.G @ v
        M = self.pin.crba(self.model, self.data, at)
        M = self.G.T @ (np.triu(M) + np.triu(M, 1).T) @ self.G
        h = self.G.T @ self.pin.rnea(self.model, self.data, at, u, 0 * u)
        b = np.zeros(len(A))
        bent = self.along(at, u)[1]
        b[: len(bent)] = bent
        L = np.linalg.inv(np.linalg.cholesky(M))
        free = L.T @ (L @ (tau - h))
        return free - L.T @ (np.linalg.pinv(A @ L.T, rcond=1e-7) @ (A @ free + b))
