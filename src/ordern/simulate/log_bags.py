"""Logs in ROS 2 bags: MCAP and SQLite, through the library rosbags (extra "logs"); no ROS is needed."""

from __future__ import annotations

import bz2
import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ..errors import InputError, near, need
from ..files import expansion, opened_file
from ..files.unpacking import Unpacker
from .log_tables import Samples, from_messages

__all__ = ["is_bag", "read_bag"]

LARGEST = 2**40  # bytes of a bag
DESCRIPTION = 2**24  # bytes of its metadata.yaml
FILES = 100_000  # of the folder of a bag
TYPE = "sensor_msgs/msg/JointState"
# in a table of SQLite: what is worked out may be of any size
COMPUTED = re.compile(r"\b(as|generated|virtual)\b", re.I)
_ONE = threading.Lock()


def is_bag(path: Path) -> bool:
    """Whether this is a bag, by its name: a file, or a folder with a description."""
    return path.suffix.lower() in (".mcap", ".db3", ".bag") or (path.is_dir() and (path / "metadata.yaml").is_file())


def read_bag(path: Path, names: Sequence[str], unit: Mapping[str, float], where: str, topic: str | None) -> Samples:
    """The JointState messages of one topic; that one which has the robot's joints, unless it is named."""
    size = _ordinary(path, where)
    bags: Any = need("rosbags.highlevel", "logs")
    stores: Any = need("rosbags.typesys", "logs")
    try:
        with (
            _bounded(Unpacker(expansion(size), where)),
            bags.AnyReader([path], default_typestore=stores.get_typestore(stores.Stores.LATEST)) as reader,
        ):
            found = {c.topic: c for c in reader.connections if c.msgtype == TYPE}
            if topic is not None and topic not in found:
                raise InputError(f"{where}: there is no topic {topic!r} of {TYPE}{near(topic, found, listed=True)}")
            if not found:
                there = ", ".join(sorted({f"{c.topic} ({c.msgtype})" for c in reader.connections})[:8]) or "nothing"
                raise InputError(f"{where}: no topic of it has the type {TYPE}; it holds {there}")
            chosen = topic or max(found, key=lambda name: _met(reader, found[name], names))
            made = from_messages(_messages(reader, found[chosen]), names, unit, "message")
    except InputError:
        raise
    except Exception as error:  # a damaged bag may raise anything
        text = " ".join(str(error).split())[:120]
        raise InputError(
            f"{where}: it cannot be read as a ROS bag ({type(error).__name__}: {text}); try ros2 bag info, or take a "
            "copy"
        ) from None
    others = [name for name in found if name != chosen]
    made.notes.append(f"topic {chosen}" + (f" (there are {', '.join(others[:6])} too)" if others else ""))
    return made


def _ordinary(path: Path, where: str) -> int:
    """Only files on disk, and their bytes: a pipe would be waited for without end, also where no signal is heard."""
    parts, size = list(islice(path.iterdir(), FILES)) if path.is_dir() else [path], 0
    for part in parts:
        if not part.is_dir():
            with opened_file(part, DESCRIPTION if part.suffix == ".yaml" else LARGEST, "log") as file:
                size += file.seek(0, 2)
    if len(parts) == FILES:
        raise InputError(f"{where}: a folder of more than {FILES} files is no ROS 2 bag; name the bag in it")
    return size


@contextlib.contextmanager
def _bounded(budget: Unpacker) -> Iterator[None]:
    """While the block lasts, what rosbags unpacks is counted: it trusts the sizes that a bag says, or asks for none."""
    one: Any = need("rosbags.rosbag1.reader", "logs")
    two: Any = need("rosbags.rosbag2.reader", "logs")
    mcap: Any = need("rosbags.rosbag2.storage_mcap", "logs")
    lz4: Any = need("lz4.frame", "logs")
    zstd = two.zstd
    makers = {"bz2": bz2.BZ2Decompressor, "lz4": lz4.LZ4FrameDecompressor, "zstd": zstd.ZstdDecompressor}

    def ways(theirs: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: (lambda data, *_, make=makers[name]: budget.unpack(make, data))
            if name in makers
            else (lambda data, *_: budget.plain(data))
            for name in theirs
            if name in (*makers, "", "none")
        }

    @contextlib.contextmanager
    def counted(file: Any, mode: str) -> Iterator[Any]:
        """A file that is packed as a whole, which rosbags copies to a temporary folder."""
        with zstd.open(file, mode) as source:
            yield SimpleNamespace(read=lambda count: budget.plain(source.read(count)))

    def opened(reader: Any) -> None:
        _only_tables(reader.path, budget.where)
        known[two.Sqlite3Reader, "open"](reader)

    bounded = SimpleNamespace(open=counted, decompress=lambda data: budget.unpack(zstd.ZstdDecompressor, data))
    with _ONE:
        places = ((one, "decompressors"), (mcap, "DECOMPRESSORS"), (two, "zstd"), (two.Sqlite3Reader, "open"))
        known = {(place, name): getattr(place, name) for place, name in places}
        made = [ways(one.decompressors), ways(mcap.DECOMPRESSORS), bounded, opened]
        try:
            for (place, name), value in zip(known, made, strict=True):
                setattr(place, name, value)
            yield
        finally:
            for (place, name), value in known.items():
                setattr(place, name, value)


def _only_tables(path: Path, where: str) -> None:
    """A view or a computed column of a forged database may count without end."""
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)) as base:
        for kind, name, text in base.execute("SELECT type, name, sql FROM sqlite_master"):
            if kind not in ("table", "index") or (kind == "table" and COMPUTED.search(text or "")):
                raise InputError(
                    f"{where}: {str(name)[:40]!r} is computed, which nothing of a ROS 2 bag is; write it again"
                )


def _met(reader: Any, connection: Any, names: Sequence[str]) -> int:
    """How many of the joints the first message of a topic has."""
    for _, _, raw in reader.messages([connection]):
        return len(set(names) & set(reader.deserialize(raw, connection.msgtype).name))
    return 0


def _messages(reader: Any, connection: Any) -> Iterator[tuple[Any, ...]]:
    for k, (_, received, raw) in enumerate(reader.messages([connection]), 1):
        said = reader.deserialize(raw, connection.msgtype)
        stamp = int(said.header.stamp.sec) * 10**9 + int(said.header.stamp.nanosec)
        yield k, stamp or int(received), list(said.name), list(said.position), list(said.velocity), list(said.effort)
