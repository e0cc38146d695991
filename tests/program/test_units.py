"""Closed chains of many units: loops of the program over units say what the program written out says, and machine code what both say."""

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import ordern
from budget import TRUST
from mechanisms import ladder
from ordern.algorithms.registry import choose
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.describe.loops import passive
from ordern.model import Placement
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.repeats import Units, find_units
from ordern.program.units import _Roller, _Section
from ordern.runtime.numbers import numbers

EPS = np.finfo(float).eps


def rod(name, length, mass):
    own = mass * length**2 / 12
    return LinkSpec(name, mass, (length / 2, 0.0, 0.0), (1e-3, own, own, 0.0, 0.0, 0.0))


def windows(n, seed):
    """Side by side on the ground, every rod of another mass."""
    rng = np.random.default_rng(seed)
    links, joints, loops = [LinkSpec("ground")], [], []
    for k in range(n + 1):
        links.append(rod(f"post{k}", 1.0, rng.uniform(0.5, 2.0)))
        joints.append(
            JointSpec(
                f"post{k}", "revolute", "ground", f"post{k}", Placement.from_rpy((k, 0.1 * k, 0), (0, 0, math.pi / 2))
            )
        )
        if k < n:
            links.append(rod(f"beam{k}", math.hypot(1.0, 0.1), rng.uniform(0.5, 2.0)))
            turn = Placement.from_rpy((1.0, 0, 0), (0, 0, -math.pi / 2 + math.atan2(0.1, 1.0)))
            joints.append(JointSpec(f"beam{k}", "revolute", f"post{k}", f"beam{k}", turn, armature=0.01))
            ends = {"xyz1": (math.hypot(1.0, 0.1), 0, 0), "xyz2": (1.0, 0, 0)}
            loops.append(LoopSpec(f"window{k}", "revolute", f"beam{k}", f"post{k + 1}", **ends))
    return build("windows", links, joints, gravity=(0.3, -9.81, 0), loops=loops)


def tower(n, seed, base="fixed"):
    """One parallelogram on top of the other, leaning about different axes: loops that no ground shares."""
    rng = np.random.default_rng(seed)
    links, joints, loops = [LinkSpec("floor0", 2.0, (0, 0, 0.1), (0.1, 0.1, 0.1, 0, 0, 0))], [], []
    for k in range(n):
        height = rng.uniform(0.5, 1.0)
        axis = (1.0, 0.0, 0.0) if k % 2 else (0.0, 1.0, 0.0)
        apart = (0.0, 0.4, 0.0) if k % 2 else (0.4, 0.0, 0.0)
        for side, at in (("left", (0.0, 0.0, 0.0)), ("right", apart)):
            links.append(LinkSpec(f"{side}{k}", rng.uniform(0.5, 1.0), (0, 0, height / 2), (0.02, 0.02, 0.01, 0, 0, 0)))
            joints.append(
                JointSpec(f"{side}{k}", "revolute", f"floor{k}", f"{side}{k}", Placement(origin=at), axis=axis)
            )
        links.append(LinkSpec(f"floor{k + 1}", rng.uniform(0.5, 1.0), (0.1, 0.1, 0), (0.03, 0.02, 0.04, 0, 0, 0.001)))
        joints.append(
            JointSpec(
                f"floor{k + 1}", "revolute", f"left{k}", f"floor{k + 1}", Placement(origin=(0, 0, height)), axis=axis
            )
        )
        loops.append(
            LoopSpec(f"top{k}", "revolute", f"right{k}", f"floor{k + 1}", xyz1=(0, 0, height), xyz2=apart, axis=axis)
        )
    return build("tower", links, joints, base=base, loops=loops)


def geared(n, seed):
    """An arm whose joints turn in pairs."""
    rng = np.random.default_rng(seed)
    links = [LinkSpec("base")] + [rod(f"l{k}", rng.uniform(0.5, 1.0), 1.0) for k in range(2 * n)]
    joints = [
        JointSpec(
            f"j{k}", "revolute", f"l{k - 1}" if k else "base", f"l{k}", Placement.from_rpy((0.3, 0, 0), (1.0, 0, 0))
        )
        for k in range(2 * n)
    ]
    loops = [
        LoopSpec(f"gear{k}", "gear", joints={f"j{2 * k}": 1.0, f"j{2 * k + 1}": rng.uniform(-2, -1)}) for k in range(n)
    ]
    return build("geared", links, joints, loops=loops)


