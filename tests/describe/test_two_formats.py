"""One robot in two formats: a URDF that people use, and the MJCF that MuJoCo itself writes of it, give the same model."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest

import needs
from needs import EXAMPLES
from ordern.algorithms.registry import choose
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.errors import OrdernWarning
from ordern.runtime.numbers import numbers

DIGITS = 2e-5  # MuJoCo writes six digits, and sums of some links' numbers show them; angles too
ROBOTS = [
    "ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf", "kinova_description/robots/kinova.urdf", "a1_description/urdf/a1.urdf",
    "solo_description/robots/solo12.urdf", "talos_data/robots/talos_reduced.urdf", "double_pendulum_description/urdf/double_pendulum.urdf",
    "laikago_description/urdf/laikago.urdf", "g1_description/urdf/g1_29dof_rev_1_0.urdf", "xarm_description/urdf/xarm7.urdf",
    "z1_description/urdf/z1.urdf", "ur_description/urdf/ur10_robot.urdf", "bolt_description/robots/bolt.urdf", "go2_description/urdf/go2.urdf",
]  # fmt: skip


def without_shapes(path):
    """What of a URDF is mechanics; MuJoCo would look for the meshes, and merges links that do not move unless told not to."""
    root = ET.parse(path).getroot()
    for link in root.iter("link"):
        for shape in [e for e in link if e.tag in ("visual", "collision")]:
            link.remove(shape)
    for other in [e for e in root if e.tag not in ("link", "joint")]:
        root.remove(other)
    root.insert(0, ET.fromstring('<mujoco><compiler fusestatic="false"/></mujoco>'))
    return ET.tostring(root, encoding="unicode")


@pytest.mark.parametrize("name", ROBOTS)
def test_the_same_model(name):
    spec = mujoco.MjSpec.from_string(without_shapes(EXAMPLES / name))
    spec.compile()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        one, other = (
            load(EXAMPLES / name, on_invalid="warn", mimic=False),
            load_mjcf(spec.to_xml(), on_invalid="warn", mimic=False),
        )
    assert sorted(b.name for b in one.bodies[1:]) == sorted(b.name for b in other.bodies[1:])
    places = {b.name: k for k, b in enumerate(other.bodies)}
    for body in one.bodies[1:]:
        twin = other.bodies[places[body.name]]
        assert type(twin.joint) is type(body.joint)
        for key in ("lower", "upper", "damping", "friction"):
            ends = getattr(body, key) or (0.0,)
            if key in ("damping", "friction") or (all(np.isfinite(ends)) and body.lower != body.upper):
                assert np.allclose(ends, getattr(twin, key) or (0.0,), rtol=DIGITS, atol=DIGITS), (body.name, key)
    order = [other.offsets[places[b.name]][1] for b in one.bodies[1:]]
    rng = np.random.default_rng(0)
    q, v, a = rng.uniform(-1, 1, (3, one.nv))
    there = np.empty((3, one.nv))
    there[:, order] = q, v, a

    def value(model, quantity, *arguments):
        return numbers(choose(quantity, None, model), model)(*arguments)

    M = value(one, "mass_matrix", q)
    assert np.abs(value(other, "mass_matrix", there[0])[np.ix_(order, order)] - M).max() <= DIGITS * np.abs(M).max()
    tau = value(one, "inverse_dynamics", q, v, a)
    assert np.abs(value(other, "inverse_dynamics", *there)[order] - tau).max() <= DIGITS * np.abs(tau).max()
    poses = [
        dict(zip((link.name for link in m.links), value(m, "forward_kinematics", x), strict=True))
        for m, x in ((one, q), (other, there[0]))
    ]
    common = poses[0].keys() & poses[1].keys()
    assert len(common) >= len(one.bodies) - 1
    assert max(np.abs(poses[0][k] - poses[1][k]).max() for k in common) < DIGITS * 5


TWINS = [  # kept by other people in both formats: the same robot to the digits of the files
    ("unitree_go1/go1.xml", "go1_description/urdf/go1.urdf"),
    ("unitree_g1/g1.xml", "g1_description/urdf/g1_29dof_rev_1_0.urdf"),
]


@needs.menagerie
@pytest.mark.parametrize(("mjcf", "urdf"), TWINS)
def test_robots_that_others_keep_in_two_formats(mjcf, urdf):
    """Menagerie's robots with the rotors taken off, whose inertia their URDFs do not have, and example-robot-data's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        one, other = (
            load_mjcf(Path(needs.MENAGERIE) / mjcf, on_invalid="warn"),
            load(EXAMPLES / urdf, on_invalid="warn"),
        )
    found, values = [], np.random.default_rng(0).uniform(-0.5, 0.5, 40)
    for model in (one, other):
        model = model.with_bodies([replace(body, armature=()) for body in model.bodies])
        moved = {body.name.removesuffix("_joint"): k for k, body in enumerate(model.bodies) if k and body.joint.nv == 1}
        names = sorted(moved)
        q = np.concatenate([model.bodies[i].joint.neutral for i in model.free])
        q[[model.offsets[moved[name]][0] for name in names]] = values[: len(names)]
        columns = [model.offsets[moved[name]][1] for name in names]
        M = numbers(choose("mass_matrix", None, model), model)(q)
        found.append((names, M[np.ix_(columns, columns)]))
    assert found[0][0] == found[1][0] and len(found[0][0]) >= 12
    assert np.abs(found[0][1] - found[1][1]).max() < 1e-5 * np.abs(found[1][1]).max()  # six digits in the files
