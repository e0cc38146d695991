"""Small files that would take much: each is refused, or read in time and memory by its size."""

from __future__ import annotations

import os
import threading
import tracemalloc

import numpy as np
import pytest

import ordern
from budget import PATIENCE
from ordern.describe.builder import JointSpec, LinkSpec, MimicSpec, build
from ordern.describe.meshes import mesh_path
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.view.mesh_files import BadMesh, read_mesh

MASS = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0, 0, 0)}


def peak(call):
    """The most memory that a call takes (bytes)."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        "a." * 40_000 + "a = 1",
        '"a".' * 40_000 + "a = 1",
        "[" + "a." * 40_000 + "a]",
        "[[" + "'a' . " * 20_000 + "a]]",
        "x = {" + "a." * 40_000 + "a = 1}",
        'x = { y = """a"""", ' + "a." * 40_000 + "a = 1 }",
        "x = { y = '''a'''', " + "'!'." * 40_000 + "a = 1 }",
        "x" + '\\"' * 200_000 + "\n" + "a." * 40,
        "x = [{" + "a." * 40_000 + "a = 1}]",
        'y = """\nx"""\n' + "a." * 40_000 + "a = 1",
        "[" * 50_000,
        "x = " + "[" * 50_000,
        "x = " + "{a=" * 50_000,
    ],
)
def test_toml_bombs(text):
    def refuse():
        with pytest.raises(ordern.ModelError):
            loads_toml(text)

    assert peak(refuse) < 2e7


def test_dots_that_are_no_keys():
    """Numbers, strings and comments may have as many as they like."""
    dots = "." * 400
    text = f'name = "a{dots[:200]}"  # {dots}\n# {dots}\n[[link]]\nname = "b"\n[[link]]\nname = \'{dots}\'\nmass = 1.5\ncom = [0.5, 0.5, 0.5]\n'
    joint = '[[joint]]\nname = "j"\ntype = "fixed"\nparent = "b"\nchild = "c"\n'
    model = loads_toml(text.replace(f"'{dots}'", "'c'") + joint)
    assert len(model.links) == 2


@pytest.mark.parametrize("digits", [400, 4_000, 100_000])
@pytest.mark.parametrize("key", ["mass", "com", "name", "inertia"])
def test_huge_integers(digits, key):
    for number in ("9" * digits, "0x" + "f" * digits):
        value = f"[{number}, 0, 0]" if key == "com" else number
        with pytest.raises(ordern.ModelError) as caught:
            loads_toml(f'[[link]]\nname = "a"\n{key} = {value}\n' if key != "name" else f"[[link]]\nname = {number}\n")
        assert len(str(caught.value)) < 600
        with pytest.raises(ordern.ModelError):
            loads_toml(f"degrees = true\n[[dh]]\nmass = 1.0\na = 0.1\nalpha = {number}\n")
        with pytest.raises(ordern.ModelError):
            loads_toml(f"gravity = {number}\n[[link]]\nname = 'a'\n")
        with pytest.raises(ordern.ModelError):
            loads_toml(f"format = {number}\n[[link]]\nname = 'a'\n")


@pytest.mark.parametrize("length", [256, 300, 200_000])
def test_long_names(length, tmp_path):
    name = "x" * length
    for call in (
        lambda: load_urdf(f'<robot name="{name}"><link name="a"/></robot>'),
        lambda: load_urdf(f'<robot name="r"><link name="{name}"/></robot>'),
        lambda: load_urdf(
            f'<robot name="r"><link name="a"/><joint name="{name}" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
        ),
        lambda: load_urdf(
            f'<robot name="r"><link name="a"/><joint name="j" type="{name}"><parent link="a"/><child link="b"/></joint></robot>'
        ),
        lambda: loads_toml(f"name = '{name}'\n[[link]]\nname = 'a'\n"),
        lambda: loads_toml(f"[[link]]\nname = 'a'\n{name} = 1\n"),
        lambda: ordern.load(name),
        lambda: ordern.load(f"{name}.urdf"),
        lambda: ordern.load(tmp_path / name / "x.toml"),
        lambda: ordern.Robot.from_dh([{"a": 1.0, "mass": 1.0, "name": name}]),
    ):
        with pytest.raises(ordern.OrdernError) as caught:
            call()
        assert len(str(caught.value)) < 1500


def chain(n, follow):
    links = [LinkSpec("l0"), *(LinkSpec(f"l{k}", **MASS) for k in range(1, n + 1))]
    joints = [
        JointSpec(f"j{k}", "revolute", "l0", f"l{k}", mimic=MimicSpec(follow(k), 0.999, 0.001) if k > 1 else None)
        for k in range(1, n + 1)
    ]
    return build("x", links, joints)


def steps(call):
    """How many lines of Python a call runs: time without a clock."""
    import sys

    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("make", ["mimic chain", "mimic chain backwards", "star"])
def test_work_grows_with_the_size(make):
    def work(n):
        if make == "star":
            return steps(lambda: chain(n, lambda k: "j1"))
        return steps(
            lambda: chain(
                n, (lambda k: f"j{k - 1}") if make == "mimic chain" else (lambda k: f"j{k + 1}" if k < n else "j1")
            )
        )

    small, large = work(50), work(400)
    assert large < 12 * small  # eight times the size; a square would be 64


def test_a_chain_of_mimics_has_the_product_of_ratios():
    model = chain(200, lambda k: f"j{k - 1}")
    last = model.bodies[200].mimic
    assert last.body == 1
    np.testing.assert_allclose(last.ratio, 0.999**199, rtol=1e-12)
    np.testing.assert_allclose(last.offset, sum(0.001 * 0.999**k for k in range(199)), rtol=1e-12)


def test_a_link_with_too_many_parts():
    shape = "<visual><geometry><sphere radius='1'/></geometry></visual>"
    assert len(load_urdf(f"<robot name='x'><link name='a'>{shape * 2000}</link></robot>").links[0].visuals) == 2000
    with pytest.raises(ordern.ModelError, match="more than 100000 elements"):
        load_urdf(f"<robot name='x'><link name='a'>{shape * 40_000}</link></robot>")


def test_texts_in_pieces_are_put_together_once():
    """A letter between any two of very many elements: adding each to all before it would move 5 GB here, and 400 GB in a file of 5 MB."""
    text = "<sdf version='1.9'><model name='m'>" + "x<lin/>" * 100_000 + "</model></sdf>"
    with pytest.raises(ordern.ModelError, match="no <lin> in <model>"):
        ordern.load(text)


def test_attached_bodies_are_looked_up_not_looked_for(monkeypatch):
    """Each of many bodies attached by name, without a walk through the file for each."""
    from ordern.describe.mjcf.mjcf_source import Source

    walks, world = [], Source.world
    monkeypatch.setattr(Source, "world", lambda source: walks.append(1) or world(source))
    body = "<body name='b{0}' childclass='{1}'><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/></body>"
    bodies = "".join(body.format(k, "x") for k in range(2_000))
    attached = "".join(f"<attach body='b{k}' prefix='p{k}_'/>" for k in range(2_000))
    made = ordern.load(
        f"<mujoco><default><default class='x'/></default><worldbody>{bodies}{attached}</worldbody></mujoco>"
    )
    assert len(made.link_names) >= 4_000 and "p1999_b1999" in set(made.link_names) and len(walks) < 20
    with pytest.raises(ordern.ModelError, match="attached to itself"):
        ordern.load(
            "<mujoco><worldbody><body name='a'><frame><attach body='a' prefix='p'/></frame></body></worldbody></mujoco>"
        )


def test_xacro_imports_nothing_from_the_folder_of_the_user(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w'); raise ImportError('not meant')")
    (tmp_path / "x.xacro").write_text(
        "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><link name='a'/></robot>"
    )
    monkeypatch.chdir(tmp_path)
    assert ordern.load(tmp_path / "x.xacro").link_names and not (tmp_path / "ran").exists()


def test_devices_and_pipes_are_refused_at_once(tmp_path):
    names = ["pipe.urdf", "pipe.toml", "pipe.xacro", "pipe"]
    for name in names:
        os.mkfifo(tmp_path / name)
    places = [*(tmp_path / name for name in names), "/dev/zero", "/dev/stdin", "/dev/random"]
    for path in places:
        done = []

        def attempt(path=path, done=done):
            with pytest.raises(ordern.OrdernError):
                ordern.load(str(path))
            done.append(True)

        thread = threading.Thread(target=attempt, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert done, path
    for suffix in (".stl", ".obj", ".dae"):
        os.mkfifo(tmp_path / f"mesh{suffix}")
        with pytest.raises(BadMesh, match="no ordinary file"):
            read_mesh(tmp_path / f"mesh{suffix}")


# --- packages --------------------------------------------------------------------------------------------------------------------
def robot_file(folder):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "x.urdf"
    path.write_text("<robot name='x'><link name='a'/></robot>")
    return path


def test_a_folder_is_a_package_only_by_its_manifest(tmp_path, monkeypatch):
    source = robot_file(tmp_path / "upper" / "middle" / "arm" / "urdf")
    for folder in ("upper", "upper/middle", "upper/middle/arm"):
        (tmp_path / folder / "secret.stl").write_bytes(b"x")
    assert mesh_path(source, "package://upper/secret.stl") is None
    assert mesh_path(source, "package://middle/secret.stl") is None
    assert (
        mesh_path(source, "package://arm/secret.stl") == tmp_path / "upper/middle/arm/secret.stl"
    )  # the description's own
    (tmp_path / "upper/middle/package.xml").write_text("<package><name>whatever</name></package>")
    assert mesh_path(source, "package://whatever/secret.stl") == tmp_path / "upper/middle/secret.stl"
    assert mesh_path(source, "package://upper/secret.stl") is None
    elsewhere = tmp_path / "ws" / "share" / "gripper"
    elsewhere.mkdir(parents=True)
    (elsewhere / "m.stl").write_bytes(b"x")
    assert mesh_path(source, "package://gripper/m.stl") is None
    named = ordern.load(source, packages={"gripper": elsewhere})
    assert mesh_path(named.model, "package://gripper/m.stl") == elsewhere / "m.stl"
    assert mesh_path(named.model, "package://gripper/../../../upper/secret.stl") is None
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "ws"))
    assert mesh_path(source, "package://gripper/m.stl") is None
    (elsewhere / "package.xml").write_text("<package><name>gripper</name></package>")
    assert mesh_path(source, "package://gripper/m.stl") == elsewhere / "m.stl"
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"relative{os.pathsep}{tmp_path / 'ws' / 'share'}")
    assert mesh_path(source, "package://gripper/m.stl") == elsewhere / "m.stl"


def test_a_manifest_of_any_size_is_no_burden(tmp_path):
    source = robot_file(tmp_path / "p" / "urdf")
    with open(tmp_path / "p" / "package.xml", "wb") as file:
        file.truncate(2**33)
    assert peak(lambda: mesh_path(source, "package://p/m.stl")) < 3e6
    os.remove(tmp_path / "p" / "package.xml")
    os.mkfifo(tmp_path / "p" / "package.xml")
    assert mesh_path(source, "package://p/m.stl") is None


# --- meshes ----------------------------------------------------------------------------------------------------------------------
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="{count}">{points}</float_array><technique_common><accessor source="#f" count="{rows}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{faces}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>"""
NODE = '<node><instance_geometry url="#g"/></node>'


