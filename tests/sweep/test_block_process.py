"""The process of a block, with what it says and how it ends written down here: no process is started."""

from __future__ import annotations

import inspect
import io
import json
import queue
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

import ordern
from ordern.sweep import sweep as sweep_module
from ordern.sweep import sweep_process
from ordern.sweep.sweep import sweep
from ordern.sweep.sweep_process import ATTEMPTS, PATIENCE, START, BlockProcess, Lost, _error, make_block


def test_numbers_that_the_pages_promise():
    assert (ATTEMPTS, PATIENCE, START) == (3, 600.0, 120.0)
    assert inspect.signature(sweep).parameters["patience"].default == 600.0


class Script:
    """Lines as they come: words, or seconds in which none does."""

    def __init__(self, *items):
        self.items, self.clock = list(items), 0.0

    def get(self, timeout):
        item = self.items.pop(0)
        if isinstance(item, float):
            self.clock += item
            raise queue.Empty
        return None if item is None else json.dumps(item)


def waits(monkeypatch, *items, patience=10.0, code=1):
    made, told = BlockProcess("folder", "hash"), []
    made._lines = Script(*items)
    made._process = SimpleNamespace(wait=lambda seconds: code)
    monkeypatch.setattr(sweep_process.time, "monotonic", lambda: made._lines.clock)
    try:
        made._wait("done", told.append, patience)
    except (Lost, ordern.OrdernError) as error:
        return told, f"{type(error).__name__}: {error}"
    return told, len(made._lines.items)


def share(x):
    return {"share": x}


@pytest.mark.parametrize(
    ("items", "told", "ended"),
    [
        ([share(0.1), share(0.5), {"done": 3}, share(0.9)], [0.1, 0.5], 1),
        ([share(0.5), share(0.2), share(0.5), {"done": 3}], [0.5, 0.5, 0.5], 0),  # never back
        ([{"ready": True}, 1.0, {"done": 0}], [0.0, 0.0], 0),
        ([9.0, share(0.1), 9.0, share(0.2), 9.0, {"done": 3}], [0.0, 0.1, 0.1, 0.2, 0.2], 0),  # progress counts
        ([9.0, share(0.0), 2.0], [0.0, 0.0, 0.0], "Lost: no progress for 10 s"),  # the same share is none
        ([10.0, 0.5], [0.0, 0.0], "Lost: no progress for 10 s"),
        ([share(0.3), None], [0.3], "Lost: the process ended with code 1"),
        ([{"error": "InputError", "text": "no"}], [], "InputError: no"),
        ([share(0.2), {"lost": "out of memory"}], [0.2], "Lost: out of memory"),
    ],
)  # fmt: skip
def test_waiting(monkeypatch, items, told, ended):
    assert waits(monkeypatch, *items) == (told, ended)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (0, "the process ended with code 0"), (3, "the process ended with code 3"), (-9, "killed by SIGKILL (out of memory?)"),
        (-11, "killed by SIGSEGV"), (-99, "killed by signal 99"),
    ],
)  # fmt: skip
def test_how_it_ended(monkeypatch, code, said):
    assert waits(monkeypatch, None, code=code) == ([], f"Lost: {said}")


def test_a_process_that_neither_answers_nor_ends():
    def wait(seconds):
        assert 1 < seconds < 60
        raise subprocess.TimeoutExpired("it", seconds)

    made = BlockProcess("folder", "hash")
    made._process = SimpleNamespace(wait=wait)
    assert made._how() == "it stopped answering"


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("InputError", ordern.InputError, "x"), ("SingularError", ordern.SingularError, "x"),
        ("KeyError", ordern.SimulationError, "KeyError: x"), ("near", ordern.SimulationError, "near: x"),
    ],
)  # fmt: skip
def test_errors_of_blocks_are_told_as_they_were(name, kind, text):
    made = _error({"error": name, "text": "x"})
    assert type(made) is kind and str(made) == text


def test_a_worker_keeps_its_process_for_one_folder(monkeypatch):
    made = []

    class Process:
        def __init__(self, path, wanted):
            self.path, self.wanted, self.said = path, wanted, []
            made.append(self)

        def make(self, block, told, patience):
            told(0.5)
            self.said.append((block, patience))
            if block == 7:
                raise Lost("gone")

        def close(self):
            self.said.append("closed")

    monkeypatch.setattr(sweep_process, "BlockProcess", Process)
    monkeypatch.setattr(sweep_process, "_own", SimpleNamespace())
    answers = [make_block(*given) for given in (("a", "h", 1), ("a", "h", 7, 5.0), ("b", "h", 2), ("b", "i", 3))]
    assert answers == [None, "gone", None, None]
    assert [p.said for p in made] == [[(1, 600.0), (7, 5.0), "closed"], [(2, 600.0), "closed"], [(3, 600.0)]]


class Blocks:
    """A folder of blocks of which some cost processes, and the processes that make them."""

    def __init__(self, losses, error=None):
        self.losses, self.error, self.made, self.closed, self.seen = dict(losses), error, [], 0, []

    def __call__(self, path, wanted):
        assert (path, wanted) == ("here", "hash")
        return self

    def make(self, block, told, patience):
        assert patience == 5.0
        told(0.5)
        told(1.0)
        if self.error is not None and block == self.error:
            raise ordern.InputError("a wrong study")
        if self.losses.get(block, 0):
            self.losses[block] -= 1
            raise Lost(f"lost {block}")
        self.made.append(block)

    def close(self):
        self.closed += 1


