"""SDF 1.4 to 1.12: each feature against the URDF or model that means the same, and written robots read back."""

import math
import warnings
from itertools import product

import mujoco
import numpy as np
import pytest

import robots
from needs import EXAMPLES
from ordern.check.convert import convert
from ordern.describe.builtin import lookup
from ordern.describe.load import load
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.describe.sdf.sdf_write import to_sdf
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import ModelError, OrdernWarning
from ordern.model import Placement
from ordern.robot import Robot

from .sdf_texts import ARM, AXIS, ENDS, MASS, PAIR, POSE, link, same, sdf, urdf

TURNED = Robot(load_urdf(urdf())).model.links[1]
PLACES = {
    "link in the model": sdf(f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"),
    "link on a frame": sdf(
        f"<frame name='f'>{POSE}</frame>{link('a')}{link('b', '<pose relative_to=' + repr('f') + '/>')}"
        f"<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    ),
    "link on the joint": sdf(
        f"{link('a')}{link('b', '<pose relative_to=' + repr('j') + '/>')}"
        f"<joint name='j' type='revolute'><pose relative_to='a'>.1 .2 .3 .4 .5 .6</pose>{ENDS}{AXIS}</joint>"
    ),
    "frames on frames": sdf(
        f"<frame name='g' attached_to='f'><pose>0 0 0 .4 .5 .6</pose></frame><frame name='f'><pose>.1 .2 .3 0 0 0</pose></frame>"
        f"{link('a')}{link('b', '<pose relative_to=' + repr('g') + '/>')}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    ),
    "quaternion": sdf(
        f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0 2</pose>{ENDS}{AXIS}</joint>"
    ),
    "degrees": sdf(
        link("a") + link("b", f"<pose degrees='true'>.1 .2 .3 {' '.join(repr(math.degrees(x)) for x in (0.4, 0.5, 0.6))}</pose>")
        + f"<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    ),
    "version 1.6": sdf(f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>", "1.6"),
    "a frame as an end": sdf(
        f"<frame name='f' attached_to='a'/>{link('a')}{link('b', POSE)}"
        f"<joint name='j' type='revolute'><parent>f</parent><child>b</child>{AXIS}</joint>"
    ),
    "a nested model": sdf(
        f"{link('a')}<model name='n'>{POSE}{link('b')}</model><joint name='j' type='revolute'><parent>a</parent><child>n::b</child>{AXIS}</joint>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES.keys())
def test_places(text):
    same(text, urdf())


@pytest.mark.parametrize(
    ("version", "inside"), [("1.6", "<use_parent_model_frame>1</use_parent_model_frame>"), ("1.8", "")]
)
def test_axis_in_the_frame_that_the_version_means(version, inside):
    """In the model's frame: by a flag up to 1.6, by expressed_in since 1.7."""
    model = load_urdf(urdf())
    turn = np.reshape(model.links[1].placement.rotation, (3, 3))
    joint = load_urdf(urdf(axis="1 2 3"))
    frame = np.reshape(load_urdf("<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='fixed'><origin rpy='.4 .5 .6'/>"
                                 "<parent link='a'/><child link='b'/></joint></robot>").links[1].placement.rotation, (3, 3))  # fmt: skip
    axis = frame @ [1, 2, 3]
    said = "" if version == "1.6" else " expressed_in='__model__'"
    xyz = f"<xyz{said}>{' '.join(repr(float(x)) for x in axis)}</xyz>"
    text = sdf(
        f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}<axis>{xyz}{inside}</axis></joint>", version
    )
    same(text, joint)
    assert turn.shape == (3, 3)


def test_limits_friction_and_springs():
    text = sdf(
        f"{link('a')}{link('b', POSE)}<joint name='j' type='prismatic'>{ENDS}<axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>2</upper>"
        "<effort>9</effort><velocity>-1</velocity></limit><dynamics><damping>.1</damping><friction>.2</friction>"
        "<spring_stiffness>3</spring_stiffness><spring_reference>.4</spring_reference></dynamics></axis></joint>"
    )
    body = load_sdf(text).bodies[1]
    assert (body.lower, body.upper, body.effort, body.velocity) == ((-1.0,), (2.0,), (9.0,), ())
    assert (body.damping, body.friction, body.stiffness, body.springref) == ((0.1,), (0.2,), (3.0,), (0.4,))
    free = load_sdf(text.replace("<lower>-1</lower><upper>2</upper>", "<lower>-1e16</lower><upper>inf</upper>")).bodies[
        1
    ]
    assert (free.lower, free.upper) == ((), ())


def test_kinds_of_joints():
    two = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
    slanted = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>1 1 0</xyz></axis2>"
    made = {
        kind: load_sdf(sdf(f"{link('a')}{link('b', POSE)}<joint name='j' type='{kind}'>{ENDS}{inside}</joint>"))
        for kind, inside in (("ball", ""), ("universal", two), ("revolute2", slanted), ("continuous", AXIS), ("fixed", ""),
                             ("screw", AXIS + "<screw_thread_pitch>.5</screw_thread_pitch>"))
    }  # fmt: skip
    assert {kind: [b.joint.name for b in m.bodies[1:]] for kind, m in made.items()} == {
        "ball": ["spherical"], "universal": ["universal"], "revolute2": ["revolute", "revolute"], "continuous": ["revolute"], "fixed": [],
        "screw": ["helical"],
    }  # fmt: skip
    assert math.isclose(made["screw"].bodies[1].joint.pitch, 0.5 / (2 * math.pi))
    same(
        made["universal"],
        load_sdf(sdf(f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute2'>{ENDS}{two}</joint>")),
    )


def test_gearbox_and_closed_chain():
    arms = "".join(
        f"{link(n, f'<pose>{x} 0 0 0 0 0</pose>')}<joint name='j{n}' type='revolute'><parent>a</parent><child>{n}</child>"
        "<axis><xyz>0 1 0</xyz></axis></joint>" for n, x in (("b", 0), ("c", 1))
    )  # fmt: skip
    gear = "<joint name='g' type='gearbox'><parent>b</parent><child>c</child><gearbox_ratio>3</gearbox_ratio>" \
           "<gearbox_reference_body>a</gearbox_reference_body></joint>"  # fmt: skip
    model = load_sdf(sdf(link("a") + arms + gear))
    assert [(loop.kind, loop.terms) for loop in model.loops] == [("gear", ((1, 3.0), (2, 1.0)))]
    ring = f"{link('d', '<pose>1 0 1 0 0 0</pose>')}<joint name='jd' type='revolute'><parent>c</parent><child>d</child>" \
           "<axis><xyz>0 1 0</xyz></axis></joint><joint name='close' type='ball'><parent>b</parent><child>d</child></joint>"  # fmt: skip
    closed = Robot(load_sdf(sdf(link("a") + arms + ring)))
    assert closed.loops == ("close",) and np.abs(closed.constraint_residual(np.array(closed.model.home))).max() < 1e-12


def arm_on(parent, name, x, axis, kind="revolute", more=""):
    """A link that stands at x, and its joint on the parent; the joint's own frame is turned."""
    ends = f"<pose>0 0 0 .4 .5 {x}</pose><parent>{parent}</parent><child>{name}</child>"
    return (
        f"{link(name, f'<pose>{x} 0 0 .3 {x} .2</pose>')}<joint name='j{name}' type='{kind}'>{ends}"
        f"<axis><xyz expressed_in='__model__'>{axis}</xyz>{more}</axis></joint>"
    )


@pytest.mark.parametrize("ratio", [3.0, -0.5])
@pytest.mark.parametrize("signs", list(product((1, -1), repeat=4)), ids=str)
@pytest.mark.parametrize("upwards", [(), ("b",), ("c",)])
def test_a_gearbox_counts_angles_about_its_own_axes(signs, upwards, ratio):
    """Which need not point where those of the joints do, nor need the joints begin at the reference."""
    y = ["0 1 0" if sign > 0 else "0 -2 0" for sign in signs]
    chain = link("b", "<pose>1 0 0 .3 0 0</pose>") if "b" in upwards else ""
    arms = chain + (arm_on("b", "a", 0, y[0]) if chain else link("a") + arm_on("a", "b", 1, y[0]))
    if "c" in upwards:
        arms = link("c") + arm_on("c", "a", 0, y[1]) + arm_on("a", "b", 1, y[0])
    else:
        arms += arm_on("a", "c", 2, y[1])
    axes = "".join(
        f"<{tag}><xyz expressed_in='__model__'>{at}</xyz></{tag}>"
        for tag, at in zip(("axis", "axis2"), y[2:], strict=True)
    )
    gear = (
        f"<joint name='g' type='gearbox'><parent>b</parent><child>c</child>{axes}<gearbox_ratio>{ratio}</gearbox_ratio>"
        "<gearbox_reference_body>a</gearbox_reference_body></joint>"
    )
    robot = Robot(load_sdf(sdf(arms + gear)))
    terms, q = dict(robot.model.loops[0].terms), np.zeros(2)
    q[0] = 0.25
    q[1] = -terms[1] * q[0] / terms[2]

    def turned(name, sign):
        """By how much the link has turned from the reference about y, from where it stands at zero."""
        then, now = (
            np.linalg.inv(robot.forward_kinematics(x, link="a")) @ robot.forward_kinematics(x, link=name)
            for x in (np.zeros(2), q)
        )
        reference = robot.forward_kinematics(np.zeros(2), link="a")[:3, :3]
        R = reference @ now[:3, :3] @ then[:3, :3].T @ reference.T
        return sign * math.atan2(R[0, 2], R[0, 0])

    assert turned("c", signs[3]) == pytest.approx(-ratio * turned("b", signs[2]), abs=1e-13)


def test_a_gearbox_on_other_axes_than_its_joints_is_named():
    other = "<axis><xyz expressed_in='__model__'>1 0 0</xyz></axis>"
    gear = f"<joint name='g' type='gearbox'><parent>b</parent><child>c</child>{other}<gearbox_reference_body>a</gearbox_reference_body></joint>"
    model = load_sdf(sdf(link("a") + arm_on("a", "b", 1, "0 1 0") + arm_on("a", "c", 2, "0 1 0") + gear))
    assert not model.loops and "'g'" in "".join(model.beyond)


@pytest.mark.parametrize("kinds", list(product(("universal", "revolute2"), repeat=2)))
@pytest.mark.parametrize("leads", ["axis", "axis2", ""])
@pytest.mark.parametrize("follows", ["axis", "axis2"])
def test_each_axis_of_a_joint_follows_and_leads_on_its_own(kinds, leads, follows):
    """Against the same joints without followers, at the coordinates to which these follow."""
    tie = f"<mimic joint='j' axis='{leads}'><multiplier>2</multiplier><offset>.3</offset><reference>.1</reference></mimic>"

    def two(name, kind, tied):
        second = "0 1 0" if kind == "universal" else "1 1 0"
        more = {follows: tie if tied else ""}
        return (
            f"<joint name='{name}' type='{kind}'><parent>{'a' if name == 'j' else 'b'}</parent><child>{'b' if name == 'j' else 'c'}</child>"
            f"<axis><xyz>1 0 0</xyz>{more.get('axis', '')}</axis><axis2><xyz>{second}</xyz>{more.get('axis2', '')}</axis2></joint>"
        )

    bodies = link("a") + link("b", POSE) + link("c", POSE)
    tied, loose = (
        Robot(load_sdf(sdf(bodies + two("j", kinds[0], False) + two("k", kinds[1], tied)))) for tied in (True, False)
    )
    assert (tied.n, loose.n) == (3, 4)
    q = [0.5, -0.4, 0.9]
    followed = 2 * (q[leads == "axis2"] - 0.1) + 0.3
    whole = [*q[:2], followed, q[2]] if follows == "axis" else [*q, followed]
    for name, pose in loose.forward_kinematics(whole).items():
        assert np.allclose(tied.forward_kinematics(q, link=name), pose, rtol=0, atol=1e-14), name


@pytest.mark.parametrize("version", ["1.6", "1.9", "1.11"])
@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("", 1.0),
        ("<screw_thread_pitch>.5</screw_thread_pitch>", 0.5),
        ("<thread_pitch>4</thread_pitch>", -math.pi / 2),
        ("<thread_pitch>4</thread_pitch><screw_thread_pitch>-2</screw_thread_pitch>", -2.0),
    ],
)
def test_the_way_of_a_screw_in_a_revolution(version, said, way):
    """In libsdformat 1 m, to the right, if nothing is said; ``thread_pitch`` is in rad/m, to the left."""
    text = sdf(f"{link('a')}{link('b')}<joint name='j' type='screw'>{ENDS}{said}</joint>", version)
    assert load_sdf(text).bodies[1].joint.pitch == pytest.approx(way / (2 * math.pi), rel=1e-15)


@pytest.mark.parametrize("tag", ["visual", "collision"])
@pytest.mark.parametrize("shape", ["ellipsoid", "cone", "plane", "polyline", "heightmap", "image"])
def test_shapes_that_are_not_shown_are_named(tag, shape):
    text = sdf(f"<link name='a'><{tag} name='v'><geometry><{shape}/></geometry></{tag}></link>")
    assert any(shape in line and "'a'" in line for line in load_sdf(text).beyond)


@pytest.mark.parametrize(
    "more", ["<limit><lower>-1</lower></limit>", "<dynamics><damping>2</damping></dynamics>", "<mimic joint='jb'/>", ""]
)
def test_what_a_joint_has_that_closes_a_loop_is_named(more):
    ring = arm_on("a", "b", 0, "0 1 0") + arm_on("a", "c", 1, "0 1 0")
    close = f"<joint name='close' type='revolute'><parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz>{more}</axis></joint>"
    assert ("'close'" in "".join(load_sdf(sdf(link("a") + ring + close)).beyond)) == bool(more)


EXISTING = [
    "ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf", "kinova_description/robots/kinova.urdf", "a1_description/urdf/a1.urdf",
    "anymal_b_simple_description/robots/anymal.urdf", "solo_description/robots/solo12.urdf", "talos_data/robots/talos_reduced.urdf",
    "double_pendulum_description/urdf/double_pendulum.urdf", "tiago_description/robots/tiago.urdf", "hyq_description/robots/hyq_no_sensors.urdf",
    "go1_description/urdf/go1.urdf", "laikago_description/urdf/laikago.urdf", "g1_description/urdf/g1_29dof_rev_1_0.urdf",
]  # fmt: skip


@pytest.mark.parametrize("name", EXISTING)
def test_twins(name):
    """A URDF and its SDF are the same robot, with a fixed and with a floating base."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        for base in ("fixed", "floating"):
            robot = Robot(load(EXAMPLES / name, on_invalid="warn", base=base))
            proof = convert(robot, "sdf", states=2).proof
            assert proof.ok, proof.differences[:4]


def test_written_joints():
    for kinds in ("RUS", "HP", "RRR"):
        model = robots.serial(kinds, 4, armature=kinds != "RUS")
        same(load_sdf(to_sdf(model)), model)
    with pytest.raises(ModelError, match="armature; SDF has none"):
        to_sdf(robots.serial("U", 4))
    with pytest.raises(ModelError, match="cylindrical; SDF has no such joint"):
        to_sdf(robots.serial("C", 4, armature=False))


def test_followers_go_along(tmp_path):
    model = lookup("panda")
    robot = Robot(model)
    robot.to_sdf(tmp_path / "panda.sdf")
    again = load(tmp_path / "panda.sdf")
    assert [b.mimic for b in again.bodies] == [b.mimic for b in model.bodies]


MISSPELLED = {
    "did you mean 'relative_to'": sdf(link("a", "<pose relativ_to='__model__'>0 0 0 0 0 0</pose>")),
    "no attribute 'turned' there": sdf(link("a", "<pose turned='yes'>0 0 0 0 0 0</pose>")),
    "the attribute 'frame' of old poses": sdf(link("a", "<pose frame='b'>0 0 0 0 0 0</pose>"), "1.6"),
    "did you mean 'ixx'": sdf(
        "<link name='a'><inertial><mass>1</mass><inertia><ixxx>2</ixxx></inertia></inertial></link>"
    ),
    "did you mean 'lower'": sdf(ARM % "<limit><lowr>1</lowr></limit>"),
    "did you mean 'damping'": sdf(ARM % "<dynamics><dampin>1</dampin></dynamics>"),
    "did you mean 'expressed_in'": sdf(ARM.replace("<xyz>", "<xyz expresed_in='__model__'>") % ""),
    "no attribute 'kind' there": sdf(ARM.replace("type=", "kind='x' type=") % ""),
    "did you mean 'multiplier'": sdf(ARM % "<mimic joint='j'><multiplyer>1</multiplyer></mimic>"),
}


@pytest.mark.parametrize("message", MISSPELLED)
def test_misspelled_words_are_refused(message):
    with pytest.raises(ModelError) as caught:
        load_sdf(MISSPELLED[message])
    assert message in str(caught.value) and "SDF text:1" in str(caught.value)


def test_what_is_left_out_is_listed():
    text = sdf(f"<link name='a'>{MASS}<gravity>false</gravity><kinematic>1</kinematic><velocity_decay/></link>")
    told = "; ".join(load_sdf(text).beyond)
    assert (
        "gravity does not act: 'a'" in told and "only follow a path: 'a'" in told and "damping of the air: 'a'" in told
    )
    assert not load_sdf(sdf(f"<link name='a'>{MASS}<gravity>true</gravity></link>")).beyond


@pytest.mark.parametrize("text", ["-1.79769e+308", "-1e16", "-inf"])
def test_every_way_to_write_no_limit(text):
    limit = f"<limit><lower>{text}</lower><upper>{text[1:]}</upper><effort>{text[1:]}</effort><velocity>{text[1:]}</velocity></limit>"
    robot = Robot(
        load_sdf(f"<sdf version='1.9'><model name='m'>{PAIR.replace('</axis>', limit + '</axis>')}</model></sdf>")
    )
    limits = robot.limits
    assert not np.isfinite([limits.lower, limits.upper, limits.effort, limits.velocity]).any()


SHAPES = {  # SDF's geometry, and MuJoCo's geom of the same size
    "box": ("<box><size>.2 .4 .6</size></box>", 'type="box" size=".1 .2 .3"'),
    "sphere": ("<sphere><radius>.2</radius></sphere>", 'type="sphere" size=".2"'),
    "cylinder": ("<cylinder><radius>.1</radius><length>.5</length></cylinder>", 'type="cylinder" size=".1 .25"'),
    "capsule": ("<capsule><radius>.1</radius><length>.5</length></capsule>", 'type="capsule" size=".1 .25"'),
    "ellipsoid": ("<ellipsoid><radii>.1 .2 .3</radii></ellipsoid>", 'type="ellipsoid" size=".1 .2 .3"'),
    "mesh": ("<mesh><uri>m.obj</uri><scale>2 1 1</scale></mesh>", 'type="mesh" mesh="m"'),
}
TETRAHEDRON = "v 0 0 0\nv .1 0 0\nv 0 .2 0\nv 0 0 .3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("mass", [None, 3.0])
def test_inertia_of_collision_shapes_is_that_of_the_same_geoms(tmp_path, kind, mass):
    """<inertial auto="true">: two shapes with a density each, against MuJoCo; a mass that is given scales the sum."""
    shape, geom = SHAPES[kind]
    (tmp_path / "m.obj").write_text(TETRAHEDRON)
    given = f"<mass>{mass}</mass>" if mass else ""
    more = "<collision name='d'><geometry><box><size>.2 .2 .2</size></box></geometry></collision>"
    (tmp_path / "a.sdf").write_text(
        sdf(
            f"<link name='a'><inertial auto='true'>{given}<density>700</density></inertial><collision name='c'>"
            f"<pose>.1 .2 .3 .4 .5 .6</pose><density>200</density><geometry>{shape}</geometry></collision>{more}</link>"
        )
    )
    (tmp_path / "a.xml").write_text(
        f"""<mujoco><compiler angle="radian" eulerseq="XYZ"/><asset><mesh name="m" file="m.obj"
        scale="2 1 1" inertia="exact"/></asset><worldbody><body name="a"><joint/><geom {geom} pos=".1 .2 .3"
        euler=".4 .5 .6" density="200"/><geom type="box" size=".1 .1 .1" density="700"/></body></worldbody></mujoco>"""
    )
    ours = load(tmp_path / "a.sdf").links[0]
    m = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    scale = (mass or m.body_mass[1]) / m.body_mass[1]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, m.body_iquat[1])
    R = R.reshape(3, 3)
    theirs = scale * R @ np.diag(m.body_inertia[1]) @ R.T
    close = 1e-6 if kind == "mesh" else 1e-12  # MuJoCo keeps the corners of meshes in single precision
    assert ours.mass == pytest.approx(scale * m.body_mass[1], rel=close)
    assert np.allclose(ours.com, m.body_ipos[1], atol=close)
    xx, yy, zz, xy, xz, yz = ours.inertia
    assert np.allclose([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], theirs, atol=close * abs(theirs).max())


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("", "of which there are none"),
        ("<collision name='c'><geometry><plane/></geometry></collision>", "a <plane> has no inertia"),
        ("<collision name='c'/>", "a <geometry> has no inertia"),
        ("<collision name='c'><geometry><mesh><uri>x.stl</uri></mesh></geometry></collision>", "no mesh 'x.stl'"),
        ("<collision name='c'><geometry><sphere><radius>0</radius></sphere></geometry></collision>", "must be positive"),
        ("<collision name='c'><density>0</density><geometry><sphere/></geometry></collision>", "have no mass"),
    ],
)  # fmt: skip
def test_shapes_without_inertia_are_refused(inside, message):
    with pytest.raises(ModelError, match=message):
        load_sdf(sdf(f"<link name='a'><inertial auto='1'/>{inside}</link>"))


def test_universal_joints_without_axes_turn_about_x_and_y():
    joint = f"<joint name='j' type='universal'>%s{ENDS}%s</joint>"
    axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
    bodies = link("a") + link("b", POSE)
    same(*(sdf(bodies + joint % ("", more)) for more in ("", axes)))


def test_elements_that_sdf_does_not_have_are_told_with_their_line():
    text = sdf(f"\n<author>x</author>{ARM % ''}")
    with pytest.warns(OrdernWarning, match=r"SDF text:2 <author>.*passed over"):
        assert load_sdf(text).nv == 1
    assert any("drake:bushing of <model" in line for line in load_sdf(sdf(f"<drake:bushing/>{ARM % ''}")).beyond)


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6", "1.12"])
def test_versions_before_and_after(version):
    """Axes were the model's in 1.4, gravity was in <physics> up to 1.5."""
    bodies = link("a") + link("b", POSE)
    text = f"<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    own = text.replace("<xyz>", "<xyz expressed_in='__model__'>") if version == "1.4" else text
    same(sdf(bodies + text, version), sdf(bodies + own, "1.9"))
    gravity = "<gravity>1 2 3</gravity>"
    inside = f"<physics type='ode'>{gravity}</physics>" if version < "1.6" and version != "1.12" else gravity
    world = f"<sdf version='{version}'><world name='w'>{inside}<model name='r'>{bodies + text}</model></world></sdf>"
    assert load_sdf(world).gravity == (1.0, 2.0, 3.0)


def test_what_drake_adds_to_joints():
    """Rotor inertia behind a gear, followers, dampers of balls and joints in a plane."""
    rotor = "<drake:rotor_inertia>2</drake:rotor_inertia><drake:gear_ratio>3</drake:gear_ratio>"
    model = load_sdf(sdf(ARM.replace("<axis>", f"{rotor}<axis>") % ""))
    assert model.bodies[1].armature == (18.0,)
    idle = load_sdf(sdf(ARM.replace("<axis>", f"{rotor}<axis>") % "<limit><effort>0</effort></limit>"))
    assert not idle.bodies[1].armature
    mimic = "<drake:mimic joint='j' multiplier='2' offset='.5'/>"
    second = f"{link('c')}<joint name='k' type='revolute'><parent>b</parent><child>c</child>{mimic}{AXIS}</joint>"
    follows = load_sdf(sdf(ARM % "" + second))
    assert follows.nv == 1 and (follows.bodies[2].mimic.ratio, follows.bodies[2].mimic.offset) == (2.0, 0.5)
    ball = load_sdf(
        sdf(
            f"{link('a')}{link('b')}<joint name='j' type='ball'>{ENDS}<axis><dynamics><damping>2</damping></dynamics></axis></joint>"
        )
    )
    assert ball.bodies[1].damping == (2.0, 2.0, 2.0) and load_sdf(to_sdf(ball)).bodies[1].damping == (2.0, 2.0, 2.0)
    frames = f"<frame name='f' attached_to='a'>{POSE}</frame><frame name='g' attached_to='b'><pose>0 0 1 0 1 0</pose></frame>"
    ends = "<drake:parent>f</drake:parent><drake:child>g</drake:child>"
    plane = f"<drake:joint name='j' type='planar'>{ends}<drake:damping>1 2 3</drake:damping></drake:joint>"
    made = Robot(load_sdf(sdf(link("a") + link("b") + frames + plane)))
    assert made.n == 3 and made.model.bodies[1].damping == (1.0, 2.0, 3.0)
    q = [0.3, -0.2, 0.7]
    f, g = Placement.from_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), Placement.from_rpy((0, 0, 1), (0, 1, 0))
    there = f @ Placement.from_rpy((q[0], q[1], 0.0), (0, 0, q[2])) @ g.inverse()
    assert np.allclose(made.forward_kinematics(q, link="b")[:3, 3], there.origin, atol=1e-14)
    with pytest.raises(ModelError, match="the planar one is read"):
        load_sdf(sdf(link("a") + link("b") + frames + plane.replace("planar", "curvilinear")))


def test_a_link_without_inertia_is_a_kilogram_at_its_origin():
    """As SDF says."""
    body = load_sdf(sdf(f"{link('a')}<link name='b'/><joint name='j' type='revolute'>{ENDS}{AXIS}</joint>")).bodies[1]
    assert body.inertia.m == 1.0 and tuple(body.inertia.h) == (0.0, 0.0, 0.0)
    # in the joint's own axes
    np.testing.assert_allclose(sorted(body.inertia.I), [0, 0, 0, 1, 1, 1], rtol=0, atol=1e-15)
