"""Passes over a traced program: dead code elimination, fused multiply-add, register planning."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from .ir import IRLoop, Node, Program, Statement, reads, rebuilt, walk

__all__ = ["allocate", "early_angles", "early_outputs", "fuse", "periodic", "sweep_dead", "wanted_nodes"]


def sweep_dead(program: Program) -> Program:
    """Remove what no output needs: nodes, and stores into table columns nobody reads."""
    wanted: set[int] = set()
    before = -1
    while before != (now := len(list(walk(program.body)))):
        before, wanted = now, wanted_nodes(program.nodes, program.body)
        acts = [s for s in walk(program.body) if type(s) is Node]
        if program.straight and not any(s.op in ("store", "mstore", "zero") for s in acts):
            program.body = rebuilt(program.body, partial(_alive, wanted))
            break  # what is left needs all that is left
        program.body = rebuilt(program.body, partial(_kept, wanted, _read(program, wanted, acts)))
    program.labels = {k: v for k, v in program.labels.items() if k in wanted}
    program.stages = {k: v for k, v in program.stages.items() if k in wanted}
    return program


def wanted_nodes(nodes: list[Node], body: list[Any]) -> set[int]:
    """The nodes that statements need, and those that these need."""
    wanted: set[int] = set()
    if IRLoop not in set(map(type, body)):  # what a statement needs stands before it
        for s in reversed(body):
            if type(s) is not int:
                wanted.update(s.src)
            elif s in wanted:
                wanted.update(nodes[s].src)
        return wanted
    work = [k for s in walk(body) if not isinstance(s, int) for k in reads(nodes, s)]
    while work:
        k = work.pop()
        if k not in wanted:
            wanted.add(k)
            work += nodes[k].src
    return wanted


def _read(program: Program, wanted: set[int], acts: list[Node]) -> set[Any]:
    """The table columns and matrices that outputs need."""
    loads = [program.nodes[k] for k in wanted]
    read: set[Any] = {node.arg[:2] for node in loads if node.op == "load"} | {
        ("m", node.arg[0]) for node in loads if node.op == "mload"
    }
    read |= {where[1:] for s in acts if s.op == "call" for where in s.arg[1]}
    return read | {("m", s.arg[1]) for s in acts if s.op == "copy"}


def _alive(wanted: set[int], s: int | Node) -> int | Node | None:
    return s if type(s) is Node or s in wanted else None


def _kept(wanted: set[int], read: set[Any], s: int | Node) -> int | Node | None:
    if isinstance(s, int):
        return s if s in wanted else None
    if s.op == "store":
        return s if s.arg in read else None
    if s.op == "mstore":
        return s if ("m", s.arg[0]) in read else None
    return s if s.op != "zero" or s.arg[0] != "matrix" or ("m", s.arg[1]) in read else None


def periodic(program: Program, base: str, moved: str) -> frozenset[int]:
    """Inputs of ``base`` used only by sine and cosine, of their sum with a ``moved`` input or a constant."""
    if not program.straight:
        return frozenset()
    nodes, users, fixed = program.nodes, defaultdict[int, list[int]](list), set[int]()
    for s in program.body:
        if isinstance(s, int):
            for k in nodes[s].src:
                users[k].append(s)
        else:
            fixed.update(s.src)

    def only_sincos(k: int) -> bool:
        return (
            k not in fixed
            and bool(users[k])
            and all(nodes[u].op == "sincos" or (shifts(u) and only_sincos(u)) for u in users[k])
        )

    def shifts(k: int) -> bool:
        others = [
            nodes[o]
            for o in nodes[k].src
            if nodes[o].op == "const" or (nodes[o].op == "in" and nodes[o].arg[0] == moved)
        ]
        return nodes[k].op in ("add", "sub") and bool(others)

    found = [(node.arg[1], k) for k, node in enumerate(nodes) if node.op == "in" and node.arg[0] == base]
    return frozenset(at for at, k in found if only_sincos(k))


def fuse(program: Program) -> Program:
    """Turn a b + c into one operation where the product has no other use; of two products the later one goes in.

    Node numbers stay: the sum's node becomes the fused one and the product's statement goes.
    """
    nodes: list[Node] = list(program.nodes)
    statements = list(walk(program.body))
    uses = Counter(chain.from_iterable(nodes[s].src if type(s) is int else reads(nodes, s) for s in statements))
    home: dict[int, int] = {}  # which block a node is evaluated in, so that nothing moves into a loop
    _places(program.body, home)
    gone: set[int] = set()

    def single(k: int, block: int) -> bool:
        return nodes[k].op == "mul" and uses[k] == 1 and home.get(k) == block

    for s in statements:
        if type(s) is not int or nodes[s].op not in ("add", "sub"):
            continue
        op, (a, b), _ = nodes[s]
        left, right = single(a, home[s]), single(b, home[s]) and a != b
        if right and (not left or b > a):
            nodes[s] = Node("fma" if op == "add" else "fnma", (*nodes[b].src, a))
            gone.add(b)
        elif left and a != b:
            nodes[s] = Node("fma" if op == "add" else "fms", (*nodes[a].src, b))
            gone.add(a)
    return replace(
        program, nodes=nodes, body=rebuilt(program.body, lambda s: None if type(s) is int and s in gone else s)
    )


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


def early_angles(program: Program) -> tuple[list[int], list[int]]:
    """Sincos nodes of a straight-line body that need no other sincos, and their angles' nodes, in order."""
    nodes = program.nodes
    late: set[int] = set()  # what waits for a sine
    angles: list[int] = []
    for s in program.body:
        if type(s) is int:
            op, src, _ = nodes[s]
            if op == "sincos" and src[0] not in late:
                angles.append(s)
            if op in ("sin", "cos") or not late.isdisjoint(src):
                late.add(s)
    wanted: set[int] = set()
    work = [nodes[s].src[0] for s in angles]
    while work:
        k = work.pop()
        if k not in wanted:
            wanted.add(k)
            work += nodes[k].src
    return [s for s in program.body if type(s) is int and s in wanted], angles


