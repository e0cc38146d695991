"""Named states and motors with control laws of a robot."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Drive", "State"]


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
