"""The exported C, compiled with the address and undefined-behaviour sanitizers, runs its own self-test without a complaint."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import needs
import ordern
from budget import TRUST

ROBOTS = [n for n in ordern.robots.names() if not n.startswith("chain") and not ordern.load(n).model.loops] if TRUST else ["planar3", "stanford"]
QUANTITIES = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse"] if TRUST else ["forward_dynamics"]


@needs.sanitizers()
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_exported_c_is_clean(tmp_path, name, quantity):
    robot = ordern.load(name)
    robot.export_c(quantity, tmp_path)
    sources = sorted(map(str, Path(tmp_path).glob("*.c")))
    flags = ["-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ffp-contract=off"]
    made = subprocess.run([needs.COMPILER, *flags, *sources, "-lm", "-o", str(tmp_path / "test")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    run = subprocess.run([str(tmp_path / "test")], capture_output=True, text=True)
    assert run.returncode == 0 and "runtime error" not in run.stderr and "ERROR: AddressSanitizer" not in run.stderr, run.stdout + run.stderr
