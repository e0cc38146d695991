"""Loops in descriptions: written and read back to the last bit in every format, and refused where they make no sense."""

import dataclasses

import numpy as np
import pytest

import ordern
from ordern.cli.motion_checks import keeps_loops
from ordern.describe import loops, structure
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.describe.mechanisms import fourbar, slider_crank
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.respec import loop_specs, rebuilt
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.errors import ModelError
from ordern.model import Placement
from ordern.runtime.call import coordinate_names

NAMES = ("andrews", "bricard", "delta", "fivebar", "fourbar", "fourbars2", "slider_crank", "stewart", "threerrr")


@pytest.mark.parametrize("name", NAMES)
def test_saved_loops_come_back(name, tmp_path):
    robot = ordern.load(name)
    robot.save(tmp_path / "x.toml")
    again = ordern.load(tmp_path / "x.toml")
    assert again.model.loops == robot.model.loops and again.actuated == robot.actuated and again.loops == robot.loops
    assert np.allclose(again.model.home, robot.model.home, atol=1e-15) and again.model.passive == robot.model.passive
    assert again.model.fingerprint == robot.model.fingerprint
    assert rebuilt(robot.model, {}).fingerprint == robot.model.fingerprint
    assert robot.with_gravity((0, 0, 1)).loops == robot.loops
    robot.to_urdf(tmp_path / "x.urdf")
    other = ordern.load(tmp_path / "x.urdf", gravity=robot.gravity)
    assert other.loops == robot.loops and other.actuated == robot.actuated
    q = robot.assemble(np.array(robot.model.home) + 0.05).q
    order = [
        [coordinate_names(other.model, kind).index(n) for n in coordinate_names(robot.model, kind)] for kind in "qv"
    ]
    r, turned = np.empty(len(q)), order[1]
    r[order[0]] = q
    assert np.abs(other.constraint_residual(r)).max() < 1e-14
    rest = np.zeros(robot.n)
    wanted = robot.forward_dynamics(q, rest, rest)
    assert np.allclose(other.forward_dynamics(r, rest, rest)[turned], wanted, rtol=1e-10, atol=1e-10)


def arm(**options):
    links = [LinkSpec("base"), *(LinkSpec(n, 1.0, (0.5, 0, 0), (0.01, 0.1, 0.1, 0, 0, 0)) for n in "abc")]
    joints = [
        JointSpec(n, "revolute", p, n, Placement(origin=(x, 0, 0)))
        for n, p, x in (("a", "base", 0), ("b", "a", 1), ("c", "b", 1))
    ]
    return build("arm", links, joints, **options)


GEAR = LoopSpec("gear", "gear", joints={"a": 1.0, "c": 2.5}, offset=0.25)
TIE = LoopSpec("tie", "distance", "base", "c", xyz2=(1.0, 0.0, 0.0), length=2.0)


def test_gears_and_distances_in_every_format():
    model = arm(loops=[GEAR, TIE], actuated=["a"])
    for again in (loads_toml(to_toml(model)), load_urdf(to_urdf(model)), rebuilt(model, {})):
        assert [dataclasses.astuple(loop) for loop in again.loops] == [
            dataclasses.astuple(loop) for loop in model.loops
        ]
        assert again.actuated == ("a",)


def test_urdf_plus_as_published():
    text = """<robot name="r"><link name="base"/>
      <link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="ja" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
      <joint name="jb" type="continuous"><parent link="base"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
      <joint name="jc" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/></joint>
      <loop name="close" type="revolute"><predecessor link="a"><origin xyz="0 1 0"/></predecessor>
        <successor link="c"><origin xyz="-1 0 0"/></successor><axis xyz="0 0 1"/></loop>
      <coupling name="belt"><predecessor link="a"/><successor link="b"/><ratio value="1"/></coupling></robot>"""
    model = load_urdf(text)
    assert [loop.kind for loop in model.loops] == ["revolute", "gear"]
    assert model.loops[1].terms == ((1, 1.0), (2, -1.0))
    assert sum(len(loop.kept) for loop in model.loops) == 2  # of a parallelogram the belt follows from the rest


