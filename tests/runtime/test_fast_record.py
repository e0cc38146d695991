"""What the record of a fast way in says: which machine code serves what, and when others may run or help meanwhile."""

from __future__ import annotations

import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import ordern
from ordern.model.thresholds import HELD
from ordern.program.ir import Node, Program
from ordern.runtime import entry as fast
from ordern.runtime import fast_entry
from ordern.runtime.kernels import Kernel
from ordern.runtime.native_threads import MOST

pytestmark = pytest.mark.skipif(not fast.available(), reason="there is no fast way in")
WIDTH, COST = 8, 50.0


def record_of(monkeypatch, outputs=((3,),), made=(1, WIDTH), workspace=0, columns=False, threads=3, cost=COST):
    """The record of a kernel whose machine code of these widths was made."""
    monkeypatch.setattr(fast_entry, "threads", lambda: threads)
    monkeypatch.setattr(fast_entry, "listen", lambda who: None)
    monkeypatch.setattr(fast_entry, "thread_pool", lambda: SimpleNamespace(address=77, lead_address=78))
    codes = {
        width: SimpleNamespace(
            workspace=workspace,
            cost=cost,
            code=SimpleNamespace(address=100 + width),
            space=lambda w=width: (None, 10 * w),
        )
        for width in made
    }
    kernel = SimpleNamespace(
        outputs=dict(enumerate(outputs)), sizes=[3] * len(outputs), _made=codes, _columns=codes, _lock=threading.RLock(),
        width=lambda: WIDTH,
    )  # fmt: skip
    record = fast.Record([3], list(outputs), "float64")
    record["columns"] = columns
    owner = fast_entry._Fast(kernel, record, columns)
    owner.update()
    assert owner.known == (len(made), threads)
    return record


def test_widths_have_their_code_and_space(monkeypatch):
    record = record_of(monkeypatch)
    assert (record["single"], record["batch"], record["single_space"], record["batch_space"]) == (101, 108, 10, 80)
    assert record["least_rows"] == 0
    one = record_of(monkeypatch, made=(1,))  # which serves a batch of one, too
    assert (one["single"], one["batch"], one["most_rows"], one["held_rows"], one["helpers"]) == (101, 101, 1, 1, 0)
    assert one["batch_space"] == one["single_space"] == 10
    other = record_of(monkeypatch, made=(4,))  # of a width that somebody asked for
    assert (other["single"], other["batch"]) == (0, 0)


def test_a_number_among_several_results_of_one_state_is_no_array(monkeypatch):
    several = record_of(monkeypatch, outputs=((3,), ()), made=(1,))
    assert (several["single"], several["batch"], several["most_rows"], several["held_rows"]) == (0, 101, 1, 1)
    assert record_of(monkeypatch, outputs=((),))["single"] == 101


def test_columns_are_for_whole_blocks(monkeypatch):
    record = record_of(monkeypatch, columns=True)
    assert (record["single"], record["batch"], record["least_rows"]) == (0, 108, WIDTH)
    assert record_of(monkeypatch, columns=True, made=(1,))["batch"] == 0


def test_a_batch_of_one_takes_the_fast_way_alone_and_before_larger_ones():
    """Not only where a larger batch has had machine code made."""
    rows = []
    for before in ((), (3,)):
        robot = ordern.load("planar3")
        for quantity in ("inverse_dynamics", "forward_dynamics_derivatives", "kinetic_energy"):
            call, slow = getattr(robot, quantity), []
            values = np.random.default_rng(0).normal(size=(3, 5, 3))[: 2 if quantity == "kinetic_energy" else 3]
            for count in (*before, 1, 1):
                call(*values[:, :count])
            found = next(c for k, c in robot._calls.items() if k[0] == quantity)
            found._plain = lambda arrays, s=slow: s.append(len(arrays[0]))  # where all others go first
            made = call(*values[:, :1])
            alone = call(*values[:, 0])
            assert not slow, (quantity, before)
            for one, whole in zip(*((x if isinstance(x, tuple) else (x,)) for x in (made, alone)), strict=True):
                assert np.shape(one) == (1, *np.shape(whole)) and np.array_equal(one[0], whole)
            rows.append(made)


