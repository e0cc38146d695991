"""The kinds of results an algorithm may return: their shapes, and where each scalar goes in the array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..algorithms.registry import Algorithm
from ..model import Model
from ..model.closures import count
from ..model.paths import FreedomPaths, FreedomRows
from ..scalars.primitives import Scalar
from ..spatial import RigidInertia, Transform, Wrench
from ..spatial.joint_space import JointVector
from ..tree import BodyTable, Matrix, Tree

if TYPE_CHECKING:
    from ..algorithms.derivatives import Carried
    from ..model.by_body import PerBody

__all__ = ["collect", "input_sizes", "output_names", "shape_of"]

Placed = Iterator[tuple[int, Scalar]]


def shape_of(kind: str, model: Model) -> tuple[int, ...]:
    """The array shape of one result."""
    n = model.nv
    if kind == "triples":
        return (FreedomPaths(model).total,)
    shapes: dict[str, tuple[int, ...]] = {
        "dofs": (n,), "coordinates": (model.nq,), "symmetric": (n, n), "square": (n, n), "carried": (n, n),
        "jacobian": (6, n),
        "scalar": (), "vector": (3,), "wrench": (6,), "wrenches": (len(model.bodies) - 1, 6),
        "inertias": (len(model.bodies) - 1, 10),
        "equations": (equation_count(model),), "constraints": (equation_count(model), n),
        "loop_wrenches": (len(model.loops), 6),
        "matrix6": (6, 6), "pose": (4, 4), "poses": (len(model.links), 4, 4),
        "regressor": (n, 10 * (len(model.bodies) - 1)),
    }  # fmt: skip
    return shapes[kind]


def equation_count(model: Model) -> int:
    """Of all loops together."""
    return sum(count(loop.kind) for loop in model.loops)


def collect(kind: str, tree: Tree, value: Any) -> dict[int, Scalar]:
    """Every element of a result by flat index, zero where missing; mimic joints add to their masters."""
    made: dict[int, Scalar] = {}
    for at, scalar in _PLACES[kind](tree.model, value):
        made[at] = made[at] + scalar if at in made else scalar
    return made


def _ratio(model: Model, i: int) -> float:
    mimic = model.bodies[i].mimic
    return 1 if mimic is None else mimic.ratio


def _dofs(model: Model, table: BodyTable) -> Placed:
    for i, row in table.rows.items():
        if i:
            for c, e in enumerate(row):
                yield model.offsets[i][1] + c, e * _ratio(model, i)


def _coordinates(model: Model, table: PerBody[JointVector]) -> Placed:
    for i in model.free:
        for c, e in enumerate(table[i]):
            yield model.offsets[i][0] + c, e


def _square(model: Model, matrix: Matrix) -> Placed:
    n = model.nv
    for (i, j), block in matrix.blocks.items():
        (_, vi), (_, vj) = model.offsets[i], model.offsets[j]
        scale = _ratio(model, i) * _ratio(model, j)
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row):
                yield (vi + a) * n + vj + b, e * scale


def _symmetric(model: Model, matrix: Matrix) -> Placed:
    """Fill both halves from one block a pair of bodies; if both are set, the later body's row counts."""
    n = model.nv
    for (i, j), block in matrix.blocks.items():
        if i < j and (j, i) in matrix.blocks:
            continue
        (_, vi), (_, vj) = model.offsets[i], model.offsets[j]
        scale = _ratio(model, i) * _ratio(model, j)
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row if i != j else row[: a + 1]):  # of a block on the diagonal, the lower half
                yield (vi + a) * n + vj + b, e * scale
                if i != j or a != b:
                    yield (vj + b) * n + vi + a, e * scale


def _carried(model: Model, jacobian: Carried) -> Placed:
    """Derivatives that the elements of a joint vector carry."""
    for i, a, j, b, e in jacobian.elements():
        yield (model.offsets[i][1] + a) * model.nv + model.offsets[j][1] + b, e * (_ratio(model, i) * _ratio(model, j))


