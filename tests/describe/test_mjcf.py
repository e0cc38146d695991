"""MJCF against MuJoCo: each feature by itself, and random descriptions that mix them."""

import math

import mujoco
import numpy as np
import pytest

from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.errors import ModelError
from ordern.robot import Robot

from .mujoco_oracle import errors

CLOSE = 1e-9  # both sides in double; the largest chains here have 12 bodies

BALL = "<geom type='sphere' size='.1' mass='1' pos='.1 .2 .3'/>"


def one(inside, before="", after=""):
    return f"<mujoco>{before}<worldbody><body name='a' pos='.1 .2 .3'>{inside}</body></worldbody>{after}</mujoco>"


FEATURES = {
    "hinge": one(f"<joint axis='1 2 3' pos='.1 0 .2'/>{BALL}"),
    "slide": one(f"<joint type='slide' axis='1 2 3' pos='.1 0 .2'/>{BALL}"),
    "ball": one(f"<joint type='ball' pos='.1 0 .2'/>{BALL}"),
    "free": one(f"<freejoint name='f'/>{BALL}"),
    "free by type": one(f"<joint type='free' damping='2'/>{BALL}"),
    "two hinges": one(f"<joint axis='1 0 0' pos='.1 0 0'/><joint axis='0 1 1' pos='0 .3 0'/>{BALL}"),
    "hinge and slide": one(f"<joint axis='1 0 0' pos='.1 0 0'/><joint type='slide' axis='0 1 1'/>"
        f"<joint axis='0 1 0'/>{BALL}"),
    "three slides and a ball": one("".join(f"<joint type='slide' axis='{a}'/>" for a in ("1 0 0", "0 1 0", "0 0 1")) + f"<joint type='ball'/>{BALL}"),
    "joints after geoms and bodies": one(f"{BALL}<body name='b' pos='0 0 1'><joint/>{BALL}</body>"
        f"<joint axis='1 0 0'/>"),
    "reference": one(f"<joint axis='1 0 0' ref='30'/><joint type='slide' axis='0 1 0' ref='.2'/>{BALL}"),
    "springs": one(f"<joint axis='1 0 0' stiffness='3' springref='20' ref='10'/>"
        f"<joint type='slide' axis='0 1 0' stiffness='5' springref='.2'/>{BALL}"),
    "damping and armature": one(f"<joint axis='1 0 0' damping='3' armature='.2' frictionloss='.1'/>{BALL}"),
    "degrees": one(f"<joint axis='1 0 0' range='-30 60'/>{BALL}"),
    "radians": one(f"<joint axis='1 0 0' range='-.5 .6' ref='.3'/>{BALL}", "<compiler angle='radian'/>"),
    "quaternion": one(f"<joint/>{BALL}<body name='b' quat='1 2 3 4'><joint axis='1 0 0'/>{BALL}</body>"),
    "axis and angle": one(f"<joint/>{BALL}<body name='b' axisangle='1 2 3 40'><joint axis='1 0 0'/>{BALL}</body>"),
    "x and y axes": one(f"<joint/>{BALL}<body name='b' xyaxes='1 2 0 1 3 1'><joint axis='1 0 0'/>{BALL}</body>"),
    "z axis": one(f"<joint/>{BALL}<body name='b' zaxis='1 2 3'><joint axis='1 0 0'/>{BALL}</body>"),
    "z axis down": one(f"<joint/>{BALL}<body name='b' zaxis='0 0 -2'><joint axis='1 0 0'/>{BALL}</body>"),
    "frame": one(f"<frame pos='1 2 3' euler='10 20 30'>"
        f"<joint axis='1 0 0' pos='.1 0 0'/>{BALL}<body name='b' pos='0 0 1'><joint/>{BALL}</body></frame>"),
    "frames in frames": one(f"<joint/>{BALL}<frame pos='1 0 0'><frame euler='0 90 0'>"
        f"<body name='b' pos='0 0 1'><joint/>{BALL}</body></frame></frame>"),
    "replicate": one(f"<joint/>{BALL}<replicate count='3' offset='0 0 .3' euler='0 0 40'>"
        f"<body name='b' pos='.5 0 0'><joint name='j'/>{BALL}</body></replicate>"),
    "replicated geoms": one("<joint/><replicate count='12' offset='.1 0 0' euler='5 0 0' sep='-'>"
        "<geom size='.05' pos='0 .2 0'/></replicate>"),
    "full inertia": one("<joint axis='1 1 0'/><inertial pos='.1 .2 .3' mass='2' fullinertia='.1 .2 .25 .01 .02 .03'/>"),
    "turned inertia": one("<joint axis='1 1 0'/>"
        "<inertial pos='.1 .2 .3' mass='2' diaginertia='.1 .2 .25' euler='10 20 30'/>"),
    "inertial before geoms": one(f"<joint axis='1 1 0'/>"
        f"<inertial pos='.1 .2 .3' mass='2' diaginertia='.1 .2 .25'/>{BALL}"),
    "inertia from geoms always": one(
        f"<joint/><inertial pos='.1 .2 .3' mass='2' diaginertia='.1 .2 .25'/>{BALL}", "<compiler inertiafromgeom='true'/>"),
    "inertia of some groups": one("<joint/><geom size='.1' group='1'/>"
        "<geom size='.2' pos='1 0 0' group='4'/>", "<compiler inertiagrouprange='0 3'/>"),
    "bounds": one("<joint axis='1 0 0'/><geom size='.01'/>", "<compiler boundmass='.5' boundinertia='.3'/>"),
    "balanced": one("<joint axis='1 0 0'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .5'/>", "<compiler balanceinertia='true'/>"),
    "total mass": one(f"<joint axis='1 0 0'/>{BALL}<body name='b' pos='1 0 0'>"
        f"<joint/>{BALL}</body>", "<compiler settotalmass='7'/>"),
    "welded bodies": one(
        f"<joint axis='1 0 0'/>{BALL}<body name='b' pos='1 0 0'>{BALL}<body name='c' euler='30 0 0' pos='0 1 0'>{BALL}</body></body>"),
    "gravity": one(f"<joint axis='1 0 0'/>{BALL}", "<option gravity='1 2 3'/>"),
    "no gravity": one(f"<joint axis='1 0 0'/>{BALL}", "<option><flag gravity='disable'/></option>"),
    "no springs": one(f"<joint axis='1 0 0' stiffness='3' damping='2'/>{BALL}", "<option><flag spring='disable' damper='disable'/></option>"),
    "motor inertia": one(f"<joint name='j' axis='1 0 0' armature='.1'/>{BALL}", after="<actuator>"
        "<motor joint='j' gear='3' armature='.2'/></actuator>"),
    "tuned springs": one(f"<joint axis='1 1 0' pos='.1 0 .2' ref='20' springref='5' springdamper='.1 .5' armature='.02' damping='3'/>{BALL}"
        f"<body name='b' pos='.3 .1 .2' euler='10 20 30'><joint type='slide' axis='0 1 1' springdamper='.2 .7' stiffness='4'/>{BALL}</body>"),
    "tuned springs on what floats": one(f"<freejoint/>{BALL}<body name='b' pos='.3 .1 .2'><joint axis='1 0 2' springdamper='.3 2'/>{BALL}"
        f"<body name='c' pos='.1 0 .2'><joint type='ball' pos='0 .1 0'/>{BALL}</body></body>"),
    "spring of a ball": one(f"<joint type='ball' pos='.1 0 .2' stiffness='3' springref='20' damping='.2'/>{BALL}"),
    "spring of what floats": one(f"<joint type='free' stiffness='3'/>{BALL}<body name='b'><joint type='ball' stiffness='2'/>{BALL}</body>"),
    "tuned springs of a ball and of what floats": one(f"<joint type='free' springdamper='.3 .7'/>{BALL}"
        f"<body name='b' pos='.3 .1 .2'><joint type='ball' pos='0 .1 0' springdamper='.1 2'/>{BALL}</body>"),
    "tuned springs that are off": one(f"<joint axis='1 0 0' springdamper='.1 .5'/>{BALL}", "<option><flag spring='disable'/></option>"),
    "several trees": f"<mujoco><worldbody><body name='a'><joint/>{BALL}</body><body name='b'>"
        f"<freejoint/>{BALL}</body><body name='c'>{BALL}</body></worldbody></mujoco>",
}  # fmt: skip
SIZES = {"sphere": ".1", "capsule": ".1 .3", "cylinder": ".1 .3", "box": ".1 .2 .3", "ellipsoid": ".1 .2 .3"}
for _kind, _size in SIZES.items():
    for _hollow in ("false", "true"):
        for _mass in ("density='700'", "mass='2'"):
            FEATURES[f"{_kind} {_hollow} {_mass}"] = one(
                f"<joint axis='1 2 3'/><geom type='{_kind}' size='{_size}' pos='.1 .2 .3' euler='10 20 30' shellinertia='{_hollow}' {_mass}/>"
            )
    if _kind != "sphere":
        FEATURES[f"{_kind} from to"] = one(
            f"<joint axis='1 2 3'/><geom type='{_kind}' size='.1' fromto='.1 .2 .3 .6 .4 .9'/>"
        )
        FEATURES[f"{_kind} straight down"] = one(
            f"<joint axis='1 2 3'/><geom type='{_kind}' size='.1' fromto='0 0 0 0 0 .7'/>"
        )
