"""Kernels as objects: threads, interruption, the disk cache, the fast way in, memory given back."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import needs
import ordern.runtime.cache as cache
import robots
from budget import PATIENCE
from ordern.algorithms.registry import all_algorithms
from ordern.errors import InputError
from ordern.program.build import prepared, trace
from ordern.program.ir import IRLoop, Program
from ordern.runtime import entry as fast
from ordern.runtime.fast_entry import entry
from ordern.runtime.kernels import Kernel, compiled, threads
from programs import node, nodes

RNEA = next(a for a in all_algorithms() if a.name == "inverse_dynamics/newton-euler")
MODEL = robots.serial("RRR", 2)
PROGRAM = trace(RNEA, prepared(RNEA, MODEL))


@pytest.fixture(scope="module")
def kernel():
    return Kernel.of(PROGRAM)


@pytest.fixture
def states():
    return list(np.random.default_rng(0).uniform(-1, 1, (3, 1000, 3)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def slow_program(turns=20000):
    """Long enough a state to be caught at it."""
    listed = nodes("in x 0 | iconst 0 | loopvar 0 | load 0 0 v1 0 | mul v3 v0 | add v4 v0 | load 0 0 v1 1")
    body = [
        0,
        1,
        node("store 0 0 v1 v0"),
        IRLoop(0, "range", 0, turns, 1, cases=[((), [2, 3, 4, 5, node("store 0 0 v1 v5")])]),
        6,
        node("out y 0 v6"),
    ]
    return Program("slow", listed, body, {"x": 1}, {"y": ()}, 1, [("t", 1)])


# --- threads -----------------------------------------------------------------------------------------------------------------
def test_same_bytes_for_every_thread_count_and_batch_size(kernel):
    rng = np.random.default_rng(1)
    arrays = list(rng.uniform(-3, 3, (3, 60001, 3)))
    expected = np.empty((60001, 3))
    assert kernel.run(arrays, [expected], threads=1)
    for count in (2, 3, 7):
        out = np.empty_like(expected)
        assert kernel.run(arrays, [out], threads=count)
        assert out.tobytes() == expected.tobytes()
    for rows in (1, 2, 5, 8, 100):
        out = np.empty((rows, 3))
        assert kernel.run([a[50:][:rows] for a in arrays], [out])
        assert out.tobytes() == expected[50:][:rows].tobytes()


def test_thread_count_is_set_and_checked():
    before = threads()
    assert threads(3) == threads() == 3
    for bad in (0, -1, 1.5, True, 2**20):
        with pytest.raises(InputError):
            threads(bad)
    assert threads() == 3 and threads(1) == 1 and threads(2**20 - 1) == 2**20 - 1
    threads(before)


def test_empty_batch(kernel):
    assert kernel.run([np.empty((0, 3))] * 3, [np.empty((0, 3))])


def test_wrong_arrays_are_refused_before_machine_code_sees_them(kernel, states):
    out = np.empty((1000, 3))
    for arrays, outs in [
        (states[:2], [out]),
        ([a[:10] for a in states], [out]),
        ([a.astype("float32") for a in states], [out]),
        ([np.asfortranarray(a) for a in states], [out]),
        (states, [np.empty((1000, 6))[:, ::2]]),
        (states, [np.empty((1000, 4))]),
    ]:
        with pytest.raises(ValueError, match="kernel"):
            kernel.run(arrays, outs)


def test_the_interpreter_is_free_meanwhile():
    slow = Kernel.of(slow_program())
    x = np.zeros((20000, 1))
    job = threading.Thread(target=slow.run, args=([x], [np.empty(20000)]), kwargs={"threads": 1})
    slow.run([x[:8]], [np.empty(8)])
    job.start()
    ticks = 0
    while job.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 10


@needs.posix_signals
def test_ctrl_c_stops_a_long_batch():
    text = (
        "import sys, numpy as np; sys.path[:0] = ['tests', 'tests/runtime']; from test_kernels import Kernel, slow_program\n"
        "k = Kernel.of(slow_program()); x = np.zeros((4000000, 1)); y = np.empty(4000000); k.run([x[:9]], [y[:9]])\n"
        "try:\n    print('go', flush=True); k.run([x], [y], threads=2)\nexcept KeyboardInterrupt:\n    print('stopped')"
    )
    child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=PATIENCE)[0] == "stopped\n"  # the whole batch would take minutes


@needs.fork
def test_threads_survive_a_fork(kernel, states):
    out = np.empty((1000, 3))
    kernel.run(states, [out], threads=2)
    pid = os.fork()  # the child must not hang: it gets a thread pool of its own
    if pid == 0:
        big = [np.tile(a, (100, 1)) for a in states]
        good = kernel.run(big, [np.empty((100000, 3))], threads=2)
        os._exit(0 if good else 1)
    assert os.waitpid(pid, 0)[1] == 0


# --- memory ------------------------------------------------------------------------------------------------------------------
def test_machine_code_goes_with_its_kernel():
    made = Kernel.of(PROGRAM)
    made.run([np.zeros((2, 3))] * 3, [np.empty((2, 3))])
    watch = weakref.ref(made.ready().code)
    del made
    gc.collect()
    assert watch() is None


def test_kernels_are_shared_while_held(folder):
    sizes = (PROGRAM.inputs, PROGRAM.outputs)
    a = compiled("robot 1", lambda: PROGRAM, *sizes)
    assert compiled("robot 1", lambda: PROGRAM, *sizes) is a
    assert compiled("robot 1", lambda: PROGRAM, *sizes, "float32") is not a
    assert compiled("robot 2", lambda: PROGRAM, *sizes) is not a


def test_source(kernel):
    assert "@llvm.fma" in kernel.source("llvm")
    assert kernel.source("asm")
    with pytest.raises(InputError):
        kernel.source("fortran")


# --- the disk cache ----------------------------------------------------------------------------------------------------------
def fail():
    raise AssertionError("traced although the machine code was on disk")


def evaluate(make, key="robot"):
    made = compiled(key, make, PROGRAM.inputs, PROGRAM.outputs)
    out = np.empty((5, 3))
    assert made.run([np.full((5, 3), 0.3)] * 3, [out])
    return out


def entries(folder):
    return sorted(folder.glob("*.kernel"))


def test_second_time_nothing_is_traced(folder):
    first = evaluate(lambda: PROGRAM)
    gc.collect()
    assert (evaluate(fail) == first).all()
    assert len(entries(folder)) == 1
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entries(folder)[0].stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("harm", ["truncate", "flip", "empty", "garbage", "open to all", "link", "folder"])
def test_a_harmed_entry_is_made_anew(folder, harm, tmp_path):
    first = evaluate(lambda: PROGRAM)
    gc.collect()
    (path,) = entries(folder)
    data = path.read_bytes()
    if harm == "link":
        (tmp_path / "elsewhere").write_bytes(data)
        path.unlink()
        path.symlink_to(tmp_path / "elsewhere")
    elif harm == "folder":
        path.unlink()
        path.mkdir()
    elif harm == "open to all":
        path.chmod(0o666)
    else:
        changed = {
            "truncate": data[: len(data) // 2],
            "flip": data[:-100] + b"\xcc" + data[-99:],
            "empty": b"",
            "garbage": os.urandom(5000),
        }[harm]
        path.write_bytes(changed)
    with pytest.raises(AssertionError):
        evaluate(fail)
    gc.collect()
    assert (evaluate(lambda: PROGRAM) == first).all()


def test_no_cache_is_no_trouble(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for where in ("off", str(tmp_path / "file"), str(tmp_path / "file" / "below"), "/proc/none/such"):
        monkeypatch.setenv("ORDERN_CACHE", where)
        evaluate(lambda: PROGRAM)
        gc.collect()
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("ORDERN_CACHE", str(shared))
    evaluate(lambda: PROGRAM)
    assert not list(shared.iterdir())


def test_the_oldest_go_first(folder, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 3000)
    for k in range(5):
        cache.save(f"key {k}", {"n": k}, b"x" * 900)
        if (path := cache._path(f"key {k}")).exists():
            os.utime(path, (k, k))
    assert cache.load("key 4") is not None
    assert cache.load("key 0") is None
    assert sum(p.stat().st_size for p in entries(folder)) <= 3000


def test_the_folder_is_looked_through_rarely_and_stays_near_its_limit(folder, monkeypatch):
    looks, trim = [], cache._trim
    monkeypatch.setattr(cache, "LIMIT", 10**6)
    monkeypatch.setattr(cache, "_trim", lambda home: (looks.append(home), trim(home)))
    for k in range(400):
        cache.save(f"key {k}", {}, b"x" * 10**4)
    assert 196 < len(looks) < 316  # 0.64 of them: 10 000 x 64 / 1 000 000; six standard deviations to either side
    assert sum(p.stat().st_size for p in entries(folder)) < 1.2 * 10**6  # twenty without a look: once in 10**8


def test_many_at_once(folder):
    code = (
        "import sys; sys.path[:0] = ['tests', 'tests/runtime']; import threading; from test_kernels import evaluate, PROGRAM\n"
        "ts = [threading.Thread(target=evaluate, args=(lambda: PROGRAM, f'r{k % 2}')) for k in range(6)]\n"
        "[t.start() for t in ts]; [t.join() for t in ts]; print(evaluate(lambda: PROGRAM, 'r0').tobytes().hex())"
    )
    children = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert len({c.communicate(timeout=PATIENCE)[0] for c in children}) == 1
    assert all(c.returncode == 0 for c in children)
    assert not list(folder.glob("*.part"))


# --- the fast way in ---------------------------------------------------------------------------------------------------------
class Calls:
    """A fallback that counts."""

    def __init__(self, kernel):
        self.kernel, self.count = kernel, 0

    def __call__(self, *args, scale=1):
        self.count += 1
        if len(args) != 3:
            raise TypeError("three, please")
        args = [np.asarray(a, float) for a in args]
        shape = np.broadcast_shapes(*(a.shape for a in args))
        rows = [np.require(np.broadcast_to(a, shape), float, "CA").reshape(-1, 3) for a in args]
        out = np.empty((len(rows[0]), 3))
        if not self.kernel.run(rows, [out]):
            raise InputError("not finite")
        return out.reshape(shape) * scale


@pytest.fixture
def called():
    kernel = Kernel.of(PROGRAM)
    calls = Calls(kernel)
    made = entry(kernel, calls)
    one, many = np.full(3, 0.2), np.full((10, 3), 0.2)
    made(one, one, one)
    made(many, many, many)
    calls.count = 0
    return made, calls


@needs.fast_entry
def test_plain_arrays_do_not_touch_python(called, states):
    made, calls = called
    q, qd, qdd = states
    expected = Calls(calls.kernel)(q, qd, qdd)
    assert made(q[:50], qd[:50], qdd[:50]).tobytes() == expected[:50].tobytes()
    assert made(q[7], qd[7], qdd[7]).tobytes() == expected[7].tobytes()
    both = made(q[7], qd[:20], qdd[0])
    assert both.shape == (20, 3)
    assert both.tobytes() == Calls(calls.kernel)(q[7], qd[:20], qdd[0]).tobytes()
    assert calls.count == 0
    result = made(q[7], qd[7], qdd[7])
    assert result.flags.owndata
    assert result.flags.writeable
    assert result.dtype is np.dtype("float64")
    assert made.__name__ == "kernel"  # names and help are those of the methods that call it (test_robot_methods.py)


@needs.fast_entry
def test_everything_else_reaches_the_fallback(called):
    made, calls = called
    x, big = np.full(3, 0.2), np.full((4, 3), 0.2)

    class Mine(np.ndarray):
        pass

    backward = np.full((4, 6), 0.2)[::-1, ::-2]
    swapped = x.astype(">f8")
    odd = np.frombuffer(bytearray(25), np.uint8)[1:].view(float)
    for args in [
        ([0.2] * 3, x, x), (x.astype("float32"), x, x), (x.view(Mine), x, x), (big[:, None], x, x), (big, backward, x), (big.T[:3, :3], x, x),
        (swapped, x, x), (odd, x, x), (0.2, x, x), (np.empty((0, 3)), x, x), (np.arange(3), x, x),
    ]:  # fmt: skip
        before = calls.count
        made(*args)
        assert calls.count == before + 1
    assert (made(x, x, x, scale=2) == 2 * made(x, x, x)).all()
    for args in [(), (x,), (x,) * 4, (None, x, x), (x[:2], x, x), (big, np.ones((5, 3)), x), ("a", x, x)]:
        with pytest.raises((TypeError, ValueError)):
            made(*args)
    for value in (np.nan, np.inf):
        with pytest.raises(InputError):
            made(np.array([0.1, value, 0.1]), x, x)


@needs.fast_entry
def test_no_reference_is_lost_or_kept(called):
    made, _ = called
    x, many, bad = np.full(3, 0.2), np.full((10, 3), 0.2), np.full(3, np.nan)
    before = [sys.getrefcount(a) for a in (x, many, bad, made)]

    def use(count):
        for _ in range(count):
            made(x, x, x)
            made(many, x, many)

    use(1000)
    dtype = sys.getrefcount(np.dtype(float))
    tracked = len(gc.get_objects())
    use(100000)
    assert abs(sys.getrefcount(np.dtype(float)) - dtype) < 10
    assert abs(len(gc.get_objects()) - tracked) < 100
    for _ in range(100):
        with pytest.raises(InputError):
            made(bad, x, x)
    assert [sys.getrefcount(a) for a in (x, many, bad, made)] == before


@needs.fast_entry
def test_an_entry_frees_what_it_held():
    kernel = Kernel.of(PROGRAM)
    watch = weakref.ref(kernel)
    made = entry(kernel, Calls(kernel))
    x = np.full(3, 0.2)
    made(x, x, x)

    class Cycle:
        pass

    ring = Cycle()
    ring.made, ring.again = made, ring
    del kernel, made, ring
    gc.collect()
    assert watch() is None


def test_without_a_fast_way_the_fallback_is_handed_out(monkeypatch):
    kernel = Kernel.of(PROGRAM)
    calls = Calls(kernel)
    monkeypatch.setattr(fast, "available", lambda: 0)
    assert entry(kernel, calls) is calls


@pytest.mark.skipif(sys.implementation.name != "cpython" or sys.maxsize != 2**63 - 1, reason="objects lie otherwise")
@pytest.mark.parametrize("name", ["TYPE", "TUPLE", "DATA", "ND", "DIMS", "DESCR", "BYTES", "FLAGS"])
def test_layouts_are_checked_for_real(monkeypatch, name):
    assert fast._layouts_hold()  # else the slow way would be taken in silence
    monkeypatch.setattr(fast, name, getattr(fast, name) + 8)
    assert not fast._layouts_hold()


@pytest.mark.skipif(sys.implementation.name != "cpython" or sys.maxsize != 2**63 - 1, reason="objects lie otherwise")
def test_functions_of_numpy_are_tried_before_they_are_used(monkeypatch):
    """Those meant are found in its table; others in their place, or none, are seen by what they return."""
    api, obj = dict(fast._api()), ctypes.py_object
    assert fast._allocates() and all(api.values())
    array = ctypes.PYFUNCTYPE(obj, obj, obj, ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_void_p)
    number = ctypes.PYFUNCTYPE(obj, obj)
    mine = type("Mine", (np.ndarray,), {})
    made = [np.ones((2, 3)).view(mine), np.ones((3, 2)), np.ones((2, 3), "f4")]
    others = [("new", array(lambda *_, m=m: m)) for m in made]
    others += [("scalar", number(lambda _, m=m: m)) for m in (2.5, np.float32(2.5), np.float64(3.5))]
    for name, function in [*others, ("array_type", id(mine)), *((name, 0) for name in api)]:
        value = function if isinstance(function, int) else ctypes.cast(function, ctypes.c_void_p).value
        monkeypatch.setattr(fast, "_api", lambda name=name, value=value: {**api, name: value})
        assert not fast._allocates(), name


@pytest.mark.skipif(sys.implementation.name != "cpython" or sys.maxsize != 2**63 - 1, reason="objects lie otherwise")
@pytest.mark.parametrize(
    ("said", "wanted"), [("", True), ("1", True), ("0", False), (" OFF ", False), ("no", False), ("False", False)]
)
def test_a_usual_python_has_the_fast_way_in(monkeypatch, said, wanted):
    """Else every test of it would be left out in silence."""
    monkeypatch.setenv("ORDERN_NATIVE", said)
    assert fast.native.__wrapped__() == wanted
    monkeypatch.setattr(fast, "native", fast.native.__wrapped__)
    usual = not any(sysconfig.get_config_var(flag) for flag in ("Py_GIL_DISABLED", "Py_DEBUG", "Py_TRACE_REFS"))
    assert bool(fast.available.__wrapped__()) == (wanted and usual)


@pytest.mark.skipif(not fast.available(), reason="there is no fast way in")
@pytest.mark.parametrize(
    "change",
    [
        ("native", lambda: False), ("_layouts_hold", lambda: False), ("_layouts_hold", lambda: os.stat("/none/such")),
        ("sys", SimpleNamespace(implementation=SimpleNamespace(name="pypy"), maxsize=sys.maxsize)),
        ("sys", SimpleNamespace(implementation=sys.implementation, maxsize=2**31 - 1)),
        *((flag, None) for flag in ("Py_GIL_DISABLED", "Py_DEBUG", "Py_TRACE_REFS")),
    ],
)  # fmt: skip
def test_the_fast_way_is_for_builds_of_python_whose_objects_are_known(monkeypatch, change):
    name, value = change
    if value is None:
        known = sysconfig.get_config_var
        monkeypatch.setattr(sysconfig, "get_config_var", lambda flag: flag == name or known(flag))
    else:
        monkeypatch.setattr(fast, name, value)
    assert fast.available.__wrapped__() == 0


@needs.linux
def test_code_finds_its_constants_in_a_crowded_process(tmp_path):
    """Near small gaps and a 5 GB wall the system puts a kernel's code and its constants over 2 GB apart."""
    text = """
import mmap, sys, numpy as np, ordern
given = np.random.default_rng(0).uniform(-1, 1, (3, 2, 2000))
first = ordern.load("chain2000").inverse_dynamics(*given)
holes, walls = [], []
for _ in range(40 if sys.argv[1] == "crowded" else 0):
    holes.append(mmap.mmap(-1, 2**18))
    walls.append(mmap.mmap(-1, 2**20))
walls.append(mmap.mmap(-1, 5 * 2**30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000))
for hole in holes:
    hole.close()
for _ in range(2):
    second = ordern.load("chain2000", gravity=(0, 0, -9.8100001)).inverse_dynamics(*given)
print(np.allclose(first, second, rtol=1e-3, atol=1))
"""
    for how in ("plain", "crowded"):  # the first one leaves its machine code on disk, the second one loads it
        command = [sys.executable, "-c", text, how]
        made = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"ORDERN_CACHE": str(tmp_path)})
        assert made.stdout == "True\n", (how, made.returncode, made.stderr[-500:])
