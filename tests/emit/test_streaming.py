"""Results that go past the caches, line by line: the same bytes as those that are written plainly."""

from __future__ import annotations

import numpy as np
import pytest

import needs
import robots
from grid import ALGORITHMS, arguments
from ordern.emit.llvm import driver
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import LINE, Lanes, streamable
from ordern.program.build import guarded, prepared, trace
from ordern.robot import Robot
from ordern.runtime import fast_entry, kernels
from ordern.runtime.call import Call
from ordern.runtime.kernels import Kernel
from ordern.runtime.machine import native_lanes

LEGGED = robots.tree(
    ["floating"] + ["revolute"] * 14, [0, 1, 2, 3, 4, 5, 6, 1, 8, 9, 10, 11, 1, 13, 14], 7, name="legged"
)  # n = 20, branches leave zeros
ODDLY = robots.tree(
    ["floating"] + ["revolute"] * 12, [0, 1, 2, 3, 4, 5, 6, 1, 8, 9, 10, 11, 12], 8, name="oddly"
)  # n = 18: rows end in the middle of a line


def aligned(shape, dtype):
    block = np.full(int(np.prod(shape)) * np.dtype(dtype).itemsize + 2 * LINE, 255, np.uint8)
    start = -block.ctypes.data % LINE
    return block[start : start + block.nbytes - 2 * LINE].view(dtype).reshape(shape)


CASES = [("mass_matrix/composite", robot, dtype) for robot in ("legged", "oddly") for dtype in ("float64", "float32")]
CASES += [
    ("mass_matrix_inverse/denoc", "legged", "float32"),
    ("inverse_dynamics_derivatives/body-frames", "oddly", "float64"),
    ("forward_dynamics_derivatives/recursive", "legged", "float32"),  # in loops
    ("forward_dynamics_derivatives/recursive", "oddly", "float64"),
]


@needs.lines
@pytest.mark.parametrize(("name", "robot", "dtype"), CASES)
def test_same_bytes(name, robot, dtype):
    model = {"legged": LEGGED, "oddly": ODDLY}[robot]
    call = Call(model, ALGORITHMS[name])
    loops = call.algorithm.quantity == "forward_dynamics_derivatives"
    program = trace(call.algorithm, prepared(call.algorithm, model), rolled=True) if loops else call.program()
    assert program.straight != loops
    kernel = Kernel.of(guarded(program), dtype)
    assert streamable(kernel.sizes, native_lanes(dtype))
    assert "align 64, !nontemporal" in lower(kernel.program(), native_lanes(dtype), lines=True).text
    given = [np.ascontiguousarray(a, dtype) for a in arguments(call.algorithm, model, (37,)).values()]
    plain = [np.empty((37, size), dtype) for size in kernel.sizes]
    kernel.run(given, plain)
    kernel._made[kernel.width()] = kernel._load(kernel.width(), lines=True)
    for rows in (16, 37):  # whole blocks, and one of fewer rows at the end
        sent = [aligned((rows, size), dtype) for size in kernel.sizes]
        assert kernel.run([a[:rows] for a in given], sent)
        for a, b in zip(plain, sent, strict=True):
            assert a[:rows].tobytes() == b.tobytes()
    given[0][36, -1] = np.nan
    assert not kernel.run(given, sent)  # the result says so


def test_only_whole_registers():
    assert streamable([324, 1444], Lanes(8)) and streamable([1444], Lanes(16, "float32"))
    assert not streamable([49], Lanes(8))  # every row would begin at another place of a line
    assert not streamable([4], Lanes(8)) and not streamable([1444], Lanes(4))


@needs.lines
def test_chosen_where_it_pays(monkeypatch):
    for module in (kernels, fast_entry, driver):
        monkeypatch.setattr(module, "STREAMED", 2**16)
    monkeypatch.setattr(kernels, "WIDE_ROW", 1024)
    robot, rng = Robot(LEGGED), np.random.default_rng(0)
    call = Call(LEGGED, ALGORITHMS["mass_matrix/composite"])
    kernel, q = call.kernel(), robot.random(rng, (100,))
    few = call([q[:15]])
    assert kernel._lines is None
    many = call([q])  # 320 kB
    assert kernel._lines is not None
    assert many[:15].tobytes() == few.tobytes()
    anywhere = np.empty(q.shape[0] * 400 + 1)[1:].reshape(
        100, 20, 20
    )  # not at a whole line, most likely; right in any case
    assert call([q], out=anywhere).tobytes() == many.tobytes()
