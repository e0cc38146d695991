"""Write docs/trust.md: what is promised, what was measured, what peers give in the same run, and the command for each row.

python docs/trust.py [--count 200] [--results FILE.xml ...] [--run [EXPRESSION]] [--coverage FILE.json]

``--results`` takes how many tests of each row pass from a run of pytest that was recorded (``make trust`` does). ``--run``
runs the command of each row, or of those that match; the figures of other rows stay as they were the last time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

import ordern

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests")]
EPS = float(np.finfo(float).eps)


def corpus_rows() -> list[tuple[str, str, str, str]]:
    """Bad inputs, here and in Pinocchio."""
    import corpus

    cases = corpus.cases()
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        refused = sum(corpus.said(kind, text) is not None for kind, text, _ in cases)
        os.chdir(before)
    urdf = [text for kind, text, _ in cases if kind == "urdf"]
    # Pinocchio refuses with exceptions of several kinds; a crash ends with a signal, a missing package with 1
    code = "import sys, pinocchio\ntry:\n    pinocchio.buildModelFromXML(sys.stdin.read())\nexcept Exception:\n    sys.exit(3)"
    codes = [subprocess.run([sys.executable, "-c", code], input=t.encode(), capture_output=True).returncode for t in urdf[::5]]
    peer = (
        f"Pinocchio refuses {codes.count(3)} of {len(codes)} of the URDFs (crashes: {sum(c < 0 for c in codes)})"
        if 1 not in codes
        else "not installed"
    )
    return [
        ("bad inputs of the corpus are refused, each in its own words", f"{refused} of {len(cases)}", peer, "pytest tests/test_hostile.py -k corpus")
    ]


def fuzz_row(count: int) -> tuple[str, str, str, str]:
    """Mutated texts."""
    import corpus
    from test_hostile import mutant

    good, rng, foreign = json.loads(corpus.PLACE.read_text("utf-8"))["good"], random.Random(0), 0
    for kind, text in good.items():
        for _ in range(count):
            try:
                corpus.said(kind, mutant(text, rng))
            except Exception:  # what is counted here
                foreign += 1
    return ("foreign exceptions from fuzzed files", f"{foreign} of {count * len(good)}", "", "ORDERN_TRUST=1 pytest tests/test_hostile.py -k fuzzed")


def store_row(count: int) -> tuple[str, str, str, str]:
    """Damage to a store, ours and a plain one with the same arrays."""
    import zarr

    run = ordern.robots.planar3().simulate(np.random.default_rng(0).normal(size=(20, 3)), duration=0.1)
    rng, found, seen = random.Random(0), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        ours, plain, copy = Path(folder, "a.zarr"), Path(folder, "b.zarr"), Path(folder, "c.zarr")
        run.save(ours)
        group = zarr.open_group(str(plain), mode="w")
        group.create_array("q", data=np.asarray(run.q))
        group.create_array("qd", data=np.asarray(run.qd))
        for _ in range(count):
            for place in (ours, plain):
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(place, copy)
                files = sorted(p for p in copy.rglob("*") if p.is_file() and "/c/" in p.as_posix())
                target = rng.choice(files)
                data = bytearray(target.read_bytes())
                if rng.random() < 0.2:
                    target.unlink()
                else:
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                    target.write_bytes(data)
                try:
                    if place == ours:
                        ordern.Run.load(copy)
                    else:
                        there = zarr.open_group(str(copy), mode="r")
                        assert np.array_equal(there["q"][...], run.q) and np.array_equal(there["qd"][...], run.qd), "wrong numbers in silence"
                except AssertionError:
                    pass
                except Exception:  # any refusal counts as found
                    found, seen = found + (place == ours), seen + (place == plain)
    return ("flipped bits and missing chunks of a store are found", f"{found} of {count}", f"a plain Zarr store: {seen} of {count}",
            "pytest tests/simulate/test_damage.py")  # fmt: skip


def accuracy_rows() -> list[tuple[str, str, str, str]]:
    """Inverse dynamics against 50 digits."""
    import mpmath

    rows = []
    for name, robot in (("UR5", ordern.load("ur5")), ("PUMA 560", ordern.load("puma560")), ("chain of 30", ordern.robots.chain(30))):
        rng = np.random.default_rng(0)
        q, qd, qdd = robot.random(rng), *rng.normal(size=(2, robot.n))
        with mpmath.workdps(50):
            exact = np.array([float(x) for x in np.ravel(robot.evaluate("inverse_dynamics", q, qd, qdd, scalars="mpmath"))])
        scale = np.abs(exact).max() * EPS
        mine = np.abs(robot.inverse_dynamics(q, qd, qdd) - exact).max() / scale
        peer = ""
        try:
            import pinocchio

            with tempfile.TemporaryDirectory() as folder:
                robot.to_urdf(f"{folder}/x.urdf")
                model = pinocchio.buildModelFromUrdf(f"{folder}/x.urdf")
            if (model.nv, model.nq) == (robot.n, robot.nq):
                theirs = np.array(pinocchio.rnea(model, model.createData(), q, qd, qdd))
                peer = f"Pinocchio {np.abs(theirs - exact).max() / scale:.1f} eps"
        except Exception as error:
            peer = f"Pinocchio: {type(error).__name__}"
        rows.append((f"inverse dynamics of {name} against 50 digits", f"{mine:.1f} eps of the largest torque", peer, "pytest tests/test_accuracy.py"))
    return rows


def bits_row() -> tuple[str, str, str, str]:
    """Threads and batch sizes."""
    robot, before = ordern.load("panda"), ordern.threads()
    states, made = np.random.default_rng(0).normal(size=(3, 5000, robot.n)), set()
    for k in (1, 2, 3, 4):
        ordern.threads(k)
        made.add(robot.forward_dynamics(*states).tobytes())
    ordern.threads(before)
    made.add(np.array([robot.forward_dynamics(*states[:, i]) for i in range(5000)]).tobytes())
    return ("the same bits for 1 to 4 threads, alone and in a batch of 5,000", f"{len(made)} result", "", "pytest tests/runtime/test_kernels.py")


def nan_row() -> tuple[str, str, str, str]:
    """NaN in an input."""
    robot = ordern.load("panda")
    q = np.zeros(robot.n)
    q[2] = np.nan
    try:
        robot.inverse_dynamics(q, 0 * q, 0 * q)
        said = "accepted"
    except ordern.InputError as error:
        said = f"refused: {error}"
    try:
        import pinocchio

        model = pinocchio.buildSampleModelManipulator()
        bad = np.full(model.nq, np.nan)
        peer = (
            "Pinocchio returns NaN" if np.isnan(pinocchio.rnea(model, model.createData(), bad, np.zeros(model.nv), np.zeros(model.nv))).any() else ""
        )
    except ImportError:
        peer = "not installed"
    return ("NaN in an input", said[:90], peer, "pytest tests/test_bad_arguments.py")


def recorded(files: list[str]) -> list[tuple[str, str, bool]]:
    """(file, test, passed) of every test that ran, from the JUnit files of pytest."""
    made = []
    for name in files:
        for case in ET.parse(name).getroot().iter("testcase"):
            kinds = {child.tag for child in case}
            if "skipped" not in kinds:
                place = case.attrib["classname"].replace(".", "/") + ".py"
                made.append((place, case.attrib["name"], not kinds & {"failure", "error"}))
    return made


def chosen(words: list[str], tests: list[tuple[str, str, bool]]) -> list[bool]:
    """Whether they passed, of the tests that a command of pytest chooses; none if some of its files did not run."""
    places = [word for word in words if word.startswith("tests/")]
    if not all(any(place.startswith(p.removesuffix(".py")) for place, _, _ in tests) for p in places):
        return []
    wanted = words[words.index("-k") + 1].split(" or ") if "-k" in words else [""]
    return [
        passed
        for place, name, passed in tests
        if any(place.startswith(p.removesuffix(".py")) for p in places) and any(word in name for word in wanted)
    ]


def last_time() -> dict[str, str]:
    """What the page says, by promise."""
    lines = (line for line in (HERE / "trust.md").read_text("utf-8").splitlines() if line.startswith("| ") and line.count(" | ") >= 3)
    return {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[1].strip() for line in lines}


def coverage_row(file: str) -> tuple[str, str, str, str]:
    """From coverage's JSON, or what the page says."""
    promise = "statements of `src` that the tests run, those for PyTorch aside"
    if not file:
        return promise, last_time().get(promise, "") or "not run for this page", "", "make coverage"
    files = json.loads(Path(file).read_text("utf-8"))["files"]
    counted = [f["summary"] for name, f in files.items() if not Path(name).name.startswith("torch")]
    total, missing = (sum(c[key] for c in counted) for key in ("num_statements", "missing_lines"))
    return promise, f"{100 * (total - missing) / total:.1f} % of {total:,}", "", "make coverage"


