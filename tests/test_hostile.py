"""Whatever comes in from outside, nothing but the library's own errors comes out: the corpus of bad inputs, fuzzed files, arguments, streams."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpus
import needs
import ordern
from budget import TRUST, examples
from ordern.errors import OrdernError, OrdernWarning

CASES = corpus.cases()


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in CASES}))
def test_every_bad_file_of_the_corpus_is_refused_in_its_own_words(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for k, (_, text, message) in enumerate(c for c in CASES if c[0] == kind):
        found = corpus.said(kind, text)
        if found is None or _alike(found, message) < 0.5:  # what is listed after the complaint grows with the library
            wrong[k] = (message, found)
    assert not wrong, "if the new wording is meant: python tests/corpus.py"


def _alike(a: str, b: str) -> float:
    """How many words of the complaints, before remedies and what other libraries say in brackets, are the same."""
    first, second = (set(text.split(";")[0].split("(")[0].split()) for text in (a, b))
    return len(first & second) / max(1, len(first | second))


def test_the_corpus_is_large_and_its_messages_are_short():
    assert len(CASES) >= 300 and len({message for _, _, message in CASES}) > 200
    assert max(len(message) for _, _, message in CASES) < 1500
    assert min(Counter(kind for kind, _, _ in CASES).values()) >= 8


# --- fuzzed files -------------------------------------------------------------------------------------------------------------------------
GOOD = json.loads(corpus.PLACE.read_text("utf-8"))["good"]
PIECES = [
    *corpus.WORDS,
    "=",
    ".",
    "[",
    "]",
    "[[",
    "{",
    "}",
    ",",
    "\n",
    "\t",
    "<",
    ">",
    "/>",
    "&",
    "#",
    "\ufeff",
    "\u2028",
    "1e-400",
    "0x",
    "_",
    "-",
    "'",
]


def mutant(text: str, rng: random.Random) -> str:
    """The text with a few pieces cut, doubled, moved or replaced."""
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(text) + 1), rng.choice((0, 1, 1, 3, 10, 40))
        piece = rng.choice((rng.choice(PIECES), text[at : at + length], chr(rng.randrange(0x250)), ""))
        to = rng.choice((at, rng.randrange(len(text) + 1)))
        text = text[:to] + piece + text[to + (length if to == at else 0) :]
    return text


@pytest.mark.parametrize("kind", sorted(GOOD))
def test_fuzzed_texts(kind):
    """``make trust`` tries a million inputs: 5 x 152,000 here, 120,000 meshes, 100,000 calls, 20,000 simulations."""
    rng, refused, count = random.Random(kind), 0, examples(120, 152_000)
    for _ in range(count):
        text = mutant(GOOD[kind], rng)
        try:
            refused += corpus.said(kind, text) is not None
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error} for {text!r}")
    assert refused > count / 10


def test_fuzzed_meshes(tmp_path):
    from ordern.view.mesh_files import BadMesh, read_mesh

    rng = random.Random(0)
    good = {
        "stl": b"\0" * 80 + (2).to_bytes(4, "little") + np.arange(25, dtype="<f4").tobytes(),
        "obj": b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nf -4 -3 -2\n",
    }
    for ending, data in good.items():
        path = tmp_path / f"x.{ending}"
        for _ in range(examples(100, 60_000)):
            made = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(made) + 1)
                made[at : at + rng.choice((0, 1, 4))] = rng.choice(
                    (b"", b"\xff", b"nan", b" 1e400 ", rng.randbytes(3), b"f 1 2 99\n")
                )
            path.write_bytes(made)
            try:
                read_mesh(path)
            except (OrdernError, BadMesh):
                pass
            except Exception as error:
                pytest.fail(f"{type(error).__name__}: {error} for {bytes(made)!r}")


# --- arguments ----------------------------------------------------------------------------------------------------------------------------
ODD = [
    None, True, 0, -1, 1.5, 10**400, float("nan"), float("inf"), 1j, "x", "", b"x", [], [[]], [1, [2]], {}, {"a": 1}, set(), object(), print,
    np.nan, np.zeros(0), np.zeros((0, 3)), np.zeros((2, 3)), np.zeros((3, 2)), np.zeros((2, 2, 3)), np.full(3, np.nan), np.zeros(3, complex),
    np.array(["a", "b", "c"]), np.array([None, 1, 2]), np.zeros(3, "M8[s]"), np.ma.masked_array([1, 2, 3.0], [0, 1, 0]), range(3), (0.1, 0.2, 0.3),
    [0.1, 0.2, 0.3], "link3", "joint1", np.float32([1, 2, 3]), [10**400, 0, 0], np.ones((1, 3))[:, ::-1], -0.0, 5e-324, 1e308,
]  # fmt: skip
CALLS = [
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse", "coriolis_matrix", "bias_forces", "gravity_forces", "momentum",
    "kinetic_energy", "potential_energy", "forward_kinematics", "jacobian", "integrate", "difference", "with_gravity", "inverse_kinematics",
    "operational_inertia", "regressor", "center_of_mass", "with_payload", "compile", "formulas", "operation_counts", "mass_matrix_udu",
]  # fmt: skip


def test_fuzzed_arguments():
    robot, rng = ordern.robots.planar3(), random.Random(1)
    for _ in range(examples(400, 100_000)):
        name, arguments = rng.choice(CALLS), [rng.choice(ODD) for _ in range(rng.randint(1, 3))]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                getattr(robot, name)(*arguments)
            except OrdernError:
                pass
            except TypeError as error:  # what Python says where the number of arguments does not fit
                assert "argument" in str(error), (name, arguments, error)
            except Exception as error:
                pytest.fail(f"{type(error).__name__}: {error} for {name}{tuple(arguments)!r}")


def test_fuzzed_options_of_a_simulation():
    robot, rng = ordern.robots.planar3(), random.Random(2)
    names = ["qd0", "torque", "method", "rtol", "atol", "dt", "output_dt", "t_eval", "external", "parameters", "friction", "limits", "threads",
             "engine", "keep", "max_steps", "max_seconds", "duration", "friction_speed"]  # fmt: skip
    for _ in range(examples(150, 20_000)):
        options = {name: rng.choice(ODD) for name in rng.sample(names, rng.randint(1, 2))}
        if "duration" in options and not isinstance(options["duration"], (list, dict, np.ndarray, str)):
            continue  # a long simulation is no fault
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                robot.simulate((0.1, 0.2, 0.3), **{"duration": 0.02, "max_seconds": 1.0, **options})
            except OrdernError:
                pass
            except Exception as error:
                pytest.fail(f"{type(error).__name__}: {error} for {options!r}")


# --- streams ------------------------------------------------------------------------------------------------------------------------------
@needs.full_device
@pytest.mark.parametrize("command", ["info planar3", "info nope"])
def test_streams_that_are_closed_full_or_ascii(command):
    line = f"{sys.executable} -m ordern.cli {command}"
    wrong = 2 if "nope" in command else 0
    for shell, code in (
        (f"{line} >&-", wrong),
        (f"{line} >&- 2>&-", wrong),
        (f"{line} > /dev/full", 2),
        (f"{line} > /dev/full 2>&1", 2),
    ):
        made = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert made.returncode == code and "Traceback" not in made.stderr and "Exception ignored" not in made.stderr, (
            shell,
            made.stderr,
        )
    made = subprocess.run(["sh", "-c", line], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert made.returncode == wrong and b"Traceback" not in made.stderr


def test_headers_that_a_spreadsheet_would_run(tmp_path):
    from ordern.report.tables import Table
    from ordern.simulate.series_files import read_series, write_series

    names = ["t", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "plain", "\uff1d1"]
    write_series(tmp_path / "x.csv", {name: np.arange(3.0) for name in names})
    head = (tmp_path / "x.csv").read_text("utf-8").splitlines()[0]
    assert not [cell for cell in head.split(",") if cell.strip('"')[:1] in tuple("=+-@\uff1d")]
    assert list(read_series(tmp_path / "x.csv")) == names
    table = Table("", ("=1+1", "n"), (("=2+2", -1.5), ("-3", "-x")))
    rows = list(__import__("csv").reader(io.StringIO(table.csv())))
    assert rows == [["'=1+1", "n"], ["'=2+2", "-1.5"], ["-3", "'-x"]]


@given(
    st.lists(st.text("ab'\"=+-@;, \t\r\n1\uff1d", min_size=1, max_size=6), min_size=1, max_size=4, unique_by=str.strip)
)
@settings(max_examples=examples(300))
def test_names_that_end_a_cell_or_a_row_start_no_formula(names):
    """Whatever a country's spreadsheet takes for the end of a cell (comma, semicolon, tab) and of a row; and the names come back."""
    from ordern.report.tables import Table
    from ordern.simulate.series_files import read_series, series_csv
    from ordern.sweep.sweep_folder import _csv

    names = ["t", *(name for name in names if name.strip() not in ("", "t"))]
    for text in (
        series_csv({name: np.arange(2.0) for name in names}),
        Table("", tuple(names), (tuple(names),)).csv(),
        _csv({name: np.array([name]) for name in names}),
    ):
        for mark in ",;\t":
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
                for cell in row:
                    found = cell.lstrip(' "')
                    assert found[:1] not in tuple("=+-@\uff1d") or len(found) < 2 or _is_number(found), (
                        text,
                        mark,
                        cell,
                    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.csv")
        path.write_bytes(series_csv({name: np.arange(2.0) for name in names}).encode())
        assert list(read_series(path)) == [name.strip() for name in names]


def _is_number(text):
    with contextlib.suppress(ValueError):
        return float(text) == float(text)
    return False


def test_messages_are_short():
    for make in (ordern.InputError, ordern.ModelError, ordern.OrdernError):
        assert len(str(make("x" * 200_000))) < 400
        assert len(str(make("word " * 40_000))) < 4200
    assert str(ordern.InputError("as it is")) == "as it is" and TRUST in (True, False)
    with warnings.catch_warnings():
        warnings.simplefilter("error", OrdernWarning)
        with pytest.raises(OrdernError) as caught:
            ordern.load("n" * 100_000)
    assert len(str(caught.value)) < 1000
