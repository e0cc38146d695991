"""Mutation testing: small faults are put into the source one at a time, and the tests that run that place must notice.

    python tests/mutants.py --named
    python tests/mutants.py [--rooms simulate,sweep] [--count 12] [--minutes 28] [--seed 0] [--jobs 2] [--json FILE] [--page FILE]
    python tests/mutants.py --record [--rooms algorithms,spatial]

A fault is one change of the syntax tree: a sign, an operator, a comparison, a number, a condition turned round. The package is copied, so
the sources are never touched. covered.json says which tests run which statement (``--record`` makes it anew); those of the statement with the
fault run, then others of its function, until one fails; if none does, all tests of the files that have to do with the module, but the grid. A
test that fails on the sound source too is left out. A run that does not end counts as killed, apart, if the limit is five times what the sound
source takes and half a minute; else it runs again with such a limit. A fault that all tests pass has survived and is listed with its line.
Sampled: the score is an estimate.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import queue
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from covered import places
from fault_kinds import faults, quiet

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src" / "ordern"
COVERED = HERE / "data" / "covered.json"
ROOMS = ("algorithms", "spatial", "joints", "program", "emit", "simulate", "describe", "evaluate", "sweep", "runtime")
MINIMUM = dict.fromkeys(("algorithms", "spatial", "joints", "program", "emit"), 0.9)  # the others 0.8
MANY, MOST = 24, 40.0  # tests of one fault, and s that they took when covered.json was made
FEW, UNKNOWN = 4, 5.0  # with fewer tests others are added, of which nothing is known: s that they are taken to last
LIMIT, START = 5.0, 30.0  # a faulty run may take this many times as long, and s for imports and machine code made anew
TORCH = importlib.util.find_spec("torch") is not None  # else neither its module nor its tests run
LEFT_OUT = (
    *(() if TORCH else ("test_torch",)),
    "test_wheel",
    "test_notebooks",
    "test_docs",
    "test_examples",
    "test_rooms",
    "test_named_faults",
)
EXTRA = {  # tests that stand elsewhere than in the room of their name
    "algorithms": ["test_agreement.py", "test_accuracy.py"], "spatial": ["test_agreement.py", "test_joint_exponential.py"],
    "joints": ["test_joints.py", "test_joint_exponential.py", "test_new_joints.py"], "program": ["test_agreement.py", "runtime/test_kernels.py"],
    "emit": ["emit/test_c.py", "emit/test_llvm.py", "test_agreement.py"],
    "runtime": ["runtime/test_kernels.py", "test_odd_arrays.py", "test_robot.py"],
    "runtime/xla_call": ["evaluate/test_jax.py"],
    "evaluate": ["test_robot_methods.py", "test_formulas.py"],
}  # fmt: skip
TEXTS = [  # nearly all code that is written, in seconds: for faults in what is written at import, or is not known to run
    f"tests/emit/test_kernel_digests.py::test_kernels_are_those_that_were_stored[{kind}]"
    for kind in ("planar", "shapes", "loops", "derivatives", "languages", "integrators", "mimic", "long")
]


class Fault(NamedTuple):
    """A place in a file and the change there: ``at`` counts the faults of the file."""

    room: str
    path: Path
    at: int
    line: int
    what: str
    text: str
    function: str
    offset: int  # of the statement, from the head of the function

    def __str__(self) -> str:
        return f"{self.path.relative_to(SOURCE.parent)}:{self.line}: {self.what}"


def faults_of(room: str) -> list[Fault]:
    """All of a room, but those that change nothing."""
    from named_faults import EQUIVALENT

    place, made = SOURCE / room, []
    same = {(file, text, what) for file, text, what, _ in EQUIVALENT}
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [SOURCE / f"{room}.py"]:
        if path.stem.startswith("torch") and not TORCH:
            continue
        source = path.read_text("utf-8")
        tree, lines, file = ast.parse(source), source.splitlines(), path.relative_to(SOURCE).as_posix()
        place_of = places(tree)
        for at, (line, what, _) in enumerate(faults(tree)):
            text = lines[line - 1].strip()
            if not {(file, text, what), (file, text, "any")} & same:
                made.append(Fault(room, path, at, line, what, text, *place_of.get(line, ("", 0))))
    return made


# --- which tests ----------------------------------------------------------------------------------------------------------------------
class Chooser:
    """Tests that run a statement, from covered.json; where that knows few, those of its function, and of files that have to do with the module."""

    def __init__(self) -> None:
        known = json.loads(COVERED.read_text("utf-8")) if COVERED.exists() else {"tests": [], "functions": {}}
        self.tests: list[str] = [test for test, _ in known["tests"]]
        self.seconds: dict[str, float] = dict(known["tests"])
        self.functions: dict[str, dict[str, list[tuple[list[int], list[int]]]]] = known["functions"]
        every = [p for p in sorted(HERE.rglob("test_*.py")) if p.stem not in LEFT_OUT]
        self.texts = {p.relative_to(HERE.parent).as_posix(): p.read_text("utf-8") for p in every}

    def __call__(self, fault: Fault) -> list[str]:
        """The tests to run, quickest first."""
        own = self.functions.get(fault.path.relative_to(SOURCE).as_posix(), {})
        groups = own.get(fault.function, [])
        running = self.named(k for lines, tests in groups if fault.offset in lines for k in tests)
        found = list(dict.fromkeys([*running, *self.named(k for _, tests in groups for k in tests)]))
        if not fault.function:  # of the module's own lines: a few tests of each function
            found = self.named(k for many in own.values() for _, tests in many for k in tests[:2])
        if fault.room in MINIMUM:
            running = list(dict.fromkeys([*running, *TEXTS]))
            found = list(dict.fromkeys([*running, *found]))
        if len(found) < FEW or not any(f"/{fault.room}/" in test for test in found):
            found += [test for test in self.near(fault)[: 2 * FEW] if test not in found]
        made, total = [], 0.0
        for test in found[:MANY]:
            total += self.seconds.get(test, UNKNOWN)
            if total < MOST or not made:
                made.append(test)
        return sorted(made, key=lambda test: (test not in running, self.seconds.get(test, UNKNOWN)))

    def named(self, numbers: Iterable[int]) -> list[str]:
        """Those that are still there, each once."""
        return list(dict.fromkeys(test for k in numbers if self.there(test := self.tests[k])))

    def there(self, test: str) -> bool:
        """Whether a test of that name still exists."""
        file, _, name = test.partition("::")
        return f"def {name.partition('[')[0]}(" in self.texts.get(file, "")

    def files(self, fault: Fault) -> list[str]:
        """Files of tests that are named after the module or import it, of its family, of modules that import it, and of its room."""
        stem, room, texts = fault.path.stem, fault.room, self.texts
        called = [f for f in texts if Path(f).stem == f"test_{stem}"]
        folder = [f for f in texts if Path(f).stem == f"test_{fault.path.parent.name}"]
        using = [f for f, text in texts.items() if f".{stem} " in text or f".{stem}\n" in text]
        family = [f for f in texts if f"/{room}/" in f and Path(f).stem.removeprefix("test_").split("_")[0] in stem]
        importers = {
            f"test_{p.stem}" for p in (SOURCE / room).rglob("*.py") if f".{stem} import" in p.read_text("utf-8")
        }
        above = [f for f in texts if f"/{room}/" in f and Path(f).stem in importers]
        extra = [f"tests/{name}" for name in (*EXTRA.get(f"{room}/{stem}", ()), *EXTRA.get(room, ()))]
        return list(dict.fromkeys([*called, *using, *family, *above, *folder, *extra]))[:6]

    def near(self, fault: Fault) -> list[str]:
        """Test functions of files that have to do with the module; those that name the function first."""
        texts = self.texts
        made = [
            (name, f"{file}::{test.name}")
            for file in self.files(fault)
            for test in ast.parse(texts[file]).body
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
            for name in [fault.function.rpartition(".")[2] in (ast.get_source_segment(texts[file], test) or "")]
        ]
        return [test for _, test in sorted(made, key=lambda pair: not pair[0])]


# --- running ---------------------------------------------------------------------------------------------------------------------------
def pytest(copy: Path, tests: list[str], limit: float, *more: str) -> subprocess.CompletedProcess | None:
    """The tests on a copy of the package; None if they did not end in so many seconds of the processor, however busy that is."""
    env = {**os.environ, "PYTHONPATH": str(copy), "ORDERN_CACHE": str(copy / "cache")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # else every run would compile the whole package
    line = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", *more, *tests]

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

    options: dict[str, Any] = {"env": env, "cwd": HERE.parent, "capture_output": True, "text": True}
    try:
        made = subprocess.run(line, timeout=20 * limit, preexec_fn=bounded, **options)
    except subprocess.TimeoutExpired:
        return None
    return None if made.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else made


class Judge:
    """Runs faults; remembers what the sound source does."""

    def __init__(self) -> None:
        self.passes: dict[str, bool] = {}

    def sound(self, copy: Path, test: str) -> bool:
        """Whether a test passes without a fault."""
        if test not in self.passes:
            made = pytest(copy, [test], 600.0)
            self.passes[test] = made is not None and made.returncode == 0
        return self.passes[test]

    def __call__(self, copy: Path, fault: Fault, tests: list[str]) -> tuple[str, str]:
        """ "killed", "timeout" (killed too) or "SURVIVED", and by which test."""
        limit = 0.0
        while True:
            made, limit = self.faulty(copy, fault, tests, limit or 3 * MOST)
            if made is None:
                begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                if pytest(copy, tests, 600.0) is None:
                    return "SURVIVED", "the sound source takes too long"
                fair = LIMIT * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin) + START
                if limit >= fair:
                    return "timeout", ""
                limit = fair
                continue
            if made.returncode in (0, 5):
                return "SURVIVED", ""
            failed = [
                line.split(" ", 1)[1].partition(" - ")[0]
                for line in made.stdout.splitlines()
                if line.startswith(("FAILED ", "ERROR "))
            ]
            by = failed[0] if failed else tests[0]
            if "::" not in by:  # the file cannot be imported: one of its tests tells whether it can without the fault
                by = next((test for test in tests if test.startswith(by)), tests[0])
            if self.sound(copy, by):
                return "killed", by
            left = [test for test in tests if test not in (by, by.partition("[")[0])]
            if len(left) == len(tests) or not left:
                return "SURVIVED", "no test passes on the sound source"
            tests = left

    def faulty(self, copy: Path, fault: Fault, tests: list[str], limit: float) -> tuple[Any, float]:
        """The tests with the fault in its place."""
        place, source = copy / "ordern" / fault.path.relative_to(SOURCE), fault.path.read_text("utf-8")
        tree = ast.parse(source)
        list(faults(tree))[fault.at][2]()
        place.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
        try:
            return pytest(copy, tests, limit, "-x", "-rfE"), limit
        finally:
            place.write_text(source, "utf-8")
            Path(importlib.util.cache_from_source(str(place))).unlink(missing_ok=True)


def copies(folder: Path, count: int) -> queue.Queue[Path]:
    """So many copies of the package, to be taken and given back."""
    made: queue.Queue[Path] = queue.Queue()
    for k in range(count):
        shutil.copytree(SOURCE, folder / str(k) / "ordern", ignore=shutil.ignore_patterns("__pycache__"))
        made.put(folder / str(k))
    return made


def sampled(rooms: list[str], count: int, minutes: float, seed: int, jobs: int) -> dict[str, dict[str, Any]]:
    """So many faults of each room, in turns, until the time is over."""
    begin, rng, choose = time.monotonic(), random.Random(seed), Chooser()
    picks = {room: rng.sample(many, min(count, len(many))) for room in rooms if (many := faults_of(room))}
    order = [picks[room][k] for k in range(count) for room in rooms if k < len(picks.get(room, ()))]
    table: dict[str, dict[str, Any]] = {
        r: {"faults": 0, "killed": 0, "timeouts": 0, "untested": 0, "survivors": []} for r in rooms
    }
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        free = copies(Path(folder), jobs)

        def with_copy(work: Any, *given: Any) -> Any:
            copy = free.get()
            try:
                return work(copy, *given)
            finally:
                free.put(copy)

        judge = Judge()

        def one(fault: Fault) -> None:
            if time.monotonic() - begin > 60 * minutes - MOST:
                return
            tests = choose(fault)
            how, by = with_copy(judge, fault, tests) if tests else ("SURVIVED", "no test runs it")
            whole = [file for file in choose.files(fault) if "agreement" not in file]  # the grid takes minutes
            if how == "SURVIVED" and whole:  # the map is old in places
                how, by = with_copy(judge, fault, whole)
            row = table[fault.room]
            row["faults"] += 1
            row["killed"] += how != "SURVIVED"
            row["timeouts"] += how == "timeout"
            row["untested"] += not tests
            if how == "SURVIVED":
                row["survivors"].append(f"{fault}  {fault.text}")
            print(f"{how:<8} {fault}" + (f"  by {by}" if by else ""), flush=True)

        list(pool.map(one, order))
    return table


def page(table: dict[str, dict[str, Any]], seed: int) -> str:
    """The scores, what survived, and what is no fault, as Markdown."""
    from named_faults import EQUIVALENT

    lines = ["---", "orphan: true", "---", "", "# Faults put into the source, and how many the tests notice", ""]
    lines += [
        f"Written by `python tests/mutants.py --seed {seed} --page docs/mutants.md` (`make mutants`): faults are drawn by"
    ]
    lines += ["chance from each room, so the score of a few is an estimate.", ""]
    lines += ["| room | tried | noticed | score | wanted |", "| --- | --- | --- | --- | --- |"]
    for room, row in table.items():
        score = f"{row['killed'] / row['faults']:.0%}" if row["faults"] else ""
        lines.append(f"| `{room}` | {row['faults']} | {row['killed']} | {score} | {MINIMUM.get(room, 0.8):.0%} |")
    survived = [f"- `{line}`" for row in table.values() for line in row["survivors"]]
    lines += ["", "## Not noticed", "", *(survived or ["Of these, none."]), "", "## Changes that are no faults", ""]
    lines += [f"- `{file}`, `{text}`, {what}: {why}" for file, text, what, why in EQUIVALENT]
    return "\n".join([*lines, "- " + " ".join((quiet.__doc__ or "").split()), ""])


def named() -> int:
    """Every fault of named_faults.py, by the test that it names; 1 if one survives."""
    from named_faults import NAMED

    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copies(Path(folder), 1).get()
        for what, file, old, new, test in NAMED:
            text = (SOURCE / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{what}: {old!r} stands {text.count(old)} times in {file}; correct named_faults.py")
            (copy / "ordern" / file).write_text(text.replace(old, new), "utf-8")
            made = pytest(copy, [f"tests/{test}"], 600.0, "-x")
            (copy / "ordern" / file).write_text(text, "utf-8")
            Path(importlib.util.cache_from_source(str(copy / "ordern" / file))).unlink(missing_ok=True)
            noticed = made is not None and made.returncode in (1, 2)
            survived += not noticed
            how = "NO END" if made is None else "killed" if noticed else "SURVIVED"
            print(f"{how:<8} {what}  by {test}", flush=True)
    print(f"{len(NAMED) - survived} of {len(NAMED)} named faults are noticed")
    return int(survived > 0)


def main() -> int:
    """Print a score for each room."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--count", type=int, default=12, help="faults a room")
    parser.add_argument("--minutes", type=float, default=28.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", default="")
    parser.add_argument("--page", default="", help="write the scores there, as Markdown")
    parser.add_argument("--named", action="store_true", help="the faults of named_faults.py instead of random ones")
    parser.add_argument(
        "--record",
        action="store_true",
        help="bring covered.json up to date: at first as long as all tests take",
    )
    given = parser.parse_args()
    if given.named:
        return named()
    if given.record:
        from covered import record

        return record(SOURCE, COVERED, given.rooms.split(","), given.jobs)
    table = sampled(given.rooms.split(","), given.count, given.minutes, given.seed, given.jobs)
    print(f"\n{'room':<12} {'faults':>6} {'killed':>6} {'of these timeouts':>18} {'score':>6} {'wanted':>6}")
    for room, row in table.items():
        score = row["killed"] / row["faults"] if row["faults"] else float("nan")
        print(
            f"{room:<12} {row['faults']:>6} {row['killed']:>6} {row['timeouts']:>18} {score:>6.0%} {MINIMUM.get(room, 0.8):>6.0%}"
        )
    for room, row in table.items():
        for line in row["survivors"]:
            print(f"survived in {room}: {line}")
    if given.json:
        Path(given.json).write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    if given.page:
        Path(given.page).write_text(page(table, given.seed), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
