"""Turn a tracer's record into a Program, without unused parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..scalars.primitives import Scalar
from .ir import Node, Program, rebuilt, walk
from .passes import sweep_dead
from .rolled import BodyRows, RolledTree
from .storage import BodyRow
from .trace import Tracer

__all__ = ["finished", "put", "settled"]


def finished(
    name: str,
    tracer: Tracer,
    outputs: Mapping[str, tuple[int, ...]],
    tree: RolledTree | None = None,
    inputs: Mapping[str, int] | None = None,
    labels: bool = True,
    functions: Mapping[str, Program] | None = None,
) -> Program:
    """The program of what a tracer has written down, without what no output needs: every program is made here.

    Args:
        name: of the program.
        tracer: holds nodes and statements.
        outputs: shapes by name.
        tree: whose tables, matrices and columns the loops use; None for a program that is written out.
        inputs: how many numbers each has; by default what the tracer was asked for.
        labels: whether to keep the names of values, for formulas.
        functions: programs that it calls, by name.
    """
    program = Program(
        name,
        tracer.nodes,
        tracer.blocks[0],
        dict(tracer.inputs if inputs is None else inputs),
        dict(outputs),
        functions=dict(functions or {}),
    )
    program.stages, program.labels = tracer.stages, tracer.labels if labels else {}
    if tree is None:
        return sweep_dead(program)
    model = tree.model
    program.rows = max(len(model.bodies), len(model.links), model.nv + 1)
    program.tables = [(t.name, max((len(c) for c in t.known.values()), default=0)) for t in tree.tables]
    program.matrices = [(m.name, model.nv) for m in tree.matrices]
    program.columns, program.indices = list(tree.columns.values()), list(tree.indices.values())
    return _compact(sweep_dead(program))


def settled(write: Callable[[dict[Any, Any]], tuple[RolledTree, Callable[[], Program]]]) -> Program:
    """Written down again until no store disagrees with what was assumed of its column (see rolled.py)."""
    states: dict[Any, Any] = {}
    while True:
        tree, made = write(states)
        if not tree.changed:
            return made()


def put(tree: RolledTree, name: str, i: BodyRow, offsets: str, c: int, e: Scalar) -> None:
    """One number of a joint vector (offsets "v") or of coordinates ("q") to its place in an output."""
    values, t = tree.offsets[offsets], tree.t
    if isinstance(i, BodyRows):
        t.act("outx", (tree._index(i, f"{offsets} offset", values), t.operand(e)), (name, c, 1))
    else:
        t.output(name, int(values[i]) + c, e)


def _compact(program: Program) -> Program:
    """Give room only to table columns that are stored, close together."""
    places: dict[tuple[int, int], int] = {}
    widths: dict[int, int] = {}

    def place(table: int, column: int) -> int:
        if (table, column) not in places:
            places[table, column] = widths.get(table, 0)
            widths[table] = places[table, column] + 1
        return places[table, column]

    for s in walk(program.body):
        if isinstance(s, int) and program.nodes[s].op == "load":
            place(*program.nodes[s].arg[:2])
        elif isinstance(s, Node) and s.op == "store":
            place(*s.arg)
    stored = {"store", "load"}

    def moved(node: Node) -> Node:
        return node._replace(arg=(node.arg[0], place(*node.arg[:2]), *node.arg[2:])) if node.op in stored else node

    live = {s for s in walk(program.body) if isinstance(s, int)}
    program.nodes = [moved(node) if k in live else node for k, node in enumerate(program.nodes)]
    program.body = rebuilt(program.body, lambda s: s if isinstance(s, int) else moved(s))
    program.tables = [(name, widths.get(k, 0)) for k, (name, _) in enumerate(program.tables)]
    return program
