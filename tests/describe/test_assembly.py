"""Robots put together and taken apart: the whole moves as its parts do."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pinocchio
import pytest

import ordern
from ordern.describe.assembly import renamed
from ordern.describe.builder import build
from ordern.describe.respec import rebuilt
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.model import Placement
from robots import GRID, random_placement, tree

from .mechanics import gravity_forces, link_poses, mass_matrix, random_q

AT = Placement.from_rpy((0.3, -0.2, 0.5), (0.4, -0.7, 1.1))


def grid(name):
    return rebuilt(GRID[name](), {})


@pytest.mark.parametrize("arm", ["arm6", "mixed", "mimic"])
@pytest.mark.parametrize("tool", ["pendulum", "mixed", "mimic", "planar"])
def test_a_tool_on_every_kind_of_robot(arm, tool):
    """Poses of the tool's links follow the carrier; kinetic energy is the sum of both, moved along."""
    a = grid(arm)
    b = grid(tool).changed(gravity=a.gravity)
    carrier = a.links[-1].name
    made = ordern.Robot(a).attach(ordern.Robot(b), carrier, AT.matrix(), prefix="tool_").model
    rng = np.random.default_rng(4)
    qa, qb = random_q(a, rng), random_q(b, rng)
    q = np.concatenate([qa, qb])
    assert (made.nq, made.nv) == (a.nq + b.nq, a.nv + b.nv)
    poses, pa, pb = link_poses(made, q), link_poses(a, qa), link_poses(b, qb)
    for name, pose in pa.items():
        np.testing.assert_allclose(poses[name], pose, rtol=0, atol=1e-13)
    for name, pose in pb.items():
        np.testing.assert_allclose(poses[f"tool_{name}"], pa[carrier] @ AT.matrix() @ pose, rtol=0, atol=1e-12)
    M = mass_matrix(made, q)
    np.testing.assert_allclose(
        M[a.nv :, a.nv :], mass_matrix(b, qb), rtol=0, atol=1e-12 * np.abs(M).max()
    )  # relative to the carrier, nothing changed
    again = made.with_bodies(made.bodies)
    assert again.fingerprint == made.fingerprint
    back = ordern.Robot(made).without(f"tool_{b.links[0].name}").model
    np.testing.assert_allclose(mass_matrix(back, qa), mass_matrix(a, qa), rtol=0, atol=1e-12 * np.abs(M).max())
    alone = ordern.Robot(made).subtree(f"tool_{b.links[0].name}").model
    np.testing.assert_allclose(mass_matrix(alone, qb), mass_matrix(b, qb), rtol=0, atol=1e-12 * np.abs(M).max())


def moved_as_pinocchio(there, robot, q, v, a):
    """Torques of Pinocchio's model of the robot: angles without end are (cos, sin) there, twists linear first."""
    model, at, columns = robot.model, np.zeros(there.nq), np.zeros(robot.n, int)
    for i in model.free:
        joint, (iq, iv) = there.joints[there.getJointId(model.bodies[i].name)], model.offsets[i]
        own = (np.cos(q[iq]), np.sin(q[iq])) if joint.nq == 2 else q[iq : iq + joint.nq]
        at[joint.idx_q : joint.idx_q + joint.nq] = own
        columns[iv : iv + joint.nv] = np.roll(np.arange(joint.idx_v, joint.idx_v + joint.nv), 3 if joint.nv == 6 else 0)
    rates = np.zeros((2, robot.n))
    rates[:, columns] = v, a
    there.gravity.linear = np.array(robot.gravity)
    return pinocchio.rnea(there, there.createData(), at, *rates)[columns]


