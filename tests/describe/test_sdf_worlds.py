"""SDF: models in models and worlds, what they include, the frames they stand on, and scenery."""

import warnings

import numpy as np
import pytest

from ordern.describe.load import load
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.errors import ModelError, OrdernWarning
from ordern.model import Placement
from ordern.robot import Robot

from .sdf_texts import ARM, AXIS, ENDS, MASS, PAIR, POSE, link, same, sdf, urdf


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


def test_static_models_and_initial_positions_are_listed():
    still = load_sdf(sdf(f"<static>true</static>{ARM % ''}"))
    assert still.nv and "models that are static, whose joints move here" in "; ".join(still.beyond)
    assert "initial positions of joints: 'j'" in "; ".join(
        load_sdf(sdf(ARM % "<initial_position>1</initial_position>")).beyond
    )
    assert not any("static" in line or "initial" in line for line in load_sdf(sdf(ARM % "")).beyond)


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


def test_collision_shapes_stand_where_their_frames_are():
    shape = "<collision name='c'><pose relative_to='f'>1 0 0 0 0 0</pose><geometry><sphere/></geometry></collision>"
    text = sdf(
        f"<link name='a'><pose>0 0 1 0 0 0</pose>{MASS}{shape}</link><frame name='f'><pose>0 2 0 0 0 0</pose></frame>"
    )
    assert load_sdf(text).links[-1].collisions[0].placement.origin == (1.0, 2.0, -1.0)


FLAGS = {
    "degrees": ARM.replace("<parent>", "<pose degrees='{}'>0 0 0 0 90 0</pose><parent>", 1) % "",
    "gravity": f"<link name='a'><gravity>{{}}</gravity>{MASS}</link>",
    "kinematic": f"<link name='a'><kinematic>{{}}</kinematic>{MASS}</link>",
    "static": f"<static>{{}}</static>{PAIR}",
    "auto": "<link name='a'><inertial auto='{}'><density>9</density></inertial><collision name='c'><geometry><sphere/></geometry></collision></link>",
    "use_parent_model_frame": ARM.replace("<parent>", "<pose>0 0 0 1 0 0</pose><parent>", 1) % "<use_parent_model_frame>{}</use_parent_model_frame>",
}  # fmt: skip


@pytest.mark.parametrize("flag", FLAGS)
def test_yes_and_no_are_read_in_capitals_too(flag):
    """As SDF's own reader does; another word is no answer."""
    version = "1.6" if flag == "use_parent_model_frame" else "1.9"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        words = ("true", "True", "TRUE", "1", "false", "False", "FALSE", "0")
        read = {word: load_sdf(sdf(FLAGS[flag].format(word), version), on_invalid="warn") for word in words}
        held = {word: (model.bodies, model.links, model.beyond) for word, model in read.items()}
        assert all(held[word] == held["true"] for word in ("True", "TRUE", "1"))
        assert all(held[word] == held["false"] for word in ("False", "FALSE", "0"))
        assert held["true"] != held["false"]
        with pytest.raises(ModelError, match=r":1 .*'yes' is neither 'true' nor 'false'"):
            load_sdf(sdf(FLAGS[flag].format("yes"), version))
