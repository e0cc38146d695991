"""Inverse kinematics by batched damped least squares with limits and restarts [L44, Levenberg; M63, Marquardt]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.loop_closing import gaps, turned_over
from ..errors import InputError, ShapeError, shown, yes
from ..errors import whole as whole_number
from ..evaluate.manifold import bounds, named, unit_quaternions
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array
from .arguments import number

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike
    from ..model import Model

__all__ = ["KinematicsResult", "flat_pose", "inverse_kinematics", "proper", "rotation_vector"]


@dataclass(frozen=True)
class KinematicsResult:
    """What was found.

    Attributes:
        q: coordinates (..., nq), within the limits.
        success: whether the pose is reached, (...).
        residual: how far off: the larger of the angle (rad) and the distance (m), (...).
        iterations: rounds that were needed, (...).
        message: in words.
    """

    q: Array
    success: Any
    residual: Any
    iterations: Any
    message: str

    def __repr__(self) -> str:
        return f"<KinematicsResult: {self.message}>"


def _told(link: str, batch: bool, success: Array, worst: float) -> str:
    bad = int(np.sum(~success))
    message = f"{len(success) - bad} of {len(success)} poses reached" if batch else f"link {link!r} reaches the pose"
    if bad:
        how = f"{message}; the worst stays {worst:.2e}" if batch else f"link {link!r} stays {worst:.2e} (rad, m)"
        message = f"{how} away: it may lie out of reach or beyond the joint limits"
    elif not batch:
        message += f" to {worst:.1e}"
    return message


def inverse_kinematics(
    robot: RobotLike,
    pose: object,
    link: str,
    q0: object = None,
    *,
    tolerance: float = 1e-10,
    iterations: int = 100,
    restarts: int = 40,
    seed: int = 0,
    limits: bool = True,
) -> KinematicsResult:
    """Joint coordinates that bring a link to a pose.

    Args:
        robot: the robot.
        pose: (..., 4, 4) in the world, or (..., 3) for a position with any attitude. A pose must be a rigid motion:
            mirrored, scaled and sheared ones are refused, rotations that are off by rounding (up to 1e-6) are taken as
            the nearest rotation.
        link: the link's name.
        q0: where to begin, (nq,) or (..., nq); neutral, within the limits, by default. Quaternions are brought to unit
            length.
        tolerance: rad and m.
        iterations: rounds for each beginning.
        restarts: how many random beginnings are tried where the first fails.
        seed: of these. The beginnings are the same for every pose of a batch, so a pose has the same solution alone and
            in company.
        limits: whether joint limits hold.
    """
    number("tolerance", tolerance, 0.0)
    if isinstance(pose, str):
        raise InputError(f"pose is {shown(pose)}; the pose comes first, then the link: inverse_kinematics(pose, link)")
    whole_number("iterations", iterations), whole_number("restarts", restarts), robot._link(link)
    if whole_number("seed", seed) and not restarts:
        raise InputError(f"seed={seed} has no effect: restarts=0 leaves no random beginnings")
    if not robot.n:
        raise InputError(f"robot {robot.name!r} has no joints; its links stay where they are")
    flat, batch, whole = _targets(pose)
    solver = _Solver(robot, link, flat, whole, tolerance, limits)
    start = _beginnings(solver.middle() if q0 is None else q0, batch, robot)
    q, residual, used = solver.solve(solver.clipped(start), np.arange(len(flat)), iterations)
    rng = np.random.default_rng(seed)
    for _ in range(restarts):
        rows = np.flatnonzero(residual > tolerance)
        if not len(rows):
            break
        begin = np.repeat(robot.random(rng, 1), len(rows), axis=0)
        again, r, n = solver.solve(solver.clipped(begin), rows, iterations)
        better = r < residual[rows]
        q[rows[better]], residual[rows[better]] = again[better], r[better]
        used[rows] += n
    success = residual <= tolerance
    message = _told(link, bool(batch), success, float(residual.max(initial=0.0)))
    if not batch:
        return KinematicsResult(q[0], bool(success[0]), float(residual[0]), int(used[0]), message)
    return KinematicsResult(
        q.reshape(*batch, robot.nq), success.reshape(batch), residual.reshape(batch), used.reshape(batch), message
    )


def _targets(pose: object) -> tuple[Array, tuple[int, ...], bool]:
    """Poses (count, 4, 4) or positions (count, 3), the batch's shape, and whether they are poses."""
    target = as_array("pose", pose).astype(float)
    whole = target.ndim >= 2 and target.shape[-2:] == (4, 4)
    if not whole and target.shape[-1:] != (3,):
        raise ShapeError(
            f"pose must be (..., 4, 4), or (..., 3) for positions, got shape {target.shape}; "
            "ordern.Placement.from_rpy(xyz, rpy).matrix() makes a pose of six numbers"
        )
    if not np.isfinite(target).all():
        raise InputError("pose holds NaN or infinity")
    target = proper("pose", target) if whole else target
    batch = target.shape[:-2] if whole else target.shape[:-1]
    return target.reshape(-1, 4, 4) if whole else target.reshape(-1, 3), batch, whole


