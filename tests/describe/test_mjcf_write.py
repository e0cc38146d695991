"""MJCF out: MuJoCo reads the same robot, and so does the reader, from what was written of robots of all kinds."""

import re
import warnings
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import robots
from needs import EXAMPLES
from ordern.check.convert import convert
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.describe.builtin import lookup
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.errors import ModelError, OrdernWarning
from ordern.model import Drive, Placement, State
from ordern.robot import Robot

from .mujoco_oracle import errors
from .test_mjcf import BALL, LINKAGE, random_mjcf

EXISTING = [
    "ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf", "kinova_description/robots/kinova.urdf",
    "anymal_b_simple_description/robots/anymal.urdf", "a1_description/urdf/a1.urdf", "solo_description/robots/solo12.urdf",
    "talos_data/robots/talos_reduced.urdf", "icub_description/robots/icub_reduced.urdf", "iris_description/robots/iris_simple.urdf",
    "double_pendulum_description/urdf/double_pendulum.urdf", "tiago_description/robots/tiago.urdf", "hyq_description/robots/hyq_no_sensors.urdf",
    "romeo_description/urdf/romeo.urdf", "cassie_description/robots/cassie_v2.urdf", "ur_description/urdf/ur10_robot.urdf",
]  # fmt: skip


def there():
    return [name for name in EXISTING if (EXAMPLES / name).is_file()]


def test_at_least_ten_robots():
    assert len(there()) >= 10


