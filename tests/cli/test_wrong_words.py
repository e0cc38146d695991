"""What people mistype, at every command that takes it: each is refused or warned about by a line that names it."""

from __future__ import annotations

import json
import shlex

import click
import numpy as np
import pytest

import ordern
from ordern.cli import _guarded, cli
from ordern.robot import Robot
from ordern.runtime.call import coordinate_names
from ordern.simulate.series_files import write_series
from robots import GRID, serial

ON_ROBOT = [n for n, c in cli.commands.items() if any(p.name == "robot" and p.required for p in c.params)]
QUANTITY = {"eval": "mass_matrix", "formulas": "mass_matrix", "export": "mass_matrix --c x", "convert": "--to toml"}


def run(capsys, line):
    code = _guarded(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", ON_ROBOT)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--locked panda_joint1", "JOINT=VALUE"),
        ("--locked panda_joint1=x", "joint panda_joint1: 'x' is not a number"),
        ("--locked panda_joint1=1 --locked panda_joint1=2", "'panda_joint1' is given twice"),
        ("--locked panda_joint1=30mm", "panda_joint1: it takes an angle, but was given a length"),
        ("--locked panda_finger_joint1=30deg", "panda_finger_joint1: it takes a length, but was given an angle"),
        ("--payload panda_hand:1:0,0", "three numbers for its mass centre"),
        ("--payload panda_hand:1kg", "SI units, without the unit"),
        ("--payload panda_hand:30mm", "'30mm' is a length, but a number without a unit goes here"),
        ("--payload panda_hand:1:0,0,9deg", "'9deg' is an angle, but a length goes here"),
        ("--gravity 0,0,90deg", "'90deg' is an angle, but a number without a unit goes here"),
    ],
)
def test_what_every_command_refuses(command, words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, f"{command} panda {QUANTITY.get(command, '')} {words}")
    assert code == 2 and said in err and err.count("\n") == 1, err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("given", ["99", "-2.9", "170deg"])
