"""The builder: canonical frames, order, welds, locks, mimics, floating bases, several trees, long chains."""

import inspect
import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ordern.describe.frames import align, at
from ordern.describe.load import load
from ordern.describe.urdf.urdf_read import load_urdf, to_urdf
from ordern.errors import InputError, ModelError, OrdernError, OrdernWarning
from ordern.joints import JOINTS, Cylindrical, Revolute
from ordern.model import Placement
from ordern.model.placements import added

from .mechanics import link_poses, mass_matrix, neutral, random_q

BALL = {"mass": 1.0, "com": (0.1, 0.2, 0.3), "inertia": (0.5, 0.6, 0.7, 0.0, 0.0, 0.0)}


def link(name, **more):
    return LinkSpec(name, **{**BALL, **more})


def arm(*joints, **options):
    names = dict.fromkeys(n for j in joints for n in (j.parent, j.child) if n != "world")
    return build("arm", [link(n) for n in names], joints, **options)


AXES = [(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0.6, 0, 0.8), (1, 2, 3), (-3, 1e-8, 2)]


@pytest.mark.parametrize("axis", AXES)
def test_align(axis):
    unit = np.array(axis) / np.linalg.norm(axis)
    frame = align(tuple(float(e) for e in unit))
    R = np.reshape(frame.rotation, (3, 3))
    np.testing.assert_array_equal(R[:, 2], unit)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    assert np.linalg.det(R) > 0
    if sorted(np.abs(axis)) == [0, 0, 1]:
        assert {abs(e) for e in frame.rotation} == {0.0, 1.0}


@pytest.mark.parametrize("axis", AXES)
def test_axes_become_z_and_the_motion_stays(axis):
    """The child turns about the given axis, whatever frames are inside."""
    origin = Placement.from_rpy((1, 2, 3), (0.1, 0.2, 0.3))
    model = arm(JointSpec("j", "revolute", "a", "b", origin, axis=np.multiply(axis, 7.0)))
    q, u = 0.7, np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    turn = np.eye(4)
    turn[:3, :3] = np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K
    np.testing.assert_allclose(link_poses(model, [q])["b"], origin.matrix() @ turn, rtol=0, atol=1e-15 * 8)


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_type_by_name(kind):
    origin = Placement.from_rpy((1, 2, 3), (0.1, 0.2, 0.3))
    more = {"axis": (0, 1, 0)} if JOINTS[kind].axial else {}
    more |= {"pitch": 0.1} if kind == "helical" else {}
    model = arm(JointSpec("j", kind, "a", "b", origin, **more))
    assert isinstance(model.bodies[1].joint, JOINTS[kind])
    np.testing.assert_allclose(link_poses(model, neutral(model))["b"], origin.matrix(), rtol=0, atol=1e-15)
    q = random_q(model, np.random.default_rng(0))
    assert np.linalg.eigvalsh(mass_matrix(model, q))[0] > 0


def test_universal_axes():
    model = arm(JointSpec("j", "universal", "a", "b", axis=(0, 0, 2), axis2=(3, 0, 0)))
    pose = link_poses(model, [0.5, 0.0])["b"]
    np.testing.assert_allclose(pose[:3, :3] @ [1, 0, 0], [np.cos(0.5), np.sin(0.5), 0], rtol=0, atol=1e-15)
    pose = link_poses(model, [0.0, 0.5])["b"]
    np.testing.assert_allclose(pose[:3, :3] @ [0, 1, 0], [0, np.cos(0.5), np.sin(0.5)], rtol=0, atol=1e-15)
    with pytest.raises(ModelError, match="perpendicular"):
        arm(JointSpec("j", "universal", "a", "b", axis=(0, 0, 1), axis2=(0, 1, 1)))


def test_order_is_the_files_and_welds_do_not_disturb_it():
    """joint 0 hangs behind a weld that comes last in the file."""
    joints = [
        JointSpec("j0", "revolute", "mount", "e"),
        JointSpec("j1", "revolute", "root", "a"),
        JointSpec("j2", "revolute", "c", "d"),
        JointSpec("j3", "revolute", "a", "c"),
        JointSpec("weld", "fixed", "root", "mount"),
    ]
    model = arm(*joints)
    assert [b.name for b in model.bodies[1:]] == ["j0", "j1", "j3", "j2"]
    assert all(b.parent < i for i, b in enumerate(model.bodies) if i)
    assert model.links[0].name == "root"


