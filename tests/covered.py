"""Which tests run which function: covered.json, for tests/mutants.py; made by ``python tests/mutants.py --record``.

This file is also the plugin of pytest that bounds the recording: the first parameters of every test function, and none for longer than some
seconds, since only quick tests are of use there.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).resolve().parent
PARAMETERS, SECONDS, CLOCK = (
    3,
    4.0,
    40.0,
)  # of each test function; s of processor time and of the clock that a test may take
OWN, ALL = 7, 12  # tests that are kept for a function: of its own room, and altogether


def _stop(*_: object) -> None:
    raise TimeoutError("longer than a recorded test may take")


def pytest_collection_modifyitems(items: list) -> None:
    """A few parameters of each, the first of all before the second of any."""
    random.Random(0).shuffle(items)
    seen: dict[str, int] = {}
    turn = {}
    for item in items:
        name = item.nodeid.partition("[")[0]
        seen[name] = turn[item] = seen.get(name, 0) + 1
    items[:] = sorted((item for item in items if turn[item] <= PARAMETERS), key=lambda item: (turn[item], item.nodeid))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: object) -> Iterator[None]:
    """With an alarm."""
    for kind, clock, seconds in (
        (signal.SIGPROF, signal.ITIMER_PROF, SECONDS),
        (signal.SIGALRM, signal.ITIMER_REAL, CLOCK),
    ):
        signal.signal(kind, _stop)
        signal.setitimer(clock, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def record(source: Path, target: Path) -> int:
    """Run all tests once, file by file (an alarm may stop the tracing of the rest of it), and write the map."""
    from mutants import LEFT_OUT

    with tempfile.TemporaryDirectory() as folder:
        for k, file in enumerate(sorted(p for p in HERE.rglob("test_*.py") if p.stem not in LEFT_OUT)):
            env = {
                **os.environ,
                "COVERAGE_FILE": f"{folder}/{k}.cov",
                "PYTHONPATH": f"{source.parent}{os.pathsep}{HERE}",
            }
            line = [sys.executable, "-m", "pytest", "-o", "addopts=", "-q", "--tb=no", "-p", "no:cacheprovider"]
            line += [
                "-p",
                "covered",
                f"--cov={source}",
                "--cov-context=test",
                "--cov-report=",
                f"--junitxml={folder}/{k}.xml",
            ]
            print(file.relative_to(HERE), flush=True)
            with contextlib.suppress(subprocess.TimeoutExpired):  # what fails or hangs is left out
                subprocess.run([*line, str(file)], cwd=HERE.parent, env=env, check=False, timeout=600)
        target.write_text(made_of(Path(folder), source), "utf-8")
    return 0


def made_of(folder: Path, source: Path) -> str:
    """The map as JSON, from what coverage and pytest have left in a folder."""
    from coverage import CoverageData

    seconds: dict[str, float] = {}
    runs: dict[str, dict[str, set[str]]] = {}
    for report in sorted(folder.glob("*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            if not len(case):  # passed: no failure, error or skip inside
                seconds[f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"] = float(
                    case.get("time", 0)
                )
    for data in sorted(folder.glob("*.cov*")):
        known = CoverageData(str(data))
        known.read()
        for file in known.measured_files():
            if "/ordern/" in file:
                _lines(known, file, source, seconds, runs)
    chosen = {
        name: {function: _best(tests, seconds, name.partition("/")[0]) for function, tests in sorted(own.items())}
        for name, own in sorted(runs.items())
    }
    tests = sorted({test for own in chosen.values() for many in own.values() for test in many})
    number = {test: k for k, test in enumerate(tests)}
    rows = [
        f"  {json.dumps(name)}: "
        + json.dumps({f: [number[t] for t in many] for f, many in own.items()}, separators=(",", ":"))
        for name, own in chosen.items()
    ]
    listed = ",\n".join(f"  {json.dumps([test, seconds[test]])}" for test in tests)
    return f'{{"tests": [\n{listed}\n],\n"functions": {{\n' + ",\n".join(rows) + "\n}}\n"


def _lines(known, file: str, source: Path, seconds: dict[str, float], runs: dict[str, dict[str, set[str]]]) -> None:
    """The tests that ran a line inside each function of a file."""
    from mutants import functions

    name = file.rpartition("/ordern/")[2]
    path = source / name
    if not path.exists():
        return
    own = runs.setdefault(name, {})
    inner: dict[int, str] = {}
    for function, first, last in functions(ast.parse(path.read_text("utf-8"))):
        inner.update(dict.fromkeys(range(first + 1, last + 1), function))
    for line, contexts in known.contexts_by_lineno(file).items():
        if line in inner:
            here = {context.removesuffix("|run") for context in contexts}
            own.setdefault(inner[line], set()).update(test for test in here if test in seconds)


def _best(tests: set[str], seconds: dict[str, float], room: str) -> list[str]:
    """Quick ones, those of the room first, at most two of one test function."""
    made: list[str] = []
    of: dict[str, int] = {}
    for own in (True, False):
        for test in sorted(tests, key=lambda t: (seconds[t], t)):
            name = test.partition("[")[0]
            if test.startswith(f"tests/{room}/") == own and of.get(name, 0) < 2 and len(made) < (OWN if own else ALL):
                of[name] = of.get(name, 0) + 1
                made.append(test)
    return made
