"""Commands whose output feeds the next, in a folder of their own, as people type them; with ORDERN_TRUST=1 each is a process."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import numpy as np
import pytest

import ordern
from budget import TRUST
from ordern.cli import _guarded
from ordern.cli.motion_commands import motion


@pytest.fixture
def ordern_(tmp_path, monkeypatch, capsys):
    """Runs a command and returns what it printed; its words may stand in one text or in several."""
    monkeypatch.chdir(tmp_path)

    def run(*lines):
        words = [word for line in lines for word in shlex.split(line)]
        if TRUST:
            made = subprocess.run([sys.executable, "-m", "ordern.cli", *words], capture_output=True, text=True)
            code, out, err = made.returncode, made.stdout, made.stderr
        else:
            code, (out, err) = _guarded(words), capsys.readouterr()
        assert code == 0 and "Traceback" not in err, err
        return out

    return run


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_torques_of_a_motion_give_the_motion_back(kind, tmp_path, ordern_):
    """inverse, simulate --torque, inverse of what came out: the loop of Saha's RIDIM and RFDSIM."""
    ordern_(f"inverse planar3 -t cycloid --to 1,0.5,-1 --duration 1 --dt 0.002 --out tau.{kind}")
    picture = ["--plot", "motion.png"] if kind == "csv" else []
    made = ordern_(f"simulate planar3 --torque tau.{kind} --duration 1 --out run.{kind} --json", *picture)
    data = json.loads(made)
    np.testing.assert_allclose(
        [row["at the end"] for row in data["motion"]], [1, 0.5, -1], rtol=0, atol=2e-3
    )  # linear between samples, and the arm falls away from what is missing
    if kind == "csv":
        assert (tmp_path / "motion.png").read_bytes().startswith(b"\x89PNG")
    ordern_("inverse", "planar3", "-t", f"run.{kind}", "--out", f"again.{kind}")
    if kind == "npz":
        first, again = (np.load(tmp_path / f"{name}.npz") for name in ("tau", "again"))
        middle = (again["t"] > 0.1) & (again["t"] < 0.9)
        wanted = np.stack([np.interp(again["t"], first["t"], column) for column in first["tau"].T], axis=1)
        np.testing.assert_allclose(again["tau"][middle], wanted[middle], rtol=0, atol=0.02)


def test_a_robot_through_the_commands(tmp_path, ordern_):
    """convert, info, eval, export of what was converted, with a payload on the way."""
    ordern_("convert", "panda", "--payload", "panda_hand:1.5:0,0,0.1", "--to", "toml", "--out", "loaded.toml")
    ordern_("convert", "loaded.toml", "--to", "urdf", "--out", "loaded.urdf")
    q = ordern.robots.panda().random(1)
    given = ",".join(map(repr, map(float, q)))
    results = [
        json.loads(ordern_("eval", *words, "gravity_forces", f"--q={given}", "--json"))["result"]
        for words in (["panda", "--payload", "panda_hand:1.5:0,0,0.1"], ["loaded.toml"], ["loaded.urdf"])
    ]
    np.testing.assert_allclose(results[1], results[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(results[2], results[0], rtol=0, atol=1e-9)
    assert np.abs(np.array(results[0]) - ordern.robots.panda().gravity_forces(q)).max() > 0.1
    assert len(ordern_("export", "loaded.urdf", "gravity_forces", "--c", "code").split()) >= 2


def test_a_run_from_python_goes_on_in_the_command_line(tmp_path, ordern_):
    robot = ordern.robots.planar3()
    run = robot.simulate([0.1, 0.2, 0.3], duration=0.1, torque=np.array([1.0, 0.5, 0.1]))
    run.save(tmp_path / "run.csv")
    ordern_("inverse", "planar3", "-t", "run.csv", "--out", "tau.csv")
    made = np.genfromtxt(tmp_path / "tau.csv", delimiter=",", names=True, deletechars="")
    np.testing.assert_allclose(made["tau:joint1"], 1.0, rtol=0, atol=1e-9)
    with pytest.raises(ordern.InputError, match="not the robot"):
        ordern.Run.load(tmp_path / "run.csv")
    data = json.loads(
        ordern_("simulate", "planar3", "--torque", "run.csv", "--q0", "0.1,0.2,0.3", "--duration", "0.1", "--json")
    )
    np.testing.assert_allclose([row["at the end"] for row in data["motion"]], run.q[-1], rtol=0, atol=1e-7)


def test_a_simulation_is_a_log(tmp_path, ordern_):
    """Torques drive a simulation whose motion is a log, which gives the torques back; they drive it again."""
    ordern_("inverse planar3 -t cycloid --to 1,0.5,-1 --duration 1 --dt 0.005 --out tau.csv")
    ordern_("simulate planar3 --torque tau.csv --duration 1 --output-dt 0.005 --out run.csv")
    ordern_("inverse", "planar3", "--log", "run.csv", "--out", "again.csv")
    first, again = (
        np.genfromtxt(tmp_path / f"{name}.csv", delimiter=",", names=True, deletechars="") for name in ("tau", "again")
    )
    middle = (again["t"] > 0.15) & (again["t"] < 0.85)
    for name in first.dtype.names[1:]:
        np.testing.assert_allclose(
            again[name][middle], np.interp(again["t"], first["t"], first[name])[middle], rtol=0, atol=0.02
        )
    ordern_("simulate", "planar3", "--torque", "again.csv", "--duration", "1", "--json")


@pytest.mark.parametrize("kind", ["csv", "npz"])
@pytest.mark.parametrize("names", [("t", "a"), ("q:a", "a"), ("a", "qd:a"), ("q", "qd")])
def test_joints_may_be_called_as_columns_of_a_series_are(names, kind, ordern_):
    """A joint 't' had taken the place of the time, a joint 'qd:a' that of the rate of 'a'."""
    table = [{"a": 0.5, "mass": 1.0, "com": (0.2, 0, 0), "inertia": (0, 0.02, 0.02), "name": name} for name in names]
    robot = ordern.Robot.from_dh(table, "distal", gravity=(0, -9.81, 0))
    robot.save("arm.toml")
    run = ["inverse arm.toml -t cycloid --to 1,0.5 --duration 0.5 --out tau.", "simulate arm.toml --torque tau."]
    for words in (run[0], f"{run[1]}{kind} --out run.", f"inverse arm.toml -t run.{kind} --out again."):
        ordern_(f"{words}{kind}")
    t, q, qd, _ = motion(robot, f"run.{kind}", None, None, 1.0, 0.1)
    way = ordern.trajectory.cycloid([0, 0], [1, 0.5], 0.5)(t)
    np.testing.assert_allclose(q, way.q, rtol=0, atol=0.01)  # torques are linear between their times
    np.testing.assert_allclose(qd, way.qd, rtol=0, atol=0.1)


def test_a_column_of_time_is_no_position(tmp_path):
    """Of a joint 't' a series without "q:t" says nothing."""
    robot = ordern.Robot.from_dh([{"a": 0.5, "mass": 1.0, "inertia": (0, 0.02, 0.02), "name": "t"}], "distal")
    (tmp_path / "x.csv").write_text("t\n0\n1\n2\n3\n")
    with pytest.raises(ordern.InputError, match="q:t, or q1"):
        motion(robot, str(tmp_path / "x.csv"), None, None, 1.0, 0.1)
