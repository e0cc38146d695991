"""What to say about a file that is not there."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from ..errors import near
from . import _short

__all__ = ["not_there"]


def not_there(path: str | os.PathLike[str], remedy: str = "", endings: tuple[str, ...] = ("",)) -> str:
    """Why nothing can be read under a name: where its link leads, a name that is nearly the same, or a missing folder.

    Args:
        path: under which no file is found.
        remedy: what to do about it, before the name that may have been meant.
        endings: of the names that may have been meant.
    """
    place = Path(path)
    if place.is_symlink():
        return (
            f"it is a link to {_short(os.readlink(place))!r}, which is not there; mend the link, or give another name"
        )
    try:
        with os.scandir(place.parent) as entries:
            there = [entry.name for entry in itertools.islice(entries, 5000) if entry.name.endswith(endings)]
    except OSError:
        return f"there is no such file{remedy}; there is no folder {_short(str(place.parent))!r} either"
    return f"there is no such file{remedy}{near(place.name[:80], there)}"
