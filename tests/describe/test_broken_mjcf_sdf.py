"""Broken MJCF and SDF: each is refused with file, line, element or value; and whatever is in a file, only the library's own errors come out."""

import contextlib
import re
import time
import warnings

import pytest
from hypothesis import given, settings

from ordern.describe.lint import lint
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.errors import ModelError, OrdernError, OrdernWarning

from .test_fuzz import mutated

MJCF = """<mujoco model="arm">
  <compiler angle="radian" eulerseq="xyz"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <joint damping="0.1"/>
    <default class="x"><geom density="500"/></default>
  </default>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body name="a" pos="0 0 1" quat="1 0 0 0">
      <joint name="j" type="hinge" axis="0 0 1" range="-1 1" armature="0.2" stiffness="2"/>
      <geom type="box" size="0.1 0.2 0.3" mass="1" class="x"/>
      <body name="b" pos="1 0 0" euler="0.1 0.2 0.3">
        <inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.1 0.1"/>
        <joint name="k" type="slide" axis="1 0 0"/>
        <geom type="capsule" size="0.1" fromto="0 0 0 0 0 1"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <equality><joint joint1="k" joint2="j" polycoef="0 1 0 0 0"/></equality>
  <actuator><motor name="p" joint="j" gear="3" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="home" qpos="0.1 0.2"/></keyframe>
</mujoco>
"""
SDF = """<sdf version="1.9">
  <model name="arm">
    <link name="a">
      <pose>0 0 0 0 0 0</pose>
      <inertial>
        <pose>0 0 0.1 0 0 0</pose>
        <mass>1</mass>
        <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia>
      </inertial>
      <visual name="v"><geometry><box><size>1 2 3</size></box></geometry></visual>
    </link>
    <link name="b">
      <pose relative_to="j">0 0 0.5 0 0 0</pose>
      <inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>
    </link>
    <frame name="f" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>
    <joint name="j" type="revolute">
      <pose relative_to="f">0 0 0 0 0 0</pose>
      <parent>a</parent>
      <child>b</child>
      <axis>
        <xyz expressed_in="__model__">0 0 1</xyz>
        <limit><lower>-1</lower><upper>1</upper><effort>10</effort><velocity>2</velocity></limit>
        <dynamics><damping>0.1</damping><spring_stiffness>1</spring_stiffness></dynamics>
      </axis>
    </joint>
  </model>
</sdf>
"""
BAD = {"nan": "nan", "inf": "inf", "comma": "1,5", "word": "zero", "overflow": "1e999", "hex": "0x10", "xacro": "${pi}"}
ATTRIBUTES = [
    'pos="0 0 1"', 'quat="1 0 0 0"', 'axis="0 0 1"', 'range="-1 1"', 'armature="0.2"', 'stiffness="2"', 'size="0.1 0.2 0.3"', 'mass="1"',
    'euler="0.1 0.2 0.3"', 'mass="2"', 'diaginertia="0.1 0.1 0.1"', 'fromto="0 0 0 0 0 1"', 'gravity="0 0 -9.81"', 'coef="1"', 'gear="3"',
    'polycoef="0 1 0 0 0"', 'ctrlrange="-1 1"', 'qpos="0.1 0.2"', 'damping="0.1"', 'density="500"',
]  # fmt: skip
ELEMENTS = ["<pose>0 0 0.1 0 0 0</pose>", "<mass>1</mass>", "<ixx>0.1</ixx>", "<xyz expressed_in=\"__model__\">0 0 1</xyz>", "<damping>0.1</damping>",
            "<effort>10</effort>", "<size>1 2 3</size>", "<pose relative_to=\"f\">0 0 0 0 0 0</pose>"]  # fmt: skip


