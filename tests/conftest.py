import gc
import importlib.util
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# PyTorch is half a gigabyte and in no extra that these tests ask for; `make test-torch` installs it and runs its tests
collect_ignore = [] if importlib.util.find_spec("torch") else ["evaluate/test_torch.py"]

os.environ.setdefault("ORDERN_QUIET", "1")  # tests compare what commands say, however slow the machine

# Machine code is shared by all processes of a run, and by runs on the same sources, without filling the user's own cache
os.environ.setdefault("ORDERN_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))

# Code that LLVM does not optimise has the same bits and is made in a third of the time. Tests of machine code itself, and all of
# `make trust`, have it as users do: see ``as_users_have_it``
if os.environ.get("ORDERN_TRUST", "") in ("", "0"):
    os.environ.setdefault("ORDERN_OPTIMISE", "0")
MACHINE_CODE = (
    "tests/emit/",
    "tests/runtime/",
    "tests/bench/",
    "test_machine_code",
    "test_random_programs",
    "test_accuracy",
)

# Tests start hundreds of processes. Where bytecode may not lie beside the sources, it is kept elsewhere while they run:
# else each process would compile all it imports. Workers inherit the folder.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in os.environ:
    bytecode = tempfile.TemporaryDirectory(prefix="ordern-tests-", ignore_cleanup_errors=True)
    sys.dont_write_bytecode, sys.pycache_prefix = False, bytecode.name
    os.environ["PYTHONPYCACHEPREFIX"] = bytecode.name

# a shell that starts the tests in the background has them ignore Ctrl-C, which the tests of Ctrl-C would wait for in vain
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def as_users_have_it(request, monkeypatch):
    """Optimised, in tests that are about machine code."""
    if any(part in request.node.nodeid for part in MACHINE_CODE):
        monkeypatch.delenv("ORDERN_OPTIMISE", raising=False)


def pytest_collection_finish(session):
    """Python searches for cycles of references after every 700 new objects, which took a quarter of the suite's time.

    Here after every 100,000, and not among what was imported and collected, which stays to the end.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