@pytest.mark.parametrize(
    "options", [{"locked": {"left_crank": 0.1}}, {"locked": {"left_rod": -0.1}}, {"base": "floating"}]
)
def test_files_of_mechanisms_take_the_options_of_loading(options, tmp_path):
    """Locked joints, those with a drive too, and a floating base, from every format as from the built-in mechanism itself."""
    robot, wanted = ordern.load("fivebar"), ordern.load("fivebar", **options)
    robot.save(tmp_path / "a.toml")
    robot.to_urdf(tmp_path / "a.urdf")
    robot.to_mjcf(tmp_path / "a.xml")
    for name in ("a.toml", "a.urdf", "a.xml"):
        made = ordern.load(tmp_path / name, **options)
        assert made.actuated == wanted.actuated and made.joint_names == wanted.joint_names
        assert made.mobility(made.model.home) == wanted.mobility(wanted.model.home)
        apart = np.abs(made.difference(wanted.model.home, made.model.home)).max()
        assert apart < 1e-9  # the same way of closing: the search begins at home, which files hold with all digits
    with pytest.raises(ModelError, match="does not move by itself"):
        ordern.load(tmp_path / "a.toml", locked={"left_crank": 0.1}, actuated=["left_crank"])


BAD = {
    "lengths that do not reach": ({"loops": [LoopSpec("far", "point", "base", "c", xyz1=(9, 0, 0))]}, r"far.*cannot be closed.*open by .*at q = \["),
    "one link": ({"loops": [LoopSpec("self", "revolute", "a", "a")]}, "both frames are on link 'a'"),
    "one body": ({"loops": [LoopSpec("self", "revolute", "base", "world")]}, "do not move relative"),
    "one body, and others locked": ({"loops": [LoopSpec("self", "point", "base", "world")], "locked": {"a": 0.0}}, "do not move relative"),
    "one link, locked": ({"loops": [LoopSpec("self", "point", "a", "a")], "locked": {"a": 0.0}}, "both frames are on link 'a'"),
    "same name": ({"loops": [GEAR, GEAR]}, "second loop is called 'gear'"),
    "no such link": ({"loops": [LoopSpec("x", "revolute", "a", "z")]}, "'z' does not exist"),
    "no such type": ({"loops": [LoopSpec("x", "rubber", "base", "c")]}, "cannot be closed by type 'rubber'"),
    "floating": ({"loops": [LoopSpec("x", "floating", "base", "c")]}, "cannot be closed by type 'floating'"),
    "no length": ({"loops": [LoopSpec("x", "distance", "base", "c", length=-1.0)]}, "length is -1.0"),
    "no pitch": ({"loops": [LoopSpec("x", "helical", "base", "c")]}, "needs a pitch"),
    "no joints": ({"loops": [LoopSpec("x", "gear", joints={"zz": 1.0})]}, "'zz', which does not exist"),
    "no gear": ({"loops": [LoopSpec("x", "gear")]}, "a gear needs joints"),
    "no drive": ({"actuated": ["zz"]}, "actuated names the joint 'zz'"),
    "drive twice": ({"actuated": ["a", "a"]}, "twice"),
    "locked drive": ({"loops": [LoopSpec("x", "gear", joints={"a": 1.0})], "actuated": ["a"]}, "the loops hold it"),
    "type of a wrong kind": ({"loops": [LoopSpec("x", ["revolute"], "base", "c")]}, "name of a joint type"),
    "joints of a wrong kind": ({"loops": [LoopSpec("x", "gear", joints=["a"])]}, "map joints to ratios"),
    "frame of a wrong kind": ({"loops": [LoopSpec("x", "point", "base", "c", frame2=np.eye(4))]}, "frame2 .* Placement"),
    "no name": ({"loops": [LoopSpec("", "revolute", "base", "c")]}, "no name"),
    "length of a point": ({"loops": [LoopSpec("x", "point", "base", "c", length=0.3)]}, "length is 0.3, but a 'point' closure has none.*'distance'"),
    "pitch of a hinge": ({"loops": [LoopSpec("x", "revolute", "base", "c", pitch=0.1)]}, "pitch is 0.1, .*'helical'"),
    "ratio of a weld": ({"loops": [LoopSpec("x", "fixed", "base", "c", ratio=2)]}, "ratio is 2, .*'gear'"),
    "offset of a hinge": ({"loops": [LoopSpec("x", "revolute", "base", "c", offset=0.5)]}, "offset is 0.5, .*'gear'"),
    "joints of a hinge": ({"loops": [LoopSpec("x", "revolute", "base", "c", joints={"a": 1.0})]}, "joints is .*'gear'"),
    "length of a gear": ({"loops": [LoopSpec("x", "gear", joints={"a": 1.0, "b": 1.0}, length=1.0)]}, "length is 1.0, .*'distance'"),
    "pitch of a wrong kind": ({"loops": [LoopSpec("x", "point", "base", "c", pitch=np.ones(2))]}, "pitch is .*'helical'"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_refused(case):
    options, message = BAD[case]
    with pytest.raises(ModelError, match=message):
        arm(**options)


def test_home_goes_by_joint_names():
    """Where loops close nearby may be given by joint names, in any order; a name that no joint has is refused."""
    robot = ordern.Robot(arm())
    at = {"c": -1.3, "a": 0.4, "b": 0.9}
    made = robot.with_loops([TIE], home=at)
    assert made.model.home == robot.with_loops([TIE], home=[0.4, 0.9, -1.3]).model.home
    for bad in ({**at, "d": 1.0}, {"a": 0.4}):
        with pytest.raises(ordern.InputError, match="home"):
            robot.with_loops([TIE], home=bad)


@pytest.mark.parametrize(("length", "apart", "gap"), [(0.1, 8.0, 7.9 - 3.0), (9.0, 0.0, 9.0 - 3.0)])
def test_distances_are_open_by_metres(length, apart, gap):
    """Too short or too long: the farthest that three rods of 1 m reach, and what is missing to the length there."""
    loop = LoopSpec("tie", "distance", "base", "c", xyz1=(apart, 0, 0), xyz2=(1.0, 0.0, 0.0), length=length)
    with pytest.raises(ModelError, match=rf"stays open by {gap:.3g} \(m, rad\)"):
        arm(loops=[loop])
    robot = ordern.Robot(arm(loops=[TIE]))
    q = [0.0, 0.0, 0.0]  # the tip is 3 m away, 1 m more than the tie has
    with pytest.raises(ordern.InputError, match=r"open by 1 \(m, rad\)"):
        robot.simulate(q, duration=0.1)
    with pytest.raises(ordern.InputError, match=r"open by 1 \(m, rad\)"):
        keeps_loops(robot, np.zeros(1), np.array([q]))
    held = robot.assemble([q, robot.model.home], hold=("b", "c"))
    assert abs(held.residual[0] - 1.0) < 1e-12 and "the worst by 1 (m, rad)" in held.message and held.success[1]
    assert abs(robot.constraint_residual(q)[0] - (3.0**2 - 2.0**2) / (2 * 2.0)) < 1e-14


def test_bad_files_name_line_and_key():
    text = to_toml(fourbar())
    with pytest.raises(ModelError, match=r":\d+ \[\[loop\]\] 'tip': unknown key 'linkk'"):
        loads_toml(text.replace("link1 =", "linkk ="), source="four.toml")
    with pytest.raises(ModelError, match=r"'link2' is missing"):
        loads_toml("\n".join(line for line in text.splitlines() if not line.startswith("link2")))
    with pytest.raises(ModelError, match="no list of joint names"):
        loads_toml(text.replace('actuated = ["crank"]', 'actuated = "crank"'))


def test_redundant_equations_are_named():
    kept = {loop.name: loop.kept for loop in slider_crank().loops}
    assert kept == {"pin": (0, 1)}
    remarks = [str(r) for r in ordern.load("fourbar").lint() if "equations" in r.message]
    assert remarks and "3 of 5" in remarks[0] and "tip" in remarks[0]
    twice = ordern.Robot(arm(loops=[GEAR, dataclasses.replace(GEAR, name="again")]))
    (remark,) = (str(r) for r in twice.lint() if "equations" in r.message)
    assert "'again': 1 of 1" in remark and "leave it out" in remark and "planar" not in remark
    assert [
        loop.kept
        for loop in arm(loops=[LoopSpec("w", "revolute", "base", "c", xyz1=(2.9, 0, 0), xyz2=(1, 0, 0))]).loops
    ] == [(0, 1)]


def test_locked_joints_and_other_bases_keep_loops():
    robot = ordern.load("fivebar", locked={"left_crank": 0.0})
    assert robot.loops == ("tip",) and robot.n == 3 and robot.actuated == ("right_crank",)
    assert (
        ordern.load("fourbar", base="floating").mobility(np.array(ordern.load("fourbar", base="floating").model.home))
        == 7
    )


@pytest.mark.parametrize("name", ["fourbar", "slider_crank", "bricard", "delta", "fivebar"])
def test_loops_that_locked_joints_hold_closed_go(name):
    """All joints locked where the loops close: a rigid body, as the same links welded; elsewhere refused with what stays open."""
    robot = ordern.load(name)
    q = np.array(robot.model.home)
    offsets = {
        robot.model.bodies[i].name: (robot.model.offsets[i][0], robot.model.bodies[i].joint.nq)
        for i in robot.model.free
    }
    at = {joint: q[k : k + size] for joint, (k, size) in offsets.items()}
    for made in (robot.with_locked(at), ordern.load(name, locked=at)):
        assert made.loops == () and made.n == 0
        poses = [r.forward_kinematics(x, r.link_names[-1]) for r, x in ((made, np.zeros(0)), (robot, q))]
        np.testing.assert_allclose(*poses, rtol=0, atol=1e-14)
    first = next(iter(at))
    with pytest.raises(ModelError, match=r"locked joints hold this loop open by .*lock them where it is closed"):
        robot.with_locked(at | {first: at[first] + 1e-3})
    rest = robot.with_locked({first: at[first]})  # a loop through joints that still move stays
    assert rest.loops == robot.loops


def test_a_weld_that_locked_joints_hold_turned_over_is_open():
    """Its equations vanish with the frames half a turn apart, too."""
    robot = ordern.Robot(arm(loops=[LoopSpec("weld", "fixed", "base", "a")]))
    (joint,) = (body.name for body in robot.model.bodies if body.name == "a")
    assert robot.with_locked({joint: 0.0}).loops == ()
    with pytest.raises(ModelError, match=r"hold this loop open by 3\.14"):
        robot.with_locked({joint: np.pi})


def test_loops_through_too_many_joints_are_refused_at_once(monkeypatch):
    """Each of n loops to the world runs through all joints below it: n squared, which is counted before anything is computed."""
    monkeypatch.setattr(structure, "MOST_JOINTS", 30)
    inner = ""
    for i in range(10):
        inner = f"<body name='b{i}'><joint axis='0 1 0'/><geom size='.1' pos='0 0 .5'/>{inner}</body>"
    ties = "".join(f"<connect body1='b{i}' body2='world' anchor='0 0 0'/>" for i in range(10))
    model = load_mjcf(f"<mujoco><worldbody>{inner}</worldbody><equality>{ties}</equality></mujoco>")
    assert not model.loops and "more than 30 joints, which is the limit" in "; ".join(model.beyond)


def test_large_mechanisms_are_described_where_their_loops_are_regular(monkeypatch):
    """They are searched for no other configuration. A flat one lost half of its equations there, and fell as if loops were open."""
    ladder, flat = ordern.load("fourbars3"), np.array([-1, 1, -1, 1, -1, 1, -1]) * np.pi / 2
    bare, specs = ordern.Robot(ladder.model.changed(loops=(), home=(), passive=())), loop_specs(ladder.model)
    kept, others = [loop.kept for loop in ladder.model.loops], [ordern.load(name) for name in NAMES]
    assert [loop.kept for loop in bare.with_loops(specs, home=flat).model.loops] == kept
    monkeypatch.setattr(loops, "LARGE", 4)
    with pytest.raises(ModelError, match=r"'window0': this loop is at a change point where .* 15 equations must be"):
        bare.with_loops(specs, home=flat)
    at = Placement.from_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))  # any plane, rounded
    turned = ordern.load("pendulum").attach(ladder, "link1", at, prefix="x_")
    assert [len(loop.kept) for loop in turned.model.loops] == [2, 2, 2]
    for robot in others:
        again = ordern.Robot(robot.model.changed(loops=(), home=(), passive=(), actuated=None))
        again = again.with_loops(loop_specs(robot.model), home=robot.model.home)
        assert [len(loop.kept) for loop in again.model.loops] == [len(loop.kept) for loop in robot.model.loops]
    with pytest.raises(ModelError, match=r"equations must be closed .* open by [\d.]+ \(m, rad\)"):
        again.with_loops([], home=np.array(again.model.home) + 0.1)


def test_contacts_of_large_mechanisms_hold_in_every_direction(monkeypatch):
    """An arm that is stretched where the loops are described moves one way only there, and two ways elsewhere."""
    fourbar = ordern.load("fourbar")
    monkeypatch.setattr(loops, "LARGE", 4)
    robot = fourbar.attach(ordern.load("planar(2)"), "ground", prefix="arm_")
    q, still = np.append(robot.model.home[:3], [0.4, 0.7]), np.zeros(robot.n)
    held = robot.forward_dynamics(q, still, still, contacts={"arm_link2": "point"})
    assert np.abs(held[3:]).max() < 1e-12 and np.abs(held[:3]).max() > 1
