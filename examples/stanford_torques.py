"""From a table to torques: the Stanford arm of Saha (1999), its motion, and the joint forces the motion needs.

python examples/stanford_torques.py [--points 11] [--plot stanford.svg]
"""

from __future__ import annotations

import argparse

import numpy as np

import ordern

RIGHT = np.pi / 2
# Frame i+1 is fixed to link i; b is the offset along the joint axis, r leads from the mass centre to the next joint (m, rad, kg, kg m^2)
TABLE = [
    {"b": 0.2, "alpha": -RIGHT, "mass": 9.0, "r": (0, -0.1, 0), "inertia": (0.01, 0.02, 0.01)},
    {"b": 0.1, "alpha": -RIGHT, "mass": 6.0, "inertia": (0.05, 0.06, 0.01)},
    {"joint": "prismatic", "mass": 4.0, "inertia": (0.4, 0.4, 0.01)},
    {"b": 0.6, "alpha": RIGHT, "mass": 1.0, "r": (0, -0.1, 0), "inertia": (0.001, 0.001, 0.0005)},
    {"alpha": -RIGHT, "mass": 0.6, "inertia": (0.0005, 0.0005, 0.0002)},
    {"mass": 0.5, "inertia": (0.003, 0.001, 0.002)},
]


def main(arguments: list[str] | None = None) -> None:
    """Print torques at some times; draw them if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--points", type=int, default=11, help="at how many times torques are printed")
    options.add_argument("--plot", metavar="FILE", help="draw all of them (.svg, .png)")
    given = options.parse_args(arguments)

    arm = ordern.Robot.from_dh(TABLE, convention="saha", name="stanford")
    start = np.array([0.0, RIGHT, 0.0, 0.0, 0.0, 0.0])
    end = np.radians([60.0, 60.0, 0.0, 60.0, 60.0, 60.0])
    end[2] = 0.1  # the slide, m
    motion = ordern.trajectory.cycloid(start, end, duration=10.0)

    t = np.linspace(0.0, 10.0, given.points)
    q, qd, qdd = motion(t)
    tau = arm.inverse_dynamics(q, qd, qdd, method="denoc")  # the paper's RIDIM, for all times in one call
    print(f"{arm}, {sum(row['mass'] for row in TABLE):g} kg; joint 3 slides, its force is in N, the torques are in N m")
    print("    t (s)" + "".join(f"{name:>12}" for name in arm.joint_names))
    for row, time in zip(tau, t, strict=True):
        print(f"{time:9.2f}" + "".join(f"{x + 0.0:12.6f}" for x in row))

    other = arm.inverse_dynamics(q, qd, qdd, method="newton-euler")
    back = arm.forward_dynamics(q, qd, tau)
    print(
        f"Newton and Euler differ by {abs(other - tau).max():.0e} at most; forward dynamics gives the motion back to {abs(back - qdd).max():.0e}"
    )

    if given.plot:
        from matplotlib.figure import Figure

        fine = np.linspace(0.0, 10.0, 401)
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot(xlabel="time (s)", ylabel="joint force (N m, N)")
        axes.plot(fine, arm.inverse_dynamics(*motion(fine)), label=arm.joint_names)
        axes.legend(frameon=False)
        figure.savefig(given.plot)
        print("wrote", given.plot)


if __name__ == "__main__":
    main()
