"""Ctrl-C while a command starts, works and ends: one line and exit code 2, never a traceback or a wait without end."""

from __future__ import annotations

import builtins
import signal
import threading

import pytest

import ordern.cli as command_line
from ordern.cli import main, silence


def test_the_thread_that_watches_a_command_imports_nothing(capsys, monkeypatch):
    """Two threads that import, and a Ctrl-C amid that, leave a lock of Python's taken for ever; --help would load NumPy too."""
    monkeypatch.delenv("ORDERN_QUIET", raising=False)
    monkeypatch.setattr(silence, "FIRST", 0.01)
    kept, found, heard = builtins.__import__, [], ""

    def spy(name, *rest, **more):
        if threading.current_thread() is not threading.main_thread():
            found.append(name)
        return kept(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", spy)
    with silence.at_work(["info", "planar3"]):
        while not heard:
            heard += capsys.readouterr().err
    assert "at work" in heard and not found


@pytest.mark.parametrize("place", ["before", "within", "once more", "after"])
def test_a_stop_at_any_place_is_one_line_and_code_2(place, capsys, monkeypatch):
    monkeypatch.setenv("ORDERN_QUIET", "1")

    def interrupted(*_, **__):
        signal.raise_signal(signal.SIGINT)

    class AtWork:
        def __enter__(self):
            if place == "before":
                interrupted()

        def __exit__(self, *_):
            if place in ("once more", "after"):
                interrupted()

    monkeypatch.setattr(command_line, "at_work", lambda given: AtWork())
    if place in ("within", "once more"):
        monkeypatch.setattr(command_line, "_run", interrupted)
    with pytest.raises(SystemExit) as end:
        main(["info", "planar3", "--json"])
    err = capsys.readouterr().err
    assert end.value.code == 2 and set(err.split("\n")) == {"", "ordern: stopped"}
