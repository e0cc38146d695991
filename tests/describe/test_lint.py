"""Remarks: each kind of trouble is found and named, good robots get few."""

from dataclasses import replace

import pytest

import ordern
from ordern.describe import builtin as robots
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.changes import sums
from ordern.describe.lint import Remark, lint
from ordern.describe.load import load
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.model import Geometry, Placement

from .test_broken_urdf import GOOD as URDF

GOOD = {"mass": 1.0, "com": (0.1, 0.0, 0.0), "inertia": (0.01, 0.01, 0.01, 0, 0, 0)}
LIMITS = {"lower": -1.0, "upper": 1.0, "velocity": 1.0, "effort": 1.0}


def remarks(joint=None, origin=(0.0, 0.0, 0.3), **link):
    made = [LinkSpec("base"), LinkSpec("arm", **{**GOOD, **link}), LinkSpec("tip", **GOOD)]
    second = JointSpec("last", "revolute", "arm", "tip", Placement(origin=(0.3, 0.0, 0.0)), **LIMITS)
    model = build(
        "x",
        made,
        [JointSpec("j", "revolute", "base", "arm", Placement(origin=origin), **{**LIMITS, **(joint or {})}), second],
    )
    return [str(r) for r in lint(model)]


def test_a_good_robot_has_none():
    assert remarks() == []


BOX = Geometry("box", (0.1, 0.1, 0.1))
CASES = [
    ({"inertia": (0.01, 0.005, 0.0047, 0, 0, 0)}, "warning: link 'arm': principal moments"),
    ({"inertia": (1, 1, 1, 0, 0, 0)}, "placeholder"),
    ({"inertia": (10, 10, 10, 0, 0, 0)}, "radius of gyration of 3.2 m"),
    ({"inertia": (0, 0, 0, 0, 0, 0)}, "mass but without inertia: 'arm'"),
    ({"com": (100.0, 0, 0)}, "mass centre lies 100 m.*mm"),
    ({"com": (0.2, 0, 0), "inertia": (0.001, 0.0533, 0.0533, 0, 0, 0)}, "about the link's frame"),
    ({"mass": 5000.0, "inertia": (50, 50, 50, 0, 0, 0)}, "grams"),
    ({"mass": 0.0, "com": (0, 0, 0), "inertia": (0, 0, 0, 0, 0, 0)}, "move no mass of their own: 'j'"),
    ({"mass": 1e-4, "inertia": (1e-6, 1e-6, 1e-6, 0, 0, 0)}, "carries 1 kg on a body of 0.0001 kg"),
    ({"origin": (300.0, 0.0, 0.0)}, "sits 300 m off.*mm"),
    ({"joint": {"lower": -180.0, "upper": 180.0}}, "degrees"),
    ({"joint": {"lower": None, "upper": None}}, "without position limits: 'j'"),
    ({"joint": {"lower": 0.0, "upper": 0.0}}, "leave no way to move"),
    ({"joint": {"effort": 0.0}}, "effort limit of 'j' is 0"),
    ({"joint": {"velocity": 0.0}}, "velocity limit of 'j' is 0"),
    ({"visuals": (BOX, BOX)}, "same visual shape"),
    ({"collisions": (Geometry("sphere", (0.0,)),)}, "no size"),
]


@pytest.mark.parametrize(("change", "expected"), CASES)
def test_found(change, expected):
    import re

    found = remarks(**change)
    assert any(re.search(expected, r) for r in found), found
    assert len(found) <= 2


