"""Write a text file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ..errors import InputError

__all__ = ["write"]


def write(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Put data into a file through a temporary one beside it, so that a reader never sees half of it."""
    target = Path(path)
    raw = data.encode() if isinstance(data, str) else data
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"cannot write {os.fspath(path)!r}: {error.strerror}; choose another folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(f"cannot write {os.fspath(path)!r}: {error.strerror}") from None
