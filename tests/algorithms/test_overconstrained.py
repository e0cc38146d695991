"""Linkages that move although their equations are too many, and whose spare equations follow from others by factors that change:
any choice of equations becomes dependent somewhere on the way, where the mechanism itself is as mobile as elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import examples
from ordern.algorithms.registry import find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ordern.model import Placement

METHODS = [a.method for a in find("forward_dynamics") if a.closed]


def bennett(seed):
    """Bennett's linkage: four hinges, lengths as the sines of their twists; anywhere in space."""
    rng = np.random.default_rng(seed)
    twist = rng.uniform(0.3, 1.3, 2) * [1, rng.choice([-1, 1])]
    sizes = 0.6 * np.sin(twist) / np.sin(twist[0])
    rods = [Placement.from_rpy((sizes[k % 2], 0, 0), (twist[k % 2], 0, 0)) for k in range(4)]
    back = np.eye(4)
    back[:3, :3], back[:3, 3] = np.reshape(rods[3].rotation, (3, 3)), rods[3].origin
    links, joints, above = [LinkSpec("ground")], [], "ground"
    first = Placement.from_rpy(tuple(rng.normal(size=3)), tuple(rng.uniform(-3, 3, 3)))
    for k, at in enumerate([first, *rods[:2]]):
        centre = tuple(rng.uniform(-0.3, 0.3, 3))
        links.append(LinkSpec(f"rod{k}", mass=rng.uniform(0.5, 2), com=centre, inertia=(0.02, 0.03, 0.03, 0, 0, 0)))
        joints.append(JointSpec(f"hinge{k}", "revolute", above, f"rod{k}", at, axis=(0, 0, 1)))
        above = f"rod{k}"
    end = first @ Placement.from_matrix(np.linalg.inv(back))
    kind = str(rng.choice(["revolute", "spherical", "cylindrical"]))
    loops = [LoopSpec("close", kind, "rod2", "ground", frame1=rods[2], frame2=end, axis=(0, 0, 1))]
    ratio = np.sin(twist.sum() / 2) / np.sin((twist[1] - twist[0]) / 2)
    home = np.array([1.0, -2 * np.arctan(ratio / np.tan(0.5)), -1.0])
    return ordern.Robot(build("bennett", links, joints, loops=loops, actuated=["hinge0"], home=home)), rng


def way(robot, many, step):
    """Closed configurations one after the other along the motion."""
    q, v, found = np.array(robot.model.home), np.ones(robot.n), []
    for _ in range(many):
        v = robot.closed_velocity(q, v)
        v /= np.linalg.norm(v)
        q = robot.assemble(q + step * v).q
        found.append(q)
    return found


def dense(robot, q):
    """A, and the inverse of M on what the loops leave free, by the pseudo-inverse."""
    A, M = robot.constraint_jacobian(q), robot.mass_matrix(q)
    L = np.linalg.inv(np.linalg.cholesky(M))
    return A, L.T @ (np.eye(robot.n) - np.linalg.pinv(A @ L.T, rcond=1e-6) @ (A @ L.T)) @ L


def state(robot, q, rng):
    """Velocities, joint forces, the accelerations that dense matrices give for them, and how far those may be off."""
    A, free = dense(robot, q)
    qd, tau = robot.closed_velocity(q, rng.normal(size=robot.n)), rng.normal(size=robot.n)
    bent = np.linalg.pinv(A, rcond=1e-6) @ robot.constraint_bias(q, qd)
    want = free @ (tau - robot.bias_forces(q, qd)) - bent + free @ robot.mass_matrix(q) @ bent
    kept, size = list(robot.model.loops[0].kept), np.linalg.svd(A, compute_uv=False)
    least = np.linalg.svd(A[kept], compute_uv=False)[-1]
    # what is factored is the square of the equations kept, or of others where these are dependent to 1e-3
    least = max(least, 1e-3 * size[len(kept) - 1])
    return qd, tau, want, 1e-12 * (size[0] / least) ** 2 * max(1.0, np.abs(want).max(), np.abs(qd).max() ** 2)


