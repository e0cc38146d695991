"""Counts: how many operations an algorithm takes for one robot, by stage. A tally of the traced program, zeros and ones
folded.

Conventions: ``mul``, ``add`` (subtractions and comparisons too), ``div``, ``sqrt`` and ``sincos`` (one for each angle)
are counted, and ``log`` and ``tanh`` of the few algorithms that have them; changes of sign are not. Constants of the
robot are free, whatever was computed from them beforehand.

Long chains whose bodies look alike are not written out: the numbers of operations are a polynomial in the number of
bodies, of degree 1 for recursions and of up to 3 for matrices, and shorter chains give its coefficients.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import comb
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Body, Model
from ..model.thresholds import COUNTED
from ..program.build import prepared, trace
from ..program.ir import Program

__all__ = ["Counts", "counts", "tally"]

_FIELD = {
    "mul": "mul",
    "add": "add",
    "sub": "add",
    "div": "div",
    "sqrt": "sqrt",
    "sincos": "sincos",
    "tanh": "tanh",
    "log": "log",
    "least": "add",
    "most": "add",
    "select": "add",
}


@dataclass(frozen=True)
class Counts:
    """Numbers of operations; ``by_stage`` has the same for each walk of the algorithm."""

    mul: int = 0
    add: int = 0
    div: int = 0
    sqrt: int = 0
    sincos: int = 0
    by_stage: dict[str, Counts] = field(default_factory=dict, compare=False)
    log: int = 0
    tanh: int = 0

    @property
    def total(self) -> int:
        """All arithmetic: mul + add + div + sqrt; functions (sincos, log, tanh) are counted apart."""
        return self.mul + self.add + self.div + self.sqrt

    def __repr__(self) -> str:
        return f"<Counts: {self}>"

    def __str__(self) -> str:
        return ", ".join(f"{getattr(self, name)} {name}" for name in self._named())

    def _named(self) -> tuple[str, ...]:
        """The operations, without functions that do not occur."""
        return ("mul", "add", "div", "sqrt", "sincos", *(name for name in ("log", "tanh") if getattr(self, name)))

    def _repr_html_(self) -> str:
        rows = [("all", self), *self.by_stage.items()]
        names = self._named()
        head = "".join(f"<th>{n}</th>" for n in ("stage", *names))
        body = "".join(
            f"<tr><td>{_plain(stage)}</td>" + "".join(f"<td>{getattr(c, n)}</td>" for n in names) + "</tr>"
            for stage, c in rows
        )
        return f"<table><tr>{head}</tr>{body}</table>"


def _plain(text: str) -> str:
    import html

    return html.escape(text)


def tally(program: Program) -> Counts:
    """Count the operations of a straight-line program."""
    stages: dict[str, dict[str, int]] = {}
    nodes, stage_of = program.nodes, program.stages
    done = Counter((stage_of.get(s, ""), nodes[s].op) for s in program.body if type(s) is int)
    for (stage, op), count in done.items():
        if op in _FIELD:
            row = stages.setdefault(stage, {})
            row[_FIELD[op]] = row.get(_FIELD[op], 0) + count
    total: dict[str, int] = {}
    for row in stages.values():
        for name, count in row.items():
            total[name] = total.get(name, 0) + count
    return replace(_made(total), by_stage={stage: _made(row) for stage, row in stages.items()})


def _made(row: dict[str, int]) -> Counts:
    values: dict[str, Any] = dict(row)
    return Counts(**values)


def counts(algorithm: Algorithm, model: Model, options: Sequence[Any] = (), regrouped: bool = False) -> Counts:
    """Operations of an algorithm in the cheapest frames; ``regrouped``: with inertia moved across joints."""

    def written_out(robot: Model) -> Counts:
        return tally(trace(algorithm, prepared(algorithm, robot, regrouped), options, rolled=False))

    long = len(model.bodies) > COUNTED and not options
    period = _period(model, prepared(algorithm, model, regrouped)) if long else 0
    if not period:
        return written_out(model)
    first = len(model.bodies) % period + period * -(-HEAD // period)
    points = [written_out(_first(model, first + k * period)) for k in range(DEGREE + 3)]
    turns = (len(model.bodies) - first) // period
    stages = {stage: [p.by_stage.get(stage, Counts()) for p in points] for stage in points[-1].by_stage}
    made = {stage: c for stage, row in stages.items() if (c := _continued(row, turns)) is not None}
    whole = _continued(points, turns)
    return replace(whole, by_stage=made) if whole is not None and len(made) == len(stages) else written_out(model)


HEAD, DEGREE = 30, 3  # bodies before the numbers of operations are regular; the degree that matrices have


def _look(body: Body) -> tuple[Any, ...]:
    """What decides how many operations a body takes: its joint, and which of its numbers are 0 or 1."""
    at, own = body.placement, body.inertia
    numbers = (*at.rotation, *at.origin, own.m, *own.h, *own.I, *body.armature, *body.stiffness, *body.joint.constants)
    return body.joint.name, *(x if x in (0.0, 1.0, -1.0) else 2 for x in numbers)


def _period(model: Model, moved: Model) -> int:
    """The number of bodies after which a chain repeats, given and with frames moved; 0 if it does not."""
    if model.coupled or model.loops or model.parents[1:] != tuple(range(len(model.bodies) - 1)):
        return 0
    looks = [[_look(b) for b in model.bodies[2:]], [_look(b) for b in moved.bodies[HEAD // 2 : -HEAD // 2]]]
    return next((p for p in range(1, 9) if all(row[p:] == row[:-p] for row in looks)), 0)


def _first(model: Model, bodies: int) -> Model:
    """The first bodies of a chain, the world counted."""
    links = tuple(link for link in model.links if link.body < bodies)
    return model.changed(bodies=model.bodies[:bodies], links=links, states=(), drives=(), home=(), passive=())


def _continued(points: Sequence[Counts], turns: int) -> Counts | None:
    """A polynomial through all points but two, which must lie on it; None where they do not."""
    made: dict[str, int] = {}
    for name in ("mul", "add", "div", "sqrt", "sincos", "log", "tanh"):
        row, made[name] = [getattr(p, name) for p in points], 0
        for k in range(DEGREE + 1):
            made[name] += comb(turns, k) * row[0]
            row = [b - a for a, b in pairwise(row)]
        if any(row):
            return None
    return _made(made)
