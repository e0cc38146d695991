"""Values of a quantity by name, for code with only a model; Robot has them as methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm, choose
from ..errors import InputError, near, shown
from ..model import Model
from ..program.build import prepared, trace
from ..program.interpret import interpret
from ..runtime.call import Call
from ..runtime.numbers import numbers
from ..scalars.primitives import Array
from .evaluators import evaluator

__all__ = ["link_number", "link_poses", "quantity_values"]

evaluator("numbers")(numbers)


@evaluator("program")
def _interpreted(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    """The program that would be compiled, run by the interpreter."""
    program = trace(algorithm, prepared(algorithm, model), options, checked=True)
    return lambda *arrays: tuple(interpret(program, dict(zip(program.inputs, arrays, strict=True))).values())


def quantity_values(model: Model, quantity: str, *arrays: Array, link: str | None = None) -> Array:
    """Results of the fastest method at these states (..., n); quantities of a link need its name."""
    algorithm = choose(quantity, None, model)
    made: Array = Call(model, algorithm, () if link is None else (link_number(model, link),))(arrays)
    return made


def link_poses(model: Model, q: Array) -> Array:
    """Poses of all links in the world, (..., links, 4, 4)."""
    return np.asarray(quantity_values(model, "forward_kinematics", q))


def link_number(model: Model, name: object) -> int:
    """Where a link stands in the model, or an InputError that lists the links."""
    found = model.link_index.get(name) if isinstance(name, str) else None
    if found is None:
        links = [link.name for link in model.links]
        if not isinstance(name, str):
            raise InputError(f"link must be a name, got {shown(name)}{near('', links, listed=True)}")
        raise InputError(f"robot {model.name!r} has no link {shown(name)}{near(name, links, listed=True)}")
    return int(found)
