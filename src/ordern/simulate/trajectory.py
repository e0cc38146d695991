"""Trajectories: joint profiles (the papers' cycloid, quintic, trapezoidal), splines, and straight lines in task space.

A trajectory gives ``q, qd, qdd`` at any time and holds its ends outside; control laws take it as their target and
compile it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, ShapeError, SimulationError, need, one_of, whole
from ..scalars.primitives import Array
from .arguments import number
from .inverse_kinematics import inverse_kinematics, proper, rotation_vector
from .signals import Signal
from .trajectory_base import Point, Trajectory, begin_of, ends_of, finite_values, hermite, product, rows_of, slopes

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["Point", "Trajectory", "cycloid", "line", "quintic", "spline", "straight", "trapezoidal", "via"]

PIECES = 256  # of a cycloid, as quintic pieces: they differ from it by less than 1e-15 of its way


def _profile_cycloid(s: Array) -> tuple[Array, Array, Array]:
    """From 0 to 1 in unit time: value, rate, acceleration."""
    w = 2 * np.pi
    return s - np.sin(w * s) / w, 1 - np.cos(w * s), w * np.sin(w * s)


def _profile_quintic(s: Array) -> tuple[Array, Array, Array]:
    return s**3 * (10 - 15 * s + 6 * s * s), 30 * s * s * (1 - s) ** 2, 60 * s * (1 - s) * (1 - 2 * s)


def _profile_constant(s: Array) -> tuple[Array, Array, Array]:
    return s, np.ones_like(s), np.zeros_like(s)


PROFILES = {"cycloid": _profile_cycloid, "quintic": _profile_quintic, "constant": _profile_constant}


def cycloid(q0: object, q1: object, duration: float = 10.0, start: float = 0.0) -> Trajectory:
    """The papers' cycloid: q0 + (q1 - q0)/T (t - T/(2 pi) sin(2 pi t/T)); starts and ends at rest."""
    a, b = ends_of(q0, q1)
    T = number("duration", duration, 0.0)
    s = np.linspace(0.0, 1.0, PIECES + 1)[:, None]
    x, v, c = _profile_cycloid(s)
    c[0], c[-1], v[0], v[-1] = 0.0, 0.0, 0.0, 0.0
    return Trajectory(
        hermite(begin_of(start) + T * s[:, 0], a + (b - a) * x, (b - a) * v / T, (b - a) * c / (T * T)), "cycloid"
    )


def quintic(
    q0: object,
    q1: object,
    duration: float = 10.0,
    start: float = 0.0,
    *,
    qd0: object = 0.0,
    qd1: object = 0.0,
    qdd0: object = 0.0,
    qdd1: object = 0.0,
) -> Trajectory:
    """A polynomial of fifth degree with given rates and accelerations at its ends."""
    a, b = ends_of(q0, q1)
    T = number("duration", duration, 0.0)
    rates = np.stack([rows_of("qd0", qd0, a.shape), rows_of("qd1", qd1, a.shape)])
    bends = np.stack([rows_of("qdd0", qdd0, a.shape), rows_of("qdd1", qdd1, a.shape)])
    return Trajectory(hermite(begin_of(start) + np.array([0.0, T]), np.stack([a, b]), rates, bends), "quintic")


def trapezoidal(
    q0: object,
    q1: object,
    duration: float | None = None,
    start: float = 0.0,
    *,
    velocity: object = None,
    acceleration: object = None,
    blend: float | None = None,
) -> Trajectory:
    """Constant acceleration, constant rate, constant deceleration; all joints start and arrive together.

    Args:
        q0: start (n,).
        q1: end (n,).
        duration: s; the accelerated share of it is ``blend`` at each end. None: as short as the limits allow.
        start: when it begins, s.
        velocity: largest rates (n,) or one for all; needed without a duration.
        acceleration: largest accelerations; needed without a duration.
        blend: share of the duration in which it accelerates, up to 0.5; 0.25 by default, only with a duration.
    """
    a, b = ends_of(q0, q1)
    way = np.abs(b - a)
    if duration is None:
        if velocity is None or acceleration is None:
            raise InputError("a trapezoidal motion needs a duration, or velocity and acceleration limits")
        if blend is not None:
            raise InputError(
                "blend is a share of the duration; limits of velocity and acceleration decide it themselves, so leave "
                "one of them out"
            )
        v, c = rows_of("velocity", velocity, a.shape), rows_of("acceleration", acceleration, a.shape)
        if np.any(v <= 0) or np.any(c <= 0):
            raise InputError("velocity and acceleration must be positive")
        T, ramp = _shortest(way, v, c)
    else:
        if velocity is not None or acceleration is not None:
            raise InputError("velocity and acceleration limits decide the duration; give either them or a duration")
        T = number("duration", duration, 0.0)
        ramp = number("blend", 0.25 if blend is None else blend, 0.0, 0.5) * T
    top = (b - a) / (T - ramp)
    rate = top / ramp
    breaks = [0.0, ramp, T - ramp, T] if T - 2 * ramp > 1e-12 * T else [0.0, 0.5 * T, T]
    rows = [
        (a, 0 * a, rate / 2),
        (a + rate * (ramp * ramp) / 2, top, 0 * a),
        (b - rate * (ramp * ramp) / 2, top, -rate / 2),
    ]
    if len(breaks) == 3:
        rows = [rows[0], rows[2]]
    return Trajectory(Signal(begin_of(start) + np.array(breaks), np.stack([np.stack(r) for r in rows])), "trapezoidal")


