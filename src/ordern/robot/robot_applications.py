"""The methods of Robot that other rooms carry out: simulate, inverse_kinematics, page. Each is found when it is first
asked for.

A method has the signature and the text of the function that does it, with the robot in place of its first argument:
they are written once, where the work is done, and ``import ordern`` need not load them.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from ..simulate.inverse_kinematics import inverse_kinematics as _inverse_kinematics
    from ..simulate.simulate import simulate as _simulate
    from ..view.draw_dh import draw_dh as _draw_dh
    from ..view.live import live as _live
    from ..view.page import page as _page

__all__ = ["Applications", "found"]


def found(module: str, name: str) -> Any:
    """A function of another room."""
    return getattr(importlib.import_module(f"ordern.{module}"), name)


class _Application:
    """Becomes an ordinary method of its class when it is first looked at."""

    def __init__(self, module: str, of: str) -> None:
        self.module, self.of = module, of  # where it is, and what of the robot it takes: "robot" or "model"

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, robot: object, owner: type | None = None) -> Any:
        method = _method(self.owner, self.name, found(self.module, self.name), self.of == "model")
        setattr(self.owner, self.name, method)
        return method if robot is None else method.__get__(robot, owner)


def _method(owner: type, name: str, function: Callable[..., Any], of_model: bool) -> Any:
    """The function as a method, with its signature and its text."""

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        return function(self.model if of_model else self, *arguments, **options)

    made: Any = functools.wraps(function)(method)
    signature = inspect.signature(function, eval_str=False)
    first, *rest = signature.parameters.values()
    made.__signature__ = signature.replace(parameters=[inspect.Parameter("self", first.kind), *rest])
    made.__name__, made.__qualname__, made.__module__ = name, f"{owner.__qualname__}.{name}", owner.__module__
    made.__doc__ = "\n".join(
        line
        for line in (function.__doc__ or "").split("\n")
        if line.strip() not in ("robot: the robot.", "model: the robot.")
    )
    del made.__wrapped__  # its first argument is another one
    return made


P = ParamSpec("P")
R = TypeVar("R")


def _application(
    module: str, of: str, function: Callable[[], Callable[Concatenate[Any, P], R]]
) -> Callable[Concatenate[Any, P], R]:
    """For type checkers: the function itself, which they read, as a method."""
    return cast("Callable[Concatenate[Any, P], R]", _Application(module, of))


class Applications:
    """Mixin of Robot."""

    simulate = _application("simulate.simulate", "robot", lambda: _simulate)
    inverse_kinematics = _application("simulate.inverse_kinematics", "robot", lambda: _inverse_kinematics)
    page = _application("view.page", "model", lambda: _page)
    live = _application("view.live", "model", lambda: _live)
    draw_dh = _application("view.draw_dh", "model", lambda: _draw_dh)
