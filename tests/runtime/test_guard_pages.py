"""Kernels between guard pages: arrays that end where memory ends, or begin where it begins; one byte beyond is a crash, not a wrong number."""

from __future__ import annotations

import subprocess
import sys

import needs
from budget import examples

PROGRAM = """
import ctypes, mmap, random, sys
import numpy as np
import ordern

PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class Guarded:
    def __init__(self, most):
        self.pages = -(-most // PAGE)
        self.base = libc.mmap(None, (self.pages + 2) * PAGE, 3, 0x22, -1, 0)  # read and write; private, of no file
        for at in (self.base, self.base + (self.pages + 1) * PAGE):
            assert libc.mprotect(at, PAGE, 0) == 0

    def array(self, shape, dtype, end):
        size = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
        at = self.base + PAGE + (self.pages * PAGE - size if end else 0)
        buffer = (ctypes.c_char * max(size, 1)).from_address(at)
        return np.frombuffer(buffer, dtype, int(np.prod(shape, dtype=int))).reshape(shape)


rng, numbers = random.Random(0), np.random.default_rng(0)
robots = [ordern.load("planar3"), ordern.load("panda"), ordern.load("ur5", base="floating"), ordern.robots.chain(45)]
quantities = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity_forces", "kinetic_energy", "forward_kinematics"]
places = [Guarded(1 << 20) for _ in range(5)]
calls = 0
while calls < int(sys.argv[1]):
    robot, quantity, dtype = rng.choice(robots), rng.choice(quantities), rng.choice(["float64", "float32"])
    if quantity == "forward_kinematics" and robot.n > 40:
        continue
    names = {"inverse_dynamics": "qva", "forward_dynamics": "qva", "kinetic_energy": "qv"}.get(quantity, "q")
    batch = rng.choice([(), (1,), (2,), (7,), (8,), (9,), (33,), (3, 5)])
    given = []
    for k, name in enumerate(names):
        value = robot.random(numbers, batch) if name == "q" else numbers.normal(size=(*batch, robot.n))
        held = places[k].array(value.shape, dtype, rng.random() < 0.7)
        held[...] = value
        given.append(held)
    if quantity == "forward_kinematics":
        robot.forward_kinematics(*given, robot.link_names[-1])
    else:
        free = getattr(robot, quantity)(*[np.array(a) for a in given])
        if quantity != "kinetic_energy":
            out = places[4].array(free.shape, dtype, rng.random() < 0.7)
            assert getattr(robot, quantity)(*given, out=out) is out
            assert out.tobytes() == free.tobytes(), (robot.name, quantity, dtype, batch)
        else:
            assert np.asarray(getattr(robot, quantity)(*given)).tobytes() == np.asarray(free).tobytes()
    calls += 1
print("calls", calls)
# the guard guards
if len(sys.argv) > 2:
    whole = places[0].array((8,), "float64", True)
    ctypes.c_double.from_address(whole.ctypes.data + 64).value
"""


@needs.linux
def test_nothing_is_read_or_written_beyond_an_array():
    count = examples(80, 40_000)
    made = subprocess.run([sys.executable, "-c", PROGRAM, str(count)], capture_output=True, text=True)
    assert made.returncode == 0 and made.stdout == f"calls {count}\n", (made.returncode, made.stderr[-2000:])
    broken = subprocess.run([sys.executable, "-c", PROGRAM, "1", "beyond"], capture_output=True, text=True)
    assert broken.returncode < 0  # by a signal
