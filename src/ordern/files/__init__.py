"""Write a file whole or not at all, and read one within bounds.

A reader never sees half of a file, nor does a loss of power leave one. What is there already keeps its mode and its
owner; a symbolic link is followed and stays one; devices and pipes are written to, never replaced by a file; a folder
is never removed for a file.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InputError, OrdernError

__all__ = [
    "PACKED",
    "PART",
    "expansion",
    "locked",
    "opened_file",
    "path_of",
    "read_bytes",
    "sync",
    "whole_file",
    "whole_folder",
    "write",
    "write_all",
]

PART = ".part"  # how the names of files end that are being written
SMALL = 2**30  # bytes that any packed file may become
PACKED = 2**36  # bytes of a packed file
PIECE = 2**20  # bytes unpacked at once
_NAME, _PATH = 255, 4095  # bytes of a name and of a path, on the systems that allow least
_DIRECT = ("/dev/std", "/dev/fd/", "/proc/")  # this process's own streams: a file renamed to there would be another one
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def path_of(path: str | os.PathLike[str]) -> Path:
    """A path, whatever was given as one; else an InputError."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InputError(f"a {type(path).__name__} is no path; give the name of a file or folder") from None
    if not isinstance(text, str) or "\0" in text:
        raise InputError(f"{_short(repr(text))} is no file name; give a string without zero bytes")
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(
            f"{_short(ascii(text))} is no file name on this system; use letters that its encoding has"
        ) from None
    longest = max(map(len, data.replace(b"\\", b"/").split(b"/")))
    if longest > _NAME or len(data) > _PATH:
        raise InputError(
            f"{_short(ascii(text))} is too long for a file name ({max(longest, len(data))} bytes); give a shorter one"
        )
    return Path(text)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]}...{text[-12:]}"


def read_bytes(
    path: str | os.PathLike[str], limit: int, what: str = "file", kind: type[OrdernError] = InputError
) -> bytes:
    """The bytes of an ordinary file of at most ``limit`` bytes; devices, pipes and folders are refused, not waited for.

    Args:
        path: of the file.
        limit: how many bytes it may have.
        what: what the file should be, for messages.
        kind: of the error; FileNotFoundError is left to the caller, who knows what lies near.
    """
    with opened_file(path, limit, what, kind) as file:
        data, more = b"", file.read(os.fstat(file.fileno()).st_size + 1)
        while more:  # a file may grow while it is read, and some say that they are empty
            data += more
            if len(data) > limit:
                raise kind(f"{_short(str(path))}: more than {limit} bytes; a {what} may have no more")
            more = file.read(2**20)
        return data


@contextlib.contextmanager
def opened_file(
    path: str | os.PathLike[str], limit: int, what: str, kind: type[OrdernError] = InputError
) -> Iterator[BinaryIO]:
    """An ordinary file for reading; arguments as in ``read_bytes``."""
    name = _short(str(path_of(path)))
    try:
        handle = os.open(path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") if not stat.S_ISDIR(os.fstat(handle).st_mode) else _closed(handle) as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise kind(f"{name}: it is no ordinary file (a device or pipe); give a {what} on disk")
            if status.st_size > limit:
                raise kind(f"{name}: {status.st_size} bytes; a {what} may have {limit} at most")
            yield file
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise kind(f"{name}: it is a folder; name a {what} in it") from None
    except OSError as error:
        raise kind(
            f"{name}: it cannot be read ({error.strerror or error}); check the path and its permissions"
        ) from None


def _closed(handle: int) -> Any:
    os.close(handle)
    raise IsADirectoryError


def expansion(size: int) -> int:
    """The most bytes a packed file may unpack to: packing saves a factor of ten, a bomb a thousand."""
    return max(SMALL, 100 * size)


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


def write_all(texts: Mapping[Path, str]) -> None:
    """Files that belong together: none takes its name before all of them are written."""
    with contextlib.ExitStack() as stack:
        for path, text in texts.items():
            file = stack.enter_context(whole_file(path))
            file.write(text.encode("utf-8", "backslashreplace"))
            file.flush()


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str], durable: bool = False, keep: bool = False) -> Iterator[BinaryIO]:
    """A file that takes its name when the block succeeds, else vanishes; arguments as in ``write``."""
    given = path_of(path)
    try:
        place, there = _place(given)
        if there is not None and (not stat.S_ISREG(there.st_mode) or str(given).startswith(_DIRECT)):
            with _device(given) as file:
                yield file
            return
        # the kernel applies the process's mask; what replaces a file starts closed and gets that file's mode
        with _beside(place, 0o666 if there is None else 0o600) as (temporary, handle):
            with os.fdopen(handle, "wb") as file:
                if there is not None:
                    _same_owner(handle, there)
                yield file
                file.flush()
                if durable:
                    os.fsync(handle)
            if not (keep and place.exists()):
                os.replace(temporary, place)
        if durable:
            sync(place.parent)
    except OSError as error:
        name = _short(os.fspath(path))
        raise InputError(f"cannot write {name!r}: {error.strerror or error}; {_remedy(error)}") from None