@pytest.mark.parametrize("seed", range(8))
def test_tools_as_pinocchio_appends_them(seed):
    """Random trees on random links of random trees, fixed and floating, at random placements; and taken off again."""
    rng, texts = np.random.default_rng(seed), []
    for k in range(2):
        n = int(rng.integers(1, 6))
        kinds = [str(kind) for kind in rng.choice(["revolute", "prismatic"], n)]
        parents = [int(rng.integers(0, i + 1)) for i in range(n)]
        texts.append(to_urdf(rebuilt(tree(kinds, parents, seed=2 * seed + k, armature=False), {})))
    arm, tool = ordern.load(texts[0], base="floating" if seed % 2 else "fixed"), ordern.load(texts[1])
    carrier, at = arm.link_names[int(rng.integers(len(arm.link_names)))], random_placement(rng)
    made = arm.attach(tool, carrier, at.matrix(), prefix="t_")
    for key in ("name", "link", "joint"):
        texts[1] = texts[1].replace(f'{key}="', f'{key}="t_')
    base = [pinocchio.JointModelFreeFlyer()] if seed % 2 else []
    one, two = pinocchio.buildModelFromXML(texts[0], *base), pinocchio.buildModelFromXML(texts[1])
    place = pinocchio.SE3(at.matrix()[:3, :3], at.matrix()[:3, 3])
    both = pinocchio.appendModel(one, two, one.getFrameId(carrier), place)
    q, (v, a) = made.random(seed), rng.standard_normal((2, made.n))
    expected = moved_as_pinocchio(both, made, q, v, a)
    size = np.abs(expected).max()
    np.testing.assert_allclose(made.inverse_dynamics(q, v, a), expected, rtol=0, atol=1e-12 * size)
    alone = made.without(f"t_{tool.link_names[0]}")
    ours, theirs = (r.inverse_dynamics(q[: arm.nq], v[: arm.n], a[: arm.n]) for r in (alone, arm))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * size)


def test_a_tool_without_joints_is_a_payload():
    arm = ordern.load("ur5")
    tool = ordern.load(
        "<robot name='t'><link name='body'><inertial><origin xyz='0 0 0.1'/><mass value='0.7'/>"
        "<inertia ixx='0.01' iyy='0.02' izz='0.015' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>"
    )
    q = np.array([0.1, -1.0, 0.5, 0.2, 0.3, 0.4])
    made = arm.attach(tool, "tool0" if "tool0" in arm.link_names else arm.link_names[-1])
    wanted = arm.with_payload(arm.link_names[-1], 0.7, (0, 0, 0.1), (0.01, 0.02, 0.015))
    np.testing.assert_allclose(made.mass_matrix(q), wanted.mass_matrix(q), rtol=0, atol=1e-13)
    assert made.link_names[-1] == "body"


@pytest.mark.parametrize("names", [("arm6", "mixed"), ("mimic", "mimic", "pendulum"), ("floating",)])
def test_scenes_are_their_robots_side_by_side(names):
    models = [grid(name) for name in names]
    places = [Placement(), AT, Placement(origin=(2.0, 0.0, 0.0))][: len(models)]
    scene = ordern.Scene(
        [(ordern.Robot(m), p.matrix()) for m, p in zip(models, places, strict=True)], gravity=(0.0, 0.0, -9.0)
    )
    rng = np.random.default_rng(1)
    qs = [random_q(m, rng) for m in models]
    q = np.concatenate(qs)
    poses = link_poses(scene.model, q)
    M, g = mass_matrix(scene.model, q), gravity_forces(scene.model, q)
    for (prefix, (iq, iv)), model, place, own in zip(scene.parts.items(), models, places, qs, strict=True):
        np.testing.assert_array_equal(q[iq], own)
        np.testing.assert_allclose(M[iv, iv], mass_matrix(model, own), rtol=0, atol=1e-12 * np.abs(M).max())
        turned = place.inverse().rotate((0.0, 0.0, -9.0))
        np.testing.assert_allclose(
            g[iv], gravity_forces(model.changed(gravity=turned), own), rtol=0, atol=1e-11 * (1 + np.abs(g).max())
        )
        for name, pose in link_poses(model, own).items():
            np.testing.assert_allclose(poses[prefix + name], place.matrix() @ pose, rtol=0, atol=1e-12)
    off = M.copy()
    for _, iv in scene.parts.values():
        off[iv, iv] = 0
    assert not off.any()
    for again in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene), copy.copy(scene)):
        assert type(again) is ordern.Scene and again.parts == scene.parts
        assert again.model.fingerprint == scene.model.fingerprint


def test_scenes_by_name_and_as_files(tmp_path):
    scene = ordern.Scene(["ur5", "ur5"], placements=[(0, 0, 0), (0, 1, 0)])
    assert list(scene.parts) == ["ur51_", "ur52_"]
    assert ordern.Scene({"left_": "planar3", "right_": "planar3"}).joint_names[0].startswith("left_")
    scene.save(tmp_path / "two.toml")
    again = ordern.load(tmp_path / "two.toml")
    q = scene.random(1)
    np.testing.assert_allclose(again.mass_matrix(q), scene.mass_matrix(q), rtol=0, atol=1e-13)
    scene.to_urdf(tmp_path / "two.urdf")
    np.testing.assert_allclose(
        ordern.load(tmp_path / "two.urdf").mass_matrix(q), scene.mass_matrix(q), rtol=0, atol=1e-12
    )


