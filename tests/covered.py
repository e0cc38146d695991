"""Which tests run which statement: covered.json, for tests/mutants.py; made by ``python tests/mutants.py --record [--rooms a,b]``.

This file is also the plugin of pytest that records one file of tests: the first parameters of every test function and, of brief ones, the others
while there is time; none for longer than some seconds, since only quick tests are of use there. What was recorded stays in a folder, file by file:
a recording that was stopped goes on where it was, and files that changed are recorded anew. Lines count from the head of their function, so that
the map outlives edits elsewhere.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forked import Runner

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".pytest_cache" / "covered"
PARAMETERS, BRIEF = 50, 0.2  # of each test function, where the first one takes less than so many s; else that one alone
SECONDS, CLOCK = 3.0, 60.0  # of the processor and of the clock that a test may take while it is recorded
AGAIN = 10.0  # s after which one that was told to end is left, with its process
FILE = 12.0  # s of the processor for a file of tests: the first parameters of each come first
# Kept for a statement are the quickest tests, and some of the others; of its room, and as many elsewhere
QUICK, THOROUGH = 3, 2
EVERY = "test_kernels_are_those_that_were_stored"  # compares whole texts: all its parameters are recorded and kept

Lines = dict[str, dict[str, dict[int, list[str]]]]  # file, function, line from its head: tests


def functions(tree: ast.AST) -> list[tuple[str, int, int]]:
    """Name with its class, first and last line of each function, those inside others after them."""
    made = []

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    made.append((name, child.lineno, child.end_lineno or child.lineno))
                walk(child, f"{name}.")
            else:
                walk(child, prefix)

    walk(tree, "")
    return made


def places(tree: ast.AST) -> dict[int, tuple[str, int]]:
    """For each line of a file inside a function: the function, and where the statement begins, from the function's head."""
    made: dict[int, tuple[str, int]] = {}
    begins: dict[int, int] = {}
    for node in ast.walk(tree):  # from the outside to the inside
        if isinstance(node, ast.stmt):
            begins.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno))
    for name, first, last in functions(tree):
        made.update({line: (name, begins[line] - first) for line in range(first + 1, last + 1)})
        made[first] = (name, 0)
    return made


# --- the plugin, in a process for each file of tests ------------------------------------------------------------------------------------
class Plugin:
    """Traces each test by itself: an alarm inside the tracer ends the tracing of that test alone."""

    def __init__(self, source: Path, target: Path) -> None:
        from coverage import Coverage

        self.source, self.target = source, target
        self.coverage = Coverage(data_file=None, source=[str(source)], config_file=False, messages=False)
        self.seconds: dict[str, float] = {}
        self.item, self.alarms = "", 0
        self.first: dict[str, str] = {}  # of each test function, the parameters that come first

    def _stop(self, *_: object) -> None:
        """The first alarm fails the test. A lock that it held then is held for ever: what waits for it is left by the second."""
        self.alarms += 1
        if self.alarms > 1:
            self._save(self.item)
            os._exit(0)
        raise TimeoutError("longer than a recorded test may take")

    def pytest_collection_modifyitems(self, items: list) -> None:
        """A few parameters of each, the first of all before the second of any."""
        random.Random(0).shuffle(items)
        seen: dict[str, int] = {}
        turn = {}
        for item in items:
            name = item.nodeid.partition("[")[0]
            seen[name] = turn[item] = seen.get(name, 0) + 1
        few = (i for i in items if turn[i] <= PARAMETERS or EVERY in i.nodeid)
        items[:] = sorted(few, key=lambda i: (turn[i], i.nodeid))
        self.first = {i.nodeid.partition("[")[0]: i.nodeid for i in items if turn[i] == 1}

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """No further parameters of a test that takes long, or is of no use."""
        name = item.nodeid.partition("[")[0]
        brief = 0 <= self.seconds.get(self.first[name], -1.0) < BRIEF
        if not (item.nodeid == self.first[name] or brief or EVERY in name):
            pytest.skip("its first parameters say enough")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Setup and test are traced."""
        if time.process_time() > FILE:
            item.session.shouldstop = "enough of this file"
        self.coverage.start()
        self.coverage.switch_context(item.nodeid)
        yield
        self.coverage.stop()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """With an alarm."""
        kinds = (signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, CLOCK)
        for kind, clock, seconds in kinds:
            signal.signal(kind, self._stop)
            signal.setitimer(clock, seconds, AGAIN)
        self.item, self.alarms = item.nodeid, 0
        begin = time.process_time()
        try:
            yield
        finally:
            for _, clock, _ in kinds:
                signal.setitimer(clock, 0)
            self.seconds[item.nodeid] = round(time.process_time() - begin, 3)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What fails, or is skipped, is of no use."""
        if not report.passed:
            self.seconds[report.nodeid] = -1.0

    def pytest_sessionfinish(self) -> None:
        """All tests were run, or enough of them."""
        self._save()

    def _save(self, hangs: str = "") -> None:
        """What each statement was run by; and the test that does not end, if there is one."""
        data, lines = self.coverage.get_data(), {}
        for file in data.measured_files():
            place = places(ast.parse(Path(file).read_text("utf-8")))
            own = lines.setdefault(Path(file).relative_to(self.source).as_posix(), {})
            for line, tests in data.contexts_by_lineno(file).items():
                if line in place:
                    function, offset = place[line]
                    here = own.setdefault(function, {}).setdefault(offset, [])
                    here += [test for test in tests if self.seconds.get(test, -1.0) >= 0 and test not in here]
        made = {"seconds": {test: s for test, s in self.seconds.items() if s >= 0}, "lines": lines, "hangs": hangs}
        self.target.write_text(json.dumps(made), "utf-8")


