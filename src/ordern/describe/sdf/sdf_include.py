"""Nested and included SDF models, from the description's folder and folders the user named."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import ModelError
from ..description_file import read
from ..xml import Element
from .sdf_frames import DEEPEST, Scope
from .sdf_values import child_text, truth

__all__ = ["included"]

# of the user, as Gazebo has them
NAMED = ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH")
MOST = 2000  # models


def included(
    element: Element, parent: Scope | None, version: tuple[int, int], path: Path | None, chain: tuple[Path, ...]
) -> list[Scope]:
    """The model that a <model> or <include> stands for, with the models inside of it."""
    count = [0]
    made: list[Scope] = []
    todo: list[tuple[Element, Scope | None, tuple[int, int], Path | None, tuple[Path, ...]]] = [
        (element, parent, version, path, chain)
    ]
    while todo:
        element, parent, version, path, chain = todo.pop()
        count[0] += 1
        depth = 0 if parent is None else parent.prefix.count("::") + 1
        if count[0] > MOST or depth > DEEPEST:
            raise ModelError(
                f"{element.where}: more than {MOST} models, or {DEEPEST} inside of each other; this is no robot "
                "description"
            )
        scope, inner_path, inner_chain = _scope(element, parent, version, path, chain)
        (made if parent is None else parent.inner).append(scope)
        inside = [child for child in scope.element.children if child.tag in ("model", "include")]
        todo += [(child, scope, scope.version, inner_path, inner_chain) for child in reversed(inside)]
    return made


def _scope(
    element: Element, parent: Scope | None, version: tuple[int, int], path: Path | None, chain: tuple[Path, ...]
) -> tuple[Scope, Path | None, tuple[Path, ...]]:
    model, own, at, around = element, None, path, version
    if element.tag == "include":
        uri = child_text(element, "uri")
        at = _find(element, uri, path, chain)
        if at in (*chain, path):
            raise ModelError(f"{element.where}: {uri[:80]!r} includes itself; remove one <include>")
        chain = (*chain, *([path] if path else []))
        model, version = _model_of(element, at)
        own = element if element.one("pose") is not None or element.one("placement_frame") is not None else None
    name = child_text(element, "name") if element.tag == "include" else ""
    name = name or model.text("name", "model1")
    if "::" in name or name == "world" or (name.startswith("__") and name.endswith("__")):
        raise ModelError(
            f"{model.where}: {name[:80]!r} is no name for a model; SDF keeps '::', 'world' and '__...__' for itself"
        )
    merge = element.tag == "include" and truth(element, element.attributes.get("merge") or child_text(element, "merge"))
    if merge and (parent is None or parent.element.tag != "model"):
        raise ModelError(
            f"{element.where}: it merges a model into a world; only models take in the contents of others, remove merge"
        )
    prefix = "" if parent is None else parent.prefix if merge else f"{parent.prefix}{name}::"
    static = any(truth(part, child_text(part, "static")) for part in (element, model))
    if element.tag == "include":
        model.attributes["name"] = name
    return (
        Scope(model, prefix, parent, version, own, around if own else None, static, merged=name if merge else ""),
        at,
        chain,
    )


def _model_of(element: Element, path: Path) -> tuple[Element, tuple[int, int]]:
    from .sdf_read import _version, parsed

    root = parsed(read(path), path.name)
    models = root.all("model")
    if len(models) != 1:
        raise ModelError(f"{element.where}: {path.name!r} has {len(models)} models; an included file has one")
    return models[0], _version(root)


def _find(element: Element, uri: str, path: Path | None, chain: tuple[Path, ...]) -> Path:
    """The file that a URI means, inside a root."""
    if not uri:
        raise ModelError(f"{element.where}: <uri> is missing or empty; name the model to include")
    if path is None:
        raise ModelError(
            f"{element.where}: it includes {uri[:80]!r}, but a text has no folder; save the text to a file beside it"
        )
    plain = uri.removeprefix("model://").removeprefix("file://").replace("\\", "/")
    if "://" in plain or "\0" in plain or plain.startswith("/") or (len(plain) > 1 and plain[1] == ":"):
        raise ModelError(
            f"{element.where}: {uri[:80]!r} is no model within the folder of the description; copy it there"
        )
    named = [Path(entry) for key in NAMED for entry in os.environ.get(key, "").split(os.pathsep) if entry]
    roots = [
        path.parent,
        *([path.parent.parent] if uri.startswith("model://") and (path.parent / "model.config").is_file() else []),
        *named,
    ]
    roots += [chain[0].parent] if chain else []  # the description's own folder holds the models of its models too
    for root in roots:
        try:
            found = (root / plain).resolve()
            if not found.is_relative_to(root.resolve()):
                continue
            if found.is_dir():
                found = next(
                    (found / name for name in ("model.sdf", f"{found.name}.sdf") if (found / name).is_file()), found
                )
            if found.is_file():
                return found
        except (OSError, ValueError, RuntimeError):
            continue
    where = f"the folder of the description, nor in those that {NAMED[0]} or {NAMED[1]} name"
    raise ModelError(f"{element.where}: there is no model {uri[:80]!r} in {where}")
