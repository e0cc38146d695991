"""Every error that ordern raises on purpose: each names the culprit and the remedy."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

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
]


class OrdernError(Exception):
    """Base of all errors of this library."""


class ModelError(OrdernError, ValueError):
    """A robot description is broken; says where, what rule and how to mend it."""


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


def near(word: object, known: Iterable[object], listed: bool = False) -> str:
    """'; did you mean ...?' for a name that is not known; if none is near, what there is (``listed``), or nothing."""
    import difflib

    names = {str(k).lower(): str(k) for k in itertools.islice(known, 5000)}
    given = str(word).lower()
    close = [names[k] for k in difflib.get_close_matches(given, list(names), n=3, cutoff=0.5)]
    if close:
        # a slip of a letter or two has one answer; only where nothing is that near are there several
        alike = difflib.SequenceMatcher(None, given, close[0].lower()).ratio()
        close = close[:1] if alike > 0.75 else close
        return f"; did you mean {' or '.join(map(repr, close))}?"
    shown = list(names.values())
    return f"; there are {', '.join(shown[:20])}{', ...' if len(shown) > 20 else ''}" if listed and shown else ""


def need(module: str, extra: str) -> object:
    """Import an optional module or say which extra brings it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(f"this needs the package {module!r}: pip install 'ordern[{extra}]'") from error
