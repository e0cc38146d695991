"""The process of a block, with what it says and how it ends written down here: no process is started."""

from __future__ import annotations

import inspect
import json
import queue
import subprocess
from types import SimpleNamespace

import pytest

import ordern
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
