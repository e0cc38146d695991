"""More broken files, by format: each refused with its place, what is wrong and what to do. With those of test_broken_urdf.py and
test_toml.py there are more than 200."""

from __future__ import annotations

import pytest

import ordern
from ordern.describe.load import load

from .test_broken_urdf import BROKEN as URDF_BEFORE
from .test_broken_urdf import GOOD as URDF
from .test_toml import BROKEN as TOML_BEFORE
from .test_toml import GOOD as TOML

DH = """name = "arm"
convention = "distal"
gravity = [0, 0, -9.81]

[[dh]]
a = 0.4
alpha = 1.5
mass = 2.0
com = [-0.2, 0, 0]
inertia = [0.01, 0.05, 0.05]
lower = -1.0
upper = 1.0

[[dh]]
joint = "prismatic"
theta = 0.3
mass = 1.0
inertia = [0.01, 0.01, 0.01]
"""
AXIS, JOINT = '<axis xyz="1 0 0"/>', '<joint name="elbow" type="prismatic">'
LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
# what to replace, by what, what the message says
URDF_BAD = [
    ('xyz="0.5 0 0"', 'xyz="0,5 0 0"', "decimal point"),
    ('xyz="0.5 0 0"', 'xyz="0.5, 0, 0"', "plain finite numbers"),
    ('xyz="0.5 0 0"', 'xyz="${length} 0 0"', "xacro"),
    ('xyz="0.5 0 0"', 'xyz="$(arg x) 0 0"', "xacro"),
    ('xyz="0.5 0 0"', 'xyz="0.5"', "has 1 numbers; it must have 3"),
    ('xyz="0.5 0 0"', 'xyz="0x1p3 0 0"', "plain finite numbers"),
    ('xyz="0.5 0 0"', 'xyz="1_000 0 0"', "plain finite numbers"),
    ('xyz="0.5 0 0"', 'xyz="\u0661 0 0"', "plain finite numbers"),
    ('xyz="0.5 0 0"', 'xyz="1e300 0 0"', "too large"),
    ('xyz="0.5 0 0"', 'xyz=""', "plain finite numbers"),
    ('rpy="0 0 0"/>\n      <mass', 'rpy="0 0 nan"/>\n      <mass', "rpy='0 0 nan'"),
    ('rpy="0 0 0"/>\n      <mass', 'ryp="0 0 0"/>\n      <mass', "did you mean 'rpy'"),
    ('<mass value="1.5"/>', '<mass value="1.5 kg"/>', "'1.5 kg' is not a plain"),
    ('<mass value="1.5"/>', '<mass value="1.5"/><mass value="1"/>', "second <mass>"),
    ('<mass value="1.5"/>', '<mass value="1e28"/>', "too large"),
    ('ixx="0.1" ixy="0"', 'ixx="0.1"', "'ixy' is missing"),
    ('ixx="0.1" ixy="0"', 'ixx="-inf" ixy="0"', "'-inf'"),
    (LIMIT, '<limit lower="-1" upper="1" effort="10" velocity="-2"/>', "velocity is -2.0"),
    (LIMIT, '<limit lower="-1" upper="1" effort="ten" velocity="2"/>', "effort='ten'"),
    (LIMIT, '<limit lower="-1" upper="1" efort="10" velocity="2"/>', "did you mean 'effort'"),
    (LIMIT, LIMIT + LIMIT, "second <limit>"),
    (AXIS, AXIS + '<dynamics damping="-1"/>', "damping is -1.0"),
    (AXIS, AXIS + '<dynamics friction="-1"/>', "friction is -1.0"),
    (AXIS, AXIS + '<dynamics dampin="1"/>', "did you mean 'damping'"),
    (AXIS, AXIS + '<dynamics armature="-0.1"/>', "armature is -0.1"),
    (AXIS, AXIS + '<dynamics/><dynamics/>', "second <dynamics>"),
    (AXIS, AXIS + '<mimic joint="shoulder" offset="a"/>', "offset='a'"),
    (AXIS, AXIS + '<mimic joint="shoulder" multipler="2"/>', "did you mean 'multiplier'"),
    (AXIS, AXIS + '<mimic joint="shoulder"/><mimic joint="shoulder"/>', "second <mimic>"),
    (AXIS, AXIS + '<ordern lower="1 2"/>', "has 2 numbers; it must have 1"),
    (AXIS, AXIS + '<ordern lowest="1"/>', "unknown attribute 'lowest'"),
    (AXIS, AXIS + '<safety_controller k_velocity="x"/>', "k_velocity='x'"),
    (JOINT, JOINT.replace("prismatic", ""), "'type' is empty"),
    (JOINT, JOINT.replace("elbow", ""), "'name' is empty"),
    (JOINT, JOINT.replace('type="prismatic"', 'kind="prismatic"'), "'type' is missing"),
    ('<parent link="upper"/>', "<parent/>", "'link' is missing"),
    ('<parent link="upper"/>', '<parent link=""/>', "'link' is empty"),
    ('<parent link="upper"/>', '<parent link="upper"/><parent link="base"/>', "second <parent>"),
    ('<child link="lower"/>', '<child link="base"/>', "two roots|cycle"),
    ('<box size="1 2 3"/>', '<box size="1 2"/>', "has 2 numbers"),
    ('<box size="1 2 3"/>', "<box/>", "'size' is missing"),
    ('<box size="1 2 3"/>', '<sphere radius="-1"/>', "size is -1.0"),
    ('<box size="1 2 3"/>', '<cylinder radius="1"/>', "'length' is missing"),
    ('<box size="1 2 3"/>', "<mesh/>", "'filename' is missing"),
    ('<box size="1 2 3"/>', '<mesh filename="a.stl" scale="1 1"/>', "has 2 numbers"),
    ('rgba="0.5 0.5 0.5 1"', 'rgba="0.5 0.5"', "has 2 numbers"),
    ('<link name="base"/>', '<xacro:macro name="m"/><link name="base"/>', "xacro is not URDF yet"),
    ("<robot", "<Robot", "<Robot>"),
    ('<robot name="arm">', '<robot name="arm"><robot name="arm">', "not XML|no <link>"),
    ("</robot>", "</robot>\x00", "not XML"),
    ('name="base"', 'name="ba&amp;se&undefined;"', "undefined entity"),
    ('<?xml version="1.0"?>', '<?xml version="1.0" encoding="klingon"?>', "not XML"),
]  # fmt: skip
TOML_BAD = [
    ("mass = 1.5", "mass = [1.5]", "mass is"),
    ("mass = 1.5", "mass = {}", "mass is"),
    ("mass = 1.5", "mass = 2020-01-01", "mass is"),
    ("mass = 1.5", "mass = 1e31", "below 1e"),
    ("mass = 1.5", "mass = 1.5\nmass = 2", "not TOML"),
    ("mass = 1.5", "mass = 1,5", "not TOML"),
    ("mass = 1.5", "mass = ", "not TOML"),
    ("com = [0.1, 0, 0]", "com = 0.1", "com is.*3 numbers"),
    ("com = [0.1, 0, 0]", "com = ['a', 0, 0]", "com is 'a'"),
    ("com = [0.1, 0, 0]", "com = [nan, 0, 0]", "com is nan"),
    ("inertia = [0.1, 0.2, 0.2]", "inertia = [0.1, 0.2]", "6 numbers"),
    ("inertia = [0.1, 0.2, 0.2]", "inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "inertia is"),
    ("inertia = [0.1, 0.2, 0.2]", "inertia = [-0.1, 0.2, 0.2]", "none may be negative"),
    ('name = "base"', 'name = "upper"', "second link"),
    ('name = "base"', 'name = ""', "no name"),
    ('name = "base"', 'name = ["base"]', "string in quotes"),
    ("[[link]]\nname = \"base\"", "[link]\nname = \"base\"", "not TOML|no list of tables"),
    ('parent = "base"', 'parent = "upper"', "both 'upper'"),
    ('child = "upper"', 'child = "uper"', "'uper' does not exist"),
    ("axis = [0, 0, 1]", "axis = 'z'", "axis is.*3 numbers"),
    ("axis = [0, 0, 1]", "axis = [0, 0, 1, 0]", "3 numbers"),
    ("axis = [0, 0, 1]", "rpy = [0, 0]", "rpy is.*3 numbers"),
    ("axis = [0, 0, 1]", "child_frame = 3", "child_frame is no table"),
    ("axis = [0, 0, 1]", "child_frame = { xy = [0, 0, 0] }", "unknown key 'xy'"),
    ("axis = [0, 0, 1]", "exact = [1, 0]", "12 numbers"),
    ("axis = [0, 0, 1]", "lumped = [1, 0]", "10 numbers"),
    ("axis = [0, 0, 1]", "mimic = { ratio = 2 }", "'joint' is missing"),
    ("axis = [0, 0, 1]", "mimic = { joint = 'x', ration = 2 }", "unknown key 'ration'"),
    ("axis = [0, 0, 1]", "damping = -1", "damping is -1"),
    ("axis = [0, 0, 1]", "effort = 'much'", "effort is 'much'"),
    ("axis = [0, 0, 1]", "armature = [1, 2]", "2 values"),
    ("lower = -1", "lower = nan", "lower is nan"),
    ("box = [1, 2, 3]", "box = 3", "3 numbers"),
    ("box = [1, 2, 3]", "mesh = 3", "string in quotes"),
    ("box = [1, 2, 3]", "sphere = 1, color = [1, 0]", "4 numbers"),
    ("gravity = [0, 0, -9.81]", "gravity = [0, 0, inf]", "gravity is inf"),
    ("gravity = [0, 0, -9.81]", "gravity = 'down'", "gravity is 'down'"),
    ('name = "arm"', 'name = 3', "string in quotes"),
    ('name = "arm"', 'name = "arm', "not TOML"),
    ('name = "arm"', 'format = "one"\nname = "arm"', "format is 'one'"),
]  # fmt: skip
DH_BAD = [
    ('convention = "distal"', 'convention = "distl"', "did you mean 'distal'"),
    ('convention = "distal"', "convention = 3", "convention is 3"),
    ('convention = "distal"', 'degrees = "yes"', "must be true or false"),
    ('convention = "distal"', 'conventions = "distal"', "unknown key 'conventions'"),
    ('convention = "distal"', "tool = 3", "tool"),
    ('convention = "distal"', "tool = [1, 2]", "tool"),
    ('convention = "distal"', "tool = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]", "no placement"),
    ('convention = "distal"', "base = 'floor'", "base_placement"),
    ('convention = "distal"', "base = [[1, 0], [0, 1]]", "base_placement"),
    ("gravity = [0, 0, -9.81]", "gravity = [0, -9.81]", "gravity.*3 numbers"),
    ("gravity = [0, 0, -9.81]", "gravity = [0, 0, nan]", "gravity is nan"),
    ('name = "arm"', "name = 7", "name must be a string"),
    ("a = 0.4", "aa = 0.4", "row 1: unknown key 'aa'"),
    ("a = 0.4", "a = '0.4'", "row 1: a is '0.4'"),
    ("a = 0.4", "a = nan", "row 1: a is nan"),
    ("a = 0.4", "a = inf", "row 1: a is inf"),
    ("a = 0.4", "a = true", "row 1: a is True"),
    ("a = 0.4", "a = [0.4]", "row 1: a is"),
    ("a = 0.4", "b = 0.1\nd = 0.1", "keep one"),
    ("alpha = 1.5", "alpha = 1e40", "row 1: alpha"),
    ("alpha = 1.5", "alpha = 'pie/2'", "alpha is 'pie/2'"),
    ("mass = 2.0", "mass = -2.0", "row 1: mass is -2.0 kg"),
    ("com = [-0.2, 0, 0]", "com = -0.2", "com is.*3 numbers"),
    ("com = [-0.2, 0, 0]", "r = [0.2, 0, 0]", "give com"),
    ("inertia = [0.01, 0.05, 0.05]", "inertia = [0.5, 0.05, 0.05]", "sum of the others"),
    ("inertia = [0.01, 0.05, 0.05]", "inertia = [0.01, 0.05]", "2 entries"),
    ("inertia = [0.01, 0.05, 0.05]", "inertia = 'small'", "entries|numbers"),
    ("inertia = [0.01, 0.05, 0.05]", "inertia = [[1, 0, 0], [0, 1, 0]]", "entries"),
    ("inertia = [0.01, 0.05, 0.05]", "inertia = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]", "not symmetric"),
    ("lower = -1.0", "lower = 2.0", "lower limit 2.0 is above"),
    ("lower = -1.0", "lower = 'none'", "lower is 'none'"),
    ("lower = -1.0", "effort = -1.0", "effort is -1.0"),
    ("lower = -1.0", "velocity = -1.0", "velocity is -1.0"),
    ("lower = -1.0", "damping = -1.0", "damping is -1.0"),
    ('joint = "prismatic"', 'joint = "spherical"', "row 2: joint is 'spherical'"),
    ('joint = "prismatic"', "joint = 1", "row 2: joint is 1"),
    ('joint = "prismatic"', 'name = ["x"]', "row 2: name is"),
    ("theta = 0.3\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]", "theta = 0.3", "row 2.*moves no inertia"),
    (DH, "dh = 3", "list of tables"),
    (DH, "dh = [1, 2]", "list of tables"),
    (DH, "dh = []", "empty"),
    (DH, "[dh]\na = 1", "list of tables"),
]  # fmt: skip
CORPUS = [
    *((".urdf", URDF, *case) for case in URDF_BAD),
    *((".toml", TOML, *case) for case in TOML_BAD),
    *((".toml", DH, *case) for case in DH_BAD),
]


@pytest.mark.filterwarnings("ignore:DH table")
@pytest.mark.parametrize(("suffix", "good", "old", "new", "said"), CORPUS, ids=[f"{k}" for k in range(len(CORPUS))])
def test_refused_with_a_sentence(suffix, good, old, new, said, tmp_path):
    assert old in good, old
    path = tmp_path / f"arm{suffix}"
    path.write_text(good.replace(old, new, 1), "utf-8")
    with pytest.raises(ordern.ModelError, match=said) as caught:
        load(path)
    text = str(caught.value).replace(str(tmp_path), "")
    assert "arm" in text
    assert len(text) < 500
    assert "\n" not in text


def test_the_unbroken_ones_load(tmp_path):
    for suffix, text in ((".urdf", URDF), (".toml", TOML), (".toml", DH)):
        (tmp_path / f"arm{suffix}").write_text(text)
        assert load(tmp_path / f"arm{suffix}").nv >= 1


def test_the_corpus_is_large():
    assert len(CORPUS) + len(URDF_BEFORE) + len(TOML_BEFORE) >= 200
