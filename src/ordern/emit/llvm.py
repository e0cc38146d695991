"""Program -> LLVM text, W states side by side.

The module has one function for callers and one that handles a block of W rows:

    i32 @kernel(ptr inputs, ptr strides, ptr outputs, ptr workspace, i64 first, i64 last)

Input k is a row-major array with ``strides[k]`` numbers from row to row (0 for a row that serves all states); outputs are contiguous. The
last block's lanes beyond the last row repeat that row: they read nothing else and write the same bytes twice. The result is 1 if
some output is NaN or infinite. No operation is reassociated or contracted, and lanes never meet, so a state's bytes do not depend on W.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..program.ir import Program
from .block import Block
from .lanes import Lanes, Writer
from .loops import Rolled
from .mathcode import mend_code, tanh_code
from .straight import Long, Short

__all__ = ["Lowered", "lower"]

_STACK = 2**17  # bytes of workspace that a kernel takes from the stack
_SHORT = 1200  # statements


@dataclass(frozen=True)
class Lowered:
    """LLVM text and what it needs."""

    text: str
    workspace: int  # bytes for each thread, aligned to 64
    loops: bool


def lower(program: Program, lanes: Lanes, registers: int = 32) -> Lowered:
    """The module; ``registers`` is how many vectors the processor holds."""
    block: Block
    if not program.straight:
        block = Rolled(program, lanes)
    elif len(program.body) <= _SHORT:
        block = Short(program, lanes)
    else:
        block = Long(program, lanes, registers - 6)  # some are needed for constants and intermediate results
    block.run()
    space = block.slots * lanes.width * lanes.bytes
    stack = space if space <= _STACK else 0
    t, s, e = lanes.type, lanes.suffix, lanes.element
    parts = [
        *block.globals,
        _driver(program, lanes, stack),
        "\n".join(block.w.opened()),
        mend_code(lanes),
        tanh_code(lanes),
        f"declare {t} @llvm.fma.{s}({t}, {t}, {t})",
        f"declare {t} @llvm.sqrt.{s}({t})",
        f"declare {t} @llvm.fabs.{s}({t})",
        "" if lanes.width == 1 else f"declare {e} @llvm.fabs.f{8 * lanes.bytes}({e})",
        "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        'attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }',
        '!0 = !{!"branch_weights", i32 1, i32 100000}',
    ]
    return Lowered("\n".join(p for p in parts if p) + "\n", space - stack, not program.straight)


def _driver(program: Program, lanes: Lanes, stack: int) -> str:
    """The loop over blocks; ``frame`` holds, for the block, each input's address and stride and each output's address."""
    w, e = Writer(lanes), lanes.element
    w.lines.append("define i32 @kernel(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 %first, i64 %last) #0 {")
    w.label("entry")
    ni, no = len(program.inputs), len(program.outputs)
    w.let(f"alloca [{2 * ni + no} x i64], align 8", "%frame")
    space = w.let(f"alloca [{stack} x i8], align 64", "%stack") if stack else "%workspace"
    w.line("br label %head")
    w.label("head")
    w.let("phi i64 [ %first, %entry ], [ %next, %body ]", "%row")
    w.let("phi i32 [ 0, %entry ], [ %flag2, %body ]", "%flag")
    w.let("icmp slt i64 %row, %last", "%more")
    w.line("br i1 %more, label %body, label %end")
    w.label("body")
    for k in range(ni):
        base = w.load("ptr", w.at("ptr", "%inputs", k), 8)
        stride = w.load("i64", w.at("i64", "%strides", k), 8)
        at = w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 %row, {stride}')}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', 2 * k)}, align 8")
        w.line(f"store i64 {stride}, ptr {w.at('i64', '%frame', 2 * k + 1)}, align 8")
    for k, shape in enumerate(program.outputs.values()):
        base = w.load("ptr", w.at("ptr", "%outputs", k), 8)
        at = w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 %row, {math.prod(shape)}')}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', 2 * ni + k)}, align 8")
    valid = w.let("sub i64 %last, %row")
    flag = w.let(f"call i32 @block(ptr %frame, ptr {space}, i64 {valid})")
    w.let(f"or i32 %flag, {flag}", "%flag2")
    w.let(f"add i64 %row, {lanes.width}", "%next")
    w.line("br label %head")
    w.label("end")
    w.line("ret i32 %flag")
    w.lines.append("}")
    return "\n".join(w.lines)
