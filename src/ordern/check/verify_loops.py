"""Verify closed chains: methods against each other, loops that stay closed, drives, power."""

from __future__ import annotations

import numpy as np

from ..algorithms.registry import choose, find
from ..errors import InputError
from ..model.closures import count
from ..robot import Robot
from ..runtime.numbers import numbers
from ..scalars.primitives import Array

__all__ = ["closed_rows"]

EPS = float(np.finfo(float).eps)
Row = tuple[str, str, float]  # group, what, error in units of rounding


def closed_rows(robot: Robot, states: int, seed: int) -> tuple[list[Row], float]:
    """Errors over random closed states, in units of rounding times the condition number, and that."""
    rng, model = np.random.default_rng(seed), robot.model
    found = robot.assemble(robot.integrate(np.array(model.home), 0.2 * rng.standard_normal((states, robot.n))))
    q = found.q[found.success]
    if not len(q):
        raise InputError(f"robot {robot.name!r}: no closed configuration was found near its home; see ordern lint")
    qd = robot.closed_velocity(q, rng.standard_normal((len(q), robot.n)))
    tau = rng.standard_normal((len(q), robot.n))
    M, A, bias = robot.mass_matrix(q), robot.constraint_jacobian(q), robot.constraint_bias(q, qd)
    kept, at = list[int](), 0
    for loop in model.loops:
        kept += [at + k for k in loop.kept]
        at += count(loop.kind)
    B = A[:, kept] @ np.linalg.solve(M, np.swapaxes(A[:, kept], 1, 2))
    unit = np.linalg.cond(M) + np.linalg.cond(B)

    def off(error: Array, size: Array) -> float:
        worst = np.abs(error).reshape(len(q), -1).max(axis=1) / (
            EPS * unit * np.maximum(np.abs(size).reshape(len(q), -1).max(axis=1), 1e-300)
        )
        return float(worst.max())

    rows: list[Row] = [
        ("loops", "residual of assembled states (m, rad) / eps", float(found.residual[found.success].max() / EPS))
    ]
    first = numbers(choose("forward_dynamics", "kkt", model), model)(q, qd, tau)
    others = [a for a in find("forward_dynamics") if a.refusal(model) is None and a.method != "kkt"]
    rows += [
        ("forward_dynamics", f"{a.method} = kkt", off(numbers(a, model)(q, qd, tau) - first, first)) for a in others
    ]
    qdd = robot.forward_dynamics(q, qd, tau)
    rows.append(("forward_dynamics", "compiled = kkt", off(qdd - first, first)))
    rows.append(
        ("loops", "A qdd + dA/dt qd = 0", off(np.einsum("bij,bj->bi", A, qdd) + bias, np.abs(A).max() * np.abs(qdd)))
    )
    drives = numbers(choose("inverse_dynamics", "kkt", model), model)(q, qd, qdd)
    rest = numbers(choose("unreachable_forces", "kkt", model), model)(q, qd, qdd)
    if np.abs(rest).max() < 1e-9 * (1 + np.abs(drives).max()):
        rows.append(
            ("inverse_dynamics", "drives bring the motion about", off(robot.forward_dynamics(q, qd, drives) - qdd, qdd))
        )
    power = np.einsum("bi,bij,bj->b", qd, M, qdd) + np.einsum("bi,bi->b", qd, robot.bias_forces(q, qd) - tau)
    rows.append(
        (
            "loops",
            "loops do no work",
            off(power[:, None], np.einsum("bi,bij,bj->b", abs(qd), abs(M), abs(qdd))[:, None]),
        )
    )
    inverse = numbers(choose("mass_matrix_inverse", "kkt", model), model)(q)
    change = qdd - robot.forward_dynamics(q, qd, 0 * tau)
    rows.append(
        (
            "mass_matrix_inverse",
            "inverse times tau = change of qdd",
            off(np.einsum("bij,bj->bi", inverse, tau) - change, qdd),
        )
    )
    return rows, float(unit.max())
