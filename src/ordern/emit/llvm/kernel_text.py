"""Program -> LLVM text, W states side by side.

The module has one function for callers and one that handles a block of W rows:

    i32 @kernel(ptr inputs, ptr strides, ptr outputs, ptr workspace, i64 first, i64 last)

Input k is a row-major array with ``strides[k]`` numbers from row to row (0 for a row that serves all states); outputs
are contiguous. The last block's lanes beyond the last row repeat that row: they read nothing else and write the same
bytes twice. The result is 1 if some output is NaN or infinite. No operation is reassociated or contracted, and lanes
never meet, so a state's bytes do not depend on W.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...model.thresholds import ONE_PIECE, WIDE_ROW
from ...program.ir import Program, no_calls
from .beginning import BEGINNING, beginning, split
from .block import BlockText
from .column_text import InVectors
from .driver import Way, driver, stream_code
from .lanes import LINE, Lanes
from .mathcode import math_code, vector_math
from .paired_text import Paired, worth_pairing
from .rolled_text import Rolled
from .streaming import Streaming
from .unrolled_text import Alone, Long, Short

__all__ = ["Lowered", "lower"]

_STACK = 2**18  # bytes of workspace that a kernel takes from the stack
SPARE = 6  # registers that constants and intermediate results need


@dataclass(frozen=True)
class Lowered:
    """LLVM text and what it needs."""

    text: str
    workspace: int  # bytes for each thread, aligned to 64
    loops: bool
    begins: str = ""  # what it calls before its loops: a module by itself, as it should run


def lower(program: Program, lanes: Lanes, registers: int = 32, lines: bool = False, columns: bool = False) -> Lowered:
    """The module.

    Args:
        program: what to run.
        lanes: how many states side by side.
        registers: how many vectors the processor holds.
        lines: for outputs that begin at whole lines of memory and are too large for the caches (``streamable``).
        columns: for arrays (count, rows), a number of all states side by side.
    """
    no_calls(program, "a kernel")
    block: BlockText
    before: Long | None = None
    if not program.straight:
        text, rest = split(program) or (None, program)
        block = InVectors(rest, lanes) if lanes.width == 1 and not columns else Rolled(rest, lanes, lines)
        if text is not None:
            before = beginning(text, block, lanes, registers - SPARE, columns)
            before.transposed = columns
            before.run()
            block.take(before.slots - block.slots)
    elif len(program.body) <= ONE_PIECE:
        block = Short(program, lanes)
    elif lanes.width == 1 and not columns and (found := worth_pairing(program)):
        block = Paired(program, lanes, registers - SPARE, *found)
    else:
        way_out = Streaming if lines else Alone if lanes.width == 1 and not columns else Long
        block = way_out(program, lanes, registers - SPARE)
    block.transposed = columns
    block.run()
    row = sum(math.prod(shape) for shape in program.outputs.values()) * lanes.bytes
    streams = isinstance(block, Streaming) or (isinstance(block, Rolled) and block.lines)
    way = Way.LINES if streams else Way.PLAIN
    if isinstance(block, Long) and not columns and way == Way.PLAIN and row >= WIDE_ROW and lanes.width > 1:
        way = Way.COPIED
    scratch = -(-block.slots * lanes.width * lanes.bytes // LINE) * LINE
    space = scratch + (row * lanes.width if way != Way.PLAIN else 0)
    stack = space if space <= _STACK else 0
    around = [driver(program, lanes, stack, scratch, way, columns), stream_code(lanes) if way == Way.COPIED else ""]
    if before is not None:
        around.append(f"declare i32 @{BEGINNING}(ptr, ptr, i64)")
    begins = "" if before is None else _module(before, lanes, [])
    return Lowered(_module(block, lanes, around), space - stack, not program.straight, begins)


def _module(block: BlockText, lanes: Lanes, around: list[str]) -> str:
    t, s, e = lanes.type, lanes.suffix, lanes.element
    code = "\n".join(block.w.opened())
    parts = [
        *block.globals,
        *around,
        code,
        *math_code(lanes, code),
        f"declare {t} @llvm.fma.{s}({t}, {t}, {t})",
        f"declare {t} @llvm.sqrt.{s}({t})",
        f"declare {t} @llvm.fabs.{s}({t})",
        *vector_math(lanes),
        "" if lanes.width == 1 else f"declare {e} @llvm.fabs.f{8 * lanes.bytes}({e})",
        "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        'attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }',
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        '!0 = !{!"branch_weights", i32 1, i32 100000}',
        "!1 = !{i32 1}",
    ]
    return "\n".join(dict.fromkeys(p for p in parts if p)) + "\n"
