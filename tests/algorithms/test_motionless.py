"""Robots with a motion that moves no inertia are refused what needs the inverse of M, by name and with a remedy that works; others are not."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from budget import examples
from ordern.algorithms.motionless import SOLVING
from ordern.algorithms.registry import choose
from ordern.model import Mass, Mimic, Placement
from ordern.runtime.numbers import numbers

KINDS = ["revolute", "prismatic", "universal", "spherical", "cylindrical", "planar", "helical", "floating"]
POINT = Mass.from_com(0.7, (0.1, -0.2, 0.05), (0.0,) * 6)
ROD = Mass.from_com(0.7, (0.15, 0.0, 0.0), (0.0, 0.02, 0.02, 0.0, 0.0, 0.0))


def weakened(seed):
    """A random tree, some of whose bodies have no mass, or the inertia of a point or a rod, and no armature."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 6))
    kinds = [str(rng.choice(KINDS)) for _ in range(count)]
    model = robots.tree(kinds, [int(rng.integers(0, k + 1)) for k in range(count)], seed)
    bodies = list(model.bodies)
    for i in range(1, count + 1):
        if rng.random() < 0.6:
            bodies[i] = replace(bodies[i], inertia=[Mass(), POINT, ROD][int(rng.integers(3))])
        if rng.random() < 0.7:
            bodies[i] = replace(bodies[i], armature=())
    return ordern.Robot(model.with_bodies(bodies))


def deficient(robot, seed=0):
    """By singular values of M in three states: an oracle that knows nothing of bodies."""
    q = robot.random(np.random.default_rng(seed), (3,))
    M = numbers(choose("mass_matrix", None, robot.model), robot.model)(q)
    size = np.sqrt(np.maximum(np.einsum("bii->bi", M), 1e-300))
    return bool((np.linalg.cond(M / size[:, :, None] / size[:, None, :]) > 1e11).all())


def asked(robot):
    zero = np.zeros(robot.n)
    q = robot.random(np.random.default_rng(1))
    return {
        "forward_dynamics": lambda: robot.forward_dynamics(q, zero, zero),
        "batch": lambda: robot.forward_dynamics(np.tile(q, (3, 1)), np.zeros((3, robot.n)), np.zeros((3, robot.n))),
        "inverse": lambda: robot.mass_matrix_inverse(q),
        "udu": lambda: robot.mass_matrix_udu(q),
        "log_det": lambda: robot.log_det(q),
        "log_det_gradient": lambda: robot.log_det_gradient(q),
        "derivatives": lambda: robot.forward_dynamics_derivatives(q, zero, zero),
        "mobility": lambda: robot.operational_inertia(q, robot.link_names[-1]),
        "fifty digits": lambda: robot.evaluate("forward_dynamics", q, zero, zero, precision=50),
        "fractions": lambda: robot.evaluate("mass_matrix_inverse", q, scalars="fraction"),
        "compile": lambda: robot.compile("forward_dynamics"),
        "casadi": lambda: robot.casadi("forward_dynamics"),
        "jax": lambda: ordern.jax.forward_dynamics(robot),
        "count": lambda: robot.operation_counts("forward_dynamics"),
        "simulate": lambda: robot.simulate(q, duration=0.01),
        "engine numpy": lambda: robot.simulate(q, duration=0.01, engine="numpy"),
        "symplectic": lambda: robot.simulate(q, duration=0.01, method="symplectic", dt=0.005),
        "SciPy": lambda: robot.simulate(q, duration=0.01, method="LSODA"),
        "masses": lambda: robot.simulate(q, duration=0.01, parameters={"masses": 2.0}),
    }


def complaint(robot):
    try:
        choose("forward_dynamics", None, robot.model)
    except ordern.SingularError as error:
        return str(error)
    return ""


