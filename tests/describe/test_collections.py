"""Robots of collections by name: cached copies only, nothing imported, nothing fetched."""

from __future__ import annotations

import json

import pytest

import ordern
from ordern.cli import main as _main
from ordern.describe.collections import collection_names

MJCF = """<mujoco model="m"><worldbody><body name="b"><joint name="j" type="hinge" axis="0 0 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>"""
URDF = """<robot name="x"><link name="base"/><link name="l"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="l"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
MODULE = """from os import path as _path
from ._cache import clone_to_cache as _clone_to_cache
raise SystemExit("imported, although it must only be read")
REPOSITORY_PATH: str = _clone_to_cache("example-robot-data", commit=None)
PACKAGE_PATH: str = _path.join(REPOSITORY_PATH, "robots")
URDF_PATH: str = _path.join(PACKAGE_PATH, "{file}")
"""
TABLE = 'REPOSITORIES = {"example-robot-data": Repository(url="https://x", commit="1", cache_path="erd")}\n'


def main(arguments):
    """The exit code."""
    with pytest.raises(SystemExit) as ended:
        _main(arguments)
    return ended.value.code


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A home with a cache of both collections."""
    cache = tmp_path / "cache"
    for name, files in {
        "franka_fr3": ["fr3.xml", "scene.xml", "fr3_extra_long.xml"],
        "go1": ["go1.xml"],
        "tiago++": ["tiago++.xml"],
        "empty": ["scene.xml"],
    }.items():
        folder = cache / "mujoco_menagerie" / name
        folder.mkdir(parents=True)
        for file in files:
            (folder / file).write_text('<mujoco><include file="fr3.xml"/></mujoco>' if file == "scene.xml" else MJCF)
    (cache / "erd" / "robots").mkdir(parents=True)
    (cache / "erd" / "robots" / "x.urdf").write_text(URDF)
    package = tmp_path / "site" / "robot_descriptions"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "_repositories.py").write_text(TABLE)
    (package / "x_description.py").write_text(MODULE.format(file="x.urdf"))
    (package / "y_description.py").write_text(MODULE.format(file="y.urdf"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(cache))
    monkeypatch.delenv("MENAGERIE_PATH", raising=False)
    return cache


def test_names(machine):
    names = [name for name, _ in collection_names()]
    assert names == ["menagerie:franka_fr3", "menagerie:go1", "menagerie:tiago++", "robot_descriptions:x_description"]


@pytest.mark.parametrize(
    "name",
    [
        "x_description",
        "robot_descriptions:x_description",
        "menagerie:franka_fr3",
        "menagerie:go1",
        "menagerie:tiago++",
        "menagerie:franka_fr3/fr3.xml",
    ],
)
def test_load(machine, name):
    assert ordern.load(name).n == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("menagerie:franka_fr4", "did you mean 'menagerie:franka_fr3'"),
        ("menagerie:../secret", "no name of a robot"),
        ("menagerie:", "no name of a robot"),
        ("menagerie:/etc/passwd", "no name of a robot"),
        ("y_description", "no copy of it"),
        ("robot_descriptions:zzzzzz", "downloads nothing|did you mean"),
    ],
)
def test_refusals(machine, name, said):
    with pytest.raises(ordern.ModelError, match=said):
        ordern.load(name)


def test_the_command(machine, capsys):
    assert main(["robots", "--json"]) in (0, None)
    rows = json.loads(capsys.readouterr().out)["robots"]
    assert {"panda", "menagerie:go1", "robot_descriptions:x_description"} <= {row["name"] for row in rows}


def test_a_whole_folder(tmp_path, capsys):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.urdf").write_text(URDF)
    (tmp_path / "in" / "sub" / "b.xml").write_text(MJCF)
    (tmp_path / "in" / "bad.urdf").write_text("<robot>")
    assert main(["convert", str(tmp_path / "in"), "--to", "toml", "--out", str(tmp_path / "out"), "--json"]) == 1
    made = json.loads(capsys.readouterr().out)
    assert {row["file"]: row["verdict"] for row in made["robots"]} == {
        "a.urdf": "same",
        "bad.urdf": "refused",
        "sub/b.xml": "same",
    }
    assert ordern.load(tmp_path / "out" / "sub" / "b.toml").n == 1
    (tmp_path / "in" / "bad.urdf").unlink()
    assert main(["convert", str(tmp_path / "in"), "--to", "toml"]) in (0, None)
    assert "2 of 2 are the same robot" in capsys.readouterr().out
    assert main(["convert", str(tmp_path / "in"), "--to", "todo"]) == 2
    assert main(["convert", str(tmp_path / "out" / "sub"), "--to", "urdf"]) in (0, None)


@pytest.mark.parametrize("form", ["toml", "urdf", "mjcf", "dh:standard"])
def test_no_robot_of_a_folder_takes_the_place_of_another(tmp_path, capsys, form):
    """Files that differ in their endings alone become different files, and what is read is never written over."""
    given = tmp_path / "in"
    given.mkdir()
    for name, n in (("arm.urdf", 1), ("arm.toml", 2), ("arm.xml", 3), ("leg.toml", 4)):
        robot = ordern.robots.planar(n)
        {".urdf": robot.to_urdf, ".xml": robot.to_mjcf}.get(name[3:], robot.save)(given / name)
    before = {file: file.read_bytes() for file in given.iterdir()}
    assert main(["convert", str(given), "--to", form, "--out", str(tmp_path / "out"), "--json"]) in (0, None)
    made = [ordern.load(file) for file in (tmp_path / "out").iterdir()]
    assert sorted(robot.n for robot in made) == [1, 2, 3, 4]
    (given / "arm.xml").unlink(), (given / "arm.urdf").unlink()
    capsys.readouterr()
    overwrites = form in ("toml", "dh:standard")  # arm.toml and leg.toml would be written to their own places
    assert main(["convert", str(given), "--to", form, "--out", str(given)]) in ((2,) if overwrites else (0, None))
    assert ("would overwrite" in capsys.readouterr().err) == overwrites
    assert all(file.read_bytes() == text for file, text in before.items() if file.suffix == ".toml")


def test_packages_and_arguments_on_the_command_line(tmp_path, capsys):
    (tmp_path / "a.urdf").write_text(URDF)
    assert main(["info", str(tmp_path / "a.urdf"), "--package", f"p={tmp_path}"]) in (0, None)
    for option in (
        ["--package", "p"],
        ["--package", "p=/no/where"],
        ["--xacro-arg", "a=1"],
        ["--xacro-arg", "a:=1"],
        ["--xacro-arg", "a:=1", "--xacro-arg", "a:=2"],
    ):
        assert main(["info", str(tmp_path / "a.urdf"), *option]) == 2, option
    capsys.readouterr()
