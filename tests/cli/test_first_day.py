"""Stumbles of a first day, each with the word that helps: remedies that work, warnings at the line of the caller."""

from __future__ import annotations

import json
import math
import re
import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import ordern
from ordern.cli import _guarded, cli
from ordern.describe.number_text import with_unit
from ordern.sweep.study import read

BODY = '<inertial><mass value="{m}"/><origin xyz="{m} 0 0"/><inertia ixx="{m}" iyy="{m}" izz="{m}" ixy="0" ixz="0" iyz="0"/></inertial>'
ARM = """<robot name="arm"><link name="base"/><link name="one">BODY{first}</link><link name="two">{second}</link>
<joint name="a" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/><limit {limits} effort="5" velocity="9"/></joint>
<joint name="b" type="continuous"><parent link="one"/><child link="two"/><axis xyz="0 1 0"/>{more}</joint></robot>"""


OWN = BODY.format(m=1)


def arm(first="", second=OWN, limits='lower="-1" upper="1"', more=""):
    return ARM.format(first=first, second=second, limits=limits, more=more).replace("BODY", BODY.format(m=2))


DOUBTFUL = {
    "limits": arm(limits='lower="1" upper="-1"'),
    "tip": arm(second=""),
    "follower": arm(more='<mimic joint="c"/>'),
    "body": arm(second=OWN.replace('iyy="1"', 'iyy="9"')),
}


@pytest.mark.parametrize("what", DOUBTFUL)
def test_data_that_may_be_kept_say_how(what, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text(DOUBTFUL[what])
    with pytest.raises(ordern.ModelError, match="on_invalid='warn'"):
        ordern.load("arm.urdf")
    with pytest.warns(ordern.OrdernWarning):
        assert ordern.load("arm.urdf", on_invalid="warn").n
    assert _guarded(["info", "arm.urdf"]) == 2
    word = re.search(r"--on-invalid \w+", capsys.readouterr().err)
    assert word and _guarded(["info", "arm.urdf", *word[0].split()]) == 0


def log(path, rows, head="t,a,b"):
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def rows(step=0.01, bad=""):
    return [f"{k * step},{math.sin(k / 9):.9f},{bad if bad and k == 9 else 0.1}" for k in range(40)]


def test_warnings_name_the_line_that_called(tmp_path):
    mesh = '<visual><geometry><mesh filename="package://nowhere/x.stl"/></geometry></visual>'
    (tmp_path / "arm.urdf").write_text(arm(first=mesh))
    robot = ordern.load(tmp_path / "arm.urdf")
    row = {"a": 0.3, "mass": 1.0, "com": (1, 0, 0), "inertia": (0.1, 0.1, 0.1)}
    calls = {
        "load": lambda: ordern.load(DOUBTFUL["body"], on_invalid="warn"),
        "from_dh": lambda: ordern.Robot.from_dh([row | {"lower": 2.0, "upper": 1.0}], on_invalid="warn"),
        "with_parameters": lambda: robot.with_parameters(-robot.parameters(), on_invalid="warn"),
        "page": lambda: robot.page(tmp_path / "arm.html"),
        "simulate": lambda: robot.simulate([0, 0], duration=0.01, torque=[50.0, 0.0]),
        "start": lambda: robot.simulate([2.0, 0], duration=0.01),
        "read_log": lambda: ordern.read_log(log(tmp_path / "nan.csv", rows(bad="nan")), robot),
    }
    for name, call in calls.items():
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            call()
        assert told and {w.filename for w in told} == {__file__}, (name, [(w.filename, w.lineno) for w in told])


def test_many_payloads_and_payloads_of_the_ground():
    robot = ordern.load(arm())
    with pytest.raises(ordern.InputError, match=r"parameters=\{'payload'"):
        robot.with_payload("two", np.linspace(0, 1, 5))
    with pytest.raises(ordern.InputError, match="'base' is fixed to the world"):
        robot.simulate([0, 0], duration=0.01, parameters={"payload": {"link": "base", "mass": 1.0}})
    for mass in (2.0, np.linspace(0, 1, 3)):
        made = robot.simulate(np.zeros((3, 2)), duration=0.01, parameters={"payload": {"link": "two", "mass": mass}})
        assert made.complete


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("head.csv", "t,a,b\n", "no row of numbers below the header"),
        ("page.csv", "<!doctype html>\n<html></html>", "a web page; a log is a table"),
        ("plot.csv", '<?xml version="1.0"?>\n<svg a="1,2"/>', "it is XML"),
        ("short.csv", "t,a,b\n0,1\n", ":2: 2 values, but the header has 3 columns"),
    ],
)
def test_logs_that_are_none(name, text, said, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(ordern.InputError, match=re.escape(said)):
        ordern.read_log(tmp_path / name, ordern.load(arm()))


def test_milliseconds_without_a_name_are_told_and_unnamed_columns_are_not(tmp_path):
    robot = ordern.load(arm())
    with pytest.warns(ordern.OrdernWarning, match=r"10 s apart; .* 'time \[ms\]'"):
        ordern.read_log(log(tmp_path / "ms.csv", rows(step=10.0)), robot)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        named = ordern.read_log(log(tmp_path / "named.csv", rows(step=10.0), "time [ms],a,b"), robot)
        index = ordern.read_log(log(tmp_path / "i.csv", [f"{k},{r}" for k, r in enumerate(rows())], ",t,a,b"), robot)
    assert named.t[-1] == pytest.approx(0.39) and index.t[-1] == pytest.approx(0.39)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("page.urdf", "<!DOCTYPE html>\n<html><br></html>", "it is a web page"),
        ("page.html", "\n<!doctype html>\n<p>", "it is a web page"),
        ("a.urdf", "<robot xmlns:xacro='x'><xacro:include filename='y'/></robot>", "xacro FILE > robot.urdf"),
    ],
)
def test_files_that_are_no_urdf(name, text, said, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(ordern.ModelError, match=re.escape(said)):
        ordern.load(tmp_path / name)


def test_the_study_of_the_help_is_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert _guarded(["sweep", "study.toml"]) == 2
    assert "ordern sweep --help shows a study to begin with" in capsys.readouterr().err
    text = CliRunner().invoke(cli, ["sweep", "--help"]).output.partition("as study.toml:\n")[2]
    (tmp_path / "study.toml").write_text(text)
    assert read(tmp_path / "study.toml").runs == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pi", math.pi),
        ("-pi/2", -math.pi / 2),
        ("2*pi/3", 2 * math.pi / 3),
        ("0.5 pi", math.pi / 2),
        ("+PI/4", math.pi / 4),
    ],
)
def test_angles_by_pi(text, value):
    assert with_unit(text) == (pytest.approx(value, rel=1e-15), "angle")


