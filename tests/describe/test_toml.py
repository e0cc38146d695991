"""ordern's own format: exact round trips of everything, and clear refusals."""

import numpy as np
import pytest

import ordern
from ordern.describe import builtin as robots
from ordern.describe.builder import JointSpec, LinkSpec, MimicSpec, build
from ordern.describe.toml.toml_read import load_toml, loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.errors import ModelError
from ordern.joints import JOINTS
from ordern.model import Geometry, Link, Mass, Placement
from ordern.robot import Robot
from robots import random_placement, tree


def mixed():
    """Every joint type, slanted axes, welds, mimics, several trees, shapes, all properties."""
    rng = np.random.default_rng(5)
    links = [LinkSpec("ground", 3.0, (0.1, 0.2, 0.3), (1, 1, 1, 0, 0, 0))]
    joints = []

    def place():
        return Placement.from_rpy(rng.normal(size=3), rng.normal(size=3))

    def add(kind, parent, **more):
        name = f'{kind} {len(links)} \u00e9"\\'
        shape = Geometry("box", (0.1, 0.2, 0.3), "", place(), (1.0, 0.0, 0.0, 1.0))
        mesh = Geometry("mesh", (1.0, 1.0, 2.0), "package://a/b.stl")
        links.append(
            LinkSpec(
                name, 1 + rng.random(), rng.normal(size=3), (0.5, 0.6, 0.7, 0.01, 0.02, 0.03), (shape, mesh), (shape,)
            )
        )
        joints.append(JointSpec(f"j {name}", kind, parent, name, place(), **more))
        return name

    last = "ground"
    for kind in JOINTS:
        more = {"axis": rng.normal(size=3)} if JOINTS[kind].axial else {}
        if kind == "universal":
            more = {"axis": (0.6, 0.8, 0.0), "axis2": (0.8, -0.6, 0.0)}
        if kind == "helical":
            more |= {"pitch": 0.01, "offset": 0.3}
        n = JOINTS[kind].nv
        more |= {
            "armature": [0.1 * (k + 1) for k in range(n)],
            "damping": 0.2,
            "friction": [0.3] * n,
            "lower": -np.inf,
            "upper": [2.0] * n,
        }
        last = add(kind, last, **more)
        last = add("fixed", last)
    second = add("floating", "world", velocity=3.0, effort=[1, 2, 3, 4, 5, 6])
    leader = add("revolute", second, axis=(1, 2, 3), child_frame=place())
    add("continuous", leader, axis=(0, -1, 0), mimic=MimicSpec(f"j {leader}", -2.0, 0.1))
    add("prismatic", "world", axis=(-1, 0, 0))
    return build("mixed", links, joints, gravity=(1, 2, 3))


@pytest.mark.parametrize("name", ["mixed", "planar3", "stanford", "puma560_motors", "chain30", "panda", "ur5"])
def test_round_trip_is_exact(name):
    model = mixed() if name == "mixed" else robots.lookup(name)
    again = loads_toml(to_toml(model), source=model.source)
    assert again.fingerprint == model.fingerprint
    assert again == model


def test_changed_bodies_are_saved_too():
    model = robots.planar3()
    last = model.bodies[-1]
    body = type(last)(
        last.name,
        last.joint,
        last.parent,
        last.placement,
        Mass(0.31, (0.03, 0.0, 0.001), (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)),
    )
    changed = model.with_bodies([*model.bodies[:-1], body])
    assert loads_toml(to_toml(changed)) == changed