def promise_row(row: tuple[str, str, str, str], run: bool, tests: list[tuple[str, str, bool]]) -> tuple[str, str, str, str]:
    """The row with how many of its tests pass: counted now, in a run that was recorded, or what the page says from the last time."""
    promise, _, peer, command = row
    words = shlex.split(command)
    passed = chosen(words, tests)
    if not run and passed:
        return promise, f"{sum(passed)} of {len(passed)} tests pass", peer, command
    if not run:
        return promise, last_time().get(promise, "") or "not run for this page: `make trust` does", peer, command
    if "pytest" not in words:
        said = subprocess.run([sys.executable, *words[1:]], cwd=HERE.parent, capture_output=True, text=True).stdout
        return promise, said.strip().splitlines()[-1], peer, command
    env = dict(os.environ) | dict(word.split("=", 1) for word in words if word.startswith("ORDERN_"))
    with tempfile.TemporaryDirectory() as folder:
        plain = [word for word in words if not word.startswith("ORDERN_")]
        line = [sys.executable, "-m", *plain, "-n", "0", "-p", "no:cacheprovider", f"--junitxml={folder}/x.xml"]
        subprocess.run(line, env=env, cwd=HERE.parent, capture_output=True)
        passed = [good for _, _, good in recorded([f"{folder}/x.xml"])]
    return promise, f"{sum(passed)} of {len(passed)} tests pass", peer, command


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--run", nargs="?", const="", default=None, help="run the tests of all promises, or of those that match this expression")
    parser.add_argument("--results", nargs="*", default=[], help="JUnit files of a run of pytest: rows whose tests are in them are counted there")
    parser.add_argument("--coverage", default="", help="JSON of coverage.py, which make coverage leaves in .venv/coverage.json")
    given = parser.parse_args()
    count, tests = given.count, recorded(given.results)
    promises = [promise_row(row, given.run is not None and re.search(given.run, row[0]) is not None, tests) for row in PROMISES]
    rows = [*corpus_rows(), fuzz_row(count), store_row(count), *accuracy_rows(), bits_row(), nan_row(), *promises, coverage_row(given.coverage)]
    lines = ["# What is promised, and what was measured", "",
             f"Written by `python docs/trust.py --count {count}` with ordern {ordern.__version__}, Python {platform.python_version()},",
             f"NumPy {np.__version__}, {platform.system()} {platform.machine()}. `make trust` runs the long forms of all rows.", "",
             "| promise | measured | peer, in the same run | command |", "| --- | --- | --- | --- |"]  # fmt: skip
    lines += ["| " + " | ".join(f"`{cell}`" if k == 3 else cell.replace("|", "\\|") for k, cell in enumerate(row)) + " |" for row in rows]
    errors = (HERE / "trust_errors.txt").read_text("utf-8")
    lines += ["", "## Errors of every method", "", "```text", errors.rstrip(), "```", "", "## Forks", "", *FORKS]
    lines += ["", "See [what stays as it is](stability.md), and SECURITY.md in the repository for who is trusted with what.", ""]
    (HERE / "trust.md").write_text("\n".join(lines), "utf-8")
    print("\n".join(lines))


