"""Verify: all methods against each other and against the laws of mechanics, on one robot.

Errors are in units of rounding: eps times the size of the result where nothing is solved, eps times the condition
number where the mass matrix is inverted. A correct method on a sane robot stays within some tens of them. Every named
method is run as its text stands; what ``robot.method()`` compiles by default is then compared with the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm, choose, find
from ..errors import InputError, OrdernError, SingularError
from ..evaluate.results import UDU
from ..model import Mimic, Model, Placement
from ..robot import Robot
from ..runtime.numbers import numbers
from ..scalars.primitives import Array
from .verification import EPS, Check, Refusal, Verification
from .verify_loops import closed_rows

__all__ = ["Check", "Refusal", "Verification", "renumbered", "turned", "verify"]

COMPARED = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse", "coriolis_matrix")


class _Text:
    """The algorithms of one robot, run as their texts stand, in double precision on batches of states."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, quantity: str, *arguments: Array, method: str | None = None) -> Any:
        rows = [np.atleast_2d(a) for a in arguments]
        try:
            with np.errstate(all="ignore"):
                return numbers(choose(quantity, method, self.model), self.model)(*rows)
        except ZeroDivisionError:  # a constant of the robot, whatever the state
            raise SingularError(f"{quantity}: the mass matrix is singular") from None


@dataclass(frozen=True)
class _States:
    """Random states (B, n) and references: M, the norms of M and its inverse, the condition number."""

    q: Array
    qd: Array
    qdd: Array
    tau: Array
    M: Array
    size: Array
    inverse: Array
    cond: Array

    @property
    def limit(self) -> float:
        """Units allowed: rounding adds up along the chain."""
        return 100.0 + 10.0 * float(self.qd.shape[-1])


def verify(robot: Robot, states: int = 20, seed: int = 0, progress: Callable[[str], Any] | None = None) -> Verification:
    """Run all methods and invariants on random states of a robot.

    Args:
        robot: any robot.
        states: how many random states.
        seed: of the random numbers.
        progress: called with the name of each group when it is done.
    """
    if states < 1:
        raise InputError(f"states is {states}; at least one state is needed")
    if robot.n == 0:
        raise InputError(f"robot {robot.name!r} has no degrees of freedom; there is nothing to verify")
    tell = progress or (lambda what: None)
    if robot.model.loops:
        return _closed(robot, states, seed, tell)
    text = _Text(robot.model)
    s = _states(robot, text, states, seed)
    checks: list[Check] = []
    refused: list[Refusal] = []
    for quantity in COMPARED:
        found, refusals = _methods(robot, text, s, quantity)
        checks += found
        refused += refusals
        tell(quantity)
    for group in (_matrix_laws, _solving, _coriolis_laws, _other_frames):
        checks += group(text, s)
        tell(group.__name__.strip("_").replace("_", " "))
    return Verification(robot.name, robot.n, states, float(np.max(s.cond)), tuple(checks), tuple(refused))


def _closed(robot: Robot, states: int, seed: int, tell: Callable[[str], Any]) -> Verification:
    """Robots with loops have laws of their own; methods for trees do not serve them."""
    rows, unit = closed_rows(robot, states, seed)
    checks = tuple(
        Check(group, what, error, 100.0 + 10.0 * robot.n, "eps" if "eps" in what else "eps cond")
        for group, what, error in rows
    )
    refused = [
        Refusal(a.name, reason) for q in COMPARED for a in find(q) if (reason := a.refusal(robot.model)) is not None
    ]
    tell("loops")
    return Verification(robot.name, robot.n, states, unit, checks, tuple(refused))


def _states(robot: Robot, text: _Text, count: int, seed: int) -> _States:
    rng = np.random.default_rng(seed)
    q = robot.random(rng, count)
    qd, qdd = rng.standard_normal((2, count, robot.n))
    M = text("mass_matrix", q, method="composite")
    tau = text("inverse_dynamics", q, qd, qdd, method="newton-euler")
    if not (np.isfinite(M).all() and np.isfinite(tau).all()):
        raise InputError(f"robot {robot.name!r}: its mass matrix or torques are not finite; see ordern lint")
    w = np.abs(np.linalg.eigvalsh(M))
    low = np.maximum(w.min(axis=-1), np.finfo(float).tiny)
    return _States(q, qd, qdd, tau, M, w.max(axis=-1), 1 / low, w.max(axis=-1) / low)


