"""The XML formats of robot files: suffixes, outermost elements and readers."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ModelError
from ..model import Model
from .other_files import INSTEAD

__all__ = ["FORMATS", "Format", "of_data", "of_suffix"]

ROOT = re.compile(rb"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<([A-Za-z_][\w.:-]*)", re.DOTALL)
FAR = 65536  # bytes in which the outermost element begins


@dataclass(frozen=True)
class Format:
    """One format; its module is imported when a file of it is read."""

    name: str
    suffixes: tuple[str, ...]
    root: str
    module: str
    function: str

    @property
    def read(self) -> Callable[..., Model]:
        """The function that reads a file or a text."""
        found: Callable[..., Model] = getattr(importlib.import_module(self.module, __package__), self.function)
        return found


FORMATS = (
    Format("URDF", (".urdf",), "robot", ".urdf.urdf_read", "load_urdf"),
    Format("MJCF", (".mjcf", ".xml"), "mujoco", ".mjcf.mjcf_read", "load_mjcf"),
    Format("SDF", (".sdf", ".world"), "sdf", ".sdf.sdf_read", "load_sdf"),
)


def of_suffix(suffix: str) -> Format | None:
    """The format that files with this ending have; .xml may be any of them."""
    return next((f for f in FORMATS if suffix in f.suffixes and suffix != ".xml"), None)


def of_data(what: str, data: bytes) -> Format:
    """The format by the outermost element; without one, URDF, whose reader says what is wrong."""
    start = data[:FAR].removeprefix(b"\xef\xbb\xbf")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = data[:FAR].decode("utf-16", "replace").encode()
    found = ROOT.match(start)
    if found is None:
        return FORMATS[0]
    root = found[1].decode("utf-8", "replace")
    for known in FORMATS:
        if known.root == root:
            return known
    kinds = ", ".join(f"<{f.root}> ({f.name})" for f in FORMATS)
    hint = f"; it is {INSTEAD[root]}" if root in INSTEAD else ""
    raise ModelError(f"{what}: the outermost element is <{root[:80]}>; ordern reads {kinds}{hint}")
