"""Compiled kernels on disk: so that a robot is compiled once on a machine, not once in a process.

An entry is one file named by the hash of its key: a magic word, the hash of what follows, a JSON header, machine code.
Nothing in it is believed before the hash is checked and the file has proved to belong to this user; whatever is wrong
is a miss, and it is made again. Where no folder can be had (read-only home, ``ORDERN_CACHE=off``) every look is a
miss and nothing is said.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["LIMIT", "fingerprint", "folder", "load", "save", "source_stamp"]

LIMIT = 256 * 2**20  # bytes of all entries together
_LOOKS = 64  # through the folder, for as many bytes as the limit: one takes as long as compiling a small kernel
_LARGEST = 64 * 2**20  # of one entry
_MAGIC = b"ordern1\n"
_OFF = {"off", "0", "no", "false", "none"}


def folder() -> Path | None:
    """The folder of the cache, made if need be; None if there is none that only this user can write to."""
    given = os.environ.get("ORDERN_CACHE", "").strip()
    if given.lower() in _OFF:
        return None
    try:
        path = Path(given).expanduser() if given else _home() / "ordern"
        if not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                path.mkdir(mode=0o700)
        return path if _ours(os.stat(path)) else None
    except (OSError, RuntimeError, ValueError):
        return None


def _home() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"


def _ours(status: os.stat_result) -> bool:
    """Whether this user owns it and nobody else may write to it."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Of the version and of every byte of this library's text: sizes and times are the same after some edits, and
    differ after a copy.
    """
    from .. import __version__

    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(root.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"\n{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """What else decides the machine code: this library's own text, LLVM, the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    parts = [source_stamp(), llvmlite.__version__, str(llvm.llvm_version_info), llvm.get_process_triple()]
    return "\n".join([*parts, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()])


def _path(key: str) -> Path | None:
    home = folder()
    return None if home is None else home / (hashlib.sha256(f"{key}\n{fingerprint()}".encode()).hexdigest() + ".kernel")


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Header and machine code kept under a key."""
    path = _path(key)
    if path is None:
        return None
    try:
        data = _read(path)
        if data is None or data[:8] != _MAGIC or hashlib.sha256(data[40:]).digest() != data[8:40]:
            return None
        size = int.from_bytes(data[40:48], "little")
        header, code = json.loads(data[48 : 48 + size]), data[48 + size :]
        if header["key"] != key:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return header, code


def _read(path: Path) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _ours(status) or status.st_size > _LARGEST:
            return None
        if time.time() - status.st_mtime > 3600:  # what is in use stays young, at the price of one touch an hour
            with contextlib.suppress(OSError):
                os.utime(path)
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read(_LARGEST)
    finally:
        os.close(handle)


def save(key: str, header: Mapping[str, Any], code: bytes) -> None:
    """Keep machine code; the file appears whole or not at all. Failure to write is no failure."""
    path = _path(key)
    if path is None:
        return
    text = json.dumps({**header, "key": key}).encode()
    body = len(text).to_bytes(8, "little") + text + code
    if len(body) > _LARGEST - 40:
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(part, path)
        except OSError:
            os.unlink(part)
        # by chance: processes that each save a little need no common tally
        if int(path.name[:8], 16) * LIMIT < len(body) * _LOOKS * 2**32:
            _trim(path.parent)
    except OSError:
        return


def _trim(home: Path) -> None:
    """Remove what was used longest ago until the rest is within the limit; parts that a killed process left go after an
    hour.
    """
    entries, now = [], time.time()
    for item in os.scandir(home):
        if not item.name.endswith((".kernel", ".part")):
            continue
        with contextlib.suppress(OSError):
            status = item.stat(follow_symlinks=False)
            if item.name.endswith(".part"):
                if now - status.st_mtime > 3600:
                    os.unlink(item.path)
            else:
                entries.append((status.st_mtime, status.st_size, item.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= LIMIT:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size
