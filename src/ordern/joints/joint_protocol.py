"""Check at registration what every joint class must provide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError
from ..scalars.dual import Dual, derivative
from ..spatial.joint_space import JointVector

if TYPE_CHECKING:
    from .joint_base import Joint

__all__ = ["LEVEL", "TIME", "keeps_protocol"]

TIME, LEVEL = "t", 1 << 20  # the direction of time, above whatever else a scalar carries


def keeps_protocol(name: str, cls: type[Joint], base: object) -> None:
    """Refuse a class that would fail, or be wrong without a word, when a robot uses it; ``base`` is Joint."""

    def refuse(what: str) -> ModelError:
        return ModelError(f"joint type {name!r} ({cls.__name__}): {what}")

    if not isinstance(cls, type) or base not in cls.__mro__:
        raise refuse("is no subclass of ordern.joints.Joint")
    kind: Any = cls
    try:
        made = kind()
    except TypeError as error:
        raise refuse(f"cannot be made without arguments ({error}); give every constant a default") from None
    if len(kind.neutral) != kind.nq or len(kind.angular) != kind.nv:
        raise refuse(
            f"neutral needs nq = {kind.nq} numbers and angular nv = {kind.nv}; they have {len(kind.neutral)} and "
            f"{len(kind.angular)}"
        )
    if not kind.plain:
        missing = [
            m for m in ("rates", "difference", "random", "length", "normalise") if getattr(kind, m) is getattr(base, m)
        ]
        if missing:
            raise refuse(f"has a step of its own, so it needs {', '.join(missing)} as well")
    elif kind.nq != kind.nv:
        raise refuse(f"has {kind.nq} coordinates for {kind.nv} velocities, so it needs a step of its own")
    _moves_as_it_says(made, refuse)


def _moves_as_it_says(made: Joint, refuse: Callable[[str], ModelError]) -> None:
    """S against the derivative of the transform, at a place off the neutral one."""
    v = JointVector(*(0.1 + 0.07 * k for k in range(made.nv)))
    q = JointVector(*(float(e) for e in made.step(JointVector(*made.neutral), v)))
    X, S = made.motion(q)
    rates = made.rates(q, v)
    if len(S) != made.nv or len(q) != made.nq or len(rates) != made.nq:
        raise refuse(
            f"motion, step and rates give {len(S)} motions, {len(q)} coordinates and {len(rates)} rates; nv and nq are "
            f"{made.nv} and {made.nq}"
        )
    moving, S_moving = made.motion(
        JointVector(*(Dual(e, {TIME: rate}, LEVEL) for e, rate in zip(q, rates, strict=True)))
    )
    turn = np.array([[derivative(e, TIME, LEVEL) for e in row] for row in moving.rotation.full().dense()], float)
    # R is parent to body: R dR^T/dt is the angular velocity in the body
    W = np.array(X.rotation.full().dense(), float) @ turn.T
    shift = np.array(X.rotation.full().dense(), float) @ [
        float(derivative(e, TIME, LEVEL)) for e in moving.origin.dense()
    ]
    twist = np.array([float(e) for e in (S @ v).dense()])
    found = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1], *(2 * shift)]) / 2
    if np.abs(found - twist).max() > 1e-9 * (1 + np.abs(twist).max()):
        raise refuse(
            f"its motions S qd = {twist.round(6).tolist()} are not how its transform moves ({found.round(6).tolist()}) "
            f"for qd = {v.e}"
        )
    rate = np.array([float(derivative(e, TIME, LEVEL)) for column in S_moving.columns for e in column.dense()])
    said = np.array([float(e) for column in made.subspace_rate(q, v).columns for e in column.dense()])
    if np.abs(rate - said).max(initial=0.0) > 1e-9 * (1 + np.abs(rate).max(initial=0.0)):
        culprit = (
            "it says steady = True, but S moves in the body frame"
            if made.steady
            else "its subspace_rate is not the rate of S"
        )
        raise refuse(f"{culprit}: dS/dt is {rate.round(6).tolist()} for qd = {v.e}")
