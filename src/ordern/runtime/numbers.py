"""Numbers: an algorithm on floats, NumPy batches, or any scalar a caller brings (mpmath, fractions, intervals). The
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm
from ..model import Model
from ..model.model_scalars import plain
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

        def lanes() -> list[list[Any]]:
            return [[Lane(np.ascontiguousarray(a[..., k])) for k in range(a.shape[-1])] for a in given]

        if batch or dtype != np.float64:
            made = run(lanes())
        # Python's own numbers are several times faster for one state, but raise where NumPy's go on with infinity
        else:
            try:
                made = run([a.astype(float).tolist() for a in given])
            except (ArithmeticError, ValueError):
                made = run(lanes())
        out = []
        for kind, values in zip(algorithm.outputs, made, strict=True):
            shape = shape_of(kind, model)
            flat = np.zeros((*batch, int(np.prod(shape, dtype=int))), dtype)
            for at, value in values.items():
                flat[..., at] = value.array if isinstance(value, Lane) else value
            out.append(flat.reshape((*batch, *shape)))
        return out[0] if len(out) == 1 else tuple(out)

    return evaluate
