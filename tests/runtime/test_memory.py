"""Memory of large results is used again, never while anyone can see it."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import ordern
import ordern.runtime.memory as memory
from ordern.emit.llvm.lanes import LINE
from ordern.runtime import kernels


def test_small_arrays_are_numpys_own():
    assert memory.empty((10, 3), "float64").flags.owndata


def test_large_arrays_come_back(monkeypatch):
    monkeypatch.setattr(memory, "LARGE", 1000)
    monkeypatch.setattr(memory, "_idle", [])
    a = memory.empty((100, 6), "float64")
    assert a.shape == (100, 6)
    assert a.dtype == np.float64
    assert a.flags.c_contiguous
    assert a.flags.writeable
    assert type(a) is np.ndarray
    place = a.ctypes.data
    kept = a[10:].T
    del a
    gc.collect()
    b = memory.empty((100, 6), "float64")  # a view still looks into the first one
    assert b.ctypes.data != place
    del kept
    gc.collect()
    assert memory.empty((95, 6), "float64").ctypes.data == place
    assert memory.empty((10, 6, 6), "float32").ctypes.data not in (place, b.ctypes.data)


def test_what_is_kept_is_a_fifth_of_a_gigabyte_at_most(monkeypatch):
    """Of twice that; none of it is touched, so it costs nothing here."""
    monkeypatch.setattr(memory, "_idle", [])
    arrays = [memory.empty((2**20,), "float64") for _ in range(50)]
    del arrays
    gc.collect()
    assert 0.1 < sum(b.nbytes for b in memory._idle) / 2**30 <= 0.2


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(memory, "LARGE", 1000)
    monkeypatch.setattr(memory, "KEPT", 20000)
    monkeypatch.setattr(memory, "_idle", [])
    arrays = [memory.empty((1000,), "float64") for _ in range(5)]
    del arrays
    gc.collect()
    assert sum(b.nbytes for b in memory._idle) <= 20000
    assert memory._idle


def test_the_oldest_go_first_and_any_that_fits_is_taken(monkeypatch):
    """As much as may be kept is kept, to the byte."""
    monkeypatch.setattr(memory, "LARGE", 1000)
    blocks = [np.empty(size, np.uint8) for size in (4000, 1000, 2000, 3000)]
    for kept, left in ((10_000, 4), (9_999, 3), (6_000, 3), (5_999, 2), (2_999, 0)):
        monkeypatch.setattr(memory, "KEPT", kept)
        monkeypatch.setattr(memory, "_idle", blocks[:3])
        memory._given_back(blocks[3])
        assert [b.nbytes for b in memory._idle] == [b.nbytes for b in blocks[4 - left :]]
    for place, block in enumerate(blocks):
        monkeypatch.setattr(memory, "_idle", list(blocks))
        assert memory._taken(block.nbytes) is block and len(memory._idle) == 3
        assert memory._taken(block.nbytes) is None, place
    monkeypatch.setattr(memory, "_idle", [])  # those above were not made at whole lines
    for shape in ((1000,), (50, 7)):
        made = memory.empty(shape, "float32")
        assert made.ctypes.data % LINE == 0 and made.shape == shape and made.dtype == np.float32
        made[...] = 1.0  # all of it is there
    with pytest.raises(ordern.InputError, match=r"shape \(1048576, 1048576, 1048576\) takes"):
        memory.empty((2**20,) * 3, "float64")


@pytest.mark.parametrize(("size", "kept"), [(100, 8), (1000, 3), (3001, 1), (0, 0)])
def test_workspaces_are_used_again_and_few_are_kept(monkeypatch, size, kept):
    """Aligned, inside of what they belong to; the last one given back is taken first. A kernel without one has none."""
    monkeypatch.setattr(kernels, "IDLE_SPACE", 3000)
    ready = kernels.Ready.__new__(kernels.Ready)
    ready.workspace, ready.idle = size, []
    taken = [ready.space() for _ in range(10)]
    for owner, address in taken:
        assert (
            address == 0
            if owner is None
            else 0 <= address - owner.ctypes.data <= owner.size - size and address % 64 == 0
        )
        ready.give_back(owner)
    assert len(ready.idle) == kept and all(ready.space()[0] is taken[k][0] for k in reversed(range(kept)))
