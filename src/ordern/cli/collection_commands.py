"""Commands for many robots: list those on this machine, convert whole folders."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, OrdernError
from ..report.tables import Table, plain, writable_folder
from .output import Output
from .parsing import open_robot

__all__ = ["convert_folder", "robots"]

SUFFIXES = (".urdf", ".xacro", ".xml", ".mjcf", ".sdf", ".toml")
MOST = 10_000  # files of a folder


def robots(as_json: bool, debug: bool) -> int:
    """Every robot that load knows by name."""
    from ..describe.builtin import names
    from ..describe.collections import collection_names

    rows = [(name, "built in") for name in names()] + collection_names()
    screen = Output(as_json)
    screen.table(Table("", ("name", "where"), tuple(rows)), "robots")
    if len(rows) == len(names()):
        screen.text(
            "no collection was found: set MENAGERIE_PATH to a copy of mujoco_menagerie, or install robot_descriptions "
            "and fetch a robot with it"
        )
    screen.finish()
    return 0


def convert_folder(folder: str, form: str, out: str | None, as_json: bool, **options: Any) -> int:
    """Every robot file below a folder, with a table of what came out; 1 if one could not be converted."""
    from ..check.convert import FORMS, convert, form_of
    from ..errors import near
    from ..files import write

    form = form_of(form)
    if form not in FORMS:
        raise InputError(f"cannot convert to {plain(form)!r}; there are {', '.join(FORMS)}{near(form, FORMS)}")
    root = Path(folder)
    files = sorted(p for p in root.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    if not files or len(files) > MOST:
        raise InputError(
            f"{plain(folder)[-200:]!r} has {len(files)} robot files ({', '.join(SUFFIXES)}); from 1 to {MOST} can be "
            "converted at once"
        )
    target = writable_folder(out) if out else None
    places = _places(root, files, target, {"urdf": ".urdf", "mjcf": ".xml", "sdf": ".sdf"}.get(form, ".toml"))
    screen, failed = Output(as_json), 0
    rows: list[tuple[Any, ...]] = []
    with screen.progress(len(files), "converting") as advance, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for file in files:
            name, place = str(file.relative_to(root)), places.get(file)
            try:
                robot = open_robot(str(file), **options)
                made = convert(robot, form, states=5, folder=None if place is None else place.absolute().parent)
                off = made.proof.differences
                verdict = "same" if made.proof.ok else "off"
                note = "; ".join(made.proof.lost) if made.proof.ok else str(off[0]) if off else "it moves otherwise"
                if place is not None and made.proof.ok:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    write(place, made.text)
                rows.append((name, robot.n, len(robot.link_names), verdict, note))
                failed += not made.proof.ok
            except OrdernError as error:
                rows.append((name, None, None, "refused", str(error)[:160]))
                failed += 1
            advance()
    screen.data |= {"to": form, "files": len(files), "failed": failed}
    screen.table(
        Table(f"{len(files)} robots to {form}", ("file", "n", "links", "verdict", "note"), tuple(rows)), "robots"
    )
    screen.text(
        f"{len(files) - failed} of {len(files)} are the same robot{'' if target is None else f'; written to {target}'}"
    )
    screen.finish()
    return 1 if failed else 0


def _places(root: Path, files: Sequence[Path], target: Path | None, ending: str) -> dict[Path, Path]:
    """Where each robot is written, none over another one's file: arm.urdf and arm.xml become arm.urdf.toml and
    arm.xml.toml.
    """
    if target is None:
        return {}
    short = {file: target / file.relative_to(root).with_suffix(ending) for file in files}
    often = Counter(short.values())
    made = {
        file: place if often[place] == 1 else target / f"{file.relative_to(root)}{ending}"
        for file, place in short.items()
    }
    given = {file.resolve() for file in files}
    there = next((place for place in made.values() if place.resolve() in given), None)
    if there is not None:
        raise InputError(f"--out would overwrite the robot file {plain(str(there))[-200:]!r}; name another folder")
    return made
