"""Programs: an algorithm traced for one robot. Counts, formulas, kernels and C code all start here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Model
from ..model.limbs import input_twins, twins
from ..model.thresholds import BEFORE_LOOPS, FEW_KINDS, LARGEST, LARGEST_TRIPLES, LONG_LOOPS, UNROLL
from ..tree import wrenches
from .cheapest_frames import cheapest_frames, regroup
from .finish import finished, put, settled
from .ir import IRLoop, Node, Program, walk
from .layout import collect, input_sizes, output_names, shape_of
from .looped_columns import LoopedColumns
from .pauses import uncollected
from .rolled import RolledTree, schedule
from .storage import RolledCoordinates
from .trace import TooLong, Tracer, TraceTree
from .unit_tree import UnitTree
from .units import Outputs, UnitText, in_units, loops_over_units
from .wide_results import LongTree

__all__ = ["guarded", "prepared", "trace", "trace_many", "written"]

LOOPED = {"dofs", "coordinates", "symmetric", "square", "poses", "jacobian", "scalar", "vector", "wrench", "pose",
    "triples", "wrenches", "inertias",
          "matrix6", "regressor"}  # fmt: skip


def prepared(algorithm: Algorithm, model: Model, regrouped: bool = True) -> Model:
    """The model at its cheapest for an algorithm: frames and inertias moved if results stay the same."""
    if algorithm.joint_space:
        model = cheapest_frames(model)
    return regroup(model) if regrouped and algorithm.regroup else model


@uncollected()
def trace(
    algorithm: Algorithm,
    model: Model,
    options: Sequence[Any] = (),
    links: Sequence[int] = (),
    rolled: bool | None = None,
    checked: bool = False,
) -> Program:
    """The program of an algorithm for a robot.

    Unrolled, every constant folds; rolled, walks over many bodies stay loops and the program does not grow with n. By
    default long robots are rolled (``rolled=None``). Robots with mimic joints are always written out: their results add
    up across bodies. ``checked``: as in :class:`Tree`, for programs that run on floating point.
    """
    closing = algorithm.closed and bool(model.loops)
    loops = not model.coupled and not closing and set(algorithm.outputs) <= LOOPED and rolled is not False
    if (
        closing
        and rolled is not False
        and not links
        and (rolled or len(model.bodies) > LONG_LOOPS)
        and in_units(algorithm, model)
    ):
        whole = loops_over_units(_for_units(algorithm, model, options, checked), model)
        if whole is not None:
            return whole
    plan = schedule(model, 0 if rolled else UNROLL)
    if loops and any(isinstance(part, range) for part in plan):
        return _in_loops(algorithm, model, options, links, plan)
    plan = schedule(model, 0)
    if not loops or rolled or not any(isinstance(part, range) for part in plan):
        return _unrolled(algorithm, model, options, links, checked=checked)
    largest = LARGEST_TRIPLES if "triples" in algorithm.outputs else LARGEST
    with suppress(TooLong):
        program = _unrolled(algorithm, model, options, links, 2 * largest)  # half of it may be dead
        kinds = {b.joint.name for b in model.bodies[1:]}
        many = program.straight and len(kinds) > FEW_KINDS  # loops over many kinds of joints are no shorter
        if many or len(program.body) <= (largest if program.straight else BEFORE_LOOPS):
            return program
    program = _in_loops(algorithm, model, options, links, plan)
    if written(program.body) <= 2 * LARGEST:
        return program
    whole = _unrolled(algorithm, model, options, links)  # many kinds of joints make loops of many cases
    return min(whole, program, key=lambda p: written(p.body))


def _for_units(algorithm: Algorithm, model: Model, options: Sequence[Any], checked: bool) -> UnitText:
    """An algorithm, to be written down for a few units of a closed chain."""

    def write(tree: UnitTree, tracer: Tracer) -> Outputs:
        tree.checked = checked
        sizes = input_sizes(algorithm, tree.model)
        given = [
            tree.coordinates(tracer.input(name, size), "q" if name == "q" else "v") for name, size in sizes.items()
        ]
        made = _results(algorithm, tree, given, options)
        return [(name, kind, collect(kind, tree, value)) for name, kind, value in made]

    shapes = {n: shape_of(kind, model) for n, kind in zip(output_names(algorithm), algorithm.outputs, strict=True)}
    return UnitText(algorithm.name, input_sizes(algorithm, model), shapes, write)


def written(body: Sequence[Any]) -> int:
    """How many statements there are, those within loops once."""
    return sum(not isinstance(s, IRLoop) for s in walk(list(body)))


def _unrolled(
    algorithm: Algorithm,
    model: Model,
    options: Sequence[Any],
    links: Sequence[int],
    most: int | None = None,
    checked: bool = False,
    alone: bool = False,
) -> Program:
    """A program of at most ``most`` nodes; many columns are swept in loops then, for one state ``alone`` or many."""
    tracer = Tracer(most)
    arrays = {name: tracer.input(name, count) for name, count in input_sizes(algorithm, model, links).items()}
    tree = TraceTree(model, tracer) if most is None else LoopedColumns(model, tracer, alone)
    loops: LongTree | None = None
    tree.checked = checked
    tree._external = wrenches(tree, {link: arrays[f"external{k}"] for k, link in enumerate(links)})
    given = [tree.coordinates(arrays[name], "q" if name == "q" else "v") for name in algorithm.inputs]
    outputs = {}
    for name, kind, value in _results(algorithm, tree, given, options):
        outputs[name] = shape_of(kind, model)
        loops = getattr(tree, "loops", None)
        if loops is None:
            _concrete_output(tracer, tree, name, kind, value, outputs[name])
        else:
            _rolled_output(tracer, loops, name, kind, value, outputs[name], options)
    program = finished(algorithm.name, tracer, outputs, loops)
    program.twins = {**twins(model), **input_twins(model, program.inputs)}
    if loops is not None and not alone:
        program.alone = partial(_unrolled, algorithm, model, options, links, most, alone=True)
    return program


def guarded(program: Program) -> Program:
    """The same results, but NaN where an input that nothing depends on (the angle of a vertical first axis) is NaN or
    infinite.

    Kernels report results that are not finite; adding 0 x to one of them makes them report such inputs as well, for one
    operation each. Programs with loops keep their results, and their kernels look at all inputs.
    """
    if not program.straight:
        alone = program.alone
        return replace(program, watched=True, alone=None if alone is None else lambda: guarded(alone()))
    read = {program.nodes[s].arg for s in program.body if isinstance(s, int) and program.nodes[s].op == "in"}
    idle = [(name, k) for name, count in program.inputs.items() for k in range(count) if (name, k) not in read]
    last = max((k for k, s in enumerate(program.body) if isinstance(s, Node) and s.op == "out"), default=None)
    if not idle or last is None:
        return program
    nodes, extra = list(program.nodes), []

    def make(op: str, src: tuple[int, ...] = (), arg: tuple[Any, ...] = ()) -> int:
        nodes.append(Node(op, src, arg))
        extra.append(len(nodes) - 1)
        return len(nodes) - 1

    _, (value,), place = program.body[last]
    zero = make("const", (), (0.0,))
    for at in idle:
        value = make("add", (make("mul", (make("in", (), at), zero)), value))
    body = [*program.body[:last], *extra, Node("out", (value,), place), *program.body[last + 1 :]]
    return replace(program, nodes=nodes, body=body)


@uncollected()
def trace_many(algorithms: Sequence[Algorithm], model: Model, options: Sequence[Sequence[Any]]) -> Program:
    """Several quantities in one straight-line program, sharing work; outputs are named by quantity."""
    tracer, outputs = Tracer(), {}
    arrays: dict[str, list[Any]] = {}
    for algorithm, chosen in zip(algorithms, options, strict=True):
        for name, count in input_sizes(algorithm, model).items():
            if name not in arrays:
                arrays[name] = tracer.input(name, count)
        tree = TraceTree(model, tracer)
        tree.checked = True
        given = [tree.coordinates(arrays[name], "q" if name == "q" else "v") for name in algorithm.inputs]
        for name, kind, value in _results(algorithm, tree, given, chosen):
            label = algorithm.quantity if len(algorithm.outputs) == 1 else f"{algorithm.quantity}_{name}"
            outputs[label] = shape_of(kind, model)
            _concrete_output(tracer, tree, label, kind, value, outputs[label])
    title = "+".join(a.name for a in algorithms)
    return finished(title, tracer, outputs)


def _results(
    algorithm: Algorithm, tree: TraceTree, given: Sequence[Any], options: Sequence[Any]
) -> list[tuple[str, str, Any]]:
    result = algorithm(tree, *given, *options)
    tree.enter("results")
    results = result if len(algorithm.outputs) > 1 else (result,)
    return list(zip(output_names(algorithm), algorithm.outputs, results, strict=True))


def _concrete_output(
    tracer: Tracer, tree: TraceTree, name: str, kind: str, value: object, shape: tuple[int, ...]
) -> None:
    made, size = collect(kind, tree, value), 1
    for extent in shape:
        size *= extent
    for at in range(size):
        tracer.output(name, at, made.get(at, 0))


def _in_loops(
    algorithm: Algorithm, model: Model, options: Sequence[Any], links: Sequence[int], plan: Sequence[Any]
) -> Program:
    """Loops; where columns of matrices come in blocks, these suit many states, and ``alone`` gives such as suit one."""

    def write(states: dict[Any, Any], alone: Callable[[], Program] | None = None) -> Any:
        return _rolled(algorithm, model, options, links, plan, states, alone)

    return settled(lambda states: write(states, lambda: settled(write)))


def _rolled(
    algorithm: Algorithm,
    model: Model,
    options: Sequence[Any],
    links: Sequence[int],
    plan: Sequence[Any],
    states: dict[Any, Any],
    alone: Callable[[], Program] | None,
) -> tuple[RolledTree, Callable[[], Program]]:
    tracer = Tracer()
    tree = LongTree(model, tracer, plan, states)
    tree.alone = alone is None
    tracer.inputs = input_sizes(algorithm, model, links)
    wrench = {link: [tracer.expr("in", (), (f"external{k}", c)) for c in range(6)] for k, link in enumerate(links)}
    tree._external = wrenches(tree, wrench)
    tree.lay_external()
    given = [RolledCoordinates(tree, name, "q" if name == "q" else "v") for name in algorithm.inputs]
    outputs = {}
    for name, kind, value in _results(algorithm, tree, given, options):
        outputs[name] = shape_of(kind, model)
        _rolled_output(tracer, tree, name, kind, value, outputs[name], options)
    return tree, lambda: replace(
        finished(algorithm.name, tracer, outputs, tree), alone=alone if tree.in_blocks else None
    )


def _rolled_output(
    tracer: Tracer, tree: RolledTree, name: str, kind: str, value: Any, shape: tuple[int, ...], options: Sequence[Any]
) -> None:
    n = tree.model.nv
    if kind in ("symmetric", "square"):
        tracer.act("copy", (), (name, value.number, kind == "symmetric"))
    elif kind in ("dofs", "coordinates"):
        offsets = "v" if kind == "dofs" else "q"
        for i, _ in tree.outward("results"):
            for c, e in enumerate(value[i]):
                put(tree, name, i, offsets, c, e)
    elif kind == "jacobian" and options and tree.short(tree.body_of(options[0])):
        found = {i: value[i] for i, _ in tree.path(tree.body_of(options[0]))}
        _concrete_output(tracer, tree, name, kind, _Rows(found), shape)
    elif kind == "jacobian":
        tracer.act("zero", (), ("out", name))  # columns of joints off the path
        for i, _ in (
            tree.path(tree.body_of(options[0])) if options else tree.outward("results")
        ):  # of one link, or of the whole robot
            for c, column in enumerate(value[i].columns):
                for r, e in enumerate(column.dense()):
                    put(tree, name, i, "v", r * n + c, e)
    elif kind == "poses":
        for k, _ in tree.links("results"):
            X = value[k]
            rows = [[*axes, p] for axes, p in zip(X.rotation.full().T.dense(), X.origin.dense(), strict=True)] + [
                [0, 0, 0, 1]
            ]
            for c, e in enumerate(x for row in rows for x in row):
                tracer.act("outx", (tree.at(k), tracer.operand(e)), (name, c, 16))
    elif kind in ("wrenches", "inertias"):
        for i, _ in tree.outward("results"):
            at = tracer.node("iaff", (tree.at(i),), (1, -1))
            for c, e in enumerate(value[i].dense() if kind == "wrenches" else value[i].leaves()):
                tracer.act("outx", (at, tracer.operand(e)), (name, c, shape[1]))
    elif kind == "regressor":
        pass  # it went to its place as it was made
    elif kind == "triples":
        tracer.output(name, value.paths.total - 1, 0)
    else:
        _concrete_output(tracer, tree, name, kind, value, shape)


@dataclass(frozen=True)
class _Rows:
    """Rows of a table that were all single bodies."""

    rows: dict[int, Any]
