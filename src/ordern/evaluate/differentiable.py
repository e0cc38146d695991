"""Smooth: a quantity of a robot as kernels that differentiate themselves, to any order; what the bridges to JAX and
PyTorch are built on.

``jvp`` is the derivative along a direction of each chosen input, ``vjp`` the one against weights of the outputs; both
are Smooth again. ``matrix`` is the kernel of all derivatives at once, where there is an analytical one. Inputs are
arrays of numbers: of a floating base's q all seven count, and since a quaternion of any length means the same attitude,
derivatives are those of the function as it stands, off the unit sphere too. ``Chart`` leads from changes of coordinates
to joint velocities, which analytical derivatives are taken along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.registry import Algorithm, choose
from ..errors import InputError, MethodError, shown
from ..model import Model
from ..model.thresholds import MOST_ADJOINT
from ..program.adjoint import adjoint, directional, named
from ..program.finish import finished
from ..program.ir import Program
from ..program.layout import output_names
from ..program.trace import Tracer, TraceTree
from ..runtime.call import Call, source_stamp
from ..runtime.foreign_code import foreign_codes
from ..runtime.kernels import Kernel, compiled
from ..spatial.joint_space import Block, JointVector
from ..tree import JointVectors, JointView, Tree

if TYPE_CHECKING:
    from .robot_like import RobotLike

__all__ = ["DerivativeMatrix", "Smooth", "chart", "common_rows", "smooth"]

# quantity: its derivatives, and where each input of theirs comes from (None: zero)
_MATRICES = {
    "inverse_dynamics": ("inverse_dynamics_derivatives", ("q", "qd", "qdd")),
    "bias_forces": ("inverse_dynamics_derivatives", ("q", "qd", None)),
    "gravity_forces": ("inverse_dynamics_derivatives", ("q", None, None)),
    "forward_dynamics": ("forward_dynamics_derivatives", ("q", "qd", "tau")),
    "log_det": ("log_det_gradient", ("q",)),
}


_OF_THE_TREE = frozenset(("bias_forces", "gravity_forces"))  # they leave loops open; inverse_dynamics does not


class DerivativeMatrix:
    """Kernel of a quantity's derivatives: ``part[name]`` is the output (result size, nv) by that input."""

    def __init__(
        self, kernel: Smooth, sources: Sequence[str | None], part: Mapping[str, int], chart: Smooth | None
    ) -> None:
        self.kernel, self.sources, self.part, self.chart = kernel, tuple(sources), dict(part), chart