def _size(x: Array, axes: int = 1) -> Array:
    """Largest magnitude in the last axes, for each state."""
    made: Array = np.max(np.abs(x), axis=tuple(range(-axes, 0)))
    return made


def _worst(error: Array, unit: Array) -> float:
    with np.errstate(all="ignore"):
        ratio = np.where(error == 0, 0.0, error / (EPS * np.maximum(unit, np.finfo(float).tiny)))
    return float(np.max(ratio)) if np.isfinite(ratio).all() else float("nan")


# --- methods against each other ---------------------------------------------------------------------------------------
def _methods(robot: Robot, text: _Text, s: _States, quantity: str) -> tuple[list[Check], list[Refusal]]:
    """Every method of a quantity against the most trusted one that serves, and the compiled default."""
    checks: list[Check] = []
    refused: list[Refusal] = []
    first: tuple[str, Array] | None = None
    for algorithm in sorted(find(quantity), key=_trusted):
        reason = algorithm.refusal(robot.model)
        if reason is not None:
            refused.append(Refusal(algorithm.name, reason))
            continue
        try:
            value = _product(quantity, text(quantity, *_arguments(s, quantity), method=algorithm.method), s)
        except OrdernError as problem:
            refused.append(Refusal(algorithm.name, str(problem)))
            continue
        if first is None:
            first = (algorithm.method, value)
        else:
            checks.append(_compared(s, quantity, f"{algorithm.method} = {first[0]}", value, first[1]))
    if first is not None:
        try:
            compiled = _product(quantity, getattr(robot, quantity)(*_arguments(s, quantity)), s)
            checks.append(_compared(s, quantity, f"compiled = {first[0]}", compiled, first[1]))
        except OrdernError as problem:
            refused.append(Refusal(f"{quantity}, compiled", str(problem)))
    return checks, refused


def _compared(s: _States, quantity: str, what: str, value: Array, reference: Array) -> Check:
    unit, name = _unit(s, quantity, reference)
    return Check(
        "methods", f"{quantity}: {what}", _worst(_size(value - reference, value.ndim - 1), unit), s.limit, name
    )


def _trusted(algorithm: Algorithm) -> tuple[bool, int]:
    """The classical methods come first: they are what the others are measured against."""
    return algorithm.method not in ("newton-euler", "articulated", "composite", "christoffel"), algorithm.rank


def _arguments(s: _States, quantity: str) -> tuple[Array, ...]:
    known = {
        "inverse_dynamics": (s.q, s.qd, s.qdd),
        "forward_dynamics": (s.q, s.qd, s.tau),
        "coriolis_matrix": (s.q, s.qd),
    }
    return known.get(quantity, (s.q,))


def _product(quantity: str, value: Array, s: _States) -> Array:
    """Coriolis matrices may differ; what they do to qd may not."""
    return np.einsum("...ij,...j", value, s.qd) if quantity == "coriolis_matrix" else value


def _unit(s: _States, quantity: str, reference: Array) -> tuple[Array, str]:
    if quantity == "forward_dynamics":
        return s.inverse * np.linalg.norm(s.tau, axis=-1), "eps |M^-1| |tau|"
    if quantity == "mass_matrix_inverse":
        return s.inverse * s.cond, "eps cond |M^-1|"
    if quantity == "mass_matrix":
        return s.size, "eps |M|"
    return np.maximum(_size(reference), s.size), "eps |tau|" if quantity == "inverse_dynamics" else "eps |C qd|"


