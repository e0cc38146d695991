"""Programs: an algorithm traced for one robot. Counts, formulas, kernels and C code all start here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Model
from ..program.ir import Program
from ..program.trace import Tracer, TraceTree, sweep_dead
from .numbers import wrenches
from .outputs import collect, shape_of

__all__ = ["input_sizes", "output_names", "trace"]


def input_sizes(algorithm: Algorithm, model: Model, links: Sequence[int] = ()) -> dict[str, int]:
    """How many numbers each input array has; wrenches on links come last as external0, external1, ..."""
    sizes = {name: model.nq if name == "q" else model.nv for name in algorithm.inputs}
    return sizes | {f"external{k}": 6 for k in range(len(links))}


def output_names(algorithm: Algorithm) -> list[str]:
    """Names of the output arrays."""
    return [f"out{k}" for k in range(len(algorithm.outputs))]


def trace(algorithm: Algorithm, model: Model, options: Sequence[Any] = (), links: Sequence[int] = ()) -> Program:
    """The straight-line program: every walk unrolled, every constant folded, common subexpressions shared, dead code gone."""
    tracer = Tracer()
    sizes = input_sizes(algorithm, model, links)
    arrays = {name: tracer.input(name, count) for name, count in sizes.items()}
    tree = TraceTree(model, tracer)
    tree._external = wrenches(tree, {link: arrays[f"external{k}"] for k, link in enumerate(links)})
    given = [tree.coordinates(arrays[name], "q" if name == "q" else "v") for name in algorithm.inputs]
    result = algorithm(tree, *given, *options)
    results = result if len(algorithm.outputs) > 1 else (result,)
    outputs = {}
    tracer.stage = "results"
    for name, kind, value in zip(output_names(algorithm), algorithm.outputs, results, strict=True):
        outputs[name] = shape_of(kind, model)
        made = collect(kind, tree, value)
        size = 1
        for extent in outputs[name]:
            size *= extent
        for at in range(size):
            tracer.blocks[-1].append(("out", name, at, tracer.operand(made.get(at, 0))))
    program = Program(algorithm.name, tracer.nodes, tracer.blocks[0], dict(tracer.inputs), outputs, labels=tracer.labels, stages=tracer.stages)
    return sweep_dead(program)
