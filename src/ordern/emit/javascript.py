"""Program -> JavaScript: one function of arrays, for pages that compute live."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from ..program.ir import Program
from .braces import Braces

__all__ = ["javascript"]


class _JavaScript(Braces):
    real: ClassVar[str] = "const"
    whole: ClassVar[str] = "const"
    counter: ClassVar[str] = "let"
    equal: ClassVar[str] = "==="

    def number(self, x: float) -> str:
        """The shortest literal that reads back as the same number."""
        text = repr(float(x))
        return text[:-2] if text.endswith(".0") else text

    def call(self, op: str, arguments: list[str]) -> str:
        """JavaScript has no fused product: it is rounded twice here."""
        if op in ("sqrt", "tanh", "log"):
            return f"Math.{op}({arguments[0]})"
        a, b, c = arguments
        return {"fma": f"{a} * {b} + {c}", "fms": f"{a} * {b} - {c}", "fnma": f"{c} - {a} * {b}"}[op]

    def sincos(self, k: int, angle: str) -> str:
        """Both by themselves."""
        return f"const s{k} = Math.sin({angle}), c{k} = Math.cos({angle});"

    def function_call(
        self, function: str, inputs: Sequence[tuple[str, str | int, int]], outputs: Sequence[tuple[str, int, int]]
    ) -> None:
        """Columns go in as views; what comes out is copied there."""
        of, rows = self.p.functions[function], self.p.rows
        given = []
        for name, where, column in inputs:
            at = 0 if isinstance(where, str) else self.slots[where, column] * rows
            given.append(where if isinstance(where, str) else f"work.subarray({at}, {at + of.inputs[name]})")
        self.line(f"{{ const made = {function}({', '.join(given)});")
        for name, table, column in outputs:
            self.line(f"work.set(made.{name}, {self.slots[table, column] * rows});")
        self.line("}")


def javascript(program: Program) -> str:
    """A function expression: takes the program's inputs as arrays, returns an object of Float64Arrays by output name.

    Constants and the workspace are made once, when the expression is evaluated.
    """
    w = _JavaScript(program, "numbers", "indices")
    for name, shape in program.outputs.items():
        w.line(f"const {name} = new Float64Array({math.prod(shape)});")
    w.block(program.body)
    w.line(f"return {{{', '.join(program.outputs)}}};")
    function = "\n".join([f"function ({', '.join(program.inputs)}) {{", *w.lines, "}"])
    kept = [f"const {called} = {javascript(of)};" for called, of in program.functions.items()]
    if w.columns:
        kept.append(
            "const numbers = new "
            f"Float64Array([{', '.join(w.number(x) for x in w.table_of(w.columns, program.columns))}]);"
        )
    if w.integers:
        kept.append(
            "const indices = new "
            f"Int32Array([{', '.join(str(int(x)) for x in w.table_of(w.integers, program.indices))}]);"
        )
    if w.workspace:
        kept.append(f"const work = new Float64Array({w.workspace});")
    return "\n".join(["(function () {", '"use strict";', *kept, f"return {function};", "})()"])
