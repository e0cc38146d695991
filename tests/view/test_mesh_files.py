"""Meshes of the page: read, thinned and packed; broken ones are replaced with one warning."""

import base64
import struct

import numpy as np
import pytest
from pages import data_of

from needs import EXAMPLES
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import OrdernWarning
from ordern.view import mesh_files as view_meshes
from ordern.view.mesh_files import BadMesh, Part, pack, read_mesh, thin
from ordern.view.page import page

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 1, 0], [0, 0, 1]]], float)


def binary_stl(corners=CORNERS, count=None):
    facets = b"".join(struct.pack("<12fH", 0, 0, 1, *np.ravel(c), 0) for c in corners)
    return b"\0" * 80 + struct.pack("<I", len(corners) if count is None else count) + facets


def ascii_stl(corners=CORNERS):
    facets = "".join(
        "facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in c) + "endloop\nendfacet\n"
        for c in corners
    )
    return f"solid thing\n{facets}endsolid\n".encode()


OBJ = b"# two faces\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nf -4 -3 -2\n"
DAE = b"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.5"/></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c">
<phong><diffuse><color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="s" count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node><translate>2 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
<instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"""


@pytest.mark.parametrize(
    ("name", "data", "triangles"),
    [("a.stl", binary_stl(), 2), ("a.STL", ascii_stl(), 2), ("a.obj", OBJ, 3), ("a.dae", DAE, 2)],
)
def test_meshes_are_read(tmp_path, name, data, triangles):
    (tmp_path / name).write_bytes(data)
    parts = read_mesh(tmp_path / name)
    assert sum(len(p.triangles) for p in parts) == triangles
    if name.lower().endswith("stl"):
        assert len(parts[0].vertices) == 4 and np.allclose(parts[0].vertices[parts[0].triangles], CORNERS)
    if name == "a.dae":  # unit, then move, turn and scale
        assert np.allclose(parts[0].color, (1.0, 0.5, 0.0), atol=0.5 / 255)  # trimesh keeps colours as bytes
        corners = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]], float)
        assert np.allclose(
            parts[0].vertices[parts[0].triangles], corners[[[0, 1, 2], [0, 2, 3]]], atol=1e-6
        )  # pycollada reads single precision


def test_binary_stl_that_begins_with_solid(tmp_path):
    data = b"solid made by CAD".ljust(80) + binary_stl()[80:]
    (tmp_path / "a.stl").write_bytes(data)
    assert len(read_mesh(tmp_path / "a.stl")[0].triangles) == 2


def test_the_up_axis_turns_nothing(tmp_path):
    """A URDF's visuals are drawn as the file has them, as other viewers of URDF do."""
    (tmp_path / "a.dae").write_bytes(DAE)
    (tmp_path / "b.dae").write_bytes(DAE.replace(b"</asset>", b"<up_axis>Y_UP</up_axis></asset>"))
    (a,), (b,) = (read_mesh(tmp_path / name) for name in ("a.dae", "b.dae"))
    np.testing.assert_array_equal(a.vertices[a.triangles], b.vertices[b.triangles])


def test_a_mesh_whose_material_is_not_there_is_shown(tmp_path):
    (tmp_path / "a.dae").write_bytes(DAE.replace(b'target="#m"', b'target="#nothing"'))
    (part,) = read_mesh(tmp_path / "a.dae")
    assert len(part.triangles) == 2 and part.color == ()


def test_a_texture_is_not_fetched_and_leaves_the_colour_to_the_robot(tmp_path):
    picture = b"""<library_images><image id="i"><init_from>/etc/passwd</init_from></image></library_images><library_effects><effect id="e">
<profile_COMMON><newparam sid="f"><surface type="2D"><init_from>i</init_from></surface></newparam><newparam sid="s"><sampler2D>
<source>f</source></sampler2D></newparam>"""
    data = DAE.replace(b'<library_effects><effect id="e"><profile_COMMON>', picture)
    (tmp_path / "a.dae").write_bytes(data.replace(b"<color>1 0.5 0 1</color>", b'<texture texture="s" texcoord="u"/>'))
    assert read_mesh(tmp_path / "a.dae")[0].color == ()


