"""Numbers and texts of .mat files (level 5, as MATLAB, Octave and SciPy write them), read within bounds.

SciPy's reader takes the sizes in a file for true: a byte that changed on a disk is enough to end the process there.
Here every size is held against what is left of the element that it stands in, and packed elements are counted while
they grow.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Collection
from typing import Any, BinaryIO

import numpy as np

from ..errors import InputError
from . import PIECE
from .unpacking import Unpacker

__all__ = ["read_mat"]

MATRIX, PACKED, CHAR = 14, 15, 4
NUMERIC = range(6, 16)  # classes of arrays: double, single, and integers of 8 to 64 bits (logical ones are such)
NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
TEXTS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
ELEMENTS = 10_000  # of a file
COMPLEX, HEAD = 0x0800, 128


def read_mat(file: BinaryIO, wanted: Collection[str], budget: Unpacker) -> dict[str, Any]:
    """The ``wanted`` arrays (as doubles) and texts by name; None for cells, structs, sparse or complex arrays."""
    head = file.read(HEAD)
    order = {b"IM": "<", b"MI": ">"}.get(head[126:])
    if order is None:
        raise InputError(f"{budget.where} is no .mat file of level 5; save it with -v7 (not -v7.3)")
    made: dict[str, Any] = {}
    for _ in range(ELEMENTS):
        tag = file.read(8)
        if len(tag) < 8:
            return made
        kind, size = struct.unpack(f"{order}II", tag)
        if kind not in (MATRIX, PACKED):
            file.seek(size, 1)
            continue
        data = budget.plain(file.read(size)) if kind == MATRIX else _unpacked(file.read(size), budget, order)
        name, values = _matrix(data, order, wanted, budget)
        if name in wanted:
            made[name] = values
    raise InputError(f"{budget.where}: a .mat file of more than {ELEMENTS} elements is not read; save what is needed")


def _unpacked(data: bytes, budget: Unpacker, order: str) -> bytes:
    """The content of one element that was packed as a whole."""
    stream, made = zlib.decompressobj(), bytearray()
    while data:
        piece = stream.decompress(data, PIECE)
        budget.take(len(piece))
        made += piece
        data = stream.unconsumed_tail
    kind, size = struct.unpack_from(f"{order}II", made)
    if kind != MATRIX or size > len(made) - 8:
        raise ValueError("a packed element that holds no array")
    return bytes(made[8 : 8 + size])


def _part(data: bytes, at: int, order: str) -> tuple[int, bytes, int]:
    """The part of an element that begins at a byte: its kind, its bytes, and where the next one begins."""
    kind, size = struct.unpack_from(f"{order}II", data, at)
    if kind >> 16:  # four bytes or fewer stand in the place of the size
        kind, size, begin, end = kind & 0xFFFF, kind >> 16, at + 4, at + 8
        if size > 4:
            raise ValueError("a short part of more than four bytes")
    else:
        begin = at + 8
        end = begin + size + -size % 8
    if begin + size > len(data):
        raise ValueError("a part that is larger than its element")
    return kind, data[begin : begin + size], end


def _matrix(data: bytes, order: str, wanted: Collection[str], budget: Unpacker) -> tuple[str, Any]:
    """An array's name and values; None unless it holds real numbers or text."""
    _, flags, at = _part(data, 0, order)
    (word,) = struct.unpack_from(f"{order}I", flags)
    if word & 0xFF not in range(1, 16):  # objects of MATLAB, which are laid out in another way
        return "", None
    _, sizes, at = _part(data, at, order)
    _, letters, at = _part(data, at, order)
    name, shape, sort = letters.decode("latin-1"), np.frombuffer(sizes, f"{order}i4").tolist(), word & 0xFF
    if name not in wanted or (sort not in NUMERIC and sort != CHAR) or word & COMPLEX:
        return name, None
    kind, values, _ = _part(data, at, order)
    if sort == CHAR:
        ending = "" if TEXTS[kind] in ("utf-8", "latin-1") else "-le" if order == "<" else "-be"
        return name, values.decode(TEXTS[kind] + ending)
    packed = np.frombuffer(values, f"{order}{NUMBERS[kind]}")
    budget.take(8 * len(packed) - len(values))  # a byte becomes eight
    numbers = packed.astype(float)
    if min(shape, default=0) < 0 or math.prod(shape) != len(numbers):
        raise ValueError("sizes that do not fit the numbers")
    return name, numbers.reshape(shape, order="F")
