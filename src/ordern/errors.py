"""Every error that ordern raises on purpose: each names the culprit and the remedy."""

from __future__ import annotations

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


def need(module: str, extra: str) -> object:
    """Import an optional module or say which extra brings it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(f"this needs the package {module!r}: pip install 'ordern[{extra}]'") from error