@pytest.mark.parametrize("text", ["pi/0", "pip", "pi2", "*", "pi/", "1e400pi", "--pi"])
def test_what_is_no_angle(text, capsys):
    assert _guarded(["eval", "pendulum", "gravity_forces", "--q", text]) == 2
    assert "is not" in capsys.readouterr().err


def test_the_name_of_the_file_says_the_form(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("arm.urdf", "arm.sdf", "arm.xml"):
        assert _guarded(["convert", "pendulum", "--out", name]) == 0
        assert ordern.load(name).n == 1
    for words in ([], ["--out", "arm.toml"], ["--out", "arm"]):  # DH tables and robots are both TOML
        assert _guarded(["convert", "pendulum", *words]) == 2
        assert "--to is missing; it is one of dh:saha" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "meant"),
    [("rnea", "inverse_dynamics"), ("M", "mass_matrix"), ("fk", "forward_kinematics"), ("massmatrix", "mass_matrix")],
)
def test_names_of_other_libraries_lead_to_ours(word, meant):
    for ask in (ordern.robots.pendulum().casadi, ordern.robots.pendulum().operation_counts):
        with pytest.raises(ordern.MethodError, match=f"no quantity '{word}'; did you mean '{meant}'"):
            ask(word)


@pytest.mark.parametrize("what", DOUBTFUL)
def test_what_other_commands_refuse_is_no_clean_robot(what, tmp_path, monkeypatch, capsys):
    """lint ends with 1 for each file that info refuses, and says how the others read it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text(DOUBTFUL[what])
    assert _guarded(["lint", "arm.urdf"]) == 1
    assert "the other commands refuse it, unless --on-invalid warn or repair" in capsys.readouterr().out
    assert _guarded(["lint", "arm.urdf", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["refused"] is True


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_simulation_ends_with_its_torques(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert _guarded(f"inverse pendulum -t cycloid --to 1 --duration 0.3 --out tau.{kind}".split()) == 0
    capsys.readouterr()
    for words, end, told in (("", 0.3, False), ("--duration 0.2", 0.2, False), ("--duration 0.5", 0.5, True)):
        assert _guarded(f"simulate pendulum --torque tau.{kind} --json {words}".split()) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["t"] == pytest.approx(end, abs=1e-12)  # sums of output steps
        assert ("has torques for 0 to 0.3 s, the simulation is from 0 to 0.5 s" in err) is told


@pytest.mark.parametrize(("first", "words"), [(1.7e9, ""), (1.7e9, "--duration 1"), (3.0, "--duration 3"), (-9.0, "")])
def test_torques_of_another_time_are_refused(first, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tau.csv").write_text("t,tau1\n" + "".join(f"{first + k / 10},0\n" for k in range(9)))
    assert _guarded(f"simulate pendulum --torque tau.csv {words}".split()) == 2
    assert "but a simulation begins at 0: shift them" in capsys.readouterr().err


def test_torques_say_that_friction_is_not_in_them(tmp_path, monkeypatch, capsys):
    """With damping a motion comes back from its torques only where the simulation leaves the damping out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text(arm(more='<dynamics damping="3"/>').replace('effort="5"', 'effort="5000"'))
    assert (
        _guarded(
            [
                "inverse",
                "arm.urdf",
                "-t",
                "cycloid",
                "--to",
                "0.5,0.8",
                "--duration",
                "0.5",
                "--dt",
                "0.001",
                "--out",
                "tau.csv",
            ]
        )
        == 0
    )
    assert "without the damping and friction of 'b'" in capsys.readouterr().err
    ends = []
    for words in ("", "--no-friction"):
        assert _guarded(f"simulate arm.urdf --torque tau.csv --out run.csv {words}".split()) == 0
        ends.append(np.loadtxt("run.csv", delimiter=",", skiprows=1)[-1, 1:3])
    assert (
        abs(ends[1] - [0.5, 0.8]).max() < 1e-4 < 0.1 < abs(ends[0] - [0.5, 0.8]).max()
    )  # torques are lines between samples
    assert _guarded(["inverse", "pendulum", "-t", "cycloid", "--to", "1", "--duration", "0.1"]) == 0
    assert "friction" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["<robot name='a'/>", '{"a": 1}'])
