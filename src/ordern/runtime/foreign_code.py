"""A stamp of code that somebody else wrote, so that its kernels on disk go with what it does, not with its name."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..model import Model

__all__ = ["foreign_code", "foreign_codes"]

_PLAIN = (int, float, complex, str, bytes, type(None))  # what repr says in full; truth values are ints


def foreign_code(thing: object) -> str:
    """A stamp of an algorithm or joint that somebody else wrote, by what it does; empty for our own (source_stamp has
    those).
    """
    if _ours(thing):
        return ""
    stamp = hashlib.sha256()
    todo: list[Any] = [thing]
    seen: dict[int, tuple[int, Any]] = {}  # with the object, so that none is made in its place
    while todo:  # code objects nest, functions close over values, classes hold functions
        item = todo.pop()
        if id(item) in seen and not isinstance(item, _PLAIN):
            stamp.update(f"again {seen[id(item)][0]}\n".encode())
            continue
        seen[id(item)] = len(seen), item
        said, parts = _parts(item)
        stamp.update(f"{type(item).__name__} {len(said)} {len(parts)}\n".encode() + said)
        todo += parts
    return stamp.hexdigest()


def foreign_codes(model: Model, *functions: object) -> list[str]:
    """Stamps of algorithms and of all joint types of a robot."""
    kinds = {type(body.joint) for body in model.bodies[1:]}
    return [*map(foreign_code, functions), *sorted(foreign_code(kind) for kind in kinds)]


def _ours(thing: object) -> bool:
    return str(getattr(thing, "__module__", "")).startswith("ordern.")


def _parts(item: Any) -> tuple[bytes, list[Any]]:
    """What an object says of itself, and the objects that it is made of."""
    if isinstance(item, _PLAIN):
        return repr(item).encode(), []
    if isinstance(item, np.ndarray) and item.dtype != object:
        return f"{item.dtype} {item.shape}".encode() + item.tobytes(), []
    if isinstance(item, dict):
        return b"", [e for pair in item.items() for e in pair]
    if isinstance(item, (list, tuple, np.ndarray)):
        return b"", list(item)
    if isinstance(item, (set, frozenset)):
        return b"", sorted(item, key=repr)
    if isinstance(item, CodeType):
        return item.co_code + repr(item.co_names).encode(), list(item.co_consts)
    if isinstance(item, ModuleType):  # whatever it is asked for: its text
        file = Path(getattr(item, "__file__", None) or "")
        ours = item.__name__.partition(".")[0] == "ordern"
        return item.__name__.encode() + (file.read_bytes() if file.suffix == ".py" and not ours else b""), []
    if isinstance(item, (FunctionType, type)) and _ours(item):
        return f"{item.__module__} {item.__qualname__}".encode(), []
    if isinstance(item, FunctionType):
        reached = [item.__globals__[name] for name in _names(item.__code__) if name in item.__globals__]
        cells = [cell.cell_contents for cell in item.__closure__ or ()]
        return b"", [item.__code__, item.__defaults__, item.__kwdefaults__, *cells, *reached]
    if isinstance(item, type):
        own = sorted(name for name in vars(item) if not name.startswith("__") or name == "__init__")
        built_in = item.__module__ == "builtins"
        return repr([item.__qualname__, own]).encode(), [] if built_in else [
            *(vars(item)[name] for name in own),
            *item.__bases__,
        ]
    return _wrapped(item)


def _names(code: CodeType) -> list[str]:
    """Global names that a function or one inside it may ask for."""
    inner = [name for c in code.co_consts if isinstance(c, CodeType) for name in _names(c)]
    return list(dict.fromkeys([*code.co_names, *inner]))


def _wrapped(item: Any) -> tuple[bytes, list[Any]]:
    """Functions behind decorators, and objects of any other class: by their class and what they hold."""
    if isinstance(item, partial):
        return b"", [item.func, item.args, item.keywords]
    if isinstance(item, property):
        return b"", [item.fget]
    if isinstance(item, (staticmethod, classmethod)):
        return b"", [item.__func__]
    if isinstance(item, MethodType):
        return b"", [item.__func__, item.__self__]
    if hasattr(item, "__wrapped__"):
        return b"", [item.__wrapped__]
    if hasattr(item, "fingerprint"):  # a model: what it remembers decides nothing
        return b"", [type(item), item.fingerprint]
    text = repr(item)
    return b"" if "0x" in text else text.encode(), [type(item), *_held(item)]  # no addresses


def _held(item: Any) -> list[Any]:
    """What a copy of an object would be made of: its attributes, in slots and in C too, and what is in it."""
    try:
        made = item.__reduce_ex__(4)
    except Exception:  # locks, open files, handles: what has no copy
        return list(getattr(item, "__dict__", {}).values())
    if isinstance(made, str):  # a global, by its name
        return []
    return [*made[1:3], *(list(more) for more in made[3:5] if more is not None)]  # what is done with them: the class
