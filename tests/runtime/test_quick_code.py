"""Kernels that tests of other rooms make quickly have the bits of those that users have."""

import numpy as np
import pytest

from grid import ALGORITHMS, MODELS, given, options_of
from ordern.program.build import prepared, trace
from ordern.runtime import machine
from ordern.runtime.kernels import Kernel
from quick_code import quick, quick_code

CASES = [
    ("forward_dynamics/articulated", "mimic", None),
    ("inverse_dynamics/newton-euler", "springs", None),
    ("forward_dynamics/articulated with loops", "threerrr", None),
    ("mass_matrix_inverse/articulated", "floating", None),
    ("mass_matrix/composite", "long", True),
    ("log_det/denoc", "planar", None),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("name", "robot", "rolled"), CASES)
def test_the_bits_are_the_same(name, robot, rolled, dtype):
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    program = trace(algorithm, prepared(algorithm, model), options_of(algorithm, model), rolled=rolled)

    def run(width):
        kernel = Kernel.of(program, dtype)
        outs = [np.empty((3, size), dtype) for size in kernel.sizes]
        assert kernel.run([x.astype(dtype) for x in given(name, robot).values()], outs, width=width)
        return b"".join(out.tobytes() for out in outs)

    for width in (1, None):
        polished = run(width)
        with quick_code():
            assert run(width) == polished


def test_they_are_other_code_and_what_leads_to_kernels_is_not():
    text = Kernel.of(trace(ALGORITHMS["log_det/denoc"], MODELS["planar"])).source()
    assert quick(machine.compile_text)(text) != machine.compile_text(text)
    other = text.replace("@kernel", "@other")
    assert quick(machine.compile_text)(other) == machine.compile_text(other)
