"""Provenzano's straight line with the PUMA 560: inverse kinematics, torques, open-loop simulation."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ..robot import Robot
from ..robot.builtin_robots import puma560
from ..scalars.primitives import Array

__all__ = ["LineRun", "branches", "line_motion", "replay", "torques", "within"]

D1, A2, A3, D3, D4 = 0.67183, 0.4318, 0.0203, 0.15005, 0.4318
START, END, T = np.array([0.60, 0.175, 0.250]), np.array([0.244, 0.527, 0.250]), 5.0
SPEED = (END - START) / T


def _rz(a: float) -> Array:
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _ry(a: float) -> Array:
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, 0, s], [0, 1.0, 0], [-s, 0, c]])


TURN = _rz(np.radians(45)) @ _ry(np.radians(60)) @ _rz(np.radians(90))  # ZYZ (45, 60, 90) deg


def branches(p: Array, R: Array = TURN) -> Array:
    """All eight solutions (8, 6) for wrist centre p from the shoulder and orientation R; NaN out of reach."""
    made = []
    reach, bearing = np.hypot(p[0], p[1]), np.arctan2(p[1], p[0])
    psi, rho = np.arctan2(D4, A3), np.hypot(A3, D4)
    for arm, elbow, wrist in product((0, 1), (1, -1), (1, -1)):
        off = np.arcsin(D3 / reach)
        q1 = bearing + (np.pi - off if arm else off)
        X, Z = p[0] * np.cos(q1) + p[1] * np.sin(q1), p[2]
        with np.errstate(invalid="ignore"):
            q3 = elbow * np.arccos((X * X + Z * Z - A2**2 - A3**2 - D4**2) / (2 * A2 * rho)) - psi
        A, B = A2 + A3 * np.cos(q3) - D4 * np.sin(q3), A3 * np.sin(q3) + D4 * np.cos(q3)
        q2 = np.arctan2(Z, X) - np.arctan2(B, A)
        x = (
            _rz(q1)
            @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0.0]])
            @ _rz(q2 + q3)
            @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.0]])
        )
        W = x.T @ R  # Rz(q4) Ry(-q5) Rz(q6)
        q5 = wrist * np.arccos(np.clip(W[2, 2], -1, 1))
        s = np.sign(np.sin(q5))
        made.append([q1, q2, q3, np.arctan2(-W[1, 2] * s, -W[0, 2] * s), q5, np.arctan2(-W[2, 1] * s, W[2, 0] * s)])
    return (np.array(made) + np.pi) % (2 * np.pi) - np.pi


def within(robot: Robot, q: Array) -> Array | None:
    """The same position with whole turns added so that all joints are inside their limits; None if there is none."""
    turns = q + 2 * np.pi * np.array([[0], [1], [-1]])
    inside = (turns >= robot.limits.lower) & (turns <= robot.limits.upper)
    return turns[np.argmax(inside, axis=0), np.arange(6)] if inside.any(axis=0).all() else None


@cache
def _steady(number: int, count: int) -> tuple[Array, Array]:
    """Times and joint angles of one branch along the line, without jumps."""
    t = np.linspace(0.0, T, count)
    q = np.array([branches(START + SPEED * x)[number] for x in t])
    q = np.unwrap(q, axis=0)
    first = within(puma560(), (q[0] + np.pi) % (2 * np.pi) - np.pi)
    return t, q + ((first - q[0]) if first is not None else 0.0)


def line_motion(number: int, count: int = 501) -> tuple[Array, Array, Array, Array]:
    """t, q, qd, qdd along the line for one branch: J qd = (0, v), J qdd = -dJ/dt qd."""
    t, q = _steady(number, count)
    r = puma560()
    link = r.link_names[-1]
    twist = np.concatenate([np.zeros(3), SPEED])
    J = r.jacobian(q, link)
    qd = np.linalg.solve(J, np.broadcast_to(twist, (count, 6))[..., None])[..., 0]
    return t, q, qd, -np.linalg.solve(J, (_jacobian_rate(r, q, qd, link) @ qd[..., None]))[..., 0]


def _jacobian_rate(r: Robot, q: Array, qd: Array, link: str) -> Array:
    """dJ/dt by central differences of order eight; good to some 1e-12."""
    h = 0.02
    made: Array = np.zeros(())
    for k, c in enumerate((4 / 5, -1 / 5, 4 / 105, -1 / 280), 1):
        made = made + c * (r.jacobian(q + k * h * qd, link) - r.jacobian(q - k * h * qd, link))
    return made / h


def torques(robot: Robot, number: int, count: int = 501) -> tuple[Array, Array]:
    """T and tau (count, 6) that the motion needs."""
    t, q, qd, qdd = line_motion(number, count)
    return t, robot.inverse_dynamics(q, qd, qdd)


@dataclass(frozen=True)
class LineRun:
    """One replay of the torques: errors of the tool's position, velocity and acceleration against the line, (samples,)
    each.

    position, velocity and acceleration are norms of differences; ``moduli`` has the differences of the norms, the other
    reading of the paper.
    """

    method: str
    t: Array
    position: Array
    velocity: Array
    acceleration: Array
    moduli: tuple[Array, Array, Array]
    seconds: float
    q: Array


def replay(
    robot: Robot, number: int, method: str, tolerance: float = 1e-6, every: float = 0.1, duration: float = T
) -> LineRun:
    """Feed the torques back through forward dynamics by one method: simulate with Cash and Karp's pair, orders 5 and 4.

    The paper's "Runge-Kutta's five order technique", tolerance 1e-6 and "time interval of 0.1 s" are read as just that
    call; friction and end stops are left out, since the torques come from rigid bodies alone. They are a function:
    steps would end at every sample of a series, and none would be left to the tolerance.
    """
    from scipy.interpolate import make_interp_spline

    t, q, qd, _ = line_motion(number)
    tau = make_interp_spline(t, torques(robot, number)[1], k=5)
    options: dict[str, Any] = {
        "method": "cash-karp",
        "rtol": tolerance,
        "atol": tolerance,
        "output_dt": every,
        "dynamics": method,
        "friction": False,
        "limits": False,
    }
    robot.simulate(q[0], qd[0], duration=0.1, torque=lambda t, q, qd: tau(t), **options)  # compiles
    begin = time.perf_counter()
    run = robot.simulate(q[0], qd[0], duration=duration, torque=lambda t, q, qd: tau(t), **options)
    seconds = time.perf_counter() - begin
    return LineRun(method, run.t, *_errors(robot, run, tau, method), seconds, run.q)


def _errors(robot: Robot, run: Any, tau: Any, method: str) -> tuple[Array, Array, Array, tuple[Array, Array, Array]]:
    link, t, q, qd = robot.link_names[-1], run.t, run.q, run.qd
    J = robot.jacobian(q, link)
    at = robot.forward_kinematics(q, link)[:, :3, 3] - np.array([0, 0, D1])
    v = (J @ qd[..., None])[:, 3:, 0]
    qdd = robot.forward_dynamics(q, qd, tau(t), method=method)
    a = (J @ qdd[..., None] + _jacobian_rate(robot, q, qd, link) @ qd[..., None])[:, 3:, 0]
    pairs = ((at, START + SPEED * t[:, None]), (v, np.broadcast_to(SPEED, v.shape)), (a, np.zeros_like(a)))
    position, velocity, acceleration = (np.linalg.norm(x - y, axis=1) for x, y in pairs)
    p, w, z = (np.abs(np.linalg.norm(x, axis=1) - np.linalg.norm(y, axis=1)) for x, y in pairs)
    return position, velocity, acceleration, (p, w, z)
