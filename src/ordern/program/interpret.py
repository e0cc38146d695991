"""What a Program means: runs it statement by statement on floats or NumPy arrays (one array a scalar, batch in the array)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .ir import IRLoop, Program

__all__ = ["interpret"]


def interpret(program: Program, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs are arrays (..., count); outputs are (..., *shape). Leading axes broadcast."""
    arrays = {name: np.asarray(inputs[name]) for name in program.inputs}
    batch = np.broadcast_shapes(*(a.shape[:-1] for a in arrays.values())) if arrays else ()
    dtype = np.result_type(*arrays.values()) if arrays else np.dtype(float)
    machine = _Machine(program, arrays, batch, dtype)
    with np.errstate(all="ignore"):
        machine.run(program.body)
    made = {}
    for name, shape in program.outputs.items():
        flat = machine.out[name]
        made[name] = np.moveaxis(flat, 0, -1).reshape((*batch, *shape))
    return made


class _Machine:
    def __init__(self, program: Program, arrays: dict[str, Any], batch: tuple[int, ...], dtype: Any) -> None:
        self.p, self.arrays, self.batch, self.dtype = program, arrays, batch, dtype
        self.values: dict[int, Any] = {}
        self.tables: dict[tuple[int, int, int], Any] = {}
        self.matrices = [np.zeros((n, n, *batch), dtype) for _, n in program.matrices]
        self.out = {name: np.full((int(np.prod(shape, dtype=int)), *batch), np.nan, dtype) for name, shape in program.outputs.items()}

    def run(self, body: list[Any]) -> None:
        stack: list[Any] = [iter(body)]
        while stack:
            s = next(stack[-1], None)
            if s is None:
                stack.pop()
            elif isinstance(s, int):
                self.values[s] = self.value(self.p.nodes[s])
            elif isinstance(s, tuple):
                self.act(s)
            else:
                stack.append(self.turns(s))

    def turns(self, loop: IRLoop) -> Any:
        """All statements of all turns, in order; a generator, so that nesting needs no recursion."""
        indices = self.p.indices
        k = loop.start if loop.kind == "range" else self.values[loop.start]
        while (k < loop.stop if loop.step > 0 else k > loop.stop) if loop.kind == "range" else indices[loop.parent][k] != 0:
            self.values[("loop", loop.number)] = k  # type: ignore[index]
            yield from self.case(loop, k)
            k = k + loop.step if loop.kind == "range" else int(indices[loop.parent][k])

    def case(self, loop: IRLoop, k: int) -> list[Any]:
        if len(loop.cases) == 1:
            return loop.cases[0][1]
        at = (k, int(self.p.indices[loop.parent][k]) if loop.parent >= 0 else 0)
        codes = tuple(int(self.p.indices[c][at[m]]) for m, c in enumerate(loop.selectors))
        return next((block for case, block in loop.cases if case == codes), [])

    def act(self, s: tuple[Any, ...]) -> None:
        v = self.values
        if s[0] == "store":
            self.tables[s[1], s[2], v[s[3]]] = v[s[4]]
        elif s[0] == "mstore":
            self.matrices[s[1]][v[s[2]] + s[3], v[s[4]] + s[5]] = v[s[6]]
        elif s[0] == "out":
            self.out[s[1]][s[2]] = v[s[3]]
        elif s[0] == "outx":
            self.out[s[1]][v[s[2]] * s[4] + s[3]] = v[s[5]]
        elif s[0] == "zero":
            (self.out if s[1] == "out" else self.matrices)[s[2]][...] = 0
        elif s[0] == "copy":
            m = self.matrices[s[2]]
            if s[3]:  # the lower triangle holds what is known; mirror it
                m = np.where(np.tri(m.shape[0], dtype=bool).reshape(*m.shape[:2], *[1] * len(self.batch)), m, np.swapaxes(m, 0, 1))
            self.out[s[1]][...] = m.reshape(-1, *self.batch)

    def value(self, node: tuple[Any, ...]) -> Any:
        op, v = node[0], self.values
        if op in _BINARY:
            return _BINARY[op](v[node[1]], v[node[2]])
        if op in _UNARY:
            return _UNARY[op](v[node[1]])
        if op in _FUSED:
            return _FUSED[op](v[node[1]], v[node[2]], v[node[3]])
        if op in _CHOICE:
            return _CHOICE[op](*(v[k] for k in node[1:]))
        if op == "const":
            return self.dtype.type(node[1]) if self.dtype.kind == "f" else node[1]
        if op == "in":
            return self.arrays[node[1]][..., node[2]]
        if op == "inx":
            return self.arrays[node[1]][..., v[node[2]] + node[3]]
        if op == "load":
            return self.tables[node[1], node[2], v[node[3]]]
        if op == "cload":
            return self.p.columns[node[1]][v[node[2]]]
        if op == "mload":
            return self.matrices[node[1]][v[node[2]] + node[3], v[node[4]] + node[5]].copy()
        return self.index(node)

    def index(self, node: tuple[Any, ...]) -> Any:
        op, v = node[0], self.values
        if op == "iconst":
            return node[1]
        if op == "loopvar":
            return v[("loop", node[1])]  # type: ignore[index]
        if op == "iload":
            return int(self.p.indices[node[1]][v[node[2]]])
        return v[node[1]] * node[2] + node[3] if op == "iaff" else v[node[1]] + v[node[2]]  # isum


_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}
_UNARY: dict[str, Any] = {
    "neg": lambda a: -a,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "log": np.log,
    "sincos": lambda a: (np.sin(a), np.cos(a)),
    "sin": lambda p: p[0],
    "cos": lambda p: p[1],
}
_CHOICE: dict[str, Any] = {
    "select": lambda x, a, b: np.where(x > 0, a, b),
    "least": np.minimum,
    "most": np.maximum,
}
_FUSED: dict[str, Any] = {  # rounded twice here: NumPy has no fused product, so agreement is to an ulp or so
    "fma": lambda a, b, c: a * b + c,
    "fms": lambda a, b, c: a * b - c,
    "fnma": lambda a, b, c: c - a * b,
}
