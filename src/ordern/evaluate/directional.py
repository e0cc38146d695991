"""Derivatives of any quantity along directions (J v) and against weights (w^T J), without the matrix; matrices of what
has no recursion of its own.

Directions of q are joint velocities, as in all derivatives of Robot: q moves by ``robot.integrate``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.registry import choose
from ..errors import InputError, ShapeError
from ..runtime.array_inputs import as_array
from ..runtime.complaints import complain, refuse_inputs
from ..scalars.primitives import Array
from .differentiable import Smooth, smooth
from .manifold import common_batch, coordinate_rates, named, velocity_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .robot_like import RobotLike

__all__ = ["jacobian_derivatives", "jvp", "vjp"]


def jvp(
    robot: RobotLike,
    quantity: str,
    arrays: Sequence[Any],
    directions: Sequence[Any],
    method: str | None = None,
    link: str | None = None,
) -> Any:
    """The rate of a quantity along (dq, dqd, ...): one direction for each input, None for none."""
    made = _smooth(robot, quantity, method, link)
    arrays, directions = _listed("arrays", arrays), _listed("directions", directions)
    rows, batch = _rows(
        made, robot, arrays, directions, "direction of ", [robot.n if k == "q" else n for k, n in made.inputs.items()]
    )
    given, moves = rows[: len(arrays)], rows[len(arrays) :]
    moving = [name for name, d in zip(made.inputs, directions, strict=True) if d is not None]
    if not moving:
        raise InputError(f"{quantity}: give a direction for one of {', '.join(made.inputs)} at least")
    if "q" in moving:
        moves[0] = coordinate_rates(robot.model, given[0], moves[0])
    found = made.jvp(moving).run([*given, *moves])
    _finite(robot, quantity, found, batch)
    return _shaped(found, made, batch)


def vjp(
    robot: RobotLike,
    quantity: str,
    arrays: Sequence[Any],
    weights: Sequence[Any],
    method: str | None = None,
    link: str | None = None,
) -> tuple[Array, ...]:
    """w^T J for each input: how the weighted sum of all results changes with it; of q along joint velocities."""
    made = _smooth(robot, quantity, method, link)
    arrays, weights = _listed("arrays", arrays), _listed("weights", weights)
    rows, batch = _rows(
        made,
        robot,
        arrays,
        [as_array("a weight", w) for w in weights],
        "weight of ",
        made.sizes,
        list(made.outputs.values()),
    )
    found = made.vjp(tuple(made.inputs)).run(rows) if made.adjoins else _through_columns(made, rows)
    _finite(robot, quantity, found, batch)
    if "q" in made.inputs:
        found[0] = velocity_weights(robot.model, rows[0], found[0])
    return tuple(x.reshape(*batch, x.shape[1]) for x in found)


def _finite(robot: RobotLike, quantity: str, found: Sequence[Array], batch: tuple[int, ...]) -> None:
    if not all(np.isfinite(x).all() for x in found):
        complain(robot.model, f"the derivative of {quantity}", (), (), batch, found)


_AT_ONCE = 2**22  # numbers that the rates of one input take and make at a time


def _through_columns(made: Smooth, rows: Sequence[Array]) -> list[Array]:
    """w^T J for programs with loops, which have no reverse mode: one weighted rate for each input number."""
    given, weights, found = rows[: len(made.inputs)], rows[len(made.inputs) :], []
    for name, count in made.inputs.items():
        slopes, states = made.jvp([name]), len(given[0])
        gradient = np.empty(states * count)
        at_once = max(1, _AT_ONCE // max(1, sum(made.inputs.values()) + count + sum(made.sizes)))
        for first in range(0, len(gradient), at_once):
            part = np.arange(first, min(first + at_once, len(gradient)))
            state, column = np.divmod(part, count)
            along = np.zeros((len(part), count))
            along[np.arange(len(part)), column] = 1.0
            rates = slopes.run([*(a[state] for a in given), along])
            gradient[part] = sum(np.einsum("ro,ro->r", x, w[state]) for x, w in zip(rates, weights, strict=True))
        found.append(gradient.reshape(states, count))
    return found


def jacobian_derivatives(robot: RobotLike, q: ArrayLike, link: str, reference: str = "world") -> Array:
    """(..., 6, n, n): [:, j, k] is how column j of the link's Jacobian changes along joint velocity k."""
    robot._link(link)
    made = smooth(robot, "jacobian", None, link, (), reference == "world")
    (q,), batch = _rows(made, robot, [q], [], "", [])
    n, count = robot.n, len(q)
    spread = np.repeat(q, n, axis=0)
    along = coordinate_rates(robot.model, spread, np.tile(np.eye(n), (count, 1)))
    found = made.jvp(("q",)).run([spread, along])[0]
    return np.ascontiguousarray(np.moveaxis(found.reshape(*batch, n, 6, n), -3, -1))


def _smooth(robot: RobotLike, quantity: str, method: str | None, link: str | None) -> Smooth:
    """What names a program, checked before it is looked up by these names."""
    if link is not None:
        robot._link(link)
    return smooth(robot, choose(quantity, method, robot.model).quantity, method, link)


def _listed(name: str, value: object) -> Sequence[Any]:
    """One entry for each input or result."""
    if not isinstance(value, (list, tuple)) and (not isinstance(value, np.ndarray) or value.ndim == 0):
        raise ShapeError(f"{name} must be a list with one array for each, got {type(value).__name__}")
    return list(value)


def _rows(
    made: Smooth,
    robot: RobotLike,
    arrays: Sequence[Any],
    more: Sequence[Any],
    what: str,
    sizes: Sequence[int],
    shapes: Sequence[tuple[int, ...]] | None = None,
) -> tuple[list[Array], tuple[int, ...]]:
    """All arrays as rows of one batch: the inputs, then directions or weights; errors name the argument."""
    if len(arrays) != len(made.inputs) or len(more) != len(sizes):
        raise ShapeError(
            f"{made.title} takes {len(made.inputs)} arrays ({', '.join(made.inputs)}) and {len(sizes)} more, got "
            f"{len(arrays)} and {len(more)}"
        )
    others = () if not sizes else made.inputs if shapes is None else made.outputs
    names = [*made.inputs, *(f"{what}{name}" for name in others)]
    ends = [*((n,) for n in made.inputs.values()), *(shapes or [(n,) for n in sizes])]
    given, called = [], []
    for name, value, end in zip(names, [*arrays, *more], ends, strict=True):
        if value is None and name not in made.inputs:
            continue
        if name.removeprefix("direction of ") in made.inputs:
            of = name.removeprefix("direction of ")
            value = named(robot.model, of, value, "q" if name == "q" else "v")
        a = as_array(name, value).astype(float)
        if a.shape[a.ndim - len(end) :] != end or a.ndim < len(end):
            raise ShapeError(f"{name} must end in shape {end}, got {a.shape}")
        given.append(a.reshape(*a.shape[: a.ndim - len(end)], math.prod(end)))
        called.append(name)
    batch = common_batch(called, given)
    refuse_inputs(robot.model, called, given, batch)
    return [
        np.ascontiguousarray(np.broadcast_to(a, (*batch, a.shape[-1]))).reshape(math.prod(batch), a.shape[-1])
        for a in given
    ], batch


def _shaped(found: Sequence[Array], made: Smooth, batch: tuple[int, ...]) -> Any:
    results = [x.reshape((*batch, *shape)) for x, shape in zip(found, made.outputs.values(), strict=True)]
    results = [x if x.ndim else x[()] for x in results]  # one number is a NumPy scalar
    return results[0] if len(results) == 1 else tuple(results)
