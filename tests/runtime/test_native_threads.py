"""Native threads that share a batch: every row is done once, whoever calls, forks, fails or leaves in the meantime."""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import needs
import ordern
from budget import PATIENCE
from ordern.runtime import entry, forks, machine, xla_call
from ordern.runtime.native_threads import MOST, ThreadPool, thread_pool

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64)


class Watched:
    """A kernel in Python that notes who does which rows."""

    def __init__(self, seconds=0.0, fails=()):
        self.done, self.seconds, self.fails = [], seconds, fails
        self.function = KERNEL(self._rows)

    def _rows(self, inputs, strides, outputs, space, first, last):
        self.done.append((first, last, space, threading.get_native_id()))
        time.sleep(self.seconds)
        return int(any(first <= row < last for row in self.fails))

    def lead(self, first, last, turn, helpers, spaces=None):
        address = ctypes.cast(self.function, ctypes.c_void_p)
        return thread_pool().lead(thread_pool().address, address, None, None, None, spaces, first, last, turn, helpers)

    def rows(self):
        return sorted(row for first, last, *_ in self.done for row in range(first, last))


@pytest.mark.parametrize("helpers", [0, 1, 3])
@pytest.mark.parametrize(
    ("first", "last", "turn"), [(0, 1, 8), (0, 1000, 8), (5, 1003, 7), (0, 100_000, 16), (3, 3, 8)]
)
def test_every_row_is_done_once(helpers, first, last, turn):
    thread_pool().start(helpers)
    watched = Watched()
    assert not watched.lead(first, last, turn, helpers)
    assert watched.rows() == list(range(first, last))
    assert watched.done[:1] == [] or watched.done[0][1] - watched.done[0][0] >= min(turn, last - first)
    assert all((start - first) % turn == 0 for start, *_ in watched.done)


def test_others_join_and_have_a_space_each():
    thread_pool().start(3)
    spaces = (ctypes.c_void_p * 4)(*[4096 * (k + 1) for k in range(4)])
    used, end = {}, time.monotonic() + PATIENCE
    while len(used) < 2 and time.monotonic() < end:  # somebody comes within the fifth of a second this takes one thread
        watched, used = Watched(seconds=0.002), {}
        watched.lead(0, 800, 8, 3, spaces)
        for _, _, space, thread in watched.done:
            used.setdefault(thread, set()).add(space)
    assert len(used) > 1
    assert all(len(s) == 1 for s in used.values())
    assert len(set.union(*used.values())) == len(used)


def test_one_bad_row_is_told():
    thread_pool().start(2)
    assert Watched(fails=[777]).lead(0, 1000, 8, 2)
    assert not Watched(fails=[1000]).lead(0, 1000, 8, 2)


def test_many_lead_at_once():
    """One has the thread pool, the others work alone; nothing is lost, and nobody waits for ever."""
    thread_pool().start(2)
    watched = [Watched() for _ in range(6)]

    def often(one):
        for k in range(50):
            one.lead(1000 * k, 1000 * (k + 1), 8, 2)

    jobs = [threading.Thread(target=often, args=(w,)) for w in watched]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(PATIENCE)
    assert not any(job.is_alive() for job in jobs)
    assert all(w.rows() == list(range(50_000)) for w in watched)


def test_sleepers_are_woken_again_and_again():
    thread_pool().start(1)
    for pause in [0.0, 0.0005, 0.002, 0.02] * 5:
        time.sleep(pause)
        watched = Watched()
        watched.lead(0, 256, 8, 1)
        assert watched.rows() == list(range(256))


def test_no_more_followers_than_there_is_room_for():
    count = thread_pool().started
    thread_pool().start(count)
    assert thread_pool().started == count <= MOST


def batch(robot, rows, seed=0):
    return [
        robot.random(np.random.default_rng(seed), rows),
        *np.random.default_rng(seed).uniform(-1, 1, (2, rows, robot.n)),
    ]


@pytest.fixture
def given_back():
    before = ordern.threads()
    yield
    ordern.threads(before)


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_the_fast_way_in_shares_too(name, given_back):
    """The same bytes through the built-in, for every number of threads; a bad row is named, whoever came upon it."""
    robot = ordern.load(name)
    arrays = batch(robot, 30_011)
    made = {}
    for count in (1, 2, 3, 5):
        ordern.threads(count)
        for _ in range(3):  # the first goes through Python, which starts the threads
            made[count] = robot.forward_dynamics(*arrays).tobytes()
    assert len(set(made.values())) == 1
    arrays[1][20_000, 2] = np.nan
    with pytest.raises(ordern.InputError, match=r"qd is nan for joint .* in row 20000"):
        robot.forward_dynamics(*arrays)