def test_a_joint_that_is_welded_beyond_its_limits_is_told(given, capsys):
    code, _, err = run(capsys, f"info panda --locked panda_joint1={given}")
    assert code == 0 and "'panda_joint1'" in err and "outside its limits -2.8973 to 2.8973" in err
    assert ("degrees" in err) == (given == "99")
    value = np.radians(170) if given == "170deg" else float(given)
    for on_invalid in ("error", "warn"):
        with pytest.warns(ordern.OrdernWarning, match="outside its limits"):
            ordern.load("panda", locked={"panda_joint1": value}, on_invalid=on_invalid)
    with pytest.warns(ordern.OrdernWarning, match="outside its limits"):
        ordern.robots.panda().with_locked({"panda_joint1": value})
    assert not run(capsys, "info panda --locked panda_joint1=2.8973 --locked panda_joint4=-90deg")[2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("eval ur5 inverse_dynamics --q shoulder_pan_joint=0.5,1", "'1' has no name"),
        ("eval ur5 inverse_dynamics --q 'shoulder_pan_joint=0.5 1'", "'1' has no name"),
        ("eval ur5 inverse_dynamics --qd elbow_joint=1,elbow_joint=2", "'elbow_joint' is given twice"),
        ("eval ur5 forward_dynamics --tau 9deg,0,0,0,0,0", "a number without a unit"),
        ("eval ur5 forward_dynamics --tau 9Nm,0,0,0,0,0", "SI units, without the unit"),
        ("eval ur5 mass_matrix --q 0,90degrees,0,0,0,0", "write 1.5708 (rad), 90deg or pi/2"),
        ("eval ur5 mass_matrix --q elbow_joint=1 --q elbow_joint=2", "--q is given 2 times; give it once: --q JOINT1="),
        ("simulate ur5 --duration", "(see ordern simulate --help)"),
        ("simulate planar3 --torque two.csv", "column 'joint3' is missing; there are t, joint1, joint2"),
        ("eval mass_matrix ur5", "the robot comes first: ordern eval ur5 mass_matrix"),
        ("inverse planar3 --trajectory cycloyd --to 1,1,1", "did you mean 'cycloid'?"),
        ("eval ur5 inverse_dynamics --external tool0:0,0,0,0,0,9mm", "a number without a unit"),
        ("eval ur5 rnea", "did you mean 'inverse_dynamics'"),
        ("eval ur5 M", "did you mean 'mass_matrix'"),
        ("eval ur5 xyz", "mass_matrix, "),
        ("eval ur5 inverse_kinematics", "robot.inverse_kinematics(pose, link)"),
        ("eval ur5 simulate", "ordern simulate"),
        ("info ''", "the name of the robot is empty"),
        ("info picture.urdf", "it looks like a PNG picture"),
        ("inverse ur5 -t cycloid --to 1,1,1,1,1,1 --duration 1 --dt 2", "longer than the motion"),
        ("completion", "bash, zsh, fish"),
    ],
)
def test_what_one_command_refuses(line, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.csv").write_text("t,joint1,joint2\n0,1,2\n1,2,3\n")
    (tmp_path / "picture.urdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) + b"[[")
    code, _, err = run(capsys, line)
    assert code == 2 and said in err and err.count("\n") == 1 and "\\x" not in err, err


def test_names_with_spaces(capsys, tmp_path):
    """Joints called "Gelenk 1 ä" in every kind of list."""
    specs = [
        {"name": f"Gelenk {k} ä", "a": 0.5, "mass": 1.0, "com": (-0.2, 0, 0), "inertia": (0.01, 0.02, 0.02)}
        for k in (1, 2, 3)
    ]
    arm = ordern.Robot.from_dh(specs, convention="distal", gravity=(0, -9.81, 0))
    file = tmp_path / "mein Röboter.toml"
    arm.save(file)
    for text in ("Gelenk 1 ä=0.5 Gelenk 3 ä=1", "Gelenk 3 ä=1,Gelenk 1 ä=0.5", "Gelenk 1 ä = 0.5; Gelenk 3 ä=1"):
        code, out, err = run(capsys, f"eval '{file}' gravity_forces --q '{text}' --json")
        assert code == 0, err
        np.testing.assert_allclose(json.loads(out)["result"], arm.gravity_forces([0.5, 0, 1]), rtol=1e-13)


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_motion_is_no_torque_and_gives_its_own(kind, capsys, tmp_path, monkeypatch):
    """A file as simulate writes it is refused as torques, whose columns have the same names; inverse makes torques of
    it, of robots with quaternions too, since rates are splined, not quaternions.
    """
    monkeypatch.chdir(tmp_path)
    robot = Robot(serial("SR", 3))
    robot.save("robot.toml")
    t, qd = np.linspace(0, 1, 11), np.tile([0.3, -0.2, 0.1, 0.4], (11, 1))  # one twist: no acceleration
    q = robot.integrate(robot.random(1), t[:, None] * qd)
    names, rates = coordinate_names(robot.model, "q"), coordinate_names(robot.model, "v")
    columns = dict(zip(names, q.T, strict=True)) | {f"qd:{n}": c for n, c in zip(rates, qd.T, strict=True)}
    write_series(f"run.{kind}", {"t": t} | (columns if kind == "csv" else {"q": q, "qd": qd}))
    code, _, err = run(capsys, f"simulate robot.toml --torque run.{kind} --duration 0.1")
    assert code == 2 and "it holds a motion, no torques" in err
    code, _, err = run(capsys, f"inverse robot.toml -t run.{kind} --out tau.npz")
    assert code == 0, err
    wanted = robot.inverse_dynamics(q, qd, np.zeros_like(qd))
    np.testing.assert_allclose(np.load("tau.npz")["tau"], wanted, rtol=0, atol=1e-9)  # rounding of the spline, in m/s^2


def test_torques_of_a_motion_from_elsewhere_are_told(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make = "inverse planar3 -t cycloid --from 1,1,1 --to 1,1,2 --duration 1 --out tau.npz"
    assert run(capsys, make)[0] == 0
    assert "begins at 1,1,1" in run(capsys, "simulate planar3 --torque tau.npz --duration 0.01")[2]
    assert "begins" not in run(capsys, "simulate planar3 --torque tau.npz --duration 0.01 --q0 1,1,1")[2]
    assert "holds still" in run(capsys, "inverse planar3 -t cycloid")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--to=panda_joint1=3 --duration 10", "joint panda_joint1 reaches 3, beyond its limit of -2.8973 to 2.8973"),
        ("--to=panda_joint1=2.8 --duration 1", "joint panda_joint1 has a rate of 5.6, beyond its limit of 2.175"),
        ("--to=panda_joint2=1 --duration 10 --payload panda_hand:40", "joint panda_joint4 needs 207"),
    ],
)
def test_motions_beyond_limits_are_told(words, said, capsys):
    code, _, err = run(capsys, f"inverse panda -t cycloid {words}")
    assert code == 0 and said in err, err
    assert "warning" not in run(capsys, "inverse panda -t cycloid --to panda_joint1=1")[2]


@pytest.mark.parametrize("form", ["mjcf", "urdf", "toml"])
def test_followers_come_back_as_they_were(form, capsys, tmp_path, monkeypatch):
    """Offsets that MJCF counts from elsewhere come back with a rounding, which is no difference."""
    monkeypatch.chdir(tmp_path)
    Robot(GRID["mimic"]()).save("robot.toml")
    code, out, err = run(capsys, f"convert robot.toml --to {form} --out x.{'xml' if form == 'mjcf' else form} --json")
    assert code == 0, (out, err)


@pytest.mark.parametrize("name", ["fourbar", "andrews", "delta"])
def test_closed_chains_start_closed(name, capsys):
    """Zero coordinates leave the loops of some mechanisms open; no command starts there."""
    code, out, err = run(capsys, f"eval {name} constraint_residual --json")
    assert code == 0 and np.abs(json.loads(out)["result"]).max() < 1e-12, err
    code, _, err = run(capsys, f"inverse {name} -t cycloid --duration 0.1")
    assert code == 0, err


def test_a_motion_that_opens_a_loop_is_refused(capsys):
    code, _, err = run(capsys, "inverse fourbar -t cycloid --to crank=1 --duration 1")
    assert code == 2 and "leaves a loop of fourbar open by 0.0" in err and "assemble" in err


@pytest.mark.parametrize("form", ["urdf", "toml"])
@pytest.mark.parametrize("name", ["fourbar", "delta", "stewart"])
def test_closed_chains_convert(name, form, capsys, tmp_path):
    """States of the proof leave loops open, where no drive has a torque: it compares the tree and what closes it."""
    code, out, err = run(capsys, f"convert {name} --to {form} --out {tmp_path / f'x.{form}'}")
    assert code == 0, (out, err)


OPTIONS = [
    (name, option.opts[0])
    for name, command in cli.commands.items()
    for option in command.params
    if isinstance(option, click.Option) and not option.is_flag
]


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=lambda word: word)
@pytest.mark.parametrize("word", ["", "x" * 5000])
def test_an_empty_word_is_no_option_left_out_and_a_long_one_makes_no_long_message(
    command, option, word, capsys, tmp_path, monkeypatch
):
    """--out "$FILE" where FILE is not set: what was asked for had been left out in silence, or a server started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text('robot = "pendulum"')
    words = ["study.toml"] if command == "sweep" else ["pendulum"] if command in (*ON_ROBOT, "bench") else []
    words += shlex.split(QUANTITY.get(command, "").replace("--to toml", ""))
    code = _guarded([command, *words, option, word, "--json"])
    out, err = capsys.readouterr()
    assert code == 2 and err.count("\n") == 1 and len(err) < 1200 and "mistake in ordern" not in err, err
    assert set(json.loads(out)) == {"error"} and (word or option in err)
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["study.toml"]


@pytest.mark.parametrize(
    "line", ["verify pendulum --seed -1", "simulate pendulum --method baoab --dt 0.01 --temperature 1 --seed -1"]
)
def test_seeds_below_nought(line, capsys):
    code, _, err = run(capsys, line)
    assert code == 2 and "seed" in err and err.count("\n") == 1 and "mistake in ordern" not in err, err


@pytest.mark.parametrize(
    "line", ["inverse pendulum -t cycloid --to 1 --duration 0.1", "simulate pendulum --duration 0.02"]
)
def test_a_printed_series_is_alone_on_the_output_and_pictures_are_made_beside_it(line, capsys, tmp_path, monkeypatch):
    """--plot beside --out - had been left out in silence, and --json had printed CSV."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, f"{line} --out - --plot x.svg")
    assert code == 0 and out.startswith("t,") and "wrote" not in out and (tmp_path / "x.svg").exists(), err
    code, out, err = run(capsys, f"{line} --out - --json")
    assert code == 2 and "--out - " in err and set(json.loads(out)) == {"error"}


@pytest.mark.parametrize("words", ["--port 8000", "--no-browser"])
def test_a_page_that_is_written_is_not_served(words, capsys, tmp_path):
    code, _, err = run(capsys, f"view pendulum --out {tmp_path}/x.html {words}")
    assert code == 2 and f"{words.split()[0]} has no effect" in err and not list(tmp_path.iterdir())


def test_list_prints_all_quantities(capsys):
    for command in ("eval", "count"):
        code, out, _ = run(capsys, f"{command} planar3 list")
        assert code == 0 and "mass_matrix" in out and "The mass matrix M(q)" in out
    assert "operational_inertia" not in out  # a function of Robot, not an algorithm: count does not take it


def test_help_has_the_options_of_a_command_before_those_that_load_the_robot(capsys):
    code, out, _ = run(capsys, "simulate --help")
    assert code == 0 and out.index("--duration") < out.index("Robot:") < out.index("  ROBOT  ") < out.index("--gravity")


def test_info_names_the_links(capsys):
    """They are what --link, --payload and --external want."""
    assert "links: base, link1, link2, link3\n" in run(capsys, "info planar3")[1].replace("world", "base")


def test_a_line_of_progress_gives_the_share_of_the_runs_that_it_names(capsys, monkeypatch):
    from ordern.cli import output

    monkeypatch.setattr(output, "EVERY", 0.0)
    with output.Output().progress(1000, "300 runs") as advance:
        advance("150 of 300 runs", 500)
    assert "300 runs: 50% after" in capsys.readouterr().err