def test_few_digits_and_long_axes(tmp_path):
    path = tmp_path / "x.urdf"
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'
    )
    path.write_text(
        f'<robot name="x"><link name="a"/><link name="b">{inertial}</link><joint name="j" type="revolute"><origin rpy="1.5708 0 0"/>'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 2"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    found = [str(r) for r in lint(load_urdf(path))]
    assert len(found) == 2
    assert "few digits" in found[0]
    assert "not of length 1" in found[1]


def test_built_ins():
    assert lint(robots.panda()) == []
    assert [r.where for r in lint(robots.puma560()) if r.level == "warning"] == ["link 'link1'", "link 'link3'"]
    heavy = replace(robots.panda(), gravity=(0.0, 0.0, -9810.0))
    assert lint(heavy)[0] == Remark("warning", "gravity", "it is 9810 m/s^2", "give it in m/s^2")


def degrees():
    """The example arm with one angle in degrees, in each place where angles may stand."""
    texts = [
        URDF.replace('<origin xyz="0.5 0 0"/>', '<origin xyz="0.5 0 0" rpy="0 0 -90"/>'),
        URDF.replace('<origin xyz="0.1 0 0" rpy="0 0 0"/>', '<origin xyz="0.1 0 0" rpy="180 0 0"/>'),
        URDF.replace("<visual><geometry>", '<visual><origin rpy="0 45 0"/><geometry>'),
    ]
    assert URDF not in texts
    return [load_urdf(text) for text in texts]


def test_degrees_in_rpy():
    from ordern.describe.toml.toml_read import loads_toml
    from ordern.describe.toml.toml_write import to_toml

    assert not any("degrees" in str(r) for r in lint(load_urdf(URDF)))
    for model in degrees():
        assert any(
            r.level == "warning" and "more than a turn" in r.message and "degrees" in r.remedy for r in lint(model)
        )
    text = to_toml(load_urdf(URDF)).replace("xyz = [0.5, 0.0, 0.0]", "xyz = [0.5, 0.0, 0.0]\nrpy = [0.0, 0.0, 90.0]")
    assert any("more than a turn" in str(r) for r in lint(loads_toml(text)))


@pytest.mark.parametrize("name", ["ur5", "panda", "chain8"])
@pytest.mark.parametrize("factor", [1000.0, 1e-3])
def test_every_link_off_by_a_thousand_is_found(name, factor):
    """Mass (the heavy side) or inertia of each link in turn: grams for kilograms, or g m^2 and kg mm^2 for kg m^2."""
    model = load(name)
    # the data of UR5's wrists are off already: 0.4 m of gyration in 0.1 m
    moving = [
        k
        for k, link in enumerate(model.links)
        if link.body and link.mass > 0.05 and max(link.inertia) < 0.04 * link.mass
    ]
    before = {r.where for r in lint(model)}
    for k in moving:
        links = list(model.links)
        links[k] = replace(links[k], inertia=tuple(factor * e for e in links[k].inertia))
        bodies = list(model.bodies)
        bodies[links[k].body] = replace(
            bodies[links[k].body], inertia=sums(replace(model, links=tuple(links)))[links[k].body]
        )
        found = lint(replace(model, links=tuple(links), bodies=tuple(bodies)))
        where = f"link {links[k].name!r}"
        assert where in before or any(r.where == where and r.level == "warning" for r in found), (where, factor)


@pytest.mark.parametrize("name", ["ur5", "panda", "chain8"])
def test_a_link_in_grams_is_found(name):
    model = load(name)
    for k, link in enumerate(model.links):
        if link.body and 0.1 < link.mass < 2:
            links = list(model.links)
            links[k] = replace(link, mass=1000 * link.mass)
            bodies = list(model.bodies)
            bodies[link.body] = replace(bodies[link.body], inertia=sums(replace(model, links=tuple(links)))[link.body])
            found = lint(replace(model, links=tuple(links), bodies=tuple(bodies)))
            assert any(r.where == f"link {link.name!r}" and r.level == "warning" for r in found), link.name


def test_bodies_that_cannot_be_are_named_whoever_made_them():
    robot = ordern.load("ur5")
    values = robot.parameters()
    values[10] = -2.0
    with pytest.warns(ordern.OrdernWarning):
        odd = robot.with_parameters(values, on_invalid="warn")
    assert any(r.level == "warning" and "below zero" in r.message for r in odd.lint())


def test_missing_meshes_are_counted_with_their_package(tmp_path):
    mesh = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    here, away = mesh.format("part.stl"), mesh.format("package://arm_description/hand.stl")
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    (tmp_path / "part.stl").write_bytes(bytes(84))
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="r"><link name="a">{inertial}{here}{away}</link></robot>')
    (remark,) = (r for r in lint(load(path)) if r.where == "meshes")
    assert remark.level == "note" and "1 of 2" in remark.message and "hand.stl" in remark.message
    assert "--package arm_description=FOLDER" in remark.remedy
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "hand.stl").write_bytes(bytes(84))
    assert not [r for r in lint(load(path, packages={"arm_description": folder})) if r.where == "meshes"]  # the remedy