def test_random_trees():
    refused = 0
    for seed in range(examples(120, 4000)):
        robot = weakened(seed)
        expected = deficient(robot)
        text = complaint(robot)
        found = bool(text)
        if found:
            heavy = Mass.from_com(1.0, (0.01, 0.02, 0.03), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
            cured, names = robot, set()
            while text:  # a list that is cut short, or of one massless body among others, names the rest in its turn
                more = set(re.findall(r"'(joint\d+)'", re.findall(r"behind joint (.*) has ", text)[0])) - names
                assert more, (seed, text)
                names |= more
                bodies = [replace(b, inertia=b.inertia + heavy) if b.name in more else b for b in cured.model.bodies]
                cured = ordern.Robot(cured.model.with_bodies(bodies))
                whole = "..." not in text and "has no mass" not in text
                text = complaint(cured)
                assert not (whole and text), (seed, text)
            assert not deficient(cured), seed
        assert found == expected, (seed, robot.model)
        refused += found
    assert refused > 20


def spoiled(*kinds):
    """Arms of two joints side by side on one turning base; the last body of each has the inertia given."""
    count = 2 * len(kinds)
    model = robots.tree(["revolute"] * (count + 1), [0, *(1 if k % 2 == 0 else k + 1 for k in range(count))], 3)
    bodies = [replace(b, armature=()) for b in model.bodies]
    for k, inertia in enumerate(kinds):
        if inertia is not None:
            bodies[2 * k + 3] = replace(bodies[2 * k + 3], inertia=inertia)
    return model.with_bodies(bodies)


AXIAL = Mass.from_com(0.7, (0.0, 0.0, 0.3), (0.0,) * 6)  # a point on the joint's own axis, which turning does not move


@pytest.mark.parametrize(
    ("kinds", "named"),
    [
        ((None, AXIAL), [5]),
        ((AXIAL, None, AXIAL), [3, 7]),  # neither would do alone, and the sound ones beside them are well
        ((AXIAL, AXIAL, POINT), [3, 5]),  # a point that moves needs nothing
        ((AXIAL,) * 4, [3, 5, 7, 9]),
        ((AXIAL,) * 5, [3, 5, 7, 9, ...]),
        ((AXIAL, Mass(), AXIAL), [5]),  # nothing at all behind a joint comes first
    ],
)
def test_those_that_lack_inertia_are_named_and_no_others(kinds, named):
    with pytest.raises(ordern.SingularError) as error:
        choose("forward_dynamics", None, spoiled(*kinds))
    names = ", ".join(f"'joint{k}' (link 'link{k}')" for k in named if k is not ...) + (" ..." if ... in named else "")
    lack = "has no mass" if Mass() in kinds else "has the inertia of a point or a rod"
    assert f"the body behind joint {names} {lack}; give it" in str(error.value)


def with_inertia(model, inertias, **mimic):
    """No rotors; the bodies' inertias by number, and whom "bodyN" follows how."""
    return model.with_bodies(
        [
            replace(b, armature=(), inertia=inertias.get(k, b.inertia), mimic=mimic.get(f"body{k}"))
            for k, b in enumerate(model.bodies)
        ]
    )


@pytest.mark.parametrize(
    ("kinds", "parents", "empty", "remedy"),
    [
        (["floating", "revolute"], [0, 0], 1, 'use base="fixed"'),  # a base is what floats on nothing
        (["revolute", "floating"], [0, 1], 2, "lock the joint"),
        (["revolute", "revolute"], [0, 0], 1, "lock the joint"),
        (["revolute", "revolute"], [0, 1], 2, "lock the joint"),
        (["revolute"] * 130, [0] * 130, 1, "lock the joint"),  # whatever the size
        (["revolute"] * 130, [0] * 130, 130, "lock the joint"),
    ],
)
def test_the_remedy_fits_the_joint(kinds, parents, empty, remedy):
    model = with_inertia(robots.tree(kinds, parents, 3), {empty: Mass()})
    with pytest.raises(ordern.SingularError, match=f"'joint{empty}' .* has no mass; .* or {remedy}"):
        choose("forward_dynamics", None, model)


def test_a_body_without_inertia_that_something_else_makes_up_for_is_no_trouble():
    two = robots.tree(["revolute", "revolute"], [0, 0], 3)
    follower = {"body2": Mimic(1, 0.5, 0.0)}
    choose("forward_dynamics", None, with_inertia(two, {1: Mass()}, **follower))
    choose("forward_dynamics", None, with_inertia(two, {2: Mass()}, **follower))
    slide = robots.tree(["prismatic"], [0], 3)
    choose("forward_dynamics", None, with_inertia(slide, {1: Mass.from_com(0.7, (0.0, 0.0, 0.0), (0.0,) * 6)}))
    loop = ordern.load("fourbar").model
    choose("forward_dynamics", None, with_inertia(loop, {len(loop.bodies) - 1: Mass()}))


@pytest.mark.parametrize(("ratio", "refused"), [(-1.0, True), (-2.0, False), (-0.5, False), (1.0, False)])
def test_a_follower_that_turns_back_moves_no_inertia(ratio, refused):
    """Both hinges on one axis: the second body, balanced about it, stands still if it turns back as far as the first one turns."""
    model = robots.tree(["revolute", "revolute"], [0, 1], 3)
    wheel = Mass.from_com(2.0, (0.0, 0.0, 0.1), (0.3, 0.4, 0.5, 0.0, 0.0, 0.0))
    model = with_inertia(model, {1: AXIAL, 2: wheel}, body2=Mimic(1, ratio, 0.0))
    model = model.with_bodies(
        [*model.bodies[:2], replace(model.bodies[2], placement=Placement(origin=(0.0, 0.0, 0.4)))]
    )
    if not refused:
        choose("forward_dynamics", None, model)
        return
    with pytest.raises(ordern.SingularError, match="joint1"):
        choose("forward_dynamics", None, model)


def test_of_two_that_would_do_the_one_without_mass_is_named():
    model = robots.tree(["revolute"] * 3, [0, 1, 2], 3)
    bodies = [replace(b, armature=()) for b in model.bodies]
    bodies[2] = replace(bodies[2], inertia=AXIAL)
    bodies[3] = replace(bodies[3], inertia=Mass(), mimic=Mimic(2, 0.5, 0.0))
    with pytest.raises(ordern.SingularError, match=r"behind joint 'joint3' .* has no mass"):
        choose("forward_dynamics", None, model.with_bodies(bodies))


@pytest.mark.parametrize("way", list(asked(ordern.robots.planar3())))
def test_every_engine_and_quantity(way):
    """A massless floating base, the same with a joint locked, and a tip without mass on both sides of forty bodies."""
    tip = ordern.robots.chain(45) if way in ("forward_dynamics", "simulate", "compile") else ordern.robots.chain(4)
    bodies = [*tip.model.bodies[:-1], replace(tip.model.bodies[-1], inertia=Mass(), armature=())]
    base = ordern.load("planar3", base="floating")
    for robot, joint in (
        (base, "root_joint"),
        (base.with_locked({"joint3": 0.0}), "root_joint"),
        (ordern.Robot(tip.model.with_bodies(bodies)), bodies[-1].name),
    ):
        with pytest.raises(ordern.SingularError, match=f"{joint}.* has no mass; give it mass"):
            asked(robot)[way]()


def test_what_needs_no_inverse_still_works():
    robot = ordern.load("planar3", base="floating")
    zero = np.zeros(robot.n)
    assert np.isfinite(robot.inverse_dynamics(robot.neutral(), zero, zero)).all() and robot.mass_matrix(
        robot.neutral()
    ).shape == (9, 9)
    assert {"forward_dynamics", "mass_matrix_inverse", "mass_matrix_udu", "log_det"} <= SOLVING


def test_a_payload_may_bring_what_is_missing():
    arm = ordern.robots.chain(3, seed=1)
    bodies = [*arm.model.bodies[:-1], replace(arm.model.bodies[-1], inertia=Mass(), armature=())]
    robot = ordern.Robot(arm.model.with_bodies(bodies))
    payload = {
        "link": robot.link_names[-1],
        "mass": 1.0,
        "com": (0.1, 0.2, 0.0),
        "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
    }
    with pytest.raises(ordern.SingularError):
        robot.simulate(duration=0.01)
    assert robot.simulate(duration=0.01, parameters={"payload": payload}).status[0] == "done"


def test_the_command_line_names_the_body(capsys):
    from ordern.cli import _guarded

    line = "simulate planar3 --base floating --locked joint3=0 --gravity 0,0,0 --duration 0.1"
    assert _guarded(line.split()) == 2
    said = capsys.readouterr().err
    assert "root_joint" in said and "base" in said and "mistake in ordern" not in said
