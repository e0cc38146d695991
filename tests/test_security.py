"""SECURITY.md says what the code does: its table of limits holds every limit of a reader, with the value that it has."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import ordern

ROOT = Path(__file__).parents[1]
SOURCE = Path(ordern.__file__).parent
LIMITS = re.compile(
    r"(LARGEST|MOST|DEEPEST|LONGEST|FARTHEST|PACKED|SMALL|MEMBERS|INSIDE|FRAMES|ELEMENTS|NODES|FILES|SERIES|META|CHUNK|"
    r"DESCRIPTION|MANIFEST|KEYS|DOTTED|SECONDS|MEMORY)(_[A-Z]+)?"
)
OTHERS = {"sweep.study_values.CHUNK", "view.dh_frames.MOST"}  # no bounds of what is read: seeds, and rows of a page


def constants() -> dict[str, float]:
    """The numbers that modules which read name in capitals, by module and name."""
    made = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        if place.split(".")[0] not in ("cli", "describe", "errors", "files", "simulate", "sweep", "view"):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _number(node.value):
                made[f"{place}.{node.targets[0].id}"] = eval(ast.unparse(node.value), {"__builtins__": {}})
    return {name: value for name, value in made.items() if value > 10}  # less is no bound of anything large


def _number(node: ast.expr) -> bool:
    """Whether it is written in digits and their products alone."""
    return all(isinstance(part, (ast.BinOp, ast.operator, ast.Constant)) for part in ast.walk(node)) and not any(
        isinstance(part.value, (str, bytes, bool, type(None)))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    )


def rows() -> list[tuple[str, list[str]]]:
    """What each row of the table promises, and the names of what keeps the promise."""
    text = (ROOT / "SECURITY.md").read_text("utf-8").split("## Limits")[1]
    cells = [line.split(" | ") for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    return [(promise, re.findall(r"`([\w.]+)`", code)) for _, promise, code in cells[1:]]


def spelled(value: float) -> list[str]:
    units = [("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("MB", 10**6)]
    return [
        f"{value:,.0f}",
        *(f"{value // size:.0f} {name}" for name, size in units if value >= size and not value % size),
    ]


def test_the_table_of_limits_is_the_one_of_the_code():
    known = constants()
    for promise, names in rows():
        for name in names:
            assert name in known, f"{name} is in SECURITY.md but not in the code"
            assert any(re.search(rf"(?<![\d,]){word}(?![\d,]*\d)", promise) for word in spelled(known[name])), (
                name,
                known[name],
            )


def test_no_limit_is_missing_from_the_table():
    told = {name for _, names in rows() for name in names}
    bounds = {
        name for name in constants() if LIMITS.fullmatch(name.rsplit(".", 1)[1]) and not name.startswith("view.page")
    }
    assert bounds - told - OTHERS == set()


def test_every_file_is_read_within_a_limit_of_the_table():
    """Whoever reads bytes names a constant, not a number of his own."""
    known = constants()
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("read_bytes", "opened_file")
            ):
                names = [n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name) and n.id.isupper()]
                assert names or place == "files", f"{place}:{node.lineno} reads without a named limit"
                assert all(f"{place}.{name}" in known or f"files.{name}" in known or name == "META" for name in names)


# modules that open files themselves, and what these are: none is a file that others hand to a user
OWN = {
    "runtime.cache": "machine code of this user", "runtime.foreign_code": "Python code of the caller", "cli.hints": "/dev/null",
    "describe.builtin": "of the package", "view.page": "of the package", "papers.rows": "of the package",
    "papers.reproduce": "of the package", "view.film": "made here", "check.convert": "made here", "sweep.sweep_process": "a pipe",
    "sweep.sweep_folder": "the lock of a folder", "bench.bench": "/proc/cpuinfo", "bench.bench_generated": "made here",
    "bench.bench_peers": "of the benchmark", "bench.bench_more": "of the benchmark",
}  # fmt: skip


def test_all_other_files_are_opened_by_the_bounded_reader_and_the_whole_writer():
    """So that limits, refusals of pipes, modes, links and full disks need no thought where a format is read or written."""
    names, found = {"read_text", "read_bytes", "write_text", "write_bytes", "tofile", "fromfile", "loadtxt"}, set()
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and (
                (isinstance(node.func, ast.Name) and node.func.id == "open")
                or (isinstance(node.func, ast.Attribute) and node.func.attr in names)
                or (
                    isinstance(node.func, ast.Attribute)
                    and ast.unparse(node.func) in ("os.open", "os.fdopen", "io.open")
                )
            ):
                found.add(place)
    assert {place for place in found if place.split(".")[0] != "files"} == set(OWN)


def test_tests_wait_for_what_must_end_without_a_figure():
    """A machine may be slow: what is waited for has budget.PATIENCE, and a test fails for what is wrong, not for what is late."""
    bad = re.compile(r"(?<!port, )\btimeout=\d|\.join\(\d|deadline = .*\+ \d")
    found = [
        f"{p.name}:{k}"
        for p in sorted((ROOT / "tests").rglob("test_*.py"))
        if "view" not in p.parts and p != Path(__file__).resolve()
        for k, line in enumerate(p.read_text("utf-8").splitlines(), 1)
        if bad.search(line)
    ]
    assert not found


def test_the_lock_file_has_every_package_of_the_tests():
    """Also those that only these need; each with the hash of its archive. ``make lock`` writes it anew."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras, todo, wanted = project["optional-dependencies"], ["test"], set()
    lines = list(project["dependencies"])
    while todo:
        for line in extras[todo.pop()]:
            own = re.match(r"ordern\[(.*)\]", line)
            (todo.extend(own[1].replace(" ", "").split(",")) if own else lines.append(line))
    for line in lines:
        wanted.add(re.match(r"[\w.-]+", line)[0].lower().replace("_", "-"))
    locked = (ROOT / "requirements.lock").read_text("utf-8").splitlines()[1:]
    assert all(re.fullmatch(r"[\w.-]+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in locked)
    assert wanted - {line.split("==")[0].replace("_", "-") for line in locked} == set()