@pytest.mark.parametrize("levels", [3, 14, 40, 100])
def test_nodes_that_double_do_not_explode(tmp_path, levels):
    """Each node of the library places the one before it twice."""
    nodes = b'<node id="n0"><instance_geometry url="#g"/></node>'
    for k in range(levels):
        nodes += b'<node id="n%d">' % (k + 1) + b'<instance_node url="#n%d"/>' % k * 2 + b"</node>"
    data = DAE.replace(b"<library_visual", b"<library_nodes>" + nodes + b"</library_nodes><library_visual", 1)
    (tmp_path / "a.dae").write_bytes(
        data.replace(
            b'<instance_geometry url="#g"><bind',
            b'<instance_node url="#n%d"/><instance_geometry url="#g"><bind' % levels,
        )
    )
    if levels == 3:
        assert len(read_mesh(tmp_path / "a.dae")) == 9
    else:
        with pytest.raises(BadMesh, match="more than"):
            read_mesh(tmp_path / "a.dae")


def test_a_node_within_itself_is_refused(tmp_path):
    (tmp_path / "a.dae").write_bytes(DAE.replace(b"<node>", b'<node id="n"><instance_node url="#n"/>'))
    with pytest.raises(BadMesh, match="levels"):
        read_mesh(tmp_path / "a.dae")


@pytest.mark.parametrize("lacks", ["trimesh", "collada"])
def test_without_the_packages_the_command_is_named(tmp_path, monkeypatch, lacks):
    found = view_meshes.importlib.util.find_spec
    monkeypatch.setattr(view_meshes.importlib.util, "find_spec", lambda name: None if name == lacks else found(name))
    (tmp_path / "a.dae").write_bytes(DAE)
    with pytest.warns(OrdernWarning, match="pip install trimesh pycollada"):
        shown = data_of(page(robot_with_mesh(tmp_path, "a.dae")))
    assert not shown["meshes"] and shown["shapes"]


BAD = {
    "cut.stl": binary_stl()[:-10],
    "lies.stl": binary_stl(count=4_000_000_000),
    "nan.stl": binary_stl(np.full((1, 3, 3), np.nan)),
    "far.stl": binary_stl(np.array([[[0, 0, 0], [1e30, 0, 0], [0, 1, 0]]])),
    "empty.stl": b"",
    "none.stl": binary_stl(CORNERS[:0]),
    "words.stl": b"solid x\nvertex a b c\nvertex 1 2 3\nvertex 1 2 3\n",
    "odd.stl": b"solid x\nvertex 1 2 3\nvertex 1 2 3\n",
    "index.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
    "zero.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
    "word.obj": b"v 0 0 x\n",
    "cut.dae": DAE[: len(DAE) // 2],
    "type.dae": DAE.replace(b"<COLLADA", b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><COLLADA"),
    "corner.dae": DAE.replace(b"<p>0 0 1 0 2 0 3 0</p>", b"<p>0 0 1 0 2 0 77 0</p>"),
    "count.dae": DAE.replace(b"<vcount>4</vcount>", b"<vcount>9</vcount>"),
    "minus.dae": DAE.replace(b"<vcount>4</vcount>", b"<vcount>-4</vcount>"),
    "loop.dae": DAE.replace(b"#v", b"#nothing"),
    "deep.dae": b"<COLLADA>" + b"<node>" * 5000 + b"</node>" * 5000 + b"</COLLADA>",
    "html.dae": b"<html></html>",
    "zip.dae": DAE + b"<!--PK\5\6-->",
    "below.dae": DAE.replace(b"<p>0 0 1 0 2 0 3 0</p>", b"<p>0 0 1 0 2 0 -1 0</p>"),
    "no_scene.dae": DAE.replace(b"visual_scene", b"audio_scene"),
    "nan.dae": DAE.replace(b"0 0 0 1 0 0 1", b"0 0 0 nan 0 0 1"),
    "what.fbx": b"?",
}


@pytest.mark.parametrize("name", BAD)
def test_broken_meshes_say_why(tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name])
    with pytest.raises(BadMesh) as caught:
        read_mesh(tmp_path / name)
    assert str(caught.value)


@pytest.mark.parametrize(
    ("name", "data"), [("a.stl", binary_stl()), ("a.stl", ascii_stl()), ("a.obj", OBJ), ("a.dae", DAE)]
)
def test_damaged_meshes_never_do_worse(tmp_path, name, data):
    rng = np.random.default_rng(5)
    for _ in range(200):
        bad = bytearray(data[: rng.integers(len(data) + 1)] if rng.random() < 0.3 else data)
        for _ in range(rng.integers(1, 6)):
            if bad:
                bad[rng.integers(len(bad))] = rng.integers(256)
        (tmp_path / name).write_bytes(bytes(bad))
        try:
            for part in thin(read_mesh(tmp_path / name), 1):
                pack(part)
        except BadMesh:
            pass


def test_limits(tmp_path, monkeypatch):
    (tmp_path / "a.stl").write_bytes(binary_stl())
    monkeypatch.setattr(view_meshes, "MOST", 1)
    with pytest.raises(BadMesh, match="triangles"):
        read_mesh(tmp_path / "a.stl")
    monkeypatch.setattr(view_meshes, "LARGEST", 100)
    with pytest.raises(BadMesh, match="bytes"):
        read_mesh(tmp_path / "a.stl")


def test_thinning_keeps_the_form():
    t = np.linspace(0, 2 * np.pi, 200)
    grid = np.stack(np.meshgrid(t, np.linspace(0, np.pi, 100), indexing="ij"), axis=-1)
    points = np.stack(
        [
            np.cos(grid[..., 0]) * np.sin(grid[..., 1]),
            np.sin(grid[..., 0]) * np.sin(grid[..., 1]),
            np.cos(grid[..., 1]),
        ],
        axis=-1,
    )
    k = np.arange(200 * 100).reshape(200, 100)
    quads = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]], axis=-1).reshape(-1, 4)
    ball = Part(points.reshape(-1, 3), np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]))
    made = thin([ball], 3000)[0]
    assert 500 < len(made.triangles) <= 3000
    assert np.all(np.abs(np.linalg.norm(made.vertices, axis=1) - 1) < 0.02)


