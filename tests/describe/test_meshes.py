"""Mesh paths: found inside of the package, never outside."""

import pytest

from ordern.describe.meshes import mesh_path
from ordern.describe.urdf.urdf_read import load_urdf


@pytest.fixture
def package(tmp_path):
    root = tmp_path / "ws" / "arm_description"
    (root / "urdf").mkdir(parents=True)
    (root / "meshes").mkdir()
    (root / "package.xml").write_text("<package><name>my_arm</name></package>")
    (root / "meshes" / "a.stl").write_text("solid")
    (root / "meshes" / "with space.stl").write_text("solid")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "ws" / "secret.txt").write_text("secret")
    (root / "meshes" / "link.stl").symlink_to(tmp_path / "secret.txt")
    (root / "out").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    (root / "urdf" / "arm.urdf").write_text("<robot name='x'><link name='a'/></robot>")
    return root


def test_inside(package):
    source = package / "urdf" / "arm.urdf"
    wanted = (package / "meshes" / "a.stl").resolve()
    for path in (
        "package://arm_description/meshes/a.stl",
        "package://my_arm/meshes/a.stl",
        "../meshes/a.stl",
        f"file://{package}/meshes/a.stl",
        str(package / "meshes" / "a.stl"),
    ):
        assert mesh_path(source, path) == wanted, path
    assert mesh_path(load_urdf(source), "../meshes/a.stl") == wanted
    assert mesh_path(source, f"file://{package}/meshes/with%20space.stl").name == "with space.stl"


def test_outside(package, tmp_path):
    source = package / "urdf" / "arm.urdf"
    for path in (
        "package://arm_description/../secret.txt",
        "package://arm_description/meshes/../../secret.txt",
        "package://my_arm/../../secret.txt",
        "package://ws/secret.txt/x",
        "package://../secret.txt",
        "package:///etc/passwd",
        "package://other/meshes/a.stl",
        "../../secret.txt",
        "/etc/passwd",
        "file:///etc/passwd",
        "file://../../secret.txt",
        "../meshes/link.stl",
        "../out/secret.txt",
        "../loop/x",
        "../meshes",
        "../meshes/missing.stl",
        "http://example.org/a.stl",
        "a\0b",
        "",
    ):
        assert mesh_path(source, path) is None, path
    assert mesh_path("", "a.stl") is None
    assert mesh_path(package / "no.urdf", "../meshes/a.stl") is None


def test_without_a_manifest(tmp_path):
    (tmp_path / "pkg" / "urdf").mkdir(parents=True)
    (tmp_path / "pkg" / "a.stl").write_text("x")
    (tmp_path / "b.stl").write_text("x")
    source = tmp_path / "pkg" / "urdf" / "x.urdf"
    source.write_text("<robot name='x'><link name='a'/></robot>")
    assert mesh_path(source, "../a.stl") is not None
    assert mesh_path(source, "../../b.stl") is None
