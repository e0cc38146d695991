"""The worked extensions of CONTRIBUTING.md, each written into a copy of the sources and tested there.

    python tests/extensions.py [joint | algorithm | evaluator | format | language] ...

A block of code names its file; one marked ``diff`` replaces lines of a file; the lines of ``console`` blocks are the tests to run.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = {
    "joint": "A joint type",
    "algorithm": "An algorithm",
    "evaluator": "An evaluator",
    "format": "A robot format",
    "language": "An output language",
}
BLOCK = re.compile(r"^```(python|diff|console)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def blocks(name: str) -> list[tuple[str, str, str]]:
    """Kind, file and text of every block of a section."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split(f"\n## {SECTIONS[name]}\n", 1)[1].split("\n## ", 1)[0]
    return BLOCK.findall(section)


def applied(name: str, copy: Path) -> list[str]:
    """Write a section's blocks into a copy; the lines of its console blocks."""
    lines: list[str] = []
    for kind, path, text in blocks(name):
        if kind == "console":
            lines += text.splitlines()
            continue
        place = copy / path
        if kind == "python":
            if place.exists():
                raise FileExistsError(f"{path} is there already: an extension adds files")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
            continue
        before, after = ("".join(row[1:] for row in text.splitlines(keepends=True) if row[0] == sign) for sign in "-+")
        there = place.read_text("utf-8")
        if there.count(before) != 1:
            raise ValueError(f"{path} has {there.count(before)} places with\n{before}")
        place.write_text(there.replace(before, after), "utf-8")
    return lines


def tried(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Copy, apply, run the tests; the last process that ran."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, folder / part)  # with bytecode, which is as old as its sources there too
    shutil.copy(ROOT / "pyproject.toml", folder)
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "ORDERN_CACHE": "off"}
    for line in applied(name, folder):
        words = shlex.split(line)
        if words[0] != "pytest":
            raise ValueError(f"{line!r}: a console block has lines of pytest")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words[1:]]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return done
    return done


def main(names: list[str]) -> int:
    failed = 0
    for name in names or SECTIONS:
        with tempfile.TemporaryDirectory() as folder:
            done = tried(name, Path(folder))
        failed += done.returncode != 0
        print(f"{name}: {done.stdout.strip().splitlines()[-1] if not done.returncode else done.stdout + done.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
