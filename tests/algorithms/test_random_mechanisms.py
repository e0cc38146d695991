"""Random mechanisms, in a plane that lies anyhow in space or all over it: rank and motion against dense matrices of all equations of all loops."""

import numpy as np
import pytest

import ordern
from budget import TRUST, examples
from ordern.algorithms.registry import choose, find
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ordern.describe.loops import passive
from ordern.model import Placement
from ordern.runtime.numbers import numbers
from spanning import Spanning

EPS = np.finfo(float).eps
FLAT = ["revolute", "point", "distance", "cylindrical"]
SPATIAL = [*FLAT, "prismatic", "universal", "planar", "spherical", "fixed"]


def by_numbers(model, quantity, method, *arrays):
    """The text on arrays, without machine code."""
    return numbers(choose(quantity, method, model), model)(*arrays)


def turn(axis, angle):
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def placed(R, p):
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = R, p
    return Placement.from_matrix(made)


def tree(seed, flat, bodies, mimic, springs):
    """Links and joints of a random tree; a flat one turns and slides in one plane, which all of its frames are turned about."""
    rng = np.random.default_rng(seed)
    plane = turn(rng.normal(size=3), 2.0)
    links, joints, axis = [LinkSpec("l0")], [], plane[:, 2]
    for k in range(1, bodies + 1):
        kind = str(
            rng.choice(
                ["revolute", "revolute", "prismatic"] if flat else ["revolute", "revolute", "universal", "spherical"]
            )
        )
        kind = "revolute" if mimic and k in (1, 3) else kind
        links.append(
            LinkSpec(f"l{k}", rng.uniform(0.5, 2.0), rng.uniform(-0.1, 0.1, 3), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002))
        )
        at, R, along = rng.uniform(-0.4, 0.4, 3), turn(rng.normal(size=3), 1.0), rng.normal(size=3)
        if flat:
            at, R = plane @ [at[0], at[1], 0.0], turn(axis, rng.uniform(-1, 1))
            along = axis if kind == "revolute" else plane @ [np.cos(k), np.sin(k), 0.0]
        follows = MimicSpec("j1", 0.7, 0.1) if mimic and k == 3 else None
        parent = f"l{k - 1 if rng.random() < 0.6 else rng.integers(0, k)}"
        given = {} if kind == "spherical" else {"axis": along}
        if kind == "universal":
            given["axis2"] = np.cross(along, plane[:, 0])
        if springs and kind in ("revolute", "prismatic"):
            given |= {"stiffness": 3.0 + k, "springref": 0.1 * k}
        joints.append(JointSpec(f"j{k}", kind, parent, f"l{k}", placed(R, at), mimic=follows, **given))
    return rng, plane, links, joints


def mechanism(seed, flat, bodies=7, mimic=False, springs=False, most=3, locked=False):
    """A robot with loops that close at the coordinates that are returned with it, and leave some motion unless it may be locked."""
    rng, plane, links, joints = tree(seed, flat, bodies, mimic, springs)
    open_one = ordern.Robot(build("tree", links, joints))
    q = open_one.integrate(open_one.neutral(), rng.uniform(-0.5, 0.5, open_one.n))
    poses = dict(zip(open_one.link_names, by_numbers(open_one.model, "forward_kinematics", None, q), strict=True))
    loops, model = [], open_one.model
    for _ in range(12):
        one, two = rng.choice(len(links), 2, replace=False)
        kind, x, R = (
            str(rng.choice(FLAT if flat else SPATIAL)),
            rng.uniform(-0.1, 0.1, 3),
            turn(rng.normal(size=3), 1.0),
        )
        normal, away = rng.normal(size=3), rng.uniform(-0.3, 0.3, 3)
        if flat:
            x, away = plane @ [x[0], x[1], 0.0], plane @ [away[0], away[1], 0.0]
            R, normal = turn(plane[:, 2], 9 * x[2]) @ plane, np.array([0.0, 0.0, 1.0])  # z is normal to the plane
        frame = poses[f"l{one}"] @ np.vstack([np.column_stack([R, x]), [0, 0, 0, 1]])
        second = frame.copy()  # frame 2 where the closure lets it be
        if kind == "distance":
            second[:3, 3] += away
        if kind in ("revolute", "cylindrical", "planar"):
            second[:3, :3] = frame[:3, :3] @ turn(normal, 0.7)
        if kind in ("spherical", "point"):
            second[:3, :3] = frame[:3, :3] @ turn(rng.normal(size=3), 0.7)
        second = np.linalg.inv(poses[f"l{two}"]) @ second
        more = {"axis": normal} if kind in ("revolute", "cylindrical", "planar", "prismatic") else {}
        more |= {"length": float(np.linalg.norm(away))} if kind == "distance" else {}
        frames = {"frame1": placed(R, x), "frame2": placed(second[:3, :3], second[:3, 3])}
        try:
            made = build(
                "m",
                links,
                joints,
                loops=[*loops, LoopSpec(f"k{len(loops)}", kind, f"l{one}", f"l{two}", **frames, **more)],
                home=q,
            )
        except ordern.ModelError:  # both links on one body
            continue
        if locked or sum(len(loop.kept) for loop in made.loops) < made.nv:
            model, loops = made, [*loops, LoopSpec(f"k{len(loops)}", kind, f"l{one}", f"l{two}", **frames, **more)]
        if len(loops) == most:
            break
    return ordern.Robot(model), open_one.model, q, rng


