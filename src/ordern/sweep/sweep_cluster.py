"""Blocks as tasks of a Dask cluster: one of our own, closed to everybody else, or a scheduler by its address.

A Dask scheduler runs the code that it is sent, by whoever reaches its port. A cluster that is started here therefore
speaks TLS with keys made for it and kept in memory, listens on 127.0.0.1, and has no HTTP server. Whoever names a
scheduler of his own answers for it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import dask
import distributed

from ..errors import InputError, OrdernError, SimulationError, need
from ..report.tables import plain
from ..runtime.kernels import threads as usual_threads
from .sweep_folder import Folder
from .sweep_process import ATTEMPTS, make_block

__all__ = ["ANSWER", "run_tasks"]

WORKERS = (
    20  # Dask workers that may be lost over one block: these are killed by others, blocks have a process of their own
)
ANSWER = "10s"  # in which a scheduler must answer
# s that workers of our own may be missing; Dask replaces those that die, but not those that die while they start
RESTART = 15.0


class _Silent:
    """Without the HTTP server that Dask starts in every scheduler and worker."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Nothing."""


class LocalScheduler(_Silent, distributed.Scheduler):  # type: ignore[misc]
    """In this process."""


class LocalWorker(_Silent, distributed.Worker):  # type: ignore[misc]
    """A Dask worker in its own process."""


def _cluster(count: int) -> tuple[Any, Any]:
    """Workers of this machine that only this process can talk to."""
    need("cryptography", "sweep")
    keys = distributed.Security.temporary()
    common = {"host": "127.0.0.1", "protocol": "tls://", "security": keys, "dashboard": False}
    worker = {"cls": distributed.Nanny, "options": common | {
        "nthreads": 1, "memory_limit": None, "silence_logs": 50, "worker_class": LocalWorker, "dashboard_address": None,
    }}  # fmt: skip
    scheduler = {"cls": LocalScheduler, "options": common | {"port": 0}}
    return distributed.SpecCluster(
        scheduler=scheduler, workers=dict.fromkeys(range(count), worker), security=keys, silence_logs=50
    ), keys


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's tracebacks about losses; our own errors report those that matter."""
    loggers = [
        logging.getLogger(name)
        for name in ("distributed.client", "distributed.core", "distributed.comm", "distributed.utils", "tornado")
    ]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _client(where: str, workers: int | None, stack: ExitStack) -> Any:
    """A client of the scheduler at an address, or of one of our own."""
    if where == "local":
        # a worker that dies takes its block along, never the sweep: blocks are counted here, not by the scheduler
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 10**6}))
        try:
            cluster, keys = _cluster(workers or usual_threads())
            stack.enter_context(cluster)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"Dask's workers did not start ({plain(str(error))[:120]}); try again, or --engine local"
            ) from None
        return stack.enter_context(distributed.Client(cluster, security=keys))
    try:
        return stack.enter_context(distributed.Client(where if "://" in where else f"tcp://{where}", timeout=ANSWER))
    except (OSError, ValueError, TimeoutError) as error:
        start = f"start one with 'dask scheduler' and workers with 'dask worker {plain(where)}'"
        raise InputError(f"no Dask scheduler answers at {plain(where)} ({plain(str(error))[:120]}); {start}") from None


def run_tasks(
    where: str,
    folder: Folder,
    todo: list[int],
    progress: Callable[[float], None],
    workers: int | None,
    patience: float,
    aside: dict[int, str],
) -> bool:
    """Run all blocks, replacing our own cluster if it lost workers for good; False if stopped."""
    lost: dict[int, int] = {}
    begun = False
    try:
        while todo:
            with ExitStack() as stack:
                stack.enter_context(_quiet())
                client = _client(where, workers, stack)
                begun = True
                _Tasks(client, folder, patience, lost, aside).run(
                    todo, progress, len(client.nthreads()) if where == "local" else 0
                )
            todo = [b for b in folder.missing() if b not in aside]
    except KeyboardInterrupt:
        return False
    except OrdernError:
        raise
    except Exception as error:  # Dask has many words for a scheduler that has gone
        if not begun:
            raise
        text = f"{type(error).__name__}: {plain(str(error))[:120]}"
        raise SimulationError(
            f"the Dask scheduler at {plain(where)} does not answer any more ({text}); what is done is kept, the same "
            "command goes on"
        ) from None
    return True


class _Tasks:
    """A few blocks for each worker under way at a time."""

    def __init__(
        self, client: Any, folder: Folder, patience: float, lost: dict[int, int], aside: dict[int, str]
    ) -> None:
        self.client, self.folder, self.patience, self.lost, self.aside = client, folder, patience, lost, aside
        self.under_way: dict[Any, int] = {}
        self.turn = 0

    def submit(self, block: int | None) -> None:
        """Submit the next block, if any."""
        if block is not None:
            self.turn += 1
            known = self.folder.study.hash
            key = f"ordern-{known[:12]}-{block}-{self.turn}"
            self.under_way[
                self.client.submit(make_block, str(self.folder.path), known, block, self.patience, key=key, pure=False)
            ] = block

    def run(self, todo: list[int], progress: Callable[[float], None], wanted: int) -> None:
        """Until all are done or set aside; ends early when fewer workers than wanted have been there for long."""
        waiting, left = iter(todo), len(todo)
        for _ in range(4 * max(1, sum(self.client.nthreads().values()))):
            self.submit(next(waiting, None))
        seen = time.monotonic()
        while self.under_way:
            try:
                done = distributed.wait(list(self.under_way), timeout=1.0, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                done = ()
            if self.client.status != "running":
                raise OSError("the connection is lost")
            for future in done:
                block = self.under_way.pop(future)
                if self._again(future, block):
                    self.submit(block)
                else:
                    left -= 1
                    progress(1 - left / self.folder.study.blocks)
                    self.submit(next(waiting, None))
            if len(self.client.nthreads()) >= wanted:
                seen = time.monotonic()
            elif time.monotonic() - seen > RESTART:
                return

    def _again(self, future: Any, block: int) -> bool:
        """Whether a block must be tried again; lost processes are borne with, errors of the study are not."""
        if future.status == "finished":
            try:
                how = future.result(timeout=RESTART)
            except TimeoutError:  # whoever held the answer was killed since, and nobody is left to make it again
                return self._count(block, "its Dask workers died", 1 / WORKERS)
            if how is None:
                return False
            return self._count(block, how, 1 / ATTEMPTS)
        error = future.exception() if future.status == "error" else None
        if error is None or isinstance(
            error, distributed.scheduler.KilledWorker
        ):  # None: the answer was lost with who held it
            return self._count(block, "its Dask workers died", 1 / WORKERS)
        raise (
            error
            if isinstance(error, OrdernError)
            else SimulationError(f"block {block}: {type(error).__name__}: {plain(str(error))[:300]}")
        )

    def _count(self, block: int, how: str, share: float) -> bool:
        self.lost[block] = self.lost.get(block, 0) + 1
        if self.lost[block] * share < 1:
            return True
        self.aside[block] = how
        return False