CASES = {
    "windows": lambda: windows(31, 0), "windows, one more": lambda: windows(32, 1), "tower": lambda: tower(32, 2),
    "floating tower": lambda: tower(31, 3, "floating"), "geared": lambda: geared(30, 4),
}  # fmt: skip
CASES = {name: cache(make) for name, make in CASES.items()}  # closing the loops takes seconds
QUANTITIES = ("forward_dynamics", "constraint_forces", "constraint_residual", "constraint_bias", "constraint_jacobian")


# two quantities of each case, each in two cases; all with ORDERN_TRUST=1
SAID = {c: [q for j, q in enumerate(QUANTITIES) if TRUST or (k + j) % 5 in (0, 2)] for k, c in enumerate(CASES)}


@pytest.mark.parametrize("case", CASES)
def test_loops_over_units_say_what_is_written_out(case):
    model = CASES[case]()
    assert find_units(model) is not None
    rng = np.random.default_rng(5)
    q = np.array(ordern.Robot(model).random(rng, 3)) if case != "tower" else rng.normal(size=(3, model.nq))
    given = {"q": q, "qd": rng.normal(size=(3, model.nv)), "tau": rng.normal(size=(3, model.nv))}
    for quantity in SAID[case]:
        text = choose(quantity, None, model)
        options = (True,) if "world" in text.options else ()
        ready = prepared(text, model)
        loops, written = trace(text, ready, options, rolled=True), trace(text, ready, options, rolled=False)
        assert not loops.straight and written.straight, quantity
        values = {name: given[name] for name in text.inputs}
        a, b = interpret(loops, values)["out0"], interpret(written, values)["out0"]
        assert np.abs(a - b).max() <= 1e-9 * np.abs(b).max(), (
            quantity
        )  # mostly the same operations; states off the loops are badly conditioned
        exact = interpret(loops, {name: x[:1] for name, x in values.items()})["out0"]
        assert np.array_equal(exact, a[:1])


@pytest.mark.parametrize("turns", [{}, {"post16": (0.7, 0, 0)}, {"post15": (0.7, 0, 0), "post17": (0.4, -0.3, 0.2)}])
def test_units_whose_frames_are_turned_about_different_axes(turns):
    """A turn about z has zeros where one about x has none: what the first and last units lack, others may have."""
    model = windows(31, 9)
    turned = {name: Placement.from_rpy((3.0, 1.0, 0.2), rpy) for name, rpy in turns.items()}
    model = model.with_bodies([replace(b, placement=turned.get(b.name, b.placement)) for b in model.bodies])
    assert find_units(model) is not None
    text = choose("constraint_residual", None, model)
    q = np.random.default_rng(10).normal(size=(2, model.nq))
    made = interpret(trace(text, prepared(text, model), (), rolled=True), {"q": q})["out0"]
    wanted = numbers(text, model)(q)
    assert np.abs(made - wanted).max() <= 100 * EPS * np.abs(wanted).max()  # a few dozen roundings of arms of 31 m


@pytest.mark.parametrize("name", ["windows", "tower"])
def test_machine_code_of_long_mechanisms(name):
    """Beyond the length up to which closed chains are written out."""
    model = windows(66, 6) if name == "windows" else tower(45, 7)
    robot = ordern.Robot(model)
    q = robot.assemble().q
    rng = np.random.default_rng(8)
    qd, tau = np.zeros(robot.n), rng.normal(size=(5, robot.n))
    text = choose("forward_dynamics", None, model)
    wanted = numbers(text, model)(np.repeat(q[None], 5, axis=0), np.zeros((5, robot.n)), tau)
    made = robot.forward_dynamics(q, qd, tau)
    assert np.abs(made - wanted).max() < 1e5 * EPS * np.abs(wanted).max()  # conditions of some 1e4
    assert np.abs(np.einsum("ij,bj->bi", robot.constraint_jacobian(q), made)).max() < 1e-10 * np.abs(made).max()
    for k in range(3):
        assert np.array_equal(robot.forward_dynamics(q, qd, tau[k]), made[k])  # one by one, to the bit
    assert np.allclose(
        robot.forward_dynamics(*(x.astype(np.float32) for x in (q, qd, tau[0]))),
        made[0],
        atol=2e-2 * np.abs(made).max(),
    )


def test_a_thousand_four_bars():
    robot = ordern.load("fourbars1000")
    theta, speed = np.array([1.1, 2.0]), np.array([0.3, -1.0])
    q, qd = ladder(1000, theta, speed)
    wanted = -9.81 * np.cos(theta) * (1000 + 1001 / 2) / (1001 / 3 + 1000)
    made = robot.forward_dynamics(q, qd, np.zeros(2001))
    assert np.abs(made[:, 0::2] - wanted[:, None]).max() < 1e-13 * np.abs(wanted).max()
    assert np.abs(robot.constraint_residual(q)).max() < 1e-14 * 1000


