"""Counts: how many operations an algorithm takes for one robot, by stage. A tally of the traced program, zeros and ones
folded.

Conventions: ``mul``, ``add`` (subtractions and comparisons too), ``div``, ``sqrt`` and ``sincos`` (one for each angle)
are counted, and ``log`` and ``tanh`` of the few algorithms that have them; changes of sign are not. Constants of the
robot are free, whatever was computed from them beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..algorithms.registry import Algorithm
from ..model import Model
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
    for s in program.body:
        if isinstance(s, int) and program.nodes[s].op in _FIELD:
            row = stages.setdefault(program.stages.get(s, ""), {})
            name = _FIELD[program.nodes[s].op]
            row[name] = row.get(name, 0) + 1
    total: dict[str, int] = {}
    for row in stages.values():
        for name, count in row.items():
            total[name] = total.get(name, 0) + count
    return replace(_made(total), by_stage={stage: _made(row) for stage, row in stages.items()})


def _made(row: dict[str, int]) -> Counts:
    values: dict[str, Any] = dict(row)
    return Counts(**values)


def counts(algorithm: Algorithm, model: Model, options: Sequence[Any] = (), regrouped: bool = False) -> Counts:
    """Operations of an algorithm for a robot, in the cheapest frames; ``regrouped``: with inertia moved across joints
    where it may be.
    """
    return tally(trace(algorithm, prepared(algorithm, model, regrouped), options, rolled=False))
