"""robot.denoc(q): the objects of the papers rebuild the mass matrix, its factors and all twists, for any joints and trees."""

from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from ordern.model import Mass

MODELS = {"RPRRP": lambda: robots.serial("RPRRP", 3), "R6": lambda: robots.serial("RRRRRR", 4), "mixed": robots.mixed}
EPS = np.finfo(float).eps


@pytest.mark.parametrize("name", MODELS)
def test_objects_rebuild_what_the_methods_give(name):
    model = MODELS[name]()
    robot = ordern.Robot(model)
    q, qd = robots.state(model, np.random.default_rng(5))[:2]
    made, M = robot.denoc(q), robot.mass_matrix(q)
    links, n = len(model.bodies) - 1, model.nv
    assert made.Nl.shape == (6 * links, 6 * links) and made.Nd.shape == (6 * links, n) and made.psi.shape == (6, n)
    assert made.composite.shape == made.articulated.shape == made.Psi.shape == (links, 6, 6)
    size = 200 * EPS * np.abs(M).max()  # 200: sums over some ten links of products of 6x6 matrices
    np.testing.assert_allclose(made.inertia, M, rtol=0, atol=size)
    np.testing.assert_allclose(made.U @ np.diag(made.D) @ made.U.T, M, rtol=0, atol=size)
    plain = made.N.T @ made.mass @ made.N
    armature = np.concatenate([b.armature or (0.0,) * b.joint.nv for b in model.bodies[1:]])
    np.testing.assert_allclose(plain + np.diag(armature), M, rtol=0, atol=size)
    twists = (made.N @ qd).reshape(links, 6)
    energy = (
        0.5 * sum(t @ made.mass[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] @ t for k, t in enumerate(twists))
        + 0.5 * armature @ qd**2
    )
    np.testing.assert_allclose(energy, robot.kinetic_energy(q, qd), rtol=1e3 * EPS)
    np.testing.assert_array_equal(made.phi, made.Nl.T)


def test_bad_states_and_links_are_named():
    robot = ordern.robots.planar3()
    for q in (np.zeros(2), np.zeros((4, 2)), np.zeros((3, 0)), 0.3):
        with pytest.raises(ordern.ShapeError, match="q must have 3 numbers"):
            robot.denoc(q)
    with pytest.raises(ordern.InputError, match="q"):
        robot.denoc(["a", "b", "c"])
    with pytest.raises(ordern.InputError, match="nan for joint 'joint2'"):
        robot.denoc([0.0, np.nan, 0.0])
    made = robot.denoc(np.zeros(3))
    for i in (-1, 4, 1.0, "1", None, True):
        for call in (made.p, lambda i: made.B(i, 1), lambda i: made.B(1, i)):
            with pytest.raises(ordern.InputError, match="to 3, got"):
                call(i)
    with pytest.raises(ordern.InputError, match="from 1 to 3"):
        made.p(0)
    assert made.B(1, 0).shape == (6, 6) and made.p(np.int32(3)).shape == (6, 1)


def test_what_has_no_attitude_or_no_inertia_is_said():
    floating = ordern.Robot(robots.serial("FR", 3))
    with pytest.raises(ordern.InputError, match="quaternion of length 0 for joint 'joint1'"):
        floating.denoc(np.zeros(floating.nq))
    model = robots.serial("RR", 1, armature=False)
    light = ordern.Robot(model.with_bodies([*model.bodies[:2], replace(model.bodies[2], inertia=Mass())]))
    made = light.denoc([0.1, 0.2])
    assert np.isfinite(made.inertia).all() and np.isfinite(made.composite).all()
    for name in ("U", "D", "articulated", "psi", "psih", "Psi"):
        with pytest.raises(ordern.SingularError, match="joint 'joint2' moves no inertia"):
            getattr(made, name)


ARRAYS = ["Nl", "Nd", "N", "mass", "composite", "articulated", "psi", "psih", "Psi", "phi", "U", "D", "inertia"]