@pytest.mark.parametrize("units", [Units(3, 4, 6, 2, 1), Units(1, 1, 5, 0, 3), Units(7, 2, 2, 5, 2)])
def test_units_by_pairs_hold_what_two_units_hold(units):
    """Of bodies and of loops; what is left of an odd number belongs to none."""
    pairs, n = units.paired(), 60
    for alone, both in ((units.of_body, pairs.of_body), (units.of_loop, pairs.of_loop)):
        found = [alone(k) for k in range(n)]
        assert [both(k) for k in range(n)] == [
            None if u is None or u // 2 >= units.count // 2 else u // 2 for u in found
        ]
    assert [k for k in range(n) if units.of_body(k) is not None] == list(
        range(units.first, units.first + units.size * units.count)
    )
    assert [k for k in range(n) if units.of_loop(k) == 1] == list(
        range(units.first_loop + units.loops, units.first_loop + 2 * units.loops)
    )


DRIVES = {
    "windows": ["post0"], "windows, one more": ["post16"], "tower": [f"left{k}" for k in range(32)],
    "floating tower": [f"right{k}" for k in range(31)], "geared": [f"j{2 * k}" for k in range(30)],
}  # fmt: skip


# in the short form each case once, with one drive or with all
ONCE = {"windows": True, "windows, one more": False, "tower": False, "floating tower": True, "geared": False}
DRIVEN = [(case, on) for case in CASES for on in (False, True) if TRUST or ONCE[case] == on]


@pytest.mark.parametrize(("case", "all_driven"), DRIVEN)
def test_drives_of_long_closed_chains(case, all_driven):
    """What one drive has to do depends on every unit, though nearly all joints have none: sums over units are no part of one."""
    model = CASES[case]()
    if not all_driven:
        model = model.changed(actuated=tuple(DRIVES[case]))
        model = model.changed(passive=passive(model, np.array(model.home)))
    rng, text = np.random.default_rng(6), choose("inverse_dynamics", None, model)
    states = [np.array(model.home), *(0.1 * rng.normal(size=(2, model.nv)))]
    ready = prepared(text, model)
    made, want = (
        interpret(trace(text, ready, (), rolled=on), dict(zip(text.inputs, states, strict=True)))["out0"]
        for on in (True, False)
    )
    assert np.abs(want).max() > 0.1 and np.abs(made - want).max() <= 1e-9 * np.abs(want).max()
    if case.startswith("windows") and not all_driven:  # and against dense matrices
        A = numbers(choose("constraint_jacobian", None, model), model)(states[0])
        tree = model.changed(loops=(), home=(), passive=())
        wanted = numbers(choose("inverse_dynamics", None, tree), tree)(*states)
        N = np.linalg.svd(A)[2][-1]
        at = int(np.argmax(model.driven))
        np.testing.assert_allclose(made[at], N @ wanted / N[at], rtol=1e-9)
        assert not np.delete(made, at).any()


@pytest.mark.parametrize("count", [9, 15])
@pytest.mark.parametrize("alike", [(0, 99), (2, 99), (0, 5), (3, 4), (4, 4), (5, 6)])
def test_the_middle_is_where_units_follow_each_other(count, alike):
    """As many as are alike around the middle, upward or downward, with none of the others among them."""
    half, (low, high) = count // 2, alike

    class Roller:
        short = SimpleNamespace(units=SimpleNamespace(count=count))

        def _alike(self, of, u):
            return u in of.blocks and u + 1 in of.blocks and low <= u < high

    def found(order):
        of = _Section()
        of.order, of.blocks = list(order), {u: [0] for u in order}
        return _Roller._find_middle(Roller(), of), of.low, of.high

    up = list(range(count))
    some = low <= half - 1 < high
    wanted = (True, low, min(high, count - 1))
    for order in (up, up[::-1]):
        assert found(order) == wanted if some else not found(order)[0]
    cut = [u for u in up if u != half - 1]
    shuffled = [*up[:half], *up[half:][::-1]]
    away = [*up[:half], 99, *up[half:]]  # one that has no place among them
    assert not found(cut)[0] and not found(away)[0] and not found([half - 1])[0]
    assert not found(shuffled)[0] or wanted[2] - wanted[1] < 2
    assert not found([*up[half:], *up[:half]])[0]