@pytest.mark.parametrize("workspace", [0, 4096])
def test_a_workspace_that_all_share_lets_nobody_else_run(monkeypatch, workspace):
    """Neither another thread of Python's, for as many rows as there may be, nor helpers."""
    record = record_of(monkeypatch, workspace=workspace)
    assert record["held_rows"] == (2**62 if workspace else int(HELD / COST))
    assert record["helpers"] == (0 if workspace else 2)
    assert record["lead"] == (0 if workspace else 78)
    assert (record["pool"] == 77) == (not workspace)


@pytest.mark.parametrize(("threads", "helpers"), [(1, 0), (2, 1), (MOST + 1, MOST), (MOST + 9, MOST)])
def test_helpers(monkeypatch, threads, helpers):
    assert record_of(monkeypatch, threads=threads)["helpers"] == helpers


def test_rows_that_take_long_are_let_go_one_by_one(monkeypatch):
    record = record_of(monkeypatch, cost=1e9)
    assert record["held_rows"] == record["most_rows"] == 1


@pytest.mark.parametrize(
    ("inputs", "shapes", "quick"),
    [
        (0, [(3,)], False), (1, [(3,)], True), (8, [(3,)], True), (9, [(3,)], False), (1, [(3,)] * 8, True), (1, [(3,)] * 9, False),
        (1, [(2, 2, 2)], True), (1, [(2, 2, 2, 2)], False), (1, [(3,), (0,)], False), (1, [()], True),
    ],
)  # fmt: skip
def test_which_kernels_have_a_fast_way(inputs, shapes, quick):
    """Up to eight arrays in and out, of up to three axes each, none of them empty."""
    sizes = [math.prod(shape) for shape in shapes]
    kernel = SimpleNamespace(
        inputs={f"x{k}": 3 for k in range(inputs)}, outputs=dict(enumerate(shapes)), sizes=sizes, dtype="float64", _made={}, _columns={},
        _lock=threading.RLock(), width=lambda: WIDTH,
    )  # fmt: skip
    calls = []
    made = fast_entry.entry(kernel, calls.append)
    assert (made is not calls.append and made != calls.append) == quick


@pytest.mark.parametrize("shapes", [[()], [(3,)], [(2, 3)], [(3,), (3,)], [(), ()]])
@pytest.mark.parametrize(("into", "columns"), [(False, False), (True, False), (True, True)])
def test_what_a_way_in_makes_and_takes(monkeypatch, shapes, into, columns):
    """An array for the result is taken where there is one result and it has axes; several are allocated row by row or side by side."""
    kernel = SimpleNamespace(
        inputs={"x": 3}, outputs=dict(enumerate(shapes)), sizes=[math.prod(shape) for shape in shapes], dtype="float32", _made={}, _columns={},
        _lock=threading.RLock(), width=lambda: WIDTH,
    )  # fmt: skip
    monkeypatch.setattr(fast, "builtin", lambda record, slow, owners: record)
    named, wrap = type("Named", (tuple,), {}), len
    record = fast_entry.entry(kernel, print, wrap, named, into, columns)
    assert record["takes_out"] == (into and len(shapes) == 1 and shapes[0] != ())
    assert (record["columns"], record["named"], record["wrap"]) == (columns, id(named), id(wrap))
    made = record.held["allocate"](5)
    assert [a.shape for a in made] == [(*shape, 5) if columns else (5, *shape) for shape in shapes]
    assert all(a.dtype == "float32" for a in made)
    bare = fast_entry.entry(kernel, print)
    assert bare["named"] == bare["wrap"] == 0 and set(bare.held) == {"allocate"}


def test_a_record_follows_what_is_made_and_how_many_threads_there_are():
    """Each call of the slow way may have made machine code; a change of the number of threads is told."""
    before = ordern.threads()
    kernel = Kernel.of(
        Program("same", [Node("in", (), ("x", 0))], [0, Node("out", (0,), ("y", 0))], {"x": 1}, {"y": (1,)})
    )
    out = np.empty((20, 1))
    made = fast_entry.entry(kernel, lambda x: kernel.run([np.atleast_2d(x)], [out[: len(np.atleast_2d(x))]]))
    record = made.__self__[2]
    try:
        for k, (state, code) in enumerate([(np.ones(1), "single"), (np.ones((20, 1)), "batch")]):
            assert record[code] == (0 if k == 0 else record["single"])  # that of one state serves a batch of one
            made(state)
            assert record[code] == kernel.ready(1 if k == 0 else None).code.address
        for count in (4, 1, 2):
            ordern.threads(count)
            assert record["helpers"] == count - 1
    finally:
        ordern.threads(before)
