"""JAX functions: the kernels' own bits, derivatives of any order, transformations in any combination, and errors instead of silent copies."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import numpy as np
import pytest

import ordern
import robots
from budget import TRUST
from ordern.robot import Robot

jnp = jax.numpy

ROBOTS = {
    "arm": lambda: ordern.load("ur5"),
    "floating": lambda: Robot(robots.serial("FUS")),
    "long": lambda: ordern.load("chain45"),
}
QUANTITIES = [
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "bias_forces", "gravity_forces", "kinetic_energy", "momentum", "center_of_mass",
    "jacobian",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _double():
    with jax.enable_x64(True):
        yield


def test_gradients_of_batches_sum_over_what_an_argument_shares():
    """Without vmap: an argument of one row that all states share gets the sum of their gradients, the others their own."""
    arm = ordern.load("planar2")
    f = ordern.jax.forward_dynamics(arm)
    slope = jax.grad(lambda *a: (f(*a) ** 2).sum(), argnums=(0, 1, 2))
    given = [np.random.default_rng(k).normal(size=(5, 2)) for k in range(3)]
    for shared in ((), (0,), (1, 2)):
        now = [np.broadcast_to(x[0], x.shape) if k in shared else x for k, x in enumerate(given)]
        whole = [slope(*(x[k] for x in now)) for k in range(5)]
        wanted = [sum(g[k] for g in whole) if k in shared else np.stack([g[k] for g in whole]) for k in range(3)]
        found = slope(*(x[0] if k in shared else x for k, x in enumerate(given)))
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)  # sums of five in another order


@pytest.fixture(scope="module", params=list(ROBOTS))
def robot(request):
    return ROBOTS[request.param]()


def state(robot, quantity, batch=(), seed=0):
    from ordern.algorithms.registry import choose

    rng = np.random.default_rng(seed)
    made = {"q": robot.random(rng, batch), **{k: rng.uniform(-1, 1, (*batch, robot.n)) for k in ("qd", "qdd", "tau")}}
    return [made[name] for name in choose(quantity, None, robot.model).inputs]


def own(robot, quantity, arrays):
    return (
        robot.jacobian(*arrays, robot.link_names[-1]) if quantity == "jacobian" else getattr(robot, quantity)(*arrays)
    )


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_same_bits_as_the_robot(robot, quantity):
    f = getattr(ordern.jax, quantity)(robot)
    arrays = state(robot, quantity, (5,))
    right = own(robot, quantity, arrays)
    assert np.array_equal(f(*arrays), right)
    assert np.array_equal(jax.jit(jax.vmap(f))(*arrays), right)
    assert np.array_equal(f(*(a[2] for a in arrays)), right[2])


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_derivatives_along_and_against(robot, quantity):
    """Forward and reverse are one bilinear form, and forward is what differences say."""
    f = getattr(ordern.jax, quantity)(robot)
    arrays = [jnp.asarray(a) for a in state(robot, quantity)]
    rng = np.random.default_rng(1)
    move = [jnp.asarray(rng.uniform(-1, 1, a.shape)) for a in arrays]
    value, along = jax.jvp(f, arrays, move)
    weight = jnp.asarray(rng.uniform(-1, 1, value.shape))
    against = jax.vjp(f, *arrays)[1](weight)
    one, other = jnp.vdot(weight, along), sum(jnp.vdot(a, m) for a, m in zip(against, move, strict=True))
    scale = float(jnp.abs(weight).sum() * jnp.abs(along).max())
    assert abs(one - other) <= 1e3 * np.finfo(float).eps * scale  # sums of some hundred terms in another order
    h = 1e-6
    ahead, behind = (
        own(robot, quantity, [np.asarray(a + s * h * m) for a, m in zip(arrays, move, strict=True)]) for s in (1, -1)
    )
    np.testing.assert_allclose(
        along, (ahead - behind) / (2 * h), rtol=0, atol=1e-6 * float(np.abs(along).max())
    )  # differences lose h^2 and eps / h


@pytest.mark.parametrize(("quantity", "mode"), [("inverse_dynamics", "jacrev"), ("forward_dynamics", "jacfwd")])
def test_matrices_are_the_analytical_ones(robot, quantity, mode):
    f, arrays = getattr(ordern.jax, quantity)(robot), state(robot, quantity)
    made = getattr(jax, mode)(f, argnums=(0, 1, 2))(*arrays)
    right = getattr(robot, f"{quantity}_derivatives")(*arrays)
    scale = max(np.abs(r).max() for r in right)
    for a, b in zip(made[1:], right[1:], strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e3 * np.finfo(float).eps * scale)
    moves = np.eye(robot.n)  # of q the derivative is along joint velocities
    turns = np.stack([_rates(robot, arrays[0], v) for v in moves], axis=1)
    np.testing.assert_allclose(made[0] @ turns, right[0], rtol=0, atol=1e3 * np.finfo(float).eps * scale)


# every kind on every robot; with and without batches in the long form
DIRECTIONS = [
    (name, mapped, kind)
    for k, name in enumerate(ROBOTS)
    for j, kind in enumerate(["identity", "any square", "few"])
    for mapped in (False, True)
    if TRUST or mapped == ((k + j) % 2 == 1)
]


@pytest.mark.parametrize(("robot", "mapped", "kind"), DIRECTIONS, indirect=["robot"])
def test_many_directions_at_one_state(robot, mapped, kind):
    """Directions that are the identity's columns take the matrix as it is, others a product; either is what one
    direction after the other gives, at one state and at several.
    """
    f, arrays = ordern.jax.forward_dynamics(robot), state(robot, "forward_dynamics")
    if mapped:
        arrays = state(robot, "forward_dynamics", (2,))
    ends, n = np.cumsum([a.shape[-1] for a in arrays]), sum(a.shape[-1] for a in arrays)
    V = np.eye(n) if kind == "identity" else np.random.default_rng(3).uniform(-1, 1, (3 if kind == "few" else n, n))
    W = V[: robot.n, : robot.n]

    def along(v, *x):
        return jax.jvp(f, x, tuple(jnp.split(v, ends[:-1])))[1]

    def against(w, *x):
        return jax.vjp(f, *x)[1](w)

    def all_of(g, directions):
        many = jax.vmap(g, in_axes=(0, None, None, None))
        return jax.jit(jax.vmap(many, in_axes=(None, 0, 0, 0)) if mapped else many)(directions, *arrays)

    for g, directions in ((along, V), (against, W)):
        made = jax.tree.leaves(all_of(g, directions))
        scale, alone = max(np.abs(a).max() for a in made), jax.jit(g)
        for m in range(0, len(directions), 1 + len(directions) // 3):
            right = jax.tree.leaves(alone(directions[m], *(a[1] if mapped else a for a in arrays)))
            for a, b in zip(made, right, strict=True):
                np.testing.assert_allclose(
                    a[1, m] if mapped else a[m], b, rtol=0, atol=1e4 * np.finfo(float).eps * scale
                )


@pytest.mark.parametrize("kind", ["identity", "any square", "few"])
@pytest.mark.parametrize("robot", ["arm"], indirect=True)
def test_many_directions_of_what_several_states_share(robot, kind):
    """Positions in a batch, velocities and torques the same for all of them: the same directions for every row."""
    f, (q, qd, tau) = ordern.jax.forward_dynamics(robot), state(robot, "forward_dynamics")
    q = state(robot, "forward_dynamics", (3,), 1)[0]
    n, rng = robot.n, np.random.default_rng(2)
    V = np.eye(2 * n) if kind == "identity" else rng.uniform(-1, 1, (4 if kind == "few" else 2 * n, 2 * n))

    def along(v):
        return jax.jvp(lambda *x: f(q, *x), (qd, tau), (v[:n], v[n:]))[1]

    made, right = jax.jit(jax.vmap(along))(V), robot.forward_dynamics_derivatives(q, qd, tau)
    wanted = np.einsum("bij,mj->mbi", np.concatenate([right.dqd, right.dtau], axis=2), V)
    np.testing.assert_allclose(made, wanted, rtol=0, atol=1e3 * np.finfo(float).eps * np.abs(wanted).max())


def _rates(robot, q, v):
    """dq/dt for the joint velocity v."""
    from ordern.spatial.joint_space import JointVector

    made = []
    for i in robot.model.free:
        joint, (iq, iv) = robot.model.bodies[i].joint, robot.model.offsets[i]
        made += joint.rates(JointVector(*q[iq : iq + joint.nq]), JointVector(*v[iv : iv + joint.nv])).e
    return np.array(made, float)


def test_second_order():
    """The Hessian of a scalar is symmetric and is what differences of the gradient say."""
    robot = ROBOTS["floating"]()
    f, (q, qd, tau) = ordern.jax.forward_dynamics(robot), state(robot, "forward_dynamics")
    weight = np.linspace(-1, 1, robot.n)
    gradient = jax.grad(lambda q: jnp.vdot(f(q, qd, tau), weight))
    H = jax.hessian(lambda q: jnp.vdot(f(q, qd, tau), weight))(q)
    np.testing.assert_allclose(H, H.T, rtol=0, atol=1e-11 * float(jnp.abs(H).max()))
    v, h = np.random.default_rng(2).uniform(-1, 1, q.shape), 1e-6
    np.testing.assert_allclose(
        H @ v, (gradient(q + h * v) - gradient(q - h * v)) / (2 * h), rtol=0, atol=1e-6 * float(jnp.abs(H).max())
    )


def test_second_order_of_loops():
    robot = ROBOTS["long"]()
    f, arrays = ordern.jax.inverse_dynamics(robot), state(robot, "inverse_dynamics")
    v = np.random.default_rng(2).uniform(-1, 1, robot.n)

    def move(q):
        return jax.jvp(lambda q: f(q, *arrays[1:]), (q,), (v,))[1]

    second, h = jax.jvp(move, (arrays[0],), (v,))[1], 1e-6
    np.testing.assert_allclose(
        second,
        (move(arrays[0] + h * v) - move(arrays[0] - h * v)) / (2 * h),
        rtol=0,
        atol=1e-6 * float(jnp.abs(second).max()),
    )


def test_vmap_in_any_combination(robot):
    f = ordern.jax.inverse_dynamics(robot)
    q, qd, qdd = state(robot, "inverse_dynamics", (4, 3))
    right = robot.inverse_dynamics(q, qd[0], qdd[0, 0])
    assert np.array_equal(jax.vmap(jax.vmap(f, (0, 0, None)), (0, None, None))(q, qd[0], qdd[0, 0]), right)
    assert np.array_equal(jax.vmap(f, (1, 0, None), 1)(q, qd[0], qdd[0, 0]), right)
    assert np.array_equal(f(q, qd[0], qdd[0, 0]), right)


def test_scan_and_while():
    robot = ordern.load("planar3")
    f = ordern.jax.forward_dynamics(robot)

    @jax.jit
    def run(q, qd):
        def step(s, _):
            q, qd = s
            qd = qd + 0.01 * f(q, qd, jnp.zeros(3))
            return (q + 0.01 * qd, qd), q

        return jax.lax.scan(step, (q, qd), None, length=20)

    q, qd = np.array([0.3, -0.7, 1.1]), np.zeros(3)
    (last, _), _ = run(q, qd)
    for _ in range(20):
        qd = qd + 0.01 * robot.forward_dynamics(q, qd, np.zeros(3))
        q = q + 0.01 * qd
    np.testing.assert_allclose(last, q, rtol=0, atol=1e-13)
    through = jax.grad(lambda q: run(q, np.zeros(3))[0][0].sum())(q)
    assert np.isfinite(through).all()


def test_single_precision_and_mixtures():
    robot = ordern.load("ur5")
    f, arrays = ordern.jax.inverse_dynamics(robot), state(ordern.load("ur5"), "inverse_dynamics", (3,))
    singles = [a.astype(np.float32) for a in arrays]
    made = f(*singles)
    assert made.dtype == np.float32
    assert np.array_equal(made, robot.inverse_dynamics(*singles))
    assert f(singles[0], *arrays[1:]).dtype == np.float64
    assert f(np.zeros(6, int), arrays[1], arrays[2]).dtype == np.float64
    with jax.enable_x64(False):
        assert ordern.jax.inverse_dynamics(robot)(*arrays).dtype == np.float32


def test_external_wrenches():
    robot = ordern.load("ur5")
    link = robot.link_names[-1]
    f = ordern.jax.forward_dynamics(robot, external=[link])
    (q, qd, tau), w = state(robot, "forward_dynamics"), np.arange(6.0)
    assert np.array_equal(f(q, qd, tau, w), robot.forward_dynamics(q, qd, tau, external={link: w}))
    J = robot.jacobian(q, link, reference="body")
    np.testing.assert_allclose(
        jax.jacrev(f, argnums=3)(q, qd, tau, w), robot.mass_matrix_inverse(q) @ J.T, rtol=0, atol=1e-11
    )


def test_donated_arrays():
    robot = ordern.load("ur5")
    q, qd, tau = state(robot, "inverse_dynamics", (64,))
    f = jax.jit(jax.vmap(ordern.jax.inverse_dynamics(robot)), donate_argnums=(0, 1, 2))
    assert np.array_equal(f(*(jnp.array(a) for a in (q, qd, tau))), robot.inverse_dynamics(q, qd, tau))


@pytest.mark.parametrize("name", ["arm", "long"])
def test_graph_for_other_devices(name):
    """What a device without kernels runs, here on the processor: operations of XLA's and loops of lax's."""
    robot = ROBOTS[name]()
    quantity = "inverse_dynamics" if name == "arm" else "mass_matrix"
    arrays = state(robot, quantity, (3,))
    made = jax.jit(jax.vmap(getattr(ordern.jax, quantity)(robot, engine="graph")))(*arrays)
    right = own(robot, quantity, arrays)
    np.testing.assert_allclose(
        made, right, rtol=0, atol=100 * np.finfo(float).eps * np.abs(right).max()
    )  # another sincos, no fused products


def test_errors_name_the_argument():
    robot = ordern.load("planar3")
    f, z = ordern.jax.inverse_dynamics(robot), np.zeros(3)
    with pytest.raises(ordern.ShapeError, match="qd must have 3"):
        f(z, np.zeros(4), z)
    with pytest.raises(ordern.ShapeError, match="takes 3 arrays"):
        f(z)
    with pytest.raises(ordern.ShapeError, match="batch axes"):
        f(np.zeros((2, 3)), np.zeros((5, 3)), z)
    for bad in (np.zeros(3, np.complex128), jnp.zeros(3, jnp.bfloat16)):
        with pytest.raises(ordern.InputError, match="qdd is of dtype"):
            f(z, z, bad)
    with pytest.raises(ordern.MethodError, match="no quantity"):
        ordern.jax.inverse_dynamic(robot)
    with pytest.raises(ordern.InputError, match="engine"):
        ordern.jax.inverse_dynamics(robot, engine="gpu")
    assert np.isnan(
        f(np.array([np.nan, 0, 0]), z, z)
    ).any()  # a traced function cannot complain; it does not hide it either


_SHARDED = """
import jax, numpy as np, ordern
jax.config.update("jax_enable_x64", True)
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
robot = ordern.load("ur5")
rng = np.random.default_rng(0)
q, qd, qdd = rng.uniform(-1, 1, (3, 64, 6))
mesh = Mesh(np.array(jax.devices()), ("rows",))
place = NamedSharding(mesh, P("rows"))
f = jax.jit(jax.vmap(ordern.jax.inverse_dynamics(robot)))
made = f(*(jax.device_put(a, place) for a in (q, qd, qdd)))
assert np.array_equal(made, robot.inverse_dynamics(q, qd, qdd)), "sharded"
assert made.sharding.spec == P("rows"), made.sharding  # nothing was gathered
shards = [jax.device_put(a, place) for a in (q, qd, qdd)]
text = f.lower(*shards).compile().as_text()
assert "all-gather" not in text and "f64[32,6]" in text, text
loss = jax.jit(jax.vmap(jax.grad(lambda q, qd, qdd: (ordern.jax.inverse_dynamics(robot)(q, qd, qdd) ** 2).sum())))
slope = loss(*shards)
assert "all-gather" not in loss.lower(*shards).compile().as_text()
right = 2 * np.einsum("bi,bij->bj", robot.inverse_dynamics(q, qd, qdd), robot.inverse_dynamics_derivatives(q, qd, qdd).dq)
assert np.allclose(slope, right, rtol=1e-10, atol=1e-10 * abs(right).max()), "gradient"
uneven = f(*(jax.device_put(a[:63], NamedSharding(mesh, P())) for a in (q, qd, qdd)))
assert np.array_equal(uneven, robot.inverse_dynamics(q[:63], qd[:63], qdd[:63])), "replicated"
flat = NamedSharding(mesh, P(None, "rows"))
assert np.array_equal(f(*(jax.device_put(a, flat) for a in (q, qd, qdd))), robot.inverse_dynamics(q, qd, qdd)), "numbers of a state on two devices"
g = jax.jit(jax.vmap(ordern.jax.inverse_dynamics(robot), (0, None, None)))
assert np.array_equal(g(jax.device_put(q, place), qd[0], qdd[0]), robot.inverse_dynamics(q, qd[0], qdd[0])), "one row for all"
print(len(jax.devices()))
for engine in ("kernel", "graph"):
    g = ordern.jax.gravity_forces(ordern.load("planar3"), engine=engine)
    total = lambda x, y: (g(x) * g(y)).sum()
    inside = jax.shard_map(jax.grad(total, argnums=1), mesh=mesh, in_specs=(P("rows"), P()), out_specs=P())
    spread = jax.shard_map(lambda x, y: g(x) * g(y), mesh=mesh, in_specs=(P("rows"), P()), out_specs=P("rows"))
    outside = jax.grad(lambda y: spread(q[:, :3], y).sum())
    right = jax.grad(total, argnums=1)(q[:, :3], qd[0, :3])  # the second argument is on every device: its gradient is their sum
    for made in (inside(q[:, :3], qd[0, :3]), outside(qd[0, :3])):
        assert np.allclose(made, right, rtol=1e-12, atol=1e-12 * abs(right).max()), (engine, made, right)
    b = ordern.jax.bias_forces(ordern.load("planar3"), engine=engine)  # of arguments that differ and do not, in one operation
    total = lambda x, y: (b(x, y) ** 2).sum()
    inside = jax.shard_map(jax.grad(total, argnums=1), mesh=mesh, in_specs=(P("rows"), P()), out_specs=P())
    right = jax.grad(total, argnums=1)(q[:, :3], qd[0, :3])
    made = inside(q[:, :3], qd[0, :3])
    assert np.allclose(made, right, rtol=1e-12, atol=1e-12 * abs(right).max()), (engine, made, right)