# --- the map -----------------------------------------------------------------------------------------------------------------------------
def record(source: Path, target: Path, rooms: list[str], there: Callable[[str], bool], only: list[str]) -> int:
    """Record the files of tests (``only`` these, or) of the rooms that were not yet; write the map of all that were, of tests that are there."""
    from mutants import EXTRA, LEFT_OUT, ROOMS

    def turn(path: Path) -> int:
        file = path.relative_to(HERE).as_posix()
        folder = path.parent.name
        of = [k for k, room in enumerate(rooms) if room == folder or file in EXTRA.get(room, ())]
        return of[0] if of else len(rooms)

    every = [p for p in HERE.rglob("test_*.py") if p.stem not in LEFT_OUT and p.parent.name in (*ROOMS, "tests")]
    files = sorted((path for path in every if turn(path) < len(rooms)), key=lambda path: (turn(path), path))
    files = [Path(name).resolve() for name in only] or files
    KEPT.mkdir(parents=True, exist_ok=True)
    before, runner = target.read_text("utf-8") if target.exists() else "", Runner()
    for file in files:
        if (kept := _kept(file)).exists():
            continue
        begin, options = time.monotonic(), ["-o", "addopts=", "-q", "--tb=no", "-p", "no:cacheprovider", str(file)]
        for _ in range(4):
            with tempfile.TemporaryDirectory() as cache:  # of machine code: else it is made by the first file alone
                made = runner(source.parent, options, 60.0, Path(cache), str(kept))
            hangs = json.loads(kept.read_text("utf-8")).get("hangs") if kept.exists() else ""
            if not hangs:
                break
            options += ["--deselect", hangs]  # once more without it
        ended = "" if made.code is not None else ", did not end"
        print(f"{file.relative_to(HERE)}: {time.monotonic() - begin:.0f} s{ended}", flush=True)
        target.write_text(made_of([p for p in map(_kept, every) if p.exists()], before, there), "utf-8")
    runner.close()
    return 0


def _kept(file: Path) -> Path:
    """Where the recording of a file of tests is, as that file is now."""
    name = file.relative_to(HERE).as_posix().replace("/", ".")
    return KEPT / f"{name}.{hashlib.sha256(file.read_bytes()).hexdigest()[:8]}.json"


def earlier(before: str, left: Callable[[str], bool]) -> tuple[dict[str, float], Lines]:
    """What a map knows of those tests that are left: their seconds, and the lines that they run."""
    known = json.loads(before) if before else {"tests": [], "functions": {}}
    seconds = {test: s for test, s in known["tests"] if left(test)}
    lines: Lines = {}
    for file, own in known["functions"].items():
        for function, groups in own.items():
            for offsets, numbers in groups:
                tests = [known["tests"][k][0] for k in numbers if known["tests"][k][0] in seconds]
                for offset in offsets if tests else ():
                    lines.setdefault(file, {}).setdefault(function, {}).setdefault(offset, []).extend(tests)
    return seconds, lines


def made_of(recordings: list[Path], before: str = "", there: Callable[[str], bool] = bool) -> str:
    """The map as JSON: tests with their seconds; for each function its statements by the tests that run them.

    What the map ``before`` says of other tests stays: a recording of a few, or one that was cut short, must not forget the rest.
    """
    read = [json.loads(recording.read_text("utf-8")) for recording in recordings]
    anew = {test for made in read for test in made["seconds"]}
    seconds, lines = earlier(before, lambda test: test not in anew and there(test))
    for made in read:
        seconds |= made["seconds"]
        for file, own in made["lines"].items():
            for function, offsets in own.items():
                here = lines.setdefault(file, {}).setdefault(function, {})
                for offset, tests in offsets.items():
                    here.setdefault(int(offset), []).extend(tests)
    chosen: dict[str, dict[str, dict[tuple[str, ...], list[int]]]] = {}
    for file, own in sorted(lines.items()):
        for function, offsets in sorted(own.items()):
            groups = chosen.setdefault(file, {}).setdefault(function, {})
            for offset, tests in sorted(offsets.items()):
                groups.setdefault(tuple(_best(tests, seconds, file.partition("/")[0])), []).append(offset)
    used = sorted({t for own in chosen.values() for groups in own.values() for tests in groups for t in tests})
    number = {test: k for k, test in enumerate(used)}
    rows = [
        f"  {json.dumps(file)}: "
        + json.dumps(
            {f: [[lines, [number[t] for t in tests]] for tests, lines in groups.items()] for f, groups in own.items()},
            separators=(",", ":"),
        )
        for file, own in chosen.items()
    ]
    listed = ",\n".join(f"  {json.dumps([test, seconds[test]])}" for test in used)
    return f'{{"tests": [\n{listed}\n],\n"functions": {{\n' + ",\n".join(rows) + "\n}}\n"


def _best(tests: list[str], seconds: dict[str, float], room: str) -> list[str]:
    """The quickest, and some that take longer and so see more; one of each test function; of the room, and of others."""
    made = sorted((test for test in set(tests) if EVERY in test), key=lambda t: seconds[t])
    for own in (True, False):
        here: dict[str, str] = {}
        for test in sorted(tests, key=lambda t: (seconds[t], t)):
            if test.startswith(f"tests/{room}/") == own:
                here.setdefault(test.partition("[")[0], test)
        many = list(here.values())
        rest = many[QUICK:]
        made += many[:QUICK] + [rest[(k + 1) * len(rest) // THOROUGH - 1] for k in range(THOROUGH) if len(rest) > k]
    return list(dict.fromkeys(made))
