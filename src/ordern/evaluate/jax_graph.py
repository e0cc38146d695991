"""A program as a graph of JAX operations, for devices without kernels: one vector over the batch a scalar, loops as ``lax`` loops.

XLA's fusion computes a value again for each of its users, which in a long chain of scalars grows without bound; so a fence stands after every
few statements, and what is behind it is computed once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..program.ir import IRLoop, Program, operands
from ..program.passes import used_by

__all__ = ["run"]

Array = Any
FENCE = 48  # statements between two fences: fewer leave little to fuse, more are computed again


def run(program: Program, arrays: Sequence[Array]) -> list[Array]:
    """Inputs (rows or 1, count), outputs (rows, size)."""
    rows = max(a.shape[0] for a in arrays)
    return _Graph(program, dict(zip(program.inputs, arrays, strict=True)), rows).outputs()


class _Graph:
    def __init__(self, program: Program, arrays: dict[str, Array], rows: int) -> None:
        import jax.numpy as jnp

        self.p, self.arrays, self.rows = program, arrays, rows
        self.dtype = next(iter(arrays.values())).dtype
        self.values: dict[int, Any] = {}
        widths = [width for _, width in program.tables]
        self.state: dict[str, Any] = {
            "tables": [jnp.zeros((program.rows, width, rows), self.dtype) for width in widths],
            "matrices": [jnp.zeros((n, n, rows), self.dtype) for _, n in program.matrices],
            "out": {name: jnp.zeros((math.prod(shape), rows), self.dtype) for name, shape in program.outputs.items()},
        }

    def outputs(self) -> list[Array]:
        import jax.numpy as jnp

        if not self.p.straight:
            self._block(self.p.body)
            return [self.state["out"][name].T for name in self.p.outputs]
        found: dict[str, dict[int, Any]] = {name: {} for name in self.p.outputs}
        last = _last_uses(self.p)
        alive: dict[int, Any] = {}
        for at, s in enumerate(self.p.body):
            if isinstance(s, tuple):
                found[s[1]][s[2]] = self.values[s[3]]
                continue
            self.values[s] = alive[s] = self._value(self.p.nodes[s])
            if at % FENCE == FENCE - 1:
                alive = self._fenced({k: v for k, v in alive.items() if last.get(k, -1) > at})
        full = {name: [jnp.broadcast_to(row[k], (self.rows,)) for k in range(len(row))] for name, row in found.items()}
        return [jnp.stack(full[name], axis=1).astype(self.dtype) for name in self.p.outputs]

    def _fenced(self, alive: dict[int, Any]) -> dict[int, Any]:
        import jax

        keys = [k for k, v in alive.items() if not isinstance(v, float)]
        made = dict(zip(keys, jax.lax.optimization_barrier([alive[k] for k in keys]), strict=True))
        self.values.update(made)
        return made

    # --- values --------------------------------------------------------------------------------------------------------------------
    def _value(self, node: tuple[Any, ...]) -> Any:
        import jax.numpy as jnp

        op, v = node[0], self.values
        if op in _BINARY:
            return _BINARY[op](v[node[1]], v[node[2]])
        if op == "neg":
            return -v[node[1]]
        if op in ("sqrt", "tanh", "log"):
            return getattr(jnp, op)(v[node[1]])
        if op == "sincos":
            return v[node[1]]
        if op in ("sin", "cos"):
            return getattr(jnp, op)(v[node[1]])
        if op == "select":
            return jnp.where(v[node[1]] > 0, v[node[2]], v[node[3]])
        if op in ("least", "most"):
            return (jnp.minimum if op == "least" else jnp.maximum)(v[node[1]], v[node[2]])
        if op == "const":
            return jnp.asarray(node[1], self.dtype)
        if op == "in":
            return self.arrays[node[1]][:, node[2]]
        if op == "inx":
            return self.arrays[node[1]][:, v[node[2]] + node[3]]
        if op == "cload":
            return jnp.asarray(self.p.columns[node[1]], self.dtype)[v[node[2]]]
        if op == "load":
            return self.state["tables"][node[1]][v[node[3]], node[2]]
        if op == "mload":
            return self.state["matrices"][node[1]][v[node[2]] + node[3], v[node[4]] + node[5]]
        if op == "iload":
            return jnp.asarray(self.p.indices[node[1]])[v[node[2]]]
        if op == "iaff":
            return v[node[1]] * node[2] + node[3]
        if op == "isum":
            return v[node[1]] + v[node[2]]
        return node[1] if op == "iconst" else v[("loop", node[1])]  # type: ignore[index]

    # --- programs with loops ---------------------------------------------------------------------------------------------------
    def _block(self, body: list[Any]) -> None:
        for s in body:
            if isinstance(s, int):
                self.values[s] = self._value(self.p.nodes[s])
            elif isinstance(s, IRLoop):
                self._loop(s)
            else:
                self._act(s)

    def _act(self, s: tuple[Any, ...]) -> None:
        import jax.numpy as jnp

        v, tables, matrices, out = self.values, self.state["tables"], self.state["matrices"], self.state["out"]
        if s[0] == "store":
            tables[s[1]] = tables[s[1]].at[v[s[3]], s[2]].set(v[s[4]])
        elif s[0] == "mstore":
            matrices[s[1]] = matrices[s[1]].at[v[s[2]] + s[3], v[s[4]] + s[5]].set(v[s[6]])
        elif s[0] == "out":
            out[s[1]] = out[s[1]].at[s[2]].set(v[s[3]])
        elif s[0] == "outx":
            out[s[1]] = out[s[1]].at[v[s[2]] * s[4] + s[3]].set(v[s[5]])
        elif s[0] == "zero":
            held = {"out": out, "matrix": matrices, "table": tables}[s[1]]
            held[s[2]] = jnp.zeros_like(held[s[2]])
        else:
            m = matrices[s[2]]
            if s[3]:  # the lower triangle holds what is known
                m = jnp.where(jnp.tri(m.shape[0], dtype=bool)[:, :, None], m, jnp.swapaxes(m, 0, 1))
            out[s[1]] = m.reshape(-1, self.rows)

    def _loop(self, loop: IRLoop) -> None:
        """A ``while`` whose state is everything that is stored."""
        import jax
        import jax.numpy as jnp

        parents = None if loop.parent < 0 else jnp.asarray(self.p.indices[loop.parent])
        outer = dict(self.values)
        start = loop.start if loop.kind == "range" else self.values[loop.start]

        def go_on(held: tuple[Any, Any]) -> Any:
            k = held[0]
            if loop.kind == "range":
                return k < loop.stop if loop.step > 0 else k > loop.stop
            return parents[k] != 0  # type: ignore[index]

        def case(block: list[Any], k: Any) -> Any:
            def body(state: Any) -> Any:
                self.state, self.values = jax.tree_util.tree_map(lambda x: x, state), {**outer, ("loop", loop.number): k}  # type: ignore[dict-item]
                self._block(block)
                return self.state

            return body

        def turn(held: tuple[Any, Any]) -> tuple[Any, Any]:
            k, state = held
            if len(loop.cases) == 1:
                state = case(loop.cases[0][1], k)(state)
            else:
                at = (k, parents[k] if parents is not None else 0)
                codes = [jnp.asarray(self.p.indices[c])[at[m]] for m, c in enumerate(loop.selectors)]
                fits = [jnp.stack([code == want for code, want in zip(codes, wants, strict=True)]).all() for wants, _ in loop.cases]
                chosen = jnp.argmax(jnp.stack([*fits, jnp.asarray(True)]))
                state = jax.lax.switch(chosen, [*(case(block, k) for _, block in loop.cases), lambda state: state], state)
            return (k + loop.step if loop.kind == "range" else parents[k]), state  # type: ignore[index]

        _, self.state = jax.lax.while_loop(go_on, turn, (jnp.asarray(start), self.state))
        self.values = outer


def _last_uses(program: Program) -> dict[int, int]:
    """The last statement of a straight program that reads each node."""
    last: dict[int, int] = {}
    for at, s in enumerate(program.body):
        for k in operands(program.nodes[s]) if isinstance(s, int) else used_by(s):
            last[k] = at
    return last


_BINARY: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}
