"""Arrays of .npz files, read within bounds."""

from __future__ import annotations

import io
import math
import os
import zipfile
from typing import Any

import numpy as np

from ..errors import InputError
from . import PACKED, PIECE, _short, expansion, opened_file, path_of

__all__ = ["read_arrays"]

MEMBERS = 100_000  # arrays of a packed file


def read_arrays(path: str | os.PathLike[str], what: str = "file") -> dict[str, Any]:
    """The arrays of an .npz file within bounds: plain numbers and texts, of sizes that the file announces and keeps."""
    name = _short(str(path_of(path)))
    try:
        with opened_file(path, PACKED, what) as whole, zipfile.ZipFile(whole) as packed:
            members, there = packed.infolist(), os.fstat(whole.fileno()).st_size
            size = sum(m.file_size for m in members)
            if len(members) > MEMBERS or size > expansion(there):
                raise InputError(
                    f"{name}: {len(members)} arrays of {size} bytes in a file of {there}; that is too much for a {what}"
                )
            made = {}
            for member in members:
                made[member.filename.removesuffix(".npy")] = _array(_unpacked(packed, member), member.file_size)
            if len(made) != len(members):
                raise ValueError("a name is there twice")
            return made
    except (InputError, FileNotFoundError):
        raise
    except Exception as error:  # zipfile, zlib and NumPy have a dozen kinds of complaints about bytes that changed
        text = str(error).encode("unicode_escape").decode()
        raise InputError(
            f"{name}: it holds no {what}, or a damaged one ({type(error).__name__}: {text[:120]})"
        ) from None


def _unpacked(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> io.BytesIO:
    """A zip member piece by piece: sizes in a file may lie, and zipfile unpacks before it checks."""
    if member.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):  # the others cannot be unpacked in pieces
        raise ValueError("packed by a method that NumPy does not use")
    content = io.BytesIO()
    with packed.open(member) as file:
        while piece := file.read(PIECE):
            content.write(piece)
    content.seek(0)
    return content


def _array(content: io.BytesIO, size: int) -> Any:
    """One array; its header may not announce more data than the file has, which NumPy would allocate."""
    reader = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    version = np.lib.format.read_magic(content)
    shape, _, dtype = reader[version](content)
    if dtype.hasobject or math.prod(shape) * dtype.itemsize + content.tell() != size:
        raise ValueError("the header does not fit the bytes")
    content.seek(0)
    return np.lib.format.read_array(content, allow_pickle=False)