def quietly(load, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        return load(*arguments, on_invalid="warn", **options)


@pytest.mark.parametrize("name", there())
def test_twins(name):
    """A URDF and its MJCF are the same robot."""
    robot = Robot(quietly(load, EXAMPLES / name))
    made = convert(robot, "mjcf", states=3)
    assert made.proof.ok, made.proof.differences[:5]


@pytest.mark.parametrize("name", ["panda", "ur5", "stanford", "chain12"])
def test_mujoco_reads_the_same(name):
    model = lookup(name)
    text = to_mjcf(model)
    found = errors(mujoco.MjModel.from_xml_string(text), quietly(load_mjcf, text, mimic=False))
    assert max(found.values()) < 1e-9, found
    assert convert(Robot(model), "mjcf", states=3).proof.ok


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 30.0])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", ["sheet", "rod", "scaled sheet"])
def test_mujoco_reads_flat_bodies(kind, turned, size):
    """Masses in a plane or on a line: rounding makes their largest moment exceed the sum of the others, which MuJoCo refuses."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((5, 3)) * [1, kind != "rod", 0]
        points = points @ np.linalg.qr(rng.standard_normal((3, 3)))[0] if turned else points
        away = size * (points - points.mean(0))
        t = sum((d @ d) * np.eye(3) - np.outer(d, d) for d in away) * (rng.uniform(0.5, 2) if "scaled" in kind else 1)
        if not turned:
            t = np.diag(np.diag(t))
            t[2, 2] = t[0, 0] + t[1, 1]
            t[2, 2] *= 1 + seed % 3 * 2.0**-52
        six = tuple(float(t[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        # MuJoCo moves nothing without thickness, so the rod is welded to what moves
        solid = LinkSpec("b", 1.0, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
        links = [LinkSpec("a"), solid, LinkSpec("c", 1.0, (0.1, 0.2, 0.3), six)]
        joints = [
            JointSpec("j", "revolute", "a", "b"),
            JointSpec("k", "fixed" if kind == "rod" else "revolute", "b", "c", axis=None),
        ]
        model = build("x", links, joints, on_invalid="error")
        made = convert(Robot(model), "mjcf", states=2)
        assert made.proof.ok and not any("itself refuses" in line for line in made.proof.lost), made.proof
        if size > 1e-5:  # below, moments are less than MuJoCo's least
            found = errors(mujoco.MjModel.from_xml_string(made.text), load_mjcf(made.text))
            assert max(found.values()) < 1e-9, (found, six)


@pytest.mark.parametrize("deficit", [1e-9, 0.05, 0.5])
@pytest.mark.parametrize("turned", [False, True])
def test_bodies_that_mujoco_refuses_are_named(deficit, turned):
    w, axes = np.diag([1.0, 2.0, 3.0 + 3 * deficit]), np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
    t = axes @ w @ axes.T if turned else w
    six = tuple(float(t[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    model = quietly(
        build, "x", [LinkSpec("a"), LinkSpec("b", 1.0, (0.0, 0.0, 0.0), six)], [JointSpec("j", "revolute", "a", "b")]
    )
    made = convert(Robot(model), "mjcf", states=2)
    assert made.proof.ok and any("'b'" in line and "MuJoCo itself refuses" in line for line in made.proof.lost)
    with pytest.raises(ValueError, match="must satisfy"):
        mujoco.MjModel.from_xml_string(made.text)


@pytest.mark.parametrize("seed", range(6))
def test_round_trip(seed):
    """Read, written and read: the same numbers; written again: the same text."""
    first = load_mjcf(random_mjcf(np.random.default_rng(100 + seed)), mimic=False)
    try:
        text = to_mjcf(first)
    except ModelError as error:
        assert "turns any way" in str(error)  # a ball with a body turned against it
        return
    second = load_mjcf(text, mimic=False)
    assert [b.name for b in second.bodies] == [b.name for b in first.bodies]
    for a, b in zip(first.bodies, second.bodies, strict=True):
        assert (a.armature, a.damping, a.friction, a.stiffness, a.springref, a.lower, a.upper) == (
            b.armature, b.damping, b.friction, b.stiffness, b.springref, b.lower, b.upper,
        )  # fmt: skip
    proof = convert(Robot(first), "mjcf", states=3).proof
    assert proof.ok, proof.table()
    assert to_mjcf(second).count("<body") == text.count("<body")


def test_joints_of_several_ways():
    """Cylindrical, universal and planar joints as two or three of MJCF, with the same coordinates and forces."""
    for kinds in ("CR", "UR", "LR", "RUC"):
        model = robots.serial(kinds, 4, armature=False)
        robot = Robot(model)
        other = Robot(load_mjcf(to_mjcf(model)))
        q, qd, qdd, _ = robots.state(model, np.random.default_rng(0), (4,))
        assert np.allclose(
            robot.inverse_dynamics(q, qd, qdd), other.inverse_dynamics(q, qd, qdd), rtol=1e-10, atol=1e-10
        ), kinds
    with pytest.raises(ModelError, match="helical; MJCF has no such joint"):
        to_mjcf(robots.serial("H", 4))


def test_motors_states_springs_and_followers():
    text = f"""<mujoco model='m'><compiler angle='radian'/><worldbody><body name='a' pos='0 0 1'><freejoint name='f'/>{BALL}
      <body name='b' pos='.1 0 0'><joint name='j' range='-1 2' ref='.3' stiffness='3' springref='.1' actuatorfrcrange='-9 9'/>{BALL}</body>
      <body name='c' pos='.2 0 0'><joint name='k' frictionloss='.1'/>{BALL}</body></body></worldbody>
      <equality><joint joint1='k' joint2='j' polycoef='.1 2 0 0 0'/></equality>
      <actuator><position name='p' joint='j' kp='30' kv='2' ctrlrange='-1 1' forcerange='-5 5'/></actuator>
      <keyframe><key name='home' qpos='1 2 3 .6 0 .8 0 .5 .5' qvel='1 2 3 4 5 6 7 14'/></keyframe></mujoco>"""
    first = load_mjcf(text)
    second = load_mjcf(to_mjcf(first))
    assert (
        first.drives
        == second.drives
        == (Drive("p", (("j", 1.0),), 30.0, (0.0, -30.0, -2.0), (-1.0, 1.0), (-5.0, 5.0)),)
    )
    assert [s.name for s in second.states] == ["qpos0", "home"]
    for a, b in zip(first.states, second.states, strict=True):
        assert np.allclose(a.q, b.q, atol=1e-15) and np.allclose(a.qd, b.qd, atol=1e-14) and isinstance(a, State)
    for a, b in zip(first.bodies, second.bodies, strict=True):
        assert replace(a, placement=b.placement, inertia=b.inertia) == b
    assert mujoco.MjModel.from_xml_string(to_mjcf(first)).nkey == 1


@pytest.mark.parametrize(
    "tie",
    [
        "<connect body1='b' body2='c' anchor='.1 .2 .3'/>",
        "<weld body1='b' body2='c'/>",
        "<tendon tendon1='t' polycoef='.1'/>",
    ],
)
def test_loops(tie):
    first = load_mjcf(LINKAGE % tie)
    text = to_mjcf(first)
    second, q = load_mjcf(text), np.array(first.home)
    assert np.allclose(Robot(first).constraint_jacobian(q), Robot(second).constraint_jacobian(q), atol=1e-14)
    assert mujoco.MjModel.from_xml_string(text).neq == 1


@pytest.mark.parametrize("name", ["fourbar", "slider_crank", "fivebar", "threerrr", "andrews", "bricard"])
def test_mechanisms_stand_closed_in_mujoco_and_move_as_ours(name):
    """Hinges that close loops: MuJoCo begins where they are closed, and its equations leave free what ours do."""
    thin = lookup(name)
    thick = (
        replace(b, inertia=replace(b.inertia, I=tuple(x + 1e-3 * (k < 3) for k, x in enumerate(b.inertia.I))))
        for b in thin.bodies[1:]
    )
    robot = Robot(thin.with_bodies([thin.bodies[0], *thick]))  # MuJoCo takes no rods without thickness
    text = to_mjcf(robot.model)
    again = Robot(load_mjcf(text))
    assert [x.kind for x in again.model.loops] == [x.kind for x in robot.model.loops]
    proof = convert(robot, "mjcf", states=3).proof
    assert proof.ok, proof.table()
    shifted = again.model.changed(home=tuple(again.assemble(np.array(again.model.home) + 0.1).q.tolist()), states=())
    for model in (shifted, robot.model):  # whose joints have their zeros elsewhere, and not
        made = mujoco.MjModel.from_xml_string(to_mjcf(model))
        data = mujoco.MjData(made)
        mujoco.mj_forward(made, data)
        assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9  # where a loop counts as closed
    order = [made.joint(robot.model.bodies[i].name).id for i in robot.model.free]
    assert np.allclose(data.qpos[order], robot.model.home, atol=1e-12)
    found = robot.assemble(np.array(robot.model.home) + np.random.default_rng(0).uniform(-0.1, 0.1, (4, robot.nq)))
    assert found.success.all()
    for q in found.q:
        data.qpos[order] = q
        mujoco.mj_forward(made, data)
        J, A = data.efc_J.reshape(data.nefc, made.nv)[: data.ne, order], robot.constraint_jacobian(q)
        assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9
        rank = np.linalg.matrix_rank(A, 1e-7)
        assert np.linalg.matrix_rank(J, 1e-7) == rank  # equations that follow from others are small by rounding only
        assert np.abs(J @ np.linalg.svd(A)[2][rank:].T).max() < 1e-9


def two_arms(kind, first, **more):
    """Two arms on the ground that a loop ties together, and where; in MuJoCo's order of joints."""
    links, joints = [LinkSpec("ground")], []
    for side, y in (("l", 0.2), ("r", -0.2)):
        above = "ground"
        for k, joint in enumerate((first, "revolute", "revolute", "prismatic", "revolute")):
            name = f"{side}{k}"
            links.append(LinkSpec(name, 1.0, (0.05, 0.02 * k, 0.1), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)))
            at = Placement.from_rpy((0.1, y if k == 0 else 0.02, 0.15), (0.3 * k, 0.2 - 0.1 * k, 0.4 + 0.3 * y * k))
            axis = {} if joint == "spherical" else {"axis": (0.1 * k, 1.0, 0.5 - 0.2 * k)}
            joints.append(JointSpec(name, joint, above, name, at, **axis))
            above = name
    frames = {"xyz1": (0.1, 0.0, 0.05), "rpy1": (0.1, 0.2, 0.3), "xyz2": (0.0, 0.1, 0.0), "rpy2": (0.3, 0.0, -0.2)}
    tie = LoopSpec("tie", kind, "l4", "r4", **frames, **more)
    robot = Robot(build("two arms", links, joints, loops=[tie]))
    moved = robot.integrate(robot.model.home, 0.3 * np.random.default_rng(1).normal(size=robot.n))
    home = robot.assemble(moved).q  # balls turned: in MuJoCo's own position the loop is open
    return Robot(robot.model.changed(home=tuple(home.tolist())))


