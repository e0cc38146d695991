"""Read, write, read: random robots keep every number that both formats hold, in all formats."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from ordern.algorithms.registry import choose
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.describe.sdf.sdf_write import to_sdf
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.errors import ModelError, OrdernWarning
from ordern.robot import Robot
from ordern.runtime.numbers import numbers

from .random_mjcf import Bodies, Motors

EXACT = 1e-12  # a few roundings of numbers of size 1 to 100
LIMITS = ("lower", "upper", "effort", "damping", "friction")
FORMATS = {  # how to write, how to read, what it holds of a joint, and what of the robot
    "mjcf": (to_mjcf, load_mjcf, (*LIMITS, "armature", "stiffness", "springref"), ("gravity", "states", "drives")),
    "sdf": (to_sdf, load_sdf, (*LIMITS, "velocity", "stiffness", "springref"), ()),
    "toml": (
        to_toml,
        loads_toml,
        (*LIMITS, "velocity", "armature", "stiffness", "springref"),
        ("gravity", "states", "drives"),
    ),
    "urdf": (to_urdf, load_urdf, (*LIMITS, "velocity", "armature"), ()),
}


def held(body, key):
    """A property with what stands for none written out."""
    none = {"lower": -np.inf, "upper": np.inf, "effort": np.inf, "velocity": np.inf}.get(key, 0.0)
    value = getattr(body, key)
    if key == "springref" and not any(body.stiffness):
        value = ()  # where a spring would rest that there is not
    return np.array(value or (none,) * (body.joint.nq if key == "springref" else body.joint.nv))


def plain(body):
    """A body without what URDF or SDF have no place for."""
    return replace(
        body,
        armature=(),
        **({"damping": (), "friction": (), "stiffness": (), "springref": ()} if body.joint.nv > 1 else {}),
    )


def renamed_base(model):
    """The base as load(base="floating") calls it."""
    named = [replace(b, name="root_joint") if b.joint.name == "floating" else b for b in model.bodies[1:]]
    return model.with_bodies([model.bodies[0], *named])


def same(a, b, keys, parts):
    """Both models hold the same: names, masses, properties of joints, motors, states, and motion."""
    by_name = {link.name: link for link in b.links}
    for link in a.links:
        if link.mass:
            twin = by_name[link.name]
            ours, theirs = ((k.mass, *k.com, *k.inertia) for k in (link, twin))
            assert np.allclose(ours, theirs, rtol=EXACT, atol=EXACT), link.name
    assert [x.name for x in a.bodies] == [x.name for x in b.bodies]
    for one, other in zip(a.bodies[1:], b.bodies[1:], strict=True):
        for key in keys:
            assert np.allclose(held(one, key), held(other, key), rtol=EXACT, atol=EXACT), (one.name, key)
        assert one.mimic == other.mimic or np.allclose(
            [one.mimic.ratio, one.mimic.offset], [other.mimic.ratio, other.mimic.offset], rtol=EXACT, atol=EXACT
        )
    if "gravity" in parts:
        assert a.gravity == b.gravity
    if "states" in parts:
        assert [s.name for s in a.states] == [s.name for s in b.states]
        for one, other in zip(a.states, b.states, strict=True):
            assert np.allclose([*one.q, *one.qd], [*other.q, *other.qd], rtol=EXACT, atol=EXACT), one.name
    if "drives" in parts:
        for one, other in zip(a.drives, b.drives, strict=True):
            assert (one.name, dict(one.arms).keys()) == (other.name, dict(other.arms).keys())
            for key in ("gain", "bias", "control", "force"):
                assert np.allclose(getattr(one, key), getattr(other, key), rtol=EXACT, atol=EXACT), (one.name, key)
    rng = np.random.default_rng(0)
    q, v, w = Robot(a).random(rng), rng.standard_normal(a.nv), rng.standard_normal(a.nv)
    springs = a.springs and "stiffness" in keys
    for what, given in (
        ("mass_matrix", (q,)),
        ("inverse_dynamics", (q, v, w)) if springs or not a.springs else ("mass_matrix", (q,)),
    ):
        ours, theirs = (numbers(choose(what, None, m), m)(*given) for m in (a, b))
        assert np.abs(ours - theirs).max(initial=0.0) <= 1e-9 * np.abs(ours).max(initial=0.0), what


@pytest.mark.parametrize("form", FORMATS)
def test_bodies(form):
    """What one format cannot say is refused when it is written; the rest comes back."""
    write, again, keys, parts = FORMATS[form]
    came_back = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        for seed in range(30):
            try:
                model = load_mjcf(Bodies(np.random.default_rng(seed)).text())
                if form in ("urdf", "sdf"):  # these have no place for some numbers, and say so
                    model = model.with_bodies(
                        [b if not (b.joint.nv > 1 or form == "sdf") else plain(b) for b in model.bodies]
                    )
                text = write(model)
            except ModelError:
                continue
            options = {"on_invalid": "warn"} | ({} if "gravity" in parts else {"gravity": model.gravity})
            if form == "sdf" and any(b.joint.name == "floating" for b in model.bodies[1:]):
                model = renamed_base(model)
                options["base"] = "floating"  # which is no part of SDF
            same(model, again(text, **options), keys, parts)
            came_back += 1
    assert came_back > 5, came_back


@pytest.mark.parametrize("form", ["mjcf", "toml"])
def test_motors(form):
    """Motors on joints and tendons, with their laws and ranges."""
    write, again, keys, parts = FORMATS[form]
    drives = 0
    for seed in range(30):
        try:
            model = load_mjcf(Motors(np.random.default_rng(seed)).text())
            text = write(model)
        except ModelError:
            continue
        same(model, again(text), [key for key in keys if key != "effort"], parts)
        drives += len(model.drives)
    assert drives > 20


@pytest.mark.parametrize("form", FORMATS)
def test_joints_without_limits_come_back_without(form):
    """Also where a format wants numbers there, which then stand for none."""
    write, read = FORMATS[form][:2]
    row = {"a": 0.3, "mass": 1.0, "com": (0.1, 0, 0), "inertia": (0.1, 0.2, 0.2)}
    robot = Robot.from_dh([{**row, "joint": kind} for kind in ("prismatic", "revolute")], convention="distal")
    for ends in (robot.limits, Robot(read(write(robot.model))).limits):
        assert all(np.isinf(getattr(ends, x)).all() for x in ("lower", "upper", "velocity", "effort"))