def run_locally(monkeypatch, blocks, todo, workers, of=8):
    monkeypatch.setattr(sweep_module, "BlockProcess", blocks)
    folder, aside, told = SimpleNamespace(path="here", study=SimpleNamespace(hash="hash", blocks=of)), {}, []
    return sweep_module._local(folder, todo, told.append, workers, 5.0, aside), aside, told


@pytest.mark.parametrize("workers", [1, 2, 9])
def test_blocks_are_made_once_and_set_aside_after_three_losses(monkeypatch, workers):
    blocks = Blocks({1: 2, 4: 3, 6: 1})
    finished, aside, told = run_locally(monkeypatch, blocks, [1, 2, 4, 5, 6], workers)
    assert finished and aside == {4: "lost 4"} and sorted(blocks.made) == [1, 2, 5, 6]
    assert blocks.closed == min(workers, 5)
    assert told[-1] == 1.0 and min(told) >= 3 / 8 and sorted(told) == told


def test_an_error_of_a_block_is_the_sweeps(monkeypatch):
    with pytest.raises(ordern.InputError, match="a wrong study"):
        run_locally(monkeypatch, Blocks({}, error=2), [1, 2, 3], 1)


def test_shares_of_blocks_under_way_count_but_not_as_done(monkeypatch):
    """Of eight blocks six are there; the first of the last two ends alone."""
    seen = []

    class One(Blocks):
        def make(self, block, told, patience):
            super().make(block, told, patience)
            seen.append(block)

    finished, _, told = run_locally(monkeypatch, One({}), [6, 7], 1)
    assert finished and seen == [6, 7] and told[-1] == 1.0


def test_ctrl_c_while_blocks_are_made(monkeypatch):
    def stop(share):
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep_module, "BlockProcess", Blocks({}))
    folder = SimpleNamespace(path="here", study=SimpleNamespace(hash="hash", blocks=2))
    assert sweep_module._local(folder, [0, 1], stop, 1, 5.0, {}) is False


@pytest.mark.parametrize("name", ["local", "dask://", "cloud", "dask:/local", 3])
def test_engines_by_name(name):
    if name == "local":
        assert callable(sweep_module._engine(name, 1, 5.0))
        return
    with pytest.raises(ordern.InputError, match="there are local"):
        sweep_module._engine(name, 1, 5.0)


def test_a_process_that_starts_has_done_nothing_yet(monkeypatch):
    """While one waits for it, whatever it says; it is started once, and again when it has ended."""
    begun, told = [], []

    def popen(line, **_):
        begun.append(line)
        return SimpleNamespace(
            stdout=io.StringIO(),
            stdin=None,
            poll=lambda: None if len(begun) < 2 else 1,
            kill=lambda: None,
            wait=lambda: 0,
        )

    monkeypatch.setattr(sweep_process.subprocess, "Popen", popen)
    made = BlockProcess("folder", "hash")
    monkeypatch.setattr(made, "_wait", lambda word, tell, seconds: (tell(0.7), told.append((word, seconds))))
    made._start(told.append)
    made._start(told.append)
    assert told == [0.0, ("ready", 120.0)] and len(begun) == 1 and begun[0][-2:] == ["folder", "hash"]
    begun.append(None)
    made._start(told.append)
    assert len(begun) == 3 and told == [0.0, ("ready", 120.0)] * 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), {"lost": "out of memory"}), (np.exceptions.AxisError("x"), {"error": "AxisError", "text": "x"}),
        (ordern.InputError("y"), {"error": "InputError", "text": "y"}), ("large", {"lost": "out of memory: Unable to allocate"}),
    ],
)  # fmt: skip
def test_a_block_without_memory_is_lost_and_all_other_errors_are_the_sweeps(error, said, monkeypatch):
    """NumPy's own kind of MemoryError too: a block that needs too much must not end the others."""
    lines = []

    def run_block(*_):
        if error == "large":
            np.zeros(2**55)
        raise error

    class Blocks(list):
        get = list.pop

    monkeypatch.setattr(sweep_module, "run_block", run_block)
    monkeypatch.setattr(sweep_process.signal, "signal", lambda *_: None)
    monkeypatch.setattr(sweep_process.os, "dup", lambda _: 99)
    monkeypatch.setattr(sweep_process.os, "dup2", lambda *_: None)
    out = SimpleNamespace(write=lambda text: lines.append(json.loads(text)))
    monkeypatch.setattr(sweep_process.os, "fdopen", lambda *_, **__: out)
    monkeypatch.setattr(sweep_process.queue, "SimpleQueue", lambda: Blocks([3]))
    monkeypatch.setattr(sweep_process.threading, "Thread", lambda **_: SimpleNamespace(start=lambda: None))
    with pytest.raises(IndexError):  # there is no second block
        sweep_process.main("here", "hash")
    assert lines[0] == {"ready": True} and len(lines) == 2
    ((key, text),) = [(k, v) for k, v in lines[1].items() if k != "text"]
    assert key in said and text.startswith(said[key]) and lines[1].get("text") == said.get("text")
