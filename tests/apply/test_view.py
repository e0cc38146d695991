"""The page without a browser: what is in it, what it refuses, and that nothing half-written stays."""

import base64
import hashlib
import http.client
import json
import re
import shutil
import socket
import struct
import subprocess
import sysconfig
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from ordern.algorithms.registry import choose
from ordern.apply import serve as serving
from ordern.apply import view, view_data, view_meshes
from ordern.apply.view import Playback, page, serve, start
from ordern.apply.view_meshes import BadMesh, Part, pack, read_mesh, thin
from ordern.apply.view_programs import programs
from ordern.apply.view_shapes import along, drawn, radii
from ordern.describe import robots
from ordern.describe.urdf import load_urdf
from ordern.errors import InputError, OrdernWarning, ShapeError
from ordern.evaluate.numbers import numbers

HOSTILE = "<img src=x onerror=alert(1)>\"' </script><script>alert(2)</script> \u2028\u2029\u202e\x07 &amp; ]]>"
EXAMPLES = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.at = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.at = f"{tag} {dict(attributes).get('type', '')}".strip()

    def handle_endtag(self, tag):
        self.at = None

    def handle_data(self, data):
        if self.at:
            self.text.setdefault(self.at, []).append(data)


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def renamed(name):
    text = f"""<robot name="{name}"><link name="{name}"/><link name="arm"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j{name}" type="continuous"><parent link="{name}"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
    return load_urdf(text)


# --- what is in the page -----------------------------------------------------------------------------------------------------------
def test_policy_names_exactly_what_the_page_runs():
    text = page(robots.puma560())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in re.findall(r"<script>(.*?)</script>", text, re.DOTALL)]
    assert len(hashes) == 2
    assert re.search(r"script-src ([^;]*)", policy)[1] == " ".join(f"'sha256-{h}'" for h in hashes)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert f"style-src 'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy and "connect-src" not in policy


def test_page_asks_for_nothing_outside():
    reader = Reader(page(robots.stanford()))
    for tag, attributes in reader.tags:
        assert "src" not in attributes, tag
        assert attributes.get("href", "data:,") == "data:,"
        assert not any(key.startswith("on") or key == "style" for key in attributes)
    assert "url(" not in view._asset("page.css") and "@import" not in view._asset("page.css")


def test_bundle_is_whole_and_carries_its_licence():
    bundle = view._asset("page.js")
    assert "three.js authors" in bundle and "Permission is hereby granted" in bundle
    assert "</script" not in bundle.lower() and "<!--" not in bundle and "eval(" not in bundle and "new Function" not in bundle
    assert 300_000 < len(bundle) < 800_000


def test_bundle_is_what_the_source_makes():
    web = Path(__file__).parents[2] / "web"
    if not (web / "node_modules").is_dir() or not shutil.which("node"):
        pytest.skip("run npm ci in web/ to compare the bundle with its source")
    done = subprocess.run(["node", "build.mjs", "--check"], cwd=web, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("title", [None, HOSTILE])
def test_hostile_names_stay_text(title):
    from dataclasses import replace

    model = robots.planar3()
    links = tuple(replace(link, name=HOSTILE + str(k), joint=HOSTILE) for k, link in enumerate(model.links))
    bodies = tuple(replace(body, name=HOSTILE + str(k)) for k, body in enumerate(model.bodies))
    text = page(replace(model, name=HOSTILE, links=links, bodies=bodies), title=title)
    reader = Reader(text)
    plain = Reader(page(robots.planar3()))
    assert [tag for tag, _ in reader.tags] == [tag for tag, _ in plain.tags]  # no element more, none less
    assert not any(tag == "img" for tag, _ in reader.tags)
    found = data_of(text)
    assert found["name"] == HOSTILE and found["links"][1]["name"] == HOSTILE + "1" and found["joints"][0]["name"] == HOSTILE + "1"
    assert found["title"] == HOSTILE.replace("\u202e", "\ufffd").replace("\x07", "\ufffd")
    block = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert not re.search("[<>&\u2028\u2029\x00-\x1f]", block)
    assert "\x07" not in text and "\u202e" not in text


def test_hostile_urdf():
    text = page(renamed("&lt;img src=x onerror=alert(1)&gt;&quot;&apos;"))
    assert data_of(text)["name"] == "<img src=x onerror=alert(1)>\"'"


def test_lone_surrogates_do_not_break_the_file(tmp_path):
    page(robots.pendulum(), tmp_path / "x.html", title="a\ud800b")
    assert "a?b" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_data_round_trip():
    model = robots.puma560()
    q = np.linspace(-0.5, 0.5, 6)
    t = np.linspace(0, 1, 11)
    run = Playback(t, np.outer(np.sin(t), q), tau=np.outer(t, q), energy=t**2)
    found = data_of(page(model, q=q, run=run, title="mine"))
    assert found["q"] == q.tolist() and found["title"] == "mine" and found["n"] == 6
    assert np.array_equal(np.frombuffer(base64.b64decode(found["run"]["q"]), "<f4").reshape(11, 6), run.q.astype("f4"))
    assert np.array_equal(np.frombuffer(base64.b64decode(found["run"]["energy"]), "<f4"), (t**2).astype("f4"))
    assert [tuple(j["limits"][0]) for j in found["joints"]] == [(b.lower[0], b.upper[0]) for b in model.bodies[1:]]
    assert found["links"][found["tool"]]["name"] == model.links[-1].name


def test_run_as_dict_or_object():
    class Run:
        t, q = [0.0, 1.0], [[0.0], [1.0]]

    for run in (Run(), {"t": [0.0, 1.0], "q": [[0.0], [1.0]]}):
        assert data_of(page(robots.pendulum(), run=run))["run"]["count"] == 2


def test_long_runs_are_thinned():
    t = np.linspace(0, 10, 50_001)
    found = data_of(page(robots.pendulum(), run={"t": t, "q": np.sin(t)[:, None]}))
    kept = np.frombuffer(base64.b64decode(found["run"]["t"]), "<f4")
    assert len(kept) == view_data.SAMPLES and kept[0] == 0 and kept[-1] == 10


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"q": [0.0, 0.0]}, ShapeError, "needs (1,)"),
        ({"q": [float("nan")]}, InputError, "NaN"),
        ({"q": ["a"]}, InputError, "real numbers"),
        ({"q": [1j]}, InputError, "real numbers"),
        ({"run": {"t": [0.0, 1.0]}}, InputError, "t (T,) and q"),
        ({"run": {"t": [0.0], "q": [[0.0]]}}, ShapeError, "at least 2"),
        ({"run": {"t": [0.0, 0.0], "q": [[0.0], [1.0]]}}, InputError, "increase"),
        ({"run": {"t": [0.0, 1.0], "q": [[0.0], [float("inf")]]}}, InputError, "infinity"),
        ({"run": {"t": [0.0, 1.0], "q": [[[0.0], [1.0]]]}}, ShapeError, "ensemble"),
        ({"run": {"t": [0.0, 1.0], "q": [[0.0], [1.0]], "tau": [1.0, 2.0]}}, ShapeError, "run.tau"),
    ],
)
def test_bad_arguments(arguments, error, words):
    with pytest.raises(error, match=re.escape(words)):
        page(robots.pendulum(), **arguments)


def test_too_many_bodies():
    with pytest.raises(InputError, match="at most"):
        page(robots.chain(view_data.BODIES))


def test_notebook_frame():
    from dataclasses import replace

    text = view.notebook_html(replace(robots.planar3(), name=HOSTILE))
    tags = Reader(text).tags
    assert [tag for tag, _ in tags] == ["p", "b", "iframe"]
    assert tags[-1][1]["sandbox"] == "allow-scripts" and data_of(tags[-1][1]["srcdoc"])["name"] == HOSTILE
    assert "at most" in view.notebook_html(robots.chain(view_data.BODIES))


# --- files -------------------------------------------------------------------------------------------------------------------------
def test_written_file_is_the_text(tmp_path):
    target = tmp_path / "a b.html"
    text = page(robots.planar3(), target)
    assert target.read_text(encoding="utf-8") == text and [p.name for p in tmp_path.iterdir()] == ["a b.html"]


@pytest.mark.parametrize("place", ["missing/x.html", "", "file/x.html"])
def test_bad_folder_is_refused_before_the_work(tmp_path, monkeypatch, place):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(view, "page_data", lambda *_: pytest.fail("the work has started"))
    with pytest.raises(InputError):
        page(robots.planar3(), tmp_path / place)


def test_unwritable_folder_is_refused_before_the_work(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(view.tempfile, "mkstemp", refuse)
    monkeypatch.setattr(view, "page_data", lambda *_: pytest.fail("the work has started"))
    with pytest.raises(InputError, match="nothing can be written"):
        page(robots.planar3(), tmp_path / "x.html")


@pytest.mark.parametrize("kind", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_half_written_stays(tmp_path, monkeypatch, kind):
    target = tmp_path / "x.html"
    target.write_text("old")

    def fail(*_):
        raise kind

    monkeypatch.setattr(view.os, "replace", fail)
    with pytest.raises(InputError if isinstance(kind, OSError) else KeyboardInterrupt):
        page(robots.planar3(), target)
    assert target.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["x.html"]


# --- programs ----------------------------------------------------------------------------------------------------------------------
def random_q(model, seed=1):
    rng = np.random.default_rng(seed)
    parts = []
    for i in model.free:
        joint = model.bodies[i].joint
        parts.append(joint.random(rng, (), np.full(joint.nv, -1.0), np.full(joint.nv, 1.0)))
    return np.concatenate(parts)


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
@pytest.mark.parametrize("make", [robots.puma560, robots.stanford, lambda: robots.chain(30)])
def test_programs_are_the_algorithms(make):
    model = make()
    q = random_q(model)
    call = f"const o={{}};for(const [k,f] of Object.entries(ordernPrograms))o[k]=[...f({q.tolist()}).out0];"
    script = f"{programs(model)}{call}console.log(JSON.stringify(o));"
    found = json.loads(subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True, timeout=60).stdout)
    eps = np.finfo(float).eps
    for name, quantity in (("poses", "forward_kinematics"), ("gravity", "gravity_forces"), ("mass", "mass_matrix")):
        wanted = numbers(choose(quantity, None, model), model)(q).ravel()
        limit = 64 * model.nv * eps * np.abs(wanted).max()  # 64 n: a chain of n rotations, each a few ulps
        assert np.abs(np.array(found[name]) - wanted).max() <= limit
    M, g = np.array(found["mass"]).reshape(model.nv, -1), model.nv
    assert np.array_equal(M, M.T) and g == len(found["gravity"])
    own = np.array(found["composite"]).reshape(-1, 4, 4)
    last = model.bodies[-1].inertia
    k = next(k for k, link in enumerate(model.links) if link.body == len(model.bodies) - 1)
    assert np.allclose(own[k, :3, 3], last.h) and np.allclose(np.diag(own[k, :3, :3]), last.I[:3])  # the last body carries only itself


def test_no_articulated_inertia_where_it_is_undefined():
    from dataclasses import replace

    from ordern.model import Mass

    model = robots.planar3()
    bodies = (*model.bodies[:-1], replace(model.bodies[-1], inertia=Mass()))
    assert '"articulated"' not in programs(replace(model, bodies=bodies)) and '"articulated"' in programs(model)


# --- shapes ------------------------------------------------------------------------------------------------------------------------
def test_along():
    for a, b in (((0, 0, 0), (0, 0, 2)), ((1, 2, 3), (1, 2, 1)), ((0, 0, 0), (1, 1, 1)), ((1, 0, 0), (0, 0, 0))):
        at, length = along(a, b)
        m = at.matrix()
        assert np.allclose(m[:3, :3].T @ m[:3, :3], np.eye(3)) and np.isclose(np.linalg.det(m[:3, :3]), 1)
        assert np.allclose(m @ [0, 0, length / 2, 1], [*b, 1]) and np.allclose(m @ [0, 0, -length / 2, 1], [*a, 1])
    assert along((1, 1, 1), (1, 1, 1))[1] == 0


@pytest.mark.parametrize("name", robots.names())
def test_drawn_shapes_are_well_proportioned(name):
    model = robots.lookup(name)
    size, reach = radii(model)
    assert reach > 0 and all(0 < r <= 0.06 * reach + 1e-12 for r in size)
    shapes = drawn(model, set(range(len(model.bodies))))
    assert shapes and all(x > 0 for s in shapes for x in s["size"])


def test_massless_robot_at_one_point_has_shapes():
    model = load_urdf("<robot name='r'><link name='only'/></robot>")
    assert "only" in page(model)


# --- meshes ------------------------------------------------------------------------------------------------------------------------
CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 1, 0], [0, 0, 1]]], float)


def binary_stl(corners=CORNERS, count=None):
    facets = b"".join(struct.pack("<12fH", 0, 0, 1, *np.ravel(c), 0) for c in corners)
    return b"\0" * 80 + struct.pack("<I", len(corners) if count is None else count) + facets


def ascii_stl(corners=CORNERS):
    facets = "".join("facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in c) + "endloop\nendfacet\n" for c in corners)
    return f"solid thing\n{facets}endsolid\n".encode()


OBJ = b"# two faces\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nf -4 -3 -2\n"
DAE = b"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.5"/></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c">
<phong><diffuse><color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="s" count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node><translate>2 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
<instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"""


