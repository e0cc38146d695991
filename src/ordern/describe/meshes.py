"""Where a mesh file of a robot lies: inside the folder of the robot's package, or nowhere."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from ..model import Model

__all__ = ["mesh_path"]

HIGHEST = 12  # folders to look upward
DECLARED = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
INSIDE = ("urdf", "robots", "robot", "models", "model", "xacro")  # usual names of a package's folder for descriptions


def mesh_path(model_or_source: Model | str | os.PathLike[str], path: str) -> Path | None:
    """The file that a description means by ``path`` (relative, package:// or file://), or None.

    The package is the folder above the description that has the package's name or its package.xml. What is not a file inside of it,
    once ``..`` and symbolic links are followed, is None: no description can make the program read other files.
    """
    source = model_or_source.source if isinstance(model_or_source, Model) else os.fspath(model_or_source)
    try:
        return _inside(Path(source).absolute(), path) if source and path and Path(source).is_file() else None
    except (OSError, ValueError, RuntimeError):  # unreadable folders, NUL characters, loops of links
        return None


def _inside(source: Path, path: str) -> Path | None:
    if path.startswith("package://"):
        name, _, rest = path[len("package://") :].partition("/")
        root = _package(source, name)
        wanted = None if root is None else root / rest
    else:
        root = _home(source)
        plain = unquote(path[len("file://") :]) if path.startswith("file://") else path
        wanted = None if "://" in plain else source.parent / plain
    if root is None or wanted is None:
        return None
    found = wanted.resolve()
    return found if found.is_relative_to(root.resolve()) and found.is_file() else None


def _declared(folder: Path) -> str | None:
    """The name in the folder's package.xml."""
    manifest = folder / "package.xml"
    if not manifest.is_file():
        return None
    found = DECLARED.search(manifest.read_bytes()[:100_000])
    return found[1].decode("utf-8", "replace") if found else ""


def _package(source: Path, name: str) -> Path | None:
    """The folder above the file that is the package of this name."""
    if name in ("", ".", "..") or "\\" in name:
        return None
    for folder in list(source.parents)[:HIGHEST]:
        if folder.name == name or _declared(folder) == name:
            return folder
    return None


def _home(source: Path) -> Path:
    """The folder relative paths may not leave: of the nearest package.xml, else around a folder such as urdf/, else the file's own."""
    for folder in list(source.parents)[:HIGHEST]:
        if _declared(folder) is not None:
            return folder
    own = source.parent
    return own.parent if own.name in INSIDE and own.parent != own.parent.parent else own
