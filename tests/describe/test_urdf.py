"""URDF in and out: shapes, colours, odd names, encodings, what URDF cannot say."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ordern.describe import builtin as robots
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.lint import lint
from ordern.describe.urdf.urdf_read import load_urdf, to_urdf
from ordern.describe.urdf.urdf_write import rpy
from ordern.errors import ModelError, OrdernWarning
from ordern.joints import Revolute
from ordern.model import Geometry, Placement

from .mechanics import link_poses, mass_matrix, random_q

SHAPES = """<robot name="shapes">
  <link name="a">
    <visual><geometry><box size="1 2 3"/></geometry><material name="late"/></visual>
    <visual><origin xyz="1 0 0" rpy="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry>
      <material name="own"><color rgba="0 1 0 1"/></material></visual>
    <visual><geometry><sphere radius="0.5"/></geometry><material name="own"/></visual>
    <visual><geometry><capsule radius="0.1" length="0.3"/></geometry><material name="unknown"/></visual>
    <visual><geometry><mesh filename="package://x/y.stl" scale="1 1 2"/></geometry></visual>
    <visual><geometry/></visual>
    <collision><geometry><mesh filename="y.stl"/></geometry></collision>
  </link>
  <material name="late"><color rgba="1 0 0 0.5"/></material>
  <gazebo><anything/></gazebo>
  <transmission name="t"><mechanicalReduction>x</mechanicalReduction></transmission>
