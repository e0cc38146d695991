"""The public methods: broadcasting, dtypes, out=, errors; what api pages promise."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import ordern
import robots as grid
from ordern.robot import Robot

EPS = np.finfo(float).eps
DYNAMICS = {
    "inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1, "mass_matrix_inverse": 1, "coriolis_matrix": 2, "bias_forces": 2,
    "gravity_forces": 1, "kinetic_energy": 2, "potential_energy": 1, "momentum": 2, "center_of_mass": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def ur5():
    return ordern.load("ur5")


@pytest.fixture(scope="module")
def mixed():
    return Robot(grid.mixed())


def state(robot, batch=(), seed=0):
    rng = np.random.default_rng(seed)
    return robot.random(rng, batch), *rng.uniform(-1, 1, (2, *batch, robot.n))


@pytest.mark.parametrize("quantity", DYNAMICS)
def test_batches_are_loops_without_the_loop(ur5, quantity):
    call, given = getattr(ur5, quantity), state(ur5, (7, 3))[: DYNAMICS[quantity]]
    whole = call(*given)
    assert whole.shape[:2] == (7, 3) and whole.dtype == np.float64
    for at in np.ndindex(7, 3):
        np.testing.assert_array_equal(whole[at], getattr(ur5, quantity)(*(a[at] for a in given)))  # the same bytes


def test_leading_axes_broadcast(ur5):
    q, qd, qdd = state(ur5, (5,))
    made = ur5.inverse_dynamics(q[:, None], qd[0], qdd[None, :2])
    assert made.shape == (5, 2, 6)
    np.testing.assert_array_equal(made[3, 1], ur5.inverse_dynamics(q[3], qd[0], qdd[1]))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9, 1003])
def test_any_batch_size(ur5, count):
    q, qd, qdd = state(ur5, (1003,))
    np.testing.assert_array_equal(
        ur5.inverse_dynamics(q[:count], qd[:count], qdd[:count]), ur5.inverse_dynamics(q, qd, qdd)[:count]
    )


def test_lists_integers_and_odd_memory(ur5):
    q, qd, qdd = state(ur5, (6,))
    expected = ur5.inverse_dynamics(q, qd, qdd)
    assert ur5.inverse_dynamics([0] * 6, [0] * 6, [0] * 6).shape == (6,)
    np.testing.assert_array_equal(ur5.inverse_dynamics(q.tolist(), qd, qdd), expected)
    np.testing.assert_array_equal(ur5.inverse_dynamics(np.asfortranarray(q), qd[::-1][::-1], qdd), expected)
    np.testing.assert_array_equal(ur5.inverse_dynamics(q[::-1], qd[::-1], qdd[::-1]), expected[::-1])
    np.testing.assert_array_equal(ur5.inverse_dynamics(q.astype(">f8"), qd, qdd), expected)
    wide = np.zeros((6, 12))
    wide[:, ::2] = q
    np.testing.assert_array_equal(ur5.inverse_dynamics(wide[:, ::2], qd, qdd), expected)
    q.flags.writeable = False
    np.testing.assert_array_equal(ur5.inverse_dynamics(q, qd, qdd), expected)


def test_float32_only_if_all_are(ur5):
    q, qd, qdd = (a.astype(np.float32) for a in state(ur5, (9,)))
    made = ur5.inverse_dynamics(q, qd, qdd)
    assert made.dtype == np.float32
    expected = ur5.inverse_dynamics(*(a.astype(float) for a in (q, qd, qdd)))
    np.testing.assert_allclose(made, expected, rtol=0, atol=50 * np.finfo(np.float32).eps * np.abs(expected).max())
    assert ur5.inverse_dynamics(q, qd, qdd.astype(float)).dtype == np.float64


def test_out_is_filled_and_returned(ur5):
    q, qd, qdd = state(ur5, (4,))
    expected, out = ur5.inverse_dynamics(q, qd, qdd), np.empty((4, 6))
    assert ur5.inverse_dynamics(q, qd, qdd, out=out) is out
    np.testing.assert_array_equal(out, expected)
    view = np.empty((4, 12))[:, ::2]
    ur5.inverse_dynamics(q, qd, qdd, out=view)
    np.testing.assert_array_equal(view, expected)
    aliased = q.copy()
    ur5.inverse_dynamics(aliased, qd, qdd, out=aliased)
    np.testing.assert_array_equal(aliased, expected)
    for wrong in (np.empty((4, 5)), np.empty((4, 6), np.float32), np.empty(6), [1.0]):
        with pytest.raises(ordern.ShapeError, match="out"):
            ur5.inverse_dynamics(q, qd, qdd, out=wrong)


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (lambda q: q[:5], ordern.ShapeError, "q must have 6 numbers"),
        (lambda q: 1.0, ordern.ShapeError, "q must have 6 numbers"),
        (lambda q: q + 1j, ordern.InputError, "q holds complex"),
        (lambda q: ["a"] * 6, ordern.InputError, "q holds text"),
        (lambda q: [[1, 2], [3]], ordern.OrdernError, "q"),
        (lambda q: None, ordern.OrdernError, "q"),
        (lambda q: np.where(np.arange(6) == 2, np.nan, q), ordern.InputError, "q is nan for joint 'elbow_joint'"),
        (
            lambda q: np.where(np.arange(6) == 0, np.inf, q),
            ordern.InputError,
            "q is inf for joint 'shoulder_pan_joint'",
        ),
    ],
)
def test_bad_arguments_are_named(ur5, bad, error, words):
    q = ur5.neutral() + 0.1
    with pytest.raises(error, match=words) as caught:
        ur5.inverse_dynamics(bad(q), q, q)
    assert isinstance(caught.value, ordern.OrdernError) and isinstance(caught.value, ValueError)


def test_the_first_bad_row_is_named(ur5):
    q, qd, qdd = state(ur5, (5000,))
    qd[4321, 3] = np.nan
    qd[4900, 1] = np.inf
    with pytest.raises(ordern.InputError, match="qd is nan for joint 'wrist_1_joint' in row 4321"):
        ur5.forward_dynamics(q, qd, qdd)


def test_batches_that_do_not_fit(ur5):
    q, qd, qdd = state(ur5, (5,))
    with pytest.raises(ordern.ShapeError, match="do not fit together"):
        ur5.inverse_dynamics(q, qd[:3], qdd)


def test_a_zero_quaternion_is_named(mixed):
    q, qd, qdd = state(mixed)
    q[3:7] = 0
    with pytest.raises(ordern.InputError, match="zero quaternion for joint 'joint1'"):
        mixed.inverse_dynamics(q, qd, qdd)


def test_unknown_names_get_suggestions(ur5):
    q = ur5.neutral()
    with pytest.raises(ordern.InputError, match="did you mean 'forearm_link'"):
        ur5.jacobian(q, "forarm_link")
    with pytest.raises(ordern.MethodError, match="did you mean 'newton-euler'"):
        ur5.inverse_dynamics(q, q, q, method="newton_euler")
    with pytest.raises(ordern.InputError, match="reference"):
        ur5.jacobian(q, "forearm_link", reference="base")
    with pytest.raises(ordern.OrdernError, match="ur5"):
        ordern.load("ur55")


def test_a_robot_never_changes(ur5):
    with pytest.raises(AttributeError, match="never changes"):
        ur5.gravity = (0, 0, 0)
    other = ur5.with_gravity((0, 0, 0))
    q = ur5.neutral() + 0.2
    assert not other.gravity_forces(q).any() and ur5.gravity_forces(q).any()
    for twin in (pickle.loads(pickle.dumps(ur5)), copy.deepcopy(ur5)):
        np.testing.assert_array_equal(twin.gravity_forces(q), ur5.gravity_forces(q))
    with pytest.raises(ordern.InputError):
        ur5.with_gravity((0, 0))


@pytest.mark.parametrize("name", ["ur5", "mixed"])
def test_identities(name, ur5, mixed):
    robot = {"ur5": ur5, "mixed": mixed}[name]
    q, qd, qdd = state(robot, (4,))
    M, tau = robot.mass_matrix(q), robot.inverse_dynamics(q, qd, qdd)
    loss = 100 * EPS * np.linalg.cond(M).max()  # a hundred roundings, times the condition
    np.testing.assert_allclose(robot.forward_dynamics(q, qd, tau), qdd, rtol=0, atol=loss * np.abs(qdd).max())
    np.testing.assert_allclose(
        robot.mass_matrix_inverse(q) @ M, np.broadcast_to(np.eye(robot.n), M.shape), rtol=0, atol=loss
    )
    udu = robot.mass_matrix_udu(q)
    np.testing.assert_allclose(udu.matrix(), M, rtol=0, atol=100 * EPS * np.abs(M).max())
    np.testing.assert_allclose(
        udu.solve(tau), np.linalg.solve(M, tau[..., None])[..., 0], rtol=0, atol=loss * np.abs(tau).max()
    )
    np.testing.assert_allclose(udu.logdet(), np.linalg.slogdet(M)[1], rtol=0, atol=loss)
    np.testing.assert_allclose(udu.inverse(), np.linalg.inv(M), rtol=0, atol=loss * np.abs(np.linalg.inv(M)).max())
    bias = robot.bias_forces(q, qd)
    scale = 1000 * EPS * max(1.0, np.abs(bias).max())
    np.testing.assert_allclose(tau, (M @ qdd[..., None])[..., 0] + bias, rtol=0, atol=scale)
    C = robot.coriolis_matrix(q, qd)
    np.testing.assert_allclose((C @ qd[..., None])[..., 0] + robot.gravity_forces(q), bias, rtol=0, atol=scale)
    np.testing.assert_allclose(robot.kinetic_energy(q, qd), 0.5 * np.einsum("bi,bij,bj->b", qd, M, qd), rtol=1e-13)


def test_external_wrenches_act_at_the_links_frame(ur5):
    q, qd, qdd = state(ur5, (3,))
    wrench = np.random.default_rng(1).uniform(-1, 1, (3, 6))
    made = ur5.inverse_dynamics(q, qd, qdd, external={"forearm_link": wrench, "tool0": wrench[0]})
    expected = ur5.inverse_dynamics(q, qd, qdd)
    for name, w in (("forearm_link", wrench), ("tool0", np.broadcast_to(wrench[0], (3, 6)))):
        J = ur5.jacobian(q, name, reference="body")
        expected = expected - np.einsum("bij,bi->bj", J, w)
    np.testing.assert_allclose(made, expected, rtol=0, atol=1e-13)
    back = ur5.forward_dynamics(q, qd, made, external={"forearm_link": wrench, "tool0": wrench[0]})
    np.testing.assert_allclose(back, qdd, rtol=0, atol=1e-11)
    with pytest.raises(ordern.ShapeError, match="external"):
        ur5.inverse_dynamics(q, qd, qdd, external={"tool0": [1, 2, 3]})


def test_the_manifold(mixed):
    rng = np.random.default_rng(0)
    q0, q1 = mixed.random(rng, 6), mixed.random(rng, 6)
    np.testing.assert_allclose(mixed.integrate(q0, mixed.difference(q0, q1))[:, :3], q1[:, :3], rtol=0, atol=1e-13)
    v = 0.3 * rng.standard_normal((6, mixed.n))
    np.testing.assert_allclose(mixed.difference(q0, mixed.integrate(q0, v)), v, rtol=0, atol=1e-13)
    assert mixed.neutral().shape == (mixed.nq,)
    np.testing.assert_array_equal(mixed.random(3, 2), mixed.random(3, 2))


def test_ten_thousand_links():
    robot = ordern.load("chain10000")
    q, qd, qdd = state(robot, (2,))
    tau = robot.inverse_dynamics(q, qd, qdd)
    back = robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau))
    np.testing.assert_allclose(
        back, tau, rtol=0, atol=1e-10 * np.abs(tau).max()
    )  # as accurate as 10,000 links allow: 1e-10 by design


def test_the_first_bad_row_is_named_whichever_argument_has_it(ur5):
    q, qd, qdd = state(ur5, (100,))
    q[70, 1], qd[30, 4], qdd[30, 5] = np.nan, np.inf, np.nan
    for _ in range(2):
        with pytest.raises(ordern.InputError, match=r"qd is inf for joint 'wrist_2_joint' in row 30;"):
            ur5.inverse_dynamics(q, qd, qdd)
    with pytest.raises(
        ordern.InputError, match=r"qdd is nan for joint 'wrist_3_joint';"
    ):  # one row for all: the first meets it
        ur5.inverse_dynamics(q, qd[0], qdd[30])


@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 2), (0,)])
def test_results_that_no_loop_makes_of_long_robots(batch):
    """A regressor of 80 joints would be 400,000 operations of machine code; it is there at once, and right."""
    robot = ordern.robots.chain(80)
    q, qd, qdd = state(robot, batch)
    tau, link = robot.inverse_dynamics(q, qd, qdd), robot.link_names[-1]
    for _ in range(2):
        Y = robot.regressor(q, qd, qdd)
        assert Y.shape == (*batch, 80, 800)
        np.testing.assert_allclose(
            Y @ robot.parameters(), tau, rtol=0, atol=1e-11 * np.abs(tau).max(initial=1.0)
        )  # 80 links' sums of large terms
        J, M = robot.jacobian(q, link), robot.mass_matrix(q)
        made, mobility = robot.operational_inertia(q, link), J @ np.linalg.solve(M, np.swapaxes(J, -1, -2))
        unit = np.broadcast_to(np.eye(6), made.shape)
        np.testing.assert_allclose(
            made @ mobility, unit, rtol=0, atol=1e-6
        )  # M has a condition of some 1e6 here, the mobility one of 1e3
    assert robot.regressor(*(x.astype(np.float32) for x in (q, qd, qdd))).dtype == np.float32
    if batch == (3,):
        qd[1, 7] = np.nan
        with pytest.raises(ordern.InputError, match="qd is nan for joint 'joint8' in row 1"):
            robot.regressor(q, qd, qdd)


def test_what_no_memory_holds_is_refused(ur5):
    zero = np.zeros(6)
    many = np.broadcast_to(zero, (10**12, 6))
    long = ordern.robots.chain(3000)
    for call in (
        lambda: ur5.mass_matrix(many),
        lambda: ur5.inverse_dynamics_derivatives(many, zero, zero),
        lambda: ur5.random(0, 10**12),
        lambda: long.regressor(*np.broadcast_to(0.0, (3, 10_000, 3000))),
    ):
        with pytest.raises(ordern.InputError, match="fewer states at once"):
            call()


def test_compile_several_at_once(ur5):
    q, qd, _ = state(ur5, (5,))
    both = ur5.compile(["mass_matrix", "bias_forces"])
    made = both(q, qd)
    np.testing.assert_allclose(made["mass_matrix"], ur5.mass_matrix(q), rtol=0, atol=1e-14)
    np.testing.assert_allclose(made["bias_forces"], ur5.bias_forces(q, qd), rtol=0, atol=1e-13)
    one = ur5.compile("inverse_dynamics", dtype="float32")
    assert one(q, qd, qd).dtype == np.float32
    assert "define" in one.source("llvm") and "float" in one.source("c")


def test_mimic_joints_follow():
    robot, free = ordern.load("panda"), ordern.load("panda", mimic=False)
    assert (robot.n, free.n) == (8, 9)
    q, qd, qdd = state(robot, (3,))
    G = np.vstack([np.eye(8), np.eye(8)[7]])  # the second finger does what the first does
    tau = free.inverse_dynamics(q @ G.T, qd @ G.T, qdd @ G.T) @ G
    np.testing.assert_allclose(robot.inverse_dynamics(q, qd, qdd), tau, rtol=0, atol=1e-12)
    np.testing.assert_allclose(robot.mass_matrix(q), G.T @ free.mass_matrix(q @ G.T) @ G, rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        robot.forward_dynamics(q, qd, robot.inverse_dynamics(q, qd, qdd)), qdd, rtol=0, atol=1e-9
    )


def test_degrees_of_freedom_are_those_that_loops_leave():
    """A delta robot has three, whatever its tree has; the page, the notebook and the command say the same."""
    for name, said in (
        ("delta", "3 degrees of freedom (11 without the loops)"),
        ("fourbar", "1 degree of freedom (3 without the loop)"),
        ("ur5", "6 degrees of freedom"),
    ):
        robot = ordern.load(name)
        assert f"{said}, " in repr(robot) and f"{said}, " in robot._repr_html_() and f'"{said}"' in robot.page()
        assert robot.mobility(robot.model.home or robot.neutral()) == int(said.split()[0])


@pytest.mark.parametrize("batch", [-1, True, 2.0, "2", None, (2, -1), (2, True), (2, 1.5), [None], {2}])
def test_batches_are_counts_or_shapes(batch):
    robot = ordern.robots.planar3()
    with pytest.raises(ordern.InputError, match="batch must be a count or a shape"):
        robot.random(0, batch)
    for good, shape in ((0, (0,)), (np.int64(2), (2,)), ((), ()), ([2, np.int8(3)], (2, 3))):
        assert robot.random(0, good).shape == (*shape, 3)
