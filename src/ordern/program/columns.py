"""Constants of bodies and links as columns, one number a row, and the one form of rotation that serves many rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..model.model_scalars import cholesky
from ..model.regular import central
from ..spatial import Sym3

__all__ = ["CONSTANTS", "two_turns", "widest"]

CONSTANTS: dict[str, Callable[[Any, int], float]] = {
    "joint": lambda b, k: _of(b.joint.constants, k),
    "rotation": lambda b, k: b.placement.rotation[k],
    "two turns": lambda b, k: two_turns(b.placement.rotation)[k],
    "origin": lambda b, k: b.placement.origin[k],
    "m": lambda b, k: b.inertia.m,
    "h": lambda b, k: b.inertia.h[k],
    "I": lambda b, k: b.inertia.I[k],
    "Ic": lambda b, k: central(b.inertia)[1][k],
    "root": lambda b, k: list(cholesky(Sym3(*central(b.inertia)[1]), central(b.inertia)[1]).leaves())[k],
    "armature": lambda b, k: _of(b.armature, k),
    "stiffness": lambda b, k: _of(b.stiffness, k),
    "springref": lambda b, k: _of(b.springref or (() if b.joint.plain else b.joint.neutral), k),
}


def _of(numbers: Sequence[float], k: int) -> float:
    """One of a body's numbers; bodies whose joints have fewer stand in the same column, where nothing reads them."""
    return numbers[k] if len(numbers) > k else 0.0


def widest(forms: set[str]) -> str:
    """One form that serves all rotations."""
    if len(forms) == 1:
        return next(iter(forms))
    rest = forms - {"1"}
    if len(rest) == 1:
        return next(iter(rest))
    return "xz" if rest <= {"x", "z", "xz"} else "any"


def two_turns(r: Sequence[float]) -> tuple[float, float, float, float]:
    """The cosines and sines of alpha and gamma where r = Rz(gamma) Rx(alpha)."""
    return (r[8], r[7], r[0], r[3]) if r[6] == 0.0 else (1.0, 0.0, 1.0, 0.0)
