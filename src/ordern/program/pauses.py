"""While a program is written down, Python does not look for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["pauses", "uncollected"]

pauses: list[int] = []  # one entry for each thread that has switched the collector of garbage off for a moment


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the cyclic garbage collector, which would take a quarter to half of a trace for nothing."""
    enabled = gc.isenabled()
    if enabled:
        pauses.append(0)
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            del pauses[-1:]
