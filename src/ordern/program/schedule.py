"""In which order bodies are visited: runs of alike bodies become loops, the rest is written out."""

from __future__ import annotations

from typing import Any

from ..model import Model
from ..model.thresholds import FEW, FEW_ROOTS, UNROLL

__all__ = ["schedule"]


def schedule(model: Model, limit: int | None = None) -> list[Any]:
    """Bodies (int) and runs (range) in topological order; up to ``limit`` (UNROLL) bodies none are runs."""
    last = len(model.bodies) - 1
    if last <= (UNROLL if limit is None else limit):
        return list(range(1, last + 1))
    kinds = [b.joint.name for b in model.bodies]
    often = {k for k in set(kinds[1:]) if kinds[1:].count(k) >= FEW}
    roots = {i for i, p in enumerate(model.parents) if i and not p}
    apart = roots if 1 < len(roots) <= FEW_ROOTS else set()
    made: list[Any] = []
    for i in range(1, last + 1):
        if kinds[i] not in often or model.bodies[i].mimic is not None or i in apart:
            made.append(i)
        elif made and isinstance(made[-1], range):
            made[-1] = range(made[-1].start, i + 1)
        else:
            made.append(range(i, i + 1))
    return [s[0] if isinstance(s, range) and len(s) == 1 else s for s in made]
