"""A program as a graph of JAX operations, for devices without kernels: one vector over the batch a scalar, loops as
``lax`` loops.

XLA's fusion computes a value again for each of its users, which in a long chain of scalars grows without bound; so a
fence stands after every few statements, and what is behind it is computed once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..model.thresholds import FENCE
from ..program.interpret import PRIMITIVES, Operators
from ..program.ir import IRLoop, Node, Program, no_calls, reads

if TYPE_CHECKING:
    from jax import Array

__all__ = ["run"]


def run(program: Program, arrays: Sequence[Array]) -> list[Array]:
    """Inputs (rows or 1, count), outputs (rows, size)."""
    no_calls(program, "a JAX graph")
    rows = max(a.shape[0] for a in arrays)
    return _Graph(program, dict(zip(program.inputs, arrays, strict=True)), rows).outputs()


class _Graph:
    def __init__(self, program: Program, arrays: dict[str, Array], rows: int) -> None:
        import jax.numpy as jnp

        self.p, self.arrays, self.rows = program, arrays, rows
        self.dtype = next(iter(arrays.values())).dtype
        self.operators = _operators(self.dtype)
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
            if isinstance(s, Node):
                found[s.arg[0]][s.arg[1]] = self.values[s.src[0]]
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

    # --- values -------------------------------------------------------------------------------------------------------
    def _value(self, node: Node) -> Any:
        import jax.numpy as jnp

        (op, src, arg), v = node, self.values
        if op in self.operators.functions:
            return self.operators.functions[op](*(v[k] for k in src))
        if op == "const":
            return self.operators.constant(arg[0])
        if op == "in":
            return self.arrays[arg[0]][:, arg[1]]
        if op == "inx":
            return self.arrays[arg[0]][:, v[src[0]] + arg[1]]
        if op == "cload":
            return jnp.asarray(self.p.columns[arg[0]], self.dtype)[v[src[0]]]
        if op == "load":
            return self.state["tables"][arg[0]][v[src[0]], arg[1]]
        if op == "mload":
            return self.state["matrices"][arg[0]][v[src[0]] + arg[1], v[src[1]] + arg[2]]
        if op == "iload":
            return jnp.asarray(self.p.indices[arg[0]])[v[src[0]]]
        if op == "iaff":
            return v[src[0]] * arg[0] + arg[1]
        if op == "isum":
            return v[src[0]] + v[src[1]]
        return arg[0] if op == "iconst" else v[("loop", arg[0])]  # type: ignore[index]

    # --- programs with loops ------------------------------------------------------------------------------------------
    def _block(self, body: list[Any]) -> None:
        for s in body:
            if isinstance(s, int):
                self.values[s] = self._value(self.p.nodes[s])
            elif isinstance(s, IRLoop):
                self._loop(s)
            else:
                self._act(s)

    def _act(self, s: Node) -> None:
        import jax.numpy as jnp

        v, tables, matrices, out = self.values, self.state["tables"], self.state["matrices"], self.state["out"]
        op, src, arg = s
        if op == "store":
            tables[arg[0]] = tables[arg[0]].at[v[src[0]], arg[1]].set(v[src[1]])
        elif op == "mstore":
            matrices[arg[0]] = matrices[arg[0]].at[v[src[0]] + arg[1], v[src[1]] + arg[2]].set(v[src[2]])
        elif op == "out":
            out[arg[0]] = out[arg[0]].at[arg[1]].set(v[src[0]])
        elif op == "outx":
            out[arg[0]] = out[arg[0]].at[v[src[0]] * arg[2] + arg[1]].set(v[src[1]])
        elif op == "zero":
            held = {"out": out, "matrix": matrices, "table": tables}[arg[0]]
            held[arg[1]] = jnp.zeros_like(held[arg[1]])
        else:
            array, matrix, symmetric = arg
            m = matrices[matrix]
            if symmetric:  # the lower triangle holds what is known
                m = jnp.where(jnp.tri(m.shape[0], dtype=bool)[:, :, None], m, jnp.swapaxes(m, 0, 1))
            out[array] = m.reshape(-1, self.rows)

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

        def case(block: list[Any], k: object) -> Any:
            def body(state: object) -> Any:
                self.state, self.values = (
                    jax.tree_util.tree_map(lambda x: x, state),
                    {**outer, ("loop", loop.number): k},  # type: ignore[dict-item]
                )
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
                fits = [
                    jnp.stack([code == want for code, want in zip(codes, wants, strict=True)]).all()
                    for wants, _ in loop.cases
                ]
                chosen = jnp.argmax(jnp.stack([*fits, jnp.asarray(True)]))
                state = jax.lax.switch(
                    chosen, [*(case(block, k) for _, block in loop.cases), lambda state: state], state
                )
            return (k + loop.step if loop.kind == "range" else parents[k]), state  # type: ignore[index]

        _, self.state = jax.lax.while_loop(go_on, turn, (jnp.asarray(start), self.state))
        self.values = outer


def _last_uses(program: Program) -> dict[int, int]:
    """The last statement of a straight program that reads each node."""
    last: dict[int, int] = {}
    for at, s in enumerate(program.body):
        for k in reads(program.nodes, s):
            last[k] = at
    return last


def _operators(dtype: object) -> Operators:
    """What JAX's arrays do; sine and cosine are two functions of the angle."""
    import jax.numpy as jnp

    return PRIMITIVES.changed(
        lambda x: jnp.asarray(x, dtype), sqrt=jnp.sqrt, tanh=jnp.tanh, log=jnp.log, sincos=lambda a: a, sin=jnp.sin,
        cos=jnp.cos,
        select=lambda x, a, b: jnp.where(x > 0, a, b), least=jnp.minimum, most=jnp.maximum,
    )  # fmt: skip
