"""The PUMA 560 moves its wrist along a straight line, as in Provenzano et al.: inverse kinematics, torques, and a controlled simulation.

python examples/puma_straight_line.py [--duration 5] [--plot torques.svg] [--page line.html]
"""

from __future__ import annotations

import argparse

import numpy as np

import ordern

SHOULDER = 0.67183  # height of the shoulder above the base, m; the paper's points are seen from there
START, END = (0.600, 0.175, 0.250), (0.244, 0.527, 0.250)


def about(axis: int, degrees: float) -> np.ndarray:
    """A rotation about a coordinate axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[[j, k], [j, k]], R[k, j], R[j, k] = c, s, -s
    return R


def pose(position: tuple[float, float, float]) -> np.ndarray:
    """The wrist at a point, with the task's constant attitude: ZYZ angles 45, 60, 90 degrees."""
    T = np.eye(4)
    T[:3, :3] = about(2, 45) @ about(1, 60) @ about(2, 90)
    T[:3, 3] = np.add(position, (0, 0, SHOULDER))
    return T


def main(arguments: list[str] | None = None) -> None:
    """Print the motion, its torques and how well a controller follows it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--duration", type=float, default=5.0, help="s")
    options.add_argument("--plot", metavar="FILE", help="draw the torques (.svg, .png)")
    options.add_argument("--page", metavar="FILE", help="write the motion as a 3-D page (.html)")
    given = options.parse_args(arguments)

    arm = ordern.robots.puma560(motors=True)
    seed = np.radians([30.0, -18.0, -6.0, 22.0, -37.0, 80.0])  # one of the two branches within the joint limits
    path = ordern.trajectory.line(arm, "link6", pose(START), pose(END), given.duration, profile="cycloid", q0=seed)

    t = np.linspace(0.0, given.duration, 101)
    q, qd, qdd = path(t)
    wrist = arm.forward_kinematics(q, "link6")[:, :3, 3]
    way = np.subtract(END, START)
    along = (wrist - wrist[0]) @ way / np.linalg.norm(way)
    off = np.linalg.norm(wrist - wrist[0] - np.outer(along, way / np.linalg.norm(way)), axis=1)
    inside = np.all((q >= arm.limits.lower) & (q <= arm.limits.upper))
    print(
        f"line of {np.linalg.norm(way):.6f} m in {given.duration:g} s; off the line by {off.max():.1e} m at most; within the limits: {inside}"
    )
    print("joints at the start (deg)", np.degrees(q[0]).round(2).tolist())
    print("joints at the end   (deg)", np.degrees(q[-1]).round(2).tolist())

    tau = arm.inverse_dynamics(q, qd, qdd)
    print("largest torques (N m)    ", abs(tau).max(axis=0).round(3).tolist())

    follow = ordern.control.ComputedTorque(path, kp=100.0, kd=20.0)
    run = arm.simulate(q[0], qd[0], duration=given.duration, torque=follow, friction=False)
    reached = arm.forward_kinematics(run.q, "link6")[:, :3, 3]
    wanted = arm.forward_kinematics(path(run.t).q, "link6")[:, :3, 3]
    print(f"controlled simulation stays within {np.linalg.norm(reached - wanted, axis=1).max():.1e} m of the line")

    if given.plot:
        run.plot("torques", given.plot)
        print("wrote", given.plot)
    if given.page:
        run.animate(given.page)
        print("wrote", given.page)


if __name__ == "__main__":
    main()
