"""MJCF against MuJoCo, where one part of a description depends on others: frames, classes, copies, attached models, motors."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import ordern
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_bodies import quaternion
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.errors import ModelError
from ordern.model import Placement
from ordern.program.interpret import interpret
from ordern.simulate.right_hand_side import Motion

from .mujoco_oracle import errors

CLOSE = 1e-9  # see mujoco_oracle
BALL = "<geom type='sphere' size='.1' mass='1' pos='.1 .2 .3'/>"
CUBE = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
FACES = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5"


def one(inside, before="", after=""):
    return f"<mujoco>{before}<worldbody><body name='a' pos='.1 .2 .3'>{inside}</body></worldbody>{after}</mujoco>"


TOGETHER = {
    "inertial in a frame": one(
        "<joint axis='1 1 0'/><frame pos='1 2 3' euler='10 20 30'><inertial pos='.1 .2 .3' mass='2' diaginertia='.1 .2 .25'/></frame>"),
    "full inertia in frames": one(
        "<joint axis='1 1 0'/><frame pos='1 2 3'><frame euler='0 40 0'>"
        "<inertial pos='.1 .2 .3' mass='2' fullinertia='.1 .2 .25 .01 .02 .03'/></frame></frame>"),
    "mass for bodies without any": one(
        f"<joint axis='1 0 0'/>{BALL}<body name='b' pos='.3 .4 .5'><joint axis='0 1 1'/></body>", "<compiler boundmass='.5' boundinertia='.1'/>"),
    "a size that is shorter than its class's": one(
        "<joint axis='1 0 0'/><geom size='.2'/>", "<default><geom type='box' size='.1 .3 .4'/></default>"),
    "sizes of nested classes": one(
        "<joint axis='1 0 0'/><geom class='c' size='.2'/>",
        "<default><geom type='ellipsoid' size='.1 .3 .4'/><default class='c'><geom size='.5 .6'/></default></default>"),
    "ten copies": one(f"<joint/>{BALL}<replicate count='10' offset='.1 0 0'><body name='b'><joint name='j'/>{BALL}</body></replicate>"),
}  # fmt: skip


@pytest.mark.parametrize("what", TOGETHER)
def test_together(what):
    text = TOGETHER[what]
    found = errors(mujoco.MjModel.from_xml_string(text), load_mjcf(text))
    assert max(found.values()) < CLOSE, found


def test_exact_meshes_of_older_files():
    """MuJoCo before 3.2 had an option for all meshes in place of an attribute of each."""
    asset = f"<asset><mesh name='m' vertex='{CUBE} 0 0 .5' face='{FACES} 1 0 8' scale='.1 .2 .3' %s/></asset>"
    inside = "<joint/><geom type='mesh' mesh='m' pos='.1 0 0'/>"
    old = load_mjcf(one(inside, "<compiler exactmeshinertia='true'/>" + asset % ""))
    new = load_mjcf(one(inside, asset % "inertia='exact'"))
    assert old.bodies[1].inertia == new.bodies[1].inertia != load_mjcf(one(inside, asset % "")).bodies[1].inertia


COPIED = f"""<mujoco><worldbody><body name='z'><joint name='zj'/>{BALL}</body>
  <replicate count='2' offset='0 1 0'><body name='b'><joint name='j'/>{BALL}
  <body name='c' pos='1 0 0'><joint name='k'/>{BALL}</body></body></replicate>
  </worldbody>
  <tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='2'/></fixed>
    <fixed name='u'><joint joint='zj' coef='1'/><joint joint='k' coef='2'/></fixed></tendon>
  <equality><joint name='e' joint1='k' joint2='j'/></equality>
  <actuator><motor name='m' joint='j'/><motor name='mz' joint='zj'/><motor name='mt' tendon='t'/><motor name='mu' tendon='u'/></actuator></mujoco>"""


def same_motors(m, model):
    """The motors in MuJoCo's order, with the same arms."""
    names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_ACTUATOR, k) for k in range(m.nu)]
    assert [d.name for d in model.drives] == names
    data = mujoco.MjData(m)
    mujoco.mj_forward(m, data)
    moment = np.zeros((m.nu, m.nv))
    mujoco.mju_sparse2dense(moment, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind)
    joints = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(m.njnt)]
    for k, drive in enumerate(model.drives):
        assert dict(drive.arms) == {joints[j]: moment[k, j] for j in np.flatnonzero(moment[k])}


