"""One step of a simulation as a program, with its controller: the texts of algorithms/steps.py around calls of the
right-hand side.

The program takes a state, the step dt (s) and whatever the motion has for inputs (set points and gains of the law,
wrenches, ...), which it holds over the step, and gives the next state. Emitters make C and JavaScript of it, the
interpreter runs it on any number. A vector is a column of the program's table, one component a row, so that the program
is as short for long robots as for short ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.steps import KEEP_OFF, combination, half_explicit, stage
from ..emit.c import SAMPLES
from ..emit.llvm.gauss import ROUNDS
from ..emit.tableaus import GAUSS, TABLES, Explicit
from ..errors import InputError, near, one_of
from ..evaluate.compiled import write_program
from ..program.finish import finished
from ..program.interpret import interpret
from ..program.ir import IRLoop, Node, Program
from ..program.pauses import uncollected
from ..program.trace import Tracer
from ..scalars.primitives import least, most
from .arguments import the_motion
from .called import PythonSignal
from .law_memory import remembers
from .right_hand_side import Motion

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["STEPS", "export_step", "step_inputs", "step_motion", "step_program"]

STEPS = ("euler", "symplectic", *TABLES)


def step_program(motion: Motion, method: str = "rk4") -> Program:
    """(q, qd, inputs of the motion, dt) -> q_next, qd_next; adaptive methods give error_x and error_v as well, for
    drivers that choose dt; with loops, ``regular`` tells how near to a change point the step came.
    """
    one_of("method", method, STEPS)
    if method == "symplectic" and motion.model.loops:
        raise InputError(
            "a step of the symplectic method is not written down for closed chains; export 'rk4' or 'dopri5'"
        )
    return _Step(motion).written(method)


def step_inputs(motion: Motion) -> dict[str, Any]:
    """The motion's value for each step input besides the state; None for signals."""
    return {_plain(name): channel.values for name, channel in motion.channels.items()}


def _plain(name: str) -> str:
    """A name that C and JavaScript can have."""
    return re.sub(r"\W", "_", name)