@pytest.mark.parametrize("name", ["bricard", *range(examples(4, 60))])
def test_dynamics_on_the_way_round(name, by_numbers):
    """Every method against the pseudo-inverse, where the equations that are kept are dependent or nearly so, too."""
    robot, rng = (ordern.load(name), np.random.default_rng(0)) if name == "bricard" else bennett(name)
    assert robot.mobility(np.array(robot.model.home)) == 1
    states = way(robot, 40, 0.3)[::8]
    if name != "bricard":
        flat = np.array([np.pi, 0.0, -np.pi])  # all rods in one plane
        v = robot.closed_velocity(flat, np.ones(3))
        states += [flat, *(robot.assemble(flat + d * v).q for d in 10.0 ** rng.uniform(-10, -2, 4))]
    for q in states:
        assert np.abs(robot.constraint_residual(q)).max() < 1e-14 and robot.mobility(q) == 1
        free, (qd, tau, want, near) = dense(robot, q)[1], state(robot, q, rng)
        for method in METHODS:
            made = robot.forward_dynamics(q, qd, tau, method=method)
            np.testing.assert_allclose(made, want, rtol=0, atol=near, err_msg=method)
        np.testing.assert_allclose(robot.mass_matrix_inverse(q), free, rtol=0, atol=near * (1 + np.abs(free).max()))
        drive = robot.inverse_dynamics(q, qd, want)
        assert np.abs(drive[1:]).max() == 0
        np.testing.assert_allclose(free @ (drive - tau), 0, rtol=0, atol=100 * near)  # the same motion


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_machine_code_leaves_single_rows_to_other_equations(dtype):
    """Batches keep their other rows, bit for bit; wrenches, forces and derivatives go the same way."""
    robot, rng = bennett(0)
    q = np.array([np.array(robot.model.home), [np.pi, 0.0, -np.pi], way(robot, 3, 0.3)[-1]]).astype(dtype)
    qd, tau = np.zeros_like(q), rng.normal(size=q.shape).astype(dtype)
    made = robot.forward_dynamics(q, qd, tau)
    assert made.dtype == dtype
    for k in (0, 2):
        np.testing.assert_array_equal(made[k], robot.forward_dynamics(q[k], qd[k], tau[k]))
    near = 1e3 * np.finfo(dtype).eps * max(1.0, np.abs(made).max())  # a few dozen operations, condition 4
    single, pull = (q[1], qd[1], tau[1]), rng.normal(size=6).astype(dtype)
    want = dense(robot, q[1].astype(float))[1] @ (tau[1] - robot.bias_forces(*single[:2]))
    np.testing.assert_allclose(made[1], want, rtol=0, atol=near)
    pulled = robot.forward_dynamics(*single, external={"rod1": pull})
    J = robot.jacobian(q[1], "rod1", reference="body")
    np.testing.assert_allclose(pulled, robot.forward_dynamics(q[1], qd[1], tau[1] + J.T @ pull), rtol=0, atol=10 * near)
    np.testing.assert_allclose(robot.forward_dynamics_derivatives(*single).dtau, robot.mass_matrix_inverse(q[1]), rtol=0, atol=10 * near)  # fmt: skip
    assert np.isfinite(robot.constraint_forces(*single)).all() and np.isfinite(robot.impulse(*single[:2])).all()
    with pytest.raises(ordern.InputError, match="tau is nan"):
        robot.forward_dynamics(q, qd, tau * np.nan)


def test_change_points_beside_a_linkage_are_told():
    """A parallelogram that lies flat has no other equations to offer, whatever the linkage beside it has."""
    robot, _ = bennett(0)
    links, joints = [], []
    for name, above, x in (("left", "world", 0.0), ("right", "world", 1.0), ("beam", "left", 0.5)):
        links.append(LinkSpec(name, mass=1.0, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1, 0, 0, 0)))
        at = Placement(origin=(x, 0, 0))
        joints.append(JointSpec(name, "revolute", above, name, at, axis=(0, 0, 1)))
    tip = LoopSpec("tip", "revolute", "beam", "right", xyz1=(1, 0, 0), xyz2=(0.5, 0, 0), axis=(0, 0, 1))
    flat = build("flat", [LinkSpec("world"), *links], joints, loops=[tip], home=np.array([0.9, 0.9, -0.9]))
    both, lying = robot.attach(ordern.Robot(flat), "ground", prefix="flat_"), np.zeros(3)
    assert [loop.soft for loop in both.model.loops] == [True, False]
    regular, singular = np.array(robot.model.home), np.array([np.pi, 0.0, -np.pi])
    for theta, q in ((0.9, regular), (0.9, singular)):
        assert np.isfinite(both.forward_dynamics(np.append(q, [theta, theta, -theta]), *np.zeros((2, 6)))).all()
    for q in (regular, singular):
        with pytest.raises(ordern.SingularError, match="change point"):
            both.forward_dynamics(np.append(q, lying), *np.zeros((2, 6)))


