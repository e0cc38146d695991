"""Meshes of robots that are written elsewhere or put together: each writer names the same files, or says what to do."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import ordern
from ordern.check.convert import convert
from ordern.describe.meshes import mesh_path

WRITERS = {"to_urdf": ".urdf", "to_mjcf": ".xml", "to_sdf": ".sdf", "save": ".toml"}
MASS = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"


def robot(folder, name, path):
    """A pendulum of a package with a mesh of its own."""
    package = folder / name
    (package / "meshes").mkdir(parents=True)
    (package / "meshes" / "a b.stl").write_text("solid")
    (package / "arm.urdf").write_text(
        f"<robot name='{name}'><link name='base'/><link name='arm'>{MASS}<visual><geometry>"
        f"<mesh filename='{path.format(package=package, name=name)}'/></geometry></visual></link>"
        "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>"
    )
    return ordern.load(package / "arm.urdf")


def files(robot, links=()):
    """Where the meshes are, link by link."""
    return {k.name: [mesh_path(robot.model, s.path) for s in k.visuals] for k in robot.model.links if k.visuals}


def written(robot, how, file):
    """The file as read again, with the packages that the writer says it needs."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        getattr(robot, how)(file)
    lines = [str(w.message) for w in said if "meshes" in str(w.message)]
    pairs = re.findall(r"'([^']*)': '([^']*)'", lines[0].partition("packages=")[2]) if lines else []
    return ordern.load(file, packages=dict(pairs) or None), lines


PATHS = [
    "meshes/a b.stl",
    "package://{name}/meshes/a b.stl",
    "file://{package}/meshes/a%20b.stl",
    "{package}/meshes/a b.stl",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("how", WRITERS)
def test_a_mesh_is_the_same_file_wherever_the_robot_is_written(tmp_path, path, how):
    one = robot(tmp_path, "one", path)
    wanted = files(one)
    assert wanted["arm"] == [(tmp_path / "one" / "meshes" / "a b.stl").resolve()]
    (tmp_path / "other" / "deep").mkdir(parents=True)
    beside, lines = written(one, how, tmp_path / "one" / f"new{WRITERS[how]}")
    assert files(beside) == wanted and not lines
    elsewhere, lines = written(one, how, tmp_path / "other" / "deep" / f"new{WRITERS[how]}")
    assert files(elsewhere) == wanted and len(lines) == 1
    if "://" not in path:  # other programs find it by its path
        [shape] = next(k for k in elsewhere.model.links if k.visuals).visuals
        assert (tmp_path / "other" / "deep" / shape.path).resolve() == wanted["arm"][0]


@pytest.mark.parametrize("path", PATHS[:2])
@pytest.mark.parametrize("how", WRITERS)
def test_robots_that_are_put_together_keep_their_meshes(tmp_path, path, how):
    one, two = robot(tmp_path / "a", "pkg", path), robot(tmp_path / "b", "pkg", path)  # two packages of one name
    wanted = [files(r)["arm"] for r in (one, two)]
    assert wanted[0] != wanted[1]
    joined = one.attach(two, "arm", prefix="t_")
    scene = ordern.Scene({"a_": one, "t_": two})
    for made, first in ((joined, "arm"), (scene, "a_arm"), (scene.attach(one, "a_arm", prefix="x_"), "a_arm")):
        assert [files(made)[name] for name in (first, "t_arm")] == wanted
        back, _ = written(made, how, tmp_path / f"new{WRITERS[how]}")
        assert [files(back)[name] for name in (first, "t_arm")] == wanted
    assert files(scene.attach(one, "a_arm", prefix="x_"))["x_arm"] == wanted[0]


@pytest.mark.parametrize("form", ["urdf", "mjcf", "sdf", "toml"])
def test_conversions_name_meshes_from_the_folder_of_the_file(tmp_path, form):
    one = robot(tmp_path, "one", "meshes/a b.stl")
    made = convert(one, form, states=2, folder=tmp_path / "out")
    assert made.proof.ok and "../one/meshes/a b.stl" in made.text


def test_named_packages_open_no_other_folder(tmp_path):
    one = robot(tmp_path, "one", "../secret.stl")
    Path(tmp_path / "secret.stl").write_text("solid")
    robot(tmp_path, "two", "meshes/a b.stl")
    again = ordern.load(tmp_path / "one" / "arm.urdf", packages={"two": tmp_path / "two"})
    assert files(one)["arm"] == files(again)["arm"] == [None]