def test_what_names_copied_joints_is_copied():
    m, model = mujoco.MjModel.from_xml_string(COPIED), load_mjcf(COPIED, mimic=False)
    assert max(errors(m, model).values()) < CLOSE
    same_motors(m, model)
    followers = {b.name: model.bodies[b.mimic.body].name for b in load_mjcf(COPIED).bodies if b.mimic is not None}
    assert followers == {"k0": "j0", "k1": "j1"}


HAND = f"""<mujoco><worldbody><frame name='f' pos='0 0 5'><body name='palm' pos='.1 0 0'><joint name='w'/>{BALL}</body></frame>
  <body name='other'><joint name='o'/>{BALL}</body></worldbody>
  <tendon><fixed name='t'><joint joint='w' coef='1'/><joint joint='o' coef='1'/></fixed></tendon>
  <actuator><motor name='mo' joint='o'/><motor name='mw' joint='w'/></actuator><keyframe><key name='home' qpos='.1 .2'/></keyframe></mujoco>"""


@pytest.mark.parametrize(
    "attach",
    [
        "<attach model='hand' body='palm' prefix='l_'/>",
        "<attach model='hand' prefix='l_'/>",
        "<attach model='hand' frame='f' prefix='l_'/>",
        "<attach model='hand' body='palm' prefix='l_'/><body name='q'><attach model='hand' body='palm' prefix='r_'/></body>",
        "<replicate count='2' offset='0 0 1'><attach model='hand' body='palm' prefix='l_'/></replicate>",
    ],
)
def test_what_names_attached_joints_comes_along(tmp_path, attach):
    (tmp_path / "hand.xml").write_text(HAND)
    path = tmp_path / "arm.xml"
    path.write_text(
        f"<mujoco><asset><model name='hand' file='hand.xml'/></asset><worldbody><body name='a' pos='0 0 1'><joint name='j'/>{BALL}{attach}</body>"
        "</worldbody><actuator><motor name='first' joint='j'/></actuator></mujoco>"
    )
    m, model = mujoco.MjModel.from_xml_path(str(path)), load(path)
    assert max(errors(m, model).values()) < CLOSE
    same_motors(m, model)
    assert any("named states of attached models" in line for line in model.beyond)


@pytest.mark.parametrize("part", ["", "body='palm'"])
@pytest.mark.parametrize("copies", ["%s", "<replicate count='3' sep='x' offset='0 0 1'>%s</replicate>"])
def test_what_names_copies_within_an_attached_model_comes_along(tmp_path, part, copies):
    finger = f"<replicate count='2' sep='-' euler='0 0 90'><body name='f' pos='.1 0 0'><joint name='k'/>{BALL}</body></replicate>"
    (tmp_path / "hand.xml").write_text(
        f"<mujoco><worldbody><body name='palm'><joint name='w'/>{BALL}{finger}</body></worldbody><tendon><fixed name='t'>"
        "<joint joint='k-0' coef='2'/><joint joint='w' coef='1'/></fixed></tendon>"
        "<actuator><motor name='m' joint='k-1' gear='3'/><motor name='n' tendon='t'/></actuator></mujoco>"
    )
    inside = f"<joint name='j'/>{BALL}{copies}" % f"<attach model='hand' {part} prefix='l_'/>"
    (tmp_path / "arm.xml").write_text(one(inside, "<asset><model name='hand' file='hand.xml'/></asset>"))
    m, model = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml")), load(tmp_path / "arm.xml")
    assert max(errors(m, model).values()) < CLOSE and len(model.drives) == m.nu
    same_motors(m, model)


