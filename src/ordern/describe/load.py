"""Load a robot from whatever names it: a file of a format in formats.py or .toml, the text of one, or a built-in name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, ModelError, near, shown
from ..files import read
from ..model import Model
from .builder import check_options
from .builtin import lookup, names
from .formats import FAR, FORMATS, Format, of_data, of_suffix
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
) -> Model:
    """Load a robot.

    Args:
        source: a .urdf, .xml (MJCF or URDF) or .toml file, the text of such an XML file, or the name of a built-in robot ("panda", ...).
        gravity: in world axes (m/s^2); the description's own by default, which is (0, 0, -9.81) where it has none.
        base: "fixed" or "floating".
        locked: joints to weld, with their coordinates.
        on_invalid: "error", "warn" or "repair", for data that no real robot has.
        mimic: whether mimicking joints follow their masters.
        actuated: names of the joints with a drive; the description's own by default.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise InputError(f"cannot load a {type(source).__name__}; give a .urdf or .toml file, or one of {', '.join(names())}")
    if gravity is not None:
        try:
            gravity = triple("load", "gravity", gravity)
        except ModelError as error:
            raise InputError(str(error)) from None
    check_options(base, locked, on_invalid)
    if actuated is not None and (isinstance(actuated, str) or not isinstance(actuated, Sequence) or not all(isinstance(a, str) for a in actuated)):
        raise InputError(f"actuated is {shown(actuated)}; give a list of joint names")
    options: dict[str, Any] = {"base": base, "locked": locked or None, "on_invalid": on_invalid, "mimic": mimic, "actuated": actuated}
    text = os.fspath(source)
    if not isinstance(text, str):
        raise InputError("cannot load bytes; give the path or the URDF text as a string")
    kind = Path(text).suffix.lower() if "\n" not in text else ""
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return _xml(source, of_data("the text", text.lstrip("\ufeff")[:FAR].encode("utf-8", "replace")), gravity, options)
    if not kind and not isinstance(source, os.PathLike) and "/" not in text and not _is_there(text):
        return _built_in(text, gravity, options)
    if kind == ".toml":
        return load_toml(source, gravity=gravity, **options)
    return _xml(source, of_suffix(kind) or _guess(source, text), gravity, options)


def _xml(source: Source, kind: Format, gravity: Sequence[float] | None, options: Mapping[str, Any]) -> Model:
    """Read with the reader of the format; a description without gravity of its own has (0, 0, -9.81)."""
    own = (0.0, 0.0, -9.81) if kind.root == "robot" and gravity is None else gravity
    return kind.read(source, gravity=own, **options)


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
    raise ModelError(f"{text}: neither XML ({', '.join(f.name for f in FORMATS)}) nor a .toml file; ordern reads these{near(text, names())}")


def _built_in(name: str, gravity: Sequence[float] | None, options: Mapping[str, Any]) -> Model:
    """A built-in robot, built again from its own description where the options change it."""
    try:
        model = lookup(name)
    except InputError as error:
        raise ModelError(f"{name!r}: there is no such file, and {str(error)[:1].lower()}{str(error)[1:]}") from None
    if options != {"base": "fixed", "locked": None, "on_invalid": "error", "mimic": True, "actuated": None}:
        from .respec import rebuilt

        model = rebuilt(model, options)
    return model if gravity is None else replace(model, gravity=(gravity[0], gravity[1], gravity[2]))