</robot>"""


def test_shapes_and_colours():
    link = load_urdf(SHAPES).links[0]
    assert link.visuals == (
        Geometry("box", (1.0, 2.0, 3.0), color=(1.0, 0.0, 0.0, 0.5)),
        Geometry(
            "cylinder", (0.1, 2.0), placement=Placement.from_rpy((1, 0, 0), (0, 0, 1)), color=(0.0, 1.0, 0.0, 1.0)
        ),
        Geometry("sphere", (0.5,), color=(0.0, 1.0, 0.0, 1.0)),
        Geometry("capsule", (0.1, 0.3)),
        Geometry("mesh", (1.0, 1.0, 2.0), "package://x/y.stl"),
    )
    assert link.collisions == (Geometry("mesh", (1.0, 1.0, 1.0), "y.stl"),)
    again = load_urdf(to_urdf(load_urdf(SHAPES))).links[0]
    ends = [Geometry("sphere", (0.1,), placement=Placement(origin=(0.0, 0.0, z))) for z in (-0.15, 0.15)]
    capsule = (Geometry("cylinder", (0.1, 0.3)), *ends)  # few readers of URDF know capsules
    assert again == replace(link, visuals=(*link.visuals[:3], *capsule, link.visuals[4]))


@pytest.mark.parametrize("name", ["planar3", "stanford", "puma560_motors", "chain20", "panda", "ur5", "pendulum"])
def test_built_ins_through_urdf(name):
    """DH frames are off the axes and offsets are inside the joints; URDF says the same with more links."""
    model = robots.lookup(name)
    again = load_urdf(to_urdf(model), gravity=model.gravity)
    assert [b.name for b in again.bodies] == [b.name for b in model.bodies]
    q = random_q(model, np.random.default_rng(0))
    poses = link_poses(again, q)
    for link, pose in link_poses(model, q).items():
        np.testing.assert_allclose(poses[link], pose, rtol=0, atol=1e-13)
    M = mass_matrix(model, q)
    np.testing.assert_allclose(mass_matrix(again, q), M, rtol=0, atol=1e-13 * np.max(M))


def test_odd_names_are_escaped():
    odd = ["<a>", 'b"c&d', "e'f", "g\nh\ti", "\u00e9\u4e2d\U0001f600", " lead"]
    links = [LinkSpec(name, 1.0, (0, 0, 1), (1, 1, 1, 0, 0, 0)) for name in odd]
    joints = [JointSpec(f"j{a}", "revolute", a, b, axis=(1, 0, 0)) for a, b in pairwise(odd)]
    model = build("<&>", links, joints)
    again = load_urdf(to_urdf(model))
    assert [k.name for k in again.links] == odd
    assert again.name == "<&>"
    with pytest.raises(ModelError, match="XML cannot hold"):
        to_urdf(build("x", [LinkSpec("a\x01")], []))


@pytest.mark.parametrize(
    ("kind", "written"),
    [("helical", "screw"), ("cylindrical", "cylindrical"), ("universal", "universal"), ("spherical", "ball")],
)
def test_joints_that_only_extensions_of_urdf_have(kind, written):
    solid = LinkSpec("b", 1.0, (1, 1, 1), (3, 3, 3, 0, 0, 0))
    more = {"pitch": 0.1} if kind == "helical" else {}
    text = to_urdf(build("x", [LinkSpec("a"), solid], [JointSpec("j", kind, "a", "b", **more)]))
    assert f'type="{written}"' in text
    assert (
        load_urdf(text).bodies[1].joint
        == build("x", [LinkSpec("a"), solid], [JointSpec("j", kind, "a", "b", **more)]).bodies[1].joint
    )


@pytest.mark.parametrize(
    "kind", ["universal", "spherical", "ball", "floating", "fixed", "planar", "cylindrical", "continuous"]
)
@pytest.mark.parametrize("axis", ["1 0 0", "2 0 0", "0 1 0", "-1 0 0", "1 0 1", "0 0 0"])
def test_an_axis_counts_or_is_refused(kind, axis):
    """Balls, welds and what floats have none; joints of two axes turn about x and y of their frame."""

    def load(inside):
        mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
        ends = "<parent link='a'/><child link='b'/>"
        return load_urdf(
            f"<robot name='r'><link name='a'/><link name='b'>{mass}</link><joint name='j' type='{kind}'>{ends}{inside}</joint></robot>"
        )

    given = f"<axis xyz='{axis}'/>"
    if (kind == "universal" and axis not in ("1 0 0", "2 0 0", "0 0 0")) or (
        kind in ("planar", "cylindrical", "continuous") and axis == "0 0 0"
    ):
        with pytest.raises(ModelError, match="the axis is"):
            load(given)
        return
    same = axis in ("1 0 0", "2 0 0") or kind in ("universal", "spherical", "ball", "floating", "fixed")
    assert (load(given).bodies == load("").bodies) == same


def test_joints_of_other_people():
    model = robots.ur5()

    class Odd(Revolute):
        name = "odd"

    odd = model.with_bodies([model.bodies[0], replace(model.bodies[1], joint=Odd()), *model.bodies[2:]])
    with pytest.raises(ModelError, match=r"is odd; URDF has no such joint, save the robot as \.toml"):
        to_urdf(odd)


def test_floating_bases_survive():
    model = load_urdf(to_urdf(robots.ur5()), base="floating")
    again = load_urdf(to_urdf(model))
    assert again.nv == model.nv == 12
    assert again.links[0].name == "world"


def test_encodings(tmp_path):
    text = '<robot name="\u00e9"><link name="a"/></robot>'
    path = tmp_path / "x.urdf"
    for data in (
        text.encode(),
        ("\ufeff" + text).encode(),
        ('<?xml version="1.0" encoding="latin-1"?>' + text).encode("latin-1"),
        ('<?xml version="1.0" encoding="utf-16"?>' + text).encode("utf-16"),
    ):
        path.write_bytes(data)
        assert load_urdf(path).name == "\u00e9"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match="not XML"):
        load_urdf(path)
    path.write_bytes(b'<?xml version="1.0" encoding="nonsense"?><robot name="x"/>')
    with pytest.raises(ModelError, match="not XML"):
        load_urdf(path)


def test_roll_pitch_yaw_of_any_rotation():
    rng = np.random.default_rng(0)
    angles = [rng.uniform(-3, 3, 3) for _ in range(50)]
    angles += [
        (a, s * np.pi / 2 + e, b) for s in (-1, 1) for e in (0, 1e-9, 1e-5) for a in (0, 1) for b in (0, -2)
    ]  # up and down
    for given in angles:
        R = Placement.from_rpy((0, 0, 0), given).rotation
        np.testing.assert_allclose(Placement.from_rpy((0, 0, 0), rpy(R)).rotation, R, rtol=0, atol=4e-16)


def test_inertial_frame_is_honoured():
    text = (
        '<robot name="x"><link name="a"/><link name="b"><inertial><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>'
    )
    link = load_urdf(text).links[1]
    assert link.com == (1.0, 0.0, 0.0)
    np.testing.assert_allclose(link.inertia, (0.2, 0.1, 0.25, 0, 0, 0), rtol=0, atol=1e-16)
    np.testing.assert_allclose(mass_matrix(load_urdf(text), [0.0]), [[0.1 + 2.0]])


def test_limits_of_urdf():
    joint = '<joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>'
    link = '<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'

    def body(kind, limit):
        return load_urdf(f'<robot name="x"><link name="a"/>{link}{joint.format(kind, limit)}</robot>').bodies[1]

    assert body("revolute", '<limit upper="2" effort="1" velocity="1"/>').lower == (0.0,)
    assert body("revolute", '<limit effort="1" velocity="3"/>').lower == ()
    assert body("revolute", "").upper == ()
    assert body("continuous", '<limit lower="1" upper="2" effort="1" velocity="3"/>').velocity == (3.0,)
    assert body("continuous", '<limit lower="1" upper="2" effort="1" velocity="3"/>').lower == ()
    assert body("continuous", '<dynamics damping="0.1" friction="0.2"/>').damping == (0.1,)


# --- what files in the field have beyond the first page of URDF ------------------------------------------------------------------
ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>MORE
<limit lower="-1" upper="1" effort="2" velocity="3"/></joint>REST</robot>"""


