"""MJCF has several joints in one body: which links without mass go into the body after them, and which stay."""

from __future__ import annotations

import itertools

import pytest

from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.mjcf.mjcf_write import merged, to_mjcf
from ordern.model import Geometry

MOVING = ("revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "floating")
BALL = Geometry("sphere", (0.1,))


def heavy(name):
    return LinkSpec(name, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1, 0, 0, 0))


def chain(first, second, mid=None, more=()):
    """A base, a link between two joints, and a heavy one behind them."""
    links = [heavy("base"), mid or LinkSpec("mid"), heavy("tip"), *(heavy(name) for name in more)]
    joints = [JointSpec("one", first, "base", "mid"), JointSpec("two", second, "mid", "tip")]
    return build("chain", links, [*joints, *(JointSpec(f"to {name}", "revolute", "mid", name) for name in more)])


@pytest.mark.parametrize(("first", "second"), list(itertools.product((*MOVING, "fixed"), repeat=2)))
def test_a_link_without_mass_goes_into_the_next_body_where_both_joints_may_share_it(first, second):
    """A weld is no joint, nothing stands beside a free joint, and behind a ball things only slide."""
    free = "floating" in (first, second)
    both = "fixed" not in (first, second)
    assert merged(chain(first, second)) == (
        ["mid"] if both and not free and (first != "spherical" or second == "prismatic") else []
    )


@pytest.mark.parametrize(("first", "second"), list(itertools.product(("revolute", "prismatic", "fixed"), repeat=2)))
def test_links_that_stay_are_bodies_of_the_file(first, second):
    model = chain(first, second)
    assert ('<body name="mid"' in to_mjcf(model)) == (not merged(model))
    assert '<body name="tip"' in to_mjcf(model)


@pytest.mark.parametrize("what", ["mass", "inertia", "visual", "collision", "branch"])
def test_links_that_are_more_than_a_place_stay(what):
    mid = {
        "mass": LinkSpec("mid", 0.5),
        "inertia": LinkSpec("mid", 0.5, inertia=(0.1, 0.1, 0.1, 0, 0, 0)),
        "visual": LinkSpec("mid", visuals=(BALL,)),
        "collision": LinkSpec("mid", collisions=(BALL,)),
    }.get(what)
    model = chain("revolute", "revolute", mid, ("side",) if what == "branch" else ())
    assert merged(model) == [] and '<body name="mid"' in to_mjcf(model)


def test_a_base_without_mass_and_the_end_of_a_chain_stay():
    links = [LinkSpec("base"), heavy("tip"), LinkSpec("tool")]
    joints = [JointSpec("one", "revolute", "base", "tip"), JointSpec("two", "revolute", "tip", "tool", armature=1.0)]
    assert merged(build("chain", links, joints)) == []


@pytest.mark.parametrize(("first", "second"), list(itertools.product(MOVING[:-1], repeat=2)))
def test_a_weld_on_a_moving_link_stays(first, second):
    """It names a place on that link, a flange, and is no place between two joints."""
    links = [heavy("base"), heavy("arm"), LinkSpec("flange"), heavy("tip")]
    joints = [JointSpec("one", first, "base", "arm"), JointSpec("weld", "fixed", "arm", "flange")]
    model = build("chain", links, [*joints, JointSpec("two", second, "flange", "tip")])
    assert merged(model) == [] and '<body name="flange"' in to_mjcf(model)
