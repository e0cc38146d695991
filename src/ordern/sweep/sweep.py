"""Sweeps: thousands of runs from one study, on the cores of this machine or on a Dask cluster, resumable at any moment.

Runs are divided into blocks, each one call of the compiled integrator. The worker that made a block commits it to the folder before it
says so; what is in the folder is the only state there is. So a killed worker or driver loses the blocks under way and nothing else, and the
same call goes on with what is missing. Blocks and their numbers are fixed by the study: engine, number of workers, order and interruptions
leave no trace in the results.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, OrdernError, SimulationError, need
from ..report.tables import Table, plain
from ..runtime.kernels import threads as usual_threads
from ..simulate.run import Run
from .study import Study, read
from .sweep_block import MOTION, figures, simulate_block
from .sweep_folder import FORMATS, Folder, opened

__all__ = ["Result", "load", "motion", "run_block", "sweep"]

Array = Any
PATIENCE = 20  # workers that may be lost over one block before it is taken for the culprit
ANSWER = "10s"  # in which a scheduler must answer
RESTART = 15.0  # s that workers of our own may be missing; Dask replaces those that die, but not those that die while they start


@dataclass(frozen=True)
class Result:
    """What a sweep has made.

    Attributes:
        folder: where it is kept.
        columns: the table: run, what was swept, status, figures; one row a run.
        files: tables that were written.
        made: how many blocks this call has made.
        damaged: blocks whose files had been damaged and were made anew.
    """

    folder: Folder
    columns: dict[str, Array]
    files: tuple[str, ...] = ()
    made: int = 0
    damaged: tuple[int, ...] = ()

    @property
    def runs(self) -> int:
        """How many rows there are."""
        return len(self.columns.get("run", ()))

    @property
    def complete(self) -> bool:
        """Whether all runs of the study are there."""
        return self.runs == self.folder.study.runs

    @property
    def failed(self) -> dict[str, int]:
        """How many runs did not reach their end, by status."""
        words, counts = np.unique(self.columns.get("status", np.array([], "U1")), return_counts=True)
        return {str(w): int(c) for w, c in zip(words, counts, strict=True) if w != "done"}

    def summary(self, most: int = 40) -> Table:
        """Quantiles of every figure over the runs that reached their end."""
        rows = []
        for name in figures(self.folder.study):
            values = self.columns.get(name, np.array([]))
            values = values[np.isfinite(values)]
            if len(values):
                rows.append((name, *np.quantile(values, (0.0, 0.05, 0.5, 0.95, 1.0)).tolist()))
        more = (f"... and {len(rows) - most} more",) if len(rows) > most else ()
        return Table(f"{self.runs} runs", ("figure", "least", "5 %", "median", "95 %", "largest"), tuple(rows[:most]), more)


def sweep(
    study: Study | str | os.PathLike[str],
    out: str | os.PathLike[str],
    engine: str = "local",
    workers: int | None = None,
    table: str | Sequence[str] = "csv",
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Make all runs of a study that are not in the folder yet, then the table of all of them.

    Args:
        study: a Study, or the path of its file.
        out: the folder; a sweep that was interrupted goes on there.
        engine: "local" (threads), "dask://local" (processes of this machine) or "dask://HOST:PORT" (a Dask scheduler; all workers must see
            the folder under the same path and have the same version of ordern).
        workers: how many on this machine; one a core by default.
        table: "csv", "npz" or "parquet", or several of them.
        progress: called with the share that is done, many times a second.

    Returns:
        A Result. After Ctrl-C it holds the blocks that were committed, and .complete is False.

    Raises:
        InputError: the study is wrong, or the folder holds another one.
    """
    made_from = study if isinstance(study, Study) else read(study)
    forms = (table,) if isinstance(table, str) else tuple(table)
    for form in forms:
        if form not in FORMATS:
            raise InputError(f"table {form!r}: there are {', '.join(FORMATS)}")
        if form == "parquet":
            need("pyarrow", "simulate")
    if workers is not None and (isinstance(workers, bool) or int(workers) != workers or workers < 1):
        raise InputError(f"workers: {workers!r} is not a number of workers; give a whole number from 1 up")
    run = _engine(engine, workers)
    folder = Folder.begin(out, made_from)
    with folder.alone():
        return _all(folder, run, forms, progress or (lambda share: None))


