"""Load a robot from whatever names it: a .urdf or .toml file, URDF text, or a built-in name."""

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
        source: a .urdf or .toml file, URDF text, or the name of a built-in robot ("panda", "planar10", ...).
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
        kind = ".urdf"
    if not kind and not isinstance(source, os.PathLike) and "/" not in text and not _is_there(text):
        return _built_in(text, gravity, options)
    if kind not in (".urdf", ".xml", ".toml"):
        kind = _guess(source, text)
    if kind == ".toml":
        return load_toml(source, gravity=gravity, **options)
    from .urdf.urdf_read import load_urdf  # here: built-in robots need no XML

    return load_urdf(source, gravity=(0.0, 0.0, -9.81) if gravity is None else gravity, **options)


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _guess(source: Source, text: str) -> str:
    """The format of a file whose name does not tell."""
    data = read(source)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return ".urdf"
    raise ModelError(f"{text}: neither a .urdf nor a .toml file; ordern reads these two{near(text, names())}")


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
