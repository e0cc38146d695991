"""SDF 1.4 to 1.12: each feature against the URDF or model that means the same, and written robots read back."""

import math
import warnings

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

MASS = "<inertial><pose>.1 .2 .3 0 0 0</pose><mass>2</mass><inertia><ixx>.3</ixx><iyy>.4</iyy><izz>.5</izz><ixy>.01</ixy></inertia></inertial>"
URDF_MASS = "<inertial><origin xyz='.1 .2 .3'/><mass value='2'/><inertia ixx='.3' iyy='.4' izz='.5' ixy='.01' ixz='0' iyz='0'/></inertial>"


def sdf(inside, version="1.9", name="r"):
    return f"<sdf version='{version}'><model name='{name}'>{inside}</model></sdf>"


def link(name, pose=""):
    return f"<link name='{name}'>{pose}{MASS}</link>"


def urdf(kind="revolute", axis="1 2 3", origin="xyz='.1 .2 .3' rpy='.4 .5 .6'", more=""):
    return (
        f"<robot name='r'><link name='a'>{URDF_MASS}</link><link name='b'>{URDF_MASS}</link><joint name='j' type='{kind}'>"
        f"<origin {origin}/><parent link='a'/><child link='b'/><axis xyz='{axis}'/>{more}</joint></robot>"
    )


def same(text, other, **options):
    """Both give the same mass matrix, torques and poses."""
    a, b = (
        Robot(m if not isinstance(m, str) else (load_sdf if "<sdf" in m else load_urdf)(m, **options))
        for m in (text, other)
    )
    q, qd, qdd, _ = robots.state(a.model, np.random.default_rng(0), (3,))
    assert np.allclose(a.mass_matrix(q), b.mass_matrix(q), rtol=0, atol=1e-13)
    assert np.allclose(a.inverse_dynamics(q, qd, qdd), b.inverse_dynamics(q, qd, qdd), rtol=0, atol=1e-12)
    theirs = b.forward_kinematics(q)
    for name, pose in a.forward_kinematics(q).items():
        if name in theirs:
            assert np.allclose(pose, theirs[name], rtol=0, atol=1e-13), name


POSE = "<pose>.1 .2 .3 .4 .5 .6</pose>"
AXIS = "<axis><xyz>1 2 3</xyz></axis>"
ENDS = "<parent>a</parent><child>b</child>"
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


