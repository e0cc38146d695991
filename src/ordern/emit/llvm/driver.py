"""The function callers see: the loop over blocks, and the way of large outputs past the caches."""

from __future__ import annotations

import math
from enum import Enum

from ...model.thresholds import STREAMED
from ...program.ir import Program
from .lanes import Lanes, Writer

__all__ = ["Way", "driver", "stream_code"]


class Way(Enum):
    """How results reach the caller's arrays."""

    PLAIN = "written where they belong"
    COPIED = "put together in the workspace and copied past the caches, if the call has very many"
    LINES = (
        "sent past the caches by the block itself, line by line; a last block of fewer rows goes through the workspace"
    )


def driver(program: Program, lanes: Lanes, stack: int, scratch: int, way: Way, columns: bool = False) -> str:
    """The loop over blocks; ``frame`` holds, for the block, each input's address and stride and each output's address.

    Args:
        program: what to run.
        lanes: how.
        stack: bytes of workspace to take from the stack; 0 for the caller's.
        scratch: where in the workspace the rows of a block may be put together.
        way: when they are.
        columns: whether arrays hold a number of all states side by side. ``strides`` then has the distances of columns,
            of inputs and outputs, and a last block of fewer rows is moved back over rows that are done already: there
            must be as many rows as lanes.
    """
    w = Writer(lanes)
    w.lines.append(
        "define i32 @kernel(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 %first, i64 %last) #0 {"
    )
    w.label("entry")
    ni, no = len(program.inputs), len(program.outputs)
    w.let(f"alloca [{2 * ni + 2 * no} x i64], align 8", "%frame")
    space = w.let(f"alloca [{stack} x i8], align 64", "%stack") if stack else "%workspace"
    sizes = [math.prod(shape) for shape in program.outputs.values()]
    if way == Way.COPIED:
        w.let(f"mul i64 {w.let('sub i64 %last, %first')}, {sum(sizes) * lanes.bytes}", "%total")
        w.let(f"icmp ugt i64 %total, {STREAMED}", "%large")
    w.line("br label %head")
    w.label("head")
    w.let("phi i64 [ %first, %entry ], [ %next, %latch ]", "%row")
    w.let("phi i32 [ 0, %entry ], [ %flag2, %latch ]", "%flag")
    w.let("icmp slt i64 %row, %last", "%more")
    w.line("br i1 %more, label %body, label %end")
    w.label("body")
    valid = w.let("sub i64 %last, %row")
    aside, ends = "", list[tuple[str, str, int]]()
    if columns:
        _place_columns(w, ni, no, valid)
    else:
        _place_inputs(w, ni)
        aside, ends = _place_outputs(w, sizes, 2 * ni, valid, w.at("i8", space, scratch), way)
    flag = w.let(f"call i32 @block(ptr %frame, ptr {space}, i64 {valid})")
    w.let(f"or i32 %flag, {flag}", "%flag2")
    w.let(f"add i64 %row, {lanes.width}", "%next")
    if aside:
        w.line(f"br i1 {aside}, label %out, label %latch")
        w.label("out")
        _bring_home(w, ends, valid, way)
    w.line("br label %latch")
    w.label("latch")
    w.line("br label %head")
    w.label("end")
    if aside:
        w.line("fence seq_cst")  # what was streamed must be there before anyone is told
    w.line("ret i32 %flag")
    w.lines.append("}")
    return "\n".join(w.lines)


def _place_columns(w: Writer, ni: int, no: int, valid: str) -> None:
    """Each array's first column at the block's first row, and how far its columns are apart, into the frame."""
    width = w.lanes.width
    short = w.let(f"icmp slt i64 {valid}, {width}")
    start = w.let(f"select i1 {short}, i64 {w.let(f'sub i64 %last, {width}')}, i64 %row")
    for k in range(ni + no):
        array = w.at("ptr", "%inputs", k) if k < ni else w.at("ptr", "%outputs", k - ni)
        address, apart = (2 * k, 2 * k + 1) if k < ni else (2 * ni + k - ni, 2 * ni + no + k - ni)
        at = w.let(f"getelementptr {w.lanes.element}, ptr {w.load('ptr', array, 8)}, i64 {start}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', address)}, align 8")
        w.line(f"store i64 {w.load('i64', w.at('i64', '%strides', k), 8)}, ptr {w.at('i64', '%frame', apart)}, align 8")