def test_locked_and_freed():
    hand = ordern.load("panda")
    stiff = hand.with_locked({"panda_joint2": 0.3})
    q = hand.random(2)
    q[1] = 0.3
    keep = [k for k in range(hand.n) if k != 1]
    np.testing.assert_allclose(stiff.mass_matrix(q[keep]), hand.mass_matrix(q)[np.ix_(keep, keep)], rtol=0, atol=1e-13)
    follower = next(b.name for b in hand.model.bodies[1:] if b.mimic is not None)
    free = hand.with_freed([follower])
    assert free.n == hand.n + 1
    weld = next(k.joint for k in hand.model.links if k.joint and hand.model.links[k.parent].body == k.body and k.mass)
    loose = hand.with_freed({weld: "revolute"})
    assert weld in loose.joint_names
    at_zero = loose.with_locked({weld: 0.0})
    np.testing.assert_allclose(
        at_zero.mass_matrix(hand.random(3)), hand.mass_matrix(hand.random(3)), rtol=0, atol=1e-12
    )


def test_refusals():
    arm = ordern.load("ur5")
    for call, said in (
        (lambda: arm.attach(arm, "tool0"), "prefix"),
        (lambda: arm.attach(3, "tool0"), "no robot"),
        (lambda: arm.attach("planar3", "tol0"), "no link"),
        (lambda: arm.attach("planar3", arm.link_names[-1], placement=np.zeros((4, 4))), "placement"),
        (lambda: arm.attach("planar3", arm.link_names[-1], placement="x"), "placement"),
        (lambda: arm.attach("planar3", arm.link_names[-1], prefix=3), "prefix"),
        (lambda: arm.attach("stanford", arm.link_names[-1], prefix="x" * 250), "shorter prefix"),
        (lambda: ordern.Scene({"x" * 250: "stanford"}), "shorter prefix"),
        (lambda: arm.subtree("nothing"), "no link"),
        (lambda: arm.without(arm.link_names[0]), "whole robot"),
        (lambda: arm.with_locked(["a"]), "coordinates"),
        (lambda: arm.with_locked({"nothing": 0}), "does not have"),
        (lambda: arm.with_freed(["shoulder_pan_joint"]), "by itself already"),
        (lambda: arm.with_freed(["nothing"]), "no joint"),
        (lambda: arm.with_freed(3), "names"),
        (lambda: ordern.Scene([]), "at least one"),
        (lambda: ordern.Scene(3), "list of robots"),
        (lambda: ordern.Scene(["ur5"], placements=[1, 2]), "placements"),
        (lambda: ordern.Scene([("ur5", None, 3)]), "pair"),
        (lambda: ordern.Scene({"a": "ur5", 3: "ur5"}), "prefix"),
    ):
        with pytest.raises(ordern.OrdernError, match=said):
            call()


def test_prefixes_reach_every_name():
    model = renamed(grid("mimic"), "x_")
    assert all(k.name.startswith("x_") and (not k.joint or k.joint.startswith("x_")) for k in model.links)


@pytest.mark.parametrize("name", ["fourbar", "fivebar"])
def test_loops_go_along(name):
    loop = ordern.load(name)
    scene = ordern.Scene({"a_": loop, "b_": (loop, (1.0, 0.5, 0.0))})
    assert len(scene.loops) == 2 * len(loop.loops)
    q = np.concatenate([loop.model.home, loop.model.home])
    np.testing.assert_allclose(scene.constraint_residual(q), 0.0, rtol=0, atol=1e-9)


WALKER = """<mujoco model="walker"><worldbody><body name="trunk"><freejoint/><geom size=".1"/>
<body name="thigh"><joint name="hip" stiffness="3" springref=".2"/><geom size=".1" pos=".1 0 0"/></body></body></worldbody>
<actuator><position name="servo" joint="hip" kp="7"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 .3" qvel="0 0 0 0 0 0 2"/></keyframe></mujoco>"""