def _shortest(way: Array, v: Array, c: Array) -> tuple[float, float]:
    """Duration and ramp for all joints together: none may pass its rate or its acceleration."""
    with np.errstate(divide="ignore"):
        top = float(np.min(np.where(way > 0, v / np.maximum(way, 1e-300), np.inf)))  # of the share of the way, 1/s
        rise = float(np.min(np.where(way > 0, c / np.maximum(way, 1e-300), np.inf)))
    if not np.isfinite(top):
        return 1.0, 0.25
    if top * top / rise >= 1.0:  # the rate is never reached
        ramp = float(np.sqrt(1.0 / rise))
        return 2 * ramp, ramp
    return 1.0 / top + top / rise, top / rise


def via(points: object, times: object) -> Trajectory:
    """A cubic spline through joint coordinates (K, n) at times (K,), at rest at both ends."""
    q, t = finite_values("points", points), finite_values("times", times)
    if q.ndim != 2 or t.shape != (len(q),) or len(t) < 2:
        raise ShapeError(
            f"points must be (K, n) and times (K,) with K of at least 2, got shapes {q.shape} and {t.shape}"
        )
    if np.any(np.diff(t) <= 0):
        raise InputError("times must increase")
    interpolate: Any = need("scipy.interpolate", "simulate")
    c = interpolate.CubicSpline(t, q, axis=0, bc_type="clamped").c
    return Trajectory(Signal(t, np.ascontiguousarray(np.moveaxis(c[::-1], 0, 1))), "spline")


def straight(
    pose0: object, pose1: object, duration: float = 10.0, start: float = 0.0, *, profile: str = "cycloid"
) -> Trajectory:
    """A straight line in space as a target of OperationalSpace: of positions (3,), or of poses (4, 4) that turn evenly
    about one axis.

    Its twelve numbers for a pose are the origin, then the rotation row by row.

    Args:
        pose0: where it begins, in the world.
        pose1: where it ends; at most half a turn away.
        duration: s.
        start: when it begins, s.
        profile: "cycloid", "quintic" (at rest at both ends) or "constant" (velocity).
    """
    one_of("profile", profile, PROFILES)
    a, b = finite_values("pose0", pose0), finite_values("pose1", pose1)
    if a.shape != b.shape or a.shape not in ((4, 4), (3,)):
        raise ShapeError(
            f"pose0 and pose1 must both be poses (4, 4) or positions (3,), got shapes {a.shape} and {b.shape}"
        )
    T, t0 = number("duration", duration, 0.0), begin_of(start)
    s = np.linspace(0.0, 1.0, PIECES + 1)
    x, v, c = (e[:, None] for e in PROFILES[profile](s))
    if profile != "constant":
        for e in (v, c):
            e[0] = e[-1] = 0.0
    if a.shape == (3,):
        return Trajectory(hermite(t0 + T * s, a + (b - a) * x, (b - a) * v / T, (b - a) * c / (T * T)), "line")
    a, b = proper("pose0", a), proper("pose1", b)
    turn = rotation_vector((b[:3, :3] @ a[:3, :3].T)[None])[0]
    K, way = _cross(turn[None])[0], (b - a)[:3, 3]
    R = _turns(x * turn) @ a[:3, :3]  # dR/dt = rate K R, K being constant
    places = np.hstack([a[:3, 3] + x * way, R.reshape(-1, 9)])
    rates = np.hstack([v * way, (v[:, :, None] * (K @ R)).reshape(-1, 9)])
    bends = np.hstack([c * way, (c[:, :, None] * (K @ R) + (v * v)[:, :, None] * (K @ K @ R)).reshape(-1, 9)])
    return Trajectory(hermite(t0 + T * s, places, rates / T, bends / (T * T)), "line of poses")


