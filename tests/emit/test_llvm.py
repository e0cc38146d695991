"""Machine code against the interpreter: every kind of statement, every width, no bytes outside what belongs to it."""

from __future__ import annotations

import numpy as np
import pytest

import needs
import robots
from ordern.algorithms.registry import all_algorithms
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.ir import IRLoop, Node, Program
from ordern.program.passes import fuse
from ordern.runtime import machine
from ordern.runtime.kernels import Kernel
from programs import node, nodes

ALGORITHMS = {a.name: a for a in all_algorithms()}
CASES = [
    ("arm6", "inverse_dynamics/newton-euler", False), ("arm6", "forward_dynamics/articulated", False), ("arm6", "mass_matrix/composite", False),
    ("mixed", "inverse_dynamics/newton-euler", False), ("mixed", "inverse_dynamics/newton-euler", True), ("mixed", "mass_matrix/composite", True),
    ("chain", "inverse_dynamics/newton-euler", True), ("chain", "forward_dynamics/articulated", True), ("chain", "mass_matrix/composite", True),
]  # fmt: skip


def made(kernel, arrays, width=None, threads=1):
    rows = max(len(a) for a in arrays)
    outs = [np.full((rows, *shape), 777, kernel.dtype) for shape in kernel.outputs.values()]
    assert kernel.run(arrays, outs, threads=threads, width=width)
    return outs


@pytest.mark.parametrize(("robot", "name", "rolled"), CASES)
def test_kernel_means_what_the_interpreter_says(robot, name, rolled):
    model, algorithm = robots.GRID[robot](), ALGORITHMS[name]
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(0), (13,))
    program = trace(algorithm, prepared(algorithm, model), rolled=rolled)
    given = {k: {"q": q, "qd": qd, "qdd": qdd, "tau": tau}[k] for k in program.inputs}
    kernel = Kernel.of(program)
    outs = made(kernel, list(given.values()), 8)
    for a, b in zip(outs, interpret(program, given).values(), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e4 * np.finfo(float).eps * max(1, np.abs(b).max()))
    for width in (1, 2, 4):  # any width, any place in the batch
        for a, b in zip(made(kernel, list(given.values()), width), outs, strict=True):
            assert a.tobytes() == b.tobytes()
    part = made(kernel, [a[5:6] for a in given.values()], 8)
    assert all(a.tobytes() == b[5:6].tobytes() for a, b in zip(part, outs, strict=True))


@pytest.mark.parametrize("width", [1, 4])
def test_a_kernel_has_the_functions_that_it_calls_and_no_others(width):
    """Every other one would be compiled in vain, and each takes as long as a hundred operations."""
    calls = {"sincos": "@mend(", "tanh": "@tanh_lanes(", "log": "@log_lanes("}
    for used in ([], *([op] for op in calls), list(calls)):
        body = nodes(" | ".join(["in x 0", *(f"{op} v0" for op in used)]))
        last = [Node("out", (len(body) - 1 if used != ["sincos"] else 0,), ("y", 0))]
        text = Kernel.of(Program("f", body, [*range(len(body)), *last], {"x": 1}, {"y": ()})).source(width=width)
        defined = [line for line in text.splitlines() if line.startswith("define internal") and "@block(" not in line]
        assert len(defined) == len(used), used
        assert all(any(calls[op] in line for line in defined) for op in used)


@needs.older
@pytest.mark.parametrize(("cpu", "width"), [("haswell", 4), ("x86-64", 2)])
def test_other_processors_compute_the_same_bytes(monkeypatch, cpu, width):
    """AVX2, and one without fused multiply-add, where libm's is called."""
    target = machine._host()[0]
    program = trace(ALGORITHMS["inverse_dynamics/newton-euler"], robots.GRID["arm6"]())
    arrays = list(np.random.default_rng(0).uniform(-50, 50, (3, 9, 6)))
    expected = made(Kernel.of(program), arrays)
    monkeypatch.setattr(machine, "_host", lambda: (target, cpu, ""))
    assert machine.native_lanes().width == width or cpu == "haswell"
    assert machine.registers() == 16
    other = made(Kernel.of(program), arrays, width)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(other, expected, strict=True))


