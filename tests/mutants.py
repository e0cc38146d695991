"""Mutation testing: small faults are put into the source one at a time, and the tests that run that place must notice.

    python tests/mutants.py --named
    python tests/mutants.py --count 12 [--rooms simulate,sweep] [--minutes 28] [--seed 0] [--jobs 2] [--keep]
    python tests/mutants.py --again [--rooms simulate,sweep] [--tests tests/...]
    python tests/mutants.py --page docs/mutants.md
    python tests/mutants.py --record [--rooms algorithms,spatial] [--tests tests/...]

A fault is one change of the syntax tree: a sign, an operator, a comparison, a number, a condition turned round. The package is copied, so the
sources are never touched. covered.json says which tests run which statement (``--record`` makes it anew); those of the statement with the fault
run, then others of its function and a few that name it, until one fails; then the same with all their parameters, and the files of the room that
they stand in. Where the map knows none, the files of tests that have to do with the module run too, but for the grid. Both for two minutes and a
half. What is left meets all tests of its room. A test that fails on the sound source too is left out. A run that does not end counts as killed,
apart, if the limit is five times what the sound source takes and half a minute; else it runs again with such a limit. A fault that all tests pass
has survived and is listed with its line.
Sampled: the score is an estimate.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import queue
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from covered import places
from fault_kinds import faults, quiet
from forked import Ended, Runner

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src" / "ordern"
COVERED, RESULTS = HERE / "data" / "covered.json", HERE / "data" / "mutants.json"
ROOMS = ("algorithms", "spatial", "joints", "program", "emit", "simulate", "describe", "evaluate", "sweep", "runtime")
MINIMUM = dict.fromkeys(("algorithms", "spatial", "joints", "program", "emit"), 0.9)  # the others 0.8
MANY, MOST = 24, 40.0  # tests of one fault, and s that they took when covered.json was made
FEW, UNKNOWN = 4, 5.0  # with fewer tests others are added, of which nothing is known: s that they are taken to last
WHOLE = 150.0  # s of the processor for whole files of tests
EVERY = 600.0  # and for all of a room: the map keeps five or ten tests of a statement, and another one may be the only one that sees
LIMIT, START = 5.0, 30.0  # a faulty run may take this many times as long, and s for imports and machine code made anew
TORCH = importlib.util.find_spec("torch") is not None  # else neither its module nor its tests run
LEFT_OUT = (
    *(() if TORCH else ("test_torch", "test_torch_inputs")),
    "test_wheel",
    "test_notebooks",
    "test_docs",
    "test_examples",
    "test_rooms",
    "test_named_faults",
)
EXTRA = {  # tests that stand elsewhere than in the room of their name
    "algorithms": ["algorithms/test_reference.py", "algorithms/test_methods.py", "test_agreement.py", "test_accuracy.py"],
    "spatial": ["test_agreement.py", "test_joint_exponential.py"],
    "joints": ["test_joints.py", "test_joint_forms.py", "test_joint_exponential.py", "test_new_joints.py"],
    "program": ["test_agreement.py", "runtime/test_kernels.py"],
    "program/schedule": ["test_far_frames.py"],
    "emit/explicit": ["emit/test_order_conditions.py"],
    "emit": ["emit/test_c.py", "emit/test_llvm.py", "test_agreement.py"],
    "runtime": ["runtime/test_kernels.py", "test_odd_arrays.py", "test_robot.py"],
    "runtime/xla_call": ["evaluate/test_jax.py"],
    "runtime/other_equations": ["algorithms/test_overconstrained.py"],
    "program/freedoms": ["algorithms/test_second_order.py"],
    "evaluate": ["test_robot_methods.py", "test_formulas.py"],
    "simulate": ["simulate/test_defaults.py"],
    "sweep": ["simulate/test_defaults.py"],
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
    copy: int  # which of those that are the same in text and change

    @property
    def key(self) -> str:
        """The same as long as its line is."""
        return f"{self.path.relative_to(SOURCE).as_posix()}: {self.text}: {self.what}: {self.copy}"

    def row(self, seed: int, how: str) -> dict[str, Any]:
        """What is kept of it when it was drawn and tried for the first time."""
        file = self.path.relative_to(SOURCE).as_posix()
        return {"seed": seed, "room": self.room, "file": file, "text": self.text, "what": self.what, "first": how}

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
        place_of, seen = places(tree), Counter[tuple[str, str]]()
        for at, (line, what, _) in enumerate(faults(tree)):
            text = lines[line - 1].strip()
            if not {(file, text, what), (file, text, "any")} & same:
                made.append(Fault(room, path, at, line, what, text, *place_of.get(line, ("", 0)), seen[text, what]))
            seen[text, what] += 1
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
        groups, running = own.get(fault.function, []), self.running(fault)
        found = list(dict.fromkeys([*running, *self.named(k for _, tests in groups for k in tests)]))
        if not fault.function:  # of the module's own lines: a few tests of each function
            found = self.named(k for many in own.values() for _, tests in many for k in tests[:2])
        if fault.room in MINIMUM and not running:
            running = list(dict.fromkeys([*running, *TEXTS]))
            found = list(dict.fromkeys([*running, *found]))
        near, naming = self.near(fault)
        found = list(dict.fromkeys([*near[: min(FEW, naming)], *found]))
        if len(found) < 2 * FEW or not any(f"/{fault.room}/" in test for test in found):
            found += [test for test in near[: 2 * FEW] if test not in found]
        made, total = [], 0.0
        for test in found[:MANY]:
            total += self.seconds.get(test, UNKNOWN)
            if total < MOST or not made:
                made.append(test)
        return sorted(made, key=lambda test: (test not in running, self.seconds.get(test, UNKNOWN)))

    def running(self, fault: Fault) -> list[str]:
        """Those that are known to run the statement."""
        groups = self.functions.get(fault.path.relative_to(SOURCE).as_posix(), {}).get(fault.function, [])
        return self.named(k for lines, tests in groups if fault.offset in lines for k in tests)

    def more(self, fault: Fault) -> list[str]:
        """Where those did not notice: the tests of the statement with all their parameters, of which the map knows one, files that have to do
        with the module, and those of the room that the tests stand in, since the map keeps few tests of a statement.
        """
        many = [test for test in self.running(fault) if "[" in test and self.seconds.get(test, UNKNOWN) < 1]
        found = dict.fromkeys(test.partition("[")[0] for test in many if test not in TEXTS)
        own = dict.fromkeys(test.partition("::")[0] for test in self.running(fault) if f"/{fault.room}/" in test)
        near = dict.fromkeys(file for file in self.files(fault) if "agreement" not in file)
        return list(found | near | own)

    def room(self, fault: Fault) -> list[str]:
        """All tests of its room; those of joints stand beside the rooms (the grid takes minutes)."""
        beside = [f for f in self.texts if f.count("/") == 1 and "agreement" not in f]
        return [f for f in self.texts if f"/{fault.room}/" in f] or beside

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
        return list(dict.fromkeys([*called, *extra[:2], *using, *family, *above, *folder, *extra]))[:6]

    def near(self, fault: Fault) -> tuple[list[str], int]:
        """Test functions of files that have to do with the module; those that name the function first, and how many these are."""
        texts = self.texts
        *owners, name = fault.function.split(".")
        word = re.compile(rf"\b{re.escape(owners[-1] if name.startswith('__') and owners else name)}\b")
        made = [
            (bool(name and word.search(ast.get_source_segment(texts[file], test) or "")), f"{file}::{test.name}")
            for file in self.files(fault)
            if "agreement" not in file  # the grid takes minutes
            for test in ast.parse(texts[file]).body
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        ]
        return [test for _, test in sorted(made, key=lambda pair: not pair[0])], sum(named for named, _ in made)


# --- running ---------------------------------------------------------------------------------------------------------------------------
class Copy:
    """A copy of the package to put faults into, and the process that runs tests on it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.runner = folder, Runner()
        shutil.copytree(SOURCE, folder / "ordern", ignore=shutil.ignore_patterns("__pycache__"))

    def pytest(self, tests: list[str], limit: float) -> Ended:
        """The tests, up to the first that fails."""
        options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "-x", "-rfE", *tests]
        return self.runner(self.folder, options, limit, self.folder / "cache")

    def faulty(self, file: Path, text: str, tests: list[str], limit: float) -> Ended:
        """The tests with another text in a file."""
        place = self.folder / "ordern" / file.relative_to(SOURCE)
        place.write_text(text, "utf-8")
        try:
            return self.pytest(tests, limit)
        finally:
            place.write_text(file.read_text("utf-8"), "utf-8")
            Path(importlib.util.cache_from_source(str(place))).unlink(missing_ok=True)
            shutil.rmtree(self.folder / "cache", ignore_errors=True)  # no other source can read that machine code


