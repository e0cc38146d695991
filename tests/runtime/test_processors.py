"""What is read off the processor: lanes, registers, cores."""

from __future__ import annotations

import os

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
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 6}, raising=False)
    assert threads._usable() == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set())
    assert threads._usable() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, wanted in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert threads._usable() == wanted
