"""What a machine may lack that the project cannot install, and so cannot ask for; each mark says why it may be left out.

Everything that Python packages bring is in the extra ``test``: there, what is missing is a failure.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

from ordern.runtime import entry
from ordern.runtime.machine import _host, native_lanes

WEB = Path(__file__).parents[1] / "web"


def _x86_with(feature: str) -> bool:
    target, _, features = _host()
    return target.triple.startswith("x86_64") and feature in features.split(",")


COMPILER = shutil.which("gcc") or shutil.which("clang")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
EXAMPLES = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"  # of the extra test


def _refuses_executable_memory() -> bool:
    """Whether PR_SET_MDWE is known here; asked in another process, because it cannot be taken back."""
    if not sys.platform.startswith("linux"):
        return False
    version = re.match(r"(\d+)\.(\d+)", platform.release())
    return version is not None and tuple(map(int, version.groups())) >= (6, 3)


def _compiles_with(*flags: str) -> bool:
    """Whether the C compiler links a program with these switches; asked once, the answer costs a tenth of a second."""
    if COMPILER is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        line = [COMPILER, *flags, "-x", "c", "-", "-o", os.path.join(folder, "a")]
        return subprocess.run(line, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0


def _mark(there: bool, why: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not there, reason=why)


chromium = _mark(CHROMIUM is not None, "a browser is the system's: apt-get install chromium (.ci/run does)")
node = _mark(
    shutil.which("node") is not None,
    "node is the system's: only it can run the JavaScript that is written: apt-get install nodejs",
)
built_web = _mark(
    shutil.which("node") is not None and (WEB / "node_modules").is_dir(),
    "rebuilds the page: npm ci in web/; digests are compared anyway",
)
pyright = _mark(
    shutil.which("pyright") is not None,
    "a second type checker, which runs on node: npm install -g pyright, or pip install pyright",
)
gcc = _mark(shutil.which("gcc") is not None, "a C compiler is the system's, and users need none: apt-get install gcc")
gxx = _mark(shutil.which("g++") is not None, "a C++ compiler is the system's: apt-get install g++")
fma = _mark(
    _x86_with("+fma"), "bits are promised where gcc fuses multiply-adds, which it is asked for by a switch of x86 here"
)
older = _mark(_x86_with("+avx2"), "runs machine code for older x86 processors, which this one cannot")
lines = _mark(
    native_lanes().width == 8, "writes whole lines of memory from one register, which has 64 bytes with AVX-512 only"
)
fast_entry = _mark(
    bool(entry.available()), "this interpreter's arrays are laid out otherwise; calls go the ordinary way"
)
fork = _mark(hasattr(os, "fork"), "this system has no fork, so there is nothing that threads could be lost in")
posix_signals = _mark(os.name != "nt", "Windows sends no SIGINT to a child alone")
linux = _mark(sys.platform.startswith("linux"), "crowds memory by the way Linux lays it out")
locks = _mark(
    importlib.util.find_spec("fcntl") is not None, "this system has no locks of that kind, and sweeps do without"
)
posix = _mark(os.name == "posix", "modes, links, pipes and limits of POSIX")
prctl = _mark(_refuses_executable_memory(), "forbids executable memory for a process, which Linux can from 6.3 on")
full_device = _mark(os.path.exists("/dev/full"), "writes to a device that is always full, which Linux has")


def sanitizers() -> pytest.MarkDecorator:
    """Asked by compiling something, and so only by the tests that need it."""
    return _mark(
        _compiles_with("-fsanitize=address,undefined"),
        "gcc or clang with its sanitizers is the system's: apt-get install gcc",
    )


@functools.cache
def opencl() -> pytest.MarkDecorator:
    """Asked by building a kernel, and so only by the tests that need it."""
    from ordern.errors import MissingExtra
    from ordern.evaluate.opencl_functions import _context

    try:
        _context()
    except MissingExtra as missing:  # PoCL's package knows no processor that came after it
        return _mark(False, f"{missing}: apt-get install pocl-opencl-icd (.ci/run does)")
    return _mark(True, "")


drake = _mark(importlib.util.find_spec("pydrake") is not None, "Drake is 400 MB for one parser: pip install drake")
MENAGERIE = os.environ.get(
    "ORDERN_MENAGERIE", ""
)  # a folder with the files of github.com/google-deepmind/mujoco_menagerie
menagerie = _mark(
    bool(MENAGERIE) and Path(MENAGERIE).is_dir(),
    "other people's robots, not shipped: clone mujoco_menagerie and set ORDERN_MENAGERIE",
)
TWINS = os.environ.get(
    "ORDERN_TWINS", ""
)  # a folder with copies of the repositories that tests/describe/test_twins.py names
twins = _mark(
    bool(MENAGERIE) and bool(TWINS) and Path(TWINS).is_dir(),
    "other people's robots, not shipped: clone the repositories that the test names, and set ORDERN_TWINS and ORDERN_MENAGERIE",
)
