"""The list of named faults belongs to the source as it is: each text stands once in its file, and its test exists."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from covered import made_of
from fault_kinds import faults
from forked import Ended
from mutants import COVERED, HERE, LIMIT, SOURCE, START, Judge, faults_of
from named_faults import EQUIVALENT, NAMED


@pytest.mark.parametrize("fault", NAMED, ids=lambda fault: fault[0])
def test_the_fault_can_be_put_in(fault):
    _, file, old, new, test = fault
    assert (SOURCE / file).read_text("utf-8").count(old) == 1 and new != old
    place, _, name = test.partition("::")
    assert not name or f"def {name}(" in Path(HERE / place).read_text("utf-8")


@pytest.mark.parametrize("file", sorted({file for file, *_ in EQUIVALENT}))
def test_what_counts_as_no_fault_is_there(file):
    """Else the source has changed, and the reason given may not hold any more."""
    source = (SOURCE / file).read_text("utf-8")
    lines = source.splitlines()
    there = {(lines[line - 1].strip(), e) for line, what, _ in faults(ast.parse(source)) for e in (what, "any")}
    assert not [(text, what) for other, text, what, _ in EQUIVALENT if other == file and (text, what) not in there]


def test_a_map_keeps_what_other_recordings_said():
    """A recording of a few files of tests adds to the map of which tests run which statement, and forgets none of the others."""

    def run(text):
        known = json.loads(text)
        places = [(f, e, g) for f, own in known["functions"].items() for e, groups in own.items() for g in groups]
        return {(file, function, line) for file, function, (lines, tests) in places if tests for line in lines}

    before = COVERED.read_text("utf-8")
    assert len(run(before)) > 1000 and run(made_of([], before)) == run(before)


class _Stale:
    """Stands for a copy: pytest refuses a list with a test that is not there, and of the others none notices anything."""

    def pytest(self, tests, limit):
        return Ended(4 if "gone" in tests else 0, "ERROR: not found: gone", 1.0)

    def faulty(self, file, text, tests, limit):
        return self.pytest(tests, limit)


@pytest.mark.parametrize(("tests", "how"), [(["here", "gone"], ""), (["gone"], "no test passes on the sound source")])
def test_a_test_that_is_gone_kills_nothing(tests, how):
    assert Judge({})(_Stale(), faults_of("joints")[0], tests) == ("SURVIVED", how)


def test_a_run_without_end_kills_only_if_the_sound_source_is_quick():
    class Endless(_Stale):
        def faulty(self, file, text, tests, limit):
            limits.append(limit)
            return Ended(None, "", limit)

        def pytest(self, tests, limit):
            return Ended(0, "", 20.0)

    limits = []
    assert Judge({"here": 1.0})(Endless(), faults_of("joints")[0], ["here"]) == ("timeout", "")
    assert limits == [LIMIT + START, LIMIT * 20 + START]
