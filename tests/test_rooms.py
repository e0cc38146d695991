"""The rooms of src/ordern: imports go one way, names have one owner, files and functions stay short.

Every import is read: those at the top of a file, those made late inside functions, and those by name through importlib.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "src" / "ordern"
ORDER = """errors files scalars spatial joints model tree describe algorithms program emit runtime evaluate
simulate report view robot sweep check bench papers cli""".split()  # noqa: SIM905  a line of rooms reads better than a list of texts
FACADE = {"__init__", "__main__"}  # public names that only point into the rooms, and python -m ordern
FILES = sorted(ROOT.rglob("*.py"))
MODULES = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__").rstrip("."): p for p in FILES}
MOST_ANY = 0.026  # share of the annotated parameters that may be of any type; it should fall
LONGEST_FILE, LONGEST_FUNCTION, COLUMNS = 400, 60, 120
ASKED_BACK = {"bench.bench_more": {"cli"}}  # measures how long the command line takes to start


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def room(module: str) -> str:
    return module.split(".")[0] or "__init__"


def imports(module: str, path: Path) -> list[tuple[int, str]]:
    """(line, module within ordern) of every import in a file, however it is made."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    package = [part for part in package if part]
    found = []
    for node in ast.walk(parsed(path)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [a.name.removeprefix("ordern.") for a in node.names if a.name.startswith("ordern.")]
        elif isinstance(node, ast.ImportFrom):
            base = (node.module or "").split(".") if node.module else []
            if node.level:
                base = package[: len(package) - (node.level - 1)] + base
            elif base[:1] == ["ordern"]:
                base = base[1:]
            else:
                continue
            names = [".".join([*base, a.name]) for a in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = re.findall(r"^ordern\.([a-z_.]+)$", node.value)
        for name in names:
            while name and name not in MODULES:
                name = name.rpartition(".")[0]
            if name and name != module:
                found.append((getattr(node, "lineno", 0), name))
    return found


def test_every_file_stands_in_a_room_of_the_plan() -> None:
    assert {room(m) for m in MODULES} <= {*ORDER, *FACADE}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_go_one_way(module: str) -> None:
    if room(module) in FACADE:
        return
    rank = ORDER.index(room(module))
    found = [(line, name) for line, name in imports(module, MODULES[module]) if name not in ASKED_BACK.get(module, ())]
    late = [f"line {line}: {name}" for line, name in found if room(name) in ORDER and ORDER.index(room(name)) > rank]
    assert not late, f"{module} uses rooms after its own: {late}"


def test_the_reader_sees_late_imports_and_those_by_name(tmp_path: Path) -> None:
    text = "def f():\n    from ..robot import Robot\n    import importlib\n    return importlib.import_module('ordern.view.page')\n"
    (tmp_path / "x.py").write_text(text)
    assert [name for _, name in imports("simulate.x", tmp_path / "x.py")] == ["robot", "view.page"]


# file formats and DH tables have types of joints by name, papers their robots, and the world is a floating body
NAMES_JOINTS = {"describe", "papers", "view.dh_frames", "model"}


def test_only_formats_and_papers_name_classes_of_joints() -> None:
    """All others ask a joint what it does, so that a user's class takes the same way."""
    named = {"Cylindrical", "Floating", "Helical", "Planar3", "Prismatic", "Revolute", "Spherical", "Universal"}
    found = [
        f"{module}: {alias.name}"
        for module, path in MODULES.items()
        if room(module) != "joints" and not {room(module), module} & NAMES_JOINTS
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "joints"
        for alias in node.names
        if alias.name in named
    ]
    assert not found


def test_file_and_class_names_have_one_owner() -> None:
    owners: dict[str, list[str]] = defaultdict(list)
    for module, path in MODULES.items():
        if path.name not in ("__init__.py", "__main__.py") and room(module) not in FACADE:
            owners[f"file {path.stem}"].append(module)
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                owners[f"class {node.name}"].append(module)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_files_and_functions_stay_short() -> None:
    long = [f"{m}: {n} lines" for m, p in MODULES.items() if (n := len(p.read_text().splitlines())) > LONGEST_FILE]
    for module, path in MODULES.items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                first = node.body[0]
                told = (
                    first.end_lineno - first.lineno + 1
                    if isinstance(first, ast.Expr) and ast.get_docstring(node)
                    else 0
                )
                lines = (node.end_lineno or 0) - node.lineno + 1 - told - _arguments(node)
                if lines > LONGEST_FUNCTION:
                    long.append(f"{module}.{node.name}: {lines} lines")
    assert not long


def test_lines_fit_into_120_columns() -> None:
    """But for remarks to linters at the end of a line, which must stand there, and instructions of machine code."""
    long = []
    for module, path in MODULES.items():
        for at, line in enumerate(path.read_text().splitlines(), 1):
            bare = re.sub(r"  # (type: ignore|noqa|fmt: skip).*$", "", line)
            if len(bare) > COLUMNS and "i64 %" not in line:
                long.append(f"{module}:{at}: {len(bare)} columns")
    assert not long


def _arguments(node: ast.FunctionDef) -> int:
    """Lines that list arguments; they and the docstring are for the caller to read."""
    return max(0, node.body[0].lineno - node.lineno - 1)


def test_few_parameters_are_of_any_type() -> None:
    kinds = [
        node.annotation
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.arg) and node.annotation
    ]
    assert sum(isinstance(kind, ast.Name) and kind.id == "Any" for kind in kinds) <= MOST_ANY * len(kinds)


def test_a_tolerance_in_tests_is_the_whole_tolerance() -> None:
    """assert_allclose adds 1e-7 of the wanted value by itself, so that any smaller atol given alone means nothing."""
    alone = [
        f"{path.name}:{node.lineno}"
        for path in Path(__file__).parent.rglob("*.py")
        if "assert_allclose" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and "assert_allclose" in (getattr(node.func, name, "") for name in ("attr", "id"))
        if len(node.args) < 3 and {word.arg for word in node.keywords} & {"atol", "rtol"} == {"atol"}
    ]
    assert not alone, f"give rtol= too, 0 where atol says all: {alone}"