@pytest.mark.parametrize("first", ["revolute", "spherical"])
@pytest.mark.parametrize(("kind", "more"), [("universal", {}), ("distance", {"length": 0.3}), ("revolute", {})])
def test_ties_of_mujoco_leave_free_what_the_loop_does(kind, more, first):
    """A length that stays, and a cross as a point and a length: MuJoCo counts lengths from its own position."""
    robot = two_arms(kind, first, **more)
    text = to_mjcf(robot.model)
    again, made = load_mjcf(text), mujoco.MjModel.from_xml_string(text)
    assert [loop.kind for loop in again.loops] == [kind] and not again.beyond
    back, data, open_by = Robot(again), mujoco.MjData(made), []
    start = robot.integrate(robot.model.home, 0.2 * np.random.default_rng(0).normal(size=(3, robot.n)))
    for q in robot.assemble(start).q:
        A = robot.constraint_jacobian(q)
        assert np.allclose(back.constraint_jacobian(q), A, atol=1e-13)  # as exact as lengths are that are sums
        for i in robot.model.free:
            joint, at = robot.model.bodies[i], robot.model.offsets[i][0]
            given = q[at : at + 1] if joint.joint.nq == 1 else q[at : at + 4][[3, 0, 1, 2]]
            data.joint(joint.name).qpos[:] = given
        mujoco.mj_forward(made, data)
        open_by.append(np.abs(data.efc_pos[: data.ne]).max())
        J, rank = data.efc_J.reshape(data.nefc, made.nv)[: data.ne], np.linalg.matrix_rank(A, 1e-7)
        assert np.linalg.matrix_rank(J, 1e-7) == rank
        assert np.abs(J @ np.linalg.svd(A)[2][rank:].T).max() < 1e-9
    assert max(open_by) < 1e-12