HARMLESS = {
    "file of looks": ("<mujoco><visual><map znear='.01'/></visual><statistic extent='2'/></mujoco>", "<include file='part.xml'/>", ""),
    "model by its own name": (HAND.replace("<mujoco", "<mujoco model='Hand'"),
        "<asset><model file='part.xml'/></asset>", "<attach model='Hand' prefix='l_'/>"),
    "model without a name": (HAND, "<asset><model file='part.xml'/></asset>", "<attach model='MuJoCo Model' body='palm' prefix='l_'/>"),
    "prefix of copies": ("", "", f"<replicate count='2' prefix='p'><body name='b'><joint name='k'/>{BALL}</body></replicate>"),
    "ball that a class limits": ("", "<default><joint limited='true'/></default>", f"<body name='b'><joint name='k' type='ball'/>{BALL}</body>"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_files_in_the_field_have(tmp_path, kind):
    part, before, inside = HARMLESS[kind]
    (tmp_path / "part.xml").write_text(part)
    path = tmp_path / "arm.xml"
    path.write_text(
        f"<mujoco>{before}<worldbody><body name='a' pos='0 0 1'><joint name='j' range='-90 90'/>{BALL}{inside}</body></worldbody></mujoco>"
    )
    assert max(errors(mujoco.MjModel.from_xml_path(str(path)), load(path)).values()) < CLOSE


BEYOND = {
    "spring that yields": one(f"<joint stiffness='3' springyield='.1'/>{BALL}"),
    "limits of tendons": one(f"<joint name='j'/>{BALL}", after="<tendon><fixed range='-1 1'><joint joint='j' coef='2'/></fixed></tendon>"),
    "alignment of its frame": one(f"<joint type='free'/>{BALL}", "<compiler alignfree='true'/>"),
    "actuators of their own dynamics": one(
        f"<joint name='j'/>{BALL}", after="<actuator><motor joint='j' delay='.1' nsample='50'/></actuator>"),
    "inertia of tendons": one(
        f"<joint name='j'/><joint name='k' axis='1 0 0'/>{BALL}",
        after="<tendon><fixed name='t'><joint joint='j' coef='2'/><joint joint='k' coef='2'/></fixed></tendon>"
        "<actuator><motor tendon='t' armature='.1'/></actuator>"),
}  # fmt: skip


@pytest.mark.parametrize("what", BEYOND)
def test_what_is_left_out_is_listed(what):
    mujoco.MjModel.from_xml_string(BEYOND[what])
    assert any(what in line for line in load_mjcf(BEYOND[what]).beyond)


MESH = f"<asset><mesh name='m' vertex='{CUBE}' scale='.1 .1 .1'/></asset>"
REFUSED = {
    "a ball joint's begins at 0": one(f"<joint type='ball' range='1 2'/>{BALL}"),
    "write inertia='shell' at the <mesh>": one("<joint/><geom type='mesh' mesh='m' shellinertia='true'/>", MESH),
    "it pulls on nothing": one(f"<joint name='j'/>{BALL}", after="<actuator><motor ctrlrange='-1 1'/></actuator>"),
    "kv and dampratio both": one(f"<joint name='j'/>{BALL}", after="<actuator><position joint='j' kv='1' dampratio='1'/></actuator>"),
    "ctrlrange and inheritrange both": one(
        f"<joint name='j' range='0 1'/>{BALL}", after="<actuator><position joint='j' ctrlrange='0 1' inheritrange='1'/></actuator>"),
    **{
        f"{key} {low} to {high} is empty": one(
            f"<joint name='j'/>{BALL}", after=f"<actuator><motor joint='j' {key[:-5]}limited='true' {given}/></actuator>")
        for key in ("ctrlrange", "forcerange")
        for low, high, given in ((0.0, 0.0, ""), (0.0, 0.0, f"{key}='0 0'"), (2.0, 2.0, f"{key}='2 2'"), (1.0, -1.0, f"{key}='1 -1'"))
    },
    **{
        f"actuatorfrcrange {low} to {high} leaves no force": one(f"<joint name='j' actuatorfrclimited='true' {given}/>{BALL}")
        for low, high, given in ((0.0, 0.0, ""), (2.0, 2.0, "actuatorfrcrange='2 2'"), (1.0, -1.0, "actuatorfrcrange='1 -1'"))
    },
    "the joint has no range": one(f"<joint name='j'/>{BALL}", after="<actuator><position joint='j' inheritrange='1'/></actuator>"),
    "autolimits is off": one(
        f"<joint name='j'/>{BALL}", "<compiler autolimits='false'/>", "<actuator><motor joint='j' ctrlrange='0 1'/></actuator>"),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_mujoco_refuses_is_refused(message):
    with pytest.raises(ValueError, match="rror"):
        mujoco.MjModel.from_xml_string(REFUSED[message])
    with pytest.raises(ModelError) as caught:
        load_mjcf(REFUSED[message])
    assert message in str(caught.value)


@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize(
    "form", [lambda model: model, lambda m: loads_toml(to_toml(m)), lambda m: load_mjcf(to_mjcf(m))]
)
def test_motors_without_names_are_told_apart(between, form):
    """Wherever they stand, and whatever another one is called; so they can be written."""
    motors = [
        f"<motor {name} joint='{joint}' gear='{k + 1}'/>"
        for k, (name, joint) in enumerate((("", "j"), ("", "k"), ("name='line 1 (2)'", "j"), ("", "k")))
    ]
    bodies = f"<joint name='j'/>{BALL}<body name='b'><joint name='k' axis='1 0 0'/>{BALL}</body>"
    model = form(load_mjcf(one(bodies, after=f"<actuator>{between.join(motors)}</actuator>")))
    assert [dict(drive.arms) for drive in model.drives] == [{"j": 1.0}, {"k": 2.0}, {"j": 3.0}, {"k": 4.0}]
    assert len({drive.name for drive in model.drives}) == 4


@pytest.mark.parametrize("key", ["control", "force"])
@pytest.mark.parametrize("end", [0.0, 2.0, -1.0])
def test_motors_that_mujoco_refuses_are_not_written(key, end):
    model = load_mjcf(
        one(f"<joint name='j'/>{BALL}", after="<actuator><motor name='m' joint='j' ctrlrange='-1 1'/></actuator>")
    )
    still = replace(model, drives=tuple(replace(drive, **{key: (end, end)}) for drive in model.drives))
    assert loads_toml(to_toml(still)).drives == still.drives
    with pytest.raises(ModelError, match=f"motor 'm': its {key} stays at {end}"):
        to_mjcf(still)


def test_springs_by_damping_ratio_need_inertia():
    with pytest.raises(ModelError, match="springdamper of joint 'j' needs the inertia it works on"):
        load_mjcf(one(f"<joint name='j' springdamper='.1 1'/><joint name='k'/>{BALL}"))


@pytest.mark.parametrize("given", ['qpos="1"', 'qpos="1 2 3"', 'qpos="1 2 3 4 5"', 'qvel="1 2"', 'qpos=""', ""])
def test_keyframes_of_fewer_numbers_go_on_as_the_file_stands(given):
    text = f"""<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/><body><joint ref=".5"/>
    <geom size=".1" pos=".3 0 0"/></body></body></worldbody><keyframe><key name="k" {given}/></keyframe></mujoco>"""
    m, state = mujoco.MjModel.from_xml_string(text), load_mjcf(text).states[-1]
    x, y, z, a, b, c, w, angle = state.q
    assert state.name == "k" and np.allclose(m.key_qpos[0], [x, y, z, w, a, b, c, angle], atol=1e-15)
    assert np.allclose(sorted(m.key_qvel[0]), sorted(state.qd), atol=1e-15)


def test_ties_to_soft_bodies_are_listed():
    flex = '<flexcomp name="soft" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" mass="1" dim="2"/>'
    arm = '<body name="a"><joint/><geom size=".1"/></body>'
    tie = '<equality><connect body1="%s" body2="a" anchor="0 0 0"/></equality>'
    text = f"<mujoco><worldbody>{flex}{arm}</worldbody>{tie % 'soft_0'}</mujoco>"
    assert mujoco.MjModel.from_xml_string(text).neq == 1
    assert any("equality constraints (connect)" in line for line in load_mjcf(text).beyond)
    with pytest.raises(ModelError, match="no body 'soft_0'"):
        load_mjcf(f"<mujoco><worldbody>{arm}</worldbody>{tie % 'soft_0'}</mujoco>")


def test_servos_on_joints_without_inertia_of_their_own_are_refused():
    """Two hinges on one axis: how they share the inertia is undefined, and MuJoCo's number for it is rounding."""
    twice = "<joint name='a' axis='1 2 3' pos='.1 .2 .3'/><joint name='b' axis='1 2 3' pos='.1 .2 .3'/>"
    motor = "<actuator><position joint='b' kp='2' dampratio='1'/></actuator>"
    with pytest.raises(ModelError, match="some joint of the robot moves none"):
        load_mjcf(one(f"{twice}{BALL}", after=motor))


@pytest.mark.parametrize("outer", ["", "boundmass='.7'", "boundinertia='.2'", "inertiagrouprange='1 2'"])
@pytest.mark.parametrize(
    "inner", ["", "boundmass='2'", "boundinertia='.5'", "inertiafromgeom='true'", "inertiagrouprange='2 3'"]
)
@pytest.mark.parametrize("what", ["body='c'", "frame='f'"])
def test_options_of_attached_models_are_for_their_own_bodies(tmp_path, outer, inner, what):
    """A model attached as the first thing in a body leaves the inertia of that body as its own file says."""
    shapes = "".join(f"<geom size='.1' pos='.{k} .2 .3' group='{k}' mass='1'/>" for k in (1, 2, 3))
    both = f"<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/>{shapes}"
    (tmp_path / "in.xml").write_text(
        f"<mujoco><compiler {inner}/><worldbody><body name='c' pos='1 0 0'><joint/>{both}</body>"
        f"<frame name='f' pos='0 0 1'>{shapes}</frame></worldbody></mujoco>"
    )
    before = f"<compiler {outer}/><asset><model name='m' file='in.xml'/></asset>"
    text = one(f"<attach model='m' {what} prefix='p_'/><joint axis='0 1 0'/>{shapes}<body name='none'/>", before)
    (tmp_path / "out.xml").write_text(text)
    m = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    found = errors(m, load_mjcf(tmp_path / "out.xml"))
    assert max(found.values()) < CLOSE, found


MOTORS = """<mujoco><compiler angle="radian"/><worldbody><body><joint name="j1" axis="0 1 0"/>{g}<body pos=".3 0 0">
<joint name="j2" axis="0 1 0"/>{g}<body pos=".2 0 0"><joint name="j3" axis="1 0 0"/>{g}<body pos="0 0 .1">
<joint name="j4" type="slide" axis="0 0 1"/>{g}</body></body></body></body></worldbody>
<equality><joint joint1="j2" joint2="j1" polycoef=".1 .7 0 0 0"/></equality>
<tendon><fixed name="t"><joint joint="j2" coef=".7"/><joint joint="j3" coef="-.4"/><joint joint="j4" coef="2"/></fixed></tendon>
<actuator><position name="m2" joint="j2" kp="3" kv=".2"/><velocity name="m3" joint="j3" kv=".3"/>
<position name="mt" tendon="t" kp="1.5" kv=".1"/><motor name="m4" joint="j4"/></actuator></mujoco>""".format(
    g='<geom type="box" size=".1 .08 .05" pos=".1 .02 .03"/>'
)


@pytest.mark.parametrize("way", ["load", "with_locked", "toml", "with_locked of toml"])
@pytest.mark.parametrize(
    "locked", [{"j3": 0.4}, {"j4": 0.3}, {"j1": -0.5}, {"j1": 0.2, "j4": -0.1}, {"j2": 0.3, "j3": 0.1}]
)
def test_motors_pull_on_what_is_not_locked_as_before(tmp_path, locked, way):
    """Against MuJoCo's forces of the whole robot with those joints at rest there; j2 follows j1, and stands if that does."""
    (tmp_path / "x.xml").write_text(MOTORS)
    whole = ordern.load(tmp_path / "x.xml")
    whole.save(tmp_path / "x.toml")
    if way in ("load", "toml"):
        robot = ordern.load(tmp_path / ("x.toml" if way == "toml" else "x.xml"), locked=locked)
    else:
        robot = (ordern.load(tmp_path / "x.toml") if "toml" in way else whole).with_locked(locked)
    q, qd = (
        {"j1": 0.3, "j3": -0.2, "j4": 0.05} | locked,
        {"j1": 0.7, "j3": -0.4, "j4": 0.2} | dict.fromkeys(locked, 0.0),
    )
    if "j2" not in locked:
        q["j2"], qd["j2"] = 0.7 * q["j1"] + 0.1, 0.7 * qd["j1"]
    m = mujoco.MjModel.from_xml_string(MOTORS)
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:] = ([x[f"j{k}"] for k in (1, 2, 3, 4)] for x in (q, qd))
    control = dict(zip(("m2", "m3", "mt", "m4"), (0.5, -0.6, 0.8, 0.3), strict=True))
    d.ctrl[:] = list(control.values())
    mujoco.mj_forward(m, d)
    force = dict(zip(("j1", "j2", "j3", "j4"), d.qfrc_actuator, strict=True))
    if "j1" not in locked and "j2" not in locked:
        force["j1"] += 0.7 * force["j2"]
    left = {name: u for name, u in control.items() if name in [drive.name for drive in robot.model.drives]}
    motion = Motion(robot.model, ordern.control.Drives(robot, left))
    free = [robot.model.bodies[i].name for i in robot.model.free]
    state = {"q": np.array([q[n] for n in free]), "qd": np.array([qd[n] for n in free])}
    tau = interpret(motion.program("drive"), state | {key: c.values for key, c in motion.channels.items()})["tau"]
    np.testing.assert_allclose(tau, [force[n] for n in free], rtol=0, atol=1e-14)  # sums of three numbers below 2


OPTIONS = (
    "",
    "<option gravity='2 0 -5'/>",
    "<option><flag gravity='disable'/></option>",
    "<option gravity='0 0 0'><flag spring='disable' limit='disable'/></option>",
)


@pytest.mark.parametrize("policy", ["warning", "merge", "error"])
def test_options_of_attached_models_count_if_the_file_says_so(tmp_path, policy):
    """Gravity and switches of three files, each of which attaches the next, against MuJoCo; it refuses two gravities."""
    body, refused, X = (
        "<body><joint stiffness='3' range='-1 1'/><geom size='.1' mass='1'/></body>",
        0,
        mujoco.mjtDisableBit,
    )
    for choice in np.ndindex(4, 4, 4):
        for k, name in enumerate("abc"):
            there = f"<asset><model name='m' file='{'bc'[k]}.xml'/></asset>" if k < 2 else ""
            inside = body + ("<attach model='m' prefix='x'/>" if k < 2 else "")
            top = f"<compiler conflict='{policy}'/>{OPTIONS[choice[k]]}{there}<worldbody>{inside}</worldbody>"
            (tmp_path / f"{name}.xml").write_text(f"<mujoco>{top}</mujoco>")
        try:
            m = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
        except ValueError:
            with pytest.raises(ModelError, match="gravity of the attached model"):
                load(tmp_path / "a.xml")
            refused += 1
            continue
        model, switches = load(tmp_path / "a.xml"), (X.mjDSBL_GRAVITY, X.mjDSBL_SPRING, X.mjDSBL_LIMIT)
        off = [bool(m.opt.disableflags & int(switch)) for switch in switches]
        assert model.gravity == ((0.0, 0.0, 0.0) if off[0] else tuple(m.opt.gravity)), choice
        for joint in model.bodies[1:]:
            assert [not joint.stiffness, not joint.lower] == off[1:], choice
    assert (refused > 0) == (policy != "warning")


def test_welds_hold_what_mujoco_holds():
    """With an anchor, a pose and a scale of the torque, each or all: where our frames meet MuJoCo's equations are met, and as many count."""
    rng, body = np.random.default_rng(3), "<body name='%s' pos='%s' euler='%s'><freejoint/><geom size='.1'/></body>"
    some = lambda n: " ".join(f"{x:.3f}" for x in rng.uniform(-1, 1, n))  # noqa: E731
    for anchor, pose, torque, first in ((0, 1, 0, 1), (1, 0, 2, 0), (1, 1, 0, 1), (1, 1, 1, 0), (1, 2, 1, 1)):
        tie = f"anchor='{some(3)}' " * anchor + ("", f"relpose='{some(7)}' ", f"relpose='{some(3)} 0 0 0 0' ")[pose]
        tie += ("", "torquescale='0'", "torquescale='2'")[torque] + " body2='b'" * first
        bodies = "".join(body % (name, some(3), some(3)) for name in "ab")
        text = f"<mujoco><compiler angle='radian'/><worldbody>{bodies}</worldbody><equality><weld body1='a' {tie}/></equality></mujoco>"
        m, (loop,) = mujoco.MjModel.from_xml_string(text), load_mjcf(text).loops
        d, away = mujoco.MjData(m), Placement.from_rpy(rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3))
        a = away if first else loop.frame2 @ loop.frame1.inverse()  # without body2 it is the world
        b = away @ loop.frame1 @ loop.frame2.inverse()
        d.qpos[:] = [*a.origin, *quaternion(a.rotation), *b.origin, *quaternion(b.rotation)]
        mujoco.mj_forward(m, d)
        rows = d.efc_J.reshape(d.nefc, m.nv)[d.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
        assert np.abs(d.efc_pos[d.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]).max() < 1e-14, text  # a few eps
        assert np.count_nonzero(np.abs(rows).max(axis=1)) == {"point": 3, "fixed": 6}[loop.kind], text


def test_flags_that_switch_off_more_than_one_thing():
    """Without constraints there are no limits and no friction either; without clamping no control is too large."""
    inside = "<joint name='j' range='-1 1' frictionloss='.2'/><geom size='.1' mass='1'/>"
    motor = "<actuator><motor name='m' joint='j' ctrlrange='-2 2'/></actuator>"
    for flag, none in (("constraint", True), ("clampctrl", False)):
        text = one(inside, f"<option><flag {flag}='disable'/></option>", motor)
        m, model = mujoco.MjModel.from_xml_string(text), load_mjcf(text)
        d, joint = mujoco.MjData(m), model.bodies[1]
        d.qpos[0], d.qvel[0], d.ctrl[0] = 2.0, 1.0, 5.0
        mujoco.mj_forward(m, d)
        assert (d.nefc == 0) == none == (not (joint.lower or joint.upper or joint.friction))
        assert (d.qfrc_actuator[0] == 5.0) == (not none) == (not model.drives[0].control) == (not joint.effort)


def test_limits_and_groups_of_motors_that_are_not_here_are_told():
    text = one(
        "<joint name='j'/><geom size='.1' mass='1'/>",
        "<option actuatorgroupdisable='0 1'/>",
        "<tendon><fixed name='t' actuatorfrcrange='-1 1'><joint joint='j' coef='2'/></fixed></tendon>",
    )
    mujoco.MjModel.from_xml_string(text)
    beyond = "\n".join(load_mjcf(text).beyond)
    assert "groups of motors that are switched off" in beyond and "all motors of a tendon pull with: 't'" in beyond
