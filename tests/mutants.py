"""Mutation testing: small faults are put into the source one at a time, and the tests of that room must notice.

    python tests/mutants.py --named
    python tests/mutants.py [--rooms simulate,sweep] [--count 40] [--minutes 30] [--seed 0] [--json FILE]

A fault is one change of the syntax tree: a sign, an operator, a comparison, a number, a condition turned round, a return value dropped. The
package is copied, so the sources are never touched. For each fault the tests that touch its module run (by name of the module, then of the
room), fastest first, until one fails; a fault that all pass has survived and is listed with its line. Sampled: the score is an estimate.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src" / "ordern"
ROOMS = ("algorithms", "spatial", "joints", "program", "emit", "simulate", "describe", "evaluate", "sweep", "runtime")
MINIMUM = dict.fromkeys(("algorithms", "spatial", "joints", "program", "emit"), 0.9)  # the others 0.8
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
EXTRA = {  # tests that stand elsewhere than in the room of their name
    "algorithms": ["test_agreement.py", "test_accuracy.py"], "spatial": ["test_agreement.py"],
    "joints": ["test_joints.py", "test_joint_exponential.py"],
    "program": ["test_agreement.py", "runtime/test_kernels.py"],
    "emit": ["test_agreement.py", "simulate/test_simulate.py"], "runtime": ["test_robot.py"],
}  # fmt: skip


def faults(tree: ast.AST) -> Iterator[tuple[int, str, object]]:
    """Line, what is done, and a function that does it and returns one that undoes it."""
    quiet = {
        id(n) for f in ast.walk(tree) if isinstance(f, (ast.Raise, ast.JoinedStr, ast.Assert)) for n in ast.walk(f)
    }  # messages are not behaviour
    for node in ast.walk(tree):
        if id(node) in quiet:
            continue
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATORS:
            yield (
                node.lineno,
                f"{type(node.op).__name__} -> {OPERATORS[type(node.op)].__name__}",
                _set(node, "op", OPERATORS[type(node.op)]()),
            )
        elif isinstance(node, ast.BoolOp):
            yield node.lineno, f"{type(node.op).__name__} turned", _set(node, "op", OPERATORS[type(node.op)]())
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
            new = OPERATORS[type(node.ops[0])]
            yield (
                node.lineno,
                f"{type(node.ops[0]).__name__} -> {new.__name__}",
                _set(node, "ops", [new(), *node.ops[1:]]),
            )
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node.lineno, "minus dropped", _set(node, "op", ast.UAdd())
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
        ):
            yield node.lineno, f"{node.value} -> {node.value + 1}", _set(node, "value", node.value + 1)
        elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.lineno, "condition turned round", _set(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _set(node: ast.AST, name: str, new: object) -> object:
    def do() -> object:
        old = getattr(node, name)
        setattr(node, name, new)
        return lambda: setattr(node, name, old)

    return do


def files(room: str) -> list[Path]:
    place = SOURCE / room
    return sorted(place.rglob("*.py")) if place.is_dir() else [SOURCE / f"{room}.py"]


def tests_of(path: Path, room: str) -> list[str]:
    """Those named after the module first, then those that import it, of its family, that stand elsewhere, and the room's smallest."""
    here = (
        importlib.util.find_spec("torch") is not None
    )  # without it that file fails by itself, and would count as having noticed
    every = sorted(t for t in HERE.rglob("test_*.py") if here or t.stem != "test_torch")
    named = [t for t in every if t.stem in (f"test_{path.stem}", f"test_{path.parent.name}")]
    using = [t for t in every if f".{path.stem} " in (text := t.read_text("utf-8")) or f".{path.stem}\n" in text]
    own = sorted((t for t in every if t.parent == HERE / room), key=lambda t: t.stat().st_size)
    more = [HERE / name for name in EXTRA.get(room, [])]
    family = [
        t for t in own if t.stem.removeprefix("test_").split("_")[0] in path.stem
    ]  # test_fixman.py for fixman_planar.py
    return [str(t) for t in dict.fromkeys([*named, *using, *family, *more, *own]) if t.exists()][:8]


def killed(copy: Path, tests: list[str], limit: float) -> str:
    """Which test noticed, or nothing."""
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(copy / "cache")}
    for test in tests:
        line = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", test]
        try:
            made = subprocess.run(line, env=env, cwd=HERE.parent, capture_output=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"{test} (no end)"
        if made.returncode not in (0, 5):
            return test
    return ""


def named() -> int:
    """Every fault of named_faults.py, by the test that it names; 1 if one survives."""
    from named_faults import NAMED

    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(SOURCE, copy / "ordern", ignore=shutil.ignore_patterns("__pycache__"))
        for what, file, old, new, test in NAMED:
            text = (SOURCE / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{what}: {old!r} stands {text.count(old)} times in {file}; correct named_faults.py")
            (copy / "ordern" / file).write_text(text.replace(old, new), "utf-8")
            by = killed(copy, [str(HERE / test)], 600.0)
            (copy / "ordern" / file).write_text(text, "utf-8")
            survived += not by
            print(f"{'killed  ' if by else 'SURVIVED'} {what}" + (f"  by {Path(by).name}" if by else ""), flush=True)
    print(f"{len(NAMED) - survived} of {len(NAMED)} named faults are noticed")
    return int(survived > 0)


def main() -> int:
    """Print a score for each room."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--count", type=int, default=12, help="faults a room")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", default="")
    parser.add_argument("--named", action="store_true", help="the faults of named_faults.py instead of random ones")
    given = parser.parse_args()
    if given.named:
        return named()
    rooms, rng, end = given.rooms.split(","), random.Random(given.seed), time.monotonic() + 60 * given.minutes
    table: dict[str, dict] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(SOURCE, copy / "ordern", ignore=shutil.ignore_patterns("__pycache__"))
        for k, room in enumerate(rooms):
            share = time.monotonic() + (end - time.monotonic()) / (len(rooms) - k)
            table[room] = {"faults": 0, "killed": 0, "survivors": []}
            sources = {path: path.read_text("utf-8") for path in files(room)}
            spots = [(path, at) for path, text in sources.items() for at in range(len(list(faults(ast.parse(text)))))]
            for path, at in rng.sample(spots, min(given.count, len(spots))):
                if time.monotonic() > share:
                    break
                tree = ast.parse(sources[path])
                line, what, do = list(faults(tree))[at]
                do()  # type: ignore[operator]
                place = copy / "ordern" / path.relative_to(SOURCE)
                place.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
                by = killed(copy, tests_of(path, room), max(30.0, min(300.0, share - time.monotonic())))
                place.write_text(sources[path], "utf-8")
                table[room]["faults"] += 1
                table[room]["killed"] += bool(by)
                where = f"{path.relative_to(SOURCE.parent)}:{line}: {what}"
                if not by:
                    table[room]["survivors"].append(where)
                print(
                    f"{'killed  ' if by else 'SURVIVED'} {where}" + (f"  by {Path(by).name}" if by else ""), flush=True
                )
    print(f"\n{'room':<12} {'faults':>6} {'killed':>6} {'score':>6} {'wanted':>6}")
    for room, row in table.items():
        score = row["killed"] / row["faults"] if row["faults"] else float("nan")
        print(f"{room:<12} {row['faults']:>6} {row['killed']:>6} {score:>6.0%} {MINIMUM.get(room, 0.8):>6.0%}")
    if given.json:
        Path(given.json).write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