def reference(robot, tree, q, rng):
    """A state near the closed one, the rank of all equations there, and the motion by dense matrices: M qdd = tau - h + A^T f, A qdd = -b."""
    A = by_numbers(robot.model, "constraint_jacobian", None, q)
    size, V = np.linalg.svd(A)[1:]
    rank = int(np.sum(size > 1e-8 * size[0]))
    v, tau = V[rank:].T @ rng.normal(size=len(V) - rank), rng.normal(size=len(V))
    M, h = by_numbers(tree, "mass_matrix", None, q), by_numbers(tree, "bias_forces", None, q, v)
    b = by_numbers(robot.model, "constraint_bias", None, q, v)
    L = np.linalg.inv(np.linalg.cholesky(M))
    free = L.T @ (L @ (tau - h))
    qdd = free - L.T @ (np.linalg.pinv(A @ L.T, rcond=1e-8) @ (A @ free + b))
    return (q, v, tau), rank, qdd, size[rank - 1] / size[0]


@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_rank_and_motion_are_those_of_all_equations(seed, flat, mimic):
    """Frames that are turned in the plane of a mechanism leave dust of 1e-17 in equations that say nothing: these are not kept."""
    robot, tree, q, rng = mechanism(seed + 100 * mimic, flat, mimic=mimic)
    if not robot.loops:
        return
    state, rank, qdd, far = reference(robot, tree, q, rng)
    assert sum(len(loop.kept) for loop in robot.model.loops) == rank
    methods = [a.method for a in find("forward_dynamics") if a.closed and a.refusal(robot.model) is None]
    assert "kkt" in methods
    for method in methods:
        made = by_numbers(robot.model, "forward_dynamics", method, *state)
        # 1e5: condition numbers of the mass matrices, squared that of the loops
        np.testing.assert_allclose(made, qdd, rtol=0, atol=1e5 * EPS / far**2 * max(1.0, np.abs(qdd).max()))


@pytest.mark.parametrize("seed", range(examples(12, 300)))
def test_mechanisms_with_any_drives_that_may_be_locked(seed):
    """More closures than needed, often so many that nothing moves, and drives anywhere: all that is solved with them, by dense matrices.

    Of 424 such mechanisms by hand the worst was 9e-13, times the condition of the loops squared: A M^-1 A^T is what is factored.
    """
    pick = np.random.default_rng(seed)
    robot, tree, q, rng = mechanism(seed + 900, bool(seed % 2), 5, seed % 4 == 3, most=1 + seed % 6, locked=True)
    drives = [robot.model.bodies[i].name for i in robot.model.free if pick.random() < 0.6]
    model = robot.model.changed(actuated=tuple(drives))
    model = model.changed(passive=passive(model, q))
    (_, v, tau), rank, qdd, far = reference(robot, tree, q, rng)
    A, M, driven = (
        by_numbers(model, "constraint_jacobian", None, q),
        by_numbers(tree, "mass_matrix", None, q),
        model.driven,
    )
    assert rank == sum(len(loop.kept) for loop in model.loops) == len(tau) - robot.mobility(q)
    N, h = np.linalg.svd(A)[2][rank:], by_numbers(tree, "bias_forces", None, q, v)
    P = N.T @ np.linalg.solve(N @ M @ N.T, N)  # M^-1 on what the loops leave free
    near, free = 5e-12 / far**2, np.linalg.solve(M, tau - h)

    def same(made, want, size):
        np.testing.assert_allclose(made, want, rtol=0, atol=near * max(1.0, np.abs(size).max()))

    for method in [a.method for a in find("forward_dynamics") if a.closed and a.refusal(model) is None]:
        same(by_numbers(model, "forward_dynamics", method, q, v, tau), qdd, free)
    same(by_numbers(model, "mass_matrix_inverse", None, q), P, np.linalg.inv(M))
    same(by_numbers(model, "impulse", None, q, tau), P @ M @ tau, tau)
    reached = qdd - P @ (tau * (1 - np.array(driven, float)))  # by the drives alone
    wanted = M @ reached + h
    made, D = by_numbers(model, "inverse_dynamics", None, q, v, reached), N * driven
    size = np.linalg.svd(D)[1]
    if not len(N) or size.max(initial=0.0) < 1e-9 or (size > 1e-2).all():  # drives that do nothing, or all of it
        want = np.linalg.pinv(D, rcond=1e-2) @ (N @ wanted) if len(N) and size.max() > 1e-9 else 0 * tau
        same(made, want, 1e4 * wanted)  # the drives' part has such a condition at most, squared
    assert not made[~np.array(driven)].any()