class Smooth:
    """A function of arrays with kernels; equal only to itself, so that it can be a parameter of traced calls."""

    def __init__(
        self,
        title: str,
        key: str,
        inputs: Mapping[str, int],
        outputs: Mapping[str, tuple[int, ...]],
        make: Callable[[], Program],
        base: Smooth | None = None,
        kind: str = "",
        wrt: tuple[str, ...] = (),
    ) -> None:
        self.title, self.key, self.inputs, self.outputs, self._make = title, key, dict(inputs), dict(outputs), make
        self.base, self.kind, self.wrt = base, kind, wrt
        self.sizes = [math.prod(shape) for shape in self.outputs.values()]
        self._derived: dict[tuple[str, tuple[str, ...]], Smooth] = {}
        self._kernels: dict[str, Kernel] = {}
        self.matrix_of: Callable[[], DerivativeMatrix | None] = lambda: None

    def __repr__(self) -> str:
        return self.title

    @cached_property
    def matrix(self) -> DerivativeMatrix | None:
        """All derivatives from one kernel, if it exists."""
        return self.matrix_of()

    def program(self) -> Program:
        """As traced; kept no longer than it is needed, for those of large robots are large."""
        return self._make()

    def kernel(self, dtype: str) -> Kernel:
        """Machine code, shared by all who ask for the same."""
        if dtype not in self._kernels:
            self._kernels[dtype] = compiled(self.key, self.program, self.inputs, self.outputs, dtype)
        return self._kernels[dtype]

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        """On NumPy arrays (rows, count) of float64: (rows, size) each."""
        outs = [np.empty((len(arrays[0]), size)) for size in self.sizes]
        if len(arrays[0]) and all(self.sizes):
            self.kernel("float64").run([np.ascontiguousarray(a, float) for a in arrays], outs)
        return outs

    def jvp(self, wrt: Sequence[str]) -> Smooth:
        """J v: takes a direction for each input in ``wrt`` behind the inputs."""
        names = tuple(wrt)
        inputs = self.inputs | {new: self.inputs[name] for name, new in named(names, "_t", self.inputs).items()}
        outputs = {f"{name}_t": shape for name, shape in self.outputs.items()}
        return self._derive("jvp", names, inputs, outputs, lambda: directional(self.program(), names))

    def vjp(self, wrt: Sequence[str]) -> Smooth:
        """w^T J: takes weights of the outputs behind the inputs; one output for each input in ``wrt``."""
        names = tuple(wrt)
        inputs = self.inputs | dict(zip(named(list(self.outputs), "_w", self.inputs).values(), self.sizes, strict=True))
        outputs: dict[str, tuple[int, ...]] = {f"{name}_w": (self.inputs[name],) for name in names}
        return self._derive("vjp", names, inputs, outputs, lambda: adjoint(self.program(), names))

    @cached_property
    def adjoins(self) -> bool:
        """Whether w^T J has a kernel (a short straight-line program); a scalar's gradient is cheaper with it."""
        if self.sizes == [1] and self.matrix is not None:
            return False
        program = self.program()
        return program.straight and len(program.body) <= MOST_ADJOINT

    def _derive(
        self,
        kind: str,
        wrt: tuple[str, ...],
        inputs: Mapping[str, int],
        outputs: Mapping[str, tuple[int, ...]],
        make: Callable[[], Program],
    ) -> Smooth:
        found = self._derived.get((kind, wrt))
        if found is None:
            key = f"{self.key}\n{kind} {','.join(wrt)}"
            found = Smooth(f"{self.title} {kind}({', '.join(wrt)})", key, inputs, outputs, make, self, kind, wrt)
            self._derived[kind, wrt] = found
        return found


def smooth(
    robot: RobotLike,
    quantity: str,
    method: str | None = None,
    link: str | None = None,
    external: Sequence[str] = (),
    world: bool = True,
) -> Smooth:
    """A quantity of a robot; wrenches on the links named in ``external`` are further inputs. The robot keeps it."""
    if not isinstance(getattr(robot, "model", None), Model):
        raise InputError(f"robot must be a Robot, got {shown(robot)}; ordern.load makes one of a file or a name")
    if isinstance(external, str) or not isinstance(external, Sequence):
        raise InputError(f"external must be a list of links, got {shown(external)}; as external=['hand']")
    if twice := next((name for k, name in enumerate(external) if name in external[:k]), None):
        raise InputError(f"external has link {twice!r} twice; give each link once, and the sum of its wrenches")
    key = ("smooth", quantity, method, link, tuple(external), world)
    found: Smooth | None = robot._calls.get(key)
    if found is None:
        algorithm = choose(quantity, method, robot.model)
        links = tuple(robot._link(name) for name in external)
        if links and not algorithm.external:
            raise MethodError(f"method {algorithm.method!r} of {quantity} takes no external wrenches")
        options = tuple(
            world if name == "world" else value
            for name, value in zip(algorithm.options, robot._options(algorithm, link), strict=True)
        )
        call = Call(robot.model, algorithm, options, links)
        if call._by_hand:
            raise MethodError(
                f"{quantity} of robot {robot.name!r} has no kernel: it has too many bodies for a result that no loop "
                "makes"
            )
        found = of_call(call)
        if quantity in _MATRICES:
            found.matrix_of = lambda: _matrix(robot, quantity, external)
        robot._calls[key] = found
    return found


