"""Read a description file: whole, of a sane size, with errors that name it and what lies near."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import ModelError, near

__all__ = ["LARGEST", "read"]

LARGEST = 256 * 1024 * 1024  # bytes: a chain of 20,000 links needs some 20 MB


def read(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file, or a ModelError that says why not."""
    name = os.fspath(path)
    try:
        place = Path(name)
        if place.is_dir():
            raise ModelError(f"{name}: it is a folder; name the file in it{_inside(place)}")
        size = place.stat().st_size
        if size > LARGEST:
            raise ModelError(f"{name}: {size} bytes; a description may have {LARGEST} at most")
        if not place.is_file():
            raise ModelError(f"{name}: it is no ordinary file; give a .urdf or .toml file")
        return place.read_bytes()
    except ModelError:
        raise
    except FileNotFoundError:
        raise ModelError(f"{name}: there is no such file{_neighbours(Path(name))}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(f"{name!r}: it cannot be read ({reason}); check the path and its permissions") from None


def _inside(folder: Path) -> str:
    try:
        found = sorted(p.name for p in folder.iterdir() if p.suffix in (".urdf", ".toml"))
    except OSError:
        found = []
    return f", such as {found[0]!r}" if found else ""


def _neighbours(path: Path) -> str:
    try:
        return near(path.name, [p.name for p in path.parent.iterdir()])
    except OSError:
        return f"; there is no folder {str(path.parent)!r} either"
