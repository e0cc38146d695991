"""How many random examples a test tries: few in the suite, many where ORDERN_TRUST=1 is set (``make trust``)."""

from __future__ import annotations

import os

# s for what must end: beyond it is a hang, and no figure to be met. A machine may be slow, or busy with others
PATIENCE = 900.0
TRUST = os.environ.get("ORDERN_TRUST", "") not in ("", "0")


def examples(few: int, many: int | None = None) -> int:
    """The number of examples: ``few``, or ``many`` (fifty times as many by default) in the long form."""
    return (many or 50 * few) if TRUST else few