def test_welds_merge_masses_and_keep_frames():
    shift = Placement.from_rpy((0.5, 0, 0), (0, 0, np.pi / 2))
    model = arm(
        JointSpec("j", "revolute", "a", "b"),
        JointSpec("w", "fixed", "b", "c", shift),
        JointSpec("v", "fixed", "c", "d", shift),
    )
    assert model.nv == 1
    assert model.bodies[1].inertia.m == 3.0
    assert model.bodies[0].inertia.m == 1.0
    assert [k.body for k in model.links] == [0, 1, 1, 1]
    np.testing.assert_allclose(link_poses(model, [0.0])["d"], (shift @ shift).matrix(), rtol=0, atol=1e-16)
    assert model.links[3].joint == "v"
    assert model.links[3].parent == 2


def test_locked():
    joints = [
        JointSpec("j1", "revolute", "a", "b", axis=(0, 1, 0)),
        JointSpec("j2", "prismatic", "b", "c", axis=(1, 0, 0)),
    ]
    free, held = arm(*joints), arm(*joints, locked={"j1": 0.4})
    assert held.nv == 1
    np.testing.assert_allclose(link_poses(held, [0.3])["c"], link_poses(free, [0.4, 0.3])["c"], rtol=0, atol=1e-16)
    np.testing.assert_allclose(mass_matrix(held, [0.3]), mass_matrix(free, [0.4, 0.3])[1:, 1:])
    assert arm(*joints, locked={"j1": 0.4, "j2": [0.3]}).nv == 0
    with pytest.raises(InputError, match=r"'j3'.*did you mean"):
        arm(*joints, locked={"j3": 0})
    for bad in ("x", float("nan"), (1, 2)):
        with pytest.raises(InputError, match="j1"):
            arm(*joints, locked={"j1": bad})
    ball = arm(JointSpec("j", "spherical", "a", "b"), locked={"j": (0, 0, 1, 1)})
    np.testing.assert_allclose(link_poses(ball, [])["b"][:3, :3] @ [1, 0, 0], [0, 1, 0], rtol=0, atol=1e-15)
    with pytest.raises(InputError, match="quaternion"):
        arm(JointSpec("j", "spherical", "a", "b"), locked={"j": (0, 0, 0, 0)})


def test_mimic():
    joints = [
        JointSpec("j1", "revolute", "a", "b", mimic=MimicSpec("j2", 2.0, 0.5)),
        JointSpec("j2", "revolute", "a", "c", mimic=MimicSpec("j3", -1.0, 0.25)),
        JointSpec("j3", "revolute", "a", "d"),
    ]
    model = arm(*joints)
    assert model.nv == 1
    assert model.bodies[1].mimic.body == model.bodies[2].mimic.body == 3
    assert (model.bodies[1].mimic.ratio, model.bodies[1].mimic.offset) == (-2.0, 1.0)
    held = arm(*joints, locked={"j3": 0.5})
    assert held.nv == 0
    free = arm(*joints, mimic=False)
    assert free.nv == 3
    for name in "bcd":
        np.testing.assert_allclose(link_poses(held, [])[name], link_poses(model, [0.5])[name], rtol=0, atol=1e-15)
        np.testing.assert_allclose(
            link_poses(free, [0.0, -0.25, 0.5])[name], link_poses(model, [0.5])[name], rtol=0, atol=1e-15
        )
    partly = arm(*joints, locked={"j2": 0.0})
    assert partly.nv == 1
    with pytest.raises(ModelError, match="mimics itself through j1 -> j2 -> j1"):
        arm(
            JointSpec("j1", "revolute", "a", "b", mimic=MimicSpec("j2")),
            JointSpec("j2", "revolute", "a", "c", mimic=MimicSpec("j1")),
        )
    with pytest.raises(ModelError, match="one coordinate"):
        arm(JointSpec("j1", "revolute", "a", "b", mimic=MimicSpec("j2")), JointSpec("j2", "spherical", "a", "c"))
    with pytest.raises(ModelError, match="which is fixed"):
        arm(JointSpec("j1", "revolute", "a", "b", mimic=MimicSpec("j2")), JointSpec("j2", "fixed", "a", "c"))


@pytest.mark.parametrize("mode", ["warn", "repair"])
def test_mimics_of_nothing_move_by_themselves_where_that_is_accepted(mode):
    joints = [
        JointSpec("j1", "revolute", "a", "b", mimic=MimicSpec("j9")),
        JointSpec("j2", "revolute", "a", "c", mimic=MimicSpec("j1", 2.0)),
    ]
    with pytest.warns(OrdernWarning, match="j9.*which does not exist.*moves by itself"):
        model = arm(*joints, on_invalid=mode)
    assert model.nv == 1 and model.bodies[2].mimic.body == 1  # the other one follows it


