"""How a batch is cut: every row once, in whole blocks, with a workspace for each thread, by as many threads as pay; with native code and without."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ordern.model.thresholds import SLICE, TURN, WORTH
from ordern.program.ir import Node, Program
from ordern.runtime import entry, kernels, threads
from ordern.runtime.kernels import Kernel, _whole
from ordern.runtime.machine import native_lanes

RUN = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64)
SAME = Program("same", [Node("in", (), ("x", 0))], [0, Node("out", (0,), ("y", 0))], {"x": 1}, {"y": (1,)})


class Watched:
    """Machine code that only notes what it is asked for; one row may be bad."""

    def __init__(self, bad=-1, workspace=0):
        self.bad, self.workspace, self.taken, self.given, self.done = bad, workspace, [], [], []
        self.function = RUN(self._rows)
        self.code = SimpleNamespace(address=ctypes.cast(self.function, ctypes.c_void_p).value)

    def _rows(self, inputs, strides, outputs, space, first, last):
        words = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
        places = [ctypes.cast(x, ctypes.POINTER(ctypes.c_void_p)) for x in (inputs, outputs)]
        self.done.append((first, last, space, (places[0][0], places[0][1], places[1][0], words[0], words[1])))
        time.sleep(0.0005)  # for others to come
        return int(first <= self.bad < last)

    def space(self):
        self.taken.append(64 * (len(self.taken) + 1) if self.workspace else 0)
        return len(self.taken), self.taken[-1]

    def give_back(self, memory):
        self.given.append(memory)


@pytest.mark.parametrize("way", ["alone", "shared", "without native code"])
@pytest.mark.parametrize(
    ("rows", "count", "turn", "size"), [(1, 2, 4, 8), (97, 3, 4, 32), (64, 2, 8, 64), (100, 5, 2, 10**6)]
)
def test_every_row_once_and_bad_ones_are_told(way, rows, count, turn, size, monkeypatch):
    monkeypatch.setattr(threads, "native", lambda: way != "without native code")
    arrays, outs = [np.zeros((rows, 3)), np.zeros((rows, 8))[:, ::2]], [np.zeros((rows, 2))]
    for bad in (-1, 0, rows // 2, rows - 1, rows):
        ready = Watched(bad, workspace=100)
        job = threads.BatchJob(ready, arrays, outs, rows)
        fine = job.alone(size) if way == "alone" else job.shared(count, turn, size)
        assert fine == (not 0 <= bad < rows)
        assert sorted(row for first, last, *_ in ready.done for row in range(first, last)) == list(range(rows))
        assert {given for *_, given in ready.done} == {(*(a.ctypes.data for a in (*arrays, *outs)), 3, 8)}
        assert all(last - first <= size or way == "without native code" for first, last, *_ in ready.done)
        if way == "alone":
            assert len(ready.done) == -(-rows // size)
        else:
            assert all(first % turn == 0 or first % size == 0 for first, *_ in ready.done)
        assert sorted(ready.given) == list(range(1, len(ready.taken) + 1))  # all are given back
        assert {space for _, _, space, _ in ready.done} <= set(ready.taken)
        if way == "without native code":
            assert min(2, -(-rows // turn)) <= len(ready.done) <= count and len(
                {space for _, _, space, _ in ready.done}
            ) == len(ready.done)
        else:
            assert len(ready.taken) == (1 if way == "alone" else count)


@pytest.mark.parametrize("known", [True, False])
def test_structs_are_read_only_where_their_layout_is_known(known, monkeypatch):
    offset = threads._data_offset.__wrapped__
    monkeypatch.setattr(entry, "available", lambda: known)
    monkeypatch.setattr(threads, "_data_offset", offset)
    assert bool(offset()) == known
    array = np.zeros(5)[2:]
    if entry._layouts_hold() or not known:
        assert threads._address(array) == array.ctypes.data


def test_strides_may_be_given():
    rows = 5
    ready = Watched()
    threads.BatchJob(ready, [np.zeros((3, rows))] * 2, [np.zeros((2, rows))], rows, [rows, 7, rows]).alone(rows)
    assert [(first, last, space, given[3:]) for first, last, space, given in ready.done] == [(0, rows, None, (rows, 7))]


def test_as_many_follow_as_were_asked_for(monkeypatch):
    """The caller's own thread is one of them; without a workspace there are no places."""
    said = []
    pool = SimpleNamespace(start=lambda k: said.append(k), lead=lambda *job: said.append(job) or 0, address=7)
    monkeypatch.setattr(threads, "thread_pool", lambda: pool)
    monkeypatch.setattr(threads, "native", lambda: True)
    for workspace in (0, 64):
        said.clear()
        job = threads.BatchJob(Watched(workspace=workspace), [np.zeros((10, 1))], [np.zeros((10, 1))], 10)
        assert job.shared(3, 2, 6)
        followers, *parts = said
        assert followers == 2 and [part[6:] for part in parts] == [(0, 6, 2, 2), (6, 10, 2, 2)]
        for part in parts:
            assert (list(part[5]) == [64, 128, 192]) if workspace else part[5] is None


