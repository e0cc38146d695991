"""Runs of pytest in children of a process that has already imported what most tests need: half of a short run is imports.

Nothing of ordern and no test is imported here, so every child reads the package as it is on disk when the child begins.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
MODULES = ("numpy", "hypothesis", "llvmlite.binding", "scipy.integrate", "scipy.optimize", "scipy.spatial.transform", "mpmath", "sympy",
           "pinocchio", "mujoco", "casadi", "pandas", "coverage")  # fmt: skip


class Ended(NamedTuple):
    """How a run ended: its exit code (None if it had to be stopped), what it printed, s of the processor."""

    code: int | None
    text: str
    seconds: float


class Runner:
    """Such a process; started when it is first asked."""

    process: subprocess.Popen | None = None

    def __call__(self, source: Path, options: list[str], limit: float, cache: Path, record: str = "") -> Ended:
        """Pytest with the package that stands in ``source``, for so many seconds of the processor; ``record``: where to write what it ran."""
        if self.process is None:
            line = [sys.executable, str(Path(__file__).resolve())]
            self.process = subprocess.Popen(
                line, cwd=HERE.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self.process.stdin and self.process.stdout
        print(json.dumps([str(source), options, limit, str(cache), record]), file=self.process.stdin, flush=True)
        return Ended(*json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        if self.process is not None and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()


def _child(source: str, options: list[str], limit: float, cache: str, record: str) -> int:
    """What the child does; its exit code."""
    import pytest

    os.environ |= {"PYTHONPATH": os.pathsep.join((source, str(HERE))), "ORDERN_CACHE": cache}
    sys.path[:0] = [source, str(HERE)]
    sys.dont_write_bytecode = False  # else every run would compile the whole package
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
    if not record:
        return int(pytest.main(options))
    from covered import Plugin

    return int(pytest.main(options, plugins=[Plugin(Path(source) / "ordern", Path(record))]))


def _run(request: list[Any]) -> Ended:
    """A child in a session of its own, which ends with it."""
    limit = request[2]
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if not child:
            os.setsid()
            for stream in (1, 2):
                os.dup2(printed.fileno(), stream)
            with open(os.devnull) as nothing:
                os.dup2(nothing.fileno(), 0)
            code = 3
            try:
                code = _child(*request)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        # what waits for something that never comes uses no processor
        end, status, used = time.monotonic() + 2 * limit + 30, 0, None
        while used is None:
            if time.monotonic() > end:
                os.killpg(child, signal.SIGKILL)
            done, status, usage = os.wait4(child, os.WNOHANG)
            used = usage if done else time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it left behind
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    return Ended(None if stopped else os.waitstatus_to_exitcode(status), text, used.ru_utime + used.ru_stime)


def main() -> None:
    """Answer requests, a line each, until there are no more."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("ORDERN_QUIET", "1")
    for name in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    importlib.import_module("pytest")
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        print(json.dumps(_run(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
