"""Units that names of a log's columns carry, and its times: exact decimals of any clock as seconds since the first."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal, InvalidOperation

import numpy as np

from ..errors import InputError
from ..scalars.primitives import Array

__all__ = ["CLOCKS", "bare_name", "exact_time", "is_number", "named_unit", "since_first"]

CLOCKS = {"s": 1, "sec": 1, "ms": 1000, "us": 10**6, "µs": 10**6, "ns": 10**9}
DIGITS = 30  # of a time before its point: beyond, no clock counts
_UNIT = re.compile(r"^(.*?)[\s_]*[\[(]\s*([a-zµ°]+)\s*[\])]$|^(.*?)_(deg|degrees|rad|mm|cm|ms|us|ns|s)$", re.I)


# --- columns ----------------------------------------------------------------------------------------------------------
def named_unit(name: str) -> tuple[str, str]:
    """A column's name without its unit, and the unit."""
    found = _UNIT.match(name)
    if found is None:
        return name, ""
    return (found[1] or found[3] or "").strip(), (found[2] or found[4] or "").lower()


def bare_name(name: str) -> str:
    """A column's name without signs before it, its parts separated by dots."""
    return name.strip().lstrip("%/").removeprefix("field.").replace("/", ".")


def is_number(text: str) -> bool:
    """Whether a cell holds one."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def exact_time(cell: object, where: str, line: int) -> Decimal:
    """A time with all its digits: seconds since 1970 have more than a float holds."""
    if isinstance(cell, (int, Decimal)):
        return Decimal(cell)
    try:
        made = Decimal(repr(cell) if isinstance(cell, float) else str(cell))
        if made.is_finite() and made.adjusted() < DIGITS:
            return made
    except InvalidOperation:
        try:
            return Decimal(repr(datetime.datetime.fromisoformat(str(cell)).timestamp()))
        except ValueError:
            pass
    raise InputError(f"{where}:{line}: {str(cell)[:40]!r} is no time; give seconds")


def since_first(exact: list[Decimal], unit: str) -> Array:
    """Seconds since the first; large numbers without unit are ms, us or ns since 1970."""
    if not exact:
        return np.zeros(0)
    size = abs(exact[0])
    scale = (
        CLOCKS[unit] if unit else 10**9 if size > 10**17 else 10**6 if size > 10**14 else 1000 if size > 10**11 else 1
    )
    first = exact[0] if size > 10**8 or scale > 1 else Decimal(0)
    return np.array([float((x - first) / scale) for x in exact])
