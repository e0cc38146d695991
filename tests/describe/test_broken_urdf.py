"""Broken URDFs: each is refused with file, line, element or value, and a remedy."""

import re

import pytest

from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import ModelError, OrdernWarning

GOOD = """<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0 0" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
    <visual><geometry><box size="1 2 3"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
  <joint name="elbow" type="prismatic">
    <origin xyz="0.5 0 0"/>
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="1 0 0"/>
    <limit lower="0" upper="1" effort="10" velocity="2"/>
  </joint>
</robot>
"""
WHEEL = '<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><axis xyz="0 0 1"/></joint>'
# name: (what to replace, by what, what the message says, its line or None)
BROKEN = {
    "empty": (GOOD, "", "empty", 1),
    "not xml": ("</robot>", "", "not XML: the file ends before its last element is closed", 34),
    "cut in a tag": ('<inertia ixx="0.1"', "<inertia ixx=", "not XML", 9),
    "crossed tags": ("</inertial>\n  </link>\n  <link name=\"lower\">", "</link>\n  </inertial>\n  <link name=\"lower\">", "mismatched tag", 10),
    "two attributes": ('name="base"', 'name="base" name="base"', "duplicate attribute", 4),
    "text after the end": ("</robot>\n", "</robot>\n<robot/>", "junk after", 34),
    "doctype": ('<robot name="arm">', '<!DOCTYPE robot [<!ENTITY a "b">]>\n<robot name="arm">', "DOCTYPE.*remove", 2),
    "entity": ('xyz="0 0 1" rpy', 'xyz="&a;" rpy', "not XML: undefined entity", 20),
    "not a robot": ("robot", "sdf", "outermost element is <sdf>", 2),
    "no links": (GOOD, '<robot name="x"></robot>', "no <link>", 1),
    "link without name": ('<link name="base"/>', "<link/>", "'name' is missing", 4),
    "link with empty name": ('<link name="base"/>', '<link name=" "/>', "'name' is empty", 4),
    "two links of a name": ('<link name="lower">', '<link name="upper">', "second link is called 'upper'.*arm.urdf:5.*rename", 12),
    "two joints of a name": ('name="elbow"', 'name="shoulder"', "second joint is called 'shoulder'.*rename", 26),
    "joint without name": ('name="elbow" ', "", "'name' is missing", 26),
    "joint without type": (' type="prismatic"', "", "'type' is missing", 26),
    "unknown type": ('"prismatic"', '"prismatik"', "unknown joint type 'prismatik'.*did you mean 'prismatic'", 26),
    "a type of other formats": ('"prismatic"', '"hinge"', "unknown joint type 'hinge'", 26),
    "no parent": ('<parent link="upper"/>', "", "no <parent>.*add", 26),
    "no child": ('<child link="lower"/>', "", "no <child>.*add", 26),
    "unknown parent": ('<parent link="upper"/>', '<parent link="uper"/>', "parent link 'uper' does not exist.*'upper'", 26),
    "unknown child": ('<child link="lower"/>', '<child link="lover"/>', "child link 'lover' does not exist.*'lower'", 26),
    "world is no link": ('<parent link="base"/>', '<parent link="world"/>', "parent link 'world' does not exist", 19),
    "a joint to itself": ('<child link="lower"/>', '<child link="upper"/>', "both 'upper'", 26),
    "two parents": ("</robot>", WHEEL % ("third", "base", "lower") + "\n</robot>", "two parents.*remove", 33),
    "two roots": ('<link name="base"/>', '<link name="base"/><link name="alone"/>', "two roots.*'base', 'alone'.*fixed", 4),
    "cycle": ("</robot>", WHEEL % ("back", "lower", "base") + "\n</robot>", "cycle.*remove", None),
    "cycle beside the tree": ("</robot>",
                              '<link name="x"/><link name="y"/>' + WHEEL % ("a", "x", "y") + WHEEL % ("b", "y", "x") + "</robot>", "cycle", 33),
    "nan": ('xyz="0 0 1" rpy', 'xyz="0 0 nan" rpy', "xyz='0 0 nan' is not 3 plain finite numbers", 20),
    "inf": ('upper="1" effort="10" velocity="2"/>\n  </joint>\n  <joint',
            'upper="inf" effort="10" velocity="2"/>\n  </joint>\n  <joint', "upper='inf'", 24),
    "overflow": ('value="1.5"', 'value="1e999"', "too large", 8),
    "decimal comma": ('value="1.5"', 'value="1,5"', "value='1,5'.*decimal point", 8),
    "underscore": ('value="1.5"', 'value="1_0"', "value='1_0' is not a plain", 8),
    "hexadecimal": ('value="1.5"', 'value="0x1"', "value='0x1'", 8),
    "other digits": ('value="1.5"', 'value="\u0661"', "not a plain", 8),
    "empty number": ('value="1.5"', 'value=""', "value=''", 8),
    "a word": ('value="1.5"', 'value="heavy"', "value='heavy'", 8),
    "xacro": ('value="1.5"', 'value="${m}"', "xacro", 8),
    "xacro element": ('<link name="base"/>', '<link name="base"/><xacro:arm/>', "xacro", 4),
    "two numbers for three": ('xyz="0 0 1" rpy', 'xyz="0 0" rpy', "has 2 numbers; it must have 3", 20),
    "four numbers for three": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0 0"/>', "has 4 numbers", 30),
    "zero axis": ('<axis xyz="1 0 0"/>', '<axis xyz="0 0 0"/>', "give it a direction", 30),
    "no mass": ('<mass value="1.5"/>', "", "no <mass>.*add", 6),
    "mass without value": ('<mass value="1.5"/>', "<mass/>", "'value' is missing", 8),
    "negative mass": ('<mass value="1.5"/>', '<mass value="-1.5"/>', "mass is -1.5 kg", 5),
    "five moments": (' iyy="0.2"', "", "'iyy' is missing", 9),
    "negative moment": ('ixx="0.1"', 'ixx="-0.1"', "none may be negative.*correct", 5),
    "not positive": ('ixx="0.1" ixy="0"', 'ixx="0.1" ixy="0.5"', "none may be negative", 5),
    "triangle": ('ixx="0.1"', 'ixx="1.0"', "sum of the others", 5),
    "inertia without mass": ('<mass value="1.5"/>', '<mass value="0"/>', "inertia without mass", 5),
    "massless tip": ('<mass value="0.5"/>\n      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>',
                     '<mass value="0"/>\n      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
                     "'elbow' moves no inertia.*give link 'lower'", 12),
    "limits reversed": ('lower="-1" upper="1"', 'lower="1" upper="-1"', "lower limit 1.0 is above", 19),
    "negative effort": ('lower="-1" upper="1" effort="10"', 'lower="-1" upper="1" effort="-10"', "effort is -10.0", 19),
    "two axes": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><axis xyz="1 0 0"/>', "second <axis>.*remove", 30),
    "two inertials": ("</inertial>\n    <visual>", "</inertial><inertial/>\n    <visual>", "second <inertial>", 16),
    "mimics nothing": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="sholder"/>', "'sholder'.*does not exist.*'shoulder'", 26),
    "mimics itself": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="elbow"/>', "mimics itself", 26),
    "mimic without joint": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic/>', "'joint' is missing", 30),
    "mimic ratio": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="shoulder" multiplier="x"/>', "multiplier='x'", 30),
    "misspelled origin": ('xyz="0 0 1" rpy', 'xzy="0 0 1" rpy', "unknown attribute 'xzy'; did you mean 'xyz'", 20),
    "misspelled limit": ('lower="-1" upper="1"', 'lowr="-1" upper="1"', "unknown attribute 'lowr'; did you mean 'lower'", 24),
    "axis without xyz": ('<axis xyz="1 0 0"/>', "<axis/>", "'xyz' is missing", 30),
    **{
        f"misspelled {tag}": (f"<{tag} ", f"<{tag[:-2]}{tag[-1]} ", f"<{tag[:-2]}{tag[-1]}> of .*unknown element; did you mean '{tag}'", None)
        for tag in ("origin", "mass", "inertia", "parent", "child", "axis", "limit")
    },
    "misspelled dynamics": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><dynamic damping="1"/>', "did you mean 'dynamics'", 30),
    "misspelled mimic": ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimics joint="shoulder"/>', "did you mean 'mimic'", 30),
    "own gravity": ('<link name="base"/>', '<ordern gravity="1 2"/><link name="base"/>', "gravity='1 2' has 2 numbers", 4),
    "state without name": ('<link name="base"/>', '<ordern><state/></ordern><link name="base"/>', "'name' is missing", 4),
    "state of words": ('<link name="base"/>', '<ordern><state name="s"><at joint="elbow" q="up"/></state></ordern><link name="base"/>', "q='up'", 4),
    "negative size": ('size="1 2 3"', 'size="1 2 -3"', "size is -3.0", 17),
    "bad box": ('size="1 2 3"', 'size="1 2 c"', "size='1 2 c'", 17),
    "bad colour": ('rgba="0.5 0.5 0.5 1"', 'rgba="grey"', "rgba='grey'", 3),
    "too deep": ('<link name="base"/>', "<a>" * 200 + "</a>" * 200 + '<link name="base"/>', "levels", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name, tmp_path):
    old, new, message, line = BROKEN[name]
    assert old in GOOD
    path = tmp_path / "arm.urdf"
    path.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(ModelError) as caught:
        load_urdf(path)
    text = str(caught.value)
    assert re.search(message, text), text
    assert "arm.urdf" in text
    assert len(text) - len(str(tmp_path)) * text.count(str(tmp_path)) < 400
    if line is not None:
        assert f"arm.urdf:{line}" in text, text


def test_the_unbroken_one_loads(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(GOOD)
    model = load_urdf(path)
    assert model.nv == 2
    assert model.source == str(path)
    assert model.bodies[1].lower == (-1.0,)
    assert model.bodies[2].effort == (10.0,)


REPAIRABLE = [
    "negative moment",
    "not positive",
    "triangle",
    "inertia without mass",
    "massless tip",
    "limits reversed",
    "mimics nothing",
]


@pytest.mark.parametrize("name", REPAIRABLE)
def test_warn_keeps_and_repair_mends(name):
    old, new, message, _ = BROKEN[name]
    text = GOOD.replace(old, new)
    with pytest.warns(OrdernWarning, match=message):
        kept = load_urdf(text, on_invalid="warn")
    with pytest.warns(OrdernWarning, match=message):
        mended = load_urdf(text, on_invalid="repair")
    assert kept.nv == mended.nv == 2
    if name == "limits reversed":
        assert (kept.bodies[1].lower, mended.bodies[1].lower) == ((1.0,), (-1.0,))
    elif name == "mimics nothing":  # real files do: the joint moves by itself either way
        assert kept.fingerprint == mended.fingerprint == load_urdf(text, mimic=False).fingerprint
    else:
        assert kept.fingerprint != mended.fingerprint


@pytest.mark.parametrize("name", [n for n in BROKEN if n not in REPAIRABLE])
def test_structural_faults_stay_errors(name):
    old, new, _, _ = BROKEN[name]
    for policy in ("warn", "repair"):
        with pytest.raises(ModelError):
            load_urdf(GOOD.replace(old, new) or "<", on_invalid=policy)


def test_massless_inner_link_loads():
    inertia = '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/>'
    text = GOOD.replace('<mass value="1.5"/>', '<mass value="0"/>').replace(
        inertia, inertia.replace("0.1", "0").replace("0.2", "0")
    )
    model = load_urdf(text)
    assert model.bodies[1].inertia.m == 0


def test_impossible_but_merged_or_negligible_loads():
    """A weld to a massive link, or a placeholder of a milligram."""
    welded = GOOD.replace('"prismatic"', '"fixed"').replace('<inertia ixx="0.01"', '<inertia ixx="0.04"')
    assert load_urdf(welded).nv == 1
    placeholder = (
        GOOD.replace('<mass value="0.5"/>', '<mass value="1e-6"/>')
        .replace('ixx="0.01"', 'ixx="1e-6"')
        .replace('"0.01"', '"-1e-6"')
    )
    assert load_urdf(placeholder).nv == 2


def test_attacks_are_quick():
    bomb = '<!DOCTYPE r [<!ENTITY a "' + "x" * 1000 + '"><!ENTITY b "' + "&a;" * 1000 + '">]><robot name="&b;"/>'
    with pytest.raises(ModelError, match="DOCTYPE"):
        load_urdf(bomb)
    external = '<!DOCTYPE r SYSTEM "file:///etc/passwd"><robot name="x"/>'
    with pytest.raises(ModelError, match="DOCTYPE"):
        load_urdf(external)
    with pytest.raises(ModelError):
        load_urdf(GOOD.replace('"1.5"', '"' + "1" * 200_000 + 'x"'))
    with pytest.raises(ModelError, match="levels"):
        load_urdf("<robot name='x'>" + "<a>" * 100_000)
