"""Coordinates on the joint manifold, for arrays: neutral, random, integrate, difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, ShapeError
from ..model import Model
from ..runtime.array_inputs import as_array, by_name
from ..runtime.call import coordinate_names
from ..runtime.memory import empty
from ..scalars.primitives import Array, Lane
from ..spatial.joint_space import JointVector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "bounds", "common_batch", "coordinate_rates", "difference", "integrate", "joint_velocities", "named", "neutral",
    "random", "states_given", "unit_quaternions", "velocity_weights",
]  # fmt: skip


def neutral(model: Model) -> Array:
    """Where all loops are closed; of trees the state called "neutral", else zero coordinates and unit quaternions."""
    if model.home:
        return np.array(model.home, float)
    for state in model.states:
        if state.name == "neutral":
            return np.array(state.q, float)
    return np.array([x for i in model.free for x in model.bodies[i].joint.neutral], float)


def bounds(model: Model) -> tuple[Array, Array]:
    """Lower and upper limits of every degree of freedom, (n,) each, those of the joints that mimic it included."""
    lower, upper = model.per_velocity("lower", -np.inf), model.per_velocity("upper", np.inf)
    for body, (_, at) in zip(model.bodies, model.offsets, strict=True):
        if body.mimic is not None and body.mimic.ratio:
            ends = [
                (end - body.mimic.offset) / body.mimic.ratio
                for end in ((body.lower or (-np.inf,))[0], (body.upper or (np.inf,))[0])
            ]
            lower[at], upper[at] = max(lower[at], min(ends)), min(upper[at], max(ends))
    return lower, upper


def random(model: Model, rng: Any, batch: int | Sequence[int]) -> Array:
    """Uniform within the limits (a turn or a metre each way where there are none)."""
    if isinstance(rng, (list, tuple)) and not all(isinstance(k, Integral) for k in rng):
        raise InputError("rng must be a numpy random generator or a seed: a whole number, or several in one list")
    try:
        generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(f"rng must be a numpy random generator or a seed, got {rng!r}") from None
    given: tuple[Any, ...] = (
        (batch,) if isinstance(batch, Integral) else tuple(batch) if isinstance(batch, Sequence) else (None,)
    )
    if not all(isinstance(k, Integral) and not isinstance(k, bool) and 0 <= int(k) < 2**40 for k in given):
        raise InputError(f"batch must be a count or a shape, got {batch!r}")
    shape = tuple(map(int, given))
    empty((*shape, model.nq), "float64")  # says so if there is no memory for them
    parts, (lower, upper) = [], bounds(model)
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][1]
        own = slice(at, at + joint.nv)
        parts.append(joint.random(generator, shape, lower[own], upper[own]))
    return np.concatenate(parts, axis=-1) if parts else np.empty((*shape, 0))


def named(model: Model, name: str, value: object, kind: str | None = None) -> Any:
    """An argument whose columns, where they have names, are put into the robot's order; kind is "q" or "v"."""
    return by_name(name, value, coordinate_names(model, kind or ("q" if name in ("q", "q0", "q1") else "v")))


def states_given(name: str, value: object, model: Model, kind: str) -> Array:
    """A float64 or float32 array (..., count); errors name the argument, and the joint if not finite."""
    array, count = as_array(name, value), model.nq if kind == "q" else model.nv
    if array.shape[-1:] != (count,):
        raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {array.shape}")
    array = array.astype(np.float32 if array.dtype == np.float32 else float, copy=False)
    if not np.isfinite(array).all():
        at = np.unravel_index(int(np.argmin(np.isfinite(array))), array.shape)
        raise InputError(
            f"{name} is {array[at]} for joint {coordinate_names(model, kind)[at[-1]]!r}; every number must be finite"
        )
    if kind == "q":
        _some_quaternions(model, name, array)
    return array


