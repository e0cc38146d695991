"""What is read off the processor: lanes, registers, cores."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ordern.runtime import machine, threads


class Target:
    def __init__(self, triple):
        self.triple = triple


@pytest.mark.parametrize(
    ("triple", "features", "bits", "registers"),
    [
        ("x86_64-linux", "+avx,+avx2,+avx512f,+avx512dq", 512, 32),
        ("x86_64-linux", "+avx,+avx512f,-avx512dq", 256, 32),  # whole numbers of 64 bits need the second
        ("x86_64-linux", "+avx,+avx2,-avx512f,+avx512dq", 256, 16),
        ("x86_64-linux", "+sse2,-avx", 128, 16),
        ("i686-windows", "+avx", 256, 16),
        ("aarch64-linux", "+neon", 128, 32),
    ],
)
def test_lanes_fill_one_register(monkeypatch, triple, features, bits, registers):
    monkeypatch.setattr(machine, "_host", lambda: (Target(triple), "cpu", features))
    for dtype, size in (("float64", 64), ("float32", 32)):
        assert machine.native_lanes(dtype).width == bits // size
    assert machine.registers() == registers


def test_cores_that_may_be_used(monkeypatch):
    """Those that the system lets this process have; where it does not say, all; one at least."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda who: {3, 5, 6} if who == 0 else {1}, raising=False)
    assert threads._usable() == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set())
    assert threads._usable() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, wanted in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert threads._usable() == wanted


@pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have mprotect")
@pytest.mark.parametrize("answer", [0, -1, None])
def test_whether_memory_may_be_executed_is_tried_on_a_page(monkeypatch, answer):
    """None: a system that cannot be asked is taken at its best."""
    asked = []

    def protect(address, size, kind):
        asked.append((address % mmap.PAGESIZE, size, kind))
        return answer

    library = type("Library", (), {} if answer is None else {"mprotect": protect})
    with monkeypatch.context() as changed:
        changed.setattr(machine.ctypes, "CDLL", lambda _: library)
        assert machine.executable() == (answer != -1)
        assert asked == ([] if answer is None else [(0, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC)])
        changed.setattr(machine, "has_llvm", lambda: False)
        assert not machine.executable()
        changed.setattr(machine, "has_llvm", lambda: True)
        changed.setattr(machine.os, "name", "nt")
        assert machine.executable()


ROBOTS = """
import hashlib, grid, ordern
models = [*grid.MODELS.values(), *(ordern.load(name).model for name in ordern.robots.names())]
print(hashlib.sha256("".join(map(repr, models)).encode()).hexdigest())
"""


def test_robots_have_the_same_bits_whatever_processor_blas_is_made_for():
    """Kernels round alike everywhere, so the numbers that they are made for must be the same too."""
    found = set()
    for core in ({}, {"OPENBLAS_CORETYPE": "Prescott"}):  # this processor; the oldest, whose code all of them run
        at = {**os.environ, **core, "PYTHONPATH": os.pathsep.join(sys.path)}
        made = subprocess.run(
            [sys.executable, "-c", ROBOTS],
            env=at,
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        )
        found.add(made.stdout)
    assert len(found) == 1
