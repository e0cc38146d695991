"""Second derivatives of inverse and forward dynamics: by recursion, or the analytical first ones differentiated along
every joint velocity.

The recursion (algorithms/second_order.py) is machine code that writes each number once, packed; arrays (..., n, n, n),
most of whose elements are zeros and copies, are laid out when they are asked for. It serves robots whose joints have
constant subspaces (revolute, prismatic, spherical, floating, ...); others are differentiated by their programs.

With ID(q, qd, qdd) = tau and qdd as a function of q, qd and tau, a second derivative of forward dynamics with respect
to x, then y, is

    qdd_xy = -M^-1 (ID_xy + ID_x,qdd qdd_y + dM/dy qdd_x),

since ID is linear in qdd [SRW23, Singh, Russell and Wensing, On second-order derivatives of rigid-body dynamics, 2023].
Derivatives with respect to q are along joint velocities; where a joint has a quaternion, turning about one axis and
then another is not the other way round, so [i, j, k] is along j first, and dq_dq is symmetric only between different
joints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.second_order import SECOND_ORDER
from ..model import Model
from ..model.paths import FreedomPaths
from ..runtime.call import Call
from ..runtime.memory import empty
from ..scalars.primitives import Array
from .differentiable import smooth
from .manifold import coordinate_rates
from .results import ForwardSecondDerivatives, InverseSecondDerivatives

if TYPE_CHECKING:
    from .robot_like import RobotLike

__all__ = ["forward_second", "inverse_second", "serves"]


def serves(model: Model) -> bool:
    """Whether the recursion holds: constant subspaces, springs that are linear, no mimic joints, no loops."""
    joints = [model.bodies[i] for i in model.free]
    linear = all(b.joint.plain or not b.stiffness for b in joints)
    return linear and all(b.joint.steady for b in joints) and not model.coupled and not model.loops and model.nv > 0


@lru_cache(64)
def _call(model: Model, links: tuple[int, ...]) -> tuple[Call, FreedomPaths]:
    return Call(model, SECOND_ORDER, (), links), FreedomPaths(model)


def inverse_second(
    robot: RobotLike, arrays: Sequence[Array], first: Sequence[Any], external: Sequence[str] = ()
) -> InverseSecondDerivatives:
    """The second derivatives of inverse dynamics beside the first; arrays (..., count) of one batch shape."""
    if serves(robot.model):
        call, paths = _call(robot.model, tuple(robot._link(name) for name in external))
        return InverseSecondDerivatives(
            first, packed=call([np.ascontiguousarray(a, float) for a in arrays]), paths=paths
        )
    return InverseSecondDerivatives(first, _of_first(robot, "inverse_dynamics_derivatives", arrays, external))


def _of_first(robot: RobotLike, quantity: str, arrays: Sequence[Array], external: Sequence[str]) -> tuple[Array, ...]:
    """The second derivatives as derivatives of the first: dq_dq, dqd_dqd, dq_dqd and dq_dqdd (or dq_dtau)."""
    batch = arrays[0].shape[:-1]
    rows = [np.ascontiguousarray(a, float).reshape(math.prod(batch), a.shape[-1]) for a in arrays]
    n, count = robot.n, len(rows[0])
    slopes = smooth(robot, quantity, None, None, tuple(external))
    names = list(slopes.inputs)
    spread = [np.repeat(a, n, axis=0) for a in rows]
    units = np.tile(np.eye(n), (count, 1))
    by_q = slopes.jvp(names[:1]).run([*spread, coordinate_rates(robot.model, spread[0], units)])
    by_qd = slopes.jvp(names[1:2]).run([*spread, units])[1]
    # [i, j, k]: element (i, j), direction k
    last = [np.moveaxis(a.reshape(*batch, n, n, n), -3, -1) for a in (*by_q, by_qd)]
    dq_dq, dqd_dq, dlast_dq, dqd_dqd = (np.ascontiguousarray(a) for a in last)
    dq_dqd, dq_dlast = (np.ascontiguousarray(np.swapaxes(a, -1, -2)) for a in (dqd_dq, dlast_dq))
    return dq_dq, dqd_dqd, dq_dqd, dq_dlast


# elements of an array (states, n, n, n) that are worked on at a time: what lies in the caches is not fetched again
_CHUNK = 2**18


def forward_second(
    robot: RobotLike, arrays: Sequence[Array], first: Sequence[Array], qdd: Array, external: Sequence[str] = ()
) -> ForwardSecondDerivatives:
    """All first and second derivatives of forward dynamics, from those of inverse dynamics at its accelerations; with
    loops, where inverse dynamics has the drives' forces only, from its own first ones.
    """
    if robot.model.loops:
        own = _of_first(robot, "forward_dynamics_derivatives", arrays, external)
        return ForwardSecondDerivatives(*first, *own)
    batch, n = qdd.shape[:-1], robot.n
    count = math.prod(batch)
    rows = [
        np.ascontiguousarray(a, float).reshape(count, a.shape[-1]) for a in (arrays[0], arrays[1], qdd, *arrays[3:])
    ]
    slopes = [np.asarray(a).reshape(count, n, n) for a in first]
    made = [empty((count, n, n, n), "float64") for _ in range(4)]
    at_once = max(1, _CHUNK // max(1, n**3))
    for start in range(0, count, at_once):
        part = slice(start, start + at_once)
        # only the second ones are wanted
        d = inverse_second(robot, [a[part] for a in rows], (None, None, None), external)
        dq, dqd, N = (a[part] for a in slopes)
        dM = d.dq_dqdd
        turning = dM @ dq[:, None]  # dM/dq_j times how the accelerations change: [i, j, k]
        terms = (
            d.dq_dq + turning + np.swapaxes(turning, -1, -2),
            d.dqd_dqd,
            d.dq_dqd + dM @ dqd[:, None],
            dM @ N[:, None],
        )
        for out, total in zip(made, terms, strict=True):
            np.matmul(-N, total.reshape(-1, n, n * n), out=out[part].reshape(-1, n, n * n))
    return ForwardSecondDerivatives(*first, *(a.reshape(*batch, n, n, n) for a in made))
