"""Write a file whole or not at all, and read one within bounds.

A reader never sees half of a file, nor does a loss of power leave one. What is there already keeps its mode and its owner; a symbolic link is
followed and stays one; devices and pipes are written to, never replaced by a file; a folder is never removed for a file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InputError, OrdernError

__all__ = ["PART", "path_of", "read_bytes", "sync", "whole_file", "write"]

PART = ".part"  # how the names of files end that are being written
_NAME, _PATH = 255, 4095  # bytes of a name and of a path, on the systems that allow least
_DIRECT = ("/dev/std", "/dev/fd/", "/proc/")  # this process's own streams: a file renamed to there would be another one
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def path_of(path: str | os.PathLike[str]) -> Path:
    """A path, whatever was given as one; else an InputError."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InputError(f"a {type(path).__name__} is no path; give the name of a file or folder") from None
    if not isinstance(text, str) or "\0" in text:
        raise InputError(f"{_short(repr(text))} is no file name; give a text without zero bytes")
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(f"{_short(ascii(text))} is no file name on this system; use letters that its encoding has") from None
    longest = max(map(len, data.replace(b"\\", b"/").split(b"/")))
    if longest > _NAME or len(data) > _PATH:
        raise InputError(f"{_short(ascii(text))} is too long for a file name ({max(longest, len(data))} bytes); give a shorter one")
    return Path(text)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]}...{text[-12:]}"


def read_bytes(path: str | os.PathLike[str], limit: int, what: str = "file", kind: type[OrdernError] = InputError) -> bytes:
    """The bytes of an ordinary file of at most ``limit`` bytes; devices, pipes and folders are refused, not waited for.

    Args:
        path: of the file.
        limit: how many bytes it may have.
        what: what the file should be, for messages.
        kind: of the error; FileNotFoundError is left to the caller, who knows what lies near.
    """
    name = _short(str(path_of(path)))
    try:
        handle = os.open(path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if stat.S_ISDIR(status.st_mode):
                raise kind(f"{name}: it is a folder; name a {what} in it")
            if not stat.S_ISREG(status.st_mode):
                raise kind(f"{name}: it is no ordinary file (a device or pipe); give a {what} on disk")
            data = b"" if status.st_size > limit else file.read(limit + 1)
            if max(status.st_size, len(data)) > limit:
                raise kind(f"{name}: {max(status.st_size, len(data))} bytes; a {what} may have {limit} at most")
            return data
    except FileNotFoundError:
        raise
    except IsADirectoryError:  # where a folder cannot even be opened
        raise kind(f"{name}: it is a folder; name a {what} in it") from None
    except OSError as error:
        raise kind(f"{name}: it cannot be read ({error.strerror or error}); check the path and its permissions") from None


def write(path: str | os.PathLike[str], data: str | bytes, durable: bool = False, keep: bool = False) -> None:
    """Put data into a file through a temporary one beside it, so that a reader never sees half of it.

    Args:
        path: of the file.
        data: what it will hold.
        durable: return only when it is on the disk, so that not even a loss of power takes it.
        keep: leave a file that is there already as it is.
    """
    with whole_file(path, durable, keep) as file:
        file.write(data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data)


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str], durable: bool = False, keep: bool = False) -> Iterator[BinaryIO]:
    """A file to write into that takes its name when the block ends well, and is gone when it does not; arguments as in ``write``."""
    given = path_of(path)
    try:
        place, there = _place(given)
        if there is not None and (not stat.S_ISREG(there.st_mode) or str(given).startswith(_DIRECT)):
            with _device(given) as file:
                yield file
            return
        temporary = place.with_name(f".ordern-{secrets.token_hex(8)}{PART}")
        # the kernel applies the process's mask; what replaces a file starts closed and gets that file's mode
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666 if there is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                if there is not None:
                    _same_owner(handle, there)
                yield file
                file.flush()
                if durable:
                    os.fsync(handle)
            if not (keep and place.exists()):
                os.replace(temporary, place)
        finally:
            temporary.unlink(missing_ok=True)
        if durable:
            sync(place.parent)
    except OSError as error:
        name = _short(os.fspath(path))
        raise InputError(f"cannot write {name!r}: {error.strerror or error}; make room, or choose another folder") from None


def _place(path: Path) -> tuple[Path, os.stat_result | None]:
    """Where the bytes go, links followed, and what is there; folders and what may not be written are refused."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return (Path(os.path.realpath(path)) if path.is_symlink() else path), None
    if stat.S_ISDIR(there.st_mode):
        raise InputError(f"cannot write {_short(str(path))!r}: it is a folder; give the name of a file")
    if not (stat.S_ISREG(there.st_mode) or stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
        raise InputError(f"cannot write {_short(str(path))!r}: it is a disk or a socket; give the name of a file")
    if not os.access(path, os.W_OK):
        raise InputError(f"cannot write {_short(str(path))!r}: it is write-protected; choose another name, or allow writing")
    return (Path(os.path.realpath(path)) if path.is_symlink() and stat.S_ISREG(there.st_mode) else path), there


def _device(path: Path) -> Any:
    """A terminal, /dev/null, a pipe: written to as it is; a pipe that nobody reads is an error, not a wait without end."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)
    return os.fdopen(handle, "wb")


def _same_owner(handle: int, there: os.stat_result) -> None:
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):  # another owner's file may be replaced, but not given away
            if (there.st_uid, there.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(handle, there.st_uid, there.st_gid)
        os.fchmod(handle, stat.S_IMODE(there.st_mode) & 0o777)


def sync(folder: Path) -> None:
    """The folder's entries too; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
