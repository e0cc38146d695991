"""Where a mesh file of a robot lies: inside the folder of the robot's package, or nowhere.

``package://name/...`` is looked for in this order: a folder that the user named; the folders above the description that
are a package of this name by their package.xml, or the description's own folder if it is called so; ROS_PACKAGE_PATH;
AMENT_PREFIX_PATH.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from ..errors import InputError, OrdernError
from ..files import opened_file, path_of
from ..model import Model

__all__ = ["mesh_path", "package_folders", "package_roots"]

HIGHEST = 12  # folders to look upward
MANIFEST = 100_000  # bytes of a package.xml that are looked at
LARGEST_MANIFEST = 10_000_000  # bytes that it may have
DECLARED = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
INSIDE = ("urdf", "robots", "robot", "models", "model", "xacro")  # usual names of a package's folder for descriptions


def package_folders(packages: object) -> tuple[tuple[str, str], ...]:
    """Packages that a user named: a mapping of names to folders, checked."""
    if packages is None:
        return ()
    if not isinstance(packages, Mapping):
        raise InputError(f"packages must map names to folders, got a {type(packages).__name__}")
    made = []
    for name, folder in packages.items():
        if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\\" in name:
            raise InputError(
                f"packages: {str(name)[:80]!r} is no name of a package; give a word such as 'my_robot_description'"
            )
        place = path_of(folder)
        if not place.is_dir():
            raise InputError(f"packages: there is no folder {str(place)[-200:]!r} for {name[:80]!r}")
        made.append((name, str(place.absolute())))
    return tuple(made)


def mesh_path(model_or_source: Model | str | os.PathLike[str], path: str) -> Path | None:
    """The file that a description means by ``path`` (relative, package:// or file://), or None.

    What is not a file inside of the package (or, for other paths, of the description's own one), once ``..`` and
    symbolic links are
    followed, is None: no description can make the program read other files.
    """
    named: tuple[tuple[str, str], ...] = ()
    if isinstance(model_or_source, Model):
        named, source = model_or_source.packages, model_or_source.source
    else:
        source = os.fspath(model_or_source)
    try:
        return _found(Path(source).absolute(), path, named) if source and path and Path(source).is_file() else None
    except (OSError, ValueError, RuntimeError):  # unreadable folders, NUL characters, loops of links
        return None


def _found(source: Path, path: str, named: tuple[tuple[str, str], ...]) -> Path | None:
    if path.startswith("package://"):
        name, _, rest = path[len("package://") :].lstrip("/").partition("/")  # some write package:///
        places = ((root, root / rest) for root in _package(source, name, named))
    else:
        plain = unquote(path[len("file://") :]) if path.startswith("file://") else path
        places = (pair for pair in [(_home(source), source.parent / plain)] if "://" not in plain)
    for root, wanted in places:
        found = wanted.resolve()
        if found.is_relative_to(root.resolve()) and found.is_file():
            return found
    return None


def _declared(folder: Path) -> str | None:
    """The name in the folder's package.xml; None where there is none."""
    manifest = folder / "package.xml"
    if not manifest.is_file():
        return None
    try:
        with opened_file(manifest, LARGEST_MANIFEST, "package.xml") as file:
            found = DECLARED.search(file.read(MANIFEST))
    except OrdernError:
        return None
    return found[1].decode("utf-8", "replace") if found else ""


def _package(source: Path, name: str, named: tuple[tuple[str, str], ...]) -> Iterator[Path]:
    """The folders that are the package of this name."""
    if name in ("", ".", "..") or "\\" in name:
        return
    mine = dict(named)
    if name in mine:
        yield Path(mine[name])
        return
    own = _home(source)
    for folder in list(source.parents)[:HIGHEST]:
        declared = _declared(folder)
        if (
            declared == name
            or (declared is not None and folder.name == name)
            or (folder == own and folder.name == name)
        ):
            yield folder
    for root in _folders("ROS_PACKAGE_PATH"):
        for folder in (root, root / name):
            if _declared(folder) == name:
                yield folder
    for root in _folders("AMENT_PREFIX_PATH"):
        if _declared(root / "share" / name) is not None:
            yield root / "share" / name


def package_roots(source: Path, named: tuple[tuple[str, str], ...]) -> tuple[Callable[[str], Path | None], list[Path]]:
    """How to find a package of a description, and the folders below which its files may lie."""
    roots = [_home(source), *(Path(folder) for _, folder in named), *_folders("ROS_PACKAGE_PATH")]
    roots += [root / "share" for root in _folders("AMENT_PREFIX_PATH")]
    return lambda name: next(_package(source, name, named), None), roots


def _folders(variable: str) -> list[Path]:
    return [
        Path(part) for part in os.environ.get(variable, "").split(os.pathsep)[:100] if part and Path(part).is_absolute()
    ]


def _home(source: Path) -> Path:
    """The folder relative paths may not leave: of the nearest package.xml, else around a folder such as urdf/, else the
    file's own.
    """
    for folder in list(source.parents)[:HIGHEST]:
        if _declared(folder) is not None:
            return folder
    own = source.parent
    return own.parent if own.name in INSIDE and own.parent != own.parent.parent else own
