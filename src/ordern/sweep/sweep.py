"""Sweeps: thousands of runs from one study, on the cores of this machine or on a Dask cluster, resumable at any moment.

Runs are divided into blocks, each one call of the compiled integrator in a process of its own. The process that made a
block commits it to the folder before it says so; what is in the folder is the only state there is. So a killed worker
or driver loses the blocks under way and nothing else, and the same call goes on with what is missing; a block that
crashes or hangs three processes is set aside, and the rest is finished. Blocks and their numbers are fixed by the
study: engine, number of workers, order and interruptions leave no trace in the results.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError, need
from ..report.tables import Table, plain
from ..runtime.kernels import threads as usual_threads
from ..scalars.primitives import Array
from ..simulate.run import Run
from .study import Study, read
from .sweep_block import MOTION, check_starts, figures, simulate_block
from .sweep_folder import FORMATS, Folder, for_worker, opened
from .sweep_process import ATTEMPTS, PATIENCE, BlockProcess, Lost

__all__ = ["Result", "load", "motion", "run_block", "sweep"]


@dataclass(frozen=True)
class Result:
    """What a sweep has made.

    Attributes:
        folder: where it is kept.
        columns: the table: run, what was swept, status, figures; one row a run.
        files: tables that were written.
        made: how many blocks this call has made.
        damaged: blocks whose files had been damaged and were made again.
        quarantined: blocks that crashed or hung three processes, and how; their runs have the status "quarantined". The
            same call tries again.
    """

    folder: Folder
    columns: dict[str, Array]
    files: tuple[str, ...] = ()
    made: int = 0
    damaged: tuple[int, ...] = ()
    quarantined: Mapping[int, str] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """The number of rows."""
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
        return Table(
            f"{self.runs} runs", ("figure", "least", "5 %", "median", "95 %", "largest"), tuple(rows[:most]), more
        )


def sweep(
    study: Study | str | os.PathLike[str],
    out: str | os.PathLike[str],
    engine: str = "local",
    workers: int | None = None,
    table: str | Sequence[str] = "csv",
    progress: Callable[[float], None] | None = None,
    patience: float = PATIENCE,
) -> Result:
    """Make all runs of a study that are not in the folder yet, then the table of all of them.

    Args:
        study: a Study, or the path of its file.
        out: the folder; a sweep that was interrupted goes on there.
        engine: "local" (processes of this machine), "dask://local" (a Dask cluster of them, closed to others) or
            "dask://HOST:PORT" (a Dask scheduler; all workers must see the folder under the same path and have the same
            version of ordern).
        workers: how many on this machine; one a core by default.
        table: "csv", "npz" or "parquet", or several of them.
        progress: called with the share that is done, many times a second.
        patience: seconds without progress after which a block hangs; its process is ended. A block that crashes or
            hangs three processes is set aside (.quarantined) and the others are finished.

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
    if isinstance(patience, bool) or not isinstance(patience, (int, float)) or not patience > 0:
        raise InputError(f"patience: {patience!r} is no time; give seconds above 0")
    run = _engine(engine, workers, patience)
    check_starts(made_from)
    folder = Folder.begin(out, made_from)
    with folder.alone():
        return _all(folder, run, forms, progress or (lambda share: None))


Engine = Callable[[Folder, list[int], Callable[[float], None], dict[int, str]], bool]


def _all(folder: Folder, run: Engine, forms: Sequence[str], progress: Callable[[float], None]) -> Result:
    """Until nothing is missing; the table is made from the files, never from memory."""
    damaged, aside = folder.discard_damaged(), dict[int, str]()
    todo = folder.missing()
    finished = run(folder, todo, progress, aside) if todo else True
    missing = folder.missing()
    made = len(todo) - len(missing)
    if not finished or set(missing) - set(aside):
        return Result(folder, folder.table(), (), made, tuple(damaged), aside)
    columns = folder.table(sorted(aside))
    files = tuple(str(folder.write_table(columns, form)) for form in forms)
    folder.tidy()
    return Result(folder, columns, files, made, tuple(damaged), aside)


