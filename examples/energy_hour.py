"""Does energy stay? Conservative arms over an hour of simulated time, accurately (DOP853) and symplectically at 1 ms.

    python examples/energy_hour.py                  # the whole hour: some minutes
    python examples/energy_hour.py --seconds 10     # a taste

Prints, for each robot and method, the largest change of the total energy relative to its size; how far its level (the median of each sixtieth
of the time: where an arm whips round, the energy is off for a moment and comes back) went from the first to the last, relative to the largest
kinetic energy; and that as a multiple of what a random walk with steps as scattered as these would make. Within three sigma there is no
trend: what remains is the chance of rounding, whose size for one rounding a step, sqrt(steps) eps, stands beside it.
"""

from __future__ import annotations

import argparse
import sysconfig
import time
from pathlib import Path

import numpy as np

import ordern

METHODS = {"dop853": {"rtol": 1e-13, "atol": 1e-14}, "symplectic": {"dt": 1e-3}}


def robots():
    """Name, robot, start; Talos floats in space where example-robot-data is installed."""
    fingers = {"panda_finger_joint1": 0.02, "panda_finger_joint2": 0.02}
    yield "planar3", ordern.robots.planar3(), [0.3, -0.4, 0.5], None
    yield "puma560", ordern.robots.puma560(), np.zeros(6), None
    yield "panda", ordern.load("panda", locked=fingers), [0, 0.3, 0, -1.5, 0, 1.5, 0], None
    talos = (
        Path(sysconfig.get_paths()["purelib"])
        / "cmeel.prefix/share/example-robot-data/robots/talos_data/robots/talos_reduced.urdf"
    )
    if talos.exists():
        robot = ordern.load(talos, base="floating", gravity=(0, 0, 0), on_invalid="warn")
        yield "talos in space", robot, robot.neutral(), 0.2 * np.random.default_rng(0).normal(size=robot.n)


def drift(robot, q0, qd0, method, seconds):
    """Largest relative change of energy, how far it went, how far that is beyond chance, steps."""
    options = METHODS[method] if robot.n < 20 or method != "dop853" else {"rtol": 1e-12, "atol": 1e-13}
    run = robot.simulate(
        q0, qd0, duration=seconds, method=method, output_dt=seconds / 3600, limits=False, friction=False, **options
    )
    change, kinetic = run.energy - run.energy[0], robot.kinetic_energy(run.q, run.qd).max()
    level = np.array([np.median(part) for part in np.array_split(change, 60)]) / kinetic
    steps = np.diff(level)
    chance = steps.std(ddof=1) * np.sqrt(len(steps))  # how far a random walk of such steps gets
    return (
        np.abs(change).max() / np.abs(run.energy).max(),
        level[-1] - level[0],
        (level[-1] - level[0]) / chance,
        run.stats["steps"],
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--robots", type=int, default=4, help="only the first so many")
    given = parser.parse_args(arguments)
    for count, (name, robot, q0, qd0) in enumerate(robots()):
        if count >= given.robots:
            break
        for method in METHODS:
            start = time.perf_counter()
            worst, gone, sigmas, steps = drift(robot, q0, qd0, method, given.seconds)
            walk = np.sqrt(steps) * np.finfo(float).eps
            text = f"{name:15} {method:11} at most {worst:.1e} of the energy; went {gone:+.1e} ({sigmas:+.1f} sigma"
            print(
                f"{text}; one rounding a step makes {walk:.0e}); {steps} steps, {time.perf_counter() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