@needs.fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_has_a_thread_pool_of_its_own(given_back):
    robot = ordern.load("ur5")
    arrays = batch(robot, 50_000)
    ordern.threads(2)
    for _ in range(3):
        expected = robot.inverse_dynamics(*arrays)
    pid = os.fork()
    if pid == 0:
        right = thread_pool().started == 0
        for _ in range(3):
            right = right and robot.inverse_dynamics(*arrays).tobytes() == expected.tobytes()
        # without native code Python's own threads are used, which a child starts anew too
        os._exit(0 if right and thread_pool().started == (1 if entry.available() else 0) else 1)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("wait", [0, 0.05])
def test_a_process_ends_while_followers_look_or_sleep(wait):
    text = (
        "import time, numpy as np, ordern; ordern.threads(2); r = ordern.load('ur5'); x = np.zeros((60000, 6))\n"
        f"for _ in range(3): r.forward_dynamics(x, x, x)\ntime.sleep({wait})\nprint('done')"
    )
    made = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (made.stdout, made.returncode) == ("done\n", 0), made.stderr


@pytest.mark.parametrize("missing", ["lock", "free lock", "thread"])
def test_a_system_that_has_no_more_to_give_leaves_fewer_followers(missing):
    pool = ThreadPool()
    if missing == "lock":
        pool._lock = lambda: None
    elif missing == "free lock":
        held = pool._lock()
        acquire = ctypes.pythonapi.PyThread_acquire_lock
        acquire.restype, acquire.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]
        assert acquire(held, 0) == 1
        pool._lock = lambda: held
    else:
        pool._begin = lambda function, argument: ctypes.c_ulong(-1).value
    pool.start(2)
    assert pool.started == 0


def test_followers_have_lines_of_their_own():
    """Of 64 bytes, which no two of them share, also the last one that there may be; a new pool has none."""
    for _ in range(4):
        pool, lines = ThreadPool(), []
        assert pool.started == 0 and pool.address % 64 == 0
        pool._begin = lambda function, argument, lines=lines: lines.append(argument) or 1
        pool.start(3)
        assert (pool.started, len(lines)) == (3, 3)
        pool.start(2)
        pool.start(MOST + 7)
        assert pool.started == len(lines) == MOST
        begin, end = pool.address, pool.address + 8 * len(pool._words)
        assert all(at % 64 == 0 and begin + 8 * 25 < at and at + 64 <= end for at in lines)
        assert sorted({b - a for a, b in itertools.pairwise(lines)}) == [64]
        pool.forget()
        assert pool.started == 0


def test_machine_code_of_threads_and_of_the_way_in_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    for made, make in enumerate((ThreadPool, entry.available.__wrapped__), 1):
        if make is not ThreadPool and not entry.available():
            continue
        assert make() and len(list(tmp_path.glob("*.kernel"))) == made
        with monkeypatch.context() as changed:
            changed.setattr(machine, "compile_text", None)
            assert make()


@pytest.mark.parametrize(("count", "helpers"), [(1, 0), (2, 1), (4, 3), (MOST + 1, MOST), (MOST + 9, MOST)])
def test_calls_of_xla_have_as_many_helpers_as_there_are_other_threads(monkeypatch, count, helpers):
    """All of which have been started before machine code counts on them; none for one thread."""
    started = []
    monkeypatch.setattr(xla_call, "threads", lambda: count)
    monkeypatch.setattr(xla_call, "thread_pool", lambda: SimpleNamespace(start=started.append))
    handler = xla_call.XlaHandler.__new__(xla_call.XlaHandler)
    handler.record = (ctypes.c_int64 * 20)(*[-7] * 20)
    handler.update()
    assert [k for k in range(20) if handler.record[k] != -7] == [xla_call._HELPERS]
    assert handler.record[xla_call._HELPERS] == helpers and started == ([helpers] if helpers else [])


@pytest.mark.parametrize("theirs", [True, False])  # whether LLVM is there, which has a lock of its own
@pytest.mark.parametrize("paused", [True, False])
def test_what_a_fork_leaves_to_the_child(monkeypatch, theirs, paused):
    """Locks that nobody holds, and memory that is collected again if a thread that is not there had switched that off."""
    said, lock = [], forks.ForkLock()
    held = SimpleNamespace(__enter__=lambda: said.append("in"), __exit__=lambda *_: said.append("out"))
    monkeypatch.setattr(forks, "_theirs", lambda: held if theirs else None)
    collecting, before = gc.isenabled(), list(forks.pauses)
    other = threading.Thread(target=lock.__enter__)  # holds it for ever
    other.start()
    other.join()
    try:
        gc.disable()
        forks.pauses[:] = [1] if paused else []
        forks._before()
        assert said == (["in"] if theirs else []) and len(forks.held) == 1
        forks._child()
        assert said == (["in", "out"] if theirs else []) and not forks.held
        assert gc.isenabled() == paused and not forks.pauses
        assert lock._lock.acquire(blocking=False)
        assert quiet_is_free()
    finally:
        forks.pauses[:] = before
        (gc.enable if collecting else gc.disable)()


def quiet_is_free():
    """For another thread."""
    found = []

    def ask():
        found.append(forks.quiet.acquire(blocking=False))
        if found[0]:
            forks.quiet.release()

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join()
    return found[0]
