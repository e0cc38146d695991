"""The xacro process: a JSON request on standard input, a JSON answer on standard output."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from ..meshes import package_roots

__all__ = ["main"]

# what Python may report of itself while xacro works; files and folders are looked at, all else is refused
HARMLESS = frozenset(
    [
        "import",
        "compile",
        "exec",
        "builtins.id",
        "code.__new__",
        "marshal.loads",
        "object.__getattr__",
        "sys._getframe",
        "sys.unraisablehook",
    ]
)
FOLDERS = frozenset(["os.listdir", "os.scandir", "glob.glob", "glob.glob/2"])
KNOWN = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "ROS_DISTRO", "ROS_VERSION")  # of the environment, all that it sees


class _Outside(Exception):
    """Something that a description has no business with."""


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.read())
    out = sys.stdout.buffer
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            answer = _expand(Path(request["path"]), request["arguments"], tuple(map(tuple, request["packages"])))
    except (Exception, RecursionError, MemoryError) as error:
        answer = {"error": _reason(error)}
    out.write(json.dumps(answer).encode())
    out.flush()
    os._exit(0)


def _reason(error: BaseException) -> str:
    """What went wrong, in the words of the innermost error, which xacro repeats with its class around it."""
    told, inner = str(error) or type(error).__name__, error
    while (deeper := getattr(inner, "exc", None) or inner.__cause__ or inner.__context__) is not None:
        inner = deeper
    if isinstance(inner, RecursionError):
        return "macros or includes nest too deeply"
    if isinstance(inner, _Outside):
        return str(inner)
    if told.startswith("Undefined substitution argument "):
        name = told.split()[3]
        return f"the argument {name!r} has no value; give it: xacro_args={{{name!r}: ...}} or --xacro-arg {name}:=VALUE"
    return told if str(inner) in told else f"{told}: {inner}"


def _expand(path: Path, arguments: dict[str, str], packages: tuple[Any, ...]) -> dict[str, Any]:
    xacro: Any = importlib.import_module("xacro")
    words: Any = importlib.import_module("xacro.substitution_args")
    importlib.import_module("yaml")  # before files are guarded
    _limit()
    find, roots = package_roots(path, packages)
    for key in os.environ.keys() - set(KNOWN):
        del os.environ[key]
    words._eval_find, words._eval_env = (lambda name: str(_package(find, name, roots[0]))), _environment
    words._eval_dict |= {"find": words._eval_find, "env": _environment}
    allowed = [root.resolve() for root in roots]

    def guard(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            _may_open(given, allowed)
        elif event in FOLDERS:
            _may_list(given[0], allowed)
        elif event not in HARMLESS:
            raise _Outside(f"a description may not do this ({event})")

    sys.addaudithook(guard)
    asked = _Asked(arguments)
    made: str = xacro.process_file(str(path), mappings=asked).toxml()
    return {"text": made, "known": sorted(asked.known)}


class _Asked(dict[str, str]):
    """Arguments that remember the names that a description declares or uses; xacro passes over all others."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.known: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.known.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.known.add(name)
        return super().__getitem__(name)


def _environment(name: str) -> str:
    if name not in os.environ:
        raise _Outside(
            f"the environment variable {name[:80]!r} is not for descriptions, which see {', '.join(KNOWN)} only; give "
            "the value as an argument: xacro_args={...} or --xacro-arg NAME:=VALUE"
        )
    return os.environ[name]


def _package(find: Any, name: str, own: Path) -> Path:
    found = find(name)
    if found is None:
        short, beside = name[:80], own.parent / name
        folder = str(beside) if (beside / "package.xml").is_file() else "FOLDER"
        raise _Outside(
            f"the package {short!r} is outside this one; say where it is: packages={{{short!r}: ...}} or --package "
            f"{short}={folder}"
        )
    place: Path = found
    return place


def _may_open(given: tuple[Any, ...], allowed: list[Path]) -> None:
    target, mode, flags = given
    if not isinstance(target, (str, bytes)):
        return  # a file that is open already
    writing = (isinstance(mode, str) and any(c in mode for c in "wax+")) or bool(
        (flags or 0) & (os.O_WRONLY | os.O_RDWR)
    )
    place = Path(os.fsdecode(target)).resolve()
    if writing or not place.exists():
        if writing:
            raise _Outside(f"a description may not write {str(place)[-200:]!r}")
        return
    code = place.suffix in (".py", ".pyc", ".so", ".pyd") and any(place.is_relative_to(root) for root in _library())
    if not code and not any(place.is_relative_to(root) for root in allowed):
        raise _Outside(
            f"{str(place)[-200:]!r} lies outside the folders that were named; name its package: packages={{...}} or "
            "--package NAME=FOLDER"
        )
    if not code and not place.is_file():
        raise _Outside(f"{str(place)[-200:]!r} is no ordinary file")


def _may_list(target: Any, allowed: list[Path]) -> None:
    """Folders of the description, and those in which Python looks for modules."""
    place = Path(os.fsdecode(target)).resolve() if isinstance(target, (str, bytes, os.PathLike)) else None
    if place is None or not any(place.is_relative_to(root) for root in (*allowed, *_library(), *map(Path, sys.path))):
        raise _Outside(f"the folder {str(place)[-200:]!r} lies outside those that were named")


def _library() -> list[Path]:
    """Where Python's own code and the packages' lie, and its bytecode."""
    kept = [sys.pycache_prefix] if sys.pycache_prefix else []
    return [Path(place).resolve() for place in (sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]), *kept)]


def _limit() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        from .xacro_text import MEMORY, SECONDS

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    main()
