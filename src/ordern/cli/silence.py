"""A line on the error stream when a command is silent for long: what runs, and since when."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import plain

__all__ = ["EVERY", "at_work"]

FIRST = 1.0  # s without a word before the first line
EVERY = 10.0  # s between two lines of progress


class _Heard:
    """A stream that notes when something was written; all else is the stream's own."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.last: float | None = None

    def write(self, text: str) -> Any:
        self.last = time.monotonic()
        return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def at_work(given: Sequence[str]) -> Iterator[None]:
    """While this runs, a silent command is told about: after FIRST seconds, then every EVERY.

    A result on the standard output ends it: what follows is more of that, or a page that is served until it is stopped.
    ``ORDERN_QUIET=1`` leaves it out.
    """
    if os.environ.get("ORDERN_QUIET", "").strip() in ("1", "on", "yes", "true"):
        yield
        return
    out, err = _Heard(sys.stdout), _Heard(sys.stderr)
    begin, over = time.monotonic(), threading.Event()

    def watch() -> None:
        # it imports nothing: if two threads import and Ctrl-C comes amid that, both may wait for ever
        name = plain(" ".join(word for word in given[:2] if not word.startswith("-"))[:80])
        pause = FIRST
        while not over.wait(pause):
            now = time.monotonic()
            if out.last is not None:
                return
            pause = EVERY - (now - err.last) if err.last is not None else 0.0
            if pause <= 0:
                err.write(f"ordern: {name}: at work for {now - begin:.0f} s; Ctrl-C stops it\n")
                err.flush()
                pause = EVERY

    sys.stdout, sys.stderr = out, err
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        sys.stdout, sys.stderr = out.stream, err.stream
