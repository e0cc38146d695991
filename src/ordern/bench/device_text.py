"""What NVIDIA's assembler says of a quantity written in CUDA C: registers a thread and bytes it spills. No device is
needed, and none is timed.

The compiler comes from PyPI (nvidia-cuda-nvcc) or from an installed toolkit; it calls the system's C++ compiler for its
preprocessor.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import MissingExtra

if TYPE_CHECKING:
    from ..robot import Robot

__all__ = ["Resources", "nvcc", "resources"]


@dataclass(frozen=True)
class Resources:
    """Of one thread."""

    registers: int
    spilled: int  # bytes, stores and loads together
    stack: int  # bytes


def nvcc() -> Path | None:
    """The compiler, if there is one."""
    found = shutil.which("nvcc")
    if found:
        return Path(found)
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations if spec and spec.submodule_search_locations else ():
        for path in sorted(Path(root).glob("*/bin/nvcc")):
            return path
    return None


def resources(
    robot: Robot, quantity: str, dtype: str = "float32", architecture: str = "sm_80", method: str | None = None
) -> Resources:
    """Compile and assemble a quantity for an architecture."""
    compiler = nvcc()
    if compiler is None or shutil.which("g++") is None:
        raise MissingExtra(
            "needs nvcc (pip install nvidia-cuda-nvcc) and the system's g++; nothing is assembled without them"
        )
    with tempfile.TemporaryDirectory() as folder:
        (text,) = robot.export(quantity, folder, language="cuda", dtype=dtype, method=method)
        command = [
            str(compiler),
            "-cubin",
            f"-arch={architecture}",
            "-fmad=false",
            "-Xptxas",
            "-v",
            "-o",
            str(Path(folder) / "made.cubin"),
            str(text),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"nvcc refused {quantity}: {done.stderr[-500:]}")
    found = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", done.stderr)
    used = re.search(r"Used (\d+) registers", done.stderr)
    if found is None or used is None:
        raise RuntimeError(f"the assembler's report was not understood: {done.stderr[-500:]}")
    return Resources(int(used[1]), int(found[2]) + int(found[3]), int(found[1]))