def load(path: str | os.PathLike[str]) -> Result:
    """The contents of a folder, complete or not."""
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
    try:
        number = next(k.split(" ")[-1] for k, v in rows.items() if k.startswith(f"{MOTION}rows ") and at in v)
        row = int(np.flatnonzero(rows[f"{MOTION}rows {number}"] == at)[0])
        t, q, qd = (rows[f"{MOTION}{name} {number}"] for name in ("t", "q", "qd"))
        stop = int(np.isfinite(q[row]).all(axis=1).sum())
        return Run(study.robot.model, t[:stop], q[row][:stop], qd[row][:stop], status=[str(rows["status"][at])])
    except (LookupError, StopIteration, TypeError, ValueError):  # whoever may write to the folder may forge a block
        raise InputError(
            f"run {run}: its block holds no motion of it; remove {folder.file(run // study.block)}"
        ) from None


def run_block(path: str, wanted: str, block: int, progress: Callable[[float], None] | None = None) -> int:
    """Make and commit a block, given only the study's place, its hash and the block's number."""
    folder = for_worker(path, wanted)
    if not folder.file(block).exists():
        folder.commit(block, simulate_block(folder.study, block, progress))
    return block


class _Stopped(BaseException):
    """A block was given up; nothing of it is kept."""


# --- engines ----------------------------------------------------------------------------------------------------------
def _engine(name: str, workers: int | None, patience: float) -> Engine:
    if name == "local":
        return lambda folder, todo, progress, aside: _local(
            folder, todo, progress, workers or usual_threads(), patience, aside
        )
    if isinstance(name, str) and name.startswith("dask://") and len(name) > len("dask://"):
        need("distributed", "sweep")
        from .sweep_cluster import run_tasks

        where = name.removeprefix("dask://")
        return lambda folder, todo, progress, aside: run_tasks(where, folder, todo, progress, workers, patience, aside)
    raise InputError(f"engine {plain(str(name))!r}: there are local, dask://local and dask://HOST:PORT")


def _watch(done: queue.SimpleQueue[Any], running: int, tell: Callable[[], None]) -> None:
    """Until all threads have said None; an error that one of them met is raised here."""
    while running:
        try:
            got = done.get(timeout=0.2)
        except queue.Empty:
            got = 0
        running -= got is None
        if isinstance(got, BaseException):
            raise got
        tell()


def _local(
    folder: Folder,
    todo: list[int],
    progress: Callable[[float], None],
    workers: int,
    patience: float,
    aside: dict[int, str],
) -> bool:
    """Blocks one after the other in each of several processes, a thread for each of them to talk to it."""
    waiting, done = deque(todo), queue.SimpleQueue[Any]()
    stop = threading.Event()
    path, wanted = str(folder.path), folder.study.hash
    shares: dict[int, float] = {}
    lost: Counter[int] = Counter()

    def work() -> None:
        process = BlockProcess(path, wanted)
        try:
            while not stop.is_set():
                try:
                    block = waiting.popleft()
                except IndexError:
                    break

                def told(share: float, block: int = block) -> None:
                    shares[block] = min(share, 0.99)
                    if stop.is_set():
                        raise _Stopped

                try:
                    process.make(block, told, patience)
                except Lost as how:
                    lost[block] += 1
                    if lost[block] < ATTEMPTS:
                        waiting.append(block)
                        continue
                    aside[block] = str(how)
                shares[block] = 1.0
        except BaseException as error:
            done.put(error)
        finally:
            process.close()
            done.put(None)

    threads = [threading.Thread(target=work, name=f"sweep {k}") for k in range(min(workers, len(todo)))]
    before, blocks = folder.study.blocks - len(todo), folder.study.blocks
    try:
        for thread in threads:
            thread.start()
        _watch(done, len(threads), lambda: progress((before + sum(list(shares.values()))) / blocks))
    except KeyboardInterrupt:
        return False
    finally:  # the others notice within a fraction of a second
        stop.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    return True