Engine = Callable[[Folder, list[int], Callable[[float], None]], bool]


def _all(folder: Folder, run: Engine, forms: Sequence[str], progress: Callable[[float], None]) -> Result:
    """Until nothing is missing; the table is made from the files, never from memory."""
    made, damaged = 0, folder.discard_damaged()
    todo = folder.missing()
    finished = run(folder, todo, progress) if todo else True
    missing = folder.missing()
    made = len(todo) - len(missing)
    columns = folder.table()
    result = Result(folder, columns, (), made, tuple(damaged))
    if not finished or missing:
        return result
    files = tuple(str(folder.write_table(columns, form)) for form in forms)
    folder.tidy()
    return Result(folder, columns, files, made, tuple(damaged))


def load(path: str | os.PathLike[str]) -> Result:
    """What a folder holds, whether complete or not."""
    folder = opened(os.path.abspath(path))
    return Result(folder, folder.table())


def motion(path: str | os.PathLike[str], run: int) -> Run:
    """The whole motion of one run, where the study keeps trajectories."""
    folder = opened(os.path.abspath(path))
    study = folder.study
    if not study.keep["trajectories"]:
        raise InputError("this study keeps no trajectories; write trajectories = true in [keep], and another --out")
    if not 0 <= run < study.runs:
        raise InputError(f"run {run}: there are runs 0 to {study.runs - 1}")
    rows = folder.rows(run // study.block) if folder.file(run // study.block).exists() else None
    if rows is None:
        raise InputError(f"run {run} has not been made yet; run the sweep again to go on")
    at = run % study.block
    number = next(k.split(" ")[-1] for k, v in rows.items() if k.startswith(f"{MOTION}rows ") and at in v)
    row = int(np.flatnonzero(rows[f"{MOTION}rows {number}"] == at)[0])
    q, qd = rows[f"{MOTION}q {number}"][row], rows[f"{MOTION}qd {number}"][row]
    stop = int(np.isfinite(q).all(axis=1).sum())
    return Run(study.robot.model, rows[f"{MOTION}t {number}"][:stop], q[:stop], qd[:stop], status=[str(rows["status"][at])])


def run_block(path: str, wanted: str, block: int, progress: Callable[[float], None] | None = None) -> int:
    """Make a block and commit it; what any worker does. All it is given is where the study lies, its hash and the number of the block."""
    folder = opened(path, wanted)
    if not folder.file(block).exists():
        folder.commit(block, simulate_block(folder.study, block, progress))
    return block


class _Stopped(BaseException):
    """A block was given up; nothing of it is kept."""


# --- engines ----------------------------------------------------------------------------------------------------------------------------
def _engine(name: str, workers: int | None) -> Engine:
    if name == "local":
        return lambda folder, todo, progress: _local(folder, todo, progress, workers or usual_threads())
    if isinstance(name, str) and name.startswith("dask://") and len(name) > len("dask://"):
        distributed: Any = need("distributed", "sweep")
        return lambda folder, todo, progress: _dask(distributed, name.removeprefix("dask://"), folder, todo, progress, workers)
    raise InputError(f"engine {plain(str(name))!r}: there are local, dask://local and dask://HOST:PORT")


def _local(folder: Folder, todo: list[int], progress: Callable[[float], None], workers: int) -> bool:
    """Blocks one after the other in each of several threads: machine code leaves the interpreter to the others."""
    waiting, done = iter(todo), queue.SimpleQueue[Any]()
    turn, stop = threading.Lock(), threading.Event()
    path, wanted = str(folder.path), folder.study.hash
    shares: dict[int, float] = {}

    def work() -> None:
        while not stop.is_set():
            with turn:
                block = next(waiting, None)
            if block is None:
                break

            def told(share: float, block: int = block) -> None:
                shares[block] = min(share, 0.99)
                if stop.is_set():
                    raise _Stopped

            try:
                run_block(path, wanted, block, told)
                shares[block] = 1.0
            except BaseException as error:
                done.put(error)
                break
        done.put(None)

    threads = [threading.Thread(target=work, name=f"sweep {k}") for k in range(min(workers, len(todo)))]
    running = len(threads)
    try:
        for thread in threads:
            thread.start()
        while running:
            try:
                got = done.get(timeout=0.2)
            except queue.Empty:
                got = 0
            running -= got is None
            if isinstance(got, BaseException):
                raise got
            progress((folder.study.blocks - len(todo) + sum(list(shares.values()))) / folder.study.blocks)
    except KeyboardInterrupt:
        return False
    finally:  # the others notice within a fraction of a second
        stop.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    return True


def _client(distributed: Any, where: str, workers: int | None, stack: ExitStack) -> Any:
    """A client of the scheduler at an address, or of one of our own."""
    import dask

    if where == "local":
        # a worker that dies takes its block along, never the sweep: blocks are counted here (PATIENCE), not by the scheduler
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 10**6}))
        options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50, "memory_limit": None}
        try:
            cluster = stack.enter_context(distributed.LocalCluster(n_workers=workers or usual_threads(), **options))
        except (OSError, RuntimeError) as error:
            raise SimulationError(f"Dask's workers did not start ({plain(str(error))[:120]}); try again, or --engine local") from None
        return stack.enter_context(distributed.Client(cluster))
    try:
        return stack.enter_context(distributed.Client(where if "://" in where else f"tcp://{where}", timeout=ANSWER))
    except (OSError, ValueError, TimeoutError) as error:
        start = f"start one with 'dask scheduler' and workers with 'dask worker {plain(where)}'"
        raise InputError(f"no Dask scheduler answers at {plain(where)} ({plain(str(error))[:120]}); {start}") from None