def test_large_outputs_are_streamed_to_the_same_bytes(monkeypatch):
    model, algorithm = robots.GRID["arm6"](), ALGORITHMS["mass_matrix/composite"]
    program = trace(algorithm, prepared(algorithm, model))
    q = robots.state(model, np.random.default_rng(0), (45,))[0]
    (expected,) = made(Kernel.of(program), [q])
    for name, value in (
        ("emit.llvm.kernel_text.ONE_PIECE", 0),
        ("emit.llvm.kernel_text.WIDE_ROW", 0),
        ("emit.llvm.driver.STREAMED", 0),
    ):
        monkeypatch.setattr(f"ordern.{name}", value)
    for dtype, width in (("float64", 8), ("float64", 4), ("float32", 16)):
        kernel = Kernel.of(program, dtype)
        assert "nontemporal" in kernel.source("llvm", width)
        for shift in range(9):  # any alignment of the result
            memory = np.full(46 * 36 + 20, -7, dtype)
            out = memory[shift : shift + 45 * 36].reshape(45, 6, 6)
            assert kernel.run([q.astype(dtype)], [out], width=width, threads=1)
            np.testing.assert_allclose(out, expected, rtol=0, atol=(1e-4 if dtype == "float32" else 0))
            assert (memory[:shift] == -7).all()
            assert (memory[shift + 45 * 36 :] == -7).all()


def test_float32():
    model, algorithm = robots.GRID["arm6"](), ALGORITHMS["inverse_dynamics/newton-euler"]
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(0), (37,))
    program = trace(algorithm, prepared(algorithm, model))
    kernel = Kernel.of(program, "float32")
    narrow = [a.astype("float32") for a in (q, qd, qdd)]
    (first,) = made(kernel, narrow, 16)
    (exact,) = made(Kernel.of(program), [a.astype(float) for a in narrow])
    np.testing.assert_allclose(first, exact, rtol=0, atol=50 * np.finfo("float32").eps * np.abs(exact).max())
    for width in (1, 2, 4, 8):
        assert made(kernel, narrow, width)[0].tobytes() == first.tobytes()


def loops() -> Program:
    """Every rolled statement at once: tables, constants by row, indices, a matrix, a switch, an upward walk."""
    listed = [
        *nodes("iconst 0 | const 1.5 | loopvar 0 | inx x v2 -1 | cload 0 v2 | iaff v2 1 -1 | load 0 0 v5 0"),  # 0-6
        *nodes("mul v3 v4 | add v6 v7 | loopvar 1 | load 0 0 v9 1 | sincos v10 | sin v11 | neg v10 | loopvar 2"),  # 7-14
        *nodes("load 0 0 v14 2 | loopvar 3 | load 0 0 v16 3 | mul v15 v17 | iload 0 v14 | iaff v16 1 -1"),
        node("iaff v14 1 -1"),  # 15-21
        *nodes("in x 2 | sub v1 v22 | mload 0 v21 0 v20 0 0 | add v18 v24"),  # 22-25
    ]  # fmt: skip
    parents, kinds = [0, 0, 1, 2, 2], [0, 1, 2, 1, 3]
    body = [
        0, 1, *nodes("store 0 0 v0 v1 | zero matrix 0 | zero out y"),
        IRLoop(0, "range", 1, 5, 1, cases=[((), [2, 3, 4, 5, 6, 7, 8, node("store 0 0 v2 v8")])]),
        IRLoop(1, "range", 4, 0, -1, parent=0, selectors=(1,), cases=[
            ((1,), [9, 10, 11, 12, node("outx y v9 -1 1 v12")]), ((2,), [9, 10, 13, node("outx y v9 -1 1 v13")])]),
        IRLoop(2, "range", 1, 5, 1, cases=[((), [14, 15, 21,
            IRLoop(3, "upward", 14, parent=0, cases=[((), [16, 17, 18, 20, 24, 25, node("mstore 0 v21 0 v20 0 v25")])])])]),
        node("copy m 0 True"), 22, 23, node("out z 0 v23"),
    ]  # fmt: skip
    return Program(
        "loops",
        listed,
        body,
        {"x": 4},
        {"y": (4,), "m": (4, 4), "z": ()},
        5,
        [("t", 2)],
        [("M", 4)],
        [np.arange(5.0) / 3],
        [parents, kinds],
    )


