"""Names and numbers as XML attributes: escaped, and with every digit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import ModelError

__all__ = ["fresh", "numbers", "quote"]

UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ESCAPED = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def quote(text: str) -> str:
    """The text in quotes."""
    bad = UNWRITABLE.search(text)
    if bad:
        raise ModelError(f"the name {text[:80]!r} has the character {bad[0]!r}, which XML cannot hold; rename it")
    return '"' + text.translate(ESCAPED) + '"'


def numbers(values: Sequence[float]) -> str:
    """Numbers in quotes, each as short as it reads back the same."""
    return '"' + " ".join(repr(float(v)) for v in values) + '"'


def fresh(name: str, taken: set[str]) -> str:
    """The name, longer if it is taken already; it is then."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
