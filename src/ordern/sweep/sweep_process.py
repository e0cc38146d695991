"""A block in a process of its own, so that one that crashes, runs out of memory or never ends takes neither the sweep
nor the others with it.

The process is told numbers of blocks on its input and answers in lines of JSON: ready, a share that is done, done,
lost, or an error. It ends with its input, that is with whoever started it, however that ended.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import errors
from ..errors import OrdernError, SimulationError

__all__ = ["ATTEMPTS", "PATIENCE", "BlockProcess", "Lost", "make_block"]

ATTEMPTS = 3  # processes that a block may cost before it is set aside
PATIENCE = (
    600.0  # s without progress after which a process hangs; compiling a robot of thousands of joints takes a minute
)
START = 120.0  # s in which a process must be ready
LOOK = 0.1  # s between two looks at the clock and at who wants to stop
TOLD = 0.05  # s between two shares that are told


class Lost(Exception):
    """A block's process ended or hung; says how."""


class BlockProcess:
    """One process that makes blocks of one folder, one after the other; started when wanted and again after a loss."""

    def __init__(self, path: str, wanted: str) -> None:
        self.path, self.wanted = path, wanted
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def make(self, block: int, told: Callable[[float], None], patience: float = PATIENCE) -> None:
        """The block, committed; Lost if the process was lost over it. What ``told`` raises ends the process."""
        try:
            self._start(told)
            self._say(f"{block}\n")
            self._wait("done", told, patience)
        except BaseException:
            self.close()
            raise

    def _start(self, told: Callable[[float], None]) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        root = str(Path(__file__).resolve().parents[2])
        search = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._lines = queue.SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603 - this Python, this package, a folder and a hash
            # -P: nothing is imported from the folder that the user stands in, which may be anybody's
            [sys.executable, "-P", "-m", "ordern.sweep.sweep_process", self.path, self.wanted],
            env={**os.environ, "PYTHONPATH": search},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()
        self._wait("ready", lambda share: told(0.0), START)

    def _say(self, text: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
        except OSError:
            raise Lost(self._how()) from None

    def _wait(self, word: str, told: Callable[[float], None], patience: float) -> None:
        share, seen = 0.0, time.monotonic()
        while True:
            try:
                line = self._lines.get(timeout=LOOK)
            except queue.Empty:
                told(share)
                if time.monotonic() - seen > patience:
                    raise Lost(f"no progress for {patience:g} s") from None
                continue
            if line is None:
                raise Lost(self._how())
            said = json.loads(line)
            if word in said:
                return
            if "lost" in said:
                raise Lost(said["lost"])
            if "error" in said:
                raise _error(said)
            if said.get("share", 0.0) > share:
                share, seen = said["share"], time.monotonic()
            told(share)

    def _how(self) -> str:
        """How the process ended."""
        assert self._process is not None
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            return "it stopped answering"
        if code >= 0:
            return f"the process ended with code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        continue


def _listen(pipe: Any, lines: queue.SimpleQueue[str | None]) -> None:
    try:
        for line in pipe:
            lines.put(line)
    except (OSError, ValueError):  # closed meanwhile
        pass
    lines.put(None)


def _error(said: dict[str, Any]) -> OrdernError:
    kind = getattr(errors, str(said["error"]), None)
    known = isinstance(kind, type) and issubclass(kind, OrdernError)
    return kind(said["text"]) if known else SimulationError(f"{said['error']}: {said['text']}")  # type: ignore[misc]


_own = threading.local()


def make_block(path: str, wanted: str, block: int, patience: float = PATIENCE) -> str | None:
    """A Dask worker's task: the block in this thread's process; the reason if it was lost, else None."""
    own: BlockProcess | None = getattr(_own, "process", None)
    if own is None or (own.path, own.wanted) != (path, wanted):
        if own is not None:
            own.close()
        own = _own.process = BlockProcess(path, wanted)
    try:
        own.make(block, lambda share: None, patience)
    except Lost as lost:
        return str(lost)
    return None


def main(path: str, wanted: str) -> None:
    """The process: blocks until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to act on
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    blocks: queue.SimpleQueue[int] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            blocks.put(int(line))
        os._exit(0)  # in the middle of a block too: nothing of it is kept

    def say(**words: object) -> None:
        try:
            out.write(json.dumps(words) + "\n")
        except OSError:
            os._exit(0)

    from .sweep import run_block

    threading.Thread(target=listen, daemon=True).start()
    say(ready=True)
    last = 0.0

    def told(share: float) -> None:
        nonlocal last
        if time.monotonic() - last > TOLD:
            last = time.monotonic()
            say(share=share)

    while True:
        block = blocks.get()
        try:
            run_block(path, wanted, block, told)
            say(done=block)
        except MemoryError as error:  # of this block: others may need less
            say(lost=f"out of memory: {error}"[:300].rstrip(": "))
        except Exception as error:
            say(error=type(error).__name__, text=str(error)[:2000])


if __name__ == "__main__":
    main(*sys.argv[1:3])
