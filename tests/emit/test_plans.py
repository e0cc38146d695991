"""What is done to programs before they are lowered: planned spills, carried values; the meaning stays, memory traffic shrinks."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import Lanes
from ordern.emit.llvm.unrolled_text import cover
from ordern.program.build import prepared, trace
from ordern.program.carry import carry
from ordern.program.interpret import interpret
from ordern.program.ir import IRLoop, Node, Program, walk
from ordern.program.passes import allocate, early_angles, early_outputs, fuse
from ordern.runtime.kernels import Kernel
from programs import node, nodes

ALGORITHMS = {a.name: a for a in all_algorithms()}


def traced(name, model, rolled=None):
    algorithm = ALGORITHMS[name]
    return fuse(trace(algorithm, prepared(algorithm, model), rolled=rolled))


def reads(program, kinds=("load",)):
    return sum(1 for s in walk(program.body) if isinstance(s, int) and program.nodes[s].op in kinds)


def stores(program):
    return sum(1 for s in walk(program.body) if isinstance(s, Node) and s.op == "store")


def _reloaded_before_read(plan, at, k, read):
    """Whether a value is not needed in its register before it is loaded again."""
    for s in plan[at + 1 :]:
        if isinstance(s, Node) and s.op == "reload" and s.src == (k,):
            return True
        if k in read(s) or (isinstance(s, Node) and s.op == "spill" and s.src == (k,)):
            return False
    return False


@pytest.mark.parametrize("registers", [6, 12, 26])
def test_a_plan_keeps_within_its_registers(registers):
    program = traced("inverse_dynamics/newton-euler", robots.serial("RRRR", 4), False)
    plan = allocate(program, registers, early_outputs(program), frozenset(early_angles(program)[1]))
    memory = ("const", "in", "sincos", "sin", "cos")  # these need no register to be made

    def read(s):
        if isinstance(s, int):
            return (
                ()
                if program.nodes[s].op in memory
                else [k for k in program.nodes[s].src if program.nodes[k].op != "const"]
            )
        return s.src if s.op == "out" and program.nodes[s.src[0]].op != "const" else ()

    last = {k: at for at, s in enumerate(plan) for k in read(s)}
    alive, spilled = set(), {}
    for at, s in enumerate(plan):
        assert all(k in alive for k in read(s))
        if isinstance(s, Node) and s.op == "reload":
            assert s.arg[0] < 0 or spilled[s.arg[0]] == s.src[0]  # what was put there is still there
            alive.add(s.src[0])
        elif isinstance(s, Node) and s.op == "spill":
            spilled[s.arg[0]] = s.src[0]
        elif isinstance(s, int) and program.nodes[s].op not in memory:
            alive.add(s)
        alive = {k for k in alive if last.get(k, -1) > at}
        later = {s.src[0] for s in plan[at + 1 :] if isinstance(s, Node) and s.op == "reload"}
        alive -= {k for k in alive if k in later and _reloaded_before_read(plan, at, k, read)}
        assert len(alive) <= registers + 3  # the operands of the statement itself come on top
    counted = [sum(isinstance(s, tuple) and s[0] == "spill" for s in allocate(program, r)) for r in (6, 12, 26)]
    assert counted == sorted(counted, reverse=True)


def test_long_programs_give_the_same_bits_as_short_ones(monkeypatch):
    program = trace(ALGORITHMS["inverse_dynamics/newton-euler"], robots.serial("RRRRRR", 4))
    arrays = list(np.random.default_rng(0).uniform(-3, 3, (3, 21, 6)))
    outs = []
    for limit in (0, 10**9):
        monkeypatch.setattr("ordern.emit.llvm.kernel_text.ONE_PIECE", limit)
        outs.append(np.empty((21, 6)))
        assert Kernel.of(program).run(arrays, [outs[-1]])
    assert outs[0].tobytes() == outs[1].tobytes()


def test_sines_of_sums_and_of_sines(monkeypatch):
    listed = nodes("in x 0 | const 0.5 | add v0 v1 | sincos v2 | sin v3 | sincos v4 | cos v5 | mul v6 v2")
    program = Program("f", listed, [*range(8), *nodes("out y 0 v7 | out y 1 v4 | out y 2 v1")], {"x": 1}, {"y": (3,)})
    assert early_angles(program) == ([0, 1, 2], [3])
    x = np.linspace(-2, 2, 9)[:, None]
    expected = interpret(program, {"x": x})["y"]
    for limit in (0, 10**9):
        monkeypatch.setattr("ordern.emit.llvm.kernel_text.ONE_PIECE", limit)
        out = np.empty((9, 3))
        assert Kernel.of(program).run([x], [out])
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-15)


def test_chains_carry_their_motion_in_registers():
    plain = traced("inverse_dynamics/newton-euler", robots.serial("R" * 500, 1))
    program = carry(plain)
    loops = [s for s in program.body if isinstance(s, IRLoop)]
    assert len(loops[0].carried) >= 12  # w, wd, a and what of U is read
    assert reads(program) < reads(plain) / 2
    assert stores(program) < stores(plain) / 2
    assert lower(program, Lanes(8)).workspace <= lower(plain, Lanes(8)).workspace / 2


@pytest.mark.parametrize("kinds", ["R" * 40, "RP" * 20, "RRS" * 15])
@pytest.mark.parametrize(
    "name",
    [
        "inverse_dynamics/newton-euler",
        "forward_dynamics/relative",
        "forward_dynamics/articulated",
        "momentum/recursive",
    ],
)
def test_carrying_changes_no_result(name, kinds):
    model = robots.serial(kinds, 3)
    program = trace(ALGORITHMS[name], prepared(ALGORITHMS[name], model), rolled=True)
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(0), (9,))
    given = {k: {"q": q, "qd": qd, "qdd": qdd, "tau": tau}[k] for k in program.inputs}
    expected = interpret(program, given)
    outs = [np.empty(v.shape) for v in expected.values()]
    assert Kernel.of(program).run(list(given.values()), outs)
    for a, b in zip(outs, expected.values(), strict=True):
        np.testing.assert_allclose(
            a, b, rtol=0, atol=1e6 * np.finfo(float).eps * max(1, np.abs(b).max())
        )  # 1e6: condition of long chains


def test_what_is_read_after_the_loop_stays():
    """A loop that sums up into row i - 1, of which row 0 and row 2 are wanted afterwards."""
    listed = [
        *nodes("in x 0 | loopvar 1 | iaff v1 1 -1 | load 0 0 v1 0 | load 0 0 v2 0 | add v3 v4 | iconst 0 | iconst 2"),
        *nodes("load 0 0 v6 1 | load 0 0 v7 1 | loopvar 2 | cload 0 v10 | mul v11 v0"),
    ]  # fmt: skip
    body = [
        0, 6, 7, node("store 0 0 v6 v0"), IRLoop(2, "range", 1, 5, 1, cases=[((), [10, 11, 12, node("store 0 0 v10 v12")])]),
        IRLoop(1, "range", 4, 0, -1, cases=[((), [1, 2, 3, 4, 5, node("store 0 0 v2 v5")])]), 8, 9, node("out y 0 v8"), node("out y 1 v9"),
    ]  # fmt: skip
    program = Program("sum", listed, body, {"x": 1}, {"y": (2,)}, 5, [("t", 1)], [], [np.arange(5.0)])
    x = np.arange(1.0, 8.0)[:, None]
    out = np.empty((7, 2))
    assert Kernel.of(program).run([x], [out])
    np.testing.assert_array_equal(out, interpret(program, {"x": x})["y"])


def test_zeroed_tables_are_no_constants():
    listed = nodes("in x 0 | iconst 3 | const 2.0 | loopvar 1 | load 0 0 v3 0 | mul v4 v0")
    body = [
        0,
        1,
        2,
        node("zero table 0"),
        node("store 0 0 v1 v2"),
        IRLoop(1, "range", 0, 5, 1, cases=[((), [3, 4, 5, node("outx y v3 0 1 v5")])]),
    ]
    program = Program("zero", listed, body, {"x": 1}, {"y": (5,)}, 5, [("t", 1)])
    out = np.empty((3, 5))
    assert Kernel.of(program).run([np.ones((3, 1))], [out])
    assert out.tolist() == [[0, 0, 0, 2, 0]] * 3


@pytest.mark.parametrize("most", [1, 4, 8])
def test_stores_of_zeros_reach_their_places_and_no_others(most):
    rng = np.random.default_rng(3)
    for share in (0.0, 0.3, 0.8, 1.0):
        places = np.flatnonzero(rng.random(60) < share).tolist()
        made = list(cover(places, most))
        assert sorted({at + k for at, count in made for k in range(count)}) == places
        assert all(count <= most and count & count - 1 == 0 for _, count in made)
        assert len(made) <= len(places)
    assert list(cover([0, 1, 2, 3, 4, 7, 8, 9], 4)) == [(0, 4), (1, 4), (7, 2), (8, 2)]
