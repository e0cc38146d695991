"""Runs in Zarr stores that know their own content.

A store is a Zarr v3 group that others open as it is (xarray, zarr-python in any language). Three things make damage
visible. What was never written reads as NaN. Every chunk ends with a CRC-32C, which any reader checks. And the group's
attributes hold SHA-256 sums, of the arrays' metadata and of each part of the runs, sealed by a sum of their own, so
that a chunk that is missing, old, or from another store is found too. A store is built beside its place and renamed,
and a part counts when its chunks and the attributes that name it are on the disk.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, need
from ..files import expansion, opened_file, read_bytes, sync, whole_folder, write
from ..files.unpacking import zstd_size

__all__ = ["META", "ROOT", "Store", "add_array", "check_chunks", "check_sizes", "chunk_names", "digest", "has_links"]

ROOT = "zarr.json"  # Zarr's own file in each group and array
LARGEST = 256 * 2**20  # bytes of a group's attributes: the robot's text and 64 characters a part
META = 2**20  # bytes of an array's description
# arrays of a store
NAMES = frozenset({"time", "q", "qd", "qdd", "tau", "energy", "power", "status", "steps", "rejected", "evaluations"})
CHUNK = 2**31  # bytes of a chunk
KEY = re.compile(r"c(/\d+)+")  # the name of a chunk; Zarr reads no other files
LEFT = re.compile(r"c(/\d+)+(\.[0-9a-f]{32}\.partial)?")  # or of what Zarr was writing when it was killed
GROUP = {"zarr_format": 3, "node_type": "group"}
CRC = 4  # bytes of checksum at the end of a chunk
FIXED = {"zarr_format": 3, "node_type": "array", "storage_transformers": []} | {
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}
}


class Store:
    """A store that is there and whole but for the parts that ``damaged`` names.

    Attributes:
        path: of the group.
        attributes: of the group, as they were sealed; ``parts`` has a sum for each part that is done and None for the
            others.
    """

    def __init__(self, path: Path, attributes: dict[str, Any]) -> None:
        self.path, self.attributes = path, attributes

    @classmethod
    def make(
        cls, path: Path, attributes: Mapping[str, Any], fill: Callable[[Any, Path], Iterable[str | None]]
    ) -> Store:
        """A new one; ``fill`` makes the arrays in a group and returns the sums of its parts."""
        zarr: Any = need("zarr", "simulate")
        with whole_folder(path, is_store) as part:
            # "w" would remove the folder and make another, without the lock that keeps other writers away from it
            group = zarr.open_group(str(part), mode="a", zarr_format=3)
            made = cls(part, dict(attributes))
            made.attributes["parts"] = list(fill(group, part))
            made.attributes["metadata"] = digest(part, _metadata(part))
            made.seal()
        return cls(path, made.attributes)

    @classmethod
    def open(cls, path: Path) -> Store:
        """One that is there; an InputError where its attributes or its arrays' metadata are not what was written."""
        try:
            group = json.loads(read_bytes(path / ROOT, LARGEST, "store of ordern"))
            known = group["attributes"]
            seal = known.pop("seal", None)
            if seal is None or not {"ordern", "parts", "metadata"} <= set(known):
                raise InputError(
                    f"{path} holds no run of ordern, or one of ordern 0.1, which had no checksums; simulate it again"
                )
            same = all(group[name] == value for name, value in GROUP.items())
            if not same or seal != _sum(known) or known["metadata"] != digest(path, _metadata(path)):
                raise InputError(
                    f"{path} was damaged or changed after it was written: its description does not match its checksum; "
                    "simulate it again"
                )
        except InputError:
            raise
        except Exception as error:  # of a file that may hold anything
            raise InputError(f"{path} holds no run of ordern ({type(error).__name__})") from None
        return cls(path, known)

    def group(self, mode: str = "r") -> Any:
        """Zarr's."""
        zarr: Any = need("zarr", "simulate")
        try:
            return zarr.open_group(str(self.path), mode=mode, zarr_format=3, use_consolidated=False)
        except Exception as error:
            raise InputError(f"{self.path} cannot be opened as a Zarr store ({type(error).__name__})") from None

    def seal(self) -> None:
        """Write the attributes with their own sum, whole and on the disk."""
        known = self.attributes | {"seal": _sum(self.attributes)}
        write(self.path / ROOT, json.dumps(GROUP | {"attributes": known}), durable=True)

    def finish(self, part: int, names: Sequence[str]) -> None:
        """A part's chunks are written: from here on they count."""
        there = [name for name in names if (self.path / name).exists()]
        # and every folder that leads to them: one that is new has an entry in the one above it
        folders = {folder for name in there for folder in Path(name).parents}
        for name in (*map(Path, there), *sorted(folders)):
            sync(self.path / name)
        self.attributes["parts"][part] = digest(self.path, names)
        self.seal()

    def damaged(self, names: Callable[[int], Sequence[str]]) -> list[int]:
        """Parts that are said to be done but are not as they were written."""
        parts = self.attributes["parts"]
        return [k for k, known in enumerate(parts) if known is not None and known != digest(self.path, names(k))]


