"""Every error that ordern raises on purpose: each names the culprit and the remedy."""

from __future__ import annotations

import itertools
import re
import sys
import warnings
from collections.abc import Iterable
from numbers import Integral

WORD = 300  # characters of a word that messages show whole
__all__ = [
    "FormulaError",
    "InputError",
    "MethodError",
    "MissingExtra",
    "ModelError",
    "OrdernError",
    "OrdernWarning",
    "ShapeError",
    "SimulationError",
    "SingularError",
    "near",
    "need",
    "one_of",
    "plain",
    "readable",
    "shown",
    "tell",
    "whole",
]


class OrdernError(Exception):
    """Base of all errors of this library; overlong quotations from files are cut."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(readable(a) if isinstance(a, str) else a for a in args))


class ModelError(OrdernError, ValueError):
    """A robot description is broken; says where, what rule and how to fix it."""


class ShapeError(OrdernError, ValueError):
    """An array has the wrong shape."""


class InputError(OrdernError, ValueError):
    """An argument has the wrong kind or value (NaN, complex, unknown name, ...)."""


class MethodError(OrdernError, ValueError):
    """The method does not serve this robot or quantity; says why and which ones do."""


class SingularError(OrdernError, ArithmeticError):
    """A matrix that must be inverted is singular for this robot or state."""


class FormulaError(OrdernError, TypeError):
    """A formula or traced value was used as if it were a number (for instance in an ``if``)."""


class SimulationError(OrdernError, RuntimeError):
    """A simulation cannot go on; carries the time and the last good state."""


class MissingExtra(OrdernError, ImportError):
    """An optional package is needed; says which extra installs it."""


class OrdernWarning(UserWarning):
    """Something in the data is suspicious but was accepted."""


def tell(message: str, kind: type[Warning] = OrdernWarning) -> None:
    """Warn at the line of whoever called the library, however deep in it this is found.

    ``UserWarning`` is the kind for remarks on what is right as it stands, so that programs which turn an OrdernWarning
    into an error go on.
    """
    frame, level = sys._getframe(), 1
    own = (__name__.partition(".")[0], "functools")  # through which cached properties are asked for
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in own:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


def readable(text: str, most: int = 4000) -> str:
    """A message without the middle of endless words, and without the middle of an endless text."""
    if len(text) > WORD:
        text = re.sub(rf"\S{{{WORD},}}", lambda found: f"{found[0][:100]}...{found[0][-40:]}", text)
    return text if len(text) <= most else f"{text[: most * 3 // 4]} ... {text[-most // 5 :]}"


def plain(text: str) -> str:
    """Text whose control characters (terminal escapes, line breaks) are written out and do nothing."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}" for c in text)


def near(word: object, known: Iterable[object], listed: bool = False, cutoff: float = 0.5) -> str:
    """'; did you mean ...?' for a name that is not known; if none is near, what there is (``listed``), or nothing."""
    import difflib

    names = {str(k).lower(): str(k) for k in itertools.islice(known, 5000) if len(str(k)) <= 300}
    # the comparison takes time by the square of the length, and an integer may have too many digits to be written
    given = (word if isinstance(word, str) else shown(word)).lower()[:200]
    close = [names[k] for k in difflib.get_close_matches(given, list(names), n=3, cutoff=cutoff)]
    if close:
        # a slip of a letter or two has one answer; only where nothing is that near are there several
        alike = difflib.SequenceMatcher(None, given, close[0].lower()).ratio()
        close = close[:1] if alike > 0.75 else close
        return f"; did you mean {' or '.join(map(repr, close))}?"
    there = list(names.values())
    return f"; there are {', '.join(there[:20])}{', ...' if len(there) > 20 else ''}" if listed and there else ""


def one_of(name: str, value: object, known: Iterable[str]) -> str:
    """The value if it is one of these words, else an InputError that lists them; values of any kind may come."""
    words = list(known)
    if isinstance(value, str) and value in words:
        return value
    raise InputError(
        f"{name} is {shown(value)}; use one of "
        f"{', '.join(map(repr, words))}{near(value, words) if isinstance(value, str) else ''}"
    )


def whole(name: str, value: object, least: int = 0, most: int = 2**31) -> int:
    """The value if it is a whole number within these bounds, else an InputError."""
    if isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most:
        return int(value)
    raise InputError(
        f"{name} is {shown(value)}; give a whole number from {least} up" + (f" to {most}" if most < 2**31 else "")
    )


def yes(name: str, value: object, more: str = "") -> bool:
    """The value if it is True or False (NumPy's too, or 1 and 0), else an InputError: any text would count as yes."""
    if type(value).__name__ == "bool" or (isinstance(value, Integral) and int(value) in (0, 1)):
        return bool(value)
    raise InputError(f"{name} is {shown(value)}; give True or False{more}")


def shown(value: object) -> str:
    """For messages: the value where it is short, else what it is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of too many digits, or a list in itself
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= 80 and "\n" not in text else f"a {type(value).__name__}"


def need(module: str, extra: str) -> object:
    """Import an optional module or say which extra brings it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = {"PIL": "pillow"}.get(module.partition(".")[0], module.partition(".")[0])
        raise MissingExtra(
            f"this needs the package {package!r}: pip install {package} (it is in the extra {extra!r} of ordern)"
        ) from error
