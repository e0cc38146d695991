"""Operational-space mobility and inertia against J M^-1 J^T."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import choose, find
from ordern.errors import SingularError
from ordern.evaluate.operational_inertia import inertia_from_mobility
from ordern.model import Mimic, Placement
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers

MOBILITY = find("operational_mobility", "recursive")[0]
JACOBIAN = find("jacobian", "recursive")[0]
MASS = find("mass_matrix", "composite")[0]


def expected(model, q, link):
    J, M = numbers(JACOBIAN, model, (link, True))(q), numbers(MASS, model)(q)
    return J @ np.linalg.solve(M, np.swapaxes(J, -1, -2))


@pytest.mark.parametrize("robot", robots.GRID)
def test_mobility_is_the_jacobian_through_the_inverse_mass_matrix(robot):
    model = robots.GRID[robot]()
    mobility = choose("operational_mobility", None, model)
    q = robots.state(model, np.random.default_rng(0), (2,))[0]
    for link in {1, len(model.links) // 2, len(model.links) - 1}:
        exact = expected(model, q, link)
        made = numbers(mobility, model, (link,))(q)
        np.testing.assert_allclose(made, exact, rtol=0, atol=1e-9 * np.abs(exact).max())
        if model.nv < 30:
            program = trace(mobility, model, (link,))
            np.testing.assert_allclose(
                interpret(program, {"q": q})["out0"], made, rtol=0, atol=1e-11 * np.abs(made).max()
            )


def test_mimic_joints():
    model = robots.serial("RRRRRRRR", 3)
    model = model.with_bodies(
        replace(b, mimic=Mimic(2, -0.5, 0.1)) if i == 6 else b for i, b in enumerate(model.bodies)
    )
    q = robots.state(model, np.random.default_rng(0), (2,))[0]
    algorithm = choose("operational_mobility", None, model)
    made = numbers(algorithm, model, (8,))(q)
    np.testing.assert_allclose(made, expected(model, q, 8), rtol=0, atol=1e-10 * np.abs(made).max())
    np.testing.assert_allclose(
        interpret(trace(algorithm, model, (8,)), {"q": q})["out0"], made, rtol=0, atol=1e-10 * np.abs(made).max()
    )


def test_a_link_that_does_not_move_has_no_mobility():
    model = robots.serial("RR")
    assert not numbers(MOBILITY, model, (0,))(np.ones((1, 2))).any()


@pytest.mark.parametrize("robot", ["arm6", "mixed", "floating", "chain"])
def test_inertia_inverts_it(robot):
    model = robots.GRID[robot]()
    link = len(model.links) - 1
    if robot == "mixed":
        link = 9  # the last one hangs on the world by a single joint
    q = robots.state(model, np.random.default_rng(1), (3,))[0]
    mobility = numbers(MOBILITY, model, (link,))(q)
    made = inertia_from_mobility(mobility)
    np.testing.assert_allclose(made @ mobility, np.broadcast_to(np.eye(6), made.shape), rtol=0, atol=1e-8)


def test_a_free_body_feels_like_its_own_inertia():
    model = robots.serial("F")
    q = robots.state(model, np.random.default_rng(2))[0]
    pose = numbers(find("link_pose")[0], model, (1,))(q)
    turned = Placement(tuple(pose[:3, :3].ravel()))  # the link's axes in the world's, its origin kept
    body = model.bodies[1].inertia.moved(model.links[1].placement.inverse()).moved(turned)
    xx, yy, zz, xy, xz, yz = body.I
    hx, hy, hz = body.h
    H = np.array([[0, -hz, hy], [hz, 0, -hx], [-hy, hx, 0]])
    dense = np.block([[np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), H], [H.T, body.m * np.eye(3)]])
    np.testing.assert_allclose(inertia_from_mobility(numbers(MOBILITY, model, (1,))(q)), dense, rtol=0, atol=1e-12)


def test_singular_states_are_named():
    model = robots.GRID["arm6"]()
    mobility = numbers(MOBILITY, model, (3,))(np.zeros((4, 6)))
    with pytest.raises(SingularError, match="tool can move in 3 of 6 directions only in state"):
        inertia_from_mobility(mobility, "tool")
    with pytest.raises(SingularError, match="0 of 6"):
        inertia_from_mobility(np.zeros((6, 6)))


def test_directions_that_are_all_but_lost_leave_no_inertia():
    """Whichever number of them: judged by the largest mobility, not by the next one."""
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(6, 6)))[0]
    for lost in (1, 2, 3):
        small = np.array([(k + 1) * 1e-14 for k in range(lost)])  # well above rounding, beyond a condition of 1e12
        mobility = turn @ np.diag([*small, *np.linspace(1.0, 2.0, 6 - lost)]) @ turn.T
        with pytest.raises(SingularError, match=rf"in {6 - lost} of 6 directions"):
            inertia_from_mobility(mobility)
    np.testing.assert_allclose(inertia_from_mobility(turn @ turn.T), np.eye(6), rtol=0, atol=1e-14)