def numbers():
    """Every number of both files, broken in every way: a corpus that makes itself."""
    made = {}
    for attribute in ATTRIBUTES:
        key, value = attribute.split("=")
        for name, bad in BAD.items():
            if attribute == 'density="500"' and name in ("inf",):
                continue
            broken = " ".join([bad, *value.strip('"').split()[1:]])
            made[f"mjcf {attribute} {name}"] = (MJCF, attribute, f'{key}="{broken}"', key)
        if key not in ("size", "qpos", "gear", "polycoef", "stiffness", "damping"):
            made[f"mjcf {attribute} too many"] = (MJCF, attribute, f'{key}={value[:-1]} 1 1 1 1"', key)
    for element in ELEMENTS:
        head, rest = element.split(">", 1)
        value, tail = rest.split("<", 1)
        for name, bad in BAD.items():
            if element.startswith("<effort") and name == "inf":
                continue  # no limit
            broken = " ".join([bad, *value.split()[1:]])
            made[f"sdf {element} {name}"] = (SDF, element, f"{head}>{broken}<{tail}", head[1:].split()[0])
        made[f"sdf {element} too many"] = (SDF, element, f"{head}>{value} 1 1<{tail}", head[1:].split()[0])
    return made


NUMBERS = numbers()
# name: (text, what to replace, by what, what the message says)
BROKEN = {
    "mjcf not xml": (MJCF, "</mujoco>", "", "not XML: the file ends before"),
    "mjcf doctype": (MJCF, "<mujoco", '<!DOCTYPE m [<!ENTITY a "b">]>\n<mujoco', "DOCTYPE.*remove"),
    "mjcf entity bomb": (MJCF, "<mujoco", '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<mujoco', "DOCTYPE"),
    "mjcf entity": (MJCF, 'name="a"', 'name="&a;"', "undefined entity"),
    "mjcf no bodies": (MJCF, MJCF[MJCF.index("<worldbody>") : MJCF.index("</mujoco>")], "<worldbody/>", "no <body> in <worldbody>"),
    "mjcf section": (MJCF, "<tendon>", "<tendons/><tendon>", "no section <tendons>.*did you mean 'tendon'"),
    "mjcf body attribute": (MJCF, 'pos="1 0 0"', 'position="1 0 0"', "no attribute 'position'.*pos"),
    "mjcf joint attribute": (MJCF, 'armature="0.2"', 'armatur="0.2"', "no attribute 'armatur'.*'armature'"),
    "mjcf geom attribute": (MJCF, 'mass="1"', 'masss="1"', "no attribute 'masss'"),
    "mjcf inertial attribute": (MJCF, "diaginertia", "inertia", "no attribute 'inertia'"),
    "mjcf compiler attribute": (MJCF, "eulerseq", "eulersequence", "no attribute 'eulersequence'"),
    "mjcf option attribute": (MJCF, "gravity=", "gravitation=", "no attribute 'gravitation'"),
    "mjcf motor attribute": (MJCF, "gear=", "gears=", "no attribute 'gears'"),
    "mjcf body child": (MJCF, '<joint name="k" type="slide" axis="1 0 0"/>', "<jiont/>", "no <jiont> in <body>.*joint"),
    "mjcf default child": (MJCF, '<joint damping="0.1"/>', "<joints/>", "no <joints> in <default>"),
    "mjcf no class": (MJCF, 'class="x"/>\n      <body', 'class="y"/>\n      <body', "no default class 'y'"),
    "mjcf second class": (MJCF, "</default>\n  </default>", '</default><default class="x"/></default>', "second class is called 'x'"),
    "mjcf class without name": (MJCF, '<default class="x">', "<default>", "'class' is missing"),
    "mjcf main renamed": (MJCF, "<default>\n    <joint", '<default class="top">\n    <joint', "outermost default class is 'main'"),
    "mjcf childclass": (MJCF, '<body name="b"', '<body name="b" childclass="q"', "no default class 'q'"),
    "mjcf angle": (MJCF, 'angle="radian"', 'angle="radians"', "'radians' is not among degree, radian"),
    "mjcf euler order": (MJCF, 'eulerseq="xyz"', 'eulerseq="xyw"', "eulerseq='xyw'"),
    "mjcf global coordinates": (MJCF, 'angle="radian"', 'coordinate="global"', "global coordinates are no longer"),
    "mjcf joint type": (MJCF, '"hinge"', '"hing"', "'hing' is not among.*'hinge'"),
    "mjcf geom type": (MJCF, '"box"', '"cube"', "'cube' is not among"),
    "mjcf no axis": (MJCF, 'axis="0 0 1"', 'axis="0 0 0"', "give it a direction"),
    "mjcf empty range": (MJCF, 'range="-1 1"', 'range="1 -1"', "leaves no way"),
    "mjcf negative mass": (MJCF, 'mass="2"', 'mass="-2"', "must not be negative"),
    "mjcf negative geom": (MJCF, 'mass="1"', 'mass="-1"', "must not be negative"),
    "mjcf negative size": (MJCF, 'size="0.1 0.2 0.3"', 'size="-0.1 0.2 0.3"', "positive numbers"),
    "mjcf size too short": (MJCF, 'size="0.1 0.2 0.3"', 'size="0.1"', "a box needs 3"),
    "mjcf fromto of a sphere": (MJCF, '"capsule"', '"sphere"', "fromto is for"),
    "mjcf fromto and pos": (MJCF, 'fromto="0 0 0 0 0 1"', 'fromto="0 0 0 0 0 1" pos="1 0 0"', "both say where it is"),
    "mjcf fromto a point": (MJCF, 'fromto="0 0 0 0 0 1"', 'fromto="0 0 0 0 0 0"', "two different ends"),
    "mjcf negative armature": (MJCF, 'armature="0.2"', 'armature="-0.2"', "must not be negative"),
    "mjcf negative stiffness": (MJCF, 'stiffness="2"', 'stiffness="-2"', "must not be negative"),
    "mjcf zero quaternion": (MJCF, 'quat="1 0 0 0"', 'quat="0 0 0 0"', "quaternion is zero"),
    "mjcf two orientations": (MJCF, 'euler="0.1 0.2 0.3"', 'euler="0.1 0.2 0.3" quat="1 0 0 0"', "both say how it is turned"),
    "mjcf flat axes": (MJCF, 'euler="0.1 0.2 0.3"', 'xyaxes="1 0 0 2 0 0"', "has no direction"),
    "mjcf two inertials": (MJCF, "<inertial", '<inertial pos="0 0 0" mass="1"/><inertial', "second <inertial>"),
    "mjcf impossible inertia": (MJCF, 'diaginertia="0.1 0.1 0.1"', 'diaginertia="0.1 0.1 5"', "largest may not exceed"),
    "mjcf negative inertia": (MJCF, 'diaginertia="0.1 0.1 0.1"', 'diaginertia="-0.1 0.1 0.1"', "none may be negative"),
    "mjcf full and diagonal": (MJCF, "diaginertia", 'fullinertia="1 1 1 0 0 0" diaginertia', "fullinertia stands alone"),
    "mjcf no mass": (MJCF, 'pos="0 0 0.1" mass="2"', 'pos="0 0 0.1"', "'mass' is missing"),
    "mjcf second body": (MJCF, 'name="b"', 'name="a"', "second body is called 'a'"),
    "mjcf second joint": (MJCF, '<joint name="k"', '<joint name="k"/><joint name="k"', "second joint is called 'k'"),
    "mjcf joint of the world": (MJCF, "<worldbody>", "<worldbody><joint/>", "the world has no joint"),
    "mjcf inner free joint": (MJCF, '<joint name="k" type="slide" axis="1 0 0"/>', "<freejoint/>", "free joint stands alone"),
    "mjcf too many joints": (MJCF, '<joint name="k"', '<joint type="ball"/><joint type="ball"/><joint name="k"', "more than six"),
    "mjcf equality joint": (MJCF, 'joint1="k"', 'joint1="kk"', "no joint 'kk'"),
    "mjcf equality attribute": (MJCF, 'joint1="k"', 'joint1="k" ratio="2"', "no attribute 'ratio'"),
    "mjcf connect body": (MJCF, "<equality>", '<equality><connect body1="zz" anchor="0 0 0"/>', "no body 'zz'"),
    "mjcf connect anchor": (MJCF, "<equality>", '<equality><connect body1="a"/>', "'anchor' is missing"),
    "mjcf connect site": (MJCF, "<equality>", '<equality><connect site1="s" site2="t"/>', "no site 's'"),
    "mjcf equality tendon": (MJCF, "<equality>", '<equality><tendon tendon1="u"/>', "no tendon 'u'"),
    "mjcf motor joint": (MJCF, 'joint="j" gear', 'joint="jj" gear', "no joint 'jj'"),
    "mjcf motor tendon": (MJCF, 'joint="j" gear', 'tendon="tt" gear', "no tendon 'tt'"),
    "mjcf empty control": (MJCF, 'ctrlrange="-1 1"', 'ctrlrange="1 -1"', "ctrlrange 1.0 to -1.0 is empty"),
    "mjcf tendon joint": (MJCF, '<joint joint="j" coef="1"/>', '<joint joint="x" coef="1"/>', "no joint 'x'"),
    "mjcf key length": (MJCF, 'qpos="0.1 0.2"', 'qpos="0.1 0.2 0.3"', "has 3 numbers; it must have 0 to 2"),
    "mjcf key velocity": (MJCF, 'qpos="0.1 0.2"', 'qvel="0.1 0.2 0.3"', "has 3 numbers; it must have 0 to 2"),
    "mjcf no mesh": (MJCF, '<geom type="capsule"', '<geom type="mesh" mesh="zz"/><geom type="capsule"', "no mesh 'zz'"),
    "mjcf mesh geom without mesh": (MJCF, '<geom type="capsule"', '<geom type="mesh"/><geom type="capsule"', "names its mesh"),
    "mjcf mesh without name": (MJCF, '<mesh name="m"', "<mesh", "neither a name nor a file"),
    "mjcf include in a text": (MJCF, "<tendon>", '<include file="x.xml"/><tendon>', "a text has no folder"),
    "mjcf include without file": (MJCF, "<tendon>", "<include/><tendon>", "'file' is missing"),
    "mjcf replicate count": (MJCF, '<body name="b"', '<replicate count="0"/><body name="b"', "from 1 to 10000"),
    "mjcf replicate bomb": (MJCF, '<body name="b"', '<replicate count="9999"><replicate count="9999"><site/></replicate></replicate><body name="b"',
                            "more than 150000 elements"),
    "mjcf attach nothing": (MJCF, '<body name="b"', '<attach prefix="p"/><body name="b"', "neither a model nor a body"),
    "mjcf attach itself": (MJCF, '<body name="b"', '<attach body="a" prefix="p"/><body name="b"', "attached to itself"),
    "mjcf attach model": (MJCF, '<body name="b"', '<attach model="q" prefix="p"/><body name="b"', "no <model name='q'>"),
    "mjcf autolimits": (MJCF, 'angle="radian"', 'angle="radian" autolimits="false"', "autolimits is off"),
    "sdf not xml": (SDF, "</sdf>", "", "not XML: the file ends before"),
    "sdf doctype": (SDF, "<sdf", '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<sdf', "DOCTYPE"),
    "sdf old": (SDF, '"1.9"', '"1.3"', "SDF 1.3 is not read, 1.4 to 1.12 are"),
    "sdf new": (SDF, '"1.9"', '"1.99"', "SDF 1.99 is not read"),
    "sdf version": (SDF, '"1.9"', '"one"', "no version"),
    "sdf no version": (SDF, ' version="1.9"', "", "'version' is missing"),
    "sdf no model": (SDF, SDF[SDF.index("<model") : SDF.index("</sdf>")], "", "no <model>"),
    "sdf no link": (SDF, SDF[SDF.index("<link") : SDF.index("</model>")], "", "no <link>"),
    "sdf two links": (SDF, '<link name="b">', '<link name="a">', "second thing is called 'a'"),
    "sdf joint named as link": (SDF, '<joint name="j"', '<joint name="a"', "second thing is called 'a'"),
    "sdf link without name": (SDF, '<link name="b">', "<link>", "'name' is missing"),
    "sdf unknown in model": (SDF, "<frame", "<linc/><frame", "no <linc> in <model>.*link"),
    "sdf unknown in link": (SDF, "<visual", "<inertia/><visual", "no <inertia> in <link>"),
    "sdf unknown in joint": (SDF, "<parent>a</parent>", "<parent>a</parent><axes/>", "no <axes> in <joint>"),
    "sdf unknown in axis": (SDF, "<dynamics>", "<limits/><dynamics>", "no <limits> in <axis>"),
    "sdf joint type": (SDF, '"revolute"', '"revolut"', "unknown joint type 'revolut'.*'revolute'"),
    "sdf no parent": (SDF, "<parent>a</parent>", "", "<parent> is missing"),
    "sdf no child": (SDF, "<child>b</child>", "", "<child> is missing"),
    "sdf unknown parent": (SDF, "<parent>a</parent>", "<parent>aa</parent>", "'aa' is no link"),
    "sdf unknown child": (SDF, "<child>b</child>", "<child>bb</child>", "'bb' is no link"),
    "sdf world as child": (SDF, "<child>b</child>", "<child>world</child>", "world is no child"),
    "sdf to itself": (SDF, "<child>b</child>", "<child>a</child>", "both 'a'"),
    "sdf frame": (SDF, 'relative_to="f"', 'relative_to="ff"', "no frame 'ff'"),
    "sdf frame cycle": (SDF, 'relative_to="f"', 'relative_to="b"', "relative to itself"),
    "sdf expressed in": (SDF, 'expressed_in="__model__"', 'expressed_in="zz"', "no frame 'zz'"),
    "sdf frames in 1.6": (SDF, '"1.9"', '"1.6"', "for SDF 1.7 and later"),
    "sdf rotation format": (SDF, "<pose>0 0 1 0 0 0</pose>", '<pose rotation_format="matrix">0 0 1 0 0 0</pose>', "SDF has euler_rpy"),
    "sdf zero quaternion": (SDF, "<pose>0 0 1 0 0 0</pose>", '<pose rotation_format="quat_xyzw">0 0 1 0 0 0 0</pose>', "quaternion is zero"),
    "sdf placement frame": (SDF, '<model name="arm">', '<model name="arm" placement_frame="nowhere">', "placement_frame"),
    "sdf negative mass": (SDF, "<mass>2</mass>", "<mass>-2</mass>", "must not be negative"),
    "sdf impossible inertia": (SDF, "<ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>", "<ixx>0.1</ixx><iyy>9</iyy><izz>0.1</izz></inertia>",
                               "largest may not exceed"),
    "mjcf custom joint": (MJCF, "<keyframe>", '<custom><numeric name="ordern:velocity:jj" data="1"/></custom><keyframe>', "joint that is here"),
    "mjcf custom key": (MJCF, "<keyframe>", '<custom><numeric name="ordern:speed:j" data="1"/></custom><keyframe>', "velocity, effort"),
    "mjcf custom number": (MJCF, "<keyframe>", '<custom><numeric name="ordern:velocity:j" data="-1"/></custom><keyframe>', "must not be negative"),
    "mjcf custom drives": (MJCF, "<keyframe>", '<custom><text name="ordern:actuated" data="j"/></custom><keyframe>', "no list of joints"),
    "sdf state without name": (SDF, "<frame", "<ordern:state/><frame", "'name' is missing"),
    "sdf rotor": (SDF, "<parent>a</parent>", "<parent>a</parent><drake:rotor_inertia>x</drake:rotor_inertia>", "'x' is not a plain finite number"),
    "sdf negative rotor": (SDF, "<parent>a</parent>", "<parent>a</parent><drake:rotor_inertia>-1</drake:rotor_inertia>", "must not be negative"),
    "sdf follower": (SDF, "<parent>a</parent>", "<parent>a</parent><drake:mimic multiplier='1' offset='0'/>", "'joint' is missing"),
    "sdf automatic inertia": (SDF, "<inertial>\n", '<inertial auto="true">\n', "of which there are none"),
    "sdf no axis": (SDF, ">0 0 1</xyz>", ">0 0 0</xyz>", "give it a direction"),
    "sdf include in a text": (SDF, "<frame", "<include><uri>model://x</uri></include><frame", "a text has no folder"),
    "sdf include without uri": (SDF, "<frame", "<include/><frame", "<uri> is missing"),
    "sdf model name": (SDF, "<frame", '<model name="a::b"/><frame', "no name for a model"),
    "sdf two masses": (SDF, "<mass>2</mass>", "<mass>2</mass><mass>2</mass>", "second <mass>"),
    "sdf crossed limits": (SDF, "<lower>-1</lower>", "<lower>3</lower>", "above the upper"),
    "sdf thread": (SDF, '"revolute">', '"screw"><thread_pitch>0</thread_pitch>', "thread_pitch is 0"),
    "sdf slanted universal": (SDF, '"revolute">', '"universal"><axis2><xyz expressed_in="__model__">0 1 1</xyz></axis2>', "perpendicular"),
}  # fmt: skip


