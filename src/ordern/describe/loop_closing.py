"""Configurations at which loops close: the equations on arrays, and the search for the nearest ones."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ..model import Model
from ..model.closure_sides import loop_sides, may_turn_over
from ..model.closures import closing_rows, columns, count, placements
from ..model.thresholds import FEW_STATES, MOST_SEARCHED
from ..scalars.primitives import Array, Lane, Scalar
from ..spatial.joint_space import JointVector
from ..tree import Tree

__all__ = ["DUST", "NEAR", "Closing", "close", "gaps", "turned_over", "without_dust"]

NEAR = 1e-9  # a loop counts as closed when its equations are that small (m, rad)
AROUND = (0.5, 1.5, 3.0)  # rad or m: how far from the start a search begins anew
GUESSES = 8  # so many at each distance
DUST = 128 * np.finfo(float).eps  # m, rad: coefficients up to this are roundings of lever arms that vanish


class Closing:
    """The equations of a model's loops for arrays of configurations (B, nq)."""

    def __init__(self, model: Model, kept: bool = False, soft: bool = False) -> None:
        self.model, self.kept, self.soft = model, kept, soft

    def __call__(self, q: Array) -> tuple[Array, Array]:
        """Values (B, m) and A (B, m, n)."""
        if 0 < len(q) <= FEW_STATES:
            with suppress(ArithmeticError, ValueError):  # where arrays go on with infinity
                made = [self._on(row.tolist(), 1) for row in q]
                return np.concatenate([value for value, _ in made]), np.concatenate([A for _, A in made])
        return self._on(lanes(q), len(q))

    def _on(self, q: list[Scalar], B: int) -> tuple[Array, Array]:
        tree = Tree(self.model)
        tree.guard = float(self.soft)  # with spare equations
        given = tree.coordinates(q, "q")
        X, S = placements(tree, given)
        rows = closing_rows(tree, given, X, kept=self.kept)
        value, A = np.zeros((B, len(rows))), np.zeros((B, len(rows), self.model.nv))
        for r, row in enumerate(rows):
            value[:, r] = _array(row.value)
        for (r, i), column in columns(tree, rows, X, S).items():
            mimic = self.model.bodies[i].mimic
            for c, e in enumerate(column):
                A[:, r, self.model.offsets[i][1] + c] += _array(e) * (1.0 if mimic is None else mimic.ratio)
        return value, A

    def values(self, q: Array) -> Array:
        """The values (1, m) alone, at one configuration."""
        tree = Tree(self.model)
        given = tree.coordinates(q.tolist(), "q")
        return np.array(
            [[float(row.value) for row in closing_rows(tree, given, placements(tree, given)[0], kept=self.kept)]]
        )

    def step(self, q: Array, v: Array) -> Array:
        """Each joint moved by a velocity for unit time."""
        out = np.empty_like(q)
        for i in self.model.free:
            joint, (iq, iv) = self.model.bodies[i].joint, self.model.offsets[i]
            moved = joint.step(
                JointVector(*(Lane(q[:, iq + k]) for k in range(joint.nq))),
                JointVector(*(Lane(v[:, iv + k]) for k in range(joint.nv))),
            )
            for k, e in enumerate(moved):
                out[:, iq + k] = _array(e)
        return out


def lanes(q: Array) -> list[Scalar]:
    """Configurations (B, nq) as one scalar a coordinate."""
    return [Lane(np.ascontiguousarray(q[:, k])) for k in range(q.shape[1])]


def _array(x: object) -> Any:
    return x.array if isinstance(x, Lane) else x


def without_dust(A: Array) -> Array:
    """A (..., m, n) with the rows that say nothing at dead centres, but for roundings of sines and cosines, at zero."""
    return np.where(np.abs(A).max(axis=-1, keepdims=True, initial=0.0) > DUST, A, 0.0)


def gaps(model: Model, value: Array) -> Array:
    """How far each equation (..., m) is from satisfied, in m and rad; (d^2 - L^2) / (2 L) becomes d - L."""
    made, start = np.abs(value), np.cumsum([0, *(count(loop.kind) for loop in model.loops)])
    for k, loop in enumerate(model.loops):
        if loop.kind == "distance":
            x, twice = value[..., start[k]], 2.0 / loop.constants[0]
            made[..., start[k]] = np.abs(2 * x / (1 + np.sqrt(np.maximum(1 + twice * x, 0.0))))
    return made


def turned_over(model: Model, q: Array, hinges: bool = True, home: Array | None = None) -> Array:
    """How far a loop of each configuration (B, nq) is turned, B angles: zero, or half a turn where its equations vanish
    with the frames turned over.

    A hinge may be described with its axes reversed: there the side counts on which it is at home, where ``hinges``.
    """
    if not any(map(may_turn_over, model.loops)) or not len(q):
        return np.zeros(len(q))
    at = np.array(model.home) if home is None else home
    sides = _sides(model, np.asarray(q, float))
    right = [s[0] for s, _ in _sides(model, at[None])] if len(at) else [1.0] * len(sides)
    signs = [
        ((np.sign(r) if hinges else np.sign(s)) if either else 1.0) for (s, either), r in zip(sides, right, strict=True)
    ]
    least: Array = np.min([s * sign for (s, _), sign in zip(sides, signs, strict=True)], axis=0)
    return np.where(least < 0, np.arccos(np.clip(least, -1.0, 1.0)), 0.0)


