"""The scripts of examples/ run, in small sizes; the converters of examples/conventions.py have their own tests."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def script(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(name, capsys, *arguments):
    script(name).main(list(arguments))
    return capsys.readouterr().out


def test_every_script_is_tested():
    text = Path(__file__).read_text() + Path(__file__).with_name("test_conventions.py").read_text()
    for file in EXAMPLES.glob("*.py"):
        assert f'"{file.stem}"' in text, file.name


def test_stanford_torques(capsys, tmp_path):
    out = printed("stanford_torques", capsys, "--points", "5", "--plot", str(tmp_path / "torques.svg"))
    rows = [
        [float(x) for x in line.split()]
        for line in out.splitlines()
        if re.fullmatch(r"\s*\d+\.\d\d(\s+-?\d+\.\d+){6}", line)
    ]
    middle = [
        -0.00570858867646239,
        15.7537854001769,
        -15.5743918965116,
        4.00284523552536e-05,
        -9.80994189282971e-05,
        -6.9797251578433e-05,
    ]
    np.testing.assert_allclose(rows[2][1:], middle, rtol=0, atol=6e-7)  # published check values, six digits printed
    assert (tmp_path / "torques.svg").stat().st_size > 1000


def test_puma_straight_line(capsys, tmp_path):
    out = printed("puma_straight_line", capsys, "--duration", "2", "--page", str(tmp_path / "line.html"))
    assert "line of 0.500640 m" in out and "within the limits: True" in out
    assert float(re.search(r"off the line by (\S+) m", out)[1]) < 1e-8
    assert float(re.search(r"stays within (\S+) m", out)[1]) < 1e-6
    assert "[30.15, -18.22, -6.14, 21.75, -36.8, 79.84]" in out
    assert (tmp_path / "line.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_payload_study(capsys, tmp_path):
    out = printed("payload_study", capsys, "--arms", "64", "--duration", "0.5", "--plot", str(tmp_path / "study.png"))
    assert "64 arms" in out and "all runs reached their end" in out
    medians = [float(line.split()[4]) for line in out.splitlines() if re.match(r"\d to \d", line)]
    assert len(medians) == 5 and medians == sorted(medians)  # the heavier, the further away
    assert (tmp_path / "study.png").stat().st_size > 1000


@pytest.mark.parametrize("links", ["2", "3"])
def test_symbolic_inverse(links, capsys):
    out = printed("symbolic_inverse", capsys, "--links", links)
    assert f"mh_{links} = i_{links}{links}" in out and "gives the same to" in out
    assert "\\alpha_{12}" in printed("symbolic_inverse", capsys, "--links", "2", "--latex")


def test_energy_hour(capsys):
    out = printed("energy_hour", capsys, "--seconds", "5", "--robots", "3")
    rows = re.findall(r"^(\S+) +(dop853|symplectic) +at most (\S+) of the energy; went (\S+) ", out, re.MULTILINE)
    assert len(rows) == 6
    assert all(float(worst) < 1e-9 for _, _, worst, _ in rows)
    assert all(
        abs(float(gone)) < 1e-13 for _, method, _, gone in rows if method == "symplectic"
    )  # sqrt(5000 steps) roundings: 2e-14


def test_million_runs():
    """A twentieth of the runs, as a process of its own; all of them keep the same parts in memory."""
    out = subprocess.run(
        [sys.executable, EXAMPLES / "million_runs.py", "--runs", "50000"], check=True, capture_output=True, text=True
    ).stdout
    assert "all runs reached their end" in out
    assert script("million_runs").__doc__ and float(re.search(r"peak memory (\d+) MB", out)[1]) < 2000


def test_quaternion_norm(capsys):
    out = printed("quaternion_norm", capsys, "--steps", "20000")
    within = re.findall(r"^(\w+) +20000 steps: length within (\S+) of 1", out, re.MULTILINE)
    assert [name for name, _ in within] == ["euler", "rk4", "symplectic"]
    assert all(float(off) < 1e-12 for _, off in within)
