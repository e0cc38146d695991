"""Do quaternions keep their length? A UR5 that tumbles in space, over ten million steps of every integrator with fixed steps.

python examples/quaternion_norm.py                  # 1e7 steps each: some minutes
python examples/quaternion_norm.py --steps 100000   # a taste
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import ordern


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10_000_000)
    given = parser.parse_args(arguments)
    robot = ordern.load("ur5", base="floating", gravity=(0, 0, 0))
    rng = np.random.default_rng(0)
    q0, qd0 = robot.random(rng), 0.3 * rng.normal(size=robot.n)
    for method in ("euler", "rk4", "symplectic"):
        start = time.perf_counter()
        run = robot.simulate(
            q0, qd0, duration=given.steps * 1e-4, dt=1e-4, method=method, output_dt=given.steps * 1e-6, limits=False
        )
        off = np.abs(np.linalg.norm(run.q[:, 3:7], axis=1) - 1).max()
        print(
            f"{method:10} {run.stats['steps']} steps: length within {off:.1e} of 1; {time.perf_counter() - start:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
