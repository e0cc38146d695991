"""Batches cut into slices that threads take one after the other, with the interpreter free for others and Ctrl-C heard in between."""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, Protocol

from ..errors import InputError

__all__ = ["Job", "listeners", "threads"]


class _Listener(Protocol):
    def update(self) -> None: ...


listeners: weakref.WeakSet[_Listener] = weakref.WeakSet()  # told when the number of threads changes


def _usable() -> int:
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


_threads: int | None = None
_PATIENCE = 100  # looks, about a microsecond each, before a thread that waits for others goes to sleep: waking it up takes 50


def threads(k: int | None = None) -> int:
    """How many threads batches use; with a number, from now on. The default is the number of usable cores."""
    global _threads
    if k is not None:
        if isinstance(k, bool) or int(k) != k or k < 1:
            raise InputError(f"threads: {k!r} is not a number of threads; give a whole number from 1 up")
        _threads = int(k)
        for made in list(listeners):
            made.update()
    if _threads is None:
        _threads = _usable()
    return _threads


class _Pool:
    """Threads that wait for jobs; more are started as they are wanted."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.started = 0
        self.lock = threading.Lock()

    def submit(self, job: Callable[[], None], count: int) -> None:
        with self.lock:
            while self.started < count:
                threading.Thread(target=self._work, name="ordern", daemon=True).start()
                self.started += 1
        for _ in range(count):
            self.jobs.put(job)

    def _work(self) -> None:
        while True:
            self.jobs.get()()


_pool = _Pool()


def _after_fork() -> None:
    global _pool
    _pool = _Pool()  # threads do not survive a fork


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _address(a: Any) -> int:
    """Where an array's numbers lie. ``a.ctypes.data`` takes microseconds; the struct, once its layout has been checked, does not."""
    return int(ctypes.c_int64.from_address(id(a) + _data_offset()).value) if _data_offset() else int(a.ctypes.data)


@lru_cache(maxsize=1)
def _data_offset() -> int:
    from ..emit import entry as fast

    return fast.DATA if fast.available() else 0


class Job:
    """One batch, cut into slices that threads take one after the other."""

    def __init__(self, ready: Any, arrays: Sequence[Any], outs: Sequence[Any], rows: int) -> None:
        self.ready, self.rows, self.size = ready, rows, rows
        self.keep = (arrays, outs)
        self.inputs = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        self.strides = (ctypes.c_int64 * len(arrays))(*[a.strides[0] // a.itemsize for a in arrays])
        self.outputs = (ctypes.c_void_p * len(outs))(*map(_address, outs))
        self.turn = itertools.count()
        self.bad, self.stop = False, False
        self.error: BaseException | None = None

    def start(self, count: int) -> bool:
        """Run it on so many threads; whether every result is finite."""
        if count <= 1:
            self._slices()
            return not self.bad
        done = threading.Semaphore(0)

        def help_out() -> None:
            try:
                self._slices()
            except BaseException as error:
                self.error = error
            finally:
                done.release()

        _pool.submit(help_out, count - 1)
        waiting = count - 1
        try:
            self._slices()
            for _ in range(_PATIENCE):
                if not waiting:
                    break
                if done.acquire(blocking=False):
                    waiting -= 1
                else:
                    time.sleep(0)  # lets the others have the interpreter
            while waiting:
                done.acquire()
                waiting -= 1
        finally:  # also after Ctrl-C: no thread may still write into the caller's arrays
            self.stop = True
            while waiting:
                done.acquire()
                waiting -= 1
        if self.error is not None:
            raise self.error
        return not self.bad

    def _slices(self) -> None:
        memory, space = self.ready.space()
        function, size, rows = self.ready.function, self.size, self.rows
        while not self.stop:
            first = next(self.turn) * size
            if first >= rows:
                break
            if function(self.inputs, self.strides, self.outputs, space, first, min(first + size, rows)):
                self.bad = True
        self.ready.give_back(memory)
