"""Kernels of algorithms and joints that users wrote go with what these do: any change that may change a result changes the stamp."""

from __future__ import annotations

import functools
import importlib.util
import itertools

import pytest

from ordern.algorithms.registry import all_algorithms
from ordern.joints import JOINTS
from ordern.runtime.foreign_code import foreign_code

TEXT = """
import functools
import numpy as np
import helper
from scipy.interpolate import CubicSpline
from ordern.control import PD
from ordern.joints import Revolute
from ordern.spatial import Vec3
from ordern.trajectory import quintic

GAIN, TABLE, ARRAY, KNOWN, AXIS = 2.0, [1, 2, 1], np.arange(2000.0), {"a": 1}, Vec3(1, 0, 0)
deeper = functools.partial(pow, 3.0)

def inner(x):
    return x + GAIN

class Base:
    def shared(self, x):
        return x * 3

    @staticmethod
    def still(x):
        return x * 5

class Rule(Base):
    step = 0.5

    def __init__(self, size=7):
        self.size = size

    @property
    def wide(self):
        return self.size * 11

RULE = Rule(13)

class Slotted:
    __slots__ = ("size",)

    def __init__(self, size):
        self.size = size

SLOTTED, PATH, LAW = Slotted(47), quintic([0.0], [53.0], duration=1.0), PD([0.0], 59.0, 1.0)
CURVE, NOISE, ORDER = CubicSpline([0.0, 1.0, 2.0], [0.0, 61.0, 0.0]), np.random.default_rng(67), slice(71)

def known(x):
    return SLOTTED.size + PATH(x).q + CURVE(x) + NOISE.normal() + [x][ORDER][0] + LAW.kp

def maker(k):
    @functools.lru_cache
    def kept(x):
        return x - 17

    def made(x, y=19, *, z=23):
        if x in {29, 31}:
            return kept(x) * k
        return inner(x) + TABLE[0] + ARRAY[1500] + KNOWN["a"] + helper.most(x) + RULE.wide + AXIS.x + deeper(2) + known(x) + (lambda e: e * 37)(x)
    return made

thing = maker(41)

class Kind(Revolute):
    def motion(self, q):
        return helper.most(q), Rule().shared(2)
"""
CHANGES = [  # what stands once, and what in its place
    ("GAIN, TABLE, ARRAY, KNOWN, AXIS = 2.0", "GAIN, TABLE, ARRAY, KNOWN, AXIS = 2.5"), ("[1, 2, 1]", "[1, 2, 2]"),
    ("np.arange(2000.0)", "np.arange(2000.0) + (np.arange(2000) == 1500)"), ('{"a": 1}', '{"a": 2}'), ("Vec3(1, 0, 0)", "Vec3(1, 0, 1)"),
    ("pow, 3.0", "pow, 4.0"), ("x + GAIN", "x - GAIN"), ("size=7", "size=8"), ("self.size * 11", "self.size * 12"), ("Rule(13)", "Rule(14)"),
    ("x - 17", "x - 18"), ("y=19", "y=20"), ("z=23", "z=24"), ("{29, 31}", "{29, 32}"), ("e * 37", "e * 38"), ("maker(41)", "maker(42)"),
    ("x * 3", "x * 4"), ("x * 5", "x * 6"), ("step = 0.5", "step = 0.6"),
    ("Slotted(47)", "Slotted(48)"), ("[53.0]", "[54.0]"), ("59.0, 1.0", "60.0, 1.0"), ("61.0", "62.0"), ("67", "68"), ("slice(71)", "slice(72)"),
]  # fmt: skip


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Modules of a text, each with a helper of its own."""
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    number = itertools.count()

    def module(name, text):
        file = tmp_path / f"{next(number)}" / f"{name}.py"
        file.parent.mkdir()
        file.write_text(text, "utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        loaded = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(__import__("sys").modules, name, loaded)
        spec.loader.exec_module(loaded)
        return loaded

    def both(text=TEXT, most="max(x, 43)"):
        module("helper", f"def most(x):\n    return {most}\n")
        return module("users_own", text)

    return both


def test_every_change_of_what_is_reached_is_noticed(made):
    first = made()
    stamps = {foreign_code(first.thing)}
    for old, new in CHANGES:
        assert TEXT.count(old) == 1, old
        stamp = foreign_code(made(TEXT.replace(old, new)).thing)
        assert stamp not in stamps, f"{old} -> {new}"
        stamps.add(stamp)
    assert foreign_code(made(most="max(x, 44)").thing) not in stamps
    classes = [foreign_code(m.Kind) for m in (first, made(TEXT.replace("x * 3", "x * 4")), made(most="min(x, 43)"))]
    assert len({*classes, *stamps}) == len(classes) + len(stamps)


def test_the_same_text_has_the_same_stamp(made):
    """Also in another place, after calls, and with memory laid out otherwise."""
    stamps, kinds, kept = [], [], []
    for _ in range(3):
        module = made()
        kept.append([object() for _ in range(1000)])
        stamps += [foreign_code(module.thing), foreign_code(module.thing)]
        kinds.append(foreign_code(module.Kind))
        module.thing(29)
        stamps.append(foreign_code(module.thing))
    assert len(set(stamps)) == 1 and len(set(kinds)) == 1 and len(stamps[0]) == 64


def test_ours_need_none():
    """The library's own text is in every key by itself."""
    own = [a.function for a in all_algorithms() if a.function.__module__.startswith("ordern.")]
    assert own and not any(foreign_code(thing) for thing in own)
    assert not any(foreign_code(JOINTS[name]) for name in ("revolute", "floating"))
    assert foreign_code(functools.partial(own[0], 1))  # somebody's, of ours
