"""The exported C, compiled with the address and undefined-behaviour sanitizers, runs its own self-test without a complaint."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import needs
import ordern
from budget import TRUST

ROBOTS = (
    [n for n in ordern.robots.names() if not n.startswith("chain")] if TRUST else ["planar3", "stanford", "fourbar"]
)
QUANTITIES = (
    ["inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse"] if TRUST else ["forward_dynamics"]
)


@needs.sanitizers()
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_exported_c_is_clean(tmp_path, name, quantity):
    robot = ordern.load(name)
    if robot.loops and quantity == "mass_matrix":
        quantity = "constraint_forces"  # with loops, the matrix is the tree's
    robot.export_c(quantity, tmp_path)
    sources = sorted(map(str, Path(tmp_path).glob("*.c")))
    flags = ["-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ffp-contract=off"]
    made = subprocess.run(
        [needs.COMPILER, *flags, *sources, "-lm", "-o", str(tmp_path / "test")], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    run = subprocess.run([str(tmp_path / "test")], capture_output=True, text=True)
    assert run.returncode == 0 and "runtime error" not in run.stderr and "ERROR: AddressSanitizer" not in run.stderr, (
        run.stdout + run.stderr
    )


@needs.sanitizers()
def test_loops_over_units_in_c_are_clean(tmp_path):
    """A mechanism so long that its program has loops over units, with constants and tables by unit."""
    robot = ordern.load("fourbars70")
    robot.export_c("forward_dynamics", tmp_path)
    sources = sorted(map(str, Path(tmp_path).glob("*.c")))
    assert "for (" in "".join(Path(s).read_text() for s in sources)
    flags = ["-std=c99", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ffp-contract=off"]
    made = subprocess.run(
        [needs.COMPILER, *flags, *sources, "-lm", "-o", str(tmp_path / "test")], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    run = subprocess.run([str(tmp_path / "test")], capture_output=True, text=True)
    assert run.returncode == 0 and "runtime error" not in run.stderr and "ERROR: AddressSanitizer" not in run.stderr, (
        run.stdout + run.stderr
    )
