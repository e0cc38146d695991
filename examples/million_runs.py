"""How much memory does a large ensemble need? A million short runs of the UR5 stream to disk, and the largest memory used is printed.

    python examples/million_runs.py                     # a million runs of 20 ms: about a minute, 1 GB of disk (removed at the end)
    python examples/million_runs.py --runs 20000        # a taste

The runs are made by a process of its own, whose peak is what the operating system counted for it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import ordern


def stream(folder, runs, keep):
    """Make the runs and say what they took."""
    import resource

    robot, rng = ordern.load("ur5"), np.random.default_rng(0)
    start = time.perf_counter()
    q0, qd0 = robot.random(rng, runs), rng.normal(size=(runs, robot.n))
    run = robot.simulate(
        q0, qd0, duration=0.02, output_dt=0.002, limits=False, save=str(Path(folder) / "runs.zarr"), keep=keep
    )
    seconds = time.perf_counter() - start
    on_disk = sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # KiB on Linux
    one = run[runs // 2]
    print(
        f"{runs} runs of {len(run.t)} states, {run.message}: {seconds:.0f} s, {on_disk / 1e9:.3f} GB on disk, peak memory {peak:.0f} MB"
    )
    print(f"run {runs // 2} ends at q = {np.array2string(one.q[-1], precision=6)}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--keep", nargs="*", default=[], help="besides q and qd: qdd, tau, energy, power")
    parser.add_argument("--into", help=argparse.SUPPRESS)  # the folder, in the process that makes the runs
    given = parser.parse_args(arguments)
    if given.into:
        stream(given.into, given.runs, given.keep)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--runs", str(given.runs), "--into", folder, "--keep", *given.keep]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="")


if __name__ == "__main__":
    main()
