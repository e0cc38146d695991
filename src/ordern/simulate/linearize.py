"""``robot.linearize``: the discrete A and B of one step, by differentiating the step itself.

The step is the one that ``robot.simulate`` takes with that method and step size, joint friction included; its stages
are differentiated along all 3n directions of (q, qd, tau) by kernels (program/adjoint.py), so A and B are exact
derivatives of what a simulation does, not of its limit for small steps. Changes of q, before and after, are joint
velocities (n, on the manifold): dx' = A dx + B dtau with dx = [dq; dqd].

With loops, they are those of all joints of the tree, taken along the constraint: a change is first brought to what the
loops allow (as the last thing a step does, by the least kinetic energy), so that A P = A with that projection P, the
state behind the step is closed again, and A has the rank of the motions that there are. What P takes away has
eigenvalue zero: a regulator that is designed with A and B needs no other coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..emit.tableaus import TABLES
from ..errors import one_of
from ..evaluate.differentiable import Smooth
from ..evaluate.manifold import joint_velocities, named, unit_quaternions
from ..runtime.array_inputs import as_array
from ..runtime.call import source_stamp
from ..scalars.primitives import Array
from .arguments import number, the_motion
from .closed_sides import closed_start
from .right_hand_side import Motion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..evaluate.robot_like import RobotLike

__all__ = ["LinearStep", "linearize"]

METHODS = ("euler", *TABLES)
PLAIN = {"friction_speed": 0.01, "limits": False, "dynamics": None, "external": None, "parameters": None}


class LinearStep(NamedTuple):
    """A (..., 2n, 2n) and B (..., 2n, n) of one step."""

    A: Array
    B: Array


def linearize(
    robot: RobotLike, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, dt: float, method: str = "rk4", friction: bool = True
) -> LinearStep:
    """Derivatives of (q, qd) after a step ``dt`` (s) under constant tau by q, qd (A) and tau (B)."""
    one_of("method", method, METHODS)
    h, model = number("dt", dt, 0.0), robot.model
    robot.forward_dynamics(q, qd, tau)  # complains about shapes and about numbers that are not finite
    given = [as_array(name, named(model, name, a)).astype(float) for name, a in (("q", q), ("qd", qd), ("tau", tau))]
    batch = np.broadcast_shapes(*(a.shape[:-1] for a in given))
    rows = [np.broadcast_to(a, (*batch, a.shape[-1])).reshape(math.prod(batch), a.shape[-1]) for a in given]
    rows[0] = unit_quaternions(model, "q", rows[0], np.inf)  # any length stands for the attitude, as elsewhere
    if model.loops:
        rows[:2] = closed_start(robot, *rows[:2])
    n, options = model.nv, dict(PLAIN, friction=friction)
    motion = the_motion(robot, np.zeros((1, model.nq)), True, h, np.zeros(n), options)[0]
    found = _Step(motion, h, method).along(*rows)
    J = np.swapaxes(found.reshape(len(rows[0]), 3 * n, 2 * n), 1, 2).reshape(*batch, 2 * n, 3 * n)
    return LinearStep(np.ascontiguousarray(J[..., : 2 * n]), np.ascontiguousarray(J[..., 2 * n :]))


class _Step:
    """One step with its rates along directions: values and rates go through the stages side by side."""

    def __init__(self, motion: Motion, h: float, method: str) -> None:
        self.motion, self.h, self.method = motion, h, method
        self.moved = ("base", "x", "qd") if motion.model.loops else ("base", "x")  # loops hold velocities too
        self.law = next(name for name in motion.channels if name.startswith("law "))
        self.fixed = [c for name, c in motion.channels.items() if name != self.law]
        self.functions = {kind: self._smooth(kind) for kind in ("rates", "advance")}
        self.slopes = {
            "rates": self.functions["rates"].jvp(("base", "x", "qd", self.law)),
            "advance": self.functions["advance"].jvp(self.moved),
        }

    def _smooth(self, kind: str) -> Smooth:
        key = f"{self.motion.key}\n{kind} of a step\n{source_stamp()}"
        inputs = self.motion.inputs(kind)
        if kind == "advance":
            inputs = {name: inputs[name] for name in self.moved}
        title, outputs = f"{kind} of {self.motion.model.name!r}", self.motion.outputs(kind)
        return Smooth(title, key, inputs, outputs, lambda: replace(self.motion.program(kind), inputs=inputs))

    def along(self, q: Array, v: Array, tau: Array) -> Array:
        """(rows * 3n, 2n): how the state after the step changes along each direction."""
        n, rows = v.shape[1], len(q)
        unit = np.zeros((3, 3 * n, n))
        for k in range(3):
            unit[k, k * n : (k + 1) * n] = np.eye(n)
        dq, dv, dtau = (np.tile(e, (rows, 1)) for e in unit)
        q, v, tau = (np.repeat(a, 3 * n, axis=0) for a in (q, v, tau))
        zero = np.zeros_like(v)
        base, dv = self._ended(q, zero, v, np.zeros_like(q), dq, dv)[2:]  # of the coordinates, for joint velocities
        if self.method == "euler":
            _, a, _, da = self._turn(q, zero, v, tau, base, zero, dv, dtau)
            v1, dv1 = v + self.h * a, dv + self.h * da
            x, dx = self.h * v1, self.h * dv1
        else:
            x, v1, dx, dv1 = self._explicit(q, v, tau, base, dv, dtau)
        end, _, moved, dv1 = self._ended(q, x, v1, base, dx, dv1)
        return np.concatenate([joint_velocities(self.motion.model, end, moved), dv1], axis=1)

    def _ended(self, q: Array, x: Array, v: Array, *moves: Array) -> tuple[Array, Array, Array, Array]:
        """Coordinates and velocities where a step ends, loops closed; and how they change."""
        count = len(self.moved)
        given, along = [q, x, v][:count], list(moves[:count])
        made, change = self._values("advance", given), self._rates("advance", given, along)
        if count == 2:
            return made[0], v, change[0], moves[2]
        return made[0], made[2], change[0], change[2]

    def _explicit(self, q: Array, v: Array, tau: Array, base: Array, dv: Array, dtau: Array) -> tuple[Array, ...]:
        table, zero, k = TABLES[self.method], np.zeros_like(v), list[tuple[Array, ...]]()
        for row in table.A:
            x, v1, dx, dv1 = (
                start + self.h * _sum(row, [e[m] for e in k], zero) for m, start in enumerate((zero, v, zero, dv))
            )
            k.append(self._turn(q, x, v1, tau, base, dx, dv1, dtau))
        made = [start + self.h * _sum(table.b, [e[m] for e in k], zero) for m, start in enumerate((zero, v, zero, dv))]
        return tuple(made)

    def _turn(self, q: Array, x: Array, v: Array, tau: Array, *moves: Array) -> tuple[Array, ...]:
        """Rates of x and v, and how they change."""
        others = [np.broadcast_to(np.asarray(c.values, float).reshape(1, -1), (len(q), c.count)) for c in self.fixed]
        names = list(self.functions["rates"].inputs)
        given = {
            "base": q,
            "x": x,
            "qd": v,
            self.law: tau,
            **dict(zip([m for m in names[3:] if m != self.law], others, strict=True)),
        }
        arrays = [given[name] for name in names]
        return (*self._values("rates", arrays)[:2], *self._rates("rates", arrays, list(moves))[:2])

    def _values(self, kind: str, arrays: list[Array]) -> list[Array]:
        return self.functions[kind].run(arrays)

    def _rates(self, kind: str, arrays: list[Array], moves: list[Array]) -> list[Array]:
        return self.slopes[kind].run([*arrays, *moves])


def _sum(weights: Sequence[float], parts: list[Array], zero: Array) -> Array:
    total = zero
    for w, part in zip(weights, parts, strict=True):
        if w:
            total = total + w * part
    return total