def is_store(path: Path) -> bool:
    """Whether a folder holds a run written by this library and nothing else."""
    try:
        known = json.loads(read_bytes(path / ROOT, LARGEST))
        files = [p.relative_to(path).parts for p in path.rglob("*") if p.is_symlink() or not p.is_dir()]
        ours = all(
            f == (ROOT,) or (f[0] in NAMES and (f[1:] == (ROOT,) or LEFT.fullmatch("/".join(f[1:])))) for f in files
        )
        return "ordern" in known["attributes"] and ours and not has_links(path)
    except Exception:  # a folder that may hold anything: not ours, so it stays
        return False


def has_links(path: Path) -> bool:
    """Whether something in a folder leads elsewhere: ordern makes no links, and must not write where others lead it."""
    return any(p.is_symlink() for p in path.rglob("*"))


def add_array(
    group: Any,
    name: str,
    shape: Sequence[int],
    dtype: str,
    dimensions: Sequence[str],
    chunks: Any = "auto",
    packed: bool = True,
) -> Any:
    """An array with checksummed chunks; unwritten values are NaN (0 for integers)."""
    codecs: Any = need("zarr.codecs", "simulate")
    pack = [codecs.ZstdCodec(level=1)] if packed else []
    return group.create_array(
        name, shape=tuple(shape), chunks=chunks, dtype=dtype, dimension_names=list(dimensions),
        fill_value=np.nan if dtype == "float64" else 0,
        compressors=[*pack, codecs.Crc32cCodec()], config={"write_empty_chunks": True},
    )  # fmt: skip


def check_sizes(path: Path, streamed: bool) -> None:
    """Refuse arrays that ordern does not write, and those that would be far more in memory than they are on disk.

    What is not there is NaN, as often as is asked for. Of a ``streamed`` store, which may be unfinished, the rows of
    runs stay on disk.
    """
    there, wanted = 0, 0
    for place in path.iterdir():
        if place.is_dir():
            shape, chunk, _ = _description(place)
            if not streamed or len(shape) == 1:
                wanted += 8 * max(math.prod(shape), math.prod(chunk))
            if 8 * math.prod(chunk) > CHUNK:
                raise InputError(f"{path}: a chunk of {8 * math.prod(chunk)} bytes is too much for a store")
            there += sum(p.stat().st_size for p in place.rglob("*") if p.is_file())
    if wanted > expansion(there):
        raise InputError(f"{path}: it would take {wanted} bytes of memory; that is too much for a store of {there}")


def check_chunks(path: Path) -> None:
    """Refuse chunks that unpack to another size than declared: Zarr unpacks before it checks."""
    for place in path.iterdir():
        if place.is_dir():
            _, chunk, packed = _description(place)
            wanted = 8 * math.prod(chunk)
            for name in filter(KEY.fullmatch, chunk_names(place)):
                with opened_file(place / name, CHUNK, "chunk") as file:
                    end = file.seek(0, 2) - CRC
                    file.seek(0)
                    if (zstd_size(file, end) if packed else end) != wanted:
                        raise InputError(f"{path}: {place.name}/{name} does not hold {wanted} bytes; it was forged")


def _description(place: Path) -> tuple[list[int], list[int], bool]:
    """Shape, shape of chunks and whether they are packed, of an array as ``add_array`` makes them; no other is read."""
    known = json.loads(read_bytes(place / ROOT, META, "store of ordern"))
    codecs = [codec["name"] for codec in known["codecs"]]
    same = all(known.get(name) == value for name, value in FIXED.items())
    number = known["data_type"] in ("float64", "int64") and known["chunk_grid"]["name"] == "regular"
    if not (same and number and codecs in (["bytes", "zstd", "crc32c"], ["bytes", "crc32c"])):
        raise InputError(f"{place} is not an array that ordern writes; simulate it again, or open it with zarr")
    return known["shape"], known["chunk_grid"]["configuration"]["chunk_shape"], "zstd" in codecs


def chunk_names(path: Path) -> list[str]:
    """Every file of every array, but its metadata."""
    return sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file() and p.name != ROOT)


def digest(path: Path, names: Iterable[str]) -> str:
    """Of files by name; one that is not there counts as that."""
    total = hashlib.sha256()
    for name in names:
        total.update(name.encode() + b"\0")
        try:
            total.update(hashlib.sha256(read_bytes(path / name, CHUNK, "chunk")).digest())
        except FileNotFoundError:
            total.update(b"absent")
    return total.hexdigest()


def _metadata(path: Path) -> list[str]:
    return sorted(f"{p.name}/{ROOT}" for p in path.iterdir() if p.is_dir())


def _sum(attributes: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(attributes, sort_keys=True).encode()).hexdigest()