class _Step:
    """Writes a step; ``value`` and ``put`` read and write component i of a vector."""

    def __init__(self, motion: Motion) -> None:
        self.motion, self.nq, self.nv = motion, motion.model.nq, motion.model.nv
        self.t, self.loops = Tracer(), 0
        self.columns: dict[str, int] = {}
        self.versions: dict[str, int] = {}
        self.functions: dict[str, Program] = {}
        self.given = [_plain(name) for name in motion.channels]
        sizes = [channel.count for channel in motion.channels.values()]
        self.t.inputs = {"q": self.nq, "qd": self.nv, **dict(zip(self.given, sizes, strict=True)), "dt": 1}
        self.h = self.t.expr("in", (), ("dt", 0))
        self.i = -1  # the loop variable's node

    @uncollected()
    def written(self, method: str) -> Program:
        """The whole program."""
        outputs: dict[str, tuple[int, ...]] = {"q_next": (self.nq,), "qd_next": (self.nv,)}
        if method == "euler":
            self._euler()
        elif method == "symplectic":
            self._symplectic()
        else:
            self._explicit(TABLES[method])
            if TABLES[method].adaptive:
                outputs |= {"error_x": (self.nv,), "error_v": (self.nv,)}
                self._errors(TABLES[method])
        if self.motion.model.loops:
            outputs["regular"] = (1,)
            self.each(1, self._regular)
        self.each(self.nq, lambda: self._out("q_next", self.value("q1")))
        self.each(self.nv, lambda: self._out("qd_next", self.value("kept" if self.motion.model.loops else "v1")))
        made = finished(f"step/{method}", self.t, outputs, labels=False, functions=self.functions)
        made.rows, made.tables = max(self.nq, self.nv, 1), [("vectors", len(self.columns))]
        return made

    # --- vectors ------------------------------------------------------------------------------------------------------
    def each(self, count: int, component: Callable[[], None]) -> None:
        """A loop over the components of a vector."""
        self.loops += 1
        loop = IRLoop(self.loops, "range", 0, count, 1)
        self.t.open()
        self.i = self.t.node("loopvar", (), (self.loops,))
        component()
        loop.cases.append(((), self.t.close()))
        self.t.blocks[-1].append(loop)

    def value(self, name: str) -> Any:
        """Component i."""
        if name in self.t.inputs:
            return self.t.expr("inx", (self.i,), (name, 0))
        return self.t.expr("load", (self.i,), (0, self.columns[name], self.versions[name]))

    def put(self, name: str, value: object) -> None:
        """Component i from now on."""
        self.t.act("store", (self.i, self.t.operand(value)), (0, self._column(name)))

    def _column(self, name: str) -> int:
        self.versions[name] = self.versions.get(name, 0) + 1
        return self.columns.setdefault(name, len(self.columns))

    def _out(self, array: str, value: object) -> None:
        self.t.act("outx", (self.i, self.t.operand(value)), (array, 0, 1))

    def call(self, kind: str, state: dict[str, str], results: dict[str, str]) -> None:
        """One of the motion's programs: vectors by the names of its inputs, and where its results go."""
        if kind not in self.functions:
            self.functions[kind] = _renamed(
                self.motion.program(kind), {name: _plain(name) for name in self.motion.channels}
            )
        of = self.functions[kind]
        inputs = []
        for name in of.inputs:
            vector = state.get(name, name)
            inputs.append((name, vector, 0) if vector in self.t.inputs else (name, 0, self.columns[vector]))
        outputs = tuple((name, 0, self._column(results.get(name, f"{kind} {name}"))) for name in of.outputs)
        self.t.act("call", (), (kind, tuple(inputs), outputs))

    def _advance(self) -> None:
        """Coordinates q1 at x1; with loops, closed ones and velocities v1 consistent with them."""
        self.call("advance", {"base": "q", "x": "x1", "qd": "v1"}, {"q": "q1", "tangent": "kept"})

    # --- methods ------------------------------------------------------------------------------------------------------
    def _pair(self, x: str, v: str, values: tuple[Any, Any]) -> None:
        self.put(x, values[0])
        self.put(v, values[1])

    def _stage(self, row: tuple[float, ...], x: str, v: str) -> None:
        kx, kv = (lambda j: self.value(f"kx{j}")), (lambda j: self.value(f"kv{j}"))
        self.each(self.nv, lambda: self._pair(x, v, stage(row, self.h, kx, kv, self.value("qd"))))

    def _rates(self, j: int, x: str = "x", v: str = "v") -> None:
        self.call("rates", {"base": "q", "x": x, "qd": v}, {"dx": f"kx{j}", "qdd": f"kv{j}", "pivot": f"pivot{j}"})

    def _regular(self) -> None:
        """The least pivot of the loops in any stage over the largest: how near the step has come to a change point."""
        pivots = [self.value(name) for name in self.columns if name.startswith("pivot")]
        self._out("regular", reduce(least, pivots) / reduce(most, pivots))

    def _euler(self) -> None:
        self.each(self.nv, lambda: self.put("x", 0))
        self._rates(0, v="qd")
        self.each(self.nv, lambda: self._pair("x1", "v1", half_explicit(self.h, self.value("qd"), self.value("kv0"))))
        if self.motion.model.loops:
            self._rates(1, "x1", "v1")  # for the pivot there
        self._advance()

    def _explicit(self, table: Explicit) -> None:
        for j, row in enumerate(table.A):
            self._stage(row, "x", "v")
            self._rates(j)
        self._stage(table.b, "x1", "v1")
        if table.adaptive:
            self._rates(table.stages, "x1", "v1")
        self._advance()

    def _errors(self, table: Explicit) -> None:
        """The difference to the lower-order method (the first of two, if there are two)."""
        for name, k in (("error_x", "kx"), ("error_v", "kv")):
            part = lambda j, k=k: self.value(f"{k}{j}")  # noqa: E731
            self.each(
                self.nv,
                lambda name=name, part=part: self._out(name, combination(table.errors[0], part) * self.h),  # type: ignore[misc]
            )

    def _symplectic(self) -> None:
        """Gauss collocation for (q, p) as in simulate/integrators.py, with as many rounds as the iteration may need."""
        count = GAUSS.stages
        self.call("momenta", {"q": "q", "qd": "qd"}, {"p": "p"})
        for s in range(count):
            self.each(self.nv, lambda s=s: self._pair(f"lx{s}", f"lp{s}", (self.h * GAUSS.b[s] * self.value("qd"), 0)))  # type: ignore[misc]
        self.loops += 1
        rounds = IRLoop(self.loops, "range", 0, ROUNDS, 1)
        self.t.open()
        for s, row in enumerate(GAUSS.M):
            self.each(self.nv, lambda s=s, row=row: self._pair(f"x{s}", f"p{s}", self._place(row)))  # type: ignore[misc]
        for s in range(count):
            self.call("hamilton", {"base": "q", "x": f"x{s}", "p": f"p{s}"}, {"dx": "dx", "dp": "dp"})
            weight = GAUSS.b[s]
            self.each(
                self.nv,
                lambda s=s, b=weight: self._pair(  # type: ignore[misc]
                    f"lx{s}", f"lp{s}", (self.h * b * self.value("dx"), self.h * b * self.value("dp"))
                ),
            )
        rounds.cases.append(((), self.t.close()))
        self.t.blocks[-1].append(rounds)
        self.each(self.nv, lambda: self._pair("x1", "p1", self._place((1.0,) * count)))
        self._advance()
        self.each(self.nv, lambda: self.put("zero", 0))
        self.call("hamilton", {"base": "q1", "x": "zero", "p": "p1"}, {"qd": "v1"})

    def _place(self, row: tuple[float, ...]) -> tuple[Any, Any]:
        """The x and p of a stage."""
        return combination(row, lambda j: self.value(f"lx{j}")), combination(
            row, lambda j: self.value(f"lp{j}"), self.value("p")
        )


