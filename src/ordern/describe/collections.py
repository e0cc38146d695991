"""Robots that other packages have on this machine: MuJoCo's Menagerie and robot_descriptions, cached copies only;
nothing is downloaded.

``menagerie:franka_fr3`` is a folder of a copy of mujoco_menagerie: in the folder that MENAGERIE_PATH names, or in the
cache of robot_descriptions. ``panda_description`` (or ``robot_descriptions:panda_description``) is a module of the
package robot_descriptions; its text says where in the cache the file lies. It is read, never imported: importing it
would clone.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from pathlib import Path

from ..errors import ModelError, OrdernError, near
from ..files import read_bytes

__all__ = ["collection_file", "collection_names", "is_collection_name"]

PREFIXES = ("menagerie", "robot_descriptions")
KINDS = ("URDF_PATH", "MJCF_PATH", "XACRO_PATH")
INCLUDE = re.compile(rb"<include\s+file=[\"']([^\"'/\\]+\.xml)[\"']")
LARGEST = 1_000_000  # bytes of a module that says where a robot is
NAME = re.compile(r"[A-Za-z0-9_.+-]{1,100}(?:/[A-Za-z0-9_.+-]{1,100})?")


def is_collection_name(text: str) -> bool:
    """Whether a text names a robot of a collection."""
    head, colon, _ = text.partition(":")
    return (bool(colon) and head in PREFIXES) or (
        text.endswith("_description") and NAME.fullmatch(text) is not None and _package() is not None
    )


def collection_file(text: str) -> str:
    """The file of a robot of a collection, or a ModelError that says what to do."""
    head, colon, name = text.partition(":")
    if not colon:
        head, name = "robot_descriptions", text
    if not NAME.fullmatch(name) or ".." in name:
        raise ModelError(f"{text[:80]!r}: no name of a robot; write {head}:NAME, and see ordern robots")
    found = _menagerie_file(name) if head == "menagerie" else _described_file(name)
    if found is None:
        known = [robot for robot, _ in collection_names() if robot.startswith(f"{head}:")]
        where = (
            "set MENAGERIE_PATH to a copy of mujoco_menagerie"
            if head == "menagerie"
            else "install robot_descriptions and let it fetch the robot once"
        )
        hint = near(f"{head}:{name}", known) or f"; {where} (ordern downloads nothing), and see ordern robots"
        raise ModelError(f"{text[:80]!r}: there is no copy of it on this machine{hint}")
    return str(found)


def collection_names() -> list[tuple[str, str]]:
    """(name, file) of every robot of a collection that is on this machine."""
    made = []
    for root in _menageries():
        for folder in sorted(p for p in root.iterdir() if p.is_dir()):
            main = _main_file(folder)
            if main is not None:
                made.append((f"menagerie:{folder.name}", str(main)))
        break
    package = _package()
    for module in sorted(package.glob("*_description.py")) if package is not None else ():
        found = _described_file(module.stem)
        if found is not None:
            made.append((f"robot_descriptions:{module.stem}", str(found)))
    return made


# --- Menagerie --------------------------------------------------------------------------------------------------------
def _cache() -> Path:
    return Path(os.environ.get("ROBOT_DESCRIPTIONS_CACHE") or Path.home() / ".cache" / "robot_descriptions")


def _menageries() -> list[Path]:
    places = [os.environ.get("MENAGERIE_PATH"), _cache() / "mujoco_menagerie"]
    return [Path(p) for p in places if p and Path(p).is_dir()]


def _menagerie_file(name: str) -> Path | None:
    folder, _, file = name.partition("/")
    for root in _menageries():
        place = root / folder
        if file and (place / file).is_file():
            return place / file
        main = _main_file(place) if place.is_dir() and not file else None
        if main is not None:
            return main
    return None


def _main_file(folder: Path) -> Path | None:
    """The robot of a folder: what its scene includes, else the only file, else the one with the shortest name."""
    files = sorted(p for p in folder.glob("*.xml") if p.is_file() and not p.name.startswith("scene"))
    scene = folder / "scene.xml"
    if scene.is_file():
        try:
            found = INCLUDE.search(read_bytes(scene, LARGEST, "scene"))
        except (OrdernError, OSError):
            found = None
        wanted = folder / found[1].decode() if found else None
        if wanted in files:
            return wanted
    return min(files, key=lambda p: (len(p.name), p.name), default=None)


# --- robot_descriptions -----------------------------------------------------------------------------------------------
def _package() -> Path | None:
    try:
        spec = importlib.util.find_spec("robot_descriptions")
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _described_file(name: str) -> Path | None:
    package = _package()
    module = package / f"{name}.py" if package is not None else None
    if package is None or module is None or not module.is_file():
        return None
    try:
        values = _values(_tree(module), _repositories(package))
    except (OrdernError, OSError, SyntaxError, ValueError):
        return None
    paths = [Path(values[kind]) for kind in KINDS if kind in values]
    return next((p for p in paths if p.is_file()), None)


def _tree(path: Path) -> ast.Module:
    return ast.parse(read_bytes(path, LARGEST, "module").decode())


def _repositories(package: Path) -> dict[str, str]:
    """Folders in the cache by repository, from the table of the package."""
    made: dict[str, str] = {}
    for node in ast.walk(_tree(package / "_repositories.py")):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Call):
                    given = {k.arg: k.value.value for k in value.keywords if isinstance(k.value, ast.Constant)}
                    made[str(key.value)] = str(given.get("cache_path", ""))
    return made


def _values(tree: ast.Module, repositories: dict[str, str]) -> dict[str, str]:
    """The paths that the module assigns, worked out from its text: joined names and constants, no call of anything."""
    made: dict[str, str] = {}
    for node in tree.body:
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and value is not None:
            text = _value(value, made, repositories)
            if text is not None:
                made[target.id] = text
    return made


def _value(node: object, known: dict[str, str], repositories: dict[str, str]) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if not isinstance(node, ast.Call):
        return None
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    parts = [_value(a, known, repositories) for a in node.args]
    if called == "join" and parts and None not in parts:
        return os.path.join(*[p for p in parts if p is not None])
    if called == "_clone_to_cache" and parts and parts[0] in repositories:
        folder = repositories[str(parts[0])]
        return str(_cache() / folder) if folder else None
    return None
