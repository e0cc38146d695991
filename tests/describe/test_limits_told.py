"""Limits that nothing keeps are told of: those of continuous joints when a robot is built, those of joints that turn any way in runs."""

from __future__ import annotations

import warnings

import pytest

import ordern
from ordern import JointSpec, LinkSpec
from ordern.describe.builder import build
from ordern.describe.specs import MimicSpec
from ordern.errors import OrdernWarning

BAR = {"mass": 1.0, "com": (0.1, 0.0, 0.0), "inertia": (0.01, 0.01, 0.01, 0, 0, 0)}


def robot(kind, **ends):
    return ordern.Robot(build("one", [LinkSpec("a"), LinkSpec("b", **BAR)], [JointSpec("j", kind, "a", "b", **ends)]))


@pytest.mark.parametrize(
    "ends", [{"lower": -1.0}, {"upper": 1.0}, {"lower": -1.0, "upper": 1.0}, {}, {"upper": float("inf")}]
)
def test_a_continuous_joint_has_none(tmp_path, ends):
    given = [x for x in ends.values() if abs(x) < 2]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = robot("continuous", **ends)
        made.save(tmp_path / "one.toml")
        ordern.load(tmp_path / "one.toml")  # what is written has none, and is not told of again
    assert ["joint 'j': a continuous joint has no limits" in str(w.message) for w in told] == [True] * bool(given)
    assert made.model.bodies[1].continuous and not made.model.bodies[1].lower + made.model.bodies[1].upper


@pytest.mark.parametrize("text", [
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
    '<limit lower="-1" upper="1" effort="3" velocity="2"/></joint></robot>',
    '<sdf version="1.9"><model name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent>a</parent><child>b</child>'
    "<axis><limit><lower>-1</lower><upper>1</upper><effort>3</effort><velocity>2</velocity></limit></axis></joint></model></sdf>",
])  # fmt: skip
def test_files_may_have_some_as_their_formats_say(tmp_path, text):
    path = tmp_path / ("robot.sdf" if text.startswith("<sdf") else "robot.urdf")
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", OrdernWarning)  # no masses
        body = ordern.load(path, on_invalid="warn").model.bodies[1]
    assert (body.lower, body.upper, body.effort, body.velocity) == ((), (), (3.0,), (2.0,))


@pytest.mark.parametrize("kind", ["spherical", "floating", "planar", "universal"])
@pytest.mark.parametrize("limits", [True, False])
def test_runs_say_which_have_no_end_stops(kind, limits):
    held = robot(kind, lower=-0.5, upper=0.5)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        held.simulate(duration=0.01, method="rk4", dt=0.01, engine="numpy", limits=limits)
    count = sum("'j[0]' have no end stops" in str(w.message) for w in told)
    assert count == (limits and kind in ("spherical", "floating"))


@pytest.mark.parametrize(
    ("leader", "follower", "ratio", "offset", "stuck"),
    [
        ((0.0, 0.8), (0.0, 0.8), 1.0, 0.0, False),
        ((0.0, 0.8), (-0.8, 0.0), 1.0, 0.0, True),  # the sign of the ratio is missing: both may be at zero only
        ((0.0, 0.8), (-0.8, 0.0), -1.0, 0.0, False),
        ((0.0, 1.0), (2.0, 3.0), 1.0, 0.0, True),
        ((0.0, 1.0), (2.0, 3.0), 1.0, 2.0, False),
        ((None, 1.0), (2.0, None), 1.0, 0.0, True),
        ((None, None), (2.0, None), 1.0, 0.0, False),
        ((0.0, 1.0), (2.0, 3.0), 0.0, 2.5, False),
    ],
)
def test_lint_names_followers_that_leave_no_way(leader, follower, ratio, offset, stuck):
    ends = [{"lower": low, "upper": high} for low, high in (leader, follower)]
    links = [LinkSpec("a"), LinkSpec("b", **BAR), LinkSpec("c", **BAR)]
    joints = [
        JointSpec("lead", "revolute", "a", "b", **ends[0]),
        JointSpec("follow", "revolute", "b", "c", mimic=MimicSpec("lead", ratio, offset), **ends[1]),
    ]
    remarks = ordern.Robot(build("two", links, joints)).lint()
    assert any("'follow', which mimics it, leave no way" in str(r) for r in remarks) == stuck