def arm(more="", rest="", **options):
    return load_urdf(ARM.replace("MORE", more).replace("REST", rest), **options)


@pytest.mark.parametrize(
    ("inner", "armature"),
    [
        ("<mechanicalReduction>50</mechanicalReduction><motorInertia>2e-5</motorInertia>", 2e-5 * 2500),
        ('<mechanicalReduction> -50 </mechanicalReduction><rotor_inertia value="2e-5"/>', 2e-5 * 2500),
        ('<drake:gear_ratio value="100"/><drake:rotor_inertia value="1e-6"/>', 1e-2),
        ("<motorInertia>0.25</motorInertia>", 0.25),
        ("<mechanicalReduction>50</mechanicalReduction>", None),
        ("<mechanicalReduction>reduction</mechanicalReduction>", None),  # nothing is computed from it
    ],
)
def test_rotors_of_transmissions_are_armature(inner, armature):
    for place in ("actuator", "joint"):
        joint = f'<joint name="j">{inner if place == "joint" else ""}</joint>'
        motor = f'<actuator name="m">{inner if place == "actuator" else ""}</actuator>'
        model = arm(rest=f'<transmission name="t"><type>simple</type>{joint}{motor}</transmission>')
        np.testing.assert_allclose(model.bodies[1].armature, () if armature is None else (armature,), rtol=1e-15)
    own = arm(
        '<dynamics armature="7"/>',
        f'<transmission name="t"><joint name="j"/><actuator name="m">{inner}</actuator></transmission>',
    )
    assert own.bodies[1].armature == (7.0,)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        (
            '<transmission name="t"><joint name="k"/><actuator name="m"><motorInertia>1</motorInertia></actuator></transmission>',
            "'k'.*does not exist",
        ),
        ('<transmission name="t"><joint/></transmission>', "no name"),
        (
            '<transmission name="t"><joint name="j"/><actuator><motorInertia>x</motorInertia></actuator></transmission>',
            "'x' is not a plain",
        ),
        (
            '<transmission name="t"><joint name="j"/><actuator><motorInertia>-1</motorInertia></actuator></transmission>',
            "negative",
        ),
    ],
)
def test_bad_transmissions(rest, said):
    with pytest.raises(ModelError, match=said):
        arm(rest=rest)


def test_safety_controllers():
    assert (
        arm('<safety_controller soft_lower_limit="-0.9" soft_upper_limit="0.9" k_position="1" k_velocity="2"/>').suspect
        == ()
    )
    odd = arm('<safety_controller soft_lower_limit="-2" soft_upper_limit="0.9" k_velocity="2"/>')
    assert any("soft limits" in str(r) for r in lint(odd))
    with pytest.raises(ModelError, match="soft_lower_limit"):
        arm('<safety_controller soft_lower_limit="x" k_velocity="2"/>')


def test_links_without_inertia_and_robots_without_name(tmp_path):
    text = ARM.replace("MORE", "").replace("REST", "")
    bare = text.replace('<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>', "").replace(
        "<inertial>", '<inertial><origin xyz="0.3 0 0"/>'
    )
    with pytest.warns(OrdernWarning, match="point of 1 kg"):
        model = load_urdf(bare)
    assert (model.links[1].mass, model.links[1].com, model.links[1].inertia) == (1.0, (0.3, 0.0, 0.0), (0.0,) * 6)
    path = tmp_path / "my_arm.v2.urdf"
    path.write_text(text.replace(' name="arm"', ""))
    with pytest.warns(OrdernWarning, match="called 'my_arm'"):
        assert load_urdf(path).name == "my_arm"
    with pytest.warns(OrdernWarning, match="no name"):
        assert load_urdf(text.replace(' name="arm"', ' name=" "')).name == "robot"