def test_there_are_enough():
    assert len(BROKEN) + len(NUMBERS) >= 150


def refused(text, old, new):
    assert old in text
    broken = text.replace(old, new, 1)
    with pytest.raises(ModelError) as caught:
        (load_mjcf if text is MJCF else load_sdf)(broken)
    return str(caught.value)


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name):
    text, old, new, says = BROKEN[name]
    message = refused(text, old, new)
    assert re.search(says, message, re.DOTALL), message
    assert len(message) < 1500 and re.match(r"(MJCF|SDF) text:?\d*", message), message


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_refused(name):
    text, old, new, key = NUMBERS[name]
    message = refused(text, old, new)
    assert re.match(r"(MJCF|SDF) text:\d+ ", message) and key in message, message


def test_both_load():
    assert load_mjcf(MJCF).nv == 1 and load_sdf(SDF).nv == 1


OUTSIDE = {
    "up": "../outside.xml", "absolute": "/etc/hostname", "drive": "C:\\x.xml", "url": "http://example.com/x.xml", "zero": "a&#0;b",
    "far up": "x/../../outside.xml", "link": "link.xml",
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in OUTSIDE if n != "zero"])
def test_nothing_outside_the_folder_is_read(tmp_path, name):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "outside.xml").write_text("<mujoco><worldbody><body name='secret'/></worldbody></mujoco>")
    (tmp_path / "outside.stl").write_text("solid secret")
    (inner / "link.xml").symlink_to(tmp_path / "outside.xml")
    (inner / "a.xml").write_text(MJCF.replace("<tendon>", f'<include file="{OUTSIDE[name]}"/><tendon>'))
    with pytest.raises(ModelError, match=r"outside the folder|no path within|there is no such file") as caught:
        load(inner / "a.xml")
    assert "a.xml:" in str(caught.value) and "secret" not in str(caught.value)
    mesh = MJCF.replace("<asset>", f'<asset><mesh name="o" file="{OUTSIDE[name].replace("xml", "stl")}"/>')
    (inner / "m.xml").write_text(
        mesh.replace('<geom type="box" size="0.1 0.2 0.3" mass="1" class="x"/>', '<geom type="mesh" mesh="o"/>')
    )
    with pytest.raises(ModelError, match=r"outside the folder|no path within|no such file"):
        load(inner / "m.xml")
    (inner / "s.sdf").write_text(SDF.replace("<frame", f"<include><uri>{OUTSIDE[name]}</uri></include><frame"))
    with pytest.raises(ModelError, match=r"no model|within the folder"):
        load(inner / "s.sdf")


