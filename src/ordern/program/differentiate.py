"""Programs with derivatives: any algorithm traced on scalars that carry them, first and second order, for small robots.

Every operation is done once for each direction it depends on, so such a program has up to nv times the operations of
the algorithm itself (nv squared for second order): some ten joints are the reasonable end. Long robots have analytical
recursions (algorithms/).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

from ..algorithms.registry import Algorithm
from ..errors import MethodError
from ..model import Model
from ..scalars.dual import Dual, derivative
from ..scalars.primitives import Scalar, is_zero
from ..spatial.joint_space import JointVector, along, tangent
from ..tree import wrenches
from .finish import finished
from .ir import Program
from .layout import collect, input_sizes, output_names, shape_of
from .pauses import uncollected
from .trace import Tracer, TraceTree

__all__ = ["Dual", "carried_derivatives", "several_derivatives"]

_Result = tuple[tuple[int, ...], dict[int, Scalar], int]  # shape, elements, number of velocities
MOST = {1: 16, 2: 10}  # degrees of freedom up to which an order is written out


@uncollected()
def carried_derivatives(
    algorithm: Algorithm,
    model: Model,
    wrt: Sequence[str] | None = None,
    options: Sequence[Any] = (),
    links: Sequence[int] = (),
    order: int = 1,
) -> Program:
    """A program whose outputs are those of the algorithm and their derivatives.

    ``out0_q`` has the shape of ``out0`` and one more axis for the direction; ``out0_q_qd`` (second order) has two, the
    later derivative last. Derivatives with respect to q are along joint velocities (on the manifold: q -> step(q,
    delta)), so the second ones of quaternion joints are not symmetric. ``wrt`` are some of the algorithm's inputs, all
    by default.
    """
    names = tuple(algorithm.inputs if wrt is None else wrt)
    if unknown := [name for name in names if name not in algorithm.inputs]:
        raise MethodError(
            f"{algorithm.name} has no input {unknown[0]!r} to differentiate by; it has {', '.join(algorithm.inputs)}"
        )
    _bearable(model, order)
    tracer = Tracer()
    arrays = {name: tracer.input(name, count) for name, count in input_sizes(algorithm, model, links).items()}
    outputs: dict[str, tuple[int, ...]] = {}
    for name, result in _carrying(tracer, algorithm, model, arrays, names, options, links, order):
        _put(tracer, outputs, name, result, names, order)
    return finished(f"{algorithm.name} with derivatives", tracer, outputs, labels=False)


@uncollected()
def several_derivatives(
    algorithms: Sequence[Algorithm], model: Model, options: Sequence[Sequence[Any]], order: int
) -> Program:
    """Several quantities with derivatives in one program; their names replace ``out0``."""
    if len(algorithms) == 1:
        return carried_derivatives(algorithms[0], model, options=options[0], order=order)
    _bearable(model, order)
    tracer = Tracer()
    arrays: dict[str, list[Any]] = {}
    outputs: dict[str, tuple[int, ...]] = {}
    for algorithm, chosen in zip(algorithms, options, strict=True):
        for name, count in input_sizes(algorithm, model).items():
            if name not in arrays:
                arrays[name] = tracer.input(name, count)
        for name, result in _carrying(tracer, algorithm, model, arrays, algorithm.inputs, chosen, (), order):
            label = algorithm.quantity if len(algorithm.outputs) == 1 else f"{algorithm.quantity}_{name}"
            _put(tracer, outputs, label, result, algorithm.inputs, order)
    title = "+".join(a.name for a in algorithms)
    return finished(f"{title} with derivatives", tracer, outputs, labels=False)


def _bearable(model: Model, order: int) -> None:
    if not isinstance(order, Integral) or isinstance(order, bool) or order not in MOST:
        raise MethodError(f"derivatives={order!r}: there are those of order 1 and 2")
    if model.nv > MOST[int(order)]:
        most = MOST[int(order)]
        raise MethodError(
            f"derivatives of order {order} are written out for robots with up to {most} degrees of freedom; this one "
            f"has {model.nv}"
        )


def _carrying(
    tracer: Tracer,
    algorithm: Algorithm,
    model: Model,
    arrays: Mapping[str, Any],
    names: Sequence[str],
    options: Sequence[Any],
    links: Sequence[int],
    order: int,
) -> list[tuple[str, _Result]]:
    """The algorithm's results on inputs that carry derivatives."""
    tree = TraceTree(model, tracer)
    tree._external = wrenches(tree, {link: arrays[f"external{k}"] for k, link in enumerate(links)})
    given = []
    for name in algorithm.inputs:
        values = arrays[name]
        for level in range(order if name in names else 0):
            values = _moving(tree, values, name, level)
        given.append(tree.coordinates(values, "q" if name == "q" else "v"))
    result = algorithm(tree, *given, *options)
    tree.enter("results")
    results = result if len(algorithm.outputs) > 1 else (result,)
    found = zip(output_names(algorithm), algorithm.outputs, results, strict=True)
    return [(name, (shape_of(kind, model), collect(kind, tree, value), model.nv)) for name, kind, value in found]


def _moving(tree: TraceTree, values: Sequence[Scalar], name: str, level: int) -> list[Scalar]:
    """An input vector whose elements move along the directions (name, velocity number)."""
    model = tree.model
    made: list[Scalar] = []
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        directions = [(name, iv + c) for c in range(joint.nv)]
        if name == "q":
            made += tangent(tree.joint[i], JointVector(*values[iq : iq + joint.nq]), directions, level).e
        else:
            made += along(JointVector(*values[iv : iv + joint.nv]), directions, level).e
    return made


def _put(
    tracer: Tracer, outputs: dict[str, tuple[int, ...]], name: str, result: _Result, wrt: Sequence[str], order: int
) -> None:
    """The value, its derivatives along each input, and theirs in turn."""
    shape, found, n = result
    size = math.prod(shape)

    def write(output: str, extents: tuple[int, ...], elements: Iterable[Scalar]) -> None:
        outputs[output] = extents
        for at, x in enumerate(elements):
            tracer.output(output, at, _bare(x))

    values = [found.get(at, 0) for at in range(size)]
    write(name, shape, values)
    for a in wrt:  # the outermost level is differentiated first: its result still carries the lower one
        slopes = [derivative(x, (a, c), order - 1) for x in values for c in range(n)]
        write(f"{name}_{a}", (*shape, n), slopes)
        for b in wrt if order == 2 else ():
            write(f"{name}_{a}_{b}", (*shape, n, n), [derivative(x, (b, c)) for x in slopes for c in range(n)])


def _bare(x: Scalar) -> Scalar:
    """The value without what it carries."""
    while isinstance(x, Dual):
        x = x.value
    return 0 if is_zero(x) else x