def test_includes_and_worlds(tmp_path, monkeypatch):
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand/model.sdf").write_text(sdf(link("palm"), "1.7", "hand"))
    (tmp_path / "arm.sdf").write_text(
        sdf(f"{link('a')}<include><uri>model://hand</uri><name>left</name>{POSE}</include>"
            f"<joint name='j' type='revolute'><parent>a</parent><child>left::palm</child>{AXIS}</joint>")
    )  # fmt: skip
    model = load(tmp_path / "arm.sdf")
    assert [x.name for x in model.links] == ["a", "left::palm"]
    same(model, urdf())
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "far.sdf").write_text(sdf("<include><uri>model://hand</uri></include>" + link("a")))
    with pytest.raises(ModelError, match="no model 'model://hand'"):
        load(other / "far.sdf")
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", str(tmp_path))
    assert len(load(other / "far.sdf").links) == 2
    world = f"<sdf version='1.9'><world name='w'><gravity>1 2 3</gravity><model name='floor'><static>1</static>{link('f')}</model>{{}}</world></sdf>"
    inner = sdf(f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>")
    model = load_sdf(world.format(inner[inner.index("<model") : inner.index("</sdf>")]))
    assert model.gravity == (1.0, 2.0, 3.0) and [x.name for x in model.links] == ["a", "b"]


def test_models_that_stand_on_a_frame_of_theirs(tmp_path):
    """X_model = pose inverse(frame in the model), for nested and included models, and for one whose frame is on another's."""
    inner = "<frame name='tip'><pose>.3 .1 .2 .6 .1 .4</pose></frame><frame name='far' attached_to='tip'><pose>0 .2 0 .3 0 0</pose></frame>"
    plain = f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    T = [np.eye(4) for _ in range(3)]
    for M, six in zip(
        T, ((0.3, 0.1, 0.2, 0.6, 0.1, 0.4), (0, 0.2, 0, 0.3, 0, 0), (1, 2, 3, 0.1, 0.2, 0.3)), strict=True
    ):
        M[...] = Placement.from_rpy(six[:3], six[3:]).matrix()
    expected = T[2] @ np.linalg.inv(T[0] @ T[1])
    nested = f"<model name='m' placement_frame='far'><pose>1 2 3 .1 .2 .3</pose>{inner}{plain}</model>"
    (tmp_path / "m").mkdir()
    (tmp_path / "m/model.sdf").write_text(sdf(inner + plain, name="m"))
    include = "<include><uri>m</uri><pose>1 2 3 .1 .2 .3</pose><placement_frame>far</placement_frame></include>"
    for k, text in enumerate((nested, include)):
        (tmp_path / f"{k}.sdf").write_text(
            sdf(link("w") + text + "<joint name='k' type='fixed'><parent>w</parent><child>m::a</child></joint>")
        )
        robot = Robot(load(tmp_path / f"{k}.sdf"))
        assert np.abs(robot.forward_kinematics(np.zeros(robot.n))["m::a"] - expected).max() < 1e-15
    with pytest.raises(ModelError, match="placement_frame 'm::nope' is no frame"):
        load_sdf(sdf(link("w") + nested.replace("placement_frame='far'", "placement_frame='nope'")))


@pytest.mark.parametrize("form", ["merge='true'", "<merge>true</merge>"])
def test_included_models_that_are_merged(tmp_path, form):
    """What they hold is the outer model's own, under its plain name, and stands where the include says."""
    (tmp_path / "hand").mkdir()
    hand = (
        f"<frame name='f'><pose>0 0 .1 0 0 0</pose></frame>{link('b', '<pose relative_to=' + repr('__model__') + '/>')}"
    )
    (tmp_path / "hand/model.sdf").write_text(sdf(hand, "1.9", "hand"))
    attribute, inside = (form, "") if "=" in form else ("", form)
    text = f"{link('a')}<include {attribute}><uri>model://hand</uri>{POSE}{inside}</include><joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    (tmp_path / "arm.sdf").write_text(sdf(text))
    model = load(tmp_path / "arm.sdf")
    assert [x.name for x in model.links] == ["a", "b"]
    same(model, urdf())
    (tmp_path / "twice.sdf").write_text(sdf(text + link("b")))
    with pytest.raises(ModelError, match="'b'"):
        load(tmp_path / "twice.sdf")
    world = f"<sdf version='1.9'><world name='w'><include {attribute}><uri>model://hand</uri>{inside}</include></world></sdf>"
    (tmp_path / "world.sdf").write_text(world)
    with pytest.raises(ModelError, match="merges a model into a world"):
        load(tmp_path / "world.sdf")


@pytest.mark.parametrize("outer", ["", "<static>1</static>"])
@pytest.mark.parametrize("inner", ["", "<static>true</static>"])
def test_a_model_is_static_if_it_or_its_include_says_so(tmp_path, outer, inner):
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm/model.sdf").write_text(sdf(f"{inner}{ARM % ''}", "1.9", "arm"))
    (tmp_path / "world.sdf").write_text(
        f"<sdf version='1.9'><world name='w'><include><uri>model://arm</uri>{outer}</include></world></sdf>"
    )
    listed = "; ".join(load(tmp_path / "world.sdf").beyond)
    assert ("models that are static" in listed) == bool(outer or inner)


def test_a_frame_moves_with_what_it_is_attached_to():
    """Not with what its pose is given relative to."""
    frame = "<frame name='f' attached_to='b'><pose relative_to='a'>0 0 .5 0 0 0</pose></frame>"
    tail = f"{link('c')}<joint name='k' type='revolute'><parent>f</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint>"
    arm = f"{link('a')}{link('b', POSE)}<joint name='j' type='revolute'>{ENDS}{AXIS}</joint>"
    model = load_sdf(sdf(arm + frame + tail))
    assert [body.parent for body in model.bodies[1:]] == [0, 1]
    same(model, load_sdf(sdf(arm + tail.replace("<parent>f", "<parent>b"))))
    joint_frame = load_sdf(sdf(arm + tail.replace("<parent>f", "<parent>j")))  # a joint's frame is on its child
    same(model, joint_frame)


def test_models_of_other_versions_and_models_of_models(tmp_path):
    """An include's pose is of the file that includes; models of included models lie beside the description."""
    for name, version, inside in (
        ("old", "1.6", link("b")),
        ("outer", "1.9", "<include><uri>model://old</uri><name>n</name></include>"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.sdf").write_text(sdf(inside, version, name))
    joint = f"<joint name='j' type='revolute'><parent>a</parent><child>%s::b</child>{AXIS}</joint>"
    frame = f"<frame name='f'>{POSE}</frame>"
    for uri, child in (("old", "m"), ("outer", "m::n")):
        include = f"<include><uri>model://{uri}</uri><name>m</name><pose relative_to='f'/></include>"
        (tmp_path / "arm.sdf").write_text(sdf(link("a") + frame + include + joint % child))
        same(load(tmp_path / "arm.sdf"), urdf())


def test_frames_and_joints_of_a_world():
    """Models stand on frames of the world and on each other; a joint of the world ties two of them."""
    world = "<sdf version='1.10'><world name='w'><frame name='f'>{pose}</frame>{one}{two}{joint}</world></sdf>"
    one = f"<model name='m'>{link('a')}</model>"
    joint = f"<joint name='j' type='revolute'><parent>m::a</parent><child>n::b</child>{AXIS}</joint>"
    for base in ("f", "m", "m::a"):
        here = "" if base == "f" else POSE.replace("<pose>", f"<pose relative_to='{base}'>")
        two = f"<model name='n'>{here or f'<pose relative_to={base!r}/>'}{link('b')}</model>"
        model = load_sdf(world.format(pose=POSE, one=one, two=two, joint=joint), gravity=(0, 0, -9.81))
        assert [k.name for k in model.links if k.mass] == ["m::a", "n::b"] and model.bodies[1].name == "j"
        same(model, urdf())
    with pytest.raises(ModelError, match="'m::c' is no link"):
        load_sdf(world.format(pose=POSE, one=one, two=two, joint=joint.replace("m::a", "m::c")))


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


def test_a_model_stands_for_its_canonical_link():
    """A joint may name a nested model: it then moves the link that the model names, else its first."""
    inner = f"<pose>.1 .2 .3 .4 .5 .6</pose>{link('x')}{link('y', '<pose>0 0 1 0 0 0</pose>')}"
    tie = "<joint name='k' type='fixed'><parent>x</parent><child>y</child></joint>"
    joint = "<joint name='j' type='revolute'><parent>a</parent><child>%s</child><axis><xyz>1 2 3</xyz></axis></joint>"
    for named, meant in (("n", "n::x"), ("n::x", "n::x")):
        model = load_sdf(sdf(f"{link('a')}<model name='n'>{inner}{tie}</model>{joint % named}"))
        assert model.links[model.link_index[meant]].joint == "j"
    turned = tie.replace("<parent>x", "<parent>y").replace("<child>y", "<child>x")
    model = load_sdf(sdf(f"{link('a')}<model name='n' canonical_link='y'>{inner}{turned}</model>{joint % 'n'}"))
    assert model.links[model.link_index["n::y"]].joint == "j"
    with pytest.raises(ModelError, match="is no link; correct the name"):
        load_sdf(sdf(f"{link('a')}<model name='n' canonical_link='z'>{inner}{tie}</model>{joint % 'n'}"))


ARM = f"{link('a')}{link('b')}<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>%s</axis></joint>"
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


def test_static_models_and_initial_positions_are_listed():
    still = load_sdf(sdf(f"<static>true</static>{ARM % ''}"))
    assert still.nv and "models that are static, whose joints move here" in "; ".join(still.beyond)
    assert "initial positions of joints: 'j'" in "; ".join(
        load_sdf(sdf(ARM % "<initial_position>1</initial_position>")).beyond
    )
    assert not any("static" in line or "initial" in line for line in load_sdf(sdf(ARM % "")).beyond)


PAIR = (
    f"<link name='a'>{MASS}</link><link name='b'>{MASS}</link>"
    "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>"
)


@pytest.mark.parametrize("frame", ["ground", "ground::top", "ground::slab", "table", "table::top"])
@pytest.mark.parametrize("robots", [1, 2])
def test_models_stand_where_scenery_says(frame, robots):
    """Static models are left out of the robot, and still others may stand on them; with fixed poses it is the same robot."""
    top = "<frame name='top'><pose>0 0 1 1 0 0</pose></frame>"
    ground = f"<model name='ground'><static>1</static><pose>1 2 3 0 0 1</pose><link name='slab'/>{top}</model>"
    table = "<model name='table'><static>1</static><pose relative_to='ground::top'>0 1 0 0 0 0</pose><link name='l'/><frame name='top'/></model>"
    models = "".join(
        f"<model name='r{k}'><pose relative_to='{frame}'>0 0 {k} 0 0 0</pose>{PAIR}</model>" for k in range(robots)
    )
    text = f"<sdf version='1.9'><world name='w'>{ground}{table}{models}</world></sdf>"
    robot = Robot(load_sdf(text))
    at = {"ground": Placement(), "ground::slab": Placement(), "ground::top": Placement.from_rpy((0, 0, 1), (1, 0, 0))}
    there = at.get(frame, at["ground::top"] @ Placement(origin=(0.0, 1.0, 0.0)))
    there = Placement.from_rpy((1, 2, 3), (0, 0, 1)) @ there @ Placement(origin=(0.0, 0.0, robots - 1.0))
    link = f"r{robots - 1}::a" if robots > 1 else "a"
    pose = robot.forward_kinematics([0.0] * robots, link=link)
    assert np.allclose(pose[:3, 3], there.origin, atol=1e-15 * 30) and np.allclose(
        pose[:3, :3].ravel(), there.rotation, atol=1e-15 * 30
    )
    assert not any("ground" in e.name or "table" in e.name for e in robot.model.links)


@pytest.mark.parametrize("tag", ["joint", "frame"])
def test_old_files_may_call_joints_and_frames_like_links(tag):
    odd = PAIR.replace("name='j'", "name='b'") if tag == "joint" else f"{PAIR}<frame name='b'/>"
    robot = Robot(load_sdf(f"<sdf version='1.6'><model name='m'>{odd}</model></sdf>"))
    assert list(robot.joint_names) == (["b_joint"] if tag == "joint" else ["j"])
    with pytest.raises(ModelError, match="a second thing is called 'b'"):
        Robot(load_sdf(f"<sdf version='1.7'><model name='m'>{odd}</model></sdf>"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("<frame name='f'><pose relative_to='f'/></frame>", "relative to itself"),
        ("<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>", "relative to itself"),
        ("<frame name='f' attached_to='nowhere'/>", "there is no frame 'nowhere'"),
        ("<frame name='f'><pose relative_to='c'/></frame>", "there is no frame 'c'"),
        ("<joint name='j' type='fixed'><parent>b</parent><child>a</child></joint>", "a second thing is called 'j'"),
    ],
)
@pytest.mark.parametrize("version", ["1.6", "1.9"])
def test_frames_that_nothing_uses_are_right_too(more, said, version):
    if version == "1.6" and "relative_to" in more:
        said = "relative_to is for SDF 1.7"
    with pytest.raises(ModelError, match=said):
        load_sdf(sdf(PAIR + more, version))


def test_the_canonical_link_is_there():
    with pytest.raises(ModelError, match="canonical_link 'c' is no link; correct the name"):
        load_sdf(f"<sdf version='1.9'><model name='m' canonical_link='c'>{PAIR}</model></sdf>")


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


def test_collision_shapes_stand_where_their_frames_are():
    shape = "<collision name='c'><pose relative_to='f'>1 0 0 0 0 0</pose><geometry><sphere/></geometry></collision>"
    text = sdf(
        f"<link name='a'><pose>0 0 1 0 0 0</pose>{MASS}{shape}</link><frame name='f'><pose>0 2 0 0 0 0</pose></frame>"
    )
    assert load_sdf(text).links[-1].collisions[0].placement.origin == (1.0, 2.0, -1.0)


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
