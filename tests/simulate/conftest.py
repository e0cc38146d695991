"""Simulations without machine code, where that is not what is tested: an example takes milliseconds then."""

from __future__ import annotations

import pytest

from ordern.program.interpret import interpret
from ordern.simulate import numpy_engine as reference


@pytest.fixture
def interpreted(monkeypatch):
    """The NumPy engine without any machine code."""

    class Kernel:
        def __init__(self, key, make, inputs, outputs):
            self.program, self.names, self.outputs = make(), list(inputs), outputs

        def run(self, arrays, outs):
            made = interpret(self.program, dict(zip(self.names, arrays, strict=True)))
            for out, name in zip(outs, self.outputs, strict=True):
                out[...] = made[name]

    monkeypatch.setattr(reference, "compiled", Kernel)
    monkeypatch.setattr(reference, "_KEPT", {})
