"""Every evaluator by its name: ``(algorithm, model, options) -> function of the arrays of one state``.

The test grid runs them all. Counts are no values and have no entry; what needs an extra says so when it is called.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Model

__all__ = ["Evaluator", "all_evaluators", "evaluator"]

Evaluator = Callable[[Algorithm, Model, Sequence[Any]], Callable[..., Any]]
_FOUND: dict[str, Evaluator] = {}


def evaluator(name: str) -> Callable[[Any], Any]:
    """Register a function as an evaluator; what it makes returns the algorithm's output or a tuple of them."""

    def register(function: Evaluator) -> Any:
        _FOUND[name] = function
        return function

    return register


@cache
def _load() -> None:
    package = importlib.import_module("ordern.evaluate")
    for entry in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"ordern.evaluate.{entry.name}")


def all_evaluators() -> dict[str, Evaluator]:
    """Everything registered by the files of this folder."""
    _load()
    return dict(_FOUND)