# --- laws -------------------------------------------------------------------------------------------------------------
def _matrix_laws(text: _Text, s: _States) -> list[Check]:
    M, limit = s.M, s.limit
    asymmetry = _worst(_size(M - np.swapaxes(M, -1, -2), 2), s.size)
    lowest = float(np.min(np.linalg.eigvalsh(M)[..., 0] / s.size))
    singular = "" if lowest > 0 else "the mass matrix is singular: a joint moves no inertia, see ordern lint"
    made = [Check("laws", "M symmetric", asymmetry, limit, "eps |M|")]
    made.append(
        Check(
            "laws",
            "M positive definite",
            0.0 if lowest > 0 else max(-lowest / EPS, limit * 2),
            limit,
            "eps |M|",
            singular,
        )
    )
    if _has(text, "mass_matrix_udu"):
        error = _tried(lambda: _worst(_size(UDU(*text("mass_matrix_udu", s.q)).matrix() - M, 2), s.size))
        made.append(Check("laws", "U D U^T = M", error, limit, "eps |M|"))
    energy = 0.5 * np.einsum("bi,bij,bj->b", s.qd, M, s.qd)
    error = _worst(np.abs(text("kinetic_energy", s.q, s.qd).reshape(-1) - energy), s.size * np.sum(s.qd**2, axis=-1))
    made.append(Check("laws", "kinetic energy = qd^T M qd / 2", error, limit, "eps |M| |qd|^2"))
    return made


def _solving(text: _Text, s: _States) -> list[Check]:
    made = []
    if _has(text, "mass_matrix_inverse"):
        error = _tried(lambda: _worst(_size(s.M @ text("mass_matrix_inverse", s.q) - np.eye(s.M.shape[-1]), 2), s.cond))
        made.append(Check("laws", "M M^-1 = 1", error, s.limit, "eps cond"))
    if _has(text, "forward_dynamics"):
        unit = s.inverse * np.linalg.norm(s.tau, axis=-1)
        error = _tried(lambda: _worst(_size(text("forward_dynamics", s.q, s.qd, s.tau) - s.qdd), unit))
        made.append(Check("laws", "forward(inverse(qdd)) = qdd", error, s.limit, "eps |M^-1| |tau|"))
    return made


def _tried(error: Callable[[], float]) -> float:
    """The error, or NaN where the mass matrix cannot be inverted."""
    try:
        return error()
    except SingularError:
        return float("nan")


def _has(text: _Text, quantity: str) -> bool:
    return any(a.refusal(text.model) is None for a in find(quantity))


def _coriolis_laws(text: _Text, s: _States) -> list[Check]:
    """dM/dt - 2C is skew, C qd + g = bias, power = energy rate; dM/dt from inverse dynamics' derivatives."""
    made = []
    bias = text("bias_forces", s.q, s.qd)
    gravity = text("gravity_forces", s.q)
    scale = np.maximum(_size(bias), s.size * np.sum(s.qd**2, axis=-1))
    rate = _mass_rate(_Text(replace(text.model, gravity=(0.0, 0.0, 0.0))), s)
    for algorithm in find("coriolis_matrix"):
        if algorithm.refusal(text.model) is not None:
            continue
        C = text("coriolis_matrix", s.q, s.qd, method=algorithm.method)
        product = np.einsum("bij,bj->bi", C, s.qd) + gravity
        made.append(
            Check(
                "laws",
                f"C qd + g = bias ({algorithm.method})",
                _worst(_size(product - bias), scale),
                s.limit,
                "eps |bias|",
            )
        )
        if rate is not None:
            skew = rate - 2 * C
            error = _worst(_size(skew + np.swapaxes(skew, -1, -2), 2), np.maximum(_size(rate, 2), s.size))
            made.append(Check("laws", f"dM/dt - 2C skew ({algorithm.method})", error, s.limit, "eps |dM/dt|"))
    if rate is not None:
        power = np.sum(s.tau * s.qd, axis=-1)
        kinetic = np.einsum("bi,bij,bj->b", s.qd, s.M, s.qdd) + 0.5 * np.einsum("bi,bij,bj->b", s.qd, rate, s.qd)
        unit = np.sum(np.abs(s.tau * s.qd), axis=-1) + scale * _size(s.qd)
        error = _worst(np.abs(power - kinetic - np.sum(gravity * s.qd, axis=-1)), unit)
        made.append(Check("laws", "power = rate of energy", error, s.limit, "eps |tau| |qd|"))
    return made