def test_closures_that_mjcf_has_no_word_for_are_refused():
    with pytest.raises(ModelError, match="'tie' is planar; MJCF ties points, frames and lengths, but nothing that sl"):
        to_mjcf(two_arms("planar", "revolute", axis=(1.0, 1.0, 0.0)).model)


def test_a_long_chain_and_strange_names(tmp_path):
    model = lookup("chain600")
    again = load_mjcf(to_mjcf(model))
    assert again.nv == 600
    odd = replace(lookup("pendulum"), name='<a & "b">')
    path = tmp_path / "odd.xml"
    Robot(odd).to_mjcf(path)
    assert load(path).name == odd.name


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (0, 2, 1, 4, 3), (0, 2, 4, 1, 3)])
def test_named_states_keep_their_joints_whatever_the_order_of_links(order):
    """MuJoCo counts joints depth first: its qpos of a key, by name of joint, is the state that was named."""
    rods = "".join(
        f"<link name='{n}'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        for n in "abcde"
    )
    ties = (("j1", "a", "b"), ("j2", "a", "c"), ("j3", "b", "d"), ("j4", "c", "e"))
    joints = "".join(
        f"<joint name='{n}' type='continuous'><parent link='{p}'/><child link='{c}'/><axis xyz='0 0 1'/></joint>"
        for n, p, c in ties
    )
    model = load(f"<robot name='x'>{rods}{joints}</robot>")
    place = {k: i for i, k in enumerate(order)}
    links = tuple(replace(model.links[k], parent=place.get(model.links[k].parent, -1)) for k in order)
    robot = Robot(replace(model, links=links, states=(State("s", (1.0, 2.0, 3.0, 4.0), (0.0,) * 4),)))
    m = mujoco.MjModel.from_xml_string(to_mjcf(robot.model))
    found = {m.joint(i).name: float(m.key_qpos[0, m.jnt_qposadr[i]]) for i in range(m.njnt)}
    assert found == dict(zip(robot.joint_names, (1.0, 2.0, 3.0, 4.0), strict=True))


def test_a_slide_on_a_ball_shares_its_body():
    """MuJoCo refuses a body without mass between the two."""
    heavy = "<inertial><origin xyz='.1 .2 .3'/><mass value='2'/><inertia ixx='.1' iyy='.2' izz='.15' ixy='.01' ixz='0' iyz='0'/></inertial>"
    model = load(
        f"<robot name='x'><link name='a'/><link name='m'/><link name='b'>{heavy}</link>"
        "<joint name='s' type='ball'><origin xyz='0 0 1'/><parent link='a'/><child link='m'/></joint>"
        "<joint name='p' type='prismatic'><origin xyz='.3 .1 0'/><parent link='m'/><child link='b'/><axis xyz='0 1 0'/>"
        "<limit lower='-1' upper='1' effort='5' velocity='3'/></joint></robot>"
    )
    text = to_mjcf(model)
    again = load_mjcf(text)
    assert max(errors(mujoco.MjModel.from_xml_string(text), again).values()) < 1e-9  # as all readings are held
    q = Robot(model).random(0)
    np.testing.assert_allclose(Robot(again).mass_matrix(q), Robot(model).mass_matrix(q), rtol=0, atol=1e-15)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "universal", "planar"])
def test_axes_that_are_written_have_length_one(kind):
    """Readers make them so, but a person who reads the file should not have to."""
    inertia = (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
    links = [LinkSpec("base"), LinkSpec("a", 1.0, com=(0.1, 0.2, 0.3), inertia=inertia)]
    text = to_mjcf(
        build("r", links, [JointSpec("j", kind, "base", "a", Placement.from_rpy((0, 0, 1), (0.3, 0.1, -0.2)))])
    )
    axes = [np.array(found.split(), float) for found in re.findall(r"axis=['\"]([^'\"]*)", text)]
    assert len(axes) == {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "planar": 3}[kind]
    for axis in axes:
        assert abs(np.linalg.norm(axis) - 1) < 4 * np.finfo(float).eps  # of three squares and their sum