def dae(tmp_path, corners, vcount, nodes=1):
    p = " ".join(str(k % 9) for k in range(corners))
    inner = f'<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>{vcount}</vcount><p>{p}</p></polylist>'
    path = tmp_path / "m.dae"
    path.write_text(
        DAE.format(points=" ".join(f"{k} 0 0" for k in range(9)), count=27, rows=9, faces=inner, nodes=NODE * nodes)
    )
    return path


def test_a_polygon_of_many_corners(tmp_path):
    (part,) = read_mesh(dae(tmp_path, 5, "5"))
    np.testing.assert_array_equal(part.vertices[part.triangles][:, :, 0], [[0, 1, 2], [0, 2, 3], [0, 3, 4]])
    path = dae(tmp_path, 200_000, "200000")
    small = steps(lambda: read_mesh(dae(tmp_path, 100, "100")))
    assert steps(lambda: read_mesh(path)) < 2 * small + 1000  # not a loop over corners
    (two,) = read_mesh(dae(tmp_path, 7, "3 4"))
    np.testing.assert_array_equal(two.vertices[two.triangles][:, :, 0], [[0, 1, 2], [3, 4, 5], [3, 5, 6]])


def test_instances_of_a_large_geometry(tmp_path):
    path = dae(tmp_path, 30_000, "30000", nodes=5_000)

    def refuse():
        with pytest.raises(BadMesh, match="more than"):
            read_mesh(path)

    assert peak(refuse) < 1e9
    with pytest.raises(BadMesh, match="nodes"):
        read_mesh(dae(tmp_path, 3, "3", nodes=11_000))
    assert len(read_mesh(dae(tmp_path, 3, "3", nodes=100))) == 100


@pytest.mark.parametrize("spoil", range(40))
def test_damaged_meshes_are_bad_meshes(tmp_path, spoil):
    rng = np.random.default_rng(spoil)
    data = bytearray(dae(tmp_path, 9, "3 3 3").read_bytes())
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data)))
        data[at : at + int(rng.integers(0, 9))] = rng.bytes(int(rng.integers(0, 6)))
    for suffix in (".dae", ".obj", ".stl"):
        path = tmp_path / f"bad{suffix}"
        path.write_bytes(bytes(data))
        try:
            read_mesh(path)
        except BadMesh as error:
            assert len(str(error)) < 300
