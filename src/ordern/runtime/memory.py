"""Memory for large results.

The system hands out fresh pages one by one and zeroes them, which takes longer than many a kernel needs to fill them;
so memory of large results that nobody holds any more is kept for the next one. Small results are NumPy's own business:
malloc reuses them.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..emit.llvm.lanes import LINE
from ..errors import InputError

__all__ = ["HUGE", "LARGE", "empty"]

HUGE = 2**23  # bytes; results of this size always come from here, also those of the fast way in
LARGE = 2**18  # bytes; below that malloc keeps what it has, above it may give pages back after every call
KEPT = 3 * 2**26  # bytes kept at most

_idle: list[Any] = []  # blocks that nobody uses, the one given back last at the end


def empty(shape: Sequence[int], dtype: str | np.dtype[Any]) -> Any:
    """Like np.empty; large arrays come from memory of earlier ones where that fits."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    if size < LARGE:
        return np.empty(shape, dtype)
    block = _taken(size)
    if block is None:
        # at a whole line of memory, as kernels that write past the caches want it
        try:
            block = np.empty(size + LINE, np.uint8)
        except (MemoryError, ValueError):  # the latter for more than addresses can tell
            raise InputError(
                f"a result of shape {tuple(shape)} takes {size / 2**30:.3g} GB, which are not to be had; ask for fewer "
                "states at once"
            ) from None
        block = block[-block.ctypes.data % LINE :]
    # arrays hold on to whatever lent them memory, but look through arrays and memoryviews; so this must be neither
    owner = (ctypes.c_char * block.nbytes).from_buffer(block)
    weakref.finalize(owner, _given_back, block).atexit = False
    return np.ndarray(shape, dtype, buffer=owner)


def _taken(size: int) -> Any:
    for k in range(len(_idle) - 1, -1, -1):
        try:
            if size <= _idle[k].nbytes <= size + size // 4:
                return _idle.pop(k)
        except IndexError:  # another thread was quicker
            return None
    return None


def _given_back(block: object) -> None:
    _idle.append(block)
    while sum(b.nbytes for b in list(_idle)) > KEPT:
        try:
            _idle.pop(0)
        except IndexError:
            return
