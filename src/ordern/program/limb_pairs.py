"""Operations that can be done two at a time for one state: the same formula in two limbs of one shape.

A value of one limb and the value that plays its part in the other are told by their formulas: the same operations, up
to signs, on values that play the same part; constants may be any. Where formulas differ (a zero in one limb only), the
table, the body and the component that a value was stored in tell it as well. A wrong guess costs time and nothing else:
two values of a pair need only be independent of each other and have the same operation.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from .ir import Program

__all__ = ["ALIKE", "limb_pairs"]

ALIKE = {"add": "sum", "sub": "sum", "fma": "fused", "fms": "fused", "fnma": "fused", "mul": "mul", "div": "div"}
_COMMUTE = ("sum", "mul", "fused")  # their first two operands may change places
_RESIDENT = ("in", "sin", "cos")
_CONST = -1  # the part that every constant plays

Pair = tuple[int, int]


def limb_pairs(program: Program) -> tuple[list[Pair], dict[int, tuple[int, ...]]]:
    """Pairs of nodes, and the operands of nodes in an order that both of a pair have in common."""
    nodes, roles = program.nodes, _roles(program)
    part: dict[int, int] = {}  # node: what it plays
    limb: dict[int, int | None] = {}
    order: dict[int, tuple[int, ...]] = {}
    numbers: dict[Any, int] = {}
    seen: dict[tuple[Any, int], int] = defaultdict(int)
    found: dict[int, dict[int, int]] = defaultdict(dict)
    meeting: set[int] = set()  # what comes of both limbs
    for s in program.body:
        if type(s) is not int:
            continue
        op, src, arg = nodes[s]
        if op == "const":
            part[s], limb[s] = _CONST, None
            continue
        if op == "neg":
            part[s], limb[s] = part[src[0]], limb[src[0]]
            continue
        kind, mine, form = ALIKE.get(op, op), None, None
        if op == "in" and arg in program.twins:
            form, mine = program.twins[arg]
        elif op != "in":
            if kind in _COMMUTE and part[src[0]] > part[src[1]]:
                src = (src[1], src[0], *src[2:])
            order[s], limbs = src, [limb[k] for k in src]
            mine = next((x for x in limbs if x is not None), None)
            if mine is not None:
                form = (kind, *[(part[k], None if x is None else x == mine) for k, x in zip(src, limbs, strict=True)])
            if not meeting.isdisjoint(src) or (mine is not None and 1 - mine in limbs):
                meeting.add(s)
                if s in program.labels and _of_trunk(program, s):
                    mine = None  # both limbs read it from here on
                    meeting.discard(s)
        if mine is not None:
            seen[form, mine] += 1
            number = numbers.setdefault((form, seen[form, mine]), len(numbers))
            found[number][mine] = s
        else:
            number = -2 - s  # itself, for both limbs
        if s in roles:
            role, mine = roles[s]
            number = numbers.setdefault(role, len(numbers))
        part[s], limb[s] = number, mine
    known = (*ALIKE, *_RESIDENT)
    return [(x[0], x[1]) for x in found.values() if len(x) == 2 and nodes[x[0]].op in known], order


def _of_trunk(program: Program, k: int) -> bool:
    """Whether a value is stored for one body, which belongs to no limb."""
    at = program.labels[k][1]
    return not isinstance(at, tuple) and at not in program.twins


def _roles(program: Program) -> dict[int, tuple[Any, int]]:
    """For values stored by body, or by two bodies: what they are but for the limb, and the limb."""
    stored: dict[Any, list[int]] = defaultdict(list)
    for k, label in sorted(program.labels.items()):
        stored[label].append(k)
    twins, made = program.twins, defaultdict[Any, dict[int, int]](dict)
    for (table, at, component), values in stored.items():
        rows = at if isinstance(at, tuple) else (at,)
        limb = next((twins[r][1] for r in rows if r in twins), None)
        if limb is not None:
            places = tuple((twins[r][0], twins[r][1] == limb) if r in twins else r for r in rows)
            for count, k in enumerate(values):
                made[table, places, component, count, len(values)][limb] = k
    return {k: (role, limb) for role, both in made.items() if len(both) == 2 for limb, k in both.items()}