@pytest.mark.parametrize(("name", "data", "triangles"), [("a.stl", binary_stl(), 2), ("a.STL", ascii_stl(), 2), ("a.obj", OBJ, 3), ("a.dae", DAE, 2)])
def test_meshes_are_read(tmp_path, name, data, triangles):
    (tmp_path / name).write_bytes(data)
    parts = read_mesh(tmp_path / name)
    assert sum(len(p.triangles) for p in parts) == triangles
    if name.lower().endswith("stl"):
        assert len(parts[0].vertices) == 4 and np.allclose(parts[0].vertices[parts[0].triangles], CORNERS)
    if name == "a.dae":  # unit, then move, turn and scale
        assert parts[0].color == (1.0, 0.5, 0.0)
        assert np.allclose(parts[0].vertices[1], [1.0, 1.0, 0.0]) and np.allclose(parts[0].vertices[3], [0.0, 0.0, 0.0])


def test_binary_stl_that_begins_with_solid(tmp_path):
    data = b"solid made by CAD".ljust(80) + binary_stl()[80:]
    (tmp_path / "a.stl").write_bytes(data)
    assert len(read_mesh(tmp_path / "a.stl")[0].triangles) == 2


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
    "what.fbx": b"?",
}


@pytest.mark.parametrize("name", BAD)
def test_broken_meshes_say_why(tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name])
    with pytest.raises(BadMesh) as caught:
        read_mesh(tmp_path / name)
    assert str(caught.value)


