"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import InputError

__all__ = ["PART", "path_of", "write"]

PART = ".part"  # how the names of files end that are being written


def path_of(path: str | os.PathLike[str]) -> Path:
    """A path, whatever was given as one; else an InputError."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InputError(f"a {type(path).__name__} is no path; give the name of a file or folder") from None
    if not isinstance(text, str) or "\0" in text:
        raise InputError(f"{text!r} is no file name; give a text without zero bytes")
    return Path(text)


def write(path: str | os.PathLike[str], data: str | bytes, durable: bool = False, keep: bool = False) -> None:
    """Put data into a file through a temporary one beside it, so that a reader never sees half of it.

    Args:
        path: of the file.
        data: what it will hold.
        durable: return only when it is on the disk, so that not even a loss of power takes it.
        keep: leave a file that is there already as it is.
    """
    target = path_of(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=PART)
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        if not (keep and target.exists()):
            os.replace(temporary, target)
            temporary = None
    except OSError as error:
        raise InputError(f"cannot write {os.fspath(path)!r}: {error.strerror}; make room, or choose another folder") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    if durable:
        _sync(target.parent)


def _sync(folder: Path) -> None:
    """The folder's entries too; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