for _sequence in ("xyz", "zyx", "XYZ", "ZYX", "xzx", "yXz"):
    FEATURES[f"angles {_sequence}"] = one(
        f"<joint/>{BALL}<body name='b' euler='20 30 40'><joint axis='1 0 0'/>{BALL}</body>",
        f"<compiler eulerseq='{_sequence}'/>",
    )


@pytest.mark.parametrize("text", FEATURES.values(), ids=FEATURES.keys())
def test_feature(text):
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text, mimic=False))
    assert max(found.values()) < CLOSE, found


CLASSES = """<default>
  <geom density='500' type='box' size='.1 .1 .1' quat='1 0 0 1'/><joint axis='1 0 0' damping='1' armature='.1'/>
  <default class='x'><geom size='.2 .1 .1' euler='10 20 30'/><joint stiffness='2' axis='0 1 0'/>
    <default class='y'><geom mass='3' type='capsule'/><joint type='slide'/></default></default>
  <default class='z'><geom pos='.1 0 0'/></default>
</default>"""


@pytest.mark.parametrize("outer", ["", "childclass='x'", "childclass='z'"])
@pytest.mark.parametrize("own", ["", "class='y'", "class='main'"])
def test_classes(outer, own):
    text = f"""<mujoco>{CLASSES}<worldbody><body name='a' {outer}><joint {own}/><geom {own}/><geom {own} pos='0 1 0' axisangle='1 0 0 20'/>
        <body name='b' pos='1 0 0'><joint {own} axis='1 1 1'/><geom/></body>
        <frame childclass='y'><body name='c' pos='0 0 1'><joint/><geom/></body></frame></body></worldbody></mujoco>"""
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text, mimic=False))
    assert max(found.values()) < CLOSE, found