def common_batch(names: Iterable[str], arrays: Sequence[Array]) -> tuple[int, ...]:
    """The shape that the leading axes of (..., count) arrays broadcast to; errors name the arrays."""
    try:
        return np.broadcast_shapes(*(a.shape[:-1] for a in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(names, arrays, strict=True))
        raise ShapeError(
            f"the batch axes do not fit together: {shapes}; all but the last axis must broadcast"
        ) from None


def unit_quaternions(model: Model, name: str, q: Array, off: float = 1e-3) -> Array:
    """Coordinates (..., nq) with unit quaternions; a length that is off by more than rounding is refused."""
    if model.plain:
        return q
    q = np.array(q)
    for i in model.free:
        joint, start = model.bodies[i].joint, model.offsets[i][0]
        if joint.plain:
            continue
        own = slice(start, start + joint.nq)
        length = joint.length(q[..., own])
        if np.any(np.abs(length - 1) > off):
            worst = float(length.flat[int(np.argmax(np.abs(length - 1)))])
            raise InputError(
                f"{name} has a {joint.measured} of length {worst:.4g} for joint {model.bodies[i].name!r}; it must be "
                f"one, as in {joint.neutral}"
            )
        q[..., own] = joint.normalise(q[..., own])
    return q


def _some_quaternions(model: Model, name: str, q: Array) -> None:
    """Any length of a quaternion will do for moving on, but zero is no attitude at all."""
    for i in model.free if not model.plain else ():
        joint, start = model.bodies[i].joint, model.offsets[i][0]
        if not joint.plain and np.any(joint.length(q[..., start : start + joint.nq]) == 0):
            raise InputError(
                f"{name} has a {joint.measured} of length 0 for joint {model.bodies[i].name!r}; neutral is "
                f"{joint.neutral}"
            )


def integrate(model: Model, q: ArrayLike, v: ArrayLike) -> Array:
    """Each joint's step, batches broadcast."""
    q, v = states_given("q", q, model, "q"), states_given("v", v, model, "v")
    batch = common_batch(("q", "v"), (q, v))
    if model.plain:  # no quaternions
        made: Array = q + v
        return made
    out = np.empty((*batch, model.nq), np.result_type(q, v))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        if joint.plain:
            out[..., iq : iq + joint.nq] = q[..., iq : iq + joint.nq] + v[..., iv : iv + joint.nv]
            continue
        for k, e in enumerate(joint.step(_lanes(q, iq, joint.nq), _lanes(v, iv, joint.nv)), iq):
            out[..., k] = e.array
    return out


def coordinate_rates(model: Model, q: Array, v: Array) -> Array:
    """dq/dt (..., nq) = R v for joint velocities v, O(n)."""
    if model.plain:
        return v
    made = np.empty((*v.shape[:-1], model.nq))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        for k, e in enumerate(joint.rates(_lanes(q, iq, joint.nq), _lanes(v, iv, joint.nv)), iq):
            made[..., k] = e.array
    return made


def velocity_weights(model: Model, q: Array, weights: Array) -> Array:
    """R^T w (..., n) for weights w of the coordinates' rates dq/dt = R v, O(n)."""
    return _by_joint(model, q, weights, lambda R, w: np.einsum("...kc,...k->...c", R, w))


def joint_velocities(model: Model, q: Array, rates: Array) -> Array:
    """The joint velocities v (..., n) for the coordinates' rates dq/dt = R v, (R^T R)^-1 R^T dq/dt, O(n)."""

    def solved(R: Array, rate: Array) -> Array:
        Rt = np.swapaxes(R, -1, -2)
        made: Array = np.linalg.solve(Rt @ R, Rt @ rate[..., None])[..., 0]
        return made

    return _by_joint(model, q, rates, solved)


def _by_joint(model: Model, q: Array, given: Array, of: Callable[[Array, Array], Array]) -> Array:
    """Numbers of coordinates (..., nq) to numbers of velocities (..., n), by the matrix R of each joint."""
    if model.plain:
        return given
    made = np.empty((*given.shape[:-1], model.nv))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        place, R = _lanes(q, iq, joint.nq), np.empty((*q.shape[:-1], joint.nq, joint.nv))
        for c, unit in enumerate(np.eye(joint.nv)):
            for k, e in enumerate(joint.rates(place, _lanes(unit, 0, joint.nv))):
                R[..., k, c] = e.array
        made[..., iv : iv + joint.nv] = of(R, given[..., iq : iq + joint.nq])
    return made


def _lanes(x: Array, first: int, count: int) -> JointVector:
    return JointVector(*(Lane(x[..., first + k]) for k in range(count)))


def difference(model: Model, q0: ArrayLike, q1: ArrayLike) -> Array:
    """Each joint's difference, batches broadcast."""
    q0, q1 = states_given("q0", q0, model, "q"), states_given("q1", q1, model, "q")
    out = np.empty((*common_batch(("q0", "q1"), (q0, q1)), model.nv), np.result_type(q0, q1))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        out[..., iv : iv + joint.nv] = joint.difference(q0[..., iq : iq + joint.nq], q1[..., iq : iq + joint.nq])
    return out
