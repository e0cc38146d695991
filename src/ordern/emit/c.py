"""Program -> self-contained C99: a source file, a header and a self-test with reference numbers.

The function handles one state, allocates nothing and calls nothing but <math.h>. What it needs between statements of a
rolled program lies in a workspace that the caller hands in, so that threads share nothing. Where the compiler has fast
fused multiply-adds (FP_FAST_FMA: gcc -mfma or -march=native), results equal those of ordern's own kernels bit for bit:
with gcc at any -O without -ffast-math, whose contraction and vectorisation of single statements a pragma turns off, and
with compilers that heed STDC FP_CONTRACT.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError
from ..program.interpret import interpret
from ..program.ir import Program
from ..program.passes import fuse
from .braces import Braces, live_nodes
from .c_math import c_number, needed

__all__ = ["c_source", "export_c"]

Compute = Callable[[Mapping[str, Any]], dict[str, Any]]  # inputs to outputs, rows of them, by name

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """auto break case char const continue default do double else enum extern float for goto if inline int
        long register restrict return short signed sizeof static struct switch typedef union unsigned void
        volatile while asm bool class complex delete export friend imaginary mutable namespace new operator
        private protected public template this throw try using virtual main fma sqrt fabs isfinite printf""",
    )
)
SAMPLES = 4
MOST_SAMPLED = 20_000  # numbers of an input in the self-test: one state of a long robot visits all of its tables
# gcc fuses products and sums by itself unless told not to (or asked for ISO C), and the vectoriser of gcc 12 fuses
# those of an alternating sum and difference even then; both round once where the program rounds twice
EXACT = (
    "#if !defined(__GNUC__) || defined(__clang__)", "#pragma STDC FP_CONTRACT OFF", "#else",
    '#pragma GCC optimize ("fp-contract=off", "no-tree-slp-vectorize")', "#endif",
)  # fmt: skip


def export_c(
    program: Program,
    name: str,
    dtype: str = "float64",
    samples: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    compute: Compute | None = None,
) -> dict[str, str]:
    """The texts of ``name.h``, ``name.c`` and ``name_test.c``.

    Args:
        program: as traced; products and sums are fused here.
        name: of the function; a C identifier.
        dtype: "float64" or "float32".
        samples: states for the self-test, (count, size) for each input; by default a few random ones.
        notes: lines for the header's comment, of plain characters.
        compute: makes the outputs that the self-test expects, in float64; by default the interpreter does, which takes
            minutes for 10,000 bodies.

    Raises:
        InputError: for a name that C cannot have, or an unknown dtype.
    """
    writer = _writer(program, name, dtype)
    given = _samples(program) if samples is None else {k: np.asarray(samples[k], float) for k in program.inputs}
    test = writer.test(given, *writer.references(given, compute))
    return {f"{name}.h": writer.header(notes), f"{name}.c": writer.source(), f"{name}_test.c": test}


def c_source(program: Program, name: str, dtype: str = "float64") -> str:
    """The text of ``name.c`` alone."""
    return _writer(program, name, dtype).source()


def _writer(program: Program, name: str, dtype: str) -> _C:
    taken = KEYWORDS | {*program.inputs, *program.outputs, "work", "check", "REAL", "FMA"}
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,60}", name) or name in taken:
        raise InputError(
            f"{name!r} cannot be the name of a C function here: letters, digits and underscores, no keyword, no "
            "argument's name"
        )
    if dtype not in ("float64", "float32"):
        raise InputError(f"dtype {dtype!r}: C code is made for 'float64' and 'float32'")
    return _C(fuse(program), name, dtype)


def _samples(program: Program) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    rows = max(1, min(SAMPLES, MOST_SAMPLED // max([1, *program.inputs.values()])))
    return {name: rng.uniform(-1, 1, (rows, count)) for name, count in program.inputs.items()}


class _C(Braces):
    real: ClassVar[str] = "const REAL"
    whole: ClassVar[str] = "const long"
    counter: ClassVar[str] = "long"

    def __init__(self, program: Program, name: str, dtype: str) -> None:
        super().__init__(program, f"{name}_numbers", f"{name}_indices")
        self.name, self.dtype = name, dtype
        self.called = {k: _C(fuse(of), f"{name}_{k}", dtype) for k, of in program.functions.items()}
        self.room: int = self.workspace + max((of.room for of in self.called.values()), default=0)
        self.type = "float" if dtype == "float32" else "double"
        self.sizes = {k: math.prod(shape) for k, shape in program.outputs.items()}

    def number(self, x: float) -> str:
        """A literal of the type."""
        return c_number(x, self.dtype)

    def call(self, op: str, arguments: list[str]) -> str:
        """Fused products go through a macro that does without where they are slow."""
        f = "f" if self.dtype == "float32" else ""
        if op == "sqrt":
            return f"sqrt{f}({arguments[0]})"
        if op in ("tanh", "log"):
            return f"{self.name}_{op}({arguments[0]})"
        a, b, c = arguments
        return f"FMA({f'-{a}' if op == 'fnma' else a}, {b}, {f'-{c}' if op == 'fms' else c})"

    def sincos(self, k: int, angle: str) -> str:
        """One call, two results."""
        return f"REAL s{k}, c{k}; {self.name}_sincos({angle}, &s{k}, &c{k});"

    def function_call(
        self, function: str, inputs: Sequence[tuple[str, str | int, int]], outputs: Sequence[tuple[str, int, int]]
    ) -> None:
        """Columns lie in one piece, so pointers do; all functions share what is behind this one's own workspace."""
        places = [
            where if isinstance(where, str) else f"work + {self.slots[where, column] * self.p.rows}"
            for _, where, column in inputs
        ]
        places += [f"work + {self.slots[table, column] * self.p.rows}" for _, table, column in outputs]
        self.line(f"bad |= {self.name}_{function}({', '.join([*places, f'work + {self.workspace}'])});")

    # --- files --------------------------------------------------------------------------------------------------------
    def _prototype(self, restrict: str = "") -> str:
        made = [f"const {self.type} *{restrict}{k}" for k in self.p.inputs] + [
            f"{self.type} *{restrict}{k}" for k in self.p.outputs
        ]
        return f"int {self.name}({', '.join([*made, f'{self.type} *{restrict}work'])})"

    def header(self, notes: Sequence[str] = ()) -> str:
        """``name.h``."""
        big = self.name.upper()
        sizes = [f"#define {big}_{k.upper()} {n}" for k, n in (self.p.inputs | self.sizes).items()]
        shapes = [
            f"   {k}: {' x '.join(map(str, shape)) or 'a number'}, row by row" for k, shape in self.p.outputs.items()
        ]
        return "\n".join([
            f"/* {self.p.name}, made by ordern. SI units, angular before linear.",
            f"   Inputs: {', '.join(f'{k}[{n}]' for k, n in self.p.inputs.items())}. Outputs:",
            *shapes,
            *(f"   {note}" for note in notes),
            f"   work: room for {big}_WORK numbers, the caller's (may be null if that is 0); "
            "what it holds means nothing before and after.",
            "   Arrays must not overlap. Returns 0, or 1 if some output is infinite or not a number. */",
            f"#ifndef {big}_H", f"#define {big}_H", "", *sizes, f"#define {big}_WORK {self.room}", "",
            "#ifdef __cplusplus", 'extern "C" {', "#endif", "", f"{self._prototype()};", "", "#ifdef __cplusplus", "}",
            "#endif", "#endif", "",
        ])  # fmt: skip

    def source(self) -> str:
        """``name.c``."""
        ops = {node.op for of in (self, *self.called.values()) for node in live_nodes(of.p)}
        fast, fma = ("FP_FAST_FMAF", "fmaf") if self.dtype == "float32" else ("FP_FAST_FMA", "fma")
        lines = [
            f"/* {self.p.name}, made by ordern; see {self.name}.h. */", f'#include "{self.name}.h"',
            "#include <math.h>", "",
            *EXACT, "", f"#define REAL {self.type}",
        ]  # fmt: skip
        if ops & {"fma", "fms", "fnma"}:
            lines += [
                f"#ifdef {fast}",
                f"#define FMA(a, b, c) {fma}(a, b, c)",
                "#else",
                "#define FMA(a, b, c) ((a) * (b) + (c))",
                "#endif",
            ]
        for of in self.called.values():
            lines += ["", *of.function("static ")]
        return "\n".join([*lines, "", *self.function(), ""])

    def function(self, kind: str = "") -> list[str]:
        """The function with its tables of constants and the mathematics it calls."""
        nodes = live_nodes(self.p)
        ops = {node.op for node in nodes}
        lines = [*needed(self.dtype, self.name, "sincos" in ops, "tanh" in ops, "log" in ops)]
        if self.columns:
            lines += _array(
                f"static const {self.type} {self.numbers}[]",
                [self.number(x) for x in self.table_of(self.columns, self.p.columns)],
            )
        if self.integers:
            lines += _array(
                f"static const long {self.indices}[]",
                [str(int(x)) for x in self.table_of(self.integers, self.p.indices)],
            )
        lines += [kind + self._prototype("restrict "), "{"]
        used = {node.arg[0] for node in nodes if node.op in ("in", "inx")} | {
            where for _, inputs, _ in self.p.calls() for _, where, _ in inputs
        }
        self.lines = [f"    (void){k};" for k in self.p.inputs if k not in used] + (
            [] if self.room else ["    (void)work;"]
        )
        self.line("int bad = 0;")
        self.block(self.p.body)
        for k, n in self.sizes.items():
            self.line(f"for (long r = 0; r < {n}; r++) bad |= !isfinite({k}[r]);")
        self.line("return bad;")
        return [*lines, *self.lines, "}"]

    def references(self, given: Mapping[str, Any], compute: Compute | None) -> tuple[dict[str, Any], dict[str, float]]:
        """The outputs to expect, and how far this precision may be off from them.

        What is allowed comes from the arithmetic itself: a hundred times what this precision loses against a wider one
        here, or, of numbers made by ``compute``, what the last digit of the inputs is worth.
        """
        kind = np.dtype(self.dtype)
        rounded = {k: v.astype(kind) for k, v in given.items()}
        if compute is None:
            wider = np.longdouble if kind.itemsize == 8 else np.float64
            exact = interpret(self.p, {k: v.astype(wider) for k, v in rounded.items()})
            other = interpret(self.p, rounded)
        else:
            exact = compute({k: v.astype(float) for k, v in rounded.items()})
            other = compute({k: np.nextafter(v, np.inf, dtype=kind).astype(float) for k, v in rounded.items()})
        allowed = {}
        for k, made in exact.items():
            scale = max(1e-300, float(np.abs(made).max(initial=0.0)))
            lost = float(np.abs(other[k] - made).max(initial=0.0))
            allowed[k] = float(max(1e3 * np.finfo(kind).eps * scale, 100 * lost))
        return exact, allowed

    def test(self, given: Mapping[str, Any], expected: Mapping[str, Any], allowed: Mapping[str, float]) -> str:
        """``name_test.c``: exit code 0 if all is well."""
        count, big = len(next(iter(given.values()))), self.name.upper()
        lines = [
            f"/* Self-test of {self.name}. */",
            f'#include "{self.name}.h"',
            "#include <math.h>",
            "#include <stdio.h>",
            "",
        ]
        for k, v in given.items():
            lines += _array(f"static const {self.type} {k}[]", [self.number(x) for x in v.ravel()])
        checks = []
        for k in self.sizes:
            numbers = [self.number(float(x)) for x in expected[k].ravel()]
            lines += _array(f"static const {self.type} expected_{k}[]", numbers)
            checks.append(
                f'        wrong |= check("{k}", made_{k}, expected_{k} + row * {big}_{k.upper()}, {big}_{k.upper()}, '
                f"{allowed[k]!r});"
            )
        arguments = [f"{k} + row * {big}_{k.upper()}" for k in given] + [f"made_{k}" for k in self.sizes] + ["work"]
        lines += [f"static {self.type} made_{k}[{big}_{k.upper()} + 1];" for k in self.sizes]
        lines += [f"static {self.type} work[{big}_WORK + 1];", _CHECK.replace("REAL", self.type)]
        lines += ["int main(void)", "{", "    int wrong = 0;", f"    for (long row = 0; row < {count}; row++) {{"]
        lines += [f"        wrong |= {self.name}({', '.join(arguments)});", *checks, "    }"]
        return "\n".join([*lines, '    puts(wrong ? "WRONG" : "all right");', "    return wrong;", "}", ""])


_CHECK = """
static int check(const char *what, const REAL *made, const REAL *expected, long size, double allowed)
{
    double worst = 0;
    for (long r = 0; r < size; r++) {
        const double error = fabs((double)made[r] - (double)expected[r]);
        if (!(error <= worst)) worst = error;
    }
    printf("%s: off by %.3g, allowed %.3g\\n", what, worst, allowed);
    return !(worst <= allowed);
}
"""


def _array(declaration: str, items: list[str]) -> list[str]:
    """An initialised array, some eight items a line; C wants at least one."""
    items = items or ["0"]
    return [f"{declaration} = {{", *(f"    {', '.join(items[k : k + 8])}," for k in range(0, len(items), 8)), "};", ""]
