"""Blocks as tasks, on a cluster that is played: what is submitted again, set aside, told, and when the cluster is given up."""

from __future__ import annotations

import random
from types import SimpleNamespace

import distributed
import pytest

import ordern
from ordern.sweep import sweep_cluster
from ordern.sweep.sweep_process import ATTEMPTS, PATIENCE, make_block

DONE, LOST, KILLED, GONE = "done", "lost", "killed", "gone"
HOW = {LOST: "killed by SIGSEGV", KILLED: "its Dask workers died", GONE: "its Dask workers died"}


class Future:
    """What the cluster promises of a block, and how that ended."""

    def __init__(self, end):
        self.end, self.status = end, {KILLED: "error", GONE: "lost"}.get(end, "finished")
        if isinstance(end, Exception):
            self.status = "error"

    def result(self, timeout=None):
        return HOW.get(self.end)

    def exception(self):
        return self.end if isinstance(self.end, Exception) else distributed.scheduler.KilledWorker("block", None, 3)


class Cluster:
    """A client of workers that end each block as a script says; a second passes where none ends."""

    def __init__(self, script, workers=2, seconds=0):
        self.script, self.workers, self.status = {b: list(ends) for b, ends in script.items()}, workers, "running"
        self.submitted, self.keys, self.largest, self.clock, self.idle = [], [], 0, 100.0, seconds

    def nthreads(self):
        return dict.fromkeys(range(self.workers), 1)

    def submit(self, function, path, wanted, block, patience, key, pure):
        assert (function, path, wanted, patience, pure) == (make_block, "folder", "0123456789abcdef", 7.5, False)
        self.submitted.append(block)
        self.keys.append(key)
        return Future(self.script[block].pop(0))

    def wait(self, futures, timeout, return_when):
        self.largest = max(self.largest, len(futures))
        if self.idle:
            self.idle -= 1
            self.clock += timeout
            raise TimeoutError
        return SimpleNamespace(done={futures[0]})


@pytest.fixture
def played(monkeypatch):
    def run(cluster, todo, blocks, wanted=0):
        folder = SimpleNamespace(path="folder", study=SimpleNamespace(hash="0123456789abcdef", blocks=blocks))
        monkeypatch.setattr(sweep_cluster.distributed, "wait", cluster.wait)
        monkeypatch.setattr(sweep_cluster, "time", SimpleNamespace(monotonic=lambda: cluster.clock))
        lost, aside, shares = {}, {}, []
        sweep_cluster._Tasks(cluster, folder, 7.5, lost, aside).run(todo, shares.append, wanted)
        return lost, aside, shares

    return run


@pytest.mark.parametrize("seed", range(12))
def test_every_block_is_made_or_set_aside(played, seed):
    """Three lost processes or twenty lost workers set it aside; each attempt has a key of its own, or Dask would know the answer."""
    rng = random.Random(seed)
    count, before, script, wanted = rng.choice([1, 3, 30]), rng.choice([0, 4]), {}, {}
    for block in range(count):
        end, most = rng.choice([(LOST, ATTEMPTS), (KILLED, sweep_cluster.WORKERS), (GONE, sweep_cluster.WORKERS)])
        losses = rng.choice([0, 0, 1, most - 1, most])
        script[block] = [end] * losses + [DONE] * (losses < most)
        if losses == most:
            wanted[block] = HOW[end]
    cluster = Cluster(script, rng.choice([0, 1, 3]), rng.choice([0, 40]))
    lost, aside, shares = played(cluster, list(range(count)), count + before)
    assert aside == wanted and not any(cluster.script.values())
    assert lost == {b: sum(e != DONE for e in ends) for b, ends in script.items() if ends[0] != DONE}
    assert shares == [1 - left / (count + before) for left in reversed(range(count))]
    assert len(set(cluster.keys)) == len(cluster.keys) == len(cluster.submitted)
    assert cluster.largest >= min(count, max(1, cluster.workers))  # nobody is left without work


@pytest.mark.parametrize(
    ("error", "said"),
    [(ordern.InputError("the study"), "^the study$"), (ValueError("a" * 400), "^block 1: ValueError: aaa")],
)
def test_errors_of_a_study_end_it(played, error, said):
    with pytest.raises(ordern.OrdernError, match=said):
        played(Cluster({0: [DONE], 1: [error]}, 1), [0, 1], 2)


@pytest.mark.parametrize(("workers", "wanted"), [(1, 2), (2, 2), (3, 2), (1, 0)])
def test_a_cluster_that_misses_workers_for_a_quarter_of_a_minute_is_given_up(played, workers, wanted):
    cluster = Cluster({0: [DONE]}, workers, 100)
    _, _, shares = played(cluster, [0], 1, wanted)
    ended_early = workers < wanted
    assert cluster.clock == (116.0 if ended_early else 200.0)
    assert shares == ([] if ended_early else [1.0])


def test_workers_that_come_back_are_not_missed(played, monkeypatch):
    """The time counts from when all were there last."""
    cluster = Cluster({0: [DONE]}, 2, 40)
    monkeypatch.setattr(cluster, "nthreads", lambda: {0: 1} if cluster.clock % 14 else {0: 1, 1: 1})
    assert played(cluster, [0], 1, 2)[2] == [1.0]


def test_a_connection_that_is_lost_is_an_error(played):
    cluster = Cluster({0: [DONE]})
    cluster.status = "closed"
    with pytest.raises(OSError, match="lost"):
        played(cluster, [0], 1)


def test_how_often_and_how_long():
    """As the page of sweeps has it."""
    assert (ATTEMPTS, PATIENCE, sweep_cluster.WORKERS, sweep_cluster.ANSWER) == (3, 600.0, 20, "10s")
