import contextlib
import gc
import importlib
import importlib.util
import os
import signal
import sys
import tempfile
import threading
import weakref
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
from budget import TRUST

# A machine may be slow for a moment, which is no fault of what is tested. The same examples in every run of the short form: one
# that fails can be seen again; the long form looks for others
settings.register_profile(
    "ordern", deadline=None, derandomize=not TRUST, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ordern")

# PyTorch is half a gigabyte and in no extra that these tests ask for; `make test-torch` installs it and runs its tests
collect_ignore = (
    [] if importlib.util.find_spec("torch") else ["evaluate/test_torch.py", "evaluate/test_torch_inputs.py"]
)

os.environ.setdefault("ORDERN_QUIET", "1")  # tests compare what commands say, however slow the machine

# Machine code is shared by all processes of a run, and by runs on the same sources, without filling the user's own cache
os.environ.setdefault("ORDERN_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))

# Two threads of linear algebra in each of three processes on two cores wait for each other, and burn the processor meanwhile
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# SymPy remembers the last 1000 results by itself, which formulas of robots exceed many times: a third of their time
os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")

# XLA polishes the code of every function of a test, which then runs once: a third of the time of JAX. It does so with ORDERN_TRUST=1
if not TRUST:
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

# Tests start hundreds of processes. Where bytecode may not lie beside the sources, it is kept elsewhere while they run:
# else each process would compile all it imports. Workers inherit the folder.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in os.environ:
    bytecode = tempfile.TemporaryDirectory(prefix="ordern-tests-", ignore_cleanup_errors=True)
    sys.dont_write_bytecode, sys.pycache_prefix = False, bytecode.name
    os.environ["PYTHONPYCACHEPREFIX"] = bytecode.name

# In a new environment nothing is compiled to bytecode yet, some 50 MB of sources: each process of a run begins with other packages,
# so that it finds there what the others have done
FIRST = {"gw1": ("xarray", "nbconvert", "sympy"), "gw2": ("sympy", "jax.numpy", "scipy.optimize")}
for package in FIRST.get(os.environ.get("PYTEST_XDIST_WORKER", ""), ()):
    with contextlib.suppress(ImportError):
        importlib.import_module(package)

# a shell that starts the tests in the background has them ignore Ctrl-C, which the tests of Ctrl-C would wait for in vain
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Files with tests of ten seconds and more, most of which wait for processes they started: begun last, one of them would leave cores idle
LONG_FILES = (
    "sweep/test_sweep.py",
    "test_docs.py",
    "test_extensions.py",
    "test_notebooks.py",
    "test_wheel.py",
    "emit/test_sanitizers.py",
    "test_page_layout.py",
)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.path.as_posix().endswith(LONG_FILES))


# Python searches for cycles of references after every 700 new objects, which took a quarter of the suite's time, and of that of importing
# the tests, since JAX does some work in each search. Here after every 100,000.
gc.set_threshold(100_000, 20, 50)


def pytest_collection_finish(session):
    """Not among what was imported and collected, which stays to the end."""
    gc.collect()
    gc.freeze()


# Rooms whose tests are about formulas, runs, texts, files and pages, on robots that are asked a few times each. Machine code of a robot
# takes a hundred times as long to make as the algorithm itself on Python's numbers, which is how robots too long for machine code compute.
# With ORDERN_TRUST=1 all of it is made; test_agreement_more.py and the other rooms always make it.
BY_NUMBERS = ("algorithms", "check", "cli", "describe", "papers", "simulate", "sweep", "view")
ASKED, LONG = 8, 60  # times and bodies up to which that is faster


@pytest.fixture(autouse=True)
def without_machine_code(request):
    if request.path.parent.name in BY_NUMBERS and "machine_code" not in request.fixturenames:
        request.getfixturevalue("by_numbers")


@pytest.fixture
def machine_code():
    """For tests that compare bits: machine code from the first call on, in these rooms too."""


@pytest.fixture
def by_numbers(monkeypatch):
    if TRUST:
        return
    from ordern.runtime.call import Call

    compiled, asked = Call._run, weakref.WeakKeyDictionary()

    def run(call, rows, outs, count, dtype):
        asked[call] = asked.get(call, 0) + 1
        made = call.kernel(dtype)._made  # by another test: results of one robot keep their bits
        if made or asked[call] > ASKED or len(call.model.bodies) > LONG:
            return compiled(call, rows, outs, count, dtype)
        return call._by_numbers([rows_of(r, count) for r in rows], outs)

    monkeypatch.setattr(Call, "_run", run)


def rows_of(array, count):
    return array if len(array) == count else array.repeat(count, axis=0)


# Rooms whose tests are about numbers, texts and files. The others, and all with ORDERN_TRUST=1, have machine code as users have it;
# runtime/test_quick_code.py shows that the bits are the same.
QUICK = (
    "algorithms", "check", "cli", "describe", "evaluate", "papers", "program", "report", "simulate", "sweep", "view",
)  # fmt: skip
QUICK_FILES = (
    "test_array_inputs.py",
    "test_bad_arguments.py",
    "test_call_words.py",
    "test_cli.py",
    "test_columns.py",
    "test_docs.py",
    "test_far_frames.py",
    "test_joints.py",
    "test_link_option.py",
    "test_new_joints.py",
    "test_no_effect.py",
    "test_odd_arrays.py",
    "test_other_equations.py",
    "test_pinocchio.py",
    "test_plain_batches.py",
    "test_robot.py",
    "test_robot_methods.py",
    "test_several.py",
    "test_single_precision.py",
    "test_unused_inputs.py",
    "test_user_types.py",
    "test_wrenches_with_names.py",
)


@pytest.fixture(autouse=True, scope="module")
def quick_machine_code(request):
    from quick_code import quick_code

    here = request.path.parent.name in QUICK or request.path.name in QUICK_FILES
    with quick_code() if here and not TRUST else contextlib.nullcontext():
        yield


@pytest.fixture(autouse=True, scope="session")
def closings_remembered():
    from remembered import remembered

    with contextlib.nullcontext() if TRUST else remembered():
        yield


def processor_seconds():
    """Of this process, and of those it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    item.began = processor_seconds()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":
        item.user_properties.append(("processor", processor_seconds() - item.began))


def pytest_terminal_summary(terminalreporter):
    """Where the time of a run went, room by room: what a new test costs is seen where it is added."""
    spent, waited, count = {}, {}, {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "when"):
                room = report.nodeid.split("::")[0].removeprefix("tests/").split("/")[0]
                used = dict(getattr(report, "user_properties", ())) if report.when == "teardown" else {}
                spent[room] = spent.get(room, 0.0) + used.get("processor", 0.0)
                # what cannot be imported has no duration
                waited[room] = waited.get(room, 0.0) + getattr(report, "duration", 0.0)
                count[room] = count.get(room, 0) + (report.when == "call")
    if sum(count.values()) > 1000:  # whole runs
        terminalreporter.write_line("seconds of the processor by room, seconds with waiting, and tests:")
        for room in sorted(spent, key=lambda name: -spent[name])[:30]:
            terminalreporter.write_line(f"  {room:32}{spent[room]:8.0f}{waited[room]:8.0f}{count[room]:8d}")
        total = f"  {'all':32}{sum(spent.values()):8.0f}{sum(waited.values()):8.0f}{sum(count.values()):8d}"
        terminalreporter.write_line(total)