def test_motors_states_and_what_lies_beyond_go_along():
    walker = ordern.load(WALKER, gravity=(0.0, -9.81, 0.0))  # that of the planar robots
    assert walker.model.beyond
    for whole, prefixes in (
        (ordern.load("planar3").attach(walker, ordern.load("planar3").link_names[-1], prefix="a_"), ["a_"]),
        (ordern.Scene({"a_": walker, "b_": walker}), ["a_", "b_"]),
        (ordern.Scene({"x_": "fourbar", "a_": walker}), ["a_"]),
    ):
        model = whole.model
        assert [d.name for d in model.drives] == [f"{p}servo" for p in prefixes]
        assert [d.arms for d in model.drives] == [((f"{p}hip", 1.0),) for p in prefixes]
        assert [s.name for s in model.states] == [f"{p}home" for p in prefixes]
        for p, state in zip(prefixes, model.states, strict=True):
            at = {model.bodies[i].name: model.offsets[i] for i in model.free}[f"{p}hip"]
            assert (state.q[at[0]], state.qd[at[1]]) == (0.3, 2.0)
            assert (len(state.q), len(state.qd)) == (model.nq, model.nv)
        assert model.beyond == walker.model.beyond
        floats = [model.offsets[i][1] for i in model.free if model.bodies[i].joint.name == "floating"]
        assert not any(model.driven[v] for v in floats)  # a base has no motor, whatever the other robot's drives are
    assert walker.without("thigh").model.beyond == walker.model.beyond


def test_a_subtree_is_fixed_to_the_world():
    """Also where its link floated before."""
    walker = ordern.load(WALKER)
    alone = walker.subtree("trunk")
    assert alone.joint_names == ("hip",)
    q = np.array([0, 0, 0, 0, 0, 0, 1.0, 0.4])
    np.testing.assert_allclose(alone.mass_matrix(q[7:]), walker.mass_matrix(q)[6:, 6:], rtol=0, atol=1e-14)
    np.testing.assert_allclose(
        alone.inverse_dynamics(q[7:], [0.3], [0.2]),
        walker.inverse_dynamics(q, [0] * 6 + [0.3], [0] * 6 + [0.2])[6:],
        rtol=0,
        atol=1e-13,
    )