def _renamed(program: Program, names: dict[str, str]) -> Program:
    """The same with other names of inputs."""

    def changed(node: Node) -> Node:
        return (
            node._replace(arg=(names.get(node.arg[0], node.arg[0]), node.arg[1])) if node.op in ("in", "inx") else node
        )

    return replace(
        program,
        nodes=[changed(n) for n in program.nodes],
        inputs={names.get(k, k): n for k, n in program.inputs.items()},
    )


# --- as files ---------------------------------------------------------------------------------------------------------
OPTIONS: dict[str, Any] = {
    "friction": True, "friction_speed": 0.01, "limits": True, "dynamics": None, "saturate": False, "external": None,
    "parameters": None,
}  # fmt: skip


def step_motion(robot: RobotLike, torque: Any = None, **options: Any) -> Motion:
    """The motion of one robot under a law, as ``simulate`` takes them; what runs in Python is refused."""
    if unknown := sorted(set(options) - set(OPTIONS)):
        raise InputError(
            f"a step has no option {unknown[0]!r}; there are torque, {', '.join(OPTIONS)}{near(unknown[0], OPTIONS)}"
        )
    if remembers(torque):
        raise InputError(
            "a law that remembers (PID) has a state of its own, which a step does not carry; export PD or "
            "ComputedTorque"
        )
    q = np.atleast_2d(robot.neutral())
    motion, drive = the_motion(robot, q, True, 1.0, torque, OPTIONS | options | {"qd0": np.zeros((1, robot.n))})
    if drive is not None or any(isinstance(c.signal, PythonSignal) for c in motion.channels.values()):
        raise InputError(
            "a Python function cannot be written as C or JavaScript; give a law of ordern.control, an array or nothing"
        )
    return motion


def export_step(
    robot: RobotLike,
    folder: Any,
    language: str = "c",
    method: str | None = None,
    dtype: str = "float64",
    **options: object,
) -> list[Path]:
    """Write one step of a simulation with its controller; ``options`` are those of ``simulate``, torque among them."""
    motion = step_motion(robot, **options)
    program = step_program(motion, method or "rk4")
    notes = [
        "q, qd: the state before the step of dt seconds; q_next, qd_next: behind it. All other inputs are held over "
        "the step; here they were:"
    ]
    if motion.model.loops:
        notes.insert(
            0,
            "regular: how near the step came to a change point (all rods of a loop in one line). Where it is below "
            f"1/{KEEP_OFF:g}, do not take the step: call it again with dt a fifth shorter until it is not, then go on "
            "with what is left of dt. The digits of other steps are sound.",
        )
    for name, values in step_inputs(motion).items():
        shown = "a signal: give its value" if values is None else ", ".join(f"{x:.9g}" for x in np.ravel(values)[:64])
        notes.append(f"{name}: {shown}")
    return write_program(program, robot.model, "step", folder, language, dtype, notes, _samples(robot, motion, program))


def _samples(robot: RobotLike, motion: Motion, program: Program) -> dict[str, Any]:
    """States for the self-test of C: closed chains closed, inputs as they are, a millisecond."""
    rng = np.random.default_rng(0)
    q = robot.random(rng, (SAMPLES,))
    if motion.model.loops:
        off = [robot.integrate(robot.neutral(), np.full(robot.n, 0.2 + 0.05 * k)) for k in range(SAMPLES)]
        q = np.array([robot.assemble(e).q for e in off])
    made = {"q": q, "qd": rng.uniform(-0.5, 0.5, (SAMPLES, robot.n)), "dt": np.full((SAMPLES, 1), 1e-3)}
    if motion.model.loops:
        made["qd"] *= 0.0
    for name, values in step_inputs(motion).items():
        given = rng.uniform(-0.5, 0.5, program.inputs[name]) if values is None else np.atleast_2d(values)[0]
        made[name] = np.broadcast_to(given, (SAMPLES, program.inputs[name]))
    fine = np.all([np.isfinite(x).all(axis=1) for x in interpret(program, made).values()], axis=0)
    return {name: values[fine] for name, values in made.items()} if fine.any() else made
