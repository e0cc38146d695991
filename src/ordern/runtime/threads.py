"""How many threads there are, and batches cut so that threads share them, with the interpreter free for others and
Ctrl-C heard in between.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from numbers import Integral
from typing import Any, Protocol

from ..errors import InputError
from .entry import native
from .native_threads import thread_pool

__all__ = ["BatchJob", "listen", "listeners", "threads"]


class _Listener(Protocol):
    def update(self) -> None: ...


listeners: weakref.WeakSet[_Listener] = weakref.WeakSet()  # told when the number of threads changes
_changing = threading.RLock()


def listen(who: _Listener) -> None:
    """Have somebody told, from now on."""
    with _changing:
        listeners.add(who)


def _usable() -> int:
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


_threads: int | None = None


def threads(k: int | None = None) -> int:
    """How many threads batches use; with a number, from now on. The default is the number of usable cores."""
    global _threads
    if k is None and _threads is not None:
        return _threads
    if k is not None:
        if isinstance(k, bool) or not isinstance(k, Integral) or not 1 <= k < 2**20:
            raise InputError(f"threads: {k!r} is not a number of threads; give a whole number from 1 up")
        with _changing:  # one after the other: whoever is told must be told the number that holds in the end
            _threads = int(k)
            for made in list(listeners):
                made.update()
            return _threads
    _threads = _usable()
    return _threads


def _address(a: Any) -> int:
    """Where an array's numbers lie. ``a.ctypes.data`` takes microseconds; the struct, once its layout has been checked,
    does not.
    """
    return int(ctypes.c_int64.from_address(id(a) + _data_offset()).value) if _data_offset() else int(a.ctypes.data)


@lru_cache(maxsize=1)
def _data_offset() -> int:
    from . import entry as fast

    return fast.DATA if fast.available() else 0


class BatchJob:
    """One batch."""

    def __init__(
        self, ready: Any, arrays: Sequence[Any], outs: Sequence[Any], rows: int, strides: Sequence[int] | None = None
    ) -> None:
        self.ready, self.rows = ready, rows
        self.keep = (arrays, outs)
        self.inputs = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        apart = [a.strides[0] // a.itemsize for a in arrays] if strides is None else strides
        self.strides = (ctypes.c_int64 * len(apart))(*apart)
        self.outputs = (ctypes.c_void_p * len(outs))(*map(_address, outs))

    def alone(self, size: int) -> bool:
        """Run it on this thread, with a look at signals after every ``size`` rows; whether every result is finite."""
        memory, space = self.ready.space()
        function, bad = self.ready.function, 0
        for first in range(0, self.rows, size):
            bad |= function(self.inputs, self.strides, self.outputs, space, first, min(first + size, self.rows))
        self.ready.give_back(memory)
        return not bad

    def shared(self, count: int, turn: int, size: int) -> bool:
        """Run it on so many threads, which take ``turn`` rows or more at a time."""
        if not native():
            return self._by_pool(count, turn)
        pool = thread_pool()
        pool.start(count - 1)
        spaces = [self.ready.space() for _ in range(count)]
        places = (ctypes.c_void_p * count)(*[place for _, place in spaces]) if self.ready.workspace else None
        bad, function = 0, self.ready.code.address
        for first in range(0, self.rows, size):
            last = min(first + size, self.rows)
            bad |= pool.lead(
                pool.address, function, self.inputs, self.strides, self.outputs, places, first, last, turn, count - 1
            )
        for memory, _ in spaces:
            self.ready.give_back(memory)
        return not bad

    def _by_pool(self, count: int, turn: int) -> bool:
        """The same on Python's threads, which lets the interpreter go while machine code runs: a share of the rows for
        each, in whole turns.
        """
        share = -(-self.rows // (count * turn)) * turn

        def part(first: int) -> int:
            memory, space = self.ready.space()
            bad = self.ready.function(
                self.inputs, self.strides, self.outputs, space, first, min(first + share, self.rows)
            )
            self.ready.give_back(memory)
            return int(bad)

        with ThreadPoolExecutor(count) as pool:
            bad = list(pool.map(part, range(0, self.rows, share)))  # any() of the map would stop at the first bad part
        return not any(bad)