# --- task space -------------------------------------------------------------------------------------------------------
def line(
    robot: RobotLike,
    link: str,
    start: object,
    end: object,
    duration: float,
    *,
    profile: str = "constant",
    q0: object = None,
    points: int = 101,
    **options: object,
) -> Trajectory:
    """A straight line of a link's origin, its orientation turning evenly about one axis.

    Args:
        robot: the robot.
        link: the link's name.
        start: pose (4, 4), or position (3,).
        end: pose or position.
        duration: s.
        profile: "constant" (velocity, the papers' task), "cycloid" or "quintic" (at rest at both ends).
        q0: where to look for the first configuration.
        points: at how many inverse kinematics is solved; between them the motion is quintic in the joints.
        options: of inverse_kinematics.
    """
    one_of("profile", profile, PROFILES)
    a, b = finite_values("start", start), finite_values("end", end)
    if a.shape != b.shape or a.shape not in ((4, 4), (3,)):
        raise ShapeError(
            f"start and end must both be poses (4, 4) or positions (3,), got shapes {a.shape} and {b.shape}"
        )
    T = number("duration", duration, 0.0)
    s = np.linspace(0.0, 1.0, whole("points", points, 2))
    x, v, c = PROFILES[profile](s)
    if a.shape == (3,):
        way = b - a
        twist = np.concatenate([np.zeros(3), way])
        return _follow(
            robot, link, a + x[:, None] * way, T * s, np.outer(v, twist) / T, np.outer(c, twist) / (T * T), q0, options
        )
    a, b = proper("start", a), proper("end", b)
    turn = rotation_vector((b[:3, :3] @ a[:3, :3].T)[None])[0]  # in world axes
    poses = np.tile(np.eye(4), (points, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = _turns(x[:, None] * turn) @ a[:3, :3], a[:3, 3] + x[:, None] * (b - a)[:3, 3]
    twist = np.concatenate([turn, (b - a)[:3, 3]])
    return _follow(robot, link, poses, T * s, np.outer(v, twist) / T, np.outer(c, twist) / (T * T), q0, options)


def spline(
    robot: RobotLike,
    link: str,
    places: object,
    times: object,
    *,
    q0: object = None,
    points: int = 101,
    **options: object,
) -> Trajectory:
    """A link along a cubic spline through places at times (K,), at rest at both ends.

    Args:
        robot: the robot.
        link: the link's name.
        places: positions (K, 3) of the link's origin, its orientation left to the robot; or poses (K, 4, 4).
            Orientations follow the spline of their rotation vectors from the first one, so each must be less than half
            a turn from the one before.
        times: s.
        q0: where to look for the first configuration.
        points: at how many inverse kinematics is solved; between them the motion is quintic in the joints.
        options: of inverse_kinematics.
    """
    given = finite_values("places", places)
    if given.ndim not in (2, 3) or given.shape[1:] not in ((3,), (4, 4)):
        raise ShapeError(f"places must be positions (K, 3) or poses (K, 4, 4), got shape {given.shape}")
    path = via(given[:, :3, 3] if given.ndim == 3 else given, times)
    t = np.linspace(path.start, path.end, whole("points", points, 2))
    p, zero = path(t), np.zeros((points, 3))
    if given.ndim == 2:
        return _follow(robot, link, p.q, t, np.hstack([zero, p.qd]), np.hstack([zero, p.qdd]), q0, options)
    given = proper("places", given)
    turn = via(_rotations(given[:, :3, :3]), times)(t)
    poses = np.tile(np.eye(4), (points, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = _turns(turn.q) @ given[0, :3, :3], p.q
    spin, e = product(_spin(turn.q), turn.qd), _little(turn.qd)
    bend = (_spin(turn.q + e * turn.qd) - _spin(turn.q - e * turn.qd)) / (2 * e[..., None])
    rate = product(_spin(turn.q), turn.qdd) + product(bend, turn.qd)
    return _follow(robot, link, poses, t, np.hstack([spin, p.qd]), np.hstack([rate, p.qdd]), q0, options)


def _rotations(R: Array) -> Array:
    """Rotation vectors (K, 3) from the first attitude to each, in world axes, going on where the one before ended."""
    made = rotation_vector(R @ R[0].T)
    steps = np.linalg.norm(rotation_vector(R[1:] @ np.swapaxes(R[:-1], 1, 2)), axis=1)
    if np.any(steps > np.pi - 1e-6):
        raise InputError(
            f"places {int(np.argmax(steps))} and the next differ by half a turn, so that it can go either way; give "
            "one in between"
        )
    for k in range(1, len(made)):
        before, angle = made[k - 1], np.linalg.norm(made[k])
        far = np.linalg.norm(before)
        # back at the first attitude any axis will do
        axis = made[k] / angle if angle > 1e-9 else before / far if far > 0 else np.zeros(3)
        made[k] = axis * (angle + 2 * np.pi * np.round((before @ axis - angle) / (2 * np.pi)))
        if np.linalg.norm(made[k] - before) > max(np.pi, 2 * steps[k - 1]):
            raise InputError(
                f"the attitudes turn more than once around, about changing axes, at place {k}; make the path of two "
                "splines"
            )
    return made


def _spin(v: Array) -> Array:
    """What makes the angular velocity, in world axes, from the rate of a rotation vector (K, 3): (K, 3, 3)."""
    angle = np.linalg.norm(v, axis=1)[:, None, None]
    K = _cross(v)
    small = angle < 1e-4  # a series, where the quotient loses its digits
    safe = np.where(small, 1.0, angle)
    first = 0.5 * np.sinc(angle / (2 * np.pi)) ** 2  # (1 - cos) / angle^2
    second = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    made: Array = np.eye(3) + first * K + second * (K @ K)
    return made


def _cross(v: Array) -> Array:
    """The matrices of cross products with vectors (K, 3)."""
    zero = np.zeros(len(v))
    return np.stack(
        [
            np.stack(r, axis=1)
            for r in ((zero, -v[:, 2], v[:, 1]), (v[:, 2], zero, -v[:, 0]), (-v[:, 1], v[:, 0], zero))
        ],
        axis=1,
    )


def _turns(v: Array) -> Array:
    """Rotation matrices of rotation vectors (K, 3)."""
    angle = np.linalg.norm(v, axis=1)[:, None, None]
    K = _cross(v / np.maximum(angle[:, :, 0], 1e-300))
    made: Array = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)
    return made


def _little(rates: Array) -> Array:
    """Times (K, 1) in which coordinates with these rates (K, n) go 1e-5 at most, however fast or slow they are."""
    made: Array = 1e-5 / np.maximum(np.abs(rates).max(axis=1, keepdims=True), 1e-200)
    return made


def _follow(
    robot: RobotLike,
    link: str,
    targets: Array,
    t: Array,
    twist: Array,
    rate: Array,
    q0: object,
    options: dict[str, Any],
) -> Trajectory:
    """Joint motion that follows targets with given twists and their rates: each configuration from the one before."""
    if not robot.model.plain:
        raise InputError("task-space trajectories serve robots without quaternion joints")
    rows = slice(0, 6) if targets.ndim == 3 else slice(3, 6)
    q = np.empty((len(t), robot.nq))
    # each begins where the last one ended
    last, later = q0, {"restarts": 0} | {name: value for name, value in options.items() if name != "seed"}
    for k, target in enumerate(targets):
        made = inverse_kinematics(robot, target, link, last, **(options if not k or "restarts" in options else later))
        if not made.success:
            raise SimulationError(f"the path leaves what the robot can reach at t = {t[k]:.6g} s: {made.message}")
        if k and np.max(np.abs(made.q - q[k - 1])) > 1.0:
            raise SimulationError(
                f"the joints jump at t = {t[k]:.6g} s: the path passes a singular configuration; give more points or "
                "another q0"
            )
        q[k] = last = made.q
    J, none = robot.jacobian(q, link)[:, rows], np.zeros((len(t), 0))
    if robot.model.loops:
        J, none = np.concatenate([J, robot.constraint_jacobian(q)], axis=1), np.zeros_like(robot.constraint_residual(q))
    inverse = np.linalg.pinv(J, rcond=1e-12)  # rounding leaves some 1e-16 of equations that others imply
    spare = np.eye(robot.nq) - inverse @ J  # motion that the link does not feel goes as the configurations went
    qd = product(inverse, np.hstack([twist[:, rows], none]))
    qd += product(spare, slopes(q, t) - qd)
    e = _little(qd)
    bend = (robot.jacobian(q + e * qd, link) - robot.jacobian(q - e * qd, link))[:, rows] / (2 * e[..., None])  # dJ/dt
    held = robot.constraint_bias(q, qd) if robot.model.loops else none
    qdd = product(inverse, np.hstack([rate[:, rows] - product(bend, qd), -held]))
    qdd += product(spare, slopes(qd, t) - qdd)
    return Trajectory(hermite(t, q, qd, qdd), "path")


def __dir__() -> list[str]:
    return sorted(__all__)