@pytest.mark.parametrize(("name", "data"), [("a.stl", binary_stl()), ("a.stl", ascii_stl()), ("a.obj", OBJ), ("a.dae", DAE)])
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
    points = np.stack([np.cos(grid[..., 0]) * np.sin(grid[..., 1]), np.sin(grid[..., 0]) * np.sin(grid[..., 1]), np.cos(grid[..., 1])], axis=-1)
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
    model = robot_with_mesh(tmp_path / "mine", *BAD, "missing.stl", "../outside.stl", "package://r/../outside.stl", "http://example.org/a.stl")
    with pytest.warns(OrdernWarning) as caught:
        text = page(model)
    assert len(caught) == 1 and f"and {len(BAD) + 3} more" in str(caught[0].message)
    found = data_of(text)
    assert not found["meshes"] and found["shapes"] and "mesh" not in {s["kind"] for s in found["shapes"]}


def test_panda_meshes():
    if not (EXAMPLES / "panda_description").is_dir():
        pytest.skip("needs example-robot-data")
    found = data_of(page(load_urdf(EXAMPLES / "panda_description/urdf/panda.urdf")))
    assert len(found["meshes"]) == 10 and all(s["kind"] == "mesh" for s in found["shapes"])


# --- serving -----------------------------------------------------------------------------------------------------------------------
def ask(port, path, host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_serves_only_who_knows_the_address():
    with start(robots.planar3()) as server:
        path = f"/{server.token}/"
        answer, body = ask(server.port, path)
        assert answer.status == 200 and body == page(robots.planar3()) and len(server.token) >= 32
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Cache-Control"] == "no-store"
        assert ask(server.port, path, method="HEAD")[1] == ""
        assert ask(server.port, path, method="POST")[0].status == 501
        for wrong in ("/", "/favicon.ico", path[:-1], path + "x", f"/{'A' * len(server.token)}/", path + "../", "/%C3%A9"):
            assert ask(server.port, wrong)[0].status == 404, wrong
        assert ask(server.port, path, host="evil.example")[0].status == 404
        assert ask(server.port, path, host=f"localhost:{server.port}")[0].status == 200
    with pytest.raises(OSError):
        ask(server.port, path)
    with start(robots.planar3()) as other:
        assert other.token != server.token


def test_listens_on_this_machine_only():
    with start(robots.pendulum()) as server:
        assert server._http.server_address[0] == "127.0.0.1"


def test_port_in_use():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match=r"in use.*port=0"):
            start(robots.pendulum(), taken.getsockname()[1])


@pytest.mark.parametrize("port", [-1, 65536, 1.5, "80", True])
def test_bad_port(port):
    with pytest.raises(InputError, match="port is"):
        start(robots.pendulum(), port)


def test_serve_says_what_to_do_and_ends_on_interrupt(monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(serving.Server, "wait", interrupt)
    for key in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setattr(serving.sys, "platform", "linux")
    monkeypatch.setattr(serving.webbrowser, "open", lambda url: pytest.fail("there is no display"))
    said = []
    serve(robots.pendulum(), say=said.append, title="a\x1b[31mb")
    assert "http://127.0.0.1:" in said[0] and "\x1b" not in said[0] and "ssh -L" in said[1] and said[-1] == "ended"
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(serving.webbrowser, "open", lambda url: False)
    said.clear()
    serve(robots.pendulum(), say=said.append)
    assert "no browser" in said[1]
    said.clear()
    serve(robots.pendulum(), open_browser=False, say=said.append)
    assert len(said) == 2
