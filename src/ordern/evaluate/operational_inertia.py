"""From mobilities to operational inertias, with a clear word where a link cannot move in some direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SingularError

__all__ = ["inertia_from_mobility"]

LARGEST = 1e12  # condition beyond which no digits that mean anything are left of directions the link cannot take


def inertia_from_mobility(mobility: object, link: str = "the link") -> Any:
    """(..., 6, 6) mobilities to inertias; SingularError names the first state where there is none.

    Rotations and translations have different units, so each row and column is scaled to a unit diagonal before the
    condition is judged.
    """
    given = np.asarray(mobility)
    scale = 1 / np.sqrt(np.maximum(np.diagonal(given, axis1=-2, axis2=-1), np.finfo(float).tiny))
    balanced = given * scale[..., :, None] * scale[..., None, :]
    values = np.linalg.eigvalsh(balanced)
    bad = ~(values[..., 0] * LARGEST > values[..., -1])
    if np.any(bad):
        first = [int(k) for k in np.unravel_index(int(np.argmax(bad)), bad.shape)]
        where = "" if given.ndim == 2 else f" in state {first[0] if len(first) == 1 else tuple(first)}"
        rank = int(np.sum(values[bad][0] * LARGEST > values[bad][0, -1]))
        raise SingularError(
            f"{link} can move in {rank} of 6 directions only{where}: it has no operational inertia there, only a "
            "mobility"
        )
    inverse = np.linalg.inv(balanced) * scale[..., :, None] * scale[..., None, :]
    return 0.5 * (inverse + np.swapaxes(inverse, -1, -2))