def _sides(model: Model, q: Array) -> list[tuple[Array, bool]]:
    """Cosines (B,), and whether home decides which sign is right."""
    tree = Tree(model)
    given = tree.coordinates(q[0].tolist() if len(q) == 1 else lanes(q), "q")
    made = loop_sides(tree, placements(tree, given)[0])
    return [(np.broadcast_to(_array(side), len(q)), either) for side, either in made]


def close(
    model: Model, q: Array, held: Array | None = None, rounds: int = 60, nearest: bool = True, of: Any = None,
    hinges: bool = True, home: Array | None = None, again: bool = True,
) -> tuple[Array, Array]:  # fmt: skip
    """Configurations (B, nq) moved to the nearest ones at which all loops close, and how far each is from closed (B,).

    ``held`` marks velocities that must stay. Where the way ends at a loop that is turned over (see ``turned_over``) or,
    for small mechanisms, still open (links in one line, say), others are tried from around the start, where ``again``;
    if none closes, the missing angle or distance is what it is off by.
    """
    of, start = of or Closing(model), np.array(q, float)
    free, rng = np.ones(model.nv) if held is None else 1.0 - np.asarray(held, float), np.random.default_rng(0)

    def found(start: Array, begin: Array) -> tuple[Array, Array, Array]:
        made, residual = _descended(model, of, start, begin, free, rounds, nearest)
        stuck = residual if model.nv <= MOST_SEARCHED else 0.0
        return made, residual, np.where(residual <= NEAR, turned_over(model, made, hinges, home), stuck)

    made, residual, over = found(start, start)
    for size in AROUND if again else ():
        rows = np.repeat(np.flatnonzero(over > 0), GUESSES)
        if not len(rows):
            break
        moved = np.tile(rng.uniform(-size, size, (GUESSES, model.nv)), (len(rows) // GUESSES, 1))  # alike for all rows
        around = of.step(start[rows], free * moved)
        guess, off, turned = found(start[rows], around)
        far = np.abs(_difference(model, start[rows], guess)).sum(axis=1)
        far = np.where((off <= NEAR) & (turned == 0), far, np.inf).reshape(-1, GUESSES)
        best = np.arange(0, len(rows), GUESSES) + np.argmin(far, axis=1)
        good = np.isfinite(far.min(axis=1))
        to, best = rows[::GUESSES][good], best[good]
        made[to], residual[to], over[to] = guess[best], off[best], 0.0
    return made, np.maximum(residual, over)


def _descended(
    model: Model, of: Any, start: Array, q: Array, free: Array, rounds: int, nearest: bool
) -> tuple[Array, Array]:
    """From q to where the equations vanish, and what is left of them.

    Gauss and Newton with the least step, at most half a radian or half a metre at once. Where ``nearest``, the part of
    the way back to the start that loops allow is taken in each round, so that the distance becomes least.
    """
    q = q.copy()
    weight, before = np.full(len(q), float(nearest)), np.full(len(q), np.inf)
    for turn in range(rounds):
        value, A = of(q)
        A = without_dust(A) * free
        inverse = np.linalg.pinv(A, rcond=1e-9)
        step = -np.einsum("bij,bj->bi", inverse, value) * free  # rounding alone moves what is held
        if nearest and turn < rounds - 20:  # the last rounds only close
            back = _difference(model, q, start) * free
            step += weight[:, None] * (back - np.einsum("bij,bjk,bk->bi", inverse, A, back)) * free
        size = np.abs(step).max(axis=1, initial=0.0)
        # where the ways do not meet, half as fast
        weight = np.where((size > 0.9 * before) & (turn > 2), 0.5 * weight, weight)
        before = size
        if not (size > 1e-13).any():
            break
        q = of.step(q, step * np.minimum(1.0, 0.5 / np.maximum(size, 1e-300))[:, None])
    for _ in range(2):  # the last digits
        value, A = of(q)
        inverse = np.linalg.pinv(without_dust(A) * free, rcond=1e-9)
        q = of.step(q, -np.einsum("bij,bj->bi", inverse, value) * free)
    return q, gaps(model, of(q)[0]).max(axis=1, initial=0.0)


def _difference(model: Model, q0: Array, q1: Array) -> Array:
    out = np.empty((len(q0), model.nv))
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        out[:, iv : iv + joint.nv] = joint.difference(q0[:, iq : iq + joint.nq], q1[:, iq : iq + joint.nq])
    return out
