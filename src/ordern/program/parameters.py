"""A robot with letters for its constants: masses, mass centres, inertias and lengths as inputs of the traced program.

Letters stand where the robot has numbers other than 0, 1 and -1: m_2 (mass), c_2_x (mass centre), I_2_zz (inertia about
the mass centre), p_2_x (where joint 2 sits on its parent), l_2_x (where link 2's frame sits on its body), all in the
body's own frame; g, or g_x, g_y, g_z where gravity is oblique; angles that are not right angles stay numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Model, Placement
from ..model.regular import central
from ..spatial import RigidInertia, Rotation, Sym3, Transform, Vec3
from .finish import finished
from .ir import Program
from .layout import collect, shape_of
from .pauses import uncollected
from .trace import Tracer, TraceTree

__all__ = ["SymbolTree", "symbolic_trace"]

AXES = ("x", "y", "z")
TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


class SymbolTree(TraceTree):
    """A tree whose constants are named inputs."""

    def __init__(self, model: Model, tracer: Tracer) -> None:
        super().__init__(model, tracer)
        self.values: dict[str, float] = {}
        self._body = 0

    def letter(self, name: str, value: float) -> Any:
        """A named input, unless the number is structural."""
        if (value in (0.0, 1.0, -1.0) and not name.startswith(("m_", "p_", "l_"))) or value == 0.0:
            return int(value)
        self.values[name] = value
        return self.t.expr("in", (), (name, None))

    def _joint(self, i: int) -> Any:
        self._body = i
        return super()._joint(i)

    def _placed(self, at: Placement) -> tuple[Rotation, Vec3]:
        rotation, _ = super()._placed(at)
        return rotation, Vec3(
            *(self.letter(f"p_{self._body}_{axis}", x) for axis, x in zip(AXES, at.origin, strict=True))
        )

    def _frame(self, k: int) -> Transform:
        at = self.model.links[k].placement
        rotation, _ = super()._placed(at)
        return Transform(
            rotation, Vec3(*(self.letter(f"l_{k}_{axis}", x) for axis, x in zip(AXES, at.origin, strict=True)))
        )

    def _centre(self, i: int) -> Vec3:
        com = self.model.bodies[i].inertia.com if i else (0.0, 0.0, 0.0)
        return Vec3(*(self.letter(f"c_{i}_{axis}", x) for axis, x in zip(AXES, com, strict=True)))

    def _central(self, i: int) -> RigidInertia:
        mass = self.model.bodies[i].inertia
        I = Sym3(*(self.letter(f"I_{i}_{axes}", x) for axes, x in zip(TENSOR, central(mass)[1], strict=True)))
        return RigidInertia(self.letter(f"m_{i}", mass.m), Vec3.zero(), I)

    def _inertia(self, i: int) -> RigidInertia:
        """Mass, mass centre and central inertia as letters, moved to the origin by the parallel-axis theorem."""
        own, c = self._central(i), self._centre(i)
        x, y, z = own.m * c.x, own.m * c.y, own.m * c.z
        shift = Sym3(y * c.y + z * c.z, x * c.x + z * c.z, x * c.x + y * c.y, -(x * c.y), -(x * c.z), -(y * c.z))
        return RigidInertia(own.m, Vec3(x, y, z), own.I + shift)


def _gravity(tree: SymbolTree) -> list[Any]:
    """G along an axis, with sign; else a letter for each component."""
    given = tree.model.gravity
    if sum(x != 0 for x in given) > 1:
        return [tree.letter(f"g_{axis}", x) for axis, x in zip(AXES, given, strict=True)]
    return [tree.letter("g", abs(x)) * (-1 if x < 0 else 1) if x else 0 for x in given]


@uncollected()
def symbolic_trace(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> tuple[Program, dict[str, float]]:
    """The straight-line program with letters, and the numbers they stand for."""
    tracer = Tracer()
    tree = SymbolTree(model, tracer)
    inputs = {name: model.nq if name == "q" else model.nv for name in algorithm.inputs}
    given = [tree.coordinates(tracer.input(name, count), "q" if name == "q" else "v") for name, count in inputs.items()]
    tree.gravity = type(tree.gravity)(Vec3.zero(), Vec3(*_gravity(tree)))
    result = algorithm(tree, *given, *options)
    results = result if len(algorithm.outputs) > 1 else (result,)
    outputs = {}
    for k, (kind, value) in enumerate(zip(algorithm.outputs, results, strict=True)):
        shape, size = shape_of(kind, model), 1
        for extent in shape:
            size *= extent
        made = collect(kind, tree, value)
        outputs[f"out{k}"] = shape
        for at in range(size):
            tracer.output(f"out{k}", at, made.get(at, 0))
    return finished(algorithm.name, tracer, outputs, inputs=inputs), tree.values
