"""Exported C for ARM: compiles without a warning for 64 bits, 32 bits and a microcontroller, and passes its own test where it can be run.

Needs Debian's gcc-aarch64-linux-gnu, gcc-arm-linux-gnueabihf, gcc-arm-none-eabi with libnewlib-arm-none-eabi, and qemu-user.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest

import ordern
from budget import PATIENCE

STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"]
CORTEX = ["-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard", "-c"]  # firmware has no system to run on here
# the same compiler and its own library of mathematics, for a processor that the emulator of programs has
NEWLIB = ["--specs=rdimon.specs", "-mcpu=cortex-a9", "-mfpu=neon", "-mfloat-abi=hard"]
COMPILERS = {  # with its options, and what runs the program
    "aarch64-linux-gnu-gcc": (["-static"], "qemu-aarch64"),
    "arm-linux-gnueabihf-gcc": (["-static"], "qemu-arm"),
    "arm-none-eabi-gcc": (CORTEX, None),
    "arm-none-eabi-gcc with newlib": (NEWLIB, "qemu-arm"),
}
FOUND = [
    pytest.param(c, marks=pytest.mark.skipif(not shutil.which(c.split()[0]), reason=f"no {c}: apt-get install it"))
    for c in COMPILERS
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("robot", "quantity"), [("ur5", "inverse_dynamics"), ("fourbar", "forward_dynamics")])
@pytest.mark.parametrize("compiler", FOUND)
def test_c_for_arm(compiler, robot, quantity, dtype, tmp_path):
    options, runner = COMPILERS[compiler]
    ordern.load(robot).export_c(quantity, tmp_path, dtype=dtype)
    sources = sorted(p.name for p in tmp_path.glob("*.c") if runner or not p.name.endswith("_test.c"))
    assert sources
    target = ["-o", "test", "-lm"] if runner else []
    built = subprocess.run(
        [compiler.split()[0], *STRICT, *options, *sources, *target],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert built.returncode == 0, built.stderr
    if runner and shutil.which(runner):
        ran = subprocess.run([runner, "./test"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
        assert ran.returncode == 0, ran.stdout + ran.stderr
