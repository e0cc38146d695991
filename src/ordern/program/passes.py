"""What is done to a traced program before it becomes machine code: fused multiply-adds."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

from .ir import IRLoop, Node, Program, operands

__all__ = ["allocate", "early_angles", "early_outputs", "fuse", "periodic"]


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
        if isinstance(s, IRLoop):
            stack.append(iter([x for _, block in s.cases for x in block]))
    return made


_VALUES = {"store": (3, 4), "mstore": (2, 4, 6), "out": (3,), "outx": (2, 5)}


def used_by(statement: Any) -> tuple[int, ...]:
    """The nodes a statement other than a node needs itself."""
    if isinstance(statement, tuple):
        return tuple(statement[k] for k in _VALUES.get(statement[0], ()))
    return (statement.start,) if statement.kind == "upward" else ()


def periodic(program: Program, base: str, moved: str) -> frozenset[int]:
    """Inputs of the array ``base`` that matter by sine and cosine alone, of their sum with an input of ``moved`` or a constant."""
    if not program.straight:
        return frozenset()
    nodes, users, fixed = program.nodes, defaultdict[int, list[int]](list), set[int]()
    for s in program.body:
        if isinstance(s, int):
            for k in operands(nodes[s]):
                users[k].append(s)
        else:
            fixed.update(used_by(s))

    def only_sincos(k: int) -> bool:
        return k not in fixed and bool(users[k]) and all(nodes[u][0] == "sincos" or (shifts(u) and only_sincos(u)) for u in users[k])

    def shifts(k: int) -> bool:
        others = [nodes[o] for o in operands(nodes[k]) if nodes[o][0] == "const" or nodes[o][:2] == ("in", moved)]
        return nodes[k][0] in ("add", "sub") and bool(others)

    found = [(node[2], k) for k, node in enumerate(nodes) if node[:2] == ("in", base)]
    return frozenset(at for at, k in found if only_sincos(k))


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
            elif isinstance(s, IRLoop):
                stack += [inner for _, inner in s.cases]
        block += 1


def _without(body: list[Any], gone: set[int]) -> list[Any]:
    kept: list[Any] = []
    for s in body:
        if isinstance(s, IRLoop):
            kept.append(replace(s, cases=[(codes, _without(block, gone)) for codes, block in s.cases]))
        elif not (isinstance(s, int) and s in gone):
            kept.append(s)
    return kept


def early_angles(program: Program) -> tuple[list[int], list[int]]:
    """The sincos nodes of a straight-line body that wait for no other sincos, and the nodes that make their angles, both in order."""
    nodes = program.nodes
    late: set[int] = set()  # what waits for a sine
    angles: list[int] = []
    for s in program.body:
        if isinstance(s, int):
            if nodes[s][0] == "sincos" and nodes[s][1] not in late:
                angles.append(s)
            if nodes[s][0] in ("sin", "cos") or any(k in late for k in operands(nodes[s])):
                late.add(s)
    wanted: set[int] = set()
    work = [nodes[s][1] for s in angles]
    while work:
        k = work.pop()
        if k not in wanted:
            wanted.add(k)
            work += operands(nodes[k])
    return [s for s in program.body if isinstance(s, int) and s in wanted], angles


def allocate(program: Program, registers: int, order: list[Any] | None = None, early: frozenset[int] = frozenset()) -> list[Any]:
    """A straight-line body with spills written out: when more values than ``registers`` are alive, the one needed last goes to memory.

    Adds ("spill", node, slot) and ("reload", node, slot) to the statements (Belady's rule). Compilers look at a few instructions at a time
    and spill several times as often on long programs. Inputs, sines and cosines lie in memory anyway: ("reload", node, -1) fetches them.
    The sincos nodes in ``early`` are done before.
    """
    nodes = program.nodes
    body = program.body if order is None else order
    needs = [() if isinstance(s, int) and (s in early or nodes[s][0] in _RESIDENT) else _registers_read(nodes, s) for s in body]
    later: dict[int, list[int]] = {}
    for at in range(len(body) - 1, -1, -1):
        for k in needs[at]:
            later.setdefault(k, []).append(at)
    alive: set[int] = set()
    slots: dict[int, int] = {}
    free: list[int] = []
    made: list[Any] = []
    farthest: list[tuple[int, int]] = []  # heap of (-next use, node); stale entries are skipped
    total = 0
    for at, s in enumerate(body):
        for k in needs[at]:
            if k not in alive:
                made.append(("reload", k, slots.get(k, -1)))
                alive.add(k)
            later[k].pop()
            if later[k]:
                heapq.heappush(farthest, (-later[k][-1], k))
            else:
                alive.discard(k)
                if k in slots:
                    free.append(slots[k])
        made.append(s)
        if isinstance(s, int) and s in later and nodes[s][0] not in _RESIDENT:
            alive.add(s)
            heapq.heappush(farthest, (-later[s][-1], s))
        while len(alive) > registers:
            use, k = heapq.heappop(farthest)
            if k not in alive or not later[k] or later[k][-1] != -use:
                continue
            alive.discard(k)
            if k not in slots and nodes[k][0] not in _RESIDENT:
                if not free:
                    free.append(total)
                    total += 1
                slots[k] = free.pop()
                made.append(("spill", k, slots[k]))
    return made


_RESIDENT = ("in", "sin", "cos", "const")


def _registers_read(nodes: list[Node], s: Any) -> tuple[int, ...]:
    """The values a statement reads from registers."""
    read = operands(nodes[s]) if isinstance(s, int) else used_by(s)
    return tuple(dict.fromkeys(k for k in read if nodes[k][0] != "const"))


def early_outputs(program: Program) -> list[Any]:
    """A straight-line body in which an output is set as soon as its value is there."""
    waiting: dict[int, list[Any]] = {}
    made: list[Any] = []
    known: set[int] = set()
    for s in program.body:
        if isinstance(s, tuple) and s[0] == "out":
            waiting.setdefault(s[3], []).append(s)
    for s in program.body:
        if isinstance(s, int):
            made.append(s)
            known.add(s)
            made += waiting.pop(s, [])
        elif s[0] != "out":
            made.append(s)
    return made
