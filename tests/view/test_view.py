"""The page without a browser: what is in it, what it refuses, and that nothing half-written stays."""

import base64
import hashlib
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from pages import HOSTILE, Reader, data_of

import needs
from ordern import load
from ordern.algorithms.registry import choose
from ordern.describe import builtin as robots
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import InputError, ShapeError
from ordern.runtime.numbers import numbers
from ordern.view import page as view
from ordern.view import page_data as view_data
from ordern.view.page import Playback, page
from ordern.view.page_programs import programs
from ordern.view.shapes import along, drawn, radii


def renamed(name):
    text = f"""<robot name="{name}"><link name="{name}"/><link name="arm"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j{name}" type="continuous"><parent link="{name}"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
    return load_urdf(text)


# --- what is in the page -----------------------------------------------------------------------------------------------------------
def test_policy_names_exactly_what_the_page_runs():
    text = page(robots.puma560())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    hashes = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()
        for s in re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    ]
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
    assert (
        "</script" not in bundle.lower()
        and "<!--" not in bundle
        and "eval(" not in bundle
        and "new Function" not in bundle
    )
    assert 300_000 < len(bundle) < 800_000


def test_bundle_was_built_from_these_sources():
    """Without a build: digests that the build leaves beside the bundle, of the sources and of what it made."""
    web, built = Path(__file__).parents[2] / "web", json.loads(view._asset("built.json"))
    names = sorted(
        [f"src/{file.name}" for file in (web / "src").iterdir()] + ["build.mjs", "package.json", "package-lock.json"]
    )
    lines = "".join(f"{name} {hashlib.sha256((web / name).read_bytes()).hexdigest()}\n" for name in names)
    assert built.pop("sources") == hashlib.sha256(lines.encode()).hexdigest(), "web/ has changed: npm ci; npm run build"
    assert built == {
        name: hashlib.sha256(view._asset(name).encode()).hexdigest() for name in ("page.js", "page.css", "page.html")
    }


@needs.built_web
def test_bundle_is_what_the_source_makes():
    web = Path(__file__).parents[2] / "web"
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
    assert (
        found["name"] == HOSTILE
        and found["links"][1]["name"] == HOSTILE + "1"
        and found["joints"][0]["name"] == HOSTILE + "1"
    )
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
    assert (
        tags[-1][1]["sandbox"] == "allow-scripts allow-downloads" and data_of(tags[-1][1]["srcdoc"])["name"] == HOSTILE
    )
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

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    monkeypatch.setattr(view, "page_data", lambda *_: pytest.fail("the work has started"))
    with pytest.raises(InputError, match=r"cannot write into .*Permission denied"):
        page(robots.planar3(), tmp_path / "x.html")


@pytest.mark.parametrize("kind", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_half_written_stays(tmp_path, monkeypatch, kind):
    target = tmp_path / "x.html"
    target.write_text("old")

    def fail(*_):
        raise kind

    monkeypatch.setattr(os, "replace", fail)
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


@needs.node
@pytest.mark.parametrize("make", [robots.puma560, robots.stanford, lambda: robots.chain(30)])
def test_programs_are_the_algorithms(make):
    model = make()
    q = random_q(model)
    call = f"const o={{}};for(const k of ['poses','gravity','mass','composite'])o[k]=[...ordernPrograms[k]({q.tolist()}).out0];"
    script = f"{programs(model)[0]}{call}console.log(JSON.stringify(o));"
    found = json.loads(
        subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True, timeout=60).stdout
    )
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
    assert np.allclose(own[k, :3, 3], last.h) and np.allclose(
        np.diag(own[k, :3, :3]), last.I[:3]
    )  # the last body carries only itself


@needs.node
def test_joints_that_follow_others_are_held_in_articulated_inertias():
    """So they are those of the robot with its fingers welded where they are."""
    opening = 0.02
    model, welded = robots.panda(), load("panda", locked={"panda_finger_joint1": opening}).model
    q = random_q(welded)

    def inertias(model, q):
        script = f"{programs(model)[0]}const o=ordernPrograms.articulated({q});console.log(JSON.stringify([o.out0,o.out1,o.out2].map((x)=>[...x])));"
        found = json.loads(
            subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True, timeout=60).stdout
        )
        return np.array(found).reshape(3, -1, 16)

    of = {link.name: k for k, link in enumerate(model.links) if link.name.startswith("panda_link") and link.body}
    same = [k for k, link in enumerate(welded.links) if link.name in of]
    mine, theirs = inertias(model, [*q.tolist(), opening])[:, list(of.values())], inertias(welded, q.tolist())[:, same]
    # 64 n: as above
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=64 * 7 * np.finfo(float).eps * np.abs(theirs).max())


def test_no_articulated_inertia_where_it_is_undefined():
    from dataclasses import replace

    from ordern.model import Mass

    model = robots.planar3()
    bodies = (*model.bodies[:-1], replace(model.bodies[-1], inertia=Mass()))
    assert '"articulated"' not in programs(replace(model, bodies=bodies))[0] and '"articulated"' in programs(model)[0]


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


@pytest.mark.parametrize("name", ["panda", "ur5", "puma560", "stanford", "planar3", "delta", "stewart", "fourbar"])
def test_built_in_robots_start_within_their_limits_and_unfolded(name):
    """What `ordern view` shows first: limits hold, loops are closed, and the hand of the Panda is not folded into its arm."""
    import ordern
    from ordern.evaluate.manifold import bounds
    from ordern.simulate.arguments import plain_joints

    robot = getattr(ordern.robots, name)()
    q = np.array(data_of(robot.page())["q"])
    (lower, upper), (at, to) = bounds(robot.model), plain_joints(robot.model)
    assert np.all(q[at] >= lower[to]) and np.all(q[at] <= upper[to])
    if robot.loops:
        assert np.abs(robot.constraint_residual(q)).max() < 1e-9
    if name == "panda":
        poses = robot.forward_kinematics(q)
        hand = poses["panda_hand"][:3, 3]
        assert (
            min(np.linalg.norm(hand - poses[f"panda_link{k}"][:3, 3]) for k in (2, 3, 4)) > 0.2 and hand[2] > 0.3
        )  # the elbow and what is before it


def test_loops_are_drawn_to_where_they_close():
    """A platform reaches its legs, a ground nothing that moves freely."""
    import ordern

    model = ordern.robots.stewart().model
    platform = next(i for i, body in enumerate(model.bodies) if i and body.joint.name == "floating")
    tubes = [shape for shape in drawn(model, {0, platform}) if shape["kind"] == "capsule"]
    reached = {shape["body"]: [] for shape in tubes}
    for shape in tubes:
        at, half = shape["at"], shape["size"][1] / 2
        reached[shape["body"]].append(at.origin + np.array(at.rotation).reshape(3, 3)[:, 2] * half)
    for loop in model.loops:
        for body, at in model.loop_ends(loop):
            assert body != platform or min(np.abs(tip - at.origin).max() for tip in reached[platform]) < 1e-9
    start = model.bodies[platform].placement.origin
    assert all(np.abs(tip - start).max() > 1e-6 for tip in reached[0])


def test_massless_robot_at_one_point_has_shapes():
    model = load_urdf("<robot name='r'><link name='only'/></robot>")
    assert "only" in page(model)
