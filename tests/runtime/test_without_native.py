"""ORDERN_NATIVE=0: the same numbers without code written by hand for this process, and threads(k) from many threads at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np

import ordern
from budget import PATIENCE, TRUST

CODE = """
import sys
import numpy as np, ordern
from ordern.runtime import entry, native_threads
robot = ordern.load("panda")
rng = np.random.default_rng(0)
made = []
for batch in ((), (1,), (7,), (4000,)):
    for dtype in ("float64", "float32"):
        q, qd, qdd = (rng.uniform(-1, 1, (*batch, robot.n)).astype(dtype) for _ in range(3))
        for _ in range(2):
            made += [robot.inverse_dynamics(q, qd, qdd), robot.mass_matrix(q), *robot.inverse_dynamics_derivatives(q, qd, qdd)]
kernel = robot.compile("forward_dynamics")
made.append(kernel(*rng.uniform(-1, 1, (3, 500, robot.n))))
ordern.threads(3)
made.append(robot.forward_dynamics(*rng.uniform(-1, 1, (3, 5000, robot.n))))
run = robot.simulate(np.tile(robot.neutral(), (3, 1)), duration=0.05)
made.append(run.q)
print(bool(entry.available()), native_threads.thread_pool.cache_info().currsize, file=sys.stderr)
import hashlib
print(hashlib.sha256(b"".join(np.ascontiguousarray(m).tobytes() for m in made)).hexdigest())
"""


def run(native):
    environment = os.environ | {"ORDERN_NATIVE": native}
    return subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
    )


def test_without_native_code_the_bits_are_the_same():
    without, with_it = run("0"), run("1")
    assert without.stderr.split() == ["False", "0"]
    assert without.stdout == with_it.stdout


def test_part_of_the_suite_runs_without_it():
    files = ["tests/test_no_joints.py", "tests/runtime/test_memory.py", "tests/scalars"]
    files += ["tests/runtime", "tests/test_robot.py"] if TRUST and "ORDERN_NATIVE" not in os.environ else []
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = os.environ | {"ORDERN_NATIVE": "0", "ORDERN_TRUST": "0"}  # the long forms are run once, with it
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout[-3000:]


def test_threads_may_be_set_from_many_threads_at_once():
    robot = ordern.load("ur5")
    arrays = np.random.default_rng(0).uniform(-1, 1, (3, 3000, 6))
    want, before, wrong = robot.inverse_dynamics(*arrays), ordern.threads(), []

    def work(seed):
        rng = np.random.default_rng(seed)
        mine = ordern.load("ur5")
        for _ in range(40):
            assert ordern.threads(int(rng.integers(1, 6))) >= 1
            rows = int(rng.integers(1, 3000))
            if not np.array_equal(
                (robot if seed % 2 else mine).inverse_dynamics(*(a[:rows] for a in arrays)), want[:rows]
            ):
                wrong.append(rows)

    pool = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    try:
        for t in pool:
            t.start()
        for t in pool:
            t.join(timeout=PATIENCE)
        assert not wrong and not any(t.is_alive() for t in pool)
        assert ordern.threads(2) == 2 == ordern.threads()
    finally:
        ordern.threads(before)
