"""What a robot has beside bodies and joints: named states, motors with laws of their own; and its springs, summed by
velocity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from . import Model

__all__ = ["Drive", "State", "springs"]


@dataclass(frozen=True, slots=True)
class State:
    """A state that the description has a name for."""

    name: str
    q: tuple[float, ...]
    qd: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Drive:
    """A motor with a law of its own: force = gain u + bias[0] + bias[1] l + bias[2] dl/dt, where l is the sum of arm *
    q over its joints.

    The joints feel arm * force. The control u and the force stay within their ranges, where there are some.
    """

    name: str
    arms: tuple[tuple[str, float], ...]  # joints and their arms
    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    control: tuple[float, ...] = ()  # least and largest
    force: tuple[float, ...] = ()


def springs(model: Model) -> tuple[tuple[float, float], ...]:
    """Stiffness and rest position of each velocity of a model; empty for a robot without springs.

    A follower at ratio * q + offset with stiffness k adds k ratio^2 to its master's, and shifts where that one rests.
    """
    if not any(b.stiffness for b in model.bodies):
        return ()
    k, pull = np.zeros(model.nv), np.zeros(model.nv)  # the force is k q - pull
    for i, body in enumerate(model.bodies):
        if i and body.stiffness:
            ratio, offset = (1.0, 0.0) if body.mimic is None else (body.mimic.ratio, body.mimic.offset)
            rest = body.springref or (0.0,) * len(body.stiffness)
            for c, (own, ref) in enumerate(zip(body.stiffness, rest, strict=True)):
                at = model.offsets[i][1] + c
                k[at] += own * ratio * ratio
                pull[at] += own * ratio * (ref - offset)
    return tuple((float(a), float(b / a) if a else 0.0) for a, b in zip(k, pull, strict=True))