class Judge:
    """Runs faults; remembers what the sound source does."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds, self.passes = seconds, {}

    def sound(self, copy: Copy, test: str) -> bool:
        """Whether a test passes without a fault."""
        if test not in self.passes:
            self.passes[test] = copy.pytest([test], 600.0).code == 0
        return self.passes[test]

    def __call__(self, copy: Copy, fault: Fault, tests: list[str], bound: float = 0.0) -> tuple[str, str]:
        """ "killed", "timeout" (killed too) or "SURVIVED", and by which test; with a bound, what does not end by then has survived."""
        known = LIMIT * sum(self.seconds.get(test, UNKNOWN) for test in tests) + START
        limit, tree = bound or min(3 * MOST, known), ast.parse(fault.path.read_text("utf-8"))
        list(faults(tree))[fault.at][2]()
        text = ast.unparse(ast.fix_missing_locations(tree))
        while tests:
            made = copy.faulty(fault.path, text, tests, limit)
            if made.code is None:
                if bound:
                    return "SURVIVED", "whole files take too long"
                whole = copy.pytest(tests, 600.0)
                if whole.code is None:
                    return "SURVIVED", "the sound source takes too long"
                if limit >= LIMIT * whole.seconds + START:
                    return "timeout", ""
                limit = LIMIT * whole.seconds + START
                continue
            if made.code in (0, 5):
                return "SURVIVED", ""
            lines = [line.split(" ", 1)[1] for line in made.text.splitlines() if line.startswith(("FAILED ", "ERROR "))]
            by = lines[0].partition(" - ")[0] if lines else ""
            if (
                "::" not in by
            ):  # nothing ran: a file cannot be imported, a test is not there any more, or the process broke down
                by = next((test for test in tests if not self.sound(copy, test)), tests[0])
            if self.sound(copy, by):
                return "killed", by
            left = [test for test in tests if test not in (by, by.partition("[")[0])]
            if len(left) == len(tests):
                break
            tests = left
        return "SURVIVED", "no test passes on the sound source"


def judged(
    order: list[Fault], minutes: float, jobs: int, first: list[str], done: Callable[[Fault, str, str], None]
) -> None:
    """Try faults until the time is over, and hand on each with how it ended and by which test."""
    begin, choose = time.monotonic(), Chooser()
    judge, free = Judge(choose.seconds), queue.Queue[Copy]()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        made = [Copy(Path(folder) / str(k)) for k in range(jobs)]

        def one(fault: Fault) -> None:
            if time.monotonic() - begin > 60 * minutes - MOST:
                return
            copy = free.get()
            try:
                how, by = judge(copy, fault, [*first, *choose(fault)])
                for tests, bound in ((choose.more(fault), WHOLE), (choose.room(fault), EVERY)):
                    if how == "SURVIVED" and tests:
                        how, by = judge(copy, fault, tests, bound)
            finally:
                free.put(copy)
            print(f"{how:<8} {fault}" + (f"  by {by}" if by else ""), flush=True)
            done(fault, how, by)

        for copy in made:
            free.put(copy)
        list(pool.map(one, order))
        for copy in made:
            copy.runner.close()


# --- results ---------------------------------------------------------------------------------------------------------------------------
Results = dict[str, dict[str, Any]]  # by the key of the fault


def sampled(rooms: list[str], count: int, seed: int, known: Results) -> list[Fault]:
    """So many faults of each room that were not yet tried, in turns."""
    rng, picks = random.Random(seed), {}
    for room in rooms:
        many = [fault for fault in faults_of(room) if fault.key not in known]
        picks[room] = rng.sample(many, min(count, len(many)))
    return [picks[room][k] for k in range(count) for room in rooms if k < len(picks[room])]


def scores(results: Results) -> dict[str, dict[str, int]]:
    """By room: how many were tried, noticed by the tests of then and of now, by the time limit, or turned out to be no faults."""
    table = {}
    for room in ROOMS:
        rows = [row for row in results.values() if row["room"] == room]
        real = [row for row in rows if not _no_fault(row)]
        table[room] = {
            "tried": len(rows),
            "no fault": len(rows) - len(real),
            "at first": sum(row["first"] != "SURVIVED" for row in real),
            "now": sum(row["now"] != "SURVIVED" for row in real),
            "by time": sum(row["now"] == "timeout" for row in real),
        }
    return table


def _no_fault(row: dict[str, Any]) -> bool:
    from named_faults import EQUIVALENT

    same = {(file, text, what) for file, text, what, _ in EQUIVALENT}
    return row["now"] == "SURVIVED" and bool({(row["file"], row["text"], w) for w in (row["what"], "any")} & same)


def page(results: Results) -> str:
    """The scores, what survived, and what is no fault, as Markdown."""
    from named_faults import EQUIVALENT, OPEN

    seeds = ", ".join(sorted({str(row["seed"]) for row in results.values()}, key=int))
    texts = sum("test_kernel_digests" in row["by"] for row in results.values() if row["now"] != "SURVIVED")
    text = f"""---
