"""Every form gives the same robot back, and the proof notices when it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ordern
from ordern import load as load_any
from ordern.check.convert import FORMS, convert, prove
from ordern.describe.compare import differences
from ordern.model import Geometry, Placement


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["planar3", "stanford", "puma560", "ur5", "chain5"])
def test_forms_are_the_same_robot(name, form, tmp_path):
    made = convert(ordern.load(name), form, states=10)
    assert made.proof.ok and max(made.proof.mass_matrix, made.proof.torques, made.proof.poses) < 100, made.proof
    path = tmp_path / {"urdf": "x.urdf", "mjcf": "x.xml", "sdf": "x.sdf"}.get(form, "x.toml")
    path.write_text(made.text, "utf-8")
    again = load_any(path, gravity=ordern.load(name).model.gravity)
    assert prove(ordern.load(name), again, 5, 0, form=form).ok


def test_another_robot_is_not_the_same():
    proof = prove(ordern.robots.stanford("text"), ordern.robots.stanford("flipped"))
    assert not proof.ok and "off" in proof.table().text()


def test_different_sizes_are_refused():
    with pytest.raises(ordern.ModelError, match="degrees of freedom"):
        prove(ordern.robots.planar3(), ordern.robots.pendulum())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('dh = 3\n', "list of tables"),
        ('speed = 1\n[[dh]]\na = 1\n', "unknown key 'speed'"),
        ('convention = "french"\n[[dh]]\na = 1\n', "convention"),
        ('[[dh]]\nlength = 1\n', "unknown key 'length'"),
        ('name = 5\n[[dh]]\na = 1\n', "name"),
    ],
)  # fmt: skip
def test_broken_dh_files_say_why(text, said, tmp_path):
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(ordern.OrdernError, match=said):
        load_any(tmp_path / "x.toml")


def test_a_loop_that_closes_elsewhere_is_another_robot():
    """By a millimetre, seen by the equations alone: what tables of data compare is left out."""
    robot = ordern.robots.fourbar()
    loop = robot.model.loops[0]
    moved = replace(loop, frame1=loop.frame1 @ Placement(origin=(1e-3, 0.0, 0.0)))
    other = ordern.Robot(replace(robot.model, loops=(moved, *robot.model.loops[1:])))
    assert prove(robot, robot, 5).torques == 0
    assert prove(robot, other, 5).torques > 1e9


def test_a_link_that_lies_elsewhere_is_another_robot():
    """By a millimetre, seen by its pose alone: nothing of its mass moves."""
    robot = ordern.robots.planar3()
    *others, last = robot.model.links
    moved = replace(last, placement=last.placement @ Placement(origin=(1e-3, 0.0, 0.0)))
    proof = prove(robot, ordern.Robot(replace(robot.model, links=(*others, moved))), 5)
    assert proof.mass_matrix == proof.torques == 0 and proof.poses > 1e9


@pytest.mark.parametrize("refs", [(0.0, 0.0), (0.5, 0.0), (0.5, -0.25)])
@pytest.mark.parametrize("second", ["hinge", "slide"])
@pytest.mark.parametrize("closed", ["no", "gear", "contact"])
def test_places_between_the_joints_of_a_body_are_no_links(refs, second, closed, tmp_path):
    """A loop moves zeros of joints to where it closes, and with these the frames that readers put between joints."""
    one, two = (f"ref='{ref}' pos='.1 .2 {ref}'" for ref in refs)
    ball = "<geom size='.1' pos='.3 .2 .1' mass='1'/>"
    (tmp_path / "x.xml").write_text(
        f"<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j' {one}/><joint name='k' axis='0 1 0' type='{second}' {two}/>"
        f"{ball}<body name='b' pos='0 0 1'><joint name='l' axis='1 0 0'/>{ball}</body></body></worldbody></mujoco>"
    )
    robot = load_any(tmp_path / "x.xml")
    if closed == "gear":
        robot = robot.with_loops([ordern.LoopSpec("tie", "gear", joints={"j": 1.0, "l": -2.0})])
    elif closed == "contact":
        robot = robot.with_contacts({"b": "point"}, q=[0.2, 0.3, 0.4])
    made = convert(robot, "mjcf", states=3)
    assert made.proof.ok, made.proof
    assert any("a_after_j" in line for line in made.proof.lost)


@pytest.mark.parametrize(("sizes", "same"), [(((), (1.0, 1.0, 1.0)), True), (((), (2.0, 2.0, 2.0)), False)])
def test_a_mesh_without_scale_is_one_of_scale_one(sizes, same):
    model = ordern.load("pendulum").model
    shapes = [Geometry("mesh", size, "arm.stl") for size in sizes]
    pair = [replace(model, links=(*model.links[:-1], replace(model.links[-1], visuals=(s,)))) for s in shapes]
    for a, b in (pair, pair[::-1]):
        assert [d.kind for d in differences(a, b, "urdf")] == ([] if same else ["shapes"])