def test_cycles_and_repeats(tmp_path):
    (tmp_path / "a.xml").write_text("<mujoco><include file='b.xml'/></mujoco>")
    (tmp_path / "b.xml").write_text("<mujoco><include file='a.xml'/></mujoco>")
    with pytest.raises(ModelError, match="includes itself through"):
        load(tmp_path / "a.xml")
    (tmp_path / "c.xml").write_text("<mujoco><include file='d.xml'/><include file='d.xml'/></mujoco>")
    (tmp_path / "d.xml").write_text("<mujoco><worldbody><body name='x'/></worldbody></mujoco>")
    with pytest.raises(ModelError, match="included twice"):
        load(tmp_path / "c.xml")
    (tmp_path / "e.xml").write_text(
        "<mujoco><asset><model name='m' file='e.xml'/></asset><worldbody><attach model='m' prefix='p'/></worldbody></mujoco>"
    )
    with pytest.raises(ModelError, match="attaches itself"):
        load(tmp_path / "e.xml")
    (tmp_path / "f.sdf").write_text(
        "<sdf version='1.9'><model name='m'><link name='l'/><include><uri>f.sdf</uri></include></model></sdf>"
    )
    with pytest.raises(ModelError, match="includes itself"):
        load(tmp_path / "f.sdf")