@pytest.mark.parametrize(
    "line", ["inverse pendulum -t {}", "inverse pendulum --log {}", "simulate pendulum --torque {}", "sweep {}"]
)
def test_texts_that_are_no_tables_are_named(line, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(text)
    assert _guarded(line.format("a.csv").split()) == 2
    assert ("it is XML (a robot" if text[0] == "<" else "it is JSON") in capsys.readouterr().err


def test_a_study_is_no_robot(tmp_path):
    (tmp_path / "study.toml").write_text('robot = "pendulum"\n')
    with pytest.raises(ordern.ModelError, match="ordern sweep FILE runs it"):
        ordern.load(tmp_path / "study.toml")


@pytest.mark.parametrize("slashes", ["//", "///"])
def test_meshes_of_packages_are_found_however_many_slashes_there_are(slashes, tmp_path):
    (tmp_path / "a.urdf").write_text(
        f'<robot name="a"><link name="l"><visual><geometry><mesh filename="package:{slashes}arms/m.stl"/></geometry></visual></link></robot>'
    )
    assert "'arms': FOLDER" in str(ordern.load(tmp_path / "a.urdf").lint())
    (tmp_path / "m.stl").write_text("solid a\nendsolid a\n")
    assert "meshes" not in str(ordern.load(tmp_path / "a.urdf", packages={"arms": tmp_path}).lint())


def test_the_help_names_quantities_that_there_are(capsys):
    text = CliRunner().invoke(cli, ["eval", "--help"]).output.partition("QUANTITY is ")[2].partition(", ...")[0]
    names = text.replace("\n", " ").replace(",", " ").split()
    assert len(names) > 8
    for name in names:
        assert _guarded(["eval", "pendulum", name]) == 0


def test_endings_that_are_offered_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pendulum = ordern.robots.pendulum()
    run = pendulum.simulate([0.1], duration=0.05)
    for make in (pendulum.page, run.animate):
        with pytest.raises(ordern.InputError, match="the name must end in") as error:
            make("a.avi")
        for ending in re.findall(r"\.\w+", str(error.value).partition("end in")[2]):
            try:
                make(f"a{ending}")
            except ordern.MissingExtra:
                continue  # ffmpeg may not be there
            assert (tmp_path / f"a{ending}").stat().st_size


def test_names_of_built_in_robots_with_an_ending_lead_to_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ur50.urdf").write_text("")
    for name in ("ur5.urdf", "panda.xml", "planar3.toml"):
        with pytest.raises(
            ordern.ModelError, match=f"the built-in robot is called '{name.partition('.')[0]}', without"
        ):
            ordern.load(name)


def test_files_of_other_kinds_are_no_torques(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("t1.py", "torques", "a,b.txt"):
        (tmp_path / name).write_text("1")
        assert _guarded(["simulate", "pendulum", "--torque", name]) == 2
        assert "a .csv or .npz file" in capsys.readouterr().err