"""


def test_sharded_arrays():
    env = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = subprocess.run([sys.executable, "-c", _SHARDED], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "2\n"


@pytest.mark.parametrize("engine", ["kernel", "graph"])
@pytest.mark.parametrize("mapped", [(0, None, None), (None, 0, 0), (0, 0, 0)])
def test_empty_batches_in_any_transformation(robot, mapped, engine):
    """With no states there are no results, of the right shapes, whatever is done with the function."""
    f, count = ordern.jax.forward_dynamics(robot, engine=engine), robot.n
    given = [jnp.zeros((*((0,) if k == 0 else ()), n)) for k, n in zip(mapped, (robot.nq, count, count), strict=True)]
    for g, shape in (
        (f, (count,)),
        (jax.jacfwd(f, 1), (count, count)),
        (jax.grad(lambda *a: f(*a).sum(), 2), (count,)),
    ):
        assert jax.jit(jax.vmap(g, mapped))(*given).shape == (0, *shape)
    assert jax.vmap(jax.vmap(f, mapped), mapped)(
        *(a[None] if k == 0 else a for a, k in zip(given, mapped, strict=True))
    ).shape == (1, 0, count)
    assert f(*given).shape == (0, count)


def test_a_number_is_the_state_of_one_joint():
    """As with NumPy; for more joints a number alone is no state."""
    one, two = (Robot(robots.serial("R" * n)) for n in (1, 2))
    f = ordern.jax.inverse_dynamics(one)
    assert np.array_equal(f(0.3, 0.2, 0.1), one.inverse_dynamics([0.3], [0.2], [0.1]))
    with pytest.raises(ordern.ShapeError, match="2 numbers in its last axis"):
        ordern.jax.inverse_dynamics(two)(0.3, 0.2, 0.1)


def test_no_more_is_asked_of_xla_than_is_used():
    """A handler that needs a newer interface is refused by the libraries before it."""
    from ordern.runtime import xla_call

    assert (xla_call.MAJOR, xla_call.MINOR) == (0, 1)


def test_the_handler_is_made_once_for_all_processes(tmp_path, monkeypatch):
    """And found on disk from then on."""
    from ordern.runtime import xla_call

    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    made, compiled = [], xla_call.compile_text
    monkeypatch.setattr(xla_call, "compile_text", lambda text: made.append(text) or compiled(text))
    for _ in range(2):
        xla_call._common.__wrapped__()  # as another process would
        assert len(made) == 1 and len(list(tmp_path.iterdir())) == 1
