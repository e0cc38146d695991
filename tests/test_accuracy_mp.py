"""Errors against 50 digits: the same text on mpmath's numbers, and a plain Lagrangian formulation that shares no line with it.

Inverse dynamics, mass matrices and energies in eps of the largest element; what solves with M in eps times the condition of M. Pinocchio's errors
stand beside ours in the same run. With ORDERN_TRUST=1 to 100 joints.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pinocchio as pin
import pytest

import ordern
import robots
from budget import TRUST
from ordern.algorithms.registry import all_algorithms, choose
from ordern.program.build import prepared
from ordern.runtime.call import static_options
from ordern.runtime.numbers import numbers
from twins import twin

LENGTHS = (6, 12, 30, 100) if TRUST else (6, 9)
SLOW = ("fixman",)
SOLVING = (
    "forward_dynamics",
    "mass_matrix_inverse",
    "mass_matrix_udu",
    "forward_dynamics_derivatives",
    "operational_mobility",
    "log_det_gradient",
)
SKIPPED = ("constraint", "loop", "joint_wrenches", "second")  # other inputs, or other robots


def chain(count):
    return robots.serial(("RRPRRR" * count)[:count], 4, armature=False)


def state(model):
    """In numbers that single precision has too."""
    return [np.asarray(a, np.float32).astype(float) for a in robots.state(model, np.random.default_rng(0))]


def exact(a, model, arrays, options):
    from ordern.evaluate.exact import evaluate

    made = evaluate(a, model, arrays, "mpmath", 50, options)
    return made if isinstance(made, tuple) else (made,)


def error(made, want):
    """The largest difference over the largest element."""
    want = np.asarray(want, dtype=object)
    scale = max(abs(e) for e in want.ravel()) or 1
    return max(float(abs(mpmath.mpf(float(x)) - w) / scale) for x, w in zip(np.ravel(made), want.ravel(), strict=True))


def theirs(model, q, qd, qdd, tau):
    """Pinocchio's answers; it has double precision only."""
    other, offsets = twin(model)
    data, at = other.createData(), q + offsets
    M, inverse = pin.crba(other, data, at).copy(), pin.computeMinverse(other, data, at).copy()
    return {
        "inverse_dynamics": pin.rnea(other, data, at, qd, qdd).copy(),
        "forward_dynamics": pin.aba(other, data, at, qd, tau).copy(),
        "mass_matrix": np.triu(M) + np.triu(M, 1).T,
        "mass_matrix_inverse": np.triu(inverse) + np.triu(inverse, 1).T,
        "gravity_forces": pin.computeGeneralizedGravity(other, data, at).copy(),
        "bias_forces": pin.nonLinearEffects(other, data, at, qd).copy(),
        "kinetic_energy": pin.computeKineticEnergy(other, data, at, qd),
    }


@pytest.mark.parametrize("count", LENGTHS)
def test_every_method_against_fifty_digits(count, capsys):
    """In both precisions; beside Pinocchio the method that is chosen by default errs at most four times as much, or by less than 4 sqrt(n) eps."""
    model = chain(count)
    q, qd, qdd, tau = state(model)
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    cond = np.linalg.cond(ordern.Robot(model).mass_matrix(q))
    peer, reference, table = theirs(model, q, qd, qdd, tau), {}, []
    for a in all_algorithms():
        if a.refusal(model) or a.quantity.startswith(SKIPPED) or any(name not in given for name in a.inputs):
            continue
        if count > 12 and (a.quantity == "regressor" or a.quantity.endswith("derivatives") or a.method in SLOW):
            continue  # minutes in 50 digits
        options, arrays = static_options(a, model, None), [given[name] for name in a.inputs]
        key = (a.quantity, a.method if a.quantity in ("coriolis_matrix", "mass_matrix_udu") else "")
        if key not in reference:
            reference[key] = exact(a, model, arrays, options)
        solving, row = a.quantity in SOLVING, [a.name]
        for dtype in ("float64", "float32"):
            eps = np.finfo(dtype).eps
            if solving and cond * eps > 0.01:  # no digits left for such a mass matrix
                row.append(np.nan)
                continue
            made = numbers(a, prepared(a, model), options)(*(x.astype(dtype) for x in arrays))
            # roundings add up along the chain; Fixman's method inverts bodies one by one, which has a condition of its own
            bound = 4 * count * (cond * (1e3 if a.method.startswith("fixman") else 1) if solving else 8)
            worst = (
                max(
                    error(x, want)
                    for x, want in zip(made if isinstance(made, tuple) else (made,), reference[key], strict=True)
                )
                / eps
            )
            assert worst <= bound, (a.name, dtype, worst, cond)
            row.append(worst)
        other = error(peer[a.quantity], reference[key][0]) / np.finfo(float).eps if a.quantity in peer else np.nan
        if a.name == choose(a.quantity, None, model).name and a.quantity in peer:
            assert row[1] <= max(4 * other, 4 * np.sqrt(count) * (cond if solving else 1)), (a.name, row[1], other)
        table.append((*row, other))
    if TRUST:
        with capsys.disabled():
            print(f"\n{count} joints, condition {cond:.1e}: errors in eps of double, of single precision, of Pinocchio")
            for name, *row in table:
                print(f"  {name:45}" + "".join(f"{x:12.1f}" if x == x else f"{'':12}" for x in row))


