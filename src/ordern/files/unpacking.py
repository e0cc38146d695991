"""Packed data of unknown origin, unpacked within bounds.

A few kilobytes of zstd, lz4 or bzip2 become gigabytes of zeros, and the sizes that they announce may be lies. What is
unpacked here is unpacked in pieces, and the pieces of one file are counted together. What another library unpacks
(chunks of Zarr stores) is walked first, block by block, without unpacking it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

from ..errors import InputError
from . import PIECE

__all__ = ["Unpacker", "zstd_size"]

FRAMES = 1000  # one after the other in one packed text: each is copied once for every frame before it
_ZSTD, _SIZES, _IDS = 0xFD2FB528, (0, 2, 4, 8), (0, 1, 2, 4)


class Unpacker:
    """How much a file may still become: every piece that is unpacked is taken off.

    Args:
        most: bytes in all.
        where: the file, for messages.
    """

    def __init__(self, most: int, where: str) -> None:
        self.left, self.most, self.where = most, most, where

    def take(self, count: int) -> None:
        """Count what has become of the file, or refuse it."""
        self.left -= count
        if self.left < 0:
            raise InputError(f"{self.where}: unpacked it would take more than {self.most} bytes, too much for its size")

    def plain(self, data: bytes) -> bytes:
        """Count unpacked members too: an index may name the same bytes often."""
        self.take(len(data))
        return data

    def unpack(self, make: Callable[[], Any], data: bytes) -> bytes:
        """All frames of a packed text; ``make`` gives a decompressor as bz2, lz4.frame and zstd have them."""
        made: list[bytes] = []
        for _ in range(FRAMES):
            if not data:
                return b"".join(made)
            frame = make()
            while not frame.eof:
                piece = frame.decompress(data, max_length=PIECE)
                data = b""
                if not piece and not frame.eof and frame.needs_input:
                    raise EOFError("the packed data is cut off")
                self.take(len(piece))
                made.append(piece)
            data = frame.unused_data or b""
        raise InputError(f"{self.where}: a packed text of more than {FRAMES} pieces; write the log again")


def zstd_size(file: BinaryIO, end: int) -> int | None:
    """What one zstd frame from here to ``end`` says it holds (RFC 8878).

    None where it is no frame, says nothing, or is not all there is.
    """
    head = file.read(5)
    if len(head) < 5 or int.from_bytes(head[:4], "little") != _ZSTD:
        return None
    flags = head[4]
    alone, check = flags >> 5 & 1, flags >> 2 & 1
    width = _SIZES[flags >> 6] or alone
    file.seek((1 - alone) + _IDS[flags & 3], 1)
    size = int.from_bytes(file.read(width), "little") + (256 if width == 2 else 0) if width else None
    last = False
    while not last:
        block = file.read(3)
        if len(block) < 3:
            return None
        word = int.from_bytes(block, "little")
        last = bool(word & 1)
        file.seek(1 if word >> 1 & 3 == 1 else word >> 3, 1)  # a byte that is repeated, or so many bytes
    return size if file.tell() + 4 * check == end else None
