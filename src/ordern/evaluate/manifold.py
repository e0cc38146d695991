"""Coordinates on the joint manifold, for arrays: neutral, random, integrate, difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InputError, ShapeError
from ..model import Model
from ..scalar import Lane
from ..small import KVec
from .call import as_array

__all__ = ["difference", "integrate", "neutral", "random"]

Array = Any


def neutral(model: Model) -> Array:
    """Zero coordinates; unit quaternions."""
    return np.array([x for i in model.free for x in model.bodies[i].joint.neutral], float)


def random(model: Model, rng: Any, batch: int | Sequence[int]) -> Array:
    """Uniform within the limits (a turn or a metre each way where there are none)."""
    try:
        generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(f"rng must be a numpy random generator or a seed, got {rng!r}") from None
    shape = (int(batch),) if isinstance(batch, (int, np.integer)) else tuple(batch)
    if not all(isinstance(k, (int, np.integer)) and k >= 0 for k in shape):
        raise InputError(f"batch must be a count or a shape, got {batch!r}")
    parts = []
    for i in model.free:
        body = model.bodies[i]
        lower = np.array(body.lower or (-np.inf,) * body.joint.nv)
        upper = np.array(body.upper or (np.inf,) * body.joint.nv)
        parts.append(body.joint.random(generator, shape, lower, upper))
    return np.concatenate(parts, axis=-1) if parts else np.empty((*shape, 0))


def _given(name: str, value: Any, count: int) -> Array:
    array = as_array(name, value).astype(float)
    if array.shape[-1:] != (count,):
        raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity")
    return array


def integrate(model: Model, q: Any, v: Any) -> Array:
    """Each joint's step, batches broadcast."""
    q, v = _given("q", q, model.nq), _given("v", v, model.nv)
    batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    out = np.empty((*batch, model.nq))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        if joint.nq == joint.nv:
            out[..., iq : iq + joint.nq] = q[..., iq : iq + joint.nq] + v[..., iv : iv + joint.nv]
            continue
        step = joint.step(KVec(*(Lane(q[..., iq + k]) for k in range(joint.nq))), KVec(*(Lane(v[..., iv + k]) for k in range(joint.nv))))
        for k, e in enumerate(step):
            out[..., iq + k] = e.array
    return out


def difference(model: Model, q0: Any, q1: Any) -> Array:
    """Each joint's difference, batches broadcast."""
    q0, q1 = _given("q0", q0, model.nq), _given("q1", q1, model.nq)
    batch = np.broadcast_shapes(q0.shape[:-1], q1.shape[:-1])
    out = np.empty((*batch, model.nv))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        out[..., iv : iv + joint.nv] = joint.difference(q0[..., iq : iq + joint.nq], q1[..., iq : iq + joint.nq])
    return out
