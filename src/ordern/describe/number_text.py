"""Numbers as people write them: with a unit, such as 90deg, 0.5 rad or 30mm."""

from __future__ import annotations

import math
import re

__all__ = ["ARTICLE", "with_unit"]

UNITS = {
    "deg": ("angle", math.pi / 180),
    "°": ("angle", math.pi / 180),
    "rad": ("angle", 1.0),
    "mm": ("length", 1e-3),
    "cm": ("length", 1e-2),
    "m": ("length", 1.0),
}
ARTICLE = {"angle": "an angle", "length": "a length", "number": "a number without a unit"}
_PI = re.compile(r"([-+]?)(\d+\.?\d*|\.\d+)?\s*\*?\s*pi(?:\s*/\s*([1-9]\d*))?", re.I)  # pi, -pi/2, 2*pi/3
_WITH_UNIT = re.compile(r"(.*?)\s*(deg|rad|mm|cm|m|°)", re.I)


def with_unit(text: str) -> tuple[float, str | None]:
    """The number in rad or m, and "angle" or "length" if it has a unit; else a ValueError."""
    if turn := _PI.fullmatch(text.strip()):
        return float(turn[1] + "1") * float(turn[2] or 1) * math.pi / float(turn[3] or 1), "angle"
    found = _WITH_UNIT.fullmatch(text.strip())
    what, factor = UNITS[found[2].lower()] if found else (None, 1.0)
    return float(found[1] if found else text) * factor, what
