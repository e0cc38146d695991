"""Chunks of a store: whole runs, as many as make some 4 MB, and no part of a store ends amid one."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ordern.simulate import stream
from ordern.simulate.called import PythonSignal
from ordern.simulate.channels import Channel
from ordern.simulate.signals import Signal


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


def test_a_store_is_of_these_numbers_and_no_others():
    """States, times, parameters and signals: whichever of them is another, even in shape alone, makes another hash."""

    def inputs(**other):
        of = {"q": np.arange(4.0).reshape(2, 2), "v": np.ones((2, 2)), "times": np.array([0.0, 0.5, 1.0]), "kept": np.array([0.0, 1.0]),
              "values": np.array([1.0, 2.0]), "breaks": np.array([0.0, 1.0]), "coefficients": np.ones((1, 2, 3))} | other  # fmt: skip
        channels = {"a": Channel("v", of["values"]), "b": Channel("n", None, Signal(of["breaks"], of["coefficients"]))}
        channels["c"] = Channel("n", None, PythonSignal(lambda t: np.zeros(6), "link"))
        motion = SimpleNamespace(channels=channels)
        return stream._inputs(SimpleNamespace(q=of["q"], v=of["v"], times=of["times"], kept=of["kept"], motion=motion))

    others = [
        {"q": np.arange(4.0).reshape(4, 1)}, {"q": np.array([[0.0, 1.0], [2.0, 3.5]])},
        {"v": 2 * np.ones((2, 2))}, {"times": np.array([0.0, 0.4, 1.0])},
        {"kept": np.array([0.0, 0.5])}, {"values": np.array([1.0, 2.5])}, {"breaks": np.array([0.0, 1.5])}, {"coefficients": 2 * np.ones((1, 2, 3))},
    ]  # fmt: skip
    hashes = [inputs(), *(inputs(**other) for other in others)]
    assert len(set(hashes)) == len(hashes) and inputs() == hashes[0]
    assert inputs(q=[[0, 1], [2, 3]]) == hashes[0]  # whole numbers are the same numbers
