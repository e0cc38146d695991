"""Traced arithmetic: the numbers of the expression it was made from, to the last digit of fractions, in a form where nothing is left to fold."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from budget import examples
from ordern.program.finish import finished
from ordern.program.interpret import PRIMITIVES, run
from ordern.program.trace import Expr, TooLong, Tracer
from ordern.scalars.primitives import Above, least, most, select, sincos
from ordern.spatial import Vec3

POINT = [Fraction(3, 2), Fraction(-5, 4), Fraction(7), Fraction(2, 3)]
NUMBERS = (0, 1, -1, 2, -2, 0.5, -0.25, 4.0, 0.0, 1.0, -1.0)  # their reciprocals are numbers of Python's too
EXACT = PRIMITIVES.changed(Fraction)


def grown(seed):
    """A tracer, and what was made with it beside what that should be."""
    rng, tracer = random.Random(seed), Tracer()
    made = list(zip(tracer.input("x", len(POINT)), POINT, strict=True))
    while len(made) < 40:
        (a, x), (b, y) = (
            rng.choice(made[-12:]) if rng.random() < 0.8 else (k, Fraction(k)) for k in rng.choices(NUMBERS, k=2)
        )
        op = rng.choice("+-*/n+-*b")
        if op == "/" and not y:
            continue
        pair = {
            "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "n": lambda a, b: -a,
            "b": lambda a, b, there=y: (a / b) * b if there else a,
        }[op]  # fmt: skip
        if isinstance(a, Expr) or isinstance(b, Expr):
            made.append((pair(a, b), pair(x, y)))
            if abs(made[-1][1].numerator) > 10**12:  # numbers as short as doubles hold
                made.pop()
    return tracer, made


def test_random_expressions_are_exact_and_folded():
    for seed in range(examples(60, 2000)):
        tracer, made = grown(seed)
        for k, (value, _) in enumerate(made):
            tracer.output("y", k, value)
        outs = len(made)
        program = finished("random", tracer, {"y": (outs,)}, labels=False)
        found = run(program, {"x": POINT}, EXACT)["y"]
        assert found == [wanted for _, wanted in made], seed
        for op, src, _ in tracer.nodes:
            of = [tracer.nodes[k] for k in src]
            consts = [node.arg[0] for node in of if node.op == "const"]
            if op in ("add", "sub", "mul", "div", "neg"):
                assert all(node.op != "neg" for node in of), op
            if op == "mul":
                assert all(c > 0 and c != 1 for c in consts)
            if op in ("add", "sub"):
                assert 0 not in consts and (op == "add" or src[0] != src[1])
            if op in ("add", "mul"):
                assert src[0] <= src[1]
            assert op != "div" or of[0].arg == (1.0,)
        differences = [node.src for node in tracer.nodes if node.op == "sub"]
        assert not {pair[::-1] for pair in differences} & set(differences)
        assert len(set(tracer.nodes)) == len(tracer.nodes)


def test_what_cancels():
    t = Tracer()
    x, y, z = t.input("x", 3)
    product, _ = x * y, x - y
    for made, wanted in (
        (t.neg(-x), x), (x + 0, x), (0.0 + x, x), (x * 1, x), (1.0 * x, x), (x - 0, x), ((x / y) * y, x), (y * (x / y), x), (y * x, product),
        ((-x) * (-y), product), (x - (-y), x + y), (-x + y, -(x - y)), (x / 1, x), (select(1, x, y), x),
        (select(0, x, y), y), (select(-1.0, x, y), y),
        (least(x, x), x), (most(y, y), y), (select(z, y, y), y),
    ):  # fmt: skip
        assert isinstance(made, Expr) and made.id == wanted.id
    for made, number in ((x - x, 0), (x * 0, 0), (0 / x, 0), (x / x, 1), ((1 / y) * y, 1), (y * (1 / y), 1)):
        assert type(made) is int and made == number
    for made, of in (
        (y - x, x - y),
        (-x * y, product),
        (x * -2.0, x * 2.0),
        (x / -y, x / y),
        (-(x / y), x / y),
        (x * -1, x),
    ):
        assert t.nodes[made.id] == ("neg", (of.id,), ())
    (s, c), (sine, cosine) = sincos(-x), sincos(x)
    assert c.id == cosine.id and t.nodes[s.id] == ("neg", (sine.id,), ())
    assert (x / y).id != (x / z).id and t.nodes[(x / z).id].op == "mul"


def test_blocks_know_what_was_made_around_them():
    """And not what was made in others; what is loaded counts in its own block only."""
    t = Tracer()
    x, y = t.input("x", 2)
    outer, row, other = x + y, t.node("iconst", (), (1,)), t.node("iconst", (), (2,))
    loaded = t.node("load", (row,), (0, 0, -1))
    assert len({loaded, t.node("load", (other,), (0, 0, -1)), t.node("load", (row,), (0, 1, -1)), row, other}) == 5
    t.open()
    inner = x * y
    assert (x + y).id == outer.id and t.node("load", (row,), (0, 0, -1)) != loaded
    assert t.nodes[(y - x).id].op == "sub" and t.nodes[(x - y).id].op == "neg"
    assert t.node("load", (row,), (0, 0, -1)) == t.node("load", (row,), (0, 0, -1))
    inside = t.close()
    assert inner.id in inside and outer.id not in inside
    assert (x * y).id != inner.id and t.node("load", (row,), (0, 0, -1)) == loaded
    assert t.nodes[(x - y).id].op == "sub"


def test_scalars_that_take_traced_ones_answer_themselves():
    """Numbers that carry derivatives, of which traced values may be parts."""

    class Wider(Above):
        def answer(self, _):
            return "mine"

        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = answer

    (x,) = Tracer().input("x", 1)
    assert [x + Wider(), x - Wider(), x * Wider(), x / Wider()] == ["mine"] * 4


@pytest.mark.parametrize("most", [4, 5, None])
def test_programs_may_be_as_long_as_allowed(most):
    t = Tracer(most)
    x, y = t.input("x", 2)
    made = [x + y, x * y]
    assert (x + y).id == made[0].id  # nothing new
    if most == 4:
        with pytest.raises(TooLong):
            x - y
    else:
        assert (x - y).id == 4
        assert most is None or len(t.nodes) == most


def test_names_lead_to_every_scalar_and_the_first_one_stays():
    t = Tracer()
    a, b, c, d = (x * x for x in t.input("x", 4))
    t.label("F", 3, (a, (Vec3(b, 0, c), 2.0)))
    t.label("G", 1, a)
    t.label("H", 1, d)
    assert t.labels == {a.id: ("F", 3, "0"), b.id: ("F", 3, "1.0.x"), c.id: ("F", 3, "1.0.z"), d.id: ("H", 1, "")}
