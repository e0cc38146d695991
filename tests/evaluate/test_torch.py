"""PyTorch functions: the kernels' own bits, autograd, vmap and compile, and errors instead of silent copies. Collected where torch is installed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import ordern
import robots
from ordern.robot import Robot

ROBOTS = {
    "arm": lambda: ordern.load("ur5"),
    "floating": lambda: Robot(robots.serial("FUS")),
    "long": lambda: ordern.load("chain45"),
}
QUANTITIES = [
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "bias_forces",
    "kinetic_energy",
    "center_of_mass",
    "jacobian",
]


@pytest.fixture(scope="module", params=list(ROBOTS))
def robot(request):
    return ROBOTS[request.param]()


def state(robot, quantity, batch=(), seed=0):
    from ordern.algorithms.registry import choose

    rng = np.random.default_rng(seed)
    made = {"q": robot.random(rng, batch), **{k: rng.uniform(-1, 1, (*batch, robot.n)) for k in ("qd", "qdd", "tau")}}
    return [torch.as_tensor(made[name]) for name in choose(quantity, None, robot.model).inputs]


def own(robot, quantity, arrays):
    arrays = [a.detach().numpy() for a in arrays]
    return (
        robot.jacobian(*arrays, robot.link_names[-1]) if quantity == "jacobian" else getattr(robot, quantity)(*arrays)
    )


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_same_bits_as_the_robot(robot, quantity):
    f = getattr(ordern.torch, quantity)(robot)
    arrays = state(robot, quantity, (5,))
    right = own(robot, quantity, arrays)
    assert np.array_equal(f(*arrays), right)
    assert np.array_equal(torch.func.vmap(f)(*arrays), right)
    assert np.array_equal(f(*(a[2] for a in arrays)), right[2])


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_derivatives_along_and_against(robot, quantity):
    f = getattr(ordern.torch, quantity)(robot)
    arrays = state(robot, quantity)
    rng = np.random.default_rng(1)
    move = tuple(torch.as_tensor(rng.uniform(-1, 1, a.shape)) for a in arrays)
    value, along = torch.func.jvp(f, tuple(arrays), move)
    weight = torch.as_tensor(rng.uniform(-1, 1, value.shape))
    leaves = [a.clone().requires_grad_() for a in arrays]
    against = torch.autograd.grad((f(*leaves) * weight).sum(), leaves)
    one, other = (weight * along).sum(), sum((a * m).sum() for a, m in zip(against, move, strict=True))
    assert abs(one - other) <= 1e3 * np.finfo(float).eps * float(weight.abs().sum() * along.abs().max())
    h = 1e-6
    ahead, behind = (own(robot, quantity, [a + s * h * m for a, m in zip(arrays, move, strict=True)]) for s in (1, -1))
    np.testing.assert_allclose(along, (ahead - behind) / (2 * h), rtol=0, atol=1e-6 * float(along.abs().max()))


@pytest.mark.parametrize("mode", ["jacfwd", "jacrev"])
def test_matrices_are_the_analytical_ones(robot, mode):
    f, arrays = ordern.torch.forward_dynamics(robot), state(robot, "forward_dynamics", (2,))
    made = torch.func.vmap(getattr(torch.func, mode)(f, argnums=(1, 2)))(*arrays)
    right = robot.forward_dynamics_derivatives(*(a.numpy() for a in arrays))[1:]
    scale = max(np.abs(r).max() for r in right)
    for a, b in zip(made, right, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e3 * np.finfo(float).eps * scale)


def test_second_order():
    robot = ROBOTS["floating"]()
    f, (q, qd, tau) = ordern.torch.forward_dynamics(robot), state(ROBOTS["floating"](), "forward_dynamics")
    weight = torch.linspace(-1, 1, robot.n, dtype=torch.float64)
    H = torch.func.hessian(lambda q: (f(q, qd, tau) * weight).sum())(q)
    np.testing.assert_allclose(H, H.T, rtol=0, atol=1e-11 * float(H.abs().max()))
    assert torch.autograd.gradgradcheck(lambda q: (f(q, qd, tau) * weight).sum(), q.clone().requires_grad_(), atol=1e-4)


def test_log_det_by_its_gradient(robot):
    """Along all coordinates, those of quaternions too; the derivative along a direction goes another way."""
    f, rng = ordern.torch.log_det(robot), np.random.default_rng(4)
    q, v = (torch.as_tensor(x) for x in (robot.random(rng, (3,)), rng.uniform(-1, 1, (3, robot.model.nq))))
    made = torch.func.vmap(torch.func.grad(f))(q)
    _, along = torch.func.jvp(f, (q,), (v,))
    size = float(made.abs().max())  # sums of some hundred products: 1e-12 is 5,000 roundings
    np.testing.assert_allclose((made * v).sum(1), along, rtol=0, atol=1e-12 * size)
    if robot.model.plain:
        assert np.array_equal(made, robot.log_det_gradient(q.numpy()))
    _, second = torch.func.jvp(torch.func.grad(f), (q[0],), (v[0],))
    (backward,) = torch.func.vjp(torch.func.grad(f), q[0])[1](v[0])
    np.testing.assert_allclose(backward, second, rtol=0, atol=1e-12 * float(second.abs().max()))


def test_compiled_graphs():
    robot = ordern.load("planar3")
    f = ordern.torch.inverse_dynamics(robot)
    arrays = [a.requires_grad_() for a in state(robot, "inverse_dynamics", (4,))]

    def loss(q, qd, qdd):
        return (f(q, qd, qdd) ** 2).sum()

    right = torch.autograd.grad(loss(*arrays), arrays)
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
    made = torch.autograd.grad(compiled(*arrays), arrays)
    for a, b in zip(made, right, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_batches_broadcast_and_single_precision():
    robot = ordern.load("ur5")
    f = ordern.torch.inverse_dynamics(robot)
    q, qd, qdd = state(robot, "inverse_dynamics", (4, 3))
    right = robot.inverse_dynamics(q.numpy(), qd[0].numpy(), qdd[0, 0].numpy())
    assert np.array_equal(f(q, qd[0], qdd[0, 0]), right)
    assert np.array_equal(torch.func.vmap(f, (1, 0, None), 1)(q, qd[0], qdd[0, 0]), right)
    assert np.array_equal(f(q.transpose(0, 1), qd[0][:, None], qdd[0, 0]), np.swapaxes(right, 0, 1))
    single = [t.float() for t in (q, qd, qdd)]
    assert f(*single).dtype == torch.float32
    assert f(single[0], qd, qdd).dtype == torch.float64
    grown = qdd[0, 0].clone().requires_grad_()
    f(q, qd, grown).sum().backward()
    np.testing.assert_allclose(
        grown.grad, robot.mass_matrix(q.numpy()).sum((0, 1, 2)), rtol=1e-12
    )  # one row that served all


def test_errors_name_the_argument():
    robot = ordern.load("planar3")
    f, z = ordern.torch.inverse_dynamics(robot), torch.zeros(3, dtype=torch.float64)
    with pytest.raises(ordern.ShapeError, match="qd must have 3"):
        f(z, torch.zeros(4), z)
    with pytest.raises(ordern.ShapeError, match="batch axes"):
        f(torch.zeros(2, 3), torch.zeros(5, 3), z)
    for bad in (torch.zeros(3, dtype=torch.complex128), torch.zeros(3, dtype=torch.bfloat16)):
        with pytest.raises(ordern.InputError, match="qdd is of dtype"):
            f(z, z, bad)
    with pytest.raises(ordern.InputError, match="qd lies on meta"):
        f(z, torch.zeros(3, device="meta"), z)
    with pytest.raises(ordern.InputError, match="qd is a sparse tensor"):
        f(z, z.to_sparse(), z)
    with pytest.raises(ordern.MethodError, match="no quantity"):
        ordern.torch.inverse_dynamic(robot)


def test_tensors_in_methods_of_robot():
    robot = ordern.load("planar3")
    q, qd, qdd = state(robot, "inverse_dynamics", (4,))
    assert np.array_equal(robot.inverse_dynamics(q, qd, qdd), own(robot, "inverse_dynamics", (q, qd, qdd)))
    with pytest.raises(ordern.InputError, match="requires a gradient"):
        robot.inverse_dynamics(q.requires_grad_(), qd, qdd)
    with pytest.raises(ordern.InputError, match="NumPy has not"):
        robot.mass_matrix(q.detach().bfloat16())
    with pytest.raises(ordern.InputError, match="q lies where no array can be read"):
        robot.mass_matrix(q.detach().to("meta"))


@pytest.mark.parametrize("mapped", [(0, None, None), (None, 0, 0), (0, 0, 0)])
def test_empty_batches_in_any_transformation(robot, mapped):
    """With no states there are no results, of the right shapes, whatever is done with the function."""
    f, count = ordern.torch.forward_dynamics(robot), robot.n
    given = [
        torch.zeros((*((0,) if k == 0 else ()), n), dtype=torch.float64)
        for k, n in zip(mapped, (robot.nq, count, count), strict=True)
    ]
    wanted = {
        (count,): [f, torch.func.grad(lambda *a: f(*a).sum(), 2)],
        (count, count): [torch.func.jacfwd(f, 1), torch.func.hessian(lambda *a: f(*a).sum(), 1)],
    }
    for shape, functions in wanted.items():
        for g in functions:
            assert torch.vmap(g, mapped)(*given).shape == (0, *shape)
    moving = [a.clone().requires_grad_() for a in given]
    result = f(*moving)
    result.sum().backward()
    assert result.shape == (0, count) and all(a.grad.shape == a.shape and not a.grad.any() for a in moving)
