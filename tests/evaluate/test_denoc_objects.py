"""robot.denoc(q): the objects of the papers rebuild the mass matrix, its factors and all twists, for any joints and trees."""

import numpy as np
import pytest

import ordern
import robots

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


def test_bad_states_are_named():
    robot = ordern.robots.planar3()
    with pytest.raises(ordern.MethodError, match="one state"):
        robot.denoc(np.zeros((2, 3)))
    with pytest.raises(ordern.InputError, match="q"):
        robot.denoc(["a", "b", "c"])


@pytest.mark.parametrize("make", [ordern.robots.planar3, lambda: ordern.Robot(robots.serial("RP", 3))])
def test_formulas_are_the_arrays(make):
    sp = pytest.importorskip("sympy")
    robot = make()
    q = np.random.default_rng(2).uniform(-1, 1, robot.nq)
    numbers, letters = robot.denoc(q), sp.symbols(f"q_1:{robot.nq + 1}", real=True)
    for made in (numbers.formulas(), robot.denoc(letters)):
        for name in ("Nl", "Nd", "N", "mass", "composite", "articulated", "inertia", "U", "D"):
            formula, want = getattr(made, name), getattr(numbers, name)
            got = np.reshape(sp.lambdify(letters, formula.ravel().tolist(), "numpy", cse=True)(*q), want.shape)
            np.testing.assert_allclose(got, want, rtol=0, atol=1e3 * EPS * (1 + np.abs(want).max()), err_msg=name)


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
