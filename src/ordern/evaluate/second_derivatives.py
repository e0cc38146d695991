"""Second derivatives of inverse and forward dynamics: by recursion, or the analytical first ones differentiated along every joint velocity.

The recursion (second_recursion.py) serves robots of single joints, floating and spherical ones; others are differentiated by their programs.

With ID(q, qd, qdd) = tau and qdd as a function of q, qd and tau, a second derivative of forward dynamics with respect to x, then y, is

    qdd_xy = -M^-1 (ID_xy + ID_x,qdd qdd_y + dM/dy qdd_x),

since ID is linear in qdd [SRW23, Singh, Russell and Wensing, On second-order derivatives of rigid-body dynamics, 2023]. Derivatives with respect to q
are along joint velocities; where a joint has a quaternion, turning about one axis and then another is not the other way round, so
[i, j, k] is along j first, and dq_dq is symmetric only between different joints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .differentiable import smooth, tangents
from .results import ForwardSecondDerivatives, InverseSecondDerivatives
from .second_recursion import recursive_second, serves

__all__ = ["forward_second", "inverse_second"]

Array = Any


def inverse_second(robot: Any, arrays: Sequence[Array], external: Sequence[str] = ()) -> InverseSecondDerivatives:
    """All first and second derivatives of inverse dynamics; arrays (..., count) of one batch shape."""
    batch = arrays[0].shape[:-1]
    if serves(robot.model):
        wrenches = dict(zip(external, arrays[3:], strict=True)) or None
        links = tuple(robot._link(name) for name in external)
        return recursive_second(robot, arrays, robot.inverse_dynamics_derivatives(*arrays[:3], external=wrenches), links)
    rows = [np.ascontiguousarray(a, float).reshape(math.prod(batch), a.shape[-1]) for a in arrays]
    n, count = robot.n, len(rows[0])
    first = smooth(robot, "inverse_dynamics_derivatives", None, None, tuple(external))
    names = list(first.inputs)
    dq, dqd, dqdd = first.run(rows)
    spread = [np.repeat(a, n, axis=0) for a in rows]
    along = np.swapaxes(tangents(robot.model).run([rows[0]])[0].reshape(count, robot.nq, n), 1, 2).reshape(count * n, robot.nq)
    by_q = first.jvp(names[:1]).run([*spread, along])
    by_qd = first.jvp(names[1:2]).run([*spread, np.tile(np.eye(n), (count, 1))])[1]
    last = [np.moveaxis(a.reshape(*batch, n, n, n), -3, -1) for a in (*by_q, by_qd)]  # [i, j, k]: element (i, j), direction k
    dq, dqd, dqdd = (a.reshape(*batch, n, n) for a in (dq, dqd, dqdd))
    dq_dq, dqd_dq, dqdd_dq, dqd_dqd = (np.ascontiguousarray(a) for a in last)
    dq_dqd, dq_dqdd = (np.ascontiguousarray(np.swapaxes(a, -1, -2)) for a in (dqd_dq, dqdd_dq))
    return InverseSecondDerivatives(dq, dqd, dqdd, dq_dq, dqd_dqd, dq_dqd, dq_dqdd)


def forward_second(robot: Any, arrays: Sequence[Array], first: Sequence[Array], qdd: Array, external: Sequence[str] = ()) -> ForwardSecondDerivatives:
    """All first and second derivatives of forward dynamics, from those of inverse dynamics at its accelerations."""
    d = inverse_second(robot, [arrays[0], arrays[1], qdd, *arrays[3:]], external)
    dq, dqd, N = first

    def solved(total: Array) -> Array:
        return -np.einsum("...il,...ljk->...ijk", N, total)

    def through(slope: Array) -> Array:
        """dM/dq_j times how the accelerations change: [i, j, k]."""
        return np.einsum("...ijl,...lk->...ijk", d.dq_dqdd, slope)

    qq = solved(d.dq_dq + through(dq) + np.swapaxes(through(dq), -1, -2))
    qv = solved(d.dq_dqd + through(dqd))
    qt = solved(through(N))
    return ForwardSecondDerivatives(dq, dqd, N, qq, solved(d.dqd_dqd), qv, qt)
