"""Names that formats keep for themselves: each writer keeps them as they are, or refuses them; none writes another robot."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern import JointSpec, LinkSpec
from ordern.describe.builder import build
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.model import Placement

PLACES = ("robot", "link", "joint", "welded link", "weld")
NAMES = [
    "world",
    " a",
    "a ",
    "a b",
    "__a__",
    "a::b",
    "root_joint",
    "größe",
    "<a>",
    'a"b',
    "a;b",
    "default",
    "1",
    "a/b",
    "a\tb",
    "a\nb",
]
WRITERS = {"save": "toml", "to_urdf": "urdf", "to_mjcf": "xml", "to_sdf": "sdf"}


def robot_with(place, name):
    robot, link, joint, welded, weld = (name if place == here else f"plain {here}" for here in PLACES)
    bar = {"mass": 1.0, "com": (0.1, 0.0, 0.0), "inertia": (0.01, 0.01, 0.01, 0, 0, 0)}
    links = [LinkSpec("base"), LinkSpec(link, **bar), LinkSpec(welded, **bar)]
    joints = [
        JointSpec(joint, "revolute", "base", link, Placement(origin=(0.1, 0.2, 0.3)), axis=(0, 1, 0)),
        JointSpec(weld, "fixed", link, welded, Placement(origin=(0.3, 0.2, 0.1))),
    ]
    return ordern.Robot(build(robot, links, joints)), welded


@pytest.mark.parametrize("writer", WRITERS)
def test_a_name_is_kept_or_refused(by_numbers, tmp_path, writer):
    path, kept = tmp_path / f"robot.{WRITERS[writer]}", 0
    for place in PLACES:
        for name in NAMES:
            robot, welded = robot_with(place, name)
            try:
                getattr(robot, writer)(path)
            except ordern.ModelError as error:
                assert repr(name) in str(error), (place, name)
                continue
            back = ordern.load(path)
            assert (back.name, back.joint_names, back.link_names) == (
                robot.name,
                robot.joint_names,
                robot.link_names,
            ), (place, name)
            poses = [r.forward_kinematics([0.4], welded) for r in (robot, back)]
            np.testing.assert_allclose(
                *poses, rtol=0, atol=1e-15, err_msg=f"{place} {name!r}"
            )  # sums of two placements
            kept += 1
    assert kept > len(PLACES) * len(NAMES) // 2


@pytest.mark.parametrize("tag", ["joint", "frame"])
def test_sdf_has_one_world(tag):
    """What is placed relative to a joint or frame of this name had gone by the world itself."""
    rest = "<parent>a</parent><child>b</child>" if tag == "joint" else ""
    text = f"""<sdf version="1.11"><model name="m"><link name="a"/><link name="b"><pose relative_to="world"/></link>
        <joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
        <{tag} name="world" {'type="fixed"' if rest else ""}><pose>0 0 1 0 0 0</pose>{rest}</{tag}></model></sdf>"""
    with pytest.raises(ordern.ModelError, match=f"<{tag} name='world'>.*keeps the name 'world'"):
        load_sdf(text)