def common_rows(counts: Iterable[int]) -> int:
    """The rows of arrays together: one row serves all, none makes an empty batch."""
    return next((count for count in counts if count != 1), 1)


def of_call(call: Call) -> Smooth:
    """The quantity of a call, with the machine code that the robot's own methods have."""
    outputs = dict(zip(output_names(call.algorithm), call.shapes, strict=True))
    made = Smooth(f"{call.algorithm.quantity} of {call.model.name!r}", call.key(), call.sizes, outputs, call.program)
    made.kernel = call.kernel  # type: ignore[method-assign]
    return made


def _matrix(robot: RobotLike, quantity: str, external: Sequence[str]) -> DerivativeMatrix | None:
    name, sources = _MATRICES[quantity]
    try:
        kernel = smooth(robot._without_loops() if quantity in _OF_THE_TREE else robot, name, None, None, external)
    except MethodError:  # a robot that has no analytical derivatives
        return None
    if quantity == "log_det" and not robot.model.plain and not any(b.mimic for b in robot.model.bodies):
        along = _in_coordinates(choose(name, None, robot.model))  # a chart of 10,000 bodies has 10^8 numbers
        return DerivativeMatrix(of_call(Call(robot.model, along, ())), sources, {"q": 0}, None)
    inputs = list(kernel.inputs)
    part = {source: k for k, source in enumerate(sources) if source is not None}
    given = [*sources, *inputs[len(sources) :]]
    map_ = None if robot.model.plain else chart(robot.model)
    return DerivativeMatrix(kernel, given, part, map_)


def _in_coordinates(slopes: Algorithm) -> Algorithm:
    """A gradient along the joint velocities as one along the coordinates."""

    def text(tree: Tree, q: JointVectors) -> Any:
        found, made = slopes(tree, q), tree.table("along coordinates")
        for i, _ in tree.outward("along coordinates"):
            rows = _inverse(_tangents_of(tree.joint[i], q[i], tree.degrees(i)))
            made[i] = JointVector(*(_dot(found[i].e, across) for across in zip(*rows, strict=True)))
        return made

    return replace(slopes, function=text, outputs=("coordinates",), method=f"{slopes.method} in coordinates")


def _tangents_of(joint: JointView, q: JointVector, nv: int) -> list[Any]:
    """The columns of R with dq/dt = R qd, of one joint."""
    return [joint.rates(q, JointVector(*(int(c == b) for b in range(nv)))).e for c in range(nv)]


def _inverse(R: list[Any]) -> list[list[Any]]:
    """(R^T R)^-1 R^T, row by row."""
    nv = len(R)
    gram = Block(nv, nv, [_dot(a, b) for a in R for b in R]).symmetric().inverse().as_block().dense()
    return [[_dot(row, across) for across in zip(*R, strict=True)] for row in gram]


def chart(model: Model) -> Smooth:
    """(nv, nq): joint velocities for changes of coordinates, (R^T R)^-1 R^T with dq/dt = R qd, joint by joint."""
    shape = (model.nv, model.nq)

    def make() -> Program:
        tracer = Tracer()
        q = tracer.input("q", model.nq)
        tree = TraceTree(model, tracer)
        made: dict[int, Any] = {}
        for i in model.free:
            joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
            R = _tangents_of(tree.joint[i], JointVector(*q[iq : iq + joint.nq]), joint.nv)
            for row, across in enumerate(_inverse(R), iv):
                for column, x in enumerate(across, iq):
                    made[row * model.nq + column] = x
        for at in range(math.prod(shape)):
            tracer.output("out0", at, made.get(at, 0))
        return finished("chart", tracer, {"out0": shape}, labels=False)

    return Smooth(
        f"chart of {model.name!r}",
        "\n".join([model.fingerprint, "chart", source_stamp(), *foreign_codes(model)]),
        {"q": model.nq},
        {"out0": shape},
        make,
    )


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total
