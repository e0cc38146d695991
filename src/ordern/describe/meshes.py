"""Where a mesh file of a robot lies: inside the folder of the robot's package, or nowhere.

``package://name/...`` is looked for in this order: a folder that the user named; the folders above the description that
are a package of this name by their package.xml, or the description's own folder if it is called so; ROS_PACKAGE_PATH;
AMENT_PREFIX_PATH.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..errors import InputError, OrdernError
from ..files import opened_file, path_of

if TYPE_CHECKING:  # for types alone: the process that xacro runs in needs neither models nor NumPy
    from ..model import Geometry, Model

__all__ = ["by_package", "left_behind", "mesh_path", "named_from", "package_folders", "package_roots"]

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
    found = _located(model_or_source, path)
    return None if found is None else found[1]


def _located(model_or_source: Model | str | os.PathLike[str], path: str) -> tuple[Path, Path] | None:
    """The folder that a mesh belongs to, and its file."""
    named: tuple[tuple[str, str], ...] = ()
    if isinstance(model_or_source, (str, os.PathLike)):
        source = os.fspath(model_or_source)
    else:
        named, source = model_or_source.packages, model_or_source.source
    try:
        if path and source and Path(source).is_file():
            return _found(Path(source).absolute(), path, named)
        by_name = path.startswith("package://") and not source  # robots that were put together have packages only
        return _found(None, path, named) if by_name else None
    except (OSError, ValueError, RuntimeError):  # unreadable folders, NUL characters, loops of links
        return None


def _parts(path: str) -> tuple[str, str]:
    """Package and place in it of package://..."""
    name, _, rest = path[len("package://") :].lstrip("/").partition("/")  # some write package:///
    return name, rest


def _found(source: Path | None, path: str, named: tuple[tuple[str, str], ...]) -> tuple[Path, Path] | None:
    roots: Iterable[Path]
    if path.startswith("package://"):
        name, rest = _parts(path)
        roots = _package(source, name, named) if source is not None else (Path(at) for n, at in named if n == name)
        places = [(root, root / rest) for root in roots]
    elif source is None:
        return None
    else:
        plain = unquote(path[len("file://") :]) if path.startswith("file://") else path
        roots = [_home(source), *(Path(at) for _, at in named)] if "://" not in plain else []
        places = [(root, source.parent / plain) for root in roots]
    for root, wanted in places:
        found = wanted.resolve()
        if found.is_relative_to(root.resolve()) and found.is_file():
            return root, found
    return None


def mesh_shapes(model: Model) -> Iterator[str]:
    """The paths of all meshes, each once."""
    shapes = (shape for link in model.links for shape in (*link.visuals, *link.collisions))
    yield from dict.fromkeys(shape.path for shape in shapes if shape.kind == "mesh")


def _renamed(model: Model, paths: Mapping[str, str]) -> Model:
    def of(shapes: tuple[Geometry, ...]) -> tuple[Geometry, ...]:
        return tuple(replace(s, path=paths[s.path]) if s.path in paths else s for s in shapes)

    links = tuple(replace(k, visuals=of(k.visuals), collisions=of(k.collisions)) for k in model.links)
    return replace(model, links=links)


def by_package(model: Model, beside: Sequence[Model]) -> Model:
    """The model with meshes named by package, found from anywhere; names the other models use stay theirs."""
    taken = {name: folder for other in beside for name, folder in other.packages}
    for other in beside:
        used = (
            (_parts(path)[0], _located(other, path)) for path in mesh_shapes(other) if path.startswith("package://")
        )
        taken |= {name: str(found[0]) if found else "" for name, found in used if name not in taken}
    made, paths = dict(model.packages), {}
    for path in mesh_shapes(model):
        found = _located(model, path)
        if found is None:
            continue
        root, file = found
        name, rest = _parts(path) if path.startswith("package://") else (root.name, "")
        name = name.replace("\\", "_") or "robot"
        while {taken.get(name, str(root)), made.get(name, str(root))} != {str(root)}:
            name += "_"
        made[name] = str(root)
        paths[path] = f"package://{name}/{rest or file.relative_to(root.resolve()).as_posix()}"
    return replace(_renamed(model, paths), packages=tuple(made.items()))


def named_from(model: Model, folder: Path) -> Model:
    """The model with relative paths of meshes as seen from the folder that its file is written to."""
    if not model.source or Path(model.source).absolute().parent == folder:
        return model
    plain = [path for path in mesh_shapes(model) if "://" not in path and not os.path.isabs(path)]
    found = {path: mesh_path(model, path) for path in plain}
    there = {path: os.path.relpath(file, folder.resolve()) for path, file in found.items() if file is not None}
    return _renamed(model, {path: new.replace(os.sep, "/") for path, new in there.items()})


def left_behind(model: Model, path: Path, absolute: bool = False) -> list[str]:
    """Meshes that ordern finds for the model, but not for the file that was written of it: what to do, for a message.

    ``absolute``: the file names meshes by where they lie, not by packages.
    """
    lost = []
    for shape in mesh_shapes(model):
        found = _located(model, shape)
        if found is not None:
            by_place = absolute or "://" not in shape
            named = os.path.relpath(found[1], path.resolve().parent) if by_place else shape
            if mesh_path(path, named) is None:
                lost.append((shape, found[0], by_place))
    if not lost:
        return []
    packages = {root.name if by_place else _parts(shape)[0]: str(root) for shape, root, by_place in lost}
    return [
        f"{len(lost)} meshes ({lost[0][0]!r}) lie outside of this file's folder, where ordern does not look for them; "
        f"load it with packages={packages}"
    ]


def _declared(folder: Path) -> str | None:
    """The name in the folder's package.xml, or None."""
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
    """The folder relative paths may not leave: that of package.xml, around a urdf/, or the file's own."""
    for folder in list(source.parents)[:HIGHEST]:
        if _declared(folder) is not None:
            return folder
    own = source.parent
    return own.parent if own.name in INSIDE and own.parent != own.parent.parent else own