def mimicking(rng, count, name):
    """A random tree in which some joints follow others, some of them followers too."""
    links, joints, free = ['<link name="l0"/>'], [], []
    for k in range(1, count + 1):
        x, y, z, m = rng.uniform(0.1, 0.5, 4)
        links.append(
            f'<link name="l{k}"><inertial><origin xyz="{x} {y} {z}"/><mass value="{m}"/><inertia ixx="{x}" iyy="{x}" izz="{x}"'
            ' ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )
        follows = (
            f'<mimic joint="j{rng.choice(free)}" multiplier="{rng.uniform(0.5, 2)}" offset="{rng.uniform(-1, 1)}"/>'
            if free and rng.random() < 0.4
            else ""
        )
        free.append(k)
        joints.append(
            f'<joint name="j{k}" type="{rng.choice(["continuous", "prismatic"])}"><parent link="l{rng.integers(k)}"/><child link="l{k}"/>'
            f'<origin xyz="{y} {z} {x}" rpy="{x} {m} {y}"/><axis xyz="{z} {x} {y}"/>{follows}</joint>'
        )
    return ordern.load(f'<robot name="{name}">{"".join(links + joints)}</robot>')


def spread(robot, free, q):
    """The coordinates of the robot whose followers are free, and how they change with those of the robot itself."""
    bodies, at = robot.model.bodies, {n: k for k, n in enumerate(free.joint_names)}
    made, P = np.zeros(free.n), np.zeros((free.n, robot.n))
    for i, body in enumerate(bodies[1:], 1):
        ratio, offset = (1.0, 0.0) if body.mimic is None else (body.mimic.ratio, body.mimic.offset)
        column = robot.model.offsets[i][1]
        made[at[body.name]] = ratio * q[column] + offset
        P[at[body.name], column] = ratio
    return made, P


@pytest.mark.parametrize("seed", range(8))
def test_changes_one_after_the_other_where_joints_follow_others(seed):
    """A tool put on, joints locked, followers freed, a branch taken: each time the mass matrix is the old one, seen through the ties."""
    rng = np.random.default_rng(seed)
    arm, tool = (mimicking(rng, 5, name) for name in ("arm", "tool"))
    robot = arm.attach(tool, f"l{rng.integers(1, 6)}", placement=tuple(rng.normal(size=3)), prefix="t_")
    for _ in range(3):
        followers = [b.name for b in robot.model.bodies[1:] if b.mimic is not None]
        q = rng.normal(size=robot.n)
        free = robot.with_freed(followers) if followers else robot
        there, P = spread(robot, free, q)
        # a few roundings of numbers of size one; forces are sums of ten of them
        np.testing.assert_allclose(robot.mass_matrix(q), P.T @ free.mass_matrix(there) @ P, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(robot.gravity_forces(q), P.T @ free.gravity_forces(there), rtol=1e-11, atol=1e-11)
        if robot.n < 2:
            break
        k = int(rng.integers(robot.n))
        stiff = robot.with_locked({robot.joint_names[k]: float(q[k])})
        keep = [j for j in range(robot.n) if j != k]
        np.testing.assert_allclose(
            stiff.mass_matrix(q[keep]), robot.mass_matrix(q)[np.ix_(keep, keep)], rtol=1e-12, atol=1e-12
        )
        robot = stiff
    branch, q = arm.attach(tool, "l2", prefix="t_").subtree("t_l0"), rng.normal(size=tool.n)
    np.testing.assert_allclose(branch.mass_matrix(q), tool.mass_matrix(q), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "gear", [{"joints": {"a": 1.0, "b": -2.0, "c": 0.5}}, {"link1": "b", "link2": "c", "ratio": 3.0}]
)
@pytest.mark.parametrize("locked", [("a",), ("b",), ("a", "b"), ("a", "b", "c")])
def test_gears_know_joints_that_are_locked(gear, locked):
    """Joints of a gear that are locked keep their share of its sum: the others move as with all joints, these held."""
    links = [ordern.LinkSpec("base")] + [ordern.LinkSpec(n, 1.0, (0.1, 0, 0), (0.1,) * 3 + (0,) * 3) for n in "abc"]
    joints = [
        ordern.JointSpec(n, "revolute", p, n, axis=(0, 1, 0)) for p, n in (("base", "a"), ("a", "b"), ("base", "c"))
    ]
    loops = [ordern.LoopSpec("gear", "gear", offset=0.1, **gear)]
    robot = ordern.Robot(build("geared", links, joints, loops=loops))
    q = robot.assemble([0.3, 0.2, -0.4]).q
    at = {name: q["abc".index(name)] for name in locked}
    left = [k for k, name in enumerate("abc") if name not in locked]
    for made in (robot.with_locked(at), ordern.Robot(build("geared", links, joints, loops=loops, locked=at))):
        assert np.abs(made.assemble(q[left]).q - q[left]).max(initial=0.0) < 1e-12  # q closes the gear to rounding
        free = np.linalg.matrix_rank(
            np.delete(robot.constraint_jacobian(q), [k for k in range(3) if k not in left], axis=1)
        )
        assert (made.mobility(q[left]) if left else 0) == len(left) - free
    if not left:
        with pytest.raises(ordern.ModelError, match="off by"):
            robot.with_locked({**at, "c": at["c"] + 0.2})


def test_a_part_that_the_world_holds_is_no_robot_of_its_own():
    """What is pinned to the world would be pinned to the part's own root instead, somewhere else; the rest is not concerned."""
    links = [ordern.LinkSpec("base")] + [ordern.LinkSpec(n, 1.0, (0.1, 0, 0), (0.1,) * 3 + (0,) * 3) for n in "abcd"]
    at = Placement(origin=(0.5, 0.0, 0.0))
    joints = [
        ordern.JointSpec(n, "revolute", p, n, at, axis=(0, 1, 0)) for p, n in zip(["base", *"abc"], "abcd", strict=True)
    ]
    robot = ordern.Robot(
        build("pinned", links, joints, loops=[ordern.LoopSpec("pin", "point", "world", "c", xyz1=(0.9, 0, 0.1))])
    )
    with pytest.raises(ordern.InputError, match="'pin' ties this part to the world"):
        robot.subtree("b")
    assert robot.subtree("d").loops == robot.without("c").loops == ()
    assert robot.without("d").loops == robot.subtree("base").loops == ("pin",)