def test_every_statement_of_rolled_programs():
    x = np.random.default_rng(0).uniform(-1, 1, (11, 4))
    program = loops()
    expected = interpret(program, {"x": x})
    kernel = Kernel.of(program)
    first = made(kernel, [x], 8)
    for a, b in zip(first, expected.values(), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=4 * np.finfo(float).eps * max(1, np.abs(b).max()))
    for width in (1, 2, 4):
        assert all(a.tobytes() == b.tobytes() for a, b in zip(made(kernel, [x], width), first, strict=True))
    kept = fuse(program)
    assert len(kept.nodes) == len(program.nodes)


def echo(count, dtype="float64"):
    listed = [Node("in", (), ("x", k)) for k in range(count)]
    body = [*range(count), *(Node("out", (k,), ("y", k)) for k in range(count))]
    return Kernel.of(Program("echo", listed, body, {"x": count}, {"y": (count,)}), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 11])
def test_transposition_reads_and_writes_its_own_rows_only(count, dtype):
    kernel = echo(count, dtype)
    for rows in (1, 2, 3, 7, 8, 9, 16, 17, 33):
        memory = np.full((rows + 2, count + 3), np.nan, dtype)  # NaN all around: reading it would show
        memory[1:-1, 1 : 1 + count] = np.arange(rows * count).reshape(rows, count)
        x = memory[1:-1, 1 : 1 + count]
        around = np.full((rows + 2) * count, -5, dtype)
        for width in (1, 2, 4, 8, 16):
            y = around[count:-count].reshape(rows, count)
            y[:] = 0
            assert kernel.run([x], [y], width=width)
            assert (y == x).all()
            assert (around[:count] == -5).all()
            assert (around[-count:] == -5).all()


def test_broadcast_and_backward_rows():
    kernel, x = echo(3), np.arange(15.0).reshape(5, 3)
    y = np.empty((5, 3))
    kernel.run([np.broadcast_to(x[2], (5, 3))], [y])
    assert (y == x[2]).all()
    kernel.run([x[::-1]], [y])
    assert (y == x[::-1]).all()


def test_a_result_that_is_not_finite_is_reported():
    kernel, x, y = echo(3), np.zeros((20, 3)), np.empty((20, 3))
    assert kernel.run([x], [y])
    for value in (np.nan, np.inf, -np.inf):
        for row in (0, 7, 8, 19):
            bad = x.copy()
            bad[row, 1] = value
            assert not kernel.run([bad], [y])


def test_fusing_takes_the_later_product_and_leaves_shared_ones():
    listed = nodes(
        "in x 0 | in x 1 | mul v0 v1 | mul v0 v0 | add v2 v3 | mul v1 v1 | sub v5 v4 | add v5 v6 | sub v7 v7"
    )
    body = [*range(8), node("out y 0 v7")]
    fused = fuse(Program("f", listed, body, {"x": 2}, {"y": ()}))
    assert fused.nodes[4] == node("fma v0 v0 v2")
    assert fused.nodes[6] == node("sub v5 v4")  # the square of x[1] is needed twice
    assert 3 not in fused.body
    assert 2 in fused.body
