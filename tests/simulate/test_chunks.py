"""Chunks of a store: whole runs, as many as make some 4 MB, and no part of a store ends amid one."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ordern.simulate import stream


@pytest.mark.parametrize("part", [1, 12, 64, 1000])
@pytest.mark.parametrize(("times", "nq", "nv"), [(2, 3, 3), (1001, 7, 7), (101, 37, 36), (100_001, 7, 6), (11, 0, 0)])
def test_chunks_have_four_megabytes_at_most(monkeypatch, part, times, nq, nv):
    """But for a single run that has more; the most of them that a part is made of."""
    made = {}

    def add_array(group, name, shape, dtype, dimensions, chunk=None):
        made[name] = shape, chunk

    monkeypatch.setattr(stream, "add_array", add_array)
    model = SimpleNamespace(nq=nq, nv=nv)
    job = SimpleNamespace(motion=SimpleNamespace(model=model), q=np.zeros((5, nq)), kept=np.zeros(times))
    stream._arrays(None, job, part, [])
    for name, count in (("q", nq), ("qd", nv)):
        shape, chunk = made[name]
        assert shape == (5, times, count) and chunk[1:] == (times, max(1, count))
    (rows, *_), one = made["qd"][1], 8 * times * max(1, nv)
    assert part % rows == 0 and (rows == 1 or rows * one <= 2**22)
    assert not [r for r in range(rows + 1, part + 1) if part % r == 0 and r * one <= 2**22]