def _jacobian(model: Model, table: BodyTable) -> Placed:
    n = model.nv
    for i, S in table.rows.items():
        if i:
            for c, column in enumerate(S.columns):
                for r, e in enumerate(column.dense()):
                    yield r * n + model.offsets[i][1] + c, e * _ratio(model, i)


def _pose(model: Model, X: Transform, start: int = 0) -> Placed:
    rotation = X.rotation.full().T.dense()  # columns are the link's axes in the world
    origin = X.origin.dense()
    for r in range(3):
        for c in range(3):
            yield start + 4 * r + c, rotation[r][c]
        yield start + 4 * r + 3, origin[r]
    yield start + 15, 1


def _poses(model: Model, table: PerBody[Transform]) -> Placed:
    for k in range(len(model.links)):
        yield from _pose(model, table[k], 16 * k)


def _flat(model: Model, value: object) -> Placed:
    yield from enumerate(value.leaves() if hasattr(value, "leaves") else [value])


def _wrenches(model: Model, table: PerBody[Wrench]) -> Placed:
    """One wrench a body, the world not counted."""
    for i in range(1, len(model.bodies)):
        yield from ((6 * (i - 1) + c, e) for c, e in enumerate(table[i].dense()))


def _inertias(model: Model, table: PerBody[RigidInertia]) -> Placed:
    """One inertia a body: m, h, then xx yy zz xy xz yz."""
    for i in range(1, len(model.bodies)):
        yield from ((10 * (i - 1) + c, e) for c, e in enumerate(table[i].leaves()))


def _matrix6(model: Model, value: Iterable[Iterable[Scalar]]) -> Placed:
    yield from enumerate(e for row in value for e in row)


def _equations(model: Model, value: Iterable[Scalar]) -> Placed:
    yield from enumerate(value)


def _constraints(model: Model, value: Any) -> Placed:
    for (r, i), column in value.columns.items():
        for c, e in enumerate(column):
            yield r * model.nv + model.offsets[i][1] + c, e * _ratio(model, i)


def _loop_wrenches(model: Model, value: Iterable[Wrench]) -> Placed:
    for k, wrench in enumerate(value):
        yield from ((6 * k + c, e) for c, e in enumerate(wrench.dense()))


def _triples(model: Model, rows: FreedomRows) -> Placed:
    yield from rows.numbers.items()


def _regressor(model: Model, table: Matrix) -> Placed:
    width = 10 * (len(model.bodies) - 1)
    for (i, b), rows in table.blocks.items():
        for a, row in enumerate(rows):
            for c, e in enumerate(row):
                yield (model.offsets[i][1] + a) * width + 10 * (b - 1) + c, e * _ratio(model, i)


_PLACES: dict[str, Callable[[Model, Any], Placed]] = {
    "dofs": _dofs, "coordinates": _coordinates, "symmetric": _symmetric, "square": _square, "carried": _carried,
    "jacobian": _jacobian, "scalar": _flat, "vector": _flat, "equations": _equations, "constraints": _constraints,
    "loop_wrenches": _loop_wrenches,
    "wrench": _flat, "wrenches": _wrenches, "inertias": _inertias, "matrix6": _matrix6, "pose": _pose, "poses": _poses,
    "regressor": _regressor,
    "triples": _triples,
}  # fmt: skip


def input_sizes(algorithm: Algorithm, model: Model, links: Sequence[int] = ()) -> dict[str, int]:
    """How many numbers each input array has; wrenches on links come last as external0, external1, ..."""
    sizes = {name: model.nq if name == "q" else model.nv for name in algorithm.inputs}
    return sizes | {f"external{k}": 6 for k in range(len(links))}


def output_names(algorithm: Algorithm) -> list[str]:
    """Names of the output arrays."""
    return [f"out{k}" for k in range(len(algorithm.outputs))]
