"""The wheel: built, installed into an empty environment outside the clone, it runs the README's examples and the command line."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from budget import TRUST

ROOT = Path(__file__).resolve().parents[1]
WHOLE = TRUST  # with its dependencies from the package index; else with those of this environment


def run(*line, cwd, **more):
    made = subprocess.run([str(w) for w in line], cwd=cwd, capture_output=True, text=True, env=_clean(cwd), **more)
    assert made.returncode == 0, made.stdout[-1000:] + made.stderr[-3000:]
    return made.stdout


def _clean(folder):
    """An environment that knows nothing of the clone."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "ORDERN_CACHE"))}
    return kept | {"XDG_CACHE_HOME": str(folder / "cache"), "MPLBACKEND": "agg"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the wheel, and the Python of an environment that has it."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    wheel = next(folder.glob("ordern-*.whl"))
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    source = f"{wheel}[all]" if WHOLE else wheel
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-compile",
        *([] if WHOLE else ["--no-deps"]),
        source,
        cwd=folder,
    )
    if not WHOLE:  # packages of this environment, after its own
        site = run(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])", cwd=folder).strip()
        (Path(site) / "zz_borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder, wheel, python


def readme_examples():
    spec = importlib.util.spec_from_file_location("refresh_for_wheel", ROOT / "docs" / "refresh.py")
    refresh = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(refresh)
    return refresh.examples((ROOT / "README.md").read_text())


def test_what_the_wheel_holds(installed):
    names = zipfile.ZipFile(installed[1]).namelist()
    there = {
        str(p.relative_to(ROOT / "src"))
        for p in (ROOT / "src" / "ordern").rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert there <= set(names)
    assert not [n for n in names if re.search(r"tests?/|\.pyc$|node_modules|^/", n)]
    text = zipfile.ZipFile(installed[1]).read(next(n for n in names if n.endswith("METADATA"))).decode()
    assert "Requires-Dist: numpy" in text and "Provides-Extra: logs" in text and "Apache-2.0" in text
    assert (
        "ordern = ordern.cli:main"
        in zipfile.ZipFile(installed[1]).read(next(n for n in names if n.endswith("entry_points.txt"))).decode()
    )


def test_the_readme_runs_outside_the_clone(installed):
    folder, _, python = installed
    where = run(python, "-c", "import ordern; print(ordern.__file__)", cwd=folder).strip()
    assert where.startswith(str(folder / "env")), where
    for k, example in enumerate(readme_examples()):
        (folder / f"example{k}.py").write_text(example.code)
        made = run(python, f"example{k}.py", cwd=folder)
        assert [line.rstrip() for line in made.strip().splitlines()] == [
            line.rstrip() for line in example.expected.strip().splitlines()
        ]
    assert (folder / "motion.html").stat().st_size > 10_000 and list((folder / "firmware").glob("*.h"))


def test_its_command(installed):
    folder, wheel, python = installed
    command = python.with_name("ordern.exe" if os.name == "nt" else "ordern")
    assert wheel.name.split("-")[1] in run(command, "--version", cwd=folder)
    assert "panda_joint1" in run(command, "info", "panda", cwd=folder)
    run(command, "view", "ur5", "--out", "ur5.html", cwd=folder)