def _mass_rate(weightless: _Text, s: _States) -> Array | None:
    """dM/dt along qd: column j is d(tau)/dq times qd at rest with qdd the j-th unit vector."""
    if not _has(weightless, "inverse_dynamics_derivatives"):
        return None
    made = np.empty_like(s.M)
    for j, unit in enumerate(np.eye(s.M.shape[-1])):
        still = np.zeros_like(s.qd)
        dq = weightless("inverse_dynamics_derivatives", s.q, still, still + unit)[0]
        made[..., j] = np.einsum("bij,bj->bi", dq, s.qd)
    return made


# --- the same robot written otherwise ---------------------------------------------------------------------------------
def _other_frames(text: _Text, s: _States) -> list[Check]:
    unit = np.maximum(_size(s.tau), s.size)
    other = _Text(turned(text.model, _some_rotation()))
    error = _worst(_size(other("inverse_dynamics", s.q, s.qd, s.qdd, method="newton-euler") - s.tau), unit)
    made = [Check("frames", "base turned together with gravity: same torques", error, s.limit, "eps |tau|")]
    model, order_q, order_v = renumbered(text.model)
    if order_v == list(range(text.model.nv)):
        made.append(
            Check("frames", "bodies renumbered: same torques", 0.0, s.limit, "eps |tau|", "only one order is possible")
        )
        return made
    tau = _Text(model)("inverse_dynamics", s.q[:, order_q], s.qd[:, order_v], s.qdd[:, order_v], method="newton-euler")
    error = _worst(_size(tau - s.tau[:, order_v]), unit)
    made.append(Check("frames", "bodies renumbered: same torques", error, s.limit, "eps |tau|"))
    return made


def _some_rotation() -> Placement:
    return Placement.from_rpy((0.0, 0.0, 0.0), (0.4, -0.7, 1.1))


def turned(model: Model, turn: Placement) -> Model:
    """The robot on a turned base under equally turned gravity: in joint space the same."""
    bodies = [
        model.bodies[0],
        *(replace(b, placement=turn @ b.placement) if b.parent == 0 else b for b in model.bodies[1:]),
    ]
    return replace(model, bodies=tuple(bodies), gravity=turn.rotate(model.gravity))


def renumbered(model: Model) -> tuple[Model, list[int], list[int]]:
    """The same tree with branches in another order, and the old index of each coordinate and velocity."""
    children: dict[int, list[int]] = {}
    for i, b in enumerate(model.bodies[1:], 1):
        children.setdefault(b.parent, []).append(i)
    order, stack = [0], list(children.get(0, []))
    while stack:
        i = stack.pop()  # the last child first
        order.append(i)
        stack += children.get(i, [])
    if model.coupled:  # a master must come before those that follow it
        order = list(range(len(model.bodies)))
    new = {old: k for k, old in enumerate(order)}
    bodies = [model.bodies[0]]
    for old in order[1:]:
        b = model.bodies[old]
        mimic = Mimic(new[b.mimic.body], b.mimic.ratio, b.mimic.offset) if b.mimic is not None else None
        bodies.append(replace(b, parent=new[b.parent], mimic=mimic))
    links = tuple(replace(link, body=new[link.body]) for link in model.links)
    made = replace(model, bodies=tuple(bodies), links=links)
    order_q = [
        model.offsets[old][0] + k
        for old in order[1:]
        if model.bodies[old].mimic is None
        for k in range(model.bodies[old].joint.nq)
    ]
    order_v = [
        model.offsets[old][1] + k
        for old in order[1:]
        if model.bodies[old].mimic is None
        for k in range(model.bodies[old].joint.nv)
    ]
    return made, order_q, order_v
