"""The bytes of a robot description, or an error that says why there are none."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from ..errors import InputError, ModelError
from ..files import LARGEST, _short, path_of, read_bytes
from ..files.missing import not_there

__all__ = ["opened", "read"]


def opened(path_or_text: str | os.PathLike[str], kind: str) -> tuple[bytes, str, str | None]:
    """Bytes, file ("" for text) and encoding (None: by the XML header) of a file, or of text beginning with "<"."""
    if not isinstance(path_or_text, str) or not path_or_text.lstrip("\ufeff \t\r\n").startswith("<"):
        return read(path_or_text), os.fspath(path_or_text), None
    try:
        data = path_or_text.lstrip("\ufeff").encode()
    except UnicodeEncodeError as error:
        raise ModelError(f"{kind} text: not XML: {error}") from None
    if len(data) > LARGEST:
        raise ModelError(f"{kind} text: {len(data)} bytes; a description may have {LARGEST} at most")
    return data, "", "utf-8"


def read(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a robot's description, or a ModelError that says why not."""
    name = os.fspath(path)
    try:
        place = path_of(name)
        if place.is_dir():
            raise ModelError(f"{_short(name)}: it is a folder; name the file in it{_inside(place)}")
        return read_bytes(place, LARGEST, "description", ModelError)
    except FileNotFoundError:
        raise ModelError(f"{_short(name)}: {not_there(name)}") from None
    except ModelError:
        raise
    except InputError as error:  # no name of a file at all
        raise ModelError(f"it cannot be read: {error}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(
            f"{_short(name)!r}: it cannot be read ({reason}); check the path and its permissions"
        ) from None


def _inside(folder: Path) -> str:
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                e.name
                for e in itertools.islice(entries, 5000)
                if e.name.endswith((".urdf", ".toml", ".xacro", ".xml", ".sdf"))
            )
    except OSError:
        found = []
    return f", such as {found[0]!r}" if found else ""
