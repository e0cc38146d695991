"""An MJCF file as elements: sections in order, includes expanded, nothing outside the file's folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from ...errors import ModelError, near
from ..description_file import read
from ..other_files import misnamed
from ..xml import Element, parse
from .mjcf_schema import HARMLESS, SECTIONS

__all__ = ["Place", "inside", "sections"]

DEEPEST = 30_000  # levels: bodies nest in MJCF, one level a link
MOST_FILES = 200  # files that one description may include


@dataclass
class Place:
    """Where a description lies, and what of its folder it has opened."""

    file: str  # as the user named it, for messages; empty for text
    folder: Path | None  # none for text: it has no folder to look into
    opened: list[Path] = field(default_factory=list)
    chain: tuple[Path, ...] = ()  # files that are still being read, outermost first: none may include itself


def inside(place: Place, where: str, name: str, also: Path | None = None) -> Path:
    """The file ``name`` in the folder of the description or of the including file; none outside is read."""
    if place.folder is None:
        raise ModelError(
            f"{where}: it names the file {name[:80]!r}, but a text has no folder; save the text to a file beside it"
        )
    plain = name.replace("\\", "/")
    if "\0" in plain or "://" in plain or PurePosixPath(plain).is_absolute() or PureWindowsPath(plain).drive:
        raise ModelError(
            f"{where}: {name[:80]!r} is no path within the folder of the description; name files relative to it"
        )
    root = place.folder.resolve()
    missing = None
    for base in dict.fromkeys((place.folder, also or place.folder)):
        try:
            found = (base / plain).resolve()
            if not found.is_relative_to(root):
                missing = missing or f"it lies outside the folder of the description, {str(root)!r}; copy it there"
            elif found.is_file():
                return found
            else:
                missing = f"there is no such file{_alike(found)}"
        except (OSError, ValueError, RuntimeError) as error:  # loops of links, names too long
            missing = f"it cannot be read ({str(error)[:80]})"
    raise ModelError(f"{where}: the file {name[:80]!r}: {missing}")


def _alike(path: Path) -> str:
    try:
        return near(path.name, [p.name for p in path.parent.iterdir()][:5000])
    except OSError:
        return ""


def sections(data: bytes, shown: str, place: Place, encoding: str | None = None) -> tuple[Element, list[Element]]:
    """The root element and its sections, those of included files in place of their <include>."""
    root, found = _file(data, shown, encoding)
    if root.tag != "mujoco":
        told = f"the outermost element is <{root.tag[:80]}>; an MJCF has <mujoco model='...'> there"
        raise ModelError(f"{root.where}: {told}{misnamed(root.tag, 'MJCF')}")
    for key in root.attributes:
        if key != "model":
            raise ModelError(f"{root.where}: MJCF has no attribute {key[:80]!r} there; remove it")
    made: list[Element] = []
    _included(found, made.append, place, None)
    for section in made:
        if section.tag not in SECTIONS:
            raise ModelError(
                f"{section.where}: MJCF has no section "
                f"<{section.tag[:80]}>{near(section.tag, SECTIONS) or '; remove it'}"
            )
    return root, made


def _file(data: bytes, shown: str, encoding: str | None = None) -> tuple[Element, list[Element]]:
    found: list[Element] = []
    root = parse(
        data,
        shown,
        HARMLESS,
        lambda _, child: found.append(child),
        encoding,
        deepest=DEEPEST,
        begins="an MJCF begins with <mujoco model='...'>",
    )
    return root, found


def _included(children: list[Element], put: Callable[[Element], None], place: Place, folder: Path | None) -> None:
    """Give each child to ``put``, with the contents of a file in place of an <include>, however deep it stands."""
    for child in children:
        if child.tag == "include":
            _open(child, put, place, folder)
            continue
        stack = [child]
        while stack:  # an include may stand inside a body too
            element = stack.pop()
            if any(c.tag == "include" for c in element.children):
                made: list[Element] = []
                for inner in element.children:
                    if inner.tag == "include":
                        _open(inner, made.append, place, folder)
                    else:
                        made.append(inner)
                element.children = made
            stack += element.children
        put(child)


def _open(element: Element, put: Callable[[Element], None], place: Place, folder: Path | None) -> None:
    name = element.text("file", "parts.xml")
    if element.children:
        raise ModelError(f"{element.where}: an <include> has nothing inside; remove it")
    path = inside(place, element.where, name, folder)
    if path in place.chain:
        loop = " -> ".join(p.name for p in (*place.chain, path))
        raise ModelError(f"{element.where}: it includes itself through {loop}; remove one <include>")
    if path in place.opened:
        raise ModelError(
            f"{element.where}: {name[:80]!r} is included twice; its elements would be there twice, remove one <include>"
        )
    if len(place.opened) >= MOST_FILES:
        raise ModelError(f"{element.where}: more than {MOST_FILES} files are included; put them together")
    place.opened.append(path)
    _, found = _file(read(path), os.path.relpath(path, place.folder) if place.folder else str(path))
    deeper = Place(place.file, place.folder, place.opened, (*place.chain, path))
    _included(found, put, deeper, path.parent)
