"""Locks that a forked child can use.

A child of ``os.fork`` has one thread. A lock that another thread held at that moment stays held in the child for ever,
and whatever that thread was changing stays half changed. So LLVM, which keeps state of its own behind its functions, is
waited for before a fork (``quiet``), and every other lock here is a new one in the child: what it guards is changed in
one assignment, which has been made or has not.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from functools import cached_property
from types import TracebackType
from typing import Any

from ..program.pauses import pauses

__all__ = ["ForkLock", "quiet"]

_all: weakref.WeakSet[ForkLock] = weakref.WeakSet()


class ForkLock:
    """A reentrant lock, free in a forked child."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _all.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def renew(self) -> None:
        """In the child."""
        self._lock = threading.RLock()


held: list[Any] = []  # llvmlite's lock, while a fork is made
quiet = threading.RLock()  # held by whoever talks to LLVM, and by whoever forks


def _theirs() -> Any:
    """The lock of llvmlite, which it holds in every call, in those that free memory too; None before it is imported."""
    return getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)


def _before() -> None:
    quiet.acquire()  # first ours, then theirs, as in every compile
    theirs = _theirs()
    if theirs is not None:
        theirs.__enter__()
    held.append(theirs)


def _parent() -> None:
    theirs = held.pop()
    if theirs is not None:
        theirs.__exit__(None, None, None)
    quiet.release()


def _renew_properties() -> None:
    """Up to Python 3.11, cached properties of all objects of a class are computed under one lock."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == __name__.partition(".")[0]:
            for found in [x for c in vars(module).values() if isinstance(c, type) for x in vars(c).values()]:
                if isinstance(found, cached_property) and "lock" in vars(found):
                    vars(found)["lock"] = threading.RLock()


def _child() -> None:
    for lock in list(_all):
        lock.renew()
    _renew_properties()
    _parent()  # the forking thread, which is this one, holds both
    if pauses:  # a thread that is not here would have switched it on again
        gc.enable()
        pauses.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_parent, after_in_child=_child)
