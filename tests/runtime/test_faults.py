"""Processes under stress: forks amid a compile, no executable memory, many threads, Ctrl-C anywhere, kernels dropped, clocks that jump."""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import needs
import ordern
from budget import PATIENCE, TRUST
from ordern.runtime import cache

ARM = ordern.load("panda")
Q, QD, TAU = (np.random.default_rng(0).normal(size=(40, ARM.n)) for _ in range(3))


def child(work) -> int:
    """Run it in a forked child; its exit code, or a failure after a while."""
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    pytest.fail("the child hangs")


@needs.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forks_amid_a_compile(monkeypatch):
    """Children of a process that traces or compiles in another thread compute, and compile the same kernels themselves."""
    monkeypatch.setenv("ORDERN_CACHE", "off")
    stop, robots = threading.Event(), [ordern.robots.chain(6, seed=k) for k in range(3000 if TRUST else 300)]
    turn = itertools.cycle(robots)
    current = [robots[0]]

    def compile_on() -> None:
        while not stop.is_set():
            current[0] = next(turn)
            current[0].forward_dynamics(*np.zeros((3, 1, current[0].n)))

    robots[0].forward_dynamics(
        *np.zeros((3, 6))
    )  # imports are made: those in progress would be lost in any child of any program
    worker = threading.Thread(target=compile_on)
    worker.start()
    try:
        rng = random.Random(0)
        for _ in range(100 if TRUST else 5):
            time.sleep(rng.uniform(0.0, 0.1))
            robot = current[0]

            def work(robot=robot) -> bool:
                zero = np.zeros((3, robot.n))
                mine = ordern.robots.chain(5, seed=9)
                return bool(
                    np.isfinite(robot.forward_dynamics(*zero)).all()
                    and np.isfinite(mine.mass_matrix(zero[0, :5])).all()
                    and gc.isenabled()
                )

            assert child(work) == 0
    finally:
        stop.set()
        worker.join()


@needs.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forks_amid_a_cached_property():
    """Python 3.11 computes those of all objects of a class under one lock, which another thread may hold at that moment."""
    modules = [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == "ordern"]
    classes = {c for m in modules for c in vars(m).values() if isinstance(c, type)}
    locks = [
        x.lock
        for c in classes
        for x in vars(c).values()
        if isinstance(x, functools.cached_property) and hasattr(x, "lock")
    ]
    assert bool(locks) == (sys.version_info < (3, 12))
    taken, stop = threading.Event(), threading.Event()

    def hold() -> None:
        with contextlib.ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            taken.set()
            stop.wait()

    worker = threading.Thread(target=hold)
    worker.start()
    taken.wait()
    try:
        assert child(lambda: np.isfinite(ordern.robots.chain(4, seed=3).mass_matrix(np.zeros(4))).all()) == 0
    finally:
        stop.set()
        worker.join()


@needs.prctl
@pytest.mark.parametrize("name", ["planar3", "panda", "chain50"])
def test_without_executable_memory_numpy_computes(name):
    """PR_SET_MDWE forbids it for the rest of the process (Linux 6.3); where the kernel is older there is nothing to see."""
    program = f"""
import ctypes, warnings, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):
    sys.exit(77)
import numpy as np, ordern
robot = ordern.robots.chain(50) if {name!r} == "chain50" else ordern.load({name!r})
rng = np.random.default_rng(0)
q, qd, tau = robot.random(rng, (3,)), *rng.normal(size=(2, 3, robot.n))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    values = [robot.forward_dynamics(q, qd, tau), robot.inverse_dynamics(q, qd, tau), robot.mass_matrix(q[0]), robot.kinetic_energy(q, qd)]
    small = ordern.load("planar3").simulate((0.1, 0.2, 0.3), duration=0.02)
assert len([w for w in said if "may not make memory executable" in str(w.message)]) == 1, said
assert small.stats["engine"] == "numpy"
np.savez(sys.argv[1], *values, small.q)
"""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, "-c", program, f"{folder}/x.npz"], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        there = list(np.load(f"{folder}/x.npz").values())
    robot = ordern.robots.chain(50) if name == "chain50" else ordern.load(name)
    rng = np.random.default_rng(0)
    q, qd, tau = robot.random(rng, (3,)), *rng.normal(size=(2, 3, robot.n))
    here = [
        robot.forward_dynamics(q, qd, tau),
        robot.inverse_dynamics(q, qd, tau),
        robot.mass_matrix(q[0]),
        robot.kinetic_energy(q, qd),
    ]
    condition = max(np.linalg.cond(m) for m in robot.mass_matrix(q))
    for a, b, factor in zip(here, there, (condition, 1.0, 1.0, 1.0), strict=False):
        # products and sums are rounded twice where machine code fuses them: some eps for each of n joints
        assert np.abs(a - b).max() <= 100 * robot.n * np.finfo(float).eps * factor * np.abs(a).max()
    free = ordern.load("planar3").simulate((0.1, 0.2, 0.3), duration=0.02)
    assert np.abs(free.q - there[4]).max() < 1e-10  # rtol 1e-8 of small motions, the same steps


