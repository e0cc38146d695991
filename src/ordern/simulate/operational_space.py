"""Operational-space control [K87, Khatib, A unified approach for motion and force control of robot manipulators,
1987].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.elastic import held
from ..algorithms.kinematics import jacobian, link_pose
from ..algorithms.motion import weightless
from ..algorithms.newton_euler import newton_euler
from ..errors import InputError, MethodError, ShapeError, near, shown
from ..evaluate.manifold import named, unit_quaternions
from ..model import Model
from ..program.rolled import RolledTree
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Scalar
from ..spatial import Mat3, Twist, Vec3
from ..spatial.joint_space import Gram, JointVector
from ..tree import JointVectors, Tree
from .arguments import number
from .channels import Channel
from .inverse_kinematics import flat_pose, proper
from .law_base import Law, per_joint, vector_of, warn_of_sign
from .writing import Writing

__all__ = ["OperationalSpace"]


@dataclass(frozen=True, eq=False)
class OperationalSpace(Law):
    """A link moves towards a position or pose, or along a path of them, as if it were a mass on springs; the rest of
    the joints' motion is free.

        tau = J^T Lambda (a + kp error + kd (v - J qd) - Jdot qd - J M^-1 tau0) + bias + tau0,    Lambda = (J M^-1 J^T +
        s 1)^-1

    v and a are the target's velocity and acceleration. tau0 = stiffness (posture - q) - damping qd acts only where it
    does not move the link: a
    redundant arm takes the posture as far as the task leaves it free (the null space of J, weighted by M).

    Args:
        link: the link's name.
        target: (3,) or (runs, 3) in the world, a pose (4, 4) or (runs, 4, 4), or a trajectory of three numbers (of the
            link's origin: cycloid, quintic, via, ... between positions) or of poses (ordern.trajectory.straight).
        kp: 1/s^2, one number or one a run.
        kd: 1/s, one number or one a run.
        damping: of the motion that does not move the link, N m s/rad or N s/m: one number, one a joint, or one row a
            run.
        softness: s, added to the mobility so that singular configurations stay tame, 1/kg.
        posture: coordinates (nq,) that the spare motion goes to; None for none.
        stiffness: with which it goes there, N m/rad or N/m: one number, one a joint, or one row a run; only with a
            posture.
    """

    arrays = ("target", "kp", "kd", "damping", "posture", "stiffness")
    link: str
    target: Any
    kp: Any
    kd: Any
    damping: Any = 0.0
    softness: float = 1e-6
    posture: Any = None
    stiffness: Any = None

    world = True
    written_out = True

    @property
    def moving(self) -> bool:
        """Whether the target is a trajectory."""
        return hasattr(self.target, "signals")

    @property
    def pose(self) -> bool:
        """Whether the attitude counts too."""
        return bool(self.target.signal.channels == 12 if self.moving else np.shape(self.target)[-2:] == (4, 4))

    @property
    def key(self) -> str:
        """With the link."""
        return f"OperationalSpace {self.link!r} {self.pose} {self.moving} {self.softness} {self.posture is not None}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and target."""
        if not isinstance(self.link, str) or self.link not in model.link_index:
            raise InputError(
                f"OperationalSpace: robot {model.name!r} has no link "
                f"{shown(self.link)}{near(shown(self.link), model.link_index, listed=True)}"
            )
        number("softness", self.softness, 0.0, zero=True)
        if (self.posture is None) != (self.stiffness is None):
            raise InputError("posture and stiffness go together: where the spare motion goes, and with which stiffness")
        made = self._goal() | {
            name: Channel("n", _gain(name, value)) for name, value in (("kp", self.kp), ("kd", self.kd))
        }
        made["damping"] = per_joint("damping", self.damping, model)
        if self.posture is not None:
            made["stiffness"] = per_joint("stiffness", self.stiffness, model)
            posture = named(model, "q", self.posture)
            made["posture"] = Channel(
                "q",
                unit_quaternions(model, "posture", vector_of("posture", posture, model.nq, "- one a coordinate")),
            )
        return made

    def _goal(self) -> dict[str, Channel]:
        if self.moving:
            signals = self.target.signals()
            if signals[0].channels not in (3, 12):
                raise ShapeError(
                    f"target is a trajectory of {signals[0].channels} numbers; OperationalSpace follows positions (3 "
                    "numbers) or poses (ordern.trajectory.straight); for one of joint coordinates use ComputedTorque"
                )
            return {
                name: Channel("n", signal=x)
                for name, x in zip(("goal", "goal_rate", "goal_acceleration"), signals, strict=True)
            }
        target = as_array("target", self.target).astype(float)
        if not np.isfinite(target).all():
            raise InputError("target holds NaN or infinity")
        if self.pose and target.ndim <= 3:
            target = flat_pose(proper("target", target))
        elif target.shape[-1:] != (3,) or target.ndim > 2:
            raise ShapeError(
                "target must be a position (3,), (runs, 3), a pose (4, 4), (runs, 4, 4) or a trajectory, got shape "
                f"{target.shape}"
            )
        return {"goal": Channel("n", target)}

    def write(self, w: Writing) -> Any:
        """The law."""
        tree, q, qd = w.nominal(), w.q, w.qd
        if isinstance(tree, RolledTree):
            raise MethodError("operational-space control serves robots of up to 160 bodies")
        link = tree.model.link_index[self.link]
        goal, (kp,), (kd,) = w.channel("goal"), w.channel("kp"), w.channel("kd")
        spare = w.channel("damping")
        pose, J = link_pose(tree, q, link), jacobian(tree, q, link, True)
        path = [j for j, _ in tree.path(tree.body_of(link))]
        first, size = (0, 6) if self.pose else (3, 3)

        def moved(rates: JointVectors) -> list[Any]:
            """J times joint rates: the components that count."""
            total = Twist.zero()
            for j in path:
                total = total + J[j] @ rates[j]
            return list(total.dense()[first:])

        def forces(column: int) -> Any:
            """One row of J as joint forces."""
            return lifted(lambda c: c[first + column], f"row{column}")

        def lifted(of: Callable[[list[Scalar]], Scalar], name: str) -> Any:
            """A number for each column of J, as joint forces: joints that mimic others add to these."""
            rows = tree.table(name)
            for j in path:
                rows[j] = JointVector(*(of(c.dense()) for c in J[j].columns))
            return w.joint_forces(rows, tree)

        def answer(rates: Any, tau: object) -> Any:
            """J times the joint accelerations for these rates and joint forces."""
            return moved(w.joint_forces(w.solve(tree, q, rates, tau), tree))

        tau0 = w.each("spare", lambda i: -(spare[i] * qd[i]))
        if self.posture is not None:
            stiff, rest = w.channel("stiffness"), w.channel("posture")
            tau0 = w.each("spare", lambda i: stiff[i] * tree.joint[i].joint.error(q[i], rest[i]) - spare[i] * qd[i])
        with weightless(tree):
            answers = [answer(tree.zero, forces(c)) for c in range(size)]
            drift = [] if tree.model.loops else answer(tree.zero, tau0)
        bias = w.joint_forces(held(tree, q, newton_euler(tree, q, qd, tree.zero)), tree)
        if tree.model.loops:  # what keeps them closed accelerates the joints too, at speed and against the bias
            drift = answer(qd, w.each("unmoved", lambda i: bias[i] + tau0[i]))
        mobility = Gram(
            size, [answers[i][j] + (self.softness if i == j else 0) for i in range(size) for j in range(i, size)]
        )
        error = list((Vec3(*goal[:3]) - pose.origin).dense())
        if self.pose:
            error = [*_attitude_error(pose.rotation.full().T, goal[3:]), *error]
        turning = self._turning(tree, q, qd, link, first)
        along, change = self._along(w, goal)
        wanted = [
            c + kp * e + kd * (g - v) - a - b
            for c, e, g, v, a, b in zip(change, error, along, moved(qd), turning, drift, strict=True)
        ]
        F = mobility.solve(JointVector(*wanted))
        pull = lifted(lambda c: JointVector(*c[first:]).dot(F), "pull")
        return w.by_drives(w.each("operational", lambda i: bias[i] + tau0[i] + pull[i]))

    def _along(self, w: Writing, goal: list[Any]) -> tuple[list[Any], list[Any]]:
        """The target's velocity and acceleration: [angular;] linear, in world axes."""
        if not self.moving:
            return ([0] * 6, [0] * 6) if self.pose else ([0] * 3, [0] * 3)
        rate, bend = w.channel("goal_rate"), w.channel("goal_acceleration")
        if not self.pose:
            return list(rate), list(bend)
        return [*_attitude_error(goal[3:], rate[3:]), *rate[:3]], [*_attitude_error(goal[3:], bend[3:]), *bend[:3]]

    def _turning(self, tree: Tree, q: JointVectors, qd: JointVectors, link: int, first: int) -> list[Any]:
        """Jdot qd: the link's acceleration for no joint accelerations, in world axes."""
        v, a = tree.table("v_path", base=Twist.zero()), tree.table("a_path", base=Twist.zero())
        for i, p in reversed(list(tree.path(tree.body_of(link)))):
            X, S = tree.joint[i].motion(q[i])
            vJ = S @ qd[i]
            v[i] = X @ v[p] + vJ
            a[i] = X @ a[p] + v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
        body, frame = tree.body_of(link), tree.frame[link]
        vl, al = frame @ v[body], frame @ a[body]
        back = link_pose(tree, q, link).rotation.T
        return list(((back @ al.angular).dense() + (back @ (al.linear + vl.angular.cross(vl.linear))).dense())[first:])


def _attitude_error(R: Mat3 | Sequence[Scalar], goal: list[Any]) -> list[Any]:
    """Half the sum of (axis x wanted axis): the sine of the angle about its axis, world components.

    Of R and its rate or acceleration it makes the angular velocity or acceleration: the skew part of dR/dt R^T.
    """
    rows = R.dense() if hasattr(R, "dense") else [R[0:3], R[3:6], R[6:9]]
    total = Vec3.zero()
    for c in range(3):
        total = total + Vec3(*(rows[r][c] for r in range(3))).cross(Vec3(*(goal[3 * r + c] for r in range(3))))
    return list((total * 0.5).dense())


def _gain(name: str, value: object) -> Any:
    """One number, or one a run."""
    a = as_array(name, value)
    made = vector_of(name, a[:, None] if a.ndim == 1 and len(a) > 1 else a, 1, "- one a run")
    warn_of_sign(name, made)
    return made
