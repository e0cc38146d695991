"""Every algorithm x every robot of the grid as counts: what is counted is what is done."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import ordern
import robots
from budget import TRUST, spread
from grid import ALGORITHMS, CASES, MODELS, ORDER, TRACED, WRITTEN_OUT, close, given, options_of, reference
from ordern.algorithms.registry import choose
from ordern.evaluate import counts as counting
from ordern.evaluate.counts import counts, tally
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret

FIELDS = ("mul", "add", "div", "sqrt", "sincos", "log", "tanh")
# Of the 48-joint chain there are the counts, by their growth.
COUNTED = [
    (name, robot)
    for name, robot in WRITTEN_OUT
    if robot != "long"
    and (name, robot) in TRACED
    and (name, robot) != ("inverse_dynamics_derivatives/carried", "mixed")
]


class Tallied:
    """A float that counts what is done with it."""

    __slots__ = ("done", "x")

    def __init__(self, x, done):
        self.x, self.done = x, done

    def _did(self, what, x):
        self.done[what] += 1
        return Tallied(x, self.done)

    def __add__(self, o):
        return self._did("add", self.x + plain(o))

    def __sub__(self, o):
        return self._did("add", self.x - plain(o))

    def __rsub__(self, o):
        return self._did("add", plain(o) - self.x)

    def __mul__(self, o):
        return self._did("mul", self.x * plain(o))

    def __truediv__(self, o):
        return self._did("div", self.x / plain(o))

    def __rtruediv__(self, o):
        return self._did("div", plain(o) / self.x)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Tallied(-self.x, self.done)

    def __gt__(self, o):  # a choice compares once
        self.done["add"] += 1
        return self.x > plain(o)

    def __float__(self):
        return float(self.x)

    def sin(self):  # NumPy's sine and cosine of an object are its methods
        return self._did("sincos", math.sin(self.x))

    def cos(self):
        return Tallied(math.cos(self.x), self.done)

    def sqrt(self):
        return self._did("sqrt", math.sqrt(self.x))

    def log(self):
        return self._did("log", math.log(self.x))

    def tanh(self):
        return self._did("tanh", math.tanh(self.x))


def plain(o):
    o = o[()] if isinstance(o, np.ndarray) else o  # an input is an array of one number
    return o.x if isinstance(o, Tallied) else o


@pytest.mark.parametrize(("name", "robot"), COUNTED)
def test_what_is_counted_is_what_is_done(name, robot, monkeypatch):
    algorithm, model, options, done = (
        ALGORITHMS[name],
        MODELS[robot],
        options_of(ALGORITHMS[name], MODELS[robot]),
        Counter(),
    )
    states = {
        k: np.array([Tallied(float(x), done) for x in array[0]], dtype=object)
        for k, array in given(name, robot).items()
    }
    asked = (algorithm, prepared(algorithm, model, regrouped=False), options)
    program = trace(*asked, rolled=False)
    made = interpret(program, states)
    close([m.astype(float) for m in made.values()], [r[0] for r in reference(name, robot)], name, robot)

    def same(*given, rolled):
        assert given == asked and rolled is False
        return program

    monkeypatch.setattr(counting, "trace", same)  # counts would write the same program down again
    counted = counts(algorithm, model, options)
    assert {field: getattr(counted, field) for field in FIELDS} == {field: done[field] for field in FIELDS}
    assert all(sum(getattr(stage, field) for stage in counted.by_stage.values()) == done[field] for field in FIELDS)


@pytest.mark.parametrize("name", [name for name, robot in CASES if robot == "long"])
def test_counts_grow_as_they_should(name):
    """A line through the counts for 8 and 16 joints meets that for 48 exactly; a square or cubic, through 4, 8, ..., that for 24.

    In the short form they meet the next count, which is enough to tell a line from a square.
    """
    algorithm, order = ALGORITHMS[name], ORDER.get(name, 1)
    tallies = []
    last = 6 if TRUST else order + 2
    for blocks in [*range(1, order + 2), last]:
        model = robots.serial(("RRPR" if order > 1 else "RRPRRRRP") * blocks, 7)  # or the first links of "long"
        counted = counts(algorithm, model, options_of(algorithm, model))
        tallies.append([getattr(counted, field) for field in FIELDS])
    differences = [
        np.diff(np.array(tallies[:-1]), k, axis=0)[0] for k in range(order + 1)
    ]  # Newton's form: sum of differences times last - 1 over k
    assert differences[order].any()
    assert (sum(math.comb(last - 1, k) * d for k, d in enumerate(differences)) == tallies[-1]).all()


@pytest.mark.parametrize(
    ("quantity", "kinds"),
    spread(["log_det", "inverse_dynamics", "mass_matrix"], ["R" * 45, "RP" * 22, "F" + "R" * 44, "planar", "tips"]),
)
def test_long_chains_are_counted_by_shorter_ones(kinds, quantity, monkeypatch):
    made = {"planar": lambda: ordern.robots.planar(44), "tips": lambda: ordern.robots.planar(43, mass="tips")}
    model = made[kinds]().model if kinds in made else robots.serial(kinds, 3)
    one_by_one = counts(choose(quantity, None, model), model, (), True)
    monkeypatch.setattr(counting, "COUNTED", 40)
    monkeypatch.setattr(counting, "tally", lambda p: seen.append(max(p.inputs.values())) or tally(p))
    seen: list[int] = []
    continued = counts(choose(quantity, None, model), model, (), True)
    assert continued == one_by_one and continued.by_stage == one_by_one.by_stage
    assert len(seen) == 6  # so many shorter chains, and not the whole one


def test_bodies_that_differ_are_counted_one_by_one(monkeypatch):
    monkeypatch.setattr(counting, "COUNTED", 40)
    model = ordern.robots.planar(44).model
    odd = model.with_bodies([*model.bodies[:40], robots.serial("R" * 44, 1).bodies[40], *model.bodies[41:]])
    for robot in (odd, robots.tree(["revolute"] * 44, [max(0, k - 2) for k in range(44)], 0)):
        a = choose("log_det", None, robot)
        assert counts(a, robot) == tally(trace(a, prepared(a, robot, False), (), rolled=False))


def test_as_many_joints_as_there_are():
    """Counted one by one, 100,000 joints (with ORDERN_TRUST=1) would take minutes and 5 GB."""
    n = 100_000 if TRUST else 2_000
    made = ordern.robots.planar(n).operation_counts("log_det")
    small = [ordern.robots.planar(k).operation_counts("log_det") for k in (30, 40)]
    assert made.mul == small[1].mul + (small[1].mul - small[0].mul) // 10 * (n - 40)
    assert made.log == made.sincos == n - 1