@contextlib.contextmanager
def _beside(place: Path, mode: int) -> Iterator[tuple[Path, int]]:
    """A new file beside a place and its handle; it is gone in the end, unless it was renamed.

    Its name follows from the place, so that what a killed process left there is found and removed. Whoever writes
    holds its lock; a second writer takes a name of its own.
    """
    usual = place.with_name(f".ordern-{_tag(place)}{PART}")
    with contextlib.suppress(OSError, InputError), locked(usual) as sure:
        if sure:
            usual.unlink()
    for temporary in (usual, place.with_name(f".ordern-{secrets.token_hex(8)}{PART}")):
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        except FileExistsError:
            continue
        made, lock = os.fstat(handle), os.dup(handle) if os.name == "posix" else None  # an open file stays on Windows
        # another writer may have taken it for abandoned before it was locked, and removes it then
        mine = temporary != usual or (lock is not None and _lock(lock) and _is(made, temporary))
        try:
            if mine:
                yield temporary, handle
                return
            os.close(handle)
        finally:
            if mine and _is(made, temporary):
                temporary.unlink()
            if lock is not None:
                os.close(lock)


def _is(known: os.stat_result, path: Path) -> bool:
    """Whether a file still has this name."""
    try:
        return os.path.samestat(known, os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _place(path: Path) -> tuple[Path, os.stat_result | None]:
    """The target path, links resolved, and what is there; folders and unwritable files are refused."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return (Path(os.path.realpath(path)) if path.is_symlink() else path), None
    if stat.S_ISDIR(there.st_mode):
        raise InputError(f"cannot write {_short(str(path))!r}: it is a folder; give the name of a file")
    if not (stat.S_ISREG(there.st_mode) or stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
        raise InputError(f"cannot write {_short(str(path))!r}: it is a disk or a socket; give the name of a file")
    if not os.access(path, os.W_OK):
        raise InputError(
            f"cannot write {_short(str(path))!r}: it is write-protected; choose another name, or allow writing"
        )
    return (Path(os.path.realpath(path)) if path.is_symlink() and stat.S_ISREG(there.st_mode) else path), there


def _device(path: Path) -> Any:
    """Write to a terminal, /dev/null or a pipe directly; a pipe nobody reads is an error, not a wait."""
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


def sync(path: Path) -> None:
    """Force a file, or a folder's entries, to the disk; not every system can do the second."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | _BINARY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def whole_folder(path: str | os.PathLike[str], ours: Callable[[Path], bool]) -> Iterator[Path]:
    """A new folder to fill that takes its name when the block ends well, all of it on the disk; it is gone when the
    block does not.

    Args:
        path: of the folder.
        ours: whether a folder that is there already may be replaced; any other is refused, and left as it is.
    """
    given = path_of(path)
    place = Path(os.path.realpath(given))

    def check() -> None:
        if place.exists() and not (place.is_dir() and ours(place)):
            raise InputError(
                f"{_short(str(given))!r} is there and holds other things; give another name, or remove it yourself"
            )

    try:
        check()
        begun = f".ordern-{_tag(place)}-"
        _remove_abandoned(place.parent, begun)
        part = place.with_name(f"{begun}{secrets.token_hex(8)}{PART}")
        old = part.with_suffix(".old")
        part.mkdir()
        made = os.stat(part)
        try:
            with locked(part):
                yield part
                if not _is(made, part):
                    raise InputError(f"{_short(str(given))!r}: its folder was removed while it was written; try again")
                for folder, _, names in os.walk(part):
                    for name in names:
                        sync(Path(folder, name))
                    sync(Path(folder))
                check()
                _take_place(part, place, old)
            sync(place.parent)
        finally:
            for left in (part, old):
                _remove(left)
    except OSError as error:
        raise InputError(f"cannot write {_short(str(given))!r}: {error.strerror or error}; {_remedy(error)}") from None


def _remove(folder: Path) -> None:
    """A folder into which other threads (Zarr's) may still be writing for a moment."""
    for pause in (0.0, 0.01, 0.1, 1.0):
        time.sleep(pause)
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def _remedy(error: OSError) -> str:
    """What to do about a file that cannot be written."""
    known = {
        errno.ENOENT: "make the folder first, or choose another one",
        errno.ENOTDIR: "what should be a folder is a file; choose another one",
        errno.EACCES: "change its permissions, or choose another folder",
    }
    return known.get(error.errno or 0, "make room, or choose another folder")


def _take_place(part: Path, place: Path, old: Path) -> None:
    """A folder takes the name of another in one step where the system can (Linux): no kill leaves neither there."""
    if not place.exists():
        os.rename(part, place)
        return
    import ctypes

    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        exchange = None
    if exchange is None or exchange(_HERE, os.fsencode(part), _HERE, os.fsencode(place), _EXCHANGE) != 0:
        os.rename(place, old)
        os.rename(part, place)


def _tag(place: Path) -> str:
    """Of a name, short and without its letters."""
    return hashlib.sha256(os.fsencode(place.name)).hexdigest()[:12]


def _remove_abandoned(parent: Path, begun: str) -> None:
    """Folders that killed processes were filling: whoever fills one holds its lock."""
    for item in list(parent.glob(f"{begun}*{PART}")):
        with contextlib.suppress(OSError, InputError), locked(item):
            shutil.rmtree(item, ignore_errors=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Alone in a folder or with a file; the lock goes with the process, however it ends. Another owner is an
    InputError; where the system has no locks, none are taken, and False is given.
    """
    if not hasattr(os, "O_NOFOLLOW"):
        yield False
        return
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | _BINARY)
    try:
        sure = _lock(handle)
        if sure is None or (sure and not _is(os.fstat(handle), path)):
            raise InputError(f"{_short(str(path))}: another process writes there; wait for it, or give another name")
        yield bool(sure)
    finally:
        os.close(handle)


def _lock(handle: int) -> bool | None:
    """Whether a file is locked now; None where another has done so."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    except (ImportError, OSError):  # a system or a file system without locks
        return False
    return True


LARGEST = 256 * 1024 * 1024  # bytes: a chain of 20,000 links needs some 20 MB
