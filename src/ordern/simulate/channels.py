"""Inputs of the right-hand side besides the state, and end stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..scalars.primitives import Array

__all__ = ["Channel", "Stops"]

NEVER = 1e30  # an end stop that no joint reaches


@dataclass(frozen=True)
class Channel:
    """An input of the right-hand side: a parameter (an array, one row a run or one for all) or a signal (a function of
    time).

    ``kind`` is "v" for one number a degree of freedom, "q" for one a coordinate, "n" for a plain list.
    """

    kind: str
    values: Array | None = None
    signal: Any = None  # a Signal, or a function of the user's that acts as one

    @property
    def count(self) -> int:
        """How many numbers."""
        return int(self.signal.channels if self.signal is not None else np.asarray(self.values).shape[-1])

    def rows(self) -> int | None:
        """The number of runs with their own values; None if one serves all."""
        if self.signal is not None:
            return getattr(self.signal, "runs", None)
        values = np.asarray(self.values)
        return len(values) if values.ndim == 2 else None


@dataclass(frozen=True)
class Stops:
    """End stops: limits (rad, m), stiffness and damping of the springs there, (n,) each; infinite limits have none."""

    lower: Array
    upper: Array
    stiffness: Array
    damping: Array

    def channels(self) -> dict[str, Channel]:
        """As inputs, for programs in loops."""
        parts = (np.maximum(self.lower, -NEVER), np.minimum(self.upper, NEVER), self.stiffness, self.damping)
        return {f"stop{k}": Channel("v", values) for k, values in enumerate(parts)}
