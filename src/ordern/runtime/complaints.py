"""Errors for inputs and results that are not finite: they name the argument, the joint and the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import DTypeLike

from ..errors import InputError, SingularError
from ..model import Model
from ..scalars.primitives import Array

__all__ = ["complain", "coordinate_names", "refuse_inputs", "singular", "zero_quaternion"]


def coordinate_names(model: Model, kind: str) -> list[str]:
    """A name for each number of q ("q") or of a velocity-like vector ("v")."""
    names = []
    for i in model.free:
        body = model.bodies[i]
        names += [f"{body.name}{label}" for label in body.joint.labels(kind)]
    return names


def complain(
    model: Model,
    title: str,
    names: Sequence[str],
    given: Sequence[Array],
    batch: tuple[int, ...],
    outs: Sequence[Array],
    row: str = "row",
) -> NoReturn:
    """Name the first bad input; if all are fine, the robot has a singular mass matrix there (or numbers overflow).

    Args:
        model: Whose.
        title: Of the quantity.
        names: Of the inputs.
        given: The inputs, (..., count); their leading axes broadcast to ``batch``.
        batch: Shape of the batch.
        outs: The results, (states, size) each; inputs must be finite in their precision.
        row: What a state is called.
    """
    refuse_inputs(model, names, given, batch, outs[0].dtype, row)
    fine = np.all([np.isfinite(o).all(axis=1) for o in outs], axis=0)
    where = f" in {row} {_listed(np.unravel_index(int(np.argmin(fine)), batch))}" if batch else ""
    raise SingularError(singular(model, title, where))


def refuse_inputs(
    model: Model,
    names: Sequence[str],
    given: Sequence[Array],
    batch: tuple[int, ...],
    dtype: DTypeLike = np.float64,
    row: str = "row",
) -> None:
    """An error for the first number that is not finite in this precision, and for quaternions of length zero."""
    found = []
    for k, a in enumerate(given):
        with np.errstate(over="ignore"):
            bad = ~np.isfinite(a.astype(dtype, copy=False))
        if bad.any():
            at = np.unravel_index(int(np.argmax(bad)), a.shape)
            met = np.broadcast_to(bad.any(axis=-1), batch)  # the rows of the batch that meet it
            found.append((int(np.argmax(met)), k, at))
    if found:
        _, k, at = min(found, key=lambda f: f[:2])
        where = f" in {row} {_listed(at[:-1])}" if len(at) > 1 else ""
        kind = f" in {np.dtype(dtype)}" if np.isfinite(given[k][at]) else ""
        part = _part(model, names[k], int(at[-1]))
        raise InputError(f"{names[k]} is {given[k][at]} for {part}{where}; every number must be finite{kind}")
    for name, q in zip(names, given, strict=True):
        if name == "q":
            zero_quaternion(model, q)


def singular(model: Model, title: str, where: str = "") -> str:
    """Why a result of good inputs is not finite."""
    loops = "its loops are open there (robot.assemble closes them) or singular (a change point or dead centre), "
    return (
        f"{title} of robot {model.name!r} is not finite{where}: {loops if model.loops else ''}its mass matrix is "
        "singular there (a joint moves no inertia; see robot.lint()) or the numbers are too large"
    )


def _listed(at: Sequence[Any]) -> str:
    return ", ".join(map(str, at))


def _part(model: Model, name: str, k: int) -> str:
    if name.startswith("external"):
        return ("the moment", "the force")[k // 3] + f" along {'xyz'[k % 3]}"
    if name.startswith("weight"):
        return f"number {k}"
    return f"joint {coordinate_names(model, 'q' if name == 'q' else 'v')[k]!r}"


def zero_quaternion(model: Model, q: Array) -> None:
    """Refuse coordinates (..., nq) with a quaternion of length zero, which is no attitude at all."""
    for i in model.free if not model.plain else ():
        joint, start = model.bodies[i].joint, model.offsets[i][0]
        if not joint.plain and np.any(joint.length(q[..., start : start + joint.nq]) == 0):
            raise InputError(
                f"q has a zero {joint.measured} for joint {model.bodies[i].name!r}; neutral is {joint.neutral}"
            )