def random_mjcf(rng, count=8):
    """A tree of bodies with everything at random."""
    turns = (
        "quat='{} {} {} {}'",
        "euler='{} {} {}'",
        "axisangle='{} {} {} {}'",
        "zaxis='{} {} {}'",
        "xyaxes='{} {} {} {} {} {}'",
        "",
    )

    def numbers(k, low=-1.0, high=1.0):
        return [f"{x:.4f}" for x in rng.uniform(low, high, k)]

    def turn():
        form = turns[rng.integers(len(turns))]
        return form.format(*numbers(form.count("{}"), 0.1, 1.0))

    def place():
        return f"pos='{' '.join(numbers(3))}' {turn()}"

    def geom():
        kind = list(SIZES)[rng.integers(len(SIZES))]
        mass = ("", f"mass='{rng.uniform(0.1, 2):.3f}'", f"density='{rng.uniform(10, 900):.1f}'")[rng.integers(3)]
        return f"<geom type='{kind}' size='{' '.join(numbers(3, 0.05, 0.3)[: len(SIZES[kind].split())])}' {mass} {place()}/>"

    def joint():
        kind = ("hinge", "hinge", "slide", "ball")[rng.integers(4)]
        extra = f"armature='{rng.uniform(0, 0.2):.3f}' damping='{rng.uniform(0, 2):.3f}' "
        extra += f"pos='{' '.join(numbers(3))}' axis='{' '.join(numbers(3, 0.1))}'"
        if kind != "ball" and rng.random() < 0.5:
            extra += f" stiffness='{rng.uniform(0, 9):.3f}' springref='{numbers(1)[0]}' ref='{numbers(1)[0]}'"
        return f"<joint type='{kind}' {extra}/>", 3 if kind == "ball" else 1

    bodies = [""] * count
    parents = [-1] + [int(rng.integers(-1, k)) for k in range(1, count)]
    for k in range(count - 1, -1, -1):
        joints, free = "", 6
        if parents[k] < 0 and rng.random() < 0.3:
            joints, free = "<freejoint/>", 0
        for _ in range(rng.integers(0, 4)):
            made, used = joint()
            if used <= free and ("'ball'" not in joints or "slide" in made):  # MuJoCo turns nothing behind a ball
                joints, free = joints + made, free - used
        inside = (
            joints
            + geom()
            + (geom() if rng.random() < 0.5 else "")
            + "".join(bodies[j] for j in range(k + 1, count) if parents[j] == k)
        )
        if rng.random() < 0.3:
            inside = f"<frame {place()}>{inside}</frame>" if "freejoint" not in inside else inside
        bodies[k] = f"<body name='b{k}' {place()}>{inside}</body>"
    top = "".join(bodies[j] for j in range(count) if parents[j] < 0)
    angle = ("degree", "radian")[rng.integers(2)]
    option = f"<compiler angle='{angle}'/><option gravity='{' '.join(numbers(3, -10, 10))}'/>"
    return f"<mujoco>{option}<worldbody>{top}</worldbody></mujoco>"