@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 3), (0,), (2, 0)])
@pytest.mark.parametrize("kinds", ["RPR", "FRS", ""])
def test_objects_of_batches_are_those_of_their_states(kinds, batch):
    robot = ordern.Robot(robots.serial(kinds, 3))
    q = robot.random(np.random.default_rng(1), batch)
    made, alone = robot.denoc(q.astype(np.float32)), robot.denoc(robot.neutral())
    pairs = {name: (getattr(made, name), lambda one, name=name: getattr(one, name)) for name in ARRAYS}
    for i in range(1, len(kinds) + 1):
        pairs |= {
            f"p{i}": (made.p(i), lambda one, i=i: one.p(i)),
            f"B{i}": (made.B(i, 1), lambda one, i=i: one.B(i, 1)),
        }
    for name, (got, of) in pairs.items():
        assert got.shape == batch + of(alone).shape and got.dtype == float, name
        for at in np.ndindex(*batch):
            np.testing.assert_array_equal(got[at], of(robot.denoc(q[at].astype(np.float32))), err_msg=name)


def test_long_chains_have_what_takes_no_dense_matrix():
    """3,000 links: N_l would take 2.6 GB. Articulated masses rebuild the determinant, composite masses hold all links."""
    robot = ordern.robots.chain(3_000)
    q = np.random.default_rng(0).uniform(-1, 1, robot.n)
    made = robot.denoc(q)
    pivots = [made.p(i)[:, 0] @ Mh @ made.p(i)[:, 0] for i, Mh in enumerate(made.articulated, 1)]
    assert np.log(pivots).sum() == pytest.approx(robot.log_det(q), rel=1e-9)  # eps times the condition of the chain
    masses = [b.inertia.m for b in robot.model.bodies[1:]]
    np.testing.assert_allclose(made.composite[:, 5, 5], np.cumsum(masses[::-1])[::-1], rtol=1e-12)
    for name in ("Nl", "N", "mass", "U", "D", "inertia"):
        with pytest.raises(ordern.MethodError, match=r"3000 links.*log_det"):
            getattr(made, name)


def evaluated(formula, at, known):
    """A formula in numbers, each part of it once; lambdify looks for common parts for minutes."""
    if formula not in known:
        parts = [evaluated(a, at, known) for a in getattr(formula, "args", ())]
        known[formula] = at[formula] if formula in at else float(formula) if not parts else float(formula.func(*parts))
    return known[formula]


@pytest.mark.parametrize("kinds", ["planar3", "RP", "S", "F"])
def test_formulas_are_the_arrays(kinds):
    sp = pytest.importorskip("sympy")
    robot = ordern.robots.planar3() if kinds == "planar3" else ordern.Robot(robots.serial(kinds, 3))
    q = robot.random(np.random.default_rng(2))
    numbers, letters = robot.denoc(q), sp.symbols(f"q_1:{robot.nq + 1}", real=True)
    for made in (numbers.formulas(), robot.denoc(letters))[: 2 if kinds == "RP" else 1]:
        known, at = {}, dict(zip(letters, q, strict=True))
        for name in ARRAYS:
            formula, want = getattr(made, name), getattr(numbers, name)
            got = np.reshape([evaluated(sp.sympify(x), at, known) for x in formula.ravel()], want.shape)
            np.testing.assert_allclose(got, want, rtol=0, atol=1e4 * EPS * (1 + np.abs(want).max()), err_msg=name)
    with pytest.raises(ordern.ShapeError, match="where it holds symbols"):
        robot.denoc([letters, letters])


def test_mimic_joints_have_all_but_articulated_masses():
    robot = ordern.load("panda")
    q = robot.random(np.random.default_rng(0))
    made, M = robot.denoc(q), robot.mass_matrix(q)
    size = 200 * EPS * np.abs(M).max()  # as above
    np.testing.assert_allclose(made.inertia, M, rtol=0, atol=size)
    np.testing.assert_allclose(made.U @ np.diag(made.D) @ made.U.T, M, rtol=0, atol=size)
    for name in ("articulated", "psi", "Psi"):
        with pytest.raises(ordern.MethodError, match="mimic"):
            getattr(made, name)


def test_closed_chains_have_the_objects_of_their_tree_and_a_short_name():
    robot = ordern.robots.fourbar()
    q = np.array(robot.model.home)
    made = robot.denoc(q)
    np.testing.assert_allclose(made.inertia, robot.mass_matrix(q), rtol=0, atol=1e-15)
    assert "'fourbar': 3 links" in repr(made) and len(repr(made)) < 200  # not pages of arrays
    with pytest.raises(ordern.MethodError, match=r"loop 'tip' open.*mass_matrix_udu\(q\).logdet"):
        robot.log_det(q)
    assert robot.mass_matrix_udu(q).logdet() == pytest.approx(np.log(made.D).sum(), rel=1e-14)