@pytest.mark.parametrize("seed", range(examples(2, 12)))
@pytest.mark.parametrize("method", ["rk4", "symplectic", "dopri5"])
def test_runs_go_round(seed, method):
    """Through the configurations at which two equations are dependent: closed to rounding, with the energy of the method."""
    robot, _ = bennett(seed)
    q = np.array(robot.model.home)
    qd = robot.closed_velocity(q, np.array([6.0, 0.0, 0.0]))
    run = robot.simulate(
        q, 2 * qd, duration=2.0, method=method, output_dt=0.01, **({} if method == "dopri5" else {"dt": 2.5e-4})
    )
    assert np.ptp(run.q[:, 0]) > 2.5  # one of twelve swings
    assert np.abs(robot.constraint_residual(run.q)).max() < 4e-15
    # the method's own: rk4 in the fastest of twelve linkages 2e-9 (5e-7 at 1 ms), dopri5 at rtol 1e-8 over some hundred
    # steps; what rounding is felt as where two equations are dependent, 2e-10
    assert np.ptp(run.energy) < {"rk4": 5e-9, "symplectic": 1e-9, "dopri5": 1e-4}[method] * (
        1 + np.abs(run.energy).max()
    )


def test_what_follows_by_constant_factors_is_left_out():
    """Planar linkages keep two equations wherever their plane lies; only spare ones that change are carried along."""
    for name in ("fourbar", "threerrr", "delta", "stewart", "andrews", "fourbars"):
        assert not any(loop.soft or loop.spare for loop in ordern.load(name).model.loops), name
    loop = ordern.load("bricard").model.loops[0]
    assert (loop.kept, loop.spare, loop.soft) == ((0, 1, 2, 3), (4,), True)


def in_a_plane(bodies, base, mimic, loops, turned):
    """Hinges with parallel axes, in a plane that may be turned about in space; loops that keep their links in it."""
    rng, heavy = np.random.default_rng(bodies), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)
    plane = Placement.from_rpy((0.0, 0.0, 0.0), (0.3, 1.1, 2.0) if turned else (0.0, 0.0, 0.0))
    axis = tuple(np.reshape(plane.rotation, (3, 3))[:, 2])
    links, joints = [LinkSpec("l0", 1.0, (0.0, 0.0, 0.0), heavy)], []
    for k in range(1, bodies + 1):
        away = tuple(np.reshape(plane.rotation, (3, 3)) @ [*rng.uniform(-0.3, 0.3, 2), 0.0])
        follows = MimicSpec("j1", 0.7, 0.1) if mimic and k == 3 else None
        links.append(LinkSpec(f"l{k}", 0.7, tuple(rng.uniform(-0.1, 0.1, 3)), heavy))
        joints.append(JointSpec(f"j{k}", "revolute", f"l{k - 1}", f"l{k}", Placement(origin=away), axis, mimic=follows))
    ends = [LoopSpec(f"k{i}", "planar", "l0", f"l{bodies - i}", frame1=plane, frame2=plane) for i in range(loops)]
    return ordern.Robot(build("flat", links, joints, base=base, loops=ends))


@pytest.mark.parametrize(("bodies", "base"), [(4, "fixed"), (4, "floating"), (44, "fixed")])
@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_loops_that_say_nothing_change_nothing(bodies, base, mimic, turned):
    """A planar closure in its plane: all that it leaves is rounding, and with no other loop nothing larger beside it."""
    robot, tree = (in_a_plane(bodies, base, mimic, loops, turned) for loops in (2, 0))
    rng = np.random.default_rng(1)
    q = robot.integrate(robot.neutral(), rng.uniform(-0.3, 0.3, robot.n))
    v, tau = rng.normal(size=robot.n), rng.normal(size=robot.n)
    assert [loop.kept for loop in robot.model.loops] == [(), ()] and robot.mobility(q) == robot.n
    want = tree.forward_dynamics(q, v, tau)
    near = 1e-9 * np.abs(want).max()  # the mass matrix of 44 bodies in turn has a condition of 1e6
    for a in find("forward_dynamics"):
        if a.closed and a.refusal(robot.model) is None:
            made = robot.forward_dynamics(q, v, tau, method=a.method)
            np.testing.assert_allclose(made, want, rtol=0, atol=near, err_msg=a.method)
    for method in ("rk4", "symplectic", "dopri5", "LSODA") if bodies < 40 else ("rk4",)[mimic:]:
        steps = {"dt": 1e-3} if method in ("rk4", "symplectic") else {}
        options = {"duration": 2e-3, "method": method, "output_dt": 1e-3, "limits": False, **steps}
        made, other = (r.simulate(q, 0.1 * v, **options) for r in (robot, tree))
        np.testing.assert_allclose(made.q, other.q, rtol=0, atol=1e-9)
