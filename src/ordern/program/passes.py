"""What is done to a traced program before it becomes machine code: fused multiply-adds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from .ir import Loop, Node, Program, operands

__all__ = ["fuse"]


def _walk(body: list[Any]) -> list[Any]:
    """All statements, loops opened, in order."""
    made: list[Any] = []
    stack: list[Any] = [iter(body)]
    while stack:
        s = next(stack[-1], None)
        if s is None:
            stack.pop()
            continue
        made.append(s)
        if isinstance(s, Loop):
            stack.append(iter([x for _, block in s.cases for x in block]))
    return made


_VALUES = {"store": (3, 4), "mstore": (2, 4, 6), "out": (3,), "outx": (2, 5)}


def used_by(statement: Any) -> tuple[int, ...]:
    """The nodes a statement other than a node needs itself."""
    if isinstance(statement, tuple):
        return tuple(statement[k] for k in _VALUES.get(statement[0], ()))
    return (statement.start,) if statement.kind == "upward" else ()


def fuse(program: Program) -> Program:
    """Turn a b + c into one operation where the product has no other use; of two products the later one goes in.

    Node numbers stay: the sum's node becomes the fused one and the product's statement goes.
    """
    nodes: list[Node] = list(program.nodes)
    statements = _walk(program.body)
    uses: Counter[int] = Counter()
    home: dict[int, int] = {}  # which block a node is evaluated in, so that nothing moves into a loop
    _places(program.body, home)
    for s in statements:
        uses.update(operands(nodes[s]) if isinstance(s, int) else used_by(s))
    gone: set[int] = set()

    def single(k: int, block: int) -> bool:
        return nodes[k][0] == "mul" and uses[k] == 1 and home.get(k) == block

    for s in statements:
        if not isinstance(s, int) or nodes[s][0] not in ("add", "sub"):
            continue
        op, a, b = nodes[s]
        left, right = single(a, home[s]), single(b, home[s]) and a != b
        if right and (not left or b > a):
            nodes[s] = ("fma" if op == "add" else "fnma", *nodes[b][1:], a)
            gone.add(b)
        elif left and a != b:
            nodes[s] = ("fma" if op == "add" else "fms", *nodes[a][1:], b)
            gone.add(a)
    return replace(program, nodes=nodes, body=_without(program.body, gone))


def _places(body: list[Any], home: dict[int, int]) -> None:
    stack = [body]
    block = 0
    while stack:
        for s in stack.pop():
            if isinstance(s, int):
                home[s] = block
            elif isinstance(s, Loop):
                stack += [inner for _, inner in s.cases]
        block += 1


def _without(body: list[Any], gone: set[int]) -> list[Any]:
    kept: list[Any] = []
    for s in body:
        if isinstance(s, Loop):
            kept.append(replace(s, cases=[(codes, _without(block, gone)) for codes, block in s.cases]))
        elif not (isinstance(s, int) and s in gone):
            kept.append(s)
    return kept