def allocate(
    program: Program, registers: int, order: list[Any] | None = None, early: frozenset[int] = frozenset()
) -> list[Any]:
    """A straight-line body with spills written out: when more values than ``registers`` are alive, the one needed last
    goes to memory.

    Adds the statements spill and reload (src node, arg slot) (Belady's rule). Compilers look at a few instructions at a
    time and spill several times as often on long programs. Inputs, sines and cosines lie in memory anyway: reload from
    slot
    -1 fetches them.
    The sincos nodes in ``early`` are done before.
    """
    nodes = program.nodes
    body = program.body if order is None else order
    needs = [
        () if type(s) is int and (s in early or nodes[s].op in _RESIDENT) else _registers_read(nodes, s) for s in body
    ]
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
                made.append(Node("reload", (k,), (slots.get(k, -1),)))
                alive.add(k)
            uses = later[k]
            uses.pop()
            if uses:
                heapq.heappush(farthest, (-uses[-1], k))
            else:
                alive.discard(k)
                if k in slots:
                    free.append(slots[k])
        made.append(s)
        if type(s) is int and s in later and nodes[s].op not in _RESIDENT:
            alive.add(s)
            heapq.heappush(farthest, (-later[s][-1], s))
        while len(alive) > registers:
            use, k = heapq.heappop(farthest)
            if k not in alive or not later[k] or later[k][-1] != -use:
                continue
            alive.discard(k)
            if k not in slots and nodes[k].op not in _RESIDENT:
                if not free:
                    free.append(total)
                    total += 1
                slots[k] = free.pop()
                made.append(Node("spill", (k,), (slots[k],)))
    return made


_RESIDENT = ("in", "sin", "cos", "const")


def _registers_read(nodes: list[Node], s: Statement) -> tuple[int, ...]:
    """The values a statement reads from registers."""
    return tuple(dict.fromkeys([k for k in reads(nodes, s) if nodes[k].op != "const"]))


def early_outputs(program: Program) -> list[Any]:
    """A straight-line body in which an output is set as soon as its value is there."""
    waiting: dict[int, list[Any]] = {}
    made: list[Any] = []
    for s in program.body:
        if type(s) is Node and s.op == "out":
            waiting.setdefault(s.src[0], []).append(s)
    for s in program.body:
        if type(s) is int:
            made.append(s)
            if s in waiting:
                made += waiting.pop(s)
        elif s.op != "out":
            made.append(s)
    return made