def test_packing():
    packed = pack(Part(CORNERS.reshape(-1, 3) * 3 - 1, np.arange(6).reshape(2, 3), (0.1, 0.2, 0.3)))
    steps = np.frombuffer(base64.b64decode(packed["v"]), "<u2").reshape(-1, 3)
    index = np.frombuffer(base64.b64decode(packed["i"]), "<u2").reshape(-1, 3)
    back = np.array(packed["low"]) + packed["step"] * steps
    assert np.allclose(back[index], CORNERS * 3 - 1, atol=packed["step"])


def robot_with_mesh(folder, *files):
    shapes = "".join(f'<visual><geometry><mesh filename="{f}"/></geometry></visual>' for f in files)
    (folder / "r.urdf").write_text(
        f"""<robot name="r"><link name="base"/><link name="arm">
        <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        {shapes}</link><joint name="j" type="continuous"><origin xyz="0 0 1"/><parent link="base"/><child link="arm"/></joint></robot>"""
    )
    return load_urdf(folder / "r.urdf")


def test_good_mesh_is_shown(tmp_path):
    (tmp_path / "a.stl").write_bytes(binary_stl())
    found = data_of(page(robot_with_mesh(tmp_path, "a.stl", "a.stl")))
    assert [s["kind"] for s in found["shapes"]] == ["mesh", "mesh"] and len(found["meshes"]) == 1


def test_bad_meshes_become_shapes_with_one_warning(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "outside.stl").write_bytes(binary_stl())
    for name, data in BAD.items():
        (tmp_path / "mine" / name).write_bytes(data)
    model = robot_with_mesh(
        tmp_path / "mine",
        *BAD,
        "missing.stl",
        "../outside.stl",
        "package://r/../outside.stl",
        "http://example.org/a.stl",
    )
    with pytest.warns(OrdernWarning) as caught:
        text = page(model)
    assert len(caught) == 1 and f"and {len(BAD) + 3} more" in str(caught[0].message)
    found = data_of(text)
    assert not found["meshes"] and found["shapes"] and "mesh" not in {s["kind"] for s in found["shapes"]}


def test_panda_meshes():
    found = data_of(page(load_urdf(EXAMPLES / "panda_description/urdf/panda.urdf")))
    assert len(found["meshes"]) == 10 and all(s["kind"] == "mesh" for s in found["shapes"])
