"""Payloads and other inertial parameters: known to dynamics, writers, exports and controllers; impossible ones refused."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordern
from budget import examples
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.changes import agreeing, sums
from ordern.describe.physical import nearest_possible
from ordern.describe.respec import rebuilt, specs
from robots import GRID

from .mechanics import gravity_forces, mass_matrix, random_q


@pytest.mark.parametrize("name", sorted(GRID))
def test_a_payload_is_a_link_welded_on(name):
    """On every link of every robot of the grid: as if the description had one more link there."""
    model = rebuilt(GRID[name](), {})
    rng = np.random.default_rng(3)
    com, tensor = (0.1, -0.2, 0.05), (0.02, 0.03, 0.04, 0.001, -0.002, 0.003)
    moving = [link.name for link in model.links if link.body]
    for link in moving if len(moving) < 12 else moving[::9]:
        made = ordern.Robot(model).with_payload(link, 1.5, com, tensor)
        links, joints = specs(model)
        joints = [replace(joint, lumped=None) for joint in joints]
        source = agreeing(model)
        links = [
            replace(spec, mass=k.mass, com=k.com, inertia=k.inertia)
            for spec, k in zip(links, source.links, strict=True)
        ]
        more = [*links, LinkSpec("load", 1.5, com, tensor)]
        wanted = build("x", more, [*joints, JointSpec("weld", "fixed", link, "load")], gravity=model.gravity)
        q = random_q(model, rng)
        M = mass_matrix(wanted, q)
        np.testing.assert_allclose(mass_matrix(made.model, q), M, rtol=0, atol=1e-13 * np.abs(M).max())
        np.testing.assert_allclose(
            gravity_forces(made.model, q), gravity_forces(wanted, q), rtol=0, atol=1e-12 * np.abs(M).max()
        )
        assert made.link_names == ordern.Robot(model).link_names
        for body, total in zip(made.model.bodies[1:], sums(made.model)[1:], strict=True):
            np.testing.assert_allclose(
                total.vector(), body.inertia.vector(), rtol=0, atol=1e-13 * max(map(abs, total.vector()))
            )


def test_payloads_add_up_and_controllers_know_them(tmp_path):
    arm = ordern.load("ur5")
    tool = arm.link_names[-1]
    once = arm.with_payload(tool, 2.0, (0, 0, 0.1))
    twice = arm.with_payload(tool, 0.5, (0, 0, 0.1)).with_payload(tool, 1.5, (0, 0, 0.1))
    q = np.array([0.3, -1.0, 0.8, -0.4, 0.9, 0.1])
    np.testing.assert_allclose(twice.gravity_forces(q), once.gravity_forces(q), rtol=0, atol=1e-12)
    assert np.abs(once.gravity_forces(q) - arm.gravity_forces(q)).max() > 1
    run = once.simulate(q, np.zeros(6), duration=0.2, torque=ordern.control.ComputedTorque(q, 100.0, 20.0))
    np.testing.assert_allclose(run.q[-1], q, rtol=0, atol=1e-9)  # it holds still only if the law knows the payload
    once.to_urdf(tmp_path / "x.urdf")
    np.testing.assert_allclose(
        ordern.load(tmp_path / "x.urdf").gravity_forces(q), once.gravity_forces(q), rtol=0, atol=1e-12
    )
    assert once.export_c("gravity_forces", tmp_path / "c") is not None
    assert arm.with_payload(tool, 0.0).model.fingerprint == arm.model.fingerprint


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mass": -1.0}, "mass of -1 kg"),
        ({"mass": float("nan")}, "finite"),
        ({"mass": "2"}, "must be a number"),
        ({"com": (0, 0)}, "3 numbers"),
        ({"com": (0, 0, float("inf"))}, "finite"),
        ({"inertia": (1, 1)}, "inertia has 2 entries"),
        ({"inertia": (1, 0.1, 0.1)}, "sum of the others"),
        ({"inertia": (-1, 1, 1)}, "negative"),
        ({"inertia": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}, "not symmetric"),
        ({"mass": 0.0, "inertia": (1, 1, 1)}, "inertia without mass"),
        ({"link": "tol"}, "has no link 'tol'"),
        ({"link": "base"}, "fixed to the world"),
    ],
)
def test_impossible_payloads(change, said):
    arm = ordern.load("stanford")
    with pytest.raises(ordern.InputError, match=said):
        arm.with_payload(**{"link": "link6", "mass": 1.0, **change})


def broken(values, case, rng):
    """Parameters of a robot with one body spoiled."""
    rows = values.reshape(-1, 10).copy()
    i = int(rng.integers(len(rows)))
    if case == "negative mass":
        rows[i, 0] = -abs(rows[i, 0]) - 0.1
    elif case == "negative moments":
        rows[i, [4, 6, 9]] = -1.0 - abs(rows[i, [4, 6, 9]])
    elif case == "one large moment":
        rows[i, 4] += 1e3 * (1 + np.abs(rows[i]).max())
    else:
        rows[i, 0], rows[i, 1:4] = 0.0, 1.0
    return rows.ravel()


@settings(max_examples=examples(40))
@given(
    name=st.sampled_from(["ur5", "chain4", "stanford", "planar3"]),
    case=st.sampled_from(["negative mass", "negative moments", "one large moment", "moment without mass"]),
    seed=st.integers(0, 1000),
)
def test_impossible_parameters_are_refused_kept_or_mended(name, case, seed):
    robot = ordern.load(name)
    values = broken(robot.parameters(), case, np.random.default_rng(seed))
    with pytest.raises(ordern.ModelError, match=r"no body is like that|moves no inertia"):
        robot.with_parameters(values)
    with pytest.warns(ordern.OrdernWarning):
        kept = robot.with_parameters(values, on_invalid="warn")
    np.testing.assert_allclose(kept.parameters(), values, rtol=0, atol=1e-12 * np.abs(values).max())
    with pytest.warns(ordern.OrdernWarning):
        mended = robot.with_parameters(values, on_invalid="repair")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mended.with_parameters(mended.parameters())
    for row in mended.parameters().reshape(-1, 10):
        assert row[0] >= 0


@pytest.mark.parametrize(("case", "said"), [
    ("negative mass", r"a mass of -[\d.]+ kg; no body"), ("moment without mass", r"a mass of 0 kg with first moments \(1.0, 1.0, 1.0\); no body"),
])  # fmt: skip
def test_what_is_impossible_is_said(case, said):
    robot = ordern.load("planar3")
    with pytest.raises(ordern.ModelError, match=said):
        robot.with_parameters(broken(robot.parameters(), case, np.random.default_rng(0)))


def test_a_word_for_it_that_is_none():
    arm = ordern.load("planar3")
    with pytest.raises(ordern.InputError, match="on_invalid"):
        arm.with_parameters(arm.parameters(), on_invalid="ignore")


@settings(max_examples=examples(200))
@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.integers(0, 1000))
def test_a_repair_sets_negative_moments_to_zero_and_lowers_the_largest(moments, seed):
    """Exactly what the page says, in any axes, and nothing to a possible inertia."""
    axes, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((3, 3)))
    t = axes @ np.diag(moments) @ axes.T
    xx, yy, zz, xy, xz, yz = nearest_possible((t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]))
    made = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    w = np.sort(np.maximum(moments, 0.0))
    w[2] = min(w[2], w[0] + w[1])
    # 1e-14: eigenvalues of a 3x3 of size one
    np.testing.assert_allclose(np.linalg.eigvalsh(made), w, rtol=0, atol=1e-14)
    np.testing.assert_allclose(made @ t, t @ made, rtol=0, atol=1e-14)  # the same principal axes