FORKS = [
    "A child that is forked while another thread compiles or calls kernels computes on: its locks are new. What ordern cannot prevent is a",
    "fork while another thread imports a module for the first time: Python's own lock of that module stays locked in the child, where the same",
    "import hangs. Import what you need (`import ordern`, and one call of each kind) before threads start, or start processes by `spawn`.",
]
PROMISES = [
    (
        "20 killed drivers and more than 100 killed Dask workers: nothing lost, nothing twice, the same bytes",
        "",
        "",
        "ORDERN_TRUST=1 pytest tests/sweep/test_sweep.py -k killed",
    ),
    ("blocks that crash or hang are set aside, the rest finished, with both engines", "", "", "pytest tests/sweep/test_sabotage.py -k aside"),
    (
        "exchanged blocks, foreign blocks and edited manifests are found",
        "",
        "",
        "pytest tests/sweep/test_sabotage.py -k 'exchanged or another or manifest'",
    ),
    ("a kill at any moment leaves a store that resumes", "", "", "ORDERN_TRUST=1 pytest tests/simulate/test_damage.py -k kill"),
    (
        "a disk that is full at any byte leaves what was there",
        "",
        "",
        "ORDERN_TRUST=1 pytest tests/test_files.py tests/simulate/test_damage.py -k full",
    ),
    ("of two writers the second is told", "", "", "pytest tests/simulate/test_damage.py tests/sweep -k 'two_writers or at_a_time'"),
    (
        "packed files, stores, bags and .mat files that are bombs are refused within 1 GiB",
        "",
        "",
        "pytest tests/simulate/test_bombs.py",
    ),
    ("every limit of a reader is in SECURITY.md", "", "", "pytest tests/test_security.py"),
    ("children forked during a compile compute", "", "", "ORDERN_TRUST=1 pytest tests/runtime/test_faults.py -k fork"),
    ("without executable memory: NumPy and a sentence", "", "", "pytest tests/runtime/test_faults.py -k executable"),
    ("memory of 10,000 kernels made and dropped stays bounded", "", "", "ORDERN_TRUST=1 pytest tests/runtime/test_faults.py -k dropped"),
    ("Ctrl-C at random moments, threads that change, clocks that jump", "", "", "ORDERN_TRUST=1 pytest tests/runtime/test_faults.py"),
    ("nothing is read or written beyond an array: kernels between guard pages", "", "", "pytest tests/runtime/test_guard_pages.py"),
    ("faults that tests once missed are noticed", "", "", "python tests/mutants.py --named"),
    ("generated C is clean under ASan and UBSan", "", "", "ORDERN_TRUST=1 pytest tests/emit/test_sanitizers.py"),
]

if __name__ == "__main__":
    main()