orphan: true
---

# Faults put into the source, and how many the tests notice

Written by `python tests/mutants.py --page docs/mutants.md` from `tests/data/mutants.json`, where
`python tests/mutants.py --keep --seed ...` adds what it tries: here the seeds {seeds}. Faults are drawn by chance from each
room, so a score is an estimate: of ten faults at 90 %, give or take 10 %. For many survivors a test was written and the fault
tried again (`--again`). "At first" counts the tests as they were when the fault was drawn, which for the last seed is what to expect
of the faults that were not drawn; "now" counts those that were added too. A change that cannot alter an answer is no fault, and not counted.
Of the {len(results)}, {texts} were first noticed by the stored texts of kernels, which see any change of a text, right or wrong.

"""
    head = (
        "| room | drawn | no fault | noticed at first | now | of these by time limit | score at first | now | wanted |"
    )
    lines = [head, "| --- " * 9 + "|"]
    for room, row in scores(results).items():
        real = row["tried"] - row["no fault"]
        share = [f"{row[when] / real:.0%}" if real else "" for when in ("at first", "now")]
        cells = [f"`{room}`", *(row[name] for name in ("tried", "no fault", "at first", "now", "by time")), *share]
        lines.append("| " + " | ".join(map(str, [*cells, f"{MINIMUM.get(room, 0.8):.0%}"])) + " |")
    drawn = sorted({row["seed"] for row in results.values()})
    lines += [
        "",
        "Noticed at first, by seed:",
        "",
        f"| room | {' | '.join(map(str, drawn))} |",
        "| --- " * (1 + len(drawn)) + "|",
    ]
    for room in ROOMS:
        cells = [[row for row in results.values() if (row["room"], row["seed"]) == (room, seed)] for seed in drawn]
        real = [[row["first"] != "SURVIVED" for row in cell if not _no_fault(row)] for cell in cells]
        lines.append(f"| `{room}` | " + " | ".join(f"{sum(x)} of {len(x)}" if x else "" for x in real) + " |")
    why = {(file, text, what): reason for file, text, what, reason in OPEN}
    survived = [
        f"- `{row['file']}`: `{row['text']}`, {row['what']}: "
        + why.get((row["file"], row["text"], row["what"]), "open")
        for row in results.values()
        if row["now"] == "SURVIVED" and not _no_fault(row)
    ]
    lines += ["", "## Not noticed", "", *(survived or ["Of these, none."]), "", "## Changes that are no faults", ""]
    lines += [f"- `{file}`, `{text}`, {what}: {reason}" for file, text, what, reason in EQUIVALENT]
    return text + "\n".join([*lines, "- " + " ".join((quiet.__doc__ or "").split()), ""])


def named() -> int:
    """Every fault of named_faults.py, by the test that it names; 1 if one survives."""
    from named_faults import NAMED

    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "0")
        for what, file, old, new, test in NAMED:
            text = (SOURCE / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{what}: {old!r} stands {text.count(old)} times in {file}; correct named_faults.py")
            made = copy.faulty(SOURCE / file, text.replace(old, new), [f"tests/{test}"], 600.0)
            survived += (noticed := made.code in (1, 2)) is False
            how = "NO END" if made.code is None else "killed" if noticed else "SURVIVED"
            print(f"{how:<8} {what}  by {test}", flush=True)
        copy.runner.close()
    print(f"{len(NAMED) - survived} of {len(NAMED)} named faults are noticed")
    return int(survived > 0)


def main() -> int:
    """Print a score for each room."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--count", type=int, default=0, help="faults a room")
    parser.add_argument("--minutes", type=float, default=28.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="add the results to tests/data/mutants.json")
    parser.add_argument("--again", action="store_true", help="try those again that survived, and keep the results")
    parser.add_argument(
        "--tests", nargs="*", default=[], help="tests that run before those of the map; with --record, files to record"
    )
    parser.add_argument("--page", default="", help="write the scores of all results there, as Markdown")
    parser.add_argument("--named", action="store_true", help="the faults of named_faults.py instead of random ones")
    parser.add_argument(
        "--record",
        action="store_true",
        help="bring covered.json up to date with the tests of the rooms; --rooms tests: those that belong to no room",
    )
    given = parser.parse_args()
    rooms = given.rooms.split(",")
    if given.named:
        return named()
    if given.record:
        from covered import record

        return record(SOURCE, COVERED, rooms, Chooser().there, given.tests)
    known: Results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    made: Results = {}

    def done(fault: Fault, how: str, by: str) -> None:
        made[fault.key] = row = known.setdefault(fault.key, fault.row(given.seed, how))
        row |= {"now": how, "by": by}
        if given.keep or given.again:
            lines = (f"{json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
            RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")

    order = sampled(rooms, given.count, given.seed, known if given.keep else {})
    if given.again:
        open_ = {key for key, row in known.items() if row["now"] == "SURVIVED" and not _no_fault(row)}
        order = [fault for room in rooms for fault in faults_of(room) if fault.key in open_]
    judged(order, given.minutes, given.jobs, given.tests, done)
    print(f"\n{'room':<12} {'tried':>6} {'killed':>6} {'of these timeouts':>18} {'score':>6} {'wanted':>6}")
    for room, row in scores(made if order else known).items():
        real = row["tried"] - row["no fault"]
        score = row["now"] / real if real else float("nan")
        print(f"{room:<12} {real:>6} {row['now']:>6} {row['by time']:>18} {score:>6.0%} {MINIMUM.get(room, 0.8):>6.0%}")
    for row in made.values():
        if row["now"] == "SURVIVED":
            print(f"survived in {row['room']}: {row['file']}  {row['text']}  {row['what']}")
    if given.page:
        Path(given.page).write_text(page(known), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
