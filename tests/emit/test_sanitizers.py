"""The exported C, compiled with the address and undefined-behaviour sanitizers, runs its own self-test without a complaint."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import ordern
from budget import TRUST

COMPILER = shutil.which("gcc") or shutil.which("clang")
ROBOTS = [n for n in ordern.robots.names() if not n.startswith("chain")] if TRUST else ["planar3", "stanford"]
QUANTITIES = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse"] if TRUST else ["forward_dynamics"]


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_exported_c_is_clean(tmp_path, name, quantity):
    robot = ordern.load(name)
    if getattr(robot, "loops", ()):
        pytest.skip("closed chains have tests of their own")
    robot.export_c(quantity, tmp_path)
    sources = sorted(map(str, Path(tmp_path).glob("*.c")))
    flags = ["-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ffp-contract=off"]
    made = subprocess.run([COMPILER, *flags, *sources, "-lm", "-o", str(tmp_path / "test")], capture_output=True, text=True)
    if "cannot find" in made.stderr and "san" in made.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert made.returncode == 0, made.stderr
    run = subprocess.run([str(tmp_path / "test")], capture_output=True, text=True)
    assert run.returncode == 0 and "runtime error" not in run.stderr and "ERROR: AddressSanitizer" not in run.stderr, run.stdout + run.stderr
