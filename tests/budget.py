"""How many random examples a test tries: few in the suite, many where ORDERN_TRUST=1 is set (``make trust``)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any

# s for what must end: beyond it is a hang, and no figure to be met. A machine may be slow, or busy with others
PATIENCE = 900.0
TRUST = os.environ.get("ORDERN_TRUST", "") not in ("", "0")


def examples(few: int, many: int | None = None) -> int:
    """The number of examples: ``few``, or ``many`` (fifty times as many by default) in the long form."""
    return (many or 50 * few) if TRUST else few


def spread(*parameters: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Tuples of the values of several parameters: every value in the suite, every combination in the long form.

    Shorter lists go on by one more after each of their rounds, so that not always the same values meet.
    """
    lists = [list(values) for values in parameters]
    if TRUST:
        return list(product(*lists))
    longest = max(len(values) for values in lists)
    return [tuple(x[(k + k // len(x)) % len(x)] for x in lists) for k in range(longest)]