def proper(name: str, pose: Array) -> Array:
    """Poses (..., 4, 4) with rotations orthonormal to the last digit; refused beyond 1e-6."""
    R = pose[..., :3, :3]
    if np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0) > 1e-6:
        raise InputError(f"{name} has a rotation that is none: its columns must be orthogonal and of unit length")
    if np.any(np.linalg.det(R) < 0):
        raise InputError(
            f"{name} is mirrored (its determinant is -1), which no link can be; reverse one axis of its rotation"
        )
    if np.any(np.abs(pose[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) > 1e-6):
        raise InputError(f"{name} must have 0 0 0 1 as its last row")
    made = pose.copy()
    # Newton's step to the nearest rotation: what was 1e-6 off is 1e-12
    made[..., :3, :3] = 1.5 * R - 0.5 * R @ np.swapaxes(R, -1, -2) @ R
    return made


def flat_pose(pose: Array) -> Array:
    """Poses (..., 4, 4) as twelve numbers: the origin, then the rotation row by row."""
    return np.concatenate([pose[..., :3, 3], pose[..., :3, :3].reshape(*pose.shape[:-2], 9)], axis=-1)


def _beginnings(q0: object, batch: tuple[int, ...], robot: RobotLike) -> Array:
    """One row a pose."""
    count = robot.nq
    start = as_array("q0", named(robot.model, "q0", q0)).astype(float)
    try:
        rows = np.broadcast_to(start, (*batch, count)).reshape(math.prod(batch), count).copy()
    except ValueError:
        raise ShapeError(
            f"q0 must be ({count},) or {(*batch, count)}, one for each pose, got shape {start.shape}"
        ) from None
    if not np.isfinite(rows).all():
        raise InputError("q0 holds NaN or infinity")
    return unit_quaternions(robot.model, "q0", rows)


class _Solver:
    def __init__(self, robot: RobotLike, link: str, target: Array, whole: bool, tolerance: float, limits: bool) -> None:
        self.robot, self.link, self.target, self.whole, self.tolerance = robot, link, target, whole, tolerance
        model = robot.model
        places = [
            (model.offsets[i][0] + c, model.offsets[i][1] + c)
            for i in model.free
            for c in range(model.bodies[i].joint.nv)
            if _plain(model, i)
        ]
        self.iq, self.iv = (np.array([p[k] for p in places], int) for k in (0, 1))
        lower, upper = (x[self.iv] for x in bounds(model))  # those of joints that follow too
        self.lower, self.upper = (
            (lower, upper) if yes("limits", limits) else (np.full_like(lower, -np.inf), np.full_like(upper, np.inf))
        )

    def clipped(self, q: Array) -> Array:
        """Within the limits."""
        q[:, self.iq] = np.clip(q[:, self.iq], self.lower, self.upper)
        return q

    def middle(self) -> Array:
        """Neutral, within the limits."""
        made: Array = self.clipped(self.robot.neutral()[None])[0]
        return made

    def error(self, q: Array, rows: Array) -> Array:
        """From the link to its target, in the link's axes: rotation vector and distance; and what loops are open by."""
        e = self._pose_error(q, rows)
        return np.concatenate([e, -self.robot.constraint_residual(q)], axis=1) if self.robot.model.loops else e

    def jacobian(self, q: Array) -> Array:
        """How these change with the joints."""
        J = self.robot.jacobian(q, self.link, reference="body")
        J = J if self.whole else J[:, 3:]
        return np.concatenate([J, self.robot.constraint_jacobian(q)], axis=1) if self.robot.model.loops else J

    def size(self, e: Array) -> Array:
        """The largest of angle, distance and what loops are open by."""
        k = 6 if self.whole else 3
        made: Array = np.maximum(
            _size(e[:, :k], self.whole), gaps(self.robot.model, -e[:, k:]).max(axis=1, initial=0.0)
        )
        return made

    def _pose_error(self, q: Array, rows: Array) -> Array:
        T = self.robot.forward_kinematics(q, self.link)
        R, p = T[:, :3, :3], T[:, :3, 3]
        goal = self.target[rows]
        if not self.whole:
            return _back(R, goal - p)
        between = np.swapaxes(R, 1, 2) @ goal[:, :3, :3]
        return np.concatenate([rotation_vector(between), _back(R, goal[:, :3, 3] - p)], axis=1)

    def solve(self, q: Array, rows: Array, iterations: int) -> tuple[Array, Array, Array]:
        """Levenberg and Marquardt, each row with its own damping."""
        count = len(rows)
        damping, used = np.full(count, 1e-3), np.zeros(count, int)
        e = self.error(q, rows)
        cost = np.sum(e * e, axis=1)
        before, stuck = cost.copy(), np.zeros(count, bool)
        for turn in range(iterations):
            if turn % 10 == 9:  # a row that gets nowhere sits in a local minimum
                stuck |= (cost > 0.5 * before) & (cost > 1e-8)
                before = cost.copy()
            todo = np.flatnonzero((self.size(e) > self.tolerance * 0.1) & (damping < 1e8) & ~stuck)
            if not len(todo):
                break
            step = self._step(self.jacobian(q[todo]), e[todo], q[todo], damping[todo])
            tried = self.clipped(self.robot.integrate(q[todo], step))
            et = self.error(tried, rows[todo])
            ct = np.sum(et * et, axis=1)
            better = ct < cost[todo]
            good = todo[better]
            q[good], e[good], cost[good] = tried[better], et[better], ct[better]
            damping[todo] = np.where(better, np.maximum(damping[todo] * 0.1, 1e-14), damping[todo] * 10)
            used[todo] += 1
        return q, np.maximum(self.size(e), turned_over(self.robot.model, q)), used

    def _step(self, J: Array, e: Array, q: Array, damping: Array) -> Array:
        """J^T (J J^T + damping 1)^-1 e; joints that stand at a limit and would go beyond it stay where they are."""
        J = J.copy()
        for _ in range(2):
            A = J @ np.swapaxes(J, 1, 2)
            scale = np.maximum(np.trace(A, axis1=1, axis2=2) / A.shape[1], 1e-12)
            A += (damping * scale)[:, None, None] * np.eye(A.shape[1])
            step = _back(J, np.linalg.solve(A, e[..., None])[..., 0])
            at, by = q[:, self.iq], step[:, self.iv]
            stuck = ((at <= self.lower) & (by < 0)) | ((at >= self.upper) & (by > 0))
            if not stuck.any():
                break
            keep = np.ones(step.shape)
            keep[:, self.iv] = ~stuck
            J = J * keep[:, None, :]
            step = step * keep
        size = np.max(np.abs(step), axis=1, initial=0.0, keepdims=True)
        made: Array = step * np.minimum(1.0, 1.0 / np.maximum(size, 1e-300))  # at most a radian or a metre at once
        return made


def _back(A: Array, x: Array) -> Array:
    """A^T x for each row, by matmul, whose sums do not depend on the number of rows."""
    made: Array = (np.swapaxes(A, 1, 2) @ x[..., None])[..., 0]
    return made


def _plain(model: Model, i: int) -> bool:
    joint = model.bodies[i].joint
    return bool(joint.plain)


def _size(e: Array, whole: bool) -> Array:
    parts = (e[:, :3], e[:, 3:]) if whole else (e,)
    made: Array = np.max([np.linalg.norm(part, axis=1) for part in parts], axis=0)
    return made


def rotation_vector(R: Array) -> Array:
    """Of rotation matrices (B, 3, 3), through quaternions so that small angles and half turns keep their digits."""
    trace = R[:, 0, 0] + R[:, 1, 1] + R[:, 2, 2]
    w = np.sqrt(np.maximum(0.0, 1.0 + trace)) / 2
    skew = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    near = w > 0.1
    v = np.where(near[:, None], skew / (4 * np.where(near, w, 1.0))[:, None], 0.0)
    length = np.linalg.norm(v, axis=1)
    made = v * np.where(length > 1e-150, 2 * np.arctan2(length, w) / np.maximum(length, 1e-150), 2.0)[:, None]
    for b in np.flatnonzero(
        ~near
    ):  # near half a turn: the axis from the largest column of R + R^T, the angle from its sine and cosine
        k = int(np.argmax(np.diagonal(R[b])))
        column = (R[b, :, k] + R[b, k, :]) / 2
        column[k] += (1 - trace[b]) / 2
        axis = column / np.linalg.norm(column)
        sine = skew[b] @ axis / 2
        made[b] = axis * np.copysign(np.arctan2(abs(sine), (trace[b] - 1) / 2), sine)
    return made