@pytest.mark.parametrize("springs", [False, True])
@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize("seed", [1, 3])
def test_derivatives_with_springs_and_joints_that_follow_others(seed, mimic, springs):
    """By differences; the springs pull with the coordinates along which is differentiated."""
    robot, tree, q, rng = mechanism(seed + 100 * mimic, False, 5, mimic, springs)
    (q, v, tau), _, qdd, far = reference(robot, tree, q, rng)
    assert robot.loops and far > 1e-3 and robot.model.coupled == mimic and bool(robot.model.springs) == springs
    h = 1e-6
    for quantity, last in (("forward_dynamics", tau), ("inverse_dynamics", qdd)):
        for method in [
            a.method for a in find(f"{quantity}_derivatives") if a.closed and a.refusal(robot.model) is None
        ]:
            made = by_numbers(robot.model, f"{quantity}_derivatives", method, q, v, last)
            for k, e in enumerate(h * np.eye(robot.n)):
                sides = [
                    ((robot.integrate(q, s * e), v, last), (q, v + s * e, last), (q, v, last + s * e)) for s in (1, -1)
                ]
                for matrix, ahead, behind in zip(made, *sides, strict=True):
                    ends = [by_numbers(robot.model, quantity, None, *state) for state in (ahead, behind)]
                    slope = (ends[0] - ends[1]) / (2 * h)
                    # eps / h of what is subtracted, condition numbers of mass matrix and loops with it
                    np.testing.assert_allclose(
                        matrix[:, k],
                        slope,
                        rtol=0,
                        atol=1e-7 / far**2 * max(1.0, np.abs(qdd).max(), np.abs(slope).max()),
                    )


@pytest.mark.parametrize("mimic", [False, True])
@pytest.mark.parametrize(("bodies", "seed"), [(24, 1), *((n, k) for n in (30, 45, 60) for k in range(6) if TRUST)])
def test_large_mechanisms_by_other_means(bodies, seed, mimic):
    """M and h of Pinocchio, closures as functions of its frames: nothing of it is ours."""
    robot, _, q, rng = mechanism(seed + 500, False, bodies, mimic)
    other = Spanning(pytest.importorskip("pinocchio"), robot)
    A = other.equations(q)
    size, V = np.linalg.svd(A)[1:]
    rank = int(np.sum(size > 1e-7 * size[0]))
    assert len(robot.loops) == 3 and sum(len(loop.kept) for loop in robot.model.loops) == rank
    v, tau = V[rank:].T @ rng.normal(size=len(V) - rank), rng.normal(size=len(V))
    wanted = other.motion(q, v, tau, A)
    # 1e-9: differences of sixth order have lost so much; squared the condition number of the loops
    near = 1e-9 * (size[0] / size[rank - 1]) ** 2 * max(1.0, np.abs(wanted).max())
    for method in [a.method for a in find("forward_dynamics") if a.closed and a.refusal(robot.model) is None]:
        np.testing.assert_allclose(
            by_numbers(robot.model, "forward_dynamics", method, q, v, tau), wanted, rtol=0, atol=near
        )
