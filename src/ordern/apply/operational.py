"""Operational-space control [K87, Khatib, A unified approach for motion and force control of robot manipulators, 1987]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.kinematics import jacobian, link_pose
from ..algorithms.motion import weightless
from ..algorithms.newton_euler import newton_euler
from ..errors import InputError, MethodError, ShapeError
from ..evaluate.call import as_array
from ..model import Model
from ..program.rolled import RolledTree
from ..small import Gram, KVec
from ..spatial import Twist, Vec3
from .control import Law, _per_joint, _vector
from .rates import Channel, Writing

__all__ = ["OperationalSpace"]


@dataclass(frozen=True, eq=False)
class OperationalSpace(Law):
    """A link moves towards a position (3,) or pose (4, 4) as if it were a mass on springs; what the joints can do besides is damped.

        tau = J^T Lambda (kp error - kd velocity - Jdot qd - J M^-1 tau0) + bias + tau0,    Lambda = (J M^-1 J^T + s 1)^-1,  tau0 = -damping qd

    Args:
        link: the link's name.
        target: (3,) or (runs, 3) in the world, or a pose (4, 4).
        kp: 1/s^2, one number.
        kd: 1/s, one number.
        damping: of the motion that does not move the link, N m s/rad or N s/m.
        softness: s, added to the mobility so that singular configurations stay tame, 1/kg.
    """

    link: str
    target: Any
    kp: float
    kd: float
    damping: Any = 0.0
    softness: float = 1e-6

    world = True

    @property
    def pose(self) -> bool:
        """Whether the attitude counts too."""
        return bool(np.shape(self.target)[-2:] == (4, 4))

    @property
    def key(self) -> str:
        """With the link."""
        return f"OperationalSpace {self.link!r} {self.pose} {self.softness}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and target."""
        if self.link not in model.link_index:
            raise InputError(f"OperationalSpace: robot {model.name!r} has no link {self.link!r}")
        target = as_array("target", self.target).astype(float)
        if self.pose:
            target = np.concatenate([target[..., :3, 3], target[..., :3, :3].reshape(*target.shape[:-2], 9)], axis=-1)
        elif target.shape[-1:] != (3,) or target.ndim > 2:
            raise ShapeError(f"target must be a position (3,), (runs, 3) or a pose (4, 4), got shape {target.shape}")
        gains = {name: Channel("n", _vector(name, value, 1, "")) for name, value in (("kp", self.kp), ("kd", self.kd))}
        return {"goal": Channel("n", target), **gains, "damping": _per_joint("damping", self.damping, model)}

    def write(self, w: Writing) -> Any:
        """The law."""
        tree, q, qd = w.tree, w.q, w.qd
        if isinstance(tree, RolledTree) or tree.model.coupled:
            raise MethodError("operational-space control serves robots of up to 40 bodies without mimic joints")
        link = tree.model.link_index[self.link]
        goal, (kp,), (kd,) = w.channel("goal"), w.channel("kp"), w.channel("kd")
        spare = w.channel("damping")
        pose, J = link_pose(tree, q, link), jacobian(tree, q, link, True)
        path = [j for j, _ in tree.path(tree.body_of(link))]
        first, size = (0, 6) if self.pose else (3, 3)

        def moved(rates: Any) -> list[Any]:
            """J times joint rates: the components that count."""
            total = Twist.zero()
            for j in path:
                total = total + J[j] @ rates[j]
            return list(total.dense()[first:])

        def forces(column: int) -> Any:
            """One row of J as joint forces."""
            rows = {j: KVec(*(c.dense()[first + column] for c in J[j].columns)) for j in path}
            return w.each("row", lambda i: rows.get(i, KVec.zero(tree.degrees(i))))

        tau0 = w.each("spare", lambda i: -(spare[i] * qd[i]))
        with weightless(tree):
            answers = [moved(w.solve(tree, q, tree.zero, forces(c))) for c in range(size)]
            drift = moved(w.solve(tree, q, tree.zero, tau0))
        mobility = Gram(size, [answers[i][j] + (self.softness if i == j else 0) for i in range(size) for j in range(i, size)])
        error = list((Vec3(*goal[:3]) - pose.origin).dense())
        if self.pose:
            error = [*_attitude_error(pose.rotation.full().T, goal[3:]), *error]
        turning = self._turning(tree, q, qd, link, first)
        wanted = [kp * e - kd * v - a - b for e, v, a, b in zip(error, moved(qd), turning, drift, strict=True)]
        F = mobility.solve(KVec(*wanted))
        bias = newton_euler(tree, q, qd, tree.zero)
        lifted = {j: KVec(*(KVec(*c.dense()[first:]).dot(F) for c in J[j].columns)) for j in path}
        return w.each("operational", lambda i: bias[i] + tau0[i] + lifted.get(i, KVec.zero(tree.degrees(i))))

    def _turning(self, tree: Any, q: Any, qd: Any, link: int, first: int) -> list[Any]:
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


def _attitude_error(R: Any, goal: list[Any]) -> list[Any]:
    """Half the sum of (axis x wanted axis): the sine of the angle about its axis, world components."""
    rows = R.dense()
    total = Vec3.zero()
    for c in range(3):
        total = total + Vec3(*(rows[r][c] for r in range(3))).cross(Vec3(*(goal[3 * r + c] for r in range(3))))
    return list((total * 0.5).dense())
