"""What a description says of a joint counts, or is refused or told of: every kind of joint, key and format."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ordern.describe.specs import PER_VELOCITY
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.errors import ModelError
from ordern.model import Mass, Placement

TENSOR = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
LINKS = [LinkSpec(name, 1.0, (0.0, 0.0, 0.0), TENSOR) for name in "abc"]
VALUES = {key: 0.5 for key in PER_VELOCITY if key != "springref"} | {"lower": -0.5}
PYTHON = VALUES | {
    "mimic": MimicSpec("first", 2.0),
    "axis2": (0, 1, 0),
    "lumped": Mass(2.0, (0, 0, 0), TENSOR),
    "constants": {"typo": 1.0},
    "axis": (0.0, 0.0, -1.0),
}
IN_FILE = {key: str(value) for key, value in VALUES.items()} | {
    "mimic": '{ joint = "first", ratio = 2.0 }',
    "axis2": "[0, 1, 0]",
    "lumped": "[2, 0, 0, 0, 1, 1, 1, 0, 0, 0]",
    "axis": "[0, 0, -1]",
}
NO_AXIS = ("spherical", "fixed")  # where one may be given, since programs go through all types
KINDS = {"revolute": {}, "prismatic": {}, "helical": {"pitch": 0.1}, "universal": {}, "cylindrical": {}, "planar": {}}
KINDS |= {"spherical": {}, "fixed": {}, "continuous": {}}
FILE = "".join(f'[[link]]\nname = "{n}"\nmass = 1.0\ninertia = [1, 1, 1]\n' for n in "abc") + (
    '[[joint]]\nname = "first"\ntype = "revolute"\nparent = "a"\nchild = "b"\n'
)
ENDS = {"continuous": ("lower", "upper")}  # which are told of where the robot is built


def made(way, kind, more):
    if way == "python":
        return build(
            "r",
            LINKS,
            [JointSpec("first", "revolute", "a", "b"), JointSpec("j", kind, "b", "c", **(KINDS[kind] | more))],
        )
    lines = "".join(f"{key} = {value}\n" for key, value in (KINDS[kind] | more).items())
    return loads_toml(f'{FILE}[[joint]]\nname = "j"\ntype = "{kind}"\nparent = "b"\nchild = "c"\n{lines}')


@pytest.mark.parametrize(("way", "kind"), list(product(("python", "toml"), KINDS)))
def test_a_key_changes_the_robot_or_is_refused(way, kind):
    plain = made(way, kind, {})
    kept = 0
    for key, value in (PYTHON if way == "python" else IN_FILE).items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                model = made(way, kind, {key: value})
        except ModelError as error:
            assert "'j'" in str(error)
            assert "typo" in str(error) if key == "constants" else key in str(error)
            assert kind == "fixed" or key in ("axis2", "constants", "mimic")
        except UserWarning:
            assert key in ENDS.get(kind, ())
        else:
            idle = key == "axis" and kind in NO_AXIS
            kept += not idle
            assert key == "axis2" or (model.bodies != plain.bodies) != idle, key  # y is the usual second axis
    assert kept == 0 if kind == "fixed" else kept >= len(VALUES) - 1 - len(ENDS.get(kind, ()))


TIES = {
    kind: {"link1": "a", "link2": "c"}
    for kind in ("revolute", "fixed", "point", "spherical", "universal", "planar", "prismatic", "cylindrical")
}
TIES |= {
    "helical": {"link1": "a", "link2": "c", "pitch": 0.1}, "distance": {"link1": "a", "link2": "c", "length": 1.0, "xyz2": (1.0, 0.0, 0.0)},
    "gear": {"joints": {"first": 1.0, "j": -1.0}}, "gear of links": {"type": "gear", "link1": "a", "link2": "c"},
}  # fmt: skip
MORE = {
    "axis": (0.0, 0.0, -1.0), "axis2": (0.0, -1.0, 0.0), "xyz1": (0.5, 0.0, 0.0), "rpy1": (0.5, 0.0, 0.0), "xyz2": (0.5, 0.0, 0.0),
    "rpy2": (0.0, 0.5, 0.0), "link1": "b", "link2": "b", "length": 1.5, "pitch": 0.2, "ratio": 2.0, "offset": 0.3,
    "joints": {"first": 3.0},
}  # fmt: skip


def written(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {x}" for key, x in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(list(value) if isinstance(value, tuple) else value)


def tied(way, parts):
    if way == "python":
        joints = [JointSpec("first", "revolute", "a", "b"), JointSpec("j", "revolute", "b", "c")]
        return build("r", LINKS, joints, loops=[LoopSpec("tie", **parts)]).loops
    second = '[[joint]]\nname = "j"\ntype = "revolute"\nparent = "b"\nchild = "c"\n'
    lines = "".join(f"{key} = {written(value)}\n" for key, value in parts.items())
    return loads_toml(f'{FILE}{second}[[loop]]\nname = "tie"\n{lines}').loops


@pytest.mark.parametrize("kind", TIES)
def test_a_key_changes_the_loop_or_is_refused_alike(kind):
    """In Python and TOML; links of one chain have all joints on one side, where a ratio is not asked for."""
    base = {"type": kind} | TIES[kind]
    for key, value in MORE.items():
        said = []
        for way in ("python", "toml"):
            try:
                said.append(tied(way, base | {key: value}) != tied(way, base))
            except ModelError as error:
                assert "'tie'" in str(error)
                said.append("open" if "cannot be closed" in str(error) else str(error).partition("'tie': ")[2])
        assert said[0] == said[1], key
        idle = key == "axis" and kind in ("spherical", "fixed", "point", "distance", "gear", "gear of links")
        assert said[0] is not False or idle or (kind, key) == ("gear of links", "ratio"), key


@pytest.mark.parametrize("key", ["pitch", "offset"])
@pytest.mark.parametrize("kind", ["helical", "revolute"])
def test_a_constant_is_given_once(key, kind):
    if (kind, key) == ("revolute", "pitch"):
        return  # has none
    joint = JointSpec("j", kind, "b", "c", constants={"pitch": 0.1} | {key: 0.1} if kind == "helical" else {key: 0.1})
    first = JointSpec("first", "revolute", "a", "b")
    build("r", LINKS, [first, joint])
    with pytest.raises(ModelError, match=f"'j': {key} is .*constants has it too"):
        build("r", LINKS, [first, replace(joint, **{key: 0.2})])


@pytest.mark.parametrize("way", ["python", "toml"])
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "universal", "planar", "spherical"])
@pytest.mark.parametrize("key", ["lower", "upper"])
def test_a_limit_at_infinity_leaves_a_way_to_move(way, kind, key):
    right, wrong = (-np.inf, np.inf) if key == "lower" else (np.inf, -np.inf)
    for value, refused in ((right, False), (wrong, True)):
        given = {key: value if way == "python" else f"{value}"}
        if refused:
            with pytest.raises(ModelError, match=f"{key} is -?inf, which leaves no way to move"):
                made(way, kind, given)
        else:
            assert made(way, kind, given).nv == made(way, kind, {}).nv


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("key", ["xyz", "rpy"])
def test_a_frame_of_a_loop_is_given_in_one_way(k, key):
    parts = {"type": "planar", "link1": "a", "link2": "c", f"frame{k}": Placement(origin=(0.5, 0.0, 0.0))}
    for place in ((0.0, 0.0, 0.0), [0, 0, 0], np.zeros(3)):
        assert tied("python", parts | {f"{key}{k}": place}) == tied("python", parts)
    with pytest.raises(ModelError, match=f"either frame{k} or xyz{k} and rpy{k}"):
        tied("python", parts | {f"{key}{k}": np.array([0.0, 0.0, 0.25])})


@pytest.mark.parametrize("way", ["python", "toml"])
@pytest.mark.parametrize("given", [{}, {"pitch": 0}, {"pitch": 0.0}, {"pitch": 0.1}])
def test_a_screw_has_a_pitch(way, given, monkeypatch):
    monkeypatch.setitem(KINDS, "helical", given)
    if given.get("pitch"):
        assert made(way, "helical", {}).nv == 2
    else:
        with pytest.raises(ModelError, match=r"'j'.* needs a pitch \(m/rad\)"):
            made(way, "helical", {})


@pytest.mark.parametrize("locked", [None, {"first": 0.0}])
@pytest.mark.parametrize("way", ["list", "dict", "toml", "urdf"])
@pytest.mark.parametrize("closed", [True, False])
def test_home_goes_with_loops(way, closed, locked):
    """Locked or not: the loop may be held closed by what is locked."""
    joints = [JointSpec("first", "revolute", "a", "b"), JointSpec("j", "revolute", "b", "c")]
    tie = [LoopSpec("tie", "gear", joints={"first": 1.0, "j": 1.0})] if closed else []

    def load():
        if way == "toml":
            loop = '[[loop]]\nname = "tie"\ntype = "gear"\njoints = { first = 1.0, j = 1.0 }\n' if closed else ""
            second = '[[joint]]\nname = "j"\ntype = "revolute"\nparent = "b"\nchild = "c"\n'
            return loads_toml(f"home = [0, 0]\n{FILE}{second}{loop}", locked=locked)
        if way == "urdf":
            inner = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
            text = "".join(f"<link name='{n}'>{inner}</link>" for n in "abc")
            for n, parent, child in (("first", "a", "b"), ("j", "b", "c")):
                text += f"<joint name='{n}' type='continuous'><parent link='{parent}'/><child link='{child}'/></joint>"
            text += (
                "<loop name='tie' type='revolute'><predecessor link='a'/><successor link='c'/><axis xyz='1 0 0'/></loop>"
                if closed
                else ""
            )
            return load_urdf(f"<robot name='r'>{text}<ordern><home joint='j' q='0'/></ordern></robot>", locked=locked)
        return build("r", LINKS, joints, loops=tie, home=[0, 0] if way == "list" else {"j": 0.0}, locked=locked)

    if closed:
        load()
    else:
        with pytest.raises(ModelError, match=r"home .* there is no loop .*leave home out"):
            load()


@pytest.mark.parametrize("kind", ["fixed", "revolute", "floating"])
@pytest.mark.parametrize(
    ("tag", "idle"),
    [("<dynamics damping='0.5'/>", True), ("<dynamics damping='0.0' friction='0'/>", False),
     ("<mimic joint='first' multiplier='2'/>", True), ("<axis xyz='0 0 0'/>", False), ("<limit lower='-1' upper='1'/>", False)],
)  # fmt: skip
def test_urdf_tells_of_what_a_weld_kept(kind, tag, idle):
    """Files have joints that were fixed by changing their type alone: lint tells, and the robot loads."""
    if kind != "fixed" and ("mimic" in tag or "axis" in tag):
        return  # tested elsewhere
    solid = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    text = "".join(f"<link name='{n}'>{solid}</link>" for n in "abc")
    text += "<joint name='first' type='continuous'><parent link='a'/><child link='b'/></joint>"
    text += f"<joint name='j' type='{kind}'><parent link='b'/><child link='c'/>{tag}</joint>"
    model = load_urdf(f"<robot name='r'>{text}</robot>")
    told = [what for who, what, _ in model.suspect if "is left out" in what and "'j'" in who]
    assert len(told) == ((idle and kind == "fixed") or (kind == "floating" and "limit" in tag))


@pytest.mark.parametrize(
    "options",
    [{}, {"locked": {"j": 0.0}}, {"locked": {"first": 0.0, "j": 0.0}}, {"mimic": False}, {"base": "floating"}],
)
@pytest.mark.parametrize("name", ["first", "j", "follower", "typo", "b", "", 3, None, ("first",)])
@pytest.mark.parametrize("way", ["python", "urdf"])
def test_home_names_joints(way, name, options):
    """Joints that are locked or follow others may stand in it: files have them, whatever they are loaded with."""
    joints = [JointSpec("first", "revolute", "a", "b"), JointSpec("j", "revolute", "b", "c")]
    links = [*LINKS, LinkSpec("d", 1.0, (0.0, 0.0, 0.0), TENSOR)]
    joints.append(JointSpec("follower", "revolute", "c", "d", mimic=MimicSpec("first", 2.0)))
    tie = LoopSpec("tie", "gear", joints={"first": 1.0, "j": 1.0})

    def load():
        if way == "python":
            return build("r", links, joints, loops=[tie], home={"first": 0.0, name: 0.0}, **options)
        text = to_urdf(build("r", links, joints, loops=[tie]))
        assert '<home joint="first"' in text
        return load_urdf(text.replace('<home joint="first"', f'<home joint="{name}"'), **options)

    if way == "urdf" and not (isinstance(name, str) and name):
        return  # no name in a file
    if name in ("first", "j", "follower"):
        load()
    else:
        with pytest.raises(ModelError, match=r"home names the joint .*, which the robot does not have"):
            load()