@pytest.mark.parametrize("seed", range(12))
def test_random(seed):
    text = random_mjcf(np.random.default_rng(seed))
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text, mimic=False), seed=seed)
    assert max(found.values()) < CLOSE, (found, text)


CUBE = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
FACES = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"


@pytest.mark.parametrize("kind", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("more", ["", "refpos='.1 .2 .3' refquat='1 2 3 4'", "face='" + FACES + "'"])
@pytest.mark.parametrize("scale", [".1 .2 .3", "-.1 .2 .3"])
def test_meshes(kind, more, scale):
    asset = f"<asset><mesh name='m' inertia='{kind}' vertex='{CUBE} .5 .5 3' {more} scale='{scale}'/></asset>"
    if "face" in more:
        asset = asset.replace(" .5 .5 3", "")
    text = one("<joint axis='1 2 3'/><geom type='mesh' mesh='m' pos='.1 0 0' euler='10 20 30'/>", asset)
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text))
    assert max(found.values()) < CLOSE, found


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("boxes", ["false", "true"])
def test_shapes_fitted_to_meshes(kind, boxes):
    mesh = f"<mesh name='m' inertia='exact' vertex='{CUBE}' face='{FACES}' scale='.1 .2 .4'/>"
    asset = f"<compiler fitaabb='{boxes}'/><asset>{mesh}</asset>"
    text = one(f"<joint axis='1 2 3'/><geom type='{kind}' mesh='m' pos='.1 0 0' euler='10 20 30'/>", asset)
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text))
    assert max(found.values()) < CLOSE, found