def test_massless_follower_is_no_tip():
    links = [LinkSpec("a"), link("b"), LinkSpec("c")]
    joints = [JointSpec("j1", "revolute", "a", "b"), JointSpec("j2", "revolute", "a", "c", mimic=MimicSpec("j1"))]
    assert build("x", links, joints).nv == 1
    with pytest.raises(ModelError, match="'j2' moves no inertia"):
        build("x", links, joints, mimic=False)


def test_floating_base():
    model = arm(JointSpec("j", "revolute", "a", "b"), base="floating")
    assert model.bodies[1].name == "root_joint"
    assert (model.nq, model.nv) == (8, 7)
    assert model.links[0].name == "a"
    assert model.links[0].parent == -1
    clash = arm(JointSpec("root_joint", "revolute", "a", "b"), base="floating")
    assert [b.name for b in clash.bodies[1:]] == ["root_joint_", "root_joint"]
    with pytest.raises(InputError, match="base is 'free'"):
        arm(JointSpec("j", "revolute", "a", "b"), base="free")


def test_the_root_floats_whatever_it_is_called():
    links = [LinkSpec("world"), link("a"), link("b")]
    shift = Placement(origin=(0.0, 0.0, 1.0))
    joints = [JointSpec("mount", "fixed", "world", "a", shift), JointSpec("j", "revolute", "a", "b")]
    model = build("x", links, joints, base="floating")
    assert [b.name for b in model.bodies[1:]] == ["root_joint", "j"]
    assert model.links[0].body == model.links[1].body == 1
    np.testing.assert_array_equal(link_poses(model, neutral(model))["a"][:3, 3], (0, 0, 1))
    given = build(
        "x", links, [JointSpec("own", "floating", "world", "a"), joints[1]], base="floating"
    )  # it brings its own
    assert [b.name for b in given.bodies[1:]] == ["own", "j"]


def test_several_trees():
    model = arm(
        JointSpec("j1", "revolute", "world", "a"),
        JointSpec("j2", "floating", "world", "b"),
        JointSpec("j3", "prismatic", "b", "c"),
    )
    assert [b.parent for b in model.bodies] == [0, 0, 0, 2]
    again = load_urdf(to_urdf(model))
    q = random_q(model, np.random.default_rng(0))
    np.testing.assert_allclose(mass_matrix(again, q), mass_matrix(model, q), rtol=0, atol=1e-14)
    with pytest.raises(ModelError, match="two roots"):
        build("x", [link("a"), link("b")], [])


def test_limits_and_properties_per_velocity():
    model = arm(
        JointSpec(
            "j", "cylindrical", "a", "b", lower=(-1, -2), upper=3.0, armature=(0.1, 0.0), damping=0.0, effort=(1, 2)
        )
    )
    body = model.bodies[1]
    assert isinstance(body.joint, Cylindrical)
    assert (body.lower, body.upper, body.armature, body.damping, body.effort) == (
        (-1.0, -2.0),
        (3.0, 3.0),
        (0.1, 0.0),
        (),
        (1.0, 2.0),
    )
    assert arm(JointSpec("j", "continuous", "a", "b", lower=-1, upper=1)).bodies[1].continuous
    assert arm(JointSpec("j", "revolute", "a", "b", offset=0.3)).bodies[1].joint == Revolute(0.3)
    with pytest.raises(ModelError, match="3 values"):
        arm(JointSpec("j", "cylindrical", "a", "b", lower=(1, 2, 3)))


BAD = [
    ({"mass": float("nan")}, "mass is nan"),
    ({"mass": "1"}, "mass is '1'"),
    ({"com": (1, 2)}, "mass centre"),
    ({"inertia": (1, 2, 3)}, "inertia"),
    ({"mass": 1e31}, r"1e\+30|1e30"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "message"), BAD)
def test_bad_links(more, message):
    with pytest.raises(ModelError, match=message) as caught:
        build("x", [link("a", **more)], [])
    assert "'a'" in str(caught.value)


def test_bad_calls():
    with pytest.raises(InputError, match="on_invalid is 'ignore'"):
        arm(JointSpec("j", "revolute", "a", "b"), on_invalid="ignore")
    with pytest.raises(ModelError, match="gravity"):
        arm(JointSpec("j", "revolute", "a", "b"), gravity=(0, 0))
    with pytest.raises(ModelError, match="no direction"):
        arm(JointSpec("j", "revolute", "a", "b", axis=(0, 0, 1e-12)))