MESHES = {
    "huge.stl": lambda path: path.open("wb").truncate(1_000_000_000),
    "cut.stl": lambda path: path.write_bytes(b"\0" * 80 + (1000).to_bytes(4, "little") + b"\0" * 50),
    "many.stl": lambda path: path.write_bytes(b"\0" * 80 + b"\xff\xff\xff\x7f"),
    "nan.obj": lambda path: path.write_text("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    "far.obj": lambda path: path.write_text("v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    "index.obj": lambda path: path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
    "words.obj": lambda path: path.write_text("v a b c\nf x y z\n"),
    "flat.obj": lambda path: path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    "empty.obj": lambda path: path.write_text(""),
    "short.msh": lambda path: path.write_bytes(b"\1\0\0\0" * 4),
    "strange.dae": lambda path: path.write_text("<collada/>"),
}


@pytest.mark.parametrize("name", MESHES)
def test_broken_meshes(tmp_path, name):
    MESHES[name](tmp_path / name)
    body = "<body name='a'><joint/><geom type='mesh' mesh='m'/></body>"
    text = (
        "<mujoco><asset><mesh name='m' inertia='exact' file='{}'/></asset><worldbody>" + body + "</worldbody></mujoco>"
    )
    (tmp_path / "a.xml").write_text(text.format(name))
    with pytest.raises(ModelError, match=r"a.xml:1 <mesh"):
        load(tmp_path / "a.xml")
    (tmp_path / "b.xml").write_text(
        text.replace("<joint/>", "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>").format(name)
    )
    assert load(tmp_path / "b.xml").nv == 1  # nothing hangs on the mesh, and it is not opened


def test_many_levels_without_recursion():
    deep = "<body><joint/><geom size='.1'/>" * 3000 + "</body>" * 3000
    assert load_mjcf(f"<mujoco><worldbody>{deep}</worldbody></mujoco>").nv == 3000
    with pytest.raises(ModelError, match="more than 30000 levels"):
        load_mjcf("<mujoco><worldbody>" + "<body>" * 40000)
    frames = "<frame>" * 2000 + "<body name='x'><geom size='.1'/></body>" + "</frame>" * 2000
    assert len(load_mjcf(f"<mujoco><worldbody>{frames}</worldbody></mujoco>").links) == 1


@pytest.mark.parametrize(("many", "deep"), [(2100, 1), (60, 60)])
def test_models_within_models_are_bounded(many, deep):
    """By their number, and by how deep they stand in each other."""
    link = "<link name='a'><inertial><mass>1</mass></inertial></link>"
    inner = "".join(f"<model name='m{k}'>{link}" for k in range(deep)) + "</model>" * deep
    inner += "".join(f"<model name='n{k}'>{link}</model>" for k in range(many - deep))
    with pytest.raises(ModelError, match="more than 2000 models, or 50 inside of each other"):
        load_sdf(f"<sdf version='1.9'><model name='out'>{link}{inner}</model></sdf>")


BUDGET = settings(max_examples=120)


def exercise(load, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        for policy in ("error", "repair"):
            try:
                model = load(text, on_invalid=policy)
            except OrdernError as error:
                assert len(str(error)) < 1500
            else:
                lint(model)
                with contextlib.suppress(OrdernError):
                    load_mjcf(to_mjcf(model), on_invalid="warn")


@BUDGET
@given(mutated(MJCF))
def test_fuzzed_mjcf(text):
    exercise(load_mjcf, "<" + text.removeprefix("<"))


@BUDGET
@given(mutated(SDF))
def test_fuzzed_sdf(text):
    exercise(load_sdf, "<" + text.removeprefix("<"))


def test_long_chains_of_frames_take_time_by_their_length():
    """Each named before the one that it is attached to, and many joints on the last: 1 s, and minutes if each looked through all."""
    frames, joints = 40_000, 3_000
    parts = ['<link name="l"/>']
    for k in range(frames):
        below = f"f{k + 1}" if k < frames - 1 else "l"
        parts.append(f'<frame name="f{k}" attached_to="{below}"><pose>0 0 0.001 0 0 0</pose></frame>')
    joint = '<link name="l{0}"/><joint name="j{0}" type="fixed"><parent>f0</parent><child>l{0}</child></joint>'
    parts += [joint.format(k) for k in range(joints)]
    begun = time.process_time()
    model = load_sdf(f'<sdf version="1.10"><model name="m">{"".join(parts)}</model></sdf>')
    assert len(model.links) == joints + 1
    assert time.process_time() - begun < 10  # of this process alone, however busy the machine is