def test_files_with_includes_and_attached_models(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "arm.xml").write_text(
        "<mujoco model='arm'><include file='parts/classes.xml'/><asset>"
        "<model name='hand' file='parts/hand.xml'/></asset>"
        f"<worldbody><body name='a'><joint/>{BALL}<include file='parts/more.xml'/>"
        "<frame pos='0 0 1' euler='30 0 0'><attach model='hand' body='palm' prefix='left_'/></frame></body>"
        "</worldbody></mujoco>"
    )
    (tmp_path / "parts/classes.xml").write_text("<mujoco><default><joint axis='1 0 0' damping='3'/></default></mujoco>")
    (tmp_path / "parts/more.xml").write_text(f"<mujoco><body name='b' pos='1 0 0'><joint/>{BALL}</body></mujoco>")
    (tmp_path / "parts/hand.xml").write_text(
        "<mujoco><compiler angle='radian'/><default><joint axis='0 1 0' stiffness='2' springref='.3'/>"
        "</default><worldbody>"
        f"<body name='palm' pos='.1 0 0' euler='.5 0 0'>"
        f"<joint name='wrist'/>{BALL}<body name='tip' pos='.2 0 0'><joint name='t'/>{BALL}</body></body>"
        "</worldbody><actuator><motor name='m' joint='t' ctrlrange='-2 2' gear='4'/></actuator></mujoco>"
    )
    path = tmp_path / "arm.xml"
    model = load(path)
    found = errors(mujoco.MjModel.from_xml_path(str(path)), model)
    assert max(found.values()) < CLOSE, found
    assert [d.name for d in model.drives] == ["left_m"] and model.bodies[-1].effort == (8.0,)


def test_coordinates_of_named_states():
    text = f"""<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint name='f'/>{BALL}<body name='b'><joint name='s' type='slide' ref='.3'/>
        <joint name='k' type='ball'/>{BALL}</body></body></worldbody>
        <keyframe><key name='home' qpos='1 2 3 .6 0 .8 0 .5 1 0 0 1' qvel='1 2 3 4 5 6 7 8 9 10'/></keyframe></mujoco>"""
    robot, m = Robot(load_mjcf(text)), mujoco.MjModel.from_xml_string(text)
    assert list(robot.states) == ["qpos0", "home"]
    home, d = robot.states["home"], mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_forward(m, d)
    poses = robot.forward_kinematics(home.q)
    for label in ("a", "b"):
        assert np.allclose(poses[label][:3, 3], d.body(label).xpos, atol=1e-14)
    energy = 0.5 * d.qvel @ _full(m, d) @ d.qvel
    assert math.isclose(robot.kinetic_energy(home.q, home.qd), energy, rel_tol=1e-12)
    assert np.allclose(robot.forward_kinematics(robot.states["qpos0"].q)["a"][:3, 3], [0, 0, 1])


def _full(m, d):
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, M)
    return M


def test_joints_that_an_equality_couples_follow():
    text = f"""<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j'/>{BALL}<body name='b'><joint name='k' ref='.1'/>{BALL}
        <body name='c'><joint name='l'/>{BALL}</body></body></body></worldbody>
        <equality><joint joint1='k' joint2='j' polycoef='.2 2 0 0 0'/><joint joint1='l' joint2='k' polycoef='0 1 .5 0 0'/></equality></mujoco>"""
    model = load_mjcf(text)
    assert model.nv == 2 and model.bodies[2].mimic.ratio == 2.0 and math.isclose(model.bodies[2].mimic.offset, 0.3)
    assert any("equality constraints (joint)" in line for line in model.beyond)
    assert load_mjcf(text, mimic=False).nv == 3