def _dask(distributed: Any, where: str, folder: Folder, todo: list[int], progress: Callable[[float], None], workers: int | None) -> bool:
    """Blocks as tasks of a Dask cluster; where our own has lost workers for good, a new one goes on with what is missing."""
    lost: dict[int, int] = {}
    try:
        while todo:
            with ExitStack() as stack:
                client = _client(distributed, where, workers, stack)
                wanted = len(client.nthreads()) if where == "local" else 0
                _tasks(distributed, client, wanted, folder, todo, progress, lost)
            todo = folder.missing()
    except KeyboardInterrupt:
        return False
    return True


def _tasks(
    distributed: Any, client: Any, wanted: int, folder: Folder, todo: list[int], progress: Callable[[float], None], lost: dict[int, int]
) -> None:
    """A few blocks for each worker under way at a time; ends early when fewer workers than wanted have been there for long."""
    path, known = str(folder.path), folder.study.hash
    waiting, left, under_way = iter(todo), len(todo), {}

    def submit(block: int | None) -> None:
        if block is not None:
            key = f"ordern-{known[:12]}-{block}-{lost.get(block, 0)}"
            under_way[client.submit(run_block, path, known, block, key=key, pure=False)] = block

    for _ in range(4 * max(1, sum(client.nthreads().values()))):
        submit(next(waiting, None))
    seen = time.monotonic()
    while under_way:
        try:
            done = distributed.wait(list(under_way), timeout=1.0, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            done = ()
        for future in done:
            block = under_way.pop(future)
            if future.status == "finished":
                left -= 1
                progress(1 - left / folder.study.blocks)
                submit(next(waiting, None))
            else:
                _blame(distributed, future, block, lost)
                submit(block)
        if len(client.nthreads()) >= wanted:
            seen = time.monotonic()
        elif time.monotonic() - seen > RESTART:
            return


def _blame(distributed: Any, future: Any, block: int, lost: dict[int, int]) -> None:
    """Lost workers are borne with; errors of the study are not."""
    error = future.exception() if future.status == "error" else None
    if error is not None and not isinstance(error, distributed.scheduler.KilledWorker):
        raise error if isinstance(error, OrdernError) else SimulationError(f"block {block}: {type(error).__name__}: {plain(str(error))[:300]}")
    lost[block] = lost.get(block, 0) + 1
    if lost[block] > PATIENCE:
        raise SimulationError(
            f"block {block} was lost {lost[block]} times with its worker; the workers may be short of memory: make block smaller, or keep less. "
            "What is done is kept; the same command goes on"
        )