def test_tips_that_move_nothing():
    rod = LinkSpec("b", 1.0, (0, 0, 1), (0.1, 0.1, 0, 0, 0, 0))
    with pytest.raises(ModelError, match="moves no inertia"):
        build("x", [LinkSpec("a"), rod], [JointSpec("j", "revolute", "a", "b")])
    assert build("x", [LinkSpec("a"), rod], [JointSpec("j", "revolute", "a", "b", armature=0.1)]).nv == 1
    assert build("x", [LinkSpec("a"), rod], [JointSpec("j", "prismatic", "a", "b")]).nv == 1
    point = LinkSpec("b", 1.0)
    with pytest.raises(ModelError, match="moves no inertia"):
        build("x", [LinkSpec("a"), point], [JointSpec("j", "floating", "a", "b")])
    with pytest.warns(OrdernWarning, match="given a mass"):
        mended = build("x", [LinkSpec("a"), LinkSpec("b")], [JointSpec("j", "floating", "a", "b")], on_invalid="repair")
    assert np.linalg.eigvalsh(mass_matrix(mended, neutral(mended)))[0] > 0


def test_repaired_inertia_is_possible():
    bad = link("b", inertia=(1.0, 0.1, 0.1, 0.3, 0.0, 0.0))
    with pytest.warns(OrdernWarning):
        model = build("x", [LinkSpec("a"), bad], [JointSpec("j", "revolute", "a", "b")], on_invalid="repair")
    xx, yy, zz, xy, xz, yz = model.links[1].inertia
    w = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    assert w[0] >= -1e-15
    assert w[2] <= w[0] + w[1] + 1e-12


def long_urdf(n, branch=1):
    inertial = '<inertial><origin xyz="0 0 0.5"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    links = "".join(f'<link name="l{i}">{inertial}</link>' for i in range(n + 1))
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><parent link="l{i // branch}"/>'
        f'<child link="l{i + 1}"/><axis xyz="0 1 0"/>{limit}</joint>'
        for i in range(n)
    )
    return f'<robot name="long">{links}{joints}</robot>'


def test_ten_thousand_links():
    model = load_urdf(long_urdf(10_000))
    assert model.nv == 10_000


def test_long_chains_and_wide_trees_do_not_recurse():
    assert load_urdf(long_urdf(4000)).nv == 4000  # Python stops at a thousand
    assert load_urdf(long_urdf(3000, branch=3000)).bodies[2500].parent == 0


def test_at_matches_the_joints():
    np.testing.assert_allclose(at(Revolute(0.2), [0.3]).rotation[:2], (np.cos(0.5), -np.sin(0.5)))


def test_load_dispatch(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(long_urdf(2))
    assert load(path).nv == load(str(path)).nv == load(long_urdf(2)).nv == 2
    assert load(path, gravity=(0, 0, 0)).gravity == (0.0, 0.0, 0.0)
    assert load(path, base="floating").nv == 8
    assert load("planar3").nv == 3
    assert load("planar3", locked={"joint2": 0.5}).nv == 2
    assert load("panda", mimic=False).nv == 9
    assert load("planar3", gravity=(0, 0, 1)).gravity == (0.0, 0.0, 1.0)
    odd = tmp_path / "arm.txt"
    odd.write_text(long_urdf(2))
    assert load(odd).nv == 2


def test_load_refusals(tmp_path):
    (tmp_path / "robot.urdf").write_text("x")
    (tmp_path / "empty.urdf").write_text("")
    (tmp_path / "binary.urdf").write_bytes(bytes(range(256)))
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "notes.txt").write_text("hello")
    for name, message in (
        ("robbot.urdf", r"no such file.*'robot.urdf'"),
        ("nowhere/robot.urdf", "no folder"),
        ("", "folder.*such as"),
        ("robot.urdf", "not XML"),
        ("empty.urdf", "empty"),
        ("binary.urdf", "not XML"),
        ("binary.toml", "not TOML"),
        ("notes.txt", "neither a .urdf nor a .toml"),
    ):
        with pytest.raises(ModelError, match=message):
            load(tmp_path / name)
    with pytest.raises(ModelError, match="did you mean 'panda'"):
        load("pandda")
    with pytest.raises(ModelError, match="cannot be read"):
        load("a\0b.urdf")
    for bad in (3, None, b"x", ["panda"]):
        with pytest.raises(InputError):
            load(bad)
    with pytest.raises(InputError, match="gravity"):
        load("panda", gravity=9.81)


