"""Overconstrained linkages where the equations kept of their loops are dependent, or nearly so: others of the same
loops, for one state.

In Bennett's linkage any choice of equations becomes dependent somewhere on the way, although the mechanism is as mobile
there as elsewhere. Machine code cannot choose by value; what it leaves open at single states is computed here once more
with the equations that say most there. At a change point the loops have fewer independent equations than elsewhere:
then there is no other choice, and no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.registry import choose
from ..describe.loop_rank import DEPENDENT, sparse_rows
from ..describe.loops import passive
from ..model import Model
from ..model.closures import count
from ..scalars.primitives import Array
from .numbers import numbers

if TYPE_CHECKING:
    from .call import Call

__all__ = ["answered", "kept_at"]

SMALL = 1e-4  # of the largest equation: smaller ones, which vanish somewhere near, count for less than others
SINGLE = 1e-3  # the same as DEPENDENT for coordinates in single precision, whose rounding opens loops by 1e-7


def answered(call: Call, rows: Sequence[Array], outs: Sequence[Array]) -> bool:
    """Whether all results are finite once states whose results are not have been computed with other equations."""
    if not (call.algorithm.closed and any(loop.soft for loop in call.model.loops)):
        return False
    for k in np.flatnonzero(~np.all([np.isfinite(o).all(axis=1) for o in outs], axis=0)):
        given = [np.asarray(r[k if len(r) > 1 else 0], float) for r in rows]
        fine = all(np.isfinite(a).all() for a in given)
        other = kept_at(call.model, given[0], outs[0].dtype == np.float32) if fine else None
        if other is None:
            return False
        with np.errstate(all="ignore"):
            made = numbers(call.algorithm, other, call.options, call.links)(*given)
        for o, m in zip(outs, made if isinstance(made, tuple) else (made,), strict=True):
            o[k] = m.reshape(-1)
        if not all(np.isfinite(o[k]).all() for o in outs):
            return False
    return True


def kept_at(model: Model, q: Array, single: bool = False) -> Model | None:
    """The model with the equations kept that say most at q, one by one; None where fewer are independent than in
    general.
    """
    wanted = sum(len(loop.kept) for loop in model.loops)
    A = numbers(choose("constraint_jacobian", None, model), model)(q)
    size = np.linalg.norm(A, axis=1, keepdims=True)
    A = A / np.maximum(size, max(SMALL * size.max(), 1e-300))
    chosen: set[int] = set()
    for _ in range(wanted):
        left = np.linalg.norm(A, axis=1)
        r = int(np.argmax(left))
        if left[r] <= (SINGLE if single else DEPENDENT):
            return None
        chosen.add(r)
        A = A - np.outer(A @ A[r], A[r] / left[r] ** 2)
    loops, at = [], 0
    for loop in model.loops:
        size = count(loop.kind)
        loops.append(replace(loop, kept=tuple(k for k in range(size) if at + k in chosen), spare=(), soft=False))
        at += size
    made = model.changed(loops=tuple(loops))
    return made.changed(passive=passive(made, q, sparse_rows(made, q[None])))
