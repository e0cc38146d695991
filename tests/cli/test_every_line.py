"""Every command that README, pages and --help show runs, in a folder with the files it names: those of --help as processes, the others
in this one; ORDERN_TRUST=1 starts a process for each.

Lines of one page run in their order, so that what one writes the next may read. Long ones and those that serve until they are stopped are listed
with the test that runs them.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ordern
from budget import TRUST
from ordern.cli import _guarded, cli

ROOT = Path(__file__).resolve().parents[2]
# lines that run elsewhere: how they begin, and the test of tests/test_cli.py (or where) that runs the command
ELSEWHERE = {
    "reproduce": "test_example_of_reproduce", "bench": "test_example_of_bench", "view": "test_view_tells_machines_where",
    "sweep study.toml --out /shared/runs": "",  # needs somebody's cluster; tests/sweep runs dask://
}  # fmt: skip
LONG = (
    "verify",
    "count puma560 forward_dynamics --table",
    "sweep",
)  # only in the long form; tests/cli/test_every_option.py runs smaller ones
STUDY = """robot = "planar3"
[simulation]
duration = 0.02
[controller]
law = "pd"
target = [0.1, 0.1, 0.1]
kp = 10.0
kd = 1.0
[sweep]
payload.mass = [0.0, 0.1]
[keep]
tool = "link3"
tracking_error = true
"""


def _pages():
    spec = importlib.util.spec_from_file_location("refresh_for_lines", ROOT / "docs" / "refresh.py")
    refresh = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(refresh)
    return refresh.pages()


def lines(page: Path) -> list[str]:
    """What a page tells people to type, pipes and comments left out; words in capitals stand for something, and are not run."""
    text = page.read_text()
    found = re.findall(r"^\$? ?(ordern [a-z].*)$|`(ordern [a-z][^`]*)`", text, re.M)
    made = [re.split(r" [#|] ?", a or b)[0].removeprefix("ordern ").strip() for a, b in found]
    whole = [
        m for m in made if not re.search(r"\b[A-Z]{3,}\b", m) and len(m.split()) > 1 and m.split()[0] in cli.commands
    ]
    return [m for m in dict.fromkeys(whole) if m.split()[0] != "sweep" or ".toml" in m]


SHOWN = {str(p.relative_to(ROOT)): lines(p) for p in _pages() if lines(p)}
# the first paragraph of what stands below each help; a file to begin with may follow
HELP = [c.epilog.split("ordern ", 1)[1].split("\n\n")[0].strip() for c in cli.commands.values()]


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    from test_every_option import _bag

    made = tmp_path_factory.mktemp("bags") / "bag"
    _bag(made, np.linspace(0, 1, 51))
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch, bag):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    ordern.load("planar3").to_urdf(tmp_path / "my.urdf")
    ordern.load("planar3").save(tmp_path / "my.toml")
    t = np.linspace(0, 1, 51)
    (tmp_path / "log.csv").write_text("t,joint1,joint2,joint3\n" + "\n".join(f"{x},{x},{x * x},0" for x in t))
    names = ordern.load("ur5").joint_names
    (tmp_path / "degrees.csv").write_text(
        ";".join(["t", *names]) + "\n" + "\n".join(";".join(map(str, [x, *[200 * x * x] * 6])) for x in t)
    )
    shutil.copytree(bag, tmp_path / "bag")
    return tmp_path


def does(line: str, folder: Path) -> None:
    if any(line.startswith(start) for start in (ELSEWHERE if TRUST else (*ELSEWHERE, *LONG))):
        return
    if TRUST:
        made = subprocess.run(
            [sys.executable, "-m", "ordern.cli", *shlex.split(line)], cwd=folder, capture_output=True, text=True
        )
        assert made.returncode in ((0, 1) if line.startswith("lint") else (0,)) and "Traceback" not in made.stderr, (
            f"{line}: {made.stderr}"
        )
    else:
        assert _guarded(shlex.split(line)) in ((0, 1) if line.startswith("lint") else (0,)), line


@pytest.mark.filterwarnings("default::ordern.errors.OrdernWarning")
@pytest.mark.parametrize("page", SHOWN)
def test_lines_of_a_page_run_in_their_order(page, folder, capsys):
    for line in SHOWN[page]:
        does(
            line if "simulate ur5" not in line else f"{line} --duration 0.05", folder
        )  # a page may leave ten seconds to the reader


# a process for each line, forked from one that has imported: Python's start and NumPy's are paid once
FORKS = """
import json, os, sys
import numpy, ordern, ordern.cli
for words in json.load(sys.stdin):
    child = os.fork()
    if not child:
        for place, name in ((1, "out.txt"), (2, "err.txt")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), place)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w")
        try:
            ordern.cli.main(words)
        except SystemExit as end:
            code = end.code
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([code, os.path.getsize("out.txt"), open("err.txt").read()]), flush=True)
"""


def test_a_line_of_each_command_runs_as_a_process(folder):
    """The example of each command's --help; of those that take long a smaller line, unless asked for the long form."""
    small = {
        "verify": "verify pendulum --states 1",
        "count": "count planar3 mass_matrix",
        "sweep": "sweep study.toml --out s",
    }
    here = [line for line in HELP if not line.startswith(tuple(ELSEWHERE))]
    if not TRUST:
        here = [small[line.split()[0]] if line.startswith(LONG) else line for line in here]
    assert {line.split()[0] for line in here} == set(cli.commands) - {"reproduce", "bench", "view"}
    asked = json.dumps([shlex.split(line) for line in here])
    made = subprocess.run([sys.executable, "-c", FORKS], input=asked, cwd=folder, capture_output=True, text=True)
    told = [json.loads(line) for line in made.stdout.splitlines()]
    assert len(told) == len(here), made.stderr
    for line, (code, size, err) in zip(here, told, strict=True):
        assert code in ((0, 1) if line.startswith("lint") else (0,)) and "Traceback" not in err, f"{line}: {err}"
        assert size > 0, line


def test_something_is_shown():
    assert sum(map(len, SHOWN.values())) > 25 and len(HELP) == len(cli.commands)


def test_what_runs_elsewhere_does():
    """The tests named above exist and run the command."""
    tree = ast.parse((ROOT / "tests" / "test_cli.py").read_text())
    bodies = {node.name: ast.unparse(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for start, test in ELSEWHERE.items():
        assert not test or f"'{start.split()[0]}'" in bodies[test], (start, test)