def test_a_plain_lagrangian_formulation_agrees_to_forty_digits():
    """M from Jacobians of mass centres, C from Christoffel's symbols of M by differences in 90 digits, g from the potential: no recursion."""
    model = robots.serial("RPRR", 2, armature=False)
    q, qd, qdd, _ = state(model)
    with mpmath.workdps(90):
        q, qd, qdd = ([mpmath.mpf(float(x)) for x in a] for a in (q, qd, qdd))
        n, h = len(q), mpmath.mpf(10) ** -30
        shifted = [[[x + (h * s if i == k else 0) for i, x in enumerate(q)] for s in (1, -1)] for k in range(n)]
        M, _ = mass_and_potential(model, q)
        slopes = [[mass_and_potential(model, at) for at in pair] for pair in shifted]
        dM = [(up[0] - down[0]) / (2 * h) for up, down in slopes]
        tau = []
        for i in range(n):
            total = (slopes[i][0][1] - slopes[i][1][1]) / (2 * h) + sum(M[i, j] * qdd[j] for j in range(n))
            total += sum((dM[k][i, j] - dM[i][j, k] / 2) * qd[j] * qd[k] for j in range(n) for k in range(n))
            tau.append(total)
    robot = ordern.Robot(model)
    mine = robot.evaluate("inverse_dynamics", q, qd, qdd, precision=60)
    assert (
        max(abs(a - b) for a, b in zip(mine, tau, strict=True)) < mpmath.mpf(10) ** -13
    )  # rotations are the floats' rational neighbours
    inertia = robot.evaluate("mass_matrix", q, precision=60)
    assert max(abs(inertia[i, j] - M[i, j]) for i in range(n) for j in range(n)) < mpmath.mpf(10) ** -13
    made = robot.inverse_dynamics(*(np.array([float(x) for x in a]) for a in (q, qd, qdd)))
    assert error(made, np.array(tau, dtype=object)) < 64 * np.finfo(float).eps


def mass_and_potential(model, q):
    """M(q) and V(q) of a chain of hinges and slides, from poses alone."""
    n, T, axes = len(q), mpmath.eye(4), []
    M, V = mpmath.zeros(n), mpmath.mpf(0)
    for i, body in enumerate(model.bodies[1:]):
        T = T * mpmath.matrix(body.placement.matrix().tolist())
        offset = mpmath.mpf(body.joint.constants[0])
        c, s = mpmath.cos(q[i] + offset), mpmath.sin(q[i] + offset)
        turning = body.joint.name == "revolute"
        axes.append((turning, T[:3, 2], T[:3, 3]))
        step = mpmath.eye(4)
        if turning:
            step[0, 0], step[0, 1], step[1, 0], step[1, 1] = c, -s, s, c
        else:
            step[2, 3] = q[i] + offset
        T = T * step
        com = T * mpmath.matrix([*body.inertia.com, 1])
        R, p = T[:3, :3], com[:3]
        xx, yy, zz, xy, xz, yz = body.inertia.about_com()
        I = R * mpmath.matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) * R.T
        Jv = [cross(z, p - o) if turns else z for turns, z, o in axes]
        Jw = [z if turns else mpmath.zeros(3, 1) for turns, z, _ in axes]
        for a in range(len(axes)):
            for b in range(len(axes)):
                M[a, b] += body.inertia.m * (Jv[a].T * Jv[b])[0] + (Jw[a].T * I * Jw[b])[0]
        V -= body.inertia.m * sum(mpmath.mpf(g) * x for g, x in zip(model.gravity, p, strict=True))
    return M, V


def cross(a, b):
    return mpmath.matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
