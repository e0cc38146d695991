"""Numbers: an algorithm on floats, NumPy batches, or any scalar a caller brings (mpmath, fractions, intervals). The
reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm
from ..model import Model
from ..model.model_scalars import plain
from ..model.thresholds import FEW_STATES
from ..program.layout import collect, shape_of
from ..scalars.primitives import Lane, Scalar
from ..tree import Tree, wrenches

__all__ = ["numbers", "on_scalars"]


def on_scalars(
    algorithm: Algorithm,
    model: Model,
    inputs: Sequence[Sequence[Scalar]],
    options: Sequence[Any] = (),
    constant: Callable[[float], Scalar] = plain,
    external: Mapping[int, Sequence[Scalar]] | None = None,
    tree: Tree | None = None,
) -> list[dict[int, Scalar]]:
    """Run an algorithm on lists of scalars; each output as {flat index: scalar}, missing ones zero. ``external``: link
    number to six scalars.
    """
    tree = tree or Tree(model, constant)
    tree._external = wrenches(tree, external or {})
    given = [
        tree.coordinates(values, "q" if name == "q" else "v")
        for name, values in zip(algorithm.inputs, inputs, strict=True)
    ]
    result = algorithm(tree, *given, *options)
    results = result if len(algorithm.outputs) > 1 else (result,)
    return [collect(kind, tree, value) for kind, value in zip(algorithm.outputs, results, strict=True)]


def numbers(
    algorithm: Algorithm, model: Model, options: Sequence[Any] = (), links: Sequence[int] = ()
) -> Callable[..., Any]:
    """A function of arrays (..., n) returning an array (or a tuple of them); one lane a coordinate, leading axes
    broadcast.

    With ``links`` the last arguments are wrenches (..., 6), one a link.
    """

    def evaluate(*arrays: object) -> Any:
        given = [np.asarray(a) for a in arrays]
        dtype = np.result_type(*given, np.float32)
        batch = np.broadcast_shapes(*(a.shape[:-1] for a in given))
        constant = (
            plain if dtype == np.float64 else (lambda x: plain(x) if isinstance(plain(x), int) else dtype.type(x))
        )

        def run(lanes: list[list[Any]]) -> list[dict[int, Scalar]]:
            count, tree = len(algorithm.inputs), Tree(model, constant)
            tree.checked = True
            wrench = dict(zip(links, lanes[count:], strict=True))
            return on_scalars(algorithm, model, lanes[:count], options, constant, wrench, tree)

        shapes = [shape_of(kind, model) for kind in algorithm.outputs]
        out = [np.zeros((*batch, math.prod(shape)), dtype) for shape in shapes]

        def write(made: list[dict[int, Scalar]], state: tuple[int, ...] = ()) -> None:
            for flat, values in zip(out, made, strict=True):
                for at, value in values.items():
                    flat[state][..., at] = value.array if isinstance(value, Lane) else value

        try:  # Python's own numbers raise where NumPy's go on with infinity
            few = dtype == np.float64 and 0 < math.prod(batch) <= FEW_STATES
            spread = [np.broadcast_to(a, (*batch, a.shape[-1])) for a in given]
            for state in np.ndindex(batch) if few else ():
                write(run([a[state].astype(float).tolist() for a in spread]), state)
        except (ArithmeticError, ValueError):
            few = False
        if not few:
            write(run([[Lane(np.ascontiguousarray(a[..., k])) for k in range(a.shape[-1])] for a in given]))
        made = [flat.reshape((*batch, *shape)) for flat, shape in zip(out, shapes, strict=True)]
        return made[0] if len(made) == 1 else tuple(made)

    return evaluate