def _place_inputs(w: Writer, count: int) -> None:
    """Each input's address at the block's first row, and its stride, into the frame."""
    e = w.lanes.element
    for k in range(count):
        base = w.load("ptr", w.at("ptr", "%inputs", k), 8)
        stride = w.load("i64", w.at("i64", "%strides", k), 8)
        at = w.let(f"getelementptr {e}, ptr {base}, i64 {w.let(f'mul i64 %row, {stride}')}")
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', 2 * k)}, align 8")
        w.line(f"store i64 {stride}, ptr {w.at('i64', '%frame', 2 * k + 1)}, align 8")


def _place_outputs(
    w: Writer, sizes: list[int], cell: int, valid: str, scratch: str, way: Way
) -> tuple[str, list[tuple[str, str, int]]]:
    """Each output's address into the frame; whether the block's rows are put aside, and then (home, place aside, bytes
    of a row) of each.
    """
    lanes, aside = w.lanes, ""
    if way == Way.COPIED:
        aside = w.let(f"and i1 %large, {w.let(f'icmp sge i64 {valid}, {lanes.width}')}")
    elif way == Way.LINES:
        aside = w.let(f"icmp slt i64 {valid}, {lanes.width}")
    ends, put = [], 0
    for k, size in enumerate(sizes):
        base = w.load("ptr", w.at("ptr", "%outputs", k), 8)
        home = at = w.let(f"getelementptr {lanes.element}, ptr {base}, i64 {w.let(f'mul i64 %row, {size}')}")
        if aside:
            here = w.at("i8", scratch, put)
            at = w.let(f"select i1 {aside}, ptr {here}, ptr {home}")
            ends.append((home, here, size * lanes.bytes))
            put += size * lanes.width * lanes.bytes
        w.line(f"store ptr {at}, ptr {w.at('i64', '%frame', cell + k)}, align 8")
    return aside, ends


def _bring_home(w: Writer, ends: list[tuple[str, str, int]], valid: str, way: Way) -> None:
    for home, here, row in ends:
        if way == Way.COPIED:
            w.line(f"call void @stream(ptr {home}, ptr {here}, i64 {row * w.lanes.width})")
        else:
            w.line(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {home}, ptr {here}, i64 {w.let(f'mul i64 {valid}, {row}')}, i1 "
                "false)"
            )


def stream_code(lanes: Lanes) -> str:
    """``@stream``: copy past the caches. Whole lines that are only written need not be read first, which halves the
    traffic.
    """
    t = f"<{64 // lanes.bytes} x {lanes.element}>"
    return f"""define internal void @stream(ptr %to, ptr %from, i64 %count) noinline #0 {{
entry:
  %first = load {t}, ptr %from, align {lanes.bytes}
  store {t} %first, ptr %to, align {lanes.bytes}
  %address = ptrtoint ptr %to to i64
  %minus = sub i64 0, %address
  %head = and i64 %minus, 63
  %last = sub i64 %count, 64
  br label %test
test:
  %at = phi i64 [ %head, %entry ], [ %next, %line ]
  %more = icmp sle i64 %at, %last
  br i1 %more, label %line, label %tail
line:
  %source = getelementptr i8, ptr %from, i64 %at
  %target = getelementptr i8, ptr %to, i64 %at
  %x = load {t}, ptr %source, align {lanes.bytes}
  store {t} %x, ptr %target, align 64, !nontemporal !1
  %next = add i64 %at, 64
  br label %test
tail:
  %source1 = getelementptr i8, ptr %from, i64 %last
  %target1 = getelementptr i8, ptr %to, i64 %last
  %y = load {t}, ptr %source1, align {lanes.bytes}
  store {t} %y, ptr %target1, align {lanes.bytes}
  ret void
}}"""
