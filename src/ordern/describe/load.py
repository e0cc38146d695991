"""Load a robot from a file, the text of one, or a built-in name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, ModelError, shown, yes
from ..model import Model
from .builder import check_options
from .builtin import lookup, names
from .description_file import read
from .formats import FAR, FORMATS, Format, of_data, of_suffix
from .meshes import package_folders
from .other_files import is_other, looks_like
from .specs import triple
from .toml.toml_read import load_toml

__all__ = ["load"]

Source = str | os.PathLike[str]


def load(
    source: Source,
    *,
    gravity: Sequence[float] | None = None,
    base: str = "fixed",
    locked: Mapping[str, Any] | None = None,
    on_invalid: str = "error",
    mimic: bool = True,
    actuated: Sequence[str] | None = None,
    packages: Mapping[str, Source] | None = None,
    xacro_args: Mapping[str, Any] | None = None,
) -> Model:
    """Load a robot.

    Args:
        source: a .urdf, .xml (MJCF or URDF) or .toml file, ReDySim's inputs (.m or .mat), the text of an XML file, or a
            name: of a built-in robot ("panda", ...), "menagerie:franka_fr3", or of robot_descriptions
            ("panda_description"), where these are installed.
        gravity: in world axes (m/s^2); the description's own by default, which is (0, 0, -9.81) where it has none.
        base: "fixed" or "floating".
        locked: joints to weld, with their coordinates.
        on_invalid: "error", "warn" or "repair", for data that no real robot has.
        mimic: whether mimicking joints follow their masters.
        actuated: names of the joints with a drive; the description's own by default.
        packages: folders of ROS packages by name, for ``package://`` and xacro's ``$(find ...)``.
        xacro_args: arguments of a .xacro file.
    """
    text = _source_text(source)
    if gravity is not None:
        try:
            gravity = triple("load", "gravity", gravity)
        except ModelError as error:
            raise InputError(str(error)) from None
    check_options(base, locked, on_invalid)
    _check_lists(actuated, xacro_args)
    options: dict[str, Any] = {"base": base, "locked": locked or None, "on_invalid": on_invalid}
    options |= {"mimic": yes("mimic", mimic), "actuated": actuated}
    if (not isinstance(source, os.PathLike) and ":" in text[:20]) or text.endswith("_description"):
        from .collections import collection_file, is_collection_name

        if is_collection_name(text) and not _is_there(text):
            found = Path(collection_file(text))
            return load(found, gravity=gravity, packages=packages, xacro_args=xacro_args, **options)
    folders = package_folders(packages)
    kind = Path(text).suffix.lower() if "\n" not in text else ""
    is_text = text.lstrip("\ufeff \t\r\n").startswith("<")
    if xacro_args and (is_text or kind != ".xacro"):
        raise InputError(f"xacro_args is for .xacro files; {text[-80:]!r} is none")
    if not is_text and not kind and not isinstance(source, os.PathLike) and "/" not in text and not _is_there(text):
        if folders:
            raise InputError("packages is for files; a built-in robot has no packages")
        return _built_in(text, gravity, options)
    if is_text:
        kind_of = of_data("the text", text.lstrip("\ufeff")[:FAR].encode("utf-8", "replace"))
        model = kind_of.read(source, gravity=gravity, **options)
    else:
        model = _from_file(source, text, kind, gravity, options, (xacro_args, folders))
    return replace(model, packages=folders) if folders else model


def _source_text(source: Source) -> str:
    if not isinstance(source, (str, os.PathLike)):
        raise InputError(
            f"the robot is {shown(source)}; give a file (URDF, xacro, MJCF, SDF or TOML) or one of {', '.join(names())}"
        )
    text = os.fspath(source)
    if not isinstance(text, str):
        raise InputError("cannot load bytes; give the path or the URDF text as a string")
    if not text.strip():
        raise InputError(f"the name of the robot is empty; give a .urdf or .toml file, or one of {', '.join(names())}")
    return text


def _check_lists(actuated: Sequence[str] | None, xacro_args: Mapping[str, Any] | None) -> None:
    if actuated is not None and (
        isinstance(actuated, str) or not isinstance(actuated, Sequence) or not all(isinstance(a, str) for a in actuated)
    ):
        raise InputError(f"actuated is {shown(actuated)}; give a list of joint names")
    if xacro_args is not None and not isinstance(xacro_args, Mapping):
        raise InputError(f"xacro_args must map names to values, got a {type(xacro_args).__name__}")


def _from_file(
    source: Source,
    text: str,
    kind: str,
    gravity: Sequence[float] | None,
    options: dict[str, Any],
    xacro: tuple[Mapping[str, Any] | None, Any],
) -> Model:
    """Read a file by its suffix or first bytes."""
    if (name := Path(text).stem) in names() and not _is_there(text):
        raise ModelError(
            f"{text[-200:]}: there is no such file; the built-in robot is called {name!r}, without an ending"
        )
    if other := is_other(source, kind):
        raise ModelError(f"{text[-200:]}: it looks like {other}")
    if kind == ".toml":
        return load_toml(source, gravity=gravity, **options)
    if kind in (".m", ".mat"):
        from .redysim.redysim_read import load_redysim

        return load_redysim(source, gravity=gravity, **options)
    if kind == ".xacro":
        from .urdf.xacro_text import expanded

        made = expanded(source, *xacro)
        inside = of_data(text, made[:FAR].encode("utf-8", "replace"))
        return inside.read(made, gravity=gravity, source=text, **options)
    return (of_suffix(kind) or _guess(source, text)).read(source, gravity=gravity, **options)


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _guess(source: Source, text: str) -> Format:
    """The format of a file whose name does not tell."""
    data = read(source)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"<") or Path(text).suffix.lower() == ".xml":
        return of_data(text, data)
    formats = ", ".join(f.name for f in FORMATS)
    raise ModelError(
        f"{text[-200:]}: neither a .urdf nor a .toml file, nor other XML "
        f"({formats}){looks_like(data, suffix=Path(text).suffix.lower())}"
    )


def _built_in(name: str, gravity: Sequence[float] | None, options: Mapping[str, Any]) -> Model:
    """A built-in robot, built again from its own description where the options change it."""
    try:
        model = lookup(name)
    except InputError as error:
        raise ModelError(
            f"{name[:80]!r}: there is no such file, and {str(error)[:1].lower()}{str(error)[1:]}"
        ) from None
    if options != {"base": "fixed", "locked": None, "on_invalid": "error", "mimic": True, "actuated": None}:
        from .respec import rebuilt

        model = rebuilt(model, options)
    return model if gravity is None else replace(model, gravity=(gravity[0], gravity[1], gravity[2]))