def test_eight_threads_on_one_robot():
    """First calls too: whoever comes while another compiles gets the same bits."""
    robot = ordern.robots.chain(9, seed=3)
    rng = np.random.default_rng(1)
    states = rng.normal(size=(3, 64, 9))
    wanted = ordern.robots.chain(9, seed=3).forward_dynamics(*states)
    start = threading.Barrier(8)

    def work(k: int) -> bool:
        start.wait()
        one = np.array([robot.forward_dynamics(*states[:, i]) for i in range(k, 64, 8)])
        return np.array_equal(one, wanted[k::8]) and np.array_equal(robot.forward_dynamics(*states), wanted)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_threads_may_change_their_number_meanwhile():
    before = ordern.threads()
    states = np.random.default_rng(1).normal(size=(3, 4000, ARM.n))
    wanted = ARM.forward_dynamics(*states)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            for k in (1, 2, 3, 5):
                ordern.threads(k)

    changer = threading.Thread(target=change)
    changer.start()
    try:
        for _ in range(500 if TRUST else 30):
            assert np.array_equal(ARM.forward_dynamics(*states), wanted)
    finally:
        stop.set()
        changer.join()
        ordern.threads(before)


def _torques(seed: int):
    robot = ordern.load("planar3")
    return robot.inverse_dynamics(*np.random.default_rng(seed).normal(size=(3, 50, 3)))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("how", [pytest.param("fork", marks=needs.fork), "spawn"])
def test_pools_of_processes(how):
    wanted = [_torques(k) for k in range(3)]
    with ProcessPoolExecutor(1, mp_context=get_context(how)) as pool:
        for a, b in zip(pool.map(_torques, range(3)), wanted, strict=True):
            assert np.array_equal(a, b)


def test_ctrl_c_at_random_moments():
    """The call ends with KeyboardInterrupt or its result, and the next one is right."""
    states = np.random.default_rng(1).normal(size=(3, 20000, ARM.n))
    wanted, rng = ARM.forward_dynamics(*states), random.Random(0)
    for _ in range(300 if TRUST else 12):
        timer = threading.Timer(rng.uniform(0.0, 0.02), signal.raise_signal, (signal.SIGINT,))
        try:
            timer.start()
            got = ARM.forward_dynamics(*states)
            run = ARM.simulate(np.zeros((8, ARM.nq)), duration=0.05, limits=False)
            assert np.array_equal(got, wanted) and (run.complete or "interrupted" in run.status)
            timer.join()
        except KeyboardInterrupt:
            pass
        finally:
            timer.cancel()
        try:
            timer.join()
            time.sleep(0.001)
        except KeyboardInterrupt:
            pass
        assert np.array_equal(ARM.forward_dynamics(*states), wanted)


def test_kernels_that_are_dropped_give_their_memory_back():
    import psutil

    process = psutil.Process()

    def cycle(count: int) -> int:
        for k in range(count):
            robot = ordern.robots.planar(2, masses=1.0 + 1e-3 * (k % 10))
            robot.inverse_dynamics(*np.zeros((3, 2)))
        gc.collect()
        return process.memory_info().rss

    cycle(100)
    before = cycle(20)
    count = 10_000 if TRUST else 150
    # each holds some 50 kB while it lives; what stays must be a small part of that
    assert cycle(count) - before < max(20e6, 5e3 * count)


def test_kernels_that_are_compiled_and_dropped_give_their_memory_back(monkeypatch):
    """With no machine code on disk: what LLVM needs to compile goes too."""
    import psutil

    monkeypatch.setenv("ORDERN_CACHE", "off")
    process = psutil.Process()

    def cycle(first: int, count: int) -> int:
        for k in range(first, first + count):
            ordern.robots.planar(2, masses=1.0 + 1e-3 * k).inverse_dynamics(*np.zeros((3, 2)))
        gc.collect()
        return process.memory_info().rss

    warm = 100 if TRUST else 2
    before, count = cycle(0, warm), 1000 if TRUST else 5
    # a compile takes some megabytes for a moment; 2 kB of it stay in caches of bounded size
    assert cycle(warm, count) - before < 10e6 + 10e3 * count


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_clocks_that_jump(tmp_path, monkeypatch, jump):
    """The cache neither loses what is in use nor keeps what is broken; a simulation does not look at the time of day."""
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path / "cache"))
    cache.save("k", {"a": 1}, b"code")
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    assert cache.load("k") is not None and cache.load("k")[1] == b"code"
    cache.save("l", {"a": 1}, b"more")
    assert cache.load("k") is not None and cache.load("l")[1] == b"more"
    assert ordern.load("planar3").simulate((0.1, 0.2, 0.3), duration=0.05).complete


def test_the_cache_knows_text_by_its_content(tmp_path):
    """The same size and time with another byte is another library; another time with the same bytes is not."""
    import shutil

    root = os.path.dirname(ordern.__file__)
    shutil.copytree(root, tmp_path / "ordern", ignore=shutil.ignore_patterns("__pycache__", "data", "assets"))
    line = [sys.executable, "-c", "from ordern.runtime.cache import source_stamp; print(source_stamp())"]

    def stamp() -> str:
        return subprocess.run(
            line, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
        ).stdout

    before, path = stamp(), tmp_path / "ordern" / "spatial" / "six.py"
    os.utime(path, (1, 1))
    assert stamp() == before
    facts, text = path.stat(), path.read_text()
    path.write_text(text.replace("\n", " ", 1) if text[0] == "#" else text.replace(".", ";", 1))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert path.stat().st_size == facts.st_size and stamp() != before
