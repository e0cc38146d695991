"""Joints that follow others inside of loops, written as MJCF: MuJoCo counts lengths from where the file's joints stand."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import choose
from ordern.check.convert import _WAYS
from ordern.describe.builder import JointSpec, LinkSpec, MimicSpec, build
from ordern.describe.compare import differences
from ordern.describe.respec import loop_specs, specs
from ordern.describe.specs import LoopSpec
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.model import Placement
from ordern.runtime.numbers import numbers

from .mechanics import link_poses

TENSOR = (0.2, 0.3, 0.4, 0.01, -0.02, 0.03)
Q = (0.3, 0.2, -0.4, 0.5)
AT = Placement.from_rpy((0.4, 0.1, -0.2), (0.3, -0.5, 0.2))


def model(kind, follower, ratio, offset):
    """Five joints in a row, the third follows the first; the last link is tied to the world."""
    names = ["base", "a", "b", "c", "d", "e"]
    kinds = ["revolute", "prismatic", follower, "revolute", "revolute"]
    joints = [
        JointSpec(f"j{k}", kind, names[k], names[k + 1], AT, axis=(k % 2, 1, k % 3), mimic=None)
        for k, kind in enumerate(kinds)
    ]
    joints[2] = JointSpec("j2", follower, "b", "c", AT, axis=(1, 0, 1), mimic=MimicSpec("j0", ratio, offset))
    more = {"length": 0.5} if kind == "distance" else {}
    links = [LinkSpec(name, 1.0, (0.1, 0.2, 0.3), TENSOR) for name in names]
    tip = link_poses(build("x", links, joints), Q)["e"] @ [0.1, 0.2, 0.3, 1.0]
    end = tip[:3] + ([0.3, 0.4, 0.0] if more else 0.0)
    loop = LoopSpec("tie", kind, "e", "world", xyz1=(0.1, 0.2, 0.3), xyz2=tuple(end), **more)
    home = {f"j{k}": (x,) for k, x in zip((0, 1, 3, 4), Q, strict=True)}  # so that nothing need be searched
    return build("x", links, joints, loops=[loop], home=home)


@pytest.mark.parametrize("kind", ["distance", "point"])
@pytest.mark.parametrize("follower", ["revolute", "prismatic"])
def test_a_follower_inside_of_a_loop(kind, follower):
    write, read = _WAYS["mjcf"]
    for ratio, offset in ((-0.7, 0.0), (1.0, 0.3)):
        made = model(kind, follower, ratio, offset)
        text = write(made)
        back = read(text, made)
        assert differences(made, back, "mjcf") == []
        q = np.random.default_rng(0).uniform(-1, 1, (3, made.nq))
        ours, theirs = (numbers(choose("constraint_residual", None, m), m)(q) for m in (made, back))
        np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-12)  # lengths below 10 through some ten products
        there = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(there)  # the file's own position
        mujoco.mj_forward(there, data)
        assert data.nefc and np.abs(data.efc_pos).max() < 1e-9  # closed, and the follower where it belongs


@pytest.mark.parametrize("form", ["toml", "urdf"])
@pytest.mark.parametrize("mimic", [True, False])
@pytest.mark.parametrize("more", [{}, {"base": "floating"}, {"locked": {"free": 0.25}}])
def test_home_is_where_the_file_closes_under_any_options(form, mimic, more):
    """Joints keep the coordinates at which the file's loops close; those that no longer follow stand where they did."""
    arm = ordern.load("fourbar").model
    links, joints = specs(arm)
    solid = (1.0, (0.1, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    links += [LinkSpec("hand", *solid), LinkSpec("tail", *solid)]
    joints += [
        JointSpec("follows", "revolute", "coupler", "hand", mimic=MimicSpec("crank", -0.5, 0.125)),
        JointSpec("free", "revolute", "crank", "tail"),
    ]
    home = {"crank": (0.5,), "rocker": (2.072619,), "coupler": (2.188757,)}
    model = build("x", links, joints, loops=loop_specs(arm), actuated=["crank"], home=home)
    write, read = {"toml": (to_toml, loads_toml), "urdf": (to_urdf, load_urdf)}[form]
    back = read(write(model), mimic=mimic, **more)
    at = {model.bodies[i].name: model.home[model.offsets[i][0]] for i in model.free}
    at |= {"follows": 0.125 - 0.5 * at["crank"]}
    for i in back.free:
        if back.bodies[i].joint.nq == 1:
            assert back.home[back.offsets[i][0]] == at[back.bodies[i].name], back.bodies[i].name
    assert ("follows" in {back.bodies[i].name for i in back.free}) != mimic
