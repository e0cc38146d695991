"""How much does an unknown payload disturb a controlled arm? One simulation of 10,000 arms, each with its own payload and its own masses.

python examples/payload_study.py [--arms 10000] [--plot study.svg]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import ordern


def main(arguments: list[str] | None = None) -> None:
    """Print how far arms stay from their target, by payload."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--arms", type=int, default=10_000)
    options.add_argument("--duration", type=float, default=1.0, help="s")
    options.add_argument("--plot", metavar="FILE", help="draw deviation against payload (.svg, .png)")
    given = options.parse_args(arguments)

    arm = ordern.load("ur5")
    start = np.array([0.0, -1.2, 1.4, -0.6, 1.0, 0.0])
    target = np.array([0.8, -0.9, 1.0, -0.3, 1.2, 0.5])
    path = ordern.trajectory.cycloid(start, target, duration=given.duration)
    law = ordern.control.ComputedTorque(
        path, kp=100.0, kd=20.0
    )  # computes with the arm as described: no payload, nominal masses

    rng = np.random.default_rng(0)
    payload = rng.uniform(0.0, 5.0, given.arms)
    masses = rng.normal(1.0, 0.02, (given.arms, 6))
    begin = time.perf_counter()
    run = arm.simulate(
        np.tile(start, (given.arms, 1)),
        duration=given.duration,
        torque=law,
        parameters={"payload": {"link": "tool0", "mass": payload, "com": (0.0, 0.0, 0.05)}, "masses": masses},
        rtol=1e-6,
        output_dt=None,
        progress=False,
    )
    seconds = time.perf_counter() - begin
    print(f"{given.arms} arms, {given.duration:g} s each: {run.message}, in {seconds:.1f} s")

    goal = arm.forward_kinematics(target, "tool0")[:3, 3]
    away = np.linalg.norm(arm.forward_kinematics(run.q[:, -1], "tool0")[..., :3, 3] - goal, axis=-1)
    print("payload (kg)    arms   tool off by (mm): median   95 %")
    for low in range(5):
        some = away[(payload >= low) & (payload < low + 1)] * 1e3
        if len(some):
            print(f"{low} to {low + 1}       {len(some):7d}   {np.median(some):24.1f} {np.percentile(some, 95):6.1f}")

    if given.plot:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot(xlabel="payload (kg)", ylabel="tool off by (mm)")
        axes.plot(payload, away * 1e3, ".", markersize=2, alpha=0.4)
        figure.savefig(given.plot)
        print("wrote", given.plot)


if __name__ == "__main__":
    main()
