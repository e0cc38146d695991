"""Refuse TOML key bombs: the parser's memory grows as the square of a key's dots (80 kB: 6 GB)."""

from __future__ import annotations

import re

__all__ = ["crowded_line"]

# Texts and comments, each taken in one go and never looked at again, closed or not: so a text of any size takes one
# walk. What comes after one that is not closed is never parsed.
_QUOTED = re.compile(
    r"""
    "{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?: "{3,5}+ )?+   # up to two quotes may stand before the closing three
    | '{3} (?: [^']++ | '(?!'') )*+ (?: '{3,5}+ )?+
    | " (?: [^"\\\n]++ | \\[^\n] )*+ "?+
    | ' [^'\n]*+ '?+
    | \#[^\n]*+
    """,
    re.DOTALL | re.VERBOSE,
)


def crowded_line(text: str, most: int) -> int | None:
    """The line of the first key with more than ``most`` dots, or None."""
    if text.count(".") <= most:
        return None
    bare = _QUOTED.sub(lambda found: "_" + "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if line.count(".") > most and any(part.count(".") > most for part in re.split(r"[\[\]{},=]", line)):
            return number
    return None
