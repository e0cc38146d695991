"""Programs in cells of one number or two give the numbers of the program itself, whatever is paired: by exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction

from budget import examples
from ordern.program.ir import Node, Program
from ordern.program.limb_pairs import ALIKE
from ordern.program.paired import paired

COUNT = examples(150, 2000)
SINGLE = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b, "neg": lambda a: -a,
    "fma": lambda a, b, c: a * b + c, "fms": lambda a, b, c: a * b - c, "fnma": lambda a, b, c: c - a * b,
}  # fmt: skip
PAIRED = {
    "pair_sum": lambda a, b, s, t: s * a + t * b, "pair_mul": lambda a, b, s: s * a * b, "pair_div": lambda a, b, s: s * a / b,
    "pair_fused": lambda a, b, c, s, t: s * a * b + t * c,
}  # fmt: skip


def random_program(seed):
    """A program, what its nodes are, pairs of them that are of one kind, and an order of their operands."""
    rng = random.Random(seed)
    nodes = [Node("in", (), ("x", k)) for k in range(4)] + [Node("const", (), (float(x),)) for x in (2, -3, 5)]
    angles = len(nodes)
    nodes += [Node("sincos", (0,)), Node("sin", (angles,)), Node("cos", (angles,))]
    values = [Fraction(rng.randrange(1, 9), rng.choice((1, 2, 3))) for _ in range(4)] + [
        Fraction(n.arg[0]) for n in nodes[4:angles]
    ]
    values += [None, Fraction(3, 5), Fraction(4, 5)]
    while len(nodes) < 45:
        op = rng.choice(("add", "sub", "mul", "div", "neg", "fma", "fms", "fnma"))
        src = tuple(
            rng.choice([k for k in range(max(0, len(nodes) - 14), len(nodes)) if k != angles]) for _ in range(3)
        )
        src = src[: SINGLE[op].__code__.co_argcount]
        if op != "div" or values[src[1]]:
            nodes.append(Node(op, src))
            values.append(SINGLE[op](*(values[k] for k in src)))
    order = {}
    for k, (op, src, _) in enumerate(nodes):
        swapped = op not in ("div", "neg", "sincos", "sin", "cos") and len(src) > 1 and rng.random() < 0.5
        order[k] = (src[1], src[0], *src[2:]) if swapped else src
    kinds = {}
    for k, node in enumerate(nodes):
        kinds.setdefault(node.op if node.op in ("in", "sin", "cos") else ALIKE.get(node.op), []).append(k)
    pairs = []
    for kind, of in kinds.items():
        if kind:
            rng.shuffle(of)
            pairs += [pair for pair in zip(of[::2], of[1::2], strict=False) if rng.random() < 0.8]
    body = []
    for k in range(len(nodes)):
        body.append(k)
        if k != angles and (rng.random() < 0.3 or k > len(nodes) - 5):
            body.append(Node("out", (k,), ("y", sum(not isinstance(s, int) for s in body))))
    count = sum(not isinstance(s, int) for s in body)
    return Program("random", nodes, body, {"x": 4}, {"y": (count,)}), values, pairs, order


def run_cells(cells, values):
    """What each cell holds, one number or two, and the outputs as (node, number)."""
    held, results = {}, []
    for s in cells.body:
        if not isinstance(s, int):
            (cell,), (node, lane) = s.src, s.arg
            assert (lane >= 0) == (cell in cells.wide)
            results.append((node, held[cell] if lane < 0 else held[cell][lane]))
            continue
        op, src, arg = cells.nodes[s]
        given = [held[k] for k in src]
        if op in ("const", "in", "sin", "cos"):
            held[s] = tuple(Fraction(x) if op == "const" else values[x] for x in arg)
            held[s] = held[s][0] if len(arg) == 1 else held[s]
        elif op in PAIRED:
            held[s] = tuple(PAIRED[op](*lane, *arg) for lane in zip(*given, strict=True))
        elif op in ("splat", "join", "swap", "flip", "lane"):
            held[s] = {
                "splat": lambda a: (a, a), "join": lambda a, b: (a, b), "swap": lambda a: a[::-1], "lane": lambda a, arg=arg: a[arg[0]],
                "flip": lambda a, arg=arg: tuple(-x if there else x for x, there in zip(a, arg, strict=True)),
            }[op](*given)  # fmt: skip
        else:
            held[s] = SINGLE[op](*given)
        assert isinstance(held[s], tuple) == (s in cells.wide), op
    return results


def test_cells_hold_the_numbers_of_the_program():
    """Also where pairs wait for each other: these are given up, others stay."""
    seen, kept = set(), 0
    for seed in range(COUNT):
        program, values, pairs, order = random_program(seed)
        cells = paired(program, pairs, order)
        results = run_cells(cells, values)
        assert sorted(node for node, _ in results) == sorted(s.src[0] for s in program.body if not isinstance(s, int))
        assert all(number == values[node] for node, number in results), seed
        assert cells.wide <= set(range(len(cells.nodes)))
        listed = [s for s in cells.body if isinstance(s, int)]
        assert listed == list(range(len(cells.nodes)))
        derived = [node for node in cells.nodes if node.op in ("splat", "join", "swap", "flip", "lane", "const")]
        assert len(set(derived)) == len(derived)  # each is made once
        seen |= {node.op for node in cells.nodes}
        kept += len(cells.wide)
    assert {*PAIRED, "splat", "join", "swap", "flip", "lane"} <= seen and kept > 5 * COUNT


def test_independent_pairs_are_all_kept():
    """Two limbs of one shape, one with other signs: nothing of the second is computed by itself."""
    listed = [Node("in", (), ("x", k)) for k in range(4)]
    listed += [
        Node("mul", (0, 1)),
        Node("mul", (2, 3)),
        Node("add", (4, 0)),
        Node("sub", (5, 2)),
        Node("fma", (6, 6, 0)),
        Node("fnma", (7, 7, 2)),
    ]
    body = [*range(10), *(Node("out", (k,), ("y", k - 8)) for k in (8, 9))]
    program = Program("limbs", listed, body, {"x": 4}, {"y": (2,)})
    cells = paired(program, [(0, 2), (1, 3), (4, 5), (6, 7), (8, 9)], {k: node.src for k, node in enumerate(listed)})
    assert [node.op for node in cells.nodes].count("lane") == 0 and cells.wide == set(range(len(cells.nodes)))
    values = [Fraction(x) for x in (3, 5, 7, 11)]
    values += [values[0] * values[1], values[2] * values[3]]
    values += [values[4] + values[0], values[5] - values[2]]
    values += [values[6] ** 2 + values[0], values[2] - values[7] ** 2]
    assert run_cells(cells, values) == [(8, values[8]), (9, values[9])]