@pytest.mark.parametrize(
    ("tag", "kind", "inner", "joint"),
    [
        ("joint", "spherical", "", "spherical"),
        ("joint", "ball", '<axis xyz="0 0 0"/>', "spherical"),
        ("drake:joint", "ball", "", "spherical"),
        ("drake:joint", "universal", "", "universal"),
        ("drake:joint", "screw", '<axis xyz="0 0 1"/><drake:screw_thread_pitch value="0.1"/>', "helical"),
        ("drake:joint", "planar", '<axis xyz="0 0 1"/>', "planar"),
    ],
)
def test_joints_beyond_urdf(tag, kind, inner, joint):
    head = '<joint name="j" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>MORE'
    text = ARM.replace(
        head, f'<{tag} name="j" type="{kind}"><parent link="base"/><child link="upper"/>{inner}'
    ).replace("</joint>", f"</{tag}>")
    model = load_urdf(text.replace("REST", ""))
    assert model.bodies[1].joint.name == joint
    if joint == "helical":
        np.testing.assert_allclose(model.bodies[1].joint.pitch, 0.1 / (2 * np.pi), rtol=1e-15)


@pytest.mark.parametrize("tag", ["joint", "drake:joint"])
@pytest.mark.parametrize(
    "kind", ["revolute", "prismatic", "screw", "ball", "universal", "cylindrical", "planar", "floating", "fixed"]
)
def test_a_limit_is_kept_or_told_about(tag, kind):
    """Of joints with one way to move it is theirs; those of several ways have no use for it, which lint says."""
    solid = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    pitch = "<screw_thread_pitch value='0.1'/>" if kind == "screw" else ""
    inner = f"<parent link='a'/><child link='b'/><limit lower='-1' upper='2' effort='3' velocity='4'/>{pitch}"
    text = f"<robot name='r'><link name='a'/><link name='b'>{solid}</link><{tag} name='j' type='{kind}'>{inner}</{tag}></robot>"
    model = load_urdf(text)
    told = [what for _, what, _ in model.suspect if "<limit>" in what]
    if kind in ("revolute", "prismatic", "screw"):
        body = model.bodies[1]
        assert (body.lower, body.upper, body.effort, body.velocity, told) == ((-1,), (2,), (3,), (4,), [])
    else:
        assert len(told) == (kind != "fixed")
    if pitch:
        with pytest.raises(ModelError, match=r"'j'.*pitch"):
            load_urdf(text.replace(pitch, ""))


@pytest.mark.parametrize(
    ("text", "said"),
    [("<mujoco/>", "MJCF"), ("<sdf/>", "SDF"), ("<COLLADA/>", "Collada"), ("<html></html>", "web page")],
)
def test_other_files_are_named(text, said):
    with pytest.raises(ModelError, match=said):
        load_urdf(text)


@pytest.mark.parametrize("axis", ['<axis xzy="0 0 0"/>', "<axis/>", '<axis xyz="0 0 0"/>'])
def test_the_axis_of_a_weld_means_nothing(axis):
    text = "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='{}'><parent link='a'/><child link='b'/>{}</joint></robot>"
    assert load_urdf(text.format("fixed", axis)).nv == 0
    with pytest.raises(ModelError, match="axis"):
        load_urdf(text.format("continuous", axis))


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("<cable/>", "<cable> in line 1"),
        ("<link name='b'><spring/></link><joint name='w' type='fixed'><parent link='a'/><child link='b'/></joint>", "<spring> in line 1"),
        ("<joint name='w' type='fixed'><parent link='a'/><child link='b'/><anchor/></joint><link name='b'/>", "<anchor> in line 1"),
        ("<inertial/>", "<inertial> in line 1"),
        ("<mujoco/><gazebo/><drake:x/>", ""),
    ],
)  # fmt: skip
def test_elements_that_urdf_does_not_have_are_noticed(inside, told):
    model = load_urdf(f"<robot name='r'><link name='a'/>{inside}</robot>")
    assert [text for _, text, _ in model.suspect] == (
        [f"{told} is no element of URDF there and is left out"] if told else []
    )


@pytest.mark.parametrize("tag", ["jiont", "links", "transmision"])
def test_misspelled_parts_of_the_robot_are_refused(tag):
    with pytest.raises(ModelError, match=f"<{tag}.*unknown element; did you mean"):
        load_urdf(f"<robot name='r'><link name='a'/><{tag} name='b'/></robot>")