def test_a_planar_joint_moves_normal_to_its_axis():
    """URDF's meaning of the axis, which some programs ignore."""
    for axis in AXES:
        model = arm(JointSpec("j", "planar", "a", "b", axis=axis))
        u = np.array(axis) / np.linalg.norm(axis)
        pose = link_poses(model, [0.3, 0.4, 0.5])["b"]
        assert abs(pose[:3, 3] @ u) < 1e-15
        assert abs(np.linalg.norm(pose[:3, 3]) - 0.5) < 1e-15
        np.testing.assert_allclose(pose[:3, :3] @ u, u, rtol=0, atol=1e-15)


def test_sums_are_those_of_every_python():
    """From Python 3.12 on ``sum`` compensates; a file must give the same numbers with each."""
    assert added([1e16, 1.0, -1e16]) == 0.0


ODD = (None, 3, float("nan"), "x", b"x", [], {}, {"a": 1}, {1}, (1, 2), ["x"], np.eye(3), np.zeros(()), object(), print)


@pytest.mark.parametrize("kind", [LinkSpec, JointSpec, LoopSpec, MimicSpec, build])
def test_whatever_stands_in_a_description_only_errors_of_ours_come_out(kind):
    """Every field of every part of a description, and every argument of build, with every kind of thing."""
    mimic, tie = MimicSpec("j", 0.5), {"xyz1": (0.1, 0.2, 0.3), "xyz2": (0.1, 0.2, 0.3)}
    whole = {
        "name": "x",
        "links": [LinkSpec("a"), link("b"), link("c")],
        "joints": [JointSpec("j", "revolute", "a", "b"), JointSpec("k", "helical", "b", "c", pitch=0.1, mimic=mimic)],
        "loops": [LoopSpec("m", "point", "a", "b", **tie), LoopSpec("l", "gear", joints={"j": 1.0}, offset=0.0)],
        "home": {"j": 0.0},
    }
    part = {LinkSpec: "links", JointSpec: "joints", MimicSpec: "joints", LoopSpec: "loops"}.get(kind)
    accepted = 0
    names = [name for name in inspect.signature(kind).parameters if name not in ("where", "source", "mimic", "world")]
    for name, value in product(names, ODD):
        last = whole[part or "links"][-1]
        if kind is build:
            cases = [whole | {name: value}]
        elif kind is MimicSpec:
            cases = [whole | {part: [whole[part][0], replace(last, mimic=replace(mimic, **{name: value}))]}]
        else:
            first, more = whole[part][0], whole[part][1:]
            cases = [whole | {part: [*whole[part][:-1], replace(last, **{name: value})]}]
            cases += [whole | {part: [replace(first, **{name: value}), *more]}]
        for given in cases:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    build(**given)
                except OrdernError as error:
                    assert len(str(error).splitlines()) == 1, (name, value, error)
                else:
                    accepted += 1
    assert accepted


@pytest.mark.parametrize("more", range(6))
def test_only_inertia_about_its_axis_makes_a_massless_link_a_rotor(more):
    """It acts as armature; any other inertia would need mass."""
    links = [link("base"), LinkSpec("rotor", inertia=tuple(0.02 * (k == 2) + 1e-9 * (k == more) for k in range(6)))]
    joints = [JointSpec("j", "revolute", "base", "rotor", axis=(0.0, 0.0, 1.0))]
    if more == 2:
        assert abs(mass_matrix(build("r", links, joints), [0.3])[0, 0] - 0.02) < 2e-9
    else:
        with pytest.raises(ModelError, match="'rotor'"):
            build("r", links, joints)


@pytest.mark.parametrize("turn", [0.3, 1.0, -2.1])
def test_rounding_beside_the_axis_leaves_a_rotor_a_rotor(turn):
    """Its frame is turned, and the other five numbers are roundings of the one that counts."""
    c, s = np.cos(turn), np.sin(turn)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    I = R.T @ np.diag([0, 0, 0.02]) @ R
    inertia = tuple(float(I[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    joint = JointSpec(
        "j", "revolute", "base", "rotor", axis=(0.0, float(s), float(c))
    )  # z of the frame in which I is diagonal
    robot = build("r", [link("base"), LinkSpec("rotor", inertia=inertia)], [joint])
    assert abs(mass_matrix(robot, [0.3])[0, 0] - 0.02) < 4 * np.finfo(float).eps * 0.02  # a few products
