"""Every way to change a robot, then MJCF and SDF, which hold fewer kinds of joints: nothing is lost in silence there either."""

from __future__ import annotations

import warnings
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordern
from budget import examples
from ordern.check.convert import _WAYS, _matching
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.compare import differences, lost
from ordern.describe.respec import specs
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.model import Placement

from .mechanics import gravity_forces, link_poses, mass_matrix, random_q
from .test_writers import CHANGES, PROPERTIES, robot

IN_MJCF = ["revolute", "continuous", "prismatic", "fixed", "planar", "cylindrical", "universal"]
IN_SDF = ["revolute", "continuous", "prismatic", "fixed", "universal", "helical"]


@pytest.mark.parametrize(("form", "kinds"), [("mjcf", IN_MJCF), ("sdf", IN_SDF)])
@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10**6), change=st.sampled_from(sorted(CHANGES)))
def test_every_change_in_formats_that_hold_less(form, kinds, seed, change):
    """The same motion and data, with branches in another order and joints of several ways as several joints."""
    rng = np.random.default_rng(seed)
    model = robot(seed, kinds)
    if form == "sdf":  # has no armature
        model = model.with_bodies([replace(body, armature=()) for body in model.bodies])
    model = CHANGES[change](model, rng)
    write, read = _WAYS[form]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = read(write(model), model)
    assert differences(model, back, form) == []
    order_q, order_v = _matching(model, back, form)
    assert sorted(order_q) == list(range(model.nq)) and sorted(order_v) == list(range(model.nv))
    q = random_q(model, rng)
    M, M2 = mass_matrix(model, q), mass_matrix(back, q[order_q])
    size = 1 + np.abs(M).max(initial=0)
    np.testing.assert_allclose(M2, M[np.ix_(order_v, order_v)], rtol=0, atol=2e-13 * size)
    if model.nv:
        np.testing.assert_allclose(
            gravity_forces(back, q[order_q]), gravity_forces(model, q)[order_v], rtol=0, atol=2e-12 * size
        )
    here, there = link_poses(model, q), link_poses(back, q[order_q])
    for name in here.keys() & there.keys():
        np.testing.assert_allclose(there[name], here[name], rtol=0, atol=2e-13 * (1 + np.abs(here[name]).max()))


@pytest.mark.parametrize("key", [key for key in PROPERTIES if key != "velocity"])
def test_the_proof_sees_every_number_of_joints_that_become_several(key):
    model = next(m for m in (robot(seed, ["planar"]) for seed in range(99)) if getattr(m.bodies[1], key))
    write, read = _WAYS["mjcf"]
    text = write(model)
    body = model.bodies[1]
    for c in range(3):
        moved = tuple(v * (1 + 1e-9) if k == c else v for k, v in enumerate(getattr(body, key)))
        bodies = [model.bodies[0], replace(body, **{key: moved}), *model.bodies[2:]]
        found = differences(model.with_bodies(bodies), read(text, model), "mjcf")
        assert [(d.kind, d.where) for d in found] == [(key, f"joint '{body.name}_{c + 1}'")]


def test_names_of_parts_are_nobody_elses():
    links = [LinkSpec(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0)) for name in "abc"]
    joints = [JointSpec("j", "universal", "a", "b"), JointSpec("j_2", "revolute", "b", "c")]
    write, read = _WAYS["mjcf"]
    back = read(write(build("x", links, joints)), None)
    assert [body.name for body in back.bodies[1:]] == ["j__1", "j__2", "j_2"]


@pytest.mark.parametrize("form", ["mjcf", "sdf"])
@pytest.mark.parametrize("key", ["lower", "upper", "effort"])
def test_limits_that_a_format_has_no_word_for_are_refused(form, key):
    links = [LinkSpec(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0)) for name in "ab"]
    model = build("x", links, [JointSpec("j", "spherical", "a", "b", **{key: -0.5 if key == "lower" else 0.5})])
    with pytest.raises(ordern.ModelError, match=r"'j'.*toml"):
        _WAYS[form][0](model)


@pytest.mark.parametrize("gravity", [(0.0, 0.0, -9.81), (1.0, -2.0, -8.5), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("name", ["to_urdf", "to_sdf", "to_mjcf", "save"])
def test_gravity_is_written_or_the_file_says_how_to_give_it(tmp_path, name, gravity):
    robot = ordern.robots.planar3().with_gravity(gravity)
    file = tmp_path / {"to_urdf": "a.urdf", "to_sdf": "a.sdf", "to_mjcf": "a.xml", "save": "a.toml"}[name]
    getattr(robot, name)(file)
    told = f"gravity=({', '.join(map(repr, gravity))})" in file.read_text()
    assert told or tuple(ordern.load(file).gravity) == gravity
    assert tuple(ordern.load(file, gravity=gravity).gravity) == gravity
    assert not (told and gravity == (0.0, 0.0, -9.81))


def held(root, stand, floating, mass):
    """A body on a stand in the world, which may float, with an arm on it and another beside it."""
    links = [LinkSpec(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0)) for name in ("torso", "arm", "other")]
    there = Placement.from_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    joints = [JointSpec("stands", "fixed", root, "stand", there)] if stand else []
    on = "stand" if stand else root
    back = there.inverse() if stand else Placement()
    joints += [
        JointSpec("beside", "revolute", on, "other"),
        JointSpec("free", "floating" if floating else "revolute", on, "torso", back if floating else there),
        JointSpec("hinge", "revolute", "torso", "arm", there),
    ]
    return build(
        "x", [LinkSpec(root, mass, (0, 0, 0), (mass,) * 3 + (0, 0, 0)), *[LinkSpec("stand")] * stand, *links], joints
    )


@pytest.mark.parametrize("form", ["mjcf", "sdf", "urdf", "toml"])
@pytest.mark.parametrize("root", ["world", "base"])
@pytest.mark.parametrize("stand", [False, True])
@pytest.mark.parametrize("scene", [False, True])
@pytest.mark.parametrize("base", ["fixed", "free inside", "floating"])
def test_what_floats_in_a_world_of_any_name_is_read_back_or_refused(form, root, stand, scene, base):
    model = held(root, stand, base == "free inside", 0.0 if root == "world" else 2.0)
    if base == "floating":
        model = build("x", *specs(model), base="floating")
    if scene:
        model = ordern.Scene([ordern.Robot(model), ordern.load("ur5")]).model
    write, read = _WAYS[form]
    try:
        text = write(model)
    except ordern.ModelError as error:
        assert base != "fixed" and form != "toml", error
        return
    assert form != "sdf" or load_sdf(text).nv == model.nv - 6 * (base == "floating")
    back = read(text, model)
    order_q, order_v = _matching(model, back, form)
    q = random_q(model, np.random.default_rng(0))
    M, M2 = mass_matrix(model, q), mass_matrix(back, q[order_q])
    np.testing.assert_allclose(M2, M[np.ix_(order_v, order_v)], rtol=0, atol=1e-12)
    if form == "mjcf" and not (base == "floating" and root == "world"):  # MuJoCo wants mass there
        assert mujoco.MjModel.from_xml_string(text).nv == model.nv


@pytest.mark.parametrize(
    "name", ["planar3", "ur5", "pendulum", "panda", "stanford", "puma560", "chain", "andrews", "fourbar"]
)
def test_what_mujoco_would_not_load_is_told(name):
    model = ordern.load(name).model
    told = any("MuJoCo itself refuses" in line for line in lost(model, "mjcf"))
    try:
        mujoco.MjModel.from_xml_string(_WAYS["mjcf"][0](model))
    except ValueError as error:
        assert "inertia" in str(error) and told
    else:
        assert not told
