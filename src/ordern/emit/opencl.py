"""Program -> OpenCL C and CUDA C: one work-item or thread a state, the same operations in the same order as the kernels
of processors.

Arrays have one state after the other, (count, n); with NAME_COLUMNS defined they have one number of all states after
the other, (n, count), which devices read faster. Loops keep what they need between statements in ``work``, NAME_WORK
numbers a state. Sine, cosine and tanh are ordern's own, so that results do not depend on a vendor's.
"""

from __future__ import annotations

import math
import re
from typing import ClassVar

from ..errors import InputError
from ..program.ir import Node, Program
from ..program.passes import fuse
from .braces import Braces, live_nodes
from .c import KEYWORDS
from .c_math import c_number, needed

__all__ = ["cuda", "opencl"]


def opencl(program: Program, name: str, dtype: str = "float64") -> str:
    """A source file with the kernel ``name``."""
    return _Device(program, name, dtype, "opencl").source()


def cuda(program: Program, name: str, dtype: str = "float64") -> str:
    """A source file with the kernel ``name`` (extern "C", so that its name stays)."""
    return _Device(program, name, dtype, "cuda").source()


class _Device(Braces):
    real: ClassVar[str] = "const REAL"
    whole: ClassVar[str] = "const int"
    counter: ClassVar[str] = "int"

    def __init__(self, program: Program, name: str, dtype: str, language: str) -> None:
        taken = KEYWORDS | {
            *program.inputs,
            *program.outputs,
            "work",
            "count",
            "state",
            "kernel",
            "global",
            "constant",
            "local",
            "private",
            "half",
        }
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,60}", name) or name in taken:
            raise InputError(
                f"{name!r} cannot be the name of a kernel here: letters, digits and underscores, no keyword, no "
                "argument's name"
            )
        if dtype not in ("float64", "float32"):
            raise InputError(f"dtype {dtype!r}: kernels are written for 'float64' and 'float32'")
        super().__init__(fuse(program), f"{name}_numbers", f"{name}_indices")
        self.name, self.dtype, self.language = name, dtype, language
        self.type = "float" if dtype == "float32" else "double"
        self.sizes = {k: math.prod(shape) for k, shape in program.outputs.items()}

    # --- what languages differ in -------------------------------------------------------------------------------------
    def number(self, x: float) -> str:
        """A literal of the type."""
        return c_number(x, self.dtype)

    def call(self, op: str, arguments: list[str]) -> str:
        """Devices have fused products."""
        f = "f" if self.dtype == "float32" and self.language == "cuda" else ""
        if op in ("tanh", "log"):
            return f"{self.name}_{op}({arguments[0]})"
        if op == "sqrt":
            return f"sqrt{f}({arguments[0]})"
        a, b, c = arguments
        return f"fma{f}({f'-{a}' if op == 'fnma' else a}, {b}, {f'-{c}' if op == 'fms' else c})"

    def sincos(self, k: int, angle: str) -> str:
        """One call, two results."""
        return f"REAL s{k}, c{k}; {self.name}_sincos({angle}, &s{k}, &c{k});"

    def _cell_of(self, array: str, index: str) -> str:
        """An element of the present state."""
        size = self.p.inputs[array] if array in self.p.inputs else self.sizes[array]
        return f"{array}[AT({index}, {size})]"

    def _read(self, node: Node) -> str:
        text = super()._read(node)
        return self._cell_of(node.arg[0], text[len(node.arg[0]) + 1 : -1]) if node.op in ("in", "inx") else text

    def _table(self, table: int, column: int, row: str) -> str:
        return _kept(super()._table(table, column, row))

    def _matrix(self, matrix: int, row: str, column: str) -> str:
        return _kept(super()._matrix(matrix, row, column))

    def line(self, text: str) -> None:
        """One line; what is written to an output goes to the present state's place."""
        found = re.match(r"(.*?)\b(out\w*)\[([^\[\]]*)\] = (.*)$", text)
        while found and found[2] in self.sizes:
            text = f"{found[1]}{self._cell_of(found[2], found[3])} = {found[4]}"
            rest = re.match(r"(out\w*)\[([^\[\]]*)\] = (.*)$", found[4])  # of a symmetric matrix both halves at once
            if rest and rest[1] in self.sizes:
                text = f"{found[1]}{self._cell_of(found[2], found[3])} = {self._cell_of(rest[1], rest[2])} = {rest[3]}"
            break
        super().line(text)

    # --- the file -----------------------------------------------------------------------------------------------------
    def source(self) -> str:
        """The whole file."""
        big, cl = self.name.upper(), self.language == "opencl"
        ops = {node.op for node in live_nodes(self.p)}
        space, constant = ("__global ", "__constant") if cl else ("", "static __device__ const")
        arguments = [f"{space}const {self.type} *restrict {k}" for k in self.p.inputs] + [
            f"{space}{self.type} *restrict {k}" for k in self.p.outputs
        ]
        arguments += [f"{space}{self.type} *restrict work", "const unsigned long count"]
        lines = [
            f"/* {self.p.name}, made by ordern. SI units, angular before linear. One work-item a state.",
            f"   Inputs: {', '.join(f'{k}[{n}]' for k, n in self.p.inputs.items())}.",
            *(
                f"   {k}: {' x '.join(map(str, shape)) or 'a number'}, row by row"
                for k, shape in self.p.outputs.items()
            ),
            f"   work: {self.workspace} numbers a state. Arrays are (count, n), or (n, count) where {big}_COLUMNS is "
            "defined.",
            "   Products and sums are fused where that is written; let the compiler fuse no others (nvcc: "
            "-fmad=false). */",
        ]
        if cl:
            lines += ["#pragma OPENCL FP_CONTRACT OFF"]
            lines += (
                ["#pragma OPENCL EXTENSION cl_khr_fp64 : enable"] if self.dtype == "float64" or "sincos" in ops else []
            )
        lines += [
            f"#define REAL {self.type}",
            f"#define {big}_WORK {self.workspace}",
            "#define KEEP(k) ((unsigned long)(k) * count + state)",
        ]
        lines += [f"#ifdef {big}_COLUMNS", "#define AT(k, n) ((unsigned long)(k) * count + state)", "#else"]
        lines += ["#define AT(k, n) (state * (n) + (k))", "#endif", "", *self._functions(ops)]
        if self.columns:
            lines.append(
                f"{constant} {self.type} {self.numbers}[] = "
                f"{{{_wrapped([self.number(x) for x in self.table_of(self.columns, self.p.columns)])}}};"
            )
        if self.integers:
            lines.append(
                f"{constant} int {self.indices}[] = "
                f"{{{_wrapped([str(int(x)) for x in self.table_of(self.integers, self.p.indices)])}}};"
            )
        head = "__kernel void" if cl else 'extern "C" __global__ void'
        self.lines = []
        self.line(
            "const unsigned long state = "
            f"{'get_global_id(0)' if cl else '(unsigned long)blockIdx.x * blockDim.x + threadIdx.x'};"
        )
        self.line("if (state >= count) return;")
        self.block(self.p.body)
        text = "\n".join([*lines, f"{head} {self.name}({', '.join(arguments)})", "{", *self.lines, "}", ""])
        return text if cl else text.replace("*restrict ", "*__restrict__ ")

    def _functions(self, ops: set[str]) -> list[str]:
        """Sine, cosine, tanh and logarithm as C has them, in this language's words."""
        text = "\n".join(needed(self.dtype, self.name, "sincos" in ops, "tanh" in ops, "log" in ops))
        if self.language == "cuda":
            return re.sub(r"^static (?!const)", "static __device__ ", text, flags=re.M).splitlines()
        text = (
            text.replace("unsigned long long", "ulong")
            .replace("ULL", "UL")
            .replace("fmaf(", "fma(")
            .replace("fabsf(", "fabs(")
        )
        found = re.search(r"^ *static const ulong table\[\] = (\{[^}]*\});\n", text, re.M)
        if found:  # constants lie outside of functions in OpenCL C
            table = f"{self.name}_two_over_pi"
            text = f"__constant ulong {table}[] = {found[1]};\n" + text.replace(found[0], "").replace(
                "table[", f"{table}["
            )
        return text.splitlines()


def _kept(text: str) -> str:
    """work[k] -> the k-th number of the present state."""
    return f"work[KEEP({text[5:-1]})]"


def _wrapped(items: list[str]) -> str:
    return ",\n    ".join(", ".join(items[k : k + 8]) for k in range(0, len(items), 8))