MOTORS = {
    "<motor joint='j' ctrlrange='-2 3' gear='-4'/>": (12.0, 1.0, (0.0, 0.0, 0.0)),
    "<motor joint='j' ctrlrange='-2 3' forcerange='-1 1' gear='4'/>": (4.0, 1.0, (0.0, 0.0, 0.0)),
    "<position joint='j' kp='50' kv='3' ctrlrange='-2 3'/>": (math.inf, 50.0, (0.0, -50.0, -3.0)),
    "<position joint='j' kp='50' forcerange='-7 5'/>": (7.0, 50.0, (0.0, -50.0, 0.0)),
    "<velocity joint='j' kv='3' forcerange='-7 5'/>": (7.0, 3.0, (0.0, 0.0, -3.0)),
    "<general joint='j' gainprm='2' biastype='affine' biasprm='1 -2 -3' forcerange='-7 5'/>": (
        7.0,
        2.0,
        (1.0, -2.0, -3.0),
    ),
    "<general joint='j' gainprm='2' ctrlrange='-1 1'/>": (2.0, 2.0, (0.0, 0.0, 0.0)),
    "<general joint='j' class='d' ctrlrange='-1 1'/>": (math.inf, 9.0, (0.0, -9.0, 0.0)),
    "<motor tendon='t' ctrlrange='-2 2'/>": (6.0, 1.0, (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("motor", MOTORS)
def test_motors(motor):
    """Effort limits, and the law: MuJoCo's own joint force for a control, from gain, bias and arms."""
    text = f"""<mujoco><default><default class='d'><position kp='9'/></default></default>
        <worldbody><body name='a'><joint name='j'/>{BALL}<body name='b'><joint name='k' axis='1 0 0'/>{BALL}</body></body></worldbody>
        <tendon><fixed name='t'><joint joint='j' coef='3'/><joint joint='k' coef='.5'/></fixed></tendon><actuator>{motor}</actuator></mujoco>"""
    model = load_mjcf(text)
    effort, gain, bias = MOTORS[motor]
    assert (model.bodies[1].effort or (math.inf,)) == (effort,)
    (drive,) = model.drives
    assert drive.gain == gain and drive.bias == bias
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], d.ctrl[:] = [0.3, -0.2], [0.5, 0.7], 0.8
    mujoco.mj_forward(m, d)
    arms = np.array([dict(drive.arms).get(label, 0.0) for label in ("j", "k")])
    u = np.clip(0.8, *drive.control) if drive.control else 0.8
    force = gain * u + bias[0] + bias[1] * arms @ d.qpos + bias[2] * arms @ d.qvel
    force = np.clip(force, *drive.force) if drive.force else force
    assert np.allclose(arms * force, d.qfrc_actuator, rtol=1e-12, atol=1e-12)


BEYOND = {
    "contacts": one(f"<joint/>{BALL}"),
    "muscle": one(f"<joint name='j'/>{BALL}", after="<actuator><muscle joint='j' lengthrange='0 1'/></actuator>"),
    "spatial tendons": one(f"<joint/>{BALL}<site name='s'/><site name='t' pos='1 0 0'/>",
                           after="<tendon><spatial><site site='s'/><site site='t'/></spatial></tendon>"),
    "gravity compensation": one(f"<joint/>{BALL}<body name='b' gravcomp='1'>{BALL}</body>"),
    "air or water": one(f"<joint/>{BALL}", "<option density='1.2'/>"),
    "flexes": one(f"<joint/>{BALL}<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' mass='1' dim='2'/>"),
    "armature of a free joint": one(f"<joint type='free' armature='.1'/>{BALL}"),
    "springs of tendons": one(f"<joint name='j'/>{BALL}", after="<tendon><fixed stiffness='3'>"
        "<joint joint='j' coef='1'/></fixed></tendon>"),
}  # fmt: skip


@pytest.mark.parametrize("what", BEYOND)
def test_what_dynamics_cannot_represent_is_listed(what):
    robot = Robot(load_mjcf(BEYOND[what]))
    assert any(what in line for line in robot.model.beyond), robot.model.beyond
    assert any(what in remark.message for remark in robot.lint())


LINKAGE = f"""<mujoco><compiler angle='radian'/><worldbody>
  <body name='a'><joint name='j' axis='0 1 0' ref='.2'/>{BALL}<body name='b' pos='1 0 0'><joint name='k' axis='0 1 0'/>{BALL}</body></body>
  <body name='c' pos='1 0 1'><joint name='l' axis='0 1 0'/>{BALL}<site name='s' pos='.1 0 0'/></body></worldbody>
  <tendon><fixed name='t'><joint joint='j' coef='2'/><joint joint='k' coef='-1'/></fixed></tendon>
  <equality>%s</equality></mujoco>"""


@pytest.mark.parametrize(
    ("tie", "kind"),
    [
        ("<connect body1='b' body2='c' anchor='.1 .2 .3'/>", "point"),
        ("<connect body1='b' anchor='.1 .2 .3'/>", "point"),
        ("<weld body1='b' body2='c'/>", "fixed"),
        ("<tendon tendon1='t' polycoef='.1'/>", "gear"),
    ],
)
def test_closed_chains(tie, kind):
    """The loop's Jacobian spans that of MuJoCo's constraint, and both are closed in the file's own position."""
    text = LINKAGE % tie
    robot, m = Robot(load_mjcf(text)), mujoco.MjModel.from_xml_string(text)
    assert [loop.kind for loop in robot.model.loops] == [kind]
    d = mujoco.MjData(m)
    q = np.array(robot.model.home)
    assert np.abs(robot.constraint_residual(q)).max() < 1e-12
    d.qpos[:] = q
    mujoco.mj_forward(m, d)
    theirs = d.efc_J.reshape(-1, m.nv)[: m.nv * 2] if d.efc_J.size else np.zeros((0, m.nv))
    ours = robot.constraint_jacobian(q)
    both = np.linalg.matrix_rank(np.vstack([ours, theirs]), tol=1e-9)
    assert both == np.linalg.matrix_rank(ours, tol=1e-9) == np.linalg.matrix_rank(theirs, tol=1e-9)


def test_base():
    text = one(f"{BALL}<body name='b'><joint/>{BALL}</body>")
    assert load_mjcf(text).nv == 1
    loose = load_mjcf(text, base="floating")
    assert loose.nv == 7 and loose.bodies[1].name == "root_joint"
    assert load_mjcf(one(f"<freejoint/>{BALL}"), base="floating").nv == 6


def test_kinds_of_files(tmp_path):
    text = one(f"<joint/>{BALL}")
    (tmp_path / "a.xml").write_text(text)
    (tmp_path / "b.mjcf").write_text(text)
    (tmp_path / "c.xml").write_text("<!-- a robot --><robot name='r'><link name='l'/></robot>")
    (tmp_path / "d.xml").write_text("<html/>")
    (tmp_path / "e.urdf").write_text(text)
    assert load(tmp_path / "a.xml").nv == load(tmp_path / "b.mjcf").nv == load(text).nv == 1
    assert load(tmp_path / "c.xml").name == "r"
    with pytest.raises(ModelError, match="outermost element is <html>; ordern reads <robot>"):
        load(tmp_path / "d.xml")
    with pytest.raises(ModelError, match="outermost element is <mujoco>"):
        load(tmp_path / "e.urdf")


@pytest.mark.parametrize(
    "motor", ["<position joint='j' kp='5' kv='.3' forcerange='-2 2'/>", "<motor tendon='t' ctrlrange='-.5 .5'/>"]
)
def test_motors_drive_a_simulation(motor):
    """The same motion as MuJoCo's, from the file's own motors."""
    from ordern import control

    text = f"""<mujoco><compiler angle='radian'/><option timestep='1e-4' integrator='RK4'><flag contact='disable'/></option>
        <worldbody><body name='a'><joint name='j' axis='0 1 0' stiffness='2' damping='.1'/>{BALL}
        <body name='b' pos='.5 0 0'><joint name='k' axis='1 0 0'/>{BALL}</body></body></worldbody>
        <tendon><fixed name='t'><joint joint='j' coef='3'/><joint joint='k' coef='.5'/></fixed></tendon><actuator>{motor}</actuator></mujoco>"""
    robot, m = Robot(load_mjcf(text)), mujoco.MjModel.from_xml_string(text)
    run = robot.simulate([0.1, -0.2], [0.0, 0.0], duration=0.5, torque=control.Drives(robot, 0.8), output_dt=0.5)
    d = mujoco.MjData(m)
    d.qpos[:], d.ctrl[:] = [0.1, -0.2], 0.8
    for _ in range(5000):
        mujoco.mj_step(m, d)
    assert np.allclose(run.q[-1], d.qpos, rtol=0, atol=1e-6)  # RK4 at 0.1 ms, and the corners of the limits
    with pytest.raises(Exception, match="has no motors"):
        bare = Robot(load_mjcf(one(f"<joint/>{BALL}")))
        bare.simulate([0.0], [0.0], duration=0.1, torque=control.Drives(bare))