def test_files(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(to_toml(robots.planar3()), "utf-8")
    assert load_toml(path).fingerprint == robots.planar3().fingerprint
    assert load_toml(str(path), gravity=(0, 0, 0)).gravity == (0.0, 0.0, 0.0)
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(ModelError, match=r"arm.toml:1.*UTF-8"):
        load_toml(path)


def test_tables_and_robots_without_a_name_are_called_by_their_file(tmp_path):
    table, path = "[[dh]]\na = 0.3\nmass = 1.0\ncom = [0.1, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n", tmp_path / "left.toml"
    path.write_text(table)
    assert [load_toml(path).name, loads_toml(table).name] == ["left", "robot"]
    assert loads_toml('name = "own"\n' + table).name == "own"


GOOD = """name = "arm"
gravity = [0, 0, -9.81]

[[link]]
name = "base"

[[link]]
name = "upper"
mass = 1.5
com = [0.1, 0, 0]
inertia = [0.1, 0.2, 0.2]
visual = [{ box = [1, 2, 3] }]

[[joint]]
name = "shoulder"
type = "revolute"
parent = "base"
child = "upper"
axis = [0, 0, 1]
lower = -1
upper = 1
"""
BROKEN = {
    "not toml": ("mass = 1.5", "mass = = 1.5", "not TOML.*line", 9),
    "unknown top key": ('name = "arm"', 'name = "arm"\ngravitation = 1', "unknown key 'gravitation'.*'gravity'", None),
    "unknown link key": ("mass = 1.5", "mas = 1.5", "unknown key 'mas'.*'mass'", 9),
    "unknown joint key": ("lower = -1", "lowest = -1", "unknown key 'lowest'.*'lower'", 20),
    "key of another type": ("lower = -1", "pitch = 1", "unknown key 'pitch' in a revolute", 20),
    "string mass": ("mass = 1.5", "mass = '1.5'", "mass is '1.5'; it must be a number", 9),
    "bool mass": ("mass = 1.5", "mass = true", "mass is True", 9),
    "nan": ("mass = 1.5", "mass = nan", "mass is nan", 9),
    "infinite": ("mass = 1.5", "mass = inf", "mass is inf", 9),
    "huge integer": ("mass = 1.5", "mass = 1" + "0" * 400, "mass is", 9),
    "endless integer": ("mass = 1.5", "mass = 1" + "0" * 9000, "not TOML|mass is", None),
    "negative": ("mass = 1.5", "mass = -1.5", "mass is -1.5 kg", 7),
    "com": ("com = [0.1, 0, 0]", "com = [0.1, 0]", "com is.*3 numbers", 10),
    "inertia": ("inertia = [0.1, 0.2, 0.2]", "inertia = [1.0, 0.2, 0.2]", "principal moments", 7),
    "gravity": ("gravity = [0, 0, -9.81]", "gravity = 9.81", "gravity.*3 numbers", 2),
    "no name": ('name = "upper"\n', "", "'name' is missing", 7),
    "no type": ('type = "revolute"\n', "", "'type' is missing", 14),
    "unknown type": ('"revolute"', '"hinge"', "unknown joint type 'hinge'", 14),
    "no parent": ('parent = "base"\n', "", "'parent' is missing", 14),
    "unknown parent": ('parent = "base"', 'parent = "bass"', "'bass' does not exist.*'base'", 14),
    "number as name": ('name = "upper"', "name = 3", "name is 3.*string", None),
    "zero axis": ("axis = [0, 0, 1]", "axis = [0, 0, 0]", "no direction", 14),
    "shape": ("box = [1, 2, 3]", "box = [1, 2]", "box is.*3 numbers", 12),
    "two shapes": ("box = [1, 2, 3]", "box = [1, 2, 3], sphere = 1", "exactly one", 12),
    "unknown shape": ("box = [1, 2, 3]", "cube = [1, 2, 3]", "unknown key 'cube'", 12),
    "shapes no list": ("[{ box = [1, 2, 3] }]", "3", "no list of shapes", None),
    "limits": ("lower = -1", "lower = 2", "lower limit", 14),
    "many limits": ("lower = -1", "lower = [1, 2]", "2 values", 14),
    "mirror": ("axis = [0, 0, 1]", "rotation = [1, 0, 0, 0, 1, 0, 0, 0, -1]", "mirrors", 14),
    "no rotation": ("axis = [0, 0, 1]", "rotation = [1, 0, 0, 0, 1, 0, 0, 0, 2]", "no rotation", 14),
    "both rotations": ("axis = [0, 0, 1]", "rpy = [0, 0, 0]\nrotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]", "keep one", 14),
    "edited": ("axis = [0, 0, 1]", "xyz = [0, 0, 1]\nexact = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2]", "delete 'exact'", 14),
    "mimic": ("axis = [0, 0, 1]", "mimic = { joint = 'elbow' }", "'elbow'.*does not exist", 14),
    "mimic no table": ("axis = [0, 0, 1]", "mimic = 'elbow'", "mimic is no table", 19),
    "links no tables": ("gravity = [0, 0, -9.81]", "link = 3", "not TOML|no list of tables", None),
    "future": ('name = "arm"', 'format = 2\nname = "arm"', "format is 2", None),
    "future table": (GOOD, "format = 2\nnew = 1\n[[dh]]\na = 1", "format is 2", None),
    "no links": (GOOD, 'name = "arm"', "no link", None),
    "deep": (GOOD, "a = " + "[" * 5000, "not TOML", None),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name, tmp_path):
    old, new, message, line = BROKEN[name]
    assert old in GOOD
    path = tmp_path / "arm.toml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(ModelError, match=message) as caught:
        load_toml(path)
    text = str(caught.value)
    assert "arm.toml" in text
    if line:
        assert f"arm.toml:{line}" in text, text


def test_the_unbroken_one_loads():
    assert loads_toml(GOOD).nv == 1


@pytest.mark.parametrize("held", [(0,), (1,), (0, 1), (2,), (0, 3), (1, 2)])
def test_saved_robots_are_welded_where_the_joint_is_held(tmp_path, held):
    """Placements are read to the last bit, but behind a joint that is welded they are made anew."""
    rng = np.random.default_rng(0)
    model = tree(["revolute", "prismatic", "helical", "revolute"], [0, 1, 2, 2], 3)
    tools = [Link(f"tool{k}", k, random_placement(rng), parent=k, joint=f"weld{k}") for k in range(1, 5)]
    robot = Robot(model.changed(links=(*model.links, *tools)))
    robot.save(tmp_path / "saved.toml")
    again = ordern.load(tmp_path / "saved.toml")
    for link in robot.model.links:
        assert again.model.links[again.model.link_index[link.name]].placement == link.placement
    q = rng.uniform(-0.5, 0.5, 4)
    welded = ordern.load(tmp_path / "saved.toml", locked={robot.joint_names[k]: float(q[k]) for k in held})
    made, right = welded.forward_kinematics(np.delete(q, held)), robot.forward_kinematics(q)
    for name, pose in right.items():
        np.testing.assert_allclose(made[name], pose, rtol=0, atol=1e-14)  # some ten products of rotations


@pytest.mark.parametrize("options", [{}, {"base": "floating"}, {"mimic": False}, {"locked": {"a": 0.5}}])
@pytest.mark.parametrize(
    ("lines", "said"),
    [("q = [0.5, 1]", ""), ("q = [0.5, 1]\nqd = [2, 3]", ""), ("q = [0.5]", "q is"), ("", "q is"), ("q = 1", "q is"),
     ("q = [0, 1, 2]", "q is"), ("q = [0, 1]\nqd = [1]", "qd is"), ("q = [0, nan]", "q is")],
)  # fmt: skip
def test_a_state_is_kept_or_refused(lines, said, options):
    """Of the file's own joints, followers left out, whatever options it is loaded with; at rest without qd."""
    links = [LinkSpec(name, 1.0, (0.1, 0.2, 0.3), (0.2, 0.3, 0.4, 0.0, 0.0, 0.0)) for name in "xyzw"]
    joints = [JointSpec(n, "revolute", p, c, axis=(0, 1, 0)) for n, p, c in (("a", "x", "y"), ("b", "y", "z"))]
    joints.append(JointSpec("f", "revolute", "z", "w", mimic=MimicSpec("b", 2.0, 0.25)))
    text = f"{to_toml(build('r', links, joints))}[[state]]\nname = 'up'\n{lines}\n"
    if said:
        with pytest.raises(ModelError, match=rf"state.* number 1: {said}"):
            loads_toml(text, **options)
        return
    model = loads_toml(text, **options)
    (state,) = model.states
    wanted = {"a": (0.5, 2.0), "b": (1.0, 3.0), "f": (2.25, 6.0)}
    for i in model.free:
        at, rate = model.offsets[i]
        if model.bodies[i].joint.nq == 1:
            q, qd = wanted[model.bodies[i].name]
            assert (state.q[at], state.qd[rate]) == (q, qd if "qd" in lines else 0.0)


MOTOR = """[[drive]]
name = 'm'
arms = { a = 2 }
"""
WRONG_MOTORS = {
    "no joint 'b'; did you mean 'ab'": MOTOR.replace("{ a", "{ b"),
    "joint 'ball' has not one way": MOTOR.replace("{ a", "{ a = 1.0, ball"),
    "joint 'weld' has not one way": MOTOR.replace("{ a", "{ weld"),
    "a second drive is called 'm'": MOTOR + MOTOR,
    "control 2.0 to 1.0 is empty": f"{MOTOR}control = [2, 1]\n",
    "force 0.0 to -1.0 is empty": f"{MOTOR}force = [0, -1]\n",
    "a second state is called 'up'": 2 * "[[state]]\nname = 'up'\nq = [0, 0, 0, 0, 0, 1]\n",
}


@pytest.mark.parametrize("options", [{}, {"base": "floating"}, {"locked": {"a": 0.5}}])
@pytest.mark.parametrize("said", WRONG_MOTORS)
def test_wrong_motors_and_states_are_refused(said, options):
    links = [LinkSpec(name, 1.0, (0.1, 0.2, 0.3), (0.2, 0.3, 0.4, 0.0, 0.0, 0.0)) for name in "vwxyz"]
    kinds = (("a", "revolute"), ("ab", "prismatic"), ("ball", "spherical"), ("weld", "fixed"))
    joints = [JointSpec(n, kind, "vwxy"[k], "wxyz"[k]) for k, (n, kind) in enumerate(kinds)]
    text = to_toml(build("r", links, joints))
    assert len(loads_toml(text + MOTOR, **options).drives) == ("locked" not in options)
    with pytest.raises(ModelError, match=rf"TOML text.* number \d: .*{said}"):
        loads_toml(text + WRONG_MOTORS[said], **options)


@pytest.mark.parametrize(("row", "column"), [(i, j) for i in range(3) for j in range(3)])
def test_every_column_of_a_rotation_is_looked_at(row, column, tmp_path):
    """A column of another length, or two that are not perpendicular."""
    matrix = [float(k % 4 == 0) for k in range(9)]
    matrix[3 * row + column] += 5e-4
    path = tmp_path / "arm.toml"
    path.write_text(GOOD.replace("axis = [0, 0, 1]", f"rotation = {matrix}"))
    with pytest.raises(ModelError, match="no rotation"):
        load_toml(path)