def test_rows_are_rounded_up_to_whole_blocks():
    for lanes in (1, 4, 8):
        for rows in (0.0, 0.7, 1, 3.9, 4, 5, 8, 9, 1000.5):
            made = _whole(rows, lanes)
            assert made % lanes == 0 and max(lanes, int(rows)) <= made < max(1, int(rows)) + lanes


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("most", [1, 2, 5, None])
def test_how_many_threads_a_batch_is_worth(columns, most, monkeypatch):
    """One for every 0.1 ms of work, up to as many as there may be; a thread that is alone starts no others."""
    cost, width, said = 100.0, native_lanes().width, []

    class Job:
        def __init__(self, ready, arrays, outs, rows, strides=None):
            assert strides == ([rows] * 2 if columns else None)
            self.rows = rows

        def alone(self, size):
            said.append((1, None, size))
            return True

        def shared(self, count, turn, size):
            said.append((count, turn, size))
            return True

    kernel = Kernel.of(SAME)
    ready = SimpleNamespace(width=width, cost=cost)
    kernel._made = kernel._columns = {1: ready, width: ready}
    monkeypatch.setattr(kernels, "BatchJob", Job)
    monkeypatch.setattr(kernels, "default_threads", lambda: 3)
    for rows in (width, int(WORTH / cost) - 1, int(WORTH / cost), int(2 * WORTH / cost), 10**5):
        x = np.zeros((1, rows) if columns else (rows, 1))
        assert (kernel.run_columns if columns else kernel.run)([x], [x.copy()], threads=most)
        count, turn, size = said.pop()
        assert count == min(3 if most is None else most, int(rows * cost / WORTH) + 1)
        assert size % width == 0 and 0 <= size * cost - count * SLICE < width * cost  # Ctrl-C is heard that often
        assert (turn is None) == (count == 1)
        assert turn is None or (turn % width == 0 and 0 <= turn * cost - TURN < width * cost)


def test_the_lanes_of_batches_are_those_of_the_processor():
    for dtype in ("float64", "float32"):
        made = []
        kernel = Kernel(lambda made=made: made.append(1) or SAME, SAME.inputs, SAME.outputs, dtype)
        assert kernel.width() == kernel.ready().width == native_lanes(dtype).width
        assert kernel.ready(1).width == 1 and kernel.ready(1) is kernel.ready(1) and len(made) == 1
        assert kernel._program is None  # with code for one state and for many the text is not needed any more
        assert kernel.source() and len(made) == 2


def test_one_state_has_code_of_its_own():
    """Of another text where there is one; a width that was asked for is kept, however many rows there are."""
    double = Program(
        "double",
        [Node("in", (), ("x", 0)), Node("mul", (0, 0))],
        [0, 1, Node("out", (1,), ("y", 0))],
        {"x": 1},
        {"y": (1,)},
    )
    both = replace(SAME, alone=lambda: double)
    kernel, many = Kernel.of(both), native_lanes().width
    assert ["fmul" in kernel.source(width=width) for width in (1, many, None)] == [True, False, False]
    for rows, width, wanted in ((1, None, 9.0), (2, None, 3.0), (1, many, 3.0), (2, 1, 9.0)):
        x, y = np.full((rows, 1), 3.0), np.zeros((rows, 1))
        kernel._past_caches = lambda outs, width=width: width and pytest.fail("a width was asked for")
        assert kernel.run([x], [y], width=width) and np.all(y == wanted)
    for rows in (1, many, many + 1):  # columns have one text
        x, y = np.full((1, rows), 3.0), np.zeros((1, rows))
        assert kernel.run_columns([x], [y]) and np.all(y == 3.0)
        assert set(kernel._columns) == {1, *([many] if rows >= many else [])}
    assert set(kernel._made) == {1, many}
    alone = Kernel.of(SAME)
    assert alone.run_columns([x], [y]) and alone._columns and alone._plain is None


def test_large_results_go_past_the_caches(monkeypatch):
    """From a width of a row and a size of the batch on, where every array begins at a whole line."""
    monkeypatch.setattr(kernels, "WIDE_ROW", 64)
    monkeypatch.setattr(kernels, "STREAMED", 6400)
    monkeypatch.setattr(kernels, "streamable", lambda sizes, lanes: sizes != [9, 7])
    kernel = Kernel(lambda: None, {"x": 1}, {"a": (5,), "b": (3,)})
    loads = []
    kernel._load = lambda width, lines: loads.append((width, lines)) or "lines"

    def chosen(sizes, rows, shift=0):
        kernel.sizes = sizes
        return kernel._past_caches([at_a_line((rows, size), shift * (k == 1)) for k, size in enumerate(sizes)])

    assert chosen([5, 2], 200) is None and chosen([5, 3], 100) is None  # narrow; few
    assert chosen([9, 7], 200) is None and chosen([5, 3], 200, shift=8) is None  # not in whole lines
    assert not loads
    assert chosen([5, 3], 101) == chosen([5, 3], 200) == "lines" and loads == [(native_lanes().width, True)]


def at_a_line(shape, shift):
    room = np.zeros(int(np.prod(shape)) * 8 + 128, np.uint8)
    begin = -room.ctypes.data % 64 + shift
    return room[begin : begin + int(np.prod(shape)) * 8].view(float).reshape(shape)


def test_changes_of_the_number_of_threads_are_told_to_all_who_listen():
    before, told = threads.threads(), []
    who = SimpleNamespace(update=lambda: told.append((threads.threads(), threading.get_ident())))
    try:
        listener = type("Listener", (), {"update": lambda self: who.update()})()
        threads.listen(listener)
        for k in (2, 3, 3):
            assert threads.threads(k) == k == threads.threads(None)
        assert told == [(k, threading.get_ident()) for k in (2, 3, 3)]
    finally:
        threads.threads(before)
